"""kill -9 at random moments, also on a full disk and with a clock set by an hour: nothing confirmed is lost or doubled.

`python -m tests.bench kill` does the same with 200 lives each and prints a table.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kill_rig import Found, Trouble, lives

LIVES = 20
"""A tenth of what `python -m tests.bench kill` takes of each kind."""


@pytest.mark.parametrize("trouble", ["", "full disk", "clock"])
def test_nothing_confirmed_is_lost_and_nothing_doubled(tmp_path: Path, trouble: Trouble) -> None:
    found: Found = lives(tmp_path, 9, LIVES, trouble)
    assert found.lost == []
    assert found.doubled == []
    assert len(found.confirmed) > 3 * LIVES
    assert found.replays in (True, None)
    if trouble == "full disk":
        assert found.refused["ledger_trouble"] > 0
        assert any("Free some space and repeat it" in sentence for sentence in found.sentences)
    else:
        assert "ledger_trouble" not in found.refused
    assert (found.set_back > 0) is (trouble == "clock")

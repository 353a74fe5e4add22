"""The evenings worked out by hand, played at the table by commands alone, and the same evenings as files.

Every payment, total, next dealer, round, streak and waiting fan must come out of the table as
tests/golden/*_evening.txt says; tests/golden/evenings holds what was said to the table and the ledger that came of it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from table.events import KINDS
from table.ledger import read
from table.replay import read_recording, replay
from tests.evening_player import EVENINGS, STORIES, evening
from tests.golden_evenings import FOLDER, ledger_lines
from tests.table_kit import Desk

NAMES = (*EVENINGS, *STORIES)


def golden_ledger(name: str) -> list[str]:
    return (FOLDER / f"{name}.ledger").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", NAMES)
def test_an_evening_as_worked_out_by_hand(name: str) -> None:
    """Each number of the text file comes out of the table, and its totals stand in the golden ledger in this order."""
    written = [line.rpartition("totals ")[2] for line in golden_ledger(name) if " | totals " in line]
    last = ""
    for moment in evening(name, Desk()):
        assert moment.found == moment.wanted, moment.where
        totals, last = moment.wanted["totals"], moment.where
        if name == "two_player" and "after" not in last:
            totals = [totals[0], 0, totals[1], 0]  # the file lists the two players first
        text = " ".join(str(points) for points in totals)
        assert text in written, moment.where
        del written[: written.index(text) + 1]
    assert "after" in last
    assert written == []


@pytest.mark.parametrize("name", NAMES)
def test_the_recorded_evening_makes_the_same_ledger_bit_for_bit(name: str, tmp_path: Path) -> None:
    done = replay(read_recording(FOLDER / f"{name}.jsonl"), tmp_path / "ledger.sqlite3")
    assert done.refused == ()
    lines = ledger_lines(read(tmp_path / "ledger.sqlite3"))
    assert lines == golden_ledger(name), "if the difference is meant, write the golden files anew with `make golden`"


@pytest.mark.parametrize("name", NAMES)
def test_every_evening_has_what_can_happen_in_it(name: str) -> None:
    text = "\n".join(golden_ledger(name))
    wanted = ["self_draw", "from seat", "drawn hand", "false win", "penalty_given", "hand_corrected", "seats_corrected"]
    if name.startswith("sichuan"):
        wanted += ["side_paid"]
    assert [words for words in wanted if words not in text] == []


def test_the_evenings_together_hold_most_kinds_of_events() -> None:
    seen = {line.split()[4] for name in NAMES for line in golden_ledger(name)[:-1]}
    assert seen <= KINDS
    assert len(seen) >= 22

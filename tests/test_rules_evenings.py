"""Whole evenings of Jiaxing, Wuhan and Fujian: every payment, total, next dealer and carried fan, hand after hand."""

from __future__ import annotations

import json
import re
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.evening import Script, hands, play

NAMES = ("jiaxing", "wuhan", "fujian")


@pytest.mark.parametrize("name", NAMES)
def test_every_number_of_the_evening(name: str) -> None:
    totals = [0, 0, 0, 0]
    carried: dict[str, Any] = {}
    before: Script | None = None
    for script in hands(name):
        where = f"{name} hand {script.number}"
        if before is not None:
            assert all(script.state[key] == before.next[key] for key in script.state if key in before.next), where
        reply = play(name, script, carried)
        assert reply["payments"] == script.pays, where
        assert sum(script.pays) == 0
        totals = [old + new for old, new in zip(totals, script.pays, strict=True)]
        assert totals == script.totals, where
        if script.false_win_by is None:
            assert str(reply["next_dealer"]) == script.next["dealer"], where
            assert str(reply.get("streak_out", "-")) == script.next.get("streak", "-"), where
        if name == "jiaxing" and script.false_win_by is None:
            waiting = reply["carry_out"]
            assert (" ".join(waiting) or "-") == script.next["waiting"], where
            carried = {"carry_in": waiting, "prev_wild": script.state["wild"]}
            assert before is None or script.state["round"] == before.next["round"]
        before = script


@pytest.mark.parametrize("name", NAMES)
def test_an_evening_has_draws_repeats_and_a_false_win(name: str) -> None:
    scripts = list(hands(name))
    assert [script.number for script in scripts] == list(range(1, len(scripts) + 1))
    assert len(scripts) >= 16
    assert sum(not script.winners and script.false_win_by is None for script in scripts) >= 3
    assert any(script.false_win_by is not None for script in scripts)
    dealers = [script.state["dealer"] for script in scripts]
    assert any(now == then for now, then in pairwise(dealers)), "the dealer stays somewhere"
    assert list(accumulate(script.pays[0] for script in scripts))[-1] == scripts[-1].totals[0]


def test_a_changed_hand_changes_the_evening() -> None:
    first = next(hands("wuhan"))
    first.state["dealer"] = "2"
    assert play("wuhan", first, {})["payments"] != first.pays, "the dealer's double moves"


@pytest.mark.parametrize("name", NAMES)
def test_every_worked_case_belongs_to_a_documented_clause(name: str) -> None:
    root = Path(__file__).parent
    documented = (root.parent / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
    lines = (root / "golden" / "rules" / f"{name}_more.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["clause"] for line in lines} <= set(re.findall(r"^\| (\w\w-\d+) \|", documented, re.M))

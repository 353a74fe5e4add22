"""Whole evenings of seven rulesets: every payment, total, next dealer and carried fan, hand after hand."""

from __future__ import annotations

import json
import re
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.evening import Script, hands, play

REGIONAL = ("jiaxing", "wuhan", "fujian")
NAMES = (*REGIONAL, "guangdong", "popular", "two_player", "beginner258")
FOLLOWS = ("dealer", "round", "streak")
"""What the file says of the next hand, and says again at its head."""
LISTS = ("flowers", "open_hand", "doubled")


def facts_of(script: Script) -> dict[str, Any]:
    """The facts of a hand that these games have beside the common ones."""
    found: dict[str, Any] = {}
    for name in LISTS:
        if name in script.state:
            numbers = [int(one) for one in script.state.pop(name).split()]
            found[name] = numbers if name == "flowers" else [one == 1 for one in numbers]
    if "drawn" in script.state:
        found["drawn"] = int(script.state.pop("drawn"))
    if "passed" in script.state:
        seat, _, kind = script.state.pop("passed").partition(":")
        found["passed"] = {seat: [kind]}
    if "liable" in script.state:
        feeder, player, kind = script.state.pop("liable").split()
        found["liability"] = [{"for": int(player), "by": int(feeder), "kind": kind}]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_number_of_the_evening(name: str) -> None:
    totals = [0, 0, 0, 0]
    carried: dict[str, Any] = {}
    before: Script | None = None
    for script in hands(name):
        where = f"{name} hand {script.number}"
        head = dict(script.state)
        if before is not None:
            assert [head.get(key) for key in FOLLOWS] == [before.next.get(key) for key in FOLLOWS], where
        reply = play(name, script, carried | facts_of(script))
        assert reply["payments"] == script.pays, where
        assert sum(script.pays) == 0
        totals = [old + new for old, new in zip(totals, script.pays, strict=True)]
        assert totals == script.totals, where
        if script.false_win_by is None:
            assert str(reply["next_dealer"]) == script.next["dealer"], where
            assert str(reply.get("streak_out", "-")) == script.next.get("streak", "-"), where
            assert reply.get("next_round") == script.next.get("round"), where
        else:
            assert head["dealer"] == script.next["dealer"], f"{where}: the hand is played again"
        if name == "jiaxing" and script.false_win_by is None:
            waiting = reply["carry_out"]
            assert (" ".join(waiting) or "-") == script.next["waiting"], where
            carried = {"carry_in": waiting, "prev_wild": head["wild"]}
        before = script


@pytest.mark.parametrize("name", NAMES)
def test_an_evening_has_draws_repeats_and_a_false_win(name: str) -> None:
    scripts = list(hands(name))
    assert [script.number for script in scripts] == list(range(1, len(scripts) + 1))
    assert len(scripts) >= 16
    drawn = [script for script in scripts if not script.winners and script.false_win_by is None]
    assert len(drawn) >= (3 if name in REGIONAL else 2)
    assert any(script.false_win_by is not None for script in scripts)
    dealers = [script.state["dealer"] for script in scripts]
    assert any(now == then for now, then in pairwise(dealers)), "the dealer stays somewhere"
    assert list(accumulate(script.pays[0] for script in scripts))[-1] == scripts[-1].totals[0]


def test_a_changed_hand_changes_the_evening() -> None:
    first = next(hands("wuhan"))
    first.state["dealer"] = "2"
    assert play("wuhan", first, {})["payments"] != first.pays, "the dealer's double moves"


@pytest.mark.parametrize("name", REGIONAL)
def test_every_worked_case_belongs_to_a_documented_clause(name: str) -> None:
    root = Path(__file__).parent
    documented = (root.parent / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
    lines = (root / "golden" / "rules" / f"{name}_more.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["clause"] for line in lines} <= set(re.findall(r"^\| (\w\w-\d+) \|", documented, re.M))

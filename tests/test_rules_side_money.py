"""Sichuan and Changsha: what holds for every worked case of any kind, and that each number is looked at."""

from __future__ import annotations

import importlib
import json
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from rules.fans import Fan
from rules.questions import parse, report, solve
from rules.registry import ruleset
from rules.ruleset import Ruleset
from rules.tiles import parse_tiles, tile_text
from rules.wording import CHINESE
from tests.worked import NEXT_SUIT, answered, cases, unexplained, unused_options

NAMES = ("sichuan", "changsha")
SEAT_FIELDS = {
    "seat", "from_seat", "from", "by", "kong_feeder", "taker", "first_asked", "dealer", "turn", "payer", "next_dealer",
    "next_turn", "claim_goes_to", "goes_to",
}  # fmt: skip
LISTS_OF_SEATS = {"out", "can_win", "pigs", "not_ready", "order", "sea_winners", "all_winners", "bird_seats"}
BY_SEAT = {"players", "wants", "passed", "ready", "paid"}


def turned(value: Any, by: int) -> Any:
    """Any part of a question or an answer with everybody `by` seats further on."""
    if isinstance(value, list):
        return [turned(one, by) for one in value]
    if not isinstance(value, dict):
        return value
    other = {}
    for key, one in value.items():
        if key in SEAT_FIELDS and one is not None:
            other[key] = (one + by) % 4
        elif (key in LISTS_OF_SEATS and isinstance(one, list)) or (key == "winners" and one and one[0] in range(4)):
            other[key] = [(seat + by) % 4 for seat in one]
        elif key in BY_SEAT and isinstance(one, dict):
            other[key] = {str((int(seat) + by) % 4): turned(facts, by) for seat, facts in one.items()}
        elif key in ("payments", "hand_total"):
            other[key] = [one[(seat - by) % 4] for seat in range(4)]
        else:
            other[key] = turned(one, by)
    return other


def in_any_order(reply: dict[str, Any]) -> dict[str, Any]:
    """An answer without the order of seats that are listed ascending."""
    return {key: sorted(value) if key in ("pigs", "not_ready") else value for key, value in reply.items()}


@pytest.mark.parametrize(("name", "by"), tuple(product(NAMES, (1, 2, 3))))
def test_turning_the_seats_turns_every_answer(name: str, by: int) -> None:
    for case in cases(name):
        question = {key: value for key, value in case.items() if key != "expect"}
        assert in_any_order(answered(turned(question, by))) == in_any_order(turned(answered(case), by)), case["id"]


def in_other_suits(value: Any) -> Any:
    """Any part of a question with 萬 as 筒, 筒 as 條, 條 as 萬."""
    if isinstance(value, list):
        return [in_other_suits(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: one.translate(NEXT_SUIT)
        if key in ("hand", "tiles", "win_tile", "holds", "tile", "discard", "drawn", "void") and isinstance(one, str)
        else {seat: kinds.translate(NEXT_SUIT) for seat, kinds in one.items()}
        if key == "passed"
        else in_other_suits(one)
        for key, one in value.items()
    }


@pytest.mark.parametrize("name", NAMES)
def test_exchanging_the_suits_changes_nothing(name: str) -> None:
    for case in cases(name, "hand", "start", "draw", "claim", "action"):
        assert answered(in_other_suits(case)) == answered(case), case["id"]


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_tiles_and_melds_does_not_matter(name: str) -> None:
    rng = random.Random(name)
    for case in cases(name, "hand", "start", "draw"):
        other = json.loads(json.dumps(case))
        for one in [*other["winners"], *other["state"].get("players", {}).values()]:
            tiles = [tile_text(tile) for tile in parse_tiles(one.get("hand", ""))]
            rng.shuffle(tiles)
            one["hand"] = "".join(tiles)
            rng.shuffle(one.setdefault("melds", []))
        assert answered(other) == answered(case), case["id"]


@pytest.mark.parametrize("name", NAMES)
def test_money_only_changes_hands_and_says_why_in_chinese(name: str) -> None:
    for case in cases(name):
        own, question = parse(case)
        result = solve(own, question)
        assert sum(result.payments) == 0, case["id"]
        paid = [0, 0, 0, 0]
        for one in result.transfers:
            assert one.amount > 0
            assert one.reason in CHINESE, one.reason
            paid[one.payer] -= one.amount
            paid[one.payee] += one.amount
        assert paid == list(result.payments), case["id"]


@pytest.mark.parametrize("name", NAMES)
def test_every_option_is_used_by_a_worked_case(name: str) -> None:
    assert unused_options(name) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_worked_hand_can_be_explained(name: str) -> None:
    assert unexplained(name, "hand", "start") == []


# ---------------------------------------------------------------- mutations: every number is looked at


def payments(case: dict[str, Any], change: Callable[[Ruleset], Ruleset]) -> list[int]:
    """What is paid in a worked case under changed rules."""
    own, question = parse(case)
    reply: dict[str, Any] = report(solve(change(own), question))
    found: list[int] = reply["payments"]
    return found


def noticed(name: str, change: Callable[[Ruleset], Ruleset], *kinds: str) -> bool:
    """Whether somebody pays something else in some worked case under changed rules."""
    return any(payments(case, change) != case["expect"]["payments"] for case in cases(name, *kinds))


def with_row(rules: Ruleset, name: str, change: Callable[[Fan], Fan]) -> Ruleset:
    return replace(rules, fans=tuple(change(row) if row.name == name else row for row in rules.fans))


ALL_ROWS = {
    "sichuan": ruleset("sichuan", {"self_draw": "plus_fan"}).fans,
    "changsha": ruleset("changsha", {"extra_patterns": True}).fans,
}
ROWS = [(name, row.name) for name in NAMES for row in ALL_ROWS[name]]


@pytest.mark.parametrize("name", NAMES)
def test_unchanged_rules_pay_as_told(name: str) -> None:
    assert not noticed(name, lambda rules: rules)


NOT_LESS = {
    ("changsha", "小胡"): "it says only that no big pattern is there; its points are the option `points`",
    ("sichuan", "平胡"): "every win has a fan, so the least one cannot be worth less",
    ("sichuan", "十八羅漢"): "金鉤釣 and the roots of four kongs are worth the same 3 + 4",
    ("sichuan", "清龍七對"): "清七對 and the root of its foursome are worth the same 5 + 1",
}
"""Rows whose value one less, or whose absence, no hand can show, and why."""


@pytest.mark.parametrize(("name", "fan"), ROWS)
def test_changing_a_value_changes_what_is_paid(name: str, fan: str) -> None:
    for step in (-1, 1) if (name, fan) not in NOT_LESS else (1,):
        seen = noticed(
            name,
            lambda rules, step=step: with_row(rules, fan, lambda row: replace(row, value=row.value + step)),
            "hand",
            "start",
        )
        assert seen == ((name, fan) != ("changsha", "小胡")), step


@pytest.mark.parametrize(("name", "fan"), ROWS)
def test_every_row_is_needed(name: str, fan: str) -> None:
    def without(rules: Ruleset) -> Ruleset:
        return replace(rules, fans=tuple(row for row in rules.fans if row.name != fan))

    if fan == "平胡":
        with pytest.raises(ValueError, match="平胡"):
            noticed(name, without, "hand")
    else:
        assert noticed(name, without, "hand", "start") == ((name, fan) not in NOT_LESS or fan == "小胡")


EXCLUSIONS = [(name, row.name, place) for name in NAMES for row in ALL_ROWS[name] for place in range(len(row.excludes))]


@pytest.mark.parametrize(("name", "fan", "place"), EXCLUSIONS)
def test_dropping_an_exclusion_changes_what_is_paid(name: str, fan: str, place: int) -> None:
    def without(row: Fan) -> Fan:
        return replace(row, excludes=(*row.excludes[:place], *row.excludes[place + 1 :]))

    assert noticed(name, lambda rules: with_row(rules, fan, without), "hand")


def test_a_small_win_counts_only_alone() -> None:
    assert noticed("changsha", lambda rules: with_row(rules, "小胡", lambda row: replace(row, alone=False)), "hand")


@pytest.mark.parametrize("gate", ["two_suits", "void_suit_gone", "not_passed_before", "pair_of_258"])
def test_every_gate_is_needed(gate: str) -> None:
    name = "changsha" if gate == "pair_of_258" else "sichuan"

    def without(rules: Ruleset) -> Ruleset:
        return replace(
            rules,
            gates=tuple(one for one in rules.gates if one.__name__ != gate),
            before=tuple(one for one in rules.before if one.__name__ != gate),
        )

    assert noticed(name, without, "hand")


def test_changing_the_number_of_forced_tiles_changes_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = importlib.import_module("rules.rulesets.sichuan_table")
    for value in (3, 5):
        monkeypatch.setattr(owner, "LAST_TILES", value)
        told = [
            case for case in cases("sichuan", "claim") if answered(case).get("forced") != case["expect"].get("forced")
        ]
        assert told, value

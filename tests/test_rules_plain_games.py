"""Guangdong, popular, two players, beginner: what holds for every worked case, and that each number is looked at."""

from __future__ import annotations

import importlib
import json
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from rules.fans import Fan
from rules.model import HandResult
from rules.questions import parse, solve
from rules.registry import ruleset
from rules.ruleset import Ruleset
from rules.tiles import parse_tiles, tile_text
from tests.worked import answered, as_told, cases, in_other_suits, turned, unexplained, unused_options

NAMES = ("guangdong", "popular", "two_player", "beginner258")
ONE_SUIT = ("two_player",)
NAMED_SUITS = {"綠一色", "推不倒"}


@pytest.mark.parametrize("name", NAMES)
def test_money_only_changes_hands(name: str) -> None:
    for case in cases(name):
        own, question = parse(case)
        result: HandResult = solve(own, question)
        assert sum(result.payments) == 0, case["id"]
        paid = [0, 0, 0, 0]
        for one in result.transfers:
            assert one.amount > 0
            paid[one.payer] -= one.amount
            paid[one.payee] += one.amount
        assert paid == list(result.payments), case["id"]


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_tiles_and_melds_does_not_matter(name: str) -> None:
    rng = random.Random(name)
    for case in cases(name, "hand"):
        other = json.loads(json.dumps(case))
        for one in other["winners"]:
            tiles = [tile_text(tile) for tile in parse_tiles(one["hand"])]
            rng.shuffle(tiles)
            one["hand"] = "".join(tiles)
            rng.shuffle(one["melds"])
        assert answered(other) == answered(case), case["id"]


@pytest.mark.parametrize(("name", "by"), tuple(product(NAMES, (1, 2, 3))))
def test_turning_the_seats_turns_the_payments(name: str, by: int) -> None:
    seats = ruleset(name).seats
    for case in cases(name, "hand", "draw"):
        before, after = answered(case), answered(turned(case, by, seats))
        assert [after["payments"][(seat + by) % seats] for seat in range(seats)] == before["payments"][:seats]
        assert [one["fans"] for one in after["winners"]] == [one["fans"] for one in before["winners"]], case["id"]
        if "next_dealer" in before:
            assert after["next_dealer"] == (before["next_dealer"] + by) % seats, case["id"]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ONE_SUIT])
def test_exchanging_the_suits_changes_nothing(name: str) -> None:
    for case in cases(name, "hand"):
        before = answered(case)
        if not {fan for one in before["winners"] for fan, _ in one["fans"]} & NAMED_SUITS:
            assert answered(in_other_suits(case)) == before, case["id"]


@pytest.mark.parametrize("name", NAMES)
def test_every_option_is_used_by_a_worked_case(name: str) -> None:
    assert unused_options(name) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_worked_hand_can_be_explained(name: str) -> None:
    assert unexplained(name, "hand") == []


# ---------------------------------------------------------------- mutations: every number is looked at

HIDDEN: dict[str, set[tuple[str, str]]] = {
    "guangdong": set(),
    "popular": set(),
    # 不求人 stands in every concealed self-draw and has already included 自摸; 字一色 has no suit for 混一色 and no
    # terminal for 混幺九; a win is either drawn or claimed, so 不求人 and 門前清 never meet
    "two_player": {
        ("地胡", "自摸"),
        ("七對", "自摸"),
        ("字一色", "混一色"),
        ("字一色", "混幺九"),
        ("不求人", "門前清"),
    },
}
"""Exclusions that no hand can show."""


def noticed(name: str, change: Callable[[Ruleset], Ruleset], *kinds: str) -> bool:
    """Whether some worked case gets another answer under changed rules."""
    return any(not as_told(case, change(parse(case)[0])) for case in cases(name, *kinds))


def with_row(rules: Ruleset, name: str, change: Callable[[Fan], Fan]) -> Ruleset:
    return replace(rules, fans=tuple(change(row) if row.name == name else row for row in rules.fans))


@pytest.mark.parametrize("name", NAMES)
def test_unchanged_rules_answer_as_told(name: str) -> None:
    assert not noticed(name, lambda rules: rules)


ROWS = [
    (name, row.name)
    for name in ("guangdong", "popular", "two_player")
    for row in ruleset(name).fans
    if row.layer != "floor"  # in Guangdong those rows lift the hand to the cap and have no value of their own
]


@pytest.mark.parametrize(("name", "fan"), ROWS)
def test_changing_a_value_changes_a_worked_answer(name: str, fan: str) -> None:
    """One less is always noticed, one more too unless the hand stands at the cap already (full hands in popular)."""
    full = any(row.layer == "full" for row in ruleset(name).fans if row.name == fan)
    for step in (-1,) if full else (-1, 1):
        assert noticed(
            name,
            lambda rules, step=step: with_row(rules, fan, lambda row: replace(row, value=row.value + step)),
            "hand",
        ), step


@pytest.mark.parametrize("fan", [row.name for row in ruleset("guangdong").fans if row.layer == "floor"])
def test_each_way_to_the_floor_is_looked_at(fan: str) -> None:
    assert noticed(
        "guangdong", lambda rules: replace(rules, fans=tuple(r for r in rules.fans if r.name != fan)), "hand"
    )


EXCLUSIONS = [
    (name, row.name, str(other))
    for name in ("popular", "two_player")
    for row in ruleset(name).fans
    for other in row.excludes
]


@pytest.mark.parametrize(("name", "fan", "other"), EXCLUSIONS)
def test_dropping_an_exclusion_changes_a_worked_answer(name: str, fan: str, other: str) -> None:
    def without(row: Fan) -> Fan:
        return replace(row, excludes=tuple(one for one in row.excludes if one != other))

    seen = noticed(name, lambda rules: with_row(rules, fan, without), "hand")
    assert seen == ((fan, other) not in HIDDEN[name]), f"{fan} includes {other}"


CONSTANTS = [
    ("guangdong", "TILES"), ("popular", "FALSE_WIN"), ("popular", "DIE"), ("two_player", "FALSE_WIN"),
    ("beginner258", "FALSE_WIN"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "constant"), CONSTANTS)
def test_changing_a_number_changes_a_worked_answer(name: str, constant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = importlib.import_module(f"rules.rulesets.{name}")
    value = getattr(owner, constant)
    monkeypatch.setattr(owner, constant, range(2, 2) if isinstance(value, range) else value + 1)
    try:
        assert noticed(name, lambda rules: rules)
    except ValueError:
        assert constant == "DIE", "a die that shows nothing is an error"

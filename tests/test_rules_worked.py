"""Properties and mutations over all worked cases of Jiaxing, Wuhan and Fujian (tests/golden/rules)."""

from __future__ import annotations

import importlib
import json
import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from rules.model import TableFacts, Winner
from rules.questions import parse, report, solve
from rules.registry import ruleset
from rules.ruleset import Ruleset
from rules.tiles import parse_tile, parse_tiles, tile_text
from tests.worked import NEXT_SUIT, cases, unexplained

NAMES = ("jiaxing", "wuhan", "fujian")


def worked(name: str) -> list[dict[str, Any]]:
    """The worked hands that are wins."""
    return [case for case in cases(name, "hand") if case["expect"]["valid"]]


def answered(case: Mapping[str, Any], rules: Ruleset | None = None) -> dict[str, Any]:
    """The answer to a case, by other rules if given."""
    own, question = parse(case)
    return report(solve(rules or own, question))


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_tiles_and_melds_does_not_matter(name: str) -> None:
    rng = random.Random(5)
    for case in worked(name):
        other = json.loads(json.dumps(case))
        for one in other["winners"]:
            tiles = [tile_text(tile) for tile in parse_tiles(one["hand"])]
            rng.shuffle(tiles)
            one["hand"] = "".join(tiles)
            if name != "wuhan":  # in Wuhan the third opening answers for a flush, so there the order counts
                rng.shuffle(one["melds"])
        assert answered(other) == answered(case), case["id"]


def turned(case: Mapping[str, Any], by: int) -> dict[str, Any]:
    """The same hand with everybody `by` seats further on."""

    def seat(value: int | None) -> int | None:
        return None if value is None else (value + by) % 4

    other: dict[str, Any] = json.loads(json.dumps(case))
    state = other["state"]
    state["dealer"] = seat(state.get("dealer", 0))
    if "contracts" in state:
        state["contracts"] = [[seat(one) for one in pair] for pair in state["contracts"]]
    if "quit" in state:
        state["quit"] = [seat(one) for one in state["quit"]]
    if state.get("flowers"):
        state["flowers"] = [state["flowers"][(place - by) % 4] for place in range(4)]
    state["players"] = {str(seat(int(one))): facts for one, facts in state.get("players", {}).items()}
    tables = [*other["winners"], *state["players"].values()]
    for one in tables:
        for meld in one.get("melds", []):
            meld["from"] = seat(meld["from"])
    for one in other["winners"]:
        one["seat"], one["from_seat"] = seat(one["seat"]), seat(one["from_seat"])
    return other


@pytest.mark.parametrize(("name", "by"), list(product(NAMES, (1, 2, 3))))
def test_turning_the_seats_turns_the_payments(name: str, by: int) -> None:
    for case in worked(name):
        before, after = answered(case), answered(turned(case, by))
        assert [after["payments"][(seat + by) % 4] for seat in range(4)] == before["payments"], case["id"]
        assert [one["fans"] for one in after["winners"]] == [one["fans"] for one in before["winners"]], case["id"]


@pytest.mark.parametrize("name", NAMES)
def test_exchanging_the_suits_changes_nothing(name: str) -> None:
    for case in worked(name):
        other = json.loads(json.dumps(case))
        for key in ("wild", "flip", "prev_wild"):
            if other["state"].get(key):
                other["state"][key] = other["state"][key].translate(NEXT_SUIT)
        for player in [*other["winners"], *other["state"].get("players", {}).values()]:
            for key in ("hand", "win_tile"):
                if player.get(key):
                    player[key] = player[key].translate(NEXT_SUIT)
            for meld in player.get("melds", []):
                meld["tiles"] = meld["tiles"].translate(NEXT_SUIT)
        assert answered(other) == answered(case), case["id"]


def test_a_hand_without_a_named_wildcard_is_remarked() -> None:
    winner = Winner(1, parse_tiles("111234567789m9m"), parse_tile("9m"), "self_draw")
    notes = ruleset("jiaxing").judge([winner], TableFacts()).winners[0].notes
    assert notes == ("the table names no wildcard for this hand",)


@pytest.mark.parametrize("name", NAMES)
def test_every_worked_hand_can_be_explained(name: str) -> None:
    assert unexplained(name, "hand") == []


REWARDS_ABSENCE = {"jiaxing": "無百搭", "wuhan": "硬胡", "fujian": ""}
STRICTER = ("two_laizi_small", "rob_forbidden_any_tile_wait", "discard_win_not_allowed")


def without_reward(rules: Ruleset) -> Ruleset:
    """The rules without the one fan that rewards having no wildcard."""
    name = REWARDS_ABSENCE[rules.name]
    if rules.name == "wuhan":
        return replace(rules, fans=tuple(replace(row, value=1) if row.name == name else row for row in rules.fans))
    return replace(rules, fans=tuple(row for row in rules.fans if row.name != name))


@pytest.mark.parametrize("name", NAMES)
def test_a_wildcard_in_place_of_a_tile_never_lowers_the_value(name: str) -> None:
    checked = 0
    for case in worked(name):
        if len(case["winners"]) > 1 or case["options"].get("wild_natural") is False or "min_total" in case["options"]:
            continue
        rules, question = parse(case)
        wild = rules.wild(rules.chosen, question.facts).wild
        if wild is None or case["options"].get("wild_in_honour_tai") is False:
            continue
        plain = without_reward(rules)
        winner = question.winners[0]
        value = plain.judge([winner], question.facts).payments[winner.seat]
        for place, tile in enumerate(winner.hand):
            if tile == wild or winner.hand.count(wild) + (winner.win_tile == wild) >= 3:
                continue
            hand = (*winner.hand[:place], wild, *winner.hand[place + 1 :])
            result = plain.judge([replace(winner, hand=hand)], question.facts)
            if not result.valid:
                assert result.winners[0].reason in STRICTER, case["id"]  # type: ignore[union-attr]
                continue
            assert result.payments[winner.seat] >= value, (case["id"], tile_text(tile))
            checked += 1
    assert checked > 50


# ---------------------------------------------------------------- mutations of the fan tables


ROWS = [(name, row.name) for name in NAMES for row in ruleset(name).fans]


@pytest.mark.parametrize(("name", "fan"), ROWS)
def test_changing_a_fan_changes_a_worked_answer(name: str, fan: str) -> None:
    """A value raised by one, and the exclusions of the row dropped, each show in a payment of some worked case."""
    original = ruleset(name)
    row = next(one for one in original.fans if one.name == fan)
    mutants = [replace(row, value=row.value + 1)]
    mutants += [replace(row, excludes=tuple(x for x in row.excludes if x != one)) for one in row.excludes]
    mutants += [replace(row, alone=False)] if row.alone else []
    for mutant in mutants:
        seen = False
        for case in cases(name, "hand"):
            own, question = parse(case)
            changed = replace(own, fans=tuple(mutant if one.name == fan else one for one in own.fans))
            if report(solve(changed, question))["payments"] != case["expect"]["payments"]:
                seen = True
                break
        assert seen, f"no worked case notices {mutant}"


CONSTANTS = [
    ("wuhan_payment", "BIG_DISCARDER"),
    ("wuhan_payment", "SMALL_DISCARDER"),
    ("wuhan_payment", "DEALER"),
    ("wuhan_payment", "FALSE_WIN"),
    ("wuhan", "BIG_SELF_DRAW"),
    ("wuhan", "LAST_TILES"),
    ("wuhan_table", "LAST_TILES"),
    ("fujian", "FALSE_WIN"),
    ("jiaxing", "DRAWABLE"),
    ("jiaxing_contract", "MELDS_THAT_BIND"),
]


@pytest.mark.parametrize(("module", "constant"), CONSTANTS)
def test_changing_a_number_of_the_payments_changes_a_worked_answer(
    module: str, constant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = importlib.import_module(f"rules.rulesets.{module}")
    monkeypatch.setattr(owner, constant, getattr(owner, constant) + 1)
    for case in cases(module.split("_")[0]):
        reply = answered(case)
        plain = {key: value for key, value in case["expect"].items() if key in reply}
        if any(reply[key] != value for key, value in plain.items()):
            return
    pytest.fail(f"no worked case notices {module}.{constant}")

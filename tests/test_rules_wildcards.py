"""Wildcards of Jiaxing, Wuhan and Fujian: the dearest use is found exactly, and a wildcard is never a burden."""

from __future__ import annotations

import importlib
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rules.errors import RulesInputError
from rules.fan_names import fan_name
from rules.model import Meld, TableFacts, Winner
from rules.questions import answer, parse, report, solve
from rules.registry import ruleset
from rules.ruleset import Ruleset
from rules.shapes import NO_PAIR, Part, Standard, standard, waiting_for
from rules.tiles import in_kinds, parse_tile, parse_tiles, tile_text
from rules.wildcards import itself, the_next, wild_kind
from tests import wildcard_oracle

GOLDEN = Path(__file__).parent / "golden" / "rules"
NAMES = ("jiaxing", "wuhan", "fujian")


def random_melds(rng: random.Random, number: int, wild: int, suits: list[int]) -> list[Meld]:
    """Chows and pungs on the table, without the wildcard."""
    melds: list[Meld] = []
    while len(melds) < number:
        suit = rng.choice(suits)
        low = 9 * suit + rng.randrange(6 if suit == 3 else 7)
        chow = suit < 3 and rng.random() < 0.5
        tiles = (low, low + 1, low + 2) if chow else (low,) * 3
        held = [tile for meld in melds for tile in meld.tiles]
        if wild not in tiles and all(held.count(tile) + tiles.count(tile) <= 4 for tile in tiles):
            melds.append(Meld("chi" if chow else "peng", tiles, 0))
    return melds


def small_hands(wild: int, size: int, wilds: int, number: int) -> Iterator[tuple[tuple[int, ...], list[Meld]]]:
    """Random concealed tiles (two thirds of them near a complete hand) beside melds of the same few suits."""
    rng = random.Random(1000 * wild + 10 * wilds + size)
    while number:
        suits = rng.sample(range(4), rng.choice((1, 2, 2, 3)))
        melds = random_melds(rng, size, wild, suits)
        own = [tile for meld in random_melds(rng, 2 if wilds < 4 else 1, wild, suits) for tile in meld.tiles]
        suit = rng.choice(suits)
        own += [9 * suit + rng.randrange(6 if suit == 3 else 9)] * 2
        rng.shuffle(own)
        if rng.random() < 0.3:
            own[0] = rng.randrange(33)
        natural = tuple(sorted(own[wilds:]))
        shown = [*natural, *(tile for meld in melds for tile in meld.tiles)]
        if wild in natural or any(shown.count(tile) > 4 for tile in shown):
            continue
        number -= 1
        yield natural, melds


def judged(rules: Ruleset, facts: TableFacts, natural: tuple[int, ...], melds: list[Meld]) -> Any:
    """The rules' verdict: the last natural tile is drawn."""
    wild = rules.wild(rules.chosen, facts).wild or 0
    held = rules.hand_size + 1 - 3 * len(melds) - len(natural)
    hand = (*natural[:-1], *(wild,) * held)
    return rules.judge([Winner(1, hand, natural[-1], "self_draw", tuple(melds))], facts)


AMOUNTS = ((1, 60), (2, 60), (3, 10), (4, 3))


def check_jiaxing(wilds: int, number: int, *, natural_use: bool = True, honour_tai: bool = True) -> int:
    """Compare random small hands with the oracle; how many were wins."""
    options = {"wild_from": "successor", "wild_natural": natural_use, "wild_in_honour_tai": honour_tai}
    rules, wins = ruleset("jiaxing", options), 0
    for text in ("9s", "5m", "6z"):
        table = wildcard_oracle.JiaxingTable((27, 28), parse_tile(text), natural_use, honour_tai)
        for natural, melds in small_hands(table.wild, 2 if wilds < 4 else 3, wilds, number):
            expected = wildcard_oracle.jiaxing(natural, wilds, tuple(meld.tiles for meld in melds), table)
            result = judged(rules, TableFacts(wild=table.wild), natural, melds)
            fan_of_honour_wild = 2 if text == "6z" else 1
            found = dict(result.winners[0].numbers).get("unit") if result.valid else None
            assert found == (None if expected is None else expected * fan_of_honour_wild), (natural, melds)
            wins += result.valid
    return wins


@pytest.mark.parametrize(("wilds", "number"), AMOUNTS)
def test_jiaxing_finds_the_dearest_use(wilds: int, number: int) -> None:
    assert check_jiaxing(wilds, number)


@pytest.mark.parametrize(("natural_use", "honour_tai"), [(False, True), (True, False), (False, False)])
def test_jiaxing_finds_the_dearest_use_by_house_rules(natural_use: bool, honour_tai: bool) -> None:
    for wilds, number in ((1, 60), (2, 30), (3, 3)):
        assert check_jiaxing(wilds, number, natural_use=natural_use, honour_tai=honour_tai)


@pytest.mark.parametrize(("wilds", "number"), AMOUNTS)
def test_wuhan_finds_the_dearest_use(wilds: int, number: int) -> None:
    wins = 0
    for text in ("9p", "5m", "6z"):
        wild = parse_tile(text)
        rules, facts = ruleset("wuhan", {"caps": None}), TableFacts(wild=wild)
        for natural, melds in small_hands(wild, 2 if wilds < 4 else 3, wilds, number):
            if 33 in natural:
                continue
            expected = wildcard_oracle.wuhan(natural, wilds, tuple(meld.tiles for meld in melds), wild)
            result = judged(rules, facts, natural, melds)
            assert (result.payments[1] if result.valid else None) == expected, (natural, melds)
            wins += result.valid
    assert wins


@pytest.mark.parametrize(("wilds", "number"), AMOUNTS)
def test_fujian_finds_the_dearest_use(wilds: int, number: int) -> None:
    wins = 0
    for text in ("9p", "1z"):
        wild = parse_tile(text)
        rules, facts = ruleset("fujian", {"mode": "successor", "hand_size": 13}), TableFacts(wild=wild)
        for natural, melds in small_hands(wild, 2 if wilds < 4 else 3, wilds, number):
            expected = wildcard_oracle.fujian(natural, wilds)
            result = judged(rules, facts, natural, melds)
            assert (dict(result.extras)["per_loser"] if result.valid else None) == expected, (natural, melds)
            wins += result.valid
    assert wins


# ---------------------------------------------------------------- shapes with a look


def has_the_pair(part: Part, honours: bool) -> bool:  # noqa: ARG001
    return part.pair != NO_PAIR


def test_a_look_keeps_one_reading_of_each_kind() -> None:
    counts = [0] * 34
    for tile in parse_tiles("1112233m55z"):
        counts[tile] += 1
    every = list(standard(counts, 2, 3))
    pairs_only = list(Standard(has_the_pair)(counts, 2, 3))
    assert len(every) > len(pairs_only) > 0
    assert {one.wilds_as for one in pairs_only} <= {one.wilds_as for one in every}


@pytest.mark.parametrize("wilds", [0, 1, 2])
def test_waits_suit_by_suit_are_those_of_all_readings(wilds: int) -> None:
    rng = random.Random(wilds)
    for _ in range(60):
        counts = [0] * 34
        while sum(counts) < 7 - wilds:
            tile = rng.choice((rng.randrange(9), 27 + rng.randrange(3), 9 + rng.randrange(4)))
            counts[tile] += counts[tile] < 4
        slow = {face for one in standard(counts, wilds + 1, 2) for face in one.wilds_as}
        assert set(in_kinds(waiting_for([standard], counts, wilds, 2))) == slow


# ---------------------------------------------------------------- the turned tile


def test_the_turned_tile_and_the_named_wildcard_must_agree() -> None:
    nine, one = parse_tile("9m"), parse_tile("1m")
    assert wild_kind(TableFacts(flip=nine), itself) == nine
    assert wild_kind(TableFacts(flip=nine), the_next) == one
    assert wild_kind(TableFacts(flip=nine, wild=one), the_next) == one
    with pytest.raises(RulesInputError, match="makes 1m wild, but the table names 9m"):
        wild_kind(TableFacts(flip=nine, wild=nine), the_next)
    with pytest.raises(RulesInputError, match="1f is a flower; turn the next tile"):
        wild_kind(TableFacts(flip=parse_tile("1f")), itself)


def test_a_fourth_copy_beside_the_turned_tile_is_remarked() -> None:
    winner = Winner(1, parse_tiles("123456789s9p9p9p9p"), parse_tile("1s"), "self_draw")
    result = ruleset("jiaxing").judge([winner], TableFacts(wild=parse_tile("9p")))
    assert any("turned up" in note for note in result.winners[0].notes)
    three = replace(winner, hand=parse_tiles("1123456789s9p9p9p"))
    assert not ruleset("jiaxing").judge([three], TableFacts(wild=parse_tile("9p"))).winners[0].notes


# ---------------------------------------------------------------- properties, on every worked hand


def worked(name: str) -> list[dict[str, Any]]:
    """The worked hands of a ruleset that are wins."""
    lines = [
        json.loads(line)
        for path in (GOLDEN / f"{name}.jsonl", GOLDEN / f"{name}_more.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [case for case in lines if case["kind"] == "hand" and case["expect"]["valid"]]


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


NEXT_SUIT = str.maketrans("mps", "psm")


@pytest.mark.parametrize("name", NAMES)
def test_exchanging_the_suits_changes_nothing(name: str) -> None:
    for case in worked(name):
        other = json.loads(json.dumps(case))
        for key in ("wild", "flip", "prev_wild"):
            if other["state"].get(key):
                other["state"][key] = other["state"][key].translate(NEXT_SUIT)
        for player in [*other["winners"], *other["state"].get("players", {}).values()]:
            for key in {"hand", "win_tile"} & set(player):
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
    for case in cases_of(name):
        reply = answer(case, explained=True)
        for one in reply["winners"]:  # type: ignore[union-attr]
            for fan, _ in one["fans"]:  # type: ignore[call-overload, index]
                assert f"+ {fan_name(str(fan))} " in str(reply["explain"]), case["id"]


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


def cases_of(name: str) -> list[dict[str, Any]]:
    return [case for case in worked_and_refused(name) if case["kind"] == "hand"]


def worked_and_refused(name: str) -> list[dict[str, Any]]:
    """All worked cases of a ruleset."""
    return [
        json.loads(line)
        for path in (GOLDEN / f"{name}.jsonl", GOLDEN / f"{name}_more.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


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
        for case in cases_of(name):
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
    for case in worked_and_refused(module.split("_")[0]):
        reply = answered(case)
        plain = {key: value for key, value in case["expect"].items() if key in reply}
        if any(reply[key] != value for key, value in plain.items()):
            return
    pytest.fail(f"no worked case notices {module}.{constant}")

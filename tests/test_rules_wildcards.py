"""Wildcards of Jiaxing, Wuhan and Fujian: the dearest use is found exactly, and a wildcard is never a burden."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rules.errors import RulesInputError
from rules.model import Meld, TableFacts, Winner
from rules.registry import ruleset
from rules.ruleset import Ruleset
from rules.shapes import NO_PAIR, Part, Standard, standard, waiting_for
from rules.tiles import in_kinds, parse_tile, parse_tiles
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

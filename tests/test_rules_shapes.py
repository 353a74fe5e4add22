"""Reading tiles into shapes, against slow and obvious searches of small universes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

import pytest

from rules.model import Reading
from rules.shapes import (
    KNITTED,
    ORPHANS,
    free,
    knitted,
    knitted_straight,
    orphans,
    seven_pairs,
    standard,
    waiting_for,
)  # fmt: skip
from rules.tiles import EVERY_KIND, KINDS, in_kinds, kinds, kinds_of, parse_tiles, tiles_text

SETS = [(low, low + 1, low + 2) for low in range(27) if low % 9 <= 6] + [(tile,) * 3 for tile in range(KINDS)]


def counts_of(tiles: tuple[int, ...]) -> list[int]:
    counts = [0] * KINDS
    for tile in tiles:
        counts[tile] += 1
    return counts


def laid_out(reading: Reading) -> tuple[tuple[int, ...], ...]:
    """A reading as its sets and pair, in a fixed order."""
    sets = [(low, low + 1, low + 2) for low in reading.chows] + [(tile,) * 3 for tile in reading.pungs]
    return (*sorted(sets), (reading.pair or 0,) * 2)


def by_search(tiles: tuple[int, ...], sets: int) -> set[tuple[tuple[int, ...], ...]]:
    """Try every pair and every choice of sets: slow, and right because it is obvious."""
    held = Counter(tiles)
    possible = [one for one in SETS if not Counter(one) - held]
    found = set()
    for pair in held:
        for chosen in combinations_with_replacement(possible, sets):
            if Counter([tile for one in chosen for tile in one]) + Counter((pair, pair)) == held:
                found.add((*sorted(chosen), (pair, pair)))
    return found


def small_hands(kinds_used: tuple[int, ...], size: int) -> Iterator[tuple[int, ...]]:
    """Every hand of so many tiles from these kinds, four copies at most."""
    for tiles in combinations_with_replacement(kinds_used, size):
        if max(Counter(tiles).values()) <= 4:
            yield tiles


def test_every_five_tile_hand_of_one_suit_and_two_honours() -> None:
    for tiles in small_hands((*range(9), 27, 33), 5):
        read = [laid_out(reading) for reading in standard(counts_of(tiles), 0, 1)]
        assert len(read) == len(set(read)), tiles_text(tiles)
        assert set(read) == by_search(tiles, 1), tiles_text(tiles)


def test_every_eight_tile_hand_of_five_ranks() -> None:
    for tiles in small_hands((2, 3, 4, 5, 6), 8):
        read = [laid_out(reading) for reading in standard(counts_of(tiles), 0, 2)]
        assert len(read) == len(set(read)), tiles_text(tiles)
        assert set(read) == by_search(tiles, 2), tiles_text(tiles)


def test_random_hands_of_fourteen_and_seventeen() -> None:
    chance = random.Random(7)
    for sets in (4, 5):
        for _ in range(40):
            chosen = [chance.choice(SETS[:14] + SETS[21:26]) for _ in range(sets)]
            pair = chance.randrange(9)
            tiles = tuple(sorted([tile for one in chosen for tile in one] + [pair, pair]))
            read = {laid_out(reading) for reading in standard(counts_of(tiles), 0, sets)}
            assert (*sorted(chosen), (pair, pair)) in read
            assert all(sorted(tile for one in reading for tile in one) == list(tiles) for reading in read)


@pytest.mark.parametrize("wilds", [1, 2])
def test_wildcards_are_exactly_all_faces_tried(wilds: int) -> None:
    """A hand with wildcards reads as the union over every choice of faces, each once."""
    universe = (0, 1, 2, 3, 5, 8, 27)
    for tiles in small_hands(universe, 5 - wilds):
        read = [(laid_out(one), one.wilds_as) for one in standard(counts_of(tiles), wilds, 1)]
        assert len(read) == len(set(read))
        tried = {
            (laid_out(one), faces)
            for faces in combinations_with_replacement((*range(9), 27), wilds)
            for one in standard(counts_of((*tiles, *faces)), 0, 1)
        }
        near = {one for one in read if all(tile < 9 or tile == 27 for tile in one[1])}
        assert near == tried, tiles_text(tiles)


def test_four_wildcards_find_the_hand_they_were_taken_from() -> None:
    chance = random.Random(3)
    for _ in range(60):
        chosen = [chance.choice(SETS) for _ in range(4)]
        pair = chance.randrange(KINDS)
        tiles = [tile for one in chosen for tile in one] + [pair, pair]
        if max(Counter(tiles).values()) > 4:
            continue
        faces = tuple(sorted(chance.sample(tiles, 4)))
        rest = tuple((Counter(tiles) - Counter(faces)).elements())
        read = {(laid_out(one), one.wilds_as) for one in standard(counts_of(rest), 4, 4)}
        assert ((*sorted(chosen), (pair, pair)), faces) in read


def test_three_wildcards_make_a_triplet_of_anything() -> None:
    rest = counts_of(parse_tiles("123m456p789s11z"))
    faces = {one.wilds_as for one in standard(rest, 3, 4)}
    assert {(tile,) * 3 for tile in range(KINDS)} <= faces


def test_a_hand_of_the_wrong_size_has_no_reading() -> None:
    assert not list(standard(counts_of(parse_tiles("123m456p789s11z")), 0, 4))


def test_seven_pairs_take_a_foursome_as_two_pairs() -> None:
    read = list(seven_pairs(counts_of(parse_tiles("1111m2233p4455s66z")), 0, 4))
    assert [one.pairs for one in read] == [parse_tiles("11m23p45s6z")]
    assert not list(seven_pairs(counts_of(parse_tiles("1112m2233p4455s6z6z")[:14]), 0, 4))
    assert not list(seven_pairs(counts_of(parse_tiles("2233p4455s66z1z1z")), 0, 3)), "a meld forbids seven pairs"


def test_seven_pairs_with_wildcards() -> None:
    read = list(seven_pairs(counts_of(parse_tiles("11m2233p4455s6z")), 3, 4))
    assert len(read) == KINDS
    assert all(one.wilds_as.count(32) % 2 == 1 for one in read), "the single 6z takes one wildcard"


def test_orphans_by_every_missing_and_every_double() -> None:
    for missing, double in combinations(ORPHANS, 2):
        tiles = (*(tile for tile in ORPHANS if tile != missing), double)
        assert not list(orphans(counts_of((*tiles, double)), 0, 4))
        assert len(list(orphans(counts_of((*tiles, missing)), 0, 4))) == 1
        assert {one.wilds_as for one in orphans(counts_of(tiles), 1, 4)} == {(missing,)}
    assert waiting_for((orphans,), counts_of(ORPHANS), 0, 4) == kinds_of(ORPHANS), "thirteen-sided wait"


def test_knitted_tiles_lie_in_six_ways() -> None:
    assert len(set(KNITTED)) == 6
    assert "147m258p369s" in {tiles_text(nine) for nine in KNITTED}
    assert len(list(knitted(counts_of(parse_tiles("147m258p369s12345z")), 0, 4))) == 1
    assert not list(knitted(counts_of(parse_tiles("147m258p368s12345z")), 0, 4)), "8s breaks the sequence"
    assert not list(knitted(counts_of(parse_tiles("147m258p369s1145z5z")), 0, 4)), "no tile twice"


def test_knitted_waits() -> None:
    waits = waiting_for((knitted,), counts_of(parse_tiles("14m25p36s1234567z")), 0, 4)
    assert waits == kinds("7m8p9s")


def test_knitted_straight_beside_a_set_or_a_meld() -> None:
    concealed = list(knitted_straight(counts_of(parse_tiles("147m258p369s") + parse_tiles("123m55z")), 0, 4))
    assert [(one.chows, one.pair) for one in concealed] == [((0,), 31)]
    melded = list(knitted_straight(counts_of(parse_tiles("147m258p369s55z")), 0, 3))
    assert [(one.chows, one.pair) for one in melded] == [((), 31)]
    assert not list(knitted_straight(counts_of(parse_tiles("147m258p55z")), 0, 2)), "two melds leave no room"


def test_a_shape_free_form_takes_any_arrangement_of_its_kinds() -> None:
    finder = free(kinds("258m258p258s"))
    assert len(list(finder(counts_of(parse_tiles("25588m2588p25588s")), 0, 4))) == 1
    assert not list(finder(counts_of(parse_tiles("25588m2588p25589s")), 0, 4))
    assert waiting_for((finder,), counts_of(parse_tiles("2258m2588p25588s")), 0, 4) == EVERY_KIND


def test_waits_are_what_completes_the_hand() -> None:
    """Reading with one wildcard more gives exactly the kinds that complete the hand."""
    chance = random.Random(11)
    for _ in range(60):
        chosen = [chance.choice(SETS[:14] + SETS[21:30]) for _ in range(4)]
        pair = chance.randrange(9)
        tiles = [tile for one in chosen for tile in one] + [pair, pair]
        tiles.remove(chance.choice(tiles))
        expected = {
            tile for tile in range(KINDS) if next(iter(standard(counts_of((*tiles, tile)), 0, 4)), None) is not None
        }
        assert set(in_kinds(waiting_for((standard,), counts_of(tuple(tiles)), 0, 4))) == expected

"""A slow and plain answer to "what is the dearest way to use these wildcards": every face for every wildcard is tried.

It shares nothing with `rules` but the tile numbers; scoring is written out once more, as the specification says it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement

Sets = tuple[tuple[int, ...], ...]


@lru_cache(maxsize=1 << 16)
def into_sets(tiles: tuple[int, ...]) -> tuple[Sets, ...]:
    """Every way to lay sorted tiles out in sets."""
    if not tiles:
        return ((),)
    first, found = tiles[0], []
    for triple in ((first, first, first), (first, first + 1, first + 2)):
        rest = list(tiles)
        if triple[0] != triple[1] and (first > 26 or first % 9 > 6):
            continue
        if all(tile in rest and (rest.remove(tile) is None) for tile in triple):
            found += [(triple, *others) for others in into_sets(tuple(rest))]
    return tuple(found)


def full_readings(natural: tuple[int, ...], wilds: int) -> Iterator[tuple[Sets, int, tuple[int, ...]]]:
    """Every use of the wildcards: sets, pair, faces."""
    for faces in combinations_with_replacement(range(34), wilds):
        tiles = sorted(natural + faces)
        for pair in {tile for tile in tiles if tiles.count(tile) > 1}:
            rest = list(tiles)
            rest.remove(pair)
            rest.remove(pair)
            for sets in into_sets(tuple(rest)):
                yield sets, pair, faces


def pung(triple: tuple[int, ...]) -> bool:
    return triple[0] == triple[1]


@dataclass(frozen=True, slots=True)
class JiaxingTable:
    """Round wind, seat wind, the wildcard kind, and the two house rules of its use."""

    winds: tuple[int, int]
    wild: int
    natural_use: bool = True
    honour_tai: bool = True


def jiaxing(natural: tuple[int, ...], wilds: int, melds: Sets, table: JiaxingTable) -> int | None:
    """The dearest unit of a self-draw at base 5, with 三百搭 and 單吊; two pungs of one honour score once."""
    best = None
    shown = [*natural, *(tile for one in melds for tile in one)]
    for sets, pair, faces in full_readings(natural, wilds):
        if table.wild in faces and not table.natural_use:
            continue
        every = [*melds, *sets]
        tiles = [tile for one in every for tile in one] + [pair]
        suits, honours = {tile // 9 for tile in tiles if tile < 27}, any(tile > 26 for tile in tiles)
        pungs = [one[0] for one in every if pung(one)]
        tai = 0
        if not suits:
            tai = 10
        elif len(suits) == 1:
            tai = 2 if honours else 4
        if suits and len(pungs) == len(every):
            tai += 2
        if not tai:
            continue
        own = {kind: shown.count(kind) + (faces.count(kind) if kind == table.wild else 0) for kind in pungs}
        scored = {kind for kind in pungs if table.honour_tai or own[kind] >= 3}
        tai += sum((kind in (31, 32, 33)) + table.winds.count(kind) for kind in scored) + (wilds == 0)
        unit = 5 * tai * 2 ** ((wilds >= 3) + (len(melds) == 4))
        best = unit if best is None else max(best, unit)
    return best


def wuhan(natural: tuple[int, ...], wilds: int, melds: Sets, wild: int) -> Fraction | None:
    """What the three losers pay for a self-draw of seat 1, dealer 0, nobody else opened, no caps; None for no win."""
    totals: list[Fraction] = []

    def worth(big: int, hard: bool) -> None:
        if big == 0 and wilds >= 2:
            return
        each = Fraction(10 * big, 1) * Fraction(3, 2) if big else Fraction(2)
        totals.append(each * 2 * (2 if hard else 1) * (3 if big else 4))

    laid = [tile for one in melds for tile in one]
    for allowed in (set(range(27, 33)), {tile for tile in range(27) if tile % 9 in (1, 4, 7)}):
        if set(laid) | set(natural) <= allowed:
            worth(1 + (len(melds) == 4 and 27 not in allowed), wilds == 0 or wild in allowed)
    for sets, pair, faces in full_readings(natural, wilds):
        if 33 in faces:
            continue
        every = [*melds, *sets]
        tiles = [tile for one in every for tile in one] + [pair]
        two_five_eight = pair < 27 and pair % 9 in (1, 4, 7)
        any_pair = (
            (max(tiles) < 27 and len({tile // 9 for tile in tiles}) == 1)
            + (min(tiles) > 26)
            + all(tile < 27 and tile % 9 in (1, 4, 7) for tile in tiles)
            + all(pung(one) for one in every)
        )
        if any_pair or two_five_eight:
            worth(any_pair + (len(melds) == 4 and two_five_eight), all(face == wild for face in faces))
    return max(totals, default=None)


def fujian(natural: tuple[int, ...], wilds: int) -> int | None:
    """What each loser pays for a self-draw with base 5 that is not the first turn, no gold drawn last."""
    special = -1
    if next(full_readings(natural, wilds), None):
        special = 10 if wilds >= 3 else 0
    if wilds >= 2:
        for faces in combinations_with_replacement(range(34), wilds - 2):
            if into_sets(tuple(sorted(natural + faces))):
                special = 30
                break
    return None if special < 0 else 2 * (5 + wilds) + special

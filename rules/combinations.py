"""Fans made of several chows or several pungs: straights, steps, equal sets, and the account-once principle.

A set is named by its lowest tile (see `rules.tiles`); both functions remember their answers, since a hand has few
different sets of chows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise

from rules.tiles import Tile


@dataclass(frozen=True, slots=True)
class ChowFans:
    """What a hand's chows make together. The last four count relations of two chows, each tied once."""

    quadruple: bool = False
    """Four equal chows 一色四同順."""
    four_steps: bool = False
    """Four chows of one suit, each one (or each two) higher 一色四步高."""
    triple: bool = False
    """Three equal chows 一色三同順."""
    steps: bool = False
    """Three chows of one suit, each one (or each two) higher 一色三步高."""
    straight: bool = False
    """123 456 789 of one suit 清龍."""
    mixed_straight: bool = False
    """123 456 789 in three suits 花龍."""
    mixed_triple: bool = False
    """The same chow in three suits 三色三同順."""
    mixed_steps: bool = False
    """Three chows in three suits, each one higher 三色三步高."""
    equal: int = 0
    """一般高: two equal chows."""
    mixed_equal: int = 0
    """喜相逢: the same chow in two suits."""
    six: int = 0
    """連六: two chows of one suit in a row, 123 456."""
    ends: int = 0
    """老少副: 123 and 789 of one suit."""


def _equal(a: Tile, b: Tile) -> bool:
    return a == b


def _mixed_equal(a: Tile, b: Tile) -> bool:
    return a != b and a % 9 == b % 9


def _six(a: Tile, b: Tile) -> bool:
    return a // 9 == b // 9 and abs(a - b) == 3


def _ends(a: Tile, b: Tile) -> bool:
    return a // 9 == b // 9 and abs(a - b) == 6


RELATIONS: tuple[Callable[[Tile, Tile], bool], ...] = (_equal, _mixed_equal, _six, _ends)


def account_once(chows: tuple[Tile, ...], tied: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Relations of two chows under the account-once principle 套算一次.

    Once sets are combined, any remaining set may be combined only once with an already combined one. So the relations
    form a forest over the chows: n chows never give more than n - 1 relations, and chows that a bigger fan already ties
    together (`tied`, as places in `chows`) give none among themselves.

    Worked example: 123m 789m 123s 789s. Four relations exist (two 老少副, two 喜相逢), but the last of any three
    joins chows that are already joined, so three count:

    >>> account_once((0, 6, 18, 24), ())
    (0, 2, 0, 1)

    清龍 123 456 789 with another 123: 一般高 once, then everything is joined:

    >>> account_once((0, 0, 3, 6), (1, 2, 3))
    (1, 0, 0, 0)

    Returns:
        How often 一般高, 喜相逢, 連六 and 老少副 count.

    Source: docs/rules/gb.md, principle 5.
    """
    group = list(range(len(chows)))
    for place in tied:
        group[place] = tied[0]
    counts = [0, 0, 0, 0]
    pairs = tuple(combinations(range(len(chows)), 2))
    for kind, related in enumerate(RELATIONS):
        for one, other in pairs:
            if group[one] != group[other] and related(chows[one], chows[other]):
                counts[kind] += 1
                joined, gone = group[one], group[other]
                group = [joined if member == gone else member for member in group]
    return counts[0], counts[1], counts[2], counts[3]


def _step(tiles: tuple[Tile, ...], steps: tuple[int, ...]) -> bool:
    """Whether the sets lie in one suit and rise by the same one of these steps."""
    step = tiles[1] - tiles[0]
    return (
        step in steps and tiles[0] // 9 == tiles[-1] // 9 and all(high - low == step for low, high in pairwise(tiles))
    )


def _three_suits(tiles: tuple[Tile, ...]) -> bool:
    return {tile // 9 for tile in tiles} == {0, 1, 2}


def _ranks(tiles: tuple[Tile, ...]) -> list[int]:
    return sorted(tile % 9 for tile in tiles)


def _rising(ranks: list[int], step: int) -> bool:
    return ranks[1] - ranks[0] == ranks[2] - ranks[1] == step


_OF_THREE: tuple[tuple[str, Callable[[tuple[Tile, ...]], bool]], ...] = (
    ("triple", lambda three: three[0] == three[2]),
    ("steps", lambda three: _step(three, (1, 2))),
    ("straight", lambda three: _step(three, (3,))),
    ("mixed_straight", lambda three: _three_suits(three) and _rising(_ranks(three), 3)),
    ("mixed_triple", lambda three: _three_suits(three) and _rising(_ranks(three), 0)),
    ("mixed_steps", lambda three: _three_suits(three) and _rising(_ranks(three), 1)),
)


@lru_cache(maxsize=1 << 14)
def chow_fans(chows: tuple[Tile, ...]) -> ChowFans:
    """What these chows (ascending) make together; with a choice of three, the one that leaves most relations."""
    if len(chows) < 2:
        return ChowFans()
    if len(chows) == 4:
        if chows[0] == chows[3]:
            return ChowFans(quadruple=True, triple=True)
        if _step(chows, (1, 2)):
            return ChowFans(four_steps=True, steps=True)
    found: set[str] = set()
    best = account_once(chows, ())
    for places in combinations(range(len(chows)), 3):
        three = tuple(chows[place] for place in places)
        names = {name for name, makes in _OF_THREE if makes(three)}
        if names:
            ties = account_once(chows, places)
            best = max(best, ties, key=sum) if found else ties
            found |= names
    equal, mixed_equal, six, ends = best
    return ChowFans(
        triple="triple" in found,
        steps="steps" in found,
        straight="straight" in found,
        mixed_straight="mixed_straight" in found,
        mixed_triple="mixed_triple" in found,
        mixed_steps="mixed_steps" in found,
        equal=equal,
        mixed_equal=mixed_equal,
        six=six,
        ends=ends,
    )


@dataclass(frozen=True, slots=True)
class PungFans:
    """What a hand's pungs and kongs make together."""

    four_steps: bool = False
    """Four of one suit in consecutive ranks 一色四節高."""
    steps: bool = False
    """Three of one suit in consecutive ranks 一色三節高."""
    mixed_steps: bool = False
    """Three in three suits and consecutive ranks 三色三節高."""
    triple: bool = False
    """The same rank in three suits 三同刻."""
    double: int = 0
    """雙同刻: the same rank in two suits, how often."""


NO_PUNG_FANS = PungFans()


def pung_fans(pungs: tuple[Tile, ...]) -> PungFans:
    """What these pungs (ascending, kongs included, honours ignored) make together."""
    suited = tuple([tile for tile in pungs if tile < 27])
    return _suited_pung_fans(suited) if len(suited) > 1 else NO_PUNG_FANS


@lru_cache(maxsize=1 << 14)
def _suited_pung_fans(suited: tuple[Tile, ...]) -> PungFans:
    threes = list(combinations(suited, 3))
    mixed = [_ranks(three) for three in threes if _three_suits(three)]
    return PungFans(
        four_steps=len(suited) == 4 and _step(suited, (1,)),
        steps=any(_step(three, (1,)) for three in threes),
        mixed_steps=any(_rising(ranks, 1) for ranks in mixed),
        triple=any(_rising(ranks, 0) for ranks in mixed),
        double=sum([one % 9 == other % 9 for one, other in combinations(suited, 2)]),
    )

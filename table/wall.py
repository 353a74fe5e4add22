"""The wall as the rules need it: where it is opened, how it is dealt, what a kong takes from its tail, what is left.

The opening throw chooses a wall, counted counter-clockwise from the dealer; where the competition's two throws are
used, the player of that wall throws again and both totals are counted. Stacks are counted from the right end of that
wall; a total longer than the wall goes on with the next one clockwise. Source: docs/rules/gb.md (dice, R98 p.17).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

Count = Literal["after", "from"]


class WallError(ValueError):
    """The wall cannot give what is asked; the sentence says why."""


@dataclass(frozen=True, slots=True)
class WallBreak:
    """The wall is opened before `seat`: `stack` stacks stay at its right end, the next one is taken first."""

    seat: int
    stack: int


def chosen_by(thrower: int, total: int) -> int:
    """The seat that a total chooses, counted counter-clockwise with the thrower as one.

    >>> [chosen_by(0, total) for total in (5, 6, 7, 8, 9)]
    [0, 1, 2, 3, 0]
    """
    return (thrower + total - 1) % 4


def wall_break(
    dealer: int, throws: Sequence[Sequence[int]], stacks: Sequence[int], count: Count = "after"
) -> WallBreak:
    """Where the wall is opened.

    Args:
        dealer: the seat that threw first.
        throws: the pips of one or two throws.
        stacks: stacks before each seat; a count that is longer than the wall goes on with the next one clockwise.
        count: whether the tiles are taken after the counted stack, or from it (it is then the first one taken).

    >>> wall_break(0, [(4, 3), (5, 2)], (18, 18, 18, 18))
    WallBreak(seat=2, stack=14)
    >>> wall_break(0, [(6, 6), (4, 3)], (18, 18, 18, 18)), wall_break(0, [(6, 6), (4, 3)], (18, 18, 18, 18), "from")
    (WallBreak(seat=2, stack=1), WallBreak(seat=2, stack=0))
    """
    seat = chosen_by(dealer, sum(throws[0]))
    kept = sum(sum(throw) for throw in throws) - (count == "from")
    while kept >= stacks[seat]:
        if not any(stacks):
            raise WallError("There is no wall: all four counts are zero. Count the stacks.")
        kept -= stacks[seat]
        seat = (seat - 1) % 4
    return WallBreak(seat, kept)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tile stands: before which seat, in which stack from its right end, upper or lower."""

    seat: int
    stack: int
    upper: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """A wall in the order in which it is drawn, as a value.

    Tiles are numbered from the break clockwise: 0 and 1 are the upper and lower tile of the first stack. `gone` are the
    numbers taken, from the head or as replacements from the tail, so that holes in the tail are remembered.
    The last `dead` tiles that stand are never drawn; after `limit` tiles nothing is drawn any more.
    """

    stacks: tuple[int, int, int, int]
    opened: WallBreak
    gone: frozenset[int] = frozenset()
    dead: int = 0
    limit: int | None = None

    @property
    def tiles(self) -> int:
        """Tiles of the whole wall."""
        return 2 * sum(self.stacks)

    @property
    def left(self) -> int:
        """Tiles that may still be drawn: dead ones and those beyond the limit are not counted."""
        standing = max(0, self.tiles - len(self.gone) - self.dead)
        return standing if self.limit is None else max(0, min(standing, self.limit - len(self.gone)))

    def place(self, number: int) -> Place:
        """Where the tile with this number stands."""
        stack = self.opened.stack + number // 2
        seat = self.opened.seat
        while stack >= self.stacks[seat]:
            stack -= self.stacks[seat]
            seat = (seat - 1) % 4
        return Place(seat, stack, number % 2 == 0)

    def head(self) -> int | None:
        """The number of the tile that is drawn next; None when nothing is left to draw."""
        return next((number for number in range(self.tiles) if number not in self.gone), None) if self.left else None

    def draw(self, times: int = 1) -> Wall:
        """The wall after so many draws from its head.

        Raises:
            WallError: so many tiles are not left.
        """
        if times > self.left:
            raise WallError(f"{times} tiles are to be drawn, but only {self.left} are left. Count the wall.")
        fresh = (number for number in range(self.tiles) if number not in self.gone)
        return replace(self, gone=self.gone | {next(fresh) for _ in range(times)})

    def tail_stacks(self) -> tuple[tuple[int, ...], ...]:
        """The stacks that still hold tiles, from the very end: the numbers of their tiles, the upper one first."""
        pairs = ((2 * stack, 2 * stack + 1) for stack in reversed(range(self.tiles // 2)))
        stacks = (tuple(number for number in pair if number not in self.gone) for pair in pairs)
        return tuple(stack for stack in stacks if stack)

    def replacement(self, die: int = 1) -> int:
        """The number of the tile that replaces a kong or a flower.

        Without a die (1) it is the last one: the upper tile of the last stack, then the lower. A die counts the stacks
        that still stand from the tail; the upper tile is taken, or the lower one where the upper is gone.

        Raises:
            WallError: the die counts more stacks than stand, or nothing may be drawn.
        """
        stacks = self.tail_stacks()
        if not self.left:
            raise WallError("No tile is left to replace a kong with.")
        if not 1 <= die <= len(stacks):
            raise WallError(f"The die {die} counts more stacks than the {len(stacks)} that stand. Throw again.")
        return stacks[die - 1][0]

    def replace_kong(self, die: int = 1) -> Wall:
        """The wall after a kong or a flower has taken its replacement."""
        return replace(self, gone=self.gone | {self.replacement(die)})

    def holes(self) -> tuple[Place, ...]:
        """Stacks of the tail that lost only their upper tile: where the lower one still stands.

        The half stack that the next draw takes from the head is none of them.
        """
        lone = [stack[0] for stack in self.tail_stacks() if len(stack) == 1 and stack[0] % 2]
        return tuple(self.place(number) for number in lone if number != self.head())


def dealt_tiles(seats: int, hand_size: int) -> int:
    """Tiles that the deal takes: every hand, and one more for the dealer.

    >>> dealt_tiles(4, 13), dealt_tiles(4, 16), dealt_tiles(2, 13)
    (53, 65, 27)
    """
    return seats * hand_size + 1

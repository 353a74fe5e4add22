"""Where the wall is opened: two throws of the dice, as the competition rules ask.

The dealer throws; the total says which seat throws again; both totals together are counted in stacks from the right end
of that seat's wall. Source: docs/rules/gb.md (dice, R98 p.17).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

TWO_THROWS = frozenset({"gb"})
"""Rulesets that open the wall with two throws; the others use the dealer's throw alone."""


@dataclass(frozen=True, slots=True)
class WallBreak:
    """The wall is opened before `seat`: `stack` stacks stay at its right end, the next one is taken first."""

    seat: int
    stack: int


def throws_needed(ruleset: str) -> int:
    """How many throws open the wall under this ruleset."""
    return 2 if ruleset in TWO_THROWS else 1


def chosen_by(thrower: int, total: int) -> int:
    """The seat that a total chooses, counted counter-clockwise with the thrower as one.

    >>> [chosen_by(0, total) for total in (5, 6, 7, 8, 9)]
    [0, 1, 2, 3, 0]
    """
    return (thrower + total - 1) % 4


def wall_break(dealer: int, throws: Sequence[Sequence[int]], stacks: Sequence[int]) -> WallBreak:
    """Where the wall is opened.

    Args:
        dealer: the seat that threw first.
        throws: the pips of one or two throws.
        stacks: stacks before each seat; a count that is longer than the wall goes on with the next one clockwise.

    >>> wall_break(0, [(4, 3), (5, 2)], (18, 18, 18, 18))
    WallBreak(seat=2, stack=14)
    """
    seat = chosen_by(dealer, sum(throws[0]))
    count = sum(sum(throw) for throw in throws)
    while count >= stacks[seat]:
        count -= stacks[seat]
        seat = (seat - 1) % 4
    return WallBreak(seat, count)

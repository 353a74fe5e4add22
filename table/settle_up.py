"""The end of an evening: who pays whom, with what a point is worth and as few transfers as possible.

Points are integers and so is money, in the smallest unit of the currency; nothing is rounded away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True, kw_only=True)
class Debt:
    """One player pays another so many points and so much money."""

    payer: int
    payee: int
    points: int
    amount: int


def settle_up(totals: Sequence[int], unit: int = 1) -> tuple[Debt, ...]:
    """Who pays whom so that everybody is even, with the fewest transfers.

    Players whose points cancel out among themselves settle among themselves; each such group of n needs n - 1
    transfers, so the players are split into as many groups as possible.

    Args:
        totals: final points by player; they add up to zero.
        unit: what a point is worth, in the smallest unit of the currency.

    Raises:
        ValueError: the totals do not add up to zero.

    >>> [(debt.payer, debt.payee, debt.points) for debt in settle_up((30, -10, -30, 10))]
    [(2, 0, 30), (1, 3, 10)]
    """
    if sum(totals):
        raise ValueError(f"The totals {tuple(totals)} do not add up to zero; correct the hand that is wrong first.")
    open_players = [player for player, points in enumerate(totals) if points]
    debts: list[Debt] = []
    while open_players:
        group = _smallest_even_group(totals, open_players)
        debts += _within(totals, group, unit)
        open_players = [player for player in open_players if player not in group]
    return tuple(debts)


def _smallest_even_group(totals: Sequence[int], players: Sequence[int]) -> tuple[int, ...]:
    """The fewest players whose points add up to zero; for four players this gives the most groups."""
    for size in range(2, len(players) + 1):
        for group in combinations(players, size):
            if sum(totals[player] for player in group) == 0:
                return group
    return tuple(players)


def _within(totals: Sequence[int], group: Sequence[int], unit: int) -> list[Debt]:
    """The largest debtor pays the largest creditor until all are even."""
    owed = {player: totals[player] for player in group}
    debts: list[Debt] = []
    while any(owed.values()):
        payee = max(owed, key=lambda player: (owed[player], -player))
        payer = min(owed, key=lambda player: (owed[player], player))
        points = min(owed[payee], -owed[payer])
        owed[payee] -= points
        owed[payer] += points
        debts.append(Debt(payer=payer, payee=payee, points=points, amount=points * unit))
    return debts

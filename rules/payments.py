"""How money moves: transfers with a reason, and their sum per seat."""

from __future__ import annotations

from collections.abc import Iterable

from rules.model import Points, Seat, Transfer


def pay(payer: Seat, payee: Seat, amount: Points, reason: str) -> tuple[Transfer, ...]:
    """One payment; nothing when the amount is zero.

    Raises:
        ArithmeticError: The amount is not whole. A ruleset must round, by its own rule, before it pays.
    """
    whole = int(amount)
    if whole != amount:
        raise ArithmeticError(f"{reason}: {amount} points cannot be paid; payments are whole numbers")
    return (Transfer(payer, payee, whole, reason),) if whole and payer != payee else ()


def each_pays(payers: Iterable[Seat], payee: Seat, amount: Points, reason: str) -> tuple[Transfer, ...]:
    """The same amount from each of these players (the payee among them pays nothing)."""
    return tuple([transfer for payer in payers for transfer in pay(payer, payee, amount, reason)])


def vector(transfers: Iterable[Transfer]) -> tuple[int, int, int, int]:
    """What each of the four seats gains or loses; sums to zero by construction.

    >>> vector([Transfer(1, 0, 5, "discard"), Transfer(2, 0, 3, "base")])
    (8, -5, -3, 0)
    """
    sums = [0, 0, 0, 0]
    for transfer in transfers:
        sums[transfer.payer] -= transfer.amount
        sums[transfer.payee] += transfer.amount
    return sums[0], sums[1], sums[2], sums[3]


def seats_after(start: Seat, seats: int = 4) -> tuple[Seat, ...]:
    """The other seats in playing order, counter-clockwise from the next player.

    >>> seats_after(2)
    (3, 0, 1)
    """
    return (*range(start + 1, seats), *range(start))


def nearest(start: Seat, candidates: Iterable[Seat], seats: int = 4, *, itself: bool = False) -> Seat | None:
    """The first candidate counter-clockwise after `start` (with `itself`, starting with `start`)."""
    wanted = set(candidates)
    order = (start, *seats_after(start, seats)) if itself else seats_after(start, seats)
    return next((seat for seat in order if seat in wanted), None)

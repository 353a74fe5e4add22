"""Seats at the table and seats in the rules: the same in a game for four; in a game for two, A and C are 0 and 1.

Also the exchange of seats after a round, and who counts as seat 0 for the order of dealers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from table.model import Payments, Seat
from table.rules_port import BadHand
from table.sentences import say

ONE_SEAT = frozenset({"dealer", "first_dealer", "turn"})
SEAT_LISTS = frozenset({"quit", "out"})
BY_SEAT = frozenset({"players", "passed"})
FOR_EACH = frozenset({"flowers", "open_hand", "doubled", "balances"})
"""How the facts of the rules questions name seats: one, a list of them, keys of an object, a value for each seat."""


@dataclass(frozen=True, slots=True)
class Places:
    """The seats that are taken, in playing order; their position is the seat in the rules."""

    seats: tuple[Seat, ...] = (0, 1, 2, 3)

    def inside(self, seat: Seat) -> int:
        """The seat as the rules call it.

        Raises:
            BadHand: nobody sits there.

        >>> Places((0, 2)).inside(2)
        1
        """
        if seat not in self.seats:
            raise BadHand(say("seat_empty", seat=seat))
        return self.seats.index(seat)

    def maybe(self, seat: Seat | None) -> int | None:
        """The same for a seat that may be unknown."""
        return None if seat is None else self.inside(seat)

    def outside(self, seat: int) -> Seat:
        """The seat at the table."""
        return self.seats[seat % len(self.seats)]

    def payments(self, paid: Sequence[int]) -> Payments:
        """Payments of the rules as payments of the four seats.

        >>> Places((0, 2)).payments((5, -5, 0, 0))
        (5, 0, -5, 0)
        """
        moved = [0, 0, 0, 0]
        for place, seat in enumerate(self.seats):
            moved[seat] = paid[place]
        return (moved[0], moved[1], moved[2], moved[3])

    def facts(self, table: Mapping[str, Any]) -> dict[str, Any]:
        """Facts of a table as the rules read them; what is said of a seat that nobody takes is left out."""
        if len(self.seats) == 4:
            return dict(table)
        return {name: self._fact(name, value) for name, value in table.items()}

    def _fact(self, name: str, value: Any) -> Any:
        if name in ONE_SEAT:
            return self.inside(value)
        if name in SEAT_LISTS:
            return [self.inside(seat) for seat in value if seat in self.seats]
        if name in BY_SEAT:
            return {str(self.inside(int(seat))): one for seat, one in value.items() if int(seat) in self.seats}
        if name in FOR_EACH and len(value) == 4:
            return [value[seat] for seat in self.seats]
        return value


def exchange_seats(seating: tuple[int, int, int, int], first_dealer: Seat, finished: str) -> tuple[int, int, int, int]:
    """Who sits where after the round of this wind. Source: docs/rules/gb.md (seat rotation).

    After East and after West E and S change places, and W and N; after South E goes to W, W to S, S to N, N to E.
    """
    moves = {"E": (1, 0, 3, 2), "W": (1, 0, 3, 2), "S": (2, 3, 1, 0)}.get(finished, (0, 1, 2, 3))
    moved = list(seating)
    for place, target in enumerate(moves):
        moved[(first_dealer + target) % 4] = seating[(first_dealer + place) % 4]
    return (moved[0], moved[1], moved[2], moved[3])

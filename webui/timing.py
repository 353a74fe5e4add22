"""Seconds from 和 to the approved score, out of the times in the ledger: the number that decides success."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median

from table import events as ev
from table import hand_events as hand
from table.ledger import Entry
from table.model import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How long one win took, from the claim to the moving of the points, everything in between included."""

    hand_no: int
    seat: Seat
    seconds: float


@dataclass(slots=True)
class _Watch:
    """Follows claims until they are paid; an undone payment starts the same watch again."""

    hand_no: int = 1
    claimed: dict[Seat, int] = field(default_factory=dict)
    paid: dict[int, tuple[int, dict[Seat, int], list[Timing]]] = field(default_factory=dict)

    def take(self, entry: Entry) -> None:
        """The next entry of the ledger."""
        event = entry.event
        match event:
            case ev.GameOpened(setup=setup):
                self.hand_no, self.claimed, self.paid = setup.hand_no, {}, {}
            case ev.WinClaimed(seat=seat):
                self.claimed.setdefault(seat, entry.at_ms)
            case ev.ClaimCancelled(seat=seat) | ev.ClaimRejected(seat=seat):
                self.claimed.pop(seat, None)
            case hand.WinsPaid(wins=wins):
                self._pay(entry, [win.seat for win in wins])
            case ev.HandSettled(hand_no=number, outcome=outcome):
                seats = [win.seat for win in outcome.wins] or ([] if outcome.winner is None else [outcome.winner])
                self.hand_no = number
                self._pay(entry, seats if outcome.outcome == "win" else [])
                self.claimed, self.hand_no = {}, number + 1
            case ev.DecisionUndone(undone_seq=seq) if seq in self.paid:
                self.hand_no, self.claimed, _ = self.paid.pop(seq)

    def _pay(self, entry: Entry, seats: list[Seat]) -> None:
        before = dict(self.claimed)
        timings = [
            Timing(hand_no=self.hand_no, seat=seat, seconds=(entry.at_ms - self.claimed.pop(seat)) / 1000)
            for seat in seats
            if seat in self.claimed
        ]
        self.paid[entry.seq] = (self.hand_no, before, timings)


def timings(entries: Iterable[Entry]) -> tuple[Timing, ...]:
    """Every win of the latest game, oldest first."""
    watch = _Watch()
    for entry in entries:
        watch.take(entry)
    return tuple(timing for _, _, found in watch.paid.values() for timing in found)


def middle(found: Iterable[Timing]) -> float | None:
    """The median in seconds; None before the first win."""
    seconds = [timing.seconds for timing in found]
    return median(seconds) if seconds else None

"""What the ledger tells of one hand beyond its result: who did what, what corrections changed, which fans fell away.

The pages ask for it when somebody opens the hand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from table import events as ev
from table import hand_events as hand
from table.bridge import button_of
from table.hand_log import GameLog
from table.ledger import Entry
from table.model import FalseWin, NotCounted, Outcome, Payments, Seat, Setup
from table.state import result_of

CHANGES = (ev.HandCorrected, ev.OptionsCorrected, ev.SeatsCorrected)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One entry of the ledger about the hand: its number, when (UTC, milliseconds), by whom, what kind of event.

    `seat` is the one whose button of the table was pressed.
    """

    seq: int
    at_ms: int
    role: str
    name: str
    device: str
    kind: str
    reason: str = ""
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A correction that moved points of this hand.

    Attributes:
        step: who corrected, when and why.
        what: the hand itself, or a false win or penalty in it.
        hand_no: the hand that was set right; this one may only follow from it.
        before, after: points of the hand, by player number.
        winner_before, winner_after: player numbers; None where nobody won.
        wins_before, wins_after: of a hand, player number and value of each win in order.
    """

    step: Step
    what: Literal["hand", "false_win", "penalty"]
    hand_no: int
    before: Payments
    after: Payments
    winner_before: int | None
    winner_after: int | None
    wins_before: tuple[tuple[int, int], ...] = ()
    wins_after: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """Fans that a winner's hand showed too but that did not count, as it was judged when it was settled."""

    seat: Seat
    lines: tuple[NotCounted, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """All of it for one hand."""

    hand_no: int
    steps: tuple[Step, ...]
    corrections: tuple[Correction, ...]
    not_counted: tuple[Dropped, ...]


def hand_record(log: GameLog, number: int) -> HandRecord | None:
    """The record of a hand of this game; None if the game has no such hand."""
    entries = log.hands.get(number)
    if entries is None:
        return None
    own = [entry for entry in entries if not isinstance(entry.event, ev.GameOpened)]
    return HandRecord(
        hand_no=number,
        steps=tuple(_step(entry) for entry in own),
        corrections=tuple(_corrections(own, number)),
        not_counted=_dropped(own),
    )


def _step(entry: Entry) -> Step:
    return Step(
        seq=entry.seq,
        at_ms=entry.at_ms,
        role=entry.actor.role,
        name=entry.actor.name,
        device=entry.actor.device,
        seat=button_of(entry.actor),
        kind=entry.event.kind,
        reason=getattr(entry.event, "reason", ""),
    )


def _corrections(entries: Iterable[Entry], number: int) -> Iterable[Correction]:
    for entry in entries:
        event = entry.event
        if not isinstance(event, CHANGES):
            continue
        corrected = event.hand_no if isinstance(event, ev.HandCorrected) else number
        for change in event.changes:
            if change.hand_no == number:
                yield _correction(entry, change, corrected)
        for row in event.rows:
            if row.after.setup.hand_no == number:
                yield _row_correction(entry, row, corrected)


def _correction(entry: Entry, change: ev.HandChange, corrected: int) -> Correction:
    before, after = change.before, change.after
    return Correction(
        step=_step(entry),
        what="hand",
        hand_no=corrected,
        before=_by_player(before.payments, change.setup_before),
        after=_by_player(after.payments, change.setup_after),
        winner_before=_player(before.winner, change.setup_before),
        winner_after=_player(after.winner, change.setup_after),
        wins_before=_wins(before, change.setup_before),
        wins_after=_wins(after, change.setup_after),
    )


def _row_correction(entry: Entry, change: ev.RowChange, corrected: int) -> Correction:
    """Of a false win or a penalty, the winner is who declared it or was punished."""
    before, after = change.before, change.after
    return Correction(
        step=_step(entry),
        what="false_win" if isinstance(after, FalseWin) else "penalty",
        hand_no=corrected,
        before=_by_player(result_of(before), before.setup),
        after=_by_player(result_of(after), after.setup),
        winner_before=_player(before.seat, before.setup),
        winner_after=_player(after.seat, after.setup),
    )


def _by_player(payments: Payments, setup: Setup) -> Payments:
    found = [0, 0, 0, 0]
    for seat, points in enumerate(payments):
        found[setup.seating[seat]] = points
    return (found[0], found[1], found[2], found[3])


def _wins(outcome: Outcome, setup: Setup) -> tuple[tuple[int, int], ...]:
    if outcome.wins:
        return tuple((setup.seating[win.seat], win.total) for win in outcome.wins)
    return () if outcome.winner is None else ((setup.seating[outcome.winner], outcome.total),)


def _player(seat: Seat | None, setup: Setup) -> int | None:
    return None if seat is None else setup.seating[seat]


def _dropped(entries: Iterable[Entry]) -> tuple[Dropped, ...]:
    """From the last verdict on each winner before the hand was paid; a withdrawn or rejected claim has none."""
    judged: dict[Seat, tuple[NotCounted, ...]] = {}
    paid: dict[Seat, tuple[NotCounted, ...]] = {}
    for entry in entries:
        match entry.event:
            case ev.HandJudged(seat=seat, verdict=verdict):
                judged[seat] = verdict.not_counted if verdict is not None and verdict.valid else ()
            case ev.ClaimCancelled(seat=seat) | ev.ClaimRejected(seat=seat):
                judged.pop(seat, None)
            case ev.HandSettled() | hand.WinsPaid():
                paid |= judged
                judged = {}
            case ev.HandCorrected() | ev.OptionsCorrected() | ev.DecisionUndone():
                paid = {}
    return tuple(Dropped(seat=seat, lines=lines) for seat, lines in sorted(paid.items()) if lines)

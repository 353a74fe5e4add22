"""How each entry of the ledger changes the table.

`advance(state, entry)` is the only way a state comes about. It is pure: nothing here reads a clock, a file or the
rules; an event carries everything that its folding needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any

from table import events as ev
from table.fold_hand import HAND_FOLDS
from table.ledger import Entry
from table.model import Outcome, Seat
from table.seen_win import filled_in, said_of
from table.state import (
    Call,
    Claim,
    FalseWin,
    Game,
    HistoryItem,
    MeldPin,
    PlayedHand,
    State,
    UndoPoint,
    claim_of,
    heard_in_order,
)
from table.state import StateError as StateError

UNDO_DEPTH = 60
"""How many decisions can be taken back one after the other."""


def advance(state: State, entry: Entry) -> State:
    """The table after one more entry.

    Raises:
        StateError: the entry does not follow this state.
    """
    if entry.seq != state.seq + 1:
        raise StateError(f"Entry {entry.seq} does not follow entry {state.seq}.")
    event = entry.event
    if isinstance(event, ev.DecisionUndone):
        return _undone(state, event, entry.seq)
    moved = replace(_FOLDS[type(event)](state, event, entry), seq=entry.seq)
    if entry.part == 0 and isinstance(event, UNDOABLE):
        point = UndoPoint(seq=entry.seq, kind=event.kind, before=replace(state, undo=()))
        return replace(moved, undo=(*state.undo, point)[-UNDO_DEPTH:])
    return moved


def fold(entries: Iterable[Entry], start: State | None = None) -> State:
    """The table after all these entries, from an empty table or from `start`."""
    return reduce(advance, entries, start if start is not None else State())


UNDOABLE = (
    ev.SeatsRenamed,
    ev.GameClosed,
    ev.DiceThrown,
    ev.HandStarted,
    ev.WinClaimed,
    ev.ClaimCancelled,
    ev.HandShown,
    ev.HandEntered,
    ev.TileFixed,
    ev.WinTileSet,
    ev.MeldSet,
    ev.FactsSet,
    ev.PointsAnnounced,
    ev.SeatAgreed,
    ev.ClaimRejected,
    ev.HandSettled,
    ev.HandCorrected,
    ev.OptionsCorrected,
    ev.SeatsCorrected,
    ev.HandNoted,
    ev.SidePaid,
    ev.SideDropped,
    ev.ClaimApproved,
    ev.WinsPaid,
    ev.PenaltyGiven,
    ev.PenaltyLifted,
    ev.SubstituteSeated,
)
"""What `undo_last` can take back, when a command began with it."""


def _undone(state: State, event: ev.DecisionUndone, seq: int) -> State:
    if not state.undo or state.undo[-1].seq != event.undone_seq:
        raise StateError(f"Entry {seq} takes back entry {event.undone_seq}, which is not the latest decision.")
    before = state.undo[-1].before
    kept: dict[str, Any] = {"calls": state.calls, "walls": state.walls}
    if before.started and state.started and before.setup == state.setup:
        kept |= {"seen": state.seen, "opened": state.opened}  # what was observed of the hand stays observed
    return replace(before, seq=seq, undo=state.undo[:-1], **kept)


def _game_opened(state: State, event: ev.GameOpened, entry: Entry) -> State:
    game = Game(
        id=event.game_id,
        ruleset=event.ruleset,
        ruleset_version=event.ruleset_version,
        options=event.options,
        mode=event.mode,
        rotate_seats=event.rotate_seats,
        first=event.setup,
        places=event.places,
        house=event.house,
        opened_ms=entry.at_ms,
    )
    return State(seq=entry.seq, game=game, names=event.names, setup=event.setup, walls=state.walls, calls=state.calls)


def _game_closed(state: State, _event: ev.GameClosed, entry: Entry) -> State:
    paid = state.paid_so_far  # what the broken-off hand has moved at once stays moved
    if state.setup is None or not any(paid):
        return replace(state, finished=True, started=False, claims=(), dice=(), between=True)
    outcome = Outcome(
        outcome="void", payments=paid, wins=state.won, sides=state.sides, table=state.facts, aside=state.aside
    )
    broken_off = PlayedHand(setup=state.setup, outcome=outcome, at_ms=entry.at_ms)
    return replace(
        state,
        history=(*state.history, broken_off),
        finished=True,
        started=False,
        claims=(),
        dice=(),
        between=True,
        **_FRESH,
    )


def _rest_called(state: State, event: ev.RestCalled, entry: Entry) -> State:
    until_ms = entry.at_ms + event.minutes * 60_000 if event.minutes else 0
    return replace(state, rest_until_ms=until_ms)


def _seats_renamed(state: State, event: ev.SeatsRenamed, _entry: Entry) -> State:
    return replace(state, names=event.names)


def _walls_built(state: State, event: ev.WallsBuilt, _entry: Entry) -> State:
    return replace(state, walls=event)


def _dice_thrown(state: State, event: ev.DiceThrown, _entry: Entry) -> State:
    return replace(state, dice=(*state.dice, event), reported=None)


def _dice_reported(state: State, event: ev.DiceReported, _entry: Entry) -> State:
    return replace(state, reported=event)


def _dice_voided(state: State, event: ev.DiceVoided, _entry: Entry) -> State:
    kept = tuple(throw for throw in state.dice if throw.roll != event.roll)
    opening = any(throw.roll == event.roll and throw.why != "kong" for throw in state.dice)
    stands = not opening or bool(state.claims)
    reported = None if state.reported is not None and state.reported.roll == event.roll else state.reported
    return replace(state, dice=kept, reported=reported, started=state.started and stands)


def _hand_started(state: State, event: ev.HandStarted, entry: Entry) -> State:
    return replace(
        state,
        setup=event.setup,
        started=True,
        between=False,
        reported=None,
        began_ms=entry.at_ms,
        rest_until_ms=0,
    )


def _win_claimed(state: State, event: ev.WinClaimed, _entry: Entry) -> State:
    said = frozenset({"source"}) if event.source is not None else frozenset()
    claim = Claim(seat=event.seat, source=event.source, from_seat=event.from_seat, said=said)
    return replace(state, claims=heard_in_order(state, (*state.claims, claim)))


def _claim_cancelled(state: State, event: ev.ClaimCancelled, _entry: Entry) -> State:
    return replace(state, claims=tuple(claim for claim in state.claims if claim.seat != event.seat))


def _claim_held(state: State, event: ev.ClaimHeld, _entry: Entry) -> State:
    claim_of(state, event.seat)
    claims = (replace(one, held=event.held) if one.seat == event.seat else one for one in state.claims)
    return replace(state, claims=tuple(claims))


def _edit(state: State, seat: Seat, **changes: Any) -> State:
    """Change one claim; whatever was judged and agreed before no longer holds."""
    claim_of(state, seat)
    stale: dict[str, Any] = {"laid": None, "verdict": None, "agreed": ()}
    claims = (replace(one, **{**stale, **changes}) if one.seat == seat else one for one in state.claims)
    return replace(state, claims=tuple(claims))


def _hand_shown(state: State, event: ev.HandShown, _entry: Entry) -> State:
    return _edit(
        state,
        event.seat,
        how=event.how,
        picture=event.picture,
        frame=event.frame,
        tiles=event.tiles,
        groups=event.groups,
        pins={},
        meld_pins={},
        win_index=None,
        win_named="",
        entered=None,
    )


def _hand_entered(state: State, event: ev.HandEntered, _entry: Entry) -> State:
    return _edit(state, event.seat, how="manual", entered=event.laid, win_index=None)


def _tile_fixed(state: State, event: ev.TileFixed, _entry: Entry) -> State:
    return _edit(state, event.seat, pins={**claim_of(state, event.seat).pins, event.index: event.tile})


def _win_tile_set(state: State, event: ev.WinTileSet, _entry: Entry) -> State:
    claim = claim_of(state, event.seat)
    if claim.entered is not None:
        return _edit(state, event.seat, entered=replace(claim.entered, win_tile=event.tile))
    return _edit(state, event.seat, win_index=event.index, win_named="" if event.index is not None else event.tile)


def _meld_set(state: State, event: ev.MeldSet, _entry: Entry) -> State:
    pin = MeldPin(kind=event.meld_kind, from_seat=event.from_seat)
    return _edit(state, event.seat, meld_pins={**claim_of(state, event.seat).meld_pins, event.group: pin})


def _facts_set(state: State, event: ev.FactsSet, _entry: Entry) -> State:
    claim = claim_of(state, event.seat)
    stated = {"source": event.source, "from_seat": event.from_seat, "facts": event.facts}
    edited = _edit(state, event.seat, laid=claim.laid, said=said_of(claim, event), **stated)
    return replace(edited, claims=heard_in_order(edited, edited.claims))


def _win_seen(state: State, event: ev.WinSeen, _entry: Entry) -> State:
    claim = claim_of(state, event.seat)
    edited = _edit(state, event.seat, laid=claim.laid, **filled_in(claim, event.seen))  # its tiles are as they were
    return replace(edited, claims=heard_in_order(edited, edited.claims))


def _points_announced(state: State, event: ev.PointsAnnounced, _entry: Entry) -> State:
    claim = claim_of(state, event.seat)
    return _edit(state, event.seat, announced=event.points, laid=claim.laid, verdict=claim.verdict)


def _hand_judged(state: State, event: ev.HandJudged, _entry: Entry) -> State:
    return _edit(state, event.seat, laid=event.laid, verdict=event.verdict)


def _seat_agreed(state: State, event: ev.SeatAgreed, _entry: Entry) -> State:
    claim = claim_of(state, event.claimant)
    agreed = (*claim.agreed, event.seat)
    return _edit(state, event.claimant, laid=claim.laid, verdict=claim.verdict, agreed=agreed)


def _claim_rejected(state: State, event: ev.ClaimRejected, entry: Entry) -> State:
    claims = tuple(claim for claim in state.claims if claim.seat != event.seat)
    if not event.false_win or state.setup is None:
        return replace(state, claims=claims)
    paid = FalseWin(
        setup=state.setup,
        seat=event.seat,
        payments=event.payments,
        reason=event.reason,
        at_ms=entry.at_ms,
        each=event.each,
        table=state.facts,
        out=state.out,
    )
    return replace(state, claims=claims, history=(*state.history, paid))


def _hand_settled(state: State, event: ev.HandSettled, entry: Entry) -> State:
    if state.setup is None or state.setup.hand_no != event.hand_no:
        raise StateError(f"Entry {entry.seq} settles hand {event.hand_no}, which is not the hand being played.")
    played = PlayedHand(setup=state.setup, outcome=event.outcome, at_ms=entry.at_ms)
    return replace(
        state,
        history=(*state.history, played),
        setup=event.next or state.setup,
        finished=event.next is None,
        started=False,
        between=True,
        claims=(),
        dice=(),
        reported=None,
        walls=None,
        **_FRESH,
    )


_FRESH: Mapping[str, Any] = {
    "facts": {},
    "noted": (),
    "sides": (),
    "aside": (),
    "won": (),
    "taken": None,
    "seen": (),
    "opened": (),
}
"""What belongs to one hand and is empty at the beginning of the next."""


def _hand_corrected(state: State, event: ev.HandCorrected, _entry: Entry) -> State:
    return _recounted(state, event)


def _options_corrected(state: State, event: ev.OptionsCorrected, _entry: Entry) -> State:
    if state.game is None:
        raise StateError("There is no game whose options could be corrected.")
    game = replace(state.game, options=event.options, ruleset_version=event.ruleset_version)
    return _recounted(replace(state, game=game), event)


def _seats_corrected(state: State, event: ev.SeatsCorrected, _entry: Entry) -> State:
    return _recounted(state, event)


def _recounted(state: State, event: ev.HandCorrected | ev.OptionsCorrected | ev.SeatsCorrected) -> State:
    """The changed hands as they are now, with what happened in them, and the hand that is next."""
    changes = {change.hand_no: change for change in event.changes}
    rows = {change.place: change.after for change in event.rows}

    def corrected(row: HistoryItem) -> HistoryItem:
        change = changes.get(row.setup.hand_no)
        if change is None:
            now = event.next
            return replace(row, setup=now) if now is not None and row.setup.hand_no == now.hand_no else row
        if not isinstance(row, PlayedHand):
            return replace(row, setup=change.setup_after)
        return replace(row, setup=change.setup_after, outcome=change.after, corrected=True, reason=event.reason)

    history = tuple(rows.get(place) or corrected(row) for place, row in enumerate(state.history))
    last = None if state.setup is None else changes.get(state.setup.hand_no)  # of a finished game
    return replace(state, history=history, setup=event.next or (state.setup if last is None else last.setup_after))


def _referee_called(state: State, event: ev.RefereeCalled, entry: Entry) -> State:
    call = Call(id=event.call_id, seat=event.seat, reason=event.reason, at_ms=entry.at_ms)
    return replace(state, calls=(*state.calls, call))


def _call_closed(state: State, event: ev.CallClosed, _entry: Entry) -> State:
    return replace(state, calls=tuple(call for call in state.calls if call.id != event.call_id))


_FOLDS: Mapping[type, Callable[[State, Any, Entry], State]] = {
    **HAND_FOLDS,
    ev.GameOpened: _game_opened,
    ev.GameClosed: _game_closed,
    ev.RestCalled: _rest_called,
    ev.SeatsRenamed: _seats_renamed,
    ev.WallsBuilt: _walls_built,
    ev.DiceThrown: _dice_thrown,
    ev.DiceReported: _dice_reported,
    ev.DiceVoided: _dice_voided,
    ev.HandStarted: _hand_started,
    ev.WinClaimed: _win_claimed,
    ev.ClaimCancelled: _claim_cancelled,
    ev.ClaimHeld: _claim_held,
    ev.HandShown: _hand_shown,
    ev.HandEntered: _hand_entered,
    ev.TileFixed: _tile_fixed,
    ev.WinTileSet: _win_tile_set,
    ev.MeldSet: _meld_set,
    ev.FactsSet: _facts_set,
    ev.WinSeen: _win_seen,
    ev.PointsAnnounced: _points_announced,
    ev.HandJudged: _hand_judged,
    ev.SeatAgreed: _seat_agreed,
    ev.ClaimRejected: _claim_rejected,
    ev.HandSettled: _hand_settled,
    ev.HandCorrected: _hand_corrected,
    ev.OptionsCorrected: _options_corrected,
    ev.SeatsCorrected: _seats_corrected,
    ev.RefereeCalled: _referee_called,
    ev.CallClosed: _call_closed,
}

"""How events inside a hand, penalties and substitutes change the table. Part of `table.fold`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from table import events as ev
from table.ledger import Entry
from table.model import Stay, known
from table.robbed import set_aside
from table.state import Penalty, PlayedHand, State, StateError, claim_of, heard_in_order, id_of, without_move


def _hand_noted(state: State, event: ev.HandNoted, _entry: Entry) -> State:
    noted = (*state.noted, event.note) if event.note else state.noted
    return replace(state, facts=known({**state.facts, **event.facts}), noted=noted)


def _side_paid(state: State, event: ev.SidePaid, _entry: Entry) -> State:
    return replace(state, sides=(*state.sides, event.side), facts=known({**state.facts, **event.facts}))


def _side_dropped(state: State, event: ev.SideDropped, _entry: Entry) -> State:
    sides = list(state.sides)
    noted = without_move(state.noted, sides.pop(event.index))
    return replace(state, sides=tuple(sides), noted=noted)


def _claim_approved(state: State, event: ev.ClaimApproved, _entry: Entry) -> State:
    claim = replace(claim_of(state, event.seat), approved=True)
    others = tuple(one for one in state.claims if one.seat != event.seat)
    return replace(state, claims=heard_in_order(state, (*others, claim)))


def _wins_paid(state: State, event: ev.WinsPaid, _entry: Entry) -> State:
    winners = {win.seat for win in event.wins}
    claims = tuple(one for one in state.claims if one.seat not in winners)
    aside = (*state.aside, *set_aside(state.sides, event.sides))
    return replace(state, won=(*state.won, *event.wins), sides=event.sides, aside=aside, claims=claims)


def _tiles_taken(state: State, event: ev.TilesTaken, _entry: Entry) -> State:
    return replace(state, taken=event)


def _seen(state: State, event: ev.MoveSeen | ev.SeenAnswered, _entry: Entry) -> State:
    return replace(state, seen=(*state.seen, event))


def _hand_opened(state: State, event: ev.HandOpened, _entry: Entry) -> State:
    return replace(state, opened=(*state.opened, event))


def _penalty_given(state: State, event: ev.PenaltyGiven, entry: Entry) -> State:
    if state.setup is None:
        raise StateError(f"Entry {entry.seq} gives a penalty without a game.")
    given = Penalty(
        setup=state.setup,
        id=event.penalty_id,
        seat=event.seat,
        code=event.code,
        version=event.version,
        payments=event.payments,
        off=event.off,
        dead=event.dead,
        reason=event.reason,
        at_ms=entry.at_ms,
    )
    state = replace(state, history=(*state.history, given))
    if not event.dead:
        return state
    # approved, and waiting for other winners of the tile, it is heard again: a dead hand wins nothing
    claims = (replace(claim, approved=claim.approved and claim.seat != event.seat) for claim in state.claims)
    return replace(state, claims=heard_in_order(state, claims))


def _penalty_lifted(state: State, event: ev.PenaltyLifted, _entry: Entry) -> State:
    history = tuple(
        replace(row, lifted=True) if not isinstance(row, PlayedHand) and id_of(place, row) == event.penalty_id else row
        for place, row in enumerate(state.history)
    )
    return replace(state, history=history)


def _substitute_seated(state: State, event: ev.SubstituteSeated, _entry: Entry) -> State:
    names = list(state.names)
    stays = state.stays
    if all(stay.player != event.player for stay in stays):
        stays = (*stays, Stay(player=event.player, name=names[event.player], from_hand=1))
    names[event.player] = event.name
    stay = Stay(player=event.player, name=event.name, from_hand=event.from_hand)
    return replace(state, names=(names[0], names[1], names[2], names[3]), stays=(*stays, stay))


HAND_FOLDS: Mapping[type, Callable[[State, Any, Entry], State]] = {
    ev.HandNoted: _hand_noted,
    ev.SidePaid: _side_paid,
    ev.SideDropped: _side_dropped,
    ev.ClaimApproved: _claim_approved,
    ev.WinsPaid: _wins_paid,
    ev.TilesTaken: _tiles_taken,
    ev.MoveSeen: _seen,
    ev.SeenAnswered: _seen,
    ev.HandOpened: _hand_opened,
    ev.PenaltyGiven: _penalty_given,
    ev.PenaltyLifted: _penalty_lifted,
    ev.SubstituteSeated: _substitute_seated,
}
"""The part of `table.fold` for what happens inside a hand, and for penalties and substitutes."""

"""Setting an earlier hand right: what changes, and what it moves in the hands after it.

A correction never edits the ledger. It is one event that lists every changed outcome before and after; folding it
changes totals, and the hands that follow are dealt anew on paper (dealer, winds), because an earlier winner may change
who dealt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from table import commands
from table import events as ev
from table.aftermath import (
    again_ended,
    changes_between,
    dealt_anew,
    judged_anew,
    next_setup,
    setup_after,
    wins_of,
    with_fees,
)
from table.circumstances import merged, of_another_feeder
from table.claimed_hand import laid_melds
from table.claims import shown_players
from table.decision import Context, Decision, Rejected, reject
from table.model import FROM_OTHERS, Facts, LaidHand, Outcome, Setup, WinPart
from table.rulebook import BadHand, UnknownRules, check_facts, plain_facts
from table.settling import NotSettled
from table.state import PlayedHand


def correct_hand(context: Context, command: commands.CorrectHand) -> Decision | Rejected:
    """Correct an earlier hand, or with `preview` only list what would change."""
    hands = context.state.hands
    if context.state.claims and not command.preview:
        return reject("claims_open")
    place = next((i for i, played in enumerate(hands) if played.setup.hand_no == command.hand_no), None)
    if place is None:
        last = hands[-1].setup.hand_no if hands else 0
        return reject("no_such_hand", hand_no=command.hand_no, last=last)
    played = hands[place]
    after = _corrected(context, played, command)
    if isinstance(after, Rejected):
        return after
    if after == played.outcome:
        return reject("nothing_changes")
    redone = with_fees(context, dealt_anew(context, place, after))
    changes, following = changes_between(hands, redone, command.hand_no), next_setup(context, redone)
    if paid_already(context, following) and not command.preview:
        return reject("finish_hand_first")
    event = ev.HandCorrected(hand_no=command.hand_no, reason=command.reason, changes=changes, next=following)
    return Decision(events=() if command.preview else (event,), changes=changes)


def correct_options(context: Context, command: commands.CorrectOptions) -> Decision | Rejected:
    """The game was played under other options than were written down: every finished hand is priced under them."""
    if (context.state.claims or context.state.started) and not command.preview:
        return reject("options_between_hands")
    try:
        rulebook = context.books(context.game.ruleset, command.options)
    except UnknownRules as error:
        return reject("unknown_ruleset", detail=str(error))
    if rulebook.places != context.rulebook.places:
        return reject("other_seats")
    if dict(command.options) == dict(context.game.options):
        return reject("nothing_changes")
    under = replace(context, game=replace(context.game, options=command.options), rulebook=rulebook)
    redone: list[PlayedHand] = []
    for played in context.state.hands:
        setup = (setup_after(under, redone[-1], played.setup) if redone else None) or played.setup
        try:
            outcome = judged_anew(under, played.outcome, setup)
        except NotSettled:
            return reject("no_win_under", hand_no=played.setup.hand_no)
        redone.append(replace(played, setup=setup, outcome=outcome))
    redone = with_fees(under, redone)
    changes = changes_between(context.state.hands, redone)
    event = ev.OptionsCorrected(
        options=command.options,
        ruleset_version=rulebook.version,
        reason=command.reason,
        changes=changes,
        next=next_setup(under, redone),
    )
    return Decision(events=() if command.preview else (event,), changes=changes)


def correct_seats(context: Context, command: commands.CorrectSeats) -> Decision | Rejected:
    """Players sat elsewhere than was written down, from one hand on: what those seats won and paid is theirs."""
    state, places = context.state, context.game.places
    if state.claims:
        return reject("claims_open")
    first = next((hand.setup for hand in state.hands if hand.setup.hand_no == command.from_hand), None)
    if first is None and command.from_hand == context.setup.hand_no and not state.finished:
        first = context.setup
    if first is None:
        return reject("no_such_hand", hand_no=command.from_hand, last=context.setup.hand_no)
    wanted = {first.seating[seat] for seat in places}
    if {command.seating[seat] for seat in places} != wanted or sorted(command.seating) != sorted(first.seating):
        return reject("bad_seating", seating=str(command.seating))
    if command.seating == first.seating:
        return reject("nothing_changes")
    truly = dict(zip(first.seating, command.seating, strict=True))
    redone = [_sat(hand, truly) if hand.setup.hand_no >= command.from_hand else hand for hand in state.hands]
    redone = with_fees(context, redone)
    changes = changes_between(state.hands, redone)
    event = ev.SeatsCorrected(
        from_hand=command.from_hand,
        seating=command.seating,
        reason=command.reason,
        changes=changes,
        next=None if state.finished else _seated(context.setup, truly),
    )
    return Decision(events=() if command.preview else (event,), changes=changes)


def _sat(hand: PlayedHand, truly: Mapping[int, int]) -> PlayedHand:
    return replace(hand, setup=_seated(hand.setup, truly))


def _seated(setup: Setup, truly: Mapping[int, int]) -> Setup:
    seats = [truly[player] for player in setup.seating]
    return replace(setup, seating=(seats[0], seats[1], seats[2], seats[3]))


def paid_already(context: Context, following: Setup | None) -> bool:
    """Whether the hand being played has moved points under a dealer that is about to change."""
    return any(context.state.paid_so_far) and following is not None and following != context.setup


def _corrected(context: Context, played: PlayedHand, command: commands.CorrectHand) -> Outcome | Rejected:
    """The outcome as the command states it, judged anew."""
    old = _with_facts(played.outcome, command)
    try:
        check_facts({name: value for name, value in old.table.items() if not name.startswith("_")})
    except BadHand as error:
        return reject("bad_tiles", detail=str(error))
    kind = command.outcome or old.outcome
    if kind == "void":
        return Outcome(outcome="void", picture=old.picture, frame=old.frame, table=old.table)
    wins = _wins(old, command, context.game.places) if kind == "win" else ()
    if isinstance(wins, Rejected):
        return wins
    try:
        return again_ended(context, played.setup, old, wins)
    except NotSettled as error:
        return Rejected(sentence=error.sentence)


def _with_facts(old: Outcome, command: commands.CorrectHand) -> Outcome:
    table: dict[str, Any] = dict(old.table)
    if command.facts is not None:
        table |= merged(table, plain_facts(command.facts))
    if command.players is not None:
        table |= merged(table, {"players": shown_players(command.players)})
    return replace(
        old,
        table={name: value for name, value in table.items() if value is not None},
        sides=tuple(side for place, side in enumerate(old.sides) if place not in command.drop_sides),
    )


def _wins(old: Outcome, command: commands.CorrectHand, places: Sequence[int]) -> tuple[WinPart, ...] | Rejected:
    """The wins as the command states them."""
    if command.wins is not None:
        wins = tuple(_whole(win) for win in command.wins)
    else:
        before = wins_of(old)
        changed = _changed(before[command.win_no] if command.win_no < len(before) else None, command)
        if isinstance(changed, Rejected):
            return changed
        wins = (*before[: command.win_no], changed, *before[command.win_no + 1 :])
    for win in wins:
        empty = next((one for one in (win.seat, win.from_seat) if one is not None and one not in places), None)
        if empty is not None:
            return reject("seat_empty", seat=empty)
        if win.source in FROM_OTHERS and win.from_seat is None:
            return reject("no_feeder")
        if win.from_seat == win.seat:
            return reject("from_self", seat=win.seat)
    return wins


def _whole(win: commands.WinIn) -> WinPart:
    laid = LaidHand(hand=win.hand, melds=laid_melds(win.melds), win_tile=win.win_tile, flowers=win.flowers)
    facts = Facts(last_tile=win.last_tile, last_of_kind=win.last_of_kind)
    return WinPart(
        seat=win.seat,
        source=win.source,
        from_seat=win.from_seat,
        laid=laid,
        facts=facts,
        total=0,
        computed=0,
        stage=win.stage,
    )


def _changed(old: WinPart | None, command: commands.CorrectHand) -> WinPart | Rejected:
    """One win with what the command changes of it."""
    source = command.source or (old.source if old else None)
    from_seat = (old.from_seat if old else None) if command.from_seat is None else command.from_seat
    if source not in FROM_OTHERS and source != "sea_bottom":
        from_seat = None
    laid = _laid(old.laid if old else None, command)
    winner = (old.seat if old else None) if command.winner is None else command.winner
    if winner is None or source is None or laid is None or not laid.win_tile:
        return reject("incomplete_win")
    if source == "sea_bottom" and from_seat == winner:
        from_seat = None  # he took the last tile himself (海底撈月)
    facts, before = _facts(old.facts if old else None, command), old.announced if old else None
    if old is not None and from_seat != old.from_seat:
        facts = of_another_feeder(facts)
    announced = before if command.announced is None else command.announced
    fresh = WinPart(seat=winner, source=source, from_seat=from_seat, laid=laid, facts=facts, total=0, computed=0)
    if old is not None:
        fresh = replace(old, seat=winner, source=source, from_seat=from_seat, laid=laid, facts=facts)
    return replace(fresh, announced=announced)


def _laid(old: LaidHand | None, command: commands.CorrectHand) -> LaidHand | None:
    if command.hand is None and old is None:
        return None
    base = old or LaidHand(hand="")
    return LaidHand(
        hand=base.hand if command.hand is None else command.hand,
        melds=base.melds if command.melds is None else laid_melds(command.melds),
        win_tile=base.win_tile if command.win_tile is None else command.win_tile,
        flowers=base.flowers if command.flowers is None else command.flowers,
    )


def _facts(old: Facts | None, command: commands.CorrectHand) -> Facts:
    base = old or Facts()
    return Facts(
        last_tile=base.last_tile if command.last_tile is None else command.last_tile,
        last_of_kind=base.last_of_kind if command.last_of_kind is None else command.last_of_kind,
        more=base.more,
    )

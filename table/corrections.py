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
    history_anew,
    judged_anew,
    next_setup,
    rows_between,
    seated,
    setup_after,
    wins_of,
)
from table.circumstances import as_stated, merged, of_another_feeder
from table.claimed_hand import laid_melds
from table.claims import shown_players
from table.decision import Context, Decision, Rejected, reject
from table.model import FROM_OTHERS, Facts, LaidHand, Outcome, Setup, WinPart, known
from table.rulebook import BadHand, UnknownRules, check_facts
from table.settling import NotSettled
from table.state import Game, PlayedHand


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
    redone = dealt_anew(context, place, after)
    following = next_setup(context, redone)
    if paid_already(context, following) and not command.preview:
        return reject("finish_hand_first")
    stated = {command.hand_no: as_stated(context.game, command.facts)} if command.facts is not None else {}
    history = history_anew(context, redone, following, stated=stated)
    event = ev.HandCorrected(
        hand_no=command.hand_no,
        reason=command.reason,
        changes=changes_between(hands, history, command.hand_no),
        next=following,
        rows=rows_between(context.state.history, history),
    )
    return _decision(event, command.preview)


def correct_options(context: Context, command: commands.CorrectOptions) -> Decision | Rejected:
    """The game was played under other options than were written down: what was paid is priced under them."""
    begun = context.state.claims or context.state.started or context.state.sides or context.state.won
    if begun and not command.preview:
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
    for place, played in enumerate(context.state.hands):
        before = (context.state.hands[place - 1], redone[-1]) if redone else None
        setup = (setup_after(context, before, played.setup, under) if before else None) or played.setup
        try:
            outcome = judged_anew(under, played.outcome, setup)
        except NotSettled as error:
            if error.sentence.key == "not_a_win":
                return reject("no_win_under", hand_no=played.setup.hand_no)
            return reject("not_settled_under", hand_no=played.setup.hand_no, detail=error.sentence.text)
        except BadHand as error:
            return reject("not_settled_under", hand_no=played.setup.hand_no, detail=str(error))
        redone.append(replace(played, setup=setup, outcome=outcome))
    following = next_setup(context, redone, under)
    history = history_anew(context, redone, following, under=under)
    event = ev.OptionsCorrected(
        options=command.options,
        ruleset_version=rulebook.version,
        reason=command.reason,
        changes=changes_between(context.state.hands, history),
        next=following,
        rows=rows_between(context.state.history, history),
    )
    return _decision(event, command.preview)


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
    following = None if state.finished else seated(context.setup, truly)
    history = history_anew(context, redone, following)
    event = ev.SeatsCorrected(
        from_hand=command.from_hand,
        seating=command.seating,
        reason=command.reason,
        changes=(*changes_between(state.hands, history), *_played_now(context, following)),
        next=following,
        rows=rows_between(state.history, history),
    )
    return _decision(event, command.preview)


def _played_now(context: Context, following: Setup | None) -> tuple[ev.HandChange, ...]:
    """What the hand being played has paid already, which moves with its players."""
    paid = context.state.paid_so_far
    if following is None or not any(paid):
        return ()
    so_far = Outcome(outcome="void", payments=paid, wins=context.state.won, sides=context.state.sides)
    return (
        ev.HandChange(
            hand_no=following.hand_no,
            before=so_far,
            after=so_far,
            setup_before=context.setup,
            setup_after=following,
        ),
    )


def _decision(event: ev.HandCorrected | ev.OptionsCorrected | ev.SeatsCorrected, preview: bool) -> Decision:
    return Decision(events=() if preview else (event,), changes=event.changes, rows=event.rows)


def _sat(hand: PlayedHand, truly: Mapping[int, int]) -> PlayedHand:
    return replace(hand, setup=seated(hand.setup, truly))


def paid_already(context: Context, following: Setup | None) -> bool:
    """Whether the hand being played has moved points under a dealer that is about to change."""
    return any(context.state.paid_so_far) and following is not None and following != context.setup


def _corrected(context: Context, played: PlayedHand, command: commands.CorrectHand) -> Outcome | Rejected:
    """The outcome as the command states it, judged anew."""
    old = _with_facts(context.game, played.outcome, command)
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


def _with_facts(game: Game, old: Outcome, command: commands.CorrectHand) -> Outcome:
    table: dict[str, Any] = dict(old.table)
    if command.facts is not None:
        table |= merged(table, as_stated(game, command.facts))
    if command.players is not None:
        table |= merged(table, {"players": shown_players(command.players)})
    return replace(
        old,
        table=known(table),
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

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
)
from table.circumstances import as_stated, merged, turned_up
from table.claims import shown_players
from table.corrected_sides import cannot_have_been, sides_stated
from table.corrected_win import asked_of, refusing, unsaid_of, wins_stated
from table.decision import Context, Decision, Rejected, reject, reject_because
from table.drawn import ready_by_tiles
from table.model import Outcome, Setup, WinPart, known
from table.rulebook import BadHand, UnknownRules
from table.rules_input import check_facts
from table.set_aside import dealt_again, for_nothing, told_wins, until_then, won_on_the_deal
from table.settling import NotSettled, broken_off
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
    stated = sides_stated(context, _with_facts(context, played.outcome, command), command)
    if isinstance(stated, Rejected):
        return stated
    wins = wins_stated(context, stated, command)
    hand = replace(stated, outcome="void" if command.outcome == "broken_off" else command.outcome or stated.outcome)
    asked = None if isinstance(wins, Rejected) else asked_of(context, played, hand, wins, command.win_no)
    after = wins if isinstance(wins, Rejected) else _corrected(context, played, stated, wins, command)
    if not isinstance(after, Rejected):
        after = cannot_have_been(context, after, command) or _of_a_dead_hand(context, played, after) or after
    if isinstance(after, Rejected):
        return after if asked is None or not command.preview else Decision(win=refusing(asked, after.sentence))
    if after == played.outcome:
        return Decision(win=asked) if command.preview else reject("nothing_changes")
    unsaid = () if command.preview or isinstance(wins, Rejected) else unsaid_of(context, played, hand, wins)
    if unsaid:
        return reject("asked_first", questions=", ".join(question.id for question in unsaid))
    redone = dealt_anew(context, place, after)
    following = next_setup(context, redone)
    if paid_already(context, following) and not command.preview:
        return reject("finish_hand_first")
    facts = {command.hand_no: as_stated(context.game, command.facts)} if command.facts is not None else {}
    history = history_anew(context, redone, following, stated=facts)
    event = ev.HandCorrected(
        hand_no=command.hand_no,
        reason=command.reason,
        changes=changes_between(hands, history, command.hand_no),
        next=following,
        rows=rows_between(context.state.history, history),
    )
    return replace(_decision(event, command.preview), win=asked)


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
            return reject_because("not_settled_under", error.sentence, hand_no=played.setup.hand_no)
        except BadHand as error:
            return reject_because("not_settled_under", error.sentence, hand_no=played.setup.hand_no)
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
    following = seated(context.setup, truly)
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


def _corrected(
    context: Context, played: PlayedHand, old: Outcome, wins: Sequence[WinPart], command: commands.CorrectHand
) -> Outcome | Rejected:
    """The outcome as the command states it, judged anew."""
    try:
        check_facts({name: value for name, value in old.table.items() if not name.startswith("_")})
    except BadHand as error:
        return reject_because("bad_tiles", error.sentence)
    setup, wanted = played.setup, command.outcome or old.outcome
    try:
        if wanted == "broken_off" and old.ending != "broken_off":
            old = until_then(context.rulebook, setup, old)
            return broken_off(context.rulebook, context.game, setup, old)
        if wanted in ("void", "broken_off"):
            counts = command.outcome != "void" and (old.wins or old.sides)
            return broken_off(context.rulebook, context.game, setup, old) if counts else for_nothing(setup, old)
        if wanted == "win" and not wins:
            old = dealt_again(old) or old
        elif wanted == "draw" and won_on_the_deal(old):
            old = replace(old, outcome="draw", told=told_wins(old))
        return again_ended(context, setup, old, wins)
    except NotSettled as error:
        return Rejected(sentence=error.sentence)


def _of_a_dead_hand(context: Context, played: PlayedHand, after: Outcome) -> Rejected | None:
    """Who may not win this hand (相公) and would win it now, or whom the rules would call ready unless somebody rules.

    A win of a battle that was paid before such a ruling stands.
    """
    dead = sorted(replace(context.state, setup=played.setup).dead_seats())
    winners = {win.seat for win in after.wins} - {win.seat for win in told_wins(played.outcome)}
    for seat in dead:
        if seat in winners:
            return reject("seat_dead", seat=seat)
        if ready_by_tiles(after.notes, after.table, seat):
            return reject("why.dead_ready", seat=seat)
    return None


def _with_facts(context: Context, old: Outcome, command: commands.CorrectHand) -> Outcome:
    table: dict[str, Any] = dict(old.table)
    if command.facts is not None:
        table |= merged(table, as_stated(context.game, command.facts))
        if command.facts.get("flip"):
            table |= turned_up(context.rulebook, str(command.facts["flip"]))
    if command.players is not None:
        said = shown_players(command.players)
        whole = {seat for seat, one in said.items() if "hand" in one}  # with the melds it has now, or none
        before = table.get("players", {}).items()
        kept = {seat: {k: v for k, v in one.items() if k != "melds" or seat not in whole} for seat, one in before}
        table |= merged({"players": kept}, {"players": said})
    return replace(
        old,
        table=known(table),
        sea=old.sea if command.sea is None else command.sea,
        sea_seat=old.sea_seat if command.sea is None else command.sea_seat,
    )

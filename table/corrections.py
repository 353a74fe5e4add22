"""Setting an earlier hand right: what changes, and what it moves in the hands after it.

A correction never edits the ledger. It is one event that lists every changed outcome before and after; folding it
changes totals, and the hands that follow are dealt anew on paper (dealer, winds), because an earlier winner may change
who dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from table import commands
from table import events as ev
from table.claims import laid_melds
from table.decision import Context, Decision, Rejected, reject
from table.model import FROM_OTHERS, Facts, LaidHand, Outcome, Setup
from table.rulebook import BadHand, Circumstances
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
    changes = _with_followers(context, hands, place, after)
    event = ev.HandCorrected(
        hand_no=command.hand_no, reason=command.reason, changes=changes, next=_next(context, hands, changes)
    )
    return Decision(events=() if command.preview else (event,), changes=changes)


def _corrected(context: Context, played: PlayedHand, command: commands.CorrectHand) -> Outcome | Rejected:
    """The outcome as the command states it, judged anew."""
    old = played.outcome
    kind = command.outcome or old.outcome
    if kind != "win":
        return Outcome(outcome=kind, picture=old.picture, frame=old.frame)
    source = command.source or old.source
    from_seat = old.from_seat if command.from_seat is None else command.from_seat
    if source not in FROM_OTHERS:
        from_seat = None
    laid = _laid(old.laid, command)
    winner = old.winner if command.winner is None else command.winner
    if winner is None or source is None or laid is None or not laid.win_tile:
        return reject("incomplete_win")
    if source in FROM_OTHERS and from_seat is None:
        return reject("no_feeder")
    if from_seat == winner:
        return reject("from_self", seat=winner)
    how = Circumstances(
        setup=played.setup, winner=winner, source=source, from_seat=from_seat, facts=_facts(old.facts, command)
    )
    announced = old.announced if command.announced is None else command.announced
    return _judged(context, laid, how, replace(old, announced=announced))


def _judged(context: Context, laid: LaidHand, how: Circumstances, old: Outcome) -> Outcome | Rejected:
    """A win judged under these circumstances; what was announced and photographed is kept."""
    try:
        verdict = context.rulebook.judge(laid, how)
    except BadHand as error:
        return reject("bad_tiles", detail=str(error))
    if not verdict.valid:
        return reject("not_a_win", reason=verdict.reason)
    total = verdict.total if old.announced is None else min(old.announced, verdict.total)
    return Outcome(
        outcome="win",
        winner=how.winner,
        source=how.source,
        from_seat=how.from_seat,
        laid=laid,
        facts=how.facts,
        total=total,
        computed=verdict.total,
        announced=old.announced,
        fans=verdict.fans,
        payments=context.rulebook.at_total(verdict, how, total),
        picture=old.picture,
        frame=old.frame,
    )


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


def _with_followers(
    context: Context, hands: Sequence[PlayedHand], place: int, after: Outcome
) -> tuple[ev.HandChange, ...]:
    """The corrected hand and every later one whose dealer, winds or payments it moves."""
    changes = [_change(hands[place], hands[place].setup, after)]
    setup, outcome = hands[place].setup, after
    for played in hands[place + 1 :]:
        following = context.rulebook.following(setup, outcome, context.seating)
        if following is None or following == played.setup:
            break
        setup, outcome = following, _under(context, played, following)
        changes.append(_change(played, setup, outcome))
    return tuple(changes)


def _under(context: Context, played: PlayedHand, setup: Setup) -> Outcome:
    """A later hand under another dealer; if it would be no win any more, what the people approved stands."""
    old = played.outcome
    if old.outcome != "win" or old.laid is None or old.winner is None or old.source is None:
        return old
    how = Circumstances(
        setup=setup, winner=old.winner, source=old.source, from_seat=old.from_seat, facts=old.facts or Facts()
    )
    judged = _judged(context, old.laid, how, old)
    return old if isinstance(judged, Rejected) else judged


def _change(played: PlayedHand, setup: Setup, after: Outcome) -> ev.HandChange:
    return ev.HandChange(
        hand_no=played.setup.hand_no,
        before=played.outcome,
        after=after,
        setup_before=played.setup,
        setup_after=setup,
    )


def _next(context: Context, hands: Sequence[PlayedHand], changes: Sequence[ev.HandChange]) -> Setup | None:
    """The hand that is next after the correction; None in a finished game."""
    if context.state.finished:
        return None
    last = changes[-1]
    if last.hand_no != hands[-1].setup.hand_no:
        return context.setup
    return context.rulebook.following(last.setup_after, last.after, context.seating)

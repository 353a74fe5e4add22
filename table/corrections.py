"""Setting an earlier hand right: what changes, and what it moves in the hands after it.

A correction never edits the ledger. It is one event that lists every changed outcome before and after; folding it
changes totals, and the hands that follow are dealt anew on paper (dealer, winds), because an earlier winner may change
who dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from table import commands
from table import events as ev
from table.circumstances import merged, outcome_facts, wild_of
from table.claims import laid_melds, shown_players
from table.decision import Context, Decision, Rejected, reject
from table.model import FROM_OTHERS, Facts, LaidHand, Outcome, Setup, WinPart, added
from table.rulebook import BadHand, check_facts
from table.settling import NotSettled, again, ask_drawn
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
        return reject(error.key, **{"reason" if error.key == "not_a_win" else "detail": error.detail})


def again_ended(context: Context, setup: Setup, old: Outcome, wins: Sequence[WinPart]) -> Outcome:
    """The hand of `old` with these wins under a setup; without wins the wall was exhausted.

    Raises:
        NotSettled: it cannot have ended so.
    """
    if wins:
        outcome = again(context.rulebook, context.game, setup, old, wins)
        return replace(outcome, sea=old.sea, sea_seat=old.sea_seat, fee=old.fee)
    answer = ask_drawn(context.rulebook, outcome_facts(old, context.game, setup))
    return Outcome(
        outcome="draw",
        payments=added(answer.get("payments", (0, 0, 0, 0)), *(side.payments for side in old.sides)),
        picture=old.picture,
        frame=old.frame,
        sides=old.sides,
        table=old.table,
        carry_out=tuple(answer.get("carry_out", ())),
        wild=wild_of(old.table),
        sea=old.sea,
        sea_seat=old.sea_seat,
        fee=old.fee,
    )


def wins_of(outcome: Outcome) -> tuple[WinPart, ...]:
    """The wins of a hand, also of one that an older Paiju wrote with a single win."""
    if outcome.wins or outcome.outcome != "win":
        return outcome.wins
    if outcome.winner is None or outcome.source is None or outcome.laid is None:
        return ()
    return (
        WinPart(
            seat=outcome.winner,
            source=outcome.source,
            from_seat=outcome.from_seat,
            laid=outcome.laid,
            facts=outcome.facts or Facts(),
            total=outcome.total,
            computed=outcome.total if outcome.computed is None else outcome.computed,
            announced=outcome.announced,
            fans=outcome.fans,
            payments=outcome.payments,
            picture=outcome.picture,
            frame=outcome.frame,
        ),
    )


def _with_facts(old: Outcome, command: commands.CorrectHand) -> Outcome:
    table: dict[str, Any] = dict(old.table)
    if command.facts is not None:
        table |= merged(table, command.facts)
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
    laid = LaidHand(
        hand=win.hand.replace(" ", ""), melds=laid_melds(win.melds), win_tile=win.win_tile, flowers=win.flowers
    )
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
    facts, before = _facts(old.facts if old else None, command), old.announced if old else None
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
    if old.outcome == "void":
        return old
    wins = wins_of(old)
    if old.outcome == "win" and not wins:
        return old
    try:
        judged = again_ended(context, setup, old, wins)
    except NotSettled:
        return old
    return replace(judged, picture=old.picture, frame=old.frame, notes=old.notes)


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

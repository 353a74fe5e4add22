"""What a change of earlier hands moves in the hands after them: dealer, winds, waiting fans, payments, table fees.

Every hand is computed anew from its parts under the hand before it; the result is listed as changes before anything is
written, and the event that records it carries all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from table.circumstances import table_facts, wild_of
from table.decision import Context
from table.events import HandChange
from table.model import Facts, Outcome, Setup, WinPart, added
from table.settling import NotSettled, again, ask_drawn, fee_of, notes_of, repriced
from table.state import HistoryItem, PlayedHand


def again_ended(context: Context, setup: Setup, old: Outcome, wins: Sequence[WinPart]) -> Outcome:
    """The hand of `old` with these wins under a setup; without wins the wall was exhausted.

    Raises:
        NotSettled: it cannot have ended so.
    """
    if wins:
        outcome = again(context.rulebook, context.game, setup, old, wins)
        return replace(outcome, sea=old.sea, sea_seat=old.sea_seat, fee=old.fee)
    sides = repriced(context.rulebook, context.game, setup, old, ())
    if _won_on_the_deal(old):
        return replace(old, sides=sides, payments=added(*(side.payments for side in sides)))
    answer = ask_drawn(context.rulebook, table_facts(context.game, setup, old.table, sides))
    return Outcome(
        outcome="draw",
        payments=added(answer.get("payments", (0, 0, 0, 0)), *(side.payments for side in sides)),
        picture=old.picture,
        frame=old.frame,
        sides=sides,
        table=old.table,
        carry_out=tuple(answer.get("carry_out", ())),
        wild=wild_of(old.table),
        sea=old.sea,
        sea_seat=old.sea_seat,
        notes=notes_of(answer),
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


def dealt_anew(context: Context, place: int, after: Outcome) -> list[PlayedHand]:
    """Every hand once the one at `place` ended with `after`: later ones under the dealer and winds that follow."""
    redone = list(context.state.hands)
    redone[place] = replace(redone[place], outcome=after)
    for later in range(place + 1, len(redone)):
        setup = setup_after(context, redone[later - 1], redone[later].setup)
        if setup is None or setup == redone[later].setup:
            break
        redone[later] = replace(redone[later], setup=setup, outcome=_under(context, redone[later].outcome, setup))
    return redone


def setup_after(context: Context, before: PlayedHand, played: Setup) -> Setup | None:
    """How the hand after `before` begins, if it is the one that began as `played`; None if the game ends before it.

    A dealer whom dice chose stays: they were thrown, and that player dealt.
    """
    following = context.rulebook.following(before.setup, before.outcome, context.seating)
    if following is not None and following.dealer_open and not played.dealer_open:
        return replace(following, dealer=played.dealer, dealer_open=False)
    return following


def _under(context: Context, old: Outcome, setup: Setup) -> Outcome:
    """A later hand under another dealer; if it would be no win any more, what the people approved stands."""
    try:
        return judged_anew(context, old, setup)
    except NotSettled:
        return old


def judged_anew(context: Context, old: Outcome, setup: Setup) -> Outcome:
    """A finished hand priced once more, under this setup and the rules of the context.

    Raises:
        NotSettled: it would be no win.
    """
    if old.outcome == "void":
        return old
    wins = wins_of(old)
    if old.outcome == "win" and not wins and not _won_on_the_deal(old):
        return old
    return replace(again_ended(context, setup, old, wins), picture=old.picture, frame=old.frame)


def _won_on_the_deal(old: Outcome) -> bool:
    """Whether a starting win ended this hand."""
    return old.outcome == "win" and not old.wins and old.source == "start_hand" and bool(old.sides)


def with_fees(context: Context, redone: Sequence[PlayedHand]) -> list[PlayedHand]:
    """The same hands with their table fees: each depends on what the players hold by then."""
    fresh = {hand.setup.hand_no: hand for hand in redone}
    rows: list[HistoryItem] = []
    for row in context.state.history:
        hand = fresh.get(row.setup.hand_no)
        if hand is None:
            rows.append(row)
        elif not isinstance(row, PlayedHand):
            rows.append(replace(row, setup=hand.setup))
        else:
            fee = fee_of(context.rulebook, context.game, hand.setup, hand.outcome, rows)
            rows.append(replace(hand, outcome=replace(hand.outcome, fee=fee)))
    return [row for row in rows if isinstance(row, PlayedHand)]


def changes_between(
    before: Sequence[PlayedHand], after: Sequence[PlayedHand], named: int = 0
) -> tuple[HandChange, ...]:
    """What differs, hand by hand; the hand with the number `named` is always listed, and first."""
    found = [
        HandChange(
            hand_no=old.setup.hand_no,
            before=old.outcome,
            after=new.outcome,
            setup_before=old.setup,
            setup_after=new.setup,
        )
        for old, new in zip(before, after, strict=True)
        if old != new or old.setup.hand_no == named
    ]
    return tuple(sorted(found, key=lambda change: change.hand_no != named))


def next_setup(context: Context, redone: Sequence[PlayedHand]) -> Setup | None:
    """The hand that is next once the finished ones are as in `redone`; None in a finished game."""
    if context.state.finished:
        return None
    last = context.state.hands[-1:]
    if not last or _same_end(last[0], redone[-1]):
        return context.setup
    return setup_after(context, redone[-1], context.setup)


def _same_end(one: PlayedHand, other: PlayedHand) -> bool:
    """Whether the next hand follows alike from both: fees do not matter for it."""
    return one.setup == other.setup and replace(one.outcome, fee=other.outcome.fee) == other.outcome

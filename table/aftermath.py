"""What a change of earlier hands moves after them: dealer, winds, waiting fans, payments, table fees, false wins.

Every hand is computed anew from its parts under the hand before it; the result is listed as changes before anything is
written, and the event that records it carries all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from table.circumstances import merged, table_facts, wild_of
from table.decision import Context
from table.events import HandChange, RowChange
from table.model import FalseWin, Outcome, Payments, Setup, TableFacts, WinPart, added, known
from table.rulebook import BadHand
from table.set_aside import for_nothing, told_wins, wins_of, won_on_the_deal
from table.settling import NotSettled, again, ask_drawn, broken_off, check_copies, fee_of, notes_of, repriced
from table.state import HistoryItem, PlayedHand

NO_FACTS: Mapping[int, TableFacts] = {}
"""No hand whose circumstances change."""


def again_ended(context: Context, setup: Setup, old: Outcome, wins: Sequence[WinPart]) -> Outcome:
    """The hand of `old` with these wins under a setup; without wins the wall was exhausted.

    Raises:
        NotSettled: it cannot have ended so.
    """
    if wins:
        outcome = again(context.rulebook, context.game, setup, old, wins)
        return replace(outcome, sea=old.sea, sea_seat=old.sea_seat, fee=old.fee)
    sides = repriced(context.rulebook, context.game, setup, replace(old, sides=old.all_sides), ())
    if won_on_the_deal(old):
        return replace(old, fans=sides[-1].fans, sides=sides, payments=added(*(side.payments for side in sides)))
    answer = ask_drawn(context.rulebook, table_facts(context.game, setup, old.table, sides))
    check_copies((), sides, old.table)
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
        told=told_wins(old),
    )


def dealt_anew(context: Context, place: int, after: Outcome) -> list[PlayedHand]:
    """Every hand once the one at `place` ended with `after`: later ones under the dealer and winds that follow."""
    redone = list(context.state.hands)
    redone[place] = replace(redone[place], outcome=after)
    for later in range(place + 1, len(redone)):
        before = context.state.hands[later - 1], redone[later - 1]
        setup = setup_after(context, before, redone[later].setup)
        if setup is None or setup == redone[later].setup:
            break
        redone[later] = replace(redone[later], setup=setup, outcome=_under(context, redone[later].outcome, setup))
    return redone


def setup_after(
    context: Context, before: tuple[PlayedHand, PlayedHand], played: Setup, under: Context | None = None
) -> Setup | None:
    """How the hand that began as `played` begins now; None if the game ends before it.

    A dealer whom dice chose stays: they were thrown, and that player dealt. Players who were found to sit elsewhere
    from this hand on sit there still.

    Args:
        context: the game as it stands.
        before: the hand before as it stands, and as it will be.
        played: how the hand began so far.
        under: the same game under the rules that deal now, if those change too.
    """
    rules = under or context
    following = rules.rulebook.following(before[1].setup, before[1].outcome, rules.seating)
    if following is None:
        return None
    expected = context.rulebook.following(before[0].setup, before[0].outcome, context.seating)
    if expected is not None and expected.seating != played.seating:
        following = seated(following, dict(zip(expected.seating, played.seating, strict=True)))
    thrown = played.dice_dealer
    if following.dealer_open and not played.dealer_open:
        dealer = played.dealer if thrown is None else thrown
        return replace(following, dealer=dealer, dealer_open=False, dice_dealer=thrown)
    return replace(following, dice_dealer=thrown)


def seated(setup: Setup, truly: Mapping[int, int]) -> Setup:
    """The same hand with the players who truly sat there, by player number."""
    seats = [truly[player] for player in setup.seating]
    return replace(setup, seating=(seats[0], seats[1], seats[2], seats[3]))


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
    if old.outcome == "void" and not (old.wins or old.sides):
        return for_nothing(setup, old)
    if old.outcome == "void":
        return broken_off(context.rulebook, context.game, setup, old)
    wins = wins_of(old)
    if old.outcome == "win" and not wins and not won_on_the_deal(old):
        return old
    return replace(again_ended(context, setup, old, wins), picture=old.picture, frame=old.frame)


def history_anew(
    context: Context,
    redone: Sequence[PlayedHand],
    following: Setup | None,
    *,
    under: Context | None = None,
    stated: Mapping[int, TableFacts] = NO_FACTS,
) -> list[HistoryItem]:
    """The whole history with these hands: table fees depend on what the players hold by then, false wins are priced.

    Args:
        context: the game as it stands.
        redone: every finished hand as it will be, without its fee.
        following: how the hand that is next will begin; None in a finished game.
        under: the same game under the rules that price it now, if those change too.
        stated: by hand number the circumstances that change.
    """
    rules = under or context
    fresh = {hand.setup.hand_no: hand for hand in redone}
    setups = {hand.setup.hand_no: hand.setup for hand in redone}
    if following is not None:
        setups[following.hand_no] = following
    rows: list[HistoryItem] = []
    for row in context.state.history:
        number = row.setup.hand_no
        setup = setups.get(number, row.setup)
        if isinstance(row, PlayedHand):
            hand = fresh[number]
            fee = fee_of(rules.rulebook, rules.game, setup, hand.outcome, rows)
            rows.append(replace(hand, outcome=replace(hand.outcome, fee=fee)))
        elif isinstance(row, FalseWin):
            now = replace(row, setup=setup, table=known({**row.table, **merged(row.table, stated.get(number, {}))}))
            rows.append(replace(now, payments=_false_win_anew(context, rules, row, now)))
        else:
            rows.append(replace(row, setup=setup))
    return rows


def _false_win_anew(context: Context, under: Context, row: FalseWin, now: FalseWin) -> Payments:
    """What a false win pays with its setup and circumstances of `now`, under these rules.

    What people agreed stays where the rules did not set it (an older ledger does not say what the referee named) and
    where the rules now leave it to the referee.
    """
    before = _priced_by(context, row)
    if before is not None and before != row.payments:
        return row.payments
    return _priced_by(under, now) or row.payments


def _priced_by(context: Context, row: FalseWin) -> Payments | None:
    table = table_facts(context.game, row.setup, row.table, (), row.out)
    try:
        return context.rulebook.false_win(row.seat, row.each, table)
    except BadHand:  # the rules leave it to the referee
        return None


def changes_between(
    before: Sequence[PlayedHand], after: Sequence[HistoryItem], named: int = 0
) -> tuple[HandChange, ...]:
    """What differs, hand by hand; the hand with the number `named` is always listed, and first."""
    hands = [row for row in after if isinstance(row, PlayedHand)]
    found = [
        HandChange(
            hand_no=old.setup.hand_no,
            before=old.outcome,
            after=new.outcome,
            setup_before=old.setup,
            setup_after=new.setup,
        )
        for old, new in zip(before, hands, strict=True)
        if old != new or old.setup.hand_no == named
    ]
    return tuple(sorted(found, key=lambda change: change.hand_no != named))


def rows_between(before: Sequence[HistoryItem], after: Sequence[HistoryItem]) -> tuple[RowChange, ...]:
    """Which false wins and penalties cost somebody something else; a new dealer alone follows from the hands."""
    return tuple(
        RowChange(place=place, before=old, after=new)
        for place, (old, new) in enumerate(zip(before, after, strict=True))
        if not isinstance(old, PlayedHand)
        and not isinstance(new, PlayedHand)
        and (old.setup.seating != new.setup.seating or replace(old, setup=new.setup) != new)
    )


def next_setup(context: Context, redone: Sequence[PlayedHand], under: Context | None = None) -> Setup | None:
    """The hand that is next once the finished ones are as in `redone`; None where the last one ended the game."""
    last = context.state.hands[-1:]
    if last and last[0].setup.hand_no == context.setup.hand_no:
        return None
    if not last or _same_end(last[0], redone[-1]):
        return context.setup
    begun = context.state.started or context.setup.dice_dealer is not None
    played = context.setup if begun else replace(context.setup, dealer_open=True)  # no dice have chosen a dealer yet
    return setup_after(context, (last[0], redone[-1]), played, under)


def _same_end(one: PlayedHand, other: PlayedHand) -> bool:
    """Whether the next hand follows alike from both: fees do not matter for it."""
    return one.setup == other.setup and replace(one.outcome, fee=other.outcome.fee) == other.outcome

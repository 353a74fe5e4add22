"""What a hand has paid and won that does not count as it stands, kept so that a correction back restores every payment.

A kong that was robbed, the kongs and wins of a hand that counts for nothing, the win of a hand that was a drawn one:
the outcome keeps them beside what counts (`Outcome.aside`, `Outcome.told`).
"""

from __future__ import annotations

from dataclasses import replace

from table.model import Facts, LaidHand, Outcome, Setup, WinPart
from table.rulebook import Rulebook
from table.settling import hand_over


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


def told_wins(outcome: Outcome) -> tuple[WinPart, ...]:
    """The wins of a hand as they were told last, also where the hand counts for nothing or was a drawn one."""
    if outcome.told:
        return outcome.told
    return (_dealt_win(outcome),) if won_on_the_deal(outcome) else wins_of(outcome)


def won_on_the_deal(outcome: Outcome) -> bool:
    """Whether a starting win ended this hand."""
    return outcome.outcome == "win" and not outcome.wins and outcome.source == "start_hand" and bool(outcome.sides)


def _dealt_win(outcome: Outcome) -> WinPart:
    side = outcome.sides[-1]
    return WinPart(
        seat=side.seat,
        source="start_hand",
        from_seat=None,
        laid=LaidHand(hand=side.hand),
        facts=Facts(),
        total=0,
        computed=0,
        fans=side.fans,
    )


def dealt_again(old: Outcome) -> Outcome | None:
    """The hand of `old` as the starting win that ended it; None if none did."""
    if won_on_the_deal(old):
        return old
    ended = bool(old.told) and old.told[0].source == "start_hand"
    side = old.all_sides[-1] if ended and old.all_sides else None
    if side is None or side.what != "start_win" or side.seat != old.told[0].seat:
        return None
    return Outcome(
        outcome="win",
        winner=side.seat,
        source="start_hand",
        fans=side.fans,
        picture=old.picture,
        frame=old.frame,
        sides=old.all_sides,
        table=old.table,
    )


def until_then(rulebook: Rulebook, setup: Setup, old: Outcome) -> Outcome:
    """The hand of `old` broken off: what it had paid at once counts, and the wins after which play went on."""
    wins = told_wins(old)
    while wins and hand_over(rulebook, wins):
        wins = tuple(win for win in wins if win.stage < wins[-1].stage)
    return replace(for_nothing(setup, old), wins=wins, sides=old.all_sides, aside=())


def for_nothing(setup: Setup, old: Outcome) -> Outcome:
    """The hand of `old` when it does not count at all."""
    return Outcome(
        outcome="void",
        picture=old.picture,
        frame=old.frame,
        table=old.table,
        carry_out=setup.carry,
        wild=setup.prev_wild,
        sea=old.sea,
        sea_seat=old.sea_seat,
        aside=old.all_sides,
        told=told_wins(old),
    )

"""Answers that several rulesets share; each names the ones it uses in its `answers`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from rules.claims import answer_claim
from rules.errors import RulesInputError
from rules.model import HandResult, Outcome, Plain, Progress, Seat, TableFacts, Transfer
from rules.payments import pay, seats_after, vector
from rules.question import Question
from rules.tiles import WIND_LETTERS
from rules.validation import check_seat

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

Answer: TypeAlias = "Callable[[Ruleset, Question], HandResult]"


def answer_dealer(rules: Ruleset, question: Question) -> HandResult:
    """Who deals next after the outcome of the event."""
    outcome = question.outcome()
    check_outcome(rules, outcome)
    progress = rules.next_dealer(outcome, question.facts)
    return HandResult.told(*progress_extras(progress))


def check_outcome(rules: Ruleset, outcome: Outcome) -> None:
    """Check that a hand can have ended so.

    Raises:
        RulesInputError: A drawn hand with winners, a seat that is not at this table or named twice, or a winner who fed
            himself.
    """
    if outcome.result == "draw" and outcome.winners:
        raise RulesInputError(f"a drawn hand has no winners, found {list(outcome.winners)}")
    for seat in (*outcome.winners, outcome.from_seat):
        if seat is not None:
            check_seat(rules, seat, "the outcome of the hand")
    if len(set(outcome.winners)) < len(outcome.winners):
        raise RulesInputError(f"a seat is named twice among the winners {list(outcome.winners)}")
    if outcome.from_seat in outcome.winners:
        raise RulesInputError(f"seat {outcome.from_seat} cannot win on his own tile (winners, from)")


def answer_drawn_hand(rules: Ruleset, question: Question) -> HandResult:
    """An exhausted wall where nobody pays: only the next dealer is told."""
    progress = rules.next_dealer(Outcome("draw"), question.facts)
    return HandResult.told(*progress_extras(progress))


def answer_false_win(rules: Ruleset, question: Question) -> HandResult:
    """A declared win that was none: what the offender `by` pays, `each` opponent a named amount if the event has it."""
    event = question.event()
    each = event.whole("each") if "each" in event else None
    if each is not None and each < 0:
        raise RulesInputError(f"each must be what every opponent gets, 0 or more, found {each}")
    transfers = rules.false_win(rules, event.seat("by"), question.facts, each)
    return HandResult(True, vector(transfers), transfers=transfers)


USUAL_ANSWERS: Mapping[str, Answer] = {
    "dealer": answer_dealer,
    "draw": answer_drawn_hand,
    "claim": answer_claim,
    "false_win": answer_false_win,
}
"""What every game is asked; a ruleset adds its own questions and replaces what it answers otherwise."""

FalseWin: TypeAlias = "Callable[[Ruleset, Seat, TableFacts, int | None], tuple[Transfer, ...]]"


def each_gets(amount: Callable[[Ruleset, TableFacts], int]) -> FalseWin:
    """A false win that pays every opponent still in the hand the same, or what the referee names.

    With `false_win` "dead_hand" it pays nothing. Players who have won or quit take no part.
    """

    def false_win(rules: Ruleset, offender: Seat, facts: TableFacts, each: int | None) -> tuple[Transfer, ...]:
        check_seat(rules, offender, "the offender")
        if rules.chosen.get("false_win") == "dead_hand":
            return ()
        points = amount(rules, facts) if each is None else each
        opponents = (seat for seat in seats_after(offender, rules.seats) if seat not in (*facts.quit, *facts.out))
        return tuple(one for seat in opponents for one in pay(offender, seat, points, "false win"))

    return false_win


def dealer_stays(outcome: Outcome, facts: TableFacts) -> bool:
    """Whether the dealer deals again where he does after his own win and after a drawn hand (連莊).

    Raises:
        RulesInputError: A win without a winner.
    """
    if outcome.result == "win" and not outcome.winners:
        raise RulesInputError("a hand that was won needs its winners to say who deals next")
    return outcome.result == "draw" or facts.dealer in outcome.winners


def stay_or_pass_on(rules: Ruleset, outcome: Outcome, facts: TableFacts) -> Progress:
    """The dealer stays after his own win and a drawn hand; back at the first dealer the round wind moves on."""
    if dealer_stays(outcome, facts):
        return Progress(facts.dealer, facts.round_wind)
    dealer = (facts.dealer + 1) % rules.seats
    return Progress(dealer, (facts.round_wind + (dealer == facts.first_dealer)) % 4)


def progress_extras(progress: Progress) -> tuple[tuple[str, Plain], ...]:
    """The next dealer (null where only the dice can say), the round wind and the streak where the ruleset has them."""
    extras: list[tuple[str, Plain]] = [("next_dealer", None if progress.by_dice else progress.dealer)]
    if progress.round_wind is not None:
        extras.append(("next_round", WIND_LETTERS[progress.round_wind]))
    if progress.streak is not None:
        extras.append(("streak_out", progress.streak))
    return tuple(extras)

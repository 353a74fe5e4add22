"""嘉興麻將 around a win: which tile is wild, who may take a discard, false wins, and the service fee after a hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rules.claims import best_claim, claim_result, heard
from rules.errors import Impossible, RulesInputError
from rules.hand import Options
from rules.model import HandResult, Plain, TableFacts
from rules.options import number, number_or_none
from rules.question import Event, Question
from rules.tiles import Tile, tile_text
from rules.wildcards import itself, the_next, wild_from

if TYPE_CHECKING:
    from rules.ruleset import Ruleset


def becomes(options: Options, turned: Tile) -> Tile:
    """The wildcard that the turned tile makes: its own kind, or the next."""
    return the_next(turned) if options["wild_from"] == "successor" else itself(turned)


def answer_wild(rules: Ruleset, question: Question) -> HandResult:
    """The wildcard that each turned tile would make."""
    made = [wild_from(turned, lambda tile: becomes(rules.chosen, tile)) for turned in question.facts.flips]
    return HandResult.told(("wilds", [tile_text(tile) for tile in made]))


def penalty(rules: Ruleset, facts: TableFacts) -> int:  # noqa: ARG001
    """What a false win pays each opponent: the cheapest legal win, base × 2.

    Raises:
        RulesInputError: With `pay_n` the referee has to name the points.
    """
    if rules.chosen["false_win"] == "pay_n":
        raise Impossible("false_win_points")
    return number(rules.chosen, "base") * 2


def answer_fee(rules: Ruleset, question: Question) -> HandResult:
    """The service fee after a hand: everybody's, or only that of a player who abandons the table; never below zero.

    What the hand paid is in the event (`payments`), or follows from the winners of the question.
    """
    facts, most = question.facts, number(rules.chosen, "service_fee")
    if len(facts.balances) != 4:
        raise RulesInputError(f"state.balances needs four numbers, found {list(facts.balances)}")
    result = rules.judge(question.winners, facts) if question.winners else HandResult.told()
    left = None
    for event in question.events:
        if event.text("result", "win", "draw", "abandoned") == "abandoned":
            left = event.seat("by")
        if "payments" in event:
            result = replace(result, payments=paid_before(event))
    held = [max(0, balance + paid) for balance, paid in zip(facts.balances, result.payments, strict=True)]
    fee = [min(most, one) if left in (None, seat) else 0 for seat, one in enumerate(held)]
    after: list[Plain] = [one - taken for one, taken in zip(held, fee, strict=True)]
    return replace(result, valid=True, extras=(*result.extras, ("fee", list(fee)), ("balances_after", after)))


def paid_before(event: Event) -> tuple[int, int, int, int]:
    """What the hand has paid already, as the event says.

    Raises:
        RulesInputError: These are not four whole numbers that sum to zero.
    """
    given = event.fields["payments"]
    paid: list[int] = []
    if isinstance(given, list):
        paid = [one for one in given if isinstance(one, int) and not isinstance(one, bool)]
    if len(paid) != 4 or sum(paid) != 0:
        raise RulesInputError(f"event {event.number}: payments must be four whole numbers of sum 0, found {given!r}")
    return paid[0], paid[1], paid[2], paid[3]


def answer_claim(rules: Ruleset, question: Question) -> HandResult:
    """The usual order of claims; a wildcard, a quitter and a wish after the time limit get nothing."""
    event, facts = question.event(), question.facts
    wild = rules.wild(rules.chosen, facts).wild
    if event.tile("discard") == wild:
        return claim_result(None, None)
    limit = number_or_none(rules.chosen, "claim_timeout")
    late = {seat for seat, after in event.by_seat("seconds") if limit is not None and seconds(after) > limit}
    wishes = heard(rules, event).without(late | set(facts.quit))
    if rules.chosen["discard_win"] == "no":
        wishes = replace(wishes, winners=())
    return claim_result(*best_claim(rules, wishes))


def seconds(text: str) -> float:
    """A time after the discard.

    Raises:
        RulesInputError: It is no number.
    """
    try:
        return float(text)
    except ValueError:
        raise RulesInputError(f'seconds: "{text}" is no number of seconds') from None

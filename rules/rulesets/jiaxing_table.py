"""嘉興麻將 around a win: who may take a discard, and the service fee after a hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rules.claims import best_claim, claim_result
from rules.errors import RulesInputError
from rules.model import HandResult, Plain
from rules.question import Event, Question

if TYPE_CHECKING:
    from rules.ruleset import Ruleset


def answer_fee(rules: Ruleset, question: Question) -> HandResult:
    """The service fee after a hand: everybody's, or only that of a player who abandons the table; never below zero."""
    facts, most = question.facts, rules.chosen["service_fee"]
    if len(facts.balances) != 4 or not isinstance(most, int):
        raise RulesInputError(f"state.balances needs four numbers, found {list(facts.balances)}")
    left = None
    for event in question.events:
        if event.text("result", "win", "draw", "abandoned") == "abandoned":
            left = event.seat("by")
    result = rules.judge(question.winners, facts) if question.winners else HandResult(True, (0, 0, 0, 0))
    held = [max(0, balance + paid) for balance, paid in zip(facts.balances, result.payments, strict=True)]
    fee = [min(most, one) if left in (None, seat) else 0 for seat, one in enumerate(held)]
    after: list[Plain] = [one - taken for one, taken in zip(held, fee, strict=True)]
    return replace(result, extras=(*result.extras, ("fee", list(fee)), ("balances_after", after)))


def answer_claim(rules: Ruleset, question: Question) -> HandResult:
    """The usual order of claims; a wildcard, a quitter and a wish after the time limit get nothing."""
    event, facts = question.event(), question.facts
    wild = rules.wild(rules.chosen, facts).wild
    if event.tile("discard") == wild:
        return claim_result(None, None)
    limit = rules.chosen["claim_timeout"]
    late = {seat for seat, after in event.by_seat("seconds") if isinstance(limit, int) and seconds(after) > limit}
    out = late | set(facts.quit)
    wants: dict[str, Plain] = {str(seat): wish for seat, wish in event.by_seat("wants") if seat not in out}
    winners = () if rules.chosen["discard_win"] == "no" else event.seats("can_win")
    heard: dict[str, Plain] = {
        **event.fields,
        "wants": wants,
        "can_win": [*(seat for seat in winners if seat not in out)],
    }
    return claim_result(*best_claim(rules, Event(heard, event.number)))


def seconds(text: str) -> float:
    """A time after the discard.

    Raises:
        RulesInputError: It is no number.
    """
    try:
        return float(text)
    except ValueError:
        raise RulesInputError(f'seconds: "{text}" is no number of seconds') from None

"""Who may take a discard: a win goes before a pung or kong, those before a chow; among wins the nearest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.errors import RulesInputError
from rules.model import HandResult, Plain, Seat
from rules.payments import nearest
from rules.question import Event, Question

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

RANK = {"kong_open": 2, "peng": 2, "chi": 1}


def answer_claim(rules: Ruleset, question: Question) -> HandResult:
    """The usual order of claims, nearest winner counter-clockwise from the discarder, chow by the next seat only."""
    seat, claim = best_claim(rules, question.event())
    return claim_result(seat, claim)


def best_claim(rules: Ruleset, event: Event, *, chow_from_any: bool = False) -> tuple[Seat | None, str | None]:
    """Who gets the discard of this event and for what; (None, None) when nobody wants it.

    Raises:
        RulesInputError: A wish that is no claim, or a chow by a player who may not chow this discard.
    """
    source = event.seat("from")
    winners = event.seats("can_win")
    if winners:
        return nearest(source, winners, rules.seats), "hu"
    best: tuple[Seat | None, str | None] = (None, None)
    for seat, wish in event.by_seat("wants"):
        if wish not in RANK:
            raise RulesInputError(f"seat {seat} wants {wish!r}; a claim is one of {', '.join(RANK)}")
        if wish == "chi" and not chow_from_any and seat != (source + 1) % rules.seats:
            raise RulesInputError(f"seat {seat} cannot chow a discard of seat {source}; only the next seat may")
        if best[1] is None or RANK[wish] > RANK[best[1]]:
            best = (seat, wish)
    return best


def claim_result(seat: Seat | None, claim: str | None, *extras: tuple[str, Plain]) -> HandResult:
    """The answer to a claim question."""
    return HandResult(True, (0, 0, 0, 0), extras=(("claim_goes_to", seat), ("claim", claim), *extras))

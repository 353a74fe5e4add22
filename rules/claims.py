"""Who may take a discard: a win goes before a pung or kong, those before a chow; among equals the nearest."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.errors import RulesInputError
from rules.model import HandResult, Plain, Seat
from rules.payments import nearest, seats_after
from rules.question import Event, Question
from rules.validation import check_seat

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

RANK = {"kong_open": 2, "peng": 2, "chi": 1}
WISHES = (*RANK, "hu", "pass")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the players say about the discard of `source`: who wins, nearest first, and who wants which meld."""

    source: Seat
    winners: tuple[Seat, ...] = ()
    melds: tuple[tuple[Seat, str], ...] = ()

    def without(self, seats: Container[Seat]) -> Wishes:
        """The same with these players not heard."""
        winners = tuple(seat for seat in self.winners if seat not in seats)
        return Wishes(self.source, winners, tuple(one for one in self.melds if one[0] not in seats))


def heard(rules: Ruleset, event: Event, able: Iterable[Seat] | None = None, *, may_pass: bool = True) -> Wishes:
    """The wishes of a claim event `{discard, from, wants, can_win}`; who can win wins unless he wants `pass`.

    Args:
        rules: The ruleset.
        event: The discard.
        able: Who can win it, where the table knows better than `can_win`.
        may_pass: Whether a win may be passed.

    Raises:
        RulesInputError: A word that is no claim, or a claim by a player who may not make it.
    """
    source, wants = event.seat("from"), dict(event.by_seat("wants"))
    can_win = event.seats("can_win") if able is None else tuple(able)
    for seat in (source, *wants, *can_win):
        check_seat(rules, seat, "a claim")
    if source in wants or source in can_win:
        raise RulesInputError(f"seat {source} discarded the tile and cannot claim it himself")
    for seat, wish in wants.items():
        if wish not in WISHES:
            raise RulesInputError(f"seat {seat} wants {wish!r}; a claim is one of {', '.join(WISHES)}")
        if wish == "chi" and not rules.chow_from_any and seat != (source + 1) % rules.seats:
            raise RulesInputError(f"seat {seat} cannot chow a discard of seat {source}; only the next seat may")
    takers = {*can_win, *(seat for seat, wish in wants.items() if wish == "hu" and able is None)}
    if may_pass:
        takers -= {seat for seat, wish in wants.items() if wish == "pass"}
    winners = tuple(seat for seat in seats_after(source, rules.seats) if seat in takers)
    return Wishes(source, winners, tuple((seat, wish) for seat, wish in wants.items() if wish in RANK))


def best_claim(rules: Ruleset, wishes: Wishes) -> tuple[Seat | None, str | None]:
    """Who gets the discard and for what; (None, None) when nobody wants it.

    Raises:
        RulesInputError: Two players want a pung or kong of the same tile.
    """
    if wishes.winners:
        return wishes.winners[0], "hu"
    melds = dict(wishes.melds)
    strong = [seat for seat, wish in wishes.melds if RANK[wish] == RANK["peng"]]
    if len(strong) > 1:
        raise RulesInputError(f"seats {strong} both want a pung or kong, but only four copies of a tile exist")
    first = strong[0] if strong else nearest(wishes.source, melds, rules.seats)
    return (None, None) if first is None else (first, melds[first])


def claim_result(seat: Seat | None, claim: str | None, *extras: tuple[str, Plain]) -> HandResult:
    """The answer to a claim question."""
    return HandResult.told(("claim_goes_to", seat), ("claim", claim), *extras)


def answer_claim(rules: Ruleset, question: Question) -> HandResult:
    """The usual order of claims: one winner, the nearest counter-clockwise from the discarder."""
    return claim_result(*best_claim(rules, heard(rules, question.event())))


def all_who_can(rules: Ruleset, wishes: Wishes) -> HandResult:
    """Everybody who can win the discard wins it (一炮多響), named in `all_winners`; else the best meld counts."""
    winners: list[Plain] = [*wishes.winners]
    return claim_result(*best_claim(rules, wishes), *((("all_winners", winners),) if winners else ()))

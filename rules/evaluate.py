"""Evaluate, choose, settle: how every ruleset judges a declared win.

1. evaluate: every reading of the tiles, its fans counted by the ruleset's rows;
2. choose: the reading that is worth most to the winner after the ruleset's whole arithmetic;
3. settle: transfers between seats, each with its reason.

The steps are the same for all rulesets; what differs is data and small functions in the `Ruleset` value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from rules.fans import Fan, Tally, Traits, count_fans, trait_names, traits
from rules.hand import Case, Hand, hands_of
from rules.model import HandResult, Plain, Points, Refusal, Seat, TableFacts, Transfer, Verdict, Win, Winner
from rules.payments import nearest, vector
from rules.validation import check_together, check_winner, remarks_together

if TYPE_CHECKING:
    from rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Price:
    """What one reading is worth.

    `worth` orders the readings (the winner's income first, tie-breakers after it); `numbers` are what the ruleset
    reports (`total`, `fan`, `unit` ...); `refused` names the reason when the value is too small to win.
    """

    worth: tuple[Points, ...]
    numbers: tuple[tuple[str, int], ...]
    tally: Tally
    refused: str | None = None

    @property
    def value(self) -> Points:
        """The first of `worth`: the points that decide between readings."""
        return self.worth[0]

    def number(self, name: str) -> int:
        """One of the reported numbers."""
        return dict(self.numbers)[name]


@dataclass(frozen=True, slots=True)
class Judged:
    """One declared win after evaluation: the verdict, and for a priced reading the hand and its price."""

    case: Case
    verdict: Verdict
    hand: Hand | None = None
    price: Price | None = None

    @property
    def seat(self) -> Seat:
        """The declarer's seat."""
        return self.case.winner.seat


@dataclass(frozen=True, slots=True)
class Settlement:
    """What moves, and the outcomes a ruleset reports beside the payments."""

    transfers: tuple[Transfer, ...] = ()
    extras: tuple[tuple[str, Plain], ...] = ()
    notes: tuple[str, ...] = field(default=())


REASONS: dict[str, str] = {
    "shape": "the tiles make no complete hand of this ruleset",
    "below_minimum": "the hand is complete but worth less than the minimum",
    "not_opened": "the hand must be opened by a chow, a pung or an exposed kong first",
    "pair_not_258": "the pair must be of 2, 5 or 8",
    "three_suits": "the hand holds all three suits",
    "no_required_tai": "none of the required patterns is in the hand",
    "rob_forbidden_any_tile_wait": "a hand that any tile would complete may not rob a kong",
    "passed_same_tile": "the same tile was passed before and the player has not acted since",
    "holding_hongzhong": "a red dragon is still in the hand",
    "two_laizi_small": "a small win is not allowed while two wildcards are held",
    "discard_win_not_allowed": "this tile cannot be taken from another player to win",
    "tile_not_in_set": "the hand holds a tile that this ruleset does not use",
}
"""The fixed words of the question format, each with its sentence."""

SECOND_WINNER = "another player who wins comes before this one"


def judge(rules: Ruleset, winners: Sequence[Winner], facts: TableFacts) -> HandResult:
    """Judge all declared wins of one moment and settle the valid ones.

    Raises:
        RulesInputError: A winner's tiles or circumstances are impossible.
    """
    check_together(winners)
    judged = [judge_winner(rules, winner, facts) for winner in winners]
    wins = [one for one in judged if one.verdict.valid]
    standing = {one.seat: one for one in rules.several(rules, wins, facts)} if wins else {}
    final = [standing.get(one.seat) or overtaken(one) if one.verdict.valid else one for one in judged]
    settlement = rules.settle(rules, list(standing.values()), facts) if wins else Settlement()
    return HandResult(
        valid=bool(wins),
        payments=vector(settlement.transfers),
        winners=tuple(one.verdict for one in final),
        transfers=settlement.transfers,
        notes=settlement.notes + remarks_together(winners),
        extras=settlement.extras,
    )


def judge_winner(rules: Ruleset, winner: Winner, facts: TableFacts, *, checked: bool = False) -> Judged:
    """Evaluate one declared win and choose its best reading.

    Args:
        rules: The ruleset with its options chosen.
        winner: The declared win.
        facts: The table.
        checked: The input is known to be possible (waits probe many tiles of one checked hand).
    """
    if not checked:
        check_winner(rules, winner, facts)
    case = Case(rules, winner, facts)
    reason = _entry(rules, case)
    if reason:
        return Judged(case, refuse(case, reason))
    return judge_case(rules, case)


def _entry(rules: Ruleset, case: Case) -> str | None:
    """The reason of the first entry gate that does not let this win pass."""
    if case.kinds & ~rules.tile_kinds:
        return "tile_not_in_set"
    for gate in rules.before:
        reason = gate(case)
        if reason:
            return reason
    return None


def judge_case(rules: Ruleset, case: Case) -> Judged:
    """Choose the best reading of a case that has passed the ruleset's entry gates."""
    best: tuple[Hand, Price] | None = None
    closest = (-1, "shape")
    for hand in hands_of(case):
        tally = count_fans(rows_to_ask(rules, traits(hand)), hand)
        gate = _gate(rules, hand, tally)
        if gate is not None:
            closest = max(closest, gate, key=lambda one: one[0])
            continue
        price = rules.price(hand, tally)
        if best is None or price.worth > best[1].worth:
            best = hand, price
    if best is None:
        return Judged(case, refuse(case, closest[1]))
    hand, price = best
    return Judged(case, _verdict(rules, hand, price), hand, price)


@lru_cache(maxsize=1 << 12)
def rows_to_ask(rules: Ruleset, has: Traits) -> tuple[Fan, ...]:
    """The rows that a hand with these traits can have at all."""
    words = trait_names(has)
    return tuple(row for row in rules.fans if row.needs is None or row.needs in words)


def _gate(rules: Ruleset, hand: Hand, tally: Tally) -> tuple[int, str] | None:
    """The first gate that refuses a reading, with its place: later ones are nearer to a win."""
    for place, gate in enumerate(rules.gates):
        reason = gate(hand, tally)
        if reason:
            return place, reason
    return None


def _verdict(rules: Ruleset, hand: Hand, price: Price) -> Verdict:
    lines, not_counted = price.tally.lines(), price.tally.not_counted()
    reading, notes, seat = hand.whole_reading(), rules.notes(hand.case), hand.case.winner.seat
    if price.refused:
        detail = REASONS.get(price.refused, "")
        return Refusal(seat, price.refused, detail, lines, price.numbers, reading, not_counted, notes)
    return Win(seat, lines, price.numbers, reading, not_counted, notes)


def refuse(case: Case, reason: str) -> Refusal:
    """A refusal without fans."""
    return Refusal(case.winner.seat, reason, REASONS.get(reason, ""), notes=case.rules.notes(case))


def overtaken(one: Judged) -> Judged:
    """A win that does not stand because another comes first; its fans are kept for the record."""
    verdict = one.verdict
    refusal = Refusal(
        verdict.seat,
        "discard_win_not_allowed",
        SECOND_WINNER,
        verdict.fans,
        verdict.numbers,
        verdict.reading,
        verdict.not_counted,
        (*verdict.notes, SECOND_WINNER),
    )
    return Judged(one.case, refusal, one.hand, one.price)


# ------------------------------------------------- who wins when several can (the `several` policy)


def all_win(rules: Ruleset, wins: Sequence[Judged], facts: TableFacts) -> Sequence[Judged]:  # noqa: ARG001
    """Everybody who can win the tile wins it (一炮多響)."""
    return wins


def nearest_wins(rules: Ruleset, wins: Sequence[Judged], facts: TableFacts) -> Sequence[Judged]:  # noqa: ARG001
    """Only the first winner counter-clockwise after the player whose tile is won."""
    if len(wins) == 1:
        return wins
    source = wins[0].case.winner.from_seat
    first = nearest(wins[0].seat if source is None else source, (one.seat for one in wins), rules.seats, itself=True)
    return [one for one in wins if one.seat == first]


def nearest_to_dealer_wins(rules: Ruleset, wins: Sequence[Judged], facts: TableFacts) -> Sequence[Judged]:
    """Only the first winner counter-clockwise counting from the dealer."""
    first = nearest(facts.dealer, (one.seat for one in wins), rules.seats, itself=True)
    return [one for one in wins if one.seat == first]

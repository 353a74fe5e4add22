"""起手胡 of 長沙麻將: dealt tiles that are paid at once, before the first discard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.errors import Impossible, RulesInputError
from rules.evaluate import Judged, overtaken, refuse
from rules.fans import Fan, count_fans, needs
from rules.hand import NOWHERE, Case, Hand
from rules.model import HandResult, Plain, Reading, TableFacts, Transfer, Verdict, Win, Winner
from rules.patterns.kinds import TWO_FIVE_EIGHT, suits_held
from rules.payments import pay, seats_after, vector
from rules.question import Question
from rules.rulesets.changsha_birds import bird_seat, birds_of, doubled, origin_of, small_self_draw
from rules.tiles import tiles_text
from rules.validation import check_together, check_winner

if TYPE_CHECKING:
    from rules.ruleset import Ruleset


@needs("start_hand")
def dealt_foursome(hand: Hand) -> bool:
    """Four identical tiles are dealt."""
    return max(hand.counts) == 4


@needs("start_hand")
def without_258(hand: Hand) -> bool:
    """No 2, 5 or 8 is dealt."""
    return not hand.kinds & TWO_FIVE_EIGHT


@needs("start_hand")
def suit_missing(hand: Hand) -> bool:
    """A suit is missing from the dealt tiles."""
    return suits_held(hand) < 3


@needs("start_hand")
def two_triplets(hand: Hand) -> bool:
    """Two triplets are dealt."""
    return sum(count >= 3 for count in hand.counts) >= 2


@needs("start_hand")
def three_equal_pairs(hand: Hand) -> bool:
    """A pair of the same rank is dealt in each suit."""
    return any(all(hand.counts[suit + rank] >= 2 for suit in (0, 9, 18)) for rank in range(9))


START_FANS: tuple[Fan, ...] = (
    Fan("四喜", 1, dealt_foursome, layer="start"),
    Fan("板板胡", 1, without_258, layer="start"),
    Fan("缺一色", 1, suit_missing, layer="start"),
    Fan("六六順", 1, two_triplets, layer="start"),
)
THREE_ALIKE = Fan("三同", 1, three_equal_pairs, layer="start")


def answer_start(rules: Ruleset, question: Question) -> HandResult:
    """Which dealt hands are starting wins: each is paid like a small self-draw, and play goes on.

    With `start_win` "ends_hand" the first who declares, counted from the dealer, ends the hand.
    """
    facts = question.facts
    if not question.winners:
        raise RulesInputError('a question of kind start needs the dealt hands in "winners"')
    check_together(question.winners)
    judged = [judge_dealt(rules, winner, facts) for winner in question.winners]
    won = {one.seat: one for one in judged if one.verdict.valid}
    ends = rules.chosen["start_win"] == "ends_hand"
    if ends and won:
        first = next(seat for seat in (facts.dealer, *seats_after(facts.dealer)) if seat in won)
        won = {first: won[first]}
    transfers = tuple(one for seat in won for one in start_money(rules, won[seat], facts))
    verdicts: tuple[Verdict, ...] = tuple(
        one.verdict if one.seat in won or not one.verdict.valid else overtaken(one).verdict for one in judged
    )
    extras: list[tuple[str, Plain]] = [("continues", not (ends and won))]
    if rules.chosen["start_birds"]:
        extras.append(("bird_seats", [*hits(rules, won, facts)]))
    return HandResult(bool(won), vector(transfers), verdicts, transfers, extras=tuple(extras))


def judge_dealt(rules: Ruleset, winner: Winner, facts: TableFacts) -> Judged:
    """The starting patterns of one dealt hand.

    Raises:
        RulesInputError: It is no dealt hand: melds, a winning tile, or the wrong number of tiles.
    """
    size = rules.hand_size + (winner.seat == facts.dealer)
    if winner.source != "start_hand" or winner.win_tile is not None or winner.melds:
        raise Impossible("start_form", seat=winner.seat)
    check_winner(rules, winner, facts)
    if len(winner.hand) not in (rules.hand_size, size):
        raise Impossible("start_size", seat=winner.seat, tiles=tiles_text(winner.hand), count=len(winner.hand))
    case = Case(rules, winner, facts)
    if case.kinds & ~rules.tile_kinds:
        return Judged(case, refuse(case, "tile_not_in_set"))
    hand = Hand(case, Reading("free"), NOWHERE)
    found = count_fans([row for row in rules.fans if row.layer == "start"], hand)
    if not found.counted:
        return Judged(case, refuse(case, "shape"))
    kept = found.keep_dearest("start") if rules.chosen["start_multi"] == "single" else found
    return Judged(case, Win(winner.seat, kept.lines(), not_counted=kept.not_counted()), hand)


def start_money(rules: Ruleset, one: Judged, facts: TableFacts) -> tuple[Transfer, ...]:
    """Every other player pays a small self-draw for each pattern; birds double it only with `start_birds`."""
    units = sum(int(line.value) * line.count for line in one.verdict.fans)
    hit = hits(rules, {one.seat: one}, facts) if rules.chosen["start_birds"] else ()
    return tuple(
        paid
        for payer in seats_after(one.seat)
        for paid in pay(
            payer,
            one.seat,
            doubled(units * small_self_draw(rules, one.seat, payer, facts.dealer), hit, (one.seat, payer)),
            "starting win",
        )
    )


def hits(rules: Ruleset, won: dict[int, Judged], facts: TableFacts) -> tuple[int, ...]:
    """The seats that the birds of a starting win point at."""
    if not won:
        return ()
    origin = origin_of(rules.chosen, [*won][:1], None, facts)
    return tuple(bird_seat(origin, bird) for bird in birds_of(rules.chosen, facts))

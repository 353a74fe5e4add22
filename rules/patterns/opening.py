"""The first turn, the end of the wall, and flowers: circumstances that several rulesets price or check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.errors import Impossible
from rules.fans import needs
from rules.hand import Case, Hand
from rules.model import TableFacts, Winner

if TYPE_CHECKING:
    from rules.ruleset import Ruleset


def heavenly_win(hand: Hand) -> bool:
    """The dealer's dealt tiles are complete."""
    winner = hand.case.winner
    dealt = winner.source == "start_hand" or (winner.source == "self_draw" and winner.first_turn)
    return dealt and hand.case.is_dealer and not winner.melds


def earthly_win(hand: Hand) -> bool:
    """A player other than the dealer wins with the first tile drawn, before anybody has claimed."""
    winner = hand.case.winner
    first_draw = winner.source == "self_draw" and winner.first_turn and not winner.claims_before
    return first_draw and not hand.case.is_dealer and not winner.melds


def human_win(hand: Hand) -> bool:
    """A player other than the dealer wins on the dealer's first discard."""
    winner = hand.case.winner
    first_discard = winner.source == "discard" and winner.first_turn and winner.from_seat == hand.case.facts.dealer
    return first_discard and not winner.melds


def only_the_dealer_is_dealt_a_win(rules: Ruleset, winner: Winner, facts: TableFacts) -> None:  # noqa: ARG001
    """Fourteen tiles are dealt to the dealer alone.

    Raises:
        RulesInputError: Another player is said to win with the tiles dealt.
    """
    if winner.source == "start_hand" and winner.seat != facts.dealer:
        raise Impossible("dealt_win_of_dealer", seat=winner.seat, dealer=facts.dealer)


def wall_is_empty(facts: TableFacts, drawable: int) -> bool:
    """Whether the winning tile is the last that may be drawn, or the discard after it.

    Args:
        facts: The table: `last_tile`, `wall_left` or `drawn` tells it, whichever is known.
        drawable: How many tiles of the wall may be drawn in this ruleset.
    """
    return facts.last_tile or facts.wall_left == 0 or (facts.drawn is not None and facts.drawn >= drawable)


def check_drawn(facts: TableFacts, drawable: int) -> None:
    """Check that no more tiles were drawn than the wall gives.

    Raises:
        RulesInputError: There were more.
    """
    if facts.drawn is not None and facts.drawn > drawable:
        raise Impossible("drawn_too_many", drawn=facts.drawn, count=drawable)


@needs("flowers")
def flowers_laid(hand: Hand) -> int:
    """One for each flower laid aside."""
    return flowers_of(hand.case)


def flowers_of(case: Case) -> int:
    """How many flowers the winner has laid aside, by the tiles of the winner or the counts of the table.

    Raises:
        RulesInputError: Both are given and differ, or the table counts are not one for each seat and eight at most.
    """
    counted, laid, seats = case.facts.flowers, case.winner.flowers, case.rules.seats
    if not counted:
        return len(laid)
    if len(counted) not in (seats, 4) or sum(counted) > 8:
        raise Impossible("flower_counts", count=seats, counts=str(list(counted)))
    if laid and len(laid) != counted[case.seat]:
        raise Impossible("flowers_differ", seat=case.seat, found=len(laid), count=counted[case.seat])
    return counted[case.seat]

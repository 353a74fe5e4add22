"""Patterns by special shapes, by the wait, and by the way the winning tile came."""

from __future__ import annotations

from rules.fans import needs
from rules.hand import Case, Hand
from rules.shapes import KNITTED
from rules.tiles import HONOURS, Tile, kinds_of

KNITTED_NINES = tuple(kinds_of(nine) for nine in KNITTED)
NINE_GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)


def any_hand(hand: Hand) -> bool:  # noqa: ARG001
    """Any complete hand."""
    return True


def concealed_hand(hand: Hand) -> bool:
    """No chow, pung or exposed kong; a concealed kong is allowed."""
    return hand.case.concealed


# ---------------------------------------------------------------- special shapes


@needs("seven_pairs")
def seven_pairs(hand: Hand) -> bool:
    """Seven pairs; four equal tiles count as two pairs."""
    return hand.form == "seven_pairs"


@needs("seven_pairs")
def seven_shifted_pairs(hand: Hand) -> bool:
    """Seven pairs of one suit in seven consecutive ranks."""
    if hand.form != "seven_pairs":
        return False
    low = hand.reading.pairs[0]
    return low < 27 and low % 9 <= 2 and hand.reading.pairs == tuple(range(low, low + 7))


@needs("orphans")
def thirteen_orphans(hand: Hand) -> bool:
    """One of each of the 13 terminals and honours, and a second copy of one of them."""
    return hand.form == "orphans"


@needs("knitted")
def lesser_knitted(hand: Hand) -> bool:
    """Fourteen different tiles from the seven honours and 147, 258, 369, one sequence per suit."""
    return hand.form == "knitted"


@needs("knitted")
def greater_knitted(hand: Hand) -> bool:
    """All seven honours once and seven different tiles of 147, 258, 369, one sequence per suit."""
    return hand.form == "knitted" and hand.kinds & HONOURS == HONOURS


def knitted_straight(hand: Hand) -> bool:
    """147, 258 and 369, one sequence per suit, beside a set and a pair or inside fourteen single tiles."""
    if hand.form == "knitted_straight":
        return True
    return hand.form == "knitted" and any(hand.kinds & nine == nine for nine in KNITTED_NINES)


@needs("standard")
def nine_gates(hand: Hand) -> bool:
    """Concealed 1112345678999 of one suit before the winning tile, won on any tile of that suit."""
    case = hand.case
    if case.winner.melds or hand.form != "standard" or case.win_tile is None or hand.kinds.bit_count() != 9:
        return False
    suit = hand.pair or 0
    held = hand.counts[suit // 9 * 9 : suit // 9 * 9 + 9]
    if sum(held) != 14:
        return False
    for tile in hand.reading.wilds_as if case.win_is_wild else (case.win_tile,):
        held[tile % 9] -= 1
        if tuple(held) == NINE_GATES:
            return True
        held[tile % 9] += 1
    return False


# ---------------------------------------------------------------- the wait


def only_wait(hand: Hand) -> bool:
    """Whether exactly one kind of tile could win; exhausted kinds count as waits too."""
    case = hand.case
    return case.waits.bit_count() == 1 and (case.win_is_wild or case.waits == 1 << (case.win_tile or 0))


@needs("wait")
def edge_wait(hand: Hand) -> bool:
    """The 3 of 123 or the 7 of 789 was the only tile that could win."""
    return hand.wait == "edge" and only_wait(hand)


@needs("wait")
def closed_wait(hand: Hand) -> bool:
    """The middle tile of a chow was the only tile that could win."""
    return hand.wait == "closed" and only_wait(hand)


@needs("wait")
def single_wait(hand: Hand) -> bool:
    """The second tile of the pair was the only tile that could win."""
    return hand.wait == "single" and only_wait(hand)


# ---------------------------------------------------------------- how the winning tile came


@needs("self-draw")
def self_drawn(hand: Hand) -> bool:
    """The winner drew the winning tile, replacements included."""
    return hand.case.self_drawn


@needs("self-draw")
def fully_concealed(hand: Hand) -> bool:
    """No melded set and a self-drawn win."""
    return hand.case.concealed and hand.case.self_drawn


@needs("claim")
def concealed(hand: Hand) -> bool:
    """No melded set and a win on another player's tile."""
    return hand.case.concealed and not hand.case.self_drawn


@needs("claim")
def melded_hand(hand: Hand) -> bool:
    """Four melded sets, and the pair completed by another player's tile."""
    return hand.case.open_melds == 4 and not hand.case.self_drawn


@needs("last tile")
def last_tile_draw(hand: Hand) -> bool:
    """Self-draw of the last tile of the wall."""
    return hand.case.facts.last_tile and hand.case.self_drawn


@needs("last tile")
def last_tile_claim(hand: Hand) -> bool:
    """Win on the discard made after the wall is exhausted."""
    return hand.case.facts.last_tile and not hand.case.self_drawn


@needs("kong_replacement")
def replacement_tile(hand: Hand) -> bool:
    """Self-draw on the tile taken after declaring a kong."""
    return hand.case.winner.source == "kong_replacement"


@needs("rob_kong")
def robbing_the_kong(hand: Hand) -> bool:
    """Win on the tile another player adds to a melded pung."""
    return hand.case.winner.source == "rob_kong"


def last_of_kind_possible(case: Case) -> bool:
    """Whether all other copies of the winning tile can be visible: the winner holds none of them concealed."""
    return case.win_tile is not None and not case.win_is_wild and case.free[case.win_tile] == 1


def last_of_kind(hand: Hand) -> bool:
    """Win on the fourth copy of a tile whose other three are all visible on the table."""
    case = hand.case
    if not last_of_kind_possible(case):
        return False
    return case.winner.last_of_kind or _in_own_melds(case, case.win_tile or 0) == 3


def _in_own_melds(case: Case, tile: Tile) -> int:
    return case.counts[tile] - case.free[tile]

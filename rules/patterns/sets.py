"""Patterns made of the hand's chows, pungs, kongs and pair."""

from __future__ import annotations

from rules.combinations import chow_fans, pung_fans
from rules.fans import needs
from rules.hand import Hand
from rules.patterns.kinds import EVEN, TWO_FIVE_EIGHT, full_flush, terminals_and_honours
from rules.tiles import DRAGONS, HONOURS, TERMINALS, WINDS, Kinds, kinds

TERMINALS_AND_HONOURS = TERMINALS | HONOURS
FIVES = kinds("5m5p5s")


# ---------------------------------------------------------------- all sets alike


@needs("standard")
def all_pungs(hand: Hand) -> bool:
    """Every set is a pung or a kong, beside a pair."""
    return not hand.chows and hand.form == "standard"


@needs("standard")
def flush_of_pungs(hand: Hand) -> bool:
    """One suit, and every set a pung or a kong."""
    return all_pungs(hand) and full_flush(hand)


@needs("standard")
def pungs_of_terminals_and_honours(hand: Hand) -> bool:
    """Pungs or kongs and a pair of terminals and honours, both present."""
    return all_pungs(hand) and terminals_and_honours(hand)


def pair_of_258(hand: Hand) -> bool:
    """The pair is of 2, 5 or 8."""
    return hand.pair is not None and TWO_FIVE_EIGHT >> hand.pair & 1 == 1


@needs("no honours")
def all_chows(hand: Hand) -> bool:
    """Every set is a chow and the pair is of a suit."""
    return not hand.pungs and hand.pair is not None and hand.pair < 27 and hand.form in ("standard", "knitted_straight")


@needs("4 pungs")
def all_even_pungs(hand: Hand) -> bool:
    """Pungs or kongs and the pair are all of ranks 2, 4, 6 and 8."""
    return not hand.kinds & ~EVEN and all_pungs(hand)


@needs("no honours")
def all_fives(hand: Hand) -> bool:
    """Every set and the pair contains a 5."""
    if hand.form != "standard" or hand.pair is None or not FIVES >> hand.pair & 1 or hand.pung_kinds & ~FIVES:
        return False
    return all(2 <= low % 9 <= 4 for low in hand.chows)


@needs("standard")
def outside_hand(hand: Hand) -> bool:
    """Every set and the pair contains a terminal or an honour."""
    if hand.form != "standard" or hand.pung_kinds & ~TERMINALS_AND_HONOURS:
        return False
    pair = hand.pair
    return pair is not None and TERMINALS_AND_HONOURS >> pair & 1 == 1 and all(low % 9 in (0, 6) for low in hand.chows)


# ---------------------------------------------------------------- winds and dragons


def wind_pungs(hand: Hand) -> Kinds:
    """Which winds are pungs or kongs."""
    return hand.pung_kinds & WINDS


def dragon_pungs(hand: Hand) -> Kinds:
    """Which dragons are pungs or kongs."""
    return hand.pung_kinds & DRAGONS


@needs("4 pungs")
def big_four_winds(hand: Hand) -> bool:
    """Pungs or kongs of all four winds, with any pair."""
    return hand.pung_kinds & WINDS == WINDS


@needs("3 pungs")
def little_four_winds(hand: Hand) -> bool:
    """Pungs or kongs of three winds and a pair of the fourth."""
    winds = hand.pung_kinds & WINDS
    return winds != 0 and winds.bit_count() == 3 and hand.pair is not None and WINDS >> hand.pair & 1 == 1


@needs("3 pungs")
def big_three_winds(hand: Hand) -> bool:
    """Pungs or kongs of three winds."""
    return (hand.pung_kinds & WINDS).bit_count() >= 3


@needs("3 pungs")
def big_three_dragons(hand: Hand) -> bool:
    """Pungs or kongs of all three dragons."""
    return hand.pung_kinds & DRAGONS == DRAGONS


@needs("2 pungs")
def little_three_dragons(hand: Hand) -> bool:
    """Pungs or kongs of two dragons and a pair of the third."""
    dragons = hand.pung_kinds & DRAGONS
    return dragons != 0 and dragons.bit_count() == 2 and hand.pair is not None and DRAGONS >> hand.pair & 1 == 1


@needs("2 pungs")
def two_dragon_pungs(hand: Hand) -> bool:
    """Pungs or kongs of two dragons."""
    return (hand.pung_kinds & DRAGONS).bit_count() >= 2


@needs("1 pung")
def dragon_pung(hand: Hand) -> int:
    """A pung or kong of a dragon."""
    return (hand.pung_kinds & DRAGONS).bit_count()


def round_wind_pung(hand: Hand) -> Kinds:
    """The pung or kong of the round wind, as a set of kinds."""
    return hand.pung_kinds & (1 << hand.case.round_wind)


def seat_wind_pung(hand: Hand) -> Kinds:
    """The pung or kong of the winner's seat wind, as a set of kinds."""
    return hand.pung_kinds & (1 << hand.case.seat_wind)


@needs("1 pung")
def prevalent_wind(hand: Hand) -> bool:
    """A pung or kong of the round wind."""
    return hand.pung_kinds & WINDS != 0 and round_wind_pung(hand) != 0


@needs("1 pung")
def seat_wind(hand: Hand) -> bool:
    """A pung or kong of the player's seat wind."""
    return hand.pung_kinds & WINDS != 0 and seat_wind_pung(hand) != 0


def terminal_or_honour_pungs(hand: Hand) -> Kinds:
    """Which terminals and honours are pungs or kongs."""
    return hand.pung_kinds & TERMINALS_AND_HONOURS


@needs("1 pung")
def pung_of_terminals_or_honours(hand: Hand) -> int:
    """A pung or kong of a 1, a 9 or an honour."""
    return (hand.pung_kinds & TERMINALS_AND_HONOURS).bit_count()


# ---------------------------------------------------------------- chows together


@needs("4 chows")
def quadruple_chow(hand: Hand) -> bool:
    """Four identical chows of one suit."""
    return chow_fans(hand.chows).quadruple


@needs("4 chows")
def four_shifted_chows(hand: Hand) -> bool:
    """Four chows of one suit, each one up, or each two up, from the previous."""
    return chow_fans(hand.chows).four_steps


@needs("3 chows")
def pure_triple_chow(hand: Hand) -> bool:
    """Three identical chows of one suit."""
    return chow_fans(hand.chows).triple


@needs("3 chows")
def pure_shifted_chows(hand: Hand) -> bool:
    """Three chows of one suit, each one up, or each two up, from the previous."""
    return chow_fans(hand.chows).steps


@needs("3 chows")
def pure_straight(hand: Hand) -> bool:
    """Chows 123, 456 and 789 of one suit."""
    return chow_fans(hand.chows).straight


@needs("3 chows")
def mixed_straight(hand: Hand) -> bool:
    """Chows 123, 456 and 789, each in a different suit."""
    return chow_fans(hand.chows).mixed_straight


@needs("3 chows")
def mixed_triple_chow(hand: Hand) -> bool:
    """The same chow in all three suits."""
    return chow_fans(hand.chows).mixed_triple


@needs("3 chows")
def mixed_shifted_chows(hand: Hand) -> bool:
    """Three chows in three suits, each exactly one up."""
    return chow_fans(hand.chows).mixed_steps


@needs("2 chows")
def pure_double_chow(hand: Hand) -> int:
    """Two identical chows of one suit, tied once."""
    return chow_fans(hand.chows).equal


@needs("2 chows")
def mixed_double_chow(hand: Hand) -> int:
    """The same chow in two suits, tied once."""
    return chow_fans(hand.chows).mixed_equal


@needs("2 chows")
def short_straight(hand: Hand) -> int:
    """Two chows of one suit that join into six consecutive ranks, tied once."""
    return chow_fans(hand.chows).six


@needs("2 chows")
def two_terminal_chows(hand: Hand) -> int:
    """Chows 123 and 789 of one suit, tied once."""
    return chow_fans(hand.chows).ends


@needs("4 chows")
def pure_terminal_chows(hand: Hand) -> bool:
    """Two 123, two 789 and a pair of 5 in one suit."""
    chows = hand.chows
    if len(chows) != 4 or chows[0] % 9 or hand.pair is None:
        return False
    low = chows[0]
    return chows == (low, low, low + 6, low + 6) and hand.pair == low + 4


@needs("4 chows")
def three_suited_terminal_chows(hand: Hand) -> bool:
    """123 and 789 in one suit, 123 and 789 in a second, a pair of 5 in the third."""
    chows = hand.chows
    if len(chows) != 4 or hand.pair is None or not FIVES >> hand.pair & 1:
        return False
    first, second = [suit for suit in (0, 1, 2) if suit != hand.pair // 9]
    return chows == (9 * first, 9 * first + 6, 9 * second, 9 * second + 6)


# ---------------------------------------------------------------- pungs and kongs together


@needs("4 pungs")
def four_shifted_pungs(hand: Hand) -> bool:
    """Four pungs or kongs of one suit in consecutive ranks."""
    return pung_fans(hand.pungs).four_steps


@needs("3 pungs")
def pure_shifted_pungs(hand: Hand) -> bool:
    """Three pungs or kongs of one suit in consecutive ranks."""
    return pung_fans(hand.pungs).steps


@needs("3 pungs")
def mixed_shifted_pungs(hand: Hand) -> bool:
    """Pungs or kongs in three suits with consecutive ranks."""
    return pung_fans(hand.pungs).mixed_steps


@needs("3 pungs")
def triple_pung(hand: Hand) -> bool:
    """Pungs or kongs of the same rank in all three suits."""
    return pung_fans(hand.pungs).triple


@needs("2 pungs")
def double_pung(hand: Hand) -> int:
    """Two pungs or kongs of the same rank in two suits."""
    return pung_fans(hand.pungs).double


@needs("4 pungs")
def four_concealed_pungs(hand: Hand) -> bool:
    """Four pungs or concealed kongs, none completed by another player's tile."""
    return hand.concealed_pungs >= 4


@needs("3 pungs")
def three_concealed_pungs(hand: Hand) -> bool:
    """Three pungs or concealed kongs completed without another player's tile."""
    return hand.concealed_pungs >= 3


@needs("2 pungs")
def two_concealed_pungs(hand: Hand) -> bool:
    """Two pungs or concealed kongs completed without another player's tile."""
    return hand.concealed_pungs >= 2


@needs("kongs")
def four_kongs(hand: Hand) -> bool:
    """Four kongs and a pair."""
    return hand.case.kongs >= 4


@needs("kongs")
def three_kongs(hand: Hand) -> bool:
    """Three kongs of any kind."""
    return hand.case.kongs >= 3


@needs("kongs")
def two_concealed_kongs(hand: Hand) -> bool:
    """Two concealed kongs."""
    return hand.case.concealed_kongs >= 2


@needs("kongs")
def two_melded_kongs(hand: Hand) -> bool:
    """Two melded kongs."""
    return hand.case.open_kongs >= 2


@needs("kongs")
def concealed_and_melded_kong(hand: Hand) -> bool:
    """One concealed and one melded kong."""
    return hand.case.concealed_kongs >= 1 and hand.case.open_kongs >= 1


@needs("kongs")
def concealed_kong(hand: Hand) -> int:
    """A concealed kong."""
    return hand.case.concealed_kongs


@needs("kongs")
def melded_kong(hand: Hand) -> int:
    """A melded kong, claimed or added."""
    return hand.case.open_kongs

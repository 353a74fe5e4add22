"""Patterns that depend only on which kinds of tiles a hand holds, in any shape."""

from __future__ import annotations

from rules.fans import needs
from rules.hand import Hand
from rules.tiles import (
    BAMBOOS,
    CHARACTERS,
    DOTS,
    DRAGONS,
    HONOURS,
    SIMPLES,
    SUITED,
    TERMINALS,
    WINDS,
    Kinds,
    kinds,
)

SUIT_KINDS = (CHARACTERS, DOTS, BAMBOOS)
GREEN_KINDS = kinds("23468s6z")
REVERSIBLE_KINDS = kinds("1234589p245689s5z")
UPPER = kinds("789m789p789s")
MIDDLE = kinds("456m456p456s")
LOWER = kinds("123m123p123s")
ABOVE_FIVE = kinds("6789m6789p6789s")
BELOW_FIVE = kinds("1234m1234p1234s")
EVEN = kinds("2468m2468p2468s")
TWO_FIVE_EIGHT = kinds("258m258p258s")


def only(hand: Hand, allowed: Kinds) -> bool:
    """Whether every tile is of these kinds."""
    return not hand.kinds & ~allowed


def suits_held(hand: Hand) -> int:
    """How many of the three suits the hand holds."""
    held = hand.kinds
    return (held & CHARACTERS != 0) + (held & DOTS != 0) + (held & BAMBOOS != 0)


@needs("no honours")
def full_flush(hand: Hand) -> bool:
    """All tiles are of one suit."""
    held = hand.kinds
    return not held & HONOURS and suits_held(hand) == 1


@needs("honours")
def half_flush(hand: Hand) -> bool:
    """One suit and honours, both present."""
    return hand.kinds & HONOURS != 0 and suits_held(hand) == 1


@needs("honours")
def all_honours(hand: Hand) -> bool:
    """Every tile is a wind or a dragon."""
    return not hand.kinds & SUITED


@needs("no honours")
def all_terminals(hand: Hand) -> bool:
    """Every tile is a 1 or a 9 of a suit."""
    return not hand.kinds & ~TERMINALS


@needs("honours")
def terminals_and_honours(hand: Hand) -> bool:
    """Every tile is a 1, a 9 or an honour, with both kinds present."""
    held = hand.kinds
    return not held & SIMPLES and held & TERMINALS != 0 and held & HONOURS != 0


@needs("no honours")
def all_simples(hand: Hand) -> bool:
    """No terminals and no honours."""
    return not hand.kinds & ~SIMPLES


def all_green(hand: Hand) -> bool:
    """Every tile is a bamboo 2, 3, 4, 6, 8 or the green dragon."""
    return not hand.kinds & ~GREEN_KINDS


def reversible(hand: Hand) -> bool:
    """Only tiles that look the same upside down: 1234589 of dots, 245689 of bamboos, the white dragon."""
    return not hand.kinds & ~REVERSIBLE_KINDS


@needs("no honours")
def upper_tiles(hand: Hand) -> bool:
    """All tiles are 7, 8 and 9 of suits."""
    return not hand.kinds & ~UPPER


@needs("no honours")
def middle_tiles(hand: Hand) -> bool:
    """All tiles are 4, 5 and 6 of suits."""
    return not hand.kinds & ~MIDDLE


@needs("no honours")
def lower_tiles(hand: Hand) -> bool:
    """All tiles are 1, 2 and 3 of suits."""
    return not hand.kinds & ~LOWER


@needs("no honours")
def upper_four(hand: Hand) -> bool:
    """All tiles are 6 to 9 of suits."""
    return not hand.kinds & ~ABOVE_FIVE


@needs("no honours")
def lower_four(hand: Hand) -> bool:
    """All tiles are 1 to 4 of suits."""
    return not hand.kinds & ~BELOW_FIVE


@needs("honours")
def all_types(hand: Hand) -> bool:
    """All three suits, a wind and a dragon are present."""
    held = hand.kinds
    return held & WINDS != 0 and held & DRAGONS != 0 and suits_held(hand) == 3


def one_voided_suit(hand: Hand) -> bool:
    """Exactly two of the three suits are present."""
    return suits_held(hand) == 2


@needs("no honours")
def no_honours(hand: Hand) -> bool:
    """No winds and no dragons."""
    return not hand.kinds & HONOURS


@needs("no honours")
def all_two_five_eight(hand: Hand) -> bool:
    """Every tile is a 2, a 5 or an 8 of a suit."""
    return not hand.kinds & ~TWO_FIVE_EIGHT


def tile_hog(hand: Hand) -> int:
    """All four copies of a suit or honour tile are used without a kong, counted once per kind."""
    counts = hand.counts
    if max(counts) < 4:
        return 0
    hogs = sum([count >= 4 for count in counts])
    return hogs - hand.case.kongs

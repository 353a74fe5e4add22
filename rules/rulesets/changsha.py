"""長沙麻將 (Changsha): 2 5 8 make the pair of a small win, big patterns take any pair, and birds double who they hit.

A small win (小胡) is 1 point, each big pattern (大胡) 6; where the dealer wins or pays it is 2 and 7. Birds 扎鳥 and
payments are in changsha_birds.py, starting wins 起手胡 in changsha_start.py, kongs with dice, the roaming last tile
海底漫遊 and claims in changsha_table.py. Rulings and sources: docs/rules/changsha.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules.errors import Impossible
from rules.evaluate import Judged, Price
from rules.fans import Fan, Tally
from rules.hand import Hand
from rules.model import SOURCES, Outcome, Plain, Progress, TableFacts, Winner
from rules.options import Option, choice, is_whole, switch
from rules.patterns import kinds, opening, sets, winning
from rules.patterns.kinds import TWO_FIVE_EIGHT
from rules.policies import USUAL_ANSWERS
from rules.ruleset import Ruleset
from rules.rulesets.changsha_birds import false_win, income, settle
from rules.rulesets.changsha_start import START_FANS, THREE_ALIKE, answer_start
from rules.rulesets.changsha_table import answer_action, answer_claim, answer_draw, answer_sea, answer_wall
from rules.shapes import free, seven_pairs, standard
from rules.tiles import SUITED

# ---------------------------------------------------------------- the small win and the big patterns


def small_win(hand: Hand) -> bool:  # noqa: ARG001
    """A complete hand with a pair of 2, 5 or 8 and no big pattern."""
    return True


def full_flush(hand: Hand) -> bool:
    """All tiles are of one suit, in sets with any pair or in seven pairs."""
    return hand.form in ("standard", "seven_pairs") and kinds.full_flush(hand)


def foursomes(hand: Hand) -> int:
    """How many kinds seven pairs hold four times."""
    return sum(count == 4 for count in hand.counts) if hand.form == "seven_pairs" else 0


def one_foursome(hand: Hand) -> bool:
    """Seven pairs, a foursome among them."""
    return foursomes(hand) == 1


def two_foursomes(hand: Hand) -> bool:
    """Seven pairs, two foursomes among them."""
    return foursomes(hand) == 2


def three_foursomes(hand: Hand) -> bool:
    """Seven pairs, three foursomes among them."""
    return foursomes(hand) == 3


def melded_hand(hand: Hand) -> bool:
    """Four melds on the table and a win on another player's tile."""
    return hand.case.open_melds == 4 and not hand.case.self_drawn


def sea_draw(hand: Hand) -> bool:
    """The winner takes the last tile of the wall and wins with it."""
    return hand.case.self_drawn and (hand.case.winner.source == "sea_bottom" or hand.case.facts.last_tile)


def sea_shot(hand: Hand) -> bool:
    """Win on the last tile, which another player took and could not use."""
    source = hand.case.winner.source
    return not hand.case.self_drawn and (source == "sea_bottom" or (source == "discard" and hand.case.facts.last_tile))


def dice_flower(hand: Hand) -> bool:
    """A ready player opens a kong with the dice and wins on the replacement."""
    return hand.case.winner.source == "kong_replacement" and hand.case.winner.ready_before


def dice_shot(hand: Hand) -> bool:
    """Win on the replacement that another player's dice turned up."""
    return hand.case.winner.source == "kong_discard"


BIG_FANS: tuple[Fan, ...] = (
    Fan("小胡", 1, small_win, layer="win", alone=True),
    Fan("碰碰胡", 1, sets.all_pungs, layer="win"),
    Fan("將將胡", 1, kinds.all_two_five_eight, layer="win"),
    Fan("清一色", 1, full_flush, layer="win"),
    Fan("七小對", 1, winning.seven_pairs, layer="win"),
    Fan("天胡", 1, opening.heavenly_win, layer="win"),
    Fan("地胡", 1, opening.human_win, layer="win"),
    Fan("海底撈月", 1, sea_draw, layer="win"),
    Fan("海底炮", 1, sea_shot, layer="win"),
    Fan("槓上開花", 1, dice_flower, layer="win"),
    Fan("槓上炮", 1, dice_shot, layer="win"),
    Fan("搶槓胡", 1, winning.robbing_the_kong, layer="win"),
)
EXTRA_FANS: tuple[Fan, ...] = (
    Fan("全求人", 1, melded_hand, layer="win"),
    Fan("三豪華七對", 4, three_foursomes, ("七小對",), layer="win"),
    Fan("雙豪華七對", 3, two_foursomes, ("七小對",), layer="win"),
    Fan("豪華七對", 2, one_foursome, ("七小對",), layer="win"),
)
FANS = BIG_FANS + START_FANS
ANY_PAIR = ("碰碰胡", "將將胡", "清一色", "全求人")
BY_CHANCE = ("天胡", "地胡", "海底撈月", "海底炮", "槓上開花", "槓上炮", "搶槓胡")


def with_options(rules: Ruleset) -> Ruleset:
    """The rows of the extra patterns, where they are played."""
    return replace(rules, fans=(*FANS, *EXTRA_FANS, THREE_ALIKE)) if rules.chosen["extra_patterns"] else rules


# ---------------------------------------------------------------- what may win


def sea_tile_of_another(rules: Ruleset, winner: Winner, facts: TableFacts) -> None:  # noqa: ARG001
    """海底炮 is won from the player who took the tile; who takes it himself has no `from_seat`.

    Raises:
        RulesInputError: The taker would pay himself.
    """
    if winner.source == "sea_bottom" and winner.from_seat == winner.seat:
        raise Impossible("sea_from_himself", seat=winner.seat)


def any_arrangement_needs_its_pattern(hand: Hand, tally: Tally) -> str | None:
    """Only 將將胡 wins without sets, and for that the melds too must be of 2, 5 and 8."""
    return "shape" if hand.form == "free" and not tally.has("將將胡") else None


def pair_of_258(hand: Hand, tally: Tally) -> str | None:
    """The pair is of 2, 5 or 8, except where a pattern takes any pair (亂將)."""
    exempt = ANY_PAIR if hand.case.options["context_pair"] == "by_shape" else ANY_PAIR + BY_CHANCE
    if hand.pair is None or sets.pair_of_258(hand) or any(tally.has(name) for name in exempt):
        return None
    return "pair_not_258"


def taker_first(rules: Ruleset, wins: Sequence[Judged], facts: TableFacts) -> Sequence[Judged]:  # noqa: ARG001
    """Everybody who can wins (通炮); but a player who takes the sea-bottom tile and wins with it wins alone."""
    taker = [one for one in wins if one.case.self_drawn]
    return taker or wins


# ---------------------------------------------------------------- value and dealer


def price(hand: Hand, tally: Tally) -> Price:
    """The reading for which the losers pay most, before the birds."""
    won = Tally([(row, times) for row, times in tally.counted if row.layer == "win"], tally.covered)
    return Price((income(hand.case, won),), (), won)


def deal(rules: Ruleset, outcome: Outcome, facts: TableFacts) -> Progress:  # noqa: ARG001
    """The winner deals; with several the discarder; after a drawn hand who took, or was first asked, the sea tile.

    A bottom tile that was drawn as a kong's replacement makes that player the dealer. Where the table does not say
    what happened to the bottom tile, the dealer stays.
    """
    if outcome.result == "draw":
        return Progress(facts.dealer if outcome.sea_seat is None else outcome.sea_seat)
    if len(outcome.winners) == 1:
        return Progress(outcome.winners[0])
    if not outcome.winners or outcome.from_seat is None:
        raise Impossible("next_dealer_unknown")
    return Progress(outcome.from_seat)


# ---------------------------------------------------------------- the ruleset


def point_table(value: object) -> bool:
    """Whether these are the points of small and big wins, each [plain, dealer or self-draw]."""
    return (
        isinstance(value, Mapping)
        and {*value} == {"small", "big"}
        and all(isinstance(pair, list) and len(pair) == 2 for pair in value.values())
        and all(is_whole(points, 1, 1000) for pair in value.values() for points in pair)
    )


POINTS: dict[str, Plain] = {"small": [1, 2], "big": [6, 7]}

CHANGSHA = Ruleset(
    name="changsha",
    title=("长沙麻将", "長沙麻將", "Changsha"),
    sources=("customer text, Changsha part", "public Changsha engines for points and birds"),
    tile_kinds=SUITED,
    ways=SOURCES,
    forms=(standard, seven_pairs, free(TWO_FIVE_EIGHT)),
    fans=FANS,
    by_place=False,
    checks=(sea_tile_of_another,),
    gates=(any_arrangement_needs_its_pattern, pair_of_258),
    price=price,
    several=taker_first,
    settle=settle,
    deal=deal,
    false_win=false_win,
    answers={
        **USUAL_ANSWERS,
        "start": answer_start,
        "sea": answer_sea,
        "wall": answer_wall,
        "action": answer_action,
        "claim": answer_claim,
        "draw": answer_draw,
    },
    options={
        "points_basis": choice("dealer", "source", mark="public", note="the higher figure: dealer involved, self-draw"),
        "points": Option(
            POINTS,
            takes='a table such as {"small": [1, 2], "big": [6, 7]}: plain, and with the dealer (or self-drawn)',
            check=point_table,
            mark="public",
            note="points of small and big wins",
        ),
        "bird_count": choice(2, 0, 1, 4, mark="public", note="扎鳥: tiles turned after a win"),
        "bird_origin": choice("dealer", "winner", mark="public", note="the seat a bird of rank 1 hits"),
        "start_win": choice(
            "pay_and_continue", "ends_hand", mark="public", note="起手胡: paid and played on, or the end of the hand"
        ),
        "start_multi": choice("add", "single", note="several patterns in one dealt hand"),
        "start_birds": switch(False, note="birds for starting wins too"),
        "context_pair": choice("by_shape", "any", note="pair of 海底, 槓上, 搶槓, 天胡 and 地胡 on a plain shape"),
        "kong_dice": choice(1, 2, note="dice for a kong's replacement: one tile, or with two dice both of the stack"),
        "extra_patterns": switch(False, mark="public", note="全求人, 豪華七對 and 三同 count too"),
        "false_win": choice(
            "pay_small_selfdraw", "dead_hand", note="a small self-draw to each opponent, or a dead hand"
        ),
    },
    adjust=with_options,
)

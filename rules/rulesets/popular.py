"""大眾麻將 (Popular): fans add up to a cap of 6, each fan doubles, the winner's flowers are added.

The hand ends when 120 tiles are drawn. A kong throws one die, which picks the stack of its replacement. The winner
deals next. Rulings and sources: docs/rules/popular.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.errors import RulesInputError
from rules.evaluate import Judged, Price, Settlement, nearest_wins
from rules.fans import Fan, Tally
from rules.hand import Hand, Options
from rules.model import HandResult, Outcome, Progress, TableFacts, Transfer, Winner
from rules.options import choice, number, switch, whole
from rules.patterns import kinds, opening, sets, winning
from rules.payments import pay, seats_after
from rules.policies import USUAL_ANSWERS, each_gets
from rules.question import Question
from rules.ruleset import Ruleset
from rules.shapes import orphans, seven_pairs, standard
from rules.tiles import tile_text

# ---------------------------------------------------------------- the wall


def drawable(options: Options) -> int:
    """How many tiles may be drawn: the limit, or the whole wall where four walls of 15 stacks are built."""
    return min(number(options, "draw_limit"), 8 * number(options, "wall_stacks"))


def wall_gives_so_many(rules: Ruleset, winner: Winner, facts: TableFacts) -> None:  # noqa: ARG001
    """No more tiles were drawn than may be drawn."""
    opening.check_drawn(facts, drawable(rules.chosen))


# ---------------------------------------------------------------- the fan table


def pairs_with_foursome(hand: Hand) -> bool:
    """Seven pairs, two of them of the same kind."""
    return hand.form == "seven_pairs" and len(set(hand.reading.pairs)) < 7


def last_draw(hand: Hand) -> bool:
    """Self-draw of the last tile that may be drawn."""
    case = hand.case
    return case.self_drawn and opening.wall_is_empty(case.facts, drawable(case.options))


def last_discard(hand: Hand) -> bool:
    """Win on the discard after the last tile that may be drawn."""
    case = hand.case
    return case.winner.source == "discard" and opening.wall_is_empty(case.facts, drawable(case.options))


FULL = 6
"""天胡, 地胡, 十三幺, 大三元 and 四暗刻 take the whole cap, and nothing is added."""

FANS: tuple[Fan, ...] = (
    Fan("天胡", FULL, opening.heavenly_win, layer="full"),
    Fan("地胡", FULL, opening.earthly_win, layer="full"),
    Fan("十三幺", FULL, winning.thirteen_orphans, layer="full"),
    Fan("大三元", FULL, sets.big_three_dragons, layer="full"),
    Fan("四暗刻", FULL, sets.four_concealed_pungs, layer="full"),
    Fan("槓上開花", 3, winning.replacement_tile, ("自摸",)),
    Fan("海底撈月", 3, last_draw, ("自摸",)),
    Fan("河底撈魚", 3, last_discard),
    Fan("龍七對", 3, pairs_with_foursome, ("七對", "門前清")),
    Fan("清一色", 3, kinds.full_flush),
    Fan("七對", 2, winning.seven_pairs, ("門前清",)),
    Fan("碰碰胡", 2, sets.all_pungs),
    Fan("混一色", 2, kinds.half_flush),
    Fan("搶槓胡", 2, winning.robbing_the_kong),
    Fan("自摸", 1, winning.self_drawn),
    Fan("門前清", 1, winning.concealed_hand),
    Fan("基本胡", 1, winning.any_hand),
)


def with_options(rules: Ruleset) -> Ruleset:
    """Full hands are worth the cap of this table; chows from anybody where the table plays them."""
    cap = number(rules.chosen, "fan_cap")
    rows = tuple(replace(row, value=cap) if row.layer == "full" else row for row in FANS)
    return replace(rules, fans=rows, chow_from_any=rules.chosen["chi_from"] == "any")


# ---------------------------------------------------------------- value and payment


def price(hand: Hand, tally: Tally) -> Price:
    """One full hand alone, or the sum of the fans up to the cap; below `min_fan` it is no win."""
    options, full = hand.case.options, tally.dearest("full")
    if full:
        others = [(row, times, full[0]) for row, times in tally.counted if (row, times) != full]
        tally = Tally([full], tally.covered + others)
    total = int(tally.total())
    fan, flowers = min(number(options, "fan_cap"), total), opening.flowers_of(hand.case)
    enough = fan >= number(options, "min_fan")
    return Price((fan, total), (("fan", fan), ("flowers", flowers)), tally, None if enough else "below_minimum")


def points(rules: Ruleset, one: Judged) -> int:
    """What one loser pays: 2 to the power of fan - 1, and one for each flower, times the unit."""
    if one.price is None:
        return 0
    fan, flowers = one.price.number("fan"), one.price.number("flowers")
    doubled: int = 2 ** max(0, fan - 1)
    return number(rules.chosen, "unit") * (doubled + flowers)


def settle(rules: Ruleset, wins: Sequence[Judged], facts: TableFacts) -> Settlement:
    """The discarder or robbed player pays, on a self-draw everybody; twice with the dealer under `dealer_double`."""
    one = wins[0]
    source = one.case.winner.from_seat
    transfers: list[Transfer] = []
    for payer in seats_after(one.seat) if source is None else (source,):
        double = rules.chosen["dealer_double"] and facts.dealer in (payer, one.seat)
        how = "self-draw" if source is None else "discard"
        transfers += pay(payer, one.seat, points(rules, one) * (2 if double else 1), how)
    return Settlement(tuple(transfers))


FALSE_WIN = 8


def penalty(rules: Ruleset, facts: TableFacts) -> int:  # noqa: ARG001
    """What a false win pays each opponent: eight units."""
    return FALSE_WIN * number(rules.chosen, "unit")


# ---------------------------------------------------------------- dealer, claims, replacement


def deal(rules: Ruleset, outcome: Outcome, facts: TableFacts) -> Progress:  # noqa: ARG001
    """The winner deals; after a drawn hand the next player.

    Raises:
        RulesInputError: A win that does not name its one winner.
    """
    if outcome.result == "draw":
        return Progress((facts.dealer + 1) % 4)
    if len(outcome.winners) != 1:
        raise RulesInputError(f"popular has one winner, who deals next; found {list(outcome.winners)}")
    return Progress(outcome.winners[0])


DIE = range(1, 7)


def answer_wall(rules: Ruleset, question: Question) -> HandResult:
    """The replacement for a kong: from the stack that the die counts from the tail, the top tile if it lies there.

    Nothing is left to take when all tiles that may be drawn are drawn.

    Raises:
        RulesInputError: No die shows this, or the table names fewer stacks.
    """
    die, facts = question.event().whole("die"), question.facts
    opening.check_drawn(facts, drawable(rules.chosen))
    stacks = [stack for stack in facts.tail_stacks if stack]
    if die not in DIE or die > len(stacks):
        raise RulesInputError(f"die {die}: it shows 1-6 and counts the {len(stacks)} stacks left of state.tail_stacks")
    over = opening.wall_is_empty(facts, drawable(rules.chosen))
    tile = None if over else tile_text(stacks[die - 1][0])
    return HandResult.told(("replacement", tile))


# ---------------------------------------------------------------- the ruleset

POPULAR = Ruleset(
    name="popular",
    title=("大众麻将", "大眾麻將", "Popular"),
    sources=("customer text 000, section Ⅳ", "public fan values of a mass preset"),
    flowers=True,
    forms=(standard, seven_pairs, orphans),
    fans=FANS,
    checks=(
        opening.only_the_dealer_is_dealt_a_win,
        wall_gives_so_many,
    ),
    price=price,
    several=nearest_wins,
    settle=settle,
    deal=deal,
    false_win=each_gets(penalty),
    answers={
        **USUAL_ANSWERS,
        "wall": answer_wall,
    },
    options={
        "unit": whole(1, least=1, note="points for one"),
        "wall_stacks": choice(18, 15, note="stacks in front of each player; 15 leave 24 random tiles out"),
        "draw_limit": whole(120, least=54, most=144, mark="seed", note="the hand ends when so many tiles are drawn"),
        "chi_from": choice("upper", "any", note="who may chow a discard: the next player, or everybody"),
        "min_fan": whole(1, least=0, note="fans that a win needs; flowers do not count"),
        "fan_cap": whole(6, least=1, most=30, mark="public", note="more fans do not count"),
        "dealer_double": switch(False, note="the dealer wins and pays double"),
        "false_win": choice("pay_8", "dead_hand", note="eight units to each opponent"),
    },
    adjust=with_options,
)

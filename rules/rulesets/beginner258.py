"""初學麻將 2/5/8 (Beginner): a pattern of the 國標 table with any pair, or four sets and a pair of 2, 5 or 8 for one.

A hand is worth its dearest listed pattern; `special_value` mcr_total counts it as 國標 does. Rulings and sources:
docs/rules/beginner258.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.evaluate import Judged, Price, Settlement, nearest_wins
from rules.fans import Fan, Tally
from rules.hand import Hand, Options
from rules.model import TableFacts
from rules.options import choice, number, switch, whole
from rules.patterns import kinds, opening, sets, winning
from rules.payments import pay, seats_after
from rules.policies import USUAL_ANSWERS, each_gets, stay_or_pass_on
from rules.ruleset import Ruleset
from rules.rulesets.gb import GB
from rules.shapes import knitted, knitted_straight, orphans, seven_pairs, standard

# ---------------------------------------------------------------- the patterns


def plain_win(hand: Hand) -> bool:
    """Four sets and a pair of 2, 5 or 8."""
    return hand.form == "standard" and sets.pair_of_258(hand)


FANS: tuple[Fan, ...] = (
    # 88
    Fan("大四喜", 88, sets.big_four_winds),
    Fan("大三元", 88, sets.big_three_dragons),
    Fan("綠一色", 88, kinds.all_green),
    Fan("九蓮寶燈", 88, winning.nine_gates),
    Fan("四槓", 88, sets.four_kongs),
    Fan("連七對", 88, winning.seven_shifted_pairs),
    Fan("十三幺", 88, winning.thirteen_orphans),
    # 64
    Fan("清幺九", 64, kinds.all_terminals),
    Fan("小四喜", 64, sets.little_four_winds),
    Fan("小三元", 64, sets.little_three_dragons),
    Fan("字一色", 64, kinds.all_honours),
    Fan("四暗刻", 64, sets.four_concealed_pungs),
    Fan("一色雙龍會", 64, sets.pure_terminal_chows),
    # 48
    Fan("一色四同順", 48, sets.quadruple_chow),
    Fan("一色四節高", 48, sets.four_shifted_pungs),
    # 32
    Fan("一色四步高", 32, sets.four_shifted_chows),
    Fan("三槓", 32, sets.three_kongs),
    Fan("混幺九", 32, kinds.terminals_and_honours),
    # 24
    Fan("七對", 24, winning.seven_pairs),
    Fan("七星不靠", 24, winning.greater_knitted),
    Fan("全雙刻", 24, sets.all_even_pungs),
    Fan("清一色", 24, kinds.full_flush),
    Fan("一色三同順", 24, sets.pure_triple_chow),
    Fan("一色三節高", 24, sets.pure_shifted_pungs),
    Fan("全大", 24, kinds.upper_tiles),
    Fan("全中", 24, kinds.middle_tiles),
    Fan("全小", 24, kinds.lower_tiles),
    # 16
    Fan("清龍", 16, sets.pure_straight),
    Fan("三色雙龍會", 16, sets.three_suited_terminal_chows),
    Fan("一色三步高", 16, sets.pure_shifted_chows),
    Fan("全帶五", 16, sets.all_fives),
    Fan("三同刻", 16, sets.triple_pung),
    Fan("三暗刻", 16, sets.three_concealed_pungs),
    # 12
    Fan("全不靠", 12, winning.lesser_knitted),
    Fan("組合龍", 12, winning.knitted_straight),
    Fan("大於五", 12, kinds.upper_four),
    Fan("小於五", 12, kinds.lower_four),
    Fan("三風刻", 12, sets.big_three_winds),
    # 8
    Fan("花龍", 8, sets.mixed_straight),
    Fan("推不倒", 8, kinds.reversible),
    Fan("三色三同順", 8, sets.mixed_triple_chow),
    Fan("三色三節高", 8, sets.mixed_shifted_pungs),
    # 6
    Fan("碰碰和", 6, sets.all_pungs),
    Fan("混一色", 6, kinds.half_flush),
    Fan("三色三步高", 6, sets.mixed_shifted_chows),
    Fan("五門齊", 6, kinds.all_types),
    # below six: listed only where the table lowers `special_min`
    Fan("全帶幺", 4, sets.outside_hand),
    Fan("平和", 2, sets.all_chows),
    Fan("斷幺", 2, kinds.all_simples),
    Fan("缺一門", 1, kinds.one_voided_suit),
    Fan("無字", 1, kinds.no_honours),
)
PLAIN = Fan("普通和", 1, plain_win, layer="plain")
FLOWERS = Fan("花牌", 1, opening.flowers_laid, layer="flowers")


PATTERNS = frozenset(row.count for row in FANS)
FULL_COUNT = tuple(row for row in GB.fans if row.layer == "fan" and not row.alone)
"""The rows of 國標 for `special_value` mcr_total, without 無番和: a plain win has its own value."""


def with_options(rules: Ruleset) -> Ruleset:
    """The patterns that are dear enough to be listed, and the plain win."""
    least = number(rules.chosen, "special_min")
    listed = tuple(row for row in FANS if row.value >= least)
    plain = replace(PLAIN, value=number(rules.chosen, "plain_value"))
    rows = listed if rules.chosen["special_value"] == "headline" else FULL_COUNT
    with_flowers = bool(rules.chosen["flowers"])
    return replace(rules, fans=(*rows, plain, *((FLOWERS,) if with_flowers else ())), flowers=with_flowers)


# ---------------------------------------------------------------- what may win


def listed_rows(tally: Tally, options: Options) -> list[tuple[Fan, int]]:
    """The counted patterns that let any pair win."""
    least = number(options, "special_min")
    return [(row, times) for row, times in tally.counted if row.count in PATTERNS and row.value >= least]


def listed_or_a_pair_of_258(hand: Hand, tally: Tally) -> str | None:
    """A listed pattern with any pair, or four sets and a pair of 2, 5 or 8."""
    if listed_rows(tally, hand.case.options) or tally.dearest("plain"):
        return None
    return "pair_not_258" if hand.form == "standard" else "shape"


# ---------------------------------------------------------------- value and payment


def price(hand: Hand, tally: Tally) -> Price:
    """The dearest listed pattern, or all that 國標 counts beside one, or the plain win; flowers are added."""
    options = hand.case.options
    listed, plain = listed_rows(tally, options), [one for one in tally.counted if one[0].layer == "plain"]
    kept = [max(listed, key=lambda one: one[0].value)] if listed else plain
    if listed and options["special_value"] == "mcr_total":
        kept = [one for one in tally.counted if one[0].layer == "fan"]
    flowers = [one for one in tally.counted if one[0].layer == "flowers"]
    others = [(row, times, kept[0][0]) for row, times in tally.counted if (row, times) not in [*kept, *flowers]]
    value = sum(int(row.value) * times for row, times in [*kept, *flowers])
    return Price((value,), (("value", value),), Tally([*kept, *flowers], tally.covered + others))


def settle(rules: Ruleset, wins: Sequence[Judged], facts: TableFacts) -> Settlement:  # noqa: ARG001
    """The discarder or robbed player pays the value, on a self-draw everybody does."""
    one = wins[0]
    source, value = one.case.winner.from_seat, one.price.number("value") if one.price else 0
    amount, how = value * number(rules.chosen, "unit"), "self-draw" if source is None else "discard"
    payers = seats_after(one.seat) if source is None else (source,)
    return Settlement(tuple(part for payer in payers for part in pay(payer, one.seat, amount, how)))


FALSE_WIN = 6


def penalty(rules: Ruleset, facts: TableFacts) -> int:  # noqa: ARG001
    """What a false win pays each opponent: six units."""
    return FALSE_WIN * number(rules.chosen, "unit")


# ---------------------------------------------------------------- the ruleset

BEGINNER258 = Ruleset(
    name="beginner258",
    title=("二五八将", "二五八將", "Beginners’ 258"),
    sources=("customer text 000, section Ⅵ", "the 國標 table for the patterns"),
    forms=(standard, seven_pairs, orphans, knitted, knitted_straight),
    fans=(*FANS, PLAIN),
    checks=(opening.only_the_dealer_is_dealt_a_win,),
    gates=(listed_or_a_pair_of_258,),
    price=price,
    several=nearest_wins,
    settle=settle,
    deal=stay_or_pass_on,
    false_win=each_gets(penalty),
    answers=USUAL_ANSWERS,
    options={
        "unit": whole(1, least=1, note="points for one"),
        "flowers": switch(False, note="play with the eight flowers; each adds one to the value"),
        "special_min": whole(6, least=1, note="a listed pattern is worth at least so much in the 國標 table"),
        "special_value": choice("headline", "mcr_total", note="the dearest pattern alone, or the full 國標 count"),
        "plain_value": whole(1, least=0, note="what four sets and a 2/5/8 pair are worth"),
        "false_win": choice("pay_6", "dead_hand", note="six units to each opponent"),
    },
    adjust=with_options,
)

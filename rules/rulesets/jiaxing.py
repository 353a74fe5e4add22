"""嘉興麻將 (Jiaxing): 百搭, one of four 台 patterns to win, base × 台 × 2 to the power of 番, contracts (承包).

Nobody wins on a discard, only by self-draw or by robbing an added kong (option `discard_win`). Four fans wait in a line
that is carried from hand to hand (黃番, 老頭黃, 包子, 百搭連庄); a win uses up the oldest. jiaxing_waiting.py has that
line, jiaxing_contract.py the contracts, jiaxing_table.py claims, fee and false wins. Rulings: docs/rules/jiaxing.md.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from rules.evaluate import Judged, Price, Settlement, judge_winner, nearest_wins
from rules.fans import Fan, Tally
from rules.hand import Case, Hand, Options, WildRule
from rules.model import Plain, Seat, TableFacts, Transfer
from rules.options import choice, number, switch, whole
from rules.patterns import kinds, opening, sets, winning
from rules.payments import pay, seats_after
from rules.policies import USUAL_ANSWERS, each_gets, stay_or_pass_on
from rules.ruleset import Ruleset
from rules.rulesets.jiaxing_contract import (
    OUTSIDER,
    PARTNER,
    ROBBED,
    answer_contract,
    check_contracts,
    missing_contract_note,
    share,
)
from rules.rulesets.jiaxing_table import answer_claim, answer_fee, answer_wild, becomes, penalty
from rules.rulesets.jiaxing_waiting import answer_draw, oldest_waiting, waiting_fans
from rules.shapes import NO_PAIR, Part, Standard
from rules.tiles import EVERY_KIND, HONOURS, WHITE, Kinds, in_kinds
from rules.waits import complete_with
from rules.wildcards import (
    wild_kind,
    wildcard_is_not_claimed,
    wildcard_remarks,
)

# ---------------------------------------------------------------- tiles and the wildcard 百搭

DRAWABLE = 135
"""136 tiles without the turned-up one."""


def wildcard(options: Options, facts: TableFacts) -> WildRule:
    """The kind that the table names, or that follows from the turned tile."""
    return WildRule(wild_kind(facts, lambda turned: becomes(options, turned)))


def look(part: Part, honours: bool) -> Hashable:
    """What the value depends on: whether there are chows and the pair, and which honours are pungs."""
    return part.pungs if honours else bool(part.chows), part.pair != NO_PAIR


def look_at_faces(part: Part, honours: bool) -> Hashable:
    """The same where it matters what the wildcards stand for (`wild_natural`, `wild_in_honour_tai` off)."""
    return part if honours else (look(part, honours), frozenset(part.faces))


# ---------------------------------------------------------------- 台


def scoring_pungs(hand: Hand) -> Kinds:
    """The honour pungs that score; with the option `wild_in_honour_tai` off only those without a stand-in."""
    pungs = hand.pung_kinds & HONOURS
    if hand.case.options["wild_in_honour_tai"] or not hand.reading.wilds_as:
        return pungs
    wild = hand.case.wild.wild
    itself_held = sum(face == wild for face in hand.reading.wilds_as)
    natural = [tile for tile in in_kinds(pungs) if hand.case.counts[tile] + (tile == wild) * itself_held >= 3]
    return pungs & sum(1 << tile for tile in natural)


def round_wind(hand: Hand) -> bool:
    """A pung or kong of the round wind."""
    return scoring_pungs(hand) >> hand.case.round_wind & 1 == 1


def seat_wind(hand: Hand) -> bool:
    """A pung or kong of the winner's seat wind; the dealer is East."""
    return scoring_pungs(hand) >> hand.case.seat_wind & 1 == 1


def white_pung(hand: Hand) -> bool:
    """A pung or kong of the white dragon."""
    return scoring_pungs(hand) >> WHITE & 1 == 1


def green_pung(hand: Hand) -> bool:
    """A pung or kong of the green dragon."""
    return scoring_pungs(hand) >> (WHITE + 1) & 1 == 1


def red_pung(hand: Hand) -> bool:
    """A pung or kong of the red dragon."""
    return scoring_pungs(hand) >> (WHITE + 2) & 1 == 1


def no_wildcard_held(hand: Hand) -> bool:
    """No wildcard tile is held, however it would be used."""
    return hand.case.wilds == 0


# ---------------------------------------------------------------- 番


def three_wildcards(hand: Hand) -> bool:
    """Three wildcards are held."""
    return hand.case.wilds >= 3


def lone_tile(hand: Hand) -> bool:
    """Four melds are laid and only one tile was left in the hand."""
    return len(hand.case.winner.melds) == 4


def last_drawable_tile(hand: Hand) -> bool:
    """Self-draw of the last tile that may be drawn."""
    drawable = DRAWABLE - number(hand.case.options, "dead_wall")
    return hand.case.self_drawn and opening.wall_is_empty(hand.case.facts, drawable)


def heavenly(hand: Hand) -> bool:
    """The dealer wins before having discarded a tile."""
    winner = hand.case.winner
    return hand.case.is_dealer and (winner.discards_before == 0 or winner.source == "start_hand")


def earthly(hand: Hand) -> bool:
    """A player other than the dealer wins before having discarded a tile."""
    return hand.case.winner.discards_before == 0 and not hand.case.is_dealer


def after_drawn_hand(hand: Hand) -> bool:
    """The oldest waiting fan comes from a drawn hand."""
    return oldest_waiting(hand.case) == "黃番"


def honour_is_wild(hand: Hand) -> bool:
    """The oldest waiting fan comes from a hand whose wildcard is a wind or a dragon."""
    return oldest_waiting(hand.case) == "老頭黃"


def equal_dice(hand: Hand) -> bool:
    """The oldest waiting fan comes from a hand whose two opening dice were equal."""
    return oldest_waiting(hand.case) == "包子"


def same_wildcard_again(hand: Hand) -> bool:
    """The oldest waiting fan comes from a hand with the same wildcard as the hand before."""
    return oldest_waiting(hand.case) == "百搭連庄"


FANS: tuple[Fan, ...] = (
    Fan("全老頭", 10, kinds.all_honours, ("對對胡",), layer="tai"),
    Fan("清一色", 4, kinds.full_flush, layer="tai"),
    Fan("混一色", 2, kinds.half_flush, layer="tai"),
    Fan("對對胡", 2, sets.all_pungs, layer="tai"),
    Fan("風刻(圈)", 1, round_wind, layer="tai"),
    Fan("風刻(門)", 1, seat_wind, layer="tai"),
    Fan("白板刻", 1, white_pung, layer="tai"),
    Fan("發財刻", 1, green_pung, layer="tai"),
    Fan("紅中刻", 1, red_pung, layer="tai"),
    Fan("無百搭", 1, no_wildcard_held, layer="tai"),
    Fan("三百搭", 1, three_wildcards),
    Fan("杠上開花", 1, winning.replacement_tile),
    Fan("單吊", 1, lone_tile),
    Fan("海底撈月", 1, last_drawable_tile),
    Fan("天和", 2, heavenly),
    Fan("地和", 2, earthly),
    Fan("黃番", 1, after_drawn_hand),
    Fan("老頭黃", 1, honour_is_wild),
    Fan("包子", 1, equal_dice),
    Fan("百搭連庄", 1, same_wildcard_again),
)
REQUIRED = ("清一色", "混一色", "全老頭", "對對胡")


def with_options(rules: Ruleset) -> Ruleset:
    """Rows and shapes of the chosen house rules."""
    fans = FANS
    if rules.chosen["quanlaotou_adds_duidui"]:
        fans = tuple(replace(row, excludes=()) if row.name == "全老頭" else row for row in FANS)
    freely_used = rules.chosen["wild_natural"] and rules.chosen["wild_in_honour_tai"]
    form = Standard(look if freely_used else look_at_faces)
    return replace(rules, fans=fans, forms=(form,))


# ---------------------------------------------------------------- what may win


def discards_do_not_win(case: Case) -> str | None:
    """A discard can be claimed for a meld, but not for a win."""
    won_on_discard = case.winner.source == "discard" and case.options["discard_win"] == "no"
    return "discard_win_not_allowed" if won_on_discard else None


def no_robbing_with_every_tile(case: Case) -> str | None:
    """A player who holds a wildcard and would win with any of the 34 kinds may not rob a kong."""
    holder = replace(case.winner, win_tile=None, source="self_draw", from_seat=None)
    if case.winner.source != "rob_kong" or case.wilds == 0 or not holder.hand:
        return None
    if complete_with(case.rules, holder, case.facts) != EVERY_KIND:
        return None
    for tile in range(34):
        drawn = replace(holder, win_tile=tile)
        if not judge_winner(case.rules, drawn, case.facts, checked=True).verdict.valid:
            return None
    return "rob_forbidden_any_tile_wait"


def wildcard_as_itself(hand: Hand, tally: Tally) -> str | None:  # noqa: ARG001
    """With the option `wild_natural` off a wildcard never stands for its own kind."""
    used = hand.case.wild.wild in hand.reading.wilds_as
    return "shape" if used and not hand.case.options["wild_natural"] else None


def one_of_four_patterns(hand: Hand, tally: Tally) -> str | None:  # noqa: ARG001
    """One of 清一色, 混一色, 全老頭 and 對對胡 must be there."""
    return None if any(tally.has(name) for name in REQUIRED) else "no_required_tai"


def remarks(case: Case) -> tuple[str, ...]:
    """What a referee should look at."""
    wild = case.wild.wild
    turned = wild if case.facts.flip is None and case.options["wild_from"] == "flip" else case.facts.flip
    return (*wildcard_remarks(case, turned), *missing_contract_note(case))


# ---------------------------------------------------------------- value and payment


def price(hand: Hand, tally: Tally) -> Price:
    """Unit = base × 台 × 2 to the power of 番."""
    tai, fan = int(tally.total("tai")), int(tally.total("fan"))
    unit = number(hand.case.options, "base") * tai * 2**fan
    return Price((unit,), (("tai", tai), ("fan", fan), ("unit", unit)), tally)


def settle(rules: Ruleset, wins: Sequence[Judged], facts: TableFacts) -> Settlement:
    """Each loser pays his multiple of the unit; the oldest waiting fan is used up."""
    one = wins[0]
    unit = one.price.number("unit") if one.price else 0
    transfers: list[Transfer] = []
    for loser in seats_after(one.seat):
        for times in multiples(rules, one, loser):
            transfers += pay(loser, one.seat, times * unit, REASON[times])
    carried: list[Plain] = list(waiting_fans(one.case.wild.wild, facts)[1:])
    return Settlement(tuple(transfers), (("carry_out", carried),))


REASON = {
    1: "the unit",
    OUTSIDER: "contract, twice the unit",
    ROBBED: "robbed kong, three times the unit",
    PARTNER: "contract partner, five times the unit",
}


def multiples(rules: Ruleset, one: Judged, loser: Seat) -> tuple[int, ...]:
    """How many units one loser pays; shares that add up are listed one by one.

    A robbed kong (or a discard that its discarder alone pays) replaces the plain unit of each loser; the shares of a
    contract stay beside it.
    """
    winner, facts = one.case.winner, one.case.facts
    if loser in facts.quit:
        return ()
    contract = share(one.seat, loser, facts)
    robbed = winner.source == "rob_kong"
    alone = robbed or (winner.source == "discard" and rules.chosen["discard_win"] == "discarder_only")
    if not alone:
        return (contract or 1,)
    own = (ROBBED if robbed else 1,) if loser == winner.from_seat else ()
    return ((contract,) if contract else ()) + own


# ---------------------------------------------------------------- the ruleset

JIAXING = Ruleset(
    name="jiaxing",
    title=("嘉兴麻将", "嘉興麻將", "Jiaxing"),
    sources=("customer text, section Ⅰ",),
    wild=wildcard,
    forms=(Standard(look),),
    fans=FANS,
    by_place=False,
    checks=(
        opening.only_the_dealer_is_dealt_a_win,
        check_contracts,
    ),
    before=(wildcard_is_not_claimed, discards_do_not_win, no_robbing_with_every_tile),
    gates=(wildcard_as_itself, one_of_four_patterns),
    price=price,
    notes=remarks,
    several=nearest_wins,
    settle=settle,
    deal=stay_or_pass_on,
    false_win=each_gets(penalty),
    answers={
        **USUAL_ANSWERS,
        "draw": answer_draw,
        "claim": answer_claim,
        "contract": answer_contract,
        "fee": answer_fee,
        "wild": answer_wild,
    },
    options={
        "base": whole(5, least=1, mark="seed", note="底分; the example of the customer's text"),
        "wild_from": choice("flip", "successor", note="flip leaves three copies in play"),
        "wild_natural": switch(True, note="a wildcard may also be its own kind"),
        "wild_in_honour_tai": switch(True, note="a pung completed by a wildcard scores its 台"),
        "dead_wall": whole(0, least=0, note="tiles at the end of the wall that are never drawn"),
        "discard_win": choice("no", "all_pay", "discarder_only", note="the biggest open point of this game"),
        "quanlaotou_adds_duidui": switch(False, note="全老頭 also takes 對對胡"),
        "huang_per_draw": switch(True, note="each drawn hand adds a 黃番; off: at most one waits"),
        "service_fee": whole(0, least=0, mark="seed", note="taken from everybody after a hand"),
        "claim_timeout": choice(None, 5, mark="seed", note="seconds to claim a discard"),
        "false_win": choice("pay_min", "dead_hand", "pay_n", note="the referee names n"),
    },
    adjust=with_options,
)

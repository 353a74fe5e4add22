"""武漢麻將 (Wuhan), 開口翻 with 紅中 and 癩子 kongs: open the hand, then everything multiplies and all three pay.

Base is 1 for a small win (小胡) and 10 for each big pattern. Every player has a factor of his own for opening and for
kongs; a loser pays base × the winner's factors × his own. Shares, caps and liability are in wuhan_payment.py; claims,
drawn hands and the last four tiles in wuhan_table.py. Rulings and sources: docs/rules/wuhan.md.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction

from rules.errors import Impossible
from rules.evaluate import Price, nearest_to_dealer_wins
from rules.fans import Fan, Tally
from rules.hand import Case, Hand, Options, WildRule
from rules.model import Outcome, Plain, Progress, TableFacts, Winner
from rules.options import Option, choice, is_whole, number, number_or_none, switch, whole
from rules.patterns import kinds, opening, sets, winning
from rules.patterns.kinds import TWO_FIVE_EIGHT
from rules.payments import seats_after
from rules.policies import USUAL_ANSWERS, dealer_stays, each_gets
from rules.ruleset import Ruleset
from rules.rulesets.wuhan_payment import own_factor, penalty, product, settle, shares
from rules.rulesets.wuhan_table import (
    LAST_TILES,
    answer_action,
    answer_claim,
    answer_draw,
    answer_wild,
    becomes,
)
from rules.shapes import NO_PAIR, Part, Standard, free
from rules.tiles import HONOURS, RED, tile_text
from rules.wildcards import wild_kind, wildcard_is_not_claimed, wildcard_remarks

# ---------------------------------------------------------------- tiles and the wildcard 癩子


def wildcard(options: Options, facts: TableFacts) -> WildRule:  # noqa: ARG001
    """The kind that the table names, or the next after the turned tile; never 紅中."""
    return WildRule(wild_kind(facts, becomes))


WIND_KINDS = HONOURS & ~(1 << RED)
"""風: the four winds, 發 and 白."""


def look(part: Part, honours: bool) -> Hashable:
    """What the value depends on: chows, whether 2 5 8 make the pair, and which single kind all wildcards stand for."""
    faces = set(part.faces)
    alike = min(faces, default=None) if len(faces) < 2 else NO_PAIR
    if honours:
        return part.pair != NO_PAIR, alike, RED - 27 in faces
    pair = None if part.pair == NO_PAIR else part.pair % 3 == 1
    return bool(part.chows), pair, alike, all(rank % 3 == 1 for rank in faces)


# ---------------------------------------------------------------- base: small win and big patterns


def small_win(hand: Hand) -> bool:  # noqa: ARG001
    """A win without any big pattern."""
    return True


def winds_only(hand: Hand) -> bool:
    """Only winds, 發 and 白, in any arrangement."""
    return not hand.kinds & ~WIND_KINDS


def melded_hand(hand: Hand) -> bool:
    """Four exposed melds, and the single tile left in the hand is a 2, 5 or 8."""
    by_self = hand.case.self_drawn and not hand.case.options["quanqiuren_self_draw"]
    if hand.case.open_melds != 4 or by_self:
        return False
    return sets.pair_of_258(hand) or (hand.form == "free" and kinds.all_two_five_eight(hand))


def full_flush(hand: Hand) -> bool:
    """All tiles are of one suit, in sets and a pair."""
    return hand.form == "standard" and kinds.full_flush(hand)


def among_last_four(hand: Hand) -> bool:
    """Self-draw of one of the last four tiles that may be drawn."""
    facts = hand.case.facts
    return hand.case.self_drawn and (facts.last_tile or (facts.wall_left is not None and facts.wall_left < LAST_TILES))


# ---------------------------------------------------------------- factors of the winner


def openings(hand: Hand) -> int:
    """The hand is opened by a chow, a pung or an exposed kong: once, in 口口翻 each time."""
    return hand.case.open_melds if hand.case.options["mode"] == "koukou" else min(1, hand.case.open_melds)


def claimed_kongs(hand: Hand) -> int:
    """A kong of another player's discard."""
    return sum(meld.kind == "kong_open" for meld in hand.case.winner.melds)


def added_kongs(hand: Hand) -> int:
    """A kong made by adding to a pung."""
    return sum(meld.kind == "kong_added" for meld in hand.case.winner.melds)


def red_kongs(hand: Hand) -> int:
    """A red dragon laid out or discarded."""
    return hand.case.winner.hz_kongs


def wild_kongs(hand: Hand) -> int:
    """A wildcard discarded as a kong."""
    return hand.case.winner.lz_kongs


def hard_win(hand: Hand) -> bool:
    """No wildcard is held, or each held one stands for itself."""
    if hand.form != "free" or not hand.case.wilds:
        return hand.wilds_natural
    allowed = WIND_KINDS if winds_only(hand) else TWO_FIVE_EIGHT
    return hand.case.wild.wild is not None and allowed >> hand.case.wild.wild & 1 == 1


def soft_win(hand: Hand) -> bool:
    """A wildcard stands for another tile."""
    return not hard_win(hand)


FANS: tuple[Fan, ...] = (
    Fan("小胡", 1, small_win, layer="base", alone=True),
    Fan("風一色", 10, winds_only, layer="base"),
    Fan("將一色", 10, kinds.all_two_five_eight, layer="base"),
    Fan("清一色", 10, full_flush, layer="base"),
    Fan("碰碰胡", 10, sets.all_pungs, layer="base"),
    Fan("全求人", 10, melded_hand, layer="base"),
    Fan("海底撈", 10, among_last_four, layer="base"),
    Fan("槓上花", 10, winning.replacement_tile, layer="base"),
    Fan("搶槓", 10, winning.robbing_the_kong, layer="base"),
    Fan("開口", 2, openings, layer="factor"),
    Fan("衝槓", 2, claimed_kongs, layer="factor"),
    Fan("蓄槓", 2, added_kongs, layer="factor"),
    Fan("暗槓", 4, sets.concealed_kong, layer="factor"),
    Fan("紅中槓", 2, red_kongs, layer="factor"),
    Fan("癩子槓", 2, wild_kongs, layer="factor"),
    Fan("硬胡", 2, hard_win, layer="factor"),
    Fan("軟胡", 1, soft_win, layer="factor"),
    Fan("自摸", 2, winning.self_drawn, layer="factor"),
)
ANY_PAIR = ("風一色", "將一色", "碰碰胡", "清一色")
BY_CHANCE = ("海底撈", "槓上花", "搶槓")
BIG_SELF_DRAW = Fraction(3, 2)


def with_options(rules: Ruleset) -> Ruleset:
    """The chosen value of a wildcard kong."""
    value = number(rules.chosen, "lz_kong_factor")
    rows = (replace(row, value=value) if row.name == "癩子槓" else row for row in FANS)
    return replace(rules, fans=tuple(rows))


# ---------------------------------------------------------------- what may win


def red_is_not_melded(rules: Ruleset, winner: Winner, facts: TableFacts) -> None:
    """紅中 lies alone as a kong, it is never in a meld and never wild.

    Raises:
        RulesInputError: The table says so.
    """
    if any(RED in meld.tiles for meld in winner.melds):
        raise Impossible("red_melded", seat=winner.seat)
    if rules.wild(rules.chosen, facts).wild == RED:
        raise Impossible("red_wild", tile=tile_text(RED))


def four_copies_with_kongs(rules: Ruleset, winner: Winner, facts: TableFacts) -> None:
    """紅中 and 癩子 laid as kongs by anybody, and those in the hand, are four at most.

    Raises:
        RulesInputError: There are more.
    """
    others = [facts.player(seat) for seat in seats_after(winner.seat)]
    laid_red = winner.hz_kongs + sum(player.hz_kongs for player in others)
    laid_wild = winner.lz_kongs + sum(player.lz_kongs for player in others)
    for name, kind, laid in (("紅中", RED, laid_red), ("癩子", rules.wild(rules.chosen, facts).wild, laid_wild)):
        held = (*winner.hand, winner.win_tile).count(kind) if kind is not None else 0
        if laid + held > 4:
            raise Impossible("fifth_laid", seat=winner.seat, count=held, kind=name, laid=laid)


def no_red_in_hand(case: Case) -> str | None:
    """Nobody wins, nor robs a kong, with 紅中 in the hand."""
    return "holding_hongzhong" if case.free[RED] else None


def last_four_only_drawn(case: Case) -> str | None:
    """Among the last four tiles only a self-draw wins."""
    left = case.facts.wall_left
    late = left is not None and left < LAST_TILES
    return "discard_win_not_allowed" if late and not case.self_drawn else None


def any_arrangement_needs_its_pattern(hand: Hand, tally: Tally) -> str | None:
    """Only 風一色 and 將一色 win without sets; a wildcard cannot be 紅中, which no hand may hold."""
    if hand.form == "free":
        return None if tally.has("風一色") or tally.has("將一色") else "shape"
    return "shape" if RED in hand.reading.wilds_as else None


def opened(hand: Hand, tally: Tally) -> str | None:  # noqa: ARG001
    """The hand is opened by at least one chow, pung or exposed kong."""
    return None if hand.case.open_melds else "not_opened"


def pair_of_258(hand: Hand, tally: Tally) -> str | None:
    """The pair is of 2, 5 or 8, except where a pattern takes any pair."""
    exempt = ANY_PAIR if hand.case.options["context_pair_258"] else ANY_PAIR + BY_CHANCE
    free_pair = any(tally.has(name) for name in exempt)
    return None if hand.form == "free" or free_pair or sets.pair_of_258(hand) else "pair_not_258"


def few_wildcards(hand: Hand, tally: Tally) -> str | None:
    """No small win with two wildcards in the hand; a big one too may have a limit (`wild_limit_big`)."""
    held, most = hand.case.wilds, number_or_none(hand.case.options, "wild_limit_big")
    too_many = tally.has("小胡") or (most is not None and held > most)
    return "two_laizi_small" if held >= 2 and too_many else None


def remarks(case: Case) -> tuple[str, ...]:
    """What a referee should look at: the wildcard, and who fed a third opening that may make him pay for all (承包)."""
    opens = [meld for meld in case.winner.melds if meld.is_open]
    flush = not case.kinds & HONOURS and sum(case.kinds & suit != 0 for suit in kinds.SUIT_KINDS) == 1
    unknown = case.options["liability"] is True and flush and len(opens) > 2 and opens[2].source_seat is None
    note = ("nobody is named who fed the third meld of a full flush; he would pay for all",) if unknown else ()
    return (*wildcard_remarks(case, case.facts.flip), *note)


# ---------------------------------------------------------------- value and dealer


def price(hand: Hand, tally: Tally) -> Price:
    """The reading that is worth most is the one for which the three losers owe most."""
    if not tally.has("小胡"):
        rows = [(replace(row, value=BIG_SELF_DRAW) if row.name == "自摸" else row, n) for row, n in tally.counted]
        tally = Tally(rows, tally.covered)
    facts, options = hand.case.facts, hand.case.options
    least = product(tally) * min(own_factor(facts.player(seat), options) for seat in seats_after(hand.case.seat))
    enough = least >= number(options, "min_total")
    return Price((sum(shares(hand.case, tally).values()),), (), tally, None if enough else "below_minimum")


def deal(rules: Ruleset, outcome: Outcome, facts: TableFacts) -> Progress:
    """The dealer stays after his own win and a drawn hand; else the deal passes on."""
    if dealer_stays(outcome, facts):
        return Progress(facts.dealer)
    return Progress((facts.dealer + (1 if rules.chosen["deal_passes"] == "next" else -1)) % 4)


# ---------------------------------------------------------------- the ruleset


def three_caps(value: object) -> bool:
    """Whether these are the three caps, or none."""
    return value is None or (isinstance(value, list) and len(value) == 3 and all(is_whole(cap, 1) for cap in value))


DEFAULT_CAPS: list[Plain] = [300, 400, 500]

WUHAN = Ruleset(
    name="wuhan",
    title=("武汉麻将", "武漢麻將", "Wuhan"),
    sources=("customer text, Wuhan part", "public scoring formula of 開口翻"),
    lone_kongs=True,
    wild=wildcard,
    forms=(Standard(look), free(WIND_KINDS), free(TWO_FIVE_EIGHT)),
    fans=FANS,
    by_place=False,
    checks=(
        opening.only_the_dealer_is_dealt_a_win,
        red_is_not_melded,
        four_copies_with_kongs,
    ),
    before=(no_red_in_hand, wildcard_is_not_claimed, last_four_only_drawn),
    gates=(any_arrangement_needs_its_pattern, opened, pair_of_258, few_wildcards),
    price=price,
    notes=remarks,
    several=nearest_to_dealer_wins,
    settle=settle,
    deal=deal,
    false_win=each_gets(penalty),
    answers={
        **USUAL_ANSWERS,
        "draw": answer_draw,
        "claim": answer_claim,
        "wild": answer_wild,
        "action": answer_action,
    },
    options={
        "mode": choice("kaikou", "koukou", mark="seed", note="opening doubles once, or with every meld"),
        "lz_kong_factor": choice(2, 4, mark="seed", note="癩子槓: what a wildcard laid as a kong multiplies by"),
        "caps": Option(
            DEFAULT_CAPS,
            takes="three whole numbers [per loser, golden, golden in koukou], or null",
            check=three_caps,
            mark="public",
            note="the most a loser pays, 金頂, and 金頂 in 口口翻",
        ),
        "min_total": whole(0, note="what the loser with the smallest factor must owe at least, before dealer and cap"),
        "wild_limit_big": choice(None, 2, mark="seed", note="most wildcards in a big win"),
        "context_pair_258": switch(True, note="海底撈, 槓上花 and 搶槓 keep the pair of 2 5 8"),
        "quanqiuren_self_draw": switch(True, note="全求人 also by self-draw"),
        "liability": switch(True, mark="public", note="承包: one player may answer for all three"),
        "check_ready_at_draw": switch(False, mark="public", note="查大叫 after a drawn hand"),
        "deal_passes": choice("next", "previous", note="to whom the deal passes"),
        "false_win": choice("pay_cap", "dead_hand", note="ten to each opponent, or a dead hand"),
    },
    adjust=with_options,
)

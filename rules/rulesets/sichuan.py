"""四川麻將 (Sichuan): no chow, no third suit, everybody who can wins, and the battle goes on (血戰到底).

A win is worth base × 2^(fan-1): the dearest base pattern, one fan more for each root (根) and for kong luck, six at
most. Kongs are paid at once (刮風下雨). Payments, kong money and the blood battle are in sichuan_battle.py; the
exhausted wall (查花豬, 查大叫, 退稅) in sichuan_wall.py; claims and actions in sichuan_table.py. Rulings and sources:
docs/rules/sichuan.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.errors import Impossible, RulesInputError
from rules.evaluate import Price
from rules.fans import Fan, Tally, drops, exclude
from rules.hand import Case, Hand
from rules.model import Outcome, Progress, TableFacts, Winner
from rules.options import choice, switch, whole
from rules.patterns import kinds, opening, sets, winning
from rules.policies import USUAL_ANSWERS, each_gets
from rules.ruleset import Ruleset
from rules.rulesets.sichuan_battle import answer_kong, answer_session, capped, penalty, settle, unit_of
from rules.rulesets.sichuan_table import answer_action, answer_claim
from rules.rulesets.sichuan_wall import answer_draw
from rules.shapes import seven_pairs, standard
from rules.tiles import SUITED, tile_text

# ---------------------------------------------------------------- the fan table


def pungs_of_258(hand: Hand) -> bool:
    """Pungs or kongs and the pair are all of 2, 5 or 8."""
    return kinds.all_two_five_eight(hand) and sets.all_pungs(hand)


def outside_hand(hand: Hand) -> bool:
    """Every set and the pair contains a 1 or a 9."""
    return sets.outside_hand(hand)


def outside_flush(hand: Hand) -> bool:
    """One suit, and every set and the pair contains a 1 or a 9."""
    return kinds.full_flush(hand) and sets.outside_hand(hand)


def foursomes(hand: Hand) -> int:
    """Four identical tiles in the hand and melds, a kong or not; each foursome counts."""
    return sum(count == 4 for count in hand.counts)


def dragon_pairs(hand: Hand) -> bool:
    """Seven pairs with four equal tiles among them, which then are no root."""
    return winning.seven_pairs(hand) and foursomes(hand) > 0


def flush_of_pairs(hand: Hand) -> bool:
    """Seven pairs of one suit."""
    return winning.seven_pairs(hand) and kinds.full_flush(hand)


def flush_of_dragon_pairs(hand: Hand) -> bool:
    """Seven pairs of one suit with four equal tiles among them, which then are no root."""
    return dragon_pairs(hand) and kinds.full_flush(hand)


def golden_hook(hand: Hand) -> bool:
    """Four melds on the table, waiting for the second tile of the pair."""
    return len(hand.case.winner.melds) == 4


def hook_of_258(hand: Hand) -> bool:
    """Four melds and a single wait, all of 2, 5 or 8."""
    return golden_hook(hand) and kinds.all_two_five_eight(hand)


def hook_of_one_suit(hand: Hand) -> bool:
    """Four melds and a single wait, all of one suit."""
    return golden_hook(hand) and kinds.full_flush(hand)


def eighteen_arhats(hand: Hand) -> bool:
    """Four kongs and a pair; the kongs are no roots besides."""
    return hand.case.kongs == 4


def earthly_win(hand: Hand) -> bool:
    """Another player wins with the first tile he draws; where it is played so, also on the dealer's first discard."""
    on_discard = hand.case.options["earthly_win"] == "draw_or_discard" and opening.human_win(hand)
    return opening.earthly_win(hand) or on_discard


def kong_shot(hand: Hand) -> bool:
    """Win on the discard that follows the discarder's own kong."""
    return hand.case.winner.source == "discard" and hand.case.winner.after_kong


def fed_flower(case: Case) -> bool:
    """Whether a replacement win after a claimed kong is paid by the player who fed the kong (點槓花 as a discard)."""
    winner = case.winner
    fed = winner.source == "kong_replacement" and winner.kong_feeder is not None
    return fed and case.options["diangang_hua"] == "discard"


def counted_self_draw(hand: Hand) -> bool:
    """The winner drew the winning tile, where the table pays a fan for it."""
    return hand.case.self_drawn and not fed_flower(hand.case)


FANS: tuple[Fan, ...] = (
    Fan("十八羅漢", 7, eighteen_arhats, ("根",), layer="base"),
    Fan("天胡", 6, opening.heavenly_win, layer="base"),
    Fan("地胡", 6, earthly_win, layer="base"),
    Fan("清龍七對", 6, flush_of_dragon_pairs, (drops("根", 1),), layer="base"),
    Fan("龍七對", 5, dragon_pairs, (drops("根", 1),), layer="base"),
    Fan("清七對", 5, flush_of_pairs, layer="base"),
    Fan("清幺九", 5, outside_flush, layer="base"),
    Fan("將金鉤釣", 5, hook_of_258, layer="base"),
    Fan("清金鉤釣", 5, hook_of_one_suit, layer="base"),
    Fan("清對", 4, sets.flush_of_pungs, layer="base"),
    Fan("將對", 4, pungs_of_258, layer="base"),
    Fan("清一色", 3, kinds.full_flush, layer="base"),
    Fan("帶幺九", 3, outside_hand, layer="base"),
    Fan("七對", 3, winning.seven_pairs, layer="base"),
    Fan("金鉤釣", 3, golden_hook, layer="base"),
    Fan("對對胡", 2, sets.all_pungs, layer="base"),
    Fan("平胡", 1, winning.any_hand, layer="base"),
    Fan("根", 1, foursomes, layer="extra"),
    Fan("槓上花", 1, winning.replacement_tile, layer="extra"),
    Fan("槓上炮", 1, kong_shot, layer="extra"),
    Fan("搶槓", 1, winning.robbing_the_kong, layer="extra"),
)
SELF_DRAW = Fan("自摸", 1, counted_self_draw, layer="extra")


def with_options(rules: Ruleset) -> Ruleset:
    """The row 自摸 where a self-draw is one fan more."""
    return replace(rules, fans=(*FANS, SELF_DRAW)) if rules.chosen["self_draw"] == "plus_fan" else rules


# ---------------------------------------------------------------- what may win


def no_chow(rules: Ruleset, winner: Winner, facts: TableFacts) -> None:  # noqa: ARG001
    """Nobody chows in Sichuan.

    Raises:
        RulesInputError: A chow lies among the melds.
    """
    for meld in winner.melds:
        if meld.kind == "chi":
            raise Impossible("no_chow_here", seat=winner.seat, laid=str(meld))


def still_playing(rules: Ruleset, winner: Winner, facts: TableFacts) -> None:  # noqa: ARG001
    """Who has won has left the battle: he wins and feeds no more.

    Raises:
        RulesInputError: He does.
    """
    for seat in (winner.seat, winner.from_seat, winner.kong_feeder):
        if seat in facts.out:
            tile = "" if winner.win_tile is None else f" {tile_text(winner.win_tile)}"
            raise Impossible("already_out", seat=seat, won=tile, by=winner.seat)


def not_passed_before(case: Case) -> str | None:
    """With 過水 a player who let a tile go wins on its kind again only after his own draw."""
    passed = case.options["pass_rule"] != "none" and case.winner.win_tile in case.facts.passed_kinds(case.seat)
    return "passed_same_tile" if passed and not case.self_drawn else None


def two_suits(hand: Hand, tally: Tally) -> str | None:  # noqa: ARG001
    """Hand and melds hold two suits at most (缺一門)."""
    return "three_suits" if kinds.suits_held(hand) == 3 else None


def void_suit_held(case: Case) -> bool:
    """Whether a tile of the suit declared void (定缺) is left, where it is played."""
    return case.options["dingque"] is True and case.kinds & case.facts.player(case.seat).void != 0


def void_suit_gone(case: Case) -> str | None:
    """With 定缺 the suit declared void is no longer among the player's tiles."""
    return "tile_not_in_set" if void_suit_held(case) else None


def remarks(case: Case) -> tuple[str, ...]:
    """Which tiles are meant when 定缺 refuses a win."""
    return ("the hand still holds a tile of the suit declared void",) if void_suit_held(case) else ()


# ---------------------------------------------------------------- value and dealer


def with_each_base(hand: Hand, tally: Tally) -> Iterator[tuple[Fan, Tally]]:
    """The same hand under each of its base patterns: only that one counts, and only its roots are given up."""
    found: dict[Fan, int] = {}
    for row, times in (*tally.counted, *((row, times) for row, times, _ in tally.covered)):
        found[row] = found.get(row, 0) + times
    extras = [(row, times) for row, times in found.items() if row.layer == "extra"]
    bases = [row for row in found if row.layer == "base"]
    for base in bases:
        counted = exclude([(base, 1), *extras], hand)
        others = [(row, 1, base) for row in bases if row is not base]
        yield base, Tally(counted.counted, counted.covered + others)


def price(hand: Hand, tally: Tally) -> Price:
    """The base pattern that pays most with its extras; among equals, as under the cap, the dearer base pattern."""
    best: Price | None = None
    for base, counted in with_each_base(hand, tally):
        fan = capped(hand.case.options, int(counted.total()))
        unit = unit_of(hand.case.options, fan)
        one = Price((unit, base.value), (("fan", fan), ("unit", unit)), counted)
        best = one if best is None or one.worth > best.worth else best
    if best is None:
        raise RulesInputError("the fan table of 四川 needs its row 平胡, which every win has")
    return best


def deal(rules: Ruleset, outcome: Outcome, facts: TableFacts) -> Progress:
    """普通: the discarder deals next, a self-drawn win deals itself, a drawn hand is dealt again; 血戰: the dice say.

    In a blood battle the dice of the table choose, counted from the last dealer; until they are thrown the seat stays.
    """
    if rules.chosen["mode"] == "blood":
        if not facts.dice:
            return Progress(facts.dealer, by_dice=True)
        return Progress((facts.dealer + sum(facts.dice) - 1) % 4)
    if outcome.result == "draw":
        return Progress(facts.dealer)
    if outcome.from_seat is not None:
        return Progress(outcome.from_seat)
    if not outcome.winners:
        raise Impossible("next_dealer_unknown")
    return Progress(outcome.winners[0])


# ---------------------------------------------------------------- the ruleset

SICHUAN = Ruleset(
    name="sichuan",
    title=("四川麻将", "四川麻將", "Sichuan"),
    sources=("customer text, Sichuan part", "public table of multiples ×1 to ×256"),
    tile_kinds=SUITED,
    chows=False,
    forms=(standard, seven_pairs),
    fans=FANS,
    by_place=False,
    checks=(
        opening.only_the_dealer_is_dealt_a_win,
        no_chow,
        still_playing,
    ),
    before=(void_suit_gone, not_passed_before),
    gates=(two_suits,),
    price=price,
    notes=remarks,
    settle=settle,
    deal=deal,
    false_win=each_gets(penalty),
    answers={
        **USUAL_ANSWERS,
        "kong": answer_kong,
        "session": answer_session,
        "draw": answer_draw,
        "claim": answer_claim,
        "action": answer_action,
    },
    options={
        "base": whole(6, least=1, mark="seed", note="基本分: what one fan is worth"),
        "mode": choice("blood", "single", mark="seed", note="血戰到底, or the first win ends the hand"),
        "fan_cap": choice(6, 3, 4, 5, None, note="most fans that count"),
        "self_draw": choice("none", "plus_fan", "plus_base", note="what a self-draw adds"),
        "zhigang_units": choice(1, 2, mark="seed", note="直槓: bases the feeder pays"),
        "diangang_hua": choice("self_draw", "discard", note="槓上花 after a claimed kong: all pay, or the feeder"),
        "transfer_on_kong_discard": switch(False, mark="public", note="呼叫轉移: 槓上炮 takes the kong's money too"),
        "dingque": switch(False, note="定缺: each declares a suit that he must get rid of"),
        "huan_san_zhang": switch(False, note="換三張: three tiles of one suit change hands before play"),
        "pass_rule": choice("none", "until_own_draw", note="過水: a tile let go bars the next of its kind"),
        "pig_units": whole(16, least=1, mark="seed", note="花豬: bases for each player who is none"),
        "leave_forfeits": switch(False, mark="seed", note="a winner who leaves early gives his winnings back"),
        "false_win": choice("pig", "dead_hand", note="the offender pays like a 花豬, or only plays on without winning"),
        "earthly_win": choice("draw", "draw_or_discard", mark="public", note="地胡 also on the dealer's first discard"),
    },
    adjust=with_options,
)

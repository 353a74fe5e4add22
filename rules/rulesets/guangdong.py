"""廣東雞平胡 (Guangdong): 雞胡 1, 平胡 2, 碰碰胡 and 混一色 4, capped at 4; rare hands count 16, 32 or 64 alone.

Below the cap (爆胡) a hand is its dearest base pattern, and one more for 自摸, 風刻, 三元刻 and 門前清; above it
nothing is added. Everybody who can win a discard wins it. Who fed the fourth exposed meld, the third dragon or the
fourth wind pays for three when that player draws the win (包自摸). Rulings and sources: docs/rules/guangdong.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.claims import all_who_can, heard
from rules.errors import Impossible
from rules.evaluate import Judged, Price, Settlement
from rules.fans import Fan, Tally
from rules.hand import Case, Hand, Options
from rules.model import HandResult, Liability, Plain, Seat, TableFacts, Transfer, Winner
from rules.options import choice, number, switch, whole
from rules.patterns import kinds, opening, sets, winning
from rules.payments import each_pays, pay, seats_after
from rules.policies import USUAL_ANSWERS, each_gets, stay_or_pass_on
from rules.question import Question
from rules.ruleset import Ruleset
from rules.shapes import orphans, seven_pairs, standard
from rules.validation import check_seat

TILES = 136
"""All of them are drawn; kongs take their replacements from the tail."""

# ---------------------------------------------------------------- below the cap: base patterns and what adds one


def all_chows_any_pair(hand: Hand) -> bool:
    """Every set is a chow; the pair may be of any kind."""
    return hand.form == "standard" and not hand.pungs


def drawn_or_robbed(hand: Hand) -> bool:
    """Self-draw; a robbed kong counts as one."""
    return hand.case.self_drawn or hand.case.winner.source == "rob_kong"


def last_tile(hand: Hand) -> bool:
    """Self-draw of the last tile of the wall."""
    return hand.case.self_drawn and opening.wall_is_empty(hand.case.facts, TILES)


# ---------------------------------------------------------------- above the cap


def half_flush_of_pungs(hand: Hand) -> bool:
    """One suit and honours, and every set a pung or a kong."""
    return kinds.half_flush(hand) and sets.all_pungs(hand)


def pungs_of_terminals(hand: Hand) -> bool:
    """Pungs or kongs and a pair of terminals only."""
    return kinds.all_terminals(hand) and sets.all_pungs(hand)


def pungs_of_honours(hand: Hand) -> bool:
    """Pungs or kongs and a pair of winds and dragons only."""
    return kinds.all_honours(hand) and sets.all_pungs(hand)


FANS: tuple[Fan, ...] = (
    # above the cap: the dearest counts, alone
    Fan("字一色", 64, pungs_of_honours, layer="special"),
    Fan("清幺九", 64, pungs_of_terminals, layer="special"),
    Fan("大三元", 64, sets.big_three_dragons, layer="special"),
    Fan("大四喜", 64, sets.big_four_winds, layer="special"),
    Fan("九蓮寶燈", 64, winning.nine_gates, layer="special"),
    Fan("十三幺", 64, winning.thirteen_orphans, layer="special"),
    Fan("天胡", 64, opening.heavenly_win, layer="special"),
    Fan("地胡", 64, opening.earthly_win, layer="special"),
    Fan("人胡", 64, opening.human_win, layer="special"),
    Fan("清碰", 32, sets.flush_of_pungs, layer="special"),
    Fan("混幺九", 32, sets.pungs_of_terminals_and_honours, layer="special"),
    Fan("小三元", 32, sets.little_three_dragons, layer="special"),
    Fan("小四喜", 32, sets.little_four_winds, layer="special"),
    Fan("清一色", 16, kinds.full_flush, layer="special"),
    Fan("混碰", 16, half_flush_of_pungs, layer="special"),
    # below the cap: the dearest of these
    Fan("碰碰胡", 4, sets.all_pungs, layer="base"),
    Fan("混一色", 4, kinds.half_flush, layer="base"),
    Fan("平胡", 2, all_chows_any_pair, layer="base"),
    Fan("雞胡", 1, winning.any_hand, layer="base"),
    # and one more for each of these
    Fan("圈風刻", 1, sets.prevalent_wind, layer="more"),
    Fan("門風刻", 1, sets.seat_wind, layer="more"),
    Fan("三元刻", 1, sets.dragon_pung, layer="more"),
    Fan("門前清", 1, winning.concealed_hand, layer="more"),
    Fan("自摸", 1, drawn_or_robbed, layer="more"),
    # the hand is worth at least the cap
    Fan("槓上開花", 0, winning.replacement_tile, layer="floor"),
    Fan("搶槓", 0, winning.robbing_the_kong, layer="floor"),
    Fan("海底撈月", 0, last_tile, layer="floor"),
)
SEVEN_PAIRS = Fan("七對", 4, winning.seven_pairs, layer="base")


def with_options(rules: Ruleset) -> Ruleset:
    """The value of 人胡, and 七對 where the table plays it."""
    human = rules.chosen["renhu"]
    rows = tuple(replace(row, value=human) if row.name == "人胡" and isinstance(human, int) else row for row in FANS)
    if not rules.chosen["seven_pairs"]:
        return replace(rules, fans=rows)
    return replace(rules, fans=(*rows, SEVEN_PAIRS), forms=(*rules.forms, seven_pairs))


# ---------------------------------------------------------------- what may win

PATTERNS = ("大三元", "大四喜")
LIABILITIES = ("十二張", *PATTERNS)


def known_liabilities(rules: Ruleset, winner: Winner, facts: TableFacts) -> None:  # noqa: ARG001
    """The table names only liabilities that this game has.

    Raises:
        RulesInputError: Another kind, or a player who is liable for himself.
    """
    for one in facts.liability:
        if one.kind not in LIABILITIES or one.feeder == one.beneficiary:
            raise Impossible(
                "no_liability",
                by=one.feeder,
                seat=one.beneficiary,
                kind=repr(one.kind),
                known=", ".join(LIABILITIES),
            )


def passed_kind(case: Case) -> str | None:
    """Who let a winning tile go takes no other of that kind from anybody until he draws or claims (漏胡)."""
    binding = ("discard", "rob_kong") if case.options["pass_binds_after_rob"] else ("discard",)
    passed = case.facts.passed_kinds(case.seat)
    return "passed_same_tile" if case.winner.source in binding and case.win_tile in passed else None


def remarks(case: Case) -> tuple[str, ...]:
    """Four exposed melds and a self-draw, and the table names nobody who is liable."""
    named = any(one.beneficiary == case.seat for one in case.facts.liability)
    open_to_doubt = case.self_drawn and case.open_melds == 4 and not named
    return ("four melds are exposed, but the table names nobody who is liable",) if open_to_doubt else ()


# ---------------------------------------------------------------- value


def cap_of(options: Options) -> int:
    """What 爆胡 is worth: 4, or 8 where every 番 doubles."""
    return 4 if options["fan_scale"] == "linear" else 8


def cap_in_points(rules: Ruleset, facts: TableFacts) -> int:  # noqa: ARG001
    """爆胡 at the stake of this table."""
    return cap_of(rules.chosen) * number(rules.chosen, "unit")


def price(hand: Hand, tally: Tally) -> Price:
    """The dearest special hand alone; else base and additions up to the cap, and the floor of the way it was won."""
    options = hand.case.options
    special = tally.dearest("special")
    if special:
        others = [(row, times, special[0]) for row, times in tally.counted if (row, times) != special]
        kept, value, base = Tally([special], tally.covered + others), int(special[0].value), 0
    else:
        kept, cap = tally.keep_dearest("base"), cap_of(options)
        base, more = int(kept.total("base")), int(kept.total("more"))
        value = min(cap, base + more if options["fan_scale"] == "linear" else base * 2**more)
        if any(row.layer == "floor" for row, _ in kept.counted):
            value = cap
    unit = value * number(options, "unit")
    return Price((unit, base), (("unit", unit),), kept)


def several(rules: Ruleset, wins: Sequence[Judged], facts: TableFacts) -> Sequence[Judged]:
    """Everybody wins; three winners of one discard get at least the cap each (一炮三響)."""
    enough = 2 if rules.chosen["two_winner_floor"] else 3
    if len(wins) < enough or wins[0].case.winner.source != "discard":
        return wins
    return [at_least(one, cap_in_points(rules, facts)) for one in wins]


def at_least(one: Judged, floor: int) -> Judged:
    """The same win, worth no less than the floor."""
    if one.price is None or one.price.value >= floor:
        return one
    numbers = (("unit", floor),)
    price = replace(one.price, worth=(floor, *one.price.worth[1:]), numbers=numbers)
    return replace(one, price=price, verdict=replace(one.verdict, numbers=numbers))


# ---------------------------------------------------------------- payment


def pays_for_three(winner: Winner, facts: TableFacts) -> Seat | None:
    """Who pays all three shares: the robbed player, the feeder of the kong, else who is liable for a self-draw."""
    if winner.source == "rob_kong":
        return winner.from_seat
    if not winner.self_drawn:
        return None
    feeder = kong_feeder(winner) if winner.source == "kong_replacement" else None
    liable = (one.feeder for one in facts.liability if one.beneficiary == winner.seat)
    return next(liable, None) if feeder is None else feeder


def kong_feeder(winner: Winner) -> Seat | None:
    """Who discarded the tile of the kong whose replacement won: as told, or where the melds leave no doubt."""
    if winner.kong_feeder is not None:
        return winner.kong_feeder
    kongs = {(meld.kind, meld.source_seat) for meld in winner.melds if meld.is_kong}
    kind, source = next(iter(kongs))
    return source if len(kongs) == 1 and kind == "kong_open" else None


def settle(rules: Ruleset, wins: Sequence[Judged], facts: TableFacts) -> Settlement:  # noqa: ARG001
    """Discard: the discarder pays each winner. Self-draw: each pays, or one pays for three."""
    transfers: list[Transfer] = []
    for one in wins:
        winner, unit = one.case.winner, one.price.number("unit") if one.price else 0
        alone, others = pays_for_three(winner, facts), seats_after(one.seat)
        if alone is not None:
            transfers += pay(alone, one.seat, unit, "share of the win")
            transfers += pay(alone, one.seat, 2 * unit, "another loser's share, borne as liable")
        elif winner.from_seat is not None:
            transfers += pay(winner.from_seat, one.seat, unit, "discard")
        else:
            transfers += each_pays(others, one.seat, unit, "self-draw")
    return Settlement(tuple(transfers))


# ---------------------------------------------------------------- claims, liability


def answer_claim(rules: Ruleset, question: Question) -> HandResult:
    """A win goes first and everybody who can win may; who passed this kind and has not acted since may not.

    `wants` may say `pass` of a player who lets the win go. `all_winners` are in playing order after the discarder.
    """
    event, facts = question.event(), question.facts
    wishes = heard(rules, event)
    discard = event.tile("discard") if "discard" in event else None
    barred = [seat for seat in wishes.winners if discard in facts.passed_kinds(seat)]
    return all_who_can(rules, replace(wishes, winners=wishes.without(barred).winners))


def answer_liability(rules: Ruleset, question: Question) -> HandResult:
    """Who is liable after the events `{feeder, beneficiary, makes}`, in the order in which it came about."""
    standing = list(question.facts.liability)
    for event in question.events:
        made = Liability(event.seat("beneficiary"), event.seat("feeder"), event.text("makes", *LIABILITIES))
        check_seat(rules, made.feeder, "feeder")
        if made.feeder == made.beneficiary:
            raise Impossible("liable_for_himself", number=event.number, seat=made.feeder)
        standing = with_liability(standing, made, str(rules.chosen["liability_order"]))
    out: list[Plain] = [{"for": one.beneficiary, "by": one.feeder, "kind": one.kind} for one in standing]
    return HandResult.told(("liability_out", out))


def with_liability(standing: list[Liability], made: Liability, order: str) -> list[Liability]:
    """The liabilities after one more feed: who is bound to one player is bound to no other (包先不包後).

    A player answers to one feeder: the first, the last, or whoever fed the third dragon or the fourth wind.
    """
    if any(one.feeder == made.feeder and one.beneficiary != made.beneficiary for one in standing):
        return standing
    earlier = next((one for one in standing if one.beneficiary == made.beneficiary), None)
    if earlier is None:
        return [*standing, made]
    by_pattern = order == "pattern_first" and made.kind in PATTERNS and earlier.kind not in PATTERNS
    if order == "last" or by_pattern:
        return [made if one == earlier else one for one in standing]
    return standing


# ---------------------------------------------------------------- the ruleset

GUANGDONG = Ruleset(
    name="guangdong",
    title=("广东麻将", "廣東麻將", "Guangdong"),
    sources=("customer text 002, Guangdong", "public rules of the Tencent table"),
    forms=(standard, orphans),
    fans=FANS,
    by_place=False,
    checks=(
        opening.only_the_dealer_is_dealt_a_win,
        known_liabilities,
    ),
    before=(passed_kind,),
    price=price,
    notes=remarks,
    several=several,
    settle=settle,
    deal=stay_or_pass_on,
    false_win=each_gets(cap_in_points),
    answers={
        **USUAL_ANSWERS,
        "claim": answer_claim,
        "liability": answer_liability,
    },
    options={
        "unit": whole(1, least=1, note="points for one 倍"),
        "fan_scale": choice("linear", "doubling", mark="seed/public", note="+1 adds one up to 4, or doubles up to 8"),
        "renhu": choice(64, 9, note="人胡: as thirteen orphans, or the printed 9"),
        "seven_pairs": switch(False, note="seven pairs win, worth 4"),
        "liability_order": choice("first", "last", "pattern_first", note="which feeder answers for a player"),
        "pass_binds_after_rob": switch(True, note="the pass rule covers robbed kongs too"),
        "two_winner_floor": switch(False, note="two winners of one discard get at least the cap too"),
        "false_win": choice("pay_cap", "dead_hand", note="the cap to each opponent"),
    },
    adjust=with_options,
)

"""國標麻將 (MCR): 81 fans, at least 8 points, everybody pays the base of 8.

Profiles: `gb` is the present practice of Chinese events, `gb1998` the printed book of 1998, `mcr2006` the green book of
2006. Rulings and sources: docs/rules/gb.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from rules.errors import Impossible
from rules.evaluate import Judged, Price, Settlement, nearest_wins
from rules.fans import Fan, Tally, drops, same_pungs
from rules.hand import Case, Hand, Options, WildRule
from rules.model import Outcome, Progress, TableFacts, Transfer, Wind, Winner
from rules.options import choice, number, tile_or_null, whole
from rules.patterns import kinds, opening, sets, winning
from rules.payments import each_pays, pay, seats_after
from rules.policies import USUAL_ANSWERS, each_gets
from rules.ruleset import Ruleset
from rules.shapes import knitted, knitted_straight, orphans, seven_pairs, standard
from rules.tiles import parse_tile
from rules.wildcards import wildcard_is_not_claimed

# ---------------------------------------------------------------- tiles


def wildcard(options: Options, facts: TableFacts) -> WildRule:  # noqa: ARG001
    """The regional wildcard 財神: the kind named by the option, if any."""
    named = options["wildcard"]
    return WildRule(parse_tile(named) if isinstance(named, str) else None)


# ---------------------------------------------------------------- the fan table


def any_win(hand: Hand) -> bool:  # noqa: ARG001
    """A winning hand that scores nothing else; flowers do not count."""
    return True


def no_wildcard(hand: Hand) -> bool:
    """No wildcard is held, or each held one stands for itself."""
    return hand.wilds_natural


FANS = (
    # 88
    Fan("大四喜", 88, sets.big_four_winds, ("三风刻", "碰碰和", "圈风刻", "门风刻", "幺九刻"), pungs=sets.wind_pungs),
    Fan("大三元", 88, sets.big_three_dragons, ("双箭刻", "箭刻", same_pungs("幺九刻")), pungs=sets.dragon_pungs),
    Fan("绿一色", 88, kinds.all_green, ("混一色", "缺一门")),
    Fan("九莲宝灯", 88, winning.nine_gates, ("清一色", "不求人", "门前清", "无字", drops("幺九刻", 1))),
    Fan("四杠", 88, sets.four_kongs, ("三杠", "双明杠", "双暗杠", "明暗杠", "明杠", "暗杠", "碰碰和", "单钓将")),
    Fan("连七对", 88, winning.seven_shifted_pairs, ("七对", "清一色", "不求人", "门前清", "无字", "单钓将")),
    Fan("十三幺", 88, winning.thirteen_orphans, ("混幺九", "五门齐", "不求人", "门前清", "单钓将")),
    # 64
    Fan("清幺九", 64, kinds.all_terminals, ("混幺九", "碰碰和", "全带幺", "双同刻", "幺九刻", "无字")),
    Fan("小四喜", 64, sets.little_four_winds, ("三风刻", same_pungs("幺九刻")), pungs=sets.wind_pungs),
    Fan("小三元", 64, sets.little_three_dragons, ("双箭刻", "箭刻", same_pungs("幺九刻")), pungs=sets.dragon_pungs),
    Fan("字一色", 64, kinds.all_honours, ("混幺九", "碰碰和", "全带幺", "幺九刻")),
    Fan("四暗刻", 64, sets.four_concealed_pungs, ("三暗刻", "双暗刻", "碰碰和", "不求人", "门前清")),
    Fan("一色双龙会", 64, sets.pure_terminal_chows, ("七对", "清一色", "平和", "一般高", "老少副", "无字")),
    # 48
    Fan("一色四同顺", 48, sets.quadruple_chow, ("一色三同顺", "一色三节高", "一色四节高", "七对", "四归一", "一般高")),
    Fan("一色四节高", 48, sets.four_shifted_pungs, ("一色三同顺", "一色四同顺", "一色三节高", "碰碰和")),
    # 32
    Fan("一色四步高", 32, sets.four_shifted_chows, ("一色三步高", "连六", "老少副")),
    Fan("三杠", 32, sets.three_kongs, ("双明杠", "双暗杠", "明暗杠", "明杠", "暗杠")),
    Fan("混幺九", 32, kinds.terminals_and_honours, ("碰碰和", "全带幺", "幺九刻")),
    # 24
    Fan("七对", 24, winning.seven_pairs, ("不求人", "门前清", "单钓将")),
    Fan("七星不靠", 24, winning.greater_knitted, ("全不靠", "五门齐", "不求人", "门前清", "单钓将")),
    Fan("全双刻", 24, sets.all_even_pungs, ("碰碰和", "断幺", "无字")),
    Fan("清一色", 24, kinds.full_flush, ("无字",)),
    Fan("一色三同顺", 24, sets.pure_triple_chow, ("一色三节高", "一般高")),
    Fan("一色三节高", 24, sets.pure_shifted_pungs, ("一色三同顺",)),
    Fan("全大", 24, kinds.upper_tiles, ("大于五", "无字")),
    Fan("全中", 24, kinds.middle_tiles, ("断幺", "无字")),
    Fan("全小", 24, kinds.lower_tiles, ("小于五", "无字")),
    # 16
    Fan("清龙", 16, sets.pure_straight, ("连六", "老少副")),
    Fan("三色双龙会", 16, sets.three_suited_terminal_chows, ("平和", "老少副", "喜相逢", "无字")),
    Fan("一色三步高", 16, sets.pure_shifted_chows),
    Fan("全带五", 16, sets.all_fives, ("断幺", "无字")),
    Fan("三同刻", 16, sets.triple_pung, ("双同刻",)),
    Fan("三暗刻", 16, sets.three_concealed_pungs, ("双暗刻",)),
    # 12
    Fan("全不靠", 12, winning.lesser_knitted, ("五门齐", "不求人", "门前清", "单钓将")),
    Fan("组合龙", 12, winning.knitted_straight),
    Fan("大于五", 12, kinds.upper_four, ("无字",)),
    Fan("小于五", 12, kinds.lower_four, ("无字",)),
    Fan("三风刻", 12, sets.big_three_winds, (same_pungs("幺九刻"),), pungs=sets.wind_pungs),
    # 8
    Fan("花龙", 8, sets.mixed_straight),
    Fan("推不倒", 8, kinds.reversible, ("缺一门",)),
    Fan("三色三同顺", 8, sets.mixed_triple_chow, ("喜相逢",)),
    Fan("三色三节高", 8, sets.mixed_shifted_pungs),
    Fan("无番和", 8, any_win, alone=True),
    Fan("妙手回春", 8, winning.last_tile_draw, ("自摸",)),
    Fan("海底捞月", 8, winning.last_tile_claim),
    Fan("杠上开花", 8, winning.replacement_tile, ("自摸",)),
    Fan("抢杠和", 8, winning.robbing_the_kong, ("和绝张",)),
    # 6
    Fan("碰碰和", 6, sets.all_pungs),
    Fan("混一色", 6, kinds.half_flush),
    Fan("三色三步高", 6, sets.mixed_shifted_chows),
    Fan("五门齐", 6, kinds.all_types),
    Fan("全求人", 6, winning.melded_hand, ("单钓将",)),
    Fan("双暗杠", 6, sets.two_concealed_kongs, ("暗杠", "双暗刻")),
    Fan("双箭刻", 6, sets.two_dragon_pungs, ("箭刻", same_pungs("幺九刻")), pungs=sets.dragon_pungs),
    # 5, practice
    Fan("明暗杠", 5, sets.concealed_and_melded_kong, ("暗杠", "明杠")),
    # 4
    Fan("全带幺", 4, sets.outside_hand),
    Fan("不求人", 4, winning.fully_concealed, ("自摸",)),
    Fan("双明杠", 4, sets.two_melded_kongs, ("明杠",)),
    Fan("和绝张", 4, winning.last_of_kind),
    # 2
    Fan("箭刻", 2, sets.dragon_pung, (same_pungs("幺九刻"),), pungs=sets.dragon_pungs),
    Fan("圈风刻", 2, sets.prevalent_wind, (same_pungs("幺九刻"),), pungs=sets.round_wind_pung),
    Fan("门风刻", 2, sets.seat_wind, (same_pungs("幺九刻"),), pungs=sets.seat_wind_pung),
    Fan("门前清", 2, winning.concealed),
    Fan("平和", 2, sets.all_chows, ("无字",)),
    Fan("四归一", 2, kinds.tile_hog),
    Fan("双同刻", 2, sets.double_pung),
    Fan("双暗刻", 2, sets.two_concealed_pungs),
    Fan("暗杠", 2, sets.concealed_kong),
    Fan("断幺", 2, kinds.all_simples, ("无字",)),
    # 1
    Fan("一般高", 1, sets.pure_double_chow),
    Fan("喜相逢", 1, sets.mixed_double_chow),
    Fan("连六", 1, sets.short_straight),
    Fan("老少副", 1, sets.two_terminal_chows),
    Fan("幺九刻", 1, sets.pung_of_terminals_or_honours, pungs=sets.terminal_or_honour_pungs),
    Fan("明杠", 1, sets.melded_kong),
    Fan("缺一门", 1, kinds.one_voided_suit),
    Fan("无字", 1, kinds.no_honours),
    Fan("边张", 1, winning.edge_wait),
    Fan("坎张", 1, winning.closed_wait),
    Fan("单钓将", 1, winning.single_wait),
    Fan("自摸", 1, winning.self_drawn),
    Fan("花牌", 1, opening.flowers_laid, layer="flowers"),
)
NO_WILDCARD = Fan("无财神", 2, no_wildcard)


@dataclass(frozen=True, slots=True)
class Profile:
    """How one rule book differs from the present practice: other values, rows it has not, exclusions it has not."""

    values: dict[str, int] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    keeps: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Fans that a row does not exclude in this book."""


SELF_DRAWN_SPECIALS = ("九莲宝灯", "连七对", "十三幺", "四暗刻", "七对", "七星不靠", "全不靠")
PROFILES = {
    "gb": Profile(),
    "gb1998": Profile(
        without=("明暗杠",),
        keeps={"全大": ("大于五",), "全小": ("小于五",), "九莲宝灯": ("不求人",), "四暗刻": ("不求人",)},
    ),
    "mcr2006": Profile(
        values={"双暗杠": 8, "明暗杠": 6},
        keeps=dict.fromkeys(SELF_DRAWN_SPECIALS, ("不求人",)),
    ),
}


def in_profile(row: Fan, profile: Profile) -> Fan:
    """A row as the rule book of this profile has it."""
    kept = profile.keeps.get(row.name, ())
    excludes = tuple(one for one in row.excludes if one not in kept)
    return replace(row, value=profile.values.get(row.name, row.value), excludes=excludes)


def with_options(rules: Ruleset) -> Ruleset:
    """The rows of the chosen profile, and 無財神 where a wildcard is played."""
    profile = PROFILES[str(rules.chosen["profile"])]
    rows = [in_profile(row, profile) for row in FANS if row.name not in profile.without]
    if rules.chosen["wildcard"] is not None:
        rows.append(NO_WILDCARD)
    return replace(rules, fans=tuple(rows))


# ---------------------------------------------------------------- what may win


def no_kong_after_the_wall(rules: Ruleset, winner: Winner, facts: TableFacts) -> None:  # noqa: ARG001
    """No kong can be declared once the wall is empty, so none can be robbed then."""
    if facts.last_tile and winner.source == "rob_kong":
        raise Impossible("no_kong_at_end", seat=winner.seat)


def last_of_kind_note(case: Case) -> tuple[str, ...]:
    """A remark when the table says 和絕張 and it cannot be."""
    if not case.winner.last_of_kind:
        return ()
    if case.winner.source == "rob_kong":
        return ("last_of_kind ignored: the robbed tile already counts as robbing the kong",)
    if not winning.last_of_kind_possible(case):
        return ("last_of_kind ignored: the winner holds a concealed copy, so three copies cannot be visible",)
    return ()


# ---------------------------------------------------------------- value and payment

BASE = 8


def price(hand: Hand, tally: Tally) -> Price:
    """All fans add up; flowers are added too, but do not help to reach the minimum."""
    fans, flowers = int(tally.total("fan")), int(tally.total("flowers"))
    enough = fans >= number(hand.case.options, "minimum")
    total = fans + flowers
    return Price((total,), (("total", total),), tally, None if enough else "below_minimum")


def settle(rules: Ruleset, wins: Sequence[Judged], facts: TableFacts) -> Settlement:  # noqa: ARG001
    """Self-draw: each pays 8 and the total. Discard or robbed kong: he pays 8 and the total, the others 8."""
    transfers: list[Transfer] = []
    for one in wins:
        winner = one.case.winner
        total = one.price.number("total") if one.price else 0
        payers = seats_after(winner.seat) if one.case.self_drawn else (winner.from_seat,)
        transfers += each_pays(seats_after(winner.seat), winner.seat, BASE, "base")
        for payer in payers:
            if payer is not None:
                transfers += pay(payer, winner.seat, total, "fans")
    return Settlement(tuple(transfers))


FALSE_WIN = 10


def penalty(rules: Ruleset, facts: TableFacts) -> int:  # noqa: ARG001
    """A complete hand below the minimum (错和) pays ten to each player; for 诈和 the referee names 20."""
    return FALSE_WIN


# ---------------------------------------------------------------- dealer, rounds, session


def deal(rules: Ruleset, outcome: Outcome, facts: TableFacts) -> Progress:  # noqa: ARG001
    """The deal passes after every hand; four hands make a round, four rounds the session."""
    dealer = (facts.dealer + 1) % 4
    if dealer != facts.first_dealer:
        return Progress(dealer, facts.round_wind)
    return Progress(dealer, (facts.round_wind + 1) % 4, finished=facts.round_wind == 3)


MOVES: dict[Wind, tuple[Wind, Wind, Wind, Wind]] = {0: (1, 0, 3, 2), 1: (2, 3, 1, 0), 2: (1, 0, 3, 2)}
"""After the East, South and West round: where the player at East, South, West and North moves."""


def seat_in_round(start: Wind, round_wind: Wind) -> Wind:
    """The place (by its wind in the first hand) where a player sits in a round, by where he started.

    >>> ["ESWN"[seat_in_round(0, wind)] for wind in range(4)]
    ['E', 'S', 'N', 'W']
    """
    place = start
    for ended in range(round_wind):
        place = MOVES[ended][place]
    return place


def table_points(scores: Sequence[int]) -> tuple[Fraction, ...]:
    """Session points 4, 2, 1, 0 by table score; equal scores share the points of their places.

    >>> [str(points) for points in table_points([30, 30, 30, -90])]
    ['7/3', '7/3', '7/3', '0']
    """
    points = (4, 2, 1, 0)
    ranked = sorted(scores, reverse=True)
    shares = {
        score: Fraction(sum(points[place] for place, other in enumerate(ranked) if other == score), ranked.count(score))
        for score in ranked
    }
    return tuple(shares[score] for score in scores)


# ---------------------------------------------------------------- the ruleset

GB = Ruleset(
    name="gb",
    title=("国标麻将", "國標麻將", "Chinese Official (MCR)"),
    sources=("1998 competition rules", "practice of Chinese events (MIL)", "2006 green book"),
    flowers=True,
    wild=wildcard,
    forms=(standard, seven_pairs, orphans, knitted, knitted_straight),
    fans=FANS,
    checks=(
        opening.only_the_dealer_is_dealt_a_win,
        no_kong_after_the_wall,
    ),
    before=(wildcard_is_not_claimed,),
    price=price,
    notes=last_of_kind_note,
    several=nearest_wins,
    settle=settle,
    deal=deal,
    false_win=each_gets(penalty),
    answers=USUAL_ANSWERS,
    options={
        "profile": choice("gb", "gb1998", "mcr2006", mark="public", note="practice, the 1998 book, the 2006 book"),
        "wildcard": tile_or_null(note="regional: this kind stands for any tile or itself; adds the row No Wildcard"),
        "minimum": whole(8, least=0, mark="seed", note="fans without flowers must reach it"),
    },
    adjust=with_options,
)

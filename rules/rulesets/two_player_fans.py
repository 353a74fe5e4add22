"""The fan tables of 兩人麻將: the compact table, and the rows and exclusions that the full public list adds to it."""

from __future__ import annotations

from dataclasses import replace

from rules.fans import Exclusion, Fan
from rules.hand import Hand
from rules.patterns import kinds, opening, sets, winning
from rules.tiles import DRAGONS, HONOURS, WINDS


def wall_is_empty(hand: Hand) -> bool:
    """Whether all tiles are drawn, 72 or without flowers 64: the wall has no reserve."""
    return opening.wall_is_empty(hand.case.facts, 72 if hand.case.rules.flowers else 64)


def last_draw(hand: Hand) -> bool:
    """Self-draw of the last tile of the wall."""
    return hand.case.self_drawn and wall_is_empty(hand)


def last_discard(hand: Hand) -> bool:
    """Win on the discard made after the wall is exhausted."""
    return hand.case.winner.source == "discard" and wall_is_empty(hand)


COMPACT: tuple[Fan, ...] = (
    # 88
    Fan("大四喜", 88, sets.big_four_winds, ("碰碰胡", "混一色")),
    Fan("大三元", 88, sets.big_three_dragons, ("箭刻",)),
    Fan("九蓮寶燈", 88, winning.nine_gates, ("清一色", "門前清", "不求人", "自摸")),
    Fan("連七對", 88, winning.seven_shifted_pairs, ("清一色", "七對", "門前清", "自摸")),
    Fan("四槓", 88, sets.four_kongs, ("明槓", "暗槓")),
    Fan("天胡", 88, opening.heavenly_win, ("自摸",)),
    Fan("地胡", 88, opening.earthly_win, ("自摸",)),
    # 64
    Fan("小四喜", 64, sets.little_four_winds, ("碰碰胡", "混一色")),
    Fan("小三元", 64, sets.little_three_dragons, ("箭刻",)),
    Fan("四暗刻", 64, sets.four_concealed_pungs, ("碰碰胡", "門前清", "自摸", "不求人")),
    Fan("字一色", 64, kinds.all_honours, ("碰碰胡", "混一色", "混幺九")),
    # 32
    Fan("混幺九", 32, sets.pungs_of_terminals_and_honours, ("碰碰胡",)),
    # 24
    Fan("七對", 24, winning.seven_pairs, ("門前清", "自摸")),
    # 16
    Fan("清一色", 16, kinds.full_flush),
    Fan("清龍", 16, sets.pure_straight),
    # 8
    Fan("槓上開花", 8, winning.replacement_tile, ("自摸",)),
    Fan("搶槓胡", 8, winning.robbing_the_kong),
    Fan("妙手回春", 8, last_draw, ("自摸",)),
    Fan("海底撈月", 8, last_discard),
    # 6
    Fan("碰碰胡", 6, sets.all_pungs),
    Fan("混一色", 6, kinds.half_flush),
    # 4
    Fan("不求人", 4, winning.fully_concealed, ("自摸", "門前清")),
    # 2
    Fan("門前清", 2, winning.concealed),
    Fan("箭刻", 2, sets.dragon_pung),
    Fan("暗槓", 2, sets.concealed_kong),
    # 1
    Fan("自摸", 1, winning.self_drawn),
    Fan("明槓", 1, sets.melded_kong),
    Fan("花牌", 1, opening.flowers_laid),
)


# ---------------------------------------------------------------- what the full list adds


def pairs_of_all_honours(hand: Hand) -> bool:
    """Seven pairs of the seven honours."""
    return hand.form == "seven_pairs" and hand.kinds == HONOURS


def pairs_with_three_dragons(hand: Hand) -> bool:
    """Seven pairs with pairs of all three dragons."""
    return hand.form == "seven_pairs" and hand.kinds & DRAGONS == DRAGONS


def pairs_with_four_winds(hand: Hand) -> bool:
    """Seven pairs with pairs of all four winds."""
    return hand.form == "seven_pairs" and hand.kinds & WINDS == WINDS


def four_honour_pungs(hand: Hand) -> bool:
    """Four pungs or kongs of winds and dragons."""
    return (hand.pung_kinds & HONOURS).bit_count() == 4


def little_three_winds(hand: Hand) -> bool:
    """Pungs or kongs of two winds and a pair of a third."""
    pair_of_wind = hand.pair is not None and WINDS >> hand.pair & 1 == 1
    return pair_of_wind and (hand.pung_kinds & WINDS).bit_count() == 2


def all_flowers(hand: Hand) -> bool:
    """All eight flowers are laid aside."""
    return opening.flowers_of(hand.case) == 8


def seasons(hand: Hand) -> bool:
    """春夏秋冬, all four seasons, are laid aside."""
    return all_flowers(hand) or sum(34 <= tile < 38 for tile in hand.case.winner.flowers) == 4


def plants(hand: Hand) -> bool:
    """梅蘭竹菊, all four plants, are laid aside."""
    return all_flowers(hand) or sum(tile >= 38 for tile in hand.case.winner.flowers) == 4


def no_flowers(hand: Hand) -> bool:
    """No flower is laid aside, though the set has eight."""
    return opening.flowers_of(hand.case) == 0


def declared_ready(hand: Hand) -> bool:
    """The winner had declared to be ready."""
    return hand.case.winner.ready_before


def any_terminal_or_honour_pung(hand: Hand) -> bool:
    """Pungs or kongs of a 1, a 9 or an honour, counted once."""
    return sets.terminal_or_honour_pungs(hand) != 0


def any_foursome(hand: Hand) -> bool:
    """All four copies of a tile are used without a kong, counted once."""
    return kinds.tile_hog(hand) > 0


NO_FLOWERS = "無花牌"
ADDED: tuple[Fan, ...] = (
    Fan("大於五", 88, kinds.upper_four),
    Fan("小於五", 88, kinds.lower_four),
    Fan("大七星", 88, pairs_of_all_honours, ("字一色", "七對", "三元七對", "四喜七對", "門前清", "單釣將", "自摸")),
    Fan("一色雙龍會", 64, sets.pure_terminal_chows, ("平胡", "七對", "清一色", "一般高", "老少副")),
    Fan("人胡", 64, opening.human_win, ("門前清",)),
    Fan("一色四同順", 48, sets.quadruple_chow, ("三連刻", "一色三同順", "七對", "四歸一", "一般高")),
    Fan("四連刻", 48, sets.four_shifted_pungs, ("三連刻", "一色三同順", "碰碰胡", "一般高")),
    Fan("三元七對", 48, pairs_with_three_dragons, ("七對", "門前清", "單釣將", "自摸")),
    Fan("四喜七對", 48, pairs_with_four_winds, ("七對", "門前清", "單釣將", "自摸")),
    Fan("一色四步高", 32, sets.four_shifted_chows, ("一色三步高", "連六", "老少副")),
    Fan("三槓", 32, sets.three_kongs, ("雙明槓", "雙暗槓", "明槓", "暗槓")),
    Fan("四字刻", 24, four_honour_pungs, ("幺九刻", "碰碰胡", "混一色")),
    Fan("大三風", 24, sets.big_three_winds, ("幺九刻", "小三風")),
    Fan("一色三同順", 24, sets.pure_triple_chow, ("一般高", "三連刻")),
    Fan("三連刻", 24, sets.pure_shifted_pungs, ("一色三同順", "一般高")),
    Fan("一色三步高", 16, sets.pure_shifted_chows),
    Fan("全花", 16, all_flowers, ("春夏秋冬", "梅蘭竹菊")),
    Fan("三暗刻", 16, sets.three_concealed_pungs, ("雙暗刻",)),
    Fan("小三風", 6, little_three_winds),
    Fan("雙箭刻", 6, sets.two_dragon_pungs, ("箭刻", "幺九刻")),
    Fan("雙暗槓", 6, sets.two_concealed_kongs, ("雙暗刻", "暗槓")),
    Fan("全求人", 6, winning.melded_hand, ("單釣將",)),
    Fan("春夏秋冬", 4, seasons),
    Fan("梅蘭竹菊", 4, plants),
    Fan(NO_FLOWERS, 4, no_flowers),
    Fan("全帶幺", 4, sets.outside_hand),
    Fan("雙明槓", 4, sets.two_melded_kongs, ("明槓",)),
    Fan("報聽", 4, declared_ready),
    Fan("絕張", 4, winning.last_of_kind),
    Fan("平胡", 2, sets.all_chows),
    Fan("四歸一", 2, any_foursome),
    Fan("斷幺九", 2, kinds.all_simples),
    Fan("雙暗刻", 2, sets.two_concealed_pungs),
    Fan("一般高", 1, sets.pure_double_chow),
    Fan("連六", 1, sets.short_straight),
    Fan("老少副", 1, sets.two_terminal_chows),
    Fan("幺九刻", 1, any_terminal_or_honour_pung),
    Fan("邊張", 1, winning.edge_wait),
    Fan("坎張", 1, winning.closed_wait),
    Fan("單釣將", 1, winning.single_wait),
)

ALSO_EXCLUDES: dict[str, tuple[Exclusion, ...]] = {
    "大四喜": ("大三風", "小三風", "四字刻", "幺九刻"),
    "大三元": ("雙箭刻", "幺九刻"),
    "九蓮寶燈": ("幺九刻",),
    "連七對": ("不求人", "單釣將"),
    "四槓": ("三槓", "雙明槓", "雙暗槓", "單釣將"),
    "天胡": ("不求人", "單釣將", "邊張", "坎張", "絕張"),
    "地胡": ("單釣將", "邊張", "坎張"),
    "小四喜": ("大三風", "小三風", "幺九刻"),
    "小三元": ("雙箭刻", "幺九刻"),
    "四暗刻": ("三暗刻", "雙暗刻"),
    "字一色": ("全帶幺", "幺九刻", "四字刻"),
    "混幺九": ("幺九刻", "全帶幺"),
    "七對": ("單釣將",),
    "清龍": ("連六", "老少副"),
    "搶槓胡": ("絕張",),
    "箭刻": ("幺九刻",),
}
"""What the rows of the compact table include beside, where those patterns are played."""

FULL: tuple[Fan, ...] = tuple(
    sorted(
        (*(replace(row, excludes=(*row.excludes, *ALSO_EXCLUDES.get(row.name, ()))) for row in COMPACT), *ADDED),
        key=lambda row: -int(row.value),
    )
)
"""Both together, the dearest first, so that an including row comes before the included one."""

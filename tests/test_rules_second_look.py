"""Hands worked out a second time from the texts alone, before the rules were asked: corners that no other test has.

Sources: the rule texts of docs/rules. Each case says how the number comes about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from rules.questions import answer

Winner = dict[str, Any]
Case = tuple[str, str, dict[str, Any], Sequence[Winner], list[int], dict[str, Any]]


def pung(tiles: str, feeder: int) -> dict[str, Any]:
    return {"type": "peng", "tiles": tiles, "from": feeder}


def chow(tiles: str, feeder: int) -> dict[str, Any]:
    return {"type": "chi", "tiles": tiles, "from": feeder}


def kong(kind: str, tiles: str, feeder: int | None = None) -> dict[str, Any]:
    return {"type": f"kong_{kind}", "tiles": tiles, "from": feeder}


def drawn(seat: int, hand: str, tile: str | None, *melds: dict[str, Any], **more: Any) -> Winner:
    return {"seat": seat, "hand": hand, "win_tile": tile, "source": "self_draw", "melds": list(melds), **more}


def fed(seat: int, by: int, hand: str, tile: str, *melds: dict[str, Any], **more: Any) -> Winner:
    return {**drawn(seat, hand, tile, *melds), "source": "discard", "from_seat": by, **more}


WUHAN = {"dealer": 0, "flip": "4m", "wild": "5m", "wall_left": 40}
JIAXING = {"round_wind": "E", "dealer": 0, "wild": "9s", "dice": [3, 4]}
SICHUAN = {"dealer": 0, "wall_left": 30}
CHANGSHA: dict[str, Any] = {"dealer": 0, "birds": [], "wall_left": 30}
GUANGDONG = {"round_wind": "E", "dealer": 0}
POPULAR = {"dealer": 0, "drawn": 60}
FUJIAN = {"dealer": 0, "flip": "3m", "flowers": [0, 0, 0, 0], "streak": 0}
GB = {"round_wind": "E", "dealer": 0}
PURE = "111234567789m9m"
READY_3 = {"hand": "2345678899s", "melds": [pung("111s", 0)]}

CASES: tuple[Case, ...] = (
    # --- 武漢: base x factors of the winner x those of each loser
    (
        "開口 2 x 紅中槓 2 x 癩子槓 2 x 硬胡 2 = 16; the dealer and the discarder pay twice as much",
        "wuhan",
        {**WUHAN, "players": {"2": {"hz_kongs": 1, "lz_kongs": 1}}},
        [fed(2, 3, "456s78s88p", "9s", chow("123p", 1), pung("777p", 3), hz_kongs=1, lz_kongs=1)],
        [-32, -16, 80, -32],
        {},
    ),
    (
        "20 x 8 x 衝槓 2 x 硬胡 2 x 1.5 = 960 from each: 口口翻 caps at 500; who fed the third opening pays all",
        "wuhan",
        WUHAN,
        [drawn(0, "444s8s", "8s", pung("111s", 1), pung("222s", 2), kong("open", "3333s", 3))],
        [1500, 0, 0, -1500],
        {"options": {"mode": "koukou"}},
    ),
    (
        "將一色 with two wildcards that are 5s themselves: 10 x 2 x 硬胡 2 = 40, the discarder 60, the dealer no more",
        "wuhan",
        WUHAN,
        [fed(2, 3, "5588m258p258s", "8p", pung("222m", 1))],
        [-40, -40, 140, -60],
        {},
    ),
    (
        "全求人 and 海底撈 add to 20: x 2 x 2 x 1.5 = 120",
        "wuhan",
        {**WUHAN, "wall_left": 2},
        [drawn(1, "2p", "2p", chow("123p", 0), pung("333s", 2), pung("666s", 3), pung("999m", 0))],
        [-120, 360, -120, -120],
        {},
    ),
    (
        "碰碰胡 with a wildcard: 10 x 2 x 暗槓 4 = 80; the discarder x 1.5, who has opened x 2",
        "wuhan",
        {**WUHAN, "players": {"1": {"melds": [pung("222s", 0)]}}},
        [fed(3, 0, "111p44s5m6s", "6s", pung("777p", 0), kong("concealed", "9999s"))],
        [-120, -160, -80, 360],
        {},
    ),
    (
        "two wildcards held are no small win, though one is used as itself",
        "wuhan",
        WUHAN,
        [drawn(1, "45m6m5m3m22s", "4m", pung("333p", 2), pung("777s", 3))],
        [0, 0, 0, 0],
        {"reason": "two_laizi_small"},
    ),
    # --- 嘉興: base 5 x 台 x 2^番
    (
        "25: the partner of the contract 5 times, who stayed 2, who quit nothing",
        "jiaxing",
        {**JIAXING, "contracts": [[1, 2]], "quit": [3]},
        [drawn(1, "456m8m", "8m", pung("111m", 2), pung("222m", 2), pung("333m", 2))],
        [-50, 175, -125, 0],
        {},
    ),
    (
        "an outsider robs a member's kong, 20: the robbed member 2 + 3, the other member 2, the other outsider nothing",
        "jiaxing",
        {**JIAXING, "wild": "9p", "contracts": [[1, 2]]},
        [{**fed(0, 1, "1123456778s555z", "9s"), "source": "rob_kong"}],
        [140, -100, -40, 0],
        {},
    ),
    (
        "天和: 混一色 2 + 對對胡 2 + 紅中刻 1 + 無百搭 1, 5 x 6 x 4 (西 is neither wind)",
        "jiaxing",
        JIAXING,
        [drawn(0, "111222m333777z9m", "9m", discards_before=0)],
        [360, -120, -120, -120],
        {},
    ),
    (
        "海底撈月 and the oldest of three waiting fans: 5 x 5 x 4; the two others wait on",
        "jiaxing",
        {**JIAXING, "carry_in": ["黃番", "黃番"], "dice": [2, 2], "last_tile": True},
        [drawn(1, PURE, "9m")],
        [-100, 300, -100, -100],
        {"carry_out": ["黃番", "包子"]},
    ),
    (
        "全老頭: the wildcard makes 白板 a triplet and not 北: 10 + 圈 1 + 門 1 + 白板 1",
        "jiaxing",
        {**JIAXING, "wild": "9p"},
        [drawn(1, "111222333445z9p", "5z")],
        [-65, 195, -65, -65],
        {},
    ),
    (
        "two contracts: the members of the other one stay, 2 each",
        "jiaxing",
        {**JIAXING, "contracts": [[0, 1], [2, 3]]},
        [drawn(0, PURE, "9m")],
        [225, -125, -50, -50],
        {},
    ),
    # --- 四川: 6 x 2^(番 - 1)
    (
        "two pigs pay 96 to the one who is in and no pig; nothing to who has won, nothing to each other",
        "sichuan",
        {
            **SICHUAN,
            "out": [0],
            "wall_left": 0,
            "players": {"1": {"hand": "123m456p789s11p33p"}, "2": {"hand": "1479m12358p1479s"}, "3": READY_3},
        },
        [],
        [0, -96, -96, 192],
        {"kind": "draw", "pigs": [1, 2]},
    ),
    (
        "大叫 6 and 24, and the kong money goes back to all three, to the winner as well",
        "sichuan",
        {
            **SICHUAN,
            "out": [0],
            "wall_left": 0,
            "players": {
                "1": {"hand": "124779m1358p", "melds": [kong("added", "6666p", 2)]},
                "2": {"hand": "345m678p44p55p", "melds": [pung("222m", 1)]},
                "3": READY_3,
            },
            "kong_ledger": [{"by": 1, "type": "kong_added", "paid": {"0": 6, "2": 6, "3": 6}}],
        },
        [],
        [6, -48, 12, 30],
        {"kind": "draw"},
    ),
    (
        "清一色 3 + 根 1 (one 1m in a chow) + 槓上炮 1",
        "sichuan",
        SICHUAN,
        [fed(2, 1, "111123456789m9m", "9m", after_kong=True)],
        [0, -96, 96, 0],
        {},
    ),
    (
        "seven pairs with two foursomes: 龍七對 5 and the other root",
        "sichuan",
        SICHUAN,
        [drawn(0, "11112222m33445p", "5p")],
        [576, -192, -192, -192],
        {},
    ),
    (
        "a kong robbed by two: 平胡 1 + 搶槓 1, and 清一色 3 + 根 1 + 搶槓 1",
        "sichuan",
        SICHUAN,
        [
            {**fed(0, 1, "234567m45s99m", "6s", pung("888s", 3)), "source": "rob_kong"},
            {**fed(3, 1, "45s123s789s99s", "6s", pung("222s", 0)), "source": "rob_kong"},
        ],
        [12, -108, 0, 96],
        {},
    ),
    (
        "點槓花 is a self-draw: 對對胡 2 + 根 1 + 槓上花 1 from each",
        "sichuan",
        SICHUAN,
        [
            {
                **drawn(2, "222s555m3m", "3m", kong("open", "9999s", 0), pung("111s", 1), kong_feeder=0),
                "source": "kong_replacement",
            }
        ],
        [-48, -48, 144, -48],
        {},
    ),
    # --- 長沙
    (
        "three big patterns, 18 and 21; both birds point at the dealer, who pays four times as much",
        "changsha",
        {**CHANGSHA, "dealer": 1, "birds": ["5p", "9s"]},
        [
            {
                **drawn(3, "555777m9m", "9m", kong("open", "1111m", 0), pung("333m", 1), ready_before=True),
                "source": "kong_replacement",
            }
        ],
        [-18, -84, -18, 120],
        {},
    ),
    (
        "將將胡 in no order, the birds on nobody who pays or wins",
        "changsha",
        {**CHANGSHA, "dealer": 2, "birds": ["1m", "6p"]},
        [fed(1, 0, "22558m2558p2588s", "8p")],
        [-6, 6, 0, 0],
        {},
    ),
    (
        "通炮: the dealer's bird doubles both, the other one 小胡 alone: 2 x 4 and 7 x 2",
        "changsha",
        {**CHANGSHA, "birds": ["1p", "2s"]},
        [fed(1, 0, "123m456p78s22s", "9s", pung("999m", 3)), fed(2, 0, "78s123s345s55s", "9s", pung("666s", 3))],
        [-22, 8, 14, 0],
        {},
    ),
    (
        "海底炮: the taker pays the dealer 7; the sea tile is the bird and points at seat 1",
        "changsha",
        {**CHANGSHA, "wall_left": 0},
        [{**fed(0, 3, "123m456p45s22s", "6s", pung("999m", 1)), "source": "sea_bottom"}],
        [7, 0, 0, -7],
        {},
    ),
    (
        "all four starting wins at once, one each, the dealer two each",
        "changsha",
        {**CHANGSHA, "dealer": 3},
        [{**drawn(0, "11113337m46999p", None), "source": "start_hand"}],
        [16, -4, -4, -8],
        {"kind": "start"},
    ),
    (
        "清一色 and 七小對 from the dealer, 14; the bird is the winner",
        "changsha",
        {**CHANGSHA, "dealer": 3, "birds": ["3m"]},
        [fed(1, 3, "1122334455667m", "7m")],
        [0, 28, 0, -28],
        {"options": {"bird_count": 1}},
    ),
    # --- 廣東雞平胡
    (
        "大三元 on a robbed kong: the robbed one pays the three shares, not the one who fed the dragons",
        "guangdong",
        {**GUANGDONG, "liability": [{"for": 1, "by": 3, "kind": "大三元"}]},
        [
            {
                **fed(1, 2, "45m99s", "6m", pung("555z", 0), pung("666z", 2), pung("777z", 3)),
                "source": "rob_kong",
            }
        ],
        [0, 192, -192, 0],
        {},
    ),
    (
        "小四喜 is worth 32 and takes nothing of 混一色, the winds or the self-draw",
        "guangdong",
        GUANGDONG,
        [drawn(0, "11122233344z78m", "9m")],
        [96, -32, -32, -32],
        {},
    ),
    (
        "平胡 2 + 自摸 1 on the last tile are raised to 4",
        "guangdong",
        {**GUANGDONG, "last_tile": True},
        [drawn(2, "456m789p67s55s", "8s", chow("123m", 1))],
        [-4, -4, 12, -4],
        {},
    ),
    (
        "碰碰胡 4 + 門前清 1 are cut to 4",
        "guangdong",
        GUANGDONG,
        [fed(3, 1, "111m222p333s4449p", "9p")],
        [0, -4, 0, 4],
        {},
    ),
    (
        "two winners of one tile get what each is worth: 平胡 2 and 雞胡 1",
        "guangdong",
        GUANGDONG,
        [
            fed(1, 0, "456m789p67s55z", "8s", chow("123m", 0)),
            fed(3, 0, "11p333p67s", "8s", pung("999s", 1), pung("222m", 2)),
        ],
        [-3, 2, 0, 1],
        {},
    ),
    (
        "清一色 16 on the replacement of a fed kong: its feeder pays three shares",
        "guangdong",
        GUANGDONG,
        [
            {
                **drawn(2, "123456s9s", "9s", kong("open", "7777s", 0), pung("888s", 1), kong_feeder=0),
                "source": "kong_replacement",
            }
        ],
        [-48, 0, 48, 0],
        {},
    ),
    # --- 大眾: 2^(番 - 1) + flowers
    (
        "清一色 3 + 七對 2 + 自摸 1 + 1 are cut to 6: 32, and three flowers",
        "popular",
        {**POPULAR, "flowers": [0, 3, 0, 0]},
        [drawn(1, "1122335566889m", "9m", flowers="123f")],
        [-35, 105, -35, -35],
        {},
    ),
    (
        "搶槓胡 2 + 門前清 1 + 1: 8 from the robbed one alone",
        "popular",
        POPULAR,
        [{**fed(2, 3, "123m456p78s222p55z", "9s"), "source": "rob_kong"}],
        [0, 0, 8, -8],
        {},
    ),
    (
        "海底撈月 3 in place of 自摸, 門前清 1 and 1: 16",
        "popular",
        {**POPULAR, "drawn": 120, "last_tile": True},
        [drawn(2, "123m456p78s222p55z", "9s")],
        [-16, -16, 48, -16],
        {},
    ),
    (
        "槓上開花 3 + 碰碰胡 2 + 混一色 2 + 1 are cut to 6",
        "popular",
        POPULAR,
        [
            {
                **drawn(0, "111222m3z", "3z", kong("open", "4444m", 1), pung("555z", 2)),
                "source": "kong_replacement",
            }
        ],
        [96, -32, -32, -32],
        {},
    ),
    (
        "the fourth triplet is made by a discard: 碰碰胡 2 + 門前清 1 + 1, not 四暗刻",
        "popular",
        POPULAR,
        [fed(1, 0, "111m222p33355s99s", "5s")],
        [-8, 8, 0, 0],
        {},
    ),
    (
        "the pair is made by a discard: 四暗刻",
        "popular",
        POPULAR,
        [fed(1, 0, "111m222p333s999p5z", "5z")],
        [-32, 32, 0, 0],
        {},
    ),
    # --- 福建: core, twice on a self-draw, and a special
    (
        "a robbed kong counts as drawn: (底 5 + 花 1 + 金 2 + 槓 1 + 2) x 2",
        "fujian",
        {**FUJIAN, "flowers": [0, 1, 0, 0]},
        [
            {
                **fed(1, 2, "33m78s55s1m", "9s", kong("open", "8888p", 0), kong("concealed", "2222p"), pung("111z", 3)),
                "flowers": "1f",
                "source": "rob_kong",
            }
        ],
        [-22, 66, -22, -22],
        {},
    ),
    (
        "金雀: (5 + 2) x 2 + 30",
        "fujian",
        FUJIAN,
        [drawn(1, "456789m456p789s111z3m", "3m")],
        [-44, 132, -44, -44],
        {},
    ),
    (
        "三金倒 without a hand, the dealer's third time in a row: (5 + 3 + 3) x 2 + 10",
        "fujian",
        {**FUJIAN, "streak": 3},
        [drawn(0, "33m1479s258p1234z668s", "3m")],
        [96, -32, -32, -32],
        {},
    ),
    (
        "four sets where thirteen tiles are played; all three pay a discard",
        "fujian",
        FUJIAN,
        [fed(2, 0, "456m456p78s55s111z", "9s")],
        [-5, -5, 15, -5],
        {"options": {"hand_size": 13}},
    ),
    (
        "白 is the turned 3m in a chow",
        "fujian",
        FUJIAN,
        [fed(2, 0, "12m5z456789p78s55s111z", "9s")],
        [-5, -5, 15, -5],
        {},
    ),
    (
        "底 5 + 花 2 + 連莊 2",
        "fujian",
        {**FUJIAN, "streak": 2, "flowers": [2, 0, 0, 0]},
        [fed(0, 2, "456789m456p78s55s111z", "9s", flowers="15f")],
        [27, -9, -9, -9],
        {},
    ),
    # --- 兩人
    (
        "清龍 16 + 混一色 6 + 不求人 4 + 箭刻 2 + two flowers, open x 4, doubled x 2",
        "two_player",
        {"dealer": 0, "flowers": [2, 0], "open_hand": [True, False], "doubled": [False, True]},
        [drawn(0, "123456789m555z1z", "1z", flowers="12f")],
        [240, -240, 0, 0],
        {},
    ),
    (
        "搶槓胡 8 + 混一色 6 + 門前清 2 + two 箭刻",
        "two_player",
        {"dealer": 0},
        [{**fed(1, 0, "12456m777555z99m", "3m"), "source": "rob_kong"}],
        [-20, 20, 0, 0],
        {},
    ),
    (
        "pairs of one suit that are not seven in a row: 七對 24 + 清一色 16",
        "two_player",
        {"dealer": 0},
        [fed(1, 0, "112233556688m9m", "9m")],
        [-40, 40, 0, 0],
        {},
    ),
    (
        "妙手回春 8 in place of 自摸, 混一色 6, 箭刻 2, 暗槓 2",
        "two_player",
        {"dealer": 0, "last_tile": True},
        [drawn(0, "456m23m33z", "1m", kong("concealed", "7777z"), pung("222z", 1))],
        [18, -18, 0, 0],
        {},
    ),
    (
        "四暗刻 64 keeps 混一色 6 and takes 門前清",
        "two_player",
        {"dealer": 0},
        [fed(0, 1, "111222333m444z5z", "5z")],
        [70, -70, 0, 0],
        {},
    ),
    (
        "碰碰胡 6 + 混一色 6 + 門前清 2 + two 箭刻: a triplet made by a discard is not concealed",
        "two_player",
        {"dealer": 0},
        [fed(1, 0, "111333m44m555z66z", "6z")],
        [-18, 18, 0, 0],
        {},
    ),
    # --- 258
    ("普通和, drawn", "beginner258", {"dealer": 0}, [drawn(1, "456m78s555p22p", "9s", chow("123m", 0))],
     [-1, 3, -1, -1], {}),
    ("a plain pair of 3s", "beginner258", {"dealer": 0}, [drawn(1, "456m78s555p33p", "9s", chow("123m", 0))],
     [0, 0, 0, 0], {"reason": "pair_not_258"}),
    ("清一色 24 needs no 2/5/8 and takes no 清龍", "beginner258", {"dealer": 0}, [drawn(3, "123456789m123m9m", "9m")],
     [-24, -24, -24, 72], {}),
    ("碰碰和 or 混一色, 6 once", "beginner258", {"dealer": 0}, [fed(2, 0, "111s22z444s55z", "5z", pung("999s", 1))],
     [-6, 0, 6, 0], {}),
    ("十三幺", "beginner258", {"dealer": 0}, [fed(0, 3, "19m19p19s1234567z", "1m")], [88, 0, 0, -88], {}),
    ("七對 24", "beginner258", {"dealer": 0}, [fed(1, 2, "22334455m6677s8p", "8p")], [0, 24, -24, 0], {}),
    # --- 國標: 8 from each and the value from whom it is due
    ("清龙 16 + 妙手回春 8 + 不求人 4 + 平和 2", "gb", {"round_wind": "E", "dealer": 0, "last_tile": True},
     [drawn(1, "123456789m23p55s", "4p")], [-38, 114, -38, -38], {}),
    ("抢杠和 8 + 三色三步高 6", "gb", {"round_wind": "S", "dealer": 0},
     [{**fed(2, 0, "34578s11z", "9s", chow("123m", 1), chow("234p", 1)), "source": "rob_kong"}],
     [-22, -8, 38, -8], {}),
    ("混幺九 32 + 双同刻 2 + 箭刻 2 + 双暗刻 2 + 单钓将 1", "gb", {"round_wind": "E", "dealer": 0},
     [fed(3, 1, "111m555z6z", "6z", pung("111p", 0), pung("999s", 1))], [-8, -47, -8, 63], {}),
    ("全求人 6, which contains the single wait, and 断幺 2; two flowers after that", "gb", GB,
     [fed(2, 1, "5s", "5s", chow("234m", 1), chow("456p", 1), pung("777s", 0), pung("888p", 3), flowers="18f")],
     [-8, -18, 34, -8], {}),
    ("a concealed kong is no 全求人: 三色三节高 8 + 断幺 2 + 暗杠 2 + 单钓将 1", "gb", GB,
     [fed(2, 1, "6m", "6m", kong("concealed", "2222s"), pung("333m", 0), pung("444p", 3), chow("678s", 1))],
     [-8, -21, 37, -8], {}),
    ("抢杠和 8 without 和绝张, 花龙 8, 平和 2, and the fourth chow is tied once: 喜相逢 or 老少副, not both", "gb", GB,
     [{**fed(3, 0, "123789m45p22s", "6p", chow("123s", 2), last_of_kind=True), "source": "rob_kong"}],
     [-27, -8, -8, 43], {}),
    ("碰碰和 6 + 幺九刻 1 are 7: three flowers do not make them 8", "gb", GB,
     [fed(1, 0, "44m33z", "4m", pung("222m", 0), pung("666p", 3), pung("999s", 2), flowers="123f")],
     [0, 0, 0, 0], {"reason": "below_minimum"}),
    ("组合龙 12 + 五门齐 6 + 箭刻 2 (no 幺九刻 beside it) + 单钓将 1", "gb", GB,
     [fed(1, 3, "147m258p369s3z", "3z", pung("777z", 2))], [-8, 45, -8, -29], {}),
    ("七星不靠 24, drawn: 自摸 1 and no 不求人; two flowers", "gb", GB,
     [drawn(0, "14m258p3s1234567z", "6s", flowers="27f")], [105, -35, -35, -35], {}),
    ("全不靠 12 with all nine of 组合龙 12; neither 五门齐 nor 门前清", "gb", GB,
     [fed(2, 3, "147m258p369s1357z", "6z")], [-8, -8, 48, -32], {}),
    ("无番和 8, and a flower does not spoil it", "gb", GB,
     [fed(0, 1, "345s67p22z", "5p", chow("234m", 3), pung("888p", 2), flowers="3f")], [33, -17, -8, -8], {}),
    ("大三元 88 keeps the fourth 幺九刻 1: + 碰碰和 6 + 混一色 6", "gb", GB,
     [fed(1, 2, "4499s", "9s", pung("555z", 0), pung("666z", 3), pung("777z", 0))], [-8, 125, -109, -8], {}),
    ("the last tile after a kong: 杠上开花 8 + 妙手回春 8 + 连六 1 + 明杠 1 + 无字 1, no 自摸", "gb",
     {**GB, "last_tile": True},
     [{**drawn(1, "567m78s55s", "9s", kong("open", "3333p", 0), chow("234m", 0)), "source": "kong_replacement"}],
     [-27, 81, -27, -27], {}),
    # --- wildcards
    ("軟胡 of the dealer: 開口 2 x 蓄槓 2 x 自摸 2 x 莊 2, the wildcard is 8m", "wuhan", WUHAN,
     [drawn(0, "456s7m5m9m2p", "2p", kong("added", "3333p", 2), chow("123s", 3))], [48, -16, -16, -16], {}),
    ("風一色 in any arrangement, the wildcard among it: 10 x 2; discarder x 1.5, a 紅中槓 of seat 3 x 2", "wuhan",
     {**WUHAN, "players": {"3": {"hz_kongs": 1}}},
     [fed(1, 2, "2233z4466z5z5m", "3z", pung("111z", 3))], [-20, 90, -30, -40], {}),
    ("清一色 with a wildcard, drawn: 10 x 2 x 1.5 from each, and who fed the third opening pays it all", "wuhan", WUHAN,
     [drawn(2, "46p5m8p", "8p", pung("111p", 0), pung("222p", 1), pung("333p", 3))], [0, 0, 90, -90], {}),
    ("底 5 + 花 3 + 金 1 + 明槓 1 + 暗槓 2, once from each on a discard", "fujian", {**FUJIAN, "flowers": [0, 0, 0, 3]},
     [fed(3, 1, "5p3m7p123s45s88m", "6s", kong("concealed", "7777s"), kong("open", "9999p", 0), flowers="158f")],
     [-12, -12, -12, 36], {}),
    ("a gold that is itself in 123m is held all the same: (5 + 1) x 2", "fujian", FUJIAN,
     [drawn(1, "123456m78p55s111z222s", "9p")], [-12, 36, -12, -12], {}),
    ("a pair of 白, which are the turned 3m and no golds; (5 + 金 1 + 明槓 1 + 連莊 1) x 2", "fujian",
     {**FUJIAN, "streak": 1},
     [{**drawn(0, "456p78s3m111z23s55z", "4s", kong("open", "2222p", 1)), "source": "kong_replacement"}],
     [48, -16, -16, -16], {}),
    ("混一色 2 + 西 for seat 2 with a wildcard 1 + 白板刻 1", "jiaxing", JIAXING,
     [drawn(2, "33z9s12p456p88p", "3p", pung("555z", 0))], [-20, -20, 60, -20], {}),
    ("清一色 4 + 對對胡 2 with a wildcard, 杠上開花 x 2", "jiaxing", JIAXING,
     [{**drawn(3, "66m9s88m11m", "8m", kong("open", "2222m", 1), pung("444m", 0)), "source": "kong_replacement"}],
     [-60, -60, -60, 180], {}),
    ("清一色 4 with three wildcards that are honours: 三百搭 and 老頭黃, x 4", "jiaxing", {**JIAXING, "wild": "4z"},
     [drawn(1, "12456m79m22m8m444z", "8m")], [-80, 240, -80, -80], {"carry_out": []}),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[f"{case[1]}-{number}" for number, case in enumerate(CASES)])
def test_a_hand_worked_out_from_the_text(case: Case) -> None:
    why, ruleset, state, winners, payments, more = case
    asked = {name: value for name, value in more.items() if name in ("kind", "options")}
    said = answer({"ruleset": ruleset, "state": state, "winners": list(winners), **asked})
    assert said["payments"] == payments, why
    told = {name: value for name, value in more.items() if name not in asked}
    assert {name: said[name] for name in told} == told, why

"""Definitions of the fans of 國標 in Chinese: the English first line of a pattern's docstring is the key."""

from __future__ import annotations

FANS_OF_GB: dict[str, tuple[str, str]] = {
    "Pungs or kongs of all four winds, with any pair.": (
        "东南西北四副刻子（杠），将牌任意。",
        "東南西北四副刻子（槓），將牌任意。",
    ),
    "Pungs or kongs of all three dragons.": ("中发白三副刻子（杠）。", "中發白三副刻子（槓）。"),
    "Every tile is a bamboo 2, 3, 4, 6, 8 or the green dragon.": (
        "全部由二三四六八条和发财组成，可以没有发财。",
        "全部由二三四六八條和發財組成，可以沒有發財。",
    ),
    "Concealed 1112345678999 of one suit before the winning tile, won on any tile of that suit.": (
        "门前同一花色 1112345678999，和该花色任何一张。",
        "門前同一花色 1112345678999，和該花色任何一張。",
    ),
    "Four kongs and a pair.": ("四副杠和一对将。", "四副槓和一對將。"),
    "Seven pairs of one suit in seven consecutive ranks.": ("同一花色、序数相连的七对。", "同一花色、序數相連的七對。"),
    "One of each of the 13 terminals and honours, and a second copy of one of them.": (
        "十三种幺九牌各一张，其中一种成对。",
        "十三種幺九牌各一張，其中一種成對。",
    ),
    "Every tile is a 1 or a 9 of a suit.": ("全部是序数牌的一、九。", "全部是序數牌的一、九。"),
    "Pungs or kongs of three winds and a pair of the fourth.": ("三副风刻，另一种风作将。", "三副風刻，另一種風作將。"),
    "Pungs or kongs of two dragons and a pair of the third.": (
        "两副箭刻，另一种箭牌作将。",
        "兩副箭刻，另一種箭牌作將。",
    ),
    "Every tile is a wind or a dragon.": ("全部是风牌和箭牌。", "全部是風牌和箭牌。"),
    "Four pungs or concealed kongs, none completed by another player's tile.": (
        "四副暗刻（暗杠），没有一副由他家的牌完成。",
        "四副暗刻（暗槓），沒有一副由他家的牌完成。",
    ),
    "Two 123, two 789 and a pair of 5 in one suit.": (
        "同一花色的两副 123、两副 789，五作将。",
        "同一花色的兩副 123、兩副 789，五作將。",
    ),
    "Four identical chows of one suit.": ("同一花色四副相同的顺子。", "同一花色四副相同的順子。"),
    "Four pungs or kongs of one suit in consecutive ranks.": (
        "同一花色序数依次递增一的四副刻子。",
        "同一花色序數依次遞增一的四副刻子。",
    ),
    "Four chows of one suit, each one up, or each two up, from the previous.": (
        "同一花色依次递增一或依次递增二的四副顺子。",
        "同一花色依次遞增一或依次遞增二的四副順子。",
    ),
    "Three kongs of any kind.": ("三副杠，明暗不限。", "三副槓，明暗不限。"),
    "Every tile is a 1, a 9 or an honour, with both kinds present.": (
        "全部是幺九和字牌，两类都有。",
        "全部是幺九和字牌，兩類都有。",
    ),
    "Seven pairs; four equal tiles count as two pairs.": (
        "七对牌；四张相同的牌算两对。",
        "七對牌；四張相同的牌算兩對。",
    ),
    "All seven honours once and seven different tiles of 147, 258, 369, one sequence per suit.": (
        "七种字牌各一张，加不同花色的 147、258、369 中的七张单牌。",
        "七種字牌各一張，加不同花色的 147、258、369 中的七張單牌。",
    ),
    "Pungs or kongs and the pair are all of ranks 2, 4, 6 and 8.": (
        "刻子和将全部是二四六八的序数牌。",
        "刻子和將全部是二四六八的序數牌。",
    ),
    "All tiles are of one suit.": ("全部是同一花色的序数牌。", "全部是同一花色的序數牌。"),
    "Three identical chows of one suit.": ("同一花色三副相同的顺子。", "同一花色三副相同的順子。"),
    "Three pungs or kongs of one suit in consecutive ranks.": (
        "同一花色序数依次递增一的三副刻子。",
        "同一花色序數依次遞增一的三副刻子。",
    ),
    "All tiles are 7, 8 and 9 of suits.": ("全部是七八九的序数牌。", "全部是七八九的序數牌。"),
    "All tiles are 4, 5 and 6 of suits.": ("全部是四五六的序数牌。", "全部是四五六的序數牌。"),
    "All tiles are 1, 2 and 3 of suits.": ("全部是一二三的序数牌。", "全部是一二三的序數牌。"),
    "Chows 123, 456 and 789 of one suit.": (
        "同一花色的 123、456、789 三副顺子。",
        "同一花色的 123、456、789 三副順子。",
    ),
    "123 and 789 in one suit, 123 and 789 in a second, a pair of 5 in the third.": (
        "两种花色的 123、789，第三种花色的五作将。",
        "兩種花色的 123、789，第三種花色的五作將。",
    ),
    "Three chows of one suit, each one up, or each two up, from the previous.": (
        "同一花色依次递增一或依次递增二的三副顺子。",
        "同一花色依次遞增一或依次遞增二的三副順子。",
    ),
    "Every set and the pair contains a 5.": ("每副牌和将都有五。", "每副牌和將都有五。"),
    "Pungs or kongs of the same rank in all three suits.": (
        "三种花色序数相同的三副刻子（杠）。",
        "三種花色序數相同的三副刻子（槓）。",
    ),
    "Three pungs or concealed kongs completed without another player's tile.": (
        "三副暗刻（暗杠）。",
        "三副暗刻（暗槓）。",
    ),
    "Fourteen different tiles from the seven honours and 147, 258, 369, one sequence per suit.": (
        "七种字牌和不同花色的 147、258、369 中十四张不同的单牌。",
        "七種字牌和不同花色的 147、258、369 中十四張不同的單牌。",
    ),
    "147, 258 and 369, one sequence per suit, beside a set and a pair or inside fourteen single tiles.": (
        "不同花色的 147、258、369，另加一副牌和将，或在十四张单牌之中。",
        "不同花色的 147、258、369，另加一副牌和將，或在十四張單牌之中。",
    ),
    "All tiles are 6 to 9 of suits.": ("全部是六至九的序数牌。", "全部是六至九的序數牌。"),
    "All tiles are 1 to 4 of suits.": ("全部是一至四的序数牌。", "全部是一至四的序數牌。"),
    "Pungs or kongs of three winds.": ("三副风刻（杠）。", "三副風刻（槓）。"),
    "Chows 123, 456 and 789, each in a different suit.": (
        "三种花色的 123、456、789 三副顺子。",
        "三種花色的 123、456、789 三副順子。",
    ),
    "Only tiles that look the same upside down: 1234589 of dots, 245689 of bamboos, the white dragon.": (
        "只用上下对称的牌：1234589 饼、245689 条、白板。",
        "只用上下對稱的牌：1234589 餅、245689 條、白板。",
    ),
    "The same chow in all three suits.": ("三种花色相同的三副顺子。", "三種花色相同的三副順子。"),
    "Pungs or kongs in three suits with consecutive ranks.": (
        "三种花色序数依次递增一的三副刻子。",
        "三種花色序數依次遞增一的三副刻子。",
    ),
    "A winning hand that scores nothing else; flowers do not count.": (
        "除花牌外没有任何番种的和牌。",
        "除花牌外沒有任何番種的和牌。",
    ),
    "Self-draw of the last tile of the wall.": ("自摸牌墙最后一张牌。", "自摸牌牆最後一張牌。"),
    "Win on the discard made after the wall is exhausted.": (
        "和牌墙摸完后打出的最后一张牌。",
        "和牌牆摸完後打出的最後一張牌。",
    ),
    "Self-draw on the tile taken after declaring a kong.": ("开杠后摸到的补牌和牌。", "開槓後摸到的補牌和牌。"),
    "Win on the tile another player adds to a melded pung.": ("和他家加杠的那张牌。", "和他家加槓的那張牌。"),
    "Every set is a pung or a kong, beside a pair.": ("四副刻子（杠）和一对将。", "四副刻子（槓）和一對將。"),
    "One suit and honours, both present.": ("同一花色的序数牌和字牌，两类都有。", "同一花色的序數牌和字牌，兩類都有。"),
    "Three chows in three suits, each exactly one up.": (
        "三种花色序数依次递增一的三副顺子。",
        "三種花色序數依次遞增一的三副順子。",
    ),
    "All three suits, a wind and a dragon are present.": (
        "三种序数牌、风牌、箭牌俱全。",
        "三種序數牌、風牌、箭牌俱全。",
    ),
    "Four melded sets, and the pair completed by another player's tile.": (
        "四副牌全部吃碰杠他家，单钓他家打出的牌。",
        "四副牌全部吃碰槓他家，單釣他家打出的牌。",
    ),
    "Two concealed kongs.": ("两副暗杠。", "兩副暗槓。"),
    "Pungs or kongs of two dragons.": ("两副箭刻（杠）。", "兩副箭刻（槓）。"),
    "One concealed and one melded kong.": ("一副暗杠和一副明杠。", "一副暗槓和一副明槓。"),
    "Every set and the pair contains a terminal or an honour.": (
        "每副牌和将都有幺九或字牌。",
        "每副牌和將都有幺九或字牌。",
    ),
    "No melded set and a self-drawn win.": ("没有吃碰明杠，自摸和牌。", "沒有吃碰明槓，自摸和牌。"),
    "Two melded kongs.": ("两副明杠。", "兩副明槓。"),
    "Win on the fourth copy of a tile whose other three are all visible on the table.": (
        "和桌面已见三张的那种牌的第四张。",
        "和桌面已見三張的那種牌的第四張。",
    ),
    "A pung or kong of a dragon.": ("箭牌的刻子（杠）。", "箭牌的刻子（槓）。"),
    "A pung or kong of the round wind.": ("圈风的刻子（杠）。", "圈風的刻子（槓）。"),
    "A pung or kong of the player's seat wind.": ("门风的刻子（杠）。", "門風的刻子（槓）。"),
    "No melded set and a win on another player's tile.": (
        "没有吃碰明杠，和他家打出的牌。",
        "沒有吃碰明槓，和他家打出的牌。",
    ),
    "Every set is a chow and the pair is of a suit.": ("四副顺子，序数牌作将。", "四副順子，序數牌作將。"),
    "All four copies of a suit or honour tile are used without a kong, counted once per kind.": (
        "用足同一种牌的四张而不是杠，每种算一次。",
        "用足同一種牌的四張而不是槓，每種算一次。",
    ),
    "Two pungs or kongs of the same rank in two suits.": (
        "两种花色序数相同的两副刻子（杠）。",
        "兩種花色序數相同的兩副刻子（槓）。",
    ),
    "Two pungs or concealed kongs completed without another player's tile.": (
        "两副暗刻（暗杠）。",
        "兩副暗刻（暗槓）。",
    ),
    "A concealed kong.": ("一副暗杠。", "一副暗槓。"),
    "No terminals and no honours.": ("没有幺九和字牌。", "沒有幺九和字牌。"),
    "Two identical chows of one suit, tied once.": (
        "同一花色两副相同的顺子，套算一次。",
        "同一花色兩副相同的順子，套算一次。",
    ),
    "The same chow in two suits, tied once.": (
        "两种花色相同的两副顺子，套算一次。",
        "兩種花色相同的兩副順子，套算一次。",
    ),
    "Two chows of one suit that join into six consecutive ranks, tied once.": (
        "同一花色相连的六张牌组成的两副顺子，套算一次。",
        "同一花色相連的六張牌組成的兩副順子，套算一次。",
    ),
    "Chows 123 and 789 of one suit, tied once.": (
        "同一花色的 123、789 两副顺子，套算一次。",
        "同一花色的 123、789 兩副順子，套算一次。",
    ),
    "A pung or kong of a 1, a 9 or an honour.": ("幺九或字牌的刻子（杠）。", "幺九或字牌的刻子（槓）。"),
    "A melded kong, claimed or added.": ("一副明杠（直杠或加杠）。", "一副明槓（直槓或加槓）。"),
    "Exactly two of the three suits are present.": ("只有两种花色的序数牌。", "只有兩種花色的序數牌。"),
    "No winds and no dragons.": ("没有风牌和箭牌。", "沒有風牌和箭牌。"),
    "The 3 of 123 or the 7 of 789 was the only tile that could win.": (
        "只能和 123 的 3 或 789 的 7。",
        "只能和 123 的 3 或 789 的 7。",
    ),
    "The middle tile of a chow was the only tile that could win.": ("只能和顺子中间的一张。", "只能和順子中間的一張。"),
    "The second tile of the pair was the only tile that could win.": ("只能和将牌的另一张。", "只能和將牌的另一張。"),
    "The winner drew the winning tile, replacements included.": (
        "自己摸到和牌的那张，补牌也算。",
        "自己摸到和牌的那張，補牌也算。",
    ),
    "No wildcard is held, or each held one stands for itself.": (
        "没有财神，或财神都作本身使用。",
        "沒有財神，或財神都作本身使用。",
    ),
}
"""English definition to its simplified and traditional Chinese."""

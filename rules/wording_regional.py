"""Definitions of the fans that only the regional rulesets have, in Chinese, as in wording_fans.py."""

from __future__ import annotations

FANS_OF_TOWNS: dict[str, tuple[str, str]] = {
    "Every tile is a 2, a 5 or an 8 of a suit.": ("全部是二五八的序数牌。", "全部是二五八的序數牌。"),
    "A pung or kong of the winner's seat wind; the dealer is East.": (
        "本人门风的刻子（杠），庄家为东。",
        "本人門風的刻子（槓），莊家為東。",
    ),
    "A pung or kong of the white dragon.": ("白板的刻子（杠）。", "白板的刻子（槓）。"),
    "A pung or kong of the green dragon.": ("发财的刻子（杠）。", "發財的刻子（槓）。"),
    "A pung or kong of the red dragon.": ("红中的刻子（杠）。", "紅中的刻子（槓）。"),
    "No wildcard tile is held, however it would be used.": ("手中没有百搭牌。", "手中沒有百搭牌。"),
    "Three wildcards are held.": ("手中有三张百搭。", "手中有三張百搭。"),
    "Four melds are laid and only one tile was left in the hand.": (
        "吃碰杠四副，手中只剩一张。",
        "吃碰槓四副，手中只剩一張。",
    ),
    "Self-draw of the last tile that may be drawn.": ("自摸最后一张可抓的牌。", "自摸最後一張可抓的牌。"),
    "The dealer wins before having discarded a tile.": ("庄家未出一张牌就胡。", "莊家未出一張牌就胡。"),
    "A player other than the dealer wins before having discarded a tile.": (
        "闲家未出一张牌就胡。",
        "閒家未出一張牌就胡。",
    ),
    "The oldest waiting fan comes from a drawn hand.": (
        "最早的累计番是流局留下的黄番。",
        "最早的累計番是流局留下的黃番。",
    ),
    "The oldest waiting fan comes from a hand whose wildcard is a wind or a dragon.": (
        "最早的累计番来自百搭为风牌或字牌的一盘。",
        "最早的累計番來自百搭為風牌或字牌的一盤。",
    ),
    "The oldest waiting fan comes from a hand whose two opening dice were equal.": (
        "最早的累计番来自两个骰子同点的一盘。",
        "最早的累計番來自兩個骰子同點的一盤。",
    ),
    "The oldest waiting fan comes from a hand with the same wildcard as the hand before.": (
        "最早的累计番来自百搭与上一盘相同的一盘。",
        "最早的累計番來自百搭與上一盤相同的一盤。",
    ),
    "A win without any big pattern.": ("没有大胡的和牌。", "沒有大胡的和牌。"),
    "Only winds, 發 and 白, in any arrangement.": ("全部是东南西北发白，不论牌型。", "全部是東南西北發白，不論牌型。"),
    "All tiles are of one suit, in sets and a pair.": ("全部同一花色，成面子和将。", "全部同一花色，成面子和將。"),
    "Four exposed melds, and the single tile left in the hand is a 2, 5 or 8.": (
        "吃碰明杠四次，手上只留一张将牌。",
        "吃碰明槓四次，手上只留一張將牌。",
    ),
    "Self-draw of one of the last four tiles that may be drawn.": (
        "自摸最后四张牌中的一张。",
        "自摸最後四張牌中的一張。",
    ),
    "The hand is opened by a chow, a pung or an exposed kong: once, in 口口翻 each time.": (
        "吃、碰、明杠开口；口口翻每开一次都算。",
        "吃、碰、明槓開口；口口翻每開一次都算。",
    ),
    "A kong of another player's discard.": ("用他家打出的牌开杠。", "用他家打出的牌開槓。"),
    "A kong made by adding to a pung.": ("碰后摸到第四张加杠。", "碰後摸到第四張加槓。"),
    "A red dragon laid out or discarded.": ("拿出或打出一张红中。", "拿出或打出一張紅中。"),
    "A wildcard discarded as a kong.": ("打出一张癞子成杠。", "打出一張癩子成槓。"),
    "A wildcard stands for another tile.": ("有癞子充当其他牌。", "有癩子充當其他牌。"),
    "Every win counts the base.": ("每副和牌都有底。", "每副和牌都有底。"),
    "One for each flower laid aside.": ("每张花牌一分。", "每張花牌一分。"),
    "One for each gold held, however it is used.": ("手中每张金一分，不论怎样使用。", "手中每張金一分，不論怎樣使用。"),
    "One for an exposed kong, two for a concealed one.": ("明杠一分，暗杠两分。", "明槓一分，暗槓兩分。"),
    "One for each time the dealer who wins has already stayed.": (
        "庄家和牌，每连庄一次一分。",
        "莊家和牌，每連莊一次一分。",
    ),
    "Three golds are held; complete or not, they win when the third is drawn.": (
        "手有三金，摸到第三张即可倒牌。",
        "手有三金，摸到第三張即可倒牌。",
    ),
    "A player other than the dealer completes his dealt hand with the turned-up gold.": (
        "闲家起手牌加翻出的金即成和牌。",
        "閒家起手牌加翻出的金即成和牌。",
    ),
    "The pair is two golds.": ("两张金作将。", "兩張金作將。"),
    "The dealer's dealt tiles are complete.": ("庄家起手即成和牌。", "莊家起手即成和牌。"),
    "Pungs or kongs and a pair of winds and dragons only.": (
        "全部是风牌和箭牌的刻子（杠）和将。",
        "全部是風牌和箭牌的刻子（槓）和將。",
    ),
    "Pungs or kongs and a pair of terminals only.": (
        "全部是一、九的刻子（杠）和将。",
        "全部是一、九的刻子（槓）和將。",
    ),
    "A player other than the dealer wins with the first tile drawn, before anybody has claimed.": (
        "闲家第一圈自摸第一张牌和牌，之前没有人吃碰杠。",
        "閒家第一圈自摸第一張牌和牌，之前沒有人吃碰槓。",
    ),
    "A player other than the dealer wins on the dealer's first discard.": (
        "闲家和庄家打出的第一张牌。",
        "閒家和莊家打出的第一張牌。",
    ),
    "One suit, and every set a pung or a kong.": ("同一花色的刻子（杠）和将。", "同一花色的刻子（槓）和將。"),
    "Pungs or kongs and a pair of terminals and honours, both present.": (
        "幺九和字牌的刻子（杠）和将，两类都有。",
        "幺九和字牌的刻子（槓）和將，兩類都有。",
    ),
    "One suit and honours, and every set a pung or a kong.": (
        "同一花色加字牌，全部是刻子（杠）和将。",
        "同一花色加字牌，全部是刻子（槓）和將。",
    ),
    "Every set is a chow; the pair may be of any kind.": ("四副顺子，任意一对作将。", "四副順子，任意一對作將。"),
    "Any complete hand.": ("任何成牌都算。", "任何成牌都算。"),
    "No chow, pung or exposed kong; a concealed kong is allowed.": (
        "没有吃碰明杠，可以有暗杠。",
        "沒有吃碰明槓，可以有暗槓。",
    ),
    "Self-draw; a robbed kong counts as one.": ("自摸；抢杠也当自摸。", "自摸；搶槓也當自摸。"),
    "Seven pairs of the seven honours.": ("七种字牌各一对。", "七種字牌各一對。"),
    "Seven pairs with pairs of all three dragons.": ("七对，其中有中发白三对。", "七對，其中有中發白三對。"),
    "Seven pairs with pairs of all four winds.": ("七对，其中有东南西北四对。", "七對，其中有東南西北四對。"),
    "Four pungs or kongs of winds and dragons.": ("四副字牌的刻子（杠）。", "四副字牌的刻子（槓）。"),
    "All eight flowers are laid aside.": ("八张花牌全齐。", "八張花牌全齊。"),
    "Pungs or kongs of two winds and a pair of a third.": ("两副风刻，另一种风作将。", "兩副風刻，另一種風作將。"),
    "春夏秋冬, all four seasons, are laid aside.": ("春夏秋冬四张花牌齐。", "春夏秋冬四張花牌齊。"),
    "梅蘭竹菊, all four plants, are laid aside.": ("梅兰竹菊四张花牌齐。", "梅蘭竹菊四張花牌齊。"),
    "No flower is laid aside, though the set has eight.": ("一张花牌也没有。", "一張花牌也沒有。"),
    "The winner had declared to be ready.": ("和牌前已报听。", "和牌前已報聽。"),
    "All four copies of a tile are used without a kong, counted once.": (
        "用足同一种牌的四张而不是杠，只算一次。",
        "用足同一種牌的四張而不是槓，只算一次。",
    ),
    "Pungs or kongs of a 1, a 9 or an honour, counted once.": (
        "有幺九或字牌的刻子（杠），只算一次。",
        "有幺九或字牌的刻子（槓），只算一次。",
    ),
    "Win on the discard after the last tile that may be drawn.": (
        "和最后一张可抓的牌之后打出的牌。",
        "和最後一張可抓的牌之後打出的牌。",
    ),
    "Seven pairs, two of them of the same kind.": ("七对，其中有四张相同的牌。", "七對，其中有四張相同的牌。"),
    "Four sets and a pair of 2, 5 or 8.": ("四副面子，二五八作将。", "四副面子，二五八作將。"),
    "Four kongs and a pair; the kongs are no roots besides.": (
        "四副杠和一对将，杠不再另算根。",
        "四副槓和一對將，槓不再另算根。",
    ),
    "Another player wins with the first tile he draws; where it is played so, also on the dealer's first discard.": (
        "闲家第一张摸牌即和；可约定和庄家第一张打牌也算。",
        "閒家第一張摸牌即和；可約定和莊家第一張打牌也算。",
    ),
    "Seven pairs of one suit with four equal tiles among them, which then are no root.": (
        "清一色的七对，其中有四张相同的牌，这四张不再算根。",
        "清一色的七對，其中有四張相同的牌，這四張不再算根。",
    ),
    "Seven pairs with four equal tiles among them, which then are no root.": (
        "七对中有四张相同的牌，这四张不再算根。",
        "七對中有四張相同的牌，這四張不再算根。",
    ),
    "Seven pairs of one suit.": ("清一色的七对。", "清一色的七對。"),
    "Every set and the pair contains a 1 or a 9.": ("每副牌和将都带一或九。", "每副牌和將都帶一或九。"),
    "One suit, and every set and the pair contains a 1 or a 9.": (
        "清一色，每副牌和将都带一或九。",
        "清一色，每副牌和將都帶一或九。",
    ),
    "Four melds and a single wait, all of 2, 5 or 8.": (
        "四副牌全亮出，单钓将，全部是二五八。",
        "四副牌全亮出，單釣將，全部是二五八。",
    ),
    "Four melds and a single wait, all of one suit.": (
        "四副牌全亮出，单钓将，清一色。",
        "四副牌全亮出，單釣將，清一色。",
    ),
    "Pungs or kongs and the pair are all of 2, 5 or 8.": (
        "四副刻子（杠）和将都是二五八。",
        "四副刻子（槓）和將都是二五八。",
    ),
    "Four melds on the table, waiting for the second tile of the pair.": (
        "四副牌全亮出，单钓将。",
        "四副牌全亮出，單釣將。",
    ),
    "Four identical tiles in the hand and melds, a kong or not; each foursome counts.": (
        "手牌和副露中每有四张相同的牌算一根，杠也算。",
        "手牌和副露中每有四張相同的牌算一根，槓也算。",
    ),
    "Win on the discard that follows the discarder's own kong.": ("和他家开杠后打出的牌。", "和他家開槓後打出的牌。"),
    "The winner drew the winning tile, where the table pays a fan for it.": (
        "自己摸到和牌张（约定自摸加番时）。",
        "自己摸到和牌張（約定自摸加番時）。",
    ),
    "A complete hand with a pair of 2, 5 or 8 and no big pattern.": (
        "二五八作将，没有大胡牌型。",
        "二五八作將，沒有大胡牌型。",
    ),
    "All tiles are of one suit, in sets with any pair or in seven pairs.": (
        "全部同一花色，将牌任意，七对也算。",
        "全部同一花色，將牌任意，七對也算。",
    ),
    "Seven pairs, three foursomes among them.": ("七对，其中有三组四张相同的牌。", "七對，其中有三組四張相同的牌。"),
    "Seven pairs, two foursomes among them.": ("七对，其中有两组四张相同的牌。", "七對，其中有兩組四張相同的牌。"),
    "Seven pairs, a foursome among them.": ("七对，其中有一组四张相同的牌。", "七對，其中有一組四張相同的牌。"),
    "Four melds on the table and a win on another player's tile.": (
        "四副牌全亮出，和他家的牌。",
        "四副牌全亮出，和他家的牌。",
    ),
    "The winner takes the last tile of the wall and wins with it.": ("要海底牌并以此和牌。", "要海底牌並以此和牌。"),
    "Win on the last tile, which another player took and could not use.": (
        "他家要海底牌而不能和，和这张海底牌。",
        "他家要海底牌而不能和，和這張海底牌。",
    ),
    "A ready player opens a kong with the dice and wins on the replacement.": (
        "听牌后开杠掷骰，和补上的牌。",
        "聽牌後開槓擲骰，和補上的牌。",
    ),
    "Win on the replacement that another player's dice turned up.": (
        "他家开杠掷骰补出的牌，被自己和。",
        "他家開槓擲骰補出的牌，被自己和。",
    ),
    "Four identical tiles are dealt.": ("起手有四张相同的牌。", "起手有四張相同的牌。"),
    "No 2, 5 or 8 is dealt.": ("起手没有二五八。", "起手沒有二五八。"),
    "A suit is missing from the dealt tiles.": ("起手缺一门花色。", "起手缺一門花色。"),
    "Two triplets are dealt.": ("起手有两副刻子。", "起手有兩副刻子。"),
    "A pair of the same rank is dealt in each suit.": ("起手三门各有一对同点数的牌。", "起手三門各有一對同點數的牌。"),
}
"""English definition to its simplified and traditional Chinese."""

"""Names of fans in three languages. The Chinese term that a ruleset's rows use is the id; this is the only table.

國標 rows use the simplified terms of the competition rules, the regional rulesets the traditional terms of their towns;
a term that is missing here is shown as it is.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FanName:
    """One term: traditional and English, and simplified where the id is not."""

    hant: str
    en: str
    hans: str = ""


FAN_NAMES: dict[str, FanName] = {
    # ---- gb
    "大四喜": FanName("大四喜", "Big Four Winds"),
    "大三元": FanName("大三元", "Big Three Dragons"),
    "绿一色": FanName("綠一色", "All Green"),
    "九莲宝灯": FanName("九蓮寶燈", "Nine Gates"),
    "四杠": FanName("四槓", "Four Kongs"),
    "连七对": FanName("連七對", "Seven Shifted Pairs"),
    "十三幺": FanName("十三幺", "Thirteen Orphans"),
    "清幺九": FanName("清幺九", "All Terminals"),
    "小四喜": FanName("小四喜", "Little Four Winds"),
    "小三元": FanName("小三元", "Little Three Dragons"),
    "字一色": FanName("字一色", "All Honors"),
    "四暗刻": FanName("四暗刻", "Four Concealed Pungs"),
    "一色双龙会": FanName("一色雙龍會", "Pure Terminal Chows"),
    "一色四同顺": FanName("一色四同順", "Quadruple Chow"),
    "一色四节高": FanName("一色四節高", "Four Pure Shifted Pungs"),
    "一色四步高": FanName("一色四步高", "Four Pure Shifted Chows"),
    "三杠": FanName("三槓", "Three Kongs"),
    "混幺九": FanName("混幺九", "All Terminals and Honors"),
    "七对": FanName("七對", "Seven Pairs"),
    "七星不靠": FanName("七星不靠", "Greater Honors and Knitted Tiles"),
    "全双刻": FanName("全雙刻", "All Even Pungs"),
    "清一色": FanName("清一色", "Full Flush"),
    "一色三同顺": FanName("一色三同順", "Pure Triple Chow"),
    "一色三节高": FanName("一色三節高", "Pure Shifted Pungs"),
    "全大": FanName("全大", "Upper Tiles"),
    "全中": FanName("全中", "Middle Tiles"),
    "全小": FanName("全小", "Lower Tiles"),
    "清龙": FanName("清龍", "Pure Straight"),
    "三色双龙会": FanName("三色雙龍會", "Three-Suited Terminal Chows"),
    "一色三步高": FanName("一色三步高", "Pure Shifted Chows"),
    "全带五": FanName("全帶五", "All Fives"),
    "三同刻": FanName("三同刻", "Triple Pung"),
    "三暗刻": FanName("三暗刻", "Three Concealed Pungs"),
    "全不靠": FanName("全不靠", "Lesser Honors and Knitted Tiles"),
    "组合龙": FanName("組合龍", "Knitted Straight"),
    "大于五": FanName("大於五", "Upper Four"),
    "小于五": FanName("小於五", "Lower Four"),
    "三风刻": FanName("三風刻", "Big Three Winds"),
    "花龙": FanName("花龍", "Mixed Straight"),
    "推不倒": FanName("推不倒", "Reversible Tiles"),
    "三色三同顺": FanName("三色三同順", "Mixed Triple Chow"),
    "三色三节高": FanName("三色三節高", "Mixed Shifted Pungs"),
    "无番和": FanName("無番和", "Chicken Hand"),
    "妙手回春": FanName("妙手回春", "Last Tile Draw"),
    "海底捞月": FanName("海底撈月", "Last Tile Claim"),
    "杠上开花": FanName("槓上開花", "Out with Replacement Tile"),
    "抢杠和": FanName("搶槓和", "Robbing the Kong"),
    "碰碰和": FanName("碰碰和", "All Pungs"),
    "混一色": FanName("混一色", "Half Flush"),
    "三色三步高": FanName("三色三步高", "Mixed Shifted Chows"),
    "五门齐": FanName("五門齊", "All Types"),
    "全求人": FanName("全求人", "Melded Hand"),
    "双暗杠": FanName("雙暗槓", "Two Concealed Kongs"),
    "双箭刻": FanName("雙箭刻", "Two Dragon Pungs"),
    "明暗杠": FanName("明暗槓", "Concealed Kong and Melded Kong"),
    "全带幺": FanName("全帶幺", "Outside Hand"),
    "不求人": FanName("不求人", "Fully Concealed Hand"),
    "双明杠": FanName("雙明槓", "Two Melded Kongs"),
    "和绝张": FanName("和絕張", "Last Tile"),
    "箭刻": FanName("箭刻", "Dragon Pung"),
    "圈风刻": FanName("圈風刻", "Prevalent Wind"),
    "门风刻": FanName("門風刻", "Seat Wind"),
    "门前清": FanName("門前清", "Concealed Hand"),
    "平和": FanName("平和", "All Chows"),
    "四归一": FanName("四歸一", "Tile Hog"),
    "双同刻": FanName("雙同刻", "Double Pung"),
    "双暗刻": FanName("雙暗刻", "Two Concealed Pungs"),
    "暗杠": FanName("暗槓", "Concealed Kong"),
    "断幺": FanName("斷幺", "All Simples"),
    "一般高": FanName("一般高", "Pure Double Chow"),
    "喜相逢": FanName("喜相逢", "Mixed Double Chow"),
    "连六": FanName("連六", "Short Straight"),
    "老少副": FanName("老少副", "Two Terminal Chows"),
    "幺九刻": FanName("幺九刻", "Pung of Terminals or Honors"),
    "明杠": FanName("明槓", "Melded Kong"),
    "缺一门": FanName("缺一門", "One Voided Suit"),
    "无字": FanName("無字", "No Honors"),
    "边张": FanName("邊張", "Edge Wait"),
    "坎张": FanName("坎張", "Closed Wait"),
    "单钓将": FanName("單釣將", "Single Wait"),
    "自摸": FanName("自摸", "Self-Drawn"),
    "花牌": FanName("花牌", "Flower Tiles"),
    "无财神": FanName("無財神", "No Wildcard"),
    # ---- jiaxing
    "全老頭": FanName("全老頭", "All Honors", "全老头"),
    "對對胡": FanName("對對胡", "All Pungs", "对对胡"),
    "風刻(圈)": FanName("風刻(圈)", "Prevalent Wind Pung", "风刻(圈)"),
    "風刻(門)": FanName("風刻(門)", "Seat Wind Pung", "风刻(门)"),
    "白板刻": FanName("白板刻", "White Dragon Pung", "白板刻"),
    "發財刻": FanName("發財刻", "Green Dragon Pung", "发财刻"),
    "紅中刻": FanName("紅中刻", "Red Dragon Pung", "红中刻"),
    "無百搭": FanName("無百搭", "No Wildcard", "无百搭"),
    "三百搭": FanName("三百搭", "Three Wildcards", "三百搭"),
    "杠上開花": FanName("杠上開花", "Win on the Kong Replacement", "杠上开花"),
    "單吊": FanName("單吊", "Lone Tile", "单吊"),
    "海底撈月": FanName("海底撈月", "Last Tile", "海底捞月"),
    "天和": FanName("天和", "Heavenly Win", "天和"),
    "地和": FanName("地和", "Earthly Win", "地和"),
    "黃番": FanName("黃番", "Drawn Hand Carried", "黄番"),
    "老頭黃": FanName("老頭黃", "Honor Is Wild, Carried", "老头黄"),
    "包子": FanName("包子", "Equal Dice, Carried", "包子"),
    "百搭連庄": FanName("百搭連庄", "Same Wildcard, Carried", "百搭连庄"),
    # ---- guangdong
    # ---- sichuan
    # ---- wuhan
    "小胡": FanName("小胡", "Small Win", "小胡"),
    "風一色": FanName("風一色", "All Winds", "风一色"),
    "將一色": FanName("將一色", "All 2 5 8", "将一色"),
    "碰碰胡": FanName("碰碰胡", "All Pungs", "碰碰胡"),
    "海底撈": FanName("海底撈", "One of the Last Four", "海底捞"),
    "槓上花": FanName("槓上花", "Win on the Kong Replacement", "杠上花"),
    "搶槓": FanName("搶槓", "Robbing the Kong", "抢杠"),
    "開口": FanName("開口", "Opened", "开口"),
    "衝槓": FanName("衝槓", "Claimed Kong", "冲杠"),
    "蓄槓": FanName("蓄槓", "Added Kong", "蓄杠"),
    "暗槓": FanName("暗槓", "Concealed Kong", "暗杠"),
    "紅中槓": FanName("紅中槓", "Red Dragon Kong", "红中杠"),
    "癩子槓": FanName("癩子槓", "Wildcard Kong", "癞子杠"),
    "硬胡": FanName("硬胡", "Hard Win", "硬胡"),
    "軟胡": FanName("軟胡", "Soft Win", "软胡"),
    # ---- changsha
    # ---- popular
    # ---- two_player
    # ---- beginner258
    # ---- fujian
    "底": FanName("底", "Base", "底"),
    "花": FanName("花", "Flowers", "花"),
    "金": FanName("金", "Golds Held", "金"),
    "槓": FanName("槓", "Kongs", "杠"),
    "連莊": FanName("連莊", "Dealer Repeats", "连庄"),
    "三金倒": FanName("三金倒", "Three Golds", "三金倒"),
    "搶金": FanName("搶金", "Grabbing the Gold", "抢金"),
    "金雀": FanName("金雀", "Golden Pair", "金雀"),
    "天胡": FanName("天胡", "Heavenly Win", "天胡"),
}


def fan_name(term: str, language: str = "zh-Hans") -> str:
    """A fan's name in `zh-Hans`, `zh-Hant` or `en`; the term itself where the table has none.

    >>> fan_name("断幺", "en"), fan_name("断幺", "zh-Hant"), fan_name("断幺")
    ('All Simples', '斷幺', '断幺')
    """
    name = FAN_NAMES.get(term)
    if name is None:
        return term
    if language == "en":
        return name.en
    return name.hant if language == "zh-Hant" else name.hans or term

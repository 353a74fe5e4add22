"""The words of the summary in an appeal bundle, in 简体, 繁體 and English."""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES = ("zh-Hans", "zh-Hant", "en")

WORDS: Mapping[str, tuple[str, str, str]] = {
    "title": ("牌局：一盘牌的申诉材料", "牌局：一盤牌的申訴材料", "Paiju: one hand, for an appeal"),
    "game": ("对局", "對局", "Game"),
    "rules": ("规则", "規則", "Rules"),
    "options": ("选项", "選項", "Options"),
    "mode": ("方式", "方式", "Mode"),
    "friendly": ("友谊赛", "友誼賽", "friendly"),
    "competition": ("比赛", "比賽", "competition"),
    "hand": ("盘", "盤", "Hand"),
    "round": ("圈风", "圈風", "round wind"),
    "dealer": ("庄家", "莊家", "dealer"),
    "players": ("座位", "座位", "Seats"),
    "result": ("结果", "結果", "Result"),
    "open": ("尚未结束", "尚未結束", "still being played"),
    "win": ("和牌", "和牌", "win"),
    "draw": ("流局", "流局", "drawn hand"),
    "void": ("不计", "不計", "does not count"),
    "winner": ("和牌者", "和牌者", "winner"),
    "by": ("谁", "誰", "by"),
    "from_seat": ("点炮者", "放槍者", "fed by"),
    "self_draw": ("自摸", "自摸", "self-drawn"),
    "settled": ("结算", "結算", "settled value"),
    "computed": ("计算值", "計算值", "computed"),
    "announced": ("本人报", "本人報", "announced"),
    "tiles": ("手牌", "手牌", "Tiles"),
    "melds": ("副露", "副露", "melds"),
    "flowers": ("花牌", "花牌", "flowers"),
    "win_tile": ("和的牌", "和的牌", "winning tile"),
    "fans": ("番种", "番種", "Fans"),
    "payments": ("收付", "收付", "Payments"),
    "corrected": ("改过，理由", "改過，理由", "Corrected, because"),
    "pictures": ("照片", "照片", "Pictures"),
    "kept": ("已附上", "已附上", "enclosed"),
    "let_go": ("照片已不再保存", "照片已不再保存", "picture no longer kept"),
    "missing": ("文件缺失或已损坏", "檔案缺失或已損壞", "the file is missing or damaged"),
    "events": (
        "经过（世界时，编号，身份）",
        "經過（世界時，編號，身分）",
        "What happened (UTC, number in the ledger, who)",
    ),
    "seat": ("座位", "座位", "seat"),
    "tile": ("牌", "牌", "tile"),
    "was": ("原读作", "原讀作", "read as"),
    "values": ("点数", "點數", "pips"),
    "points": ("分", "分", "points"),
    "reason": ("理由", "理由", "reason"),
    "undone_seq": ("撤销编号", "撤銷編號", "takes back number"),
    "how_to_check": ("如何核对", "如何核對", "How to check"),
    "check_text": (
        "SHA256SUMS 列出每个文件的 SHA-256。chain.jsonl 每行的 sha256 是 text（UTF-8）的 SHA-256；"
        "text 的第一个值是上一行的 sha256。最后一行应与账本中同一编号的记录相同。",
        "SHA256SUMS 列出每個檔案的 SHA-256。chain.jsonl 每行的 sha256 是 text（UTF-8）的 SHA-256；"
        "text 的第一個值是上一行的 sha256。最後一行應與帳本中同一編號的記錄相同。",
        "SHA256SUMS lists the SHA-256 of every file. In chain.jsonl, sha256 of a line is the SHA-256 of its "
        "text (UTF-8), and the first value of text is the sha256 of the line before. The last line must be the entry "
        "of that number in the table's ledger.",
    ),
    "last_entry": ("最后的记录", "最後的記錄", "Last entry"),
    "game_opened": ("开局", "開局", "game opened"),
    "game_closed": ("对局结束", "對局結束", "game closed"),
    "seats_renamed": ("改名", "改名", "players renamed"),
    "walls_built": ("牌墙砌好", "牌牆砌好", "walls built"),
    "dice_thrown": ("掷骰", "擲骰", "dice thrown"),
    "dice_reported": ("报来的骰子", "報來的骰子", "dice reported"),
    "dice_voided": ("骰子作废", "骰子作廢", "throw taken back"),
    "hand_started": ("开始打牌", "開始打牌", "hand started"),
    "win_claimed": ("喊和", "喊和", "win claimed"),
    "claim_cancelled": ("取消和牌", "取消和牌", "claim withdrawn"),
    "hand_shown": ("照片读出", "照片讀出", "picture read"),
    "hand_entered": ("手动录入", "手動輸入", "hand typed in"),
    "tile_fixed": ("改一张牌", "改一張牌", "tile set right"),
    "win_tile_set": ("指定和的牌", "指定和的牌", "winning tile named"),
    "meld_set": ("指定副露", "指定副露", "meld named"),
    "facts_set": ("说明情况", "說明情況", "circumstances stated"),
    "points_announced": ("报分", "報分", "points announced"),
    "hand_judged": ("规则判定", "規則判定", "judged by the rules"),
    "seat_agreed": ("同意", "同意", "agreed"),
    "claim_rejected": ("不成立", "不成立", "claim rejected"),
    "false_win": ("错和", "錯和", "false win"),
    "hand_settled": ("结算", "結算", "hand settled"),
    "hand_corrected": ("更正", "更正", "hand corrected"),
    "decision_undone": ("撤销", "撤銷", "decision taken back"),
    "referee_called": ("叫裁判", "叫裁判", "referee called"),
    "call_closed": ("裁判处理完毕", "裁判處理完畢", "call closed"),
    "hand_noted": ("记下情况", "記下情況", "noted"),
    "side_paid": ("当场收付", "當場收付", "paid at once"),
    "side_dropped": ("取消杠或起手胡", "取消槓或起手胡", "kong or starting win taken back"),
    "claim_approved": ("批准和牌", "批准和牌", "win approved"),
    "wins_paid": ("和牌已付", "和牌已付", "wins paid, play goes on"),
    "move_seen": ("看见一手", "看見一手", "move seen"),
    "tiles_taken": ("摸牌进度", "摸牌進度", "wall drawn"),
    "penalty_given": ("处罚", "處罰", "penalty"),
    "penalty_lifted": ("撤销处罚", "撤銷處罰", "penalty lifted"),
    "substitute_seated": ("换人", "換人", "substitute seated"),
}


def word(key: str, language: str) -> str:
    """A word in one of `LANGUAGES`; a key without an entry is a programming error and raises `KeyError`."""
    return WORDS[key][LANGUAGES.index(language)]

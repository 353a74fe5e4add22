"""國標: a hand for and against each fan, profiles, payments, the wildcard, rounds, session points."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from rules.errors import RulesInputError
from rules.evaluate import judge_winner
from rules.model import HandResult, Outcome, TableFacts, Winner
from rules.questions import answer
from rules.registry import ruleset
from rules.rulesets.gb import FANS, seat_in_round, table_points
from rules.tiles import RED, parse_tile, parse_tiles
from tests.gb_hands import HandMaker
from tests.gb_oracle import read_line

GB = ruleset("gb")
ANY_TOTAL = ruleset("gb", {"minimum": 0})
FAN_CASES = [
    [part.strip() for part in line.split("|")]
    for line in (Path(__file__).parent / "golden" / "gb_fans.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def hand_of(text: str) -> tuple[Winner, TableFacts]:
    """A hand in the text form of the golden files."""
    winner, facts, _, _ = read_line(text + " = 0 -")
    return winner, facts


def judged(text: str, **options: object) -> HandResult:
    winner, facts = hand_of(text)
    return ruleset("gb", {"minimum": 0, **options}).judge((winner,), facts)


def counted(result: HandResult) -> dict[str, int]:
    return {line.name: line.count for line in result.winners[0].fans}


def total(result: HandResult) -> int:
    return dict(result.winners[0].numbers)["total"]


# ---------------------------------------------------------------- fans


@pytest.mark.parametrize(("fan", "text", "why"), FAN_CASES, ids=[case[0] for case in FAN_CASES])
def test_fan_is_had_or_just_missed(fan: str, text: str, why: str) -> None:
    name, sign = fan.split()
    verdict = judged(text).winners[0]
    had = {line.name for line in verdict.fans} | {one.name for one in verdict.not_counted}
    assert verdict.valid
    assert (name in had) == (sign == "+"), why


def test_every_fan_has_both_cases() -> None:
    cases = {tuple(case[0].split()) for case in FAN_CASES}
    assert cases == {(row.name, sign) for row in FANS for sign in "+-"}


def test_the_table_has_81_fans_and_the_practice_extension() -> None:
    assert len({row.name for row in FANS}) == 82
    assert [int(row.value) for row in FANS] == sorted((int(row.value) for row in FANS), reverse=True)
    assert all(len(row.meaning) > 15 for row in FANS)


def test_the_table_is_the_specification(shared: Path) -> None:
    import csv

    with (shared / "rules" / "gb-fans.csv").open(encoding="utf-8") as table:
        listed = {line["zh"]: line for line in csv.DictReader(table)}
    chinese = {line["id"]: line["zh"] for line in listed.values()}
    for row in FANS:
        line = listed.pop(row.name)
        assert int(line["points"]) == row.value
        names = {chinese[name.partition("*")[0]] for name in filter(None, line["excludes"].split(";"))}
        assert {one if isinstance(one, str) else one.name for one in row.excludes} == names, row.name
    assert not listed


# ---------------------------------------------------------------- profiles


@pytest.mark.parametrize(
    ("text", "totals"),
    [
        ("EE 1112345678999m - 9m self_draw,0f", (107, 110, 110)),
        ("EE 6789p kong_concealed:5555z,kong_concealed:1111s,chi:345m 9p discard,0f", (9, 9, 11)),
        ("EE 123m78s9p9p kong_concealed:5555m,kong_open:2222p 9s discard,0f", (6, 4, 7)),
        ("EE 789m789p77788s99p - 9p discard,0f", (32, 44, 32)),
        ("EE 1122m3344p5566s7z - 7z self_draw,0f", (25, 25, 28)),
        ("EE 111m333p555s77p99m - 7p self_draw,0f", (67, 70, 70)),
        ("EE 19m19p19s1234567z - 1m self_draw,0f", (89, 89, 92)),
    ],
)
def test_profiles_differ_where_the_books_do(text: str, totals: tuple[int, int, int]) -> None:
    assert tuple(total(judged(text, profile=name)) for name in ("gb", "gb1998", "mcr2006")) == totals


# ---------------------------------------------------------------- value and payment


@pytest.mark.parametrize(
    ("fans", "flowers", "self_draw", "winner", "payer", "others"),
    [
        (8, 0, True, 48, -16, -16), (8, 0, False, 32, -16, -8), (8, 2, True, 54, -18, -18), (8, 2, False, 34, -18, -8),
        (24, 0, True, 96, -32, -32), (24, 0, False, 48, -32, -8), (88, 1, True, 291, -97, -97),
        (88, 1, False, 113, -97, -8),
    ],
)  # fmt: skip
def test_payments_of_the_procedure(
    fans: int, flowers: int, self_draw: bool, winner: int, payer: int, others: int
) -> None:
    """The worked numbers of the procedure table, by rows of exactly that value."""
    rows = tuple(replace(row, value=fans if row.name == "无番和" else row.value) for row in FANS)
    rules = replace(GB, fans=tuple(row for row in rows if row.name in ("无番和", "花牌")))
    source = "self_draw" if self_draw else "discard"
    hand, facts = hand_of(f"EE 123m456p78s567m99s - 9s {source},{flowers}f")
    payments = rules.judge((hand,), facts).payments
    assert payments == (winner, payer, others, others)


def test_flowers_do_not_reach_the_minimum_and_are_paid_after_it() -> None:
    winner, facts = hand_of("EE 12m345678s56799p - 3m discard,3f")
    result = GB.judge((winner,), facts)
    verdict = result.winners[0]
    assert not verdict.valid
    assert (verdict.reason, total(result), result.payments) == ("below_minimum", 9, (0, 0, 0, 0))
    assert ruleset("gb", {"minimum": 6}).judge((winner,), facts).payments == (33, -17, -8, -8)


def test_every_transfer_has_a_reason() -> None:
    hand, facts = hand_of("EE 1112345678999m - 9m self_draw,0f")
    result = GB.judge((hand,), facts)
    assert {transfer.reason for transfer in result.transfers} == {"base", "fans"}
    assert sum(transfer.amount for transfer in result.transfers) == 345


def test_one_winner_the_nearest_after_the_discarder() -> None:
    hand = hand_of("EE 1112345678999m - 9m discard,0f")[0]
    both = (
        replace(hand, seat=1, from_seat=3),
        replace(hand, seat=0, from_seat=3, hand=parse_tiles("19m19p19s1234567z")),
    )
    result = GB.judge(both, TableFacts())
    assert [one.valid for one in result.winners] == [False, True]
    refusal = result.winners[0]
    assert not refusal.valid
    assert refusal.reason == "discard_win_not_allowed"
    assert result.payments[1] == -8


def test_last_of_kind_that_cannot_be_is_ignored_with_a_note() -> None:
    verdict = judged("NN 234m345p456789s1z - 1z discard,0f,last_of_kind").winners[0]
    assert "和绝张" not in {line.name for line in verdict.fans}
    assert verdict.notes == (
        "last_of_kind ignored: the winner holds a concealed copy, so three copies cannot be visible",
    )


def test_a_kong_cannot_be_robbed_after_the_last_tile() -> None:
    with pytest.raises(RulesInputError, match="after the last tile"):
        judged("EE 23m456789s345p11z - 4m rob_kong,0f,last_tile")


def test_replacement_and_last_tile_count_together() -> None:
    result = judged("EE 123m456p78s99s kong_concealed:5555m 9s kong_replacement,0f,last_tile")
    assert {"杠上开花", "妙手回春"} <= set(counted(result))
    assert "自摸" not in counted(result)


def test_a_false_win_pays_each_player() -> None:
    question = {"ruleset": "gb", "kind": "false_win", "events": [{"by": 1}]}
    assert answer(question)["payments"] == [10, -30, 10, 10]
    assert answer(question | {"events": [{"by": 3, "each": 20}]})["payments"] == [20, 20, 20, -60]


# ---------------------------------------------------------------- the regional wildcard


def wild_hand(hand: str, win: str, source: str = "self_draw") -> Winner:
    tiles = parse_tiles(hand)
    return Winner(0, tiles, parse_tile(win), source, from_seat=1 if source == "discard" else None)  # type: ignore[arg-type]


def test_a_discarded_wildcard_is_nobodys() -> None:
    rules = ruleset("gb", {"wildcard": "7z", "minimum": 0})
    verdict = rules.judge((wild_hand("123456789m1p234s", "7z", "discard"),), TableFacts()).winners[0]
    assert not verdict.valid
    assert verdict.reason == "discard_win_not_allowed"
    assert rules.judge((wild_hand("123456789m1p234s", "7z"),), TableFacts()).valid


def test_a_wildcard_cannot_be_melded() -> None:
    with pytest.raises(RulesInputError, match="7z is the wildcard and cannot be melded"):
        judged("EE 123m456p78s99s peng:777z 9s discard,0f", wildcard="7z")


def test_the_dearest_use_of_wildcards_is_found() -> None:
    """Against trying every face: 國標 without its wait fans, which depend on the wildcards themselves."""
    rows = tuple(row for row in FANS if row.name not in ("边张", "坎张", "单钓将"))
    plain = replace(ANY_TOTAL, fans=rows)
    wild = replace(ruleset("gb", {"wildcard": "7z", "minimum": 0}), fans=rows)
    faces = [tile for tile in range(34) if tile != RED]
    checked = 0
    for winner, facts in HandMaker(5).hands(400):
        held_tiles = (*winner.hand, winner.win_tile, *(tile for meld in winner.melds for tile in meld.tiles))
        if winner.source != "discard" or len(winner.hand) < 7 or RED in held_tiles:
            continue
        number = 1 + checked % 2
        kept = winner.hand[number:]
        held = replace(winner, hand=(*kept, *[RED] * number), last_of_kind=False)
        best = max(
            dict(one.verdict.numbers).get("total", 0)
            for chosen in combinations_with_replacement((*faces, RED), number)
            for one in [judge_winner(plain, replace(held, hand=(*kept, *chosen)), facts, checked=True)]
        )
        assert dict(judge_winner(wild, held, facts).verdict.numbers)["total"] == best
        checked += 1
        if checked == 16:
            break
    assert checked == 16


def test_four_wildcards_are_judged() -> None:
    rules = ruleset("gb", {"wildcard": "7z"})
    result = rules.judge((wild_hand("11123456m7777z9m", "9m"),), TableFacts())
    assert "九莲宝灯" in counted(result)
    reading = result.winners[0].reading
    assert reading is not None
    assert len(reading.wilds_as) == 4


# ---------------------------------------------------------------- dealer, rounds, session


def test_sixteen_hands_and_the_session_is_over() -> None:
    facts = TableFacts(dealer=2, first_dealer=2)
    seen = []
    for _ in range(16):
        seen.append((facts.round_wind, facts.dealer))
        progress = GB.next_dealer(Outcome("win", winners=(facts.dealer,), from_seat=0, source="discard"), facts)
        facts = replace(facts, dealer=progress.dealer, round_wind=progress.round_wind or 0)
    assert seen == [(wind, (2 + turn) % 4) for wind in range(4) for turn in range(4)]
    assert progress.finished


def test_a_drawn_hand_passes_the_deal_too() -> None:
    assert GB.next_dealer(Outcome("draw"), TableFacts(dealer=1)).dealer == 2


def test_seats_change_after_each_round() -> None:
    places = ["".join("ESWN"[seat_in_round(start, wind)] for wind in range(4)) for start in range(4)]
    assert places == ["ESNW", "SEWN", "WNES", "NWSE"]


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        ((120, 20, -40, -100), "4 2 1 0"), ((50, 50, -20, -80), "3 3 1 0"), ((50, 10, 10, -70), "4 3/2 3/2 0"),
        ((60, 20, -40, -40), "4 2 1/2 1/2"), ((30, 30, 30, -90), "7/3 7/3 7/3 0"), ((0, 0, 0, 0), "7/4 7/4 7/4 7/4"),
        ((-30, 90, -30, -30), "1 4 1 1"),
    ],
)  # fmt: skip
def test_session_points_share_ties(scores: tuple[int, ...], points: str) -> None:
    assert table_points(scores) == tuple(Fraction(one) for one in points.split())

"""What a hand is waiting for, against trying every tile."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.evaluate import judge_winner
from rules.model import Meld, TableFacts, Winner
from rules.registry import ruleset
from rules.tiles import parse_tile, parse_tiles, tile_text
from rules.waits import is_ready, waits
from tests.gb_hands import HandMaker

GB = ruleset("gb")


def holding(hand: str, source: str = "discard") -> Winner:
    return Winner(0, parse_tiles(hand), None, source, from_seat=1 if source == "discard" else None)  # type: ignore[arg-type]


def test_every_winning_tile_with_its_value_as_probing_finds_it() -> None:
    for winner, facts in HandMaker(9).hands(150):
        if winner.source not in ("discard", "self_draw"):
            continue
        ready = replace(winner, win_tile=None, last_of_kind=False)
        probed = {}
        for tile in range(34):
            verdict = judge_winner(GB, replace(ready, win_tile=tile), facts, checked=True).verdict
            if verdict.valid or verdict.reason != "shape":
                probed[tile] = dict(verdict.numbers)["total"]
        found = {wait.tile: wait.value for wait in waits(GB, ready, facts)}
        assert found == probed
        assert winner.win_tile in found


def test_unseen_copies_count_own_tiles_and_what_lies_on_the_table() -> None:
    ready = holding("1112345678999m")
    found = {tile_text(wait.tile): wait.unseen for wait in waits(GB, ready, TableFacts(), parse_tiles("555m9m"))}
    assert found == {"1m": 1, "2m": 3, "3m": 3, "4m": 3, "5m": 0, "6m": 3, "7m": 3, "8m": 3, "9m": 0}


def test_a_tile_that_completes_less_than_the_minimum_is_told_with_its_refusal() -> None:
    found = waits(GB, holding("445566m2277779s"), TableFacts())
    assert [(tile_text(wait.tile), wait.value, wait.verdict.valid) for wait in found] == [
        ("8s", 7, False),
        ("9s", 28, True),
    ]
    assert not is_ready(GB, holding("2234m345p777888s"), TableFacts())
    assert is_ready(GB, holding("1112345678999m"), TableFacts())


def test_a_hand_that_is_not_ready_waits_for_nothing() -> None:
    assert waits(GB, holding("159m159p159s1234z"), TableFacts()) == ()


def test_with_a_wildcard_the_wildcard_itself_completes_by_drawing_only() -> None:
    rules = ruleset("gb", {"wildcard": "7z", "minimum": 0})
    drawn = {
        tile_text(wait.tile)
        for wait in waits(rules, holding("123456789m11p23s", "self_draw"), TableFacts())
        if wait.verdict.valid
    }
    claimed = {
        tile_text(wait.tile) for wait in waits(rules, holding("123456789m11p23s"), TableFacts()) if wait.verdict.valid
    }
    assert drawn == {"1s", "4s", "7z"}
    assert claimed == {"1s", "4s"}


READY: tuple[tuple[str, dict[str, str], TableFacts, str, dict[str, tuple[int, int]]], ...] = (
    # ruleset, options, table, hand, {tile: (value, copies unseen)}: values by hand from the fan table
    ("jiaxing", {}, TableFacts(wild=parse_tile("9s")), "1112345678999m", {
        # 清一色 4 + 無百搭 1, base 5; drawing the wildcard loses 無百搭
        **{f"{rank}m": (25, 1 if rank in (1, 9) else 3) for rank in range(1, 10)}, "9s": (20, 4),
    }),
    ("guangdong", {}, TableFacts(), "123456m789s2355p", {"1p": (4, 4), "4p": (4, 4)}),  # 平胡 2, 自摸, 門前清
    # 7m makes 清七對 5 fan; 1m and 4m make sets only, 清一色 3 fan
    ("sichuan", {}, TableFacts(), "1122334455667m", {"1m": (24, 2), "4m": (24, 2), "7m": (96, 3)}),
    ("changsha", {}, TableFacts(dealer=1), "1133557799p112s", {"2s": (19, 3)}),  # 七小對: 7 from the dealer, 6, 6
    ("popular", {}, TableFacts(), "123456m789s2355p", {"1p": (3, 4), "4p": (3, 4)}),  # 基本胡, 門前清, 自摸
    ("two_player", {}, TableFacts(), "123456789m1122z", {"1z": (26, 2), "2z": (26, 2)}),  # 清龍 16, 混一色 6, 不求人 4
    ("beginner258", {}, TableFacts(), "123456m789s23p55s", {"1p": (8, 4), "4p": (1, 4)}),  # 花龍 8
    ("fujian", {}, TableFacts(wild=parse_tile("9s")), "123456789m12355p44z", {
        "5p": (10, 2), "4z": (10, 2), "9s": (12, 4),  # 底 5 twice; a gold one more
    }),
)  # fmt: skip


@pytest.mark.parametrize(("name", "options", "facts", "hand", "expected"), READY, ids=[one[0] for one in READY])
def test_every_ruleset_tells_what_a_hand_waits_for(
    name: str, options: dict[str, str], facts: TableFacts, hand: str, expected: dict[str, tuple[int, int]]
) -> None:
    found = waits(ruleset(name, options), holding(hand, "self_draw"), facts)
    assert {tile_text(one.tile): (one.value, one.unseen) for one in found if one.verdict.valid} == expected


def test_an_opened_hand_in_wuhan_waits_with_its_wildcard() -> None:
    # 小胡 1, opened 2, drawn 2: hard 8 from each loser, soft 4; the dealer (a loser) twice
    ready = Winner(1, parse_tiles("123s456s78m22s"), None, "self_draw", (Meld.parse("peng", "333p", 2),))
    found = waits(ruleset("wuhan"), ready, TableFacts(flip=parse_tile("4m")), parse_tiles("66m"))
    assert {tile_text(one.tile): (one.value, one.unseen) for one in found if one.verdict.valid} == {
        "5m": (16, 4), "6m": (32, 2), "9m": (32, 4),
    }  # fmt: skip


def test_tiles_outside_the_set_are_waited_for_by_nobody() -> None:
    assert all(
        one.tile < 9 or one.tile >= 27 for one in waits(ruleset("two_player"), holding("123456789m1122z"), TableFacts())
    )

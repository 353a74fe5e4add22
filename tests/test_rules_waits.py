"""What a hand is waiting for, against trying every tile."""

from __future__ import annotations

from dataclasses import replace

from rules.evaluate import judge_winner
from rules.model import TableFacts, Winner
from rules.registry import ruleset
from rules.tiles import parse_tiles, tile_text
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

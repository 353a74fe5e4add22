"""大眾麻將: the doubling scale, the end of the wall, flowers, and what cannot be (docs/rules/popular.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.errors import RulesInputError, UnknownOption
from rules.model import Meld, TableFacts, Winner
from rules.questions import answer
from rules.registry import ruleset
from rules.tiles import parse_tile, parse_tiles
from rules.waits import waits
from tests.gb_hands import HandMaker
from tests.plain_oracle import popular

FACTS = TableFacts(drawn=60)
PUNG = Meld.parse("peng", "999m", 3)
PLAIN = Winner(1, parse_tiles("123m456p78s55s"), parse_tile("9s"), "discard", (PUNG,), from_seat=2)


def ask(kind: str, **question: Any) -> dict[str, Any]:
    return answer({"ruleset": "popular", "kind": kind, **question})


@pytest.mark.parametrize(
    ("facts", "winner", "sentence"),
    [
        (TableFacts(drawn=121), PLAIN, "the hand ends when 120 tiles are drawn"),
        (replace(FACTS, flowers=(1, 2, 3, 4)), PLAIN, "at most 8 together"),
        (replace(FACTS, flowers=(1, 2)), PLAIN, "needs 4 counts"),
        (replace(FACTS, flowers=(0, 1, 0, 0)), replace(PLAIN, flowers=parse_tiles("12f")), "state.flowers says 1"),
        (FACTS, replace(PLAIN, source="sea_bottom"), "popular has no win by sea_bottom"),
        (FACTS, replace(PLAIN, melds=(Meld.parse("chi", "789m", 3),)), "only a discard of the previous seat"),
        (
            FACTS,
            replace(PLAIN, source="start_hand", from_seat=None),
            "only the dealer, seat 0, can win with the dealt tiles",
        ),
    ],
)
def test_impossible_circumstances_are_one_sentence(facts: TableFacts, winner: Winner, sentence: str) -> None:
    with pytest.raises(RulesInputError, match=sentence):
        ruleset("popular").judge([winner], facts)


def test_questions_that_cannot_be_say_why() -> None:
    stacks = {"drawn": 60, "tail_stacks": [["3m", "5p"]]}
    with pytest.raises(RulesInputError, match="die 7: it shows 1-6"):
        ask("wall", state=stacks, events=[{"die": 7}])
    with pytest.raises(RulesInputError, match="the 1 stacks left"):
        ask("wall", state=stacks, events=[{"die": 2}])
    with pytest.raises(RulesInputError, match="has one winner"):
        ask("dealer", events=[{"result": "win", "winners": [0, 1]}])
    with pytest.raises(UnknownOption, match='did you mean "upper"'):
        ask("draw", options={"chi_from": "uper"})
    with pytest.raises(UnknownOption, match="from 54 to 144"):
        ask("draw", options={"draw_limit": 20})
    with pytest.raises(RulesInputError, match="only the next seat may"):
        ask("claim", events=[{"discard": "5p", "from": 2, "wants": {"1": "chi"}}])


def test_each_fan_doubles_and_each_flower_adds_one() -> None:
    """Every hand: 2 to the power of fan - 1 and the flowers, the fans their sum cut at six."""
    rules = ruleset("popular")
    seen = set()
    for made, facts in HandMaker(33).hands(300):
        winner = replace(made, flowers=parse_tiles("12f"))
        result = rules.judge([winner], facts)
        verdict = result.winners[0]
        if not verdict.valid:
            continue
        numbers = dict(verdict.numbers)
        fans = sum(int(line.value) * line.count for line in verdict.fans)
        assert numbers["fan"] == min(6, fans)
        payers = 1 if winner.from_seat is not None else 3
        assert result.payments[winner.seat] == payers * (2 ** (numbers["fan"] - 1) + 2)
        seen.add(numbers["fan"])
    assert seen == {1, 2, 3, 4, 5, 6}


def test_a_full_hand_takes_nothing_beside_it() -> None:
    rules = ruleset("popular")
    full = {row.name for row in rules.fans if row.layer == "full"}
    seen = set()
    for winner, facts in HandMaker(34).hands(600):
        names = [line.name for line in rules.judge([winner], facts).winners[0].fans]
        if full & set(names):
            assert len(names) == 1
            seen |= set(names)
    assert seen >= {"十三幺", "大三元", "四暗刻"}


@pytest.mark.parametrize(
    ("options", "drawn", "last"),
    [({}, 120, True), ({}, 119, False), ({"draw_limit": 100}, 100, True), ({"wall_stacks": 15}, 120, True),
     ({"draw_limit": 144}, 120, False), ({"draw_limit": 144}, 144, True),
     ({"draw_limit": 144, "wall_stacks": 15}, 120, True)],
)  # fmt: skip
def test_the_end_of_the_wall(options: dict[str, Any], drawn: int, last: bool) -> None:
    result = ruleset("popular", options).judge([PLAIN], TableFacts(drawn=drawn))
    assert ("河底撈魚" in {line.name for line in result.winners[0].fans}) == last


def test_the_dealer_doubles_on_both_sides_where_it_is_played() -> None:
    rules = ruleset("popular", {"dealer_double": True})
    drawn = replace(PLAIN, source="self_draw", from_seat=None)
    for dealer in range(4):
        paid = rules.judge([drawn], TableFacts(dealer=dealer)).payments
        assert all(paid[seat] == (-4 if dealer in (seat, 1) else -2) for seat in (0, 2, 3))


def test_waits_are_priced() -> None:
    holder = replace(PLAIN, win_tile=None)
    found = {wait.tile: wait for wait in waits(ruleset("popular"), holder, FACTS)}
    assert set(found) == {parse_tile("6s"), parse_tile("9s")}
    assert {wait.value for wait in found.values()} == {1}
    assert {wait.unseen for wait in found.values()} == {4}


def test_random_hands_have_the_fan_of_a_second_calculation() -> None:
    rules = ruleset("popular")
    for made, facts in HandMaker(51).hands(1500):
        winner = replace(made, flowers=())
        verdict = rules.judge([winner], facts).winners[0]
        fan = dict(verdict.numbers).get("fan") if verdict.valid else None
        assert fan == popular(winner, facts), (winner, facts)

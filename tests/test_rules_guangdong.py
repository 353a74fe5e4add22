"""廣東雞平胡: the ladder of values, liability as a course of events, and what cannot be (docs/rules/guangdong.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import RulesInputError, UnknownOption
from rules.evaluate import judge_winner
from rules.model import Liability, Meld, TableFacts, Winner
from rules.questions import answer
from rules.registry import ruleset
from rules.rulesets.guangdong import LIABILITIES, PATTERNS, kong_feeder, with_liability
from rules.tiles import parse_tile, parse_tiles
from rules.waits import waits
from tests.gb_hands import HandMaker
from tests.plain_oracle import guangdong

FACTS = TableFacts()
CHICKEN = Winner(
    1, parse_tiles("123m456m78s99s"), parse_tile("9s"), "discard", (Meld.parse("peng", "222p", 3),), from_seat=0
)
HANDS = [(replace(winner, flowers=()), facts) for winner, facts in HandMaker(21).hands(400)]


def ask(kind: str, **question: Any) -> dict[str, Any]:
    return answer({"ruleset": "guangdong", "kind": kind, **question})


def unit(winner: Winner, facts: TableFacts, **options: Any) -> int | None:
    """What each loser of one share pays; None when it is no win."""
    verdict = judge_winner(ruleset("guangdong", options), winner, facts).verdict
    return dict(verdict.numbers).get("unit") if verdict.valid else None


@pytest.mark.parametrize(
    ("facts", "winner", "sentence"),
    [
        (FACTS, replace(CHICKEN, flowers=parse_tiles("1f")), "does not take flowers"),
        (FACTS, replace(CHICKEN, source="kong_discard"), "guangdong has no win by kong_discard"),
        (replace(FACTS, liability=(Liability(1, 0, "四槓"),)), CHICKEN, "it is one of 十二張, 大三元, 大四喜"),
        (replace(FACTS, liability=(Liability(1, 1, "大三元"),)), CHICKEN, "nobody is liable for himself"),
        (
            FACTS,
            replace(CHICKEN, source="start_hand", from_seat=None),
            "only the dealer, seat 0, can win with the dealt tiles",
        ),
    ],
)
def test_impossible_circumstances_are_one_sentence(facts: TableFacts, winner: Winner, sentence: str) -> None:
    with pytest.raises(RulesInputError, match=sentence):
        ruleset("guangdong").judge([winner], facts)


def test_questions_that_cannot_be_say_why() -> None:
    with pytest.raises(RulesInputError, match="cannot be liable for his own win"):
        ask("liability", events=[{"feeder": 1, "beneficiary": 1, "makes": "大三元"}])
    with pytest.raises(RulesInputError, match="one of 十二張"):
        ask("liability", events=[{"feeder": 0, "beneficiary": 1, "makes": "四槓"}])
    with pytest.raises(UnknownOption, match='did you mean "pattern_first"'):
        ask("draw", options={"liability_order": "pattern_frist"})


# ---------------------------------------------------------------- the ladder of values


def test_values_are_on_the_printed_ladder() -> None:
    """Linear: 1 to 4, 16, 32, 64. Doubling: 1, 2, 4, 8, and the same above."""
    linear = {unit(winner, facts) for winner, facts in HANDS} - {None}
    doubling = {unit(winner, facts, fan_scale="doubling") for winner, facts in HANDS} - {None}
    assert linear == {1, 2, 3, 4, 16, 32, 64}
    assert doubling == {1, 2, 4, 8, 16, 32, 64}


def test_doubling_never_pays_less_and_changes_nothing_above_the_cap() -> None:
    for winner, facts in HANDS:
        plain, doubled = unit(winner, facts), unit(winner, facts, fan_scale="doubling")
        if plain is None or doubled is None:
            assert plain is doubled
        else:
            assert doubled == plain if plain > 4 else plain <= doubled <= 8


def test_a_self_draw_is_never_worth_less_than_a_discard() -> None:
    for winner, facts in HANDS:
        if winner.source == "discard" and not facts.last_tile:
            drawn = replace(winner, source="self_draw", from_seat=None)
            claimed = unit(winner, facts)
            assert claimed is None or (unit(drawn, facts) or 0) >= claimed


def test_seven_pairs_win_only_where_they_are_played() -> None:
    for winner, facts in HANDS:
        if unit(winner, facts) is None:
            assert unit(winner, facts, seven_pairs=True) in (None, 4, 16)


# ---------------------------------------------------------------- liability


feeds = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from(LIABILITIES)).filter(lambda one: one[0] != one[1]),
    max_size=12,
)


@given(feeds, st.sampled_from(["first", "last", "pattern_first"]))
def test_each_player_has_one_feeder_and_each_feeder_one_player(fed: list[tuple[int, int, str]], order: str) -> None:
    standing: list[Liability] = []
    for feeder, beneficiary, kind in fed:
        after = with_liability(standing, Liability(beneficiary, feeder, kind), order)
        assert len(after) in (len(standing), len(standing) + 1), "nobody is freed"
        for player in {one.beneficiary for one in standing}:
            assert player in {one.beneficiary for one in after}
        standing = after
    assert len({one.beneficiary for one in standing}) == len(standing)
    assert len({one.feeder for one in standing}) == len(standing), "包先不包後"


@given(feeds)
def test_the_first_feeder_of_a_player_stays_by_default(fed: list[tuple[int, int, str]]) -> None:
    standing: list[Liability] = []
    for feeder, beneficiary, kind in fed:
        before = list(standing)
        standing = with_liability(standing, Liability(beneficiary, feeder, kind), "first")
        assert standing[: len(before)] == before


@given(feeds)
def test_a_pattern_is_not_replaced_by_twelve_tiles(fed: list[tuple[int, int, str]]) -> None:
    standing: list[Liability] = []
    for feeder, beneficiary, kind in fed:
        patterns = [one for one in standing if one.kind in PATTERNS]
        standing = with_liability(standing, Liability(beneficiary, feeder, kind), "pattern_first")
        assert [one for one in standing if one in patterns] == patterns


def test_four_exposed_melds_without_a_named_player_are_remarked() -> None:
    melds = tuple(Meld.parse("peng", text, 0) for text in ("222p", "444p", "666s", "888s"))
    winner = Winner(1, parse_tiles("5m"), parse_tile("5m"), "self_draw", melds)
    assert "nobody who is liable" in ruleset("guangdong").judge([winner], FACTS).winners[0].notes[0]
    named = replace(FACTS, liability=(Liability(1, 0, "十二張"),))
    assert not ruleset("guangdong").judge([winner], named).winners[0].notes


def test_the_feeder_of_a_kong_is_told_or_plain_from_the_melds() -> None:
    kong = Meld.parse("kong_open", "5555p", 3)
    winner = replace(CHICKEN, source="kong_replacement", from_seat=None, melds=(kong,))
    assert kong_feeder(winner) == 3
    assert kong_feeder(replace(winner, melds=(kong, Meld.parse("kong_concealed", "1111s")))) is None, "which came last?"
    assert kong_feeder(replace(winner, melds=(kong, Meld.parse("kong_open", "1111s", 2)), kong_feeder=2)) == 2
    assert kong_feeder(replace(winner, melds=(Meld.parse("kong_added", "5555p", 3),))) is None


# ---------------------------------------------------------------- waits


def test_waits_are_priced() -> None:
    holder = replace(CHICKEN, melds=(), hand=parse_tiles("1112345678999m"), win_tile=None)
    found = waits(ruleset("guangdong"), holder, FACTS)
    assert [wait.tile for wait in found] == list(range(9))
    assert {wait.value for wait in found} == {64}
    assert [wait.unseen for wait in found] == [1, 3, 3, 3, 3, 3, 3, 3, 1]


# ---------------------------------------------------------------- a second calculation


@pytest.mark.parametrize("scale", ["linear", "doubling"])
def test_random_hands_have_the_value_of_a_second_calculation(scale: str) -> None:
    seen = set()
    for winner, facts in HandMaker(50).hands(1200):
        plain = replace(winner, flowers=())
        expected = guangdong(plain, facts, scale == "doubling")
        assert unit(plain, facts, fan_scale=scale) == expected, (winner, facts)
        seen.add(expected)
    assert len(seen) >= 8

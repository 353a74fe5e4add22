"""初學麻將 258: the listed patterns against an independent calculator; what cannot be (docs/rules/beginner258.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.errors import RulesInputError, UnknownOption
from rules.evaluate import judge_winner
from rules.fan_names import fan_name
from rules.model import TableFacts, Winner
from rules.questions import answer
from rules.registry import ruleset
from rules.ruleset import Ruleset
from rules.rulesets.beginner258 import FANS
from rules.rulesets.gb import GB
from rules.tiles import parse_tile, parse_tiles
from rules.waits import waits
from tests.gb_oracle import GOLDEN, read_line

HANDS = 2500
FACTS = TableFacts()
PLAIN = Winner(1, parse_tiles("123m789m46p222s55p"), parse_tile("5p"), "discard", from_seat=2)
GB_ROWS = {fan_name(row.name, "zh-Hant"): row for row in GB.fans}
LISTED = {row.name: int(row.value) for row in FANS if row.value >= 6}
SIMPLIFIED = {GB_ROWS[name].name: name for name in LISTED}

Known = tuple[Winner, TableFacts, int, dict[str, int]]


def ask(kind: str, **question: Any) -> dict[str, Any]:
    return answer({"ruleset": "beginner258", "kind": kind, **question})


def value(rules: Ruleset, winner: Winner, facts: TableFacts) -> int | None:
    """The value of a win, None when it is none."""
    verdict = judge_winner(rules, winner, facts).verdict
    return dict(verdict.numbers)["value"] if verdict.valid else None


@pytest.fixture(scope="module")
def known() -> list[Known]:
    """國標 hands with the fans that PyMahjongGB counts; flowers left out."""
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()[:HANDS]
    return [(replace(one[0], flowers=()), *one[1:]) for one in map(read_line, lines)]


def headline(fans: dict[str, int]) -> int:
    """The dearest listed pattern among fans counted by 國標; 0 for none."""
    return max((LISTED[SIMPLIFIED[name]] for name in fans if name in SIMPLIFIED), default=0)


def test_the_patterns_are_rows_of_the_table_with_its_values() -> None:
    assert {row.name: int(row.value) for row in FANS} == {row.name: int(GB_ROWS[row.name].value) for row in FANS}
    assert all(row.count is GB_ROWS[row.name].count for row in FANS)
    assert len(LISTED) == 46


def test_no_manner_of_winning_is_listed() -> None:
    manners = {"妙手回春", "海底撈月", "槓上開花", "搶槓和", "全求人", "不求人", "和絕張", "門前清", "自摸", "無番和"}
    assert not manners & {row.name for row in FANS}
    unlisted = {name for name, row in GB_ROWS.items() if row.value >= 6 and name not in LISTED}
    assert unlisted == {"無番和", "妙手回春", "海底撈月", "槓上開花", "搶槓和", "全求人", "雙暗槓", "雙箭刻"}


def test_the_headline_is_the_dearest_pattern_that_the_calculator_counts(known: list[Known]) -> None:
    """Now and then another reading of the tiles has a dearer single pattern than the one with the larger sum."""
    rules, dearer = ruleset("beginner258"), 0
    for winner, facts, _, fans in known:
        ours, best = value(rules, winner, facts), headline(fans)
        if best == 0:
            assert ours is None or ours == 1 or ours >= 6
        else:
            assert ours is not None
            assert ours >= best, (winner, fans)
            dearer += ours > best
    assert dearer < HANDS // 50


def test_without_a_pattern_the_pair_decides(known: list[Known]) -> None:
    rules = ruleset("beginner258")
    seen = set()
    for winner, facts, _, fans in known:
        ours = value(rules, winner, facts)
        if headline(fans) == 0 and ours in (None, 1):
            result = rules.judge([winner], facts).winners[0]
            reading = result.reading
            if ours == 1:
                assert reading is not None
                assert reading.pair is not None
                assert reading.pair < 27
                assert reading.pair % 9 in (1, 4, 7)
            else:
                assert getattr(result, "reason", "") == "pair_not_258"
            seen.add(ours)
    assert seen == {None, 1}


def test_the_full_count_is_that_of_the_calculator(known: list[Known]) -> None:
    rules, plain = ruleset("beginner258", {"special_value": "mcr_total"}), ruleset("beginner258")
    compared = 0
    for winner, facts, total, fans in known[:1200]:
        if headline(fans):
            assert value(rules, winner, facts) == total - fans.get("花牌", 0), (winner, fans)
            compared += 1
        else:
            assert value(rules, winner, facts) is not None or value(plain, winner, facts) is None
    assert compared > 500


@pytest.mark.parametrize("row", FANS, ids=lambda row: row.name)
def test_changing_a_value_changes_an_answer(row: Any, known: list[Known]) -> None:
    rules = ruleset("beginner258", {"special_min": 1} if row.value < 6 else {})
    changed = replace(rules, fans=tuple(replace(one, value=one.value + 1) if one is row else one for one in rules.fans))
    hands = [(winner, facts) for winner, facts, _, fans in known if row.value < 6 or GB_ROWS[row.name].name in fans]
    assert any(value(rules, *hand) != value(changed, *hand) for hand in hands)


@pytest.mark.parametrize(
    ("facts", "winner", "sentence"),
    [
        (FACTS, replace(PLAIN, flowers=parse_tiles("1f")), "does not take flowers"),
        (replace(FACTS, flowers=(0, 1, 0, 0)), PLAIN, "this set has none"),
        (FACTS, replace(PLAIN, source="kong_discard"), "beginner258 has no win by kong_discard"),
        (
            FACTS,
            replace(PLAIN, source="start_hand", from_seat=None),
            "only the dealer, seat 0, can win with the dealt tiles",
        ),
    ],
)
def test_impossible_circumstances_are_one_sentence(facts: TableFacts, winner: Winner, sentence: str) -> None:
    with pytest.raises(RulesInputError, match=sentence):
        ruleset("beginner258").judge([winner], facts)


def test_questions_that_cannot_be_say_why() -> None:
    with pytest.raises(UnknownOption, match='did you mean "mcr_total"'):
        ask("draw", options={"special_value": "mcr"})
    with pytest.raises(RulesInputError, match="needs its winners"):
        ask("dealer", events=[{"result": "win"}])
    with pytest.raises(RulesInputError, match="only the next seat may"):
        ask("claim", events=[{"discard": "5p", "from": 2, "wants": {"1": "chi"}}])


def test_a_higher_threshold_never_makes_a_win(known: list[Known]) -> None:
    low, high = ruleset("beginner258", {"special_min": 6}), ruleset("beginner258", {"special_min": 24})
    for winner, facts, _, _ in known[:400]:
        one, other = value(low, winner, facts), value(high, winner, facts)
        assert other is None or (one is not None and (other == one or other == 1))


def test_waits_are_priced() -> None:
    holder = replace(PLAIN, hand=parse_tiles("123m789m456p222s5p"), win_tile=None)
    found = {wait.tile: wait.verdict.valid for wait in waits(ruleset("beginner258"), holder, FACTS)}
    assert found == {parse_tile("5p"): True}, "a lone 5 waits for its pair"
    holder = replace(holder, hand=parse_tiles("123m789m456p222s6p"))
    found = {wait.tile: wait.verdict.valid for wait in waits(ruleset("beginner258"), holder, FACTS)}
    assert found == {parse_tile("6p"): False, parse_tile("3p"): False}, "a pair of 6, or of 3, wins nothing"

"""嘉興麻將: contracts as a course of events, the waiting fans, and what cannot be (docs/rules/jiaxing.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import RulesInputError, UnknownOption
from rules.model import Meld, TableFacts, Winner
from rules.questions import answer
from rules.registry import ruleset
from rules.rulesets.jiaxing_contract import Contracts, after_choice, after_claim, share
from rules.rulesets.jiaxing_waiting import waiting_fans
from rules.tiles import parse_tile, parse_tiles
from rules.waits import waits

WILD = parse_tile("9s")
FACTS = TableFacts(wild=WILD)
FLUSH = Winner(1, parse_tiles("111234567789m9m"), parse_tile("9m"), "self_draw")


def ask(kind: str, **question: Any) -> dict[str, Any]:
    state = {"wild": "9s", **question.pop("state", {})}
    return answer({"ruleset": "jiaxing", "kind": kind, "state": state, **question})


# ---------------------------------------------------------------- what cannot be


@pytest.mark.parametrize(
    ("facts", "winner", "sentence"),
    [
        (replace(FACTS, quit=(1,)), FLUSH, "seat 1 has quit this hand"),
        (replace(FACTS, contracts=((1, 0),), quit=(0,)), FLUSH, "seat 0 is bound by the contract"),
        (replace(FACTS, contracts=((1, 1),)), FLUSH, "a contract needs two players"),
        (replace(FACTS, carry_in=("黄番",)), FLUSH, 'did you mean "黃番"'),
        (replace(FACTS, dice=(3, 4, 5)), FLUSH, "opened with two dice"),
        (FACTS, replace(FLUSH, source="sea_bottom"), "jiaxing has no win by sea_bottom"),
        (
            FACTS,
            replace(FLUSH, hand=parse_tiles("1112345677m"), melds=(Meld.parse("peng", "999s", 2),)),
            "9s is the wildcard and cannot be melded",
        ),
    ],
)
def test_impossible_circumstances_are_one_sentence(facts: TableFacts, winner: Winner, sentence: str) -> None:
    with pytest.raises(RulesInputError, match=sentence):
        ruleset("jiaxing").judge([winner], facts)


def test_questions_that_lack_something_say_what() -> None:
    with pytest.raises(RulesInputError, match="needs four numbers"):
        ask("fee", events=[{"result": "draw"}])
    with pytest.raises(RulesInputError, match="four whole numbers of sum 0"):
        ask("fee", state={"balances": [9, 9, 9, 9]}, events=[{"result": "win", "payments": [-8, 24, -8, 0]}])
    with pytest.raises(RulesInputError, match="is no number of seconds"):
        ask("claim", options={"claim_timeout": 5}, events=[{"discard": "2m", "from": 0, "seconds": {"2": "soon"}}])
    with pytest.raises(RulesInputError, match="the referee names the points"):
        ask("false_win", options={"false_win": "pay_n"}, events=[{"by": 0}])
    with pytest.raises(RulesInputError, match="needs its winners"):
        ask("dealer", events=[{"result": "win"}])
    with pytest.raises(UnknownOption, match='did you mean "all_pay"'):
        ask("draw", options={"discard_win": "al_pay"})


# ---------------------------------------------------------------- contracts


def test_the_third_meld_binds_and_asks_the_others_from_the_claimer_on() -> None:
    contracts = Contracts()
    for _ in range(2):
        contracts = after_claim(contracts, 2, 1)
    assert contracts.formed == ()
    contracts = after_claim(contracts, 2, 1)
    assert (contracts.formed, contracts.asked) == (((2, 1),), (3, 0))
    assert after_choice(contracts, 3, "quit") == replace(contracts, asked=(0,), quit=(3,))


def test_who_may_not_act_is_told() -> None:
    with pytest.raises(RulesInputError, match="its own discard"):
        after_claim(Contracts(), 2, 2)
    with pytest.raises(RulesInputError, match="may only draw and discard"):
        after_claim(Contracts(quit=(2,)), 2, 1)
    with pytest.raises(RulesInputError, match="was not asked"):
        after_choice(Contracts(asked=(3,)), 0, "stay")


claims = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda pair: pair[0] != pair[1]), max_size=16)


@given(claims)
def test_contracts_follow_from_three_melds_and_from_nothing_else(events: list[tuple[int, int]]) -> None:
    contracts = Contracts()
    for claimer, source in events:
        contracts = after_claim(contracts, claimer, source)
    thrice = {frozenset(pair) for pair in events if events.count(pair) >= 3}
    assert {frozenset(pair) for pair in contracts.formed} == thrice
    assert len(contracts.formed) == len(thrice), "a pair is bound once"
    for seat in contracts.asked:
        assert not contracts.bound(seat)


@given(st.integers(0, 3), st.sampled_from([(), ((0, 1),), ((0, 1), (2, 3)), ((0, 1), (2, 0))]))
def test_shares_of_a_contract_are_mutual(winner: int, contracts: tuple[tuple[int, int], ...]) -> None:
    facts = replace(FACTS, contracts=contracts)
    for loser in {0, 1, 2, 3} - {winner}:
        partners = (winner, loser) in contracts or (loser, winner) in contracts
        assert (share(winner, loser, facts) == 5) == partners
        assert (share(winner, loser, facts) == 5) == (share(loser, winner, facts) == 5)


def test_a_missing_contract_is_remarked() -> None:
    melds = tuple(Meld.parse("peng", text, 0) for text in ("111m", "222m", "444m"))
    winner = replace(FLUSH, hand=parse_tiles("7789m"), win_tile=parse_tile("7m"), melds=melds)
    assert any("no contract" in note for note in ruleset("jiaxing").judge([winner], FACTS).winners[0].notes)
    bound = replace(FACTS, contracts=((0, 1),))
    assert not ruleset("jiaxing").judge([winner], bound).winners[0].notes


# ---------------------------------------------------------------- the waiting fans


tokens = st.lists(st.sampled_from(["黃番", "老頭黃", "包子", "百搭連庄"]), max_size=6).map(tuple)


@given(tokens, st.sampled_from(["9s", "2z"]), st.sampled_from(["9s", "2z", "1m"]), st.sampled_from([(2, 2), (2, 3)]))
def test_a_win_uses_up_exactly_the_oldest(
    carried: tuple[str, ...], wild: str, before: str, dice: tuple[int, int]
) -> None:
    facts = TableFacts(wild=parse_tile(wild), prev_wild=parse_tile(before), carry_in=carried, dice=dice)
    line = waiting_fans(facts.wild, facts)
    assert line[: len(carried)] == carried
    assert line[len(carried) :] == tuple(
        name
        for name, there in (("老頭黃", wild == "2z"), ("包子", dice == (2, 2)), ("百搭連庄", wild == before))
        if there
    )
    result = ruleset("jiaxing").judge([FLUSH], facts)
    assert dict(result.extras)["carry_out"] == list(line[1:])
    assert dict(result.winners[0].numbers)["fan"] == bool(line)


# ---------------------------------------------------------------- waits


def test_waits_of_a_half_flush_with_a_wildcard_are_priced() -> None:
    holder = replace(FLUSH, hand=parse_tiles("1122334455m9s1z1z"), win_tile=None)
    found = {wait.tile: wait for wait in waits(ruleset("jiaxing"), holder, FACTS)}
    assert parse_tile("6m") in found
    assert found[parse_tile("1z")].value == 5 * 3, "混一色 2 and the pung of the round wind 1"
    assert found[WILD].unseen == 3

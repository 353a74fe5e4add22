"""福建麻將: golds, their stand-in, and what cannot be (docs/rules/fujian.md)."""

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
from rules.tiles import parse_tile, parse_tiles
from rules.waits import waits

FACTS = TableFacts(flip=parse_tile("3m"))
BASE = Winner(1, parse_tiles("456789m456p78s55s111z"), parse_tile("9s"), "self_draw")


def ask(kind: str, **question: Any) -> dict[str, Any]:
    return answer({"ruleset": "fujian", "kind": kind, **question})


@pytest.mark.parametrize(
    ("facts", "winner", "sentence"),
    [
        (replace(FACTS, flowers=(5, 4, 0, 0)), BASE, "needs 4 counts, one for each seat, of at most 8 together"),
        (replace(FACTS, flowers=(1,)), BASE, "needs 4 counts"),
        (TableFacts(flip=parse_tile("2f")), BASE, "is a flower; turn the next tile"),
        (FACTS, replace(BASE, source="sea_bottom"), "fujian has no win by sea_bottom"),
        (
            FACTS,
            replace(BASE, hand=parse_tiles("456789m78s55s111z"), melds=(Meld.parse("peng", "333m", 0),)),
            "wildcard",
        ),
        (FACTS, replace(BASE, hand=BASE.hand[1:]), "has 15 tiles; with 0 melds it takes 16"),
    ],
)
def test_impossible_circumstances_are_one_sentence(facts: TableFacts, winner: Winner, sentence: str) -> None:
    with pytest.raises(RulesInputError, match=sentence):
        ruleset("fujian").judge([winner], facts)


@pytest.mark.parametrize("limits", [{"5": "self_draw"}, {"2": "never"}, "two", [2]])
def test_gold_limits_are_a_table(limits: object) -> None:
    with pytest.raises(UnknownOption, match="from two golds on only a self-draw wins"):
        ruleset("fujian", {"gold_limits": limits})


def test_tiles_shown_for_a_claim_must_be_a_list() -> None:
    event = {"discard": "2m", "from": 0, "seat1_hand_has": "1m5z", "wants": {"1": "chi"}}
    with pytest.raises(RulesInputError, match="seat1_hand_has must be a list"):
        ask("claim", state={"flip": "3m"}, events=[event])


@given(st.integers(0, 8), st.integers(0, 9), st.sampled_from(["self_draw", "discard", "rob_kong"]), st.integers(0, 20))
def test_everybody_pays_the_same_and_the_core_counts_twice_unless_discarded(
    flowers: int, streak: int, source: str, di: int
) -> None:
    rules = ruleset("fujian", {"di": di})
    winner = replace(BASE, seat=0, source=source, from_seat=None if source == "self_draw" else 2)  # type: ignore[arg-type]
    result = rules.judge([winner], replace(FACTS, flowers=(flowers, 0, 0, 0), streak=streak))
    each = (di + flowers + streak) * (1 if source == "discard" else 2)
    assert result.payments == (3 * each, -each, -each, -each)


def test_start_hand_is_the_dealers_seventeen_tiles() -> None:
    dealt = Winner(0, (*BASE.hand, parse_tile("9s")), None, "start_hand")
    assert dict(ruleset("fujian").judge([dealt], FACTS).extras)["per_loser"] == 50


def test_a_wait_for_the_turned_face_is_a_wait_for_white() -> None:
    """12m waits for 3m: that is a gold, or 白 standing in for it; the gold wins by drawing only."""
    holder = replace(BASE, hand=parse_tiles("12m456789m456p55p111z"), win_tile=None, source="discard", from_seat=0)
    found = {wait.tile: wait.verdict.valid for wait in waits(ruleset("fujian"), holder, FACTS)}
    assert found == {parse_tile("3m"): False, parse_tile("5z"): True}
    drawn = replace(holder, source="self_draw", from_seat=None)
    assert all(wait.verdict.valid for wait in waits(ruleset("fujian"), drawn, FACTS))


def test_two_golds_wait_for_the_third_with_any_tiles() -> None:
    holder = Winner(3, parse_tiles("3m3m147m369p258s1246z7z"), None, "self_draw")
    assert [wait.tile for wait in waits(ruleset("fujian"), holder, FACTS)] == [parse_tile("3m")]

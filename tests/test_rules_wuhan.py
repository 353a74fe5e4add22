"""武漢麻將: factors on both sides of the payment, and what cannot be (docs/rules/wuhan.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import RulesInputError, UnknownOption
from rules.model import Meld, PlayerFacts, TableFacts, Winner
from rules.questions import answer
from rules.registry import ruleset
from rules.rulesets.wuhan_payment import capped, own_factor
from rules.tiles import parse_tile, parse_tiles
from rules.waits import waits

FACTS = TableFacts(wild=parse_tile("5m"), flip=parse_tile("4m"), wall_left=40)
PUNG = Meld.parse("peng", "333p", 2)
SMALL = Winner(1, parse_tiles("123s456s78m22s"), parse_tile("9m"), "self_draw", (PUNG,))


def ask(kind: str, **question: Any) -> dict[str, Any]:
    return answer({"ruleset": "wuhan", "kind": kind, **question})


@pytest.mark.parametrize(
    ("facts", "winner", "sentence"),
    [
        (FACTS, replace(SMALL, melds=(Meld.parse("peng", "777z", 2),)), "紅中 cannot be melded"),
        (TableFacts(wild=parse_tile("7z")), SMALL, "紅中 is never the 癩子"),
        (replace(FACTS, wild=parse_tile("6m")), SMALL, "makes 5m wild, but the table names 6m"),
        (FACTS, replace(SMALL, source="kong_discard", from_seat=2), "wuhan has no win by kong_discard"),
        (FACTS, replace(SMALL, source="kong_replacement"), "needs a kong in the hand"),
    ],
)
def test_impossible_circumstances_are_one_sentence(facts: TableFacts, winner: Winner, sentence: str) -> None:
    with pytest.raises(RulesInputError, match=sentence):
        ruleset("wuhan").judge([winner], facts)


@pytest.mark.parametrize("caps", [[300, 400], "high", [300, 400, 0], [300, True, 500]])
def test_caps_are_three_numbers(caps: object) -> None:
    with pytest.raises(UnknownOption, match="three whole numbers"):
        ruleset("wuhan", {"caps": caps})


melds = st.lists(
    st.sampled_from(["chi:123s", "peng:777p", "kong_open:4444p", "kong_added:6666s", "kong_concealed:9999p"]),
    max_size=3,
    unique=True,
)


@given(melds, st.integers(0, 2), st.integers(0, 2), st.sampled_from(["kaikou", "koukou"]), st.sampled_from([2, 4]))
def test_a_loser_is_multiplied_like_a_winner(texts: list[str], reds: int, wilds: int, mode: str, laizi: int) -> None:
    """The factors a winner shows as fans are those that a loser with the same melds and kongs has."""
    rules = ruleset("wuhan", {"mode": mode, "lz_kong_factor": laizi})
    laid = tuple(Meld.parse(kind, tiles) for kind, tiles in (text.split(":") for text in texts))  # type: ignore[arg-type]
    melds_in_all = (*laid, Meld.parse("peng", "888m", 2))
    concealed = {1: "123m456m789m2s", 2: "123m456m2s", 3: "123m2s", 4: "2s"}[len(melds_in_all)]
    winner = Winner(
        1, parse_tiles(concealed), parse_tile("2s"), "self_draw", melds_in_all, hz_kongs=reds, lz_kongs=wilds
    )
    verdict = rules.judge([winner], TableFacts(wild=parse_tile("9s"))).winners[0]
    product = 1
    for line in verdict.fans:
        if line.name in ("開口", "衝槓", "蓄槓", "暗槓", "紅中槓", "癩子槓"):
            product *= int(line.value) ** line.count
    player = PlayerFacts(melds=melds_in_all, hz_kongs=reds, lz_kongs=wilds)
    assert product == own_factor(player, rules.chosen)


@given(st.lists(st.integers(1, 2000), min_size=3, max_size=3))
def test_caps_never_raise_a_share_and_the_golden_one_needs_all_three(owed: list[int]) -> None:
    rules = ruleset("wuhan")
    paid = capped(dict(zip((0, 2, 3), owed, strict=True)), rules.chosen)
    most = 400 if min(owed) >= 300 else 300
    assert list(paid.values()) == [min(one, most) for one in owed]


def test_a_drawn_hand_needs_to_know_who_is_ready() -> None:
    with pytest.raises(RulesInputError, match="give `ready` or the `hand`"):
        ask("draw", options={"check_ready_at_draw": True}, state={"players": {}})


def test_readiness_is_found_from_the_tiles() -> None:
    """Seat 0 waits for 9m with an opened hand (x 2), seat 1 for nothing; seats 2 and 3 are told."""
    pung = {"type": "peng", "tiles": "333p", "from": 2}
    players = {
        "0": {"hand": "123s456s78m22s", "melds": [pung]},
        "1": {"hand": "147m258p369s1234z"},
        "2": {"ready": False, "opened": True},
        "3": {"ready": True},
    }
    reply = ask("draw", options={"check_ready_at_draw": True}, state={"wild": "5m", "players": players})
    assert reply["not_ready"] == [1, 2]
    assert reply["ready"] == {"0": 2, "3": 1}
    assert reply["payments"] == [4 + 2, -4 - 2, -2 - 1, 2 + 1]


def test_waits_name_the_tiles_that_lack_the_pair_of_two_five_eight() -> None:
    holder = replace(SMALL, hand=parse_tiles("123s456s789m3s"), win_tile=None)
    found = {wait.tile: wait for wait in waits(ruleset("wuhan"), holder, FACTS)}
    assert found[parse_tile("3s")].verdict.valid is False
    assert found[parse_tile("3s")].verdict.reason == "pair_not_258"  # type: ignore[union-attr]


def test_a_lone_two_five_eight_waits_for_any_of_them() -> None:
    melds = tuple(Meld.parse("peng", text, 0) for text in ("222m", "555p", "888s", "222p"))
    holder = Winner(1, parse_tiles("8p"), None, "self_draw", melds)
    legal = {wait.tile for wait in waits(ruleset("wuhan"), holder, FACTS) if wait.verdict.valid}
    assert legal == {tile for tile in range(27) if tile % 9 in (1, 4, 7)}

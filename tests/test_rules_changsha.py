"""長沙麻將: birds, the roaming last tile, and what cannot be (docs/rules/changsha.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import RulesInputError, UnknownOption
from rules.model import Meld, TableFacts, Winner
from rules.questions import answer
from rules.registry import ruleset
from rules.rulesets.changsha_birds import bird_seat, doubled
from rules.tiles import parse_tile, parse_tiles
from rules.waits import waits
from tests.plain_oracle import changsha, dealt_wins

PLAIN = Winner(1, parse_tiles("123m456p78s22s"), parse_tile("9s"), "discard", (Meld.parse("peng", "999m", 3),), 2)
SEATS = st.integers(0, 3)


def ask(kind: str, **question: Any) -> dict[str, Any]:
    return answer({"ruleset": "changsha", "kind": kind, **question})


def test_who_takes_the_last_tile_pays_nobody() -> None:
    with pytest.raises(RulesInputError, match="leave `from_seat` null"):
        ruleset("changsha").judge([replace(PLAIN, source="sea_bottom", from_seat=1)], TableFacts())


def test_no_more_birds_than_the_table_plays() -> None:
    with pytest.raises(RulesInputError, match="3 birds are turned"):
        ruleset("changsha").judge([PLAIN], TableFacts(birds=(0, 1, 2)))


@pytest.mark.parametrize(
    "points", [{"small": [1, 2]}, {"small": [1], "big": [6, 7]}, {"small": [1, 2], "big": [6, "7"]}, [1, 2, 6, 7], None]
)
def test_points_are_a_table_of_two_pairs(points: object) -> None:
    with pytest.raises(UnknownOption, match="a table such as"):
        ruleset("changsha", {"points": points})


DEALT = {"seat": 2, "hand": "4444m135p1379s28p", "source": "start_hand"}
SEA = {"turn": 1, "wall_left": 1}


@pytest.mark.parametrize(
    ("kind", "question", "sentence"),
    [
        ("start", {}, 'dealt hands in "winners"'),
        ("start", {"winners": [{**DEALT, "win_tile": "1m", "hand": "444m135p1379s287p"}]}, "no winning tile"),
        ("start", {"winners": [{**DEALT, "hand": "4444m135p1379s289p"}]}, "only the dealer has 14"),
        ("start", {"winners": [{**DEALT, "source": "self_draw", "win_tile": "1m"}]}, "source start_hand"),
        ("wall", {"events": [{"die": 7}], "state": {"tail_stacks": ["12m"]}}, "shows 1 to 6"),
        ("wall", {"events": [{"die": 1}], "options": {"kong_dice": 2}}, "shows 2 to 12"),
        ("wall", {"events": [{"die": 3}], "state": {"tail_stacks": ["12m", "3m"]}}, "no tile in stack 3"),
        ("sea", {"events": []}, "needs state.turn"),
        ("sea", {"state": SEA, "events": [{"seat": 2, "answer": "take"}]}, "offered to seat 1 now"),
        ("sea", {"state": SEA, "events": [{"seat": 1, "answer": "refuse"}]}, "offered to seat 2 now"),
        (
            "sea",
            {"state": SEA, "events": [{"seat": 1, "answer": "take"}, {"seat": 2, "answer": "take"}]},
            "only its face",
        ),
        ("dealer", {"events": [{"result": "win", "winners": [0, 3]}]}, "the discarder in `from`"),
        ("action", {"events": [{"seat": 1, "wants": "open_kong_with_dice", "holds": "6666s"}]}, "ready_after_kong"),
        ("claim", {"events": [{"discard": "5p", "from": 0, "wants": {"2": "chi"}}]}, "only the next seat may"),
    ],
)
def test_impossible_questions_are_one_sentence(kind: str, question: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RulesInputError, match=sentence):
        ask(kind, **question)


@pytest.mark.parametrize("origin", range(4))
def test_birds_go_around_the_table(origin: int) -> None:
    hit = [bird_seat(origin, rank) for rank in range(9)]
    assert hit == [(origin + step) % 4 for step in (0, 1, 2, 3, 0, 1, 2, 3, 0)]
    assert hit == [bird_seat(origin, 18 + rank) for rank in range(9)], "the suit does not matter"


@given(st.lists(st.integers(0, 26), max_size=4), SEATS, SEATS.filter(lambda seat: seat != 1))
def test_a_bird_doubles_for_the_winner_and_for_the_payer_only(birds: list[int], dealer: int, source: int) -> None:
    rules = ruleset("changsha", {"bird_count": 4})
    bare = rules.judge([replace(PLAIN, from_seat=source)], TableFacts(dealer=dealer)).payments
    result = rules.judge([replace(PLAIN, from_seat=source)], TableFacts(dealer=dealer, birds=tuple(birds)))
    hits = sum(bird_seat(dealer, bird) in (1, source) for bird in birds)
    assert list(result.payments) == [one * 2**hits for one in bare]
    assert doubled(7, [0, 1, 1, 3], (1, 3)) == 7 * 8


@given(SEATS, st.integers(0, 4), st.sets(SEATS))
def test_the_last_tile_is_offered_around_until_taken(turn: int, refusals: int, able: set[int]) -> None:
    order = [(turn + step) % 4 for step in range(4)]
    events: list[dict[str, Any]] = [{"seat": seat, "answer": "refuse"} for seat in order[:refusals]]
    if refusals == 4:
        reply = ask("sea", state={"turn": turn}, events=events)
        assert (reply["sea_winners"], reply["payer"], reply["next_dealer"]) == ([], None, turn)
        return
    taker = order[refusals]
    events += [{"seat": taker, "answer": "take"}, {"tile": "9s"}]
    events += [{"seat": seat, "can_win": True} for seat in sorted(able)]
    reply = ask("sea", state={"turn": turn}, events=events)
    assert reply["order"] == order
    expected: tuple[list[int], int | None, int]
    if taker in able:
        expected = ([taker], None, taker)
    elif able:
        winners = [seat for seat in ((taker + step) % 4 for step in (1, 2, 3)) if seat in able]
        expected = (winners, taker, winners[0] if len(winners) == 1 else taker)
    else:
        expected = ([], None, taker)
    assert (reply["sea_winners"], reply["payer"], reply["next_dealer"]) == expected


def test_waits_name_the_tiles_that_lack_the_pair_of_two_five_eight() -> None:
    holder = replace(PLAIN, hand=parse_tiles("123m456p789s3s"), win_tile=None)
    found = {wait.tile: wait.verdict for wait in waits(ruleset("changsha"), holder, TableFacts())}
    assert found[parse_tile("3s")].valid is False
    assert found[parse_tile("3s")].reason == "pair_not_258"  # type: ignore[union-attr]
    assert set(found) == {parse_tile("3s")}


def test_all_of_two_five_eight_wait_for_any_of_them() -> None:
    holder = replace(PLAIN, hand=parse_tiles("25588m2588p"), win_tile=None, melds=())
    holder = replace(holder, hand=(*holder.hand, *parse_tiles("2258s")))
    legal = {wait.tile for wait in waits(ruleset("changsha"), holder, TableFacts()) if wait.verdict.valid}
    assert legal == {tile for tile in range(27) if tile % 9 in (1, 4, 7)}


STARTING: dict[str, Callable[[list[int]], bool]] = {
    "四喜": lambda counts: max(counts) == 4,
    "板板胡": lambda counts: not any(counts[tile] for tile in range(27) if tile % 9 in (1, 4, 7)),
    "缺一色": lambda counts: any(not sum(counts[suit : suit + 9]) for suit in (0, 9, 18)),
    "六六順": lambda counts: sum(one >= 3 for one in counts) >= 2,
}


@given(st.permutations(range(108)), st.booleans())
def test_every_dealt_hand_is_read_by_its_counts(wall: list[int], one_suit_less: bool) -> None:
    tiles = [tile // 4 for tile in wall if not one_suit_less or tile // 4 < 18][:13]
    counts = [tiles.count(tile) for tile in range(27)]
    expected = [name for name, holds in STARTING.items() if holds(counts)]
    text = "".join(f"{tile % 9 + 1}{'mps'[tile // 9]}" for tile in tiles)
    reply = ask("start", winners=[{"seat": 3, "hand": text, "source": "start_hand"}])
    assert [name for name, _ in reply["winners"][0]["fans"]] == expected
    units = len(expected)
    assert reply["payments"] == [-2 * units, -units, -units, 4 * units]


@pytest.mark.parametrize(("basis", "dealer"), tuple(product(("dealer", "source"), range(4))))
def test_a_false_win_is_a_small_self_draw_of_everybody_else(basis: str, dealer: int) -> None:
    reply = ask("false_win", options={"points_basis": basis}, state={"dealer": dealer}, events=[{"by": 1}])
    shares = [2 if basis == "source" or dealer in (seat, 1) else 1 for seat in range(4)]
    assert [reply["payments"][seat] for seat in (0, 2, 3)] == [shares[seat] for seat in (0, 2, 3)]
    assert sum(reply["payments"]) == 0


def test_random_hands_have_the_patterns_of_a_second_calculation() -> None:
    rules, seen = ruleset("changsha", {"bird_count": 0}), set()
    for winner in dealt_wins(2000, chows=True):
        verdict = rules.judge([winner], TableFacts()).winners[0]
        names = [line.name for line in verdict.fans]
        big = (0 if names == ["小胡"] else len(names)) if verdict.valid else None
        assert big == changsha(winner), winner
        seen.add(big)
    assert seen >= {None, 0, 1, 2}

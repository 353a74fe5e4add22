"""Circumstances that only a person can tell: offered where the game counts them, asked where nobody knows them."""

from __future__ import annotations

from typing import Any

import pytest

from table.model import SeenWin
from table.snapshot import ClaimView
from tests.table_kit import Desk, opened, view

FLUSH = {"hand": "123456789m123m5m", "win_tile": "5m"}
MELDS = [
    {"kind": "chi", "tiles": "123p", "from_seat": 0},
    {"kind": "peng", "tiles": "333s", "from_seat": 2},
    {"kind": "peng", "tiles": "666s", "from_seat": 3},
    {"kind": "peng", "tiles": "999m", "from_seat": 0},
]


def wuhan_fed() -> Desk:
    """武漢: seat 3 feeds seat 1, and nobody else has opened."""
    desk = opened("wuhan")
    desk.must("turn_tile", tile="7s")
    for seat in (0, 2, 3):
        desk.must("hand_facts", facts={"players": {str(seat): {"opened": False}}})
    desk.must("claim_win", seat=1, source="discard", from_seat=3)
    return desk


def claim(desk: Desk) -> ClaimView:
    found = view(desk).claim
    assert found is not None
    return found


def total(desk: Desk) -> int:
    verdict = claim(desk).verdict
    assert verdict is not None
    return verdict.total


# --- offered --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "source", "offers"),
    [
        ("gb", "self_draw", {}),
        ("sichuan", "self_draw", {"first_turn": True, "wall_left": 3}),
        ("sichuan", "discard", {"first_turn": True, "after_kong": True}),
        ("jiaxing", "self_draw", {"discards_before": 0}),
        ("two_player", "self_draw", {"first_turn": True, "ready_before": True}),
        ("wuhan", "discard", {"discarder_ready": True}),
        ("wuhan", "self_draw", {"wall_left": 3}),
    ],
)
def test_what_a_game_counts_is_offered_for_such_a_win(ruleset: str, source: str, offers: dict[str, Any]) -> None:
    desk = opened(ruleset)
    feeder = 2 if source == "discard" else None
    desk.must("claim_win", seat=0, source=source, from_seat=feeder)
    assert dict(claim(desk).offers) == offers


def test_a_win_on_the_first_draw_is_stated_by_a_tap_and_taken_back() -> None:
    """四川: 地胡 6 fan on the first draw (docs/rules/sichuan.md), 6 x 2^5 from each; without it 清一色 3."""
    desk = opened("sichuan")
    desk.must("claim_win", seat=1, source="self_draw")
    desk.must("hand_manual", **FLUSH)
    assert claim(desk).verdict.payments == (-24, 72, -24, -24)  # type: ignore[union-attr]
    assert "claims_before" not in claim(desk).offers
    desk.must("set_facts", more={"first_turn": True})
    assert claim(desk).verdict.payments == (-192, 576, -192, -192)  # type: ignore[union-attr]
    assert "claims_before" in claim(desk).offers
    desk.must("set_facts", more={"first_turn": False})
    assert claim(desk).verdict.payments == (-24, 72, -24, -24)  # type: ignore[union-attr]


# --- asked ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("answer", "pays"), [(0, (-40, 140, -40, -60)), (1, (0, 140, 0, -140))])
def test_who_fed_the_last_tile_of_four_melds_was_ready_or_pays_for_all(answer: int, pays: tuple[int, ...]) -> None:
    """武漢 7.2: 全求人 10 x opened 2 x hard 2 = 40 a loser, the discarder 60; he bears all unless he was ready."""
    desk = wuhan_fed()
    desk.must("hand_manual", hand="2p", melds=MELDS, win_tile="2p")
    (question,) = claim(desk).questions
    assert (question.text_key, question.params) == ("ask_discarder_ready", {"seat": 3})
    assert claim(desk).verdict is None
    assert desk.refused("approve") == "not_judged"
    desk.must(**question.choices[answer].command)
    assert claim(desk).questions == ()
    assert claim(desk).verdict.payments == pays  # type: ignore[union-attr]


def test_of_another_discarder_it_is_asked_again_whether_he_was_ready() -> None:
    """What was said of seat 3 is not taken for seat 2: a wrong payment is worse than a question."""
    desk = wuhan_fed()
    desk.must("hand_manual", hand="2p", melds=MELDS, win_tile="2p")
    desk.must("set_facts", more={"discarder_ready": True})
    desk.must("set_facts", from_seat=2)
    (question,) = claim(desk).questions
    assert (question.text_key, question.params) == ("ask_discarder_ready", {"seat": 2})
    desk.must(**question.choices[0].command)
    assert claim(desk).verdict.payments == (-40, 140, -60, -40)  # type: ignore[union-attr]


def test_it_is_not_asked_whether_the_discarder_was_ready_where_that_pays_the_same() -> None:
    desk = wuhan_fed()
    desk.must("hand_manual", hand="456p789p2p", melds=MELDS[:2], win_tile="2p")
    assert claim(desk).questions == ()


def test_a_die_that_was_thrown_says_that_the_kong_was_opened_ready() -> None:
    """長沙 6: 開槓 with the die needs a ready hand; after 補張 there is no 槓上開花, so without a die it is asked."""
    hand = {"hand": "123m78p55p", "win_tile": "9p"}
    melds = [
        {"kind": "peng", "tiles": "999m", "from_seat": 0},
        {"kind": "kong_concealed", "tiles": "6666s", "from_seat": None},
    ]
    desk = opened("changsha", bird_count=0)
    desk.must("kong", seat=1, meld_kind="kong_concealed", tile="6s")
    desk.must("dice", values=[3])
    desk.must("claim_win", seat=1, source="kong_replacement")
    desk.must("hand_manual", melds=melds, **hand)
    assert claim(desk).questions == ()
    assert claim(desk).verdict.payments == (-7, 19, -6, -6)  # type: ignore[union-attr]
    desk = opened("changsha", bird_count=0)
    desk.must("claim_win", seat=1, source="kong_replacement")
    desk.must("hand_manual", melds=melds, **hand)
    (question,) = claim(desk).questions
    assert question.text_key == "ask_ready_before"
    desk.must(**question.choices[1].command)
    assert claim(desk).verdict.payments == (-2, 4, -1, -1)  # type: ignore[union-attr]


@pytest.mark.parametrize("fed", [None, 3])
def test_who_fed_the_kong_is_asked_where_he_pays_for_all(fed: int | None) -> None:
    """廣東: a win on the replacement of a claimed kong is paid by its feeder; nobody had entered the kong."""
    desk = opened("guangdong")
    desk.must("claim_win", seat=0, source="kong_replacement")
    melds = [{"kind": "kong_open", "tiles": "3333m", "from_seat": None}]
    desk.must("hand_manual", hand="456m678s123p9p", melds=melds, win_tile="9p")
    (question,) = claim(desk).questions
    assert [choice.seat for choice in question.choices] == [None, 1, 2, 3]
    desk.must(**next(choice for choice in question.choices if choice.seat == fed).command)
    paid = claim(desk).verdict.payments  # type: ignore[union-attr]
    assert paid[1] == paid[2] == (0 if fed == 3 else paid[3])
    assert sum(paid) == 0 < paid[0]


# --- asked, because a person said how the table lies ------------------------------------------------------------------


def test_what_was_forgotten_is_asked_and_an_answer_stays() -> None:
    desk = opened("sichuan")
    desk.must("claim_win", seat=1)
    seen = SeenWin(source="self_draw", last_tile=False, unsure=("claims_before", "first_turn"))
    desk.must("see_win", seat=1, seen=seen)
    desk.must("hand_manual", **FLUSH)
    (question,) = claim(desk).questions
    assert question.text_key == "ask_first_turn"
    desk.must(**question.choices[0].command)
    (question,) = claim(desk).questions  # now it matters whether somebody had claimed before
    assert question.text_key == "ask_claims_before"
    desk.must(**question.choices[1].command)
    assert claim(desk).verdict.payments == (-192, 576, -192, -192)  # type: ignore[union-attr]
    desk.must("see_win", seat=1, seen=SeenWin(source="self_draw", last_tile=False, unsure=("first_turn",)))
    assert claim(desk).questions == ()


def test_a_fourth_tile_in_doubt_is_asked_and_either_answer_stays() -> None:
    """國標 和绝张 4: asked where one of the three others may be something else."""
    hand = {"hand": "123456789m45s77z", "win_tile": "6s"}  # 清龙 16, 门前清 2, 喜相逢 1, 缺一门 1
    for answer, worth in ((0, 20 + 4), (1, 20)):
        desk = opened("gb")
        desk.must("claim_win", seat=1)
        seen = SeenWin(source="discard", from_seat=3, tile="6s", unsure=("last_of_kind",))
        desk.must("see_win", seat=1, seen=seen)
        desk.must("hand_manual", **hand)
        (question,) = claim(desk).questions
        desk.must(**question.choices[answer].command)
        assert total(desk) == worth
        assert claim(desk).facts.last_of_kind is (answer == 0)
        desk.must("set_facts", last_of_kind=answer == 1)
        assert total(desk) == 20 + 4 * (answer == 1)

"""四川: the kongs of the hand that wins are those that were entered and paid, or somebody says why not."""

from __future__ import annotations

from typing import Any

import pytest

from table.decision import Rejected
from table.events import MoveSeen
from table.model import Actor
from table.noticed import noticed
from table.rulebook import open_rulebook
from table.snapshot import Question
from tests.table_kit import Desk, opened, view

CLOSED = {"hand": "123p456p678p9p", "win_tile": "9p"}
"""With a kong a hand of two suits: 6, doubled by the four of a kind (根)."""
FLUSH = {"hand": "123456789m123m5m", "win_tile": "5m"}
OTHER = {"hand": "123456789s123s5s", "win_tile": "5s"}


def melds(kind: str, tiles: str = "8888m") -> list[dict[str, Any]]:
    return [{"kind": kind, "tiles": tiles, "from_seat": None}]


def wins(desk: Desk, seat: int = 1, kind: str = "kong_added", source: str = "self_draw", **more: Any) -> None:
    desk.must("claim_win", seat=seat, source=source)
    desk.must("hand_manual", **{**CLOSED, "melds": melds(kind), **more})


def asked(desk: Desk) -> tuple[Question, ...]:
    claim = view(desk).claim
    assert claim is not None
    return claim.questions


def answers(question: Question) -> list[tuple[str, int | None]]:
    return [(choice.text_key, choice.seat) for choice in question.choices]


def test_a_kong_that_nobody_entered_is_asked_and_paid_as_it_was_made() -> None:
    """四川 section 6: an added kong brings 6 from each; the win with 根 12 from each."""
    desk = opened("sichuan", mode="single")
    wins(desk)
    (question,) = asked(desk)
    assert (question.text_key, question.params) == ("ask_kong_unsaid", {"seat": 1, "tile": "8m"})
    open_from = [("enter_kong_open", seat) for seat in (0, 2, 3)]
    assert answers(question) == [*open_from, ("enter_kong_added", None), ("kong_unpaid", None)]
    assert desk.refused("approve") == "not_judged"
    assert desk.refused("agree", seat=2) == "not_judged"
    desk.must(**question.choices[3].command)
    assert asked(desk) == ()
    desk.must("approve")
    assert desk.state.totals == (-18, 54, -18, -18)
    assert [side.tile for side in desk.state.hands[0].outcome.sides] == ["8m"]


def test_who_says_that_it_pays_nothing_is_asked_once() -> None:
    desk = opened("sichuan", mode="single")
    wins(desk, hand="123p456p9p", melds=[*melds("kong_added"), *melds("kong_concealed", "7777m")])
    first, second = asked(desk)
    assert answers(second) == [("enter_kong_concealed", None), ("kong_unpaid", None)]
    desk.must(**first.choices[-1].command)
    (second,) = asked(desk)
    desk.must(**second.choices[-1].command)
    assert asked(desk) == ()
    desk.must("approve")
    assert desk.state.hands[0].outcome.sides == ()
    assert desk.state.totals == (-24, 72, -24, -24)  # two 根


def test_a_kong_that_was_paid_and_is_not_shown_is_taken_back_or_the_hand_is_read_again() -> None:
    desk = opened("sichuan", mode="single")
    desk.must("kong", seat=3, meld_kind="kong_concealed", tile="2m")
    desk.must("kong", seat=1, meld_kind="kong_added", tile="8m")
    wins(desk, **{**CLOSED, "melds": melds("peng", "888m")})
    (question,) = asked(desk)
    assert (question.text_key, question.params) == ("ask_kong_not_shown", {"seat": 1, "tile": "8m"})
    assert desk.refused("approve") == "not_judged"
    desk.must("hand_manual", **CLOSED, melds=melds("kong_added"))
    assert asked(desk) == ()
    desk.must("hand_manual", **CLOSED, melds=melds("peng", "888m"))
    desk.must(**asked(desk)[0].choices[0].command)
    assert asked(desk) == ()
    assert [side.tile for side in desk.state.sides] == ["2m"]


def test_another_tile_was_entered_both_are_asked() -> None:
    desk = opened("sichuan", mode="single")
    desk.must("kong", seat=1, meld_kind="kong_added", tile="7m")
    wins(desk)
    assert [question.id for question in asked(desk)] == ["kong_not_shown:1:7m", "kong_unsaid:1:8m"]


@pytest.mark.parametrize("tile", ["8m", None])
def test_kongs_that_match_ask_nothing(tile: str | None) -> None:
    """One that was entered without its tile is whichever the hand shows; without any in the hand it is asked."""
    desk = opened("sichuan", mode="single")
    desk.must("kong", seat=1, meld_kind="kong_added", tile=tile)
    wins(desk)
    assert asked(desk) == ()
    desk.must("hand_manual", **FLUSH)
    assert [one.text_key for one in asked(desk)] == ["ask_kong_not_shown" if tile else "ask_kong_not_shown_any"]


@pytest.mark.parametrize("ruleset", ["gb", "changsha", "guangdong", "popular"])
def test_where_kongs_pay_nothing_at_once_they_are_not_compared(ruleset: str) -> None:
    desk = opened(ruleset)
    desk.must("kong", seat=1, meld_kind="kong_added", tile="7m")
    wins(desk)
    assert not [one for one in asked(desk) if "kong_unsaid" in one.id or "kong_not_shown" in one.id]


def test_a_robbed_kong_is_no_kong_of_the_hand_that_wins_later() -> None:
    """搶槓: the meld is a pung again and nothing was paid; the robber's own kongs are compared."""
    desk = opened("sichuan")
    desk.must("kong", seat=1, meld_kind="kong_added", tile="8m")
    desk.must("claim_win", seat=2, source="rob_kong", from_seat=1)
    desk.must("hand_manual", hand="123m123m79m111p22p", win_tile="8m")
    assert asked(desk) == ()
    desk.must("approve")
    desk.must("claim_win", seat=1, source="self_draw")
    desk.must("hand_manual", **OTHER)
    assert asked(desk) == ()


def test_in_a_battle_a_late_kong_is_paid_by_those_still_in_or_the_page_says_what_to_do() -> None:
    """Who has won pays for no later kong and feeds none."""
    desk = opened("sichuan")
    desk.must("kong", seat=2, meld_kind="kong_concealed", tile="9s")
    wins(desk, seat=2, kind="kong_concealed", melds=melds("kong_concealed", "9999s"))
    desk.must("approve")
    wins(desk)
    (question,) = asked(desk)
    assert question.text_key == "ask_kong_unsaid_battle"
    assert ("enter_kong_open", 2) not in answers(question)
    before = desk.state.totals
    desk.must(**next(one for one in question.choices if one.text_key == "enter_kong_added").command)
    assert tuple(now - was for now, was in zip(desk.state.totals, before, strict=True)) == (-6, 12, 0, -6)
    desk.must("approve")
    assert desk.state.out == (2, 1)


def test_a_kong_that_was_followed_and_is_entered_by_a_tap_answers_the_question() -> None:
    desk = opened("sichuan", mode="single")
    seen = MoveSeen(hand_no=1, what="kong_open", seat=1, tiles=("8m",), from_seat=3, taken="")
    desk.append((seen,), Actor(role="device"), "seen")
    wins(desk, kind="kong_open")
    assert desk.state.game is not None
    (offer,) = noticed(desk.state, desk.state.game, open_rulebook("sichuan", {}))
    assert len(asked(desk)) == 1
    desk.must(**offer.command)
    assert asked(desk) == ()
    assert [(side.tile, side.from_seat) for side in desk.state.sides] == [("8m", 3)]


def test_a_kong_that_is_entered_late_does_not_say_whose_replacement_won() -> None:
    """The last that was entered need not be the last that was made: who fed it pays for all, so it is asked first."""
    desk = opened("sichuan", mode="single")
    desk.must("kong", seat=1, meld_kind="kong_concealed", tile="7m")
    both = [*melds("kong_open"), *melds("kong_concealed", "7777m")]
    wins(desk, source="kong_replacement", hand="123p456p9p", melds=both)
    (question,) = asked(desk)
    assert question.text_key == "ask_kong_feeder"
    desk.must(**question.choices[0].command)
    (question,) = asked(desk)
    assert question.text_key == "ask_kong_unsaid"
    desk.must(**question.choices[2].command)
    assert asked(desk) == ()
    paid = view(desk).claim.verdict.payments  # type: ignore[union-attr]
    assert paid[0] == paid[2] == paid[3] < 0


def test_a_correction_of_the_hand_asks_nothing_of_its_kongs() -> None:
    """A correction has its own list of kongs; older hands can be corrected as before."""
    desk = opened("sichuan", mode="single")
    desk.must("kong", seat=1, meld_kind="kong_added", tile="8m")
    wins(desk)
    desk.must("approve")
    desk.must("correct_hand", hand_no=1, reason="misread", melds=[], **FLUSH)


@pytest.mark.parametrize("wrong", [3, True, ["2:9s"], {"2": "9s"}, "9s", "2:9s,3:1m", "4:9s"])
def test_kongs_that_pay_nothing_are_named_as_kongs(wrong: object) -> None:
    desk = opened("sichuan")
    refused = desk.do("hand_facts", facts={"_kongs_unpaid": wrong})
    assert isinstance(refused, Rejected)
    assert refused.sentence.params["why"] == "why.kongs_unpaid"
    desk.must("hand_facts", facts={"_kongs_unpaid": "2:9s 3:1m"})
    desk.must("hand_facts", facts={"_kongs_unpaid": None})
    assert desk.refused("hand_facts", facts={"_no_more_birds": "no"}) == "bad_facts"

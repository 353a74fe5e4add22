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


# --- the same in a correction -----------------------------------------------------------------------------------------


def asked_late(desk: Desk, **wish: Any) -> tuple[Question, ...]:
    """What a correction of the only hand asks before it counts; asking writes nothing, and it is refused until then."""
    told = desk.must("correct_hand", hand_no=1, reason="?", preview=True, **wish).win
    assert told is not None
    if told.questions:
        assert desk.refused("correct_hand", hand_no=1, reason="r", **wish) == "asked_first"
    return told.questions


def answered(question: Question, text_key: str) -> dict[str, Any]:
    """An answer as the fields of `correct_hand`."""
    command = dict(next(one for one in question.choices if one.text_key == text_key).command)
    kind = command.pop("kind")
    if kind == "kong":
        return {"add_kongs": [command]}
    return {"drop_sides": [command["index"]]} if kind == "drop_side" else {"facts": command["facts"]}


def with_kong(**more: Any) -> Desk:
    """A finished hand whose winner was paid for a kong of 8m and shows it."""
    desk = opened("sichuan", mode="single")
    desk.must("kong", seat=3, meld_kind="kong_concealed", tile="2m")
    desk.must("kong", seat=1, meld_kind="kong_added", tile="8m", **more)
    wins(desk)
    desk.must("approve")
    return desk


PUNG = {**CLOSED, "melds": melds("peng", "888m")}
UNSEEN: dict[str, Any] = {"melds": [], **OTHER}


def test_a_correction_asks_of_a_kong_that_the_hand_does_not_show_any_more() -> None:
    """It was none, or it was made and nobody remembers the tiles: then it stays paid and is not asked again."""
    for wish in (PUNG, UNSEEN):
        desk = with_kong()
        assert asked_late(desk) == ()
        (question,) = asked_late(desk, **wish)
        assert (question.id, question.text_key) == ("kong_not_shown:1:8m", "ask_kong_not_shown")
        assert answers(question) == [("kong_drop", None), ("past.kong_kept", None)]
        desk.must("correct_hand", hand_no=1, reason="a pung", **wish, **answered(question, "kong_drop"))
        assert [side.tile for side in desk.state.hands[0].outcome.sides] == ["2m"]
        desk = with_kong()
        desk.must("correct_hand", hand_no=1, reason="it was", **wish, **answered(question, "past.kong_kept"))
        assert [side.tile for side in desk.state.hands[0].outcome.sides] == ["2m", "8m"]
        assert asked_late(desk, from_seat=2, source="discard") == ()


def test_a_correction_asks_of_a_kong_that_nobody_entered() -> None:
    """Entered in the correction it pays what it pays at the table; or it pays nothing, once and for all."""
    live, late = with_kong(), with_kong()
    late.must("correct_hand", hand_no=1, reason="it was none", drop_sides=[1], **PUNG)
    (question,) = asked_late(late, melds=melds("kong_added"))
    assert question.id == "kong_unsaid:1:8m"
    wish = {"hand_no": 1, "reason": "it was one", "melds": melds("kong_added")}
    late.must("correct_hand", **wish, **answered(question, "enter_kong_added"))
    assert late.state.hands[0].outcome.payments == live.state.hands[0].outcome.payments
    late.must("correct_hand", hand_no=1, reason="it was none", drop_sides=[1], **PUNG)
    late.must("correct_hand", **wish, **answered(question, "kong_unpaid"))
    assert [side.tile for side in late.state.hands[0].outcome.sides] == ["2m"]
    assert asked_late(late, from_seat=2, source="discard") == ()


def test_the_kongs_of_a_hand_that_counted_for_nothing_are_compared_when_it_was_won_after_all() -> None:
    desk = with_kong()
    won = desk.state.totals
    desk.must("correct_hand", hand_no=1, reason="it does not count", outcome="void")
    told = desk.must("correct_hand", hand_no=1, reason="?", preview=True, outcome="win").win
    assert told is not None
    assert ([side.tile for side in told.aside], told.questions) == (["2m", "8m"], ())
    (question,) = asked_late(desk, outcome="win", **PUNG)
    assert question.choices[0].command["index"] == 1
    desk.must("correct_hand", hand_no=1, reason="r", outcome="win", **PUNG, **answered(question, "kong_drop"))
    outcome = desk.state.hands[0].outcome
    assert ([side.tile for side in outcome.sides], outcome.aside) == (["2m"], ())
    other = with_kong()
    other.must("correct_hand", hand_no=1, reason="it does not count", outcome="void")
    other.must("correct_hand", hand_no=1, reason="it does", outcome="win")
    assert other.state.totals == won


def test_a_kong_that_the_correction_itself_adds_must_be_shown() -> None:
    """Of another tile than the one shown: both are asked, and the one that is just being added has no answer."""
    desk = opened("sichuan", mode="single")
    wins(desk)
    desk.must(**asked(desk)[0].choices[-1].command)
    desk.must("approve")
    seven = {"seat": 1, "meld_kind": "kong_added", "tile": "7m"}
    (question,) = asked_late(desk, add_kongs=[seven])
    assert (question.id, question.choices) == ("kong_not_shown:1:7m", ())
    eight = {**seven, "tile": "8m"}
    desk.must("correct_hand", hand_no=1, reason="it was to be paid", add_kongs=[eight])
    assert desk.state.totals == (-18, 54, -18, -18)


def test_in_a_battle_the_kongs_of_all_winners_are_asked_together_and_entered_at_their_wins() -> None:
    desk = opened("sichuan")
    for seat, meld in ((2, "9999s"), (1, "8888m")):
        wins(desk, seat=seat, kind="kong_concealed", melds=melds("kong_concealed", meld))
        desk.must(**asked(desk)[0].choices[-1].command)
        desk.must("approve")
    desk.must("draw_hand", players={seat: {"hand": "1345679m258s147s"} for seat in ("0", "3")})
    forgotten = {"facts": {"_kongs_unpaid": None}}
    first, second = asked_late(desk, **forgotten, win_no=1)
    assert (first.id, second.id) == ("kong_unsaid:1:8m", "kong_unsaid:2:9s")
    assert (first.text_key, second.text_key) == ("past.ask_kong_unsaid", "ask_kong_unsaid")
    added = [
        *answered(first, "enter_kong_concealed")["add_kongs"],
        *answered(second, "enter_kong_concealed")["add_kongs"],
    ]
    assert [(one["seat"], one["stage"]) for one in added] == [(1, 1), (2, 0)]
    told = desk.must("correct_hand", hand_no=1, reason="?", preview=True, **forgotten, add_kongs=added).win
    assert told is not None
    assert told.questions == ()


@pytest.mark.parametrize("wrong", [3, True, ["2:9s"], {"2": "9s"}, "9s", "2:9s,3:1m", "4:9s"])
def test_kongs_that_pay_nothing_are_named_as_kongs(wrong: object) -> None:
    desk = opened("sichuan")
    refused = desk.do("hand_facts", facts={"_kongs_unpaid": wrong})
    assert isinstance(refused, Rejected)
    assert refused.sentence.params["why"] == "why.kongs_unpaid"
    desk.must("hand_facts", facts={"_kongs_unpaid": "2:9s 3:1m"})
    desk.must("hand_facts", facts={"_kongs_unpaid": None})
    assert desk.refused("hand_facts", facts={"_no_more_birds": "no"}) == "bad_facts"


# --- a kong that was entered as another kind than the hand shows ------------------------------------------------------


def kind_asked(desk: Desk) -> Question | None:
    return next((one for one in asked(desk) if one.id.startswith("kong_kind:")), None)


@pytest.mark.parametrize(("entered", "shows"), [("kong_added", "kong_concealed"), ("kong_concealed", "kong_open")])
def test_a_kong_entered_as_another_kind_than_the_hand_shows_is_asked(entered: str, shows: str) -> None:
    """As it was entered the hand shows it so; as it is shown, it is entered anew and paid as what it was."""
    for answer in (0, 1):
        desk = opened("sichuan", mode="single")
        desk.must("kong", seat=1, meld_kind=entered, tile="8m")
        wins(desk, kind=shows)
        (question,) = asked(desk)
        assert (question.text_key, question.params) == ("ask_kong_kind", {"seat": 1, "tile": "8m"})
        shown = "kong_concealed" if shows == "kong_concealed" else "kong_exposed"
        assert [choice.text_key for choice in question.choices] == [entered, shown]
        assert desk.refused("approve") == "not_judged"
        desk.must(**question.choices[answer].command)
        if answer == 1:
            (again,) = asked(desk)
            assert again.text_key == "ask_kong_unsaid"
            way = f"enter_{shows if shows == 'kong_concealed' else 'kong_added'}"
            desk.must(**next(one for one in again.choices if one.text_key == way).command)
        assert asked(desk) == ()
        desk.must("approve")
        concealed = (shows if answer else entered) == "kong_concealed"
        each = (12 if concealed else 6) + 12
        assert desk.state.totals == (-each, 3 * each, -each, -each)
        (kong,) = desk.state.hands[0].outcome.wins[0].laid.melds
        assert (kong.kind == "kong_concealed") is concealed


@pytest.mark.parametrize(("row", "entered"), [("8888m", "kong_concealed"), ("x 88m x", "kong_open")])
def test_a_photographed_kong_is_asked_and_set_as_it_was_entered(row: str, entered: str) -> None:
    desk = opened("sichuan", mode="single")
    desk.must("kong", seat=1, meld_kind=entered, tile="8m", from_seat=3 if entered == "kong_open" else None)
    desk.must("claim_win", seat=1, source="self_draw")
    desk.show(1, ["123p456p678p9p", "9p", row])
    question = kind_asked(desk)
    assert question is not None
    desk.must(**question.choices[0].command)
    assert asked(desk) == ()
    (kong,) = view(desk).claim.melds  # type: ignore[union-attr]
    assert kong.kind == entered


@pytest.mark.parametrize(
    ("ruleset", "matters"),
    [("gb", True), ("wuhan", True), ("fujian", True), ("popular", True), ("jiaxing", False), ("changsha", False)],
)
def test_where_kongs_are_paid_with_the_hand_their_kind_is_asked_if_it_matters(ruleset: str, matters: bool) -> None:
    desk = opened(ruleset)
    hand = {"hand": "123m456m789m5m" + "123m" * (ruleset == "fujian"), "win_tile": "5m"}
    if ruleset in ("wuhan", "jiaxing", "fujian"):
        desk.must("turn_tile", tile="1z")
    desk.must("kong", seat=1, meld_kind="kong_concealed", tile="9s")
    desk.must("claim_win", seat=1, source="self_draw")
    while asked(desk):
        desk.must(**asked(desk)[0].choices[-1].command)
    desk.must("hand_manual", **hand, melds=melds("kong_open", "9999s"))
    while (first := asked(desk)) and not first[0].id.startswith("kong_kind:"):
        desk.must(**first[0].choices[-1].command)
    assert (kind_asked(desk) is not None) is matters
    if matters:
        desk.must("hand_manual", **hand, melds=melds("kong_concealed", "9999s"))
        assert kind_asked(desk) is None


def test_whether_a_kong_was_claimed_or_added_is_not_compared() -> None:
    desk = opened("sichuan", mode="single")
    desk.must("kong", seat=1, meld_kind="kong_added", tile="8m")
    wins(desk, kind="kong_open")
    assert asked(desk) == ()


@pytest.mark.parametrize("win_tile", ["9p", "1s"])
def test_in_a_competition_the_kind_of_a_kong_is_asked_of_every_hand(win_tile: str) -> None:
    desk = Desk().open(ruleset="gb", mode="competition")
    desk.must("kong", seat=1, meld_kind="kong_concealed", tile="8m")
    wins(desk, kind="kong_open", win_tile=win_tile)
    assert [one.text_key for one in asked(desk)] == ["ask_kong_kind"]


def test_a_correction_asks_of_a_kong_that_it_shows_as_another_kind() -> None:
    desk = with_kong()
    won = desk.state.totals
    (question,) = asked_late(desk, melds=melds("kong_concealed"))
    assert (question.id, [one.text_key for one in question.choices]) == (
        "kong_kind:1:8m", ["kong_added", "kong_concealed"],
    )  # fmt: skip
    hand = dict(question.choices[0].command)
    assert hand.pop("kind") == "hand_manual"
    assert asked_late(desk, **hand) == ()
    dropped = answered(question, "kong_concealed")
    assert dropped == {"drop_sides": [1]}
    (again,) = asked_late(desk, melds=melds("kong_concealed"), **dropped)
    assert again.id == "kong_unsaid:1:8m"
    entered = answered(again, "enter_kong_concealed")
    desk.must("correct_hand", hand_no=1, reason="it was", melds=melds("kong_concealed"), **dropped, **entered)
    assert [now - was for now, was in zip(desk.state.totals, won, strict=True)] == [-6, 18, -6, -6]


def test_a_kong_that_the_correction_adds_is_of_the_kind_that_the_hand_shows() -> None:
    desk = opened("sichuan", mode="single")
    wins(desk)
    desk.must(**asked(desk)[0].choices[-1].command)
    desk.must("approve")
    (question,) = asked_late(desk, add_kongs=[{"seat": 1, "meld_kind": "kong_concealed", "tile": "8m"}])
    assert (question.id, [one.command["kind"] for one in question.choices]) == ("kong_kind:1:8m", ["hand_manual"])

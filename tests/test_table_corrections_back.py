"""A correction and the one that takes it back restore every payment, dealer and fee: kong money, birds, battles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table.decision import Decision
from table.model import Outcome, WinPart
from table.state import PlayedHand
from tests.evening_player import EVENINGS, STORIES, evening
from tests.table_kit import PAIRS, UNREADY, Desk

FLUSH = {"hand": "123456789m123m5m", "win_tile": "5m"}
NINES = [{"kind": "peng", "tiles": "999m"}]
CHANGSHA = {"hand": "123m456p78s22s", "win_tile": "9s", "melds": NINES}


def corrected(desk: Desk, hand_no: int, **fields: Any) -> bool:
    """Whether this correction was accepted."""
    return isinstance(desk.do("correct_hand", role="referee", hand_no=hand_no, reason="r", **fields), Decision)


def standing(desk: Desk) -> Any:
    """Everything that moves points or decides who deals: hands, false wins, penalties, totals."""
    rows = [
        (row.setup, row.outcome.payments, row.outcome.fee, counted(row.outcome))
        if isinstance(row, PlayedHand)
        else (row.setup, row.payments)
        for row in desk.state.history
    ]
    return rows, desk.state.setup, desk.state.totals, desk.state.results, desk.state.fees


def counted(outcome: Outcome) -> Any:
    """What of a hand counts, without what was set aside or told before."""
    return replace(outcome, aside=(), told=(), sides=tuple(sorted(outcome.sides, key=repr)))


def elsewhere(hand: PlayedHand, places: tuple[int, ...]) -> list[dict[str, Any]]:
    """Ways in which this hand might have ended otherwise."""
    out = hand.outcome
    ways: list[dict[str, Any]] = [{"outcome": "void"}, {"outcome": "draw"}, {"outcome": "broken_off"}]
    for number, win in enumerate(out.wins):
        others = [seat for seat in places if seat not in (win.seat, win.from_seat)]
        ways += [{"win_no": number, "winner": seat} for seat in others[:1]]
        ways += [{"win_no": number, "source": "self_draw"}, {"win_no": number, "source": "rob_kong"}]
        ways += [{"win_no": number, "source": "discard", "from_seat": seat} for seat in others[:1]]
    return ways


def as_it_was(hand: PlayedHand, way: dict[str, Any]) -> dict[str, Any]:
    """The correction that says again what was said at first."""
    out, number = hand.outcome, way.get("win_no", 0)
    back: dict[str, Any] = {"outcome": out.outcome, "win_no": number}
    if out.outcome == "void":
        back["outcome"] = "broken_off" if any(out.payments) else "void"
    if "win_no" in way:
        win = out.wins[number]
        feeder = win.seat if win.source == "sea_bottom" and win.from_seat is None else win.from_seat
        told = {"winner": win.seat, "source": win.source, "from_seat": feeder, "more": dict(win.facts.more)}
        flags = {"last_tile": win.facts.last_tile, "last_of_kind": win.facts.last_of_kind}
        back |= {**told, **flags}
    return back


@pytest.mark.parametrize("name", [*EVENINGS, *STORIES])
def test_every_hand_of_an_evening_is_as_it_was_when_its_correction_is_taken_back(name: str) -> None:
    desk, tried = Desk(), 0
    for _ in evening(name, desk):
        pass
    assert desk.state.game is not None
    places, before = desk.state.game.places, standing(desk)
    for hand in desk.state.hands:
        for way in elsewhere(hand, places):
            if not corrected(desk, hand.setup.hand_no, **way):
                continue
            tried += 1
            back = as_it_was(hand, way)
            assert corrected(desk, hand.setup.hand_no, **back), (hand.setup.hand_no, way, back)
            assert standing(desk) == before, (hand.setup.hand_no, way)
    assert tried > 10


def test_a_hand_that_was_called_void_by_mistake_gets_its_kong_money_when_it_was_won() -> None:
    desk = Desk().open(ruleset="sichuan", options={"mode": "single"})
    desk.must("kong", seat=1, meld_kind="kong_open", tile="9p", from_seat=3)
    assert desk.state.totals == (0, 6, 0, -6)
    desk.must("draw_hand", void=True)
    assert desk.state.totals == (0, 0, 0, 0)
    won = {"outcome": "win", "winner": 2, "source": "self_draw", **FLUSH}
    assert corrected(desk, 1, **won)
    first = desk.state.totals
    assert (first[1] - first[0], first[0] - first[3]) == (6, 6), "what the kong brought, beside the win of seat 2"
    assert corrected(desk, 1, outcome="void")
    assert desk.state.totals == (0, 0, 0, 0)
    assert corrected(desk, 1, outcome="win"), "nothing has to be said twice"
    assert desk.state.totals == first


def test_the_options_of_a_hand_that_counts_for_nothing_change_nothing() -> None:
    desk = Desk().open(ruleset="sichuan")
    desk.must("kong", seat=1, meld_kind="kong_open", from_seat=3)
    desk.must("draw_hand", void=True)
    assert desk.must("correct_options", options={"base": 1}, reason="one").changes == ()
    assert desk.state.totals == (0, 0, 0, 0)


@pytest.mark.parametrize("mode", ["single", "battle"])
def test_a_kong_that_was_not_robbed_after_all_is_paid(mode: str) -> None:
    desk = Desk().open(ruleset="sichuan", options={"mode": "single"} if mode == "single" else {})
    desk.must("kong", seat=1, meld_kind="kong_added")
    kong = desk.state.totals
    assert kong == (-6, 18, -6, -6)
    desk.must("claim_win", seat=2, source="rob_kong", from_seat=1)
    desk.must("hand_manual", hand="123456789m46s33s", win_tile="5s")
    desk.must("approve")
    if mode == "battle":
        desk.must("draw_hand", players={str(seat): {"hand": UNREADY[seat]} for seat in (0, 1, 3)})
    robbed = desk.state.totals
    assert corrected(desk, 1, source="discard", from_seat=1)
    (side,) = desk.state.hands[0].outcome.sides
    assert side.payments == kong
    assert corrected(desk, 1, source="rob_kong", from_seat=1)
    assert desk.state.totals == robbed


def test_a_starting_win_that_ended_its_hand_comes_back() -> None:
    desk = Desk().open(ruleset="changsha", options={"start_win": "ends_hand", "bird_count": 0})
    desk.must("start_hand")
    desk.must("start_win", seat=2, hand="4444m135p1379s28p")
    won = desk.state.totals
    assert desk.state.hands[0].outcome.outcome == "win"
    for other in ({"outcome": "void"}, {"outcome": "draw"}):
        assert corrected(desk, 1, **other)
        assert corrected(desk, 1, outcome="win")
        assert desk.state.totals == won
    assert desk.state.hands[0].outcome.source == "start_hand"


def test_the_dice_of_a_hand_that_has_not_begun_still_choose_its_dealer() -> None:
    """四川: a void hand keeps its dealer; once it was a drawn hand after all, the dice say who deals the next one."""
    desk = Desk().open(ruleset="sichuan")
    desk.must("start_hand")
    desk.must("draw_hand", players={str(seat): {"hand": hand} for seat, hand in enumerate(UNREADY)})
    setup = desk.state.setup
    assert setup is not None
    assert setup.dealer_open
    assert corrected(desk, 1, outcome="void")
    assert desk.state.setup is not None
    assert not desk.state.setup.dealer_open
    assert corrected(desk, 1, outcome="draw")
    assert desk.state.setup == setup


def as_told(win: WinPart) -> dict[str, Any]:
    """A win as a correction gives it anew."""
    melds = [{"kind": one.kind, "tiles": one.tiles, "from_seat": one.from_seat} for one in win.laid.melds]
    tiles = {"hand": win.laid.hand, "melds": melds, "win_tile": win.laid.win_tile}
    return {"seat": win.seat, "source": win.source, "from_seat": win.from_seat, "stage": win.stage, **tiles}


def test_wins_out_of_their_order_are_not_paid() -> None:
    desk = Desk()
    for _ in evening("sichuan", desk):
        pass
    wish = {"hand_no": 8, "reason": "r", "outcome": "win"}
    first, second = (as_told(win) for win in desk.state.hands[7].outcome.wins)
    assert (first["stage"], second["stage"]) == (0, 1)
    for wins in ([second, first], [second], [first, {**second, "stage": 2}], [{**first, "stage": 1}, second]):
        assert desk.refused("correct_hand", wins=wins, **wish) == "bad_facts"
    assert desk.refused("correct_hand", wins=[first, second], **wish) == "nothing_changes"


def test_nobody_wins_after_the_win_that_ended_the_hand() -> None:
    desk = Desk().open()
    desk.win(1, **PAIRS)
    win = as_told(desk.state.hands[0].outcome.wins[0])
    wins = [win, {**win, "seat": 0, "hand": "123p456s789s11z22z", "win_tile": "1z", "stage": 1}]
    assert desk.refused("correct_hand", hand_no=1, reason="r", wins=wins) == "bad_facts"


def test_a_kong_that_the_hand_does_not_have_cannot_be_dropped() -> None:
    desk = Desk().open(ruleset="sichuan", options={"mode": "single"})
    desk.must("kong", seat=1, meld_kind="kong_open", tile="9p", from_seat=3)
    desk.win(2, **FLUSH)
    for place in (1, -1):
        assert desk.refused("correct_hand", hand_no=1, reason="r", drop_sides=[place]) == "no_such_side"

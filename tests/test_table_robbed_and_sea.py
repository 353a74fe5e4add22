"""Robbed kongs (搶槓) and the last tile that goes round (海底漫遊): what they pay, what goes back, who deals next."""

from __future__ import annotations

from typing import Any

import pytest

from table.events import MoveSeen
from table.model import Actor
from table.noticed import noticed
from table.rulebook import open_rulebook
from tests.table_kit import UNREADY, Desk, opened, view

HALF_FLUSH = {"hand": "23m567m789m123p55p", "win_tile": "4m"}
"""Two suits, waiting for 1m and 4m: 平胡 1."""
FLUSH = {"hand": "112233m56789m55m", "win_tile": "4m"}
"""清一色 3, waiting for 4m."""
PUNG_OF_NINES = [{"kind": "peng", "tiles": "999m", "from_seat": 0}]


def rob(desk: Desk, *hands: tuple[int, dict[str, Any]], robbed: int = 1) -> None:
    """These seats rob the newest kong, all heard and approved."""
    for seat, _ in hands:
        desk.must("claim_win", seat=seat, source="rob_kong", from_seat=robbed)
    by_seat = dict(hands)
    for _ in hands:
        claim = desk.state.claim
        assert claim is not None
        desk.must("hand_manual", **by_seat[claim.seat])
        desk.must("approve")


# --- robbed kongs ---------------------------------------------------------------------------------------------------


def test_two_rob_a_kong_in_a_battle_and_its_money_goes_back_once() -> None:
    """A robbed kong brings nothing (四川 section 6); 搶槓 is one fan more: 6 x 2 and 6 x 8 from the robbed player."""
    desk = opened("sichuan")
    desk.must("kong", seat=1, meld_kind="kong_added", tile="9s")  # this one stands
    desk.must("kong", seat=1, meld_kind="kong_added", tile="4m")
    assert desk.state.totals == (-12, 36, -12, -12)
    rob(desk, (0, HALF_FLUSH), (2, FLUSH))
    assert desk.state.started
    assert desk.state.out == (2, 0)
    assert [side.tile for side in desk.state.sides] == ["9s"]
    assert desk.state.totals == (-6 + 12, 18 - 60, -6 + 48, -6)
    nines = {"hand": "247p1245788s", "melds": [{"kind": "kong_added", "tiles": "9999s", "from_seat": 0}]}
    desk.must("draw_hand", players={"1": nines, "3": {"hand": UNREADY[2]}})
    # nobody still in is ready: what 9s brought goes back to all who paid it, winners included; of 4m nothing is left
    assert desk.state.totals == (12, -60, 48, 0)
    desk.must("undo_last")
    assert desk.state.totals == (6, -42, 42, -6)


def test_a_kong_that_nobody_named_by_its_tile_is_robbed_too() -> None:
    desk = opened("sichuan")
    desk.must("kong", seat=1, meld_kind="kong_added")
    rob(desk, (2, FLUSH))
    assert desk.state.totals == (0, -48, 48, 0)


def test_one_who_says_so_later_robs_nothing_else() -> None:
    """The earlier kong of the robbed player stays, whoever wins from him afterwards."""
    desk = opened("sichuan")
    desk.must("kong", seat=1, meld_kind="kong_added", tile="9s")
    desk.must("kong", seat=1, meld_kind="kong_added", tile="4m")
    rob(desk, (2, FLUSH))
    rob(desk, (0, HALF_FLUSH))  # in a second stage: no kong was made since
    assert [side.tile for side in desk.state.sides] == ["9s"]


def test_a_seen_kong_that_was_robbed_is_not_offered_for_entering() -> None:
    """Entering it would pay it again: only the kong that stands is offered."""
    desk = opened("sichuan")
    for number, tile in enumerate(("9s", "4m")):
        seen = MoveSeen(hand_no=1, what="kong_added", seat=1, tiles=(tile,), from_seat=None, taken="")
        desk.append((seen,), Actor(role="device"), f"seen{number}")
    desk.must("kong", seat=1, meld_kind="kong_added", tile="9s")
    rob(desk, (2, FLUSH))
    assert desk.state.game is not None
    assert noticed(desk.state, desk.state.game, open_rulebook("sichuan", {})) == ()


def test_a_win_corrected_into_a_robbed_kong_takes_the_kong_back() -> None:
    desk = opened("sichuan", mode="single")
    desk.must("kong", seat=1, meld_kind="kong_added")
    desk.must("claim_win", seat=2, source="discard", from_seat=1)
    desk.must("hand_manual", **FLUSH)
    desk.must("approve")
    assert desk.state.totals == (-6, 18 - 24, -6 + 24, -6)
    desk.must("correct_hand", hand_no=1, source="rob_kong", reason="it was robbed")
    assert desk.state.totals == (0, -48, 48, 0)
    assert desk.state.hands[0].outcome.sides == ()


def test_a_robbed_kong_multiplies_nothing_in_wuhan(shared: Any) -> None:
    """Example wh-013: the robbed player's pung stays a pung, and he bears all three shares."""
    assert "wh-013" in (shared / "rules" / "examples" / "wuhan.jsonl").read_text("utf-8")
    desk = opened("wuhan")
    desk.must("turn_tile", tile="4m")
    desk.must("take_discard", seat=1, meld_kind="peng", tiles="999p", from_seat=0)
    desk.must("kong", seat=1, meld_kind="kong_added", tile="9p")
    melds = desk.state.facts["players"]["1"]["melds"]
    assert melds == [{"type": "kong_added", "tiles": "9999p", "from": 0}]
    for seat in (0, 3):
        desk.must("hand_facts", facts={"players": {str(seat): {"opened": False}}})
    pung = [{"kind": "peng", "tiles": "333s", "from_seat": 0}]
    rob(desk, (2, {"hand": "123m456p78p55s", "win_tile": "9p", "melds": pung}))
    assert desk.state.totals == (0, -160, 160, 0)
    discarded = {"hand_no": 1, "reason": "his discard", "source": "discard"}
    assert desk.refused("correct_hand", **discarded) == "fifth_on_table", "then the kong of four stands again"
    desk.must("correct_hand", hand_no=1, reason="nobody won", outcome="draw")
    desk.must("correct_hand", hand_no=1, reason="robbed after all", outcome="win")
    assert desk.state.totals == (0, -160, 160, 0)


def test_who_is_out_is_not_asked_about() -> None:
    """The button of the next player says nothing of the source: the players still in are offered, nobody else."""
    desk = opened("sichuan")
    desk.must("kong", seat=1, meld_kind="kong_added", tile="4m")
    rob(desk, (2, FLUSH))
    desk.must("claim_win", seat=3)
    shown = view(desk).claim
    assert shown is not None
    (question,) = shown.questions
    assert [choice.seat for choice in question.choices] == [None, 0, 1]
    desk.must(**question.choices[1].command)
    shown = view(desk).claim
    assert shown is not None
    assert (shown.source, shown.from_seat, shown.questions) == ("discard", 0, ())


# --- the last tile of 長沙 ------------------------------------------------------------------------------------------


def test_who_takes_the_last_tile_and_wins_has_it_filled_in() -> None:
    """Example cs-015: 海底撈月, and the last tile itself is the bird; nothing more is asked."""
    desk = opened("changsha")
    desk.must("sea", seat=3, take=True)
    desk.must("claim_win", seat=3, source="self_draw")
    desk.must("hand_manual", hand="123m456p78s22s", melds=PUNG_OF_NINES, win_tile="9s")
    shown = view(desk).claim
    assert shown is not None
    assert (shown.source, shown.from_seat, shown.questions) == ("sea_bottom", None, ())
    desk.must("approve")
    assert desk.state.totals == (-14, -6, -6, 26)
    assert [fan.name for fan in desk.state.hands[0].outcome.fans] == ["海底撈月"]


@pytest.mark.parametrize("said", [{}, {"source": "discard", "from_seat": 0}])
def test_the_others_win_the_last_tile_from_its_taker(said: dict[str, Any]) -> None:
    """Example cs-016: seat 0 takes it, 1 and 3 win it (海底炮): 7 each from the dealer, doubled by the bird on him."""
    desk = opened("changsha")
    for seat, take in ((2, False), (3, False), (0, True)):
        desk.must("sea", seat=seat, take=take)
    for seat in (1, 3):
        desk.must("claim_win", seat=seat, **said)
    hands = ({"hand": "123m456p78s22s", "melds": PUNG_OF_NINES}, {"hand": "456m123789p78s55p"})
    for hand in hands:
        desk.must("hand_manual", win_tile="9s", **hand)
        desk.must("approve")
    assert desk.state.totals == (-28, 14, 0, 14)
    assert desk.state.setup is not None
    assert desk.state.setup.dealer == 0


def test_a_win_is_corrected_into_one_on_the_last_tile_taken_by_the_winner() -> None:
    desk = opened("changsha")
    desk.must("claim_win", seat=3, source="sea_bottom", from_seat=0)
    desk.must("hand_manual", hand="123m456p78s22s", melds=PUNG_OF_NINES, win_tile="9s")
    desk.must("approve")
    assert desk.state.totals == (-14, 0, 0, 14)
    desk.must("correct_hand", hand_no=1, source="sea_bottom", from_seat=3, reason="he took it himself")
    assert desk.state.hands[0].outcome.from_seat is None
    assert desk.state.hands[0].outcome.payments == (-14, -6, -6, 26)


def test_a_win_that_was_called_before_the_last_tile_was_noted_is_filled_in() -> None:
    desk = opened("changsha")
    desk.must("claim_win", seat=3)
    desk.must("sea", seat=3, take=True)
    claim = desk.state.claim
    assert claim is not None
    assert (claim.source, claim.from_seat) == ("sea_bottom", None)


def test_a_persons_other_word_about_the_last_tile_stays() -> None:
    desk = opened("changsha")
    desk.must("claim_win", seat=1, source="rob_kong", from_seat=2)
    desk.must("sea", seat=3, take=True)
    claim = desk.state.claim
    assert claim is not None
    assert (claim.source, claim.from_seat) == ("rob_kong", 2)


def test_no_bird_is_asked_for_where_the_last_tile_won() -> None:
    desk = opened("changsha")
    desk.must("claim_win", seat=1, source="self_draw")
    desk.must("hand_manual", hand="123m456p78s22s", melds=PUNG_OF_NINES, win_tile="9s")
    shown = view(desk).claim
    assert shown is not None
    assert [question.id for question in shown.questions] == ["birds"]
    desk.must("set_facts", last_tile=True)
    shown = view(desk).claim
    assert shown is not None
    assert shown.questions == ()
    assert shown.verdict is not None
    assert shown.verdict.payments == (-14, 26, -6, -6)  # 海底撈月 7 from the dealer on whom the bird 9s falls

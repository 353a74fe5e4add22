"""Corrections that reach further than one hand: seats, options, table fees, money paid at once, dealers by dice."""

from __future__ import annotations

from typing import Any

from table.decision import Decision
from tests.table_kit import PAIRS, STRAIGHT, UNREADY, Desk, PennyRules, penny_books


def moved(answer: Decision) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
    """By hand: what was paid before and after, as a person sees it before he confirms."""
    return {change.hand_no: (change.before.payments, change.after.payments) for change in answer.changes}


# --- seats ----------------------------------------------------------------------------------------------------------


def test_players_who_sat_the_other_way_round_exchange_what_they_won_since() -> None:
    desk = Desk().open()
    desk.win(0, **PAIRS)  # 99 -33 -33 -33
    desk.win(1, from_seat=2, **STRAIGHT)  # -8 48 -32 -8
    desk.must("claim_win", seat=1, source="self_draw")
    desk.must("reject", reason="no", false_win=True)  # 10 -30 10 10, hand 3 goes on
    assert desk.state.totals == (101, -15, -55, -31)
    wish = {"from_hand": 2, "seating": [1, 0, 2, 3], "reason": "wrong seats"}
    preview = desk.must("correct_seats", preview=True, **wish)
    assert [change.hand_no for change in preview.changes] == [2]
    assert desk.state.totals == (101, -15, -55, -31)
    desk.must("correct_seats", **wish)
    # Anna truly sat on seat 1 in hands 2 and 3: 99 + 48 - 30, Ben on seat 0: -33 - 8 + 10
    assert desk.state.totals == (117, -31, -55, -31)
    desk.win(0, **PAIRS)  # seat 0 is Ben
    assert desk.state.totals == (84, 68, -88, -64)
    assert desk.refused("correct_seats", **wish) == "nothing_changes"
    desk.must("undo_last")
    desk.must("undo_last")
    desk.must("undo_last")
    desk.must("undo_last")  # the win of seat 0, step by step, and the correction
    assert desk.state.totals == (101, -15, -55, -31)


def test_seats_that_change_every_round_stay_exchanged() -> None:
    desk = Desk().open(rotate_seats=True)
    for _ in range(4):
        desk.draw()
    desk.win(0, **PAIRS)  # round S: seats 0 to 3 are E S W N's 1, 0, 3, 2
    assert desk.state.totals == (-33, 99, -33, -33)
    desk.must("correct_seats", from_hand=1, seating=[0, 2, 1, 3], reason="drawn wrongly")
    # players 1 and 2 exchanged from the first hand on: who sat on seat 0 in hand 5 is player 2
    assert desk.state.setup is not None
    assert desk.state.setup.seating == (2, 0, 3, 1)
    assert desk.state.totals == (-33, -33, 99, -33)


def test_a_seating_must_name_everybody() -> None:
    desk = Desk().open()
    desk.win(0, **PAIRS)
    wrong = {"from_hand": 1, "reason": "r"}
    assert desk.refused("correct_seats", seating=[0, 0, 2, 3], **wrong) == "bad_seating"
    assert desk.refused("correct_seats", seating=[0, 1, 2, 3], **wrong) == "nothing_changes"
    assert desk.refused("correct_seats", from_hand=7, seating=[1, 0, 2, 3], reason="r") == "no_such_hand"
    desk.must("claim_win", seat=0, source="self_draw")
    assert desk.refused("correct_seats", seating=[1, 0, 2, 3], **wrong) == "claims_open"


# --- options --------------------------------------------------------------------------------------------------------

FLUSH = {"hand": "123456789m123m5m", "win_tile": "5m"}


def test_other_options_price_every_hand_anew() -> None:
    desk = Desk().open(ruleset="jiaxing", options={"base": 5})
    for winner in (1, 1, 2):
        desk.must("dice", values=[1, 2])
        desk.must("turn_tile", tile="9s")
        desk.must("claim_win", seat=winner, source="self_draw")
        desk.must("hand_manual", **FLUSH)
        desk.must("approve")
    before, paid = desk.state.totals, [hand.outcome.payments for hand in desk.state.hands]
    wish = {"options": {"base": 10}, "reason": "we agreed on ten"}
    preview = desk.must("correct_options", preview=True, **wish)
    doubled = [tuple(2 * points for points in one) for one in paid]
    assert moved(preview) == dict(enumerate(zip(paid, doubled, strict=True), start=1))
    desk.must("correct_options", **wish)
    assert desk.state.totals == tuple(2 * points for points in before)
    assert desk.state.game is not None
    assert desk.state.game.options == {"base": 10}
    desk.must("undo_last")
    assert desk.state.totals == before
    assert desk.state.game is not None
    assert desk.state.game.options == {"base": 5}


def test_options_that_make_a_hand_no_win_name_it() -> None:
    desk = Desk().open()
    desk.win(0, **PAIRS)
    desk.win(1, from_seat=2, **STRAIGHT)
    assert desk.refused("correct_options", options={"minimum": 25}, reason="r") == "no_win_under"
    assert desk.refused("correct_options", options={"minimum": 8.5}, reason="r") == "unknown_ruleset"
    assert desk.refused("correct_options", options={"minimun": 8}, reason="r") == "unknown_ruleset"
    desk.must("start_hand")
    assert desk.refused("correct_options", options={"minimum": 24}, reason="r") == "options_between_hands"
    looked = desk.must("correct_options", options={"minimum": 24}, reason="r", preview=True)
    assert looked.events == looked.changes == (), "both hands are worth 24: nothing would change, and looking is free"


# --- what a correction of one hand moves ----------------------------------------------------------------------------


def test_fees_follow_what_a_player_holds_after_the_correction() -> None:
    desk = Desk().open(ruleset="jiaxing", options={"service_fee": 4}, house={"stake": 80})
    hands = ((1, "9s"), (2, "8s"))
    for winner, tile in hands:
        desk.must("dice", values=[1, 2])
        desk.must("turn_tile", tile=tile)
        desk.must("claim_win", seat=winner, source="self_draw")
        desk.must("hand_manual", **FLUSH)
        desk.must("approve")
    first, second = (hand.outcome.payments for hand in desk.state.hands)
    assert first == (-25, 75, -25, -25)  # 清一色 4 + 無百搭 1 = 5 台, times base 5
    held = [80 + one + other - 4 for one, other in zip(first, second, strict=True)]
    assert [min(4, have) for have in held] == list(desk.state.hands[1].outcome.fee)
    preview = desk.must("correct_hand", hand_no=1, reason="seat 0 won", winner=0, preview=True)
    desk.must("correct_hand", hand_no=1, reason="seat 0 won", winner=0)
    fees = [hand.outcome.fee for hand in desk.state.hands]
    first, second = (hand.outcome.payments for hand in desk.state.hands)
    held = [80 + one - fee + other for one, fee, other in zip(first, fees[0], second, strict=True)]
    assert list(fees[1]) == [min(4, max(0, have)) for have in held]
    assert {change.hand_no for change in preview.changes} == {1, 2}
    assert [change.after.fee for change in preview.changes] == fees


def test_a_starting_win_is_paid_by_the_dealer_who_truly_dealt() -> None:
    desk = Desk().open(ruleset="changsha", options={"bird_count": 0})
    desk.must("claim_win", seat=1, source="self_draw")
    desk.must("hand_manual", hand="123m456p78s22s", win_tile="9s", melds=[{"kind": "peng", "tiles": "999m"}])
    desk.must("approve")  # seat 1 deals hand 2
    desk.must("start_win", seat=2, hand="4444m135p1379s28p")
    assert desk.state.paid_so_far == (-1, -2, 4, -1)  # 四喜: two from the dealer, one from the others
    refused = desk.refused("correct_hand", hand_no=1, reason="seat 3 won", winner=3)
    assert refused == "finish_hand_first"
    desk.must("draw_hand", sea="all_refused", sea_seat=1)
    answer = desk.must("correct_hand", hand_no=1, reason="seat 3 won", winner=3)
    assert moved(answer)[2] == ((-1, -2, 4, -1), (-1, -1, 4, -2))
    assert sum(desk.state.totals) == 0


def test_a_dealer_whom_the_dice_chose_stays_the_dealer() -> None:
    desk = Desk().open(ruleset="sichuan")
    for values in ([1, 1], [3, 4]):
        if desk.state.setup is not None and desk.state.setup.dealer_open:
            desk.must("dice", values=values)
        desk.must("start_hand") if not desk.state.started else None
        desk.must("draw_hand", players={str(seat): {"hand": hand} for seat, hand in enumerate(UNREADY)})
    chosen = [hand.setup.dealer for hand in desk.state.hands]
    answer = desk.must("correct_hand", hand_no=1, reason="r", outcome="win", winner=1, source="self_draw", **FLUSH)
    assert set(moved(answer)) == {1}
    assert [hand.setup.dealer for hand in desk.state.hands] == chosen


def test_kong_money_goes_back_at_a_corrected_drawn_hand_too() -> None:
    desk = Desk().open(ruleset="sichuan")
    desk.must("kong", seat=1, meld_kind="kong_open", from_seat=3)
    assert desk.state.paid_so_far == (0, 6, 0, -6)
    unready: dict[str, dict[str, Any]] = {str(seat): {"hand": UNREADY[seat]} for seat in (0, 2, 3)}
    unready["1"] = {"hand": "1247m124578s", "melds": [{"kind": "kong_open", "tiles": "9999s", "from_seat": 3}]}
    desk.must("draw_hand", void=True)
    desk.must("undo_last")
    desk.must("draw_hand", players=unready)
    assert desk.state.totals == (0, 0, 0, 0)
    answer = desk.must("correct_hand", hand_no=1, reason="seat 2 had another tile", players=unready | {
        "2": {"hand": "1478p258s369p145s"},
    })  # fmt: skip
    assert moved(answer)[1][1] == (0, 0, 0, 0)


def test_a_correction_that_leaves_the_dealer_moves_one_hand() -> None:
    desk = Desk(books=penny_books(PennyRules())).open()
    for winner in (0, 0, 2):
        desk.win(winner, **PAIRS)
    answer = desk.must("correct_hand", hand_no=2, reason="r", winner=0, source="discard", from_seat=1)
    assert set(moved(answer)) == {2}


def test_another_discarder_does_not_inherit_that_the_first_one_was_ready() -> None:
    """武漢 7.2, 全求人: who was ready when he fed it does not pay for all; that is said of one player and no other."""
    melds = [
        {"kind": "chi", "tiles": "123p", "from_seat": 0},
        {"kind": "peng", "tiles": "333s", "from_seat": 2},
        {"kind": "peng", "tiles": "666s", "from_seat": 3},
        {"kind": "peng", "tiles": "999m", "from_seat": 0},
    ]
    desk = Desk().open(ruleset="wuhan", mode="friendly")
    desk.must("start_hand")
    desk.must("turn_tile", tile="7s")
    for seat in (0, 2, 3):
        desk.must("hand_facts", facts={"players": {str(seat): {"opened": False}}})
    desk.must("claim_win", seat=1, source="discard", from_seat=3)
    desk.must("hand_manual", hand="2p", melds=melds, win_tile="2p")
    desk.must("set_facts", more={"discarder_ready": True})
    desk.must("approve")
    assert desk.state.hands[0].outcome.payments == (-40, 140, -40, -60)
    desk.must("correct_hand", hand_no=1, reason="seat 2 fed it", from_seat=2)
    assert desk.state.hands[0].outcome.payments == (0, 140, -140, 0)
    ready = {"players": {"2": {"ready": True}}}
    desk.must("correct_hand", hand_no=1, reason="and was ready", facts=ready)
    assert desk.state.hands[0].outcome.payments == (-40, 140, -60, -40)

"""What the table remembers of a hand for the rules: kongs, contracts, liability, passed wins, birds, stakes."""

from __future__ import annotations

from typing import Any

import pytest

from rules.registry import names
from table.audience import for_role
from table.customs import customs_of
from table.decision import Decision
from table.snapshot import ClaimView, Snapshot
from tests.table_kit import NAMES, UNREADY, Desk, opened, view
from webui.texts import catalogue

FLUSH = {"hand": "123456789m123m5m", "win_tile": "5m"}
FLUSHES = (FLUSH, {"hand": "123456789p123p5p", "win_tile": "5p"}, {"hand": "123456789s123s5s", "win_tile": "5s"})
OTHER_FLUSH = {"hand": "46m66m789m789m123m", "win_tile": "5m"}
OTHER_HANDS: dict[str, dict[str, Any]] = {
    "fujian": {"hand": "123456789m123456m5m", "win_tile": "5m"},
    "wuhan": {
        "hand": "456789m123m5m",
        "melds": [{"kind": "chi", "tiles": "123m", "from_seat": 0}],
        "win_tile": "5m",
    },
}
"""A win like `FLUSH` where that is none: with five sets, and with an opened hand."""
NOT_READY = "147s258p369m1478s"
READY = "123456789m123p5p"


def claim(desk: Desk, seat: int, feeder: int | None = None, **hand: Any) -> Snapshot:
    """A claim with its hand; what the pages show then."""
    source = hand.pop("source", "self_draw" if feeder is None else "discard")
    desk.must("claim_win", seat=seat, source=source, from_seat=feeder)
    desk.must("hand_manual", **(hand or FLUSH))
    return view(desk)


def shown_to(desk: Desk, role: str) -> ClaimView:
    """The claim that is heard, as this role sees it."""
    claim = for_role(view(desk), role).claim
    assert claim is not None
    return claim


def payments(shown: Snapshot) -> tuple[int, ...]:
    assert shown.claim is not None
    assert shown.claim.verdict is not None
    return shown.claim.verdict.payments


def shown_with_kong(tile: str) -> dict[str, Any]:
    """A hand of two suits as it is shown, with a concealed kong of a bamboo tile; it waits for nothing."""
    return {"hand": "1478258m146s", "melds": [{"kind": "kong_concealed", "tiles": 3 * tile[0] + tile}]}


# --- Sichuan: kong money, robbed kongs, several winners, the exhausted wall ------------------------------------------


def test_kongs_are_paid_at_once() -> None:
    """刮風下雨 with base 6: claimed kong 6 from the feeder, added 6 from each, concealed 12 from each."""
    desk = opened("sichuan")
    desk.must("kong", seat=0, meld_kind="kong_open", tile="9s", from_seat=2)
    assert desk.state.totals == (6, 0, -6, 0)
    desk.must("kong", seat=1, meld_kind="kong_added", tile="8s")
    assert desk.state.totals == (0, 18, -12, -6)
    desk.must("kong", seat=3, meld_kind="kong_concealed", tile="7s")
    assert desk.state.totals == (-12, 6, -24, 30)
    assert desk.refused("kong", seat=1, meld_kind="kong_open", tile="1s") == "no_feeder"
    desk.must("undo_last")
    assert desk.state.totals == (0, 18, -12, -6)
    shown = view(desk)
    assert shown.hand is not None
    assert [side.meld_kind for side in shown.hand.sides] == ["kong_open", "kong_added"]


def test_kong_money_goes_back_at_the_exhausted_wall() -> None:
    """退稅: the kong maker is not ready; what he took returns, and the ready player is paid by the others."""
    desk = opened("sichuan")
    desk.must("kong", seat=1, meld_kind="kong_concealed", tile="9s")
    assert desk.state.totals == (-12, 36, -12, -12)
    hands = (READY, UNREADY[0], UNREADY[1], NOT_READY)
    shows: dict[str, Any] = {str(seat): {"hand": hand} for seat, hand in enumerate(hands)}
    assert desk.refused("draw_hand", players=shows) == "kong_no_place"
    desk.must("draw_hand", players={**shows, "1": shown_with_kong("9s")})
    row = view(desk).history[-1]
    assert (row.notes["pigs"], row.notes["not_ready"], list(row.notes["ready"])) == ([3], [1, 2], ["0"])
    # the pig (three suits) pays 16 x 6 to each; 0 waits for 5 dots (1 fan: 6 from 1 and 2); the kong goes back
    assert row.payments == (96 + 12, 96 - 6, 96 - 6, -288)


def test_whether_a_dead_hand_is_ready_at_the_exhausted_wall_is_for_the_referee() -> None:
    """No rule speaks of it. Seat 1 is not ready, seat 0 waits for 5 dots but is dead: asked, unless it is not ready."""
    desk = opened("sichuan")
    desk.must("kong", seat=1, meld_kind="kong_concealed", tile="9s")
    desk.must("penalise", seat=0, code="dead_hand", role="referee")
    desk.must("penalise", seat=2, code="dead_hand", role="referee")
    hands = (READY, "", UNREADY[1], NOT_READY)
    shows: dict[str, Any] = {str(seat): {"hand": hand} for seat, hand in enumerate(hands)}
    shows["1"] = shown_with_kong("9s")
    assert desk.refused("draw_hand", players=shows) == "why.dead_ready"
    desk.must("draw_hand", players={**shows, "0": {"hand": READY, "ready": True}})
    ready = view(desk).history[-1]
    assert ready.payments == (96 + 12, 96 - 6, 96 - 6, -288)
    desk.must("undo_last")
    desk.must("draw_hand", players={**shows, "0": {"hand": READY, "ready": False}})
    row = view(desk).history[-1]
    assert (row.notes["not_ready"], row.notes["ready"], row.payments) == ([0, 1, 2], {}, (96, 96, 96, -288))


def test_whether_a_dead_hand_is_ready_is_asked_where_that_alone_is_shown() -> None:
    desk = opened("wuhan", check_ready_at_draw=True)
    desk.must("turn_tile", tile="1z")
    desk.must("penalise", seat=0, code="dead_hand", role="referee")
    shows: dict[str, Any] = {str(seat): {"ready": False} for seat in range(4)}
    tiles = {"hand": "456789m123m5m", "melds": [{"kind": "chi", "tiles": "123m", "from_seat": 3}]}
    assert desk.refused("draw_hand", players={**shows, "0": tiles}) == "why.dead_ready"
    assert desk.refused("draw_hand", players={**shows, "0": {}}) == "draw_shows"
    desk.must("draw_hand", players={**shows, "0": {"ready": True}})
    assert desk.state.totals[0] > 0


def test_a_suit_given_up_is_asked_at_the_exhausted_wall() -> None:
    """定缺: seat 2 still holds characters, which he gave up: 16 x 6 to each; 1 and 3 are not ready: 6 to seat 0."""
    desk = opened("sichuan", dingque=True)
    shows = {str(seat): {"hand": hand} for seat, hand in enumerate((READY, *UNREADY[:3]))}
    for seat, suit in enumerate("ssmm"):
        assert desk.refused("draw_hand", players=shows) == "void_wanted"
        desk.must("declare", seat=seat, what="void", suit=suit)
    desk.must("draw_hand", players=shows)
    assert desk.state.hands[0].outcome.notes["pigs"] == [2]
    assert desk.state.totals == (96 + 12, 96 - 6, -288, 96 - 6)


def test_a_robbed_kong_brings_nothing() -> None:
    desk = opened("sichuan")
    desk.must("kong", seat=1, meld_kind="kong_added", tile="4m")
    assert desk.state.totals == (-6, 18, -6, -6)
    claim(desk, 2, 1, source="rob_kong", hand="112233m56789m55m", win_tile="4m")
    desk.must("approve")
    assert desk.state.won[0].payments == desk.state.totals
    assert desk.state.totals[0] == desk.state.totals[3] == 0
    assert desk.state.sides == ()


def test_two_win_the_same_discard_and_the_battle_goes_on() -> None:
    desk = opened("sichuan")
    desk.must("claim_win", seat=0, source="discard", from_seat=3)
    desk.must("claim_win", seat=2, source="discard", from_seat=3)
    desk.must("hand_manual", **FLUSH)
    desk.must("approve")
    assert desk.state.totals == (0, 0, 0, 0)  # the other claim of this tile is heard first
    assert [(one.seat, one.approved) for one in view(desk).claims] == [(2, False), (0, True)]
    desk.must("hand_manual", **FLUSH)
    assert desk.refused("approve") == "fifth_on_table"  # both flushes cannot lie there
    desk.must("hand_manual", **OTHER_FLUSH)
    desk.must("approve")
    assert desk.state.started
    assert desk.state.out == (0, 2)
    assert desk.state.totals == (24, 0, 24, -48)  # 清一色 3 fan: 6 x 2^2 each
    claim(desk, 1, **FLUSHES[1])
    assert desk.refused("claim_win", seat=0, source="self_draw") == "seat_out"
    desk.must("approve")
    assert not desk.state.started
    assert desk.state.hands[0].outcome.payments == desk.state.totals
    assert desk.state.totals == (24, 24, 24, -72)  # those who are out pay no more


def test_a_hand_that_dies_while_its_approved_win_waits_is_not_paid_with_the_others() -> None:
    """It is heard again, where nobody can approve it; without it, or once the ruling is lifted, the others are paid."""
    desk = opened("sichuan")
    for seat in (0, 2):
        desk.must("claim_win", seat=seat, source="discard", from_seat=3)
    desk.must("hand_manual", **FLUSH)
    desk.must("approve")
    desk.must("penalise", seat=0, code="dead_hand", role="referee")
    assert [(one.seat, one.approved) for one in view(desk).claims] == [(0, False), (2, False)]
    assert desk.refused("approve") == "seat_dead"
    desk.must("reject", reason="12 tiles", role="referee")
    desk.must("hand_manual", **OTHER_FLUSH)
    desk.must("approve")
    assert (desk.state.out, desk.state.totals) == ((2,), (0, 0, 24, -24))


def test_a_game_is_not_closed_while_an_approved_win_waits_for_others_of_its_tile() -> None:
    desk = opened("sichuan")
    for seat in (0, 2):
        desk.must("claim_win", seat=seat, source="discard", from_seat=3)
    desk.must("hand_manual", **FLUSH)
    desk.must("approve")
    assert desk.refused("close_game") == "claims_open"
    desk.must("cancel_claim", seat=2)
    desk.must("close_game")
    assert desk.state.totals == (24, 0, 0, -24)


def test_the_last_of_several_claims_falls_away() -> None:
    desk = opened("guangdong")
    for seat in (0, 1):
        desk.must("claim_win", seat=seat, source="discard", from_seat=3)
    desk.must("hand_manual", **FLUSH)
    desk.must("approve")
    assert desk.state.started
    desk.must("cancel_claim")
    assert not desk.state.started
    assert desk.state.hands[0].outcome.winner == 0
    assert desk.state.totals[1:3] == (0, 0)


def test_the_dice_choose_the_dealer_of_a_battle() -> None:
    desk = opened("sichuan")
    desk.must("draw_hand", void=True)
    desk.must("start_hand")
    for seat in (1, 2, 3):
        claim(desk, seat, **FLUSHES[seat % 3])
        desk.must("approve")
    assert desk.state.setup is not None
    assert desk.state.setup.dealer_open
    desk.must("dice", values=[3, 4])  # 7 from the last dealer, seat 0: seat 2
    assert desk.state.started
    assert (desk.state.setup.dealer, desk.state.setup.dealer_open) == (2, False)


# --- Jiaxing: contracts, waiting fans, opening doubles ---------------------------------------------------------------


def test_three_melds_bind_two_players_and_the_others_are_asked() -> None:
    desk = opened("jiaxing")
    for _ in range(3):
        assert desk.state.facts.get("contracts") is None
        desk.must("take_discard", seat=0, meld_kind="chi", from_seat=3, tiles="123m")
    shown = view(desk)
    assert shown.hand is not None
    assert shown.hand.facts["contracts"] == [[0, 3]]
    assert shown.hand.asked == (1, 2)
    desk.must("declare", seat=1, what="quit")
    desk.must("declare", seat=2, what="stay")
    assert desk.refused("declare", seat=2, what="quit") == "bad_facts"
    shown = view(desk)
    assert shown.hand is not None
    assert shown.hand.asked == ()
    assert shown.hand.facts["quit"] == [1]
    desk.must("hand_facts", facts={"dice": [1, 2]})
    desk.must("turn_tile", tile="9s")
    paid = payments(claim(desk, 0))
    # 清一色 4 + 無百搭 1 = 5 台: unit 25. The partner pays five, the one who stayed two, the quitter nothing
    assert paid == (175, 0, -50, -125)


def test_opening_doubles_join_the_line_once_and_are_carried_on() -> None:
    desk = Desk().open(ruleset="jiaxing")
    desk.must("dice", values=[4, 4], roll="7F3A.1")
    desk.must("dice", values=[4, 4], roll="7F3A.1")  # the same throw again
    desk.must("turn_tile", tile="1z")
    desk.must("draw_hand")
    assert desk.state.setup is not None
    assert list(desk.state.setup.carry) == ["老頭黃", "包子", "黃番"]
    assert desk.state.setup.prev_wild == "1z"
    desk.must("dice", values=[1, 4])
    shown = claim(desk, 1)
    assert shown.claim is not None
    assert [question.id for question in shown.claim.questions] == ["flip"]
    desk.must("turn_tile", tile="1z")
    shown = view(desk)
    assert shown.claim is not None
    assert shown.claim.verdict is not None
    assert "老頭黃" in [fan.name for fan in shown.claim.verdict.fans]  # the oldest is used up
    desk.must("approve")
    assert list(desk.state.setup.carry) == ["包子", "黃番", "老頭黃", "百搭連庄"]


def test_without_dice_the_doubles_are_asked() -> None:
    desk = opened("jiaxing")
    desk.must("turn_tile", tile="9s")
    shown = claim(desk, 1)
    assert shown.claim is not None
    (question,) = shown.claim.questions
    assert question.id == "dice"
    plain = payments_after(desk, question.choices[1].command)
    desk.must("undo_last")
    assert payments_after(desk, question.choices[0].command) == tuple(2 * points for points in plain)


def payments_after(desk: Desk, command: Any) -> tuple[int, ...]:
    desk.must(**command)
    return payments(view(desk))


def test_the_service_fee_is_kept_apart() -> None:
    desk = Desk().open(ruleset="jiaxing", options={"service_fee": 2}, house={"stake": 1})
    desk.must("dice", values=[1, 4])
    desk.must("turn_tile", tile="9s")
    desk.must("draw_hand")
    assert [seat.fee for seat in view(desk).seats] == [1, 1, 1, 1]  # nobody holds more than one point
    assert desk.state.totals == (0, 0, 0, 0)


# --- Guangdong: liability, passed wins ------------------------------------------------------------------------------


def test_who_is_liable_pays_for_three() -> None:
    desk = opened("guangdong")
    before = payments(claim(desk, 0))
    assert before[1] == before[2] == before[3] < 0
    desk.must("liable", feeder=2, beneficiary=0, makes="十二張")
    assert payments(view(desk)) == (before[0], 0, -before[0], 0)
    desk.must("liable", feeder=2, beneficiary=1, makes="十二張")  # bound already (包先不包後)
    assert len(desk.state.facts["liability"]) == 1
    assert desk.refused("liable", feeder=2, beneficiary=0, makes="moon") == "bad_facts"


def test_a_passed_tile_is_no_win_until_he_acts() -> None:
    desk = opened("guangdong")
    desk.must("pass_win", seat=1, tile="5m")
    shown = claim(desk, 1, 3)
    assert shown.claim is not None
    assert shown.claim.verdict is not None
    assert shown.claim.verdict.reason == "passed_same_tile"
    desk.must("pass_win", seat=1)
    assert payments(view(desk))[1] > 0


# --- Changsha: starting wins, birds, the sea tile -------------------------------------------------------------------


def test_a_starting_win_pays_and_play_goes_on() -> None:
    desk = opened("changsha")
    desk.must("start_win", seat=1, hand="2222m468p13579s5p")
    assert desk.state.started
    assert desk.state.totals == (-2, 4, -1, -1)
    assert desk.refused("start_win", seat=2, hand="147m258p369s1478m") == "not_a_win"
    desk.must("draw_hand", sea="taken_no_win", sea_seat=3)
    assert desk.state.totals == (-2, 4, -1, -1)
    assert desk.state.setup is not None
    assert desk.state.setup.dealer == 3  # who took the sea tile deals


def test_a_starting_win_takes_no_claim_with_it_and_a_dead_hand_has_none() -> None:
    """長沙 where it ends the hand: what somebody else has claimed is heard first."""
    desk = opened("changsha", start_win="ends_hand")
    desk.must("claim_win", seat=2, source="self_draw")
    assert desk.refused("start_win", seat=1, hand="2222m468p13579s5p") == "claims_open"
    desk.must("cancel_claim")
    desk.must("penalise", seat=1, code="dead_hand", role="referee")
    assert desk.refused("start_win", seat=1, hand="2222m468p13579s5p") == "seat_dead"
    desk.must("undo_last", role="referee")
    desk.must("start_win", seat=1, hand="2222m468p13579s5p")
    assert (desk.state.totals, desk.state.hands[0].outcome.winner) == ((-2, 4, -1, -1), 1)


def test_in_a_competition_the_referee_alone_pays_a_starting_win() -> None:
    desk = Desk().open(ruleset="changsha", mode="competition")
    for role in ("tablet", "player"):
        assert desk.refused("start_win", seat=1, hand="2222m468p13579s5p", role=role) == "referee_only"
    desk.must("start_win", seat=1, hand="2222m468p13579s5p", role="referee")
    assert desk.state.totals == (-2, 4, -1, -1)


def test_a_starting_win_may_end_the_hand() -> None:
    desk = opened("changsha", start_win="ends_hand")
    desk.must("start_win", seat=1, hand="2222m468p13579s5p")
    assert not desk.state.started
    assert desk.state.totals == (-2, 4, -1, -1)


def test_birds_are_turned_before_the_approval() -> None:
    """Two birds counted from the dealer: 2 hits seat 1, 7 hits seat 2."""
    desk = opened("changsha")
    shown = claim(desk, 1)
    plain = payments(shown)
    assert shown.claim is not None
    assert [question.id for question in shown.claim.questions] == ["birds"]
    assert shown.claim.waiting_for == "answers"
    assert desk.refused("approve") == "birds_first"
    desk.must("turn_tile", what="bird", tile="2p")
    assert desk.refused("approve") == "birds_first"
    desk.must("turn_tile", what="bird", tile="7s")
    birds = payments(view(desk))
    assert (birds[0], birds[2], birds[3]) == (2 * plain[0], 4 * plain[2], 2 * plain[3])
    assert desk.refused("turn_tile", what="bird", tile="1s") == "not_in_this_game"
    desk.must("approve")


def test_no_win_has_the_birds_of_another() -> None:
    """A tap that comes late counts for no later hand, and a claim that falls away takes its birds with it."""
    desk = opened("changsha")
    assert desk.refused("turn_tile", what="bird", tile="2p") == "no_claim"
    claim(desk, 1)
    desk.must("turn_tile", what="bird", tile="2p")
    desk.must("reject", reason="no win", role="referee")
    again = claim(desk, 2).claim
    assert again is not None
    assert again.questions[0].params["number"] == 1
    desk.must("undo_last")
    desk.must("undo_last")
    desk.must("undo_last")
    assert desk.state.facts == {"birds": "2p"}
    desk.must("turn_tile", what="bird", tile="7s")
    desk.must("approve")
    assert desk.refused("turn_tile", what="bird", tile="7s") == "no_claim"
    desk.must("start_hand")
    assert desk.state.facts == {}


def test_two_who_answer_the_same_are_taken_once() -> None:
    """Two pages show the same bird to turn, or the same kong to take back: the second tap is none of the next."""
    desk = opened("changsha")
    shown = claim(desk, 1).claim
    assert shown is not None
    first = dict[str, Any](shown.questions[0].pick or {})
    desk.must(**first, tile="2p")
    assert desk.refused(**first, tile="2p") == "told_meanwhile"
    assert desk.state.facts == {"birds": "2p"}
    desk = opened("sichuan")
    for tile in ("9p", "9s"):
        desk.must("kong", seat=1, meld_kind="kong_concealed", tile=tile)
    asked = claim(desk, 1).claim
    assert asked is not None
    drop = asked.questions[0].choices[0].command
    assert (drop["kind"], drop["index"]) == ("drop_side", 0)
    desk.must(**drop)
    assert desk.refused(**drop) == "told_meanwhile"
    assert [side.tile for side in desk.state.sides] == ["9s"]


def test_no_bird_is_left_to_turn() -> None:
    desk = opened("changsha")
    shown = claim(desk, 1)
    assert shown.claim is not None
    desk.must(**shown.claim.questions[0].choices[0].command)
    desk.must("approve")


def test_several_winners_make_the_discarder_dealer() -> None:
    desk = opened("changsha", bird_count=0)
    for seat in (0, 1):
        desk.must("claim_win", seat=seat, source="discard", from_seat=2)
    for hand in (FLUSH, OTHER_FLUSH):
        desk.must("hand_manual", **hand)
        desk.must("approve")
    assert desk.state.setup is not None
    assert desk.state.setup.dealer == 2
    row = view(desk).history[-1]
    assert [win.seat for win in row.wins] == [0, 1]
    assert tuple(map(sum, zip(*(win.payments for win in row.wins), strict=True))) == row.payments


def test_a_kong_waits_for_its_die() -> None:
    desk = Desk().open(ruleset="changsha")
    desk.must("dice", values=[2, 3])
    desk.must("kong", seat=1, meld_kind="kong_concealed", tile="9s")
    shown = view(desk)
    assert shown.wall is not None
    assert shown.wall.die_due
    assert desk.refused("dice", values=[2, 3]) == "dice_one_wanted"
    desk.must("dice", values=[3])
    shown = view(desk)
    assert shown.wall is not None
    assert (shown.wall.die_due, shown.wall.at_most) == (False, 108 - 54)
    # opened before seat 0 after 5 stacks; the third stack from the tail is the third from the right
    assert shown.wall.replaced is not None
    assert (shown.wall.replaced.seat, shown.wall.replaced.stack, shown.wall.replaced.upper) == (0, 2, True)
    assert [(hole.seat, hole.stack) for hole in shown.wall.holes] == [(0, 2)]


# --- two players, Wuhan, and what a game does not have --------------------------------------------------------------


def test_stakes_of_two_players() -> None:
    desk = Desk()
    desk.must("open_game", ruleset="two_player", names=["Anna", "Ben"])
    desk.must("declare", seat=2, what="open")
    assert desk.refused("declare", seat=0, what="double") == "bad_facts"  # only after the deal
    desk.must("start_hand")
    raised = payments(claim(desk, 0))
    desk.must("declare", seat=0, what="double")
    assert payments(view(desk)) == tuple(2 * points for points in raised)
    assert raised[1] == raised[3] == 0
    desk.must("agree", seat=2)
    assert not desk.state.started
    assert desk.state.totals == tuple(2 * points for points in raised)


def test_losers_pay_by_what_they_have_laid_in_wuhan() -> None:
    desk = opened("wuhan")
    desk.must("turn_tile", tile="9s")
    desk.must("take_discard", seat=1, meld_kind="peng", from_seat=2, tiles="222p")
    desk.must("kong", seat=3, meld_kind="laizi")
    shown = claim(desk, 0, hand="123456789m5m", win_tile="5m", melds=[{"kind": "chi", "tiles": "123m", "from_seat": 3}])
    assert shown.claim is not None
    assert [question.id for question in shown.claim.questions] == ["opened:2", "opened:3"]
    for question in shown.claim.questions:
        desk.must(**question.choices[1].command)
    paid = payments(view(desk))
    assert paid[1] == paid[3] == 2 * paid[2] < 0  # opened, and one 癩子 laid out: each twice


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("turn_tile", {"tile": "1z"}),
        ("turn_tile", {"what": "bird", "tile": "1z"}),
        ("start_win", {"seat": 0, "hand": "1111m"}),
        ("liable", {"feeder": 0, "beneficiary": 1, "makes": "十二張"}),
        ("declare", {"seat": 0, "what": "open"}),
        ("declare", {"seat": 0, "what": "quit"}),
        ("declare", {"seat": 0, "what": "void", "suit": "m"}),
        ("kong", {"seat": 0, "meld_kind": "laizi"}),
    ],
)
def test_what_a_game_does_not_have(kind: str, fields: dict[str, Any]) -> None:
    assert opened("gb").refused(kind, **fields) == "not_in_this_game"


def test_circumstances_are_checked_when_they_are_stated() -> None:
    desk = opened("gb")
    assert desk.refused("hand_facts", facts={"moon": 1}) == "bad_facts"
    assert desk.refused("hand_facts", facts={"wall_left": "many"}) == "bad_facts"
    desk.must("hand_facts", facts={"wall_left": 0})
    desk.must("hand_facts", facts={"wall_left": None})
    assert desk.state.facts == {}


def test_a_kong_in_a_competition_pays_nothing_at_once() -> None:
    desk = opened("gb")
    desk.must("kong", seat=1, meld_kind="kong_open", tile="9s", from_seat=0)
    assert desk.state.totals == (0, 0, 0, 0)
    assert desk.refused("kong", seat=1, meld_kind="kong_open", tile="9s", from_seat=1) == "from_self"


@pytest.mark.parametrize("announced", [1, 9999], ids=["less", "more"])
@pytest.mark.parametrize("ruleset", names())
def test_every_competition_keeps_what_was_announced_before_the_count_is_shown(ruleset: str, announced: int) -> None:
    """Less is settled in 國標 alone, where payments follow the total; elsewhere it is for the referee to rule on."""
    desk, seat = Desk(), 2 if ruleset == "two_player" else 1
    desk.must("open_game", names=NAMES[:2] if seat == 2 else NAMES, ruleset=ruleset, mode="competition")
    if customs_of(ruleset, {}).indicator:
        desk.must("start_hand")
        desk.must("turn_tile", tile="1z")
    desk.must("claim_win", seat=seat, source="self_draw")
    desk.must("hand_manual", **OTHER_HANDS.get(ruleset, FLUSH))
    while asked := [question for question in shown_to(desk, "referee").questions if question.choices]:
        desk.must(**asked[0].choices[-1].command)
    assert shown_to(desk, "referee").waiting_for == "announce"
    assert shown_to(desk, "referee").verdict is None
    assert desk.refused("approve", role="referee") == "announce_first"
    desk.must("announce", points=announced, role="player")
    seen, game = shown_to(desk, "referee"), view(desk).game
    assert game is not None
    assert f"win.announce.{game.figure}" in catalogue("en").texts
    assert (seen.announced, shown_to(desk, "tablet").announced) == (announced, announced)
    assert shown_to(desk, "tablet").verdict is None
    assert seen.verdict is not None
    assert seen.verdict.valid, seen.verdict.reason
    if ruleset == "gb" and announced == 1:
        assert desk.refused("approve", role="referee") == "announced_too_low"
        return
    desk.must("approve", role="referee")
    (win,) = desk.state.won or desk.state.hands[0].outcome.wins
    assert (win.announced, win.total, win.computed) == (announced, seen.verdict.total, seen.verdict.total)
    assert win.payments == seen.verdict.payments


@pytest.mark.parametrize("ruleset", names())
def test_players_of_a_competition_see_and_hear_the_same_of_a_win_as_of_none(ruleset: str) -> None:
    """Birds are turned for a win alone (長沙, 廣東), and less than the minimum is refused of any hand (國標)."""
    told: list[list[object]] = []
    for hand in (
        OTHER_HANDS.get(ruleset, FLUSH),
        {"hand": NOT_READY + "123z" * (ruleset == "fujian"), "win_tile": "5m"},
    ):
        desk, seat = Desk(), 2 if ruleset == "two_player" else 1
        desk.must("open_game", names=NAMES[:2] if seat == 2 else NAMES, ruleset=ruleset, mode="competition")
        if customs_of(ruleset, {}).indicator:
            desk.must("start_hand")
            desk.must("turn_tile", tile="1z")
        desk.must("claim_win", seat=seat, source="self_draw")
        desk.must("hand_manual", **hand)
        for need in (view(desk).hand or pytest.fail("no hand")).needs:
            desk.must(**need.choices[-1].command)
        heard: list[object] = [shown_to(desk, "tablet").waiting_for]
        desk.must("announce", points=1, role="player")
        for other in (0, 3) if seat == 1 else (0,):
            answer = desk.do("agree", seat=other, role="player")
            seen = shown_to(desk, "player")
            sentence = "" if isinstance(answer, Decision) else answer.sentence.text
            heard.append((seen.waiting_for, [question.id for question in seen.questions], seen.agreed, sentence))
        told.append(heard)
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("source", "asked"),
    [("kong_replacement", ["fact:kong_feeder"]), ("self_draw", ["kong_unsaid:1:8m"])],
)
def test_in_a_competition_a_win_is_asked_the_same_as_none(source: str, asked: list[str]) -> None:
    """Its kongs, and circumstances that nobody has told."""
    meld_kind = "kong_open" if source == "kong_replacement" else "kong_concealed"
    for win_tile in ("9p", "1s"):
        desk = Desk()
        desk.must("open_game", names=NAMES, ruleset="sichuan", mode="competition")
        desk.must("claim_win", seat=1, source=source)
        melds = [{"kind": meld_kind, "tiles": "8888m", "from_seat": None}]
        desk.must("hand_manual", hand="123p456p678p9p", melds=melds, win_tile=win_tile)
        seen = shown_to(desk, "player")
        assert ([question.id for question in seen.questions], seen.waiting_for) == (asked, "answers")
        assert desk.refused("agree", seat=0, role="player") == "not_judged"


def test_a_game_that_is_closed_keeps_what_was_paid_at_once() -> None:
    desk = opened("sichuan")
    desk.must("kong", seat=0, meld_kind="kong_open", tile="9s", from_seat=2)
    desk.must("close_game")
    assert desk.state.totals == (6, 0, -6, 0)
    shown = view(desk)
    assert shown.settlement is not None
    assert [(debt.payer, debt.payee, debt.points) for debt in shown.settlement] == [(2, 0, 6)]


def test_names_for_the_wrong_number_of_players() -> None:
    desk = Desk()
    assert desk.refused("open_game", ruleset="gb", names=["Anna", "Ben"]) == "names_wanted"
    assert desk.refused("open_game", ruleset="two_player", names=["Anna", "Ben"], first_dealer=1) == "seat_empty"
    desk.must("open_game", ruleset="two_player", names=list(NAMES))
    assert desk.state.names == ("Anna", "", "Chen", "")


def test_a_kong_that_was_none_is_taken_back_at_any_time() -> None:
    desk = opened("sichuan")
    desk.must("kong", seat=0, meld_kind="kong_open", tile="9s", from_seat=2)
    desk.must("kong", seat=1, meld_kind="kong_concealed", tile="3s")
    assert desk.state.totals == (6 - 12, 36, -6 - 12, -12)
    desk.must("drop_side", index=0)
    assert desk.state.totals == (-12, 36, -12, -12)
    assert desk.refused("drop_side", index=1) == "no_such_side"
    shows: dict[str, Any] = {str(seat): {"hand": hand} for seat, hand in enumerate(UNREADY)}
    desk.must("draw_hand", players={**shows, "1": shown_with_kong("3s")})
    assert desk.state.totals == (0, 0, 0, 0)  # nobody is ready: the kong money goes back
    desk.must("correct_hand", hand_no=1, reason="no kong at all", drop_sides=[0])
    assert desk.state.hands[0].outcome.sides == ()


def test_a_kong_is_paid_once_however_often_it_is_told() -> None:
    desk = opened("sichuan")
    told = {"seat": 0, "meld_kind": "kong_open", "tile": "9s", "from_seat": 2}
    desk.must("kong", **told)
    assert desk.refused("kong", **told) == "fifth_on_table"
    assert desk.refused("kong", **{**told, "seat": 1}) == "fifth_on_table"
    assert desk.state.totals == (6, 0, -6, 0)
    desk.must("drop_side", index=0)
    desk.must("kong", **{**told, "seat": 1})
    assert desk.state.totals == (0, 6, -6, 0)


def test_a_wall_followed_to_the_tile_fills_in_the_last_one() -> None:
    """妙手回春 of 國標: 91 tiles are left after the deal, and all of them are drawn."""
    desk = Desk().open()
    desk.must("dice", values=[4, 3])
    desk.must("dice", values=[5, 2])
    desk.must("tiles_taken", draws=90)
    shown = claim(desk, 1, hand="123456789m23m44z", win_tile="4m")
    assert shown.claim is not None
    assert shown.claim.verdict is not None
    assert "妙手回春" not in names_of(shown)
    desk.must("cancel_claim")
    desk.must("tiles_taken", draws=91)
    assert "妙手回春" in names_of(claim(desk, 1, hand="123456789m23m44z", win_tile="4m"))


def names_of(shown: Snapshot) -> list[str]:
    assert shown.claim is not None
    assert shown.claim.verdict is not None
    return [fan.name for fan in shown.claim.verdict.fans]


def test_one_of_several_wins_is_corrected() -> None:
    """The second winner's hand was no flush: 平胡 6 in place of 24, and who was out by then still pays nothing."""
    desk = opened("sichuan")
    claim(desk, 0, 3)
    desk.must("approve")
    for seat in (1, 2):
        claim(desk, seat, **FLUSHES[seat])
        desk.must("approve")
    assert desk.state.totals == (24, 48, 0, -72)
    plain = {"hand": "789m789m123p456p5p", "win_tile": "5p"}
    desk.must("correct_hand", hand_no=1, reason="two suits", win_no=1, **plain)
    assert desk.state.totals == (24, 12, 18, -54)
    assert [win.seat for win in desk.state.hands[0].outcome.wins] == [0, 1, 2]
    desk.must("undo_last")
    assert desk.state.totals == (24, 48, 0, -72)


def test_the_wins_of_a_hand_are_given_anew() -> None:
    desk = opened("guangdong")
    claim(desk, 0, 3)
    desk.must("approve")
    alone = desk.state.totals
    both = [{"seat": 0, "source": "discard", "from_seat": 3, **FLUSH}]
    both.append({"seat": 1, "source": "discard", "from_seat": 3, **OTHER_FLUSH})
    desk.must("correct_hand", hand_no=1, reason="two had won", wins=both)
    assert desk.state.totals == (alone[0], alone[0], 0, -2 * alone[0])
    assert desk.state.setup is not None
    assert desk.state.setup.dealer == 0


def test_options_may_be_tables_and_lists() -> None:
    points = {"small": [2, 2], "big": [8, 8]}
    desk = opened("changsha", points=points, bird_count=0)
    assert payments(claim(desk, 1)) == (-8, 24, -8, -8)  # 清一色, one big pattern, whoever deals
    assert desk.refused("open_game", ruleset="changsha", options={"points": 3}, names=list(NAMES)) == "game_running"
    assert (
        Desk().refused("open_game", ruleset="changsha", options={"points": 3}, names=list(NAMES)) == "unknown_ruleset"
    )


def test_the_last_tile_is_offered_round() -> None:
    desk = opened("changsha")
    desk.must("sea", seat=2, take=False)
    assert desk.refused("sea", seat=2, take=True) == "sea_not_asked"
    shown = view(desk)
    assert shown.hand is not None
    assert shown.hand.sea_next == 3
    desk.must("sea", seat=3, take=True)
    assert desk.refused("sea", seat=0, take=True) == "sea_not_asked"
    desk.must("draw_hand")
    assert desk.state.setup is not None
    assert desk.state.setup.dealer == 3  # who took it without a win
    desk.must("start_hand")
    for seat in (1, 2, 3, 0):
        desk.must("sea", seat=seat, take=False)
    desk.must("draw_hand")
    assert desk.state.setup.dealer == 1  # all refused: who was asked first
    assert opened("gb").refused("sea", seat=0, take=True) == "not_in_this_game"


def test_a_battle_that_ended_at_the_wall_is_corrected_whole() -> None:
    """Kong money, one win, the empty wall: correcting the win leaves what the wall settled."""
    desk = opened("sichuan")
    desk.must("kong", seat=1, meld_kind="kong_concealed", tile="9s")
    claim(desk, 0, 3)
    desk.must("approve")
    ready = {"hand": "123456789p5s", "melds": [{"kind": "kong_concealed", "tiles": "9999s"}]}
    shows = {"1": ready, "2": {"hand": UNREADY[0]}, "3": {"hand": UNREADY[1]}}
    assert desk.refused("draw_hand") == "draw_shows"
    desk.must("draw_hand", players=shows)
    totals = desk.state.totals
    # kong 12 from each; 清一色 24 from the discarder; at the wall seat 1, ready with a 根, gets 12 from 2 and 3
    assert totals == (24 - 12, 36 + 24, -12 - 12, -12 - 24 - 12)
    plain = {"hand": "123m456p789m123p5m", "win_tile": "5m"}
    desk.must("correct_hand", hand_no=1, reason="two suits", **plain)
    assert desk.state.totals == (6 - 12, 36 + 24, -12 - 12, -12 - 6 - 12)
    assert desk.state.hands[0].outcome.notes["ready"] == {"1": 2}


# --- Sichuan: three tiles passed on, winners who leave ----------------------------------------------------------------


@pytest.mark.parametrize(("die", "step"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_one_die_says_to_whom_three_tiles_go(die: int, step: int) -> None:
    desk = opened("sichuan", huan_san_zhang=True)
    shown = view(desk)
    assert shown.hand is not None
    (question,) = shown.hand.needs
    assert [choice.command["die"] for choice in question.choices] == [1, 3, 5]
    desk.must("exchange", die=die)
    shown = view(desk)
    assert shown.hand is not None
    assert (shown.hand.exchange, shown.hand.needs) == (step, ())
    assert desk.state.totals == (0, 0, 0, 0)
    desk.must("undo_last")
    desk.must("kong", seat=1, meld_kind="kong_concealed", tile="9s")
    assert desk.refused("exchange", die=die) == "dice_not_now"
    assert opened("sichuan").refused("exchange", die=die) == "not_in_this_game"


def test_a_winner_who_leaves_gives_back_what_his_win_brought() -> None:
    desk = opened("sichuan", leave_forfeits=True)
    desk.must("kong", seat=0, meld_kind="kong_concealed", tile="9s")
    assert desk.state.totals == (36, -12, -12, -12)
    assert desk.refused("leave", seat=0) == "not_out"
    kong = [{"kind": "kong_concealed", "tiles": "9999s", "from_seat": None}]
    claim(desk, 0, 3, hand="222m333m555m9m", melds=kong, win_tile="9m")
    desk.must("approve")
    claim(desk, 1, **FLUSHES[1])
    desk.must("approve")
    assert desk.state.totals == (60, 36, -36, -60)  # 對對胡 with 根 24 from seat 3, then 24 from each of 2 and 3
    assert view(desk).hand.actions.count("leave") == 1  # type: ignore[union-attr]
    desk.must("leave", seat=0)
    assert desk.state.totals == (36, 36, -36, -36)  # the 24 of the win; the kong's 36 stay his
    assert desk.refused("leave", seat=0) == "left_already"
    desk.must("leave", seat=1)
    assert desk.state.totals == (36, -12, -12, -12)
    desk.must("undo_last")
    desk.must("draw_hand", players={"2": {"hand": UNREADY[0]}, "3": {"hand": UNREADY[1]}})
    # nobody is ready at the wall; seat 1 keeps his 48
    assert desk.state.totals == (36, 36, -36, -36)
    plain = {"hand": "789m789m123s456s5s", "melds": [], "win_tile": "5s"}
    unshown = {"_kongs_unshown": "0:9s"}  # the kong stays paid
    desk.must("correct_hand", hand_no=1, reason="two suits", win_no=0, facts=unshown, **plain)
    assert desk.state.totals == (36, 36, -36, -36)  # 6 instead of 24, and 6 given back
    assert [side.payments for side in desk.state.hands[0].outcome.sides if side.what == "leave"] == [(-6, 0, 0, 6)]
    assert opened("sichuan").refused("leave", seat=0) == "not_in_this_game"


@pytest.mark.parametrize("self_draw", ["none", "plus_base", "plus_fan"])
def test_giving_back_undoes_a_win_whatever_a_self_draw_adds(self_draw: str) -> None:
    desk = opened("sichuan", leave_forfeits=True, self_draw=self_draw)
    claim(desk, 2)
    desk.must("approve")
    assert desk.state.totals[2] > 0
    desk.must("leave", seat=2)
    assert desk.state.totals == (0, 0, 0, 0)


def test_battles_end_by_every_exit() -> None:
    """After a first win: the third winner, the empty wall, a void hand, the game that is closed."""
    for end in ("third", "wall", "void", "closed"):
        desk = opened("sichuan")
        claim(desk, 0, 3)
        desk.must("approve")
        assert desk.state.started
        paid = desk.state.totals
        assert paid == (24, 0, 0, -24)
        if end == "third":
            for seat in (1, 2):
                claim(desk, seat, **FLUSHES[seat])
                desk.must("approve")
            assert desk.state.totals == (24, 48, 0, -72)
        elif end == "wall":
            desk.must("draw_hand", players={str(seat): {"hand": UNREADY[seat - 1]} for seat in (1, 2, 3)})
            assert desk.state.totals == paid
        elif end == "void":
            desk.must("draw_hand", void=True)
            assert desk.state.totals == (0, 0, 0, 0)
        else:
            desk.must("close_game", reason="late")
            assert desk.state.totals == paid
        assert not desk.state.started
        assert desk.state.won == ()
        assert sum(desk.state.totals) == 0
        desk.must("undo_last")
        assert desk.state.started
        assert desk.state.out[0] == 0

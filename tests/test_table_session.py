"""A hand from the seats to the points: who may do what, when, and what it moves."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from table.audience import document, for_role, public
from table.commands import CommandError, parse_command
from table.judging import judge_claim
from table.model import LaidHand
from table.rulebook import Circumstances, open_rulebook
from table.session import wrong_thrower
from table.state import Claim, add_up, claim_order
from table.view import Live, snapshot
from tests.table_kit import CHICKEN, NAMES, ORPHANS, PAIRS, STRAIGHT, Desk, PennyRules, penny_books


def view(desk: Desk) -> Mapping[str, object]:
    return document(snapshot(desk.state, Live(), open_rulebook("gb", {})))


def test_a_whole_friendly_hand() -> None:
    desk = Desk().open()
    assert desk.state.phase == "seated"
    desk.must("dice", values=[4, 3])
    assert desk.state.phase == "dice"
    desk.must("dice", values=[5, 2])
    assert desk.state.phase == "playing"
    assert [throw.by for throw in desk.state.dice] == [0, 2]
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    assert desk.state.phase == "claimed"
    desk.must("hand_manual", **STRAIGHT)
    assert desk.state.phase == "judged"
    assert desk.state.totals == (0, 0, 0, 0)
    desk.must("agree", seat=3)
    desk.must("agree", seat=0)
    assert desk.state.totals == (0, 0, 0, 0)
    desk.must("agree", seat=2)
    # 24 points off a discard: the discarder pays 8+24, the others 8 each
    assert desk.state.totals == (-8, 48, -32, -8)
    assert desk.state.phase == "settled"
    assert desk.state.setup is not None
    assert (desk.state.setup.hand_no, desk.state.setup.dealer) == (2, 1)


def test_one_approval_settles_a_friendly_hand() -> None:
    desk = Desk().open()
    desk.win(0, **PAIRS)
    # 25 points self-drawn: each pays 8+25
    assert desk.state.totals == (99, -33, -33, -33)


def test_points_wait_for_the_referee_in_a_competition() -> None:
    desk = Desk().open(mode="competition")
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    desk.must("hand_manual", **STRAIGHT)
    assert desk.refused("agree", seat=0) == "announce_first"
    assert desk.refused("approve", role="referee") == "announce_first"
    desk.must("announce", points=24, role="player")
    assert desk.refused("announce", points=88, role="player") == "announced_already"
    for seat in (0, 2, 3):
        desk.must("agree", seat=seat)
    assert desk.state.phase == "agreed"
    assert desk.state.totals == (0, 0, 0, 0)
    assert desk.refused("approve", role="tablet") == "referee_only"
    assert desk.refused("undo_last", role="player") == "referee_only"
    desk.must("approve", role="referee")
    assert desk.state.totals == (-8, 48, -32, -8)


@pytest.mark.parametrize(
    ("announced", "settled", "paid"),
    [(24, 24, (-8, 48, -32, -8)), (20, 20, (-8, 44, -28, -8)), (88, 24, (-8, 48, -32, -8))],
)
def test_what_was_announced_counts_if_it_is_less(announced: int, settled: int, paid: tuple[int, ...]) -> None:
    desk = Desk().open(mode="competition")
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    desk.must("hand_manual", **STRAIGHT)
    desk.must("announce", points=announced)
    claim = for_role(snapshot(desk.state, Live(), open_rulebook("gb", {})), "referee").claim
    assert claim is not None
    assert claim.verdict is not None
    assert (claim.announced, claim.verdict.total, claim.verdict.payments) == (announced, 24, paid)
    desk.must("approve", role="chief")
    outcome = desk.state.hands[0].outcome
    assert (outcome.announced, outcome.computed, outcome.total) == (announced, 24, settled)
    assert desk.state.totals == paid


def test_an_announcement_below_the_minimum_is_no_win() -> None:
    desk = Desk().open(mode="competition")
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    desk.must("hand_manual", **STRAIGHT)
    desk.must("announce", points=6)
    assert desk.refused("approve", role="referee") == "announced_too_low"


def test_the_computed_value_is_hidden_in_a_competition() -> None:
    desk = Desk().open(mode="competition")
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    desk.must("hand_manual", **STRAIGHT)
    whole = snapshot(desk.state, Live(), open_rulebook("gb", {}))
    assert whole.claim is not None
    assert whole.claim.verdict is not None
    for role in ("viewer", "player", "tablet", "referee", "chief"):
        shown = for_role(whole, role).claim
        assert shown is not None
        assert shown.verdict is None
        assert all(candidate.total is None for candidate in shown.candidates)
    desk.must("announce", points=20)
    whole = snapshot(desk.state, Live(), open_rulebook("gb", {}))
    referee, public_view = for_role(whole, "referee").claim, public(whole).claim
    assert referee is not None
    assert public_view is not None
    assert referee.verdict is not None
    assert public_view.verdict is None
    assert public_view.announced == 20
    desk.must("approve", role="referee")
    whole = snapshot(desk.state, Live(), open_rulebook("gb", {}))
    assert whole.history[0].computed == 24
    assert public(whole).history[0].computed is None
    assert (whole.history[0].wins[0].computed, public(whole).history[0].wins[0].computed) == (24, 20)
    assert public(whole).history[0].total == 20
    desk.must("correct_hand", role="referee", hand_no=1, reason="a wrong wall", outcome="void")
    whole = snapshot(desk.state, Live(), open_rulebook("gb", {}))
    told, publicly = whole.history[0].told, public(whole).history[0].told
    assert (told[0].computed, publicly[0].computed, publicly[0].fans) == (24, 20, ())


def test_whether_it_is_a_win_is_told_to_the_referee_alone() -> None:
    """A hand below the minimum: nobody is told so before the points are announced, and then only the referee is."""
    desk = Desk().open(mode="competition")
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    desk.must("hand_manual", **CHICKEN)
    assert desk.refused("agree", seat=0) == desk.refused("approve", role="referee") == "announce_first"
    desk.must("announce", points=8)

    def waits(role: str) -> str:
        claim = for_role(snapshot(desk.state, Live(), open_rulebook("gb", {})), role).claim
        assert claim is not None
        return claim.waiting_for

    assert (waits("tablet"), waits("referee")) == ("agree", "referee")
    for seat in (0, 2, 3):
        desk.must("agree", seat=seat)
    assert (waits("tablet"), desk.state.totals) == ("referee", (0, 0, 0, 0))
    assert desk.refused("approve", role="referee") == "not_a_win"
    desk.must("reject", reason="7", false_win=True, role="referee")
    assert desk.state.totals == (10, -30, 10, 10)


def test_friendly_screens_hide_nothing() -> None:
    desk = Desk().open()
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    desk.must("hand_manual", **STRAIGHT)
    whole = snapshot(desk.state, Live(), open_rulebook("gb", {}))
    assert public(whole) == whole
    assert desk.refused("announce", points=24) == "announce_friendly"


def test_the_seat_nearest_to_the_discarder_is_heard_first() -> None:
    desk = Desk().open()
    desk.must("start_hand")
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    desk.must("hand_manual", **STRAIGHT)
    desk.must("claim_win", seat=3, source="discard", from_seat=2)
    assert [claim.seat for claim in desk.state.claims] == [3, 1]
    assert desk.state.phase == "claimed"
    desk.must("cancel_claim", seat=3)
    # the first claimant's hand was kept
    assert desk.state.phase == "judged"
    desk.must("approve")
    assert desk.state.totals == (-8, 48, -32, -8)


def test_a_held_claim_waits_for_every_desk_and_cannot_pay() -> None:
    desk = Desk().open()
    desk.must("start_hand")
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    desk.must("hand_manual", **STRAIGHT)
    desk.must("hold_claim")
    assert snapshot(desk.state, Live(), open_rulebook("gb", {})).claims[0].held
    assert desk.refused("approve") == "claim_held"
    assert desk.refused("agree", seat=0) == "claim_held"
    desk.must("hold_claim", seat=1, held=False)
    desk.must("approve")
    assert desk.state.totals == (-8, 48, -32, -8)
    assert desk.refused("hold_claim") == "no_claim"


def test_claim_order_counts_from_the_discarder() -> None:
    claims = [Claim(seat=seat, source="discard", from_seat=1) for seat in (0, 3, 2)]
    assert [claim.seat for claim in claim_order(claims)] == [2, 3, 0]
    drawn = Claim(seat=3, source="self_draw")
    assert [claim.seat for claim in claim_order([drawn, *claims])] == [3, 2, 3, 0]


def test_who_may_go_before_another_is_asked_before_that_one_is_paid() -> None:
    """Two say 和 on one discard; of the nearer one nobody has said yet how the tile came."""
    desk = Desk().open()
    desk.must("start_hand")
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    desk.must("hand_manual", **STRAIGHT)
    desk.must("claim_win", seat=3)
    assert [claim.seat for claim in desk.state.claims] == [3, 1]
    assert desk.refused("approve") == "not_judged"
    assert desk.refused("agree", seat=0) == "not_judged"
    desk.must("set_facts", source="discard", from_seat=2)
    assert [claim.seat for claim in desk.state.claims] == [3, 1]
    desk.must("cancel_claim", seat=3)
    desk.must("approve")
    assert desk.state.totals == (-8, 48, -32, -8)


@pytest.mark.parametrize(
    ("seats", "first", "order"),
    [
        ((1, 3), None, [3, 1]),  # the nearer one of whom nothing is said
        ((3, 1), None, [3, 1]),  # the farther one
        ((1, 0), None, [0, 1]),
        ((1, 2), None, [1, 2]),  # nobody wins on his own discard
        ((3, 1), 0, [1, 3]),  # counted from the dealer
        ((0, 3), 0, [0, 3]),
        ((3, 2, 0), 0, [0, 3, 2]),
    ],
)
def test_claims_of_which_the_source_is_not_said_yet(seats: list[int], first: int | None, order: list[int]) -> None:
    """The first one is on a discard of seat 2, of the others nothing is said."""
    claims = [
        Claim(seat=seat, source=None if place else "discard", from_seat=None if place else 2)
        for place, seat in enumerate(seats)
    ]
    assert [claim.seat for claim in claim_order(claims, first)] == order
    pressed = claims[1:] + claims[:1]
    assert [claim.seat for claim in claim_order(pressed, first)][: len(claims) - 1] == [one.seat for one in claims[1:]]


def test_a_false_win_pays_at_once_and_the_hand_goes_on() -> None:
    desk = Desk().open()
    desk.must("start_hand")
    desk.must("claim_win", seat=2, source="self_draw")
    desk.must("hand_manual", **CHICKEN)
    assert desk.state.claim is not None
    assert desk.state.claim.verdict is not None
    assert desk.state.claim.verdict.reason == "below_minimum"
    assert desk.refused("approve") == "not_a_win"
    assert desk.refused("agree", seat=1) == "not_a_win"
    desk.must("reject", reason="錯和", false_win=True)
    assert desk.state.totals == (10, 10, -30, 10)
    assert desk.state.phase == "playing"
    assert desk.refused("claim_win", seat=2, source="self_draw") == "seat_dead"
    desk.win(1, from_seat=2, **STRAIGHT)
    assert desk.state.totals == (2, 58, -62, 2)
    desk.must("claim_win", seat=2, source="self_draw")  # a new hand: everybody may win again


def test_a_referee_sets_what_a_false_win_costs() -> None:
    desk = Desk().open(mode="competition")
    desk.must("claim_win", seat=0, source="self_draw")
    assert desk.refused("reject", reason="詐和", false_win=True, each=20) == "referee_only"
    desk.must("reject", role="referee", reason="詐和", false_win=True, each=20)
    assert desk.state.totals == (-60, 20, 20, 20)
    desk.must("claim_win", seat=1, source="self_draw")
    desk.must("reject", role="referee", reason="unclear", false_win=False)
    assert desk.state.totals == (-60, 20, 20, 20)
    assert desk.state.dead_seats() == {0}


@pytest.mark.parametrize(
    ("kind", "fields", "key"),
    [
        ("dice", {"values": [3, 3]}, "no_game"),
        ("claim_win", {"seat": 0}, "no_game"),
        ("undo_last", {}, "no_game"),
        ("close_call", {"id": "c9"}, "no_such_call"),
        ("open_game", {"names": ["a", "b", "a", "d"]}, "same_names"),
        ("open_game", {"names": list(NAMES), "ruleset": "bridge"}, "unknown_ruleset"),
        ("open_game", {"names": list(NAMES), "options": {"minimum": -3}}, "unknown_ruleset"),
        ("walls", {"stacks": [18, 18, 18, 17], "tiles": 144}, "bad_walls"),
    ],
)
def test_refusals_before_a_game(kind: str, fields: dict[str, object], key: str) -> None:
    desk = Desk()
    assert desk.refused(kind, **fields) == key
    assert desk.entries == []


@pytest.mark.parametrize(
    ("kind", "fields", "key"),
    [
        ("claim_win", {"seat": 1, "source": "discard"}, "no_feeder"),
        ("claim_win", {"seat": 1, "source": "discard", "from_seat": 1}, "from_self"),
        ("claim_win", {"seat": 1, "source": "self_draw", "from_seat": 2}, "feeder_not_wanted"),
        ("hand_manual", STRAIGHT, "no_claim"),
        ("fix_tile", {"index": 0, "tile": "1m"}, "no_claim"),
        ("set_facts", {"last_tile": True}, "no_claim"),
        ("agree", {"seat": 1}, "no_claim"),
        ("approve", {}, "no_claim"),
        ("cancel_claim", {}, "no_claim"),
        ("draw_hand", {}, "settle_first"),
        ("correct_hand", {"hand_no": 1, "reason": "x"}, "no_such_hand"),
        ("dice", {"values": [3]}, "dice_count"),
        ("void_dice", {"roll": "9"}, "unknown_roll"),
        ("undo_last", {}, "nothing_to_undo"),
    ],
)
def test_refusals_between_hands(kind: str, fields: dict[str, object], key: str) -> None:
    desk = Desk().open()
    assert desk.refused(kind, **fields) == key
    assert len(desk.entries) == 1


def test_refusals_while_a_claim_is_open() -> None:
    desk = Desk().open()
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    assert desk.refused("claim_win", seat=1, source="self_draw") == "already_claimed"
    assert desk.refused("draw_hand") == "claims_open"
    assert desk.refused("start_hand") == "hand_running"
    assert desk.refused("dice", values=[1, 1]) == "dice_not_now"
    assert desk.refused("approve") == "not_judged"
    assert desk.refused("agree", seat=1) == "own_claim"
    assert desk.refused("fix_tile", index=0, tile="1m") == "no_picture"
    assert desk.refused("hand_manual", hand="11111m", win_tile="2m") == "bad_tiles"
    assert desk.refused("hand_manual", hand="12m8z", win_tile="2m") == "bad_tiles"
    assert desk.refused("open_game", names=list(NAMES)) == "game_running"


def test_a_picture_is_fixed_by_taps() -> None:
    desk = Desk().open()
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    desk.show(1, ["123456789m23m44z", "5m"], doubts={4: "unreadable"})
    assert desk.state.phase == "read"
    assert desk.refused("fix_tile", index=14, tile="1m") == "no_such_tile"
    desk.must("fix_tile", index=4, tile="5m")
    assert desk.state.claim is not None
    assert desk.state.claim.verdict is not None
    assert desk.state.claim.verdict.reason == "shape"
    desk.must("fix_tile", index=13, tile="4m")
    assert desk.state.claim.verdict.total == 24
    desk.must("agree", seat=0)
    desk.must("fix_tile", index=13, tile="1m")
    # whoever agreed to another hand has not agreed to this one
    assert desk.state.claim.agreed == ()
    assert desk.state.claim.tiles[13].tile == "5m"


def test_the_winning_tile_is_asked_only_if_it_matters() -> None:
    desk = Desk().open()
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    # seven pairs: whichever tile won, it is a pair wait, so nothing is asked
    desk.show(1, ["11223344556677z"[:14] + "z"])
    assert desk.state.phase == "judged"
    # a straight: 3m closes an edge, 4m an open wait; the value differs, so it is asked
    desk.show(1, ["12345689m55z234p", "7m"])
    assert desk.state.phase == "judged"
    desk.show(1, ["123456789m55z234p"])
    assert desk.state.phase == "read"
    assert desk.state.claim is not None
    assert desk.state.setup is not None
    judged = judge_claim(desk.state.claim, desk.state.setup, open_rulebook("gb", {}))
    assert [question.id for question in judged.questions] == ["win_tile"]
    totals = {candidate.tile: candidate.total for candidate in judged.candidates}
    assert len(set(totals.values())) > 1
    choice = next(one for one in judged.questions[0].choices if one.tile == "7m")
    desk.must(**choice.command)
    assert desk.state.claim.verdict is not None
    assert desk.state.claim.verdict.total == totals["7m"]


def test_an_added_kong_is_asked_only_if_it_matters() -> None:
    rows = ["2223477m", "8m", "9999s", "123p"]

    def added_is_dearer(laid: LaidHand, how: Circumstances) -> int:
        del how
        return 2 if laid.melds[0].kind == "kong_added" else 1

    same, differs = Desk(books=penny_books()), Desk(books=penny_books(PennyRules(value=added_is_dearer)))
    for desk in (same, differs):
        desk.open()
        desk.must("claim_win", seat=1, source="self_draw")
        desk.show(1, rows)
    assert same.state.phase == "judged"
    assert differs.state.phase == "read"
    differs.must("set_meld", group=2, meld_kind="kong_added")
    assert differs.state.claim is not None
    assert differs.state.claim.verdict is not None
    assert differs.state.claim.verdict.total == 2
    assert differs.refused("set_meld", group=3, meld_kind="peng") == "not_a_meld"
    assert differs.refused("set_meld", group=9, meld_kind="peng") == "no_such_group"


def test_how_the_groups_lie_is_asked_only_if_it_matters() -> None:
    rows = ["123m", "456p", "789s", "111z", "5z", "5z"]

    def closed_is_dearer(laid: LaidHand, how: Circumstances) -> int:
        del how
        return 1 if laid.melds else 5

    desk = Desk(books=penny_books(PennyRules(value=closed_is_dearer))).open()
    desk.must("claim_win", seat=1, source="self_draw")
    desk.show(1, rows)
    assert desk.state.phase == "read"
    desk.must("set_layout", melds=False)
    assert desk.state.claim is not None
    assert desk.state.claim.verdict is not None
    assert desk.state.claim.verdict.total == 5
    desk.must("set_layout", melds=True)
    assert desk.state.claim.verdict.total == 1


def test_a_seat_button_leaves_the_source_open() -> None:
    desk = Desk().open()
    desk.must("claim_win", seat=1, role="device")
    desk.must("hand_manual", **STRAIGHT)
    assert desk.state.phase == "read"
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    assert desk.state.phase == "judged"
    assert len(desk.state.claims) == 1
    desk.must("set_facts", source="self_draw")
    assert desk.state.claim is not None
    assert desk.state.claim.from_seat is None
    assert desk.state.claim.verdict is not None
    # 清龙 16 混一色 6 不求人 4 = 26 self-drawn
    assert desk.state.claim.verdict.total == 26


def test_circumstances_count() -> None:
    desk = Desk().open()
    desk.must("claim_win", seat=1, source="self_draw")
    desk.must("hand_manual", **STRAIGHT)
    assert desk.state.claim is not None
    before = desk.state.claim.verdict
    desk.must("set_facts", last_tile=True)
    after = desk.state.claim.verdict
    assert before is not None
    assert after is not None
    # 妙手回春 8 for the last tile of the wall
    assert after.total == before.total + 8
    assert "妙手回春" in {fan.name for fan in after.fans}


def test_a_correction_moves_the_points_and_names_every_change() -> None:
    desk = Desk().open()
    desk.win(1, from_seat=2, **STRAIGHT)
    desk.draw()
    desk.win(3, **PAIRS)
    assert desk.state.totals == (-8 - 33, 48 - 33, -32 - 33, -8 + 99)
    seq = desk.state.seq
    preview = desk.must("correct_hand", hand_no=1, reason="it was seat 3", from_seat=3, preview=True)
    assert desk.state.seq == seq
    assert [(one.hand_no, one.before.payments, one.after.payments) for one in preview.changes] == [
        (1, (-8, 48, -32, -8), (-8, 48, -8, -32))
    ]
    desk.must("correct_hand", hand_no=1, reason="it was seat 3", from_seat=3)
    assert desk.state.totals == (-8 - 33, 48 - 33, -8 - 33, -32 + 99)
    first = desk.state.hands[0]
    assert (first.corrected, first.reason) == (True, "it was seat 3")
    assert desk.refused("correct_hand", hand_no=1, reason="x", from_seat=3) == "nothing_changes"
    assert desk.refused("correct_hand", hand_no=1, reason="x", from_seat=1) == "from_self"
    assert desk.refused("correct_hand", hand_no=2, reason="x", outcome="win") == "incomplete_win"
    assert desk.refused("correct_hand", hand_no=1, reason="x", **CHICKEN) == "not_a_win"
    assert desk.refused("correct_hand", hand_no=9, reason="x", outcome="draw") == "no_such_hand"


def test_a_draw_can_become_a_win_and_a_draw_again() -> None:
    desk = Desk().open()
    desk.draw()
    desk.must(
        "correct_hand",
        hand_no=1,
        reason="overlooked",
        outcome="win",
        winner=0,
        source="discard",
        from_seat=1,
        **ORPHANS,
    )
    # 88 off a discard: 96 from the discarder, 8 from the others
    assert desk.state.totals == (112, -96, -8, -8)
    desk.must("correct_hand", hand_no=1, reason="it was a draw", outcome="draw")
    assert desk.state.totals == (0, 0, 0, 0)


def test_a_correction_deals_the_later_hands_anew() -> None:
    """Penny rules: the dealer stays after winning and is paid double. Hand 1 was not won by the dealer after all."""
    desk = Desk(books=penny_books()).open()
    hand = {"hand": "123456789m23m44z", "win_tile": "4m"}
    desk.win(0, **hand)  # dealer 0 wins 2 from each: +6 -2 -2 -2, and stays
    desk.win(2, from_seat=0, **hand)  # the dealer pays double: -2 +2; then seat 1 deals
    desk.win(3, from_seat=2, **hand)  # 1 penny
    assert desk.state.totals == (4, -2, -1, -1)
    assert desk.state.setup is not None
    assert desk.state.setup.dealer == 2
    desk.must("correct_hand", hand_no=1, reason="seat 1 won it", winner=1)
    # hand 1: seat 1 drew it: the dealer pays 2, the others 1 each: -2 +4 -1 -1; seat 1 deals hand 2
    # hand 2: seat 2 from seat 0, the dealer (1) is not concerned: -1 +1; seat 2 deals hand 3
    # hand 3: seat 3 from the dealer 2: double: -2 +2; seat 3 deals hand 4
    assert desk.state.totals == (-3, 4, -2, 1)
    assert desk.state.setup.dealer == 3
    assert [played.setup.dealer for played in desk.state.hands] == [0, 1, 2]
    changed = desk.entries[-1].event
    assert [one.hand_no for one in changed.changes] == [1, 2, 3]  # type: ignore[union-attr]
    desk.must("correct_hand", hand_no=1, reason="no, it was seat 0", winner=0)
    assert desk.state.totals == (4, -2, -1, -1)
    assert desk.state.setup.dealer == 2


def test_a_throw_out_of_turn_is_kept_and_named() -> None:
    desk = Desk().open()
    assert wrong_thrower(desk.state) is None
    desk.must("dice", values=[4, 3], by=0)
    desk.must("dice", values=[1, 1], by=1)  # 7: it was seat 2's turn
    assert wrong_thrower(desk.state) == (1, 2)
    assert desk.state.phase == "playing"
    other = Desk().open(first_dealer=3)
    other.must("dice", values=[2, 2], by=0)
    assert wrong_thrower(other.state) == (0, 3)


def test_undo_goes_back_step_by_step() -> None:
    desk = Desk().open()
    states = [desk.state]
    for kind, fields in (
        ("dice", {"values": [4, 3]}),
        ("dice", {"values": [5, 2]}),
        ("claim_win", {"seat": 1, "source": "discard", "from_seat": 2}),
        ("hand_manual", STRAIGHT),
        ("agree", {"seat": 0}),
        ("approve", {}),
        ("correct_hand", {"hand_no": 1, "reason": "x", "from_seat": 3}),
    ):
        desk.must(kind, **fields)  # type: ignore[arg-type]
        states.append(desk.state)
    for before in reversed(states[:-1]):
        desk.must("undo_last", reason="slip")
        assert desk.state.totals == before.totals
        assert desk.state.phase == before.phase
        assert desk.state.claims == before.claims
        assert desk.state.dice == before.dice
    assert desk.refused("undo_last") == "nothing_to_undo"


def test_undo_keeps_what_others_reported_meanwhile() -> None:
    desk = Desk().open()
    desk.must("start_hand")
    desk.must("call_referee", seat=3, reason="張數")
    desk.must("walls", stacks=[18, 18, 18, 18], tiles=144)
    desk.must("undo_last")
    assert desk.state.phase == "seated"
    assert len(desk.state.calls) == 1
    assert desk.state.walls is not None
    desk.must("close_call", id=desk.state.calls[0].id)
    assert desk.state.calls == ()


def test_a_seat_that_calls_again_and_again_is_told_to_wait() -> None:
    desk = Desk().open()
    for number in range(5):
        desk.must("call_referee", seat=3, reason=str(number))
    assert desk.refused("call_referee", seat=3) == "called_often"
    desk.must("call_referee", seat=2)
    desk.must("call_referee", seat=3, role="referee")
    for call in desk.state.calls[-3:]:
        desk.must("close_call", id=call.id)
    desk.must("call_referee", seat=3)


def test_a_cocked_die_is_thrown_again() -> None:
    desk = Desk().open()
    desk.must("dice", values=[4, 3], roll="a.1", source="table")
    desk.must("dice", values=[4, 3], roll="a.1", source="table")
    assert len(desk.state.dice) == 1
    desk.must("void_dice", roll="a.1")
    assert desk.state.phase == "seated"
    desk.must("dice", values=[1, 1], roll="a.2", source="table")
    desk.must("dice", values=[2, 2], by=3, roll="a.3", source="table")
    assert desk.state.phase == "playing"
    assert [throw.by for throw in desk.state.dice] == [0, 3]
    desk.must("void_dice", roll="a.3")
    assert desk.state.phase == "dice"


def test_a_game_ends_and_another_begins() -> None:
    desk = Desk().open()
    desk.win(1, from_seat=2, **STRAIGHT)
    desk.must("close_game", reason="late")
    assert desk.state.finished
    assert desk.refused("claim_win", seat=0, source="self_draw") == "game_finished"
    desk.must("correct_hand", hand_no=1, reason="x", from_seat=3)
    assert desk.state.totals == (-8, 48, -8, -32)
    desk.open()
    assert desk.state.totals == (0, 0, 0, 0)
    assert desk.state.history == ()


def test_names_follow_the_players_when_they_change_seats() -> None:
    desk = Desk().open(rotate_seats=True)
    for _ in range(4):
        desk.draw()
    # after the East round E and S change places, and W and N
    assert desk.state.setup is not None
    assert [desk.state.names[player] for player in desk.state.setup.seating] == ["Ben", "Anna", "Dora", "Chen"]
    desk.must("rename_seats", names=["Bea", "Anna", "Dora", "Chen"])
    assert desk.state.names == ("Anna", "Bea", "Chen", "Dora")
    assert desk.refused("rename_seats", names=["A", "A", "B", "C"]) == "same_names"
    desk.win(0, **PAIRS)
    assert desk.state.totals == (-33, 99, -33, -33)


def test_the_scoreboard() -> None:
    desk = Desk().open()
    desk.win(1, from_seat=2, **STRAIGHT)
    desk.must("dice", values=[4, 3])
    seats = view(desk)["seats"]
    assert [one["wind"] for one in seats] == ["N", "E", "S", "W"]  # type: ignore[attr-defined]
    assert [one["diff_to_leader"] for one in seats] == [-56, 0, -80, -56]  # type: ignore[attr-defined]
    assert [one["last_change"] for one in seats] == [-8, 48, -32, -8]  # type: ignore[attr-defined]
    desk.must("penalise", seat=0, code="warning", role="referee")  # it moves nothing
    assert [one["last_change"] for one in view(desk)["seats"]] == [-8, 48, -32, -8]  # type: ignore[attr-defined]
    assert view(desk)["dice_next"] == {"by": 3, "why": "break2"}
    assert view(desk)["round"] == {"wind": "E", "hand_no": 2, "dealer": 1, "finished": False, "hands": 16}
    assert add_up(desk.state.history) == desk.state.totals


@pytest.mark.parametrize("field", ["name", "device"])
@pytest.mark.parametrize("text", ["Anna\u202eb", "line\nbreak", "a" * 101])
def test_who_acts_has_a_name_that_pages_can_show(field: str, text: str) -> None:
    document = {"kind": "start_hand", "idem": "1", "actor": {"role": "tablet", field: text}}
    with pytest.raises(CommandError, match=r"^actor(:| holds) "):
        parse_command(document)
    document["actor"] = {"role": "tablet", field: "Anna 安娜 👩\u200d🦰"}
    assert parse_command(document).actor.role == "tablet"


def test_undo_of_the_last_agreement_is_of_the_hand_that_it_settled() -> None:
    desk = Desk().open(ruleset="gb")
    desk.must("claim_win", seat=1, source="discard", from_seat=2)
    desk.must("hand_manual", **STRAIGHT)
    desk.must("agree", seat=0)
    told = view(desk)
    assert (told["undo"], told["undo_pays"]) == ("seat_agreed", (0, 0, 0, 0))
    desk.must("agree", seat=2)
    desk.must("agree", seat=3)
    assert desk.state.undo[-1].kind == "seat_agreed"
    told = view(desk)
    assert (told["undo"], told["undo_pays"]) == ("hand_settled", (8, -48, 32, 8))
    desk.must("undo_last")
    assert (view(desk)["undo"], desk.state.totals) == ("seat_agreed", (0, 0, 0, 0))


def test_undo_of_a_win_after_which_play_goes_on_is_of_the_win() -> None:
    desk = Desk().open(ruleset="sichuan")
    desk.must("start_hand")
    desk.must("claim_win", seat=1, source="self_draw")
    desk.must("hand_manual", hand="123456789m123m5m", win_tile="5m")
    for seat in (0, 2, 3):
        desk.must("agree", seat=seat)
    told = view(desk)
    assert told["undo"] == "wins_paid"
    assert told["undo_pays"] == (24, -72, 24, 24)


def test_undo_of_a_battles_end_leaves_the_wins_before_it() -> None:
    desk = Desk().open(ruleset="sichuan")
    desk.must("start_hand")
    desk.must("claim_win", seat=3, source="discard", from_seat=1)
    desk.must("hand_manual", hand="123456789p123p5p", win_tile="5p")
    desk.must("approve")
    hands = ("1479m148p1369s22p", "1479m69p13689s22s", "258m46p3558s4477m")
    desk.must("draw_hand", players={str(seat): {"hand": hand} for seat, hand in enumerate(hands)})
    told = view(desk)
    assert (told["undo"], told["undo_won"]) == ("hand_settled", 1)
    assert len(desk.state.hands[-1].outcome.wins) == 1
    desk.must("undo_last")
    told = view(desk)
    assert (told["undo"], told["undo_won"], len(desk.state.won)) == ("wins_paid", 0, 1)

"""Penalties, substitutes, and who pays whom at the end of an evening."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.bundle_summary import HandStory, summary
from table.export import as_csv, as_json
from table.ledger import Link
from table.penalties import penalty_list
from table.rulebook import open_rulebook
from table.settle_up import settle_up
from table.sheet import sheet_of
from table.snapshot import Snapshot
from table.stays import name_at, shares
from table.view import Live, snapshot
from tests.table_kit import PAIRS, Desk
from webui.texts import catalogue


def view(desk: Desk) -> Snapshot:
    return snapshot(desk.state, Live(), open_rulebook("gb", {}))


# --- penalties ------------------------------------------------------------------------------------------------------


def test_a_penalty_is_paid_to_the_others_and_can_be_lifted() -> None:
    desk = Desk().open()
    desk.must("penalise", seat=2, code="false_win")
    assert desk.state.totals == (10, 10, -30, 10)
    row = view(desk).history[-1]
    assert (row.outcome, row.winner, row.code, row.lifted) == ("penalty", 2, "false_win", False)
    desk.must("lift_penalty", id=row.id, reason="it was valid")
    assert desk.state.totals == (0, 0, 0, 0)
    lifted = view(desk).history[-1]
    assert lifted.lifted
    assert (lifted.payments, lifted.totals_after) == ((0, 0, 0, 0), (0, 0, 0, 0))  # a page adds up what the rows say
    assert desk.refused("lift_penalty", id=row.id) == "no_such_penalty"
    desk.must("undo_last")
    assert desk.state.totals == (10, 10, -30, 10)


def test_a_false_win_of_another_player_at_the_same_place_is_not_taken_back() -> None:
    """A page that has missed an undo and a new false win still shows the old row."""
    desk = Desk().open()
    desk.must("claim_win", seat=1, source="self_draw")
    desk.must("claim_win", seat=3, source="self_draw")
    desk.must("reject", reason="none", false_win=True)
    old = view(desk).history[0]
    desk.must("undo_last")
    desk.must("cancel_claim", seat=1)
    desk.must("reject", reason="none", false_win=True)
    assert view(desk).history[0].id == old.id
    assert desk.refused("lift_penalty", id=old.id, seat=old.winner) == "told_meanwhile"
    assert desk.state.totals == (10, 10, 10, -30)
    desk.must("lift_penalty", id=old.id, seat=3)
    assert desk.state.totals == (0, 0, 0, 0)


def test_a_false_win_is_taken_back_however_long_ago_it_was() -> None:
    """Its points return, in the hand being played its player may win again, and no correction brings it back."""
    desk = Desk().open()
    for seat in (1, 3):
        desk.must("claim_win", seat=seat, source="self_draw")
        desk.must("reject", reason="it was one after all", false_win=True)
    assert desk.state.totals == (20, -20, 20, -20)
    assert desk.state.dead_seats() == {1, 3}
    first, second = view(desk).history
    desk.must("lift_penalty", id=first.id, reason="misread")
    assert (desk.state.totals, desk.state.dead_seats()) == ((10, 10, 10, -30), {3})
    assert desk.refused("lift_penalty", id=first.id) == "no_such_penalty"
    desk.win(1, **PAIRS)
    desk.win(0, **PAIRS)
    before = desk.state.totals
    desk.must("lift_penalty", id=second.id, reason="misread too")
    assert [now - was for now, was in zip(desk.state.totals, before, strict=True)] == [-10, -10, -10, 30]
    rows = view(desk).history
    assert [(row.lifted, row.payments) for row in rows[:2]] == [(True, (0, 0, 0, 0))] * 2
    preview = desk.must("correct_hand", hand_no=1, reason="r", winner=2, preview=True)
    assert preview.rows == ()
    desk.must("correct_hand", hand_no=1, reason="r", winner=2)
    assert [row.payments for row in view(desk).history[:2]] == [(0, 0, 0, 0)] * 2
    desk.must("undo_last")
    desk.must("undo_last")
    assert desk.state.totals == before


def test_a_penalty_that_comes_off_is_paid_to_nobody() -> None:
    desk = Desk().open(mode="competition")
    assert desk.refused("penalise", seat=1, code="early_draw") == "referee_only"
    desk.must("penalise", role="referee", seat=1, code="early_draw")
    desk.must("penalise", role="referee", seat=1, points=20, reason="late")
    assert desk.state.totals == (0, 0, 0, 0)
    assert [seat.off for seat in view(desk).seats] == [0, 25, 0, 0]
    assert desk.refused("penalise", role="referee", seat=1, code="smiling") == "no_such_penalty"
    assert desk.refused("penalise", role="referee", seat=1) == "no_such_penalty"


def test_places_go_by_the_points_without_what_is_taken_off() -> None:
    desk = Desk().open(mode="competition")
    desk.must("penalise", role="referee", seat=1, points=20, reason="late")
    desk.must("penalise", role="referee", seat=0, code="false_win")  # -30 10 10 10
    assert desk.state.results == (-30, -10, 10, 10)
    assert [seat.diff_to_leader for seat in view(desk).seats] == [-40, -20, 0, 0]
    assert list(sheet_of(desk.state, catalogue("en")).standings) == [
        "1. Chen +10", "1. Dora +10", "3. Ben +10 (20 taken off)", "4. Anna −30",
    ]  # fmt: skip


def test_the_empty_places_of_a_game_for_two_lead_nobody() -> None:
    desk = Desk()
    desk.must("open_game", ruleset="two_player", names=["Anna", "Chen"])
    for seat, points in ((0, 3), (2, 5)):
        desk.must("penalise", role="referee", seat=seat, points=points, reason="late")
    shown = snapshot(desk.state, Live(), open_rulebook("two_player", {})).seats
    assert [seat.diff_to_leader for seat in shown if seat.playing] == [0, -2]


def test_a_penalty_follows_the_player_not_the_seat() -> None:
    desk = Desk().open(mode="competition")
    desk.must("penalise", role="referee", seat=1, code="early_draw")
    for _ in range(4):
        desk.must("start_hand")
        desk.must("draw_hand")
    seats = {seat.player: seat.off for seat in view(desk).seats}
    assert seats == {0: 0, 1: 5, 2: 0, 3: 0}
    assert [seat.off for seat in view(desk).seats] == [5, 0, 0, 0]  # after the East round E and S changed places


def test_a_dead_hand_may_not_win_until_it_is_over_or_the_ruling_is_taken_back() -> None:
    """相公: he plays along and pays like everybody; what he has claimed already is not approved either."""
    desk = Desk().open()
    desk.must("claim_win", seat=1, source="self_draw")
    desk.must("hand_manual", **PAIRS)
    desk.must("penalise", seat=1, code="dead_hand", role="referee")
    assert [seat.dead for seat in view(desk).seats] == [False, True, False, False]
    assert desk.refused("approve") == desk.refused("agree", seat=0) == "seat_dead"
    desk.must("reject", reason="13", role="referee")
    assert desk.refused("claim_win", seat=1) == "seat_dead"
    assert desk.state.totals == (0, 0, 0, 0)
    given = view(desk).history[-1]
    desk.must("lift_penalty", id=given.id, role="referee")
    desk.must("claim_win", seat=1)
    desk.must("cancel_claim", seat=1)
    desk.must("penalise", seat=1, code="wrong_call", role="referee")
    desk.win(2, **PAIRS)
    assert desk.state.totals[1] < 0
    assert [seat.dead for seat in view(desk).seats] == [False] * 4
    desk.must("claim_win", seat=1)


def test_a_dead_hand_that_is_ruled_too_late_is_not_one_of_the_next_hand() -> None:
    """A hand is ruled dead while it is played; the first of a game also where nobody has pressed start."""
    desk = Desk().open()
    desk.must("penalise", seat=3, code="dead_hand", role="referee")
    assert desk.state.dead_seats() == {3}
    desk.win(2, **PAIRS)
    assert desk.refused("penalise", seat=1, code="dead_hand", role="referee") == "dead_between"
    desk.must("penalise", seat=1, code="early_draw", role="referee")
    desk.must("dice", values=[3, 4])
    desk.must("dice", values=[3, 4], roll="cocked")
    desk.must("void_dice", roll="cocked")
    assert desk.refused("penalise", seat=1, code="dead_hand", role="referee") == "dead_between"
    assert desk.state.dead_seats() == frozenset()
    desk.must("start_hand")
    desk.must("penalise", seat=1, code="dead_hand", role="referee")
    assert desk.state.dead_seats() == {1}
    desk.must("close_game")
    assert desk.refused("penalise", seat=1, code="dead_hand", role="referee") == "game_finished"


def test_the_list_is_data_with_versions() -> None:
    rows = penalty_list()
    assert len({row.code for row in rows}) == len(rows)
    assert {"MCR-1998"} <= {row.version for row in rows}
    for row in rows:
        assert not (row.each and row.off)
        assert all(row.names[language] for language in ("zh-Hans", "zh-Hant", "en"))
    assert {row.off for row in rows} >= {5, 10, 20, 30, 40, 50, 60}  # the grades of R98 p. 32


# --- substitutes ----------------------------------------------------------------------------------------------------


def test_who_played_which_hands_is_kept() -> None:
    desk = Desk().open()
    desk.win(0, **PAIRS)
    desk.must("substitute", seat=0, name="Eva")
    assert desk.refused("substitute", seat=1, name="Eva") == "same_names"
    desk.win(0, **PAIRS)
    shown = view(desk)
    assert [seat.name for seat in shown.seats] == ["Eva", "Ben", "Chen", "Dora"]
    assert [(stay.player, stay.name, stay.from_hand) for stay in shown.substitutes] == [(0, "Anna", 1), (0, "Eva", 2)]
    assert desk.state.totals[0] == 198  # the points stay with the place


def test_each_person_s_share_is_told_apart() -> None:
    desk = Desk().open()
    desk.win(0, **PAIRS)  # Anna: 99
    desk.must("substitute", seat=0, name="Eva")
    desk.win(1, **PAIRS)  # Eva: -33
    desk.must("substitute", seat=0, name="Fay")
    desk.must("substitute", seat=0, name="Gil")  # Fay never played
    desk.win(0, **PAIRS)  # Gil: 99
    desk.must("penalise", seat=0, code="false_win")  # Gil: -30, given during hand 4
    told = [(one.name, one.from_hand, one.to_hand, one.points) for one in shares(desk.state) if one.player == 0]
    assert told == [("Anna", 1, 1, 99), ("Eva", 2, 2, -33), ("Gil", 3, None, 69)]
    for player, total in enumerate(desk.state.totals):
        assert sum(one.points for one in shares(desk.state) if one.player == player) == total
    assert [name_at(desk.state, 0, number) for number in (1, 2, 3, 9)] == ["Anna", "Eva", "Gil", "Gil"]
    sheet = as_csv(desk.state).splitlines()
    assert ",win,Anna," in sheet[1]
    assert ",win,Ben," in sheet[2]
    assert ",win,Gil," in sheet[3]
    assert sheet[0].endswith(",Gil,Ben,Chen,Dora")
    assert [one["name"] for one in json.loads(as_json(desk.state))["shares"]][:3] == ["Anna", "Eva", "Gil"]
    rows = sheet_of(desk.state, catalogue("en")).rows
    assert [next(name for name in ("Anna", "Eva", "Gil", "Ben") if name in row.result) for row in rows] == [
        "Anna", "Ben", "Gil", "Gil",
    ]  # fmt: skip
    first = HandStory(
        state=desk.state, setup=desk.state.hands[0].setup, entries=(), last=Link(seq=1, text="", hash=""), pictures={}
    )
    told_page = summary(first, "en")
    assert "Anna (A)" in told_page
    assert "Gil" not in told_page


def test_a_share_holds_what_the_hand_being_played_has_paid() -> None:
    desk = Desk().open(ruleset="sichuan")
    desk.must("substitute", seat=1, name="Eva")
    desk.must("kong", seat=1, meld_kind="kong_concealed", tile="9s")
    assert [(one.name, one.points) for one in shares(desk.state)] == [
        ("Anna", -12),
        ("Eva", 36),
        ("Chen", -12),
        ("Dora", -12),
    ]


# --- who pays whom --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("totals", "unit", "expected"),
    [
        ((0, 0, 0, 0), 1, []),
        ((30, -10, -30, 10), 5, [(2, 0, 30, 150), (1, 3, 10, 50)]),
        ((60, -20, -20, -20), 1, [(1, 0, 20, 20), (2, 0, 20, 20), (3, 0, 20, 20)]),
        ((50, 10, -40, -20), 1, [(2, 0, 40, 40), (3, 0, 10, 10), (3, 1, 10, 10)]),
    ],
)
def test_who_pays_whom(totals: tuple[int, ...], unit: int, expected: list[tuple[int, ...]]) -> None:
    assert [(one.payer, one.payee, one.points, one.amount) for one in settle_up(totals, unit)] == expected


def test_totals_that_do_not_add_up() -> None:
    with pytest.raises(ValueError, match="zero"):
        settle_up((1, 0, 0, 0))


@given(st.lists(st.integers(-500, 500), min_size=3, max_size=3))
def test_everybody_is_even_with_the_fewest_transfers(points: list[int]) -> None:
    totals = [*points, -sum(points)]
    debts = settle_up(totals)
    even = list(totals)
    for debt in debts:
        assert debt.points > 0
        even[debt.payer] += debt.points
        even[debt.payee] -= debt.points
    assert even == [0, 0, 0, 0]
    open_players = [player for player, total in enumerate(totals) if total]
    pairs = any(totals[one] + totals[other] == 0 for one in open_players for other in open_players if one < other)
    assert len(debts) == max(0, len(open_players) - 1 - (pairs and len(open_players) == 4))


def test_the_reckoning_is_shown_and_exported_when_the_game_is_over() -> None:
    desk = Desk().open(house={"unit": 5})
    desk.win(0, **PAIRS)
    assert view(desk).settlement is None
    desk.must("penalise", seat=1, points=10, reason="late")
    desk.must("close_game")
    shown = view(desk)
    assert shown.settlement is not None
    assert [(debt.payer, debt.payee, debt.amount) for debt in shown.settlement] == [
        (1, 0, 165),
        (2, 0, 165),
        (3, 0, 165),
    ]
    document = json.loads(as_json(desk.state))
    assert document["off"] == [0, 10, 0, 0]
    assert [debt["amount"] for debt in document["settlement"]] == [165, 165, 165]
    assert [row["kind"] for row in document["rows"]] == ["hand", "penalty"]
    assert "penalty" in as_csv(desk.state)

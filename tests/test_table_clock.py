"""Times around the game are advice: breaks, the session, the arranging of a dealt hand, the order of flowers."""

from __future__ import annotations

from typing import Any

import pytest

from table.clock_view import Clock, clock_view
from tests.table_kit import STRAIGHT, Desk


def clock(desk: Desk) -> Clock:
    found = clock_view(desk.state)
    assert found is not None
    return found


def test_a_break_is_announced_between_hands_and_a_hand_ends_it() -> None:
    desk = Desk().open()
    desk.must("rest", minutes=15)
    called_ms = desk.entries[-1].at_ms
    assert clock(desk).rest_until_ms == called_ms + 15 * 60_000
    desk.must("rest", minutes=0)
    assert clock(desk).rest_until_ms is None
    desk.must("rest", minutes=5)
    desk.must("start_hand")
    assert clock(desk).rest_until_ms is None
    assert desk.refused("rest", minutes=5) == "rest_between_hands"
    desk.must("rest", minutes=0)
    desk.must("draw_hand")
    desk.must("rest", minutes=5)
    desk.must("claim_win", seat=1, source="self_draw")  # whoever plays on plays on
    assert clock(desk).rest_until_ms is None


def test_the_session_is_counted_from_the_opening_and_ends_nothing() -> None:
    desk = Desk().open(house={"session_min": 180})
    opened_ms = desk.entries[0].at_ms
    session = clock(desk).session
    assert session is not None
    assert (session.began_ms, session.ends_ms) == (opened_ms, opened_ms + 180 * 60_000)
    desk.win(1, from_seat=2, **STRAIGHT)
    assert clock(desk).session == session
    desk.must("close_game", reason="time is up")
    assert clock(desk).session is None
    assert clock(Desk().open()).session is None
    assert clock_view(Desk().state) is None


@pytest.mark.parametrize(
    ("ruleset", "options", "order"),
    [
        ("gb", {}, (2, 3, 0, 1)),
        ("two_player", {"tiles": "no_flowers"}, ()),
        ("sichuan", {}, ()),
        ("fujian", {}, (2, 3, 0, 1)),
        ("two_player", {}, (2, 0)),
    ],
)
def test_flowers_are_replaced_by_the_dealer_first(
    ruleset: str, options: dict[str, Any], order: tuple[int, ...]
) -> None:
    desk = Desk().open(ruleset=ruleset, options=options, first_dealer=2)
    assert clock(desk).opening is None
    desk.must("start_hand")
    opening = clock(desk).opening
    assert opening is not None
    assert (opening.began_ms, opening.limit_s, opening.order) == (desk.entries[-1].at_ms, 30, order)


def test_the_arranging_is_over_once_anything_has_happened() -> None:
    desk = Desk().open()
    desk.must("start_hand")
    desk.must("kong", seat=1, meld_kind="kong_concealed", tile="9s")
    assert clock(desk).opening is None
    desk = Desk().open()
    desk.must("claim_win", seat=1)
    assert clock(desk).opening is None

"""長沙 with two dice: a kong turns up two tiles, which are thrown at once, and either may be claimed or won on."""

from __future__ import annotations

import pytest

from rules.registry import ruleset
from table.follow.explain import explain
from table.follow.facts import circumstances
from table.follow.legal import legal_moves
from table.follow.moves import Claimed, HandLaid, Konged
from table.follow.state import apply
from table.follow.story import Contradiction, Explained
from tests.follow_kit import after, discard, moves, seat, sight, stories

TWO = legal_moves(ruleset("changsha", {"kong_dice": 2}))
KONG = Konged(seat=0, kind="kong_concealed", faces=("9s",))
BACKS = "x 9s 9s x"
THROWN = (KONG, discard(0, "1m"), discard(0, "5p"))
HAND = "2m 3m 4m 5m 6m 7m 8m 9m 9m 4s 5s 6s"


@pytest.mark.parametrize(
    ("kind", "who", "meld", "taken", "left"),
    [
        ("peng", 2, "1m 1m 1m", "1m", "5p"),
        ("peng", 2, "5p 5p 5p", "5p", "1m"),
        ("kong_open", 3, "1m 1m 1m 1m", "1m", "5p"),
        ("kong_open", 3, "5p 5p 5p 5p", "5p", "1m"),
        ("chi", 1, "1m 2m 3m", "1m", "5p"),
        ("chi", 1, "4p 5p 6p", "5p", "1m"),
    ],
)
def test_either_of_the_two_may_be_claimed(kind: str, who: int, meld: str, taken: str, left: str) -> None:
    state = after(*THROWN, legal=TWO)
    found = explain(state, sight(s0=seat(left, BACKS), **{f"s{who}": seat(melds=meld)}), TWO)
    assert isinstance(found, Explained)
    (claim,) = found.moves
    assert isinstance(claim, Claimed)
    assert (claim.kind, claim.seat, claim.from_seat, claim.taken) == (kind, who, 0, (taken,))
    assert [tile.faces for tile in found.state.seats[0].pond] == [(left,)]
    assert found.state.turn == who
    again = sight(s0=seat(left, BACKS), **{f"s{who}": seat("8s", meld)})
    assert moves(found.state, again, TWO) == (discard(who, "8s"),)


def test_all_between_two_looks() -> None:
    """The kong, both tiles and the claim of the first: and the second may have been the one nobody saw."""
    shown = sight(s0=seat("5p", BACKS), s2=seat(melds="1m 1m 1m"))
    ways = stories(after(legal=TWO), shown, TWO)
    assert all(isinstance(way[-1], Claimed) for way in ways)
    assert {way[-1].from_seat for way in ways if isinstance(way[-1], Claimed)} == {0, 1}


def test_what_is_left_of_two_that_look_alike_stays_in_doubt() -> None:
    state = after(KONG, discard(0, "5p"), discard(0, "5p/6p"), legal=TWO)
    found = explain(state, sight(s0=seat("5p/6p", BACKS), s2=seat(melds="5p 5p 5p")), TWO)
    assert isinstance(found, Explained)
    assert [tile.faces for tile in found.state.seats[0].pond] == [("5p", "6p")]


def test_once_somebody_has_played_neither_can_be_claimed() -> None:
    state = after(*THROWN, discard(1, "8s"), legal=TWO)
    late = explain(state, sight(s0=seat("5p", BACKS), s1=seat("8s"), s2=seat(melds="1m 1m 1m")), TWO)
    assert isinstance(late, Contradiction)
    assert late.why == "out_of_turn"


def test_a_second_tile_that_nobody_saw_may_be_the_kong_makers_or_the_next_players() -> None:
    state = after(KONG, discard(0, "1m"), legal=TWO)
    ways = stories(state, sight(s0=seat("1m", BACKS), s2=seat(melds="7s 7s 7s")), TWO)
    assert {way[-1].from_seat for way in ways if isinstance(way[-1], Claimed)} == {0, 1}


@pytest.mark.parametrize(
    ("pond", "more", "taken"),
    [("1m 5p", "2p", ("1m", "5p")), ("5p", "2p 1m", ("1m",)), ("1m", "2p 5p", ("5p",))],
)
def test_a_win_on_either(pond: str, more: str, taken: tuple[str, ...]) -> None:
    """Where both lie there still nobody can tell which it was: the winning tile is asked."""
    state = after(*THROWN, legal=TWO)
    (won,) = moves(state, sight(s0=seat(pond, BACKS), s2=seat(hand=f"{HAND} {more}")), TWO)
    assert isinstance(won, HandLaid)
    assert (won.source, won.from_seat, won.taken) == ("discard", 0, taken)
    told = circumstances(apply(state, won, TWO), TWO, 2)
    assert (told.win_tile, told.after_kong) == (taken[0] if len(taken) == 1 else "", True)


def test_a_claimed_win_on_two_tiles_names_neither() -> None:
    state = after(*THROWN, legal=TWO)
    told = circumstances(state, TWO, 3)
    assert (told.source, told.from_seat, told.win_tile, told.after_kong) == ("discard", 0, "", True)
    one = after(KONG, discard(0, "1m"), legal=TWO)
    told = circumstances(one, TWO, 3)
    assert (told.win_tile, told.after_kong) == ("1m", True)


def test_with_one_die_there_is_no_second_tile() -> None:
    usual = legal_moves(ruleset("changsha"))
    state = after(KONG, discard(0, "1m"), discard(1, "5p"), legal=usual)
    assert not state.pair
    assert not isinstance(
        explain(state, sight(s0=seat("", BACKS), s1=seat("5p"), s2=seat(melds="1m 1m 1m")), usual), Explained
    )


def test_a_tile_that_was_won_on_is_no_longer_one_of_two() -> None:
    """Whatever the record says: a table where two discards follow each other and one has left is looked at safely."""
    sichuan = legal_moves(ruleset("sichuan"))
    win = HandLaid(seat=1, source="discard", from_seat=0, taken=("2m",), tiles=((),) * 14)
    state = after(discard(0, "1m"), discard(0, "2m"), win, legal=sichuan)
    assert len(state.seats[0].pond) == 1
    assert not state.pair
    explain(state, sight(s0=seat("1m")), sichuan)

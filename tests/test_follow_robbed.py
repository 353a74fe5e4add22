"""Robbed kongs (搶槓): whose they were, how often they can be robbed, and the pung that lies there afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.registry import ruleset
from table.follow.change import in_order
from table.follow.explain import explain
from table.follow.facts import circumstances
from table.follow.follower import Follower, Moved, look
from table.follow.legal import legal_moves
from table.follow.moves import Claimed, Discarded, HandLaid, Konged, Move
from table.follow.resume import LyingTiles, lying
from table.follow.sighting import SeatSighting
from table.follow.state import HandState, apply
from table.follow.story import Explained
from tests.follow_kit import after, discard, laid, moves, seat, sight, stories

BATTLE = legal_moves(ruleset("sichuan"))
WAITS = "1m 2m 3m 4m 5m 6m 7m 8m 9m 4p 6p 9s 9s"
OTHERS = "2m 3m 4m 5m 6m 7m 1s 2s 3s 4p 6p 8s 8s"
PUNG = Claimed(seat=2, kind="peng", from_seat=0, taken=("5p",), tiles=(("5p",),) * 3)
KONG = Konged(seat=2, kind="kong_added", faces=("5p",), meld=0)
ROUND = (discard(0, "5p"), PUNG, discard(2, "2s"), discard(3, "3s"), discard(0, "4s"), discard(1, "5s"))
"""Seat 2 has a pung of 5p and is to draw."""


def table(pung: str = "5p 5p 5p", **more: SeatSighting) -> dict[str, SeatSighting]:
    lying = {"s0": seat("4s"), "s1": seat("5s"), "s2": seat("2s", pung), "s3": seat("3s")}
    return lying | more


def robbed(*robbers: HandLaid) -> HandState:
    return after(*ROUND, KONG, *(robbers or (laid(3, "rob_kong", 2, "5p", WAITS),)), legal=BATTLE)


def test_a_robbed_kong_is_the_pung_it_was_and_nothing_replaced_its_fourth_tile() -> None:
    before, state = after(*ROUND, legal=BATTLE), robbed()
    (meld,) = state.seats[2].melds
    assert (meld.kind, [tile.faces for tile in meld.tiles], meld.from_seat) == ("peng", [("5p",)] * 3, 0)
    assert state.wall_left == before.wall_left - 1
    assert state.seats[2].concealed == before.seats[2].concealed
    assert (state.turn, state.step, state.won, state.last) == (0, "draw", (3,), None)


@pytest.mark.parametrize("left", ["5p 5p 5p", "5p 5p 5p 5p"])
def test_play_goes_on_whether_the_robbed_tile_stays_or_goes_to_the_winner(left: str) -> None:
    """Seat 2 has drawn nothing and made no kong, also when it is its turn again and the tile still lies there."""
    won = laid(3, "rob_kong", 2, "5p", WAITS if len(left) > 9 else f"{WAITS} 5p")
    state = robbed(won)
    shown = {"s3": seat("3s", hand=" ".join(tile[0] for tile in won.tiles))}
    assert moves(state, sight(**table(left, **shown)), BATTLE) == ()
    lying = table(left, **shown, s0=seat("4s 1s"))
    assert moves(state, sight(**lying), BATTLE) == (discard(0, "1s"),)
    lying |= {"s1": seat("5s 7m")}
    state = after(*state.moves, discard(0, "1s"), discard(1, "7m"), legal=BATTLE)
    assert moves(state, sight(**lying), BATTLE) == ()
    lying |= {"s2": seat("2s 8m", left)}
    assert moves(state, sight(**lying), BATTLE) == (discard(2, "8m"),)


def test_the_robbed_tile_may_be_taken_away_later() -> None:
    follower = Follower(robbed(), BATTLE)
    for left in ("5p 5p 5p 5p", "5p 5p 5p 5p", "5p 5p 5p", "5p 5p 5p"):
        follower, step = look(follower, sight(**table(left, s3=seat("3s", hand=WAITS))))
        assert step == Moved(())
    assert follower.trouble is None


def test_no_fifth_copy_lies_beside_a_robbed_kong() -> None:
    state = robbed()
    found = explain(state, sight(**table(s0=seat("4s 5p/6p"), s3=seat("3s", hand=WAITS))), BATTLE)
    assert isinstance(found, Explained)
    assert found.moves == (discard(0, "6p"),)


def test_several_rob_the_same_kong_and_the_farthest_of_them_says_who_plays_next() -> None:
    both = sight(**table("5p 5p 5p 5p", s3=seat("3s", hand=WAITS), s0=seat("4s", hand=OTHERS)))
    kong = after(*ROUND, KONG, legal=BATTLE)
    expected = (laid(3, "rob_kong", 2, "5p", WAITS), laid(0, "rob_kong", 2, "5p", OTHERS))
    assert moves(kong, both, BATTLE) == expected
    second = robbed()
    assert moves(second, both, BATTLE) == expected[1:]
    state = apply(second, expected[1], BATTLE)
    assert (state.turn, state.won) == (1, (3, 0))
    assert [meld.kind for meld in state.seats[2].melds] == ["peng"]
    assert state.wall_left == second.wall_left
    farther = apply(apply(kong, expected[1], BATTLE), expected[0], BATTLE)
    assert (farther.turn, farther.wall_left) == (state.turn, state.wall_left)


def test_the_tile_of_a_robbed_kong_is_in_one_hand_only() -> None:
    """Seat 0 plays next: with the tile in seat 3's hand its own fourteen are a drawn win, else nobody can tell."""
    fourteen = f"{OTHERS} 5p"
    shown = {"s0": seat("4s", hand=fourteen)}
    taken = robbed(laid(3, "rob_kong", 2, "5p", f"{WAITS} 5p"))
    (own,) = moves(taken, sight(**table(s3=seat("3s", hand=f"{WAITS} 5p"), **shown)), BATTLE)
    assert isinstance(own, HandLaid)
    assert own.source == "self_draw"
    either = stories(robbed(), sight(**table(s3=seat("3s", hand=WAITS), **shown)), BATTLE)
    assert {way[-1].source for way in either if isinstance(way[-1], HandLaid)} == {"self_draw", "rob_kong"}


def test_a_kong_robbed_before_anybody_saw_its_fourth_tile_is_no_discard() -> None:
    """The tile is in the winner's hand at the next look: seat 2 may have discarded another or added this one."""
    hand = f"{WAITS} 5p"
    state = after(*ROUND, legal=BATTLE)
    ways = stories(state, sight(**table(s3=seat("3s", hand=hand))), BATTLE)
    assert {(type(way[0]), getattr(way[1], "source", None)) for way in ways} == {
        (Discarded, "discard"), (Konged, "rob_kong"),
    }  # fmt: skip
    without = f"{WAITS} 9m"
    (_, won) = moves(state, sight(**table(s3=seat("3s", hand=without))), BATTLE)
    assert isinstance(won, HandLaid)
    assert won.source == "discard"


def test_a_person_says_how_it_lies_after_a_robbed_kong() -> None:
    state = robbed()
    seen = in_order(state, sight(**table("5p 5p 5p 5p")))
    told = [
        LyingTiles(
            tuple(tile.faces for tile in one.pond), tuple(tuple(t.faces for t in meld) for meld in one.melds), ()
        )
        for one in seen.seats
    ]
    again = lying(state, told, 0, BATTLE)
    assert again.wall_left == state.wall_left
    assert lying(again, told, 0, BATTLE).wall_left == state.wall_left
    assert [(meld.kind, meld.robbed) for meld in again.seats[2].melds] == [("peng", True)]
    shown = sight(**table("5p 5p 5p 5p", s3=seat("3s", hand=WAITS)))
    further = replace(again, turn=2)
    assert moves(further, shown, BATTLE) == ()


@pytest.mark.parametrize(("name", "moves_more"), [("gb", ()), ("sichuan", (laid(3, "rob_kong", 2, "5p", WAITS),))])
def test_the_replacement_that_nobody_drew_is_still_in_the_wall(name: str, moves_more: tuple[Move, ...]) -> None:
    legal = legal_moves(ruleset(name))
    state = after(*ROUND, legal=legal)
    state = apply(replace(state, wall_left=2), KONG, legal)
    for move in moves_more:
        state = apply(state, move, legal)
    told = circumstances(state, legal, 3)
    assert (told.source, told.wall_left, told.last_tile) == ("rob_kong", 1, False)


@pytest.mark.parametrize("hand", [f"{WAITS} 5p", WAITS])
def test_the_tile_of_a_kong_goes_to_the_winner_between_two_looks(hand: str) -> None:
    kong = after(*ROUND, KONG, legal=BATTLE)
    assert moves(kong, sight(**table(s3=seat("3s", hand=hand))), BATTLE) == (laid(3, "rob_kong", 2, "5p", hand),)
    both = moves(kong, sight(**table(s3=seat("3s", hand=hand), s0=seat("4s", hand=OTHERS))), BATTLE)
    assert both == (laid(3, "rob_kong", 2, "5p", hand), laid(0, "rob_kong", 2, "5p", OTHERS))


def test_a_tile_of_a_kong_that_is_not_found_is_no_win() -> None:
    """Also when its player has drawn and discarded by then: nothing is said before it lies there again."""
    kong = after(*ROUND, KONG, legal=BATTLE)
    assert not isinstance(explain(kong, sight(**table()), BATTLE), Explained)
    gone_on = table(s2=seat("2s 8m", "5p 5p 5p"))
    assert not isinstance(explain(kong, sight(**gone_on), BATTLE), Explained)
    found = table(s2=seat("2s 8m", "5p 5p 5p 5p"))
    assert moves(kong, sight(**found), BATTLE) == (discard(2, "8m"),)


def test_who_discards_again_after_a_win_has_not_thrown_two_at_once() -> None:
    """血戰: seat 3 wins on the discard of seat 0, which plays next."""
    state = after(discard(0, "5s"), laid(3, "discard", 0, "5s", f"{WAITS} 5s"), discard(0, "1p"), legal=BATTLE)
    assert not state.pair
    assert moves(state, sight(s0=seat("1p"), s3=seat(hand=f"{WAITS} 5s")), BATTLE) == ()


def test_all_who_win_on_a_discard_after_a_kong_win_after_a_kong() -> None:
    kong = Konged(seat=0, kind="kong_concealed", faces=("7s",))
    first = after(kong, discard(0, "5p"), laid(2, "discard", 0, "5p", WAITS), legal=BATTLE)
    second = apply(first, laid(3, "discard", 0, "5p", OTHERS), BATTLE)
    assert circumstances(first, BATTLE, 2).after_kong
    assert circumstances(second, BATTLE, 3).after_kong


@pytest.mark.parametrize("melds", ["5p 5p 5p, 1m 2m 3m, 4m 5m 6m, 7m 8m 9m", "", "x x x x"])
def test_how_a_winner_arranges_his_open_tiles_is_nobodys_business(melds: str) -> None:
    """血戰: his hand lies there in groups, pushed against his melds, or face down."""
    state = after(*ROUND, laid(2, "self_draw", hand="1m 2m 3m 4m 5m 6m 7m 8m 9m 9s 9s"), legal=BATTLE)
    shown = table(melds, s3=seat("3s 7m"), s2=seat("2s", melds, hand="9s 9s"))
    assert moves(state, sight(**shown), BATTLE) == (discard(3, "7m"),)

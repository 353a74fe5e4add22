"""Rare situations of the ten rulesets: no wrong move, no wrong circumstance, and a question where nobody can tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.registry import names, ruleset
from table.follow.explain import explain
from table.follow.facts import circumstances
from table.follow.legal import legal_moves
from table.follow.moves import Claimed, Discarded, Flowered, HandLaid, Konged
from table.follow.state import HandState, apply, begin
from table.follow.story import Contradiction, Explained
from tests.follow_kit import after, discard, laid, moves, seat, sight

FOURTEEN = "1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 3p 5p 5p"
THIRTEEN = "1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 5p 5p"


def late(name: str, wall_left: int, *last: Discarded, **options: object) -> HandState:
    """A hand in which so many tiles are left, after these discards."""
    return replace(after(*last, legal=legal_moves(ruleset(name, options))), wall_left=wall_left)


# --- the last tile ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("left", "last"), [(1, True), (2, False)])
@pytest.mark.parametrize("name", ["gb", "guangdong", "popular", "changsha", "sichuan", "beginner258"])
def test_a_drawn_win_that_a_person_tells_of_took_one_more_tile(name: str, left: int, *, last: bool) -> None:
    """The hand does not lie open yet: the tile that won is still counted as standing in the wall."""
    legal, state = legal_moves(ruleset(name)), late(name, left, discard(0, "5p"))
    told = circumstances(state, legal, 1, ("self_draw", None))
    assert (told.wall_left, told.last_tile) == (left - 1, last)
    won = apply(state, laid(1, "self_draw", hand=FOURTEEN), legal)
    assert circumstances(won, legal, 1).last_tile is last


@pytest.mark.parametrize(("left", "last"), [(0, True), (1, False)])
def test_a_discard_is_the_last_when_no_tile_is_left(left: int, *, last: bool) -> None:
    legal, state = legal_moves(ruleset("gb")), late("gb", left, discard(0, "5p"))
    assert circumstances(state, legal, 2).last_tile is last


def test_wuhan_the_last_tile_that_is_discarded_is_none_of_the_last_four() -> None:
    """海底撈 is a draw among the last four: with four left nobody has drawn one of them."""
    legal = legal_moves(ruleset("wuhan"))
    before = late("wuhan", 5, discard(0, "5p"))
    drawn = apply(before, laid(1, "self_draw", hand=FOURTEEN), legal)
    told = circumstances(drawn, legal, 1)
    assert (told.wall_left, told.last_tile) == (4, False)
    among = circumstances(replace(before, wall_left=4), legal, 1, ("self_draw", None))
    assert (among.wall_left, among.last_tile) == (3, False)


def test_a_kong_with_one_tile_left_wins_on_the_last() -> None:
    """國標: 槓上開花 and 妙手回春."""
    legal = legal_moves(ruleset("gb"))
    state = apply(late("gb", 2, discard(0, "5p")), Konged(seat=1, kind="kong_concealed", faces=("9s",)), legal)
    shown = sight(s0=seat("5p"), s1=seat(melds="x 9s 9s x", hand="1m 2m 3m 4m 5m 6m 7m 8m 9m 5p 5p"))
    (won,) = moves(state, shown, legal)
    told = circumstances(apply(state, won, legal), legal, 1)
    assert (told.source, told.last_tile) == ("kong_replacement", True)


def test_gb_the_discard_of_the_last_tile_is_claimed_by_nobody() -> None:
    state = late("gb", 0, discard(0, "5p"))
    assert not isinstance(explain(state, sight(s2=seat(melds="5p 5p 5p")), legal_moves(ruleset("gb"))), Explained)


# --- the first go-round ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_a_hand_shown_before_the_first_discard_is_a_win_of_the_dealer_alone(name: str) -> None:
    """長沙 起手胡: hands are shown to be paid and taken up again; play has not begun, nobody can have won."""
    legal = legal_moves(ruleset(name))
    state = begin(legal, 0)
    tiles = " ".join(["5p"] * (legal.hand_size + 1))
    won = explain(
        state, replace(sight(s0=seat(hand=tiles)), seats=sight(s0=seat(hand=tiles)).seats[: legal.seats]), legal
    )
    assert isinstance(won, Explained)
    assert [(type(move), getattr(move, "source", "")) for move in won.moves] == [(HandLaid, "self_draw")]
    other = " ".join(["5p"] * legal.hand_size)
    shown = explain(state, replace(sight(), seats=sight(s1=seat(hand=other)).seats[: legal.seats]), legal)
    assert isinstance(shown, Explained)
    assert shown.moves == ()


def test_a_flower_drawn_first_leaves_the_dealers_win_a_heavenly_one() -> None:
    legal = legal_moves(ruleset("fujian"))
    state = after(Flowered(seat=0, faces=("1f",)), Flowered(seat=2, faces=("5f",)), legal=legal)
    tiles = " ".join(["5p"] * 17)
    (won,) = moves(state, sight(s0=seat(flowers="1f", hand=tiles), s2=seat(flowers="5f")), legal)
    assert isinstance(won, HandLaid)
    told = circumstances(apply(state, won, legal), legal, 0)
    assert (told.source, told.discards_before, told.claims_before) == ("self_draw", 0, False)


# --- how a tile may be won -------------------------------------------------------------------------------------------


def test_jiaxing_nobody_is_said_to_have_won_on_a_discard() -> None:
    usual, played = legal_moves(ruleset("jiaxing")), legal_moves(ruleset("jiaxing", {"discard_win": "all_pay"}))
    state = after(discard(0, "1p"), legal=usual)
    assert circumstances(state, usual, 2).source is None
    assert circumstances(state, played, 2).source == "discard"
    shown = sight(s0=seat("1p"), s2=seat(hand=THIRTEEN))
    assert isinstance(explain(state, shown, usual), Contradiction)
    assert isinstance(explain(state, shown, played), Explained)


def test_jiaxing_a_kong_may_be_robbed() -> None:
    legal = legal_moves(ruleset("jiaxing"))
    pung = Claimed(seat=2, kind="peng", from_seat=0, taken=("5p",), tiles=(("5p",),) * 3)
    state = after(
        discard(0, "5p"), pung, *(discard(number % 4, f"{number}s") for number in range(2, 6)),
        Konged(seat=2, kind="kong_added", faces=("5p",), meld=0), legal=legal,
    )  # fmt: skip
    assert circumstances(state, legal, 0).source == "rob_kong"


def test_wuhan_a_win_after_a_red_dragon_or_a_wildcard_is_on_its_replacement() -> None:
    legal = legal_moves(ruleset("wuhan"))
    for tile in ("7z", "5m"):
        state = after(Discarded(seat=0, faces=(tile,), again=True), legal=legal, wild="5m")
        shown = sight(s0=seat(tile, hand="1m 2m 3m 4m 6m 6m 7m 8m 9m 1p 2p 3p 5p 5p"))
        (won,) = moves(state, shown, legal)
        assert isinstance(won, HandLaid)
        assert (won.source, won.from_seat) == ("kong_replacement", None)
        assert circumstances(state, legal, 2).source is None


def test_a_wildcard_in_an_open_hand_is_a_tile_like_any_other() -> None:
    legal = legal_moves(ruleset("fujian"))
    state = after(discard(0, "5p"), legal=legal, wild="3s")
    hand = "3s 3s 1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 3p 5p 5p"
    (won,) = moves(state, sight(s2=seat(hand=f"{hand} 5p")), legal)
    assert isinstance(won, HandLaid)
    assert (won.source, won.from_seat, won.taken) == ("discard", 0, ("5p",))


# --- claims ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", [2, 3])
@pytest.mark.parametrize("name", ["gb", "wuhan", "guangdong", "changsha", "fujian"])
def test_a_chow_out_of_order_is_asked(name: str, who: int) -> None:
    legal = legal_moves(ruleset(name))
    found = explain(after(discard(0, "5p"), legal=legal), sight(**{f"s{who}": seat(melds="4p 5p 6p")}), legal)
    assert isinstance(found, Contradiction)
    assert found.why == "wrong_side"


def test_two_players_are_each_others_next() -> None:
    legal = legal_moves(ruleset("two_player"))
    state = after(discard(0, "5m"), legal=legal)
    shown = sight(s1=seat(melds="4m 5m 6m"))
    (chow,) = moves(state, replace(shown, seats=shown.seats[:2]), legal)
    assert isinstance(chow, Claimed)
    assert (chow.seat, chow.from_seat) == (1, 0)
    state = apply(apply(state, chow, legal), discard(1, "1z"), legal)
    assert state.turn == 0


# --- a hand arranged in its sets -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pond", "rest", "who", "source"),
    [
        ("4p", "6p 1z 1z", 2, "discard"),
        ("", "4p 6p 1z 1z", 2, "discard"),
        ("5p", "4p 6p 1z 1z 9s", 1, "self_draw"),
        ("5p", "4p 6p 1z 1z", 2, "discard"),
    ],
)
def test_a_hand_laid_open_in_groups_is_a_hand(pond: str, rest: str, who: int, source: str) -> None:
    """Three sets apart from the rest look like melds; together they are just what the player held."""
    state = after(discard(0, "5p"))
    tiles = f"{rest} 5p" if not pond else rest
    if pond == "4p":
        state, tiles = after(discard(0, "4p")), "4p 6p 1z 1z"
    shown = sight(s0=seat(pond), **{f"s{who}": seat(melds="1m 2m 3m, 4m 5m 6m, 7m 8m 9m", hand=tiles)})
    (won,) = moves(state, shown)
    assert isinstance(won, HandLaid)
    assert (won.seat, won.source) == (who, source)


def test_melds_and_tiles_that_fell_over_are_no_hand() -> None:
    """A pung and a kong of discards, and some tiles of the hand face up: more is concealed than that."""
    state = after(discard(0, "5p"))
    shown = sight(s1=seat("9s", melds="4p 5p 6p", hand="1z 2z 3z 4z 5z 6z 7z"))
    assert [type(move) for move in moves(state, shown)] == [Claimed, Discarded]

"""Four tiles face down in a row: a concealed kong only where the rest of the hand says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.follow.change import in_order, overlooked
from table.follow.explain import explain
from table.follow.moves import Claimed, Konged, Move
from table.follow.sighting import SeatSighting, Sighting
from table.follow.state import HandState
from table.follow.story import Explained, Unclear
from tests.follow_kit import GB, after, discard, glimpses, moves, sight

ROW = "x x x x"


def before(melds: int) -> HandState:
    """Seat 1 has so many pungs, each of a discard of seat 0, and is to draw."""
    state = after(discard(0, "9p"))
    found: list[Move] = []
    for number in range(1, melds + 1):
        tile = f"{number}s"
        pung = Claimed(seat=1, kind="peng", from_seat=0, taken=(tile,), tiles=((tile,),) * 3)
        found += [discard(0, tile), pung, discard(1, f"{number}m"), discard(2, f"{number}m"), discard(3, f"{number}m")]
    return after(*found, discard(0, "9p")) if found else state


def table(state: HandState, *groups: str, standing: int | None = None, down: int = 0, pond: str = "") -> Sighting:
    """What lies before everybody, with more groups before seat 1."""
    seats = []
    for own in state.seats:
        melds = tuple(glimpses(" ".join(tile.faces[0] for tile in meld.tiles)) for meld in own.melds)
        seats.append(SeatSighting(glimpses(" ".join(tile.faces[0] for tile in own.pond)), melds))
    mine = replace(
        seats[1],
        melds=(*(glimpses(group) for group in groups), *seats[1].melds),
        pond=(*seats[1].pond, *glimpses(pond)),
        standing=None if standing is None else standing + down,
        down=down,
    )
    return Sighting(0.0, (seats[0], mine, *seats[2:]))


def kongs(state: HandState, sighting: Sighting) -> int | None:
    """How many kongs are told; None if nothing is."""
    found = explain(state, sighting, GB)
    return sum(isinstance(move, Konged) for move in found.moves) if isinstance(found, Explained) else None


@pytest.mark.parametrize(
    ("melds", "rows", "standing", "down", "told"),
    [
        (0, 1, 10, 0, 1),  # ten tiles stand beside it
        (0, 1, 11, 0, 1),  # and the replacement
        (0, 1, 13, 0, 0),  # the whole hand stands: these four are none of it
        (0, 1, 12, 0, None),
        (0, 1, None, 0, 1),  # nobody counted, and no hand is a single row of four
        (0, 1, 0, 7, None),  # a hand lying face down in pieces
        (0, 2, 7, 0, 2),
        (0, 2, None, 0, None),
        (2, 1, 4, 0, 1),
        (2, 1, 0, 4, None),
        (2, 2, None, 0, None),  # a kong and the hand, two kongs, or eight tiles of the hand
        (2, 2, 1, 0, 2),
        (3, 1, None, 0, 0),  # the hand of four
        (3, 1, 1, 0, 1),
        (3, 1, 4, 0, 0),
        (4, 1, None, 0, 0),  # nobody makes five melds
        (4, 2, None, 0, None),
    ],
)
def test_a_row_of_backs_is_a_kong_where_the_rest_of_the_hand_says_so(
    melds: int, rows: int, standing: int | None, down: int, told: int | None
) -> None:
    state = before(melds)
    assert kongs(state, table(state, *[ROW] * rows, standing=standing, down=down)) == told


def test_a_known_kong_and_the_hand_of_four_beside_it() -> None:
    """Of two rows the one that shows its face is the kong that is known, and the other no second one."""
    state = before(2)
    shown = table(state, "x 8s 8s x")
    found = explain(state, shown, GB)
    assert isinstance(found, Explained)
    assert [type(move) for move in found.moves] == [Konged]
    both = table(state, ROW, "x 8s 8s x")
    assert moves(found.state, both) == ()
    assert moves(found.state, table(state, ROW, "x 8s 8s x", pond="7s")) == (discard(1, "7s"),)
    assert [len(group) for group in in_order(found.state, both).seats[1].melds] == [3, 3, 4]


def test_a_row_among_tiles_just_dealt_says_nothing() -> None:
    """Four at a time are taken while the hand is dealt."""
    state = after()
    dealt = sight(s0=SeatSighting(melds=(glimpses(ROW),)))
    assert not isinstance(explain(state, dealt, GB), Explained)
    assert (0, "melds") in overlooked(state, dealt)
    kong = sight(s0=SeatSighting(melds=(glimpses(ROW),), standing=11))
    assert moves(state, kong) == (Konged(seat=0, kind="kong_concealed", faces=()),)
    shown = sight(s0=SeatSighting(melds=(glimpses("x 9m 9m x"),)))
    assert moves(state, shown) == (Konged(seat=0, kind="kong_concealed", faces=("9m",)),)


def test_it_is_asked_only_once_play_cannot_be_told_without_it() -> None:
    state = before(2)
    waiting = explain(state, table(state, ROW, ROW), GB)
    assert isinstance(waiting, Unclear)
    assert waiting.grace_s is None
    asked = explain(state, table(state, ROW, ROW, pond="7s"), GB)
    assert isinstance(asked, Unclear)
    assert asked.grace_s is not None


def test_nobody_makes_a_meld_of_tiles_that_he_does_not_have() -> None:
    state = before(4)
    lying = table(state)
    fifth = replace(lying.seats[2], melds=(glimpses("9p 9p 9p"),))
    pond = replace(lying.seats[0], pond=lying.seats[0].pond[:-1])
    by_another = replace(lying, seats=(pond, lying.seats[1], fifth, lying.seats[3]))
    assert isinstance(explain(state, by_another, GB), Explained)
    by_him = replace(
        lying,
        seats=(pond, replace(lying.seats[1], melds=(*lying.seats[1].melds, glimpses("9p 9p 9p"))), *lying.seats[2:]),
    )
    assert not isinstance(explain(state, by_him, GB), Explained)
    concealed = table(state, "x 8s 8s x")
    assert not isinstance(explain(state, concealed, GB), Explained)

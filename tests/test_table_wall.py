"""Where the wall is opened, worked out by hand from the rules; deal, tail, holes and last tiles as values."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.customs import WALLS_108, customs_of, stacks_of
from table.wall import (
    Place,
    Wall,
    WallBreak,
    WallError,
    chosen_by,
    dealt_tiles,
    wall_break,
)

EIGHTEEN = (18, 18, 18, 18)
DICE = list(product(range(1, 7), repeat=2))


@pytest.mark.parametrize(
    ("total", "relative"), [(2, 1), (3, 2), (4, 3), (5, 0), (6, 1), (7, 2), (8, 3), (9, 0), (10, 1), (11, 2), (12, 3)]
)
def test_the_total_chooses_a_wall(total: int, relative: int) -> None:
    """5 and 9 the dealer, 2, 6, 10 the next player, 3, 7, 11 the one opposite, 4, 8, 12 the one before."""
    for dealer in range(4):
        assert chosen_by(dealer, total) == (dealer + relative) % 4


def test_how_often_each_player_throws_second() -> None:
    chosen = Counter(chosen_by(0, sum(throw)) for throw in DICE)
    assert [chosen[seat] for seat in range(4)] == [8, 9, 10, 9]  # of 36


def test_a_break_within_the_wall() -> None:
    # dealer A throws 4+3=7: the wall opposite (seat 2); 5+2 more: 14 stacks stay at its right end
    assert wall_break(0, [(4, 3), (5, 2)], EIGHTEEN) == WallBreak(2, 14)
    assert wall_break(3, [(1, 1), (1, 2)], EIGHTEEN) == WallBreak(0, 5)


def test_a_count_longer_than_the_wall_goes_on_clockwise() -> None:
    # 6+3=9: the dealer himself (0) throws 6+6: 21 stacks, his 18 and 3 of the next wall clockwise (seat 3)
    assert wall_break(0, [(6, 3), (6, 6)], EIGHTEEN) == WallBreak(3, 3)
    # exactly the whole wall: the next one is opened from its right end
    assert wall_break(0, [(6, 3), (6, 3)], EIGHTEEN) == WallBreak(3, 0)
    assert wall_break(0, [(6, 3), (6, 3)], (13, 14, 13, 4)) == WallBreak(2, 1)


def test_from_the_counted_stack_or_after_it() -> None:
    assert wall_break(0, [(6, 3), (6, 3)], EIGHTEEN, "from") == WallBreak(0, 17)
    assert wall_break(0, [(6, 3), (6, 4)], EIGHTEEN, "from") == WallBreak(3, 0)


@pytest.mark.parametrize(("side", "longer", "equal"), [(18, 126, 80), (17, 206, 104), (14, 575, 146), (13, 721, 140)])
def test_how_often_the_count_leaves_the_wall(side: int, longer: int, equal: int) -> None:
    """Of the 1,296 outcomes of two throws: 9.7 % at 18 stacks, 15.9 % at 17, 44 % at 14, 56 % at 13."""
    stacks = (side, side, side, side)
    both = list(product(DICE, DICE))
    left = [sum(map(sum, throws)) for throws in both if wall_break(0, throws, stacks, "from").seat != first(throws)]
    assert len(left) == longer
    exact = [throws for throws in both if sum(map(sum, throws)) == side]
    assert len(exact) == equal
    assert all(wall_break(0, throws, stacks) == WallBreak((first(throws) - 1) % 4, 0) for throws in exact)
    share = {18: "9.7", 17: "15.9", 14: "44.4", 13: "55.6"}[side]
    assert f"{float(Fraction(100 * longer, 1296)):.1f}" == share


def first(throws: tuple[tuple[int, ...], ...]) -> int:
    """The wall that the opening throw chose; the dealer is seat 0."""
    return chosen_by(0, sum(throws[0]))


def test_no_wall_at_all() -> None:
    with pytest.raises(WallError):
        wall_break(0, [(3, 3)], (0, 0, 0, 0))


# --- deal, tail, holes ----------------------------------------------------------------------------------------------


def opened(stacks: tuple[int, int, int, int] = EIGHTEEN, **more: int) -> Wall:
    return Wall(stacks=stacks, opened=WallBreak(2, 14), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "after"), [("gb", 91), ("jiaxing", 83), ("changsha", 55), ("popular", 67)])
def test_tiles_left_after_the_deal(name: str, after: int) -> None:
    """53 are dealt: 144 leave 91, 136 leave 83, 108 leave 55; of 大眾's 120 drawable ones 67 are left."""
    customs = customs_of(name, {})
    wall = Wall(stacks=stacks_of(customs, 0, {}), opened=WallBreak(0, 5), dead=customs.dead, limit=customs.limit)
    assert wall.draw(dealt_tiles(4, 13)).left == after


def test_the_head_goes_clockwise_over_the_corner() -> None:
    wall = opened()
    assert [wall.place(number) for number in (0, 1, 2, 7, 8)] == [
        Place(2, 14, upper=True),
        Place(2, 14, upper=False),
        Place(2, 15, upper=True),
        Place(2, 17, upper=False),
        Place(1, 0, upper=True),
    ]
    assert wall.place(wall.tiles - 1) == Place(2, 13, upper=False)


def test_a_kong_takes_the_last_stack_from_above() -> None:
    wall = opened().draw(53)
    assert wall.place(wall.replacement()) == Place(2, 13, upper=True)
    wall = wall.replace_kong()
    assert wall.holes() == (Place(2, 13, upper=False),)
    assert wall.place(wall.replacement()) == Place(2, 13, upper=False)
    wall = wall.replace_kong()
    assert wall.holes() == ()
    assert wall.place(wall.replacement()) == Place(2, 12, upper=True)
    assert wall.left == 144 - 55


def test_a_die_leaves_holes_and_counts_the_stacks_that_stand() -> None:
    wall = opened().draw(53)
    assert wall.place(wall.replacement(3)) == Place(2, 11, upper=True)
    wall = wall.replace_kong(3)
    assert wall.place(wall.replacement(3)) == Place(2, 11, upper=False)  # its upper tile is gone
    wall = wall.replace_kong(3)
    assert wall.place(wall.replacement(3)) == Place(2, 10, upper=True)  # an empty stack is not counted
    assert wall.replace_kong(1).holes() == (Place(2, 13, upper=False),)


def test_the_last_tiles() -> None:
    wuhan = opened((17, 17, 17, 17), dead=10).draw(136 - 10 - 4)
    assert wuhan.left == 4
    assert wuhan.replace_kong().left == 3  # ten tiles always stay
    assert wuhan.draw(4).left == 0
    with pytest.raises(WallError):
        wuhan.draw(5)
    popular = opened(limit=120).draw(119)
    assert (popular.left, popular.draw().left, popular.draw().head()) == (1, 0, None)
    with pytest.raises(WallError):
        popular.draw().replace_kong()


def test_a_die_that_counts_too_far() -> None:
    wall = opened((1, 1, 1, 1), dead=0)
    wall = Wall(stacks=(1, 1, 1, 1), opened=WallBreak(0, 0)).draw(4)
    assert len(wall.tail_stacks()) == 2
    with pytest.raises(WallError):
        wall.replacement(3)


@given(st.lists(st.sampled_from(["draw", 1, 2, 3, 4, 5, 6]), max_size=80))
def test_every_tile_is_taken_once(actions: list[str | int]) -> None:
    wall = Wall(stacks=WALLS_108, opened=WallBreak(1, 4), dead=4)
    for taken, action in enumerate(actions):
        assert wall.left == max(0, 108 - 4 - taken)
        try:
            wall = wall.draw() if action == "draw" else wall.replace_kong(int(action))
        except WallError:
            break
        assert len(wall.gone) == taken + 1
    places = {wall.place(number) for number in range(wall.tiles)}
    assert len(places) == 108
    assert all(place.stack < WALLS_108[place.seat] for place in places)


# --- house options --------------------------------------------------------------------------------------------------


def test_the_small_set_stands_in_unequal_walls() -> None:
    customs = customs_of("changsha", {})
    assert stacks_of(customs, 0, {}) == (14, 13, 14, 13)
    assert stacks_of(customs, 1, {}) == (13, 14, 13, 14)
    assert stacks_of(customs, 0, {"walls_108": "14,14,13,13"}) == (14, 14, 13, 13)
    assert stacks_of(customs, 0, {"walls_108": "14,14,13"}) == (14, 13, 14, 13)


@pytest.mark.parametrize(
    ("name", "options", "tiles"),
    [
        ("popular", {"wall_stacks": 15, "draw_limit": 120}, 120),
        ("beginner258", {"flowers": True}, 144),
        ("two_player", {"tiles": "no_flowers"}, 64),
        ("two_player", {}, 72),
        ("fujian", {}, 144),
        ("wuhan", {}, 136),
    ],
)
def test_options_change_the_wall(name: str, options: dict[str, object], tiles: int) -> None:
    customs = customs_of(name, options)
    assert customs.tiles == tiles
    assert 2 * sum(stacks_of(customs, 0, {})) == tiles


@pytest.mark.parametrize(("total_of_dice", "seat"), [(5, 0), (9, 0), (2, 1), (6, 1), (3, 2), (11, 2), (4, 3), (12, 3)])
def test_the_first_throw_names_the_second_thrower(total_of_dice: int, seat: int) -> None:
    assert chosen_by(0, total_of_dice) == seat
    assert chosen_by(3, total_of_dice) == (3 + seat) % 4

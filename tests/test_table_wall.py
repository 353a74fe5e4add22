"""Where the wall is opened, and who throws the dice. Oracle: the numbers of the competition rules."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from table.wall import WallBreak, chosen_by, wall_break

DICE = tuple(product(range(1, 7), repeat=2))
EIGHTEEN = (18, 18, 18, 18)


@pytest.mark.parametrize("dealer", range(4))
def test_the_second_thrower_by_the_first_total(dealer: int) -> None:
    dealers, right, opposite, left = (5, 9), (2, 6, 10), (3, 7, 11), (4, 8, 12)
    for step, totals in enumerate((dealers, right, opposite, left)):
        assert {chosen_by(dealer, total) for total in totals} == {(dealer + step) % 4}


def test_how_often_each_seat_throws_second() -> None:
    counts = Counter(chosen_by(0, sum(dice)) for dice in DICE)
    assert [round(100 * counts[seat] / 36, 1) for seat in range(4)] == [22.2, 25.0, 27.8, 25.0]


@pytest.mark.parametrize(("side", "percent"), [(18, 9.7), (17, 15.9), (14, 44.0), (13, 56.0)])
def test_how_often_the_count_is_longer_than_the_wall(side: int, percent: float) -> None:
    """P(total of both throws > stacks of one side), as measured in the protocol's table of facts."""
    over = sum(sum(first) + sum(second) > side for first, second in product(DICE, DICE))
    assert round(100 * over / 1296, 1) == pytest.approx(percent, abs=0.5)


def test_a_break_worked_out_by_hand() -> None:
    # dealer 1 throws 4+3=7: the seat opposite (3) throws 5+2=7; 14 stacks from the right of its wall
    assert wall_break(1, [(4, 3), (5, 2)], EIGHTEEN) == WallBreak(3, 14)


def test_a_count_longer_than_the_wall_goes_on_clockwise() -> None:
    # 6+3=9: the dealer himself (0) throws 6+6: 21 stacks, his 18 and 3 of the next wall clockwise (seat 3)
    assert wall_break(0, [(6, 3), (6, 6)], EIGHTEEN) == WallBreak(3, 3)
    # exactly the whole wall: the next one is opened from its right end
    assert wall_break(0, [(6, 3), (6, 3)], EIGHTEEN) == WallBreak(3, 0)
    assert wall_break(0, [(6, 3), (6, 3)], (13, 14, 13, 4)) == WallBreak(2, 1)


def test_every_throw_gives_a_place_on_the_wall() -> None:
    for dealer, first, second in product(range(4), DICE, DICE):
        found = wall_break(dealer, (first, second), EIGHTEEN)
        assert 0 <= found.stack < 18


def test_one_throw_elsewhere() -> None:
    assert wall_break(2, [(3, 3)], (17, 17, 17, 17)) == WallBreak(3, 6)

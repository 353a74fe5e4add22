"""Rows, melds, hands and ponds from boxes alone: laid out by hand, turned, seen at a slant, with noise."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.grouping import group_tiles
from vision.types import Group

WIDE, LONG = 30.0, 42.0


class Felt:
    """Tiles laid on a felt in pixels, each a rectangle; `boxes` is what a detector would see of them."""

    def __init__(self) -> None:
        self.corners: list[np.ndarray] = []

    def tile(self, x: float, y: float, turned: bool = False) -> int:
        """A tile whose near left corner (as its owner sits below) lies at x, y; `turned` lies across."""
        wide, long = (LONG, WIDE) if turned else (WIDE, LONG)
        self.corners.append(np.array([(x, y - long), (x + wide, y - long), (x + wide, y), (x, y)]))
        return len(self.corners) - 1

    def row(self, x: float, y: float, count: int, pitch: float = WIDE) -> tuple[int, ...]:
        return tuple(self.tile(x + pitch * place, y) for place in range(count))

    def pond(self, x: float, y: float, counts: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(index for line, count in enumerate(counts) for index in self.row(x, y + LONG * 1.02 * line, count))

    def boxes(self, degrees: float = 0.0, slant: float = 0.0, noise_px: float = 0.0, size: float = 1.0) -> np.ndarray:
        """The upright boxes after turning everything and looking at it from a slanted camera."""
        points = np.array(self.corners)
        angle = np.radians(degrees)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        points = (points - points.reshape(-1, 2).mean(axis=0)) @ turn.T
        depth = 1 - slant * points[..., 1:] / 600
        points = points * [1, 1 - 0.4 * slant] / depth * size
        low, high = points.min(axis=1), points.max(axis=1)
        boxes = np.concatenate([low, high], axis=1) + 1000
        boxes += np.random.default_rng(7).normal(0, noise_px, boxes.shape)
        return boxes.astype(np.float32)


def kinds(groups: tuple[Group, ...]) -> list[tuple[str, int]]:
    return [(group.kind, len(group.tiles)) for group in groups]


@pytest.mark.parametrize("degrees", range(-80, 90, 10))
def test_a_hand_is_one_line_at_any_angle_and_the_tile_apart_stays_apart(degrees: float) -> None:
    felt = Felt()
    hand = felt.row(0, 0, 13)
    apart = felt.tile(13 * WIDE + 25, 0)
    groups = group_tiles(felt.boxes(degrees, noise_px=0.7))
    downwards = hand[::-1] if degrees < -60 else hand  # a row that climbs steeply is read from its top
    assert [(group.kind, group.tiles) for group in groups] == [("hand", downwards), ("row", (apart,))]


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
@pytest.mark.parametrize("slant", [0.0, 0.5, 1.0])
def test_a_hand_beside_two_melds_and_a_kong_with_a_turned_tile(degrees: float, slant: float) -> None:
    felt = Felt()
    hand = felt.row(0, 0, 5)
    pung = (felt.tile(230, 0), felt.tile(230 + LONG, 0, turned=False), felt.tile(230 + LONG + WIDE, 0))
    felt.corners[pung[0]] = np.array([(230, -WIDE), (230 + LONG, -WIDE), (230 + LONG, 0), (230, 0)])  # claimed tile
    chow = felt.row(370, 0, 3)
    kong = felt.row(490, 0, 4)
    found = {frozenset(group.tiles): group.kind for group in group_tiles(felt.boxes(degrees, slant, 0.5))}
    expected = {frozenset(hand): "hand", frozenset(pung): "meld", frozenset(chow): "meld", frozenset(kong): "meld"}
    assert found == expected


@pytest.mark.parametrize("degrees", [0, 15, 90, 200, 318])
@pytest.mark.parametrize("place", [0, 1])
def test_a_fourth_tile_added_to_a_meld_belongs_to_it(degrees: float, place: int) -> None:
    """The turned tile and the added one lie one behind the other, in the middle or at an end of the meld."""
    felt = Felt()
    x = 0.0
    meld = []
    for index in range(3):
        turned = index == place
        meld.append(felt.tile(x, 0, turned))
        if turned:
            meld.append(felt.tile(x, -WIDE, turned))
        x += LONG if turned else WIDE
    chow = felt.row(x + 20, 0, 3)
    groups = {frozenset(group.tiles): group.kind for group in group_tiles(felt.boxes(degrees, noise_px=0.4))}
    assert groups == {frozenset(meld): "meld", frozenset(chow): "meld"}


@pytest.mark.parametrize(("degrees", "lengths"), [(d, c) for d in (0, 90, 180, 270, 8) for c in ((6, 6, 4), (6, 1))])
def test_a_pond_is_read_in_discard_order_from_every_seat(degrees: float, lengths: tuple[int, ...]) -> None:
    felt = Felt()
    pond = felt.pond(0, 0, lengths)
    assert [(group.kind, group.tiles) for group in group_tiles(felt.boxes(degrees, noise_px=0.5))] == [("pond", pond)]


def test_a_full_pond_seen_at_a_slant_keeps_its_rows() -> None:
    felt = Felt()
    pond = felt.pond(0, 0, (6, 6, 6))
    for slant in (0.3, 0.8):
        assert [(group.kind, group.tiles) for group in group_tiles(felt.boxes(4, slant, 0.4))] == [("pond", pond)]


def test_four_ponds_and_four_hands_around_one_table() -> None:
    felt = Felt()
    for seat in range(4):
        one = Felt()
        one.row(-7 * WIDE, 420, 14)
        one.pond(-3 * WIDE, 150, (6, 6, 3))
        turn = np.linalg.matrix_power(np.array([[0, -1], [1, 0]]), seat)
        felt.corners += [corners @ turn.T for corners in one.corners]
    groups = group_tiles(felt.boxes(3, 0.3, 0.3))
    assert Counter(kinds(groups)) == Counter({("hand", 14): 4, ("pond", 15): 4})
    per_seat = {tuple(sorted({index // 29 for index in group.tiles})) for group in groups}
    assert per_seat == {(0,), (1,), (2,), (3,)}


def test_rows_of_a_tray_stay_rows_though_columns_touch_too() -> None:
    felt = Felt()
    rows = [felt.row(0, line * (LONG + 2), 9, WIDE + 2) for line in range(4)]
    assert [group.tiles for group in group_tiles(felt.boxes(2, 0.0, 1.0))] == rows


def test_tiles_thrown_far_apart_are_rows_of_one() -> None:
    felt = Felt()
    for x, y in ((0, 0), (120, 40), (60, 200), (300, 10)):
        felt.tile(x, y)
    assert kinds(group_tiles(felt.boxes())) == [("row", 1)] * 4


def test_no_tiles_no_groups() -> None:
    assert group_tiles(np.zeros((0, 4), np.float32)) == ()


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 900), st.integers(0, 900), st.integers(8, 60), st.integers(8, 60)), max_size=60)
)
def test_every_tile_of_any_heap_is_in_exactly_one_group(rows: list[tuple[int, int, int, int]]) -> None:
    boxes = np.array([(x, y, x + w, y + h) for x, y, w, h in rows], np.float32).reshape(-1, 4)
    placed = sorted(index for group in group_tiles(boxes) for index in group.tiles)
    assert placed == list(range(len(rows)))


@settings(deadline=None)
@given(size=st.floats(0.5, 8), degrees=st.floats(-30, 30))
def test_size_and_angle_of_the_photo_change_no_group(size: float, degrees: float) -> None:
    felt = Felt()
    felt.row(0, 0, 8)
    felt.row(270, 0, 3)
    felt.row(390, 0, 3)
    assert kinds(group_tiles(felt.boxes(degrees, 0.0, 0.3, size))) == [("hand", 8), ("meld", 3), ("meld", 3)]

"""Watching a table: nothing is read in motion, a scene at rest is read a few times, a new scene is read anew."""

from __future__ import annotations

import numpy as np
import pytest

from models import Thresholds
from vision.frames import Frame
from vision.types import Group, Image, PictureReading, TileReading
from vision.watch import READINGS, TableWatch


class CountingReader:
    """Reads one tile wherever the picture is bright, and counts how often it was asked."""

    def __init__(self) -> None:
        self.count = 0
        self.face = "5p"

    def read(self, image_bgr: Image) -> PictureReading:
        self.count += 1
        height, width = image_bgr.shape[:2]
        tile = TileReading(self.face, 0.97, "sure", (), (10.0, 10.0, 40.0, 52.0))
        return PictureReading(width, height, (tile,), (Group("row", (0,)),))


class Table:
    """Frames at ten a second, of a table with or without a hand over it."""

    def __init__(self) -> None:
        self.reader = CountingReader()
        self.watch = TableWatch(self.reader, Thresholds(0.9, 0.5))
        self._noise = np.random.default_rng(3)
        self._number = 0

    def frames(self, count: int, hand: bool = False, size: tuple[int, int] = (180, 320)) -> list[PictureReading | None]:
        return [self.watch.look(self.frame(hand, size)) for _ in range(count)]

    def frame(self, hand: bool = False, size: tuple[int, int] = (180, 320)) -> Frame:
        image = self._noise.normal(90, 4, (*size, 3))
        if hand:
            left = 17 * self._number % 200
            image[30:150, left : left + 60] = 200
        self._number += 1
        return Frame(np.clip(image, 0, 255).astype(np.uint8), self._number / 10, self._number)


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_scene_at_rest_is_read_a_few_times_and_then_left_alone(table: Table) -> None:
    answers = table.frames(60)
    assert table.reader.count == READINGS
    assert [answer for answer in answers if answer][-1].tiles[0].tile == "5p"
    believed = table.watch.believed
    assert believed is not None
    assert len(believed.tiles) == 1


def test_nothing_is_read_while_a_hand_moves_over_the_table(table: Table) -> None:
    table.frames(20)
    before = table.reader.count
    assert table.frames(30, hand=True) == [None] * 30
    assert table.reader.count == before


def test_after_a_hand_was_there_the_table_is_read_anew(table: Table) -> None:
    table.frames(20)
    table.frames(5, hand=True)
    table.reader.face = "6p"
    table.frames(40)
    assert table.reader.count == 2 * READINGS
    believed = table.watch.believed
    assert believed is not None
    assert believed.tiles[0].tile == "6p"


def test_the_same_frame_twice_is_looked_at_once(table: Table) -> None:
    table.frames(8)
    frame = table.frame()
    first, second = table.watch.look(frame), table.watch.look(frame)
    assert first is not None
    assert second is None


def test_another_resolution_starts_over(table: Table) -> None:
    table.frames(20)
    table.frames(20, size=(360, 640))
    believed = table.watch.believed
    assert believed is not None
    assert (believed.width, believed.height) == (640, 360)
    assert len(believed.tiles) == 1

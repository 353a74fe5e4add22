"""Only what changed on a still table is read again: with the answer a full reading gives, and much less work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from models import Thresholds
from vision.changes import Changes, Compared
from vision.frames import Frame
from vision.memory import SceneMemory
from vision.motion import MotionGate
from vision.pictures import load_picture
from vision.reader import TileReader
from vision.steady import APPEAR, ENOUGH
from vision.types import Box, Group, Image, PictureReading, Place, TileReading
from vision.watch import READINGS, TableWatch

TABLE = Path(__file__).parent.parent / "table" / "demo" / "hand2_win.jpg"
MOVED_PX = 0.15
"""A tile is the same when its middle lies within this share of its side; faces that one is sure of are equal."""


@pytest.fixture(scope="module")
def reader() -> TileReader:
    return TileReader.from_models(threads=1)


@pytest.fixture(scope="module")
def table() -> Image:
    """A rendered table with a hand, melds, ponds and walls, 1600 x 1200."""
    return load_picture(TABLE)


@pytest.fixture(scope="module")
def before(reader: TileReader, table: Image) -> PictureReading:
    return reader.read(table)


def as_camera(image: Image, seed: int, noise: float = 4.0, drift: float = 0.06) -> Image:
    """The same scene a little later: noise, the sun a little further on one side, JPEG."""
    light = np.linspace(1 - drift, 1 + drift, image.shape[1])[None, :, None]
    seen = image * light + np.random.default_rng(seed).normal(0, noise, image.shape)
    sent = cv2.imencode(".jpg", np.clip(seen, 0, 255).astype(np.uint8))[1]
    return np.asarray(cv2.imdecode(sent, cv2.IMREAD_COLOR), np.uint8)


def side_px(reading: PictureReading) -> float:
    return float(np.median([min(t.box_px[2] - t.box_px[0], t.box_px[3] - t.box_px[1]) for t in reading.tiles]))


def cut(image: Image, box: Box) -> Image:
    left, top, right, bottom = (round(edge) for edge in box)
    return image[top:bottom, left:right]


def two_alike(reading: PictureReading) -> tuple[TileReading, TileReading]:
    """Two tiles of one size and different faces, far apart."""
    faces = [tile for tile in reading.tiles if tile.tile != "x" and tile.sure == "sure"]
    sizes = [np.array([t.box_px[2] - t.box_px[0], t.box_px[3] - t.box_px[1]]) for t in faces]
    return next(
        (one, two)
        for one, size in zip(faces, sizes, strict=True)
        for two, other in zip(faces, sizes, strict=True)
        if one.tile != two.tile and np.abs(size - other).max() < 2 and abs(one.box_px[0] - two.box_px[0]) > 300
    )


def bare(image: Image, size: tuple[int, int], reading: PictureReading) -> tuple[int, int]:
    """Where a piece of felt of this size (wide, high) lies bare, near the middle of the picture."""
    felt = (np.abs(image - np.median(image, axis=(0, 1))).max(axis=2) < 25).astype(np.uint8)
    for tile in reading.tiles:
        cut(felt, (tile.box_px[0] - 12, tile.box_px[1] - 12, tile.box_px[2] + 12, tile.box_px[3] + 12))[:] = 0
    other = cv2.integral(1 - felt)
    wide, high = size
    inside = other[high:, wide:] - other[:-high, wide:] - other[high:, :-wide] + other[:-high, :-wide]
    rows, columns = np.nonzero(inside == 0)
    middle = np.argmin((rows - image.shape[0] / 2) ** 2 + (columns - image.shape[1] / 2) ** 2)
    return int(columns[middle]), int(rows[middle])


def apart(reading: PictureReading, tiles: tuple[int, ...]) -> bool:
    """No other tile lies within a tile's side of these."""
    boxes = np.array([tile.box_px for tile in reading.tiles])
    low, high = boxes[list(tiles), :2].min(axis=0) - 30, boxes[list(tiles), 2:].max(axis=0) + 30
    near = ((boxes[:, 2:] > low) & (boxes[:, :2] < high)).all(axis=1)
    return int(near.sum()) == len(tiles)


Expected = tuple[Box, str | None]
"""A place, and the face that lies there now; None for bare felt."""


def one_tile_turned_into_another(image: Image, reading: PictureReading) -> Expected:
    one, two = two_alike(reading)
    place = cut(image, one.box_px)
    place[:] = cv2.resize(cut(image, two.box_px).copy(), place.shape[1::-1])
    return one.box_px, two.tile


def a_discard_added(image: Image, reading: PictureReading) -> Expected:
    one = two_alike(reading)[0]
    tile = cut(image, one.box_px).copy()
    high, wide = tile.shape[:2]
    left, top = (side + 15 for side in bare(image, (wide + 30, high + 30), reading))
    image[top : top + high, left : left + wide] = tile
    return (float(left), float(top), float(left + wide), float(top + high)), one.tile


def a_meld_taken_away(image: Image, reading: PictureReading) -> Expected:
    group = next(group for group in reading.groups if len(group.tiles) in (3, 4) and apart(reading, group.tiles))
    boxes = np.array([reading.tiles[index].box_px for index in group.tiles])
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    hole = cut(image, (low[0] - 8, low[1] - 8, high[0] + 8, high[1] + 8))
    left, top = bare(image, (60, 60), reading)
    hole[:] = cv2.resize(image[top : top + 60, left : left + 60].copy(), hole.shape[1::-1])
    return (low[0], low[1], high[0], high[1]), None


def test_only_the_light_has_changed_and_nothing_is_read_again(table: Image, before: PictureReading) -> None:
    compared = Compared(table, side_px(before))
    for seed, (noise, drift) in enumerate([(3, 0.0), (8, 0.0), (12, 0.05), (4, 0.2)]):
        assert compared.changes(as_camera(table, seed, noise, drift)) == Changes(())
    dimmer = (table * 0.92).astype(np.uint8)
    assert compared.changes(as_camera(dimmer, 9)) == Changes(())


@pytest.mark.parametrize("change", [one_tile_turned_into_another, a_discard_added, a_meld_taken_away])
def test_what_changed_is_read_as_a_full_reading_reads_it(
    change: Callable[[Image, PictureReading], Expected], reader: TileReader, table: Image, before: PictureReading
) -> None:
    image = table.copy()
    place, face = change(image, before)
    later = as_camera(image, 3)
    changes = Compared(table, side_px(before)).changes(later)
    area = sum((right - left) * (bottom - top) for left, top, right, bottom in changes.places)
    assert not changes.whole
    assert 0 < area < 0.1 * table.shape[0] * table.shape[1]
    partly, wholly = reader.read_changed(later, changes.places, before), reader.read(later)
    assert [tile.tile for tile in partly.tiles if _lies_in(tile, _grown(place))] == [face] * (face is not None)
    for one, other in ((partly, wholly), (wholly, partly)):  # what one is sure of, the other has read as well
        sure = [tile for tile in one.tiles if tile.sure == "sure" and any(_lies_in(tile, p) for p in changes.places)]
        assert [tile for tile in sure if not any(_same(tile, same) for same in other.tiles)] == []
    kept = {tile.box_px for tile in before.tiles if not any(_touches(tile, place) for place in changes.places)}
    assert kept <= {tile.box_px for tile in partly.tiles}


def _same(one: TileReading, other: TileReading) -> bool:
    middles = [((t.box_px[0] + t.box_px[2]) / 2, (t.box_px[1] + t.box_px[3]) / 2) for t in (one, other)]
    side = min(one.box_px[2] - one.box_px[0], one.box_px[3] - one.box_px[1])
    return one.tile == other.tile and float(np.hypot(*np.subtract(*middles))) < MOVED_PX * side


def _grown(place: Box) -> Box:
    """With room for a box that is not drawn to the pixel."""
    return place[0] - 8, place[1] - 8, place[2] + 8, place[3] + 8


def _lies_in(tile: TileReading, place: Box) -> bool:
    left, top, right, bottom = tile.box_px
    return place[0] <= left and place[1] <= top and right <= place[2] and bottom <= place[3]


def _touches(tile: TileReading, place: Place) -> bool:
    left, top, right, bottom = tile.box_px
    return left < place[2] and place[0] < right and top < place[3] and place[1] < bottom


def test_another_exposure_or_a_pushed_camera_means_reading_everything(table: Image, before: PictureReading) -> None:
    compared = Compared(table, side_px(before))
    assert compared.changes(np.clip(table * 1.6, 0, 255).astype(np.uint8)).whole
    assert compared.changes(np.roll(table, 12, axis=1)).whole
    with pytest.raises(ValueError, match="one size"):
        compared.changes(table[:-8])


def test_on_a_still_scene_of_a_minute_no_tile_changes_its_face(reader: TileReader) -> None:
    """Noise, JPEG, a lamp that swells and fades; everything is read again every ten seconds.

    How sure a tile is may change once, when enough frames are in; from then on it stays.
    """
    picture = load_picture(Path(__file__).parent / "pictures" / "hand_and_melds.jpg")
    watch = TableWatch(reader, Thresholds(0.9, 0.5), whole_every_s=10.0)
    shown = []
    for frame in range(60):  # one a second
        light = 1 + 0.05 * np.sin(frame / 6)
        seen = as_camera(np.clip(picture * light, 0, 255).astype(np.uint8), frame, noise=6.0, drift=0.02)
        believed = watch.look(Frame(seen, float(frame), frame))
        if believed is not None and believed.tiles:
            shown.append([(tile.tile, tile.sure, tile.box_px) for tile in believed.tiles])
    assert len(shown) >= 4 * READINGS
    assert len(shown[0]) > 12
    faces = [[(tile, box) for tile, _, box in frame] for frame in shown]
    assert [frame for frame in faces if frame != faces[0]] == []
    for place in range(len(shown[0])):
        grades = [frame[place][1] for frame in shown]
        assert sum(one != other for one, other in pairwise(grades)) <= 1
        assert len(set(grades[ENOUGH - APPEAR :])) == 1


class Counting:
    """Counts how it was asked, and reads one tile wherever the picture is bright."""

    def __init__(self) -> None:
        self.whole, self.parts = 0, [[(0, 0, 0, 0)]][1:]

    def read(self, image_bgr: Image) -> PictureReading:
        self.whole += 1
        return _reading(image_bgr)

    def read_changed(self, image_bgr: Image, places: Sequence[Place], before: PictureReading) -> PictureReading:
        assert before.tiles
        self.parts.append(list(places))
        return _reading(image_bgr)


def _reading(image: Image) -> PictureReading:
    marks = cv2.connectedComponentsWithStats((image[:, :, 0] > 170).astype(np.uint8))[2][1:]
    tiles = tuple(
        TileReading("5p", 0.97, "sure", (), (float(x), float(y), float(x + w), float(y + h)))
        for x, y, w, h, area in marks
        if area > 300
    )
    return PictureReading(image.shape[1], image.shape[0], tiles, tuple(Group("row", (n,)) for n in range(len(tiles))))


class Play:
    """A table in front of a camera with ten frames a second."""

    def __init__(self, whole_every_s: float = 180.0) -> None:
        self.reader = Counting()
        self.watch = TableWatch(self.reader, Thresholds(0.9, 0.5), MotionGate(), whole_every_s=whole_every_s)
        self.image = np.full((360, 640, 3), 90, np.uint8)
        for left in (20, 60, 100):
            self.image[100:140, left : left + 30] = 220
        self._rng = np.random.default_rng(3)
        self._number = 0

    def rest(self, frames: int = 20) -> list[Box]:
        """The scene lies still; what is believed after that."""
        for _ in range(frames):
            self._show(self.image)
        believed = self.watch.believed
        assert believed is not None
        return [tile.box_px for tile in believed.tiles]

    def arm(self, frames: int = 8) -> None:
        for step in range(frames):
            image = self.image.copy()
            image[:200, 60 * step : 60 * step + 80] = (90, 120, 160)
            self._show(image)

    def _show(self, image: Image) -> None:
        noisy = np.clip(image + self._rng.normal(0, 3, image.shape), 0, 255).astype(np.uint8)
        self.watch.look(Frame(noisy, self._number / 10, self._number))
        self._number += 1


def test_an_arm_that_passes_by_costs_no_reading() -> None:
    play = Play()
    seen = play.rest()
    assert play.reader.whole == READINGS
    play.arm()
    assert play.rest() == seen
    assert (play.reader.whole, play.reader.parts) == (READINGS, [])


def test_a_discard_is_read_alone_and_several_times_as_a_whole_scene_would_be() -> None:
    play = Play()
    play.rest()
    play.arm()
    play.image[200:240, 400:430] = 220
    seen = play.rest()
    assert len(seen) == 4
    assert play.reader.whole == READINGS
    assert len(play.reader.parts) == READINGS
    for places in play.reader.parts:
        ((left, top, right, bottom),) = places
        assert 330 < left < 400 < 430 < right < 500
        assert 130 < top < 200 < 240 < bottom < 310
    play.arm()
    play.image[200:240, 400:430] = 90
    assert len(play.rest()) == 3


def test_all_is_read_again_after_a_while_even_if_nothing_moves() -> None:
    play = Play(whole_every_s=4.0)
    play.rest(100)
    assert play.reader.whole >= 2 * READINGS


def test_while_hardly_a_tile_is_known_everything_is_read() -> None:
    play = Play()
    play.image[:] = 90
    play.rest()
    play.arm()
    play.image[200:240, 400:430] = 220
    assert len(play.rest()) == 1
    assert (play.reader.whole, play.reader.parts) == (2 * READINGS, [])


def test_a_change_of_exposure_makes_it_read_everything() -> None:
    play = Play()
    play.rest()
    play.arm()
    play.image = (play.image * 0.6).astype(np.uint8)
    play.image[100:140, 100:130] = 200
    play.rest()
    assert play.reader.whole == 2 * READINGS


def test_a_lamp_switched_off_over_a_still_table_is_noticed_within_two_seconds() -> None:
    play = Play()
    play.rest()
    play.image = (play.image * 0.6).astype(np.uint8)
    play.image[100:140, 100:130] = 200
    play.rest(20)  # at ten frames a second
    assert play.reader.whole == 2 * READINGS
    play.rest(30)
    assert play.reader.whole == 2 * READINGS


def test_nothing_can_be_known_before_something_was_read() -> None:
    with pytest.raises(RuntimeError, match="nothing was read yet"):
        SceneMemory(Counting()).settle(_reading(np.zeros((64, 64, 3), np.uint8)))


def test_changed_parts_of_another_picture_are_refused(reader: TileReader, before: PictureReading) -> None:
    with pytest.raises(ValueError, match="the picture before was 1600 x 1200"):
        reader.read_changed(np.zeros((100, 100, 3), np.uint8), [], before)

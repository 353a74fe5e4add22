"""Tiles on a felt whose place is known are looked at along its edges, all of them as large as each other."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models import LABELS, Thresholds
from table.lookout import Lookout
from table.timed_eyes import Stopwatch, timed
from tests.test_vision_reader import row_boxes
from vision.boxes import crop_squares
from vision.calibration import Calibration, calibrate
from vision.classifier import ScriptedClassifier, cut_crops
from vision.detector import ScriptedDetector
from vision.felt_squares import FeltSquares
from vision.frames import Frame
from vision.memory import PartReader
from vision.reader import TileReader
from vision.types import Floats, Group, Image, PictureReading, TileReading

SIZE = (1200, 900)
FELT = calibrate(np.array([(330, 110), (930, 150), (1130, 830), (90, 790)], float), (800.0, 800.0), picture_px=SIZE)
"""A camera that hangs aslant."""
TILE_MM = (27.0, 36.0)
PLACES_MM = [(x, y, turned) for x in (-300.0, 0.0, 290.0) for y in (-310.0, 20.0, 300.0) for turned in (False, True)]


def from_above() -> Image:
    """The felt at 3 px a millimetre, with a tile that has four different quarters at each of the places."""
    felt = np.full((2400, 2400, 3), (60, 110, 40), np.uint8)
    for x, y, turned in PLACES_MM:
        wide, high = TILE_MM[::-1] if turned else TILE_MM
        at = np.array([(x - wide / 2 + 60 * turned, y - high / 2), (x + wide / 2 + 60 * turned, y + high / 2)])
        (x1, y1), (x2, y2) = np.rint((at + 400) * 3).astype(int)
        felt[y1:y2, x1:x2] = 235
        felt[y1 : (y1 + y2) // 2, x1 : (x1 + x2) // 2] = (30, 30, 200)
        felt[(y1 + y2) // 2 : y2, (x1 + x2) // 2 : x2] = (160, 60, 20)
    return felt


def boxes() -> Floats:
    """Around the tiles in the camera's picture; every third one fits badly."""
    found = []
    for number, (x, y, turned) in enumerate(PLACES_MM):
        wide, high = TILE_MM[::-1] if turned else TILE_MM
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (wide / 2, high / 2) + (x + 60 * turned, y)
        px = FELT.to_px(corners)
        loose = 2.0 * (number % 3 == 0)
        found.append([*(px.min(axis=0) - loose), *(px.max(axis=0) + loose)])
    return np.array(found, np.float32)


def test_every_tile_looks_as_if_the_camera_hung_straight_above_it() -> None:
    flat = from_above()
    to_picture = np.linalg.inv(FELT.to_table) @ np.array([[1 / 3, 0, -400], [0, 1 / 3, -400], [0, 0, 1]])
    finely = cv2.warpPerspective(flat, np.diag([4.0, 4.0, 1.0]) @ to_picture, (4 * SIZE[0], 4 * SIZE[1]))
    image = cv2.resize(finely, SIZE, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    squares = FeltSquares.around(FELT, boxes())
    assert squares.tile_mm == pytest.approx(TILE_MM[1], rel=0.15)
    assert squares.fit(boxes(), 0.1).all()
    middles = np.array([(x + 60 * turned, y) for x, y, turned in PLACES_MM])
    side = squares.tile_mm * 1.1
    ideal = cut_crops(
        flat, np.column_stack([(middles + 400) * 3, np.full(len(middles), side * 3)]).astype(np.float32), 64
    )
    seen = squares.crops(image, boxes(), 0.1, 64)
    upright = cut_crops(image, crop_squares(boxes(), 0.1), 64)
    off = [np.abs(crops.astype(int) - ideal).mean(axis=(1, 2, 3)) for crops in (seen, upright)]
    assert off[0].max() < 8
    assert off[0].mean() < off[1].mean() / 3


def test_what_is_no_tile_on_the_felt_is_left_as_it_is() -> None:
    found = np.array([[500, 400, 530, 440], [500, 400, 590, 440], [500, 400, 508, 411]], np.float32)
    assert FeltSquares(FELT, 36.0).fit(found, 0.1).tolist() == [True, False, False]


@pytest.mark.parametrize("far_px", [0.05, 3.0, 30.0])
def test_a_felt_that_no_camera_sees_so_takes_no_more_memory_than_a_picture(
    monkeypatch: pytest.MonkeyPatch, far_px: float
) -> None:
    """Its far corners were set next to each other: seen so, a tile there would be kilometres long."""
    corners = np.array([(600 - far_px, 100), (600 + far_px, 100), (1130, 830), (90, 830)], float)
    felt = calibrate(corners, picture_px=SIZE)
    places = [(x, y, x + 30, y + 40) for x in range(0, 1170, 60) for y in range(0, 860, 20)]
    found = np.array(places, np.float32)
    squares = FeltSquares.around(felt, found)
    lying = found[squares.fit(found, 0.1)]
    assert len(lying) > 20
    cut: list[int] = []

    def cutting(_image: Image, _matrix: object, size: tuple[int, int], **_: object) -> Image:
        cut.append(size[0])
        return np.zeros((64, 64, 3), np.uint8)

    monkeypatch.setattr(cv2, "warpPerspective", cutting)
    squares.crops(np.zeros((SIZE[1], SIZE[0], 3), np.uint8), lying, 0.1, 64)
    assert max(cut) < 300


class Asked(ScriptedClassifier):
    """Keeps how it was told to look."""

    def __init__(self, tiles: list[str]) -> None:
        super().__init__(LABELS, tiles)
        self.felt: list[FeltSquares | None] = []

    def name(self, image: Image, boxes_xyxy_px: Floats, felt: FeltSquares | None = None) -> Floats:
        self.felt.append(felt)
        return super().name(image, boxes_xyxy_px, felt)


def eyes(tiles: list[str]) -> tuple[TileReader, Asked]:
    asked = Asked(tiles)
    return TileReader(ScriptedDetector(row_boxes(len(tiles), 400, 400)), asked, Thresholds(sure=0.9, check=0.5)), asked


def test_only_a_reader_that_was_told_of_the_felt_looks_along_it_and_only_at_pictures_of_its_size() -> None:
    reader, asked = eyes(["1m", "2m", "3m"])
    image = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    reader.read(image)
    over = reader.over(FELT)
    over.read(image)
    over.read(image[:720])
    told = asked.felt
    assert [felt is not None for felt in told] == [False, True, False]
    assert told[1] is not None
    assert told[1].felt is FELT


def test_a_tile_that_is_new_is_measured_by_all_of_the_picture() -> None:
    reader, asked = eyes(["1m"])
    large = tuple(TileReading("2m", 0.99, "sure", (), box) for box in ((400, 600, 460, 684), (700, 600, 760, 684)))
    before = PictureReading(*SIZE, large, (Group("row", (0, 1)),))
    image = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    reader.over(FELT).read_changed(image, [(0, 0, *SIZE)], before)
    (felt,) = asked.felt
    assert felt is not None
    assert felt.tile_mm > 1.3 * FeltSquares.around(FELT, np.array(row_boxes(1, 400, 400), np.float32)).tile_mm
    nothing = PictureReading(*SIZE, (), ())
    reader, _ = eyes([])
    assert reader.over(FELT).read_changed(image, [(10, 10, 20, 20)], nothing).tiles == ()


@pytest.mark.parametrize("known", [FELT, None])
def test_a_lookout_tells_its_eyes_where_the_felt_was_calibrated(known: Calibration | None) -> None:
    reader, asked = eyes(["1m", "2m", "3m"])
    now = [0.0]
    timed_eyes = timed(reader, Stopwatch(lambda: now[0]))
    assert isinstance(timed_eyes, PartReader)
    lookout = Lookout(timed_eyes, 0, known)
    image = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    for number in range(6):
        now[0] = float(number)
        lookout.picture(Frame(image, float(number), number))
    assert asked.felt
    assert {felt is not None for felt in asked.felt} == {known is not None}

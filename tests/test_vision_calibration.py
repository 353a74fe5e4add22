"""From pixels to millimetres: known cameras over a known table, the felt found by itself, zones, drift."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.calibration import DRIFT_ALARM, Calibration, CalibrationError, calibrate, drift, rectify, turned
from vision.calibration_file import calibration_text, load_calibration
from vision.felt import find_felt
from vision.table_rows import UNREAD, rows_on_table
from vision.types import Group, PictureReading, TileReading
from vision.zones import Zone, ZonePlan

CORNERS = np.array([(420, 90), (1500, 120), (1720, 1010), (230, 960)], float)
SIZE = (1920, 1080)


def test_the_corners_of_the_picture_are_the_corners_of_the_felt() -> None:
    found = calibrate(CORNERS, (800, 800), picture_px=SIZE)
    expected = np.array([(-400, -400), (400, -400), (400, 400), (-400, 400)])
    assert found.to_mm(CORNERS) == pytest.approx(expected, abs=0.1)
    assert found.to_px(expected) == pytest.approx(CORNERS, abs=0.1)


@settings(deadline=None)
@given(st.floats(-350, 350), st.floats(-350, 350))
def test_there_and_back_again_is_the_same_place(x_mm: float, y_mm: float) -> None:
    found = calibrate(CORNERS, (800, 700), picture_px=SIZE)
    assert found.to_mm(found.to_px(np.array([(x_mm, y_mm)])))[0] == pytest.approx((x_mm, y_mm), abs=1e-3)


def test_a_camera_straight_above_sees_millimetres_in_proportion() -> None:
    square = np.array([(100, 50), (900, 50), (900, 850), (100, 850)], float)
    found = calibrate(square, (800, 800), picture_px=(1000, 900))
    assert found.to_mm(np.array([(500, 450), (600, 450)])) == pytest.approx(np.array([(0, 0), (100, 0)]), abs=1e-3)
    assert found.px_per_mm == pytest.approx(1.0)


@pytest.mark.parametrize(("scale", "face_px", "good_px"), [(1.0, 26.0, 28), (2.0, 52.0, 40), (1.3, 33.8, 28)])
def test_the_width_of_a_face_is_known_from_the_felt(scale: float, face_px: float, good_px: int) -> None:
    """A felt of 800 mm that 800 pixels show; a 4K camera should give 40 pixels, a smaller one 28."""
    square = scale * np.array([(500, 50), (1300, 50), (1300, 850), (500, 850)], float)
    found = calibrate(square, (800, 800), picture_px=(round(1920 * scale), round(1080 * scale)))
    assert found.face_px == pytest.approx(face_px)
    assert found.good_face_px == good_px


def test_where_the_camera_sees_the_felt_smallest_counts() -> None:
    """A camera at a slant: the far edge is short, and what lies before it is low besides."""
    found = calibrate(CORNERS, (800, 800), picture_px=SIZE)
    places = np.stack(np.meshgrid(*[np.arange(-400, 375, 25.0)] * 2), axis=-1).reshape(-1, 2)
    seen = [np.hypot(*(found.to_px(places + side) - found.to_px(places)).T) for side in ((26, 0), (0, 26))]
    assert found.face_px == pytest.approx(np.min(seen), rel=0.02)
    assert found.face_px < 0.8 * 26 * np.hypot(190, 870) / 800  # along the whole of an edge they seem larger


@pytest.mark.parametrize("side", range(4))
def test_a_camera_that_looks_from_a_side_is_told_whichever_side_it_is(side: int) -> None:
    aside = np.array([(700, 300), (1200, 300), (1500, 1050), (400, 1050)], float)
    assert calibrate(np.roll(aside, side, axis=0), (800, 800), picture_px=SIZE).slanted
    assert not calibrate(np.roll(CORNERS, side, axis=0), (800, 800), picture_px=SIZE).slanted


def test_where_seat_0_sits_turns_the_table_and_not_the_camera() -> None:
    found = calibrate(CORNERS, (800, 700), picture_px=SIZE)
    point = found.to_px(np.array([(100, 300)]))
    # seat 1 sits at the right; as seen from there, what lay near seat 0 lies to the left
    assert turned(found, 1).to_mm(point)[0] == pytest.approx((-300, 100), abs=0.1)
    assert turned(found, 2).to_mm(point)[0] == pytest.approx((-100, -300), abs=0.1)
    assert turned(found, 4).to_mm(point)[0] == pytest.approx((100, 300), abs=0.1)


def test_the_rectified_view_shows_the_felt_straight_from_above() -> None:
    image = np.zeros((1080, 1920, 3), np.uint8)
    found = calibrate(CORNERS, (800, 800), picture_px=SIZE)
    spot = found.to_px(np.array([(-200, 100), (-160, 100), (-160, 160), (-200, 160)]))
    cv2.fillConvexPoly(image, np.rint(spot).astype(np.int32), (255, 255, 255))
    view = rectify(image, found, px_per_mm=1.0)
    assert view.image.shape == (800, 800, 3)
    y, x = np.nonzero(view.image[:, :, 0] > 128)
    left_top, right_bottom = view.to_mm(np.array([(x.min(), y.min()), (x.max() + 1, y.max() + 1)]))
    assert left_top == pytest.approx((-200, 100), abs=2)
    assert right_bottom == pytest.approx((-160, 160), abs=2)


def test_a_picture_of_another_size_asks_for_a_new_calibration() -> None:
    found = calibrate(CORNERS, picture_px=SIZE)
    with pytest.raises(
        CalibrationError, match="now delivers 1280 x 720 pixels instead of 1920 x 1080; calibrate again"
    ):
        rectify(np.zeros((720, 1280, 3), np.uint8), found)


@pytest.mark.parametrize(
    ("corners", "sentence"),
    [
        (CORNERS[[0, 2, 1, 3]], "crossed or mirrored"),
        (CORNERS[::-1], "crossed or mirrored"),
        (np.array([(0, 0), (500, 0), (1000, 0), (0, 900)], float), "crossed or mirrored"),
        (CORNERS[:3], "four corners"),
        (np.full((4, 2), np.nan), "four corners"),
        ((CORNERS - SIZE) * 1e6, "four corners"),
        (CORNERS * 0.1, "hang the camera lower"),
    ],
)
def test_corners_that_no_felt_can_have_are_one_sentence(corners: np.ndarray, sentence: str) -> None:
    with pytest.raises(CalibrationError, match=sentence):
        calibrate(corners, picture_px=SIZE)


@pytest.mark.parametrize(
    "sides", ["[820, 1e-06]", "[820, 1e9]", "[-820, 820]", "[820, 1" + 400 * "0" + "]", "[" * 9_999]
)
def test_a_calibration_edited_to_what_cannot_be_is_one_sentence(tmp_path: Path, sides: str) -> None:
    file = tmp_path / "calibration.json"
    file.write_text(calibration_text(calibrate(CORNERS, picture_px=SIZE), "2026-01-02"), encoding="ascii")
    assert load_calibration(file).size_mm == (820, 820)
    document = {**json.loads(file.read_text(encoding="ascii")), "size_mm": 0}
    file.write_text(json.dumps(document).replace('"size_mm": 0', f'"size_mm": {sides}'), encoding="ascii")
    with pytest.raises(CalibrationError, match=r"calibration.json: .*(does not exist|is damaged)"):
        load_calibration(file)


def test_drift_is_the_share_of_the_side_by_which_the_worst_corner_moved() -> None:
    square = np.array([(100, 100), (1100, 100), (1100, 1100), (100, 1100)], float)
    before = calibrate(square, picture_px=(1200, 1200))
    assert drift(before, square) == 0
    moved = square.copy()
    moved[2] += (12, 5)
    assert drift(before, moved) == pytest.approx(0.013)
    assert drift(before, np.roll(moved, 1, axis=0)) == pytest.approx(0.013)  # whichever corner is named first
    assert drift(before, square + 9) < 0.013
    assert drift(before, square + 9) > DRIFT_ALARM


def table_picture(corners: np.ndarray, felt: tuple[int, int, int] = (70, 110, 30)) -> np.ndarray:
    """A felt of 800 mm with rounded corners in a wooden frame, a centre machine, tiles, a lamp and noise."""
    rng = np.random.default_rng(11)
    table = np.full((880, 880, 3), (40, 60, 90), np.uint8)
    cv2.rectangle(table, (70, 40), (810, 839), felt, -1)
    cv2.rectangle(table, (40, 70), (839, 810), felt, -1)
    for x, y in ((70, 70), (809, 70), (809, 809), (70, 809)):
        cv2.circle(table, (x, y), 30, felt, -1)
    cv2.circle(table, (440, 440), 90, (60, 60, 60), -1)
    for x, y in rng.integers(80, 780, (70, 2)):
        cv2.rectangle(table, (int(x), int(y)), (int(x) + 22, int(y) + 30), (235, 240, 240), -1)
    cv2.rectangle(table, (30, 340), (80, 560), (235, 240, 240), -1)  # tiles over one edge
    felt_corners = np.array([(40, 40), (840, 40), (840, 840), (40, 840)], np.float32)
    matrix = cv2.getPerspectiveTransform(felt_corners, corners.astype(np.float32))
    room = np.full((SIZE[1], SIZE[0], 3), (60, 70, 80), np.uint8)
    image = cv2.warpPerspective(table, matrix, SIZE, dst=room, borderMode=cv2.BORDER_TRANSPARENT)
    lamp = np.linspace(0.75, 1.15, SIZE[0])[None, :, None]
    return np.clip(image * lamp + rng.normal(0, 4, image.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("felt", [(70, 110, 30), (120, 60, 20), (40, 30, 120), (60, 90, 20)])
@pytest.mark.parametrize("turn", [0, 1])
def test_the_felt_is_found_under_tiles_lamp_and_noise(felt: tuple[int, int, int], turn: int) -> None:
    corners = CORNERS if not turn else np.array([(960, 60), (1480, 520), (980, 1020), (430, 540)], float)
    found = find_felt(table_picture(corners, felt))
    assert found is not None
    side = np.hypot(*(corners[1] - corners[0]))
    shifts = [np.hypot(*(np.roll(found.corners_px, turn, axis=0) - corners).T).max() for turn in range(4)]
    assert min(shifts) < 0.01 * side
    assert found.quality > 0.85


def test_the_found_corners_go_clockwise_from_the_top_left() -> None:
    found = find_felt(table_picture(CORNERS))
    assert found is not None
    assert found.corners_px == pytest.approx(CORNERS, abs=10)


def test_no_felt_no_guess() -> None:
    rng = np.random.default_rng(3)
    assert find_felt(rng.integers(0, 255, (480, 640, 3), dtype=np.uint8)) is None
    assert find_felt(np.full((480, 640, 3), 128, np.uint8)) is None  # felt or not, its corners are outside
    disc = np.full((480, 640, 3), 200, np.uint8)
    cv2.circle(disc, (320, 240), 200, (70, 110, 30), -1)
    assert find_felt(disc) is None


def test_a_felt_cut_off_by_the_picture_is_not_guessed() -> None:
    shifted = CORNERS + np.array((0, 250))
    assert find_felt(table_picture(shifted)) is None


def test_each_seat_has_its_zones_and_they_turn_with_the_table() -> None:
    plan = ZonePlan((800, 800))
    mine = {(0, 150): "pond", (0, 250): "wall", (-200, 350): "hand", (300, 350): "melds"}
    for (x, y), kind in mine.items():
        for seat in range(4):
            assert plan.zone_of(x, y) == Zone(kind, seat)  # type: ignore[arg-type]
            x, y = y, -x  # the next player sits to the right
    assert plan.zone_of(0, 0) == Zone("centre", None)
    assert plan.zone_of(410, 0) == Zone("outside", None)


@settings(deadline=None)
@given(st.floats(-399, 399), st.floats(-349, 349))
def test_every_point_of_the_felt_belongs_somewhere(x_mm: float, y_mm: float) -> None:
    zone = ZonePlan((800, 700)).zone_of(x_mm, y_mm)
    assert zone.kind != "outside"
    assert (zone.seat is None) == (zone.kind == "centre")


def test_zones_out_of_order_are_refused() -> None:
    with pytest.raises(ValueError, match="from the middle to the edge"):
        ZonePlan(pond=0.8, wall=0.7)


def seen(placed: list[tuple[np.ndarray, str]], found: Calibration, *, upright: bool | None = None) -> PictureReading:
    """A reading of tiles of 26 x 36 mm, given by middle and text; those of seats 1 and 3 lie across by themselves."""
    tiles = []
    for (x, y), text in placed:
        wide, long = (26, 36) if upright or (upright is None and abs(y) > abs(x)) else (36, 26)
        corners = found.to_px(np.array([(x + sx * wide / 2, y + sy * long / 2) for sx in (-1, 1) for sy in (-1, 1)]))
        box = (*corners.min(axis=0), *corners.max(axis=0))
        tiles.append(TileReading(text, 0.9, "sure", (), tuple(float(edge) for edge in box)))  # type: ignore[arg-type]
    groups = tuple(Group("row", (index,)) for index in range(len(tiles)))
    return PictureReading(*SIZE, tuple(tiles), groups)


def test_each_row_goes_to_its_seat_and_is_read_as_its_player_sees_it() -> None:
    """A row of three before every seat, laid from the player's left to right."""
    found = calibrate(CORNERS, (800, 800), picture_px=SIZE)
    laid = [(np.array((-130.0 + 27 * place, 340.0)), f"{place + 1}m") for place in range(3)]
    for seat in range(3):
        laid += [(np.array((at[1], -at[0])), text) for at, text in laid[3 * seat : 3 * seat + 3]]
    rows = rows_on_table(seen(laid, found), found, ZonePlan())
    assert [(row.seat, row.zone, row.flat) for row in rows] == [(seat, "hand", True) for seat in range(4)]
    assert [row.tiles for row in rows] == [(0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11)]
    assert rows[0].ahead_mm == pytest.approx(340, abs=1)


def test_in_a_corner_the_way_tiles_lie_says_whose_they_are() -> None:
    found = calibrate(CORNERS, (800, 800), picture_px=SIZE)
    mine = [(np.array((385.0 - 27 * place, 345.0)), "1m") for place in range(3)]
    rows = rows_on_table(seen(mine, found, upright=True), found, ZonePlan())
    assert [(row.seat, row.tiles) for row in rows] == [(0, (2, 1, 0))]


def test_a_pond_has_no_free_place_and_melds_part_at_gaps() -> None:
    found = calibrate(CORNERS, (800, 800), picture_px=SIZE)
    pond = [(np.array((-70.0 + 27 * place, 130.0)), "1m") for place in (0, 1, 3, 4)]
    melds = [(np.array((100.0 + 27 * place + 12 * (place > 2), 340.0)), "2m") for place in range(6)]
    rows = rows_on_table(seen(pond + melds, found), found, ZonePlan())
    assert [(row.zone, row.tiles, row.even) for row in rows] == [
        ("pond", (0, 1, UNREAD, 2, 3), True), ("hand", (4, 5, 6), True), ("hand", (7, 8, 9), True),
    ]  # fmt: skip


def test_a_reading_of_another_picture_size_is_refused() -> None:
    found = calibrate(CORNERS, picture_px=SIZE)
    with pytest.raises(ValueError, match=r"holds for \(1920, 1080\), not 640 x 480"):
        rows_on_table(PictureReading(640, 480, (), ()), found, ZonePlan())

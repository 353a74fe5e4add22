"""How large tiles are on a table is known from the first look on, when most of what is seen are hands that stand."""

from __future__ import annotations

import numpy as np

from vision.calibration import calibrate
from vision.grouping import arrange
from vision.table_rows import by_seat, rows_on_table
from vision.types import TileReading
from vision.zones import ZonePlan

SIDE_PX, SIDE_MM = 800, 800.0
FELT = calibrate(np.array([(0, 0), (800, 0), (800, 800), (0, 800)]), (SIDE_MM, SIDE_MM), picture_px=(SIDE_PX, SIDE_PX))
WIDE, LONG, DEEP = 28.0, 38.0, 15.0


def back(x: float, y: float, wide: float, high: float) -> TileReading:
    box = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
    return TileReading("x", 0.99, "sure", (), box)


def standing(seat: int, depths: list[float]) -> list[TileReading]:
    """A hand that stands at a seat's edge, a narrow side up; `depths` as the eyes measure them."""
    found = []
    for number, depth in enumerate(depths):
        aside, ahead = -190 + number * WIDE, 340.0
        x, y = ((aside, ahead), (ahead, -aside), (-aside, -ahead), (-ahead, aside))[seat]
        wide, high = (WIDE, depth) if seat % 2 == 0 else (depth, WIDE)
        found.append(back(SIDE_PX / 2 + x, SIDE_PX / 2 + y, wide, high))
    return found


def test_four_standing_tiles_measured_too_deep_are_no_kong() -> None:
    """Of 52 standing tiles, and a wall of which half is drawn, the most are short; they must not set the measure."""
    tiles = [tile for seat in (0, 1, 3) for tile in standing(seat, [DEEP] * 13)]
    tiles += standing(2, [DEEP] * 9 + [18.0] * 4)
    tiles += [back(150 + number * WIDE, 150, WIDE, LONG) for number in range(18)]
    tiles += [back(150 + number * WIDE, 650, WIDE, LONG) for number in range(6)]
    rows = rows_on_table(arrange(SIDE_PX, SIDE_PX, tiles), FELT, ZonePlan())
    for seat in range(4):
        assert sum(len(row.tiles) for row in by_seat(rows, seat, "hand", flat=False)) == 13
        assert by_seat(rows, seat, "hand") == ()

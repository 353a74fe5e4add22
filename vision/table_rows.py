"""Rows of tiles on a calibrated table: whose they are, in which zone, from left to right as their player sees them.

Where the felt is known, millimetres tell far more than pixels: how large a tile is, which way it lies, which line it
belongs to. Nothing here knows which tile is which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.calibration import Calibration, Points
from vision.lines import WIDE_TO_LONG, extents
from vision.types import PictureReading
from vision.zones import ZoneKind, ZonePlan, views

UPRIGHT = 1.12
"""A tile that is longer than wide by this factor shows which way it lies."""
SMALLEST = 0.78
"""What is shorter or narrower than this share of a tile lying flat does not lie flat: it stands, or is no tile."""
LINE = 0.5
"""Tiles of one line differ by less than this share of their length in how far they lie from the middle."""
GAP = 0.22
"""Free space between two tiles of a line that parts them, in tile widths beyond the usual step."""
CORNER = 1.3
"""Nearer to a diagonal of the table than so many lengths, a tile's direction decides whose it is, not its place."""
Array = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TableRow:
    """Tiles side by side before one player.

    Attributes:
        seat: Whose.
        zone: `pond`, `wall`, `hand` for everything between wall and edge, or `centre`.
        tiles: Positions in `PictureReading.tiles`, left to right as the player sees them.
        ahead_mm: How far from the middle of the table.
        left_mm, right_mm: Where it begins and ends, to the player's right of the middle.
        flat: Whether the tiles lie flat; tiles that stand show a narrow side.
        hole: Whether somewhere between two of its tiles there is room for another one.
    """

    seat: int
    zone: ZoneKind
    tiles: tuple[int, ...]
    ahead_mm: float
    left_mm: float
    right_mm: float
    flat: bool = True
    hole: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Measured:
    """All tiles in table millimetres: middles (N, 2), extents along x and y (N, 2), and one tile's width and length."""

    middles: Points
    sizes: Points
    wide: float
    long: float

    @property
    def upright(self) -> NDArray[np.int64]:
        """1 for tiles that lie as seats 0 and 2 see them upright, -1 for the other two seats, 0 where that is open."""
        ratio = self.sizes[:, 1] / self.sizes[:, 0]
        return np.where(ratio > UPRIGHT, 1, np.where(ratio < 1 / UPRIGHT, -1, 0)).astype(np.int64)

    @property
    def flat(self) -> NDArray[np.bool_]:
        """Which tiles lie flat on the table."""
        low, high = self.sizes.min(axis=1), self.sizes.max(axis=1)
        flat: NDArray[np.bool_] = (high > SMALLEST * self.long) & (low > SMALLEST * self.wide)
        return flat


def rows_on_table(reading: PictureReading, calibration: Calibration, plan: ZonePlan) -> tuple[TableRow, ...]:
    """Sorts the tiles of a picture of the whole table into the rows of its four players.

    Args:
        reading: Read from a picture of the size that `calibration` holds for.
        calibration: How the camera sees the table.
        plan: Where zones end; the size of the felt is the calibration's.

    Returns:
        Rows of tiles that lie flat, and of tiles that stand, from the middle outwards, each from its player's left.
        A pond's line is one row even if a place in it is free; elsewhere a gap begins another row. Tiles beyond the
        felt are left out.

    Raises:
        ValueError: The picture has another size.
    """
    if (reading.width, reading.height) != calibration.picture_px:
        raise ValueError(f"the calibration holds for {calibration.picture_px}, not {reading.width} x {reading.height}")
    if not reading.tiles:
        return ()
    boxes = np.array([tile.box_px for tile in reading.tiles], np.float64)
    faces = np.array([tile.tile != "x" for tile in reading.tiles])
    measured = _measure(boxes, faces, calibration)
    plan = replace(plan, size_mm=calibration.size_mm)
    seats = _seats(measured, plan)
    rows: list[TableRow] = []
    for seat in range(4):
        own = np.flatnonzero(seats == seat)
        if len(own):
            rows += _rows_of(seat, own, measured, plan)
    return tuple(rows)


def _measure(boxes: Array, faces: NDArray[np.bool_], calibration: Calibration) -> _Measured:
    """Places and sizes on the table; what a box around a tile seen askew is too large is taken out again."""
    middles_px = (boxes[:, :2] + boxes[:, 2:]) / 2
    middles = calibration.to_mm(middles_px)
    step = 10.0
    along_x, along_y = (
        calibration.to_px(middles + np.array(way) * step) - middles_px for way in ((1.0, 0.0), (0.0, 1.0))
    )
    angle = np.arctan2(along_x[:, 1], along_x[:, 0])
    along, across = extents(boxes[:, 2:] - boxes[:, :2], angle)
    sizes = np.stack([along * step / np.hypot(*along_x.T), across * step / np.hypot(*along_y.T)], axis=1)
    known = sizes[faces] if faces.sum() >= 3 else sizes
    long = float(np.median(known.max(axis=1)))
    wide = float(np.clip(np.median(known.min(axis=1)), 0.6 * long, 0.85 * long)) if long else WIDE_TO_LONG
    return _Measured(middles, sizes, wide, long)


def _seats(measured: _Measured, plan: ZonePlan) -> Places:
    """Whose each tile is: -1 for nobody's. Near the diagonals the way the tiles lie decides for all that touch."""
    ahead = np.stack([views(measured.middles[:, 0], measured.middles[:, 1])[seat][1] for seat in range(4)], axis=1)
    order = np.argsort(-ahead, axis=1)
    seats = order[:, 0].astype(np.int64)
    best = np.take_along_axis(ahead, order, 1)
    near = np.flatnonzero(best[:, 0] - best[:, 1] < CORNER * measured.long)
    lean = _lean(measured, near)
    for group in _touching(measured, near, lean):
        common = int(np.sign(lean[group].sum()))
        for tile in group:
            fits = [int(seat) for seat in order[tile, :2] if (seat % 2 == 0) == (common > 0)]
            seats[tile] = fits[0] if common and fits else seats[tile]
    outside = (np.abs(measured.middles) > np.array(plan.size_mm) / 2 * 1.03).any(axis=1)
    seats[outside] = -1
    return seats


def _lean(measured: _Measured, tiles: Places) -> Places:
    """Which way tiles lie; one that does not show it lies as most of those that touch it side by side."""
    lean = measured.upright.copy()
    for tile in tiles[lean[tiles] == 0]:
        lean[tile] = np.sign(
            sum(way for other in tiles if (way := int(measured.upright[other])) and _beside(measured, tile, other, way))
        )
    return lean


def _touching(measured: _Measured, tiles: Places, lean: Places) -> list[list[int]]:
    """Tiles that lie the same way, side by side in one line, as groups."""
    groups = [[int(tile)] for tile in tiles]
    for first in tiles:
        for second in tiles[tiles > first]:
            way = int(lean[first])
            if way and lean[second] == way and _beside(measured, int(first), int(second), way):
                one = next(group for group in groups if int(first) in group)
                other = next(group for group in groups if int(second) in group)
                if one is not other:
                    one.extend(other)
                    groups.remove(other)
    return groups


def _beside(measured: _Measured, first: int, second: int, way: int) -> bool:
    """Whether two tiles touch with their long sides, if both lie this way."""
    along, across = np.abs(measured.middles[first] - measured.middles[second])[::way]
    return bool(0.5 * measured.wide < along < 1.3 * measured.wide and across < 0.3 * measured.long)


def _rows_of(seat: int, own: NDArray[np.int64], measured: _Measured, plan: ZonePlan) -> list[TableRow]:
    seen = np.array([views(float(x), float(y))[seat] for x, y in measured.middles[own]])
    half_mm = plan.size_mm[1 - seat % 2] / 2
    rows: list[TableRow] = []
    kinds = [plan.band(float(ahead) / half_mm) for ahead in seen[:, 1]]
    flat = measured.flat[own]
    turned = measured.upright[own] == (-1 if seat % 2 == 0 else 1)
    for lying in (True, False):
        for kind in ("centre", "pond", "wall", "hand"):
            chosen = np.flatnonzero((np.array(kinds) == kind) & (flat == lying))
            for line in _lines(chosen, seen, turned, measured):
                wide = np.where(turned[line], measured.long, measured.wide)
                for part, hole in _parts(line, seen[:, 0], wide, measured.wide, whole=kind == "pond"):
                    rows.append(
                        TableRow(
                            seat,
                            kind,
                            tuple(int(tile) for tile in own[part]),
                            float(np.median(seen[part, 1])),
                            float(seen[part, 0].min() - wide.min() / 2),
                            float(seen[part, 0].max() + wide.min() / 2),
                            flat=lying,
                            hole=hole,
                        )
                    )
    return rows


def _lines(chosen: NDArray[np.int64], seen: Array, turned: NDArray[np.bool_], measured: _Measured) -> list[Places]:
    """Tiles equally far from the middle, from the middle outwards, each line from left to right.

    A tile laid across beyond another one that lies across (the fourth of a pung) belongs beside that one.
    """
    doubled: dict[int, int] = {}
    across = [int(tile) for tile in chosen if turned[tile]]
    for tile in across:
        for other in across:
            aside, beyond = np.abs(seen[tile] - seen[other])
            nearer = seen[tile, 1] < seen[other, 1]
            if tile != other and aside < 0.35 * measured.wide and beyond < 1.35 * measured.wide and nearer:
                doubled[tile] = other
    lines: list[list[int]] = []
    for tile in sorted((int(tile) for tile in chosen if int(tile) not in doubled), key=lambda one: seen[one, 1]):
        if lines and seen[tile, 1] - float(np.mean([seen[one, 1] for one in lines[-1]])) < LINE * measured.long:
            lines[-1].append(tile)
        else:
            lines.append([tile])
    ordered = []
    for line in lines:
        line.sort(key=lambda one: seen[one, 0])
        for extra, beside in doubled.items():
            if beside in line:
                line.insert(line.index(beside) + 1, extra)
        ordered.append(np.array(line, np.int64))
    return ordered


def _parts(line: Places, aside: Array, wide: Array, usual_mm: float, *, whole: bool) -> list[tuple[Places, bool]]:
    """A line parted at its gaps, with whether a part has room for another tile inside."""
    if len(line) == 1:
        return [(line, False)]
    gaps = np.diff(aside[line]) - (wide[1:] + wide[:-1]) / 2
    usual = float(np.quantile(gaps[gaps > -0.5 * usual_mm], 0.3)) if (gaps > -0.5 * usual_mm).any() else 0.0
    room = gaps - usual
    if whole:
        return [(line, bool((room > 0.75 * usual_mm).any()))]
    parts, start = [], 0
    for place in (*np.flatnonzero(room > GAP * usual_mm), len(line) - 1):
        parts.append((line[start : place + 1], False))
        start = int(place) + 1
    return parts


def by_seat(rows: Sequence[TableRow], seat: int, zone: ZoneKind, *, flat: bool = True) -> tuple[TableRow, ...]:
    """The rows of one seat in one zone."""
    return tuple(row for row in rows if (row.seat, row.zone, row.flat) == (seat, zone, flat))

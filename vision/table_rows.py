"""Rows of tiles on a calibrated table: whose they are, in which zone, from left to right as their player sees them.

Where the felt is known, millimetres tell far more than pixels: how large a tile is, which way it lies, which line it
belongs to. Nothing here knows which tile is which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.calibration import Calibration, Points
from vision.lines import WIDE_TO_LONG, extents
from vision.types import BACK, PictureReading
from vision.zones import ZoneKind, ZonePlan, views

UPRIGHT = 1.12
"""A tile that is longer than wide by this factor shows which way it lies."""
SHORTEST, NARROWEST = 0.85, 0.8
"""What is shorter or narrower than these shares of a tile lying flat is none: it stands, or is half of two tiles. Of
faces read wrongly with a score of 0.9 and more, all 54 of five rendered hands had such boxes; 1 % of the others had."""
LINE = 0.5
"""Tiles of one line differ by less than this share of their length in how far they lie from the middle."""
GAP = 0.3
"""Free space between two tiles of a line that parts them, in tile widths beyond the usual step."""
ALMOST = 0.78
"""From this share of a tile's length something that is too small may be a tile found in part, if it lies in its line as
the next tile would; which one cannot be told from a part."""
NEXT = (0.8, 1.2)
"""How far from a tile of its line that is, in widths."""
CROWDED = 0.7
"""Two tiles of a line cannot be nearer to each other than this share of a width: then neither is trusted."""
WHOLE = 0.25
"""Free space inside a pond's line that is so near to a whole number of tiles, in widths, holds tiles nobody found."""
MANY = 16
"""So many open tiles tell how large tiles are on this table."""
FLAT = 0.8
"""Before that so large a share of all tiles is no longer than one that lies flat, in the wall or open."""
UNREAD = -1
"""Stands in a row for a tile that must lie there but was not found."""
CORNER = 1.3
"""Nearer to a diagonal of the table than so many lengths, a tile's direction decides whose it is, not its place."""
Array = NDArray[np.float64]
Places = NDArray[np.int64]
KINDS: tuple[ZoneKind, ...] = ("centre", "pond", "wall", "hand")
_Part: TypeAlias = tuple[Places, tuple[int, ...], bool]
"""Tiles of one row; the same with those that were not found; whether all that lies there fits."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """Tiles side by side before one player.

    Attributes:
        seat: Whose.
        zone: `pond`, `wall`, `hand` for everything between wall and edge, or `centre`.
        tiles: Positions in `PictureReading.tiles`, left to right as the player sees them; `UNREAD` for a tile that
            must lie between two others of a pond.
        ahead_mm: How far from the middle of the table.
        left_mm, right_mm: Where it begins and ends, to the player's right of the middle.
        flat: Whether the tiles lie flat; tiles that stand show a narrow side.
        even: Whether nothing beside or between its tiles was found that does not fit.
    """

    seat: int
    zone: ZoneKind
    tiles: tuple[int, ...]
    ahead_mm: float
    left_mm: float
    right_mm: float
    flat: bool = True
    even: bool = True


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
        flat: NDArray[np.bool_] = (high > SHORTEST * self.long) & (low > NARROWEST * self.wide)
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
    faces = np.array([tile.tile != BACK for tile in reading.tiles])
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
    known = sizes[faces] if faces.sum() >= MANY else _longest(sizes)  # early in a hand the wall tells it better
    long = float(np.median(known.max(axis=1)))
    wide = float(np.clip(np.median(known.min(axis=1)), 0.6 * long, 0.85 * long)) if long else WIDE_TO_LONG
    return _Measured(middles, sizes, wide, long)


def _longest(sizes: Points) -> Points:
    """The tiles as long as those that lie flat: four hands that stand, a narrow side up, outnumber the wall soon."""
    long = sizes.max(axis=1)
    found: Points = sizes[long > SHORTEST * np.quantile(long, FLAT)]
    return found


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


def _rows_of(seat: int, own: Places, measured: _Measured, plan: ZonePlan) -> list[TableRow]:
    seen = np.array([views(float(x), float(y))[seat] for x, y in measured.middles[own]])
    half_mm = plan.size_mm[1 - seat % 2] / 2
    kinds = np.array([plan.band(float(ahead) / half_mm) for ahead in seen[:, 1]])
    turned = measured.upright[own] == (-1 if seat % 2 == 0 else 1)
    flat = measured.flat[own] & ~_crowded(seen, measured)
    wide = np.where(turned, measured.long, measured.wide)
    sizes = measured.sizes[own][:, :: 1 if seat % 2 == 0 else -1]
    rows: list[TableRow] = []
    for kind in KINDS:
        odd = [int(tile) for tile in np.flatnonzero((kinds == kind) & ~flat)]
        for line in _lines(np.flatnonzero((kinds == kind) & flat), seen, turned, measured):
            near = [tile for tile in odd if abs(seen[tile, 1] - np.median(seen[line, 1])) < 0.6 * measured.long]
            groups = _next_tiles(line, near, seen, sizes, measured)
            halves = [tile for group in groups for tile in group]
            near = [tile for tile in near if tile not in halves]
            firsts = [group[0] for group in groups]
            line = np.array(sorted((*line, *firsts), key=lambda tile: seen[tile, 0]), np.int64)
            parts = [_filled(line, seen, wide, near)] if kind == "pond" else _parts(line, seen, wide, near)
            for part, tiles, even in parts:
                numbers = tuple(UNREAD if tile in (UNREAD, *halves) else int(own[tile]) for tile in tiles)
                rows.append(_row(seat, kind, numbers, seen[part], measured, even=even))
            odd = [tile for tile in odd if tile not in halves and (kind != "pond" or tile not in near)]
        rows += [_row(seat, kind, (int(own[tile]),), seen[[tile]], measured, flat=False) for tile in odd]
    return rows


def _next_tiles(line: Places, odd: list[int], seen: Array, sizes: Array, measured: _Measured) -> list[list[int]]:
    """What was found in part or in two halves, but lies in the line as tiles do: one list for each tile.

    Args:
        line: the tiles of the line that were found whole.
        odd: what else was found there.
        seen: Places as the player sees them.
        sizes: Extents to the player's right and ahead.
        measured: of all tiles.
    """
    groups: list[list[int]] = []
    for tile in sorted(odd, key=lambda one: seen[one, 0]):
        if groups and seen[tile, 0] - seen[groups[-1][0], 0] < 0.35 * measured.wide:
            groups[-1].append(tile)
        else:
            groups.append([tile])
    found = []
    for group in groups:
        low = (seen[group] - sizes[group] / 2).min(axis=0)
        high = (seen[group] + sizes[group] / 2).max(axis=0)
        others = [*line, *(other for other in odd if other not in group)]
        apart = np.abs(seen[others, 0] - (low + high)[0] / 2) / measured.wide
        large = ALMOST * measured.long < float((high - low).max()) < 1.2 * measured.long
        if large and NEXT[0] < apart[: len(line)].min() < NEXT[1] and apart.min() > NEXT[0]:
            found.append(group)
    return found


def _row(seat: int, kind: ZoneKind, tiles: tuple[int, ...], seen: Array, measured: _Measured, **more: bool) -> TableRow:
    half = measured.wide / 2
    left, right = float(seen[:, 0].min()) - half, float(seen[:, 0].max()) + half
    return TableRow(seat, kind, tiles, float(np.median(seen[:, 1])), left, right, **more)


def _crowded(seen: Array, measured: _Measured) -> NDArray[np.bool_]:
    """Which tiles lie where another one lies already."""
    apart = np.abs(seen[:, None] - seen[None])
    near = (apart[..., 0] < CROWDED * measured.wide) & (apart[..., 1] < 0.5 * measured.long)
    crowded: NDArray[np.bool_] = near.sum(axis=1) > 1
    return crowded


def _lines(chosen: Places, seen: Array, turned: NDArray[np.bool_], measured: _Measured) -> list[Places]:
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


def _room(line: Places, seen: Array, wide: Array) -> Array:
    """Free space in millimetres between each tile of a line and the next, beyond the usual."""
    gaps = np.diff(seen[line, 0]) - (wide[line][1:] + wide[line][:-1]) / 2
    touching = gaps[np.abs(gaps) < 0.5 * wide.min()]
    room: Array = gaps - (float(np.quantile(touching, 0.3)) if len(touching) else 0.0)
    return room


def _filled(line: Places, seen: Array, wide: Array, odd: list[int]) -> _Part:
    """A pond's line with the tiles that were not found but must lie between others.

    Past its ends nobody can tell how many tiles something odd stands for; then the line is not to be trusted.
    """
    usual = float(wide.min())
    tiles, even = [int(line[0])], True
    for tile, room in zip(line[1:], _room(line, seen, wide), strict=True):
        free = round(float(room) / usual)
        even &= free <= 0 or abs(float(room) / usual - free) < WHOLE
        tiles += [UNREAD] * max(free, 0) + [int(tile)]
    left, right = seen[line[0], 0], seen[line[-1], 0]
    return line, tuple(tiles), even and all(left < seen[tile, 0] < right for tile in odd)


def _parts(line: Places, seen: Array, wide: Array, odd: list[int]) -> list[_Part]:
    """A line parted at its gaps."""
    usual, parts, start = float(wide.min()), [], 0
    for place in (*np.flatnonzero(_room(line, seen, wide) > GAP * usual), len(line) - 1):
        part = line[start : int(place) + 1]
        reach = 1.15 * usual
        left, right = seen[part, 0].min() - reach, seen[part, 0].max() + reach
        even = not any(left < seen[tile, 0] < right for tile in odd)
        parts.append((part, tuple(int(tile) for tile in part), even))
        start = int(place) + 1
    return parts


def by_seat(rows: Sequence[TableRow], seat: int, zone: ZoneKind, *, flat: bool = True) -> tuple[TableRow, ...]:
    """The rows of one seat in one zone."""
    return tuple(row for row in rows if (row.seat, row.zone, row.flat) == (seat, zone, flat))

"""Finds the four corners of the felt in a picture of the whole table, or says that it cannot."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import Points
from vision.types import Image

WORK_PX = 640
"""Longer side of the picture in which the felt is searched."""
GOOD = 0.85
"""Least quality at which corners are trusted."""
MIN_SHARE = 0.12
"""Least share of the picture that the felt must fill."""

Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class FeltCorners:
    """Where the felt lies.

    Attributes:
        corners_px: float64 (4, 2), from the corner at the top left of the picture clockwise.
        quality: 0 to 1: how much of the felt's edge lies on the four straight lines between the corners.
    """

    corners_px: Points
    quality: float


def find_felt(image: Image) -> FeltCorners | None:
    """Looks for one large evenly coloured four-sided surface around the middle of the picture.

    Args:
        image: uint8 (height, width, 3), BGR, the whole table from above; tiles and the centre machine may lie on it.

    Returns:
        The corners, or None rather than a guess: no such surface, not four straight sides, or cut off by the picture.
    """
    scale = min(1.0, WORK_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    colours = _colours(small)
    best: FeltCorners | None = None
    for common in _commonest(colours):
        for reach in (8.0, 16.0, 26.0):  # strictly, for a frame of a similar colour; loosely, for shadows
            found = _corners_of(_same_colour(colours, common, reach))
            if found is not None and (best is None or found.quality > best.quality + 0.02):
                best = FeltCorners(_sharpened(found.corners_px, colours, common), found.quality)
    if best is None or best.quality < GOOD:
        return None
    return FeltCorners((best.corners_px + 0.5) / scale, best.quality)


def _colours(image: Image) -> NDArray[np.float32]:
    """Colours (height, width, 3) in which a lamp's light hardly counts: a quarter of the brightness, and the tint."""
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (5, 5), 0), cv2.COLOR_BGR2LAB).astype(np.float32)
    tint = (lab[..., 1:] - 128) * (110 / np.maximum(lab[..., :1], 40))
    return np.concatenate([lab[..., :1] / 4, tint], axis=2).astype(np.float32)


def _commonest(colours: NDArray[np.float32], count: int = 3) -> list[NDArray[np.float32]]:
    """The commonest colours around the middle of the picture, where the felt must be; the commonest first."""
    height, width = colours.shape[:2]
    middle = colours[height // 4 : -height // 4, width // 4 : -width // 4].reshape(-1, 3)
    bins = np.floor((middle[:, 1:] + 256) / 8).astype(np.int64)
    keys = bins[:, 0] * 128 + bins[:, 1]
    sizes = np.bincount(keys)
    names = np.argsort(-sizes, kind="stable")[:count]
    common = [np.median(middle[keys == name], axis=0) for name in names if sizes[name] > 0.05 * len(middle)]
    return [colour for colour in common if not _white(colour)]


def _white(colour: NDArray[np.float32]) -> bool:
    """Blocks of tiles, trays and paper have four straight sides too, but no felt is bright and without tint."""
    return bool(colour[0] > 38 and np.hypot(colour[1], colour[2]) < 14)


def _same_colour(colours: NDArray[np.float32], common: NDArray[np.float32], reach: float) -> Mask:
    """The surface of one colour, together with the small things that lie on it."""
    mask = (np.sqrt(((colours - common) ** 2).sum(axis=2)) < reach).astype(np.uint8)
    size = max(3, round(max(mask.shape) / 90)) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (size, size))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel).astype(np.uint8)
    return cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel).astype(np.uint8)


def _corners_of(mask: Mask) -> FeltCorners | None:
    outlines = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    if not outlines:
        return None
    outline = max(outlines, key=cv2.contourArea)
    hull = cv2.convexHull(outline).astype(np.int32)
    height, width = mask.shape
    if cv2.contourArea(hull) < MIN_SHARE * height * width:
        return None
    rough = _four_sides(hull)
    if rough is None:
        return None
    border = _along_hull(outline[:, 0, :].astype(np.float64), hull)
    corners = _refined(rough, border)
    if corners is None or (corners < -1).any() or (corners > np.array([width, height])).any():
        return None
    at_edge = (border <= 1).any(axis=1) | (border >= np.array([width - 2, height - 2])).any(axis=1)
    if at_edge.mean() > 0.04:  # the felt goes on outside the picture
        return None
    off = _distance_to_sides(border, corners)
    tolerance = 0.006 * max(height, width)
    return FeltCorners(_from_top_left(corners), float((off < tolerance).mean()))


def _four_sides(hull: NDArray[np.int32]) -> Points | None:
    length = cv2.arcLength(hull, True)
    for share in np.linspace(0.01, 0.12, 23):
        shape = cv2.approxPolyDP(hull, share * length, True)[:, 0, :]
        if len(shape) == 4:
            corners: Points = shape.astype(np.float64)
            return corners
        if len(shape) < 4:
            return None
    return None


def _along_hull(outline: Points, hull: NDArray[np.int32]) -> Points:
    """Points of the outline that lie near its hull: dents where a tile or a sleeve covers the edge are left out."""
    near = np.array([abs(cv2.pointPolygonTest(hull, (float(x), float(y)), True)) < 4.0 for x, y in outline])
    kept: Points = outline[near]
    return kept


def _refined(corners: Points, border: Points) -> Points | None:
    """Corners where straight lines through the middle parts of the four sides meet: felts have rounded corners."""
    lines = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = end - start
        length = float(np.hypot(*along))
        place = (border - start) @ along / length**2
        aside = np.abs((border - start) @ np.array([-along[1], along[0]])) / length
        side = border[(place > 0.12) & (place < 0.88) & (aside < 0.03 * length)]
        if len(side) < 0.3 * length:  # most of this side is hidden or not straight
            return None
        lines.append(_line(side))
    return _meeting_points(lines)


def _sharpened(corners: Points, colours: NDArray[np.float32], felt: NDArray[np.float32], reach: int = 8) -> Points:
    """Corners moved to where the colour is half way between felt and frame, which blur and thresholds do not shift."""
    steps = np.arange(-reach, reach + 1, dtype=np.float64)
    middle = corners.mean(axis=0)
    lines = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = end - start
        outwards = np.array([along[1], -along[0]]) / np.hypot(*along)
        outwards *= np.sign(outwards @ (start - middle))
        places = start + np.linspace(0.12, 0.88, 80)[:, None] * along
        grid = (places[:, None, :] + steps[None, :, None] * outwards).astype(np.float32)
        seen = cv2.remap(colours, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        seen = seen.astype(np.float64)
        inside, outside = seen[:, :3].mean(axis=1), seen[:, -3:].mean(axis=1)
        change = outside - inside
        strength = np.maximum((change**2).sum(axis=1), 1e-6)
        level = ((seen - inside[:, None]) * change[:, None]).sum(axis=2) / strength[:, None]
        clear = (strength > 36) & (np.hypot(*(inside - felt)[:, 1:].T) < 12)
        if clear.sum() < 20:
            return corners
        first = np.argmax(level > 0.5, axis=1)
        rows = np.arange(len(level))
        below, above = level[rows, first - 1], level[rows, first]
        crossing = steps[first] - (above - 0.5) / np.maximum(above - below, 1e-6)
        lines.append(_line((places + crossing[:, None] * outwards)[clear]))
    sharp = _meeting_points(lines)
    if sharp is None or np.hypot(*(sharp - corners).T).max() > reach:  # some side shows no clear edge
        return corners
    return sharp


def _line(points: Points) -> Points:
    """The straight line through most of the points, in homogeneous form (3,)."""
    vx, vy, x, y = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().astype(float)
    line: Points = np.cross((x, y, 1.0), (x + vx, y + vy, 1.0))
    return line


def _meeting_points(lines: list[Points]) -> Points | None:
    """Where each line meets the one before, (4, 2); None when two are parallel."""
    meets = [np.cross(lines[place - 1], lines[place]) for place in range(4)]
    if any(abs(meet[2]) < 1e-9 for meet in meets):
        return None
    return np.array([meet[:2] / meet[2] for meet in meets])


def _distance_to_sides(points: Points, corners: Points) -> Points:
    best = np.full(len(points), np.inf)
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = end - start
        place = np.clip((points - start) @ along / (along @ along), 0, 1)
        best = np.minimum(best, np.hypot(*(points - start - place[:, None] * along).T))
    return best


def _from_top_left(corners: Points) -> Points:
    middle = corners.mean(axis=0)
    order = np.argsort(np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0]))
    clockwise = corners[order]  # y points down, so growing angles turn clockwise
    return np.roll(clockwise, -int(np.argmin(clockwise.sum(axis=1))), axis=0)

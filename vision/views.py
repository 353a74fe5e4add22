"""One tile seen in many ways: turned, shifted, blurred, in other light.

What a network says about a tile changes a little with each of these; the mean over them is what the tile really looks
like to it. All views are fixed, so the same picture always gives the same result.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import PADDING
from vision.types import Floats, Image, Images

Matrix = NDArray[np.float64]

TURNS = 8
"""Directions in which a tile may lie; the box around a slanted tile is larger, so it is seen smaller."""


@dataclass(frozen=True, slots=True)
class LyingTile:
    """A tile as it lies in a picture.

    Attributes:
        x_px, y_px: Its middle.
        wide_px, long_px: Its two sides.
        angle_rad: Direction of its short side, 0 for a tile that stands upright in the picture.
    """

    x_px: float
    y_px: float
    wide_px: float
    long_px: float
    angle_rad: float


@dataclass(frozen=True, slots=True)
class _Way:
    """How one view differs.

    `right`, `down` and `size` are shares of the crop; `wide` and `long` shorten the tile's sides, as a slanting camera
    does; `blur` is in crop pixels, `light` a factor, `warm` a shift from blue to red.
    """

    right: float = 0.0
    down: float = 0.0
    size: float = 1.0
    wide: float = 1.0
    long: float = 1.0
    blur: float = 0.0
    light: float = 1.0
    warm: float = 0.0


WAYS = (
    _Way(),
    _Way(right=0.04, down=-0.03, size=0.94, light=0.75, warm=0.06),
    _Way(right=-0.03, down=0.04, size=1.07, light=1.2, warm=-0.06),
    _Way(long=0.8, blur=1.0, light=0.9),
    _Way(right=0.02, down=0.03, size=1.03, wide=0.85, blur=1.5, warm=-0.03),
    _Way(right=-0.03, down=-0.02, long=0.88, blur=2.3, light=1.1, warm=0.03),
)


def views_of(image: Image, tile: LyingTile, size_px: int, margin: float) -> Images:
    """The views of one tile as the classifier takes them.

    Args:
        image: uint8 (height, width, 3), BGR.
        tile: Where it lies.
        size_px: Side of a view.
        margin: Extra side around the tile, as the classifier was trained.

    Returns:
        uint8 (TURNS * len(WAYS), size_px, size_px, 3), BGR, turn after turn.
    """
    crops = []
    for turn in range(TURNS):
        upright = 2 * np.pi * turn / TURNS
        for way in WAYS:
            to_picture = _sampling(tile, way, upright, size_px, margin)
            crops.append(_changed(_warped(image, to_picture, tile, size_px), way))
    return np.rint(np.stack(crops) * 255).astype(np.uint8)


def _sampling(tile: LyingTile, way: _Way, upright: float, size_px: int, margin: float) -> Matrix:
    """Affine map (2, 3) from pixels of a view, in which the tile lies at the angle `upright`, to the picture."""
    wide, long = tile.wide_px * way.wide, tile.long_px * way.long
    cos, sin = abs(np.cos(upright)), abs(np.sin(upright))
    side = max(wide * cos + long * sin, wide * sin + long * cos) * (1 + margin) * way.size
    step = side / size_px
    linear = _turn(tile.angle_rad) @ np.diag([1 / way.wide, 1 / way.long]) @ _turn(-upright) * step
    middle = np.array([tile.x_px, tile.y_px]) - 0.5
    off = np.full(2, (size_px - 1) / 2) + np.array([way.right, way.down]) * size_px
    return np.column_stack([linear, middle - linear @ off])


def _turn(angle: float) -> Matrix:
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    return np.array([[cos, -sin], [sin, cos]])


def _warped(image: Image, to_picture: Matrix, tile: LyingTile, size_px: int) -> Floats:
    """The view itself: float32 (size_px, size_px, 3), BGR, 0 to 1."""
    if float(np.hypot(*to_picture[:, 0])) > 1.3:  # warping takes single pixels; what shrinks is smoothed before
        image, to_picture = _smaller(image, to_picture, tile)
    seen = cv2.warpAffine(
        image, to_picture, (size_px, size_px), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_CONSTANT, borderValue=(PADDING, PADDING, PADDING),
    )  # fmt: skip
    scaled: Floats = np.multiply(seen, np.float32(1 / 255), dtype=np.float32)
    return scaled


def _smaller(image: Image, to_picture: Matrix, tile: LyingTile) -> tuple[Image, Matrix]:
    """The part of the picture around the tile, shrunk about as far as the view will be."""
    scale = float(np.hypot(*to_picture[:, 0]))
    reach = round(1.5 * (tile.wide_px + tile.long_px))
    left, top = max(0, round(tile.x_px) - reach), max(0, round(tile.y_px) - reach)
    part = image[top : round(tile.y_px) + reach, left : round(tile.x_px) + reach]
    small = cv2.resize(part, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA)
    shrunk = np.array([[small.shape[1] / part.shape[1]], [small.shape[0] / part.shape[0]]])
    moved = to_picture.copy()
    moved[:, 2] += 0.5 - np.array([left, top])
    moved *= shrunk
    moved[:, 2] -= 0.5
    return np.asarray(small, np.uint8), moved


def _changed(crop: Floats, way: _Way) -> Floats:
    if way.blur:
        crop = np.asarray(cv2.GaussianBlur(crop, (0, 0), way.blur), np.float32)
    tint = np.array([1 - way.warm, 1.0, 1 + way.warm], np.float32) * np.float32(way.light)
    changed: Floats = np.clip(crop * tint, 0, 1)
    return changed

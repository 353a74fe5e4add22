"""Is the picture good enough to read tiles from: light, focus, glare and size, each with a word of advice.

What is judged are the tiles where they are known, otherwise the whole picture; a dark floor beside a well-lit table is
no fault. Every remark has a key for the text catalogues and an English sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import BACK, Box, Image, PictureReading, require_image

RemarkKey = Literal["too_dark", "too_bright", "flat_light", "out_of_focus", "glare", "tiles_small", "no_tiles"]

WORK_PX = 64
"""Tiles are compared at this size, so that a sharp small tile and a sharp large one count alike."""
DARK, BRIGHT = 70.0, 250.0
"""Brightness (0 to 255) that the light parts of a tile should reach, and not pass."""
FLAT = 30.0
"""Least difference between a tile's light and dark parts."""
SOFT = 0.045
"""Least sharpness; see `sharpness`."""
LIGHT, WASHED = 170.0, 0.8
"""From this grey value a pixel is light; a tile is burnt out where so large a share of its light pixels is."""
GLARED = 0.06
"""Share of a tile under one burnt-out patch from which ink may hide."""
SMALL_PX, WELL_PX = 20, 28
"""Shorter side of a tile below which it is hardly read, and from which it is read well."""
FEW = 0.15
"""A fault of fewer tiles than this share is not worth a remark about the whole picture."""

DIRECTIONS = (
    np.array([[0, 0, 0], [1, -2, 1], [0, 0, 0]], np.float32),
    np.array([[0, 1, 0], [0, -2, 0], [0, 1, 0]], np.float32),
    np.array([[1, 0, 0], [0, -2, 0], [0, 0, 1]], np.float32) / 2,
    np.array([[0, 0, 1], [0, -2, 0], [1, 0, 0]], np.float32) / 2,
)
"""Second derivatives along a row, a column and both diagonals."""

ADVICE: dict[RemarkKey, str] = {
    "too_dark": "The tiles are too dark: switch on a lamp, or lengthen the camera's exposure.",
    "too_bright": "The tiles are burnt out: shorten the camera's exposure, or dim the lamp over the table.",
    "flat_light": "Ink and tile hardly differ: wipe the lens, keep light from shining into it.",
    "out_of_focus": "The tiles are blurred: focus the camera on the table, fasten it, and let it settle.",
    "glare": "A lamp is mirrored on the tiles: move the lamp or the camera aside, or hang a cloth before the lamp.",
    "tiles_small": "The tiles are small in the picture: hang the camera lower, zoom in, or choose a higher resolution.",
    "no_tiles": "No tiles are seen, so only the light could be judged: lay a few tiles face up on the table.",
}
"""What to do about each remark, for a person."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing to change.

    Attributes:
        key: Which, for text catalogues.
        share: Share of the tiles (without tiles: of the picture) that it concerns, 0 to 1.
        advice: One English sentence.
    """

    key: RemarkKey
    share: float
    advice: str


@dataclass(frozen=True, slots=True)
class SceneCheck:
    """How good a picture is for reading.

    Attributes:
        remarks: What to change, the most tiles first; empty when all is well.
        tile_px: Median of the tiles' shorter sides; 0 without tiles.
        sharpness: Median over the tiles; see `sharpness`.
        light: Median brightness of the tiles' light parts, 0 to 255.
    """

    remarks: tuple[Remark, ...]
    tile_px: float
    sharpness: float
    light: float

    @property
    def good(self) -> bool:
        """Whether nothing needs to be changed."""
        return not self.remarks


@dataclass(frozen=True, slots=True)
class _Look:
    """One tile's figures: `burnt` is a share of its light pixels, `glare` of all."""

    light: float
    contrast: float
    sharp: float
    burnt: float
    glare: float

    @property
    def burnt_out(self) -> bool:
        """Whether the whole tile is; a mirrored lamp covers a part of it."""
        return self.burnt > WASHED and self.glare > GLARED


def check_scene(image: Image, boxes_px: Sequence[Box] = ()) -> SceneCheck:
    """Judges light, focus, glare and size.

    Args:
        image: uint8 (height, width, 3), BGR.
        boxes_px: Where open tiles lie, if that is known.
    """
    grey = np.asarray(cv2.cvtColor(require_image(image), cv2.COLOR_BGR2GRAY), np.uint8)
    parts = [part for box in boxes_px if (part := _part(grey, box)).size]
    looks = [_look(part) for part in parts] or [_look(grey)]
    sides = [min(box[2] - box[0], box[3] - box[1]) for box in boxes_px]
    shares: dict[RemarkKey, float] = {
        "too_dark": _share(look.light < DARK for look in looks),
        "too_bright": _share(look.burnt_out for look in looks),
    }
    if parts:
        shares["flat_light"] = _share(look.light >= DARK and look.contrast < FLAT for look in looks)
        shares["out_of_focus"] = _share(look.contrast >= FLAT and look.sharp < SOFT for look in looks)
        shares["glare"] = _share(look.glare > GLARED and not look.burnt_out for look in looks)
        shares["tiles_small"] = _share(side < WELL_PX for side in sides)
    else:
        shares["no_tiles"] = 1.0
    worst = sorted(shares.items(), key=lambda item: -item[1])
    return SceneCheck(
        remarks=tuple(Remark(key, share, ADVICE[key]) for key, share in worst if share > FEW),
        tile_px=float(np.median(sides)) if sides else 0.0,
        sharpness=float(np.median([look.sharp for look in looks])),
        light=float(np.median([look.light for look in looks])),
    )


def faces_of(reading: PictureReading) -> list[Box]:
    """Where the tiles lie by which a picture can be judged: a back has no ink."""
    return [tile.box_px for tile in reading.tiles if tile.tile != BACK]


def sharpness(grey: NDArray[np.uint8]) -> float:
    """How steep the edges of a tile are in the direction in which they are least so, compared with its own contrast.

    The Laplacian taken apart into four directions, because a moving tile stays sharp along its way; divided by the
    spread of the grey values, so that it depends neither on light nor on how much ink the face has. At the common size
    about 0.07 to 0.2 in focus, less where ink runs together.
    """
    values = grey.astype(np.float32)
    spread = float(np.percentile(values, 97) - np.percentile(values, 3))
    smooth = cv2.GaussianBlur(values, (0, 0), 1.0)
    steepest = [float(np.percentile(np.abs(cv2.filter2D(smooth, cv2.CV_32F, way)), 98)) for way in DIRECTIONS]
    return min(steepest) / max(spread, 1.0)


def _part(grey: NDArray[np.uint8], box: Box) -> NDArray[np.uint8]:
    """The inner part of a tile, without its edges, at the common size; empty outside the picture."""
    left, top, right, bottom = box
    dx, dy = 0.1 * (right - left), 0.1 * (bottom - top)
    rows = slice(max(0, round(top + dy)), max(0, round(bottom - dy)))
    part = grey[rows, max(0, round(left + dx)) : max(0, round(right - dx))]
    if min(part.shape) < 4:
        return np.zeros((0, 0), np.uint8)
    scale = WORK_PX / max(part.shape)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=how), np.uint8)


def _look(grey: NDArray[np.uint8]) -> _Look:
    light, dark = float(np.percentile(grey, 85)), float(np.percentile(grey, 3))
    burnt = grey >= BRIGHT
    share = float(burnt.sum()) / max(int((grey >= LIGHT).sum()), 1)
    return _Look(light, light - dark, sharpness(grey), share, _largest_patch(burnt))


def _largest_patch(burnt: NDArray[np.bool_]) -> float:
    """Share of a tile under its largest burnt-out patch."""
    if not burnt.any():
        return 0.0
    _, _, stats, _ = cv2.connectedComponentsWithStats(burnt.astype(np.uint8))
    return float(stats[1:, cv2.CC_STAT_AREA].max()) / burnt.size


def _share(hits: Iterable[bool]) -> float:
    marked = list(hits)
    return sum(marked) / len(marked) if marked else 0.0

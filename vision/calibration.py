"""From pixels to millimetres on the felt: where the camera hangs, found once from the four corners of the felt.

Table millimetres: the origin is the middle of the felt, x to the right and y towards the player as seat 0 sees the
table. Corners are always named in the order far left, far right, near right, near left of seat 0.

    CalibrationError   four points that no felt seen by a camera can have; its text is one sentence for a person
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.said import Said
from vision.types import Image

Points = NDArray[np.float64]
"""Points as float64 (N, 2), x and y; the name says in which unit."""

DRIFT_ALARM = 0.01
"""Corners that moved by more than this share of the felt's side make the calibration void."""
FELT_MM = (100.0, 10_000.0)
"""Sides of a felt; the view from above of any other has no pixels, or no end of them."""
FACE_MM = 26.0
"""Width of the face of a common tile."""
LEAST_FACE_PX, GOOD_FACE_PX, GOOD_FACE_4K_PX = 20, 28, 40
"""Pixels across a face below which it is hardly read, from which it is read well, and which a 4K camera should give."""
WIDE_4K = 3840
SLANTED = 1.8
"""An edge of the felt is so many times longer in the picture than the one opposite: the camera looks from the side."""


class CalibrationError(ValueError):
    """Corners that cannot be those of a felt; the text says what is wrong with them and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """How a camera sees one table.

    Attributes:
        corners_px: float64 (4, 2), the felt's corners in the picture.
        size_mm: Width (along seat 0's edge) and depth of the felt.
        picture_px: Width and height of the pictures this holds for.
        to_table: float64 (3, 3), homography from pixels to table millimetres.
    """

    corners_px: Points
    size_mm: tuple[float, float]
    picture_px: tuple[int, int]
    to_table: Points

    def to_mm(self, points_px: Points) -> Points:
        """Table millimetres (N, 2) of points in the picture (N, 2)."""
        return _project(self.to_table, points_px)

    def to_px(self, points_mm: Points) -> Points:
        """Picture pixels (N, 2) of points on the table (N, 2)."""
        return _project(np.linalg.inv(self.to_table).astype(np.float64), points_mm)

    @property
    def px_per_mm(self) -> float:
        """Resolution where the camera sees the felt best, measured along its four edges."""
        return float((self.edges_px / np.array(self.size_mm * 2)).max())

    @property
    def slanted(self) -> bool:
        """Whether the camera looks from the side of any seat, instead of from above the middle."""
        return bool((self.edges_px / np.roll(self.edges_px, 2)).max() > SLANTED)

    @property
    def edges_px(self) -> Points:
        """Lengths of the far, right, near and left edge in the picture."""
        return np.asarray(np.hypot(*(np.roll(self.corners_px, -1, axis=0) - self.corners_px).T))

    @property
    def face_px(self) -> float:
        """Width of a common tile's face where it is seen smallest: in a corner of the felt, along one of its edges."""
        corners = self.to_mm(self.corners_px)
        to_the_side, to_the_seat = (corners - np.sign(corners) * FACE_MM * way for way in np.eye(2))
        ends = np.concatenate([self.to_px(to_the_side), self.to_px(to_the_seat)])
        return float(np.hypot(*(ends - np.tile(self.corners_px, (2, 1))).T).min())

    @property
    def good_face_px(self) -> int:
        """What `face_px` should be at least, so that a camera of this resolution is used well."""
        return GOOD_FACE_4K_PX if max(self.picture_px) >= WIDE_4K else GOOD_FACE_PX


@dataclass(frozen=True, slots=True, eq=False)
class RectifiedView:
    """The felt straight from above.

    Attributes:
        image: uint8 (height, width, 3), BGR; the middle of the felt is the middle of the picture.
        px_per_mm: Its resolution, the same everywhere.
    """

    image: Image
    px_per_mm: float

    def to_mm(self, points_px: Points) -> Points:
        """Table millimetres (N, 2) of points in this view (N, 2)."""
        height, width = self.image.shape[:2]
        millimetres: Points = (np.asarray(points_px, np.float64) - (width / 2, height / 2)) / self.px_per_mm
        return millimetres


def calibrate(
    corners_px: Points, size_mm: tuple[float, float] = (820.0, 820.0), *, picture_px: tuple[int, int]
) -> Calibration:
    """Works out how the camera sees the table from the four corners of the felt.

    Args:
        corners_px: (4, 2), far left, far right, near right, near left as seat 0 sees them.
        size_mm: Width and depth of the felt.
        picture_px: Width and height of the picture the corners were found in.

    Raises:
        CalibrationError: The corners are crossed, in one line, in the wrong order, far too close together or farther
            from the picture than it is large, or no felt has such sides.
    """
    corners, middle = np.asarray(corners_px, np.float64), np.array(picture_px) / 2
    if corners.shape != (4, 2) or not (np.abs(corners - middle) <= 3 * middle).all():
        raise CalibrationError(Said.of("four_corners"))
    if not all(FELT_MM[0] <= side <= FELT_MM[1] for side in size_mm):
        raise CalibrationError(Said.of("no_such_felt", width=f"{size_mm[0]:g}", depth=f"{size_mm[1]:g}"))
    sides = np.roll(corners, -1, axis=0) - corners
    turns = sides[:, 0] * np.roll(sides, -1, axis=0)[:, 1] - sides[:, 1] * np.roll(sides, -1, axis=0)[:, 0]
    if not (turns > 0).all():
        raise CalibrationError(Said.of("crossed"))
    if cv2.contourArea(corners.astype(np.float32)) < 0.04 * picture_px[0] * picture_px[1]:
        raise CalibrationError(Said.of("felt_small"))
    half_w, half_d = size_mm[0] / 2, size_mm[1] / 2
    on_table = np.array([(-half_w, -half_d), (half_w, -half_d), (half_w, half_d), (-half_w, half_d)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), on_table).astype(np.float64)
    return Calibration(corners, size_mm, picture_px, matrix)


def turned(calibration: Calibration, quarters: int) -> Calibration:
    """The same camera where seat 0 sits `quarters` places further on: the felt alone does not say who sits where."""
    width, depth = calibration.size_mm
    size = (width, depth) if quarters % 2 == 0 else (depth, width)
    return calibrate(np.roll(calibration.corners_px, quarters, axis=0), size, picture_px=calibration.picture_px)


def rectify(image: Image, calibration: Calibration, px_per_mm: float | None = None) -> RectifiedView:
    """The felt as seen straight from above, at the camera's own resolution unless another one is asked for.

    Raises:
        CalibrationError: The picture has another size than the one the calibration was made with.
    """
    height, width = image.shape[:2]
    if (width, height) != calibration.picture_px:
        was = "{} x {}".format(*calibration.picture_px)
        raise CalibrationError(Said.of("other_size", now=f"{width} x {height}", before=was))
    scale = px_per_mm or calibration.px_per_mm
    wide, deep = (round(side * scale) for side in calibration.size_mm)
    to_view = np.array([[scale, 0, wide / 2], [0, scale, deep / 2], [0, 0, 1]]) @ calibration.to_table
    view = cv2.warpPerspective(image, to_view, (wide, deep), flags=cv2.INTER_LINEAR)
    return RectifiedView(view.astype(np.uint8, copy=False), scale)


def drift(before: Calibration, corners_px: Points) -> float:
    """How far the camera has moved: the largest shift of a corner, as a share of the felt's mean side in the picture.

    Which corner is called the first does not matter. Above `DRIFT_ALARM` the calibration is void.
    """
    now = np.asarray(corners_px, np.float64)
    side = before.edges_px.mean()
    shifts = [np.hypot(*(np.roll(now, turn, axis=0) - before.corners_px).T).max() for turn in range(4)]
    return float(min(shifts) / side)


def same_order(before: Calibration, corners_px: Points) -> Points:
    """The corners of a camera that has moved a little, named from the same corner as before: seat 0 stays seat 0."""
    now = np.asarray(corners_px, np.float64)
    ways = [np.roll(now, turn, axis=0) for turn in range(4)]
    return min(ways, key=lambda way: float(np.hypot(*(way - before.corners_px).T).max()))


def _project(matrix: Points, points: Points) -> Points:
    given = np.asarray(points, np.float64).reshape(-1, 2)
    flat = np.concatenate([given, np.ones((len(given), 1))], axis=1) @ matrix.T
    projected: Points = flat[:, :2] / flat[:, 2:]
    return projected

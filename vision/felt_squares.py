"""Squares on the felt: what the classifier sees of a tile under a camera that is known to hang still over the table.

The camera sees the table at a slant and a little turned. Squares of one size on the felt, along its edges, show every
tile as large and as upright (but for quarter turns) as the others, wherever it lies and however well its box fits.
Measured in models/CARD.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.boxes import PADDING
from vision.calibration import Calibration, Points
from vision.types import Floats, Image, Images

MIDDLES = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
"""From the numbers of pixels to points in the picture: the first pixel's middle is at 0.5, 0.5."""
MOST = 2.0
"""What seems so many times larger or smaller on the felt than its tiles does not lie on it."""
FARTHEST = 6.0
"""Nor does a box whose square would be so many times longer in the picture than the box: the felt is seen from its edge
there, or its corners are set wrong, and cutting that square would take all memory."""


@dataclass(frozen=True, slots=True, eq=False)
class FeltSquares:
    """How to cut squares around tiles that lie on a felt.

    Attributes:
        felt: Where the felt lies in the picture.
        tile_mm: Longer side of a tile, as it covers the felt in the picture.
    """

    felt: Calibration
    tile_mm: float

    @classmethod
    def around(cls, felt: Calibration, boxes_xyxy_px: Floats) -> FeltSquares:
        """Squares as large as the boxes (N, 4; at least one) ask for in the middle."""
        return cls(felt, float(np.median(_sides_mm(felt, boxes_xyxy_px))))

    def fit(self, boxes_xyxy_px: Floats, margin: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which boxes (N, 4) are as large on the felt as a tile, more or less; the others do not lie there.

        Args:
            boxes_xyxy_px: float32 (N, 4).
            margin: as for `crops`.
        """
        share = _sides_mm(self.felt, boxes_xyxy_px) / self.tile_mm
        longer_px = (boxes_xyxy_px[:, 2:] - boxes_xyxy_px[:, :2]).max(axis=1)
        reach = [_longest_px(edges) for edges in self._squares_px(boxes_xyxy_px, margin)] / longer_px
        return np.asarray((share > 1 / MOST) & (share < MOST) & (reach < FARTHEST))

    def crops(self, image: Image, boxes_xyxy_px: Floats, margin: float, size_px: int) -> Images:
        """Cuts a square around the middle of each box: uint8 (N, size_px, size_px, 3), BGR; grey outside the picture.

        Args:
            image: uint8 (height, width, 3), BGR, of the size that the felt's place was found in.
            boxes_xyxy_px: float32 (N, 4), of those that `fit`.
            margin: Extra side of the square, as a share of a tile's longer side.
            size_px: Side of the result.
        """
        side = self.tile_mm * (1 + margin)
        crops = np.empty((len(boxes_xyxy_px), size_px, size_px, 3), np.uint8)
        middles, squares = self.felt.to_mm(_middles(boxes_xyxy_px)), self._squares_px(boxes_xyxy_px, margin)
        for crop, middle, corners in zip(crops, middles, squares, strict=True):
            edge = max(size_px, int(np.ceil(_longest_px(corners))))
            left, top = middle - side / 2
            scale = edge / side
            cut = np.array([[scale, 0, -left * scale], [0, scale, -top * scale], [0, 0, 1]]) @ self.felt.to_table
            matrix = np.linalg.inv(MIDDLES) @ cut @ MIDDLES
            square = cv2.warpPerspective(image, matrix, (edge, edge), borderValue=(PADDING,) * 3)
            crop[:] = cv2.resize(square, (size_px, size_px), interpolation=cv2.INTER_AREA)
        return crops

    def _squares_px(self, boxes: Floats, margin: float) -> Points:
        """The corners of the square around the middle of each box as they lie in the picture: float64 (N, 4, 2)."""
        middles = self.felt.to_mm(_middles(boxes))
        corners = self.tile_mm * (1 + margin) / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        return self.felt.to_px((middles[:, None] + corners).reshape(-1, 2)).reshape(-1, 4, 2)


def _longest_px(corners: Points) -> float:
    """The longest side of a square (4, 2) that lies in the picture."""
    return float(np.hypot(*(np.roll(corners, -1, axis=0) - corners).T).max())


def _middles(boxes: Floats) -> Points:
    return np.asarray((boxes[:, :2] + boxes[:, 2:]) / 2, np.float64)


def _sides_mm(felt: Calibration, boxes: Floats) -> Points:
    """The longer side of each box (N, 4) on the felt, between the middles of its edges: float64 (N,), millimetres."""
    left, top, right, bottom = np.asarray(boxes, np.float64).T
    x, y = _middles(boxes).T
    ends = [np.stack(end, axis=1) for end in ((left, y), (right, y), (x, top), (x, bottom))]
    west, east, north, south = (felt.to_mm(end) for end in ends)
    return np.asarray(np.maximum(np.hypot(*(east - west).T), np.hypot(*(south - north).T)))

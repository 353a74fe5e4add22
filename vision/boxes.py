"""Arithmetic on boxes and probabilities: letterbox, decoding of the detector's output, overlap, suppression.

Pure functions of numpy arrays. Boxes are float32 (N, 4), left, top, right, bottom in pixels (`xyxy`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Detections, Floats, Image, Images

PADDING = 114
"""Grey level around a letterboxed picture, the one the detector was trained with."""
STRIDE = 32
"""The detector takes inputs whose sides are multiples of this."""


@dataclass(frozen=True, slots=True, eq=False)
class Letterbox:
    """A picture scaled to fit the detector's input, and the way back.

    Attributes:
        pixels: uint8 (1, height, width, 3), BGR, sides multiples of `STRIDE`.
        scale: Input pixels per picture pixel.
        left_px: Padding to the left of the picture, in input pixels.
        top_px: Padding above the picture, in input pixels.
    """

    pixels: Images
    scale: float
    left_px: int
    top_px: int

    def back(self, boxes_xyxy_px: Floats) -> Floats:
        """Boxes (N, 4) from input pixels to picture pixels."""
        offset = np.array([self.left_px, self.top_px] * 2, np.float32)
        return ((boxes_xyxy_px - offset) / np.float32(self.scale)).astype(np.float32)


def letterbox(image: Image, longest_px: int) -> Letterbox:
    """Scales a picture so that its longer side is `longest_px`, and pads it to the detector's stride.

    Only as much is padded as the stride needs, so a wide picture costs less than a square one.
    """
    height, width = image.shape[:2]
    scale = longest_px / max(height, width)
    inner_w, inner_h = max(1, round(width * scale)), max(1, round(height * scale))
    if (inner_w, inner_h) != (width, height):
        image = cv2.resize(
            image, (inner_w, inner_h), interpolation=cv2.INTER_AREA if scale < 0.5 else cv2.INTER_LINEAR
        ).astype(np.uint8, copy=False)
    outer_w, outer_h = (-(-side // STRIDE) * STRIDE for side in (inner_w, inner_h))
    left, top = (outer_w - inner_w) // 2, (outer_h - inner_h) // 2
    pixels = np.full((1, outer_h, outer_w, 3), PADDING, np.uint8)
    pixels[0, top : top + inner_h, left : left + inner_w] = image
    return Letterbox(pixels, scale, left, top)


def decode(raw: Floats, min_scores: Sequence[float]) -> Detections:
    """Turns the detector's raw output into boxes in input pixels, before suppression.

    Args:
        raw: float32 (1, 4 + C, N): centre x, centre y, width, height in input pixels, then C scores, 0 to 1.
        min_scores: One per class; candidates that reach none of them are dropped.

    Raises:
        ValueError: The array has another shape.
    """
    if raw.ndim != 3 or raw.shape[:2] != (1, 4 + len(min_scores)):
        raise ValueError(f"detector output must be (1, 4 + {len(min_scores)}, N), not {raw.shape}")
    rows = raw[0]
    likely = rows[:, (rows[4:] >= np.array(min_scores, np.float32)[:, None]).any(axis=0)]
    middles, halves = likely[:2].T, likely[2:4].T / 2
    boxes = np.concatenate([middles - halves, middles + halves], axis=1).astype(np.float32)
    keep = (boxes[:, 2:] > boxes[:, :2]).all(axis=1)  # a width far below a pixel is none beside the middle
    return Detections(boxes[keep], likely[4:, keep].T.astype(np.float32))


def intersections(first: Floats, second: Floats) -> Floats:
    """Area shared by every box of `first` (N, 4) with every box of `second` (M, 4): float32 (N, M), square pixels."""
    low = np.maximum(first[:, None, :2], second[None, :, :2])
    high = np.minimum(first[:, None, 2:], second[None, :, 2:])
    sides = np.clip(high - low, 0, None)
    shared: Floats = (sides[..., 0] * sides[..., 1]).astype(np.float32)
    return shared


def areas(boxes: Floats) -> Floats:
    """Area of each box (N, 4): float32 (N,), square pixels."""
    area: Floats = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return area


def iou(first: Floats, second: Floats) -> Floats:
    """Intersection over union of every box of `first` (N, 4) with every box of `second` (M, 4): float32 (N, M)."""
    shared = intersections(first, second)
    union = areas(first)[:, None] + areas(second)[None, :] - shared
    ratio: Floats = np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)
    return ratio


def one_box_per_tile(found: Detections, max_iou: float = 0.5) -> Detections:
    """Keeps one box per tile, best first, whatever its class.

    Tiles touch but never lie inside each other: even at 45 degrees and at a slant, the boxes around two touching tiles
    share less than half of the smaller one. So boxes that overlap a better one by more than `max_iou` go first, then
    boxes drawn around several tiles at once, then parts of a tile inside the box of the whole.
    """
    return _without_parts(_without_wrappers(suppress(found, max_iou)))


def suppress(found: Detections, max_iou: float) -> Detections:
    """Non-maximum suppression across classes: drops what overlaps a better box by more than `max_iou`; best first."""
    if not len(found):
        return found
    boxes = found.boxes_xyxy_px
    corner_and_size = np.concatenate([boxes[:, :2], boxes[:, 2:] - boxes[:, :2]], axis=1).astype(np.float64)
    kept = cv2.dnn.NMSBoxes(corner_and_size, found.scores, score_threshold=0.0, nms_threshold=max_iou)  # type: ignore[arg-type]
    return found.take(np.asarray(kept, np.int64).reshape(-1))


def _without_wrappers(found: Detections) -> Detections:
    """Drops boxes that hold the middle of two or more clearly smaller boxes which are about as certain."""
    boxes, size = found.boxes_xyxy_px, areas(found.boxes_xyxy_px)
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    holds = ((middle[None] > boxes[:, None, :2]) & (middle[None] < boxes[:, None, 2:])).all(axis=2)
    smaller = size[None, :] < 0.7 * size[:, None]
    scores = found.scores
    certain = scores[None, :] > 0.6 * scores[:, None]
    return found.take(np.flatnonzero((holds & smaller & certain).sum(axis=1) < 2).astype(np.int64))


def _without_parts(found: Detections, max_inside: float = 0.5) -> Detections:
    """Drops the less certain of two boxes when half of the smaller lies inside the larger; expects best first.

    A box smaller and much less certain than its neighbours, and half over them together, is the seam between tiles.
    """
    boxes, size = found.boxes_xyxy_px, areas(found.boxes_xyxy_px)
    scores, shared = found.scores, intersections(boxes, boxes)
    np.fill_diagonal(shared, 0)
    inside = shared > max_inside * np.minimum(size[:, None], size[None, :])
    clearer = (0.8 * size[None, :] > size[:, None]) & (0.7 * scores[None, :] > scores[:, None])
    alive = (shared * clearer).sum(axis=1) <= max_inside * size
    for place in range(len(boxes)):
        if alive[place]:
            alive[place + 1 :] &= ~inside[place, place + 1 :]
    return found.take(np.flatnonzero(alive).astype(np.int64))


def softmax(logits: Floats) -> Floats:
    """Probabilities from logits (N, C), each row adding up to 1."""
    grown = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: Floats = (grown / grown.sum(axis=1, keepdims=True)).astype(np.float32)
    return probabilities


def crop_squares(boxes: Floats, margin: float) -> NDArray[np.float32]:
    """The square that the classifier looks at for each box: float32 (N, 3), centre x, centre y, side in pixels."""
    sides = boxes[:, 2:] - boxes[:, :2]
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    return np.concatenate([middle, sides.max(axis=1, keepdims=True) * (1 + margin)], axis=1).astype(np.float32)

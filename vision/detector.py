"""Where tiles lie: the detector protocol, the shipped onnxruntime backend and a scripted fake.

A detector looks once, at one size. Which sizes a picture needs, and how the looks are put together, is `find_tiles`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.boxes import STRIDE, decode, letterbox, one_box_per_tile, suppress
from vision.network import Network
from vision.types import Detections, Floats, Image, Place, require_image

MIN_TILE_PX = 20
"""Shorter side of a tile, in input pixels, from which a detector is reliable; smaller ones deserve a closer look."""
GOOD_TILE_PX = 26
"""The size that a closer look aims at. With 24, as many tiles of 30 rendered tables are found and named for an eighth
less work, but 15 of 18 revealed hands are whole where 17 were."""
BACK_SIZE = 0.9
"""A back is found as reliably as a face of this share of its size: it shows nothing but its outline."""
SLICE_PX = 1600
"""Longest side of one closer look; a larger picture is looked at in overlapping slices."""
OVERLAP_PX = 160
"""Overlap of two slices: more than the largest tile that still needs slicing."""
MAX_LOOK_PX = 3840
"""No picture is looked at finer than this: a tile has enough pixels long before."""
MIN_SCORES = {"back": 0.45}
"""Least scores by class; backs are plain surfaces, and so is much else."""
MIN_SCORE = 0.25
"""Least score of any other class."""
CERTAIN, FEW = 0.5, 3
"""With fewer than three finds of this score, what was found may be something else, and tiles too small to be seen."""
SEEN_PX, MANY, REACH = 9, 12, 8
"""Where many tiles of at least so many input pixels were found, hardly any is missed altogether: a closer look need not
go farther beyond them than so many of their longer sides."""
BLIND_PX = 1280
"""The second look when the first one found too little to judge by."""


class Detector(Protocol):
    """Anything that can find tiles in a picture."""

    @property
    def classes(self) -> tuple[str, ...]:
        """What the columns of `Detections.class_scores` stand for: `("face",)` or `("face", "back")`."""
        ...

    @property
    def input_px(self) -> int:
        """Longer side of the picture, scaled, with which a look usually succeeds."""
        ...

    def detect(self, image: Image, longest_px: int) -> Detections:
        """Looks at a whole picture once.

        Args:
            image: uint8 (height, width, 3), BGR.
            longest_px: Longer side to which the picture is scaled for the look.

        Returns:
            Candidates in picture pixels, at most one per place and not yet cleaned of boxes around several tiles.
        """
        ...


class OnnxDetector:
    """The shipped backend: a YOLO network run by onnxruntime on the CPU."""

    def __init__(self, path: Path, classes: tuple[str, ...], threads: int = 2, input_px: int = 640) -> None:
        """Loads the network.

        Args:
            path: ONNX file; takes one picture, answers (1, 4 + len(classes), N).
            classes: Names of its scores.
            threads: CPU threads to use.
            input_px: See `Detector.input_px`.

        Raises:
            ValueError: The network answers with another number of classes.
        """
        self._network = Network(path, threads)
        self._classes = classes
        self._input_px = input_px
        rows = self._network.output_shape[1]
        if isinstance(rows, int) and rows != 4 + len(classes):
            raise ValueError(f"{path.name} has {rows - 4} classes, the manifest names {len(classes)}: {classes}")

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes, from the manifest."""
        return self._classes

    @property
    def input_px(self) -> int:
        """The size it was trained with, from the manifest."""
        return self._input_px

    def detect(self, image: Image, longest_px: int) -> Detections:
        """See `Detector.detect`."""
        boxed = letterbox(require_image(image), longest_px)
        (raw,) = self._network.run(boxed.pixels)
        found = suppress(decode(raw, [MIN_SCORES.get(name, MIN_SCORE) for name in self._classes]), max_iou=0.6)
        return replace(found, boxes_xyxy_px=boxed.back(found.boxes_xyxy_px))


class ScriptedDetector:
    """A detector that answers what it was told, for tests, demonstrations and work without weights."""

    def __init__(self, boxes_px: Sequence[tuple[float, float, float, float]], scores: Sequence[float] = ()) -> None:
        """Remembers the answer.

        Args:
            boxes_px: Left, top, right, bottom in the pixels of every picture it will be shown.
            scores: One per box; 0.99 for all when left out.
        """
        boxes = np.array(boxes_px, np.float32).reshape(-1, 4)
        certain = np.array(scores or [0.99] * len(boxes), np.float32)
        self._answer = Detections(boxes, certain[:, None])

    @property
    def classes(self) -> tuple[str, ...]:
        """A scripted detector sees faces only."""
        return ("face",)

    @property
    def input_px(self) -> int:
        """Any size is as good as another."""
        return 640

    def detect(self, image: Image, longest_px: int) -> Detections:  # noqa: ARG002 - a fake needs no picture
        """The boxes it was told whose middle lies inside the picture."""
        height, width = image.shape[:2]
        middle = (self._answer.boxes_xyxy_px[:, :2] + self._answer.boxes_xyxy_px[:, 2:]) / 2
        inside = ((middle >= 0) & (middle < (width, height))).all(axis=1)
        return self._answer.take(np.flatnonzero(inside).astype(np.int64))


def find_tiles(detector: Detector, image: Image) -> Detections:
    """All tiles of a picture of any size, each once.

    The first look is coarse. When tiles turn out small, or hardly any is found, the picture is looked at again as
    finely as they need, up to its own resolution, where tiles were seen; a close-up of a hand costs one look, a whole
    table two.
    """
    height, width = image.shape[:2]
    native_px = min(max(height, width), MAX_LOOK_PX)
    looks: list[Detections] = []
    size_px = detector.input_px
    place = whole = (0, 0, width, height)
    while True:
        scale = size_px / max(height, width)
        found = look_at(detector, image, place, scale)
        looks.append(found)
        certain = found.take(np.flatnonzero(found.scores >= CERTAIN).astype(np.int64))
        tile_px = _small_side(certain.boxes_xyxy_px, _backs(certain, detector.classes)) * scale
        if tile_px >= MIN_TILE_PX or size_px >= native_px:
            return one_box_per_tile(Detections.join(looks))
        place = _around(found, image) if tile_px >= SEEN_PX and len(found) >= MANY else whole
        if tile_px:
            size_px = min(native_px, round(size_px * max(GOOD_TILE_PX / tile_px, 1.25)))
        else:
            size_px = min(native_px, max(BLIND_PX, 2 * size_px))


def look_at(detector: Detector, image: Image, place: Place, scale: float) -> Detections:
    """What lies whole inside one part of a picture, in pixels of the picture; a large part is seen in slices.

    Args:
        detector: Finds tiles.
        image: uint8 (height, width, 3), BGR.
        place: The part.
        scale: Input pixels per picture pixel.
    """
    parts = []
    for left, right in _slices(place[0], place[2], scale):
        for top, bottom in _slices(place[1], place[3], scale):
            piece = image[top:bottom, left:right]
            found = detector.detect(piece, max(STRIDE, round(max(piece.shape[:2]) * scale)))
            parts.append(_whole_tiles(found, piece.shape, (left, top), image.shape))
    return Detections.join(parts)


def scale_for(detector: Detector, boxes_xyxy_px: Floats, backs: NDArray[np.bool_], longest_px: int) -> float:
    """Input pixels per picture pixel with which tiles of these sizes are found.

    Args:
        detector: Finds tiles.
        boxes_xyxy_px: float32 (N, 4), tiles found before.
        backs: bool (N,), which of them lie face down.
        longest_px: Longer side of the picture.
    """
    usual = detector.input_px / longest_px
    side_px = _small_side(boxes_xyxy_px, backs)
    if side_px * usual >= MIN_TILE_PX or not side_px:
        return usual
    return max(usual, min(1.0, MAX_LOOK_PX / longest_px, GOOD_TILE_PX / side_px))


def _small_side(boxes_xyxy_px: Floats, backs: NDArray[np.bool_]) -> float:
    """Shorter side, as of a face, that a tenth of the tiles fall below; 0 where there are too few to judge by."""
    if len(boxes_xyxy_px) < FEW:
        return 0.0
    sides = (boxes_xyxy_px[:, 2:] - boxes_xyxy_px[:, :2]).min(axis=1)
    return float(np.quantile(np.where(backs, BACK_SIZE * sides, sides), 0.1))


def _backs(found: Detections, classes: Sequence[str]) -> NDArray[np.bool_]:
    """Which finds are likelier face down than a face."""
    if "back" not in classes:
        return np.zeros(len(found), np.bool_)
    likely: NDArray[np.bool_] = found.class_scores.argmax(axis=1) == list(classes).index("back")
    return likely


def _around(found: Detections, image: Image) -> Place:
    """The part of the picture that holds everything found, and a good way around it."""
    height, width = image.shape[:2]
    boxes = found.boxes_xyxy_px
    reach = REACH * float(np.median((boxes[:, 2:] - boxes[:, :2]).max(axis=1)))
    left, top = np.maximum(boxes[:, :2].min(axis=0) - reach, 0)
    right, bottom = np.minimum(boxes[:, 2:].max(axis=0) + reach, (width, height))
    return int(left), int(top), int(np.ceil(right)), int(np.ceil(bottom))


def _slices(start_px: int, end_px: int, scale: float) -> list[tuple[int, int]]:
    """Cuts a length into as few even slices as are needed, which overlap by at least `OVERLAP_PX`."""
    length, overlap = end_px - start_px, OVERLAP_PX / scale
    if length * scale <= SLICE_PX:
        return [(start_px, end_px)]
    count = int(np.ceil((length * scale - OVERLAP_PX) / (SLICE_PX - OVERLAP_PX)))
    side = int(np.ceil((length + overlap * (count - 1)) / count))
    return [(start_px + round(begin), start_px + round(begin) + side) for begin in np.linspace(0, length - side, count)]


def _whole_tiles(
    found: Detections, piece: tuple[int, ...], corner: tuple[int, int], whole: tuple[int, ...]
) -> Detections:
    """Moves the finds of a part into the picture, without those that the cut may have shortened."""
    (height, width), (left, top) = piece[:2], corner
    boxes = found.boxes_xyxy_px
    edge_px = 2.0
    cut = (
        ((boxes[:, 0] < edge_px) & (left > 0))
        | ((boxes[:, 1] < edge_px) & (top > 0))
        | ((boxes[:, 2] > width - edge_px) & (left + width < whole[1]))
        | ((boxes[:, 3] > height - edge_px) & (top + height < whole[0]))
    )
    kept = found.take(np.flatnonzero(~cut).astype(np.int64))
    return replace(kept, boxes_xyxy_px=kept.boxes_xyxy_px + np.array([left, top, left, top], np.float32))

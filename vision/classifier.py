"""Which tile is it: names all tiles of a picture at once from square crops at the picture's own resolution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.boxes import PADDING, crop_squares, softmax
from vision.detector import open_session
from vision.enrolled import EnrolledSet
from vision.types import Floats, Image

BATCH = 64
"""Crops named in one run; more at once is no faster and needs more memory."""
CERTAIN = 0.99
"""What is less probable at first sight is seen in other rotations too, even where it would count as sure: on tables
never seen that leaves a quarter of a percent of the sure readings wrong instead of two (models/CARD.md)."""


@dataclass(frozen=True, slots=True)
class CropRule:
    """How a crop is cut, as the classifier was trained.

    Attributes:
        size_px: Side of the square that the network takes.
        margin: Extra side of the square around the box, as a share of the box's longer side.
        quarter_turns: Looks to average where the first one hesitates: 1, 2 or 4, each turned by 90 degrees.
    """

    size_px: int
    margin: float
    quarter_turns: int = 4


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """The network's answer to N crops: `logits` float32 (N, labels) and `embedding` float32 (N, D), of length 1."""

    logits: Floats
    embedding: Floats


class Classifier(Protocol):
    """Anything that can say which tile lies in a box."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Tile text of each column of the answer."""
        ...

    def name(self, image: Image, boxes_xyxy_px: Floats) -> Floats:
        """Probabilities float32 (N, len(labels)) for the boxes (N, 4), each row adding up to 1."""
        ...


class OnnxClassifier:
    """The shipped backend: a small network run by onnxruntime on the CPU."""

    def __init__(
        self,
        path: Path,
        labels: tuple[str, ...],
        rule: CropRule,
        sure: float,
        threads: int = 2,
        *,
        enrolled: EnrolledSet | None = None,
    ) -> None:
        """Loads the network.

        Args:
            path: ONNX file; input `crops` float32 (N, 3, S, S) RGB 0 to 1, outputs `logits` and `embedding`.
            labels: Tile text of each logit.
            rule: How to cut crops.
            sure: Below this probability, and below `CERTAIN`, a crop is looked at again in other rotations.
            threads: CPU threads to use.
            enrolled: The table's own tiles, whose last layer stands in for the shipped one.
        """
        self._session = open_session(path, threads)
        self._labels = labels
        self._rule = rule
        self._sure = sure
        self._enrolled = enrolled

    @property
    def labels(self) -> tuple[str, ...]:
        """Tile text of each column of the answer."""
        return self._labels

    def name(self, image: Image, boxes_xyxy_px: Floats) -> Floats:
        """See `Classifier.name`; what hesitates is seen in several rotations and the answers are averaged."""
        crops = cut_crops(image, crop_squares(boxes_xyxy_px, self._rule.margin), self._rule.size_px)
        probabilities = self._run(crops)
        doubtful = np.flatnonzero(probabilities.max(axis=1, initial=0) < max(self._sure, CERTAIN))
        turns = self._rule.quarter_turns
        if len(doubtful) and turns > 1:
            turned = [np.rot90(crops[doubtful], 4 // turns * turn, axes=(2, 3)) for turn in range(1, turns)]
            others = self._run(np.ascontiguousarray(np.concatenate(turned)))
            total = probabilities[doubtful] + others.reshape(turns - 1, len(doubtful), -1).sum(axis=0)
            probabilities[doubtful] = total / turns
        return probabilities

    @property
    def rule(self) -> CropRule:
        """How it wants its crops cut."""
        return self._rule

    def look(self, crops: Floats) -> Looks:
        """What the network itself says about crops float32 (N, 3, S, S), whatever is enrolled."""
        parts = [
            self._session.run(["logits", "embedding"], {"crops": crops[start : start + BATCH]})
            for start in range(0, len(crops), BATCH)
        ]
        if not parts:
            return Looks(np.zeros((0, len(self._labels)), np.float32), np.zeros((0, 1), np.float32))
        return Looks(np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts]))

    def _run(self, crops: Floats) -> Floats:
        seen = self.look(crops)
        if self._enrolled is None or not len(crops):
            return softmax(seen.logits)
        return softmax(self._enrolled.logits(self._labels, seen.logits, seen.embedding))


class ScriptedClassifier:
    """A classifier that answers what it was told, for tests, demonstrations and work without weights."""

    def __init__(self, labels: tuple[str, ...], tiles: Sequence[str], score: float = 0.99) -> None:
        """Remembers the answer.

        Args:
            labels: Every tile text it may say.
            tiles: What it says, in reading order: boxes row by row from the top, each from the left.
            score: Probability of each answer.
        """
        self._labels = labels
        self._columns = [labels.index(tile) for tile in tiles]
        self._score = score

    @property
    def labels(self) -> tuple[str, ...]:
        """Tile text of each column of the answer."""
        return self._labels

    def name(self, image: Image, boxes_xyxy_px: Floats) -> Floats:  # noqa: ARG002 - a fake needs no picture
        """The tiles it was told; boxes whose middles differ by less than half a tile in height are one row."""
        rest = (1 - self._score) / (len(self._labels) - 1)
        answer = np.full((len(boxes_xyxy_px), len(self._labels)), rest, np.float32)
        for box, column in zip(_reading_order(boxes_xyxy_px), self._columns, strict=True):
            answer[box, column] = self._score
        return answer


def cut_crops(image: Image, squares: Floats, size_px: int) -> Floats:
    """Cuts squares out of a picture and scales them: float32 (N, 3, size_px, size_px), RGB, 0 to 1.

    Args:
        image: uint8 (height, width, 3), BGR.
        squares: float32 (N, 3): centre x, centre y, side in picture pixels. Outside the picture lies grey.
        size_px: Side of the result.
    """
    height, width = image.shape[:2]
    crops = np.empty((len(squares), size_px, size_px, 3), np.uint8)
    for crop, (x, y, side) in zip(crops, squares, strict=True):
        left, top, edge = round(float(x - side / 2)), round(float(y - side / 2)), max(1, round(float(side)))
        x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + edge, width), min(top + edge, height)
        if (x1 - x0, y1 - y0) == (edge, edge):
            square = image[y0:y1, x0:x1]
        else:
            square = np.full((edge, edge, 3), PADDING, np.uint8)
            if x1 > x0 and y1 > y0:
                square[y0 - top : y1 - top, x0 - left : x1 - left] = image[y0:y1, x0:x1]
        way = cv2.INTER_AREA if edge > size_px else cv2.INTER_LINEAR
        crop[:] = cv2.resize(square, (size_px, size_px), interpolation=way)
    rgb = crops[..., ::-1].transpose(0, 3, 1, 2)
    scaled: Floats = np.multiply(rgb, np.float32(1 / 255), dtype=np.float32, order="C")
    return scaled


def _reading_order(boxes: Floats) -> list[int]:
    left = [int(place) for place in np.argsort(boxes[:, 1] + boxes[:, 3])]
    order: list[int] = []
    while left:
        first = boxes[left[0]]
        limit = (first[1] + first[3]) / 2 + (first[3] - first[1]) / 2
        row = [place for place in left if (boxes[place, 1] + boxes[place, 3]) / 2 <= limit]
        order += sorted(row, key=lambda place: float(boxes[place, 0]))
        left = [place for place in left if place not in row]
    return order

"""Which tile is it: names all tiles of a picture at once from square crops at the picture's own resolution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.boxes import PADDING, crop_squares, softmax
from vision.enrolled import EnrolledSet
from vision.felt_squares import FeltSquares
from vision.network import Network
from vision.types import Floats, Image, Images

BATCH = 64
"""Crops named in one run; more at once is no faster and needs more memory."""
CERTAIN = 0.99
"""What is less probable at first sight is seen in other rotations too, even where it would count as sure: on tables
never seen that leaves a quarter of a percent of the sure readings wrong instead of two (models/CARD.md)."""

AGREED = 0.97
"""Two looks, one of them upside down, that say the same with this mean probability are not followed by two more. On
validation photographs, on groups left out of training and on tables never seen, what that makes sure is right; it
saves a third of the naming."""


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

    def name(self, image: Image, boxes_xyxy_px: Floats, felt: FeltSquares | None = None) -> Floats:
        """Probabilities float32 (N, len(labels)) for the boxes (N, 4), each row adding up to 1.

        Args:
            image: uint8 (height, width, 3), BGR.
            boxes_xyxy_px: Where the tiles are.
            felt: How to look at them where the felt is known; None for squares along the picture's edges.
        """
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
            path: ONNX file; takes pictures S x S, answers `logits` and `embedding`.
            labels: Tile text of each logit.
            rule: How to cut crops.
            sure: Below this probability, and below `CERTAIN`, a crop is looked at again in other rotations.
            threads: CPU threads to use.
            enrolled: The table's own tiles, whose last layer stands in for the shipped one.
        """
        self._network = Network(path, threads)
        self._labels = labels
        self._rule = rule
        self._sure = sure
        self._enrolled = enrolled

    @property
    def labels(self) -> tuple[str, ...]:
        """Tile text of each column of the answer."""
        return self._labels

    def name(self, image: Image, boxes_xyxy_px: Floats, felt: FeltSquares | None = None) -> Floats:
        """See `Classifier.name`; what hesitates is seen in other rotations too and the answers are averaged."""
        crops = cut_crops(image, crop_squares(boxes_xyxy_px, self._rule.margin), self._rule.size_px)
        if felt is not None:
            lying = felt.fit(boxes_xyxy_px, self._rule.margin)
            crops[lying] = felt.crops(image, boxes_xyxy_px[lying], self._rule.margin, self._rule.size_px)
        probabilities = self._run(crops)
        turns = self._rule.quarter_turns
        doubtful = np.flatnonzero(probabilities.max(axis=1, initial=0) < max(self._sure, CERTAIN))
        if turns == 1 or not len(doubtful):
            return probabilities
        upright, halfway = probabilities[doubtful], self._turned(crops[doubtful], [2])
        probabilities[doubtful] = both = (upright + halfway) / 2
        agreed = (upright.argmax(axis=1) == halfway.argmax(axis=1)) & (both.max(axis=1) >= max(self._sure, AGREED))
        if turns == 4 and not agreed.all():
            left = doubtful[~agreed]
            probabilities[left] = (probabilities[left] + self._turned(crops[left], [1, 3]) / 2) / 2
        return probabilities

    def _turned(self, crops: Images, quarters: Sequence[int]) -> Floats:
        """Sum of the probabilities after so many quarter turns each."""
        turned = np.concatenate([np.rot90(crops, quarter, axes=(1, 2)) for quarter in quarters])
        total: Floats = self._run(turned).reshape(len(quarters), len(crops), -1).sum(axis=0)
        return total

    @property
    def rule(self) -> CropRule:
        """How it wants its crops cut."""
        return self._rule

    def look(self, crops: Images) -> Looks:
        """What the network itself says about crops uint8 (N, S, S, 3), BGR, whatever is enrolled."""
        parts = [
            self._network.run(crops[start : start + BATCH], ["logits", "embedding"])
            for start in range(0, len(crops), BATCH)
        ]
        if not parts:
            return Looks(np.zeros((0, len(self._labels)), np.float32), np.zeros((0, 1), np.float32))
        return Looks(np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts]))

    def _run(self, crops: Images) -> Floats:
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

    def name(self, image: Image, boxes_xyxy_px: Floats, felt: FeltSquares | None = None) -> Floats:  # noqa: ARG002 - a fake needs no picture
        """The tiles it was told; boxes whose middles differ by less than half a tile in height are one row."""
        rest = (1 - self._score) / (len(self._labels) - 1)
        answer = np.full((len(boxes_xyxy_px), len(self._labels)), rest, np.float32)
        for box, column in zip(_reading_order(boxes_xyxy_px), self._columns, strict=True):
            answer[box, column] = self._score
        return answer


def cut_crops(image: Image, squares: Floats, size_px: int) -> Images:
    """Cuts squares out of a picture and scales them: uint8 (N, size_px, size_px, 3), BGR.

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
    return crops


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

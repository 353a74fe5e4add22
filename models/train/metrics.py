"""How good the eyes are: matching readings with labels, and the figures that follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models import LABELS
from vision.boxes import iou

IOU = 0.5
EXCUSED = 0.3
"""Overlap from which a find is taken for one of the tiles that cannot be asked for."""
BACK = LABELS.index("x")
BANDS = (0.0, 0.35, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
"""Where the bands of scores begin for which promise and outcome are compared."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read on one picture.

    Attributes:
        boxes: [N, 4] float32 x1 y1 x2 y2 in pixels.
        labels: [N] int64 positions in `LABELS`.
        scores: [N] float32, the probability of the label.
        sure: [N] bool, whether the reader calls it sure.
    """

    boxes: NDArray[np.float32]
    labels: NDArray[np.int64]
    scores: NDArray[np.float32]
    sure: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Truth:
    """What a person (or the renderer) marked on one picture.

    Attributes:
        complete: every face-up tile is marked.
        backs_marked: face-down tiles are marked, too.
        doubtful: [M, 4] tiles that cannot be asked for: a find there counts nowhere.
    """

    picture: str
    boxes: NDArray[np.float32]
    labels: NDArray[np.int64]
    complete: bool
    backs_marked: bool = False
    doubtful: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 4), np.float32))


@dataclass(slots=True)
class Tally:
    """Counts over many pictures; the properties are the figures people ask for.

    A face-down find where nothing is marked counts nowhere on photographs, which have no boxes for
    backs; on rendered scenes it is a mistake.
    """

    labelled: int = 0
    located: int = 0
    right: int = 0
    read: int = 0
    read_complete: int = 0
    right_complete: int = 0
    pictures_complete: int = 0
    pictures_right: int = 0
    sure: int = 0
    """Readings called sure on completely labelled pictures."""
    sure_wrong: int = 0
    per_label: Counter[str] = field(default_factory=Counter)
    right_per_label: Counter[str] = field(default_factory=Counter)
    read_per_label: Counter[str] = field(default_factory=Counter)
    """Readings on completely labelled pictures by what was read."""
    precise_per_label: Counter[str] = field(default_factory=Counter)
    """Those of them that are right."""
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    scored: list[tuple[float, bool, bool]] = field(default_factory=list)
    """(score, right, on a complete picture) of every reading that found a label or counts
    as spurious."""

    @property
    def recall(self) -> float:
        """Labelled tiles found with the right face."""
        return self.right / max(self.labelled, 1)

    @property
    def located_share(self) -> float:
        """Labelled tiles found, whatever face was read."""
        return self.located / max(self.labelled, 1)

    @property
    def precision(self) -> float:
        """Readings that are right, on completely labelled pictures."""
        return self.right_complete / max(self.read_complete, 1)

    @property
    def precision_all(self) -> float:
        """Readings that are right, on all pictures (unlabelled tiles count as wrong)."""
        return self.right / max(self.read, 1)

    @property
    def pictures_share(self) -> float:
        """Completely labelled pictures read without any mistake."""
        return self.pictures_right / max(self.pictures_complete, 1)

    def above(self, score: float) -> tuple[int, int]:
        """(readings, wrong ones) with at least this score, on completely labelled pictures."""
        marked = [right for value, right, complete in self.scored if complete and value >= score]
        return len(marked), marked.count(False)


def match(found: NDArray[np.float32], truth: NDArray[np.float32]) -> list[tuple[int, int]]:
    """Pairs (found, truth) overlapping by at least 0.5, each box used once, best first."""
    if not len(found) or not len(truth):
        return []
    overlap = iou(found, truth)
    order = np.argsort(-overlap, axis=None, kind="stable")
    pairs: list[tuple[int, int]] = []
    taken: tuple[set[int], set[int]] = (set(), set())
    for flat in order:
        mine, theirs = divmod(int(flat), len(truth))
        if overlap[mine, theirs] < IOU:
            break
        if mine not in taken[0] and theirs not in taken[1]:
            taken[0].add(mine)
            taken[1].add(theirs)
            pairs.append((mine, theirs))
    return pairs


def tally(pairs: Sequence[tuple[Reading, Truth]]) -> Tally:
    """Counts what was read rightly over many pictures."""
    total = Tally()
    for reading, truth in pairs:
        _add(total, reading, truth)
    return total


def _add(total: Tally, reading: Reading, truth: Truth) -> None:
    matched = dict(match(reading.boxes, truth.boxes))
    excused = iou(reading.boxes, truth.doubtful).max(axis=1, initial=0.0) >= EXCUSED
    total.labelled += len(truth.labels)
    total.located += len(matched)
    for label in truth.labels:
        total.per_label[LABELS[label]] += 1
    clean = True
    for index, label in enumerate(reading.labels):
        mark = matched.get(index)
        if mark is None and (excused[index] or (label == BACK and not truth.backs_marked)):
            continue
        right = mark is not None and int(truth.labels[mark]) == int(label)
        total.read += 1
        total.right += right
        if mark is not None:
            name = LABELS[truth.labels[mark]]
            total.right_per_label[name] += right
            if not right:
                total.confusions[name, LABELS[label]] += 1
        total.scored.append((float(reading.scores[index]), right, truth.complete))
        if truth.complete:
            total.read_complete += 1
            total.right_complete += right
            total.read_per_label[LABELS[label]] += 1
            total.precise_per_label[LABELS[label]] += right
            total.sure += bool(reading.sure[index])
            total.sure_wrong += bool(reading.sure[index]) and not right
            clean = clean and right
    if truth.complete:
        total.pictures_complete += 1
        total.pictures_right += clean and len(matched) == len(truth.labels)


def sure_threshold(total: Tally, allowed: float = 0.005) -> float:
    """The lowest score from which at most `allowed` of the readings are wrong."""
    marks = sorted(((score, right) for score, right, complete in total.scored if complete), reverse=True)
    best, wrong = 1.0, 0
    for count, (score, right) in enumerate(marks, start=1):
        wrong += not right
        alike = count < len(marks) and marks[count][0] == score  # a limit takes all readings of one score or none
        if not alike and wrong <= allowed * count:
            best = score
    return best


def by_score(marks: Sequence[tuple[float, bool]]) -> list[tuple[float, int, float, float]]:
    """What a score promises and what it keeps: (least score, readings, their mean score, share right) by band.

    A reader is calibrated where the two shares agree. Bands without readings are left out.
    """
    scores = np.array([score for score, _ in marks], np.float64)
    right = np.array([kept for _, kept in marks], np.float64)
    table = []
    for low, high in zip(BANDS, (*BANDS[1:], np.inf), strict=True):
        inside = (scores >= low) & (scores < high)
        if inside.any():
            table.append((low, int(inside.sum()), float(scores[inside].mean()), float(right[inside].mean())))
    return table

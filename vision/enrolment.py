"""Learning a table's own tiles from the guided rows that its owner lays out.

Every picture shows one guided row: its tiles side by side, nothing else in line with them. Which row it is, and from
which end it is read, the eyes find out by themselves; how many tiles it must have is known. A tile that looks clearly
like another one is not swallowed but reported as a doubt, for a person to answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models import LABELS, Manifest
from vision.boxes import softmax
from vision.classifier import CropRule, Looks, OnnxClassifier
from vision.detector import Detector, OnnxDetector, find_tiles
from vision.enrolled import EnrolledSet, EnrolmentError, mixed
from vision.guided import GUIDED_ROWS, GuidedRow
from vision.said import Said
from vision.types import Box, Detections, Floats, Image, require_image
from vision.views import LyingTile, views_of

LEAST_PX = 24
"""Shorter side of a tile below which its picture teaches nothing."""
CLEARLY, TIMES = 0.35, 6.0
"""A tile is asked about when another one has this probability and is so many times likelier: of 420 tiles of rendered
sets never seen none was asked about without cause, while 92 % of wrongly placed ones would be."""
FITS = -2.5
"""A row is recognised from this mean logarithm of probability; right ones have -1.4 and more, others -3.4 and less."""
TURNED = 0.5
"""A row is read from its right end, as in a picture held upside down, only where that fits better by so much."""
FROM_LEFT, FROM_RIGHT = slice(None, None, 1), slice(None, None, -1)
OTHER_ROW = 1.0
"""A row is another one than expected when that fits better by so much, in mean logarithms of probability."""
SHARPNESS, STEPS, TOGETHER, RATE = 10.0, 20, 5, 5.0
"""Of the fitted last layer: steps alone, then mixed with the shipped one; chosen on sets never seen, see
`models/train/enrolment_gain.py`."""
MOST_SHARE, UNKNOWN, WELL_KNOWN = 0.45, 0.7, 0.95
"""See `shipped_share`; chosen on sets that three versions of the weights knew between half and nearly perfectly."""
TWINS = 0.97
"""Two tiles that look alike beyond this cosine cannot both be what they should be."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A tile that looks like another one than its place in the row says.

    Attributes:
        picture: Name of the picture.
        place: Its place in the row, from 1.
        expected: What should lie there.
        seen: What it looks like.
        score: How much, 0 to 1.
        box_px: Where it lies.
    """

    picture: str
    place: int
    expected: str
    seen: str
    score: float
    box_px: Box


@dataclass(frozen=True, slots=True, eq=False)
class SeenRow:
    """One guided row in one picture.

    Attributes:
        row: Which row.
        boxes_px: Where its tiles lie, in the row's order.
        looks: float32 (len(row.tiles), views, D): the classifier's embedding of every view of each tile.
        shipped: float32 (len(row.tiles), views, labels): the shipped last layer's scores of the same views.
        doubts: Tiles to ask about.
    """

    row: GuidedRow
    boxes_px: tuple[Box, ...]
    looks: Floats
    shipped: Floats
    doubts: tuple[Doubt, ...]


class RowReader:
    """Looks at pictures of guided rows."""

    def __init__(self, detector: Detector, classifier: OnnxClassifier) -> None:
        """Puts it together.

        Args:
            detector: Finds tiles.
            classifier: Says what they look like; without an enrolled set.
        """
        self._detector = detector
        self._classifier = classifier

    @classmethod
    def from_manifest(cls, manifest: Manifest, threads: int = 2) -> RowReader:
        """With the weights that a manifest describes."""
        where, what = manifest.detector, manifest.classifier
        rule = CropRule(what.size_px, what.margin, what.quarter_turns)
        return cls(
            OnnxDetector(where.quick, where.classes, threads, where.input_px),
            OnnxClassifier(what.quick, LABELS, rule, manifest.thresholds.sure, threads),
        )

    def look(self, image: Image, name: str, expected: GuidedRow | None = None) -> SeenRow:
        """Finds the guided row in a picture and looks at each of its tiles in many ways.

        Args:
            image: uint8 (height, width, 3), BGR.
            name: What to call the picture in sentences.
            expected: The row that was asked for; None when it may be any.

        Raises:
            EnrolmentError: No row, too few or too many tiles in it, tiles too small, or clearly another row.
        """
        found = find_tiles(self._detector, require_image(image))
        line = straight_line(found)
        rows = [row for row in GUIDED_ROWS if len(row.tiles) == len(line) and expected in (None, row)]
        if not rows:
            raise EnrolmentError(_miscounted(name, len(line), expected))
        boxes = found.boxes_xyxy_px[line]
        tiles = lying_tiles(boxes)
        smallest = min(tile.wide_px for tile in tiles)
        if smallest < LEAST_PX:
            raise EnrolmentError(Said.of("row_small", name=name, found=round(smallest), wanted=LEAST_PX))
        looks, shipped = self._looks(image, tiles)
        probabilities: Floats = np.stack([softmax(views).mean(axis=0) for views in shipped])
        row, order = self._which(rows, probabilities)
        if expected is not None:
            self._refuse_other(name, expected, probabilities)
        elif not self._is_row(row, probabilities[order]):
            raise EnrolmentError(Said.of("row_unknown", name=name, found=len(line)))
        placed = tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in boxes[order])
        return SeenRow(row, placed, looks[order], shipped[order], self._doubts(name, row, probabilities[order], placed))

    def _looks(self, image: Image, tiles: Sequence[LyingTile]) -> tuple[Floats, Floats]:
        """Embedding (N, views, D) and the shipped layer's scores (N, views, labels) of every view of each tile."""
        rule = self._classifier.rule
        seen = [self._classifier.look(views_of(image, tile, rule.size_px, rule.margin)) for tile in tiles]
        return np.stack([one.embedding for one in seen]), np.stack([one.logits for one in seen])

    def _which(self, rows: Sequence[GuidedRow], probabilities: Floats) -> tuple[GuidedRow, slice]:
        """The row that the tiles fit best, and how to put them into its order: from the left unless clearly not."""
        ways = [(row, order) for row in rows for order in (FROM_LEFT, FROM_RIGHT)]
        cost = {FROM_LEFT.step: 0.0, FROM_RIGHT.step: TURNED}
        return max(ways, key=lambda way: self._fit(way[0], probabilities[way[1]]) - cost[way[1].step])

    def _fit(self, row: GuidedRow, probabilities: Floats) -> float:
        """Mean logarithm of the probability that each tile is what the row says."""
        columns = [self._classifier.labels.index(tile) for tile in row.tiles]
        own = probabilities[np.arange(len(columns)), columns]
        return float(np.log(np.maximum(own, 1e-3)).mean())

    def _is_row(self, row: GuidedRow, probabilities: Floats) -> bool:
        """Whether the tiles look like this row at all; flowers need only look like flowers."""
        if not row.tiles[0].endswith("f"):
            return self._fit(row, probabilities) >= FITS
        flowers = [place for place, tile in enumerate(self._classifier.labels) if tile.endswith("f")]
        alike = probabilities[:, flowers].sum(axis=1)
        return float(np.log(np.maximum(alike, 1e-3)).mean()) >= FITS

    def _refuse_other(self, name: str, expected: GuidedRow, probabilities: Floats) -> None:
        alike = [row for row in GUIDED_ROWS if len(row.tiles) == len(expected.tiles)]
        best, order = self._which(alike, probabilities)
        own = max(self._fit(expected, probabilities), self._fit(expected, probabilities[::-1]))
        if best is not expected and self._fit(best, probabilities[order]) > own + OTHER_ROW:
            raise EnrolmentError(Said.of("row_other", name=name, seen=best.text, wanted=expected.text))

    def _doubts(self, name: str, row: GuidedRow, probabilities: Floats, boxes: tuple[Box, ...]) -> tuple[Doubt, ...]:
        labels = self._classifier.labels
        doubts = []
        for place, (tile, seen, box) in enumerate(zip(row.tiles, probabilities, boxes, strict=True), start=1):
            best = int(seen.argmax())
            every_set_has_its_own = tile.endswith("f") and labels[best].endswith("f")
            if seen[best] >= max(CLEARLY, TIMES * seen[labels.index(tile)]) and not every_set_has_its_own:
                doubts.append(Doubt(name, place, tile, labels[best], float(seen[best]), box))
        return tuple(doubts)


def enrol(rows: Sequence[SeenRow], weights_sha256: str, made_on: str) -> EnrolledSet:
    """The table's own tiles from all its rows; a row may be shown several times.

    Args:
        rows: What was seen; doubts are the caller's to settle.
        weights_sha256: Checksum of the classifier that looked.
        made_on: The day, as an ISO date.

    Raises:
        EnrolmentError: A row is missing, or two tiles look the same.
    """
    shown = {seen.row.key for seen in rows}
    missing = [row.text for row in GUIDED_ROWS if row.key not in shown and not row.optional]
    if missing:
        raise EnrolmentError(Said.of("rows_missing", rows="; ".join(missing)))
    tiles = tuple(tile for row in GUIDED_ROWS if row.key in shown for tile in row.tiles)
    looks: dict[str, list[Looks]] = {tile: [] for tile in tiles}
    for seen in rows:
        for tile, scores, views in zip(seen.row.tiles, seen.shipped, seen.looks, strict=True):
            looks[tile].append(Looks(scores, views))
    return learnt(looks, weights_sha256, made_on)


def learnt(looks: Mapping[str, Sequence[Looks]], weights_sha256: str, made_on: str) -> EnrolledSet:
    """A table's own tiles from what the network says about every view of them.

    Args:
        looks: For each tile text one or more tiles that were shown, with all views of each.
        weights_sha256: Checksum of the classifier that looked.
        made_on: The day, as an ISO date.

    Raises:
        EnrolmentError: Two tiles look the same.
    """
    tiles = tuple(looks)
    copies = tuple(len(looks[tile]) for tile in tiles)
    views = [np.concatenate([one.embedding for one in looks[tile]]) for tile in tiles]
    shipped = [np.concatenate([one.logits for one in looks[tile]]) for tile in tiles]
    _refuse_twins(tiles, views)
    columns = [LABELS.index(tile) for tile in tiles]
    known = [(scores.argmax(axis=1) == column).mean() for scores, column in zip(shipped, columns, strict=True)]
    share = shipped_share(float(np.average(known, weights=copies)))
    return EnrolledSet(weights_sha256, made_on, tiles, fit_last_layer(views, shipped, columns, share), copies, share)


def shipped_share(known: float) -> float:
    """How much the shipped last layer should still say, from the share of views that it names right.

    One that knows the set well steadies the table's own; one that hardly knows it would only mislead.
    """
    return MOST_SHARE * float(np.clip((known - UNKNOWN) / (WELL_KNOWN - UNKNOWN), 0, 1))


def fit_last_layer(views: Sequence[Floats], shipped: Sequence[Floats], columns: Sequence[int], share: float) -> Floats:
    """A last layer that, mixed with the shipped one, tells these tiles apart: float32 (tiles, D).

    It starts from the mean view of each tile and takes a few steps of multinomial regression, every tile weighing the
    same however often it was shown. More steps would learn the views by heart. The last steps fit the mixture and not
    the layer alone: where the shipped layer takes a face for another one, the table's own learns to outweigh it.

    Args:
        views: For each tile, float32 (views, D), of length 1.
        shipped: For each tile, float32 (views, labels): the shipped layer's scores of the same views.
        columns: Which of the labels each tile is.
        share: Weight of the shipped layer, see `shipped_share`.
    """
    layer = SHARPNESS * np.stack([unit(seen.mean(axis=0)) for seen in views])
    everything, scores = np.concatenate(views), np.concatenate(shipped)
    kinds = np.repeat(columns, [len(seen) for seen in views])
    own = np.eye(scores.shape[1], dtype=np.float32)[kinds]
    weight = np.concatenate([np.full((len(seen), 1), 1 / len(seen), np.float32) for seen in views])
    for part in (*[0.0] * STEPS, *[share] * TOGETHER):
        off = softmax(mixed(scores, columns, part, everything @ layer.T)) - own
        layer = layer - RATE * (weight * off[:, columns]).T @ everything
    return layer.astype(np.float32)


def _refuse_twins(tiles: tuple[str, ...], views: Sequence[Floats]) -> None:
    means = np.stack([unit(seen.mean(axis=0)) for seen in views])
    alike = means @ means.T
    np.fill_diagonal(alike, -1)
    first, second = divmod(int(alike.argmax()), len(tiles))
    if alike[first, second] > TWINS:
        raise EnrolmentError(Said.of("twins", first=tiles[first], second=tiles[second]))


def straight_line(found: Detections) -> NDArray[np.int64]:
    """The most tiles of about one size that lie on one straight line, from one end to the other.

    Returns:
        Positions in `found`; the left end first, for steep lines the upper one. Empty when nothing was found.
    """
    if len(found) < 2:
        return np.arange(len(found))
    boxes = found.boxes_xyxy_px.astype(np.float64)
    middles, sizes = (boxes[:, :2] + boxes[:, 2:]) / 2, np.sqrt(np.prod(boxes[:, 2:] - boxes[:, :2], axis=1))
    best = np.zeros(0, np.int64)
    for first, second in zip(*np.triu_indices(len(boxes), 1), strict=True):
        along = (middles[second] - middles[first]) / max(1e-6, float(np.hypot(*(middles[second] - middles[first]))))
        offset = middles - middles[first]
        aside = np.abs(offset[:, 0] * along[1] - offset[:, 1] * along[0])
        alike = np.abs(np.log(sizes / sizes[first])) < np.log(1.7)
        on_line = np.flatnonzero(alike & (aside < 0.4 * sizes[first]))
        line = _unbroken(on_line, offset[on_line] @ along, 1.8 * float(sizes[first]))
        if len(line) > len(best):
            best = line
    along = middles[best[-1]] - middles[best[0]]
    right_or_down = along[0] > 0 if abs(along[0]) >= abs(along[1]) else along[1] > 0
    return best if right_or_down else best[::-1]


def _unbroken(line: NDArray[np.int64], places: NDArray[np.float64], widest: float) -> NDArray[np.int64]:
    """The longest part of a line without a step wider than `widest`, in order."""
    order = np.argsort(places)
    breaks = np.flatnonzero(np.diff(places[order]) > widest) + 1
    return max(np.split(line[order], breaks), key=len)


def lying_tiles(boxes: Floats) -> tuple[LyingTile, ...]:
    """Sides and direction of the tiles of a row from the boxes (N, 4) around them, N at least 2."""
    middles = ((boxes[:, :2] + boxes[:, 2:]) / 2).astype(np.float64)
    steps = np.hypot(*np.diff(middles, axis=0).T)
    near = np.minimum(np.append(steps, np.inf), np.insert(steps, 0, np.inf))
    along = middles[-1] - middles[0]
    angle = float(np.arctan2(along[1], along[0]))
    both = (boxes[:, 2:] - boxes[:, :2]).sum(axis=1) / (abs(np.cos(angle)) + abs(np.sin(angle)))
    wide = np.clip(near, 0.38 * both, 0.46 * both)  # tiles that do not touch are no wider for it
    return tuple(
        LyingTile(float(x), float(y), float(w), float(b - w), angle)
        for (x, y), w, b in zip(middles, wide, both, strict=True)
    )


def unit(vectors: Floats) -> Floats:
    """The same directions with length 1."""
    scaled: Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6)
    return scaled.astype(np.float32)


def _miscounted(name: str, count: int, expected: GuidedRow | None) -> Said:
    if count < 2:
        return Said.of("row_none", name=name)
    if expected is not None:
        return Said.of("row_count", name=name, found=count, row=expected.text, wanted=len(expected.tiles))
    return Said.of("row_any_count", name=name, found=count)

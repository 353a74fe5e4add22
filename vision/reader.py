"""Reads a picture: where the tiles lie, which they are, how sure that is, and which lie together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models import LABELS, Manifest, Thresholds, load_manifest
from vision.boxes import crop_squares, iou, one_box_per_tile
from vision.calibration import Calibration
from vision.classifier import Classifier, CropRule, OnnxClassifier, cut_crops
from vision.detector import Detector, OnnxDetector, find_tiles, look_at, scale_for
from vision.enrolled import load_enrolled
from vision.felt_squares import FeltSquares
from vision.grouping import arrange
from vision.pictures import BACKGROUND
from vision.sharpness import sharpness
from vision.types import (
    BACK,
    Box,
    Detections,
    Floats,
    Image,
    PictureReading,
    Place,
    Sure,
    TileReading,
    require_image,
)

ALTERNATIVES = 4
LIKELY = 0.005
"""An alternative below this probability is not worth a button on the referee's screen."""
SMALL_PX = 16
"""A tile with a shorter side than this is never called sure: on a set never seen before, so few pixels deceive."""
PLAIN = 0.4
"""Where the detector gives less than this, something may look like a face that is no tile at all: never called sure."""
DIM, LIT = 28, 0.1
"""A tile is never called sure where less than the second share of it is as light as the first (of 255, any colour): so
dark, faces look like backs. At a tenth of the light 12 of 173 sure readings were wrong, with this none is sure; at a
fifth, where none was wrong, all stay."""
SHARP = 0.6
"""Edges from which a face counts as seen sharply (`vision.sharpness`); what is softer is sure from `soft` on. Of faces
on photographs of tables 1 in 100 is softer, of shaken or blurred ones 95 of 100."""
SIZE_PX, MARGIN = 64, 0.1
"""The square around a face that is looked at for it."""
EDGE_PX = 2
"""A face that reaches so near the edge of the picture may go on beyond it and is never called sure: of a 5p cut there
a 2p is left. Of 420 such faces 97 were misread, on rendered tables and photographs never seen."""
PAD_PX = 48
"""A changed part is looked at with so many input pixels around it: a tile is recognised by its neighbours too."""
SAME = 0.3
"""Overlap (IoU) from which two boxes are one tile."""
CLEARLY_BACK = 0.97
"""Share of the detector's scores from which a tile is a back and its face is not looked at."""
CLEARLY_TILE, HARDLY_NAMED = 0.6, 0.2
"""Where the detector gives at least the first, a tile lies there even if no face is likelier than the second: a flower
never seen before, mostly. It is read as unreadable, so that it is asked for and not left out of its row."""
ALIKE = (0.75, 1.3)
"""Sides of a box as shares of what its neighbours measure, outside of which it is no box around one tile: half a 4p is
a 2p for the classifier, and of two tiles in one box it names one. Beyond them lie 3 in 1,000 of the sure faces read
rightly, and 5 of the 18 read wrongly (photographs and rendered scenes together)."""
NEIGHBOURS, NEAR, LEAST_NEIGHBOURS = 6, 4.0, 2
"""So many faces lying next, not farther than so many of the box's longer sides, tell how large a tile is there; fewer
than two tell nothing."""
COPIES = {"f": 1}
"""How many tiles of one face a set holds, by the letter of its tile text; four where nothing is said."""


class TileReader:
    """Reads photographs and camera frames; safe to keep for as long as the program runs."""

    def __init__(
        self, detector: Detector, classifier: Classifier, thresholds: Thresholds, felt: Calibration | None = None
    ) -> None:
        """Puts a reader together.

        Args:
            detector: Finds tiles.
            classifier: Names them.
            thresholds: Probabilities from which a reading is *sure*, or worth a *check*; what no face reaches
                `tile` for is no tile: the classifier is taught to be unsure where there is none. What is not seen
                sharply, and what lies face down, is sure from `soft` on. What the detector gives less than `back` is
                never surely face down.
            felt: See `over`.
        """
        self._detector = detector
        self._classifier = classifier
        self._thresholds = thresholds
        self._felt = felt

    @classmethod
    def from_models(cls, threads: int = 2, enrolled: Path | None = None) -> TileReader:
        """The reader with the weights that come with Paiju.

        Args:
            threads: CPU threads to use.
            enrolled: File of the table's own tiles (`paiju enrol`); None for any set.

        Raises:
            models.ModelsError: The weights are missing or damaged.
            vision.enrolled.EnrolmentError: The file cannot be used, or was made for other weights.
        """
        return cls.from_manifest(load_manifest(), threads, enrolled)

    @classmethod
    def from_manifest(cls, manifest: Manifest, threads: int = 2, enrolled: Path | None = None) -> TileReader:
        """The reader with any weights that a manifest describes."""
        where, what = manifest.detector, manifest.classifier
        rule = CropRule(what.size_px, what.margin, what.quarter_turns)
        own = load_enrolled(enrolled, what.sha256) if enrolled else None
        return cls(
            OnnxDetector(where.quick, where.classes, threads, where.input_px),
            OnnxClassifier(what.quick, LABELS, rule, manifest.thresholds.sure, threads, enrolled=own),
            manifest.thresholds,
        )

    def over(self, felt: Calibration) -> TileReader:
        """The same eyes for a camera that hangs over this felt: tiles are looked at along its edges, as if from above.

        Pictures of another size than the felt was found in are read as always.
        """
        return TileReader(self._detector, self._classifier, self._thresholds, felt)

    def read(self, image_bgr: Image) -> PictureReading:
        """Reads one upright picture.

        Args:
            image_bgr: uint8 (height, width, 3), as `load_picture` returns it.

        Returns:
            All tiles, each in exactly one group, in the order of the groups. A picture without tiles has none.

        Raises:
            ValueError: The array is no such picture.
        """
        image = require_image(image_bgr)
        height, width = image.shape[:2]
        found = find_tiles(self._detector, image)
        tiles = self._named(image, found, found.boxes_xyxy_px)
        return arrange(width, height, flagged(tiles))

    def read_changed(self, image_bgr: Image, places: Sequence[Place], before: PictureReading) -> PictureReading:
        """Reads only the parts of a picture where something has changed since it was read the last time.

        Args:
            image_bgr: uint8 (height, width, 3), of the same size as the picture before.
            places: Where something changed; see `vision.changes.Compared`.
            before: What was read then; tiles that touch none of the places are kept as they are.

        Raises:
            ValueError: The picture has another size than the one before.
        """
        image = require_image(image_bgr)
        if image.shape[1::-1] != (before.width, before.height):
            raise ValueError(f"the picture before was {before.width} x {before.height}, not {image.shape[1::-1]}")
        boxes = np.array([tile.box_px for tile in before.tiles], np.float32).reshape(-1, 4)
        backs = np.array([tile.tile == BACK for tile in before.tiles], np.bool_)
        scale = scale_for(self._detector, boxes, backs, max(before.width, before.height))
        kept = [tile for tile in before.tiles if not any(_touch(tile.box_px, place) for place in places)]
        gone = [tile.box_px for tile in before.tiles if any(_touch(tile.box_px, place) for place in places)]
        found = Detections.join([
            Detections.none(len(self._detector.classes)),
            *(look_at(self._detector, image, _padded(place, PAD_PX / scale, image), scale) for place in places),
        ])  # fmt: skip
        new = one_box_per_tile(found.take(_with_middle_in(found.boxes_xyxy_px, [*places, *gone])))
        if len(new) and kept:  # the same tile, found again beyond the border of what changed
            shared = iou(new.boxes_xyxy_px, np.array([tile.box_px for tile in kept], np.float32))
            new = new.take(np.flatnonzero(shared.max(axis=1) < SAME).astype(np.int64))
        named = self._named(image, new, np.concatenate([boxes, new.boxes_xyxy_px]))
        return arrange(before.width, before.height, flagged([*kept, *named]))

    def _named(self, image: Image, found: Detections, all_boxes: Floats) -> list[TileReading]:
        """Names what was found; all boxes of the picture tell how large its tiles are."""
        felt = None
        if self._felt is not None and self._felt.picture_px == image.shape[1::-1] and len(all_boxes):
            felt = FeltSquares.around(self._felt, all_boxes)
        probabilities = with_backs(self._classifier, image, found, self._detector.classes, felt)
        best = probabilities.max(axis=1, initial=0)
        unnamed = (best >= HARDLY_NAMED) & (found.scores >= CLEARLY_TILE)
        kept = np.flatnonzero((best >= self._thresholds.tile) | unnamed)
        found, probabilities = found.take(kept), probabilities[kept]
        return [
            self._tile(image, box, float(place), row)
            for box, place, row in zip(found.boxes_xyxy_px, found.scores, probabilities, strict=True)
        ]

    def _tile(self, image: Image, box_px: Floats, is_tile: float, probabilities: Floats) -> TileReading:
        labels = self._classifier.labels
        ranked = [int(column) for column in np.argsort(-probabilities, kind="stable")[: ALTERNATIVES + 1]]
        best, score = labels[ranked[0]], min(1.0, float(probabilities[ranked[0]]))
        sure = grade(score, self._thresholds)
        left, top, right, bottom = box = _box(box_px)
        plain = max(PLAIN, self._thresholds.back) if best == BACK else PLAIN
        small = min(right - left, bottom - top) < SMALL_PX
        cut = best != BACK and _at_edge(image, box)
        if sure == "sure" and (
            small
            or cut
            or is_tile < plain
            or (score < self._thresholds.soft and (best == BACK or _seen_softly(image, box_px)))
            or _dim(image, box)
            or _cut_out(image, box)
        ):
            sure = "check"
        also = tuple(
            (labels[column], round(float(probabilities[column]), 4))
            for column in ranked[1:]
            if probabilities[column] >= LIKELY
        )
        return TileReading(best, score, sure, also, box)


def with_backs(
    classifier: Classifier, image: Image, found: Detections, classes: Sequence[str], felt: FeltSquares | None = None
) -> Floats:
    """Names the tiles; what lies face down is decided by detector and classifier together, if the detector knows backs.

    A back is a plain surface of any colour, which shape and neighbours tell better than a square cut out of it; but a
    blank white dragon looks like one from afar, and a back among faces like a face. So both have half a vote.

    Returns:
        float32 (N, labels), each row adding up to 1.
    """
    if "back" not in classes or BACK not in classifier.labels or not len(found):
        return classifier.name(image, found.boxes_xyxy_px, felt)
    back = found.class_scores[:, list(classes).index("back")] / found.class_scores.sum(axis=1)
    unclear = np.flatnonzero(back < CLEARLY_BACK)  # a wall of backs costs nothing
    column = classifier.labels.index(BACK)
    faces = classifier.name(image, found.boxes_xyxy_px[unclear], felt)
    both = (back[unclear] + faces[:, column]) / 2
    faces[:, column] = 0
    faces /= np.maximum(faces.sum(axis=1, keepdims=True), 1e-6)
    named = np.zeros((len(found), len(classifier.labels)), np.float32)
    named[:, column] = 1
    named[unclear] = faces * (1 - both)[:, None]
    named[unclear, column] = both
    return named


def grade(score: float, thresholds: Thresholds) -> Sure:
    """What a probability is worth: `sure`, `check` or `unreadable`."""
    if score >= thresholds.sure:
        return "sure"
    return "check" if score >= thresholds.check else "unreadable"


def flagged(tiles: list[TileReading]) -> list[TileReading]:
    """What all tiles of a picture together say about each: what cannot be is no longer sure."""
    return flag_impossible_counts(flag_odd_sizes(tiles))


def flag_odd_sizes(tiles: list[TileReading]) -> list[TileReading]:
    """Asks for a look where a face's box is smaller or larger than a tile is thereabouts."""
    faces = [place for place, tile in enumerate(tiles) if tile.tile != BACK]
    if len(faces) <= LEAST_NEIGHBOURS:
        return tiles
    boxes = np.array([tiles[place].box_px for place in faces], np.float32)
    sides = np.sort(boxes[:, 2:] - boxes[:, :2], axis=1)
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    apart = np.hypot(*(middles[:, None] - middles[None]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    nearest = np.argsort(apart, axis=1)[:, :NEIGHBOURS]
    near = np.take_along_axis(apart, nearest, axis=1) < NEAR * sides[:, 1:]
    usual = np.median(sides[np.where(near, nearest, nearest[:, :1])], axis=1)  # the nearest stands in for those too far
    share = sides / usual
    odd = (share.min(axis=1) < ALIKE[0]) | (share.max(axis=1) > ALIKE[1])
    flagged = list(tiles)
    for place in np.flatnonzero(odd & (near.sum(axis=1) >= LEAST_NEIGHBOURS)):
        tile = tiles[faces[place]]
        flagged[faces[place]] = replace(tile, sure="check") if tile.sure == "sure" else tile
    return flagged


def flag_impossible_counts(tiles: list[TileReading], before: Collection[int] = ()) -> list[TileReading]:
    """Asks for a look where a picture shows more copies of a tile than any set holds.

    The reading itself is left as it is: which of the copies is wrong, only a person or the rules can tell. The least
    certain copies beyond four (beyond one, for a flower) are no longer called sure.

    Args:
        tiles: all tiles of a picture.
        before: places of tiles that were asked for in the picture before; they are asked for again rather than others.
    """
    flagged = list(tiles)
    for face, count in Counter(tile.tile for tile in tiles).items():
        surplus = count - COPIES.get(face[-1], 4)
        if face == BACK or surplus <= 0:
            continue
        copies = [place for place, tile in enumerate(tiles) if tile.tile == face]
        copies.sort(key=lambda place: (tiles[place].sure == "sure", place not in before, tiles[place].score))
        for place in copies[:surplus]:
            if tiles[place].sure == "sure":
                flagged[place] = replace(tiles[place], sure="check")
    return flagged


def _at_edge(image: Image, box: Box) -> bool:
    height, width = image.shape[:2]
    return bool(min(box[0], box[1], width - box[2], height - box[3]) <= EDGE_PX)


def _seen_softly(image: Image, box_px: Floats) -> bool:
    (crop,) = cut_crops(image, crop_squares(box_px[None], MARGIN), SIZE_PX)
    return sharpness(crop) < SHARP


def _dim(image: Image, box: Box) -> bool:
    blue, green, red = (part >= DIM for part in _every_third(image, box))
    lit = blue | green | red
    return int(lit.sum()) < LIT * lit.size


def _cut_out(image: Image, box: Box) -> bool:
    """Whether most of a tile is the even grey that stands for transparent parts: a hole looks like a back."""
    near = 1  # a JPEG in between moves it by one
    blue, green, red = ((part >= BACKGROUND - near) & (part <= BACKGROUND + near) for part in _every_third(image, box))
    grey = blue & green & red
    return int(grey.sum()) > grey.size / 2


def _every_third(image: Image, box: Box) -> Iterator[NDArray[np.uint8]]:
    """Every third pixel of a box, colour by colour: uint8 (h, w) each."""
    left, top, right, bottom = (max(0, round(edge)) for edge in box)
    part = image[top:bottom:3, left:right:3]
    return (part[..., colour] for colour in range(3))


def _touch(box: Box, place: Place) -> bool:
    return box[0] < place[2] and place[0] < box[2] and box[1] < place[3] and place[1] < box[3]


def _padded(place: Place, by_px: float, image: Image) -> Place:
    height, width = image.shape[:2]
    by = round(by_px)
    return max(0, place[0] - by), max(0, place[1] - by), min(width, place[2] + by), min(height, place[3] + by)


def _with_middle_in(boxes_xyxy_px: Floats, places: Sequence[Box]) -> NDArray[np.int64]:
    """Which boxes (N, 4) have their middle in any of the places."""
    x, y = ((boxes_xyxy_px[:, :2] + boxes_xyxy_px[:, 2:]) / 2).T
    inside = np.zeros(len(boxes_xyxy_px), np.bool_)
    for left, top, right, bottom in places:
        inside |= (x >= left) & (x < right) & (y >= top) & (y < bottom)
    return np.flatnonzero(inside).astype(np.int64)


def _box(box: Floats) -> Box:
    left, top, right, bottom = (float(edge) for edge in box)
    return left, top, right, bottom

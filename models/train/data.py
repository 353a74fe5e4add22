"""Labelled pictures as numbers: reading YOLO label files, correcting them, cutting crops."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models import LABELS

PATCHES = Path(__file__).with_name("label_patches.csv")
VIEW_PATCHES = Path(__file__).with_name("view_patches.csv")
CANVAS_PX = 112
"""Side of a stored crop: wide enough to turn, shift and shear it later without gaps."""
CANVAS_SPAN = 1.75
"""A stored crop shows this many times the longer side of its box."""

GROUPS = ("desk", "felt", "assorted")
"""Sources of photographs that share neither tile sets nor tables, see `group_of`."""
_CLUB = re.compile(r"hand_|\d+_\d+_\d+_n_|discards_|one_bamboo_flowers_|(bamboo|character|circle|flower|honor)_family_")
_THIN_PX, _EDGE_ON = 10.0, 0.45


class DataError(ValueError):
    """The training data is not in the promised form; the message names the file and line."""


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A photograph or rendered scene with the tiles that a person (or the renderer) marked.

    Attributes:
        boxes: [N, 4] float32, x1 y1 x2 y2 as fractions of width and height.
        labels: [N] int64, positions in `LABELS`.
    """

    path: Path
    boxes: NDArray[np.float32]
    labels: NDArray[np.int64]

    def only(self, keep: NDArray[np.bool_]) -> LabelledPicture:
        """The same picture with some of its tiles."""
        return LabelledPicture(self.path, self.boxes[keep], self.labels[keep])

    def boxes_px(self, width: int, height: int) -> NDArray[np.float32]:
        """The boxes in pixels of the given picture size."""
        return self.boxes * np.array([width, height, width, height], dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Patch:
    """One correction of a wrong label: the box whose centre is nearest to (cx, cy).

    `now` is the right tile, or `-` to drop the box.
    """

    picture: str
    cx: float
    cy: float
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class CropSet:
    """Square cut-outs around boxes, ready for the face classifier.

    Attributes:
        canvas: [N, CANVAS_PX, CANVAS_PX, 3] uint8, RGB, box in the middle.
        labels: [N] int64, position in `LABELS`, or -1 where there is no tile to name.
        sizes: [N, 2] float32, width and height of the box as shares of its longer side.
        source: [N] int64, index of the picture in `pictures`.
        pictures: file stems.
    """

    canvas: NDArray[np.uint8]
    labels: NDArray[np.int64]
    sizes: NDArray[np.float32]
    source: NDArray[np.int64]
    pictures: tuple[str, ...]

    def take(self, keep: NDArray[np.bool_]) -> CropSet:
        """Only the crops where `keep` is true."""
        return CropSet(self.canvas[keep], self.labels[keep], self.sizes[keep], self.source[keep], self.pictures)


def read_views(folder: Path) -> dict[str, str]:
    """Which pictures are `complete`, `incomplete` or `stretched`, by file stem.

    Without a `views.csv` every picture counts as complete. Heaps that it overlooked are noted in
    `VIEW_PATCHES`.
    """
    source = folder / "views.csv"
    if not source.is_file():
        return {}
    with source.open(encoding="utf-8", newline="") as file:
        views = {Path(row["image"]).stem: row["view"] for row in csv.DictReader(file)}
    with VIEW_PATCHES.open(encoding="utf-8", newline="") as file:
        views.update({row["picture"]: row["view"] for row in csv.DictReader(file) if row["picture"] in views})
    return views


def group_of(stem: str) -> str:
    """From which source a photograph comes, told by its name.

    `desk`: one riichi-like set in trays on grey wood. `felt`: a dozen club tables and what else
    shows their sets. `assorted`: single pictures of many different sets from the web. Sets and
    tables do not cross these groups, so leaving one out measures tiles never seen.
    """
    name = re.sub(r"^(test|valid|train)_", "", stem)
    if name.startswith("IMG_"):
        return "desk"
    return "felt" if _CLUB.match(name) else "assorted"


def read_pictures(folder: Path, patches: Sequence[Patch] = ()) -> list[LabelledPicture]:
    """Reads every labelled picture of a folder with `images/` and `labels/` in YOLO form.

    Args:
        folder: its class ids must be positions in `LABELS`; a `classes.txt` beside or above
            it is compared with that list.
        patches: corrections to apply; those of other pictures are ignored.

    Raises:
        DataError: the folder, a label line or the class list is not as promised.
    """
    images = folder / "images"
    if not images.is_dir():
        raise DataError(f"{folder} has no folder images/; give a folder in YOLO form")
    _check_classes(folder)
    by_picture: dict[str, list[Patch]] = {}
    for patch in patches:
        by_picture.setdefault(patch.picture, []).append(patch)
    found = []
    for path in sorted(images.iterdir()):
        if path.suffix.lower() in {".jpg", ".jpeg", ".png"}:
            label_file = folder / "labels" / f"{path.stem}.txt"
            picture = _read_labels(path, label_file)
            found.append(apply_patches(picture, by_picture.get(path.stem, ())))
    return found


def _check_classes(folder: Path) -> None:
    for candidate in (folder / "classes.txt", folder.parent / "classes.txt"):
        if candidate.is_file():
            if tuple(candidate.read_text(encoding="utf-8").split()) != LABELS:
                raise DataError(f"{candidate} lists other classes than models/labels.txt")
            return


def _read_labels(path: Path, label_file: Path) -> LabelledPicture:
    rows: list[tuple[float, ...]] = []
    lines = label_file.read_text(encoding="ascii").splitlines() if label_file.is_file() else []
    for number, line in enumerate(lines, start=1):
        try:
            kind, cx, cy, w, h = (float(part) for part in line.split())
        except ValueError as error:
            raise DataError(f"{label_file}:{number}: expected `class cx cy w h`, got {line!r}") from error
        if not 0 <= kind < len(LABELS):
            raise DataError(f"{label_file}:{number}: class {kind:g} is not one of {len(LABELS)}")
        rows.append((kind, cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2))
    table = np.array(rows, dtype=np.float32).reshape(-1, 5)
    return LabelledPicture(path, table[:, 1:], table[:, 0].astype(np.int64))


def truth_file(picture: Path) -> Path:
    """Where the renderer's truth about a picture lies, if it is a rendered scene."""
    return picture.parent.parent / "truth" / f"{picture.stem}.json"


def split_doubtful(picture: LabelledPicture) -> tuple[LabelledPicture, NDArray[np.float32]]:
    """Parts the tiles of a rendered scene into those one can ask for and those one cannot.

    The renderer knows how much of a tile shows. Faces seen nearly edge-on, less than ten pixels
    across, or mostly covered are neither demanded nor punished. A photograph has no such truth:
    all its tiles are asked for.

    Returns:
        The picture with the tiles to ask for, and [N, 4] fractions around the others.
    """
    source = truth_file(picture.path)
    if not source.is_file():
        return picture, np.zeros((0, 4), np.float32)
    truth = json.loads(source.read_text(encoding="ascii"))
    quads = np.array([tile["quad"] for tile in truth["tiles"]], np.float64).reshape(-1, 4, 2)
    if len(quads) != len(picture.labels):
        raise DataError(f"{source} has {len(quads)} tiles, its label file {len(picture.labels)}")
    x, y = quads[..., 0], quads[..., 1]
    area = np.abs((x * np.roll(y, -1, 1) - y * np.roll(x, -1, 1)).sum(axis=1)) / 2
    longest = np.linalg.norm(quads - np.roll(quads, -1, 1), axis=2).max(axis=1, initial=1.0)
    across = area / longest
    clear = (across >= _THIN_PX) & (across >= _EDGE_ON * longest)
    size = np.array([truth["width"], truth["height"]] * 2, np.float32)
    hidden = np.array(truth.get("doubtful", []), np.float32).reshape(-1, 4) / size
    return picture.only(clear), np.concatenate([picture.boxes[~clear], hidden])


def read_patches(path: Path = PATCHES) -> list[Patch]:
    """Reads the list of wrong labels that were found and looked at.

    Raises:
        DataError: a row is malformed or names an unknown tile.
    """
    patches = []
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            try:
                patch = Patch(row["picture"], float(row["cx"]), float(row["cy"]), row["was"], row["now"])
            except (KeyError, TypeError, ValueError) as error:
                raise DataError(f"{path}: malformed row {row}") from error
            if patch.was not in LABELS or patch.now not in (*LABELS, "-"):
                raise DataError(f"{path}: unknown tile in row {row}")
            patches.append(patch)
    return patches


def apply_patches(picture: LabelledPicture, patches: Iterable[Patch]) -> LabelledPicture:
    """Corrects the labels of one picture.

    Raises:
        DataError: no box with the label `was` lies at the patch's place.
    """
    labels = picture.labels.copy()
    keep = np.ones(len(labels), dtype=bool)
    centres = (picture.boxes[:, :2] + picture.boxes[:, 2:]) / 2
    for patch in patches:
        distance = np.abs(centres - (patch.cx, patch.cy)).max(axis=1, initial=0.0)
        distance[picture.labels != LABELS.index(patch.was)] = np.inf
        if not len(distance) or distance.min() > 0.01:
            raise DataError(f"no {patch.was} at the place of {patch}; was it corrected already?")
        hit = int(distance.argmin())
        if patch.now == "-":
            keep[hit] = False
        else:
            labels[hit] = LABELS.index(patch.now)
    return LabelledPicture(picture.path, picture.boxes, labels).only(keep)


def load_rgb(path: Path) -> NDArray[np.uint8]:
    """Loads a training picture as [H, W, 3] RGB.

    Raises:
        DataError: the file is no picture.
    """
    bgr = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if bgr is None:
        raise DataError(f"{path} is not a readable picture")
    return np.ascontiguousarray(bgr[:, :, ::-1])


def square_crop(image: NDArray[np.uint8], box_px: NDArray[np.float32], span: float, size_px: int) -> NDArray[np.uint8]:
    """Cuts the square around a box, `span` times its longer side, grey 114 beyond the edge."""
    x1, y1, x2, y2 = (float(value) for value in box_px)
    side = max(max(x2 - x1, y2 - y1) * span, 2.0)
    left, top = round((x1 + x2 - side) / 2), round((y1 + y2 - side) / 2)
    side_px = max(round(side), 2)
    cut = np.full((side_px, side_px, 3), 114, dtype=np.uint8)
    height, width = image.shape[:2]
    from_x, from_y = max(left, 0), max(top, 0)
    to_x, to_y = min(left + side_px, width), min(top + side_px, height)
    if to_x > from_x and to_y > from_y:
        cut[from_y - top : to_y - top, from_x - left : to_x - left] = image[from_y:to_y, from_x:to_x]
    how = cv2.INTER_AREA if side_px > size_px else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(cut, (size_px, size_px), interpolation=how), dtype=np.uint8)


def cut_crops(pictures: Sequence[LabelledPicture], seed: int, negatives_per_picture: int = 3) -> CropSet:
    """Cuts every labelled tile, and a few places without a tile, from the pictures.

    Places without a tile get the label -1; they are as large as the picture's tiles and
    touch no labelled box.
    """
    rng = np.random.default_rng(seed)
    room = sum(len(picture.labels) + negatives_per_picture for picture in pictures)
    canvas = np.empty((room, CANVAS_PX, CANVAS_PX, 3), dtype=np.uint8)
    labels: list[int] = []
    sizes, source = [], []
    for index, picture in enumerate(pictures):
        image = load_rgb(picture.path)
        boxes = picture.boxes_px(image.shape[1], image.shape[0])
        empty = list(_empty_places(boxes, image.shape[:2], rng, negatives_per_picture))
        for box, label in [*zip(boxes, picture.labels, strict=True), *((b, -1) for b in empty)]:
            wh = np.maximum(box[2:] - box[:2], 1.0)
            canvas[len(labels)] = square_crop(image, box, CANVAS_SPAN, CANVAS_PX)
            labels.append(int(label))
            sizes.append(wh / wh.max())
            source.append(index)
    return CropSet(
        canvas[: len(labels)],
        np.array(labels, dtype=np.int64),
        np.array(sizes, dtype=np.float32),
        np.array(source, dtype=np.int64),
        tuple(picture.path.stem for picture in pictures),
    )


def _empty_places(
    boxes: NDArray[np.float32], shape: tuple[int, int], rng: np.random.Generator, count: int
) -> Iterator[NDArray[np.float32]]:
    if not len(boxes):
        return
    height, width = shape
    for _ in range(count):
        like = boxes[rng.integers(len(boxes))]
        half = (like[2:] - like[:2]) / 2 * rng.uniform(0.7, 1.3)
        centre = rng.uniform((0.0, 0.0), (width, height)).astype(np.float32)
        place = np.concatenate([centre - half, centre + half]).astype(np.float32)
        apart = (
            (place[2] <= boxes[:, 0])
            | (place[0] >= boxes[:, 2])
            | (place[3] <= boxes[:, 1])
            | (place[1] >= boxes[:, 3])
        )
        if bool(apart.all()):
            yield place

"""What to learn from: photographs and rendered scenes, mixed and balanced, with doubts removed."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from models import LABELS
from models.train.data import (
    CANVAS_PX,
    CANVAS_SPAN,
    GROUPS,
    CropSet,
    DataError,
    LabelledPicture,
    cut_crops,
    group_of,
    load_rgb,
    read_patches,
    read_pictures,
    split_doubtful,
)
from models.train.network import MARGIN, SIZE_PX, FaceNet
from models.train.registration import Marks, register
from models.train.train_classifier import balance, merge, predict
from models.train.train_detector import Sample
from vision.boxes import iou
from vision.reader import TileReader

log = logging.getLogger(__name__)

CLEARLY = 0.5
"""A classifier score from which an unmarked place is taken for a tile."""
NO_BACKS = ("desk",)
"""Groups of photographs on which no tile lies face down: they may teach what is no back."""
Corners = tuple[float, float, float, float]
"""x1, y1, x2, y2 as fractions of the picture's sides."""


class Seen(TypedDict):
    """What eyes saw on a labelled photograph.

    `boxes`: where each labelled tile is, None for those not found, None altogether where labels
    and picture do not fit. `unmarked`: tiles that nobody marked.
    """

    boxes: list[Corners | None] | None
    unmarked: list[Corners]


def photographs(folder: Path, leave_out: str = "", seen: Mapping[str, Seen] | None = None) -> list[LabelledPicture]:
    """The training photographs with corrected labels, without one group of sources.

    Args:
        seen: what rendered-only eyes saw, see `look_at`: labels are put back on their tiles, and
            pictures on which that fails are left out.
    """
    pictures = [p for p in read_pictures(folder, read_patches()) if group_of(p.path.stem) != leave_out]
    if seen is None:
        return pictures
    placed = [(p, seen[p.path.stem]["boxes"]) for p in pictures]
    return [_placed(picture, boxes) for picture, boxes in placed if boxes is not None]


def _placed(picture: LabelledPicture, boxes: Sequence[Corners | None]) -> LabelledPicture:
    known = np.array([box is not None for box in boxes], dtype=bool)
    kept = picture.only(known)
    return replace(kept, boxes=np.array([box for box in boxes if box is not None], np.float32).reshape(-1, 4))


def where(picture: LabelledPicture, seen: Mapping[str, Seen]) -> NDArray[np.float32]:
    """Where the picture's tiles are, as fractions: as the eyes saw, else as labelled."""
    boxes = seen[picture.path.stem]["boxes"] if picture.path.stem in seen else None
    if boxes is None:
        return picture.boxes
    pairs = zip(boxes, picture.boxes, strict=True)
    return np.array([label if box is None else box for box, label in pairs], np.float32).reshape(-1, 4)


def crops_of(
    photos: Sequence[LabelledPicture], scenes: Sequence[LabelledPicture], seed: int, share: float = 0.4
) -> tuple[CropSet, NDArray[np.float64]]:
    """All crops and how often to draw each: `share` of them rendered, rare tiles more often.

    Photographs are balanced by face and, within each face, by `group_of`; every folder of rendered
    scenes holds many styles, a new one in each picture, and is balanced by face.
    """
    if not photos and not scenes:
        raise DataError("there is nothing to learn from: give --photos, --scenes or both")
    if not scenes:
        real = cut_crops(photos, seed)
        return real, balance(real.labels, groups(real))
    drawn = cut_crops([split_doubtful(scene)[0] for scene in scenes], seed + 1, negatives_per_picture=2)
    drawn = drawn.take(~pale_backs(drawn))
    if not photos:
        return drawn, balance(drawn.labels)
    real = cut_crops(photos, seed)
    weights = np.concatenate([balance(real.labels, groups(real)) * (1 - share), balance(drawn.labels) * share])
    return merge([real, drawn]), weights


def groups(crops: CropSet) -> NDArray[np.int64]:
    """[N] the place in `GROUPS` of the photograph that each crop was cut from."""
    each = np.array([GROUPS.index(group_of(stem)) for stem in crops.pictures], np.int64)
    return each[crops.source]


def pale_backs(crops: CropSet) -> NDArray[np.bool_]:
    """Which crops show a face-down tile as pale as a blank white dragon.

    Nobody can tell the two apart on a crop; the detector, which sees the wall, may. Such
    backs would only teach to call blank dragons face down.
    """
    edge = CANVAS_PX * 3 // 8
    middle = crops.canvas[:, edge:-edge, edge:-edge].reshape(len(crops.labels), -1, 3).mean(axis=1)
    pale = (middle.min(axis=1) > 0.7 * middle.max(axis=1)) & (middle.max(axis=1) > 90)
    return np.asarray(pale & (crops.labels == LABELS.index("x")))


def drop_hidden_tiles(crops: CropSet, weights: NDArray[np.float64], net: FaceNet) -> NDArray[np.float64]:
    """Takes places called empty out of the draw where an earlier classifier clearly sees a tile.

    Heaps in the background of the photographs are not marked; teaching doubt on their tiles
    would make the classifier doubt all tiles.
    """
    empty = np.flatnonzero(crops.labels < 0)
    edge = round(CANVAS_PX * (1 - (1 + MARGIN) / CANVAS_SPAN) / 2)
    looks = [cv2.resize(crops.canvas[i, edge:-edge, edge:-edge], (SIZE_PX, SIZE_PX)) for i in empty]
    if not looks:
        return weights
    seen = predict(net, np.stack(looks).astype(np.uint8)).max(axis=1) >= CLEARLY
    log.info("%d of %d places without a label show a tile and are left out", seen.sum(), len(empty))
    kept = weights.copy()
    kept[empty[seen]] = 0.0
    return kept


def detector_samples(
    photos: Sequence[LabelledPicture], scenes: Sequence[LabelledPicture], seen: Mapping[str, Seen]
) -> list[Sample]:
    """Pictures for the detector; on photographs, tiles that nobody marked are ignored.

    Args:
        seen: what rendered-only eyes saw, see `look_at`.
    """
    samples = []
    for picture in photos:
        stem = picture.path.stem
        unmarked = seen[stem]["unmarked"] if stem in seen else []
        places = around(np.array(unmarked, np.float32).reshape(-1, 4))
        samples.append(Sample(picture, backs_marked=group_of(stem) in NO_BACKS, ignore=places))
    for scene in scenes:
        asked, doubtful = split_doubtful(scene)
        samples.append(Sample(asked, backs_marked=True, ignore=doubtful, rendered=True))
    return samples


def around(places: NDArray[np.float32]) -> NDArray[np.float32]:
    """The places and half a tile around each: where one unmarked tile was seen, others lie that were not."""
    half = (places[:, 2:] - places[:, :2]) / 2
    return np.concatenate([places[:, :2] - half, places[:, 2:] + half], axis=1)


def look_at(eyes: TileReader, pictures: Sequence[LabelledPicture], seed: int) -> dict[str, Seen]:
    """Where the labelled tiles of photographs really are, and where unmarked ones lie, by file stem.

    The eyes' detector must never have seen these photographs: who learned from displaced boxes
    and from heaps that nobody marked repeats the mistakes.
    """
    rng = np.random.default_rng(seed)
    return {
        picture.path.stem: _look(eyes, picture, rng)
        for picture in tqdm(pictures, unit="picture", desc="looking for the labelled tiles")
    }


def _look(eyes: TileReader, picture: LabelledPicture, rng: np.random.Generator) -> Seen:
    image = load_rgb(picture.path)
    size = np.array([image.shape[1], image.shape[0]] * 2, np.float32)
    tiles = [tile for tile in eyes.read(np.ascontiguousarray(image[:, :, ::-1])).tiles if tile.tile != "x"]
    found = Marks(
        np.array([tile.box_px for tile in tiles], np.float32).reshape(-1, 4),
        np.array([LABELS.index(tile.tile) for tile in tiles], np.int64),
    )
    placed = register(Marks(picture.boxes * size, picture.labels), found, rng)
    if placed is None:
        return Seen(boxes=None, unmarked=_fractions(found.boxes, size))
    marked = placed[~np.isnan(placed).any(axis=1)]
    clear = np.array([tile.score >= CLEARLY for tile in tiles], dtype=bool)
    free = iou(found.boxes, marked).max(axis=1, initial=0.0) < 0.2
    boxes = [None if np.isnan(box).any() else _fractions(box[None], size)[0] for box in placed]
    return Seen(boxes=boxes, unmarked=_fractions(found.boxes[clear & free], size))


def _fractions(boxes_px: NDArray[np.float32], size: NDArray[np.float32]) -> list[Corners]:
    return [
        (round(float(a), 5), round(float(b), 5), round(float(c), 5), round(float(d), 5))
        for a, b, c, d in boxes_px / size
    ]


def sample_weights(samples: Sequence[Sample], share: float = 0.5) -> NDArray[np.float64]:
    """How often to draw each picture: `share` of the draws go to rendered scenes."""
    rendered = np.array([sample.rendered for sample in samples])
    if not rendered.any() or rendered.all():
        return np.ones(len(samples))
    return np.where(rendered, share / rendered.sum(), (1 - share) / (~rendered).sum())


def suspects(
    labels: NDArray[np.int64], probabilities: NDArray[np.float32], certain: float = 0.9
) -> list[tuple[int, str, str, float]]:
    """Labels the classifier firmly disagrees with: (position, label, reading, probability)."""
    best = probabilities.argmax(axis=1)
    firm = probabilities.max(axis=1)
    doubtful = np.flatnonzero((labels >= 0) & (best != labels) & (firm >= certain))
    return [(int(i), LABELS[labels[i]], LABELS[best[i]], float(firm[i])) for i in doubtful]

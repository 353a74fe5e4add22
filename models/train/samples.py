"""What to learn from: photographs and rendered scenes, mixed and balanced, with doubts removed."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from models import LABELS
from models.train.data import (
    CANVAS_PX,
    CANVAS_SPAN,
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
from models.train.metrics import iou_matrix
from models.train.network import MARGIN, SIZE_PX, FaceNet
from models.train.train_classifier import balance, merge, predict
from models.train.train_detector import Sample
from vision.reader import TileReader

log = logging.getLogger(__name__)

CLEARLY = 0.5
"""A classifier score from which an unmarked place is taken for a tile."""
NO_BACKS = ("desk",)
"""Groups of photographs on which no tile lies face down: they may teach what is no back."""
Corners = tuple[float, float, float, float]
"""x1, y1, x2, y2 as fractions of the picture's sides."""


def photographs(folder: Path, leave_out: str = "") -> list[LabelledPicture]:
    """The training photographs with corrected labels, without one group of sources."""
    pictures = read_pictures(folder, read_patches())
    return [p for p in pictures if not leave_out or group_of(p.path.stem) != leave_out]


def crops_of(
    photos: Sequence[LabelledPicture], scenes: Sequence[LabelledPicture], seed: int, share: float = 0.4
) -> tuple[CropSet, NDArray[np.float64]]:
    """All crops and how often to draw each: `share` of them rendered, rare tiles more often."""
    if not photos and not scenes:
        raise DataError("there is nothing to learn from: give --photos, --scenes or both")
    if not scenes:
        real = cut_crops(photos, seed)
        return real, balance(real.labels)
    drawn = cut_crops([split_doubtful(scene)[0] for scene in scenes], seed + 1, negatives_per_picture=2)
    drawn = drawn.take(~pale_backs(drawn))
    if not photos:
        return drawn, balance(drawn.labels)
    real = cut_crops(photos, seed)
    weights = np.concatenate([balance(real.labels) * (1 - share), balance(drawn.labels) * share])
    return merge([real, drawn]), weights


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
    photos: Sequence[LabelledPicture], scenes: Sequence[LabelledPicture], unmarked: Mapping[str, Sequence[Corners]]
) -> list[Sample]:
    """Pictures for the detector; on photographs, tiles that nobody marked are ignored.

    Args:
        unmarked: places (fractions) by file stem, see `find_unmarked`.
    """
    samples = []
    for picture in photos:
        stem = picture.path.stem
        places = around(np.array(unmarked.get(stem, ()), np.float32).reshape(-1, 4))
        samples.append(Sample(picture, backs_marked=group_of(stem) in NO_BACKS, ignore=places))
    for scene in scenes:
        asked, doubtful = split_doubtful(scene)
        samples.append(Sample(asked, backs_marked=True, ignore=doubtful, rendered=True))
    return samples


def around(places: NDArray[np.float32]) -> NDArray[np.float32]:
    """The places and half a tile around each: where one unmarked tile was seen, others lie that were not."""
    half = (places[:, 2:] - places[:, :2]) / 2
    return np.concatenate([places[:, :2] - half, places[:, 2:] + half], axis=1)


def find_unmarked(eyes: TileReader, pictures: Sequence[LabelledPicture]) -> dict[str, list[Corners]]:
    """Tiles of heaps and walls that nobody marked, as fractions, by file stem.

    The eyes must never have seen these photographs: who learned that such heaps are nothing
    finds nothing there.
    """
    return {
        picture.path.stem: [(float(a), float(b), float(c), float(d)) for a, b, c, d in _unmarked(eyes, picture)]
        for picture in tqdm(pictures, unit="picture", desc="looking for unmarked tiles")
    }


def _unmarked(eyes: TileReader, picture: LabelledPicture) -> NDArray[np.float32]:
    """Boxes (fractions) of tiles that the eyes name clearly and nobody marked.

    Asking the classifier matters: what only the detector took for a tile may be its own
    mistake, which the new one must unlearn.
    """
    image = load_rgb(picture.path)
    tiles = eyes.read(np.ascontiguousarray(image[:, :, ::-1])).tiles
    clear = [tile.box_px for tile in tiles if tile.score >= CLEARLY and tile.tile != "x"]
    boxes = np.array(clear, dtype=np.float32).reshape(-1, 4)
    marked = picture.boxes_px(image.shape[1], image.shape[0])
    if len(boxes) and len(marked):
        boxes = boxes[iou_matrix(boxes, marked).max(axis=1) < 0.2]
    return np.asarray(boxes / np.array([image.shape[1], image.shape[0]] * 2), dtype=np.float32)


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

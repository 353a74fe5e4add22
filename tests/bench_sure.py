"""Whether *sure* still means sure in bad pictures: `python -m tests.bench_sure --photos PHOTOS/val`.

Reads labelled photographs as they are and spoilt in the ways a camera or a chat program spoils them, and prints for
each way how much is found, how much of what is read is called sure, and how much of that is wrong. Only photographs of
which all tiles are marked count; on the others a correct find would look wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models import HERE, LABELS, load_manifest
from models.train.data import group_of, read_patches, read_pictures, read_views
from models.train.metrics import Reading, Tally, Truth, tally
from vision.boxes import PADDING
from vision.pictures import load_picture
from vision.reader import TileReader
from vision.types import Image

Map = NDArray[np.float64]
STRAIGHT: Map = np.eye(2, 3)


@dataclass(frozen=True, slots=True)
class Spoilt:
    """A picture and the affine map (2, 3) by which its tiles have moved."""

    image: Image
    moved: Map


def light(factor: float) -> Callable[[Image], Spoilt]:
    """Under- or overexposed."""
    return lambda image: Spoilt(np.clip(image * np.float32(factor), 0, 255).astype(np.uint8), STRAIGHT)


def blur(sigma_px: float) -> Callable[[Image], Spoilt]:
    """Out of focus."""
    return lambda image: Spoilt(np.asarray(cv2.GaussianBlur(image, (0, 0), sigma_px), np.uint8), STRAIGHT)


def shaken(length_px: int) -> Callable[[Image], Spoilt]:
    """The camera moved sideways and down while it took the picture."""
    kernel = np.eye(length_px, dtype=np.float32) / length_px
    return lambda image: Spoilt(np.asarray(cv2.filter2D(image, -1, kernel), np.uint8), STRAIGHT)


def noise(sigma: float) -> Callable[[Image], Spoilt]:
    """Taken in the dark with a small sensor."""

    def spoil(image: Image) -> Spoilt:
        grain = np.random.default_rng(image.shape[1]).normal(0, sigma, image.shape)
        return Spoilt(np.clip(image + grain, 0, 255).astype(np.uint8), STRAIGHT)

    return spoil


def squeezed(quality: int) -> Callable[[Image], Spoilt]:
    """Sent through a program that saves every byte it can."""

    def spoil(image: Image) -> Spoilt:
        data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return Spoilt(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8), STRAIGHT)

    return spoil


def smaller(scale: float) -> Callable[[Image], Spoilt]:
    """From farther away, or a thumbnail."""
    return lambda image: Spoilt(
        np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8),
        STRAIGHT * scale,
    )


def turned(degrees: float) -> Callable[[Image], Spoilt]:
    """The camera hangs askew."""

    def spoil(image: Image) -> Spoilt:
        height, width = image.shape[:2]
        matrix = np.asarray(cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0), np.float64)
        grey = (PADDING, PADDING, PADDING)
        return Spoilt(np.asarray(cv2.warpAffine(image, matrix, (width, height), borderValue=grey), np.uint8), matrix)

    return spoil


WAYS: dict[str, Callable[[Image], Spoilt]] = {
    "as they are": lambda image: Spoilt(image, STRAIGHT),
    "light 0.1": light(0.1),
    "light 0.2": light(0.2),
    "light 0.3": light(0.3),
    "light 1.8": light(1.8),
    "light 2.5": light(2.5),
    "blur 1.5 px": blur(1.5),
    "blur 3 px": blur(3),
    "shaken 9 px": shaken(9),
    "noise 25": noise(25),
    "JPEG 10": squeezed(10),
    "half the size": smaller(0.5),
    "a third": smaller(0.34),
    "a quarter": smaller(0.25),
    "turned 7 degrees": turned(7),
    "half, JPEG 20": lambda image: Spoilt(squeezed(20)(smaller(0.5)(image).image).image, STRAIGHT * 0.5),
}


def moved_boxes(boxes_px: NDArray[np.float32], moved: Map) -> NDArray[np.float32]:
    """The upright boxes (N, 4) around boxes (N, 4) after an affine map."""
    x1, y1, x2, y2 = boxes_px.T
    corners = np.stack([np.stack(corner, axis=1) for corner in ((x1, y1), (x2, y1), (x2, y2), (x1, y2))], axis=1)
    there = corners @ moved[:, :2].T + moved[:, 2]
    return np.concatenate([there.min(axis=1), there.max(axis=1)], axis=1).astype(np.float32)


def judged(reader: TileReader, folder: Path, group: str, every: int, spoil: Callable[[Image], Spoilt]) -> Tally:
    """What the reader makes of the spoilt photographs."""
    views = read_views(folder)
    pictures = [
        picture
        for picture in read_pictures(folder, read_patches())
        if views.get(picture.path.stem, "complete") == "complete" and group in ("", group_of(picture.path.stem))
    ]
    pairs = []
    for picture in pictures[::every]:
        image = load_picture(picture.path)
        boxes = picture.boxes_px(image.shape[1], image.shape[0])
        seen = spoil(image)
        tiles = reader.read(seen.image).tiles
        reading = Reading(
            np.array([tile.box_px for tile in tiles], np.float32).reshape(-1, 4),
            np.array([LABELS.index(tile.tile) for tile in tiles], np.int64),
            np.array([tile.score for tile in tiles], np.float32),
            np.array([tile.sure == "sure" for tile in tiles], np.bool_),
        )
        pairs.append((reading, Truth(picture.path.stem, moved_boxes(boxes, seen.moved), picture.labels, complete=True)))
    return tally(pairs)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Whether sure still means sure in bad pictures.")
    parser.add_argument("--photos", type=Path, help="folder of labelled photographs; without it nothing is read")
    parser.add_argument("--models", type=Path, default=HERE, help="folder of other weights with a manifest.json")
    parser.add_argument("--group", default="", help="only photographs of this group")
    parser.add_argument("--every", type=int, default=1, help="read only every so many pictures")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS), help="only these")
    given = parser.parse_args()
    if given.photos is None:
        print("left out: name a folder of labelled photographs with --photos")
        return
    reader = TileReader.from_manifest(load_manifest(given.models), given.threads)
    columns = ("pictures", "tiles", "located", "right face", "precision", "sure", "wrong among sure")
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    for name in given.ways:
        found = judged(reader, given.photos, given.group, given.every, WAYS[name])
        print(
            f"| {name} | {found.labelled} | {found.located_share:.2%} | {found.recall:.2%} | {found.precision:.2%} "
            f"| {found.sure / max(found.read_complete, 1):.1%} "
            f"| {found.sure_wrong / max(found.sure, 1):.2%} ({found.sure_wrong} of {found.sure}) |",
            flush=True,
        )


if __name__ == "__main__":
    main()

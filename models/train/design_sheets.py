"""Pictures of whole tile sets, one design a picture, for the classifier: ``python -m models.train.design_sheets``.

A scene costs seconds and shows a dozen tiles of one set; a sheet costs half a second and shows all of a
set, so that many more designs are seen in the same time. ``--faces 1z 6z`` shows some faces alone, every
tile of another set: what is easily mixed up can be seen in thousands of designs. Writes ``images/`` and ``labels/`` as
``models.train.scenes`` does; it teaches nothing about tables, so the detector has no use for it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from models import LABELS
from models.train.faces import font_book
from models.train.fonts import FontBook, default_folders
from models.train.photo_effects import light_field
from models.train.textures import Image
from models.train.tile_sets import face_textures, random_tile_set, random_wear

COLUMNS = 7
FACES = tuple(label for label in LABELS if label != "x")


def draw_sheet(rng: np.random.Generator, book: FontBook) -> tuple[NDArray[np.uint8], list[str]]:
    """One random set laid out in shuffled rows, turned as a whole: the picture and its YOLO lines."""
    tile_set = random_tile_set(rng, book)
    textures = face_textures(tile_set, book, rng, random_wear(rng) / 2)
    wide = int(rng.integers(30, 76))
    faces = [FACES[k] for k in rng.permutation(len(FACES))]
    pictures = [textures.for_width(label, wide) for label in faces]
    return _laid_out(faces, pictures, (wide, round(wide * tile_set.body.length / tile_set.body.width)), rng)


def draw_many(rng: np.random.Generator, book: FontBook, labels: Sequence[str]) -> tuple[NDArray[np.uint8], list[str]]:
    """As many tiles as a set has, of a few faces, each of another random set: the picture and its YOLO lines."""
    wide = int(rng.integers(30, 76))
    faces, pictures = [], []
    for k in range(len(FACES)):
        faces.append(labels[k % len(labels)])
        tile_set = random_tile_set(rng, book)
        textures = face_textures(tile_set, book, rng, random_wear(rng) / 2, labels=faces[-1:])
        pictures.append(textures.for_width(faces[-1], wide))
    return _laid_out(faces, pictures, (wide, round(wide * float(rng.uniform(1.2, 1.45)))), rng)


def _laid_out(
    faces: Sequence[str], pictures: Sequence[Image], size: tuple[int, int], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], list[str]]:
    """Faces in rows on a plain ground, turned as a whole and lit."""
    wide, high = size
    gap = int(rng.integers(1, 5))
    rows = -(-len(faces) // COLUMNS)
    sheet = np.empty((rows * (high + gap), COLUMNS * (wide + gap), 3), np.float32)
    sheet[:] = rng.uniform(10, 190, 3)
    corners = []
    for number, face in enumerate(pictures):
        row, column = divmod(number, COLUMNS)
        x, y = column * (wide + gap), row * (high + gap)
        sheet[y : y + high, x : x + wide] = cv2.resize(face, (wide, high), interpolation=cv2.INTER_AREA)
        corners.append([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)])
    picture, moved = _turned(sheet, np.array(corners, np.float32), float(rng.choice([0, rng.uniform(-180, 180)])))
    picture = picture * light_field(picture.shape[0], picture.shape[1], rng).reshape(*picture.shape[:2], -1)
    extent = np.array([picture.shape[1], picture.shape[0]], np.float32)
    lines = []
    for label, quad in zip(faces, moved, strict=True):
        low, top = quad.min(axis=0) / extent, quad.max(axis=0) / extent
        numbers = (*(low + top) / 2, *(top - low))
        lines.append(f"{LABELS.index(label)} " + " ".join(f"{value:.6f}" for value in numbers))
    return np.clip(picture, 0, 255).astype(np.uint8), lines


def _turned(sheet: Image, quads: NDArray[np.float32], degrees: float) -> tuple[Image, NDArray[np.float32]]:
    """The sheet turned on a ground of its own colour, with the corners of its tiles."""
    height, width = sheet.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    cos, sin = abs(matrix[0, 0]), abs(matrix[0, 1])
    across, down = round(width * cos + height * sin) + 16, round(width * sin + height * cos) + 16
    matrix[:, 2] += ((across - width) / 2, (down - height) / 2)
    ground = tuple(float(v) for v in sheet[-1, -1])
    turned = cv2.warpAffine(sheet, matrix, (across, down), flags=cv2.INTER_LINEAR, borderValue=ground)
    moved = quads @ matrix[:, :2].T.astype(np.float32) + matrix[:, 2].astype(np.float32)
    return np.asarray(turned, np.float32), moved


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Pictures of whole tile sets in many designs.")
    parser.add_argument("--out", type=Path, required=True, help="folder for images/ and labels/")
    parser.add_argument("--count", type=int, default=300, help="number of sets (default 300)")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same sets")
    parser.add_argument(
        "--faces", nargs="+", choices=FACES, default=[], help="only these faces, every tile of a new set"
    )
    args = parser.parse_args()
    for folder in ("images", "labels"):
        (args.out / folder).mkdir(parents=True, exist_ok=True)
    book = font_book(default_folders())
    cv2.setNumThreads(1)
    for number in tqdm(range(args.count), unit="set"):
        image = args.out / "images" / f"{number:06d}.jpg"
        if image.exists():
            continue
        rng = np.random.default_rng((args.seed, number))
        picture, lines = draw_many(rng, book, args.faces) if args.faces else draw_sheet(rng, book)
        (args.out / "labels" / f"{image.stem}.txt").write_text("\n".join(lines) + "\n", encoding="ascii")
        ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))])
        if not ok:
            raise OSError(f"Could not encode sheet {number} as JPEG.")
        image.write_bytes(data.tobytes())


if __name__ == "__main__":
    main()

"""One picture of all faces in many styles, to be looked at: ``python -m models.train.face_sheet``."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from models import LABELS
from models.train.faces import font_book
from models.train.fonts import default_folders
from models.train.tile_sets import face_textures, random_tile_set

CELL = (48, 66)
FELT_BGR = (40, 80, 40)


def style_row(seed: int, *, held_out: bool) -> np.ndarray:
    """All 43 faces of one random tile set, side by side."""
    rng, book = np.random.default_rng(seed), font_book(default_folders())
    tile_set = random_tile_set(rng, book, held_out=held_out)
    textures = face_textures(tile_set, book, rng, wear=0)
    cells = [cv2.resize(textures.levels[label][1], CELL, interpolation=cv2.INTER_AREA) for label in LABELS]
    return np.hstack([cv2.copyMakeBorder(c, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=FELT_BGR) for c in cells])


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="A sheet of tile faces, one random tile set a row.")
    parser.add_argument("--out", type=Path, default=Path("face-sheet.png"))
    parser.add_argument("--seed", type=int, default=1, help="seed of the first row")
    parser.add_argument("--rows", type=int, default=16)
    parser.add_argument("--held-out", action="store_true", help="styles that training never uses")
    args = parser.parse_args()
    rows = [style_row(args.seed + k, held_out=args.held_out) for k in range(args.rows)]
    cv2.imwrite(str(args.out), np.clip(np.vstack(rows), 0, 255).astype(np.uint8))
    print(f"{args.rows} tile sets on {args.out}")


if __name__ == "__main__":
    main()

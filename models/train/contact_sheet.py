"""One picture of many scenes with their boxes, to be looked at: ``python -m models.train.contact_sheet DIR``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

CELL = 480


def cell(folder: Path, name: str, *, boxes: bool) -> np.ndarray:
    """One scene scaled into a square cell, boxes drawn when wanted."""
    image = cv2.imread(str(folder / "images" / f"{name}.jpg"))
    if image is None:
        raise SystemExit(f"{folder / 'images' / name}.jpg is not a readable picture.")
    if boxes:
        truth = json.loads((folder / "truth" / f"{name}.json").read_text())
        for tile in truth["tiles"]:
            x1, y1, x2, y2 = (round(v) for v in tile["box"])
            colour = (255, 120, 0) if tile["tile"] == "x" else (0, 0, 255)
            cv2.rectangle(image, (x1, y1), (x2, y2), colour, 1)
            cv2.putText(image, tile["tile"], (x1 + 1, y1 + 10), cv2.FONT_HERSHEY_SIMPLEX, 0.35, colour, 1, cv2.LINE_AA)
    scale = CELL / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    out = np.full((CELL, CELL, 3), 114, np.uint8)
    out[: small.shape[0], : small.shape[1]] = small
    return out


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="A contact sheet of rendered scenes.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=Path("contact-sheet.jpg"))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--columns", type=int, default=4)
    parser.add_argument("--rows", type=int, default=3)
    parser.add_argument("--boxes", action="store_true")
    args = parser.parse_args()
    names = sorted(p.stem for p in (args.folder / "images").glob("*.jpg"))[args.first :][: args.columns * args.rows]
    cells = [cell(args.folder, n, boxes=args.boxes) for n in names]
    cells += [np.full((CELL, CELL, 3), 114, np.uint8)] * (args.columns * args.rows - len(cells))
    rows = [np.hstack(cells[r * args.columns : (r + 1) * args.columns]) for r in range(args.rows)]
    cv2.imwrite(str(args.out), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 92])
    print(f"{len(names)} scenes on {args.out}")


if __name__ == "__main__":
    main()

"""Renders the hands of the demonstration that is followed, as one picture of the table and what changes in it.

``python -m models.train.demo_followed_pictures`` writes ``table/demo/followed/``: ``table.jpg``, for each hand a sheet
with the square cells that change from page to page, and ``pages.json``, which says where they belong and what is true.
The tiles come from the sheet of the demo's set, so no fonts are needed.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.demo_followed import HANDS, FollowedHand, pages
from models.train.demo_pictures import SIZE, demo_look, hand_truth
from models.train.demo_table import SEED, TABLE, VIEW
from models.train.face_sheets import load_studio
from models.train.live_table import LiveTable

Photo = NDArray[np.uint8]

CELL_PX = 80
"""Side of a cell; the picture is whole cells, and a cell whole blocks of JPEG."""
CHANGED = 6
"""Grey levels by which a pixel must differ for its cell to be kept: above what JPEG does to a neighbour."""
QUALITY = 88


def cells_changed(before: Photo, now: Photo) -> list[int]:
    """The numbers of the cells, row by row, in which two pictures differ."""
    apart = cv2.absdiff(before, now).max(axis=2) > CHANGED
    high, wide = apart.shape[0] // CELL_PX, apart.shape[1] // CELL_PX
    return [int(n) for n in np.flatnonzero(apart.reshape(high, CELL_PX, wide, CELL_PX).any(axis=(1, 3)))]


def cell_of(image: Photo, number: int) -> Photo:
    """One cell of a picture."""
    row, column = divmod(number, image.shape[1] // CELL_PX)
    return image[row * CELL_PX : (row + 1) * CELL_PX, column * CELL_PX : (column + 1) * CELL_PX]


def sheet_of(cells: list[Photo], wide: int) -> Photo:
    """Cells side by side, row after row, as wide as the picture they are from."""
    across = wide // CELL_PX
    sheet = np.zeros((-(-len(cells) // across) * CELL_PX, wide, 3), np.uint8)
    for number, cell in enumerate(cells):
        cell_of(sheet, number)[:] = cell
    return sheet


def write_followed(tiles: Path, out: Path) -> None:
    """Renders all pages of all hands, with the tile set of this sheet (see `face_sheets`)."""
    out.mkdir(parents=True, exist_ok=True)
    live = LiveTable(load_studio(tiles), TABLE, VIEW, SIZE, demo_look(quality=92), SEED)
    first = now = _photo(live, next(pages(HANDS[0])))
    _save(out / "table.jpg", first)
    hands: list[dict[str, Any]] = []
    for number, hand in enumerate(HANDS, start=1):
        changed, cells, now = [], [], first
        for lying in pages(hand):
            before, now = now, _photo(live, lying)
            changed.append(cells_changed(before, now))
            cells += [cell_of(now, cell) for cell in changed[-1]]
        _save(out / f"hand{number}.jpg", sheet_of(cells, SIZE[0]))
        hands.append({"sheet": f"hand{number}.jpg", "cells": changed, **_truth(hand)})
    document = {"picture": "table.jpg", "cell_px": CELL_PX, "felt_mm": 2 * TABLE.half, "hands": hands}
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    (out / "pages.json").write_text(text.replace('{"sheet"', '\n{"sheet"') + "\n", encoding="utf-8")


def _truth(hand: FollowedHand) -> dict[str, Any]:
    truth = hand_truth(hand.win)
    if hand.win.from_seat is None and hand.moves.split()[-1][1] in "=^":
        truth["winners"][0]["source"] = "kong_replacement"
    return {"moves": hand.moves, **truth}


def _photo(live: LiveTable, tiles: list[Any]) -> Photo:
    live.lay(tiles)
    return live.frame(np.random.default_rng(SEED))


def _save(path: Path, image: Photo) -> None:
    whole_colours = [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]  # no seams between cells
    if not cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY, *whole_colours]):
        raise OSError(f"{path} could not be written.")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Render the demonstration that is followed.")
    parser.add_argument("--tiles", type=Path, default=Path("tests/pictures/sets/demo.webp"))
    parser.add_argument("--out", type=Path, default=Path("table/demo/followed"))
    args = parser.parse_args()
    write_followed(args.tiles, args.out)


if __name__ == "__main__":
    main()

"""Whole tile sets as small pictures, so that tables can be rendered where no fonts and no SVG renderer are installed.

``python -m models.train.face_sheets`` writes ``tests/pictures/sets/``: for each set one sheet of its 43 faces and what
its tiles are made of. ``load_studio`` makes a studio of them; it needs numpy and OpenCV only.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np

from models import LABELS
from models.train.studio import Studio
from models.train.textures import FaceTextures, halving
from models.train.tile_body import Body

WIDE_PX = 72
COLUMNS = 9
QUALITY = 86
UNSEEN = {"kaisei": 28, "fangsong": 23, "xiaowei": 12}
"""Styles that training never uses, each with the seed of one of its sets."""


def save_sheet(studio: Studio, out: Path) -> int:
    """Writes the set as ``NAME.webp`` and ``NAME.json``; returns the bytes of both."""
    high = round(WIDE_PX * studio.body.length / studio.body.width)
    rows = -(-len(LABELS) // COLUMNS)
    sheet = np.zeros((rows * high, COLUMNS * WIDE_PX, 3), np.uint8)
    for number, label in enumerate(LABELS):
        row, column = divmod(number, COLUMNS)
        face = cv2.resize(studio.textures.levels[label][0], (WIDE_PX, high), interpolation=cv2.INTER_AREA)
        sheet[row * high : (row + 1) * high, column * WIDE_PX : (column + 1) * WIDE_PX] = np.clip(face + 0.5, 0, 255)
    ok, data = cv2.imencode(".webp", sheet, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    if not ok:
        raise OSError(f"Could not encode the sheet of the set {studio.style}.")
    text = json.dumps({"style": studio.style, "face_px": [WIDE_PX, high], "body": asdict(studio.body)}, indent=1)
    (out / f"{studio.style}.webp").write_bytes(data.tobytes())
    (out / f"{studio.style}.json").write_text(text + "\n", encoding="ascii")
    return len(data) + len(text)


def load_studio(sheet: Path) -> Studio:
    """The set of a sheet (``.webp`` with its ``.json`` beside it), ready to be photographed.

    Raises:
        OSError: one of the two files is missing or no picture.
    """
    about = json.loads(sheet.with_suffix(".json").read_text(encoding="ascii"))
    picture = cv2.imdecode(np.frombuffer(sheet.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise OSError(f"{sheet} is no picture.")
    wide, high = about["face_px"]
    levels = {}
    for number, label in enumerate(LABELS):
        row, column = divmod(number, COLUMNS)
        face = picture[row * high : (row + 1) * high, column * wide : (column + 1) * wide]
        levels[label] = halving(face.astype(np.float32))
    body = {key: tuple(value) if isinstance(value, list) else value for key, value in about["body"].items()}
    return Studio(Body(**body), FaceTextures(levels), about["style"])


def main() -> None:
    """Command line; the drawing needs fonts and the SVG renderer."""
    from models.train.demo_pictures import demo_studio
    from models.train.faces import font_book
    from models.train.fonts import default_folders
    from models.train.tile_sets import open_studio

    parser = argparse.ArgumentParser(description="Write tile sets as sheets of faces.")
    parser.add_argument("--out", type=Path, default=Path("tests/pictures/sets"))
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    book = font_book(default_folders())
    studios = [demo_studio()]
    for style, seed in UNSEEN.items():
        studio = open_studio((seed, 5), book, held_out=True)
        if studio.style != style:
            raise SystemExit(f"Seed {seed} draws {studio.style}, not {style}; choose another one.")
        studios.append(studio)
    for studio in studios:
        print(studio.style, save_sheet(studio, out), "bytes")


if __name__ == "__main__":
    main()

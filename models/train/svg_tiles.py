"""Writes the tile pictures of the web pages: ``python -m models.train.svg_tiles``.

One own, quiet style: brush characters from LXGW WenKai TC (SIL OFL 1.1) as plain
outlines, so that a page needs no font. Faces come without a tile body; the style
sheet draws that.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from models import LABELS
from models.train.faces import FaceArtist, FaceStyle, face_svg, font_book
from models.train.fonts import default_folders
from models.train.ink import Inks

WEB_STYLE = FaceStyle(
    name="web",
    inks=Inks(red="#c1272d", green="#11693c", blue="#1f3f8f", dark="#23262b", paper="#fffdf6"),
    font="wenkai",
    boldness=5,
    white="double",
    one_dot="sunflower",
    stick="capsule",
    bird="peacock",
    flower="plant",
    fill=0.9,
)

MAX_BYTES_EACH, MAX_BYTES_TOGETHER = 6_000, 90_000


def squeeze(svg: str) -> str:
    """The same picture in fewer bytes: no needless spaces or zeros."""
    return re.sub(r"(?<=[ (\"-])0\.(?=\d)", ".", svg).replace(
        'stroke-linecap="round" stroke-linejoin="round"', 'stroke-linecap="round"'
    )


def main() -> None:
    """Writes all 43 files and says how large they are."""
    parser = argparse.ArgumentParser(description="Write the 43 tile SVGs of the web pages.")
    parser.add_argument("--out", type=Path, default=Path("webui/static/tiles"), help="folder for <label>.svg")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    artist = FaceArtist(WEB_STYLE, font_book(default_folders()), decimals=0)
    sizes = {}
    for label in LABELS:
        svg = squeeze(face_svg(label, artist))
        (out / f"{label}.svg").write_text(svg + "\n", encoding="utf-8")
        sizes[label] = len(svg) + 1
    largest = max(sizes, key=lambda k: sizes[k])
    print(f"{len(sizes)} tiles in {out}: {sum(sizes.values())} bytes, largest {largest}.svg {sizes[largest]}")
    if sizes[largest] > MAX_BYTES_EACH or sum(sizes.values()) > MAX_BYTES_TOGETHER:
        raise SystemExit("The tiles are too large for the first load of a page; simplify the drawings.")


if __name__ == "__main__":
    main()

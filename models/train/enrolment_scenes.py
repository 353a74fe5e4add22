"""Tables that an owner enrolled: ``python -m models.train.enrolment_scenes --out DIR --sets N``.

For every tile set of a style that training never uses: one picture of each guided row, as an owner would take it with a
phone, and a few scenes in which the same set lies on a table. ``models.train.enrolment_gain`` judges on them what the
enrolment is worth. Files as of ``models.train.scenes``: ``set00/rows`` and ``set00/table``.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from models.train.camera import View
from models.train.demo_pictures import demo_look
from models.train.faces import font_book
from models.train.fonts import FontBook, default_folders
from models.train.layouts import FACES, Builder, Hand, row
from models.train.recipes import Plan
from models.train.scenes import random_scene, save
from models.train.studio import Look, Scene, Studio, random_look, render
from models.train.surface import random_table
from models.train.tile_sets import open_studio
from vision.guided import GUIDED_ROWS

SIZE = (1280, 720)
SMALL, TEST_SET = 0.7, 901
"""The tests' pictures: how much smaller, and which set."""


def guided_row(studio: Studio, tiles: tuple[str, ...], look: Look, rng: np.random.Generator) -> Scene:
    """One guided row photographed by its owner: close, fairly from above, in the light of the room."""
    on = Builder(studio.body, rng)
    length = len(tiles) * studio.body.width
    on.lay("hand", row(tiles, (-length / 2, 0), studio.body), seat=0, note="revealed", hand=Hand(0.4, 0.8))
    view = View(
        target_mm=(float(rng.normal(0, 8)), float(rng.normal(0, 8))),
        span_mm=max(length, 170.0) * float(rng.uniform(1.3, 1.6)),
        tilt_deg=float(rng.uniform(3, 28)),
        azimuth_deg=float(rng.uniform(-10, 10)),
        roll_deg=float(rng.normal(0, 3)),
        fov_deg=float(rng.uniform(45, 70)),
    )
    table = replace(random_table(rng, desk=False), machine=0.0)
    return render(Plan("enrol", on.layout, table, view), studio, SIZE, look, rng)


def make_set(number: int, out: Path, seed: int, scenes: int, book: FontBook) -> None:
    """Renders the pictures of one tile set."""
    studio = open_studio((seed, number, 1), book, held_out=True)
    for part in ("rows", "table"):
        for folder in ("images", "labels", "truth"):
            (out / f"set{number:02d}" / part / folder).mkdir(parents=True, exist_ok=True)
    look = random_look(np.random.default_rng((seed, number, 3)))
    for place, guided in enumerate(GUIDED_ROWS[:5]):
        rng = np.random.default_rng((seed, number, place, 4))
        save(guided_row(studio, guided.tiles, look, rng), out / f"set{number:02d}" / "rows", f"{place}")
    for place in range(scenes):
        scene = random_scene(studio, np.random.default_rng((seed, number, place, 2)))
        save(scene, out / f"set{number:02d}" / "table", f"{place}")


def write_test_pictures(out: Path, seed: int, book: FontBook) -> None:
    """The tests' own table: five guided rows of one set, and two hands of it in another light from another side."""
    out.mkdir(parents=True, exist_ok=True)
    studio = open_studio((seed, TEST_SET, 1), book, held_out=True)
    for place, guided in enumerate(GUIDED_ROWS):
        scene = guided_row(studio, guided.tiles, demo_look(), np.random.default_rng((seed, TEST_SET, place, 5)))
        _write_small(out / f"row_{guided.key}.jpg", scene)
    truth = []
    for place in range(2):
        rng = np.random.default_rng((seed, TEST_SET, place, 6))
        on = Builder(studio.body, rng)
        tiles = [FACES[k] for k in rng.permutation(len(FACES))[:13]]
        on.lay("hand", row(tiles, (-6.5 * studio.body.width, 0), studio.body), seat=0, note="revealed")
        view = View((0, 0), 19 * studio.body.width, tilt_deg=24, azimuth_deg=8, roll_deg=float(rng.uniform(-25, 25)))
        table = replace(random_table(rng, desk=False), machine=0.0)
        scene = render(Plan("test", on.layout, table, view), studio, SIZE, random_look(rng), rng)
        _write_small(out / f"hand_{place}.jpg", scene)
        truth.append(
            {
                "picture": f"hand_{place}.jpg",
                "tiles": [{"tile": t.tile, "box": [round(v * SMALL, 1) for v in t.box]} for t in scene.tiles],
            }
        )
    (out / "truth.json").write_text(json.dumps({"pictures": truth}) + "\n", encoding="ascii")


def _write_small(path: Path, scene: Scene) -> None:
    small = cv2.resize(scene.image, None, fx=SMALL, fy=SMALL, interpolation=cv2.INTER_AREA)
    path.write_bytes(np.asarray(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 82])[1]).tobytes())


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--test-pictures", action="store_true", help="write the tests' pictures instead")
    parser.add_argument("--sets", type=int, default=20, help="number of tile sets (default 20)")
    parser.add_argument("--scenes", type=int, default=4, help="table scenes of each (default 4)")
    parser.add_argument("--seed", type=int, default=4711)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    book = font_book(default_folders())
    if args.test_pictures:
        write_test_pictures(args.out, args.seed, book)
        return
    for number in tqdm(range(args.sets), unit="set"):
        make_set(number, args.out, args.seed, args.scenes, book)


if __name__ == "__main__":
    main()

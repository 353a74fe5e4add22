"""Rendered table scenes with exact truth: ``python -m models.train.scenes --out DIR --count N --seed S``.

Writes ``images/NNNNNN.jpg``, YOLO labels ``labels/NNNNNN.txt`` (class = line of
``models/labels.txt``) and ``truth/NNNNNN.json`` (quads, groups, order). Scene N of a
seed is always the same picture, so an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from tqdm import tqdm

from models import LABELS
from models.train.faces import font_book
from models.train.fonts import default_folders
from models.train.recipes import RECIPES, random_plan
from models.train.studio import Scene, Studio, random_look, render
from models.train.tile_sets import open_studio

SCENES_PER_SET = 4
"""Neighbouring scenes share a tile set, because drawing one takes as long as a scene."""
CAMERA_SIZES = ((1280, 960), (1600, 1200), (1920, 1080))
SMALLEST_TILE_PX = 18
"""Tiles in the middle of a picture are never narrower."""


def random_scene(studio: Studio, rng: np.random.Generator, kind: str = "") -> Scene:
    """A scene of a random size (640 to 832 pixels; a camera's where it looks from above), of the given kind or any."""
    while True:
        plan = random_plan(studio.body, rng, kind)
        long_side = int(rng.choice([640, 704, 768, 832]))
        short_side = 2 * round(long_side * float(rng.choice([1.0, 0.75, 0.5625, 0.8])) / 2)
        size = (long_side, short_side) if rng.random() < 0.75 else (short_side, long_side)
        if plan.kind == "overhead":
            size = CAMERA_SIZES[int(rng.integers(len(CAMERA_SIZES)))]
        widest_mm = studio.body.width * size[0] / SMALLEST_TILE_PX
        plan = replace(plan, view=replace(plan.view, span_mm=min(plan.view.span_mm, widest_mm)))
        scene = render(plan, studio, size, random_look(rng), rng)
        if scene.tiles:
            return scene


def yolo_lines(scene: Scene) -> str:
    """The labels of a scene in YOLO's text form."""
    height, width = scene.image.shape[:2]
    lines = []
    for t in scene.tiles:
        x1, y1, x2, y2 = t.box
        numbers = ((x1 + x2) / 2 / width, (y1 + y2) / 2 / height, (x2 - x1) / width, (y2 - y1) / height)
        lines.append(f"{LABELS.index(t.tile)} " + " ".join(f"{v:.6f}" for v in numbers))
    return "".join(line + "\n" for line in lines)


def truth_document(scene: Scene) -> dict[str, Any]:
    """The whole truth of a scene as JSON."""
    view = scene.plan.view
    return {
        "kind": scene.plan.kind,
        "style": scene.style,
        "width": scene.image.shape[1],
        "height": scene.image.shape[0],
        "view": {
            "tilt_deg": view.tilt_deg,
            "azimuth_deg": view.azimuth_deg,
            "roll_deg": view.roll_deg,
            "span_mm": view.span_mm,
        },
        "groups": [{"kind": g.kind, "seat": g.seat, "note": g.note} for g in scene.plan.layout.groups],
        "tiles": [
            {
                "tile": t.tile,
                "face": t.face,
                "box": [round(v, 1) for v in t.box],
                "quad": [[round(x, 1), round(y, 1)] for x, y in t.quad],
                "visible": round(t.visible, 3),
                "group": t.group,
                "order": t.order,
                "level": t.level,
            }
            for t in scene.tiles
        ],
        "doubtful": [[round(v, 1) for v in box] for box in scene.doubtful],
    }


def save(scene: Scene, out: Path, name: str) -> None:
    """Writes picture, labels and truth; the picture last, since its presence means done."""
    (out / "labels" / f"{name}.txt").write_text(yolo_lines(scene), encoding="ascii")
    (out / "truth" / f"{name}.json").write_text(json.dumps(truth_document(scene)), encoding="ascii")
    ok, data = cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, scene.effects.quality])
    if not ok:
        raise OSError(f"Could not encode scene {name} as JPEG.")
    (out / "images" / f"{name}.jpg").write_bytes(data.tobytes())


def make_set(start: int, *, out: Path, seed: int, count: int, held_out: bool, kind: str = "") -> int:
    """Renders the scenes that share one tile set, skipping those already there; returns how many are done."""
    cv2.setNumThreads(1)
    names = range(start, min(start + SCENES_PER_SET, count))
    missing = [n for n in names if not (out / "images" / f"{n:06d}.jpg").exists()]
    if missing:
        studio = open_studio((seed, start, 1), font_book(default_folders()), held_out=held_out)
        for n in missing:
            save(random_scene(studio, np.random.default_rng((seed, n, 2)), kind), out, f"{n:06d}")
    return len(names)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Render mahjong table scenes with exact labels.")
    parser.add_argument("--out", type=Path, required=True, help="folder for images/, labels/ and truth/")
    parser.add_argument("--count", type=int, default=400, help="number of scenes (default 400)")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same scenes")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--held-out", action="store_true", help="tile styles that training never uses")
    parser.add_argument(
        "--kind", choices=[name for name, _, _ in RECIPES], default="", help="only this kind of picture"
    )
    args = parser.parse_args()
    for folder in ("images", "labels", "truth"):
        (args.out / folder).mkdir(parents=True, exist_ok=True)
    work = partial(make_set, out=args.out, seed=args.seed, count=args.count, held_out=args.held_out, kind=args.kind)
    starts = range(0, args.count, SCENES_PER_SET)
    with tqdm(total=args.count, unit="scene") as bar:
        if args.jobs == 1:
            for start in starts:
                bar.update(work(start))
        else:
            with ProcessPoolExecutor(args.jobs) as pool:
                for done in pool.map(work, starts):
                    bar.update(done)


if __name__ == "__main__":
    main()

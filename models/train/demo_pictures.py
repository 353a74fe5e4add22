"""Renders the demo's recorded camera and the tests' own pictures.

``python -m models.train.demo_pictures`` writes ``table/demo/`` (for six hands one
picture during play and one with the winner's hand laid down, plus ``truth.json``) and
``tests/pictures/``. One camera, one table, one tile set; seeded, so that the pictures
come out the same every time.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from tqdm import tqdm

from models.train.boxes import Light
from models.train.camera import View
from models.train.demo_hands import HANDS, DemoHand, tiles_of
from models.train.demo_table import BODY, NEAT, SEED, table_plan
from models.train.faces import FaceStyle, font_book
from models.train.fonts import default_folders
from models.train.ink import Inks
from models.train.layouts import Builder, meld, pond, row
from models.train.photo_effects import Effects
from models.train.recipes import Plan
from models.train.studio import Look, Scene, Studio, render
from models.train.surface import Table
from models.train.tile_sets import TileSet, face_textures

SIZE = (1600, 1200)
LARGEST_FILE = 250_000
INKS = Inks(red="#c4161c", green="#0d6a34", blue="#1d3aa0", dark="#1a1a1e", paper="#f9f6f0")
STYLE = FaceStyle("demo", INKS, "wenkai", 6, white="double", fill=0.9)


def demo_studio() -> Studio:
    """The demo's tile set."""
    tile_set = TileSet(STYLE, BODY)
    faces = face_textures(tile_set, font_book(default_folders()), np.random.default_rng(SEED), wear=0)
    return Studio(BODY, faces, STYLE.name)


def demo_look(quality: int = 84) -> Look:
    """Evenly lit, in focus, a little noise: a decent camera on a bracket."""
    direction = np.array([-0.35, 0.3, 1.0])
    light = Light(direction / np.linalg.norm(direction), 0.55, (0.97, 1.0, 1.02))
    effects = Effects(defocus_px=0.35, noise=1.6, vignette=0.14, quality=quality, sharpen=0.3, contrast=1.02)
    return Look(light, effects, messy=False)


def encode_small(scene: Scene) -> bytes:
    """JPEG data of at most ``LARGEST_FILE`` bytes."""
    for quality in (88, 84, 80, 76, 70, 62):
        ok, data = cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if ok and len(data) <= LARGEST_FILE:
            return bytes(data.tobytes())
    raise ValueError("A demo picture does not fit into 250 kB; use less noise.")


def picture_truth(scene: Scene, name: str) -> dict[str, Any]:
    """What can be read in one picture: tiles with boxes and the groups that hold them."""
    groups = scene.plan.layout.groups
    members: dict[int, list[tuple[int, int]]] = {}
    for index, tile in enumerate(scene.tiles):
        members.setdefault(tile.group, []).append((tile.order, index))
    return {
        "picture": name,
        "width": scene.image.shape[1],
        "height": scene.image.shape[0],
        "tiles": [{"tile": t.tile, "box": [round(v, 1) for v in t.box]} for t in scene.tiles],
        "groups": [
            {
                "kind": groups[g].kind, "seat": groups[g].seat, "note": groups[g].note,
                "tiles": [index for _, index in sorted(found)],
            }
            for g, found in sorted(members.items())
        ],
    }  # fmt: skip


def hand_truth(hand: DemoHand) -> dict[str, Any]:
    """The hand as a question of rules/SCHEMA.md and its value."""
    winner: dict[str, Any] = {
        "seat": hand.winner,
        "hand": hand.hand,
        "melds": [{"type": m.kind, "tiles": m.tiles, "from": m.source_seat} for m in hand.melds],
        "win_tile": hand.win_tile,
        "source": "self_draw" if hand.from_seat is None else "discard",
        "from_seat": hand.from_seat,
        "flowers": hand.flowers,
    }
    state = {"round_wind": hand.round_wind, "dealer": hand.dealer, "last_tile": False}
    return {
        "ruleset": "gb",
        "options": {},
        "state": state,
        "winners": [winner],
        "total": hand.total,
        "story": hand.story,
    }


def seat_zones(scene: Scene) -> list[list[list[float]]]:
    """Per seat the corners, in pixels, of the strip where its hand, melds and flowers lie."""
    zones = []
    for seat in range(4):
        c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[seat]
        strip = [(-305.0, -384.0), (305.0, -384.0), (305.0, -270.0), (-305.0, -270.0)]
        world = np.array([[c * x - s * y, s * x + c * y, 0.0] for x, y in strip])
        zones.append([[round(float(v), 1) for v in point] for point in scene.camera.project(world)])
    return zones


def write_demo(out: Path, studio: Studio) -> None:
    """Renders all demo pictures with their truth."""
    out.mkdir(parents=True, exist_ok=True)
    hands, zones = [], []
    for number, hand in enumerate(tqdm(HANDS, unit="hand"), start=1):
        pictures = {}
        for stage in ("play", "win"):
            plan = table_plan(hand, number, finished=stage == "win")
            scene = render(plan, studio, SIZE, demo_look(), np.random.default_rng((SEED, 7)))
            name = f"hand{number}_{stage}.jpg"
            (out / name).write_bytes(encode_small(scene))
            pictures[stage] = picture_truth(scene, name)
            zones = seat_zones(scene)
        hands.append({"number": number, **hand_truth(hand), "pictures": pictures})
    text = json.dumps({"seat_zones_px": zones, "hands": hands}, ensure_ascii=False, separators=(",", ":"))
    (out / "truth.json").write_text(text.replace('{"number"', '\n{"number"') + "\n", encoding="utf-8")


def small_plans() -> dict[str, tuple[Plan, tuple[int, int]]]:
    """Small pictures for the tests: name -> plan and size."""
    rng = np.random.default_rng((SEED, 99))
    plans = {}

    def row_at(on: Builder, kind: str, text: str, x: float, note: str = "") -> None:
        on.lay(kind, row(tiles_of(text), (x, 0), BODY), seat=0, note=note, hand=NEAT)

    hand = Builder(BODY, rng)
    row_at(hand, "hand", "123456789m11p55z", -172, "revealed")
    plans["hand_row"] = (_desk(hand, View((0, 0), 430, 12, 0, 1.0)), (900, 500))
    melds = Builder(BODY, rng)
    row_at(melds, "hand", "223344s6p", -236, "revealed")
    row_at(melds, "winning_tile", "6p", -22)
    for kind, text, x in (("peng", "777z", 45), ("kong_concealed", "9999m", 145)):
        melds.lay("meld", meld(kind, tiles_of(text), (x, 0), BODY, "two_backs"), seat=0, note=kind, hand=NEAT)
    plans["hand_and_melds"] = (_desk(melds, View((10, 0), 520, 8, 0, -1.0)), (1000, 500))
    discards = Builder(BODY, rng)
    discards.lay("pond", pond(tiles_of("1z9m2p5s7z3m8p4s6z1f2m7s9p5m3s"), 0, BODY), seat=0, hand=NEAT)
    plans["pond_three_rows"] = (_desk(discards, View((0, -36), 300, 15, 10, 0)), (720, 540))
    turned = Builder(BODY, rng)
    row_at(turned, "hand", "55566m345p678s11z", -172, "revealed")
    row_at(turned, "winning_tile", "1z", 203)
    plans["hand_rotated"] = (_desk(turned, View((20, 0), 500, 10, 0, 33)), (900, 720))
    slanted = Builder(BODY, rng)
    row_at(slanted, "hand", "19m19p19s1234567z", -172, "revealed")
    plans["hand_slanted"] = (_desk(slanted, View((0, 10), 430, 38, -12, 0)), (900, 540))
    return plans


def _desk(on: Builder, view: View) -> Plan:
    return Plan("test", on.layout, Table(half=400, felt_bgr=(66, 120, 38)), view)


def write_test_pictures(out: Path, studio: Studio) -> None:
    """Renders the tests' pictures with their truth."""
    out.mkdir(parents=True, exist_ok=True)
    pictures = []
    for number, (name, (plan, size)) in enumerate(small_plans().items()):
        scene = render(plan, studio, size, demo_look(), np.random.default_rng((SEED, number, 8)))
        (out / f"{name}.jpg").write_bytes(encode_small(scene))
        pictures.append(picture_truth(scene, f"{name}.jpg"))
    text = json.dumps({"pictures": pictures}, ensure_ascii=False, separators=(",", ":"))
    (out / "truth.json").write_text(text.replace('{"picture"', '\n{"picture"') + "\n", encoding="utf-8")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Render the demo's and the tests' pictures.")
    parser.add_argument("--demo", type=Path, default=Path("table/demo"))
    parser.add_argument("--tests", type=Path, default=Path("tests/pictures"))
    args = parser.parse_args()
    studio = demo_studio()
    write_test_pictures(args.tests, studio)
    write_demo(args.demo, studio)


if __name__ == "__main__":
    main()

"""Renders the demo's recorded camera and the tests' own pictures.

``python -m models.train.demo_pictures`` writes ``table/demo/`` (for six hands one
picture during play and one with the winner's hand laid down, plus ``truth.json``) and
``tests/pictures/``. One camera, one table, one tile set; seeded, so that the pictures
come out the same every time.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from tqdm import tqdm

from models.train.boxes import Light, Placed
from models.train.camera import View
from models.train.demo_hands import HANDS, DemoHand, DemoMeld, tiles_of
from models.train.faces import FaceStyle, font_book
from models.train.fonts import default_folders
from models.train.ink import Inks
from models.train.layouts import Hand, Layout, add, full_set, meld, pond, row, stacks, width_of
from models.train.photo_effects import Effects
from models.train.recipes import Plan
from models.train.studio import Look, Scene, Studio, render
from models.train.surface import Table
from models.train.tile_body import Body
from models.train.tile_sets import TileSet, face_textures

SEED = 20
SIZE = (1600, 1200)
LARGEST_FILE = 250_000
WALL_STACKS = 18
FIRST_ROW_Y, WALL_Y, HAND_Y = -114.0, -246.0, -326.0
NEAT, CAREFUL = Hand(0.3, 0.35), Hand(0.15, 0.12)

BODY = Body(
    width=26, length=35, depth=20, radius=2.6, bevel=0.9, front_share=0.6, front_bgr=(240, 246, 249),
    back_bgr=(45, 140, 235), gloss=0.3, engraving=0.6, face_margin=0.01,
)  # fmt: skip
INKS = Inks(red="#c4161c", green="#0d6a34", blue="#1d3aa0", dark="#1a1a1e", paper="#f9f6f0")
STYLE = FaceStyle("demo", INKS, "wenkai", 6, white="double", fill=0.9)
TABLE = Table(
    half=385, frame=70, felt_bgr=(62, 112, 34), frame_bgr=(52, 78, 118), floor_bgr=(70, 78, 86), weave="felt",
    frame_wood=True, machine=72, machine_bgr=(52, 54, 58), machine_square=True, rounding=30,
)  # fmt: skip
VIEW = View(target_mm=(3.0, -2.0), span_mm=1066, tilt_deg=1.5, azimuth_deg=0, roll_deg=0.8, fov_deg=58)
"""The camera hangs over the table's centre; seat 0 is at the bottom of the picture."""


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


def remaining_bag(hand: DemoHand, rng: np.random.Generator) -> list[str]:
    """All tiles of the set that the winner does not hold, in random order."""
    held = Counter([*tiles_of(hand.hand), hand.win_tile, *tiles_of(hand.flowers)])
    for one in hand.melds:
        held.update(tiles_of(one.tiles))
    bag = []
    for tile in full_set(rng):
        if held[tile]:
            held[tile] -= 1
        else:
            bag.append(tile)
    if +held:
        raise ValueError(f"The demo hand {hand.hand!r} holds tiles that a set does not have: {dict(+held)}.")
    return bag


def lay_winner(layout: Layout, hand: DemoHand, rng: np.random.Generator) -> None:
    """The winner's side: flowers, concealed tiles, the winning tile apart, melds, from left to right."""
    flowers, concealed = tiles_of(hand.flowers), tiles_of(hand.hand)
    step = BODY.width + 0.4
    melds = [lay_meld(m, 0) for m in hand.melds]
    widths = [width_of(tiles, BODY) for tiles in melds]
    total = len(flowers) * step + 45 * bool(flowers) + len(concealed) * step + 32 + step + 45 * bool(melds)
    x = -(total + sum(widths) + 22 * max(len(melds) - 1, 0)) / 2
    if flowers:
        add(layout, row(flowers, (x, HAND_Y), BODY), layout.open_group("flowers", hand.winner), hand.winner, NEAT, rng)
        x += len(flowers) * step + 45
    group = layout.open_group("hand", hand.winner, "revealed")
    add(layout, row(concealed, (x, HAND_Y), BODY), group, hand.winner, CAREFUL, rng)
    x += len(concealed) * step + 32
    group = layout.open_group("winning_tile", hand.winner)
    add(layout, row([hand.win_tile], (x, HAND_Y), BODY), group, hand.winner, CAREFUL, rng)
    x += step + 45
    for one, width in zip(hand.melds, widths, strict=True):
        add(layout, lay_meld(one, x), layout.open_group("meld", hand.winner, one.kind), hand.winner, CAREFUL, rng)
        x += width + 22


def lay_meld(one: DemoMeld, x: float) -> list[Placed]:
    """A meld on the winner's side; an added kong lies as four in a row, which no camera can tell from an open one."""
    kind = "kong_open" if one.kind == "kong_added" else one.kind
    return meld(kind, tiles_of(one.tiles), (x, HAND_Y), BODY, "two_backs" if kind == "kong_concealed" else "upright")


def lay_player(layout: Layout, seat: int, count: int, pose: str, rng: np.random.Generator) -> None:
    """Tiles of a player that nobody else may see: standing during play, face down at the end."""
    tiles = row(["1m"] * count, (-count * BODY.width / 2, HAND_Y), BODY, pose)
    add(layout, tiles, layout.open_group("hand", seat, pose), seat, CAREFUL, rng)


def lay_walls(layout: Layout, tiles_left: int, first_side: int, rng: np.random.Generator) -> None:
    """What is left of the wall, clockwise from ``first_side``, taken from the front."""
    gone = 4 * WALL_STACKS - (tiles_left + 1) // 2
    for k in range(4):
        side = (first_side - k) % 4
        missing = min(max(gone - k * WALL_STACKS, 0), WALL_STACKS)
        left = WALL_STACKS - missing
        if not left:
            continue
        start = (-9.4 * (BODY.width + 0.4), WALL_Y)
        tiles = stacks(2 * left, start, BODY, ["1m"] * (2 * left))
        add(layout, tiles, layout.open_group("wall", side), side, CAREFUL, rng)


def table_plan(hand: DemoHand, number: int, *, finished: bool) -> Plan:
    """The table of one hand, during play or when the winner has laid down.

    Args:
        hand: the hand.
        number: its place in the game, decides the discards.
        finished: whether the winner's tiles lie open.
    """
    rng = np.random.default_rng((SEED, number))
    layout, bag = Layout(), remaining_bag(hand, rng)
    discards = [[t for t in (bag.pop() for _ in range(26)) if t[1] != "f"][:18] for _ in range(4)]
    full = [int(rng.integers(8, 17)) for _ in range(4)]
    shown = [n if finished else max(n - int(rng.integers(4, 7)), 1) for n in full]
    for seat in range(4):
        tiles = pond(discards[seat][: shown[seat]], FIRST_ROW_Y, BODY)
        add(layout, tiles, layout.open_group("pond", seat), seat, NEAT, rng)
    held = 14 + sum(len(m.tiles) == 5 for m in hand.melds) + len(tiles_of(hand.flowers))
    lay_walls(layout, 144 - sum(shown) - 39 - held, hand.dealer, rng)
    for seat in range(4):
        if seat != hand.winner:
            lay_player(layout, seat, 13, "down" if finished else "stand", rng)
    if finished:
        lay_winner(layout, hand, rng)
    else:
        lay_player(layout, hand.winner, 13, "stand", rng)
    return Plan("demo", layout, TABLE, VIEW)


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
    hand = Layout()
    add(hand, row(tiles_of("123456789m11p55z"), (-172, 0), BODY), hand.open_group("hand", 0, "revealed"), 0, NEAT, rng)
    plans["hand_row"] = (_desk(hand, View((0, 0), 430, 12, 0, 1.0)), (900, 500))
    melds = Layout()
    add(melds, row(tiles_of("223344s6p"), (-236, 0), BODY), melds.open_group("hand", 0, "revealed"), 0, NEAT, rng)
    add(melds, row(["6p"], (-22, 0), BODY), melds.open_group("winning_tile", 0), 0, NEAT, rng)
    for kind, text, x in (("peng", "777z", 45), ("kong_concealed", "9999m", 145)):
        placed = meld(kind, tiles_of(text), (x, 0), BODY, "two_backs")
        add(melds, placed, melds.open_group("meld", 0, kind), 0, NEAT, rng)
    plans["hand_and_melds"] = (_desk(melds, View((10, 0), 520, 8, 0, -1.0)), (1000, 500))
    discards = Layout()
    tiles = pond(tiles_of("1z9m2p5s7z3m8p4s6z1f2m7s9p5m3s"), 0, BODY)
    add(discards, tiles, discards.open_group("pond", 0), 0, NEAT, rng)
    plans["pond_three_rows"] = (_desk(discards, View((0, -36), 300, 15, 10, 0)), (720, 540))
    turned = Layout()
    add(
        turned,
        row(tiles_of("55566m345p678s11z"), (-172, 0), BODY),
        turned.open_group("hand", 0, "revealed"),
        0,
        NEAT,
        rng,
    )
    add(turned, row(["1z"], (203, 0), BODY), turned.open_group("winning_tile", 0), 0, NEAT, rng)
    plans["hand_rotated"] = (_desk(turned, View((20, 0), 500, 10, 0, 33)), (900, 720))
    slanted = Layout()
    add(
        slanted,
        row(tiles_of("19m19p19s1234567z"), (-172, 0), BODY),
        slanted.open_group("hand", 0, "revealed"),
        0,
        NEAT,
        rng,
    )
    plans["hand_slanted"] = (_desk(slanted, View((0, 10), 430, 38, -12, 0)), (900, 540))
    return plans


def _desk(layout: Layout, view: View) -> Plan:
    felt = Table(half=400, felt_bgr=(66, 120, 38))
    return Plan("test", layout, felt, view)


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

"""Is a whole table sorted rightly: `python -m tests.bench_tables [TABLES]`, 30 rendered tables unless told otherwise.

Ponds in discard order, melds, flowers and revealed hands of four seats, in tile styles that training never uses: first
with the true boxes and faces (the geometry alone), then as the shipped eyes read the picture. Of what is not exactly
right it tells how much nobody would ask about: no tile there is in doubt, and no zone is said to be patchy. Beside that
the stacks of each seat's wall.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace

import numpy as np

from models.train.camera import View
from models.train.face_sheets import load_studio
from models.train.photo_effects import Effects
from models.train.recipes import Plan, full_table
from models.train.studio import Look, Scene, random_light, render
from table.follow.sighting import Glimpse, Sighting, Zone
from table.sightings import sighting_of
from tests.rendered_table import SETS
from vision.boxes import iou
from vision.calibration import Calibration, calibrate
from vision.reader import TileReader
from vision.types import Group, PictureReading, TileReading
from vision.zones import ZonePlan

STYLES = ("kaisei", "fangsong", "xiaowei")
SIZES = ((1600, 1200), (1920, 1080), (2560, 1440))
PARTS = ("pond", "meld", "flowers", "revealed hand")
ZONES: dict[str, tuple[Zone, ...]] = {
    "pond": ("pond",), "meld": ("melds",), "flowers": ("flowers", "hand"), "revealed hand": ("hand",)
}  # fmt: skip
"""Where a part lies; an unreadable flower may be taken for a tile of the hand."""
Things = dict[str, list[tuple[int, tuple[str, ...]]]]
"""Per part what lies on the table, as (seat, faces); ponds in order, all else in any order."""


@dataclass
class Score:
    """How many things were exactly right, of how many; `silent` were not, and nothing says so; `notes` tells which."""

    right: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    all: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    extra: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    silent: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    whole: int = 0
    tables: int = 0
    notes: list[str] = field(default_factory=list)

    def take(self, name: str, truth: Things, seen: Things, doubted: Set[tuple[int, str]] = frozenset()) -> None:
        """One table; `doubted` are the seats' parts of which it is known that they may be wrong."""
        fine = True
        self.tables += 1
        for part in PARTS:
            left = list(seen[part])
            for thing in truth[part]:
                self.all[part] += 1
                if thing in left:
                    left.remove(thing)
                    self.right[part] += 1
                else:
                    fine = False
                    self.silent[part] += (thing[0], part) not in doubted
                    self.notes.append(f"{name} {part} {thing} seen {[one for one in seen[part] if one[0] == thing[0]]}")
            self.extra[part] += len(left)
            fine &= not left
        self.whole += fine


def whole_table(number: int, seed: int = 5) -> Scene:
    """A whole table in play under a camera that sees all of it, in a style that training never uses."""
    rng = np.random.default_rng((seed, number))
    studio = load_studio(SETS / f"{STYLES[number % len(STYLES)]}.webp")
    size = SIZES[number // len(STYLES) % len(SIZES)]
    plan = full_table(studio.body, rng)
    plan = replace(plan, view=_above(plan, size, rng), layout=plan.layout)
    effects = Effects(defocus_px=0.4, noise=1.8, vignette=0.12, quality=85, sharpen=0.3)
    return render(plan, studio, size, Look(random_light(rng), effects, messy=False), rng)


def _above(plan: Plan, size: tuple[int, int], rng: np.random.Generator) -> View:
    span = 2.2 * plan.table.half * size[0] / size[1]
    turn = 90 * float(rng.integers(4)) + float(rng.normal(0, 2.5))
    return View(
        (0.0, 0.0), span, float(rng.uniform(0, 12)), turn, float(rng.normal(0, 1.5)), float(rng.uniform(40, 65))
    )


def calibrated(scene: Scene) -> Calibration:
    """The camera from the true corners of the felt."""
    half = scene.plan.table.half
    corners = np.array([(-half, half, 0), (half, half, 0), (half, -half, 0), (-half, -half, 0)], float)
    size = (scene.image.shape[1], scene.image.shape[0])
    return calibrate(scene.camera.project(corners), (2 * half, 2 * half), picture_px=size)


def true_reading(scene: Scene) -> PictureReading:
    """What eyes without fault would read."""
    tiles = tuple(TileReading(one.tile, 1.0, "sure", (), one.box) for one in scene.tiles)
    groups = tuple(Group("row", (index,)) for index in range(len(tiles)))
    return PictureReading(scene.image.shape[1], scene.image.shape[0], tiles, groups)


def truth_of(scene: Scene) -> Things:
    """What truly lies open before the four seats."""
    things: Things = {part: [] for part in PARTS}
    groups = scene.plan.layout.groups
    members: dict[int, list[tuple[int, str]]] = {}
    for tile in scene.tiles:
        members.setdefault(tile.group, []).append((tile.order, tile.tile))
    strips: dict[int, list[str]] = {}
    for index, found in sorted(members.items()):
        group, faces = groups[index], [face for _, face in sorted(found)]
        if group.kind == "pond":
            things["pond"].append((group.seat, tuple(faces)))
        elif group.kind == "meld":
            things["meld"].append((group.seat, tuple(sorted(faces))))
        elif group.kind in ("flowers", "winning_tile") or (group.kind, group.note) == ("hand", "revealed"):
            strips.setdefault(group.seat, []).extend(faces)
    for seat, faces in strips.items():
        for part, own in (
            ("flowers", [face for face in faces if face[1] == "f"]),
            ("revealed hand", [face for face in faces if face[1] != "f"]),
        ):
            if own:
                things[part].append((seat, tuple(sorted(own))))
    return things


def true_stacks(scene: Scene) -> list[int]:
    """How many stacks of wall, two tiles each, stand before each seat."""
    groups = [scene.plan.layout.groups[tile.group] for tile in scene.plan.layout.tiles]
    return [sum(group.kind == "wall" and group.seat == seat for group in groups) // 2 for seat in range(4)]


def seen_in(sighting: Sighting) -> Things:
    """The same of a sighting."""

    def faces(tiles: Sequence[Glimpse]) -> tuple[str, ...]:
        return tuple(tile.candidates[0][0] for tile in tiles)

    things: Things = {part: [] for part in PARTS}
    for seat, seen in enumerate(sighting.seats):
        if seen.pond:
            things["pond"].append((seat, faces(seen.pond)))
        things["meld"] += [(seat, tuple(sorted(faces(meld)))) for meld in seen.melds]
        if seen.flowers:
            things["flowers"].append((seat, tuple(sorted(faces(seen.flowers)))))
        if seen.hand:
            things["revealed hand"].append((seat, tuple(sorted(faces(seen.hand)))))
    return things


def doubted_in(sighting: Sighting) -> set[tuple[int, str]]:
    """The parts of each seat that somebody would be asked about: a tile in doubt, or a zone that is not whole."""
    doubted: set[tuple[int, str]] = set()
    for seat, seen in enumerate(sighting.seats):
        melds = [tile for meld in seen.melds for tile in meld]
        tiles = {"pond": seen.pond, "melds": melds, "flowers": seen.flowers, "hand": seen.hand}
        unsure = {zone for zone, found in tiles.items() if not all(tile.sure for tile in found)}
        unsure |= {zone for where, zone in sighting.hidden if where == seat}
        doubted |= {(seat, part) for part, zones in ZONES.items() if unsure & set(zones)}
    return doubted


def judge(tables: int, reader: TileReader | None = None) -> Iterator[tuple[Scene, PictureReading, Sighting]]:
    """Rendered tables, how they are read, and what is seen."""
    for number in range(tables):
        scene = whole_table(number)
        felt = calibrated(scene)
        reading = true_reading(scene) if reader is None else reader.over(felt).read(scene.image)
        yield scene, reading, sighting_of(reading, felt, ZonePlan(), 0.0)


def faces_right(scene: Scene, reading: PictureReading) -> tuple[int, int, int]:
    """Open tiles of the picture, those found, and those found and named rightly."""
    boxes = np.array([tile.box_px for tile in reading.tiles], np.float32).reshape(-1, 4)
    found = right = 0
    faces = [tile for tile in scene.tiles if tile.tile != "x"]
    for tile in faces:
        overlap = iou(np.array([tile.box], np.float32), boxes)[0] if len(boxes) else np.zeros(1)
        if overlap.max(initial=0) >= 0.5:
            found += 1
            right += reading.tiles[int(overlap.argmax())].tile == tile.tile
    return len(faces), found, right


def main(tables: int) -> int:
    """Print the table; exit code 1 when the geometry alone is wrong anywhere."""
    reader = TileReader.from_models(threads=1)
    print("exactly right of how many, + what is not there, ! what is wrong although nothing is in doubt")
    print(f"{tables} tables{'':<20}" + "".join(f"{part:>16}" for part in PARTS) + f"{'whole table':>16}")
    worst = 0
    for name, eyes in (("true boxes and faces", None), ("the shipped eyes", reader)):
        score, open_tiles, found, right = Score(), 0, 0, 0
        walls: list[tuple[bool, bool]] = []
        for scene, reading, sighting in judge(tables, eyes):
            score.take(f"{score.tables}", truth_of(scene), seen_in(sighting), doubted_in(sighting))
            counts = faces_right(scene, reading)
            pairs = zip(sighting.seats, true_stacks(scene), strict=True)
            walls += [(seat.stacks == stacks, seat.stacks_sure) for seat, stacks in pairs]
            open_tiles, found, right = open_tiles + counts[0], found + counts[1], right + counts[2]
        cells = [
            f"{score.right[part]} of {score.all[part]} +{score.extra[part]} !{score.silent[part]}" for part in PARTS
        ]
        print(f"{name:<29}" + "".join(f"{cell:>16}" for cell in cells) + f"{score.whole:>16}", flush=True)
        print(
            f"{'':<29}open tiles found {found / open_tiles:.1%}, named rightly {right / open_tiles:.1%} of {open_tiles}"
        )
        wrong = sum(sure and not exact for exact, sure in walls)
        print(
            f"{'':<29}walls counted exactly {sum(exact for exact, _ in walls)} of {len(walls)}; "
            f"called sure {sum(sure for _, sure in walls)}, of them wrong {wrong}"
        )
        if eyes is None:
            worst = score.tables - score.whole
            sys.stderr.write("".join(f"{note}\n" for note in score.notes[:20]))
    return int(bool(worst))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 30))

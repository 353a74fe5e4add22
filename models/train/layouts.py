"""Where tiles lie: whole tables with four seats, single hands, ponds, trays and heaps.

Seat-local frame: the player sits at negative y and looks along +y; ``to_table`` turns
it by 90 degrees for every seat, counter-clockwise. All lengths in millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from models import LABELS
from models.train.boxes import Placed
from models.train.tile_body import Body

FACES = tuple(label for label in LABELS if label != "x")
TILES = tuple(label for label in FACES if label[1] != "f")


@dataclass(frozen=True, slots=True)
class GroupTruth:
    """A group that a person would name.

    Attributes:
        kind: ``pond``, ``hand``, ``meld``, ``wall``, ``flowers``, ``winning_tile``, ``tray`` or ``heap``.
        seat: 0 to 3, -1 for none.
        note: e.g. the kind of a meld or ``revealed``.
    """

    kind: str
    seat: int = -1
    note: str = ""


@dataclass(slots=True)
class Layout:
    """All tiles of a scene and their groups; built up by the functions of this module."""

    tiles: list[Placed] = field(default_factory=list)
    groups: list[GroupTruth] = field(default_factory=list)

    def open_group(self, kind: str, seat: int = -1, note: str = "") -> int:
        """Starts a group and returns its index."""
        self.groups.append(GroupTruth(kind, seat, note))
        return len(self.groups) - 1


def full_set(rng: np.random.Generator, *, flowers: bool = True) -> list[str]:
    """All tiles of a set in random order."""
    bag = [label for label in TILES for _ in range(4)] + ([f"{k}f" for k in range(1, 9)] if flowers else [])
    return [bag[i] for i in rng.permutation(len(bag))]


def to_table(tile: Placed, seat: int) -> Placed:
    """A tile given in a seat's frame, in the table's frame."""
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[seat]
    x, y, z = tile.at
    return replace(tile, at=(c * x - s * y, s * x + c * y, z), yaw_deg=tile.yaw_deg + 90 * seat)


@dataclass(frozen=True, slots=True)
class Hand:
    """How untidy a person is: deviations in millimetres and degrees."""

    shift: float
    turn: float

    def nudge(self, tile: Placed, rng: np.random.Generator) -> Placed:
        """The tile slightly out of place."""
        x, y, z = tile.at
        at = (x + float(rng.normal(0, self.shift)), y + float(rng.normal(0, self.shift)), z)
        return replace(tile, at=at, yaw_deg=tile.yaw_deg + float(rng.normal(0, self.turn)))


GAP = 0.4
"""Least gap between neighbouring tiles."""


def row(labels: Sequence[str], start: tuple[float, float], body: Body, pose: str = "up") -> list[Placed]:
    """Tiles side by side from ``start`` (left edge x, centre y) to the right, in a seat's frame."""
    z = body.length / 2 if pose == "stand" else body.depth / 2
    step = body.width + GAP
    return [
        Placed(label, (start[0] + body.width / 2 + k * step, start[1], z), pose=pose) for k, label in enumerate(labels)
    ]


def meld(
    kind: str, labels: Sequence[str], start: tuple[float, float], body: Body, style: str = "upright"
) -> list[Placed]:
    """An exposed set in a seat's frame; the winning side of the table does not matter here.

    Args:
        kind: ``chi``, ``peng``, ``kong_open``, ``kong_added`` or ``kong_concealed``.
        labels: three or four tiles.
        start: left edge x and centre y of the upright tiles.
        body: tile size.
        style: ``upright``, ``sideways`` (one tile turned) or, for concealed kongs, ``two_backs``,
            ``one_face`` (three backs) or ``four_backs``.
    """
    tiles = row(labels[:4] if kind != "kong_added" else labels[:3], start, body)
    if kind == "kong_concealed":
        down = {"two_backs": (0, 3), "one_face": (0, 1, 3), "four_backs": (0, 1, 2, 3)}.get(style, (0, 3))
        return [replace(t, pose="down") if k in down else t for k, t in enumerate(tiles)]
    if kind == "kong_added":
        x, y, z = tiles[1].at
        above = replace(tiles[1], at=(x, y, z + body.depth), label=labels[3])
        if style != "sideways":
            return [*tiles, above]
        turned = _turn_one(tiles, 1, body)
        x, y, z = turned[1].at
        return [*turned, replace(turned[1], at=(x, y + body.width + GAP, z), label=labels[3])]
    if style == "sideways":
        return _turn_one(tiles, {"chi": 0}.get(kind, 2), body)
    return tiles


def _turn_one(tiles: list[Placed], which: int, body: Body) -> list[Placed]:
    """One tile of a row turned by 90 degrees, its neighbours moved along."""
    extra = body.length - body.width
    out = []
    for k, tile in enumerate(tiles):
        x, y, z = tile.at
        if k == which:
            low = y - extra / 2
            out.append(replace(tile, at=(x + extra / 2, low, z), yaw_deg=tile.yaw_deg + 90))
        else:
            out.append(replace(tile, at=(x + (extra if k > which else 0), y, z)))
    return out


def width_of(tiles: Sequence[Placed], body: Body) -> float:
    """Length of table edge that a row takes."""
    right = max(t.at[0] + (body.length if t.yaw_deg % 180 == 90 else body.width) / 2 for t in tiles)
    left = min(t.at[0] - (body.length if t.yaw_deg % 180 == 90 else body.width) / 2 for t in tiles)
    return right - left


@dataclass(slots=True)
class Builder:
    """Lays a table: the layout so far, the tiles' size and the only source of chance."""

    body: Body
    rng: np.random.Generator
    layout: Layout = field(default_factory=Layout)

    def lay(
        self, kind: str, tiles: Sequence[Placed], *, seat: int = -1, note: str = "", hand: Hand | None = None
    ) -> None:
        """Puts tiles of a seat's frame on the table as one new group, in order.

        Args:
            kind: kind of the group, see ``GroupTruth``.
            tiles: in the seat's own frame; groups of nobody lie as seat 0 sees them.
            seat: 0 to 3, -1 for nobody's.
            note: e.g. the kind of a meld.
            hand: how untidily; random where not given.
        """
        group = self.layout.open_group(kind, seat, note)
        careful = hand or random_hand(self.rng)
        for order, tile in enumerate(tiles):
            placed = to_table(careful.nudge(tile, self.rng), max(seat, 0))
            self.layout.tiles.append(replace(placed, group=group, order=order))


def random_hand(rng: np.random.Generator) -> Hand:
    """A tidy or an untidy person."""
    if rng.random() < 0.4:
        return Hand(0.15, 0.2)
    return Hand(float(rng.uniform(0.2, 0.9)), float(rng.uniform(0.3, 2.5)))


def pond(labels: Sequence[str], first_row_y: float, body: Body, per_row: int = 6) -> list[Placed]:
    """Discards in rows of six, the first row nearest to the table's centre, in a seat's frame."""
    tiles = []
    for k, label in enumerate(labels):
        r, c = divmod(k, per_row)
        tiles += row(
            [label], (-per_row * body.width / 2 + c * (body.width + GAP), first_row_y - r * (body.length + 1)), body
        )
    return tiles


def stacks(count: int, start: tuple[float, float], body: Body, labels: Sequence[str]) -> list[Placed]:
    """A wall: ``count`` tiles, two high and face down, from the left, in a seat's frame."""
    tiles = []
    for k in range(count):
        column, level = divmod(k, 2)
        x = start[0] + body.width / 2 + column * (body.width + GAP)
        tiles.append(Placed(labels[k], (x, start[1], body.depth * (0.5 + level)), pose="down"))
    return tiles


def random_meld(rng: np.random.Generator) -> tuple[str, list[str]]:
    """A legal exposed set: its kind and its tiles in a natural order."""
    kind = str(
        rng.choice(["chi", "chi", "peng", "peng", "kong_open", "kong_added", "kong_concealed", "kong_concealed"])
    )
    if kind == "chi":
        suit, low = str(rng.choice(list("mps"))), int(rng.integers(1, 8))
        labels = [f"{low + k}{suit}" for k in range(3)]
        return kind, [labels[i] for i in rng.permutation(3)] if rng.random() < 0.5 else labels
    label = TILES[int(rng.integers(len(TILES)))]
    return kind, [label] * (3 if kind == "peng" else 4)


def random_labels(rng: np.random.Generator, count: int) -> list[str]:
    """Tiles for a place where the rules of the game do not matter; flowers and whites come up a little more often."""
    weights = np.array([1.5 if label[1] == "f" else 1.5 if label in ("5z", "1s", "8s") else 1.0 for label in FACES])
    return [FACES[i] for i in rng.choice(len(FACES), count, p=weights / weights.sum())]


def loose_heap(
    rng: np.random.Generator, body: Body, count: int, centre: tuple[float, float], radius: float
) -> list[Placed]:
    """Tiles thrown on the table without touching each other, some face down or on their side."""
    tiles: list[Placed] = []
    apart = math.hypot(body.width, body.length) * float(rng.uniform(0.8, 1.0))
    for label in random_labels(rng, count):
        for _ in range(12):
            angle, r = rng.uniform(0, 2 * math.pi), radius * math.sqrt(rng.random())
            x, y = centre[0] + r * math.cos(angle), centre[1] + r * math.sin(angle)
            if all(math.hypot(x - t.at[0], y - t.at[1]) > apart for t in tiles):
                pose = str(rng.choice(["up", "up", "up", "up", "up", "down", "stand", "side"]))
                z = {"stand": body.length, "side": body.width}.get(pose, body.depth) / 2
                tiles.append(Placed(label, (float(x), float(y), z), float(rng.uniform(0, 360)), pose))
                break
    if rng.random() < 0.4:
        tiles += _upper_layer(tiles, body, rng)
    return tiles


def _upper_layer(tiles: Sequence[Placed], body: Body, rng: np.random.Generator) -> list[Placed]:
    """A few tiles that came to lie on top of others."""
    flat = [t for t in tiles if t.pose in ("up", "down")]
    upper = []
    for label in random_labels(rng, len(flat) // 5):
        below = flat[int(rng.integers(len(flat)))]
        x, y = (v + float(rng.normal(0, body.width * 0.35)) for v in below.at[:2])
        upper.append(
            Placed(label, (x, y, body.depth * 1.5), float(rng.uniform(0, 360)), "up" if rng.random() < 0.8 else "down")
        )
    return upper

"""Kinds of pictures: what lies where and from where it is photographed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from models.train.boxes import Placed
from models.train.camera import View
from models.train.layouts import (
    GAP,
    Builder,
    Hand,
    Layout,
    full_set,
    loose_heap,
    meld,
    pond,
    random_hand,
    random_labels,
    random_meld,
    row,
    stacks,
    width_of,
)
from models.train.surface import Table, random_table
from models.train.tile_body import Body

Tray = tuple[float, float, float, float, float]
"""Centre x, y, half width, half length in millimetres, angle in degrees."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A picture before it is painted.

    Attributes:
        kind: name of the recipe.
        layout: tiles and groups.
        table: what they lie on.
        view: the camera.
        trays: trays, racks and rulers.
    """

    kind: str
    layout: Layout
    table: Table
    view: View
    trays: tuple[Tray, ...] = ()


def _view(rng: np.random.Generator, target: tuple[float, float], span: float, max_tilt: float = 45.0) -> View:
    """A camera held somewhere around a target, often nearly straight down."""
    tilt = float(abs(rng.normal(0, max_tilt / 2.2)))
    stretch = float(rng.uniform(0.8, 1.28)) if rng.random() < 0.25 else 1.0
    return View(
        target_mm=target,
        span_mm=span,
        tilt_deg=min(tilt, max_tilt),
        azimuth_deg=float(rng.uniform(0, 360)),
        roll_deg=float(rng.normal(0, 6)),
        fov_deg=float(rng.uniform(38, 72)),
        stretch=stretch,
    )


def _bare_table(rng: np.random.Generator, desks: float) -> Table:
    """A desk (in that share of the cases) or a felt without anything in its middle."""
    return replace(random_table(rng, desk=bool(rng.random() < desks)), machine=0.0)


def _melds(on: Builder, count: int, edge: tuple[float, float], seat: int) -> float:
    """Lays ``count`` melds leftwards from ``edge`` (right end x, centre y); returns the new right end."""
    rng, (right, y) = on.rng, edge
    sideways, hand = rng.random() < 0.4, random_hand(rng)
    for _ in range(count):
        kind, labels = random_meld(rng)
        style = "sideways" if sideways else "upright"
        if kind == "kong_concealed":
            style = str(rng.choice(["two_backs", "two_backs", "one_face", "four_backs"]))
        width = width_of(meld(kind, labels, (0, y), on.body, style), on.body)
        on.lay("meld", meld(kind, labels, (right - width, y), on.body, style), seat=seat, note=kind, hand=hand)
        right -= width + float(rng.uniform(3, 14))
    return right


def _revealed_hand(on: Builder, seat: int, y: float) -> None:
    """A laid-down hand with the winning tile apart and up to four melds to its right."""
    rng, body = on.rng, on.body
    melds = int(rng.choice([0, 0, 1, 2, 3, 4], p=[0.3, 0.1, 0.2, 0.2, 0.12, 0.08]))
    right = _melds(on, melds, (8.5 * body.width, y), seat)
    count = 13 - 3 * melds
    labels = sorted(random_labels(rng, count + 1), key=lambda t: (t[1], t[0]))
    if rng.random() < 0.5:
        labels = [labels[i] for i in rng.permutation(len(labels))]
    gap, where = float(rng.uniform(8, 30)), float(rng.random())
    start = right - (count + 1) * (body.width + GAP) - gap - 10
    on.lay("hand", row(labels[:count], (start, y), body), seat=seat, note="revealed")
    end = start + count * (body.width + GAP)
    if where < 0.15:
        place = (start + float(rng.uniform(0, 200)), y + body.length + 6)
    else:
        place = (end + gap if where < 0.75 else end, y)
    on.lay("winning_tile", row(labels[count:], place, body), seat=seat)


def _ruler(body: Body, hand_y: float, seat: int, rng: np.random.Generator) -> Tray:
    """The bar in front of a hand with which players push their tiles."""
    x, y = 0.0, hand_y - 0.5 * body.length - float(rng.uniform(10, 22))
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[seat]
    return c * x - s * y, s * x + c * y, float(rng.uniform(150, 250)), float(rng.uniform(4, 9)), 90.0 * seat


def _covered_hand(on: Builder, seat: int, y: float) -> None:
    """A hand in play: tiles that nobody may see, melds to their right, perhaps flowers before them."""
    rng, body = on.rng, on.body
    melds = int(rng.choice([0, 0, 1, 2, 3]))
    right = _melds(on, melds, (9.5 * body.width, y - 0.2 * body.length), seat)
    count, pose = 13 - 3 * melds, str(rng.choice(["stand", "stand", "stand", "down"]))
    tiles = row(random_labels(rng, count), (right - (count + 1) * body.width - 12, y), body, pose)
    on.lay("hand", tiles, seat=seat, note=pose, hand=Hand(0.3, 0.4))
    if rng.random() < 0.4:
        flowers = [f"{k}f" for k in rng.choice(np.arange(1, 9), int(rng.integers(1, 4)), replace=False)]
        on.lay("flowers", row(flowers, (-9.5 * body.width - 10, y + body.length + 4), body), seat=seat)


def full_table(body: Body, rng: np.random.Generator) -> Plan:
    """A whole table in play, seen from above: walls, ponds, melds, standing or revealed hands."""
    on, bag = Builder(body, rng), full_set(rng)
    stage, reveal = float(rng.uniform(0.1, 1.0)), int(rng.integers(-2, 4))
    first = max(95.0, 3.4 * body.width)
    wall_y = -(first + 3.6 * body.length + float(rng.uniform(4, 25)))
    hand_y = wall_y - 1.9 * body.length - float(rng.uniform(0, 20))
    wall_start = int(rng.integers(4))
    for seat in range(4):
        discards = int(np.clip(rng.normal(4 + 16 * stage, 2.5), 0, 24))
        labels = [bag.pop() for _ in range(min(discards, len(bag) - 20))]
        on.lay("pond", pond(labels, -first - body.length / 2, body), seat=seat)
        wall = int(36 * np.clip((1 - stage) * 2.2 - ((seat - wall_start) % 4) / 4, 0, 1)) // 2 * 2
        if wall and rng.random() < 0.85:
            start = (-9 * body.width + float(rng.uniform(0, 30)), wall_y)
            on.lay("wall", stacks(wall, start, body, random_labels(rng, wall)), seat=seat, hand=Hand(0.2, 0.2))
        if seat == reveal:
            _revealed_hand(on, seat, hand_y)
        else:
            _covered_hand(on, seat, hand_y)
    half = -hand_y + 1.6 * body.length
    x, y = (float(v) for v in rng.normal(0, half * 0.25, 2))
    view = _view(rng, (x, y), 2 * half * float(rng.uniform(0.65, 1.25)))
    rulers = tuple(_ruler(body, hand_y, seat, rng) for seat in range(4)) if rng.random() < 0.25 else ()
    return Plan("full_table", on.layout, random_table(rng, half=half), view, rulers)


def overhead(body: Body, rng: np.random.Generator) -> Plan:
    """A whole table as the camera above it sees it: nearly straight down, all of the felt in the picture."""
    plan = full_table(body, rng)
    view = View(
        target_mm=(float(rng.normal(0, 25)), float(rng.normal(0, 25))),
        span_mm=plan.table.half * float(rng.uniform(2.2, 4.0)),
        tilt_deg=float(abs(rng.normal(0, 10))),
        azimuth_deg=90.0 * float(rng.integers(4)) + float(rng.normal(0, 3)),
        roll_deg=float(rng.normal(0, 2)),
        fov_deg=float(rng.uniform(40, 72)),
    )
    return replace(plan, kind="overhead", view=view)


def _behind_hand(on: Builder, y: float) -> None:
    """Loose tiles and a piece of wall beyond a hand."""
    rng, body = on.rng, on.body
    if rng.random() < 0.45:
        middle = (float(rng.uniform(-200, 200)), -60.0)
        loose = loose_heap(rng, body, int(rng.integers(5, 40)), middle, 220)
        on.lay("heap", [t for t in loose if t.at[1] > y + body.length * 1.7], hand=Hand(0, 0))
    if rng.random() < 0.3:
        count = int(rng.integers(4, 30)) // 2 * 2
        tiles = stacks(count, (-200.0, y + 2.6 * body.length), body, random_labels(rng, count))
        on.lay("wall", tiles, seat=0, hand=Hand(0.3, 0.3))


def hand_at_edge(body: Body, rng: np.random.Generator) -> Plan:
    """One laid-down hand near the table's edge, sometimes a second row, a heap or a wall behind it."""
    on, y = Builder(body, rng), -350.0
    if rng.random() < 0.55:
        _revealed_hand(on, 0, y)
    else:
        count = int(rng.integers(4, 18))
        start = -count * body.width / 2 + float(rng.normal(0, 30))
        on.lay("hand", row(random_labels(rng, count), (start, y), body), seat=0, note="revealed")
        if rng.random() < 0.25:
            second = random_labels(rng, int(rng.integers(2, 12)))
            on.lay("hand", row(second, (start + 20, y + body.length + 1), body), seat=0, note="second_row")
    _behind_hand(on, y)
    xs = [t.at[0] for t in on.layout.tiles if t.at[1] < y + body.length]
    width, middle = max(xs) - min(xs) + 2 * body.width, (max(xs) + min(xs)) / 2
    table = random_table(rng, half=float(rng.uniform(375, 440)))
    span = max(width * float(rng.uniform(0.75, 1.7)), 200)
    view = _view(rng, (middle + float(rng.normal(0, 20)), y + float(rng.uniform(-0.2, 0.35)) * span), span, 40)
    rulers = (_ruler(body, y, 0, rng),) if rng.random() < 0.2 else ()
    return Plan("hand", on.layout, table, _facing(view, rng), rulers)


def _facing(view: View, rng: np.random.Generator) -> View:
    """Mostly from the player's own side, else from anywhere."""
    if rng.random() < 0.3:
        return view
    return replace(view, azimuth_deg=float(rng.normal(0, 14)))


def players_chair(body: Body, rng: np.random.Generator) -> Plan:
    """Standing tiles of one's own hand, seen from the chair; walls and other hands behind."""
    on = Builder(body, rng)
    count, lean = int(rng.integers(5, 15)), float(rng.uniform(0, 25))
    tiles = row(random_labels(rng, count), (-count * body.width / 2, -300.0), body, "stand")
    on.lay("hand", [replace(t, lean_deg=lean) for t in tiles], seat=0, note="stand", hand=Hand(0.3, 0.5))
    if rng.random() < 0.5:
        _melds(on, 1, (count * body.width / 2 + 4 * body.width + 20, -310.0), 0)
    for seat in range(1, 4):
        if rng.random() < 0.7:
            tiles = row(random_labels(rng, 13), (-6.5 * body.width, -300.0), body, "stand")
            on.lay("hand", tiles, seat=seat, note="stand", hand=Hand(0.4, 0.6))
        wall = 2 * int(rng.integers(0, 18))
        tiles = stacks(wall, (-8 * body.width, -225.0), body, random_labels(rng, wall))
        on.lay("wall", tiles, seat=seat, hand=Hand(0.3, 0.3))
    for seat in range(4):
        on.lay("pond", pond(random_labels(rng, int(rng.integers(0, 16))), -105.0, body), seat=seat)
    span = count * body.width * float(rng.uniform(1.0, 1.6))
    view = View(
        target_mm=(float(rng.normal(0, 15)), -300.0 + 0.15 * span),
        span_mm=span,
        tilt_deg=float(rng.uniform(38, 68)),
        azimuth_deg=float(rng.normal(0, 12)),
        roll_deg=float(rng.normal(0, 3)),
        fov_deg=float(rng.uniform(45, 70)),
    )
    return Plan("chair", on.layout, random_table(rng, half=400), view)


def ponds(body: Body, rng: np.random.Generator) -> Plan:
    """Discards of one to four players, close up."""
    on = Builder(body, rng)
    for seat in range(4):
        if seat == 0 or rng.random() < 0.6:
            on.lay("pond", pond(random_labels(rng, int(rng.integers(5, 24))), -100.0, body), seat=seat)
    target = (float(rng.normal(0, 30)), -100.0 - body.length * float(rng.uniform(-1, 2)))
    view = _view(rng, target, body.width * float(rng.uniform(7, 16)))
    return Plan("pond", on.layout, random_table(rng, half=400), _facing(view, rng))


def tray(body: Body, rng: np.random.Generator) -> Plan:
    """Tiles in a tray or laid out as a grid on a desk or felt."""
    on = Builder(body, rng)
    columns, rows = int(rng.integers(2, 12)), int(rng.integers(2, 6))
    tight, turned = float(rng.choice([0.2, 0.8, 2.5])), rng.random() < 0.3
    any_side_up = turned and rng.random() < 0.5
    turns = (0, 90, 180, 270) if any_side_up else (0, 180) if turned else (0,)
    pitch = ((body.length if any_side_up else body.width) + tight, body.length + tight)
    tiles = []
    for k, label in enumerate(random_labels(rng, columns * rows)):
        if rng.random() < 0.04:
            continue
        r, c = divmod(k, columns)
        at = ((c - (columns - 1) / 2) * pitch[0], ((rows - 1) / 2 - r) * pitch[1], body.depth / 2)
        tiles.append(Placed(label, at, float(rng.choice(turns)), "down" if rng.random() < 0.03 else "up"))
    on.lay("tray", tiles)
    width, trays = columns * pitch[0], ()
    if rng.random() < 0.6:
        extra = float(rng.uniform(0, 1.5)) * body.width
        trays = ((extra / 2, 0.0, width / 2 + extra + 6, rows * pitch[1] / 2 + 6, 0.0),)
    span = max(width * float(rng.uniform(1.0, 2.0)), 130)
    view = _view(rng, (float(rng.normal(0, 15)), float(rng.normal(0, 15))), span, 35)
    return Plan("tray", on.layout, _bare_table(rng, 0.65), _facing(view, rng), trays)


def heap(body: Body, rng: np.random.Generator) -> Plan:
    """Loose tiles at every angle."""
    on, radius = Builder(body, rng), float(rng.uniform(60, 280))
    on.lay("heap", loose_heap(rng, body, int(rng.integers(6, 70)), (0.0, 0.0), radius), hand=Hand(0, 0))
    target = (float(rng.normal(0, 20)), float(rng.normal(0, 20)))
    return Plan("heap", on.layout, _bare_table(rng, 0.3), _view(rng, target, radius * float(rng.uniform(1.2, 2.3))))


def walls(body: Body, rng: np.random.Generator) -> Plan:
    """Walls and covered hands close up and at a slant; beside them little or nothing, as after the shuffle."""
    on = Builder(body, rng)
    for seat in range(4):
        if seat and rng.random() < 0.25:
            continue
        count = 2 * int(rng.integers(4, 19))
        start = (-count / 4 * body.width + float(rng.normal(0, 20)), -200.0)
        on.lay("wall", stacks(count, start, body, random_labels(rng, count)), seat=seat, hand=Hand(0.3, 0.4))
        if rng.random() < 0.4:
            down = row(random_labels(rng, 13), (-6.5 * body.width, -200.0 - 2.2 * body.length), body, "down")
            on.lay("hand", down, seat=seat, note="down")
        if rng.random() < 0.3:
            on.lay("pond", pond(random_labels(rng, int(rng.integers(1, 13))), -105.0, body), seat=seat)
    span = float(np.exp(rng.uniform(np.log(9), np.log(24)))) * body.width
    target = (float(rng.normal(0, 60)), -200.0 + float(rng.normal(0, 25)))
    view = replace(_view(rng, target, span), tilt_deg=float(rng.uniform(5, 48)))
    return Plan("walls", on.layout, random_table(rng, half=float(rng.uniform(330, 430))), view)


RECIPES: tuple[tuple[str, float, Callable[[Body, np.random.Generator], Plan]], ...] = (
    ("full_table", 0.28, full_table),
    ("hand", 0.24, hand_at_edge),
    ("tray", 0.16, tray),
    ("heap", 0.12, heap),
    ("pond", 0.1, ponds),
    ("chair", 0.1, players_chair),
    ("walls", 0.0, walls),
    ("overhead", 0.0, overhead),
)
"""Name, share and function of every kind of picture; those without a share are made on request."""


def random_plan(body: Body, rng: np.random.Generator, kind: str = "") -> Plan:
    """A picture of the given kind, or of a random one.

    Raises:
        ValueError: there is no such kind.
    """
    if kind:
        chosen = [recipe for name, _, recipe in RECIPES if name == kind]
        if not chosen:
            raise ValueError(f"no scenes of kind {kind!r}; there are {', '.join(name for name, _, _ in RECIPES)}")
        return chosen[0](body, rng)
    shares = np.array([share for _, share, _ in RECIPES])
    index = int(rng.choice(len(RECIPES), p=shares / shares.sum()))
    return RECIPES[index][2](body, rng)

"""Kinds of pictures: what lies where and from where it is photographed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from models.train.boxes import Placed
from models.train.camera import View
from models.train.layouts import (
    Hand,
    Layout,
    add,
    full_set,
    loose_heap,
    meld,
    pond,
    random_labels,
    random_meld,
    row,
    stacks,
    width_of,
)
from models.train.surface import Table, random_table
from models.train.tile_body import Body


@dataclass(frozen=True, slots=True)
class Plan:
    """A picture before it is painted.

    Attributes:
        kind: name of the recipe.
        layout: tiles and groups.
        table: what they lie on.
        view: the camera.
        trays: dark trays or racks: centre x, y, half width, half length, angle in degrees.
    """

    kind: str
    layout: Layout
    table: Table
    view: View
    trays: tuple[tuple[float, float, float, float, float], ...] = ()


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


def _hand_of(rng: np.random.Generator) -> Hand:
    if rng.random() < 0.4:
        return Hand(0.15, 0.2)
    return Hand(float(rng.uniform(0.2, 0.9)), float(rng.uniform(0.3, 2.5)))


def _melds(
    layout: Layout, count: int, edge: tuple[float, float], seat: int, body: Body, rng: np.random.Generator
) -> float:
    """Lays ``count`` melds leftwards from ``edge`` (right end x, centre y); returns the new right end."""
    right, y = edge
    sideways = rng.random() < 0.4
    hand = _hand_of(rng)
    for _ in range(count):
        kind, labels = random_meld(rng)
        style = "sideways" if sideways else "upright"
        if kind == "kong_concealed":
            style = str(rng.choice(["two_backs", "two_backs", "one_face", "four_backs"]))
        tiles = meld(kind, labels, (0, y), body, style)
        width = width_of(tiles, body)
        moved = meld(kind, labels, (right - width, y), body, style)
        add(layout, moved, layout.open_group("meld", seat, kind), seat, hand, rng)
        right -= width + float(rng.uniform(3, 14))
    return right


def revealed_hand(layout: Layout, seat: int, y: float, body: Body, rng: np.random.Generator) -> None:
    """A laid-down hand with the winning tile apart and up to four melds to its right."""
    melds = int(rng.choice([0, 0, 1, 2, 3, 4], p=[0.3, 0.1, 0.2, 0.2, 0.12, 0.08]))
    right = _melds(layout, melds, (8.5 * body.width, y), seat, body, rng)
    count = 13 - 3 * melds
    labels = sorted(random_labels(rng, count + 1), key=lambda t: (t[1], t[0]))
    if rng.random() < 0.5:
        labels = [labels[i] for i in rng.permutation(len(labels))]
    gap = float(rng.uniform(8, 30))
    apart = float(rng.random())
    start = right - (count + 1) * (body.width + 0.4) - gap - 10
    add(
        layout,
        row(labels[:count], (start, y), body),
        layout.open_group("hand", seat, "revealed"),
        seat,
        _hand_of(rng),
        rng,
    )
    x = start + count * (body.width + 0.4) + gap
    if apart < 0.15:
        win = row(labels[count:], (start + float(rng.uniform(0, 200)), y + body.length + 6), body)
    elif apart < 0.75:
        win = row(labels[count:], (x, y), body)
    else:
        win = row(labels[count:], (start + count * (body.width + 0.4), y), body)
    add(layout, win, layout.open_group("winning_tile", seat), seat, _hand_of(rng), rng)


def _ruler(body: Body, hand_y: float, seat: int, rng: np.random.Generator) -> tuple[float, float, float, float, float]:
    """The bar in front of a hand with which players push their tiles."""
    x, y = 0.0, hand_y - 0.5 * body.length - float(rng.uniform(10, 22))
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[seat]
    return c * x - s * y, s * x + c * y, float(rng.uniform(150, 250)), float(rng.uniform(4, 9)), 90.0 * seat


def full_table(body: Body, rng: np.random.Generator) -> Plan:
    """A whole table in play, seen from above: walls, ponds, melds, standing or revealed hands."""
    layout = Layout()
    bag = full_set(rng)
    stage, reveal = float(rng.uniform(0.1, 1.0)), int(rng.integers(-2, 4))
    first = max(95.0, 3.4 * body.width)
    wall_y = -(first + 3.6 * body.length + float(rng.uniform(4, 25)))
    hand_y = wall_y - 1.9 * body.length - float(rng.uniform(0, 20))
    half = -hand_y + 1.6 * body.length
    wall_start = int(rng.integers(4))
    for seat in range(4):
        discards = int(np.clip(rng.normal(4 + 16 * stage, 2.5), 0, 24))
        add(
            layout,
            pond([bag.pop() for _ in range(min(discards, len(bag) - 20))], -first - body.length / 2, body),
            layout.open_group("pond", seat),
            seat,
            _hand_of(rng),
            rng,
        )
        left = ((seat - wall_start) % 4) / 4
        wall = int(36 * np.clip((1 - stage) * 2.2 - left, 0, 1)) // 2 * 2
        if wall and rng.random() < 0.85:
            x = -9 * body.width + float(rng.uniform(0, 30))
            add(
                layout,
                stacks(wall, (x, wall_y), body, random_labels(rng, wall)),
                layout.open_group("wall", seat),
                seat,
                Hand(0.2, 0.2),
                rng,
            )
        if seat == reveal:
            revealed_hand(layout, seat, hand_y, body, rng)
            continue
        melds = int(rng.choice([0, 0, 1, 2, 3]))
        right = _melds(layout, melds, (9.5 * body.width, hand_y - 0.2 * body.length), seat, body, rng)
        count = 13 - 3 * melds
        pose = str(rng.choice(["stand", "stand", "stand", "down"]))
        tiles = row(random_labels(rng, count), (right - (count + 1) * body.width - 12, hand_y), body, pose)
        add(layout, tiles, layout.open_group("hand", seat, pose), seat, Hand(0.3, 0.4), rng)
        if rng.random() < 0.4:
            flowers = [f"{k}f" for k in rng.choice(np.arange(1, 9), int(rng.integers(1, 4)), replace=False)]
            add(
                layout,
                row(flowers, (-9.5 * body.width - 10, hand_y + body.length + 4), body),
                layout.open_group("flowers", seat),
                seat,
                _hand_of(rng),
                rng,
            )
    span = 2 * half * float(rng.uniform(0.65, 1.25))
    off = half * 0.25
    view = _view(rng, (float(rng.normal(0, off)), float(rng.normal(0, off))), span)
    rulers = tuple(_ruler(body, hand_y, seat, rng) for seat in range(4)) if rng.random() < 0.25 else ()
    return Plan("full_table", layout, random_table(rng, half=half), view, rulers)


def hand_at_edge(body: Body, rng: np.random.Generator) -> Plan:
    """One laid-down hand near the table's edge, sometimes a second row, a heap or a wall behind it."""
    layout = Layout()
    y = -350.0
    if rng.random() < 0.55:
        revealed_hand(layout, 0, y, body, rng)
    else:
        count = int(rng.integers(4, 18))
        start = -count * body.width / 2 + float(rng.normal(0, 30))
        add(
            layout,
            row(random_labels(rng, count), (start, y), body),
            layout.open_group("hand", 0, "revealed"),
            0,
            _hand_of(rng),
            rng,
        )
        if rng.random() < 0.25:
            more = int(rng.integers(2, 12))
            add(
                layout,
                row(random_labels(rng, more), (start + 20, y + body.length + 1), body),
                layout.open_group("hand", 0, "second_row"),
                0,
                _hand_of(rng),
                rng,
            )
    if rng.random() < 0.45:
        group = layout.open_group("heap")
        for tile in loose_heap(rng, body, int(rng.integers(5, 40)), (float(rng.uniform(-200, 200)), -60.0), 220):
            if tile.at[1] > y + body.length * 1.7:
                add(layout, [tile], group, 0, Hand(0, 0), rng)
    if rng.random() < 0.3:
        count = int(rng.integers(4, 30)) // 2 * 2
        add(
            layout,
            stacks(count, (-200.0, y + 2.6 * body.length), body, random_labels(rng, count)),
            layout.open_group("wall", 0),
            0,
            Hand(0.3, 0.3),
            rng,
        )
    xs = [t.at[0] for t in layout.tiles if t.at[1] < y + body.length]
    width = max(xs) - min(xs) + 2 * body.width
    middle = (max(xs) + min(xs)) / 2
    table = random_table(rng, half=float(rng.uniform(375, 440)))
    span = max(width * float(rng.uniform(0.75, 1.7)), 200)
    view = _view(rng, (middle + float(rng.normal(0, 20)), y + float(rng.uniform(-0.2, 0.35)) * span), span, 40)
    rulers = (_ruler(body, y, 0, rng),) if rng.random() < 0.2 else ()
    return Plan("hand", layout, table, _facing(view, rng), rulers)


def _facing(view: View, rng: np.random.Generator) -> View:
    """Mostly from the player's own side, else from anywhere."""
    if rng.random() < 0.3:
        return view
    return View(
        view.target_mm, view.span_mm, view.tilt_deg, float(rng.normal(0, 14)), view.roll_deg, view.fov_deg, view.stretch
    )


def players_chair(body: Body, rng: np.random.Generator) -> Plan:
    """Standing tiles of one's own hand, seen from the chair; walls and other hands behind."""
    layout = Layout()
    count, lean = int(rng.integers(5, 15)), float(rng.uniform(0, 25))
    tiles = row(random_labels(rng, count), (-count * body.width / 2, -300.0), body, "stand")
    leaning = [Placed(t.label, t.at, t.yaw_deg, "stand", lean_deg=lean) for t in tiles]
    add(layout, leaning, layout.open_group("hand", 0, "stand"), 0, Hand(0.3, 0.5), rng)
    if rng.random() < 0.5:
        _melds(layout, 1, (count * body.width / 2 + 4 * body.width + 20, -310.0), 0, body, rng)
    for seat in range(1, 4):
        if rng.random() < 0.7:
            add(
                layout,
                row(random_labels(rng, 13), (-6.5 * body.width, -300.0), body, "stand"),
                layout.open_group("hand", seat, "stand"),
                seat,
                Hand(0.4, 0.6),
                rng,
            )
        number = int(rng.integers(0, 18))
        add(
            layout,
            stacks(number * 2, (-8 * body.width, -225.0), body, random_labels(rng, 2 * number)),
            layout.open_group("wall", seat),
            seat,
            Hand(0.3, 0.3),
            rng,
        )
    for seat in range(4):
        add(
            layout,
            pond(random_labels(rng, int(rng.integers(0, 16))), -105.0, body),
            layout.open_group("pond", seat),
            seat,
            _hand_of(rng),
            rng,
        )
    span = count * body.width * float(rng.uniform(1.0, 1.6))
    view = View(
        (float(rng.normal(0, 15)), -300.0 + 0.15 * span),
        span,
        float(rng.uniform(38, 68)),
        float(rng.normal(0, 12)),
        float(rng.normal(0, 3)),
        float(rng.uniform(45, 70)),
    )
    return Plan("chair", layout, random_table(rng, half=400), view)


def ponds(body: Body, rng: np.random.Generator) -> Plan:
    """Discards of one to four players, close up."""
    layout = Layout()
    for seat in range(4):
        if seat == 0 or rng.random() < 0.6:
            add(
                layout,
                pond(random_labels(rng, int(rng.integers(5, 24))), -100.0, body),
                layout.open_group("pond", seat),
                seat,
                _hand_of(rng),
                rng,
            )
    target = (float(rng.normal(0, 30)), -100.0 - body.length * float(rng.uniform(-1, 2)))
    view = _view(rng, target, body.width * float(rng.uniform(7, 16)))
    return Plan("pond", layout, random_table(rng, half=400), _facing(view, rng))


def tray(body: Body, rng: np.random.Generator) -> Plan:
    """Tiles in a tray or laid out as a grid on a desk or felt."""
    layout = Layout()
    columns, rows_ = int(rng.integers(2, 12)), int(rng.integers(2, 6))
    group = layout.open_group("tray")
    tight, turned = float(rng.choice([0.2, 0.8, 2.5])), rng.random() < 0.3
    step = body.length if turned and rng.random() < 0.5 else body.width
    hand = _hand_of(rng)
    for k, label in enumerate(random_labels(rng, columns * rows_)):
        if rng.random() < 0.04:
            continue
        r, c = divmod(k, columns)
        yaw = (
            float(rng.choice([0, 90, 180, 270]))
            if step == body.length
            else float(rng.choice([0, 180]))
            if turned
            else 0.0
        )
        at = ((c - (columns - 1) / 2) * (step + tight), ((rows_ - 1) / 2 - r) * (body.length + tight), body.depth / 2)
        pose = "down" if rng.random() < 0.03 else "up"
        add(layout, [Placed(label, at, yaw, pose)], group, 0, hand, rng)
    width = columns * (step + tight)
    trays: tuple[tuple[float, float, float, float, float], ...] = ()
    if rng.random() < 0.6:
        extra = float(rng.uniform(0, 1.5)) * body.width
        trays = ((extra / 2, 0.0, width / 2 + extra + 6, rows_ * (body.length + tight) / 2 + 6, 0.0),)
    view = _view(
        rng, (float(rng.normal(0, 15)), float(rng.normal(0, 15))), max(width * float(rng.uniform(1.0, 2.0)), 130), 35
    )
    return Plan("tray", layout, _bare_table(rng, 0.65), _facing(view, rng), trays)


def heap(body: Body, rng: np.random.Generator) -> Plan:
    """Loose tiles at every angle."""
    layout = Layout()
    group = layout.open_group("heap")
    radius = float(rng.uniform(60, 280))
    for tile in loose_heap(rng, body, int(rng.integers(6, 70)), (0.0, 0.0), radius):
        add(layout, [tile], group, 0, Hand(0, 0), rng)
    view = _view(rng, (float(rng.normal(0, 20)), float(rng.normal(0, 20))), radius * float(rng.uniform(1.2, 2.3)))
    return Plan("heap", layout, _bare_table(rng, 0.3), view)


RECIPES: tuple[tuple[str, float, Callable[[Body, np.random.Generator], Plan]], ...] = (
    ("full_table", 0.28, full_table),
    ("hand", 0.24, hand_at_edge),
    ("tray", 0.16, tray),
    ("heap", 0.12, heap),
    ("pond", 0.1, ponds),
    ("chair", 0.1, players_chair),
)
"""Name, share and function of every kind of picture."""


def random_plan(body: Body, rng: np.random.Generator) -> Plan:
    """A picture of a random kind."""
    shares = np.array([share for _, share, _ in RECIPES])
    index = int(rng.choice(len(RECIPES), p=shares / shares.sum()))
    return RECIPES[index][2](body, rng)

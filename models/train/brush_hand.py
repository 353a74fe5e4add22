"""Characters written by a brush of our own, so that sets differ as two engravers' hands do.

A character is a few strokes through points of a 100 x 100 square; every set moves the points, leans
the hand and presses differently. Nothing here comes from a font or a photograph.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from models.train.ink import Point, number, shape

Stroke = tuple[float, ...]
"""x, y, x, y, ... of the points that the brush passes."""

STROKES: dict[str, tuple[Stroke, ...]] = {
    "一": ((5, 54, 50, 50, 95, 46),),
    "二": ((22, 30, 76, 24), (6, 80, 50, 76, 94, 74)),
    "三": ((18, 18, 80, 12), (24, 50, 74, 45), (6, 88, 50, 84, 94, 80)),
    "四": ((12, 24, 18, 84), (12, 26, 88, 20, 80, 80), (40, 24, 34, 58), (60, 22, 60, 54, 72, 58), (16, 82, 82, 78)),
    "五": ((18, 14, 82, 10), (46, 14, 34, 88), (22, 48, 74, 42, 68, 88), (4, 92, 96, 88)),
    "六": ((48, 2, 57, 18), (6, 38, 50, 33, 94, 28), (38, 50, 28, 76, 10, 96), (60, 48, 74, 68, 90, 94)),
    "七": ((6, 48, 94, 30), (46, 4, 46, 70, 56, 88, 92, 84, 92, 70)),
    "八": ((38, 14, 28, 60, 6, 92), (52, 8, 64, 50, 96, 92)),
    "九": ((44, 4, 38, 50, 6, 96), (12, 34, 66, 26, 64, 78, 76, 92, 94, 88, 94, 72)),
    "萬": (
        (12, 14, 88, 9),
        (34, 2, 36, 24),
        (66, 0, 62, 24),
        (30, 29, 32, 52),
        (30, 30, 72, 27, 69, 50),
        (32, 40, 70, 38),
        (32, 52, 70, 49),
        (50, 28, 50, 82),
        (16, 62, 14, 98),
        (16, 63, 86, 57, 84, 94, 74, 90),
        (34, 82, 62, 76),
        (60, 70, 69, 85),
    ),
    "東": (
        (12, 20, 88, 15),
        (26, 32, 29, 62),
        (26, 34, 76, 30, 72, 60),
        (30, 46, 72, 44),
        (28, 62, 72, 58),
        (50, 2, 51, 98),
        (48, 60, 32, 76, 8, 88),
        (53, 60, 70, 76, 94, 86),
    ),
    "南": (
        (50, 2, 50, 22),
        (16, 19, 84, 14),
        (22, 36, 19, 96),
        (22, 36, 80, 31, 82, 92, 71, 88),
        (37, 42, 44, 52),
        (64, 40, 57, 52),
        (34, 58, 68, 55),
        (32, 74, 70, 71),
        (51, 56, 51, 96),
    ),
    "西": (
        (8, 20, 50, 16, 92, 12),
        (18, 42, 24, 86),
        (18, 43, 82, 37, 75, 84),
        (40, 18, 40, 46, 30, 64),
        (59, 17, 59, 54, 72, 60),
        (25, 86, 76, 82),
    ),
    "北": (
        (36, 10, 37, 90),
        (8, 42, 36, 36),
        (4, 86, 38, 66),
        (62, 8, 62, 78, 70, 90, 93, 86, 93, 70),
        (90, 28, 78, 40, 62, 48),
    ),
    "發": (
        (18, 14, 44, 11, 30, 30, 8, 46),
        (14, 24, 28, 34),
        (57, 4, 62, 22, 92, 44),
        (74, 6, 62, 18),
        (88, 16, 72, 29),
        (24, 48, 46, 46, 44, 57, 26, 59, 23, 70, 47, 68, 42, 94, 30, 88),
        (63, 47, 62, 58, 54, 66),
        (63, 47, 82, 46, 82, 60, 92, 61),
        (54, 71, 82, 69, 70, 86, 50, 98),
        (60, 77, 74, 88, 94, 97),
    ),
    "中": ((16, 30, 22, 62), (16, 32, 84, 26, 78, 58), (21, 62, 78, 57), (50, 2, 50, 99)),
}
"""Our skeletons of the characters on number and honour tiles."""

CURSIVE: dict[str, tuple[Stroke, ...]] = {
    "西": (
        (10, 14, 60, 10, 92, 4),
        (26, 40, 14, 62, 26, 92, 60, 96, 84, 84, 88, 56, 76, 40),
        (42, 12, 36, 70),
        (54, 12, 53, 74),
        (66, 12, 70, 66),
    ),
    "發": (
        (24, 8, 46, 10, 6, 44),
        (56, 2, 62, 24, 96, 42),
        (84, 6, 62, 26),
        (22, 46, 48, 44, 22, 66, 48, 66, 36, 100),
        (66, 42, 56, 64, 88, 56, 60, 84, 46, 100),
        (54, 70, 72, 84, 98, 90),
    ),
    "南": (
        (52, 0, 48, 24),
        (20, 20, 82, 14),
        (24, 36, 12, 92),
        (24, 38, 66, 28, 90, 40, 84, 96, 66, 90),
        (40, 44, 62, 42, 38, 62, 66, 60),
        (34, 78, 70, 74),
        (52, 46, 50, 96),
    ),
    "北": (
        (40, 4, 34, 60, 38, 96),
        (10, 40, 38, 34),
        (2, 88, 40, 66),
        (66, 2, 60, 60, 70, 92, 98, 84),
        (96, 22, 62, 50),
    ),
    "萬": (
        (14, 14, 90, 6),
        (34, 2, 38, 22),
        (68, 0, 58, 22),
        (34, 30, 70, 26, 64, 50, 34, 52, 34, 30),
        (36, 41, 66, 38),
        (52, 26, 46, 78, 30, 84, 66, 74),
        (12, 98, 18, 62, 60, 56, 90, 60, 82, 98, 66, 92),
    ),
    "八": ((36, 32, 28, 56, 8, 82), (38, 18, 56, 20, 66, 54, 98, 86)),
    "六": ((50, 0, 56, 16), (8, 42, 92, 24), (42, 44, 8, 92), (56, 46, 94, 88)),
    "東": (
        (14, 20, 86, 14),
        (28, 34, 70, 30, 68, 56, 28, 60, 28, 34),
        (30, 47, 70, 43),
        (52, 0, 50, 98, 36, 90),
        (46, 62, 6, 90),
        (56, 58, 96, 84),
    ),
}
"""The same in a running hand."""

RUNNING_WESTS: tuple[tuple[Stroke, ...], ...] = (
    (
        (30, 10, 52, 8, 82, -2),
        (20, 44, 8, 30),
        (18, 40, 22, 70, 34, 92),
        (12, 44, 50, 34, 90, 30, 78, 62, 66, 90),
        (42, 36, 42, 54, 32, 70),
        (58, 34, 58, 58, 70, 66),
        (30, 92, 72, 86),
    ),
    (
        (22, 14, 88, 4),
        (26, 32, 8, 46, 18, 78, 34, 96, 68, 92, 88, 70, 94, 34, 70, 38),
        (44, 10, 44, 44, 34, 72),
        (58, 10, 60, 50, 62, 74),
        (24, 40, 76, 32),
    ),
    (
        (34, 14, 72, 4),
        (6, 34, 22, 46, 28, 88),
        (20, 46, 58, 36, 96, 26, 80, 50, 74, 92),
        (46, 40, 38, 66),
        (56, 38, 66, 62),
        (28, 86, 50, 78, 76, 84),
        (52, 6, 48, 36),
    ),
    (
        (26, 8, 76, 2),
        (50, 6, 44, 30),
        (16, 36, 20, 84, 50, 92, 80, 82, 88, 30),
        (14, 40, 90, 30),
        (40, 38, 40, 62, 30, 74),
        (60, 36, 60, 62, 76, 66),
    ),
)
"""西 in quick hands: its first stroke short or apart, its corners drawn out, its bowl round."""

DRAGON_PARTS: tuple[tuple[tuple[Stroke, ...], ...], ...] = (
    (
        ((18, 14, 44, 11, 30, 30, 8, 46), (14, 24, 28, 34)),
        ((30, 30, 46, 26, 12, 54),),
        ((34, 16, 44, 20, 8, 50), (24, 26, 36, 38)),
        ((20, 22, 46, 12, 6, 50), (22, 10, 34, 20), (14, 32, 26, 40)),
        ((18, 20, 42, 16, 30, 34, 4, 52), (20, 32, 34, 40)),
        ((40, 22, 4, 58), (20, 28, 30, 40)),
    ),
    (
        ((57, 4, 62, 22, 92, 44), (74, 6, 62, 18), (88, 16, 72, 29)),
        ((56, 0, 58, 24, 50, 46), (54, 26, 70, 40, 98, 58), (84, 14, 66, 30, 42, 44)),
        ((60, 0, 56, 20, 64, 36, 98, 50), (86, 8, 58, 30)),
        ((52, 4, 60, 26, 96, 46), (92, 10, 66, 32), (70, 0, 56, 18)),
        ((66, -2, 58, 34, 38, 62), (92, 8, 62, 28), (66, 30, 98, 46)),
        ((58, 0, 56, 40), (58, 12, 72, 34, 100, 46), (82, 8, 60, 28)),
    ),
    (
        ((24, 48, 46, 46, 44, 57, 26, 59, 23, 70, 47, 68, 42, 94, 30, 88),),
        ((20, 54, 46, 50, 22, 66, 44, 66, 36, 96, 22, 90),),
        ((22, 48, 46, 45, 24, 60, 46, 60, 22, 76, 44, 73, 28, 98),),
        ((14, 58, 46, 44), (14, 72, 46, 58), (20, 84, 46, 70), (46, 48, 40, 76, 24, 104)),
        ((10, 62, 30, 48, 48, 46, 24, 72), (24, 72, 46, 62, 30, 102)),
        ((24, 48, 46, 46, 20, 72, 44, 70, 34, 98),),
    ),
    (
        (
            (63, 47, 62, 58, 54, 66),
            (63, 47, 82, 46, 82, 60, 92, 61),
            (54, 71, 82, 69, 70, 86, 50, 98),
            (60, 77, 74, 88, 94, 97),
        ),
        ((62, 50, 54, 68), (60, 50, 80, 50, 74, 64), (48, 70, 76, 66, 58, 86, 30, 100), (52, 70, 72, 86, 98, 98)),
        ((54, 52, 86, 48, 58, 76, 90, 74), (80, 58, 66, 84, 40, 100), (56, 66, 76, 88, 96, 92)),
        ((52, 60, 74, 44, 68, 62), (48, 76, 82, 56, 56, 86, 30, 104), (64, 74, 76, 84), (86, 82, 100, 98)),
        ((56, 50, 82, 46, 60, 66), (54, 70, 80, 68, 62, 88, 34, 100), (56, 72, 76, 88, 100, 96)),
        ((50, 66, 90, 48, 60, 76), (62, 62, 52, 88, 34, 102), (74, 70, 84, 80), (88, 62, 98, 72)),
    ),
)
"""The four quarters of 發 as different hands run their strokes together; sets often write it unlike their winds."""


@dataclass(frozen=True, slots=True)
class _Hand:
    """How one engraver writes: proportion, slope, pressure, whether strokes are wedges, thin at both ends, and by how
    much a character is narrower above and below than at its middle."""

    lean: float
    rise: float
    press: float
    narrow: float
    shake: float
    wedge: bool
    taper: float = 0.0


def has(char: str) -> bool:
    """Whether our brush knows a character."""
    return char in STROKES


def write(char: str, box: tuple[float, float, float, float], colour: str, seed: int) -> str:
    """The character inside a box (x, y, width, height of the face), as the hand of ``seed`` writes it."""
    chance = random.Random(seed)
    running = chance.random() < 0.6
    hand = _Hand(
        lean=chance.gauss(0, 0.1),
        rise=chance.uniform(-0.02, 0.34 if running else 0.16),
        press=chance.uniform(8, 16),
        narrow=chance.uniform(0.66, 1.0),
        shake=chance.uniform(0.6, 2.6),
        wedge=chance.random() < 0.4,
    )
    here = random.Random(seed * 97 + ord(char))
    return _written(_skeleton(char, here, running=running), box, colour, hand, here)


def write_dragon(box: tuple[float, float, float, float], colour: str, seed: int) -> str:
    """發 in a hand of its own: as wide as high or narrow, its strokes wedges that rise steeply or soft and level."""
    here = random.Random(seed)
    hand = _Hand(
        lean=here.gauss(0, 0.12),
        rise=here.uniform(-0.04, 0.5),
        press=here.uniform(5, 13),
        narrow=here.uniform(0.72, 1.25),
        shake=here.uniform(0.6, 3.4),
        wedge=here.random() < 0.6,
        taper=here.choice((0.0, here.uniform(0.1, 0.6))),
    )
    return _written(_running_dragon(here), box, colour, hand, here)


def _skeleton(char: str, here: random.Random, *, running: bool) -> tuple[Stroke, ...]:
    if char == "發" and here.random() < 0.7:
        return _running_dragon(here)
    if char == "西" and running and here.random() < 0.75:
        return here.choice(RUNNING_WESTS)
    return CURSIVE.get(char, STROKES[char]) if running else STROKES[char]


def _running_dragon(here: random.Random) -> tuple[Stroke, ...]:
    """發 of four quarters that need not fit each other, each moved a little."""
    strokes = []
    for quarters in DRAGON_PARTS:
        dx, dy = here.gauss(0, 2.5), here.gauss(0, 2.5)
        for points in here.choice(quarters):
            strokes.append(tuple(value + (dy if k % 2 else dx) for k, value in enumerate(points)))
    return tuple(strokes)


def _written(
    skeleton: tuple[Stroke, ...],
    box: tuple[float, float, float, float],
    colour: str,
    hand: _Hand,
    here: random.Random,
) -> str:
    x0, y0, width, height = box
    press = hand.press * 1.25 if len(skeleton) <= 3 else hand.press
    scale = (min(width, height * 1.15) / 100 * hand.narrow, height / 100)
    shrink = 1 / (1 + max(hand.rise, 0) * 0.8)
    drawn = ""
    for stroke in skeleton:
        points = []
        for x, y in zip(stroke[::2], stroke[1::2], strict=True):
            x, y = x + here.gauss(0, hand.shake), y + here.gauss(0, hand.shake)
            across = (x - 50) * (1 - hand.taper * abs(y - 50) / 50) - hand.lean * (y - 50)
            down = (y - 50 - hand.rise * (x - 50)) * shrink + 50
            points.append((x0 + width / 2 + across * scale[0], y0 + down * scale[1]))
        drawn += _brush(points, press * min(scale) * here.uniform(0.85, 1.15), here, wedge=hand.wedge)
    return shape(drawn, colour)


def _brush(points: list[Point], width: float, chance: random.Random, *, wedge: bool) -> str:
    """Path data of one stroke: pressed at its ends and thin where it turns, or a wedge that runs out at both."""
    spine = _smooth(points)
    start, middle, end = chance.uniform(0.8, 1.4), chance.uniform(0.6, 1.0), chance.uniform(0.2, 1.5)
    if wedge:
        start, middle, end = chance.uniform(0.2, 0.9), chance.uniform(1.1, 1.7), chance.uniform(0.05, 0.4)
    left, right = [], []
    for k, (x, y) in enumerate(spine):
        t = k / (len(spine) - 1)
        (xa, ya), (xb, yb) = spine[max(k - 1, 0)], spine[min(k + 1, len(spine) - 1)]
        length = math.hypot(xb - xa, yb - ya) or 1.0
        press = start * (1 - 2 * t) + middle * 2 * t if t < 0.5 else middle * (2 - 2 * t) + end * (2 * t - 1)
        nx, ny = -(yb - ya) / length * width * press / 2, (xb - xa) / length * width * press / 2
        left.append((x + nx, y + ny))
        right.append((x - nx, y - ny))
    outline = left + right[::-1]
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in outline) + "Z"


def _smooth(points: list[Point], parts: int = 6) -> list[Point]:
    """Points of a curve through ``points`` (Catmull-Rom, half as tight at corners)."""
    ends = [points[0], *points, points[-1]]
    out = []
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for k in range(parts):
            t = k / parts
            near, far = 2 * t**3 - 3 * t * t + 1, t**3 - 2 * t * t + t
            out.append(
                (
                    near * bx + far * (cx - ax) * 0.3 + (1 - near) * cx + (t**3 - t * t) * (dx - bx) * 0.3,
                    near * by + far * (cy - ay) * 0.3 + (1 - near) * cy + (t**3 - t * t) * (dy - by) * 0.3,
                )
            )
    return [*out, points[-1]]

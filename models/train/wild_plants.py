"""Flower tiles in endless variety: plants grown from a seed, each label with its own habit."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from models.train.ink import Inks, Point, disc, leaf, line, number, petals, ring, shape, stroke


def _stem(chance: random.Random, inks: Inks) -> tuple[str, list[Point]]:
    """A bent stem and nine points along it, from the root upwards."""
    root = (150 + chance.uniform(-60, 60), 374.0)
    top = (150 + chance.uniform(-70, 70), chance.uniform(60, 130))
    bend = (150 + chance.uniform(-120, 120), chance.uniform(180, 280))
    points = []
    for k in range(9):
        t = k / 8
        x = (1 - t) ** 2 * root[0] + 2 * t * (1 - t) * bend[0] + t * t * top[0]
        y = (1 - t) ** 2 * root[1] + 2 * t * (1 - t) * bend[1] + t * t * top[1]
        points.append((x, y))
    colour = chance.choice((inks.green, inks.green, inks.dark))
    data = f"M{number(root[0])} {number(root[1])}Q{number(bend[0])} {number(bend[1])} {number(top[0])} {number(top[1])}"
    return stroke(data, colour, chance.uniform(7, 14)), points


def _leaves(points: list[Point], count: int, chance: random.Random, inks: Inks) -> str:
    data = ""
    for _ in range(count):
        x, y = chance.choice(points[:-1])
        angle, length = chance.uniform(-0.5, 1.0), chance.uniform(55, 105)
        side = chance.choice((-1, 1))
        end = (x + side * length * math.cos(angle), y - length * math.sin(angle))
        data += leaf((x, y), end, chance.uniform(10, 20))
    return shape(data, inks.green)


def _flower(at: Point, size: float, count: int, colour: str, inks: Inks, *, chance: random.Random) -> str:
    bloom = shape(petals(at, count, size * 0.12, size, size * chance.uniform(1.6, 2.6) / max(count, 4)), colour)
    heart = disc(at, size * 0.24, chance.choice((inks.paper, colour, inks.blue)))
    return bloom + heart + (ring(at, size * 0.4, inks.paper, size * 0.09) if chance.random() < 0.4 else "")


def _herb(inks: Inks, flower: str, chance: random.Random, habit: tuple[int, tuple[int, int], float]) -> str:
    """A stem with leaves and flowers: how many flowers, how many petals, how large."""
    flowers, (few, many), size = habit
    drawn, points = _stem(chance, inks)
    drawn += _leaves(points, chance.randint(3, 7), chance, inks)
    places = [points[-1], *chance.sample(points[2:-1], min(flowers - 1, 5))]
    for x, y in places[:flowers]:
        at = (min(max(x + chance.uniform(-18, 18), 60), 240), min(max(y, 80), 320))
        drawn += _flower(at, size * chance.uniform(0.8, 1.2), chance.randint(few, many), flower, inks, chance=chance)
    return drawn


def _blades(inks: Inks, flower: str, chance: random.Random) -> str:
    """Orchid: long blades from one root and a small flower."""
    root = (150 + chance.uniform(-40, 40), 372.0)
    drawn = ""
    for _ in range(chance.randint(4, 8)):
        end = (chance.uniform(24, 276), chance.uniform(90, 300))
        bend = (root[0] + (end[0] - root[0]) * 0.2, end[1] + chance.uniform(-60, 40))
        data = f"M{number(root[0])} {root[1]:.0f}Q{number(bend[0])} {number(bend[1])} {number(end[0])} {number(end[1])}"
        drawn += stroke(data, inks.green, chance.uniform(7, 14))
    return drawn + _flower((chance.uniform(80, 220), chance.uniform(140, 220)), 42, 5, flower, inks, chance=chance)


def _canes(inks: Inks, _flower_ink: str, chance: random.Random) -> str:
    """Bamboo: jointed canes with pointed leaves."""
    drawn, data = "", ""
    for _ in range(chance.randint(1, 3)):
        low, high = 150 + chance.uniform(-80, 80), 150 + chance.uniform(-80, 80)
        colour, width = chance.choice((inks.blue, inks.green)), chance.uniform(11, 22)
        joints = chance.randint(3, 5)
        for k in range(joints):
            t0, t1 = k / joints, (k + 0.86) / joints
            ends = [(low + (high - low) * t, 374 - 290 * t) for t in (t0, t1)]
            drawn += line(ends, colour, width)
            for _ in range(chance.randint(0, 3)):
                x, y = ends[1]
                angle = chance.choice((0, math.pi)) + chance.uniform(-0.7, 0.7)
                length = chance.uniform(45, 85)
                data += leaf((x, y), (x + length * math.cos(angle), y + length * math.sin(angle)), 10)
    return drawn + shape(data, inks.green)


HABITS: dict[int, tuple[int, tuple[int, int], float]] = {
    1: (2, (5, 9), 46),
    2: (1, (7, 12), 66),
    3: (2, (9, 16), 52),
    4: (4, (4, 6), 32),
    5: (4, (5, 5), 34),
    8: (1, (14, 24), 78),
}
"""Number of flowers, petals and size for the labels that grow as herbs."""


def wild_plant(rank: int, seed: int, inks: Inks, flower: str, *, any_herb: bool = False) -> str:
    """The plant of flower tile ``rank`` (1 to 8) as one tile set draws it.

    Args:
        rank: 1 to 4 seasons, 5 to 8 plants.
        seed: the set.
        inks: its paints.
        flower: CSS colour of the blossoms.
        any_herb: the herbs change places, as on sets where only number and character tell which is which.
    """
    chance = random.Random(seed * 8 + rank)
    special: dict[int, Callable[[Inks, str, random.Random], str]] = {6: _blades, 7: _canes}
    if rank in special and not (any_herb and rank == 6 and chance.random() < 0.3):
        return special[rank](inks, flower, chance)
    return _herb(inks, flower, chance, HABITS[chance.choice(tuple(HABITS)) if any_herb else rank])

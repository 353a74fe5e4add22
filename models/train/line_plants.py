"""Flower tiles engraved as lines: outlined blossoms on curling stems with looped leaves."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from models.train.ink import Inks, Point, disc, leaf, line, number, ring, shape, stroke

Blossom = Callable[[Point, float, str, float, random.Random], str]


def line_plant(rank: int, seed: int, inks: Inks, flower: str, *, any_herb: bool = False) -> str:
    """The plant of flower tile ``rank`` (1 to 8) as a set with a fine graver draws it.

    Args:
        rank: 1 to 4 seasons, 5 to 8 plants.
        seed: the set.
        inks: its paints.
        flower: CSS colour of the blossoms.
        any_herb: stems and blossoms do not tell which flower it is, only number and character do.
    """
    hand = random.Random(seed)
    width = hand.uniform(5, 15)
    chance = random.Random(seed * 8 + rank)
    if rank == 7 and not (any_herb and chance.random() < 0.3):
        return _canes(inks, width, chance)
    if rank == 6 and not (any_herb and chance.random() < 0.4):
        return _grass((150 + chance.uniform(-50, 50), 368), 290, inks.green, width, chance=chance) + _blossom_of(
            chance, 0, (chance.uniform(90, 210), chance.uniform(150, 260)), 34, flower, width
        )
    kind = chance.randrange(len(BLOSSOMS)) if any_herb else (hand.randrange(len(BLOSSOMS)) + rank) % len(BLOSSOMS)
    return _herb(inks, flower, width, kind, chance)


def _blossom_of(chance: random.Random, kind: int, at: Point, size: float, colour: str, width: float) -> str:
    return BLOSSOMS[kind](at, size, colour, width, chance)


def _herb(inks: Inks, flower: str, width: float, kind: int, chance: random.Random) -> str:
    """A bent stem, one or two blossoms at either end or in the middle, looped leaves, tendrils or grass."""
    low = (150 + chance.uniform(-70, 70), chance.uniform(320, 372))
    top = (150 + chance.uniform(-90, 90), chance.uniform(70, 140))
    bends = [(150 + chance.uniform(-110, 110), chance.uniform(130, 330)) for _ in range(2)]
    path = [_bezier(low, bends, top, k / 12) for k in range(13)]
    drawn = line(path, inks.green, width)
    for _ in range(chance.randint(2, 6)):
        drawn += _looped_leaf(chance.choice(path), inks.green, width, chance)
    if chance.random() < 0.5:
        drawn += _grass(low, chance.uniform(60, 120), inks.green, width, chance=chance)
    if chance.random() < 0.5:
        drawn += _tendril(chance.choice((path[0], path[-1], path[6])), inks.green, width, chance)
    places = chance.sample((path[0], path[4], path[6], path[8], path[12]), chance.choice((1, 1, 1, 2)))
    for x, y in places:
        at = (min(max(x, 70), 230), min(max(y, 110), 320))
        drawn += _blossom_of(chance, kind, at, chance.uniform(40, 74), flower, width)
    return drawn


def _bezier(low: Point, bends: list[Point], top: Point, t: float) -> Point:
    u = 1 - t
    weights = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
    points = (low, *bends, top)
    return (
        sum(w * p[0] for w, p in zip(weights, points, strict=True)),
        sum(w * p[1] for w, p in zip(weights, points, strict=True)),
    )


def _looped_leaf(at: Point, colour: str, width: float, chance: random.Random) -> str:
    angle, length = chance.uniform(0, 2 * math.pi), chance.uniform(40, 90)
    end = (at[0] + length * math.cos(angle), at[1] + length * math.sin(angle))
    data = leaf(at, end, chance.uniform(14, 34))
    if chance.random() < 0.3:
        return shape(data, colour)
    vein = line([at, ((at[0] + end[0]) / 2, (at[1] + end[1]) / 2)], colour, width * 0.7)
    return stroke(data, colour, width) + (vein if chance.random() < 0.4 else "")


def _tendril(at: Point, colour: str, width: float, chance: random.Random) -> str:
    points, angle = [at], chance.uniform(0, 2 * math.pi)
    turn = chance.choice((-1, 1)) * chance.uniform(0.25, 0.6)
    for k in range(9):
        step = 20 - 1.4 * k
        points.append((points[-1][0] + step * math.cos(angle), points[-1][1] + step * math.sin(angle)))
        angle += turn
    return line(points, colour, width)


def _grass(root: Point, reach: float, colour: str, width: float, *, chance: random.Random) -> str:
    """Blades from one root, each a thin bent leaf."""
    drawn = ""
    for _ in range(chance.randint(4, 8)):
        angle = math.pi * chance.uniform(0.08, 0.92)
        length = reach * chance.uniform(0.5, 1.0)
        end = (root[0] + length * math.cos(angle) * 0.7, root[1] - length * math.sin(angle))
        bend = (root[0] + (end[0] - root[0]) * 0.1, root[1] - length * 0.7)
        data = f"M{number(root[0])} {number(root[1])}Q{number(bend[0])} {number(bend[1])}"
        drawn += stroke(f"{data} {number(end[0])} {number(end[1])}", colour, width * chance.uniform(0.8, 1.6))
    return drawn


def _canes(inks: Inks, width: float, chance: random.Random) -> str:
    """Bamboo: one or two upright canes of double lines with leaves hanging to both sides."""
    cane, drawn = chance.choice((inks.blue, inks.green, inks.dark)), ""
    for k in range(chance.randint(1, 2)):
        x, lean = 150 + (k - 0.5) * chance.uniform(20, 90), chance.uniform(-50, 50)
        for side in (-1, 1):
            drawn += line([(x + side * width, 372), (x + lean + side * width, chance.uniform(60, 110))], cane, width)
        for joint in range(3):
            y = 320 - joint * 84 + chance.uniform(-12, 12)
            middle = x + lean * (372 - y) / 290
            drawn += line([(middle - width * 2, y), (middle + width * 2, y)], cane, width)
            for _ in range(chance.randint(1, 4)):
                side = chance.choice((-1, 1))
                end = (middle + side * chance.uniform(40, 100), y + chance.uniform(-50, 90))
                drawn += shape(leaf((middle + side * width, y), end, chance.uniform(6, 12)), inks.green)
    return drawn


def _round_petals(at: Point, size: float, colour: str, width: float, chance: random.Random) -> str:
    """Plum: four to six round petals in outline around a small heart."""
    count, first = chance.randint(4, 6), chance.uniform(0, 6)
    drawn = ""
    for k in range(count):
        angle = first + 2 * math.pi * k / count
        drawn += ring(
            (at[0] + size * 0.6 * math.cos(angle), at[1] + size * 0.6 * math.sin(angle)), size * 0.4, colour, width
        )
    return drawn + disc(at, size * 0.2, colour)


def _rose(at: Point, size: float, colour: str, width: float, chance: random.Random) -> str:
    """Peony: a wavy rim around bent petals, half of them filled."""
    lobes, first = chance.randint(5, 9), chance.uniform(0, 6)
    points = []
    for k in range(41):
        angle = 2 * math.pi * k / 40
        radius = size * (0.84 + 0.16 * math.cos(lobes * angle + first))
        points.append((at[0] + radius * math.cos(angle), at[1] + radius * math.sin(angle)))
    drawn = line(points, colour, width)
    for k in range(chance.randint(2, 4)):
        angle = first + k * 2.2
        x, y = at[0] + size * 0.35 * math.cos(angle), at[1] + size * 0.35 * math.sin(angle)
        drawn += (disc if chance.random() < 0.4 else lambda c, r, p: ring(c, r, p, width))((x, y), size * 0.28, colour)
    return drawn


def _lotus(at: Point, size: float, colour: str, width: float, chance: random.Random) -> str:
    """Orchid or lotus: pointed petals in outline, open upwards."""
    count, drawn = chance.randint(3, 6), ""
    for k in range(count):
        angle = -math.pi * (0.05 + 0.9 * k / (count - 1))
        end = (at[0] + size * 1.2 * math.cos(angle), at[1] + size * 1.2 * math.sin(angle))
        drawn += stroke(leaf(at, end, size * 0.3), colour, width)
    return drawn


def _ball(at: Point, size: float, colour: str, width: float, chance: random.Random) -> str:
    """Chrysanthemum: a round of crossing lines between outer petals."""
    drawn = ring(at, size * 0.62, colour, width)
    for k in (-1, 0, 1):
        drawn += line(
            [(at[0] + k * size * 0.3, at[1] - size * 0.55), (at[0] + k * size * 0.3, at[1] + size * 0.55)],
            colour,
            width * 0.8,
        )
        drawn += line(
            [(at[0] - size * 0.55, at[1] + k * size * 0.3), (at[0] + size * 0.55, at[1] + k * size * 0.3)],
            colour,
            width * 0.8,
        )
    for k in range(chance.choice((0, 4, 6))):
        angle = k * math.pi / 3
        drawn += ring(
            (at[0] + size * 0.8 * math.cos(angle), at[1] + size * 0.8 * math.sin(angle)), size * 0.24, colour, width
        )
    return drawn


def _rays(at: Point, size: float, colour: str, width: float, chance: random.Random) -> str:
    """Chrysanthemum: many thin petals as lines around a ring."""
    count, drawn = chance.randint(9, 16), ring(at, size * 0.26, colour, width)
    for k in range(count):
        angle = 2 * math.pi * k / count
        c, s = math.cos(angle), math.sin(angle)
        ends = [(at[0] + size * 0.38 * c, at[1] + size * 0.38 * s), (at[0] + size * c, at[1] + size * s)]
        drawn += line(ends, colour, width * 1.3)
    return drawn


BLOSSOMS: tuple[Blossom, ...] = (_round_petals, _rose, _lotus, _ball, _rays)

"""The bird of 1s in endless variety: grown from a seed in one of six habits."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from models.train.ink import Inks, Point, disc, group, leaf, line, number, ring, shape, stroke

Paints = tuple[str, str, str]


def wild_bird(seed: int, inks: Inks) -> str:
    """The 1s of one tile set."""
    chance = random.Random(seed)
    habit: Callable[[Inks, random.Random], str] = chance.choice(HABITS)
    high = chance.uniform(0.68, 1.05)
    wide = high * chance.uniform(0.62, 1.0)
    place = f"translate({150 - 150 * wide:.1f} {200 - 200 * high:.1f}) scale({wide:.2f} {high:.2f})"
    return group([habit(inks, chance)], transform=place)


def _paints(inks: Inks, chance: random.Random) -> Paints:
    """Body, wing and tail: of one dark ink on many sets, of three on others."""
    one = chance.choice((inks.dark, inks.blue, inks.green))
    if chance.random() < 0.5:
        return one, one, chance.choice((one, inks.green, inks.blue))
    three = [inks.red, inks.green, inks.blue]
    chance.shuffle(three)
    return three[0], three[1], three[2]


def _head(at: Point, size: float, paints: Paints, inks: Inks, chance: random.Random) -> str:
    x, y = at
    side = chance.choice((-1, 1))
    beak = f"M{number(x + side * size * 0.7)} {number(y - size * 0.3)}l{number(side * size)} {number(size * 0.5)}"
    beak += f"l{number(-side * size)} {number(size * 0.3)}Z"
    drawn = disc(at, size, paints[0]) + shape(beak, chance.choice((inks.red, paints[0])))
    drawn += disc((x + side * size * 0.25, y - size * 0.15), size * 0.28, inks.paper)
    for k in range(chance.randint(0, 3)):
        tip = (x - side * size * (0.3 + 0.6 * k), y - size * (2.1 - 0.3 * k))
        drawn += line([(x, y - size * 0.8), tip], chance.choice((inks.red, paints[1])), 5)
    return drawn


def _legs(at: Point, length: float, inks: Inks, chance: random.Random) -> str:
    x, y = at
    spread, colour = chance.uniform(8, 22), chance.choice((inks.red, inks.red, inks.dark))
    drawn = ""
    for side in (-1, 1):
        foot = (x + side * spread * 1.4, y + length)
        drawn += line([(x + side * spread * 0.6, y), foot], colour, 6)
        drawn += line([(foot[0] - 16, foot[1] + 6), foot, (foot[0] + 16, foot[1] + 6)], colour, 5)
    return drawn


def _stripes(at: Point, wide: float, high: float, colour: str, chance: random.Random) -> str:
    x, y = at
    drawn = ""
    for k in range(chance.randint(3, 6)):
        low = y - high * 0.7 + 1.5 * high * k / 5
        drawn += stroke(
            f"M{number(x - wide * 0.6)} {number(low)}q{number(wide * 0.6)} 14 {number(wide * 1.2)} 0", colour, 5
        )
    return drawn


def _net_tail(inks: Inks, chance: random.Random) -> str:
    """A peacock whose tail is a round net of eyes above or beside a striped body."""
    paints = _paints(inks, chance)
    centre = (150 + chance.uniform(-30, 30), chance.uniform(120, 165))
    wide, high, cell = chance.uniform(66, 116), chance.uniform(88, 120), chance.uniform(19, 30)
    drawn, dense = "", chance.random() < 0.6
    for row in range(-8, 9):
        for column in range(-8, 9):
            x, y = (column + 0.5 * (row % 2)) * cell * 1.02, row * cell * 0.88
            if (x / wide) ** 2 + (y / high) ** 2 < 1:
                at = (centre[0] + x, centre[1] + y)
                drawn += disc(at, cell * 0.54, paints[2]) if dense else ring(at, cell * 0.4, paints[2], cell * 0.2)
                drawn += ring(at, cell * 0.3, inks.paper, cell * 0.12) if dense else disc(at, cell * 0.16, paints[2])
    body = (150 + chance.uniform(-34, 34), chance.uniform(232, 272))
    bw, bh = chance.uniform(36, 58), chance.uniform(44, 66)
    tag = f"M{number(body[0])} {number(body[1] - bh)}q{number(bw * 1.5)} {number(bh)} 0 {number(2 * bh)}"
    tag += f"q{number(-bw * 1.5)} {number(-bh)} 0 {number(-2 * bh)}Z"
    drawn += shape(tag, inks.paper if chance.random() < 0.4 else paints[0]) + stroke(tag, paints[0], 8)
    drawn += _stripes(body, bw * 0.8, bh, paints[0] if chance.random() < 0.4 else inks.paper, chance)
    side = chance.choice((-1, 1))
    head = (body[0] + side * chance.uniform(30, 74), body[1] - chance.uniform(10, 60))
    drawn += line([body, head], paints[0], 20) + _head(head, chance.uniform(14, 22), paints, inks, chance)
    drawn += shape(leaf((body[0], body[1] - 20), (body[0] - side * 74, body[1] + 40), 24), paints[1])
    drawn += _legs((body[0], body[1] + bh * 0.8), 376 - body[1] - bh * 0.8, inks, chance)
    turn = chance.choice((0, 0, 0, chance.uniform(-40, 40)))
    return group([drawn], transform=f"rotate({turn:.0f} 150 200)")


def _phoenix(inks: Inks, chance: random.Random) -> str:
    """A bird in flight: raised wings, a slim body and long tail feathers."""
    paints = _paints(inks, chance)
    drawn = ""
    for k in range(chance.randint(2, 5)):
        end = (150 + chance.uniform(-90, 90), chance.uniform(320, 384))
        colour = paints[2] if k % 2 else chance.choice(paints)
        if chance.random() < 0.4:
            bend = (150 + chance.uniform(-90, 90), 300)
            drawn += stroke(f"M150 220Q{number(bend[0])} {bend[1]} {number(end[0])} {number(end[1])}", colour, 11)
        else:
            drawn += shape(leaf((150, 210), end, chance.uniform(12, 26)), colour)
    for side in (-1, 1):
        reach, lift = chance.uniform(70, 140), chance.uniform(-40, 120)
        for k in range(chance.randint(2, 5)):
            end = (150 + side * reach * (1 - 0.13 * k), 190 - lift + 34 * k)
            colour = paints[1] if k % 2 == 0 else chance.choice(paints)
            drawn += shape(leaf((150 + side * 12, 170 + 10 * k), end, chance.uniform(14, 26)), colour)
    drawn += shape(leaf((150, 110), (150, 270), chance.uniform(28, 48)), paints[0])
    if chance.random() < 0.6:
        drawn += _stripes((150, 190), 24, 46, inks.paper, chance)
    head = (150 + chance.uniform(-30, 30), chance.uniform(70, 104))
    drawn += line([(150, 150), head], paints[0], 20) + _head(head, chance.uniform(15, 25), paints, inks, chance)
    return group([drawn], transform=f"rotate({chance.uniform(-60, 60):.0f} 150 200)")


def _hen(inks: Inks, chance: random.Random) -> str:
    """A plump standing bird with scales and bent tail plumes."""
    paints = _paints(inks, chance)
    side = chance.choice((-1, 1))
    drawn = ""
    for k in range(chance.randint(3, 6)):
        end = (150 + side * chance.uniform(60, 130), 90 + 40 * k + chance.uniform(-20, 20))
        data = f"M150 230Q{number(150 + side * 30)} {number(end[1] - 60)} {number(end[0])} {number(end[1])}"
        drawn += stroke(data, chance.choice(paints), chance.uniform(10, 18))
    radius = chance.uniform(58, 84)
    drawn += disc((150, 230), radius, paints[0])
    for row in range(3):
        for k in range(4):
            drawn += ring((150 + (k - 1.5) * radius * 0.42, 200 + row * radius * 0.42), radius * 0.16, inks.paper, 5)
    head = (150 - side * chance.uniform(40, 80), chance.uniform(96, 150))
    drawn += line([(150 - side * 20, 210), head], paints[0], 34) + _head(head, 25, paints, inks, chance)
    drawn += shape(leaf((130, 220), (150 + side * 100, 250), 34), paints[1])
    return drawn + _legs((150, 230 + radius), 140 - radius, inks, chance)


def _fan(inks: Inks, chance: random.Random) -> str:
    """A peacock seen from the front before a fan of leaf-shaped feathers."""
    paints = _paints(inks, chance)
    count, reach = chance.randint(7, 15), chance.uniform(110, 165)
    drawn = ""
    for k in range(count):
        angle = math.pi * (1.1 - 1.2 * k / (count - 1))
        end = (150 + reach * math.cos(angle), 220 - reach * 1.15 * math.sin(angle))
        drawn += shape(leaf((150, 240), end, 14), paints[2] if k % 2 else paints[1])
        drawn += disc(end, chance.uniform(7, 13), inks.red if chance.random() < 0.4 else paints[0])
    drawn += shape(leaf((150, 140), (150, 340), 44), inks.paper) + stroke(
        leaf((150, 140), (150, 340), 44), paints[0], 9
    )
    drawn += _stripes((150, 240), 26, 50, paints[0], chance) + _head((150, 140), 22, paints, inks, chance)
    return drawn + _legs((150, 326), 44, inks, chance)


def _rosettes(
    inside: Callable[[float, float], bool], cell: float, colour: str, inks: Inks, chance: random.Random
) -> str:
    """A honeycomb of rings with a dot or a second ring in each: the eyes of a peacock's tail."""
    drawn, kind, thick = "", chance.randrange(5), cell * chance.uniform(0.1, 0.2)
    for row in range(-14, 15):
        for column in range(-10, 11):
            x, y = (column + 0.5 * (row % 2)) * cell, row * cell * 0.87
            if not inside(x, y):
                continue
            at = (150 + x, 200 + y)
            if kind < 2:
                drawn += disc(at, cell * 0.66, colour) + ring(at, cell * 0.3, inks.paper, thick)
            else:
                drawn += ring(at, cell * 0.46, colour, thick)
            if kind == 2:
                drawn += ring(at, cell * 0.2, colour, thick)
            elif kind > 2:
                drawn += disc(at, cell * 0.18, colour)
    return drawn


def _fringe(centre: Point, wide: float, high: float, colour: str, chance: random.Random) -> str:
    """Short feather tips around a tail."""
    drawn, count, reach = "", chance.randint(24, 44), chance.uniform(1.12, 1.3)
    for k in range(count):
        angle = 2 * math.pi * k / count
        c, s = math.cos(angle) * wide, math.sin(angle) * high
        ends = [(centre[0] + c * 0.9, centre[1] + s * 0.9), (centre[0] + c * reach, centre[1] + s * reach)]
        drawn += line(ends, colour, 5)
    return drawn


def _wing(root: Point, end: Point, wide: float, colour: str, inks: Inks, *, lines: int) -> str:
    """A folded wing: a pointed fan of feathers, lined across."""
    (x0, y0), (x1, y1) = root, end
    nx, ny = (y0 - y1) * wide, (x1 - x0) * wide
    outline = f"M{number(x0)} {number(y0)}L{number(x1 + nx)} {number(y1 + ny)}L{number(x1 - nx)} {number(y1 - ny)}Z"
    drawn = shape(outline, inks.paper) + stroke(outline, colour, 7)
    for k in range(1, lines + 1):
        t = k / (lines + 1)
        (x, y), reach = (x0 + (x1 - x0) * t, y0 + (y1 - y0) * t), 0.8 * t
        drawn += line([(x + nx * reach, y + ny * reach), (x - nx * reach, y - ny * reach)], colour, 6)
    for spread in (-0.5, 0.0, 0.5):
        drawn += line([(x0, y0), (x1 + nx * spread, y1 + ny * spread)], colour, 5)
    return drawn


def _scales(at: Point, size: float, colour: str) -> str:
    """Feathers of a body as a slanting net."""
    drawn = ""
    for k in (-0.6, -0.2, 0.2, 0.6):
        for side in (-1, 1):
            ends = [
                (at[0] + size * (k - 0.4 * side), at[1] - size * 0.4),
                (at[0] + size * (k + 0.4 * side), at[1] + size * 0.4),
            ]
            drawn += line(ends, colour, 4)
    return drawn


def _perched(inks: Inks, chance: random.Random) -> str:
    """A peacock seen from the side: a round of eyes raised behind it, lined wings, a crest, thin red feet."""
    paints = _paints(inks, chance)
    long, wide = chance.uniform(74, 124), chance.uniform(58, 100)
    taper, middle = chance.uniform(-0.35, 0.35), -chance.uniform(64, 92)

    def inside(x: float, y: float) -> bool:
        t = (y - middle) / long
        return abs(t) < 1 and abs(x) < wide * (1 + taper * t) * math.sqrt(1 - t * t)

    tips = _fringe((150, 200 + middle), wide, long, paints[2], chance) if chance.random() < 0.5 else ""
    drawn = tips + _rosettes(inside, chance.uniform(24, 54), paints[2], inks, chance)
    side = chance.choice((-1, 1))
    body = (150 + chance.uniform(-20, 20), 200 + middle + long + chance.uniform(4, 40))
    for turn in (-1, 1):
        end = (body[0] + turn * chance.uniform(60, 104), body[1] + chance.uniform(-20, 60))
        drawn += _wing(body, end, chance.uniform(0.25, 0.5), paints[1], inks, lines=chance.randint(2, 4))
    size, light = chance.uniform(26, 44), chance.random() < 0.5
    egg = leaf(
        (body[0] + side * size * 1.3, body[1] - size * 0.7), (body[0] - side * size, body[1] + size * 1.3), size * 1.2
    )
    drawn += shape(egg, inks.paper if light else paints[0]) + stroke(egg, paints[0], 7)
    if chance.random() < 0.5:
        drawn += _scales(body, size, paints[0] if light else inks.paper)
    head = (body[0] + side * chance.uniform(40, 84), body[1] - chance.uniform(0, 50))
    neck = [(body[0] + side * size * 0.5, body[1]), head]
    drawn += line(neck, paints[0], 22) + (line(neck, inks.paper, 9) if light else "")
    drawn += _head(head, chance.uniform(10, 16), paints, inks, chance)
    for _ in range(chance.randint(0, 4)):
        tip = (body[0] - side * chance.uniform(60, 120), body[1] - chance.uniform(-10, 60))
        drawn += line([(body[0] - side * size, body[1]), tip], paints[1], 6)
    top = body[1] + size
    return drawn + _legs((body[0], min(top, 352)), min(max(372 - top, 16), chance.uniform(30, 80)), inks, chance)


def _train(inks: Inks, chance: random.Random) -> str:
    """A peacock in profile whose train of eyes hangs down behind it."""
    paints = _paints(inks, chance)
    side = chance.choice((-1, 1))
    body = (150 - side * chance.uniform(0, 40), chance.uniform(130, 180))
    drawn = ""
    for k in range(chance.randint(4, 8)):
        end = (body[0] + side * chance.uniform(10, 120), chance.uniform(250, 380))
        bend = f"{number(body[0] + side * chance.uniform(20, 90))} {number(body[1] + 30)}"
        data = f"M{number(body[0])} {number(body[1])}Q{bend} {number(end[0])} {number(end[1])}"
        drawn += stroke(data, paints[2], chance.uniform(7, 14))
        if k % 2 == 0:
            drawn += disc(end, chance.uniform(12, 20), paints[2]) + disc(end, 6, chance.choice((inks.red, inks.paper)))
    drawn += shape(leaf((body[0] - side * 50, body[1] - 50), (body[0] + side * 60, body[1] + 60), 54), paints[0])
    drawn += _wing(body, (body[0] + side * 70, body[1] + 70), 0.4, paints[1], inks, lines=3)
    head = (body[0] - side * chance.uniform(30, 80), body[1] - chance.uniform(50, 100))
    drawn += line([body, head], paints[0], 22) + _head(head, chance.uniform(14, 22), paints, inks, chance)
    return drawn + _legs((body[0], body[1] + 50), chance.uniform(80, 150), inks, chance)


HABITS = (_perched, _perched, _perched, _perched, _perched, _net_tail, _train, _phoenix, _phoenix, _phoenix, _hen, _fan)
"""How birds of 1s look, the commoner ones more often."""

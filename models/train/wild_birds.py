"""The bird of 1s in endless variety: grown from a seed in one of four habits."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from models.train.ink import Inks, Point, disc, group, leaf, line, number, ring, shape, stroke

Paints = tuple[str, str, str]


def wild_bird(seed: int, inks: Inks) -> str:
    """The 1s of one tile set."""
    chance = random.Random(seed)
    habit: Callable[[Inks, random.Random], str] = chance.choice((_net_tail, _net_tail, _phoenix, _phoenix, _hen, _fan))
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

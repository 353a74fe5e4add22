"""Dots and bamboos in several designs, each drawn by its own small function."""

from __future__ import annotations

import math
from collections.abc import Callable

from models.train.ink import Inks, Point, disc, group, line, number, petals, ring, shape, tag

Dot = Callable[[Point, float, str, Inks], str]
Stick = Callable[[float, float, str, Inks], str]

# ---------------------------------------------------------------- dots


def dot_target(at: Point, r: float, colour: str, _inks: Inks) -> str:
    """Two rings and a centre, the commonest engraved dot."""
    return ring(at, r * 0.88, colour, r * 0.22) + ring(at, r * 0.52, colour, r * 0.17) + disc(at, r * 0.2, colour)


def dot_disc(at: Point, r: float, colour: str, inks: Inks) -> str:
    """A full disc with a fine light ring and a light centre."""
    return disc(at, r, colour) + ring(at, r * 0.68, inks.paper, r * 0.1) + ring(at, r * 0.34, inks.paper, r * 0.1)


def dot_daisy(at: Point, r: float, colour: str, inks: Inks) -> str:
    """A disc full of small light petals, as on old Chinese sets."""
    return (
        disc(at, r, colour)
        + shape(petals(at, 12, r * 0.36, r * 0.86, r * 0.15), inks.paper)
        + ring(at, r * 0.26, inks.paper, r * 0.09)
    )


def dot_riichi(at: Point, r: float, colour: str, _inks: Inks) -> str:
    """A ring of beads around a flower, as on Japanese sets."""
    beads = "".join(
        disc(
            (at[0] + r * 0.66 * math.cos(k * math.pi / 4), at[1] + r * 0.66 * math.sin(k * math.pi / 4)),
            r * 0.13,
            colour,
        )
        for k in range(8)
    )
    return ring(at, r * 0.92, colour, r * 0.14) + beads + shape(petals(at, 4, 0, r * 0.5, r * 0.22), colour)


def dot_plain(at: Point, r: float, colour: str, _inks: Inks) -> str:
    """A thick ring with a dot: cheap printed sets."""
    return ring(at, r * 0.78, colour, r * 0.36) + disc(at, r * 0.28, colour)


def dot_coin(at: Point, r: float, colour: str, inks: Inks) -> str:
    """A ring whose centre is of a second colour."""
    second = inks.red if colour != inks.red else inks.blue
    return ring(at, r * 0.86, colour, r * 0.26) + disc(at, r * 0.5, second) + disc(at, r * 0.2, inks.paper)


def dot_gear(at: Point, r: float, colour: str, inks: Inks) -> str:
    """A scalloped wheel: a wreath of loops around a double ring."""
    loops = "".join(
        ring((at[0] + r * 0.74 * math.cos(a), at[1] + r * 0.74 * math.sin(a)), r * 0.17, colour, r * 0.12)
        for a in (k * math.pi / 6 for k in range(12))
    )
    return loops + ring(at, r * 0.48, colour, r * 0.14) + disc(at, r * 0.2, colour) + disc(at, r * 0.08, inks.paper)


DOTS: dict[str, Dot] = {
    "target": dot_target,
    "disc": dot_disc,
    "daisy": dot_daisy,
    "riichi": dot_riichi,
    "plain": dot_plain,
    "coin": dot_coin,
    "gear": dot_gear,
}


def one_dot_sunflower(inks: Inks) -> str:
    """Petals around a red seal."""
    c = (150, 200)
    return (
        group([shape(petals(c, 14, 76, 138, 27), "none")], stroke=inks.green, stroke_width=11)
        + ring(c, 68, inks.green, 12)
        + disc(c, 51, inks.red)
        + line([(150, 168), (150, 232)], inks.paper, 8)
        + line([(120, 188), (180, 188)], inks.paper, 8)
        + line([(123, 214), (177, 214)], inks.paper, 8)
    )


def one_dot_wheel(inks: Inks) -> str:
    """Concentric rings with teeth in three colours."""
    c = (150, 200)
    return (
        disc(c, 130, inks.blue)
        + shape(petals(c, 20, 84, 124, 11), inks.paper)
        + disc(c, 84, inks.green)
        + ring(c, 74, inks.paper, 7)
        + disc(c, 58, inks.red)
        + shape(petals(c, 8, 16, 53, 12), inks.paper)
        + disc(c, 11, inks.paper)
    )


def one_dot_rings(inks: Inks) -> str:
    """A big target."""
    c = (150, 200)
    return (
        ring(c, 124, inks.blue, 20)
        + ring(c, 92, inks.green, 15)
        + ring(c, 62, inks.red, 14)
        + disc(c, 32, inks.red)
        + disc(c, 13, inks.paper)
    )


def one_dot_riichi(inks: Inks) -> str:
    """Green ring of beads with a red flower, as on Japanese sets."""
    c = (150, 200)
    beads = "".join(
        disc((150 + 84 * math.cos(k * math.pi / 8), 200 + 84 * math.sin(k * math.pi / 8)), 11, inks.green)
        for k in range(16)
    )
    return (
        ring(c, 108, inks.green, 9)
        + beads
        + ring(c, 62, inks.green, 8)
        + shape(petals(c, 8, 8, 56, 17), inks.red)
        + disc(c, 12, inks.paper)
        + disc(c, 6, inks.red)
    )


def one_dot_oval(inks: Inks) -> str:
    """Light petals with dark edges, taller than wide, around a small red seal."""
    c = (150, 200)
    drawn = (
        group([shape(petals(c, 16, 60, 124, 30), inks.paper)], stroke=inks.green, stroke_width=9)
        + ring(c, 122, inks.dark, 9)
        + ring(c, 58, inks.dark, 8)
        + disc(c, 40, inks.red)
        + line([(132, 186), (168, 214)], inks.paper, 7)
        + line([(132, 214), (150, 200)], inks.paper, 7)
    )
    return group([drawn], transform="translate(0 -50) scale(1 1.25)")


def one_dot_bullseye(inks: Inks) -> str:
    """A broad dark ring, a light one and a small red heart."""
    c = (150, 200)
    return ring(c, 92, inks.blue, 56) + ring(c, 84, inks.paper, 8) + disc(c, 34, inks.red) + disc(c, 12, inks.paper)


ONE_DOTS: dict[str, Callable[[Inks], str]] = {
    "sunflower": one_dot_sunflower,
    "wheel": one_dot_wheel,
    "rings": one_dot_rings,
    "riichi": one_dot_riichi,
    "oval": one_dot_oval,
    "bullseye": one_dot_bullseye,
}

DOT_LAYOUT: dict[int, tuple[tuple[int, int, str], ...]] = {
    2: ((150, 105, "g"), (150, 295, "b")),
    3: ((66, 76, "b"), (150, 200, "r"), (234, 324, "g")),
    4: ((78, 98, "b"), (222, 98, "g"), (78, 302, "g"), (222, 302, "b")),
    5: ((78, 88, "b"), (222, 88, "g"), (150, 200, "r"), (78, 312, "g"), (222, 312, "b")),
    6: ((92, 82, "g"), (208, 82, "g"), (92, 208, "r"), (208, 208, "r"), (92, 320, "r"), (208, 320, "r")),
    7: (
        (66, 62, "g"),
        (150, 98, "g"),
        (234, 134, "g"),
        (96, 232, "r"),
        (204, 232, "r"),
        (96, 334, "r"),
        (204, 334, "r"),
    ),
    8: tuple((x, y, "b") for y in (62, 154, 246, 338) for x in (96, 204)),
    9: tuple((x, y, c) for y, c in ((80, "g"), (200, "r"), (320, "b")) for x in (58, 150, 242)),
}
"""Centres and ink of the dots of every number; colours are swapped by the style."""

PACKED_LAYOUT: dict[int, tuple[tuple[int, int, str], ...]] = {
    6: ((98, 64, "g"), (202, 64, "g"), (98, 214, "r"), (202, 214, "r"), (98, 320, "r"), (202, 320, "r")),
    7: (
        (72, 58, "g"),
        (146, 96, "g"),
        (220, 136, "g"),
        (104, 236, "r"),
        (196, 236, "r"),
        (104, 330, "r"),
        (196, 330, "r"),
    ),
    8: tuple((x, y, "b") for y in (56, 152, 248, 344) for x in (102, 198)),
}
"""Where some sets push the dots of one colour together."""

DOT_RADIUS = {2: 78, 3: 60, 4: 63, 5: 56, 6: 54, 7: 46, 8: 46, 9: 46}


def dots(
    rank: int, design: str, one: str, colours: dict[str, str], inks: Inks, *, packed: bool = False, snug: float = 1.0
) -> str:
    """The face of ``rank`` dots.

    Args:
        rank: 1 to 9.
        design: a key of ``DOTS``.
        one: a key of ``ONE_DOTS``.
        colours: CSS colour for the layout letters ``r``, ``g``, ``b``.
        inks: the paints of the set.
        packed: dots of one colour touch (6, 7, 8).
        snug: how much smaller each cluster of one colour is then, 1 not at all.
    """
    if rank == 1:
        return ONE_DOTS[one](inks)
    draw, radius = DOTS[design], DOT_RADIUS[rank]
    layout = PACKED_LAYOUT.get(rank, DOT_LAYOUT[rank]) if packed else DOT_LAYOUT[rank]
    if snug == 1 or layout is not PACKED_LAYOUT.get(rank):
        return "".join(draw((x, y), radius, colours[c], inks) for x, y, c in layout)
    drawn = ""
    for colour in dict.fromkeys(c for _, _, c in layout):
        places = [(x, y) for x, y, c in layout if c == colour]
        cx, cy = sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)
        for x, y in places:
            at = (cx + (x - cx) * snug, cy + (y - cy) * snug)
            drawn += draw(at, radius * snug, colours[colour], inks)
    return drawn


# ---------------------------------------------------------------- bamboos


def stick_capsule(length: float, width: float, colour: str, inks: Inks) -> str:
    """Two rounded joints with a light slit."""
    half = length / 2
    return (
        tag("rect", x=-width / 2, y=-half, width=width, height=half * 1.04, rx=width * 0.42, fill=colour)
        + tag("rect", x=-width / 2, y=-half * 0.04, width=width, height=half * 1.04, rx=width * 0.42, fill=colour)
        + line([(0, -half * 0.72), (0, -half * 0.28)], inks.paper, width * 0.2)
        + line([(0, half * 0.28), (0, half * 0.72)], inks.paper, width * 0.2)
    )


def stick_bone(length: float, width: float, colour: str, _inks: Inks) -> str:
    """A stem with flared ends and a knot, as on old Chinese sets."""
    half, w = length / 2, width / 2
    side = f"Q{number(w * 0.35)} {number(-half * 0.5)} {number(w * 0.5)} 0Q{number(w * 0.35)} {number(half * 0.5)} "
    body = (
        f"M{number(-w)} {number(-half)}L{number(w)} {number(-half)}L{number(w * 0.5)} {number(-half * 0.78)}{side}"
        f"{number(w * 0.5)} {number(half * 0.78)}L{number(w)} {number(half)}L{number(-w)} {number(half)}"
        f"L{number(-w * 0.5)} {number(half * 0.78)}Q{number(-w * 0.35)} {number(half * 0.5)} {number(-w * 0.5)} 0"
        f"Q{number(-w * 0.35)} {number(-half * 0.5)} {number(-w * 0.5)} {number(-half * 0.78)}Z"
    )
    return shape(body, colour) + tag(
        "rect", x=-w * 0.9, y=-half * 0.1, width=w * 1.8, height=half * 0.2, rx=w * 0.2, fill=colour
    )


def stick_riichi(length: float, width: float, colour: str, inks: Inks) -> str:
    """A stem with three knots and a light line."""
    half = length / 2
    knots = "".join(
        tag("rect", x=-width / 2, y=y - length * 0.07, width=width, height=length * 0.14, rx=length * 0.06, fill=colour)
        for y in (-half + length * 0.07, 0.0, half - length * 0.07)
    )
    stem = tag("rect", x=-width * 0.33, y=-half, width=width * 0.66, height=length, rx=width * 0.2, fill=colour)
    return stem + knots + line([(0, -half * 0.7), (0, half * 0.7)], inks.paper, width * 0.12)


def stick_outline(length: float, width: float, colour: str, _inks: Inks) -> str:
    """Only the contour of two joints."""
    half = length / 2
    joints = [
        tag("rect", x=-width * 0.4, y=y, width=width * 0.8, height=half * 0.9, rx=width * 0.34)
        for y in (-half * 0.96, half * 0.06)
    ]
    return group(joints, fill="none", stroke=colour, stroke_width=width * 0.24) + line(
        [(-width * 0.4, 0), (width * 0.4, 0)], colour, width * 0.22
    )


def stick_bar(length: float, width: float, colour: str, _inks: Inks) -> str:
    """A plain bar with a waist: printed sets."""
    half = length / 2
    return tag("rect", x=-width * 0.4, y=-half, width=width * 0.8, height=length, rx=width * 0.25, fill=colour) + tag(
        "rect", x=-width * 0.52, y=-half * 0.13, width=width * 1.04, height=half * 0.26, rx=width * 0.12, fill=colour
    )


STICKS: dict[str, Stick] = {
    "capsule": stick_capsule,
    "bone": stick_bone,
    "riichi": stick_riichi,
    "outline": stick_outline,
    "bar": stick_bar,
}


def _grid(columns: tuple[int, ...], rows: tuple[int, ...], colours: str) -> tuple[tuple[int, int, str], ...]:
    return tuple((x, y, colours[k % len(colours)]) for y in rows for k, x in enumerate(columns))


STICK_LAYOUT: dict[int, tuple[tuple[int, int, str], ...]] = {
    2: ((150, 108, "b"), (150, 292, "g")),
    3: ((150, 108, "b"), (85, 292, "g"), (215, 292, "g")),
    4: _grid((85, 215), (108, 292), "gb"),
    5: ((72, 104, "g"), (228, 104, "b"), (150, 200, "r"), (72, 296, "b"), (228, 296, "g")),
    6: _grid((64, 150, 236), (108, 292), "g"),
    7: ((150, 72, "r"), *_grid((64, 150, 236), (200, 324), "gbg")),
    9: _grid((64, 150, 236), (72, 200, 328), "grb"),
}
"""Centre and ink of every stick; 8 is drawn by ``eight_sticks``."""

STICK_LENGTH = {2: 158, 3: 158, 4: 158, 5: 150, 6: 158, 7: 112, 9: 112}


def eight_sticks(draw: Stick, colours: dict[str, str], inks: Inks, m_above_w: bool) -> str:
    """Eight bamboos: a W over an M (or the other way round), not two rows of four."""
    parts = []
    for top, is_w in ((True, not m_above_w), (False, m_above_w)):
        y = 108 if top else 292
        for x in (40, 260):
            parts.append(group([draw(168, 44, colours["g"], inks)], transform=f"translate({x} {y})"))
        lean = 32 if is_w else -32
        for x, sign in ((110, -1), (190, 1)):
            turn = f"translate({x} {y}) rotate({-sign * lean})"
            parts.append(group([draw(150, 42, colours["b"], inks)], transform=turn))
    return "".join(parts)


def sticks(
    rank: int, design: str, colours: dict[str, str], inks: Inks, *, m_above_w: bool = False, rows_coloured: bool = False
) -> str:
    """The face of ``rank`` bamboos, 2 to 9 (the bird of 1s is in ``picture_art``).

    Args:
        rank: 2 to 9.
        design: a key of ``STICKS``.
        colours: CSS colour for the layout letters ``r``, ``g``, ``b``.
        inks: the paints of the set.
        m_above_w: form of the eight.
        rows_coloured: the nine (and six) is coloured by row instead of by column.
    """
    draw = STICKS[design]
    if rank == 8:
        return eight_sticks(draw, colours, inks, m_above_w)
    length = STICK_LENGTH[rank]
    width = 54.0 if length > 120 else 50.0
    layout = STICK_LAYOUT[rank]
    if rows_coloured and rank in (6, 9):
        rows = sorted({y for _, y, _ in layout})
        layout = tuple((x, y, ("grb" if rank == 9 else "gb")[rows.index(y)]) for x, y, _ in layout)
    return "".join(
        group([draw(length, width, colours[c], inks)], transform=f"translate({number(x)} {number(y)})")
        for x, y, c in layout
    )

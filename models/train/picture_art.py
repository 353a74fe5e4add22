"""Pictures on tiles: the bird of 1s and the plants of the flower tiles."""

from __future__ import annotations

import math
from collections.abc import Callable

from models.train.ink import Inks, Point, disc, leaf, line, petals, ring, shape, stroke

# ---------------------------------------------------------------- the bird of 1s


def bird_sparrow(inks: Inks) -> str:
    """A bird in flight with a red tail, open wing and raised head."""
    tail = leaf((165, 235), (262, 372), 26) + leaf((160, 240), (228, 378), 20)
    wing = leaf((118, 160), (30, 250), 34) + leaf((135, 175), (62, 300), 30)
    return (
        shape(tail, inks.red)
        + shape(leaf((140, 225), (100, 372), 22) + leaf((150, 235), (150, 380), 16), inks.green)
        + shape(wing, inks.green)
        + shape("M92 128Q150 118 205 165Q238 205 196 246Q150 268 118 226Q94 180 92 128Z", inks.blue)
        + stroke("M120 150Q165 160 190 205M118 175Q150 185 168 222", inks.paper, 7)
        + shape("M70 60Q118 42 138 84Q146 118 118 138Q92 142 80 116Z", inks.red)
        + shape("M74 70L22 92L78 102Z", inks.red)
        + stroke("M112 50Q132 22 160 30M124 58Q150 40 176 54", inks.green, 9)
        + disc((104, 84), 9, inks.paper)
        + disc((104, 84), 4, inks.dark)
        + stroke("M204 168Q250 140 232 104Q226 84 250 72", inks.green, 10)
    )


def bird_peacock(inks: Inks) -> str:
    """A peacock with a fan of eyes above its body."""
    fan = ""
    for row, (radius, count) in enumerate(((128, 7), (84, 5))):
        for k in range(count):
            angle = math.pi * (1.06 - 1.12 * k / (count - 1))
            at = (150 + radius * math.cos(angle), 190 - radius * math.sin(angle))
            fan += line([(150, 215), at], inks.green, 7)
            fan += disc(at, 24 - 2 * row, inks.green) + disc(at, 14, inks.paper)
            fan += disc(at, 8, inks.red if (k + row) % 2 else inks.blue)
    return (
        fan
        + shape("M96 232Q150 196 222 232Q236 284 176 312Q116 314 90 272Z", inks.blue)
        + shape(leaf((120, 240), (252, 300), 30), inks.green)
        + shape("M104 250Q74 214 84 176Q98 160 114 176Q118 206 140 240Z", inks.blue)
        + disc((96, 178), 22, inks.blue)
        + shape("M80 170L46 186L82 190Z", inks.red)
        + disc((94, 174), 7, inks.paper)
        + stroke("M96 156L84 134M102 155L102 130M108 157L120 136", inks.red, 6)
        + line([(140, 310), (134, 362)], inks.red, 9)
        + line([(170, 310), (172, 362)], inks.red, 9)
        + line([(116, 366), (150, 366)], inks.red, 8)
        + line([(156, 366), (192, 366)], inks.red, 8)
    )


def bird_crane(inks: Inks) -> str:
    """A standing bird in outline, seen from the side, with a long tail."""
    feathers = "".join(
        stroke(f"M150 220Q{190 + 14 * k} {200 + 30 * k} {212 + 16 * k} {348 - 46 * k}", colour, 13)
        for k, colour in enumerate((inks.green, inks.blue, inks.green))
    )
    return (
        feathers
        + stroke("M92 96Q70 160 112 216Q150 262 190 232Q176 168 120 152", inks.green, 14)
        + stroke("M112 176Q140 180 164 214M104 196Q128 204 144 236", inks.blue, 9)
        + disc((98, 82), 30, inks.red)
        + disc((94, 78), 9, inks.paper)
        + shape("M72 74L24 96L76 100Z", inks.green)
        + stroke("M104 52Q110 30 134 26M116 58Q130 40 152 44", inks.red, 9)
        + stroke("M132 248L122 352L92 366M122 352L148 368", inks.red, 10)
        + stroke("M158 248L166 352L192 366", inks.red, 10)
    )


def bird_riichi(inks: Inks) -> str:
    """A frontal peacock: round tail behind a slim body, as on Japanese sets."""
    tail = "".join(
        shape(leaf((150, 250), (150 + 150 * math.sin(a), 230 - 176 * math.cos(a)), 17), c)
        for a, c in (
            (-0.9, inks.green),
            (-0.6, inks.green),
            (-0.3, inks.green),
            (0, inks.green),
            (0.3, inks.green),
            (0.6, inks.green),
            (0.9, inks.green),
            (-0.45, inks.red),
            (0.45, inks.red),
        )
    )
    return (
        tail
        + shape("M150 118Q196 200 176 300Q150 352 124 300Q104 200 150 118Z", inks.paper)
        + stroke("M150 118Q196 200 176 300Q150 352 124 300Q104 200 150 118Z", inks.green, 10)
        + shape("M150 190Q176 240 164 296Q150 318 136 296Q124 240 150 190Z", inks.red)
        + disc((150, 128), 26, inks.green)
        + disc((141, 124), 6, inks.paper)
        + disc((159, 124), 6, inks.paper)
        + shape("M142 138L158 138L150 164Z", inks.red)
        + stroke("M136 330L128 374M164 330L172 374M112 376L146 376M156 376L190 376", inks.red, 8)
    )


BIRDS: dict[str, Callable[[Inks], str]] = {
    "sparrow": bird_sparrow,
    "peacock": bird_peacock,
    "crane": bird_crane,
    "riichi": bird_riichi,
}

# ---------------------------------------------------------------- plants of the flower tiles


def _blossom(at: Point, size: float, colour: str, inks: Inks, count: int = 5) -> str:
    return shape(petals(at, count, size * 0.1, size, size * 0.62), colour) + disc(at, size * 0.24, inks.paper)


def _twig(data: str, leaves: tuple[tuple[Point, Point], ...], inks: Inks) -> str:
    blades = "".join(leaf(a, b, 13) for a, b in leaves)
    return stroke(data, inks.green, 9) + shape(blades, inks.green)


def spring(inks: Inks, flower: str) -> str:
    """A rising twig with a peony."""
    twig = _twig(
        "M160 300Q120 240 150 190Q176 150 140 92",
        (
            ((148, 200), (76, 168)),
            ((150, 150), (214, 128)),
            ((140, 96), (100, 60)),
            ((156, 290), (84, 330)),
            ((162, 296), (236, 326)),
            ((160, 300), (168, 372)),
        ),
        inks,
    )
    return twig + _blossom((158, 256), 46, flower, inks, 6) + ring((158, 256), 20, flower, 8)


def summer(inks: Inks, flower: str) -> str:
    """A lotus above a leaf on a long stem."""
    lotus = "".join(
        leaf((150, 210), (150 + dx, 210 - dy), 24) for dx, dy in ((0, 96), (-52, 80), (52, 80), (-86, 44), (86, 44))
    )
    return (
        stroke("M150 214Q136 290 168 372", inks.green, 10)
        + shape("M60 318Q150 268 240 318Q196 352 150 340Q100 352 60 318Z", inks.green)
        + stroke("M88 318L212 318M150 290L150 338", inks.paper, 5)
        + shape(lotus, flower)
        + disc((150, 204), 15, inks.paper)
    )


def autumn(inks: Inks, flower: str) -> str:
    """A low plant with one round flower and wide leaves."""
    twig = _twig(
        "M152 372Q150 300 150 236",
        (((150, 330), (58, 296)), ((150, 330), (244, 296)), ((150, 356), (70, 364)), ((150, 356), (232, 364))),
        inks,
    )
    many = shape(petals((150, 190), 12, 14, 66, 15), flower)
    return twig + many + disc((150, 190), 18, flower) + ring((150, 190), 12, inks.paper, 5)


def winter(inks: Inks, flower: str) -> str:
    """A bare branch with three small blossoms."""
    return (
        stroke("M66 372Q110 300 140 268Q190 220 206 106M140 268Q110 220 76 208M186 208Q230 190 248 156", inks.green, 11)
        + _blossom((200, 120), 34, flower, inks)
        + _blossom((92, 206), 32, flower, inks)
        + _blossom((158, 258), 38, flower, inks)
        + disc((244, 160), 13, flower)
        + disc((112, 316), 10, flower)
    )


def plum(inks: Inks, flower: str) -> str:
    """A crooked plum branch with five-petalled blossoms."""
    return (
        stroke("M230 372Q190 322 150 300Q96 268 108 206Q116 162 92 116M128 270Q180 246 206 196", inks.dark, 11)
        + _blossom((98, 128), 36, flower, inks)
        + _blossom((208, 190), 40, flower, inks)
        + _blossom((122, 224), 32, flower, inks)
        + disc((168, 302), 14, flower)
        + disc((74, 176), 11, flower)
    )


def orchid(inks: Inks, flower: str) -> str:
    """Long bent blades with a small flower."""
    blades = (
        "M150 366Q120 240 60 176",
        "M152 366Q150 220 176 104",
        "M156 366Q190 250 254 210",
        "M148 366Q96 320 40 316",
        "M158 366Q206 322 262 326",
    )
    return (
        "".join(stroke(b, inks.green, 11) for b in blades)
        + stroke("M150 330Q126 250 116 190", inks.green, 6)
        + shape(petals((114, 176), 5, 4, 40, 15), flower)
        + disc((114, 176), 9, inks.paper)
    )


def bamboo_plant(inks: Inks, flower: str) -> str:
    """Two jointed stalks with pointed leaves."""
    del flower
    stalks = "".join(
        line([(x0 + (x1 - x0) * t, 372 - 282 * t), (x0 + (x1 - x0) * (t + 0.21), 372 - 282 * (t + 0.21))], colour, 15)
        for x0, x1, colour in ((128, 168, inks.blue), (186, 214, inks.green))
        for t in (0.0, 0.25, 0.5, 0.75)
    )
    leaves = "".join(
        leaf(a, b, 11)
        for a, b in (
            ((150, 230), (78, 262)),
            ((150, 230), (92, 296)),
            ((150, 230), (66, 222)),
            ((196, 200), (258, 230)),
            ((196, 200), (250, 262)),
            ((162, 140), (100, 150)),
            ((162, 140), (108, 186)),
            ((206, 300), (266, 318)),
        )
    )
    return stalks + shape(leaves, inks.green)


def chrysanthemum(inks: Inks, flower: str) -> str:
    """A full flower of narrow petals over feathered leaves."""
    return (
        _twig(
            "M150 240Q158 310 146 374",
            (((152, 290), (76, 262)), ((152, 290), (226, 258)), ((150, 330), (70, 340)), ((150, 330), (232, 338))),
            inks,
        )
        + shape(petals((150, 186), 18, 20, 78, 9), flower)
        + shape(petals((150, 186), 9, 4, 40, 9), inks.paper)
        + disc((150, 186), 12, flower)
    )


PLANTS: dict[str, Callable[[Inks, str], str]] = {
    "1f": spring,
    "2f": summer,
    "3f": autumn,
    "4f": winter,
    "5f": plum,
    "6f": orchid,
    "7f": bamboo_plant,
    "8f": chrysanthemum,
}

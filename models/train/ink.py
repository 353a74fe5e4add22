"""Pieces of SVG from which tile faces are built; pure text, no drawing library."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 300, 400
"""Face units: every face is drawn on a canvas of 300 x 400, y down."""

Point = tuple[float, float]


def number(value: float) -> str:
    """A coordinate with at most one decimal and nothing superfluous."""
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def tag(name: str, **attributes: float | str) -> str:
    """One empty SVG element; underscores in attribute names become hyphens."""
    words = [
        f'{key.rstrip("_").replace("_", "-")}="{number(value) if isinstance(value, float | int) else value}"'
        for key, value in attributes.items()
    ]
    return f"<{name} {' '.join(words)}/>"


def group(parts: Iterable[str], **attributes: float | str) -> str:
    """A group around parts, e.g. to share a colour or a transform."""
    return f"{tag('g', **attributes)[:-2]}>{''.join(parts)}</g>"


def disc(at: Point, radius: float, colour: str) -> str:
    """A filled circle."""
    return tag("circle", cx=at[0], cy=at[1], r=radius, fill=colour)


def ring(at: Point, radius: float, colour: str, width: float) -> str:
    """An open circle; ``radius`` runs through the middle of the line."""
    return tag("circle", cx=at[0], cy=at[1], r=radius, fill="none", stroke=colour, stroke_width=width)


def line(points: Sequence[Point], colour: str, width: float) -> str:
    """A polyline with round ends."""
    data = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return stroke(data, colour, width)


def stroke(data: str, colour: str, width: float) -> str:
    """An open path with round ends and joints."""
    return tag(
        "path", d=data, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round", stroke_linejoin="round"
    )


def shape(data: str, colour: str) -> str:
    """A filled path."""
    return tag("path", d=data, fill=colour)


def petals(at: Point, count: int, inner: float, outer: float, width: float) -> str:
    """Path data of ``count`` leaf-shaped petals between two radii."""
    parts = []
    for k in range(count):
        angle = 2 * math.pi * k / count
        c, s = math.cos(angle), math.sin(angle)

        def place(r: float, t: float, c: float = c, s: float = s) -> str:
            return f"{number(at[0] + r * c - t * s)} {number(at[1] + r * s + t * c)}"

        middle = (inner + outer) / 2
        parts.append(
            f"M{place(inner, 0)}Q{place(middle, width)} {place(outer, 0)}Q{place(middle, -width)} {place(inner, 0)}Z"
        )
    return "".join(parts)


def leaf(start: Point, end: Point, width: float) -> str:
    """Path data of one pointed leaf from ``start`` to ``end``."""
    (x0, y0), (x1, y1) = start, end
    nx, ny = -(y1 - y0), x1 - x0
    length = math.hypot(nx, ny) or 1.0
    nx, ny = nx / length * width, ny / length * width
    mx, my = x0 + (x1 - x0) * 0.45, y0 + (y1 - y0) * 0.45
    return (
        f"M{number(x0)} {number(y0)}Q{number(mx + nx)} {number(my + ny)} {number(x1)} {number(y1)}"
        f"Q{number(mx - nx)} {number(my - ny)} {number(x0)} {number(y0)}Z"
    )


@dataclass(frozen=True, slots=True)
class Inks:
    """The paints of one tile set, as CSS colours.

    Attributes:
        red: 中, 萬, the middle dots.
        green: 發, bamboos.
        blue: winds, numbers of the characters.
        dark: outlines and index numerals.
        paper: colour that shines through inside an outline.
    """

    red: str
    green: str
    blue: str
    dark: str
    paper: str

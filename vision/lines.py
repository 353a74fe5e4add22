"""Lines of tiles that touch side by side, from the places of their boxes alone.

The steps: the tiles' common direction at each place, pairs that may be neighbours, the likeliest lines through them,
and lines broken at gaps. Rows may lie in any direction and be seen at a slant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import hypot

import numpy as np
from numpy.typing import NDArray

from vision.types import Floats

WIDE_TO_LONG = 0.72
"""Width of a tile's face divided by its length, for any set on sale."""
REACH = (0.5, 1.6)
"""Distance of two neighbours' middles, in widths of their boxes, for them to be in one line. Where faces are found
without their rounded edges, touching tiles are 1.3 apart; a close camera slants the boxes at the ends of a line."""
ASIDE = 0.4
"""Neighbours in one line lie less than this share of their other extent aside of it."""
FARTHEST = float(np.hypot(REACH[1], ASIDE))
"""Distance of their middles, in their largest extent, that follows from both."""
GAP, WIDEST_GAP = 0.2, 0.4
"""A step longer than the line's usual one by this share of a tile's width is a gap; by more where steps are uneven."""
TOUCHING_COST = 0.35
"""A link that costs less is one of two tiles that touch side by side without a doubt."""
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Tiles:
    """Middles (N, 2), direction of the nearest lines (N,) in radians modulo a quarter turn, and both extents there.

    `along[axis]` (N,) is the extent along an axis (0: the direction itself, 1: square to it), `across[axis]` the other.
    """

    middles: Array
    angles: Array
    along: tuple[Array, Array]
    across: tuple[Array, Array]


@dataclass(frozen=True, slots=True)
class _Link:
    cost: float
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Row:
    """A line of tiles in reading direction, with its middle, unit direction, and a tile's size along and across it."""

    tiles: tuple[int, ...]
    middle: Array
    direction: Array
    wide: float
    long: float

    @property
    def length(self) -> float:
        return self.wide * len(self.tiles)


def find_rows(boxes_xyxy_px: Floats) -> list[Row]:
    """Sorts tiles into rows of touching tiles; a tile on its own is a row of one.

    Args:
        boxes_xyxy_px: float32 (N, 4), at least one.

    Returns:
        Rows that hold every tile exactly once, each in reading direction: left to right, steep rows top to bottom.
    """
    tiles = _measure(boxes_xyxy_px.astype(np.float64))
    links = _links(tiles)
    lines = _with_double_tiles(tiles, _split(tiles, _lines(tiles, links)), links)
    return [_row(tiles, line) for line in lines]


def _measure(boxes: Array) -> _Tiles:
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    angles = _directions(middles)
    sides = boxes[:, 2:] - boxes[:, :2]
    both = [extents(sides, angles + axis * np.pi / 2) for axis in (0, 1)]
    return _Tiles(middles, angles, (both[0][0], both[1][0]), (both[0][1], both[1][1]))


def _directions(middles: Array) -> Array:
    """Direction of the lines around each tile, from its nearest neighbours, modulo a quarter turn, smoothed once.

    Neighbours in a line and neighbours in the next line agree modulo a quarter turn, so directions are averaged as
    complex numbers turned by four times their angle.
    """
    count = len(middles)
    if count < 2:
        return np.zeros(count)
    offsets = middles[None] - middles[:, None]
    distance = np.hypot(offsets[..., 0], offsets[..., 1])
    np.fill_diagonal(distance, np.inf)
    near = np.argsort(distance, axis=1)[:, :3]
    rank = np.take_along_axis(distance, near, axis=1)
    weight = (rank[:, :1] / np.maximum(rank, 1e-6)) ** 4  # a neighbour at twice the distance hardly counts
    ways = np.take_along_axis(offsets, near[..., None], axis=1)
    own = (np.exp(4j * np.arctan2(ways[..., 1], ways[..., 0])) * weight).sum(axis=1)
    smooth = own + (own[near] * weight).sum(axis=1)
    angles: Array = np.angle(smooth) / 4
    return angles


def extents(sides: Array, angles: Array) -> tuple[Array, Array]:
    """Extent of each tile along and across a direction, from the box around it.

    The box around a turned tile mixes both extents; at 45 degrees it only tells their sum, so the usual proportion of a
    tile standing side by side with its neighbour is added as a weak third equation.
    """
    cos, sin = np.abs(np.cos(angles)), np.abs(np.sin(angles))
    mixed = 2 * cos * sin
    seen_along = sides[:, 0] * cos + sides[:, 1] * sin
    seen_across = sides[:, 0] * sin + sides[:, 1] * cos
    weak = 0.1
    a11, a22 = 1 + mixed**2 + weak, 1 + mixed**2 + weak * WIDE_TO_LONG**2
    a12 = 2 * mixed - weak * WIDE_TO_LONG
    b1, b2 = seen_along + mixed * seen_across, seen_across + mixed * seen_along
    scale = a11 * a22 - a12**2
    return (a22 * b1 - a12 * b2) / scale, (a11 * b2 - a12 * b1) / scale


def _lines(tiles: _Tiles, links: list[_Link]) -> list[list[int]]:
    """Lines of neighbouring tiles, best links first; each tile has at most one neighbour at either side."""
    middles: list[tuple[float, float]] = [(float(x), float(y)) for x, y in tiles.middles]
    neighbours: list[list[int]] = [[] for _ in middles]
    ends = list(range(len(middles)))  # the line each tile belongs to, so that no line closes to a ring

    def line_of(tile: int) -> int:
        while ends[tile] != tile:
            tile = ends[tile]
        return tile

    def fits(tile: int, other: int) -> bool:
        if len(neighbours[tile]) >= 2:
            return False
        (x, y), (ahead_x, ahead_y) = middles[tile], middles[other]
        for known in neighbours[tile]:
            behind_x, behind_y = middles[known]
            ahead, behind = (ahead_x - x, ahead_y - y), (behind_x - x, behind_y - y)
            if ahead[0] * behind[0] + ahead[1] * behind[1] > -0.85 * hypot(*ahead) * hypot(*behind):
                return False
        return True

    for link in sorted(links, key=lambda link: link.cost):
        first, second = link.first, link.second
        if line_of(first) != line_of(second) and fits(first, second) and fits(second, first):
            neighbours[first].append(second)
            neighbours[second].append(first)
            ends[line_of(first)] = line_of(second)
    lines: list[list[int]] = []
    seen: set[int] = set()
    for start in range(len(neighbours)):
        if start not in seen and len(neighbours[start]) < 2:
            line = _walk(start, neighbours)
            seen.update(line)
            lines.append(line)
    return lines


def _links(tiles: _Tiles) -> list[_Link]:
    """Every pair of tiles that could stand side by side, with how unlikely that looks."""
    links: list[_Link] = []
    count = len(tiles.middles)
    first, second = np.triu_indices(count, 1)
    offset = tiles.middles[second] - tiles.middles[first]
    largest = np.max([*tiles.along, *tiles.across], axis=0)
    near = np.hypot(*offset.T) < FARTHEST * np.maximum(largest[first], largest[second])  # of all pairs, a few
    first, second, offset = first[near], second[near], offset[near]
    turn = np.exp(1j * tiles.angles)
    # the mean direction of the two, with the second turned into the quadrant of the first
    quarter = np.rint((tiles.angles[first] - tiles.angles[second]) / (np.pi / 2))
    mean = np.angle(turn[first] + turn[second] * np.exp(1j * quarter * np.pi / 2))
    for axis in (0, 1):
        cos, sin = np.cos(mean + axis * np.pi / 2), np.sin(mean + axis * np.pi / 2)
        # where the second was turned by an odd number of quarters, its other axis is meant
        odd = (quarter.astype(int) % 2).astype(bool)
        along_second = np.where(odd, tiles.along[1 - axis][second], tiles.along[axis][second])
        across_second = np.where(odd, tiles.across[1 - axis][second], tiles.across[axis][second])
        along = (tiles.along[axis][first] + along_second) / 2
        across = (tiles.across[axis][first] + across_second) / 2
        step = np.abs(offset[:, 0] * cos + offset[:, 1] * sin) / along
        aside = np.abs(-offset[:, 0] * sin + offset[:, 1] * cos) / across
        size = np.sqrt(
            tiles.along[axis][first] * tiles.across[axis][first] / np.maximum(along_second * across_second, 1e-6)
        )
        good = (step > REACH[0]) & (step < REACH[1]) & (aside < ASIDE) & (size > 0.7) & (size < 1 / 0.7)
        # side by side is likelier than end to end; where a low camera makes both look alike, lines lie level
        cost = np.abs(step - 1) + aside / 2 + np.maximum(0, along / across - 1) + 0.1 * np.abs(sin)
        for place in np.flatnonzero(good):
            links.append(_Link(float(cost[place]), int(first[place]), int(second[place])))
    return links


def _walk(start: int, neighbours: Sequence[Sequence[int]]) -> list[int]:
    line, before = [start], -1
    while True:
        ahead = [tile for tile in neighbours[line[-1]] if tile != before]
        if not ahead:
            return line
        before = line[-1]
        line.append(ahead[0])


def _split(tiles: _Tiles, lines: list[list[int]]) -> list[list[int]]:
    """Breaks lines where the way to the next tile is clearly longer than usual thereabouts.

    A line of two has nothing to compare with but the rest of the picture.
    """
    rows = [_row(tiles, line) for line in lines]
    gaps = [_gaps(tiles, row) for row in rows]
    relative = np.concatenate([row_gaps / row.wide for row_gaps, row in zip(gaps, rows, strict=True)])
    common = _quantile(relative, 0.3) if len(relative) else 0.0
    pieces: list[list[int]] = []
    for row, row_gaps in zip(rows, gaps, strict=True):
        limit = _least_gap(row_gaps / row.wide)
        pieces.append([row.tiles[0]])
        for place, tile in enumerate(row.tiles[1:]):
            near = row_gaps[max(0, place - 3) : place + 4]  # perspective widens the steps from one end to the other
            usual = _quantile(near, 0.3) if len(near) > 1 else common * row.wide
            if row_gaps[place] - usual > limit * min(row.wide, row.wide + usual):
                pieces.append([])
            pieces[-1].append(tile)
    return pieces


def _with_double_tiles(tiles: _Tiles, lines: list[list[int]], links: list[_Link]) -> list[list[int]]:
    """Joins what belongs to a line of three in which one place holds two tiles, one behind the other.

    That is how a fourth tile is added to a meld: laid beside the turned one, across the line.
    """
    near: dict[int, set[int]] = {}
    for link in links:
        near.setdefault(link.first, set()).add(link.second)
        near.setdefault(link.second, set()).add(link.first)
    touching = {(link.first, link.second) for link in links if link.cost < TOUCHING_COST}
    home = {tile: line for line in lines for tile in line}
    for place, around in near.items():
        for behind, second in permutations(sorted(around), 2):
            if len(home[place]) > 3 or len(home[behind]) > 2:  # a longer line would not be part of the four
                continue
            if (min(place, behind), max(place, behind)) not in touching:
                continue
            for third in sorted((around | near[second]) - {place, behind, second}):
                four = {place, behind, second, third}
                if {tile for member in four for tile in home[member]} == four:
                    line = _double_line(tiles, place, behind, (second, third))
                    home.update(dict.fromkeys(four if line else (), line))
    return [list(line) for line in {tuple(line): None for line in home.values()}]


def _double_line(tiles: _Tiles, place: int, behind: int, others: tuple[int, int]) -> list[int]:
    """The line of four if two others lie in line with `place`, and `behind` lies across that line; else empty."""
    second, third, across = (_unit(tiles.middles[tile] - tiles.middles[place]) for tile in (*others, behind))
    if abs(second @ across) > 0.5 or abs(third @ across) > 0.5:
        return []
    if second @ third < -0.85:
        return [others[0], place, behind, others[1]]
    return [place, behind, *others] if second @ third > 0.97 else []


def _unit(offset: Array) -> Array:
    length: Array = offset / np.hypot(*offset)
    return length


def _least_gap(steps: Array) -> float:
    """How much longer than usual a step of this line must be to count as a gap, in tile widths."""
    uneven = _quantile(steps, 0.5) - _quantile(steps, 0.1) if len(steps) > 3 else GAP
    return min(GAP + uneven, WIDEST_GAP)


def _quantile(values: Array, share: float) -> float:
    """As `np.quantile`, which for the few numbers of a line takes a hundred times as long: a whole table asks often."""
    ordered = sorted(values.tolist())
    whole, part = divmod(share * (len(ordered) - 1), 1)
    below, above = ordered[int(whole)], ordered[min(int(whole) + 1, len(ordered) - 1)]
    return float(below + (above - below) * part)


def _gaps(tiles: _Tiles, row: Row) -> Array:
    """Free space in pixels between each tile of a row and the next; below zero where their boxes overlap.

    Box edges are noisy, so each tile counts as exactly one width, or one length where it lies across the row.
    """
    line = list(row.tiles)
    turned = _turned(tiles, line, float(np.arctan2(row.direction[1], row.direction[0])))
    own = np.where(turned, tiles.along[1][line], tiles.along[0][line])
    sizes = np.where(np.abs(own - row.long) < np.abs(own - row.wide), row.long, row.wide)
    distance = np.hypot(*np.diff(tiles.middles[line], axis=0).T)
    gaps: Array = distance - (sizes[1:] + sizes[:-1]) / 2
    return gaps


def _turned(tiles: _Tiles, line: Sequence[int], angle: float) -> NDArray[np.bool_]:
    """Whether a direction is nearer to each tile's second axis than to its first."""
    turned: NDArray[np.bool_] = np.rint((angle - tiles.angles[list(line)]) / (np.pi / 2)).astype(int) % 2 == 1
    return turned


def _row(tiles: _Tiles, line: list[int]) -> Row:
    points = tiles.middles[line]
    if len(line) == 1:
        angle = float(tiles.angles[line[0]])
        if tiles.along[0][line[0]] > tiles.across[0][line[0]]:  # a tile on its own stands upright in its row
            angle += np.pi / 2
    else:
        angle = float(np.arctan2(*(points[-1] - points[0])[::-1]))
    direction = np.array([np.cos(angle), np.sin(angle)])
    if direction[0] < -0.5 or (abs(direction[0]) <= 0.5 and direction[1] < 0):  # right, or down when steep
        direction, line = -direction, line[::-1]
    turned = _turned(tiles, line, angle)
    wide = np.where(turned, tiles.along[1][line], tiles.along[0][line])
    long = np.where(turned, tiles.across[1][line], tiles.across[0][line])
    return Row(tuple(line), points.mean(axis=0), direction, _quantile(wide, 0.5), _quantile(long, 0.5))

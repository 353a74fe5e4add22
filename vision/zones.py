"""Whose place on the table is it: each seat's hand, melds, pond and wall, in table millimetres.

Seat 0 sits at positive y, seat 1 (the next player) to its right, then round counter-clockwise. Two diagonals share the
felt among the seats; bands from the middle to the edge share each seat's part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from vision.calibration import Calibration, Points
from vision.types import Group, PictureReading

ZoneKind = Literal["centre", "pond", "wall", "hand", "melds", "outside"]


@dataclass(frozen=True, slots=True)
class Zone:
    """A place on the table. `seat` is None for the centre and for what lies outside the felt."""

    kind: ZoneKind
    seat: int | None


@dataclass(frozen=True, slots=True)
class ZonePlan:
    """Where the zones end, for one table.

    Attributes:
        size_mm: Width along seat 0's edge and depth of the felt.
        centre: Half of the middle square (machine, dice) as a share of half the felt.
        pond: Where the pond ends and the wall begins, as a share of the way from the middle to the edge.
        wall: Where the wall ends and the player's own strip begins.
        melds: From here to the player's right, the strip holds melds and flowers, not the hand.
    """

    size_mm: tuple[float, float] = (820.0, 820.0)
    centre: float = 0.16
    pond: float = 0.56
    wall: float = 0.72
    melds: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.centre < self.pond < self.wall < 1 or not -1 < self.melds < 1:
            raise ValueError(f"zones must follow each other from the middle to the edge: {self}")

    def zone_of(self, x_mm: float, y_mm: float) -> Zone:
        """The zone of one point in table millimetres; on a border, the one nearer to the edge."""
        right, near = 2 * x_mm / self.size_mm[0], 2 * y_mm / self.size_mm[1]
        if max(abs(right), abs(near)) > 1:
            return Zone("outside", None)
        if max(abs(right), abs(near)) < self.centre:
            return Zone("centre", None)
        seat, (aside, ahead) = max(enumerate(_views(right, near)), key=lambda view: view[1][1])
        if ahead < self.pond:
            return Zone("pond", seat)
        if ahead < self.wall:
            return Zone("wall", seat)
        return Zone("melds" if aside >= self.melds else "hand", seat)


@dataclass(frozen=True, slots=True)
class PlacedGroup:
    """A group of tiles and whose place it lies in.

    Attributes:
        group: The group; its tiles run from left to right as the zone's player sees them (a pond: in discard order).
        zone: Where its middle lies.
        middle_mm: Its middle in table millimetres.
    """

    group: Group
    zone: Zone
    middle_mm: tuple[float, float]


def place_groups(reading: PictureReading, calibration: Calibration, plan: ZonePlan) -> tuple[PlacedGroup, ...]:
    """Says of every group in a picture of the whole table whose it is.

    Args:
        reading: Read from a picture of the size that `calibration` holds for.
        calibration: How the camera sees the table.
        plan: The table's zones.

    Raises:
        ValueError: The picture has another size.
    """
    if (reading.width, reading.height) != calibration.picture_px:
        raise ValueError(f"the calibration holds for {calibration.picture_px}, not {reading.width} x {reading.height}")
    boxes = np.array([tile.box_px for tile in reading.tiles], np.float64).reshape(-1, 4)
    on_table = calibration.to_mm((boxes[:, :2] + boxes[:, 2:]) / 2)
    return tuple(_placed(group, on_table[list(group.tiles)], plan) for group in reading.groups)


def _placed(group: Group, tiles_mm: Points, plan: ZonePlan) -> PlacedGroup:
    x_mm, y_mm = (float(value) for value in tiles_mm.mean(axis=0))
    zone = plan.zone_of(x_mm, y_mm)
    first, last = (_views(float(x), float(y))[zone.seat or 0][0] for x, y in tiles_mm[[0, -1]])
    if group.kind != "pond" and last < first:
        group = Group(group.kind, group.tiles[::-1])
    return PlacedGroup(group, zone, (x_mm, y_mm))


def _views(right: float, near: float) -> tuple[tuple[float, float], ...]:
    """A point as each seat sees it: how far to its right, how far towards its own edge."""
    return (right, near), (-near, right), (-right, -near), (near, -right)

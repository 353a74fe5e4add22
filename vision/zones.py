"""Whose place on the table is it: each seat's hand, melds, pond and wall, in table millimetres.

Seat 0 sits at positive y, seat 1 (the next player) to its right, then round counter-clockwise. Two diagonals share the
felt among the seats; bands from the middle to the edge share each seat's part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeVar

from vision.calibration import Points

Number = TypeVar("Number", float, Points)
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
        seat, (aside, ahead) = max(enumerate(views(right, near)), key=lambda view: view[1][1])
        kind = self.band(ahead)
        return Zone("melds" if kind == "hand" and aside >= self.melds else kind, seat)

    def band(self, ahead: float) -> ZoneKind:
        """The zone by how far a point lies towards its seat's edge, as a share of half the felt."""
        if ahead < self.centre:
            return "centre"
        if ahead < self.pond:
            return "pond"
        return "wall" if ahead < self.wall else "hand"


def views(right: Number, near: Number) -> tuple[tuple[Number, Number], ...]:
    """A point (or many) as each seat sees it: how far to its right, how far towards its own edge."""
    return (right, near), (-near, right), (-right, -near), (near, -right)

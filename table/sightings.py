"""From what was read in a picture of the whole table to a sighting of the hand: who laid what where.

The eyes know tiles and rows, the calibration turns pixels into millimetres, the zones say whose place that is; here the
places get their mahjong names. Nothing is corrected and nothing is guessed: that is the business of `table.follow`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from table.follow.faces import BACK, is_flower
from table.follow.sighting import Glimpse, SeatSighting, Sighting
from vision.calibration import Calibration
from vision.types import PictureReading, TileReading
from vision.zones import ZonePlan

SEATS = 4


@dataclass(frozen=True, slots=True)
class _Lying:
    """A tile on the table: its number in the picture, how far from the middle and to its player's right, in mm."""

    index: int
    ahead_mm: float
    aside_mm: float
    glimpse: Glimpse


def sighting_of(reading: PictureReading, calibration: Calibration, plan: ZonePlan, at_s: float) -> Sighting:
    """What the picture shows of the hand.

    Args:
        reading: of the whole picture.
        calibration: of this camera, turned so that seat 0 is the seat that the game calls 0.
        plan: where the zones end.
        at_s: when the picture was taken, monotonic seconds.
    """
    ponds: list[list[_Lying]] = [[] for _ in range(SEATS)]
    strips: list[list[list[_Lying]]] = [[] for _ in range(SEATS)]
    middles = _middles(reading.tiles, calibration)
    for group in reading.groups:
        by_seat: dict[int, list[_Lying]] = {}
        for index in group.tiles:
            x_mm, y_mm = (float(value) for value in middles[index])
            zone = plan.zone_of(x_mm, y_mm)
            if zone.seat is None:
                continue
            lying = _lying(index, x_mm, y_mm, zone.seat, reading.tiles[index])
            if zone.kind == "pond" and not lying.glimpse.back:
                ponds[zone.seat].append(lying)
            elif zone.kind in ("hand", "melds"):
                by_seat.setdefault(zone.seat, []).append(lying)
        for seat, row in by_seat.items():
            strips[seat].append(sorted(row, key=lambda tile: tile.aside_mm))
    depth_mm = _tile_depth_mm(reading.tiles, calibration)
    seats = tuple(_seat(_pond_order(ponds[seat], depth_mm), strips[seat]) for seat in range(SEATS))
    return Sighting(at_s, seats)


def _middles(
    tiles: Sequence[TileReading], calibration: Calibration
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    boxes = np.array([tile.box_px for tile in tiles], np.float64).reshape(-1, 4)
    return calibration.to_mm((boxes[:, :2] + boxes[:, 2:]) / 2)


def _lying(index: int, x_mm: float, y_mm: float, seat: int, tile: TileReading) -> _Lying:
    ahead, aside = ((y_mm, x_mm), (x_mm, -y_mm), (-y_mm, -x_mm), (-x_mm, y_mm))[seat]
    candidates = ((tile.tile, tile.score), *tile.also)
    return _Lying(index, ahead, aside, Glimpse(candidates, sure=tile.sure == "sure", ref=index))


def _tile_depth_mm(tiles: Sequence[TileReading], calibration: Calibration) -> float:
    """The longer side of a tile on this table, from all that are seen."""
    if not tiles:
        return 0.0
    boxes = np.array([tile.box_px for tile in tiles], np.float64)
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    half = np.max(boxes[:, 2:] - boxes[:, :2], axis=1) / 2
    shift = np.stack([half, np.zeros_like(half)], axis=1)
    lengths = np.hypot(*(calibration.to_mm(middles + shift) - calibration.to_mm(middles - shift)).T)
    return float(np.median(lengths))


def _pond_order(tiles: list[_Lying], depth_mm: float) -> tuple[Glimpse, ...]:
    """Discards as they were made: row after row away from the middle, each from its player's left."""
    rows: list[list[_Lying]] = []
    for tile in sorted(tiles, key=lambda one: one.ahead_mm):
        if rows and tile.ahead_mm - float(np.mean([one.ahead_mm for one in rows[-1]])) < depth_mm / 2:
            rows[-1].append(tile)
        else:
            rows.append([tile])
    return tuple(tile.glimpse for row in rows for tile in sorted(row, key=lambda one: one.aside_mm))


def _seat(pond: tuple[Glimpse, ...], strip: Sequence[Sequence[_Lying]]) -> SeatSighting:
    """What the rows before a player are: flowers, melds, the hand standing, face down or laid open."""
    melds: list[tuple[Glimpse, ...]] = []
    loose: list[Glimpse] = []
    flowers: list[Glimpse] = []
    standing = 0
    for row in sorted(strip, key=lambda tiles: tiles[0].aside_mm):
        flowers += [tile.glimpse for tile in row if _flower(tile.glimpse)]
        tiles = [tile.glimpse for tile in row if not _flower(tile.glimpse)]
        backs = sum(tile.back for tile in tiles)
        if len(tiles) in (3, 4) and (not backs or len(tiles) == 4):
            melds.append(tuple(tiles))
        elif backs:
            standing += len(tiles)
        else:
            loose += tiles
    return SeatSighting(pond, tuple(melds), tuple(flowers), tuple(loose), standing or None)


def _flower(glimpse: Glimpse) -> bool:
    likeliest = glimpse.candidates[0][0]
    return likeliest != BACK and is_flower(likeliest)

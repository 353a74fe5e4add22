"""Looks at the whole table during play: waits for rest, reads, finds the felt, and keeps the picture at hand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from models import load_manifest
from table.follow.sighting import Sighting, Spot
from table.sightings import sighting_of
from table.strips import felt_of, without_people
from vision.calibration import Calibration, turned
from vision.frames import Frame
from vision.memory import FeltReader
from vision.types import Image, PictureReading
from vision.watch import Reader, TableWatch
from vision.zones import ZonePlan

SURE_ALONE = 0.96
"""A face is relied upon from here on; below, every candidate stays possible. Following has this limit of its own in
place of the manifest's *sure*, stricter than for a hand that people look at anyway: an observation is nobody's to
confirm. Of 3,721 faces above 0.9 on rendered tables, most in sets never seen in training, 54 were wrong, all in boxes
that are not of a tile's size; `vision.table_rows` lets none of those pass. All other limits are the manifest's."""

EDGE = 0.6
"""How much of a tile's size is shown around it in a cutting."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A sighting with the picture it comes from, as it may be kept; `boxes` in pixels, by the tile's number in it."""

    sighting: Sighting
    image: Image
    boxes: tuple[Box, ...]

    def cutting(self, spots: tuple[Spot, ...]) -> Image | None:
        """The part of the picture around these places; None if nothing lies there."""
        tiles = (self.sighting.at(spot) for spot in spots)
        boxes = [self.boxes[tile.ref] for tile in tiles if tile is not None and tile.ref is not None]
        return self._around(boxes) if boxes else None

    def hand_of(self, seat: int) -> Image | None:
        """The part of the picture with the open hand of a seat."""
        boxes = [self.boxes[tile.ref] for tile in self.sighting.seats[seat].hand if tile.ref is not None]
        return self._around(boxes) if boxes else None

    def _around(self, boxes: list[Box]) -> Image:
        edge = EDGE * max(max(x2 - x1, y2 - y1) for x1, y1, x2, y2 in boxes)
        height, width = self.image.shape[:2]
        left, top = (max(0, int(min(box[side] for box in boxes) - edge)) for side in (0, 1))
        right = min(width, int(max(box[2] for box in boxes) + edge))
        bottom = min(height, int(max(box[3] for box in boxes) + edge))
        return self.image[top:bottom, left:right].copy()


class Lookout:
    """Turns frames into sightings in the reading thread: waits for rest, reads, finds the felt."""

    def __init__(
        self, reader: Reader, quarters: int, known: Calibration | None = None, plan: ZonePlan | None = None
    ) -> None:
        """Get ready.

        Args:
            reader: reads pictures.
            quarters: how many places further on than the bottom of the picture seat 0 sits.
            known: where the felt lies, if that was calibrated; tiles are then looked at along its edges.
            plan: where the zones of the table end.
        """
        if known is not None and isinstance(reader, FeltReader):
            reader = reader.over(known)
        self._watch = TableWatch(reader, replace(load_manifest(verify=False).thresholds, sure=SURE_ALONE))
        self._quarters = quarters
        self._known = known
        self._plan = plan or ZonePlan()
        self._last: tuple[PictureReading, Look] | None = None

    def look(self, frame: Frame) -> Sighting | None:
        """What the frame shows; None while something moves, nothing is new, or no felt is seen."""
        seen = self.picture(frame)
        return None if seen is None else seen.sighting

    def picture(self, frame: Frame, *, again: bool = False) -> Look | None:
        """The same with its picture; `again` = also when nothing is new."""
        reading = self._watch.look(frame, again=again)
        if reading is None:
            return None
        before = self._last
        if before is not None and before[0] is reading:  # nothing new lies there: only the time has gone on
            self._last = (reading, replace(before[1], sighting=replace(before[1].sighting, at_s=frame.at_s)))
        else:
            look = self._seen(reading, frame)
            self._last = None if look is None else (reading, look)
        return None if self._last is None else self._last[1]

    def _seen(self, reading: PictureReading, frame: Frame) -> Look | None:
        seen = felt_of(frame.image, self._known)
        if seen is None:
            return None
        calibration = turned(seen, self._quarters) if self._quarters else seen
        sighting = sighting_of(reading, calibration, self._plan, frame.at_s)
        image = frame.image if self._known is None else without_people(frame.image, seen)
        return Look(sighting, image, tuple(tile.box_px for tile in reading.tiles))

"""Remembers what lies on a still table, so that a later picture of it is read only where something has changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from vision.calibration import Calibration
from vision.changes import Compared
from vision.frames import Frame
from vision.types import Image, PictureReading, Place

WHOLE_EVERY_S = 180.0
"""All of the table is read again after this time, so that no mistake lives for ever."""
FEW = 3
"""With fewer tiles than this, nobody knows how large the tiles of this table are: everything is read."""
USUAL_TILES = 60
"""Tiles side by side along a picture in which none was read: how finely it is compared."""


class Reader(Protocol):
    """Anything that reads a picture, as `vision.reader.TileReader`."""

    def read(self, image_bgr: Image, /) -> PictureReading:
        """Tiles and groups of one upright picture."""
        ...


@runtime_checkable
class PartReader(Reader, Protocol):
    """A reader that can also read parts of a picture; one that cannot is given whole pictures only."""

    def read_changed(self, image_bgr: Image, places: Sequence[Place], before: PictureReading, /) -> PictureReading:
        """Reads the places again and keeps everything else as it was before."""
        ...


@runtime_checkable
class FeltReader(PartReader, Protocol):
    """A reader that reads a little better where it knows how the camera sees the felt."""

    def over(self, felt: Calibration, /) -> PartReader:
        """The same reader for the pictures of that camera."""
        ...


class SceneMemory:
    """Reads the frames of one camera, with the last scene that is known for certain in mind.

    Call `read` for frames of a table at rest and `settle` when a scene has been read often enough. Until then later
    frames are compared with the scene before, so a change that was looked at once is looked at again.
    """

    def __init__(self, reader: Reader, whole_every_s: float = WHOLE_EVERY_S) -> None:
        """Starts without a memory.

        Args:
            reader: Reads pictures.
            whole_every_s: After so many seconds of the frames' time the whole table is read again.
        """
        self._reader = reader
        self._whole_every_s = whole_every_s
        self._known: PictureReading | None = None
        self._compared: Compared | None = None
        self._image: Image | None = None
        self._whole_s = -np.inf

    def due(self, now_s: float) -> bool:
        """Whether all of the table should be read again, even if nothing moves."""
        return self._known is not None and now_s - self._whole_s >= self._whole_every_s

    def forget(self) -> None:
        """The next scene is read whole."""
        self._known = self._compared = None

    def read(self, frame: Frame) -> PictureReading:
        """What the frame shows; only what has changed is looked at, if that is little."""
        self._image = frame.image
        known, compared = self._known, self._compared
        if not isinstance(self._reader, PartReader) or self.due(frame.at_s):
            self.forget()
        elif known is not None and compared is not None and self._comparable(known, compared, frame):
            changes = compared.changes(frame.image)
            if not changes.whole:
                return self._reader.read_changed(frame.image, changes.places, known) if changes.places else known
            self.forget()
        self._whole_s = frame.at_s
        return self._reader.read(frame.image)

    @staticmethod
    def _comparable(known: PictureReading, compared: Compared, frame: Frame) -> bool:
        return len(known.tiles) >= FEW and compared.shape == frame.image.shape

    def settle(self, believed: PictureReading) -> None:
        """The scene read last is known now."""
        if self._image is None:
            raise RuntimeError("nothing was read yet, so nothing can be known")
        sides = [min(right - left, bottom - top) for left, top, right, bottom in (t.box_px for t in believed.tiles)]
        tile_px = float(np.quantile(sides, 0.1)) if sides else max(self._image.shape[:2]) / USUAL_TILES
        self._known, self._compared = believed, Compared(self._image, tile_px)

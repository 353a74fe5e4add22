"""Keeps an eye on one table: waits for rest, reads what changed, and believes what several readings agree on."""

from __future__ import annotations

import numpy as np

from models import Thresholds
from vision.changes import DARK, JUMP
from vision.frames import Frame
from vision.memory import WHOLE_EVERY_S, Reader, SceneMemory
from vision.motion import MotionGate, changed, small
from vision.steady import Steady
from vision.types import Floats, PictureReading

__all__ = ["READINGS", "Reader", "TableWatch"]

FINE = (120, 160)
"""Rows and columns of the small picture in which a single tile that came or went is noticed."""

A_TILE = 5 / (120 * 160)
"""Share of that picture which a tile changes at the least: a tile measures about four cells by four."""

READINGS = 5
"""Readings of one scene; after these, more of the same picture tells nothing new."""


class TableWatch:
    """What lies on the table now, from a stream of frames; reads only what is worth reading.

    Nothing is read while a hand is over the table. A scene at rest is read a few times, then not again until something
    has moved, and then only where it has changed; so an idle table costs next to nothing.
    """

    def __init__(
        self,
        reader: Reader,
        thresholds: Thresholds,
        gate: MotionGate | None = None,
        *,
        whole_every_s: float = WHOLE_EVERY_S,
    ) -> None:
        """Starts with a table nobody has looked at.

        Args:
            reader: Reads frames.
            thresholds: See `Steady`.
            gate: Decides when the table is at rest; the usual patience when left out.
            whole_every_s: The whole table is read again after so many seconds.
        """
        self._memory = SceneMemory(reader, whole_every_s)
        self._steady = Steady(thresholds)
        self._gate = gate or MotionGate()
        self._number = -1
        self._readings = 0
        self._light = 0.0
        self._shape: tuple[int, ...] = ()
        self._believed: PictureReading | None = None
        self._read: Floats | None = None

    @property
    def believed(self) -> PictureReading | None:
        """What was last agreed on; None before the first scene."""
        return self._believed

    def look(self, frame: Frame, *, again: bool = False) -> PictureReading | None:
        """Takes in the source's newest frame; may be called as often as one likes.

        Args:
            frame: The newest frame.
            again: Also tell what is believed of a scene that was read often enough and still lies there.

        Returns:
            What lies on the table, when this frame changed or confirmed it by a reading; else None.
        """
        if frame.number == self._number:
            return None
        self._number = frame.number
        if frame.image.shape != self._shape:  # another resolution: no box is where it was
            self._steady.reset()
            self._readings = 0
            self._shape = frame.image.shape
        stillness = self._gate.look(frame.image, frame.at_s)
        if stillness.still_s == 0 and self._readings:
            self._steady.stir()
            self._readings = 0
        if not stillness.still:
            return None
        light = float(np.median(frame.image[::16, ::16]))
        if self._readings >= READINGS and (self._memory.due(frame.at_s) or self._lit_anew(light)):
            self._readings = 0
        look = small(frame.image, FINE)
        if self._readings and self._read is not None and changed(self._read, look) > A_TILE:
            self._steady.stir()  # something came or went while no frame was looked at
            self._readings = 0
        if self._readings >= READINGS:
            return self._believed if again else None
        self._read = look
        self._readings += 1
        self._light = light
        self._believed = self._steady.update(self._memory.read(frame))
        if self._readings == READINGS:
            self._memory.settle(self._believed)
        return self._believed

    def _lit_anew(self, light: float) -> bool:
        """Whether the exposure or a lamp has changed so much since the last reading that another one is worth it."""
        return abs(float(np.log((light + DARK) / (self._light + DARK)))) > JUMP

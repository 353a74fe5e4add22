"""How long the eyes take, and how much they read: for the people who look after the table."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from vision.calibration import Calibration
from vision.memory import FeltReader, PartReader, Reader
from vision.types import Image, PictureReading, Place

WINDOW_S = 10.0
"""Readings are counted over so many seconds."""


@dataclass(frozen=True, slots=True)
class ReadingPace:
    """How fast the eyes are.

    Attributes:
        last_s: What the last reading took; None before the first.
        per_s: Readings a second, over the last ten seconds.
    """

    last_s: float | None = None
    per_s: float = 0.0


class Stopwatch:
    """Times readings in one thread, is asked by another."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._last_s: float | None = None
        self._ended: deque[float] = deque(maxlen=1000)

    def pace(self) -> ReadingPace:
        """How fast the eyes are now."""
        with self._lock:
            recent = sum(at_s > self._clock() - WINDOW_S for at_s in self._ended)
            return ReadingPace(self._last_s, recent / WINDOW_S)

    @contextmanager
    def timing(self) -> Iterator[None]:
        """One reading."""
        started_s = self._clock()
        yield
        with self._lock:
            self._ended.append(self._clock())
            self._last_s = self._ended[-1] - started_s


class TimedEyes:
    """Reads as the eyes it was given, and times them."""

    def __init__(self, eyes: Reader, watch: Stopwatch) -> None:
        self._eyes = eyes
        self._watch = watch

    def read(self, image: Image) -> PictureReading:
        """The tiles in a picture (uint8, height x width x 3, BGR)."""
        with self._watch.timing():
            return self._eyes.read(image)


class TimedPartEyes(TimedEyes):
    """The same for eyes that can also read the parts of a picture that changed."""

    def __init__(self, eyes: PartReader, watch: Stopwatch) -> None:
        super().__init__(eyes, watch)
        self._parts = eyes

    def read_changed(self, image: Image, places: Sequence[Place], before: PictureReading) -> PictureReading:
        """The places of the picture anew, everything else as before."""
        with self._watch.timing():
            return self._parts.read_changed(image, places, before)


class TimedFeltEyes(TimedPartEyes):
    """The same for eyes that can be told how the camera sees the felt."""

    def __init__(self, eyes: FeltReader, watch: Stopwatch) -> None:
        super().__init__(eyes, watch)
        self._felt_eyes = eyes

    def over(self, felt: Calibration) -> TimedPartEyes:
        """The same eyes for the pictures of that camera."""
        return TimedPartEyes(self._felt_eyes.over(felt), self._watch)


def timed(eyes: Reader, watch: Stopwatch) -> TimedEyes:
    """The same eyes, timed."""
    if isinstance(eyes, FeltReader):
        return TimedFeltEyes(eyes, watch)
    return TimedPartEyes(eyes, watch) if isinstance(eyes, PartReader) else TimedEyes(eyes, watch)

"""When to take the picture of a laid hand: once nothing has moved for a second, or when somebody gives a sign.

The watcher only looks at small versions of the frames; it knows no tiles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from vision.frames import Frame

STILL_S = 1.0
"""How long nothing may move before a frame is read."""

STEP_PX = 12
"""Every so many pixels are compared."""

MOVED = 2.5
"""Mean difference of brightness (0 to 255) from which a frame counts as another scene; noise stays below."""


@dataclass(frozen=True, slots=True)
class _Look:
    """A small grey copy of a frame and when it was first seen like this."""

    pixels: Any
    since_s: float
    number: int


class Watcher:
    """Watches for a claimed hand to lie still; reads no scene twice for the same claim."""

    def __init__(self) -> None:
        self._look: _Look | None = None
        self._read: Any = None
        self._claim: object = None
        self._signed = False

    def sign(self) -> None:
        """Somebody gave a sign: the next frame is worth reading without waiting."""
        self._signed = True

    def look(self, frame: Frame | None, now_s: float, claim: object) -> Frame | None:
        """The frame to read now, or None.

        Args:
            frame: the newest frame, None while there is no camera.
            now_s: monotonic seconds.
            claim: identity of the claim that still lacks its hand; None when no hand is wanted.
        """
        if claim is None:
            self._claim, self._signed = None, False
            return None
        if frame is None:
            return None
        if claim != self._claim:
            self._claim, self._read = claim, None
        small = frame.image[::STEP_PX, ::STEP_PX].astype("int16")
        moved = self._look is None or _differs(self._look.pixels, small)
        if moved or self._look is None:
            self._look = _Look(small, now_s, frame.number)
        still = now_s - self._look.since_s >= STILL_S
        if not (still or self._signed) or not _differs(self._read, small):
            return None
        self._signed = False
        self._read = small
        return frame


def _differs(before: Any, now: Any) -> bool:
    if before is None or before.shape != now.shape:
        return True
    return bool(abs(before - now).mean() > MOVED)

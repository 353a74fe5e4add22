"""When to take the picture of a laid hand: once nothing has moved for a second, or when somebody gives a sign."""

from __future__ import annotations

from vision.frames import Frame
from vision.motion import MotionGate

STILL_S = 1.0
"""How long nothing may move before a frame is read."""


class Watcher:
    """Watches for a claimed hand to lie still; a scene is read once. It knows no tiles."""

    def __init__(self) -> None:
        self._gate = MotionGate(rest_s=STILL_S)
        self._claim: object = None
        self._read = False
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
        if claim != self._claim:
            self._claim, self._read = claim, False
        if frame is None:
            return None
        stillness = self._gate.look(frame.image, now_s)
        if stillness.still_s == 0:
            self._read = False
        if not self._signed and (self._read or not stillness.still):
            return None
        self._read, self._signed = True, False
        return frame

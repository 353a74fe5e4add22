"""How a camera's frames arrive: how many a second, and how late."""

from __future__ import annotations

from collections import deque

WINDOW_S = 3.0
"""Frames are counted over so many seconds."""


class Pulse:
    """Counts the frames of one camera, and compares its clock with this computer's."""

    def __init__(self) -> None:
        """Starts with a camera that was just opened."""
        self._arrived: deque[float] = deque()
        self._least_lag_s: float | None = None
        self.late_s: float | None = None
        """By how much the newest frame came later than the promptest one; None while the camera tells no times."""

    def beat(self, now_s: float, taken_s: float | None) -> None:
        """A frame has arrived.

        Args:
            now_s: When, on this computer's clock.
            taken_s: When it was taken, on the camera's own clock; None if the camera does not say.
        """
        self._arrived.append(now_s)
        while self._arrived[0] < now_s - WINDOW_S:
            self._arrived.popleft()
        if taken_s is None:
            return
        lag_s = now_s - taken_s
        if self._least_lag_s is None or lag_s < self._least_lag_s:
            self._least_lag_s = lag_s
        self.late_s = lag_s - self._least_lag_s

    def fps(self, now_s: float) -> float | None:
        """Frames a second over the last seconds; None before there are two."""
        recent = [at_s for at_s in self._arrived if at_s >= now_s - WINDOW_S]
        if len(recent) < 2 or recent[-1] <= recent[0]:
            return None
        return (len(recent) - 1) / max(recent[-1] - recent[0], now_s - recent[0] - 1.0)

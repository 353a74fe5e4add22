"""The board's clock against ours: when, on our clock, did something happen at the table?"""

from __future__ import annotations

from collections import deque

WRAP_MS = 1 << 32
HEARTBEATS = 60


class BoardClock:
    """Maps the board's milliseconds (which wrap after 49.7 days) to the host's monotonic seconds.

    The offset is the smallest delay seen in the last 60 heartbeats, so a slow moment of the line does not move it.
    """

    def __init__(self) -> None:
        self._newest: int | None = None
        self._offsets: deque[float] = deque(maxlen=HEARTBEATS)

    def reset(self) -> None:
        """Forget everything: the board restarted and counts from zero again."""
        self._newest = None
        self._offsets.clear()

    def observe(self, t_ms: int, arrived_s: float) -> None:
        """Take the time of a heartbeat that arrived at ``arrived_s``."""
        unwrapped = self._unwrap(t_ms)
        self._newest = unwrapped if self._newest is None else max(self._newest, unwrapped)
        self._offsets.append(arrived_s - unwrapped / 1000)

    def happened_s(self, t_ms: int) -> float | None:
        """Return the host's monotonic time of ``t_ms``; None before the first heartbeat."""
        if not self._offsets:
            return None
        return self._unwrap(t_ms) / 1000 + min(self._offsets)

    def _unwrap(self, t_ms: int) -> int:
        if self._newest is None:
            return t_ms
        distance = (t_ms - self._newest + WRAP_MS // 2) % WRAP_MS - WRAP_MS // 2
        return self._newest + distance

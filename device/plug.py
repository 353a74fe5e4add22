"""A smart plug's watts say only one thing about a table: its works are busy, or they are not."""

from __future__ import annotations

IDLE_W = 15.0
BUSY_W = 40.0


class PlugReader:
    """Tells busy from idle with two thresholds in watts, so that a wavering reading does not flicker."""

    def __init__(self, idle_w: float = IDLE_W, busy_w: float = BUSY_W) -> None:
        if not 0 <= idle_w < busy_w:
            raise ValueError(f"idle below {idle_w:g} W and busy above {busy_w:g} W make no sense: idle must be lower.")
        self._idle_w = idle_w
        self._busy_w = busy_w
        self.deck = "UNKNOWN"

    def look(self, watts: float) -> str:
        """Return the deck as far as power tells: WASH (washing or stacking), READY (quiet) or UNKNOWN."""
        if watts >= self._busy_w:
            self.deck = "WASH"
        elif watts <= self._idle_w:
            self.deck = "READY"
        return self.deck

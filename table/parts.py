"""What a running table is put together from. Every part may be missing; tests hand in their own."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from device.linkstate import LinkStatus
from device.messages import Command
from table.eyes import Eyes
from vision.calibration import Calibration
from vision.frames import FrameSource


class Clock(Protocol):
    """Time, handed in: wall-clock milliseconds (UTC) for the ledger, monotonic seconds for waiting."""

    def wall_ms(self) -> int:
        """Milliseconds since 1970."""

    def monotonic(self) -> float:
        """Seconds that never go back."""


class SystemClock:
    """The clock of the machine."""

    def wall_ms(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()


class Link(Protocol):
    """The line to a table, as `device.link.TableLink`."""

    def start(self) -> object:
        """Begin to talk."""

    def close(self) -> None:
        """Let the port go."""

    def send(self, command: Command) -> object:
        """Send a command; whether the table does it is its own affair."""

    def status(self) -> LinkStatus:
        """How the line is."""


LinkMaker = Callable[[Callable[[Any], None]], Link]
"""Makes the line to the table, given what to call with each message, e.g. ``lambda on: TableLink(config, on)``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of one table; `Runtime.open` says what each is for."""

    camera: FrameSource | None = None
    link: LinkMaker | None = None
    reader: Callable[[], Eyes] | None = None
    clock: Clock = field(default_factory=SystemClock)
    recording: Path | None = None
    quarters: int = 0
    felt: Calibration | None = None
    follow: bool = False

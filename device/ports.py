"""Which port to try next, and when: only among those the user allowed, never faster than is polite."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FIRST_WAIT_S = 0.25
LONGEST_WAIT_S = 5.0
LOOK_EVERY_S = 0.5

CHIPS = {
    (0x1A86, 0x7523): "CH340",
    (0x10C4, 0xEA60): "CP210x",
    (0x0403, 0x6001): "FTDI FT232",
    (0x303A, 0x1001): "ESP32-S3",
    (0x2E8A, 0x000A): "Raspberry Pi Pico",
}
"""USB vendor and product of the boards and bridges that tables are built with; used to order and to name ports."""


@dataclass(frozen=True, slots=True)
class PortInfo:
    """One serial port as shown to a person: ``/dev/ttyUSB0`` with the chip that makes it."""

    path: str
    chip: str | None
    description: str


def list_ports() -> tuple[PortInfo, ...]:
    """Return this computer's serial ports, those with a chip known from table boards first; opens none."""
    from device.serial_port import listed_ports  # pyserial only where a person asks for real ports

    found = [PortInfo(item.path, CHIPS.get(item.usb or (0, 0)), item.description) for item in listed_ports()]
    return tuple(sorted(found, key=lambda item: (item.chip is None, item.path)))


def present_ports(allowed: Sequence[str]) -> tuple[str, ...]:
    """Return the allowed ports that exist now. ``/dev/ttyUSB*`` allows all of these; a socket always exists."""
    found: list[str] = []
    for spec in allowed:
        if "://" in spec:
            names = [spec]
        elif glob.has_magic(spec):
            names = sorted(glob.glob(spec))
        else:
            names = [spec] if Path(spec).exists() else []
        found += [name for name in names if name not in found]
    return tuple(found)


class PortSearch:
    """Takes turns among the ports that exist; waits 0.25 s after a failure, then twice as long, up to 5 s.

    A port that was not there before is tried at once; the port that worked last goes first.
    """

    def __init__(self) -> None:
        self._wait_s = FIRST_WAIT_S
        self._next_at = float("-inf")
        self._held_until = float("-inf")
        self._known: frozenset[str] = frozenset()
        self._turns: list[str] = []
        self._best: str | None = None

    def choose(self, present: Sequence[str], now: float) -> str | None:
        """Return the port to try now, or None while there is none or it is too early."""
        if now < self._held_until:
            return None
        new = [port for port in present if port not in self._known]
        self._known = frozenset(present)
        self._turns = new + [port for port in self._turns if port in self._known and port not in new]
        if self._best in self._turns and new:
            self._turns.remove(self._best)
            self._turns.insert(0, self._best)
        if not self._turns or (now < self._next_at and not new):
            return None
        port = self._turns.pop(0)
        self._turns.append(port)
        return port

    def worked(self, port: str) -> None:
        """The table answered here: start the next search here, without delay."""
        self._best = port
        self._wait_s = FIRST_WAIT_S

    def failed(self, now: float, wait_s: float | None = None) -> None:
        """The line did not open or broke: wait before the next try (``wait_s``: for so long at least)."""
        if wait_s is not None:
            self._held_until = now + wait_s
        if self._best in self._turns:
            self._turns.remove(self._best)
            self._turns.insert(0, self._best)
            self._best = None
        self._next_at = now + self._wait_s
        self._wait_s = min(2 * self._wait_s, LONGEST_WAIT_S)

    def wait_s(self, now: float) -> float:
        """Return how long to sleep before asking again."""
        return min(LOOK_EVERY_S, max(0.05, max(self._next_at, self._held_until) - now))

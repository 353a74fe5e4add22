"""Which devices are in, and what happened to them lately; kept in memory: a restart puts every device out."""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from table.model import Role

LOG_LINES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A device that entered the PIN: its role, address, what its browser calls itself, and since when (UTC, ms)."""

    role: Role
    address: str
    browser: str
    since_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """Something that happened to a device: it came in, left, or all sessions were ended from `address`."""

    at_ms: int
    what: Literal["entered", "left", "wrong_pin", "ended_all", "pin_changed"]
    address: str
    role: str = ""


@dataclass(slots=True)
class Sessions:
    """The devices that are in, by the key in their signed cookie; safe from several threads."""

    wall_ms: Callable[[], int]
    _devices: dict[str, Device] = field(default_factory=dict)
    _log: deque[LogLine] = field(default_factory=lambda: deque(maxlen=LOG_LINES))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self, role: Role, address: str, browser: str, before: str = "") -> str:
        """A device gave the right PIN: the key for its cookie, which replaces the one it had `before`."""
        key = secrets.token_urlsafe(12)
        with self._lock:
            self._devices.pop(before, None)
            self._devices[key] = Device(role=role, address=address, browser=browser[:200], since_ms=self.wall_ms())
        self.note("entered", address, role)
        return key

    def leave(self, key: str) -> None:
        """A device only watches from now on."""
        with self._lock:
            device = self._devices.pop(key, None)
        if device is not None:
            self.note("left", device.address, device.role)

    def end_all(self, address: str) -> None:
        """Every device must enter the PIN again."""
        with self._lock:
            self._devices.clear()
        self.note("ended_all", address)

    def role_of(self, key: str) -> Role:
        """What the device with this key may be; a viewer if it is not in."""
        device = self._devices.get(key)
        return device.role if device is not None else "viewer"

    def listed(self) -> list[tuple[str, Device]]:
        """The devices with their keys, longest in first."""
        with self._lock:
            return sorted(self._devices.items(), key=lambda item: item[1].since_ms)

    def log(self) -> tuple[LogLine, ...]:
        """What happened lately, newest first."""
        with self._lock:
            return tuple(reversed(self._log))

    def note(
        self,
        what: Literal["entered", "left", "wrong_pin", "ended_all", "pin_changed"],
        address: str,
        role: str = "",
    ) -> None:
        """Remember that something happened."""
        line = LogLine(at_ms=self.wall_ms(), what=what, address=address, role=role)
        with self._lock:
            self._log.append(line)

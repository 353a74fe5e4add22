"""Which devices are in, and what happened to them lately.

A device that entered a PIN is known until the program ends; one that was paired by code stays until it is revoked.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from table.model import Role, Seat
from webui.access_file import AccessFile, Paired

LOG_LINES = 50
FRESH_MS = 1000
"""How exactly it is known when a device was last seen."""

What = Literal["entered", "paired", "left", "revoked", "wrong_pin", "ended_all", "pin_changed", "locked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A device that is in: its role and seat, name, address, what its browser calls itself, since when (UTC, ms).

    `seen_ms` is its last sign of life since the program started, 0 before.
    """

    role: Role
    address: str = ""
    browser: str = ""
    since_ms: int
    name: str = ""
    seat: Seat | None = None
    paired: bool = False
    seen_ms: int = 0


VIEWER = Device(role="viewer", since_ms=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """Something that happened to a device: it came in, left, was revoked, or all sessions were ended from `address`."""

    at_ms: int
    what: What
    address: str
    role: str = ""


@dataclass(slots=True)
class Sessions:
    """The devices that are in, by the key in their signed cookie; safe from several threads."""

    wall_ms: Callable[[], int]
    file: AccessFile = field(default_factory=AccessFile)
    on_end: Callable[[str], None] = lambda _key: None
    _devices: dict[str, Device] = field(default_factory=dict)
    _log: deque[LogLine] = field(default_factory=lambda: deque(maxlen=LOG_LINES))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Know the devices again that were paired before the program started."""
        for key, one in self.file.kept.paired.items():
            self._devices[key] = Device(role=one.role, name=one.name, seat=one.seat, since_ms=one.since_ms, paired=True)

    def enter(self, device: Device, before: str = "") -> str:
        """A device gave the right PIN or code: the key for its cookie, which replaces the one it had `before`.

        Raises:
            AccessFileError: a paired device cannot be written down.
        """
        key = secrets.token_urlsafe(12)
        now = self.wall_ms()
        with self._lock:
            devices = {known: one for known, one in self._devices.items() if known != before}
            devices[key] = replace(device, browser=device.browser[:200], since_ms=now, seen_ms=now)
            self._take(devices)
        self.on_end(before)
        self.note("paired" if device.paired else "entered", device.address, device.role)
        return key

    def leave(self, key: str, what: Literal["left", "revoked"] = "left") -> bool:
        """A device only watches from now on; False if it was not in."""
        with self._lock:
            gone = self._devices.get(key)
            if gone is not None:
                self._take({known: one for known, one in self._devices.items() if known != key})
        if gone is None:
            return False
        self.on_end(key)
        self.note(what, gone.address, gone.role)
        return True

    def end_all(self, address: str, role: Role | None = None, spare: str = "") -> None:
        """Every device (or those of one role, but not `spare`) must come in anew."""
        with self._lock:
            ended = [key for key, one in self._devices.items() if key != spare and (role is None or one.role == role)]
            self._take({key: one for key, one in self._devices.items() if key not in ended})
        for key in ended:
            self.on_end(key)
        if ended or role is None:
            self.note("ended_all", address, role or "")

    def find(self, key: str) -> Device:
        """The device with this key; a viewer if it is not in."""
        return self._devices.get(key, VIEWER)

    def seen(self, key: str, address: str, browser: str) -> None:
        """A device showed a sign of life."""
        device = self._devices.get(key)
        now = self.wall_ms()
        if device is None or (device.address == address and now - device.seen_ms < FRESH_MS):
            return
        with self._lock:
            if key in self._devices:
                known = self._devices[key]
                self._devices[key] = replace(known, address=address, browser=browser[:200], seen_ms=now)

    def key_of(self, public: str) -> str | None:
        """The key behind the public id of a device (`device_id`)."""
        return next((key for key in tuple(self._devices) if device_id(key) == public), None)

    def listed(self) -> list[tuple[str, Device]]:
        """The devices with their keys, longest in first."""
        with self._lock:
            return sorted(self._devices.items(), key=lambda item: item[1].since_ms)

    def log(self) -> tuple[LogLine, ...]:
        """What happened lately, newest first."""
        with self._lock:
            return tuple(reversed(self._log))

    def note(self, what: What, address: str, role: str = "") -> None:
        """Remember that something happened."""
        line = LogLine(at_ms=self.wall_ms(), what=what, address=address, role=role)
        with self._lock:
            self._log.append(line)

    def _take(self, devices: dict[str, Device]) -> None:
        """Make these the devices; the paired ones are written down first."""
        paired = {
            key: Paired(role=one.role, name=one.name, seat=one.seat, since_ms=one.since_ms)
            for key, one in devices.items()
            if one.paired
        }
        if paired != self.file.kept.paired:
            self.file.keep(paired=paired)
        self._devices = devices


def device_id(key: str) -> str:
    """A device's name for the list of devices; its key itself is shown to nobody."""
    return hashlib.sha256(key.encode()).hexdigest()[:12]

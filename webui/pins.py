"""The PINs of the roles, kept as argon2 hashes, and longer and longer waits for whoever guesses."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from table.model import Role
from webui.roles import BELOW, ROLES, WITH_PIN

_HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""About 20 MB and 30 ms on a small PC; source: the OWASP password storage sheet."""


class PinError(ValueError):
    """This cannot be a PIN; the message says why, `key` is that of a sentence on the pages."""

    def __init__(self, sentence: str, key: str = "") -> None:
        super().__init__(sentence)
        self.key = key


class Pins:
    """Which roles have a PIN. Safe from several threads; one hash is computed at a time, so guessing stays slow."""

    def __init__(self, stored: Mapping[Role, str], save: Callable[[Mapping[Role, str]], None]) -> None:
        """Take the stored hashes; `save` keeps them when they change."""
        self._hashes = dict(stored)
        self._save = save
        self._given: str | None = None
        self._lock = threading.Lock()

    def give(self, pin: str) -> None:
        """The referee's PIN for as long as this program runs, in place of a stored one.

        Raises:
            PinError: it is not 4 to 12 digits.
        """
        self._given = _HASHER.hash(_checked(pin))

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles that have a PIN, lowest first; empty = a table where every device is trusted."""
        known = self._known()
        return tuple(role for role in ROLES if role in known)

    def set(self, role: Role, pin: str | None) -> None:
        """Give a role a PIN, or take it away with None; it is on the disk when this returns.

        Raises:
            PinError: the role can have none, the PIN is not 4 to 12 digits, another role has it, or nobody could come
                in any more as referee or chief.
            AccessFileError: it cannot be written.
        """
        if role not in WITH_PIN:
            raise PinError(f"“{str(role)[:20]}” has no PIN of its own; choose one of {', '.join(WITH_PIN)}.")
        if pin is not None:
            others = [known for own, known in self._known().items() if own != role]
            if any(_fits(known, _checked(pin)) for known in others):
                raise PinError("Another role has this PIN: choose another, or who knows it could be both.", "pin_taken")
            fresh = _HASHER.hash(_checked(pin))
        with self._lock:
            hashes = {own: known for own, known in self._hashes.items() if own != role}
            if pin is not None:
                hashes[role] = fresh
            given = self._given is not None and role != "referee"
            if hashes and not given and not {"referee", "chief"} & hashes.keys():
                raise PinError("Set the PIN of the referee or of the chief first, and take it away last.", "pin_order")
            self._save(hashes)
            self._hashes = hashes
            if role == "referee":
                self._given = None

    def admitted(self, pin: str, wanted: Role | None) -> Role | None:
        """What the PIN makes a device: `wanted` if it is of that role or above (None: its own); None if wrong."""
        with self._lock:
            for owner, known in self._known().items():
                if (wanted is None or self._reaches(owner, wanted)) and _fits(known, pin):
                    return wanted or owner
        return None

    def rank_of(self, role: Role) -> Role:
        """The role whose rights somebody has: without a chief's PIN the referee is the chief, too."""
        return "chief" if role == "referee" and "chief" not in self._known() else role

    def _reaches(self, owner: Role, wanted: Role) -> bool:
        return wanted in BELOW[owner] and self.rank_of(wanted) in BELOW[self.rank_of(owner)]

    def is_of(self, role: Role, pin: str) -> bool:
        """Whether this is the PIN of exactly that role."""
        known = self._known().get(role)
        with self._lock:
            return known is not None and _fits(known, pin)

    def _known(self) -> dict[Role, str]:
        return self._hashes if self._given is None else {**self._hashes, "referee": self._given}


def _checked(pin: str) -> str:
    if not re.fullmatch(r"[0-9]{4,12}", pin):
        raise PinError("The PIN must be 4 to 12 digits, e.g. 4711.", "pin_form")
    return pin


def _fits(known: str, pin: str) -> bool:
    try:
        return _HASHER.verify(known, pin)
    except (VerificationError, InvalidHashError):
        return False


@dataclass(slots=True)
class Waits:
    """Makes guessing slow: after some wrong PINs a device waits a minute, then two, four ... up to an hour.

    When many devices guess at once, PINs stop working for everybody for a while: devices that are in stay in and can
    pair others by code.
    """

    clock: Callable[[], float]
    tries: int = 5
    first_s: float = 60.0
    longest_s: float = 3600.0
    tries_of_all: int = 100
    _wrong: dict[str, tuple[int, float]] = field(default_factory=dict)
    _all: tuple[int, float] = (0, 0.0)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def seconds(self, device: str) -> int:
        """How long this device (its address) must wait before the next try; 0 = it may try now."""
        now = self.clock()
        with self._lock:
            left = max(self._until(*self._wrong.get(device, (0, 0.0)), self.tries) - now, 0.0)
            of_all = max(self._until(*self._all, self.tries_of_all) - now, 0.0)
        return int(-(-max(left, of_all) // 1))

    def wrong(self, device: str) -> None:
        """A wrong PIN came from there."""
        now = self.clock()
        with self._lock:
            day_ago = now - 24 * self.longest_s
            self._wrong = {name: told for name, told in self._wrong.items() if told[1] >= day_ago}
            self._wrong[device] = (self._wrong.get(device, (0, now))[0] + 1, now)
            recent = self._all[0] if self._all[1] >= now - self.longest_s else 0
            self._all = (recent + 1, now)

    def right(self, device: str) -> None:
        """The right PIN came: what was tried before is forgotten."""
        with self._lock:
            self._wrong.pop(device, None)

    def _until(self, count: int, last: float, tries: int) -> float:
        if count < tries:
            return last
        return last + min(self.first_s * 2.0 ** min(count - tries, 10), self.longest_s)

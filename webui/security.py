"""Who may do what, and the headers that keep other sites out."""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, request, session
from werkzeug.security import check_password_hash, generate_password_hash

from table.model import Role
from webui.errors import problem
from webui.sessions import Sessions

GUARD_HEADER = "X-Paiju"
"""A header only our own pages send: a foreign site cannot add it without a preflight, which is never granted."""

TABLET_COMMANDS = frozenset(
    {
        "dice", "void_dice", "confirm_dice", "start_hand", "claim_win", "cancel_claim", "hand_photo", "hand_manual",
        "fix_tile", "set_win_tile", "set_meld", "set_layout", "set_facts", "announce", "agree", "draw_hand",
        "call_referee", "hand_facts", "turn_tile", "kong", "drop_side", "take_discard", "declare", "pass_win",
        "start_win", "sea",
    }
)  # fmt: skip
"""What the tablet at the table may do once a PIN protects the rest; everything else is the referee's."""

_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@dataclass(slots=True)
class Gatekeeper:
    """Knows the referee's PIN (only its hash) and slows down guessing, each device by itself.

    Without a PIN every device at the table is trusted, as at home. With one, an unknown device only watches.
    """

    pin_hash: str | None
    clock: Callable[[], float]
    sessions: Sessions
    tries: int = 5
    window_s: float = 60.0
    _failed: dict[str, deque[float]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def with_pin(cls, pin: str | None, clock: Callable[[], float], sessions: Sessions) -> Gatekeeper:
        """Keep the hash of `pin`, or trust every device when it is None.

        Raises:
            ValueError: the PIN is not 4 to 12 digits.
        """
        return cls(_hashed(pin) if pin is not None else None, clock, sessions)

    def end_all(self, address: str, pin: str | None) -> None:
        """Put every device out; with `pin` the new PIN lets them in again.

        Raises:
            ValueError: the PIN is not 4 to 12 digits.
        """
        if pin is not None:
            self.pin_hash = _hashed(pin)
            self.sessions.note("pin_changed", address)
        self.sessions.end_all(address)

    def locked(self, device: str) -> bool:
        """True while this device (its address) tried too many wrong PINs in the last minute."""
        since = self.clock() - self.window_s
        with self._lock:
            self._failed = {name: times for name, times in self._failed.items() if times[-1] >= since}
            recent = [at for at in self._failed.get(device, ()) if at >= since]
            return len(recent) >= self.tries

    def admits(self, pin: str, device: str) -> bool:
        """True for the right PIN; a wrong one counts as a try."""
        if self.pin_hash is None or check_password_hash(self.pin_hash, pin):
            return True
        with self._lock:
            self._failed.setdefault(device, deque(maxlen=self.tries)).append(self.clock())
        self.sessions.note("wrong_pin", device)
        return False


def _hashed(pin: str) -> str:
    if not re.fullmatch(r"[0-9]{4,12}", pin):
        raise ValueError("The PIN must be 4 to 12 digits, e.g. 4711.")
    return generate_password_hash(pin)


def gatekeeper() -> Gatekeeper:
    """The gatekeeper of the application that answers this request."""
    keeper: Gatekeeper = current_app.extensions["paiju_gatekeeper"]
    return keeper


def role() -> Role:
    """`referee`, `tablet` or `viewer`: what this device may do."""
    if gatekeeper().pin_hash is None:
        return "referee"
    return gatekeeper().sessions.role_of(str(session.get("device", "")))


def may(kind: str) -> bool:
    """True if this device may send that command."""
    own = role()
    return own == "referee" or (own == "tablet" and kind in TABLET_COMMANDS)


def guard(app: Flask) -> None:
    """Refuse posts from other sites and put the protective headers on every answer."""

    @app.before_request
    def same_origin_posts() -> Response | None:
        if request.method not in ("POST", "PUT", "PATCH", "DELETE"):
            return None
        origin = request.headers.get("Origin")
        foreign = origin is not None and urlsplit(origin).netloc != request.host
        foreign = foreign or request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none")
        if foreign or request.headers.get(GUARD_HEADER) is None:
            return problem(403, f"This request does not come from a Paiju page: send the header {GUARD_HEADER}: 1 "
                           "from the same address.")  # fmt: skip
        return None

    @app.after_request
    def protect(response: Response) -> Response:
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        if request.path.startswith(("/api/", "/evidence/")):
            response.headers.setdefault("Cache-Control", "no-store")
        return response

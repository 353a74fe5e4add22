"""Who asks, what he may do, and the headers that keep other sites out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, request, session
from flask.sessions import SecureCookieSessionInterface

from table.model import Mode, Role
from webui.access_file import AccessFile
from webui.errors import problem
from webui.pins import Pins, Waits
from webui.ports import Table
from webui.roles import BELOW, ROLES, right
from webui.sessions import Device, Sessions

GUARD_HEADER = "X-Paiju"
"""A header only our own pages send: a foreign site cannot add it without a preflight, which is never granted."""

LOCAL_ENDINGS = (".local", ".localhost", ".lan", ".home.arpa", ".internal")

_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(slots=True)
class Gatekeeper:
    """Knows the PINs and the devices that are in. Without any PIN every device is trusted, as at home."""

    pins: Pins
    sessions: Sessions
    waits: Waits

    @classmethod
    def with_file(cls, file: AccessFile, pin: str | None, clock: Callable[[], float], sessions: Sessions) -> Gatekeeper:
        """Take the stored PINs; `pin` is the referee's for this run.

        Raises:
            ValueError: the PIN is not 4 to 12 digits.
        """
        pins = Pins(file.kept.pins, lambda hashes: file.keep(pins=dict(hashes)))
        if pin is not None:
            pins.give(pin)
        return cls(pins, sessions, Waits(clock))

    @property
    def open(self) -> bool:
        """True at a table without any PIN: every device may do everything."""
        return not self.pins.roles

    def admits(self, pin: str, wanted: Role | None, address: str) -> Role | None:
        """What the PIN makes a device; None, and one more wrong try from this address, if it is wrong."""
        found = self.pins.admitted(pin, wanted)
        if found is None:
            self.waits.wrong(address)
            self.sessions.note("wrong_pin", address)
        else:
            self.waits.right(address)
        return found

    def role(self, device: Device) -> Role:
        """As what this device acts."""
        return "referee" if self.open else device.role

    def rank(self, device: Device) -> Role:
        """What its rights are; see `Pins.rank_of`."""
        return "chief" if self.open else self.pins.rank_of(device.role)


def gatekeeper() -> Gatekeeper:
    """The gatekeeper of the application that answers this request."""
    keeper: Gatekeeper = current_app.extensions["paiju_gatekeeper"]
    return keeper


def own_key() -> str:
    """The key in this device's cookie; empty if it never came in."""
    return str(session.get("device", ""))


def this_device() -> Device:
    """The device that asks; a viewer if it is not in."""
    return gatekeeper().sessions.find(own_key())


def role() -> Role:
    """As what this device acts, e.g. `referee`, `tablet` or `viewer`."""
    return gatekeeper().role(this_device())


def rank() -> Role:
    """The role whose rights this device has."""
    return gatekeeper().rank(this_device())


def may(kind: str, fields: Mapping[str, Any]) -> bool:
    """True if this device may send that command: as its role, and for its seat."""
    keeper, device = gatekeeper(), this_device()
    allowed = right(keeper.rank(device), f"command {kind}")
    if allowed == "seat":
        return device.seat is not None and fields.get("seat") == device.seat
    if allowed == "claim":
        claim = _table().snapshot().claim
        return claim is not None and claim.seat == device.seat
    return allowed == "yes"


def may_open(method: str, rule: str, mode: Mode | None = None) -> bool:
    """True if this device may ask for a page or route, e.g. ``GET`` and ``/export/game.<form>``.

    `mode` is that of the game it asks about; None = of the game that is open.
    """
    allowed = right(rank(), f"{method} {rule}")
    if allowed == "friendly":
        game = _table().snapshot().game
        return (mode or (game.mode if game is not None else "friendly")) == "friendly"
    return allowed == "yes"


def of_earlier(mode: Mode) -> Response | None:
    """The refusal of what this request asks about an earlier game; None if this device may see it.

    What a competition kept to the referee stays with him when another game is open.
    """
    rule = request.url_rule
    return None if rule is not None and may_open("GET", rule.rule, mode) else _refusal()


def may_appoint(wanted: Role, key: str | None = None) -> bool:
    """True if the device with this key (None: the one that asks) may make another one that, and set its PIN."""
    keeper = gatekeeper()
    own = keeper.rank(keeper.sessions.find(own_key() if key is None else key))
    return keeper.pins.rank_of(wanted) in BELOW[own]


def role_named(word: object) -> Role | None:
    """The role that a request names; None if there is none of that name."""
    return next((role for role in ROLES if role == word), None)


def _table() -> Table:
    found: Table = current_app.extensions["paiju_table"]
    return found


def _known_name(host: str) -> bool:
    """Whether a local network calls us so: an address, a short name, a name of local use, or one that was given.

    A site of the internet that points its own name at this PC (DNS rebinding) would otherwise count as our own page.
    """
    name = urlsplit(f"//{host}").hostname or ""
    try:
        ip_address(name.partition("%")[0])
    except ValueError:
        given: tuple[str, ...] = current_app.config["PAIJU_NAMES"]
        return "." not in name or name.endswith(LOCAL_ENDINGS) or name in given
    return True


class _Cookies(SecureCookieSessionInterface):
    """One cookie for HTTP and another for HTTPS: cookies do not know ports, and the secure one must stay secure."""

    def get_cookie_name(self, app: Flask) -> str:  # noqa: ARG002  # Flask's own signature
        """The name; the prefix makes browsers refuse one that another site or plain HTTP tries to set."""
        return "__Host-paiju" if request.is_secure else "paiju"

    def get_cookie_secure(self, app: Flask) -> bool:  # noqa: ARG002  # Flask's own signature
        """Whether the browser sends it over HTTPS only."""
        return request.is_secure


def _refusal() -> Response:
    return problem(403, "This device may not do that: enter the PIN of somebody who may.", "pin_first")


def guard(app: Flask) -> None:
    """Refuse what is not allowed or comes from other sites, and put the protective headers on every answer."""
    app.session_interface = _Cookies()

    @app.before_request
    def own_name_only() -> Response | None:
        if _known_name(request.host):
            return None
        return problem(403, "These pages do not go by that name: use the PC's address, or start Paiju with --domain.")

    @app.before_request
    def own_pages_only() -> Response | None:
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return None
        origin = request.headers.get("Origin")
        foreign = origin is not None and origin.partition("://")[2] != request.host
        foreign = foreign or request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none")
        if foreign or request.headers.get(GUARD_HEADER) is None:
            return problem(403, f"This request does not come from a Paiju page: send the header {GUARD_HEADER}: 1 "
                           "from the same address.")  # fmt: skip
        return None

    @app.before_request
    def allowed_only() -> Response | None:
        if own_key():
            browser = request.headers.get("User-Agent", "")
            gatekeeper().sessions.seen(own_key(), request.remote_addr or "", browser)
        if request.url_rule is None or request.method == "OPTIONS":
            return None
        method = "GET" if request.method == "HEAD" else request.method
        return None if may_open(method, request.url_rule.rule) else _refusal()

    @app.after_request
    def protect(response: Response) -> Response:
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        if request.path.startswith(("/api/", "/evidence/")):
            response.headers.setdefault("Cache-Control", "no-store")
        return response

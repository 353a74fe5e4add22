"""Pairing a device by QR code: the code holds a signed ticket that works once, within five minutes.

The ticket stands behind the `#` of the address, which browsers send to nobody: it is in no log, and an app that looks
at addresses in advance does not use it up.
"""

from __future__ import annotations

import io
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import segno
from flask import Blueprint, Response, current_app, jsonify, request
from itsdangerous import BadSignature, URLSafeSerializer

from table.model import Role, Seat
from webui.access import come_in, newcomer
from webui.errors import BadRequestError, problem
from webui.requests import json_object
from webui.roles import BELOW
from webui.security import may_appoint, own_key, role_named

LIFE_S = 300.0

blueprint = Blueprint("pairing", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """What a device becomes: a role, a name for the list of devices, and its seat if it is a player's.

    `giver` is the key of the device that gave it: the ticket is worth what that device may still do when it is used.
    `before` is the key that the same device had on the plain page; it ends when the ticket is used. `paired` is false
    for a device that came in by PIN and shall enter it again after a restart.
    """

    role: Role
    name: str
    seat: Seat | None
    giver: str
    before: str = ""
    paired: bool = True


@dataclass(slots=True)
class Tickets:
    """The tickets that were given out and not used yet; all are void after a restart. Safe from several threads."""

    secret: str
    clock: Callable[[], float]
    _waiting: dict[str, tuple[float, Ticket]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def give(self, ticket: Ticket) -> str:
        """A new ticket as signed text."""
        number = secrets.token_urlsafe(9)
        now = self.clock()
        with self._lock:
            self._waiting = {one: told for one, told in self._waiting.items() if told[0] >= now}
            self._waiting[number] = (now + LIFE_S, ticket)
        text: str | bytes = self._signer().dumps(number)
        return text if isinstance(text, str) else text.decode()

    def redeem(self, text: str) -> Ticket | None:
        """What the ticket allows; None if it is forged, used, or too old. It works once."""
        try:
            number = self._signer().loads(text)
        except BadSignature:
            return None
        with self._lock:
            until, ticket = self._waiting.pop(str(number), (0.0, None))
        return ticket if ticket is not None and self.clock() <= until else None

    def _signer(self) -> URLSafeSerializer:
        return URLSafeSerializer(self.secret, salt="pair")


def tickets() -> Tickets:
    """The tickets of this application."""
    found: Tickets = current_app.extensions["paiju_tickets"]
    return found


def _ticket(body: dict[str, Any]) -> Ticket:
    named, seat = role_named(body.get("role")), body.get("seat")
    if named is None:
        raise BadRequestError(f"Say what the device becomes: role must be one of {', '.join(BELOW)}.")
    if named == "player" and (isinstance(seat, bool) or seat not in (0, 1, 2, 3)):
        raise BadRequestError("A player's device belongs to a seat: send seat 0, 1, 2 or 3.")
    name = body.get("name", "")
    if not isinstance(name, str) or not name.isprintable():
        raise BadRequestError("The name must be a text of at most 40 printable characters.")
    own_seat = int(seat) if named == "player" and seat is not None else None
    return Ticket(role=named, name=name.strip()[:40], seat=own_seat, giver=own_key())


@blueprint.post("/api/v1/pair")
def pair() -> Response:
    """A code for one device: `{role, seat, name}` gives `{url, svg, seconds}`; it works once, within five minutes."""
    ticket = _ticket(json_object())
    if not may_appoint(ticket.role):
        return problem(403, f"This device may not make another one “{ticket.role}”.", "pin_first")
    address = (None if request.is_secure else current_app.config["PAIJU_ADDRESS"]) or request.host_url.rstrip("/")
    url = f"{address}/join#{tickets().give(ticket)}"
    drawing = io.BytesIO()
    segno.make(url, error="m").save(drawing, kind="svg", scale=8, border=3, light="#ffffff", xmldecl=False)
    return jsonify(url=url, svg=drawing.getvalue().decode(), seconds=int(LIFE_S))


@blueprint.post("/api/v1/join")
def join() -> Response:
    """Use a code: this device becomes what it says; `page` is where it goes on."""
    ticket = tickets().redeem(str(json_object().get("ticket", ""))[:200])
    if ticket is None or not may_appoint(ticket.role, ticket.giver):
        return problem(403, "This code was used already or is older than five minutes: ask for a new one.", "code_old")
    come_in(replace(newcomer(ticket.role), name=ticket.name, seat=ticket.seat, paired=ticket.paired), ticket.before)
    page = {"referee": "/desk", "chief": "/desk", "organiser": "/devices"}.get(ticket.role, "/")
    return jsonify(role=ticket.role, seat=ticket.seat, name=ticket.name, page=page)

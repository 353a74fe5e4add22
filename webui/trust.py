"""How a device comes to trust this table: the authority's certificate to install, in words for each kind of device."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, current_app, request

from webui.errors import problem
from webui.pages import page
from webui.pairing import Ticket, tickets
from webui.security import own_key, this_device

blueprint = Blueprint("trust", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Authority:
    """What vouches for the secure pages: its certificate (DER), the fingerprint to compare, and their port."""

    certificate: bytes
    fingerprint: str
    port: int


def authority() -> Authority | None:
    """The authority of this table; None while there is none."""
    found: Authority | None = current_app.extensions["paiju_authority"]
    return found


def _secure_address(port: int) -> str:
    """Where the secure page is: there, a device that is in comes in as what it is here."""
    host = request.host
    name = host.rpartition(":")[0] if ":" in host and not host.endswith("]") else host
    device, address = this_device(), f"https://{name}:{port}/"
    if device.role == "viewer":
        return address
    key = own_key()
    same = Ticket(role=device.role, name=device.name, seat=device.seat, giver=key, before=key, paired=device.paired)
    return f"{address}join#{tickets().give(same)}"


@blueprint.get("/trust")
def trust() -> Response:
    """What plain HTTP lacks, and how to make this device trust the table."""
    found = authority()
    address = None if found is None or request.is_secure else _secure_address(found.port)
    return page("trust.html", authority=found, secure_address=address)


@blueprint.get("/trust/ca.crt")
def certificate() -> Response:
    """The authority's certificate; devices offer to install it."""
    found = authority()
    if found is None:
        return problem(404, "There is no certificate yet: run “paiju tls init” on the PC and start Paiju again.")
    response = Response(found.certificate, mimetype="application/x-x509-ca-cert")
    response.headers["Content-Disposition"] = 'attachment; filename="paiju-ca.crt"'
    response.headers["Cache-Control"] = "no-store"
    return response

"""Letting devices in and out: PINs, the list of devices, revoking."""

from __future__ import annotations

from dataclasses import asdict, replace

from flask import Blueprint, Response, current_app, jsonify, request, session

from webui.errors import BadRequestError, problem
from webui.pins import PinError
from webui.requests import json_object
from webui.roles import BELOW, WITH_PIN
from webui.security import gatekeeper, may_appoint, own_key, rank, role, role_named, this_device
from webui.sessions import Device, device_id
from webui.stream import StreamGate

blueprint = Blueprint("access", __name__)


def must_wait() -> Response | None:
    """The refusal for an address that tried too many wrong PINs; None if it may try."""
    seconds = gatekeeper().waits.seconds(request.remote_addr or "")
    if seconds == 0:
        return None
    late = problem(429, f"Too many wrong PINs: wait {seconds} s.", "pin_wait")
    late.headers["Retry-After"] = str(seconds)
    return late


def come_in(device: Device, before: str = "") -> None:
    """Make the device that asks this one from now on, in place of what it was (here, or under the key `before`)."""
    key = gatekeeper().sessions.enter(device, before or own_key())
    session["device"] = key
    session.permanent = device.paired


def newcomer(wanted: str) -> Device:
    """The device that asks, in a new role.

    Raises:
        BadRequestError: there is no such role.
    """
    named = role_named(wanted)
    if named is None:
        raise BadRequestError(f"There is no role “{wanted[:20]}”; take one of {', '.join(BELOW)}.")
    browser = request.headers.get("User-Agent", "")
    return Device(role=named, address=request.remote_addr or "", browser=browser, since_ms=0)


@blueprint.post("/api/v1/login")
def login() -> Response:
    """Make this device what its PIN allows: `role`, or the PIN's own if none is named."""
    body = json_object()
    wanted = newcomer(str(body["role"])).role if body.get("role") is not None else None
    keeper = gatekeeper()
    if keeper.open:
        return jsonify(role=role())
    late = must_wait()
    if late is not None:
        return late
    found = keeper.admits(str(body.get("pin", "")), wanted, request.remote_addr or "")
    if found is None:
        return problem(403, "That PIN is wrong.", "pin_wrong")
    come_in(newcomer(found))
    return jsonify(role=role())


@blueprint.post("/api/v1/logout")
def logout() -> Response:
    """This device only watches from now on."""
    gatekeeper().sessions.leave(own_key())
    session.clear()
    return jsonify(role=role())


@blueprint.get("/api/v1/paired")
def paired() -> Response:
    """The devices that are in, and what happened to devices lately."""
    keeper = gatekeeper()
    own = own_key()
    devices = [{"id": device_id(key), **asdict(one), "own": key == own} for key, one in keeper.sessions.listed()]
    return jsonify(pin=not keeper.open, devices=devices, log=[asdict(line) for line in keeper.sessions.log()])


@blueprint.delete("/api/v1/paired/<device_id>")
def revoke(device_id: str) -> Response:
    """Put one device out at once; its live page ends, too."""
    sessions = gatekeeper().sessions
    key = sessions.key_of(device_id)
    if key is None:
        return problem(404, "This device is not in any more.", "device_gone")
    if not may_appoint(sessions.find(key).role):
        return problem(403, "This device ranks above yours: only its equals revoke it.", "pin_first")
    sessions.leave(key, "revoked")
    return jsonify(role=role())


@blueprint.delete("/api/v1/paired")
def end_sessions() -> Response:
    """Put every device out, this one too."""
    keeper = gatekeeper()
    if keeper.open and not keeper.sessions.listed():
        return problem(409, "This table has no PIN, so there are no sessions to end.", "no_pin")
    keeper.sessions.end_all(request.remote_addr or "")
    session.clear()
    return jsonify(role=role())


@blueprint.get("/api/v1/pins")
def pins() -> Response:
    """Which roles have a PIN, and which this device may set."""
    has = gatekeeper().pins.roles
    return jsonify(roles=[{"role": one, "pin": one in has, "may_set": may_appoint(one)} for one in WITH_PIN])


@blueprint.put("/api/v1/pins")
def set_pin() -> Response:
    """Give a role a new PIN, or take it away (null); devices of that role must come in anew, this one stays in."""
    body = json_object()
    named, pin = role_named(body.get("role")), body.get("pin")
    if named is None or named not in WITH_PIN:
        raise BadRequestError(f"Say whose PIN: role must be one of {', '.join(WITH_PIN)}.")
    if pin is not None and not isinstance(pin, str):
        raise BadRequestError("The PIN must be a text of 4 to 12 digits, or null for none.")
    if not may_appoint(named):
        return problem(403, f"A device of this rank does not set the PIN of “{named}”.", "pin_first")
    keeper = gatekeeper()
    was_open, before = keeper.open, rank()
    try:
        keeper.pins.set(named, pin)
    except PinError as error:
        raise BadRequestError(str(error), error.key) from None
    keeper.sessions.note("pin_changed", request.remote_addr or "", named)
    keeper.sessions.end_all(request.remote_addr or "", named, spare=own_key())
    if was_open and not keeper.open:
        gate: StreamGate = current_app.extensions["paiju_gate"]
        gate.end(None)  # whoever watched as one of the house watches as a stranger from now on
    if not keeper.open and rank() != before:
        own = this_device()
        acts = newcomer("referee" if was_open and named == "referee" else before)
        come_in(replace(acts, name=own.name, seat=own.seat, paired=own.paired))
    return jsonify(role=role())

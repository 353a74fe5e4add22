"""Letting devices in and out: the PIN, who is in, and ending all sessions."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request, session

from webui.errors import BadRequestError, problem
from webui.requests import json_object
from webui.security import gatekeeper, role
from webui.stream import StreamGate

blueprint = Blueprint("access", __name__)


@blueprint.post("/api/v1/login")
def login() -> Response:
    """Make this device the referee's or the table's own by PIN."""
    body = json_object()
    wanted = body.get("role", "referee")
    if wanted not in ("referee", "tablet"):
        raise BadRequestError("The role must be “referee” or “tablet”.")
    keeper = gatekeeper()
    device = request.remote_addr or ""
    if keeper.locked(device):
        answer_late = problem(429, "Too many wrong PINs: wait a minute.", "pin_wait")
        answer_late.headers["Retry-After"] = "60"
        return answer_late
    if not keeper.admits(str(body.get("pin", "")), device):
        return problem(403, "That PIN is wrong.", "pin_wrong")
    browser, before = request.headers.get("User-Agent", ""), str(session.get("device", ""))
    session["device"] = keeper.sessions.enter(wanted, device, browser, before)
    return jsonify(role=role())


@blueprint.post("/api/v1/logout")
def logout() -> Response:
    """This device only watches from now on."""
    gatekeeper().sessions.leave(str(session.get("device", "")))
    session.clear()
    return jsonify(role=role())


@blueprint.get("/api/v1/devices")
def devices() -> Response:
    """The devices that are in, and what happened to devices lately; for the referee."""
    if role() != "referee":
        return problem(403, "Only the referee sees the devices: enter the PIN first.", "pin_first")
    return jsonify(_document())


@blueprint.post("/api/v1/devices/end")
def end_sessions() -> Response:
    """End the sessions of all devices, this one too; with `pin` the PIN changes as well."""
    body = json_object()
    keeper = gatekeeper()
    if role() != "referee":
        return problem(403, "Only the referee ends sessions: enter the PIN first.", "pin_first")
    if keeper.pin_hash is None:
        return problem(409, "This table has no PIN, so there are no sessions to end.", "no_pin")
    pin = body.get("pin")
    try:
        keeper.end_all(request.remote_addr or "", str(pin) if pin else None)
    except ValueError as error:
        raise BadRequestError(str(error)) from None
    session.clear()
    gate: StreamGate = current_app.extensions["paiju_gate"]
    gate.renew()
    return jsonify(role=role())


def _document() -> dict[str, Any]:
    keeper = gatekeeper()
    own = str(session.get("device", ""))
    listed = keeper.sessions.listed()
    return {
        "pin": keeper.pin_hash is not None,
        "devices": [{**asdict(one), "own": key == own} for key, one in listed],
        "log": [asdict(line) for line in keeper.sessions.log()],
    }

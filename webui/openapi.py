"""The program interface described for other programs, made from the same types that check each request."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from flask import Blueprint, Response, jsonify
from pydantic import Field, TypeAdapter

from table.commands import Command
from table.snapshot import Snapshot
from webui.lock import LOCKED, PIN_HEADER
from webui.openapi_setup import setup_paths
from webui.roles import ROLES, WITH_PIN

blueprint = Blueprint("openapi", __name__)

_REFERENCE = "#/components/schemas/{model}"
_JSON = "application/json"


_TEXT: dict[str, Any] = {"type": "string"}
_ERROR = {"$ref": "#/components/schemas/Error"}
_GUARD = {"name": "X-Paiju", "in": "header", "required": True, "schema": {"type": "string", "enum": ["1"]}}
_VIEW = {
    "name": "as",
    "in": "query",
    "required": False,
    "description": "See only what everybody may see.",
    "schema": {"type": "string", "enum": ["viewer"]},
}


def _query(name: str, meaning: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "description": meaning, "schema": {"type": "string"}}


def _answer(meaning: str, schema: dict[str, Any] | None = None, media_type: str = _JSON) -> dict[str, Any]:
    return {"description": meaning, "content": {media_type: {"schema": schema or {"type": "object"}}}}


def _get(meaning: str, answers: dict[str, Any], *parameters: dict[str, Any]) -> dict[str, Any]:
    return {"get": {"summary": meaning, "parameters": list(parameters), "responses": answers}}


_REFUSED = {
    "400": _answer("Malformed; the sentence says what to send.", _ERROR),
    "403": _answer("Not from a Paiju page, or this device may not do that.", _ERROR),
}


def _send(
    method: str, meaning: str, schema: dict[str, Any], answers: dict[str, Any], media_type: str = _JSON
) -> dict[str, Any]:
    body = {"required": True, "content": {media_type: {"schema": schema}}}
    told = {"summary": meaning, "parameters": [_GUARD], "requestBody": body, "responses": {**answers, **_REFUSED}}
    return {method: told}


def _post(meaning: str, schema: dict[str, Any], answers: dict[str, Any], media_type: str = _JSON) -> dict[str, Any]:
    return _send("post", meaning, schema, answers, media_type)


def _delete(meaning: str, answers: dict[str, Any], *parameters: dict[str, Any]) -> dict[str, Any]:
    told = {"summary": meaning, "parameters": [_GUARD, *parameters], "responses": {**answers, "403": _REFUSED["403"]}}
    return {"delete": told}


def _path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _to_read() -> dict[str, Any]:
    state = _answer("The whole state.", {"$ref": "#/components/schemas/Snapshot"})
    full = _answer("All live places are taken; ask `/api/v1/state` instead.", _ERROR)
    told = "`hello` first, `state` with the whole state, `beat` as a sign of life."
    stream = _answer(told, {"type": "string"}, "text/event-stream")
    jpeg = _answer("The picture.", {"type": "string", "format": "binary"}, "image/jpeg")
    hidden = _answer("Not for this device: enter the PIN first.", _ERROR)
    row, number = {"$ref": "#/components/schemas/HistoryRow"}, {"type": "integer"}
    rows = _object(
        "first changed rows", first=number, changed=number, rows={"type": "array", "items": row, "maxItems": 200}
    )
    wrong = _answer("No such rows.", _ERROR)
    return {
        "/api/v1/state": _get("The present state.", {"200": state, "304": {"description": "Unchanged."}}, _VIEW),
        "/api/v1/history": _get(
            "Rows of the history that the state of a long game does not tell any more.",
            {"200": _answer("`rows`, the number of the `first`, and `changed` as in the state.", rows), "400": wrong},
            _query("before", "The number of the row after them; left out = the end."),
            _query("count", "How many at most, 1 to 200."),
            _VIEW,
        ),
        "/api/v1/stream": _get("The state, live, as server-sent events.", {"200": stream, "503": full}, _VIEW),
        "/api/v1/penalties": _get("The penalties a referee can choose from.", {"200": _answer("The list.")}),
        "/api/v1/busy": {
            "post": {
                "summary": "Somebody is at a page: a demonstration waits a few seconds.",
                "responses": {
                    "204": {"description": "It waits."},
                    "404": _answer("This table plays nothing by itself.", _ERROR),
                },
            }
        },
        "/api/v1/statistics": _get(
            "Seconds from the claim to the approved score; what the players did.", {"200": _answer("The numbers.")}
        ),
        "/api/v1/hall": _get("The tables of the hall in short, this one first.", {"200": _answer("The tables.")}),
        "/api/v1/hands/{number}": _get(
            "What the ledger tells of a hand: who did what, corrections before and after, fans that did not count.",
            {"200": _answer("The record."), "403": hidden, "404": _answer("No such hand.", _ERROR)},
            {"name": "number", "in": "path", "required": True, "schema": {"type": "integer"}},
        ),
        "/api/v1/rulesets": _get(
            "The rulesets and their options.",
            {"200": _answer("The rulesets."), "400": _answer("No such language.", _ERROR)},
            _query("language", "zh-Hans, zh-Hant or en."),
        ),
        "/api/v1/rules": _get(
            "One ruleset as a readable table: fans, options, sources.",
            {
                "200": _answer("Name, language and text."),
                "400": _answer("No such language.", _ERROR),
                "404": _answer("No such ruleset.", _ERROR),
            },
            _query("name", "The ruleset, e.g. gb."),
            _query("language", "zh-Hans, zh-Hant or en."),
        ),
        "/evidence/{picture_id}": _get(
            "A kept picture.",
            {
                "200": jpeg,
                "403": hidden,
                "404": _answer("No such picture.", _ERROR),
                "410": {"description": "No longer kept: a drawing that says so.", "content": {"image/svg+xml": {}}},
            },
            _path("picture_id"),
        ),
    }


def _to_do() -> dict[str, Any]:
    done = {"200": _answer("Done.", {"$ref": "#/components/schemas/Done"})}
    later = {"409": _answer("The table does not do that now; `key` names the sentence.", _ERROR)}
    sizes = {
        "413": _answer("Larger than 30 MB.", _ERROR),
        "415": _answer("No JPEG, PNG or WebP.", _ERROR),
    }
    role = {"200": _answer("The role of this device.")}
    slow = {"429": _answer("Too many wrong PINs: wait a minute.", _ERROR)}
    return {
        "/api/v1/command": _post("Do one thing.", {"$ref": "#/components/schemas/Command"}, {**done, **later}),
        "/api/v1/photo": _post(
            "Read the claimed hand from a photograph.",
            {"$ref": "#/components/schemas/Photo"},
            {**done, **later, **sizes},
            "multipart/form-data",
        ),
        "/api/v1/score": _post("Answer a question of the rules.", {"type": "object"}, {"200": _answer("The answer.")}),
        "/api/v1/login": _post("Unlock with a PIN.", {"$ref": "#/components/schemas/Login"}, {**role, **slow}),
        "/api/v1/logout": _post("Only watch from now on.", {"type": "object"}, role),
    }


def _to_let_in() -> dict[str, Any]:
    """PINs, pairing by code, revoking: who may use what is in `webui/access.csv`."""
    role = {"200": _answer("The role of this device now.", {"$ref": "#/components/schemas/Own"})}
    hidden = {"403": _answer("Not for this device.", _ERROR)}
    wish = _object(
        "role",
        role={"type": "string", "enum": list(ROLES)},
        seat={"type": ["integer", "null"], "minimum": 0, "maximum": 3, "description": "For a player's device."},
        name={"type": "string", "maxLength": 40, "description": "As the list of devices shows it."},
    )
    code = _object("url svg seconds", url=_TEXT, svg=_TEXT, seconds={"type": "integer"})
    became = _object("role seat name page", role=_TEXT, seat={"type": ["integer", "null"]}, name=_TEXT, page=_TEXT)
    pin = _object(
        "role pin",
        role={"type": "string", "enum": list(WITH_PIN)},
        pin={"type": ["string", "null"], "pattern": "^[0-9]{4,12}$"},
    )
    gone = {"404": _answer("Not in any more.", _ERROR)}
    none = {"409": _answer("There is no PIN and no device.", _ERROR)}
    used = {"403": _answer("Used already, or older than five minutes.", _ERROR)}
    hand = _object("hand_no", hand_no={"type": "integer", "minimum": 1, "maximum": 10_000}, name=_TEXT)
    urls = _object("urls", urls={"type": "array", "maxItems": 5, "items": _TEXT})
    told = {"200": _answer("The list; `made` has the secrets of new addresses, this once.")}
    no_hooks = {"409": _answer("This table keeps no webhooks.", _ERROR)}
    owned = {"409": _answer("Somebody else is correcting a hand, or there is no such hand.", _ERROR)}
    return {
        "/api/v1/correction": {
            **_get("The hand being corrected now, and by whom.", {"200": _answer("The list."), **hidden}),
            **_send(
                "put", "Own the correction of a hand for 10 s; repeat it.", hand, {"200": _answer("Yours."), **owned}
            ),
            **_send("delete", "The correction is done or given up.", hand, {"200": _answer("The list.")}),
        },
        "/api/v1/webhooks": {
            **_get("Who is told what was confirmed, and how far.", {"200": _answer("The list."), **hidden, **no_hooks}),
            **_send("put", "Tell these addresses of the local network from now on.", urls, {**told, **no_hooks}),
        },
        "/api/v1/pair": _post(
            "A QR code for one device; works once, for five minutes.", wish, {"200": _answer("The code.", code)}
        ),
        "/api/v1/join": _post(
            "Use a code.", _object("ticket", ticket=_TEXT), {"200": _answer("What this device is now.", became), **used}
        ),
        "/api/v1/paired": {
            **_get("The devices that are in.", {"200": _answer("Devices and what happened lately."), **hidden}),
            **_delete("Put every device out.", {**role, **none}),
        },
        "/api/v1/paired/{device_id}": _delete("Put one device out at once.", {**role, **gone}, _path("device_id")),
        "/api/v1/pins": {
            **_get("Which roles have a PIN.", {"200": _answer("The roles."), **hidden}),
            **_send("put", "Give a role a PIN, or take it away (null).", pin, role),
        },
    }


def _lock(route: dict[str, Any]) -> None:
    """Say of a route that it is locked while a hand is open."""
    sure = "The chief's PIN, or `sure` at a table without PINs: opens the lock for this request."
    pin = {"name": PIN_HEADER, "in": "header", "required": False, "description": sure, "schema": _TEXT}
    route["parameters"] = [*route["parameters"], pin]
    route["responses"]["423"] = _answer("A hand is open.", _ERROR)
    route["responses"]["429"] = _answer("Too many wrong PINs; `Retry-After` says how long to wait.", _ERROR)


def _object(required: str, **properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": required.split(), "properties": properties}


@cache
def document() -> dict[str, Any]:
    """The whole description (OpenAPI 3.1)."""
    command: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="kind")])
    state = TypeAdapter(Snapshot)
    inputs = [("command", "validation", command), ("state", "serialization", state)]
    roots, shared = TypeAdapter.json_schemas(inputs, ref_template=_REFERENCE)  # type: ignore[arg-type]
    schemas = dict(shared["$defs"])
    schemas["Command"] = roots["command", "validation"]
    text = _TEXT
    role = {"type": "string", "enum": list(ROLES)}
    schemas["Own"] = _object("role", role=role)
    win = {"type": ["object", "null"]}
    schemas["Done"] = _object("seq changes win", seq={"type": "integer"}, changes={"type": "array"}, win=win)
    schemas["Error"] = _object("error", error=text, key=text, params={"type": "object"})
    schemas["Photo"] = _object("picture idem", picture={"type": "string", "format": "binary"}, idem=text)
    schemas["Login"] = _object("pin", pin=text, role=role)
    paths = {**_to_read(), **_to_do(), **_to_let_in(), **setup_paths()}
    for locked in LOCKED:
        method, _, path = locked.partition(" ")
        _lock(paths[path][method.lower()])
    info = {"title": "Paiju", "version": "1", "description": "One mahjong table: its state, and what may be done."}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": {"schemas": schemas}}


@blueprint.get("/api/v1/openapi.json")
def openapi() -> Response:
    """This interface, for programs."""
    return jsonify(document())

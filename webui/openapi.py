"""The program interface described for other programs, made from the same types that check each request."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from flask import Blueprint, Response, jsonify
from pydantic import Field, TypeAdapter

from table.commands import Command
from table.snapshot import Snapshot

blueprint = Blueprint("openapi", __name__)

_REFERENCE = "#/components/schemas/{model}"
_JSON = "application/json"


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


def _post(meaning: str, schema: dict[str, Any], answers: dict[str, Any], media_type: str = _JSON) -> dict[str, Any]:
    refused = {
        "400": _answer("Malformed; the sentence says what to send.", _ERROR),
        "403": _answer("Not from a Paiju page, or this device has not entered the PIN.", _ERROR),
    }
    body = {"required": True, "content": {media_type: {"schema": schema}}}
    return {
        "post": {"summary": meaning, "parameters": [_GUARD], "requestBody": body, "responses": {**answers, **refused}}
    }


def _to_read() -> dict[str, Any]:
    state = _answer("The whole state.", {"$ref": "#/components/schemas/Snapshot"})
    full = _answer("All live places are taken; ask `/api/v1/state` instead.", _ERROR)
    stream = _answer("`state` with the whole state, `beat` as a sign of life.", {"type": "string"}, "text/event-stream")
    picture = {"name": "picture", "in": "path", "required": True, "schema": {"type": "string"}}
    jpeg = _answer("The picture.", {"type": "string", "format": "binary"}, "image/jpeg")
    hidden = _answer("Not for this device: enter the PIN first.", _ERROR)
    return {
        "/api/v1/state": _get("The present state.", {"200": state, "304": {"description": "Unchanged."}}, _VIEW),
        "/api/v1/stream": _get("The state, live, as server-sent events.", {"200": stream, "503": full}, _VIEW),
        "/api/v1/penalties": _get("The penalties a referee can choose from.", {"200": _answer("The list.")}),
        "/api/v1/statistics": _get("Seconds from the claim to the approved score.", {"200": _answer("The numbers.")}),
        "/api/v1/devices": _get("The devices that are in.", {"200": _answer("The list."), "403": hidden}),
        "/api/v1/rulesets": _get("The rulesets and their options.", {"200": _answer("The rulesets.")}),
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
        "/evidence/{picture}": _get(
            "A kept picture.",
            {
                "200": jpeg,
                "403": hidden,
                "404": _answer("No such picture.", _ERROR),
                "410": {"description": "No longer kept: a drawing that says so.", "content": {"image/svg+xml": {}}},
            },
            picture,
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
        "/api/v1/login": _post("Unlock with the PIN.", {"$ref": "#/components/schemas/Login"}, {**role, **slow}),
        "/api/v1/devices/end": _post(
            "End all sessions, and change the PIN if one is given.",
            {"type": "object", "properties": {"pin": {"type": "string"}}},
            {**role, **later},
        ),
        "/api/v1/logout": _post("Only watch from now on.", {"type": "object"}, role),
    }


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
    text, role = {"type": "string"}, {"type": "string", "enum": ["referee", "tablet"]}
    schemas["Done"] = _object("seq changes", seq={"type": "integer"}, changes={"type": "array"})
    schemas["Error"] = _object("error", error=text, key=text, params={"type": "object"})
    schemas["Photo"] = _object("picture idem", picture={"type": "string", "format": "binary"}, idem=text)
    schemas["Login"] = _object("pin", pin=text, role=role)
    paths = {**_to_read(), **_to_do()}
    info = {"title": "Paiju", "version": "1", "description": "One mahjong table: its state, and what may be done."}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": {"schemas": schemas}}


@blueprint.get("/api/v1/openapi.json")
def openapi() -> Response:
    """This interface, for programs."""
    return jsonify(document())

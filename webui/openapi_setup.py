"""The set-up page's routes as the interface describes itself; what each does is in `webui/setup_api.py`."""

from __future__ import annotations

from typing import Any, get_args

from table.settings import STEPS, Place
from vision.guided import GUIDED_ROWS

_ERROR = {"$ref": "#/components/schemas/Error"}
_GUARD = {"name": "X-Paiju", "in": "header", "required": True, "schema": {"type": "string", "enum": ["1"]}}
_JPEG = {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}
_OBJECT = {"application/json": {"schema": {"type": "object"}}}
_SEAT = {"type": "integer", "minimum": 0, "maximum": 3}
_STEP = {"type": ["string", "null"], "enum": [*STEPS, None]}
_PAIR = {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number", "minimum": -0.5, "maximum": 1.5}}


def _refused(*more: str) -> dict[str, Any]:
    words = {
        "400": "Malformed; the sentence says what to send.",
        "403": "Not from a Paiju page, or this device may not set the table up.",
        "409": "Not now, or not with this camera or line; `key` names the sentence.",
    }
    said = {code: words[code] for code in ("403", "409", *more)}
    return {
        code: {"description": text, "content": {"application/json": {"schema": _ERROR}}} for code, text in said.items()
    }


def _get(meaning: str, *queries: str, picture: bool = False, more: tuple[str, ...] = ()) -> dict[str, Any]:
    asked = [{"name": name, "in": "query", "required": False, "schema": {"type": "string"}} for name in queries]
    answer = {"200": {"description": meaning, "content": _JPEG if picture else _OBJECT}}
    return {"get": {"summary": meaning, "parameters": asked, "responses": {**answer, **_refused(*more)}}}


def _post(meaning: str, form: str = "application/json", **fields: Any) -> dict[str, Any]:
    body = {"required": bool(fields), "content": {form: {"schema": {"type": "object", "properties": fields}}}}
    answer = {"200": {"description": "Done.", "content": _OBJECT}}
    sent = {"requestBody": body} if fields else {}
    return {"post": {"summary": meaning, "parameters": [_GUARD], **sent, "responses": {**answer, **_refused("400")}}}


def setup_paths() -> dict[str, Any]:
    """The described routes, by path."""
    place = {"type": ["string", "null"], "enum": [*get_args(Place), None]}
    points = {"type": "array", "minItems": 4, "maxItems": 4, "items": _PAIR}
    words = {"type": "array", "maxItems": 4, "items": {"type": "string"}}
    row = {"type": "string", "enum": [row.key for row in GUIDED_ROWS]}
    sure = {"type": "string", "enum": ["0", "1"]}
    picture = {"type": "string", "format": "binary"}
    keep = {
        **_get("What was chosen, and where the set-up stands."),
        **_post("Keep the place, the step, a skipped step, or that the sound was heard.",
                place=place, step=_STEP, skip=_STEP, sound={"type": "boolean"}),
    }  # fmt: skip
    corners = {
        **_get("The felt's corners as found now, as shares of the picture."),
        **_post("Use corners from now on.", points=points, seat=_SEAT),
    }
    described = {
        "": keep,
        "/cameras": _get("The cameras that can be chosen."),
        "/thumbnail": _get("What one camera sees now, small.", "camera", picture=True),
        "/camera": _post("Use a camera from now on.", camera={"type": ["string", "null"]}),
        "/picture": _get("What the table's camera sees now.", picture=True),
        "/scene": _get("Light, focus, glare, size, and the tiles that are read now."),
        "/corners": corners,
        "/corners/check": _get("How well the felt between corners is seen.", "points", more=("400",)),
        "/preview": _get("The felt straight from above.", "points", "seat", picture=True, more=("400",)),
        "/tiles": _get("The rows to lay out, and how often each was shown."),
        "/tiles/row": _post("Show one row.", "multipart/form-data", row=row, sure=sure, picture=picture),
        "/tiles/keep": _post("Learn the shown rows, and read with them from now on."),
        "/tiles/again": _post("Forget the rows shown so far."),
        "/tiles/forget": _post("Read tiles as those of any set again."),
        "/report": _get("What is ready and what is missing."),
        "/ports": _get("Serial ports and recordings, and what is heard at each."),
        "/ports/listen": _post("Wait at every port for the dice button."),
        "/line": _post("Use a line from now on.", words=words),
    }  # fmt: skip
    return {f"/api/v1/setup{path}": what for path, what in described.items()}

"""Reading what a program sent: one JSON object, not too large."""

from __future__ import annotations

from typing import Any

from flask import request

from webui.errors import BadRequestError

COMMAND_LIMIT = 64 * 1024


def json_object() -> dict[str, Any]:
    """The request body as a JSON object.

    Raises:
        BadRequestError: it is none, or too large.
    """
    if not request.is_json:
        raise BadRequestError("The request body must be JSON: send Content-Type: application/json.")
    if (request.content_length or 0) > COMMAND_LIMIT:
        raise BadRequestError(f"The request body is larger than {COMMAND_LIMIT // 1024} kB.")
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        raise BadRequestError("The request body must be one JSON object, e.g. {kind, idem}.")
    return body

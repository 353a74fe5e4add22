"""Reading what a program sent: one JSON object, not too large."""

from __future__ import annotations

from typing import Any

from flask import request

from table.json_text import parse_json
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
    try:
        body = parse_json(request.get_data().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadRequestError("The request body must be JSON in UTF-8.") from None
    except ValueError as error:
        raise BadRequestError(f"The request body is no JSON that Paiju takes: {error}.") from None
    if not isinstance(body, dict):
        raise BadRequestError("The request body must be one JSON object, e.g. {kind, idem}.")
    return body

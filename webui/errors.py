"""Every refusal reaches the page as `{"error": "one sentence", "key": ..., "params": ...}`.

The sentence is English; pages look the key up in their own language.
"""

from __future__ import annotations

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from table.model import Scalar
from table.sentences import Sentence
from webui.access_file import AccessFileError


class BadRequestError(ValueError):
    """The request itself is malformed; the message is one sentence saying what to send instead.

    `key` is that of a sentence for people where what they typed is wrong; all else only a program can get wrong.
    """

    def __init__(self, sentence: str, key: str = "") -> None:
        super().__init__(sentence)
        self.key = key


def problem(status: int, sentence: str, key: str = "", **params: Scalar) -> Response:
    """An answer with an HTTP status and one sentence: what is wrong and what to do; `params` are the key's places."""
    response = jsonify(error=sentence, key=key, params=params)
    response.status_code = status
    return response


def refusal(sentence: Sentence, status: int = 409) -> Response:
    """The table said no: its sentence, with the key that pages translate."""
    return problem(status, sentence.text, sentence.key, **sentence.params)


def install(app: Flask) -> None:
    """Answer every error in the one form the pages understand."""

    @app.errorhandler(BadRequestError)
    def malformed(error: BadRequestError) -> Response:
        return problem(400, str(error), error.key)

    @app.errorhandler(AccessFileError)
    def not_kept(error: AccessFileError) -> Response:
        return problem(503, str(error), "not_kept")

    @app.errorhandler(RequestEntityTooLarge)
    def too_large(_: RequestEntityTooLarge) -> Response:
        limit = (app.config["MAX_CONTENT_LENGTH"] or 0) // 2**20
        return problem(
            413, f"The upload is larger than {limit} MB: take the picture again with a lower resolution.", "too_large"
        )

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response:
        sentence = f"{request.method} {request.path}: {error.description}"
        return problem(error.code or 500, sentence)

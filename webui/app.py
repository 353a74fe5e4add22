"""Puts the pages together: one application shows one table."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from flask import Flask

from webui import access, api, compress, errors, evening, monitor, openapi, pages, stream
from webui.evening import Timings
from webui.ports import Table
from webui.security import Gatekeeper, guard
from webui.sessions import Sessions

UPLOAD_LIMIT = 30 * 2**20
MAX_STREAMS = 56


def create_app(
    table: Table,
    *,
    pin: str | None = None,
    secret: bytes | None = None,
    address: str | None = None,
    max_streams: int = MAX_STREAMS,
    clock: Callable[[], float] = time.monotonic,
    wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
) -> Flask:
    """The web application of one table.

    Args:
        table: the running table.
        pin: the referee's PIN; None trusts every device, as at home.
        secret: signs the devices' sessions; None makes a new one, so devices enter the PIN again after a restart.
        address: where phones reach the pages, e.g. `http://192.168.4.1:8080`; None takes what each page was asked by.
        max_streams: how many pages may watch live at once; further ones ask every two seconds.
        clock: seconds, for slowing down PIN guesses.
        wall_ms: UTC in milliseconds, for the list of devices.

    Raises:
        ValueError: the PIN is not 4 to 12 digits.
    """
    app = Flask(__name__)
    app.config.update(
        PAIJU_ADDRESS=address,
        SECRET_KEY=secret or secrets.token_bytes(32),
        MAX_CONTENT_LENGTH=UPLOAD_LIMIT,
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_HTTPONLY=True,
        SEND_FILE_MAX_AGE_DEFAULT=None,
    )
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.extensions["paiju_table"] = table
    app.extensions["paiju_timings"] = Timings(table)
    app.extensions["paiju_gate"] = stream.StreamGate(max_streams)
    app.extensions["paiju_gatekeeper"] = Gatekeeper.with_pin(pin, clock, Sessions(wall_ms))
    errors.install(app)
    guard(app)
    compress.install(app)
    for part in (pages, api, access, evening, stream, monitor, openapi):
        app.register_blueprint(part.blueprint)
    return app

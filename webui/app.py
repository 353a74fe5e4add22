"""Puts the pages together: one application shows one table."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from flask import Flask

from table.set_up import SetUp
from webui import (
    access,
    api,
    assets,
    compress,
    errors,
    evening,
    lock,
    monitor,
    openapi,
    ownership,
    pages,
    pairing,
    setup_api,
    stream,
    trust,
)
from webui import hall as halls
from webui import webhooks as hooks
from webui.access_file import AccessFile
from webui.hall import Hall
from webui.ownership import Correction
from webui.ports import Table
from webui.security import Gatekeeper, guard
from webui.sessions import Sessions
from webui.trust import Authority
from webui.webhooks import Webhooks

UPLOAD_LIMIT = 30 * 2**20
MAX_STREAMS = 56
PAIRED_DAYS = 365
PARTS = (
    pages, assets, api, access, pairing, setup_api, evening, stream, halls, monitor, openapi, trust, ownership, hooks,
)  # fmt: skip


def create_app(
    table: Table,
    *,
    pin: str | None = None,
    access_file: Path | None = None,
    setup: SetUp | None = None,
    webhooks: Webhooks | None = None,
    address: str | None = None,
    names: Sequence[str] = (),
    wait: Callable[[], None] | None = None,
    authority: Authority | None = None,
    hall: Hall | None = None,
    max_streams: int = MAX_STREAMS,
    clock: Callable[[], float] = time.monotonic,
    wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
) -> Flask:
    """The web application of one table.

    Args:
        table: the running table.
        pin: the referee's PIN for this run; None leaves the stored ones, and without any every device is trusted.
        access_file: where PINs and paired devices are kept; None keeps them until the program ends.
        setup: what the set-up page changes; None for a table that is not set up from its pages.
        address: where phones reach the pages, e.g. `http://192.168.4.1:8080`; None takes what each page was asked by.
        authority: what vouches for the secure pages, for devices to install; None without HTTPS.
        hall: the tables beside this one, for the page of the hall; None for a table alone.
        webhooks: tells other programs what was confirmed; None for none.
        wait: makes a demonstration wait a moment for whoever is at a page; None for any other table.
        names: further host names by which the pages are reached, beside addresses and those of local networks.
        max_streams: how many pages may watch live at once; further ones ask every two seconds.
        clock: seconds, for slowing down PIN guesses.
        wall_ms: UTC in milliseconds, for the list of devices.

    Raises:
        ValueError: the PIN is not 4 to 12 digits.
        AccessFileError: the access file is damaged or cannot be written.
    """
    app = Flask(__name__)
    file = AccessFile(access_file)
    gate = stream.StreamGate(max_streams)
    sessions = Sessions(wall_ms, file, gate.end)
    app.config.update(
        PAIJU_ADDRESS=address,
        PAIJU_NAMES=tuple(name.lower() for name in names),
        SECRET_KEY=file.kept.secret,
        MAX_CONTENT_LENGTH=UPLOAD_LIMIT,
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=PAIRED_DAYS * 86_400,
        SEND_FILE_MAX_AGE_DEFAULT=None,
    )
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.extensions["paiju_table"] = table
    evening.install(app, table)
    app.extensions["paiju_hall"] = hall or Hall((), clock)
    app.extensions["paiju_wall_ms"] = wall_ms
    app.extensions["paiju_gate"] = gate
    app.extensions["paiju_authority"] = authority
    app.extensions["paiju_webhooks"] = webhooks
    app.extensions["paiju_gatekeeper"] = Gatekeeper.with_file(file, pin, clock, sessions)
    app.extensions["paiju_tickets"] = pairing.Tickets(file.kept.secret, clock)
    errors.install(app)
    guard(app)
    lock.install(app, table)
    app.extensions["paiju_corrections"] = Correction(clock)
    compress.install(app)
    assets.install(app)
    app.extensions["paiju_setup"] = setup
    app.extensions["paiju_wait"] = wait
    for part in PARTS:
        app.register_blueprint(part.blueprint)
    return app

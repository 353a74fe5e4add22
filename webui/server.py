"""Serves the pages with waitress: a thread pool in the process that owns camera, device and ledger."""

from __future__ import annotations

from typing import Protocol, cast

from flask import Flask
from waitress import create_server

from webui.stream import StreamGate

COMMAND_THREADS = 8
"""Threads that streams can never take."""


class Server(Protocol):
    """A bound server: `run` answers until `close` is called from another thread."""

    def run(self) -> None:
        """Answer requests."""
        ...

    def close(self) -> None:
        """Stop answering."""
        ...


def make_server(app: Flask, host: str, port: int, *, command_threads: int = COMMAND_THREADS) -> Server:
    """Bind the address now, so that a port in use is an `OSError` here and not later.

    Every open stream holds one thread, so the pool is as large as the stream gate plus the threads for commands.
    """
    gate: StreamGate = app.extensions["paiju_gate"]
    server = create_server(
        app,
        host=host,
        port=port,
        threads=gate.capacity + command_threads,
        ident="paiju",
        channel_timeout=30,
        connection_limit=gate.capacity * 4 + 100,
        max_request_body_size=app.config["MAX_CONTENT_LENGTH"] + 2**20,
        channel_request_lookahead=1,  # without it a viewer who left is noticed only when a write fails
        clear_untrusted_proxy_headers=True,
    )
    return cast("Server", server)


def serve(app: Flask, host: str = "0.0.0.0", port: int = 8080, *, command_threads: int = COMMAND_THREADS) -> None:
    """Answer until the process is asked to stop."""
    make_server(app, host, port, command_threads=command_threads).run()

"""Serves the pages with waitress: a thread pool in the process that owns camera, device and ledger."""

from __future__ import annotations

from flask import Flask
from waitress import create_server, wasyncore

from webui.stream import StreamGate

COMMAND_THREADS = 8
"""Threads that streams can never take."""

HEARD_OUT = 3
"""A body up to so many times the limit is taken in to be refused in a sentence; beyond, waitress hangs up."""

GOODBYE_S = 3.0
"""How long `close` waits for answers that are being given."""


class Server:
    """A bound server: the address is taken when it is made, so a port in use is an `OSError` then and not later."""

    def __init__(self, app: Flask, host: str, port: int, *, command_threads: int = COMMAND_THREADS) -> None:
        """Take the address; port 0 takes any free one.

        Every open stream holds one thread, so the pool is as large as the stream gate plus the threads for commands.
        """
        gate: StreamGate = app.extensions["paiju_gate"]
        self._gate = gate
        self._sockets: dict[int, object] = {}
        self._inner = create_server(
            app,
            map=self._sockets,
            host=host,
            port=port,
            threads=gate.capacity + command_threads,
            ident="paiju",
            channel_timeout=30,
            connection_limit=gate.capacity * 4 + 100,
            max_request_body_size=app.config["MAX_CONTENT_LENGTH"] * HEARD_OUT,
            channel_request_lookahead=1,  # without it a viewer who left is noticed only when a write fails
            clear_untrusted_proxy_headers=True,
        )

    @property
    def port(self) -> int:
        """The port that was taken."""
        return int(self._inner.effective_port)

    def run(self) -> None:
        """Answer until `close` is called from another thread."""
        self._inner.run()

    def close(self) -> None:
        """Stop answering: live streams end, answers that are being given are waited for."""
        self._gate.shut()
        self._inner.task_dispatcher.shutdown(timeout=GOODBYE_S)
        self._inner.trigger.pull_trigger(self._hang_up)

    def _hang_up(self) -> None:
        """In the thread of `run`, which ends when no socket is left."""
        wasyncore.close_all(self._sockets, ignore_all=True)


def make_server(app: Flask, host: str, port: int) -> Server:
    """A bound server for these pages.

    Raises:
        OSError: the port is in use or not allowed.
    """
    return Server(app, host, port)


def serve(app: Flask, host: str = "0.0.0.0", port: int = 8080, *, command_threads: int = COMMAND_THREADS) -> None:
    """Answer until the process is asked to stop."""
    Server(app, host, port, command_threads=command_threads).run()

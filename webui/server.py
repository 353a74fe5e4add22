"""Serves the pages with waitress: a thread pool in the process that owns camera, device and ledger."""

from __future__ import annotations

import copy
import socket
import ssl
from collections import Counter
from typing import Any

from flask import Flask
from waitress import create_server, wasyncore
from waitress.channel import HTTPChannel

from webui.stream import StreamGate
from webui.tls_front import TlsFront, too_many

COMMAND_THREADS = 8
"""Threads that streams can never take."""

HEARD_OUT = 3
"""A body up to so many times the limit is taken in to be refused in a sentence; beyond, waitress hangs up."""

GOODBYE_S = 0.8
"""How long `close` waits for answers that are being given."""

SILENCE_S = 30
"""A connection that says nothing for so long is closed, and sooner where its place is wanted."""

SPARE = 50
"""Files beside the connections that `Server` keeps: at its own limit waitress would not hear anybody any more."""


class Server:
    """A bound server: the address is taken when it is made, so a port in use is an `OSError` then and not later."""

    def __init__(self, app: Flask, host: str, port: int, *, command_threads: int = COMMAND_THREADS) -> None:
        """Take the address; port 0 takes any free one.

        Every open stream holds one thread, so the pool is as large as the stream gate plus the threads for commands.
        """
        gate: StreamGate = app.extensions["paiju_gate"]
        self._gate = gate
        self._places = gate.capacity * 4 + 100
        self._sockets: dict[int, object] = {}
        self._front: TlsFront | None = None
        self._inner = create_server(
            app,
            map=self._sockets,
            host=host,
            port=port,
            threads=gate.capacity + command_threads,
            ident="paiju",
            channel_timeout=SILENCE_S,
            cleanup_interval=SILENCE_S // 3,
            connection_limit=self._places + SPARE,
            asyncore_use_poll=True,  # select() knows no more than 1,024 files
            max_request_header_size=32 * 1024,
            max_request_body_size=app.config["MAX_CONTENT_LENGTH"] * HEARD_OUT,
            channel_request_lookahead=1,  # without it a viewer who left is noticed only when a write fails
            clear_untrusted_proxy_headers=True,
        )
        self._inner.channel_class = self._admit
        self._secure = copy.copy(self._inner.adj)
        self._secure.url_scheme = "https"

    @property
    def port(self) -> int:
        """The port that was taken."""
        return int(self._inner.effective_port)

    @property
    def secure_port(self) -> int | None:
        """The port for HTTPS; None without."""
        return None if self._front is None else self._front.port

    def add_tls(self, context: ssl.SSLContext, host: str, port: int) -> None:
        """Also answer HTTPS on a port of its own, with the same threads.

        Raises:
            OSError: the port is in use or not allowed.
        """
        self._front = TlsFront(context, self._hand_over, host, port)

    def run(self) -> None:
        """Answer until `close` is called from another thread."""
        if self._front is not None:
            self._front.start()
        self._inner.run()

    def close(self) -> None:
        """Stop answering: live streams end at once, answers that are being given are waited for."""
        self._gate.shut()
        self._inner.task_dispatcher.shutdown(timeout=GOODBYE_S)
        if self._front is not None:
            self._front.close()
        self._inner.trigger.pull_trigger(self._hang_up)

    def _admit(self, server: Any, conn: socket.socket, address: Any, adj: Any, **more: Any) -> None:
        """Take a connection, unless its sender has too many already; for its place the one silent longest is closed."""
        channels = tuple(server.active_channels.values())
        taken = Counter(channel.addr[0] for channel in channels)
        silent = [channel for channel in channels if not channel.requests]  # the others are being answered
        if too_many(address[0], taken[address[0]]) or (len(channels) >= self._places and not silent):
            conn.close()
            return
        if len(channels) >= self._places:
            min(silent, key=lambda channel: (channel.total_outbufs_len > 0, channel.last_activity)).handle_close()
        HTTPChannel(server, conn, address, adj, **more)

    def _hand_over(self, conn: socket.socket, address: tuple[str, int]) -> None:
        """Take a connection whose TLS the front speaks; in the thread of `run`, which owns all connections."""
        self._inner.trigger.pull_trigger(lambda: self._take(conn, address))

    def _take(self, conn: socket.socket, address: tuple[str, int]) -> None:
        conn.setblocking(False)
        self._admit(self._inner, conn, address, self._secure, map=self._sockets)

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

"""One HTTP exchange with another program of the network, over in time whatever the other side does."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import SplitResult, urlsplit


def web_address(text: str) -> SplitResult:
    """The parts of an address such as `http://192.168.4.20:9000/paiju`.

    Raises:
        ValueError: it is none, or its host or port can be none.
    """
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        raise ValueError("it is no address of the kind http://HOST:PORT/PATH")
    if not parts.hostname.isprintable() or " " in parts.hostname:
        raise ValueError("a host has a name of letters and digits")
    parts.hostname.encode("idna")
    return parts


def port_of(parts: SplitResult) -> int:
    """The port of an address; 443 or 80 where it names none."""
    return parts.port or (443 if parts.scheme == "https" else 80)


@contextmanager
def exchange(parts: SplitResult, seconds: float, address: str = "") -> Iterator[http.client.HTTPConnection]:
    """A connection for one question and its answer; it is hung up after `seconds`, even if every byte came in time.

    Args:
        parts: whom to ask, see `web_address`.
        seconds: how long connecting may take, and again how long all the rest.
        address: the address to connect to; empty = the one that the host's name has now.

    Raises:
        OSError: nobody is there, or over HTTPS somebody whom this PC does not trust.
    """
    host, port = str(parts.hostname), port_of(parts)
    line = socket.create_connection((address or host, port), seconds)
    with contextlib.ExitStack() as ending:
        ending.callback(line.close)
        if parts.scheme == "https":
            line = ssl.create_default_context().wrap_socket(line, server_hostname=host)
            ending.callback(line.close)
        connection = http.client.HTTPConnection(host, port)
        connection.sock = line
        ending.callback(connection.close)
        timer = threading.Timer(seconds, _hang_up, [line])
        timer.daemon = True
        ending.callback(timer.cancel)
        timer.start()
        yield connection


def _hang_up(line: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it is over already
        socket.socket.shutdown(line, socket.SHUT_RDWR)

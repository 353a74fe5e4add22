"""Where the bytes go: a serial port, a TCP socket, a pseudo-terminal, or memory. All behave alike.

A serial port is opened by ``device/serial_port.py``, the only file that imports pyserial. A transport that breaks,
however it breaks, raises `TransportError`; nothing else comes out of `read` and `write`.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import grp
import os
import select
import socket
import termios
import threading
import tty
from pathlib import Path
from typing import Literal, Protocol
from urllib.parse import urlsplit

from device.said import Said, said

READ_BYTES = 65_536
CONNECT_S = 1.0
SOCKET = "socket://"


class TransportError(Exception):
    """The line broke: unplugged, closed by the other side, or stuck for too long."""


class OpenError(Exception):
    """A port cannot be opened; ``kind`` says why, the text says what to do."""

    def __init__(self, kind: Literal["absent", "busy", "denied", "failed"], text: str) -> None:
        super().__init__(text)
        self.kind = kind


class Transport(Protocol):
    """One open line. Used by one thread at a time, except `close`."""

    name: str

    def read(self, timeout_s: float) -> bytes:
        """Return what has arrived, or nothing after ``timeout_s``; raises TransportError."""

    def write(self, data: bytes, timeout_s: float = 1.0) -> None:
        """Send everything within ``timeout_s``; raises TransportError."""

    def close(self) -> None:
        """Let the line go; harmless when repeated."""


class DescriptorTransport:
    """A file descriptor with bytes on it: a pseudo-terminal, or a connected socket's."""

    def __init__(self, name: str, descriptor: int) -> None:
        self.name = name
        self._descriptor = descriptor
        os.set_blocking(descriptor, False)

    def read(self, timeout_s: float) -> bytes:
        """Return what has arrived, or nothing after ``timeout_s``."""
        try:
            if not select.select([self._descriptor], [], [], timeout_s)[0]:
                return b""
            data = os.read(self._descriptor, READ_BYTES)
        except BlockingIOError:
            return b""
        except (OSError, ValueError) as error:
            raise TransportError(Said.of("port_gone", port=self.name, detail=str(error))) from error
        if not data:
            raise TransportError(Said.of("port_closed", port=self.name))
        return data

    def write(self, data: bytes, timeout_s: float = 1.0) -> None:
        """Send everything within ``timeout_s``."""
        rest = memoryview(data)
        try:
            while rest:
                if not select.select([], [self._descriptor], [], timeout_s)[1]:
                    raise TransportError(f"{self.name} took no bytes for {timeout_s:g} s")
                rest = rest[os.write(self._descriptor, rest) :]
        except (OSError, ValueError) as error:
            raise TransportError(Said.of("port_gone", port=self.name, detail=str(error))) from error

    def close(self) -> None:
        """Let the descriptor go."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            with contextlib.suppress(OSError):
                os.close(descriptor)


def open_pty(path: str) -> DescriptorTransport:
    """Open the far end of a pseudo-terminal, such as ``paiju simulate`` offers, for this process alone.

    Raises:
        OpenError: it does not exist, is held by another program, or may not be opened.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError as error:
        raise open_error(path, error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        tty.setraw(descriptor)
    except (OSError, termios.error) as error:
        os.close(descriptor)
        raise open_error(path, error) from error
    return DescriptorTransport(path, descriptor)


def socket_place(address: str) -> tuple[str, int]:
    """Read ``socket://HOST:PORT`` as host and port.

    Raises:
        ValueError: it is no such address; the text, a `Said`, says what to write.
    """
    sentence = Said.of("no_address", port=address)
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
        host.encode("idna")  # what no name server could be asked
    except ValueError:
        raise ValueError(sentence) from None
    if not host or not port or address != f"{SOCKET}{parts.netloc}" or "@" in address:
        raise ValueError(sentence)
    return host, port


def open_socket(address: str) -> DescriptorTransport:
    """Connect to ``socket://HOST:PORT``.

    Raises:
        OpenError: the address makes no sense or nothing listens there.
    """
    try:
        place = socket_place(address)
    except ValueError as error:
        raise OpenError("failed", said(error)) from None
    try:
        with socket.create_connection(place, timeout=CONNECT_S) as connected:
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return DescriptorTransport(address, connected.detach())
    except OSError as error:
        raise OpenError("absent", Said.of("no_socket", port=address, detail=str(error))) from error


def open_transport(spec: str) -> Transport:
    """Open ``socket://HOST:PORT``, a pseudo-terminal or a serial port; never another than the one named.

    Raises:
        OpenError: see its text.
    """
    if "://" in spec:
        return open_socket(spec)
    if os.path.realpath(spec).startswith("/dev/pts/"):
        return open_pty(spec)
    from device.serial_port import open_serial  # keeps pyserial out of simulations and tests

    return open_serial(spec)


def open_error(path: str, error: BaseException) -> OpenError:
    """Say why a port did not open, and what to do about it."""
    number = getattr(error, "errno", None) or (error.args[0] if error.args else None)
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO):
        return OpenError("absent", Said.of("port_absent", port=path))
    if number in (errno.EACCES, errno.EPERM):
        return OpenError("denied", Said.of("port_denied", port=path, detail=_group_advice(path)))
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK):
        return OpenError("busy", Said.of("port_busy", port=path))
    reason = os.strerror(number) if isinstance(number, int) else error
    return OpenError("failed", Said.of("port_failed", port=path, detail=str(reason)))


def _group_advice(path: str) -> str:
    try:
        group = grp.getgrgid(Path(path).stat().st_gid).gr_name
    except (OSError, KeyError):
        return "ask whoever looks after this computer."
    return f"add yourself to the group {group} (sudo usermod -aG {group} $USER) and log in again."


class MemoryTransport:
    """One end of a line that exists only in memory; made in pairs by `memory_pair`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._arrived = bytearray()
        self._open = True
        self._wake = threading.Condition()
        self._other: MemoryTransport | None = None

    def read(self, timeout_s: float) -> bytes:
        """Return what has arrived, or nothing after ``timeout_s``."""
        with self._wake:
            if not self._arrived and self._open and timeout_s > 0:
                self._wake.wait(timeout_s)
            if self._arrived:
                data = bytes(self._arrived)
                self._arrived.clear()
                return data
            if not self._open:
                raise TransportError(f"{self.name} was closed")
            return b""

    def write(self, data: bytes, timeout_s: float = 1.0) -> None:  # noqa: ARG002 - memory never waits
        """Hand everything to the other end."""
        if self._other is None or not self._open:
            raise TransportError(f"{self.name} was closed")
        with self._other._wake:
            self._other._arrived += data
            self._other._wake.notify()

    def close(self) -> None:
        """Close both ends."""
        for end in (self, self._other):
            if end is not None:
                with end._wake:
                    end._open = False
                    end._wake.notify()


def memory_pair(name: str = "memory") -> tuple[MemoryTransport, MemoryTransport]:
    """Return the two ends of a line in memory."""
    near, far = MemoryTransport(name), MemoryTransport(name)
    near._other, far._other = far, near
    return near, far

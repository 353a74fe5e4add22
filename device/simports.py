"""Where a simulated table can be reached: a pseudo-terminal with a stable name, a TCP port, or memory."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import tty
from pathlib import Path
from typing import Protocol

from device.transports import MemoryTransport, TransportError, memory_pair

READ_BYTES = 65_536


class SimPort(Protocol):
    """The table's end of the line. Bytes for nobody are lost, as on a real wire."""

    address: str

    def receive(self, timeout_s: float) -> bytes:
        """Return what Paiju sent, waiting at most ``timeout_s``."""

    def send(self, data: bytes) -> None:
        """Send to Paiju if it listens."""

    def unplug(self) -> None:
        """Pull the plug: the port is gone."""

    def plug_in(self) -> None:
        """Put the plug back; the port may have a new number."""


class PtyPort:
    """A pseudo-terminal; ``link`` is a name that always points to it, as ``/dev/serial/by-id`` does."""

    def __init__(self, link: Path | None = None) -> None:
        self.link = link
        self.address = ""
        self._master = -1
        self._poll = select.poll()
        self.plug_in()

    def receive(self, timeout_s: float) -> bytes:
        """Return what Paiju sent, waiting at most ``timeout_s``."""
        if not self._listening(timeout_s):
            return b""
        try:
            return os.read(self._master, READ_BYTES)
        except OSError:
            return b""

    def send(self, data: bytes) -> None:
        """Send to Paiju if it listens and keeps up."""
        if data and self._master >= 0 and not self._hung_up(0):
            with contextlib.suppress(OSError):
                os.write(self._master, data)

    def unplug(self) -> None:
        """Close the pseudo-terminal, so that reading it fails at the other end."""
        master, self._master = self._master, -1
        if master < 0:
            return
        self._poll.unregister(master)
        os.close(master)
        if self.link is not None:
            self.link.unlink(missing_ok=True)

    def plug_in(self) -> None:
        """Open a new pseudo-terminal and let ``link`` point to it."""
        self.unplug()
        self._master, slave = os.openpty()
        tty.setraw(slave)
        path = os.ttyname(slave)
        os.close(slave)  # kept open here, an unplug would not be seen at the other end
        os.set_blocking(self._master, False)
        self._poll.register(self._master, select.POLLIN)
        if self.link is not None:
            with contextlib.suppress(FileNotFoundError):
                self.link.unlink()
            self.link.symlink_to(path)
        self.address = str(self.link or path)

    def rename(self, link: Path | None) -> None:
        """Come back under another name at the next `plug_in`."""
        self.unplug()
        self.link = link

    def _hung_up(self, timeout_s: float) -> bool:
        return any(event & select.POLLHUP for _, event in self._poll.poll(timeout_s * 1000))

    def _listening(self, timeout_s: float) -> bool:
        if self._master < 0 or self._hung_up(0):
            select.select([], [], [], timeout_s)
            return False
        return any(event & select.POLLIN for _, event in self._poll.poll(timeout_s * 1000))


class TcpPort:
    """A TCP port for one Paiju at a time; a new connection replaces the old one."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        self._server = socket.create_server((host, port))
        self._server.setblocking(False)
        self._number = self._server.getsockname()[1]
        self._host = host
        self.address = f"socket://{host}:{self._number}"
        self._client: socket.socket | None = None

    def receive(self, timeout_s: float) -> bytes:
        """Return what Paiju sent, waiting at most ``timeout_s``."""
        ends = [end for end in (self._server, self._client) if end is not None and end.fileno() >= 0]
        ready = select.select(ends, [], [], timeout_s)[0]
        if self._server in ready:
            self._hang_up()
            self._client = self._server.accept()[0]
            self._client.setblocking(False)
            self._client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return b""
        if self._client is None or self._client not in ready:
            return b""
        try:
            data = self._client.recv(READ_BYTES)
        except OSError:
            data = b""
        if not data:
            self._hang_up()
        return data

    def send(self, data: bytes) -> None:
        """Send to Paiju if it is connected and keeps up."""
        if data and self._client is not None:
            try:
                self._client.sendall(data)
            except BlockingIOError:
                pass  # a full line loses bytes here, as a real one does; the protocol repeats what matters
            except OSError:
                self._hang_up()

    def unplug(self) -> None:
        """Close the connection and stop listening."""
        self._hang_up()
        self._server.close()

    def plug_in(self) -> None:
        """Listen again at the same port."""
        self.unplug()
        self._server = socket.create_server((self._host, self._number))
        self._server.setblocking(False)

    def _hang_up(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()


class MemoryPort:
    """A line in memory; `open` is handed to the link as its ``open_port``."""

    address = "memory"

    def __init__(self) -> None:
        self._near: MemoryTransport | None = None
        self._plugged = True

    def open(self, _name: str = "") -> MemoryTransport:
        """Return Paiju's end of a new line."""
        if self._near is not None:
            self._near.close()
        self._near, far = memory_pair()
        if not self._plugged:
            far.close()
        return far

    def receive(self, timeout_s: float) -> bytes:
        """Return what Paiju sent, waiting at most ``timeout_s``."""
        if self._near is None:
            select.select([], [], [], timeout_s)
            return b""
        try:
            return self._near.read(timeout_s)
        except TransportError:
            self._near = None
            return b""

    def send(self, data: bytes) -> None:
        """Send to Paiju if it is connected."""
        if data and self._near is not None:
            try:
                self._near.write(data)
            except TransportError:
                self._near = None

    def unplug(self) -> None:
        """Cut the line."""
        self._plugged = False
        if self._near is not None:
            self._near.close()
            self._near = None

    def plug_in(self) -> None:
        """Allow connections again."""
        self._plugged = True

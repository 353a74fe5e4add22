"""Takes HTTPS connections, and hands what they say to the one server of the pages as if it had come in plain.

waitress reads requests without a thread per connection, so a slow sender holds nobody up; but it speaks no TLS. This
front does the TLS in one thread of its own, where a handshake that never ends costs nothing but its place, and joins
each connection to the server by a pair of sockets: one pool of threads, one gate for streams, true addresses.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

PLACES, PLACES_EACH = 150, 40
"""How many connections there may be at once, in all and from one address; a browser opens about six."""

QUIET_S = 4.0
"""Who has been silent for so long gives up his place when all are taken; a live page hears something every two."""

CROWD = 12
"""From more connections than that a device gives one up when all places are taken, whatever it says on them."""

HANDSHAKE_S = 5.0
CHUNK = 64 * 1024
EXPECTED = (OSError, ssl.SSLError, asyncio.IncompleteReadError, TimeoutError)
"""What strangers cause: they hang up, send no TLS, or nothing at all."""

OWN = ("127.0.0.1", "::1")
"""This PC itself: whoever works on it needs no limit."""

HandOver = Callable[[socket.socket, tuple[str, int]], None]


def too_many(address: str, taken: int) -> bool:
    """Whether a device has its share of the places: one device cannot take those of all others."""
    return taken >= PLACES_EACH and address not in OWN


@dataclass(slots=True)
class _Call:
    """A connection: from where, when something was last said on it (seconds of the loop), whether by the caller."""

    address: str
    last_s: float
    asked: bool = False


class TlsFront:
    """A bound HTTPS port: the address is taken when it is made, so a port in use is an `OSError` then."""

    def __init__(self, context: ssl.SSLContext, hand_over: HandOver, host: str, port: int) -> None:
        """Take the address; port 0 takes any free one.

        Args:
            context: the certificate.
            hand_over: gives the server a plain socket and the address of who is at the other end; from any thread.
            host: the address to listen on.
            port: the port to listen on.
        """
        self._context = context
        self._hand_over = hand_over
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.create_server((host, port), family=family, backlog=128)
        self._listener.setblocking(False)
        self._from: Counter[str] = Counter()
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._calls: dict[asyncio.Task[None], _Call] = {}
        self._ending = False
        self._thread = threading.Thread(target=self._run, name="web-tls", daemon=True)

    @property
    def port(self) -> int:
        """The port that was taken."""
        return int(self._listener.getsockname()[1])

    def start(self) -> None:
        """Answer until `close`."""
        self._thread.start()

    def close(self) -> None:
        """Hang up everywhere and give the port back."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._end)
            self._thread.join()
        self._listener.close()

    def _end(self) -> None:
        self._ending = True
        for task in self._tasks:
            task.cancel()

    def _run(self) -> None:
        self._keep(self._loop.create_task(self._accept()))
        while self._tasks:
            self._loop.run_until_complete(asyncio.wait(set(self._tasks)))
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda done: self._calls.pop(done, None))

    async def _accept(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            while True:
                try:
                    caller, address = await self._loop.sock_accept(self._listener)
                except OSError:  # no more file handles: those who hang up make room
                    await asyncio.sleep(0.1)
                    continue
                if too_many(address[0], self._from[address[0]]) or not self._has_room(address[0]):
                    caller.close()
                    continue
                self._from[address[0]] += 1
                call = _Call(address[0], self._loop.time())
                task = self._loop.create_task(self._serve(caller, address, call))
                self._calls[task] = call
                self._keep(task)

    def _has_room(self, address: str) -> bool:
        """Whether one more may come in from there; for him the one silent longest is hung up on.

        Who waits for an answer goes last. Where nobody is silent it is one of the device that has most, and a crowd.
        """
        if len(self._calls) < PLACES:
            return True
        since = self._loop.time() - QUIET_S
        leaving = [task for task, call in self._calls.items() if call.last_s < since] or self._crowd(address)
        if leaving:
            task = min(leaving, key=lambda one: (self._calls[one].asked, self._calls[one].last_s))
            del self._calls[task]
            task.cancel()
        return bool(leaving)

    def _crowd(self, newcomer: str) -> list[asyncio.Task[None]]:
        """The connections of the other device that has most of them, if those are more than a browser ever needs."""
        others = Counter(call.address for call in self._calls.values() if call.address not in (newcomer, *OWN))
        return [
            task
            for most, held in others.most_common(1)
            if held > CROWD
            for task, call in self._calls.items()
            if call.address == most
        ]

    async def _serve(self, caller: socket.socket, address: tuple[str, int], call: _Call) -> None:
        try:
            with contextlib.suppress(*EXPECTED, asyncio.CancelledError):
                await self._talk(caller, address, call)
        finally:
            caller.close()
            self._from[address[0]] -= 1
            if not self._from[address[0]]:
                del self._from[address[0]]

    async def _talk(self, caller: socket.socket, address: tuple[str, int], call: _Call) -> None:
        caller.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        outer_in = asyncio.StreamReader(limit=CHUNK, loop=self._loop)
        protocol = asyncio.StreamReaderProtocol(outer_in, loop=self._loop)
        transport, _ = await self._loop.connect_accepted_socket(
            lambda: protocol, caller, ssl=self._context, ssl_handshake_timeout=HANDSHAKE_S, ssl_shutdown_timeout=1.0
        )
        outer_out = asyncio.StreamWriter(transport, protocol, outer_in, self._loop)
        inner, handed = socket.socketpair()
        self._hand_over(handed, (address[0], address[1]))
        inner_in, inner_out = await asyncio.open_connection(sock=inner, limit=CHUNK)
        ways = [
            self._loop.create_task(self._pass_on(outer_in, inner_out, call, asked=True)),
            self._loop.create_task(self._pass_on(inner_in, outer_out, call, asked=False)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            inner_out.transport.abort()
            outer_out.transport.abort() if self._ending else outer_out.close()
            with contextlib.suppress(*EXPECTED):
                await asyncio.wait_for(outer_out.wait_closed(), 1.0)

    async def _pass_on(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, call: _Call, *, asked: bool
    ) -> None:
        """Hand on whatever comes until one side hangs up; waits where the receiver is slow."""
        with contextlib.suppress(*EXPECTED):
            while data := await source.read(CHUNK):
                call.last_s, call.asked = self._loop.time(), asked
                target.write(data)
                await target.drain()

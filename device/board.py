"""The small computer in a table, as MTL/1 wants it: keeps events until they are confirmed, answers, beats.

Pure: bytes and times go in, bytes come out. The simulator drives it; the board you build follows the same rules
(``docs/device-protocol.md``, and ``docs/examples/table_board.py`` in MicroPython).
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from device.catalogue import from_packet, request_from_packet
from device.codec import PacketDecoder, encode
from device.messages import (
    CAPABILITIES,
    PROTOCOL,
    Ack,
    Caps,
    Command,
    Err,
    Event,
    FromTable,
    Heartbeat,
    Hello,
    HostHello,
    Lock,
    Malformed,
    Ok,
    Ping,
    Request,
    Snapshot,
    Sync,
    Unknown,
)
from device.wire import EventId, Packet

RING = 64
HEARTBEAT_S = 1.0
RESEND_S = 0.4
RESEND_MOST = 8
ANSWERS = 16
WRAP_MS = 1 << 32


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a simulated board is. ``proto`` and ``names`` can be changed to play an older or newer one."""

    uid: str = "5A17AB1E"
    hardware: str = "sim"
    firmware: str = "1.0"
    table_class: int = 3
    names: tuple[str, ...] = CAPABILITIES
    gears: tuple[int, ...] = (108, 136, 144)
    proto: tuple[int, int] = PROTOCOL
    ring: int = RING


@dataclass(slots=True)
class BoardState:
    """What the board reports in heartbeats and snapshots; the mechanics write it. ``last_roll`` survives restarts."""

    deck: str = "READY"
    top: str = "CLEAR"
    mode: str = "RUN"
    gear: int = 144
    tiles: int = 144
    roll: int = 0
    values: tuple[int, ...] | None = None
    dice_phase: str = "IDLE"
    dealer: int | None = None
    honba: int = 0
    walls: tuple[int, ...] = (0, 0, 0, 0)
    faults: list[str] = field(default_factory=list)


class Board:
    """One board: events out, commands in.

    Args:
        identity: who it is.
        rng: makes the boot ids.
        obey: carries out a command; returns a refusal code, or None where it was done.
    """

    def __init__(self, identity: Identity, rng: Random, obey: Callable[[Command], str | None] | None = None) -> None:
        self.identity = identity
        self.state = BoardState()
        self.boot = "0000"
        self.boots = 0
        self.lost_at_restart = 0
        self.carried_out: deque[tuple[str, int, Command]] = deque(maxlen=256)
        self._rng = rng
        self._obey = obey or (lambda _command: None)
        self._decoder = PacketDecoder()
        self._answers: OrderedDict[tuple[str, int], FromTable] = OrderedDict()
        self._ring: deque[tuple[int, bytes]] = deque(maxlen=identity.ring)
        self._n = 0
        self._started_at = 0.0
        self._beat_at = self._resend_at = self._locked_until = 0.0
        self._out: list[bytes] = []

    def start(self, now: float, reset: str = "pwr", clock_ms: int = 0) -> None:
        """Start or restart: new boot id, event numbers from 1, unconfirmed events gone. ``clock_ms``: first t."""
        self.lost_at_restart += len(self._ring)
        before = self.boot
        while self.boot == before:
            self.boot = f"{self._rng.randrange(1, 1 << 16):04X}"
        self.boots += 1
        self._ring.clear()
        self._answers.clear()
        self._decoder = PacketDecoder()
        self._n = 0
        self._started_at = now - clock_ms / 1000
        self._beat_at = now + HEARTBEAT_S
        self._resend_at = now + RESEND_S
        self._locked_until = 0.0
        self._out.clear()
        self._reset = reset
        self._introduce()

    @property
    def last_n(self) -> int:
        """Number of the newest event of this start."""
        return self._n

    @property
    def unacked(self) -> int:
        """Events that are still kept because nobody confirmed them."""
        return len(self._ring)

    def locked(self, now: float) -> bool:
        """True while dice and lift keys sleep because of a LOCK."""
        return now < self._locked_until

    def emit(self, kind: type[Event], now: float, **values: Any) -> EventId:
        """Make the next event, keep it until it is confirmed, and send it."""
        self._n += 1
        event_id = EventId(self.boot, self._n)
        line = encode(kind(id=event_id, t_ms=self._t(now), **values))
        self._ring.append((self._n, line))
        self._out.append(line)
        return event_id

    def feed(self, data: bytes, now: float) -> None:
        """Take bytes from the line."""
        for packet in self._decoder.feed(data):
            self._hear(packet, now)

    def tick(self, now: float) -> bytes:
        """Let time pass; return the bytes to send."""
        if now >= self._beat_at:
            self._beat_at = max(self._beat_at + HEARTBEAT_S, now)
            self._say(self._heartbeat(now))
        if now >= self._resend_at:
            self._resend_at = now + RESEND_S
            self._resend()
        data = b"".join(self._out)
        self._out.clear()
        return data

    def snapshot(self, now: float, since: EventId | None = None) -> tuple[Snapshot, Snapshot]:
        """Return both halves of the whole state; ``gap`` where events after ``since`` are gone for good."""
        state = self.state
        gap = since is not None and (since.boot != self.boot or self._floor() > since.n + 1)
        common = Snapshot((1, 2), self.boot, self._n, self._t(now), self._floor(), gap)
        first = replace(common, deck=state.deck, top=state.top, mode=state.mode, gear=state.gear, tiles=state.tiles)
        second = replace(
            common,
            part=(2, 2),
            t_ms=None,
            floor=None,
            roll=state.roll,
            values=state.values,
            dice_phase=state.dice_phase,
            dealer=state.dealer,
            honba=state.honba,
            locked=self.locked(now),
            walls=state.walls,
            faults=tuple(state.faults[:4]),
        )
        return first, second

    def send_snapshot(self, now: float, since: EventId | None = None) -> None:
        """Send the whole state, as after SYNC and when a fault or pause is over."""
        for half in self.snapshot(now, since):
            self._say(half)

    def _t(self, now: float) -> int:
        return int((now - self._started_at) * 1000) % WRAP_MS

    def _floor(self) -> int:
        return self._ring[0][0] if self._ring else self._n + 1

    def _say(self, message: FromTable) -> None:
        self._out.append(encode(message))

    def _introduce(self) -> None:
        who = self.identity
        self._say(Hello(who.proto, who.uid, self.boot, who.hardware, who.firmware, self._reset, who.table_class))
        self._say(Caps(self.boot, who.names, who.gears))

    def _heartbeat(self, now: float) -> Heartbeat:
        counts = self._decoder.counts()
        return Heartbeat(
            boot=self.boot,
            t_ms=self._t(now),
            last_n=self._n,
            floor=self._floor(),
            deck=self.state.deck,
            top=self.state.top,
            unacked=len(self._ring),
            bad_crc=counts.bad_crc,
        )

    def _resend(self) -> None:
        self._out += [line for _, line in list(self._ring)[:RESEND_MOST]]

    def _hear(self, packet: Packet, now: float) -> None:
        heard = request_from_packet(packet)
        if isinstance(heard, HostHello):
            self._introduce()
        elif isinstance(heard, Ack):
            self._confirm(heard.id)
        elif isinstance(heard, Sync):
            if heard.since is not None:
                self._confirm(heard.since)
            self._resend()
            self.send_snapshot(now, heard.since)
        elif isinstance(heard, Request):
            self._answer(heard, now)
        elif isinstance(heard, Malformed):
            self._refuse(packet, "ARG")
        elif isinstance(heard, Unknown):
            self._refuse(packet, "CAP")

    def _confirm(self, event_id: EventId) -> None:
        while event_id.boot == self.boot and self._ring and self._ring[0][0] <= event_id.n:
            self._ring.popleft()

    def _answer(self, request: Request, now: float) -> None:
        """Carry a command out once; a repeated one gets the same answer again and does nothing."""
        ticket = (request.host, request.number)
        if ticket not in self._answers:
            self._answers[ticket] = self._carry_out(request, now)
            if len(self._answers) > ANSWERS:
                self._answers.popitem(last=False)
        self._say(self._answers[ticket])

    def _carry_out(self, request: Request, now: float) -> FromTable:
        self.carried_out.append((request.host, request.number, request.command))
        command = request.command
        if isinstance(command, Ping):
            return Ok(request.host, request.number, self._t(now))
        if isinstance(command, Lock):
            self._locked_until = now + min(command.ttl_s, 60) if command.on else 0.0
            return Ok(request.host, request.number)
        code = self._obey(command)
        return Ok(request.host, request.number) if code is None else Err(request.host, request.number, code)

    def _refuse(self, packet: Packet, code: str) -> None:
        ticket = from_packet(Packet("OK", packet.fields))
        if isinstance(ticket, Ok):
            self._say(Err(ticket.host, ticket.number, code))

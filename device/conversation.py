"""The conversation with one table: who are you, what did I miss, and then every event once and in order.

Pure: bytes and times go in, actions come out. It outlives the line: after a reconnect it goes on where it was.
Source: ``docs/device-protocol.md#conversation``.
"""

from __future__ import annotations

from collections import deque
from enum import Enum

from device.actions import Action, Deliver, Finished, HangUp, Write
from device.boardtime import BoardClock
from device.catalogue import NEEDS, from_packet
from device.checks import Checks
from device.codec import DecoderCounts, PacketDecoder, encode
from device.delivery import Arrived, Boot, EventInbox, SnapshotJoiner, Verdict
from device.linkstate import LinkState
from device.messages import (
    PROTOCOL,
    Ack,
    Caps,
    Command,
    Err,
    Heartbeat,
    Hello,
    HostHello,
    Log,
    Malformed,
    Ok,
    Roll,
    Snapshot,
    Sync,
    Unknown,
)
from device.notices import Notice, NoticeCode
from device.requests import CommandQueue, CommandResult
from device.said import Said
from device.wire import EventId, Packet

DRAIN_S = 0.2
ASK_EVERY_S = 0.5
BOOT_S = 5.0
STALE_S = 3.0
SILENT_S = 10.0
LOOP_BOOTS = 3
LOOP_S = 60.0
HOLD_OFF_S = 30.0


class _Phase(Enum):
    CLOSED = 0
    DRAIN = 1
    HELLO = 2
    SYNC = 3
    LIVE = 4


class Conversation:
    """What is said to and heard from one table, however often the line breaks.

    Args:
        host: this Paiju session on the wire, 4 hex digits.
        uid: the only table to accept; None accepts the first that answers and then keeps to it.
        resume_after: the last event the ledger already holds.
    """

    def __init__(self, host: str, uid: str | None = None, resume_after: EventId | None = None) -> None:
        self._host = host
        self.uid = uid
        self.hello: Hello | None = None
        self.caps: Caps | None = None
        self.heard_at: float | None = None
        self._inbox = EventInbox(resume_after)
        self._commands = CommandQueue(host)
        self._checks = Checks()
        self._clock = BoardClock()
        self._decoder = PacketDecoder()
        self._phase = _Phase.CLOSED
        self._port = ""
        self._ask_at = self._deadline = 0.0
        self._known_caps: Caps | None = None
        self._halves = SnapshotJoiner()
        self._boots: deque[float] = deque(maxlen=LOOP_BOOTS + 1)
        self._bytes_heard = 0
        self._ack_due = False
        self._out: list[Action] = []

    # --- what goes in ---------------------------------------------------------------------------------------------

    def connected(self, port: str, now: float) -> list[Action]:
        """The line is open: be quiet for a moment, then ask who is there."""
        self._port = port
        self._phase = _Phase.DRAIN
        self._ask_at = now + DRAIN_S
        self._deadline = now + DRAIN_S + BOOT_S
        self._bytes_heard = 0
        self.hello = self.caps = None
        return self._flush()

    def disconnected(self, why: str) -> list[Action]:
        """The line is closed; commands under way are given up."""
        self._phase = _Phase.CLOSED
        self._halves.clear()
        self._finish(self._commands.drop_all(why))
        return self._flush()

    def received(self, data: bytes, now: float) -> list[Action]:
        """Take bytes from the line, in whatever pieces they come."""
        self._bytes_heard += len(data)
        if self._phase not in (_Phase.CLOSED, _Phase.DRAIN):
            for packet in self._decoder.feed(data):
                self._packet(packet, now)
        last = self._inbox.last
        if self._ack_due and last is not None and not self.read_only:
            self._out.append(Write(encode(Ack(last)), confirms=last))
        self._ack_due = False
        return self._flush()

    def tick(self, now: float) -> list[Action]:
        """Let time pass: repeat questions, notice silence, retry commands."""
        if self._phase is not _Phase.CLOSED:
            for item in self._checks.tick(now):
                self._out.append(Deliver(item))
        if self._phase is _Phase.DRAIN and now >= self._ask_at:
            self._phase = _Phase.HELLO
        if self._phase is _Phase.HELLO:
            self._ask_who(now)
        elif self._phase is _Phase.SYNC:
            self._ask_what(now)
        elif self._phase is _Phase.LIVE:
            self._keep_up(now)
        return self._flush()

    def send(self, command: Command, now: float) -> tuple[int | None, list[Action]]:
        """Queue a command; return its number and what to do now. Where it cannot be sent, it ends at once.

        Raises:
            WireError: a command or value outside MTL/1.
        """
        why = self._why_not(command, now)
        number = self._commands.push(command) if why is None else None
        if number is None:
            text = why or "Too many commands are waiting for the table."
            self._out.append(Finished(CommandResult(0, command, "not_sent", text)))
            return None, self._flush()
        return number, self.tick(now)

    # --- what can be asked ----------------------------------------------------------------------------------------

    @property
    def read_only(self) -> bool:
        """True where the table speaks another major version: listen, send nothing."""
        return self.hello is not None and self.hello.proto[0] != PROTOCOL[0]

    def state(self, now: float) -> LinkState | None:
        """The state of the open line; None while it is closed."""
        if self._phase is _Phase.CLOSED:
            return None
        if self._phase is not _Phase.LIVE:
            return LinkState.HANDSHAKE
        if self.heard_at is None or now - self.heard_at > STALE_S:
            return LinkState.STALE
        return LinkState.READ_ONLY if self.read_only else LinkState.LIVE

    def happened_s(self, t_ms: int) -> float | None:
        """Return the monotonic host time of a board time; None before the first heartbeat."""
        return self._clock.happened_s(t_ms)

    def counts(self) -> DecoderCounts:
        """Return what the decoder met."""
        return self._decoder.counts()

    def console(self) -> tuple[str, ...]:
        """Return the last lines from the board that were no frames."""
        return self._decoder.console()

    # --- time -----------------------------------------------------------------------------------------------------

    def _ask_who(self, now: float) -> None:
        if now >= self._deadline:
            if self.hello is not None:
                self.caps = Caps(self.hello.boot)
                self._greeted(now)
            elif self._bytes_heard:
                text = Said.of("no_table", port=str(self._port))
                self._hang_up(HangUp(LinkState.WRONG_DEVICE, text))
            else:
                text = Said.of("no_answer", port=str(self._port))
                self._hang_up(HangUp(LinkState.LOST, text))
        elif now >= self._ask_at:
            self._ask_at = now + ASK_EVERY_S
            self._out.append(Write(encode(HostHello(self._host))))

    def _ask_what(self, now: float) -> None:
        if now >= self._deadline:
            if self.heard_at is not None and now - self.heard_at <= STALE_S:
                self._phase = _Phase.LIVE
            else:
                text = Said.of("half_answer", port=str(self._port))
                self._hang_up(HangUp(LinkState.LOST, text))
        elif now >= self._ask_at:
            self._ask_at = now + ASK_EVERY_S
            self._out.append(Write(encode(Sync(self._inbox.last))))

    def _keep_up(self, now: float) -> None:
        silent_s = now - (self.heard_at or 0.0)
        if silent_s > SILENT_S:
            text = Said.of("silent", seconds=round(SILENT_S))
            self._hang_up(HangUp(LinkState.LOST, text))
            return
        data, given_up = self._commands.tick(now)
        if given_up is not None:
            self._finish([given_up])
        if data:
            self._out.append(Write(data))

    def _why_not(self, command: Command, now: float) -> str | None:
        if self._phase is not _Phase.LIVE:
            return "The table is not connected."
        if self.read_only:
            return "The table speaks a newer protocol and is only listened to: update Paiju."
        if self.state(now) is LinkState.STALE:
            return "The table has not been heard for 3 s."
        need = NEEDS.get(type(command))
        if need is not None and (self.caps is None or need not in self.caps.names):
            return f"This table has no {need}, so {command.TYPE} is not sent."
        return None

    # --- frames ---------------------------------------------------------------------------------------------------

    def _packet(self, packet: Packet, now: float) -> None:
        message = from_packet(packet)
        if isinstance(message, Unknown) or self._phase is _Phase.CLOSED:
            return
        if isinstance(message, Hello):
            self._heard_hello(message, now)
        elif isinstance(message, Caps):
            self._heard_caps(message, now)
        elif isinstance(message, Ok | Err):
            self._heard_reply(message)
        elif isinstance(message, Log):
            self._out.append(Deliver(message))
        elif isinstance(message, Malformed):
            if message.id is not None and self._same_boot(message.id.boot, now):
                self._event(Arrived(message.id, packet.body(), message), now)
        elif isinstance(message, Heartbeat | Snapshot):
            if self._same_boot(message.boot, now):
                self.heard_at = now
                self._state_message(message, now)
        elif self._same_boot(message.id.boot, now):
            self.heard_at = now
            self._event(Arrived(message.id, packet.body(), message), now)

    def _same_boot(self, boot: str, now: float) -> bool:
        """True where a frame belongs to the start we follow; a new start begins a new handshake."""
        if self._phase is _Phase.HELLO:
            return False
        relation = self._inbox.compare(boot, now)
        if relation is Boot.NEW:
            self._introduce_again(now)
        return relation is Boot.SAME

    def _introduce_again(self, now: float) -> None:
        self._phase = _Phase.HELLO
        self._ask_at = now
        self._deadline = now + BOOT_S
        self.hello = self.caps = None
        self._halves.clear()

    def _heard_hello(self, hello: Hello, now: float) -> None:
        if self.uid is not None and hello.uid != self.uid:
            text = Said.of("other_table", port=str(self._port), found=hello.uid, wanted=self.uid)
            self._hang_up(HangUp(LinkState.WRONG_DEVICE, text))
            return
        relation = self._inbox.compare(hello.boot, now)
        if relation is Boot.RETIRED:
            return
        if self._phase is not _Phase.HELLO:
            if relation is Boot.SAME:
                return
            self._introduce_again(now)
            self._ask_at = now + ASK_EVERY_S
        self.hello = hello
        if self.caps is not None and self.caps.boot == hello.boot:
            self._greeted(now)

    def _heard_caps(self, caps: Caps, now: float) -> None:
        if self._phase is not _Phase.HELLO:
            self._same_boot(caps.boot, now)
            return
        self.caps = caps
        if self.hello is not None and self.hello.boot == caps.boot:
            self._greeted(now)

    def _greeted(self, now: float) -> None:
        """Name and abilities are known: follow this start of the board and ask for what was missed."""
        assert self.hello is not None
        assert self.caps is not None
        self.uid = self.hello.uid
        self.heard_at = now
        if self._inbox.compare(self.hello.boot, now) is Boot.NEW and not self._follow(self.hello, now):
            return
        self._out += [Deliver(self.hello), Deliver(self.caps)]
        if self._known_caps is not None and self._known_caps.names != self.caps.names:
            text = "The table's abilities changed, perhaps by new firmware: check the table's settings."
            self._notice(Notice(NoticeCode.CAPS_CHANGED, text))
        self._known_caps = self.caps
        self._phase = _Phase.LIVE if self.read_only else _Phase.SYNC
        self._deadline = now + BOOT_S
        self._ask_at = now
        if self._phase is _Phase.SYNC:
            self._ask_what(now)

    def _follow(self, hello: Hello, now: float) -> bool:
        """Follow a new start of the board; False where it restarts so often that we hang up."""
        self._restarted()
        if self._inbox.follow(hello.boot, now):
            self._boots.append(now)
            text = f"The table restarted ({hello.reset}): was a throw, a button or a wall missed? Enter it by hand."
            self._notice(Notice(NoticeCode.REBOOTED, text, ask=True))
        if len(self._boots) <= LOOP_BOOTS or now - self._boots[0] > LOOP_S:
            return True
        self._boots.clear()
        text = f"The table restarted more than {LOOP_BOOTS} times in a minute: check its power supply and cable."
        self._notice(Notice(NoticeCode.BROWN_OUT_LOOP, text, ask=True))
        self._hang_up(HangUp(LinkState.LOST, text, wait_s=HOLD_OFF_S))
        return False

    def _restarted(self) -> None:
        self._clock.reset()
        self._checks.restart()
        self._halves.clear()
        self._finish(self._commands.drop_all("The table restarted."))

    def _restarted_under_same_id(self, now: float) -> None:
        self._restarted()
        self._inbox.follow(self._inbox.boot or "0000", now)
        text = "The table restarted without saying so: was a throw, a button or a wall missed? Enter it by hand."
        self._notice(Notice(NoticeCode.REBOOTED, text, ask=True))
        self._introduce_again(now)

    def _heard_reply(self, reply: Ok | Err) -> None:
        result = self._commands.answer(reply)
        if result is not None:
            self._finish([result])

    def _state_message(self, message: Heartbeat | Snapshot, now: float) -> None:
        if isinstance(message, Heartbeat):
            self._clock.observe(message.t_ms, now)
            if self._inbox.learn_last(message.last_n):
                self._restarted_under_same_id(now)
                return
        if message.floor is not None:
            self._notice(self._inbox.learn_floor(message.floor))
            self._release(now)
        if isinstance(message, Heartbeat):
            self._out.append(Deliver(message))
            return
        whole = self._halves.add(message)
        if whole is not None:
            self._out.append(Deliver(whole))
            for doubt in self._checks.look_at_snapshot(whole):
                self._notice(doubt)
            if self._phase is _Phase.SYNC:
                self._phase = _Phase.LIVE

    def _event(self, arrived: Arrived, now: float) -> None:
        offer = self._inbox.offer(arrived)
        self._notice(offer.gap)
        if offer.verdict is Verdict.RESTARTED:
            self._restarted_under_same_id(now)
        self._ack_due |= offer.verdict is Verdict.OLD
        self._release(now)

    def _release(self, now: float) -> None:
        for arrived in self._inbox.release():
            self._ack_due = True
            event = arrived.event
            if isinstance(event, Malformed):
                text = f"The table reported something impossible ({event.reason}): enter it by hand if it matters."
                self._notice(Notice(NoticeCode.MALFORMED, text, ask=event.type == "DICE", event=arrived.id))
                continue
            for item in self._checks.look(event, now):
                self._out.append(Deliver(item))

    # --- what goes out --------------------------------------------------------------------------------------------

    def _notice(self, notice: Notice | None) -> None:
        if notice is not None:
            self._out.append(Deliver(notice))

    def _finish(self, results: list[CommandResult]) -> None:
        for result in results:
            if result.outcome == "done" and isinstance(result.command, Roll):
                self._checks.permit(result.command.allow)
            self._out.append(Finished(result))

    def _hang_up(self, action: HangUp) -> None:
        self._phase = _Phase.CLOSED
        self._finish(self._commands.drop_all(action.text))
        self._out.append(action)

    def _flush(self) -> list[Action]:
        out, self._out = self._out, []
        return out

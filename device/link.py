"""The line to the table as one object: start it, get messages, send commands, ask how it is.

`TableLink` opens an allowed port, talks to the table, and opens it again whenever it breaks. All decisions are made
in ``conversation.py`` and ``ports.py``; here is only the thread that carries them out.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from random import Random

from device.actions import Action, Deliver, Finished, HangUp, Write
from device.catalogue import COMMANDS, EVENTS
from device.codec import encode
from device.conversation import Conversation
from device.linkstate import LinkState, LinkStatus
from device.messages import Command, FromTable, Request
from device.notices import Notice
from device.ports import PortSearch, present_ports
from device.requests import CommandResult
from device.said import Said, said
from device.sources import MakeTalk, OnMessage, Talk
from device.transports import OpenError, Transport, TransportError, open_transport
from device.wire import EventId, WireError

__all__ = ["LinkConfig", "LinkState", "LinkStatus", "TableLink"]

READ_S = 0.05
"""Longest wait for bytes; also how late a command may leave."""

HAND_OVERS = 3
"""So often is an event offered to a listener that raises."""

log = logging.getLogger(__name__)
_TEXTS = {
    LinkState.HANDSHAKE: Said.of("asking"),
    LinkState.STALE: Said.of("stale"),
    LinkState.READ_ONLY: Said.of("newer"),
}
OnState = Callable[[LinkState], None]


@dataclass(frozen=True, slots=True)
class LinkConfig:
    """What a link may do and what it knows already.

    Attributes:
        ports: the ports the user allowed: paths, patterns such as ``/dev/ttyUSB*``, ``socket://HOST:PORT``.
        uid: the table's own number, if only that table will do.
        resume_after: the last event the ledger holds, after a restart of Paiju.
        open_port: opens one port; tests hand in their own.
        present: says which allowed ports exist now.
        clock: monotonic seconds.
        rng: makes this session's id on the wire.
        make_talk: another dialect than MTL/1, such as `device.plaintext.plain_text`.
    """

    ports: Sequence[str]
    uid: str | None = None
    resume_after: EventId | None = None
    open_port: Callable[[str], Transport] = open_transport
    present: Callable[[Sequence[str]], tuple[str, ...]] = present_ports
    clock: Callable[[], float] = time.monotonic
    rng: Random = field(default_factory=Random)
    make_talk: MakeTalk | None = None


class TableLink:
    """Keeps the line to one table alive and hands over what it says.

    Args:
        config: ports, identity and clock.
        on_message: called in the link's thread with each message and notice, once and in order. The table is told
            that an event is safe only after this returned; an event for which it raises comes again, three times
            at most.
        on_state: called in the link's thread whenever the state changes.
    """

    def __init__(self, config: LinkConfig, on_message: OnMessage, on_state: OnState | None = None) -> None:
        self._config = config
        self._on_message = on_message
        self._on_state = on_state
        self._safe = config.resume_after
        self._failed: tuple[EventId | None, int] = (None, 0)
        self._talk = self._new_talk(config.uid)
        self._search = PortSearch()
        self._line: Transport | None = None
        self._state = LinkState.ABSENT
        self._text = ""
        self._port: str | None = None
        self._was_live = False
        self._sending: queue.SimpleQueue[tuple[Command, Future[CommandResult]]] = queue.SimpleQueue()
        self._promises: dict[int, Future[CommandResult]] = {}
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> TableLink:
        """Start the thread; return the link itself."""
        self._thread = threading.Thread(target=self._run, name="table-link", daemon=True)
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop the thread and let the port go. Commands under way end without an answer."""
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        if self._thread is None:
            self._shut()

    def send(self, command: Command) -> Future[CommandResult]:
        """Send a command from any thread; the future always gets a result, within about a second.

        Raises:
            WireError: it is no command of MTL/1 or carries a value MTL/1 does not allow.
        """
        if type(command) not in COMMANDS:
            raise WireError(f"{type(command).__name__} is not a command; a table takes {_command_names()}.")
        encode(Request("0000", 1, command))
        promise: Future[CommandResult] = Future()
        self._sending.put((command, promise))
        if self._stop.is_set():
            self._refuse_waiting()
        return promise

    def status(self) -> LinkStatus:
        """Return how the line is now, for the tablet; from any thread."""
        heard = self._talk.heard_at
        age = None if heard is None else max(0.0, self._config.clock() - heard)
        return LinkStatus(self._state, self._text, self._port, self._talk.uid, age, self._talk.counts())

    def console(self) -> tuple[str, ...]:
        """Return the last lines from the board that were no frames, for whoever repairs it."""
        return self._talk.console()

    def happened_s(self, t_ms: int) -> float | None:
        """Return the monotonic host time of a board time; None before the first heartbeat."""
        return self._talk.happened_s(t_ms)

    def step(self, wait_s: float = READ_S) -> None:
        """Do one round: open a port, or read once and act. The thread repeats this; tests call it themselves."""
        if self._line is None:
            self._open(wait_s)
            self._refuse_waiting()
        else:
            self._talk_once(wait_s)
        state = self._talk.state(self._config.clock())
        if state is not None:
            self._show(state, _TEXTS.get(state, ""))

    def _run(self) -> None:
        failed: str | None = None
        while not self._stop.is_set():
            try:
                if failed is not None:
                    self._begin_again(failed)
                    failed = None
                self.step()
            except Exception as error:  # top of the link's thread: a mistake must not leave a table unheard all evening
                log.exception("the line failed and is opened anew")
                failed = Said.of("failed", detail=f"{type(error).__name__}: {error}")
                self._stop.wait(READ_S)
        self._shut()

    def _shut(self) -> None:
        self._drop("Paiju closed the line.")
        self._refuse_waiting()

    def _open(self, wait_s: float) -> None:
        now = self._config.clock()
        present = self._config.present(self._config.ports)
        port = self._search.choose(present, now)
        if port is None:
            if not present:
                text = Said.of("no_port", port=", ".join(self._config.ports))
                self._show(LinkState.LOST if self._was_live else LinkState.ABSENT, text)
            if wait_s > 0:
                self._stop.wait(self._search.wait_s(now))
            return
        self._port = port
        try:
            self._line = self._config.open_port(port)
        except OpenError as error:
            self._search.failed(now)
            quiet = LinkState.LOST if self._was_live else LinkState.ABSENT
            self._show(quiet if error.kind == "absent" else LinkState.OPENING, said(error))
            return
        self._perform(self._talk.connected(port, now))

    def _talk_once(self, wait_s: float) -> None:
        line = self._line
        assert line is not None
        try:
            data = line.read(wait_s)
        except TransportError as error:
            self._drop(said(error))
            self._after_loss(LinkState.LOST, said(error))
            return
        now = self._config.clock()
        if data:
            self._perform(self._talk.received(data, now))
        if self._line is not None:
            self._perform(self._talk.tick(now))
        while self._line is not None and not self._sending.empty():
            command, promise = self._sending.get()
            number, actions = self._talk.send(command, now)
            if number is not None:
                self._promises[number] = promise
            self._perform(actions, promise if number is None else None)

    def _perform(self, actions: Sequence[Action], unsent: Future[CommandResult] | None = None) -> None:
        """Carry out actions in order. A line that breaks half-way takes no message with it."""
        broken: str | None = None
        safe = True
        for action in actions:
            if isinstance(action, Deliver):
                safe = safe and self._hand_over(action.item)
            elif isinstance(action, Finished):
                promise = self._promises.pop(action.result.number, None) or unsent
                if promise is not None and not promise.done():
                    promise.set_result(action.result)
            elif isinstance(action, HangUp):
                self._drop(action.text)
                self._after_loss(action.state, action.text, action.wait_s)
            elif safe and broken is None and self._line is not None:
                broken = self._write(self._line, action)
        if not safe:
            self._begin_again(Said.of("not_stored"))
        elif broken is not None and self._line is not None:
            self._drop(broken)
            self._after_loss(LinkState.LOST, broken)

    def _write(self, line: Transport, action: Write) -> str | None:
        """Send bytes; return why not, where the line broke."""
        try:
            line.write(action.data)
        except TransportError as error:
            return said(error)
        self._safe = action.confirms or self._safe
        return None

    def _hand_over(self, item: FromTable | Notice) -> bool:
        """Give an item to the listener; False where it is an event that has to come again."""
        event_id = item.id if isinstance(item, EVENTS) else None
        try:
            self._on_message(item)
        except Exception:  # top of the link's thread: one listener's mistake must not end it
            log.exception("a listener failed on %s", item)
            if event_id is None:
                return True
            self._failed = (event_id, self._failed[1] + 1 if self._failed[0] == event_id else 1)
            if self._failed[1] < HAND_OVERS:
                return False
        self._safe = event_id or self._safe
        return True

    def _begin_again(self, text: str) -> None:
        """Go on after the last safe event, as if Paiju had been restarted: the table repeats the others."""
        self._drop(text)
        self._talk = self._new_talk(self._talk.uid)
        self._after_loss(LinkState.LOST, text)

    def _new_talk(self, uid: str | None) -> Talk:
        session = f"{self._config.rng.randrange(1 << 16):04X}"
        if self._config.make_talk is not None:
            return self._config.make_talk(session)
        return Conversation(session, uid, self._safe)

    def _drop(self, why: str) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.close()
            self._perform(self._talk.disconnected(why))

    def _after_loss(self, state: LinkState, text: str, wait_s: float | None = None) -> None:
        self._search.failed(self._config.clock(), wait_s)
        self._show(state, text)

    def _refuse_waiting(self) -> None:
        """Answer what waits to be sent; the link's thread and one that sends while it ends may do so at once."""
        with contextlib.suppress(queue.Empty):
            while True:
                command, promise = self._sending.get_nowait()
                promise.set_result(CommandResult(0, command, "not_sent", "The table is not connected."))

    def _show(self, state: LinkState, text: str) -> None:
        self._text = text
        if state in (LinkState.LIVE, LinkState.READ_ONLY) and self._port is not None and state is not self._state:
            self._was_live = True
            self._search.worked(self._port)
        if state is not self._state:
            self._state = state
            if self._on_state is not None:
                self._on_state(state)


def _command_names() -> str:
    return ", ".join(cls.TYPE for cls in COMMANDS)

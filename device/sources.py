"""The one small interface behind which every way to a table looks the same.

`TableLink` is such a source for MTL/1 and plain text over any port; a replay is one whose port is a recording.
``open.py`` makes the source that a person chose.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from random import Random
from typing import Protocol

from device.actions import Action
from device.codec import DecoderCounts
from device.linkstate import LinkState, LinkStatus
from device.messages import Command, FromTable
from device.notices import Notice
from device.requests import CommandResult
from device.wire import EventId


class TableSource(Protocol):
    """A table as Paiju sees it: messages come in by callback, commands go out, the state can be asked."""

    def start(self) -> object:
        """Begin; what is heard comes in the source's own thread."""

    def send(self, command: Command) -> Future[CommandResult]:
        """Send a command; the result says whether the table did it, refused, or cannot be asked at all."""

    def status(self) -> LinkStatus:
        """Return how the line is now."""

    def close(self) -> None:
        """Let it go."""


class Talk(Protocol):
    """How to speak with what is at the other end of a line; pure, see `Conversation` and `PlainTalk`."""

    uid: str | None
    heard_at: float | None

    def connected(self, port: str, now: float) -> list[Action]:
        """The line is open."""

    def disconnected(self, why: str) -> list[Action]:
        """The line is closed."""

    def received(self, data: bytes, now: float) -> list[Action]:
        """Take bytes from the line."""

    def tick(self, now: float) -> list[Action]:
        """Let time pass."""

    def send(self, command: Command, now: float) -> tuple[int | None, list[Action]]:
        """Queue a command."""

    def state(self, now: float) -> LinkState | None:
        """Return the state of the open line; None while closed."""

    def happened_s(self, t_ms: int) -> float | None:
        """Return the monotonic host time of a board time."""

    def counts(self) -> DecoderCounts:
        """Return what was met on the line."""

    def console(self) -> tuple[str, ...]:
        """Return the last lines that said nothing to us."""


class EventNumbers:
    """Numbers events for sources that have no numbers of their own; the boot id is ours, new at each start."""

    def __init__(self, rng: Random) -> None:
        self._boot = f"~{rng.randrange(1 << 32):08X}"
        self._n = 0

    def next(self) -> EventId:
        """Return the next event id."""
        self._n += 1
        return EventId(self._boot, self._n)


class OncePerWindow:
    """Tells a repeated line from a second one: the same words within ``window_s`` count once."""

    def __init__(self, window_s: float = 1.5) -> None:
        self._window_s = window_s
        self._seen: dict[str, float] = {}

    def first(self, words: str, now: float) -> bool:
        """Return True where these words were not seen within the window."""
        self._seen = {old: at for old, at in self._seen.items() if now - at < self._window_s}
        if words in self._seen:
            return False
        self._seen[words] = now
        return True


OnMessage = Callable[[FromTable | Notice], None]
"""What a source calls with each message and notice."""

MakeSource = Callable[[OnMessage], TableSource]
"""Makes a source that is not started yet."""

MakeTalk = Callable[[str], Talk]
"""Makes the talk for one session; it is handed the session's id on the wire (4 hex digits)."""

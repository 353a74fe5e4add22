"""What a conversation wants done, as values: a thread, or a test, carries it out in order."""

from __future__ import annotations

from dataclasses import dataclass

from device.linkstate import LinkState
from device.messages import FromTable
from device.notices import Notice
from device.requests import CommandResult
from device.wire import EventId


@dataclass(frozen=True, slots=True)
class Write:
    """Send these bytes to the table; ``confirms`` names the event they say is safe."""

    data: bytes
    confirms: EventId | None = None


@dataclass(frozen=True, slots=True)
class Deliver:
    """Hand this to Paiju; an acknowledgement to the table only follows after it."""

    item: FromTable | Notice


@dataclass(frozen=True, slots=True)
class Finished:
    """A command has its outcome."""

    result: CommandResult


@dataclass(frozen=True, slots=True)
class HangUp:
    """Close the line, show ``state`` with ``text``, and try again after ``wait_s`` (None: the usual back-off)."""

    state: LinkState
    text: str
    wait_s: float | None = None


Action = Write | Deliver | Finished | HangUp

"""What may lie in the inbox of a table, and how it is written into a recording."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from table import commands
from table import events as ev
from table.decision import Accepted, Rejected
from table.device_views import ProblemSource
from table.lookout import Look
from table.model import Actor
from table.sentences import Sentence

if TYPE_CHECKING:
    from table.parts import Parts

Answer = Future[Accepted | Rejected]


class Closing(Protocol):
    """Anything that is closed when the table lets it go."""

    def close(self) -> None:
        """Let go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A command and where its answer goes."""

    command: commands.Command
    answer: Answer = field(default_factory=Future)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSeen:
    """The eyes have read a picture. `wanted` says that a person asked for it, so that it counts whatever it shows."""

    shown: ev.HandShown
    actor: Actor
    idem: str
    wanted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSeen:
    """The eyes have read the whole table during play."""

    look: Look


@dataclass(frozen=True, slots=True, kw_only=True)
class EyesFailed:
    """A picture could not be read, and why."""

    sentence: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class FromTable:
    """A message or notice from the table's line; `done` is set when it is safe in the ledger."""

    message: object
    done: Future[None] = field(default_factory=Future)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A part outside (the demonstration) has a problem, or with None has none any more."""

    source: str
    sentence: Sentence | None
    about: ProblemSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Refit:
    """Other parts for the running table: `change` makes them from the present ones.

    The answer is what is let go and must be closed, or why the parts stay as they are.
    """

    change: Callable[[Parts], Parts]
    answer: Future[tuple[Closing, ...] | Rejected] = field(default_factory=Future)


@dataclass(frozen=True, slots=True, kw_only=True)
class Connect:
    """Begin to talk to the table on the line of the present parts; the answer is None, or why nothing came of it."""

    answer: Future[Rejected | None] = field(default_factory=Future)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceSeen:
    """How far the camera has moved since the felt's corners were set, as a share of the felt's side."""

    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """The last message."""


Message = Ask | HandSeen | TableSeen | EyesFailed | FromTable | Report | Refit | Connect | PlaceSeen | Stop


class RecordingError(ValueError):
    """A line of a recording cannot be read; the text says which and why."""


def command_line(command: commands.Command, at_ms: int, mono_ms: int) -> dict[str, Any]:
    """A command as one line of a recording."""
    return {"mono_ms": mono_ms, "at_ms": at_ms, "command": commands.command_document(command)}


def seen_line(seen: HandSeen, at_ms: int, mono_ms: int) -> dict[str, Any]:
    """What the eyes read as one line of a recording."""
    document = {"shown": ev.encode(seen.shown), "actor": asdict(seen.actor), "idem": seen.idem}
    return {"mono_ms": mono_ms, "at_ms": at_ms, "seen": document}


def parse_line(line: Mapping[str, Any]) -> tuple[commands.Command | HandSeen, int, int]:
    """Read a line of a recording: the message, its wall-clock time and its monotonic time in milliseconds.

    Raises:
        RecordingError: the line is neither a command nor a reading, or its fields are wrong.
    """
    try:
        at_ms, mono_ms = int(line["at_ms"]), int(line["mono_ms"])
        if "command" in line:
            return commands.parse_command(line["command"]), at_ms, mono_ms
        document = line["seen"]
        shown = ev.decode(document["shown"])
        if not isinstance(shown, ev.HandShown):
            raise RecordingError(f"it holds a {shown.kind}, not a hand that was shown")
        actor = Actor(**document["actor"])
        return HandSeen(shown=shown, actor=actor, idem=document["idem"], wanted=True), at_ms, mono_ms
    except RecordingError:
        raise
    except KeyError as error:
        raise RecordingError(f"it has no {error.args[0]}") from None
    except (TypeError, ValueError, OverflowError) as error:
        raise RecordingError(str(error)) from None

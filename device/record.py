"""Recording a table's line and playing it back, byte for byte and chunk for chunk.

A recording is JSONL: ``{"mono_ns": 123, "dir": "rx", "hex": "40484220..."}``. ``dir`` is ``open`` (``port`` instead
of ``hex``), ``rx`` (from the table), ``tx`` (to the table) or ``lost``. Chunk borders stay as they were, so a replay
meets the same half frames. A replay reads no clock: the same file always gives the same messages.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

from device.actions import Action, Deliver, HangUp
from device.catalogue import to_packet
from device.conversation import Conversation
from device.messages import FromTable
from device.notices import Notice
from device.transports import OpenError, Transport, TransportError

TICK_NS = 50_000_000
"""While a replay waits for the next chunk, the conversation is woken as often as a real link wakes."""


class RecordingError(ValueError):
    """A recording cannot be read or written; the text says which, where, and what to do."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """One line of a recording: when (monotonic ns), which way, and the bytes or the port's name."""

    mono_ns: int
    direction: Literal["open", "rx", "tx", "lost"]
    data: bytes = b""
    port: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """What a replay hands over, and when it was heard in the recording (monotonic seconds)."""

    at_s: float
    item: FromTable | Notice


class Recorder:
    """Writes chunks to an open text file, each at once."""

    def __init__(self, sink: IO[str], clock_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self.trouble: OSError | None = None
        """Why the last chunk could not be written; such a recording is not worth going on with."""
        self._sink = sink
        self._clock_ns = clock_ns

    def wrap(self, open_port: Callable[[str], Transport]) -> Callable[[str], Transport]:
        """Return ``open_port`` with every byte of the lines it opens recorded."""

        def opened(spec: str) -> Transport:
            line = open_port(spec)
            try:
                self.note("open", port=spec)
            except TransportError as error:
                line.close()
                raise OpenError("failed", str(error)) from error
            return _RecordedLine(line, self)

        return opened

    def note(self, direction: str, data: bytes = b"", port: str = "") -> None:
        """Write one line.

        Raises:
            TransportError: the disk refuses; the line ends where its recording ends.
        """
        entry: dict[str, Any] = {"mono_ns": self._clock_ns(), "dir": direction}
        entry |= {"port": port} if port else {"hex": data.hex()}
        try:
            self._sink.write(json.dumps(entry) + "\n")
            self._sink.flush()
        except OSError as error:
            self.trouble = error
            raise TransportError(f"The recording cannot be written ({error.strerror}).") from error


class _RecordedLine:
    """A transport that writes down what passes."""

    def __init__(self, line: Transport, recorder: Recorder) -> None:
        self.name = line.name
        self._line = line
        self._recorder = recorder

    def read(self, timeout_s: float) -> bytes:
        try:
            data = self._line.read(timeout_s)
        except TransportError:
            self._recorder.note("lost")
            raise
        if data:
            self._recorder.note("rx", data)
        return data

    def write(self, data: bytes, timeout_s: float = 1.0) -> None:
        self._recorder.note("tx", data)
        self._line.write(data, timeout_s)

    def close(self) -> None:
        self._line.close()


def read_recording(path: Path) -> Iterator[Chunk]:
    """Read a recording line by line.

    Raises:
        RecordingError: a line that is none; the text names it.
    """
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _chunk(line, f"{path.name} line {number}")
    except UnicodeDecodeError as error:
        raise RecordingError(f"{path.name} is no recording: it is not text.") from error


def _chunk(line: str, where: str) -> Chunk:
    try:
        entry = json.loads(line)
        direction = entry["dir"]
        if direction not in ("open", "rx", "tx", "lost"):
            raise ValueError(f"dir {direction!r} is none of open, rx, tx, lost")
        return Chunk(int(entry["mono_ns"]), direction, bytes.fromhex(entry.get("hex", "")), str(entry.get("port", "")))
    except KeyError as error:
        raise RecordingError(f"{where} is no line of a recording: {error} is missing.") from error
    except json.JSONDecodeError as error:
        raise RecordingError(f"{where} is no line of a recording: it is no JSON.") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise RecordingError(f"{where} is no line of a recording: {error}.") from error


def replay(chunks: Iterator[Chunk], host: str = "0000") -> Iterator[Heard]:
    """Run a recording through a new conversation; the same recording always gives the same messages."""
    talk = Conversation(host)
    now_ns: int | None = None
    for chunk in chunks:
        while now_ns is not None and now_ns + TICK_NS < chunk.mono_ns:
            now_ns += TICK_NS
            yield from _heard(talk.tick(now_ns / 1e9), now_ns)
        now_ns = chunk.mono_ns
        yield from _heard(_play(talk, chunk), now_ns)


def _play(talk: Conversation, chunk: Chunk) -> list[Action]:
    now = chunk.mono_ns / 1e9
    if chunk.direction == "open":
        return talk.connected(chunk.port, now)
    if chunk.direction == "lost":
        return talk.disconnected("The line was lost.")
    if chunk.direction == "rx":
        return [*talk.tick(now), *talk.received(chunk.data, now)]
    return talk.tick(now)


def _heard(actions: list[Action], now_ns: int) -> Iterator[Heard]:
    for action in actions:
        if isinstance(action, Deliver):
            yield Heard(now_ns / 1e9, action.item)
        if isinstance(action, HangUp):
            return


class ReplayTransport:
    """A recording as a line, for a `TableLink`: the table's bytes at their times, ``speed`` times as fast.

    What Paiju writes goes nowhere; the recorded answers come as long after its first question as they came then.
    """

    def __init__(
        self,
        path: Path,
        speed: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = str(path)
        recorded = list(read_recording(path))
        self._chunks = [chunk for chunk in recorded if chunk.direction == "rx"]
        self._asked_ns = next((chunk.mono_ns for chunk in recorded if chunk.direction == "tx"), None)
        self._zero_ns = recorded[0].mono_ns if recorded else 0
        self._zero_s = clock()
        self._speed = speed
        self._clock = clock
        self._sleep = sleep

    def read(self, timeout_s: float) -> bytes:
        """Return the next recorded chunk once its time has come."""
        if not self._chunks:
            raise TransportError(f"The recording {self.name} is over.")
        first = self._chunks[0]
        due = self._zero_s + (first.mono_ns - self._zero_ns) / 1e9 / self._speed
        waits_for_question = self._asked_ns is not None and first.mono_ns >= self._asked_ns
        wait = timeout_s if waits_for_question else due - self._clock()
        if waits_for_question or wait > timeout_s:
            self._sleep(timeout_s)
            return b""
        if wait > 0:
            self._sleep(wait)
        return self._chunks.pop(0).data

    def write(self, data: bytes, timeout_s: float = 1.0) -> None:  # noqa: ARG002 - nobody listens in a recording
        """Nobody listens in a recording; but the first question starts the recorded answers."""
        if self._asked_ns is not None:
            self._zero_ns, self._zero_s = self._asked_ns, self._clock()
            self._asked_ns = None

    def close(self) -> None:
        """End the recording."""
        self._chunks.clear()


def as_text(item: FromTable | Notice) -> str:
    """Return a message as it stood on the wire, or a notice as its sentence, for a person to read."""
    if isinstance(item, Notice):
        return f"! {item.code.value}: {item.text}"
    return to_packet(item).body()

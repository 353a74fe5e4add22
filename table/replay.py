"""Plays a recorded evening again: the same messages with the same times make the same ledger, bit for bit."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from table import commands
from table.core import TableCore
from table.decision import Accepted, Rejected
from table.json_text import parse_json
from table.ledger import Ledger
from table.messages import HandSeen, RecordingError, parse_line
from table.snapshot import Snapshot
from table.view import Live, snapshot

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What a replay did: messages played, entries written, the last hash, and the messages that were refused."""

    messages: int
    entries: int
    head: str
    refused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recorded:
    """One recorded message with its times in milliseconds (wall clock, monotonic)."""

    message: commands.Command | HandSeen
    at_ms: int
    mono_ms: int


def read_recording(path: Path) -> Iterator[Recorded]:
    """Read a recording line by line.

    A last line that was cut off while it was written (no line end, and no whole message) never counted: it is left out.

    Raises:
        RecordingError: the file cannot be read, or a line is no recorded message; the text names the line.
    """
    try:
        *lines, last = path.read_bytes().split(b"\n")
    except OSError as error:
        raise RecordingError(f"The recording {path} cannot be read ({error.strerror}).") from None
    for number, line in enumerate((*lines, last), start=1):
        if not line.strip():
            continue
        try:
            document = parse_json(line.decode())
            message, at_ms, mono_ms = parse_line(document if isinstance(document, dict) else {})
        except ValueError as error:
            if number > len(lines):
                log.warning("The last line of %s was cut off in the middle: it is left out.", path)
                return
            raise RecordingError(f"Line {number} of {path} is no recorded message: {error}.") from None
        yield Recorded(message, at_ms, mono_ms)


def replay(
    recording: Iterable[Recorded],
    ledger_path: Path,
    *,
    speed: float | None = None,
    sleep: Callable[[float], None] | None = None,
    watch: Callable[[Snapshot], None] | None = None,
) -> Replayed:
    """Play a recording into a new ledger.

    Args:
        recording: the messages, e.g. of `read_recording`.
        ledger_path: must not exist yet.
        speed: 1 plays in real time, 10 ten times faster, None as fast as possible.
        sleep: waits so many seconds; needed with `speed`.
        watch: called with the snapshot after every message.

    Raises:
        RecordingError: the ledger exists already.
        LedgerError: it cannot be written.
    """
    if ledger_path.exists():
        raise RecordingError(f"The ledger {ledger_path} exists already; a replay needs a new one.")
    ledger = Ledger.open(ledger_path)
    try:
        core, refused, count, before = TableCore(ledger), list[str](), 0, None
        for one in recording:
            if speed and sleep is not None and before is not None:
                sleep(max(0.0, (one.mono_ms - before) / 1000 / speed))
            before = one.mono_ms
            count += 1
            answer = _play(core, one)
            if isinstance(answer, Rejected):
                refused.append(f"message {count}: {answer.sentence.text}")
            if watch is not None:
                watch(snapshot(core.state, Live(rev=count), core.rulebook()))
        return Replayed(messages=count, entries=ledger.last_seq, head=ledger.head, refused=tuple(refused))
    finally:
        ledger.close()


def _play(core: TableCore, one: Recorded) -> Accepted | Rejected:
    if isinstance(one.message, HandSeen):
        return core.show(one.message.shown, one.message.actor, one.message.idem, one.at_ms)
    return core.carry_out(one.message, one.at_ms)

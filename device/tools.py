"""What ``paiju device ...`` does: list ports, record a table's line, play a recording back."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from device.link import LinkConfig, TableLink
from device.messages import FromTable
from device.notices import Notice
from device.ports import PortInfo
from device.record import Recorder, RecordingError, as_text, read_recording, replay

Say = Callable[[str], None]

LOOK_S = 0.5
"""How soon a disk that refuses ends a recording."""


def record_table(config: LinkConfig, path: Path, say: Say, stop: threading.Event) -> int:
    """Record the line to a table into ``path`` until ``stop`` is set; return how many messages were heard.

    Raises:
        FileExistsError: the file is there already; a recording never overwrites another.
        RecordingError: the disk is full.
    """
    heard = 0

    def count(item: FromTable | Notice) -> None:
        nonlocal heard
        heard += 1
        say(as_text(item))

    sink = path.open("x", encoding="utf-8")
    recorder = Recorder(sink)
    link = TableLink(
        replace(config, open_port=recorder.wrap(config.open_port)),
        count,
        lambda state: say(f"# {state} {link.status().text}".rstrip()),
    )
    link.start()
    try:
        while recorder.trouble is None and not stop.wait(LOOK_S):
            pass
    finally:
        link.close()
        with contextlib.suppress(OSError):  # every line was on the disk, or the disk's trouble is known
            sink.close()
    if recorder.trouble is not None:
        why = recorder.trouble.strerror
        raise RecordingError(f"{path}: the recording ends here ({why}). Make room, then record into a new file.")
    return heard


def replay_lines(path: Path) -> Iterator[str]:
    """Return one line for each message of a recording: seconds since its start, then the message.

    Raises:
        RecordingError: the file is no recording.
    """
    started: float | None = None
    for heard in replay(read_recording(path)):
        started = heard.at_s if started is None else started
        yield f"{heard.at_s - started:10.3f}  {as_text(heard.item)}"


def port_lines(ports: tuple[PortInfo, ...]) -> list[str]:
    """Return one line for each serial port: path, chip, what it calls itself if it does."""
    if not ports:
        return ["This computer has no serial port. Plug the table in, or try: paiju run --table sim"]
    return ["  ".join(filter(None, (port.path, port.chip or "unknown chip", port.description))) for port in ports]

"""What ``paiju device ...`` does: list ports, record a table's line, play a recording back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from device.link import LinkConfig, TableLink
from device.messages import FromTable
from device.notices import Notice
from device.ports import PortInfo
from device.record import Recorder, as_text, read_recording, replay

Say = Callable[[str], None]


def record_table(config: LinkConfig, path: Path, say: Say, stop: threading.Event) -> int:
    """Record the line to a table into ``path`` until ``stop`` is set; return how many messages were heard.

    Raises:
        FileExistsError: the file is there already; a recording never overwrites another.
    """
    heard = 0

    def count(item: FromTable | Notice) -> None:
        nonlocal heard
        heard += 1
        say(as_text(item))

    with path.open("x", encoding="utf-8") as sink:
        recorded = replace(config, open_port=Recorder(sink).wrap(config.open_port))
        link = TableLink(recorded, count, lambda state: say(f"# {state}")).start()
        try:
            stop.wait()
        finally:
            link.close()
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
    """Return one line for each serial port: path, chip, what it calls itself."""
    if not ports:
        return ["This computer has no serial port. Plug the table in, or try: paiju run --table sim"]
    return [f"{port.path}  {port.chip or 'unknown chip'}  {port.description}" for port in ports]

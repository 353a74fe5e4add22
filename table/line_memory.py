"""What is remembered of the table's line between two starts: which table it is, and the last event that was handled.

A small file beside the ledger. It is written before the table is told that an event is safe, so that after a restart
the line goes on exactly there. If the file is lost, the table repeats what it still holds and every repeated event is
recognised by its key in the ledger.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from device.wire import EventId

FILE_NAME = "line.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownLine:
    """The table's own number (uid) and the last event that was handled; None where nothing is known.

    `started` is a start of the table by its four digits, and the day on which it was first heard.
    """

    uid: str | None = None
    last: EventId | None = None
    started: tuple[str, str] | None = None


def known_line(data_dir: Path) -> KnownLine:
    """What is remembered in this folder; nothing if there is no file or it cannot be read.

    known = known_line(data)
    LinkConfig(ports=ports, uid=known.uid, resume_after=known.last)
    """
    try:
        document = json.loads((data_dir / FILE_NAME).read_text(encoding="utf-8"))
        uid, boot, number = document.get("uid"), document.get("boot"), document.get("n")
        start, day = document.get("start"), document.get("day")
    except (OSError, ValueError, AttributeError):
        return KnownLine()
    last = EventId(boot, number) if isinstance(boot, str) and isinstance(number, int) else None
    started = (start, day) if isinstance(start, str) and isinstance(day, str) else None
    return KnownLine(uid=uid if isinstance(uid, str) else None, last=last, started=started)


class LineMemory:
    """Keeps the file in step with what the line says."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / FILE_NAME
        self._known = known_line(data_dir)

    @property
    def known(self) -> KnownLine:
        """What is remembered now."""
        return self._known

    def day_of(self, boot: str, today: str) -> str:
        """The day on which this start of the table was first heard.

        An event that is repeated after midnight, or after somebody set the clock, is so known by the same key.
        """
        if self._known.started is None or self._known.started[0] != boot:
            self.note(started=(boot, today))
        return today if self._known.started is None else self._known.started[1]

    def note(
        self,
        *,
        uid: str | None = None,
        last: EventId | None = None,
        started: tuple[str, str] | None = None,
    ) -> None:
        """Remember the table's number, its start or the latest event; a disk that refuses costs only the memory."""
        known = self._known
        now = KnownLine(uid=uid or known.uid, last=last or known.last, started=started or known.started)
        if now == self._known:
            return
        self._known = now
        document = {
            "uid": now.uid,
            "boot": None if now.last is None else now.last.boot,
            "n": None if now.last is None else now.last.n,
            "start": None if now.started is None else now.started[0],
            "day": None if now.started is None else now.started[1],
        }
        fresh = self._path.with_suffix(".new")
        try:
            fresh.write_text(json.dumps(document), encoding="utf-8")
            os.replace(fresh, self._path)
        except OSError:
            return

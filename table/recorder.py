"""Writes an evening down, message by message, so that it can be replayed to the same ledger."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TextIO

from table import commands
from table.messages import HandSeen, RecordingError, command_line, seen_line


class Recorder:
    """Appends every message that was carried out to a JSONL file."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    @classmethod
    def open(cls, path: Path, seq: int) -> Recorder:
        """Open a recording; an existing one is continued.

        Args:
            path: the file.
            seq: how many entries the ledger holds.

        Raises:
            RecordingError: it cannot be written, or it would begin in the middle and could never be replayed.
        """
        try:
            if seq and not (path.exists() and path.stat().st_size):
                raise RecordingError(
                    f"The recording {path} would begin in the middle: this table has {seq} entries already. "
                    "Record into a new folder (--data), or leave --record out."
                )
            return cls(path.open("a", encoding="utf-8"))
        except OSError as error:
            raise RecordingError(
                f"The recording {path} cannot be written ({error.strerror}). Choose another file."
            ) from None

    def command(self, command: commands.Command, at_ms: int, mono_ms: int) -> None:
        """Write down a command that was carried out."""
        self._write(command_line(command, at_ms, mono_ms))

    def seen(self, seen: HandSeen, at_ms: int, mono_ms: int) -> None:
        """Write down what the eyes read, once it counted."""
        self._write(seen_line(seen, at_ms, mono_ms))

    def close(self) -> None:
        """End the recording."""
        self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()

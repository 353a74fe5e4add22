"""Writes an evening down, message by message, so that it can be replayed to the same ledger.

A message is written before it is carried out and taken back if it did nothing, so that a process killed in between
leaves at most one line too many at the end; the next start removes it.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Any

from table import commands
from table.messages import HandSeen, RecordingError, command_line, seen_line


class Recorder:
    """Appends every message that is carried out to a JSONL file."""

    def __init__(self, file: FileIO) -> None:
        self._file = file
        self._waiting: list[bytes] = []
        self._before = file.seek(0, os.SEEK_END)
        self._trouble = ""

    @classmethod
    def open(cls, path: Path, seq: int, known: Callable[[str], bool]) -> Recorder:
        """Open a recording; an existing one is continued.

        Args:
            path: the file.
            seq: how many entries the ledger holds.
            known: whether the ledger holds entries with this key.

        Raises:
            RecordingError: it cannot be written, or it would begin in the middle and could never be replayed.
        """
        try:
            if seq and not (path.exists() and path.stat().st_size):
                raise RecordingError(
                    f"The recording {path} would begin in the middle: this table has {seq} entries already. "
                    "Record into a new folder (--data), or leave --record out."
                )
            file = FileIO(path, "a+")
            _cut_unfinished(file, known)
        except OSError as error:
            raise RecordingError(
                f"The recording {path} cannot be written ({error.strerror}). Choose another file."
            ) from None
        return cls(file)

    @property
    def trouble(self) -> str:
        """Why the latest messages are not in the file yet; empty when all are."""
        return self._trouble

    def command(self, command: commands.Command, at_ms: int, mono_ms: int) -> None:
        """Write down a command that is about to be carried out."""
        self._write(command_line(command, at_ms, mono_ms))

    def seen(self, seen: HandSeen, at_ms: int, mono_ms: int) -> None:
        """Write down what the eyes read, before it counts."""
        self._write(seen_line(seen, at_ms, mono_ms))

    def take_back(self) -> None:
        """The message written last did nothing: it is not needed for a replay."""
        if self._waiting:
            self._waiting.pop()
        else:
            with contextlib.suppress(OSError):
                self._file.truncate(self._before)
        self._catch_up()

    def close(self) -> None:
        """End the recording."""
        self._catch_up()
        self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        self._waiting.append((json.dumps(line, ensure_ascii=False) + "\n").encode())
        self._catch_up()

    def _catch_up(self) -> None:
        """Write what waits, in order; what the disk does not take whole waits on."""
        while self._waiting:
            self._before = self._file.seek(0, os.SEEK_END)
            try:
                if self._file.write(self._waiting[0]) != len(self._waiting[0]):
                    raise OSError(0, "the disk is full")
            except OSError as error:
                self._trouble = str(error.strerror)
                with contextlib.suppress(OSError):
                    self._file.truncate(self._before)
                return
            self._waiting.pop(0)
        self._trouble = ""


def _cut_unfinished(file: FileIO, known: Callable[[str], bool]) -> None:
    """Remove the last line if it is half, or if its message never reached the ledger."""
    file.seek(0)
    text = file.readall()
    whole = text.rfind(b"\n") + 1
    start = text.rfind(b"\n", 0, max(0, whole - 1)) + 1
    if not _reached(text[start:whole], known):
        whole = start
    if whole < len(text):
        file.truncate(whole)


def _reached(line: bytes, known: Callable[[str], bool]) -> bool:
    try:
        document = json.loads(line)
        message = document.get("command", document.get("seen"))
        return known(message["idem"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return True  # no line of ours: the replay will name it

"""What must outlive a restart of the pages: the secret that signs, the PINs' hashes, the paired devices.

One small JSON file beside the ledger, readable by its owner only. Whoever can read it can become any device, so it is
part of no backup; whoever forgot every PIN removes it and starts again.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any

from pydantic import TypeAdapter, ValidationError

from table.durable import keep
from table.model import Role, Seat

FILE_NAME = "access.json"


class AccessFileError(ValueError):
    """The file cannot be read or written; the sentence says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """A device that was paired by code: its role, name, own seat, and since when (UTC, ms)."""

    role: Role
    name: str = ""
    seat: Seat | None = None
    since_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The contents: the secret (hexadecimal), PIN hashes by role, paired devices by the key in their cookie."""

    secret: str = field(default_factory=lambda: secrets.token_hex(32))
    pins: dict[Role, str] = field(default_factory=dict)
    paired: dict[str, Paired] = field(default_factory=dict)


_KEPT = TypeAdapter(Kept)


class AccessFile:
    """The file, or a stand-in in memory when no path is given."""

    def __init__(self, path: Path | None = None) -> None:
        """Read the file; one that is not there yet is made with a fresh secret.

        Raises:
            AccessFileError: it is damaged or cannot be read or written.
        """
        self._path = path
        self._lock = Lock()
        if path is not None and path.exists():
            self._kept = self._read()
            self._close_to_others(path)  # without writing anew: a table starts again on a full disk, too
        else:
            self._kept = Kept()
            self._write(self._kept)

    @property
    def kept(self) -> Kept:
        """What is kept now."""
        return self._kept

    def keep(self, **changes: Any) -> None:
        """Change some of it; it is on the disk when this returns.

        Raises:
            AccessFileError: it cannot be written; then nothing has changed.
        """
        with self._lock:
            kept = replace(self._kept, **changes)
            self._write(kept)
            self._kept = kept

    def _read(self) -> Kept:
        path = self._path
        assert path is not None
        try:
            return _KEPT.validate_json(path.read_bytes())
        except OSError as error:
            raise AccessFileError(f"{path}: cannot be read ({error.strerror}).") from None
        except ValidationError:
            raise AccessFileError(
                f"{path}: damaged. Move it away; then all PINs and paired devices must be set anew."
            ) from None

    def _close_to_others(self, path: Path) -> None:
        try:
            path.chmod(0o600)
        except OSError:  # somebody else's file: ours takes its place
            self._write(self._kept)

    def _write(self, kept: Kept) -> None:
        if self._path is not None:
            write_private(self._path, _KEPT.dump_json(kept, indent=1))


def write_private(path: Path, data: bytes) -> None:
    """Replace a file at once by one that only its owner may read.

    Raises:
        AccessFileError: the disk refuses.
    """
    try:
        keep(path, data, 0o600)
    except OSError as error:
        raise AccessFileError(f"{path}: cannot be written ({error.strerror}). Nothing was changed.") from None

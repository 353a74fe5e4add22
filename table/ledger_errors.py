"""What can go wrong with the ledger, each as a sentence that people can act on.

Errors
    LedgerError              something is wrong with the ledger; the text is a sentence for people
    ├── LedgerBusy           another process writes this ledger
    ├── LedgerFull           the disk is full or refuses writing; nothing was written
    ├── LedgerReadOnly       the file or folder may not be written
    ├── LedgerCorrupt        the file is no ledger, is damaged, or its chain is broken
    └── LedgerRefused        the entries do not follow the last one, or their key was used before
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar


class LedgerError(Exception):
    """Something is wrong with the ledger; the text says what and what to do, `why` is its key among the sentences."""

    why: ClassVar[str] = "why.ledger_trouble"


class LedgerBusy(LedgerError):  # noqa: N818 - the name says what a person is told
    """Another process writes this ledger."""

    why = "why.ledger_busy"


class LedgerFull(LedgerError):  # noqa: N818
    """The disk is full or refuses writing; nothing was written."""

    why = "why.ledger_full"


class LedgerReadOnly(LedgerError):  # noqa: N818
    """The file or its folder may not be written."""

    why = "why.ledger_read_only"


class LedgerCorrupt(LedgerError):  # noqa: N818
    """The file is no ledger, is damaged, or its chain is broken."""

    why = "why.ledger_corrupt"


class LedgerRefused(LedgerError):  # noqa: N818
    """The entries do not follow the last one, or their key was used before."""

    why = "why.ledger_refused"


@contextmanager
def sentences(path: Path) -> Iterator[None]:
    """Turn what SQLite says into what people can act on, also where it tells of damage in letters that are none."""
    try:
        yield
    except sqlite3.Error as error:
        raise _explained(error, path) from error
    except UnicodeDecodeError as error:
        raise damaged(path) from error


def _explained(error: sqlite3.Error, path: Path) -> LedgerError:
    code = getattr(error, "sqlite_errorcode", 0) or 0
    primary = code & 0xFF
    if primary in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return LedgerFull(
            f"The disk of {path} is full or cannot be written, so nothing was recorded. Free some space and repeat it."
        )
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return LedgerReadOnly(f"The ledger {path} may not be written. Check the rights of the file and its folder.")
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LedgerBusy(f"Another program holds the ledger {path}. Close it and repeat.")
    # Without a code it is Python that could not read what SQLite gave it: text that is no text any more.
    if code == 0 or primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged(path)
    if primary == sqlite3.SQLITE_CONSTRAINT:
        return LedgerRefused(f"The ledger {path} refuses this entry: {error}.")
    return LedgerError(f"The ledger {path} cannot be used: {error}.")


def damaged(path: Path) -> LedgerCorrupt:
    """What is said of a file that is no ledger any more."""
    return LedgerCorrupt(f"The ledger {path} is damaged or no ledger at all. Restore the last backup.")

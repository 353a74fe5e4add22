"""The ledger: every event of a table in one SQLite file, in order, for ever.

Nothing in it is ever changed or taken out. Each entry carries the hash of the one before, so that any later change
shows (`verify`). One process writes at a time; readers are always welcome. An append returns when the disk has it.

What can go wrong is in `table.ledger_errors`, how entries are chained and checked in `table.chain`.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from table.chain import GENESIS as GENESIS
from table.chain import Batch as Batch
from table.chain import Entry as Entry
from table.chain import canonical, chained, checked, entry_of, row_of
from table.durable import move_in
from table.ledger_errors import LedgerBusy as LedgerBusy
from table.ledger_errors import LedgerCorrupt as LedgerCorrupt
from table.ledger_errors import LedgerError as LedgerError
from table.ledger_errors import LedgerFull as LedgerFull
from table.ledger_errors import LedgerReadOnly as LedgerReadOnly
from table.ledger_errors import LedgerRefused as LedgerRefused
from table.ledger_errors import damaged, sentences

if TYPE_CHECKING:
    from typing import Self

_APPLICATION_ID = 0x50414A55  # "PAJU"
_FORMAT = 1
_SCHEMA = """
CREATE TABLE entry (
    seq INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    actor TEXT NOT NULL,
    idem TEXT NOT NULL,
    part INTEGER NOT NULL,
    event TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    UNIQUE (idem, part)
) STRICT;
CREATE TRIGGER entry_keeps BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER entry_stays BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER entry_follows BEFORE INSERT ON entry
WHEN NEW.seq != (SELECT COALESCE(MAX(seq), 0) + 1 FROM entry)
  OR NEW.prev_hash != COALESCE((SELECT hash FROM entry WHERE seq = NEW.seq - 1), '0000000000000000000000000000000000000000000000000000000000000000')
BEGIN SELECT RAISE(ABORT, 'the entry does not follow the last one'); END;
"""  # noqa: E501

_ASKED = "CREATE TABLE IF NOT EXISTS asked (idem TEXT PRIMARY KEY, hash TEXT NOT NULL) STRICT"
"""What was asked under each key: only to tell a command sent again from another one; no part of the chain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What checking the chain found: how many entries hold, the last hash, and the first fault as a sentence."""

    entries: int
    head: str
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """An entry exactly as it was hashed: `hash` is the SHA-256 of `text`, which begins with the hash before it."""

    seq: int
    text: str
    hash: str


class Ledger:
    """The ledger open for writing; at most one in the world per file."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: int) -> None:
        self._path = path
        self._db = connection
        self._lock = lock
        self._last = 0
        self._head = GENESIS

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the ledger for writing; a missing file is made.

        Raises:
            LedgerBusy: another process has it open for writing.
            LedgerReadOnly: the folder or file may not be written.
            LedgerCorrupt: it is no ledger, or damaged.
        """
        lock = _take_lock(path)
        try:
            with sentences(path):
                if not path.exists():
                    _create(path)
                _require_content(path)
                connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)
                _prepare(connection, path)
                connection.execute(_ASKED)
                last = connection.execute("SELECT seq, hash FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
            ledger = cls(path, connection, lock)
        except BaseException:
            os.close(lock)
            raise
        if last is not None:
            ledger._last, ledger._head = last
        return ledger

    @property
    def path(self) -> Path:
        """Where the ledger lies."""
        return self._path

    @property
    def last_seq(self) -> int:
        """Number of the last entry, 0 for an empty ledger."""
        return self._last

    @property
    def head(self) -> str:
        """Hash of the last entry."""
        return self._head

    def append(self, batch: Batch) -> tuple[Entry, ...]:
        """Write the events of one command; when this returns, the disk has them.

        Raises:
            LedgerRefused: the batch does not follow the last entry, or its key was used before.
            LedgerFull: the disk is full; nothing was written.
        """
        if batch.after != self._last:
            raise LedgerRefused(f"The entries follow number {batch.after}, but the ledger is at {self._last}.")
        entries = tuple(chained(batch, self._head))
        with sentences(self._path):
            try:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)", map(row_of, entries))
                if batch.asked:
                    self._db.execute("INSERT INTO asked VALUES (?, ?)", (batch.idem, batch.asked))
                self._db.execute("COMMIT")
            except sqlite3.Error:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        if entries:
            self._last, self._head = entries[-1].seq, entries[-1].hash
        return entries

    def find(self, idem: str) -> tuple[Entry, ...]:
        """The entries that an earlier command with this key caused; empty if it is new."""
        with sentences(self._path):
            rows = self._db.execute("SELECT * FROM entry WHERE idem = ? ORDER BY part", (idem,)).fetchall()
        return tuple(entry_of(row) for row in rows)

    def asked(self, idem: str) -> str:
        """What was asked under this key, as `Batch.asked`; empty if nobody wrote it down."""
        with sentences(self._path):
            row = self._db.execute("SELECT hash FROM asked WHERE idem = ?", (idem,)).fetchone()
        return "" if row is None else str(row[0])

    def entries(self) -> Iterator[Entry]:
        """Every entry in order, the chain checked on the way.

        Raises:
            LedgerCorrupt: an entry was changed, or is missing.
        """
        yield from checked(self._db, self._path)

    def close(self) -> None:
        """Give the ledger back; another process may write it now."""
        self._db.close()
        os.close(self._lock)


def read(path: Path, after: int = 0) -> tuple[Entry, ...]:
    """Every entry of a ledger after this number, also while another process writes it.

    Raises:
        LedgerError: there is no such file, it is no ledger, or its chain is broken.
    """
    with _reader(path) as connection:
        return tuple(checked(connection, path, after))


def verify(path: Path) -> Audit:
    """Check the whole chain: every number, every hash, every event readable, and that SQLite finds its file in order.

    Raises:
        LedgerError: there is no such file, or it is no ledger at all.
    """
    count, head = 0, GENESIS
    with _reader(path) as connection:
        try:
            for entry in checked(connection, path):
                count, head = entry.seq, entry.hash
            with sentences(path):
                (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if found != "ok":  # a page that went astray may take the last entries along and leave a whole chain
                raise damaged(path)
        except LedgerCorrupt as fault:
            return Audit(entries=count, head=head, fault=str(fault))
    return Audit(entries=count, head=head)


def links(path: Path) -> tuple[Link, ...]:
    """The chain itself, for a reader without Paiju (see `table.bundle`); `verify` says whether it holds.

    Raises:
        LedgerError: there is no such file, or it is no ledger.
    """
    with _reader(path) as connection, sentences(path):
        rows = connection.execute(
            "SELECT prev_hash, seq, at_ms, actor, idem, part, event, hash FROM entry ORDER BY seq"
        )
        return tuple(Link(seq=row[1], text=canonical(row[:-1]), hash=row[-1]) for row in rows)


def _take_lock(path: Path) -> int:
    """Hold the lock file for as long as this process lives; the system lets go of it even after kill -9."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise LedgerReadOnly(
            f"The folder {path.parent} cannot be written ({error.strerror}). Choose another with --data."
        ) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise LedgerBusy(
            f"Another Paiju already writes the ledger {path}. Stop it, or choose another folder with --data."
        ) from None
    return lock


def _create(path: Path) -> None:
    """Make an empty ledger beside its place and move it there whole: a process killed meanwhile leaves no half one."""
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    connection = sqlite3.connect(fresh, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.executescript(
            f"BEGIN; PRAGMA application_id = {_APPLICATION_ID}; PRAGMA user_version = {_FORMAT}; {_SCHEMA} COMMIT;"
        )
    finally:
        connection.close()
    move_in(fresh, path)


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    _require_ours(connection, application, path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")


def _require_content(path: Path) -> None:
    if path.stat().st_size == 0:
        raise LedgerCorrupt(
            f"The ledger {path} is empty (0 bytes): what it held is lost, or nothing was ever written. "
            "Restore the last backup, or remove the file to begin a new table."
        )


def _require_ours(connection: sqlite3.Connection, application: int, path: Path) -> None:
    if application != _APPLICATION_ID:
        raise LedgerCorrupt(f"The file {path} is a database of another program, not a Paiju ledger. Choose another.")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version != _FORMAT:
        raise LedgerCorrupt(f"The ledger {path} has format {version}; this Paiju reads {_FORMAT}. Upgrade Paiju.")


@contextmanager
def _reader(path: Path) -> Iterator[sqlite3.Connection]:
    if not path.is_file():
        raise LedgerError(f"There is no ledger at {path}. Give the folder of a table with --data.")
    _require_content(path)
    with sentences(path):
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        try:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            _require_ours(connection, application, path)
            yield connection
        finally:
            connection.close()

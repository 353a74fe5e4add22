"""The ledger: every event of a table in one SQLite file, in order, for ever.

Nothing in it is ever changed or taken out. Each entry carries the hash of the one before, so that any later change
shows (`verify`). One process writes at a time; readers are always welcome. An append returns when the disk has it.

Errors
    LedgerError              something is wrong with the ledger; the text is a sentence for people
    ├── LedgerBusy           another process writes this ledger
    ├── LedgerFull           the disk is full or refuses writing; nothing was written
    ├── LedgerReadOnly       the file or folder may not be written
    ├── LedgerCorrupt        the file is no ledger, is damaged, or its chain is broken
    └── LedgerRefused        the entries do not follow the last one, or their key was used before
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from table.events import EventError, TableEvent, decode, encode
from table.model import Actor

if TYPE_CHECKING:
    from typing import Self

GENESIS = "0" * 64
"""What the first entry names as the hash before it."""

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


class LedgerError(Exception):
    """Something is wrong with the ledger; the text says what and what to do."""


class LedgerBusy(LedgerError):  # noqa: N818 - the name says what a person is told
    """Another process writes this ledger."""


class LedgerFull(LedgerError):  # noqa: N818
    """The disk is full or refuses writing; nothing was written."""


class LedgerReadOnly(LedgerError):  # noqa: N818
    """The file or its folder may not be written."""


class LedgerCorrupt(LedgerError):  # noqa: N818
    """The file is no ledger, is damaged, or its chain is broken."""


class LedgerRefused(LedgerError):  # noqa: N818
    """The entries do not follow the last one, or their key was used before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the ledger: an event with its number, time (UTC, milliseconds), author and place in the chain.

    `idem` is the key of the command that caused it, `part` its place among the events of that command.
    """

    seq: int
    at_ms: int
    actor: Actor
    idem: str
    part: int
    event: TableEvent
    prev_hash: str
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Events that one command causes, written together or not at all.

    `after` is the number of the last entry known, `asked` what was asked in short (a hash), to know it again.
    """

    after: int
    at_ms: int
    actor: Actor
    idem: str
    events: tuple[TableEvent, ...]
    asked: str = ""


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
            with _sentences(path):
                if not path.exists():
                    _create(path)
                _require_content(path)
                connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)
                _prepare(connection, path)
                connection.execute(_ASKED)
            ledger = cls(path, connection, lock)
            last = connection.execute("SELECT seq, hash FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
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
        entries = tuple(_chain(batch, self._head))
        with _sentences(self._path):
            try:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)", map(_row, entries))
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
        with _sentences(self._path):
            rows = self._db.execute("SELECT * FROM entry WHERE idem = ? ORDER BY part", (idem,)).fetchall()
        return tuple(_entry(row) for row in rows)

    def asked(self, idem: str) -> str:
        """What was asked under this key, as `Batch.asked`; empty if nobody wrote it down."""
        with _sentences(self._path):
            row = self._db.execute("SELECT hash FROM asked WHERE idem = ?", (idem,)).fetchone()
        return "" if row is None else str(row[0])

    def entries(self) -> Iterator[Entry]:
        """Every entry in order, the chain checked on the way.

        Raises:
            LedgerCorrupt: an entry was changed, or is missing.
        """
        yield from _checked(self._db, self._path)

    def backup(self, target: Path) -> None:
        """Copy the ledger to another file while it stays in use.

        Raises:
            LedgerError: the target exists already or cannot be written.
        """
        if target.exists():
            raise LedgerError(f"The file {target} exists already. Choose another name for the backup.")
        with _sentences(target):
            copy = sqlite3.connect(target)
            try:
                self._db.backup(copy)
            finally:
                copy.close()

    def close(self) -> None:
        """Give the ledger back; another process may write it now."""
        self._db.close()
        os.close(self._lock)


def read(path: Path) -> tuple[Entry, ...]:
    """Every entry of a ledger, also while another process writes it.

    Raises:
        LedgerError: there is no such file, it is no ledger, or its chain is broken.
    """
    with _reader(path) as connection:
        return tuple(_checked(connection, path))


def verify(path: Path) -> Audit:
    """Check the whole chain: every number, every hash, every event readable.

    Raises:
        LedgerError: there is no such file, or it is no ledger at all.
    """
    count, head = 0, GENESIS
    with _reader(path) as connection:
        try:
            for entry in _checked(connection, path):
                count, head = entry.seq, entry.hash
        except LedgerCorrupt as fault:
            return Audit(entries=count, head=head, fault=str(fault))
    return Audit(entries=count, head=head)


def links(path: Path) -> tuple[Link, ...]:
    """The chain itself, for a reader without Paiju (see `table.bundle`); `verify` says whether it holds.

    Raises:
        LedgerError: there is no such file, or it is no ledger.
    """
    with _reader(path) as connection, _sentences(path):
        rows = connection.execute(
            "SELECT prev_hash, seq, at_ms, actor, idem, part, event, hash FROM entry ORDER BY seq"
        )
        return tuple(Link(seq=row[1], text=_canonical(row[:-1]), hash=row[-1]) for row in rows)


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
    os.replace(fresh, path)


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
    with _sentences(path):
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        try:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            _require_ours(connection, application, path)
            yield connection
        finally:
            connection.close()


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """Turn what SQLite says into what people can act on."""
    try:
        yield
    except sqlite3.Error as error:
        raise _explained(error, path) from error


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
        return LedgerCorrupt(f"The ledger {path} is damaged or no ledger at all. Restore the last backup.")
    if primary == sqlite3.SQLITE_CONSTRAINT:
        return LedgerRefused(f"The ledger {path} refuses this entry: {error}.")
    return LedgerError(f"The ledger {path} cannot be used: {error}.")


def _canonical(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _hash(prev_hash: str, *fields: int | str) -> str:
    return hashlib.sha256(_canonical([prev_hash, *fields]).encode()).hexdigest()


def _chain(batch: Batch, head: str) -> Iterator[Entry]:
    for part, event in enumerate(batch.events):
        seq = batch.after + 1 + part
        actor, body = _canonical(asdict(batch.actor)), _canonical(encode(event))
        digest = _hash(head, seq, batch.at_ms, actor, batch.idem, part, body)
        yield Entry(
            seq=seq,
            at_ms=batch.at_ms,
            actor=batch.actor,
            idem=batch.idem,
            part=part,
            event=event,
            prev_hash=head,
            hash=digest,
        )
        head = digest


def _row(entry: Entry) -> tuple[int | str, ...]:
    actor, body = _canonical(asdict(entry.actor)), _canonical(encode(entry.event))
    return (entry.seq, entry.at_ms, actor, entry.idem, entry.part, body, entry.prev_hash, entry.hash)


def _entry(row: tuple[Any, ...]) -> Entry:
    seq, at_ms, actor, idem, part, body, prev_hash, digest = row
    return Entry(
        seq=seq,
        at_ms=at_ms,
        actor=Actor(**json.loads(actor)),
        idem=idem,
        part=part,
        event=decode(json.loads(body)),
        prev_hash=prev_hash,
        hash=digest,
    )


def _checked(connection: sqlite3.Connection, path: Path) -> Iterator[Entry]:
    """Read every entry and check that each follows from the one before."""
    expected, head = 1, GENESIS
    with _sentences(path):
        for row in connection.execute("SELECT * FROM entry ORDER BY seq"):
            seq, at_ms, actor, idem, part, body, prev_hash, digest = row
            if seq != expected:
                raise LedgerCorrupt(f"Entry {expected} is missing from {path}: the next one is {seq}.")
            if prev_hash != head or digest != _hash(head, seq, at_ms, actor, idem, part, body):
                raise LedgerCorrupt(f"Entry {seq} of {path} was changed after it was written: its hash does not fit.")
            try:
                yield _entry(row)
            except (EventError, ValueError, TypeError) as error:
                raise LedgerCorrupt(f"Entry {seq} of {path} cannot be read: {error}") from None
            expected, head = seq + 1, digest

"""The chain of the ledger: entries, how each is hashed onto the one before, and how that is checked.

The hash of an entry is the SHA-256 of one canonical JSON text, so that a reader without Paiju can check it too.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from table.events import EventError, TableEvent, decode, encode
from table.ledger_errors import LedgerCorrupt, sentences
from table.model import Actor

GENESIS = "0" * 64
"""What the first entry names as the hash before it."""


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


def canonical(value: object) -> str:
    """The one text of a JSON value that is hashed: keys in order, no spaces."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _hash(prev_hash: str, *fields: int | str) -> str:
    return hashlib.sha256(canonical([prev_hash, *fields]).encode()).hexdigest()


def chained(batch: Batch, head: str) -> Iterator[Entry]:
    """The entries of a batch, hashed onto the last one."""
    for part, event in enumerate(batch.events):
        seq = batch.after + 1 + part
        actor, body = canonical(asdict(batch.actor)), canonical(encode(event))
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


def row_of(entry: Entry) -> tuple[int | str, ...]:
    """An entry as the row of the ledger's table."""
    actor, body = canonical(asdict(entry.actor)), canonical(encode(entry.event))
    return (entry.seq, entry.at_ms, actor, entry.idem, entry.part, body, entry.prev_hash, entry.hash)


def entry_of(row: tuple[Any, ...]) -> Entry:
    """A row of the ledger's table as an entry."""
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


def checked(connection: sqlite3.Connection, path: Path, after: int = 0) -> Iterator[Entry]:
    """Read every entry after this number and check that each follows from the one before."""
    expected, head = after + 1, GENESIS
    with sentences(path):
        if after:
            (head,) = connection.execute("SELECT hash FROM entry WHERE seq = ?", (after,)).fetchone() or ("",)
        for row in connection.execute("SELECT * FROM entry WHERE seq > ? ORDER BY seq", (after,)):
            seq, at_ms, actor, idem, part, body, prev_hash, digest = row
            if seq != expected:
                raise LedgerCorrupt(f"Entry {expected} is missing from {path}: the next one is {seq}.")
            typed = all(isinstance(value, int | str) for value in row)  # a flipped bit may make bytes of a text
            if not typed or prev_hash != head or digest != _hash(head, seq, at_ms, actor, idem, part, body):
                raise LedgerCorrupt(f"Entry {seq} of {path} was changed after it was written: its hash does not fit.")
            try:
                yield entry_of(row)
            except (EventError, ValueError, TypeError) as error:
                raise LedgerCorrupt(f"Entry {seq} of {path} cannot be read: {error}") from None
            expected, head = seq + 1, digest

"""A table's folder as one file, pictures included, and back again, each piece checked."""

from __future__ import annotations

import sqlite3
import tarfile
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from table.durable import move_in
from table.evidence import LET_GO_NAME, EvidenceStore
from table.ledger import LedgerError, verify
from table.runtime import EVIDENCE_NAME, LEDGER_NAME


class BackupError(Exception):
    """A backup cannot be made or brought back; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a backup holds: entries of the ledger, its last hash, and pictures."""

    entries: int
    head: str
    pictures: int


def back_up(data_dir: Path, target: Path) -> Kept:
    """Write a table's ledger and pictures into one `.tar` file, also while the table is in use.

    Args:
        data_dir: The folder given to `paiju run --data`.
        target: A new file; an older backup is never overwritten.

    Raises:
        BackupError: There is no ledger, the file exists, or it cannot be written.
    """
    ledger = data_dir / LEDGER_NAME
    if not ledger.is_file():
        raise BackupError(f"{data_dir}: there is no ledger in this folder. Name the folder that `paiju run` uses.")
    if target.exists():
        raise BackupError(f"{target} exists already. Choose another name; older backups are never overwritten.")
    part = target.with_name(target.name + ".part")
    try:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / LEDGER_NAME
            _copy_ledger(ledger, copy)
            audit = verify(copy)
            pictures = sorted((data_dir / EVIDENCE_NAME).rglob("*.jpg"))
            with tarfile.open(part, "x") as archive:
                archive.add(copy, LEDGER_NAME)
                if (data_dir / EVIDENCE_NAME / LET_GO_NAME).is_file():
                    archive.add(data_dir / EVIDENCE_NAME / LET_GO_NAME, str(Path(EVIDENCE_NAME) / LET_GO_NAME))
                for picture in pictures:
                    archive.add(picture, str(Path(EVIDENCE_NAME) / picture.relative_to(data_dir / EVIDENCE_NAME)))
        move_in(part, target)
    except OSError as error:
        raise BackupError(
            f"{target}: cannot be written ({error.strerror}). Free some space or name another folder."
        ) from error
    except LedgerError as error:
        raise BackupError(str(error)) from error
    finally:
        part.unlink(missing_ok=True)
    if audit.fault:
        raise BackupError(f"{audit.fault} The backup {target} holds the ledger as it is.")
    return Kept(audit.entries, audit.head, len(pictures))


def restore(source: Path, data_dir: Path) -> Kept:
    """Bring a backup back into a new folder, after checking its chain and every picture.

    Raises:
        BackupError: The file is no backup or is damaged, or the folder is in use already. Nothing is changed then.
    """
    if data_dir.exists() and any(data_dir.iterdir()):
        raise BackupError(f"{data_dir} is not empty. Restore into a new folder, then start it with --data.")
    fresh = data_dir.with_name(data_dir.name + ".restoring")
    if fresh.exists():
        raise BackupError(f"{fresh} is left over from an earlier restore. Delete it and try again.")
    try:
        fresh.mkdir(parents=True)
        with tarfile.open(source, "r:") as archive:
            strange = next((one.name for one in archive if not _belongs(one)), None)
            if strange is not None:
                raise BackupError(f"{source}: holds {strange!r}, which no backup of Paiju holds. Use another one.")
            archive.extractall(fresh, filter="data")
        kept = _check(fresh, source)
        if data_dir.exists():
            data_dir.rmdir()
        fresh.rename(data_dir)
    except tarfile.TarError as error:
        raise BackupError(f"{source} is no backup, or was cut off ({error}). Use another one.") from error
    except OSError as error:
        raise BackupError(f"{source}: cannot be restored into {data_dir} ({error.strerror}).") from error
    finally:
        _remove(fresh)
    return kept


def _copy_ledger(ledger: Path, copy: Path) -> None:
    read_only = f"{ledger.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(read_only, uri=True)) as old, closing(sqlite3.connect(copy)) as new:
        try:
            old.backup(new)
        except sqlite3.Error as error:
            raise LedgerError(f"{ledger}: the ledger cannot be copied ({error}).") from error


def _belongs(member: tarfile.TarInfo) -> bool:
    """Whether a backup holds this: whoever can slip in a file with PINs or keys could come in as anybody."""
    return member.isreg() and (member.name == LEDGER_NAME or member.name.startswith(f"{EVIDENCE_NAME}/"))


def _check(folder: Path, source: Path) -> Kept:
    try:
        audit = verify(folder / LEDGER_NAME)
    except LedgerError as error:
        raise BackupError(f"{source} is no backup of a table: {error}") from error
    if audit.fault:
        raise BackupError(f"{source}: {audit.fault}")
    store = EvidenceStore(folder / EVIDENCE_NAME)
    pictures = sorted((folder / EVIDENCE_NAME).rglob("*.jpg"))
    damaged = [one for one in pictures if store.get(one.parent.name + one.stem) is None]
    if damaged:
        raise BackupError(f"{source}: the picture {damaged[0].name} does not match its hash. Use another backup.")
    return Kept(audit.entries, audit.head, len(pictures))


def _remove(folder: Path) -> None:
    if not folder.exists():
        return
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink()
    folder.rmdir()

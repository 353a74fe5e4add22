"""The ledger keeps what it is given, in order, for ever, and says in one sentence what is wrong."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from table import ledger as books
from table.events import RefereeCalled
from table.ledger import Batch, Ledger
from table.model import Actor

ACTOR = Actor(role="tablet", name="Anna", device="t1")


def batch(after: int, idem: str, count: int = 1, at_ms: int = 1_000) -> Batch:
    events = tuple(RefereeCalled(call_id=f"c{after}-{part}", seat=1, reason="張數") for part in range(count))
    return Batch(after=after, at_ms=at_ms, actor=ACTOR, idem=idem, events=events)


def test_what_was_appended_is_read_back(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l.db")
    written = (*ledger.append(batch(0, "a", 2)), *ledger.append(batch(2, "b")))
    ledger.close()
    again = Ledger.open(tmp_path / "l.db")
    assert tuple(again.entries()) == written
    assert [entry.seq for entry in written] == [1, 2, 3]
    assert [entry.part for entry in written] == [0, 1, 0]
    assert written[0].prev_hash == books.GENESIS
    assert written[1].prev_hash == written[0].hash
    assert again.last_seq == 3
    assert again.head == written[-1].hash
    again.close()


def test_the_same_messages_give_the_same_hashes(tmp_path: Path) -> None:
    heads = []
    for name in ("one.db", "two.db"):
        ledger = Ledger.open(tmp_path / name)
        ledger.append(batch(0, "a", 2))
        heads.append(ledger.head)
        ledger.close()
    assert heads[0] == heads[1]


def test_a_key_counts_once(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l.db")
    first = ledger.append(batch(0, "a", 2))
    assert ledger.find("a") == first
    assert ledger.find("b") == ()
    with pytest.raises(books.LedgerRefused):
        ledger.append(batch(2, "a"))
    assert ledger.last_seq == 2
    assert ledger.append(batch(2, "b"))[0].seq == 3
    ledger.close()


def test_it_refuses_what_does_not_follow(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l.db")
    ledger.append(batch(0, "a"))
    with pytest.raises(books.LedgerRefused, match="number 5"):
        ledger.append(batch(5, "b"))
    with pytest.raises(books.LedgerRefused, match="number 0"):
        ledger.append(batch(0, "b"))
    ledger.close()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE entry SET at_ms = 0",
        "DELETE FROM entry WHERE seq = 2",
        "INSERT INTO entry SELECT 9, at_ms, actor, 'x', 0, event, hash, 'h' FROM entry WHERE seq = 2",
        "INSERT INTO entry SELECT 3, at_ms, actor, 'x', 0, event, 'wrong', 'h' FROM entry WHERE seq = 2",
        "INSERT OR REPLACE INTO entry SELECT * FROM entry WHERE seq = 1",
    ],
)
def test_the_file_itself_refuses_changes(tmp_path: Path, sql: str) -> None:
    ledger = Ledger.open(tmp_path / "l.db")
    ledger.append(batch(0, "a", 2))
    ledger.close()
    raw = sqlite3.connect(tmp_path / "l.db")
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute(sql)
    raw.close()
    assert books.verify(tmp_path / "l.db").entries == 2


def written(folder: Path, entries: int) -> Path:
    """A closed ledger with so many entries."""
    path = folder / "l.db"
    ledger = Ledger.open(path)
    ledger.append(batch(0, "a", entries))
    ledger.close()
    return path


def changed(path: Path, *statements: str) -> None:
    """Change the file beside the ledger, as only somebody with force or a bad disk does."""
    raw = sqlite3.connect(path)
    for statement in statements:
        raw.execute(statement)
    raw.commit()
    raw.close()


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("UPDATE entry SET event = replace(event, '張數', '張三') WHERE seq = 2", "Entry 2"),
        ("UPDATE entry SET at_ms = at_ms + 1 WHERE seq = 3", "Entry 3"),
        ("UPDATE entry SET actor = replace(actor, 'Anna', 'Dora') WHERE seq = 1", "Entry 1"),
        ("DELETE FROM entry WHERE seq = 2", "Entry 2 is missing"),
    ],
)
def test_a_change_with_force_shows(tmp_path: Path, sql: str, says: str) -> None:
    path = written(tmp_path, 3)
    assert books.verify(path).fault == ""
    triggers = ("entry_keeps", "entry_stays", "entry_follows")
    changed(path, *(f"DROP TRIGGER {trigger}" for trigger in triggers), sql)
    assert says in books.verify(path).fault
    with pytest.raises(books.LedgerCorrupt, match=says):
        books.read(path)


def test_a_letter_that_is_none_any_more_is_damage_and_says_what_to_do(tmp_path: Path) -> None:
    path = written(tmp_path, 1)
    changed(path, "DROP TRIGGER entry_keeps", "UPDATE entry SET event = CAST(x'ff' AS TEXT)")
    assert "Restore the last backup." in books.verify(path).fault
    with pytest.raises(books.LedgerCorrupt, match=r"is damaged or no ledger at all\. Restore the last backup\."):
        books.read(path)


def test_a_text_that_became_bytes_is_damage(tmp_path: Path) -> None:
    path = written(tmp_path, 1)
    loose = ("PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '')")
    changed(path, "DROP TRIGGER entry_keeps", *loose)
    changed(path, "UPDATE entry SET event = CAST(event AS BLOB)")
    assert "was changed after it was written" in books.verify(path).fault
    with pytest.raises(books.LedgerCorrupt, match="was changed after it was written"):
        books.read(path)


@pytest.mark.parametrize("damage", ["schema", "page"])
def test_damage_where_the_ledger_is_opened_is_a_sentence(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "l.db"
    ledger = Ledger.open(path)
    for number in range(40):
        ledger.append(batch(number, f"{number}", 1))
    ledger.close()
    content = bytearray(path.read_bytes())
    if damage == "schema":  # SQLite names the word that it does not know, and its letters are none
        content[content.index(b"NOT NULL") + 4] = 0xCC
    else:
        content[4096:] = bytes(len(content) - 4096)
    path.write_bytes(content)
    for opens in (Ledger.open, books.read):
        with pytest.raises(books.LedgerCorrupt, match="Restore the last backup"):
            opens(path)


def test_an_audit_looks_at_more_of_the_file_than_the_chain(tmp_path: Path) -> None:
    path = written(tmp_path, 3)
    raw = sqlite3.connect(path)
    (page,) = raw.execute("SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'entry'").fetchone()
    (size,) = raw.execute("PRAGMA page_size").fetchone()
    raw.close()
    content = bytearray(path.read_bytes())
    content[size * (page - 1) : size * page] = bytes(size)
    path.write_bytes(content)
    audit = books.verify(path)
    assert audit.entries == 3
    assert "Restore the last backup" in audit.fault


def test_readers_are_welcome_while_one_writes(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l.db")
    ledger.append(batch(0, "a", 2))
    assert len(books.read(tmp_path / "l.db")) == 2
    ledger.append(batch(2, "b"))
    assert books.verify(tmp_path / "l.db") == books.Audit(entries=3, head=ledger.head)
    ledger.close()


def test_a_second_process_is_told_so(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l.db")
    code = f"""
        from pathlib import Path
        from table.ledger import Ledger, LedgerBusy
        try:
            Ledger.open(Path({str(tmp_path / "l.db")!r}))
        except LedgerBusy as error:
            print(error)
    """
    told = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    assert "Another Paiju already writes the ledger" in told.stdout
    assert "--data" in told.stdout
    with pytest.raises(books.LedgerBusy):
        Ledger.open(tmp_path / "l.db")
    ledger.close()
    Ledger.open(tmp_path / "l.db").close()


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """The process may write files of 200 kB only, as if the disk were full: what was confirmed stays, in order."""
    path = tmp_path / "l.db"
    code = f"""
        import resource, sys
        from pathlib import Path
        from table.ledger import Ledger, LedgerFull
        sys.path.insert(0, ".")
        from tests.test_table_ledger import batch
        ledger = Ledger.open(Path({str(path)!r}))
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        for number in range(1000):
            try:
                ledger.append(batch(number, f"k{{number}}"))
            except LedgerFull as error:
                print(ledger.last_seq, str(error))
                break
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    last, sentence = done.stdout.split(" ", 1)
    assert int(last) > 5
    assert "full or cannot be written" in sentence
    audit = books.verify(path)
    assert audit.fault == ""
    assert audit.entries == int(last)
    ledger = Ledger.open(path)
    assert ledger.append(batch(int(last), "after"))[0].seq == int(last) + 1
    ledger.close()


@pytest.mark.parametrize(
    "content", [b"this is no database at all, only a text", b"SQLite format 3\x00" + b"\xff" * 5000]
)
def test_a_file_that_is_no_ledger(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "l.db"
    path.write_bytes(content)
    with pytest.raises(books.LedgerCorrupt, match="damaged or no ledger"):
        Ledger.open(path)
    with pytest.raises(books.LedgerCorrupt):
        books.read(path)
    assert path.read_bytes() == content


def test_a_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "l.db"
    raw = sqlite3.connect(path)
    raw.execute("CREATE TABLE cars (name TEXT)")
    raw.close()
    with pytest.raises(books.LedgerCorrupt, match="another program"):
        Ledger.open(path)


def test_no_ledger_there(tmp_path: Path) -> None:
    with pytest.raises(books.LedgerError, match="no ledger"):
        books.verify(tmp_path / "l.db")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o555)
    with pytest.raises(books.LedgerReadOnly, match="--data"):
        Ledger.open(folder / "l.db")


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(books.LedgerReadOnly, match="--data"):
        Ledger.open(tmp_path / "file" / "l.db")


def test_an_empty_file_is_no_ledger_and_no_new_table(tmp_path: Path) -> None:
    path = tmp_path / "l.db"
    path.touch()
    for opened in (Ledger.open, books.read, books.verify):
        with pytest.raises(books.LedgerCorrupt, match="is empty") as said:
            opened(path)
        assert "Restore the last backup, or remove the file" in str(said.value)
    assert path.stat().st_size == 0
    path.unlink()
    Ledger.open(path).close()
    assert books.verify(path).entries == 0


def test_a_ledger_half_made_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "l.db"
    (tmp_path / "l.db.new").write_bytes(b"SQLite format 3\x00 and then the power went")
    ledger = Ledger.open(path)
    ledger.append(batch(0, "a"))
    ledger.close()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["l.db", "l.db.lock"]


def test_what_was_asked_is_kept_beside_the_chain(tmp_path: Path) -> None:
    heads = []
    for asked in ("", "what was asked, in short"):
        ledger = Ledger.open(tmp_path / f"{len(asked)}.db")
        ledger.append(replace(batch(0, "a", 2), asked=asked))
        assert ledger.asked("a") == asked
        assert ledger.asked("b") == ""
        heads.append(ledger.head)
        ledger.close()
    assert heads[0] == heads[1]

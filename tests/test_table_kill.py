"""kill -9 at random moments: nothing confirmed is lost, nothing is doubled, the game goes on."""

from __future__ import annotations

import multiprocessing
import time
from collections import Counter
from pathlib import Path
from random import Random

from table import ledger as books
from table.core import TableCore
from table.fold import fold
from table.ledger import Ledger
from tests.table_child import play

LIVES = 20


def live_and_die(folder: Path, seconds: float) -> list[tuple[str, int]]:
    """One life of a process that plays: what had been confirmed when it was killed."""
    processes = multiprocessing.get_context("fork")
    ours, theirs = processes.Pipe(duplex=False)
    child = processes.Process(target=play, args=(folder, theirs), daemon=True)
    child.start()
    theirs.close()
    assert ours.recv() == "ready"
    time.sleep(seconds)
    child.kill()
    child.join()
    told: list[tuple[str, int]] = []
    while True:
        try:
            told.append(ours.recv())
        except (EOFError, OSError):
            return told


def test_kill_nine(tmp_path: Path) -> None:
    rng = Random(9)
    confirmed: dict[str, int] = {}
    for _ in range(LIVES):
        confirmed.update(live_and_die(tmp_path, rng.uniform(0.0, 0.3)))
        entries = books.read(tmp_path / "ledger.sqlite3")
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        # everything confirmed is there, at the number that was told
        last = {entry.idem: entry.seq for entry in entries}
        assert {key: last.get(key) for key in confirmed} == confirmed
        # nothing twice
        assert max(Counter((entry.idem, entry.part) for entry in entries).values()) == 1
        assert sum(fold(entries).totals) == 0
    assert len(confirmed) > 3 * LIVES
    assert books.verify(tmp_path / "ledger.sqlite3").fault == ""
    ledger = Ledger.open(tmp_path / "ledger.sqlite3")
    assert TableCore(ledger).state == fold(ledger.entries())
    ledger.close()

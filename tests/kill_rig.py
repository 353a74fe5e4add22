"""A table that plays until it is killed, again and again, also on a full disk and with a clock that is set.

`lives(folder, seed, count, trouble)` plays `count` lives in one folder and gives what was found: what had been
confirmed and was lost, what was there twice, and every sentence that people were told meanwhile.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any, Literal

from table import ledger as books
from table.core import TableCore
from table.decision import Accepted
from table.fold import fold
from table.ledger import Ledger
from table.replay import read_recording, replay
from table.runtime import LEDGER_NAME, Runtime
from tests.table_kit import NAMES, PAIRS, STRAIGHT, command

Trouble = Literal["", "full disk", "clock"]
HOUR_MS = 3_600_000
MOST_TOLD = 16
"""A process is killed after it has told fewer answers than this."""

TRIES = 4
"""So often a command is repeated on a full disk before there is space again."""


class JumpingClock:
    """Wall time that somebody sets by an hour now and then; monotonic time that goes on."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._set_ms = 0

    def wall_ms(self) -> int:
        """Milliseconds since 1970, as the clock on the wall says."""
        if self._rng.random() < 0.1:
            self._set_ms += self._rng.choice((-HOUR_MS, HOUR_MS))
        return time.time_ns() // 1_000_000 + self._set_ms

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()


class Disk:
    """A disk that is full when it is told to be: really, on a small file system, or by the largest size of a file."""

    def __init__(self, folder: Path, rng: Random, *, real: bool) -> None:
        self._folder, self._rng, self._real = folder, rng, real
        self._ballast = folder / "ballast"
        self._ballast.unlink(missing_ok=True)

    def fill(self) -> None:
        """Leave almost nothing."""
        if self._real:
            with self._ballast.open("wb", buffering=0) as file:
                try:
                    while file.write(bytes(4096)):
                        pass
                except OSError:
                    file.truncate(max(0, file.tell() - self._rng.randrange(0, 30_000)))
            return
        largest = max(file.stat().st_size for file in self._folder.glob(f"{LEDGER_NAME}*"))
        most = largest + self._rng.randrange(0, 10_000)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    def free(self) -> None:
        """There is space again."""
        self._ballast.unlink(missing_ok=True)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def hand(number: int) -> list[tuple[str, dict[str, Any]]]:
    """The commands of one hand: a win, a penalty, and a correction of the hand before."""
    winner = number % 4
    steps: list[tuple[str, dict[str, Any]]] = [
        ("start_hand", {}),
        ("penalise", {"seat": winner, "code": "false_win"}),
        ("claim_win", {"seat": winner, "source": "self_draw"}),
        ("hand_manual", dict(STRAIGHT if number % 2 else PAIRS)),
        ("call_referee", {"seat": winner, "reason": "張數"}),
        ("approve", {}),
    ]
    if number % 3 == 2:
        before = {"hand_no": number - 1, "winner": (number + 1) % 4, "reason": "wrong seat"}
        steps.insert(1, ("correct_hand", before))
    return steps


def play(folder: Path, told: Connection, seed: int, trouble: Trouble, real: bool) -> None:
    """Play for ever, from where the ledger stops; tells "ready", then each confirmation and refusal."""
    rng = Random(seed)
    clock = JumpingClock(rng) if trouble == "clock" else None
    disk = Disk(folder, rng, real=real)
    runtime = Runtime.open(folder, clock=clock, recording=folder / "evening.jsonl").start()
    told.send("ready")

    def say(kind: str, key: str, fields: dict[str, Any]) -> None:
        if trouble == "full disk" and rng.random() < 0.2:
            disk.fill()
        for tries in range(TRIES + 1):
            answer = runtime.submit(command(kind, idem=key, **fields))
            if isinstance(answer, Accepted):
                told.send((key, answer.seq))
                break
            told.send(("refused", answer.sentence.key, answer.sentence.text))
            if answer.sentence.key != "ledger_trouble":
                break
            if tries == TRIES - 1:
                disk.free()
        disk.free()

    while True:
        view = runtime.snapshot()
        if view.game is None or view.round is None or view.round.finished:
            say("open_game", f"open-{view.seq}", {"names": list(NAMES)})
            continue
        for step, (kind, fields) in enumerate(hand(view.round.hand_no)):
            say(kind, f"{view.game.id}-{view.round.hand_no}-{step}", fields)


@dataclass
class Found:
    """What many lives left behind."""

    lives: int = 0
    confirmed: dict[str, int] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    sentences: set[str] = field(default_factory=set)
    set_back: int = 0
    entries: int = 0
    replays: bool | None = None


def lives(folder: Path, seed: int, count: int, trouble: Trouble = "", *, real: bool = False) -> Found:
    """Play so many lives in this folder; what was found after each of them.

    Raises:
        AssertionError: the ledger has a gap or a broken chain, points do not add up, or the game cannot go on.
    """
    rng, found = Random(seed), Found()
    path = folder / LEDGER_NAME
    for life in range(count):
        _live_and_die(folder, rng, (1000 * seed + life, trouble, real), found)
        (folder / "ballast").unlink(missing_ok=True)
        entries = books.read(path)
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        last = {entry.idem: entry.seq for entry in entries}
        found.lost += [key for key, seq in found.confirmed.items() if last.get(key) != seq]
        twice = Counter((entry.idem, entry.part) for entry in entries)
        found.doubled += [key for (key, _), times in twice.items() if times > 1]
        assert sum(fold(entries).totals) == 0
        found.lives += 1
    found.entries = len(entries)
    times = [entry.at_ms for entry in entries]
    found.set_back = sum(then > now for then, now in pairwise(times))
    assert books.verify(path).fault == ""
    ledger = Ledger.open(path)
    assert TableCore(ledger).state == fold(ledger.entries())
    head = ledger.head
    ledger.close()
    if trouble != "full disk":
        # the next start removes what was written down and never carried out
        Runtime.open(folder, recording=folder / "evening.jsonl").start().stop()
        done = replay(read_recording(folder / "evening.jsonl"), folder / "again.sqlite3")
        found.replays = (done.entries, done.head) == (len(entries), head)
    return found


def _live_and_die(folder: Path, rng: Random, life: tuple[int, Trouble, bool], found: Found) -> None:
    """One life of a process that plays: killed some moments after it told something; all that it told."""
    processes = multiprocessing.get_context("fork")
    ours, theirs = processes.Pipe(duplex=False)
    child = processes.Process(target=play, args=(folder, theirs, *life), daemon=True)
    child.start()
    theirs.close()
    assert ours.recv() == "ready"
    for _ in range(rng.randrange(MOST_TOLD)):
        _note(found, ours.recv())
    time.sleep(rng.uniform(0.0, 0.02))
    assert child.pid is not None
    os.kill(child.pid, 9)
    child.join()
    while True:
        try:
            _note(found, ours.recv())
        except (EOFError, OSError):
            return


def _note(found: Found, told: tuple[Any, ...]) -> None:
    if told[0] == "refused":
        found.refused[told[1]] += 1
        found.sentences.add(told[2])
    else:
        found.confirmed[told[0]] = told[1]

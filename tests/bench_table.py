"""Speed of the table: `python -m tests.bench table`.

From a tap to the pages, over HTTP on this machine, beside the bare cost of what cannot be saved: a full commit.
"""

from __future__ import annotations

import http.client
import json
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import Any

from device.link import LinkConfig, TableLink
from device.simulator import SimConfig, SimTable
from table import ledger as books
from table.core import TableCore
from table.events import RefereeCalled
from table.ledger import Batch, Ledger
from table.model import Actor
from table.runtime import Runtime
from tests.table_kit import NAMES, PAIRS
from webui import Server, create_app

ACTOR = Actor(role="tablet", device="bench")
COMMITS = 300
HANDS = 40
LONG = 5_000
THROWS = 200
HEADERS = {"Content-Type": "application/json", "X-Paiju": "1"}


def timed(work: Callable[[], object]) -> float:
    """Milliseconds that something takes."""
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def row(name: str, times: list[float]) -> float:
    """Print one line of the table; the median."""
    cuts = quantiles(times, n=100)
    print(f"{name:<52} p50 {cuts[49]:7.2f} ms   p99 {cuts[98]:7.2f} ms")
    return cuts[49]


def batch(number: int) -> Batch:
    event = RefereeCalled(call_id=f"c{number}", seat=1, reason="張數" * 20)
    return Batch(after=number, at_ms=number, actor=ACTOR, idem=f"k{number}", events=(event,))


def bench_ledger(folder: Path) -> None:
    """One event, hash-chained and on the disk, against the same bytes in a bare SQLite table."""
    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    bare.executescript(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t (n INTEGER PRIMARY KEY, b TEXT);"
    )
    body = json.dumps(["x" * 600])
    ledger = Ledger.open(folder / "ledger.db")
    commits: list[float] = []
    appends: list[float] = []
    for number in range(COMMITS):  # in turn, so that a busy disk is busy for both
        commits.append(timed(lambda: bare.execute("INSERT INTO t (b) VALUES (?)", (body,))))
        appends.append(timed(partial(ledger.append, batch(number))))
    bare.close()
    plain, ours = (
        row("bare SQLite commit (WAL, FULL)", commits),
        row("ledger append (chained, checked, WAL, FULL)", appends),
    )
    print(f"{'ledger append / bare commit':<52} {ours / plain:11.2f} x")
    for number in range(COMMITS, LONG, 50):
        events = tuple(RefereeCalled(call_id=f"c{number + part}", seat=1, reason="r") for part in range(50))
        ledger.append(Batch(after=number, at_ms=1, actor=ACTOR, idem=f"many{number}", events=events))
    ledger.close()
    again = Ledger.open(folder / "ledger.db")
    print(f"{'resume: check and fold ' + str(LONG) + ' entries':<52} {timed(lambda: TableCore(again)):11.1f} ms")
    again.close()
    print(
        f"{'audit verify, ' + str(LONG) + ' entries':<52} {timed(lambda: books.verify(folder / 'ledger.db')):11.1f} ms"
    )


class Viewer(threading.Thread):
    """A page that watches the stream and notes when each ledger number arrived."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.seen: dict[int, float] = {}
        self.news = threading.Condition()
        self._port = port
        self.start()

    def run(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port)
        connection.request("GET", "/api/v1/stream")
        answer = connection.getresponse()
        for line in answer:
            if line.startswith(b"data: {"):
                seq = json.loads(line[5:])["seq"]
                with self.news:
                    self.seen.setdefault(seq, time.perf_counter())
                    self.news.notify_all()

    def arrival(self, seq: int) -> float:
        """When the page had this ledger number or a later one."""
        with self.news:
            self.news.wait_for(lambda: any(number >= seq for number in self.seen), timeout=10)
            return min(moment for number, moment in self.seen.items() if number >= seq)


class Tablet:
    """Sends commands over HTTP, as a page does."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._count = 0

    def tap(self, kind: str, **fields: Any) -> tuple[float, int]:
        """Send a command; when it was sent, and the ledger number it led to."""
        self._count += 1
        document = {"kind": kind, "idem": f"bench{self._count}", "actor": {"role": "tablet"}, **fields}
        sent = time.perf_counter()
        self._connection.request("POST", "/api/v1/command", json.dumps(document), HEADERS)
        answer = json.loads(self._connection.getresponse().read())
        if "seq" not in answer:
            raise SystemExit(f"the table refused {kind}: {answer}")
        return sent, answer["seq"]


def bench_pages(folder: Path, viewers: int) -> None:
    """From the approving tap to every page that shows the new score."""
    runtime = Runtime.open(folder).start()
    server = Server(create_app(runtime), "127.0.0.1", 0)
    threading.Thread(target=server.run, daemon=True).start()
    try:
        pages = [Viewer(server.port) for _ in range(viewers)]
        for page in pages:
            page.arrival(0)  # connected
        tablet, times = Tablet(server.port), list[float]()
        for hand in range(HANDS):
            if hand % 16 == 0:
                tablet.tap("open_game", names=list(NAMES), ruleset="gb")
            tablet.tap("claim_win", seat=hand % 4, source="self_draw")
            tablet.tap("hand_manual", **PAIRS)
            sent, seq = tablet.tap("approve")
            times += [1000 * (page.arrival(seq) - sent) for page in pages]
        row(f"approving tap -> score on {viewers} page{'s' * (viewers > 1)} (HTTP, SSE)", times)
    finally:
        server.close()
        runtime.stop()


class StampedPort:
    """The simulated table's end of the line; notes when the end of a throw leaves it."""

    def __init__(self, port: Any) -> None:
        self._port = port
        self.address = port.address
        self.ended: list[float] = []

    def send(self, data: bytes) -> None:
        """Send, and note the moment before."""
        self.ended += [time.perf_counter()] * data.count(b"ph=end")
        self._port.send(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._port, name)


def bench_dice(folder: Path) -> None:
    """From the dice on the wire (a pseudo-terminal) over ledger and snapshot to a page."""
    with SimTable(SimConfig(seed=1, pace=100.0)) as works:
        stamped = StampedPort(works.port)
        works.port = stamped  # type: ignore[assignment]
        runtime = Runtime.open(folder, link=lambda on: TableLink(LinkConfig(ports=[works.address]), on)).start()
        server = Server(create_app(runtime), "127.0.0.1", 0)
        threading.Thread(target=server.run, daemon=True).start()
        try:
            page, tablet, times = Viewer(server.port), Tablet(server.port), list[float]()
            while runtime.snapshot().devices.table.state != "live":
                time.sleep(0.05)
            for _ in range(THROWS // 2):
                tablet.tap("open_game", names=list(NAMES), ruleset="gb")
                for seat, values in ((0, (4, 3)), (2, (5, 2))):
                    before, thrown = runtime.snapshot().seq, len(stamped.ended)
                    works.throw_dice(seat, values)
                    arrived = page.arrival(before + 1)
                    times.append(1000 * (arrived - stamped.ended[thrown]))
                tablet.tap("draw_hand", void=True)
                tablet.tap("close_game")
            row("dice on the wire -> ledger -> page (pty, HTTP, SSE)", times)
        finally:
            server.close()
            runtime.stop()


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bench_ledger(folder)
        bench_pages(folder / "one", 1)
        bench_pages(folder / "twenty", 20)
        bench_dice(folder / "dice")


if __name__ == "__main__":
    main()

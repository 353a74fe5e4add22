"""From the tap on “approve” to the score on every page, beside a bare request to the same server.

`python -m tests.bench webui`: a real table (ledger on disk, every write synchronous), waitress, loopback; pages are
plain connections to the live stream, so what is measured is everything but the browser's own painting.
"""

from __future__ import annotations

import http.client
import json
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from table.runtime import Runtime
from tests import webui_rig as rig

ROUNDS = 15
AUDIENCES = (1, 8, 40)


@dataclass
class Viewer:
    """A page that watches: notes when it first saw each score."""

    address: str
    seen_at: dict[int, float] = field(default_factory=dict)

    def watch(self) -> None:
        """Read the stream until the server closes it."""
        link = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=30)
        link.request("GET", "/api/v1/stream")
        answer = link.getresponse()
        while line := answer.readline():
            if line.startswith(b"data: {"):
                total = json.loads(line[6:])["seats"][1:2]
                if total:
                    self.seen_at.setdefault(total[0]["total"], time.perf_counter())
        link.close()


def request(address: str, method: str, path: str, body: object = None) -> float:
    """One request over a new connection: the seconds it took."""
    started = time.perf_counter()
    link = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    headers = {"Content-Type": "application/json", "X-Paiju": "1"}
    link.request(method, path, json.dumps(body) if body else None, headers)
    status = link.getresponse().status
    link.close()
    assert status == 200, (path, status)
    return time.perf_counter() - started


def approve(runtime: Runtime, address: str) -> tuple[int, float]:
    """Play a hand and approve it over HTTP: the winner's new score and when the tap was made."""
    rig.claim(runtime)
    rig.do(runtime, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    tapped_at = time.perf_counter()
    request(address, "POST", "/api/v1/command", rig.document("approve"))
    return runtime.snapshot().seats[1].total, tapped_at


def measure(viewers: int) -> tuple[list[float], float]:
    """Latencies of all pages over all rounds, and the median of a bare request."""
    with tempfile.TemporaryDirectory() as folder, rig.open_table(Path(folder)) as runtime:
        rig.open_game(runtime)
        with rig.served(runtime, max_streams=viewers) as address:
            pages = [Viewer(address) for _ in range(viewers)]
            threads = [threading.Thread(target=page.watch, daemon=True) for page in pages]
            for thread in threads:
                thread.start()
            while not all(page.seen_at for page in pages):
                time.sleep(0.02)
            bare = median(request(address, "GET", "/health") for _ in range(30))
            rounds = []
            for _ in range(ROUNDS):
                rounds.append(approve(runtime, address))
                time.sleep(0.1)
            time.sleep(0.5)
            late = [page.seen_at[score] - tapped_at for score, tapped_at in rounds for page in pages]
        for thread in threads:
            thread.join(5)
    return sorted(late), bare


def main() -> None:
    """Print the table."""
    print("pages   median      99 %      worst     a bare request   median as its multiple")
    for viewers in AUDIENCES:
        late, bare = measure(viewers)
        middle, most, worst = median(late), late[int(len(late) * 0.99)], late[-1]
        shown = f"{viewers:5}  {middle * 1000:6.1f} ms  {most * 1000:6.1f} ms  {worst * 1000:6.1f} ms"
        print(f"{shown}      {bare * 1000:6.1f} ms          x {middle / bare:.1f}")


if __name__ == "__main__":
    main()

"""How fast pictures are read, beside ultralytics' own CPU prediction in the same run: `python -m tests.bench_vision`.

Paiju is timed from the decoded frame to groups of named tiles: as shipped, where it chooses its own sizes and may look
twice, and with its first look at one given size. It is compared with ultralytics' `predict` (a YOLO11n of two classes,
run by torch) on the same frame at that size, three times:

- *finding only, its own threads*: what a user of ultralytics gets; it takes one thread less than there are cores;
- *finding only, our threads*: half of our job, with as many threads as we have;
- *finding and naming*: the same job, with a face classifier like ours run by torch on as many crops, cut beforehand.

All are measured in turn, so that whatever else this computer does slows all alike; where it is busy, the seconds that
cores worked say more than those that passed. The peer's networks are untrained, which leaves it no boxes to suppress
and no tile to look at twice: both in its favour. It needs an environment with ultralytics: set PAIJU_TRAIN_PYTHON to
the python of one (the `train` extra).
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import cv2
import numpy as np

from models import HERE as MODELS
from models import Manifest, load_manifest
from vision.changes import Compared
from vision.pictures import load_picture
from vision.reader import TileReader
from vision.types import Image

HERE = Path(__file__).parent
ROUNDS = 5
THREADS = 2

PEER = """
import sys, time, logging
logging.disable(logging.CRITICAL)
import numpy as np, torch
from ultralytics import YOLO
from ultralytics.nn.tasks import DetectionModel
image, side, threads = np.load(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
model = YOLO("yolo11n.yaml")
model.model = DetectionModel("yolo11n.yaml", ch=3, nc=2, verbose=False)
crops = None
if len(sys.argv) > 4:
    from models.train.network import FaceNet
    net, crops = FaceNet().eval(), torch.from_numpy(np.load(sys.argv[4]))
def predict():
    model.predict(image, imgsz=side, device="cpu", verbose=False)
    if crops is not None:
        with torch.inference_mode():
            for some in crops.split(64):
                net(some)
predict()
if threads:
    torch.set_num_threads(threads)
for _ in range(3):
    predict()
print("ready", flush=True)
for line in sys.stdin:
    start, worked = time.perf_counter(), time.process_time()
    predict()
    print(time.perf_counter() - start, time.process_time() - worked, flush=True)
import resource
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, flush=True)
"""


@dataclass(frozen=True, slots=True)
class Bench:
    """What is measured, and how."""

    manifest: Manifest
    threads: int
    rounds: int

    def reader(self, input_px: int | None = None) -> TileReader:
        """The reader; with a first look at this size instead of the usual one."""
        where = self.manifest.detector
        detector = replace(where, input_px=input_px or where.input_px)
        return TileReader.from_manifest(replace(self.manifest, detector=detector), self.threads)

    @property
    def weights(self) -> str:
        """Which files are run."""
        return f"{self.manifest.detector.quick.name} and {self.manifest.classifier.quick.name}"


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """A picture to read, the input size at which both programs look at it, and the median wall time to reach."""

    name: str
    image: Image
    side_px: int
    goal_ms: int


class Cost(NamedTuple):
    """What one call costs: seconds passed, and seconds that all cores together worked for it."""

    wall_s: float
    cpu_s: float


class Peer:
    """ultralytics in a process of its own, asked for one prediction at a time."""

    def __init__(self, python: str, image: Path, side_px: int, threads: int, crops: Path | None = None) -> None:
        """Starts it; `threads` 0 leaves their number to ultralytics, `crops` are to be named as well."""
        command = [python, "-c", PEER, str(image), str(side_px), str(threads), *([str(crops)] if crops else [])]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self._line() != "ready":
            raise RuntimeError("ultralytics did not start")

    def predict(self) -> Cost:
        """What one prediction costs."""
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        wall_s, cpu_s = self._line().split()
        return Cost(float(wall_s), float(cpu_s))

    def close_mb(self) -> float:
        """Ends it; its peak memory in MB."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        return float(self._line())

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


def main() -> int:
    """Prints the table; exit code 0 also when the peer is missing, which is said."""
    parser = argparse.ArgumentParser(description="How fast pictures are read, beside ultralytics.")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--models", type=Path, default=MODELS, help="holds other weights and their manifest")
    parser.add_argument("--alone", action="store_true", help="only what one reader needs in this process")
    given = parser.parse_args()
    bench = Bench(load_manifest(given.models), given.threads, given.rounds)
    if given.alone:
        return alone(bench)
    python = os.environ.get("PAIJU_TRAIN_PYTHON", "")
    if not python:
        print("peer left out: set PAIJU_TRAIN_PYTHON to a python that has ultralytics (paiju's `train` extra)")
    load = os.getloadavg()[0]
    print(f"{bench.threads} threads, medians of {bench.rounds} rounds; from the decoded frame to groups of named tiles")
    print(f"other work on this computer at the start: load {load:.1f} on {os.cpu_count()} cores")
    with TemporaryDirectory() as folder:
        hand, table = pictures()
        peers = Peers(bench, python, Path(folder))
        compare(bench, Task("a hand, 1080p", hand, 640, 60), peers)
        compare(bench, Task("a whole table, 1080p", table, 1280, 250), peers)
    update(bench)
    return subprocess.run(
        [sys.executable, "-m", "tests.bench_vision", "--alone", *sys.argv[1:]], check=False
    ).returncode


def alone(bench: Bench) -> int:
    """What one reader needs in a process of its own, pictures included."""
    hand, table = pictures()
    started = time.perf_counter()
    reader = bench.reader()
    reader.read(hand)
    first_s = time.perf_counter() - started
    reader.read(table)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\none reader: weights to first result {first_s:.2f} s (goal 3 s), peak {peak_mb:.0f} MB (goal 500 MB)")
    return 0


def pictures() -> tuple[Image, Image]:
    """A hand and a whole table, both 1920 x 1080."""
    hand = cv2.resize(load_picture(HERE / "pictures" / "hand_row.jpg"), (1920, 1067), interpolation=cv2.INTER_CUBIC)
    hand = cv2.copyMakeBorder(hand, 0, 13, 0, 0, cv2.BORDER_REPLICATE)
    table = load_picture(HERE.parent / "table" / "demo" / "hand2_win.jpg")
    table = cv2.resize(table, (1440, 1080), interpolation=cv2.INTER_AREA)
    table = cv2.copyMakeBorder(table, 0, 0, 240, 240, cv2.BORDER_CONSTANT, value=(30, 30, 30))
    return hand.astype(np.uint8, copy=False), table.astype(np.uint8, copy=False)


def compare(bench: Bench, task: Task, peers: Peers) -> None:
    """One picture: the reader as shipped, and both programs at one and the same input size."""
    reader, fixed = bench.reader(), bench.reader(task.side_px)
    tiles = len(reader.read(task.image).tiles)
    print(f"\n{task.name}: {tiles} tiles read with {bench.weights}")
    others = peers(task.image, task.side_px, tiles)
    shipped, alike = "paiju as shipped", f"paiju, first look at {task.side_px}"
    ours: dict[str, Callable[[], Cost]] = {
        shipped: lambda: cost(lambda: reader.read(task.image)),
        alike: lambda: cost(lambda: fixed.read(task.image)),
    }
    costs = measured(bench, {**ours, **{label: peer.predict for label, peer in others.items()}})
    median_ms = 1000 * statistics.median(one.wall_s for one in costs[shipped])
    verdict = "reached" if median_ms <= task.goal_ms else "missed"
    print(f"  {shipped}: median {median_ms:.0f} ms, goal {task.goal_ms} ms: {verdict}")
    for label in others:
        for mine in (alike, shipped):
            ratios = [ratio(one, other) for one, other in zip(costs[label], costs[mine], strict=True)]
            faster, less = (statistics.median(column) for column in zip(*ratios, strict=True))
            goal = f" (goal 2 x: {'reached' if faster >= 2 else 'missed'})" if mine == alike else ""
            print(f"  {mine} : {label}: {faster:.1f} x faster, {less:.1f} x less work{goal}")
    for label, peer in others.items():
        print(f"  peak memory of {label}: {peer.close_mb():.0f} MB")


def measured(bench: Bench, runs: dict[str, Callable[[], Cost]]) -> dict[str, list[Cost]]:
    """All of them in turn, as often as wanted; prints the medians."""
    costs: dict[str, list[Cost]] = {label: [] for label in runs}
    for _ in range(bench.rounds):
        for label, run in runs.items():
            costs[label].append(run())
    for label, spent in costs.items():
        wall_ms, cpu_ms = (1000 * statistics.median(column) for column in zip(*spent, strict=True))
        print(f"  {label:<56} {wall_ms:6.0f} ms (best {1000 * min(spent).wall_s:.0f}), {cpu_ms:.0f} ms of all cores")
    return costs


class Peers:
    """Starts ultralytics in three processes, see above; none where there is no python for it."""

    def __init__(self, bench: Bench, python: str, folder: Path) -> None:
        self._bench, self._python, self._folder = bench, python, folder

    def __call__(self, image: Image, side_px: int, tiles: int) -> dict[str, Peer]:
        """By what they are called."""
        if not self._python:
            return {}
        frame, crops = self._folder / "frame.npy", self._folder / "crops.npy"
        size = self._bench.manifest.classifier.size_px
        np.save(frame, image)
        np.save(crops, np.random.default_rng(1).random((tiles, 3, size, size), np.float32))
        threads, python = self._bench.threads, self._python
        return {
            f"ultralytics at {side_px}, finding only, its own threads": Peer(python, frame, side_px, 0),
            f"ultralytics at {side_px}, finding only, our threads": Peer(python, frame, side_px, threads),
            f"ultralytics at {side_px}, finding and naming, our threads": Peer(python, frame, side_px, threads, crops),
        }


def ratio(theirs: Cost, ours: Cost) -> Cost:
    """How many times as much theirs costs."""
    return Cost(theirs.wall_s / ours.wall_s, theirs.cpu_s / ours.cpu_s)


def update(bench: Bench) -> None:
    """One tile of a whole table was exchanged: comparing the pictures, reading what changed, grouping anew."""
    table = load_picture(HERE.parent / "table" / "demo" / "hand2_win.jpg")
    reader = bench.reader()
    before = reader.read(table)
    box = next(tile.box_px for tile in before.tiles if tile.tile != "x")
    left, top, right, bottom = (round(edge) for edge in box)
    later = table.copy()
    later[top:bottom, left:right] = later[top:bottom, left:right][::-1, ::-1] // 2
    sides = [min(tile.box_px[2] - tile.box_px[0], tile.box_px[3] - tile.box_px[1]) for tile in before.tiles]
    compared = Compared(table, float(np.quantile(sides, 0.1)))

    def partly() -> object:
        return reader.read_changed(later, compared.changes(later).places, before)

    size = f"{table.shape[1]} x {table.shape[0]}"
    print(f"\nincremental update of a table of {len(before.tiles)} tiles, {size} (goal 80 ms):")
    measured(bench, {"what changed": lambda: cost(partly), "all of it": lambda: cost(lambda: reader.read(later))})


def cost(run: Callable[[], object]) -> Cost:
    """What one call in this process costs."""
    start, worked = time.perf_counter(), time.process_time()
    run()
    return Cost(time.perf_counter() - start, time.process_time() - worked)


if __name__ == "__main__":
    sys.exit(main())

"""How fast pictures are read, beside ultralytics' own CPU prediction in the same run: `python -m tests.bench_vision`.

The peer does less: it only finds tiles. It is given the same picture at the same input size and two threads, and both
are measured in turn, so that whatever else this computer does slows both alike. Its network is untrained, which leaves
it no boxes to suppress and is in its favour. It needs an environment with ultralytics: set PAIJU_TRAIN_PYTHON to the
python of one (the `train` extra).
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import cv2
import numpy as np

from models import load_manifest
from vision.pictures import load_picture
from vision.reader import TileReader
from vision.types import Image

HERE = Path(__file__).parent
ROUNDS = 15
THREADS = 2

PEER = """
import sys, time, logging
logging.disable(logging.CRITICAL)
import numpy as np, torch
from ultralytics import YOLO
image = np.load(sys.argv[1])
side, threads, yaml = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
model = YOLO(yaml)
model.predict(image, imgsz=side, device="cpu", verbose=False)
torch.set_num_threads(threads)
for _ in range(3):
    model.predict(image, imgsz=side, device="cpu", verbose=False)
print("ready", flush=True)
for line in sys.stdin:
    start, worked = time.perf_counter(), time.process_time()
    model.predict(image, imgsz=side, device="cpu", verbose=False)
    print(time.perf_counter() - start, time.process_time() - worked, flush=True)
import resource
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, flush=True)
"""


class Cost(NamedTuple):
    """What one call costs: seconds passed, and seconds that all cores together worked for it."""

    wall_s: float
    cpu_s: float


class Peer:
    """ultralytics in a process of its own, asked for one prediction at a time."""

    def __init__(self, python: str, image_file: Path, side_px: int) -> None:
        command = [python, "-c", PEER, str(image_file), str(side_px), str(THREADS), "yolo11n.yaml"]
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
    if sys.argv[1:] == ["--alone"]:
        return alone()
    python = os.environ.get("PAIJU_TRAIN_PYTHON", "")
    if not python:
        print("peer left out: set PAIJU_TRAIN_PYTHON to a python that has ultralytics (paiju's `train` extra)")
    print(f"{THREADS} threads, medians of {ROUNDS} rounds; picture decoded before, up to groups of named tiles")
    with TemporaryDirectory() as folder:
        hand, table = pictures()
        compare("a hand, 1080p", hand, 640, python, Path(folder))
        compare("a whole table, 1080p", table, 1280, python, Path(folder))
    return subprocess.run([sys.executable, "-m", "tests.bench_vision", "--alone"], check=False).returncode


def alone() -> int:
    """What one reader needs in a process of its own, pictures included."""
    hand, table = pictures()
    started = time.perf_counter()
    reader = TileReader.from_models(THREADS)
    reader.read(hand)
    first_s = time.perf_counter() - started
    reader.read(table)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"one reader: weights to first result {first_s:.2f} s (goal 3 s), peak {peak_mb:.0f} MB (goal 500 MB)")
    return 0


def pictures() -> tuple[Image, Image]:
    """A hand and a whole table, both 1920 x 1080."""
    hand = cv2.resize(load_picture(HERE / "pictures" / "hand_row.jpg"), (1920, 1067), interpolation=cv2.INTER_CUBIC)
    hand = cv2.copyMakeBorder(hand, 0, 13, 0, 0, cv2.BORDER_REPLICATE)
    table = load_picture(HERE.parent / "table" / "demo" / "hand2_win.jpg")
    table = cv2.resize(table, (1440, 1080), interpolation=cv2.INTER_AREA)
    table = cv2.copyMakeBorder(table, 0, 0, 240, 240, cv2.BORDER_CONSTANT, value=(30, 30, 30))
    return hand.astype(np.uint8, copy=False), table.astype(np.uint8, copy=False)


def compare(name: str, image: Image, side_px: int, python: str, folder: Path) -> None:
    """One picture: the reader as shipped, and both programs at one and the same input size."""
    reader, fixed = TileReader.from_models(THREADS), reader_at(side_px)
    tiles = len(reader.read(image).tiles)
    theirs = f"ultralytics at {side_px}, finding only"
    runs: dict[str, Callable[[], Cost]] = {
        "paiju as shipped": lambda: cost(lambda: reader.read(image)),
        f"paiju, one look at {side_px}": lambda: cost(lambda: fixed.read(image)),
    }
    peer = None
    if python:
        np.save(folder / "image.npy", image)
        peer = Peer(python, folder / "image.npy", side_px)
        runs[theirs] = peer.predict
    costs: dict[str, list[Cost]] = {label: [] for label in runs}
    for _ in range(ROUNDS):
        for label, run in runs.items():
            costs[label].append(run())
    print(f"\n{name}: {tiles} tiles read")
    for label, spent in costs.items():
        wall_ms, cpu_ms = median_ms(spent)
        best_ms = 1000 * min(one.wall_s for one in spent)
        ratio = ""
        if peer and label != theirs:
            their_wall_ms, their_cpu_ms = median_ms(costs[theirs])
            ratio = f"  {their_wall_ms / wall_ms:.1f} x faster, {their_cpu_ms / cpu_ms:.1f} x less work (goal 2 x)"
        print(f"  {label:<36} {wall_ms:6.0f} ms (best {best_ms:.0f}), {cpu_ms:.0f} ms of all cores{ratio}")
    if peer:
        print(f"  peak memory of ultralytics: {peer.close_mb():.0f} MB")


def median_ms(costs: list[Cost]) -> tuple[float, float]:
    """Medians in milliseconds."""
    return tuple(1000 * statistics.median(column) for column in zip(*costs, strict=True))  # type: ignore[return-value]


def reader_at(side_px: int) -> TileReader:
    """The reader with a first look at this size, at which the tiles of both pictures need no second one."""
    manifest = load_manifest()
    return TileReader.from_manifest(replace(manifest, detector=replace(manifest.detector, input_px=side_px)), THREADS)


def cost(run: Callable[[], object]) -> Cost:
    """What one call in this process costs."""
    start, worked = time.perf_counter(), time.process_time()
    run()
    return Cost(time.perf_counter() - start, time.process_time() - worked)


if __name__ == "__main__":
    sys.exit(main())

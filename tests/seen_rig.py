"""A table under a camera for the tests of following: tiles are put down by seat and drawn into its picture."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from table.runtime import Runtime
from table.snapshot import LastDiscard, SeenMeld, SeenTable, Snapshot
from table.strips import felt_of
from vision.frames import Frame, SourceStatus
from vision.grouping import arrange
from vision.pictures import load_picture
from vision.types import Image, PictureReading, TileReading

DEMO = Path(__file__).parent.parent / "table" / "demo" / "hand1_play.jpg"
WIDE_MM, DEEP_MM = 25.0, 34.0
REACH_S = 0.3
POND_MM, POND_ROW, STRIP_MM, MELDS_MM = 92.0, 6, 345.0, 392.0


def _place(seat: int, aside: float, ahead: float) -> tuple[float, float]:
    """Millimetres of a place as its player sees it."""
    return ((aside, ahead), (ahead, -aside), (-aside, -ahead), (-ahead, aside))[seat]


class ScriptedTable:
    """A camera and eyes in one: what was put on the table is seen, drawn and read, each tile where it lies.

    Its clock goes `speed` times as fast as ours, so that a test need not wait for times of grace.
    """

    def __init__(self, speed: float = 1.0) -> None:
        self._speed = speed
        whole = cv2.resize(load_picture(DEMO), (800, 600), interpolation=cv2.INTER_AREA).astype(np.uint8)
        felt = felt_of(whole, None)
        assert felt is not None
        self.felt = felt
        self._ground = whole
        self._lock = threading.Lock()
        self._number = 0
        self.ponds: list[list[str]] = [[] for _ in range(4)]
        self.melds: list[list[list[str]]] = [[] for _ in range(4)]
        self.hands: list[list[str]] = [[] for _ in range(4)]
        self.doubts: dict[str, tuple[str, float]] = {}
        self._draw()

    # --- what players do ---

    def discard(self, *moves: tuple[int, str]) -> None:
        """Tiles are put into the ponds; a tile `4p?5p` is read as 4p or 5p, not surely."""
        with self._lock:
            for seat, tile in moves:
                self.ponds[seat].append(tile)
            self._draw()

    def claim(self, seat: int, from_seat: int, tiles: list[str]) -> None:
        """The last discard is taken for a meld."""
        with self._lock:
            self.ponds[from_seat].pop()
            self.melds[seat].append(tiles)
            self._draw()

    def lay(self, seat: int, tiles: list[str]) -> None:
        """A hand is laid open."""
        with self._lock:
            self.hands[seat] = tiles
            self._draw()

    def clear(self) -> None:
        """All tiles are taken off the table."""
        with self._lock:
            for lying in (*self.ponds, *self.melds, *self.hands):
                lying.clear()
            self._draw()

    # --- the camera and the eyes ---

    def latest(self) -> Frame | None:
        with self._lock:
            self._number += 1
            image = self._image
            if time.monotonic() < self._reaching_until:  # an arm over the table
                image = image.copy()
                image[200:350, 300:500] = 255
            return Frame(image, self._speed * time.monotonic(), self._number)

    def status(self) -> SourceStatus:
        return SourceStatus("live", "", 800, 600, 0.0)

    def close(self) -> None:
        """Nothing to let go of."""

    def read(self, image: Image) -> PictureReading:
        with self._lock:
            read = [self._reading(tile, box) for tile, box in self._lying()]
        if image.shape[1] != 800:  # a strip that was cut out: the hand alone
            return PictureReading(image.shape[1], image.shape[0], (), ())
        return arrange(800, 600, read)

    def _reading(self, tile: str, box: tuple[float, float, float, float]) -> TileReading:
        first, _, other = tile.partition("?")
        if other:
            return TileReading(first, 0.6, "check", ((other, 0.38),), box)
        return TileReading(first, 0.995, "sure", (), box)

    def _lying(self) -> Iterator[tuple[str, tuple[float, float, float, float]]]:
        for seat in range(4):
            for number, tile in enumerate(self.ponds[seat]):
                row, column = divmod(number, POND_ROW)
                yield tile, self._box(seat, (column - 2.5) * (WIDE_MM + 1), POND_MM + row * (DEEP_MM + 2))
            aside = MELDS_MM
            for meld in self.melds[seat]:
                for tile in reversed(meld):
                    yield tile, self._box(seat, aside - WIDE_MM / 2, STRIP_MM + 42)
                    aside -= WIDE_MM + 0.5
                aside -= 20
            for number, tile in enumerate(self.hands[seat]):
                yield tile, self._box(seat, -200 + number * (WIDE_MM + 0.5), STRIP_MM)

    def _box(self, seat: int, aside: float, ahead: float) -> tuple[float, float, float, float]:
        corners = [_place(seat, aside + x * WIDE_MM / 2, ahead + y * DEEP_MM / 2) for x in (-1, 1) for y in (-1, 1)]
        points = self.felt.to_px(np.array(corners))
        (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
        return float(left), float(top), float(right), float(bottom)

    def _draw(self) -> None:
        image = np.full_like(self._ground, (60, 90, 30))
        mask = np.zeros(image.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, self.felt.corners_px.astype(np.int32), 255)
        image = np.where(mask[..., None] > 0, image, self._ground).astype(np.uint8)
        for tile, box in self._lying():
            left, top, right, bottom = map(int, box)
            cv2.rectangle(image, (left, top), (right, bottom), (225, 240, 245), -1)
            cv2.rectangle(image, (left, top), (right, bottom), (90, 120, 60), 1)
            cv2.putText(
                image, tile[:2], (left + 2, (top + bottom) // 2 + 4), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (30, 30, 140), 1
            )
        self._image, self._reaching_until = image, time.monotonic() + REACH_S


@contextmanager
def followed(folder: Path, table: ScriptedTable, recording: Path | None = None) -> Iterator[Runtime]:
    """A running table that follows what lies before its camera."""
    runtime = Runtime.open(
        folder, camera=table, reader=lambda: table, follow=True, felt=table.felt, recording=recording
    ).start()
    try:
        yield runtime
    finally:
        runtime.stop()


def wait(runtime: Runtime, good: Callable[[Snapshot], object], limit_s: float = 20.0) -> Snapshot:
    """The first snapshot that is good; fails after the limit."""
    limit = time.monotonic() + limit_s
    while time.monotonic() < limit:
        now = runtime.snapshot()
        if good(now):
            return now
        time.sleep(0.05)
    raise AssertionError(f"it did not come within {limit_s} s: {runtime.snapshot().table}")


def crowded() -> SeenTable:
    """A table as full as it gets: four melds and a flower before everybody, four rows of discards."""
    pond = tuple(f"{number % 9 + 1}{'mps'[number % 3]}" for number in range(20))
    melds = tuple(SeenMeld(kind="kong_open", tiles=(f"{number}z",) * 4, from_seat=0) for number in range(1, 4))
    return SeenTable(
        ponds=(pond,) * 4,
        melds=((*melds, SeenMeld(kind="peng", tiles=("5m", "5m", "5m/5p"), from_seat=1)),) * 4,
        flowers=(("1f",), ("2f",), ("3f",), ("4f", "5f")),
        turn=1,
        last=LastDiscard(seat=0, tile="3s"),
        question=None,
    )

"""A whole table without hardware for the page tests: the real runtime, eyes that see what a test tells them.

Run as a program (`python -m tests.webui_rig FOLDER PORT`) it serves the table kept in FOLDER; a test can kill it.
"""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from table.commands import parse_command
from table.decision import Accepted
from table.runtime import Runtime
from vision.frames import Frame, FrameSource, SourceStatus
from vision.types import Group, Image, PictureReading, TileReading
from webui import Server, create_app

NAMES = ("陈东", "赵南", "王芳", "李北")
STRAIGHT = ("1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "2m", "3m", "4z", "4z", "4m")
"""清龙 16 + 混一色 6 + 门前清 2: the product's own example, won on the last tile."""
TILE, GAP, TOP = (60, 80), 70, 200

_keys = itertools.count()


class ScriptedEyes:
    """Sees a row of tiles and one tile apart; `doubts` maps a place to the wrong tile seen there instead."""

    def __init__(self, tiles: Sequence[str] = STRAIGHT, doubts: Mapping[int, str] | None = None) -> None:
        self._tiles = tiles
        self._doubts = doubts or {}

    def read(self, image: Image) -> PictureReading:
        height, width = image.shape[:2]
        last = len(self._tiles) - 1
        seen = tuple(self._one(place, tile) for place, tile in enumerate(self._tiles))
        return PictureReading(width, height, seen, (Group("hand", tuple(range(last))), Group("row", (last,))))

    def _one(self, place: int, tile: str) -> TileReading:
        left, top, right, bottom = where(place, len(self._tiles))
        box = (float(left), float(top), float(right), float(bottom))
        if place in self._doubts:
            return TileReading(self._doubts[place], 0.55, "check", ((tile, 0.4), ("9s", 0.03)), box)
        return TileReading(tile, 0.99, "sure", (), box)


class LostCamera:
    """A camera whose cable was pulled twelve seconds ago."""

    def latest(self) -> Frame | None:
        return None

    def status(self) -> SourceStatus:
        return SourceStatus("lost", "The camera is gone. Plug it in again.", 0, 0, 12.0)

    def close(self) -> None:
        """Nothing to let go of."""


def where(place: int, count: int) -> tuple[int, int, int, int]:
    """The box of a tile in `picture`; the last one lies apart."""
    left = 60 + place * GAP + (80 if place == count - 1 else 0)
    return left, TOP, left + TILE[0], TOP + TILE[1]


def picture(tiles: Sequence[str] = STRAIGHT) -> bytes:
    """A JPEG of ivory rectangles on felt with the tiles' names written on them."""
    image = np.full((480, 60 + len(tiles) * GAP + 160, 3), (70, 100, 40), np.uint8)
    for place, tile in enumerate(tiles):
        left, top, right, bottom = where(place, len(tiles))
        cv2.rectangle(image, (left, top), (right, bottom), (225, 240, 245), -1)
        cv2.putText(image, tile, (left + 8, bottom - 28), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (30, 30, 140), 2)
    return bytes(cv2.imencode(".jpg", image)[1])


@contextmanager
def open_table(folder: Path, eyes: ScriptedEyes | None = None, camera: FrameSource | None = None) -> Iterator[Runtime]:
    """A running table in an empty folder."""
    runtime = Runtime.open(folder, reader=(lambda: eyes) if eyes else None, camera=camera).start()
    try:
        yield runtime
    finally:
        runtime.stop()


@contextmanager
def served(runtime: Runtime, **options: Any) -> Iterator[str]:
    """The pages of a table on a free port of this machine: the address."""
    server = Server(create_app(runtime, **options), "127.0.0.1", 0, command_threads=4)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        runtime.stop()  # ends the streams, so that no thread is left behind
        server.close()
        thread.join(5)


def document(kind: str, role: str = "referee", **fields: Any) -> dict[str, Any]:
    """A command as JSON with a fresh key."""
    return {"kind": kind, "idem": f"rig-{next(_keys)}", "actor": {"role": role, "name": "rig", "device": ""}, **fields}


def do(runtime: Runtime, kind: str, role: str = "referee", **fields: Any) -> Accepted:
    """Carry out a command that must succeed."""
    answer = runtime.submit(parse_command(document(kind, role, **fields)))
    assert isinstance(answer, Accepted), answer
    return answer


def open_game(runtime: Runtime, **fields: Any) -> None:
    """Four players sit down."""
    do(runtime, "open_game", names=list(NAMES), **fields)


def claim(runtime: Runtime, seat: int = 1, from_seat: int = 2) -> None:
    """Somebody says 和 on a discard."""
    do(runtime, "claim_win", seat=seat, source="discard", from_seat=from_seat)


def win(runtime: Runtime, seat: int = 1, from_seat: int = 2) -> None:
    """A whole hand worth 24 is claimed, typed and approved."""
    claim(runtime, seat, from_seat)
    do(runtime, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    do(runtime, "approve")


if __name__ == "__main__":
    with open_table(Path(sys.argv[1])) as table:
        Server(create_app(table), "127.0.0.1", int(sys.argv[2]), command_threads=4).run()

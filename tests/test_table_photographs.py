"""Real photographs become points: uploaded, read by the real eyes, mended by taps where needed, judged, settled."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from table.decision import Accepted
from table.model import Actor
from table.runtime import Runtime
from table.snapshot import ClaimView, Snapshot
from tests.table_kit import NAMES, command
from vision.reader import TileReader

HANDS = (
    # 三暗刻 16 混一色 6 不求人 4 箭刻 2 two 幺九刻 and 单钓将 for the pair of 發
    ("test_hand_004", 31),
    # 三暗刻 16 不求人 4 单钓将 1
    ("test_hand_018", 21),
    # 四暗刻 64 三色三节高 8 箭刻 2 单钓将 1 自摸 1
    ("valid_hand_002", 76),
    # 清一色 24 不求人 4 连六 1 幺九刻 1
    ("valid_hand_012", 30),
    # 十三幺 88 自摸 1
    ("valid_hand_015", 89),
)
"""Photographs of one row of 14 tiles, and the value when the dealer drew the rightmost tile."""

MOST_TAPS = 2
"""Misread tiles that a person may have to mend in one photograph."""


def labels(shared: Path, start: str) -> tuple[bytes, list[str]]:
    """The photograph and what its labels say, from left to right."""
    folder = shared / "photos" / "val"
    (picture,) = (folder / "images").glob(f"{start}_*")
    names = (shared / "photos" / "classes.txt").read_text().split()
    rows = [line.split() for line in (folder / "labels" / f"{picture.stem}.txt").read_text().splitlines()]
    rows.sort(key=lambda row: float(row[1]))
    return picture.read_bytes(), [names[int(row[0])] for row in rows]


def judged(runtime: Runtime) -> Snapshot:
    watcher, end = runtime.subscribe(), time.monotonic() + 20
    while time.monotonic() < end:
        seen = watcher.get(0.5)
        if seen is not None and seen.claim is not None and seen.claim.how == "photo":
            return seen
    raise AssertionError(f"the photograph was not read: {runtime.snapshot().problems}")


def mend(runtime: Runtime, claim: ClaimView, laid: list[str]) -> int:
    """Tap every tile that was misread; how many taps it took."""
    row = sorted(claim.tiles, key=lambda tile: tile.box[0])
    assert len(row) == len(laid)
    taps = 0
    for tile, name in zip(row, laid, strict=True):
        if tile.tile != name:
            taps += 1
            assert isinstance(runtime.submit(command("fix_tile", index=tile.index, tile=name)), Accepted)
    return taps


@pytest.fixture(scope="module")
def eyes() -> TileReader:
    return TileReader.from_models(threads=1)


@pytest.mark.parametrize(("start", "total"), HANDS, ids=[start for start, _ in HANDS])
def test_a_photograph_becomes_points(shared: Path, tmp_path: Path, eyes: TileReader, start: str, total: int) -> None:
    picture, laid = labels(shared, start)
    runtime = Runtime.open(tmp_path, reader=lambda: eyes).start()
    try:
        runtime.submit(command("open_game", names=list(NAMES)))
        runtime.submit(command("claim_win", seat=0, source="self_draw"))
        runtime.submit_photo(picture, Actor(role="player"), "photo")
        claim = judged(runtime).claim
        assert claim is not None
        assert mend(runtime, claim, laid) <= MOST_TAPS
        # nobody laid the winning tile apart: it is asked if it matters, and then it was the rightmost
        rightmost = max(claim.tiles, key=lambda tile: tile.box[0])
        runtime.submit(command("set_win_tile", index=rightmost.index))
        after = runtime.snapshot().claim
        assert after is not None
        assert after.win_tile == laid[-1]
        assert after.verdict is not None
        assert after.verdict.total == total
        assert isinstance(runtime.submit(command("approve")), Accepted)
        each = 8 + total
        assert [seat.total for seat in runtime.snapshot().seats] == [3 * each, -each, -each, -each]
        assert runtime.snapshot().history[0].picture is not None
    finally:
        runtime.stop()

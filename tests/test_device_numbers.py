"""The promised numbers of the table's line, at a tenth of the bench (``tests/bench_device.py``) or less."""

from __future__ import annotations

from functools import partial

import pytest

from tests import bench_device as bench

MEASURES = {
    "two hundred frames between kilobytes of garbage are found": partial(bench.between_garbage, 200),
    "a hundred thousand corruptions make no wrong frame": partial(bench.corrupted, 100_000),
    "30 % loss each way loses nothing": partial(bench.lossy, 500),
    "a hundred thousand frames leave memory flat": partial(bench.many_frames, 100_000),
    "two hours with a wrapping clock and restarts": partial(bench.long_evening, 2),
    "idle": partial(bench.idle_share, 2.0),
    "garbage": partial(bench.garbage_share, 2.0),
    "from the table to the listener": partial(bench.latency, 200),
    "speed": partial(bench.speed, 5_000),
}


@pytest.mark.parametrize("name", MEASURES)
def test_number(name):
    row = MEASURES[name]()
    assert row.good, str(row)

"""How fast the eyes are, as the liveness panel and /health show it."""

from __future__ import annotations

import numpy as np
import pytest

from table.health import devices
from table.timed_eyes import ReadingPace, Stopwatch, timed
from vision.frames import Frame, SourceStatus
from vision.memory import PartReader
from vision.types import Image, PictureReading

PICTURE = np.zeros((64, 64, 3), np.uint8)
NOTHING = PictureReading(64, 64, (), ())


class SlowEyes:
    """Takes a quarter of a second for a picture, on the clock of the test."""

    def __init__(self) -> None:
        self.now_s = 50.0

    def clock(self) -> float:
        return self.now_s

    def read(self, image_bgr: Image) -> PictureReading:
        assert image_bgr is PICTURE
        self.now_s += 0.25
        return NOTHING


class PartEyes(SlowEyes):
    def read_changed(self, image_bgr: Image, places: object, before: PictureReading) -> PictureReading:
        assert (image_bgr is PICTURE, places, before) == (True, (), NOTHING)
        self.now_s += 0.05
        return NOTHING


class Camera:
    """A camera that is as it was told."""

    def __init__(self, status: SourceStatus) -> None:
        self._status = status

    def latest(self) -> Frame | None:
        return None

    def status(self) -> SourceStatus:
        return self._status

    def close(self) -> None:
        """Nothing to let go of."""


def test_readings_are_timed_and_counted_over_ten_seconds() -> None:
    eyes = PartEyes()
    watch = Stopwatch(eyes.clock)
    assert watch.pace() == ReadingPace(None, 0.0)
    reader = timed(eyes, watch)
    assert reader.read(PICTURE) is NOTHING
    assert watch.pace() == ReadingPace(pytest.approx(0.25), 0.1)
    assert isinstance(reader, PartReader)
    assert reader.read_changed(PICTURE, (), NOTHING) is NOTHING
    assert watch.pace() == ReadingPace(pytest.approx(0.05), 0.2)
    eyes.now_s += 11
    assert watch.pace() == ReadingPace(pytest.approx(0.05), 0.0)


def test_eyes_that_read_whole_pictures_only_are_not_asked_for_parts() -> None:
    eyes = SlowEyes()
    assert not isinstance(timed(eyes, Stopwatch(eyes.clock)), PartReader)


def test_the_panel_shows_rounded_figures_so_that_a_healthy_camera_changes_nothing() -> None:
    def view(fps: float, late_s: float, last_s: float) -> tuple[object, ...]:
        seen = SourceStatus("live", "", 64, 64, 0.1, fps=fps, late_s=late_s)
        camera = devices(Camera(seen), None, ReadingPace(last_s, 1.9)).camera
        return camera.state, camera.age_s, camera.fps, camera.late_ms, camera.reading_ms, camera.readings_per_s

    assert view(29.4, 0.1, 0.083) == view(31.2, 0.2, 0.078) == ("live", 0.0, 30, 0, 80, 2.0)
    assert view(4.6, 1.6, 1.234) == ("live", 0.0, 5, 1500, 1230, 2.0)


def test_without_a_camera_nothing_is_claimed() -> None:
    camera = devices(None, None, ReadingPace()).camera
    assert (camera.state, camera.fps, camera.late_ms, camera.reading_ms) == ("absent", None, None, None)

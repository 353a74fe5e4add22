"""Cameras that vanish, hang, change size and come back; videos; folders that play the camera; the stillness gate."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import capture
from vision.capture import CaptureCamera, split_size
from vision.frames import SourceError, SourceStatus
from vision.motion import MotionGate
from vision.pulse import Pulse
from vision.sources import FolderCamera, VideoCamera, open_source


class HandClock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class FakeCapture:
    """A camera whose ways a test changes while it runs."""

    def __init__(self) -> None:
        self.shape = (90, 160)
        self.working, self.noisy, self.broken, self.strange = True, True, False, False
        self.stuck = threading.Event()
        self.stuck.set()
        self.released = 0
        self.light = 0
        self.clock: Callable[[], float] = lambda: 0.0
        self._taken = 0

    def grab(self) -> bool:
        time.sleep(0.001)
        self.stuck.wait(5)
        self._taken += 1
        if self.strange:
            raise OSError("strange")
        return self.working

    def retrieve(self) -> tuple[bool, np.ndarray]:
        if self.broken:
            cv2.cvtColor(np.zeros((2, 2), np.uint8), cv2.COLOR_BGR2GRAY)  # how OpenCV fails on half a picture
        return True, np.full((*self.shape, 3), self.light or (self._taken % 190 + 8 if self.noisy else 7), np.uint8)

    def get(self, what: int) -> float:
        assert what == cv2.CAP_PROP_POS_MSEC
        return 1000 * self.clock()

    def release(self) -> None:
        self.released += 1


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not holds():
        assert time.monotonic() < deadline, "waited 5 s in vain"
        time.sleep(0.002)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeCapture:
    monkeypatch.setattr(capture, "RETRY_S", 0.01)
    monkeypatch.setattr(capture, "KEEP_EVERY_S", 0.0)
    return FakeCapture()


@pytest.fixture
def camera(fake: FakeCapture, clock: HandClock) -> Iterator[CaptureCamera]:
    opened = CaptureCamera(lambda: fake, "the camera", clock=clock)
    until(lambda: opened.status().state == "live")
    yield opened
    fake.stuck.set()
    opened.close()


def state(camera: CaptureCamera) -> str:
    return camera.status().state


def test_a_living_camera_hands_out_its_newest_frame(camera: CaptureCamera, clock: HandClock) -> None:
    first = camera.latest()
    assert first is not None
    until(lambda: camera.latest() is not first)
    clock.now_s += 1
    until(lambda: (frame := camera.latest()) is not None and frame.at_s == 101)
    status = camera.status()
    assert (status.state, status.text, status.width, status.height, status.age_s) == ("live", "", 160, 90, 0.0)
    newest = camera.latest()
    assert newest is not None
    assert newest.number > first.number


def test_a_driver_stuck_inside_a_read_is_noticed_within_two_seconds(
    camera: CaptureCamera, fake: FakeCapture, clock: HandClock
) -> None:
    fake.stuck.clear()
    time.sleep(0.02)  # let the reader run into it
    clock.now_s += 2
    status = camera.status()
    assert status.state == "lost"
    assert "the camera: no picture for 2 s; check its cable" in status.text
    assert status.age_s == pytest.approx(2)
    assert camera.latest() is not None
    fake.stuck.set()
    until(lambda: state(camera) == "live")


def test_a_camera_pulled_out_is_lost_and_comes_back_by_itself(camera: CaptureCamera, fake: FakeCapture) -> None:
    fake.working = False
    until(lambda: state(camera) == "lost")
    assert "check its cable and power" in camera.status().text
    fake.working = True
    until(lambda: state(camera) == "live")
    assert fake.released >= 1


def test_a_picture_that_opencv_cannot_decode_does_not_end_the_camera(camera: CaptureCamera, fake: FakeCapture) -> None:
    fake.broken = True
    until(lambda: "cannot be decoded" in camera.status().text)
    assert state(camera) == "lost"
    fake.broken = False
    until(lambda: state(camera) == "live")


def test_whatever_a_driver_raises_the_camera_is_opened_again(
    camera: CaptureCamera, fake: FakeCapture, caplog: pytest.LogCaptureFixture
) -> None:
    fake.strange = True
    until(lambda: "OSError: strange" in camera.status().text)
    assert state(camera) == "lost"
    assert "the camera failed" in caplog.text
    fake.strange = False
    until(lambda: state(camera) == "live")


def test_a_camera_that_cannot_be_opened_again_says_why(fake: FakeCapture, clock: HandClock) -> None:
    answers: list[bool] = [True]

    def opener() -> FakeCapture:
        if answers.pop() if answers else False:
            return fake
        raise SourceError("the camera: busy; close the other program.")

    camera = CaptureCamera(opener, "the camera", clock=clock)
    fake.working = False
    until(lambda: "busy; close the other program" in camera.status().text)
    assert state(camera) == "lost"
    fake.working = True
    answers.append(True)
    until(lambda: state(camera) == "live")
    camera.close()


def test_a_picture_that_stands_still_to_the_bit_is_frozen_and_opened_again(
    camera: CaptureCamera, fake: FakeCapture, clock: HandClock
) -> None:
    fake.noisy = False
    until(lambda: (frame := camera.latest()) is not None and frame.image[0, 0, 0] == 7)
    number = camera.latest().number  # type: ignore[union-attr]
    clock.now_s += 2
    until(lambda: camera.latest().number > number + 1)  # type: ignore[union-attr]
    assert state(camera) == "frozen"
    assert "stands still" in camera.status().text
    clock.now_s += 10
    until(lambda: fake.released >= 1)
    fake.noisy = True
    until(lambda: state(camera) == "live")


def test_a_change_of_resolution_shows_with_the_next_frame(camera: CaptureCamera, fake: FakeCapture) -> None:
    assert (camera.status().width, camera.status().height) == (160, 90)
    fake.shape = (180, 320)
    until(lambda: (camera.status().width, camera.status().height) == (320, 180))
    assert state(camera) == "live"


def test_a_black_or_burnt_out_picture_is_said_and_forgotten_when_it_is_over(
    camera: CaptureCamera, fake: FakeCapture
) -> None:
    fake.light = 2
    until(lambda: "the picture is black; take the cap off" in camera.status().text)
    assert state(camera) == "live"
    fake.light = 253
    until(lambda: "all white; shorten the camera's exposure" in camera.status().text)
    fake.light = 0
    until(lambda: camera.status().text == "")


def test_a_camera_that_cannot_deliver_the_size_asked_for_says_what_it_gives(
    fake: FakeCapture, clock: HandClock
) -> None:
    camera = CaptureCamera(lambda: fake, "the camera", wanted=(3840, 2160), clock=clock)
    until(lambda: "delivers 160 x 90 pixels, not the 3840 x 2160 asked for" in camera.status().text)
    assert (camera.status().state, camera.status().width) == ("live", 160)
    fake.shape = (2160, 3840)
    until(lambda: camera.status().text == "")
    camera.close()


def test_frames_are_counted_and_late_ones_noticed(fake: FakeCapture, clock: HandClock) -> None:
    fake.clock = lambda: 7 + clock.now_s
    camera = CaptureCamera(lambda: fake, "the camera", clock=clock)
    for _ in range(40):
        before = camera.latest()
        clock.now_s += 0.1
        until(lambda: camera.latest() is not before)  # noqa: B023 - it is called at once
    status = camera.status()
    assert status.fps is not None
    assert status.fps > 5
    assert status.late_s == pytest.approx(0, abs=0.01)
    fake.clock = lambda: 5.5 + clock.now_s  # the network holds frames back for one and a half seconds
    until(lambda: (camera.status().late_s or 0) > 1)
    assert camera.status().late_s == pytest.approx(1.5, abs=0.01)
    camera.close()


def test_the_pulse_of_a_camera_with_25_frames_a_second() -> None:
    pulse = Pulse()
    assert pulse.fps(0.0) is None
    for frame in range(100):
        pulse.beat(frame / 25, None)
    assert pulse.fps(99 / 25) == pytest.approx(25, rel=0.05)
    assert pulse.late_s is None
    assert pulse.fps(99 / 25 + 10) is None


@pytest.mark.parametrize(
    ("spec", "answer"),
    [
        ("0@3840x2160", ("0", (3840, 2160))),
        ("/dev/video2@1280x720", ("/dev/video2", (1280, 720))),
        ("/dev/video2", ("/dev/video2", None)),
        ("0@4k", ("0@4k", None)),
        ("0@0x99999", ("0@0x99999", None)),
    ],
)
def test_a_size_is_asked_for_behind_the_camera(spec: str, answer: tuple[str, tuple[int, int] | None]) -> None:
    assert split_size(spec) == answer


def test_closing_twice_is_fine_and_lets_go(fake: FakeCapture, clock: HandClock) -> None:
    camera = CaptureCamera(lambda: fake, "the camera", clock=clock)
    camera.close()
    camera.close()
    assert fake.released == 1


def save(path: Path, level: int) -> None:
    cv2.imwrite(str(path), np.full((100, 120, 3), level, np.uint8))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, level in (("1.png", 10), ("2.PNG", 20), ("3.png", 30)):
        save(tmp_path / name, level)
    (tmp_path / "notes.txt").write_text("not a picture")
    return tmp_path


def shown(source: FolderCamera) -> int:
    frame = source.latest()
    assert frame is not None
    return int(frame.image[0, 0, 0])


def test_a_folder_is_stepped_from_code_and_stays_on_its_last_picture(folder: Path) -> None:
    source = FolderCamera(folder)
    seen = [shown(source)]
    while source.step():
        seen.append(shown(source))
    assert seen == [10, 20, 30]
    assert not source.step()
    assert shown(source) == 30
    source.show("1.png")
    assert shown(source) == 10
    with pytest.raises(SourceError, match=r"9\.png: no picture of that name"):
        source.show("9.png")


def test_a_folder_follows_its_clock_and_starts_again_when_told(folder: Path, clock: HandClock) -> None:
    once, over = FolderCamera(folder, 2.0, clock=clock), FolderCamera(folder, 2.0, repeat=True, clock=clock)
    seen = []
    for _ in range(5):
        seen.append((shown(once), shown(over)))
        clock.now_s += 2.0
    assert seen == [(10, 10), (20, 20), (30, 30), (30, 10), (30, 20)]


def test_a_picture_in_a_folder_that_cannot_be_read_is_named_and_the_one_before_stays(folder: Path) -> None:
    (folder / "2.PNG").write_bytes(b"")
    source = FolderCamera(folder)
    assert source.step()
    assert shown(source) == 10
    assert "2.PNG: the file is empty" in source.status().text
    assert source.step()
    assert shown(source) == 30
    assert source.status() == SourceStatus("live", "", 120, 100, 0.0)


def test_a_video_plays_at_its_pace_and_ends(tmp_path: Path) -> None:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 50, (160, 96))
    for level in range(0, 200, 20):
        writer.write(np.full((96, 160, 3), level, np.uint8))
    writer.release()
    started = time.monotonic()
    video = open_source(f"video:{path}")
    until(lambda: video.status().state == "ended")
    assert time.monotonic() - started > 0.18
    frame = video.latest()
    assert frame is not None
    assert frame.number == 9
    assert frame.image.mean() == pytest.approx(180, abs=4)
    assert "played to its end" in video.status().text
    video.close()


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("folder:/nowhere", "there is no such folder; check the spelling"),
        ("video:/nowhere.mp4", "there is no such file"),
        (f"folder:/{'x' * 300}", r"cannot be read \(File name too long\)"),
        (f"video:/{'x' * 300}", r"cannot be read \(File name too long\)"),
        ("/dev/video99", r"/dev/video99: there is no such camera; plug it in\. Cameras here: "),
        ("99", "/dev/video99: there is no such camera"),
        ("99@3840x2160", "/dev/video99: there is no such camera"),
        ("0@big", "'0@big' is no camera; use folder:DIR, video:FILE, /dev/video0, 0, 0@3840x2160 or rtsp"),
        ("webcam", "'webcam' is no camera; use folder:DIR"),
        ("folder:", "is no camera"),
        ("", "is no camera"),
        ("rtsp://user:secret@127.0.0.1:9/x", r"^rtsp://127\.0\.0\.1:9/x: does not answer; check address"),
    ],
)
def test_a_source_that_cannot_be_opened_is_one_sentence(spec: str, sentence: str) -> None:
    with pytest.raises(SourceError, match=sentence) as caught:
        open_source(spec)
    assert "secret" not in str(caught.value)


def test_what_is_no_camera_and_no_video_is_said(tmp_path: Path) -> None:
    text = tmp_path / "notes.mp4"
    text.write_text("hello")
    with pytest.raises(SourceError, match="is not a video that can be played"):
        VideoCamera(text)
    picture = tmp_path / "table.jpg"
    save(picture, 90)
    with pytest.raises(SourceError, match=r"table\.jpg: is a picture, not a video; put pictures into a folder"):
        VideoCamera(picture)
    picture.unlink()
    with pytest.raises(SourceError, match="holds no picture"):
        open_source(f"folder:{tmp_path}")


def test_ffmpeg_and_opencv_add_nothing_to_the_sentence(tmp_path: Path) -> None:
    text = tmp_path / "notes.mp4"
    text.write_text("hello")
    code = "from vision.sources import *\ntry: open_source('video:notes.mp4')\nexcept SourceError: pass"
    found = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=found, capture_output=True, text=True, check=True
    )
    assert (run.stdout, run.stderr) == ("", "")


def table(noise: np.random.Generator, hand_x: int | None = None, level: int = 90) -> np.ndarray:
    image = np.full((270, 480, 3), level, np.float32)
    image[100:150, 100:380] = 220
    if hand_x is not None:
        image[60:200, hand_x : hand_x + 70] = (90, 120, 190)
    return np.clip(image + noise.normal(0, 4, image.shape), 0, 255).astype(np.uint8)


def test_nothing_is_read_while_a_hand_is_over_the_table() -> None:
    gate, noise = MotionGate(rest_s=0.6), np.random.default_rng(5)
    verdicts = []
    for number in range(40):
        hand = 20 + 40 * (number - 10) if 10 <= number < 20 else None
        verdicts.append(gate.look(table(noise, hand), number / 10).still)
    assert not any(verdicts[:6])  # not before it has rested
    assert all(verdicts[7:10])
    assert not any(verdicts[10:26])  # moving, and then resting
    assert all(verdicts[27:])


def test_a_still_hand_is_not_motion_and_a_dimming_lamp_neither() -> None:
    gate, noise = MotionGate(rest_s=0.5), np.random.default_rng(5)
    for number in range(30):
        answer = gate.look(table(noise, 200), number / 10)
    assert answer.still
    for number in range(30, 60):
        answer = gate.look(table(noise, 200, 90 - number % 5), number / 10)
        assert answer.still


def test_a_new_size_of_the_picture_is_not_an_error() -> None:
    gate, noise = MotionGate(), np.random.default_rng(5)
    gate.look(table(noise), 0.0)
    assert gate.look(cv2.resize(table(noise), (960, 540)), 1.0).moving < 0.05

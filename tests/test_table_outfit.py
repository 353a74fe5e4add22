"""What a table is fitted with: a camera that has moved is said, and seat A stays where it was set."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.demonstration import FOLDER as DEMO
from table.evidence import EvidenceStore
from table.eye_files import CALIBRATION, keep_calibration
from table.eyes import PLACE_EVERY_S, Looker
from table.messages import Message, PlaceSeen
from table.outfit import Given, Outfit
from table.settings import Settings, save_settings
from table.strips import felt_of
from vision.calibration import DRIFT_ALARM, Calibration, calibrate, turned
from vision.felt import find_felt
from vision.frames import Frame, SourceError
from vision.pictures import load_picture
from vision.types import Image


@pytest.fixture(scope="module")
def picture() -> Image:
    return load_picture(DEMO / "hand1_play.jpg")


def shifted(picture: Image, right: int) -> Image:
    """The same table seen by a camera that was pushed."""
    return np.roll(picture, right, axis=1)


def felt_in(picture: Image, quarters: int = 0) -> Calibration:
    found = find_felt(picture)
    assert found is not None
    return turned(calibrate(found.corners_px, picture_px=(picture.shape[1], picture.shape[0])), quarters)


def told(tmp_path: Path, pictures: list[Image], known: Image) -> list[float]:
    heard: list[Message] = []
    looker = Looker(None, EvidenceStore(tmp_path), heard.append, felt=felt_in(known))
    for number, picture in enumerate(pictures):
        looker.check_place(Frame(picture, 0.0, number), number * PLACE_EVERY_S)
    looker.read(known).result(20)  # after all that was asked before
    looker.stop()
    return [message.share for message in heard if isinstance(message, PlaceSeen)]


def test_a_camera_that_was_pushed_is_said_at_the_second_look(tmp_path: Path, picture: Image) -> None:
    shares = told(tmp_path, [picture, shifted(picture, 40), shifted(picture, 40), picture], picture)
    assert [share > DRIFT_ALARM for share in shares] == [False, True, False]
    assert shares[1] == pytest.approx(40 / 1155, abs=0.004)


def test_the_pages_say_that_the_camera_was_pushed_until_the_corners_are_set_again(
    tmp_path: Path, picture: Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table.eyes.PLACE_EVERY_S", 0.1)
    folder = tmp_path / "recordings" / "now"
    folder.mkdir(parents=True)
    pushed = shifted(picture, 25)
    cv2.imwrite(str(folder / "1.png"), pushed)
    save_settings(tmp_path, Settings(camera=f"folder:{folder}"))
    keep_calibration(tmp_path / CALIBRATION, felt_in(picture), "2030-05-01")
    outfit = Outfit(tmp_path, Given(), print)
    runtime = outfit.open()
    try:
        end = time.monotonic() + 20
        while not (told := [one for one in runtime.snapshot().problems if one.key == "camera_moved"]):
            assert time.monotonic() < end, "nobody said that the camera was pushed"
            time.sleep(0.05)
        assert "lies 2.2 % elsewhere" in told[0].text
        assert outfit.use_felt(felt_in(pushed)) is None
        while any(one.key == "camera_moved" for one in runtime.snapshot().problems):
            assert time.monotonic() < end, "the corners were set again, and it is still said"
            time.sleep(0.05)
    finally:
        runtime.stop()


def test_a_look_that_was_under_way_while_the_corners_were_set_again_says_nothing_of_them(
    tmp_path: Path, picture: Image
) -> None:
    heard: list[Message] = []
    looker = Looker(None, EvidenceStore(tmp_path), heard.append, felt=felt_in(picture))
    pushed = shifted(picture, 25)
    for number in range(2):
        looker.check_place(Frame(pushed, 0.0, number), number * PLACE_EVERY_S)
    looker.refit(None, 0, felt_in(pushed))
    looker.read(picture).result(20)
    looker.stop()
    shares = [message.share for message in heard if isinstance(message, PlaceSeen)]
    assert [share > DRIFT_ALARM for share in shares] == [True, False]


def test_one_wrong_look_says_nothing(tmp_path: Path, picture: Image) -> None:
    shares = told(tmp_path, [picture, shifted(picture, 40), picture], picture)
    assert max(shares) < DRIFT_ALARM


def test_seat_a_stays_where_it_was_set_when_the_camera_moves(picture: Image) -> None:
    for quarters in range(4):
        known = felt_in(picture, quarters)
        seen = felt_of(shifted(picture, 40), known)
        assert seen is not None
        assert seen.corners_px == pytest.approx(known.corners_px + np.array([40, 0]), abs=3)


@pytest.mark.parametrize("size", [(800, 600), (2400, 1800), (1280, 720)])
def test_seat_a_stays_where_it_was_set_when_the_camera_delivers_another_size(
    picture: Image, size: tuple[int, int]
) -> None:
    """A camera may come back from a loss with other pictures than it was set up with."""
    other = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    for quarters in range(4):
        known = felt_in(picture, quarters)
        seen = felt_of(other, known)
        assert seen is not None
        assert seen.corners_px / size == pytest.approx(known.corners_px / known.picture_px, abs=0.01)
    covered = np.zeros_like(other)
    assert felt_of(covered, known) is None, "which part of the table it shows is not known"


def test_pictures_of_another_size_than_the_corners_are_said(tmp_path: Path, picture: Image) -> None:
    folder = tmp_path / "recordings" / "now"
    folder.mkdir(parents=True)
    cv2.imwrite(str(folder / "1.jpg"), cv2.resize(picture, (800, 600)))
    save_settings(tmp_path, Settings(camera=f"folder:{folder}"))
    keep_calibration(tmp_path / CALIBRATION, felt_in(picture), "2030-05-01")
    runtime = Outfit(tmp_path, Given(), print).open()
    try:
        problem = next(one for one in runtime.snapshot().problems if one.source == "camera")
        assert problem.key == "eye_other_size"
        assert "delivers 800 x 600 pixels instead of 1600 x 1200" in problem.text
    finally:
        runtime.stop()


@pytest.mark.parametrize("given", [Given(), Given(camera="97")])
def test_a_camera_that_is_away_at_the_start_is_said_and_waited_for(tmp_path: Path, given: Given) -> None:
    """Whether it was chosen on the set-up page or named on the command line of a service."""
    if given.camera is None:
        save_settings(tmp_path, Settings(camera="/dev/video97"))
    said: list[str] = []
    runtime = Outfit(tmp_path, given, said.append).open()
    try:
        assert runtime.snapshot().devices.camera.state == "lost"
        assert runtime.snapshot().problems[0].key == "eye_no_such_camera"
    finally:
        runtime.stop()
    assert "/dev/video97: there is no such camera; plug it in." in said[0]
    assert said[0].endswith("Paiju starts without it and goes on looking for it.")


@pytest.mark.parametrize("spec", ["webcam", "folder:/nowhere", "video:/nowhere.mp4"])
def test_what_can_never_become_a_camera_is_refused_at_the_start(tmp_path: Path, spec: str) -> None:
    with pytest.raises(SourceError):
        Outfit(tmp_path, Given(camera=spec), print).open()


def test_a_chosen_recording_that_is_gone_does_not_keep_the_table_from_starting(tmp_path: Path) -> None:
    save_settings(tmp_path, Settings(camera=f"folder:{tmp_path / 'gone'}", table=("replay:gone.jsonl",)))
    said: list[str] = []
    runtime = Outfit(tmp_path, Given(), said.append).open()
    try:
        assert runtime.snapshot().devices.camera.state == "absent"
        assert len(said) == 2
    finally:
        runtime.stop()

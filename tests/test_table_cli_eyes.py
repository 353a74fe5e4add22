"""`paiju enrol` and `paiju calibrate` as people type them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from table import cli_eyes
from table.cli_calibrate import calibrate
from table.cli_eyes import enrol
from table.eye_files import CALIBRATION, ENROLLED, keep_calibration, keep_enrolled, open_reader, stored_calibration
from table.strips import felt_of, hand_strip, without_people
from vision.calibration import Calibration
from vision.calibration import calibrate as work_out
from vision.calibration_file import load_calibration
from vision.enrolled import load_enrolled
from vision.frames import Frame, SourceStatus
from vision.guided import GUIDED_ROWS
from vision.pictures import load_picture
from vision.views import WAYS

TESTS = Path(__file__).parent
PICTURES = TESTS / "pictures" / "enrolment"
TABLE = TESTS.parent / "table" / "demo" / "hand1_win.jpg"
ROWS = [str(PICTURES / f"row_{row.key}.jpg") for row in GUIDED_ROWS]


def run(command: object, *arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(command, list(arguments), input=typed)  # type: ignore[arg-type]


class StillCamera:
    """A camera that shows one picture after the other, each as often as it is asked."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.closed = False

    def latest(self) -> Frame | None:
        return Frame(load_picture(PICTURES / self.names.pop(0)), 0.0, 1)

    def status(self) -> SourceStatus:
        return SourceStatus("live", "")

    def close(self) -> None:
        self.closed = True


@pytest.fixture(scope="module", autouse=True)
def _few_views() -> Iterator[None]:
    """What the tiles look like in every light is tested elsewhere; here one light is enough, and six times as fast."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vision.views.WAYS", WAYS[:1])
        yield


@pytest.fixture(scope="module")
def enrolled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / ENROLLED
    shuffled = [ROWS[place] for place in (3, 0, 4, 2, 1)]
    result = run(enrol, "--out", str(path), *shuffled)
    assert result.exit_code == 0, result.output
    assert "row_honours.jpg: 東 南 西 北 白 發 中" in result.output
    assert f"42 tiles learnt, kept in {path}" in result.output
    return path


def test_pictures_in_any_order_are_learnt_and_shown(enrolled: Path) -> None:
    assert len(load_enrolled(enrolled).tiles) == 42
    shown = run(enrol, "--show", "--out", str(enrolled))
    assert shown.exit_code == 0
    assert "42 tiles, enrolled on 20" in shown.output
    assert "萬 1 to 9: 1 of each" in shown.output


def test_the_table_folder_gives_a_reader_with_its_tiles(enrolled: Path) -> None:
    told: list[str] = []
    reading = open_reader(enrolled.parent, 2, told.append).read(load_picture(ROWS[1]))
    assert [tile.tile for tile in reading.tiles] == [f"{number}p" for number in range(1, 10)]
    assert told == []


def test_enrolled_for_other_weights_is_told_and_not_used(enrolled: Path, tmp_path: Path) -> None:
    keep_enrolled(tmp_path / ENROLLED, replace(load_enrolled(enrolled), weights_sha256="e" * 64))
    told: list[str] = []
    assert open_reader(tmp_path, 1, told.append).read(np.full((200, 200, 3), 90, np.uint8)).tiles == ()
    assert len(told) == 1
    assert "another version of the eyes" in told[0]
    shown = run(enrol, "--show", "--out", str(tmp_path / ENROLLED))
    assert shown.exit_code == 1
    assert "paiju enrol" in shown.output


def test_removed_is_removed(enrolled: Path, tmp_path: Path) -> None:
    path = tmp_path / ENROLLED
    shutil.copy(enrolled, path)
    assert run(enrol, "--remove", "--out", str(path)).exit_code == 0
    assert not path.exists()
    again = run(enrol, "--remove", "--out", str(path))
    assert again.exit_code == 1
    assert "nothing is enrolled" in again.output


def test_a_missing_row_is_one_sentence_and_writes_nothing(tmp_path: Path) -> None:
    result = run(enrol, "--out", str(tmp_path / ENROLLED), *ROWS[:2])
    assert result.exit_code == 1
    assert "Not shown yet: 條 1 to 9; 東 南 西 北 白 發 中" in result.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [(), ("--show", "--remove"), ("--camera", "0", "x.jpg")])
def test_one_thing_at_a_time(arguments: tuple[str, ...]) -> None:
    result = run(enrol, *arguments)
    assert result.exit_code == 1
    assert "paiju enrol --help" in result.output


@pytest.mark.parametrize("command", [enrol, calibrate])
def test_help_shows_examples(command: object) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert "Examples:" in result.output


def test_a_file_that_is_no_picture_is_a_sentence(tmp_path: Path) -> None:
    wrong = tmp_path / "rows.jpg"
    wrong.write_bytes(b"no picture")
    for result in (run(enrol, str(wrong)), run(calibrate, "--photo", str(wrong))):
        assert result.exit_code == 1
        assert "is not a picture" in result.output


def test_a_row_out_of_order_is_refused_when_the_order_was_promised(tmp_path: Path) -> None:
    result = run(enrol, "--in-order", "--out", str(tmp_path / ENROLLED), ROWS[1], ROWS[0])
    assert result.exit_code == 1
    assert "looks like the row 筒 1 to 9; now lay out 萬 1 to 9" in result.output


def test_the_camera_asks_for_row_after_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong row is refused and asked for again; the flowers may be left out."""
    order = ["characters", "bamboos", "dots", "bamboos", "honours"]
    camera = StillCamera([f"row_{key}.jpg" for key in order])
    monkeypatch.setattr("vision.sources.open_source", lambda _spec: camera)
    result = run(enrol, "--camera", "0", "--out", str(tmp_path / ENROLLED), typed="\n" * 5 + "s\n")
    assert result.exit_code == 0, result.output
    assert result.output.count("Lay out 筒 1 to 9") == 2
    assert "looks like the row 條 1 to 9; now lay out 筒 1 to 9" in result.output
    assert len(load_enrolled(tmp_path / ENROLLED).tiles) == 34
    assert camera.closed


def test_a_camera_without_pictures_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dark(StillCamera):
        def latest(self) -> Frame | None:
            return None

        def status(self) -> SourceStatus:
            return SourceStatus("lost", "The camera is not plugged in.")

    monkeypatch.setattr(cli_eyes, "FIRST_FRAME_S", 0.0)
    monkeypatch.setattr("vision.sources.open_source", lambda _spec: Dark([]))
    result = run(calibrate, "--camera", "0")
    assert result.exit_code == 1
    assert "delivers no picture. The camera is not plugged in." in result.output


def test_a_felt_is_found_kept_and_drawn_from_above(tmp_path: Path) -> None:
    out = tmp_path / "data" / CALIBRATION
    result = run(calibrate, "--photo", str(TABLE), "--out", str(out))
    assert result.exit_code == 0, result.output
    assert "quality 9" in result.output
    assert "enough to read them well" in result.output
    assert "open tiles: good" in result.output  # a wall of backs has no ink, and no lens is at fault
    found = stored_calibration(out.parent, pytest.fail)
    assert found is not None
    assert found.picture_px == (1600, 1200)
    preview = load_picture(out.with_suffix(".jpg"))
    assert preview.shape[0] == preview.shape[1]
    middle, edge = preview[preview.shape[0] // 3, :: preview.shape[1] - 1], preview[5, preview.shape[1] // 2]
    assert abs(middle.astype(int).mean(axis=0) - edge).max() < 60  # felt from edge to edge


def test_corners_named_by_hand_count(tmp_path: Path) -> None:
    out = tmp_path / CALIBRATION
    result = run(
        calibrate, "--photo", str(TABLE), "--out", str(out), "--corners", "217,34,1359,18,1388,1172,219,1189",
        "--size", "800x780",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    document = json.loads(out.read_text())
    assert document["corners_px"][2] == [1388, 1172]
    assert document["size_mm"] == [800, 780]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--corners", "1,2,3"), "eight numbers"),
        (("--corners", "0,0,9,9,x,1,2,3"), "eight numbers"),
        (("--size", "wide"), "a size such as 820x820"),
        (("--corners", "0,0,100,100,100,0,0,100"), "crossed or mirrored"),
    ],
)
def test_impossible_corners_are_sentences(arguments: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    result = run(calibrate, "--photo", str(TABLE), "--out", str(tmp_path / CALIBRATION), *arguments)
    assert result.exit_code != 0
    assert sentence in result.output
    assert not (tmp_path / CALIBRATION).exists()


def test_a_picture_without_a_felt_says_what_to_do(tmp_path: Path) -> None:
    grey = tmp_path / "grey.jpg"
    cv2.imwrite(str(grey), np.random.default_rng(1).integers(0, 255, (400, 600, 3), np.uint8))
    result = run(calibrate, "--photo", str(grey), "--out", str(tmp_path / CALIBRATION))
    assert result.exit_code == 1
    assert "--corners" in result.output


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": 2}', '{"format": 1, "corners_px": [[0, 0]]}'])
def test_a_damaged_calibration_is_told_and_not_used(text: str, tmp_path: Path) -> None:
    (tmp_path / CALIBRATION).write_text(text)
    told: list[str] = []
    assert stored_calibration(tmp_path, told.append) is None
    assert len(told) == 1
    assert "paiju calibrate" in told[0]
    assert stored_calibration(tmp_path / "empty", pytest.fail) is None


def strip(image: np.ndarray, known: Calibration | None = None) -> np.ndarray:
    felt = felt_of(image, known)
    assert felt is not None
    return hand_strip(image, felt, 0)


def test_who_sits_at_the_table_is_not_kept_and_the_tiles_are() -> None:
    """A face beside the felt becomes a few squares; the hands before the players stay as they are, to the bit."""
    image = np.random.default_rng(3).integers(0, 255, (1200, 1600, 3), np.uint8)
    felt = work_out(np.array([[400, 200], [1200, 200], [1200, 1000], [400, 1000]], np.float64), picture_px=(1600, 1200))
    kept = without_people(image, felt)
    assert np.array_equal(kept[150:1050, 350:1250], image[150:1050, 350:1250])
    for face in (kept[400:600, 40:240], kept[20:120, 700:900], kept[1100:, 700:900]):
        assert len(np.unique(face.reshape(-1, 3), axis=0)) <= 56
    assert not np.array_equal(kept, image)


def test_a_known_felt_is_cut_when_it_cannot_be_seen(tmp_path: Path) -> None:
    image = load_picture(TABLE)
    corners = np.array([[217, 34], [1359, 18], [1388, 1172], [219, 1189]], np.float64)
    keep_calibration(tmp_path / CALIBRATION, work_out(corners, picture_px=(1600, 1200)), "2026-11-29")
    known = load_calibration(tmp_path / CALIBRATION)
    covered = image.copy()
    covered[:500, :700] = np.random.default_rng(2).integers(0, 255, (500, 700, 3), np.uint8)  # a sleeve over a corner
    assert felt_of(covered, None) is None
    seen, cut = strip(image), strip(covered, known)
    assert abs(seen.shape[1] - cut.shape[1]) < 0.02 * seen.shape[1]
    assert felt_of(covered[:1000], known) is None  # another picture size: the calibration is void


def test_a_camera_that_moved_is_believed_more_than_its_calibration() -> None:
    image = load_picture(TABLE)
    corners = np.array([[217, 34], [1359, 18], [1388, 1172], [219, 1189]], np.float64)
    moved = work_out(corners + 40, picture_px=(1600, 1200))
    assert np.array_equal(strip(image), strip(image, moved))

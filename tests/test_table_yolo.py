"""Corrections as training data: right labels, nothing guessed, nothing without consent."""

from __future__ import annotations

import csv
import io
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from models import LABELS
from table.cli import main
from table.model import Actor
from table.runtime import Runtime
from table.yolo import YoloError, write_yolo
from tests import webui_rig as rig

WRONG = 9
"""The place of the tile that the eyes take for 2s; it is a 2m."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Runtime]:
    with rig.open_table(tmp_path / "data", rig.ScriptedEyes(doubts={WRONG: "2s"})) as runtime:
        rig.open_game(runtime)
        yield runtime


def photographed(table: Runtime, *, fixed: bool = True) -> None:
    """A claimed hand that was read from a picture, and set right."""
    rig.claim(table)
    table.submit_photo(rig.picture(), Actor(role="tablet"), f"p{time.monotonic_ns()}")
    deadline = time.monotonic() + 10
    while not (table.snapshot().claim and table.snapshot().claim.tiles) and time.monotonic() < deadline:  # type: ignore[union-attr]
        time.sleep(0.02)
    if fixed:
        rig.do(table, "fix_tile", index=WRONG, tile="2m")


def written(tmp_path: Path) -> dict[str, str]:
    write_yolo(tmp_path / "data", tmp_path / "lessons.zip", consent=True)
    with zipfile.ZipFile(tmp_path / "lessons.zip") as archive:
        return {name: archive.read(name).decode("latin-1") for name in archive.namelist()}


def test_an_approved_picture_has_a_label_and_a_box_for_every_tile(table: Runtime, tmp_path: Path) -> None:
    photographed(table)
    rig.do(table, "approve")
    files = written(tmp_path)
    (image,) = (name for name in files if name.startswith("images/"))
    lines = [line.split() for line in files[image.replace("images", "labels").replace("jpg", "txt")].splitlines()]
    assert [LABELS[int(line[0])] for line in lines] == list(rig.STRAIGHT)
    left, top, right, bottom = rig.where(0, 14)
    width, height = 60 + 14 * rig.GAP + 160, 480
    assert [float(share) for share in lines[0][1:]] == pytest.approx(
        [(left + right) / 2 / width, (top + bottom) / 2 / height, (right - left) / width, (bottom - top) / height],
        abs=1e-5,
    )
    rows = list(csv.reader(io.StringIO(files["corrections.csv"])))[1:]
    assert [row[1:] for row in rows] == [["2s", "2m"]]
    assert f'{len(LABELS) - 1}: "{LABELS[-1]}"' in files["data.yaml"]


@pytest.mark.parametrize("end", ["cancel_claim", "undo", "correct", "void"])
def test_a_hand_that_does_not_stand_teaches_nothing(table: Runtime, tmp_path: Path, end: str) -> None:
    photographed(table)
    if end == "cancel_claim":
        rig.do(table, "cancel_claim")
    else:
        rig.do(table, "approve")
    if end == "undo":
        rig.do(table, "undo_last", reason="mistake")
    elif end == "correct":
        rig.do(table, "correct_hand", hand_no=1, reason="read wrongly", hand="123456789m23m55z")
    elif end == "void":
        rig.do(table, "correct_hand", hand_no=1, reason="void", outcome="void")
    assert not [name for name in written(tmp_path) if name.startswith("images/")]


def test_a_correction_of_the_seat_keeps_the_tiles(table: Runtime, tmp_path: Path) -> None:
    photographed(table)
    rig.do(table, "approve")
    rig.do(table, "correct_hand", hand_no=1, reason="seat", winner=3)
    assert len([name for name in written(tmp_path) if name.startswith("images/")]) == 1


def test_a_typed_hand_has_no_picture_to_learn_from(table: Runtime, tmp_path: Path) -> None:
    photographed(table, fixed=False)
    rig.do(table, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    rig.do(table, "approve")
    assert not [name for name in written(tmp_path) if name.startswith("images/")]


def test_without_consent_nothing_is_written(table: Runtime, tmp_path: Path) -> None:
    photographed(table)
    rig.do(table, "approve")
    with pytest.raises(YoloError, match="--consent"):
        write_yolo(tmp_path / "data", tmp_path / "lessons.zip", consent=False)
    assert not (tmp_path / "lessons.zip").exists()


def test_the_same_ledger_gives_the_same_file_and_the_command_says_what_is_in_it(table: Runtime, tmp_path: Path) -> None:
    photographed(table)
    rig.do(table, "approve")
    for name in ("a.zip", "b.zip"):
        asked = ["export", "--format", "yolo", "--consent", "--data", str(tmp_path / "data"), "--out"]
        done = CliRunner().invoke(main, [*asked, str(tmp_path / name)])
        assert "1 pictures, 14 tiles, 1 set right, 0 left out" in done.output
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    again = CliRunner().invoke(main, [*asked, str(tmp_path / "a.zip")])
    assert again.exit_code == 1
    assert "exists already" in again.output

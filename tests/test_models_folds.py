"""The leave-one-group-out table is made from what is there and never shows a group to its own fold."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import pytest

from models import LABELS, load_manifest
from models.train import folds
from models.train.data import DataError
from models.train.evaluate import summary
from models.train.folds import FOLDS
from models.train.metrics import Reading, Truth, tally


def figures(right: bool) -> dict[str, object]:
    """One tile, read rightly or not."""
    box = np.array([[0, 0, 10, 10]], np.float32)
    truth = Truth("a", box, np.array([LABELS.index("1m")]), complete=True)
    read = Reading(box, np.array([LABELS.index("1m" if right else "9p")]), np.array([0.99]), np.array([True]))
    return {**summary(tally([(read, truth)])), "scored": [(0.99, right)]}


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder in which every fold is judged already: the left-out group wrong, all else right."""
    for group in FOLDS:
        for weights, right in (("rendered", True), (group, False)):
            (tmp_path / weights).mkdir(exist_ok=True)
            (tmp_path / weights / f"figures-{group}.json").write_text(json.dumps(figures(right)))
        shipped = tmp_path / f"shipped-{load_manifest().version}-{group}.json"
        shipped.write_text(json.dumps(figures(right=True)))
    return tmp_path


def test_the_table_shows_each_group_unseen_left_out_and_seen(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert folds.main(["--photos", "none", "--scenes", "none", "--out", str(runs), "--part", "judge"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for group in FOLDS:
        start = next(k for k, line in enumerate(lines) if line.startswith(f"== {group}: left out"))
        assert "right face 0.00%" in lines[start + 1]
        assert "1m->9p: 1" in lines[start + 4]
    assert sum("right face 100.00%" in line for line in lines) == 2 * len(FOLDS)
    assert lines[-3] == "   scores from 0.99: 2 readings, mean score 0.990, 0.00% right"
    assert "100.00% of them wrong" in lines[-2]
    assert "sure from 1.000 (at most 0.5 % wrong): 0.0% of the readings" in lines[-1]


def test_a_fold_is_trained_without_its_group_and_only_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(folds, "train", lambda command: asked.append(command) or 0)
    chosen = argparse.Namespace(photos=Path("PHOTOS"), scenes=[Path("S")], out=tmp_path, seen=Path("U.json"), threads=1)
    folds.train_fold("detector", "desk", chosen)
    (command,) = asked
    assert command[0] == "detector"
    assert command[command.index("--leave-out") + 1] == "desk"
    assert command[command.index("--photos") + 1] == str(Path("PHOTOS/train"))
    assert command[command.index("--start") + 1] == str(tmp_path / "rendered/detector.pt")
    assert command[command.index("--seen") + 1] == "U.json"
    (tmp_path / "desk").mkdir()
    (tmp_path / "desk" / "detector.pt").touch()
    folds.train_fold("detector", "desk", chosen)
    assert len(asked) == 1


def test_a_fold_that_cannot_be_trained_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folds, "train", lambda _: 2)
    chosen = argparse.Namespace(photos=tmp_path, scenes=[tmp_path], out=tmp_path, seen=None, threads=1)
    with pytest.raises(DataError, match="classifier without felt"):
        folds.train_fold("classifier", "felt", chosen)

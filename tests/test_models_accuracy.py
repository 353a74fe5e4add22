"""The shipped weights read real photographs well: the bar of the project on a sample of the validation pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from models import load_manifest
from models.train.data import read_patches
from models.train.evaluate import format_report, judge, report
from models.train.metrics import Tally, tally


@pytest.fixture(scope="module")
def measured(shared: Path) -> tuple[Tally, str]:
    """Every tenth photograph, read once."""
    folder = shared / "photos" / "val"
    if not folder.is_dir():
        pytest.skip("needs the labelled validation photographs")
    judged = judge(folder, read_patches(), load_manifest(), every=10)
    return tally([(one.reading, one.corrected) for one in judged]), format_report(report(judged))


def test_at_least_93_percent_of_the_tiles_are_found_with_the_right_face(measured: tuple[Tally, str]) -> None:
    total, _ = measured
    assert total.labelled > 500
    assert total.recall >= 0.93


def test_at_least_93_percent_of_the_readings_are_right(measured: tuple[Tally, str]) -> None:
    total, _ = measured
    assert total.precision >= 0.93


def test_what_is_called_sure_is_almost_always_right(measured: tuple[Tally, str]) -> None:
    total, _ = measured
    assert total.sure > 0.8 * total.read_complete
    assert total.sure_wrong <= 0.005 * total.sure


def test_the_report_names_every_figure_of_the_card(measured: tuple[Tally, str]) -> None:
    _, text = measured
    for word in ("raw labels", "corrected labels", "located", "precision", "whole pictures", "sure", "confusions"):
        assert word in text
    assert "scores from 0.99" in text

"""Training shows tiles from every side and never as a mirror shows them: a mirrored tile is another one, or none."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the train extra (torch)")

from models.train import augment, train_detector  # noqa: E402
from models.train.data import LabelledPicture  # noqa: E402


def test_crops_are_turned_all_the_way_round_and_never_mirrored() -> None:
    grid, _ = augment._view(torch.full((400, 2), 0.8), torch.Generator().manual_seed(3), augment.Strength())
    middle = grid.shape[1] // 2
    here = grid[:, middle, middle]
    right, down = grid[:, middle, middle + 1] - here, grid[:, middle + 1, middle] - here
    assert (right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0] > 0).all()
    eighths = torch.atan2(right[:, 1], right[:, 0]).div(np.pi / 4).floor().int()
    assert len(set(eighths.tolist())) == 8


def test_views_for_the_detector_are_turned_by_quarters_and_never_mirrored(tmp_path: Path) -> None:
    """Three tiles, one in the corner and two beside it along the edges of the picture."""
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((300, 300, 3), np.uint8))
    places = [(100, 100), (160, 100), (100, 160)]
    boxes = np.array([(x, y, x + 30, y + 40) for x, y in places], np.float32) / 300
    picture = LabelledPicture(tmp_path / "a.png", boxes, np.zeros(3, np.int64))
    sample = train_detector.Sample(picture, True, np.zeros((0, 4), np.float32))
    ways = []
    for seed in range(60):
        found = train_detector.cut_view(sample, 448, np.random.default_rng(seed)).boxes
        if len(found) < 3:
            continue
        corner, beside, below = (found[:, :2] + found[:, 2:]) / 2
        (rx, ry), (dx, dy) = beside - corner, below - corner
        assert rx * dy - ry * dx > 0
        ways.append(round(np.arctan2(ry, rx) / (np.pi / 2)) % 4)
    assert len(ways) > 20
    assert set(ways) == {0, 1, 2, 3}

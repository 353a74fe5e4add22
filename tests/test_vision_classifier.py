"""How often the classifier looks at a tile, and how pictures reach a network."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from models import LABELS, load_manifest
from vision.classifier import CropRule, OnnxClassifier
from vision.network import Network, planes
from vision.types import Floats, Images

AT_ONCE, TWICE, CONTRADICTED, DOUBTFUL = ((200, 60, 60), (60, 200, 60), (60, 60, 200), (200, 200, 60))
"""Colours of four tiles; each has a white corner, so that its turn can be seen."""
SAID = {
    AT_ONCE: [("1m", 0.995)] * 4,
    TWICE: [("2m", 0.98), ("9p", 0.9), ("2m", 0.975), ("9p", 0.9)],
    CONTRADICTED: [("3m", 0.985), ("3m", 0.9), ("4m", 0.985), ("3m", 0.9)],
    DOUBTFUL: [("5m", 0.97), ("5m", 0.6), ("5m", 0.95), ("5m", 0.8)],
}
"""What is said of each after none, one, two and three quarter turns."""


class Told(Network):
    """Says what it was told of the crops it is shown, and counts them."""

    def __init__(self) -> None:
        self.shown = 0

    def run(self, pictures: Images, outputs: Sequence[str] | None = None) -> list[Floats]:  # noqa: ARG002
        self.shown += len(pictures)
        return [
            np.stack([self._logits(crop.astype(int)) for crop in pictures]),
            np.zeros((len(pictures), 1), np.float32),
        ]

    def _logits(self, crop: np.ndarray) -> Floats:
        colour = crop[32, 32]
        tile = min(SAID, key=lambda known: int(np.abs(colour - known).sum()))
        corners = [crop[8, 8], crop[55, 8], crop[55, 55], crop[8, 55]]  # where one quarter turn after the other puts it
        label, score = SAID[tile][int(np.argmax([corner.min() for corner in corners]))]
        chances = np.full(len(LABELS), (1 - score) / (len(LABELS) - 1))
        chances[LABELS.index(label)] = score
        logits: Floats = np.log(chances).astype(np.float32)
        return logits


def named(turns: int, sure: float = 0.95) -> tuple[Floats, int]:
    """Probabilities of the four tiles, and how many crops were looked at for them."""
    image = np.zeros((100, 400, 3), np.uint8)
    for place, colour in enumerate(SAID):
        image[:, 100 * place : 100 * place + 100] = colour
        image[10:35, 100 * place + 10 : 100 * place + 35] = 255
    sheet = load_manifest().classifier
    eyes = OnnxClassifier(sheet.quick, LABELS, CropRule(64, 0.0, turns), sure)
    eyes._network = told = Told()
    boxes = np.array([[100 * place, 0, 100 * place + 100, 100] for place in range(4)], np.float32)
    return eyes.name(image, boxes), told.shown


def test_two_looks_that_clearly_say_the_same_are_not_followed_by_two_more() -> None:
    probabilities, shown = named(4)
    assert shown == 4 + 3 + 2 * 2
    assert probabilities.sum(axis=1) == pytest.approx(np.ones(4))
    best = [LABELS[column] for column in probabilities.argmax(axis=1)]
    assert best == ["1m", "2m", "3m", "5m"]
    mean = (0.985 + 0.9 + 0.9 + 0.015 / 42) / 4
    assert probabilities.max(axis=1) == pytest.approx([0.995, (0.98 + 0.975) / 2, mean, (0.97 + 0.6 + 0.95 + 0.8) / 4])


def test_where_only_more_counts_as_sure_all_four_looks_are_asked() -> None:
    assert named(4, sure=0.98)[1] == 4 + 3 + 2 * 3


@pytest.mark.parametrize(("turns", "looks"), [(1, 4), (2, 4 + 3)])
def test_fewer_turns_cost_fewer_looks(turns: int, looks: int) -> None:
    probabilities, shown = named(turns)
    assert shown == looks
    expected = 0.985 if turns == 1 else (0.985 + 0.015 / 42) / 2
    assert probabilities[2, LABELS.index("3m")] == pytest.approx(expected)


def test_no_tile_is_no_work() -> None:
    eyes = OnnxClassifier(load_manifest().classifier.quick, LABELS, CropRule(64, 0.1), 0.95)
    assert eyes.name(np.zeros((90, 90, 3), np.uint8), np.zeros((0, 4), np.float32)).shape == (0, len(LABELS))


def test_planes_are_red_first_from_0_to_1() -> None:
    pictures = np.zeros((2, 3, 4, 3), np.uint8)
    pictures[1, 2, 3] = (51, 102, 255)
    apart = planes(pictures)
    assert (apart.shape, apart.dtype) == ((2, 3, 3, 4), np.float32)
    assert apart[1, :, 2, 3] == pytest.approx([1.0, 0.4, 0.2])
    assert apart.sum() == pytest.approx(1.6)


def test_a_network_needs_a_thread() -> None:
    with pytest.raises(ValueError, match="threads must be at least 1, not 0"):
        Network(load_manifest().classifier.quick, 0)

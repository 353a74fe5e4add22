"""The figures of the model card are counted as they are defined."""

from __future__ import annotations

import numpy as np
import pytest

from models import LABELS
from models.train.metrics import Reading, Tally, Truth, by_score, match, sure_threshold, tally


def boxes(*lefts: float) -> np.ndarray:
    """Ten by ten boxes at these left edges."""
    return np.array([(x, 0, x + 10, 10) for x in lefts], np.float32).reshape(-1, 4)


def names(*tiles: str) -> np.ndarray:
    return np.array([LABELS.index(tile) for tile in tiles], np.int64)


def reading(where: np.ndarray, tiles: np.ndarray, *scores: float) -> Reading:
    """What was read; a score from 0.85 is called sure."""
    values = np.array(scores, np.float32)
    return Reading(where, tiles, values, values >= 0.85)


def test_each_box_is_matched_once_and_best_first() -> None:
    assert match(boxes(2, 0), boxes(0)) == [(1, 0)]
    assert match(boxes(6), boxes(0)) == []
    assert match(boxes(), boxes(0)) == []


def test_precision_of_a_face_counts_what_was_read_as_it() -> None:
    truth = Truth("a", boxes(0, 20, 40), names("1m", "2m", "1m"), complete=True)
    found = reading(boxes(0, 20, 40, 100), names("1m", "1m", "1m", "5p"), 0.9, 0.9, 0.9, 0.9)
    total = tally([(found, truth)])
    assert total.read_per_label == {"1m": 3, "5p": 1}
    assert total.precise_per_label == {"1m": 2, "5p": 0}
    heap = Truth("b", boxes(0), names("1m"), complete=False)
    assert not tally([(found, heap)]).read_per_label


def test_a_band_of_scores_tells_what_was_promised_and_what_was_kept() -> None:
    marks = [(0.96, True), (0.97, False), (0.4, True), (0.995, True), (1.0, True)]
    low, sure, highest = by_score(marks)
    assert low == (0.35, 1, 0.4, 1.0)
    assert sure == (0.95, 2, pytest.approx(0.965), 0.5)
    assert highest == (0.99, 2, pytest.approx(0.9975), 1.0)


def test_counts_of_one_picture() -> None:
    truth = Truth("a", boxes(0, 20, 40, 60), names("1m", "2m", "3m", "4m"), complete=True)
    found = reading(boxes(0, 20, 40, 100), names("1m", "2m", "9m", "5p"), 0.9, 0.9, 0.6, 0.95)
    total = tally([(found, truth)])
    assert total.located_share == 3 / 4
    assert total.recall == 2 / 4
    assert total.precision == 2 / 4
    assert total.confusions == {("3m", "9m"): 1}
    assert total.pictures_right == 0
    assert (total.sure, total.sure_wrong) == (3, 1)


def test_unlabelled_backs_are_not_punished_but_backs_on_faces_are() -> None:
    truth = Truth("a", boxes(0), names("1m"), complete=True)
    wall = reading(boxes(0, 30), names("1m", "x"), 0.9, 0.9)
    assert tally([(wall, truth)]).precision == 1
    assert tally([(wall, truth)]).pictures_share == 1
    hidden = reading(boxes(0), names("x"), 0.9)
    assert tally([(hidden, truth)]).confusions == {("1m", "x"): 1}


def test_backs_count_where_they_are_marked() -> None:
    truth = Truth("a", boxes(0), names("1m"), complete=True, backs_marked=True)
    ghost = reading(boxes(0, 30), names("1m", "x"), 0.9, 0.9)
    assert tally([(ghost, truth)]).precision == 1 / 2


def test_what_hardly_shows_is_neither_demanded_nor_punished() -> None:
    truth = Truth("a", boxes(0), names("1m"), complete=True, backs_marked=True, doubtful=boxes(30))
    for found in (
        reading(boxes(0), names("1m"), 0.9),
        reading(boxes(0, 31), names("1m", "5p"), 0.9, 0.9),
        reading(boxes(0, 31), names("1m", "x"), 0.9, 0.9),
    ):
        assert tally([(found, truth)]).pictures_share == 1
        assert tally([(found, truth)]).read == 1


def test_incomplete_pictures_count_for_recall_but_not_for_precision() -> None:
    truth = Truth("a", boxes(0), names("1m"), complete=False)
    total = tally([(reading(boxes(0, 30), names("1m", "5p"), 0.9, 0.9), truth)])
    assert total.recall == 1
    assert total.read_complete == 0
    assert total.precision_all == 1 / 2


def test_the_sure_threshold_keeps_errors_rare() -> None:
    count = 1000
    truth = Truth("a", boxes(*range(0, 20 * count, 20)), names(*["1m"] * count), complete=True)
    read = names(*["1m"] * count)
    read[990:] = LABELS.index("2m")
    total = tally([(reading(truth.boxes, read, *np.linspace(1, 0, count)), truth)])
    threshold = sure_threshold(total)
    claimed, wrong = total.above(threshold)
    assert wrong <= 0.005 * claimed
    assert claimed == 994  # 4 wrong in 994 is 0.4 %, one more would be over


def test_a_limit_of_sure_takes_all_readings_of_one_score_or_none() -> None:
    """Scores are rounded when folds keep them, and several wrong ones may share one."""
    marks = [(0.99, True)] * 600 + [(0.9, True)] * 100 + [(0.9, False)] * 5 + [(0.8, True)] * 100
    total = Tally(scored=[(score, right, True) for score, right in marks])
    assert sure_threshold(total) == 0.99
    assert total.above(0.9) == (705, 5)
    total.scored += [(0.8, True, True)] * 200
    assert sure_threshold(total) == 0.8

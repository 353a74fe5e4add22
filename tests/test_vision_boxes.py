"""Letterbox, decoding, overlap and suppression against answers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.boxes import (
    areas,
    crop_squares,
    decode,
    intersections,
    iou,
    letterbox,
    one_box_per_tile,
    softmax,
    suppress,
)
from vision.network import planes
from vision.types import Detections


def boxes(*rows: tuple[float, float, float, float]) -> np.ndarray:
    return np.array(rows, np.float32).reshape(-1, 4)


def found(rows: np.ndarray, scores: list[float]) -> Detections:
    return Detections(rows, np.array(scores, np.float32).reshape(-1, 1))


def test_letterbox_pads_only_to_the_stride_and_finds_the_way_back() -> None:
    image = np.zeros((1080, 1920, 3), np.uint8)
    image[:, :, 2] = 255  # red, so the first of the network's channels
    boxed = letterbox(image, 640)
    assert boxed.pixels.shape == (1, 384, 640, 3)
    assert boxed.scale == pytest.approx(1 / 3)
    assert (boxed.left_px, boxed.top_px) == (0, 12)
    assert boxed.pixels[0, 200, 300].tolist() == [0, 0, 255]
    assert boxed.pixels[0, 0, 0].tolist() == [114] * 3
    assert planes(boxed.pixels)[0, :, 200, 300].tolist() == [1.0, 0.0, 0.0]
    assert boxed.back(boxes((10, 22, 40, 52))).tolist() == [[30, 30, 120, 120]]


@settings(deadline=None)
@given(width=st.integers(64, 3000), height=st.integers(64, 3000), longest=st.sampled_from([320, 640, 1000]))
def test_letterbox_of_any_picture_fits_the_stride_and_holds_the_whole_picture(
    width: int, height: int, longest: int
) -> None:
    boxed = letterbox(np.zeros((height, width, 3), np.uint8), longest)
    outer_h, outer_w = boxed.pixels.shape[1:3]
    assert outer_h % 32 == 0
    assert outer_w % 32 == 0
    corners = boxed.back(boxes((boxed.left_px, boxed.top_px, outer_w - boxed.left_px, outer_h - boxed.top_px)))[0]
    assert corners == pytest.approx([0, 0, width, height], abs=2.1 / boxed.scale)


def test_decode_reads_corners_scores_and_classes() -> None:
    raw = np.zeros((1, 6, 3), np.float32)
    raw[0, :, 0] = [50, 60, 20, 30, 0.9, 0.1]
    raw[0, :, 1] = [10, 10, 4, 4, 0.1, 0.2]
    raw[0, :, 2] = [80, 90, 10, 10, 0.3, 0.7]
    answer = decode(raw, (0.25, 0.25))
    assert len(decode(raw, (0.35, 0.75))) == 1
    assert answer.boxes_xyxy_px.tolist() == [[40, 45, 60, 75], [75, 85, 85, 95]]
    assert answer.scores == pytest.approx([0.9, 0.7])
    assert answer.class_scores == pytest.approx(np.array([[0.9, 0.1], [0.3, 0.7]]))


def test_decode_drops_what_has_no_width_and_keeps_the_rest() -> None:
    """A width that is lost beside the middle would make the whole picture unreadable."""
    raw = np.zeros((1, 5, 4), np.float32)
    for place, width in enumerate((1e-5, 0, -4, 20)):
        raw[0, :, place] = [600, 60, width, 30, 0.9]
    assert decode(raw, (0.25,)).boxes_xyxy_px.tolist() == [[590, 45, 610, 75]]


def test_decode_refuses_another_shape() -> None:
    with pytest.raises(ValueError, match=r"\(1, 4, 3\)"):
        decode(np.zeros((1, 4, 3), np.float32), (0.25,))


def test_overlap_of_known_boxes() -> None:
    first, second = boxes((0, 0, 10, 10)), boxes((5, 0, 15, 10), (20, 20, 30, 30), (2, 2, 4, 4))
    assert intersections(first, second).tolist() == [[50, 0, 4]]
    assert iou(first, second)[0] == pytest.approx([1 / 3, 0, 0.04])
    assert areas(second).tolist() == [100, 100, 4]


def test_touching_tiles_all_stay() -> None:
    row = boxes(*((30 * place, 0, 30 * place + 32, 45) for place in range(14)))  # two pixels of overlap
    assert len(one_box_per_tile(found(row, [0.9] * 14))) == 14


def test_touching_tiles_at_45_degrees_all_stay() -> None:
    """A tile of 30 x 42 turned by 45 degrees has a box of 51 x 51; its neighbour lies 21 px further in x and y."""
    row = boxes(*((21 * place, 21 * place, 21 * place + 51, 21 * place + 51) for place in range(14)))
    assert len(one_box_per_tile(found(row, [0.9] * 14))) == 14


def test_a_tile_found_twice_is_kept_once_at_its_better_score_whatever_the_class() -> None:
    scores = np.array([[0.6, 0.0], [0.1, 0.8]], np.float32)
    twice = Detections(boxes((0, 0, 30, 42), (2, 1, 31, 43)), scores)
    kept = one_box_per_tile(twice)
    assert kept.scores == pytest.approx([0.8])
    assert kept.class_scores.argmax(axis=1).tolist() == [1]


def test_a_box_around_several_tiles_goes_and_the_tiles_stay() -> None:
    kept = one_box_per_tile(
        found(boxes((0, 0, 90, 42), (0, 0, 30, 42), (30, 0, 60, 42), (60, 0, 90, 42)), [0.95, 0.9, 0.9, 0.9])
    )
    assert sorted(kept.boxes_xyxy_px[:, 0].tolist()) == [0, 30, 60]
    assert (kept.boxes_xyxy_px[:, 2] - kept.boxes_xyxy_px[:, 0]).tolist() == [30, 30, 30]


def test_a_part_of_a_tile_goes_and_the_tile_stays() -> None:
    kept = one_box_per_tile(found(boxes((0, 0, 30, 42), (2, 2, 20, 22), (2, 22, 28, 40)), [0.9, 0.4, 0.3]))
    assert kept.boxes_xyxy_px.tolist() == [[0, 0, 30, 42]]


def test_the_seam_between_two_tiles_is_no_tile() -> None:
    tiles = boxes((0, 0, 30, 42), (32, 0, 62, 42), (24, 5, 38, 37))  # three sevenths of it on either tile
    kept = one_box_per_tile(found(tiles, [0.9, 0.8, 0.5]))
    assert kept.boxes_xyxy_px.tolist() == tiles[:2].tolist()


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200), st.integers(5, 60), st.integers(5, 60)), max_size=30)
)
def test_after_suppression_no_two_boxes_overlap_too_much(rows: list[tuple[int, int, int, int]]) -> None:
    many = boxes(*((x, y, x + w, y + h) for x, y, w, h in rows))
    kept = suppress(found(many, [0.3 + 0.02 * place for place in range(len(rows))]), 0.5)
    overlaps = iou(kept.boxes_xyxy_px, kept.boxes_xyxy_px) - np.eye(len(kept), dtype=np.float32)
    assert (overlaps <= 0.5 + 1e-6).all()
    assert (np.diff(kept.scores) <= 0).all()
    if rows:  # and nothing is dropped without a better one that explains it
        assert (iou(many, kept.boxes_xyxy_px).max(axis=1) > 0.5 - 1e-6).all()


def test_softmax_survives_large_logits() -> None:
    answer = softmax(np.array([[1000.0, 1000.0], [0.0, np.log(3.0)]], np.float32))
    assert answer == pytest.approx(np.array([[0.5, 0.5], [0.25, 0.75]]))


def test_a_crop_is_a_square_around_the_middle() -> None:
    assert crop_squares(boxes((10, 20, 30, 60)), 0.5).tolist() == [[20, 40, 60]]


@pytest.mark.parametrize(
    ("rows", "scores", "complaint"),
    [
        (np.zeros((2, 3), np.float32), np.zeros((2, 1), np.float32), "boxes_xyxy_px"),
        (np.zeros((1, 4), np.float64), np.zeros((1, 1), np.float32), "float64"),
        (boxes((0, 0, 1, 1)), np.zeros((2, 1), np.float32), "class_scores"),
        (boxes((0, 0, 1, 1)), np.zeros(1, np.float32), "class_scores"),
        (boxes((0, 0, 1, 1)), np.zeros((1, 2), np.float64), "class_scores"),
        (boxes((5, 0, 1, 1)), np.zeros((1, 1), np.float32), "left < right"),
    ],
)
def test_detections_are_checked_at_the_door(rows: np.ndarray, scores: np.ndarray, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Detections(rows, scores)

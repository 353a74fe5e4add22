"""Labelled pictures are read as marked, corrected where the patch file says so, and cut squarely."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models import LABELS
from models.train.data import (
    CANVAS_PX,
    VIEW_PATCHES,
    DataError,
    Patch,
    apply_patches,
    cut_crops,
    group_of,
    read_patches,
    read_pictures,
    read_views,
    split_doubtful,
    square_crop,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two pictures: one with a 5p left and an east wind right, one without a tile."""
    (tmp_path / "images").mkdir()
    (tmp_path / "labels").mkdir()
    picture = np.full((100, 200, 3), 60, np.uint8)
    picture[20:80, 20:60] = (255, 0, 0)
    cv2.imwrite(str(tmp_path / "images/a.png"), picture)
    cv2.imwrite(str(tmp_path / "images/b.png"), picture)
    five, east = LABELS.index("5p"), LABELS.index("1z")
    (tmp_path / "labels/a.txt").write_text(f"{five} 0.2 0.5 0.2 0.6\n{east} 0.8 0.5 0.2 0.6\n")
    (tmp_path / "labels/b.txt").write_text("")
    return tmp_path


def test_boxes_come_back_in_pixels(folder: Path) -> None:
    first, second = read_pictures(folder)
    assert [LABELS[label] for label in first.labels] == ["5p", "1z"]
    assert np.allclose(first.boxes_px(200, 100)[0], [20, 20, 60, 80], atol=1e-3)
    assert second.boxes.shape == (0, 4)


@pytest.mark.parametrize(
    ("line", "word"), [("1 2 3", "expected"), ("43 .5 .5 .1 .1", "class 43"), ("a b c d e", "a b")]
)
def test_a_bad_label_line_is_named_with_file_and_line(folder: Path, line: str, word: str) -> None:
    (folder / "labels/b.txt").write_text("0 0.5 0.5 0.1 0.1\n" + line)
    with pytest.raises(DataError, match=rf"b\.txt:2: .*{word}"):
        read_pictures(folder)


def test_other_classes_are_refused(folder: Path) -> None:
    (folder / "classes.txt").write_text("cat\ndog\n")
    with pytest.raises(DataError, match="other classes"):
        read_pictures(folder)


def test_a_folder_without_images_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="images/"):
        read_pictures(tmp_path)


def test_patches_rename_and_drop_the_box_they_point_at(folder: Path) -> None:
    patches = [Patch("a", 0.8, 0.5, "1z", "2z"), Patch("a", 0.2, 0.5, "5p", "-"), Patch("other", 0, 0, "1m", "2m")]
    first = read_pictures(folder, patches)[0]
    assert [LABELS[label] for label in first.labels] == ["2z"]
    assert np.allclose(first.boxes[0], [0.7, 0.2, 0.9, 0.8])


def test_a_patch_that_fits_nothing_is_an_error(folder: Path) -> None:
    first = read_pictures(folder)[0]
    with pytest.raises(DataError, match="no 3m"):
        apply_patches(first, [Patch("a", 0.2, 0.5, "3m", "4m")])
    with pytest.raises(DataError, match="no 5p"):
        apply_patches(first, [Patch("a", 0.5, 0.5, "5p", "4p")])


def test_the_committed_patches_name_real_tiles() -> None:
    for patch in read_patches():
        assert patch.was != patch.now


def test_labels_that_the_classifier_firmly_denies_are_listed_to_be_looked_at() -> None:
    samples = pytest.importorskip("models.train.samples", reason="looking for wrong labels needs the train extra")
    seen = np.full((4, len(LABELS)), 0.0, np.float32)
    for row, (tile, score) in enumerate((("1m", 0.99), ("2m", 0.95), ("2m", 0.6), ("5z", 0.99))):
        seen[row, LABELS.index(tile)] = score
    labels = np.array([LABELS.index(tile) for tile in ("1m", "3m", "3m")] + [-1])
    listed = samples.suspects(labels, seen, 0.9)
    assert [(place, was, now) for place, was, now, _ in listed] == [(1, "3m", "2m")], "right, firm, timid, no label"


def test_heaps_that_were_overlooked_are_noted(tmp_path: Path) -> None:
    overlooked = VIEW_PATCHES.read_text(encoding="utf-8").splitlines()[1].split(",")[0]
    assert read_views(tmp_path) == {}
    (tmp_path / "views.csv").write_text(f"image,view\n{overlooked}.jpg,complete\nb.jpg,stretched\n")
    assert read_views(tmp_path) == {overlooked: "incomplete", "b": "stretched"}


def test_a_patch_file_with_an_unknown_tile_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "patches.csv"
    file.write_text("picture,cx,cy,was,now\na,0.1,0.1,5p,10p\n")
    with pytest.raises(DataError, match="unknown tile"):
        read_patches(file)


def test_a_crop_is_square_centred_and_grey_beyond_the_edge() -> None:
    image = np.zeros((100, 100, 3), np.uint8)
    image[40:60, 40:60] = 255
    inside = square_crop(image, np.array([40, 40, 60, 60], np.float32), 2.0, 40)
    assert inside.shape == (40, 40, 3)
    assert inside[20, 20].tolist() == [255] * 3
    assert inside[2, 2].tolist() == [0] * 3
    beyond = square_crop(image, np.array([90, 40, 110, 60], np.float32), 1.0, 20)
    assert beyond[10, 15].tolist() == [114] * 3


def test_crops_hold_tiles_and_places_without_any(folder: Path) -> None:
    crops = cut_crops(read_pictures(folder), seed=1, negatives_per_picture=20)
    assert crops.canvas.shape[1:] == (CANVAS_PX, CANVAS_PX, 3)
    assert sorted(crops.labels[crops.labels >= 0].tolist()) == sorted([LABELS.index("5p"), LABELS.index("1z")])
    middle = CANVAS_PX // 2
    five = crops.canvas[crops.labels == LABELS.index("5p")][0]
    assert five[middle, middle].tolist() == [0, 0, 255]  # written blue as BGR, read as RGB
    nothing = crops.canvas[crops.labels < 0]
    assert len(nothing) > 0
    assert not (nothing[:, middle, middle] == (0, 0, 255)).all(axis=1).any()


def test_groups_keep_sets_and_tables_apart() -> None:
    assert group_of("test_IMG_20231102_1234_jpg") == "desk"
    assert group_of("hand_012_jpg__a1") == "felt"
    assert group_of("valid_363475411_1515931729230469_4011741977313244206_n_jpg") == "felt"
    assert group_of("one_bamboo_flowers_001_jpg__a2") == "felt"
    assert group_of("noxHzTFzOujT86JA3BB2LjdVfRPBw8_jpg__a2") == "assorted"


def test_a_scene_asks_for_what_shows_and_excuses_the_rest(folder: Path) -> None:
    truth = {
        "width": 200,
        "height": 100,
        "tiles": [
            {"quad": [[20, 20], [60, 20], [60, 80], [20, 80]]},
            {"quad": [[140, 20], [180, 78], [181, 80], [141, 22]]},
            {"quad": [[100, 60], [140, 60], [140, 77], [100, 77]]},  # a standing tile under the camera: 17 of 40
        ],
        "doubtful": [[100, 0, 120, 10]],
    }
    (folder / "truth").mkdir()
    (folder / "truth/a.json").write_text(json.dumps(truth))
    with (folder / "labels/a.txt").open("a") as file:
        file.write(f"{LABELS.index('x')} 0.6 0.685 0.2 0.17\n")
    first, second = read_pictures(folder)
    asked, doubtful = split_doubtful(first)
    assert [LABELS[label] for label in asked.labels] == ["5p"]
    assert np.allclose(doubtful, [[0.7, 0.2, 0.9, 0.8], [0.5, 0.6, 0.7, 0.77], [0.5, 0, 0.6, 0.1]], atol=1e-6)
    assert split_doubtful(second)[0] is second
    (folder / "truth/a.json").write_text(json.dumps({**truth, "tiles": truth["tiles"][:1]}))
    with pytest.raises(DataError, match="1 tiles, its label file 3"):
        split_doubtful(first)

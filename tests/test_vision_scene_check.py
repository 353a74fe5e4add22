"""Light, focus, glare and size in words: sharp pictures pass, each made-up fault is named."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.pictures import load_picture
from vision.scene_check import ADVICE, SceneCheck, check_scene, faces_of, sharpness
from vision.types import Box, Group, Image, PictureReading, TileReading

PICTURES = Path(__file__).parent / "pictures"
TRUTH = {entry["picture"]: entry for entry in json.loads((PICTURES / "truth.json").read_text("utf-8"))["pictures"]}


def scene(name: str = "hand_row.jpg") -> tuple[Image, list[Box]]:
    boxes = [(tile["box"][0], tile["box"][1], tile["box"][2], tile["box"][3]) for tile in TRUTH[name]["tiles"]]
    return load_picture(PICTURES / name), boxes


def keys(check: SceneCheck) -> list[str]:
    return [remark.key for remark in check.remarks]


def changed(image: Image, factor: float, offset: float = 0.0) -> Image:
    return np.clip(image.astype(np.float32) * factor + offset, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("name", sorted(TRUTH))
def test_good_pictures_need_nothing(name: str) -> None:
    check = check_scene(*scene(name))
    assert check.good
    assert check.remarks == ()
    assert check.tile_px > 28


def test_a_dark_picture_needs_a_lamp() -> None:
    image, boxes = scene()
    check = check_scene(changed(image, 0.25), boxes)
    assert keys(check) == ["too_dark"]
    assert check.remarks[0].share == 1.0
    assert "lamp" in check.remarks[0].advice


def test_a_burnt_out_picture_needs_a_shorter_exposure() -> None:
    image, boxes = scene()
    found = keys(check_scene(changed(image, 1.6), boxes))
    assert found[0] == "too_bright"
    assert "too_dark" not in found


@pytest.mark.parametrize("sigma", [4, 6])
def test_a_blurred_picture_needs_focus(sigma: int) -> None:
    image, boxes = scene()
    blurred = np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)
    assert "out_of_focus" in keys(check_scene(blurred, boxes))


def test_motion_is_blur_as_well() -> None:
    image, boxes = scene()
    smear = np.full((1, 21), 1 / 21, np.float32)
    assert "out_of_focus" in keys(check_scene(np.asarray(cv2.filter2D(image, -1, smear), np.uint8), boxes))


def test_sharpness_falls_with_blur_and_not_with_light() -> None:
    image, boxes = scene()
    figures = [
        check_scene(np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8), boxes).sharpness
        for sigma in (0.5, 1, 2, 4)
    ]
    assert figures == sorted(figures, reverse=True)
    assert figures[0] > 3 * figures[-1]
    assert check_scene(changed(image, 0.5), boxes).sharpness == pytest.approx(
        check_scene(image, boxes).sharpness, rel=0.1
    )


def test_haze_flattens_ink_and_tile() -> None:
    image, boxes = scene()
    assert keys(check_scene(changed(image, 0.1, 150), boxes)) == ["flat_light"]


def test_a_mirrored_lamp_is_glare() -> None:
    image, boxes = scene()
    spotted = image.copy()
    for left, top, right, bottom in boxes[:8]:
        middle = (round((left + right) / 2), round((top + bottom) / 2))
        cv2.ellipse(spotted, middle, (round((right - left) * 0.3), round((bottom - top) * 0.25)), 0, 0, 360,
                    (255, 255, 255), cv2.FILLED)  # fmt: skip
    check = check_scene(spotted, boxes)
    assert keys(check) == ["glare"]
    assert check.remarks[0].share == pytest.approx(8 / len(boxes), abs=0.08)


def test_glare_on_one_tile_of_many_is_no_remark() -> None:
    image, boxes = scene()
    spotted = image.copy()
    left, top, right, bottom = boxes[0]
    cv2.circle(spotted, (round((left + right) / 2), round((top + bottom) / 2)), 14, (255, 255, 255), cv2.FILLED)
    assert check_scene(spotted, boxes).good


def test_small_tiles_ask_for_a_lower_camera() -> None:
    image, boxes = scene()
    small = np.asarray(cv2.resize(image, None, fx=0.35, fy=0.35, interpolation=cv2.INTER_AREA), np.uint8)
    check = check_scene(small, [(a * 0.35, b * 0.35, c * 0.35, d * 0.35) for a, b, c, d in boxes])
    assert keys(check) == ["tiles_small"]
    assert check.tile_px == pytest.approx(0.35 * check_scene(image, boxes).tile_px, rel=0.02)


def test_a_back_has_no_ink_to_judge_by() -> None:
    boxes: list[Box] = [(0.0, 0.0, 30.0, 40.0), (40.0, 0.0, 70.0, 40.0)]
    tiles = tuple(TileReading(tile, 0.9, "sure", (), box) for tile, box in zip(("x", "5p"), boxes, strict=True))
    assert faces_of(PictureReading(100, 100, tiles, (Group("row", (0, 1)),))) == boxes[1:]


def test_without_tiles_only_the_light_is_judged() -> None:
    felt = np.full((300, 400, 3), (40, 110, 30), np.uint8)
    assert keys(check_scene(felt)) == ["no_tiles"]
    assert set(keys(check_scene(changed(felt, 0.3)))) == {"no_tiles", "too_dark"}


def test_boxes_outside_the_picture_do_no_harm() -> None:
    image, boxes = scene()
    beyond: list[Box] = [(-500.0, -500.0, -450.0, -430.0), (5000.0, 20.0, 5050.0, 80.0)]
    assert check_scene(image, [*boxes, *beyond]).good


def test_labelled_photographs_are_sharp_and_their_blurred_copies_are_not(shared: Path) -> None:
    folder = shared / "photos" / "val"
    for picture in sorted((folder / "images").glob("test_3*.jpg"))[:6]:
        image = load_picture(picture)
        rows = [line.split()[1:] for line in (folder / "labels" / f"{picture.stem}.txt").read_text().splitlines()]
        centres = [tuple(640 * float(number) for number in row) for row in rows]
        boxes: list[Box] = [(x - w / 2, y - h / 2, x + w / 2, y + h / 2) for x, y, w, h in centres]
        assert "out_of_focus" not in keys(check_scene(image, boxes))
        assert "out_of_focus" in keys(check_scene(np.asarray(cv2.GaussianBlur(image, (0, 0), 5), np.uint8), boxes))


def test_every_remark_has_a_whole_sentence_of_advice() -> None:
    assert len(ADVICE) == 7
    for advice in ADVICE.values():
        assert advice[0].isupper()
        assert ": " in advice
        assert advice.endswith(".")


def test_an_even_surface_has_no_edges() -> None:
    assert sharpness(np.full((64, 48), 90, np.uint8)) == 0

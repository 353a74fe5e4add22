"""The designs of training sets: brush-written characters, grown birds, sheets of whole sets."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from models import LABELS
from models.train import brush_hand
from models.train.ink import Inks
from models.train.line_plants import BLOSSOMS, line_plant
from models.train.wild_birds import HABITS, wild_bird
from models.train.wild_plants import wild_plant
from tests.train_fonts import fonts_here

INKS = Inks(red="#c00", green="#060", blue="#008", dark="#111", paper="#fff")
BOX = (40.0, 60.0, 220.0, 280.0)


@pytest.fixture
def book() -> Any:
    """The fonts of this computer, as faces are drawn with them."""
    return fonts_here()


def test_the_brush_knows_what_a_set_needs_and_every_hand_differs() -> None:
    needed = "一二三四五六七八九萬東南西北中發"
    assert all(brush_hand.has(char) for char in needed)
    assert not brush_hand.has("白")
    written = {char: brush_hand.write(char, BOX, "#000", 7) for char in needed}
    assert len(set(written.values())) == len(needed)
    assert len({brush_hand.write("發", BOX, "#000", seed) for seed in range(1, 20)}) == 19
    assert brush_hand.write("發", BOX, "#000", 7) == written["發"], "one set writes a character the same way always"


@pytest.mark.parametrize("char", brush_hand.STROKES)
def test_brush_characters_stay_near_their_box(char: str) -> None:
    x, y, width, height = BOX
    for seed in range(1, 8):
        path = ElementTree.fromstring(brush_hand.write(char, BOX, "#000", seed)).attrib["d"]
        words = path.replace("M", " ").replace("L", " ").replace("Z", " ").split()
        xs, ys = np.array(words[::2], float), np.array(words[1::2], float)
        assert x - 0.2 * width < xs.min() < xs.max() < x + 1.2 * width, seed
        assert y - 0.2 * height < ys.min() < ys.max() < y + 1.2 * height, seed


def test_dragons_come_in_hands_of_their_own_and_stay_near_their_box() -> None:
    x, y, width, height = BOX
    dragons = [brush_hand.write_dragon(BOX, "#000", seed) for seed in range(1, 60)]
    assert len(set(dragons)) == len(dragons)
    assert brush_hand.write_dragon(BOX, "#000", 5) == dragons[4], "one set writes it the same way always"
    wide = []
    for drawn in dragons:
        path = ElementTree.fromstring(drawn).attrib["d"]
        words = path.replace("M", " ").replace("L", " ").replace("Z", " ").split()
        xs, ys = np.array(words[::2], float), np.array(words[1::2], float)
        assert x - 0.3 * width < xs.min() < xs.max() < x + 1.3 * width
        assert y - 0.2 * height < ys.min() < ys.max() < y + 1.2 * height
        wide.append(np.ptp(xs) / np.ptp(ys))
    assert min(wide) < 0.7 < 1.0 < max(wide), "narrow hands and hands as wide as high"


def test_birds_are_valid_drawings_and_no_two_are_alike() -> None:
    birds = [wild_bird(seed, INKS) for seed in range(1, 30)]
    assert len(set(birds)) == len(birds)
    for bird in birds:
        assert len(list(ElementTree.fromstring(bird).iter())) > 8
    assert wild_bird(3, INKS) == birds[2]


@pytest.mark.parametrize("habit", dict.fromkeys(HABITS), ids=lambda habit: habit.__name__.strip("_"))
def test_every_habit_of_the_bird_covers_a_fair_part_of_the_face(habit: Callable[[Inks, random.Random], str]) -> None:
    resvg_py = pytest.importorskip("resvg_py", reason="drawing needs resvg-py of the train extra")
    cv2 = pytest.importorskip("cv2")
    for seed in range(6):
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 400">{habit(INKS, random.Random(seed))}</svg>'
        png = np.frombuffer(bytes(resvg_py.svg_to_bytes(svg_string=svg)), np.uint8)
        inked = cv2.imdecode(png, cv2.IMREAD_UNCHANGED)[..., 3] > 128
        assert 0.05 < inked.mean() < 0.7, seed


def test_engraved_plants_differ_by_set_and_by_flower() -> None:
    plants = {(rank, seed): line_plant(rank, seed, INKS, "#c00") for rank in range(1, 9) for seed in range(1, 12)}
    assert len(set(plants.values())) == len(plants)
    for plant in plants.values():
        ElementTree.fromstring(f"<g>{plant}</g>")
    assert line_plant(3, 5, INKS, "#c00") == plants[3, 5], "one set draws a flower the same way always"
    assert all("#c00" in plants[rank, 5] for rank in (1, 2, 3, 4, 5, 6, 8)), "every herb blooms"
    assert len(BLOSSOMS) > 4


def test_herbs_change_places_only_where_a_set_says_so() -> None:
    assert wild_plant(1, 5, INKS, "#c00") == wild_plant(1, 5, INKS, "#c00", any_herb=False)
    changed = [
        wild_plant(1, seed, INKS, "#c00") != wild_plant(1, seed, INKS, "#c00", any_herb=True) for seed in range(9)
    ]
    assert any(changed)
    assert wild_plant(7, 5, INKS, "#c00", any_herb=True) == wild_plant(7, 5, INKS, "#c00"), "竹 stays bamboo"


def test_held_out_styles_never_get_the_wide_designs_and_training_ones_do(book: Any) -> None:
    from models.train.faces import FaceArtist, face_svg
    from models.train.styles import random_style

    held = [random_style(np.random.default_rng(seed), book, held_out=True) for seed in range(20)]
    assert not any(s.hand_seed or s.bird_seed or s.any_herb or s.packed or s.dot == "gear" for s in held)
    trained = [random_style(np.random.default_rng(seed), book) for seed in range(20)]
    assert any(s.hand_seed for s in trained)
    assert any(s.bird_seed for s in trained)
    assert any(s.packed for s in trained)
    assert any(s.plant_ink for s in trained)
    assert all(s.season_ink != s.herb_ink for s in trained if s.flower == "plant_only_number"), "no number tells a row"
    assert not any(s.plant_ink or s.flower_sides or s.season_ink != "red" for s in held)
    style = replace(trained[0], flower="plant", flower_numeral="chinese", hand_seed=5, any_herb=True, plant_seed=3)
    faces = {label: face_svg(label, FaceArtist(style, book)) for label in LABELS}
    assert len(set(faces.values())) == len(LABELS)


def test_a_sheet_shows_every_face_of_a_set_once_and_inside_the_picture(book: Any) -> None:
    pytest.importorskip("resvg_py", reason="drawing sheets needs resvg-py of the train extra")
    from models.train.design_sheets import draw_sheet

    picture, lines = draw_sheet(np.random.default_rng(4), book)
    rows = np.array([line.split() for line in lines], float)
    assert sorted(rows[:, 0]) == [k for k, label in enumerate(LABELS) if label != "x"]
    low, high = rows[:, 1:3] - rows[:, 3:] / 2, rows[:, 1:3] + rows[:, 3:] / 2
    assert low.min() > -1e-6
    assert high.max() < 1 + 1e-6
    assert picture.dtype == np.uint8
    assert picture.std() > 5


def test_a_sheet_of_few_faces_shows_each_tile_in_another_design(book: Any) -> None:
    pytest.importorskip("resvg_py", reason="drawing sheets needs resvg-py of the train extra")
    from models.train.design_sheets import draw_many

    picture, lines = draw_many(np.random.default_rng(4), book, ["6z", "1z", "6z"])
    rows = np.array([line.split() for line in lines], float)
    kinds = [LABELS[int(row)] for row in rows[:, 0]]
    assert (kinds.count("6z"), kinds.count("1z"), len(kinds)) == (28, 14, 42)
    size = np.array([picture.shape[1], picture.shape[0]] * 2)
    crops = []
    for row in rows[:6]:
        x, y, wide, high = np.round(row[1:] * size).astype(int)
        crops.append(picture[y - high // 4 : y + high // 4, x - wide // 4 : x + wide // 4].mean())
    assert len({round(float(value), 1) for value in crops}) == 6, "no two designs alike"

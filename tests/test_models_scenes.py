"""Rendered scenes and tile faces: the truth they promise, seeds, and the pages' tile pictures."""

from __future__ import annotations

import itertools
import json
import math
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models import LABELS
from models.train import contact_sheet
from models.train.boxes import Canvas, Placed
from models.train.camera import View, camera_for
from models.train.demo_hands import HANDS, tiles_of
from models.train.layouts import Layout, meld, pond, row
from models.train.photo_effects import glare, random_effects
from models.train.props import paint_arm
from models.train.recipes import RECIPES, Plan, random_plan
from models.train.studio import Scene, Studio, random_light, random_look, render
from models.train.surface import Table
from models.train.textures import FaceTextures, halving
from models.train.tile_body import Body
from tests.train_fonts import fonts_here

ROOT = Path(__file__).resolve().parents[1]
TILES = ROOT / "webui" / "static" / "tiles"
DEMO = ROOT / "table" / "demo"
PICTURES = Path(__file__).resolve().parent / "pictures"
BODY = Body(26, 35, 20, 2.6, 0.9, 0.6, (240, 246, 249), (45, 140, 235), 0.3, 0.0, 0.01)
PLAIN = Table(half=400, felt_bgr=(66, 120, 38), weave="plain")


@pytest.fixture(scope="module")
def studio() -> Studio:
    """A tile set with plain faces: everything but the drawing of faces, which needs fonts."""
    levels = {}
    for number, label in enumerate(LABELS):
        face = np.full((128, 96, 3), 240, np.float32)
        face[30:90, 20:70] = (40 + 4 * number, 60, 200 - 4 * number)
        levels[label] = halving(face)
    return Studio(BODY, FaceTextures(levels), "plain")


def one_scene(studio: Studio, kind: str, seed: int) -> Scene:
    """A scene of one recipe."""
    recipe = next(function for name, _, function in RECIPES if name == kind)
    rng = np.random.default_rng(seed)
    return render(recipe(studio.body, rng), studio, (640, 480), random_look(rng), rng)


# ---------------------------------------------------------------- the pages' tiles


def test_every_tile_has_a_small_svg_of_the_same_size() -> None:
    names = {path.stem for path in TILES.glob("*.svg")}
    assert names == set(LABELS)
    sizes = {path.stem: path.stat().st_size for path in TILES.glob("*.svg")}
    assert max(sizes.values()) < 6_000
    assert sum(sizes.values()) < 90_000
    for label in LABELS:
        root = ElementTree.parse(TILES / f"{label}.svg").getroot()
        assert root.attrib["viewBox"] == "0 0 300 400", label


def test_tile_svgs_stand_alone() -> None:
    """No font, script or picture is asked for from anywhere, and no two tiles look the same."""
    texts = {label: (TILES / f"{label}.svg").read_text(encoding="utf-8") for label in LABELS}
    for label, text in texts.items():
        assert not re.search(r"<(text|image|script|style|use)\b|href|url\(|font-family", text), label
    assert len(set(texts.values())) == len(LABELS)


# ---------------------------------------------------------------- geometry


def test_a_point_under_the_camera_is_in_the_middle_and_scale_is_as_asked() -> None:
    camera = camera_for(View((10, -20), 400), 800, 600)
    middle, right, far = camera.project(np.array([[10, -20, 0], [110, -20, 0], [10, 80, 0]], float))
    assert middle == pytest.approx([400, 300])
    assert right == pytest.approx([600, 300])
    assert far == pytest.approx([400, 100])  # away from seat 0 is up


@pytest.mark.parametrize("view", [View((0, 0), 300, 40, 75, 12), View((50, 20), 500, 20, 200, -8, 40, 1.2)])
def test_table_points_undo_the_projection(view: View) -> None:
    camera = camera_for(view, 320, 240)
    xy, on_plane = camera.table_points()
    assert on_plane.all()
    for v, u in ((5, 9), (120, 160), (230, 300)):
        point = np.array([[*xy[v, u], 0.0]], float)
        assert camera.project(point)[0] == pytest.approx([u + 0.5, v + 0.5], abs=0.01)


def test_quad_starts_at_the_faces_top_left_whatever_its_turn(studio: Studio) -> None:
    """A tile turned by 90 degrees counter-clockwise has its top left corner at the picture's bottom left."""
    layout = Layout([Placed("1m", (-60, 0, 10)), Placed("2m", (60, 0, 10), yaw_deg=90)])
    rng = np.random.default_rng(3)
    scene = render(Plan("test", layout, PLAIN, View((0, 0), 300)), studio, (600, 400), random_look(rng), rng)
    upright, turned = (np.array(t.quad) for t in scene.tiles)
    assert upright[0] == pytest.approx(upright.min(axis=0), abs=0.5)
    assert turned[0] == pytest.approx([turned[:, 0].min(), turned[:, 1].max()], abs=0.5)


# ---------------------------------------------------------------- truth of scenes


@pytest.mark.parametrize("kind", [name for name, _, _ in RECIPES])
def test_boxes_lie_in_the_picture_around_their_quads(studio: Studio, kind: str) -> None:
    seen = 0
    for seed in range(2):
        scene = one_scene(studio, kind, seed)
        height, width = scene.image.shape[:2]
        for tile in scene.tiles:
            x1, y1, x2, y2 = tile.box
            assert 0 <= x1 < x2 <= width
            assert 0 <= y1 < y2 <= height
            assert 0.5 <= tile.visible <= 1
            low, high = np.array(tile.quad).min(axis=0), np.array(tile.quad).max(axis=0)
            slack = 0.12 * max(high - low) + 1.5  # the rounded, bevelled rim against the sharp quad
            assert [x1, y1] == pytest.approx(np.maximum(low, 0), abs=slack)
            assert [x2, y2] == pytest.approx(np.minimum(high, [width, height]), abs=slack)
            assert tile.tile == "x" or tile.tile == tile.face
        seen += len(scene.tiles)
    assert seen > 5


def test_the_same_seed_gives_the_same_picture(studio: Studio) -> None:
    first, again, other = (one_scene(studio, "hand", seed) for seed in (7, 7, 8))
    assert np.array_equal(first.image, again.image)
    assert first.tiles == again.tiles
    assert not np.array_equal(first.image, other.image)


def test_a_drawing_that_was_interrupted_goes_on_where_it_stopped(
    studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenes = pytest.importorskip("models.train.scenes", reason="drawing needs the train extra")
    monkeypatch.setattr(scenes, "font_book", lambda _: None)
    monkeypatch.setattr(scenes, "open_studio", lambda *_, **__: studio)
    monkeypatch.setattr(cv2, "setNumThreads", lambda _: None)
    for folder in ("images", "labels", "truth"):
        (tmp_path / folder).mkdir()
    draw = partial(scenes.make_set, 0, out=tmp_path, seed=5, count=2, held_out=False, kind="tray")
    assert draw() == 2
    whole = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    assert len(whole) == 6
    (tmp_path / "images" / "000001.jpg").unlink()
    (tmp_path / "labels" / "000000.txt").write_text("kept")
    assert draw() == 2
    again = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    assert [path.name for path in whole if again[path] != whole[path]] == ["000000.txt"], "what is there is not redrawn"


def test_pictures_are_drawn_of_every_size_and_with_every_fault_of_a_photograph() -> None:
    rng = np.random.default_rng(1)
    plans = [random_plan(BODY, rng) for _ in range(200)]
    across_px = [736 * BODY.width / plan.view.span_mm for plan in plans]
    assert min(across_px) < 25
    assert max(across_px) > 150
    assert max(plan.view.tilt_deg for plan in plans) > 45
    assert {plan.kind for plan in plans} == {name for name, share, _ in RECIPES if share}
    assert min(plan.view.stretch for plan in plans) < 0.9 < 1.2 < max(plan.view.stretch for plan in plans)
    faults = [random_effects(rng, 44) for _ in range(200)]
    assert max(fault.defocus_px for fault in faults) > 1.5
    assert max(fault.motion_px for fault in faults) > 4
    assert max(fault.noise for fault in faults) > 5
    assert min(fault.quality for fault in faults) < 50
    assert min(fault.saturation for fault in faults) < 0.65
    colours = np.array([random_light(rng).gains for _ in range(50)])
    assert (colours[:, 0] / colours[:, 2]).min() < 0.9 < 1.05 < (colours[:, 0] / colours[:, 2]).max()


def test_a_lamp_is_mirrored_by_tiles_more_than_by_the_felt() -> None:
    image, faces = np.full((200, 300, 3), 90, np.float32), np.zeros((200, 300), np.bool_)
    faces[:, 150:] = True
    for seed in range(20):
        glare(image, faces, 1.0, np.random.default_rng(seed))
    assert image[:, 150:].mean() > image[:, :150].mean() + 30
    assert image.max() <= 255


def test_an_odd_picture_size_is_refused(studio: Studio) -> None:
    rng = np.random.default_rng(1)
    plan = Plan("test", Layout([Placed("1m", (0, 0, 10))]), PLAIN, View((0, 0), 250))
    with pytest.raises(ValueError, match="563 x 704"):
        render(plan, studio, (563, 704), random_look(rng), rng)


def test_a_contact_sheet_shows_scenes_in_order_with_their_boxes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("images", "truth"):
        (tmp_path / folder).mkdir()
    for number, grey in enumerate((30, 90, 150)):
        cv2.imwrite(str(tmp_path / "images" / f"{number:06d}.jpg"), np.full((240, 480, 3), grey, np.uint8))
        (tmp_path / "truth" / f"{number:06d}.json").write_text(
            json.dumps({"tiles": [{"tile": "5p", "box": [100.0, 60.0, 140.0, 110.0]}]})
        )
    out = tmp_path / "sheet.png"
    words = ["contact_sheet", str(tmp_path), "--out", str(out), "--columns", "2", "--rows", "2", "--boxes"]
    monkeypatch.setattr(sys, "argv", words)
    contact_sheet.main()
    sheet = cv2.imread(str(out))
    side = contact_sheet.CELL
    assert sheet.shape == (2 * side, 2 * side, 3)
    corners = [sheet[20, 20], sheet[20, side + 20], sheet[side + 20, 20], sheet[side + 20, side + 20]]
    assert [round(float(corner.mean())) for corner in corners] == [30, 90, 150, 114]
    for left, top in ((100, 60), (side + 100, 60), (100, side + 60)):
        assert sheet[top + 25, left].tolist() == [0, 0, 255], "a face is marked in red"


def test_a_covered_tile_gets_no_label(studio: Studio) -> None:
    """Of two tiles on top of each other, seen from above, only the upper one can be read."""
    layout = Layout([Placed("1m", (0, 0, 10)), Placed("9s", (0, 0, 30)), Placed("5z", (60, 0, 10), pose="down")])
    rng = np.random.default_rng(1)
    scene = render(Plan("test", layout, PLAIN, View((20, 0), 250)), studio, (600, 450), random_look(rng), rng)
    assert [t.tile for t in scene.tiles] == ["9s", "x"]
    assert [t.level for t in scene.tiles] == [1, 0]
    assert scene.tiles[1].face == "5z"


def test_standing_tiles_seen_from_above_are_not_readable(studio: Studio) -> None:
    layout = Layout(row(["1m", "2m", "3m"], (-39, 0), BODY, "stand"))
    rng = np.random.default_rng(1)
    scene = render(Plan("test", layout, PLAIN, View((0, 0), 250)), studio, (600, 450), random_look(rng), rng)
    assert scene.tiles == ()


def test_an_arm_covers_tiles_and_never_reaches_through_the_camera() -> None:
    light = random_light(np.random.default_rng(0))
    for seed in range(12):
        for span in (120.0, 700.0):
            camera = camera_for(View((0, 0), span, 35), 320, 240)
            canvas = Canvas(np.full((240, 320, 3), 90, np.float32), np.ones((240, 320), np.int32))
            paint_arm(canvas, camera, (0.0, 0.0), light, np.random.default_rng(seed))
            covered = canvas.owner == 0
            assert np.isfinite(canvas.image).all()
            assert covered.any() == (not np.array_equal(canvas.image, np.full_like(canvas.image, 90)))
            assert span == 120.0 or covered.any()


# ---------------------------------------------------------------- layouts


def test_pond_is_laid_in_rows_of_six_away_from_the_centre() -> None:
    tiles = pond([f"{k}m" for k in range(1, 9)], -100, BODY)
    assert len({t.at[1] for t in tiles[:6]}) == 1
    assert tiles[6].at[1] < tiles[0].at[1]
    assert [t.at[0] for t in tiles[:6]] == sorted(t.at[0] for t in tiles[:6])


@pytest.mark.parametrize(("style", "backs"), [("two_backs", 2), ("one_face", 3), ("four_backs", 4)])
def test_concealed_kongs_show_their_backs(style: str, backs: int) -> None:
    tiles = meld("kong_concealed", ["9p"] * 4, (0, 0), BODY, style)
    assert sum(t.pose == "down" for t in tiles) == backs


def test_tiles_of_a_sideways_meld_do_not_overlap() -> None:
    tiles = meld("peng", ["5z"] * 3, (0, 0), BODY, "sideways")
    edges = sorted(
        (t.at[0] - half, t.at[0] + half)
        for t in tiles
        for half in ((BODY.length if t.yaw_deg == 90 else BODY.width) / 2,)
    )
    assert all(left[1] <= right[0] + 1e-9 for left, right in itertools.pairwise(edges))


# ---------------------------------------------------------------- the recorded demo


@pytest.fixture(scope="module")
def demo() -> dict[str, Any]:
    """The demo's truth."""
    document: dict[str, Any] = json.loads((DEMO / "truth.json").read_text(encoding="utf-8"))
    return document


def test_demo_pictures_are_there_and_small(demo: dict[str, Any]) -> None:
    assert len(demo["hands"]) == 6
    for hand in demo["hands"]:
        for stage in ("play", "win"):
            path = DEMO / hand["pictures"][stage]["picture"]
            assert path.stat().st_size <= 250_000
            image = cv2.imread(str(path))
            assert image is not None
            assert image.shape == (1200, 1600, 3)


def test_demo_hands_are_legal_wins_of_the_promised_value(demo: dict[str, Any]) -> None:
    questions = pytest.importorskip("rules.questions", reason="the rules package is not there yet")
    for number, hand in enumerate(demo["hands"]):
        question = {"id": f"demo-{number}", **{k: hand[k] for k in ("ruleset", "options", "state", "winners")}}
        answer = questions.answer(question)
        assert answer["valid"], hand["story"]
        assert answer["winners"][0]["total"] == hand["total"] >= 8
        assert sum(answer["payments"]) == 0


def test_demo_pictures_show_the_hands_they_say(demo: dict[str, Any]) -> None:
    """The winner's tiles in the picture are those of the question; no tile exists five times."""
    for hand, source in zip(demo["hands"], HANDS, strict=True):
        winner, picture = hand["winners"][0], hand["pictures"]["win"]
        shown = {"hand": [], "winning_tile": [], "flowers": [], "meld": []}  # type: dict[str, list[str]]
        for group in picture["groups"]:
            if group["seat"] == winner["seat"] and group["kind"] in shown:
                shown[group["kind"]] += [picture["tiles"][i]["tile"] for i in group["tiles"]]
        assert shown["hand"] == tiles_of(winner["hand"])
        assert shown["winning_tile"] == [winner["win_tile"]]
        assert shown["flowers"] == tiles_of(winner["flowers"])
        assert len(shown["meld"]) == sum(len(tiles_of(m["tiles"])) for m in winner["melds"])
        copies = Counter(t["tile"] for t in picture["tiles"] if t["tile"] != "x")
        copies.update({"1m": 2} if "1111m" in {m.tiles for m in source.melds} else {})
        assert all(n <= (1 if tile[1] == "f" else 4) for tile, n in copies.items())


def test_demo_ponds_never_hold_the_winning_discard_and_walls_are_no_kongs(demo: dict[str, Any]) -> None:
    for hand in demo["hands"]:
        for stage in ("play", "win"):
            picture = hand["pictures"][stage]
            tops = Counter(g["kind"] for g in picture["groups"])
            assert tops["pond"] == 4
            for group in picture["groups"]:
                if group["kind"] == "wall":
                    assert len(group["tiles"]) != 4  # four backs in a row would look like a concealed kong
                if group["kind"] == "pond" and stage == "win":
                    assert len(group["tiles"]) > 6  # one short row is not recognisable as a pond


def test_owned_test_pictures_match_their_truth() -> None:
    """Where the truth says that a white tile lies the picture is light, felt elsewhere is not."""
    truth = json.loads((PICTURES / "truth.json").read_text(encoding="utf-8"))
    assert len(truth["pictures"]) >= 5
    for entry in truth["pictures"]:
        image = cv2.imread(str(PICTURES / entry["picture"]))
        assert image is not None
        assert image.shape[:2] == (entry["height"], entry["width"])
        assert math.isclose(float(np.median(image[:20])), 70, abs_tol=70)
        for tile in entry["tiles"]:
            x1, y1, x2, y2 = (round(v) for v in tile["box"])
            light = float(np.percentile(image[y1:y2, x1:x2].max(axis=-1), 90))
            assert light > 170, (entry["picture"], tile)


# ---------------------------------------------------------------- drawing faces (needs the train extra and fonts)


def test_all_styles_draw_every_face_differently() -> None:
    pytest.importorskip("resvg_py", reason="drawing faces needs resvg-py of the train extra")
    book = fonts_here()
    from models.train.faces import FaceArtist, face_svg
    from models.train.styles import random_style
    from models.train.tile_sets import rasterise

    for seed in range(3):
        artist = FaceArtist(random_style(np.random.default_rng(seed), book, held_out=seed == 2), book)
        pictures = {label: rasterise(face_svg(label, artist), 48, 64).tobytes() for label in LABELS}
        assert len(set(pictures.values())) == len(LABELS), artist.style

"""The eyes learn a table's own tiles: guided rows of a set in a style that no weights were trained on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models import LABELS, load_manifest
from vision.classifier import CropRule, Looks, OnnxClassifier
from vision.detector import ScriptedDetector
from vision.enrolled import EnrolledSet, EnrolmentError, load_enrolled
from vision.enrolment import (
    RowReader,
    SeenRow,
    enrol,
    fit_last_layer,
    learnt,
    lying_tiles,
    shipped_share,
    straight_line,
)
from vision.guided import GUIDED_ROWS
from vision.pictures import load_picture
from vision.reader import TileReader
from vision.types import Detections, Floats, Image
from vision.views import TURNS, WAYS, LyingTile, views_of

PICTURES = Path(__file__).parent / "pictures" / "enrolment"
ROWS = {row.key: row for row in GUIDED_ROWS}
SHA = load_manifest().classifier.sha256


@pytest.fixture(scope="module")
def reader() -> RowReader:
    return RowReader.from_manifest(load_manifest())


@pytest.fixture(scope="module")
def seen(reader: RowReader) -> dict[str, SeenRow]:
    return {key: reader.look(picture(f"row_{key}"), f"row_{key}.jpg") for key in ROWS}


@pytest.fixture(scope="module")
def taught(seen: dict[str, SeenRow]) -> EnrolledSet:
    return enrol(list(seen.values()), SHA, "2026-11-29")


def picture(name: str) -> Image:
    return load_picture(PICTURES / f"{name}.jpg")


def classifier(enrolled: EnrolledSet | None) -> OnnxClassifier:
    manifest = load_manifest()
    sheet = manifest.classifier
    rule = CropRule(sheet.size_px, sheet.margin, sheet.quarter_turns)
    return OnnxClassifier(sheet.path, LABELS, rule, manifest.thresholds.sure, enrolled=enrolled)


def known(row: SeenRow) -> float:
    """Share of all views of a row that the shipped layer names right."""
    columns = [LABELS.index(tile) for tile in row.row.tiles]
    return float((row.shipped.argmax(axis=2) == np.array(columns)[:, None]).mean())


def named_right(enrolled: EnrolledSet | None) -> tuple[int, int]:
    right = count = 0
    for truth in json.loads((PICTURES / "truth.json").read_text())["pictures"]:
        boxes = np.array([tile["box"] for tile in truth["tiles"]], np.float32)
        answer = classifier(enrolled).name(load_picture(PICTURES / truth["picture"]), boxes)
        right += sum(
            LABELS[best] == tile["tile"] for best, tile in zip(answer.argmax(axis=1), truth["tiles"], strict=True)
        )
        count += len(boxes)
    return right, count


def test_guided_rows_hold_every_face_once() -> None:
    shown = [tile for row in GUIDED_ROWS for tile in row.tiles]
    assert sorted(shown) == sorted(set(LABELS) - {"x"})


def test_every_row_is_recognised_in_its_order(seen: dict[str, SeenRow]) -> None:
    for key, row in seen.items():
        assert row.row is ROWS[key]
        lefts = [box[0] for box in row.boxes_px]
        assert lefts == sorted(lefts)
        assert len(row.looks) == len(row.row.tiles)
        assert row.doubts == ()


def test_a_picture_held_upside_down_is_read_from_the_other_end(reader: RowReader) -> None:
    turned = np.ascontiguousarray(np.rot90(picture("row_bamboos"), 2))
    row = reader.look(turned, "turned")
    lefts = [box[0] for box in row.boxes_px]
    assert row.row is ROWS["bamboos"]
    assert lefts == sorted(lefts, reverse=True)


def test_enrolled_tiles_are_read_better(taught: EnrolledSet) -> None:
    """Two hands in another light, from another side, never seen in training and not in the rows' pictures."""
    before, count = named_right(None)
    after, _ = named_right(taught)
    assert after >= before
    assert after / count >= 0.92


def test_a_stored_set_reads_alike_and_is_small(taught: EnrolledSet, tmp_path: Path) -> None:
    path = tmp_path / "enrolled.npz"
    path.write_bytes(taught.packed())
    again = load_enrolled(path, SHA)
    assert (again.tiles, again.copies, again.made_on) == (taught.tiles, taught.copies, "2026-11-29")
    assert np.abs(again.layer - taught.layer).max() < 0.01
    assert path.stat().st_size < 30_000


def test_the_reader_uses_the_file(taught: EnrolledSet, tmp_path: Path) -> None:
    path = tmp_path / "enrolled.npz"
    path.write_bytes(taught.packed())
    reading = TileReader.from_models(enrolled=path).read(picture("row_dots"))
    assert [tile.tile for tile in reading.tiles] == list(ROWS["dots"].tiles)


def test_a_file_for_other_weights_is_refused_in_a_sentence(taught: EnrolledSet, tmp_path: Path) -> None:
    path = tmp_path / "enrolled.npz"
    path.write_bytes(replace(taught, weights_sha256="f" * 64).packed())
    with pytest.raises(EnrolmentError, match=r"2026-11-29 for another version of the eyes .* paiju enrol"):
        load_enrolled(path, SHA)
    with pytest.raises(EnrolmentError):
        TileReader.from_models(enrolled=path)
    assert load_enrolled(path).tiles == taught.tiles


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut off", b"no archive at all", b"\x93NUMPY"])
def test_a_damaged_file_is_a_sentence(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "enrolled.npz"
    path.write_bytes(content)
    with pytest.raises(EnrolmentError, match="damaged"):
        load_enrolled(path)
    with pytest.raises(EnrolmentError, match="no such file"):
        load_enrolled(tmp_path / "missing.npz")


def test_a_file_of_another_format_or_shape_is_damaged(taught: EnrolledSet, tmp_path: Path) -> None:
    path = tmp_path / "enrolled.npz"
    path.write_bytes(taught.packed())
    stored = dict(np.load(path))
    np.savez(path, about=stored["about"], layer=stored["layer"][:5])
    with pytest.raises(EnrolmentError, match="damaged"):
        load_enrolled(path)
    strange = str(stored["about"]).replace('"9s"', '"10s"')
    for about in (json.dumps({"format": 99}), strange):
        np.savez(path, about=about, layer=stored["layer"])
        with pytest.raises(EnrolmentError, match="damaged"):
            load_enrolled(path)


def test_a_missing_row_is_named(seen: dict[str, SeenRow]) -> None:
    with pytest.raises(EnrolmentError, match="東 南 西 北 白 發 中"):
        enrol([seen["characters"], seen["dots"], seen["bamboos"], seen["flowers"]], SHA, "2026-11-29")


def test_flowers_may_be_left_out_and_rows_shown_twice(seen: dict[str, SeenRow]) -> None:
    rows = [seen[key] for key in ("characters", "dots", "bamboos", "honours", "dots")]
    found = enrol(rows, SHA, "2026-11-29")
    assert len(found.tiles) == 34
    assert dict(zip(found.tiles, found.copies, strict=True)) == {
        tile: 2 if tile.endswith("p") else 1 for tile in found.tiles
    }


def test_tiles_never_shown_keep_what_the_network_says(seen: dict[str, SeenRow]) -> None:
    found = enrol([seen[key] for key in ("characters", "dots", "bamboos", "honours")], SHA, "2026-11-29")
    shipped = np.arange(len(LABELS), dtype=np.float32)[None]
    own = found.logits(LABELS, shipped, np.zeros((1, found.layer.shape[1]), np.float32))
    for column, tile in enumerate(LABELS):
        assert own[0, column] == pytest.approx(found.shipped_share * column if tile in found.tiles else column)


def test_two_places_with_the_same_tile_are_refused(seen: dict[str, SeenRow]) -> None:
    looks = seen["dots"].looks.copy()
    looks[7] = looks[2]
    rows = [replace(seen["dots"], looks=looks), *(seen[key] for key in ("characters", "bamboos", "honours"))]
    with pytest.raises(EnrolmentError, match="3p and 8p look the same"):
        enrol(rows, SHA, "2026-11-29")


def test_a_tile_in_a_wrong_place_is_asked_about(reader: RowReader) -> None:
    """南 and 北 have changed places: the eyes know both well."""
    image = picture("row_honours").copy()
    boxes = [tuple(round(edge) for edge in box) for box in reader.look(image, "row").boxes_px]
    for place, other in ((1, 3), (3, 1)):
        left, top, right, bottom = boxes[place]
        a, b, c, d = boxes[other]
        source = picture("row_honours")[b:d, a:c]
        width, height = right - left, bottom - top
        rows = np.linspace(0, source.shape[0] - 1, height).round().astype(int)
        columns = np.linspace(0, source.shape[1] - 1, width).round().astype(int)
        image[top:bottom, left:right] = source[rows][:, columns]
    doubts = reader.look(image, "swapped.jpg").doubts
    found = {(doubt.place, doubt.expected, doubt.seen) for doubt in doubts}
    assert found == {(2, "2z", "4z"), (4, "4z", "2z")}
    assert all(doubt.picture == "swapped.jpg" and doubt.score > 0.3 for doubt in doubts)


def test_another_row_than_asked_for_is_refused(reader: RowReader) -> None:
    with pytest.raises(EnrolmentError, match=r"looks like the row 條 1 to 9; now lay out 筒 1 to 9"):
        reader.look(picture("row_bamboos"), "The camera's picture", ROWS["dots"])
    with pytest.raises(EnrolmentError, match=r"9 tiles found in a row, 東 南 西 北 白 發 中 has 7"):
        reader.look(picture("row_bamboos"), "The camera's picture", ROWS["honours"])


def test_wrong_counts_and_empty_pictures_are_sentences(reader: RowReader) -> None:
    with pytest.raises(EnrolmentError, match="13 tiles found in a row"):
        reader.look(picture("hand_1"), "hand.jpg")
    with pytest.raises(EnrolmentError, match=r"felt.jpg: no row of tiles found; lay the tiles side by side"):
        reader.look(np.full((400, 600, 3), (40, 110, 30), np.uint8), "felt.jpg")


def test_seven_tiles_that_are_no_honours_are_no_row(reader: RowReader) -> None:
    """Part of a suit has as many tiles as the honours; that must not be enrolled as honours."""
    image = picture("row_characters").copy()
    row = reader.look(image, "row")
    image[:, round(row.boxes_px[6][2]) + 2 :] = image[5, 5]
    with pytest.raises(EnrolmentError, match=r"7 tiles found in a row, but they look like no guided row"):
        reader.look(image, "seven.jpg")


def test_tiles_of_too_few_pixels_are_refused() -> None:
    boxes = [(10.0 + 16 * k, 50.0, 25.0 + 16 * k, 70.0) for k in range(9)]
    reader = RowReader(ScriptedDetector(boxes), classifier(None))
    with pytest.raises(EnrolmentError, match=r"only 1\d pixels wide, 24 are needed; go closer"):
        reader.look(np.zeros((120, 200, 3), np.uint8), "far.jpg")


def detections(*boxes: tuple[float, float, float, float]) -> Detections:
    return Detections(np.array(boxes, np.float32).reshape(-1, 4), np.ones((len(boxes), 1), np.float32))


def test_the_line_leaves_out_what_lies_beside_it() -> None:
    row = [(100.0 + 40 * k, 100.0 + 4 * k, 138.0 + 40 * k, 152.0 + 4 * k) for k in range(7)]
    beside = [(300.0, 250.0, 338.0, 300.0), (600.0, 125.0, 638.0, 175.0), (180.0, 60.0, 190.0, 70.0)]
    line = straight_line(detections(*beside, *reversed(row)))
    assert [int(place) for place in line] == [9, 8, 7, 6, 5, 4, 3]
    assert len(straight_line(detections())) == 0
    assert len(straight_line(detections(row[0]))) == 1


def test_a_steep_row_is_read_from_its_upper_end() -> None:
    row = [(100.0 + 2 * k, 300.0 - 40 * k, 150.0 + 2 * k, 338.0 - 40 * k) for k in range(5)]
    assert [int(place) for place in straight_line(detections(*row))] == [4, 3, 2, 1, 0]


@pytest.mark.parametrize("degrees", [0, 15, -30])
def test_sides_of_slanted_tiles_come_from_the_boxes_around_them(degrees: int) -> None:
    wide, long, angle = 40.0, 54.0, np.deg2rad(degrees)
    cos, sin = abs(np.cos(angle)), abs(np.sin(angle))
    half = np.array([wide * cos + long * sin, wide * sin + long * cos]) / 2
    middles = [np.array([300, 300]) + wide * k * np.array([np.cos(angle), np.sin(angle)]) for k in range(9)]
    tiles = lying_tiles(np.array([[*(m - half), *(m + half)] for m in middles], np.float32))
    for tile in tiles:
        assert tile.wide_px == pytest.approx(wide, rel=0.03)
        assert tile.long_px == pytest.approx(long, rel=0.03)
        assert tile.angle_rad == pytest.approx(angle, abs=1e-6)


def test_views_turn_the_tile_and_are_the_same_every_time() -> None:
    image = np.full((300, 300, 3), 90, np.uint8)
    image[100:170, 130:180] = 200
    image[105:125, 135:175] = (0, 0, 220)  # red at the upper end of the tile
    tile = LyingTile(155, 135, 50, 70, 0)
    views = views_of(image, tile, 64, 0.1)
    assert views.shape == (TURNS * len(WAYS), 64, 64, 3)
    assert np.array_equal(views, views_of(image, tile, 64, 0.1))
    assert views.dtype == np.uint8
    upright_views = views[:: len(WAYS)].astype(int)
    redness = upright_views[..., 2] - upright_views[..., 0]
    places = [np.argwhere(red > 127).mean(axis=0) - 31.5 for red in redness]
    upright, quarter, half = places[0], places[TURNS // 4], places[TURNS // 2]
    assert upright[0] < -12
    assert abs(upright[1]) < 2
    assert quarter[1] > 12
    assert half[0] > 12


def test_a_large_tile_is_smoothed_before_it_shrinks() -> None:
    image = np.zeros((900, 900, 3), np.uint8)
    image[::2] = 255  # lines finer than a view can show
    view = views_of(image, LyingTile(450, 450, 300, 400, 0), 64, 0.1)[0]
    assert view[8:-8, 8:-8].std() < 25


def kinds_of_tiles() -> list[Floats]:
    """Views of three tiles, float32 (40, 32) of length 1 each; the first two are near twins."""
    rng = np.random.default_rng(3)
    base = rng.normal(size=32)
    kinds = [base, base + 0.35 * rng.normal(size=32), rng.normal(size=32)]
    views = [kind + 0.25 * rng.normal(size=(40, 32)) for kind in kinds]
    return [(seen / np.linalg.norm(seen, axis=1, keepdims=True)).astype(np.float32) for seen in views]


def test_the_fitted_layer_tells_near_twins_apart() -> None:
    unit = kinds_of_tiles()
    shown = [unit[0], np.concatenate([unit[1]] * 3), unit[2]]
    layer = fit_last_layer(shown, [np.zeros((len(seen), 3), np.float32) for seen in shown], [0, 1, 2], 0)
    for place, seen in enumerate(unit):
        assert ((seen @ layer.T).argmax(axis=1) == place).mean() > 0.95


def test_a_face_that_the_shipped_layer_takes_for_another_one_is_learnt_all_the_same() -> None:
    """A 發 in a hand that the weights never saw: they call it 東 with certainty and know all other tiles well."""
    labels = tuple(LABELS)
    tiles = {"6z": 0, "1z": 1, "5p": 2}
    views = kinds_of_tiles()
    certain = 12 * np.eye(len(labels), dtype=np.float32)
    named = {"6z": "1z", "1z": "1z", "5p": "5p"}
    looks = {
        tile: [Looks(np.repeat(certain[[labels.index(named[tile])]], 40, axis=0), views[kind])]
        for tile, kind in tiles.items()
    }
    for well_known in range(1, 8):  # so that the shipped layer is trusted as far as it ever is
        scores = np.repeat(certain[[labels.index(f"{well_known}m")]], 40, axis=0)
        looks[f"{well_known}m"] = [Looks(scores, -np.roll(views[2], well_known, axis=1))]
    found = learnt(looks, SHA, "2026-11-29")
    assert found.shipped_share > 0.3
    for tile, kind in tiles.items():
        answer = found.logits(labels, looks[tile][0].logits, views[kind])
        assert (answer.argmax(axis=1) == labels.index(tile)).mean() > 0.95


def test_the_shipped_layer_counts_only_where_it_knows_the_set() -> None:
    assert [shipped_share(known) for known in (0.0, 0.5, 0.7)] == [0, 0, 0]
    assert 0 < shipped_share(0.8) < shipped_share(0.9) < shipped_share(0.95) == shipped_share(1.0) < 0.5


def test_flowers_of_an_unknown_design_are_read_from_the_left(seen: dict[str, SeenRow]) -> None:
    """Every maker draws other flowers; a row of eight flowers is taken as it was asked for, without a question."""
    assert known(seen["flowers"]) < known(seen["characters"])
    assert [box[0] for box in seen["flowers"].boxes_px] == sorted(box[0] for box in seen["flowers"].boxes_px)


def test_a_set_names_each_tile_once() -> None:
    with pytest.raises(ValueError, match="once"):
        EnrolledSet(SHA, "2026-11-29", ("1m", "1m"), np.ones((2, 4), np.float32), (1, 1), 0.2)
    with pytest.raises(ValueError, match="finite"):
        EnrolledSet(SHA, "2026-11-29", ("1m",), np.full((1, 4), np.nan, np.float32), (1,), 0.2)

"""The reader and its report with scripted networks, so that every answer is known."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import cv2
import numpy as np
import pytest

from models import LABELS, Thresholds
from vision.boxes import letterbox
from vision.classifier import ScriptedClassifier, cut_crops
from vision.detector import SLICE_PX, ScriptedDetector, find_tiles, look_at, scale_for
from vision.felt_squares import FeltSquares
from vision.pictures import PictureError
from vision.reader import TileReader, flag_impossible_counts, flag_odd_sizes
from vision.report import PictureResult, draw, read_many, to_json, to_text
from vision.sharpness import sharpness
from vision.types import Detections, Floats, Image, TileReading

THRESHOLDS = Thresholds(sure=0.9, check=0.5)
HAND = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "1z", "1z", "1z", "5z", "5z"]


def row_boxes(count: int, left: float = 20, top: float = 100) -> list[tuple[float, float, float, float]]:
    return [(left + 30 * place, top, left + 30 * place + 30, top + 42) for place in range(count)]


def picture(width: int = 640, height: int = 360) -> Image:
    return np.full((height, width, 3), 90, np.uint8)


def scripted(tiles: list[str], score: float = 0.99) -> TileReader:
    return TileReader(ScriptedDetector(row_boxes(len(tiles))), ScriptedClassifier(LABELS, tiles, score), THRESHOLDS)


def test_a_hand_is_read_in_order_with_boxes_and_certainty() -> None:
    reading = scripted(HAND).read(picture())
    assert (reading.width, reading.height) == (640, 360)
    assert [tile.tile for tile in reading.tiles] == HAND
    assert [(group.kind, group.tiles) for group in reading.groups] == [("hand", tuple(range(14)))]
    assert reading.tiles[3].box_px == (110, 100, 140, 142)
    assert {tile.sure for tile in reading.tiles} == {"sure"}


@pytest.mark.parametrize(("score", "sure"), [(0.91, "sure"), (0.89, "check"), (0.51, "check"), (0.49, "unreadable")])
def test_certainty_follows_the_thresholds(score: float, sure: str) -> None:
    reading = scripted(["1m"], score).read(picture())
    assert [tile.sure for tile in reading.tiles] == [sure]
    assert reading.tiles[0].score == pytest.approx(score)
    assert all(face != "1m" and 0 < chance < 0.6 for face, chance in reading.tiles[0].also)


def test_in_the_dark_nothing_is_sure_and_a_dark_back_with_a_lit_edge_may_be() -> None:
    image = picture() // 4
    image[100:142, 50:80] = 20  # the second tile is dark, but for its lower edge
    image[136:142, 50:80] = (30, 60, 30)
    tiles = scripted(["1m", "x", "2m"]).read(image).tiles
    assert [tile.sure for tile in tiles] == ["check", "sure", "check"]
    assert {tile.sure for tile in scripted(["1m", "x", "2m"]).read(picture() // 3).tiles} == {"sure"}


@pytest.mark.parametrize(
    ("left", "top", "sure"),
    [(1.5, 100, "check"), (608.5, 100, "check"), (20, 0, "check"), (20, 316.5, "check"), (3, 3, "sure")],
)
def test_a_face_that_may_go_on_beyond_the_picture_is_never_sure(left: float, top: float, sure: str) -> None:
    """Of a 5p cut by the edge a 2p is left; a back stays a back."""
    for tile, expected in (("2p", sure), ("x", "sure")):
        reader = TileReader(
            ScriptedDetector(row_boxes(1, left, top)), ScriptedClassifier(LABELS, [tile], 0.99), THRESHOLDS
        )
        assert [found.sure for found in reader.read(picture()).tiles] == [expected]


def strokes() -> Image:
    """One tile of the scripted row with a few thin strokes in every direction, drawn for these tests."""
    image = picture()
    image[100:142, 20:50] = 230
    for start, end in (((25, 106), (45, 106)), ((35, 104), (35, 136)), ((25, 112), (45, 134)), ((45, 112), (25, 134))):
        cv2.line(image, start, end, (30, 30, 160), 2)
    return image


SHAKEN = {
    "across": np.full((1, 9), 1 / 9), "down": np.full((9, 1), 1 / 9), "aslant": np.eye(9) / 9,
    "out of focus": np.full((7, 7), 1 / 49),
}  # fmt: skip


@pytest.mark.parametrize("way", SHAKEN)
def test_what_is_not_seen_sharply_needs_a_higher_score_to_be_sure(way: str) -> None:
    """A 9s smeared over a quarter of its width is a 6s with a score that is right on sharp pictures."""
    limits = Thresholds(sure=0.75, check=0.5, soft=0.9)
    smeared = cv2.filter2D(strokes(), -1, SHAKEN[way]).astype(np.uint8)
    for image, score, sure in (
        (strokes(), 0.8, "sure"), (smeared, 0.8, "check"), (smeared, 0.89, "check"), (smeared, 0.91, "sure")
    ):  # fmt: skip
        reader = TileReader(ScriptedDetector(row_boxes(1)), ScriptedClassifier(LABELS, ["9s"], score), limits)
        assert [tile.sure for tile in reader.read(image).tiles] == [sure]


def test_a_back_has_no_strokes_to_be_seen_sharply_and_needs_the_higher_score() -> None:
    limits = Thresholds(sure=0.75, check=0.5, soft=0.9)
    for score, sure in ((0.8, "check"), (0.91, "sure")):
        reader = TileReader(ScriptedDetector(row_boxes(1)), ScriptedClassifier(LABELS, ["x"], score), limits)
        assert [tile.sure for tile in reader.read(strokes()).tiles] == [sure]


@pytest.mark.parametrize("light", [0.3, 0.6, 1.0])
def test_how_sharp_a_picture_is_does_not_hang_on_its_light(light: float) -> None:
    crop = strokes()[90:152, 4:66]
    assert sharpness((crop * light).astype(np.uint8)) == pytest.approx(sharpness(crop), rel=0.05)
    assert sharpness(np.full((64, 64, 3), 200, np.uint8)) == 0


class FacesAndBacks(ScriptedDetector):
    """A detector of two classes: certain of a face, certain of a back, and twice rather for a back."""

    @property
    def classes(self) -> tuple[str, ...]:
        return ("face", "back")

    def detect(self, image: Image, longest_px: int) -> Detections:
        found = super().detect(image, longest_px)
        return Detections(found.boxes_xyxy_px, np.array([[0.9, 0], [0.01, 0.79], [0.2, 0.6], [0.2, 0.6]], np.float32))


class Naming(ScriptedClassifier):
    """Names three tiles and is certain of them to different degrees."""

    def name(self, image: Image, boxes_xyxy_px: Floats, felt: FeltSquares | None = None) -> Floats:
        answer = super().name(image, boxes_xyxy_px, felt)
        answer[-1, :] = 0.6 / (len(LABELS) - 1)
        answer[-1, LABELS.index("5z")] = 0.4
        return answer


def test_what_lies_face_down_is_decided_by_both_networks() -> None:
    """The second tile is a back whatever it shows; of the others the detector says back, the classifier rather not."""
    reader = TileReader(FacesAndBacks(row_boxes(4)), Naming(LABELS, ["1m", "5z", "5z"]), THRESHOLDS)
    tiles = reader.read(picture()).tiles
    assert [tile.tile for tile in tiles] == ["1m", "x", "5z", "x"]
    assert [tile.sure for tile in tiles] == ["sure", "sure", "check", "unreadable"]
    assert [tiles[2].also[0][0], tiles[3].also[0][0]] == ["x", "5z"]
    assert tiles[2].score == pytest.approx(0.99 * (1 - 0.75 / 2), abs=0.01)


def test_a_back_that_the_detector_takes_for_a_face_is_one_if_the_classifier_says_so() -> None:
    detector = FacesAndBacks(row_boxes(4))
    tiles = TileReader(detector, ScriptedClassifier(LABELS, ["1m", "x", "x"], 0.9), THRESHOLDS).read(picture()).tiles
    assert [tile.tile for tile in tiles] == ["1m", "x", "x", "x"]
    assert tiles[2].score == pytest.approx((0.75 + 0.9) / 2, abs=0.01)


@pytest.mark.parametrize(("limit", "sure"), [(0.78, "sure"), (0.8, "check")])
def test_a_plain_surface_is_a_sure_back_only_where_the_detector_is_certain_of_a_tile(limit: float, sure: str) -> None:
    """The detector gives the second tile 0.79 as a back and next to nothing as a face."""
    strict = Thresholds(sure=0.9, check=0.5, back=limit)
    tiles = TileReader(FacesAndBacks(row_boxes(4)), Naming(LABELS, ["1m", "5z", "5z"]), strict).read(picture()).tiles
    assert [(tile.tile, tile.sure) for tile in tiles[:2]] == [("1m", "sure"), ("x", sure)]
    assert tiles[1].score > 0.97


def test_a_transparent_hole_is_no_sure_back() -> None:
    """Without the mask its even grey is one to both networks; a grey tile that was photographed is never so even."""
    image = np.random.default_rng(3).normal(114, 4, (360, 640, 3)).clip(0, 255).astype(np.uint8)
    image[104:138, 50:80] = 114
    tiles = scripted(["x", "x", "x"]).read(image).tiles
    assert [tile.sure for tile in tiles] == ["sure", "check", "sure"]


def test_what_may_be_no_tile_at_all_is_never_sure() -> None:
    reader = TileReader(
        ScriptedDetector(row_boxes(2), (0.35, 0.7)), ScriptedClassifier(LABELS, ["1p", "1p"]), THRESHOLDS
    )
    assert [tile.sure for tile in reader.read(picture()).tiles] == ["check", "sure"]


@pytest.mark.parametrize(
    ("found", "face", "kept"), [(0.7, 0.36, True), (0.7, 0.25, True), (0.55, 0.25, False), (0.7, 0.15, False)]
)
def test_a_tile_that_nobody_can_name_is_asked_for_where_one_certainly_lies(
    found: float, face: float, *, kept: bool
) -> None:
    """In its place in the row it is a question; where the detector is in doubt as well there is none."""
    limits = Thresholds(sure=0.9, check=0.5, tile=0.35)
    detector = ScriptedDetector(row_boxes(3), (0.9, found, 0.9))
    named = Vague(LABELS, ["1p", "2p", "3p"], face)
    tiles = TileReader(detector, named, limits).read(picture()).tiles
    assert [(tile.tile, tile.sure) for tile in tiles] == [
        ("1p", "sure"), *([("2p", "unreadable")] if kept else []), ("3p", "sure")
    ]  # fmt: skip


class Vague(ScriptedClassifier):
    """Names the tiles it is told, and is as certain of the second one as it is told."""

    def __init__(self, labels: tuple[str, ...], tiles: list[str], second: float) -> None:
        super().__init__(labels, tiles)
        self._second, self._face = second, labels.index(tiles[1])

    def name(self, image: Image, boxes_xyxy_px: Floats, felt: FeltSquares | None = None) -> Floats:
        answer = super().name(image, boxes_xyxy_px, felt)
        vague = answer.argmax(axis=1) == self._face
        answer[vague] = (1 - self._second) / (len(self.labels) - 1)
        answer[vague, self._face] = self._second
        return answer


def test_a_detector_of_faces_only_leaves_backs_to_the_classifier() -> None:
    assert [tile.tile for tile in scripted(["x", "5z"]).read(picture()).tiles] == ["x", "5z"]


def test_a_fifth_copy_is_flagged_and_nothing_is_invented() -> None:
    tiles = [TileReading("9p", 0.95 + place / 100, "sure", (), (0, 0, 1, 1)) for place in range(5)]
    tiles += [TileReading("3f", 0.97, "sure", (), (0, 0, 1, 1)), TileReading("3f", 0.99, "sure", (), (0, 0, 1, 1))]
    tiles += [TileReading("x", 0.99, "sure", (), (0, 0, 1, 1))] * 6
    flagged = flag_impossible_counts(tiles)
    assert [tile.tile for tile in flagged] == [tile.tile for tile in tiles]
    assert [tile.score for tile in flagged] == [tile.score for tile in tiles]
    assert [place for place, tile in enumerate(flagged) if tile.sure == "check"] == [0, 5]


@pytest.mark.parametrize(
    ("box", "sure"),
    [
        ((30, 0, 60, 42), "sure"), ((25, 3, 67, 33), "sure"),  # in line; lying across
        ((30, 0, 60, 23), "check"), ((30, 0, 72, 42), "check"),  # half of a tile; one and a half of two
    ],
)  # fmt: skip
def test_a_box_that_is_no_box_around_one_tile_is_never_sure(box: tuple[float, float, float, float], sure: str) -> None:
    tiles = [
        TileReading("1m", 0.99, "sure", (), (30 * place, 0, 30 * place + 30, 42)) for place in range(6) if place != 1
    ]
    tiles.append(TileReading("2p", 0.99, "sure", (), box))
    tiles.append(TileReading("x", 0.99, "sure", (), (80, 50, 92, 60)))  # backs may stand behind, smaller
    assert [tile.sure for tile in flag_odd_sizes(tiles)] == ["sure"] * 5 + [sure, "sure"]


def test_size_says_nothing_where_nothing_lies_near() -> None:
    far = [
        TileReading("1m", 0.99, "sure", (), (400 * place, 0, 400 * place + 30 + 15 * place, 42)) for place in range(4)
    ]
    assert flag_odd_sizes(far) == far


def test_a_wall_of_backs_is_a_row_and_not_a_hand() -> None:
    reading = scripted(["x"] * 17).read(picture())
    assert [(group.kind, len(group.tiles)) for group in reading.groups] == [("row", 17)]


def test_a_picture_without_tiles_is_an_empty_reading() -> None:
    reading = scripted([]).read(picture())
    assert (reading.tiles, reading.groups) == ((), ())


def test_300_tiles_are_all_read() -> None:
    boxes = [
        (4 + 30.0 * (n % 20), 4 + 44.0 * (n // 20), 34 + 30.0 * (n % 20), 46 + 44.0 * (n // 20)) for n in range(300)
    ]
    faces = [LABELS[n % 34] for n in range(300)]
    reader = TileReader(ScriptedDetector(boxes), ScriptedClassifier(LABELS, faces), THRESHOLDS)
    reading = reader.read(picture(640, 680))
    assert len(reading.tiles) == 300
    assert [tile.tile for tile in reading.tiles] == faces
    assert {len(group.tiles) for group in reading.groups} == {20}


@pytest.mark.parametrize("bad", [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3), np.float32), "hand.jpg", None])
def test_what_is_no_picture_is_refused_at_the_door(bad: object) -> None:
    with pytest.raises(ValueError, match="a picture must be"):
        scripted([]).read(bad)  # type: ignore[arg-type]


class Recorder:
    """Finds square tiles of a given size on a felt, but only when they are large enough in its input."""

    classes = ("face",)
    input_px = 640

    def __init__(self, tile_px: float, needs_px: float) -> None:
        self.looks: list[tuple[tuple[int, ...], int]] = []
        self.tile_px, self.needs_px = tile_px, needs_px

    def detect(self, image: Image, longest_px: int) -> Detections:
        self.looks.append((image.shape[:2], longest_px))
        if self.tile_px * longest_px / max(image.shape[:2]) < self.needs_px:
            return Detections.none()
        marks = cv2.connectedComponentsWithStats((image[:, :, 0] > 200).astype(np.uint8))[2][1:]
        boxes = np.array([(x, y, x + w, y + h) for x, y, w, h, _ in marks], np.float32).reshape(-1, 4)
        return Detections(boxes, np.full((len(boxes), 1), 0.9, np.float32))


def marked(width: int, height: int, side: int) -> tuple[Image, set[tuple[float, ...]]]:
    image = np.zeros((height, width, 3), np.uint8)
    places = [(x, y) for x in range(10, width - side, side * 3) for y in range(10, height - side, side * 3)]
    for x, y in places:
        image[y : y + side, x : x + side] = 255
    return image, {(float(x), float(y), float(x + side), float(y + side)) for x, y in places}


@pytest.mark.parametrize(
    ("width", "height", "side", "most_looks"), [(640, 640, 40, 1), (1920, 1080, 90, 1), (1920, 1080, 44, 2)]
)
def test_large_tiles_cost_one_look_and_small_ones_few(width: int, height: int, side: int, most_looks: int) -> None:
    image, expected = marked(width, height, side)
    detector = Recorder(side, needs_px=8)
    found = find_tiles(detector, image)
    assert {tuple(box) for box in found.boxes_xyxy_px.tolist()} == expected
    assert len(detector.looks) <= most_looks


def test_a_part_of_a_small_picture_is_looked_at_no_more_coarsely_than_all_of_it() -> None:
    image, _ = marked(320, 320, 8)
    detector = Recorder(8, needs_px=12)
    found = find_tiles(detector, image)
    assert len(found) > 100
    scale = scale_for(detector, found.boxes_xyxy_px, np.zeros(len(found), np.bool_), 320)
    assert len(look_at(detector, image, (0, 0, 320, 320), scale)) == len(found)


class Backs(Recorder):
    """All it finds lies face down."""

    classes = ("face", "back")

    def detect(self, image: Image, longest_px: int) -> Detections:
        found = super().detect(image, longest_px)
        return Detections(found.boxes_xyxy_px, np.repeat([[0.1, 0.9]], len(found), axis=0).astype(np.float32))


def test_backs_are_looked_at_more_closely_than_faces_of_their_size() -> None:
    """21 pixels in the first look: enough for a face, too little for a plain surface."""
    image, _ = marked(1280, 1280, 42)
    looks = []
    for detector in (Recorder(42, needs_px=8), Backs(42, needs_px=8)):
        find_tiles(detector, image)
        looks.append([longest for _, longest in detector.looks])
    assert looks[0] == [640]
    assert len(looks[1]) == 2
    assert looks[1][1] >= 1.25 * 640


def test_a_4k_table_is_looked_at_in_slices_and_no_tile_is_lost_or_doubled_at_a_cut() -> None:
    image, expected = marked(3840, 2160, 44)
    detector = Recorder(44, needs_px=20)
    found = find_tiles(detector, image)
    assert {tuple(box) for box in found.boxes_xyxy_px.tolist()} == expected
    assert max(longest for _, longest in detector.looks) <= SLICE_PX


def test_slices_share_a_picture_evenly_so_that_little_is_looked_at_twice() -> None:
    image, _ = marked(3840, 2160, 44)
    detector = Recorder(44, needs_px=20)
    find_tiles(detector, image)
    slices = [height * width for (height, width), _ in detector.looks if (height, width) != (2160, 3840)]
    assert len(slices) > 1
    assert sum(slices) < 1.25 * 3840 * 2160


def test_a_closer_look_leaves_out_the_floor_beside_the_table() -> None:
    image, _ = marked(1920, 1080, 30)
    image[:, :500] = image[:, 1500:] = 0
    detector = Recorder(30, needs_px=8)
    found = find_tiles(detector, image)
    marks = cv2.connectedComponentsWithStats((image[:, :, 0] > 200).astype(np.uint8))[2][1:]
    assert len(found) == len(marks)
    (_, first), ((height, width), _) = detector.looks
    assert first == 640
    assert height == 1080
    assert width < 1500


def test_crops_are_cut_at_native_size_with_grey_outside() -> None:
    image = picture(100, 80)
    image[20:40, 30:50] = (255, 0, 0)  # blue
    crops = cut_crops(image, np.array([[40, 30, 20], [0, 0, 20]], np.float32), 16)
    assert crops.shape == (2, 16, 16, 3)
    assert crops.dtype == np.uint8
    assert crops[0, 8, 8].tolist() == [255, 0, 0]
    assert crops[1, 2, 2].tolist() == [114] * 3
    assert crops[1, 13, 13].tolist() == [90] * 3


def test_json_has_exactly_the_promised_form() -> None:
    reading = scripted(["5p"], 0.8).read(picture())
    line = json.loads(to_json(PictureResult("a/b.jpg", reading)))
    assert list(line) == ["image", "width", "height", "tiles", "groups"]
    assert line["image"] == "a/b.jpg"
    assert list(line["tiles"][0]) == ["tile", "score", "sure", "also", "box"]
    assert line["tiles"][0]["tile"] == "5p"
    assert line["tiles"][0]["box"] == [20, 100, 50, 142]
    assert line["groups"] == [{"kind": "row", "tiles": [0]}]


def test_many_pictures_stream_and_a_bad_one_does_not_stop_the_others(tmp_path: Path) -> None:
    for name in ("one.png", "sub/one.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        cv2.imwrite(str(tmp_path / name), picture())
    (tmp_path / "bad.jpg").write_bytes(b"")
    paths = [tmp_path / "one.png", tmp_path / "bad.jpg", str(tmp_path / "sub/one.png")]
    results = read_many(scripted(HAND), paths, tmp_path / "drawn")
    first = next(results)  # there before the others are read
    assert first.drawn == tmp_path / "drawn" / "one.read.jpg"
    second, third = results
    assert second.reading is None
    assert json.loads(to_json(second)) == {"image": str(tmp_path / "bad.jpg"), "error": second.error}
    assert "bad.jpg: the file is empty" in to_text(second)
    assert third.reading is not None
    assert third.drawn == tmp_path / "drawn" / "one-2.read.jpg"
    assert cv2.imread(str(third.drawn)).shape == (360, 640, 3)


def test_a_drawing_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), picture())
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(PictureError, match="cannot be written"):
        list(read_many(scripted(HAND), [tmp_path / "a.png"], tmp_path / "file"))


def test_drawn_boxes_are_green_when_sure_and_red_when_unreadable() -> None:
    reader = scripted(["1m"], 0.3)
    image = picture()
    drawn = draw(image, reader.read(image))
    assert (image == 90).all()
    blue, green, red = (int(level) for level in drawn[142, 35])
    assert red > 200 > 100 > max(blue, green)


def test_text_for_people_marks_the_doubtful() -> None:
    assert "row   1m?" in to_text(PictureResult("a.jpg", scripted(["1m"], 0.7).read(picture())))
    assert "no tiles found; photograph them" in to_text(PictureResult("a.jpg", scripted([]).read(picture())))


def test_a_50_megapixel_photo_needs_little_more_memory_than_itself() -> None:
    image = np.zeros((5774, 8660, 3), np.uint8)
    tracemalloc.start()
    detector = Recorder(40, needs_px=20)
    find_tiles(detector, image)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(detector.looks) > 4
    assert peak < 100e6


def test_a_letterboxed_slice_costs_the_pixels_of_the_slice_only() -> None:
    assert letterbox(picture(1280, 320), 1280).pixels.shape == (1, 320, 1280, 3)

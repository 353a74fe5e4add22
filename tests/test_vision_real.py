"""The reader with the shipped weights on real pictures: the project's own rendered ones and labelled photographs."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from models import load_manifest
from vision.boxes import iou
from vision.pictures import load_picture
from vision.reader import TileReader
from vision.types import PictureReading

PICTURES = Path(__file__).parent / "pictures"


@dataclass
class Tally:
    """Counts over pictures: labelled tiles, found, with the right face; read tiles, right; sure ones, wrong."""

    labelled: int = 0
    located: int = 0
    right: int = 0
    read: int = 0
    sure: int = 0
    sure_wrong: int = 0

    def add(self, reading: PictureReading, faces: list[str], boxes: np.ndarray) -> None:
        overlap = iou(boxes, np.array([tile.box_px for tile in reading.tiles], np.float32).reshape(-1, 4))
        self.labelled += len(faces)
        self.read += sum(tile.tile != "x" for tile in reading.tiles)
        for face, row in zip(faces, overlap, strict=True):
            if not len(row) or row.max() <= 0.5:
                continue
            tile = reading.tiles[int(row.argmax())]
            self.located += 1
            self.right += tile.tile == face
            self.sure += tile.sure == "sure"
            self.sure_wrong += tile.sure == "sure" and tile.tile != face


@pytest.fixture(scope="module")
def reader() -> TileReader:
    return TileReader.from_models(threads=2)


def rendered() -> list[dict]:
    return json.loads((PICTURES / "truth.json").read_text(encoding="utf-8"))["pictures"]


def test_photographs_are_read_nearly_without_error(shared: Path, reader: TileReader) -> None:
    """Bar of the first release: 93 % of the labelled tiles with the right face, 93 % of what is read is right."""
    folder = shared / "photos" / "val"
    names = (shared / "photos" / "classes.txt").read_text(encoding="ascii").split()
    with (folder / "views.csv").open(encoding="utf-8") as file:
        complete = sorted(row["image"] for row in csv.DictReader(file) if row["view"] == "complete")
    tally = Tally()
    for name in complete[:: len(complete) // 12]:
        image = load_picture(folder / "images" / name)
        rows = np.loadtxt(folder / "labels" / f"{Path(name).stem}.txt", ndmin=2)
        middle, half = rows[:, 1:3], rows[:, 3:5] / 2
        boxes = np.concatenate([middle - half, middle + half], axis=1) * np.tile(image.shape[1::-1], 2)
        tally.add(reader.read(image), [names[int(number)] for number in rows[:, 0]], boxes.astype(np.float32))
    assert tally.labelled > 200
    assert tally.located >= 0.97 * tally.labelled
    assert tally.right >= 0.93 * tally.labelled
    assert tally.right >= 0.93 * tally.read
    assert tally.sure >= 0.7 * tally.located
    assert tally.sure_wrong <= 0.01 * tally.sure


def test_rendered_tiles_are_found_where_they_lie(reader: TileReader) -> None:
    tally = Tally()
    for truth in rendered():
        faces = [tile for tile in truth["tiles"] if tile["tile"] != "x"]
        boxes = np.array([tile["box"] for tile in faces], np.float32)
        tally.add(reader.read(load_picture(PICTURES / truth["picture"])), [tile["tile"] for tile in faces], boxes)
    assert tally.labelled > 60
    assert tally.located >= 0.9 * tally.labelled


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hand_row.jpg", [("hand", 13)]),
        ("hand_rotated.jpg", [("hand", 13), ("row", 1)]),
        ("pond_three_rows.jpg", [("pond", 15)]),
    ],
)
def test_rendered_tables_are_sorted_into_their_groups(
    name: str, expected: list[tuple[str, int]], reader: TileReader
) -> None:
    reading = reader.read(load_picture(PICTURES / name))
    assert [(group.kind, len(group.tiles)) for group in reading.groups] == expected


@pytest.mark.parametrize(("width", "least"), [(200, 9), (450, 12), (900, 13), (4000, 13)])
def test_a_hand_is_found_at_any_size_of_the_picture(width: int, least: int, reader: TileReader) -> None:
    image = load_picture(PICTURES / "hand_row.jpg")
    image = cv2.resize(image, (width, round(image.shape[0] * width / image.shape[1])), interpolation=cv2.INTER_AREA)
    reading = reader.read(image)
    assert least <= len(reading.tiles) <= 14
    assert (reading.width, reading.height) == image.shape[1::-1]


@pytest.mark.parametrize("face_down", [False, True])
def test_300_tiles_in_one_picture_are_all_read(face_down: bool, reader: TileReader) -> None:
    """One tile of the rendered hand, laid out twenty by fifteen."""
    hand = load_picture(PICTURES / "hand_and_melds.jpg")
    alike = [one for one in reader.read(hand).tiles if (one.tile == "x") == face_down]
    best = max(alike, key=lambda tile: tile.score)
    left, top, right, bottom = (round(edge) for edge in best.box_px)
    tile = cv2.resize(hand[top:bottom, left:right], (44, 60), interpolation=cv2.INTER_AREA)
    image = np.full((15 * 80 + 80, 20 * 60 + 80, 3), (60, 110, 50), np.uint8)
    for place in range(300):
        x, y = 40 + 60 * (place % 20), 40 + 80 * (place // 20)
        image[y : y + 60, x : x + 44] = tile
    found = reader.read(image).tiles
    assert len(found) == 300
    assert {one.tile for one in found} == {best.tile}


def test_a_thumbnail_is_never_sure(reader: TileReader) -> None:
    image = cv2.resize(load_picture(PICTURES / "hand_row.jpg"), (200, 111), interpolation=cv2.INTER_AREA)
    tiles = reader.read(image).tiles
    assert tiles
    assert "sure" not in {tile.sure for tile in tiles}


@pytest.mark.parametrize("name", ["hand_row.jpg", "hand_and_melds.jpg", "pond_three_rows.jpg"])
def test_eight_bit_weights_read_what_the_exact_ones_read(name: str, reader: TileReader) -> None:
    """Where the manifest names eight-bit twins; else both are the same."""
    shipped = load_manifest()
    plain = replace(
        shipped, detector=replace(shipped.detector, int8=None), classifier=replace(shipped.classifier, int8=None)
    )
    picture = load_picture(PICTURES / name)
    quick, exact = reader.read(picture), TileReader.from_manifest(plain, threads=1).read(picture)
    assert [tile.tile for tile in quick.tiles] == [tile.tile for tile in exact.tiles]
    boxes = [np.array([tile.box_px for tile in one.tiles]) for one in (quick, exact)]
    assert np.abs(boxes[0] - boxes[1]).max() < 4


def test_an_empty_felt_holds_no_tiles(reader: TileReader) -> None:
    felt = np.clip(np.random.default_rng(4).normal((60, 110, 40), 6, (720, 1280, 3)), 0, 255).astype(np.uint8)
    assert reader.read(felt).tiles == ()


def test_the_same_picture_is_read_the_same_twice(reader: TileReader) -> None:
    image = load_picture(PICTURES / "pond_three_rows.jpg")
    assert reader.read(image) == reader.read(image)


def test_a_program_has_its_first_reading_soon_and_in_little_memory() -> None:
    """The seconds that cores worked, for another program may have the cores; from the first import on.

    The peak is the program's own: what `getrusage` calls its peak may be that of the program that started it.
    """
    program = (
        "from vision.pictures import load_picture; from vision.reader import TileReader; import pathlib, sys, time\n"
        "tiles = TileReader.from_models().read(load_picture(sys.argv[1])).tiles\n"
        "peak_kb = pathlib.Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0]\n"
        "print(len(tiles), time.process_time(), int(peak_kb) / 1024)\n"
    )
    table = Path(__file__).parent.parent / "table" / "demo" / "hand2_win.jpg"
    said = subprocess.run([sys.executable, "-c", program, table], capture_output=True, check=True, text=True).stdout
    tiles, worked_s, peak_mb = map(float, said.split())
    assert tiles > 100
    assert worked_s < 3
    assert peak_mb < 500


def test_one_picture_takes_no_longer_than_a_person_waits(reader: TileReader) -> None:
    """A wide bar, for a machine that does other things as well; `make bench` measures."""
    image = load_picture(PICTURES / "hand_row.jpg")
    started = time.perf_counter()
    reader.read(image)
    assert time.perf_counter() - started < 5

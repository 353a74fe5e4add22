"""What enrolment is worth: ``python -m models.train.enrolment_gain --photos PHOTOS/val --sets SETS``.

Photographs: from each set's pictures, one (or three) labelled tiles of every kind play the owner's rows, all others of
the same set are judged; where four pictures show a set laid out, as an owner would, they are the rows in another line.
Which photographs of the club tables show the same set is in ``single_sets.csv``. Rendered sets
(``models.train.enrolment_scenes``): the product's own path, from the pictures of the rows to the file's last layer.
Boxes are given, so that these figures are about naming alone; tiles under 16 pixels or mostly hidden are left out.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from models import HERE, LABELS, Manifest, load_manifest
from models.train.data import GROUPS, LabelledPicture, group_of, read_patches, read_pictures, read_views
from vision.classifier import CropRule, Looks, OnnxClassifier
from vision.detector import OnnxDetector
from vision.enrolled import EnrolledSet, EnrolmentError
from vision.enrolment import RowReader, enrol, learnt
from vision.pictures import load_picture
from vision.types import Image
from vision.views import LyingTile, views_of

SMALLEST_PX, LEAST_VISIBLE = 16, 0.7
SINGLE_SETS = Path(__file__).with_name("single_sets.csv")
"""Pictures of the club tables that show the same set, told by faces, numerals and backs; looked at one by one."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A labelled tile: its picture and box, and what it is."""

    picture: Path
    box_px: tuple[float, float, float, float]
    tile: str


@dataclass(frozen=True, slots=True)
class Named:
    """Answers to N tiles: right or wrong, and with which probability."""

    right: NDArray[np.bool_]
    score: NDArray[np.float32]

    def line(self, sure: float) -> str:
        """Share right, share called sure, wrong among them, and the share at 0.5 % wrong."""
        claimed = self.score >= sure
        wrong = float((~self.right[claimed]).mean()) if claimed.any() else 0.0
        order = np.argsort(-self.score, kind="stable")
        mistakes = np.cumsum(~self.right[order])
        fine = np.flatnonzero(mistakes <= 0.005 * np.arange(1, len(order) + 1))
        reach = (fine[-1] + 1) / len(order) if len(fine) else 0.0
        return f"{self.right.mean():7.2%} | {claimed.mean():6.1%} | {wrong:6.2%} | {reach:6.1%}"


def joined(parts: Sequence[Named]) -> Named:
    """All answers together."""
    return Named(np.concatenate([part.right for part in parts]), np.concatenate([part.score for part in parts]))


class Judge:
    """One classifier with and without enrolled tiles."""

    def __init__(self, manifest: Manifest, threads: int) -> None:
        sheet = manifest.classifier
        self.sure = manifest.thresholds.sure
        self._path, self._threads = sheet.path, threads
        self._rule = CropRule(sheet.size_px, sheet.margin, sheet.quarter_turns)
        self.plain = self.with_enrolled(None)
        where = manifest.detector
        self.rows = RowReader(OnnxDetector(where.path, where.classes, threads, where.input_px), self.plain)

    def with_enrolled(self, enrolled: EnrolledSet | None) -> OnnxClassifier:
        """The classifier as the product builds it."""
        return OnnxClassifier(self._path, LABELS, self._rule, self.sure, self._threads, enrolled=enrolled)

    def named(self, classifier: OnnxClassifier, tiles: Sequence[Tile]) -> Named:
        """Names given boxes."""
        right, score = [], []
        for picture, members in by_picture(tiles).items():
            boxes = np.array([tile.box_px for tile in members], np.float32)
            answer = classifier.name(load_picture(picture), boxes)
            right += [LABELS[best] == tile.tile for best, tile in zip(answer.argmax(axis=1), members, strict=True)]
            score += list(answer.max(axis=1))
        return Named(np.array(right, np.bool_), np.array(score, np.float32))

    def views(self, image: Image, tile: Tile) -> Looks:
        """What the network says about all views of a labelled tile that lies straight in its picture."""
        left, top, right, bottom = tile.box_px
        wide, high = right - left, bottom - top
        lying = LyingTile(
            (left + right) / 2, (top + bottom) / 2, min(wide, high), max(wide, high), 0.0 if wide <= high else np.pi / 2
        )
        return self.plain.look(views_of(image, lying, self._rule.size_px, self._rule.margin))


def by_picture(tiles: Iterable[Tile]) -> dict[Path, list[Tile]]:
    """The same tiles picture by picture."""
    pictures: dict[Path, list[Tile]] = {}
    for tile in tiles:
        pictures.setdefault(tile.picture, []).append(tile)
    return pictures


def photographed(folder: Path, group: str = "") -> dict[str, list[Tile]]:
    """The labelled tiles of the photographs by set: the desk's, and those of the felt that enough pictures show.

    Args:
        folder: labelled photographs.
        group: only those of this group.
    """
    views, sets = read_views(folder), {row["picture"]: row["set"] for row in _single_sets()}
    found: dict[str, list[Tile]] = {}
    for picture in read_pictures(folder, read_patches()):
        stem = picture.path.stem
        name = "desk" if group_of(stem) == "desk" else sets.get(stem)
        if name and group in ("", group_of(stem)) and views.get(stem) != "stretched":
            found.setdefault(name, []).extend(_tiles(picture, load_picture(picture.path)))
    return found


def laid_out(tiles: Sequence[Tile]) -> list[Tile]:
    """Those that lie in pictures which show the whole set, each tile once."""
    stems = {row["picture"] for row in _single_sets() if row["laid out"]}
    return [tile for tile in tiles if tile.picture.stem in stems]


def _single_sets() -> list[dict[str, str]]:
    with SINGLE_SETS.open(encoding="ascii", newline="") as file:
        return list(csv.DictReader(file))


def _tiles(picture: LabelledPicture, image: Image) -> list[Tile]:
    boxes = picture.boxes_px(image.shape[1], image.shape[0])
    return [
        Tile(picture.path, (float(box[0]), float(box[1]), float(box[2]), float(box[3])), LABELS[label])
        for box, label in zip(boxes, picture.labels, strict=True)
        if min(box[2] - box[0], box[3] - box[1]) >= SMALLEST_PX
    ]


def shown(tiles: Sequence[Tile], shots: int, rng: np.random.Generator) -> list[Tile]:
    """Up to `shots` tiles of every kind that lie straight, as an owner would lay them."""
    picked: list[Tile] = []
    for kind in LABELS[:-1]:
        fits = [tile for tile in tiles if tile.tile == kind and _straight(tile)]
        picked += [fits[place] for place in rng.permutation(len(fits))[:shots]]
    return picked


def _straight(tile: Tile) -> bool:
    left, top, right, bottom = tile.box_px
    sides = sorted((right - left, bottom - top))
    return 1.25 < sides[1] / sides[0] < 1.6


def judge_photographs(judge: Judge, tables: dict[str, list[Tile]], shots: Sequence[int], seeds: int) -> None:
    """Prints a line for each set without and with enrolment."""
    for name, tiles in sorted(tables.items()):
        before = judge.named(judge.plain, tiles)
        print(f"{name:12s} | {len(tiles):5d} | none    | {before.line(judge.sure)}", flush=True)
        for count in shots:
            chosen = [shown(tiles, count, np.random.default_rng((seed, count))) for seed in range(seeds)]
            named = joined([judge_rest(judge, tiles, owner) for owner in chosen])
            print(f"{name:12s} | {len(named.right):5d} | {count} a kind | {named.line(judge.sure)}", flush=True)
        rows = laid_out(tiles)
        faces = [tile for tile in rows if not tile.tile.endswith("f")]
        for what, owner in (("rows", rows), ("no f", faces)) if rows else ():
            try:
                named = judge_rest(judge, tiles, owner)
            except EnrolmentError as error:
                print(f"{name:12s} | {what} refused: {error}", flush=True)
                continue
            print(f"{name:12s} | {len(named.right):5d} | {what:7s} | {named.line(judge.sure)}", flush=True)


def judge_rest(judge: Judge, tiles: Sequence[Tile], owner: Sequence[Tile]) -> Named:
    """The other tiles of the kinds that an owner showed, named by the classifier that learnt these.

    Kinds of which no tile lies straight in any picture are not shown; an owner would show them, too.
    """
    known, kinds = set(owner), {tile.tile for tile in owner}
    rest = [tile for tile in tiles if tile not in known and tile.tile in kinds]
    return judge.named(judge.with_enrolled(_enrolled(judge, owner)), rest)


def _enrolled(judge: Judge, owner: Sequence[Tile]) -> EnrolledSet:
    looks: dict[str, list[Looks]] = {}
    for picture, members in by_picture(owner).items():
        image = load_picture(picture)
        for tile in members:
            looks.setdefault(tile.tile, []).append(judge.views(image, tile))
    return learnt(looks, "0", "2000-01-01")


def judge_sets(judge: Judge, folder: Path) -> None:
    """Prints what the rendered sets gain, each enrolled from its own pictures of rows."""
    before, after, refused, doubts = [], [], 0, 0
    for place in tqdm(sorted(folder.iterdir()), unit="set"):
        rows = []
        for picture in sorted((place / "rows" / "images").glob("*.jpg")):
            try:
                rows.append(judge.rows.look(load_picture(picture), picture.name))
            except EnrolmentError as error:
                refused += 1
                tqdm.write(f"{place.name}/{error}")
        doubts += sum(len(row.doubts) for row in rows)
        try:
            own = judge.with_enrolled(enrol(rows, "0", "2000-01-01"))
        except EnrolmentError as error:
            tqdm.write(f"{place.name}: {error}")
            continue
        tiles = list(_rendered(place / "table"))
        before.append(judge.named(judge.plain, tiles))
        after.append(judge.named(own, tiles))
    count = sum(len(part.right) for part in before)
    print(f"{len(before)} rendered sets, rows refused: {refused}, right tiles asked about: {doubts}")
    print(f"{'rendered':12s} | {count:5d} | none    | {joined(before).line(judge.sure)}")
    print(f"{'rendered':12s} | {count:5d} | rows    | {joined(after).line(judge.sure)}")


def _rendered(folder: Path) -> Iterable[Tile]:
    for truth in sorted((folder / "truth").glob("*.json")):
        picture = folder / "images" / f"{truth.stem}.jpg"
        for tile in json.loads(truth.read_text(encoding="ascii"))["tiles"]:
            left, top, right, bottom = tile["box"]
            large = min(right - left, bottom - top) >= SMALLEST_PX
            if large and tile["visible"] >= LEAST_VISIBLE and tile["tile"] != "x":
                yield Tile(picture, (left, top, right, bottom), tile["tile"])


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, help="folder of labelled photographs")
    parser.add_argument("--sets", type=Path, help="folder written by models.train.enrolment_scenes")
    parser.add_argument("--models", type=Path, default=HERE, help="folder of other weights with a manifest.json")
    parser.add_argument("--group", default="", choices=["", *GROUPS], help="only this group of photographs")
    parser.add_argument("--shots", type=int, nargs="+", default=[1, 3], help="tiles of each kind to show")
    parser.add_argument("--seeds", type=int, default=3, help="choices of these tiles")
    parser.add_argument("--threads", type=int, default=2)
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    judge = Judge(load_manifest(chosen.models), chosen.threads)
    print("set          | tiles | shown   |   right |   sure | wrong  | at 0.5 % wrong")
    if chosen.photos:
        judge_photographs(judge, photographed(chosen.photos, chosen.group), chosen.shots, chosen.seeds)
    if chosen.sets:
        judge_sets(judge, chosen.sets)


if __name__ == "__main__":
    main()

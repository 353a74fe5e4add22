"""From pictures of the whole table to sightings: every discard in its order, every meld and hand at its seat."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from table.follow.sighting import SeatSighting, Sighting
from table.sightings import sighting_of
from tests.seen_rig import ScriptedTable
from vision.calibration import calibrate
from vision.felt import find_felt
from vision.grouping import arrange
from vision.pictures import load_picture
from vision.reader import TileReader
from vision.types import PictureReading, TileReading
from vision.zones import ZonePlan

DEMO = Path(__file__).parent.parent / "table" / "demo"
HANDS = json.loads((DEMO / "truth.json").read_text(encoding="utf-8"))["hands"]
PICTURES = [picture for hand in HANDS for picture in hand["pictures"].values()]


def sighted(picture: dict[str, Any], reading: PictureReading) -> Sighting:
    felt = find_felt(load_picture(DEMO / picture["picture"]))
    assert felt is not None
    calibration = calibrate(felt.corners_px, picture_px=(picture["width"], picture["height"]))
    return sighting_of(reading, calibration, ZonePlan(), 0.0)


def true_reading(picture: dict[str, Any]) -> PictureReading:
    return arrange(picture["width"], picture["height"], _tiles(picture))


def _tiles(picture: dict[str, Any]) -> list[TileReading]:
    return [TileReading(one["tile"], 1.0, "sure", (), tuple(one["box"])) for one in picture["tiles"]]


def lying(picture: dict[str, Any], seat: int, *kinds: str) -> list[list[str]]:
    """The groups of these kinds at a seat, as they truly lie; walls and standing tiles have no faces."""
    return [
        [picture["tiles"][index]["tile"] for index in group["tiles"]]
        for group in picture["groups"]
        if group["seat"] == seat and group["kind"] in kinds and group["note"] not in ("stand", "down")
    ]


def faces(seen: SeatSighting) -> dict[str, list[str]]:
    return {
        "pond": [tile.candidates[0][0] for tile in seen.pond],
        "melds": sorted("".join(sorted(tile.candidates[0][0] for tile in meld)) for meld in seen.melds),
        "flowers": [tile.candidates[0][0] for tile in seen.flowers],
        "hand": sorted(tile.candidates[0][0] for tile in seen.hand),
    }


def truth(picture: dict[str, Any], seat: int) -> dict[str, list[str]]:
    return {
        "pond": [tile for group in lying(picture, seat, "pond") for tile in group],
        "melds": sorted("".join(sorted(group)) for group in lying(picture, seat, "meld")),
        "flowers": [tile for group in lying(picture, seat, "flowers") for tile in group],
        "hand": sorted(tile for group in lying(picture, seat, "hand", "winning_tile") for tile in group),
    }


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture["picture"])
def test_every_tile_gets_its_place(picture: dict[str, Any]) -> None:
    sighting = sighted(picture, true_reading(picture))
    assert [faces(seen) for seen in sighting.seats] == [truth(picture, seat) for seat in range(4)]


def test_the_shipped_eyes_see_the_same() -> None:
    """A whole table read by the shipped models: each discard in order, one tile in fifty may be doubtful."""
    picture = HANDS[0]["pictures"]["play"]
    reading = TileReader.from_models(threads=1).read(load_picture(DEMO / picture["picture"]))
    sighting = sighted(picture, reading)
    for seat, seen in enumerate(sighting.seats):
        pond = truth(picture, seat)["pond"]
        assert len(seen.pond) == len(pond)
        assert all(not tile.faces or face in tile.faces for tile, face in zip(seen.pond, pond, strict=True))


def test_a_back_that_may_be_a_face_still_belongs_to_its_kong() -> None:
    """The eyes say 6p and are not sure that it is no back: a kong with a question, and no meld of three."""
    picture, seat, first = _kong()
    for also, hidden in (((("x", 0.38),), False), ((("5p", 0.38),), True)):
        reading = _changed(
            picture, first, TileReading("6p", 0.57, "check", also, tuple(picture["tiles"][first]["box"]))
        )
        sighting = sighted(picture, reading)
        kongs = [meld for meld in sighting.seats[seat].melds if len(meld) == 4]
        assert [sum(tile.maybe_back for tile in meld) for meld in kongs] == ([] if hidden else [2])
        assert ((seat, "melds") in sighting.hidden) is hidden
        shown = sorted(tile.candidates[0][0] for meld in kongs for tile in meld)
        assert shown == ([] if hidden else ["1m", "1m", "x", "x"])
        assert sum(not tile.sure for meld in kongs for tile in meld) == len(kongs)


def test_a_kong_without_one_of_its_backs_is_asked_about() -> None:
    """Two faces and one back touch: nobody can say what lies there, and nobody does."""
    picture, seat, first = _kong()
    assert (seat, "melds") not in sighted(picture, true_reading(picture)).hidden
    found = [tile for number, tile in enumerate(_tiles(picture)) if number != first]
    sighting = sighted(picture, arrange(picture["width"], picture["height"], found))
    assert {(seat, "melds"), (seat, "hand")} <= sighting.hidden


def _kong() -> tuple[dict[str, Any], int, int]:
    """A picture with a concealed kong that shows two faces, whose it is, and its first tile."""
    return next(
        (picture, group["seat"], group["tiles"][0])
        for picture in PICTURES
        for group in picture["groups"]
        if group["kind"] == "meld" and [picture["tiles"][index]["tile"] for index in group["tiles"]].count("x") == 2
    )


@pytest.mark.parametrize(("score", "flower"), [(0.99, True), (0.45, False)])
def test_a_flower_half_covered_by_the_hand_is_in_doubt_but_not_overlooked(score: float, flower: bool) -> None:
    """Its box is as small as that of a tile that stands, which shows no flower."""
    picture = next(picture for picture in PICTURES if picture["picture"] == "hand6_win.jpg")
    index = next(number for number, tile in enumerate(_tiles(picture)) if tile.tile == "8f")
    tile, before = _tiles(picture)[index], sighted(picture, true_reading(picture)).seats[0]
    left, top, right, bottom = tile.box_px
    half = replace(tile, score=score, box_px=(left, top, right, bottom - (bottom - top) * 0.3))
    seen = sighted(picture, _changed(picture, index, half)).seats[0]
    names = [one.candidates[0][0] for one in before.flowers]
    left_over = [name for name in names if flower or name != tile.tile]
    assert [one.candidates[0][0] for one in seen.flowers] == left_over
    assert [one.sure for one in seen.flowers] == [name != tile.tile for name in left_over]
    assert (seen.standing or 0) == (before.standing or 0) + (not flower)


def _changed(picture: dict[str, Any], index: int, tile: TileReading) -> PictureReading:
    tiles = _tiles(picture)
    tiles[index] = tile
    return arrange(picture["width"], picture["height"], tiles)


@pytest.mark.parametrize(
    ("melds", "hand", "seen", "standing"),
    [
        (["1m 1m 1m", "2p 3p 4p", "9s 9s 9s"], 4, 3, 4),  # four tiles are left beside three melds
        (["1m 1m 1m", "x x x x", "9s 9s 9s"], 0, 3, None),
        (["x x x x"], 0, 1, None),
        (["1m 1m 1m", "x x x x", "9s 9s 9s"], 2, 3, 2),
        ([], 8, 0, 8),  # a hand lying face down, and no two kongs
        ([], 12, 0, 12),
    ],
)
def test_four_tiles_face_down_are_a_kong_only_if_the_hand_has_others(
    melds: list[str], hand: int, seen: int, standing: int | None
) -> None:
    table = ScriptedTable()
    table.melds[0] = [meld.split() for meld in melds]
    table.lay(0, ["x"] * hand)
    frame = table.latest()
    assert frame is not None
    own = sighting_of(table.read(frame.image), table.felt, ZonePlan(), 0.0).seats[0]
    assert (len(own.melds), own.standing) == (seen, standing)

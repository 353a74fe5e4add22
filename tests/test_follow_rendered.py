"""A hand on a rendered table, in tiles that training never saw: read by the shipped eyes and followed move by move.

The whole measurement, twenty hands, is `python -m tests.bench_evening`; here is one whole hand, and another one in
`test_table_following_rendered`, so far from this that another worker of the tests plays it meanwhile.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from models.train.live_table import LiveTable
from rules.registry import ruleset
from table.follow.legal import legal_moves
from table.follow.sighting import SeatSighting
from table.sightings import sighting_of
from tests.bench_tables import Score, calibrated, seen_in, true_reading, true_stacks, truth_of, whole_table
from tests.evening_sim import HandPlay
from tests.rendered_evening import follow_one
from tests.rendered_table import PLACES, Laying, Seats
from vision.types import Group, PictureReading
from vision.zones import ZonePlan

PLACE = PLACES["unseen set, 1600 x 1200"]


def test_a_whole_rendered_hand_is_followed_until_its_win() -> None:
    """廣東: fifteen discards, two of them taken, and a win."""
    follow_one(PLACE, "guangdong", 16)


@pytest.fixture(scope="module")
def live() -> LiveTable:
    return PLACE.open(seed=1)


def test_only_what_changed_is_painted_anew(live: LiveTable) -> None:
    """Tiles laid one after the other look as tiles laid at once; tiles taken away leave the felt as it was."""
    legal = legal_moves(ruleset("sichuan"))
    laying = Laying(Seats(live.body, PLACE.half_mm, (0, 1, 2, 3)), seed=1)
    bare = live.frame(np.random.default_rng(1))
    play = HandPlay(legal, 0, Random(1))
    moves = play.play()
    for _ in range(3):
        next(moves)
    tiles = laying.tiles(play)
    for count in (len(tiles) - 1, len(tiles)):
        live.lay(tiles[:count])
    bit_by_bit = live.frame(np.random.default_rng(1))
    live.lay([])
    assert np.abs(live.frame(np.random.default_rng(1)).astype(int) - bare).max() <= 8
    live.lay(tiles)
    at_once = live.frame(np.random.default_rng(1))
    assert np.abs(at_once.astype(int) - bit_by_bit).mean() < 0.3  # each tile has a shade of its own
    assert np.abs(at_once.astype(int) - bare).mean() > 1


def test_tables_are_sorted_rightly_from_true_boxes() -> None:
    """Two whole tables in unseen styles: each pond in order, each meld, flower and open hand at its seat."""
    score = Score()
    for number in (0, 1):
        scene = whole_table(number)
        sighting = sighting_of(true_reading(scene), calibrated(scene), ZonePlan(), 0.0)
        score.take(str(number), truth_of(scene), seen_in(sighting))
    assert score.right == score.all, score.notes
    assert sum(score.all.values()) > 12


def test_the_stacks_of_each_wall_are_counted_and_one_that_was_not_found_is_no_certainty() -> None:
    scene = whole_table(0)
    stacks, reading = true_stacks(scene), true_reading(scene)

    def seats(changed: PictureReading) -> tuple[SeatSighting, ...]:
        return sighting_of(changed, calibrated(scene), ZonePlan(), 0.0).seats

    assert stacks == [7, 0, 16, 12]
    assert [(seat.stacks, seat.stacks_sure) for seat in seats(reading)] == [(count, True) for count in stacks]

    groups = scene.plan.layout.groups
    wall = [
        number for number, tile in enumerate(scene.tiles) if (g := groups[tile.group]).kind == "wall" and g.seat == 2
    ]
    inside = sorted(wall, key=lambda number: scene.tiles[number].order)[5]
    left = tuple(tile for number, tile in enumerate(reading.tiles) if number != inside)
    lost = replace(reading, tiles=left, groups=tuple(Group("row", (index,)) for index in range(len(left))))
    assert (seats(lost)[2].stacks, seats(lost)[2].stacks_sure) == (15, False)

    doubt = replace(reading.tiles[inside], sure="check", score=0.6)
    unsure = replace(reading, tiles=(*reading.tiles[:inside], doubt, *reading.tiles[inside + 1 :]))
    assert [(seat.stacks, seat.stacks_sure) for seat in seats(unsure)] == [
        (7, True),
        (0, True),
        (16, False),
        (12, True),
    ]

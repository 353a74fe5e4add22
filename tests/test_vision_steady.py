"""Votes over frames: a still table keeps its faces, a changed table changes, and not before it is clear."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from models import Thresholds
from vision.steady import APPEAR, PATIENCE, Steady
from vision.types import Group, PictureReading, TileReading

THRESHOLDS = Thresholds(sure=0.9, check=0.5)


def tile(face: str, score: float = 0.97, x: float = 0.0, other: str = "9p") -> TileReading:
    also = ((other, round(1 - score, 4)),)
    return TileReading(face, score, "sure" if score >= 0.9 else "check", also, (x, 0.0, x + 30, 42.0))


def reading(*tiles: TileReading) -> PictureReading:
    return PictureReading(640, 480, tiles, tuple(Group("row", (place,)) for place in range(len(tiles))))


def faces(answer: PictureReading) -> list[str]:
    return [tile.tile for tile in answer.tiles]


def test_on_a_still_table_of_sixty_seconds_no_tile_changes_its_face() -> None:
    """600 frames of 14 tiles; every reading jitters, and one in eight names the wrong face."""
    rng = np.random.default_rng(2)
    truth = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "1z", "1z", "1z", "5z", "5z"]
    steady, seen = Steady(THRESHOLDS), set()
    for _ in range(600):
        tiles = []
        for place, face in enumerate(truth):
            wrong = rng.random() < 1 / 8
            score = float(rng.uniform(0.5, 0.95))
            one = tile("2f", score, 30 * place, face) if wrong else tile(face, score, 30 * place, "2f")
            box = np.array(one.box_px) + rng.normal(0, 0.6, 4)
            tiles.append(TileReading(one.tile, one.score, one.sure, one.also, tuple(box)))
        shown = [place for place in range(14) if rng.random() > 0.02]  # a detector misses one now and then
        answer = steady.update(reading(*(tiles[place] for place in shown)))
        if len(answer.tiles) == 14:
            seen.add(tuple(faces(answer)))
            assert [group.kind for group in answer.groups] == ["hand"]
    assert seen == {tuple(truth)}


def test_a_tile_is_believed_in_its_second_frame() -> None:
    steady = Steady(THRESHOLDS)
    assert APPEAR == 2
    assert faces(steady.update(reading(tile("1m")))) == []
    assert faces(steady.update(reading(tile("1m")))) == ["1m"]


def test_a_speck_seen_once_is_never_shown() -> None:
    steady = Steady(THRESHOLDS)
    steady.update(reading(tile("1m"), tile("2m", x=300)))
    for _ in range(5):
        assert faces(steady.update(reading(tile("1m")))) == ["1m"]


def test_a_tile_that_is_gone_goes_after_a_few_frames() -> None:
    steady = Steady(THRESHOLDS)
    for _ in range(4):
        steady.update(reading(tile("1m")))
    shown = [faces(steady.update(reading())) for _ in range(PATIENCE)]
    assert shown == [["1m"]] * (PATIENCE - 1) + [[]]


def test_another_tile_in_the_same_place_takes_over_once_and_for_good() -> None:
    steady = Steady(THRESHOLDS)
    for _ in range(20):
        steady.update(reading(tile("1m")))
    shown = [faces(steady.update(reading(tile("5s"))))[0] for _ in range(20)]
    changes = sum(one != two for one, two in pairwise(shown))
    assert shown[0] == "1m"
    assert shown[-1] == "5s"
    assert changes == 1
    assert shown.index("5s") <= 10


def test_two_frames_of_another_face_change_nothing() -> None:
    steady = Steady(THRESHOLDS)
    for _ in range(3):
        steady.update(reading(tile("7s", 0.6, other="8s")))
    for _ in range(2):
        assert faces(steady.update(reading(tile("8s", 0.9, other="7s")))) == ["7s"]
    assert faces(steady.update(reading(tile("7s", 0.6, other="8s")))) == ["7s"]


def test_the_score_is_the_mean_of_the_votes_and_decides_how_sure_it_is() -> None:
    steady = Steady(THRESHOLDS)
    for _ in range(30):
        answer = steady.update(reading(tile("7s", 0.8, other="8s")))
    assert answer.tiles[0].score == pytest.approx(0.8, abs=1e-3)
    assert answer.tiles[0].sure == "check"
    assert answer.tiles[0].also == (("8s", pytest.approx(0.2, abs=1e-3)),)


def test_a_flag_of_the_reader_is_kept() -> None:
    """A fifth copy is not sure, however certain its picture is."""
    steady = Steady(THRESHOLDS)
    flagged = TileReading("7s", 0.99, "check", (), (0, 0, 30, 42))
    for _ in range(5):
        answer = steady.update(reading(flagged))
    assert [tile.sure for tile in answer.tiles] == ["check"]


def test_how_sure_a_tile_is_shown_does_not_come_and_go_with_the_noise() -> None:
    rng = np.random.default_rng(4)
    steady, shown = Steady(THRESHOLDS), []
    for _ in range(200):
        answer = steady.update(reading(tile("7s", float(rng.normal(0.9, 0.03)), other="8s")))
        shown += [one.sure for one in answer.tiles]
    assert sum(one != two for one, two in pairwise(shown)) <= 1


@pytest.mark.parametrize("limit", [0.88, 0.92])
def test_a_reader_with_another_limit_makes_no_tile_flicker(limit: float) -> None:
    """It asks to check half of the frames for their score; that is in the votes already."""
    rng = np.random.default_rng(5)
    steady, shown = Steady(THRESHOLDS), []
    for score in rng.normal(limit, 0.02, 200):
        sure = "sure" if score >= limit else "check"
        one = TileReading("7s", float(score), sure, (("8s", 0.05),), (0.0, 0.0, 30.0, 42.0))
        shown += [seen.sure for seen in steady.update(reading(one)).tiles]
    assert sum(one != two for one, two in pairwise(shown)) <= 1


def test_what_has_become_less_sure_is_sure_again_only_after_something_moved() -> None:
    steady = Steady(THRESHOLDS)

    def frames(score: float) -> str:
        for _ in range(20):
            answer = steady.update(reading(tile("7s", score, other="8s")))
        return answer.tiles[0].sure

    assert [frames(0.97), frames(0.89), frames(0.85), frames(0.97)] == ["sure", "sure", "check", "check"]
    steady.stir()
    assert frames(0.97) == "sure"


def test_a_reader_that_wavers_about_a_tile_leaves_it_to_be_checked() -> None:
    steady = Steady(THRESHOLDS)
    wavering = [TileReading("7s", 0.99, sure, (), (0, 0, 30, 42)) for sure in ("sure", "check", "check")]
    for _ in range(20):
        for one in wavering:
            answer = steady.update(reading(one))
    assert answer.tiles[0].sure == "check"
    for _ in range(20):
        answer = steady.update(reading(wavering[0]))
    assert answer.tiles[0].sure == "sure"


def test_five_copies_are_never_all_sure_even_if_another_one_is_flagged_each_time() -> None:
    steady = Steady(THRESHOLDS)
    for frame in range(20):
        copies = [
            TileReading(
                "7s", 0.99, "check" if place == frame % 5 else "sure", (), (30.0 * place, 0, 30.0 * place + 30, 42)
            )
            for place in range(5)
        ]
        answer = steady.update(reading(*copies))
    assert sorted(one.sure for one in answer.tiles) == ["check", "sure", "sure", "sure", "sure"]


def test_the_same_one_of_five_copies_is_asked_for_in_every_frame() -> None:
    rng = np.random.default_rng(6)
    steady, asked = Steady(THRESHOLDS), set()
    for _ in range(60):
        scores = rng.uniform(0.95, 0.99, 5)
        copies = [tile("7s", float(score), x=40 * place, other="8s") for place, score in enumerate(scores)]
        asked |= {one.box_px[0] for one in steady.update(reading(*copies)).tiles if one.sure == "check"}
    assert len(asked) == 1


def test_a_tile_asked_for_in_every_second_frame_does_not_come_and_go() -> None:
    rng = np.random.default_rng(7)
    steady, shown = Steady(THRESHOLDS), []
    for doubtful in rng.random(300) < 0.5:
        one = TileReading("7s", 0.99, "check" if doubtful else "sure", (), (0, 0, 30, 42))
        shown += [seen.sure for seen in steady.update(reading(one)).tiles]
    assert sum(one != two for one, two in pairwise(shown[6:])) <= 1


def test_a_small_jitter_leaves_the_box_where_it_was_and_a_push_moves_it() -> None:
    steady = Steady(THRESHOLDS)
    steady.update(reading(tile("1m", x=100)))
    assert steady.update(reading(tile("1m", x=101.5))).tiles[0].box_px[0] == 100
    assert steady.update(reading(tile("1m", x=106))).tiles[0].box_px[0] == 106


def test_after_a_move_another_tile_is_believed_sooner() -> None:
    def frames_until_changed(stir: bool) -> int:
        steady = Steady(THRESHOLDS)
        for _ in range(20):
            steady.update(reading(tile("1m")))
        if stir:
            steady.stir()
        return next(n for n in range(1, 20) if faces(steady.update(reading(tile("5s")))) == ["5s"])

    assert frames_until_changed(stir=True) <= 5 < frames_until_changed(stir=False)


def test_a_tile_that_stood_and_lies_open_now_was_no_back_before() -> None:
    steady = Steady(THRESHOLDS)
    stood = TileReading("x", 0.99, "sure", (), (0.0, 20.0, 30.0, 38.0))
    for _ in range(5):
        steady.update(reading(stood))
    steady.stir()
    for _ in range(APPEAR):
        answer = steady.update(reading(tile("5p", 0.97, other="6p")))
    assert [(one.tile, one.sure, one.also) for one in answer.tiles] == [("5p", "sure", (("6p", 0.03),))]


def test_reset_forgets_everything() -> None:
    steady = Steady(THRESHOLDS)
    for _ in range(3):
        steady.update(reading(tile("1m")))
    steady.reset()
    assert faces(steady.update(reading())) == []

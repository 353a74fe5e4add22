"""Robbed kongs (搶槓) at the running table: what is told of the win, what is paid, and how the battle goes on."""

from __future__ import annotations

import pytest

from table.events import MoveSeen
from tests.seen_scene import Scene

WAITS = "123456123m99p46p"
LAID = "1m 2m 3m 4m 5m 6m 1m 2m 3m 9p 9p 4p 6p"
OTHERS = "234567234m88p46p"
OTHERS_LAID = "2m 3m 4m 5m 6m 7m 2m 3m 4m 8p 8p 4p 6p"


def about_to_be_robbed() -> Scene:
    """Seat 2 has a pung of seat 0's 5p and has just added the fourth."""
    scene = Scene(rules="sichuan")
    scene.discard((0, "5p"))
    scene.ponds[0].pop()
    scene.melds[2].append("5p 5p 5p")
    scene.look()
    scene.discard((2, "2s"), (3, "3s"), (0, "4s"), (1, "5s"))
    scene.melds[2][0] = "5p 5p 5p 5p"
    scene.look()
    return scene


def agree(scene: Scene, seat: int, hand: str) -> None:
    """The hand of a claim is entered, what is asked is answered with no, and it is agreed upon."""
    claim = scene.document.claim
    assert claim is not None
    assert claim.seat == seat
    scene.desk.must("hand_manual", hand=hand, win_tile="5p")
    for question in scene.document.claim.questions:  # type: ignore[union-attr]
        scene.desk.must(**question.choices[-1].command)
    scene.desk.must("approve")


def told(scene: Scene) -> list[tuple[str, int | None]]:
    return [(one.what, one.seat) for one in scene.desk.state.seen if isinstance(one, MoveSeen)]


@pytest.mark.parametrize("stays", [True, False])
def test_after_a_robbed_kong_the_battle_goes_on_and_the_kong_pays_nothing(*, stays: bool) -> None:
    scene = about_to_be_robbed()
    wall = scene.table.wall
    assert wall is not None
    scene.desk.must("claim_win", seat=3)
    scene.look(3)
    claim = scene.document.claim
    assert claim is not None
    assert claim.seen is not None
    assert (claim.source, claim.from_seat, claim.seen.tile) == ("rob_kong", 2, "5p")
    assert scene.shows(claim.seen.picture, *((2, "melds", place) for place in range(4)))
    scene.hands[3] = LAID if stays else f"{LAID} 5p"
    scene.melds[2][0] = "5p 5p 5p 5p" if stays else "5p 5p 5p"
    scene.look(3)
    agree(scene, 3, WAITS)
    before = scene.desk.state.totals
    scene.look()
    table = scene.table
    assert [(meld.kind, meld.tiles) for meld in table.melds[2]] == [("peng", ("5p", "5p", "5p"))]
    assert (table.turn, table.question, table.noticed) == (0, None, ())
    assert table.wall is not None
    assert table.wall.left == wall.left + 1
    scene.discard((0, "1s"), (1, "9p"), (2, "8m"), (0, "9m"))
    assert told(scene)[-4:] == [("discard", seat) for seat in (0, 1, 2, 0)]
    assert (scene.table.turn, scene.table.question) == (1, None)
    assert scene.desk.state.totals == before
    live = scene.table
    scene.restart()
    scene.look()
    assert scene.table == live


def test_two_rob_the_same_kong() -> None:
    """Seat 3 and seat 0: both are told that they robbed seat 2, and seat 1 plays next."""
    scene = about_to_be_robbed()
    scene.desk.must("claim_win", seat=3)
    scene.desk.must("claim_win", seat=0)
    scene.look(3)
    scene.hands[3], scene.hands[0] = LAID, OTHERS_LAID
    scene.look(3)
    assert [(one.seat, one.source, one.from_seat) for one in scene.desk.state.claims] == [
        (3, "rob_kong", 2), (0, "rob_kong", 2),
    ]  # fmt: skip
    agree(scene, 3, WAITS)
    agree(scene, 0, OTHERS)
    scene.look()
    scene.discard((1, "9p"), (2, "8m"))
    assert told(scene)[-4:] == [("hand", 3), ("hand", 0), ("discard", 1), ("discard", 2)]
    assert scene.table.noticed == ()
    live = scene.table
    scene.restart()
    scene.look()
    assert scene.table == live


def test_who_wins_later_in_a_battle_has_not_won_on_the_tile_that_was_won_on_before() -> None:
    """Seat 3 has won on seat 1's discard; seat 0 plays next and may have drawn: nobody may be told to pay."""
    scene = Scene(rules="sichuan")
    scene.discard((0, "1s"), (1, "5p"))
    scene.desk.must("claim_win", seat=3)
    scene.look(3)
    scene.hands[3] = LAID
    scene.look(3)
    agree(scene, 3, WAITS)
    scene.look()
    scene.desk.must("claim_win", seat=0)
    scene.look(3)
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.from_seat) == (None, None)
    scene.restart()
    scene.look(3)
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.from_seat) == (None, None)


def test_in_a_battle_play_goes_on_after_a_laid_hand_that_won_nothing() -> None:
    scene = Scene(rules="sichuan")
    scene.discard((0, "1s"), (1, "5p"))
    scene.desk.must("claim_win", seat=3)
    scene.hands[3] = LAID
    scene.look(3)
    scene.desk.must("cancel_claim", seat=None)
    scene.hands[3] = ""
    scene.look(3)
    scene.discard((2, "9p"), (3, "8m"), (0, "9m"))
    assert told(scene)[-4:] == [("hand", 3), ("discard", 2), ("discard", 3), ("discard", 0)]
    assert (scene.table.turn, scene.table.question) == (1, None)
    live = scene.table
    scene.restart()
    scene.look()
    assert scene.table == live
    scene.discard((1, "1p"))
    assert told(scene)[-1] == ("discard", 1)

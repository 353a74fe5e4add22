"""長沙 at the running table: kongs that turn up two tiles, and kongs of which nobody saw whether a die was thrown."""

from __future__ import annotations

import pytest

from table.events import MoveSeen
from tests.seen_scene import Scene

HAND = {"hand": "123456789m23p55s", "win_tile": "1p"}


def opened(**options: object) -> Scene:
    """Seat 0 makes a kong after a round of discards."""
    scene = Scene(rules="changsha", bird_count=0, **options)
    scene.discard((0, "9m"), (1, "9p"), (2, "9s"), (3, "8m"))
    scene.melds[0].append("x 7s 7s x")
    scene.look()
    return scene


def told(scene: Scene) -> list[tuple[str, int | None, int | None]]:
    return [(one.what, one.seat, one.from_seat) for one in scene.desk.state.seen if isinstance(one, MoveSeen)]


@pytest.mark.parametrize(("meld", "left"), [("1p 1p 1p", "4s"), ("4s 4s 4s", "1p")])
def test_either_of_two_tiles_is_claimed_from_the_kongs_maker_and_play_goes_on(meld: str, left: str) -> None:
    scene = opened(kong_dice=2)
    scene.ponds[0] += ["1p", "4s"]
    scene.look()
    scene.ponds[0] = ["9m", left]
    scene.melds[2].append(meld)
    scene.look()
    assert told(scene)[-1] == ("peng", 2, 0)
    assert (scene.table.ponds[0], scene.table.turn, scene.table.question) == (("9m", left), 2, None)
    scene.discard((2, "8s"))
    assert told(scene)[-1] == ("discard", 2, None)
    live = scene.table
    scene.restart()
    scene.look()
    assert scene.table == live


def test_a_win_on_one_of_two_tiles_is_told_but_not_on_which() -> None:
    """Two tiles at once are 開槓 for sure: 槓上炮 needs no question; which tile it was is for people to say."""
    scene = opened(kong_dice=2)
    scene.ponds[0] += ["1p", "4s"]
    scene.look()
    scene.desk.must("claim_win", seat=2)
    scene.look(3)
    claim = scene.document.claim
    assert claim is not None
    assert claim.seen is not None
    assert (claim.source, claim.from_seat, claim.seen.tile) == ("kong_discard", 0, "")
    assert scene.shows(claim.seen.picture, (0, "pond", 1), (0, "pond", 2))
    scene.desk.must("hand_manual", **HAND)
    claim = scene.document.claim
    assert claim is not None
    assert claim.verdict is not None
    assert claim.verdict.payments[0] == -7


@pytest.mark.parametrize(("answer", "paid"), [(0, -7), (1, -2)])
def test_whether_a_die_was_thrown_for_the_kong_is_asked_of_a_win_on_the_tile_after_it(answer: int, paid: int) -> None:
    """槓上炮 is the tile that the die turned up; after 補張 it is a discard like any other."""
    scene = opened()
    scene.discard((0, "1p"))
    scene.desk.must("claim_win", seat=2)
    scene.look(3)
    scene.desk.must("hand_manual", **HAND)
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.from_seat, claim.verdict) == ("discard", 0, None)
    (question,) = claim.questions
    assert (question.text_key, question.params) == ("ask_kong_discard", {"seat": 0})
    scene.desk.must(**question.choices[answer].command)
    scene.look(3)
    claim = scene.document.claim
    assert claim is not None
    assert claim.questions == ()
    assert claim.verdict is not None
    assert claim.verdict.payments[0] == paid


def test_a_die_that_was_thrown_tells_it() -> None:
    scene = opened()
    scene.desk.must("kong", seat=0, meld_kind="kong_concealed", tile="7s")
    scene.desk.must("dice", values=[3])
    scene.discard((0, "1p"))
    scene.desk.must("claim_win", seat=2)
    scene.look(3)
    scene.desk.must("hand_manual", **HAND)
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.questions) == ("kong_discard", ())


def test_of_a_discard_after_no_kong_nothing_is_asked() -> None:
    scene = opened()
    scene.discard((0, "2s"), (1, "1p"))
    scene.desk.must("claim_win", seat=3)
    scene.look(3)
    scene.desk.must("hand_manual", **HAND)
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.questions) == ("discard", ())


def test_a_win_on_the_replacement_asks_whether_it_was_opened_ready() -> None:
    """槓上開花 needs the die: not every replacement is 補張."""
    scene = opened()
    scene.desk.must("claim_win", seat=0)
    scene.look(3)
    melds = [{"kind": "kong_concealed", "tiles": "7777s", "from_seat": None}]
    scene.desk.must("hand_manual", hand="123456m23p55s", win_tile="1p", melds=melds)
    claim = scene.document.claim
    assert claim is not None
    assert (claim.source, claim.verdict) == ("kong_replacement", None)
    assert [question.text_key for question in claim.questions] == ["ask_ready_before"]
    scene.desk.must(**claim.questions[0].choices[0].command)
    assert scene.document.claim.verdict.payments == (21, -7, -7, -7)  # type: ignore[union-attr]

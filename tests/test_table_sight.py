"""What the camera adds: a hand is written down once, unless a person asks for another look."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from models import Thresholds
from table import lookout
from table.messages import HandSeen
from table.model import Actor
from table.sight import Sight
from tests.table_kit import Desk, shown

HAND = ("123456789m23m44z", "4m")


class Scribe:
    """Keeps what it is told to write down."""

    def __init__(self) -> None:
        self.hands: list[HandSeen] = []

    def show(self, hand: HandSeen) -> None:
        self.hands.append(hand)


@pytest.mark.parametrize(("wanted", "written"), [(False, 0), (True, 1)])
def test_a_second_look_that_nobody_asked_for_does_not_undo_what_was_agreed(wanted: bool, written: int) -> None:
    desk = Desk().open()
    desk.must("start_hand")
    desk.must("claim_win", seat=1)
    desk.show(1, HAND)
    assert _written(desk, wanted) == written


def test_the_first_look_counts_without_being_asked_for() -> None:
    desk = Desk().open()
    desk.must("start_hand")
    desk.must("claim_win", seat=1)
    assert _written(desk, wanted=False) == 1


def _written(desk: Desk, wanted: bool) -> int:
    scribe = Scribe()
    parts = SimpleNamespace(clock=None, camera=None, follow=False)
    unused: Any = None
    sight = Sight(
        cast("Any", SimpleNamespace(state=desk.state)), cast("Any", parts), unused, unused, cast("Any", scribe)
    )
    sight.seen(HandSeen(shown=shown(1, HAND), actor=Actor(role="system"), idem="camera:1", wanted=wanted))
    return len(scribe.hands)


def test_following_is_stricter_about_sure_and_takes_all_other_limits_from_the_manifest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[Thresholds] = []
    shipped = SimpleNamespace(thresholds=Thresholds(sure=0.8, check=0.62, tile=0.4, back=0.9))
    monkeypatch.setattr(lookout, "load_manifest", lambda **_: shipped)
    monkeypatch.setattr(lookout, "TableWatch", lambda _reader, thresholds: given.append(thresholds))
    lookout.Lookout(cast("Any", None), 0)
    assert given == [Thresholds(sure=lookout.SURE_ALONE, check=0.62, tile=0.4, back=0.9)]

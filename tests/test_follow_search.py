"""How much one look searches when play has run ahead of it: counted in positions, not in seconds."""

from __future__ import annotations

from dataclasses import replace

import pytest

import table.follow.ways as ways
from rules.registry import ruleset
from table.follow import follower as following
from table.follow.explain import explain
from table.follow.follower import Asked, Follower, Moved, Step, Waiting, look
from table.follow.legal import Legal, legal_moves
from table.follow.sighting import SeatSighting, Sighting
from table.follow.state import apply, begin, settle
from table.follow.story import Unclear
from table.follow.ways import Search
from tests.follow_kit import discard, seat, sight

TWO = legal_moves(ruleset("two_player"))
PLAYED = (discard(0, "5m"), discard(1, "2m"), discard(0, "7z"), discard(1, "2z"))
NEXT = discard(0, "8m")


def behind() -> Follower:
    """A hand of two players of whose last look a discard is expected."""
    state = begin(TWO, 0)
    for move in PLAYED:
        state = settle(apply(state, move, TWO), TWO)
    return Follower(state, TWO, expected=(NEXT,))


def two(**seats: SeatSighting) -> Sighting:
    shown = sight(**seats)
    return replace(shown, seats=shown.seats[:2])


AHEAD = two(
    s0=seat("5m 7z 8m 1z 1z/6z 7z", "3m 4m 5m", "3f 7f/8f/5f 7f/3f/5f"),
    s1=seat("2m 2z 3z 3z 2m 6z", "8m/6m/9m 8m 8m/7m/9m"),
)
"""Thirteen new things at once, in every order that turns and claims allow; faces in doubt as the eyes had them."""


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[Search]:
    """The searches of all looks."""
    made: list[Search] = []

    def search(legal: Legal) -> Search:
        made.append(Search(legal))
        return made[-1]

    monkeypatch.setattr(following, "Search", search)
    return made


def test_a_look_far_behind_searches_each_position_once(searches: list[Search]) -> None:
    """Every path of its own was several thousands of positions, and seconds in which nothing else was done."""
    look(behind(), AHEAD)
    assert len(searches) == 1
    assert 100 < searches[0].visits < 900


class Forgetful(dict[object, object]):
    """Remembers nothing."""

    def __setitem__(self, key: object, value: object) -> None:
        pass


def test_what_is_remembered_changes_no_way(monkeypatch: pytest.MonkeyPatch) -> None:
    fewer = two(s0=seat("5m 7z 8m 1z 1z/6z", "3m 4m 5m", "3f"), s1=seat("2m 2z 3z 3z", "8m/6m/9m 8m 8m/7m/9m"))
    search = Search(TWO)
    found = explain(behind().state, fewer, TWO, search=search)
    assert isinstance(found, Unclear)
    assert len(found.ways) > 1
    every = Search(TWO)
    every._known = Forgetful()  # type: ignore[assignment]
    monkeypatch.setattr(ways, "MOST_VISITS", 10**6)
    assert explain(behind().state, fewer, TWO, search=every) == found
    assert every.visits > search.visits


def test_what_cannot_be_searched_is_asked_and_never_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways, "MOST_VISITS", 20)
    follower, steps = behind(), list[Step]()
    for second in range(6):
        follower, step = look(follower, replace(AHEAD, at_s=float(second)))
        steps.append(step)
    assert {type(step) for step in steps} == {Waiting, Asked}
    asked = [step for step in steps if isinstance(step, Asked)]
    assert [(step.why, len(step.tiles), step.ways) for step in asked] == [("unexplained", 17, ())]
    assert follower.state == behind().state
    assert follower.expected == (NEXT,)


def test_it_is_not_asked_under_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways, "MOST_VISITS", 20)
    covered = replace(AHEAD, covered=frozenset({(1, "flowers")}))
    follower = behind()
    for second in range(20):
        follower, step = look(follower, replace(covered, at_s=float(second)))
        assert step == Waiting("covered")


def test_the_next_looks_go_on_where_a_search_was_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as short:
        short.setattr(ways, "MOST_VISITS", 20)
        follower, _ = look(behind(), AHEAD)
    _, step = look(follower, two(s0=seat("5m 7z 8m"), s1=seat("2m 2z")))
    assert step == Moved((NEXT,))

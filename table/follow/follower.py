"""A hand followed from sighting to sighting: what both of the last two agree on counts, what makes no sense is asked.

follower, step = look(follower, sighting)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from table.follow.alike import either, same
from table.follow.explain import explain, too_much
from table.follow.faces import Faces, meet
from table.follow.legal import Legal
from table.follow.moves import Discarded, Move
from table.follow.sighting import Sighting, Spot
from table.follow.state import HandState, apply_all, pin, settle
from table.follow.story import GRACE_S, WAYS_GRACE_S, Contradiction, Explained, Explanation, Unclear, Why
from table.follow.ways import Search, TooMuchError, Way

AGAIN = 2
"""A question is asked only when at least so many sightings after the first one show the same."""


CONTRARY = 3
"""So many sightings in a row must contradict what one sighting showed before that is forgotten."""


@dataclass(frozen=True, slots=True)
class Follower:
    """A hand being followed.

    Attributes:
        state: what is certain to have happened.
        legal: who may do what.
        expected: what the last clear sighting showed beyond that; it counts when the next one agrees.
        rival: what later sightings show instead, where they contradict that; it counts when enough of them agree.
        rivals: how many of them in a row.
        standing: the ways that the last sightings left open; a single sighting that shows none of them decides nothing.
        pins: what a person said of tiles that are not part of the hand yet.
        trouble: what has not made sense since `since_s`; None when all is well.
        since_s: when that began.
        seen: how many sightings showed it.
        asked: whether a person was asked about it.
    """

    state: HandState
    legal: Legal
    expected: Way = ()
    rival: Way = ()
    rivals: int = 0
    standing: tuple[Way, ...] = ()
    pins: Mapping[Spot, str] = field(default_factory=dict)
    trouble: Why | None = None
    since_s: float = 0.0
    seen: int = 0
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Moved:
    """These moves happened (none: all lies as before)."""

    moves: Way


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing can be said before the next sighting."""

    why: Why


@dataclass(frozen=True, slots=True)
class Asked:
    """Only a person can tell: the tiles it is about, why, and the ways it may have gone if more than one is legal."""

    why: Why
    tiles: tuple[Spot, ...]
    ways: tuple[Way, ...] = ()


Step: TypeAlias = Moved | Waiting | Asked


def look(follower: Follower, sighting: Sighting) -> tuple[Follower, Step]:
    """Take in the next sighting."""
    follower = _still_lying(follower, sighting)
    sighting = as_said(follower, sighting)
    try:
        explanation, going_on = _explained(follower, sighting)
    except TooMuchError:
        explanation, going_on = too_much(follower.state, sighting), ()
    if isinstance(explanation, Unclear) and explanation.grace_s is None:
        return follower, Waiting(explanation.why)
    if len(going_on) == 1:
        return _agree(follower, going_on[0])
    if isinstance(explanation, Explained):
        return _agree(follower, explanation.moves)
    if isinstance(explanation, Contradiction) and going_on:  # too much to explain anew, but both stories go on
        explanation = Unclear(WAYS_GRACE_S, "two_ways", explanation.tiles, going_on)
    return _doubt(follower, explanation, sighting.at_s)


def _explained(follower: Follower, sighting: Sighting) -> tuple[Explanation, tuple[Way, ...]]:
    """What a sighting says by itself, and the ways that go on from what the sightings before had shown."""
    search = Search(follower.legal)
    explanation = explain(follower.state, sighting, follower.legal, search=search)
    if isinstance(explanation, Unclear) and explanation.grace_s is None:
        return explanation, ()
    ways: tuple[Way, ...] = (explanation.moves,) if isinstance(explanation, Explained) else ()
    ways = explanation.ways if isinstance(explanation, Unclear) else ways
    return explanation, _going_on(follower, ways, sighting, search)


def as_said(follower: Follower, sighting: Sighting) -> Sighting:
    """The same sighting with what people said of tiles that are not part of the hand yet."""
    for spot, tile in follower.pins.items():
        sighting = sighting.pinned(spot, tile)
    return sighting


def _still_lying(follower: Follower, sighting: Sighting) -> Follower:
    """Without the words about tiles that are no longer there: another one in that place is read as it is."""
    if sighting.moving or not follower.pins:
        return follower
    there = {
        spot: tile
        for spot, tile in follower.pins.items()
        if sighting.at(spot) is not None or (spot.seat, spot.zone) in sighting.hidden
    }
    return replace(follower, pins=there)


def follow(follower: Follower, moves: Way) -> Follower:
    """The follower when these moves are known to have happened, seen by the camera or said by a person."""
    state = apply_all(follower.state, moves, follower.legal)
    return replace(follower, state=state, expected=(), rival=(), rivals=0, standing=(), trouble=None, asked=False)


def say(follower: Follower, spot: Spot, tile: str) -> Follower:
    """A person says what the tile at this place is; the camera does not change it until the tile leaves."""
    known = {place for place, _ in follower.state.tiles()}
    if spot in known:
        return replace(follower, state=settle(pin(follower.state, spot, tile), follower.legal))
    return replace(follower, pins={**follower.pins, spot: tile}, trouble=None, asked=False)


def keep_words(follower: Follower) -> Follower:
    """What people said of tiles before these were part of the hand, now that they are."""
    state, lying = follower.state, dict(follower.state.tiles())
    for spot, tile in follower.pins.items():
        if spot in lying and meet(lying[spot].faces, (tile,)) is not None:
            state = pin(state, spot, tile)
    return replace(follower, state=state, pins={at: word for at, word in follower.pins.items() if at not in lying})


def unexplained(follower: Follower) -> bool:
    """Whether something was seen that no move explains yet: what the hand so far tells of a win may be out of date."""
    return bool(follower.expected or follower.standing) or follower.trouble is not None


def doubts(follower: Follower) -> tuple[tuple[Spot, Faces], ...]:
    """The tiles on the table whose face is still open, for the page that lets a person say it. Play does not wait."""
    return follower.state.open_faces()


def _agree(follower: Follower, moves: Way) -> tuple[Follower, Step]:
    agreed: list[Move] = []
    for before, now in zip(follower.expected, moves, strict=False):
        if not same(before, now):
            break
        agreed.append(either(before, now))
    after = keep_words(follow(follower, tuple(agreed)))
    return _weigh(after, follower, len(agreed), moves[len(agreed) :]), Moved(tuple(agreed))


def _weigh(after: Follower, before: Follower, agreed: int, now: Way) -> Follower:
    """What to expect next. What one sighting showed and this one does not was perhaps only hidden, or never there.

    Of two ways that begin alike the beginning may become certain; what follows it then stands open still.
    """
    certain, left = tuple(map(_lying, before.expected[:agreed])), before.expected[agreed:]
    standing = tuple(way[agreed:] for way in before.standing if _begins(tuple(map(_lying, way)), certain))
    decides = any(_begins(now, way) for way in standing)
    if not left and (decides or not standing):
        return replace(after, expected=now)
    goes_on = not agreed and _begins(now, before.rival)
    rivals = before.rivals + 1 if goes_on else 1
    if rivals >= CONTRARY:
        return replace(after, expected=now)
    return replace(after, expected=left, rival=now, rivals=rivals, standing=standing)


def _begins(way: Way, start: Way) -> bool:
    return len(way) >= len(start) and all(map(same, start, way))


def _lying(move: Move) -> Move:
    """The same move as if it had been seen: a discard that one look showed is one that nobody saw to later looks."""
    return replace(move, seen=True) if isinstance(move, Discarded) else move


def _going_on(follower: Follower, ways: tuple[Way, ...], sighting: Sighting, search: Search) -> tuple[Way, ...]:
    """The ways that go on from what the sightings before had shown: one if that tells what happened.

    What was seen once and is gone now (a discard that was taken at once) is not in the shortest way from the last
    certain hand, so what was expected is also tried as the beginning. A tile of the same face in its place may be
    another one: then a way in which the first one was taken is as good.
    """
    expected = follower.expected
    if not expected:
        return tuple(way for one in follower.standing if (way := _further(follower, one, sighting, search)) is not None)
    if any(_begins(way, expected) for way in ways):
        start = tuple(map(_lying, expected))
        return tuple(way for way in ways if _begins(tuple(map(_lying, way)), start))
    way = _further(follower, expected, sighting, search)
    return () if way is None else (way,)


def _further(follower: Follower, way: Way, sighting: Sighting, search: Search) -> Way | None:
    """The way that begins like this and ends at what the sighting shows. After the end of a hand anything may lie."""
    after = follow(follower, way).state
    if after.step == "over":
        return None
    further = explain(after, sighting, follower.legal, exact=True, search=search)
    return (*way, *further.moves) if isinstance(further, Explained) else None


def _doubt(follower: Follower, explanation: Unclear | Contradiction, now_s: float) -> tuple[Follower, Step]:
    if isinstance(explanation, Unclear) and explanation.ways:
        follower = replace(follower, standing=explanation.ways, rival=(), rivals=0)
    if follower.trouble != explanation.why:
        return replace(follower, trouble=explanation.why, since_s=now_s, seen=1, asked=False), Waiting(explanation.why)
    after = replace(follower, seen=follower.seen + 1)
    grace_s = explanation.grace_s if isinstance(explanation, Unclear) and explanation.grace_s else GRACE_S
    if now_s - follower.since_s < grace_s or after.seen <= AGAIN or follower.asked:
        return after, Waiting(explanation.why)
    ways = explanation.ways if isinstance(explanation, Unclear) else ()
    return replace(after, asked=True), Asked(explanation.why, explanation.tiles, ways)

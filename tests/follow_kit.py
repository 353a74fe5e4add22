"""Sightings and hands written by hand, for the tests of `table.follow`."""

from __future__ import annotations

from rules.registry import ruleset
from table.follow.explain import explain
from table.follow.legal import Legal, legal_moves
from table.follow.moves import Discarded, HandLaid, Move, WinSource
from table.follow.sighting import Glimpse, SeatSighting, Sighting
from table.follow.state import HandState, apply, begin, settle
from table.follow.story import Explained, Unclear
from table.follow.ways import Way

GB = legal_moves(ruleset("gb"))


def glimpses(text: str) -> tuple[Glimpse, ...]:
    """`5p 7s/8s x`: tiles apart by spaces, candidates of a doubtful one by strokes."""
    found = []
    for word in text.split():
        faces = word.split("/")
        found.append(Glimpse(tuple((face, 1 / len(faces)) for face in faces), sure=len(faces) == 1))
    return tuple(found)


def seat(pond: str = "", melds: str = "", flowers: str = "", hand: str = "") -> SeatSighting:
    """What lies before one player; melds apart by commas."""
    groups = tuple(glimpses(group) for group in melds.split(",") if group.strip())
    return SeatSighting(glimpses(pond), groups, glimpses(flowers), glimpses(hand))


def sight(**seats: SeatSighting) -> Sighting:
    """A still, uncovered table: `sight(s0=seat("1m"), s2=seat(...))`."""
    return Sighting(0.0, tuple(seats.get(f"s{number}", seat()) for number in range(4)))


def after(*moves: Move, legal: Legal = GB, dealer: int = 0, wild: str | None = None) -> HandState:
    """The hand after these moves."""
    state = begin(legal, dealer, wild=wild)
    for move in moves:
        state = settle(apply(state, move, legal), legal)
    return state


def discard(who: int, tile: str) -> Discarded:
    return Discarded(seat=who, faces=tuple(tile.split("/")))


def moves(state: HandState, sighting: Sighting, legal: Legal = GB) -> tuple[Move, ...]:
    found = explain(state, sighting, legal)
    assert isinstance(found, Explained), found
    return found.moves


def stories(state: HandState, sighting: Sighting, legal: Legal = GB) -> tuple[Way, ...]:
    """The stories that are offered because nobody can tell which it was."""
    found = explain(state, sighting, legal)
    assert isinstance(found, Unclear), found
    assert found.why == "two_ways"
    return found.ways


def laid(who: int, source: WinSource, feeder: int | None = None, taken: str = "", hand: str = "5p " * 13) -> HandLaid:
    """A hand of these tiles laid open."""
    tiles = tuple((tile,) for tile in hand.split())
    return HandLaid(seat=who, source=source, from_seat=feeder, taken=(taken,) if taken else (), tiles=tiles)

"""The shortest legal way from the hand as it was followed to the hand as it lies on the table.

Where different moves would explain the same table, nothing is chosen. `ways` finds them, `clash` says why none fits.
"""

from __future__ import annotations

from table.follow.change import Vanished, changes
from table.follow.clash import clash
from table.follow.legal import Legal
from table.follow.moves import TableCleared
from table.follow.sighting import Sighting, Spot
from table.follow.state import HandState, apply, settle
from table.follow.story import GRACE_S, WAYS_GRACE_S, Explained, Explanation, Unclear
from table.follow.ways import shortest


def explain(state: HandState, sighting: Sighting, legal: Legal, *, exact: bool = False) -> Explanation:
    """The shortest legal explanation of what lies on the table now.

    Args:
        state: the hand as far as it was followed.
        sighting: the table now; a person's words are already in it.
        legal: who may do what.
        exact: every tile that lay there must read as it did; otherwise a tile that did not move keeps its face.
    """
    if sighting.moving:
        return Unclear(None, "moving")
    if sighting.covered:
        return Unclear(None, "covered", tuple(Spot(seat, zone, 0) for seat, zone in sorted(sighting.covered)))
    if sighting.empty:
        return _cleared(state, legal)
    if state.step == "over":
        return Explained((), state)
    found = changes(state, sighting, exact=exact)
    if isinstance(found, Vanished):
        return Unclear(GRACE_S, "vanished", found.spots)
    ways = shortest(state, found, legal)
    if not ways and not exact and any(change.taken for change in found):
        unmoved = changes(state, sighting, untaken=True)
        if not isinstance(unmoved, Vanished):
            ways = shortest(state, unmoved, legal)
    if not ways:
        return clash(state, found[0], sighting, legal)
    if len(ways) > 1:
        return Unclear(WAYS_GRACE_S, "two_ways", ways=tuple(ways))
    after = state
    for move in ways[0]:
        after = apply(after, move, legal)
    return Explained(ways[0], settle(after, legal))


def wall_is_empty(state: HandState, legal: Legal) -> bool:
    """Whether the hand may end because nobody can draw and discard any more."""
    return state.wall_left <= legal.silent_end


def _cleared(state: HandState, legal: Legal) -> Explanation:
    last = state.moves[-1] if state.moves else None
    untouched = not any(True for _ in state.tiles())
    if isinstance(last, TableCleared) or (untouched and state.step != "over"):
        return Explained((), state)
    if state.step == "over" or wall_is_empty(state, legal):
        cleared = TableCleared()
        return Explained((cleared,), apply(state, cleared, legal))
    return Unclear(GRACE_S, "vanished", tuple(spot for spot, _ in state.tiles()))

"""The shortest legal way from the hand as it was followed to the hand as it lies on the table.

Where different moves would explain the same table, nothing is chosen. `ways` finds them, `clash` says why none fits.
"""

from __future__ import annotations

from dataclasses import replace

from table.follow.alike import structure
from table.follow.change import Change, Vanished, changes, overlooked, robbed_tile_gone
from table.follow.clash import clash, new_spots, taken_late
from table.follow.legal import Legal
from table.follow.moves import Claimed, Discarded, Flowered, HandLaid, Move, TableCleared, makes_kong
from table.follow.sighting import Sighting, Spot
from table.follow.state import HandState, apply, apply_all
from table.follow.story import GRACE_S, WAYS_GRACE_S, Contradiction, Explained, Explanation, Unclear
from table.follow.ways import Search, Way, shortest


def explain(
    state: HandState, sighting: Sighting, legal: Legal, *, exact: bool = False, search: Search | None = None
) -> Explanation:
    """The shortest legal explanation of what lies on the table now.

    Args:
        state: the hand as far as it was followed.
        sighting: the table now; a person's words are already in it.
        legal: who may do what.
        exact: every tile that lay there must read as it did; otherwise a tile that did not move keeps its face.
        search: what the same look has already searched under these rules; None if this is its first explanation.

    Raises:
        TooMuchError: so much is new that it cannot be searched.
    """
    search = search or Search(legal)
    if sighting.moving:
        return Unclear(None, "moving")
    patchy = frozenset((seat, zone) for seat, zone in sighting.patchy if seat not in state.won or zone == "pond")
    sighting = replace(sighting, patchy=patchy)
    if not sighting.hidden and (robbers := _robbers(state, sighting, search)):
        return _chosen(state, robbers, legal, ())
    if not sighting.empty and state.step != "over":
        sighting = replace(sighting, patchy=sighting.patchy | overlooked(state, sighting))
    if sighting.hidden:
        return _in_part(state, sighting, search, exact=exact)
    if sighting.empty:
        return _cleared(state, legal)
    if state.step == "over":
        return Explained((), state)
    found = changes(state, sighting, exact=exact)
    exchanged = _first_of_pair(state, sighting, exact=exact)
    if isinstance(found, Vanished):
        ways = shortest(exchanged, search) if exchanged else []
        if ways:
            return _chosen(state, ways, legal, ())
        return taken_late(state, sighting, found) or Unclear(GRACE_S, "vanished", found.spots)
    ways = shortest([*((state, change) for change in found), *exchanged], search)
    if not ways and not exact and any(change.taken for change in found):
        unmoved = changes(state, sighting, untaken=True)
        if not isinstance(unmoved, Vanished):
            ways = shortest([(state, change) for change in unmoved], search)
    if not ways:
        return clash(state, found[0], sighting, legal)
    return _uncrowded(state, _chosen(state, ways, legal, new_spots(found[0], sighting)), sighting, legal)


def _uncrowded(state: HandState, told: Explanation, sighting: Sighting, legal: Legal) -> Explanation:
    """What happened, unless doubtful faces could only be fifth copies then: a new tile is misread, or one of them.

    Of a new tile that a person has named the word stands.
    """
    if not isinstance(told, Explained) or told.state.crowded(legal) <= state.crowded(legal):
        return told
    before = {spot for spot, _ in state.tiles()}
    new = tuple(spot for spot, _ in told.state.tiles() if spot not in before)
    named = any(tile.pinned for spot in new if (tile := sighting.at(spot)) is not None)
    return told if named else Contradiction(new, "fifth")


def too_much(state: HandState, sighting: Sighting) -> Unclear:
    """What to say of a table of which `explain` cannot look at every way: it is asked, unless a hand is over it."""
    if sighting.covered:
        return Unclear(None, "covered", tuple(Spot(seat, zone, 0) for seat, zone in sorted(sighting.covered)))
    found = changes(state, sighting)
    spots = found.spots if isinstance(found, Vanished) else new_spots(found[0], sighting)
    return Unclear(GRACE_S, "unexplained", spots)


def _robbers(state: HandState, sighting: Sighting, search: Search) -> list[Way]:
    """Who has won on the tile that was just added to a pung, if it lies in a hand laid open and no longer there."""
    found = changes(state, sighting, robbed=True) if robbed_tile_gone(state, sighting) else ()
    return [] if isinstance(found, Vanished) or not found else shortest([(state, change) for change in found], search)


def _first_of_pair(state: HandState, sighting: Sighting, *, exact: bool) -> list[tuple[HandState, Change]]:
    """What is new if the first of two tiles that were thrown at once was taken, with the hand that says so."""
    found = changes(exchanged := state.exchanged(), sighting, exact=exact) if state.pair else ()
    return [] if isinstance(found, Vanished) else [(exchanged, change) for change in found if change.taken]


def _in_part(state: HandState, sighting: Sighting, search: Search, *, exact: bool) -> Explanation:
    """What happened where something can be seen, if that is a whole story; else wait until all can be seen.

    A hand over the table is never asked about. Tiles that are not found as tiles lie are, once play has gone on and
    cannot be told without them.
    """
    spots = tuple(Spot(seat, zone, 0) for seat, zone in sorted(sighting.hidden))
    wait = Unclear(None, "covered", spots)
    found = changes(state, sighting, exact=exact)
    if state.step == "over":
        return wait
    if isinstance(found, Vanished):
        return wait if sighting.covered else Unclear(GRACE_S, "vanished", found.spots)
    if any(change.empty for change in found):
        return wait
    ways = shortest([(state, change) for change in found], search)
    hidden = {seat for seat, _ in sighting.hidden}
    if len(ways) == 1 and not any(_concerns(move, hidden) for move in ways[0]):
        return _chosen(state, ways, search.legal, ())
    return wait if sighting.covered else Unclear(WAYS_GRACE_S, "vanished", spots)


def _concerns(move: Move, seats: set[int]) -> bool:
    """Whether one of these seats may have had a part in a move: made it, fed it, or it was not seen at all.

    A discard that nobody saw may as well be the one that lay where nothing can be seen now; the end of a hand concerns
    everybody.
    """
    if isinstance(move, HandLaid | TableCleared):
        return True
    unseen = isinstance(move, Discarded) and not move.seen
    return unseen or move.seat in seats or (isinstance(move, Claimed) and move.from_seat in seats)


def _chosen(state: HandState, ways: list[Way], legal: Legal, new: tuple[Spot, ...]) -> Explanation:
    stories: dict[object, list[Way]] = {}
    for way in ways:
        stories.setdefault(_but_flowers(way), []).append(way)
    if len(stories) > 1:
        return Unclear(WAYS_GRACE_S, "two_ways", new, tuple(same[0] for same in stories.values()))
    ends = [(way, apply_all(state, way, legal)) for way in ways]
    way, after = next((one for one in ends if one[1].step != "drawn"), ends[0])
    return Explained(way, after)


def _but_flowers(way: Way) -> object:
    """What makes two ways different stories: when a flower was laid aside is none of it.

    Laid aside before the first discard or in a later turn, it takes one replacement, and after that player's next
    discard the hand stands the same. One that leaves the player to draw is taken, so that nothing is ruled out. Only
    before that discard it counts whether his last tile replaces a kong: winning on it may pay for the kong (槓上開花).
    """
    rest = tuple(structure(move) for move in way if not isinstance(move, Flowered))
    flowers = tuple(sorted(move.seat for move in way if isinstance(move, Flowered)))
    return rest, flowers, bool(way) and makes_kong(way[-1])


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

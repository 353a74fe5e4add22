"""What is wrong with a table that nobody's moves explain."""

from __future__ import annotations

from collections.abc import Iterator

from table.follow.change import Change, SeatChange, Vanished, new_groups
from table.follow.faces import meet
from table.follow.legal import Legal
from table.follow.melds import claim_readings, kong_face
from table.follow.sighting import Glimpse, SeatSighting, Sighting, Spot
from table.follow.state import HandState
from table.follow.story import GRACE_S, Contradiction, Explanation, Unclear


def clash(state: HandState, change: Change, sighting: Sighting, legal: Legal) -> Explanation:
    """What is wrong with a table that nobody's moves explain: the first thing that clashes."""
    new = list(_new(change, sighting))
    if change.taken and not new and state.last is not None:
        return Unclear(GRACE_S, "vanished", (Spot(state.last, "pond", len(state.seats[state.last].pond) - 1),))
    left = state.left(legal) if change.taken else {kind: legal.copies(kind) - n for kind, n in _seen(state, legal)}
    fifth = [spot for spot, tile in new if not tile.back and all(left.get(face, 0) <= 0 for face in tile.faces or left)]
    if fifth:
        return Contradiction(tuple(fifth), "fifth")
    for seat, own in enumerate(change.seats):
        for group in own.melds:
            spots = tuple(spot for spot, tile in new if spot.zone == "melds" and any(tile is one for one in group))
            if kong_face(group, left) is None and not claim_readings(group, (), left):
                return Contradiction(spots, "no_meld")
            if change.taken and state.last is not None and not legal.may_chow(seat, state.last):
                readings = claim_readings(group, state.last_faces, left)
                if readings and all(reading.kind == "chi" for reading in readings):
                    return Contradiction(spots, "wrong_side")
    turns = any(not own.empty for seat, own in enumerate(change.seats) if seat != state.turn)
    return Contradiction(tuple(spot for spot, _ in new), "out_of_turn" if turns else "unexplained")


def new_spots(change: Change, sighting: Sighting) -> tuple[Spot, ...]:
    """Where the new tiles lie, as places of the sighting."""
    return tuple(spot for spot, _ in _new(change, sighting))


def _new(change: Change, sighting: Sighting) -> Iterator[tuple[Spot, Glimpse]]:
    for seat, own in enumerate(change.seats):
        yield from _new_of(seat, own, sighting)


def taken_late(state: HandState, sighting: Sighting, gone: Vanished) -> Contradiction | None:
    """A discard that could not be claimed any more and lies in a new meld now; None if no meld can hold it."""
    lost = dict(state.tiles())
    faces = [lost[spot].faces for spot in gone.spots]
    for seat, group in new_groups(state, sighting):
        if len(faces) == 1 and any(not tile.back and meet(faces[0], tile.faces) is not None for tile in group):
            places = {id(tile): place for place, tile in enumerate(_melded(sighting.seats[seat]))}
            return Contradiction(tuple(Spot(seat, "melds", places[id(tile)]) for tile in group), "out_of_turn")
    return None


def _melded(seen: SeatSighting) -> list[Glimpse]:
    return [tile for group in seen.melds for tile in group]


def _seen(state: HandState, legal: Legal) -> Iterator[tuple[str, int]]:
    seen = state.visible()
    return ((kind, seen[kind]) for kind in (*legal.kinds, *legal.flowers))


def _new_of(seat: int, own: SeatChange, sighting: Sighting) -> Iterator[tuple[Spot, Glimpse]]:
    """The new tiles of a seat with their places in the sighting."""
    seen = sighting.seats[seat]
    start = len(seen.pond) - len(own.pond)
    yield from ((Spot(seat, "pond", start + place), tile) for place, tile in enumerate(own.pond))
    new = [tile for group in own.melds for tile in group] + [tile for _, tile in own.grown]
    places = {id(tile): place for place, tile in enumerate(_melded(seen))}
    yield from ((Spot(seat, "melds", places[id(tile)]), tile) for tile in new)
    start = len(seen.flowers) - len(own.flowers)
    yield from ((Spot(seat, "flowers", start + place), tile) for place, tile in enumerate(own.flowers))
    yield from ((Spot(seat, "hand", place), tile) for place, tile in enumerate(own.hand))

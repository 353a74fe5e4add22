"""Tiles that are a kong of their own and lie beside the melds, not in the pond (武漢: 紅中, 癩子)."""

from __future__ import annotations

from dataclasses import replace

from table.follow.faces import certain
from table.follow.legal import Legal
from table.follow.sighting import Glimpse, SeatSighting, Sighting
from table.follow.state import HandState, SeatState


def lone_kongs_apart(state: HandState, sighting: Sighting, legal: Legal) -> Sighting:
    """The same sighting where such tiles count as laid aside, like flowers, and not as tiles of a hand lying open.

    A few tiles face up, all of them of such kinds, are that; beside a hand laid open only those known before are.
    """
    if not legal.own_kongs:
        return sighting
    seats = (_apart(own, seen, state.wild, legal) for own, seen in zip(state.seats, sighting.seats, strict=True))
    return replace(sighting, seats=tuple(seats))


def _apart(own: SeatState, seen: SeatSighting, wild: str | None, legal: Legal) -> SeatSighting:
    def lone(tile: Glimpse) -> bool:
        return certain(tile.faces) and legal.keeps_turn(tile.faces[0], wild)

    if len(seen.hand) < own.concealed:
        aside = list(seen.hand) if all(map(lone, seen.hand)) else []
    else:
        known = [tile.faces for tile in own.flowers]
        aside = []
        for tile in filter(lone, seen.hand):
            if tile.faces in known:
                known.remove(tile.faces)
                aside.append(tile)
    hand = tuple(tile for tile in seen.hand if not any(tile is one for one in aside))
    return replace(seen, flowers=(*seen.flowers, *aside), hand=hand)

"""When two moves are the same one with faces seen differently, and what they are together."""

from __future__ import annotations

from dataclasses import replace

from table.follow.faces import Faces, join, meet
from table.follow.moves import Claimed, Discarded, Flowered, HandLaid, Konged, Move, TableCleared


def structure(move: Move) -> tuple[object, ...]:
    """Who did what to whom, without the faces."""
    match move:
        case Discarded(seat=seat, seen=seen, again=again):
            return ("discard", seat, seen, again)
        case Claimed(seat=seat, kind=kind, from_seat=feeder):
            return (kind, seat, feeder)
        case Konged(seat=seat, kind=kind, meld=meld):
            return (kind, seat, meld)
        case Flowered(seat=seat):
            return ("flower", seat)
        case HandLaid(seat=seat, source=source, from_seat=feeder):
            return ("laid", seat, source, feeder)
        case TableCleared():
            return ("cleared",)


def same(first: Move, second: Move) -> bool:
    """Whether two moves may be the same: by the same player, with faces that do not exclude each other."""
    if structure(first) != structure(second):
        return False
    return all(meet(one, other) is not None for one, other in zip(_faces(first), _faces(second), strict=False))


def _faces(move: Move) -> tuple[Faces, ...]:
    match move:
        case Discarded(faces=faces) | Konged(faces=faces) | Flowered(faces=faces):
            return (faces,)
        case Claimed(taken=taken, tiles=tiles):
            return (taken, *tiles)
        case HandLaid(taken=taken):
            return (taken,)
        case TableCleared():
            return ()


def either(first: Move, second: Move) -> Move:
    """One move where faces may be as in the first or as in the second."""
    match first, second:
        case Discarded(), Discarded():
            return replace(first, faces=join(first.faces, second.faces))
        case Claimed(), Claimed():
            tiles = tuple(map(join, first.tiles, second.tiles))
            return replace(first, taken=join(first.taken, second.taken), tiles=tiles)
        case Konged(), Konged():
            return replace(first, faces=join(first.faces, second.faces))
        case Flowered(), Flowered():
            return replace(first, faces=join(first.faces, second.faces))
        case HandLaid(), HandLaid() if len(first.tiles) == len(second.tiles):
            tiles = tuple(map(join, first.tiles, second.tiles))
            return replace(first, taken=join(first.taken, second.taken), tiles=tiles)
    return second

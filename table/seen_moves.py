"""A followed move as the ledger keeps it, by the seats of the table, and a kept one as following knows it."""

from __future__ import annotations

from collections.abc import Sequence

from table import events as ev
from table.follow.faces import Faces
from table.follow.legal import Legal
from table.follow.moves import Claimed, Discarded, Flowered, HandLaid, Konged, Move, TableCleared
from table.follow.resume import LyingTiles, Told, faces_of, move_of
from table.follow.state import HandState
from table.hand_commands import SeeMove, What
from table.model import Actor, LyingSeat, Seat
from table.seen_view import text_of

CAMERA = Actor(role="system", device="camera")
"""Who reports what was seen."""


def observed(move: Move, idem: str, places: tuple[Seat, ...]) -> SeeMove:
    """A move as it is reported; `places` are the seats of the table that play, in order."""

    def report(
        what: What, seat: int, tiles: tuple[Faces, ...], feeder: int | None = None, taken: Faces = ()
    ) -> SeeMove:
        return SeeMove(
            idem=idem,
            actor=CAMERA,
            what=what,
            seat=places[seat],
            tiles=tuple(map(text_of, tiles)),
            from_seat=None if feeder is None else places[feeder],
            taken="" if feeder is None else text_of(taken),
        )

    match move:
        case Discarded(seat=seat, faces=faces):
            return report("discard", seat, (faces,))
        case Claimed(seat=seat, kind=kind, from_seat=feeder, taken=taken, tiles=tiles):
            return report(kind, seat, tiles, feeder, taken)
        case Konged(seat=seat, kind=kind, faces=faces):
            return report(kind, seat, (faces,))
        case Flowered(seat=seat, faces=faces):
            return report("flower", seat, (faces,))
        case HandLaid(seat=seat, from_seat=feeder, taken=taken, tiles=tiles):
            return report("hand", seat, tiles, feeder, taken)
        case TableCleared():
            return SeeMove(idem=idem, actor=CAMERA, what="cleared", seat=None)


def remembered(seen: ev.MoveSeen, state: HandState, legal: Legal, places: tuple[Seat, ...]) -> Move:
    """A reported move again, after `state`; the inverse of `observed`."""
    told = Told(
        what=seen.what,
        seat=0 if seen.seat is None else places.index(seen.seat),
        tiles=_all(seen.tiles),
        from_seat=None if seen.from_seat is None else places.index(seen.from_seat),
        taken=faces_of(seen.taken) if seen.taken else (),
    )
    return move_of(told, state, legal)


def lying_tiles(lies: Sequence[LyingSeat]) -> list[LyingTiles]:
    """What a person said lies on the table, seat by seat."""
    return [LyingTiles(_all(one.pond), tuple(map(_all, one.melds)), _all(one.flowers)) for one in lies]


def _all(tiles: tuple[str, ...]) -> tuple[Faces, ...]:
    return tuple(map(faces_of, tiles))

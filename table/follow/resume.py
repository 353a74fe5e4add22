"""Taking up a hand where it was left: from the moves that were written down, or from the table as it lies."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from table.follow.faces import BACK, Faces, certain, run_of
from table.follow.legal import Legal
from table.follow.moves import Claimed, Discarded, Flowered, HandLaid, Konged, Move, TableCleared, WinSource
from table.follow.state import HandState, Laid, MeldKind, MeldState, SeatState, settle


@dataclass(frozen=True, slots=True)
class Told:
    """A move in the words of the ledger; seats as the rules number them."""

    what: str
    seat: int
    tiles: tuple[Faces, ...]
    from_seat: int | None
    taken: Faces


@dataclass(frozen=True, slots=True)
class LyingTiles:
    """What lies before one player: discards, groups of tiles, flowers."""

    pond: tuple[Faces, ...]
    melds: tuple[tuple[Faces, ...], ...]
    flowers: tuple[Faces, ...]


def faces_of(text: str) -> Faces:
    """Faces from their text.

    >>> faces_of("7s/8s"), faces_of("x")
    (('7s', '8s'), ())
    """
    return () if text == BACK else tuple(text.split("/"))


def move_of(told: Told, state: HandState, legal: Legal) -> Move:
    """The move that was written down, made in this state."""
    first = told.tiles[0] if told.tiles else ()
    match told.what:
        case "discard":
            again = certain(first) and legal.keeps_turn(first[0], state.wild)
            return Discarded(seat=told.seat, faces=first, again=again)
        case "chi" | "peng" | "kong_open" as kind if told.from_seat is not None:
            return Claimed(seat=told.seat, kind=kind, from_seat=told.from_seat, taken=told.taken, tiles=told.tiles)
        case "kong_concealed":
            return Konged(seat=told.seat, kind="kong_concealed", faces=first)
        case "kong_added":
            return Konged(seat=told.seat, kind="kong_added", faces=first, meld=_pung_of(state.seats[told.seat], first))
        case "flower":
            return Flowered(seat=told.seat, faces=first)
        case "hand":
            source = _source(told, state, legal)
            return HandLaid(seat=told.seat, source=source, from_seat=told.from_seat, taken=told.taken, tiles=told.tiles)
    return TableCleared()


def _source(told: Told, state: HandState, legal: Legal) -> WinSource:
    newest = state.moves[-1] if state.moves else None
    if told.from_seat is not None:
        return "rob_kong" if state.robbable is not None and state.robbable[0] == told.from_seat else "discard"
    flower = isinstance(newest, Flowered) and not legal.is_kong(newest.faces, state.wild)
    after_kong = state.step == "drawn" and not flower
    return "kong_replacement" if after_kong and state.turn == told.seat else "self_draw"


def _pung_of(own: SeatState, faces: Faces) -> int:
    """Which pung grew by this tile; the newest one where a face is in doubt."""
    pungs = [number for number, meld in enumerate(own.melds) if meld.kind == "peng" and not meld.robbed]
    fitting = [number for number in pungs if set(own.melds[number].tiles[0].faces) & set(faces)]
    return (fitting or pungs or [len(own.melds) - 1])[-1]


def lying(state: HandState, seats: Sequence[LyingTiles], turn: int, legal: Legal) -> HandState:
    """The hand as it lies on the table by a person's word, `turn` to play next.

    What happened before is no longer known; the last discard is that of the player before, if he has one. Whoever
    discarded drew before, but for the dealer's first time; who took a discard drew none, and the taken one lies in no
    pond, no more than one that was drawn or taken to win. A kong and a flower took one more.
    """
    own = tuple(_own(tiles, known.melds, legal) for tiles, known in zip(seats, state.seats, strict=True))
    before = next(
        (seat for step in range(1, legal.seats) if (seat := (turn - step) % legal.seats) not in state.won), turn
    )
    pond = own[before].pond
    kinds = [meld.kind for one in own for meld in one.melds]
    kongs = sum(kind.startswith("kong") for kind in kinds)
    discards = sum(len(one.pond) for one in own)
    begun = bool(discards) or any(kind != "kong_concealed" for kind in kinds)
    drawn = discards - begun + state.kept + kongs + sum(len(one.flowers) for one in own)
    after = replace(
        state,
        seats=own,
        turn=turn,
        step="draw" if begun or kinds else "opening",
        wall_left=max(0, legal.wall - len(state.outside) - drawn),
        last=before if pond else None,
        last_faces=pond[-1].faces if pond else (),
        last_seen=True,
        moves=(),
    )
    return settle(after, legal)


def _own(tiles: LyingTiles, known: Sequence[MeldState], legal: Legal) -> SeatState:
    robbed = {meld.tiles[0].faces for meld in known if meld.robbed}
    melds = tuple(_meld(group, robbed) for group in tiles.melds)
    return SeatState(
        concealed=legal.hand_size - 3 * len(melds),
        pond=tuple(map(Laid, tiles.pond)),
        melds=melds,
        flowers=tuple(map(Laid, tiles.flowers)),
    )


def _meld(group: tuple[Faces, ...], robbed: Collection[Faces]) -> MeldState:
    """A group as the meld it looks like; nobody saw who fed it. What of a kong lies face down is as the rest of it.

    Of a pung that was robbed only the three tiles are told (`change.in_order`); it is known by their face.
    """
    known = [faces[0] for faces in group if faces]
    kind: MeldKind = "peng"
    if len(group) == 4:
        kind = "kong_concealed" if len(known) < 4 else "kong_open"
        shown = next((faces for faces in group if faces), ())
        group = tuple(faces or shown for faces in group)
    elif len(known) == 3 and len(set(known)) == 3 and run_of(known):
        kind = "chi"
    return MeldState(kind, tuple(map(Laid, group)), None, robbed=kind == "peng" and group[0] in robbed)

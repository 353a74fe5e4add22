"""What was followed of a hand, as the pages show it: ponds, melds, whose turn it is, and what is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from table.follow.faces import BACK, Faces, is_flower
from table.follow.follower import Asked
from table.follow.moves import Claimed, Discarded, Flowered, HandLaid, Konged, Move, TableCleared
from table.follow.sighting import Sighting, Spot
from table.follow.state import HandState, Laid, MeldState, SeatState
from table.model import LyingSeat, Scalar, Seat
from table.snapshot import Choice, LastDiscard, Question, SeenMeld, SeenMove, SeenTable, SeenWall

SEATS = 4
MOST_FACES = 4
"""Faces offered as buttons; any other is picked from all tiles."""


def text_of(faces: Faces) -> str:
    """Faces as text.

    >>> text_of(("5p",)), text_of(("7s", "8s")), text_of(())
    ('5p', '7s/8s', 'x')
    """
    return "/".join(faces) or BACK


def table_view(state: HandState, places: Sequence[Seat], question: Question | None) -> SeenTable:
    """The table as it was followed; `places` are the seats that play, in the order in which the rules number them."""
    lying = {place: state.seats[number] for number, place in enumerate(places)}
    seats = [lying.get(seat, SeatState(0)) for seat in range(SEATS)]
    last = None
    if state.last is not None and state.last_seen:
        last = LastDiscard(seat=places[state.last], tile=text_of(state.last_faces))
    over = state.step == "over"
    return SeenTable(
        ponds=tuple(_texts(own.pond) for own in seats),
        melds=tuple(tuple(_meld(one, places) for one in own.melds) for own in seats),
        flowers=tuple(_texts(own.flowers) for own in seats),
        turn=None if over else places[state.turn],
        last=last,
        question=question,
        wall=None if over or question is not None else SeenWall(left=state.wall_left),
    )


def _texts(tiles: Iterable[Laid]) -> tuple[str, ...]:
    return tuple(text_of(tile.faces) for tile in tiles)


def _meld(meld: MeldState, places: Sequence[Seat]) -> SeenMeld:
    fed = None if meld.from_seat is None else places[meld.from_seat]
    return SeenMeld(kind=meld.kind, tiles=_texts(meld.tiles), from_seat=fed)


def lying_now(sighting: Sighting) -> tuple[LyingSeat, ...]:
    """What lies before each seat of a sighting, for a person who says that it is right so."""
    return tuple(
        LyingSeat(
            pond=tuple(text_of(tile.faces) for tile in seat.pond),
            melds=tuple(tuple(BACK if tile.back else text_of(tile.faces) for tile in group) for group in seat.melds),
            flowers=tuple(text_of(tile.faces) for tile in seat.flowers),
        )
        for seat in sighting.seats
    )


# --- questions ------------------------------------------------------------------------------------------------------


def question_view(
    asked: Asked, name: str, state: HandState, sighting: Sighting, places: Sequence[Seat], picture: str | None
) -> Question:
    """A question of following for the pages: its picture, the answers as buttons.

    Args:
        asked: what was asked.
        name: its id.
        state: the hand as followed; who has won plays no more.
        sighting: the look that it was asked at.
        places: the seats that play, in the order in which the rules number them.
        picture: evidence id of what it is about.
    """
    tile = _doubtful(asked.tiles, state, sighting) if asked.why in ("fifth", "no_meld", "wrong_side") else None
    choices = [
        Choice(
            command={"kind": "answer_seen", "question": name, "way": number},
            text_key="seen_way",
            moves=tuple(_told(move, places) for move in way),
        )
        for number, way in enumerate(asked.ways)
    ]
    pick = None
    if tile is not None:
        pick = {"kind": "answer_seen", "question": name, **_place(tile, places)}
        names = _faces(tile, sighting)
        choices += [Choice(command={**pick, "tile": face}, text_key="tile", tile=face) for face in names]
    choices += [
        Choice(command={"kind": "answer_seen", "question": name, "turn": place}, text_key="seen_lies", seat=place)
        for number, place in enumerate(places)
        if number not in state.won
    ]
    choices.append(Choice(command={"kind": "answer_seen", "question": name, "ignore": True}, text_key="seen_ignore"))
    return Question(
        id=name,
        text_key=f"seen_{asked.why}",
        params={"seat": places[asked.tiles[0].seat]} if asked.tiles else {},
        choices=tuple(choices),
        pick=pick,
        picture=picture,
    )


def subject(asked: Asked, sighting: Sighting) -> tuple[Spot, ...]:
    """What the picture of a question shows: the tiles it is about; of one that is gone, the pond it has left."""
    if asked.why != "vanished":
        return asked.tiles
    gone = {(spot.seat, spot.zone) for spot in asked.tiles}
    return tuple(Spot(seat, zone, index) for seat, zone in sorted(gone) for index in range(sighting.count(seat, zone)))


def newest_spots(state: HandState) -> tuple[Spot, ...]:
    """Where the tile lies that may be won on now: the discard in its pond, or the kong that has just got its fourth."""
    newest = state.moves[-1] if state.moves else None
    if isinstance(newest, Konged) and newest.meld is not None:
        melds = state.seats[newest.seat].melds
        first = sum(len(meld.tiles) for meld in melds[: newest.meld])
        return tuple(Spot(newest.seat, "melds", first + place) for place in range(len(melds[newest.meld].tiles)))
    if state.last is None or not state.last_seen:
        return ()
    return (Spot(state.last, "pond", len(state.seats[state.last].pond) - 1),)


def _doubtful(spots: Sequence[Spot], state: HandState, sighting: Sighting) -> Spot | None:
    """The tile that is most likely misread: the least certain one of those that clash.

    Where a pung has grown, its fourth tile has the place of a tile that is known: a word about it would be taken wrong.
    """
    known = {place for place, _ in state.tiles()}
    new = [spot for spot in spots if spot not in known]
    seen = [(spot, tile) for spot in new if (tile := sighting.at(spot)) is not None and not tile.back]
    if not seen:
        return None
    return min(seen, key=lambda one: (one[1].pinned, one[1].sure, one[1].candidates[0][1]))[0]


def _place(spot: Spot, places: Sequence[Seat]) -> dict[str, Scalar]:
    return {"seat": places[spot.seat], "zone": spot.zone, "index": spot.index}


def _faces(spot: Spot, sighting: Sighting) -> tuple[str, ...]:
    tile = sighting.at(spot)
    return tuple(face for face, _ in tile.candidates if face != BACK)[:MOST_FACES] if tile is not None else ()


def _told(move: Move, places: Sequence[Seat]) -> SeenMove:
    """A move of a story in words that a page can say."""
    match move:
        case Discarded(seat=seat, faces=faces):
            return SeenMove(what="discard", seat=places[seat], tiles=(text_of(faces),))
        case Claimed(seat=seat, kind=kind, from_seat=feeder, tiles=tiles):
            return SeenMove(what=kind, seat=places[seat], tiles=tuple(map(text_of, tiles)), from_seat=places[feeder])
        case Konged(seat=seat, kind=kind, faces=faces):
            return SeenMove(what=kind, seat=places[seat], tiles=(text_of(faces),))
        case Flowered(seat=seat, faces=faces):
            return SeenMove(what="flower", seat=places[seat], tiles=(text_of(faces),))
        case HandLaid(seat=seat, from_seat=feeder):
            return SeenMove(what="hand", seat=places[seat], from_seat=None if feeder is None else places[feeder])
        case TableCleared():
            return SeenMove(what="cleared", seat=None)


def settled_meld(meld: MeldState) -> bool:
    """Whether every face of a meld is known (a concealed kong that nobody saw is not)."""
    return all(len(tile.faces) == 1 and not is_flower(tile.faces[0]) for tile in meld.tiles)

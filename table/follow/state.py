"""The hand as far as it was followed: what lies on the table, whose turn it is, what may be claimed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from table.follow.faces import Faces, certain, join, meet, without
from table.follow.legal import Legal
from table.follow.moves import Claimed, Discarded, Flowered, HandLaid, Konged, Move, TableCleared
from table.follow.sighting import Spot

Step = Literal["opening", "draw", "drawn", "claimed", "over"]
MeldKind = Literal["chi", "peng", "kong_open", "kong_concealed", "kong_added"]


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile that lies on the table; `pinned` when a person said what it is."""

    faces: Faces
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class MeldState:
    """A meld with who fed it; None for a concealed kong.

    `robbed`: a pung whose fourth tile was won on (搶槓); that tile lies in the winner's hand, or still beside the pung.
    """

    kind: MeldKind
    tiles: tuple[Laid, ...]
    from_seat: int | None
    robbed: bool = False


@dataclass(frozen=True, slots=True)
class SeatState:
    """What lies before one player, and how many tiles are concealed."""

    concealed: int
    pond: tuple[Laid, ...] = ()
    melds: tuple[MeldState, ...] = ()
    flowers: tuple[Laid, ...] = ()


@dataclass(frozen=True, slots=True)
class HandState:
    """One hand, followed so far.

    Attributes:
        seats: per seat.
        turn: who draws or discards next.
        step: `opening` before the dealer's first discard (flowers are laid aside by everybody), `draw` when `turn` is
            to draw and the last discard may be claimed, `drawn` after a replacement, `claimed` when `turn` has claimed
            and must discard, `over` when a hand was laid open.
        wall_left: tiles that can still be drawn.
        last: who made the discard that may be claimed now; None if there is none.
        last_faces: what that discard may be.
        last_seen: whether it lies in the pond, as its last tile.
        won: who has won and is out of the hand, where it goes on after a win.
        kept: tiles that were drawn and lie in no pond, because somebody has won with them.
        wild: the wildcard of this hand.
        outside: tiles that lie open beside the game, such as the one turned over for the wildcard.
        moves: everything that was followed, in order.
    """

    seats: tuple[SeatState, ...]
    turn: int
    step: Step
    wall_left: int
    last: int | None = None
    last_faces: Faces = ()
    last_seen: bool = True
    won: tuple[int, ...] = ()
    kept: int = 0
    wild: str | None = None
    outside: tuple[str, ...] = ()
    moves: tuple[Move, ...] = field(default=(), repr=False)

    def after(self, seat: int) -> int:
        """Who plays after this seat: the next player who has not won yet."""
        others = ((seat + step) % len(self.seats) for step in range(1, len(self.seats)))
        return next((other for other in others if other not in self.won), seat)

    @property
    def consumed(self) -> bool:
        """Whether somebody has won on the last discard, so that it may be won on again but not claimed."""
        return bool(self.won) and bool(self.moves) and isinstance(self.moves[-1], HandLaid)

    @property
    def newest(self) -> tuple[Move, ...]:
        """The moves that say what may happen next: the hands laid open last and the two moves before them."""
        return self.moves[max(0, len(played(self.moves)) - 2) :]

    @property
    def pair(self) -> bool:
        """Whether the two newest discards were turned up by one kong and thrown at once (長沙 開槓) and lie there.

        Nobody but its maker discards twice in a row, and a tile that is a kong of its own is none of two.
        """
        thrown = played(self.moves)[-2:]
        if self.last is None or len(self.seats[self.last].pond) < 2:  # one of them was won on and taken to the hand
            return False
        return len(thrown) == 2 and all(
            isinstance(move, Discarded) and move.seen and not move.again and move.seat == self.last for move in thrown
        )

    @property
    def winnable(self) -> Faces:
        """What the discard may be that can be won on now: either of two that were thrown at once."""
        if not self.pair or self.last is None:
            return self.last_faces
        return join(self.seats[self.last].pond[-2].faces, self.last_faces)

    def exchanged(self) -> HandState:
        """The same hand with the two discards that were thrown at once in the other order."""
        if not self.pair or self.last is None:
            return self
        own = self.seats[self.last]
        pond = (*own.pond[:-2], own.pond[-1], own.pond[-2])
        return replace(_with(self, self.last, replace(own, pond=pond)), last_faces=pond[-1].faces)

    @property
    def robbable(self) -> tuple[int, Faces, bool] | None:
        """The added kong that may be robbed now: whose, its fourth tile, whether that is in a robber's hand already."""
        match self.moves[-1:]:
            case (Konged(kind="kong_added", seat=seat, faces=faces),):
                return seat, faces, False
            case (HandLaid(source="rob_kong", from_seat=int(feeder), taken=faces),):
                return feeder, faces, any(len(one.tiles) % 3 == 2 for one in self.together)
        return None

    @property
    def together(self) -> tuple[HandLaid, ...]:
        """The newest hands laid open, if they won on the same tile of another player: the newest first."""
        found: list[HandLaid] = []
        for move in reversed(self.moves):
            if not isinstance(move, HandLaid) or move.from_seat is None:
                break
            if found and (move.source, move.from_seat) != (found[0].source, found[0].from_seat):
                break
            found.append(move)
        return tuple(found)

    def tiles(self) -> Iterator[tuple[Spot, Laid]]:
        """Every tile that lies on the table, with its place."""
        for seat, own in enumerate(self.seats):
            yield from ((Spot(seat, "pond", index), tile) for index, tile in enumerate(own.pond))
            melded = (tile for meld in own.melds for tile in meld.tiles)
            yield from ((Spot(seat, "melds", index), tile) for index, tile in enumerate(melded))
            yield from ((Spot(seat, "flowers", index), tile) for index, tile in enumerate(own.flowers))

    def visible(self) -> Counter[str]:
        """How often each kind is known to lie open, those beside the game and a robbed fourth tile among them."""
        laid: list[Laid] = []
        for own in self.seats:
            laid += own.pond
            laid += own.flowers
            for meld in own.melds:
                laid += meld.tiles
                laid += meld.tiles[:1] if meld.robbed else ()
        return Counter([*self.outside, *[tile.faces[0] for tile in laid if len(tile.faces) == 1]])

    def exhausted(self, legal: Legal) -> frozenset[str]:
        """The kinds of which every copy is known to lie open: no other tile can be one of them."""
        return frozenset(tile for tile, count in self.visible().items() if count >= legal.copies(tile))

    def crowded(self, legal: Legal) -> frozenset[str]:
        """The kinds of which more lie open than there are: one of them is another tile."""
        return frozenset(tile for tile, count in self.visible().items() if count > legal.copies(tile))

    def left(self, legal: Legal) -> dict[str, int]:
        """For each kind, the copies not known to lie open; a discard that may be claimed can still be had."""
        seen = self.visible()
        if self.last is not None and self.last_seen and certain(self.last_faces):
            seen[self.last_faces[0]] -= 1
        return {kind: legal.copies(kind) - seen.get(kind, 0) for kind in (*legal.kinds, *legal.flowers)}

    def open_faces(self) -> tuple[tuple[Spot, Faces], ...]:
        """The tiles whose face is not settled; tiles that nobody could see (concealed kongs) are not among them."""
        return tuple((spot, tile.faces) for spot, tile in self.tiles() if len(tile.faces) > 1)


def played(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """The moves without the hands that were laid open last: what was played before somebody won."""
    count = len(moves)
    while count and isinstance(moves[count - 1], HandLaid):
        count -= 1
    return moves[:count]


def begin(legal: Legal, dealer: int, *, wild: str | None = None, outside: tuple[str, ...] = ()) -> HandState:
    """A hand that has just been dealt."""
    seats = tuple(SeatState(legal.hand_size + (seat == dealer)) for seat in range(legal.seats))
    return HandState(seats, dealer, "opening", legal.wall - len(outside), wild=wild, outside=outside)


def apply(state: HandState, move: Move, legal: Legal) -> HandState:
    """The hand after one more move, whose legality is the business of `explain`."""
    after = _APPLY[type(move)](state, move, legal)
    return replace(after, moves=(*state.moves, move))


def apply_all(state: HandState, moves: tuple[Move, ...], legal: Legal) -> HandState:
    """The hand after these moves, with what is still possible settled after each."""
    for move in moves:
        state = settle(apply(state, move, legal), legal)
    return state


def pin(state: HandState, spot: Spot, tile: str) -> HandState:
    """A person says what a tile on the table is; no picture changes that until the tile leaves.

    Raises:
        IndexError: no tile of the hand lies there.
    """
    own = state.seats[spot.seat]
    word = Laid((tile,), pinned=True)
    if spot.zone == "melds":
        tiles = _put(tuple(one for meld in own.melds for one in meld.tiles), spot.index, word)
        rest = iter(tiles)
        own = replace(own, melds=tuple(replace(m, tiles=tuple(next(rest) for _ in m.tiles)) for m in own.melds))
    elif spot.zone == "pond":
        own = replace(own, pond=_put(own.pond, spot.index, word))
    elif spot.zone == "flowers":
        own = replace(own, flowers=_put(own.flowers, spot.index, word))
    else:
        raise IndexError("tiles of a hand are pinned where the hand is read")
    after = _with(state, spot.seat, own)
    newest = spot.zone == "pond" and state.last == spot.seat and spot.index == len(own.pond) - 1 and state.last_seen
    return replace(after, last_faces=(tile,)) if newest else after


def settle(state: HandState, legal: Legal) -> HandState:
    """Settle doubtful faces by what is still possible: no tile is a fifth copy of its kind."""
    while True:
        gone = state.exhausted(legal)
        doubtful = [
            (spot, kept) for spot, faces in state.open_faces() if (kept := without(faces, gone)) and kept != faces
        ]
        if not doubtful:
            return state
        for spot, kept in doubtful:
            state = _narrow(state, spot, kept)


def _narrow(state: HandState, spot: Spot, faces: Faces) -> HandState:
    own = state.seats[spot.seat]
    if spot.zone == "pond":
        newest = state.last == spot.seat and state.last_seen and spot.index == len(own.pond) - 1
        state = replace(state, last_faces=faces) if newest else state
        return _with(state, spot.seat, replace(own, pond=_put(own.pond, spot.index, Laid(faces))))
    if spot.zone == "flowers":
        return _with(state, spot.seat, replace(own, flowers=_put(own.flowers, spot.index, Laid(faces))))
    rest = iter(_put(tuple(one for meld in own.melds for one in meld.tiles), spot.index, Laid(faces)))
    melds = tuple(replace(meld, tiles=tuple(next(rest) for _ in meld.tiles)) for meld in own.melds)
    return _with(state, spot.seat, replace(own, melds=melds))


def _put(tiles: tuple[Laid, ...], index: int, tile: Laid) -> tuple[Laid, ...]:
    if not 0 <= index < len(tiles):
        raise IndexError(f"there are {len(tiles)} tiles, none with the number {index}")
    return (*tiles[:index], tile, *tiles[index + 1 :])


def _with(state: HandState, seat: int, own: SeatState) -> HandState:
    return replace(state, seats=(*state.seats[:seat], own, *state.seats[seat + 1 :]))


def _drawn(state: HandState, seat: int) -> HandState:
    """The seat holds the tile of its turn: drawn now, unless it has one already."""
    if state.step != "draw":
        return state
    own = state.seats[seat]
    return replace(
        _with(state, seat, replace(own, concealed=own.concealed + 1)),
        wall_left=state.wall_left - 1,
        step="drawn",
        last=None,
    )


def _discarded(state: HandState, move: Discarded, _legal: Legal) -> HandState:
    state = _drawn(state, move.seat)
    own = state.seats[move.seat]
    pond = (*own.pond, Laid(move.faces)) if move.seen else own.pond
    own = replace(own, pond=pond, concealed=own.concealed - 1)
    after = replace(_with(state, move.seat, own), last=None)
    if move.again:
        own = replace(own, concealed=own.concealed + 1)
        return replace(_with(after, move.seat, own), step="drawn", wall_left=after.wall_left - 1)
    return replace(
        after,
        turn=state.after(move.seat),
        step="draw",
        last=move.seat,
        last_faces=move.faces,
        last_seen=move.seen,
    )


def _claimed(state: HandState, move: Claimed, _legal: Legal) -> HandState:
    state = _taken(state, move.taken)
    own = state.seats[move.seat]
    meld = MeldState(move.kind, tuple(Laid(faces) for faces in move.tiles), move.from_seat)
    kong = move.kind == "kong_open"
    own = replace(own, melds=(*own.melds, meld), concealed=own.concealed - 2)
    after = replace(_with(state, move.seat, own), turn=move.seat, last=None)
    return replace(after, step="drawn", wall_left=after.wall_left - 1) if kong else replace(after, step="claimed")


def _taken(state: HandState, taken: Faces) -> HandState:
    """The last discard has left its pond; of two that were thrown at once the one that may have been it.

    Where either may, what is left may be either.
    """
    if state.last is None or not state.last_seen:
        return state
    fed = state.seats[state.last]
    left = fed.pond[:-1]
    if state.pair and meet(fed.pond[-2].faces, taken) is not None:
        first, second = fed.pond[-2:]
        if meet(second.faces, taken) is None:
            left = (*fed.pond[:-2], second)
        elif first.faces != second.faces:
            left = (*fed.pond[:-2], Laid(join(first.faces, second.faces)))
    return _with(state, state.last, replace(fed, pond=left))


def _konged(state: HandState, move: Konged, _legal: Legal) -> HandState:
    state = _drawn(state, move.seat)
    own = state.seats[move.seat]
    if move.meld is None:
        meld = MeldState("kong_concealed", (Laid(move.faces),) * 4, None)
        own = replace(own, melds=(*own.melds, meld), concealed=own.concealed - 3)
    else:
        pung = own.melds[move.meld]
        grown = replace(pung, kind="kong_added", tiles=(*pung.tiles, Laid(move.faces)))
        own = replace(own, melds=(*own.melds[: move.meld], grown, *own.melds[move.meld + 1 :]))
    after = _with(state, move.seat, own)
    return replace(after, step="drawn", wall_left=after.wall_left - 1, last=None)


def _flowered(state: HandState, move: Flowered, _legal: Legal) -> HandState:
    if state.step != "opening":
        state = _drawn(state, move.seat)
    own = state.seats[move.seat]
    own = replace(own, flowers=(*own.flowers, Laid(move.faces)))
    return replace(_with(state, move.seat, own), wall_left=state.wall_left - 1)


def _hand_laid(state: HandState, move: HandLaid, legal: Legal) -> HandState:
    """The hand is over, or goes on without the winner; several may win on one tile, the farthest counts."""
    if move.source == "self_draw":
        state = _drawn(state, move.seat)
    elif move.source == "rob_kong":
        state = _robbed(state)
    state = replace(state, won=(*state.won, move.seat))
    if len(state.won) >= legal.wins:
        return replace(state, step="over")
    last, feeder = move.seat, move.from_seat
    if feeder is not None:
        state = _taken_to_hand(state, move, legal)
        before = (one.seat for one in state.together if (one.source, one.from_seat) == (move.source, feeder))
        last = max((move.seat, *before), key=lambda seat: (seat - feeder) % legal.seats)
    else:
        state = replace(state, last=None, kept=state.kept + 1)
    return replace(state, step="draw", turn=state.after(last))


def _robbed(state: HandState) -> HandState:
    """An added kong that is won on never came about: the pung lies there again, and nothing replaces its fourth tile.

    Of several who rob the same kong the first one undoes it.
    """
    newest = state.moves[-1] if state.moves else None
    if not isinstance(newest, Konged) or newest.meld is None:
        return state
    own = state.seats[newest.seat]
    kong = own.melds[newest.meld]
    pung = replace(kong, kind="peng", tiles=kong.tiles[:3], robbed=True)
    melds = (*own.melds[: newest.meld], pung, *own.melds[newest.meld + 1 :])
    own = replace(own, melds=melds, concealed=own.concealed - 1)
    return replace(_with(state, newest.seat, own), wall_left=state.wall_left + 1, kept=state.kept + 1)


def _taken_to_hand(state: HandState, move: HandLaid, legal: Legal) -> HandState:
    """The discard that was won on, if it lies in the winner's hand now and no longer in its pond."""
    between = legal.hand_size - 3 * len(state.seats[move.seat].melds)
    if move.source != "discard" or len(move.tiles) <= between:
        return state
    return replace(_taken(state, move.taken), kept=state.kept + 1, last_seen=False)


def _cleared(state: HandState, _move: TableCleared, _legal: Legal) -> HandState:
    return replace(state, step="over", seats=tuple(SeatState(0) for _ in state.seats), last=None)


_APPLY: Mapping[type, Callable[[HandState, Any, Legal], HandState]] = {
    Discarded: _discarded,
    Claimed: _claimed,
    Konged: _konged,
    Flowered: _flowered,
    HandLaid: _hand_laid,
    TableCleared: _cleared,
}

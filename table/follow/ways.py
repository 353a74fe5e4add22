"""Every legal sequence of moves that explains what is new on the table, the shortest first.

Every new tile must be the work of somebody whose turn it was or who could claim. Faces in doubt are settled by what is
still possible, and only by that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from typing import TypeAlias

from table.follow.alike import either, structure
from table.follow.change import Change
from table.follow.faces import Faces, meet, without
from table.follow.legal import Legal
from table.follow.melds import claim_readings, kong_face
from table.follow.moves import Claimed, Discarded, Flowered, HandLaid, Konged, Move, WinSource
from table.follow.sighting import Glimpse
from table.follow.state import HandState, apply

MOST_MOVES = 14
"""Moves between two sightings that are still explained together."""

MOST_WAYS = 64

MOST_VISITS = 1000
"""Positions that one look may search, 0.2 to 0.3 ms each; the longest look of 608 simulated hands took 672."""

Way: TypeAlias = tuple[Move, ...]


def shortest(found: Sequence[tuple[HandState, Change]], search: Search) -> list[Way]:
    """The shortest ways, those that differ in faces alone put together: a face may then be either.

    A way is longer than the number of new things only by the discards that nobody saw, each of which went into a new
    meld or hand.

    Args:
        found: what may be new on the table, with the hand that it is compared with.
        search: what this look has already searched.

    Raises:
        TooMuchError: so much is new that it cannot be searched.
    """
    legal = search.legal
    least = min(change.things for _, change in found)
    for most in range(least, min(2 * least, MOST_MOVES) + 1):
        different: dict[tuple[object, ...], Way] = {}
        for state, change in found:
            for found_way in search.ways(state, change, most):
                way = _nearest_first(_from_the_dealer_on(found_way, state, legal), legal)
                key = tuple(structure(move) for move in way)
                different[key] = tuple(map(either, different[key], way)) if key in different else way
        if different:
            return list(different.values())
    return []


def _from_the_dealer_on(way: Way, state: HandState, legal: Legal) -> Way:
    """The same way with the flowers laid aside before the first discard in their usual order."""
    flowers: list[Flowered] = []
    for move in way:
        if state.step != "opening" or not isinstance(move, Flowered):
            break
        flowers.append(move)
    return (*sorted(flowers, key=lambda flower: (flower.seat - state.turn) % legal.seats), *way[len(flowers) :])


def _nearest_first(way: Way, legal: Legal) -> Way:
    """The same way with those who won on one tile in the order in which they sit after the player who fed them."""
    ordered: list[Move] = []
    for fed, moves in groupby(way, key=_fed_win):
        together = list(moves)
        if fed is not None:
            together.sort(key=lambda move: (move.seat - fed[1]) % legal.seats if isinstance(move, HandLaid) else 0)
        ordered += together
    return tuple(ordered)


def _fed_win(move: Move) -> tuple[WinSource, int] | None:
    """How and by whom a hand was fed that is laid open; None of every other move."""
    if isinstance(move, HandLaid) and move.from_seat is not None:
        return move.source, move.from_seat
    return None


class TooMuchError(Exception):
    """So much is new that looking at every way would take too long: nothing is known then, not even what failed."""


class Search:
    """The positions that one look has already searched: moves in another order often lead to the same one.

    Attributes:
        visits: how many positions were searched.
    """

    def __init__(self, legal: Legal) -> None:
        self.legal = legal
        self.visits = 0
        self._known: dict[tuple[HandState, Change, int], tuple[Way, ...]] = {}

    def ways(self, state: HandState, change: Change, most: int) -> tuple[Way, ...]:
        """The legal sequences of at most so many moves that leave nothing to explain: the first `MOST_WAYS` of them.

        Raises:
            TooMuchError: more than `MOST_VISITS` positions would have to be searched.
        """
        if change.empty:
            return ((),)
        if change.things > most or state.step == "over":
            return ()
        state = replace(state, moves=state.newest)  # so that nothing else of the way here can matter
        position = (state, change, most)
        known = self._known.get(position)
        if known is None:
            self.visits += 1
            if self.visits > MOST_VISITS:
                raise TooMuchError
            known = self._known[position] = tuple(islice(self._from(state, change, most), MOST_WAYS))
        return known

    def _from(self, state: HandState, change: Change, most: int) -> Iterator[Way]:
        for moves, rest in _next(state, change, self.legal):
            if len(moves) > most:
                continue
            after = state
            for move in moves:
                after = apply(after, move, self.legal)
            for way in self.ways(after, rest, most - len(moves)):
                yield (*moves, *way)


_Steps: TypeAlias = Iterator[tuple[Way, Change]]


def _next(state: HandState, change: Change, legal: Legal) -> _Steps:
    """What may happen next and would explain a part of the change, with what is then left to explain."""
    if change.robbed:
        yield from _wins(state, change, legal)
        return
    if change.taken:  # it can only have been taken before anything else happened
        yield from _claims(state, replace(change, taken=False), legal)
        yield from _wins(state, change, legal)
        return
    early = list(_opening_flowers(state, change, legal))
    if early and not any(own.pond or own.melds or own.hand for own in change.seats):
        yield early[0]
        return
    yield from early
    yield from _discards(state, change, legal)
    yield from _hidden(state, change, legal)
    yield from _own(state, change, legal)
    yield from _wins(state, change, legal)


def _must_not_discard(state: HandState, legal: Legal) -> bool:
    """Whether the tile that is drawn now belongs to the silent end of the wall, or there is none."""
    left = state.wall_left - (state.step == "draw")
    return left < legal.silent_end or left < 0


def _discards(state: HandState, change: Change, legal: Legal) -> _Steps:
    second = _second_of_kong(state, legal)
    if second is not None and change.seats[second].pond:
        own = change.seats[second]
        faces = _fresh(own.pond[0], state, legal)
        if faces is not None:
            yield (Discarded(seat=second, faces=faces),), change.using(second, replace(own, pond=own.pond[1:]))
    own = change.seats[state.turn]
    if not own.pond or _must_not_discard(state, legal):
        return
    faces = _fresh(own.pond[0], state, legal)
    if faces is None:
        return
    rest = change.using(state.turn, replace(own, pond=own.pond[1:]))
    kongs = state.wall_left - (state.step == "draw") > legal.silent_end
    again = tuple(face for face in faces if kongs and legal.keeps_turn(face, state.wild))
    passed = tuple(face for face in faces if face not in again)
    if passed:
        yield (Discarded(seat=state.turn, faces=passed),), rest
    if again:
        yield (Discarded(seat=state.turn, faces=again, again=True),), rest


def _second_of_kong(state: HandState, legal: Legal) -> int | None:
    """Who has made a kong and discarded the first of the two tiles that it turned up, if nobody has played since."""
    if not legal.kong_pair or len(state.moves) < 2 or state.step != "draw" or _must_not_discard(state, legal):
        return None
    match state.moves[-2:]:
        case (Konged(seat=kong) | Claimed(kind="kong_open", seat=kong), Discarded(seat=first)) if kong == first:
            return first
    return None


def _hidden(state: HandState, change: Change, legal: Legal) -> _Steps:
    """A discard that was claimed, or won on, before anybody saw it in the pond."""
    if _must_not_discard(state, legal) or not any(own.melds or own.hand for own in change.seats):
        return
    second = _second_of_kong(state, legal)
    for seat in (state.turn,) if second is None else (state.turn, second):
        discard = Discarded(seat=seat, faces=(), seen=False)
        after = apply(state, discard, legal)
        for claim, rest in _claims(after, change, legal):
            taken = claim[0].taken if isinstance(claim[0], Claimed) else ()
            yield (replace(discard, faces=taken), *claim), rest
        for win, rest in _wins(after, replace(change, taken=True), legal):
            yield (discard, *win), rest
    yield from _robbed_unseen(state, change, legal)


def _robbed_unseen(state: HandState, change: Change, legal: Legal) -> _Steps:
    """A kong that was robbed before anybody saw its fourth tile, which lies in the winner's hand now."""
    if state.step == "claimed" or state.wall_left - (state.step == "draw") <= legal.silent_end:
        return
    for number, meld in enumerate(state.seats[state.turn].melds):
        if meld.kind != "peng" or meld.robbed or any(grown == number for grown, _ in change.seats[state.turn].grown):
            continue
        kong = Konged(seat=state.turn, kind="kong_added", faces=meld.tiles[0].faces, meld=number)
        for win, rest in _wins(apply(state, kong, legal), change, legal):
            laid = win[0]
            between = legal.hand_size - 3 * len(state.seats[laid.seat].melds)
            if laid.source == "rob_kong" and len(laid.tiles) > between:
                yield (kong, laid), rest


def _claims(state: HandState, change: Change, legal: Legal) -> _Steps:
    """Who may have taken the last discard for a meld; `change` must not hold that discard any more."""
    feeder = state.last
    if feeder is None or state.step != "draw" or (legal.last_only_won and state.wall_left == 0) or state.consumed:
        return
    free = legal.claimable(state.last_faces, state.wild)
    if free is None or not any(own.melds for own in change.seats):
        return
    left = state.left(legal)
    for seat, own in enumerate(change.seats):
        if seat == feeder or seat in state.won:
            continue
        for place, group in enumerate(own.melds):
            if state.seats[seat].concealed < len(group) - 1:
                continue
            rest = change.using(seat, replace(own, melds=(*own.melds[:place], *own.melds[place + 1 :])))
            for reading in claim_readings(group, free, left):
                if reading.kind == "chi" and not legal.may_chow(seat, feeder):
                    continue
                if reading.kind == "kong_open" and state.wall_left <= legal.silent_end:
                    continue
                taken = legal.claimable(reading.taken, state.wild)
                if taken:
                    made = Claimed(seat=seat, kind=reading.kind, from_seat=feeder, taken=taken, tiles=reading.tiles)
                    yield (made,), rest


def _opening_flowers(state: HandState, change: Change, legal: Legal) -> _Steps:
    """Before the first discard flowers are laid aside by everybody, from the dealer on."""
    if state.step != "opening":
        return
    for step in range(legal.seats):
        found = _flower(state, change, (state.turn + step) % legal.seats, legal)
        if found is not None:
            yield found


def _flower(state: HandState, change: Change, seat: int, legal: Legal) -> tuple[Way, Change] | None:
    own = change.seats[seat]
    if not own.flowers:
        return None
    looked, left = _fresh(own.flowers[0], state, legal) or (), state.wall_left - (state.step == "draw")
    lone = seat == state.turn and left > legal.silent_end  # a kong of its own that was put beside the melds
    faces = tuple(face for face in looked if face in legal.flowers or (lone and legal.keeps_turn(face, state.wild)))
    if not faces:
        return None
    return (Flowered(seat=seat, faces=faces),), change.using(seat, replace(own, flowers=own.flowers[1:]))


def _own(state: HandState, change: Change, legal: Legal) -> _Steps:
    """What the player whose turn it is may do with a tile from the wall before he discards."""
    left = state.wall_left - (state.step == "draw")
    if state.step == "claimed" or left < 1:
        return
    seat = state.turn
    flower = _flower(state, change, seat, legal) if state.step != "opening" else None
    if flower is not None:
        yield flower
    if left <= legal.silent_end:
        return
    own = change.seats[seat]
    copies = state.left(legal) if own.melds else {}
    held = state.seats[seat].concealed + (state.step == "draw")
    for place, group in enumerate(own.melds):
        face = kong_face(group, copies) if held >= len(group) else None
        if face is not None:
            rest = change.using(seat, replace(own, melds=(*own.melds[:place], *own.melds[place + 1 :])))
            yield (Konged(seat=seat, kind="kong_concealed", faces=face),), rest
    for place, (number, tile) in enumerate(own.grown):
        met = meet(state.seats[seat].melds[number].tiles[0].faces, tile.faces)
        if met is not None:
            rest = change.using(seat, replace(own, grown=(*own.grown[:place], *own.grown[place + 1 :])))
            yield (Konged(seat=seat, kind="kong_added", faces=met, meld=number),), rest


def _wins(state: HandState, change: Change, legal: Legal) -> Iterator[tuple[tuple[HandLaid], Change]]:
    """A hand laid open, by how many tiles it has and where the winning one came from."""
    for seat, own in enumerate(change.seats):
        if not own.hand:
            continue
        rest = replace(change.using(seat, replace(own, hand=())), taken=False, robbed=False)
        tiles = tuple(tile.faces for tile in own.hand)
        between = legal.hand_size - 3 * len(state.seats[seat].melds)
        for source, feeder, taken in _sources(state, seat, len(tiles) - between, change, legal):
            if taken and not any(meet(taken, faces) is not None for faces in tiles) and len(tiles) > between:
                continue
            yield (HandLaid(seat=seat, source=source, from_seat=feeder, taken=taken, tiles=tiles),), rest


def _sources(
    state: HandState, seat: int, more: int, change: Change, legal: Legal
) -> Iterator[tuple[WinSource, int | None, Faces]]:
    """How the winning tile can have come. `more` = tiles in the open hand beyond those between turns: 0 or 1."""
    newest, kong = state.moves[-1] if state.moves else None, state.robbable
    open_to_win = legal.discard_wins and not change.robbed
    if open_to_win and more == int(change.taken) and state.last is not None and state.last != seat:
        yield "discard", state.last, state.last_faces if change.taken else state.winnable
    if change.taken or more not in (0, 1):
        return
    if kong is not None and kong[0] != seat and not (more and kong[2]):
        yield "rob_kong", kong[0], kong[1]
    if more != 1 or change.robbed:
        return
    silent = state.step == "draw" and state.wall_left <= legal.silent_end
    if (seat == state.turn and state.step in ("opening", "draw")) or (silent and legal.silent_end):
        yield "self_draw", None, ()
    elif seat == state.turn and state.step == "drawn":
        flower = isinstance(newest, Flowered) and not legal.is_kong(newest.faces, state.wild)
        yield "self_draw" if flower else "kong_replacement", None, ()


def _fresh(tile: Glimpse, state: HandState, legal: Legal) -> Faces | None:
    """What a tile that is new on the table may be: no fifth copy, unless a person says so."""
    faces = tile.faces
    if not tile.pinned:
        left = without(faces, state.exhausted(legal))
        if left is None:
            return None
        faces = left
    known = (*legal.kinds, *legal.flowers)
    return tuple(face for face in faces or known if face in known) or None

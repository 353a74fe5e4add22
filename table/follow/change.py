"""What is new on the table: the hand as it was followed beside the hand as it lies there now.

A tile that did not move keeps its face, whatever the camera reads in it now. Places are compared in order; a pair of
neighbours read the wrong way round is recognised by its faces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import TypeAlias

from table.follow.backs import face_down, rows_of_backs
from table.follow.faces import Faces, certain, meet
from table.follow.moves import Konged
from table.follow.sighting import Glimpse, SeatSighting, Sighting, Spot, Zone
from table.follow.state import HandState, Laid, MeldState, SeatState

MISREAD = 2
"""At most so many tiles of one pond may read differently than before and still count as unmoved."""


_Groups: TypeAlias = tuple[tuple[tuple[Glimpse, ...], ...], tuple[tuple[int, Glimpse], ...]]
"""New groups, and pungs that grew, as (number of the meld, fourth tile)."""


@dataclass(frozen=True, slots=True)
class SeatChange:
    """What is new before one player; `grown` are pungs with a fourth tile, as (number of the meld, fourth tile)."""

    pond: tuple[Glimpse, ...] = ()
    melds: tuple[tuple[Glimpse, ...], ...] = ()
    grown: tuple[tuple[int, Glimpse], ...] = ()
    flowers: tuple[Glimpse, ...] = ()
    hand: tuple[Glimpse, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is new."""
        return not (self.pond or self.melds or self.grown or self.flowers or self.hand)


@dataclass(frozen=True, slots=True)
class Change:
    """What is new on the table.

    `taken` when the discard that could be claimed has left its pond, `robbed` when the tile that was just added to a
    pung has left it.
    """

    seats: tuple[SeatChange, ...]
    taken: bool = False
    robbed: bool = False

    @property
    def empty(self) -> bool:
        """Whether everything lies as before."""
        return not (self.taken or self.robbed) and all(seat.empty for seat in self.seats)

    @property
    def things(self) -> int:
        """How many moves it takes at least: each explains one new tile, meld or hand."""
        return sum(
            len(seat.pond) + len(seat.melds) + len(seat.grown) + len(seat.flowers) + bool(seat.hand)
            for seat in self.seats
        )

    def using(self, seat: int, rest: SeatChange) -> Change:
        """What is left to explain when this is all that is left at one seat."""
        return replace(self, seats=(*self.seats[:seat], rest, *self.seats[seat + 1 :]))


@dataclass(frozen=True, slots=True)
class Vanished:
    """Tiles that lay on the table and are not seen any more."""

    spots: tuple[Spot, ...]


def changes(
    state: HandState, sighting: Sighting, *, exact: bool = False, untaken: bool = False, robbed: bool = False
) -> tuple[Change, ...] | Vanished:
    """Every way to match what lay on the table with what lies there, usually one; or the tiles that are missing.

    Args:
        state: the hand as it was followed.
        sighting: the table now.
        exact: no tile may read differently than before, and no two may have changed places.
        untaken: the last discard lies where it lay, even if it reads differently now.
        robbed: the kong to which a tile was just added lies there without it.
    """
    newest = state.moves[-1] if state.moves else None
    options: list[list[tuple[SeatChange, bool]]] = []
    missing: list[Spot] = []
    for seat, (own, seen) in enumerate(zip(state.seats, sighting.seats, strict=True)):
        may_take = state.last == seat and state.last_seen and not untaken
        if state.step == "opening" and seat != state.turn:  # a hand that is shown for a starting win (起手胡)
            seen = replace(seen, hand=())
        hidden = {zone for at, zone in sighting.hidden if at == seat}
        if seat in state.won:  # his tiles stay open beside the game, in groups or in a row
            hidden |= {"melds", "flowers", "hand"}
        if robbed and isinstance(newest, Konged) and newest.seat == seat:
            own = _before(own, newest)
        may_take, opening = may_take and "pond" not in hidden, state.step == "opening"
        found = _seat(seat, own, seen, hidden, may_take=may_take, exact=exact, opening=opening)
        if isinstance(found, Vanished):
            missing.extend(found.spots)
        else:
            options.append(found)
    if missing:
        return Vanished(tuple(missing))
    return tuple(
        Change(tuple(change for change, _ in chosen), any(taken for _, taken in chosen), robbed)
        for chosen in product(*options)
    )


def robbed_tile_gone(state: HandState, sighting: Sighting) -> bool:
    """Whether the tile that was just added to a pung does not lie there any more: it can only have been won on."""
    newest = state.moves[-1] if state.moves else None
    if not isinstance(newest, Konged) or newest.meld is None:
        return False
    own, seen = _before(state.seats[newest.seat], newest), sighting.seats[newest.seat]
    places = _matched(own.melds, seen.melds)
    return places is not None and len(seen.melds[places[newest.meld]]) == 3


def _before(own: SeatState, kong: Konged) -> SeatState:
    """What lay before the player of an added kong without its fourth tile."""
    if kong.meld is None:
        return own
    pung = replace(own.melds[kong.meld], kind="peng", tiles=own.melds[kong.meld].tiles[:3])
    return replace(own, melds=(*own.melds[: kong.meld], pung, *own.melds[kong.meld + 1 :]))


def overlooked(state: HandState, sighting: Sighting) -> frozenset[tuple[int, Zone]]:
    """Where melds that must lie there are not found; what else may be new there nobody knows."""
    return frozenset(
        (seat, "melds")
        for seat, (own, seen) in enumerate(zip(state.seats, sighting.seats, strict=True))
        if seat not in state.won and _melds(own, seen, opening=state.step == "opening") is None
    )


def new_groups(state: HandState, sighting: Sighting) -> tuple[tuple[int, tuple[Glimpse, ...]], ...]:
    """The groups of tiles that are no known meld, each with its seat."""
    found: list[tuple[int, tuple[Glimpse, ...]]] = []
    for seat, (own, seen) in enumerate(zip(state.seats, sighting.seats, strict=True)):
        groups, _ = _melds(own, seen) or ((), ())
        found += [(seat, group) for group in groups]
    return tuple(found)


def in_order(state: HandState, sighting: Sighting) -> Sighting:
    """The same sighting with the known melds in the order in which they were laid, new ones behind them.

    A place (`Spot`) then means the same tile in the sighting and in the hand as followed: the fourth tile of a robbed
    kong, which belongs to the winner's hand, is left out.
    """
    return replace(sighting, seats=tuple(map(_ordered, state.seats, sighting.seats)))


def believed(state: HandState, sighting: Sighting) -> Sighting:
    """The same sighting (`in_order`) where tiles that did not move have the face that is known of them.

    Of a pond in which more than one tile is missing nobody knows which tile is which: it stays as it is read.
    """
    for spot, tile in _unmoved(state, sighting):
        if certain(tile.faces):
            sighting = sighting.pinned(spot, tile.faces[0])
    return sighting


def _unmoved(state: HandState, sighting: Sighting) -> Iterator[tuple[Spot, Laid]]:
    for seat, (own, seen) in enumerate(zip(state.seats, sighting.seats, strict=True)):
        left = range(len(own.pond))
        without = (tuple(place for place in left if place != gone) for gone in left)
        for kept in (tuple(left), *without):
            old = [own.pond[place] for place in kept]
            if len(old) <= len(seen.pond) and not _misfits(old, seen.pond[: len(old)]):
                yield from ((Spot(seat, "pond", place), tile) for place, tile in enumerate(old))
                break
        if _matched(own.melds, seen.melds) is not None:
            place = 0
            for meld, group in zip(own.melds, seen.melds, strict=False):
                ordered = next(
                    (one for one in _orders(meld) if len(one) == len(group) and not _misfits(one, group)), ()
                )
                yield from ((Spot(seat, "melds", place + number), tile) for number, tile in enumerate(ordered))
                place += len(group)


def _ordered(own: SeatState, seen: SeatSighting) -> SeatSighting:
    places = _matched(own.melds, seen.melds)
    if places is None:
        return seen
    known = (
        seen.melds[place][: len(meld.tiles)] if meld.robbed else seen.melds[place]
        for meld, place in zip(own.melds, places, strict=True)
    )
    rest = [group for place, group in enumerate(seen.melds) if place not in places]
    if rows_of_backs(own, seen, rest, opening=False) == "no_kongs":
        rest = [group for group in rest if not face_down(group)]
    return replace(seen, melds=(*known, *rest))


def _seat(
    seat: int,
    own: SeatState,
    seen: SeatSighting,
    hidden: Collection[Zone],
    *,
    may_take: bool,
    exact: bool,
    opening: bool,
) -> list[tuple[SeatChange, bool]] | Vanished:
    """What is new at one seat; where nothing can be seen nothing is new, and nothing is missing.

    Melds and flowers stay where they are as long as the hand lasts: those that are not found are overlooked, not gone.
    """
    unmoved: _Groups = ((), ())
    melds = unmoved if "melds" in hidden else _melds(own, seen, opening=opening) or unmoved
    flowers = () if "flowers" in hidden else _flowers(own.flowers, seen.flowers)
    ponds = _ponds(own.pond, seen.pond, may_take=may_take, exact=exact) if "pond" not in hidden else [((), False)]
    if isinstance(ponds, int):
        return Vanished((Spot(seat, "pond", ponds),))
    groups, grown = melds
    hand = () if "hand" in hidden else seen.hand
    shown = tuple(tile for group in groups for tile in group)
    if len(groups) > 1 and _all_of_the_hand(own, shown, hand):
        groups, hand = unmoved[0], (*shown, *hand)
    hand = hand if len(hand) >= own.concealed else ()  # a tile or two face up are no hand laid open
    return [(SeatChange(new, groups, grown, flowers, hand), taken) for new, taken in ponds]


def _all_of_the_hand(own: SeatState, shown: Sequence[Glimpse], hand: Sequence[Glimpse]) -> bool:
    """Whether new groups are an open hand arranged in its sets: with the rest of it they are all that was concealed.

    Melds would have taken tiles of others, and left more than that.
    """
    more = len(shown) + len(hand) - own.concealed + (own.concealed % 3 == 2)
    return bool(hand) and more in (0, 1) and not any(tile.back for tile in shown)


def _misfits(old: Sequence[Laid], seen: Sequence[Glimpse]) -> int:
    """How many unmoved tiles would have to be misread now; a person's word is not contradicted by a reading."""
    return sum(
        not tile.pinned and meet(tile.faces, glimpse.faces) is None for tile, glimpse in zip(old, seen, strict=True)
    )


def _ponds(
    old: tuple[Laid, ...], seen: tuple[Glimpse, ...], *, may_take: bool, exact: bool
) -> list[tuple[tuple[Glimpse, ...], bool]] | int:
    """The new discards with whether the last old one was taken, every way that fits; or the number of a missing one."""
    unmoved = list(_fits(old, seen, may_take=may_take, allowed=0))
    if unmoved or exact:
        return unmoved or max(len(old) - 1, 0)
    swapped = [
        fit
        for place in range(min(len(seen) - 1, len(old)))
        for fit in _fits(old, _swap(seen, place), may_take=may_take, allowed=0)
    ]
    if swapped:
        return list(dict.fromkeys(swapped))
    kept = list(_fits(old, seen, may_take=False, allowed=1))
    if kept:
        return kept
    for place in range(len(old)):
        rest = (*old[:place], *old[place + 1 :])
        if len(seen) >= len(rest) and _misfits(rest, seen[: len(rest)]) == 0:
            return place
    near = list(_fits(old, seen, may_take=may_take, allowed=MISREAD))
    return near or max(len(old) - 1, 0)


def _fits(
    old: tuple[Laid, ...], seen: tuple[Glimpse, ...], *, may_take: bool, allowed: int
) -> Iterator[tuple[tuple[Glimpse, ...], bool]]:
    count = len(old)
    if len(seen) >= count and _misfits(old, seen[:count]) <= allowed:
        yield seen[count:], False
    if may_take and len(seen) >= count - 1 and _misfits(old[:-1], seen[: count - 1]) <= allowed:
        yield seen[count - 1 :], True


def _swap(seen: tuple[Glimpse, ...], place: int) -> tuple[Glimpse, ...]:
    return (*seen[:place], seen[place + 1], seen[place], *seen[place + 2 :])


def _melds(own: SeatState, sighting: SeatSighting, *, opening: bool = False) -> _Groups | None:
    """New groups and grown pungs.

    None if a meld is not found, for then nobody knows which of the others is new, and if it cannot be told whether a
    row of backs is one.
    """
    old, seen = own.melds, sighting.melds
    places = _matched(old, seen)
    if places is None:
        return None
    new = tuple(group for place, group in enumerate(seen) if place not in places)
    rows = rows_of_backs(own, sighting, new, opening=opening)
    if rows == "unclear":
        return None
    grown: list[tuple[int, Glimpse]] = []
    for number, (meld, place) in enumerate(zip(old, places, strict=True)):
        if len(seen[place]) > len(meld.tiles) and not meld.robbed:
            grown.append((number, _fourth(meld, seen[place])))
    return tuple(group for group in new if rows == "kongs" or not face_down(group)), tuple(grown)


def _matched(old: tuple[MeldState, ...], seen: tuple[tuple[Glimpse, ...], ...]) -> tuple[int, ...] | None:
    """Which group each known meld is now; None if one of them is not found."""
    best: tuple[int, tuple[int, ...]] | None = None
    for places in permutations(range(len(seen)), len(old)):
        costs = [_meld_misfits(meld, seen[place]) for meld, place in zip(old, places, strict=True)]
        if None in costs:
            continue
        cost = sum(cost for cost in costs if cost is not None)
        if best is None or cost < best[0]:
            best = (cost, places)
        if cost == 0:
            break
    return None if best is None or best[0] > MISREAD else best[1]


def _meld_misfits(meld: MeldState, group: tuple[Glimpse, ...]) -> int | None:
    """How many tiles would have to be misread if this group is that meld; None if it has another size."""
    if meld.kind == "kong_concealed":
        return _kong_misfits(meld, group) if len(group) == 4 and any(tile.back for tile in group) else None
    if any(tile.back for tile in group):
        return None
    if len(group) == len(meld.tiles):
        return min(_misfits(order, group) for order in _orders(meld))
    if meld.kind == "peng" and len(group) == 4:
        return max(0, sum(meet(meld.tiles[0].faces, tile.faces) is None for tile in group))
    return None


def _kong_misfits(meld: MeldState, group: tuple[Glimpse, ...]) -> int:
    """One that shows its face is not taken for a row of backs beside it, nor for a kong of another kind."""
    faces, shown = meld.tiles[0].faces, [tile for tile in group if not tile.maybe_back]
    if not shown:
        return int(bool(faces))
    return MISREAD * any(meet(faces, tile.faces) is None for tile in shown)


def _orders(meld: MeldState) -> Iterator[tuple[Laid, ...]]:
    return permutations(meld.tiles) if meld.kind == "chi" else iter((meld.tiles,))


def _fourth(pung: MeldState, group: tuple[Glimpse, ...]) -> Glimpse:
    """The tile that was added; the four are alike, so the doubtful one is as good as any: the pung settles it."""
    faces: Faces = pung.tiles[0].faces
    return next((tile for tile in reversed(group) if meet(faces, tile.faces) is not None), group[-1])


def _flowers(old: tuple[Laid, ...], seen: tuple[Glimpse, ...]) -> tuple[Glimpse, ...]:
    """New flowers; nothing if not even the old ones are found."""
    if len(seen) < len(old):
        return ()
    if _misfits(old, seen[: len(old)]) == 0:
        return seen[len(old) :]
    rest = list(seen)
    for tile in old:
        same = next((glimpse for glimpse in rest if meet(tile.faces, glimpse.faces) is not None), None)
        if same is not None:
            rest.remove(same)
    fresh = len(seen) - len(old)
    return tuple(rest[len(rest) - fresh :]) if fresh else ()

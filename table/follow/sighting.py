"""What the camera sees of a hand at one moment, sorted by seats, before anybody asks whether it makes sense."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from table.follow.faces import ANY, BACK, Faces

Zone = Literal["pond", "melds", "flowers", "hand"]

READABLE = 0.9
"""Candidates that together are less likely than this say nothing: the tile may be any."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the table: whose, which zone, and the tile's number there; a meld's tiles count through all melds."""

    seat: int
    zone: Zone
    index: int


@dataclass(frozen=True, slots=True)
class Glimpse:
    """One tile as it was seen.

    Attributes:
        candidates: tile texts with probabilities, likeliest first; `x` is a tile lying face down.
        sure: whether the likeliest may be relied upon.
        pinned: a person said what it is.
        ref: number of the tile in the picture it was read from, for the page that shows it; None without a picture.
    """

    candidates: tuple[tuple[str, float], ...]
    sure: bool = True
    pinned: bool = False
    ref: int | None = None

    def __post_init__(self) -> None:
        if not self.candidates:
            raise ValueError("a seen tile needs at least one candidate")

    @property
    def faces(self) -> Faces:
        """What it may be, by this look alone. What most likely lies face up is no back, only a face in doubt."""
        if self.sure or self.pinned:
            return (self.candidates[0][0],)
        if sum(score for _, score in self.candidates) < READABLE:
            return ANY
        return tuple(face for face, _ in self.candidates if self.back or face != BACK)

    @property
    def back(self) -> bool:
        """Whether it lies face down."""
        return self.candidates[0][0] == BACK

    @property
    def maybe_back(self) -> bool:
        """Whether it lies face down, or may do so for all that the eyes know."""
        known = self.sure or self.pinned
        return self.back or (not known and any(face == BACK for face, _ in self.candidates))

    @classmethod
    def of(cls, tile: str) -> Glimpse:
        """A tile that is read without doubt."""
        return cls(((tile, 1.0),))


@dataclass(frozen=True, slots=True)
class SeatSighting:
    """What lies before one player.

    Attributes:
        pond: discards in the order in which they were made.
        melds: groups of three or four tiles.
        flowers: tiles laid aside.
        hand: tiles of the hand that lie face up.
        standing: number of tiles that stand or lie face down; None when nobody counted.
        down: how many of them lie face down.
        stacks: stacks of the wall before the player. From above a stack shows one back, so that one in view stands for
            two tiles or, where only the upper one was taken (a hole in the tail), for one: which, cannot be seen.
        stacks_sure: whether that number may be relied upon: nothing in the wall is in doubt and none may be missing
            inside a row. What was not found at an end of a row nobody can tell.
    """

    pond: tuple[Glimpse, ...] = ()
    melds: tuple[tuple[Glimpse, ...], ...] = ()
    flowers: tuple[Glimpse, ...] = ()
    hand: tuple[Glimpse, ...] = ()
    standing: int | None = None
    down: int = 0
    stacks: int = 0
    stacks_sure: bool = True

    @property
    def empty(self) -> bool:
        """Whether nothing lies open."""
        return not (self.pond or self.melds or self.flowers or self.hand)


@dataclass(frozen=True, slots=True)
class Sighting:
    """The whole table at one moment.

    Attributes:
        at_s: when, in monotonic seconds of whoever looks.
        seats: per seat.
        covered: zones that something lies over, as (seat, zone).
        patchy: zones in which not every tile was found as tiles lie: half a tile, a free place inside a row.
        moving: whether hands or tiles are moving.
    """

    at_s: float
    seats: tuple[SeatSighting, ...]
    covered: frozenset[tuple[int, Zone]] = field(default_factory=frozenset)
    patchy: frozenset[tuple[int, Zone]] = field(default_factory=frozenset)
    moving: bool = False

    @property
    def hidden(self) -> frozenset[tuple[int, Zone]]:
        """The zones that do not tell what lies there."""
        return self.covered | self.patchy

    @property
    def empty(self) -> bool:
        """Whether the felt is clear."""
        return all(seat.empty for seat in self.seats)

    def at(self, spot: Spot) -> Glimpse | None:
        """The tile seen there, if there is one."""
        tiles = _tiles(self.seats[spot.seat], spot.zone)
        return tiles[spot.index] if spot.index < len(tiles) else None

    def count(self, seat: int, zone: Zone) -> int:
        """How many tiles are seen there."""
        return len(_tiles(self.seats[seat], zone))

    def pinned(self, spot: Spot, tile: str) -> Sighting:
        """The same sighting where a person's word replaces what was read at one place."""
        return replace(
            self,
            seats=tuple(
                _pinned(seen, spot, Glimpse(((tile, 1.0),), pinned=True)) if seat == spot.seat else seen
                for seat, seen in enumerate(self.seats)
            ),
        )


def _tiles(seen: SeatSighting, zone: Zone) -> tuple[Glimpse, ...]:
    if zone == "melds":
        return tuple(tile for group in seen.melds for tile in group)
    return {"pond": seen.pond, "flowers": seen.flowers, "hand": seen.hand}[zone]


def _pinned(seen: SeatSighting, spot: Spot, word: Glimpse) -> SeatSighting:
    tiles = _tiles(seen, spot.zone)
    if spot.index >= len(tiles):
        return seen
    word = replace(word, ref=tiles[spot.index].ref)
    changed = (*tiles[: spot.index], word, *tiles[spot.index + 1 :])
    if spot.zone == "pond":
        return replace(seen, pond=changed)
    if spot.zone == "flowers":
        return replace(seen, flowers=changed)
    if spot.zone == "hand":
        return replace(seen, hand=changed)
    rest = iter(changed)
    return replace(seen, melds=tuple(tuple(next(rest) for _ in group) for group in seen.melds))

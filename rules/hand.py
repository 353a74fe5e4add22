"""One declared win, ready to be looked at: `Case` is what is certain, `Hand` adds one reading of it.

Fan functions take a `Hand` and only look: `h.chows`, `h.pungs`, `h.pair`, `h.kinds`, `h.case.self_drawn` ... Wildcards
are invisible to them, because a reading has already given each wildcard a face (`h.reading.wilds_as`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from rules.model import Plain, Reading, TableFacts, Winner
from rules.shapes import waiting_for
from rules.tiles import EAST, KINDS, Kinds, Tile

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

Options: TypeAlias = Mapping[str, Plain]
Place: TypeAlias = tuple[str, bool, "tuple[str, Tile] | None"]
"""Where the winning tile was read: the kind of wait, whether it finished a pung, and the set."""
NOWHERE: Place = ("", False, None)


@dataclass(frozen=True, slots=True)
class WildRule:
    """Which held tiles are wildcards in this hand, and which tile stands in for another face (福建 白)."""

    wild: Tile | None = None
    stand_in: Tile | None = None
    stands_for: Tile | None = None

    def face(self, tile: Tile) -> Tile:
        """The face a tile carries: its own, unless it is the stand-in."""
        return self.stands_for if tile == self.stand_in and self.stands_for is not None else tile


_BIT = tuple(1 << tile for tile in range(KINDS))


class Case:
    """A declared win with everything that does not depend on how the tiles are read.

    `counts` are all 34 kinds, melds and winning tile included, wildcards left out; `free` is the same without melds,
    what the shapes read. `wilds` wildcards are held. `concealed` means no open meld (門前清); a concealed kong keeps
    it.
    """

    def __init__(self, rules: Ruleset, winner: Winner, facts: TableFacts) -> None:
        self.rules = rules
        self.winner = winner
        self.facts = facts
        wild = self.wild = rules.wild(rules.chosen, facts)
        self.self_drawn = winner.self_drawn
        self.win_tile: Tile | None = None if winner.win_tile is None else wild.face(winner.win_tile)
        self.win_is_wild = winner.win_tile is not None and winner.win_tile == wild.wild
        free = [0] * KINDS
        self.wilds = 0
        for tile in winner.hand if winner.win_tile is None else (*winner.hand, winner.win_tile):
            free[tile] += 1
        if wild.wild is not None:
            self.wilds, free[wild.wild] = free[wild.wild], 0
        if wild.stand_in is not None and wild.face(wild.stand_in) != wild.stand_in:
            free[wild.face(wild.stand_in)] += free[wild.stand_in]
            free[wild.stand_in] = 0
        counts = free if not winner.melds else free[:]
        self.meld_chows: list[Tile] = []
        self.meld_pungs: list[Tile] = []
        self.open_kongs = self.concealed_kongs = self.open_melds = 0
        for meld in winner.melds:
            tiles = [wild.face(tile) for tile in meld.tiles]
            for tile in tiles:
                counts[tile] += 1
            (self.meld_chows if meld.kind == "chi" else self.meld_pungs).append(min(tiles))
            if meld.is_open:
                self.open_melds += 1
                self.open_kongs += meld.is_kong
            else:
                self.concealed_kongs += 1
        self.free = free
        self.counts = counts
        self.kinds: Kinds = sum([_BIT[tile] for tile in range(KINDS) if counts[tile]])
        self.concealed = self.open_melds == 0
        self.sets_to_make = (sum(free) + self.wilds) // 3
        """How many sets the concealed part must make (four in all, five with sixteen tiles)."""
        self._waits: Kinds | None = None
        self.kongs = self.open_kongs + self.concealed_kongs

    @property
    def options(self) -> Options:
        """The chosen options of the ruleset."""
        return self.rules.chosen

    @property
    def seat(self) -> int:
        """The winner's seat."""
        return self.winner.seat

    @property
    def is_dealer(self) -> bool:
        """Whether the winner is the dealer."""
        return self.winner.seat == self.facts.dealer

    @property
    def round_wind(self) -> Tile:
        """The wind tile of the round."""
        return EAST + self.facts.round_wind

    @property
    def seat_wind(self) -> Tile:
        """The winner's own wind tile."""
        return EAST + self.facts.seat_wind(self.winner.seat)

    @property
    def waits(self) -> Kinds:
        """The kinds this hand was waiting for, whether or not a copy is left; the wildcard kind itself left out."""
        if self._waits is None:
            self._waits = self._find_waits()
        return self._waits

    def _find_waits(self) -> Kinds:
        if self.win_tile is None:
            return 0
        before = self.free[:]
        wilds = self.wilds
        if self.win_is_wild:
            wilds -= 1
        else:
            before[self.win_tile] -= 1
        mask = waiting_for(self.rules.forms, before, wilds, self.sets_to_make)
        return mask if self.wild.wild is None else mask & ~(1 << self.wild.wild)

    def readings(self) -> Iterator[Reading]:
        """Every reading of the concealed part, in each form the ruleset knows."""
        sets = self.sets_to_make
        for form in self.rules.forms:
            yield from form(self.free, self.wilds, sets)


class Hand:
    """One reading of one win: what fan functions look at.

    `chows` and `pungs` are ascending and include the melds; `kinds` and `counts` are all tiles with wildcards in their
    faces. `concealed_pungs` counts pungs and concealed kongs not finished by another player's tile. `wait` is "edge",
    "closed", "single" or "" by where the winning tile was read, before asking whether it was the only wait.
    """

    __slots__ = (
        "case",
        "chows",
        "concealed_pungs",
        "counts",
        "form",
        "kinds",
        "pair",
        "pung_kinds",
        "pungs",
        "reading",
        "wait",
        "win_in",
    )

    def __init__(self, case: Case, reading: Reading, place: Place) -> None:
        self.case = case
        self.reading = reading
        self.form = reading.form
        self.wait, finished_pung, self.win_in = place
        opened = finished_pung and not case.self_drawn
        self.concealed_pungs = len(reading.pungs) + case.concealed_kongs - opened
        self.pair = reading.pair
        self.chows: tuple[Tile, ...] = (
            tuple(sorted([*reading.chows, *case.meld_chows])) if case.meld_chows else reading.chows
        )
        self.pungs: tuple[Tile, ...] = (
            tuple(sorted([*reading.pungs, *case.meld_pungs])) if case.meld_pungs else reading.pungs
        )
        pung_kinds = 0
        for tile in self.pungs:
            pung_kinds |= 1 << tile
        self.pung_kinds: Kinds = pung_kinds
        self.counts = case.counts
        self.kinds = case.kinds
        if reading.wilds_as:
            self.counts = case.counts[:]
            for tile in reading.wilds_as:
                self.counts[tile] += 1
                self.kinds |= 1 << tile

    @property
    def sets(self) -> int:
        """Number of sets read, melds included."""
        return len(self.chows) + len(self.pungs)

    @property
    def wilds_natural(self) -> bool:
        """Whether every held wildcard stands for itself."""
        return all(tile == self.case.wild.wild for tile in self.reading.wilds_as)

    def whole_reading(self) -> Reading:
        """The reading with the melds in it, as it is reported."""
        reading = self.reading
        return Reading(reading.form, self.chows, self.pungs, reading.pair, reading.pairs, reading.wilds_as, self.win_in)


def hands_of(case: Case) -> Iterator[Hand]:
    """Every reading of a win, once per place the winning tile may take in it when that can matter.

    A pung finished by another player's tile is not concealed; the winning tile read into a chow or the pair leaves it
    concealed. The kind of wait depends on the place too.
    """
    for reading in case.readings():
        for place in _places(case, reading):
            yield Hand(case, reading, place)


_WITHOUT_PLACES = ("seven_pairs", "orphans", "knitted", "free")


def _places(case: Case, reading: Reading) -> Iterable[Place]:
    """Where the winning tile may have been read, each outcome once."""
    if reading.form in _WITHOUT_PLACES or case.win_tile is None or not case.rules.by_place:
        return (NOWHERE,)
    faces = set(reading.wilds_as) if case.win_is_wild else {case.win_tile}
    outcomes: dict[tuple[str, bool], Place] = {}
    for tile in faces:
        for place in _places_of(tile, reading):
            outcomes.setdefault(place[:2], place)
    return outcomes.values()


def _places_of(tile: Tile, reading: Reading) -> Iterator[Place]:
    if reading.pair == tile:
        yield "single", False, ("pair", tile)
    for low in set(reading.chows):
        if 0 <= tile - low <= 2:
            yield chow_wait(low, tile), False, ("chow", low)
    if tile in reading.pungs:
        yield "", True, ("pung", tile)
    if reading.form == "knitted_straight" and tile in reading.pairs:
        yield "", False, ("single", tile)


def chow_wait(low: Tile, tile: Tile) -> str:
    """How a chow was waiting for this tile of it: "edge" (12 for 3, 89 for 7), "closed" (the middle) or "".

    >>> chow_wait(0, 2), chow_wait(6, 6), chow_wait(3, 4), chow_wait(3, 5)
    ('edge', 'edge', 'closed', '')
    """
    if tile == low + 1:
        return "closed"
    if (tile == low + 2 and low % 9 == 0) or (tile == low and low % 9 == 6):
        return "edge"
    return ""

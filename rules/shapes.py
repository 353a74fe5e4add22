"""The shapes a complete hand can have, and every way to read a hand into one.

A form finder answers `(counts, wilds, sets) -> readings`: `counts` are the concealed natural tiles (34 numbers, the
winning tile included), `wilds` how many wildcards are held besides, `sets` how many sets the concealed part must make.
All of them are exact: every way to use the wildcards is listed once, a wildcard may take any face, also one whose four
copies are already visible (players do wait on such faces with a lone wildcard). `Reading.wilds_as` says which faces.

The same finders answer "what is this hand waiting for": read thirteen tiles with one wildcard more, the faces it takes
are the waits.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations
from typing import NamedTuple, TypeAlias

from rules.model import Reading
from rules.tiles import EVERY_KIND, KINDS, Kinds, Tile, in_kinds, kinds

Counts: TypeAlias = tuple[int, ...] | list[int]
FormFinder: TypeAlias = Callable[[Counts, int, int], Iterable[Reading]]


class Part(NamedTuple):
    """One way to read one suit: ranks from 0, `faces` are the ranks that wildcards fill."""

    chows: tuple[int, ...]
    pungs: tuple[int, ...]
    pair: int
    faces: tuple[int, ...]


NO_PAIR = -1
Parts: TypeAlias = tuple[tuple[Part, ...], ...]
"""Ways to read a suit, by the number of wildcards used (0, 1, 2 ...)."""
Look: TypeAlias = Callable[[Part, bool], Hashable]
"""What a ruleset looks at in the reading of one suit; the second argument says that the suit is the honours."""


def _ways(used: int) -> tuple[tuple[int, int, int], ...]:
    """The ways to use so many tiles of one rank: (chows starting here, pungs, pairs)."""
    return tuple(
        (used - 3 * pungs - 2 * pair, pungs, pair)
        for pungs in range(used // 3 + 1)
        for pair in (0, 1)
        if used >= 3 * pungs + 2 * pair
    )


_WAYS = tuple(_ways(used) for used in range(20))


@lru_cache(maxsize=1 << 15)
def suit_parts(counts: tuple[int, ...], wilds: int, runs: bool) -> Parts:
    """Every way to read one suit completely into sets and at most one pair, by wildcards used.

    Walks the ranks upwards and decides, at each, how many chows start here, how many pungs and whether the pair lies
    here; what the natural tiles do not cover, wildcards do. A reading is found exactly once because those decisions
    determine it.

    Args:
        counts: Natural tiles per rank (nine, or seven honours).
        wilds: Wildcards that may be used at most.
        runs: Whether chows exist (not for honours).
    """
    found: list[list[Part]] = [[] for _ in range(wilds + 1)]
    end = len(counts)
    last_start = end - 3 if runs else -1

    def walk(rank: int, older: int, newer: int, part: Part) -> None:
        """From this rank on; the chows that started two ranks ago (`older`) and one rank ago still cover it."""
        chows, pungs, pair, faces = part
        spare = wilds - len(faces)
        if not spare and not older and not newer:
            while rank < end and not counts[rank]:
                rank += 1
        if rank == end:
            found[len(faces)].append(part)
            return
        need = counts[rank] - older - newer
        for used in range(max(0, need), need + spare + 1):
            filled = faces + (rank,) * (used - need)
            for starts, triples, twins in _WAYS[used]:
                if (starts and rank > last_start) or (twins and pair != NO_PAIR):
                    continue
                walk(
                    rank + 1,
                    newer,
                    starts,
                    Part(chows + (rank,) * starts, pungs + (rank,) * triples, rank if twins else pair, filled),
                )

    walk(0, 0, 0, Part((), (), NO_PAIR, ()))
    return tuple(tuple(parts) for parts in found)


def _blocks(counts: Counts) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The counts of 萬, 筒, 條 and honours."""
    return tuple(counts[:9]), tuple(counts[9:18]), tuple(counts[18:27]), tuple(counts[27:34])


@dataclass(frozen=True, slots=True)
class Standard:
    """Sets and a pair: four in most rulesets, five in 福建, fewer once melds lie on the table.

    Without `look` every reading is listed. A ruleset with several wildcards gives `look`, what it looks at in the
    reading of one suit: `look(part, honours)`. Of the readings of a suit that look alike only the first is kept, so
    that four wildcards make dozens of readings and not thousands; the dearest value stays exact as long as no fan,
    gate or price looks at more than that.
    """

    look: Look | None = None

    def __call__(self, counts: Counts, wilds: int, sets: int) -> Iterator[Reading]:
        """The readings of these concealed tiles."""
        m, p, s, z = _blocks(counts)
        sizes = (sum(m), sum(p), sum(s), sum(z))
        if sum(sizes) + wilds != 3 * sets + 2:
            return
        read: Callable[[tuple[int, ...], int, bool], Parts] = suit_parts if self.look is None else self._distinct
        for shares in _shares(wilds, tuple([size % 3 for size in sizes])):
            characters = read(m, wilds, True)[shares[0]]
            dots = read(p, wilds, True)[shares[1]] if characters else ()
            bamboos = read(s, wilds, True)[shares[2]] if dots else ()
            honours = read(z, wilds, False)[shares[3]] if bamboos else ()
            for one in characters if honours else ():
                for two in dots:
                    for three in bamboos:
                        for four in honours:
                            yield _joined(one, two, three, four)

    def _distinct(self, counts: tuple[int, ...], wilds: int, runs: bool) -> Parts:
        return suit_parts(counts, wilds, runs) if self.look is None else _distinct(self.look, counts, wilds, runs)

    def faces(self, counts: Counts, wilds: int, sets: int) -> Kinds:
        """The kinds that some wildcard takes in some reading, found suit by suit without joining the readings."""
        m, p, s, z = _blocks(counts)
        sizes = (sum(m), sum(p), sum(s), sum(z))
        if sum(sizes) + wilds != 3 * sets + 2:
            return 0
        mask = 0
        for shares in _shares(wilds, tuple([size % 3 for size in sizes])):
            found = (
                _part_faces(m, wilds, True)[shares[0]],
                _part_faces(p, wilds, True)[shares[1]],
                _part_faces(s, wilds, True)[shares[2]],
                _part_faces(z, wilds, False)[shares[3]],
            )
            if None not in found:
                mask |= sum([(ranks or 0) << 9 * suit for suit, ranks in enumerate(found)])
        return mask


standard = Standard()


@lru_cache(maxsize=1 << 15)
def _distinct(look: Look, counts: tuple[int, ...], wilds: int, runs: bool) -> Parts:
    """Of the ways to read one suit, the first of each look."""
    found = []
    for parts in suit_parts(counts, wilds, runs):
        firsts: dict[Hashable, Part] = {}
        for part in parts:
            firsts.setdefault(look(part, not runs), part)
        found.append(tuple(firsts.values()))
    return tuple(found)


@lru_cache(maxsize=1 << 15)
def _part_faces(counts: tuple[int, ...], wilds: int, runs: bool) -> tuple[int | None, ...]:
    """The ranks that wildcards take in some way to read one suit, by wildcards used; None where there is no way."""
    return tuple(
        sum(1 << rank for rank in {rank for part in parts for rank in part.faces}) if parts else None
        for parts in suit_parts(counts, wilds, runs)
    )


@lru_cache(maxsize=1 << 10)
def _shares(wilds: int, rests: tuple[int, ...]) -> tuple[tuple[int, int, int, int], ...]:
    """The ways to share out the wildcards over 萬, 筒, 條 and honours so that all is sets and just one pair.

    Args:
        wilds: How many there are.
        rests: The number of natural tiles of each suit, modulo three.
    """
    each = range(wilds + 1)
    every = [(m, p, s, wilds - m - p - s) for m in each for p in each for s in each if m + p + s <= wilds]
    return tuple(
        shares
        for shares in every
        if sorted((rest + share) % 3 for rest, share in zip(rests, shares, strict=True)) == [0, 0, 0, 2]
    )


def _joined(m: Part, p: Part, s: Part, z: Part) -> Reading:
    pair = m.pair if m.pair >= 0 else p.pair + 9 if p.pair >= 0 else s.pair + 18 if s.pair >= 0 else z.pair + 27
    return Reading(
        "standard",
        m.chows + _moved(p.chows, 9) + _moved(s.chows, 18),
        m.pungs + _moved(p.pungs, 9) + _moved(s.pungs, 18) + _moved(z.pungs, 27),
        pair,
        (),
        m.faces + _moved(p.faces, 9) + _moved(s.faces, 18) + _moved(z.faces, 27),
    )


def _moved(ranks: tuple[int, ...], first: Tile) -> tuple[Tile, ...]:
    """Ranks of a suit as tiles."""
    return tuple([first + rank for rank in ranks]) if ranks else ranks


def seven_pairs(counts: Counts, wilds: int, sets: int) -> Iterator[Reading]:
    """Seven pairs, only without melds; four equal tiles are two pairs."""
    if sets != 4 or counts.count(1) + counts.count(3) > wilds:
        return
    odd = tuple(tile for tile in range(KINDS) if counts[tile] & 1)
    spare = wilds - len(odd)
    if spare < 0 or spare & 1:
        return
    natural = tuple(tile for tile in range(KINDS) for _ in range((counts[tile] + 1) // 2))
    for free in combinations_with_replacement(range(KINDS), spare // 2):
        faces = tuple(sorted((*odd, *free, *free)))
        yield Reading("seven_pairs", pairs=tuple(sorted(natural + free)), wilds_as=faces)


ORPHANS = in_kinds(kinds("19m19p19s1234567z"))


def orphans(counts: Counts, wilds: int, sets: int) -> Iterator[Reading]:
    """Thirteen orphans: one of each terminal and honour, and one of them twice."""
    if sets != 4 or KINDS - counts.count(0) > len(ORPHANS):
        return
    have = [counts[tile] for tile in ORPHANS]
    if sum(have) + wilds != 14 or max(have) > 2 or have.count(2) > 1:
        return
    missing = tuple(tile for tile in ORPHANS if not counts[tile])
    for pair in [tile for tile in ORPHANS if counts[tile] == 2] or ORPHANS:
        faces = missing if counts[pair] == 2 else tuple(sorted((*missing, pair)))
        yield Reading("orphans", pair=pair, wilds_as=faces)


KNITTED: tuple[tuple[Tile, ...], ...] = tuple(
    tuple(sorted(9 * suit + start + step for suit, start in enumerate(order) for step in (0, 3, 6)))
    for order in permutations(range(3))
)
"""The six ways to lay 147, 258 and 369 into the three suits, nine tiles each."""
_KNITTED_MASKS: tuple[Kinds, ...] = tuple(sum(1 << tile for tile in nine) for nine in KNITTED)
_HONOURS = tuple(range(27, 34))


def knitted(counts: Counts, wilds: int, sets: int) -> Iterator[Reading]:
    """Fourteen single tiles from the seven honours and one knitted arrangement (全不靠, 七星不靠)."""
    if sets != 4 or max(counts) > 1:
        return
    present = sum(1 << tile for tile in range(KINDS) if counts[tile])
    seen: set[tuple[Tile, ...]] = set()
    for nine in KNITTED:
        allowed = (*nine, *_HONOURS)
        if present & ~sum(1 << tile for tile in allowed):
            continue
        for faces in combinations([tile for tile in allowed if not counts[tile]], wilds):
            if faces not in seen:
                seen.add(faces)
                yield Reading("knitted", wilds_as=tuple(sorted(faces)))


def knitted_straight(counts: Counts, wilds: int, sets: int) -> Iterator[Reading]:
    """147, 258 and 369 in three suits, beside one set and a pair (組合龍); the set may be a meld."""
    if sets < 3 or KINDS - counts.count(0) + wilds < 9:
        return
    present = sum(1 << tile for tile in range(KINDS) if counts[tile])
    for nine, mask in zip(KNITTED, _KNITTED_MASKS, strict=True):
        if (mask & ~present).bit_count() > wilds:
            continue
        missing = tuple(tile for tile in nine if not counts[tile])
        rest = list(counts)
        for tile in nine:
            rest[tile] = max(0, rest[tile] - 1)
        for inner in standard(rest, wilds - len(missing), sets - 3):
            faces = tuple(sorted(missing + inner.wilds_as))
            yield Reading("knitted_straight", inner.chows, inner.pungs, inner.pair, nine, faces)


def free(allowed: Kinds) -> FormFinder:
    """A finder for shape-free wins: any arrangement, as long as all natural concealed tiles are of these kinds."""

    def find(counts: Counts, wilds: int, sets: int) -> Iterator[Reading]:  # noqa: ARG001
        if not any(counts[tile] for tile in range(KINDS) if not allowed >> tile & 1):
            yield Reading("free")

    return find


def waiting_for(finders: Iterable[FormFinder], counts: Counts, wilds: int, sets: int) -> Kinds:
    """The kinds that complete this hand (one tile short) in one of the forms, as a set of kinds.

    Kinds whose four copies are all held count too: a formal wait is a wait. A shape-free form names no faces, so it
    makes every kind a candidate, to be judged tile by tile.
    """
    mask = 0
    for finder in finders:
        if isinstance(finder, Standard):
            mask |= finder.faces(counts, wilds + 1, sets)
            continue
        for reading in finder(counts, wilds + 1, sets):
            if reading.form == "free":
                return EVERY_KIND
            for tile in reading.wilds_as:
                mask |= 1 << tile
    return mask

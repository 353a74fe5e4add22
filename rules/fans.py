"""The fan table of a ruleset as data, and how a hand is counted with it.

One fan is one small function of a `Hand` and one `Fan` row; what a fan includes is data in its row. Nothing in this
module knows the name of any fan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from rules.hand import Hand
from rules.model import FanLine, NotCounted, Points
from rules.tiles import HONOURS, Kinds

Count: TypeAlias = Callable[[Hand], int]
"""How often a fan is in a hand: 0 or False, 1 or True, or more."""
CountT = TypeVar("CountT", bound=Count)


def needs(what: str) -> Callable[[CountT], CountT]:
    """Say what a pattern cannot be without, so that hands without it are not asked (see `traits`)."""

    def mark(count: CountT) -> CountT:
        count.needs = what  # type: ignore[attr-defined]
        return count

    return mark


Traits: TypeAlias = tuple[str, int, int, bool, bool, bool, str, bool, bool, bool]


def traits(hand: Hand) -> Traits:
    """What a hand has that patterns may need, short enough to be asked for every reading."""
    case = hand.case
    winner = case.winner
    return (
        hand.form,
        len(hand.chows),
        len(hand.pungs),
        case.kongs > 0,
        hand.wait != "",
        hand.kinds & HONOURS != 0,
        winner.source,
        case.self_drawn,
        case.facts.last_tile,
        winner.flowers != () or case.facts.flowers != (),
    )


def trait_names(has: Traits) -> frozenset[str]:
    """The words that `needs` takes, for a hand with these traits.

    The form; "1 chow", "2 chows" ... and "1 pung", "2 pungs" ... up to the number there is; "kongs"; "wait";
    "honours" or "no honours"; the source of the winning tile, and "self-draw" or "claim"; "last tile"; "flowers".
    """
    form, chows, pungs, kongs, wait, honours, source, self_drawn, last_tile, flowers = has
    words = {form, source, "honours" if honours else "no honours", "self-draw" if self_drawn else "claim"}
    words |= {f"{number} chow{'s' * (number > 1)}" for number in range(1, chows + 1)}
    words |= {f"{number} pung{'s' * (number > 1)}" for number in range(1, pungs + 1)}
    present = (("kongs", kongs), ("wait", wait), ("last tile", last_tile), ("flowers", flowers))
    return frozenset(words | {word for word, there in present if there})


@dataclass(frozen=True, slots=True)
class Drops:
    """A row includes another fan, but not every occurrence of it.

    `times` occurrences are dropped; or, with `same_pungs`, those made of the very pungs this row is made of.
    """

    name: str
    times: int = 0
    same_pungs: bool = False


def drops(name: str, times: int) -> Drops:
    """This row includes the other fan a fixed number of times."""
    return Drops(name, times=times)


def same_pungs(name: str) -> Drops:
    """This row includes the other fan for the pungs it is made of itself."""
    return Drops(name, same_pungs=True)


Exclusion: TypeAlias = str | Drops


@dataclass(frozen=True, slots=True, eq=False)
class Fan:
    """One row: the Chinese term, its value, the function that finds it, and the fans it includes.

    `layer` groups rows for the ruleset's arithmetic (台 and 番, base and extra ...). `pungs` says which pungs the fan
    is made of, where rows drop each other pung by pung. A row that counts `alone` counts only when no other row of its
    layer does. The first line of the function's docstring is the definition
    that players read.
    """

    name: str
    value: Points
    count: Count
    excludes: tuple[Exclusion, ...] = ()
    layer: str = "fan"
    pungs: Callable[[Hand], Kinds] | None = None
    alone: bool = False

    @property
    def includes(self) -> tuple[str, ...]:
        """The names of the fans that it includes."""
        return tuple(one if isinstance(one, str) else one.name for one in self.excludes)

    @property
    def meaning(self) -> str:
        """The definition in one sentence."""
        return (self.count.__doc__ or "").strip().split("\n")[0]

    @property
    def needs(self) -> str | None:
        """What a hand must have for this row to be asked at all."""
        return getattr(self.count, "needs", None)


@dataclass(slots=True)
class Tally:
    """The fans of one reading: counted ones as (row, times), and those found but included in another."""

    counted: list[tuple[Fan, int]] = field(default_factory=list)
    covered: list[tuple[Fan, int, Fan]] = field(default_factory=list)

    def total(self, layer: str | None = None) -> Points:
        """The sum of the counted values, of one layer or of all."""
        return sum([fan.value * times for fan, times in self.counted if layer is None or fan.layer == layer])

    def names(self) -> frozenset[str]:
        """The names of the counted fans."""
        return frozenset(fan.name for fan, _ in self.counted)

    def has(self, name: str) -> bool:
        """Whether a fan of this name counts."""
        return any(fan.name == name for fan, _ in self.counted)

    def dearest(self, layer: str) -> tuple[Fan, int] | None:
        """The dearest counted row of a layer; the first in table order among equals."""
        rows = [(fan, times) for fan, times in self.counted if fan.layer == layer]
        return max(rows, key=lambda row: row[0].value) if rows else None

    def keep_dearest(self, *layers: str) -> Tally:
        """A tally where each of these layers keeps only its dearest row (就高不就低 inside a layer)."""
        best = {layer: self.dearest(layer) for layer in layers}
        kept = [row for row in self.counted if row[0].layer not in best or row == best[row[0].layer]]
        lost = [
            (fan, times, best[fan.layer][0])  # type: ignore[index]
            for fan, times in self.counted
            if fan.layer in best and (fan, times) != best[fan.layer]
        ]
        return Tally(kept, self.covered + lost)

    def lines(self) -> tuple[FanLine, ...]:
        """The counted fans as they are reported."""
        covers: dict[str, tuple[str, ...]] = {}
        for fan, _, by in self.covered:
            covers[by.name] = (*covers.get(by.name, ()), fan.name)
        return tuple([FanLine(fan.name, fan.value, times, covers.get(fan.name, ())) for fan, times in self.counted])

    def not_counted(self) -> tuple[NotCounted, ...]:
        """The fans that were found and are included in another, each with the fan that includes it."""
        return tuple([NotCounted(fan.name, fan.value, by.name, times) for fan, times, by in self.covered])


def count_fans(rows: Sequence[Fan], hand: Hand) -> Tally:
    """Find every fan of a reading, then let each row drop what it includes, from the first row to the last.

    A row that is itself dropped drops nothing, so a table lists the including fan before the included one.
    """
    found = [(row, int(times)) for row in rows if (times := row.count(hand))]
    if len(found) < 2:
        return Tally(found)
    if any(row.alone for row, _ in found):
        found = _without_lone(found)
    return exclude(found, hand)


def _without_lone(found: list[tuple[Fan, int]]) -> list[tuple[Fan, int]]:
    """Leave out the rows that count alone where another row of their layer is found."""
    busy = {row.layer for row, _ in found if not row.alone}
    return [(row, times) for row, times in found if not row.alone or row.layer not in busy]


def exclude(found: Iterable[tuple[Fan, int]], hand: Hand) -> Tally:
    """Apply the exclusions among fans already found (see `count_fans`)."""
    left = {row.name: times for row, times in found}
    by_name = {row.name: row for row, _ in found}
    taken: dict[str, Kinds] = {}
    covered: list[tuple[Fan, int, Fan]] = []
    for row in [row for row in by_name.values() if row.excludes]:
        if not left[row.name]:
            continue
        for exclusion in row.excludes:
            other = exclusion if isinstance(exclusion, str) else exclusion.name
            times = left.get(other, 0)
            if not times:
                continue
            if not isinstance(exclusion, str):
                times = min(times, _dropped(exclusion, row, by_name[other], (hand, taken)))
            if times:
                left[other] -= times
                covered.append((by_name[other], times, row))
    return Tally([(row, left[name]) for name, row in by_name.items() if left[name]], covered)


def _dropped(exclusion: Drops, row: Fan, other: Fan, seen: tuple[Hand, dict[str, Kinds]]) -> int:
    """How many occurrences of `other` a row drops; a pung dropped once is not dropped again."""
    hand, taken = seen
    if not exclusion.same_pungs:
        return exclusion.times
    if row.pungs is None or other.pungs is None:
        raise TypeError(f"{row.name} drops {other.name} pung by pung, so both rows need `pungs`")
    shared = row.pungs(hand) & other.pungs(hand) & ~taken.get(other.name, 0)
    taken[other.name] = taken.get(other.name, 0) | shared
    return shared.bit_count()

"""A question as a value: what `questions.parse` makes of the JSON form and rulesets answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.errors import RulesInputError
from rules.model import MELD_KINDS, SOURCES, MeldKind, Outcome, Plain, Seat, Source, TableFacts, Winner
from rules.tiles import Tile, parse_tile


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a question, its fields read with a check: `event.seat("from")`."""

    fields: Mapping[str, Plain]
    number: int = 1

    def __contains__(self, name: str) -> bool:
        return name in self.fields

    def _fail(self, name: str, expected: str) -> RulesInputError:
        return RulesInputError(f"event {self.number}: {name} must be {expected}, found {self.fields.get(name)!r}")

    def text(self, name: str, *allowed: str) -> str:
        """A word, one of `allowed` where they are given."""
        value = self.fields.get(name)
        if not isinstance(value, str) or (allowed and value not in allowed):
            raise self._fail(name, "one of " + ", ".join(allowed) if allowed else "a text")
        return value

    def whole(self, name: str) -> int:
        """A whole number of at most four digits."""
        value = self.fields.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) > 9999:
            raise self._fail(name, "a whole number of at most four digits")
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        """True or false; the default when absent."""
        value = self.fields.get(name, default)
        if not isinstance(value, bool):
            raise self._fail(name, "true or false")
        return value

    def seat(self, name: str) -> Seat:
        """A seat 0-3."""
        value = self.fields.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 3:
            raise self._fail(name, "a seat 0-3")
        return value

    def seat_or_none(self, name: str) -> Seat | None:
        """A seat 0-3, or None when absent or null."""
        return None if self.fields.get(name) is None else self.seat(name)

    def seats(self, name: str) -> tuple[Seat, ...]:
        """A list of seats; empty when absent."""
        value = self.fields.get(name, [])
        if not isinstance(value, list):
            raise self._fail(name, "a list of seats")
        return tuple(Event({name: one}, self.number).seat(name) for one in value)

    def tile(self, name: str) -> Tile:
        """A tile such as 5m."""
        return parse_tile(self.text(name))

    def meld_kind(self, name: str = "type") -> MeldKind:
        """A kind of meld."""
        word = self.text(name, *MELD_KINDS)
        return next(kind for kind in MELD_KINDS if kind == word)

    def source(self, name: str = "source") -> Source | None:
        """How a winning tile came, or None when absent."""
        if self.fields.get(name) is None:
            return None
        word = self.text(name, *SOURCES)
        return next(source for source in SOURCES if source == word)

    def by_seat(self, name: str) -> tuple[tuple[Seat, str], ...]:
        """Words by seat, such as `wants: {"1": "chi"}`, in seat order."""
        value = self.fields.get(name, {})
        if not isinstance(value, dict) or not all(key in ("0", "1", "2", "3") for key in value):
            raise self._fail(name, 'words by seat, e.g. {"1": "peng"}')
        return tuple((int(seat), str(value[seat])) for seat in sorted(value))


@dataclass(frozen=True, slots=True)
class Question:
    """One question: its kind, the table, the winners, and the ordered events of the kind."""

    kind: str
    facts: TableFacts
    winners: tuple[Winner, ...] = ()
    events: tuple[Event, ...] = ()

    def event(self) -> Event:
        """The single event that this kind of question has.

        Raises:
            RulesInputError: There is none, or more than one.
        """
        if len(self.events) != 1:
            raise RulesInputError(f"a question of kind {self.kind} has exactly one event, found {len(self.events)}")
        return self.events[0]

    def outcome(self) -> Outcome:
        """The event of a `dealer` question: how the hand ended."""
        event = self.event()
        result = event.text("result", "win", "draw")
        sea = event.fields.get("sea_bottom")
        who = {"taken_no_win": "taker", "all_refused": "first_asked", "used_as_replacement": "by"}
        if sea is not None:
            event.text("sea_bottom", *who)
        return Outcome(
            result="win" if result == "win" else "draw",
            winners=event.seats("winners"),
            from_seat=event.seat_or_none("from"),
            source=event.source(),
            sea_bottom=None if sea is None else str(sea),
            sea_seat=None if sea is None else event.seat(who[str(sea)]),
        )

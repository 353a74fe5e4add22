"""What the session answers with, and what each decision may look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from table import events as ev
from table.customs import Customs
from table.fold import fold
from table.ledger import Entry
from table.model import Actor, Facts, Scalar, Seat, Setup, Shown, SidePay, TableFacts, Verdict
from table.rulebook import Rulebook, Seating
from table.sentences import Sentence, because, say
from table.snapshot import Question
from table.state import Game, State

REFEREES = frozenset({"referee", "chief"})

Books = Callable[[str, Mapping[str, Any]], Rulebook]
"""Opens the rulebook of a ruleset with its options; raises `UnknownRules`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedWin:
    """A win as a correction states it, for a person to complete before he confirms; also a hand that nobody won.

    Attributes:
        facts: the circumstances that count.
        offers: further ones that this game counts for such a win, with the value to set in `more`.
        questions: what would be asked at such a win and nobody has said.
        table: the circumstances of its hand.
        verdict: what it is worth as it is stated; None while something is asked.
        shows: what is shown at the empty wall where the hand ended there, as in `HandView`; inside: who shows it.
        aside: kongs and starting wins of the hand that do not count as it stands; `drop_sides` numbers them last.
        refused: why it cannot have been so; None if it can.
    """

    facts: Facts
    offers: Mapping[str, Scalar]
    questions: tuple[Question, ...]
    table: TableFacts
    verdict: Verdict | None = None
    shows: Shown = ""
    inside: tuple[Seat, ...] = ()
    aside: tuple[SidePay, ...] = ()
    refused: Sentence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The events that a command causes, to be written together.

    `changes` and `rows` list what a correction moves, `win` is the win of a corrected hand.
    """

    events: tuple[ev.TableEvent, ...] = ()
    changes: tuple[ev.HandChange, ...] = ()
    rows: tuple[ev.RowChange, ...] = ()
    win: CorrectedWin | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """The command was not carried out, and why. Nothing was written."""

    sentence: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """The command was carried out: number of the last entry, the kinds of the events, what a correction changed.

    `changes` are hands, `rows` false wins and penalties, `win` the win of a corrected hand.
    `repeated` says that the same command (by its key) had been carried out before; it was not carried out twice.
    """

    seq: int
    events: tuple[str, ...] = ()
    changes: tuple[ev.HandChange, ...] = ()
    rows: tuple[ev.RowChange, ...] = ()
    win: CorrectedWin | None = None
    repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A state with an open game, its rules, how seats follow each other, and where other rules are found."""

    state: State
    game: Game
    setup: Setup
    rulebook: Rulebook
    seating: Seating
    books: Books

    @property
    def customs(self) -> Customs:
        """What the table does around this game."""
        return self.game.customs


def accept(*events: ev.TableEvent) -> Decision:
    """These events follow."""
    return Decision(events=events)


def reject(key: str, **params: Scalar) -> Rejected:
    """The command is refused with this sentence."""
    return Rejected(sentence=say(key, **params))


def reject_because(key: str, why: Sentence, **params: Scalar) -> Rejected:
    """The command is refused with this sentence, which holds another one that says why."""
    return Rejected(sentence=because(key, why, **params))


def suppose(state: State, events: Iterable[ev.TableEvent]) -> State:
    """The state as it would be after these events; nothing is written."""
    nobody = Actor(role="system")
    entries = (
        Entry(
            seq=state.seq + 1 + part,
            at_ms=0,
            actor=nobody,
            idem="",
            part=part,
            event=event,
            prev_hash="",
            hash="",
        )
        for part, event in enumerate(events)
    )
    return fold(entries, state)

"""What the session asks of the rules: the questions and answers between the two, without the types of `rules`.

`table.rulebook` answers them with the real rulesets; tests bring small rules of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from table.model import Facts, LaidHand, Outcome, Payments, Seat, Setup, Source, TableFacts, Verdict
from table.sentences import Sentence


class BadHand(ValueError):  # noqa: N818 - what a player would say
    """The tiles or circumstances are impossible; the sentence names them."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence.text)
        self.sentence = sentence


class UnknownRules(ValueError):  # noqa: N818
    """No such ruleset or option; the sentence names the nearest one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """How the winning tile came, and the hand it belongs to; `table` are the facts of that hand."""

    setup: Setup
    winner: Seat
    source: Source
    from_seat: Seat | None
    facts: Facts
    table: TableFacts = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint:
    """What wins of the same tile bring together: one verdict each with its own payments, and what is carried on."""

    verdicts: tuple[Verdict, ...]
    payments: Payments
    carry_out: tuple[str, ...] = ()


class Rulebook(Protocol):
    """What the session asks of the rules; tests bring a small one of their own."""

    @property
    def name(self) -> str:
        """The ruleset's name."""

    @property
    def version(self) -> str:
        """The ruleset's version, locked into a game."""

    @property
    def hands(self) -> int | None:
        """Hands of a whole game; None without a fixed end."""

    @property
    def minimum(self) -> int:
        """The least value a win needs; 0 for none."""

    @property
    def hand_tiles(self) -> int:
        """Tiles of a complete hand, kongs counted as three: 14, in some rulesets 17."""

    @property
    def tiles(self) -> frozenset[str]:
        """The kinds of tile that a hand is made of in this game: no flowers."""

    @property
    def chows(self) -> bool:
        """Whether discards are taken for chows in this game."""

    @property
    def places(self) -> tuple[Seat, ...]:
        """The seats that are taken."""

    @property
    def answers(self) -> frozenset[str]:
        """The kinds of question that exist in this game, beside the hand itself."""

    def judge(self, laid: LaidHand, how: Circumstances) -> Verdict:
        """Judge a laid hand; raises `BadHand` for impossible input."""

    def joint(self, wins: Sequence[tuple[LaidHand, Circumstances]]) -> Joint:
        """Judge wins of the same tile together; raises `BadHand` for impossible input."""

    def ask(
        self, kind: str, table: TableFacts, events: Sequence[Mapping[str, Any]] = (), winners: Sequence[Any] = ()
    ) -> dict[str, Any]:
        """Ask one of the ruleset's own questions; raises `BadHand` for impossible input or an unknown question."""

    def as_announced(self, verdict: Verdict, how: Circumstances, announced: int | None) -> tuple[int, Payments]:
        """What is settled, and what it pays, where the winner announced so much (None = nothing)."""

    def following(self, setup: Setup, outcome: Outcome, game: Seating) -> Setup | None:
        """The hand after this one; None when the game is over; raises `BadHand` for an impossible outcome."""

    def dealt_by(self, setup: Setup, dice: Sequence[int], game: Seating) -> Setup:
        """The same hand with the dealer whom the opening dice choose."""

    def false_win(self, seat: Seat, each: int | None, table: TableFacts) -> Payments:
        """What a false win pays; `each` None = as the rules say."""


@dataclass(frozen=True, slots=True)
class Seating:
    """What the order of hands depends on: where the first dealer sat, and whether players change seats each round."""

    first_dealer: Seat
    rotate: bool

"""A ruleset as one frozen value: its tiles, shapes, fan rows, gates, arithmetic, payments, dealer rule and options.

Read a file in `rules/rulesets/` next to this one: each fills these fields from top to bottom. Shared behaviour is a
function that is named here (called, not inherited).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rules.evaluate import Judged, Price, Settlement, all_win, judge
from rules.fans import Fan, Tally
from rules.hand import Case, Hand, Options, WildRule
from rules.model import USUAL_WAYS, HandResult, Outcome, Plain, Progress, Seat, Source, TableFacts, Transfer, Winner
from rules.options import Option
from rules.question import Question
from rules.shapes import FormFinder
from rules.tiles import EVERY_KIND, Kinds


def no_wild(options: Options, facts: TableFacts) -> WildRule:  # noqa: ARG001
    """No tile is wild."""
    return WildRule()


def no_notes(case: Case) -> tuple[str, ...]:  # noqa: ARG001
    """Nothing to remark."""
    return ()


def no_penalty(rules: Ruleset, offender: Seat, facts: TableFacts, each: int | None) -> tuple[Transfer, ...]:  # noqa: ARG001
    """A false win costs nothing; the hand of the offender is dead."""
    return ()


def unchanged(rules: Ruleset) -> Ruleset:
    """The options change no rows and no policies; functions read them where they matter."""
    return rules


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ruleset:
    """The rules of one game, with the options of one table (`chosen`).

    `before` gates see a case before its tiles are read, `gates` see each reading with its fans; both answer the
    reason of a refusal or None. `several` gets all valid wins of one moment and returns those that stand, repriced
    where winning together changes the value. `checks` raise on circumstances that cannot be. `adjust` turns the chosen
    options into other rows or policies, once. `by_place` says whether it matters into which set the winning tile is
    read (concealed pungs, the kind of wait); a ruleset where it does not is judged faster without. `answers` are the
    kinds of question beside `hand`.
    """

    name: str
    title: tuple[str, str, str]
    """Simplified, traditional, English."""
    version: str = "1"
    sources: tuple[str, ...] = ()

    seats: int = 4
    hand_size: int = 13
    tile_kinds: Kinds = EVERY_KIND
    flowers: bool = False
    chows: bool = True
    """Whether discards are taken for chows."""
    chow_from_any: bool = False
    lone_kongs: bool = False
    """Single tiles laid out count as kongs (武漢: 紅中 and 癩子), with a replacement for each."""
    ways: tuple[Source, ...] = USUAL_WAYS
    """The ways in which a winning tile can come in this game."""
    wild: Callable[[Options, TableFacts], WildRule] = no_wild

    forms: tuple[FormFinder, ...]
    fans: tuple[Fan, ...]
    by_place: bool = True
    checks: tuple[Callable[[Ruleset, Winner, TableFacts], None], ...] = ()
    before: tuple[Callable[[Case], str | None], ...] = ()
    gates: tuple[Callable[[Hand, Tally], str | None], ...] = ()
    price: Callable[[Hand, Tally], Price]
    notes: Callable[[Case], tuple[str, ...]] = no_notes

    several: Callable[[Ruleset, Sequence[Judged], TableFacts], Sequence[Judged]] = all_win
    settle: Callable[[Ruleset, Sequence[Judged], TableFacts], Settlement]
    deal: Callable[[Ruleset, Outcome, TableFacts], Progress]
    false_win: Callable[[Ruleset, Seat, TableFacts, int | None], tuple[Transfer, ...]] = no_penalty
    """What the offender pays (詐和); the last argument is an amount for each opponent that the referee names."""
    answers: Mapping[str, Callable[[Ruleset, Question], HandResult]] = field(default_factory=dict)

    options: Mapping[str, Option]
    adjust: Callable[[Ruleset], Ruleset] = unchanged
    chosen: Mapping[str, Plain] = field(default_factory=dict)

    def judge(self, winners: Sequence[Winner], facts: TableFacts) -> HandResult:
        """Judge the declared wins of one moment: legal or not, worth what, who pays whom.

        Raises:
            RulesInputError: The tiles or circumstances are impossible.
        """
        return judge(self, winners, facts)

    def next_dealer(self, outcome: Outcome, facts: TableFacts) -> Progress:
        """Who deals the next hand, and the round wind where the ruleset has rounds."""
        return self.deal(self, outcome, facts)

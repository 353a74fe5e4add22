"""The fans of 嘉興麻將 that wait in a line from hand to hand: 黃番, 老頭黃, 包子 and 百搭連庄.

The opening of a hand adds to the line, a drawn hand adds one 黃番, and a win uses up exactly one, the oldest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.errors import Impossible, did_you_mean
from rules.model import HandResult, Outcome, Plain, TableFacts
from rules.policies import progress_extras
from rules.question import Question
from rules.tiles import Tile, is_honour

if TYPE_CHECKING:
    from rules.hand import Case
    from rules.ruleset import Ruleset

WAITING = ("黃番", "老頭黃", "包子", "百搭連庄")


def waiting_fans(wild: Tile | None, facts: TableFacts) -> tuple[str, ...]:
    """The fans in line during this hand, oldest first: carried in, then those that its opening adds.

    Raises:
        RulesInputError: An unknown fan is carried in, or the opening throw has not two dice.
    """
    for name in facts.carry_in:
        if name not in WAITING:
            raise Impossible("no_carried_fan", name=name, hint=did_you_mean(name, WAITING))
    if len(facts.dice) not in (0, 2):
        raise Impossible("two_dice", found=str(list(facts.dice)))
    added = (
        ("老頭黃", wild is not None and is_honour(wild)),
        ("包子", len(facts.dice) == 2 and facts.dice[0] == facts.dice[1]),
        ("百搭連庄", wild is not None and wild == facts.prev_wild),
    )
    return facts.carry_in + tuple(name for name, triggered in added if triggered)


def oldest_waiting(case: Case) -> str | None:
    """The fan that a win uses up, if any waits."""
    line = waiting_fans(case.wild.wild, case.facts)
    return line[0] if line else None


def answer_draw(rules: Ruleset, question: Question) -> HandResult:
    """An exhausted wall: nobody pays, the dealer stays, and one 黃番 joins the waiting fans."""
    facts = question.facts
    line = list(waiting_fans(rules.wild(rules.chosen, facts).wild, facts))
    if rules.chosen["huang_per_draw"] or "黃番" not in line:
        line.append("黃番")
    carried: list[Plain] = list(line)
    progress = progress_extras(rules.next_dealer(Outcome("draw"), facts))
    return HandResult.told(("carry_out", carried), *progress)

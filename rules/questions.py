"""The JSON form of questions and answers (`paiju score`, the HTTP API, the worked examples).

`answer` takes one question as a mapping and gives the answer as a mapping; `parse` and `report` are its two halves for
callers who want the values between them. Impossible input raises `RulesInputError`; `answer_line` turns that into
`{"id", "error"}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from fractions import Fraction

from rules.errors import RulesInputError, UnknownKind, did_you_mean
from rules.explain import explain
from rules.model import HandResult, Plain, Points, Verdict
from rules.question import Question
from rules.reading_json import events_of, facts_of, winners_of
from rules.registry import ruleset
from rules.ruleset import Ruleset

KINDS = (
    "hand", "start", "kong", "session", "draw", "fee", "claim", "contract", "liability", "dealer", "wild", "wall",
    "sea", "action", "phase", "false_win",
)  # fmt: skip
"""Every kind of question there is; a ruleset answers those that exist in its game."""

PARTS = ("id", "ruleset", "kind", "options", "state", "winners", "events")
"""The parts of a question. Remarks may stand beside them under other names, but not under one that is nearly a part."""


def parse(question: Mapping[str, object]) -> tuple[Ruleset, Question]:
    """The ruleset with its options, and the question as a value.

    Raises:
        RulesInputError: Something in the question is malformed; the message says what and where.
    """
    name = question.get("ruleset")
    if not isinstance(name, str):
        raise RulesInputError(f'"ruleset" must be a name such as gb, found {name!r}')
    misspelt = [key for key in question if key not in PARTS and get_close_matches(str(key), PARTS, n=1, cutoff=0.75)]
    if misspelt:
        raise RulesInputError(f'the question has no part "{misspelt[0]}"; {did_you_mean(misspelt[0], PARTS)}')
    options = {} if question.get("options") is None else question["options"]
    if not isinstance(options, Mapping):
        raise RulesInputError(f'"options" must be an object such as {{"profile": "gb"}}, found {options!r}')
    rules = ruleset(name, options)
    kind = question.get("kind", "hand")
    if kind not in KINDS:
        raise UnknownKind(f"there is no kind of question {kind!r}; {did_you_mean(kind, KINDS)}")
    state, winners, events = (question.get(part) for part in ("state", "winners", "events"))
    return rules, Question(
        str(kind),
        facts_of({} if state is None else state),
        winners_of([] if winners is None else winners),
        events_of([] if events is None else events),
    )


def solve(rules: Ruleset, question: Question) -> HandResult:
    """Answer a parsed question.

    Raises:
        UnknownKind: The ruleset has no such question.
        RulesInputError: The question's tiles or events are impossible.
    """
    if question.kind in rules.answers:
        return rules.answers[question.kind](rules, question)
    if question.kind != "hand":
        known = ("hand", *rules.answers)
        raise UnknownKind(f"{rules.name} has no question of kind {question.kind}; it has {', '.join(known)}")
    if not question.winners:
        raise RulesInputError('a question of kind hand needs at least one entry in "winners"')
    return rules.judge(question.winners, question.facts)


def answer(question: Mapping[str, object], *, explained: bool = False) -> dict[str, Plain]:
    """Answer one question in its JSON form; with `explained`, the text of `paiju score --explain` is added.

    Raises:
        RulesInputError: The question is malformed or impossible.
    """
    rules, parsed = parse(question)
    result = solve(rules, parsed)
    reply = report(result, question.get("id"))
    if explained:
        reply["explain"] = explain(rules, parsed, result)
    return reply


def answer_line(question: Mapping[str, object], *, explained: bool = False) -> dict[str, Plain]:
    """Like `answer`, but malformed input becomes `{"id", "error"}`."""
    try:
        return answer(question, explained=explained)
    except RulesInputError as error:
        return {"id": _id(question.get("id")), "error": str(error)}


def report(result: HandResult, name: object = None) -> dict[str, Plain]:
    """A result in its JSON form."""
    reply: dict[str, Plain] = {
        "id": _id(name),
        "valid": result.valid,
        "payments": list(result.payments),
        "winners": [_verdict(one) for one in result.winners],
    }
    refused = [one for one in result.winners if not one.valid]
    if not result.valid and refused:
        reply["reason"] = refused[0].reason
    if result.notes:
        reply["notes"] = list(result.notes)
    return reply | dict(result.extras)


def _id(name: object) -> str | int | None:
    return name if isinstance(name, (str, int)) else None


def _verdict(verdict: Verdict) -> dict[str, Plain]:
    reply: dict[str, Plain] = {
        "seat": verdict.seat,
        "valid": verdict.valid,
        "fans": [[line.name, plain_points(line.value)] for line in verdict.fans for _ in range(line.count)],
    }
    if not verdict.valid:
        reply["reason"] = verdict.reason
    reply |= dict(verdict.numbers)
    if verdict.notes:
        reply["notes"] = list(verdict.notes)
    return reply


def plain_points(value: Points) -> int | float:
    """A value as JSON writes it: 1.5 stays 1.5, whole values are integers."""
    return float(value) if isinstance(value, Fraction) and value.denominator != 1 else int(value)

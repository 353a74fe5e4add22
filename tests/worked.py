"""The worked cases of a ruleset (tests/golden/rules), and the same case told in another way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rules.fan_names import fan_name
from rules.questions import answer, report, solve
from rules.questions import parse as parsed
from rules.registry import ruleset
from rules.ruleset import Ruleset

GOLDEN = Path(__file__).parent / "golden" / "rules"
NUMBERS = ("unit", "fan", "flowers", "total", "mult", "value")
NEXT_SUIT = str.maketrans("mps", "psm")


def cases(name: str, *kinds: str) -> list[dict[str, Any]]:
    """The worked cases of a ruleset, of these kinds or of all."""
    every = [
        json.loads(line)
        for path in (GOLDEN / f"{name}.jsonl", GOLDEN / f"{name}_more.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [case for case in every if not kinds or case["kind"] in kinds]


def as_told(case: Mapping[str, Any], rules: Ruleset | None = None) -> bool:
    """Whether the answer has everything the case expects, under its own rules or others."""
    own, question = parsed(case)
    reply: dict[str, Any] = report(solve(rules or own, question))
    expect: dict[str, Any] = case["expect"]
    numbers = {key for key, value in expect.items() if isinstance(value, list) and key in NUMBERS}
    same = all(reply.get(key) == value for key, value in expect.items() if key not in {"fans_all", *numbers})
    return same and all([one.get(key) for one in reply["winners"]] == expect[key] for key in numbers)


def answered(case: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a case, without its name."""
    own, question = parsed(case)
    reply: dict[str, Any] = report(solve(own, question))
    return reply


def turned(case: Mapping[str, Any], by: int, seats: int = 4) -> dict[str, Any]:
    """The same question with everybody `by` seats further on."""

    def seat(value: Any) -> Any:
        return None if value is None else (value + by) % seats

    other: dict[str, Any] = json.loads(json.dumps(case))
    state = other["state"]
    state["dealer"], state["first_dealer"] = seat(state.get("dealer", 0)), seat(state.get("first_dealer", 0))
    for row in ("flowers", "open_hand", "doubled"):
        if state.get(row):
            state[row] = [state[row][(place - by) % seats] for place in range(seats)]
    if "passed" in state:
        state["passed"] = {str(seat(int(one))): kinds for one, kinds in state["passed"].items()}
    for one in state.get("liability", []):
        one["for"], one["by"] = seat(one["for"]), seat(one["by"])
    for one in other["winners"]:
        for key in {"seat", "from_seat", "kong_feeder"} & set(one):
            one[key] = seat(one[key])
        for meld in one["melds"]:
            meld["from"] = seat(meld["from"])
    return other


def in_other_suits(case: Mapping[str, Any]) -> dict[str, Any]:
    """The same hand with 萬 as 筒, 筒 as 條, 條 as 萬."""
    other: dict[str, Any] = json.loads(json.dumps(case))
    if "passed" in other["state"]:
        passed = other["state"]["passed"]
        other["state"]["passed"] = {seat: [kind.translate(NEXT_SUIT) for kind in passed[seat]] for seat in passed}
    for one in other["winners"]:
        for key in ("hand", "win_tile"):
            one[key] = one[key] and one[key].translate(NEXT_SUIT)
        for meld in one["melds"]:
            meld["tiles"] = meld["tiles"].translate(NEXT_SUIT)
    return other


def unused_options(name: str) -> list[str]:
    """The options of a ruleset that no worked case uses, or not with each of their values."""
    used = {(option, json.dumps(value)) for case in cases(name) for option, value in case["options"].items()}
    named = {option for option, _ in used}
    return [
        option
        for option, rule in ruleset(name).options.items()
        if option not in named
        or any((option, json.dumps(value)) not in used for value in rule.values or () if value != rule.default)
    ]


def unexplained(name: str, *kinds: str) -> list[tuple[str, str]]:
    """The worked cases of these kinds, each with a fan that counts and of which the explanation does not speak."""
    replies: list[tuple[str, dict[str, Any]]] = [
        (case["id"], answer(case, explained=True)) for case in cases(name, *kinds)
    ]
    return [
        (case_id, fan)
        for case_id, reply in replies
        for one in reply["winners"]
        for fan, _ in one["fans"]
        if f"+ {fan_name(str(fan))} " not in str(reply["explain"])
    ]

"""The worked examples of every ruleset, as golden files a player can read (tests/golden/rules)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules.questions import answer, answer_line
from rules.registry import names

GOLDEN = Path(__file__).parent / "golden" / "rules"
PER_WINNER = ("total", "tai", "fan", "unit", "flowers", "mult", "value", "core")
REFUSED = {"gb-not-winning": "shape", "gb-below-eight": "below_minimum"}
"""The two hands of gb-invalid that can exist: they are refused, everything else there is an error."""


def cases(pattern: str) -> list[Any]:
    """The examples of every registered ruleset, one test parameter each."""
    return [
        pytest.param(case, id=case["id"])
        for path in sorted(GOLDEN.glob(pattern))
        for case in map(json.loads, path.read_text(encoding="utf-8").splitlines())
        if case["ruleset"] in names()
    ]


def fans_of(reply: dict[str, Any]) -> list[list[tuple[str, Any]]]:
    return [sorted((name, value) for name, value in one["fans"]) for one in reply["winners"]]


@pytest.mark.parametrize("case", [case for case in cases("*.jsonl") if "expect" in case.values[0]])
def test_example(case: dict[str, Any]) -> None:
    reply: dict[str, Any] = answer(case)
    expect: dict[str, Any] = case["expect"]
    for key, value in expect.items():
        if key == "fans_all":
            allowed = [value, *([one] for one in expect.get("fans_equal_value", []))]
            listed = [[sorted((name, points) for name, points in fans) for fans in one] for one in allowed]
            assert fans_of(reply) in listed, case["why"]
        elif key in PER_WINNER and isinstance(value, list):
            assert [one[key] for one in reply["winners"]] == value, case["why"]
        elif key != "fans_equal_value":
            assert reply[key] == value, f"{key}: {case['why']}"
    assert sum(reply["payments"]) == 0


@pytest.mark.parametrize("case", cases("gb-invalid.jsonl"))
def test_invalid(case: dict[str, Any]) -> None:
    reply = answer_line(case)
    if case["id"] in REFUSED:
        assert (reply["valid"], reply["reason"], reply["payments"]) == (False, REFUSED[case["id"]], [0, 0, 0, 0])
    else:
        assert set(reply) == {"id", "error"}
        assert len(str(reply["error"])) > 30, "an error says what and where"


def test_the_golden_examples_are_the_specification(shared: Path) -> None:
    for path in sorted((shared / "rules" / "examples").glob("*.jsonl")):
        own = (GOLDEN / path.name).read_text(encoding="utf-8").splitlines()
        assert [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] == [
            json.loads(line) for line in own
        ], path.name

"""Damaged questions: any of them gets an answer or one clear error, never an exception, and no money appears."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.questions import answer_line
from rules.registry import names

GOLDEN = Path(__file__).parent / "golden" / "rules"
JUNK: tuple[Any, ...] = (
    None, True, False, 0, -1, 5, 99, 10**30, 1.5, float("nan"), "", "x", "1m", "123m", "99999m", "7z", "E", "１m",
    "hu", "\u0000", [], [1], [None], {}, {"a": 1}, {"0": []},
)  # fmt: skip


def places(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a question that can be damaged."""
    if path:
        yield path
    if isinstance(part, dict):
        for key in part:
            yield from places(part[key], (*path, key))
    elif isinstance(part, list):
        for number, one in enumerate(part):
            yield from places(one, (*path, number))


def damaged(question: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The question with one place removed or replaced by junk."""
    hurt = copy.deepcopy(question)
    *way, last = chance.choice(list(places(hurt)))
    part: Any = hurt
    for key in way:
        part = part[key]
    if isinstance(part, dict) and chance.random() < 0.15:
        del part[last]
    else:
        part[last] = copy.deepcopy(chance.choice(JUNK))
    return hurt


@pytest.mark.parametrize("name", names())
def test_damaged_questions_are_answered_or_refused(name: str) -> None:
    chance = random.Random(name)
    lines = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [
        {key: value for key, value in json.loads(line).items() if key not in ("expect", "why")} for line in lines
    ]
    errors = 0
    for _ in range(500):
        reply: dict[str, Any] = answer_line(damaged(chance.choice(questions), chance))
        json.dumps(reply)
        if "error" in reply:
            errors += 1
            assert len(reply["error"]) > 20, reply
        else:
            assert sum(reply["payments"]) == 0
    assert 100 < errors < 490

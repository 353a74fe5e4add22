"""What each ruleset rules in its worked cases, pinned to its version: tests/golden/rulings.txt, one line a question.

A line has the ruleset, its version, a digest of the question and one of the answer: of a hand whether it wins and what
is paid, of other questions all that the case expects. New, changed and removed questions pin nothing; the same question
with another answer under the same version is a ruling that changed unnoticed by games that go on.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from rules.registry import names, ruleset
from tests.worked import GOLDEN

FILE = Path(__file__).parent / "golden" / "rulings.txt"
RULED = frozenset({"valid", "payments"})
ASIDE = frozenset({"id", "why", "expect"})


def rulings(name: str) -> dict[str, str]:
    """The digest of each question of this ruleset's worked cases, and that of its answer."""
    found: dict[str, str] = {}
    for path in (*GOLDEN.glob(f"{name}.jsonl"), *GOLDEN.glob(f"{name}_more.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            case: dict[str, Any] = json.loads(line)
            question = {key: value for key, value in case.items() if key not in ASIDE}
            answer = {key: value for key, value in case["expect"].items() if case["kind"] != "hand" or key in RULED}
            found[digest(question)] = digest(answer)
    return found


def pinned(name: str) -> dict[str, tuple[str, str]]:
    """For each question of this ruleset that is pinned: the version, and the digest of its answer."""
    rows = [line.split() for line in FILE.read_text(encoding="utf-8").splitlines()]
    return {question: (version, answer) for ruled, version, question, answer in rows if ruled == name}


def changed(name: str, now: dict[str, str]) -> list[str]:
    """The questions that are answered otherwise now, although the version is that of the earlier answer."""
    version = ruleset(name).version
    return [
        asked
        for asked, before in pinned(name).items()
        if asked in now and version == before[0] and now[asked] != before[1]
    ]


def digest(value: object) -> str:
    """Twelve hex digits of a JSON value."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


def main() -> None:
    """Pin the answers as they are, where each that changed has a new version.

    Raises:
        ValueError: a ruling changed under the same version.
    """
    every = {name: rulings(name) for name in names()}
    unnoticed = [name for name, now in every.items() if FILE.exists() and changed(name, now)]
    if unnoticed:
        raise ValueError(f"rulings of {', '.join(unnoticed)} changed: raise the version first")
    lines = [
        f"{name} {ruleset(name).version} {asked} {every[name][asked]}\n"
        for name in every
        for asked in sorted(every[name])
    ]
    FILE.write_text("".join(lines), encoding="utf-8")

"""The coverage tables in docs/rules: every clause names a test that exists, or a reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules.registry import names, ruleset

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs" / "rules"
CLAUSE = re.compile(r"^\| ([A-Z]{2}-\d+[a-z]?) \|(.*)\|$")
TEST = re.compile(r"`?(tests/test_\w+\.py)::(test_\w+)`?")


def clauses(name: str) -> dict[str, str]:
    """The clause rows of a ruleset's document: id to the rest of the row."""
    lines = (DOCS / f"{name}.md").read_text(encoding="utf-8").splitlines()
    found: dict[str, str] = {}
    for line in lines:
        row = CLAUSE.match(line)
        if row:
            assert row[1] not in found, f"{row[1]} twice"
            found[row[1]] = row[2]
    return found


@pytest.mark.parametrize("name", names())
def test_every_clause_has_a_test_or_a_reason(name: str) -> None:
    found = clauses(name)
    assert len(found) >= 8
    for clause, row in found.items():
        tests = TEST.findall(row)
        assert tests or re.search(r"reason: \S.{15,}", row), f"{clause} names neither a test nor a reason"
        for file, test in tests:
            source = (ROOT / file).read_text(encoding="utf-8")
            assert re.search(rf"^def {test}\(", source, re.MULTILINE), f"{clause}: {file} has no {test}"


@pytest.mark.parametrize("name", names())
def test_every_option_is_documented_with_its_origin(name: str) -> None:
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    for option, rule in ruleset(name).options.items():
        assert f"`{option}`" in text, f"docs/rules/{name}.md does not mention the option {option}"
        assert rule.mark in ("seed", "public", "choice", "seed/public")


def test_options_are_those_of_the_specification(shared: Path) -> None:
    import json

    listed = json.loads((shared / "rules" / "options.json").read_text(encoding="utf-8"))
    for name in names():
        options = ruleset(name).options
        missing = set(listed[name]) - set(options)
        assert not missing, f"{name} lacks {missing}"
        for option, rule in listed[name].items():
            assert options[option].default == rule["default"], f"{name}.{option}"
            for value in rule.get("values", []):
                assert options[option].accepts(value), f"{name}.{option} must accept {value!r}"

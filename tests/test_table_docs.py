"""The examples in the docstrings of table/ are true."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "table"
WITH_EXAMPLES = sorted(path.stem for path in FOLDER.glob("*.py") if ">>>" in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"table.{name}"))
    assert results.attempted > 0
    assert results.failed == 0

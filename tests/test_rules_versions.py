"""A ruling that changes raises the version of its ruleset, so that games that were opened before say so."""

from __future__ import annotations

import pytest

from rules.registry import names
from tests.golden_rulings import changed, pinned, rulings

TODO = (
    "a worked case is answered otherwise than under this version of the ruleset: raise its `version`, note the ruling "
    "with its date in CHANGELOG.md, then write the pins anew with `make golden`"
)


@pytest.mark.parametrize("name", names())
def test_a_ruling_that_changed_has_a_new_version(name: str) -> None:
    now = rulings(name)
    assert changed(name, now) == [], TODO
    assert len(now.keys() & pinned(name).keys()) > len(now) / 2, (
        "most questions are pinned: `make golden` adds new ones"
    )


def test_another_answer_to_a_pinned_question_is_noticed_and_a_new_question_is_not() -> None:
    now = rulings("gb")
    first = next(iter(now))
    assert changed("gb", {**now, first: "another"}) == [first]
    assert changed("gb", {**now, "another": now[first]}) == []

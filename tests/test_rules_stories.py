"""Whole evenings of Sichuan and Changsha: kongs, starting wins, several winners, birds, the wall's end."""

from __future__ import annotations

from itertools import pairwise

import pytest

from rules.questions import answer
from tests.story import Table, stories

EVENINGS = ("sichuan", "sichuan_single", "changsha")


@pytest.mark.parametrize("name", EVENINGS)
def test_every_number_of_the_evening(name: str) -> None:
    options, hands = stories(name)
    totals = [0, 0, 0, 0]
    for story in hands:
        table = Table(name.split("_")[0], options, story)
        table.play()
        where = f"{name} hand {story.number}"
        assert table.paid == story.pays, where
        totals = [old + new for old, new in zip(totals, story.pays, strict=True)]
        assert totals == story.totals, where
        assert str(table.next_dealer()) == story.next["dealer"], where
        assert sum(story.pays) == 0
    for before, after in pairwise(hands):
        assert after.state["dealer"] == before.next["dealer"], f"{name} hand {after.number}"


@pytest.mark.parametrize("name", ["sichuan", "sichuan_single"])
def test_a_session_tells_the_same_as_its_moments(name: str) -> None:
    """Kongs and wins asked as one question of kind session pay what they paid one by one."""
    options, hands = stories(name)
    for story in hands:
        if any(line.startswith("false") for line in story.happened):
            continue
        table = Table("sichuan", options, story)
        table.play()
        question = {"ruleset": "sichuan", "options": options, "kind": "session", "events": table.events}
        reply = answer({**question, "state": {"dealer": table.dealer}})
        payments: list[int] = reply["payments"]  # type: ignore[assignment]
        walls = table.paid_at_the_wall
        assert [one + more for one, more in zip(payments, walls, strict=True)] == story.pays, story.number
        assert reply["hand_over"] == (not any(line == "drawn" for line in story.happened)), story.number


@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_has_everything_the_game_has(name: str) -> None:
    _, hands = stories(name)
    assert [story.number for story in hands] == list(range(1, len(hands) + 1))
    assert len(hands) >= (8 if name == "sichuan_single" else 16)
    text = "\n".join(line for story in hands for line in story.happened)
    wanted = {"changsha": ("dealt", "and dealt", "turned", "sea", "replaced", "false win", "and seat")}
    for words in wanted.get(name, ("kong_concealed", "drawn", "shows", "false win", "and seat", "rob_kong")):
        assert words in text, f"{name} has no {words}"

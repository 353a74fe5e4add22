"""Whole simulated hands: nothing wrong is ever committed, and hardly anything is asked."""

from __future__ import annotations

import pytest

from rules.registry import names
from tests.bench_follow import SETTINGS
from tests.evening_sim import Noise
from tests.follow_run import follow_hands

HANDS = 8


@pytest.mark.parametrize("name", names())
def test_a_perfect_camera_follows_every_hand(name: str) -> None:
    tally = follow_hands(name, HANDS, Noise(), seed=2)
    assert tally.wrong == 0, tally.notes
    assert tally.clean == HANDS, tally.notes


@pytest.mark.parametrize("setting", [setting for setting, noise in SETTINGS.items() if not noise.lies])
@pytest.mark.parametrize("name", names())
def test_no_camera_makes_it_commit_what_did_not_happen(name: str, setting: str) -> None:
    tally = follow_hands(name, HANDS, SETTINGS[setting], seed=3)
    assert tally.wrong == 0, tally.notes
    assert tally.questions <= HANDS * (0.5 if SETTINGS[setting].misread < 0.05 else 1), tally.notes


def test_a_camera_that_lies_is_noticed_by_the_counting() -> None:
    """The measure itself can fail: sure faces that are wrong become wrong moves."""
    tally = follow_hands("gb", 6, Noise(lies=0.05), seed=4)
    assert tally.wrong > 0

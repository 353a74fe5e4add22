"""Whole simulated hands: nothing wrong is ever committed, and hardly anything is asked."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rules.registry import names, ruleset
from table.follow.follower import Follower
from table.follow.legal import legal_moves
from table.follow.moves import Flowered, HandLaid, TableCleared
from table.follow.resume import LyingTiles, lying
from table.follow.state import HandState, SeatState, apply, begin
from tests.bench_follow import SETTINGS
from tests.evening_sim import HandPlay, Noise
from tests.follow_kit import discard, seat, sight
from tests.follow_run import Tally, Watch, follow_hands

HANDS = 20
"""Hands of each ruleset and setting: a tenth of what `bench_follow` plays."""


@pytest.mark.parametrize("name", names())
def test_a_perfect_camera_follows_every_hand(name: str) -> None:
    tally = follow_hands(name, HANDS, Noise(), seed=2)
    assert tally.wrong == 0, tally.notes
    assert tally.clean == HANDS, tally.notes


@pytest.mark.parametrize("setting", [one for one, noise in SETTINGS.items() if noise != Noise() and not noise.lies])
@pytest.mark.parametrize("name", names())
def test_no_camera_makes_it_commit_what_did_not_happen(name: str, setting: str) -> None:
    tally = follow_hands(name, HANDS, SETTINGS[setting], seed=3)
    assert tally.wrong == 0, tally.notes
    assert tally.questions <= HANDS * (0.25 if SETTINGS[setting].misread < 0.05 else 0.5), tally.notes


@pytest.mark.parametrize("setting", ["perfect camera", "2 % and all of the above"])
def test_kongs_that_turn_up_two_tiles_are_followed(setting: str) -> None:
    tally = follow_hands("changsha", HANDS, SETTINGS[setting], seed=5, kong_dice=2)
    assert tally.wrong == 0, tally.notes
    assert tally.questions <= HANDS / 8, tally.notes


def test_a_camera_that_lies_is_noticed_by_the_counting() -> None:
    """The measure itself can fail: sure faces that are wrong become wrong moves."""
    tally = follow_hands("gb", 6, Noise(lies=0.05), seed=4)
    assert tally.wrong > 0


def test_the_measure_minds_the_order_of_flowers_only_among_their_players_own_moves() -> None:
    legal = legal_moves(ruleset("gb"))
    first, second, flower = (discard(0, "5p"), discard(1, "7m"), Flowered(seat=2, faces=("5f",)))
    for true, told, wrong in (
        ((first, second, flower), (flower, first, second), 0),
        ((first, second, discard(2, "1z"), flower), (flower, first, second), 1),
        ((first, second), (flower, first, second), 1),
    ):
        watched = Watch(Follower(begin(legal, 0), legal), Tally())
        watched.truth = list(true)
        watched.follower = replace(watched.follower, expected=told)
        watched.take(sight(s0=seat("5p"), s1=seat("7m"), s2=seat(flowers="5f")))
        assert watched.tally.wrong == wrong, watched.tally.notes


def lies(own: SeatState) -> LyingTiles:
    """What a camera sees before one player, his concealed kongs face down."""
    melds = (((),) * 4 if meld.kind == "kong_concealed" else tuple(t.faces for t in meld.tiles) for meld in own.melds)
    return LyingTiles(tuple(t.faces for t in own.pond), tuple(melds), tuple(t.faces for t in own.flowers))


def test_what_lies_on_the_table_tells_how_many_tiles_were_drawn() -> None:
    """A person may say at any moment that it is as it lies: kongs, flowers and claims leave the count of the wall."""
    kongs = 0
    for name in ("gb", "wuhan", "changsha", "two_player"):
        legal = legal_moves(ruleset(name))
        for number in range(12):
            play = HandPlay(legal, number % legal.seats, Random(number))
            state: HandState = begin(legal, number % legal.seats, wild=play.wild, outside=play.outside)
            for happened in play.play():
                if happened.move is None or isinstance(happened.move, HandLaid | TableCleared):
                    break
                state = apply(state, happened.move, legal)
                if state.step == "draw":
                    again = lying(state, [lies(own) for own in state.seats], state.turn, legal)
                    assert again.wall_left == state.wall_left
                    kongs += any(meld.kind == "kong_open" for own in state.seats for meld in own.melds)
    assert kongs

"""What players did, counted from the hands as they stand."""

from __future__ import annotations

from table.export import games
from table.runtime import Runtime
from table.statistics import PlayerNumbers, numbers
from tests import webui_rig as rig


def counted(table: Runtime) -> dict[str, PlayerNumbers]:
    return {one.name: one for one in numbers(games(table.entries()).values())}


def test_every_number_of_a_small_evening(table: Runtime) -> None:
    """Seat 1 wins from 2, 2 and by itself, then seat 3 from 1; seat 0 makes a false win."""
    rig.open_game(table)
    rig.win(table, 1, 2)
    rig.win(table, 1, 2)
    rig.claim(table, 0, 1)
    rig.do(table, "reject", reason="thirteen tiles", false_win=True, each=8)
    rig.do(table, "claim_win", seat=1, source="self_draw")
    rig.do(table, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    rig.do(table, "approve")
    rig.win(table, 3, 1)
    found = counted(table)
    south, west, north, east = found["赵南"], found["王芳"], found["李北"], found["陈东"]
    assert (south.hands, south.wins, south.self_drawn, south.streak, south.fed) == (4, 3, 1, 3, 1)
    assert (west.wins, west.fed, west.streak) == (0, 2, 0)
    assert (north.wins, north.fed, north.streak) == (1, 0, 1)
    (best,) = north.best
    assert (best.ruleset, best.counted_in, best.total, best.game, best.hand_no) == ("gb", "fan", 24, "g1", 4)
    assert (east.false_wins, east.wins) == (1, 0)
    assert south.worth["gb"] == 2 * 24 + south.best[0].total
    assert dict(south.fans)["清龙"] == 3
    assert sum(one.points.get("gb", 0) for one in found.values()) == 0
    assert (south.firsts, north.firsts) == (1, 0)


def test_the_dearest_hands_of_different_rules_are_not_compared(table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table, 1, 2)
    rig.do(table, "close_game")
    rig.open_game(table, ruleset="sichuan", options={"mode": "single"})
    rig.claim(table, 1, 2)
    rig.do(table, "hand_manual", hand="123456789m123m5m", win_tile="5m")
    rig.do(table, "approve")
    south = counted(table)["赵南"]
    best = [(one.ruleset, one.counted_in, one.total) for one in south.best]
    assert best == [("gb", "fan", 24), ("sichuan", "points", 24)]
    assert south.points == {"gb": 48, "sichuan": 24}, "nor are the points of different rules added"
    assert south.worth == {"gb": 24, "sichuan": 24}
    assert [one.name for one in numbers(games(table.entries()).values())] == ["赵南", "李北", "王芳", "陈东"]


def test_a_correction_corrects_the_numbers(table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table, 1, 2)
    rig.do(table, "correct_hand", hand_no=1, reason="seat", winner=3)
    found = counted(table)
    assert (found["赵南"].wins, found["李北"].wins, found["李北"].points) == (0, 1, {"gb": 48})


def test_a_run_ends_with_the_game_and_a_drawn_hand(table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table)
    rig.do(table, "start_hand")
    rig.do(table, "draw_hand")
    rig.win(table)
    rig.win(table)
    rig.do(table, "close_game")
    rig.open_game(table)
    rig.win(table)
    assert counted(table)["赵南"].streak == 2
    assert counted(table)["赵南"].games == 2


def test_a_substitute_wins_for_himself_and_the_points_stay_with_the_seat(table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table, 1, 2)
    rig.do(table, "substitute", seat=1, name="钱替")
    rig.win(table, 1, 2)
    found = counted(table)
    assert (found["赵南"].wins, found["钱替"].wins) == (1, 1)
    assert sum(one.points.get("gb", 0) for one in found.values()) == 0


def test_a_game_for_two_counts_two_players(table: Runtime) -> None:
    rig.do(table, "open_game", ruleset="two_player", names=["甲", "乙"])
    assert counted(table) == {}, "no hand yet"
    rig.do(table, "start_hand")
    rig.do(table, "draw_hand")
    assert {name: one.hands for name, one in counted(table).items()} == {"甲": 1, "乙": 1}

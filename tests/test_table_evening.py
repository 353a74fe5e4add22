"""A whole evening of 16 hands under gb, with false wins and corrections, against totals worked out by hand."""

from __future__ import annotations

from dataclasses import dataclass

from table.export import as_csv, choose, game_document, games
from tests.table_kit import CHICKEN, ORPHANS, PAIRS, STRAIGHT, Desk


@dataclass(frozen=True)
class Played:
    """A hand as it is played and what each seat gets, worked out with base 8 (R98 p.28)."""

    paid: tuple[int, int, int, int]
    winner: int | None = None
    feeder: int | None = None
    hand: dict[str, str] | None = None


# STRAIGHT 24 on a discard: 32 / 8 / 8; drawn 26: 34 each. PAIRS 25 drawn: 33 each; on a discard 24: 32 / 8 / 8.
# ORPHANS 88 on a discard: 96 / 8 / 8.
EVENING = (
    Played((-8, 48, -32, -8), 1, 2, STRAIGHT),
    Played((99, -33, -33, -33), 0, None, PAIRS),
    Played((0, 0, 0, 0)),
    Played((-8, -8, -96, 112), 3, 2, ORPHANS),
    Played((-34, -34, 102, -34), 2, None, STRAIGHT),
    Played((-8, -32, 48, -8), 2, 1, PAIRS),
    Played((-32, -8, -8, 48), 3, 0, STRAIGHT),
    Played((0, 0, 0, 0)),
    Played((-33, 99, -33, -33), 1, None, PAIRS),
    Played((48, -8, -8, -32), 0, 3, STRAIGHT),
    Played((-96, -8, 112, -8), 2, 0, ORPHANS),
    Played((-34, -34, -34, 102), 3, None, STRAIGHT),
    Played((0, 0, 0, 0)),
    Played((48, -32, -8, -8), 0, 1, PAIRS),
    Played((102, -34, -34, -34), 0, None, STRAIGHT),
    Played((-8, 112, -8, -96), 1, 3, ORPHANS),
)


def column(seat: int) -> int:
    return sum(hand.paid[seat] for hand in EVENING)


def play(desk: Desk) -> None:
    for hand in EVENING:
        if hand.winner is None:
            desk.draw()
        else:
            assert hand.hand is not None
            desk.win(hand.winner, from_seat=hand.feeder, **hand.hand)


def test_sixteen_hands() -> None:
    desk = Desk().open()
    for number, hand in enumerate(EVENING, start=1):
        assert desk.state.setup is not None
        assert desk.state.setup.hand_no == number
        before = desk.state.totals
        if hand.winner is None:
            desk.draw()
        else:
            assert hand.hand is not None
            desk.win(hand.winner, from_seat=hand.feeder, **hand.hand)
        moved = tuple(after - was for was, after in zip(before, desk.state.totals, strict=True))
        assert moved == hand.paid, number
    assert desk.state.finished
    assert desk.state.totals == EXPECTED
    assert desk.refused("claim_win", seat=0, source="self_draw") == "game_finished"


EXPECTED = (36, 28, -32, -32)
"""Each seat's sixteen payments added up by hand, see `test_the_sums`."""


def test_the_sums() -> None:
    """The expected totals once more, column by column, so that no slip of the pen hides in them."""
    # seat 0: -8 +99 +0 -8 -34 -8 -32 +0 -33 +48 -96 -34 +0 +48 +102 -8
    assert -8 + 99 - 8 - 34 - 8 - 32 - 33 + 48 - 96 - 34 + 48 + 102 - 8 == EXPECTED[0] == column(0)
    # seat 1: +48 -33 +0 -8 -34 -32 -8 +0 +99 -8 -8 -34 +0 -32 -34 +112
    assert 48 - 33 - 8 - 34 - 32 - 8 + 99 - 8 - 8 - 34 - 32 - 34 + 112 == EXPECTED[1] == column(1)
    # seat 2: -32 -33 +0 -96 +102 +48 -8 +0 -33 -8 +112 -34 +0 -8 -34 -8
    assert -32 - 33 - 96 + 102 + 48 - 8 - 33 - 8 + 112 - 34 - 8 - 34 - 8 == EXPECTED[2] == column(2)
    # seat 3: -8 -33 +0 +112 -34 -8 +48 +0 -33 -32 -8 +102 +0 -8 -34 -96
    assert -8 - 33 + 112 - 34 - 8 + 48 - 33 - 32 - 8 + 102 - 8 - 34 - 96 == EXPECTED[3] == column(3)
    assert sum(EXPECTED) == 0


def test_corrections_after_the_evening() -> None:
    desk = Desk().open()
    play(desk)
    # hand 4: the discard came from seat 0, not 2: seat 0 pays 96 instead of 8, seat 2 pays 8 instead of 96
    desk.must("correct_hand", hand_no=4, reason="wrong discarder", from_seat=0)
    assert desk.state.totals == (36 - 88, 28, -32 + 88, -32)
    # hand 8 was no draw: seat 1 drew seven pairs, 33 from each
    desk.must(
        "correct_hand", hand_no=8, reason="not written down", outcome="win", winner=1, source="self_draw", **PAIRS
    )
    assert desk.state.totals == (36 - 88 - 33, 28 + 99, -32 + 88 - 33, -32 - 33)
    # hand 15 is void after all: the 102 go back
    desk.must("correct_hand", hand_no=15, reason="wrong wall", outcome="void")
    assert desk.state.totals == (36 - 88 - 33 - 102, 28 + 99 + 34, -32 + 88 - 33 + 34, -32 - 33 + 34)
    assert sum(desk.state.totals) == 0
    # and everything back
    desk.must("undo_last", reason="the wall was right")
    desk.must("undo_last", reason="it was a draw")
    desk.must("correct_hand", hand_no=4, reason="it was seat 2", from_seat=2)
    assert desk.state.totals == EXPECTED
    assert desk.state.finished


def test_an_evening_in_a_competition_with_changing_seats() -> None:
    """The same hands by seat; players change places after each round, so the points go to other players."""
    desk = Desk().open(mode="competition", rotate_seats=True)
    # who sits at seats 0 to 3 in each round, from the table E: E,S,N,W; S: S,E,W,N; W: W,N,E,S; N: N,W,S,E
    rounds = ((0, 1, 2, 3), (1, 0, 3, 2), (2, 3, 1, 0), (3, 2, 0, 1))
    expected = [0, 0, 0, 0]
    for number, hand in enumerate(EVENING):
        for seat, points in enumerate(hand.paid):
            expected[rounds[number // 4][seat]] += points
        if hand.winner is None:
            desk.draw()
            continue
        assert hand.hand is not None
        source = "self_draw" if hand.feeder is None else "discard"
        desk.must("claim_win", seat=hand.winner, source=source, from_seat=hand.feeder)
        desk.must("hand_manual", **hand.hand)
        desk.must("announce", points=88)
        desk.must("approve", role="referee")
    assert list(desk.state.totals) == expected
    assert desk.state.finished


def test_the_evening_as_a_file() -> None:
    desk = Desk().open()
    desk.must("claim_win", seat=3, source="self_draw")
    desk.must("hand_manual", **CHICKEN)
    desk.must("reject", reason="錯和, too few", false_win=True)
    play(desk)
    desk.must("correct_hand", hand_no=4, reason='=cmd|"x"', from_seat=0)
    state = choose(games(desk.entries))
    lines = as_csv(state).splitlines()
    assert len(lines) == 1 + 1 + 16 + 1
    assert lines[0].startswith("hand,round,dealer,outcome,winner")
    assert lines[0].endswith("Anna,Ben,Chen,Dora")
    assert lines[1].endswith(",10,10,10,-30")
    assert "false_win" in lines[1]
    assert lines[2].endswith(",-8,48,-32,-8")
    assert "清龙16" in lines[2]
    totals = (36 - 88 + 10, 28 + 10, -32 + 88 + 10, -32 - 30)
    assert lines[-1].endswith("," + ",".join(str(one) for one in totals))
    # no spreadsheet may take a reason for a formula
    assert "\"'=cmd" in lines[5]
    document = game_document(state)
    assert document["totals"] == list(totals)
    assert document["rows"][4]["corrected"] is True
    assert document["game"]["ruleset"] == "gb"


def test_several_games_in_one_ledger() -> None:
    desk = Desk().open()
    desk.win(0, **PAIRS)
    desk.must("close_game")
    desk.open()
    found = games(desk.entries)
    assert len(found) == 2
    assert [state.totals for state in found.values()] == [(99, -33, -33, -33), (0, 0, 0, 0)]

"""Who deals, which wind blows, who sits where: four rounds of four hands, worked out from the competition rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules import registry
from table.model import Facts, LaidHand, LaidMeld, Outcome, Setup
from table.places import exchange_seats
from table.rulebook import BadHand, Circumstances, Seating, UnknownRules, open_rulebook
from table.rules_input import check_tiles
from table.view import Live, snapshot
from tests.table_kit import UNREADY, Desk

DRAW = Outcome(outcome="draw")


def evening(first_dealer: int, rotate: bool) -> list[Setup]:
    book = open_rulebook("gb", {})
    setups: list[Setup] = []
    setup: Setup | None = Setup(hand_no=1, round_wind="E", dealer=first_dealer)
    while setup is not None:
        setups.append(setup)
        assert len(setups) <= 16
        setup = book.following(setup, DRAW, Seating(first_dealer, rotate))
    return setups


@pytest.mark.parametrize("first_dealer", range(4))
def test_sixteen_hands_the_deal_always_moves_on(first_dealer: int) -> None:
    setups = evening(first_dealer, rotate=False)
    assert [setup.hand_no for setup in setups] == list(range(1, 17))
    assert "".join(setup.round_wind for setup in setups) == "EEEESSSSWWWWNNNN"
    assert [setup.dealer for setup in setups] == [(first_dealer + hand) % 4 for hand in range(16)]
    assert {setup.seating for setup in setups} == {(0, 1, 2, 3)}


@pytest.mark.parametrize("first_dealer", range(4))
def test_players_change_seats_after_each_round(first_dealer: int) -> None:
    """Seats by starting seat: E: E,S,N,W; S: S,E,W,N; W: W,N,E,S; N: N,W,S,E."""
    table = {"E": "ESNW", "S": "SEWN", "W": "WNES", "N": "NWSE"}
    setups = evening(first_dealer, rotate=True)
    for start, places in table.items():
        player = (first_dealer + "ESWN".index(start)) % 4
        for number, place in enumerate(places):
            seating = setups[4 * number].seating
            assert seating[(first_dealer + "ESWN".index(place)) % 4] == player


def test_seats_change_as_the_specification_says(shared: Path) -> None:
    given = json.loads((shared / "rules" / "gb-procedure.json").read_text())["seat_rotation"]["start"]
    setups = evening(0, rotate=True)
    for start, places in given.items():
        player = "ESWN".index(start)
        assert ["ESWN"[setups[4 * number].seating.index(player)] for number in range(4)] == places


def test_a_void_hand_is_played_again() -> None:
    book = open_rulebook("gb", {})
    setup = Setup(hand_no=5, round_wind="S", dealer=0)
    again = book.following(setup, Outcome(outcome="void"), Seating(0, rotate=True))
    assert again == Setup(hand_no=6, round_wind="S", dealer=0)


def test_exchange_keeps_everybody() -> None:
    for finished in "ESW":
        assert sorted(exchange_seats((2, 0, 3, 1), 1, finished)) == [0, 1, 2, 3]


def test_payments_of_the_specification(shared: Path) -> None:
    """A lower announced value is paid as if the hand were worth just that."""
    book = open_rulebook("gb", {})
    laid = LaidHand(hand="123456789m23m44z", win_tile="4m")
    setup = Setup(hand_no=1, round_wind="E", dealer=0)
    for case in json.loads((shared / "rules" / "gb-procedure.json").read_text())["payment"]:
        total = case["fan"] + case["flowers"]
        if total > 20:
            continue
        drawn = case["mode"] == "self"
        how = Circumstances(
            setup=setup,
            winner=1,
            source="self_draw" if drawn else "discard",
            from_seat=None if drawn else 2,
            facts=Facts(),
        )
        _, paid = book.as_announced(book.judge(laid, how), how, total)
        result = case["result"]
        others = result["each"] if drawn else result["others"]
        assert paid[1] == result["winner"]
        assert paid[0] == paid[3] == others
        assert paid[2] == (others if drawn else result["discarder"])


def test_false_win() -> None:
    book = open_rulebook("gb", {})
    assert book.false_win(2, None, {}) == (10, 10, -30, 10)
    assert book.false_win(0, 20, {}) == (-60, 20, 20, 20)


@pytest.mark.parametrize(
    ("laid", "says"),
    [
        (LaidHand(hand="123m4q"), "q"),
        (LaidHand(hand="11112m", melds=(LaidMeld(kind="peng", tiles="111m"),)), "1m"),
        (LaidHand(hand="123m", win_tile="8z"), "8z"),
        (LaidHand(hand="123"), "123"),
    ],
)
def test_tiles_that_cannot_be(laid: LaidHand, says: str) -> None:
    with pytest.raises(BadHand, match=says):
        check_tiles(laid)


def test_unknown_rules_are_named() -> None:
    with pytest.raises(UnknownRules, match="gb"):
        open_rulebook("bg", {})
    with pytest.raises(UnknownRules, match="minimun"):
        open_rulebook("gb", {"minimun": 8})


FOUR_SEATS = [rules.name for rules in registry.RULESETS if rules.seats == 4]


@pytest.mark.parametrize("name", FOUR_SEATS)
def test_every_ruleset_can_be_played(name: str) -> None:
    """Draws, false wins, typed hands and their verdicts go through the same table, whatever the rules."""
    desk = Desk().open(ruleset=name)
    book = open_rulebook(name, {})
    full = "123456789m123p1s" if book.hand_tiles == 14 else "123456789m123456p1s"
    for number in (1, 2, 3):
        assert desk.state.setup is not None
        assert desk.state.setup.hand_no == number
        desk.must("start_hand")
        desk.must("claim_win", seat=number, source="self_draw")
        desk.must("hand_manual", hand=full, win_tile="1s")
        shown = snapshot(desk.state, Live(), book)
        assert shown.claim is not None
        assert shown.claim.verdict is not None or shown.claim.questions
        desk.must("reject", reason="no", false_win=True)
        shown = snapshot(desk.state, Live(), book)
        assert shown.hand is not None
        shows = {str(seat): {"hand": UNREADY[seat]} for seat in range(4)} if shown.hand.shows_at_draw == "hands" else {}
        desk.must("draw_hand", players=shows)
    assert sum(desk.state.totals) == 0


def test_two_players_sit_opposite_each_other() -> None:
    desk = Desk()
    desk.must("open_game", ruleset="two_player", names=["Anna", "Ben"])
    view = snapshot(desk.state, Live(), open_rulebook("two_player", {}))
    assert [seat.playing for seat in view.seats] == [True, False, True, False]
    assert [(seat.name, seat.wind) for seat in view.seats if seat.playing] == [("Anna", "E"), ("Ben", "S")]
    assert desk.refused("claim_win", seat=1, source="self_draw") == "seat_empty"


def test_circumstances_are_checked_by_name() -> None:
    book = open_rulebook("gb", {})
    laid = LaidHand(hand="123456789m23m44z", win_tile="4m")
    setup = Setup(hand_no=1, round_wind="E", dealer=0)
    for more, says in (
        ({"moon": True}, "moon"),
        ({"wall_left": "many"}, "wall_left"),
        ({"first_turn": 3}, "first_turn"),
    ):
        how = Circumstances(setup=setup, winner=1, source="discard", from_seat=2, facts=Facts(more=more))
        with pytest.raises(BadHand, match=says):
            book.judge(laid, how)


def test_a_corrected_hand_deals_its_waiting_fans_anew() -> None:
    """嘉興: 4-4 and the wall leave three waiting fans, hand 2 uses the oldest; had hand 1 been won, it uses another."""
    one_suit = {"hand": "123456789m123m5m", "win_tile": "5m"}
    desk = Desk().open(ruleset="jiaxing")
    desk.must("dice", values=[4, 4])
    desk.must("turn_tile", tile="1z")
    desk.must("draw_hand")
    desk.must("dice", values=[1, 4])
    desk.must("turn_tile", tile="1z")
    desk.win(1, **one_suit)
    before = desk.state
    drawn = {"outcome": "win", "winner": 0, "source": "self_draw", **one_suit}
    wish = {"hand_no": 1, "reason": "the wall was not empty", **drawn}
    first, second = desk.must("correct_hand", preview=True, **wish).changes
    assert (first.before.payments, first.after.payments) == ((0, 0, 0, 0), (150, -50, -50, -50))
    assert (second.setup_before.carry, second.setup_after.carry) == (("老頭黃", "包子", "黃番"), ("包子",))
    assert [[fan.name for fan in one.fans][-1] for one in (second.before, second.after)] == ["老頭黃", "包子"]
    assert desk.state is before
    desk.must("correct_hand", **wish)
    assert desk.state.setup is not None
    assert desk.state.setup.carry == ("老頭黃", "百搭連庄")
    desk.must("correct_hand", hand_no=1, outcome="draw", reason="it was")
    assert (desk.state.totals, desk.state.setup) == (before.totals, before.setup)

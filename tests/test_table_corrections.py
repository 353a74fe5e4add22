"""Corrections that reach further than one hand: seats, options, false wins, fees, money paid at once, dice."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from rules import registry
from rules.options import Option
from table import events as ev
from table.commands import CommandError
from table.decision import Decision, Rejected
from table.model import FalseWin
from table.state import State
from tests.evening_player import EVENINGS, STORIES, evening
from tests.table_kit import PAIRS, STRAIGHT, UNREADY, Desk, PennyRules, opened, penny_books, view


def moved(answer: Decision) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
    """By hand: what was paid before and after, as a person sees it before he confirms."""
    return {change.hand_no: (change.before.payments, change.after.payments) for change in answer.changes}


def beside(answer: Decision) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """What false wins and penalties paid before and after: by hand, as a person sees it before he confirms."""
    return [(row.after.setup.hand_no, row.before.payments, row.after.payments) for row in answer.rows]


def as_it_stands(state: State) -> State:
    """A state without the number of its last entry and what can be taken back."""
    return replace(state, seq=0, undo=())


def false_win(desk: Desk, seat: int, **more: Any) -> None:
    desk.must("claim_win", seat=seat, source="self_draw")
    desk.must("reject", role="referee", reason="no", false_win=True, **more)


# --- seats ----------------------------------------------------------------------------------------------------------


def test_players_who_sat_the_other_way_round_exchange_what_they_won_since() -> None:
    desk = Desk().open()
    desk.win(0, **PAIRS)  # 99 -33 -33 -33
    desk.win(1, from_seat=2, **STRAIGHT)  # -8 48 -32 -8
    desk.must("claim_win", seat=1, source="self_draw")
    desk.must("reject", reason="no", false_win=True)  # 10 -30 10 10, hand 3 goes on
    assert desk.state.totals == (101, -15, -55, -31)
    wish = {"from_hand": 2, "seating": [1, 0, 2, 3], "reason": "wrong seats"}
    preview = desk.must("correct_seats", preview=True, **wish)
    assert [change.hand_no for change in preview.changes] == [2]
    assert [(row.before.setup.seating, row.after.setup.seating) for row in preview.rows] == [
        ((0, 1, 2, 3), (1, 0, 2, 3))
    ]
    assert desk.state.totals == (101, -15, -55, -31)
    desk.must("correct_seats", **wish)
    # Anna truly sat on seat 1 in hands 2 and 3: 99 + 48 - 30, Ben on seat 0: -33 - 8 + 10
    assert desk.state.totals == (117, -31, -55, -31)
    desk.win(0, **PAIRS)  # seat 0 is Ben
    assert desk.state.totals == (84, 68, -88, -64)
    assert desk.refused("correct_seats", **wish) == "nothing_changes"
    desk.must("undo_last")
    desk.must("undo_last")
    desk.must("undo_last")
    desk.must("undo_last")  # the win of seat 0, step by step, and the correction
    assert desk.state.totals == (101, -15, -55, -31)


def test_seats_that_change_every_round_stay_exchanged() -> None:
    desk = Desk().open(rotate_seats=True)
    for _ in range(4):
        desk.draw()
    desk.win(0, **PAIRS)  # round S: seats 0 to 3 are E S W N's 1, 0, 3, 2
    assert desk.state.totals == (-33, 99, -33, -33)
    desk.must("correct_seats", from_hand=1, seating=[0, 2, 1, 3], reason="drawn wrongly")
    # players 1 and 2 exchanged from the first hand on: who sat on seat 0 in hand 5 is player 2
    assert desk.state.setup is not None
    assert desk.state.setup.seating == (2, 0, 3, 1)
    assert desk.state.totals == (-33, -33, 99, -33)


def test_who_truly_sat_where_outlives_every_later_correction() -> None:
    desk = Desk().open(ruleset="jiaxing", options={"base": 5})
    for winner in (1, 2, 2):
        _jiaxing_hand(desk, winner)
    desk.must("correct_seats", from_hand=2, seating=[1, 0, 2, 3], reason="wrong seats")
    seatings = [hand.setup.seating for hand in desk.state.hands]
    assert seatings == [(0, 1, 2, 3), (1, 0, 2, 3), (1, 0, 2, 3)]
    desk.must("correct_options", options={"base": 10}, reason="ten")
    desk.must("correct_hand", hand_no=1, winner=3, reason="seat 3 won")
    assert [hand.setup.seating for hand in desk.state.hands] == seatings
    assert desk.state.setup is not None
    assert desk.state.setup.seating == (1, 0, 2, 3)


def test_the_money_a_running_hand_has_paid_is_listed_when_players_exchange_seats() -> None:
    desk = Desk().open(ruleset="sichuan")
    desk.must("dice", values=[1, 2])
    desk.must("kong", seat=1, meld_kind="kong_open", from_seat=3)
    wish = {"from_hand": 1, "seating": [0, 2, 1, 3], "reason": "drawn wrongly"}
    (now,) = desk.must("correct_seats", preview=True, **wish).changes
    assert (now.hand_no, now.before.payments, now.setup_before.seating) == (1, (0, 6, 0, -6), (0, 1, 2, 3))
    assert (now.after.payments, now.setup_after.seating) == ((0, 6, 0, -6), (0, 2, 1, 3))
    desk.must("correct_seats", **wish)
    assert desk.state.totals == (0, 0, 6, -6)


def test_a_seating_must_name_everybody() -> None:
    desk = Desk().open()
    desk.win(0, **PAIRS)
    wrong = {"from_hand": 1, "reason": "r"}
    assert desk.refused("correct_seats", seating=[0, 0, 2, 3], **wrong) == "bad_seating"
    assert desk.refused("correct_seats", seating=[0, 1, 2, 3], **wrong) == "nothing_changes"
    assert desk.refused("correct_seats", from_hand=7, seating=[1, 0, 2, 3], reason="r") == "no_such_hand"
    desk.must("claim_win", seat=0, source="self_draw")
    assert desk.refused("correct_seats", seating=[1, 0, 2, 3], **wrong) == "claims_open"


# --- options --------------------------------------------------------------------------------------------------------

BEGGAR = [
    {"kind": "chi", "tiles": "123p", "from_seat": 0},
    {"kind": "peng", "tiles": "333s", "from_seat": 2},
    {"kind": "peng", "tiles": "666s", "from_seat": 3},
    {"kind": "peng", "tiles": "999m", "from_seat": 0},
]

FLUSH = {"hand": "123456789m123m5m", "win_tile": "5m"}


def _jiaxing_hand(desk: Desk, winner: int) -> None:
    desk.must("dice", values=[1, 2])
    desk.must("turn_tile", tile="9s")
    desk.must("claim_win", seat=winner, source="self_draw")
    desk.must("hand_manual", **FLUSH)
    desk.must("approve")


def test_other_options_price_every_hand_anew() -> None:
    desk = Desk().open(ruleset="jiaxing", options={"base": 5})
    for winner in (1, 1, 2):
        _jiaxing_hand(desk, winner)
    before, paid = desk.state.totals, [hand.outcome.payments for hand in desk.state.hands]
    wish = {"options": {"base": 10}, "reason": "we agreed on ten"}
    preview = desk.must("correct_options", preview=True, **wish)
    doubled = [tuple(2 * points for points in one) for one in paid]
    assert moved(preview) == dict(enumerate(zip(paid, doubled, strict=True), start=1))
    desk.must("correct_options", **wish)
    assert desk.state.totals == tuple(2 * points for points in before)
    assert desk.state.game is not None
    assert desk.state.game.options == {"base": 10}
    desk.must("undo_last")
    assert desk.state.totals == before
    assert desk.state.game is not None
    assert desk.state.game.options == {"base": 5}


def test_options_that_make_a_hand_no_win_name_it() -> None:
    desk = Desk().open()
    desk.win(0, **PAIRS)
    desk.win(1, from_seat=2, **STRAIGHT)
    assert desk.refused("correct_options", options={"minimum": 25}, reason="r") == "no_win_under"
    assert desk.refused("correct_options", options={"minimum": 8.5}, reason="r") == "unknown_ruleset"
    assert desk.refused("correct_options", options={"minimun": 8}, reason="r") == "unknown_ruleset"
    desk.must("start_hand")
    assert desk.refused("correct_options", options={"minimum": 24}, reason="r") == "options_between_hands"
    looked = desk.must("correct_options", options={"minimum": 24}, reason="r", preview=True)
    assert looked.events == looked.changes == (), "both hands are worth 24: nothing would change, and looking is free"


@dataclass
class Tape(Desk):
    """A table that remembers what it was told, so that the same evening can be played under other options."""

    told: list[tuple[str, Any]] = field(default_factory=list)

    def do(self, kind: str, **fields: Any) -> Decision | Rejected:
        """Send a command and keep it."""
        self.told.append((kind, fields))
        return super().do(kind, **fields)

    def show(self, seat: int, rows: Any, **more: Any) -> Decision:
        """Show a picture and keep it."""
        self.told.append(("", (seat, rows, more)))
        return super().show(seat, rows, **more)

    def refused_options(self, options: dict[str, Any]) -> bool:
        """Whether the evening cannot have been played under these options; if it can, they are corrected to them."""
        return isinstance(super().do("correct_options", role="referee", options=options, reason="r"), Rejected)

    def take_back(self) -> None:
        """The corrected options are none."""
        assert isinstance(super().do("undo_last", role="referee"), Decision)

    def under(self, options: dict[str, Any]) -> Desk | None:
        """The same evening under these options from the first hand on; None where something is refused then."""
        desk = Desk()
        for kind, fields in self.told:
            if not kind:
                desk.show(fields[0], fields[1], **fields[2])
                continue
            asked = {**fields, "options": options} if kind == "open_game" else dict(fields)
            asked.pop("idem", None)
            if isinstance(desk.do(kind, **asked), Rejected):
                return None
        return desk


def others(option: Option) -> tuple[Any, ...]:
    """Values of an option beside its default."""
    if option.values is not None:
        return tuple(value for value in option.values if value != option.default)
    return (option.default + 1,) if type(option.default) is int else ()


def paid(state: State) -> list[Any]:
    """Everything that moved points, row by row."""
    return [
        (row.setup, row.outcome.payments, row.outcome.fee) if hasattr(row, "outcome") else (row.setup, row.payments)
        for row in state.history
    ]


@pytest.mark.parametrize("name", [*EVENINGS, *STORIES])
def test_corrected_options_pay_what_an_evening_under_them_would_have_paid(name: str) -> None:
    """Every option of every game, over an evening with false wins, kongs, penalties, corrections and other seats."""
    tape = Tape()
    for _ in evening(name, tape):
        pass
    game, before = tape.state.game, tape.state
    assert game is not None
    compared = 0
    for option, spec in registry.ruleset(game.ruleset, {}).options.items():
        for value in others(spec):
            options = {**game.options, option: value}
            if tape.refused_options(options):
                continue
            corrected, there = as_it_stands(tape.state), tape.under(options)
            if there is not None:
                compared += 1
                assert paid(corrected) == paid(there.state), options
                assert corrected.setup == there.state.setup, options
            tape.take_back()
            assert as_it_stands(tape.state) == as_it_stands(before)
    assert compared >= 3


# --- false wins -----------------------------------------------------------------------------------------------------


def test_a_false_win_costs_what_the_corrected_options_say() -> None:
    desk = Desk().open(ruleset="jiaxing", options={"base": 5})
    false_win(desk, 1)  # base x 2 to each
    desk.must("draw_hand", void=True)
    false_win(desk, 2, each=7)  # the referee named it
    desk.must("draw_hand", void=True)
    assert desk.state.totals == (17, -23, -11, 17)
    before = desk.state
    wish = {"options": {"base": 10}, "reason": "ten were agreed"}
    preview = desk.must("correct_options", preview=True, **wish)
    assert beside(preview) == [(1, (10, -30, 10, 10), (20, -60, 20, 20))]
    assert preview.changes == ()
    assert desk.must("correct_options", **wish).rows == preview.rows
    assert desk.state.totals == (27, -53, -1, 27)
    dead = desk.must("correct_options", options={"base": 10, "false_win": "dead_hand"}, reason="a dead hand")
    assert [after for _, _, after in beside(dead)] == [(0, 0, 0, 0), (0, 0, 0, 0)]
    desk.must("correct_options", options={"base": 5}, reason="as it was")
    assert desk.state.history == before.history
    named = desk.must("correct_options", options={"base": 10, "false_win": "pay_n"}, reason="the referee names it")
    assert beside(named) == [], "what was agreed is the named sum: nobody has said another"
    for _ in range(4):
        desk.must("undo_last")
    assert as_it_stands(desk.state) == as_it_stands(before)


def test_what_an_older_ledger_does_not_explain_stays_paid() -> None:
    """An older Paiju did not write down what the referee had named."""
    desk = Desk().open(ruleset="jiaxing", options={"base": 5})
    false_win(desk, 1, each=7)
    told = ev.encode(desk.entries[-1].event)
    assert told.pop("each") == 7
    older = Desk()
    older.append([entry.event for entry in desk.entries[:-1]], desk.entries[0].actor, "")
    older.append([ev.decode(told)], desk.entries[0].actor, "")
    older.must("draw_hand", void=True)
    answer = older.must("correct_options", options={"base": 10}, reason="ten were agreed")
    assert answer.rows == ()
    assert older.state.totals == (7, -21, 7, 7)


def test_the_birds_of_a_starting_win_in_an_older_ledger_stay_those_of_its_hand() -> None:
    """An older Paiju turned birds once for everything in a hand, and wrote them down with the hand alone."""
    desk = Desk().open(ruleset="changsha", options={"start_birds": True})
    desk.must("start_hand")
    desk.must("hand_facts", facts={"birds": "3m1m"})
    desk.must("start_win", seat=2, hand="1347m1369p13479s")
    told = ev.encode(desk.entries[-1].event)
    assert told["side"].pop("birds") == "3m1m"
    assert told["facts"].pop("birds", "") is None
    older = Desk()
    older.append([entry.event for entry in desk.entries[:-1]], desk.entries[0].actor, "")
    older.append([ev.decode(told)], desk.entries[0].actor, "")
    older.must("draw_hand", sea="all_refused", sea_seat=1)
    assert older.state.totals == (-8, -2, 12, -2)
    older.must("correct_options", options={"start_birds": True, "kong_dice": 2}, reason="two dice")
    assert older.state.totals == (-8, -2, 12, -2)


def test_a_false_win_follows_the_dealer_who_truly_dealt() -> None:
    desk = Desk().open(ruleset="changsha", options={"bird_count": 0})
    desk.must("claim_win", seat=1, source="self_draw")
    desk.must("hand_manual", hand="123m456p78s22s", win_tile="9s", melds=[{"kind": "peng", "tiles": "999m"}])
    desk.must("approve")  # seat 1 deals hand 2
    false_win(desk, 2)
    desk.must("draw_hand", sea="all_refused", sea_seat=1)
    answer = desk.must("correct_hand", hand_no=1, reason="seat 3 won", winner=3)
    assert beside(answer) == [(2, (1, 2, -4, 1), (1, 1, -4, 2))]


def test_a_false_win_pays_nobody_who_had_left_and_follows_what_was_declared() -> None:
    battle = Desk().open(ruleset="sichuan")
    battle.win(1, **FLUSH)
    false_win(battle, 2)
    assert battle.state.history[0].payments == (96, 0, -192, 96)  # type: ignore[union-attr]
    battle.must("draw_hand", players={str(seat): {"hand": UNREADY[seat]} for seat in (0, 2, 3)})
    assert beside(battle.must("correct_options", options={"base": 1}, reason="one")) == [
        (1, (96, 0, -192, 96), (16, 0, -32, 16))
    ]
    two = Desk()
    two.must("open_game", ruleset="two_player", names=["Anna", "Chen"])
    two.must("start_hand")
    two.must("declare", seat=0, what="double")
    false_win(two, 2)
    two.must("draw_hand", void=True)
    answer = two.must("correct_hand", hand_no=1, reason="not doubled", facts={"doubled": [False] * 4}, outcome="draw")
    assert beside(answer) == [(1, (48, 0, -48, 0), (24, 0, -24, 0))]
    (row,) = (row for row in two.state.history if isinstance(row, FalseWin))
    assert two.must("correct_options", options={"unit": 2}, reason="two").rows[0].before == row


# --- what a correction of one hand moves ----------------------------------------------------------------------------


def test_fees_follow_what_a_player_holds_after_the_correction() -> None:
    desk = Desk().open(ruleset="jiaxing", options={"service_fee": 4}, house={"stake": 80})
    hands = ((1, "9s"), (2, "8s"))
    for winner, tile in hands:
        desk.must("dice", values=[1, 2])
        desk.must("turn_tile", tile=tile)
        desk.must("claim_win", seat=winner, source="self_draw")
        desk.must("hand_manual", **FLUSH)
        desk.must("approve")
    first, second = (hand.outcome.payments for hand in desk.state.hands)
    assert first == (-25, 75, -25, -25)  # 清一色 4 + 無百搭 1 = 5 台, times base 5
    held = [80 + one + other - 4 for one, other in zip(first, second, strict=True)]
    assert [min(4, have) for have in held] == list(desk.state.hands[1].outcome.fee)
    preview = desk.must("correct_hand", hand_no=1, reason="seat 0 won", winner=0, preview=True)
    desk.must("correct_hand", hand_no=1, reason="seat 0 won", winner=0)
    fees = [hand.outcome.fee for hand in desk.state.hands]
    first, second = (hand.outcome.payments for hand in desk.state.hands)
    held = [80 + one - fee + other for one, fee, other in zip(first, fees[0], second, strict=True)]
    assert list(fees[1]) == [min(4, max(0, have)) for have in held]
    assert {change.hand_no for change in preview.changes} == {1, 2}
    assert [change.after.fee for change in preview.changes] == fees


def test_a_starting_win_is_paid_by_the_dealer_who_truly_dealt() -> None:
    desk = Desk().open(ruleset="changsha", options={"bird_count": 0})
    desk.must("claim_win", seat=1, source="self_draw")
    desk.must("hand_manual", hand="123m456p78s22s", win_tile="9s", melds=[{"kind": "peng", "tiles": "999m"}])
    desk.must("approve")  # seat 1 deals hand 2
    desk.must("start_win", seat=2, hand="4444m135p1379s28p")
    assert desk.state.paid_so_far == (-1, -2, 4, -1)  # 四喜: two from the dealer, one from the others
    refused = desk.refused("correct_hand", hand_no=1, reason="seat 3 won", winner=3)
    assert refused == "finish_hand_first"
    desk.must("draw_hand", sea="all_refused", sea_seat=1)
    answer = desk.must("correct_hand", hand_no=1, reason="seat 3 won", winner=3)
    assert moved(answer)[2] == ((-1, -2, 4, -1), (-1, -1, 4, -2))
    assert sum(desk.state.totals) == 0


def test_a_dealer_whom_the_dice_chose_stays_the_dealer() -> None:
    desk = Desk().open(ruleset="sichuan")
    for values in ([1, 1], [3, 4]):
        if desk.state.setup is not None and desk.state.setup.dealer_open:
            desk.must("dice", values=values)
        desk.must("start_hand") if not desk.state.started else None
        desk.must("draw_hand", players={str(seat): {"hand": hand} for seat, hand in enumerate(UNREADY)})
    chosen = [hand.setup.dealer for hand in desk.state.hands]
    answer = desk.must("correct_hand", hand_no=1, reason="r", outcome="win", winner=1, source="self_draw", **FLUSH)
    assert set(moved(answer)) == {1}
    assert [hand.setup.dealer for hand in desk.state.hands] == chosen


def test_kong_money_goes_back_at_a_corrected_drawn_hand_too() -> None:
    desk = Desk().open(ruleset="sichuan")
    desk.must("kong", seat=1, meld_kind="kong_open", from_seat=3)
    assert desk.state.paid_so_far == (0, 6, 0, -6)
    unready: dict[str, dict[str, Any]] = {str(seat): {"hand": UNREADY[seat]} for seat in (0, 2, 3)}
    unready["1"] = {"hand": "1247m124578s", "melds": [{"kind": "kong_open", "tiles": "9999s", "from_seat": 3}]}
    desk.must("draw_hand", void=True)
    desk.must("undo_last")
    desk.must("draw_hand", players=unready)
    assert desk.state.totals == (0, 0, 0, 0)
    answer = desk.must("correct_hand", hand_no=1, reason="seat 2 had another tile", players=unready | {
        "2": {"hand": "1478p258s369p145s"},
    })  # fmt: skip
    assert moved(answer)[1][1] == (0, 0, 0, 0)


def test_a_correction_that_leaves_the_dealer_moves_one_hand() -> None:
    desk = Desk(books=penny_books(PennyRules())).open()
    for winner in (0, 0, 2):
        desk.win(winner, **PAIRS)
    answer = desk.must("correct_hand", hand_no=2, reason="r", winner=0, source="discard", from_seat=1)
    assert set(moved(answer)) == {2}


def wuhan_beggar() -> Desk:
    """武漢: seat 3 fed seat 1 全求人 and was ready."""
    desk = Desk().open(ruleset="wuhan")
    desk.must("start_hand")
    desk.must("turn_tile", tile="7s")
    for seat in (0, 2, 3):
        desk.must("hand_facts", facts={"players": {str(seat): {"opened": False}}})
    desk.must("claim_win", seat=1, source="discard", from_seat=3)
    desk.must("hand_manual", hand="2p", melds=BEGGAR, win_tile="2p")
    desk.must("set_facts", more={"discarder_ready": True})
    desk.must("approve")
    return desk


def test_another_discarder_does_not_inherit_that_the_first_one_was_ready() -> None:
    """武漢 7.2, 全求人: who was ready when he fed it does not pay for all; that is said of one player and no other."""
    desk = wuhan_beggar()
    assert desk.state.hands[0].outcome.payments == (-40, 140, -40, -60)
    wish = {"hand_no": 1, "reason": "seat 2 fed it", "from_seat": 2}
    assert desk.refused("correct_hand", **wish) == "asked_first"
    desk.must("correct_hand", more={"discarder_ready": False}, **wish)
    assert desk.state.hands[0].outcome.payments == (0, 140, -140, 0)
    desk.must("correct_hand", hand_no=1, reason="and was ready", more={"discarder_ready": True})
    assert desk.state.hands[0].outcome.payments == (-40, 140, -60, -40)


# --- what a correction asks -----------------------------------------------------------------------------------------


def test_the_questions_of_a_win_are_asked_of_a_corrected_one() -> None:
    """武漢 7.2: whoever feeds 全求人 pays otherwise if he was ready; nobody has said so of the second one."""
    desk = wuhan_beggar()
    wish = {"hand_no": 1, "reason": "r", "preview": True}
    now = desk.must("correct_hand", **wish)
    assert now.win is not None
    assert (now.changes, now.win.questions) == ((), ())
    assert now.win.facts.more == {"discarder_ready": True}
    other = desk.must("correct_hand", from_seat=2, **wish).win
    assert other is not None
    assert [question.id for question in other.questions] == ["fact:discarder_ready"]
    assert other.offers == {"discarder_ready": True}
    answer = dict(other.questions[0].choices[0].command)
    assert answer.pop("kind") == "set_facts"
    told = desk.must("correct_hand", from_seat=2, **wish, **answer)
    assert told.win is not None
    assert (told.win.questions, moved(told)[1]) == ((), ((-40, 140, -40, -60), (-40, 140, -60, -40)))


def test_a_preview_says_what_the_win_is_worth_then() -> None:
    desk = opened("gb")
    desk.win(1, from_seat=2, **STRAIGHT)
    for more, total in (({}, 24), ({"last_tile": True}, 32), ({"win_tile": "9p"}, None)):
        told = desk.must("correct_hand", hand_no=1, reason="?", preview=True, **more).win
        assert told is not None
        assert (told.verdict.total if told.verdict is not None and told.verdict.valid else None) == total


def test_a_drawn_hand_that_was_won_asks_what_its_win_would_have_asked() -> None:
    desk = Desk().open(ruleset="jiaxing")
    desk.must("dice", values=[1, 2])
    desk.must("draw_hand")
    wish: dict[str, Any] = {"hand_no": 1, "reason": "seat 1 won", "outcome": "win", "winner": 1, **FLUSH}
    asked = desk.must("correct_hand", source="self_draw", preview=True, **wish).win
    assert asked is not None
    assert [question.id for question in asked.questions] == ["flip"]
    wish["facts"] = {"flip": "5m"}  # the last two tiles are wild: 三百搭 is nearer than 無百搭
    told = desk.must("correct_hand", source="self_draw", preview=True, **wish)
    assert told.win is not None
    assert told.win.questions == ()
    desk.must("correct_hand", source="self_draw", **wish)
    assert desk.state.hands[0].outcome.wild == "5m"
    assert desk.state.setup is not None
    assert desk.state.setup.prev_wild == "5m"


@pytest.mark.parametrize("name", [*EVENINGS, *STORIES])
def test_a_win_that_was_approved_asks_nothing_when_it_is_looked_at_again(name: str) -> None:
    desk = Desk()
    for _ in evening(name, desk):
        pass
    approved = [hand for hand in desk.state.hands if not hand.corrected]
    assert any(hand.outcome.outcome == "win" for hand in approved)
    for hand in approved:
        for number in range(len(hand.outcome.wins) or 1):
            wish = {"hand_no": hand.setup.hand_no, "win_no": number, "reason": "r"}
            looked = desk.must("correct_hand", role="referee", preview=True, **wish)
            assert (looked.changes, looked.rows) == ((), ()), wish
            assert looked.win is None or (looked.win.questions, looked.win.refused) == ((), None), wish


def test_what_makes_no_sense_for_another_way_of_winning_falls_away() -> None:
    desk = Desk().open(ruleset="sichuan", options={"mode": "single"})
    desk.must("kong", seat=1, meld_kind="kong_open", tile="9s", from_seat=3)
    desk.must("claim_win", seat=1, source="discard", from_seat=0)
    kong = {"kind": "kong_open", "tiles": "9999s", "from_seat": 3}
    desk.must("hand_manual", hand="123456m123s5s", melds=[kong], win_tile="5s")
    desk.must("set_facts", more={"after_kong": True})
    desk.must("approve")
    assert "槓上炮" in {fan.name for fan in desk.state.hands[0].outcome.fans}
    drawn = {"hand_no": 1, "reason": "drawn from the tail", "source": "kong_replacement"}
    now = desk.must("correct_hand", preview=True, **drawn).win
    assert now is not None
    assert now.facts.more == {"kong_feeder": 3}, "the kong that was entered says who fed it"
    desk.must("correct_hand", **drawn)
    fans = {fan.name for fan in desk.state.hands[0].outcome.wins[0].fans}
    assert "槓上花" in fans
    assert "槓上炮" not in fans


def test_a_preview_says_why_it_cannot_have_been_so() -> None:
    desk = Desk().open()
    desk.must("claim_win", seat=1, source="self_draw")
    desk.must("hand_manual", hand="123m678p345s11z23m", win_tile="4m")
    desk.must("set_facts", last_tile=True)  # 妙手回春 8
    desk.must("approve")
    wish = {"hand_no": 1, "reason": "r", "last_tile": False}
    looked = desk.must("correct_hand", preview=True, **wish)
    assert looked.win is not None
    assert looked.win.refused is not None
    assert (looked.events, looked.win.refused.key) == ((), "not_a_win")
    assert desk.refused("correct_hand", **wish) == "not_a_win"


def test_a_game_broken_off_is_priced_anew_too() -> None:
    desk = Desk().open(ruleset="sichuan")
    desk.must("kong", seat=1, meld_kind="kong_open", from_seat=3)
    desk.win(2, **FLUSH)
    desk.must("close_game", reason="late")
    base, before = 6, desk.state
    assert before.hands[0].outcome.outcome == "void"
    assert before.totals[3] != before.totals[0], "the kong was seat 3's"
    answer = desk.must("correct_options", options={"base": 2 * base}, reason="twelve")
    assert [change.hand_no for change in answer.changes] == [1]
    assert desk.state.totals == tuple(2 * points for points in before.totals)
    desk.must("undo_last")
    assert as_it_stands(desk.state) == as_it_stands(before)


def test_what_a_broken_off_hand_has_paid_stays_where_the_correction_does_not_say_otherwise() -> None:
    desk = Desk().open(ruleset="sichuan")
    desk.must("kong", seat=1, meld_kind="kong_concealed", tile="9p")
    desk.must("kong", seat=2, meld_kind="kong_concealed", tile="8p")
    desk.must("close_game", reason="late")
    assert desk.state.totals == (-24, 24, 24, -24)
    assert desk.refused("correct_hand", hand_no=1, reason="r") == "nothing_changes"
    desk.must("correct_hand", hand_no=1, reason="a pung", drop_sides=[0])
    assert desk.state.totals == (-12, -12, 36, -12)
    desk.must("correct_hand", hand_no=1, reason="it counts for nothing", outcome="void")
    assert desk.state.totals == (0, 0, 0, 0)


def test_fewer_birds_than_were_turned_are_the_first_ones() -> None:
    desk = Desk().open(ruleset="changsha")  # two birds
    desk.must("claim_win", seat=1, source="self_draw")
    desk.must("hand_manual", hand="123m456p78s22s", win_tile="9s", melds=[{"kind": "peng", "tiles": "999m"}])
    desk.must("turn_tile", what="bird", tile="2p")
    desk.must("turn_tile", what="bird", tile="6p")  # both on seat 1, counted from the dealer
    desk.must("approve")
    assert desk.state.totals == (-8, 16, -4, -4)
    assert desk.refused("correct_hand", hand_no=1, reason="r", facts={"birds": "268p"}) == "bad_facts"
    desk.must("correct_options", options={"bird_count": 1}, reason="one bird")
    assert desk.state.totals == (-4, 8, -2, -2)
    desk.must("correct_options", options={"bird_count": 0}, reason="none")
    assert desk.state.totals == (-2, 4, -1, -1)
    desk.must("correct_options", options={}, reason="two after all")
    assert desk.state.totals == (-8, 16, -4, -4)


def test_birds_turned_for_a_starting_win_are_not_those_of_the_win() -> None:
    desk = Desk().open(ruleset="changsha", options={"start_birds": True})
    desk.must("start_hand")
    desk.must("hand_facts", facts={"birds": "3m1m"})
    desk.must("start_win", seat=2, hand="1347m1369p13479s")
    assert desk.state.paid_so_far == (-8, -2, 12, -2)
    assert "birds" not in desk.state.facts
    desk.must("claim_win", seat=1, source="self_draw")
    desk.must("hand_manual", hand="123m456p78s22s", win_tile="9s", melds=[{"kind": "peng", "tiles": "999m"}])
    desk.must("hand_facts", facts={"birds": "44p"})  # on seat 3
    desk.must("approve")
    assert desk.state.totals == (-10, 4 + 3 - 2, 12 - 1, -2 - 4)
    before = desk.state.hands[0].outcome.sides
    desk.must("correct_hand", hand_no=1, reason="seat 3 fed it", source="discard", from_seat=3)
    assert desk.state.hands[0].outcome.sides == before


def test_options_under_which_a_hand_cannot_have_ended_so_say_why() -> None:
    desk = Desk().open(ruleset="wuhan")
    desk.draw()
    refused = desk.do("correct_options", options={"check_ready_at_draw": True}, reason="r")
    assert isinstance(refused, Rejected)
    assert refused.sentence.key == "not_settled_under"
    assert "check_ready_at_draw" in refused.sentence.text
    told = {str(seat): {"ready": seat == 1} for seat in range(4)}
    desk.must("correct_hand", hand_no=1, reason="seat 1 was ready", players=told)
    assert moved(desk.must("correct_options", options={"check_ready_at_draw": True}, reason="r"))[1][1] != (0, 0, 0, 0)


def test_a_hand_that_counts_only_what_it_had_paid_says_so_and_there_is_a_way_back() -> None:
    desk = Desk().open(ruleset="sichuan")
    desk.must("kong", seat=1, meld_kind="kong_concealed", tile="9p")
    desk.win(2, **FLUSH)
    desk.must("close_game", reason="late")
    before = view(desk).history[-1]
    assert (before.outcome, desk.state.hands[0].outcome.ending) == ("broken_off", "broken_off")
    totals = desk.state.totals
    assert desk.refused("correct_hand", hand_no=1, reason="r", outcome="broken_off") == "nothing_changes"
    desk.must("correct_hand", hand_no=1, reason="it counts for nothing", outcome="void")
    assert (view(desk).history[-1].outcome, desk.state.totals) == ("void", (0, 0, 0, 0))
    desk.must("correct_hand", hand_no=1, reason="it does", outcome="broken_off")
    after = view(desk).history[-1]
    assert (after.outcome, after.sides, after.wins) == ("broken_off", before.sides, before.wins)
    assert desk.state.totals == totals


def test_a_hand_being_played_is_broken_off_as_a_correction_would_end_it() -> None:
    """四川 血戰: the wall is wrong; kongs and the win stand, nobody shows, and the same dealer deals."""
    live, late, closed = opened("sichuan"), opened("sichuan"), opened("sichuan")
    for desk in (live, late, closed):
        desk.must("kong", **FORGOTTEN)
        desk.win(2, **BAMBOOS)
        desk.must("kong", seat=3, meld_kind="kong_open", tile="8p", from_seat=1)
    paid = live.state.totals
    live.must("draw_hand", broken_off=True)
    outcome = live.state.hands[0].outcome
    assert (outcome.ending, live.state.totals, live.state.out) == ("broken_off", paid, ())
    late.must("draw_hand", void=True)
    late.must("correct_hand", hand_no=1, reason="it was broken off", outcome="broken_off")
    closed.must("close_game", reason="late")
    assert outcome == late.state.hands[0].outcome
    assert replace(outcome, told=()) == closed.state.hands[0].outcome
    assert live.state.setup == late.state.setup
    assert live.state.setup is not None
    assert (live.state.setup.hand_no, live.state.setup.dealer) == (2, 0)
    live.must("undo_last")
    assert (live.state.started, live.state.totals, live.state.out) == (True, paid, (2,))


def test_a_hand_that_had_paid_nothing_is_not_broken_off_but_void() -> None:
    for ruleset in ("gb", "sichuan"):
        desk = opened(ruleset)
        desk.must("draw_hand", broken_off=True)
        assert view(desk).history[-1].outcome == "void"
        assert desk.refused("draw_hand", broken_off=True) == "settle_first"
    with pytest.raises(CommandError, match="void"):
        desk.must("draw_hand", void=True, broken_off=True)


def test_a_kong_that_was_none_leaves_a_hand_broken_off_whatever_says_so() -> None:
    for outcome in (None, "broken_off"):
        desk = Desk().open(ruleset="sichuan")
        desk.must("kong", seat=1, meld_kind="kong_concealed", tile="9p")
        desk.must("kong", seat=2, meld_kind="kong_concealed", tile="8p")
        desk.must("close_game", reason="late")
        desk.must("correct_hand", hand_no=1, reason="a pung", drop_sides=[0], outcome=outcome)
        assert desk.state.totals == (-12, -12, 36, -12)


def test_only_games_that_pay_before_the_end_have_hands_that_are_broken_off() -> None:
    for ruleset, pays in (("sichuan", ("kong",)), ("changsha", ("start",)), ("gb", ())):
        hand = view(opened(ruleset)).hand
        assert hand is not None
        assert hand.pays_at_once == pays, ruleset


def test_five_copies_are_refused_in_a_correction_as_at_the_drawn_hand_itself() -> None:
    hands = ("1112345678999m", "1112345678999m", *UNREADY[2:])
    fives = {str(seat): {"hand": hand} for seat, hand in enumerate(hands)}
    live, late = opened("sichuan"), opened("sichuan")
    assert live.refused("draw_hand", players=fives) == "fifth_on_table"
    late.must("draw_hand", players={str(seat): {"hand": hand} for seat, hand in enumerate(UNREADY)})
    for outcome in (None, "draw"):
        assert late.refused("correct_hand", hand_no=1, reason="r", outcome=outcome, players=fives) == "fifth_on_table"
    won = opened("sichuan", mode="single")
    won.win(2, **BAMBOOS)
    drawn = {"hand_no": 1, "reason": "it was none", "outcome": "draw", "players": fives}
    assert won.refused("correct_hand", **drawn) == "fifth_on_table"


def test_a_correction_says_what_is_shown_at_the_wall_and_who_shows_it() -> None:
    """四川: of a battle that ended at the wall those who had not won; a won hand shows nothing."""
    desk = opened("sichuan")
    desk.win(2, **BAMBOOS)
    desk.must("draw_hand", players={str(seat): {"hand": UNREADY[seat]} for seat in (0, 1, 3)})
    for outcome, shows, inside in (
        (None, "hands", (0, 1, 3)),
        ("draw", "hands", (0, 1, 2, 3)),
        ("broken_off", "", ()),
        ("void", "", ()),
    ):
        told = desk.must("correct_hand", hand_no=1, reason="?", outcome=outcome, preview=True).win
        assert told is not None
        assert (told.shows, told.inside) == (shows, inside), outcome
    ready = {str(seat): {"ready": False} for seat in range(4)}
    for game, shown, shows in (
        (opened("gb"), {}, ""),
        (opened("wuhan", check_ready_at_draw=True), ready, "ready"),
    ):
        game.must("draw_hand", players=shown)
        told = game.must("correct_hand", hand_no=1, reason="?", preview=True).win
        assert told is not None
        assert (told.shows, told.inside) == (shows, (0, 1, 2, 3) if shows else ())


def test_hands_shown_at_the_wall_are_set_right_and_everybody_pays_what_they_would_have_paid() -> None:
    """查大叫: who is not ready pays seat 1, who waits for 5m."""
    live, late = opened("sichuan"), opened("sichuan")
    unready = {str(seat): {"hand": hand} for seat, hand in enumerate(UNREADY)}
    ready = {"1": {"hand": "234678m345678s5m"}}
    live.must("draw_hand", players={**unready, **ready})
    late.must("draw_hand", players=unready)
    wish = {"hand_no": 1, "reason": "he was ready", "outcome": "draw", "players": ready}
    assert moved(late.must("correct_hand", **wish, preview=True))[1] == ((0, 0, 0, 0), (-6, 18, -6, -6))
    late.must("correct_hand", **wish)
    assert late.state.hands[0].outcome == live.state.hands[0].outcome
    late.must("correct_hand", hand_no=1, reason="he was not", players={"1": unready["1"]})
    assert late.state.totals == (0, 0, 0, 0)


def test_a_corrected_dead_hand_that_waits_is_ruled_before_it_is_paid() -> None:
    """四川: no rule says whether a dead hand (相公) is ready; the ruling stays when the tiles are set right again."""
    desk = opened("sichuan")
    desk.must("penalise", seat=1, code="dead_hand", role="referee")
    desk.must("draw_hand", players={str(seat): {"hand": hand} for seat, hand in enumerate(UNREADY)})
    waits = {"hand": "234678m345678s5m"}
    wish = {"hand_no": 1, "reason": "r"}
    told = desk.must("correct_hand", **wish, preview=True, players={"1": waits}).win
    assert told is not None
    assert told.refused is not None
    assert (told.refused.key, told.refused.params) == ("why.dead_ready", {"seat": 1})
    assert desk.refused("correct_hand", **wish, players={"1": waits}) == "why.dead_ready"
    desk.must("correct_hand", **wish, players={"1": {**waits, "ready": False}})
    assert desk.state.totals == (0, 0, 0, 0)
    desk.must("correct_hand", **wish, players={"1": {"ready": True}})
    assert desk.state.totals == (-6, 18, -6, -6)


@pytest.mark.parametrize("ruling", ["false win 0", "penalty"])
def test_a_correction_gives_no_win_to_a_dead_hand_until_the_ruling_is_taken_back(ruling: str) -> None:
    desk = opened("gb")
    if ruling == "penalty":
        desk.must("penalise", seat=1, code="dead_hand", role="referee")
    else:
        desk.must("claim_win", seat=1, source="self_draw")
        desk.must("reject", reason="five tiles of a kind", false_win=True)
    desk.win(2, **STRAIGHT)
    before, wish = desk.state.totals, {"hand_no": 1, "reason": "it was Ben", "winner": 1}
    assert desk.refused("correct_hand", **wish) == "seat_dead"
    told = desk.must("correct_hand", **wish, preview=True).win
    assert told is not None
    assert told.refused is not None
    assert (told.refused.key, desk.state.totals) == ("seat_dead", before)
    desk.must("correct_hand", hand_no=1, reason="on a discard", source="discard", from_seat=1)
    desk.must("lift_penalty", id=view(desk).history[0].id, role="referee")
    desk.must("correct_hand", **wish, source="self_draw")
    assert desk.state.totals == (-34, 102, -34, -34)


def test_a_win_of_a_battle_that_was_paid_before_its_player_was_ruled_dead_stands() -> None:
    desk = opened("sichuan")
    desk.win(1, hand="123456789m123m5m", win_tile="5m")
    desk.must("penalise", seat=1, code="dead_hand", role="referee")
    desk.must("draw_hand", broken_off=True)
    before = desk.state.totals
    desk.must("correct_hand", hand_no=1, reason="it counts for nothing", outcome="void")
    desk.must("correct_hand", hand_no=1, reason="it does", outcome="broken_off")
    assert desk.state.totals == before != (0, 0, 0, 0)


# --- 四川: a kong that nobody entered ---------------------------------------------------------------------------------

FORGOTTEN = {"seat": 1, "meld_kind": "kong_concealed", "tile": "9p"}
BAMBOOS = {"hand": "123456789s123s5s", "win_tile": "5s"}
"""A win that leaves `UNREADY` its tiles."""

WITH_KONG = {"hand": "147258m1478p", "melds": [{"kind": "kong_concealed", "tiles": "9999p"}]}
"""The hand of seat 1 with the forgotten kong, as it is shown; it waits for nothing."""

SHOWS: dict[str, Any] = {"0": {"hand": UNREADY[0]}, "1": WITH_KONG, "3": {"hand": UNREADY[3]}}


def test_a_forgotten_kong_is_paid_as_if_it_had_been_entered() -> None:
    """暗槓 pays two from everybody still in; the totals are those of the hand in which it was entered in time."""
    for outcome in ("win", "broken_off"):
        told, late = opened("sichuan"), opened("sichuan")
        told.must("kong", **FORGOTTEN)
        for one in (told, late):
            one.win(2, **BAMBOOS)
            one.must("draw_hand", players=SHOWS)
            if outcome == "broken_off":
                one.must("correct_hand", hand_no=1, reason="broken off", outcome="broken_off")
        preview = late.must("correct_hand", hand_no=1, reason="forgotten", add_kongs=[FORGOTTEN], preview=True)
        assert moved(preview)[1] == (late.state.hands[0].outcome.payments, told.state.hands[0].outcome.payments)
        before = late.state
        late.must("correct_hand", hand_no=1, reason="forgotten", add_kongs=[FORGOTTEN])
        assert late.state.totals == told.state.totals
        assert late.state.hands[0].outcome.sides == told.state.hands[0].outcome.sides
        late.must("correct_hand", hand_no=1, reason="it was none", drop_sides=[0])
        assert late.state.totals == before.totals


def test_a_kong_of_another_kind_is_taken_away_and_added() -> None:
    desk = opened("sichuan")
    desk.must("kong", **{**FORGOTTEN, "meld_kind": "kong_added"})
    desk.win(2, **BAMBOOS)
    desk.must("close_game", reason="late")
    was = desk.state.hands[0].outcome.sides[0].payments
    claimed = {**FORGOTTEN, "meld_kind": "kong_open", "from_seat": 3}
    desk.must("correct_hand", hand_no=1, reason="claimed", drop_sides=[0], add_kongs=[claimed])
    (side,) = desk.state.hands[0].outcome.sides
    assert was == (-6, 18, -6, -6)
    assert side.payments == (0, 6, 0, -6)  # 直槓: the feeder alone


def test_a_kong_after_a_win_is_not_paid_by_who_had_left() -> None:
    desk = opened("sichuan")
    desk.win(2, **BAMBOOS)
    desk.must("draw_hand", players=SHOWS)
    desk.must("correct_hand", hand_no=1, reason="forgotten", add_kongs=[{**FORGOTTEN, "stage": 1}])
    (side,) = desk.state.hands[0].outcome.sides
    assert (side.stage, side.payments) == (1, (-12, 24, 0, -12))


@pytest.mark.parametrize(
    ("kong", "key"),
    [
        ({**FORGOTTEN, "meld_kind": "kong_open"}, "no_feeder"),
        ({**FORGOTTEN, "from_seat": 3}, "feeder_not_wanted"),
        ({**FORGOTTEN, "meld_kind": "kong_open", "from_seat": 1}, "from_self"),
        ({**FORGOTTEN, "stage": 2}, "bad_facts"),
        ({**FORGOTTEN, "seat": 2, "stage": 1}, "bad_facts"),
        ({**FORGOTTEN, "tile": "6p"}, "fifth_on_table"),
        ({**FORGOTTEN, "tile": "5s", "seat": 0}, "kong_no_place"),
        ({**FORGOTTEN, "seat": 2}, "kong_no_place"),
        ({**FORGOTTEN, "tile": "1z"}, "kong_no_tile"),
        ({**FORGOTTEN, "tile": "1f"}, "kong_no_tile"),
    ],
)
def test_a_kong_that_cannot_have_been_is_refused(kong: dict[str, Any], key: str) -> None:
    desk = opened("sichuan")
    desk.must("kong", seat=3, meld_kind="kong_concealed", tile="6p")
    desk.win(2, **BAMBOOS)
    sixes = {**WITH_KONG, "melds": [{"kind": "kong_concealed", "tiles": "6666p"}]}
    desk.must("draw_hand", players={**SHOWS, "3": sixes})
    assert desk.refused("correct_hand", hand_no=1, reason="r", add_kongs=[kong]) == key
    other = opened("gb")
    other.must("draw_hand")
    assert other.refused("correct_hand", hand_no=1, reason="r", add_kongs=[FORGOTTEN]) == "not_in_this_game"


def test_a_kong_after_the_win_of_a_battle_that_was_broken_off_is_paid_as_when_it_was_entered_live() -> None:
    live, late = opened("sichuan"), opened("sichuan")
    for desk in (live, late):
        desk.win(2, **BAMBOOS)
        if desk is live:
            desk.must("kong", **FORGOTTEN)
        desk.must("close_game", reason="late")
    after_win = {**FORGOTTEN, "stage": 1}
    add = {"hand_no": 1, "reason": "forgotten", "add_kongs": [after_win]}
    late.must("correct_hand", **add)
    (side,) = late.state.hands[0].outcome.sides
    assert (side.stage, side.payments) == (1, (-12, 24, 0, -12))
    assert late.state.totals == live.state.totals
    live.must("correct_hand", hand_no=1, reason="it was none", drop_sides=[0])
    live.must("correct_hand", **add)
    assert live.state.totals == late.state.totals
    later = {**FORGOTTEN, "tile": "8p", "stage": 2}
    assert late.refused("correct_hand", hand_no=1, reason="r", add_kongs=[later]) == "bad_facts"


def test_a_kong_can_follow_the_wins_of_a_finished_battle_that_was_broken_off_but_none_after_its_last() -> None:
    desk = opened("sichuan")
    desk.win(2, **BAMBOOS)
    desk.must("draw_hand", players={str(seat): {"hand": UNREADY[seat]} for seat in (0, 1, 3)})
    desk.must("correct_hand", hand_no=1, reason="broken off", outcome="broken_off")
    desk.must("correct_hand", hand_no=1, reason="forgotten", add_kongs=[{**FORGOTTEN, "stage": 1}])
    (side,) = desk.state.hands[0].outcome.sides
    assert (side.stage, side.payments) == (1, (-12, 24, 0, -12))
    over = opened("sichuan", mode="single")
    over.win(2, **BAMBOOS)
    late = {"hand_no": 1, "reason": "r", "outcome": "broken_off", "add_kongs": [{**FORGOTTEN, "stage": 1}]}
    assert over.refused("correct_hand", **late) == "bad_facts"


def test_a_kong_added_to_a_hand_that_counts_for_nothing_pays_only_where_it_is_said_to_count() -> None:
    desk = opened("sichuan")
    desk.must("draw_hand", void=True)
    add = {"hand_no": 1, "reason": "forgotten", "add_kongs": [FORGOTTEN]}
    assert desk.refused("correct_hand", **add) == "kong_of_nothing"
    desk.must("correct_hand", **add, outcome="void")
    assert (desk.state.hands[0].outcome.ending, desk.state.totals) == ("void", (0, 0, 0, 0))
    desk.must("correct_hand", hand_no=1, reason="it did count", outcome="broken_off")
    assert desk.state.totals == (-12, 36, -12, -12)


def test_more_kongs_than_a_hand_holds_are_refused_in_a_correction_as_when_they_are_entered() -> None:
    nameless = {**FORGOTTEN, "tile": None}
    live, done = opened("sichuan"), opened("sichuan")
    for _ in range(4):
        live.must("kong", **nameless)
    for tile in (None, "9p"):
        assert live.refused("kong", **{**FORGOTTEN, "tile": tile}) == "kongs_too_many"
    done.must("kong", seat=3, meld_kind="kong_concealed", tile="6p")
    done.must("close_game", reason="late")
    add = {"hand_no": 1, "reason": "r"}
    assert done.refused("correct_hand", **add, add_kongs=16 * [nameless]) == "kongs_too_many"
    assert done.refused("correct_hand", **add, add_kongs=5 * [nameless]) == "kongs_too_many"
    done.must("correct_hand", **add, add_kongs=4 * [nameless])
    assert done.refused("correct_hand", **add, add_kongs=[FORGOTTEN]) == "kongs_too_many"


def test_a_kong_of_tiles_that_lie_in_a_winners_hand_or_are_not_in_the_set_is_refused_at_once() -> None:
    desk = opened("sichuan")
    for tile in ("1z", "1f"):
        assert desk.refused("kong", **{**FORGOTTEN, "tile": tile}) == "kong_no_tile"
    desk.win(2, **BAMBOOS)
    fives = {**FORGOTTEN, "tile": "5s"}
    assert desk.refused("kong", **fives) == "fifth_on_table"
    desk.must("kong", **FORGOTTEN)
    desk.must("close_game", reason="late")
    late = {"hand_no": 1, "reason": "r", "add_kongs": [{**fives, "stage": 1}]}
    assert desk.refused("correct_hand", **late) == "fifth_on_table"


def test_a_hand_shown_at_the_wall_shows_the_kongs_that_were_paid_to_it() -> None:
    desk = opened("sichuan")
    desk.must("kong", **FORGOTTEN)
    desk.win(2, **BAMBOOS)
    without = {**SHOWS, "1": {"hand": UNREADY[1], "melds": []}}
    assert desk.refused("draw_hand", players=without) == "kong_no_place"
    desk.must("draw_hand", players=SHOWS)
    assert desk.refused("correct_hand", hand_no=1, reason="r", players=without) == "kong_no_place"
    desk.must("correct_hand", hand_no=1, reason="it was none", players=without, drop_sides=[0])

"""Real rulesets under random taps: kongs, several winners, battles, contracts, penalties, corrections, undo.

Points add up to zero at every moment and move only by what a person confirmed, totals are the rows of the history and
what the hand has paid, no tile lies more than four times in the hands that were paid, any prefix and the rest fold like
all, a correction and its reversal restore everything, and every event survives the ledger's text.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from table import events as ev
from table.audience import document
from table.decision import Decision
from table.fold import fold
from table.rulebook import open_rulebook
from table.state import HistoryItem, PlayedHand, add_up, result_of
from table.tile_text import split_tiles
from table.view import Live, snapshot
from tests.table_kit import NAMES, Desk

SEATS = st.integers(0, 3)
MAYBE = st.one_of(st.none(), SEATS)
TILES = st.sampled_from(["1z", "5m", "9s", "7z", "2p"])
HANDS = st.sampled_from(
    [
        {"hand": "123456789m123m5m", "win_tile": "5m"},
        {"hand": "11223344556m68m", "win_tile": "8m"},
        {"hand": "123456789m5m", "win_tile": "5m", "melds": [{"kind": "chi", "tiles": "123m", "from_seat": 0}]},
        {"hand": "46m66m789m789m123m", "win_tile": "5m"},
        {"hand": "123456789p123p5p", "win_tile": "5p"},
        {"hand": "123m678p345s11z23m", "win_tile": "4m"},
        {"hand": "123456789m123345p5m", "win_tile": "5m"},
    ]
)
MOVERS = {
    "hand_settled", "hand_corrected", "seats_corrected", "options_corrected", "claim_rejected", "decision_undone",
    "game_opened", "side_paid", "side_dropped", "wins_paid", "penalty_given", "penalty_lifted",
}  # fmt: skip
"""The only events that may change anybody's points."""

OBSERVED = {"system", "device"}
"""Who only observes: nothing of theirs moves points."""
SHOWN = st.sampled_from(["", "147m258p369s1478m", "123456789m123p5p"])
RULESETS = st.sampled_from(
    [
        ("sichuan", {}),
        ("jiaxing", {"discard_win": "all_pay", "service_fee": 1}),
        ("changsha", {}),
        ("guangdong", {}),
        ("wuhan", {"check_ready_at_draw": True}),
        ("two_player", {}),
        ("gb", {}),
        ("popular", {}),
        ("beginner258", {}),
        ("fujian", {}),
    ]
)


def result_by_player(row: HistoryItem) -> dict[int, int]:
    """What a row of the history means for each player."""
    return dict(zip(row.setup.seating, result_of(row), strict=True))


class AnyGame(RuleBasedStateMachine):
    """One table, one ruleset, anybody presses anything."""

    @initialize(game=RULESETS, mode=st.sampled_from(["friendly", "competition"]))
    def begin(self, game: tuple[str, dict[str, Any]], mode: str) -> None:
        self.desk = Desk()
        self.book = open_rulebook(*game)
        self.role = "referee" if mode == "competition" else "tablet"
        self.desk.must("open_game", ruleset=game[0], options=game[1], names=list(NAMES), mode=mode)

    def press(self, kind: str, **fields: Any) -> None:
        before, entries = self.desk.state, len(self.desk.entries)
        role = fields.pop("role", self.role)
        answer = self.desk.do(kind, role=role, **fields)
        kinds = {entry.event.kind for entry in self.desk.entries[entries:]}
        if not kinds & MOVERS or role in OBSERVED:
            assert self.desk.state.totals == before.totals
        if not isinstance(answer, Decision):
            assert self.desk.state is before
            assert answer.sentence.text

    @rule(values=st.lists(st.integers(1, 6), min_size=1, max_size=2), checked=st.booleans(), number=st.integers(0, 5))
    def dice(self, values: list[int], checked: bool, number: int) -> None:
        self.press("dice", values=values, checked=checked, roll=f"A.{number}")

    @rule(number=st.integers(0, 5))
    def confirm(self, number: int) -> None:
        self.press("confirm_dice", roll=f"A.{number}")

    @rule()
    def start(self) -> None:
        self.press("start_hand")

    @rule(seat=SEATS, feeder=MAYBE, robbed=st.booleans(), hand=HANDS)
    def win(self, seat: int, feeder: int | None, robbed: bool, hand: dict[str, Any]) -> None:
        source = "self_draw" if feeder is None else "rob_kong" if robbed else "discard"
        self.press("claim_win", seat=seat, source=source, from_seat=feeder)
        self.press("hand_manual", **hand)

    @rule()
    def answer(self) -> None:
        claim = snapshot(self.desk.state, Live(), self.book).claim
        for question in claim.questions if claim else ():
            if question.choices:
                self.press(**dict[str, Any](question.choices[0].command))
            elif question.pick:
                self.press(**dict[str, Any](question.pick), tile="9s")

    @rule()
    def approve(self) -> None:
        self.press("approve")

    @rule(points=st.sampled_from([7, 8, 24]))
    def announce(self, points: int) -> None:
        self.press("announce", points=points)

    @rule(false_win=st.booleans(), each=st.sampled_from([None, 7]))
    def reject(self, false_win: bool, each: int | None) -> None:
        self.press("reject", reason="no", false_win=false_win, each=each)

    @rule(seat=SEATS, kind=st.sampled_from(["kong_open", "kong_added", "kong_concealed", "laizi"]), feeder=MAYBE)
    def kong(self, seat: int, kind: str, feeder: int | None) -> None:
        self.press("kong", seat=seat, meld_kind=kind, tile="9s", from_seat=feeder)

    @rule(seat=SEATS, feeder=SEATS, kind=st.sampled_from(["chi", "peng"]))
    def take(self, seat: int, feeder: int, kind: str) -> None:
        self.press("take_discard", seat=seat, meld_kind=kind, from_seat=feeder, tiles="111p")

    @rule(seat=SEATS, what=st.sampled_from(["open", "double", "stay", "quit", "void"]))
    def declare(self, seat: int, what: str) -> None:
        self.press("declare", seat=seat, what=what, suit="m")

    @rule(tile=TILES, what=st.sampled_from(["flip", "bird"]))
    def turn(self, tile: str, what: str) -> None:
        self.press("turn_tile", tile=tile, what=what)

    @rule(seat=SEATS, tile=st.one_of(st.none(), TILES))
    def pass_win(self, seat: int, tile: str | None) -> None:
        self.press("pass_win", seat=seat, tile=tile)

    @rule(seat=SEATS)
    def start_win(self, seat: int) -> None:
        self.press("start_win", seat=seat, hand="2222m468p13579s5p")

    @rule(feeder=SEATS, beneficiary=SEATS)
    def liable(self, feeder: int, beneficiary: int) -> None:
        self.press("liable", feeder=feeder, beneficiary=beneficiary, makes="十二張")

    @rule(void=st.booleans(), shown=SHOWN, sea=st.sampled_from(["", "taken_no_win"]), seat=SEATS)
    def draw(self, void: bool, shown: str, sea: str, seat: int) -> None:
        players = {str(one): {"hand": shown, "ready": one == seat} for one in range(4)} if shown else {}
        self.press("draw_hand", void=void, players=players, sea=sea, sea_seat=seat if sea else None)

    @rule(seat=SEATS, what=st.sampled_from(["discard", "peng", "kong_concealed", "hand"]), tile=TILES)
    def see(self, seat: int, what: str, tile: str) -> None:
        self.press("see_move", role="device", what=what, seat=seat, tiles=[tile])

    @rule(rows=st.sampled_from([("123456789m123m5m", "5m"), ("147m2p",), ("11112m",)]))
    def show(self, rows: tuple[str, ...]) -> None:
        before = self.desk.state
        if before.claims:
            self.desk.show(before.claims[0].seat, rows)
        assert self.desk.state.totals == before.totals

    @rule(seat=SEATS, code=st.sampled_from(["false_win", "early_draw", "dead_hand"]))
    def penalise(self, seat: int, code: str) -> None:
        self.press("penalise", seat=seat, code=code)

    @rule(hand_no=st.integers(1, 4), outcome=st.sampled_from([None, "win", "draw", "void"]), winner=MAYBE, hand=HANDS)
    def correct(self, hand_no: int, outcome: str | None, winner: int | None, hand: dict[str, Any]) -> None:
        wish = {"hand_no": hand_no, "reason": "r", "outcome": outcome, "winner": winner, "source": "self_draw", **hand}
        self.corrected("correct_hand", wish)

    @rule(hand_no=st.integers(1, 5), order=st.permutations(range(4)))
    def seats(self, hand_no: int, order: list[int]) -> None:
        self.corrected("correct_seats", {"from_hand": hand_no, "seating": order, "reason": "r"})

    @rule(options=st.sampled_from([{}, {"false_win": "pay_min"}, {"base": 10}, {"service_fee": 2}, {"unit": 3}]))
    def options(self, options: dict[str, Any]) -> None:
        self.corrected("correct_options", {"options": options, "reason": "r"})

    def corrected(self, kind: str, wish: dict[str, Any]) -> None:
        """What a preview lists is what happens; taking it back restores; doing it again does the same again."""
        before = self.desk.state
        preview = self.desk.do(kind, role=self.role, preview=True, **wish)
        assert self.desk.state is before
        answer = self.desk.do(kind, role=self.role, **wish)
        if not isinstance(answer, Decision):
            return
        assert isinstance(preview, Decision)
        assert (preview.changes, preview.rows) == (answer.changes, answer.rows)
        beside = {change.place for change in answer.rows}
        for place, (old, new) in enumerate(zip(before.history, self.desk.state.history, strict=True)):
            assert result_by_player(old) == result_by_player(new) or isinstance(old, PlayedHand) or place in beside
        listed = {change.hand_no for change in answer.changes}
        for then, now in zip(before.hands, self.desk.state.hands, strict=True):
            assert (now.outcome.payments, now.outcome.fee) == (then.outcome.payments, then.outcome.fee) or (
                now.setup.hand_no in listed
            )
        after = replace(self.desk.state, seq=0, undo=())
        self.desk.must("undo_last", role=self.role)
        assert replace(self.desk.state, seq=0, undo=()) == replace(before, seq=0, undo=())
        self.desk.must(kind, role=self.role, **wish)
        assert replace(self.desk.state, seq=0, undo=()) == after

    @rule()
    def undo(self) -> None:
        self.press("undo_last")

    @invariant()
    def points_add_up(self) -> None:
        state = self.desk.state
        assert sum(state.totals) == 0
        assert sum(state.paid_so_far) == 0
        if not any(state.paid_so_far):
            assert add_up(state.history) == state.totals

    @invariant()
    def no_tile_lies_more_than_four_times(self) -> None:
        for hand in self.desk.state.hands:
            counts, won_on = Counter[str](), set[tuple[int, str]]()
            for win in hand.outcome.wins:
                counts.update(split_tiles(win.laid.hand + "".join(meld.tiles for meld in win.laid.melds)))
                won_on.add((win.stage, win.laid.win_tile))
            counts.update(tile for _, tile in won_on)
            assert max(counts.values(), default=0) <= 4

    @invariant()
    def everything_folds_shows_and_is_text(self) -> None:
        entries = self.desk.entries
        middle = (7 * len(entries)) % (len(entries) + 1)
        assert fold(entries[middle:], fold(entries[:middle])) == self.desk.state
        json.dumps(document(snapshot(self.desk.state, Live(wall_left=80), self.book)))
        for entry in entries[-3:]:
            assert ev.decode(json.loads(json.dumps(ev.encode(entry.event)))) == entry.event


AnyGame.TestCase.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
TestAnyGame = AnyGame.TestCase

"""Anybody presses anything at any time, and still: points add up to zero, and only approval moves them."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from table.audience import document
from table.decision import Decision
from table.events import GameOpened
from table.fold import fold
from table.view import Live, snapshot
from tests.table_kit import CHICKEN, ORPHANS, PAIRS, STRAIGHT, Desk, PennyRules, penny_books

SEATS = st.integers(0, 3)
HANDS = st.sampled_from([STRAIGHT, PAIRS, ORPHANS, CHICKEN])
SOURCES = st.sampled_from([None, "self_draw", "discard", "rob_kong", "kong_replacement"])
ROWS = st.sampled_from(
    [
        ("123456789m23m44z", "4m"),
        ("123456789m234m44z",),
        ("22s33z888p", "3z", "x11mx", "666z"),
        ("123m", "456p", "789s", "111z", "5z", "5z"),
        ("2223477m", "8m", "9999s", "123p"),
        ("11111m", "x"),
        (),
    ]
)
MOVERS = {"hand_settled", "hand_corrected", "claim_rejected", "decision_undone", "game_opened"}
"""The only events that may change anybody's points."""


class EveryTap(RuleBasedStateMachine):
    """One table with rules where the dealer matters, so that corrections reach later hands."""

    def __init__(self) -> None:
        super().__init__()
        self.desk = Desk(books=penny_books(PennyRules(value=lambda laid, _how: len(laid.win_tile))))

    @initialize(mode=st.sampled_from(["friendly", "competition"]), dealer=SEATS)
    def begin(self, mode: str, dealer: int) -> None:
        self.desk.open(mode=mode, first_dealer=dealer)

    def press(self, kind: str, **fields: Any) -> None:
        """Press something; refused or not, points may move only by the events that are for it."""
        before, entries = self.desk.state, len(self.desk.entries)
        answer = self.desk.do(kind, **fields)
        kinds = {entry.event.kind for entry in self.desk.entries[entries:]}
        if not kinds & MOVERS:
            assert self.desk.state.totals == before.totals
        if not isinstance(answer, Decision):
            assert self.desk.state is before
            assert answer.sentence.text

    @rule(values=st.tuples(st.integers(1, 6), st.integers(1, 6)))
    def dice(self, values: tuple[int, int]) -> None:
        self.press("dice", values=values)

    @rule()
    def start(self) -> None:
        self.press("start_hand")

    @rule(seat=SEATS, source=SOURCES, feeder=st.one_of(st.none(), SEATS))
    def claim(self, seat: int, source: str | None, feeder: int | None) -> None:
        self.press("claim_win", seat=seat, source=source, from_seat=feeder)

    @rule(hand=HANDS)
    def type_hand(self, hand: dict[str, str]) -> None:
        self.press("hand_manual", **hand)

    @precondition(lambda self: self.desk.state.claims)
    @rule(rows=ROWS)
    def show(self, rows: tuple[str, ...]) -> None:
        before = self.desk.state.totals
        self.desk.show(self.desk.state.claims[0].seat, rows)
        assert self.desk.state.totals == before

    @rule(index=st.integers(0, 16), tile=st.sampled_from(["1m", "4m", "9p", "5z", "x", ""]))
    def fix(self, index: int, tile: str) -> None:
        self.press("fix_tile", index=index, tile=tile)

    @rule(index=st.integers(0, 16))
    def win_tile(self, index: int) -> None:
        self.press("set_win_tile", index=index)

    @rule(group=st.integers(0, 6), kind=st.sampled_from([None, "chi", "peng", "kong_added", "kong_concealed"]))
    def meld(self, group: int, kind: str | None) -> None:
        self.press("set_meld", group=group, meld_kind=kind)

    @rule(source=SOURCES, feeder=st.one_of(st.none(), SEATS), last=st.booleans())
    def facts(self, source: str | None, feeder: int | None, last: bool) -> None:
        self.press("set_facts", source=source, from_seat=feeder, last_tile=last)

    @rule(points=st.integers(0, 3))
    def announce(self, points: int) -> None:
        self.press("announce", points=points)

    @rule(seat=SEATS)
    def agree(self, seat: int) -> None:
        self.press("agree", seat=seat)

    @rule(role=st.sampled_from(["tablet", "referee"]))
    def approve(self, role: str) -> None:
        self.press("approve", role=role)

    @rule(false_win=st.booleans(), each=st.one_of(st.none(), st.integers(0, 20)))
    def reject(self, false_win: bool, each: int | None) -> None:
        self.press("reject", role="referee", reason="no", false_win=false_win, each=each)

    @rule(void=st.booleans())
    def draw(self, void: bool) -> None:
        self.press("draw_hand", void=void)

    @rule(seat=st.one_of(st.none(), SEATS))
    def cancel(self, seat: int | None) -> None:
        self.press("cancel_claim", seat=seat)

    @rule(
        hand_no=st.integers(1, 6),
        outcome=st.sampled_from([None, "win", "draw", "void"]),
        winner=st.one_of(st.none(), SEATS),
        source=SOURCES,
        feeder=st.one_of(st.none(), SEATS),
        hand=st.one_of(st.just({}), HANDS),
    )
    def correct(self, hand_no: int, hand: dict[str, str], feeder: int | None, **fields: Any) -> None:
        wish = {"hand_no": hand_no, "reason": "r", "from_seat": feeder, **fields, **hand}
        seq = self.desk.state.seq
        preview = self.desk.do("correct_hand", role="referee", preview=True, **wish)
        assert self.desk.state.seq == seq
        before = self.desk.state.totals
        answer = self.desk.do("correct_hand", role="referee", **wish)
        if isinstance(answer, Decision):
            assert isinstance(preview, Decision)
            assert preview.changes == answer.changes
            self.desk.must("undo_last", role="referee")
            assert self.desk.state.totals == before
            self.desk.must("correct_hand", role="referee", **wish)

    @rule(role=st.sampled_from(["tablet", "chief"]))
    def undo(self, role: str) -> None:
        self.press("undo_last", role=role, reason="slip")

    @rule()
    def call(self) -> None:
        self.press("call_referee", seat=1, reason="r")

    @rule(number=st.integers(1, 40))
    def close_call(self, number: int) -> None:
        self.press("close_call", id=f"c{number}")

    @invariant()
    def points_add_up_to_zero(self) -> None:
        assert sum(self.desk.state.totals) == 0
        for row in self.desk.state.history:
            payments = row.payments if hasattr(row, "payments") else row.outcome.payments
            assert sum(payments) == 0

    @invariant()
    def a_prefix_and_the_rest_fold_like_all(self) -> None:
        entries = self.desk.entries
        middle = len(entries) // 2
        assert fold(entries[middle:], fold(entries[:middle])) == self.desk.state

    @invariant()
    def the_table_can_be_shown(self) -> None:
        state = self.desk.state
        if state.game is not None:
            view = document(snapshot(state, Live(), self.desk.books("penny", {})))
            assert [seat["total"] for seat in view["seats"]] == self.desk.by_seat
            assert len(view["history"]) == len(state.history)

    @invariant()
    def hands_are_numbered_in_order(self) -> None:
        numbers = [played.setup.hand_no for played in self.desk.state.hands]
        assert numbers == sorted(set(numbers))
        assert all(isinstance(self.desk.entries[0].event, GameOpened) for _ in numbers[:1])


EveryTap.TestCase.settings = settings(max_examples=80, stateful_step_count=30, deadline=None)
TestEveryTap = EveryTap.TestCase

"""A followed table under random moves, misreadings, tiles taken away and answers: no tile lies there a fifth time.

Few kinds are played, so that a fifth copy is often shown. Only a person's word may say that one lies there.
"""

from __future__ import annotations

from collections import Counter

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from table.fold import fold
from table.snapshot import SeenTable
from tests.seen_scene import Scene

SEATS = st.integers(0, 3)
KINDS = ("3m", "4m", "5m", "9s")
SHOWN = st.sampled_from([*KINDS, "3m?4m", "4m?5m"])
GROUPS = st.sampled_from(["3m 4m 5m", "4m 4m 4m", "5m 5m 5m 5m", "x 3m 3m x", "4m 4m 4m?5m", "3m 3m"])


class AnyTable(RuleBasedStateMachine):
    """Tiles come and go as no rules allow; people answer what they like."""

    @initialize(rules=st.sampled_from(["gb", "sichuan", "guangdong"]))
    def begin(self, rules: str) -> None:
        self.scene = Scene(rules)
        self.scene.look()
        self.said: frozenset[str] = frozenset()

    @property
    def table(self) -> SeenTable | None:
        return self.scene.document.table

    def copies(self) -> Counter[str]:
        """How often each kind is known to lie on the followed table; a tile of two faces is none yet."""
        table = self.table
        if table is None:
            return Counter()
        rows = [*table.ponds, *table.flowers, *(meld.tiles for melds in table.melds for meld in melds)]
        return Counter(tile for row in rows for tile in row if tile in KINDS)

    def turn(self, otherwise: int) -> int:
        table = self.table
        return otherwise if table is None or table.turn is None else table.turn

    @rule(tile=SHOWN, seat=SEATS)
    def discard(self, tile: str, seat: int) -> None:
        self.scene.discard((self.turn(seat), tile))

    @rule(tile=SHOWN, seat=SEATS)
    def discard_out_of_turn(self, tile: str, seat: int) -> None:
        self.scene.discard((seat, tile))

    @rule(tiles=st.lists(SHOWN, min_size=2, max_size=4), seat=SEATS)
    def discard_between_two_looks(self, tiles: list[str], seat: int) -> None:
        first = self.turn(seat)
        self.scene.discard(*(((first + place) % 4, tile) for place, tile in enumerate(tiles)))

    @rule(seat=SEATS, group=GROUPS, taken=st.booleans())
    def meld(self, seat: int, group: str, taken: bool) -> None:
        last = None if self.table is None else self.table.last
        if taken and last is not None and self.scene.ponds[last.seat]:
            self.scene.ponds[last.seat].pop()
        self.scene.melds[seat].append(group)
        self.scene.look()

    @rule(seat=SEATS, place=st.integers(0, 6), tile=st.one_of(st.none(), SHOWN))
    def another_or_none(self, seat: int, place: int, tile: str | None) -> None:
        """A tile of a pond is taken away, or read otherwise from now on."""
        pond = self.scene.ponds[seat]
        if place < len(pond):
            pond[place : place + 1] = [] if tile is None else [tile]
        self.scene.look()

    @rule()
    def wait(self) -> None:
        self.scene.look(6)

    @precondition(lambda self: self.table is not None and self.table.question is not None)
    @rule(number=st.integers(0, 9), tile=st.one_of(st.none(), st.sampled_from(KINDS)))
    def answer(self, number: int, tile: str | None) -> None:
        assert self.table is not None
        question = self.table.question
        assert question is not None
        lies = [choice for choice in question.choices if not choice.command.get("ignore")]
        word = lies[number % len(lies)].command
        if tile is not None and question.pick is not None:
            word = {**question.pick, "tile": tile}
        self.scene.answer(**{name: value for name, value in word.items() if name != "kind"})
        self.scene.look(4)
        self.said |= {kind for kind, count in self.copies().items() if count > 4}

    @invariant()
    def no_tile_lies_a_fifth_time_unless_a_person_said_so(self) -> None:
        over = {kind: count for kind, count in self.copies().items() if count > 4 and kind not in self.said}
        assert not over, over

    @invariant()
    def nothing_is_paid_and_the_ledger_tells_the_same(self) -> None:
        assert self.scene.desk.state.totals == (0, 0, 0, 0)
        assert fold(self.scene.desk.entries) == self.scene.desk.state


AnyTable.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
TestAnyTable = AnyTable.TestCase

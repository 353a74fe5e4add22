"""Board, line and link as one machine that a fuzzer drives: whatever happens, the promises hold.

Promises: each event is handed over at most once and in order within each start of the board; what was not lost by a
restart or named as a gap arrives; no command is carried out twice within one start; a LOCK releases itself; the shown
state is never more than 3 s too good.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from device.board import Identity
from device.faults import Faults
from device.linkstate import LinkState
from device.messages import Light, Lock
from device.notices import NoticeCode
from device.wire import EventId
from tests.device_rig import Rig

SEATS = st.integers(0, 3)
LINES = st.sampled_from(
    [
        Faults(),
        Faults(lose=0.3),
        Faults(flip=0.2, drop=0.1, swap=0.1),
        Faults(repeat=0.4, reorder=0.3, delay_s=0.3),
        Faults(cut=0.2, burst=0.1, double=0.1),
        Faults(stall=0.05, stall_s=1.5, garbage_per_s=2_000),
    ]
)


class TableLine(RuleBasedStateMachine):
    """One table, one bad line, one Paiju."""

    def __init__(self):
        super().__init__()
        self.rig = Rig(seed=17, identity=Identity(ring=16))
        self.made = []
        self.lost_by_restart = set()
        self.overflowed = set()
        self.commands = 0
        self.beats_cut_at = None

    @rule(seconds=st.sampled_from([0.02, 0.3, 1.0, 4.0]))
    def wait(self, seconds):
        self.rig.run(seconds)

    @rule(seat=SEATS, key=st.sampled_from(["HU", "PENG", "OK"]))
    def press(self, seat, key):
        self.watch_ring(1)
        self.made.append(self.rig.press(seat, key))

    @rule(seat=SEATS)
    def throw(self, seat):
        self.watch_ring(2)
        end = self.rig.throw(seat)
        self.made += [type(end)(end.boot, end.n - 1), end]

    def watch_ring(self, coming):
        """Note the events that the next ones push out of the board's ring."""
        board = self.rig.board
        pushed = max(0, len(board._ring) + coming - board.identity.ring)
        self.overflowed |= {EventId(board.boot, number) for number, _ in list(board._ring)[:pushed]}

    @rule(line=LINES)
    def line_becomes(self, line):
        self.rig.to_host.faults = self.rig.to_board.faults = line

    @precondition(lambda self: not self.rig.plugged)
    @rule()
    def plug(self):
        self.rig.plug()

    @precondition(lambda self: self.rig.plugged)
    @rule()
    def unplug(self):
        self.rig.unplug()

    @rule()
    def reboot(self):
        kept = {number for number, _ in self.rig.board._ring}
        self.lost_by_restart |= {event for event in self.made if event.boot == self.rig.board.boot and event.n in kept}
        self.rig.board.carried_out.clear()  # a restart forgets its answers, and what the commands had done
        self.rig.board.start(self.rig.now, "wdt")

    @rule(silent=st.booleans())
    def half_open(self, silent):
        self.rig.silent = silent
        self.beats_cut_at = self.rig.now if silent else None

    @rule(seat=SEATS)
    def command(self, seat):
        self.rig.send(Light(seat, "on"))
        self.commands += 1

    @rule()
    def lock(self):
        self.rig.send(Lock(True, 5))
        self.commands += 1

    @invariant()
    def each_event_once_and_in_order(self):
        seen = [event.id for event in self.rig.events]
        assert len(seen) == len(set(seen))
        made_at = {event: index for index, event in enumerate(self.made)}
        order = [made_at[event] for event in seen]
        assert order == sorted(order)

    @invariant()
    def no_command_twice(self):
        tickets = [(host, number) for host, number, _ in self.rig.board.carried_out]
        assert len(tickets) == len(set(tickets))

    @invariant()
    def no_command_ends_twice(self):
        assert len(self.rig.results) <= self.commands

    @invariant()
    def state_is_honest(self):
        if self.beats_cut_at is None:
            return
        last_byte_at = max(self.beats_cut_at, self.rig.to_host._free_at)  # what was under way still arrives
        if self.rig.now - last_byte_at > 3.0 + 0.1:
            assert self.rig.state is not LinkState.LIVE

    def teardown(self):
        """In the end the line is good again: everything arrives that the board still had or that was named lost."""
        rig = self.rig
        rig.silent = False
        rig.to_host.faults = rig.to_board.faults = Faults()
        for _ in range(4):
            if not rig.plugged:
                rig.plug()
            rig.run(12)
        assert rig.state is LinkState.LIVE
        assert not rig.board.locked(rig.now)
        self.each_event_once_and_in_order()
        seen = {event.id for event in rig.events}
        missing = {event for event in self.made if event not in seen}
        assert missing <= self.lost_by_restart | self.overflowed
        # What a start that Paiju knew lost to a full ring is named, except before the very first contact.
        met = rig.heard[0].boot
        followed = {event.boot for event in seen} | {rig.board.boot}
        overflowed = {event for event in missing & self.overflowed if event.boot in followed and event.boot != met}
        named = sum(notice.count for notice in rig.notices if notice.code is NoticeCode.GAP)
        assert named >= len(overflowed)
        if len(followed | {met}) > 1:
            assert NoticeCode.REBOOTED in {notice.code for notice in rig.notices}
        assert len(rig.results) == self.commands


TableLine.TestCase.settings = settings(
    max_examples=60,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestTableLine = TableLine.TestCase

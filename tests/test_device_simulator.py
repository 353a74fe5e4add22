"""The simulated table: its works, its evenings, its misfortunes, and typing to it."""

from __future__ import annotations

import io
from random import Random

import pytest

from device.board import Board, Identity
from device.catalogue import from_packet
from device.codec import PacketDecoder, encode
from device.evening import EveningPlan, evening
from device.faults import Faults, FaultyLine, damage
from device.mechanics import GEAR_WALLS, Mechanics
from device.messages import (
    Beep,
    Button,
    Deal,
    Dice,
    Fault,
    Lift,
    Light,
    Lock,
    Remaining,
    Request,
    Roll,
    Score,
    Stick,
    Wall,
)
from device.simconsole import help_text, obey_line, run_simulator, typed_lines
from device.simulator import SimConfig, SimTable
from device.simwall import SimWall


class Table:
    """Mechanics in virtual time; `run` returns the events of that span."""

    def __init__(self, seed=1, pace=1.0):
        self.now = 10.0
        self.board = Board(Identity(), Random(seed), lambda command: self.works.obey(command))
        self.works = Mechanics(self.board, Random(seed), pace)
        self.board.start(self.now)
        self._decoder = PacketDecoder()
        self._seen = 0
        self.run(0.1)

    def run(self, seconds):
        found = []
        end = self.now + seconds
        while self.now < end:
            self.now += 0.05
            for packet in self._decoder.feed(self.works.tick(self.now)):
                message = from_packet(packet)
                if hasattr(message, "id") and message.id.n > self._seen:
                    self._seen = message.id.n
                    found.append(message)
        return found

    def command(self, number, command):
        self.board.feed(encode(Request("BEEF", number, command)), self.now)
        return [from_packet(packet) for packet in self._decoder.feed(self.works.tick(self.now))]


def test_wash_stack_lift_takes_its_time_and_counts_the_walls():
    table = Table()
    table.works.build_walls(136)
    table.run(10)
    assert table.board.state.deck == "WASH"
    table.run(20)
    assert table.board.state.deck == "STACK"
    (wall,) = table.run(40)
    assert (wall.walls, wall.tiles, table.board.state.deck) == ((17, 17, 17, 17), 136, "READY")
    table.works.lift()
    lifting, up, wall = table.run(5)
    assert [lifting.top, up.top, wall.walls] == ["LIFTING", "UP", (17, 17, 17, 17)]


def test_pace_makes_the_works_faster():
    table = Table(pace=60)
    table.works.build_walls(144)
    assert [type(event) for event in table.run(2)] == [Wall]


@pytest.mark.parametrize(("tiles", "stacks"), GEAR_WALLS.items())
def test_every_gear_builds_all_its_tiles(tiles, stacks):
    assert 2 * sum(stacks) == tiles


def test_throw_has_a_start_an_end_and_the_dice_you_choose_at_the_table():
    table = Table()
    roll = table.works.throw_dice(2, (6, 1))
    start, end = table.run(2)
    assert (start.phase, end.phase, end.values, end.by_seat, end.roll) == ("start", "end", (6, 1), 2, roll)
    table.works.void_throw()
    (void,) = table.run(0.2)
    assert (void.phase, void.roll) == ("void", roll)


def test_a_dome_that_cannot_read_its_dice_says_so():
    table = Table()
    table.works.throw_dice(0, known=False)
    assert table.run(2)[-1].values is None


def test_permission_and_lock_decide_whose_key_throws():
    table = Table()
    table.command(1, Roll((2,), 1, "KONG"))
    table.works.press(0, "DICE")
    assert [type(event) for event in table.run(2)] == [Button]
    table.command(2, Lock(True, 60))
    table.works.press(2, "DICE")
    assert [type(event) for event in table.run(2)] == [Button]
    table.command(3, Lock(False, 1))
    table.works.press(2, "DICE")
    _, _, end = table.run(2)
    assert len(end.values) == 1


def test_lights_scores_and_beeps_are_obeyed_and_an_old_score_is_not():
    table = Table()
    table.command(1, Light(3, "blink"))
    table.command(2, Score(7, (10, -10, 0, 0)))
    table.command(3, Score(6, (1, 2, 3, 4)))
    table.command(4, Beep(2))
    assert table.works.lights == {3: "blink"}
    assert table.works.scores.points == (10, -10, 0, 0)
    assert table.works.beeps == 2


def test_wall_is_taken_from_head_and_tail_with_holes():
    wall = SimWall((18, 18, 18, 18))
    assert wall.left == 144
    assert wall.open(0, 20) == (3, 2)  # over the corner: clockwise to the previous seat's right hand
    wall.take_head(52)
    assert wall.left == 92
    wall.take_tail(1)
    assert wall.side(3) == (1, True, "tail")  # the two stacks before the break are the tail
    wall.take_tail(3)
    assert wall.holes() == ((0, 17), (3, 1))
    wall.take_tail(3)
    assert wall.holes() == ((3, 1),)
    assert wall.left == 89
    wall.take_head(1)
    assert wall.holes()[0] == (2, 10)  # a stack at the head that lost its upper tile


def test_counter_sides_report_after_half_a_second():
    table = Table(pace=10)
    table.works.build_walls(144)
    table.run(8)
    table.works.lift()
    table.run(1)
    table.works.open_wall(0, 7)
    table.works.take(4)
    table.works.take(1)
    (rem,) = table.run(1)
    assert (rem.side, rem.stacks, rem.odd) == (0, 15, True)
    table.works.take_tail()
    (rem,) = table.run(1)
    assert isinstance(rem, Remaining)
    assert table.works.wall.left == 138


def test_sticks_dealer_and_faults():
    table = Table()
    table.works.set_sticks(1, 25_300)
    table.works.set_dealer(3, 2)
    table.works.fault("JAM", side=2, part="lift", stop=True)
    stick, deal, fault = table.run(0.2)
    assert isinstance(stick, Stick)
    assert stick.points == sum(worth * count for worth, count in stick.counts) == 25_300
    assert isinstance(deal, Deal)
    assert (deal.dealer, deal.honba) == (3, 2)
    assert isinstance(fault, Fault)
    assert table.board.state.deck == "FAULT"
    assert table.board.state.faults == ["JAM.lift"]
    table.works.fault("JAM", on=False, part="lift", stop=True)
    table.run(0.1)
    assert table.board.state.faults == []


def test_an_evening_plays_whole_hands_and_the_same_seed_plays_the_same():
    def play(seed):
        table = Table(seed=seed, pace=30)
        table.works.play(evening(table.works, EveningPlan(hands=3, mishaps=1.0, sticks=True)))
        return table.run(90)

    events = play(4)
    kinds = {type(event) for event in events}
    assert kinds == {Deal, Wall, Lift, Button, Dice, Remaining, Fault, Stick}
    assert sum(isinstance(event, Deal) for event in events) == 3
    assert sum(isinstance(event, Dice) and event.phase == "end" for event in events) == 6
    assert [event.key for event in events if isinstance(event, Button)].count("OK") == 3
    assert [event.id.n for event in events] == list(range(1, len(events) + 1))
    strip = [type(event).__name__ for event in events]
    assert strip == [type(event).__name__ for event in play(4)]
    assert strip != [type(event).__name__ for event in play(5)]


def test_reboot_restarts_numbers_but_keeps_the_roll_counter():
    table = Table()
    table.works.throw_dice(0, (1, 1))
    table.run(2)
    boot = table.board.boot
    table.board.start(table.now, "brown")
    assert table.board.boot != boot
    assert table.board.last_n == 0
    assert table.board.lost_at_restart == 2
    assert table.board.state.roll == 1


@pytest.mark.parametrize("garbage", [b"@ROLL*", b"@ROLL h=ZZ c=0*0000\n", b"\xff" * 500])
def test_the_board_survives_what_it_is_sent(garbage):
    table = Table()
    table.board.feed(garbage, table.now)
    table.command(1, Beep())
    assert table.works.beeps == 1


def test_bad_line_of_each_kind_hurts_only_as_often_as_told():
    clean = FaultyLine(Faults(), Random(1))
    clean.send(b"@A*1\n@B*2\n", 0.0)
    assert clean.receive(0.0) == b"@A*1\n@B*2\n"
    for kind in ("lose", "flip", "drop", "double", "cut", "swap", "burst", "repeat", "reorder"):
        line = FaultyLine(Faults(**{kind: 1.0}), Random(1))
        line.send(b"@HELLO*1234\n@WORLD*5678\n", 0.0)
        assert line.receive(0.0) != b"@HELLO*1234\n@WORLD*5678\n", kind
    late = FaultyLine(Faults(stall=1.0, stall_s=2.0), Random(1))
    late.send(b"@A*1\n", 0.0)
    assert late.receive(1.9) == b""
    assert late.receive(2.0) == b"@A*1\n"
    noisy = FaultyLine(Faults(garbage_per_s=1_000), Random(1))
    noisy.receive(0.0)
    assert len(noisy.receive(0.5)) == 500
    with pytest.raises(ValueError, match="is not a kind"):
        damage(Random(1), bytearray(b"x"), "melt")


def test_every_typed_order_answers_with_a_sentence():
    with SimTable(SimConfig(listen="memory", pace=100)) as table:
        for line, word in [
            ("throw 1 3 4", "Throw 1 by seat A"),
            ("throw C", "Throw 2 by seat C"),
            ("throw 5", "5 is no seat"),
            ("throw A 7", "dice show 1 to 6"),
            ("press 2 hu", "Seat B pressed HU"),
            ("press 2 WIN", "WIN is none of CHI"),
            ("press", "something is missing. Write press SEAT KEY"),
            ("fault JAM", "JAM began"),
            ("clear jam", "JAM is over"),
            ("line lose=0.5 flip=0.1", "now bad"),
            ("line melt=1", "melt is none of"),
            ("line lose=2", "a chance is 0 to 1"),
            ("line lose=much", "write a number after ="),
            ("line garbage_per_s=1000 delay_s=2", "now bad"),
            ("line", "perfect"),
            ("line clean", "perfect"),
            ("take 4", "Took 4"),
            ("unplug", "Unplugged"),
            ("plug", "Plugged in"),
            ("where", "deck"),
            ("dance", "dance is no order"),
            ("", ""),
        ]:
            assert word in obey_line(table, line), line
        for name in ("void", "build", "lift", "drop", "tail", "reboot", "brownout 2", "hang", "help"):
            assert obey_line(table, name)
    assert "throw SEAT" in help_text()


def test_run_simulator_says_where_it_is_and_stops_at_quit():
    said = []
    lines = iter(["throw A 1 1", "quit", "throw A 2 2"])
    run_simulator(SimConfig(listen="memory"), lambda: next(lines, None), said.append)
    assert "paiju run --table memory" in said[1]
    assert said[-1] == "Throw 1 by seat A."


def test_where_nobody_types_the_table_goes_on_until_it_is_stopped(monkeypatch):
    waited = []
    monkeypatch.setattr("device.simconsole.threading.Event.wait", lambda _self, *_: waited.append(True))
    lines = typed_lines(io.StringIO("lift\n"))
    assert lines() == "lift\n"
    assert waited == []
    assert lines() is None
    assert waited == [True]


def test_no_place_to_listen_is_said():
    with pytest.raises(ValueError, match="write pty, memory or HOST:PORT"):
        SimTable(SimConfig(listen="everywhere"))

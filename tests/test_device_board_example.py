"""The reference board of the documentation, run on this computer against the driver."""

from __future__ import annotations

import ast
import importlib.util
import random
from pathlib import Path

import pytest

from device.catalogue import from_packet
from device.codec import MAX_FRAME, PacketDecoder
from device.codec import frame as driver_frame
from device.faults import Faults
from device.linkstate import LinkState
from device.messages import Button, Dice, Lift, Light, Lock, Malformed, Ping, Roll, Score, Unknown
from tests.device_rig import Rig

PATH = Path(__file__).parent.parent / "docs" / "examples" / "table_board.py"


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("table_board", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class OnTheRig:
    """Gives the example the two methods by which the rig drives a board."""

    def __init__(self, example, now, boot="7F3A", roll=0, obey=None):
        self.sent = []
        self._last = now
        self.board = example.Board(self.sent.append, "E5A3", boot, "pwr", roll, obey=obey)

    def tick(self, now):
        elapsed = round((now - self._last) * 1000)
        self._last += elapsed / 1000
        self.board.poll(elapsed)
        data = b"".join(self.sent)
        self.sent.clear()
        return data

    def feed(self, data, _now):
        self.board.feed(data)


def rig_with(example, **more):
    faults = more.pop("faults", None)
    rig = Rig(seed=6, faults=faults)
    rig.board = OnTheRig(example, rig.now, **more)
    return rig


def test_it_is_about_two_hundred_lines_and_needs_nothing_but_the_board():
    source = PATH.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 260
    imported = {
        name.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import) for name in node.names
    }
    assert imported == {"machine", "os", "time"}  # inside main(), and all of them in MicroPython


def test_frames_and_check_sums_agree_with_the_driver(example):
    rng = random.Random(1)
    for _ in range(200):
        body = "TXT m=" + "".join(rng.choice("abcXYZ019._-") for _ in range(rng.randrange(90)))
        assert example.frame(body) == driver_frame(body)
        assert example.read_line(driver_frame(body)[:-1])[0] == "TXT"


@pytest.mark.parametrize("line", [b"", b"@", b"@ACK id=7F3A.12*FFF8", b"@*", b"@\xff*0000", b"hello", b"@A*zzzz"])
def test_it_ignores_what_is_no_frame(example, line):
    assert example.read_line(line) is None


def test_a_throw_a_key_and_a_lift_reach_paiju(example):
    rig = rig_with(example).live()
    board = rig.board.board
    assert board.key(2, "DICE")
    board.dice_start(2)
    board.dice_end(2, (5, 3))
    board.lifted("UP")
    rig.run(0.5)
    assert [type(event) for event in rig.events] == [Button, Dice, Dice, Lift]
    assert (rig.events[2].values, rig.events[2].by_seat) == ((5, 3), 1)
    assert rig.notices == []
    assert board.ring == []


def test_nothing_is_lost_or_doubled_on_a_bad_line(example):
    rig = rig_with(example, faults=Faults(lose=0.3, flip=0.05, repeat=0.1))
    rig.plug()
    rig.run(4)
    for index in range(150):
        rig.board.board.key(index % 4 + 1, "HU")
        rig.run(0.4)
    rig.run(10)
    assert [event.id.n for event in rig.events] == list(range(1, 151))
    assert rig.board.board.bad > 0


def test_commands_are_done_once_and_a_lock_ends_by_itself(example):
    done = []
    rig = rig_with(example, obey=lambda kind, keys: done.append((kind, keys["c"]))).live()
    rig.to_host.faults = Faults(lose=0.6)
    for seat in range(4):
        rig.send(Roll((seat,)))
        rig.run(1.0)
        rig.send(Light(seat, "on"))
        rig.run(1.0)
    assert len(done) == len(set(done))
    rig.to_host.faults = Faults()
    rig.run(1)
    rig.send(Lock(True, 2))
    rig.run(0.3)
    assert not rig.board.board.key(1, "DICE")
    rig.run(2.1)
    assert rig.board.board.key(1, "DICE")
    rig.send(Ping())
    rig.run(0.3)
    assert rig.results[-1].outcome == "done"
    assert rig.send(Score(1, (0, 0, 0, 0))) is None  # it did not name that ability


def test_restart_is_asked_about_and_the_missed_throw_is_named(example):
    rig = rig_with(example).live()
    rig.board.board.dice_start(1)
    rig.board.board.dice_end(1, (1, 1))
    rig.run(0.5)
    old = rig.board.board
    rig.board = OnTheRig(example, rig.now, boot="0B0E", roll=old.roll + 1)
    rig.board.board.phase = "SETTLED"
    rig.run(2)
    assert rig.state is LinkState.LIVE
    assert rig.codes() == ["rebooted", "dice_missed"]


def test_a_full_ring_is_named_as_a_gap(example):
    rig = rig_with(example).live()
    rig.unplug()
    for _ in range(70):
        rig.board.board.key(1, "OK")
    rig.plug()
    rig.run(8)
    assert len(rig.events) == 64
    assert [(notice.code, notice.count) for notice in rig.notices] == [("gap", 6)]


def test_every_frame_it_can_send_is_read_by_the_driver(example):
    sent = []
    board = example.Board(sent.append, "E5A3", "FFFF", "brown", 2**32 - 2)
    board.t, board.n = 2**32 - 1, 2**32 - 10
    board.deck, board.top = "LOADING", "DEALING"
    board.key(4, "FLOWER")
    board.dice_start(4)
    board.dice_end(4, (6, 6))
    board.lifted("LIFTING")
    board.poll(1000)
    board.feed(
        driver_frame("SYNC since=7F3A.12") + driver_frame("DANCE h=BEEF c=9") + driver_frame("LOCK h=BEEF c=8 ttl=x")
    )
    board.feed(driver_frame("PING h=BEEF c=7"))
    assert all(len(line) <= MAX_FRAME for line in sent)
    read = [from_packet(packet) for packet in PacketDecoder().feed(b"".join(sent))]
    assert len(read) == len(sent)
    assert not [message for message in read if isinstance(message, Malformed | Unknown)]

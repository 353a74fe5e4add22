"""Every way a table's line can go wrong that the specification lists: one test each, by its name there."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from device.actions import Deliver
from device.board import Identity
from device.boardtime import WRAP_MS, BoardClock
from device.codec import PacketDecoder, encode, frame
from device.faults import Faults
from device.linkstate import LinkState
from device.messages import Button, Caps, Dice, Fault, Heartbeat, Hello, Light, Lock, Ping, Remaining, Roll, Stick, Wall
from device.notices import Notice
from device.ports import PortSearch
from device.serial_port import open_serial
from device.transports import OpenError, open_error
from device.wire import EventId
from tests.device_rig import Rig

# --- the line -----------------------------------------------------------------------------------------------------


def test_half_frame_at_open():
    rig = Rig()
    rig.plug()
    rig.run(0.25)
    rig.say(b"41 n=12 floor=12 deck=WASH*E50A\n@DICE id=7F3A.12 t=98")
    rig.run(1)
    assert rig.state is LinkState.LIVE
    rig.throw()
    rig.run(0.5)
    assert [event.id.n for event in rig.events] == [1, 2]


def test_garbage_100_kb_per_second():
    rig = Rig(faults=Faults(garbage_per_s=100_000)).live()
    began = time.process_time()
    ids = []
    for _ in range(20):
        ids.append(rig.press())
        rig.run(0.1)
    used = time.process_time() - began
    rig.run(1.5)
    assert [event.id for event in rig.events] == ids
    assert rig.state is LinkState.LIVE
    # 2 s of garbage in both directions; the bench measures the driver's own share exactly.
    assert used < 1.0


def test_nul_flood():
    rig = Rig().live()
    rig.say(b"\0" * 200_000)
    rig.press()
    rig.run(0.5)
    assert len(rig.events) == 1
    assert rig.talk.console() == ()


def test_line_never_ended():
    rig = Rig().live()
    for _ in range(100):
        rig.say(b"x" * 1_000)
    rig.say(b"\n")
    rig.press()
    rig.run(0.5)
    assert len(rig.events) == 1
    assert rig.talk.counts().overlong == 1


@pytest.mark.parametrize("kind", ["flip", "drop", "double", "swap", "burst", "cut"])
def test_flipped_dropped_doubled_swapped_bytes(kind):
    rig = Rig(seed=5, faults=Faults(**{kind: 0.3}))
    rig.plug()
    rig.run(4)
    ids = []
    for index in range(100):
        ids.append(rig.press(index % 4))
        rig.run(0.3)
    rig.run(10)
    assert [event.id for event in rig.events] == ids
    assert not rig.notices


def test_wrong_crc_lower_case():
    decoder = PacketDecoder()
    assert decoder.feed(b"@ACK id=7F3A.12*fff8\n") == []
    assert decoder.counts().bad_crc == 1
    assert len(decoder.feed(b"@ACK id=7F3A.12*fff9\n")) == 1


def test_frame_glued_to_boot_log():
    rig = Rig().live()
    rig.say(b"rst:0x1 (POWERON_RESET)" + encode(Button(EventId(rig.board.boot, 1), 5, 1, "HU")))
    assert [event.key for event in rig.events] == ["HU"]
    assert rig.talk.console()[-1] == "rst:0x1 (POWERON_RESET)"


# --- events -------------------------------------------------------------------------------------------------------


def test_duplicate_and_reordered_events():
    rig = Rig(seed=9, faults=Faults(repeat=0.5, reorder=0.5, delay_s=0.2))
    rig.plug()
    rig.run(4)
    ids = []
    for index in range(200):
        ids.append(rig.press(index % 4))
        rig.run(0.2)
    rig.run(10)
    assert [event.id for event in rig.events] == ids


def test_n_jumps():
    rig = Rig().live()
    rig.press()
    rig.run(0.2)
    boot = rig.board.boot
    for _ in range(39):
        rig.say(encode(Button(EventId(boot, 5), 9, 1, "HU")))
    assert [event.id.n for event in rig.events] == [1]
    rig.say(encode(Button(EventId(boot, 5), 9, 1, "HU")))
    assert [event.id.n for event in rig.events] == [1, 5]
    assert [(notice.code, notice.count, notice.ask) for notice in rig.notices] == [("gap", 3, True)]


@pytest.mark.parametrize("with_hello", [True, False])
def test_boot_id_changes_with_and_without_hello(with_hello):
    rig = Rig().live()
    rig.press()
    rig.run(0.5)
    rig.board.start(rig.now, "wdt")
    if not with_hello:
        rig.board.tick(rig.now)  # the frames of the restart get lost
    second = rig.press(2, "PENG")
    rig.run(2)
    assert rig.state is LinkState.LIVE
    assert rig.events[-1].id == second
    assert second.n == 1
    assert rig.codes() == ["rebooted"]
    assert rig.notices[0].ask
    assert "wdt" in rig.notices[0].text


def test_same_n_different_content_after_reboot():
    rig = Rig().live()
    boot = rig.board.boot
    rig.press(0, "HU")
    rig.run(0.5)
    rig.board.start(rig.now, "pwr")
    rig.board.boot = boot  # a board without a random number: the same boot id again
    rig.board.tick(rig.now)
    rig.press(3, "PENG")
    rig.run(3)
    assert [(event.id.n, event.key) for event in rig.events] == [(1, "HU"), (1, "PENG")]
    assert rig.codes() == ["rebooted"]


def test_restart_under_the_same_boot_id_is_noticed_by_heartbeats_alone():
    rig = Rig().live()
    boot = rig.board.boot
    for _ in range(3):
        rig.press()
    rig.run(0.5)
    rig.board.start(rig.now, "pwr")
    rig.board.boot = boot
    rig.board.tick(rig.now)
    rig.run(4)
    assert rig.codes() == ["rebooted"]
    fresh = rig.press(1, "PASS")
    rig.run(2)
    assert rig.events[-1].id == fresh
    assert rig.events[-1].key == "PASS"


def test_t_wraps():
    clock = BoardClock()
    for second in range(10):
        clock.observe((WRAP_MS - 5_000 + 1_000 * second) % WRAP_MS, 500.0 + second)
    assert clock.happened_s(2_000) == pytest.approx(507.0)
    assert clock.happened_s(WRAP_MS - 2_000) == pytest.approx(503.0)


def test_t_goes_back():
    clock = BoardClock()
    clock.observe(50_000, 100.0)
    clock.observe(40_000, 101.0)  # a late heartbeat, or a nervous board
    assert clock.happened_s(50_000) == pytest.approx(100.0)
    rig = Rig().live()
    rig.press()
    rig.run(0.2)
    rig.say(encode(Button(EventId(rig.board.boot, 2), 0, 1, "OK")))
    assert [event.id.n for event in rig.events] == [1, 2]  # ordered by number, never by t


def test_ack_lost():
    rig = Rig().live()
    rig.to_board.faults = Faults(lose=1.0)
    rig.press()
    rig.run(2)
    assert rig.board.unacked == 1
    rig.to_board.faults = Faults()
    rig.run(1)
    assert rig.board.unacked == 0
    assert len(rig.events) == 1


def test_ring_overflow():
    rig = Rig(identity=Identity(ring=8)).live()
    rig.unplug()
    ids = [rig.press(index % 4) for index in range(20)]
    rig.run(1)
    rig.plug()
    rig.run(5)
    assert [event.id for event in rig.events] == ids[12:]
    (gap,) = rig.notices
    assert (gap.code, gap.count, gap.ask) == ("gap", 12, True)


# --- the port -----------------------------------------------------------------------------------------------------


def test_heartbeat_stops_while_the_port_stays_open():
    rig = Rig().live()
    rig.silent = True
    rig.run(1.9)
    assert rig.state is LinkState.LIVE
    rig.run(1.6)
    assert rig.state is LinkState.STALE
    rig.run(7)
    assert rig.state is None
    assert rig.hang_ups[-1].state is LinkState.LOST
    rig.silent = False
    rig.plug()
    rig.run(1)
    assert rig.state is LinkState.LIVE


def test_port_returns_under_another_name():
    search = PortSearch()
    assert search.choose(["/dev/ttyUSB0"], 0) == "/dev/ttyUSB0"
    search.worked("/dev/ttyUSB0")
    search.failed(10.0)
    assert search.choose([], 10.1) is None
    assert search.choose(["/dev/ttyUSB1"], 10.15) == "/dev/ttyUSB1"


def test_two_tables_with_equal_by_id():
    rig = Rig(uid="AAAA0001", identity=Identity(uid="BBBB0002"))
    rig.plug()
    rig.run(1)
    (hang_up,) = rig.hang_ups
    assert hang_up.state is LinkState.WRONG_DEVICE
    assert "BBBB0002, not AAAA0001" in hang_up.text
    assert rig.heard == []


def test_a_table_once_met_is_kept_to():
    rig = Rig().live()
    rig.unplug()
    rig.board.identity = Identity(uid="BBBB0002")
    rig.plug()
    rig.run(1)
    assert rig.hang_ups[-1].state is LinkState.WRONG_DEVICE


def test_no_permission_says_which_group():
    error = open_error("/dev/null", PermissionError(13, "Permission denied"))
    assert error.kind == "denied"
    assert "group root" in str(error)
    assert "usermod -aG root" in str(error)


@pytest.mark.parametrize("noise", [b"OK\r\nGPS 1.0\r\n", b"echo"])
def test_device_answers_but_is_no_table(noise):
    rig = Rig()
    rig.silent = True
    rig.plug()

    def babble():
        if noise == b"echo":
            rig.say(encode(Ping()).replace(b"PING", b"PONG"))
            rig.say(frame("HELLO h=BEEF proto=1.0 app=paiju"))
        else:
            rig.say(noise)

    rig.run(6, babble)
    assert rig.hang_ups[0].state is LinkState.WRONG_DEVICE
    assert "no Paiju table" in rig.hang_ups[0].text
    assert rig.heard == []


def test_nothing_answers():
    rig = Rig()
    rig.silent = True
    rig.plug()
    rig.run(6)
    assert rig.hang_ups[0].state is LinkState.LOST


def test_a_board_that_never_says_what_it_can_is_listened_to():
    def hello():
        rig.silent = True
        rig.say(encode(Hello((1, 0), "CAFE0001", "ABCD")) + encode(Heartbeat("ABCD", 5, 0)))

    rig = Rig()
    rig.silent = True
    rig.plug()
    rig.run(11, hello)  # 5 s for CAPS, 5 s for SNAP, and then it goes on without
    assert rig.state is LinkState.LIVE
    rig.say(encode(Button(EventId("ABCD", 1), 9, 1, "HU")))
    assert len(rig.events) == 1
    rig.send(Light(0, "on"))
    assert rig.results[-1].outcome == "not_sent"


def test_a_board_that_falls_silent_after_its_name_is_given_up():
    rig = Rig()
    rig.silent = True
    rig.plug()
    rig.run(0.5)
    rig.say(encode(Hello((1, 0), "CAFE0001", "ABCD")) + encode(Caps("ABCD")))
    rig.run(6)
    assert rig.hang_ups[0].state is LinkState.LOST
    assert "said its name and then nothing more" in rig.hang_ups[0].text


def test_other_major_version_is_listened_to_only():
    rig = Rig(identity=Identity(proto=(2, 0)))
    rig.plug()
    rig.run(2)
    assert rig.state is LinkState.READ_ONLY
    rig.press()
    rig.run(1)
    assert len(rig.events) == 1
    assert rig.board.unacked == 1  # nothing is written to it, not even an ACK
    assert rig.send(Light(0, "on")) is None
    assert "newer protocol" in rig.results[-1].text


# --- commands -----------------------------------------------------------------------------------------------------


def test_err_and_timeouts_of_commands():
    rig = Rig().live()
    rig.board._obey = lambda _command: "BUSY"
    rig.send(Light(1, "on"))
    rig.run(0.5)
    assert rig.results[-1].outcome == "refused"
    assert "busy" in rig.results[-1].text
    rig.to_board.faults = Faults(lose=1.0)
    rig.send(Light(1, "off"))
    rig.run(0.85)
    assert len(rig.results) == 1
    rig.run(0.2)
    assert rig.results[-1].outcome == "no_answer"


def test_command_repeated():
    rig = Rig(seed=2).live()
    rig.to_host.faults = Faults(lose=0.6)
    for seat in range(4):
        rig.send(Light(seat, "blink"))
        rig.run(1.0)
    numbers = [number for _, number, _ in rig.board.carried_out]
    assert numbers == sorted(set(numbers))  # a retry is answered, never done again


def test_command_not_in_caps_is_not_sent():
    rig = Rig(identity=Identity(names=("dice2",))).live()
    assert rig.send(Light(1, "on")) is None
    assert rig.results[-1].outcome == "not_sent"
    assert "has no light" in rig.results[-1].text


def test_lock_releases_itself():
    rig = Rig().live()
    rig.send(Lock(True, 2))
    rig.run(0.2)
    assert rig.board.locked(rig.now)
    rig.unplug()  # the host dies
    rig.run(2.1)
    assert not rig.board.locked(rig.now)


def test_command_while_disconnected_ends_at_once():
    rig = Rig().live()
    rig.send(Light(1, "on"))
    rig.unplug()
    assert rig.results[-1].outcome == "no_answer"
    rig.send(Light(1, "on"))
    assert rig.results[-1].outcome == "not_sent"


# --- dice ---------------------------------------------------------------------------------------------------------


def dice(rig, roll, phase, values=None, seat=0, count=2):
    rig.board.emit(Dice, rig.now, roll=roll, phase=phase, count=count, values=values, by_seat=seat, source="elec")
    rig.run(0.1)


def test_dice_start_without_end():
    rig = Rig().live()
    dice(rig, 1, "start")
    rig.run(9)
    assert rig.codes() == []
    rig.run(1.2)
    assert rig.codes() == ["dice_unfinished"]
    dice(rig, 2, "start")
    dice(rig, 3, "start")
    assert rig.codes() == ["dice_unfinished", "dice_unfinished"]
    assert rig.notices[-1].roll == 2


def test_end_without_start():
    rig = Rig().live()
    dice(rig, 1, "end", (2, 5))
    assert [event.values for event in rig.events] == [(2, 5)]
    assert rig.codes() == ["dice_no_start"]


def test_value_unknown():
    rig = Rig().live()
    dice(rig, 1, "start")
    dice(rig, 1, "end", None)
    assert rig.events[-1].values is None
    assert rig.codes() == ["dice_unknown"]
    assert rig.notices[-1].ask


@pytest.mark.parametrize("values", ["0,4", "3,7", "1,2,3"])
def test_values_0_7_and_three_dice(values):
    rig = Rig().live()
    rig.say(frame(f"DICE id={rig.board.boot}.1 t=5 roll=1 ph=end n=2 v={values} by=1 src=elec"))
    rig.say(encode(Button(EventId(rig.board.boot, 2), 9, 1, "HU")))
    assert [event.id.n for event in rig.events] == [2]  # the bad one is used up, the rest goes on
    assert rig.codes() == ["malformed"]
    assert rig.notices[0].ask


def test_void_after_the_host_already_used_it():
    rig = Rig().live()
    rig.throw(values=(6, 6))
    rig.run(0.1)
    dice(rig, 1, "void")
    assert [event.phase for event in rig.events] == ["start", "end", "void"]
    assert rig.codes() == ["dice_taken_back"]
    assert rig.notices[-1].roll == 1
    dice(rig, 1, "end", (1, 2))
    assert rig.events[-1].values == (1, 2)


def test_by_0_and_not_the_allowed_seat():
    rig = Rig().live()
    rig.send(Roll((1,), 2, "BREAK1"))
    rig.run(0.2)
    rig.throw(seat=None)
    rig.run(0.1)
    assert rig.codes() == []  # only one seat was allowed: it was that one
    rig.throw(seat=3)
    rig.run(0.1)
    assert rig.codes() == ["dice_wrong_seat"]
    assert rig.notices[-1].seat == 3
    rig.send(Roll((0, 2), 2, "BREAK2"))
    rig.run(0.2)
    rig.throw(seat=None)
    rig.run(0.1)
    assert rig.codes()[1:] == ["dice_no_seat"]


def test_two_end_for_one_roll():
    rig = Rig().live()
    rig.throw(values=(3, 4))
    rig.run(0.1)
    dice(rig, 1, "end", (3, 4))
    dice(rig, 1, "end", (3, 5))
    assert [event.values for event in rig.events if event.phase == "end"] == [(3, 4)]
    assert [(notice.code, notice.ask) for notice in rig.notices] == [("dice_repeated", False), ("dice_repeated", True)]


def test_throw_missed_during_a_restart_is_named():
    rig = Rig().live()
    rig.throw(values=(3, 4))
    rig.run(0.3)
    rig.unplug()
    rig.throw(values=(5, 5))
    rig.board.start(rig.now, "brown")
    rig.run(1)
    rig.plug()
    rig.run(2)
    assert rig.codes() == ["rebooted", "dice_missed"]
    assert "Throw 2 (5-5)" in rig.notices[-1].text


# --- counts -------------------------------------------------------------------------------------------------------


def test_wall_sum_is_not_tiles():
    rig = Rig().live()
    rig.board.emit(Wall, rig.now, walls=(18, 18, 18, 18), tiles=144)
    rig.run(0.1)
    assert rig.codes() == []
    rig.board.emit(Wall, rig.now, walls=(17, 18, 18, 18), tiles=144)
    rig.run(0.1)
    assert rig.codes() == ["wall_sum"]
    assert "142 tiles, the table says 144" in rig.notices[0].text


def test_remaining_rises():
    rig = Rig().live()
    for stacks in (9, 8, 10):
        rig.board.emit(Remaining, rig.now, side=2, stacks=stacks)
        rig.run(0.1)
    assert rig.codes() == ["rem_rises"]
    rig.board.emit(Wall, rig.now, walls=(18, 18, 18, 18), tiles=144)
    rig.board.emit(Remaining, rig.now, side=2, stacks=17)
    rig.run(0.1)
    assert rig.codes() == ["rem_rises"]  # new walls may be higher than the old ones were


def test_sticks_that_do_not_add_up():
    rig = Rig().live()
    rig.board.emit(Stick, rig.now, seat=1, points=25_000, counts=((10_000, 2), (1_000, 4)))
    rig.run(0.1)
    assert rig.codes() == ["stick_sum"]
    assert "add up to 24000" in rig.notices[0].text


def test_fault_storm():
    rig = Rig().live()
    for index in range(200):
        rig.board.emit(Fault, rig.now, code="SENSOR", on=index % 2 == 0, side=1)
        rig.run(0.05)
    assert len([item for item in rig.heard if isinstance(item, Fault)]) == 5
    assert rig.codes() == ["fault_storm"]
    assert rig.board.unacked == 0  # held back from people, not from the protocol
    rig.run(11)
    assert rig.codes() == ["fault_storm", "fault_storm"]
    assert rig.notices[-1].count == 195
    assert rig.events[-1].on is False  # the newest state is never swallowed
    rig.board.emit(Fault, rig.now, code="SENSOR", on=True, side=1)
    rig.run(0.1)
    assert rig.events[-1].on is True


# --- host and board -----------------------------------------------------------------------------------------------


def test_clock_step_on_host():
    """Only the injected monotonic clock counts; a jump of the wall clock cannot be seen at all."""
    folder = Path(__file__).parent.parent / "device"
    source = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    assert "monotonic" in source
    for reading in ("time.time(", "datetime", "time_ns("):
        assert reading not in source.replace("monotonic_ns(", "")


def test_caps_change_after_firmware_update():
    rig = Rig().live()
    rig.board.identity = Identity(firmware="1.1", names=("dice2", "lift", "btn"))
    rig.board.start(rig.now, "sw")
    rig.run(2)
    assert rig.codes() == ["rebooted", "caps_changed"]
    assert rig.talk.caps.names == ("dice2", "lift", "btn")
    assert rig.send(Light(0, "on")) is None


def test_brown_out_loop():
    rig = Rig().live()
    for _ in range(5):
        rig.board.start(rig.now, "brown")
        rig.run(3)
        if not rig.plugged:
            break
    assert rig.codes() == ["rebooted"] * 4 + ["brown_out_loop"]
    (hang_up,) = rig.hang_ups
    assert hang_up.wait_s == 30
    assert "power supply" in hang_up.text


def test_slow_restarts_are_no_loop():
    rig = Rig().live()
    for _ in range(6):
        rig.run(21)
        rig.board.start(rig.now, "pwr")
    rig.run(2)
    assert rig.codes() == ["rebooted"] * 6
    assert rig.hang_ups == []


def test_late_frames_of_the_previous_start_are_thrown_away():
    rig = Rig().live()
    rig.press()
    rig.run(0.3)
    late = encode(Button(EventId(rig.board.boot, 2), 9, 1, "HU")) + encode(Heartbeat(rig.board.boot, 9, 2))
    rig.board.start(rig.now, "wdt")
    rig.run(1)
    rig.say(late)
    rig.run(1)
    assert rig.state is LinkState.LIVE
    assert len(rig.events) == 1
    assert rig.codes() == ["rebooted"]


def test_paiju_restarted_with_its_ledger_gets_only_what_is_new():
    first = Rig().live()
    first.press(0, "HU")
    first.run(0.5)
    first.to_board.faults = Faults(lose=1.0)
    kept = first.press(1, "OK")
    first.run(0.2)
    rig = Rig(resume_after=kept, host="CAFE")
    rig.board, rig.now = first.board, first.now
    rig.live()
    fresh = rig.press(2, "PASS")
    rig.run(1)
    assert [event.id for event in rig.events] == [fresh]
    assert rig.notices == []


def test_new_paiju_takes_what_nobody_confirmed_without_crying_gap():
    first = Rig().live()
    for _ in range(5):
        first.press()
    first.run(0.5)
    first.unplug()
    waiting = [first.press(2, "PENG"), first.press(3, "HU")]
    rig = Rig(host="CAFE")
    rig.board, rig.now = first.board, first.now
    rig.live()
    rig.run(1)
    assert [event.id for event in rig.events] == waiting
    assert rig.notices == []


def test_what_is_not_an_event_names_the_table_and_its_state():
    rig = Rig().live()
    rig.run(2)
    kinds = [type(item) for item in rig.heard]
    assert kinds[:2] == [Hello, Caps]
    assert Heartbeat in kinds
    assert not any(isinstance(item, Notice) for item in rig.heard)


def test_random_bytes_never_raise_in_any_phase():
    rng = random.Random(3)
    rig = Rig()
    rig.plug()
    for _ in range(300):
        rig.say(rng.randbytes(rng.randrange(400)))
        rig.run(0.02)
    rig.run(3)
    assert rig.state is LinkState.LIVE
    assert not [action for action in rig.talk.tick(rig.now) if isinstance(action, Deliver)]


def test_a_file_and_a_folder_are_no_serial_ports(tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("hi")
    for path, reason in ((plain, "Inappropriate ioctl for device"), (tmp_path, "Is a directory")):
        with pytest.raises(OpenError) as caught:
            open_serial(str(path))
        assert str(caught.value) == f"{path} cannot be opened ({reason}): is it a serial port?"

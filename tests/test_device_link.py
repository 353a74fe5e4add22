"""The link over real ports: pseudo-terminals, TCP and pyserial, with cables pulled at the worst moments."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from device.link import LinkConfig, TableLink
from device.linkstate import LinkState
from device.messages import Button, Dice, Light, Roll
from device.notices import Notice
from device.ports import PortSearch, list_ports, present_ports
from device.serial_port import SerialTransport, open_serial
from device.simports import MemoryPort, PtyPort
from device.simulator import SimConfig, SimTable
from device.transports import (
    OpenError,
    TransportError,
    memory_pair,
    open_pty,
    open_socket,
    open_transport,
)
from device.wire import WireError


class Ear:
    """Collects what a link hands over and lets a test wait for it, without fixed sleeps."""

    def __init__(self):
        self.items = []
        self.states = []
        self._wake = threading.Condition()

    def hear(self, item):
        with self._wake:
            self.items.append(item)
            self._wake.notify_all()

    def see(self, state):
        with self._wake:
            self.states.append(state)
            self._wake.notify_all()

    def wait(self, true, seconds=5.0):
        with self._wake:
            assert self._wake.wait_for(true, seconds), (self.states, self.items[-5:])

    def of(self, kind):
        return [item for item in self.items if isinstance(item, kind)]

    def live(self, times=1):
        self.wait(lambda: self.states.count(LinkState.LIVE) >= times)


@pytest.fixture
def ear():
    return Ear()


def read_often(line):
    """Read until it breaks; the kernel may hand over a last empty read first."""
    for _ in range(10):
        line.read(0.05)


def linked(ear, *ports, **more):
    return TableLink(LinkConfig(ports, **more), ear.hear, ear.see)


@pytest.mark.parametrize("listen", ["pty", "127.0.0.1:0", "memory"])
def test_dice_and_buttons_arrive_over_every_transport(listen, ear):
    with SimTable(SimConfig(listen=listen, pace=50)) as table:
        more = {"open_port": table.port.open, "present": lambda _: ("memory",)} if listen == "memory" else {}
        link = linked(ear, table.address, **more).start()
        ear.live()
        table.throw_dice(2, (5, 6))
        table.press(1, "PENG")
        ear.wait(lambda: any(dice.phase == "end" for dice in ear.of(Dice)) and ear.of(Button))
        assert [(dice.values, dice.by_seat) for dice in ear.of(Dice) if dice.phase == "end"] == [((5, 6), 2)]
        assert [(button.seat, button.key) for button in ear.of(Button)] == [(1, "PENG")]
        assert link.send(Light(3, "blink")).result(2).outcome == "done"
        assert table.works.lights == {3: "blink"}
        link.close()
    assert ear.of(Notice) == []


def test_a_seat_throws_only_when_permitted(ear):
    with SimTable(SimConfig(pace=100)) as table:
        link = linked(ear, table.address).start()
        ear.live()
        assert link.send(Roll((1,), 2, "BREAK1")).result(2).outcome == "done"
        table.press(0, "DICE")
        table.press(1, "DICE")
        ear.wait(lambda: any(dice.phase == "end" for dice in ear.of(Dice)))
        assert {dice.by_seat for dice in ear.of(Dice)} == {1}
        link.close()


def test_ten_unplug_cycles_lose_nothing_and_double_nothing(tmp_path, ear):
    with SimTable(SimConfig(link=tmp_path / "table")) as table:
        link = linked(ear, table.address).start()
        ids = []
        slowest = 0.0
        for cycle in range(10):
            ear.live(cycle + 1)
            for seat in range(4):
                ids.append(table._do(lambda seat=seat: table.board.emit(Button, table.works.now, seat=seat, key="HU")))
            table.unplug(mid_frame=cycle % 2 == 0)
            ear.wait(lambda cycle=cycle: ear.states.count(LinkState.LOST) > cycle)
            back = time.monotonic()
            table.plug_in()
            ear.live(cycle + 2)
            slowest = max(slowest, time.monotonic() - back)
        ear.wait(lambda: len(ear.of(Button)) >= len(ids))
        link.close()
    assert [button.id for button in ear.of(Button)] == ids
    assert slowest < 2.0
    assert ear.of(Notice) == []


def test_unplug_mid_write_takes_no_message_with_it():
    """The line breaks while an answer is written; what had arrived with it is still handed over."""
    ear = Ear()
    port = MemoryPort()
    table = SimTable(SimConfig(listen="memory"))
    table.port = port

    class BreaksOnAck:
        name = "memory"

        def __init__(self):
            self.line = port.open()

        def read(self, timeout_s):
            return self.line.read(timeout_s)

        def write(self, data, timeout_s=1.0):  # noqa: ARG002
            if b"ACK" in data:
                raise TransportError("pulled while writing")
            self.line.write(data)

        def close(self):
            self.line.close()

    link = linked(ear, "memory", open_port=lambda _: BreaksOnAck(), present=lambda _: ("memory",)).start()
    with table:
        ear.live()
        table.press(0, "HU")
        ear.wait(lambda: LinkState.LOST in ear.states)
        assert [button.key for button in ear.of(Button)] == ["HU"]
        ear.live(2)  # it comes back, and the button does not come twice
        table.press(1, "OK")
        ear.wait(lambda: len(ear.of(Button)) == 2)
        link.close()
    assert [button.key for button in ear.of(Button)] == ["HU", "OK"]


def test_unplug_inside_a_callback(tmp_path, ear):
    with SimTable(SimConfig(link=tmp_path / "table")) as table:

        def pull(item):
            ear.hear(item)
            if isinstance(item, Button) and item.key == "REF":
                table.unplug()

        link = TableLink(LinkConfig([table.address]), pull, ear.see).start()
        ear.live()
        table.press(0, "REF")
        ear.wait(lambda: LinkState.LOST in ear.states)
        table.plug_in()
        ear.live(2)
        table.press(2, "OK")
        ear.wait(lambda: len(ear.of(Button)) == 2)
        link.close()
    assert [button.key for button in ear.of(Button)] == ["REF", "OK"]


@pytest.mark.parametrize("failures", [1, 2, 99])
def test_event_that_could_not_be_stored_comes_again_before_the_table_forgets_it(failures, caplog):
    ear = Ear()
    failed = []

    def store(item):
        if isinstance(item, Button) and item.key == "HU" and len(failed) < failures:
            failed.append(item.id)
            raise OSError("disk full")
        ear.hear(item)

    with SimTable(SimConfig()) as table:
        link = TableLink(LinkConfig([table.address]), store, ear.see).start()
        ear.live()
        table.press(0, "OK")
        table._do(lambda: (table.works.press(1, "HU"), table.works.press(2, "PENG")))
        ear.wait(lambda: any(button.key == "PENG" for button in ear.of(Button)))
        assert link.send(Light(1, "on")).result(2).outcome in ("done", "not_sent")
        link.close()
    keys = [button.key for button in ear.of(Button)]
    assert keys == (["OK", "HU", "PENG"] if failures < 3 else ["OK", "PENG"])  # in order, each once; three tries
    assert len(failed) == min(failures, 3)
    assert ear.of(Notice) == []
    assert "disk full" in caplog.text


def test_port_returns_under_another_name_and_is_known_by_its_uid(tmp_path, ear):
    with SimTable(SimConfig(link=tmp_path / "ttyUSB0")) as table:
        link = linked(ear, str(tmp_path / "ttyUSB*"), uid="5A17AB1E").start()
        ear.live()
        table.unplug()
        ear.wait(lambda: LinkState.LOST in ear.states)
        table.plug_in(tmp_path / "ttyUSB7")
        ear.live(2)
        assert link.status().port == str(tmp_path / "ttyUSB7")
        link.close()


def test_the_right_one_of_two_tables_is_found_among_the_allowed_ports(tmp_path, ear):
    from device.board import Identity

    wrong = SimConfig(link=tmp_path / "tty1", identity=Identity(uid="AAAA0001"))
    right = SimConfig(link=tmp_path / "tty2", identity=Identity(uid="BBBB0002"))
    with SimTable(wrong), SimTable(right):
        link = linked(ear, str(tmp_path / "tty*"), uid="BBBB0002").start()
        ear.live()
        assert link.status().port == str(tmp_path / "tty2")
        assert LinkState.WRONG_DEVICE in ear.states
        link.close()


def test_another_process_holds_the_port(ear):
    with SimTable(SimConfig()) as table:
        holder = open_pty(table.address)
        with pytest.raises(OpenError, match="Another program is using") as refused:
            open_pty(table.address)
        assert refused.value.kind == "busy"
        with pytest.raises(OpenError, match="Another program is using"):
            open_serial(table.address)
        link = linked(ear, table.address).start()
        ear.wait(lambda: LinkState.OPENING in ear.states)
        assert "close it, then Paiju goes on" in link.status().text
        holder.close()
        ear.live()
        link.close()


def test_no_port_is_absent_and_says_what_to_do(tmp_path, ear):
    link = linked(ear, str(tmp_path / "nothing"))
    link.step(0)
    status = link.status()
    assert status.state is LinkState.ABSENT
    assert "Plug it in" in status.text
    assert status.age_s is None
    link.close()


def test_half_open_line_goes_stale_then_is_opened_anew():
    now = [0.0]
    ear = Ear()
    table = SimTable(SimConfig(listen="memory"), clock=lambda: now[0])
    link = TableLink(
        LinkConfig(["memory"], open_port=table.port.open, present=lambda _: ("memory",), clock=lambda: now[0]),
        ear.hear,
        ear.see,
    )

    def run(seconds):
        for _ in range(int(seconds / 0.02)):
            now[0] += 0.02
            table._round(table.port.receive(0))
            link.step(0)

    run(1)
    assert ear.states == [LinkState.HANDSHAKE, LinkState.LIVE]
    table.half_open()
    run(4.5)
    assert ear.states[-1] is LinkState.STALE
    assert "may be old" in link.status().text
    assert link.status().age_s > 3
    run(8)
    assert LinkState.LOST in ear.states
    table.half_open(False)
    run(20)
    assert ear.states[-1] is LinkState.LIVE
    link.close()


def test_serial_transport_survives_what_pyserial_raises():
    master, slave = os.openpty()
    path = os.ttyname(slave)
    os.close(slave)
    port = open_serial(path)
    assert (port._port.dtr, port._port.rts, port._port.exclusive) == (False, False, True)
    os.write(master, b"hello\n")
    assert port.read(1.0) in (b"h", b"hello\n")
    port.write(b"abc")
    os.close(master)
    with pytest.raises(TransportError):
        read_often(port)
    with pytest.raises(TransportError):
        port.write(b"x")
    port.close()
    with pytest.raises(TransportError):
        port.read(0.05)
    port.close()


def test_table_over_pyserial(ear):
    with SimTable(SimConfig()) as table:
        link = linked(ear, table.address, open_port=open_serial).start()
        ear.live()
        table.press(0, "HU")
        ear.wait(lambda: ear.of(Button))
        table.unplug()
        ear.wait(lambda: LinkState.LOST in ear.states)
        link.close()


@pytest.mark.parametrize("spec", ["/nowhere/ttyUSB0", "socket://127.0.0.1:1", "socket://nonsense", "rfc2217://x:1"])
def test_what_cannot_be_opened_says_so_in_a_sentence(spec):
    with pytest.raises(OpenError) as refused:
        open_transport(spec)
    assert spec in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_is_no_serial_port(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("hello")
    with pytest.raises(OpenError, match="is it a serial port"):
        open_transport(str(file))


def test_pty_read_and_write_end_in_transport_error_when_unplugged():
    port = PtyPort()
    line = open_pty(port.address)
    port.send(b"abc")
    assert line.read(1.0) == b"abc"
    port.unplug()
    with pytest.raises(TransportError):
        read_often(line)
    with pytest.raises(TransportError):
        line.write(b"x")
    line.close()
    with pytest.raises(TransportError):
        line.read(0.05)


def test_write_to_a_full_line_times_out():
    port = PtyPort()
    line = open_pty(port.address)
    with pytest.raises(TransportError, match="took no bytes"):
        line.write(b"x" * 1_000_000, timeout_s=0.05)
    line.close()
    port.unplug()


def test_memory_line_hands_over_what_arrived_before_it_closed():
    near, far = memory_pair()
    near.write(b"last words")
    near.close()
    assert far.read(0) == b"last words"
    with pytest.raises(TransportError):
        far.read(0)


def test_socket_closed_by_the_other_side():
    table = SimTable(SimConfig(listen="127.0.0.1:0"))
    line = open_socket(table.address)
    table.port.receive(0.5)
    table.port.unplug()
    with pytest.raises(TransportError):
        read_often(line)
    line.close()


def test_commands_after_close_still_get_an_outcome(ear):
    link = linked(ear, "/nowhere").start()
    link.close()
    assert link.send(Light(0, "on")).result(1).outcome == "not_sent"


def test_every_command_gets_an_outcome_however_many_threads_send_while_the_link_ends(ear):
    for _ in range(20):
        link = TableLink(LinkConfig(ports=("/dev/none",), present=lambda _: ()), ear.hear).start()
        outcomes = []
        start = threading.Barrier(5)

        def send(link=link, outcomes=outcomes, start=start):
            start.wait()
            outcomes.append([link.send(Light(0, "on")) for _ in range(20)])

        threads = [threading.Thread(target=send) for _ in range(4)]
        for thread in threads:
            thread.start()
        start.wait()
        link.close()
        for thread in threads:
            thread.join(5)
        assert [promise.result(1).outcome for sent in outcomes for promise in sent] == ["not_sent"] * 80


def test_a_line_that_fails_in_an_unforeseen_way_is_opened_anew(ear, caplog):
    """Whatever a driver raises: the thread lives on, says what it was, and the table is heard again."""
    with SimTable(SimConfig(listen="memory")) as table:
        failures = [RuntimeError("strange"), UnicodeError("stranger")]

        def open_port(name):
            if failures:
                raise failures.pop()
            return table.port.open(name)

        link = TableLink(LinkConfig(ports=("memory",), present=tuple, open_port=open_port), ear.hear, ear.see).start()
        try:
            ear.live()
        finally:
            link.close()
    assert LinkState.LOST in ear.states
    assert [record.message for record in caplog.records] == ["the line failed and is opened anew"] * 2


def test_only_commands_can_be_sent(ear):
    link = linked(ear, "/nowhere")
    for forbidden in (Dice, "THROW", None, b"@DICE*0000\n"):
        with pytest.raises(WireError, match="is not a command"):
            link.send(forbidden)
    with pytest.raises(WireError, match="LIGHT seat"):
        link.send(Light(9, "on"))
    link.close()


def test_only_allowed_ports_are_ever_opened(tmp_path, ear):
    (tmp_path / "tty1").touch()
    (tmp_path / "other").touch()
    tried = []

    def refuse(spec):
        tried.append(spec)
        raise OpenError("failed", f"{spec} cannot be opened")

    now = [0.0]
    link = linked(ear, str(tmp_path / "tty*"), open_port=refuse, clock=lambda: now[0])
    for _ in range(100):
        now[0] += 0.1
        link.step(0)
    assert set(tried) == {str(tmp_path / "tty1")}
    # 0, 0.25, 0.75, 1.75, 3.75, 7.75: the waits double
    assert 5 <= len(tried) <= 7
    link.close()


def test_present_ports_expand_patterns_once(tmp_path):
    for name in ("ttyUSB1", "ttyUSB0"):
        (tmp_path / name).touch()
    found = present_ports([str(tmp_path / "ttyUSB*"), str(tmp_path / "ttyUSB1"), "socket://h:1", str(tmp_path / "no")])
    assert found == (str(tmp_path / "ttyUSB0"), str(tmp_path / "ttyUSB1"), "socket://h:1")


def test_hold_off_is_kept_even_if_a_new_port_appears():
    search = PortSearch()
    assert search.choose(["a"], 0.0) == "a"
    search.failed(0.0, wait_s=30.0)
    assert search.choose(["a", "b"], 29.0) is None
    assert search.choose(["a", "b"], 30.0) is not None


def test_list_ports_names_chips(monkeypatch):
    from device import serial_port

    listed = (
        serial_port.ListedPort("/dev/ttyS0", None, "ttyS0"),
        serial_port.ListedPort("/dev/ttyUSB0", (0x1A86, 0x7523), "USB Serial"),
    )
    monkeypatch.setattr(serial_port, "listed_ports", lambda: listed)
    assert [(port.path, port.chip) for port in list_ports()] == [("/dev/ttyUSB0", "CH340"), ("/dev/ttyS0", None)]


def test_only_one_file_imports_pyserial():
    folder = Path(__file__).parent.parent / "device"
    importers = [
        path.name
        for path in folder.glob("*.py")
        if any(line.startswith(("import serial", "from serial")) for line in path.read_text("utf-8").splitlines())
    ]
    assert importers == ["serial_port.py"]
    assert SerialTransport.__module__ == "device.serial_port"

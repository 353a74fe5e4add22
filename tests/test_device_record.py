"""Recording a line and playing it back: the same bytes in the same pieces, the same messages every time."""

from __future__ import annotations

import io
import json
import threading
from pathlib import Path

import pytest

from device.link import LinkConfig, TableLink
from device.linkstate import LinkState
from device.messages import Button, Dice, Heartbeat
from device.ports import PortInfo
from device.record import Chunk, Recorder, RecordingError, ReplayTransport, as_text, read_recording, replay
from device.simulator import SimConfig, SimTable
from device.tools import port_lines, record_table, replay_lines
from device.transports import TransportError, memory_pair

GOLDEN = Path(__file__).parent / "golden_device"


def recorded_evening(path):
    """Record a simulated table in virtual time; the same file every time."""
    now = [50.0]
    table = SimTable(SimConfig(seed=2, listen="memory", pace=20), clock=lambda: now[0])
    with path.open("w", encoding="utf-8") as sink:
        recorder = Recorder(sink, clock_ns=lambda: round(now[0] * 1e9))
        heard = []
        config = LinkConfig(
            ["memory"],
            open_port=recorder.wrap(table.port.open),
            present=lambda _: ("memory",),
            clock=lambda: now[0],
        )
        link = TableLink(config, heard.append)

        def run(seconds):
            for _ in range(round(seconds / 0.05)):
                now[0] += 0.05
                table._round(table.port.receive(0))
                link.step(0)

        run(1.5)
        table.throw_dice(1, (6, 2))
        run(1)
        table.unplug()
        run(1)
        table.press(3, "HU")
        table.plug_in()
        run(2)
        link.close()
    return heard


def test_replay_gives_what_was_heard(tmp_path):
    heard = recorded_evening(tmp_path / "a.jsonl")
    again = [played.item for played in replay(read_recording(tmp_path / "a.jsonl"))]
    assert [as_text(item) for item in again] == [as_text(item) for item in heard]
    assert [item.values for item in again if isinstance(item, Dice) and item.phase == "end"] == [(6, 2)]
    assert [item.key for item in again if isinstance(item, Button)] == ["HU"]


def test_golden_recording_still_says_the_same():
    """A recording in the tree, made by this project's own simulator, gives its text line for line."""
    said = list(replay_lines(GOLDEN / "evening.jsonl"))
    assert said == (GOLDEN / "evening.txt").read_text(encoding="utf-8").splitlines()


def test_chunk_borders_stay_as_they_were(tmp_path):
    near, far = memory_pair()
    sink = io.StringIO()
    line = Recorder(sink, clock_ns=iter(range(100)).__next__).wrap(lambda _spec: near)("port")
    for piece in (b"@HB b=7F", b"3A t=98770", b"00\n"):
        far.write(piece)
        assert line.read(0) == piece
    line.write(b"hello")
    far.close()
    with pytest.raises(TransportError):
        line.read(0)
    path = tmp_path / "b.jsonl"
    path.write_text(sink.getvalue(), encoding="utf-8")
    assert list(read_recording(path)) == [
        Chunk(0, "open", port="port"),
        Chunk(1, "rx", b"@HB b=7F"),
        Chunk(2, "rx", b"3A t=98770"),
        Chunk(3, "rx", b"00\n"),
        Chunk(4, "tx", b"hello"),
        Chunk(5, "lost"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "5",
        '{"dir": "rx", "hex": "00"}',
        '{"mono_ns": 1, "dir": "up"}',
        '{"mono_ns": 1, "dir": "rx", "hex": "0g"}',
    ],
)
def test_a_line_that_is_no_recording_is_named(tmp_path, line):
    path = tmp_path / "c.jsonl"
    path.write_text('{"mono_ns": 1, "dir": "rx", "hex": "00"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(RecordingError, match=r"c\.jsonl line 2"):
        list(read_recording(path))


def test_a_picture_is_no_recording(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(RecordingError, match="is no recording"):
        list(read_recording(path))


@pytest.mark.parametrize("speed", [1.0, 8.0])
def test_replay_as_a_port_for_the_link(tmp_path, speed):
    recorded_evening(tmp_path / "a.jsonl")
    now = [900.0]

    def sleep(seconds):
        now[0] += seconds

    line = ReplayTransport(tmp_path / "a.jsonl", speed, clock=lambda: now[0], sleep=sleep)
    heard = []
    config = LinkConfig(["file"], open_port=lambda _: line, present=lambda _: ("file",), clock=lambda: now[0])
    link = TableLink(config, heard.append)
    while link.status().state is not LinkState.LOST:
        link.step(0.05)
    assert [item.values for item in heard if isinstance(item, Dice) and item.phase == "end"] == [(6, 2)]
    assert [item.key for item in heard if isinstance(item, Button)] == ["HU"]
    link.close()


def test_record_table_writes_and_never_overwrites(tmp_path):
    path = tmp_path / "e.jsonl"
    said = []
    stop = threading.Event()

    def say(line):
        said.append(line)
        if line.startswith("HB "):
            stop.set()

    with SimTable(SimConfig()) as table:
        config = LinkConfig([table.address])
        assert record_table(config, path, say, stop) >= 3
        with pytest.raises(FileExistsError):
            record_table(config, path, say, stop)
    assert "# LIVE" in said
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert entries[0]["dir"] == "open"
    assert any(isinstance(played.item, Heartbeat) for played in replay(read_recording(path)))


def test_a_recording_ends_with_a_sentence_when_the_disk_is_full(tmp_path, monkeypatch):
    full = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115 - closed by what is tested
    monkeypatch.setattr(Path, "open", lambda *_words, **_more: full)
    with SimTable(SimConfig()) as table, pytest.raises(RecordingError, match=r"recording ends here .*No space left"):
        record_table(LinkConfig([table.address]), tmp_path / "e.jsonl", lambda _line: None, threading.Event())
    assert full.closed


def test_port_lines_say_chip_or_what_to_do():
    assert port_lines((PortInfo("/dev/ttyUSB0", "CH340", "USB Serial"),)) == ["/dev/ttyUSB0  CH340  USB Serial"]
    assert port_lines((PortInfo("/dev/ttyS0", None, ""),)) == ["/dev/ttyS0  unknown chip"]
    assert "paiju run --table sim" in port_lines(())[0]

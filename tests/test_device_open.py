"""The words after --table: each becomes the right source, a wrong one says what to write, and two make one table."""

from __future__ import annotations

import os
import re
import sys
import threading
import time
import tty
from pathlib import Path
from random import Random

import pytest

from device.board import Identity
from device.link import TableLink
from device.linkstate import LinkState, LinkStatus
from device.messages import Button, Dice, Hello, Light
from device.notices import Notice, NoticeCode
from device.open import TableChoice, TableWordError, table_source
from device.several import SeveralSources
from device.simulator import SimConfig, SimTable
from device.wire import EventId

GOLDEN = Path(__file__).parent / "golden_device" / "evening.jsonl"

READER = Identity(uid="D1CE")
"""A dice reader with a board of its own."""


def source(*words, **more):
    heard = []
    return table_source(TableChoice(words=words, rng=Random(1), **more))(heard.append), heard


def of(kind, items):
    return [item for item in items if isinstance(item, kind)]


def soon(true, seconds=8.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "not in time"
        time.sleep(0.02)


@pytest.fixture
def board():
    """A pseudo-terminal: (what a board writes to, the port's path)."""
    far, near = os.openpty()
    tty.setraw(near)
    yield far, os.ttyname(near)
    os.close(near)
    os.close(far)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "No table was named"),
        (("http://x",), "is no way to a table"),
        (("text:",), "'text:' is no way to a table: write a port"),
        (("board:",), "'board:' is no way to a table: write a port"),
        (("text:http://x",), "'text:http://x' is no way to a table"),
        *(
            ((f"{kind}socket://{place}",), f"socket://{re.escape(place)} is no address: write socket://HOST:PORT")
            for kind in ("", "text:", "board:")
            for place in (
                "",
                "host",
                "host:",
                ":7101",
                "host:0",
                "host:65536",
                "host:x",
                "host:7101/x",
                "me@host:7101",
                "a..b:7101",
                "x" * 64 + ":7101",
                "host:7²",
            )
        ),
        (("mqtt://a..b/x",), "can be no name of a computer"),
        (("mqtt://",), "names no broker"),
        (("mqtt://host:99999/x",), "no number from 1 to 65535"),
        (("mqtt://host/a/#",), "names no broker or no plain topic"),
        (("replay:no-such-file.jsonl",), "cannot be read"),
        ((f"replay:{__file__}",), "is no line of a recording: it is no JSON."),
    ],
)
def test_a_wrong_word_is_one_sentence(words, sentence):
    with pytest.raises(TableWordError, match=sentence):
        source(*words)


def test_a_pattern_needs_a_text_board_and_its_groups():
    with pytest.raises(TableWordError, match="needs a board that speaks plain text"):
        source("/dev/ttyUSB0", dice_pattern="x")
    with pytest.raises(TableWordError, match="has no group"):
        source("text:/dev/ttyUSB0", dice_pattern="x")


def test_without_the_library_mqtt_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "paho", None)
    for name in ("device.mqtt_client", "paho.mqtt", "paho.mqtt.client"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(TableWordError, match=r"pip install 'paiju\[hall\]'"):
        source("mqtt://localhost/mj")


def test_the_known_table_is_looked_for_only_among_several_ports():
    known = {"uid": "5A17AB1E", "resume_after": EventId("7F3A", 4)}
    for words, wanted in ((("/dev/ttyUSB0",), None), (("/dev/ttyUSB*",), "5A17AB1E"), (("/a", "/b"), "5A17AB1E")):
        link, _ = source(*words, **known)
        assert isinstance(link, TableLink)
        assert (link._config.uid, link._config.resume_after) == (wanted, known["resume_after"])


def test_a_text_board_on_a_port_with_its_own_wording(board):
    far, path = board
    link, heard = source(f"text:{path}", dice_pattern=r"W(?P<seat>\d): (?P<a>\d)\+(?P<b>\d)")
    link.start()
    try:
        soon(lambda: link.status().state is LinkState.LIVE)
        os.write(far, b"w3: 2+5\nBTN 1 HU\n")
        soon(lambda: of(Button, heard))
    finally:
        link.close()
    (dice,) = of(Dice, heard)
    assert (dice.values, dice.by_seat, dice.source) == ((2, 5), 2, "text")
    assert not dice.id.of_board
    assert of(Notice, heard)[0].code is NoticeCode.DICE_UNCHECKED


def test_a_recording_plays_once_under_new_numbers():
    link, heard = source(f"replay:{GOLDEN}")
    link.start()
    try:
        soon(lambda: "is over" in link.status().text, 15)
        time.sleep(0.6)  # longer than the first try to open it again
    finally:
        link.close()
    assert [dice.values for dice in of(Dice, heard) if dice.phase == "end"] == [(6, 2)]
    assert [button.key for button in of(Button, heard)] == ["HU"]
    assert link.status().state is LinkState.LOST
    ids = [item.id for item in heard if isinstance(item, Dice | Button)]
    assert [event.n for event in ids] == [1, 2, 3]
    assert not any(event.of_board for event in ids)


def test_the_simulated_table_starts_and_ends_with_its_line():
    link, heard = source("sim")
    before = threading.active_count()
    link.start()
    try:
        soon(lambda: link.status().state is LinkState.LIVE)
        soon(lambda: heard)
    finally:
        link.close()
    assert threading.active_count() == before


class Fake:
    """A source that tests speak through."""

    def __init__(self, on_message):
        self.tell = on_message
        self.state = LinkState.LIVE
        self.calls = []

    def start(self):
        self.calls.append("start")

    def close(self):
        self.calls.append("close")

    def send(self, command):
        self.calls.append(command)

    def status(self):
        return LinkStatus(self.state, "", "fake", None, 0.0, None)


def throw(values, seen_by, roll=1):
    return Dice(EventId("7F3A", 1), 0, roll, "end", 2, values, 0, seen_by)


def test_two_sources_are_one_table():
    heard, now = [], [1.0]
    fakes = {}

    def maker(name):
        return lambda on: fakes.setdefault(name, Fake(on))

    table = SeveralSources({name: maker(name) for name in ("table", "camera")}, heard.append, lambda: now[0])
    table.start()
    fakes["table"].tell(throw((3, 4), "elec"))
    fakes["camera"].tell(throw((3, 4), "cam", roll=80))
    assert heard == [throw((3, 4), "elec")]
    now[0] = 60.0
    fakes["camera"].tell(throw((1, 2), "cam", roll=81))
    fakes["table"].tell(throw((1, 3), "elec", roll=2))
    assert heard[1] == throw((1, 2), "cam", roll=81)
    assert (heard[2].code, heard[2].ask) == (NoticeCode.DICE_DISAGREE, True)
    fakes["table"].tell(Button(EventId("7F3A", 2), 0, 1, "HU"))
    assert len(heard) == 4
    assert table.status().state is LinkState.LIVE
    fakes["camera"].state = LinkState.LOST
    assert table.status().state is LinkState.LOST
    table.send(Light(0, "on"))
    table.close()
    assert fakes["table"].calls == ["start", Light(0, "on"), "close"]
    assert fakes["camera"].calls == ["start", "close"]


@pytest.mark.parametrize("place", ["192.168.1.20:7101", "[fd00::2]:7101", "table7.local:1", "localhost:65535"])
def test_an_address_in_the_network_is_taken_whether_or_not_something_listens(place):
    link, _ = source(f"socket://{place}")
    assert isinstance(link, TableLink)


@pytest.mark.parametrize(
    ("seen", "ends", "codes"), [((3, 4), [(3, 4)], set()), ((1, 6), None, {NoticeCode.DICE_DISAGREE})]
)
def test_two_boards_are_two_witnesses_of_one_throw(seen, ends, codes):
    with SimTable(SimConfig(pace=10)) as own, SimTable(SimConfig(seed=2, pace=10, identity=READER)) as reader:
        table, heard = source(own.address, f"board:{reader.address}", resume_after=EventId("7F3A", 4))
        table.start()
        try:
            soon(lambda: all(one.status().state is LinkState.LIVE for one in table._sources))
            own.throw_dice(1, (3, 4))
            reader.throw_dice(None, seen)
            soon(
                lambda: [own.board.unacked, reader.board.unacked, own.board.last_n, reader.board.last_n] == [0, 0, 2, 2]
            )
        finally:
            table.close()
    ended = [dice.values for dice in of(Dice, heard) if dice.phase == "end"]
    assert ended == (ends or [ended[0]])
    assert {notice.code for notice in of(Notice, heard)} & {NoticeCode.DICE_DISAGREE} == codes
    assert [hello.uid for hello in of(Hello, heard)] == [own.board.identity.uid], (
        "the reader is not taken for the table"
    )
    assert {event.id.boot for event in of(Dice, heard)} == {own.board.boot, f"~{reader.board.boot}"}


def test_words_of_two_kinds_become_several_sources(board):
    far, path = board
    table, heard = source("mqtt://127.0.0.1:1/mj", f"text:{path}")
    assert isinstance(table, SeveralSources)
    table.start()
    try:
        soon(lambda: table._sources[1].status().state is LinkState.LIVE)
        os.write(far, b"DICE 3 4\n")
        soon(lambda: of(Dice, heard))
        soon(lambda: "Nothing answers at mqtt://127.0.0.1:1" in table.status().text)
        assert table.status().state is LinkState.ABSENT
    finally:
        table.close()

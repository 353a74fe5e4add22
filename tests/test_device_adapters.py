"""Plain text boards, MQTT tables, and two witnesses of one throw."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.link import LinkConfig, TableLink
from device.linkstate import LinkState
from device.merge import ThrowMerger
from device.messages import Button, Dice, Light
from device.mqtt import MqttTable, TopicMap
from device.notices import Notice, NoticeCode
from device.plaintext import PlainPatterns, PlainText, plain_text
from device.simports import MemoryPort
from device.wire import EventId


def text(**more):
    return PlainText(Random(1), **more)


def of(kind, items):
    return [item for item in items if isinstance(item, kind)]


@pytest.mark.parametrize("line", [b"DICE 3 4\n", b"roll 3,4\r\n", b"  DICE  3  4  \n"])
def test_plain_dice_line(line):
    heard = text().feed(line, 5.0)
    assert [(dice.values, dice.phase, dice.source, dice.quality) for dice in of(Dice, heard)] == [
        ((3, 4), "end", "text", None)
    ]
    (notice,) = of(Notice, heard)
    assert (notice.code, notice.ask) == (NoticeCode.DICE_UNCHECKED, True)


def test_one_die_and_a_button():
    heard = text().feed(b"DICE 5\nBTN 2 hu\n", 5.0)
    assert [dice.values for dice in of(Dice, heard)] == [(5,)]
    assert [(button.seat, button.key) for button in of(Button, heard)] == [(1, "HU")]


def test_the_same_line_within_a_second_and_a_half_counts_once():
    board = text()
    assert len(of(Dice, board.feed(b"DICE 3 4\nDICE 3 4\n", 5.0))) == 1
    assert of(Dice, board.feed(b"DICE 3 4\n", 6.4)) == []
    (again,) = of(Dice, board.feed(b"DICE 3 4\n", 6.6))
    assert again.roll == 2
    assert len(of(Dice, board.feed(b"DICE 3 5\n", 6.7))) == 1


def test_chunks_and_noise_do_not_matter():
    board = text()
    assert board.feed(b"Booting...\nDI", 1.0) == []
    assert len(of(Dice, board.feed(b"CE 6 6\n\xff\xfe\n", 1.1))) == 1
    assert board.console()[0] == "Booting..."
    assert board.counts().console == 2


@pytest.mark.parametrize("line", [b"DICE 0 4\n", b"DICE 3 7\n", b"BTN 5 HU\n", b"BTN 1 FLY\n"])
def test_impossible_plain_values_become_a_notice(line):
    (notice,) = text().feed(line, 5.0)
    assert notice.code is NoticeCode.MALFORMED
    assert "enter it by hand" in notice.text


def test_users_own_wording():
    board = text(patterns=PlainPatterns(dice=r"W(?P<seat>\d): (?P<a>\d)\+(?P<b>\d)"))
    (dice,) = of(Dice, board.feed(b"w3: 2+5\n", 5.0))
    assert (dice.values, dice.by_seat) == ((2, 5), 2)


@pytest.mark.parametrize(("pattern", "word"), [("(", "is no pattern"), (r"DICE \d", r"has no group (?P<a>")])
def test_a_pattern_that_cannot_work_is_said(pattern, word):
    with pytest.raises(ValueError, match="an example is") as refused:
        text(patterns=PlainPatterns(dice=pattern))
    assert word in str(refused.value)


@given(st.lists(st.binary(max_size=250), max_size=6))
def test_no_bytes_upset_plain_text(chunks):
    board = text()
    for index, chunk in enumerate(chunks):
        for item in board.feed(chunk, float(index)):
            assert isinstance(item, Dice | Button | Notice)


def test_half_a_line_from_before_an_unplug_is_no_part_of_a_throw():
    port = MemoryPort()
    heard = []
    now = [0.0]
    link = TableLink(
        LinkConfig(
            ["memory"],
            open_port=port.open,
            present=lambda _: ("memory",),
            clock=lambda: now[0],
            make_talk=plain_text(Random(1)),
        ),
        heard.append,
    )
    link.step(0)
    port.send(b"DICE 3 ")
    link.step(0)
    port.unplug()
    link.step(0)
    port.plug_in()
    now[0] = 5.0
    link.step(0)
    port.send(b"4\nDICE 1 2\n")
    link.step(0)
    link.close()
    assert [dice.values for dice in of(Dice, heard)] == [(1, 2)]


def test_plain_text_through_the_link():
    port = MemoryPort()
    heard, states = [], []
    now = [0.0]
    config = LinkConfig(
        ["memory"],
        open_port=port.open,
        present=lambda _: ("memory",),
        clock=lambda: now[0],
        make_talk=plain_text(Random(1)),
    )
    link = TableLink(config, heard.append, states.append)
    link.step(0)
    port.send(b"DICE 1 2\n")
    link.step(0)
    assert [dice.values for dice in of(Dice, heard)] == [(1, 2)]
    promise = link.send(Light(0, "on"))
    link.step(0)
    assert promise.result(0).outcome == "not_sent"
    port.unplug()
    link.step(0)
    assert states == [LinkState.LIVE, LinkState.LOST]
    link.close()


@pytest.mark.parametrize(
    "payload", [b"3 4", b"3,4", b'{"values": [3, 4]}', b'{"a": 3, "b": 4}', b'{"values": [3, 4], "seat": 2, "roll": 9}']
)
def test_mqtt_dice(payload):
    (dice, notice) = MqttTable(Random(1)).heard("paiju/table/dice", payload, False, 5.0)
    assert dice.values == (3, 4)
    assert dice.by_seat == (1 if b"seat" in payload else None)
    assert notice.code is NoticeCode.DICE_UNCHECKED


def test_mqtt_retained_events_are_ignored_but_the_last_will_is_not():
    table = MqttTable(Random(1))
    assert table.heard("paiju/table/dice", b"3 4", True, 5.0) == []
    assert table.heard("paiju/table/button", b"2 HU", True, 5.0) == []
    assert table.heard("paiju/table/status", b"offline", True, 5.0) == [LinkState.LOST]
    assert table.heard("paiju/table/status", b"Online", True, 5.0) == [LinkState.LIVE]


def test_mqtt_delivered_twice_counts_once():
    table = MqttTable(Random(1))
    assert len(of(Dice, table.heard("paiju/table/dice", b"3 4", False, 5.0))) == 1
    assert table.heard("paiju/table/dice", b"3 4", False, 5.5) == []
    assert len(of(Dice, table.heard("paiju/table/dice", b'{"values":[3,4],"roll":8}', False, 5.6))) == 1


def test_mqtt_button_and_own_topics():
    table = MqttTable(Random(1), TopicMap(button="home/mj/btn"))
    assert [(b.seat, b.key) for b in table.heard("home/mj/btn", b'{"seat": 4, "key": "hu"}', False, 1.0)] == [(3, "HU")]
    assert table.heard("home/elsewhere", b"1 HU", False, 2.0) == []
    assert table.topics.topics() == ("paiju/table/dice", "home/mj/btn", "paiju/table/status")


@pytest.mark.parametrize(
    ("topic", "payload"),
    [
        ("dice", b"0 4"),
        ("dice", b"1 2 3"),
        ("dice", b"{"),
        ("dice", b"[1]"),
        ("dice", b'{"values": 5}'),
        ("dice", b'{"values": [1e999, 1]}'),
        ("dice", b'{"values": [1, 1], "roll": -1}'),
        ("dice", b'{"values": [null, 1]}'),
        ("dice", b'{"values": [3.7, 1]}'),
        ("dice", b'{"values": [true, 1]}'),
        ("dice", b'{"values": [1, 1], "roll": 2.5}'),
        ("button", b'{"seat": 1.9, "key": "HU"}'),
        ("dice", b""),
        ("button", b"5 HU"),
        ("button", b"1 FLY"),
        ("button", b"{}"),
        ("dice", b"\xff\xff"),
    ],
)
def test_mqtt_nonsense_becomes_one_notice(topic, payload):
    (notice,) = MqttTable(Random(1)).heard(f"paiju/table/{topic}", payload, False, 5.0)
    assert notice.code is NoticeCode.MALFORMED
    assert notice.ask == (topic == "dice")


@given(st.binary(max_size=60), st.booleans())
def test_no_payload_upsets_mqtt(payload, retained):
    table = MqttTable(Random(1))
    for topic in table.topics.topics():
        for item in table.heard(topic, payload, retained, 1.0):
            assert isinstance(item, Dice | Button | Notice | LinkState)


def throw(values, source, roll=1, phase="end"):
    return Dice(EventId("7F3A", 1), 0, roll, phase, 2, values, 0, source)


def test_two_sources_that_agree_are_one_throw():
    merger = ThrowMerger()
    assert merger.look("table", throw((3, 4), "elec"), 1.0) == [throw((3, 4), "elec")]
    assert merger.look("camera", throw((3, 4), "cam", roll=88), 2.0) == []
    assert len(merger.look("camera", throw((3, 4), "cam", roll=89), 20.0)) == 1


def test_disagreement_asks_and_names_the_better_source_first():
    merger = ThrowMerger()
    merger.look("camera", throw((3, 5), "cam", roll=7), 1.0)
    (notice,) = merger.look("table", throw((3, 4), "elec"), 1.5)
    assert (notice.code, notice.ask) == (NoticeCode.DICE_DISAGREE, True)
    assert "electronics say 3-4, but the dice camera sees 3-5" in notice.text


def test_a_witness_that_knows_fills_in_for_one_that_does_not():
    merger = ThrowMerger()
    assert merger.look("table", throw(None, "elec"), 1.0) == [throw(None, "elec")]
    assert merger.look("camera", throw((2, 2), "cam"), 1.4) == [throw((2, 2), "cam")]
    assert merger.look("table", throw(None, "elec", roll=2), 1.5) == [throw(None, "elec", roll=2)]


def test_an_unchecked_throw_that_the_table_saw_too_needs_no_tap():
    merger = ThrowMerger()
    unchecked = Dice(EventId("~01", 4), 0, 9, "end", 2, (3, 4), None, "text")
    assert merger.look("board", unchecked, 1.0) == [unchecked]
    (seconded,) = merger.look("table", throw((3, 4), "elec"), 1.5)
    assert (seconded.source, seconded.by_seat) == ("elec", 0)
    assert (seconded.id.boot, seconded.roll) == ("~01", 9)  # the same throw, should somebody have tapped already
    assert seconded.id != unchecked.id
    assert merger.look("camera", throw((3, 4), "cam"), 1.6) == []


def test_a_voided_throw_is_no_witness():
    merger = ThrowMerger()
    merger.look("table", throw((3, 4), "elec"), 1.0)
    merger.look("table", throw(None, "elec", phase="void"), 1.2)
    assert merger.look("camera", throw((3, 4), "cam"), 1.5) == [throw((3, 4), "cam")]

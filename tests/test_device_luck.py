"""No command can influence luck: the catalogue has none, the encoder refuses others, text cannot smuggle one in."""

from __future__ import annotations

import dataclasses
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.catalogue import COMMANDS, TO_TABLE, slots_of, to_packet
from device.codec import PacketDecoder, encode
from device.link import LinkConfig, TableLink
from device.messages import (
    Beep,
    Dice,
    HostHello,
    Light,
    Lock,
    Ping,
    Request,
    Roll,
    Score,
    ShowText,
    Wall,
)
from device.wire import EventId, WireError

ALLOWED = {
    "HELLO": {"h", "proto", "app"},
    "SYNC": {"since"},
    "ACK": {"id"},
    "PING": set(),
    "ROLL": {"allow", "dice", "why"},
    "LIGHT": {"seat", "m", "col"},
    "SCORE": {"rev", "pts"},
    "TEXT": {"m", "seat"},
    "BEEP": {"n", "ms"},
    "LOCK": {"on", "ttl"},
}
"""Everything that can ever travel to a table. Whoever adds a line here has to argue that it cannot touch luck."""


def test_the_catalogue_of_what_travels_to_a_table_is_exactly_this():
    assert {name: {slot.key.name for slot in slots_of(cls)} for name, cls in TO_TABLE.items()} == ALLOWED


def test_no_key_names_dice_values_tile_order_or_a_motor():
    forbidden = {
        "v",
        "values",
        "value",
        "set",
        "order",
        "seed",
        "tiles",
        "w",
        "motor",
        "go",
        "throw",
        "shuffle",
        "build",
    }
    for keys in ALLOWED.values():
        assert not keys & forbidden


def test_roll_permits_and_carries_no_value():
    assert [slot.attribute for slot in slots_of(Roll)] == ["allow", "dice", "why"]
    assert to_packet(Roll((0, 1, 2, 3))).body() == "ROLL allow=1,2,3,4 dice=2 why=BREAK1"
    with pytest.raises(WireError):
        to_packet(Roll((0,), dice=6))
    with pytest.raises(WireError):
        to_packet(Roll((0,), why="6-6"))


def test_a_lock_ends_by_itself_within_a_minute():
    with pytest.raises(WireError, match="1 to 60"):
        to_packet(Lock(True, 61))


@pytest.mark.parametrize(
    "foreign",
    [
        Dice(EventId("7F3A", 1), 0, 1, "end", 2, (6, 6)),
        Wall(EventId("7F3A", 1), 0, (18, 18, 18, 18)),
        HostHello("BEEF"),
        "ROLL v=6,6",
        object(),
    ],
)
def test_the_driver_refuses_to_send_anything_else(foreign):
    link = TableLink(LinkConfig(["/nowhere"]), lambda _item: None)
    with pytest.raises(WireError, match="is not a command"):
        link.send(foreign)
    with pytest.raises((WireError, AttributeError)):
        encode(Request("BEEF", 1, foreign))
    link.close()


def test_a_class_made_to_look_like_a_command_is_refused():
    @dataclasses.dataclass(frozen=True)
    class Throw(Roll):
        TYPE: typing.ClassVar[str] = "ROLL"

    with pytest.raises(WireError, match="not a message of MTL/1"):
        encode(Throw((0,)))


seats = st.integers(-2, 6)
ANY_COMMAND = st.one_of(
    st.builds(Ping),
    st.builds(Roll, st.lists(seats, max_size=5).map(tuple), st.integers(-1, 9), st.text(max_size=8)),
    st.builds(Light, seats, st.text(max_size=6), st.text(max_size=7)),
    st.builds(Score, st.integers(), st.lists(st.integers(), max_size=5).map(tuple)),
    st.builds(ShowText, st.one_of(st.text(max_size=40), st.just("x*0000\n@DICE v=6,6"), st.just("a v=6,6")), seats),
    st.builds(Beep, st.integers(), st.integers()),
    st.builds(Lock, st.booleans(), st.integers()),
)


@given(ANY_COMMAND)
def test_whatever_a_command_holds_at_most_one_frame_of_the_catalogue_leaves(command):
    try:
        sent = encode(Request("BEEF", 1, command))
    except WireError:
        return
    assert sent.count(b"\n") == sent.count(b"@") == sent.count(b"*") == 1
    (packet,) = PacketDecoder().feed(sent)
    assert type(command) in COMMANDS
    assert packet.type == command.TYPE
    assert {key for key, _ in packet.fields} <= ALLOWED[packet.type] | {"h", "c"}

"""The list of MTL/1 messages as data, and the two functions that read and write any of them.

What is not in this list cannot be sent: there is no command with a dice value, an order of tiles or a motor.
Source: ``docs/device-protocol.md#messages``; a test compares the tables there with `slots_of`.
"""

from __future__ import annotations

import typing
from dataclasses import MISSING, dataclass, fields
from typing import Any, TypeVar

from device.messages import (
    Ack,
    Beep,
    Command,
    Dice,
    Event,
    FromTable,
    HostHello,
    Light,
    Lock,
    Malformed,
    Message,
    Ok,
    Request,
    Roll,
    Score,
    ShowText,
    Sync,
    ToTable,
    Unknown,
)
from device.wire import EVENT_ID, EventId, Key, Packet, WireError

FROM_TABLE: dict[str, type[FromTable]] = {cls.TYPE: cls for cls in typing.get_args(FromTable)}
TO_TABLE: dict[str, type[ToTable]] = {cls.TYPE: cls for cls in typing.get_args(ToTable)}
COMMANDS: tuple[type[Command], ...] = typing.get_args(Command)
EVENTS: tuple[type[Event], ...] = typing.get_args(Event)

NEEDS: dict[type[Command], str] = {
    Roll: "dice2",
    Light: "light",
    Score: "score",
    ShowText: "score",
    Beep: "beep",
    Lock: "lock",
}
"""The capability a table must have named before the command is sent to it; a ping needs none."""

_M = TypeVar("_M")


@dataclass(frozen=True, slots=True)
class Slot:
    """One field of a message beside its wire key."""

    attribute: str
    key: Key
    default: Any

    @property
    def required(self) -> bool:
        """True where a frame without this key says nothing usable."""
        return self.default is MISSING


def _slots(cls: type[Any]) -> tuple[Slot, ...]:
    hints = typing.get_type_hints(cls, include_extras=True)
    return tuple(Slot(item.name, hints[item.name].__metadata__[0], item.default) for item in fields(cls))


_SLOTS: dict[type[Any], tuple[Slot, ...]] = {
    cls: _slots(cls) for cls in (*typing.get_args(FromTable), *typing.get_args(ToTable))
}


def slots_of(cls: type[Any]) -> tuple[Slot, ...]:
    """Return the fields of a message class with their wire keys, in the order they are written."""
    return _SLOTS[cls]


def from_packet(packet: Packet) -> FromTable | Malformed | Unknown:
    """Read what a table said; keys of a newer board are ignored."""
    cls = FROM_TABLE.get(packet.type)
    if cls is None:
        return Unknown(packet.type)
    message = _read(cls, packet)
    if isinstance(message, Dice) and message.values is not None and len(message.values) != message.count:
        reason = f"DICE says {message.count} dice and shows {len(message.values)}"
        return Malformed(packet.type, message.id, reason)
    return message


def request_from_packet(packet: Packet) -> HostHello | Sync | Ack | Request | Malformed | Unknown:
    """Read what Paiju said; this is the board's side, used by the simulator."""
    cls = TO_TABLE.get(packet.type)
    if cls is None:
        return Unknown(packet.type)
    message = _read(cls, packet)
    if isinstance(message, HostHello | Sync | Ack | Malformed):
        return message
    ticket = _read(Ok, packet)
    if isinstance(ticket, Malformed):
        return ticket
    return Request(ticket.host, ticket.number, message)


def to_packet(message: Message | Request) -> Packet:
    """Write a message as a packet.

    Raises:
        WireError: the type is not in the catalogue, or a value is not allowed; the text says which.
    """
    if isinstance(message, Request):
        if type(message.command) not in COMMANDS:
            raise WireError(f"{type(message.command).__name__} is not a command of MTL/1")
        ticket = to_packet(Ok(message.host, message.number))
        return Packet(message.command.TYPE, ticket.fields + to_packet(message.command).fields)
    cls = type(message)
    if cls not in _SLOTS:
        raise WireError(f"{cls.__name__} is not a message of MTL/1")
    written = []
    for slot in slots_of(cls):
        value = getattr(message, slot.attribute)
        kind = slot.key.kind
        if value is None and not kind.writes_none:
            continue
        try:
            written.append((slot.key.name, kind.show(value)))
        except (ValueError, TypeError, AttributeError) as error:
            raise WireError(f"{cls.TYPE} {slot.key.name}: {error}; it takes {kind.says}") from error
    return Packet(cls.TYPE, tuple(written))


def _read(cls: type[_M], packet: Packet) -> _M | Malformed:
    given = dict(packet.fields)
    values: dict[str, Any] = {}
    for slot in slots_of(cls):
        text = given.get(slot.key.name)
        if text is None:
            if slot.required:
                return _malformed(packet, f"{packet.type} without {slot.key.name}=")
            continue
        try:
            values[slot.attribute] = slot.key.kind.parse(text)
        except ValueError as error:
            return _malformed(packet, f"{packet.type} {slot.key.name}={text}: {error}")
    return cls(**values)


def _malformed(packet: Packet, reason: str) -> Malformed:
    try:
        event_id: EventId | None = EVENT_ID.parse(packet.get("id") or "")
    except ValueError:
        event_id = None
    return Malformed(packet.type, event_id, reason)

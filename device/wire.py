"""How one value is written on the wire: ``by=3``, ``v=3,4``, ``id=7F3A.12``.

Every key of every message names one `Kind` from this file. A kind turns wire text into a Python value and
back and says in words what it accepts, so that the document, the driver and the reference board agree.
Source: ``docs/device-protocol.md#values``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SAFE_IN_TEXT = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!\"#$&'()+-./:;<=>?[\\]^_`{|}~")
"""Characters a text value keeps; all others travel as %XX (``@ * % ,`` and space among them)."""

_NUMBER = re.compile(r"[0-9]{1,10}\Z", re.ASCII)
_EVENT_ID = re.compile(r"([0-9A-F]{4})\.([0-9]{1,10})\Z", re.ASCII)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})|%")


class WireError(ValueError):
    """A value, message or frame that MTL/1 does not allow; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Packet:
    """One intact frame: its type and its keys, values still as written on the wire."""

    type: str
    fields: tuple[tuple[str, str], ...] = ()

    def get(self, key: str) -> str | None:
        """Return the wire text of ``key``, or None where the frame does not carry it."""
        for name, value in self.fields:
            if name == key:
                return value
        return None

    def body(self) -> str:
        """Return ``TYPE key=value ...`` as it stands between ``@`` and ``*``."""
        return " ".join((self.type, *(f"{key}={value}" for key, value in self.fields)))


@dataclass(frozen=True, slots=True, order=True)
class EventId:
    """Which event this is: the board's start it belongs to (4 hex digits) and its number, from 1.

    Events of sources without numbers get ours, whose ``boot`` begins with ``~``.
    """

    boot: str
    n: int

    @property
    def of_board(self) -> bool:
        """Whether a board gave this number, so that it can be asked what came after."""
        return not self.boot.startswith("~")

    def __str__(self) -> str:
        return f"{self.boot}.{self.n}"


@dataclass(frozen=True, slots=True)
class Kind:
    """One way of writing a value.

    Attributes:
        says: what is allowed, in words, for messages to people.
        parse: wire text to value; raises ValueError.
        show: value to wire text; raises ValueError.
        writes_none: True where "unknown" has its own wire text (``0``, ``?``) instead of leaving the key out.
    """

    says: str
    parse: Callable[[str], Any]
    show: Callable[[Any], str]
    writes_none: bool = False


@dataclass(frozen=True, slots=True)
class Key:
    """Binds a dataclass field to its wire key: ``Annotated[int, Key("t", UINT32)]``."""

    name: str
    kind: Kind


def _whole(text: str, low: int, high: int) -> int:
    if not _NUMBER.match(text):
        raise ValueError(f"{text!r} is not a whole number")
    value = int(text)
    if not low <= value <= high:
        raise ValueError(f"{value} is outside {low} to {high}")
    return value


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def number(low: int, high: int) -> Kind:
    """Whole decimal number from ``low`` to ``high``."""

    def show(value: int) -> str:
        return str(_whole(str(int(value)), low, high))

    return Kind(f"whole number {low} to {high}", lambda text: _whole(text, low, high), show)


def escape(text: str) -> str:
    """Write any text with wire characters only; the rest becomes %XX of its UTF-8 bytes."""
    return "".join(
        char if char in SAFE_IN_TEXT else "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "replace"))
        for char in text
    )


def unescape(text: str) -> str:
    """Undo `escape`.

    Raises:
        ValueError: a ``%`` without two hex digits, or bytes that are not UTF-8.
    """
    if "%" not in text:
        return text

    def one(found: re.Match[str]) -> str:
        if found[1] is None:
            raise ValueError(f"{text!r} has a % without two hex digits")
        return chr(int(found[1], 16))

    return _ESCAPE.sub(one, text).encode("latin-1", "strict").decode("utf-8")


def _shown(value: str, allowed: Callable[[str], Any]) -> str:
    allowed(value)
    return value


def choice(*names: str, other: str | None = None) -> Kind:
    """One word out of ``names``; a word from a newer board becomes ``other`` where that is given."""
    allowed = frozenset(names)

    def parse(text: str) -> str:
        if text in allowed:
            return text
        if other is None:
            raise ValueError(f"{text!r} is not one of {', '.join(names)}")
        return other

    def show(value: str) -> str:
        if value not in allowed:
            raise ValueError(f"{value!r} is not one of {', '.join(names)}")
        return value

    return Kind("one of " + "|".join(names), parse, show)


def hexadecimal(low: int, high: int) -> Kind:
    """Upper-case hex digits, ``low`` to ``high`` of them; lower case is read too."""
    pattern = re.compile(rf"[0-9A-F]{{{low},{high}}}\Z", re.ASCII)

    def parse(text: str) -> str:
        if not pattern.match(text.upper()) or not text.isascii():
            raise ValueError(f"{text!r} is not {_span(low, high)} hex digits")
        return text.upper()

    return Kind(f"{_span(low, high)} hex digits", parse, parse)


def _listed(text: str) -> list[str]:
    return text.split(",") if text else []


def numbers(low: int, high: int, most: int, least: int = 0) -> Kind:
    """Comma-separated whole numbers, ``least`` to ``most`` of them."""

    def checked(items: list[str]) -> tuple[int, ...]:
        if not least <= len(items) <= most:
            raise ValueError(f"{len(items)} numbers where {_span(least, most)} belong")
        return tuple(_whole(item, low, high) for item in items)

    def show(values: tuple[int, ...]) -> str:
        return ",".join(map(str, checked([str(int(value)) for value in values])))

    return Kind(
        f"{_span(least, most)} numbers from {low} to {high}, comma between", lambda text: checked(_listed(text)), show
    )


def signed_numbers(limit: int, count: int) -> Kind:
    """``count`` comma-separated whole numbers, each from ``-limit`` to ``limit``."""

    def one(text: str) -> int:
        return -_whole(text[1:], 0, limit) if text.startswith("-") else _whole(text, 0, limit)

    def checked(items: list[str]) -> tuple[int, ...]:
        if len(items) != count:
            raise ValueError(f"{len(items)} numbers where {count} belong")
        return tuple(one(item) for item in items)

    def show(values: tuple[int, ...]) -> str:
        return ",".join(map(str, checked([str(int(value)) for value in values])))

    return Kind(f"{count} numbers from -{limit} to {limit}, comma between", lambda text: checked(_listed(text)), show)


def _names_of(text: str) -> tuple[str, ...]:
    return tuple(unescape(item) for item in _listed(text))


def _names_to(values: tuple[str, ...]) -> str:
    if any(not value for value in values):
        raise ValueError("a name in a list must not be empty")
    return ",".join(escape(value) for value in values)


def _seat_of(text: str) -> int | None:
    value = _whole(text, 0, 4)
    return None if value == 0 else value - 1


def _seat_to(value: int | None) -> str:
    return "0" if value is None else str(_whole(str(int(value) + 1), 1, 4))


def _known_seat_of(text: str) -> int:
    return _whole(text, 1, 4) - 1


def _seats_of(text: str) -> tuple[int, ...]:
    if text == "0":
        return ()
    seats = tuple(_known_seat_of(item) for item in _listed(text))
    if not seats or len(set(seats)) != len(seats):
        raise ValueError(f"{text!r} is not 0 or different seats 1 to 4")
    return seats


def _seats_to(values: tuple[int, ...]) -> str:
    text = ",".join(_seat_to(value) for value in values) or "0"
    _seats_of(text)
    return text


def _dice_of(text: str) -> tuple[int, ...] | None:
    if text == "?":
        return None
    values = tuple(_whole(item, 1, 6) for item in _listed(text))
    if len(values) not in (1, 2):
        raise ValueError(f"{len(values)} dice where 1 or 2 belong")
    return values


def _dice_to(values: tuple[int, ...] | None) -> str:
    text = "?" if values is None else ",".join(str(int(value)) for value in values)
    _dice_of(text)
    return text


def _event_id_of(text: str) -> EventId:
    found = _EVENT_ID.match(text)
    if not found or not 1 <= int(found[2]) <= 0xFFFFFFFF:
        raise ValueError(f"{text!r} is not an event id such as 7F3A.12")
    return EventId(found[1], int(found[2]))


def _since_of(text: str) -> EventId | None:
    return None if text == "0" else _event_id_of(text)


def _since_to(value: EventId | None) -> str:
    return "0" if value is None else _shown(str(value), _event_id_of)


def _version_of(text: str) -> tuple[int, int]:
    major, dot, minor = text.partition(".")
    if not dot:
        raise ValueError(f"{text!r} is not a version such as 1.0")
    return _whole(major, 0, 99), _whole(minor, 0, 99)


def _version_to(value: tuple[int, int]) -> str:
    return _shown(f"{value[0]}.{value[1]}", _version_of)


def _part_of(text: str) -> tuple[int, int]:
    part, _, parts = text.partition("/")
    value = _whole(part, 1, 9), _whole(parts, 1, 9)
    if value[0] > value[1]:
        raise ValueError(f"{text!r} is not a part such as 1/2")
    return value


def _part_to(value: tuple[int, int]) -> str:
    return _shown(f"{value[0]}/{value[1]}", _part_of)


def _counts_of(text: str) -> tuple[tuple[int, int], ...]:
    pairs = [item.partition(":") for item in _listed(text)]
    counts = tuple((_whole(worth, 1, 1_000_000), _whole(count, 0, 999)) for worth, _, count in pairs)
    if len(counts) > 6 or len({worth for worth, _ in counts}) != len(counts):
        raise ValueError(f"{text!r} is not at most six different stick values with counts")
    return counts


def _counts_to(value: tuple[tuple[int, int], ...]) -> str:
    text = ",".join(f"{worth}:{count}" for worth, count in value)
    _counts_of(text)
    return text


def _flag_to(value: bool) -> str:
    return "1" if value else "0"


UINT16 = number(0, 0xFFFF)
UINT32 = number(0, 0xFFFFFFFF)
PERCENT = number(0, 100)
FLAG = Kind("0 or 1", lambda text: _whole(text, 0, 1) == 1, _flag_to)
TEXT = Kind("text, other characters as %XX", unescape, escape)
NAMES = Kind("words, comma between", _names_of, _names_to)
SEAT = Kind("seat 1 to 4, 0 where unknown", _seat_of, _seat_to, writes_none=True)
KNOWN_SEAT = Kind("seat 1 to 4", _known_seat_of, _seat_to)
SEATS = Kind("different seats 1 to 4, comma between, 0 for nobody", _seats_of, _seats_to)
DICE = Kind("one or two values 1 to 6, comma between, ? where unknown", _dice_of, _dice_to, writes_none=True)
EVENT_ID = Kind("event id such as 7F3A.12", _event_id_of, lambda value: _shown(str(value), _event_id_of))
SINCE = Kind("event id, 0 for none", _since_of, _since_to, writes_none=True)
VERSION = Kind("version such as 1.0", _version_of, _version_to)
PART = Kind("part such as 1/2", _part_of, _part_to)
COUNTS = Kind("value:count pairs, comma between", _counts_of, _counts_to)
BOOT = hexadecimal(4, 4)

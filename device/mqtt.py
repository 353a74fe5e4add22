"""Tables that speak MQTT (ESPHome, Home Assistant, a self-made board): topics to messages, as a pure mapping.

No broker is needed here: ``mqtt_client.py`` subscribes and hands in topic, payload and the retained flag. A retained
event is an old one that the broker repeats at every reconnect, so it is ignored; a retained status is the truth.
Source: ``docs/device-protocol.md#mqtt``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import unquote, urlsplit

from device.linkstate import LinkState
from device.messages import BUTTONS, Button, Dice
from device.notices import Notice, NoticeCode
from device.sources import EventNumbers, OncePerWindow

ONLINE = frozenset(("online", "on", "1", "true"))
OFFLINE = frozenset(("offline", "off", "0", "false"))
DEFAULT_PORT = 1883
DEFAULT_PREFIX = "paiju/table"
MqttHeard = Dice | Button | Notice | LinkState


@dataclass(frozen=True, slots=True)
class TopicMap:
    """Which topic says what.

    ``dice``: ``3 4`` or ``{"values": [3, 4], "seat": 1, "roll": 57}``. ``button``: ``2 HU`` or
    ``{"seat": 2, "key": "HU"}``. ``status``: online or offline; set offline as the board's last will. Seats are 1 to 4.
    """

    dice: str = "paiju/table/dice"
    button: str = "paiju/table/button"
    status: str = "paiju/table/status"

    def topics(self) -> tuple[str, ...]:
        """Return what to subscribe to."""
        return self.dice, self.button, self.status


@dataclass(frozen=True, slots=True)
class MqttAddress:
    """A broker and the topics of one table there; ``name`` is for people and shows no password."""

    host: str
    port: int
    topics: TopicMap
    user: str | None = None
    password: str | None = None

    @property
    def name(self) -> str:
        """Return ``mqtt://HOST:PORT``."""
        return f"mqtt://{self.host}:{self.port}"


def parse_address(text: str) -> MqttAddress:
    """Read ``mqtt://[USER:PASSWORD@]HOST[:PORT][/PREFIX]``; the topics are PREFIX/dice, /button and /status.

    Raises:
        ValueError: it is no such address.
    """
    example = "write mqtt://HOST/PREFIX, such as mqtt://192.168.1.5/paiju/table"
    parts = urlsplit(text)
    try:
        host, port = parts.hostname, parts.port or DEFAULT_PORT
    except ValueError as error:
        raise ValueError(f"The port of this MQTT address is no number from 1 to 65535: {example}.") from error
    prefix = unquote(parts.path).strip("/") or DEFAULT_PREFIX
    if not host or parts.scheme != "mqtt" or set("#?") & set(text) or set("#+\0") & set(prefix):
        raise ValueError(f"This MQTT address names no broker or no plain topic: {example}.")
    try:
        host.encode("idna")
    except UnicodeError as error:
        raise ValueError(f"The host of this MQTT address can be no name of a computer: {example}.") from error
    topics = TopicMap(f"{prefix}/dice", f"{prefix}/button", f"{prefix}/status")
    user, password = (None if word is None else unquote(word) for word in (parts.username, parts.password))
    return MqttAddress(host, port, topics, user, password)


class MqttTable:
    """Turns what arrives on the mapped topics into messages."""

    def __init__(self, rng: Random, topics: TopicMap | None = None) -> None:
        self.topics = topics or TopicMap()
        self._numbers = EventNumbers(rng)
        self._once = OncePerWindow()
        self._rolls = 0

    def heard(self, topic: str, payload: bytes, retained: bool, now: float) -> list[MqttHeard]:
        """Return what a publication says; nothing for a retained event or a foreign topic. Never raises."""
        text = payload.decode("utf-8", "replace").strip()
        if topic == self.topics.status:
            return _status(text)
        if topic not in (self.topics.dice, self.topics.button) or retained:
            return []
        try:
            return self._throw(text, now) if topic == self.topics.dice else self._press(text, now)
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
            sentence = f"{topic} said {text[:80]!r}, which is not understood ({error}): enter it by hand."
            return [Notice(NoticeCode.MALFORMED, sentence, ask=topic == self.topics.dice)]

    def _throw(self, text: str, now: float) -> list[MqttHeard]:
        given = _given(text, ("a", "b"))
        values = tuple(_whole(value) for value in given.get("values", [given[n] for n in ("a", "b") if n in given]))
        if len(values) not in (1, 2) or any(not 1 <= value <= 6 for value in values):
            raise ValueError("one or two dice show 1 to 6")
        roll = None if given.get("roll") is None else _whole(given["roll"])
        if not self._once.first(f"dice {roll} {values}", now):
            return []
        self._rolls = self._rolls + 1 if roll is None else roll
        seat = _seat(given["seat"]) if "seat" in given else None
        event_id = self._numbers.next()
        sentence = f"{'-'.join(map(str, values))} came without a check: tap to confirm before it counts."
        return [
            Dice(event_id, int(now * 1000) % (1 << 32), self._rolls, "end", len(values), values, seat, "text"),
            Notice(NoticeCode.DICE_UNCHECKED, sentence, ask=True, event=event_id, seat=seat, roll=self._rolls),
        ]

    def _press(self, text: str, now: float) -> list[MqttHeard]:
        given = _given(text, ("seat", "key"))
        seat, key = _seat(given["seat"]), str(given["key"]).upper()
        if key not in BUTTONS:
            raise ValueError(f"{key} is no key")
        if not self._once.first(f"button {seat} {key}", now):
            return []
        return [Button(self._numbers.next(), int(now * 1000) % (1 << 32), seat, key)]


def _status(text: str) -> list[MqttHeard]:
    if text.lower() in ONLINE:
        return [LinkState.LIVE]
    return [LinkState.LOST] if text.lower() in OFFLINE else []


def _given(text: str, names: tuple[str, ...]) -> dict[str, Any]:
    if text.startswith("{"):
        given = json.loads(text)
        return dict(given)
    words = text.replace(",", " ").split()
    if not words or len(words) > len(names):
        raise ValueError(f"{len(words)} words")
    return dict(zip(names, words, strict=False))


def _whole(value: Any) -> int:
    """A whole number that is not negative, as JSON or as text; 3.7 is no 3."""
    if isinstance(value, bool) or not str(value).isdecimal():
        raise ValueError(f"{value!r} is no whole number")
    return int(value)


def _seat(value: Any) -> int:
    seat = _whole(value)
    if not 1 <= seat <= 4:
        raise ValueError(f"seat {seat} is none of 1 to 4")
    return seat - 1

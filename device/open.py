"""Every way to a table, by the words after ``--table``; the one place that knows them all.

==========================  ==========================================================================================
``/dev/ttyUSB0``            MTL/1 on a serial port; ``'/dev/ttyUSB*'`` allows several ports
``socket://HOST:PORT``      MTL/1 over TCP
``board:PORT``              one more MTL/1 board on any of the ports above, such as a dice reader of its own
``text:PORT``               plain text lines such as ``DICE 3 4``, on any of the ports above
``mqtt://HOST[:PORT]/...``  topics of an MQTT broker (extra ``hall``)
``replay:FILE``             a recording of ``paiju device record``, once, at the pace it was recorded
``sim``                     a simulated table that plays by itself
==========================  ==========================================================================================

Plain ports of MTL/1 belong to one table: they are places where it may be. Every other word is one more source of its
own, and a throw that two of them saw counts once. Source: ``docs/device-protocol.md#adapters``.
"""

from __future__ import annotations

import glob
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from device.catalogue import EVENTS
from device.evening import EveningPlan
from device.link import LinkConfig, TableLink
from device.messages import FromTable, Hello
from device.mqtt import parse_address
from device.notices import Notice
from device.plaintext import PlainPatterns, plain_text
from device.record import RecordingError, ReplayTransport, read_recording
from device.said import Said, said
from device.several import SeveralSources
from device.simulator import SimConfig, SimTable
from device.sources import EventNumbers, MakeSource, OnMessage
from device.transports import SOCKET, OpenError, Transport, socket_place
from device.wire import EventId

BOARD, TEXT, REPLAY, MQTT, SIMULATED = "board:", "text:", "replay:", "mqtt://", "sim"


class TableWordError(ValueError):
    """A word after ``--table`` cannot work; the sentence says what to write or install instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableChoice:
    """Which table, as a person chose it and as the last run left it.

    Attributes:
        words: what was given after ``--table``; at least one.
        dice_pattern: how a plain text board words a throw, as a regular expression; None for ``DICE 3 4``.
        uid: the table that was met last. It is looked for where several ports are allowed; who names a single port
            means whatever table is there.
        resume_after: the last event that was dealt with.
        rng: makes session and event numbers.
    """

    words: Sequence[str]
    dice_pattern: str | None = None
    uid: str | None = None
    resume_after: EventId | None = None
    rng: Random = field(default_factory=Random)


def table_source(choice: TableChoice) -> MakeSource:
    """Return what makes the source for these words, given what to call with each message; `start` then opens it.

    Raises:
        TableWordError: a word is none, a pattern cannot work, a recording cannot be read, or an extra is missing.
    """
    if choice.dice_pattern is not None and not any(word.startswith(TEXT) for word in choice.words):
        raise TableWordError("A pattern for dice needs a board that speaks plain text: --table text:PORT.")
    ports = [word for word in choice.words if not _is_other(word)]
    makers = {"table": _board(ports, choice)} if ports else {}
    for word in choice.words:
        if _is_other(word):
            makers[word] = _other(word, choice)
    if not makers:
        raise TableWordError("No table was named: give a port, such as --table /dev/ttyUSB0, or --table sim.")
    if len(makers) == 1:
        return next(iter(makers.values()))
    return lambda on: SeveralSources(makers, on)


def _is_other(word: str) -> bool:
    return word == SIMULATED or word.startswith((BOARD, TEXT, REPLAY, MQTT))


def _board(ports: Sequence[str], choice: TableChoice) -> MakeSource:
    for port in ports:
        _require_port(port, port)
    several = len(ports) > 1 or glob.has_magic(ports[0])
    uid = choice.uid if several else None
    config = LinkConfig(ports=ports, uid=uid, resume_after=choice.resume_after, rng=choice.rng)
    return lambda on: TableLink(config, on)


def _require_port(port: str, word: str) -> None:
    """Refuse what can be no port; whether something is plugged in there shows when it is opened."""
    if not port or ("://" in port and not port.startswith(SOCKET)):
        raise TableWordError(Said.of("no_word", word=word))
    if port.startswith(SOCKET):
        try:
            socket_place(port)
        except ValueError as error:
            raise TableWordError(said(error)) from error


def _other(word: str, choice: TableChoice) -> MakeSource:
    if word == SIMULATED:
        return lambda on: _Simulated(_renumbered(on, _new_numbers(choice.rng)), choice.rng)
    if word.startswith(BOARD):
        return _second_board(word, choice.rng)
    if word.startswith(TEXT):
        return _plain(word.removeprefix(TEXT), choice)
    if word.startswith(REPLAY):
        return _recording(Path(word.removeprefix(REPLAY)), choice.rng)
    return _mqtt(word, choice.rng)


def _second_board(word: str, rng: Random) -> MakeSource:
    """A board beside the table's own: what is remembered of the table between two starts is not about this one."""
    port = word.removeprefix(BOARD)
    _require_port(port, word)
    config = LinkConfig(ports=(port,), rng=rng)

    def aside(given: EventId) -> EventId:
        return EventId(f"~{given.boot}", given.n)  # the same at each start of Paiju: an event told again counts once

    return lambda on: TableLink(config, _renumbered(on, aside))


def _plain(port: str, choice: TableChoice) -> MakeSource:
    _require_port(port, f"{TEXT}{port}")
    patterns = PlainPatterns() if choice.dice_pattern is None else PlainPatterns(dice=choice.dice_pattern)
    try:
        talk = plain_text(choice.rng, patterns)
    except ValueError as error:
        raise TableWordError(f"The pattern for dice cannot work: {error}.") from error
    config = LinkConfig(ports=(port,), rng=choice.rng, make_talk=talk)
    return lambda on: TableLink(config, on)


def _recording(path: Path, rng: Random) -> MakeSource:
    try:
        for _ in read_recording(path):
            pass
    except RecordingError as error:
        raise TableWordError(Said.of("bad_recording", word=str(error))) from error
    except OSError as error:
        text = f"{path}: cannot be read ({error.strerror}). Name a file of paiju device record."
        raise TableWordError(Said.of("bad_recording", word=text)) from error
    played = False

    def once(spec: str) -> Transport:
        nonlocal played
        if played:
            raise OpenError("absent", Said.of("recording_over", port=spec))
        played = True
        return ReplayTransport(path)

    config = LinkConfig(ports=(path.name,), open_port=once, present=tuple, rng=rng)
    return lambda on: TableLink(config, _renumbered(on, _new_numbers(rng)))


def _mqtt(word: str, rng: Random) -> MakeSource:
    try:
        address = parse_address(word)
    except ValueError as error:
        raise TableWordError(Said.of("bad_broker", word=str(error))) from error
    try:
        from device.mqtt_client import MqttLink  # only a hall has this library
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "paho":
            raise
        raise TableWordError(Said.of("hall_wanted")) from error
    return lambda on: MqttLink(address, on, rng)


class _Simulated:
    """A simulated table and the line to it, as one source."""

    def __init__(self, on_message: OnMessage, rng: Random) -> None:
        self._works = SimTable(SimConfig(plan=EveningPlan()))
        self._line = TableLink(LinkConfig(ports=(self._works.address,), rng=rng), on_message)
        self.send, self.status = self._line.send, self._line.status

    def start(self) -> _Simulated:
        """Start the works, then the line."""
        self._works.start()
        self._line.start()
        return self

    def close(self) -> None:
        """Let the line go, then end the works."""
        self._line.close()
        self._works.close()


def _renumbered(on_message: OnMessage, number: Callable[[EventId], EventId]) -> OnMessage:
    """Hand on what is not the table's own word under numbers that no table gives, and without its name.

    Nobody then takes it for the table at the next start, and a recording that is played again says something new.
    """

    def hear(item: FromTable | Notice) -> None:
        if isinstance(item, EVENTS):
            on_message(replace(item, id=number(item.id)))
        elif not isinstance(item, Hello):
            on_message(item)

    return hear


def _new_numbers(rng: Random) -> Callable[[EventId], EventId]:
    """Numbers of this run, whatever number an event had."""
    numbers = EventNumbers(rng)
    return lambda _given: numbers.next()

"""Finds the table's port by itself: listens at every serial port until somebody presses the dice button."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from device.link import LinkConfig, TableLink
from device.linkstate import LinkState
from device.messages import Dice
from device.open import TEXT
from device.plaintext import PlainText
from device.ports import PortInfo, list_ports
from device.transports import OpenError

LISTEN_S = 90.0
"""So long a press of the button is waited for."""

BY_ID = Path("/dev/serial/by-id")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPort:
    """A serial port that can be chosen: `word` stays the same when other devices are plugged in."""

    path: str
    word: str
    chip: str | None
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardPort:
    """What was heard at one port: the word that opens it, how its line is, and the last dice."""

    path: str
    word: str
    state: str
    dice: tuple[int, ...] | None


def serial_ports(by_id: Path = BY_ID) -> tuple[ListedPort, ...]:
    """This computer's serial ports, those with a chip known from table boards first; opens none."""
    lasting = {}
    with contextlib.suppress(OSError):
        lasting = {str(link.resolve()): str(link) for link in by_id.iterdir()}
    found: tuple[PortInfo, ...] = ()
    with contextlib.suppress(OpenError):  # a system that lists none has none
        found = list_ports()
    return tuple(
        ListedPort(
            path=port.path,
            word=lasting.get(port.path, port.path),
            chip=port.chip,
            description="" if port.description == "n/a" else port.description,
        )
        for port in found
    )


class PortEar:
    """Listens at several ports at once, for MTL/1 and for plain text; the first dice end it."""

    def __init__(self, rng: Random | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._rng = rng or Random()
        self._clock = clock
        self._lock = threading.RLock()
        self._links: dict[str, TableLink] = {}
        self._words: dict[str, str] = {}
        self._dice: dict[str, tuple[int, ...]] = {}
        self._until_s = 0.0
        self._timer: threading.Timer | None = None
        self._last: tuple[HeardPort, ...] = ()

    @property
    def listening(self) -> bool:
        """Whether ports are open and dice are waited for."""
        return bool(self._links) and self._clock() < self._until_s

    def start(self, ports: Sequence[tuple[str, str]]) -> None:
        """Listen at these ports, each (path, word), until dice are heard or the time is over."""
        with self._lock:  # two devices may press the button at once: each port is open once
            self.stop()
            self._dice.clear()
            self._last = ()
            self._words = dict(ports)
            self._until_s = self._clock() + LISTEN_S
            for path in self._words:
                config = LinkConfig(ports=(path,), rng=self._rng)
                self._links[path] = TableLink(config, partial(self._hear, path)).start()
            self._timer = threading.Timer(LISTEN_S, self.stop)  # nobody may be there to ask any more
            self._timer.daemon = True
            self._timer.start()

    def heard(self) -> tuple[HeardPort, ...]:
        """How each port is now."""
        with self._lock:
            found = tuple(self._look(path, link) for path, link in self._links.items()) or self._last
            self._last = found
        if self._links and (self._dice or self._clock() >= self._until_s):
            self.stop()
        return found

    def stop(self) -> None:
        """Let all ports go."""
        with self._lock:
            links, self._links = self._links, {}
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
        for link in links.values():
            link.close()

    def _hear(self, path: str, item: object) -> None:
        if isinstance(item, Dice) and item.values is not None and item.phase == "end":
            self._dice[path] = item.values

    def _look(self, path: str, link: TableLink) -> HeardPort:
        word, state = self._words[path], link.status().state
        printed = self._printed(link.console())
        if path not in self._dice and printed is not None:
            self._dice[path] = printed
            word = self._words[path] = TEXT + word
            state = LinkState.LIVE
        return HeardPort(path=path, word=word, state=state.value.lower(), dice=self._dice.get(path))

    def _printed(self, lines: Sequence[str]) -> tuple[int, ...] | None:
        """Dice among lines that are no frames: a board that speaks plain text."""
        text = PlainText(self._rng)
        heard = [item for line in lines for item in text.feed(line.encode() + b"\n", self._clock())]
        throws = [item.values for item in heard if isinstance(item, Dice) and item.values is not None]
        return throws[-1] if throws else None

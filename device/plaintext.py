"""The simplest board there is: it prints ``DICE 3 4`` or ``BTN 2 HU`` and a line feed.

No check sum, no numbers, no answers: the same line within 1.5 s counts once, and every throw asks for a tap before
it changes a payment. Other wordings are a pattern away. Source: ``docs/device-protocol.md#plain-text``.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import asdict, dataclass
from random import Random

from device.actions import Action, Deliver, Finished
from device.codec import CONSOLE_LINES, MAX_LINE, DecoderCounts
from device.linkstate import LinkState
from device.messages import BUTTONS, Button, Command, Dice
from device.notices import Notice, NoticeCode
from device.requests import CommandResult
from device.sources import EventNumbers, MakeTalk, OncePerWindow

DICE_PATTERN = r"(?:DICE|ROLL)\s+(?P<a>\d+)(?:[\s,]+(?P<b>\d+))?"
BUTTON_PATTERN = r"BTN\s+(?P<seat>\d+)\s+(?P<key>[A-Za-z]+)"
Heard = Dice | Button | Notice


@dataclass(frozen=True, slots=True)
class PlainPatterns:
    """How a board words things, as regular expressions that match a whole line.

    ``dice`` names its dice ``a`` and (for two dice) ``b``, and may name a ``seat``; ``button`` names ``seat`` (1 to 4)
    and ``key``. Upper and lower case are the same.
    """

    dice: str = DICE_PATTERN
    button: str = BUTTON_PATTERN


class PlainText:
    """Reads lines of text into dice and buttons. Pure.

    Raises:
        ValueError: a pattern that is no regular expression or lacks a name.
    """

    def __init__(self, rng: Random, patterns: PlainPatterns | None = None, window_s: float = 1.5) -> None:
        patterns = patterns or PlainPatterns()
        self._dice = _compiled(patterns.dice, "a")
        self._button = _compiled(patterns.button, "seat", "key")
        self._numbers = EventNumbers(rng)
        self._once = OncePerWindow(window_s)
        self._rolls = 0
        self._rest = b""
        self._met = asdict(DecoderCounts())
        self._console: deque[str] = deque(maxlen=CONSOLE_LINES)

    def begin(self) -> None:
        """The line was opened: half a line from before it broke does not go on."""
        self._rest = b""

    def feed(self, data: bytes, now: float) -> list[Heard]:
        """Take bytes in any pieces; return what they say. Never raises on any bytes."""
        lines = (self._rest + data).split(b"\n")
        self._rest = lines.pop()
        if len(self._rest) > MAX_LINE:
            self._met["overlong"] += 1
            self._rest = self._rest[-MAX_LINE:]
        heard: list[Heard] = []
        for line in lines:
            heard += self._line(line[-MAX_LINE:].decode("ascii", "replace").strip(), now)
        return heard

    def counts(self) -> DecoderCounts:
        """Return what was met since the start."""
        return DecoderCounts(**self._met)

    def console(self) -> tuple[str, ...]:
        """Return the last lines that matched no pattern."""
        return tuple(self._console)

    def _line(self, text: str, now: float) -> list[Heard]:
        found = self._dice.fullmatch(text)
        if found:
            self._met["frames"] += 1
            return self._throw(found, text, now)
        found = self._button.fullmatch(text)
        if found:
            self._met["frames"] += 1
            return self._press(found, text, now)
        if text:
            self._met["console"] += 1
            self._console.append(text)
        return []

    def _throw(self, found: re.Match[str], text: str, now: float) -> list[Heard]:
        named = found.groupdict()
        values = tuple(int(named[name]) for name in ("a", "b") if named.get(name) and named[name].isdigit())
        if not values or any(not 1 <= value <= 6 for value in values):
            return self._impossible(text, "dice show 1 to 6", ask=True)
        if not self._once.first(text.upper(), now):
            return []
        self._rolls += 1
        event_id = self._numbers.next()
        seat = _seat(named.get("seat"))
        dice = Dice(event_id, _ms(now), self._rolls, "end", len(values), values, seat, "text")
        shown = "-".join(map(str, values))
        text = f"The board says {shown}, without a check: tap to confirm before it counts."
        return [
            dice,
            Notice(NoticeCode.DICE_UNCHECKED, text, ask=True, event=event_id, seat=seat, roll=self._rolls),
        ]

    def _press(self, found: re.Match[str], text: str, now: float) -> list[Heard]:
        seat, key = _seat(found["seat"]), found["key"].upper()
        if seat is None or key not in BUTTONS:
            return self._impossible(text, "a button is BTN seat key, with a seat 1 to 4")
        if not self._once.first(text.upper(), now):
            return []
        return [Button(self._numbers.next(), _ms(now), seat, key)]

    def _impossible(self, text: str, why: str, ask: bool = False) -> list[Heard]:
        self._met["malformed"] += 1
        return [Notice(NoticeCode.MALFORMED, f"The board said {text!r}, but {why}: enter it by hand.", ask=ask)]


class PlainTalk:
    """Plain text as a `Talk`: an open line is a live one, and there are no commands."""

    def __init__(self, reader: PlainText) -> None:
        self.uid: str | None = None
        self.heard_at: float | None = None
        self._reader = reader
        self._open = False

    def connected(self, port: str, now: float) -> list[Action]:  # noqa: ARG002 - plain text asks nobody
        """The line is open."""
        self._open = True
        self._reader.begin()
        return []

    def disconnected(self, why: str) -> list[Action]:  # noqa: ARG002 - nothing is under way
        """The line is closed."""
        self._open = False
        return []

    def received(self, data: bytes, now: float) -> list[Action]:
        """Take bytes from the line."""
        self.heard_at = now
        return [Deliver(item) for item in self._reader.feed(data, now)]

    def tick(self, now: float) -> list[Action]:  # noqa: ARG002 - nothing becomes due
        """Let time pass."""
        return []

    def send(self, command: Command, now: float) -> tuple[int | None, list[Action]]:  # noqa: ARG002
        """A plain text board takes no commands."""
        return None, [Finished(CommandResult(0, command, "not_sent", "A plain text board takes no commands."))]

    def state(self, now: float) -> LinkState | None:  # noqa: ARG002 - it says nothing while nothing happens
        """Return LIVE while the line is open."""
        return LinkState.LIVE if self._open else None

    def happened_s(self, t_ms: int) -> float | None:
        """Return the host's time of an event; it was stamped here."""
        return t_ms / 1000

    def counts(self) -> DecoderCounts:
        """Return what was met on the line."""
        return self._reader.counts()

    def console(self) -> tuple[str, ...]:
        """Return the last lines that matched no pattern."""
        return self._reader.console()


def plain_text(rng: Random, patterns: PlainPatterns | None = None) -> MakeTalk:
    """Return what makes a `TableLink` speak plain text: ``LinkConfig(ports, make_talk=plain_text(rng))``."""
    reader = PlainText(rng, patterns)
    return lambda _session: PlainTalk(reader)


def _compiled(pattern: str, *names: str) -> re.Pattern[str]:
    try:
        compiled = re.compile(pattern, re.IGNORECASE | re.ASCII)
    except re.error as error:
        raise ValueError(f"{pattern!r} is no pattern ({error}); an example is {DICE_PATTERN}") from error
    for name in names:
        if name not in compiled.groupindex:
            raise ValueError(f"{pattern!r} has no group (?P<{name}>...); an example is {DICE_PATTERN}")
    return compiled


def _seat(word: str | None) -> int | None:
    return int(word) - 1 if word and word in "1234" and len(word) == 1 else None


def _ms(now: float) -> int:
    return int(now * 1000) % (1 << 32)

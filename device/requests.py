"""Commands to the table, one at a time: sent, repeated twice if unanswered, and never left without an outcome.

Source: ``docs/device-protocol.md#commands``. Pure: time is handed in, bytes come out.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Literal

from device.codec import encode
from device.messages import Command, Err, Ok, Reply, Request

TIMEOUT_S = 0.3
TRIES = 3
MOST_WAITING = 32
LAST_NUMBER = 0xFFFF

_WHY = {
    "BUSY": "it is busy, try again",
    "CAP": "it cannot do that",
    "ARG": "it did not accept the values",
    "LOCK": "it is locked",
    "STATE": "it cannot do that now",
    "VER": "it speaks another version",
}


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How a command ended: ``done``, ``refused``, ``no_answer`` or ``not_sent``, with one sentence."""

    number: int
    command: Command
    outcome: Literal["done", "refused", "no_answer", "not_sent"]
    text: str


class CommandQueue:
    """The commands of one Paiju session (``host``, 4 hex digits) on their way to the table."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._next = 1
        self._waiting: deque[Request] = deque()
        self._tries = 0
        self._due = 0.0

    def push(self, command: Command) -> int | None:
        """Queue a command; return its number, or None where too many wait already.

        Raises:
            WireError: the command or one of its values is not allowed by MTL/1.
        """
        encode(Request(self._host, 1, command))
        if len(self._waiting) >= MOST_WAITING:
            return None
        number = self._next
        self._next = number % LAST_NUMBER + 1
        self._waiting.append(Request(self._host, number, command))
        return number

    def tick(self, now: float) -> tuple[bytes, CommandResult | None]:
        """Return what is to be written now, and the outcome of a command that got no answer."""
        if not self._waiting or (self._tries and now < self._due):
            return b"", None
        given_up = None
        if self._tries >= TRIES:
            lost = self._finish()
            text = f"The table did not answer {lost.command.TYPE} after {TRIES} tries."
            given_up = CommandResult(lost.number, lost.command, "no_answer", text)
            if not self._waiting:
                return b"", given_up
        self._tries += 1
        self._due = now + TIMEOUT_S
        return encode(self._waiting[0]), given_up

    def answer(self, reply: Reply) -> CommandResult | None:
        """Take the table's answer; None where it belongs to no waiting command (late, doubled, another's)."""
        if not self._waiting or not self._tries:
            return None
        first = self._waiting[0]
        if (reply.host, reply.number) != (first.host, first.number):
            return None
        self._finish()
        if isinstance(reply, Ok):
            return CommandResult(first.number, first.command, "done", "The table did it.")
        return CommandResult(first.number, first.command, "refused", refusal_text(first.command, reply))

    def drop_all(self, why: str) -> list[CommandResult]:
        """Give up everything that waits, because the table is gone."""
        tried, self._tries = self._tries, 0
        dropped = [
            CommandResult(item.number, item.command, "no_answer" if tried and not index else "not_sent", why)
            for index, item in enumerate(self._waiting)
        ]
        self._waiting.clear()
        return dropped

    def due(self) -> float | None:
        """When `tick` has something to do next; None while nothing waits."""
        if not self._waiting:
            return None
        return self._due if self._tries else 0.0

    def _finish(self) -> Request:
        self._tries = 0
        return self._waiting.popleft()


def refusal_text(command: Command, reply: Err) -> str:
    """Say in one sentence why the table refused."""
    return f"The table refused {command.TYPE}: {_WHY.get(reply.code, reply.code)}."

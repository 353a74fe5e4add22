"""Typing to the simulated table: ``throw 1 3 4``, ``press 2 HU``, ``unplug``; one line in, one line back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import IO

from device.faults import Faults
from device.messages import BUTTONS, FAULTS
from device.notices import seat_name
from device.simulator import SimConfig, SimTable


@dataclass(frozen=True, slots=True)
class _Order:
    usage: str
    says: str
    do: Callable[[SimTable, list[str]], str]


def obey_line(table: SimTable, line: str) -> str:
    """Carry out one typed line; return what to show. A line that makes no sense gets a sentence, never an error."""
    name, *words = line.split() or [""]
    order = _ORDERS.get(name.lower())
    if not name:
        return ""
    if order is None:
        return f"{name} is no order; there are: {', '.join(_ORDERS)}."
    try:
        return order.do(table, words)
    except IndexError:
        return f"{line}: something is missing. Write {order.usage}."
    except ValueError as error:
        return f"{line}: {error}. Write {order.usage}."


def help_text() -> str:
    """Return every order with its use."""
    width = max(len(order.usage) for order in _ORDERS.values())
    return "\n".join(f"{order.usage:<{width}}  {order.says}" for order in _ORDERS.values())


def run_simulator(config: SimConfig, lines: Callable[[], str | None], say: Callable[[str], None]) -> None:
    """Run a simulated table until the lines end; this is ``paiju simulate``.

    Args:
        config: which table.
        lines: returns the next typed line, waiting for it; None at the end.
        say: shows a line to the person.
    """
    with SimTable(config) as table:
        say(f"The simulated table is at {table.address}")
        say(f"Now in another window: paiju run --table {table.address}")
        say("Type help for what it can do, quit to stop.")
        while (line := lines()) is not None and line.strip().lower() not in ("quit", "exit"):
            answer = obey_line(table, line)
            if answer:
                say(answer)


def typed_lines(stream: IO[str]) -> Callable[[], str | None]:
    """Return what reads typed lines. Where nobody types (no terminal), it waits for Ctrl-C after the last line."""

    def next_line() -> str | None:
        line = stream.readline()
        if line or stream.isatty():
            return line or None
        threading.Event().wait()
        return None

    return next_line


def parse_faults(words: Sequence[str]) -> Faults:
    """Read ``lose=0.3 delay_s=0.2`` as a bad line.

    Raises:
        ValueError: an unknown name, no number, or a chance outside 0 to 1; the text says which.
    """
    names = [item.name for item in fields(Faults)]
    given: dict[str, float] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in names:
            raise ValueError(f"{name} is none of {', '.join(names)}")
        try:
            given[name] = float(value)
        except ValueError:
            raise ValueError(f"{word}: write a number after =, such as {name}=0.1") from None
        limit = float("inf") if name.endswith("_s") else 1.0
        if not 0 <= given[name] <= limit:
            raise ValueError(f"{word}: a chance is 0 to 1, a time or a rate is not negative")
    return replace(Faults(), **given)


def _seat(word: str) -> int:
    if word.upper() in ("A", "B", "C", "D"):
        return "ABCD".index(word.upper())
    if word not in ("1", "2", "3", "4"):
        raise ValueError(f"{word} is no seat; seats are A to D, or 1 to 4")
    return int(word) - 1


def _one_of(word: str, allowed: tuple[str, ...]) -> str:
    if word.upper() not in allowed:
        raise ValueError(f"{word} is none of {', '.join(allowed)}")
    return word.upper()


def _throw(table: SimTable, words: list[str]) -> str:
    values = tuple(int(word) for word in words[1:])
    if any(not 1 <= value <= 6 for value in values) or len(values) > 2:
        raise ValueError("dice show 1 to 6, one or two of them")
    seat = _seat(words[0])
    roll = table.throw_dice(seat, values or None)
    return f"Throw {roll} by seat {seat_name(seat)}."


def _press(table: SimTable, words: list[str]) -> str:
    seat, key = _seat(words[0]), _one_of(words[1], BUTTONS)
    table.press(seat, key)
    return f"Seat {seat_name(seat)} pressed {key}."


def _fault(on: bool) -> Callable[[SimTable, list[str]], str]:
    def do(table: SimTable, words: list[str]) -> str:
        code = _one_of(words[0], FAULTS)
        table.fault(code, on=on, stop=True)
        return f"{code} {'began' if on else 'is over'}."

    return do


def _line(table: SimTable, words: list[str]) -> str:
    faults = Faults() if words == ["clean"] else parse_faults(words)
    table.set_faults(faults)
    return "The line is now bad: " + " ".join(words) + "." if faults.any() else "The line is perfect."


def _plain(action: Callable[[SimTable], None], said: str) -> Callable[[SimTable, list[str]], str]:
    def do(table: SimTable, words: list[str]) -> str:
        if words:
            raise ValueError(f"nothing belongs after it, not {' '.join(words)}")
        action(table)
        return said

    return do


def _number(action: Callable[[SimTable, int], None], said: str) -> Callable[[SimTable, list[str]], str]:
    def do(table: SimTable, words: list[str]) -> str:
        count = int(words[0]) if words else 1
        action(table, count)
        return said.format(count)

    return do


def _help(_table: SimTable, _words: list[str]) -> str:
    return help_text()


def _where(table: SimTable, _words: list[str]) -> str:
    state = table.board.state
    walls = "-".join(map(str, state.walls))
    return f"{table.address} deck {state.deck}, top {state.top}, walls {walls}, events kept {table.board.unacked}"


_ORDERS: dict[str, _Order] = {
    "throw": _Order("throw SEAT [A B]", "throw the dice for a seat, to show A and B if given", _throw),
    "void": _Order("void", "take the last throw back", _plain(SimTable.void_throw, "Taken back.")),
    "press": _Order("press SEAT KEY", "press a key: " + " ".join(BUTTONS), _press),
    "build": _Order("build", "wash and stack the tiles inside", _plain(SimTable.build_walls, "Washing.")),
    "lift": _Order("lift", "raise the walls", _plain(SimTable.lift, "Lifting.")),
    "drop": _Order("drop", "open the centre: the hand is over", _plain(SimTable.drop, "Dropped.")),
    "take": _Order("take [N]", "take N tiles from the head of the wall", _number(SimTable.take, "Took {}.")),
    "tail": _Order("tail [N]", "take a tile from the Nth stack of the tail", _number(SimTable.take_tail, "Stack {}.")),
    "fault": _Order("fault CODE", "something breaks: " + " ".join(FAULTS), _fault(True)),
    "clear": _Order("clear CODE", "it is well again", _fault(False)),
    "line": _Order("line [clean | flip=0.1 ...]", "make the line bad: lose flip drop double burst cut swap ...", _line),
    "unplug": _Order("unplug", "pull the cable", _plain(SimTable.unplug, "Unplugged.")),
    "plug": _Order("plug", "put it back", _plain(SimTable.plug_in, "Plugged in.")),
    "hang": _Order("hang", "the port stays open, nothing passes", _plain(SimTable.half_open, "Hanging.")),
    "reboot": _Order("reboot", "restart the board", _plain(SimTable.reboot, "Restarted.")),
    "brownout": _Order("brownout [N]", "restart it N times", _number(SimTable.brown_out_loop, "{} restarts.")),
    "where": _Order("where", "show the address and the state", _where),
    "help": _Order("help", "show this", _help),
}

"""What the table's own lamps and displays show: the scores, and a blinking lamp where the dice are to be thrown.

Paiju never tells a table who may throw: if it were wrong, or not followed, nobody could play.
"""

from __future__ import annotations

from device.messages import Command, Light, Score
from table.snapshot import Snapshot


def panel_commands(before: Snapshot | None, now: Snapshot) -> tuple[Command, ...]:
    """What to send so that the table shows the present; `before` None = it was just connected."""
    commands: list[Command] = []
    was, due = _thrower(before), _thrower(now)
    if was is not None and was != due:
        commands.append(Light(seat=was, mode="off"))
    if due is not None and was != due:
        commands.append(Light(seat=due, mode="blink"))
    points = _points(now)
    if points and (before is None or points != _points(before)):
        commands.append(Score(revision=now.seq, points=points))
    return tuple(commands)


def _thrower(view: Snapshot | None) -> int | None:
    return None if view is None or view.dice_next is None else view.dice_next.by


def _points(view: Snapshot) -> tuple[int, ...]:
    return tuple(seat.total for seat in view.seats)

"""Does what the table says hang together? Doubtful throws, walls, counts and fault storms become notices.

Pure and without rules of mahjong: only what a table could not truthfully say is questioned here. Nothing is
corrected, and a person can overrule everything. Source: ``docs/device-protocol.md#doubts``.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass

from device.messages import Dice, Event, Fault, Lift, Remaining, Snapshot, Stick, Wall
from device.notices import Notice, NoticeCode, seat_name

THROW_S = 10.0
"""A throw that has not ended after this long is reported (the board itself gives up after 8 s)."""
STORM_FAULTS = 5
STORM_S = 10.0
"""More than 5 reports of one fault in 10 s are a storm: the rest is held back and counted."""
REMEMBERED_ROLLS = 32


class Checks:
    """Looks at each event, once, in order; returns what to pass on and what to say about it."""

    def __init__(self) -> None:
        self._allowed: tuple[int, ...] | None = None
        self._open_roll: tuple[Dice, float] | None = None
        self._ended: OrderedDict[int, Dice | None] = OrderedDict()
        self._last_roll: int | None = None
        self._standing: dict[int, int] = {}
        self._storms = FaultLimiter()

    def restart(self) -> None:
        """Forget what was under way: the board started anew."""
        self._open_roll = None
        self._ended.clear()
        self._standing.clear()

    def permit(self, seats: tuple[int, ...]) -> None:
        """Remember whose dice keys were permitted last."""
        self._allowed = seats

    def look(self, event: Event, now: float) -> list[Event | Notice]:
        """Return the event, unless it must not count twice, with the notices that belong to it."""
        if isinstance(event, Dice):
            return self._dice(event, now)
        if isinstance(event, Fault):
            return self._storms.look(event, now)
        if isinstance(event, Wall):
            return [event, *self._wall(event)]
        if isinstance(event, Remaining):
            return [event, *self._remaining(event)]
        if isinstance(event, Stick):
            return [event, *_stick(event)]
        if isinstance(event, Lift):
            self._standing.clear()
        return [event]

    def look_at_snapshot(self, snapshot: Snapshot) -> list[Notice]:
        """Say so where the table knows of a later throw than the last one that reached us."""
        before, newest = self._last_roll, snapshot.roll
        if before is None or newest is None or newest <= before or snapshot.dice_phase != "SETTLED":
            return []
        self._last_roll = newest
        shown = "unknown dice" if snapshot.values is None else "-".join(map(str, snapshot.values))
        text = f"Throw {newest} ({shown}) was missed while the line was down: enter it by hand if it counts."
        return [Notice(NoticeCode.DICE_MISSED, text, ask=True, roll=newest, count=newest - before)]

    def tick(self, now: float) -> list[Event | Notice]:
        """Return what became due by waiting: an unfinished throw, the end of a storm."""
        found: list[Event | Notice] = list(self._storms.tick(now))
        if self._open_roll is not None and now - self._open_roll[1] > THROW_S:
            found.append(_unfinished(self._open_roll[0]))
            self._open_roll = None
        return found

    def _dice(self, dice: Dice, now: float) -> list[Event | Notice]:
        if dice.phase == "start":
            before, self._open_roll = self._open_roll, (dice, now)
            unfinished = before is not None and before[0].roll != dice.roll
            return [*([_unfinished(before[0])] if before and unfinished else []), dice]
        started = self._open_roll is not None and self._open_roll[0].roll == dice.roll
        if started:
            self._open_roll = None
        ended = self._ended.get(dice.roll)
        if dice.phase == "void":
            self._remember(dice.roll, None)
            return [dice, *([_taken_back(dice)] if ended else [])]
        if ended is not None:
            return [_repeated(dice, ended)]
        self._remember(dice.roll, dice)
        self._last_roll = max(dice.roll, self._last_roll or 0)
        return [dice, *self._doubts(dice, started)]

    def _doubts(self, dice: Dice, started: bool) -> list[Notice]:
        found = []
        if not started:
            text = f"Throw {dice.roll} ended without having begun; the values may be from an earlier throw."
            found.append(_about(NoticeCode.DICE_NO_START, text, dice, ask=False))
        if dice.values is None:
            text = f"The table noticed throw {dice.roll} but cannot read the dice: enter the values by hand."
            found.append(_about(NoticeCode.DICE_UNKNOWN, text, dice))
        if dice.by_seat is None and (self._allowed is None or len(self._allowed) != 1):
            text = f"The table does not know who made throw {dice.roll}: say who threw."
            found.append(_about(NoticeCode.DICE_NO_SEAT, text, dice))
        if dice.by_seat is not None and self._allowed is not None and dice.by_seat not in self._allowed:
            text = f"Seat {seat_name(dice.by_seat)} made throw {dice.roll} out of turn: keep it or throw again."
            found.append(_about(NoticeCode.DICE_WRONG_SEAT, text, dice))
        return found

    def _remember(self, roll: int, dice: Dice | None) -> None:
        self._ended[roll] = dice
        self._ended.move_to_end(roll)
        if len(self._ended) > REMEMBERED_ROLLS:
            self._ended.popitem(last=False)

    def _wall(self, wall: Wall) -> list[Notice]:
        self._standing.clear()
        expected = wall.tiles if wall.tiles is not None else wall.gear
        if wall.walls is None or expected is None or 2 * sum(wall.walls) == expected:
            return []
        counted = "+".join(map(str, wall.walls))
        text = (
            f"The walls {counted} stacks make {2 * sum(wall.walls)} tiles, the table says {expected}: count the walls."
        )
        return [Notice(NoticeCode.WALL_SUM, text, ask=True, event=wall.id)]

    def _remaining(self, rem: Remaining) -> list[Notice]:
        tiles = 2 * rem.stacks + rem.odd
        before = self._standing.get(rem.side, tiles)
        self._standing[rem.side] = tiles
        if tiles <= before:
            return []
        text = (
            f"The wall before seat {seat_name(rem.side)} rose from {before} to {tiles} tiles: its sensor may be dirty."
        )
        return [Notice(NoticeCode.REM_RISES, text, event=rem.id, seat=rem.side)]


@dataclass(slots=True)
class _Storm:
    times: deque[float]
    held: Fault | None = None
    held_count: int = 0
    last_at: float = 0.0


class FaultLimiter:
    """Passes a fault on, but not the same one dozens of times; the newest state is never swallowed."""

    def __init__(self) -> None:
        self._storms: dict[tuple[str, int | None, str], _Storm] = {}

    def look(self, fault: Fault, now: float) -> list[Event | Notice]:
        """Return the fault, or nothing while it storms (and a notice when the storm begins)."""
        key = (fault.code, fault.side, fault.part)
        storm = self._storms.setdefault(key, _Storm(deque(maxlen=STORM_FAULTS)))
        full = len(storm.times) == STORM_FAULTS and now - storm.times[0] < STORM_S
        if not full and storm.held is None:
            storm.times.append(now)
            return [fault]
        first = storm.held is None
        storm.held, storm.held_count, storm.last_at = fault, storm.held_count + 1, now
        if not first:
            return []
        text = f"The table reports {fault.code} over and over; further reports are held back until it is quiet."
        return [Notice(NoticeCode.FAULT_STORM, text, event=fault.id, seat=fault.side)]

    def tick(self, now: float) -> list[Event | Notice]:
        """Return the last state of each fault whose storm is over, with the number that was held back."""
        found: list[Event | Notice] = []
        for key, storm in list(self._storms.items()):
            quiet_since = storm.last_at if storm.held else storm.times[-1]
            if now - quiet_since < STORM_S:
                continue
            if storm.held is not None:
                text = f"{storm.held_count} reports of {storm.held.code} were held back; this is the last."
                found.append(Notice(NoticeCode.FAULT_STORM, text, event=storm.held.id, count=storm.held_count))
                found.append(storm.held)
            del self._storms[key]
        return found


def _about(code: NoticeCode, text: str, dice: Dice, ask: bool = True) -> Notice:
    return Notice(code, text, ask=ask, event=dice.id, seat=dice.by_seat, roll=dice.roll)


def _unfinished(dice: Dice) -> Notice:
    text = f"Throw {dice.roll} began and never ended: look at the dice and enter them, or throw again."
    return _about(NoticeCode.DICE_UNFINISHED, text, dice)


def _taken_back(dice: Dice) -> Notice:
    text = f"The table took throw {dice.roll} back after it had counted: throw again, or keep it by hand."
    return _about(NoticeCode.DICE_TAKEN_BACK, text, dice)


def _repeated(dice: Dice, before: Dice) -> Notice:
    if dice.values == before.values:
        text = f"The table reported throw {dice.roll} twice; it counts once."
        return _about(NoticeCode.DICE_REPEATED, text, dice, ask=False)
    text = f"The table reported throw {dice.roll} as {_pips(before)} and then as {_pips(dice)}: say which is right."
    return _about(NoticeCode.DICE_REPEATED, text, dice)


def _pips(dice: Dice) -> str:
    return "?" if dice.values is None else "-".join(map(str, dice.values))


def _stick(stick: Stick) -> list[Notice]:
    counted = sum(worth * count for worth, count in stick.counts)
    if not stick.counts or counted == stick.points:
        return []
    text = (
        f"Seat {seat_name(stick.seat)}'s sticks add up to {counted}, the tray says {stick.points}: count them by hand."
    )
    return [Notice(NoticeCode.STICK_SUM, text, ask=True, event=stick.id, seat=stick.seat)]

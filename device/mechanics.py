"""The works of a simulated automatic table: it washes, stacks and lifts tiles, shakes dice, counts walls, jams.

Everything is steered by method calls and by players' keys; chance comes from the generator handed in, and time from
`tick`. ``pace`` makes the works (not the protocol) run faster. Seats are 0 to 3.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Generator
from random import Random

from device.board import Board
from device.messages import Beep, Button, Command, Deal, Dice, Fault, Lift, Light, Remaining, Roll, Score, Stick, Wall
from device.simwall import SimWall

WASH_S = 20.0
STACK_S = 40.0
LIFT_S = 3.0
SHAKE_S = 1.5
DEBOUNCE_S = 0.5
STICK_VALUES = (10_000, 5_000, 1_000, 100)
GEAR_WALLS = {
    108: (14, 13, 14, 13),
    112: (14, 14, 14, 14),
    120: (15, 15, 15, 15),
    136: (17, 17, 17, 17),
    144: (18, 18, 18, 18),
}
"""Stacks before seats 0 to 3 for each number of tiles a gear builds."""

Script = Generator[float, None, None]
"""A play in steps: each yields the seconds (at pace 1) until it wants to go on."""


class Mechanics:
    """One table's works, writing its state and events to ``board``."""

    def __init__(self, board: Board, rng: Random, pace: float = 1.0) -> None:
        self.board = board
        self.rng = rng
        self.pace = pace
        self.now = 0.0
        self.wall = SimWall((0, 0, 0, 0))
        self.allowed: Roll | None = None
        self.lights: dict[int, str] = {}
        self.scores: Score | None = None
        self.beeps = 0
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._build = 0
        self._throw_running = False
        self._changed: set[int] = set()

    # --- time -----------------------------------------------------------------------------------------------------

    def tick(self, now: float) -> bytes:
        """Let time pass; return the bytes the board sends."""
        self.now = now
        while self._due and self._due[0][0] <= now:
            heapq.heappop(self._due)[2]()
        return self.board.tick(now)

    def later(self, delay_s: float, action: Callable[[], None]) -> None:
        """Do something after ``delay_s`` of table time."""
        self._count += 1
        heapq.heappush(self._due, (self.now + delay_s / self.pace, self._count, action))

    def play(self, script: Script) -> None:
        """Let a script run beside everything else until it ends."""

        def go_on() -> None:
            wait = next(script, None)
            if wait is not None:
                self.later(wait, go_on)

        self.later(0.0, go_on)

    # --- the works ------------------------------------------------------------------------------------------------

    def build_walls(self, gear: int | None = None) -> None:
        """Wash and stack the inner set; a WALL event follows when it is ready."""
        state = self.board.state
        state.gear = gear or state.gear
        state.deck = "WASH"
        self._build += 1
        build = self._build
        self.later(WASH_S, lambda: self._stack(build))
        self.later(WASH_S + STACK_S, lambda: self._ready(build))

    def lift(self, by: int | None = None) -> None:
        """Raise the walls that are ready; a full table drops the used tiles first (see `drop`)."""
        state = self.board.state
        state.top = "LIFTING"
        self._lifted("LIFTING", by)
        self.later(LIFT_S, lambda: self._up(by))

    def drop(self, by: int | None = None) -> None:
        """Open the centre: the used tiles fall in and are washed, ready walls come up when asked."""
        state = self.board.state
        state.top, state.tiles = "DROP", state.gear
        self.wall = SimWall((0, 0, 0, 0))
        state.walls = self.wall.stacks
        self._lifted("DROP", by)

        def closed() -> None:
            if state.top == "DROP":
                state.top = "CLEAR"

        self.later(LIFT_S, closed)

    def throw_dice(self, seat: int | None = 0, values: tuple[int, ...] | None = None, known: bool = True) -> int:
        """Shake the dice for a seat; return the roll number. ``values`` are what the dice show in the end.

        A demonstration or a test may choose them here, at the dice; nothing on the wire can.
        """
        state = self.board.state
        count = len(values) if values else (self.allowed.dice if self.allowed else 2)
        shown = values or tuple(self.rng.randint(1, 6) for _ in range(count))
        state.roll += 1
        roll = state.roll
        state.dice_phase = "ROLLING"
        self._throw_running = True
        self.board.emit(Dice, self.now, roll=roll, phase="start", count=count, by_seat=seat, source="elec")

        def settled() -> None:
            self._throw_running = False
            state.values, state.dice_phase = (shown if known else None), "SETTLED"
            self.board.emit(
                Dice,
                self.now,
                roll=roll,
                phase="end",
                count=count,
                values=state.values,
                by_seat=seat,
                source="elec",
                quality=100 if known else 0,
            )

        self.later(SHAKE_S, settled)
        return roll

    def void_throw(self) -> None:
        """A die leans on the wall: the last throw is taken back."""
        state = self.board.state
        state.values, state.dice_phase = None, "IDLE"
        self.board.emit(Dice, self.now, roll=state.roll, phase="void", by_seat=None, source="elec")

    def open_wall(self, side: int, count: int) -> None:
        """Break the wall behind ``count`` stacks from the right of ``side``; nothing moves yet."""
        self.wall.open(side, count)

    def take(self, tiles: int = 1) -> None:
        """Tiles leave the head of the wall."""
        self._took(self.wall.take_head(tiles))

    def take_tail(self, stack: int = 1) -> None:
        """A tile leaves the tail, from its ``stack``-th stack; not the first one leaves a hole."""
        self._took(self.wall.take_tail(stack))

    # --- players --------------------------------------------------------------------------------------------------

    def press(self, seat: int, key: str, act: str = "down") -> None:
        """A player presses a key. DICE throws if it is allowed; LIFT moves the centre unless it is locked."""
        self.board.emit(Button, self.now, seat=seat, key=key, act=act)
        if self.board.locked(self.now):
            return
        if key == "DICE" and not self._throw_running and (self.allowed is None or seat in self.allowed.allow):
            self.throw_dice(seat)
        if key == "LIFT":
            (self.drop if self.board.state.top == "UP" else self.lift)(seat)

    def set_sticks(self, seat: int, points: int) -> None:
        """A seat's tray now holds ``points``."""
        counts = []
        rest = points
        for worth in STICK_VALUES:
            counts.append((worth, rest // worth))
            rest %= worth
        self.board.emit(Stick, self.now, seat=seat, points=points - rest, counts=tuple(counts), source="rfid")

    def set_dealer(self, dealer: int, honba: int = 0) -> None:
        """The dealer lamp moves."""
        self.board.state.dealer, self.board.state.honba = dealer, honba
        self.board.emit(Deal, self.now, dealer=dealer, honba=honba)

    def fault(self, code: str, on: bool = True, side: int | None = None, part: str = "", stop: bool = False) -> None:
        """Something gets stuck (``stop``: the works halt), or is well again; then a snapshot follows."""
        state = self.board.state
        name = f"{code}.{part}" if part else code
        if on and name not in state.faults:
            state.faults.append(name)
        if not on and name in state.faults:
            state.faults.remove(name)
        severity = "stop" if stop else "info"
        self.board.emit(Fault, self.now, code=code, on=on, severity=severity, side=side, part=part)
        if stop:
            state.deck = "FAULT" if on else "READY"
        if not on:
            self.board.send_snapshot(self.now)

    def obey(self, command: Command) -> str | None:
        """Carry out what may be asked of a table; nothing here touches dice values, tiles or motors."""
        if isinstance(command, Roll):
            if self._throw_running:
                return "BUSY"
            self.allowed = command
        elif isinstance(command, Light):
            self.lights[command.seat] = command.mode
        elif isinstance(command, Score):
            if self.scores is None or command.revision >= self.scores.revision:
                self.scores = command
        elif isinstance(command, Beep):
            self.beeps += command.times
        return None

    # --- inside ---------------------------------------------------------------------------------------------------

    def _stack(self, build: int) -> None:
        if build == self._build and self.board.state.deck == "WASH":
            self.board.state.deck = "STACK"

    def _ready(self, build: int) -> None:
        state = self.board.state
        if build != self._build or state.deck != "STACK":
            return
        state.deck, state.tiles = "READY", state.gear
        self._wall_event(GEAR_WALLS.get(state.gear, (0, 0, 0, 0)))

    def _up(self, by: int | None) -> None:
        state = self.board.state
        state.top = "UP"
        self.wall = SimWall(GEAR_WALLS.get(state.gear, (0, 0, 0, 0)))
        state.walls = self.wall.stacks
        self._lifted("UP", by)
        self._wall_event(self.wall.stacks)

    def _lifted(self, top: str, by: int | None) -> None:
        self.board.emit(Lift, self.now, top=top, deck=self.board.state.deck, by_seat=by)

    def _wall_event(self, walls: tuple[int, ...]) -> None:
        state = self.board.state
        self.board.emit(Wall, self.now, walls=walls, tiles=state.tiles, gear=state.gear, source="count", quality=100)

    def _took(self, sides: set[int]) -> None:
        if not self._changed:
            self.later(DEBOUNCE_S, self._report_walls)
        self._changed |= sides

    def _report_walls(self) -> None:
        counts = [self.wall.side(side) for side in range(4)]
        self.board.state.walls = tuple(stacks + odd for stacks, odd, _ in counts)
        for side in sorted(self._changed):
            stacks, odd, end = counts[side]
            self.board.emit(Remaining, self.now, side=side, stacks=stacks, odd=odd, end=end, source="beam")
        self._changed.clear()

"""A whole mahjong table without the table: seeded, as fast as you like, and as badly wired as you like.

`SimTable` runs in a thread of its own and is reached through a pseudo-terminal, a TCP port or memory. It plays whole
evenings by itself, or does exactly what a test or a person tells it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import TracebackType
from typing import TypeVar

from device.board import Board, Identity
from device.evening import EveningPlan, evening
from device.faults import Faults, FaultyLine
from device.mechanics import Mechanics
from device.messages import Command
from device.simports import MemoryPort, PtyPort, SimPort, TcpPort

ROUND_S = 0.01
BOOT_LOG = b"ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class SimConfig:
    """What kind of simulated table.

    Attributes:
        seed: the same seed gives the same evening.
        pace: how much faster the works and the players are than real ones; the protocol keeps its own time.
        listen: ``pty``, ``memory`` or ``HOST:PORT``.
        link: a stable name for the pseudo-terminal.
        faults: how bad the line is, in both directions.
        identity: who the board says it is.
        plan: the evening to play by itself; None waits to be steered.
    """

    seed: int = 1
    pace: float = 1.0
    listen: str = "pty"
    link: Path | None = None
    faults: Faults = field(default_factory=Faults)
    identity: Identity = field(default_factory=Identity)
    plan: EveningPlan | None = None


class SimTable:
    """A simulated table in a thread of its own; every method may be called from any thread.

    ``with SimTable(SimConfig(seed=7)) as table: ... table.address``
    """

    def __init__(self, config: SimConfig | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.config = config or SimConfig()
        self._clock = clock
        self._rng = Random(self.config.seed)
        self.board = Board(self.config.identity, Random(self._rng.random()), self._obey)
        self.works = Mechanics(self.board, Random(self._rng.random()), self.config.pace)
        line_rng = Random(self._rng.random())
        self._to_host = FaultyLine(self.config.faults, line_rng)
        self._to_board = FaultyLine(self.config.faults, line_rng)
        self.port: SimPort = _port(self.config)
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._powered = self._plugged = True
        self._half_open = self._cut_next_frame = False
        self._thread = threading.Thread(target=self._run, name="sim-table", daemon=True)
        self._power_on("pwr")
        if self.config.plan is not None:
            self.works.play(evening(self.works, self.config.plan))

    @property
    def address(self) -> str:
        """What to give to ``--table``: a path, ``socket://...`` or ``memory``."""
        return self.port.address

    def start(self) -> SimTable:
        """Start the table's thread; return the table."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop the thread and remove the port."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        with self._lock:
            self.port.unplug()

    def __enter__(self) -> SimTable:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- steering the works -----------------------------------------------------------------------------------------

    def build_walls(self, gear: int | None = None) -> None:
        """Wash and stack the tiles inside."""
        self._do(lambda: self.works.build_walls(gear))

    def lift(self, by: int | None = None) -> None:
        """Raise the walls."""
        self._do(lambda: self.works.lift(by))

    def drop(self, by: int | None = None) -> None:
        """Open the centre for the used tiles: the hand is over."""
        self._do(lambda: self.works.drop(by))

    def throw_dice(self, seat: int | None = 0, values: tuple[int, ...] | None = None, known: bool = True) -> int:
        """Throw for a seat; ``values`` chooses what the dice show, for demonstrations and tests only."""
        return self._do(lambda: self.works.throw_dice(seat, values, known))

    def void_throw(self) -> None:
        """Take the last throw back (a cocked die)."""
        self._do(self.works.void_throw)

    def press(self, seat: int, key: str, act: str = "down") -> None:
        """Press a seat's key, such as ``HU``, ``PENG``, ``DICE`` or ``LIFT``."""
        self._do(lambda: self.works.press(seat, key, act))

    def open_wall(self, side: int, count: int) -> None:
        """Break the wall behind ``count`` stacks from the right of ``side``."""
        self._do(lambda: self.works.open_wall(side, count))

    def take(self, tiles: int = 1) -> None:
        """Take tiles from the head of the wall."""
        self._do(lambda: self.works.take(tiles))

    def take_tail(self, stack: int = 1) -> None:
        """Take a tile from the ``stack``-th stack of the tail."""
        self._do(lambda: self.works.take_tail(stack))

    def set_sticks(self, seat: int, points: int) -> None:
        """Put ``points`` in sticks into a seat's tray."""
        self._do(lambda: self.works.set_sticks(seat, points))

    def set_dealer(self, dealer: int, honba: int = 0) -> None:
        """Move the dealer lamp."""
        self._do(lambda: self.works.set_dealer(dealer, honba))

    def fault(self, code: str, on: bool = True, side: int | None = None, part: str = "", stop: bool = False) -> None:
        """Let something get stuck, or be well again."""
        self._do(lambda: self.works.fault(code, on, side, part, stop))

    # --- steering the misfortunes ------------------------------------------------------------------------------------

    def set_faults(self, faults: Faults) -> None:
        """Make the line better or worse from now on."""

        def change() -> None:
            self._to_host.faults = self._to_board.faults = faults

        self._do(change)

    def unplug(self, mid_frame: bool = False) -> None:
        """Pull the cable out; ``mid_frame`` sends half of the next frame first."""

        def pull() -> None:
            self._cut_next_frame = mid_frame
            if not mid_frame:
                self._pull()

        self._do(pull)

    def plug_in(self, link: Path | None = None) -> None:
        """Put the cable back; ``link`` gives the port another name."""

        def put() -> None:
            self._cut_next_frame = False
            if link is not None and isinstance(self.port, PtyPort):
                self.port.rename(link)
            self.port.plug_in()
            self._plugged = True

        self._do(put)

    def half_open(self, on: bool = True) -> None:
        """The port stays open but no byte passes any more, as with a hung USB hub."""

        def hang() -> None:
            self._half_open = on
            self._to_host.clear()
            self._to_board.clear()

        self._do(hang)

    def reboot(self, reset: str = "wdt") -> None:
        """The board restarts: unconfirmed events are gone, numbers start at 1, a boot log is on the line."""
        self._do(lambda: self._power_on(reset))

    def brown_out_loop(self, times: int = 5, every_s: float = 2.0) -> None:
        """The supply is too weak: the board restarts ``times`` times."""
        self.reboot("brown")
        if times > 1:
            self._do(lambda: self._later(every_s, lambda: self.brown_out_loop(times - 1, every_s)))

    # --- inside -----------------------------------------------------------------------------------------------------

    def _do(self, action: Callable[[], _T]) -> _T:
        with self._lock:
            self.works.now = self._clock()
            return action()

    def _later(self, delay_s: float, action: Callable[[], None]) -> None:
        self.works.later(delay_s * self.config.pace, action)

    def _obey(self, command: Command) -> str | None:
        return self.works.obey(command)

    def _power_on(self, reset: str) -> None:
        now = self._clock()
        self.works.now = now
        self.board.start(now, reset)
        self._to_host.send(BOOT_LOG, now)

    def _pull(self) -> None:
        self.port.unplug()
        self._plugged = False
        self._to_host.clear()
        self._to_board.clear()

    def _run(self) -> None:
        while not self._stop.is_set():
            if self._plugged:
                self._round(self.port.receive(ROUND_S))
            else:
                self._stop.wait(ROUND_S)
                self._round(b"")

    def _round(self, data: bytes) -> None:
        with self._lock:
            now = self._clock()
            self._to_board.send(data, now)
            heard = self._to_board.receive(now)
            if heard and not self._half_open:
                self.board.feed(heard, now)
            sent = self.works.tick(now)
            if not self._plugged or self._half_open:
                return
            self._to_host.send(sent, now)
            out = self._to_host.receive(now)
            if self._cut_next_frame and out:
                self.port.send(out[: max(1, len(out) // 2)])
                self._cut_next_frame = False
                self._pull()
            else:
                self.port.send(out)


def _port(config: SimConfig) -> SimPort:
    if config.listen == "pty":
        return PtyPort(config.link)
    if config.listen == "memory":
        return MemoryPort()
    host, _, number = config.listen.rpartition(":")
    if not host or not number.isdigit():
        raise ValueError(f"{config.listen!r} is no place to listen: write pty, memory or HOST:PORT.")
    return TcpPort(host, int(number))

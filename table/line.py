"""The table's own line: what it tells becomes commands and hints, and what is shown on it follows the game.

Owned by the inbox thread (`table.runtime`), which hands in each message; `table.bridge` knows what a message means.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from device.notices import Notice
from table import commands
from table.bridge import (
    DealerLamp,
    FaultChange,
    Heard,
    LookNow,
    Meaning,
    ThatTable,
    TilesLeft,
    boot_of,
    meaning,
    notice_sentence,
)
from table.health import Health
from table.line_memory import LineMemory
from table.panel import panel_commands
from table.parts import Clock, Link, LinkMaker
from table.scribe import Scribe
from table.snapshot import Snapshot

ASK_S, NOTICE_S = 60.0, 20.0
"""How long a notice of the table's line stays on the pages: one that asks something, and one that only tells."""

_DAY_MS = 86_400_000


class Line:
    """One table's line, whether or not a table is connected to it."""

    def __init__(
        self, memory: LineMemory, clock: Clock, health: Health, scribe: Scribe, look_now: Callable[[], None]
    ) -> None:
        """Get ready.

        Args:
            memory: what is remembered of the line between two starts.
            clock: time, for the day on which an event was heard.
            health: is told what is stuck in the table.
            scribe: writes down what the table reports.
            look_now: called when the table gives a sign that a hand lies open.
        """
        self._memory = memory
        self._clock = clock
        self._health = health
        self._scribe = scribe
        self._look_now = look_now
        self._link: Link | None = None
        self._left: dict[int, int] = {}

    @property
    def link(self) -> Link | None:
        """The connection; None while there is none."""
        return self._link

    @property
    def counted(self) -> int | None:
        """How many tiles the table itself counts in its wall; None until all four sides have told."""
        return sum(self._left.values()) if len(self._left) == 4 else None

    def connect(self, make: LinkMaker | None, told: Callable[[Any], None]) -> None:
        """Begin to talk, if there is a line and it is not in use already; `told` is called with each message."""
        if self._link is None and make is not None:
            self._link = make(told)
            self._link.start()

    def let_go(self) -> Link | None:
        """Give up the connection, for the caller to close; None if there is none."""
        link, self._link = self._link, None
        return link

    def hear(self, told: object) -> None:
        """Take in what the line says: a notice of its own, or a message from the table."""
        if isinstance(told, Notice):
            self._notice(told)
            return
        day, boot = str(self._clock.wall_ms() // _DAY_MS), boot_of(told)
        if boot is not None:
            day = self._memory.day_of(boot, day)
        for one in meaning(told, day):
            self._means(one)

    def show(self, before: Snapshot | None, now: Snapshot) -> None:
        """Keep the table's lamps and score display in step; a table that was just connected gets everything."""
        if self._link is None or now.devices.table.state != "live":
            return
        known = before if before is not None and before.devices.table.state == "live" else None
        for command in panel_commands(known, now):
            self._link.send(command)

    def _notice(self, notice: Notice) -> None:
        sentence = notice_sentence(notice)
        if sentence is not None:
            self._health.tell(f"notice:{notice.code.value}", "table", sentence, ASK_S if notice.ask else NOTICE_S)

    def _means(self, one: Meaning) -> None:
        match one:
            case LookNow():
                self._look_now()
            case TilesLeft(side=side, tiles=tiles):
                self._left[side] = tiles
            case DealerLamp(seat=seat):
                self._health.lamp(seat)
            case ThatTable(uid=uid):
                self._memory.note(uid=uid)
            case Heard(event=event):
                self._memory.note(last=event)
            case FaultChange(code=code, on=on, sentence=sentence, side=side):
                name = f"fault:{code}:{side}"
                self._health.mended(name)
                if on:
                    self._health.tell(name, "table", sentence)
            case _:
                if isinstance(one, commands.Walls):
                    self._left.clear()
                self._scribe.report(one)

"""What the pages see: the game, the devices and the problems in one snapshot, made anew when anything in it changed."""

from __future__ import annotations

from dataclasses import replace

from table.core import TableCore
from table.eyes import Looker
from table.health import Health, devices
from table.hub import Hub, Subscription
from table.line import Line
from table.sight import Sight
from table.snapshot import Snapshot
from table.view import Live, snapshot


class Publication:
    """Keeps everybody who watches the table, and the table's own displays, in step with the game."""

    def __init__(self, core: TableCore, health: Health, looker: Looker, line: Line, sight: Sight) -> None:
        self._core = core
        self._health = health
        self._looker = looker
        self._line = line
        self._sight = sight
        self._hub = Hub()
        self._live = Live()
        self._history, self._rewritten = core.state.history, core.state.seq
        self.refresh()

    @property
    def latest(self) -> Snapshot:
        """The newest snapshot."""
        latest = self._hub.latest
        if latest is None:
            raise RuntimeError("the first snapshot is published when this is made")
        return latest

    def subscribe(self) -> Subscription:
        """A place to wait for snapshots."""
        return self._hub.subscribe()

    def close(self) -> None:
        """Wake everybody for the last time."""
        self._hub.close()

    def refresh(self) -> None:
        """Publish the table as it is now, unless nothing has changed since the last time."""
        history = self._core.state.history
        if any(before is not now for before, now in zip(self._history, history, strict=False)):
            self._rewritten = self._core.state.seq
        self._history = history
        live, latest = self._now(), self._hub.latest
        if latest is not None and latest.seq == self._core.state.seq and live == self._live:
            return
        self._live = replace(live, rev=live.rev + 1)
        now = snapshot(self._core.state, self._live, self._core.rulebook())
        self._hub.publish(now)
        self._line.show(latest, now)

    def _now(self) -> Live:
        """What is not in the ledger: devices, problems, what the camera sees; with the number last published."""
        camera, link, counted = self._sight.camera, self._line.link, self._line.counted
        return Live(
            rev=self._live.rev,
            problems=self._health.problems(camera, link, counted),
            devices=devices(camera, link, self._looker.pace),
            reading=self._looker.busy,
            wall_left=counted,
            table=self._sight.table,
            pace=self._sight.pace,
            rewritten=self._rewritten,
        )

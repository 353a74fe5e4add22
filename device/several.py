"""Several sources of one table, such as the table's line and a dice camera, as one source.

Source: ``docs/device-protocol.md#two-sources``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future

from device.linkstate import LinkState, LinkStatus
from device.merge import ThrowMerger
from device.messages import Command, Dice, FromTable
from device.notices import Notice
from device.requests import CommandResult
from device.sources import OnMessage, TableSource


class SeveralSources:
    """Passes on what every source says; a throw that several of them saw counts once, and a disagreement asks.

    Args:
        makers: each source by its name, made from what to call with its messages; the first one takes commands.
        on_message: called with each message and notice, by one thread at a time.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        makers: Mapping[str, Callable[[OnMessage], TableSource]],
        on_message: OnMessage,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._on_message = on_message
        self._clock = clock
        self._merger = ThrowMerger()
        self._turn = threading.Lock()
        self._sources = [make(self._listener(name)) for name, make in makers.items()]

    def start(self) -> SeveralSources:
        """Start every source; return this one."""
        for source in self._sources:
            source.start()
        return self

    def close(self) -> None:
        """Let all of them go."""
        for source in self._sources:
            source.close()

    def send(self, command: Command) -> Future[CommandResult]:
        """Send a command to the first source."""
        return self._sources[0].send(command)

    def status(self) -> LinkStatus:
        """Return the first source that is not live, so that none fails unseen; otherwise the first of all."""
        found = [source.status() for source in self._sources]
        return next((status for status in found if status.state is not LinkState.LIVE), found[0])

    def _listener(self, name: str) -> OnMessage:
        def hear(item: FromTable | Notice) -> None:
            with self._turn:
                counts = self._merger.look(name, item, self._clock()) if isinstance(item, Dice) else [item]
                for one in counts:
                    self._on_message(one)

        return hear

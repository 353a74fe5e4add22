"""Who watches the table: every subscriber always gets the newest whole snapshot, never a backlog."""

from __future__ import annotations

import threading
from collections.abc import Callable

from table.snapshot import Snapshot


class Hub:
    """Holds the newest snapshot and wakes everybody who waits for it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._latest: Snapshot | None = None
        self._closed = False

    def publish(self, snapshot: Snapshot) -> None:
        """Make this the newest snapshot; never waits for a slow subscriber."""
        with self._changed:
            self._latest = snapshot
            self._changed.notify_all()

    @property
    def latest(self) -> Snapshot | None:
        """The newest snapshot; None before the first."""
        with self._changed:
            return self._latest

    def close(self) -> None:
        """Wake everybody for the last time."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def subscribe(self) -> Subscription:
        """A new subscriber; it gets the present snapshot first."""
        return Subscription(self)

    def wait_after(self, rev: int, timeout_s: float, wanted: Callable[[], bool] = lambda: True) -> Snapshot | None:
        """The newest snapshot if it is newer than `rev`, waiting at most so long; None if nothing new came.

        It stops waiting when nobody wants it any more; call `wake` to have it look.
        """

        def news() -> bool:
            return self._closed or not wanted() or (self._latest is not None and self._latest.rev > rev)

        with self._changed:
            self._changed.wait_for(news, timeout_s)
            latest = self._latest
        return latest if latest is not None and latest.rev > rev else None

    def wake(self) -> None:
        """Let everybody who waits look whether he is still wanted."""
        with self._changed:
            self._changed.notify_all()

    @property
    def closed(self) -> bool:
        """Whether nothing more will come."""
        return self._closed


class Subscription:
    """One subscriber's place: remembers what it has seen."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._rev = -1
        self._open = True

    def get(self, timeout_s: float) -> Snapshot | None:
        """The newest snapshot if there is one this subscriber has not seen; None after the timeout or when closed."""
        if not self._open:
            return None
        snapshot = self._hub.wait_after(self._rev, timeout_s, lambda: self._open)
        if not self._open:
            return None
        if snapshot is not None:
            self._rev = snapshot.rev
        return snapshot

    @property
    def open(self) -> bool:
        """Whether more may come: False after `close`, and when the table has been stopped."""
        return self._open and not self._hub.closed

    def close(self) -> None:
        """Leave; whoever waits here returns at once, also when another thread says so."""
        self._open = False
        self._hub.wake()

"""What the pages need from the running table, so that tests can hand in a stand-in for `table.runtime`."""

from __future__ import annotations

from typing import Protocol

from table.commands import Command
from table.decision import Accepted, Rejected
from table.ledger import Entry
from table.model import Actor
from table.snapshot import Snapshot


class Subscription(Protocol):
    """One viewer's place: holds the latest state that this viewer has not seen yet."""

    def get(self, timeout_s: float) -> Snapshot | None:
        """The latest unseen state, or None when nothing changed for that long.

        None at once means that nothing more will come."""
        ...

    def close(self) -> None:
        """Leave."""
        ...


class Table(Protocol):
    """The running table as the pages see it."""

    def snapshot(self) -> Snapshot:
        """The present state, with everything that only a referee may see."""
        ...

    def submit(self, command: Command) -> Accepted | Rejected:
        """Do one thing."""
        ...

    def submit_photo(self, data: bytes, actor: Actor, idem: str) -> Accepted | Rejected:
        """Read the claimed hand from a photograph; the reading arrives later through the state."""
        ...

    def evidence(self, picture_id: str) -> bytes | None:
        """A kept picture as JPEG, or None."""
        ...

    def was_let_go(self, picture: str) -> bool:
        """Whether a picture that is missing was removed on purpose because of its age."""
        ...

    def entries(self, after: int = 0) -> tuple[Entry, ...]:
        """The entries of the ledger after this number, oldest first.

        Raises:
            LedgerError: the ledger cannot be read.
        """
        ...

    def subscribe(self) -> Subscription:
        """Follow the state from now on."""
        ...

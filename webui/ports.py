"""What the pages need from the running table, so that tests can hand in a stand-in for `table.runtime`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from table.commands import Command
from table.model import Actor
from table.sentences import Sentence
from table.snapshot import Snapshot


class Accepted(Protocol):
    """A command that was carried out."""

    @property
    def seq(self) -> int:
        """The ledger entry after which the command holds."""
        ...

    @property
    def changes(self) -> Sequence[Mapping[str, Any]]:
        """For a correction: what it changes, hand by hand."""
        ...


@runtime_checkable
class Rejected(Protocol):
    """A command that was not carried out, and why."""

    @property
    def sentence(self) -> Sentence:
        """The reason, as a key with values (for three languages) and in English."""
        ...


class Subscription(Protocol):
    """One viewer's place: holds the latest state that this viewer has not seen yet."""

    def get(self, timeout_s: float) -> Snapshot | None:
        """The latest unseen state, or None when nothing changed for that long."""
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

    def subscribe(self) -> Subscription:
        """Follow the state from now on."""
        ...

"""Every event once and in order, for each start of the board; what is missing is named, never guessed.

The board numbers its events from 1 after each start ("boot") and repeats them until they are acknowledged.
`EventInbox` decides which to take. Source: ``docs/device-protocol.md#delivery``.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, fields, replace
from enum import Enum
from zlib import crc32

from device.messages import Snapshot
from device.notices import Notice, NoticeCode
from device.wire import EventId

REMEMBERED = 128
"""Taken events whose content is remembered, to notice a board that restarted under the same boot id."""
RETIRED_S = 5.0
"""For so long after a restart, late frames of the previous start are thrown away."""
STUCK_OFFERS = 40
"""An event whose predecessor stays missing through so many repeats is taken, and the gap is reported."""
BEHIND = 3
"""Heartbeats in a row with a number below ours that prove a restart under the same boot id."""


class Boot(Enum):
    """How a boot id relates to the one we follow."""

    SAME = "same"
    NEW = "new"
    RETIRED = "retired"


class Verdict(Enum):
    """What to do with an event that arrived."""

    TAKE = "take"
    OLD = "old"
    EARLY = "early"
    RESTARTED = "restarted"


@dataclass(frozen=True, slots=True)
class Offer:
    """The decision about one event, and a gap that came to light with it."""

    verdict: Verdict
    gap: Notice | None = None


class EventInbox:
    """Follows one table's event numbers across restarts of the board and of the line.

    Args:
        resume_after: the last event the ledger already holds, if Paiju itself was restarted.
    """

    def __init__(self, resume_after: EventId | None = None) -> None:
        self.boot: str | None = resume_after.boot if resume_after else None
        self._last = resume_after.n if resume_after else 0
        self._base_known = resume_after is not None
        self._expect_from_one = False
        self._retired: dict[str, float] = {}
        self._taken: OrderedDict[int, int] = OrderedDict()
        self._early: dict[int, int] = {}
        self._behind = 0

    @property
    def last(self) -> EventId | None:
        """The last event taken in this start of the board, for SYNC and ACK."""
        return EventId(self.boot, self._last) if self.boot and self._base_known and self._last else None

    def compare(self, boot: str, now: float) -> Boot:
        """Say whether ``boot`` is the start we follow, a new one, or a late echo of an earlier one."""
        if boot == self.boot:
            return Boot.SAME
        retired_at = self._retired.get(boot)
        if retired_at is not None and now - retired_at < RETIRED_S:
            return Boot.RETIRED
        return Boot.NEW

    def follow(self, boot: str, now: float) -> bool:
        """Follow a new start of the board; return True if an earlier one was followed before."""
        known_before = self.boot is not None
        if self.boot is not None and self.boot != boot:
            self._retired[self.boot] = now
            self._retired = {old: at for old, at in self._retired.items() if now - at < RETIRED_S}
        self.boot = boot
        self._last = 0
        self._base_known = False
        self._expect_from_one = known_before
        self._taken.clear()
        self._early.clear()
        self._behind = 0
        return known_before

    def learn_floor(self, floor: int) -> Notice | None:
        """Take the number of the oldest event the board still holds; return a notice if some are lost."""
        first_missing = self._last + 1
        skip_quietly = not self._base_known and not self._expect_from_one
        self._base_known = True
        if floor <= first_missing:
            return None
        self._last = floor - 1
        self._early.clear()
        return None if skip_quietly else self._gap(first_missing, floor - 1)

    def learn_last(self, last_n: int) -> bool:
        """Take the board's newest number from a heartbeat; True if it proves a restart under the same id."""
        self._behind = self._behind + 1 if self._base_known and last_n < self._last else 0
        return self._behind >= BEHIND

    def offer(self, number: int, content: bytes) -> Offer:
        """Decide about event ``number`` of the boot we follow; ``content`` is its body on the wire."""
        if not self._base_known:
            return Offer(Verdict.EARLY)
        if number <= self._last:
            before = self._taken.get(number)
            same = before is None or before == crc32(content)
            return Offer(Verdict.OLD if same else Verdict.RESTARTED)
        gap = None
        if number > self._last + 1:
            self._early[number] = self._early.get(number, 0) + 1
            if number > min(self._early) or self._early[number] < STUCK_OFFERS:
                return Offer(Verdict.EARLY)
            gap = self._gap(self._last + 1, number - 1)
        self._last = number
        self._early.clear()
        self._taken[number] = crc32(content)
        if len(self._taken) > REMEMBERED:
            self._taken.popitem(last=False)
        return Offer(Verdict.TAKE, gap)

    def _gap(self, first: int, last: int) -> Notice:
        count = last - first + 1
        what = f"event {first} is" if count == 1 else f"events {first} to {last} are"
        text = f"The table's {what} lost: look whether a throw, a button or a wall is missing and enter it by hand."
        return Notice(NoticeCode.GAP, text, ask=True, event=EventId(self.boot or "0000", last), count=count)


class SnapshotJoiner:
    """Joins the parts of one snapshot; parts of different snapshots are never mixed."""

    def __init__(self) -> None:
        self._halves: dict[int, Snapshot] = {}

    def clear(self) -> None:
        """Forget an unfinished snapshot."""
        self._halves.clear()

    def add(self, half: Snapshot) -> Snapshot | None:
        """Take one part; return the whole once every part is there. What no part says stays unknown."""
        if any(other.last_n != half.last_n or other.part[1] != half.part[1] for other in self._halves.values()):
            self._halves.clear()
        self._halves[half.part[0]] = half
        if len(self._halves) < half.part[1]:
            return None
        whole, *others = (self._halves[part] for part in sorted(self._halves))
        self._halves.clear()
        for other in others:
            empty = [item.name for item in fields(Snapshot) if getattr(whole, item.name) in (None, (), False)]
            whole = replace(whole, **{name: getattr(other, name) for name in empty})
        return replace(whole, part=(1, 1))

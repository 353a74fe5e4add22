"""Every event once and in order, for each start of the board; what is missing is named, never guessed.

The board numbers its events from 1 after each start ("boot") and repeats them until they are acknowledged.
`EventInbox` decides which to take. Source: ``docs/device-protocol.md#delivery``.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from enum import Enum
from zlib import crc32

from device.messages import Event, Malformed, Snapshot
from device.notices import Notice, NoticeCode
from device.wire import EventId

REMEMBERED = 128
"""Taken events whose content is remembered, to notice a board that restarted under the same boot id."""
RETIRED_S = 5.0
"""For so long after a restart, late frames of the previous start are thrown away."""
KEPT_EARLY = 128
"""Events that may wait for those before them; more than a board's ring holds."""
STUCK_OFFERS = 40
"""An event whose predecessor stays missing through so many repeats is taken, and the gap is reported."""
BEHIND = 3
"""Heartbeats in a row with a lower number than an earlier one prove a restart under the same boot id."""


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


@dataclass(frozen=True, slots=True)
class Arrived:
    """An event as it arrived: its number, its body on the wire and what was read from it."""

    id: EventId
    body: str
    event: Event | Malformed


class EventInbox:
    """Follows one table's event numbers across restarts of the board and of the line.

    Events that come too early are kept until those before them are there; `release` hands over what is in order.

    Args:
        resume_after: the last event the ledger already holds, if Paiju itself was restarted.
    """

    def __init__(self, resume_after: EventId | None = None) -> None:
        self.boot: str | None = resume_after.boot if resume_after else None
        self._last = resume_after.n if resume_after else 0
        self._base_known = resume_after is not None
        self._expect_from_one = False
        self._floor = 0
        self._retired: dict[str, float] = {}
        self._taken: OrderedDict[int, int] = OrderedDict()
        self._kept: dict[int, Arrived] = {}
        self._newest = 0
        self._stuck = 0
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
        self._last = self._floor = self._newest = self._stuck = self._behind = 0
        self._base_known = False
        self._expect_from_one = known_before
        self._taken.clear()
        self._kept.clear()
        return known_before

    def learn_floor(self, floor: int) -> Notice | None:
        """Take the number of the oldest event the board still holds; return a notice if some are lost."""
        first_contact = not self._base_known and not self._expect_from_one
        self._base_known = True
        self._floor = max(self._floor, floor)
        if first_contact:  # what is older was another Paiju's business
            self._last = max(0, floor - 1)
            self._kept = {number: arrived for number, arrived in self._kept.items() if number >= floor}
        missing = floor - 1 - self._last - sum(self._last < number < floor for number in self._kept)
        return self._gap(missing, floor - 1) if missing > 0 else None

    def learn_last(self, last_n: int) -> bool:
        """Take the board's newest number from a heartbeat; True if it proves a restart under the same id.

        Compared with earlier heartbeats only: one that was overtaken by an event is late, not a restart.
        """
        self._behind = self._behind + 1 if last_n < self._newest else 0
        self._newest = max(self._newest, last_n)
        return self._behind >= BEHIND

    def offer(self, arrived: Arrived) -> Offer:
        """Decide about one event of the boot we follow; then call `release`."""
        number = arrived.id.n
        known = self._taken.get(number)
        if number in self._kept:
            known = _mark(self._kept[number])
        if known is not None and known != _mark(arrived):
            return Offer(Verdict.RESTARTED)
        if number <= self._last:
            return Offer(Verdict.OLD)
        if len(self._kept) < KEPT_EARLY or number in self._kept:
            self._kept[number] = arrived
        if not self._base_known:
            return Offer(Verdict.EARLY)
        if number == self._last + 1:
            return Offer(Verdict.TAKE)
        first = min(self._kept)
        self._stuck += number == first
        if self._stuck < STUCK_OFFERS:
            return Offer(Verdict.EARLY)
        self._floor = first
        return Offer(Verdict.TAKE, self._gap(first - 1 - self._last, first - 1))

    def release(self) -> Iterator[Arrived]:
        """Hand over the events that are next in order, each once."""
        while self._kept and self._base_known:
            first = min(self._kept)
            if first > max(self._last + 1, self._floor):
                break
            arrived = self._kept.pop(first)
            self._last = first
            self._stuck = 0
            self._taken[first] = _mark(arrived)
            if len(self._taken) > REMEMBERED:
                self._taken.popitem(last=False)
            yield arrived
        if self._base_known:
            self._last = max(self._last, self._floor - 1)

    def _gap(self, count: int, last: int) -> Notice:
        events = "event is" if count == 1 else "events are"
        text = (
            f"{count} of the table's {events} lost, up to number {last}: "
            "look whether a throw, a button or a wall is missing and enter it by hand."
        )
        return Notice(NoticeCode.GAP, text, ask=True, event=EventId(self.boot or "0000", last), count=count)


def _mark(arrived: Arrived) -> int:
    return crc32(arrived.body.encode("ascii"))


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

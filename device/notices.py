"""What the link itself has to say: a restart, a gap, a throw that cannot be right. Never smoothed over.

A notice never changes a score. Where ``ask`` is True, a person should look: the tablet opens manual entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from device.wire import EventId


class NoticeCode(StrEnum):
    """Every kind of notice; the tablet translates by these names."""

    REBOOTED = "rebooted"
    GAP = "gap"
    MALFORMED = "malformed"
    BROWN_OUT_LOOP = "brown_out_loop"
    CAPS_CHANGED = "caps_changed"
    FAULT_STORM = "fault_storm"
    DICE_MISSED = "dice_missed"
    DICE_UNFINISHED = "dice_unfinished"
    DICE_NO_START = "dice_no_start"
    DICE_UNKNOWN = "dice_unknown"
    DICE_REPEATED = "dice_repeated"
    DICE_TAKEN_BACK = "dice_taken_back"
    DICE_NO_SEAT = "dice_no_seat"
    DICE_WRONG_SEAT = "dice_wrong_seat"
    DICE_DISAGREE = "dice_disagree"
    DICE_UNCHECKED = "dice_unchecked"
    WALL_SUM = "wall_sum"
    REM_RISES = "rem_rises"
    STICK_SUM = "stick_sum"


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing the link noticed.

    Attributes:
        code: which kind.
        text: one English sentence: what, where, what to do next.
        ask: True where a person has to decide ("was a throw missed?").
        event: the event it is about.
        seat: the seat it is about, 0 to 3.
        roll: the table's roll counter, for notices about dice.
        count: how many events are missing, or faults were held back.
    """

    code: NoticeCode
    text: str
    ask: bool = False
    event: EventId | None = None
    seat: int | None = None
    roll: int | None = None
    count: int | None = None


def seat_name(seat: int) -> str:
    """Return the letter a seat carries on the table: 0 is A, then counter-clockwise B, C, D."""
    return "ABCD"[seat]

"""How the line to the table is, as shown on the tablet."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from device.codec import DecoderCounts


class LinkState(StrEnum):
    """The state of the line; what the table said last is greyed in STALE and LOST.

    ABSENT: no allowed port exists. OPENING: a port exists but is not open yet (busy, no permission, retrying).
    HANDSHAKE: asking who is there. LIVE: heard within 3 s. STALE: open but silent. LOST: it was live and is gone.
    WRONG_DEVICE: something else, or another table, answers. READ_ONLY: a newer protocol; it is only listened to.
    """

    ABSENT = "ABSENT"
    OPENING = "OPENING"
    HANDSHAKE = "HANDSHAKE"
    LIVE = "LIVE"
    STALE = "STALE"
    LOST = "LOST"
    WRONG_DEVICE = "WRONG_DEVICE"
    READ_ONLY = "READ_ONLY"


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """One look at the line.

    Attributes:
        state: see `LinkState`.
        text: one English sentence for a person: what is wrong and what to do, or empty.
        port: the port in use or tried last.
        uid: the table's own number, once it is known.
        age_s: seconds since the table was last heard; None before the first time.
        counts: what the decoder met on the line.
    """

    state: LinkState
    text: str
    port: str | None
    uid: str | None
    age_s: float | None
    counts: DecoderCounts

"""How many pictures people send of one hand: enough for every honest second look, not enough to fill the disk."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from table.model import Actor
from table.session import CALLERS
from table.snapshot import Snapshot

MOST_PICTURES = 20
"""Of one player's hand; who still sees a wrong tile then sets it right by a tap."""


@dataclass(slots=True)
class Uploads:
    """Counts the pictures of the hands that are being claimed; safe from several threads. Referees are not counted."""

    _of: tuple[str, int] = ("", 0)
    _sent: dict[int, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, now: Snapshot, actor: Actor) -> bool:
        """One more picture for the claim that is open; False when there were too many.

        A claim that is cancelled and raised again goes on counting, until the next hand.
        """
        if now.claim is None or actor.role not in CALLERS:
            return True
        hand = (now.game.id if now.game else "", now.round.hand_no if now.round else 0)
        with self._lock:
            if hand != self._of:
                self._of, self._sent = hand, {}
            sent = self._sent.get(now.claim.seat, 0)
            if sent >= MOST_PICTURES:
                return False
            self._sent[now.claim.seat] = sent + 1
            return True

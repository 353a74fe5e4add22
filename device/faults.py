"""A bad line, on purpose: drops, flips, doubles, swaps, delays, garbage; seeded, so that a fault can be repeated.

`FaultyLine` stands between two ends of a connection and hurts what passes. It reads no clock: time is handed in.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from random import Random

DAMAGES = ("flip", "drop", "double", "burst", "cut", "same bit in two", "swap")
"""The seven kinds of damage that a check sum has to notice."""


def damage(rng: Random, stream: bytearray, kind: str) -> None:
    """Hurt ``stream`` once, in place, at a random spot.

    Raises:
        ValueError: ``kind`` is none of `DAMAGES`.
    """
    if kind not in DAMAGES:
        raise ValueError(f"{kind!r} is not a kind of damage; there are {', '.join(DAMAGES)}")
    if not stream:
        return
    at = rng.randrange(len(stream))
    if kind == "flip":
        stream[at] ^= 1 << rng.randrange(8)
    elif kind == "drop":
        del stream[at]
    elif kind == "double":
        stream.insert(at, stream[at])
    elif kind == "burst":
        for index in range(at, min(len(stream), at + rng.randint(2, 16))):
            stream[index] = rng.randrange(256)
    elif kind == "cut":
        del stream[at : at + rng.randint(2, 80)]
    elif kind == "same bit in two":
        bit = 1 << rng.randrange(8)
        stream[at] ^= bit
        stream[(at + rng.randint(1, 60)) % len(stream)] ^= bit
    elif at + 1 < len(stream):
        stream[at], stream[at + 1] = stream[at + 1], stream[at]


@dataclass(frozen=True, slots=True)
class Faults:
    """How bad a line is. Chances are per frame and direction, 0 to 1; all zero is a perfect line.

    Attributes:
        lose: the whole frame vanishes.
        flip, drop, double, burst, cut, swap: one such damage inside the frame.
        repeat: the whole frame arrives twice.
        reorder: the frame changes places with the next one.
        delay_s: longest extra delay; each frame takes a random part of it, order kept.
        stall: chance that the line stops for ``stall_s`` before this frame.
        garbage_per_s: bytes of noise a second put between the frames.
    """

    lose: float = 0.0
    flip: float = 0.0
    drop: float = 0.0
    double: float = 0.0
    burst: float = 0.0
    cut: float = 0.0
    swap: float = 0.0
    repeat: float = 0.0
    reorder: float = 0.0
    delay_s: float = 0.0
    stall: float = 0.0
    stall_s: float = 0.0
    garbage_per_s: float = 0.0

    def any(self) -> bool:
        """True where the line is worse than perfect."""
        return self != Faults()


class FaultyLine:
    """One direction of a bad line: `send` at one end, `receive` at the other."""

    def __init__(self, faults: Faults, rng: Random) -> None:
        self.faults = faults
        self._rng = rng
        self._queue: list[tuple[float, int, bytes]] = []
        self._count = 0
        self._free_at = 0.0
        self._held: bytes | None = None
        self._noise_at: float | None = None

    def send(self, data: bytes, now: float) -> None:
        """Put ``data`` on the line, frame by frame."""
        for line in data.splitlines(keepends=True):
            self._send_one(line, now)

    def receive(self, now: float) -> bytes:
        """Take what has arrived until ``now``."""
        arrived = []
        while self._queue and self._queue[0][0] <= now:
            arrived.append(heapq.heappop(self._queue)[2])
        return self._noise(now) + b"".join(arrived)

    def clear(self) -> None:
        """Forget what is under way, as pulling the plug does."""
        self._queue.clear()
        self._held = None

    def _chance(self, part: float) -> bool:
        return part > 0 and self._rng.random() < part

    def _send_one(self, line: bytes, now: float) -> None:
        faults = self.faults
        if self._chance(faults.lose):
            return
        hurt = bytearray(line)
        for kind in ("flip", "drop", "double", "burst", "cut", "swap"):
            if self._chance(getattr(faults, kind)):
                damage(self._rng, hurt, kind)
        if self._chance(faults.stall):
            self._free_at = max(self._free_at, now) + faults.stall_s
        if self._held is None and self._chance(faults.reorder):
            self._held = bytes(hurt)
            return
        self._push(bytes(hurt), now)
        if self._chance(faults.repeat):
            self._push(bytes(hurt), now)
        if self._held is not None:
            held, self._held = self._held, None
            self._push(held, now)

    def _push(self, data: bytes, now: float) -> None:
        self._free_at = max(self._free_at, now + self._rng.uniform(0, self.faults.delay_s))
        self._count += 1
        heapq.heappush(self._queue, (self._free_at, self._count, data))

    def _noise(self, now: float) -> bytes:
        if self._noise_at is None:
            self._noise_at = now
        size = int((now - self._noise_at) * self.faults.garbage_per_s)
        if size <= 0:
            return b""
        self._noise_at = now
        return self._rng.randbytes(size)

"""Bytes to packets and back: ``@BODY*HHHH`` and a line feed, with CRC-16 over BODY. No I/O, no clock.

A frame is one line of ASCII, at most 160 bytes. Whatever else is on the line (a boot log, half a frame, noise)
is counted and kept for a person to look at, and never an error. Source: ``docs/device-protocol.md#frame``.
"""

from __future__ import annotations

import re
from binascii import crc_hqx
from collections import deque
from dataclasses import asdict, dataclass

from device.catalogue import to_packet
from device.messages import Message, Request
from device.wire import Packet, WireError

MAX_FRAME = 160
"""Longest frame in bytes, from ``@`` to the line feed."""
MAX_LINE = 192
"""Bytes a receiver keeps while it waits for a line feed."""
CONSOLE_LINES = 100
"""Console lines kept for a person to look at."""

_BODY = re.compile(rb"[A-Z][A-Z0-9_]{0,15}(?: [a-z][a-z0-9_]{0,15}=[!-)+-?A-~]*)*\Z")
_CRC = re.compile(rb"[0-9A-Fa-f]{4}\Z")


@dataclass(frozen=True, slots=True)
class DecoderCounts:
    """What a decoder has met so far, each a count since it was made."""

    frames: int = 0
    bad_crc: int = 0
    malformed: int = 0
    console: int = 0
    overlong: int = 0


def frame(body: str) -> bytes:
    """Wrap ``TYPE key=value ...`` as one frame, ready to send.

    Raises:
        WireError: characters that do not belong in a body, or more than 160 bytes.
    """
    raw = body.encode("ascii", "replace")
    if not _BODY.match(raw) or not body.isascii():
        raise WireError(f"{body!r} is not TYPE key=value ... in plain characters")
    line = b"@%b*%04X\n" % (raw, crc_hqx(raw, 0xFFFF))
    if len(line) > MAX_FRAME:
        raise WireError(f"a frame of {len(line)} bytes is longer than {MAX_FRAME}: {body!r}")
    return line


def encode(message: Message | Request) -> bytes:
    """Return the frame that carries ``message``.

    Raises:
        WireError: a type outside the catalogue, a value MTL/1 does not allow, or a frame that is too long.
    """
    return frame(to_packet(message).body())


class PacketDecoder:
    """Finds the intact frames in whatever arrives, however it is cut into chunks.

    Never raises on any bytes; keeps at most `MAX_LINE` bytes of an unfinished line.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._overlong = False
        self._console: deque[str] = deque(maxlen=CONSOLE_LINES)
        self._met = asdict(DecoderCounts())

    def feed(self, data: bytes) -> list[Packet]:
        """Take the next chunk of any size and return the packets it completes, oldest first."""
        lines = (self._rest + data).split(b"\n")
        self._rest = lines.pop()
        packets = []
        for line in lines:
            if len(line) > MAX_LINE and not self._overlong:
                self._met["overlong"] += 1
            self._overlong = False
            packet = self._line(line[-MAX_LINE:])
            if packet is not None:
                packets.append(packet)
        if len(self._rest) > MAX_LINE:
            if not self._overlong:
                self._met["overlong"] += 1
            self._overlong = True
            self._rest = self._rest[-MAX_LINE:]
        return packets

    def counts(self) -> DecoderCounts:
        """Return what was met since the decoder was made."""
        return DecoderCounts(**self._met)

    def console(self) -> tuple[str, ...]:
        """Return the last lines that were no frames (boot logs, debug prints), oldest first."""
        return tuple(self._console)

    def _line(self, line: bytes) -> Packet | None:
        before, at, after = line.rpartition(b"@")
        if not at:
            self._keep_console(line)
            return None
        if before and b"@" not in before:
            self._keep_console(before)
        body, star, crc = after.removesuffix(b"\r").rpartition(b"*")
        if not star or not _CRC.match(crc) or int(crc, 16) != crc_hqx(body, 0xFFFF):
            self._met["bad_crc"] += 1
            return None
        if len(after) + 2 > MAX_FRAME + 1 or not _BODY.match(body):
            self._met["malformed"] += 1
            return None
        kind, *pairs = body.decode("ascii").split(" ")
        fields = tuple((key, value) for key, _, value in (pair.partition("=") for pair in pairs))
        if len({key for key, _ in fields}) != len(fields):
            self._met["malformed"] += 1
            return None
        self._met["frames"] += 1
        return Packet(kind, fields)

    def _keep_console(self, line: bytes) -> None:
        text = line.strip(b"\r\0 ")
        if text:
            self._met["console"] += 1
            self._console.append(text.decode("ascii", "backslashreplace"))

"""What a picture file says about itself, read from its first bytes without decoding a pixel.

A 200-megapixel picture of one colour is a few kilobytes on disk and gigabytes in memory; asking the header first is
what lets Paiju refuse it in a sentence.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PictureHeader:
    """Kind and size of a picture file.

    Attributes:
        kind: `JPEG`, `PNG`, `WebP`, `GIF`, `BMP`, `TIFF`, `AVIF` or `HEIC`.
        width: Stored width in pixels (before any EXIF rotation).
        height: Stored height in pixels.
        transparent: Some pixels may be see-through (PNG and WebP only).
        quarter_turns: By how many quarters, counter-clockwise, the stored picture is turned to stand upright, where
            the kind says so itself and not through EXIF (AVIF's `irot` box, ISO/IEC 23008-12, 6.5.10).
    """

    kind: str
    width: int
    height: int
    transparent: bool = False
    quarter_turns: int = 0


def read_header(data: bytes) -> PictureHeader | None:
    """Finds out what kind of picture this is and how large; None for anything that is no picture known here.

    Never raises: a file cut off inside its header is None too.
    """
    promised = kind_of(data)
    for starts, kind, size_of in _KINDS:
        if data.startswith(starts) and kind == promised:
            try:
                size = size_of(data)
                return PictureHeader(kind, *size, _transparent(kind, data)) if size and min(size) > 0 else None
            except (struct.error, IndexError):
                return None
    return _iso_media(data) if data[4:8] == b"ftyp" else None


def kind_of(data: bytes) -> str | None:
    """The kind of picture that the first bytes promise, even where the rest is missing; None where they promise none.

    Two letters promise no BMP and four no WebP: a text may begin with them, and so does a sound file.
    """
    for starts, kind, _ in _KINDS:
        if data.startswith(starts):
            other = (kind == "BMP" and not _is_bmp(data)) or (kind == "WebP" and data[8:12] != b"WEBP")
            return None if other else kind
    return _iso_kind(data) if data[4:8] == b"ftyp" else None


def _is_bmp(data: bytes) -> bool:
    if len(data) < 18:
        return data[6:10] == bytes(4)  # reserved
    return int.from_bytes(data[14:18], "little") in (12, 16, 40, 52, 56, 64, 108, 124)  # length of the header to come


def _transparent(kind: str, data: bytes) -> bool:
    if kind == "PNG":
        return data[25] in (4, 6) or b"tRNS" in data[:4096]
    if kind == "WebP":
        return bool(data[20] & 0x10) if data[12:16] == b"VP8X" else data[12:16] == b"VP8L" and bool(data[24] & 0x10)
    return False


def _png(data: bytes) -> tuple[int, int]:
    return struct.unpack_from(">II", data, 16)


def _gif(data: bytes) -> tuple[int, int]:
    return struct.unpack_from("<HH", data, 6)


def _bmp(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from("<ii", data, 18)
    return abs(width), abs(height)


def _jpeg(data: bytes) -> tuple[int, int] | None:
    at = 2
    while True:
        while data[at] == 0xFF and data[at + 1] == 0xFF:  # padding between segments
            at += 1
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):  # start of frame, of any coding
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        if marker == 0xDA or marker == 0xD9:  # pixels or the end before any size
            return None
        at += 2 + struct.unpack_from(">H", data, at + 2)[0]


def _webp(data: bytes) -> tuple[int, int] | None:
    coding = data[12:16]
    if coding == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if coding == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if coding == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


def _tiff(data: bytes) -> tuple[int, int] | None:
    order = "<" if data[:2] == b"II" else ">"
    directory = struct.unpack_from(order + "I", data, 4)[0]
    sizes: dict[int, int] = {}
    for entry in range(struct.unpack_from(order + "H", data, directory)[0]):
        tag, kind = struct.unpack_from(order + "HH", data, directory + 2 + 12 * entry)
        if tag in (256, 257):  # ImageWidth, ImageLength: SHORT (3) or LONG (4)
            sizes[tag] = struct.unpack_from(order + ("H" if kind == 3 else "I"), data, directory + 10 + 12 * entry)[0]
    return (sizes[256], sizes[257]) if len(sizes) == 2 else None


def _iso_media(data: bytes) -> PictureHeader | None:
    """AVIF and HEIC share one container; its `ispe` boxes hold the size of the picture and of its pieces."""
    kind = _iso_kind(data)
    if kind is None:
        return None
    width = height = 0
    at = data.find(b"ispe")
    while at >= 0 and len(data) >= at + 16:
        one_width, one_height = struct.unpack_from(">II", data, at + 8)
        width, height = max(width, one_width), max(height, one_height)
        at = data.find(b"ispe", at + 4)
    if kind == "AVIF" and not (width and height):
        return None
    turn = data.find(b"\0\0\0\x09irot")
    quarters = data[turn + 8] & 3 if 0 <= turn < len(data) - 8 else 0
    return PictureHeader(kind, width, height, quarter_turns=quarters)  # HEIC is refused by its kind, whatever its size


def _iso_kind(data: bytes) -> str | None:
    brands = data[8 : 8 + max(0, min(struct.unpack_from(">I", data)[0], 256) - 8)]
    if b"avif" in brands or b"avis" in brands:
        return "AVIF"
    heic = (b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"heim")
    return "HEIC" if any(brand in brands for brand in heic) else None


_KINDS: tuple[tuple[bytes, str, Callable[[bytes], tuple[int, int] | None]], ...] = (
    (b"\xff\xd8\xff", "JPEG", _jpeg),
    (b"\x89PNG\r\n\x1a\n", "PNG", _png),
    (b"RIFF", "WebP", _webp),
    (b"GIF8", "GIF", _gif),
    (b"BM", "BMP", _bmp),
    (b"II*\x00", "TIFF", _tiff),
    (b"MM\x00*", "TIFF", _tiff),
)

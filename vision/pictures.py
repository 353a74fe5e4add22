"""Opens a picture file the way a person sees it: upright, in colour, one still picture.

PictureError       the file cannot be read; its text is one sentence for a person, with what to do next
"""

from __future__ import annotations

import math
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture_header import PictureHeader, kind_of, read_header
from vision.quiet import overheard
from vision.said import Said
from vision.types import Image

MAX_MEGAPIXELS = 120
"""Twice what today's phones deliver; a decoded picture of this size takes 360 MB, and a transparent one 1.4 GB
for a moment while it is decoded."""
MAX_FILE_MB = 400
MIN_SIDE_PX = 64
"""Below this, not even two tiles side by side have enough pixels to tell a face."""

BACKGROUND = 114
"""Grey that stands for nothing: under transparent pixels and outside a picture."""
BAND_ROWS = 256
"""So many rows of a transparent picture are mixed with it at a time."""
DAMAGED = re.compile(r"TIFF_Error|Premature end of JPEG|Corrupt JPEG data: (?!\d extraneous bytes before marker 0xd9)")
"""What decoders say of a picture that they fill up with anything. Cameras leave a few bytes before a JPEG's end: no
damage."""


class PictureError(ValueError):
    """A file that cannot be read as a picture; the text says what is wrong, where, and what to do next."""


def load_picture(source: str | Path | bytes) -> Image:
    """Reads a photograph from a file or from the bytes of an upload, upright and in colour.

    EXIF orientation is applied, an unknown one ignored. Grey, CMYK, 16-bit and palette pictures become 8-bit colour,
    transparent parts become grey, an animation gives its first picture. A file whose decoder meets damage is refused,
    also where it hands back a picture; damage that no decoder notices (a byte of a BMP, within a WebP) is not found.

    Args:
        source: A path, or the whole content of a picture file.

    Returns:
        uint8 (height, width, 3), BGR.

    Raises:
        PictureError: No such file, empty, no picture, damaged, too small or too large.
    """
    name, data = ("this picture", source) if isinstance(source, bytes) else (str(source), _file_bytes(Path(source)))
    header = _checked_header(name, data)
    image = _decode(data, header)
    if image is None:
        raise PictureError(Said.of("damaged", name=name, kind=header.kind))
    return image


def _file_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise PictureError(f"{path}: is a folder; name the picture files in it, for example {path}/*.jpg.")
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):  # a pipe or a device never ends, or never begins
            raise PictureError(f"{path}: is a pipe or a device, not a file; save the picture as a file first.")
        size_mb = found.st_size / 1e6
        if size_mb > MAX_FILE_MB:
            raise PictureError(f"{path}: {size_mb:.0f} MB is more than {MAX_FILE_MB} MB; save a smaller copy as JPEG.")
        return path.read_bytes()
    except FileNotFoundError:
        raise PictureError(f"{path}: there is no such file; check the spelling of the path.") from None
    except OSError as error:
        raise PictureError(f"{path}: cannot be opened ({error.strerror}); check who may read it.") from error


def _checked_header(name: str, data: bytes) -> PictureHeader:
    if not data:
        raise PictureError(Said.of("empty", name=name))
    header = read_header(data)
    if header is None:
        kind = kind_of(data)  # cut off before it says how large it is
        raise PictureError(Said.of("damaged", name=name, kind=kind) if kind else Said.of("no_picture", name=name))
    if header.kind == "HEIC":
        raise PictureError(Said.of("heic", name=name))
    size: dict[str, str | int] = {"name": name, "width": header.width, "height": header.height}
    megapixels = header.width * header.height / 1e6
    if megapixels > MAX_MEGAPIXELS:
        raise PictureError(Said.of("too_many_pixels", **size, megapixels=math.ceil(megapixels), limit=MAX_MEGAPIXELS))
    if min(header.width, header.height) < MIN_SIDE_PX:
        raise PictureError(Said.of("too_few_pixels", **size, least=MIN_SIDE_PX))
    return header


def _decode(data: bytes, header: PictureHeader) -> Image | None:
    pixels = np.frombuffer(data, np.uint8)
    try:
        with overheard() as lines:
            image = cv2.imdecode(pixels, cv2.IMREAD_COLOR)  # applies EXIF orientation, reduces 16 bits and CMYK
            stored = cv2.imdecode(pixels, cv2.IMREAD_UNCHANGED) if header.transparent else None
    except cv2.error:
        return None
    if image is None or any(map(DAMAGED.search, lines)):
        return None
    return _over_grey(np.ascontiguousarray(np.rot90(image, header.quarter_turns), np.uint8), stored)


def _over_grey(image: Image, stored: NDArray[Any] | None) -> Image:
    """Hides what lies under transparent pixels, because nobody who looks at the picture sees it.

    Works in place and in bands: a few kilobytes on disk may be 120 megapixels, and fractions take four times as much.
    """
    if stored is None or stored.ndim != 3 or stored.shape[2] != 4:
        return image
    bands = [slice(top, top + BAND_ROWS) for top in range(0, len(image), BAND_ROWS)]
    for turned in _turned(stored):
        if turned.shape[:2] == image.shape[:2] and all(
            np.array_equal(_in_eight_bits(turned[band])[..., :3], image[band]) for band in bands
        ):
            for band in bands:
                alpha = _in_eight_bits(turned[band])[..., 3:].astype(np.float32) / 255
                image[band] = np.rint(image[band] * alpha + BACKGROUND * (1 - alpha)).astype(np.uint8)
            return image
    return image


def _turned(stored: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """A picture in the eight ways that EXIF may turn it, unturned first; OpenCV turns the colours, never the mask."""
    for one in (stored, stored[:, ::-1]):
        yield from (np.rot90(one, quarters) for quarters in range(4))


def _in_eight_bits(stored: NDArray[Any]) -> NDArray[Any]:
    return (stored >> 8).astype(np.uint8) if stored.dtype == np.uint16 else stored

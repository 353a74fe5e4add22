"""The pictures behind the decisions, kept as files that carry their own hash as name.

A picture is stored once as an upright JPEG without the data a phone adds (place, owner); the ledger holds its hash, so
that a picture swapped later shows.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from pathlib import Path

import cv2

from vision.types import Image

JPEG_QUALITY = 92
_ID = re.compile(r"[0-9a-f]{64}\Z")


class EvidenceError(Exception):
    """A picture cannot be stored; the text says why and what to do."""


class EvidenceStore:
    """Pictures in a folder, under the first two digits of their hash; safe to use from several threads."""

    def __init__(self, folder: Path) -> None:
        """Args: folder: made when the first picture is stored."""
        self._folder = folder

    def keep(self, image: Image) -> str:
        """Store a picture (uint8, height x width x 3, BGR, upright) and return its id, the SHA-256 of the file.

        Raises:
            EvidenceError: the disk is full or the folder cannot be written.
        """
        done, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if not done:
            raise EvidenceError("The picture could not be turned into a JPEG file. Take it again.")
        data = bytes(encoded.tobytes())
        picture = hashlib.sha256(data).hexdigest()
        try:
            self._write(self._path(picture), data)
        except OSError as error:
            raise EvidenceError(
                f"The picture could not be stored in {self._folder} ({error.strerror}). Free some space and repeat."
            ) from None
        return picture

    def get(self, picture: str) -> bytes | None:
        """The JPEG file with this id; None if there is none or it no longer has the hash it is named after."""
        if not _ID.match(picture):
            return None
        try:
            data = self._path(picture).read_bytes()
        except OSError:
            return None
        return data if hashlib.sha256(data).hexdigest() == picture else None

    def _path(self, picture: str) -> Path:
        return self._folder / picture[:2] / f"{picture[2:]}.jpg"

    def _write(self, path: Path, data: bytes) -> None:
        """Write beside the final name first, so that a picture is there whole or not at all."""
        if path.exists():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise

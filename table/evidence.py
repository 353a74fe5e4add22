"""The pictures behind the decisions, kept as files that carry their own hash as name.

A picture is stored once as an upright JPEG without the data a phone adds (place, owner); the ledger holds its hash, so
that a picture swapped later shows. A picture may be let go when nobody needs it any more (`table.retention`); then a
line in `let_go.jsonl` says since when, and the ledger still has its hash.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from table.durable import keep
from vision.types import Image

JPEG_QUALITY = 92
LET_GO_NAME = "let_go.jsonl"
_ID = re.compile(r"[0-9a-f]{64}\Z")
_LET_GO = re.compile(r'"picture": "([0-9a-f]{64})", "at": "([^"]+)"')
"""Found wherever it stands, so that a line which a power cut left unfinished spoils no other."""
_FIELDS = frozenset({"picture", "frame"})


class EvidenceError(Exception):
    """A picture cannot be stored; the text says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A picture file: its id, its size in bytes, and when it was written (UTC, milliseconds)."""

    picture: str
    size: int
    at_ms: int


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
            if not self._path(picture).exists():
                keep(self._path(picture), data)
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

    def stored(self) -> tuple[Stored, ...]:
        """Every picture that is kept, in the order of their ids; damaged ones too."""
        found = []
        for path in sorted(self._folder.glob("??/*.jpg")):
            picture = path.parent.name + path.stem
            if _ID.match(picture):
                about = path.stat()
                found.append(Stored(picture=picture, size=about.st_size, at_ms=int(about.st_mtime * 1000)))
        return tuple(found)

    def let_go(self, picture: str, at: str) -> None:
        """Delete a picture for good and note when; `at` is the moment as text.

        Raises:
            EvidenceError: the folder cannot be written.
        """
        line = json.dumps({"picture": picture, "at": at})
        try:
            with (self._folder / LET_GO_NAME).open("a", encoding="utf-8") as notes:
                notes.write(line + "\n")
            self._path(picture).unlink(missing_ok=True)
        except OSError as error:
            raise EvidenceError(f"{self._folder} cannot be changed ({error.strerror}). Check its rights.") from None

    def let_go_at(self, picture: str) -> str | None:
        """When this picture was let go, as text; None if it never was."""
        try:
            text = (self._folder / LET_GO_NAME).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        return dict(_LET_GO.findall(text)).get(picture)

    def _path(self, picture: str) -> Path:
        return self._folder / picture[:2] / f"{picture[2:]}.jpg"


def named_in(document: Any) -> Iterator[str]:
    """The ids of the pictures that an encoded event (plain JSON values) names, in order.

    >>> list(named_in({"kind": "x", "outcome": {"picture": "ab" * 32, "frame": None}})) == ["ab" * 32]
    True
    """
    if isinstance(document, dict):
        for name, value in document.items():
            if name in _FIELDS and isinstance(value, str) and _ID.match(value):
                yield value
            else:
                yield from named_in(value)
    elif isinstance(document, list | tuple):
        for value in document:
            yield from named_in(value)

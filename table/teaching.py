"""Teaching the eyes a table's own tiles from the set-up page: row after row, then kept; as `paiju enrol` does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from models import Manifest, load_manifest
from table.eye_files import ENROLLED, keep_enrolled
from vision.enrolled import EnrolledSet, EnrolmentError, load_enrolled
from vision.enrolment import Doubt, RowReader, SeenRow, enrol
from vision.guided import GUIDED_ROWS, GuidedRow
from vision.scene_check import RemarkKey, check_scene
from vision.types import Image

PICTURE = "the picture"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowLook:
    """What came of showing one row.

    Attributes:
        taken: Whether it counts; not while `doubts` wait for an answer.
        doubts: Tiles that look like others than their places say.
        remarks: What to change about light, focus, glare or size.
    """

    taken: bool
    doubts: tuple[Doubt, ...]
    remarks: tuple[RemarkKey, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """What is kept of a table's own tiles; `usable` says whether it fits today's eyes."""

    tiles: int
    made_on: str
    usable: bool


class Teaching:
    """The rows shown so far; a row that is shown again counts more, not anew."""

    def __init__(self, data: Path, open_rows: Callable[[Manifest], RowReader] = RowReader.from_manifest) -> None:
        """Get ready; loads nothing.

        Args:
            data: the table's folder.
            open_rows: loads the reader of rows.
        """
        self._path = data / ENROLLED
        self._open_rows = open_rows
        self._lock = threading.Lock()
        self._reader: RowReader | None = None
        self._seen: list[SeenRow] = []

    def shown(self, key: str) -> int:
        """How often a row was shown and taken."""
        return sum(seen.row.key == key for seen in self._seen)

    @property
    def complete(self) -> bool:
        """Whether every row that must be shown was."""
        return all(row.optional or self.shown(row.key) for row in GUIDED_ROWS)

    def kept(self) -> Taught | None:
        """What is kept now; None without.

        Raises:
            ModelsError: the weights are missing or damaged.
        """
        try:
            found = load_enrolled(self._path)
        except EnrolmentError:
            return None
        usable = found.weights_sha256 == load_manifest().classifier.sha256
        return Taught(tiles=len(found.tiles), made_on=found.made_on, usable=usable)

    def show(self, row: GuidedRow, image: Image, *, sure: bool) -> RowLook:
        """Look at one row.

        Args:
            row: the row that was asked for.
            image: uint8 (height, width, 3), BGR.
            sure: a person says that all tiles lie as asked, whatever they look like.

        Raises:
            EnrolmentError: no such row is seen.
            ModelsError: the weights are missing or damaged.
        """
        with self._lock:
            if self._reader is None:
                self._reader = self._open_rows(load_manifest())
            seen = self._reader.look(image, PICTURE, row)
            taken = sure or not seen.doubts
            if taken:
                self._seen.append(seen)
        remarks = tuple(remark.key for remark in check_scene(image, seen.boxes_px).remarks)
        return RowLook(taken=taken, doubts=seen.doubts, remarks=remarks)

    def finish(self) -> EnrolledSet:
        """Learn the shown rows and keep the result; then begin anew.

        Raises:
            EnrolmentError: a row is missing, two tiles look the same, or the disk refuses.
            ModelsError: the weights are missing or damaged.
        """
        with self._lock:
            learnt = enrol(self._seen, load_manifest().classifier.sha256, date.today().isoformat())
            keep_enrolled(self._path, learnt)
            self._reader, self._seen = None, []
        return learnt

    def begin_again(self) -> None:
        """Forget the rows shown so far."""
        with self._lock:
            self._reader, self._seen = None, []

    def forget(self) -> None:
        """Remove what is kept.

        Raises:
            EnrolmentError: the disk refuses.
        """
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            raise EnrolmentError(f"{self._path}: cannot be removed ({error.strerror}).") from error

"""The demonstration's camera when its hands are followed: one picture of the table, and what changes from page to page.

A page is the table after one more move. Only the square cells that a move changed are kept, so that four whole hands
take less room than eight pictures.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from vision.calibration import Calibration
from vision.frames import Frame, SourceStatus
from vision.pictures import load_picture
from vision.types import Image

FRAMES_S = 5.0
"""Frames a second: nothing moves between them."""


@dataclass(frozen=True, slots=True)
class PagedHand:
    """One recorded hand: its file of cells, and for each page which cells of the picture are new."""

    sheet: Path
    cells: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class PageBook:
    """What was recorded: the table's picture, the side of a cell in pixels, where the felt lies, the hands."""

    picture: Path
    cell_px: int
    felt: Calibration
    hands: tuple[PagedHand, ...]


def page_name(hand: int, page: int) -> str:
    """What `PagedCamera.show` calls a page; both count from 0, and page -1 is the last one.

    >>> page_name(0, 12)
    '0/12'
    """
    return f"{hand}/{page}"


class PagedCamera:
    """A camera over a recorded table, page by page; as `vision.sources.FolderCamera`, but always live."""

    def __init__(self, book: PageBook, clock: Callable[[], float]) -> None:
        """Open the book at the first page of the first hand.

        Raises:
            PictureError: a picture is missing or damaged.
        """
        self._book = book
        self._clock = clock
        self._lock = threading.Lock()
        self._table = load_picture(book.picture)
        self._hand, self._page = -1, -1
        self._sheet = self._image = self._table
        self._turn(0, 0)

    def show(self, name: str) -> None:
        """Turn to this page.

        Raises:
            PictureError: the hand's pictures are missing or damaged.
        """
        hand, page = map(int, name.split("/"))
        with self._lock:
            self._turn(hand, page)

    def latest(self) -> Frame | None:
        """The table now."""
        now_s = self._clock()
        with self._lock:
            return Frame(self._image, now_s, int(now_s * FRAMES_S))

    def status(self) -> SourceStatus:
        """Always live."""
        height, width = self._table.shape[:2]
        return SourceStatus("live", "", width, height, 0.0)

    def close(self) -> None:
        """Nothing to let go of."""

    def _turn(self, hand: int, page: int) -> None:
        paged = self._book.hands[hand]
        page %= len(paged.cells)
        if hand != self._hand:
            self._sheet = load_picture(paged.sheet)
        if hand != self._hand or page < self._page:
            self._image, self._page = self._table, -1
        self._hand = hand
        image, begin = self._image.copy(), sum(map(len, paged.cells[: self._page + 1]))
        for cells in paged.cells[self._page + 1 : page + 1]:
            self._paste(image, cells, begin)
            begin += len(cells)
        self._image, self._page = image, page

    def _paste(self, image: Image, cells: Sequence[int], begin: int) -> None:
        for number, cell in enumerate(cells, start=begin):
            image[self._place(cell)] = self._sheet[self._place(number)]

    def _place(self, cell: int) -> tuple[slice, slice]:
        """Rows and columns of a cell; picture and sheet are equally wide."""
        side = self._book.cell_px
        row, column = divmod(cell, self._table.shape[1] // side)
        return slice(row * side, (row + 1) * side), slice(column * side, (column + 1) * side)

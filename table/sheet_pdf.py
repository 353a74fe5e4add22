"""Draws a score sheet as PDF: A4 across, as many pages as it takes, with a font of its own for every script.

The same sheet gives the same file, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from fpdf import FPDF
from fpdf.enums import TextMode, XPos, YPos

from table.sheet import Sheet, SheetRow

FONT_FILE = Path(__file__).parent / "fonts" / "PaijuSheet.otf"
FONT = "PaijuSheet"
PLACEHOLDER = "□"
EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
"""The date inside the file, so that the same game gives the same file; the game's own day stands on the sheet."""

MARGIN, BOTTOM = 12.0, 14.0
FIXED = (11.0, 21.0, 58.0, 0.0, 14.0)
"""Widths of hand, round, result, detail (what is left) and points, in millimetres."""
PLAYER_WIDTH, RUNNING = 25.0, 12.0
"""A player's column, and the part of it for the score after the hand."""
ROW_HEIGHT, ROW_BY_HAND, LINE_HEIGHT, SMALL = 7.0, 7.4, 3.6, 7.0
"""Rows to write on by hand are taller than printed ones."""
GREY, PALE, LIGHT = 90, 150, 236


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFile:
    """A drawn sheet: the file, how many pages it has, and the characters that its font lacks."""

    data: bytes
    pages: int
    missing: tuple[str, ...]


@lru_cache(maxsize=1)
def drawable() -> frozenset[int]:
    """The code points that the font of the sheet has."""
    with TTFont(FONT_FILE, lazy=True) as font:
        return frozenset(font.getBestCmap())


def draw(sheet: Sheet) -> SheetFile:
    """The sheet as a PDF file. A character that the font lacks becomes □, and a note on the sheet says so."""
    paper = _Paper(sheet)
    paper.heading()
    paper.table()
    paper.below()
    paper.number_pages()
    return SheetFile(data=bytes(paper.pdf.output()), pages=len(paper.pdf.pages), missing=tuple(paper.missing))


class _Paper:
    """The pages as they are filled from top to bottom."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.missing: dict[str, None] = {}
        self.pdf = FPDF("landscape", "mm", "A4")
        self.pdf.set_creation_date(EPOCH)
        self.pdf.set_title(sheet.title)
        self.pdf.set_margins(MARGIN, MARGIN)
        self.pdf.set_auto_page_break(False)
        self.pdf.add_font(FONT, fname=FONT_FILE)
        self.pdf.add_page()
        self.widths = self._widths()

    def _widths(self) -> tuple[float, ...]:
        players = [PLAYER_WIDTH] * len(self.sheet.players)
        rest = self.pdf.epw - sum(FIXED) - sum(players)
        return (*FIXED[:3], rest, FIXED[4], *players)

    def text(self, words: str) -> str:
        """Words as the font can draw them; a line that ends stays so."""
        words = words.replace("\t", " ")
        kept = drawable() | {ord("\n")}
        self.missing.update((sign, None) for sign in words if ord(sign) not in kept)
        return "".join(sign if ord(sign) in kept else PLACEHOLDER for sign in words)

    # ------------------------------------------------------------ heading

    def heading(self) -> None:
        """The title, and what the game was."""
        self._strong(self.sheet.title, 17, 9)
        self.pdf.set_font(FONT, size=10)
        for name, value in self.sheet.facts:
            self._fact(name, value)
        self.pdf.ln(7)
        if self.sheet.options:
            self.pdf.set_text_color(GREY)
            self._paragraph(self.sheet.options, SMALL)
            self.pdf.set_text_color(0)
        self.pdf.ln(2)

    def _fact(self, name: str, value: str) -> None:
        self.pdf.set_text_color(GREY)
        self._word(self.text(name) + "  ")
        self.pdf.set_text_color(0)
        if value:
            self._word(self.text(value))
        else:
            self._line(34.0)
        self._word("      ")

    def _word(self, words: str) -> None:
        self.pdf.cell(self.pdf.get_string_width(words), 6, words, new_x=XPos.RIGHT, new_y=YPos.TOP)

    def _line(self, width: float) -> None:
        """A line to write on."""
        x, y = self.pdf.get_x(), self.pdf.get_y() + 5.4
        self.pdf.line(x, y, x + width, y)
        self.pdf.set_x(x + width)

    def _strong(self, words: str, size: float, height: float) -> None:
        """A title: the strokes of the one font, drawn a little thicker."""
        with self.pdf.local_context():
            self.pdf.text_mode = TextMode.FILL_STROKE
            self.pdf.set_line_width(size * 0.012)
            self.pdf.set_font(FONT, size=size)
            self.pdf.cell(0, height, self.text(words), new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def _paragraph(self, words: str, size: float) -> None:
        self.pdf.set_font(FONT, size=size)
        self.pdf.multi_cell(0, size * 0.52, self.text(words), new_x=XPos.LMARGIN, new_y=YPos.NEXT, align="L")

    # ------------------------------------------------------------ the table

    def table(self) -> None:
        """The titles on every page, then the rows, then the sums."""
        self._titles()
        for row in self.sheet.rows:
            self._row(row)
        title, sums = self.sheet.sums
        self._room(ROW_HEIGHT + 1)
        y = self.pdf.get_y()
        self.pdf.set_font(FONT, size=10)
        x = MARGIN + sum(self.widths[:5])
        self._cell(MARGIN, y, x - MARGIN, self.text(title), "L")
        for points in sums:
            with self.pdf.local_context():
                self.pdf.text_mode = TextMode.FILL_STROKE
                self.pdf.set_line_width(0.12)
                self._cell(x, y, PLAYER_WIDTH, points, "R")
            self._upright(x, y, ROW_HEIGHT)
            x += PLAYER_WIDTH
        self._rule(y, 0.5)
        self._rule(y + ROW_HEIGHT, 0.5)
        self.pdf.set_xy(MARGIN, y + ROW_HEIGHT + 3)

    def _titles(self) -> None:
        y, x = self.pdf.get_y(), MARGIN
        self.pdf.set_font(FONT, size=9)
        self.pdf.set_fill_color(LIGHT)
        self.pdf.rect(MARGIN, y, self.pdf.epw, ROW_HEIGHT, "F")
        for place, (words, width) in enumerate(zip((*self.sheet.head, *self.sheet.players), self.widths, strict=True)):
            self._cell(x, y, width, self._shortened(words, width - 2), "R" if place > 3 else "L")
            x += width
        self._rule(y + ROW_HEIGHT, 0.5)
        self.pdf.set_xy(MARGIN, y + ROW_HEIGHT)

    def _row(self, row: SheetRow) -> None:
        result = self._wrapped(row.result, self.widths[2] - 2, 9)
        detail = self._wrapped(row.detail, self.widths[3] - 2, SMALL)
        height = max(ROW_HEIGHT if row.result else ROW_BY_HAND, 2.4 + 4.4 * len(result), 2 + LINE_HEIGHT * len(detail))
        self._room(height, titles=True)
        y, x = self.pdf.get_y(), MARGIN
        self.pdf.set_font(FONT, size=9)
        for words, width in ((row.number, self.widths[0]), (row.round, self.widths[1])):
            self._cell(x, y, width, self._shortened(words, width - 1), "L", height=height)
            x += width
        self._lines(x, y, result, (9, 4.4), height)
        self._lines(x + self.widths[2], y, detail, (SMALL, LINE_HEIGHT), height)
        x += self.widths[2] + self.widths[3]
        self.pdf.set_font(FONT, size=9)
        self._cell(x, y, self.widths[4], row.points, "R", height=height)
        x += self.widths[4]
        for cell in row.cells:
            self._score(x, y, cell, height)
            x += PLAYER_WIDTH
        self._rule(y + height, 0.15, PALE)
        self.pdf.set_xy(MARGIN, y + height)

    def _score(self, x: float, y: float, cell: tuple[str, str], height: float) -> None:
        """The change in a player's column, the score after it smaller beside it."""
        change, score = cell
        self.pdf.set_font(FONT, size=10)
        self._cell(x, y, PLAYER_WIDTH - RUNNING, change, "R", height=height)
        self.pdf.set_font(FONT, size=SMALL)
        self.pdf.set_text_color(GREY)
        self._cell(x + PLAYER_WIDTH - RUNNING, y, RUNNING, score, "R", height=height)
        self.pdf.set_text_color(0)
        self._upright(x, y, height)

    def _upright(self, x: float, y: float, height: float) -> None:
        """The line at the left of a player's column."""
        self.pdf.set_draw_color(PALE)
        self.pdf.line(x, y, x, y + height)
        self.pdf.set_draw_color(0)

    def _cell(self, x: float, y: float, width: float, words: str, align: str, *, height: float = ROW_HEIGHT) -> None:
        self.pdf.set_xy(x, y)
        self.pdf.cell(width, height, words, align=align)

    def _lines(self, x: float, y: float, lines: Sequence[str], kind: tuple[float, float], height: float) -> None:
        """Wrapped lines, in the middle of their row; `kind` is size and line height."""
        size, step = kind
        self.pdf.set_font(FONT, size=size)
        top = y + (height - step * len(lines)) / 2
        for place, line in enumerate(lines):
            self.pdf.set_xy(x, top + place * step)
            self.pdf.cell(0, step, line)

    def _wrapped(self, words: str, width: float, size: float) -> list[str]:
        if not words:
            return []
        self.pdf.set_font(FONT, size=size)
        found = self.pdf.multi_cell(width, 4, self.text(words), dry_run=True, output="LINES", align="L")
        assert isinstance(found, list), "dry_run with output LINES gives the lines"
        return [str(line) for line in found]

    def _shortened(self, words: str, width: float) -> str:
        """Words that fit one line; what does not fit becomes a sign that something is missing."""
        words = self.text(words)
        if self.pdf.get_string_width(words) <= width:
            return words
        while words and self.pdf.get_string_width(words + "…") > width:
            words = words[:-1]
        return words + "…"

    def _rule(self, y: float, thickness: float, grey: int = 0) -> None:
        self.pdf.set_line_width(thickness)
        self.pdf.set_draw_color(grey)
        self.pdf.line(MARGIN, y, MARGIN + self.pdf.epw, y)
        self.pdf.set_line_width(0.15)
        self.pdf.set_draw_color(0)

    def _room(self, height: float, *, titles: bool = False) -> None:
        """Go to the next page where this does not fit any more."""
        if self.pdf.get_y() + height <= self.pdf.h - BOTTOM:
            return
        self.pdf.add_page()
        if titles:
            self._titles()

    # ------------------------------------------------------------ below the table

    def below(self) -> None:
        """Places, who pays whom, notes, and the lines to sign on: kept together on one page."""
        missing = [f"{self.sheet.missing} {self._named()}"] if self.missing else []
        lines = [*self.sheet.notes, *missing]
        tall = 5 * max(len(self.sheet.standings), len(self.sheet.debts)) + 4 * len(lines) + 18
        self._room(tall)
        top = self.pdf.get_y()
        self._list(self.sheet.standings, MARGIN, top)
        self._list(self.sheet.debts, MARGIN + self.pdf.epw / 2, top)
        self.pdf.set_xy(MARGIN, top + 5 * max(len(self.sheet.standings), len(self.sheet.debts)) + 1)
        self.pdf.set_text_color(GREY)
        for line in lines:
            self._paragraph(line, 7.5)
        self.pdf.set_text_color(0)
        self._signatures()

    def _named(self) -> str:
        return ", ".join(f"U+{ord(sign):04X}" for sign in self.missing)

    def _list(self, lines: Iterable[str], x: float, y: float) -> None:
        self.pdf.set_font(FONT, size=10)
        for place, line in enumerate(lines):
            self.pdf.set_xy(x, y + 5 * place)
            self.pdf.cell(0, 5, self.text(line))

    def _signatures(self) -> None:
        self.pdf.set_xy(MARGIN, self.pdf.get_y() + 5)
        self.pdf.set_font(FONT, size=9)
        self._word(self.text(self.sheet.signature) + "  ")
        for name in self.sheet.players:
            self._word(self._shortened(name, 24) + "  ")
            self._line(32.0)
            self._word("    ")

    def number_pages(self) -> None:
        """Which page of how many, at the foot of each."""
        count = len(self.pdf.pages)
        for number in range(1, count + 1):
            self.pdf.page = number
            self.pdf.set_font(FONT, size=SMALL)
            self.pdf.set_text_color(GREY)
            self.pdf.set_xy(MARGIN, self.pdf.h - 10)
            self.pdf.cell(self.pdf.epw, 4, f"{number} / {count}", align="R")

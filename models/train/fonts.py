"""Glyph outlines for tile faces, taken from freely licensed CJK fonts.

Every font is looked for by its file name under the folders handed in (system
font folders and a folder of unpacked ``@fontsource`` packages). A font that is
not installed is simply left out of the choice; a run that finds none says so.
Licences are part of the catalogue because whoever ships rendered faces has to
name them.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fontTools.misc.transform import Transform
from fontTools.pens.basePen import BasePen
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTCollection, TTFont

FONT_PATH_VARIABLE = "PAIJU_FONTS"
"""Environment variable with extra font folders, separated like ``PATH``."""

OFL = "SIL Open Font License 1.1"
ARPHIC = "Arphic Public License"
GPL_FONT = "GPL-2.0-or-later with font exception"
FREE = "public domain"


class FontsMissingError(RuntimeError):
    """No usable font was found; the message says which packages to install."""


@dataclass(frozen=True, slots=True)
class FontSource:
    """One typeface of the catalogue: where it comes from and what it costs.

    Attributes:
        key: short name used by styles.
        pattern: glob of the file name(s), relative to a font folder.
        face: index inside a font collection (``.ttc``), 0 otherwise.
        licence: licence of the font.
        package: Debian or npm package that installs it.
        look: ``kai`` (brush), ``song`` (serif), ``hei`` (sans) or ``cao`` (running hand).
    """

    key: str
    pattern: str
    face: int
    licence: str
    package: str
    look: str


CATALOGUE: tuple[FontSource, ...] = (
    FontSource("yuji_boku", "**/yuji-boku-*-400-normal.woff2", 0, OFL, "npm @fontsource/yuji-boku", "kai"),
    FontSource("yuji_syuku", "**/yuji-syuku-*-400-normal.woff2", 0, OFL, "npm @fontsource/yuji-syuku", "kai"),
    FontSource("kaisei", "**/kaisei-opti-*-700-normal.woff2", 0, OFL, "npm @fontsource/kaisei-opti", "song"),
    FontSource("wenkai", "**/lxgw-wenkai-tc-*-700-normal.woff2", 0, OFL, "npm @fontsource/lxgw-wenkai-tc", "kai"),
    FontSource("ma_shan", "**/ma-shan-zheng-*-400-normal.woff2", 0, OFL, "npm @fontsource/ma-shan-zheng", "kai"),
    FontSource("xiaowei", "**/zcool-xiaowei-*-400-normal.woff2", 0, OFL, "npm @fontsource/zcool-xiaowei", "song"),
    FontSource("zhi_mang", "**/zhi-mang-xing-*-400-normal.woff2", 0, OFL, "npm @fontsource/zhi-mang-xing", "cao"),
    FontSource("long_cang", "**/long-cang-*-400-normal.woff2", 0, OFL, "npm @fontsource/long-cang", "cao"),
    FontSource("liu_jian", "**/liu-jian-mao-cao-*-400-normal.woff2", 0, OFL, "npm @fontsource/liu-jian-mao-cao", "cao"),
    FontSource("serif_black", "**/NotoSerifCJK-Black.ttc", 3, OFL, "fonts-noto-cjk-extra", "song"),
    FontSource("serif_bold", "**/NotoSerifCJK-Bold.ttc", 3, OFL, "fonts-noto-cjk", "song"),
    FontSource("serif_jp", "**/NotoSerifCJK-SemiBold.ttc", 0, OFL, "fonts-noto-cjk-extra", "song"),
    FontSource("sans_bold", "**/NotoSansCJK-Bold.ttc", 3, OFL, "fonts-noto-cjk", "hei"),
    FontSource("sans_regular", "**/NotoSansCJK-Regular.ttc", 3, OFL, "fonts-noto-cjk", "hei"),
    FontSource("ukai_tw", "**/ukai.ttc", 2, ARPHIC, "fonts-arphic-ukai", "kai"),
    FontSource("ukai_cn", "**/ukai.ttc", 0, ARPHIC, "fonts-arphic-ukai", "kai"),
    FontSource("uming_tw", "**/uming.ttc", 2, ARPHIC, "fonts-arphic-uming", "song"),
    FontSource("bkai", "**/bkai00mp.ttf", 0, ARPHIC, "fonts-arphic-bkai00mp", "kai"),
    FontSource("bsmi", "**/bsmi00lp.ttf", 0, ARPHIC, "fonts-arphic-bsmi00lp", "song"),
    FontSource("gkai", "**/gkai00mp.ttf", 0, ARPHIC, "fonts-arphic-gkai00mp", "kai"),
    FontSource("zenhei", "**/wqy-zenhei.ttc", 0, GPL_FONT, "fonts-wqy-zenhei", "hei"),
    FontSource("cwkai", "**/cwkai.ttf", 0, "GPL-2.0-or-later", "fonts-cwtex-kai", "kai"),
    FontSource("cwyen", "**/cwyen.ttf", 0, "GPL-2.0-or-later", "fonts-cwtex-yen", "hei"),
    FontSource("tw_kai", "**/TW-Kai-98_1.ttf", 0, "Open Government Data License 1.0", "fonts-cns11643-kai", "kai"),
    FontSource("maruberi", "**/MTLmr3m.ttf", 0, "Apache-2.0", "fonts-motoya-l-maruberi", "hei"),
    FontSource("kouzan", "**/kouzan-mouhitsu.ttf", 0, FREE, "fonts-kouzan-mouhitsu", "cao"),
    FontSource("kouzan_gyosho", "**/kouzan-mouhitsu-gyosho.ttf", 0, FREE, "fonts-kouzan-mouhitsu", "cao"),
    FontSource("soseki", "**/aoyagi-soseki.ttf", 0, FREE, "fonts-aoyagi-soseki", "cao"),
    FontSource("cwfs", "**/cwfs.ttf", 0, "GPL-2.0-or-later", "fonts-cwtex-fs", "song"),
)


def default_folders() -> tuple[Path, ...]:
    """Font folders of this machine: ``PAIJU_FONTS`` first, then the system's."""
    extra = [Path(p) for p in os.environ.get(FONT_PATH_VARIABLE, "").split(os.pathsep) if p]
    return (*extra, Path("/usr/share/fonts"), Path.home() / ".local/share/fonts")


class _CompactPen(BasePen):
    """Writes SVG path data with relative, rounded coordinates (small files)."""

    def __init__(self, glyph_set: object, decimals: int) -> None:
        super().__init__(glyph_set)
        self.out: list[str] = []
        self._scale = 10**decimals
        self._at = (0, 0)
        self._start = (0, 0)
        self._last = ""

    def _grid(self, point: tuple[float, float]) -> tuple[int, int]:
        return round(point[0] * self._scale), round(point[1] * self._scale)

    def _number(self, value: int) -> str:
        if self._scale == 1:
            return str(value)
        text = f"{value / self._scale:g}"
        return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text

    def _write(self, command: str, points: Sequence[tuple[float, float]]) -> None:
        x0, y0 = self._at
        grid = [self._grid(p) for p in points]
        if command == "l" and grid[-1] == self._at:
            return
        numbers = [v for x, y in grid for v in (x - x0, y - y0)]
        if command == "l" and grid[-1][1] == y0:
            command, numbers = "h", [grid[-1][0] - x0]
        elif command == "l" and grid[-1][0] == x0:
            command, numbers = "v", [grid[-1][1] - y0]
        text = "" if command == self._last and command != "m" else command
        for value in numbers:
            word = self._number(value)
            glue = "" if (not text and command != self._last) or text[-1:].isalpha() or word[0] == "-" else " "
            text += glue + word
        self.out.append(text)
        self._last = command
        self._at = grid[-1]

    def _moveTo(self, pt: tuple[float, float]) -> None:  # noqa: N802 (fontTools names its hooks)
        self._last = ""
        self._write("m", [pt])
        self._start = self._at

    def _lineTo(self, pt: tuple[float, float]) -> None:  # noqa: N802 (fontTools names its hooks)
        self._write("l", [pt])

    def _curveToOne(self, pt1: tuple[float, float], pt2: tuple[float, float], pt3: tuple[float, float]) -> None:  # noqa: N802 (fontTools names its hooks)
        self._write("c", [pt1, pt2, pt3])

    def _qCurveToOne(self, pt1: tuple[float, float], pt2: tuple[float, float]) -> None:  # noqa: N802 (fontTools names its hooks)
        self._write("q", [pt1, pt2])

    def _closePath(self) -> None:  # noqa: N802 (fontTools names its hooks)
        self.out.append("z")
        self._at = self._start
        self._last = ""


@dataclass(slots=True)
class FontBook:
    """Finds installed fonts and turns characters into outlines.

    Attributes:
        folders: where fonts are looked for, in this order.
    """

    folders: tuple[Path, ...]
    _files: dict[str, list[TTFont]] = field(default_factory=dict)
    _outlines: dict[tuple[object, ...], str] = field(default_factory=dict)

    def _fonts(self, key: str) -> list[TTFont]:
        if key not in self._files:
            source = next(s for s in CATALOGUE if s.key == key)
            paths: list[str] = []
            for folder in self.folders:
                paths = sorted(glob.glob(str(folder / source.pattern), recursive=True))
                if paths:
                    break
            fonts = [
                TTCollection(p, lazy=True).fonts[source.face] if p.endswith(".ttc") else TTFont(p, lazy=True)
                for p in paths
            ]
            self._files[key] = fonts
        return self._files[key]

    def font_with(self, key: str, char: str) -> TTFont | None:
        """The font file of typeface ``key`` that holds ``char``, or ``None``."""
        return next((f for f in self._fonts(key) if ord(char) in f.getBestCmap()), None)

    def available(self) -> tuple[FontSource, ...]:
        """All typefaces of the catalogue that are installed here.

        Raises:
            FontsMissingError: none is installed.
        """
        found = tuple(s for s in CATALOGUE if self._fonts(s.key))
        if not found:
            raise FontsMissingError(
                "No CJK font was found for drawing tile faces. Install one with "
                "'apt-get install fonts-noto-cjk fonts-arphic-ukai', or unpack npm "
                f"@fontsource packages and name their folder in {FONT_PATH_VARIABLE}."
            )
        return found

    def has(self, key: str, chars: str) -> bool:
        """Whether typeface ``key`` is installed and holds every one of ``chars``."""
        return all(self.font_with(key, c) is not None for c in chars)

    def outline(
        self, key: str, char: str, box: tuple[float, float, float, float], *, stretch: bool = False, decimals: int = 1
    ) -> str:
        """SVG path data of ``char`` fitted into a box, black part only.

        Args:
            key: typeface of the catalogue.
            char: one character.
            box: x, y, width, height to fill in face units (y down).
            stretch: fill the box in both directions instead of keeping the proportions.
            decimals: digits kept after the point.

        Raises:
            FontsMissingError: the typeface lacks the character.
        """
        memo = (key, char, box, stretch, decimals)
        if memo not in self._outlines:
            font = self.font_with(key, char)
            if font is None:
                raise FontsMissingError(f"The typeface {key!r} has no outline for {char!r}.")
            glyphs = font.getGlyphSet()
            name = font.getBestCmap()[ord(char)]
            bounds_pen = BoundsPen(glyphs)
            glyphs[name].draw(bounds_pen)
            x0, y0, x1, y1 = bounds_pen.bounds
            x, y, width, height = box
            sx, sy = width / (x1 - x0), height / (y1 - y0)
            if not stretch:
                sx = sy = min(sx, sy)
            place = Transform(
                sx, 0, 0, -sy, x + (width - sx * (x1 - x0)) / 2 - sx * x0, y + (height - sy * (y1 - y0)) / 2 + sy * y1
            )
            pen = _CompactPen(glyphs, decimals)
            glyphs[name].draw(TransformPen(pen, place))
            self._outlines[memo] = "".join(pen.out)
        return self._outlines[memo]


def main() -> None:
    """Lists the typefaces with their licences and says which are installed: ``python -m models.train.fonts``."""
    book = FontBook(default_folders())
    for source in CATALOGUE:
        state = "installed" if book.has(source.key, "一") else "missing"
        print(f"{source.key:13} {source.look:5} {state:10} {source.licence:35} {source.package}")
    npm = sorted({s.package.split()[1] for s in CATALOGUE if s.package.startswith("npm")})
    debian = sorted({s.package for s in CATALOGUE if not s.package.startswith("npm")})
    print(f"\nDebian:  apt-get install {' '.join(debian)}")
    print(f"npm:     npm install --prefix DIR {' '.join(npm)}   (then set {FONT_PATH_VARIABLE}=DIR)")


if __name__ == "__main__":
    main()

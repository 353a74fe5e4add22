"""Makes the font of the score sheet again: Noto Sans CJK SC, cut down to what names and scores need.

    python -m table.fonts.make_font /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc

The source is Debian's package `fonts-noto-cjk`. The same source and the same fontTools give the same file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from fontTools import subset  # type: ignore[import-untyped]
from fontTools.ttLib import TTCollection, TTFont  # type: ignore[import-untyped]

SOURCE_FAMILY = "Noto Sans CJK SC"
FAMILY = "Paiju Sheet"
TARGET = Path(__file__).parent / "PaijuSheet.otf"
LATIN = ((0x20, 0x7F), (0xA0, 0x180), (0x2010, 0x2028), (0x2030, 0x205F), (0x2190, 0x2194), (0x3000, 0x3020))
NAMES = "喆堃垚犇骉淼焱燚旻晟烨祎禛睿璟璠琤珺玥琋玚婧嬗芃苡莳蓁翀翾翯赟赪隽峯衞昇峰卫"
"""Characters that people are called by and that neither standard has (and some that one of them has)."""
SIGNS = "−×÷✓✕●○■□▲△▼◆◇★☆①②③④⑤⑥⑦⑧⑨⑩€£¥"


def _decoded(encoding: str, leads: Iterable[int], trails: Iterable[int]) -> Iterator[str]:
    """Every character of a two-byte encoding with these lead and trail bytes."""
    trails = list(trails)
    for lead in leads:
        for trail in trails:
            try:
                yield bytes([lead, trail]).decode(encoding)
            except UnicodeDecodeError:
                continue


def characters() -> frozenset[str]:
    """GB 2312, Big5, more names, Latin with its accents, and a few signs."""
    simplified = _decoded("gb2312", range(0xA1, 0xF8), range(0xA1, 0xFF))
    traditional = _decoded("big5", range(0xA4, 0xFA), [*range(0x40, 0x7F), *range(0xA1, 0xFF)])
    latin = (chr(code) for first, end in LATIN for code in range(first, end))
    return frozenset((*simplified, *traditional, *latin, *NAMES, *SIGNS))


def _options() -> subset.Options:
    options = subset.Options()
    options.layout_features = []
    options.drop_tables += ["BASE", "GDEF", "GPOS", "GSUB", "VORG", "vhea", "vmtx"]
    options.hinting = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.name_languages = [0x409]
    options.notdef_outline = True
    return options


def _rename(font: TTFont) -> None:
    """A changed font carries its own name, as its licence asks."""
    for record in font["name"].names:
        if record.nameID in (1, 4):
            record.string = FAMILY
        elif record.nameID in (3, 6):
            record.string = FAMILY.replace(" ", "")
    cff = font["CFF "].cff
    cff.fontNames = [FAMILY.replace(" ", "")]
    cff.topDictIndex[0].FamilyName = cff.topDictIndex[0].FullName = FAMILY


def make(collection: Path, target: Path) -> int:
    """Cut the font down and write it; the number of characters it has."""
    font = next(one for one in TTCollection(collection).fonts if one["name"].getDebugName(1) == SOURCE_FAMILY)
    font.recalcTimestamp = False
    cutter = subset.Subsetter(_options())
    cutter.populate(unicodes={ord(sign) for sign in characters()})
    cutter.subset(font)
    _rename(font)
    font.save(target)
    return len(font.getBestCmap())


if __name__ == "__main__":
    sys.stdout.write(f"{TARGET.name}: {make(Path(sys.argv[1]), TARGET)} characters\n")

"""The rows that an owner lays out so that Paiju learns the table's own tiles."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GuidedRow:
    """One row of different tiles, side by side and touching, in their known order.

    Attributes:
        key: Its name for programs and text catalogues.
        text: What a person lays down.
        tiles: Tile text of each place, from left to right.
        optional: Whether a table can be enrolled without it.
    """

    key: str
    text: str
    tiles: tuple[str, ...]
    optional: bool = False


GUIDED_ROWS: tuple[GuidedRow, ...] = (
    GuidedRow("characters", "萬 1 to 9", tuple(f"{number}m" for number in range(1, 10))),
    GuidedRow("dots", "筒 1 to 9", tuple(f"{number}p" for number in range(1, 10))),
    GuidedRow("bamboos", "條 1 to 9", tuple(f"{number}s" for number in range(1, 10))),
    GuidedRow("honours", "東 南 西 北 白 發 中", tuple(f"{number}z" for number in range(1, 8))),
    GuidedRow("flowers", "春 夏 秋 冬 梅 蘭 竹 菊", tuple(f"{number}f" for number in range(1, 9)), optional=True),
)

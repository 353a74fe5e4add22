"""Which tiles lie together: melds, hands, ponds and other rows, from the shapes that rows of tiles make.

Nothing here knows which tile is which, except that a wall is made of backs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.lines import Row, find_rows
from vision.types import BACK, Floats, Group, GroupKind, PictureReading, TileReading

POND_ROW = 6
HAND = range(13, 19)
"""Length of a whole hand in one line: 13 tiles, the winning one, and up to four more for kongs."""
LONG = 5
"""From here a line is too long for a meld; the only such line in a picture is the hand beside its melds."""


def arrange(width: int, height: int, tiles: Sequence[TileReading]) -> PictureReading:
    """Puts the tiles of a picture into groups and into the order of the groups.

    A long line of tiles lying face down is a wall, so a row and not a hand.
    """
    places = group_tiles(np.array([tile.box_px for tile in tiles], np.float32).reshape(-1, 4))
    ordered: list[TileReading] = []
    groups: list[Group] = []
    for group in places:
        members = [tiles[place] for place in group.tiles]
        wall = group.kind == "hand" and 2 * sum(tile.tile == BACK for tile in members) > len(members)
        indices = range(len(ordered), len(ordered) + len(members))
        groups.append(Group("row" if wall else group.kind, tuple(indices)))
        ordered += members
    return PictureReading(width, height, tuple(ordered), tuple(groups))


def group_tiles(boxes_xyxy_px: Floats) -> tuple[Group, ...]:
    """Sorts the tiles of a picture into hands, melds, ponds and other rows.

    Rows may lie in any direction and under perspective. Reading direction is left to right, for steep rows top to
    bottom; a pond is read from the row that was filled first, as the player sees it whose discards these are.

    Args:
        boxes_xyxy_px: float32 (N, 4).

    Returns:
        Groups that hold every tile exactly once: hands first, then melds, ponds, rows; each kind from the top.
    """
    if not len(boxes_xyxy_px):
        return ()
    rows = find_rows(boxes_xyxy_px)
    stacks = [stack for stack in _stacks(rows) if _is_pond([rows[place] for place in stack])]
    in_pond = {place for stack in stacks for place in stack}
    free = [row for place, row in enumerate(rows) if place not in in_pond]
    groups = [Group("pond", _pond_order([rows[place] for place in stack])) for stack in stacks]
    groups += [Group(_shape(row, free), row.tiles) for row in free]
    return tuple(sorted(groups, key=lambda group: _place(group, boxes_xyxy_px)))


def _stacks(rows: list[Row]) -> list[list[int]]:
    """Rows that lie parallel and touch with their long sides, as positions in `rows`."""
    groups = [[place] for place in range(len(rows))]
    for first in range(len(rows)):
        for second in range(first):
            if _stacked(rows[first], rows[second]):
                one = next(group for group in groups if first in group)
                other = next(group for group in groups if second in group)
                if one is not other:
                    one.extend(other)
                    groups.remove(other)
    return [group for group in groups if len(group) > 1]


def _stacked(first: Row, second: Row) -> bool:
    longer, shorter = (first, second) if len(first.tiles) >= len(second.tiles) else (second, first)
    if len(longer.tiles) > POND_ROW:  # a wall or a hand that lies close to a pond
        return False
    if len(shorter.tiles) > 1 and abs(float(longer.direction @ shorter.direction)) < 0.94:
        return False
    offset = shorter.middle - longer.middle
    along = abs(float(offset @ longer.direction))
    aside = abs(float(offset[1] * longer.direction[0] - offset[0] * longer.direction[1]))
    long = (longer.long + shorter.long) / 2 if len(shorter.tiles) > 1 else longer.long
    within = along + shorter.length / 2 <= longer.length / 2 + 0.6 * longer.wide
    return 0.7 * long <= aside <= 1.4 * long and within


def _is_pond(stack: list[Row]) -> bool:
    """Full rows of six and one that is still being filled, at either edge; a claimed discard may be missing."""
    lengths = [len(row.tiles) for row in _from_edge(stack)]
    full = [length >= POND_ROW - 1 for length in lengths]
    return max(lengths) == POND_ROW and (all(full[:-1]) or all(full[1:]))


def _from_edge(stack: list[Row]) -> list[Row]:
    """The rows of a stack from one edge to the other: downwards, for steep rows leftwards."""
    right = max(stack, key=lambda row: len(row.tiles)).direction
    down = np.array([-right[1], right[0]])
    return sorted(stack, key=lambda row: float(row.middle @ down))


def _pond_order(stack: list[Row]) -> tuple[int, ...]:
    """Tiles in the order in which they were discarded: the row that is not full was begun last."""
    rows = _from_edge(stack)
    if len(rows[0].tiles) < len(rows[-1].tiles):  # seen from the player's opposite
        return tuple(tile for row in reversed(rows) for tile in reversed(row.tiles))
    return tuple(tile for row in rows for tile in row.tiles)


def _shape(row: Row, free: list[Row]) -> GroupKind:
    count = len(row.tiles)
    if count in (3, 4):
        return "meld"
    alone = all(len(other.tiles) < LONG for other in free if other is not row)
    return "hand" if count in HAND or (LONG <= count < HAND.start and alone) else "row"


def _place(group: Group, boxes: Floats) -> tuple[int, float, float]:
    kinds: tuple[GroupKind, ...] = ("hand", "meld", "pond", "row")
    left, top = boxes[list(group.tiles), :2].min(axis=0)
    return kinds.index(group.kind), float(top), float(left)

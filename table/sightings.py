"""From what was read in a picture of the whole table to a sighting of the hand: who laid what where.

The eyes know tiles, the calibration turns pixels into millimetres, `vision.table_rows` says whose row that is; here the
rows get their mahjong names. Nothing is corrected and nothing is guessed: that is the business of `table.follow`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product

from models import LABELS
from table.follow.faces import BACK, is_flower, run_of
from table.follow.sighting import Glimpse, SeatSighting, Sighting, Zone
from vision.calibration import Calibration
from vision.table_rows import TableRow, by_seat, rows_on_table
from vision.types import PictureReading, TileReading
from vision.zones import ZonePlan

SEATS = 4
NOT_FOUND = Glimpse((("1m", 0.0),), sure=False)
"""A tile that must lie there (`vision.table_rows.UNREAD`, the last of all glimpses) may be any."""
KINDS = tuple(tile for tile in LABELS if tile != BACK and not is_flower(tile))
ROOM = (0.85, 1.15)
"""Room between two rows, in tile widths, that exactly one tile would fill."""
ALL_BUT_FOUR = 3
"""Beside so many melds a hand has four tiles left, or one more meld and a single tile."""
LOST = 2.2
"""A gap in a wall narrower than so many tiles is likelier one or two stacks not found than where it was opened."""
COVERED = 0.5
"""From this probability a flower that is too short to lie flat is one; below it may be the side of a tile that stands.
Of 12 that reached it in 146 rendered tables 11 were flowers, of 16 below 12."""
NEXT_ROW = 1.3
"""A row of faces where the wall stands goes on a pond if it lies at most so many lengths beyond its last row."""


def sighting_of(reading: PictureReading, calibration: Calibration, plan: ZonePlan, at_s: float) -> Sighting:
    """What the picture shows of the hand.

    Args:
        reading: of the whole picture.
        calibration: of this camera, turned so that seat 0 is the seat that the game calls 0.
        plan: where the zones end.
        at_s: when the picture was taken, monotonic seconds.
    """
    rows = rows_on_table(reading, calibration, plan)
    glimpses = [*(_glimpse(index, tile) for index, tile in enumerate(reading.tiles)), NOT_FOUND]
    patchy = {(row.seat, zone) for row in rows for zone in _patchy(row)} | _gapped(rows) | _mixed(rows, glimpses)
    return Sighting(at_s, tuple(_seat(rows, seat, glimpses) for seat in range(SEATS)), patchy=frozenset(patchy))


def _patchy(row: TableRow) -> tuple[Zone, ...]:
    """The zones that this row makes unreliable: half a tile found, two in one place, or none where one must be."""
    if row.zone == "pond":
        return () if row.even and row.flat else ("pond",)
    return () if row.even or row.zone != "hand" else ("melds", "hand")


def _gapped(rows: Sequence[TableRow]) -> set[tuple[int, Zone]]:
    """Whose open hand may lack a tile that was not found: two rows with just room for one between them."""
    found: set[tuple[int, Zone]] = set()
    for seat in range(SEATS):
        strip = sorted(by_seat(rows, seat, "hand"), key=lambda one: one.left_mm)
        for row, after in pairwise(strip):
            tile_mm = (row.right_mm - row.left_mm) / len(row.tiles)
            level = abs(row.ahead_mm - after.ahead_mm) < tile_mm / 2
            if level and ROOM[0] < (after.left_mm - row.right_mm) / tile_mm < ROOM[1]:
                found.add((seat, "hand"))
    return found


def _mixed(rows: Sequence[TableRow], glimpses: Sequence[Glimpse]) -> set[tuple[int, Zone]]:
    """Whose melds and hand cannot be told apart: faces read for sure lie in a row with backs, and no melds explain it.

    A concealed kong one of whose backs was not found is such a row, and all that lies beside it.
    """
    found: set[tuple[int, Zone]] = set()
    for row in rows:
        tiles = [glimpses[index] for index in row.tiles if not _flower(glimpses[index])]
        mixed = row.flat and row.zone == "hand" and any(tile.back for tile in tiles)
        if mixed and any(tile.sure and not tile.back for tile in tiles) and not _as_melds(tiles):
            found |= {(row.seat, "melds"), (row.seat, "hand")}
    return found


def _glimpse(index: int, tile: TileReading) -> Glimpse:
    candidates = ((tile.tile, tile.score), *tile.also)
    return Glimpse(candidates, sure=tile.sure == "sure", ref=index)


def _seat(rows: Sequence[TableRow], seat: int, glimpses: Sequence[Glimpse]) -> SeatSighting:
    """What the rows before a player are: discards, flowers, melds, the hand standing, face down or laid open.

    A tile that stands shows its back: what is too short to lie flat, but shows a flower, lies there half covered by
    the hand that stands before it. It is a flower, in doubt.
    """
    melds: list[tuple[Glimpse, ...]] = []
    loose: list[Glimpse] = []
    flowers: list[Glimpse] = []
    small = by_seat(rows, seat, "hand", flat=False)
    covered = [row for row in small if _flower(glimpses[row.tiles[0]], COVERED)]
    standing, down = len(small) - len(covered), 0
    strip = [
        [glimpses[index] if row.flat else replace(glimpses[index], sure=False) for index in row.tiles]
        for row in sorted((*by_seat(rows, seat, "hand"), *covered), key=lambda one: one.left_mm)
    ]
    hidden: list[list[Glimpse]] = []
    for tiles in strip:
        flowers += [tile for tile in tiles if _flower(tile)]
        tiles = [tile for tile in tiles if not _flower(tile)]
        if tiles and all(tile.back for tile in tiles):
            hidden.append(tiles)
            continue
        parts = _as_melds(tiles)
        if parts:
            melds += parts
        elif any(tile.back for tile in tiles):
            down += len(tiles)
        else:
            loose += tiles
    for tiles in hidden:
        alone = len(hidden) == 1 and not (standing or down or loose)
        hand = len(tiles) != 4 or (alone and len(melds) >= ALL_BUT_FOUR)
        melds += [] if hand else [tuple(tiles)]
        down += len(tiles) if hand else 0
    pond = _pond(rows, seat, glimpses)
    stacks, stacks_sure = _wall(rows, seat, glimpses)
    return SeatSighting(
        pond=pond,
        melds=tuple(melds),
        flowers=tuple(flowers),
        hand=tuple(loose),
        standing=standing + down or None,
        down=down,
        stacks=stacks,
        stacks_sure=stacks_sure,
    )


def _wall(rows: Sequence[TableRow], seat: int, glimpses: Sequence[Glimpse]) -> tuple[int, bool]:
    """Stacks of the wall before a player and whether their number is certain: see `SeatSighting.stacks`.

    A row with a back in it is wall, also where a stack's upper tile was turned over for the wildcard; a row of faces
    alone is late discards.
    """
    wall = [row for row in rows if (row.seat, row.zone) == (seat, "wall")]
    wall = sorted(
        (row for row in wall if any(glimpses[index].back for index in row.tiles)), key=lambda row: row.left_mm
    )
    whole = all(row.even and row.flat and all(glimpses[index].sure for index in row.tiles) for row in wall)
    tile_mm = [(row.right_mm - row.left_mm) / len(row.tiles) for row in wall]
    gaps = [(after.left_mm - row.right_mm) / mm for (row, after), mm in zip(pairwise(wall), tile_mm, strict=False)]
    return sum(len(row.tiles) for row in wall), whole and not any(abs(gap) < LOST for gap in gaps)


def _pond(rows: Sequence[TableRow], seat: int, glimpses: Sequence[Glimpse]) -> tuple[Glimpse, ...]:
    """Discards as they were made: row after row away from the middle, each from its player's left.

    Late in a hand discards lie where the wall stood; a face there that does not go on a pond was turned over in the
    wall (for the wildcard) and is nobody's discard.
    """
    pond = list(by_seat(rows, seat, "pond"))
    for row in by_seat(rows, seat, "wall"):
        last = pond[-1] if pond else None
        if last is None or any(glimpses[index].back for index in row.tiles):
            continue
        tile_mm = (last.right_mm - last.left_mm) / len(last.tiles)
        beside = last.left_mm - tile_mm <= row.left_mm and row.right_mm <= last.right_mm + tile_mm
        if beside and row.ahead_mm - last.ahead_mm < NEXT_ROW * 1.4 * tile_mm:
            pond.append(row)
    return tuple(glimpses[index] for row in pond for index in row.tiles if not glimpses[index].back)


def _as_melds(row: Sequence[Glimpse]) -> list[tuple[Glimpse, ...]]:
    """The melds that a row is made of, if it is made of melds alone; melds laid close together make one row."""
    if len(row) in (3, 4):
        return [_as_kong(tuple(row))] if _may_be_meld(tuple(row)) else []
    if len(row) < 6:
        return []
    return next(_cut(tuple(row)), [])


def _cut(row: tuple[Glimpse, ...]) -> Iterator[list[tuple[Glimpse, ...]]]:
    if not row:
        yield []
    for size in (4, 3):
        if len(row) >= size and _may_be_meld(row[:size]):
            for rest in _cut(row[size:]):
                yield [_as_kong(row[:size]), *rest]


def _as_kong(meld: tuple[Glimpse, ...]) -> tuple[Glimpse, ...]:
    """The same meld; what may be a back and is no tile of the kong it lies in is likelier one, and stays in doubt."""
    if len(meld) != 4:
        return meld
    open_tiles = [set(_open_faces(tile)) for tile in meld if not tile.maybe_back]
    kong = set.intersection(*open_tiles) if open_tiles else set(KINDS)
    return tuple(_turned(tile) if tile.maybe_back and tile.candidates[0][0] not in kong else tile for tile in meld)


def _turned(glimpse: Glimpse) -> Glimpse:
    backs_first = sorted(glimpse.candidates, key=lambda candidate: candidate[0] != BACK)
    return replace(glimpse, candidates=tuple(backs_first))


def _may_be_meld(tiles: tuple[Glimpse, ...]) -> bool:
    """Whether three tiles may be a chow or a pung, or four a kong; one with a back among them is concealed."""
    if len(tiles) == 4:
        return _alike([tile for tile in tiles if not tile.maybe_back])
    if any(tile.back for tile in tiles):
        return False
    return _alike(tiles) or any(len(set(one)) == 3 and run_of(one) for one in product(*map(_open_faces, tiles)))


def _alike(tiles: Sequence[Glimpse]) -> bool:
    """Whether all of these may be the same face; none at all lie face down."""
    return not tiles or bool(set.intersection(*(set(_open_faces(tile)) for tile in tiles)))


def _open_faces(glimpse: Glimpse) -> tuple[str, ...]:
    return glimpse.faces or KINDS


def _flower(glimpse: Glimpse, least: float = 0.0) -> bool:
    likeliest, probability = glimpse.candidates[0]
    return likeliest != BACK and is_flower(likeliest) and probability >= least

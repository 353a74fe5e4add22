"""Guangdong and popular hands valued a second time, from the tiles alone, with none of the rules' code.

Tiles are numbers as everywhere: 0-26 suits, 27-30 winds, 31-33 dragons.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rules.model import TableFacts, Winner

ORPHANS = {0, 8, 9, 17, 18, 26, *range(27, 34)}
Sets = tuple[tuple[int, ...], ...]


def split(tiles: tuple[int, ...]) -> Iterator[Sets]:
    """Every way to lay sorted tiles out as sets."""
    if not tiles:
        yield ()
        return
    low = tiles[0]
    for one in ((low,) * 3, (low, low + 1, low + 2)):
        if one[0] != one[1] and (low >= 27 or low % 9 > 6):
            continue
        rest = Counter(tiles)
        rest.subtract(one)
        if min(rest.values()) >= 0:
            for others in split(tuple(sorted(rest.elements()))):
                yield (one, *others)


def layouts(winner: Winner) -> Iterator[tuple[Sets, int]]:
    """Sets and pair of a standard hand, melds included."""
    own = Counter((*winner.hand, winner.win_tile or 0))
    laid = tuple(tuple(sorted(meld.tiles))[:3] for meld in winner.melds)
    for pair in [tile for tile, count in own.items() if count >= 2]:
        rest = own - Counter({pair: 2})
        for sets in split(tuple(sorted(rest.elements()))):
            yield (*laid, *sets), pair


def everything(winner: Winner) -> list[int]:
    """All tiles of the hand."""
    return [*winner.hand, winner.win_tile or 0, *(tile for meld in winner.melds for tile in meld.tiles)]


def suits(tiles: list[int]) -> set[int]:
    return {tile // 9 for tile in tiles if tile < 27}


def concealed(winner: Winner) -> bool:
    return all(meld.kind == "kong_concealed" for meld in winner.melds)


def is_orphans(winner: Winner) -> bool:
    return not winner.melds and set(everything(winner)) == ORPHANS


def guangdong(winner: Winner, facts: TableFacts, doubling: bool = False) -> int | None:
    """Points of one share; None for no win. First-turn wins are not in the random hands."""
    if is_orphans(winner):
        return 64
    values = [of_layout(winner, facts, layout, doubling) for layout in layouts(winner)]
    return max(values, default=None)


def of_layout(winner: Winner, facts: TableFacts, layout: tuple[Sets, int], doubling: bool) -> int:
    sets, pair = layout
    tiles = everything(winner)
    pungs = {one[0] for one in sets if one[0] == one[1]}
    only_pungs, honours, one_suit = len(pungs) == 4, any(tile >= 27 for tile in tiles), len(suits(tiles)) == 1
    winds, dragons = len(pungs & set(range(27, 31))), len(pungs & {31, 32, 33})
    gates = Counter((*winner.hand,)) == Counter(
        [tile + 9 * min(suits(tiles) or {0}) for tile in (0, 0, 0, *range(1, 8), 8, 8, 8)]
    )
    if (
        not suits(tiles)
        or winds == 4
        or dragons == 3
        or (set(tiles) <= ORPHANS and not honours and only_pungs)
        or gates
    ):
        return 64
    if (only_pungs and one_suit and not honours) or (only_pungs and set(tiles) <= ORPHANS):
        return 32
    if (dragons == 2 and pair >= 31) or (winds == 3 and 27 <= pair <= 30):
        return 32
    if one_suit and (only_pungs or not honours):
        return 16
    drawn = winner.source in ("self_draw", "kong_replacement", "rob_kong")
    base = 4 if only_pungs or (one_suit and honours) else 2 if not pungs else 1
    more = dragons + (27 + facts.round_wind in pungs) + (27 + (winner.seat - facts.dealer) % 4 in pungs)
    more += drawn + concealed(winner)
    cap = 8 if doubling else 4
    if winner.source in ("kong_replacement", "rob_kong") or (winner.source == "self_draw" and facts.last_tile):
        return cap
    return min(cap, base * 2**more if doubling else base + more)


def popular(winner: Winner, facts: TableFacts) -> int | None:
    """Fan after the cap; None for no win."""
    if is_orphans(winner):
        return 6
    tiles, source = everything(winner), winner.source
    fan = 1
    last = facts.last_tile and source in ("self_draw", "kong_replacement", "discard")
    fan += 3 * last + 3 * (source == "kong_replacement") + 2 * (source == "rob_kong")
    fan += source == "self_draw" and not last
    if len(suits(tiles)) == 1:
        fan += 2 if any(tile >= 27 for tile in tiles) else 3
    found = []
    counts = Counter(tiles)
    if not winner.melds and all(count in (2, 4) for count in counts.values()):
        found.append(fan + (3 if 4 in counts.values() else 2))
    for sets, _ in layouts(winner):
        pungs = [one for one in sets if one[0] == one[1]]
        full = {31, 32, 33} <= {one[0] for one in pungs} or four_concealed(winner, sets)
        found.append(6 if full else fan + concealed(winner) + 2 * (len(pungs) == 4))
    return min(6, max(found)) if found else None


def four_concealed(winner: Winner, sets: Sets) -> bool:
    """Four triplets, none melded but in concealed kongs, and none finished by another player's tile."""
    if not concealed(winner) or any(one[0] != one[1] for one in sets):
        return False
    return winner.from_seat is None or (winner.win_tile or 0) not in {one[0] for one in sets}

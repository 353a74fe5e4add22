"""Hands of four rulesets valued a second time, from the tiles alone, with none of the rules' code.

Tiles are numbers as everywhere: 0-26 suits, 27-30 winds, 31-33 dragons.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from rules.model import Meld, TableFacts, Winner

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


def two_five_eight(tiles: list[int]) -> bool:
    return all(tile < 27 and tile % 9 in (1, 4, 7) for tile in tiles)


def sichuan(winner: Winner) -> int | None:
    """Fans under a cap of six, before any option; None for no win."""
    tiles, counts = everything(winner), Counter(everything(winner))
    if len(suits(tiles)) > 2:
        return None
    roots = sum(count == 4 for count in counts.values())
    luck = (winner.source in ("kong_replacement", "rob_kong")) + (winner.source == "discard" and winner.after_kong)
    flush = len(suits(tiles)) == 1
    found = []
    if not winner.melds and all(count in (2, 4) for count in counts.values()):
        found.append((5 if flush else 3) + roots)
        found += [(6 if flush else 5) + roots - 1] * (roots > 0)
    for sets, pair in layouts(winner):
        pungs = all(one[0] == one[1] for one in sets)
        outside = all({tile % 9 for tile in one} & {0, 8} for one in (*sets, (pair,)))
        hook = len(winner.melds) == 4
        bases = [1, 2 * pungs, 3 * flush, 3 * outside, 3 * hook, 4 * (pungs and flush), 5 * (outside and flush)]
        bases += [4 * (pungs and two_five_eight(tiles)), 5 * (hook and (flush or two_five_eight(tiles)))]
        found.append(max(bases) + roots)
        found += [7] * (sum(meld.is_kong for meld in winner.melds) == 4)
    return min(6, max(found) + luck) if found else None


def changsha(winner: Winner) -> int | None:
    """How many big patterns, 0 for a small win; None for no win."""
    tiles, counts = everything(winner), Counter(everything(winner))
    chance = winner.source in ("rob_kong", "kong_discard") or (
        winner.source == "kong_replacement" and winner.ready_before
    )
    flush, jiang = len(suits(tiles)) == 1, two_five_eight(tiles)
    found = [1 + chance] if jiang else []
    if not winner.melds and all(count in (2, 4) for count in counts.values()):
        found.append(1 + chance + flush + jiang)
    for sets, pair in layouts(winner):
        pungs = all(one[0] == one[1] for one in sets)
        if pungs or flush or jiang or pair % 9 in (1, 4, 7):
            found.append(pungs + flush + jiang + chance)
    return max(found, default=None)


def dealt_wins(number: int, chows: bool, seed: int = 7) -> Iterator[Winner]:
    """Random tiles of one, two or three suits, most of them complete: sets or pairs, some laid as melds and kongs."""
    chance = random.Random(seed)
    pools = ((0, 1, 2, 3, 4, 5, 6, 7, 8), (1, 4, 7), (0, 1, 2, 6, 7, 8))
    for _ in range(number):
        suits = chance.sample(range(3), chance.choice((1, 1, 2, 2, 3)))
        ranks = chance.choice(pools)
        kinds = [9 * chance.choice(suits) + chance.choice(ranks) for _ in range(7)]
        melds: list[Meld] = []
        own: list[int] = []
        if chance.random() < 0.25:
            own = [tile for kind in kinds for tile in (kind, kind)]
        else:
            own = [kinds[0]] * 2
            for low in kinds[1:5]:
                run = (low, low + 1, low + 2) if low % 9 < 7 and chance.random() < 0.6 else (low,) * 3
                form = chance.choice(("own", "own", "peng", "kong_added", "kong_concealed"))
                if form == "own" or (run[0] != run[1] and not chows):
                    own += run
                elif run[0] != run[1]:
                    melds.append(Meld("chi", run, None))
                else:
                    kong = form.startswith("kong")
                    melds.append(Meld(form, run + run[:1] * kong, None))  # type: ignore[arg-type]
        everything = Counter([*own, *(tile for meld in melds for tile in meld.tiles)])
        if max(everything.values()) > 4:
            continue
        chance.shuffle(own)
        kongs = any(meld.is_kong for meld in melds)
        alone = everything[own[-1]] == 1
        sources = ["self_draw", "discard"] + ["kong_replacement"] * kongs + ["rob_kong"] * alone
        source = chance.choice(sources)
        yield Winner(
            1, tuple(own[:-1]), own[-1], source, tuple(melds),  # type: ignore[arg-type]
            from_seat=2 if source in ("discard", "rob_kong") else None,
            after_kong=chance.random() < 0.3, ready_before=True,
        )  # fmt: skip

"""Random winning 國標 hands, for tests and benchmarks: the same seed gives the same hands.

Every hand is built from its sets, so it is complete by construction; themes lean towards flushes, pungs, honours,
kongs, knitted tiles and the rare shapes, so that nearly every fan turns up.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from rules.model import Meld, MeldKind, Source, TableFacts, Winner
from rules.patterns.kinds import ABOVE_FIVE, BELOW_FIVE, EVEN, GREEN_KINDS, LOWER, MIDDLE, REVERSIBLE_KINDS, UPPER
from rules.shapes import KNITTED, ORPHANS
from rules.tiles import (
    BAMBOOS,
    CHARACTERS,
    DOTS,
    DRAGONS,
    EVERY_KIND,
    HONOURS,
    KINDS,
    SIMPLES,
    SUITED,
    TERMINALS,
    WINDS,
    Kinds,
    Tile,
    in_kinds,
)  # fmt: skip

Set = tuple[Tile, ...]
THEMES: tuple[Kinds, ...] = (
    EVERY_KIND, EVERY_KIND, SUITED, SUITED, SIMPLES, CHARACTERS, DOTS, BAMBOOS, CHARACTERS | HONOURS, DOTS | HONOURS,
    BAMBOOS | HONOURS, CHARACTERS | DOTS, BAMBOOS | DOTS, HONOURS, HONOURS | TERMINALS, TERMINALS, WINDS | DOTS,
    DRAGONS | BAMBOOS, GREEN_KINDS, REVERSIBLE_KINDS, UPPER, MIDDLE, LOWER, ABOVE_FIVE, BELOW_FIVE, EVEN,
)  # fmt: skip


class HandMaker:
    """Makes hands from one seeded source of chance."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def hands(self, number: int) -> Iterator[tuple[Winner, TableFacts]]:
        """So many winning hands with their circumstances."""
        made = 0
        while made < number:
            hand = self._one()
            if hand is not None:
                made += 1
                yield hand

    def _one(self) -> tuple[Winner, TableFacts] | None:
        makers: list[tuple[int, Callable[[], tuple[list[Set], list[Tile]] | None]]] = [
            (50, self._themed), (14, self._stepped), (6, self._straights), (6, self._outside), (4, self._dragons),
            (4, self._fives), (3, self._four_kinds), (5, self._pairs), (2, self._orphans), (4, self._knitted),
            (4, self._knitted_straight), (2, self._gates), (6, self._plain),
        ]  # fmt: skip
        maker = self.chance.choices([make for _, make in makers], [weight for weight, _ in makers])[0]
        made = maker()
        if made is None:
            return None
        sets, loose = made
        tiles = [tile for one in sets for tile in one] + loose
        if any(tiles.count(tile) > 4 for tile in set(tiles)):
            return None
        return self._declared(sets, loose)

    # ------------------------------------------------------------ shapes

    def _set(self, allowed: tuple[Tile, ...], pungs: float) -> Set:
        for _ in range(40):
            tile = self.chance.choice(allowed)
            if self.chance.random() < pungs:
                return (tile,) * 3
            if tile < 27 and tile % 9 <= 6 and tile + 1 in allowed and tile + 2 in allowed:
                return (tile, tile + 1, tile + 2)
        return (self.chance.choice(allowed),) * 3

    def _pair(self, allowed: tuple[Tile, ...]) -> list[Tile]:
        return [self.chance.choice(allowed)] * 2

    def _themed(self) -> tuple[list[Set], list[Tile]]:
        allowed = in_kinds(self.chance.choice(THEMES))
        pungs = self.chance.choice((0.0, 0.1, 0.3, 0.6, 1.0))
        sets = [self._set(allowed, pungs) for _ in range(4)]
        if self.chance.random() < 0.15:
            sets[1] = sets[0]
        return sets, self._pair(allowed)

    def _stepped(self) -> tuple[list[Set], list[Tile]] | None:
        """Sets that rise: in one suit or three, chows or pungs, by 0, 1, 2 or 3."""
        step = self.chance.choice((0, 1, 1, 2, 3))
        number = self.chance.choice((3, 3, 4))
        pung = self.chance.random() < 0.35
        start = self.chance.randrange(9 if pung else 7)
        if start + step * (number - 1) > (8 if pung else 6) or (pung and step > 1):
            return None
        suits = self.chance.sample(range(3), 3) if self.chance.random() < 0.5 else [self.chance.randrange(3)] * 3
        sets = []
        for place in range(number):
            tile = 9 * suits[place % 3] + start + step * place
            sets.append((tile,) * 3 if pung else (tile, tile + 1, tile + 2))
        allowed = in_kinds(self.chance.choice(THEMES))
        while len(sets) < 4:
            sets.append(self._set(allowed, 0.3))
        return sets, self._pair(allowed)

    def _straights(self) -> tuple[list[Set], list[Tile]]:
        """Chows of 1, 4 and 7 in a few suits: straights, 老少副, 雙龍會, account-once."""
        starts = self.chance.choice(((0, 3, 6), (0, 6), (0, 6), (3, 6)))
        suits = self.chance.sample(range(3), self.chance.choice((1, 2, 2, 3)))
        lows = [9 * self.chance.choice(suits) + self.chance.choice(starts) for _ in range(4)]
        if self.chance.random() < 0.3:
            suit = self.chance.randrange(3)
            lows = [9 * suit, 9 * suit + 6, 9 * suits[0], 9 * suits[0] + 6]
        fives = [4, 13, 22]
        pair = self.chance.choice(fives) if self.chance.random() < 0.6 else self.chance.randrange(KINDS)
        return [(low, low + 1, low + 2) for low in lows], [pair] * 2

    def _outside(self) -> tuple[list[Set], list[Tile]]:
        edges = in_kinds(TERMINALS | HONOURS)
        sets: list[Set] = []
        for _ in range(4):
            if self.chance.random() < 0.5:
                low = 9 * self.chance.randrange(3) + self.chance.choice((0, 6))
                sets.append((low, low + 1, low + 2))
            else:
                sets.append((self.chance.choice(edges),) * 3)
        return sets, self._pair(edges)

    def _dragons(self) -> tuple[list[Set], list[Tile]]:
        """Two or three dragons, three or four winds."""
        group = list(in_kinds(self.chance.choice((DRAGONS, WINDS))))
        self.chance.shuffle(group)
        number = self.chance.randint(2, len(group))
        sets: list[Set] = [(tile,) * 3 for tile in group[:number]]
        while len(sets) < 4:
            sets.append(self._set(in_kinds(self.chance.choice(THEMES)), 0.5))
        pair = group[number] if number < len(group) and self.chance.random() < 0.6 else self.chance.randrange(KINDS)
        return sets[:4], [pair] * 2

    def _fives(self) -> tuple[list[Set], list[Tile]]:
        sets: list[Set] = []
        for _ in range(4):
            suit = 9 * self.chance.randrange(3)
            low = suit + self.chance.randint(2, 4)
            sets.append((suit + 4,) * 3 if self.chance.random() < 0.2 else (low, low + 1, low + 2))
        return sets, [9 * self.chance.randrange(3) + 4] * 2

    def _four_kinds(self) -> tuple[list[Set], list[Tile]]:
        """Hands with several fours of a kind in chows and pungs."""
        suit = 9 * self.chance.randrange(3)
        tile = suit + self.chance.randint(2, 6)
        sets = [(tile,) * 3, (tile, tile + 1, tile + 2), self._set(in_kinds(CHARACTERS << suit), 0.4)]
        sets.append(self._set(in_kinds(self.chance.choice(THEMES)), 0.3))
        return sets, self._pair(in_kinds(self.chance.choice((CHARACTERS << suit, EVERY_KIND))))

    def _pairs(self) -> tuple[list[Set], list[Tile]]:
        allowed = list(in_kinds(self.chance.choice(THEMES)))
        if self.chance.random() < 0.2:
            low = 9 * self.chance.randrange(3) + self.chance.randrange(3)
            return [], [tile for tile in range(low, low + 7) for _ in (0, 1)]
        if len(allowed) < 7 or self.chance.random() < 0.3:
            picks = self.chance.choices(allowed, k=7)
        else:
            picks = self.chance.sample(allowed, 7)
        return [], [tile for tile in picks for _ in (0, 1)]

    def _orphans(self) -> tuple[list[Set], list[Tile]]:
        return [], [*ORPHANS, self.chance.choice(ORPHANS)]

    def _knitted(self) -> tuple[list[Set], list[Tile]]:
        nine = list(self.chance.choice(KNITTED))
        honours = list(range(27, 34))
        number = self.chance.choice((5, 5, 6, 7))
        return [], self.chance.sample(honours, number) + self.chance.sample(nine, 14 - number)

    def _knitted_straight(self) -> tuple[list[Set], list[Tile]]:
        allowed = in_kinds(self.chance.choice(THEMES))
        one = self._set(allowed, 0.4)
        return [one], list(self.chance.choice(KNITTED)) + self._pair(allowed)

    def _gates(self) -> tuple[list[Set], list[Tile]]:
        suit = 9 * self.chance.randrange(3)
        ranks = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, self.chance.randrange(9)]
        return [], [suit + rank for rank in ranks]

    def _plain(self) -> tuple[list[Set], list[Tile]]:
        """Three chows, a pung of simples and a pair of honours: often a hand that scores nothing (無番和)."""
        lows = [9 * suit + self.chance.randrange(7) for suit in self.chance.choices(range(3), k=3)]
        if self.chance.random() < 0.2:
            lows = [9 * suit + start for suit, start in zip(self.chance.sample(range(3), 3), (0, 3, 6), strict=True)]
        pung = 9 * self.chance.randrange(3) + self.chance.randint(1, 7)
        sets: list[Set] = [(low, low + 1, low + 2) for low in lows]
        return [*sets, (pung,) * 3], self._pair(in_kinds(HONOURS))

    # ------------------------------------------------------------ circumstances

    def _declared(self, sets: list[Set], loose: list[Tile]) -> tuple[Winner, TableFacts] | None:
        chance = self.chance
        seat = chance.randrange(4)
        open_share = chance.choice((0.0, 0.0, 0.3, 0.6, 1.0))
        kong_share = chance.choice((0.0, 0.0, 0.2, 0.5, 1.0))
        melds: list[Meld] = []
        concealed = list(loose)
        every = [tile for one in sets for tile in one] + loose
        for one in sets:
            is_pung = one[0] == one[1]
            if is_pung and every.count(one[0]) == 3 and chance.random() < kong_share:
                kind: MeldKind = chance.choice(("kong_open", "kong_added", "kong_concealed", "kong_concealed"))
                source = None if kind == "kong_concealed" else (seat + chance.randint(1, 3)) % 4
                melds.append(Meld(kind, (one[0],) * 4, source))
            elif chance.random() < open_share:
                source = (seat + chance.randint(1, 3)) % 4 if is_pung else (seat - 1) % 4
                melds.append(Meld("peng" if is_pung else "chi", one, source))
            else:
                concealed += one
        win = chance.choice(concealed)
        concealed.remove(win)
        last_tile = chance.random() < 0.06
        source = self._source(melds, [*concealed, *(tile for meld in melds for tile in meld.tiles)], win, last_tile)
        claimed = source in ("discard", "rob_kong")
        visible = win not in concealed and chance.random() < 0.12
        winner = Winner(
            seat=seat,
            hand=tuple(sorted(concealed)),
            win_tile=win,
            source=source,
            melds=tuple(melds),
            from_seat=(seat + chance.randint(1, 3)) % 4 if claimed else None,
            flowers=tuple(sorted(chance.sample(range(34, 42), chance.choice((0, 0, 0, 1, 2, 8))))),
            last_of_kind=visible,
        )
        return winner, TableFacts(round_wind=chance.randrange(4), dealer=chance.randrange(4), last_tile=last_tile)

    def _source(self, melds: list[Meld], others: list[Tile], win: Tile, last_tile: bool) -> Source:
        chance = self.chance.random()
        if chance < 0.15 and any(meld.is_kong for meld in melds):
            return "kong_replacement"
        if chance > 0.95 and win not in others and not last_tile:
            return "rob_kong"
        return "self_draw" if chance < 0.45 else "discard"

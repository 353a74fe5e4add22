"""The four hands of the demonstration that is followed tile by tile: one for each dealer, so that they can go round.

What happens is written down move by move: `2+3f` a flower is laid aside, `0:4z` a discard, `1<222z` the last discard is
taken, `3=7777m` a concealed kong, `2^6s` a pung grows to a kong. Their legality and value are checked in
``tests/test_models_followed.py``.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from models.train.boxes import Placed
from models.train.demo_hands import DemoHand, DemoMeld, tiles_of
from models.train.demo_table import BODY, CAREFUL, FIRST_ROW_Y, HAND_Y, NEAT, SEED, lay_walls
from models.train.layouts import GAP, Builder, Hand, meld, pond, row, to_table, width_of

MOVE = re.compile(r"(?P<seat>[0-3])(?P<what>[+:<=^])(?P<tiles>\d+[mpszf])")
DEALT_WALL = 144 - 53
STRIP, FLOWERS_X = 275.0, -262.0
"""Where melds and flowers begin: so far from the corners that nobody's lie in the strip where another lays his hand."""
APART = 20.0
STACKED = Hand(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class FollowedHand:
    """How a hand goes and how it is won."""

    win: DemoHand
    moves: str


HANDS: tuple[FollowedHand, ...] = (
    FollowedHand(
        DemoHand(2, "55p67p123456s", (DemoMeld("chi", "789s", 1),), "8p", 0, "3f", "E", 0, 20, "清龙"),
        "2+3f 3+8f 0:4z 1:1z 2:9m 3:2z 1<222z 1:9p 2:1m 3:4z 0:7z 1:8s 2<789s 2:3m 3:1p 0:9m 1:6z 2:5z 3:7z 0:1m 1:2m "
        "2:9p 3:8m 0:8p",
    ),
    FollowedHand(
        DemoHand(
            0,
            "22m44p333s",
            (DemoMeld("kong_open", "8888p", 1), DemoMeld("peng", "555z", 3)),
            "4p",
            2,
            "6f",
            "E",
            1,
            10,
            "碰碰和",
        ),
        "1+1f 0+6f 1:9s 2:1p 3:5z 0<555z 0:1s 1:8p 0<8888p 0:9m 1:3z 2:7m 3:6z 0:1p 1:2s 2:9p 3:3z 0:6z 1:9m 2:4p",
    ),
    FollowedHand(
        DemoHand(
            3, "23488p55678s", (DemoMeld("kong_concealed", "7777m", None),), "8p", None, "2f", "E", 2, 19, "杠上开花"
        ),
        "2+4f 3+2f 2:1z 3:9p 0:2z 1:1s 2:9m 3:1m 0:3z 1<333z 1:9s 2:2p 3:4z 0:5z 1:1p 2:6z 3=7777m",
    ),
    FollowedHand(
        DemoHand(1, "1113456788999m", (), "2m", None, "5f", "E", 3, 34, "清一色 不求人"),
        "3+7f 1+5f 3:1z 0:4z 1:9s 2:1s 3:6s 2<666s 2:9p 3:2s 0:5z 1:4p 2^6s 2:1p 3:7z 0:3z 1:7s 2:9s 3:2z 0:6z",
    ),
)
"""By dealer; none is worth more or less in another round or at another seat. Melds from left to right, as they lie."""


@dataclass
class _Seat:
    pond: list[str] = field(default_factory=list)
    melds: list[tuple[str, list[str]]] = field(default_factory=list)
    flowers: list[str] = field(default_factory=list)
    holds: bool = False


class _Table:
    """The hand move by move, as lists of tiles."""

    def __init__(self, hand: FollowedHand) -> None:
        self.hand = hand
        self.seats = [_Seat() for _ in range(4)]
        self.wall = DEALT_WALL
        self.seats[hand.win.dealer].holds = True
        self.opened = False
        self.last = -1

    def take(self, seat: int, what: str, tiles: list[str]) -> None:
        own = self.seats[seat]
        if what in ":=^" and not own.holds:
            self._draw(own)
        if what == "+":
            own.flowers += tiles
            self.wall -= 1
        elif what == ":":
            own.pond += tiles
            own.holds, self.last = False, seat
        elif what == "<":
            self.seats[self.last].pond.pop()
            kind = "kong_open" if len(tiles) == 4 else "peng" if tiles[0] == tiles[1] else "chi"
            own.melds.append((kind, tiles))
            own.holds = True
            self.wall -= len(tiles) == 4
        elif what == "=":
            own.melds.append(("kong_concealed", tiles))
            self.wall -= 1
        else:
            place = next(number for number, one in enumerate(own.melds) if one[1][0] == tiles[0])
            own.melds[place] = ("kong_open", [*own.melds[place][1], *tiles])
            self.wall -= 1

    def win(self) -> None:
        win = self.hand.win
        if win.from_seat is not None:
            self.seats[win.from_seat].pond.pop()
        elif not self.seats[win.winner].holds:
            self._draw(self.seats[win.winner])

    def _draw(self, own: _Seat) -> None:
        own.holds = True
        self.wall -= 1


def moves_of(hand: FollowedHand) -> list[tuple[int, str, list[str]]]:
    """Seat, sign and tiles of each move.

    Raises:
        ValueError: a move that cannot be read.
    """
    found = []
    for word in hand.moves.split():
        move = MOVE.fullmatch(word)
        if move is None:
            raise ValueError(f"{word!r} is no move; write 0:4z, 2+3f, 1<222z, 3=7777m or 2^6s.")
        found.append((int(move["seat"]), move["what"], tiles_of(move["tiles"])))
    return found


def pages(hand: FollowedHand) -> Iterator[list[Placed]]:
    """What lies on the table once it is dealt, after each move, and with the winner's hand laid open."""
    table = _Table(hand)
    yield _lying(table, won=False)
    for seat, what, tiles in moves_of(hand):
        table.take(seat, what, tiles)
        yield _lying(table, won=False)
    table.win()
    yield _lying(table, won=True)


def _lying(table: _Table, *, won: bool) -> list[Placed]:
    on = Builder(BODY, np.random.default_rng(SEED))
    lay_walls(on, table.wall, table.hand.win.dealer, STACKED)
    laid = list(on.layout.tiles)
    for seat, own in enumerate(table.seats):
        laid += _put(pond(own.pond, FIRST_ROW_Y, BODY), seat, NEAT)
        flowers = row(own.flowers, (FLOWERS_X, HAND_Y), BODY)
        laid += _put(flowers, seat, NEAT)
        right = STRIP
        for kind, tiles in own.melds:
            group = meld(kind, tiles, (0, HAND_Y), BODY, "two_backs" if kind == "kong_concealed" else "upright")
            right -= width_of(group, BODY)
            laid += _put([_moved(tile, right) for tile in group], seat, CAREFUL)
            right -= APART
        left = FLOWERS_X + len(own.flowers) * (BODY.width + GAP) + APART
        laid += _hand(table, seat, (left, right), won=won)
    return laid


def _hand(table: _Table, seat: int, room: tuple[float, float], *, won: bool) -> list[Placed]:
    """The hand of a seat: standing, face down when another has won, or laid open with the winning tile apart."""
    win, step = table.hand.win, BODY.width + GAP
    shown = tiles_of(win.hand) if won and seat == win.winner else []
    count = len(shown) or 13 - 3 * len(table.seats[seat].melds)
    wide = count * step + (32 + step) * bool(shown)
    x = max(room[0], min(-wide / 2, room[1] - wide))
    if not shown:
        return _put(row(["1m"] * count, (x, HAND_Y), BODY, "down" if won else "stand"), seat, STACKED)
    apart = row([win.win_tile], (x + count * step + 32, HAND_Y), BODY)
    return _put([*row(shown, (x, HAND_Y), BODY), *apart], seat, CAREFUL)


def _put(tiles: Sequence[Placed], seat: int, hand: Hand) -> list[Placed]:
    """Tiles as a player puts them: a little untidily, but always in the same way, so that what lies there stays."""
    return [
        to_table(hand.nudge(tile, np.random.default_rng((SEED, zlib.crc32(repr((seat, tile)).encode())))), seat)
        for tile in tiles
    ]


def _moved(tile: Placed, x: float) -> Placed:
    return replace(tile, at=(tile.at[0] + x, *tile.at[1:]))

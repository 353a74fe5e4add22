"""Tiles as one text, as ledger and pages write them, and what a few tiles are when they lie together as a meld."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from table.model import MeldKind

BACK = "x"
"""A tile that lies face down."""

_SUITS = "mpszf"


def meld_kind(tiles: Sequence[str]) -> MeldKind | None:
    """What three or four tiles are when they lie together; None if they are no meld.

    Four tiles of which some lie face down are a concealed kong; an open kong may have been claimed or added, which no
    picture can show: it is called `kong_open` here.

    >>> meld_kind(["3m", "1m", "2m"]), meld_kind(["5z", "5z", "5z"]), meld_kind(["x", "9p", "9p", "x"])
    ('chi', 'peng', 'kong_concealed')
    """
    faces = {tile for tile in tiles if tile != BACK}
    hidden = len(tiles) - sum(tile != BACK for tile in tiles)
    if len(tiles) == 4 and len(faces) <= 1:
        return "kong_concealed" if hidden else "kong_open"
    if len(tiles) != 3 or hidden:
        return None
    if len(faces) == 1:
        return "peng"
    ranks = sorted(int(tile[0]) for tile in faces)
    one_suit = len({tile[1] for tile in faces}) == 1 and tiles[0][1] in "mps"
    run = len(ranks) == 3 and ranks[2] - ranks[0] == 2
    return "chi" if one_suit and run else None


def tiles_text(tiles: Iterable[str]) -> str:
    """Write single tiles as one text, sorted by suit and rank.

    >>> tiles_text(["5z", "2m", "1m"])
    '12m5z'
    """
    ranks: dict[str, list[str]] = {}
    for tile in sorted(tiles, key=lambda one: (_SUITS.index(one[1]), one[0])):
        ranks.setdefault(tile[1], []).append(tile[0])
    return "".join("".join(digits) + suit for suit, digits in ranks.items())


def split_tiles(text: str) -> tuple[str, ...]:
    """Single tiles of a text that is known to be well formed.

    >>> split_tiles("12m5z")
    ('1m', '2m', '5z')
    """
    tiles: list[str] = []
    digits = ""
    for char in text:
        if char.isdigit():
            digits += char
        else:
            tiles.extend(digit + char for digit in digits)
            digits = ""
    return tuple(tiles)

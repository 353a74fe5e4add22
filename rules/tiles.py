"""Tiles and how they are written: `123m456p77z`.

Inside `rules` a tile is a small integer, so that a hand is a list of counts and a set of kinds is a bit mask:

    0-8 萬 1m-9m · 9-17 筒 1p-9p · 18-26 條 1s-9s · 27-33 東南西北白發中 1z-7z · 34-41 春夏秋冬梅蘭竹菊 1f-8f

Outside (ledger, JSON, pages) a tile is always text. `parse_*` and `*_text` are the only doors between the two.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from rules.errors import RulesInputError

Tile: TypeAlias = int
Kinds: TypeAlias = int
"""A set of tile kinds as a bit mask: bit t is set when kind t is in it."""

LETTERS = "mpszf"
SIZE = {"m": 9, "p": 9, "s": 9, "z": 7, "f": 8}
KINDS = 34
"""Number of playing kinds; flowers come after them."""

EAST, SOUTH, WEST, NORTH, WHITE, GREEN, RED = range(27, 34)
WIND_LETTERS = "ESWN"

_TEXT = tuple(f"{n + 1}{letter}" for letter in LETTERS for n in range(SIZE[letter]))
_NUMBER = {text: tile for tile, text in enumerate(_TEXT)}


def tile_text(tile: Tile) -> str:
    """How a tile is written.

    >>> tile_text(0), tile_text(33), tile_text(34)
    ('1m', '7z', '1f')
    """
    return _TEXT[tile]


def tiles_text(tiles: Iterable[Tile]) -> str:
    """Several tiles in order of suit and rank, the suit letter once.

    >>> tiles_text([9, 2, 0, 1])
    '123m1p'
    """
    ranks: dict[str, str] = {}
    for tile in sorted(tiles):
        text = _TEXT[tile]
        ranks[text[1]] = ranks.get(text[1], "") + text[0]
    return "".join(digits + letter for letter, digits in ranks.items())


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Read tiles such as `123m456p77z`; digits in any order, a letter may repeat.

    Raises:
        RulesInputError: A character is no digit or suit letter, digits lack their letter, or the tile does not exist.

    >>> parse_tiles("31m1m5p")
    (2, 0, 0, 13)
    """
    tiles: list[Tile] = []
    digits = ""
    for place, char in enumerate(text, start=1):
        if char.isascii() and char.isdigit():
            digits += char
        elif char in LETTERS and digits:
            tiles.extend(_known(digit + char, text) for digit in digits)
            digits = ""
        elif char in LETTERS:
            raise RulesInputError(f'tiles "{text}": the letter {char} at place {place} has no digits before it')
        else:
            raise RulesInputError(
                f'tiles "{text}": "{char}" at place {place} is neither a digit nor one of the letters m p s z f'
            )
    if digits:
        raise RulesInputError(f'tiles "{text}": the digits {digits} at the end have no suit letter (m p s z f)')
    return tuple(tiles)


def parse_tile(text: str) -> Tile:
    """Read one tile such as `5m`.

    Raises:
        RulesInputError: The text is not exactly one tile.
    """
    if text in _NUMBER:
        return _NUMBER[text]
    tiles = parse_tiles(text)
    if len(tiles) != 1:
        raise RulesInputError(f'tile "{text}": expected one tile such as 5m, found {len(tiles)}')
    return tiles[0]


def _known(text: str, whole: str) -> Tile:
    if text in _NUMBER:
        return _NUMBER[text]
    raise RulesInputError(f'tiles "{whole}": there is no tile {text}; {text[1]} goes from 1 to {SIZE[text[1]]}')


def is_suit(tile: Tile) -> bool:
    """Whether the tile belongs to 萬, 筒 or 條."""
    return tile < 27


def is_honour(tile: Tile) -> bool:
    """Whether the tile is a wind or a dragon."""
    return 27 <= tile < 34


def is_flower(tile: Tile) -> bool:
    """Whether the tile is a flower or a season."""
    return tile >= 34


def suit_of(tile: Tile) -> int:
    """0 萬, 1 筒, 2 條, 3 winds and dragons, 4 flowers."""
    return tile // 9 if tile < 27 else (3 if tile < 34 else 4)


def rank_of(tile: Tile) -> int:
    """The number on the tile, 1-9; for honours and flowers the digit it is written with."""
    return int(_TEXT[tile][0])


def kinds(text: str) -> Kinds:
    """A set of kinds written as tiles, for the tables of a ruleset.

    >>> kinds("1m2m") == 0b11
    True
    """
    mask = 0
    for tile in parse_tiles(text):
        mask |= 1 << tile
    return mask


def kinds_of(tiles: Iterable[Tile]) -> Kinds:
    """The set of kinds among these tiles."""
    mask = 0
    for tile in tiles:
        mask |= 1 << tile
    return mask


def in_kinds(mask: Kinds) -> tuple[Tile, ...]:
    """The tiles of a set of kinds, ascending."""
    return tuple(tile for tile in range(mask.bit_length()) if mask >> tile & 1)


CHARACTERS = kinds("123456789m")
DOTS = kinds("123456789p")
BAMBOOS = kinds("123456789s")
WINDS = kinds("1234z")
DRAGONS = kinds("567z")
HONOURS = WINDS | DRAGONS
TERMINALS = kinds("19m19p19s")
SIMPLES = kinds("2345678m2345678p2345678s")
SUITED = CHARACTERS | DOTS | BAMBOOS
EVERY_KIND = SUITED | HONOURS


def next_in_ring(tile: Tile, ring: tuple[Tile, ...] = (EAST, SOUTH, WEST, NORTH, WHITE, GREEN, RED)) -> Tile:
    """The tile after this one: 9 goes back to 1, honours follow the ring that the ruleset names.

    >>> tile_text(next_in_ring(8))
    '1m'
    """
    if tile < 27:
        return tile // 9 * 9 + (tile % 9 + 1) % 9
    return ring[(ring.index(tile) + 1) % len(ring)]

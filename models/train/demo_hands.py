"""The six hands of the recorded demo table: legal wins of 國標麻將, checked in ``tests/test_models_scenes.py``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DemoMeld:
    """An exposed set: ``chi``, ``peng``, ``kong_open``, ``kong_added`` or ``kong_concealed``; seat it came from."""

    kind: str
    tiles: str
    source_seat: int | None


@dataclass(frozen=True, slots=True)
class DemoHand:
    """One hand of the demo game.

    Attributes:
        winner: winning seat, 0 to 3.
        hand: concealed tiles without the winning one, as tile text.
        melds: exposed sets in the order made.
        win_tile: tile text.
        from_seat: who discarded it, ``None`` for a self-drawn win.
        flowers: the winner's flowers as tile text.
        round_wind, dealer: of the hand; the deal passes every hand.
        total: value with flowers.
        story: what kind of hand it is.
    """

    winner: int
    hand: str
    melds: tuple[DemoMeld, ...]
    win_tile: str
    from_seat: int | None
    flowers: str
    round_wind: str
    dealer: int
    total: int
    story: str


HANDS: tuple[DemoHand, ...] = (
    DemoHand(0, "1113456788999s", (), "2s", None, "1f", "E", 0, 34, "清一色 不求人"),
    DemoHand(3, "123m456m78m66p", (DemoMeld("peng", "777z", 1),), "9m", 1, "26f", "E", 1, 21, "清龙"),
    DemoHand(1, "1133m2277p4499s5z", (), "5z", None, "", "E", 2, 25, "七对"),
    DemoHand(
        2,
        "888p33z22s",
        (DemoMeld("kong_concealed", "1111m", None), DemoMeld("peng", "666z", 0)),
        "3z",
        1,
        "7f",
        "E",
        3,
        21,
        "碰碰和 五门齐",
    ),
    DemoHand(
        1,
        "234m23p99s",
        (DemoMeld("chi", "234s", 0), DemoMeld("kong_added", "2222z", 2)),
        "4p",
        None,
        "3f",
        "S",
        0,
        15,
        "三色三同顺",
    ),
    DemoHand(
        0,
        "12367p44z",
        (DemoMeld("peng", "555z", 3), DemoMeld("kong_open", "8888p", 1)),
        "5p",
        2,
        "58f",
        "S",
        1,
        11,
        "混一色",
    ),
)
"""In playing order; every seat wins at least once."""


def tiles_of(text: str) -> list[str]:
    """Single tiles of a tile text.

    >>> tiles_of("12m5z")
    ['1m', '2m', '5z']
    """
    tiles, digits = [], ""
    for letter in text:
        if letter.isdigit():
            digits += letter
        else:
            tiles += [d + letter for d in digits]
            digits = ""
    return tiles

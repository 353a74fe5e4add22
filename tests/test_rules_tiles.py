"""Tiles and their text form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import RulesInputError
from rules.tiles import (
    EVERY_KIND,
    GREEN,
    HONOURS,
    RED,
    SUITED,
    WHITE,
    in_kinds,
    kinds,
    next_in_ring,
    parse_tile,
    parse_tiles,
    rank_of,
    suit_of,
    tile_text,
    tiles_text,
)  # fmt: skip


def test_dragons_are_white_green_red() -> None:
    assert [tile_text(tile) for tile in (WHITE, GREEN, RED)] == ["5z", "6z", "7z"]


@given(st.lists(st.integers(0, 41), max_size=20))
def test_text_and_back(tiles: list[int]) -> None:
    assert parse_tiles(tiles_text(tiles)) == tuple(sorted(tiles))


def test_letters_may_repeat_and_digits_may_be_in_any_order() -> None:
    assert [tile_text(tile) for tile in parse_tiles("3m1m21p7z")] == ["3m", "1m", "2p", "1p", "7z"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("12", "no suit letter"),
        ("m", "no digits before it"),
        ("1q", '"q" at place 2'),
        ("0m", "no tile 0m"),
        ("8z", "z goes from 1 to 7"),
        ("9f", "f goes from 1 to 8"),
        ("1 m", '" " at place 2'),
        ("１m", '"１" at place 1'),
        ("²m", '"²" at place 1'),
    ],
)
def test_malformed_text_names_the_place_and_the_text(text: str, says: str) -> None:
    with pytest.raises(RulesInputError) as caught:
        parse_tiles(text)
    assert says in str(caught.value)
    assert text in str(caught.value)


@pytest.mark.parametrize("text", ["", "12m", "5"])
def test_one_tile_is_exactly_one(text: str) -> None:
    with pytest.raises(RulesInputError):
        parse_tile(text)


def test_sets_of_kinds() -> None:
    assert in_kinds(kinds("9m1z")) == (8, 27)
    assert SUITED | HONOURS == EVERY_KIND
    assert EVERY_KIND.bit_count() == 34


def test_suit_and_rank() -> None:
    assert [suit_of(parse_tile(text)) for text in ("9m", "1p", "9s", "7z", "1f")] == [0, 1, 2, 3, 4]
    assert [rank_of(parse_tile(text)) for text in ("9m", "1p", "5z", "8f")] == [9, 1, 5, 8]


def test_the_ring_wraps_in_each_suit_and_over_the_honours() -> None:
    after = {text: tile_text(next_in_ring(parse_tile(text))) for text in ("4m", "9p", "9s", "4z", "7z")}
    assert after == {"4m": "5m", "9p": "1p", "9s": "1s", "4z": "5z", "7z": "1z"}

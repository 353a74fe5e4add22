"""What the demonstration plays: the recorded pictures, and what the players know about each hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from table.tile_text import split_tiles

FOLDER = Path(__file__).parent / "demo"
"""The recorded pictures and what they show."""


class DemoError(Exception):
    """The demonstration's pictures are missing or do not fit; the text says which."""


@dataclass(frozen=True, slots=True)
class ScriptedHand:
    """One hand of the demonstration: the pictures and what the players know about it."""

    play: str
    win: str
    seat: int
    source: str
    from_seat: int | None
    hand: str
    win_tile: str
    melds: tuple[Mapping[str, Any], ...]
    flowers: str

    def tiles(self) -> tuple[str, ...]:
        """All tiles from left to right as the winner lays them down."""
        row = [*split_tiles(self.flowers), *split_tiles(self.hand), self.win_tile]
        for meld in self.melds:
            tiles = list(split_tiles(meld["tiles"]))
            row += ["x", tiles[0], tiles[0], "x"] if meld["type"] == "kong_concealed" else tiles
        return tuple(row)


def load_script(folder: Path = FOLDER) -> tuple[ScriptedHand, ...]:
    """What the recorded pictures show.

    Raises:
        DemoError: the folder is missing or damaged.
    """
    try:
        document = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        return tuple(_hand(entry) for entry in document["hands"])
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise DemoError(
            f"The demonstration's pictures in {folder} are damaged ({error}). Install Paiju again."
        ) from None


def _hand(entry: Mapping[str, Any]) -> ScriptedHand:
    winner, pictures = entry["winners"][0], entry["pictures"]
    return ScriptedHand(
        play=pictures["play"]["picture"],
        win=pictures["win"]["picture"],
        seat=winner["seat"],
        source=winner["source"],
        from_seat=winner["from_seat"],
        hand=winner["hand"],
        win_tile=winner["win_tile"],
        melds=tuple(winner["melds"]),
        flowers=winner.get("flowers", ""),
    )

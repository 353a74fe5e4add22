"""What the demonstration plays: the recorded pictures, and what the players know about each hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from table.demo_pages import PageBook, PagedHand, page_name
from table.tile_text import split_tiles
from vision.calibration import calibrate
from vision.felt import find_felt
from vision.pictures import load_picture

FOLDER = Path(__file__).parent / "demo"
"""The recorded pictures and what they show."""
FOLLOWED = FOLDER / "followed"
"""The hands that are followed tile by tile."""


class DemoError(Exception):
    """The demonstration's pictures are missing or do not fit; the text says which."""


@dataclass(frozen=True, slots=True)
class ScriptedHand:
    """One hand of the demonstration: the pictures and what the players know about it.

    `play` are the pictures during play in their order, `turns` who plays next with each of them, `win` is the one with
    the winner's hand laid open.
    """

    play: tuple[str, ...]
    turns: tuple[int, ...]
    win: str
    dealer: int
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
        return tuple(
            _hand(entry, (entry["pictures"]["play"]["picture"],), entry["pictures"]["win"]["picture"])
            for entry in document["hands"]
        )
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise damaged(folder, error) from None


def load_followed(folder: Path = FOLLOWED) -> tuple[PageBook, tuple[ScriptedHand, ...]]:
    """The hands that are followed, and the pages that show them.

    Raises:
        DemoError: the folder is missing or damaged.
    """
    try:
        document = json.loads((folder / "pages.json").read_text(encoding="utf-8"))
        table = load_picture(folder / document["picture"])
        seen, side_mm = find_felt(table), document["felt_mm"]
        if seen is None:
            raise ValueError("no felt is seen")
        felt = calibrate(seen.corners_px, (side_mm, side_mm), picture_px=(table.shape[1], table.shape[0]))
        hands = tuple(PagedHand(folder / one["sheet"], tuple(map(tuple, one["cells"]))) for one in document["hands"])
        script = tuple(
            _hand(entry, tuple(page_name(number, page) for page in range(len(hand.cells) - 1)), page_name(number, -1))
            for number, (entry, hand) in enumerate(zip(document["hands"], hands, strict=True))
        )
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise damaged(folder, error) from None
    return PageBook(folder / document["picture"], document["cell_px"], felt, hands), script


def damaged(folder: Path, error: Exception) -> DemoError:
    """What to say of recorded pictures that cannot be used."""
    return DemoError(f"The demonstration's pictures in {folder} are damaged ({error}). Install Paiju again.")


def _hand(entry: Mapping[str, Any], play: tuple[str, ...], win: str) -> ScriptedHand:
    winner, moves = entry["winners"][0], entry.get("moves", "").split()
    return ScriptedHand(
        play=play,
        turns=_turns(moves, entry["state"]["dealer"]),
        win=win,
        dealer=entry["state"]["dealer"],
        seat=winner["seat"],
        source=winner["source"],
        from_seat=winner["from_seat"],
        hand=winner["hand"],
        win_tile=winner["win_tile"],
        melds=tuple(winner["melds"]),
        flowers=winner.get("flowers", ""),
    )


def _turns(moves: Sequence[str], dealer: int) -> tuple[int, ...]:
    """Who plays next on each page; the next player after a discard, whoever has claimed or made a kong himself.

    >>> _turns(["2+3f", "0:4z", "1:1z", "0<111z"], 0)
    (0, 0, 1, 2, 0)
    """
    turns = [dealer]
    for move in moves:
        seat, what = int(move[0]), move[1]
        turns.append(turns[-1] if what == "+" else (seat + 1) % 4 if what == ":" else seat)
    return tuple(turns)

"""A hand in a photograph, as a question for the rules: what `paiju score --photo` asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from table.eyes import Eyes
from table.model import LaidHand, SeenTile
from table.reading import HAND_TILES, HandOption, propose, seen
from table.sentences import SENTENCES
from table.snapshot import Question
from table.state import Claim
from table.tile_text import split_tiles
from vision.pictures import load_picture

NAMED_PLACES = 6
"""So many tiles of a question are named with their places; a picture of a whole shop has hundreds."""


class PhotoError(ValueError):
    """The picture shows no hand that can be judged; the sentence says what is open and what to do."""


@dataclass(frozen=True, slots=True)
class PhotoHand:
    """The hands a photograph can be understood as (usually one), and the tiles that deserve a look."""

    hands: tuple[LaidHand, ...]
    doubtful: tuple[SeenTile, ...]


def read_hand(photo: Path, reader: Eyes, win_tile: str = "", hand_tiles: int = HAND_TILES) -> PhotoHand:
    """Read the hand that was laid down in a photograph.

    Args:
        photo: The picture file.
        reader: Reads its tiles.
        win_tile: The winning tile such as `5m`, if it is known. It may lie in the picture or be missing from it.
        hand_tiles: Tiles of a complete hand under these rules, kongs counted as three.

    Raises:
        PictureError: The file is no picture that can be read.
        PhotoError: The tiles make no hand, or something must be answered first.
    """
    tiles, groups = seen(reader.read(load_picture(photo)))
    claim = Claim(seat=0, how="photo", tiles=tiles, groups=groups)
    proposal = propose(claim, hand_tiles)
    if win_tile and [question.id for question in proposal.questions] == ["win_missing"]:
        proposal = propose(Claim(seat=0, how="photo", tiles=tiles, groups=groups, win_named=win_tile), hand_tiles)
    if proposal.questions:
        raise PhotoError(f"{photo}: " + " ".join(_sentence(question, tiles) for question in proposal.questions))
    options = [option for option in proposal.hands if win_tile in ("", option.laid.win_tile)]
    if not options:
        raise PhotoError(_not_seen(photo, win_tile, proposal.hands))
    doubtful = tuple(tile for tile in tiles if tile.sure != "sure" and proposal.roles.get(tile.index) != "out")
    return PhotoHand(tuple(option.laid for option in options), doubtful)


def with_hand(question: Mapping[str, object], laid: LaidHand) -> dict[str, object]:
    """The question with this hand in place of its winner's tiles."""
    winners = question["winners"]
    assert isinstance(winners, list)
    melds = [{"type": meld.kind, "tiles": meld.tiles, "from": meld.from_seat} for meld in laid.melds]
    winner = winners[0] | {"hand": laid.hand, "melds": melds, "win_tile": laid.win_tile}
    if laid.flowers:
        winner["flowers"] = laid.flowers
    return {**question, "winners": [winner]}


def _sentence(question: Question, tiles: Sequence[SeenTile]) -> str:
    params = {**question.params, "text_key": question.text_key}
    text = SENTENCES[question.text_key].format(**params)
    where = ", ".join(f"{tiles[index].tile} at {_place(tiles[index])}" for index in question.tiles[:NAMED_PLACES])
    if question.id == "win_missing":
        text += " Name it with --win."
    if len(question.tiles) > NAMED_PLACES:
        where += f" and {len(question.tiles) - NAMED_PLACES} more"
    return f"{text} ({where})" if where else text


def _place(tile: SeenTile) -> str:
    left, top, right, bottom = tile.box
    return f"x {round((left + right) / 2)} y {round((top + bottom) / 2)}"


def _not_seen(photo: Path, win_tile: str, hands: Sequence[HandOption]) -> str:
    kinds = dict.fromkeys(tile for option in hands for tile in split_tiles(option.laid.hand + option.laid.win_tile))
    return f"{photo}: the winning tile {win_tile} is not in the picture; it shows {' '.join(kinds)}."

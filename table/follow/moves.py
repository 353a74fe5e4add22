"""What players do, as the table shows it. Each is an observation: none of them moves a point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from table.follow.faces import Faces

ClaimKind = Literal["chi", "peng", "kong_open"]
OwnKong = Literal["kong_concealed", "kong_added"]
WinSource = Literal["self_draw", "discard", "kong_replacement", "rob_kong"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Discarded:
    """A player draws (unless he has just claimed) and discards.

    `seen` is False when the discard was taken before a look; `again` when it is a kong of its own, so that the player
    draws a replacement and goes on (武漢: 紅中 and the wildcard).
    """

    seat: int
    faces: Faces
    seen: bool = True
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """A player takes the last discard for a chow, pung or kong; `taken` is that discard, `tiles` the whole meld."""

    seat: int
    kind: ClaimKind
    from_seat: int
    taken: Faces
    tiles: tuple[Faces, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Konged:
    """A player makes a kong from his own tiles, or adds the fourth to his pung, and draws a replacement.

    `meld` is the number of the pung that grew, None for a concealed kong.
    """

    seat: int
    kind: OwnKong
    faces: Faces
    meld: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Flowered:
    """A player lays a flower aside and draws a replacement."""

    seat: int
    faces: Faces


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLaid:
    """A player lays the hand open: play stops. How the winning tile came, as far as the table shows it.

    `taken` is the winning tile if it was another player's: his discard, or the fourth tile of his kong.
    """

    seat: int
    source: WinSource
    from_seat: int | None
    taken: Faces
    tiles: tuple[Faces, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCleared:
    """The tiles are gone from the felt: the hand is over and the next one can begin."""


Move: TypeAlias = Discarded | Claimed | Konged | Flowered | HandLaid | TableCleared


def makes_kong(move: Move) -> bool:
    """Whether the player's next tile replaces a kong."""
    return isinstance(move, Konged) or (isinstance(move, Claimed) and move.kind == "kong_open")

"""How the tiles of a picture lie: which groups belong to the hand, and the ways to share them into hand and melds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from table.model import MeldKind
from table.state import Claim
from table.tile_text import BACK, meld_kind


@dataclass(frozen=True, slots=True)
class Part:
    """A group of the picture that belongs to the hand: its number, its tiles without flowers and removed ones."""

    group: int
    tiles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to share the groups out: these are melds, all other tiles are concealed (with the winning one)."""

    name: Literal["laid", "closed"]
    melds: tuple[Part, ...]
    rest: tuple[Part, ...]
    hand_tiles: int

    @property
    def needed(self) -> int:
        """How many tiles the concealed part must have, the winning one among them."""
        return self.hand_tiles - 3 * len(self.melds)

    @property
    def concealed(self) -> tuple[int, ...]:
        """Indices of all tiles that are no melds."""
        return tuple(index for part in self.rest for index in part.tiles)

    def fits(self, claim: Claim) -> bool:
        """Whether the tiles are as many as such a hand has."""
        return len(self.concealed) + bool(claim.win_named) == self.needed


def parts_of(claim: Claim) -> tuple[tuple[Part, ...], tuple[int, ...], tuple[int, ...]]:
    """Sort the picture: the groups of the hand, the flowers, and what lies outside (ponds, walls, removed tiles)."""
    parts: list[Part] = []
    flowers: list[int] = []
    out: list[int] = []
    for number, group in enumerate(claim.groups):
        present = [index for index in group.tiles if claim.tile_at(index)]
        out.extend(index for index in group.tiles if not claim.tile_at(index))
        backs = sum(claim.tile_at(index) == BACK for index in present)
        if group.kind == "pond" or (backs == len(present) and len(present) != 4):
            out.extend(present)
            continue
        flowers.extend(index for index in present if claim.tile_at(index)[1:] == "f")
        tiles = tuple(index for index in present if claim.tile_at(index)[1:] != "f")
        if tiles:
            parts.append(Part(number, tiles))
    return tuple(parts), tuple(flowers), tuple(out)


def kind_of(claim: Claim, part: Part) -> MeldKind | None:
    """What meld a group looks like; None if it is none."""
    return meld_kind([claim.tile_at(index) for index in part.tiles])


def layouts_of(
    claim: Claim, parts: Sequence[Part], natural: Mapping[int, MeldKind], hand_tiles: int
) -> tuple[Layout, ...]:
    """The ways to share out the groups: as they lie, and all closed where no long row tells the hand from the melds."""
    as_laid = tuple(part for part in parts if _is_meld(claim, part, natural))
    rest = tuple(part for part in parts if part not in as_laid)
    layouts = [Layout("laid", as_laid, rest, hand_tiles)]
    pinned = any(part.group in claim.meld_pins for part in parts)
    open_kongs = any(len(part.tiles) == 4 for part in as_laid)
    if as_laid and not pinned and not open_kongs and not any(len(part.tiles) > 4 for part in rest):
        layouts.append(Layout("closed", (), tuple(parts), hand_tiles))
    fitting = tuple(layout for layout in layouts if layout.fits(claim))
    return fitting or (layouts[0],)


def _is_meld(claim: Claim, part: Part, natural: Mapping[int, MeldKind]) -> bool:
    pin = claim.meld_pins.get(part.group)
    if pin is not None:
        return pin.kind is not None
    return part.group in natural


def seen_tile(claim: Claim) -> str:
    """The discard or kong tile that was won, as the camera followed it; empty if drawn, or if people say otherwise."""
    seen = claim.seen
    same = seen is not None and (seen.source, seen.from_seat) == (claim.source, claim.from_seat)
    return seen.tile if seen is not None and same else ""

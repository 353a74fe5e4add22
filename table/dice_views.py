"""Dice and wall as the pages show them. Part of the document in `table.snapshot`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from table.model import Seat
from table.wall import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceView:
    """A throw of this hand: the pips, who threw, what for, and how we know."""

    values: tuple[int, ...]
    by: Seat | None
    why: Literal["break1", "break2", "kong"]
    source: Literal["table", "tablet", "camera"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakView:
    """Where the wall is opened: before this seat, after this many stacks from its right end."""

    seat: Seat
    stack: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NextThrow:
    """Who throws the dice next and what for."""

    by: Seat
    why: Literal["break1", "break2"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceAsk:
    """A throw that was reported without a check. Post `confirm_dice` or `void_dice` with this `roll`."""

    values: tuple[int, ...]
    by: Seat | None
    roll: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WallView:
    """The wall of this hand (see `table.wall_state.WallNow`). Stacks are counted from the right end of a wall."""

    tiles: int
    dead: int
    left: int | None
    at_most: int | None
    source: Literal["", "ledger", "table", "both"]
    die_due: bool
    replaced: Place | None
    holes: tuple[Place, ...]
    key: str

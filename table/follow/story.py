"""What can be said of a sighting: what happened, nothing yet, or that it cannot be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from table.follow.sighting import Spot
from table.follow.state import HandState
from table.follow.ways import Way

GRACE_S = 3.0
"""How long a table that makes no sense is given to sort itself out before anybody is asked."""

WAYS_GRACE_S = 10.0
"""How long two ways may stay open before anybody is asked: the next moves often tell which it was."""

Why = Literal[
    "moving", "covered", "vanished", "two_ways", "fifth", "no_meld", "wrong_side", "out_of_turn", "unexplained"
]


@dataclass(frozen=True, slots=True)
class Explained:
    """What happened, in order (nothing, if all lies as before), and the hand after it."""

    moves: Way
    state: HandState


@dataclass(frozen=True, slots=True)
class Unclear:
    """Nothing can be said yet: wait. After `grace_s` a person is asked; None = as long as it lasts."""

    grace_s: float | None
    why: Why
    tiles: tuple[Spot, ...] = ()
    ways: tuple[Way, ...] = ()


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The table as it lies cannot have come about by legal moves: the tiles that clash, and how."""

    tiles: tuple[Spot, ...]
    why: Why


Explanation: TypeAlias = Explained | Unclear | Contradiction

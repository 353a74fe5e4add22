"""What can happen inside a hand beside claims: circumstances, kongs paid at once, wins after which play goes on.

Part of `table.events`, which says what every event promises.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from table.model import LyingSeat, Payments, Seat, SeenWin, SidePay, TableFacts, WinPart

Answer = Literal["tile", "way", "lies", "ignore"]
"""What a person says of what the camera sees; see `SeenAnswered`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandNoted:
    """Something happened in the hand that the rules remember.

    `facts` are the circumstances that hold from now on, by name (null = no longer); `note` is what happened, in the
    words of the rules questions, empty if a person just stated the circumstances.
    """

    facts: TableFacts
    note: Mapping[str, Any]
    kind: Literal["hand_noted"] = "hand_noted"


@dataclass(frozen=True, slots=True, kw_only=True)
class SidePaid:
    """A kong or a starting win, paid at once; the hand goes on."""

    side: SidePay
    facts: TableFacts
    kind: Literal["side_paid"] = "side_paid"


@dataclass(frozen=True, slots=True, kw_only=True)
class SideDropped:
    """A kong or starting win of this hand was none: what it paid returns. `index` counts those that stand."""

    index: int
    reason: str
    kind: Literal["side_dropped"] = "side_dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimApproved:
    """This win is approved and waits for the other claims of the same tile."""

    seat: Seat
    kind: Literal["claim_approved"] = "claim_approved"


@dataclass(frozen=True, slots=True, kw_only=True)
class WinsPaid:
    """Wins of one tile are paid and the others play on (血戰). `sides` is what stands of the payments at once."""

    wins: tuple[WinPart, ...]
    sides: tuple[SidePay, ...]
    kind: Literal["wins_paid"] = "wins_paid"


@dataclass(frozen=True, slots=True, kw_only=True)
class TilesTaken:
    """How far the wall is drawn since the deal: draws from the head and flowers replaced."""

    draws: int
    flowers: int
    kind: Literal["tiles_taken"] = "tiles_taken"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveSeen:
    """The camera followed a move. An observation for people and for the record: it moves no point.

    `tiles` are tile texts, `7s/8s` for a face in doubt and `x` for one that nobody saw; `taken` is the tile that came
    from `from_seat`.
    """

    hand_no: int
    what: Literal["discard", "chi", "peng", "kong_open", "kong_concealed", "kong_added", "flower", "hand", "cleared"]
    seat: Seat | None
    tiles: tuple[str, ...]
    from_seat: Seat | None = None
    taken: str = ""
    kind: Literal["move_seen"] = "move_seen"


@dataclass(frozen=True, slots=True, kw_only=True)
class WinSeen:
    """How a claimed win came about, as the camera followed the hand; what a person has said stays."""

    seat: Seat
    seen: SeenWin
    kind: Literal["win_seen"] = "win_seen"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenAnswered:
    """A person said what the camera could not tell. It moves no point.

    Attributes:
        hand_no: of the hand being played.
        why: the question, e.g. ``fifth`` or ``two_ways``; empty for a tile that nobody asked about.
        answer: ``tile`` (what the tile at a place is), ``way`` (the moves that happened follow as `move_seen`),
            ``lies`` (it is right as it lies, `turn` plays next) or ``ignore`` (this hand is not followed any further).
        seat, zone, index, tile: the place and its tile.
        turn, lies: who plays next, and what lies before each seat.
        picture: evidence id of what the question showed; None for a tile that nobody asked about.
    """

    hand_no: int
    why: str
    answer: Answer
    seat: Seat | None = None
    zone: Literal["pond", "melds", "flowers", "hand"] | None = None
    index: int | None = None
    tile: str = ""
    turn: Seat | None = None
    lies: tuple[LyingSeat, ...] = ()
    picture: str | None = None
    kind: Literal["seen_answered"] = "seen_answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOpened:
    """A hand was laid open at a seat that had not claimed, before the claimed win was confirmed.

    A note for the referee with its picture: no machine makes a foul of it.
    """

    hand_no: int
    seat: Seat
    picture: str | None = None
    kind: Literal["hand_opened"] = "hand_opened"


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyGiven:
    """The referee gives a penalty: `code` from the list of `version`, or his own points.

    `payments` go to the other players; `off` is taken off the offender's result and paid to nobody. `dead`: he plays
    along but may not win this hand (相公).
    """

    penalty_id: str
    seat: Seat
    code: str
    version: str
    reason: str
    payments: Payments
    off: int = 0
    dead: bool = False
    kind: Literal["penalty_given"] = "penalty_given"


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyLifted:
    """A penalty or a false win (`table.state.id_of`) is taken back; its points return."""

    penalty_id: str
    reason: str
    kind: Literal["penalty_lifted"] = "penalty_lifted"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstituteSeated:
    """Somebody else plays for this player (by player number) from hand `from_hand` on."""

    player: Seat
    name: str
    from_hand: int
    kind: Literal["substitute_seated"] = "substitute_seated"


HandEvent = (
    HandNoted
    | SidePaid
    | SideDropped
    | ClaimApproved
    | WinsPaid
    | TilesTaken
    | MoveSeen
    | WinSeen
    | SeenAnswered
    | HandOpened
    | PenaltyGiven
    | PenaltyLifted
    | SubstituteSeated
)

"""Everything that can happen at a table, as frozen values that are written to the ledger.

An event is a decision that counts. It carries everything needed to fold it (payments, the next dealer), so that a game
replayed after an upgrade of the rules still gives the scores that people agreed on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, TypeAdapter, ValidationError

from table.correction_events import HandChange as HandChange
from table.correction_events import HandCorrected as HandCorrected
from table.correction_events import OptionsCorrected as OptionsCorrected
from table.correction_events import RowChange as RowChange
from table.correction_events import SeatsCorrected as SeatsCorrected
from table.hand_events import Answer as Answer
from table.hand_events import ClaimApproved as ClaimApproved
from table.hand_events import HandEvent
from table.hand_events import HandNoted as HandNoted
from table.hand_events import HandOpened as HandOpened
from table.hand_events import MoveSeen as MoveSeen
from table.hand_events import PenaltyGiven as PenaltyGiven
from table.hand_events import PenaltyLifted as PenaltyLifted
from table.hand_events import SeenAnswered as SeenAnswered
from table.hand_events import SideDropped as SideDropped
from table.hand_events import SidePaid as SidePaid
from table.hand_events import SubstituteSeated as SubstituteSeated
from table.hand_events import TilesTaken as TilesTaken
from table.hand_events import WinSeen as WinSeen
from table.hand_events import WinsPaid as WinsPaid
from table.model import (
    Facts,
    LaidHand,
    MeldKind,
    Mode,
    Outcome,
    Payments,
    Scalar,
    Seat,
    SeenGroup,
    SeenTile,
    Setup,
    Source,
    Verdict,
)

VERSION = 1
"""Format of the encoded events; raised only when an older reader would misunderstand."""

Pips = Annotated[int, Field(ge=1, le=6)]


class EventError(ValueError):
    """A stored event cannot be read: unknown kind, newer version or wrong fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOpened:
    """A new game begins: who plays, by which rules, in which mode. Ruleset, version and options are locked.

    `places` are the seats that are taken (0 and 2 in a game for two), `house` the table's own options.
    """

    game_id: str
    ruleset: str
    ruleset_version: str
    options: Mapping[str, Any]
    mode: Mode
    names: tuple[str, str, str, str]
    rotate_seats: bool
    setup: Setup
    places: tuple[Seat, ...] = (0, 1, 2, 3)
    house: Mapping[str, Scalar] = field(default_factory=dict)
    kind: Literal["game_opened"] = "game_opened"


@dataclass(frozen=True, slots=True, kw_only=True)
class RestCalled:
    """A break of so many minutes begins now; 0 ends it."""

    minutes: int
    kind: Literal["rest_called"] = "rest_called"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameClosed:
    """The game ends before its last hand: time is up or the players stop."""

    reason: str
    kind: Literal["game_closed"] = "game_closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsRenamed:
    """The players' names, by player number (the seat each one started on)."""

    names: tuple[str, str, str, str]
    kind: Literal["seats_renamed"] = "seats_renamed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WallsBuilt:
    """The walls stand: stacks before each seat, and the number of tiles."""

    stacks: tuple[int, int, int, int]
    tiles: int | None = None
    kind: Literal["walls_built"] = "walls_built"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceThrown:
    """A throw that counts: the pips, who threw, what for, and how we know.

    `why` is ``break1`` (opening throw), ``break2`` (second throw) or ``kong``; `source` is ``table``, ``tablet`` or
    ``camera``; `roll` is the table's own number of the throw, empty when entered by hand.
    """

    values: tuple[Pips, ...]
    by: Seat | None
    why: Literal["break1", "break2", "kong"]
    source: Literal["table", "tablet", "camera"]
    roll: str = ""
    kind: Literal["dice_thrown"] = "dice_thrown"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceReported:
    """A source without a check says what was thrown; it counts when a person has confirmed it."""

    values: tuple[Pips, ...]
    by: Seat | None
    source: Literal["table", "tablet", "camera"]
    roll: str
    kind: Literal["dice_reported"] = "dice_reported"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceVoided:
    """A throw is taken back (a cocked die, thrown again)."""

    roll: str
    kind: Literal["dice_voided"] = "dice_voided"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandStarted:
    """The deal is done or declared done: the hand is being played."""

    setup: Setup
    kind: Literal["hand_started"] = "hand_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class WinClaimed:
    """A player says 和; `source` is None while it is not known whether it was drawn or discarded."""

    seat: Seat
    source: Source | None = None
    from_seat: Seat | None = None
    kind: Literal["win_claimed"] = "win_claimed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimHeld:
    """The referee puts the claim of this seat on hold, or (`held` false) takes it up again."""

    seat: Seat
    held: bool
    kind: Literal["claim_held"] = "claim_held"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimCancelled:
    """The claim of this seat is withdrawn; nothing is paid."""

    seat: Seat
    kind: Literal["claim_cancelled"] = "claim_cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandShown:
    """A picture of the claimed hand was read: what the eyes saw, before anybody corrected it.

    `picture` is the evidence that was read (boxes refer to it), `frame` the whole camera frame it was cut from.
    """

    seat: Seat
    picture: str
    frame: str | None = None
    how: Literal["camera", "photo"]
    tiles: tuple[SeenTile, ...]
    groups: tuple[SeenGroup, ...]
    kind: Literal["hand_shown"] = "hand_shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEntered:
    """The claimed hand was typed in; it takes the place of whatever a picture showed."""

    seat: Seat
    laid: LaidHand
    kind: Literal["hand_entered"] = "hand_entered"


@dataclass(frozen=True, slots=True, kw_only=True)
class TileFixed:
    """A person says what the tile with this index in the picture is; empty `tile` = there is no tile there."""

    seat: Seat
    index: int
    tile: str
    was: str
    kind: Literal["tile_fixed"] = "tile_fixed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WinTileSet:
    """A person says which of the tiles in the picture (or, typed hands, which tile) won."""

    seat: Seat
    index: int | None
    tile: str
    kind: Literal["win_tile_set"] = "win_tile_set"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldSet:
    """A person says what a group in the picture is; `meld_kind` None = part of the concealed hand."""

    seat: Seat
    group: int
    meld_kind: MeldKind | None
    from_seat: Seat | None
    kind: Literal["meld_set"] = "meld_set"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsSet:
    """The circumstances of the claimed win, as a person states them."""

    seat: Seat
    source: Source | None
    from_seat: Seat | None
    facts: Facts
    kind: Literal["facts_set"] = "facts_set"


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsAnnounced:
    """The winner names his points (competition), before anybody sees the computed value."""

    seat: Seat
    points: Annotated[int, Field(ge=0)]
    kind: Literal["points_announced"] = "points_announced"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandJudged:
    """The rules have spoken on the hand as it stood; None = it cannot be judged (questions are open)."""

    seat: Seat
    laid: LaidHand | None
    verdict: Verdict | None
    kind: Literal["hand_judged"] = "hand_judged"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAgreed:
    """A player accepts the claimed hand as it is shown."""

    claimant: Seat
    seat: Seat
    kind: Literal["seat_agreed"] = "seat_agreed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRejected:
    """The claim does not stand; a false win pays the others at once, and the hand goes on.

    `each` is what the referee named for every opponent; None if the ruleset set it (or an older Paiju did not say).
    """

    seat: Seat
    reason: str
    false_win: bool
    payments: Payments
    each: int | None = None
    kind: Literal["claim_rejected"] = "claim_rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSettled:
    """The hand is over and approved: the only ordinary event that moves points. `next` is None after the last hand."""

    hand_no: int
    outcome: Outcome
    next: Setup | None
    kind: Literal["hand_settled"] = "hand_settled"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionUndone:
    """The latest decision of a person is taken back; the table stands as before it."""

    undone_seq: int
    undone_kind: str
    reason: str
    kind: Literal["decision_undone"] = "decision_undone"


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereeCalled:
    """A player or the tablet asks for the referee."""

    call_id: str
    seat: Seat | None
    reason: str
    kind: Literal["referee_called"] = "referee_called"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallClosed:
    """The referee has dealt with a call."""

    call_id: str
    kind: Literal["call_closed"] = "call_closed"


TableEvent = (
    GameOpened
    | GameClosed
    | RestCalled
    | SeatsRenamed
    | WallsBuilt
    | DiceThrown
    | DiceReported
    | DiceVoided
    | HandStarted
    | WinClaimed
    | ClaimCancelled
    | ClaimHeld
    | HandShown
    | HandEntered
    | TileFixed
    | WinTileSet
    | MeldSet
    | FactsSet
    | PointsAnnounced
    | HandJudged
    | SeatAgreed
    | ClaimRejected
    | HandSettled
    | HandCorrected
    | OptionsCorrected
    | SeatsCorrected
    | DecisionUndone
    | RefereeCalled
    | CallClosed
    | HandEvent
)

_CODEC: TypeAdapter[TableEvent] = TypeAdapter(Annotated[TableEvent, Field(discriminator="kind")])
KINDS: frozenset[str] = frozenset(
    str(one.default) for member in get_args(TableEvent) for one in fields(member) if one.name == "kind"
)
"""Every kind of event this version can read."""


def encode(event: TableEvent) -> dict[str, Any]:
    """Write an event as a JSON document: ``{"v": 1, "kind": ..., fields}``."""
    return {"v": VERSION, **_CODEC.dump_python(event, mode="json")}


def decode(document: object) -> TableEvent:
    """Read an event back from its JSON document.

    Raises:
        EventError: the kind is unknown, the version newer, or the fields are wrong; the sentence says which.
    """
    if not isinstance(document, Mapping):
        raise EventError(f"An event is a JSON object, found {type(document).__name__}.")
    kind, version = document.get("kind"), document.get("v")
    if version != VERSION:
        raise EventError(f"Event {kind!r} has format {version!r}; this Paiju reads format {VERSION}. Upgrade Paiju.")
    if kind not in KINDS:
        raise EventError(f"Event kind {kind!r} is not known to this Paiju. It was written by another version: upgrade.")
    try:
        return _CODEC.validate_python({key: value for key, value in document.items() if key != "v"})
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in problem["loc"]) or str(kind)
        raise EventError(f"Event {kind!r} is damaged at {where}: {problem['msg']}.") from None

"""What may be asked about a claimed win: its tiles, its circumstances, whether it stands. Part of `table.commands`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from table.hand_commands import MeldIn, Request, Text, TileText
from table.model import MeldKind, Scalar, Seat, Source


class ClaimWin(Request):
    """A player says 和. Leave `source` null when it is not known yet; it will be asked."""

    kind: Literal["claim_win"] = "claim_win"
    seat: Seat
    source: Source | None = None
    from_seat: Seat | None = None


class CancelClaim(Request):
    """Withdraw a claim; null = the one being looked at. `waived`: also a win that must be taken by the rules (四川)."""

    kind: Literal["cancel_claim"] = "cancel_claim"
    seat: Seat | None = None
    waived: bool = False


class HoldClaim(Request):
    """The referee puts a claim on hold, or takes it up again; null = the one being looked at. A held one cannot pay."""

    kind: Literal["hold_claim"] = "hold_claim"
    seat: Seat | None = None
    held: bool = True


class HandPhoto(Request):
    """Read the claimed hand from a picture: null = take one with the camera over the table, or the id of an upload."""

    kind: Literal["hand_photo"] = "hand_photo"
    picture: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None


class HandManual(Request):
    """The claimed hand, typed in. Without `win_tile` the hand holds all tiles and the winning one may be asked."""

    kind: Literal["hand_manual"] = "hand_manual"
    hand: TileText
    melds: Annotated[tuple[MeldIn, ...], Field(max_length=5)] = ()
    win_tile: TileText | None = None
    flowers: TileText = ""


class FixTile(Request):
    """Say what the tile with this index is; an empty text says that there is no tile."""

    kind: Literal["fix_tile"] = "fix_tile"
    index: Annotated[int, Field(ge=0)]
    tile: Annotated[str, Field(pattern=r"^([1-9][mps]|[1-7]z|[1-8]f|x)?$")]


class SetWinTile(Request):
    """Say which tile won: its index in the picture, or its name if it was typed or is not in the picture."""

    kind: Literal["set_win_tile"] = "set_win_tile"
    index: Annotated[int, Field(ge=0)] | None = None
    tile: Annotated[str, Field(pattern=r"^([1-9][mps]|[1-7]z)$")] | None = None


class SetMeld(Request):
    """Say what a group of tiles is. `meld_kind` null = it belongs to the concealed hand."""

    kind: Literal["set_meld"] = "set_meld"
    group: Annotated[int, Field(ge=0)]
    meld_kind: MeldKind | None = None
    from_seat: Seat | None = None


class SetLayout(Request):
    """Say how the tiles lie: the groups set apart are melds, or everything is the concealed hand."""

    kind: Literal["set_layout"] = "set_layout"
    melds: bool


class SetFacts(Request):
    """State the circumstances of the win; what is left out stays as it was."""

    kind: Literal["set_facts"] = "set_facts"
    source: Source | None = None
    from_seat: Seat | None = None
    last_tile: bool | None = None
    last_of_kind: bool | None = None
    more: Mapping[str, Scalar] = Field(default_factory=dict)


class Announce(Request):
    """The winner names the points of the hand (competition)."""

    kind: Literal["announce"] = "announce"
    points: Annotated[int, Field(ge=0, le=100_000)]


class Agree(Request):
    """A player accepts the hand as shown."""

    kind: Literal["agree"] = "agree"
    seat: Seat


class Approve(Request):
    """Approve the hand: the points move."""

    kind: Literal["approve"] = "approve"


class Reject(Request):
    """The claim does not stand. A false win is paid at once: `each` points to each other (null: by the rules)."""

    kind: Literal["reject"] = "reject"
    reason: Text
    false_win: bool = False
    each: Annotated[int, Field(ge=0, le=10_000)] | None = None

"""What may be asked about hands that are over: their result, the options, who sat where. Part of `table.commands`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from table.hand_commands import MeldIn, Reason, Request, ShownHand, TileName, TileText
from table.model import Scalar, Seat, Source


class WinIn(BaseModel):
    """One win of a hand, whole. Wins with the same `stage` were won on the same tile."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seat: Seat
    source: Source
    from_seat: Seat | None = None
    hand: TileText
    melds: Annotated[tuple[MeldIn, ...], Field(max_length=5)] = ()
    win_tile: TileText
    flowers: TileText = ""
    last_tile: bool = False
    last_of_kind: bool = False
    more: Mapping[str, Scalar] = Field(default_factory=dict)
    stage: Annotated[int, Field(ge=0, le=3)] = 0


class KongIn(BaseModel):
    """A kong that a hand had and that nobody entered; `stage` says how many tiles had been won on before it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seat: Seat
    meld_kind: Literal["kong_open", "kong_concealed", "kong_added"]
    tile: TileName | None = None
    from_seat: Seat | None = None
    stage: Annotated[int, Field(ge=0, le=3)] = 0


class CorrectHand(Request):
    """Set an earlier hand right. What is null stays as it was; with `preview` nothing is written.

    `void` is a hand that counts for nothing, `broken_off` one of which only counts what it had paid when it was left.
    For a win give what changes: winner, source, from_seat, or the whole hand; in a hand with several wins `win_no` says
    which one (0 the first), or give all of them anew as `wins`. `more` are further circumstances of the win, as in
    `set_facts`; `facts` are circumstances of the hand, `players` the hands shown at the end of the wall; `drop_sides`
    are kongs or starting wins (0 the first) that were none, those set aside (`aside` of a preview) numbered after those
    that count, `add_kongs` kongs that nobody entered; `sea` and `sea_seat` are as in `draw_hand`. What a preview asks
    is answered by these fields: `set_facts` by `more`, `hand_facts` by `facts`, `drop_side` and `kong` by those lists.
    """

    kind: Literal["correct_hand"] = "correct_hand"
    hand_no: Annotated[int, Field(ge=1)]
    reason: Reason
    outcome: Literal["win", "draw", "void", "broken_off"] | None = None
    winner: Seat | None = None
    source: Source | None = None
    from_seat: Seat | None = None
    hand: TileText | None = None
    melds: Annotated[tuple[MeldIn, ...], Field(max_length=5)] | None = None
    win_tile: TileText | None = None
    flowers: TileText | None = None
    last_tile: bool | None = None
    last_of_kind: bool | None = None
    more: Mapping[str, Scalar] = Field(default_factory=dict)
    announced: Annotated[int, Field(ge=0, le=100_000)] | None = None
    win_no: Annotated[int, Field(ge=0, le=3)] = 0
    wins: Annotated[tuple[WinIn, ...], Field(min_length=1, max_length=4)] | None = None
    facts: Mapping[str, Any] | None = None
    players: Mapping[Literal["0", "1", "2", "3"], ShownHand] | None = None
    drop_sides: Annotated[tuple[int, ...], Field(max_length=16)] = ()
    add_kongs: Annotated[tuple[KongIn, ...], Field(max_length=16)] = ()
    sea: Literal["", "taken_no_win", "all_refused", "used_as_replacement"] | None = None
    sea_seat: Seat | None = None
    preview: bool = False


class CorrectOptions(Request):
    """The game is played under other options than were written down: every finished hand is priced under them.

    `options` are all options of the game, as `open_game` takes them; with `preview` nothing is written.
    """

    kind: Literal["correct_options"] = "correct_options"
    options: Mapping[str, Any]
    reason: Reason
    preview: bool = False


class CorrectSeats(Request):
    """Players sat elsewhere than was written down, from hand `from_hand` on: their points move with them.

    `seating` says for every seat which player (0 to 3, numbered by the seat he started on) truly sat there in that
    hand; with `preview` nothing is written.
    """

    kind: Literal["correct_seats"] = "correct_seats"
    from_hand: Annotated[int, Field(ge=1)]
    seating: tuple[Seat, Seat, Seat, Seat]
    reason: Reason
    preview: bool = False

"""What may be asked about the hand being played beside claims, and what every command carries.

Part of `table.commands`, which lists all of them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from table.model import Actor, LyingSeat, MeldKind, Seat, SeenWin

LONGEST_NAME = 100
"""Characters in the name of who acts, or of his device."""

JOINERS = "\u200c\u200d"
"""Format characters that scripts and emoji need inside a name."""


def _visible(text: str) -> str:
    """Refuse control characters, line breaks and those that turn the direction of writing."""
    for sign in text:
        if unicodedata.category(sign) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and sign not in JOINERS:
            raise PydanticCustomError(
                "text",
                "this text holds the invisible control character {code}: leave it out",
                {"code": f"U+{ord(sign):04X}"},
            )
    return text


def _named(actor: Actor) -> Actor:
    """Refuse an actor whose name or device no page could show."""
    for text in (actor.name, actor.device):
        if len(_visible(text)) > LONGEST_NAME:
            raise PydanticCustomError(
                "name", "a name is longer than {most} characters: shorten it", {"most": LONGEST_NAME}
            )
    return actor


Text = Annotated[str, Field(max_length=200), AfterValidator(_visible)]
Reason = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_visible)]
Name = Annotated[str, Field(min_length=1, max_length=40), AfterValidator(_visible)]
TileText = Annotated[str, Field(max_length=80), AfterValidator(lambda text: text.replace(" ", ""))]
"""Tiles as they are typed; gaps between them mean nothing."""
TileName = Annotated[str, Field(pattern=r"^([1-9][mps]|[1-7]z|[1-8]f)$")]
What = Literal["discard", "chi", "peng", "kong_open", "kong_concealed", "kong_added", "flower", "hand", "cleared"]
SeenFaces = Annotated[
    str, Field(max_length=140, pattern=r"^(x|([1-9][mps]|[1-7]z|[1-8]f)(/([1-9][mps]|[1-7]z|[1-8]f))*)$")
]


class Request(BaseModel):
    """What every command carries: the key that makes it count once, and who asks."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    idem: Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_visible)]
    actor: Annotated[Actor, AfterValidator(_named)]


class MeldIn(BaseModel):
    """A meld as people enter it: kind, tile text, and who fed it (null = unknown)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: MeldKind
    tiles: TileText
    from_seat: Seat | None = None


class ShownHand(BaseModel):
    """What a player shows at the end of the wall: his tiles, or only whether he is ready."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    hand: TileText = ""
    melds: Annotated[tuple[MeldIn, ...], Field(max_length=5)] = ()
    ready: bool | None = None
    opened: bool | None = None


class HandFacts(Request):
    """State circumstances of the whole hand by their name in the rules questions; null takes one back."""

    kind: Literal["hand_facts"] = "hand_facts"
    facts: Mapping[str, Any]


class TurnTile(Request):
    """A tile was turned up: the indicator (`flip`) that decides the wildcard, or a `bird` after a win.

    `number` is which bird (1 the first): one that somebody else has told meanwhile is refused. Null: the next.
    """

    kind: Literal["turn_tile"] = "turn_tile"
    what: Literal["flip", "bird"] = "flip"
    tile: TileName
    number: Annotated[int, Field(ge=1, le=40)] | None = None


class Kong(Request):
    """A kong was made; it is paid at once where the game does so. `from_seat`: who discarded its fourth tile.

    `hongzhong` and `laizi` are tiles laid out one by one that count as kongs of their owner (武漢).
    """

    kind: Literal["kong"] = "kong"
    seat: Seat
    meld_kind: Literal["kong_open", "kong_concealed", "kong_added", "hongzhong", "laizi"]
    tile: TileName | None = None
    from_seat: Seat | None = None


class DropSide(Request):
    """A kong or starting win of the hand being played was none: take it back. `index` in the list of the snapshot.

    `count` is how many that list has: if another one was added or taken back meanwhile, nothing is. Null: as it is now.
    """

    kind: Literal["drop_side"] = "drop_side"
    index: Annotated[int, Field(ge=0, le=40)]
    count: Annotated[int, Field(ge=1, le=41)] | None = None
    reason: Text = ""


class TakeDiscard(Request):
    """A discard was taken for a chow or a pung."""

    kind: Literal["take_discard"] = "take_discard"
    seat: Seat
    meld_kind: Literal["chi", "peng"]
    from_seat: Seat
    tiles: TileText = ""


class Declare(Request):
    """A player declares: plays open or doubles, stays or quits at a contract, gives up a suit."""

    kind: Literal["declare"] = "declare"
    seat: Seat
    what: Literal["open", "double", "stay", "quit", "void"]
    suit: Literal["m", "p", "s"] | None = None


class Liable(Request):
    """A feed made `feeder` answer for the win of `beneficiary`; `makes` names why, e.g. 大三元."""

    kind: Literal["liable"] = "liable"
    feeder: Seat
    beneficiary: Seat
    makes: Text


class PassWin(Request):
    """A player let a winning tile go; with `tile` null he has acted since and may win again."""

    kind: Literal["pass_win"] = "pass_win"
    seat: Seat
    tile: TileName | None = None


class Sea(Request):
    """The last tile is offered round (海底漫遊): this player takes it or refuses. First asked is whose draw it is."""

    kind: Literal["sea"] = "sea"
    seat: Seat
    take: bool


class Exchange(Request):
    """The die of 換三張 was thrown: it says to whom everybody passes three tiles of one suit, face down."""

    kind: Literal["exchange"] = "exchange"
    die: Annotated[int, Field(ge=1, le=6)]


class Leave(Request):
    """A winner leaves the table before the hand is over; where it is played so, he gives back what his win brought."""

    kind: Literal["leave"] = "leave"
    seat: Seat


class StartWin(Request):
    """A player shows his dealt hand for a starting win; `birds` are turned for it, where the game does so."""

    kind: Literal["start_win"] = "start_win"
    seat: Seat
    hand: TileText
    birds: TileText = ""


class TilesTaken(Request):
    """How far the wall is drawn, counted from the end of the deal: draws from the head, flowers replaced."""

    kind: Literal["tiles_taken"] = "tiles_taken"
    draws: Annotated[int, Field(ge=0, le=200)]
    flowers: Annotated[int, Field(ge=0, le=8)] = 0


class SeeMove(Request):
    """The camera has followed a move of the hand being played; tiles as in the event `move_seen`."""

    kind: Literal["see_move"] = "see_move"
    what: What
    seat: Seat | None
    tiles: Annotated[tuple[SeenFaces, ...], Field(max_length=18)] = ()
    from_seat: Seat | None = None
    taken: SeenFaces | Literal[""] = ""


class SeeWin(Request):
    """The camera has followed how a claimed win came about; what a person has said stays."""

    kind: Literal["see_win"] = "see_win"
    seat: Seat
    seen: SeenWin


class SeeOpened(Request):
    """The camera sees a hand laid open at a seat that has not claimed: a note for the referee."""

    kind: Literal["see_opened"] = "see_opened"
    seat: Seat
    picture: Text | None = None


class AnswerSeen(Request):
    """Say what following the hand cannot tell. One answer: a `tile` at a place, a `way`, a `turn`, or `ignore`.

    `question` is the question of the snapshot (empty for a tile that nobody asked about); `way` the number of the story
    that is true, 0 the first; `turn` says that all is right as it lies and who plays next. The table fills in `lies`,
    and `picture` with what the question showed.
    """

    kind: Literal["answer_seen"] = "answer_seen"
    question: Text = ""
    seat: Seat | None = None
    zone: Literal["pond", "melds", "flowers", "hand"] | None = None
    index: Annotated[int, Field(ge=0, le=40)] | None = None
    tile: TileName | None = None
    way: Annotated[int, Field(ge=0, le=20)] | None = None
    turn: Seat | None = None
    ignore: bool = False
    lies: Annotated[tuple[LyingSeat, ...], Field(max_length=4)] = ()
    picture: Text | None = None

    @model_validator(mode="after")
    def _one_answer(self) -> AnswerSeen:
        given = [self.tile is not None, self.way is not None, self.turn is not None, self.ignore]
        if sum(given) != 1:
            raise PydanticCustomError("answer", "give one answer: tile, way, turn or ignore")
        if self.tile is not None and (self.seat is None or self.zone is None or self.index is None):
            raise PydanticCustomError("place", "say where the tile lies: seat, zone and index")
        return self


class Penalise(Request):
    """A penalty by the referee: `code` from the list, or points of his own. Paid to the others, or to nobody."""

    kind: Literal["penalise"] = "penalise"
    seat: Seat
    code: Text = ""
    points: Annotated[int, Field(ge=0, le=1000)] | None = None
    reason: Text = ""


class LiftPenalty(Request):
    """Take a penalty or a false win back, by the `id` of its row in the history.

    `seat` is whose it is: another one's, which bears this id after an undo, is not taken back. Null: whoever's it is.
    """

    kind: Literal["lift_penalty"] = "lift_penalty"
    id: Text
    seat: Seat | None = None
    reason: Text = ""


class Substitute(Request):
    """From now on somebody else plays on this seat; the points stay with the place."""

    kind: Literal["substitute"] = "substitute"
    seat: Seat
    name: Name

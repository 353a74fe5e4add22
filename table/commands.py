"""What people and devices may ask the table to do, checked at the door.

A command is a wish: the session answers with events or with a refusal. Each one carries a key (`idem`) so that a tap
sent twice over a bad connection counts once.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from table.claim_commands import Agree as Agree
from table.claim_commands import Announce as Announce
from table.claim_commands import Approve as Approve
from table.claim_commands import CancelClaim as CancelClaim
from table.claim_commands import ClaimWin as ClaimWin
from table.claim_commands import FixTile as FixTile
from table.claim_commands import HandManual as HandManual
from table.claim_commands import HandPhoto as HandPhoto
from table.claim_commands import HoldClaim as HoldClaim
from table.claim_commands import Reject as Reject
from table.claim_commands import SetFacts as SetFacts
from table.claim_commands import SetLayout as SetLayout
from table.claim_commands import SetMeld as SetMeld
from table.claim_commands import SetWinTile as SetWinTile
from table.correction_commands import CorrectHand as CorrectHand
from table.correction_commands import CorrectOptions as CorrectOptions
from table.correction_commands import CorrectSeats as CorrectSeats
from table.correction_commands import WinIn as WinIn
from table.hand_commands import AnswerSeen as AnswerSeen
from table.hand_commands import Declare as Declare
from table.hand_commands import DropSide as DropSide
from table.hand_commands import Exchange as Exchange
from table.hand_commands import HandFacts as HandFacts
from table.hand_commands import Kong as Kong
from table.hand_commands import Leave as Leave
from table.hand_commands import Liable as Liable
from table.hand_commands import LiftPenalty as LiftPenalty
from table.hand_commands import MeldIn as MeldIn
from table.hand_commands import Name, Request, Text
from table.hand_commands import PassWin as PassWin
from table.hand_commands import Penalise as Penalise
from table.hand_commands import Sea as Sea
from table.hand_commands import SeeMove as SeeMove
from table.hand_commands import SeeOpened as SeeOpened
from table.hand_commands import SeeWin as SeeWin
from table.hand_commands import ShownHand as ShownHand
from table.hand_commands import StartWin as StartWin
from table.hand_commands import Substitute as Substitute
from table.hand_commands import TakeDiscard as TakeDiscard
from table.hand_commands import TilesTaken as TilesTaken
from table.hand_commands import TurnTile as TurnTile
from table.malformed import not_understood
from table.model import Mode, Seat
from table.sentences import Sentence, because, say


class CommandError(ValueError):
    """The request is no command: wrong kind or wrong fields. `sentence` says which field and what is expected."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence.text)
        self.sentence = sentence


Stacks = Annotated[int, Field(ge=0, le=99)]
"""Stacks before one seat; even a set of 144 tiles needs 18."""


def _four_walls(text: str) -> str:
    """Refuse what is no four walls of the small set."""
    parts = text.split(",")
    if len(parts) != 4 or not all(part.isdecimal() for part in parts) or 2 * sum(map(int, parts)) != 108:
        raise PydanticCustomError("walls", "four stack counts of 54 together, from the dealer on: 14,13,14,13")
    return text


class House(BaseModel):
    """What a table agrees beside the rules; what is null stays as usual.

    Attributes:
        break_count: whether tiles are taken after the counted stack, or from it.
        walls_108: four stack counts of the small set from the dealer on, ``14,13,14,13``.
        stake: points each player begins with, for a service fee.
        unit: what a point is worth when the evening is settled, in hundredths of the currency.
        session_min: minutes that the session lasts, counted from the opening of the game and shown; nothing ends by it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    break_count: Literal["after", "from"] | None = None
    walls_108: Annotated[str, AfterValidator(_four_walls)] | None = None
    stake: Annotated[int, Field(strict=True, ge=0, le=1_000_000_000)] | None = None
    unit: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] | None = None
    session_min: Annotated[int, Field(strict=True, ge=1, le=1_440)] | None = None


class OpenGame(Request):
    """Begin a game: rules, options, mode and four names, in the order of the seats.

    A game for two takes two names: they sit at seats 0 and 2. `rotate_seats` null means: as the competition rules ask
    in competition mode, never in friendly mode.
    """

    kind: Literal["open_game"] = "open_game"
    ruleset: Text = "gb"
    options: Mapping[str, Any] = Field(default_factory=dict)
    names: tuple[Name, Name, Name, Name] | tuple[Name, Name]
    mode: Mode = "friendly"
    first_dealer: Seat = 0
    rotate_seats: bool | None = None
    house: House = House()


class CloseGame(Request):
    """End the game now (time is up, or the players stop); scores stand. An approved win that waits is settled first."""

    kind: Literal["close_game"] = "close_game"
    reason: Text = ""


class Rest(Request):
    """A break of so many minutes is announced on every page; 0 ends it. A hand that begins ends it too."""

    kind: Literal["rest"] = "rest"
    minutes: Annotated[int, Field(ge=0, le=120)]


class RenameSeats(Request):
    """Write the names of the players in the order of the seats where they sit now; a game for two takes two."""

    kind: Literal["rename_seats"] = "rename_seats"
    names: tuple[Name, Name, Name, Name] | tuple[Name, Name]


class Dice(Request):
    """A throw of the dice; `by` null = the seat whose turn it is to throw.

    `checked` false: the source carries no check sum, so the throw waits for a tap (`confirm_dice`) before it counts.
    """

    kind: Literal["dice"] = "dice"
    values: Annotated[tuple[Annotated[int, Field(ge=1, le=6)], ...], Field(min_length=1, max_length=3)]
    by: Seat | None = None
    source: Literal["table", "tablet", "camera"] = "tablet"
    roll: Text = ""
    checked: bool = True


class ConfirmDice(Request):
    """A person looked at the dice: the throw that was reported without a check counts as it was reported."""

    kind: Literal["confirm_dice"] = "confirm_dice"
    roll: Text


class VoidDice(Request):
    """Take back a throw that the table reported (a cocked die)."""

    kind: Literal["void_dice"] = "void_dice"
    roll: Annotated[Text, Field(min_length=1)]


class Walls(Request):
    """The walls are built: stacks before each seat."""

    kind: Literal["walls"] = "walls"
    stacks: tuple[Stacks, Stacks, Stacks, Stacks]
    tiles: int | None = None


class StartHand(Request):
    """The deal is done, with or without dice: play begins."""

    kind: Literal["start_hand"] = "start_hand"


class DrawHand(Request):
    """Nobody won: the wall is exhausted, or the hand ends before: `void` counts for nothing, `broken_off` what it paid.

    `players` are the hands shown, by seat, where the rules settle a drawn hand by them. `sea` says what became of the
    last tile where that decides who deals, `sea_seat` who took it, was asked first, or drew it as a replacement.
    """

    kind: Literal["draw_hand"] = "draw_hand"
    void: bool = False
    broken_off: bool = False
    reason: Text = ""
    players: Mapping[Literal["0", "1", "2", "3"], ShownHand] = Field(default_factory=dict)
    sea: Literal["", "taken_no_win", "all_refused", "used_as_replacement"] = ""
    sea_seat: Seat | None = None

    @model_validator(mode="after")
    def _one_ending(self) -> Self:
        if self.void and self.broken_off:
            raise PydanticCustomError("ending", "a hand that counts for nothing (void) is not broken_off too")
        return self


class UndoLast(Request):
    """Take back the latest decision."""

    kind: Literal["undo_last"] = "undo_last"
    reason: Text = ""


class CallReferee(Request):
    """Call the referee to the table."""

    kind: Literal["call_referee"] = "call_referee"
    seat: Seat | None = None
    reason: Text = ""


class CloseCall(Request):
    """The referee has dealt with a call."""

    kind: Literal["close_call"] = "close_call"
    id: Text


Command = (
    OpenGame
    | CloseGame
    | Rest
    | RenameSeats
    | Dice
    | ConfirmDice
    | VoidDice
    | Walls
    | StartHand
    | ClaimWin
    | CancelClaim
    | HoldClaim
    | HandPhoto
    | HandManual
    | FixTile
    | SetWinTile
    | SetMeld
    | SetLayout
    | SetFacts
    | Announce
    | Agree
    | Approve
    | Reject
    | DrawHand
    | HandFacts
    | TurnTile
    | Kong
    | DropSide
    | TakeDiscard
    | Declare
    | Liable
    | PassWin
    | Sea
    | Exchange
    | Leave
    | StartWin
    | TilesTaken
    | SeeMove
    | SeeWin
    | SeeOpened
    | AnswerSeen
    | Penalise
    | LiftPenalty
    | Substitute
    | CorrectHand
    | CorrectOptions
    | CorrectSeats
    | UndoLast
    | CallReferee
    | CloseCall
)

_KINDS: tuple[str, ...] = tuple(member.model_fields["kind"].default for member in get_args(Command))
_COMMANDS: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="kind")])


def parse_command(document: object) -> Command:
    """Turn a JSON document into a command.

    Raises:
        CommandError: one sentence with the field that is wrong and what was expected.
    """
    if not isinstance(document, Mapping):
        raise CommandError(_no_command("A command must be a JSON object with the keys kind, idem and actor."))
    kind = document.get("kind")
    if not isinstance(kind, str):
        raise CommandError(_no_command('A command must say its kind as a text, e.g. {"kind": "claim_win"}.'))
    if kind not in _KINDS:
        near = difflib.get_close_matches(kind[:40], _KINDS, n=1)
        raise CommandError(
            _no_command(f'There is no command "{kind[:40]}"' + (f': did you mean "{near[0]}"?' if near else "."))
        )
    try:
        return _COMMANDS.validate_python(document)
    except ValidationError as error:
        raise CommandError(not_understood(error, kind, _schema())) from None


def _no_command(detail: str) -> Sentence:
    return because("bad_command", say("why.no_command", detail=detail))


@cache
def _schema() -> dict[str, Any]:
    return _COMMANDS.json_schema()


def command_document(command: Command) -> dict[str, Any]:
    """Write a command as JSON, as recordings keep it."""
    document: dict[str, Any] = _COMMANDS.dump_python(command, mode="json")
    return document

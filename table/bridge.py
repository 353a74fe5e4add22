"""What the table's own messages mean for the game: commands, hints or nothing.

Only a dice throw that has ended counts; a seat's HU is a claim, REF calls the referee, OK agrees. Lifting the centre is
a hint and never ends a hand. Source: docs/device-protocol.md (what the rules need).
"""

from __future__ import annotations

from dataclasses import dataclass

from device import messages
from device.notices import Notice, NoticeCode
from device.wire import EventId
from table import commands
from table.model import Actor, Scalar
from table.sentences import SENTENCES, Sentence, say

SEAT_NAMES = ("seat A", "seat B", "seat C", "seat D")
"""What the ledger calls the buttons of the table."""


@dataclass(frozen=True, slots=True)
class LookNow:
    """A sign that a hand lies open now (a button, the centre lifted): a good moment for a picture."""

    why: str


@dataclass(frozen=True, slots=True)
class TilesLeft:
    """Tiles still standing before one seat."""

    side: int
    tiles: int


@dataclass(frozen=True, slots=True)
class FaultChange:
    """Something in the table is stuck (`on`) or well again; `sentence` is for people."""

    code: str
    side: int | None
    on: bool
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class DealerLamp:
    """The table's lamp shows this seat as dealer; None = it shows nobody. Never applied, only compared."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class ThatTable:
    """Which table it is: its own number."""

    uid: str


@dataclass(frozen=True, slots=True)
class Heard:
    """This event has been dealt with; after a restart the line goes on after it."""

    event: EventId


Meaning = commands.Command | LookNow | TilesLeft | FaultChange | DealerLamp | ThatTable | Heard


def meaning(message: object, day: str) -> tuple[Meaning, ...]:
    """What a message from the table means; empty for what the game does not need.

    `day` (on which this start of the table was first heard) goes into the keys of commands: a table numbers its events
    anew at each start, and its four-digit start numbers repeat over the years.
    """
    said = _said(message, day)
    return (*said, Heard(message.id)) if isinstance(message, messages.Event) and message.id.of_board else said


def boot_of(message: object) -> str | None:
    """The start of the table that numbered this event; None for what is no numbered event of a board."""
    return message.id.boot if isinstance(message, messages.Event) and message.id.of_board else None


def _said(message: object, day: str) -> tuple[Meaning, ...]:
    match message:
        case messages.Hello(uid=uid):
            return (ThatTable(uid),)
        case messages.Deal(dealer=dealer):
            return (DealerLamp(dealer),)
        case messages.Snapshot(dealer=dealer) if dealer is not None:
            return (DealerLamp(dealer),)
        case messages.Dice():
            return _dice(message, day)
        case messages.Button():
            return _button(message, day)
        case messages.Wall(walls=walls) if walls is not None and len(walls) == 4:
            stacks = (walls[0], walls[1], walls[2], walls[3])
            return (commands.Walls(idem=_key(message.id, day), actor=_table(None), stacks=stacks, tiles=message.tiles),)
        case messages.Lift(top="DROP"):
            return (LookNow("the centre was opened"),)
        case messages.Remaining():
            return (TilesLeft(message.side, 2 * message.stacks + message.odd),)
        case messages.Fault():
            return (_fault(message),)
        case _:
            return ()


def _dice(message: messages.Dice, day: str) -> tuple[Meaning, ...]:
    roll = f"{message.id.boot}.{message.roll}"
    actor = _table(message.by_seat)
    if message.phase == "void":
        return (commands.VoidDice(idem=_key(message.id, day), actor=actor, roll=roll),)
    if message.phase != "end" or message.values is None:
        return ()
    return (
        commands.Dice(
            idem=_key(message.id, day),
            actor=actor,
            values=message.values,
            by=message.by_seat,
            source="camera" if message.source == "cam" else "table",
            roll=roll,
            checked=message.source != "text",
        ),
    )


def _button(message: messages.Button, day: str) -> tuple[Meaning, ...]:
    if message.seat is None:
        return ()
    key, actor = _key(message.id, day), _table(message.seat)
    if message.key == "HU":
        return (commands.ClaimWin(idem=key, actor=actor, seat=message.seat), LookNow("HU was pressed"))
    if message.key == "REF":
        return (commands.CallReferee(idem=key, actor=actor, seat=message.seat),)
    if message.key == "OK":
        return (commands.Agree(idem=key, actor=actor, seat=message.seat),)
    return ()


NOT_TOLD = frozenset({NoticeCode.DICE_UNCHECKED})
"""Notices that the game shows by itself: an unchecked throw waits for a tap."""


def notice_sentence(notice: Notice) -> Sentence | None:
    """What a notice of the line says to people; None where the game itself shows it."""
    if notice.code in NOT_TOLD:
        return None
    key = f"notice_{notice.code.value}"
    given: dict[str, Scalar] = {
        "detail": notice.text,
        "count": notice.count or 1,
        "roll": notice.roll or 0,
        "seat": notice.seat,
    }
    return say(key, **{name: value for name, value in given.items() if f"{{{name}}}" in SENTENCES[key]})


def _fault(message: messages.Fault) -> FaultChange:
    code = f"{message.code} ({message.part})" if message.part else message.code
    sentence = (
        say("table_fault", code=code) if message.side is None else say("table_fault_side", code=code, seat=message.side)
    )
    return FaultChange(code=message.code, side=message.side, on=message.on, sentence=sentence)


def _key(event: EventId, day: str) -> str:
    return f"table:{day}:{event.boot}.{event.n}"


def _table(seat: int | None) -> Actor:
    return Actor(role="device", name="" if seat is None else SEAT_NAMES[seat], device="table")


def button_of(actor: Actor) -> int | None:
    """The seat (0 to 3) whose button of the table this was; None for everybody else who acts."""
    pressed = actor.role == "device" and actor.device == "table" and actor.name in SEAT_NAMES
    return SEAT_NAMES.index(actor.name) if pressed else None

"""Everything a table and Paiju can say to each other: one frozen dataclass per MTL/1 message.

Seats are 0 to 3, counter-clockwise, as everywhere in Paiju (1 to 4 on the wire, 0 there is None here). Times
``t_ms`` are milliseconds since the board started and wrap after 49.7 days. Walls count whole stacks of two
tiles. None always means "the table does not know". Source: ``docs/device-protocol.md#messages``.

There is no message that sets a dice value, the order of tiles or a motor, and no place to put one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from device.wire import (
    BOOT,
    COUNTS,
    DICE,
    EVENT_ID,
    FLAG,
    KNOWN_SEAT,
    NAMES,
    PART,
    PERCENT,
    SEAT,
    SEATS,
    SINCE,
    TEXT,
    UINT16,
    UINT32,
    VERSION,
    EventId,
    Key,
    choice,
    hexadecimal,
    number,
    numbers,
    signed_numbers,
)

PROTOCOL = (1, 0)
"""The version of MTL this package speaks."""

DECKS = ("EMPTY", "LOADING", "WASH", "STACK", "READY", "PAUSED", "FAULT", "UNKNOWN")
TOPS = ("CLEAR", "DROP", "LIFTING", "UP", "DEALING", "UNKNOWN")
MODES = ("RUN", "TEST", "SLEEP", "BOOT", "UNKNOWN")
BUTTONS = ("CHI", "PENG", "KONG", "HU", "PASS", "FLOWER", "READY", "REF", "OK", "UNDO", "DICE", "LIFT")
FAULTS = (
    *("JAM", "SHORT", "OVER", "SENSOR", "MOTOR", "TIMEOUT", "DOOR", "TEMP", "GEAR", "DICE", "POWER", "COMM"),
    *("STICK", "RAW"),
)
CAPABILITIES = ("dice2", "dicev", "by", "lift", "side", "rem", "btn", "stick", "light", "score", "lock", "beep")
REFUSALS = ("BUSY", "CAP", "ARG", "LOCK", "STATE", "VER")

_DECK = Key("deck", choice(*DECKS, other="UNKNOWN"))
_TOP = Key("top", choice(*TOPS, other="UNKNOWN"))
_STICK_SOURCE = choice("rfid", "hall", "scale", "man", "other", other="other")
_COUNT_SOURCE = choice("count", "beam", "man", "other", other="other")

Boot = Annotated[str, Key("b", BOOT)]
Id = Annotated[EventId, Key("id", EVENT_ID)]
TimeMs = Annotated[int, Key("t", UINT32)]
Quality = Annotated[int | None, Key("q", PERCENT)]
Tiles = Annotated[int | None, Key("tiles", number(0, 200))]
Gear = Annotated[int | None, Key("gear", number(0, 200))]
Walls = Annotated[tuple[int, ...] | None, Key("w", numbers(0, 40, 4, 4))]
By = Annotated[int | None, Key("by", SEAT)]
Dealer = Annotated[int | None, Key("dealer", SEAT)]
Honba = Annotated[int | None, Key("honba", number(0, 99))]


# --- table -> Paiju: what it is and how it is -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hello:
    """The table names itself: on each start and whenever it is asked."""

    TYPE: ClassVar[str] = "HELLO"
    proto: Annotated[tuple[int, int], Key("proto", VERSION)]
    uid: Annotated[str, Key("uid", hexadecimal(4, 32))]
    boot: Boot
    hw: Annotated[str, Key("hw", TEXT)] = ""
    fw: Annotated[str, Key("fw", TEXT)] = ""
    reset: Annotated[str, Key("rst", choice("pwr", "brown", "wdt", "sw", "pin", "other", other="other"))] = "other"
    table_class: Annotated[int, Key("cls", number(0, 9))] = 0


@dataclass(frozen=True, slots=True)
class Caps:
    """What this table can do, as names (`CAPABILITIES`), and which tile counts its gears build."""

    TYPE: ClassVar[str] = "CAPS"
    boot: Boot
    names: Annotated[tuple[str, ...], Key("c", NAMES)] = ()
    gears: Annotated[tuple[int, ...], Key("gears", numbers(1, 200, 9))] = ()


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Once a second: alive, how far the events are, what the inside and the felt are doing."""

    TYPE: ClassVar[str] = "HB"
    boot: Boot
    t_ms: TimeMs
    last_n: Annotated[int, Key("n", UINT32)]
    floor: Annotated[int, Key("floor", UINT32)] = 1
    deck: Annotated[str, _DECK] = "UNKNOWN"
    top: Annotated[str, _TOP] = "UNKNOWN"
    unacked: Annotated[int, Key("q", UINT16)] = 0
    bad_crc: Annotated[int, Key("bad", UINT32)] = 0
    supply_mv: Annotated[int | None, Key("v5", UINT16)] = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table's whole state, asked for after a reconnect; the two halves are joined before you see it."""

    TYPE: ClassVar[str] = "SNAP"
    part: Annotated[tuple[int, int], Key("p", PART)]
    boot: Boot
    last_n: Annotated[int, Key("n", UINT32)]
    t_ms: Annotated[int | None, Key("t", UINT32)] = None
    floor: Annotated[int | None, Key("floor", UINT32)] = None
    gap: Annotated[bool, Key("gap", FLAG)] = False
    deck: Annotated[str | None, _DECK] = None
    top: Annotated[str | None, _TOP] = None
    mode: Annotated[str | None, Key("mode", choice(*MODES, other="UNKNOWN"))] = None
    gear: Gear = None
    tiles: Tiles = None
    roll: Annotated[int | None, Key("roll", UINT32)] = None
    values: Annotated[tuple[int, ...] | None, Key("v", DICE)] = None
    dice_phase: Annotated[str | None, Key("ph", choice("IDLE", "ROLLING", "SETTLED", other="IDLE"))] = None
    dealer: Dealer = None
    honba: Honba = None
    locked: Annotated[bool | None, Key("lock", FLAG)] = None
    walls: Walls = None
    faults: Annotated[tuple[str, ...], Key("flt", NAMES)] = ()


# --- table -> Paiju: events, kept by the table until they are acknowledged -------------------------------------


@dataclass(frozen=True, slots=True)
class Dice:
    """A throw began, ended or was taken back; only ``end`` counts, ``void`` withdraws that roll."""

    TYPE: ClassVar[str] = "DICE"
    id: Id
    t_ms: TimeMs
    roll: Annotated[int, Key("roll", UINT32)]
    phase: Annotated[str, Key("ph", choice("start", "end", "void"))]
    count: Annotated[int, Key("n", number(1, 2))] = 2
    values: Annotated[tuple[int, ...] | None, Key("v", DICE)] = None
    by_seat: By = None
    source: Annotated[str, Key("src", choice("elec", "sense", "cam", "text", "other", other="other"))] = "other"
    quality: Quality = None


@dataclass(frozen=True, slots=True)
class Lift:
    """The walls or the centre moved; ``top`` DROP is a strong hint that the hand is over, never proof."""

    TYPE: ClassVar[str] = "LIFT"
    id: Id
    t_ms: TimeMs
    top: Annotated[str, _TOP]
    deck: Annotated[str, _DECK] = "UNKNOWN"
    by_seat: By = None


@dataclass(frozen=True, slots=True)
class Wall:
    """Stacks in front of each seat (0 to 3) when the walls are built or raised."""

    TYPE: ClassVar[str] = "WALL"
    id: Id
    t_ms: TimeMs
    walls: Walls = None
    tiles: Tiles = None
    gear: Gear = None
    source: Annotated[str, Key("src", _COUNT_SOURCE)] = "other"
    quality: Quality = None


@dataclass(frozen=True, slots=True)
class Remaining:
    """Tiles still standing before one seat: whole stacks, and whether one lone tile stands at an end."""

    TYPE: ClassVar[str] = "REM"
    id: Id
    t_ms: TimeMs
    side: Annotated[int, Key("side", KNOWN_SEAT)]
    stacks: Annotated[int, Key("st", number(0, 40))]
    odd: Annotated[bool, Key("odd", FLAG)] = False
    end: Annotated[str, Key("end", choice("head", "tail", "?", other="?"))] = "?"
    source: Annotated[str, Key("src", _COUNT_SOURCE)] = "other"


@dataclass(frozen=True, slots=True)
class Button:
    """A player pressed a seat button; ``act`` is ``down`` or ``hold``. DICE asks to throw."""

    TYPE: ClassVar[str] = "BTN"
    id: Id
    t_ms: TimeMs
    seat: Annotated[int | None, Key("seat", SEAT)]
    key: Annotated[str, Key("key", choice(*BUTTONS))]
    act: Annotated[str, Key("act", choice("down", "hold"))] = "down"


@dataclass(frozen=True, slots=True)
class Stick:
    """Points in sticks lying in one seat's tray, by value and count, after one quiet second."""

    TYPE: ClassVar[str] = "STICK"
    id: Id
    t_ms: TimeMs
    seat: Annotated[int, Key("seat", KNOWN_SEAT)]
    points: Annotated[int, Key("pts", number(0, 999_999))]
    counts: Annotated[tuple[tuple[int, int], ...], Key("d", COUNTS)] = ()
    riichi: Annotated[bool, Key("rii", FLAG)] = False
    source: Annotated[str, Key("src", _STICK_SOURCE)] = "other"


@dataclass(frozen=True, slots=True)
class Deal:
    """The table's dealer lamp or repeat counter changed."""

    TYPE: ClassVar[str] = "DEAL"
    id: Id
    t_ms: TimeMs
    dealer: Dealer
    honba: Honba = None


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in the table is stuck, missing or hot; ``on`` False says it is over."""

    TYPE: ClassVar[str] = "FAULT"
    id: Id
    t_ms: TimeMs
    code: Annotated[str, Key("f", choice(*FAULTS, other="RAW"))]
    on: Annotated[bool, Key("on", FLAG)] = True
    severity: Annotated[str, Key("sev", choice("info", "stop", other="info"))] = "info"
    side: Annotated[int | None, Key("side", SEAT)] = None
    part: Annotated[str, Key("part", TEXT)] = ""
    have: Annotated[int | None, Key("have", number(0, 999))] = None
    want: Annotated[int | None, Key("want", number(0, 999))] = None


# --- table -> Paiju: answers ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ok:
    """The command with this number was carried out."""

    TYPE: ClassVar[str] = "OK"
    host: Annotated[str, Key("h", BOOT)]
    number: Annotated[int, Key("c", number(1, 0xFFFF))]
    t_ms: Annotated[int | None, Key("t", UINT32)] = None


@dataclass(frozen=True, slots=True)
class Err:
    """The command with this number was refused; ``code`` says why (`REFUSALS`)."""

    TYPE: ClassVar[str] = "ERR"
    host: Annotated[str, Key("h", BOOT)]
    number: Annotated[int, Key("c", number(1, 0xFFFF))]
    code: Annotated[str, Key("code", choice(*REFUSALS, other="STATE"))]


@dataclass(frozen=True, slots=True)
class Log:
    """A line of text from the board for whoever looks after it."""

    TYPE: ClassVar[str] = "TXT"
    text: Annotated[str, Key("m", TEXT)]


# --- Paiju -> table: the conversation ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HostHello:
    """Who are you? Answered by `Hello` and `Caps`."""

    TYPE: ClassVar[str] = "HELLO"
    host: Annotated[str, Key("h", BOOT)]
    proto: Annotated[tuple[int, int], Key("proto", VERSION)] = PROTOCOL
    app: Annotated[str, Key("app", TEXT)] = "paiju"


@dataclass(frozen=True, slots=True)
class Sync:
    """Send what I have not confirmed since this event, then your state."""

    TYPE: ClassVar[str] = "SYNC"
    since: Annotated[EventId | None, Key("since", SINCE)] = None


@dataclass(frozen=True, slots=True)
class Ack:
    """Everything up to this event is safely stored; forget it."""

    TYPE: ClassVar[str] = "ACK"
    id: Id


# --- Paiju -> table: commands, each answered by `Ok` or `Err` ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ping:
    """Are you there? Answered with the board's time."""

    TYPE: ClassVar[str] = "PING"


@dataclass(frozen=True, slots=True)
class Roll:
    """Permits these seats' dice keys (nobody: the keys sleep). It cannot throw, and it carries no value."""

    TYPE: ClassVar[str] = "ROLL"
    allow: Annotated[tuple[int, ...], Key("allow", SEATS)]
    dice: Annotated[int, Key("dice", number(1, 2))] = 2
    why: Annotated[str, Key("why", choice("BREAK1", "BREAK2", "KONG"))] = "BREAK1"


@dataclass(frozen=True, slots=True)
class Light:
    """Seat lamp off, on or blinking."""

    TYPE: ClassVar[str] = "LIGHT"
    seat: Annotated[int, Key("seat", KNOWN_SEAT)]
    mode: Annotated[str, Key("m", choice("off", "on", "blink"))]
    colour: Annotated[str | None, Key("col", hexadecimal(6, 6))] = None


@dataclass(frozen=True, slots=True)
class Score:
    """Totals of the four seats for the table's own display; an older ``revision`` is ignored there."""

    TYPE: ClassVar[str] = "SCORE"
    revision: Annotated[int, Key("rev", UINT32)]
    points: Annotated[tuple[int, ...], Key("pts", signed_numbers(999_999, 4))]


@dataclass(frozen=True, slots=True)
class ShowText:
    """A line for the table's own display."""

    TYPE: ClassVar[str] = "TEXT"
    text: Annotated[str, Key("m", TEXT)]
    seat: Annotated[int | None, Key("seat", SEAT)] = None


@dataclass(frozen=True, slots=True)
class Beep:
    """A short sound."""

    TYPE: ClassVar[str] = "BEEP"
    times: Annotated[int, Key("n", number(1, 5))] = 1
    duration_ms: Annotated[int, Key("ms", number(20, 1000))] = 100


@dataclass(frozen=True, slots=True)
class Lock:
    """Dice and lift keys sleep during a dispute, for at most 60 s, so a dead Paiju cannot block a table."""

    TYPE: ClassVar[str] = "LOCK"
    on: Annotated[bool, Key("on", FLAG)]
    ttl_s: Annotated[int, Key("ttl", number(1, 60))] = 30


Event = Dice | Lift | Wall | Remaining | Button | Stick | Deal | Fault
Reply = Ok | Err
FromTable = Hello | Caps | Heartbeat | Snapshot | Event | Reply | Log
Command = Ping | Roll | Light | Score | ShowText | Beep | Lock
ToTable = HostHello | Sync | Ack | Command
Message = FromTable | ToTable


@dataclass(frozen=True, slots=True)
class Request:
    """A command as it travels: which Paiju session sent it and under which number (1 to 65535)."""

    host: str
    number: int
    command: Command


@dataclass(frozen=True, slots=True)
class Malformed:
    """An intact frame that says something impossible (a die of 7, a missing key); ``id`` if it was an event."""

    type: str
    id: EventId | None
    reason: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """An intact frame of a type this version does not know; ignored and counted."""

    type: str

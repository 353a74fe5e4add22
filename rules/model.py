"""The values that cross the border of `rules`: what is asked and what is answered.

Everything here is frozen. Tiles are the integers of `rules.tiles`; seats are 0-3, counter-clockwise.
The JSON form of the same things is defined by the question format (`rules.questions`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

from rules.tiles import Kinds, Tile, parse_tiles, tiles_text

Seat: TypeAlias = int
Wind: TypeAlias = int
"""0 East, 1 South, 2 West, 3 North."""
Points: TypeAlias = int | Fraction
"""Payments are whole; only a factor inside a calculation may be a half (武漢 ×1.5)."""
Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"
"""What JSON can say."""

MeldKind = Literal["chi", "peng", "kong_open", "kong_concealed", "kong_added"]
Source = Literal["self_draw", "discard", "rob_kong", "kong_replacement", "kong_discard", "sea_bottom", "start_hand"]
Form = Literal["standard", "seven_pairs", "orphans", "knitted", "knitted_straight", "free"]

MELD_KINDS: tuple[MeldKind, ...] = ("chi", "peng", "kong_open", "kong_concealed", "kong_added")
SOURCES: tuple[Source, ...] = (
    "self_draw", "discard", "rob_kong", "kong_replacement", "kong_discard", "sea_bottom", "start_hand",
)  # fmt: skip
USUAL_WAYS: tuple[Source, ...] = ("self_draw", "discard", "rob_kong", "kong_replacement", "start_hand")
"""How a winning tile comes in most games."""


# ---------------------------------------------------------------- what is asked


@dataclass(frozen=True, slots=True)
class Meld:
    """A chow, pung or kong on the table (a concealed kong too), in the order it was made.

    `source_seat` is who discarded the claimed tile; for an added kong the source of the original pung; None for a
    concealed kong.
    """

    kind: MeldKind
    tiles: tuple[Tile, ...]
    source_seat: Seat | None = None

    @property
    def is_kong(self) -> bool:
        """Whether it is a kong of any kind."""
        return self.kind.startswith("kong")

    @property
    def is_open(self) -> bool:
        """Whether it opens the hand: everything but a concealed kong."""
        return self.kind != "kong_concealed"

    @classmethod
    def parse(cls, kind: MeldKind, tiles: str, source_seat: Seat | None = None) -> Meld:
        """A meld from tile text, e.g. `Meld.parse("chi", "123m", 3)`; its legality is checked when it is judged."""
        return cls(kind, parse_tiles(tiles), source_seat)

    def __str__(self) -> str:
        return f"{self.kind} {tiles_text(self.tiles)}"


@dataclass(frozen=True, slots=True)
class Winner:
    """One player who declares a win: the tiles laid down and how the winning tile came.

    `hand` is the concealed part WITHOUT the winning tile: 13 tiles less three per meld (福建 16 less three per meld).
    The remaining fields are the extras of the question format; a ruleset reads only those it knows.
    """

    seat: Seat
    hand: tuple[Tile, ...]
    win_tile: Tile | None
    source: Source
    melds: tuple[Meld, ...] = ()
    from_seat: Seat | None = None
    flowers: tuple[Tile, ...] = ()
    discards_before: int = 1
    first_turn: bool = False
    claims_before: bool = False
    kong_feeder: Seat | None = None
    after_kong: bool = False
    ready_before: bool = False
    discarder_ready: bool = False
    hz_kongs: int = 0
    lz_kongs: int = 0
    last_of_kind: bool = False

    @property
    def self_drawn(self) -> bool:
        """Whether the winner took the winning tile from the wall (or was dealt it)."""
        return self.source in ("self_draw", "kong_replacement", "start_hand") or (
            self.source == "sea_bottom" and self.from_seat is None
        )


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    """What is known about one seat: tiles laid open and flags that some rulesets price.

    `kongs` are those whose tiles are not told, beside the kongs among `melds`. `ready` is what people say of the hand.
    """

    hand: tuple[Tile, ...] = ()
    melds: tuple[Meld, ...] = ()
    kongs: tuple[MeldKind, ...] = ()
    opened: bool | None = None
    ready: bool | None = None
    hz_kongs: int = 0
    lz_kongs: int = 0
    void: Kinds = 0
    """The suit declared void (四川 定缺), as its nine kinds."""


@dataclass(frozen=True, slots=True)
class Liability:
    """One player answers for another's win (包): `feeder` pays for `beneficiary`, because of `kind`."""

    beneficiary: Seat
    feeder: Seat
    kind: str


@dataclass(frozen=True, slots=True)
class KongPaid:
    """Kong money already paid in this hand: `paid` lists (payer, amount)."""

    by: Seat
    kind: MeldKind
    paid: tuple[tuple[Seat, int], ...]


@dataclass(frozen=True, slots=True)
class TableFacts:
    """The circumstances of the table; absent facts take the defaults of the question format."""

    round_wind: Wind = 0
    dealer: Seat = 0
    first_dealer: Seat = 0
    wild: Tile | None = None
    flip: Tile | None = None
    last_tile: bool = False
    wall_left: int | None = None
    drawn: int | None = None
    dice: tuple[int, ...] = ()
    streak: int = 0
    carry_in: tuple[str, ...] = ()
    prev_wild: Tile | None = None
    contracts: tuple[tuple[Seat, Seat], ...] = ()
    quit: tuple[Seat, ...] = ()
    liability: tuple[Liability, ...] = ()
    passed: tuple[tuple[Seat, tuple[Tile, ...]], ...] = ()
    out: tuple[Seat, ...] = ()
    birds: tuple[Tile, ...] = ()
    players: tuple[tuple[Seat, PlayerFacts], ...] = ()
    flowers: tuple[int, ...] = ()
    open_hand: tuple[bool, ...] = ()
    doubled: tuple[bool, ...] = ()
    kong_ledger: tuple[KongPaid, ...] = ()
    balances: tuple[int, ...] = ()
    flips: tuple[Tile, ...] = ()
    turn: Seat | None = None
    tail_stacks: tuple[tuple[Tile, ...], ...] = ()

    def player(self, seat: Seat) -> PlayerFacts:
        """What is known about a seat; nothing special when it is not listed."""
        return next((facts for listed, facts in self.players if listed == seat), PlayerFacts())

    def passed_kinds(self, seat: Seat) -> tuple[Tile, ...]:
        """The kinds this seat may not win on until it acts (過水)."""
        return next((kinds for listed, kinds in self.passed if listed == seat), ())

    def seat_wind(self, seat: Seat, seats: int = 4) -> Wind:
        """The wind of a seat in this hand: the dealer is East, then counter-clockwise."""
        return (seat - self.dealer) % seats


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a hand ended, for the next dealer."""

    result: Literal["win", "draw"]
    winners: tuple[Seat, ...] = ()
    from_seat: Seat | None = None
    source: Source | None = None
    sea_bottom: str | None = None
    sea_seat: Seat | None = None
    """Who took the sea-bottom tile, was asked first, or drew it as a replacement (長沙)."""


# ---------------------------------------------------------------- what is answered


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read the tiles: which sets, which pair, what each wildcard stands for.

    `chows` and `pungs` name each set by its lowest tile and include the melds (a kong is a pung here).
    `wilds_as` are the faces the held wildcards take. `win_in` is where the winning tile was read: `("chow", t)`,
    `("pung", t)`, `("pair", t)` or `("single", t)`.
    """

    form: Form
    chows: tuple[Tile, ...] = ()
    pungs: tuple[Tile, ...] = ()
    pair: Tile | None = None
    pairs: tuple[Tile, ...] = ()
    wilds_as: tuple[Tile, ...] = ()
    win_in: tuple[str, Tile] | None = None


@dataclass(frozen=True, slots=True)
class FanLine:
    """One counted fan: its Chinese term, its value each time, and how often it counts.

    `covers` are the fans that were found too and are included in this one by the table of exclusions.
    """

    name: str
    value: Points
    count: int = 1
    covers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotCounted:
    """A fan that was found in the hand and yet not counted, because the fan `by` includes it."""

    name: str
    value: Points
    by: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Win:
    """A legal win: its fans, the ruleset's own numbers (`total`, `fan`, `unit` ...) and the reading chosen."""

    seat: Seat
    fans: tuple[FanLine, ...]
    numbers: tuple[tuple[str, int], ...] = ()
    reading: Reading | None = None
    not_counted: tuple[NotCounted, ...] = ()
    notes: tuple[str, ...] = ()

    valid: Literal[True] = field(default=True, init=False)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Not a legal win, and why: `reason` is one of the fixed words, `detail` a sentence for people.

    A complete hand that fails only the minimum keeps its fans and numbers.
    """

    seat: Seat
    reason: str
    detail: str = ""
    fans: tuple[FanLine, ...] = ()
    numbers: tuple[tuple[str, int], ...] = ()
    reading: Reading | None = None
    not_counted: tuple[NotCounted, ...] = ()
    notes: tuple[str, ...] = ()

    valid: Literal[False] = field(default=False, init=False)


Verdict: TypeAlias = Win | Refusal


@dataclass(frozen=True, slots=True)
class Transfer:
    """`payer` gives `payee` `amount`, because of `reason` (shown in the explanation panel)."""

    payer: Seat
    payee: Seat
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class HandResult:
    """The judgement of one hand: who won, what is paid (always four integers that sum to zero), and why.

    `extras` are the ruleset's own outcomes (`carry_out`, `liable`, `bird_seats` ...) in the order they are shown.
    """

    valid: bool
    payments: tuple[int, int, int, int]
    winners: tuple[Verdict, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    notes: tuple[str, ...] = ()
    extras: tuple[tuple[str, Plain], ...] = ()

    @classmethod
    def told(cls, *extras: tuple[str, Plain]) -> HandResult:
        """An answer that moves no points."""
        return cls(True, (0, 0, 0, 0), extras=extras)


@dataclass(frozen=True, slots=True)
class Progress:
    """Who deals next; `round_wind` only where the ruleset has rounds, `streak` only where it counts repeats."""

    dealer: Seat
    round_wind: Wind | None = None
    streak: int | None = None
    finished: bool = False
    """The session is over by the ruleset's own count (國標 after sixteen hands)."""
    by_dice: bool = False
    """The dice of the next hand name its dealer (四川 血戰); until they are thrown `dealer` is who dealt last."""

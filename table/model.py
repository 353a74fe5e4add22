"""The words every part of the table uses: seats, hands, verdicts, outcomes.

These values travel inside events, so they are plain: tile text, integers, tuples. The rules package has its own, richer
types; `table.judging` is the only place that translates between the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field

Seat = Annotated[int, Field(ge=0, le=3)]
"""A physical seat, 0 to 3 counter-clockwise; seat + 1 plays next."""

Scalar = str | int | bool | None
Payments = tuple[int, int, int, int]
"""What each seat wins (+) or pays (-); the four always add up to zero."""

Mode = Literal["friendly", "competition"]
CountedIn = Literal["fan", "points"]
Figure = Literal["fan", "share", "core", "all"]
"""What the one figure of a win is: `table.customs.Customs.figure`."""
Source = Literal["self_draw", "discard", "rob_kong", "kong_replacement", "kong_discard", "sea_bottom", "start_hand"]
MeldKind = Literal["chi", "peng", "kong_open", "kong_concealed", "kong_added"]
Sureness = Literal["sure", "check", "unreadable"]
GroupKind = Literal["row", "meld", "hand", "pond"]
Shown = Literal["", "ready", "hands"]
"""What the players show at the empty wall: their hands, only whether they are ready, or nothing."""

OutcomeKind = Literal["win", "draw", "void"]
Ending = Literal["win", "draw", "void", "broken_off"]
Role = Literal["player", "tablet", "scorekeeper", "referee", "chief", "organiser", "viewer", "device", "system"]

FROM_OTHERS: frozenset[str] = frozenset({"discard", "rob_kong", "kong_discard"})
"""The sources where another player fed the winning tile, so that `from_seat` must be known."""

NOTHING: Payments = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who did it: the role, the name if known, and the device the tap or signal came from."""

    role: Role
    name: str = ""
    device: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidMeld:
    """A chow, pung or kong as it lies on the table.

    Attributes:
        kind: which meld; `kong_added` is a pung that became a kong later.
        tiles: tile text, e.g. ``123m`` or ``5555z``.
        from_seat: who discarded the claimed tile; None when unknown or nobody.
    """

    kind: MeldKind
    tiles: str
    from_seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidHand:
    """A winner's whole hand in tile text, as it is put to the rules.

    Attributes:
        hand: the concealed tiles without the winning tile, e.g. ``123m456p77z``.
        melds: in the order laid.
        win_tile: the winning tile; empty while it is not known which of the tiles it is.
        flowers: flower tiles laid aside, e.g. ``15f``.
    """

    hand: str
    melds: tuple[LaidMeld, ...] = ()
    win_tile: str = ""
    flowers: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTile:
    """One tile as the eyes saw it: best name, how sure, the likely alternatives, where in the picture (pixels)."""

    index: int
    tile: str
    score: float
    sure: Sureness
    also: tuple[tuple[str, float], ...] = ()
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenGroup:
    """Tiles that lie together; `tiles` are indices into the list of seen tiles, left to right."""

    kind: GroupKind
    tiles: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FanRow:
    """One line of the bill: a fan, its worth, how often it counts; `why` names the fans that it includes."""

    name: str
    value: int | float
    count: int = 1
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotCounted:
    """A fan that the hand also shows but that does not count; `why` names the fan that includes it."""

    name: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the rules say of a hand: legal or not, its value, and who pays what.

    Attributes:
        valid: True if the hand is a legal win.
        reason: why not, e.g. ``below_minimum`` or ``shape``; empty for a win.
        total: the computed value, also below the minimum.
        fans: the counted fans; not_counted: the others, each with its reason.
        payments: four integers that add up to zero.
        notes: facts that the rules ignored, in words.
    """

    valid: bool
    reason: str = ""
    total: int = 0
    fans: tuple[FanRow, ...] = ()
    not_counted: tuple[NotCounted, ...] = ()
    payments: Payments = NOTHING
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The circumstances of a win that the tiles themselves cannot show.

    Attributes:
        last_tile: the winning tile is the last of the wall, or the discard after it.
        last_of_kind: the three other copies of the winning tile are all visible.
        more: further facts of a ruleset by their name in the rules questions, e.g. ``first_turn``.
    """

    last_tile: bool = False
    last_of_kind: bool = False
    more: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenWin:
    """How a win came about as the camera followed the hand: filled in for people to confirm or change.

    Attributes:
        source, from_seat: how the winning tile came, and whose it was; None if the table does not tell.
        tile: the winning tile if it was another player's; empty if it was drawn or is in doubt.
        last_tile, last_of_kind: as in `Facts`; None if the table does not tell.
        more: further circumstances that differ from the ordinary, as in `Facts`.
        melds: what the winner has laid, with who fed each; melds with a face in doubt are left out.
        picture: evidence id of the winning tile as it lay there.
        unsure: circumstances that the table does not tell any more, by their name in `Facts`: asked where it matters.
    """

    source: Source | None = None
    from_seat: Seat | None = None
    tile: str = ""
    last_tile: bool | None = None
    last_of_kind: bool | None = None
    more: Mapping[str, Scalar] = field(default_factory=dict)
    melds: tuple[LaidMeld, ...] = ()
    picture: str | None = None
    unsure: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LyingSeat:
    """What lies open before a player, as tile texts; a meld as its tiles."""

    pond: tuple[str, ...] = ()
    melds: tuple[tuple[str, ...], ...] = ()
    flowers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """How a hand begins: its number, the round, who deals, and who sits where.

    Attributes:
        hand_no: 1 for the first hand of the game.
        round_wind: ``E``, ``S``, ``W`` or ``N``.
        dealer: the physical seat that is East.
        seating: for every seat the player (0 to 3, numbered by the seat he started on) who sits there now.
        streak: hands the dealer has kept the deal, where the rules count it.
        carry: fans that wait from earlier hands, oldest first, where the game carries them.
        prev_wild: the wildcard of the hand before; empty if there was none.
        dealer_open: who deals is decided by the opening dice; `dealer` is only who throws them.
        dice_dealer: whom the opening dice chose, where they did; None also in a ledger of an older Paiju.
    """

    hand_no: int
    round_wind: Literal["E", "S", "W", "N"]
    dealer: Seat
    seating: tuple[int, int, int, int] = (0, 1, 2, 3)
    streak: int = 0
    carry: tuple[str, ...] = ()
    prev_wild: str = ""
    dealer_open: bool = False
    dice_dealer: Seat | None = None


TableFacts = Mapping[str, Any]
"""Circumstances of a hand by their name in the rules questions (`state` of docs/rules), as plain JSON values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SidePay:
    """What was paid at once while the hand went on: a kong, or a starting win.

    Attributes:
        what: ``kong``, ``start_win``, or ``leave`` (a winner who left gives back what his win brought).
        seat: who made or declared it.
        meld_kind, tile, from_seat: the kong.
        hand, birds: of a starting win the tiles shown and what was turned for it; a ledger of an older Paiju says no
            birds here: there they are those of the hand.
        stage: how many winners had left the hand before it.
    """

    what: Literal["kong", "start_win", "leave"]
    seat: Seat
    payments: Payments = NOTHING
    meld_kind: MeldKind | None = None
    tile: str = ""
    from_seat: Seat | None = None
    hand: str = ""
    birds: str | None = None
    fans: tuple[FanRow, ...] = ()
    stage: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WinPart:
    """One of the wins of a hand. Wins with the same `stage` were won on the same tile."""

    seat: Seat
    source: Source
    from_seat: Seat | None
    laid: LaidHand
    facts: Facts
    total: int
    computed: int
    announced: int | None = None
    fans: tuple[FanRow, ...] = ()
    payments: Payments = NOTHING
    picture: str | None = None
    frame: str | None = None
    stage: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """Who plays for a player (by player number) from hand `from_hand` on."""

    player: int
    name: str
    from_hand: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a hand ended and what it moved.

    Attributes:
        outcome: ``win``, ``draw`` (wall exhausted) or ``void`` (does not count).
        winner, source, from_seat: who won, how, and who fed the tile (None if nobody).
        laid: the winning hand; facts: its circumstances.
        total: the value that was settled; computed: what the rules counted; announced: what the winner said.
        fans: the counted fans of the computed value.
        payments: per seat, adding up to zero.
        picture, frame: evidence ids of the picture the hand was read from, and of the whole camera frame.
        wins: every win of the hand in order (the fields above show the first).
        sides: kong money and starting wins, which `payments` include.
        table: the circumstances of the hand as they were stated.
        carry_out: fans that go on waiting; wild: the hand's wildcard; both for the hand that follows.
        sea, sea_seat: what became of the last tile, and with whom, where it decides who deals.
        notes: what the rules say of a drawn hand, by name (e.g. ``pigs``).
        fee: what each seat pays for the table (not among the payments).
        aside: kongs and starting wins that do not count, because the hand does not or a kong was robbed; told: the wins
            of a hand that nobody has won any more. Both for a correction that says otherwise.
    """

    outcome: OutcomeKind
    winner: Seat | None = None
    source: Source | None = None
    from_seat: Seat | None = None
    laid: LaidHand | None = None
    facts: Facts | None = None
    total: int = 0
    computed: int | None = None
    announced: int | None = None
    fans: tuple[FanRow, ...] = ()
    payments: Payments = NOTHING
    picture: str | None = None
    frame: str | None = None
    wins: tuple[WinPart, ...] = ()
    sides: tuple[SidePay, ...] = ()
    table: TableFacts = field(default_factory=dict)
    carry_out: tuple[str, ...] = ()
    wild: str = ""
    sea: str = ""
    sea_seat: Seat | None = None
    notes: TableFacts = field(default_factory=dict)
    fee: Payments = NOTHING
    aside: tuple[SidePay, ...] = ()
    told: tuple[WinPart, ...] = ()

    @property
    def ending(self) -> Ending:
        """How the hand ended as people say it: broken off where it does not count, but what it had paid does."""
        return "broken_off" if self.outcome == "void" and any(self.payments) else self.outcome

    @property
    def all_sides(self) -> tuple[SidePay, ...]:
        """The kongs and starting wins of the hand in order, also those that do not count as it stands."""
        return sides_in_order(self.sides, self.aside)


@dataclass(frozen=True, slots=True, kw_only=True)
class FalseWin:
    """A false win that was paid while the hand of `setup` went on. A lifted one does nothing any more.

    Attributes:
        setup, seat, reason, at_ms: in which hand, whose, why, when (UTC, milliseconds).
        payments: per seat, adding up to zero.
        each: what the referee named for each opponent; None if the ruleset set it.
        table: the circumstances of the hand as they were stated by then.
        out: who had won and played no more.
    """

    setup: Setup
    seat: Seat
    payments: Payments
    reason: str
    at_ms: int
    each: int | None = None
    table: TableFacts = field(default_factory=dict)
    out: tuple[Seat, ...] = ()
    lifted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """A penalty of the referee, given before or during the hand of `setup`. A lifted one does nothing any more.

    `dead`: its player may not win that hand.
    """

    setup: Setup
    id: str
    seat: Seat
    code: str
    version: str
    payments: Payments
    off: int
    reason: str
    at_ms: int
    dead: bool = False
    lifted: bool = False


def added(*payments: Payments) -> Payments:
    """Payments added up, seat by seat.

    >>> added((1, -1, 0, 0), (0, 2, -2, 0))
    (1, 1, -2, 0)
    """
    sums = [sum(column) for column in zip(NOTHING, *payments, strict=True)]
    return (sums[0], sums[1], sums[2], sums[3])


def sides_in_order(sides: tuple[SidePay, ...], aside: tuple[SidePay, ...]) -> tuple[SidePay, ...]:
    """What was paid at once with what was set aside of it: a robbed kong was the last one of its stage."""
    return tuple(sorted((*sides, *aside), key=lambda side: side.stage))


def known(facts: TableFacts) -> dict[str, Any]:
    """Circumstances without those that were taken back (null)."""
    return {name: value for name, value in facts.items() if value is not None}

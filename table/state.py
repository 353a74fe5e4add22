"""Where a table stands: the game, the hand, the claims, the finished hands.

Scores are never stored: `totals` adds up what approved hands and false wins moved. How a state comes about, entry by
entry, is in `table.fold`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from table import events as ev
from table.customs import Customs, customs_of
from table.model import (
    NOTHING,
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
    SeenWin,
    Setup,
    SidePay,
    Source,
    Stay,
    TableFacts,
    Verdict,
    WinPart,
    added,
)
from table.model import FalseWin as FalseWin
from table.model import Penalty as Penalty


class StateError(ValueError):
    """An entry does not fit the state it should follow (the ledger was not written by this program)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """What was agreed when the game was opened; locked until it ends."""

    id: str
    ruleset: str
    ruleset_version: str
    options: Mapping[str, Any]
    mode: Mode
    rotate_seats: bool
    first: Setup
    places: tuple[Seat, ...] = (0, 1, 2, 3)
    house: Mapping[str, Scalar] = field(default_factory=dict)
    opened_ms: int = 0

    @property
    def customs(self) -> Customs:
        """What the table does around this game."""
        return customs_of(self.ruleset, self.options)

    @property
    def start_birds(self) -> int:
        """Birds that are turned for a starting win."""
        return self.customs.birds if self.options.get("start_birds") is True else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldPin:
    """What a person said a group is; `kind` None = part of the concealed hand."""

    kind: MeldKind | None
    from_seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One player's 和 and everything known about the hand so far.

    A hand comes from a picture (`picture`, `tiles`, `groups`, set right by `pins`, `meld_pins`, `win_index`, or by
    `win_named` when the winning tile is not in the picture) or was typed (`entered`). `laid` and `verdict` are what was
    judged last. An approved claim waits for the others of the same tile, a held one for the referee. `seen` is what the
    camera followed of it; `said` names the circumstances that a person has stated, which it does not change.
    """

    seat: Seat
    source: Source | None = None
    from_seat: Seat | None = None
    facts: Facts = field(default_factory=Facts)
    how: Literal["", "camera", "photo", "manual"] = ""
    picture: str | None = None
    frame: str | None = None
    tiles: tuple[SeenTile, ...] = ()
    groups: tuple[SeenGroup, ...] = ()
    pins: Mapping[int, str] = field(default_factory=dict)
    meld_pins: Mapping[int, MeldPin] = field(default_factory=dict)
    win_index: int | None = None
    win_named: str = ""
    entered: LaidHand | None = None
    announced: int | None = None
    laid: LaidHand | None = None
    verdict: Verdict | None = None
    agreed: tuple[Seat, ...] = ()
    approved: bool = False
    held: bool = False
    seen: SeenWin | None = None
    said: frozenset[str] = frozenset()

    @property
    def has_hand(self) -> bool:
        """Whether a hand was shown or typed in."""
        return self.how != ""

    def tile_at(self, index: int) -> str:
        """What the tile in the picture counts as: a person's word before the eyes'."""
        return self.pins.get(index, self.tiles[index].tile)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedHand:
    """A hand that is over, with the outcome that counts now."""

    setup: Setup
    outcome: Outcome
    at_ms: int
    corrected: bool = False
    reason: str = ""


HistoryItem = PlayedHand | FalseWin | Penalty


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """An open call for the referee."""

    id: str
    seat: Seat | None
    reason: str
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoPoint:
    """A decision that can be taken back, and how the table stood before it."""

    seq: int
    kind: str
    before: State


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The table after the entry `seq`. `setup` is the hand being played or about to be; None without a game.

    `started` says that the hand is being played, `between` that the last hand has just been settled. `facts`, `noted`,
    `sides`, `won` and `taken` belong to the hand being played: its circumstances, what happened in the words of the
    rules, what was paid at once, who has won and left, how far the wall is drawn. `aside` are kongs that were robbed
    and count no longer. `seen` is what the camera followed of it with people's answers, `opened` the hands that lay
    open too early. `stays` are the substitutes. `began_ms` is when the hand began, `rest_until_ms` until when a break
    was announced (0 without one).
    """

    seq: int = 0
    game: Game | None = None
    names: tuple[str, str, str, str] = ("", "", "", "")
    setup: Setup | None = None
    started: bool = False
    between: bool = False
    finished: bool = False
    began_ms: int = 0
    rest_until_ms: int = 0
    walls: ev.WallsBuilt | None = None
    dice: tuple[ev.DiceThrown, ...] = ()
    reported: ev.DiceReported | None = None
    claims: tuple[Claim, ...] = ()
    history: tuple[HistoryItem, ...] = ()
    facts: TableFacts = field(default_factory=dict)
    noted: tuple[Mapping[str, Any], ...] = ()
    sides: tuple[SidePay, ...] = ()
    aside: tuple[SidePay, ...] = ()
    won: tuple[WinPart, ...] = ()
    taken: ev.TilesTaken | None = None
    seen: tuple[ev.MoveSeen | ev.SeenAnswered, ...] = ()
    opened: tuple[ev.HandOpened, ...] = ()
    stays: tuple[Stay, ...] = ()
    calls: tuple[Call, ...] = ()
    undo: tuple[UndoPoint, ...] = ()

    @property
    def phase(self) -> Literal["idle", "seated", "dice", "playing", "claimed", "read", "judged", "agreed", "settled"]:
        """The step of the hand: seated, dice, playing, claimed, read, judged, agreed, settled; idle without a game."""
        if self.game is None:
            return "idle"
        if self.claims:
            claim = self.claims[0]
            if claim.verdict is not None:
                return "agreed" if len(claim.agreed) == len(self.game.places) - 1 else "judged"
            return "read" if claim.has_hand else "claimed"
        if self.started:
            return "playing"
        if self.finished:
            return "settled"
        if self.dice:
            return "dice"
        return "settled" if self.between else "seated"

    @property
    def claim(self) -> Claim | None:
        """The claim that is heard now."""
        return self.claims[0] if self.claims else None

    @property
    def hands(self) -> tuple[PlayedHand, ...]:
        """The finished hands in order."""
        return tuple(row for row in self.history if isinstance(row, PlayedHand))

    @property
    def totals(self) -> tuple[int, int, int, int]:
        """Each player's points (by player number): what was approved, and what the hand being played has paid."""
        totals = list(add_up(self.history))
        if self.setup is not None:
            for seat, points in enumerate(self.paid_so_far):
                totals[self.setup.seating[seat]] += points
        return (totals[0], totals[1], totals[2], totals[3])

    @property
    def taken_off(self) -> tuple[int, int, int, int]:
        """Penalty points that come off each player's result (by player number) and are paid to nobody."""
        off = [0, 0, 0, 0]
        for row in self.history:
            if isinstance(row, Penalty) and not row.lifted:
                off[row.setup.seating[row.seat]] += row.off
        return (off[0], off[1], off[2], off[3])

    @property
    def results(self) -> tuple[int, int, int, int]:
        """What places go by (by player number): the points without what penalties take off."""
        first, second, third, fourth = (total - off for total, off in zip(self.totals, self.taken_off, strict=True))
        return (first, second, third, fourth)

    @property
    def fees(self) -> tuple[int, int, int, int]:
        """Service fees paid so far, by player number."""
        return fees_of(self.history)

    @property
    def paid_so_far(self) -> Payments:
        """What the hand being played has moved already, by seat."""
        return added(*(side.payments for side in self.sides), *(win.payments for win in self.won))

    @property
    def out(self) -> tuple[Seat, ...]:
        """Who has won in this hand and plays no more, in this order."""
        return tuple(win.seat for win in self.won)

    def dead_seats(self) -> frozenset[int]:
        """Seats that may not win the current hand: after a false win, or by a penalty that says so and stands."""
        if self.setup is None:
            return frozenset()
        now = (row for row in self.history if row.setup.hand_no == self.setup.hand_no)
        return frozenset(
            row.seat
            for row in now
            if not isinstance(row, PlayedHand) and (isinstance(row, FalseWin) or row.dead) and not row.lifted
        )


def add_up(history: Iterable[HistoryItem]) -> tuple[int, int, int, int]:
    """Add the payments of finished hands, false wins and penalties that stand, by player number."""
    totals = [0, 0, 0, 0]
    for row in history:
        payments = moved_by(row)
        for seat, points in enumerate(payments):
            totals[row.setup.seating[seat]] += points
    return (totals[0], totals[1], totals[2], totals[3])


def fees_of(history: Iterable[HistoryItem]) -> tuple[int, int, int, int]:
    """Add the table fees of finished hands, by player number."""
    paid = [0, 0, 0, 0]
    for row in history:
        if isinstance(row, PlayedHand):
            for seat, fee in enumerate(row.outcome.fee):
                paid[row.setup.seating[seat]] += fee
    return (paid[0], paid[1], paid[2], paid[3])


def moved_by(row: HistoryItem) -> Payments:
    """What this row of the history moves, by seat."""
    if isinstance(row, PlayedHand):
        return row.outcome.payments
    return NOTHING if row.lifted else row.payments


def id_of(place: int, row: FalseWin | Penalty) -> str:
    """By what a penalty or a false win is taken back; a false win has none of its own but its place in the history."""
    return row.id if isinstance(row, Penalty) else false_win_id(place)


def false_win_id(place: int) -> str:
    """The same of the false win at this place of the history."""
    return f"false win {place}"


def result_of(row: HistoryItem) -> tuple[int, int, int, int]:
    """The same with what a standing penalty takes off its player's result and pays to nobody."""
    moved = list(moved_by(row))
    if isinstance(row, Penalty) and not row.lifted:
        moved[row.seat] -= row.off
    return (moved[0], moved[1], moved[2], moved[3])


def without_move(noted: tuple[Mapping[str, Any], ...], side: SidePay) -> tuple[Mapping[str, Any], ...]:
    """What happened in a hand without the move of a kong that was none; the latest of equal ones falls away."""
    move = {"claim": side.meld_kind, "by": side.seat, "from": side.from_seat}
    last = max((place for place, note in enumerate(noted) if note == move), default=len(noted))
    return (*noted[:last], *noted[last + 1 :])


def heard_in_order(state: State, claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Claims in the order of this game: nearest to the discarder, in some games nearest to the dealer."""
    game, setup = state.game, state.setup
    from_dealer = game is not None and setup is not None and game.customs.heard_from_dealer
    return claim_order(claims, setup.dealer if from_dealer and setup is not None else None)


def claim_order(claims: Iterable[Claim], first: Seat | None = None) -> tuple[Claim, ...]:
    """Put claims in the order in which they are heard: for one discard the seat nearest after the discarder first.

    A claim whose source is not known yet, or self-drawn, keeps its place by time; but one whose source is not known is
    heard, and so asked for it, before any that it would go before if it were on the same discard. Approved ones wait at
    the end. With `first` the order counts from that seat itself. Source: docs/rules/gb.md#payment (one winner,
    counter-clockwise from the discarder); docs/rules/wuhan.md (from the dealer).
    """
    given = list(claims)
    ordered = [claim for claim in given if not claim.approved]
    waiting = [claim for claim in given if claim.approved]
    fed = [place for place, claim in enumerate(ordered) if claim.from_seat is not None]
    nearest = sorted((ordered[place] for place in fed), key=lambda claim: _distance(claim.seat, claim, first))
    for place, claim in zip(fed, nearest, strict=True):
        ordered[place] = claim
    for untold in [claim for claim in ordered if claim.source is None]:
        behind = ordered[: ordered.index(untold)]
        place = next((place for place, claim in enumerate(behind) if _goes_over(untold, claim, first)), len(behind))
        ordered.remove(untold)
        ordered.insert(place, untold)
    return (*ordered, *waiting)


def _goes_over(untold: Claim, fed: Claim, first: Seat | None) -> bool:
    """Whether this claim would be heard before that one on a discard, if it were on the same."""
    if fed.from_seat is None or untold.seat == fed.from_seat:
        return False
    return _distance(untold.seat, fed, first) < _distance(fed.seat, fed, first)


def _distance(seat: Seat, fed: Claim, first: Seat | None) -> int:
    """How far this seat is from the discarder of a claim, or from the seat from which this game counts."""
    return (seat - ((fed.from_seat or 0) if first is None else first)) % 4


def claim_of(state: State, seat: Seat) -> Claim:
    """The claim of this seat.

    Raises:
        StateError: it has none.
    """
    for claim in state.claims:
        if claim.seat == seat:
            return claim
    raise StateError(f"Seat {seat} has no claim that could change.")

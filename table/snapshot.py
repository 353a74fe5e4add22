"""The one public document of a table: everything a page shows, whole, after every change.

Every screen renders this and nothing else. `table.audience` takes out what a screen must not show and turns the rest
into JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from table.clock_view import Clock
from table.device_views import Devices, Problem
from table.dice_views import BreakView, DiceAsk, DiceView, NextThrow, WallView
from table.model import (
    NOTHING,
    CountedIn,
    Ending,
    Facts,
    FanRow,
    Figure,
    LaidMeld,
    MeldKind,
    Mode,
    Payments,
    Scalar,
    Seat,
    SeenGroup,
    SeenWin,
    Shown,
    SidePay,
    Source,
    Stay,
    Verdict,
    WinPart,
)
from table.settle_up import Debt

Phase = Literal["idle", "seated", "dice", "playing", "claimed", "read", "judged", "agreed", "settled"]
WaitingFor = Literal["source", "hand", "answers", "announce", "agree", "referee", "nothing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameView:
    """Which game is played: the rules with version and options, and the mode.

    `places` are the seats taken, `house` the table's own options. `figure`: what the one figure of a win is, which the
    winner names first in a competition; `counted_in`: whether that is fan or points.
    `suits` are the letters of the tiles of this game (`mpszf`, f for flowers), `chows` whether there is a chow.
    """

    id: str
    ruleset: str
    ruleset_version: str
    options: Mapping[str, Any]
    mode: Mode
    rotate_seats: bool
    places: tuple[Seat, ...] = (0, 1, 2, 3)
    house: Mapping[str, Scalar] = field(default_factory=dict)
    figure: Figure = "all"
    counted_in: CountedIn = "points"
    suits: str = "mpszf"
    chows: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One player as the scoreboard shows him. `player` is the seat he started on; `dead` = may not win this hand.

    `playing` is false for a place that nobody takes in a game for two; `out` = has won and left this hand; `off` are
    penalty points that come off the result, `fee` the service fees paid so far. `total` contains neither, and
    `diff_to_leader` compares results.
    """

    seat: Seat
    player: int
    name: str
    wind: Literal["E", "S", "W", "N"]
    dealer: bool
    total: int
    diff_to_leader: int
    last_change: int
    dead: bool
    playing: bool = True
    out: bool = False
    off: int = 0
    fee: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """Where the game stands. `hands` is the number of hands of a whole game, None if it has no fixed end."""

    wind: Literal["E", "S", "W", "N"]
    hand_no: int
    dealer: Seat
    finished: bool
    hands: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandView:
    """What is known of the hand being played beside the claims.

    Attributes:
        facts: circumstances that were stated or observed, by their name in the rules questions.
        carry: fans that wait from earlier hands; wild: the wildcard; empty while unknown or without one.
        sides: kongs and starting wins, with what they paid at once; wins: who has won and left the hand.
        asked: seats that must say whether they stay or quit (`declare`).
        needs: questions about the hand that can be answered before anybody wins.
        actions: commands that make sense in this game: kong, take_discard, turn_tile, start_win, liable, pass_win,
            declare_open, declare_double, declare_void, leave, sea.
        sea_next: who is asked next whether he takes the last tile (`sea`), once the first was asked.
        shows_at_draw: what `draw_hand` must show: ``hands``, ``ready``, or nothing.
        exchange: to whom three tiles were passed, in seats from the giver (1 next, 2 opposite, 3 previous).
        start_birds: birds that are turned for a starting win.
        pays_at_once: what this game pays before a hand is over: kong, start (starting wins).
    """

    facts: Mapping[str, Any]
    carry: tuple[str, ...]
    wild: str
    sides: tuple[SidePay, ...]
    wins: tuple[WinPart, ...]
    asked: tuple[Seat, ...]
    needs: tuple[Question, ...]
    actions: tuple[str, ...]
    shows_at_draw: Shown
    sea_next: Seat | None = None
    exchange: int | None = None
    start_birds: int = 0
    pays_at_once: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedClaim:
    """A claim in the order in which it will be heard; the first is the one shown in full. A held one cannot pay."""

    seat: Seat
    source: Source | None
    from_seat: Seat | None
    approved: bool = False
    held: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TileView:
    """A tile in the picture. `tile` is what counts now, `seen` what the eyes said; `pinned` = a person fixed it.

    `role` says what it became: concealed, meld, win, flower, or out (not part of the hand).
    """

    index: int
    tile: str
    seen: str
    score: float
    sure: Literal["sure", "check", "unreadable"]
    also: tuple[tuple[str, float], ...]
    box: tuple[float, float, float, float]
    pinned: bool
    role: Literal["concealed", "meld", "win", "flower", "out"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A tile that may be the winning one, and what the hand is worth then (None while hidden)."""

    index: int | None
    tile: str
    valid: bool | None
    total: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenMove:
    """A move as the camera follows the hand: what, who, which tiles (``7s/8s`` in doubt, ``x`` not seen), from whom."""

    what: str
    seat: Seat | None
    tiles: tuple[str, ...] = ()
    from_seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One answer to a question. Post `command` (with idem and actor added) to give it.

    `moves` is a story it tells, `total` what the hand is worth by this answer (None while hidden).
    """

    command: Mapping[str, Any]
    text_key: str = ""
    tile: str | None = None
    seat: Seat | None = None
    moves: tuple[SeenMove, ...] = ()
    total: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Something only a person can say.

    `tiles` are the indices it is about. `pick`, if any, is a command that lacks only its `tile`: let a person pick it.
    `picture` is the evidence id of what it is about, where that is not the claim's picture.
    """

    id: str
    text_key: str
    params: Mapping[str, Scalar]
    choices: tuple[Choice, ...] = ()
    tiles: tuple[int, ...] = ()
    pick: Mapping[str, Scalar] | None = None
    picture: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenMeld:
    """A meld on the table with who fed it; tiles as in `SeenMove`."""

    kind: MeldKind
    tiles: tuple[str, ...]
    from_seat: Seat | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LastDiscard:
    """The discard that may be claimed now."""

    seat: Seat
    tile: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedHand:
    """A hand that lay open before the claimed win was confirmed, with its picture: a note for the referee."""

    seat: Seat
    picture: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenWall:
    """Tiles that can still be drawn, counted by the moves that were followed; what the table itself tells goes before.

    A draw is known by the discard after it, so the table may be one tile ahead; `differs` if it is further off.
    """

    left: int
    differs: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTable:
    """What lies open on the table as the camera followed the hand, by seat; tiles as in `SeenMove`.

    `turn` is who draws or discards next, `question` what only a person can tell. `opened` are notes for the referee,
    `noticed` what moves money later and nobody has entered yet: post a `command` to enter it. `wall` is None while a
    question is open.
    """

    ponds: tuple[tuple[str, ...], ...]
    melds: tuple[tuple[SeenMeld, ...], ...]
    flowers: tuple[tuple[str, ...], ...]
    turn: Seat | None
    last: LastDiscard | None
    question: Question | None
    opened: tuple[OpenedHand, ...] = ()
    noticed: tuple[Choice, ...] = ()
    wall: SeenWall | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Whose turn it is since which move, and the seconds the game's customs give: advice, never a penalty."""

    turn: Seat
    since: str
    limit_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimView:
    """The claimed win that is being looked at.

    `picture` is the evidence id of what was read (boxes are pixels in it), `frame` that of the whole camera frame.
    `seen` is how the camera followed the win; `from_camera` names the circumstances that are its word and nobody has
    confirmed or changed: ``source`` (with `from_seat`), ``last_tile``, ``last_of_kind`` and names of `facts.more`.
    `offers` are further circumstances that this game counts for such a win, with the value to set in `facts.more`.
    The payments of `verdict` are those that an approval moves: by the announced value where that counts.
    """

    seat: Seat
    source: Source | None
    from_seat: Seat | None
    reading: bool
    how: Literal["", "camera", "photo", "manual"]
    picture: str | None
    frame: str | None
    tiles: tuple[TileView, ...]
    groups: tuple[SeenGroup, ...]
    hand: str
    melds: tuple[LaidMeld, ...]
    win_tile: str
    flowers: str
    candidates: tuple[Candidate, ...]
    questions: tuple[Question, ...]
    facts: Facts
    announced: int | None
    verdict: Verdict | None
    agreed: tuple[Seat, ...]
    waiting_for: WaitingFor
    seen: SeenWin | None = None
    from_camera: tuple[str, ...] = ()
    offers: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRow:
    """A finished hand, or a false win or penalty during one. All by seat; `players` says who sat there.

    `broken_off` is a hand that does not count any further than what it had paid when it was left.
    `wins` are all wins of the hand (the fields above show the first), `told` those that a correction took away, `sides`
    the kongs and starting wins that `payments` contain, `notes` what the rules say of a drawn hand. A penalty has
    `code` with its `names` in the list by language and `off`, a false win like it `id` and `lifted`, and pays nothing
    once it is.
    """

    hand_no: int
    outcome: Ending | Literal["false_win", "penalty"]
    winner: Seat | None
    source: Source | None
    from_seat: Seat | None
    dealer: Seat
    round_wind: Literal["E", "S", "W", "N"]
    players: tuple[int, int, int, int]
    hand: str
    melds: tuple[LaidMeld, ...]
    win_tile: str
    flowers: str
    total: int
    computed: int | None
    announced: int | None
    fans: tuple[FanRow, ...]
    payments: Payments
    totals_after: tuple[int, int, int, int]
    corrected: bool
    reason: str
    picture: str | None
    frame: str | None
    at: str
    wins: tuple[WinPart, ...] = ()
    told: tuple[WinPart, ...] = ()
    sides: tuple[SidePay, ...] = ()
    carry_out: tuple[str, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""
    code: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    off: int = 0
    lifted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """The rows of the history before those that a document has: how many.

    `changed` is another number whenever rows that were told before have changed; of those only the last are told again.
    """

    rows: int = 0
    changed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CallView:
    """An open call for the referee."""

    id: str
    seat: Seat | None
    reason: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The whole table at one moment; `seq` is the number of the last ledger entry, `rev` counts every publication.

    `undo` is the kind of what would be taken back next, `undo_pays` what every seat gets back with it; of a hand that
    is taken up again as many wins stand as `undo_won` says.
    `settlement` (who pays whom, by player) is there when the game is over; `table` and `pace` while a hand is followed.
    `clock` holds the times of the game to count down to: advice. A document has only the last rows of `history`
    (`table.audience.document`), and `earlier` says what comes before them.
    """

    seq: int
    rev: int
    game: GameView | None
    seats: tuple[SeatView, ...]
    round: RoundView | None
    phase: Phase
    dice: tuple[DiceView, ...]
    dice_next: NextThrow | None
    wall_break: BreakView | None
    wall_left: int | None
    claims: tuple[QueuedClaim, ...]
    claim: ClaimView | None
    history: tuple[HistoryRow, ...]
    calls: tuple[CallView, ...]
    problems: tuple[Problem, ...]
    devices: Devices
    undo: str
    dice_ask: DiceAsk | None = None
    wall: WallView | None = None
    hand: HandView | None = None
    settlement: tuple[Debt, ...] | None = None
    substitutes: tuple[Stay, ...] = ()
    table: SeenTable | None = None
    pace: Pace | None = None
    clock: Clock | None = None
    earlier: Earlier = field(default_factory=Earlier)
    undo_pays: Payments = NOTHING
    undo_won: int = 0

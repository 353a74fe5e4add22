"""What the tests of table/ share: a table without a disk, rules one can work out in the head, pictures as text."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from table.commands import Command, parse_command
from table.decision import Decision, Rejected
from table.events import HandShown, TableEvent
from table.fold import advance
from table.ledger import Entry
from table.model import (
    FROM_OTHERS,
    Actor,
    FanRow,
    LaidHand,
    Outcome,
    Payments,
    SeenGroup,
    SeenTile,
    Setup,
    Verdict,
)
from table.rulebook import BadHand, Circumstances, Joint, Seating, open_rulebook
from table.sentences import say
from table.session import Books, decide, decide_shown
from table.snapshot import Snapshot
from table.state import State
from table.tile_text import split_tiles
from table.view import Live, snapshot

STRAIGHT = {"hand": "123456789m23m44z", "win_tile": "4m"}
"""清龙 16 混一色 6; on a discard with 门前清 2 = 24, self-drawn with 不求人 4 = 26."""

PAIRS = {"hand": "1133m2277p4499s5z", "win_tile": "5z"}
"""七对 24; self-drawn with 自摸 1 = 25."""

ORPHANS = {"hand": "19m19p19s1234567z", "win_tile": "1m"}
"""十三幺 88 on a discard."""

CHICKEN = {"hand": "123m678p345s11z23m", "win_tile": "4m"}
"""A complete hand worth far less than 8: no win under gb."""

UNREADY = ("1478m258p369m147p", "1478s258m236s147m", "1478p258s369p147s", "1478m258p369m147p")
"""Hands of two suits that wait for nothing, for seats 0 to 3; no tile lies more than four times in all of them."""

NAMES = ("Anna", "Ben", "Chen", "Dora")

_numbers = itertools.count(1)


def command(kind: str, *, role: str = "tablet", idem: str | None = None, **fields: Any) -> Command:
    """A command as a tablet would send it."""
    key = idem or f"test-{next(_numbers)}"
    return parse_command({"kind": kind, "idem": key, "actor": {"role": role}, **fields})


def seen(
    rows: Sequence[str],
    doubts: Mapping[int, str] | None = None,
    also: Mapping[int, Sequence[str]] | None = None,
    kinds: Sequence[str] | None = None,
) -> tuple[tuple[SeenTile, ...], tuple[SeenGroup, ...]]:
    """A picture from text: each row is a group, e.g. ``["123m44z", "5p", "x55sx"]``; doubts by tile number."""
    tiles: list[SeenTile] = []
    groups: list[SeenGroup] = []
    for number, row in enumerate(rows):
        names = row_tiles(row)
        start = len(tiles)
        for name in names:
            index = len(tiles)
            tiles.append(
                SeenTile(
                    index=index,
                    tile=name,
                    score=0.4 if (doubts or {}).get(index) else 0.98,
                    sure=(doubts or {}).get(index, "sure"),  # type: ignore[arg-type]
                    also=tuple((other, 0.2) for other in (also or {}).get(index, ())),
                    box=(40.0 * index, 100.0 * number, 40.0 * index + 38, 100.0 * number + 52),
                )
            )
        kind = kinds[number] if kinds else "hand" if len(names) > 4 else "meld" if len(names) in (3, 4) else "row"
        groups.append(SeenGroup(kind=kind, tiles=tuple(range(start, len(tiles)))))  # type: ignore[arg-type]
    return tuple(tiles), tuple(groups)


def row_tiles(row: str) -> list[str]:
    """Single tiles of a row, in the order they lie; `x` is a tile face down."""
    tiles: list[str] = []
    for part in row.replace("x", " x ").split():
        tiles.extend([part] if part == "x" else split_tiles(part))
    return tiles


def shown(seat: int, rows: Sequence[str], **more: Any) -> HandShown:
    """The event of a picture that was read."""
    tiles, groups = seen(rows, **more)
    return HandShown(seat=seat, picture="0" * 64, how="photo", tiles=tiles, groups=groups)


@dataclass
class Desk:
    """A table in memory: commands go in, events are folded and kept."""

    books: Books = open_rulebook
    state: State = field(default_factory=State)
    entries: list[Entry] = field(default_factory=list)

    def do(self, kind: str, **fields: Any) -> Decision | Rejected:
        """Send a command and take in what follows."""
        sent = command(kind, **fields)
        return self.take(decide(self.state, sent, self.books), sent.actor, sent.idem)

    def must(self, kind: str, **fields: Any) -> Decision:
        """Send a command that has to be accepted."""
        answer = self.do(kind, **fields)
        assert isinstance(answer, Decision), answer
        return answer

    def refused(self, kind: str, **fields: Any) -> str:
        """Send a command that has to be refused; the key of the sentence."""
        answer = self.do(kind, **fields)
        assert isinstance(answer, Rejected), answer
        assert answer.sentence.text
        return answer.sentence.key

    def show(self, seat: int, rows: Sequence[str], **more: Any) -> Decision:
        """A picture of this seat's hand was read."""
        answer = self.take(decide_shown(self.state, shown(seat, rows, **more), self.books), Actor(role="system"), "")
        assert isinstance(answer, Decision), answer
        return answer

    def take(self, answer: Decision | Rejected, actor: Actor, idem: str) -> Decision | Rejected:
        """Fold the events of a decision."""
        if isinstance(answer, Decision):
            self.append(answer.events, actor, idem)
        return answer

    def append(self, events: Sequence[TableEvent], actor: Actor, idem: str) -> None:
        """Fold events as one batch."""
        for part, event in enumerate(events):
            entry = Entry(
                seq=self.state.seq + 1,
                at_ms=1_000 * (self.state.seq + 1),
                actor=actor,
                idem=idem,
                part=part,
                event=event,
                prev_hash="",
                hash="",
            )
            self.state = advance(self.state, entry)
            self.entries.append(entry)

    def open(self, **fields: Any) -> Desk:
        """Open a game with four names."""
        self.must("open_game", names=list(NAMES), **fields)
        return self

    def win(self, seat: int, from_seat: int | None = None, **hand: Any) -> None:
        """A whole win in a friendly game: claim, typed hand, approval."""
        source = "self_draw" if from_seat is None else "discard"
        self.must("claim_win", seat=seat, source=source, from_seat=from_seat)
        self.must("hand_manual", **hand)
        self.must("approve")

    def draw(self) -> None:
        """A whole drawn hand."""
        self.must("start_hand")
        self.must("draw_hand")

    @property
    def by_seat(self) -> list[int]:
        """Totals in the order of the seats now."""
        assert self.state.setup is not None
        return [self.state.totals[player] for player in self.state.setup.seating]


def opened(ruleset: str, **options: Any) -> Desk:
    """A game of this ruleset, the hand begun without dice."""
    desk = Desk().open(ruleset=ruleset, options=options)
    desk.must("start_hand")
    return desk


def view(desk: Desk) -> Snapshot:
    """What a referee's pages show of it."""
    assert desk.state.game is not None
    return snapshot(desk.state, Live(), open_rulebook(desk.state.game.ruleset, desk.state.game.options))


def _one_penny(_laid: LaidHand, _how: Circumstances) -> int | None:
    return 1


@dataclass(frozen=True, slots=True)
class PennyRules:
    """Rules one can work out in the head: every tile counts one, the dealer wins and pays double and stays after a win.

    `value` prices a hand; None makes it illegal.
    """

    value: Callable[[LaidHand, Circumstances], int | None] = _one_penny
    name: str = "penny"
    version: str = "1"
    hands: int | None = None
    minimum: int = 0
    hand_tiles: int = 14
    places: tuple[int, ...] = (0, 1, 2, 3)
    answers: frozenset[str] = frozenset()
    chows: bool = True
    tiles: frozenset[str] = frozenset(split_tiles("123456789m123456789p123456789s1234567z"))

    def joint(self, wins: Sequence[tuple[LaidHand, Circumstances]]) -> Joint:
        """One winner at a time."""
        ((laid, how),) = wins
        verdict = self.judge(laid, how)
        return Joint(verdicts=(verdict,), payments=verdict.payments)

    def ask(
        self, kind: str, table: Mapping[str, Any], events: Sequence[Any] = (), winners: Sequence[Any] = ()
    ) -> dict[str, Any]:
        """There are no questions."""
        raise BadHand(say("why.unreadable", detail=f"no {kind} in {table} {events} {winners}"))

    def dealt_by(self, setup: Setup, dice: Sequence[int], game: Seating) -> Setup:
        """The dice never choose the dealer."""
        del dice, game
        return setup

    def judge(self, laid: LaidHand, how: Circumstances) -> Verdict:
        """One penny from each loser (only the feeder on a discard), twice where the dealer is concerned."""
        if len(split_tiles(laid.hand)) % 3 != 1:
            raise BadHand(say("why.unreadable", detail=f"{laid.hand} is no hand of 13 tiles."))
        worth = self.value(laid, how)
        if worth is None:
            return Verdict(valid=False, reason="shape")
        losers = [how.from_seat] if how.source in FROM_OTHERS else [seat for seat in range(4) if seat != how.winner]
        paid = [0, 0, 0, 0]
        for loser in losers:
            assert loser is not None
            amount = worth * (2 if how.setup.dealer in (loser, how.winner) else 1)
            paid[loser] -= amount
            paid[how.winner] += amount
        payments = (paid[0], paid[1], paid[2], paid[3])
        return Verdict(valid=True, total=worth, fans=(FanRow(name="penny", value=worth),), payments=payments)

    def as_announced(self, verdict: Verdict, how: Circumstances, announced: int | None) -> tuple[int, Payments]:
        """The computed value is always paid."""
        del how, announced
        return verdict.total, verdict.payments

    def following(self, setup: Setup, outcome: Outcome, game: Seating) -> Setup | None:
        """The dealer stays after winning, otherwise the next seat deals."""
        del game
        stays = outcome.outcome == "void" or outcome.winner == setup.dealer
        dealer = setup.dealer if stays else (setup.dealer + 1) % 4
        return Setup(hand_no=setup.hand_no + 1, round_wind="E", dealer=dealer, seating=setup.seating)

    def false_win(self, seat: int, each: int | None, table: Mapping[str, Any]) -> Payments:
        """Five pennies to everybody unless said otherwise."""
        del table
        amount = 5 if each is None else each
        paid = [amount] * 4
        paid[seat] = -3 * amount
        return (paid[0], paid[1], paid[2], paid[3])


def penny_books(rules: PennyRules | None = None) -> Books:
    """Books that always open the penny rules."""
    chosen = rules or PennyRules()

    def books(name: str, options: Mapping[str, Any]) -> PennyRules:
        del name, options
        return chosen

    return books

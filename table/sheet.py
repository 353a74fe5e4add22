"""What stands on a printed score sheet: who played, a row per hand, the final scores, who pays whom.

Three sheets have the same columns: the one of a played game, one with the names written in before it, and an empty one.
`table.sheet_pdf` draws them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Protocol

from rules.fan_names import fan_name
from table.hand_view import settlement
from table.model import FanRow, Outcome, Payments, Setup, Stay
from table.penalties import names_of
from table.rulebook import UnknownRules, open_rulebook
from table.settle_up import Debt
from table.state import FalseWin, Game, HistoryItem, Penalty, PlayedHand, State, moved_by
from table.stays import name_at

EMPTY_ROWS = 16
"""A whole game of four rounds."""
WINDS = "ESWN"


class Words(Protocol):
    """Words of one language: the catalogue of the pages."""

    @property
    def language(self) -> str:
        """``zh-Hans``, ``zh-Hant`` or ``en``."""
        ...

    @property
    def texts(self) -> Mapping[str, str]:
        """Texts by key, with ``{name}`` where a value goes."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRow:
    """One line: the hand, what happened, what it was worth; `cells` are change and score after it, per player."""

    number: str
    round: str
    result: str
    detail: str
    points: str
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A score sheet as text, ready to be drawn.

    Attributes:
        title: what it is.
        facts: (name, value) pairs of the heading; an empty value is a line to write on.
        options: the rules' options, in one paragraph.
        head: titles of the five columns before the players'.
        players: their names; empty ones are written by hand.
        rows: one per hand, false win and penalty.
        sums: title of the last line, and each player's points in it.
        standings: lines under the table: places, points taken off, fees.
        debts: who pays whom.
        notes: substitutes and what the reader must know.
        signature: the word beside the lines for the players' signatures.
        missing: how the sheet says that its font lacks a character.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    options: str
    head: tuple[str, str, str, str, str]
    players: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    sums: tuple[str, tuple[str, ...]]
    standings: tuple[str, ...] = ()
    debts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    signature: str
    missing: str


def sheet_of(state: State, words: Words, *, table: str = "", zone: tzinfo | None = None) -> Sheet:
    """The sheet of a game as it stands.

    Args:
        state: the game.
        words: the language of the sheet.
        table: what the table is called; empty leaves a line to write on.
        zone: where the clock on the sheet hangs; None is this computer's own zone.

    Raises:
        ValueError: the state holds no game.
    """
    page = _Page(state, words)
    rows, scores = [], dict.fromkeys(page.players, 0)
    for item in state.history:
        moved = _by_player(item)
        for player in page.players:
            scores[player] += moved[player]
        rows.append(page.row(item, tuple((signed(moved[one]), signed(scores[one])) for one in page.players)))
    return Sheet(
        title=page.say("evening.sheet"),
        facts=page.facts(table, _day(state, zone)),
        options=page.options(),
        head=page.head(),
        players=tuple(state.names[player] for player in page.players),
        rows=tuple(rows),
        sums=(page.say("evening.sum"), tuple(signed(scores[player]) for player in page.players)),
        standings=page.standings(scores),
        debts=page.debts(settlement(state) or ()),
        notes=page.notes(state.stays),
        signature=page.say("evening.signature"),
        missing=page.say("paper.missing"),
    )


def named_sheet(state: State, words: Words, *, table: str = "", zone: tzinfo | None = None) -> Sheet:
    """A sheet to write on, with the names and the rules of the open game.

    Raises:
        ValueError: the state holds no game.
    """
    page = _Page(state, words)
    names = tuple(state.names[player] for player in page.players)
    return _to_write_on(page, (page.facts(table, _day(state, zone)), page.options()), names)


def blank_sheet(words: Words) -> Sheet:
    """A sheet on which everything is written by hand."""
    page = _Page(None, words)
    facts = tuple((name, "") for name in (page.say("paper.day"), page.say("paper.table"), page.say("paper.rules")))
    return _to_write_on(page, (facts, ""), ("", "", "", ""))


def signed(points: int) -> str:
    """Points with their sign; minus as wide as plus.

    >>> signed(8), signed(-8), signed(0)
    ('+8', '−8', '0')
    """
    return f"{points:+d}".replace("-", "−") if points else "0"


def _to_write_on(page: _Page, heading: tuple[tuple[tuple[str, str], ...], str], names: tuple[str, ...]) -> Sheet:
    empty = tuple(("", "") for _ in names)
    rows = tuple(
        SheetRow(
            number=str(number + 1), round=page.round(WINDS[number // 4]), result="", detail="", points="", cells=empty
        )
        for number in range(EMPTY_ROWS)
    )
    facts, options = heading
    return Sheet(
        title=page.say("evening.sheet"),
        facts=facts,
        options=options,
        head=page.head(),
        players=names,
        rows=rows,
        sums=(page.say("evening.sum"), tuple("" for _ in names)),
        signature=page.say("evening.signature"),
        missing=page.say("paper.missing"),
    )


def _day(state: State, zone: tzinfo | None) -> str:
    """When the game was played; empty before its first hand."""
    if not state.history:
        return ""
    return datetime.fromtimestamp(state.history[0].at_ms / 1000, zone).strftime("%Y-%m-%d %H:%M")


def _by_player(item: HistoryItem) -> tuple[int, ...]:
    payments = moved_by(item)
    return tuple(payments[item.setup.seating.index(player)] for player in range(4))


class _Page:
    """Writes the parts of a sheet in one language."""

    def __init__(self, state: State | None, words: Words) -> None:
        if state is not None and state.game is None:
            raise ValueError("A score sheet needs a game.")
        self._state = state or State()
        self._words = words

    @property
    def game(self) -> Game:
        """The game of the sheet; only asked for where there is one."""
        assert self._state.game is not None
        return self._state.game

    @property
    def players(self) -> tuple[int, ...]:
        """Who plays, by player number; two of four in a game for two."""
        return tuple(sorted(self.game.first.seating[seat] for seat in self.game.places))

    def say(self, key: str, **values: object) -> str:
        """A text with its values filled in."""
        return self._words.texts[key].format(**values)

    def named(self, key: str, fallback: str) -> str:
        """A text that may be missing for the newest rulesets."""
        return self._words.texts.get(key, fallback)

    def round(self, wind: str) -> str:
        """The name of a round."""
        return self.say(f"round.{wind}")

    def head(self) -> tuple[str, str, str, str, str]:
        """The titles of the columns before the players' own."""
        return (
            self.say("correct.hand"),
            self.say("evening.round"),
            self.say("evening.result"),
            self.say("paper.detail"),
            self.say(f"evening.worth.{self.game.customs.counted_in}") if self._state.game else self.say("paper.worth"),
        )

    def facts(self, table: str, day: str) -> tuple[tuple[str, str], ...]:
        """The heading: when, where, which game by which rules."""
        game = self.game
        rules = f"{self.named(f'ruleset.{game.ruleset}', game.ruleset)} {game.ruleset_version}"
        return (
            (self.say("paper.day"), day),
            (self.say("paper.table"), table),
            (self.say("paper.rules"), f"{rules} · {self.say(f'mode.{game.mode}')}"),
            (self.say("paper.game"), game.id),
        )

    def options(self) -> str:
        """Every option of the rules with its value."""
        return " · ".join(f"{self._option(name)}: {self._value(name, value)}" for name, value in self._options())

    def _options(self) -> Iterable[tuple[str, Any]]:
        """All options while the rules are those of the game; of older rules only what was agreed then is known."""
        game = self.game
        try:
            book = open_rulebook(game.ruleset, game.options)
        except UnknownRules:
            return game.options.items()
        return (book.chosen if book.version == game.ruleset_version else game.options).items()

    def _option(self, name: str) -> str:
        return self.named(f"option.{name}", name)

    def _value(self, name: str, value: Any) -> str:
        if isinstance(value, bool):
            return self.say("answer.yes" if value else "answer.no")
        if value is None or value == []:
            return self.say("answer.none")
        if isinstance(value, list | tuple):
            return "/".join(map(str, value))
        if isinstance(value, Mapping):
            return ", ".join(self._value(name, one) for one in value.values())
        return self.named(f"option.{name}.{value}", str(value))

    def name(self, seat: int, setup: Setup) -> str:
        """Who sat there in that hand."""
        return name_at(self._state, setup.seating[seat], setup.hand_no)

    def row(self, item: HistoryItem, cells: tuple[tuple[str, str], ...]) -> SheetRow:
        """One line of the sheet."""
        setup = item.setup
        return SheetRow(
            number=str(setup.hand_no),
            round=self.round(setup.round_wind),
            result=self._result(item),
            detail=self._detail(item),
            points=self._points(item),
            cells=cells,
        )

    def _points(self, item: HistoryItem) -> str:
        """What the hand was worth; several wins stand with their points beside the winners."""
        worth = isinstance(item, PlayedHand) and item.outcome.outcome == "win" and len(item.outcome.wins) < 2
        return str(item.outcome.total) if isinstance(item, PlayedHand) and worth else ""

    def _result(self, item: HistoryItem) -> str:
        setup = item.setup
        if not isinstance(item, PlayedHand) and item.lifted:
            return self.say("last.penalty_lifted", name=self.name(item.seat, setup))
        if isinstance(item, Penalty):
            return self.say("last.penalty", name=self.name(item.seat, setup), points=item.off or "").strip()
        if isinstance(item, FalseWin):
            return self.say("last.false_win", winner=self.name(item.seat, setup))
        outcome = item.outcome
        if outcome.outcome != "win" or outcome.winner is None:
            return self.say(f"last.{outcome.ending}")
        if len(outcome.wins) < 2:
            return self._won((outcome.winner,), outcome.from_seat, setup)
        moments: dict[tuple[int, int | None, int | None], list[int]] = {}
        for one in outcome.wins:  # those of one discard in one breath; each self-draw is a moment of its own
            moment = one.stage, one.from_seat, one.seat if one.from_seat is None else None
            moments.setdefault(moment, []).append(one.seat)
        return self.say("last.then").join(self._won(seats, feeder, setup) for (_, feeder, _), seats in moments.items())

    def _won(self, winners: Iterable[int], feeder: int | None, setup: Setup) -> str:
        winner = self._join(self.name(seat, setup) for seat in winners)
        if feeder is None:
            return self.say("last.self_drawn", winner=winner)
        return self.say("last.from", **{"winner": winner, "from": self.name(feeder, setup)})

    def _join(self, parts: Any) -> str:
        return self.say("bill.and").join(parts)

    def _detail(self, item: HistoryItem) -> str:
        if isinstance(item, FalseWin):
            return item.reason
        if isinstance(item, Penalty):
            listed = names_of(item.code).get(self._words.language, "")
            return " · ".join(part for part in (listed, item.reason) if part)
        corrected = [self.say("paper.corrected", reason=item.reason)] if item.corrected else []
        parts = (*corrected, *self._counted(item.outcome, item.setup), *self._sides(item))
        return ("\n" if len(item.outcome.wins) > 1 else " · ").join(parts)

    def _counted(self, outcome: Outcome, setup: Setup) -> list[str]:
        if len(outcome.wins) > 1:
            unit = self.say(f"bill.{self.game.customs.counted_in}")
            return [
                f"{self.name(one.seat, setup)} {one.total} {unit} ({self._fans(one.fans, ', ')}): "
                + self._payments(one.payments, setup)
                for one in outcome.wins
            ]
        return [self._fans(outcome.fans, " · ")] if outcome.fans else []

    def _payments(self, payments: Payments, setup: Setup) -> str:
        """Who gets and who pays, e.g. of one win of several."""
        return self._join(
            f"{self.name(seat, setup)}\xa0{signed(points)}" for seat, points in enumerate(payments) if points
        )

    def _fans(self, fans: tuple[FanRow, ...], between: str) -> str:
        return between.join(
            f"{fan_name(fan.name, self._words.language)} {fan.value}" + (f"×{fan.count}" if fan.count > 1 else "")
            for fan in fans
        )

    def _sides(self, item: PlayedHand) -> list[str]:
        """Kong money and starting wins, which the payments of the row contain."""
        return [
            f"{self.name(side.seat, item.setup)} "
            + (self.say(f"meld.{side.meld_kind}") + " " if side.meld_kind else "")
            + signed(side.payments[side.seat])
            for side in item.outcome.sides
        ]

    def standings(self, scores: Mapping[int, int]) -> tuple[str, ...]:
        """The players by their results; penalties taken off and fees stand beside their points."""
        lines = []
        results = {player: self._state.results[player] for player in scores}
        for player in sorted(scores, key=lambda one: (-results[one], one)):
            place = 1 + sum(other > results[player] for other in results.values())
            off, fee = self._state.taken_off[player], self._state.fees[player]
            beside = [self.say("paper.off", points=off)] if off else []
            beside += [self.say("paper.fee", points=fee)] if fee else []
            lines.append(" ".join([f"{place}.", self._state.names[player], signed(scores[player]), *beside]))
        return tuple(lines)

    def debts(self, debts: tuple[Debt, ...]) -> tuple[str, ...]:
        """Who pays whom; with money where a point has a price."""
        priced = "unit" in self.game.house
        return tuple(
            f"{self._state.names[one.payer]} → {self._state.names[one.payee]} {one.points}"
            + (f" ({one.amount // 100}.{one.amount % 100:02d})" if priced else "")
            for one in debts
        )

    def notes(self, stays: tuple[Stay, ...]) -> tuple[str, ...]:
        """Who came in for whom, and that a game is still being played."""
        came = [self.say("paper.substitute", name=one.name, number=one.from_hand) for one in stays if one.from_hand > 1]
        return (*came, *([] if self._state.finished else [self.say("paper.open")]))

"""The readable page of an appeal bundle: one hand, from the deal to the last decision about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.fan_names import fan_name
from table.bridge import button_of
from table.bundle_words import word
from table.events import encode
from table.ledger import Entry, Link
from table.model import Actor, LaidHand, Outcome, Payments, Setup
from table.state import FalseWin, Penalty, PlayedHand, State
from table.stays import name_at
from table.view import clock_text

_SEAT_FIELDS = ("seat", "by", "from_seat")
_PLAIN_FIELDS = ("tile", "was", "win_tile", "values", "points", "reason", "undone_seq")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandStory:
    """Everything the summary tells; `pictures` says of each id whether it is ``kept``, ``let_go`` or ``missing``."""

    state: State
    setup: Setup
    entries: tuple[Entry, ...]
    last: Link
    pictures: Mapping[str, str]


def summary(story: HandStory, language: str) -> str:
    """The whole page as text, in ``zh-Hans``, ``zh-Hant`` or ``en``."""
    page = _Page(story, language)
    return "\n".join(page.lines()) + "\n"


@dataclass(frozen=True, slots=True)
class _Page:
    story: HandStory
    language: str

    def lines(self) -> Iterator[str]:
        yield from (self.word("title"), "")
        yield from self._heading()
        yield ""
        yield from self._result()
        yield from ("", f"{self.word('pictures')}:")
        for picture, fate in self.story.pictures.items():
            yield f"  {picture}  {self.word(fate)}"
        yield from ("", f"{self.word('events')}:")
        yield from (self._event(entry) for entry in self.story.entries)
        last = self.story.last
        yield from ("", f"{self.word('how_to_check')}:", self.word("check_text"))
        yield f"{self.word('last_entry')}: {last.seq}  {last.hash}"

    def word(self, key: str) -> str:
        return word(key, self.language)

    def name(self, seat: int) -> str:
        setup = self.story.setup
        return f"{name_at(self.story.state, setup.seating[seat], setup.hand_no)} ({'ABCD'[seat]})"

    def _heading(self) -> Iterator[str]:
        game, setup = self.story.state.game, self.story.setup
        if game is None:
            return
        yield f"{self.word('game')}: {game.id}"
        yield f"{self.word('rules')}: {game.ruleset} {game.ruleset_version}"
        yield f"{self.word('options')}: {_pairs(game.options)}"
        yield f"{self.word('mode')}: {self.word(game.mode)}"
        yield f"{self.word('players')}: {' · '.join(self.name(seat) for seat in game.places)}"
        yield (
            f"{self.word('hand')}: {setup.hand_no} · {self.word('round')} {setup.round_wind} · "
            f"{self.word('dealer')} {self.name(setup.dealer)}"
        )

    def _result(self) -> Iterator[str]:
        number = self.story.setup.hand_no
        rows = [row for row in self.story.state.history if row.setup.hand_no == number]
        if not any(isinstance(row, PlayedHand) for row in rows):
            yield f"{self.word('result')}: {self.word('open')}"
        for row in rows:
            if isinstance(row, PlayedHand):
                yield f"{self.word('result')}: {self.word(row.outcome.ending)}"
                yield from self._outcome(row.outcome)
                if row.corrected:
                    yield f"{self.word('corrected')}: {row.reason}"
            else:
                yield from self._paid(row)

    def _outcome(self, outcome: Outcome) -> Iterator[str]:
        for win in outcome.wins:
            yield self._win(win.seat, win.from_seat, (win.total, win.computed, win.announced))
            yield from self._laid(win.laid)
            yield f"  {self.word('fans')}: {self._fans(win.fans)}"
        if not outcome.wins and outcome.winner is not None:
            yield self._win(outcome.winner, outcome.from_seat, (outcome.total, outcome.computed, outcome.announced))
            yield from self._laid(outcome.laid or LaidHand(hand=""))
            yield f"  {self.word('fans')}: {self._fans(outcome.fans)}"
        yield f"{self.word('payments')}: {self._payments(outcome.payments)}"

    def _win(self, winner: int, feeder: int | None, values: tuple[int, int | None, int | None]) -> str:
        how = self.word("self_draw") if feeder is None else f"{self.word('from_seat')} {self.name(feeder)}"
        named = zip(("settled", "computed", "announced"), values, strict=True)
        worth = ", ".join(f"{self.word(name)} {value}" for name, value in named if value is not None)
        return f"  {self.word('winner')} {self.name(winner)}, {how}: {worth}"

    def _laid(self, laid: LaidHand) -> Iterator[str]:
        yield f"  {self.word('tiles')}: {laid.hand} + {laid.win_tile}"
        if laid.melds:
            yield f"  {self.word('melds')}: {' '.join(f'{meld.kind}:{meld.tiles}' for meld in laid.melds)}"
        if laid.flowers:
            yield f"  {self.word('flowers')}: {laid.flowers}"

    def _fans(self, fans: tuple[Any, ...]) -> str:
        return ", ".join(
            f"{fan_name(fan.name, self.language)} {fan.value}" + (f" x{fan.count}" if fan.count > 1 else "")
            for fan in fans
        )

    def _paid(self, row: FalseWin | Penalty) -> Iterator[str]:
        kind = "penalty_given" if isinstance(row, Penalty) else "false_win"
        lifted = f" ({self.word('penalty_lifted')})" if row.lifted else ""
        yield f"{self.word(kind)}{lifted}: {self.name(row.seat)} {row.reason}"
        yield f"  {self.word('payments')}: {self._payments(row.payments)}"

    def _payments(self, payments: Payments) -> str:
        places = self.story.state.game.places if self.story.state.game is not None else ()
        return ", ".join(f"{self.name(seat)} {payments[seat]:+d}" for seat in places)

    def _actor(self, actor: Actor) -> str:
        """Who acted; a button of the table is that of who sat there."""
        seat = button_of(actor)
        return actor.name if seat is None else self.name(seat)

    def _event(self, entry: Entry) -> str:
        fields = encode(entry.event)
        parts = [
            f"{self.word(name)} {self.name(fields[name])}" for name in _SEAT_FIELDS if fields.get(name) is not None
        ]
        for name in _PLAIN_FIELDS:
            value = fields.get(name)
            if value not in (None, "", []):
                shown = "+".join(map(str, value)) if isinstance(value, list) else value
                parts.append(f"{self.word(name)} {shown}")
        if fields.get("false_win"):
            parts.append(self.word("false_win"))
        who = " ".join(part for part in (entry.actor.role, self._actor(entry.actor), entry.actor.device) if part)
        told = f": {', '.join(parts)}" if parts else ""
        return f"  {clock_text(entry.at_ms)} #{entry.seq} [{who}] {self.word(entry.event.kind)}{told}"


def _pairs(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in sorted(options.items())) or "-"

"""Which entries of the ledger belong to which hand: its own, and later ones that touch it (correction, undo, call)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from table import events as ev
from table.evidence import named_in
from table.fold import advance
from table.ledger import Entry
from table.state import State, false_win_id


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLog:
    """One game of a ledger.

    Attributes:
        entries: everything from its opening to the entry before the next game.
        hands: the entries that concern each hand, by its number. The opening belongs to all of them.
        state: the game as it ended, or stands.
        open_call: whether a call for the referee is still open.
    """

    entries: tuple[Entry, ...]
    hands: Mapping[int, tuple[Entry, ...]]
    state: State
    open_call: bool


@dataclass(slots=True)
class _Sorter:
    """Sorts the entries of one game by hand as they come."""

    state: State
    entries: list[Entry] = field(default_factory=list)
    hands: dict[int, list[Entry]] = field(default_factory=dict)
    homes: dict[str, int] = field(default_factory=dict)

    def take(self, entry: Entry) -> None:
        """The next entry of the game."""
        before, self.state = self.state.setup, advance(self.state, entry)
        setup = before or self.state.setup
        self.entries.append(entry)
        if setup is None:
            return
        self._remember(entry, setup.hand_no)
        for number in sorted({setup.hand_no, *self._touched(entry.event)}):
            self.hands.setdefault(number, []).append(entry)

    def _remember(self, entry: Entry, number: int) -> None:
        """A later entry may refer to this one by its number, penalty or call."""
        self.homes[f"seq {entry.seq}"] = number
        if isinstance(entry.event, ev.PenaltyGiven):
            self.homes[f"penalty {entry.event.penalty_id}"] = number
        elif isinstance(entry.event, ev.ClaimRejected) and entry.event.false_win:
            self.homes[f"penalty {false_win_id(len(self.state.history) - 1)}"] = number
        elif isinstance(entry.event, ev.RefereeCalled):
            self.homes[f"call {entry.event.call_id}"] = number

    def _touched(self, event: ev.TableEvent) -> Iterable[int]:
        if isinstance(event, ev.HandCorrected | ev.OptionsCorrected | ev.SeatsCorrected):
            named = [event.hand_no] if isinstance(event, ev.HandCorrected) else []
            rows = [change.after.setup.hand_no for change in event.rows]
            return [*named, *(change.hand_no for change in event.changes), *rows]
        if isinstance(event, ev.DecisionUndone):
            home = f"seq {event.undone_seq}"
        elif isinstance(event, ev.PenaltyLifted):
            home = f"penalty {event.penalty_id}"
        elif isinstance(event, ev.CallClosed):
            home = f"call {event.call_id}"
        else:
            return ()
        return [self.homes[home]] if home in self.homes else ()


@dataclass(slots=True)
class Chronicle:
    """The games of a ledger, kept in step with it entry by entry.

    Attributes:
        seq: the last entry taken in.
        games: every game as it ended, or stands, by its id, oldest first.
        of_competitions: the pictures that entries of competitions name.
    """

    seq: int = 0
    games: dict[str, State] = field(default_factory=dict)
    of_competitions: set[str] = field(default_factory=set)
    _latest: _Sorter | None = None

    def take(self, entries: Iterable[Entry]) -> None:
        """The entries that follow."""
        for entry in entries:
            if isinstance(entry.event, ev.GameOpened):
                self._latest = _Sorter(State(seq=entry.seq - 1))
            if self._latest is not None:
                self._latest.take(entry)
                game = self._latest.state.game
                if game is not None:
                    self.games[game.id] = self._latest.state
                    if game.mode == "competition":
                        self.of_competitions.update(named_in(ev.encode(entry.event)))
            self.seq = entry.seq

    @property
    def log(self) -> GameLog | None:
        """The log of the latest game; None before the first."""
        return None if self._latest is None else _log(self._latest, bool(self._latest.state.calls))


def game_logs(entries: Iterable[Entry]) -> dict[str, GameLog]:
    """Every game of a ledger by its id, oldest first. Entries before the first game belong to none."""
    sorters: dict[str, _Sorter] = {}
    current: _Sorter | None = None
    open_calls: dict[str, _Sorter | None] = {}
    for entry in entries:
        event = entry.event
        if isinstance(event, ev.GameOpened):
            current = sorters[event.game_id] = _Sorter(State(seq=entry.seq - 1))
        if isinstance(event, ev.RefereeCalled):
            open_calls[event.call_id] = current
        elif isinstance(event, ev.CallClosed):
            open_calls.pop(event.call_id, None)
        if current is not None:
            current.take(entry)
    called = [sorter for sorter in open_calls.values() if sorter is not None]
    return {name: _log(sorter, any(one is sorter for one in called)) for name, sorter in sorters.items()}


def _log(sorter: _Sorter, open_call: bool) -> GameLog:
    opening = sorter.entries[0]
    hands = {
        number: tuple(found) if found[0] is opening else (opening, *found) for number, found in sorter.hands.items()
    }
    return GameLog(entries=tuple(sorter.entries), hands=hands, state=sorter.state, open_call=open_call)

"""A game as a file: JSON with everything, or a CSV score sheet with a row per hand."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from table.events import GameOpened
from table.fold import advance
from table.hand_view import settlement
from table.ledger import Entry
from table.model import Setup
from table.state import HistoryItem, Penalty, PlayedHand, State, moved_by
from table.stays import name_at, shares
from table.view import clock_text

CSV_COLUMNS = (
    "hand",
    "round",
    "dealer",
    "outcome",
    "winner",
    "from",
    "source",
    "hand_tiles",
    "melds",
    "winning_tile",
    "flowers",
    "fans",
    "total",
    "counted_in",
    "computed",
    "announced",
    "corrected",
    "reason",
    "picture",
    "at",
)
"""Columns of the score sheet before the four players' own."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""With these spreadsheets begin a formula; the wide ones where Chinese or Japanese is typed."""


class ExportError(ValueError):
    """There is nothing to export, or no game of that name; the text says which games there are."""


def games(entries: Iterable[Entry]) -> dict[str, State]:
    """Every game of a ledger as it ended (or stands), by its id, oldest first."""
    state, found = State(), dict[str, State]()
    for entry in entries:
        if isinstance(entry.event, GameOpened) and state.game is not None:
            found[state.game.id] = state
        state = advance(state, entry)
    if state.game is not None:
        found[state.game.id] = state
    return found


def choose(found: dict[str, State], game_id: str | None = None) -> State:
    """The game with this id, or the latest.

    Raises:
        ExportError: there is none.
    """
    if not found:
        raise ExportError("This ledger holds no game yet. Open one and play a hand first.")
    if game_id is None:
        return list(found.values())[-1]
    if game_id not in found:
        raise ExportError(f"There is no game {game_id!r} in this ledger. It holds: {', '.join(found)}.")
    return found[game_id]


def as_json(state: State) -> str:
    """The whole game as one JSON document: settings, players, every row of the history, scores, who pays whom."""
    return json.dumps(game_document(state), ensure_ascii=False, indent=2)


def game_document(state: State) -> dict[str, Any]:
    """The game as plain values.

    Raises:
        ExportError: the state holds no game.
    """
    if state.game is None:
        raise ExportError("This table has no game to export.")
    game = asdict(state.game)
    first = game.pop("first")
    return {
        "format": 1,
        "game": {**game, "counted_in": state.game.customs.counted_in, "first_dealer": first["dealer"]},
        "players": list(state.names),
        "finished": state.finished,
        "rows": [_row_document(row) for row in state.history],
        "totals": list(state.totals),
        "off": list(state.taken_off),
        "fees": list(state.fees),
        "substitutes": [asdict(stay) for stay in state.stays],
        "shares": [asdict(share) for share in shares(state)],
        "settlement": [asdict(debt) for debt in settlement(state) or ()],
    }


def as_csv(state: State) -> str:
    """The score sheet: a row per hand and false win, one column per player, the totals in the last row."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*CSV_COLUMNS, *(_plain(name) for name in state.names)])
    for row in state.history:
        writer.writerow([*_cells(row, state), *_by_player(row)])
    writer.writerow(["total", *[""] * (len(CSV_COLUMNS) - 1), *state.totals])
    return text.getvalue()


def _row_document(row: HistoryItem) -> dict[str, Any]:
    document = asdict(row)
    document["kind"] = _kind(row)
    document["at"] = clock_text(document.pop("at_ms"))
    return document


def _kind(row: HistoryItem) -> str:
    if isinstance(row, PlayedHand):
        return "hand"
    return "penalty" if isinstance(row, Penalty) else "false_win"


def _cells(row: HistoryItem, state: State) -> list[str | int]:
    setup = row.setup
    start: list[str | int] = [setup.hand_no, setup.round_wind, _name(setup.dealer, setup, state)]
    if not isinstance(row, PlayedHand):
        blank: list[str | int] = [""] * (len(CSV_COLUMNS) - 8)
        return [
            *start,
            _kind(row),
            _name(row.seat, setup, state),
            *blank,
            _plain(row.reason),
            "",
            clock_text(row.at_ms),
        ]
    outcome, laid = row.outcome, row.outcome.laid
    return [
        *start,
        outcome.ending,
        _name(outcome.winner, setup, state),
        _name(outcome.from_seat, setup, state),
        outcome.source or "",
        laid.hand if laid else "",
        " ".join(f"{meld.kind}:{meld.tiles}" for meld in laid.melds) if laid else "",
        laid.win_tile if laid else "",
        laid.flowers if laid else "",
        " ".join(f"{fan.name}{fan.value}" + (f"x{fan.count}" if fan.count > 1 else "") for fan in outcome.fans),
        outcome.total,
        state.game.customs.counted_in if state.game else "",
        "" if outcome.computed is None else outcome.computed,
        "" if outcome.announced is None else outcome.announced,
        "yes" if row.corrected else "",
        _plain(row.reason),
        outcome.picture or "",
        clock_text(row.at_ms),
    ]


def _by_player(row: HistoryItem) -> list[int]:
    payments = moved_by(row)
    return [payments[row.setup.seating.index(player)] for player in range(4)]


def _name(seat: int | None, setup: Setup, state: State) -> str:
    return "" if seat is None else _plain(name_at(state, setup.seating[seat], setup.hand_no))


def _plain(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return "'" + text if text[:1] in FORMULA else text

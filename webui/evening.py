"""The evening as files and numbers: JSON, CSV, PDF, what the players did, and how long wins took."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Generic, TypeVar

from flask import Blueprint, Flask, Response, current_app, jsonify, request

from table.bundle_words import word
from table.export import ExportError, as_csv, as_json, choose, games
from table.hand_log import game_logs
from table.hand_record import hand_record
from table.ledger import Entry, LedgerError
from table.sheet import blank_sheet, named_sheet, sheet_of
from table.sheet_pdf import draw
from table.state import State
from table.statistics import PlayerNumbers, numbers
from webui.errors import problem
from webui.hall import Hall
from webui.pages import view
from webui.ports import Table
from webui.security import role
from webui.stream import table
from webui.texts import catalogue
from webui.timing import Timing, middle, timings

blueprint = Blueprint("evening", __name__)

T = TypeVar("T")

BOM = "\ufeff"
"""Tells spreadsheets that the names are UTF-8."""


def _table_name() -> str:
    hall: Hall = current_app.extensions["paiju_hall"]
    return hall.own


def _sheet(state: State) -> bytes:
    """The score sheet in the language of the device that asks."""
    return draw(sheet_of(state, catalogue(view().language), table=_table_name())).data


FORMS: Mapping[str, tuple[str, Callable[[State], bytes]]] = {
    "json": ("application/json", lambda state: as_json(state).encode()),
    "csv": ("text/csv; charset=utf-8", lambda state: (BOM + as_csv(state)).encode()),
    "pdf": ("application/pdf", _sheet),
}


@dataclass(slots=True)
class Kept(Generic[T]):
    """Something worked out from the ledger, again only when the ledger has grown."""

    source: Table
    work_out: Callable[[tuple[Entry, ...]], T]
    found: T
    """At first what stands for an empty ledger; the last known while the ledger cannot be read."""
    _seq: int = -1
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def now(self) -> T:
        """What the ledger says now."""
        seq = self.source.snapshot().seq
        with self._lock:
            if seq != self._seq:
                try:
                    self.found, self._seq = self.work_out(self.source.entries()), seq
                except LedgerError:
                    return self.found
            return self.found


@dataclass(frozen=True, slots=True)
class Numbers:
    """What the players did this evening, and in all games of the ledger; how many games those are."""

    evening: tuple[PlayerNumbers, ...] = ()
    players: tuple[PlayerNumbers, ...] = ()
    games: int = 0


def _numbers(entries: tuple[Entry, ...]) -> Numbers:
    states = tuple(games(entries).values())
    return Numbers(evening=numbers(states[-1:]), players=numbers(states), games=len(states))


def install(app: Flask, source: Table) -> None:
    """Keep the numbers of this table with the application."""
    app.extensions["paiju_timings"] = Kept(source, timings, ())
    app.extensions["paiju_numbers"] = Kept(source, _numbers, Numbers())


def timings_now() -> tuple[Timing, ...]:
    """How long the wins of the latest game took."""
    kept: Kept[tuple[Timing, ...]] = current_app.extensions["paiju_timings"]
    return kept.now()


@blueprint.get("/api/v1/statistics")
def statistics() -> Response:
    """Seconds from 和 to the approved score; what the players did this evening and in all games of the ledger."""
    found = timings_now()
    kept: Kept[Numbers] = current_app.extensions["paiju_numbers"]
    document = asdict(kept.now())
    now = table().snapshot().game
    if now is not None and now.mode == "competition" and role() not in ("referee", "chief"):
        for player in (*document["evening"], *document["players"]):
            player["fans"] = ()  # like the history, which shows a hand's value but not what made it
    return jsonify(seconds_to_score={"median": middle(found), "wins": [asdict(one) for one in found]}, **document)


@blueprint.get("/api/v1/hands/<int:number>")
def hand(number: int) -> Response:
    """What the ledger tells of a hand of the latest game: who did what, corrections, fans that did not count."""
    try:
        logs = game_logs(table().entries())
    except LedgerError as error:
        return problem(503, str(error))
    record = hand_record(list(logs.values())[-1], number) if logs else None
    if record is None:
        return problem(404, f"This game has no hand {number}.")
    language = view().language
    document = asdict(record)
    for step in document["steps"]:
        step["what"] = word(step["kind"], language)
    return jsonify(document)


@blueprint.get("/export/game.<form>")
def export(form: str) -> Response:
    """The latest game, or the one named by `?game=`, as a file; in a competition for the referee only."""
    if form not in FORMS:
        return problem(404, f"There is no export as “{form}”: choose one of {', '.join(FORMS)}.")
    media_type, written = FORMS[form]
    try:
        state = choose(games(table().entries()), request.args.get("game"))
        data = written(state)
    except ExportError as error:
        return problem(404, str(error))
    except LedgerError as error:
        return problem(503, str(error))
    return _file(data, media_type, f"paiju-{state.game.id if state.game else 'game'}.{form}")


@blueprint.get("/export/paper.pdf")
def paper() -> Response:
    """A score sheet to write on, with the names of the open game; `?names=no` gives an empty one."""
    words = catalogue(view().language)
    try:
        found = {} if request.args.get("names") == "no" else games(table().entries())
    except LedgerError as error:
        return problem(503, str(error))
    sheet = named_sheet(choose(found), words, table=_table_name()) if found else blank_sheet(words)
    return _file(draw(sheet).data, "application/pdf", "paiju-score-sheet.pdf")


def _file(data: bytes, media_type: str, name: str) -> Response:
    response = Response(data, content_type=media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return response

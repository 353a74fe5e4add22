"""The evening as files and numbers: JSON, CSV, PDF, what the players did, and how long wins took."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field

from flask import Blueprint, Flask, Response, current_app, jsonify, request

from table.bundle_words import word
from table.export import ExportError, as_csv, as_json, choose, games
from table.hand_log import Chronicle, GameLog
from table.hand_record import hand_record
from table.ledger import LedgerError
from table.sentences import ledger_trouble
from table.sheet import blank_sheet, named_sheet, sheet_of
from table.sheet_pdf import draw
from table.state import State
from table.statistics import PlayerNumbers, numbers
from webui.errors import problem, refusal
from webui.hall import Hall
from webui.pages import view
from webui.ports import Table
from webui.security import of_earlier, role
from webui.stream import table
from webui.texts import catalogue
from webui.timing import Timing, middle, timings

blueprint = Blueprint("evening", __name__)

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


@dataclass(frozen=True, slots=True)
class Numbers:
    """What the players did this evening, and in all games of the ledger; how many games those are."""

    evening: tuple[PlayerNumbers, ...] = ()
    players: tuple[PlayerNumbers, ...] = ()
    games: int = 0


@dataclass(slots=True)
class Evenings:
    """What the ledger tells, taken in entry by entry: a club's year is read once, not for every page."""

    source: Table
    _chronicle: Chronicle = field(default_factory=Chronicle)
    _log: GameLog | None = None
    _numbers: Mapping[bool, Numbers] = field(default_factory=dict)
    _counted: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def log(self) -> GameLog | None:
        """The log of the latest game; None before the first.

        Raises:
            LedgerError: the ledger cannot be read.
        """
        with self._lock:
            if self.source.snapshot().seq > self._chronicle.seq:
                self._chronicle.take(self.source.entries(self._chronicle.seq))
                self._log = self._chronicle.log
            return self._log

    def timings(self) -> tuple[Timing, ...]:
        """How long the wins of the latest game took; the last known while the ledger cannot be read."""
        with contextlib.suppress(LedgerError):
            self.log()
        return () if self._log is None else timings(self._log.entries)

    def of_competition(self, picture: str) -> bool:
        """Whether a competition's entries name this picture.

        Raises:
            LedgerError: the ledger cannot be read.
        """
        self.log()
        with self._lock:
            return picture in self._chronicle.of_competitions

    def numbers(self, *, public: bool) -> Numbers:
        """What the players did, for the public without the fans of competitions; the last known while the ledger cannot
        be read.
        """
        with contextlib.suppress(LedgerError):
            self.log()
        with self._lock:
            if self._counted != self._chronicle.seq:
                states = tuple(self._chronicle.games.values())
                played = sum(bool(state.hands) for state in states)
                self._numbers = {
                    one: Numbers(numbers(states[-1:], public=one), numbers(states, public=one), played)
                    for one in (True, False)
                }
                self._counted = self._chronicle.seq
            return self._numbers.get(public, Numbers())


def install(app: Flask, source: Table) -> None:
    """Keep what the ledger of this table tells with the application."""
    app.extensions["paiju_evenings"] = Evenings(source)


def evenings() -> Evenings:
    """What the ledger of this table tells."""
    kept: Evenings = current_app.extensions["paiju_evenings"]
    return kept


def timings_now() -> tuple[Timing, ...]:
    """How long the wins of the latest game took."""
    return evenings().timings()


@blueprint.get("/api/v1/statistics")
def statistics() -> Response:
    """Seconds from 和 to the approved score; what the players did this evening and in all games of the ledger."""
    found = timings_now()
    public = role() not in ("referee", "chief")  # like the history, which shows a hand's value but not what made it
    document = asdict(evenings().numbers(public=public))
    return jsonify(seconds_to_score={"median": middle(found), "wins": [asdict(one) for one in found]}, **document)


@blueprint.get("/api/v1/hands/<int:number>")
def hand(number: int) -> Response:
    """What the ledger tells of a hand of the latest game: who did what, corrections, fans that did not count."""
    try:
        log = evenings().log()
    except LedgerError as error:
        return refusal(ledger_trouble(error), 503)
    record = None if log is None else hand_record(log, number)
    if record is None:
        return problem(404, f"This game has no hand {number}.")
    language = view().language
    document = asdict(record)
    for step in document["steps"]:
        step["what"] = word(step["kind"], language)
    return jsonify(document)


@blueprint.get("/export/game.<form>")
def export(form: str) -> Response:
    """The latest game, or the one named by `?game=`, as a file; a competition for the referee only, also afterwards."""
    if form not in FORMS:
        return problem(404, f"There is no export as “{form}”: choose one of {', '.join(FORMS)}.")
    media_type, written = FORMS[form]
    try:
        state = choose(games(table().entries()), request.args.get("game"))
        refused = None if state.game is None else of_earlier(state.game.mode)
        if refused is not None:
            return refused
        data = written(state)
    except ExportError as error:
        return problem(404, str(error))
    except LedgerError as error:
        return refusal(ledger_trouble(error), 503)
    return _file(data, media_type, f"paiju-{state.game.id if state.game else 'game'}.{form}")


@blueprint.get("/export/paper.pdf")
def paper() -> Response:
    """A score sheet to write on, with the names of the open game; `?names=no` gives an empty one."""
    words = catalogue(view().language)
    try:
        found = {} if request.args.get("names") == "no" else games(table().entries())
    except LedgerError as error:
        return refusal(ledger_trouble(error), 503)
    sheet = named_sheet(choose(found), words, table=_table_name()) if found else blank_sheet(words)
    return _file(draw(sheet).data, "application/pdf", "paiju-score-sheet.pdf")


def _file(data: bytes, media_type: str, name: str) -> Response:
    response = Response(data, content_type=media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return response

"""The evening as files and numbers: JSON, CSV, and how long wins took."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field

from flask import Blueprint, Response, current_app, jsonify, request

from table.export import ExportError, as_csv, as_json, choose, games
from table.ledger import LedgerError
from table.sheet import blank_sheet, named_sheet, sheet_of
from table.sheet_pdf import draw
from table.state import State
from webui.errors import problem
from webui.pages import view
from webui.ports import Table
from webui.stream import table
from webui.texts import catalogue
from webui.timing import Timing, middle, timings

blueprint = Blueprint("evening", __name__)

BOM = "\ufeff"
"""Tells spreadsheets that the names are UTF-8."""


def _sheet(state: State) -> bytes:
    """The score sheet in the language of the device that asks."""
    return draw(sheet_of(state, catalogue(view().language))).data


FORMS: Mapping[str, tuple[str, Callable[[State], bytes]]] = {
    "json": ("application/json", lambda state: as_json(state).encode()),
    "csv": ("text/csv; charset=utf-8", lambda state: (BOM + as_csv(state)).encode()),
    "pdf": ("application/pdf", _sheet),
}


@dataclass(slots=True)
class Timings:
    """How long wins took, counted again only when the ledger has grown."""

    source: Table
    _seq: int = -1
    _found: tuple[Timing, ...] = ()
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def now(self) -> tuple[Timing, ...]:
        """The timings of the latest game; the last known ones while the ledger cannot be read."""
        seq = self.source.snapshot().seq
        with self._lock:
            if seq != self._seq:
                try:
                    self._found, self._seq = timings(self.source.entries()), seq
                except LedgerError:
                    return self._found
            return self._found


def timings_now() -> tuple[Timing, ...]:
    """How long the wins of the latest game took."""
    kept: Timings = current_app.extensions["paiju_timings"]
    return kept.now()


@blueprint.get("/api/v1/statistics")
def statistics() -> Response:
    """Seconds from 和 to the approved score, for every win and in the middle."""
    found = timings_now()
    return jsonify(seconds_to_score={"median": middle(found), "wins": [asdict(one) for one in found]})


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
    sheet = named_sheet(choose(found), words) if found else blank_sheet(words)
    return _file(draw(sheet).data, "application/pdf", "paiju-score-sheet.pdf")


def _file(data: bytes, media_type: str, name: str) -> Response:
    response = Response(data, content_type=media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return response

"""The evening as files and numbers: JSON, CSV, and how long wins took."""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass, field

from flask import Blueprint, Response, current_app, jsonify, request

from table.export import ExportError, as_csv, as_json, choose, games
from table.ledger import LedgerError
from webui.errors import problem
from webui.ports import Table
from webui.security import role
from webui.stream import table
from webui.timing import Timing, middle, timings

blueprint = Blueprint("evening", __name__)

FORMS = {"json": ("application/json", as_json), "csv": ("text/csv; charset=utf-8", as_csv)}
BOM = "\ufeff"
"""Tells spreadsheets that the names are UTF-8."""


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
    now = table().snapshot().game
    if now is not None and now.mode == "competition" and role() != "referee":
        return problem(403, "The record of a competition is for the referee: enter the PIN first.", "pin_first")
    media_type, written = FORMS[form]
    try:
        state = choose(games(table().entries()), request.args.get("game"))
        text = written(state)
    except ExportError as error:
        return problem(404, str(error))
    except LedgerError as error:
        return problem(503, str(error))
    response = Response((BOM if form == "csv" else "") + text, content_type=media_type)
    name = state.game.id if state.game else "game"
    response.headers["Content-Disposition"] = f'attachment; filename="paiju-{name}.{form}"'
    response.headers["Cache-Control"] = "no-store"
    return response

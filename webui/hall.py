"""Several tables side by side: what the neighbours given to this one show in public, asked for again and again.

Each neighbour is a Paiju of its own and stays so; this page only looks. One thread asks them in turn, a neighbour that
does not answer is asked less often, so that it cannot hold up the others.
"""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, Literal

from flask import Blueprint, Response, current_app, jsonify, url_for
from pydantic import Field, TypeAdapter

from table.audience import document, public
from table.json_text import parse_json
from webui.exchange import exchange, web_address
from webui.stream import table

TIMEOUT_S = 1.5
ROUND_S = 2.0
"""How often a neighbour that answers is asked; one that does not is asked every `SILENT_S`."""
SILENT_S = 10.0
STALE_S = 6.0
LARGEST = 4 * 2**20
MOST_WAITING = 1000
"""More claims, calls or problems than this are no table's."""
Word = Annotated[str, Field(max_length=1000)]

Trouble = Literal["", "silent", "refused", "not_paiju"]

blueprint = Blueprint("hall", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A table of the hall: what it is called, and the address of its pages."""

    name: str
    url: str


def neighbour(words: str) -> Neighbour:
    """A neighbour as it is named on the command line.

    Raises:
        ValueError: it is not understood; the text says what is expected.

    >>> neighbour("Table 7=http://192.168.1.7:8080/")
    Neighbour(name='Table 7', url='http://192.168.1.7:8080')
    """
    name, found, url = words.partition("=")
    try:
        web_address(url.strip())
    except ValueError:
        found = ""
    if not found or not name.strip() or not name.isprintable():
        raise ValueError(f'"{words}" is no neighbour: write NAME=ADDRESS, e.g. "Table 7=http://192.168.1.7:8080".')
    return Neighbour(name=name.strip(), url=url.strip().rstrip("/"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Game:
    ruleset: Word
    mode: Word


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    wind: Word
    hand_no: int
    finished: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seat:
    seat: int
    name: Word
    total: int
    playing: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Win:
    seat: int
    held: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    id: Word
    seat: int | None
    reason: Word


@dataclass(frozen=True, slots=True, kw_only=True)
class _Problem:
    source: Word
    key: Word
    params: Annotated[dict[Word, Word | bool | int | float | None], Field(max_length=20)]
    text: Word


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """What the hall shows of a table's public state; the rest of it is left alone."""

    game: _Game | None = None
    round: _Round | None = None
    phase: Word = ""
    seats: Annotated[list[_Seat], Field(max_length=4)]
    claims: Annotated[list[_Win], Field(max_length=MOST_WAITING)]
    calls: Annotated[list[_Call], Field(max_length=MOST_WAITING)]
    problems: Annotated[list[_Problem], Field(max_length=MOST_WAITING)]


_STATE = TypeAdapter(_State)


@dataclass(slots=True)
class _Seen:
    """What is known of one neighbour."""

    state: _State | None = None
    etag: str = ""
    heard_at: float | None = None
    next_at: float = 0.0
    trouble: Trouble = ""


@dataclass(slots=True)
class Hall:
    """The neighbours of this table, and what each of them showed last.

    Args:
        neighbours: the other tables.
        monotonic: seconds that never go back.
        own: what this table is called; empty = it has no name.
    """

    neighbours: Sequence[Neighbour]
    monotonic: Callable[[], float]
    own: str = ""
    _seen: dict[str, _Seen] = field(default_factory=dict)
    _since: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _ended: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        """Ask from now on; without neighbours there is nothing to ask."""
        if self.neighbours:
            threading.Thread(target=self._run, name="hall", daemon=True).start()

    def stop(self) -> None:
        """Ask no more."""
        self._ended.set()

    def _run(self) -> None:
        while not self._ended.wait(0.2):
            self.ask_due()

    def ask_due(self) -> None:
        """Ask every neighbour whose turn it is, one after the other."""
        for one in self.neighbours:
            seen = self._seen.setdefault(one.url, _Seen())
            if self.monotonic() >= seen.next_at and not self._ended.is_set():
                self._ask(one, seen)

    def _ask(self, one: Neighbour, seen: _Seen) -> None:
        trouble, answer, etag = _fetch(one.url, seen.etag)
        now = self.monotonic()
        with self._lock:
            seen.trouble = trouble
            seen.next_at = now + (SILENT_S if trouble else ROUND_S)
            if not trouble:
                seen.heard_at = now
            if answer is not None:
                seen.state, seen.etag = answer, etag

    def cards(self, own: Mapping[str, Any], own_url: str) -> list[dict[str, Any]]:
        """Every table as the page shows it, this one first; `own` is its own public state."""
        now = self.monotonic()
        with self._lock:
            rows = [_card(self.own, own_url, _STATE.validate_python(own), 0.0, "")]
            for one in self.neighbours:
                seen = self._seen.get(one.url, _Seen())
                age = None if seen.heard_at is None else now - seen.heard_at
                rows.append(_card(one.name, one.url, seen.state, age, seen.trouble))
            self._date(rows, now)
        return rows

    def _date(self, rows: list[dict[str, Any]], now: float) -> None:
        """How long each open matter has been seen here; what is settled is forgotten."""
        matters = {f"{place} {one['id']}": one for place, row in enumerate(rows) for one in row["queue"]}
        self._since = {key: self._since.get(key, now) for key in matters}
        for key, one in matters.items():
            one["age_s"] = int(now - self._since[key])


def _fetch(url: str, etag: str) -> tuple[Trouble, _State | None, str]:
    """Ask for the public state: what is wrong, the state if it is new, and its mark."""
    parts = web_address(url)
    known = {"If-None-Match": etag} if etag else {}
    try:
        with exchange(parts, TIMEOUT_S) as line:
            line.request("GET", f"{parts.path}/api/v1/state?as=viewer", headers=known)
            answer = line.getresponse()
            if answer.status == 304:
                return "", None, etag
            if answer.status != 200:
                return "refused", None, ""
            state = _STATE.validate_python(parse_json(answer.read(LARGEST).decode()))
            return "", state, answer.headers.get("ETag", "")
    except (OSError, http.client.HTTPException):
        return "silent", None, ""
    except ValueError:
        return "not_paiju", None, ""


def _card(name: str, url: str, state: _State | None, age_s: float | None, trouble: Trouble) -> dict[str, Any]:
    """One table in short."""
    return {
        "name": name,
        "url": url,
        "trouble": trouble,
        "stale": age_s is None or age_s > STALE_S,
        "age_s": None if age_s is None else int(age_s),
        "game": None if state is None else _game(state),
        "queue": [] if state is None else _queue(state),
    }


def _game(state: _State) -> dict[str, Any] | None:
    if state.game is None or state.round is None:
        return None
    return {
        "ruleset": state.game.ruleset,
        "mode": state.game.mode,
        "wind": state.round.wind,
        "hand_no": state.round.hand_no,
        "finished": state.round.finished,
        "phase": state.phase,
        "seats": [{"name": seat.name, "total": seat.total} for seat in state.seats if seat.playing],
    }


def _queue(state: _State) -> list[dict[str, Any]]:
    """What waits for a referee at one table: wins, calls, devices in trouble."""
    names: dict[int | None, str] = {seat.seat: seat.name for seat in state.seats}
    wins = [
        {"id": f"win {one.seat}", "kind": "win", "name": names.get(one.seat), "held": one.held} for one in state.claims
    ]
    calls = [
        {"id": f"call {one.id}", "kind": "call", "name": names.get(one.seat), "reason": one.reason}
        for one in state.calls
    ]
    troubles = [{"id": f"trouble {one.source} {one.key}", "kind": "trouble", **asdict(one)} for one in state.problems]
    return [*wins, *calls, *troubles]


@blueprint.get("/api/v1/hall")
def hall_state() -> Response:
    """Every table of the hall in short, this one first; what waits for a referee with how long it has been seen."""
    hall: Hall = current_app.extensions["paiju_hall"]
    response = jsonify(tables=hall.cards(document(public(table().snapshot())), url_for("pages.scoreboard").rstrip("/")))
    response.headers["Cache-Control"] = "no-store"
    return response

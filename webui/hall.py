"""Several tables side by side: what the neighbours given to this one show in public, asked for again and again.

Each neighbour is a Paiju of its own and stays so; this page only looks. One thread asks them in turn, a neighbour that
does not answer is asked less often, so that it cannot hold up the others.
"""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

from flask import Blueprint, Response, current_app, jsonify, url_for

from table.snapshot import document, public
from webui.stream import table

TIMEOUT_S = 1.5
ROUND_S = 2.0
"""How often a neighbour that answers is asked; one that does not is asked every `SILENT_S`."""
SILENT_S = 10.0
STALE_S = 6.0
LARGEST = 4 * 2**20

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
    parts = urlsplit(url.strip())
    if not found or not name.strip() or parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f'"{words}" is no neighbour: write NAME=ADDRESS, e.g. "Table 7=http://192.168.1.7:8080".')
    return Neighbour(name=name.strip(), url=url.strip().rstrip("/"))


@dataclass(slots=True)
class _Seen:
    """What is known of one neighbour."""

    state: dict[str, Any] | None = None
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
            seen = self._seen.setdefault(one.name, _Seen())
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
            rows = [_card(self.own, own_url, own, 0.0, "")]
            for one in self.neighbours:
                seen = self._seen.get(one.name, _Seen())
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


def _fetch(url: str, etag: str) -> tuple[Trouble, dict[str, Any] | None, str]:
    """Ask for the public state: what is wrong, the state if it is new, and its mark."""
    parts = urlsplit(url)
    door = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = door(str(parts.hostname), parts.port, timeout=TIMEOUT_S)
    try:
        connection.request(
            "GET", f"{parts.path}/api/v1/state?as=viewer", headers={"If-None-Match": etag} if etag else {}
        )
        answer = connection.getresponse()
        if answer.status == 304:
            return "", None, etag
        if answer.status != 200:
            return "refused", None, ""
        state = json.loads(answer.read(LARGEST))
        if not isinstance(state, dict) or not {"seats", "claims", "calls", "problems"} <= state.keys():
            return "not_paiju", None, ""
        return "", state, answer.headers.get("ETag", "")
    except (OSError, http.client.HTTPException):
        return "silent", None, ""
    except ValueError:
        return "not_paiju", None, ""
    finally:
        connection.close()


def _card(
    name: str, url: str, state: Mapping[str, Any] | None, age_s: float | None, trouble: Trouble
) -> dict[str, Any]:
    """One table in short; everything a neighbour sends is only passed on, never trusted to be complete."""
    stale = age_s is None or age_s > STALE_S
    card: dict[str, Any] = {
        "name": name,
        "url": url,
        "trouble": trouble,
        "stale": stale,
        "age_s": None if age_s is None else int(age_s),
        "game": None,
        "queue": [],
    }
    if state is None:
        return card
    turn, game = state.get("round") or {}, state.get("game") or {}
    card["game"] = {
        "ruleset": game.get("ruleset"),
        "mode": game.get("mode"),
        "wind": turn.get("wind"),
        "hand_no": turn.get("hand_no"),
        "finished": bool(turn.get("finished")),
        "phase": state.get("phase"),
        "seats": [
            {"name": seat.get("name"), "total": seat.get("total")}
            for seat in state["seats"]
            if seat.get("playing") is not False
        ],
    } if game else None  # fmt: skip
    card["queue"] = _queue(state)
    return card


def _queue(state: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What waits for a referee at one table: wins, calls, devices in trouble."""
    names = {seat.get("seat"): seat.get("name") for seat in state["seats"]}
    wins = [
        {
            "id": f"win {one.get('seat')}",
            "kind": "win",
            "name": names.get(one.get("seat")),
            "held": bool(one.get("held")),
        }
        for one in state["claims"]
    ]
    calls = [
        {"id": f"call {one.get('id')}", "kind": "call", "name": names.get(one.get("seat")), "reason": one.get("reason")}
        for one in state["calls"]
    ]
    troubles = [
        {"id": f"trouble {one.get('source')} {one.get('key')}", "kind": "trouble", "source": one.get("source"),
         "key": one.get("key"), "params": one.get("params"), "text": one.get("text")}
        for one in state["problems"]
    ]  # fmt: skip
    return [*wins, *calls, *troubles]


@blueprint.get("/api/v1/hall")
def hall_state() -> Response:
    """Every table of the hall in short, this one first; what waits for a referee with how long it has been seen."""
    hall: Hall = current_app.extensions["paiju_hall"]
    response = jsonify(tables=hall.cards(document(public(table().snapshot())), url_for("pages.scoreboard").rstrip("/")))
    response.headers["Cache-Control"] = "no-store"
    return response

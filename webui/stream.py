"""The live stream: every viewer gets the whole state each time it changes, so a late one is right by construction."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from flask import Blueprint, Response, current_app, jsonify, request

from table.audience import document, for_role, rows_before
from table.model import Role
from table.snapshot import Snapshot
from webui.assets import VERSION
from webui.errors import problem
from webui.ports import Subscription, Table
from webui.security import own_key, role

BEAT_S = 2.0
"""A sign of life at least this often; a page that hears nothing for 4 s says so."""

MOST_ROWS = 200
"""So many rows of the history come with one answer."""

blueprint = Blueprint("stream", __name__)


@dataclass(slots=True)
class StreamGate:
    """Counts open streams, so that viewers can never take the threads that commands need."""

    capacity: int
    shutting: bool = False
    _open: int = 0
    _audiences: dict[int, tuple[str, Subscription]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self) -> bool:
        """Take a place; False when all are taken."""
        with self._lock:
            if self.shutting or self._open >= self.capacity:
                return False
            self._open += 1
            return True

    def shut(self) -> None:
        """Nobody enters any more, and every stream ends at once."""
        self.shutting = True
        self.end(None)

    def end(self, key: str | None) -> None:
        """End the streams of the device with this key at once (None: all); its page begins again as what it is now."""
        with self._lock:
            ended = [audience for owner, audience in self._audiences.values() if key is None or owner == key]
        for audience in ended:
            audience.close()

    @contextmanager
    def watching(self, audience: Subscription, key: str) -> Iterator[None]:
        """While a device follows the state, its stream can be ended."""
        with self._lock:
            self._audiences[id(audience)] = (key, audience)
        try:
            yield
        finally:
            with self._lock:
                del self._audiences[id(audience)]
            audience.close()

    def leave(self) -> None:
        """Give the place back."""
        with self._lock:
            self._open -= 1

    @property
    def open(self) -> int:
        """How many streams are being watched."""
        return self._open


def as_json(snapshot: Snapshot, own_role: str) -> str:
    """The state as a device of this role may see it, as the wire carries it."""
    return json.dumps(document(for_role(snapshot, own_role)), ensure_ascii=False, separators=(",", ":"))


def table() -> Table:
    """The table that this application shows."""
    found: Table = current_app.extensions["paiju_table"]
    return found


def messages(
    source: Table, own_role: str, gate: StreamGate, beat_s: float = BEAT_S, key: str = "", at_ms: int = 0
) -> Iterator[str]:
    """Server-sent events: `state` with the whole state, `beat` as a sign of life; ends when the table is stopped.

    First comes `hello`: which pages this program has and what its clock says (`at_ms`), for a page that was made by
    another version and a device whose clock is wrong. The stream also ends when the gate shuts or the device with this
    `key` is put out.
    """
    audience = source.subscribe()
    with gate.watching(audience, key):
        snapshot: Snapshot | None = source.snapshot()
        yield f"retry: 1000\nevent: hello\ndata: {json.dumps({'version': VERSION, 'at_ms': at_ms})}\n\n"
        shown = ""
        while not gate.shutting:
            text = as_json(snapshot, own_role) if snapshot else shown
            if snapshot and text != shown:
                shown = text
                yield f"id: {snapshot.seq}.{snapshot.rev}\nevent: state\ndata: {text}\n\n"
            else:
                yield "event: beat\ndata: 1\n\n"
            asked = time.monotonic()
            snapshot = audience.get(beat_s)
            if snapshot is None and time.monotonic() - asked < beat_s / 2:
                return


def _role() -> Role:
    """The role of this device, or a viewer's where the page asks for no more (an overlay on a referee's computer)."""
    return "viewer" if request.args.get("as") == "viewer" else role()


@blueprint.get("/api/v1/stream")
def stream() -> Response:
    """Watch the table live."""
    gate: StreamGate = current_app.extensions["paiju_gate"]
    if not gate.enter():
        answer = problem(503, "All live places are taken: this page asks every two seconds instead.", "streams_full")
        answer.headers["Retry-After"] = "30"
        return answer
    now_ms = current_app.extensions["paiju_wall_ms"]()
    live = messages(table(), _role(), gate, key=own_key(), at_ms=now_ms)
    response = Response(_Watched(live, gate), mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


class _Watched:
    """An iterator that gives its place back exactly once, even when the viewer left before the first message."""

    def __init__(self, inner: Iterator[str], gate: StreamGate) -> None:
        self._inner = inner
        self._gate = gate
        self._closed = False

    def __iter__(self) -> _Watched:
        return self

    def __next__(self) -> bytes:
        return next(self._inner).encode()

    def close(self) -> None:
        """Called by the server when the viewer has gone."""
        if not self._closed:
            self._closed = True
            self._gate.leave()
            close = getattr(self._inner, "close", None)
            if close is not None:
                close()


def _number(name: str, default: int) -> int | None:
    text = request.args.get(name, str(default))
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


@blueprint.get("/api/v1/history")
def history() -> Response:
    """Rows of the history that the state does not tell any more: `count` of them at most, before row `before`."""
    now = table().snapshot()
    before, count = _number("before", len(now.history)), _number("count", MOST_ROWS)
    if before is None or count is None or not 1 <= count <= MOST_ROWS:
        return problem(400, f"“before” is the number of a row, “count” one from 1 to {MOST_ROWS}.")
    return jsonify(rows_before(now, _role(), before, count))


@blueprint.get("/api/v1/state")
def state() -> Response:
    """The present state; with `If-None-Match` an unchanged one costs nothing."""
    text = as_json(table().snapshot(), _role())
    response = Response(text, mimetype="application/json")
    response.set_etag(hashlib.sha256(text.encode()).hexdigest()[:20])
    response.headers["Cache-Control"] = "no-cache"
    response.make_conditional(request)
    return response

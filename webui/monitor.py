"""How the table is, for programs: `/health` as JSON and `/metrics` for Prometheus."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify

from table.snapshot import Snapshot
from webui.evening import timings_now
from webui.stream import StreamGate, table
from webui.timing import Timing, middle

blueprint = Blueprint("monitor", __name__)


def _gate() -> StreamGate:
    gate: StreamGate = current_app.extensions["paiju_gate"]
    return gate


@blueprint.get("/health")
def health() -> Response:
    """Alive, and what is wrong; 503 while the ledger cannot be written."""
    now = table().snapshot()
    broken = any(problem.source == "ledger" for problem in now.problems)
    response = jsonify(
        status="broken" if broken else "trouble" if now.problems else "ok",
        seq=now.seq,
        at_ms=current_app.extensions["paiju_wall_ms"](),
        game=now.game is not None,
        camera=now.devices.camera.state,
        camera_fps=now.devices.camera.fps,
        camera_late_ms=now.devices.camera.late_ms,
        reading_ms=now.devices.camera.reading_ms,
        readings_per_s=now.devices.camera.readings_per_s,
        table=now.devices.table.state,
        problems=[problem.text for problem in now.problems],
    )
    response.status_code = 503 if broken else 200
    response.headers["Cache-Control"] = "no-store"
    return response


def _lines(now: Snapshot, streams: int) -> list[tuple[str, str, str, float]]:
    """Name with labels, type, what it means, value."""
    finished = sum(row.outcome not in ("false_win", "penalty") for row in now.history)
    return [
        ("paiju_ledger_seq", "counter", "Entries in the ledger.", now.seq),
        ("paiju_hands_finished", "gauge", "Finished hands of the open game.", finished),
        ("paiju_hands_corrected", "gauge", "Hands that were corrected.", sum(row.corrected for row in now.history)),
        ("paiju_claims_open", "gauge", "Claimed wins that wait for a decision.", len(now.claims)),
        ("paiju_calls_open", "gauge", "Open calls for the referee.", len(now.calls)),
        ("paiju_problems", "gauge", "Problems shown on the pages.", len(now.problems)),
        ("paiju_streams_open", "gauge", "Pages that watch live.", streams),
        ("paiju_camera_live", "gauge", "1 while the camera delivers.", now.devices.camera.state == "live"),
        ("paiju_camera_fps", "gauge", "Frames a second of the camera.", now.devices.camera.fps or 0),
        ("paiju_camera_late_ms", "gauge", "Delay of its frames, rounded.", now.devices.camera.late_ms or 0),
        ("paiju_reading_ms", "gauge", "What the last reading of a picture took.", now.devices.camera.reading_ms or 0),
        ("paiju_readings_per_second", "gauge", "Readings of late.", now.devices.camera.readings_per_s),
        ("paiju_table_live", "gauge", "1 while the table answers.", now.devices.table.state == "live"),
        *_times(timings_now()),
    ]


def _times(found: tuple[Timing, ...]) -> list[tuple[str, str, str, float]]:
    half = middle(found)
    if half is None:
        return []
    return [("paiju_seconds_to_score_median", "gauge", "Seconds from the claim to the approved score.", half)]


@blueprint.get("/metrics")
def metrics() -> Response:
    """Numbers in the text format of Prometheus."""
    text = "".join(
        f"# HELP {name} {meaning}\n# TYPE {name} {kind}\n{name} {value:g}\n"
        for name, kind, meaning, value in _lines(table().snapshot(), _gate().open)
    )
    response = Response(text, content_type="text/plain; version=0.0.4; charset=utf-8")
    response.headers["Cache-Control"] = "no-store"
    return response

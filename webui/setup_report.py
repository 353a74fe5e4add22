"""What is ready at this table and what is missing: for the set-up page, and as a file to keep or hand on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, get_args

from flask import Blueprint, Response, current_app, jsonify, render_template
from markupsafe import Markup

from table.decision import Rejected
from table.set_up import SetUp
from table.snapshot import Snapshot
from vision.types import BACK
from webui.pages import trusted, view
from webui.security import gatekeeper
from webui.stream import table
from webui.texts import catalogue

blueprint = Blueprint("setup_report", __name__)

STYLE = Path(__file__).parent / "static" / "css" / "setup-report.css"

Level = Literal["good", "open", "none"]
SURE_PERCENT = 98
"""Below so many tiles called sure in the camera's picture, light, height or focus deserve a look."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the report.

    Attributes:
        key: What it is about, for the catalogues: `report.<key>`.
        level: Ready, missing, or left out on purpose.
        hints: Keys of what to do about it.
    """

    key: str
    level: Level
    hints: tuple[str, ...] = ()


def lines() -> tuple[Line, ...]:
    """The whole report, as things are now."""
    state = table().snapshot()
    setup: SetUp | None = current_app.extensions["paiju_setup"]
    return (
        _pin(setup),
        Line("camera", _device(state.devices.camera.state)),
        *(_seen(setup, state) if setup is not None else ()),
        Line("line", _device(state.devices.table.state)),
        Line("game", "good" if state.game is not None and not (state.round and state.round.finished) else "open"),
        Line("trial", "good" if state.history else "open"),
        *((Line("sound", "good" if setup.settings.sound else "none"),) if setup is not None else ()),
        _secure(),
    )


def _pin(setup: SetUp | None) -> Line:
    if not gatekeeper().open:
        return Line("pin", "good")
    at_home = setup is None or setup.settings.place == "home"
    return Line("pin", "none") if at_home else Line("pin", "open", ("report.pin_hint",))


def _secure() -> Line:
    """Said as in the step of the tablet: on this PC itself the screen stays awake, on a tablet over plain HTTP not."""
    trust = trusted()
    if trust == "yes":
        return Line("secure", "good")
    return Line("secure", "open", ("report.secure_here" if trust == "here" else "report.secure_hint",))


def _device(state: str) -> Level:
    return "good" if state == "live" else "none" if state == "absent" else "open"


def _seen(setup: SetUp, state: Snapshot) -> tuple[Line, ...]:
    """What the camera makes possible; nothing to say without one."""
    own = setup.teaching.kept()
    tiles = Line("own_tiles", "none" if own is None else "good" if own.usable else "open")
    if state.devices.camera.state == "absent":
        return (Line("light", "none"), Line("corners", "none"), tiles)
    moved = any(problem.key == "camera_moved" for problem in state.problems)
    corners = Line("corners", "good" if setup.kept_corners() is not None and not moved else "open")
    scene = setup.scene()
    if isinstance(scene, Rejected):
        return (Line("light", "open"), corners, tiles)
    hints = tuple(f"scene.{key}" for key in scene.remarks)
    read = [tile for tile in scene.reading.tiles if tile.tile != BACK] if scene.reading is not None else []
    sure = sum(tile.sure == "sure" for tile in read)
    reading: Level = "none" if not read else "good" if 100 * sure >= SURE_PERCENT * len(read) else "open"
    return (
        Line("light", "open" if hints else "good", hints),
        corners,
        Line("reading", reading, ("wizard.tiles_advice",) if reading == "open" else ()),
        tiles,
    )


def as_rows() -> list[dict[str, Any]]:
    """The report for the page."""
    return [{"key": line.key, "level": line.level, "hints": line.hints} for line in lines()]


@blueprint.get("/api/v1/setup/report")
def report() -> Response:
    """What is ready and what is missing."""
    return jsonify(lines=as_rows())


@blueprint.get("/setup-report.html")
def download() -> Response:
    """The report as one file without any other: to keep, to print, or to send to whoever helps."""
    seen = view()
    words = catalogue(seen.language)
    page = render_template(
        "setup-report.html",
        view=seen,
        t=words,
        lines=lines(),
        state=table().snapshot(),
        levels={level: words(f"wizard.report_{level}") for level in get_args(Level)},
        style=Markup("<style>{}</style>").format(Markup(STYLE.read_text("utf-8"))),
        version=version("paiju"),
        day=datetime.now().astimezone().strftime("%Y-%m-%d %H:%M"),
    )
    response = Response(page, mimetype="text/html")
    response.headers["Content-Disposition"] = 'attachment; filename="setup-report.html"'
    response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return response

"""Scripts, styles, tiles and icons under an address that changes with them, so that a browser may keep them."""

from __future__ import annotations

import hashlib
from pathlib import Path

from flask import Blueprint, Flask, Response, current_app, url_for

FOLDER = Path(__file__).parent / "static"
FOR_GOOD = "public, max-age=31536000, immutable"

blueprint = Blueprint("assets", __name__)


def _version() -> str:
    """What changes when any of the files does: all of them go out under one name, for scripts load one another."""
    digest = hashlib.sha256()
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(FOLDER).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:12]


VERSION = _version()
"""Of the files as they were when this program began."""


def install(app: Flask) -> None:
    """Let templates name a file by `asset("css/paiju.css")`."""
    app.jinja_env.globals["asset"] = asset


def asset(name: str) -> str:
    """Where a file of the pages is."""
    return url_for("assets.kept", version=VERSION, filename=name)


@blueprint.get("/static-<version>/<path:filename>")
def kept(version: str, filename: str) -> Response:
    """A file of the pages; a page that is older than the program gets what is there now, and asks again next time."""
    response = current_app.send_static_file(filename)
    response.headers["Cache-Control"] = FOR_GOOD if version == VERSION else "no-cache"
    return response

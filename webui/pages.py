"""The pages people open: the tablet's scoreboard, the referee's desk, the phone's camera."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, current_app, jsonify, make_response, render_template, request, url_for
from werkzeug.exceptions import NotFound

from webui.assets import asset
from webui.errors import problem
from webui.security import rank, role, this_device
from webui.texts import LANGUAGES, PARTS, catalogue, preferred, words_for

blueprint = Blueprint("pages", __name__)

SIZES = 5
QR_PAGES = {"table": "", "snap": "snap", "desk": "desk", "history": "history", "trust": "trust"}
THEMES = ("auto", "light", "dark")
SET_UP = ("setup.html", "devices.html")

Trusted = Literal["yes", "here", "no"]


@dataclass(frozen=True, slots=True)
class View:
    """How this device likes to see the pages; kept in cookies so that the first paint is already right."""

    language: str
    theme: str
    size: int
    side: int


def _choice(cookie: str, allowed: int, default: int) -> int:
    value = request.cookies.get(cookie, "")
    return int(value) if value.isdecimal() and int(value) < allowed else default


def view() -> View:
    """The preferences of the device that asks."""
    language = request.cookies.get("paiju_lang", "")
    theme = request.cookies.get("paiju_theme", "")
    return View(
        language if language in LANGUAGES else preferred(request.headers.get("Accept-Language", "")),
        theme if theme in THEMES else "auto",
        _choice("paiju_size", SIZES, 2),
        _choice("paiju_side", 4, 0),
    )


DRAWN_AS = {"player": "tablet", "scorekeeper": "tablet", "chief": "referee", "organiser": "viewer"}
"""Pages are drawn for a viewer, the tablet or the referee; what a device may really do is decided when it asks."""


def page(template: str, **more: object) -> Response:
    """One of the pages, in the language and light of the device that asks."""
    seen, own = view(), role()
    words = catalogue(seen.language)
    drawn = "referee" if rank() in ("chief", "organiser") and template in SET_UP else DRAWN_AS.get(own, own)
    who = {"role": drawn, "own_role": own, "seat": this_device().seat, "trust": trusted()}
    who["waits"] = current_app.extensions["paiju_wait"] is not None
    response = make_response(render_template(template, view=seen, t=words, languages=LANGUAGES, **who, **more))
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Vary"] = "Cookie, Accept-Language"
    return response


def trusted() -> Trusted:
    """Whether browsers trust this page: only then they keep the screen awake and install it.

    `yes` over HTTPS; `here` on this PC itself, whose own pages browsers trust in plain; `no` on any other device.
    """
    if request.is_secure:
        return "yes"
    name = urlsplit(f"//{request.host}").hostname or ""
    try:
        here = ip_address(name).is_loopback
    except ValueError:
        here = name == "localhost" or name.endswith(".localhost")
    return "here" if here else "no"


@blueprint.get("/")
def scoreboard() -> Response:
    """The tablet at the table."""
    return page("table.html")


@blueprint.get("/desk")
def desk() -> Response:
    """The referee's desk."""
    return page("desk.html")


@blueprint.get("/snap")
def snap() -> Response:
    """Photograph a hand with this phone."""
    return page("snap.html")


@blueprint.get("/history")
def history() -> Response:
    """The evening: scores, players, every hand."""
    return page("history.html")


@blueprint.get("/hall")
def hall() -> Response:
    """The tables of a hall, and what waits for a referee at any of them."""
    return page("hall.html")


@blueprint.get("/setup")
def setup() -> Response:
    """Set up a table, step by step; a table that is not set up from here (the demonstration) has only plain steps."""
    return page("setup.html", set_up="no" if current_app.extensions["paiju_setup"] is None else "yes")


@blueprint.get("/devices")
def devices() -> Response:
    """Which devices are in, and ending all sessions."""
    return page("devices.html")


@blueprint.get("/join")
def join() -> Response:
    """Where a pairing code leads: this device becomes what the code says."""
    return page("join.html")


@blueprint.get("/overlay")
def overlay() -> Response:
    """A transparent bar for a video stream, `?delay=30` seconds late."""
    return page("overlay.html")


@blueprint.app_errorhandler(404)
def lost(error: NotFound) -> Response:
    """A wrong address: a browser gets a sentence and the way back, a program the JSON of every refusal."""
    if request.path.startswith("/api/") or "text/html" not in request.accept_mimetypes.values():
        return problem(404, f"{request.method} {request.path}: {error.description}")
    response = page("lost.html")
    response.status_code = 404
    return response


@blueprint.get("/qr/<page>.svg")
def qr(page: str) -> Response:
    """A code that brings a phone to one of the pages."""
    if page not in QR_PAGES:
        return problem(404, f"There is no code for “{page}”: choose one of {', '.join(QR_PAGES)}.")
    address = current_app.config["PAIJU_ADDRESS"] or request.host_url
    drawing = io.BytesIO()
    segno.make(f"{address.rstrip('/')}/{QR_PAGES[page]}", error="m").save(drawing, kind="svg", scale=8, border=3)
    response = Response(drawing.getvalue(), mimetype="image/svg+xml")
    response.headers["Cache-Control"] = "no-cache"
    return response


@blueprint.get("/texts/<language>.json")
def texts(language: str) -> Response:
    """The words of one language for the scripts: all of them, or with `?for=desk` those that this page needs."""
    if language not in LANGUAGES:
        return problem(404, f"There are no texts in “{language}”: choose one of {', '.join(LANGUAGES)}.")
    part = request.args.get("for")
    if part is not None and part not in PARTS:
        return problem(404, f"No page has the name “{part}”: choose one of {', '.join(PARTS)}.")
    words = catalogue(language) if part is None else words_for(language, part)
    response = jsonify(texts=dict(words.texts), fans=dict(words.fans))
    response.set_etag(hashlib.sha256(response.get_data()).hexdigest()[:20])
    response.headers["Cache-Control"] = "no-cache"
    response.make_conditional(request)
    return response


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """What makes the page installable on a tablet."""
    words = catalogue(view().language)
    response = jsonify(
        name=words("app.name"),
        short_name=words("app.short"),
        start_url=url_for("pages.scoreboard"),
        display="fullscreen",
        background_color="#0e2a22",
        theme_color="#0e2a22",
        icons=[
            {"src": asset("icons/icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            {"src": asset("icons/icon-192.png"), "sizes": "192x192", "type": "image/png"},
            {"src": asset("icons/icon-512.png"), "sizes": "512x512", "type": "image/png",
             "purpose": "any maskable"},
        ],
    )  # fmt: skip
    response.mimetype = "application/manifest+json"
    return response


@blueprint.get("/sw.js")
def service_worker() -> Response:
    """The service worker must live at the root to look after every page."""
    return current_app.send_static_file("js/sw.js")

"""The set-up page's own routes: what is chosen, what the camera sees, the felt's corners, own tiles, the line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import wraps
from typing import Any, cast, get_args

from flask import Blueprint, Response, current_app, jsonify, request

from models import ModelsError
from table.decision import Rejected, reject
from table.sentences import repeat
from table.set_up import SetUp
from table.settings import STEPS, Place, Step
from vision.enrolled import EnrolmentError
from vision.guided import GUIDED_ROWS, GuidedRow
from vision.pictures import PictureError, load_picture
from vision.said import said
from vision.types import Image, PictureReading
from webui import setup_report
from webui.errors import BadRequestError, refusal
from webui.requests import json_object

blueprint = Blueprint("set_up", __name__)
"""Everything of the set-up: these routes, and the report."""

_routes = Blueprint("setup_api", __name__, url_prefix="/api/v1/setup")
Answer = Response | Rejected


def _route(rule: str, method: str = "GET") -> Callable[[Callable[[], Answer]], Callable[[], Response]]:
    """A route whose refusals become the one form that pages understand."""

    def install(view: Callable[[], Answer]) -> Callable[[], Response]:
        @_routes.route(rule, methods=[method])
        @wraps(view)
        def answered() -> Response:
            if current_app.extensions["paiju_setup"] is None:
                return refusal(reject("not_set_up_here").sentence)
            try:
                answer = view()
            except ModelsError as error:
                answer = reject("eyes_failed", detail=str(error))
            return refusal(answer.sentence) if isinstance(answer, Rejected) else answer

        return answered

    return install


def _setup() -> SetUp:
    found: SetUp = current_app.extensions["paiju_setup"]
    return found


def _said(refused: Rejected | None) -> Answer:
    return refused if refused is not None else _state()


# --- where the set-up stands ----------------------------------------------------------------------------------------


@_route("")
def state() -> Answer:
    """What was chosen, and where the set-up stands."""
    return _state()


def _state() -> Response:
    setup = _setup()
    chosen, kept = setup.settings, setup.kept_corners()
    own, camera = setup.teaching.kept(), setup.chosen()
    return jsonify(
        step=chosen.step,
        steps=STEPS,
        place=chosen.place,
        skipped=chosen.skipped,
        sound=chosen.sound,
        camera={
            "given": setup.camera_given,
            "id": camera.id if camera else None,
            "kind": camera.kind if camera else None,
            "name": camera.name if camera else "",
        },
        line={"given": setup.line_given, "words": chosen.table},
        corners=asdict(kept) if kept else None,
        own_tiles=asdict(own) if own else None,
    )


@_route("", "POST")
def remember() -> Answer:
    """Keep the kind of place, the step another device goes on at, a skipped step, or that the sound was heard."""
    body = json_object()
    place, step, skip = body.get("place"), body.get("step"), body.get("skip")
    if place is not None and place not in get_args(Place):
        raise BadRequestError(f"The place must be one of {', '.join(get_args(Place))}.")
    for name in (step, skip):
        if name is not None and name not in STEPS:
            raise BadRequestError(f"The step must be one of {', '.join(STEPS)}.")
    return _said(
        _setup().remember(
            place=cast("Place | None", place),
            step=cast("Step | None", step),
            skip=cast("Step | None", skip),
            sound=body.get("sound") is True,
        )
    )


# --- the camera -----------------------------------------------------------------------------------------------------


@_route("/cameras")
def cameras() -> Answer:
    """The cameras that can be chosen."""
    return jsonify(cameras=[{"id": one.id, "kind": one.kind, "name": one.name} for one in _setup().cameras()])


@_route("/thumbnail")
def thumbnail() -> Answer:
    """What a camera of the list sees now (`?camera=ID`), small; an address in the network is not opened for it."""
    return _picture(_setup().thumbnail(request.args.get("camera", "")))


@_route("/camera", "POST")
def choose_camera() -> Answer:
    """Use a camera from now on: `{"camera": id, address or null}`."""
    name = json_object().get("camera")
    if name is not None and not isinstance(name, str):
        raise BadRequestError("The camera must be an id of the list, an address such as rtsp://HOST/PATH, or null.")
    return _said(_setup().choose_camera(name))


@_route("/picture")
def picture() -> Answer:
    """What the table's camera sees now."""
    return _picture(_setup().picture())


@_route("/scene")
def scene() -> Answer:
    """Light, focus, glare, size, and the tiles that are read now."""
    seen = _setup().scene()
    if isinstance(seen, Rejected):
        return seen
    return jsonify(
        remarks=seen.remarks,
        light=round(seen.light),
        sharpness=round(seen.sharpness, 3),
        tile_px=round(seen.tile_px),
        reading=_reading(seen.reading) if seen.reading is not None else None,
    )


def _reading(reading: PictureReading) -> dict[str, Any]:
    tiles = [{"tile": one.tile, "sure": one.sure, "box": [round(edge) for edge in one.box_px]} for one in reading.tiles]
    return {"width": reading.width, "height": reading.height, "tiles": tiles}


def _picture(data: bytes | Rejected) -> Answer:
    return data if isinstance(data, Rejected) else Response(data, mimetype="image/jpeg")


# --- the felt's corners ---------------------------------------------------------------------------------------------


@_route("/corners")
def find_corners() -> Answer:
    """The felt's corners as the eyes find them now, as shares of the picture."""
    found = _setup().found_corners()
    return found if isinstance(found, Rejected) else jsonify(asdict(found))


@_route("/corners", "POST")
def keep_corners() -> Answer:
    """Use corners from now on: `{"points": [[x, y] x 4], "seat": 0}`."""
    body = json_object()
    points, seat = _points(body.get("points")), body.get("seat", 0)
    if isinstance(seat, bool) or not isinstance(seat, int) or seat not in range(4):
        raise BadRequestError("The seat must be 0 (bottom of the picture), 1, 2 or 3, counter-clockwise.")
    return _said(_setup().keep_corners(points, seat))


@_route("/corners/check")
def check_corners() -> Answer:
    """How well the felt between `?points=x,y,x,y,x,y,x,y` is seen."""
    checked = _setup().check(_asked_points())
    if isinstance(checked, Rejected):
        return checked
    return jsonify(tile_px=round(checked.tile_px), well_px=checked.well_px, words=checked.words)


@_route("/preview")
def preview() -> Answer:
    """The felt straight from above for `?points=x,y,x,y,x,y,x,y&seat=0`."""
    seat = request.args.get("seat", "0")
    if seat not in ("0", "1", "2", "3"):
        raise BadRequestError("The seat must be 0 (bottom of the picture), 1, 2 or 3, counter-clockwise.")
    return _picture(_setup().preview(_asked_points(), int(seat)))


def _asked_points() -> tuple[tuple[float, float], ...]:
    numbers = request.args.get("points", "").split(",")
    return _points([list(pair) for pair in zip(numbers[::2], numbers[1::2], strict=False)])


def _points(given: object) -> tuple[tuple[float, float], ...]:
    try:
        points = tuple((float(x), float(y)) for x, y in cast("list[tuple[Any, Any]]", given))
    except (TypeError, ValueError, OverflowError):
        points = ()
    if len(points) != 4 or not all(-0.5 <= side <= 1.5 for point in points for side in point):
        raise BadRequestError("The points must be four pairs [x, y], each a share of the picture's side.")
    return points


# --- the table's own tiles ------------------------------------------------------------------------------------------


@_route("/tiles")
def rows() -> Answer:
    """The rows to lay out and how often each was shown."""
    return _rows()


def _rows() -> Response:
    teaching = _setup().teaching
    own = teaching.kept()
    return jsonify(
        rows=[
            {"key": row.key, "tiles": row.tiles, "optional": row.optional, "shown": teaching.shown(row.key)}
            for row in GUIDED_ROWS
        ],
        complete=teaching.complete,
        own_tiles=asdict(own) if own else None,
    )


@_route("/tiles/row", "POST")
def show_row() -> Answer:
    """Show one row: a photograph as the multipart field `picture`, or the table's camera; `sure=1` settles doubts."""
    row = next((one for one in GUIDED_ROWS if one.key == request.form.get("row")), None)
    if row is None:
        return reject("no_such_row", row=request.form.get("row", "")[:20])
    try:
        image = _shown_image()
        if image is None:
            return reject("no_camera")
        return _looked(row, image, sure=request.form.get("sure") == "1")
    except (PictureError, EnrolmentError) as error:
        return Rejected(sentence=repeat(said(error), "eyes_failed"))


def _shown_image() -> Image | None:
    upload = request.files.get("picture")
    return load_picture(upload.read()) if upload is not None else _setup().image()


def _looked(row: GuidedRow, image: Image, *, sure: bool) -> Response:
    look = _setup().teaching.show(row, image, sure=sure)
    doubts = [{"place": one.place, "expected": one.expected, "seen": one.seen} for one in look.doubts]
    return jsonify(taken=look.taken, doubts=doubts, remarks=look.remarks, shown=_setup().teaching.shown(row.key))


@_route("/tiles/keep", "POST")
def keep_tiles() -> Answer:
    """Learn the shown rows and read with them from now on."""
    return _changed(_setup().teaching.finish)


@_route("/tiles/again", "POST")
def begin_again() -> Answer:
    """Forget the rows shown so far; what was kept before stays."""
    _setup().teaching.begin_again()
    return _rows()


@_route("/tiles/forget", "POST")
def forget_tiles() -> Answer:
    """Read tiles as those of any set again."""
    return _changed(_setup().teaching.forget)


def _changed(work: Callable[[], object]) -> Answer:
    try:
        work()
    except EnrolmentError as error:
        return Rejected(sentence=repeat(said(error), "eyes_failed"))
    refused = _setup().tiles_changed()
    return refused if refused is not None else _rows()


# --- the line to the table ------------------------------------------------------------------------------------------


@_route("/ports")
def ports() -> Answer:
    """Serial ports and recordings that can be chosen, and what is heard at each while Paiju listens."""
    setup = _setup()
    heard = [asdict(one) for one in setup.ear.heard()]
    listed = [asdict(one) for one in setup.ports()]
    return jsonify(ports=listed, replays=setup.replays(), listening=setup.ear.listening, heard=heard)


@_route("/ports/listen", "POST")
def listen() -> Answer:
    """Wait at every port for somebody to press the dice button."""
    return _said(_setup().listen())


@_route("/line", "POST")
def choose_line() -> Answer:
    """Use a line from now on: `{"words": ["/dev/ttyUSB0"]}`; an empty list for none."""
    words = json_object().get("words")
    if not isinstance(words, list) or len(words) > 4 or not all(isinstance(word, str) for word in words):
        raise BadRequestError('The words must be a list of ports, e.g. ["/dev/ttyUSB0"], ["sim"] or [].')
    return _said(_setup().choose_line(tuple(words)))


blueprint.register_blueprint(_routes)
blueprint.register_blueprint(setup_report.blueprint)

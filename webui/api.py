"""The program interface v1: state, stream, commands, photographs, score questions, evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request

from rules.errors import RulesInputError
from rules.options import Option
from rules.questions import answer
from rules.registry import RULESETS, ruleset
from rules.ruleset import Ruleset
from rules.tables import describe
from rules.wording import LANGUAGES, in_words
from table.commands import CommandError, parse_command
from table.decision import Accepted, Rejected
from table.events import HandChange, RowChange
from table.ledger import LedgerError
from table.model import NOTHING, Actor, FalseWin
from table.penalties import penalty_list
from table.sentences import ledger_trouble
from table.state import result_of
from webui.errors import BadRequestError, problem, refusal
from webui.evening import evenings
from webui.ownership import owned_by_other
from webui.requests import json_object
from webui.security import may, of_earlier, role, this_device
from webui.stream import table
from webui.texts import catalogue

blueprint = Blueprint("api", __name__)

PICTURE_TYPES = frozenset({"image/jpeg", "image/png", "image/webp", "image/heic", "image/heif"})
"""Taken in; the last two to be refused with what to set on an iPhone (`vision.pictures`)."""


def _actor(name: object, device: object = None) -> Actor:
    """Who taps: the role comes from this device's session, never from the sender; so does the name it was paired by."""
    known = this_device().name
    return Actor(role=role(), name=str(name or "")[:40], device=known or str(device or "")[:40])


def _outcome(answer: Accepted | Rejected) -> Response:
    if isinstance(answer, Rejected):
        return refusal(answer.sentence)
    moved = [*map(_change, answer.changes), *map(_row_change, answer.rows)]
    return jsonify(seq=answer.seq, changes=moved, win=None if answer.win is None else asdict(answer.win))


def _change(change: HandChange) -> dict[str, Any]:
    """What a correction does to one hand, as the desk shows it: by player, so that exchanged seats show too."""
    return {
        "hand_no": change.hand_no,
        "what": "hand",
        "before": _by_player(change.before.payments, change.setup_before.seating),
        "after": _by_player(change.after.payments, change.setup_after.seating),
        "fee_before": _by_player(change.before.fee, change.setup_before.seating),
        "fee_after": _by_player(change.after.fee, change.setup_after.seating),
    }


def _row_change(change: RowChange) -> dict[str, Any]:
    """The same for a false win or a penalty; points taken off count too, and `player` is whose it is."""
    before, after = change.before, change.after
    return {
        "hand_no": after.setup.hand_no,
        "what": "false_win" if isinstance(after, FalseWin) else "penalty",
        "player": after.setup.seating[after.seat],
        "before": _by_player(result_of(before), before.setup.seating),
        "after": _by_player(result_of(after), after.setup.seating),
        "fee_before": NOTHING,
        "fee_after": NOTHING,
    }


def _by_player(payments: Sequence[int], seating: Sequence[int]) -> list[int]:
    return [payments[seating.index(player)] for player in range(4)]


@blueprint.post("/api/v1/command")
def command() -> Response:
    """Do one thing at the table."""
    body = json_object()
    kind, given = body.get("kind"), body.get("actor")
    if not isinstance(kind, str):
        raise BadRequestError('The command has no kind: say for example {"kind": "claim_win"}.')
    who = given if isinstance(given, dict) else {}
    signed = {**body, "actor": asdict(_actor(who.get("name"), who.get("device")))}
    try:
        wish = parse_command(signed)
    except CommandError as error:
        return refusal(error.sentence, 400)
    if not may(kind, body):
        return problem(403, f"This device may not do “{kind}”: enter the PIN first.", "pin_first")
    return owned_by_other(wish) or _outcome(table().submit(wish))


@blueprint.post("/api/v1/photo")
def photo() -> Response:
    """Read a laid-down hand from an uploaded photograph (multipart fields `picture` and `idem`)."""
    if not may("hand_photo", {}):
        return problem(403, "This device may not send pictures: enter the PIN first.", "pin_first")
    upload, idem = request.files.get("picture"), request.form.get("idem", "")
    if upload is None or not 0 < len(idem) <= 100:
        raise BadRequestError(
            "Send the picture as the multipart field “picture”, with a unique text in the field “idem”."
        )
    if upload.mimetype not in PICTURE_TYPES:
        return problem(
            415, f"“{upload.mimetype}” is not a picture Paiju reads: send JPEG, PNG or WebP.", "not_picture_type"
        )
    data = upload.read()
    return _outcome(table().submit_photo(data, _actor(request.form.get("name"), request.form.get("device")), idem))


@blueprint.post("/api/v1/score")
def score() -> Response | tuple[Response, int]:
    """Answer a question of the rules: is this hand legal, what is it worth, who pays? `?explain=1` says why."""
    question = json_object()
    try:
        return jsonify(answer(question, explained=request.args.get("explain") == "1"))
    except RulesInputError as error:
        return jsonify(id=question.get("id"), error=str(error)), 400


@blueprint.get("/api/v1/rulesets")
def rulesets() -> Response:
    """The rulesets a game can be opened with; `?language=` says the notes on their options in another language."""
    language = request.args.get("language", "en")
    if language not in LANGUAGES:
        return problem(400, f"There is no language “{language[:20]}”; take one of {', '.join(LANGUAGES)}.")
    return jsonify(rulesets=[_ruleset(rules, language) for rules in RULESETS])


def _ruleset(rules: Ruleset, language: str) -> dict[str, Any]:
    options = [_option(name, one, language) for name, one in rules.options.items() if _is_plain(one)]
    return {"name": rules.name, "version": rules.version, "options": options}


@blueprint.get("/api/v1/rules")
def one_ruleset() -> Response | tuple[Response, int]:
    """One ruleset as the table a player can read: `?name=gb&language=en`."""
    language = request.args.get("language", LANGUAGES[0])
    if language not in LANGUAGES:
        return problem(400, f"There is no language “{language[:20]}”; take one of {', '.join(LANGUAGES)}.")
    try:
        rules = ruleset(request.args.get("name", ""))
    except RulesInputError as error:
        return problem(404, str(error))
    return jsonify(name=rules.name, language=language, text=describe(rules, language, catalogue(language).texts))


def _is_plain(option: Option) -> bool:
    """Lists and tables are set in files, not on a touch screen."""
    return not isinstance(option.default, list | dict)


def _option(name: str, option: Option, language: str) -> dict[str, Any]:
    """A house rule as the set-up sheet offers it; `values` is null where any value of a kind is allowed."""
    values = list(option.values) if option.values is not None else None
    return {
        "name": name,
        "default": option.default,
        "values": values,
        "takes": in_words(option.takes, language),
        "house": option.mark == "choice",
        "note": in_words(option.note, language),
    }


@blueprint.get("/api/v1/penalties")
def penalties() -> Response:
    """The penalties a referee can choose from, by the federations' own lists."""
    return jsonify(penalties=[asdict(row) for row in penalty_list()])


@blueprint.post("/api/v1/busy")
def busy() -> Response:
    """Somebody is at a page: a demonstration waits a few seconds. Other tables play nothing by themselves."""
    wait = current_app.extensions["paiju_wait"]
    if wait is None:
        return problem(404, "This table plays nothing by itself, so nothing waits.")
    wait()
    return Response(status=204)


@blueprint.get("/evidence/<picture_id>")
def evidence(picture_id: str) -> Response:
    """The picture a decision rests on; spectators do not get one of a competition, then or later (`access.csv`)."""
    refused = of_earlier("competition")
    try:
        if refused is not None and evenings().of_competition(picture_id):
            return refused
    except LedgerError as error:
        return refusal(ledger_trouble(error), 503)
    found = table().evidence(picture_id)
    if found is None:
        return _gone() if table().was_let_go(picture_id) else problem(404, f"There is no picture “{picture_id}”.")
    response = Response(found, mimetype="image/jpeg")
    response.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return response


def _gone() -> Response:
    """A drawing in place of a picture that is no longer kept, so that every page says it without knowing."""
    response: Response = current_app.send_static_file("icons/let-go.svg")
    response.status_code = 410
    response.headers["Cache-Control"] = "no-cache"
    return response

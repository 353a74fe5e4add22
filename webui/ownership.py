"""One hand is corrected at a time, by one referee, who owns the correction until he leaves or is away ten seconds."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import token_urlsafe

from flask import Blueprint, Response, current_app, jsonify, request, session

from table.commands import Command, CorrectHand, CorrectOptions, CorrectSeats, UndoLast
from table.sentences import say
from webui.errors import BadRequestError, problem, refusal
from webui.requests import json_object
from webui.security import this_device
from webui.stream import table

AWAY_S = 10.0
"""An owner who gives no sign of life for so long has left; whoever asks next takes over."""

_OF_FINISHED = frozenset({"hand_settled", "game_closed", "hand_corrected", "options_corrected", "seats_corrected"})
"""What is undone in the hands that are over (`Snapshot.undo`); everything else belongs to the hand being played."""

blueprint = Blueprint("ownership", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Who corrects which hand: a device (secret), the name to show, and when it last gave a sign of life (seconds)."""

    hand_no: int
    device: str
    name: str
    seen_s: float


@dataclass(slots=True)
class Correction:
    """The one correction of the game that may be open; safe from several threads."""

    clock: Callable[[], float]
    _owner: Owner | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, hand_no: int, device: str, name: str) -> Owner:
        """Begin to correct a hand, or stay at it; the owner afterwards, who may be somebody else at any hand."""
        with self._lock:
            owner = self._present()
            if owner is None or owner.device == device:
                owner = self._owner = Owner(hand_no=hand_no, device=device, name=name, seen_s=self.clock())
            return owner

    def leave(self, hand_no: int, device: str) -> None:
        """The correction is done or given up."""
        with self._lock:
            if self._owner is not None and (self._owner.hand_no, self._owner.device) == (hand_no, device):
                self._owner = None

    def open(self) -> Owner | None:
        """Who corrects a hand now."""
        with self._lock:
            return self._present()

    def _present(self) -> Owner | None:
        owner = self._owner
        return owner if owner is not None and self.clock() - owner.seen_s < AWAY_S else None


def _corrections() -> Correction:
    found: Correction = current_app.extensions["paiju_corrections"]
    return found


def _device() -> str:
    """A name of this device that only it knows; also at a table without PINs."""
    if "corrects" not in session:
        session["corrects"] = token_urlsafe(9)
    return str(session["corrects"])


def _hand_no(given: object) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= 10_000:
        raise BadRequestError("Say which hand: hand_no must be the number of a hand, e.g. 3.")
    return given


def owned_by_other(wish: Command) -> Response | None:
    """The refusal when somebody else is correcting a hand and this changes finished hands; looking is free.

    A correction names kongs by their place in its hand and may move every later hand, so another one waits for it.
    """
    owner = _corrections().open()
    if owner is None or owner.device == str(session.get("corrects", "")):
        return None
    if isinstance(wish, CorrectHand | CorrectSeats | CorrectOptions):
        return None if wish.preview else _refusal(owner)
    return _refusal(owner) if isinstance(wish, UndoLast) and table().snapshot().undo in _OF_FINISHED else None


def _refusal(owner: Owner) -> Response:
    sentence = f"{owner.name} is correcting hand {owner.hand_no}: wait, or take over 10 s after {owner.name} left."
    return problem(409, sentence, "owned", name=owner.name, hand_no=owner.hand_no)


@blueprint.get("/api/v1/correction")
def corrections() -> Response:
    """The hand that is being corrected now, and by whom; a list of one at most."""
    own, owner = str(session.get("corrects", "")), _corrections().open()
    found = [] if owner is None else [{"hand_no": owner.hand_no, "name": owner.name, "own": owner.device == own}]
    return jsonify(corrections=found)


@blueprint.put("/api/v1/correction")
def take() -> Response:
    """Own the correction of a hand; repeat it every few seconds while it is open: `{hand_no, name}`."""
    body = json_object()
    hand_no, device = _hand_no(body.get("hand_no")), _device()
    finished = [row.hand_no for row in table().snapshot().history if row.outcome not in ("false_win", "penalty")]
    if hand_no not in finished:
        return refusal(say("no_such_hand", hand_no=hand_no, last=max(finished, default=0)))
    name = this_device().name or str(body.get("name") or "")[:40] or request.remote_addr or "?"
    owner = _corrections().take(hand_no, device, name)
    return jsonify(hand_no=hand_no, name=owner.name, own=True) if owner.device == device else _refusal(owner)


@blueprint.delete("/api/v1/correction")
def leave() -> Response:
    """The correction is done or given up: `{hand_no}`."""
    _corrections().leave(_hand_no(json_object().get("hand_no")), str(session.get("corrects", "")))
    return corrections()

"""One referee corrects a hand at a time: who began owns the correction until he leaves or is away for ten seconds."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import token_urlsafe

from flask import Blueprint, Response, current_app, jsonify, request, session

from table.commands import Command, CorrectHand, CorrectOptions, CorrectSeats
from webui.errors import BadRequestError, problem
from webui.requests import json_object
from webui.security import this_device

AWAY_S = 10.0
"""An owner who gives no sign of life for so long has left; whoever asks next takes over."""

blueprint = Blueprint("ownership", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Who corrects a hand: a device (secret), the name to show, and when it last gave a sign of life (seconds)."""

    device: str
    name: str
    seen_s: float


@dataclass(slots=True)
class Corrections:
    """The corrections that are open, by hand number; safe from several threads."""

    clock: Callable[[], float]
    _owners: dict[int, Owner] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, hand_no: int, device: str, name: str) -> Owner:
        """Begin to correct a hand, or stay at it; the owner afterwards, who may be somebody else."""
        with self._lock:
            owner = self._present(hand_no)
            if owner is None or owner.device == device:
                owner = self._owners[hand_no] = Owner(device=device, name=name, seen_s=self.clock())
            return owner

    def leave(self, hand_no: int, device: str) -> None:
        """The correction is done or given up."""
        with self._lock:
            owner = self._owners.get(hand_no)
            if owner is not None and owner.device == device:
                del self._owners[hand_no]

    def open(self) -> list[tuple[int, Owner]]:
        """The hands being corrected now."""
        with self._lock:
            return [(no, owner) for no in sorted(self._owners) if (owner := self._present(no)) is not None]

    def _present(self, hand_no: int) -> Owner | None:
        owner = self._owners.get(hand_no)
        return owner if owner is not None and self.clock() - owner.seen_s < AWAY_S else None


def _corrections() -> Corrections:
    found: Corrections = current_app.extensions["paiju_corrections"]
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
    """The refusal when somebody else is correcting a hand that this sets right; looking at what would change is free.

    Seats are set right from one hand on, and options in every hand: both move a hand that somebody has open.
    """
    if not isinstance(wish, CorrectHand | CorrectSeats | CorrectOptions) or wish.preview:
        return None
    first = wish.hand_no if isinstance(wish, CorrectHand) else wish.from_hand if isinstance(wish, CorrectSeats) else 1
    alone = isinstance(wish, CorrectHand)
    device = str(session.get("corrects", ""))
    for number, owner in _corrections().open():
        if owner.device != device and (number == first if alone else number >= first):
            return _refusal(owner)
    return None


def _refusal(owner: Owner) -> Response:
    sentence = f"{owner.name} is correcting this hand: wait, or take over 10 s after {owner.name} left."
    return problem(409, sentence, "owned", name=owner.name)


@blueprint.get("/api/v1/correction")
def corrections() -> Response:
    """The hands that are being corrected now, and by whom."""
    own = str(session.get("corrects", ""))
    found = [{"hand_no": no, "name": one.name, "own": one.device == own} for no, one in _corrections().open()]
    return jsonify(corrections=found)


@blueprint.put("/api/v1/correction")
def take() -> Response:
    """Own the correction of a hand; repeat it every few seconds while it is open: `{hand_no, name}`."""
    body = json_object()
    hand_no, device = _hand_no(body.get("hand_no")), _device()
    name = this_device().name or str(body.get("name") or "")[:40] or request.remote_addr or "?"
    owner = _corrections().take(hand_no, device, name)
    return jsonify(hand_no=hand_no, name=owner.name, own=True) if owner.device == device else _refusal(owner)


@blueprint.delete("/api/v1/correction")
def leave() -> Response:
    """The correction is done or given up: `{hand_no}`."""
    _corrections().leave(_hand_no(json_object().get("hand_no")), str(session.get("corrects", "")))
    return corrections()

"""Nothing is switched off in the middle of a hand: cameras, the line, tiles and PINs are locked until it is over.

The chief's PIN in the header opens the lock for one request (the referee's where no chief has one; ``sure`` at a table
without PINs). Every attempt is put on the referee's desk as a call, so it is in the ledger, too.
"""

from __future__ import annotations

from secrets import token_hex

from flask import Flask, Response, request

from table.commands import CallReferee
from table.model import Actor
from webui.access import must_wait
from webui.errors import problem
from webui.ports import Table
from webui.security import gatekeeper, role, this_device

PIN_HEADER = "X-Paiju-Pin"

LOCKED = frozenset(
    {
        "POST /api/v1/setup/camera", "POST /api/v1/setup/corners", "POST /api/v1/setup/line",
        "POST /api/v1/setup/ports/listen", "POST /api/v1/setup/tiles/keep", "POST /api/v1/setup/tiles/forget",
        "PUT /api/v1/pins", "DELETE /api/v1/paired",
    }
)  # fmt: skip
"""What waits until the hand is over. A single device may be paired or revoked at any time: one breaks in any hand."""

BETWEEN_HANDS = frozenset({"idle", "seated", "settled"})
TRIED, CHANGED = "set_up_tried", "set_up_changed"


def install(app: Flask, table: Table) -> None:
    """Lock the set-up of this table while a hand is open."""

    @app.before_request
    def hand_is_open() -> Response | None:
        rule = request.url_rule
        if rule is None or f"{request.method} {rule.rule}" not in LOCKED or table.snapshot().phase in BETWEEN_HANDS:
            return None
        late = must_wait()
        if late is not None:
            return late
        opened = _opened()
        _tell(table, CHANGED if opened else TRIED)
        return None if opened else _refusal()


def _opened() -> bool:
    """Whether the request brings what opens the lock; a wrong PIN counts as a wrong try."""
    given, keeper = request.headers.get(PIN_HEADER), gatekeeper()
    if given is None or keeper.open:
        return given == "sure"
    if keeper.pins.is_of("chief" if "chief" in keeper.pins.roles else "referee", given):
        return True
    keeper.waits.wrong(request.remote_addr or "")
    keeper.sessions.note("wrong_pin", request.remote_addr or "")
    return False


def _refusal() -> Response:
    locked = "A hand is being played: cameras, rules and roles are locked. Finish the hand"
    if gatekeeper().open:
        return problem(423, f"{locked}, or confirm that you mean it ({PIN_HEADER}: sure).", "hand_open_sure")
    return problem(423, f"{locked}, or send the chief's PIN ({PIN_HEADER}).", "hand_open")


def _tell(table: Table, what: str) -> None:
    """A call on the referee's desk, unless the same one is open already."""
    gatekeeper().sessions.note("locked", request.remote_addr or "", role())
    if any(call.reason == what for call in table.snapshot().calls):
        return
    actor = Actor(role=role(), name=this_device().name, device=request.path.removeprefix("/api/v1/")[:40])
    table.submit(CallReferee(idem=f"lock-{token_hex(8)}", actor=actor, reason=what))

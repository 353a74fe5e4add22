"""Nothing is switched off during a hand without the chief, and one referee corrects a hand at a time."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.events import RefereeCalled
from table.runtime import Runtime
from tests import webui_rig as rig
from webui import create_app
from webui.lock import LOCKED
from webui.roles import rights

GUARD = {"X-Paiju": "1"}


@pytest.fixture
def table(table: Runtime) -> Runtime:
    rig.open_game(table)
    return table


@pytest.fixture
def now() -> list[float]:
    return [1000.0]


@pytest.fixture
def app(table: Runtime, now: list[float]) -> Flask:
    return create_app(table, pin="4711", clock=lambda: now[0])


def send(client: FlaskClient, method: str, path: str, lock: str | None = None, **fields: Any) -> Any:
    headers = GUARD if lock is None else {**GUARD, "X-Paiju-Pin": lock}
    return client.open(f"/api/v1/{path}", method=method, json=fields, headers=headers)


def referee(app: Flask) -> FlaskClient:
    client = app.test_client()
    assert send(client, "POST", "login", pin="4711", role="referee").status_code == 200
    return client


def attempts(table: Runtime) -> list[str]:
    return [entry.event.reason for entry in table.entries() if isinstance(entry.event, RefereeCalled)]


# --- the lock -------------------------------------------------------------------------------------------------------


def test_everything_that_is_locked_is_a_route() -> None:
    assert set(rights()) >= LOCKED
    changing = {what for what in rights() if what.startswith("POST /api/v1/setup/")}
    assert {"POST /api/v1/setup/camera", "POST /api/v1/setup/line"} <= LOCKED & changing


def test_cameras_and_pins_are_locked_while_a_hand_is_open_and_free_between_hands(app: Flask, table: Runtime) -> None:
    client = referee(app)
    assert send(client, "POST", "setup/camera", camera=None).status_code != 423
    rig.do(table, "start_hand")
    for method, path in (("POST", "setup/camera"), ("POST", "setup/line"), ("PUT", "pins"), ("DELETE", "paired")):
        refused = send(client, method, path, role="tablet", pin="1234")
        assert (refused.status_code, refused.json["key"]) == (423, "hand_open"), path
    assert client.get("/api/v1/pins").json["roles"][0] == {"role": "tablet", "pin": False, "may_set": True}
    rig.win(table)
    assert send(client, "PUT", "pins", role="tablet", pin="1234").status_code == 200


def test_an_attempt_stands_on_the_desk_and_in_the_ledger_once(app: Flask, table: Runtime) -> None:
    rig.do(table, "start_hand")
    client = referee(app)
    for _ in range(3):
        send(client, "POST", "setup/camera", camera=None)
    assert attempts(table) == ["set_up_tried"]
    (call,) = table.snapshot().calls
    assert call.reason == "set_up_tried"
    actor = next(entry.actor for entry in table.entries() if isinstance(entry.event, RefereeCalled))
    assert (actor.role, actor.device) == ("referee", "setup/camera")
    assert client.get("/api/v1/paired").json["log"][0]["what"] == "locked"


def test_the_chiefs_pin_opens_the_lock_for_one_request(app: Flask, table: Runtime) -> None:
    client = referee(app)
    assert send(client, "PUT", "pins", role="chief", pin="90001").status_code == 200
    rig.do(table, "start_hand")
    wish = {"role": "tablet", "pin": "1234"}
    assert send(client, "PUT", "pins", **wish).status_code == 423
    assert send(client, "PUT", "pins", lock="4711", **wish).status_code == 423, "the referee's is not enough"
    assert send(client, "PUT", "pins", lock="sure", **wish).status_code == 423
    assert send(client, "PUT", "pins", lock="90001", **wish).status_code == 200
    assert send(client, "PUT", "pins", **wish).status_code == 423
    assert attempts(table) == ["set_up_tried", "set_up_changed"]


def test_guessing_the_chiefs_pin_at_the_lock_waits_too(app: Flask, table: Runtime) -> None:
    client = referee(app)
    rig.do(table, "start_hand")
    found = [send(client, "POST", "setup/camera", lock=f"000{guess}").status_code for guess in range(6)]
    assert found == [423] * 5 + [429]


def test_at_a_table_without_pins_a_second_thought_is_asked(table: Runtime) -> None:
    client = create_app(table).test_client()
    rig.do(table, "start_hand")
    refused = send(client, "PUT", "pins", role="referee", pin="1234")
    assert (refused.status_code, refused.json["key"]) == (423, "hand_open_sure")
    assert send(client, "PUT", "pins", lock="sure", role="referee", pin="1234").status_code == 200


def test_who_may_not_do_it_at_all_is_not_helped_by_the_pin(app: Flask, table: Runtime) -> None:
    rig.do(table, "start_hand")
    assert send(app.test_client(), "PUT", "pins", lock="4711", role="tablet", pin="1").status_code == 403
    assert attempts(table) == []


# --- corrections ----------------------------------------------------------------------------------------------------


def correct(client: FlaskClient, **fields: Any) -> Any:
    wish = rig.document("correct_hand", hand_no=1, reason="wrong seat", winner=3, **fields)
    return client.post("/api/v1/command", json=wish, headers=GUARD)


def test_one_referee_corrects_a_hand_and_the_other_sees_who(app: Flask, table: Runtime) -> None:
    rig.win(table)
    first, second = referee(app), referee(app)
    assert send(first, "PUT", "correction", hand_no=1, name="Li").json == {"hand_no": 1, "name": "Li", "own": True}
    refused = send(second, "PUT", "correction", hand_no=1, name="Ma")
    assert (refused.status_code, refused.json["key"]) == (409, "owned")
    assert refused.json["params"] == {"name": "Li", "hand_no": 1}
    assert second.get("/api/v1/correction").json["corrections"] == [{"hand_no": 1, "name": "Li", "own": False}]
    assert correct(second).json["key"] == "owned"
    assert correct(second, preview=True).status_code == 200, "looking is free"
    for way in ({"hand_no": "1"}, {"hand_no": 1.0}, {"preview": "false"}, {"preview": 0}):
        wish = {**rig.document("correct_hand", hand_no=1, reason="wrong seat", winner=3), **way}
        assert second.post("/api/v1/command", json=wish, headers=GUARD).json["key"] == "owned", way
    assert correct(first).status_code == 200


def test_it_is_handed_over_when_the_owner_leaves_or_is_away_for_ten_seconds(
    app: Flask, table: Runtime, now: list[float]
) -> None:
    rig.win(table)
    first, second = referee(app), referee(app)
    send(first, "PUT", "correction", hand_no=1, name="Li")
    now[0] += 9
    assert send(first, "PUT", "correction", hand_no=1, name="Li").status_code == 200, "still here"
    now[0] += 9
    assert send(second, "PUT", "correction", hand_no=1, name="Ma").status_code == 409
    now[0] += 2
    assert send(second, "PUT", "correction", hand_no=1, name="Ma").json["own"] is True
    assert send(first, "PUT", "correction", hand_no=1, name="Li").json["params"] == {"name": "Ma", "hand_no": 1}
    assert send(first, "DELETE", "correction", hand_no=1).status_code == 200, "not his to end"
    assert correct(first).status_code == 409
    assert send(second, "DELETE", "correction", hand_no=1).json == {"corrections": []}
    assert correct(first).status_code == 200


@pytest.mark.parametrize("hand_no", [0, True, "1", None, 10_001, 1.5])
def test_a_correction_is_of_a_hand(app: Flask, hand_no: object) -> None:
    assert send(referee(app), "PUT", "correction", hand_no=hand_no, name="Li").status_code == 400


def test_others_do_not_take_corrections(app: Flask) -> None:
    assert send(app.test_client(), "PUT", "correction", hand_no=1).status_code == 403


def test_one_hand_of_a_game_is_corrected_at_a_time(app: Flask, table: Runtime) -> None:
    """The kong to drop of one hand is named by its place, and a correction of another may deal later hands anew."""
    for _ in range(2):
        rig.win(table)
    first, second = referee(app), referee(app)
    for number in (3, 99):
        missing = send(first, "PUT", "correction", hand_no=number, name="Li")
        assert (missing.status_code, missing.json["key"], missing.json["params"]["last"]) == (409, "no_such_hand", 2)
    assert send(first, "PUT", "correction", hand_no=2, name="Li").status_code == 200
    refused = send(second, "PUT", "correction", hand_no=1, name="Ma")
    assert (refused.status_code, refused.json["params"]) == (409, {"name": "Li", "hand_no": 2})
    assert correct(second).json["key"] == "owned"
    assert send(first, "PUT", "correction", hand_no=1, name="Li").json["hand_no"] == 1, "he goes to another hand"
    assert send(first, "DELETE", "correction", hand_no=2).json["corrections"][0]["hand_no"] == 1


def test_undo_waits_where_it_would_change_a_finished_hand_under_an_open_correction(
    app: Flask, table: Runtime, now: list[float]
) -> None:
    """Two kongs; one is dropped, and taken back under the other referee's look at what is left."""
    rig.do(table, "close_game", reason="another ruleset")
    rig.open_game(table, ruleset="sichuan", options={"mode": "single"})
    for tile, seat in (("9p", 1), ("6p", 3)):
        rig.do(table, "kong", seat=seat, meld_kind="kong_concealed", tile=tile)
    rig.do(table, "claim_win", seat=2, source="self_draw")
    rig.do(table, "hand_manual", hand="123456789s123s5s", win_tile="5s")
    rig.do(table, "approve")
    first, second = referee(app), referee(app)

    def sent(client: FlaskClient, kind: str, **fields: Any) -> Any:
        return client.post("/api/v1/command", json=rig.document(kind, **fields), headers=GUARD)

    drop = {"hand_no": 1, "reason": "a pung", "drop_sides": [0]}
    assert sent(second, "correct_hand", **drop).status_code == 200
    assert send(first, "PUT", "correction", hand_no=1, name="Li").status_code == 200
    assert sent(first, "correct_hand", **drop, preview=True).status_code == 200
    refused = sent(second, "undo_last", reason="no")
    assert (refused.status_code, refused.json["key"]) == (409, "owned")
    assert [side.tile for side in table.snapshot().history[-1].sides] == ["6p"]
    rig.do(table, "start_hand")
    rig.do(table, "kong", seat=1, meld_kind="kong_concealed", tile="8s")
    assert sent(second, "undo_last", reason="no").status_code == 200, "the hand being played goes on"
    assert sent(second, "undo_last", reason="no").status_code == 200
    assert sent(second, "undo_last", reason="no").json["key"] == "owned"
    now[0] += 10
    assert sent(second, "undo_last", reason="no").status_code == 200, "the other one has left"
    assert [side.tile for side in table.snapshot().history[-1].sides] == ["9p", "6p"]


def test_seats_and_options_are_not_set_right_under_an_open_correction(app: Flask, table: Runtime) -> None:
    for _ in range(2):
        rig.win(table)
    first, second = referee(app), referee(app)
    assert send(first, "PUT", "correction", hand_no=1, name="Li").status_code == 200
    seats = {"seating": [1, 0, 2, 3], "reason": "they sat so"}
    wishes: list[tuple[str, dict[str, Any], int]] = [
        ("correct_seats", {**seats, "from_hand": 1}, 409),
        ("correct_seats", {**seats, "from_hand": 1, "preview": True}, 200),
        ("correct_options", {"options": {"profile": "wmc"}, "reason": "as agreed"}, 409),
        ("correct_seats", {**seats, "from_hand": 2}, 409),
    ]
    for kind, fields, status in wishes:
        answer = second.post("/api/v1/command", json=rig.document(kind, **fields), headers=GUARD)
        assert answer.status_code == status, (kind, answer.json)
    own = rig.document("correct_seats", **seats, from_hand=1)
    assert first.post("/api/v1/command", json=own, headers=GUARD).status_code == 200, "his own correction"

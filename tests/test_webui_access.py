"""Who is in: the list of devices, and ending all sessions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.runtime import Runtime
from tests import webui_rig as rig
from webui import create_app
from webui.stream import StreamGate, messages

GUARD = {"X-Paiju": "1"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Runtime]:
    with rig.open_table(tmp_path) as runtime:
        rig.open_game(runtime)
        yield runtime


@pytest.fixture
def app(table: Runtime) -> Flask:
    return create_app(table, pin="4711", wall_ms=lambda: 1_700_000_000_000)


def post(client: FlaskClient, path: str, **fields: Any) -> Any:
    return client.post(f"/api/v1/{path}", json=fields, headers=GUARD)


def entered(app: Flask, role: str = "referee") -> FlaskClient:
    client = app.test_client()
    assert post(client, "login", pin="4711", role=role).json == {"role": role}
    return client


def test_the_referee_sees_which_devices_are_in(app: Flask) -> None:
    referee, _tablet = entered(app), entered(app, "tablet")
    post(app.test_client(), "login", pin="0000")
    found = referee.get("/api/v1/devices").json
    assert [(one["role"], one["own"]) for one in found["devices"]] == [("referee", True), ("tablet", False)]
    assert found["devices"][0]["since_ms"] == 1_700_000_000_000
    assert [line["what"] for line in found["log"]] == ["wrong_pin", "entered", "entered"]
    assert "key" not in str(found)


@pytest.mark.parametrize("role", ["tablet", None])
def test_others_neither_see_devices_nor_end_sessions(app: Flask, role: str | None) -> None:
    client = entered(app, role) if role else app.test_client()
    assert client.get("/api/v1/devices").status_code == 403
    assert post(client, "devices/end").status_code == 403


def test_ending_all_sessions_puts_every_device_out_and_the_old_pin_stays(app: Flask) -> None:
    referee, tablet = entered(app), entered(app, "tablet")
    assert post(referee, "devices/end").json == {"role": "viewer"}
    for client in (referee, tablet):
        answer = client.post("/api/v1/command", json=rig.document("claim_win", seat=1), headers=GUARD)
        assert answer.status_code == 403
    again = entered(app)
    assert [line["what"] for line in again.get("/api/v1/devices").json["log"]][:2] == ["entered", "ended_all"]


def test_the_pin_changes_with_it(app: Flask) -> None:
    referee = entered(app)
    assert post(referee, "devices/end", pin="12").status_code == 400
    assert referee.get("/api/v1/devices").status_code == 200, "a bad PIN ends nothing"
    assert post(referee, "devices/end", pin="98765").status_code == 200
    assert post(referee, "login", pin="4711").status_code == 403
    assert post(referee, "login", pin="98765").status_code == 200


def test_a_device_that_leaves_is_no_longer_listed(app: Flask) -> None:
    referee, tablet = entered(app), entered(app, "tablet")
    post(tablet, "logout")
    assert [one["role"] for one in referee.get("/api/v1/devices").json["devices"]] == ["referee"]


def test_a_live_page_loses_what_only_the_referee_sees(table: Runtime) -> None:
    gate = StreamGate(4)
    live = messages(table, "referee", gate, beat_s=0.05)
    assert [next(live) for _ in range(2)][1].startswith("id:")
    gate.renew()
    assert len(list(live)) <= 1, "the stream ends, and the page begins again as what it is now"


def test_a_device_that_enters_again_is_listed_once(app: Flask) -> None:
    client = entered(app, "tablet")
    post(client, "login", pin="4711", role="referee")
    assert [one["role"] for one in client.get("/api/v1/devices").json["devices"]] == ["referee"]


def test_without_a_pin_there_is_nothing_to_end(table: Runtime) -> None:
    client = create_app(table).test_client()
    assert client.get("/api/v1/devices").json["pin"] is False
    assert post(client, "devices/end").status_code == 409


def test_sessions_and_pins_are_safe_from_other_sites(app: Flask) -> None:
    referee = entered(app)
    foreign = {"X-Paiju": "1", "Origin": "http://elsewhere.example"}
    assert referee.post("/api/v1/devices/end", json={}, headers=foreign).status_code == 403
    assert referee.post("/api/v1/devices/end", json={}).status_code == 403
    assert referee.get("/api/v1/devices").status_code == 200

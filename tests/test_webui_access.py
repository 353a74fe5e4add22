"""Who is in and who may do what: PINs, pairing by code, revoking, and the one table of rights."""

from __future__ import annotations

import errno
import threading
import time
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.commands import Command
from table.runtime import Runtime
from tests import webui_rig as rig
from webui import create_app
from webui.access_file import AccessFile, AccessFileError
from webui.pins import Waits
from webui.roles import BELOW, ROLES, right, rights
from webui.stream import StreamGate, messages

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
    return create_app(table, pin="4711", clock=lambda: now[0], wall_ms=lambda: 1_700_000_000_000)


def send(client: FlaskClient, path: str, method: str = "POST", lock: str = "", **fields: Any) -> Any:
    headers = {**GUARD, "X-Paiju-Pin": lock} if lock else GUARD
    return client.open(f"/api/v1/{path}", method=method, json=fields, headers=headers)


def command(client: FlaskClient, kind: str, **fields: Any) -> int:
    answer = client.post("/api/v1/command", json=rig.document(kind, **fields), headers=GUARD)
    return int(answer.status_code)


def entered(app: Flask, role: str | None = "referee", pin: str = "4711") -> FlaskClient:
    client = app.test_client()
    asked = {"pin": pin} if role is None else {"pin": pin, "role": role}
    assert send(client, "login", **asked).status_code == 200
    return client


def ticket(client: FlaskClient, **wish: Any) -> str:
    answer = send(client, "pair", **wish)
    assert answer.status_code == 200, answer.text
    assert "<svg" in answer.json["svg"]
    return str(answer.json["url"].partition("#")[2])


def joined(app: Flask, by: FlaskClient, **wish: Any) -> FlaskClient:
    client = app.test_client()
    answer = send(client, "join", ticket=ticket(by, **wish))
    assert answer.json["role"] == wish["role"], answer.text
    return client


# --- the table of rights --------------------------------------------------------------------------------------------


def test_every_command_has_a_row_and_every_row_is_a_command() -> None:
    kinds = {f"command {member.model_fields['kind'].default}" for member in get_args(Command)}
    assert {what for what in rights() if what.startswith("command ")} == kinds


def test_every_page_and_route_has_a_row_and_every_row_is_a_route(app: Flask) -> None:
    routes = {
        f"{method} {rule.rule}" for rule in app.url_map.iter_rules() for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS")
    }  # fmt: skip
    assert {what for what in rights() if not what.startswith("command ")} == routes


def test_rows_say_something_of_every_role() -> None:
    assert {frozenset(row) for row in rights().values()} == {frozenset(ROLES)}
    assert all(right("chief", what) == "yes" for what in rights())


def test_what_is_not_in_the_table_is_forbidden_even_to_the_chief(app: Flask) -> None:
    app.add_url_rule("/new", "new", lambda: "secret")
    assert app.test_client().get("/new").status_code == 403
    assert entered(app).get("/new").status_code == 403
    assert app.test_client().get("/nowhere").status_code == 404


POINTS_MOVE = ("approve", "reject", "correct_hand", "correct_seats", "undo_last", "penalise", "lift_penalty", "liable")


@pytest.mark.parametrize("role", ["viewer", "tablet", "player", "scorekeeper", "organiser"])
def test_only_referees_move_points(role: Any) -> None:
    assert {right(role, f"command {kind}") for kind in POINTS_MOVE} == {"no"}


def test_a_higher_rank_of_the_table_may_all_that_a_lower_one_may() -> None:
    order = ("viewer", "tablet", "scorekeeper", "referee", "chief")
    for lower, higher in pairwise(order):
        lost = [what for what in rights() if right(lower, what) == "yes" and right(higher, what) != "yes"]  # type: ignore[arg-type]
        assert not lost, (lower, higher)


def test_a_viewer_sends_nothing_but_to_come_in_and_to_ask_the_rules() -> None:
    allowed = {what for what in rights() if right("viewer", what) != "no" and not what.startswith("GET ")}
    assert allowed == {f"POST /api/v1/{path}" for path in ("login", "logout", "join", "score")}


# --- seats ----------------------------------------------------------------------------------------------------------


def test_a_phone_of_a_seat_speaks_for_its_own_seat_only(app: Flask, table: Runtime) -> None:
    phone = joined(app, entered(app), role="player", seat=2, name="seat C phone")
    assert command(phone, "claim_win", seat=1, source="self_draw") == 403
    assert command(phone, "approve") == 403
    assert command(phone, "claim_win", seat=2, source="self_draw") == 200
    assert command(phone, "hand_manual", hand="123456789m23m44z", win_tile="4m") == 200
    assert command(phone, "cancel_claim", seat=2) == 200
    rig.claim(table, seat=1)
    assert command(phone, "hand_manual", hand="123456789m23m44z", win_tile="4m") == 403, "not its own claim"
    assert command(phone, "agree", seat=3) == 403
    actors = {(entry.actor.role, entry.actor.device) for entry in table.entries()}
    assert ("player", "seat C phone") in actors


def test_a_players_phone_needs_a_seat(app: Flask) -> None:
    referee = entered(app)
    for seat in (None, 4, True, "1"):
        assert send(referee, "pair", role="player", seat=seat, name="x").status_code == 400
    assert send(referee, "pair", role="king", name="x").status_code == 400
    assert send(referee, "pair", role="viewer", name="a\nb").status_code == 400


# --- codes ----------------------------------------------------------------------------------------------------------


def test_a_code_works_once_and_for_five_minutes(app: Flask, now: list[float]) -> None:
    referee = entered(app)
    first, second = (ticket(referee, role="tablet", name="Table display") for _ in range(2))
    assert send(app.test_client(), "join", ticket=first).status_code == 200
    assert send(app.test_client(), "join", ticket=first).json["key"] == "code_old"
    now[0] += 301
    assert send(app.test_client(), "join", ticket=second).json["key"] == "code_old"


@pytest.mark.parametrize("forged", ["", "x", "IjEyMyI.c2ln", "IjEyMyI", 5, None])
def test_a_forged_code_lets_nobody_in(app: Flask, forged: object) -> None:
    client = app.test_client()
    assert send(client, "join", ticket=forged).status_code == 403
    assert command(client, "claim_win", seat=1) == 403


def test_nobody_makes_another_device_more_than_himself(app: Flask) -> None:
    tablet = entered(app, "tablet")
    assert send(tablet, "pair", role="viewer", name="x").status_code == 200
    assert send(tablet, "pair", role="referee", name="x").status_code == 403
    assert send(app.test_client(), "pair", role="viewer", name="x").status_code == 403
    for role, below in BELOW.items():
        assert role in below
        assert "chief" not in below or role == "chief"


def test_a_code_is_worth_what_its_giver_may_still_do(app: Flask) -> None:
    chief = entered(app)
    cheat = joined(app, chief, role="referee", name="cheat")
    kept = [ticket(cheat, role="referee", name="again") for _ in range(2)]
    assert send(app.test_client(), "join", ticket=kept[0]).status_code == 200
    devices = {one["name"]: one["id"] for one in chief.get("/api/v1/paired").json["devices"]}
    send(chief, f"paired/{devices['cheat']}", "DELETE")
    assert send(app.test_client(), "join", ticket=kept[1]).json["key"] == "code_old", "a revoked device pairs nobody"


def test_a_code_from_before_the_first_pin_opens_nothing(table: Runtime) -> None:
    home = create_app(table)
    early = ticket(home.test_client(), role="chief", name="x")
    assert send(home.test_client(), "pins", "PUT", role="referee", pin="4711", lock="sure").status_code == 200
    assert send(home.test_client(), "join", ticket=early).json["key"] == "code_old"


def test_a_paired_device_is_known_after_a_restart_and_one_with_a_pin_is_not(table: Runtime, tmp_path: Path) -> None:
    file = tmp_path / "access.json"
    before = create_app(table, pin="4711", access_file=file)
    by_pin = entered(before)
    tablet = joined(before, by_pin, role="tablet", name="Table display")
    after = create_app(table, pin="4711", access_file=file)
    found = []
    for client in (tablet, by_pin):
        again = after.test_client()
        cookie = client.get_cookie("paiju")
        assert cookie is not None
        again.set_cookie("paiju", cookie.value)
        found.append(command(again, "call_referee", seat=0))
    assert found == [200, 403]
    listed = entered(after).get("/api/v1/paired").json["devices"]
    assert next((one["role"], one["name"], one["paired"]) for one in listed) == ("tablet", "Table display", True)


# --- the list, and revoking -----------------------------------------------------------------------------------------


def test_the_referee_sees_which_devices_are_in(app: Flask) -> None:
    referee, _tablet = entered(app), entered(app, "tablet")
    send(app.test_client(), "login", pin="0000", role="tablet")
    found = referee.get("/api/v1/paired").json
    assert [(one["role"], one["own"]) for one in found["devices"]] == [("referee", True), ("tablet", False)]
    assert found["devices"][0]["seen_ms"] == 1_700_000_000_000
    assert [line["what"] for line in found["log"]] == ["wrong_pin", "entered", "entered"]
    cookie = referee.get_cookie("paiju")
    assert cookie is not None
    assert not any(one["id"] in cookie.value for one in found["devices"])


@pytest.mark.parametrize("role", ["tablet", None])
def test_others_neither_see_devices_nor_put_them_out(app: Flask, role: str | None) -> None:
    client = entered(app, role) if role else app.test_client()
    assert client.get("/api/v1/paired").status_code == 403
    assert send(client, "paired", "DELETE").status_code == 403
    assert send(client, "paired/0123456789ab", "DELETE").status_code == 403
    assert send(client, "pins", "PUT", role="tablet", pin="1234").status_code == 403


def test_one_device_is_revoked_and_the_others_stay(app: Flask) -> None:
    referee = entered(app)
    lost, kept = (joined(app, referee, role="tablet", name=name) for name in ("lost", "kept"))
    devices = {one["name"]: one["id"] for one in referee.get("/api/v1/paired").json["devices"]}
    assert send(referee, f"paired/{devices['lost']}", "DELETE").status_code == 200
    assert send(referee, f"paired/{devices['lost']}", "DELETE").status_code == 404
    assert [command(client, "call_referee", seat=0) for client in (lost, kept)] == [403, 200]
    assert referee.get("/api/v1/paired").json["log"][0]["what"] == "revoked"


def test_a_revoked_device_loses_its_live_page_at_once(table: Runtime) -> None:
    gate = StreamGate(4)
    live = messages(table, "referee", gate, beat_s=30.0, key="lost")
    others = messages(table, "viewer", gate, beat_s=0.05, key="other")
    assert [next(one) for one in (live, live, others, others)][1].startswith("id:")
    threading.Timer(0.1, gate.end, ["lost"]).start()
    started = time.monotonic()
    assert not [message for message in live if "event: state" in message]
    assert time.monotonic() - started < 1.0, "it did not wait for the next sign of life"
    assert next(others).startswith("event: beat")
    others.close()  # type: ignore[attr-defined]  # it is a generator


def test_ending_all_sessions_puts_every_device_out_and_the_old_pin_stays(app: Flask) -> None:
    referee, tablet = entered(app), entered(app, "tablet")
    assert send(referee, "paired", "DELETE").json == {"role": "viewer"}
    assert [command(client, "claim_win", seat=1) for client in (referee, tablet)] == [403, 403]
    again = entered(app)
    assert [line["what"] for line in again.get("/api/v1/paired").json["log"]][:2] == ["entered", "ended_all"]


def test_a_device_that_leaves_is_no_longer_listed(app: Flask) -> None:
    referee, tablet = entered(app), entered(app, "tablet")
    send(tablet, "logout")
    assert [one["role"] for one in referee.get("/api/v1/paired").json["devices"]] == ["referee"]


def test_a_device_that_enters_again_is_listed_once(app: Flask) -> None:
    client = entered(app, "tablet")
    send(client, "login", pin="4711", role="referee")
    assert [one["role"] for one in client.get("/api/v1/paired").json["devices"]] == ["referee"]


def test_without_a_pin_there_is_nothing_to_end(table: Runtime) -> None:
    client = create_app(table).test_client()
    assert client.get("/api/v1/paired").json["pin"] is False
    assert send(client, "paired", "DELETE").status_code == 409


def test_sessions_and_pins_are_safe_from_other_sites(app: Flask) -> None:
    referee = entered(app)
    foreign = {"X-Paiju": "1", "Origin": "http://elsewhere.example"}
    assert referee.delete("/api/v1/paired", headers=foreign).status_code == 403
    assert referee.delete("/api/v1/paired").status_code == 403
    assert referee.put("/api/v1/pins", json={"role": "referee", "pin": "0000"}).status_code == 403
    assert referee.get("/api/v1/paired").status_code == 200


def test_the_cookie_is_kept_from_scripts_other_sites_and_plain_http(app: Flask) -> None:
    plain, secure = app.test_client(), app.test_client()
    answer = send(plain, "login", pin="4711")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("paiju=")
    assert {"HttpOnly", "SameSite=Strict"} <= set(cookie.split("; "))
    options = {"base_url": "https://localhost", "json": {"pin": "4711"}, "headers": GUARD}
    cookie = secure.post("/api/v1/login", **options).headers["Set-Cookie"]
    assert cookie.startswith("__Host-paiju=")
    assert {"Secure", "HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))


# --- PINs -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def home(table: Runtime, tmp_path: Path) -> Flask:
    return create_app(table, access_file=tmp_path / "access.json")


def test_the_first_pin_closes_the_table_and_whoever_set_it_stays_in(home: Flask) -> None:
    wizard, stranger = home.test_client(), home.test_client()
    assert command(stranger, "call_referee", seat=0) == 200
    assert send(wizard, "pins", "PUT", role="tablet", pin="1111").status_code == 400, "nobody could come in above it"
    assert send(wizard, "pins", "PUT", role="referee", pin="2222").json == {"role": "referee"}
    assert command(stranger, "call_referee", seat=0) == 403
    assert send(wizard, "pins", "PUT", role="chief", pin="3333").json == {"role": "chief"}
    assert command(wizard, "undo_last") in (200, 409)
    rows = {one["role"]: one["pin"] for one in wizard.get("/api/v1/pins").json["roles"]}
    assert rows == {"tablet": False, "scorekeeper": False, "referee": True, "organiser": False, "chief": True}


def test_strangers_who_watch_a_competition_lose_the_house_view_with_the_first_pin(table: Runtime) -> None:
    rig.do(table, "close_game")
    rig.open_game(table, mode="competition")
    rig.claim(table)
    rig.do(table, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    rig.do(table, "announce", points=24)
    app = create_app(table)
    stranger = app.test_client()
    live = stranger.get("/api/v1/stream", buffered=False)
    seen = iter(live.response)
    assert "清龙" in (next(seen) + next(seen)).decode()
    assert send(app.test_client(), "pins", "PUT", "sure", role="referee", pin="2222").status_code == 200
    assert not [message for message in seen if b"event: state" in message]
    live.close()
    assert "清龙" not in stranger.get("/api/v1/state").text


def test_each_pin_opens_its_own_role_and_those_below(home: Flask) -> None:
    chief = home.test_client()
    for role, pin in (("chief", "9000"), ("organiser", "8000"), ("referee", "7000"), ("tablet", "6000")):
        assert send(chief, "pins", "PUT", role=role, pin=pin).status_code == 200
    for role, pin in (("chief", "9000"), ("organiser", "8000"), ("referee", "7000"), ("tablet", "6000")):
        assert send(home.test_client(), "login", pin=pin).json == {"role": role}
    assert send(home.test_client(), "login", pin="9000", role="tablet").json == {"role": "tablet"}
    assert send(home.test_client(), "login", pin="6000", role="referee").status_code == 403
    organiser, referee = entered(home, None, "8000"), entered(home, None, "7000")
    assert send(organiser, "pins", "PUT", role="chief", pin="1234").status_code == 403
    assert send(organiser, "pins", "PUT", role="referee", pin="7777").status_code == 200
    assert command(referee, "undo_last") == 403, "a new PIN puts the devices of that role out"
    assert send(organiser, "pins", "PUT", role="tablet", pin="7777").status_code == 400, "two roles with one PIN"
    assert command(organiser, "approve") == 403


def test_an_organiser_becomes_no_chief_where_the_referee_is_one(app: Flask) -> None:
    chief = entered(app)
    assert send(chief, "pins", "PUT", role="organiser", pin="5555").status_code == 200
    organiser = entered(app, "organiser", "5555")
    stranger = app.test_client()
    assert send(stranger, "login", pin="5555", role="referee").status_code == 403
    assert send(organiser, "pair", role="referee", name="x").status_code == 403
    assert send(organiser, "pins", "PUT", role="referee", pin="6666").status_code == 403
    assert send(chief, "pins", "PUT", role="chief", pin="7777").status_code == 200
    assert send(organiser, "pair", role="referee", name="x").status_code == 200, "a referee is no chief any more"
    assert send(organiser, "pair", role="chief", name="x").status_code == 403


def test_a_changed_pin_outlives_a_restart_and_stands_nowhere(home: Flask, table: Runtime, tmp_path: Path) -> None:
    send(home.test_client(), "pins", "PUT", role="chief", pin="90001")
    text = (tmp_path / "access.json").read_text()
    assert "90001" not in text
    assert "$argon2id$" in text
    again = create_app(table, access_file=tmp_path / "access.json")
    assert command(again.test_client(), "call_referee", seat=0) == 403
    assert send(again.test_client(), "login", pin="90001").json == {"role": "chief"}


def test_only_its_owner_reads_the_access_file(tmp_path: Path) -> None:
    file = tmp_path / "access.json"
    AccessFile(file)
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o644)
    AccessFile(file)
    assert file.stat().st_mode & 0o777 == 0o600


def test_pages_open_again_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "access.json"
    secret = AccessFile(file).kept.secret

    def full(_path: Path, _data: bytes, _mode: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("webui.access_file.keep", full)
    again = AccessFile(file)
    assert again.kept.secret == secret
    with pytest.raises(AccessFileError, match="No space left"):
        again.keep(pins={})


@pytest.mark.parametrize("text", ["", "{", '{"secret": 5}', '{"pins": {"king": "x"}}'])
def test_a_damaged_access_file_opens_nothing(table: Runtime, tmp_path: Path, text: str) -> None:
    file = tmp_path / "access.json"
    file.write_text(text)
    with pytest.raises(AccessFileError, match="damaged"):
        create_app(table, access_file=file)


@pytest.mark.parametrize("pin", ["", "123", "12a4", "1" * 13, "１２３４", 4711, ["4711"]])
def test_a_pin_is_digits_and_a_bad_one_changes_nothing(app: Flask, pin: object) -> None:
    referee = entered(app)
    assert send(referee, "pins", "PUT", role="referee", pin=pin).status_code == 400
    assert send(referee, "pins", "PUT", role="player", pin="1234").status_code == 400
    assert send(app.test_client(), "login", pin="4711").status_code == 200


def test_guessing_waits_longer_and_longer() -> None:
    now = [0.0]
    waits = Waits(clock=lambda: now[0])
    found = []
    for _ in range(4):
        while waits.seconds("10.0.0.9") == 0:
            waits.wrong("10.0.0.9")
        found.append(waits.seconds("10.0.0.9"))
        now[0] += found[-1]
    assert found == [60, 120, 240, 480]
    assert waits.seconds("10.0.0.8") == 0
    waits.right("10.0.0.9")
    waits.wrong("10.0.0.9")
    assert waits.seconds("10.0.0.9") == 0


def test_many_addresses_guess_no_faster_than_one() -> None:
    waits = Waits(clock=lambda: 0.0)
    tries = 0
    for number in range(100):
        while waits.seconds(f"10.0.0.{number}") == 0:
            waits.wrong(f"10.0.0.{number}")
            tries += 1
    assert tries == 100
    assert waits.seconds("10.0.1.1") > 0


# --- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("192.168.4.1:8080", True), ("localhost", True), ("[fd00::2]:8443", True), ("table7", True),
        ("table7.local:8080", True), ("table7.club.example", True),
        ("evil.example:8080", False), ("192.168.4.1.evil.example", False),
        ("local", True), ("evil-local", True), ("evillocal.example", False),
    ],
)  # fmt: skip
def test_a_site_that_points_its_own_name_at_this_pc_is_refused(table: Runtime, host: str, ours: bool) -> None:
    client = create_app(table, names=["table7.club.example"]).test_client()
    base = f"http://{host}"
    assert (client.get("/api/v1/state", base_url=base).status_code == 200) == ours
    wish = rig.document("call_referee", seat=0)
    answer = client.post("/api/v1/command", json=wish, headers={**GUARD, "Origin": base}, base_url=base)
    assert answer.status_code == (200 if ours else 403)


@pytest.mark.parametrize("origin", ["null", "http://[", "http://[::1", "x", "", "http://localhost.evil.example"])
def test_a_page_of_nowhere_is_refused_in_words(app: Flask, origin: str) -> None:
    client = app.test_client()
    answer = client.post("/api/v1/login", json={"pin": "4711"}, headers={**GUARD, "Origin": origin})
    assert (answer.status_code, "does not come from a Paiju page" in answer.text) == (403, True)

"""The program interface: commands in, state out, and nothing from strangers."""

from __future__ import annotations

import http.client
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from table.runtime import Runtime
from tests import webui_rig as rig
from webui import create_app

GUARD = {"X-Paiju": "1"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Runtime]:
    with rig.open_table(tmp_path, rig.ScriptedEyes()) as runtime:
        yield runtime


@pytest.fixture
def client(table: Runtime) -> FlaskClient:
    return create_app(table).test_client()


def send(client: FlaskClient, kind: str, **fields: Any) -> Any:
    return client.post("/api/v1/command", json=rig.document(kind, **fields), headers=GUARD)


def upload(client: FlaskClient, data: bytes, media_type: str = "image/jpeg", idem: str = "p1") -> Any:
    form = {"picture": (io.BytesIO(data), "hand.jpg", media_type), "idem": idem}
    return client.post("/api/v1/photo", data=form, headers=GUARD)


def login(client: FlaskClient, pin: str, role: str) -> Any:
    return client.post("/api/v1/login", json={"pin": pin, "role": role}, headers=GUARD)


def test_a_hand_is_played_through_the_interface(client: FlaskClient) -> None:
    assert send(client, "open_game", names=list(rig.NAMES)).status_code == 200
    send(client, "claim_win", seat=1, source="discard", from_seat=2)
    send(client, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    verdict = client.get("/api/v1/state").json["claim"]["verdict"]
    assert (verdict["valid"], verdict["total"], verdict["payments"]) == (True, 24, [-8, 48, -32, -8])
    assert send(client, "approve").json["seq"] > 0
    state = client.get("/api/v1/state").json
    assert [seat["total"] for seat in state["seats"]] == [-8, 48, -32, -8]
    assert state["claim"] is None


def test_a_kong_that_nobody_entered_is_asked_of_programs_too(client: FlaskClient) -> None:
    """四川: nothing is approved before the question of the claim is answered with one of its own commands."""
    send(client, "open_game", names=list(rig.NAMES), ruleset="sichuan", options={"mode": "single"})
    send(client, "claim_win", seat=1, source="self_draw")
    kong = {"kind": "kong_added", "tiles": "8888m", "from_seat": None}
    send(client, "hand_manual", hand="123p456p678p9p", melds=[kong], win_tile="9p")
    claim = client.get("/api/v1/state").json["claim"]
    assert (claim["verdict"], claim["waiting_for"]) == (None, "answers")
    (question,) = claim["questions"]
    assert (question["id"], question["text_key"]) == ("kong_unsaid:1:8m", "ask_kong_unsaid")
    refused = send(client, "approve")
    assert (refused.status_code, refused.json["key"]) == (409, "not_judged")
    added = next(one for one in question["choices"] if one["text_key"] == "enter_kong_added")
    assert send(client, **added["command"]).status_code == 200
    assert send(client, "approve").status_code == 200
    assert [seat["total"] for seat in client.get("/api/v1/state").json["seats"]] == [-18, 54, -18, -18]


def test_an_unchanged_state_costs_nothing(client: FlaskClient) -> None:
    first = client.get("/api/v1/state")
    again = client.get("/api/v1/state", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    send(client, "open_game", names=list(rig.NAMES))
    assert client.get("/api/v1/state", headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_a_refusal_is_a_sentence_with_a_key_that_pages_translate(client: FlaskClient) -> None:
    answer = send(client, "approve")
    assert answer.status_code == 409
    assert (answer.json["key"], answer.json["error"][-1]) == ("no_game", ".")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"idem": "1"}, "no kind"),
        ({"kind": "fly", "idem": "1"}, 'There is no command "fly".'),
        ({"kind": "aprove", "idem": "1"}, 'There is no command "aprove": did you mean "approve"?'),
        ({"kind": "agree", "idem": "1", "seat": 9}, "seat"),
        ([1, 2], "JSON object"),
    ],
)
def test_a_malformed_command_says_what_is_wrong(client: FlaskClient, body: object, says: str) -> None:
    answer = client.post("/api/v1/command", json=body, headers=GUARD)
    assert answer.status_code == 400
    assert says in answer.json["error"]


def test_a_command_must_be_json(client: FlaskClient) -> None:
    answer = client.post("/api/v1/command", data="kind=approve", headers=GUARD)
    assert (answer.status_code, "application/json" in answer.json["error"]) == (400, True)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {**GUARD, "Origin": "http://evil.example"},
        {**GUARD, "Sec-Fetch-Site": "cross-site"},
    ],
)
def test_posts_from_other_sites_are_refused(client: FlaskClient, headers: dict[str, str]) -> None:
    answer = client.post("/api/v1/command", json=rig.document("open_game", names=list(rig.NAMES)), headers=headers)
    assert answer.status_code == 403
    assert client.get("/api/v1/state").json["game"] is None


def test_the_actor_is_this_device_whatever_the_sender_says(table: Runtime) -> None:
    client = create_app(table, pin="4711").test_client()
    pretender = rig.document("open_game", "chief", names=list(rig.NAMES))
    answer = client.post("/api/v1/command", json=pretender, headers=GUARD)
    assert (answer.status_code, answer.json["key"]) == (403, "pin_first")


def test_a_photo_is_read_for_the_claim(client: FlaskClient, table: Runtime) -> None:
    rig.open_game(table)
    rig.claim(table)
    assert upload(client, rig.picture()).status_code == 200
    audience = table.subscribe()
    while (seen := audience.get(5)) is not None and not (seen.claim and seen.claim.verdict):
        pass
    assert seen is not None
    assert seen.claim is not None
    assert seen.claim.verdict is not None
    assert seen.claim.verdict.total == 24
    shown = client.get(f"/evidence/{seen.claim.picture}")
    assert (shown.status_code, shown.mimetype, shown.data[:2]) == (200, "image/jpeg", b"\xff\xd8")


def test_bad_uploads_get_a_sentence_and_the_game_goes_on(client: FlaskClient, table: Runtime) -> None:
    rig.open_game(table)
    rig.claim(table)
    assert upload(client, b"GIF89a", "image/gif").status_code == 415
    for media_type in ("image/heic", "image/heif", "image/jpeg"):
        apple = upload(client, b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", media_type)
        assert (apple.status_code, apple.json["key"]) == (409, "eye_heic"), media_type
    broken = upload(client, b"no picture at all")
    assert (broken.status_code, broken.json["key"]) == (409, "eye_no_picture")
    assert upload(client, b"").status_code == 409
    assert client.post("/api/v1/photo", data={"idem": "x"}, headers=GUARD).status_code == 400
    huge = upload(client, b"\xff" * (31 * 2**20))
    assert (huge.status_code, huge.json["key"]) == (413, "too_large")
    assert client.get("/api/v1/state").json["claim"]["seat"] == 1


def test_a_rules_question_is_answered(client: FlaskClient) -> None:
    winner = {"seat": 1, "hand": "123456789m23m44z", "win_tile": "4m", "source": "discard", "from_seat": 2}
    question = {"id": "q", "ruleset": "gb", "winners": [winner]}
    answer = client.post("/api/v1/score", json=question, headers=GUARD)
    assert (answer.json["valid"], answer.json["payments"]) == (True, [-8, 48, -32, -8])
    wrong = client.post("/api/v1/score", json={"id": "q", "ruleset": "gb2", "winners": []}, headers=GUARD)
    assert (wrong.status_code, wrong.json["id"]) == (400, "q")
    assert "gb" in wrong.json["error"]


def test_in_a_competition_nobody_at_the_table_asks_the_rules(table: Runtime) -> None:
    app = create_app(table, pin="4711")
    tablet, referee = app.test_client(), app.test_client()
    login(referee, "4711", "referee")
    rig.open_game(table, mode="competition")
    winner = {"seat": 1, "source": "self_draw", "hand": "123456789m23m44z", "win_tile": "4m"}
    question = {"id": "q", "ruleset": "gb", "winners": [winner]}
    assert tablet.post("/api/v1/score", json=question, headers=GUARD).status_code == 403
    assert referee.post("/api/v1/score", json=question, headers=GUARD).status_code == 200


def test_rulesets_come_with_their_options(client: FlaskClient) -> None:
    known = {rules["name"]: rules["options"] for rules in client.get("/api/v1/rulesets").json["rulesets"]}
    assert "profile" in [option["name"] for option in known["gb"]]


def test_an_unknown_picture_is_not_found(client: FlaskClient) -> None:
    assert client.get("/evidence/" + "0" * 64).status_code == 404
    assert client.get("/evidence/..%2fledger.sqlite3").status_code == 404


def test_a_wrong_address_gives_a_browser_a_sentence_and_a_way_back(client: FlaskClient) -> None:
    browser = {"Accept": "text/html,*/*;q=0.8", "Accept-Language": "zh-TW"}
    shown = client.get("/nowhere", headers=browser)
    assert shown.status_code == 404
    assert shown.mimetype == "text/html"
    assert "沒有這個頁面" in shown.text
    assert 'href="/"' in shown.text
    for answer in (client.get("/api/v1/nowhere", headers=browser), client.get("/nowhere")):
        assert answer.status_code == 404
        assert "/nowhere" in answer.get_json()["error"]


def test_without_the_pin_a_device_only_watches(table: Runtime) -> None:
    client = create_app(table, pin="4711").test_client()
    assert send(client, "open_game", names=list(rig.NAMES)).status_code == 403
    assert login(client, "1234", "referee").json["key"] == "pin_wrong"
    assert login(client, "4711", "tablet").json["role"] == "tablet"
    assert send(client, "open_game", names=list(rig.NAMES)).status_code == 403
    assert login(client, "4711", "referee").status_code == 200
    assert send(client, "open_game", names=list(rig.NAMES)).status_code == 200
    client.post("/api/v1/logout", headers=GUARD)
    assert send(client, "draw_hand").status_code == 403


def test_guessing_the_pin_is_slow(table: Runtime) -> None:
    now = [0.0]
    client = create_app(table, pin="4711", clock=lambda: now[0]).test_client()
    for guess in range(5):
        assert login(client, str(guess), "referee").status_code == 403
    assert login(client, "4711", "referee").status_code == 429
    elsewhere = {"REMOTE_ADDR": "192.168.4.9"}
    other = client.post("/api/v1/login", json={"pin": "4711"}, headers=GUARD, environ_overrides=elsewhere)
    assert other.status_code == 200, "another device is not locked out"
    now[0] = 61.0
    assert login(client, "4711", "referee").status_code == 200


def test_a_competition_shows_the_value_to_nobody_before_it_is_announced(table: Runtime) -> None:
    app = create_app(table, pin="4711")
    referee, audience = app.test_client(), app.test_client()
    login(referee, "4711", "referee")
    rig.open_game(table, mode="competition")
    rig.claim(table)
    send(referee, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    for client in (referee, audience):
        state = client.get("/api/v1/state")
        assert state.json["claim"]["verdict"] is None
        assert "清龙" not in state.text
    send(referee, "announce", points=24)
    assert referee.get("/api/v1/state").json["claim"]["verdict"]["total"] == 24
    assert audience.get("/api/v1/state").json["claim"]["verdict"] is None


def test_pictures_of_a_competition_are_not_public(table: Runtime) -> None:
    app = create_app(table, pin="4711")
    referee, audience = app.test_client(), app.test_client()
    login(referee, "4711", "referee")
    rig.open_game(table, mode="competition")
    rig.claim(table)
    upload(referee, rig.picture())
    subscription = table.subscribe()
    while (seen := subscription.get(5)) is not None and not (seen.claim and seen.claim.picture):
        pass
    assert seen is not None
    assert seen.claim is not None
    assert audience.get(f"/evidence/{seen.claim.picture}").status_code == 403
    assert referee.get(f"/evidence/{seen.claim.picture}").status_code == 200


@pytest.mark.parametrize("path", ["/", "/desk", "/snap", "/api/v1/state", "/static/js/table.js", "/nowhere"])
def test_every_answer_carries_the_protective_headers(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert (headers["X-Content-Type-Options"], headers["X-Frame-Options"]) == ("nosniff", "DENY")


def test_the_interface_is_never_cached(client: FlaskClient) -> None:
    assert client.get("/api/v1/rulesets").headers["Cache-Control"] == "no-store"


def test_a_repeated_command_counts_once(client: FlaskClient) -> None:
    send(client, "open_game", names=list(rig.NAMES))
    call = rig.document("call_referee", seat=1, reason="count")
    for _ in range(3):
        assert client.post("/api/v1/command", json=call, headers=GUARD).status_code == 200
    assert len(client.get("/api/v1/state").json["calls"]) == 1


def test_a_correction_shows_before_and_after(client: FlaskClient, table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table)
    wish = {"hand_no": 1, "reason": "wrong seat", "winner": 3}
    preview = send(client, "correct_hand", preview=True, **wish).json["changes"]
    nothing = {"fee_before": [0, 0, 0, 0], "fee_after": [0, 0, 0, 0]}
    paid = {"before": [-8, 48, -32, -8], "after": [-8, -8, -32, 48]}
    assert preview[0] == {"hand_no": 1, "what": "hand", **paid, **nothing}
    assert client.get("/api/v1/state").json["history"][0]["corrected"] is False
    send(client, "correct_hand", **wish)
    state = client.get("/api/v1/state").json
    assert (state["history"][0]["corrected"], state["seats"][3]["total"]) == (True, 48)


def test_a_correction_shows_false_wins_and_penalties_by_player(client: FlaskClient, table: Runtime) -> None:
    rig.open_game(table)
    rig.do(table, "claim_win", seat=1, source="self_draw")
    rig.do(table, "reject", reason="thirteen tiles", false_win=True)
    rig.do(table, "penalise", seat=3, code="early_draw")  # five off the result, paid to nobody
    wish = {"from_hand": 1, "seating": [0, 2, 1, 3], "reason": "wrong seats", "preview": True}
    moved = send(client, "correct_seats", **wish).json["changes"]
    assert [(one["what"], one["player"], one["before"], one["after"]) for one in moved] == [
        ("false_win", 2, [10, -30, 10, 10], [10, 10, -30, 10]),
        ("penalty", 3, [0, 0, 0, -5], [0, 0, 0, -5]),
    ]


def test_exchanged_seats_show_what_each_player_gains(client: FlaskClient, table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table)
    wish = {"from_hand": 1, "reason": "wrong seats", "seating": [1, 0, 2, 3]}
    (change,) = send(client, "correct_seats", preview=True, **wish).json["changes"]
    assert (change["before"], change["after"]) == ([-8, 48, -32, -8], [48, -8, -32, -8])
    send(client, "correct_seats", **wish)
    seats = client.get("/api/v1/state").json["seats"]
    assert [(seat["player"], seat["total"]) for seat in seats] == [(1, -8), (0, 48), (2, -32), (3, -8)]


@pytest.mark.parametrize("pin", ["", "123", "12a4", "1" * 13, "１２３４"])
def test_a_pin_is_digits(table: Runtime, pin: str) -> None:
    with pytest.raises(ValueError, match="4 to 12 digits"):
        create_app(table, pin=pin)


def test_health_and_metrics_tell_programs_how_the_table_is(client: FlaskClient, table: Runtime) -> None:
    assert client.get("/health").json["status"] == "ok"
    rig.open_game(table)
    rig.win(table)
    rig.do(table, "penalise", seat=1, points=5, reason="late")  # a row of the history, but no hand
    rig.claim(table)
    numbers = dict(line.split() for line in client.get("/metrics").text.splitlines() if not line.startswith("#"))
    assert numbers["paiju_hands_finished"] == "1"
    assert numbers["paiju_claims_open"] == "1"
    assert numbers["paiju_camera_live"] == "0"
    assert int(numbers["paiju_ledger_seq"]) == client.get("/health").json["seq"]


def test_an_overlay_sees_no_more_than_everybody(client: FlaskClient, table: Runtime) -> None:
    rig.open_game(table, mode="competition")
    rig.claim(table)
    send(client, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    send(client, "announce", points=24)
    assert client.get("/api/v1/state").json["claim"]["verdict"] is not None
    assert client.get("/api/v1/state?as=viewer").json["claim"]["verdict"] is None


def test_the_interface_describes_itself(client: FlaskClient) -> None:
    described = client.get("/api/v1/openapi.json").json
    app = client.application
    routes = {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule) for rule in app.url_map.iter_rules()}
    public = {rule for rule in routes if rule.startswith(("/api/v1/", "/evidence/"))} - {"/api/v1/openapi.json"}
    assert set(described["paths"]) == public
    text = json.dumps(described)
    wanted = set(re.findall(r"#/components/schemas/([\w.-]+)", text))
    assert wanted <= set(described["components"]["schemas"])
    kinds = described["components"]["schemas"]["Command"]["discriminator"]["mapping"]
    assert {"open_game", "claim_win", "approve", "correct_hand"} <= set(kinds)
    state = client.get("/api/v1/state").json
    assert set(state) == set(described["components"]["schemas"]["Snapshot"]["properties"])


def test_a_code_brings_a_phone_to_the_page(table: Runtime) -> None:
    known = create_app(table, address="http://192.168.4.1:8080").test_client()
    asked = create_app(table).test_client()
    code = known.get("/qr/snap.svg")
    assert (code.mimetype, b"<path" in code.data) == ("image/svg+xml", True)
    assert code.data != known.get("/qr/desk.svg").data
    other = asked.get("/qr/snap.svg", headers={"Host": "192.168.4.1:8080"})
    assert other.data == code.data
    assert known.get("/qr/nowhere.svg").status_code == 404


@pytest.mark.parametrize("path", ["/api/v1/command", "/api/v1/score", "/api/v1/login"])
@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"[" * 60_000, "nested too deeply"),
        (b'{"a":' * 200 + b"1" + b"}" * 200, "nested too deeply"),
        (rb'{"id": "\ud800", "ruleset": "\ud800"}', "half a character"),
        (rb'{"\udfff": 1}', "half a character"),
        (b'{"id": 1e999, "ruleset": "gb"}', "too large"),
        (b'{"id": NaN}', "none at all"),
        (b'{"id": ' + b"9" * 5000 + b"}", "thousands of digits"),
        (b'{"id": "\xff"}', "UTF-8"),
        (b'{"id": ', "no JSON"),
    ],
)
def test_json_that_could_not_be_answered_is_refused(client: FlaskClient, path: str, body: bytes, says: str) -> None:
    answer = client.post(path, data=body, content_type="application/json", headers=GUARD)
    assert (answer.status_code, says in answer.json["error"]) == (400, True), answer.text


def test_another_command_with_a_used_key_is_refused(client: FlaskClient) -> None:
    assert send(client, "open_game", names=list(rig.NAMES), idem="o1").status_code == 200
    assert send(client, "open_game", names=list(rig.NAMES), idem="o1").status_code == 200
    lost = send(client, "start_hand", idem="o1")
    assert (lost.status_code, lost.json["key"]) == (409, "key_used")
    assert send(client, "start_hand", idem="o2").status_code == 200
    assert send(client, "claim_win", seat=1, idem="o2").json["key"] == "key_used"


@pytest.mark.parametrize("name", ["A\0B", "A\nB", "\u202eA", "A\u2028B", "\u200bA"])
def test_names_hold_no_control_characters(client: FlaskClient, name: str) -> None:
    answer = send(client, "open_game", names=[name, *rig.NAMES[1:]])
    assert answer.status_code == 400
    assert "invisible control character U+" in answer.json["error"]
    assert send(client, "open_game", names=["👩\u200d🚀 Åsa", *rig.NAMES[1:]]).status_code == 200
    for kind, fields in (("substitute", {"seat": 0, "name": name}), ("call_referee", {"reason": name}),
                         ("correct_hand", {"hand_no": 1, "reason": name})):  # fmt: skip
        answer = send(client, kind, **fields)
        assert (answer.status_code, "invisible control character U+" in answer.json["error"]) == (400, True)


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["A", "", "C", "D"], "names.1 takes a text of 1 to 40 characters"),
        (["A", "B", "C", "D" * 41], "names.3 takes a text of 1 to 40 characters"),
    ],
)
def test_a_wrong_name_is_said_by_its_place(client: FlaskClient, names: list[str], says: str) -> None:
    assert says in send(client, "open_game", names=names).json["error"]


def test_a_picture_above_the_limit_is_refused_in_a_sentence_by_the_server_itself(table: Runtime) -> None:
    with rig.served(table) as address:
        head = b'--x\r\nContent-Disposition: form-data; name="picture"; filename="a.jpg"\r\n\r\n'
        body = head + b"\xff" * (32 * 2**20) + b"\r\n--x--\r\n"
        link = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
        link.request("POST", "/api/v1/photo", body, {**GUARD, "Content-Type": "multipart/form-data; boundary=x"})
        answer = link.getresponse()
        assert (answer.status, json.loads(answer.read())["key"]) == (413, "too_large")
        link.close()


def test_pages_know_how_large_a_picture_may_be(client: FlaskClient) -> None:
    assert f'data-upload-limit="{30 * 2**20}"' in client.get("/snap").text


def test_a_ruleset_is_told_as_a_table_and_a_score_explains_itself(client: FlaskClient) -> None:
    told = client.get("/api/v1/rules?name=gb&language=en").json
    assert "Full Flush" in told["text"]
    assert "Minimum points" in told["text"]
    rows = client.get("/api/v1/rules?name=sichuan&language=zh-Hans").json["text"].splitlines()
    assert any(row.split()[:4] == ["玩法", "血战到底", "血战到底,", "一家和即止"] for row in rows)
    assert any(row.startswith("封顶番数") and "5, 无" in row for row in rows)
    assert not any("zhigang_units" in row or "null" in row for row in rows)
    assert client.get("/api/v1/rules?name=gbb").status_code == 404
    assert client.get("/api/v1/rules?name=gb&language=xx").status_code == 400
    winner = {"seat": 0, "hand": "123456789m12p55z", "melds": [], "win_tile": "3p", "source": "self_draw"}
    question = {"ruleset": "gb", "winners": [winner]}
    assert "explain" not in client.post("/api/v1/score", json=question, headers=GUARD).json
    assert "清龙 16" in client.post("/api/v1/score?explain=1", json=question, headers=GUARD).json["explain"]


def test_only_a_demonstration_waits_for_whoever_is_at_a_page(client: FlaskClient, table: Runtime) -> None:
    assert client.post("/api/v1/busy", headers=GUARD).status_code == 404
    assert "data-waits" not in client.get("/").text
    waited: list[bool] = []
    demo = create_app(table, wait=lambda: waited.append(True)).test_client()
    assert 'data-waits="yes"' in demo.get("/").text
    assert demo.post("/api/v1/busy", headers=GUARD).status_code == 204
    assert waited == [True]


def test_a_malformed_command_says_its_field_to_programs_and_pages(client: FlaskClient) -> None:
    answer = send(client, "rest", minutes=500)
    assert answer.status_code == 400
    assert answer.json["error"] == "minutes takes a whole number from 0 to 120. Nothing was done."
    assert answer.json["key"] == "bad_command"
    params = answer.json["params"]
    assert (params["why"], params["field"], params["least"], params["most"]) == ("why.field_number", "minutes", 0, 120)

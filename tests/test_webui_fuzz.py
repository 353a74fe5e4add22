"""Whatever strangers send, the table answers in one sentence and goes on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from table.commands import Command
from table.runtime import Runtime
from tests import webui_rig as rig
from webui import create_app

GUARD = {"X-Paiju": "1"}
KINDS = [member.model_fields["kind"].default for member in get_args(Command)]
FIELDS = sorted({name for member in get_args(Command) for name in member.model_fields} - {"kind", "idem", "actor"})
TEXTS = st.one_of(st.text(max_size=12), st.sampled_from(["123m", "5z", "gb", "self_draw", "peng", "0" * 64, "", "x"]))
PLAIN = st.one_of(st.none(), st.booleans(), st.integers(-3, 20), st.floats(), TEXTS)
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=8
)
STATE_KEYS = st.sampled_from(["round_wind", "dealer", "last_tile", "wall_left"])
WINNER_KEYS = st.sampled_from(["seat", "hand", "melds", "win_tile", "source", "from_seat", "flowers"])
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    with rig.open_table(tmp_path_factory.mktemp("table")) as runtime:
        rig.open_game(runtime)
        rig.claim(runtime)
        yield runtime


@pytest.fixture(scope="module")
def client(table: Runtime) -> FlaskClient:
    return create_app(table).test_client()


def says_why(status: int, body: object) -> bool:
    return status == 200 or (status in {400, 403, 409, 413, 415} and isinstance(body, dict) and bool(body.get("error")))


@given(kind=st.sampled_from(KINDS), fields=st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=6))
@QUICK
def test_commands_of_any_shape(client: FlaskClient, kind: str, fields: dict[str, object]) -> None:
    answer = client.post("/api/v1/command", json={**rig.document(kind), **fields}, headers=GUARD)
    assert says_why(answer.status_code, answer.json), answer.text
    assert sum(seat["total"] for seat in client.get("/api/v1/state").json["seats"]) == 0


@given(body=VALUES)
@QUICK
def test_any_json_at_all(client: FlaskClient, body: object) -> None:
    for path in ("/api/v1/command", "/api/v1/score", "/api/v1/login"):
        answer = client.post(path, json=body, headers=GUARD)
        assert answer.status_code in {200, 400, 403, 409, 429}, (path, answer.text)
        assert answer.json is not None


QUESTION = st.fixed_dictionaries(
    {"id": PLAIN, "ruleset": st.sampled_from(["gb", "jiaxing", "no"])},
    optional={
        "kind": TEXTS,
        "options": VALUES,
        "state": st.dictionaries(STATE_KEYS, VALUES, max_size=3),
        "winners": st.lists(st.dictionaries(WINNER_KEYS, VALUES), max_size=2),
        "events": VALUES,
    },
)


@given(question=QUESTION)
@QUICK
def test_questions_of_any_shape(client: FlaskClient, question: dict[str, object]) -> None:
    answer = client.post("/api/v1/score", json=question, headers=GUARD)
    assert answer.status_code in {200, 400}, answer.text
    assert "error" in answer.json or "valid" in answer.json

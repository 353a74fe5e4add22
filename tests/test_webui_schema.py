"""The program interface keeps what its own description promises, whatever is sent (schemathesis)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests import webui_rig as rig
from webui import create_app
from webui.openapi import document

KEPT = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
QUICK = settings(
    max_examples=8,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)


ROUTES = [
    (path, method)
    for path, methods in document()["paths"].items()
    for method in methods
    if path != "/api/v1/stream"  # it never ends
]


@pytest.fixture(scope="module")
def interface(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The description of a friendly table in the middle of a game, as it comes over the wire."""
    with rig.open_table(tmp_path_factory.mktemp("table")) as runtime:
        rig.open_game(runtime)
        rig.win(runtime)
        rig.claim(runtime)
        yield schemathesis.openapi.from_wsgi("/api/v1/openapi.json", create_app(runtime))


@pytest.mark.parametrize(("path", "method"), ROUTES)
def test_every_route_answers_as_described(interface: Any, path: str, method: str) -> None:
    @given(case=interface[path][method].as_strategy())
    @QUICK
    def answers(case: schemathesis.Case) -> None:
        case.headers.update({"X-Paiju": "1", "Accept-Encoding": "identity"})
        case.call_and_validate(checks=KEPT)

    answers()

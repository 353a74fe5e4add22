"""The hall: what other tables show in public, dead neighbours, and what waits longest."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from table.cli import main
from tests import webui_rig as rig
from webui import Hall, create_app, neighbour


class Clock:
    """Seconds that a test turns on."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def answering(status: int, body: bytes) -> Iterator[str]:
    """Something else than Paiju on a free port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def cards(hall: Hall) -> list[dict[str, Any]]:
    """What the page gets, without this table."""
    return hall.cards({"seats": [], "claims": [], "calls": [], "problems": []}, "")[1:]


def test_a_neighbour_shows_its_game_and_what_waits(tmp_path: Path) -> None:
    clock = Clock()
    with rig.open_table(tmp_path) as runtime, rig.served(runtime) as address:
        rig.open_game(runtime)
        rig.win(runtime)
        hall = Hall([neighbour(f"Table 2={address}")], clock)
        hall.ask_due()
        (card,) = cards(hall)
        assert (card["name"], card["url"], card["stale"], card["queue"]) == ("Table 2", address, False, [])
        assert [seat["total"] for seat in card["game"]["seats"]] == [-8, 48, -32, -8]
        assert card["game"]["hand_no"] == 2
        rig.claim(runtime)
        rig.do(runtime, "call_referee", seat=0, reason="count")
        hall.ask_due()
        assert cards(hall)[0]["queue"] == [], "it is asked every two seconds"
        clock.now += 2
        hall.ask_due()
        assert [(one["kind"], one["name"]) for one in cards(hall)[0]["queue"]] == [("win", "赵南"), ("call", "陈东")]


def test_matters_age_from_when_they_were_first_seen(tmp_path: Path) -> None:
    clock = Clock()
    with rig.open_table(tmp_path) as runtime, rig.served(runtime) as address:
        rig.open_game(runtime)
        rig.claim(runtime)
        hall = Hall([neighbour(f"Table 2={address}")], clock)
        hall.ask_due()
        cards(hall)
        clock.now += 41
        hall.ask_due()
        rig.do(runtime, "call_referee", seat=0, reason="count")
        clock.now += 3
        hall.ask_due()
        assert [(one["kind"], one["age_s"]) for one in cards(hall)[0]["queue"]] == [("win", 44), ("call", 0)]
        rig.do(runtime, "cancel_claim")
        clock.now += 3
        hall.ask_due()
        cards(hall)
        rig.claim(runtime)
        clock.now += 3
        hall.ask_due()
        assert next(one["age_s"] for one in cards(hall)[0]["queue"] if one["kind"] == "win") == 0


def test_an_unchanged_neighbour_costs_nothing(tmp_path: Path) -> None:
    clock = Clock()
    with rig.open_table(tmp_path) as runtime, rig.served(runtime) as address:
        rig.open_game(runtime)
        hall = Hall([neighbour(f"Table 2={address}")], clock)
        hall.ask_due()
        before = cards(hall)[0]["game"]
        clock.now += 2
        hall.ask_due()
        (card,) = cards(hall)
        assert card["game"] == before
        assert (card["age_s"], card["trouble"]) == (0, "")


def test_a_dead_neighbour_keeps_its_last_state_and_says_since_when(tmp_path: Path) -> None:
    clock = Clock()
    hall = None
    with rig.open_table(tmp_path) as runtime, rig.served(runtime) as address:
        rig.open_game(runtime)
        hall = Hall([neighbour(f"Table 2={address}")], clock)
        hall.ask_due()
    clock.now += 30
    hall.ask_due()
    (card,) = cards(hall)
    assert (card["stale"], card["age_s"], card["trouble"]) == (True, 30, "silent")
    assert card["game"] is not None


@pytest.mark.parametrize(
    ("status", "body", "trouble"),
    [(200, b"<html>", "not_paiju"), (200, b"[]", "not_paiju"), (403, b"{}", "refused"), (302, b"", "refused")],
)
def test_an_address_that_is_no_table_is_said(status: int, body: bytes, trouble: str) -> None:
    with answering(status, body) as address:
        hall = Hall([neighbour(f"X={address}")], Clock())
        hall.ask_due()
        (card,) = cards(hall)
        assert (card["trouble"], card["game"], card["stale"]) == (trouble, None, True)


GOOD = '{"seats": [%s], "claims": [%s], "calls": [%s], "problems": [%s], "game": {"ruleset": "gb", "mode": "friendly"}}'
SEAT = '{"seat": 0, "name": "A", "total": %s}'


@pytest.mark.parametrize(
    "body",
    [
        GOOD % ("5", "", "", ""),
        GOOD % ('{"seat": {}}', "", "", ""),
        GOOD % (SEAT % "NaN", "", "", ""),
        GOOD % (SEAT % "1e999", "", "", ""),
        GOOD % (", ".join([SEAT % "0"] * 5), "", "", ""),
        GOOD % ("", '"ab"', "", ""),
        GOOD % ("", "", "[]", ""),
        GOOD % ("", "", '{"id": "\\ud800", "seat": null, "reason": ""}', ""),
        GOOD % ("", "", ", ".join(['{"id": "1", "seat": null, "reason": ""}'] * 1001), ""),
        GOOD % ("", "", "", "[" * 50_000 + "]" * 50_000),
        '{"seats": null, "claims": 1, "calls": {}, "problems": "x"}',
        '{"seats": [], "claims": [], "calls": [], "problems": [], "game": [1], "round": "x"}',
    ],
)
def test_a_neighbour_that_lies_takes_nothing_down(body: str) -> None:
    with answering(200, body.encode()) as lying, answering(200, (GOOD % (SEAT % "7", "", "", "")).encode()) as honest:
        hall = Hall([neighbour(f"X={lying}"), neighbour(f"X={honest}")], Clock())
        hall.ask_due()
        assert [card["trouble"] for card in cards(hall)] == ["not_paiju", ""]


def test_a_neighbour_that_answers_byte_by_byte_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.hall.TIMEOUT_S", 0.4)
    with socket.create_server(("127.0.0.1", 0)) as server:
        ended = threading.Event()

        def drip() -> None:
            line, _ = server.accept()
            with line, contextlib.suppress(OSError):
                line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n")
                while not ended.wait(0.1):
                    line.sendall(b" ")

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        hall = Hall([neighbour(f"Slow=http://127.0.0.1:{server.getsockname()[1]}")], Clock())
        before = time.monotonic()
        hall.ask_due()
        assert time.monotonic() - before < 3.0
        assert cards(hall)[0]["trouble"] != ""
        ended.set()
        thread.join()


def test_a_silent_neighbour_is_asked_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def fetch(url: str, _etag: str) -> tuple[str, None, str]:
        asked.append(url)
        return ("silent" if url == "http://dead" else "", None, "")

    monkeypatch.setattr("webui.hall._fetch", fetch)
    clock = Clock()
    hall = Hall([neighbour("Dead=http://dead"), neighbour("Alive=http://alive")], clock)
    for _ in range(11):
        hall.ask_due()
        clock.now += 1
    assert (asked.count("http://dead"), asked.count("http://alive")) == (2, 6)


def test_a_competition_next_door_shows_no_hidden_value(tmp_path: Path) -> None:
    with rig.open_table(tmp_path) as runtime, rig.served(runtime) as address:
        rig.open_game(runtime, mode="competition")
        rig.claim(runtime)
        rig.do(runtime, "hand_manual", hand="123456789m23m44z", win_tile="4m")
        hall = Hall([neighbour(f"Table 2={address}")], Clock())
        hall.ask_due()
        assert "24" not in str(cards(hall)[0]["queue"])


def test_this_table_is_the_first_card_with_its_own_name(tmp_path: Path) -> None:
    with rig.open_table(tmp_path) as runtime:
        rig.open_game(runtime)
        client = create_app(runtime, hall=Hall((), Clock(), "Table 1")).test_client()
        (card,) = client.get("/api/v1/hall").json["tables"]
        assert (card["name"], card["url"], card["stale"]) == ("Table 1", "", False)
        assert client.get("/hall").status_code == 200


@pytest.mark.parametrize("words", ["Table 7", "Table 7=", "=http://x", "Table 7=ftp://x", "Table 7=192.168.1.7:8080",
                                   "Table 7=http://h:99999", "Table 7=http://[", "Table 7=http://h:x",
                                   "Table 7=http://a..b", "Table 7=http://h\x00/",
                                   "\udcff=http://h", "a\x1b=http://h"])  # fmt: skip
def test_a_neighbour_that_is_not_understood_gets_a_sentence(words: str) -> None:
    with pytest.raises(ValueError, match=r"write NAME=ADDRESS"):
        neighbour(words)
    done = CliRunner().invoke(main, ["run", "--port", "0", "--neighbour", words])
    assert done.exit_code != 0

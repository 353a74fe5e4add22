"""Other programs are told what was confirmed: signed, in order, at least once, and never at the game's cost."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from table.runtime import Runtime
from tests import webui_rig as rig
from webui import create_app
from webui.access_file import AccessFileError
from webui.webhooks import Hook, Webhooks, deliver

GUARD = {"X-Paiju": "1"}
URL = "http://192.168.4.20:9000/paiju"


@dataclass
class Receiver:
    """Takes what it is told, or refuses."""

    broken: str = ""
    told: list[dict[str, Any]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    tries: int = 0

    def __call__(self, hook: Hook, body: bytes, headers: Mapping[str, str]) -> None:
        self.tries += 1
        if self.broken:
            raise OSError(self.broken)
        expected = hmac.new(hook.secret.encode(), body, hashlib.sha256).hexdigest()
        assert headers["X-Paiju-Signature"] == f"sha256={expected}"
        self.told.append(json.loads(body))

    @property
    def kinds(self) -> list[str]:
        return [one["kind"] for one in self.told]


@pytest.fixture
def now() -> list[float]:
    return [0.0]


@pytest.fixture
def receiver() -> Receiver:
    return Receiver()


@pytest.fixture
def hooks(table: Runtime, tmp_path: Path, now: list[float], receiver: Receiver) -> Webhooks:
    made = Webhooks(table, tmp_path / "webhooks.json", receiver, lambda: now[0])
    made.choose([URL])
    return made


def test_what_was_confirmed_is_told_in_order_with_the_public_state(
    hooks: Webhooks, table: Runtime, receiver: Receiver
) -> None:
    rig.open_game(table, mode="competition")
    rig.claim(table)
    rig.do(table, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    hooks.tell_all()
    assert receiver.kinds == ["game_opened"], "a claim is no fact yet"
    assert "清龙" not in json.dumps(receiver.told, ensure_ascii=False)
    rig.do(table, "announce", points=24)
    rig.do(table, "approve")
    rig.do(table, "undo_last")
    hooks.tell_all()
    assert receiver.kinds == ["game_opened", "hand_settled", "decision_undone"]
    assert [one["seq"] for one in receiver.told] == sorted(one["seq"] for one in receiver.told)
    assert receiver.told[-1]["state"]["seats"][1]["total"] == 0
    hooks.tell_all()
    assert len(receiver.told) == 3, "once is enough when it was taken"


def test_a_dead_receiver_is_told_everything_when_it_comes_back(
    hooks: Webhooks, table: Runtime, receiver: Receiver, now: list[float]
) -> None:
    receiver.broken = "connection refused"
    rig.open_game(table)
    waits = []
    for _ in range(4):
        hooks.tell_all()
        before, tries = now[0], receiver.tries
        while receiver.tries == tries:
            now[0] += 0.5
            hooks.tell_all()
        waits.append(now[0] - before)
    assert waits == [1, 2, 4, 8]
    assert hooks.listed()[0]["trouble"] == "connection refused"
    rig.win(table)
    receiver.broken, now[0] = "", now[0] + 300
    hooks.tell_all()
    assert receiver.kinds == ["game_opened", "hand_settled"]
    assert hooks.listed()[0]["trouble"] == ""


def test_a_full_disk_makes_nobody_hear_the_same_again(
    hooks: Webhooks, table: Runtime, receiver: Receiver, now: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = []

    def full(_path: Path, _data: bytes) -> None:
        writes.append(now[0])
        raise AccessFileError("webhooks.json: cannot be written (No space left on device).")

    with monkeypatch.context() as disk:
        disk.setattr("webui.webhooks.write_private", full)
        rig.open_game(table)
        for _ in range(60):
            hooks.tell_all()
            now[0] += 1.0
        assert receiver.kinds == ["game_opened"]
        assert writes == [0, 1, 3, 7, 15, 31]
    now[0] += 300
    hooks.tell_all()
    again = Webhooks(table, hooks.path, receiver)
    assert again.listed()[0]["told"] == table.snapshot().seq, "written down as soon as there is space"


def test_a_restart_goes_on_where_it_was(hooks: Webhooks, table: Runtime, receiver: Receiver, tmp_path: Path) -> None:
    rig.open_game(table)
    hooks.tell_all()
    rig.win(table)
    again = Webhooks(table, tmp_path / "webhooks.json", receiver)
    again.tell_all()
    assert receiver.kinds == ["game_opened", "hand_settled"]
    assert (tmp_path / "webhooks.json").stat().st_mode & 0o777 == 0o600


def test_a_new_address_is_not_told_of_the_past(hooks: Webhooks, table: Runtime, receiver: Receiver) -> None:
    rig.open_game(table)
    hooks.choose(["http://10.0.0.2/x"])
    hooks.tell_all()
    assert receiver.kinds == []


def test_a_damaged_file_is_said(table: Runtime, tmp_path: Path) -> None:
    (tmp_path / "webhooks.json").write_text("{")
    with pytest.raises(AccessFileError, match="damaged"):
        Webhooks(table, tmp_path / "webhooks.json", Receiver())


def test_the_game_does_not_wait_for_a_receiver_that_hangs(table: Runtime, tmp_path: Path) -> None:
    started, let_go = threading.Event(), threading.Event()

    def hang(_hook: Hook, _body: bytes, _headers: Mapping[str, str]) -> None:
        started.set()
        let_go.wait(10)

    hooks = Webhooks(table, tmp_path / "webhooks.json", hang)
    hooks.choose([URL])
    hooks.start()
    rig.open_game(table)
    assert started.wait(5)
    before = time.monotonic()
    rig.win(table)
    assert time.monotonic() - before < 2.0
    let_go.set()
    hooks.stop()


def test_it_is_delivered_over_the_wire() -> None:
    heard: list[tuple[str, str, int]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the standard library's name
            size = int(self.headers["Content-Length"])
            self.rfile.read(size)
            heard.append((self.path, self.headers["Host"], size))
            self.send_response(500 if len(heard) == 1 else 204)
            self.end_headers()

        def log_message(self, *_words: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        hook = Hook(id="1", url=f"http://localhost:{server.server_port}/a?b=c", secret="s")
        with pytest.raises(OSError, match="answered 500"):
            deliver(hook, b"{}", {})
        deliver(hook, b"{}", {"X-Paiju-Id": "1"})
        server.shutdown()
        thread.join()
    assert heard[1] == ("/a?b=c", f"localhost:{server.server_port}", 2)


def test_a_receiver_that_answers_byte_by_byte_is_left_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.webhooks.POST_S", 0.4)
    with socket.create_server(("127.0.0.1", 0)) as server:
        ended = threading.Event()

        def drip() -> None:
            line, _ = server.accept()
            with line, contextlib.suppress(OSError):
                line.sendall(b"HTTP/1.1 2")
                while not ended.wait(0.1):
                    line.sendall(b" ")

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        before = time.monotonic()
        with pytest.raises(OSError):  # noqa: PT011  # any reason is one
            deliver(Hook(id="1", url=f"http://127.0.0.1:{server.getsockname()[1]}/", secret="s"), b"{}", {})
        assert time.monotonic() - before < 3.0
        ended.set()
        thread.join()


def test_nothing_is_sent_to_the_internet() -> None:
    with pytest.raises(OSError, match="not in the local network"):
        deliver(Hook(id="1", url="http://8.8.8.8/", secret="s"), b"{}", {})


def test_addresses_are_chosen_by_the_organiser_and_secrets_shown_once(hooks: Webhooks, table: Runtime) -> None:
    app = create_app(table, pin="4711", webhooks=hooks)
    referee, stranger = app.test_client(), app.test_client()
    referee.post("/api/v1/login", json={"pin": "4711"}, headers=GUARD)
    for client, status in ((referee, 200), (stranger, 403)):
        assert (
            client.put("/api/v1/webhooks", json={"urls": [URL, "http://10.0.0.2/x"]}, headers=GUARD).status_code
            == status
        )
        assert client.get("/api/v1/webhooks").status_code == status
    added = referee.put("/api/v1/webhooks", json={"urls": [URL, "http://10.0.0.3/x"]}, headers=GUARD).json
    assert [one["url"] for one in added["made"]] == ["http://10.0.0.3/x"]
    assert len(added["made"][0]["secret"]) >= 30
    assert "secret" not in referee.get("/api/v1/webhooks").text


@pytest.mark.parametrize(
    "url",
    [
        "", "ftp://10.0.0.1/", "http://", "http://10.0.0.1:99999/", "http://a b/", "http://u:p@10.0.0.1/", 5, "x" * 400,
        "http://[", "http://[::1", "http://a..b/", f"http://{'a' * 64}.local/",
    ],
)  # fmt: skip
def test_a_webhook_is_an_address(table: Runtime, hooks: Webhooks, url: object) -> None:
    client = create_app(table, webhooks=hooks).test_client()
    assert client.put("/api/v1/webhooks", json={"urls": [url]}, headers=GUARD).status_code == 400
    assert client.put("/api/v1/webhooks", json={"urls": [URL] * 6}, headers=GUARD).status_code == 400
    assert [one["url"] for one in hooks.listed()] == [URL]

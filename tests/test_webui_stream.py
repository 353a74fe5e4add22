"""Live pages: the whole state each time, at once, and never at the cost of those who play."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from table.audience import RECENT
from table.runtime import Runtime
from table.snapshot import Snapshot
from tests import webui_rig as rig
from webui import Server, create_app, make_server
from webui.stream import StreamGate, as_json, messages


class Watcher:
    """A page that listens to the stream."""

    def __init__(self, address: str) -> None:
        self._link = http.client.HTTPConnection(urlsplit(address).netloc, timeout=10)
        self._link.request("GET", "/api/v1/stream", headers={"Accept": "text/event-stream"})
        self.answer = self._link.getresponse()

    def event(self) -> tuple[str, str]:
        """The next event: its name and data."""
        name = data = ""
        while line := self.answer.readline().decode().rstrip("\n"):
            field, _, value = line.partition(": ")
            name, data = (value if field == "event" else name), (value if field == "data" else data)
        return name, data

    def state(self) -> dict[str, Any]:
        """The next state."""
        while True:
            name, data = self.event()
            if name == "state":
                return json.loads(data)  # type: ignore[no-any-return]

    def close(self) -> None:
        self.answer.close()
        self._link.close()


def post(address: str, kind: str, **fields: Any) -> tuple[int, float]:
    """Send a command like a page does: the status and how long it took."""
    link = http.client.HTTPConnection(urlsplit(address).netloc, timeout=10)
    started = time.monotonic()
    headers = {"Content-Type": "application/json", "X-Paiju": "1"}
    link.request("POST", "/api/v1/command", json.dumps(rig.document(kind, **fields)), headers)
    status = link.getresponse().status
    link.close()
    return status, time.monotonic() - started


def long_game(table: Runtime, rows: int) -> Snapshot:
    """The state of a game with so many finished hands, all alike but for their numbers."""
    now = table.snapshot()
    (row,) = now.history
    return replace(now, history=tuple(replace(row, hand_no=number + 1) for number in range(rows)))


def test_the_state_of_a_long_game_is_no_larger_than_that_of_a_short_one(table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table)
    short, long = (as_json(long_game(table, rows), "referee") for rows in (RECENT, 5000))
    assert len(long) < len(short) + 200 < 80_000
    told = json.loads(long)
    assert told["earlier"]["rows"] == 5000 - RECENT
    assert [row["hand_no"] for row in told["history"]] == list(range(5001 - RECENT, 5001))
    assert json.loads(short)["earlier"]["rows"] == 0


def test_older_rows_come_in_pages_as_far_as_a_device_may_see_them(
    table: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.open_game(table, mode="competition")
    rig.claim(table)
    rig.do(table, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    rig.do(table, "announce", points=24)
    rig.do(table, "approve")
    whole = long_game(table, 500)
    monkeypatch.setattr(table, "snapshot", lambda: whole)
    client = create_app(table).test_client()
    numbers: list[int] = []
    before = 500 - RECENT
    while before:
        answer = client.get(f"/api/v1/history?before={before}&as=viewer").json
        assert len(answer["rows"]) == min(200, before)
        assert all(row["computed"] is None for row in answer["rows"])
        numbers[:0] = [row["hand_no"] for row in answer["rows"]]
        before = answer["first"]
    assert numbers == list(range(1, 501 - RECENT))
    assert client.get("/api/v1/history?count=1").json["rows"][0]["computed"] == 24
    assert client.get("/api/v1/history?before=0").json["rows"] == []
    for wrong in ("before=-1", "before=x", "count=0", "count=201", "before=9999999999"):
        assert client.get(f"/api/v1/history?{wrong}").status_code == 400


def test_a_page_is_told_that_rows_it_has_were_corrected(table: Runtime) -> None:
    def changed() -> int:
        return table.snapshot().earlier.changed

    rig.open_game(table)
    rig.win(table)
    before = changed()
    rig.win(table)
    rig.do(table, "dice", values=[3, 4])
    assert changed() == before
    rig.do(table, "correct_hand", hand_no=1, outcome="draw", reason="wrong table")
    after = changed()
    assert after > before
    rig.do(table, "undo_last")
    assert changed() > after


def test_a_late_page_gets_the_whole_truth_and_every_change_at_once(table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table)
    with rig.served(table) as address:
        watcher = Watcher(address)
        first = watcher.state()
        assert [seat["total"] for seat in first["seats"]] == [-8, 48, -32, -8]
        started = time.monotonic()
        rig.do(table, "undo_last")
        after = watcher.state()
        assert time.monotonic() - started < 0.5
        assert [seat["total"] for seat in after["seats"]] == [0, 0, 0, 0]
        watcher.close()


def test_viewers_can_never_starve_commands(table: Runtime) -> None:
    places = 4
    with rig.served(table, max_streams=places) as address, ExitStack() as stack:
        watchers = [Watcher(address) for _ in range(places * 3)]
        for watcher in watchers:
            stack.callback(watcher.close)
        taken = [watcher for watcher in watchers if watcher.answer.status == 200]
        refused = [watcher for watcher in watchers if watcher.answer.status == 503]
        assert (len(taken), len(refused)) == (places, places * 2)
        assert all(int(watcher.answer.headers["Retry-After"]) > 0 for watcher in refused)
        status, seconds = post(address, "open_game", names=list(rig.NAMES))
        assert status == 200
        assert seconds < 1.0
        for watcher in taken:
            while watcher.state()["game"] is None:
                pass


def test_a_page_that_leaves_gives_its_place_back(table: Runtime) -> None:
    with rig.served(table, max_streams=1) as address:
        first = Watcher(address)
        assert first.state()["seq"] == 0
        first.close()
        deadline = time.monotonic() + 8
        while (second := Watcher(address)).answer.status != 200:
            second.close()
            assert time.monotonic() < deadline, "the place was never given back"
            time.sleep(0.3)
        assert second.state()["seq"] == 0
        second.close()


def test_a_viewer_who_never_reads_holds_nobody_up(table: Runtime) -> None:
    with rig.served(table, max_streams=2) as address:
        host, port = urlsplit(address).netloc.split(":")
        with socket.create_connection((host, int(port))) as deaf:
            deaf.sendall(b"GET /api/v1/stream HTTP/1.1\r\nHost: x\r\n\r\n")
            rig.open_game(table)
            for seat in range(4):
                assert post(address, "call_referee", seat=seat, reason="count")[1] < 1.0


def test_the_pages_answer_while_others_hold_every_connection(table: Runtime) -> None:
    """Deaf streams and more half requests than the server keeps: whoever was silent longest makes room."""
    with rig.served(table, max_streams=2) as address, ExitStack() as stack:
        host, port = urlsplit(address).netloc.split(":")

        def say(words: bytes) -> socket.socket:
            link = stack.enter_context(socket.create_connection((host, int(port)), timeout=5))
            link.sendall(words)
            return link

        deaf = say(b"GET /api/v1/stream HTTP/1.1\r\nHost: x\r\n\r\n")
        assert deaf.recv(12) == b"HTTP/1.1 200"
        silent = [say(b"GET / HTTP/1.1\r\nHost: x\r\n") for _ in range(160)]
        status, seconds = post(address, "open_game", names=list(rig.NAMES))
        assert status == 200
        assert seconds < 5
        watcher = Watcher(address)
        stack.callback(watcher.close)
        assert watcher.state()["game"], "a page watches live too"
        assert silent[0].recv(1) == b"", "the oldest was hung up"
        while b"event: beat" not in deaf.recv(64 * 1024):
            pass  # a stream is no silent connection


def test_silence_is_broken_by_a_sign_of_life(table: Runtime) -> None:
    stream = messages(table, "viewer", StreamGate(1), beat_s=0.05)
    assert next(stream).startswith("retry:")
    assert "event: state" in next(stream)
    assert "event: beat" in next(stream)
    stream.close()  # type: ignore[attr-defined]  # it is a generator


def test_the_stream_ends_with_the_table(tmp_path: Path) -> None:
    with rig.open_table(tmp_path) as runtime:
        stream = messages(runtime, "viewer", StreamGate(1), beat_s=5.0)
        assert next(stream).startswith("retry:")
        assert "event: state" in next(stream)
    assert sum(1 for _ in zip(stream, range(20), strict=False)) < 20


def test_the_gate_counts() -> None:
    gate = StreamGate(1)
    assert gate.enter()
    assert not gate.enter()
    gate.leave()
    assert gate.enter()


def test_a_server_that_closes_ends_its_streams_and_frees_the_port(table: Runtime) -> None:
    server = Server(create_app(table), "127.0.0.1", 0, command_threads=2)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    watcher = Watcher(f"http://127.0.0.1:{server.port}")
    assert watcher.state()["seq"] == 0
    started = time.monotonic()
    server.close()
    thread.join(5)
    assert not thread.is_alive()
    assert time.monotonic() - started < 4
    watcher.close()
    again = Server(create_app(table), "127.0.0.1", server.port, command_threads=2)
    assert again.port == server.port


def test_a_port_in_use_is_an_error_at_once(table: Runtime) -> None:
    with rig.served(table) as address, pytest.raises(OSError, match="in use"):
        make_server(create_app(table), "127.0.0.1", int(address.rpartition(":")[2]))

"""HTTPS beside HTTP: the same pages, the same threads, and strangers who hang, stammer or shout hold nobody up."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import json
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from flask import Flask

from table import tls
from table.runtime import Runtime
from tests import webui_rig as rig
from webui import Authority, Server, create_app, tls_front
from webui.texts import catalogue

NAMES = ("localhost", "127.0.0.1")
STRANGER = "127.0.0.2"
"""Another address of this machine, so that what is limited by address can be tried."""


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> tls.Certificates:
    return tls.make(tmp_path_factory.mktemp("tls"), NAMES, datetime.now(UTC))


@dataclass
class Served:
    """Both ports of a table, and what trusts its certificate."""

    server: Server
    plain: int
    secure: int
    trusting: ssl.SSLContext

    def link(self, *, secure: bool = True) -> http.client.HTTPConnection:
        if secure:
            return http.client.HTTPSConnection("localhost", self.secure, timeout=5, context=self.trusting)
        return http.client.HTTPConnection("localhost", self.plain, timeout=5)

    def seconds(self, *, secure: bool = True) -> float:
        """How long a bare request takes."""
        started = time.monotonic()
        link = self.link(secure=secure)
        link.request("GET", "/health")
        assert link.getresponse().status == 200
        link.close()
        return time.monotonic() - started


@contextmanager
def serving(table: Runtime, certificates: tls.Certificates, streams: int = 8) -> Iterator[Served]:
    server = Server(create_app(table, max_streams=streams), "127.0.0.1", 0, command_threads=4)
    server.add_tls(certificates.context(), "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    assert server.secure_port is not None
    trusting = ssl.create_default_context(cafile=str(certificates.folder / tls.CA_CERT))
    try:
        yield Served(server, server.port, server.secure_port, trusting)
    finally:
        server.close()
        thread.join(5)
        assert not thread.is_alive()


def watch(served: Served, *, secure: bool = True) -> http.client.HTTPResponse:
    """A live page, up to its first state."""
    link = served.link(secure=secure)
    link.request("GET", "/api/v1/stream")
    answer = link.getresponse()
    while not answer.readline().startswith(b"data: {"):
        pass
    return answer


def test_the_pages_come_over_both_and_a_tap_over_one_shows_on_the_other(
    table: Runtime, certificates: tls.Certificates
) -> None:
    with serving(table, certificates) as served:
        page = watch(served)
        link = served.link(secure=False)
        body = json.dumps(rig.document("open_game", names=list(rig.NAMES)))
        link.request("POST", "/api/v1/command", body, {"Content-Type": "application/json", "X-Paiju": "1"})
        assert link.getresponse().status == 200
        while b'"game":{' not in (line := page.readline()):
            assert line
        link.close()
        page.close()


def test_a_device_that_does_not_know_the_authority_refuses(table: Runtime, certificates: tls.Certificates) -> None:
    with serving(table, certificates) as served:
        link = http.client.HTTPSConnection("localhost", served.secure, timeout=5)
        with pytest.raises(ssl.SSLCertVerificationError):
            link.request("GET", "/health")


def test_the_true_address_of_a_device_is_known_over_https(table: Runtime, certificates: tls.Certificates) -> None:
    app = create_app(table)
    seen: list[tuple[str, bool]] = []

    @app.before_request
    def note() -> None:
        from flask import request

        seen.append((request.remote_addr or "", request.is_secure))

    server = Server(app, "127.0.0.1", 0)
    server.add_tls(certificates.context(), "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    trusting = ssl.create_default_context(cafile=str(certificates.folder / tls.CA_CERT))
    link = http.client.HTTPSConnection(
        "localhost", server.secure_port, timeout=5, context=trusting, source_address=(STRANGER, 0)
    )
    link.request("GET", "/health", headers={"X-Forwarded-For": "10.9.9.9", "X-Forwarded-Proto": "http"})
    link.getresponse().read()
    link.close()
    server.close()
    thread.join(5)
    assert seen == [(STRANGER, True)]


def test_large_answers_and_uploads_pass_whole(table: Runtime, certificates: tls.Certificates) -> None:
    with serving(table, certificates) as served:
        link = served.link()
        link.request("GET", "/texts/zh-Hans.json")
        answer = link.getresponse()
        assert len(answer.read()) == int(answer.headers["Content-Length"]) > 20_000
        head = b'--x\r\nContent-Disposition: form-data; name="picture"; filename="a.jpg"\r\n\r\n'
        body = head + b"\xff" * (31 * 2**20) + b"\r\n--x--\r\n"
        headers = {"X-Paiju": "1", "Content-Type": "multipart/form-data; boundary=x"}
        link.request("POST", "/api/v1/photo", body, headers)
        assert link.getresponse().status == 413
        link.close()


def test_closing_ends_open_streams_within_a_second(table: Runtime, certificates: tls.Certificates) -> None:
    with serving(table, certificates) as served:
        pages = [watch(served, secure=secure) for secure in (True, True, False, False)]
        started = time.monotonic()
    assert time.monotonic() - started < 1.0
    for page in pages:
        page.close()


def test_viewers_over_https_never_starve_commands(table: Runtime, certificates: tls.Certificates) -> None:
    with serving(table, certificates, streams=4) as served:
        pages = [watch(served) for _ in range(4)]
        link = served.link()
        link.request("GET", "/api/v1/stream")
        assert link.getresponse().status == 503
        link.close()
        assert served.seconds() < 1.0
        for page in pages:
            page.close()


HUGE = b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X-Long: " + b"a" * 100_000
HELD_UP_S = 3.0
"""Whoever waits for one of them would wait for the end of its handshake (5 s) or of its silence (30 s)."""

STAMMER = b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "


@pytest.mark.parametrize("words", [b"", STAMMER, HUGE, b"\x16\x03\x01\x02\x00\x01\x00", b"\x00" * 5000])
@pytest.mark.parametrize("secure_port", [True, False])
def test_strangers_who_say_half_of_something_hold_nobody_up(
    table: Runtime, certificates: tls.Certificates, words: bytes, secure_port: bool
) -> None:
    with serving(table, certificates) as served, ExitStack() as stack:
        port = served.secure if secure_port else served.plain
        for _ in range(60):
            caller = stack.enter_context(socket.create_connection(("127.0.0.1", port), source_address=(STRANGER, 0)))
            with contextlib.suppress(OSError):
                caller.sendall(words)
        for secure in (True, False):
            assert max(served.seconds(secure=secure) for _ in range(3)) < HELD_UP_S


def test_one_device_cannot_take_the_places_of_all(table: Runtime, certificates: tls.Certificates) -> None:
    with serving(table, certificates) as served, ExitStack() as stack:
        for port in (served.plain, served.secure):
            callers = [
                stack.enter_context(socket.create_connection(("127.0.0.1", port), source_address=(STRANGER, 0)))
                for _ in range(60)
            ]
            time.sleep(0.3)
            hung_up = 0
            for caller in callers:
                caller.settimeout(0.02)
                with contextlib.suppress(TimeoutError):
                    hung_up += caller.recv(1) == b""
            assert hung_up >= 20


def hung_up(line: socket.socket) -> bool:
    line.settimeout(0.3)
    try:
        return line.recv(1) == b""
    except TimeoutError:
        return False


def test_who_was_silent_longest_makes_room_and_a_live_page_does_not(
    table: Runtime, certificates: tls.Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Browsers keep connections open that they do not use; when all places are taken, a reload must come in."""
    monkeypatch.setattr(tls_front, "PLACES", 5)
    monkeypatch.setattr(tls_front, "QUIET_S", 2.5)
    with serving(table, certificates) as served, ExitStack() as stack:
        page = watch(served)
        links = [served.link() for _ in range(3)]
        for link in links:
            stack.callback(link.close)
            link.request("GET", "/health")
            assert link.getresponse().read()
        stammers = stack.enter_context(served.trusting.wrap_socket(
            socket.create_connection(("127.0.0.1", served.secure)), server_hostname="localhost",
        ))  # fmt: skip
        stammers.sendall(STAMMER)
        with pytest.raises(OSError, match=r"."):
            served.seconds()  # nobody has been silent for long yet
        time.sleep(2.6)
        links[0].request("GET", "/health")
        assert links[0].getresponse().read()
        for _ in range(2):
            newcomer = served.link()
            stack.callback(newcomer.close)
            newcomer.request("GET", "/health")
            assert newcomer.getresponse().status == 200
        assert [hung_up(link.sock) for link in links] == [False, True, True]
        assert not hung_up(stammers)
        assert b"event: beat\n" in [page.readline() for _ in range(6)]
        page.close()


def test_a_crowd_that_never_falls_silent_makes_room_too(
    table: Runtime, certificates: tls.Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several devices that send a letter now and then on all of their connections would else keep everybody out."""
    monkeypatch.setattr(tls_front, "PLACES", 5)
    monkeypatch.setattr(tls_front, "CROWD", 2)
    monkeypatch.setattr(tls_front, "QUIET_S", 60.0)  # so that nobody counts as silent
    monkeypatch.setattr(tls_front, "HANDSHAKE_S", 60.0)
    with serving(table, certificates) as served, ExitStack() as stack:
        page = watch(served)
        crowd = [
            stack.enter_context(socket.create_connection(("127.0.0.1", served.secure), source_address=(STRANGER, 0)))
            for _ in range(4)
        ]
        for _ in range(2):
            newcomer = served.link()
            stack.callback(newcomer.close)
            newcomer.request("GET", "/health")
            assert newcomer.getresponse().status == 200
        with pytest.raises(OSError, match=r"."):
            served.seconds()  # two from one device are no crowd
        assert [hung_up(line) for line in crowd] == [True, True, False, False]
        assert b"event: beat\n" in [page.readline() for _ in range(6)]
        page.close()


# --- the page that helps devices to trust it ------------------------------------------------------------------------


@pytest.fixture
def trusted(table: Runtime, certificates: tls.Certificates) -> Flask:
    found = Authority(certificate=certificates.authority(), fingerprint=certificates.fingerprint, port=8443)
    return create_app(table, pin="4711", authority=found)


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant", "en"])
def test_plain_pages_say_in_words_that_they_are_not_secure_and_lead_to_the_help(trusted: Flask, language: str) -> None:
    client = trusted.test_client()
    for name in ("localhost", "192.168.4.1", "table7.local"):
        client.set_cookie("paiju_lang", language, domain=name)
    words = catalogue(language)("trust.badge")
    for path in ("/", "/desk", "/snap", "/setup", "/devices", "/history", "/trust"):
        plain = client.get(path, base_url="http://192.168.4.1:8080").text
        assert 'href="/trust"' in plain
        assert words in plain
        for address in ("https://192.168.4.1:8443", "http://localhost:8080"):
            assert words not in client.get(path, base_url=address).text, "here browsers trust the page"


def test_the_certificate_to_install_is_the_authoritys(trusted: Flask, certificates: tls.Certificates) -> None:
    client = trusted.test_client()
    answer = client.get("/trust/ca.crt")
    assert answer.mimetype == "application/x-x509-ca-cert"
    print_ = hashlib.sha256(answer.data).hexdigest().upper()
    assert ":".join(re.findall("..", print_)) == certificates.fingerprint
    page = client.get("/trust", base_url="http://192.168.4.1:8080").text
    assert certificates.fingerprint in page
    assert 'href="https://192.168.4.1:8443/"' in page
    assert "PRIVATE" not in page + answer.data.decode("latin-1")


def test_without_certificates_the_page_says_how_to_make_them(table: Runtime) -> None:
    client = create_app(table).test_client()
    assert "paiju tls init" in client.get("/trust").text
    assert client.get("/trust/ca.crt").status_code == 404


def test_a_device_that_is_in_stays_in_when_it_goes_over_to_the_secure_page(trusted: Flask) -> None:
    device = trusted.test_client()
    plain, guard = {"base_url": "http://192.168.4.1:8080"}, {"X-Paiju": "1"}
    device.post("/api/v1/login", json={"pin": "4711", "role": "tablet"}, headers=guard, **plain)
    found = re.search(r'href="(https://192.168.4.1:8443/join#[^"]+)"', device.get("/trust", **plain).text)
    assert found is not None
    ticket, secure = found.group(1).partition("#")[2], {"base_url": "https://192.168.4.1:8443"}
    joined = device.post("/api/v1/join", json={"ticket": ticket}, headers=guard, **secure)
    assert joined.json["role"] == "tablet"
    assert 'data-own-role="tablet"' in device.get("/", **secure).text
    assert 'data-own-role="viewer"' in device.get("/", **plain).text, "and it is listed once"
    referee = trusted.test_client()
    referee.post("/api/v1/login", json={"pin": "4711", "role": "referee"}, headers=guard, **plain)
    devices = referee.get("/api/v1/paired", **plain).json["devices"]
    assert [(one["role"], one["paired"]) for one in devices if not one["own"]] == [("tablet", False)], "as it came in"

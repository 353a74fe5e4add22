"""Tells other programs in the local network what was confirmed at the table: signed posts, at least once, in order.

The ledger is the queue: what is kept for each address is only how far it was told, so nothing is lost by a restart and
nothing can overflow. A dead receiver is tried again after longer and longer waits and is told of the latest thousand
events when it comes back. While the disk is full, memory knows how far was told, so that nothing is sent again and
again. One thread does it all; the game waits for nobody.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import ipaddress
import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from secrets import token_hex, token_urlsafe
from typing import Any, Protocol
from urllib.parse import SplitResult

from flask import Blueprint, Response, current_app, jsonify
from pydantic import TypeAdapter, ValidationError

from table.audience import document, public
from table.ledger import Entry, LedgerError
from webui.access_file import AccessFileError, write_private
from webui.errors import BadRequestError, problem
from webui.exchange import exchange, port_of, web_address
from webui.ports import Subscription, Table
from webui.requests import json_object

FILE_NAME = "webhooks.json"
MOST_HOOKS, MOST_WAITING = 5, 1000
POST_S = 3.0
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 300.0
LOOK_S = 1.0

TOLD = frozenset(
    {
        "game_opened", "game_closed", "hand_settled", "wins_paid", "false_win", "penalty_given", "penalty_lifted",
        "hand_corrected", "options_corrected", "seats_corrected", "decision_undone",
    }
)  # fmt: skip
"""What somebody confirmed; claims, readings and observations are told to nobody."""

log = logging.getLogger(__name__)
blueprint = Blueprint("webhooks", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """An address to tell, the secret that signs, and the number of the last ledger entry it was told of."""

    id: str
    url: str
    secret: str
    told: int = 0


@dataclass(slots=True)
class _Trouble:
    """Why something cannot be done now, how often it was tried, and when it is tried again (seconds)."""

    why: str
    tries: int
    again_s: float

    @classmethod
    def after(cls, before: _Trouble | None, error: Exception, now: float) -> _Trouble:
        """It failed once more: each wait is twice the one before, up to a limit."""
        tries = 1 if before is None else before.tries + 1
        return cls(str(error), tries, now + min(FIRST_WAIT_S * 2 ** min(tries - 1, 10), LONGEST_WAIT_S))

    @staticmethod
    def over(trouble: _Trouble | None, now: float) -> bool:
        """Whether it may be tried again."""
        return trouble is None or trouble.again_s <= now


class Post(Protocol):
    """Sends one event; tests hand in their own."""

    def __call__(self, hook: Hook, body: bytes, headers: Mapping[str, str]) -> None:
        """Deliver it.

        Raises:
            OSError: nobody took it; the text says why.
        """


_HOOKS: TypeAdapter[tuple[Hook, ...]] = TypeAdapter(tuple[Hook, ...])


@dataclass(slots=True)
class Webhooks:
    """The addresses to tell, and the thread that does it."""

    table: Table
    path: Path
    post: Post
    clock: Callable[[], float] = time.monotonic
    _hooks: tuple[Hook, ...] = ()
    _written: tuple[Hook, ...] = ()
    _troubles: dict[str, _Trouble] = field(default_factory=dict)
    _unread: _Trouble | None = None
    _unwritten: _Trouble | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _audience: Subscription | None = None

    def __post_init__(self) -> None:
        """Read who is to be told.

        Raises:
            AccessFileError: the file is damaged or cannot be read.
        """
        if self.path.exists():
            try:
                self._hooks = self._written = _HOOKS.validate_json(self.path.read_bytes())
            except OSError as error:
                raise AccessFileError(f"{self.path}: cannot be read ({error.strerror}).") from None
            except ValidationError:
                raise AccessFileError(f"{self.path}: damaged. Move it away and enter the webhooks anew.") from None

    def start(self) -> None:
        """Begin to tell."""
        self._audience = self.table.subscribe()
        self._thread = threading.Thread(target=self._run, name="webhooks", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End; what was not told yet is told after the next start."""
        self._stop.set()
        if self._audience is not None:
            self._audience.close()
        if self._thread is not None:
            self._thread.join(POST_S + 1)

    def choose(self, urls: list[str]) -> list[Hook]:
        """Tell these addresses from now on: known ones go on where they are, new ones begin with the next event.

        Raises:
            AccessFileError: it cannot be written; then nothing has changed.
        """
        seq = self.table.snapshot().seq
        with self._lock:
            known = {hook.url: hook for hook in self._hooks}
            fresh = [url for url in urls if url not in known]
            made = {url: Hook(id=token_hex(4), url=url, secret=token_urlsafe(24), told=seq) for url in fresh}
            self._keep(tuple((known | made)[url] for url in urls))
            return [made[url] for url in fresh]

    def listed(self) -> list[dict[str, Any]]:
        """Who is told, how far, and what is wrong; without the secrets."""
        with self._lock:
            hooks, troubles = self._hooks, dict(self._troubles)
        return [
            {
                "id": one.id,
                "url": one.url,
                "told": one.told,
                "trouble": troubles[one.id].why if one.id in troubles else "",
            }
            for one in hooks
        ]

    def _keep(self, hooks: tuple[Hook, ...]) -> None:
        write_private(self.path, _HOOKS.dump_json(hooks, indent=1))
        self._hooks = self._written = hooks

    def _run(self) -> None:
        assert self._audience is not None
        while not self._stop.is_set():
            self._audience.get(LOOK_S)
            self.tell_all()

    def tell_all(self) -> None:
        """Tell everybody what he was not told yet; what cannot be done now is put off."""
        seq, now = self.table.snapshot().seq, self.clock()
        self._write_down(now)
        late = [one for one in self._hooks if one.told < seq and _Trouble.over(self._troubles.get(one.id), now)]
        if not late or not _Trouble.over(self._unread, now):
            return
        try:
            told = min(one.told for one in late)
            entries = [entry for entry in self.table.entries(told) if entry.event.kind in TOLD]
            self._unread = None
        except LedgerError as error:
            log.warning("webhooks wait: %s", error)
            self._unread = _Trouble.after(self._unread, error, now)
            return
        for hook in late:
            waiting = [entry for entry in entries if entry.seq > hook.told][-MOST_WAITING:]
            self._tell(hook, waiting, seq)

    def _tell(self, hook: Hook, waiting: list[Entry], seq: int) -> None:
        for entry in waiting:
            if self._stop.is_set():
                return
            try:
                self.post(hook, *self._signed(hook, entry))
            except OSError as error:
                self._troubles[hook.id] = _Trouble.after(self._troubles.get(hook.id), error, self.clock())
                return
            self._troubles.pop(hook.id, None)
            self._told(hook, entry.seq)
        self._told(hook, seq)

    def _told(self, hook: Hook, seq: int) -> None:
        with self._lock:
            self._hooks = tuple(
                replace(one, told=seq) if one.id == hook.id and one.told < seq else one for one in self._hooks
            )
        self._write_down(self.clock())

    def _write_down(self, now: float) -> None:
        """Keep how far everybody was told; a disk that is full is asked again after longer and longer waits."""
        with self._lock:
            if self._hooks == self._written or not _Trouble.over(self._unwritten, now):
                return
            try:
                self._keep(self._hooks)
                self._unwritten = None
            except AccessFileError as error:
                log.warning("webhooks: %s", error)
                self._unwritten = _Trouble.after(self._unwritten, error, now)

    def _signed(self, hook: Hook, entry: Entry) -> tuple[bytes, dict[str, str]]:
        told = {
            "id": f"{entry.seq}-{entry.at_ms}",
            "seq": entry.seq,
            "at_ms": entry.at_ms,
            "kind": entry.event.kind,
            "state": document(public(self.table.snapshot())),
        }
        body = json.dumps(told, ensure_ascii=False).encode()
        signature = hmac.new(hook.secret.encode(), body, hashlib.sha256).hexdigest()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Paiju",
            "X-Paiju-Id": str(told["id"]),
            "X-Paiju-Signature": f"sha256={signature}",
        }
        return body, headers


def deliver(hook: Hook, body: bytes, headers: Mapping[str, str]) -> None:
    """Deliver one event over HTTP or HTTPS, to an address of the local network only.

    Raises:
        OSError: nobody took it.
    """
    parts = web_address(hook.url)
    address = _local_address(str(parts.hostname), port_of(parts))
    named = {**headers, "Host": parts.netloc}
    try:
        with exchange(parts, POST_S, address) as line:
            line.request("POST", _target(parts), body, named)
            status = line.getresponse().status
    except http.client.HTTPException as error:
        raise OSError(f"answers no HTTP ({type(error).__name__})") from None
    if not 200 <= status < 300:
        raise OSError(f"answered {status}")


def _target(split: SplitResult) -> str:
    return (split.path or "/") + (f"?{split.query}" if split.query else "")


def _local_address(host: str, port: int) -> str:
    found = [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    strange = [one for one in found if not ipaddress.ip_address(one.partition("%")[0]).is_private]
    if strange:
        raise OSError(f"{strange[0]} is not in the local network")
    return found[0]


def _checked(url: object) -> str:
    try:
        if not isinstance(url, str) or len(url) > 300 or not url.isascii() or not url.isprintable() or " " in url:
            raise ValueError("that is no address")
        if web_address(url).username is not None:
            raise ValueError("names and passwords stay out of addresses")
    except ValueError:
        raise BadRequestError("A webhook is an address such as http://192.168.4.20:9000/paiju.") from None
    return url


def _hooks() -> Webhooks | None:
    found: Webhooks | None = current_app.extensions["paiju_webhooks"]
    return found


def _none_here() -> Response:
    return problem(409, "This table keeps no webhooks.", "no_webhooks")


@blueprint.get("/api/v1/webhooks")
def webhooks() -> Response:
    """The addresses that are told what was confirmed, how far, and what is wrong with them."""
    hooks = _hooks()
    return _none_here() if hooks is None else jsonify(webhooks=hooks.listed())


@blueprint.put("/api/v1/webhooks")
def choose() -> Response:
    """Tell these addresses from now on: `{"urls": [...]}`; the secrets of new ones are in this answer only."""
    hooks, urls = _hooks(), json_object().get("urls")
    if not isinstance(urls, list) or len(urls) > MOST_HOOKS:
        raise BadRequestError(f"Send {{urls: [...]}} with at most {MOST_HOOKS} addresses; an empty list ends all.")
    wanted = list(dict.fromkeys(_checked(url) for url in urls))
    if hooks is None:
        return _none_here()
    made = hooks.choose(wanted)
    fresh = [{"id": one.id, "url": one.url, "secret": one.secret} for one in made]
    return jsonify(webhooks=hooks.listed(), made=fresh)

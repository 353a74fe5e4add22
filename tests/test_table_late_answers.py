"""A caller who was not answered in time: what nobody had begun is not done, what was begun counts once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from table import commands
from table.decision import Accepted, Rejected
from table.messages import Stop, TableSeen
from table.runtime import Runtime
from tests import webui_rig as rig

SHORT_S = 0.1


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    with rig.open_table(tmp_path) as table:
        rig.open_game(table)
        yield table


def penalty() -> commands.Command:
    return commands.parse_command(rig.document("penalise", "referee", seat=0, points=10, reason="late"))


def penalties(table: Runtime) -> int:
    return sum(entry.event.kind == "penalty_given" for entry in table.entries())


@contextmanager
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as short:
        short.setattr("table.runtime.ANSWER_S", SHORT_S)
        yield


class Held:
    """Something that the inbox does, held up until a test lets it go on."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()

    def __call__(self, *_args: Any) -> None:
        self.begun.set()
        assert self.go_on.wait(10.0)


def test_a_command_that_nobody_had_begun_is_withdrawn(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look that takes long holds up the inbox; the page was told that the penalty was not given."""
    look = Held()
    monkeypatch.setattr(runtime._sight, "followed", look)
    runtime._inbox.put(TableSeen(look=None))  # type: ignore[arg-type]
    assert look.begun.wait(10.0)
    with impatient(monkeypatch):
        answer = runtime.submit(penalty())
    assert isinstance(answer, Rejected)
    assert answer.sentence.key == "not_begun"
    look.go_on.set()
    assert isinstance(runtime.submit(penalty()), Accepted)  # another tap: behind the one that was withdrawn
    assert penalties(runtime) == 1


def test_a_command_that_is_being_done_counts_once(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    writing, done = Held(), runtime._scribe.carry_out

    def slowly(command: commands.Command) -> Accepted | Rejected:
        writing()
        return done(command)

    monkeypatch.setattr(runtime._scribe, "carry_out", slowly)
    wish = penalty()
    with impatient(monkeypatch):
        answer = runtime.submit(wish)
    assert writing.begun.is_set()
    assert isinstance(answer, Rejected)
    assert answer.sentence.key == "not_known_yet"
    writing.go_on.set()
    again = runtime.submit(wish)
    assert isinstance(again, Accepted)
    assert again.repeated
    assert penalties(runtime) == 1


def test_what_was_withdrawn_does_not_disturb_the_end(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    look = Held()
    monkeypatch.setattr(runtime._sight, "followed", look)
    runtime._inbox.put(TableSeen(look=None))  # type: ignore[arg-type]
    assert look.begun.wait(10.0)
    stopping = threading.Thread(target=runtime.stop)
    with impatient(monkeypatch):
        runtime._inbox.put(Stop())
        answer = runtime.submit(penalty())  # lies behind the end of the inbox
    assert isinstance(answer, Rejected)
    stopping.start()
    look.go_on.set()
    stopping.join(10.0)
    assert not stopping.is_alive()
    assert penalties(runtime) == 0

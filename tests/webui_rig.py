"""A stand-in for the running table: holds a state, remembers what it was asked, keeps pictures."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import TypeAdapter

from table.commands import Command
from table.model import Actor
from table.sentences import Sentence
from table.snapshot import Snapshot

SNAPSHOT: TypeAdapter[Snapshot] = TypeAdapter(Snapshot)
NAMES = ("陈东", "赵南", "王芳", "李北")
WINDS = "ESWN"


@dataclass(frozen=True, slots=True)
class Done:
    """The stand-in's answer when it carried something out."""

    seq: int
    changes: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """The stand-in's answer when it did not."""

    sentence: Sentence


class Viewer:
    """One subscription."""

    def __init__(self, table: FakeTable) -> None:
        self._table = table
        self._seen = table.version

    def get(self, timeout_s: float) -> Snapshot | None:
        with self._table.changed:
            self._table.changed.wait_for(lambda: self._table.version != self._seen, timeout_s)
            if self._table.version == self._seen:
                return None
            self._seen = self._table.version
            return self._table.state

    def close(self) -> None:
        self._table.viewers.remove(self)


@dataclass
class FakeTable:
    """The table as the pages need it; `react` turns a command into a new state or a refusal."""

    state: Snapshot
    react: Callable[[Snapshot, Command], Snapshot | Refused] = lambda state, _: state
    pictures: dict[str, bytes] = field(default_factory=dict)
    asked: list[Command] = field(default_factory=list)
    photos: list[tuple[bytes, Actor, str]] = field(default_factory=list)
    viewers: list[Viewer] = field(default_factory=list)
    version: int = 0
    changed: threading.Condition = field(default_factory=threading.Condition)

    def snapshot(self) -> Snapshot:
        return self.state

    def publish(self, state: Snapshot) -> None:
        with self.changed:
            self.version += 1
            self.state = replace(state, seq=self.state.seq + 1, rev=self.state.rev + 1)
            self.changed.notify_all()

    def submit(self, command: Command) -> Done | Refused:
        self.asked.append(command)
        outcome = self.react(self.state, command)
        if isinstance(outcome, Refused):
            return outcome
        self.publish(outcome)
        return Done(self.state.seq)

    def submit_photo(self, data: bytes, actor: Actor, idem: str) -> Done | Refused:
        self.photos.append((data, actor, idem))
        return Done(self.state.seq)

    def evidence(self, picture_id: str) -> bytes | None:
        return self.pictures.get(picture_id)

    def subscribe(self) -> Viewer:
        viewer = Viewer(self)
        self.viewers.append(viewer)
        return viewer


def snapshot(document: Mapping[str, Any]) -> Snapshot:
    """A state from its JSON document."""
    return SNAPSHOT.validate_python(document)


def nothing_open() -> dict[str, Any]:
    """The document of a table where no game is open."""
    device = {"state": "live", "age_s": 0.2}
    return {
        "seq": 0, "rev": 0, "game": None, "seats": [], "round": None, "phase": "idle", "dice": [], "dice_next": None,
        "wall_break": None, "wall_left": None, "claims": [], "claim": None, "history": [], "calls": [], "problems": [],
        "devices": {"camera": device, "table": device}, "undo": "",
    }  # fmt: skip


def game(
    totals: tuple[int, int, int, int] = (0, 0, 0, 0), *, mode: str = "friendly", dealer: int = 0
) -> dict[str, Any]:
    """The document of a game that is being played."""
    best = max(totals)
    return {
        **nothing_open(),
        "seq": 12, "rev": 12, "phase": "playing", "undo": "hand_started",
        "game": {"id": "g-1", "ruleset": "gb", "ruleset_version": "1", "options": {}, "mode": mode, "rotate_seats": False},
        "seats": [
            {"seat": seat, "player": seat, "name": NAMES[seat], "wind": WINDS[(seat - dealer) % 4], "dealer": seat == dealer,
             "total": totals[seat], "diff_to_leader": totals[seat] - best, "last_change": 0, "dead": False}
            for seat in range(4)
        ],
        "round": {"wind": "E", "hand_no": 5, "dealer": dealer, "finished": False, "hands": 16},
    }  # fmt: skip


def hand_row(**changes: Any) -> dict[str, Any]:
    """A finished hand: the pure straight of the product's own example."""
    return {
        "hand_no": 4, "outcome": "win", "winner": 1, "source": "discard", "from_seat": 2, "dealer": 0, "round_wind": "E",
        "players": [0, 1, 2, 3], "hand": "123456789m23m44z", "melds": [], "win_tile": "4m", "flowers": "",
        "total": 24, "computed": 24, "announced": None, "payments": [-8, 48, -32, -8], "totals_after": [-28, 40, 12, -24],
        "fans": [{"name": "清龙", "value": 16, "count": 1, "why": ""}, {"name": "混一色", "value": 6, "count": 1, "why": ""},
                 {"name": "门前清", "value": 2, "count": 1, "why": ""}],
        "corrected": False, "reason": "", "picture": None, "at": "2026-11-29T22:30:00.000Z", **changes,
    }  # fmt: skip


def claim(seat: int = 1, **changes: Any) -> dict[str, Any]:
    """A claimed win of which nothing is known yet but who and from whom."""
    return {
        "seat": seat, "source": "discard", "from_seat": 2, "reading": False, "how": "", "picture": None, "tiles": [],
        "groups": [], "hand": "", "melds": [], "win_tile": "", "flowers": "", "candidates": [], "questions": [],
        "facts": {"last_tile": False, "last_of_kind": False, "more": {}}, "announced": None, "verdict": None,
        "agreed": [], "waiting_for": "hand", **changes,
    }  # fmt: skip

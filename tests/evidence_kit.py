"""A table on disk with pictures in its hands and a clock that a test turns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from table.decision import Decision
from table.events import HandShown
from table.evidence import EvidenceStore
from table.ledger import Batch, Ledger
from table.model import Actor
from table.runtime import EVIDENCE_NAME, LEDGER_NAME
from table.session import decide, decide_shown
from tests.table_kit import STRAIGHT, Desk, command, seen

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


class Table:
    """Commands go in, entries are written to a real ledger; `pictures` are the ids in the order they were taken."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.desk = Desk()
        self.now_ms = DAY_MS
        self.pictures: list[str] = []
        self.store = EvidenceStore(folder / EVIDENCE_NAME)

    def open(self, **fields: Any) -> Table:
        """A new game under gb."""
        self.must("open_game", ruleset="gb", names=["Anna", "Ben", "Chen", "Dora"], **fields)
        return self

    def must(self, kind: str, **fields: Any) -> None:
        """A command that has to be accepted."""
        sent = command(kind, role="referee", **fields)
        self._write(decide(self.desk.state, sent, self.desk.books), sent.actor, sent.idem)

    def press(self, kind: str, *, seat: int, **fields: Any) -> None:
        """What the button of a seat of the table asks for."""
        sent = command(kind, role="device", seat=seat, **fields)
        actor = Actor(role="device", name=f"seat {'ABCD'[seat]}", device="table")
        self._write(decide(self.desk.state, sent, self.desk.books), actor, sent.idem)

    def win(self, seat: int, *, shade: int) -> None:
        """A self-drawn win, read from a picture of this shade (0 to 255) and approved."""
        self.must("claim_win", seat=seat, source="self_draw", from_seat=None)
        self.show(seat, shade)
        self.must("set_win_tile", index=13)
        self.must("approve")

    def show(self, seat: int, shade: int) -> None:
        """A picture of the claimed hand is kept and read."""
        self.pictures.append(self.store.keep(np.full((60, 80, 3), shade, np.uint8)))
        tiles, groups = seen([STRAIGHT["hand"] + STRAIGHT["win_tile"]])
        event = HandShown(seat=seat, picture=self.pictures[-1], how="photo", tiles=tiles, groups=groups)
        self._write(decide_shown(self.desk.state, event, self.desk.books), Actor(role="system"), f"{self.now_ms}")

    def end(self) -> None:
        """The game is closed before its last hand."""
        self.must("close_game", reason="time")

    def _write(self, answer: object, actor: Actor, idem: str) -> None:
        assert isinstance(answer, Decision), answer
        self.now_ms += 1000
        ledger = Ledger.open(self.folder / LEDGER_NAME)
        try:
            ledger.append(Batch(after=ledger.last_seq, at_ms=self.now_ms, actor=actor, idem=idem, events=answer.events))
        finally:
            ledger.close()
        self.desk.append(answer.events, actor, idem)

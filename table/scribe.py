"""Writes down what happens: what people say, what the table's line reports, what the camera sees.

Everything that reaches the ledger of a running table goes through here, so that the recording of an evening, a full
disk and a refusal are dealt with in one place. Owned by the inbox thread (`table.runtime`).
"""

from __future__ import annotations

from pathlib import Path

from table import commands
from table.core import TableCore
from table.decision import Accepted, Rejected
from table.health import Health
from table.messages import HandSeen
from table.parts import Clock
from table.recorder import Recorder
from table.sentences import say

LOUD = frozenset({"no_game", "game_finished", "seat_dead", "bad_walls"})
"""Refusals that whoever pressed a button at the table should see; the others are mere double presses."""

LOUD_S = 10.0
"""How long such a refusal stays on the pages, in seconds."""


class Scribe:
    """The one hand that writes into the ledger, and into the recording if there is one."""

    def __init__(self, core: TableCore, clock: Clock, health: Health) -> None:
        self._core = core
        self._clock = clock
        self._health = health
        self._recorder: Recorder | None = None
        self._unsaved: list[commands.Command] = []

    def record(self, path: Path) -> None:
        """Append everything from now on to this file, for `paiju replay`.

        Raises:
            RecordingError: the recording cannot be written, or would lack the beginning of this table.
        """
        self._recorder = Recorder.open(path, self._core.state.seq, self._core.knows)

    def close(self) -> None:
        """End the recording; the ledger belongs to whoever opened it."""
        if self._recorder is not None:
            self._recorder.close()

    def carry_out(self, command: commands.Command) -> Accepted | Rejected:
        """Carry out a command and tell its caller what came of it."""
        at_ms = self._clock.wall_ms()
        if self._recorder is not None:
            self._recorder.command(command, at_ms, self._mono_ms())
        return self._recorded(self._core.carry_out(command, at_ms))

    def show(self, seen: HandSeen) -> None:
        """Write down a hand that the eyes have read."""
        at_ms = self._clock.wall_ms()
        if self._recorder is not None:
            self._recorder.seen(seen, at_ms, self._mono_ms())
        self._recorded(self._core.show(seen.shown, seen.actor, seen.idem, at_ms))

    def report(self, command: commands.Command) -> None:
        """Carry out what no person waits for; if the disk refuses, keep it until there is space again."""
        answer = self.carry_out(command)
        if isinstance(answer, Rejected) and answer.sentence.key == "ledger_trouble":
            self._unsaved.append(command)
        elif isinstance(answer, Rejected) and answer.sentence.key in LOUD:
            self._health.tell("refused", "table", answer.sentence, LOUD_S)

    def report_again(self) -> None:
        """Try once more to write what the disk refused."""
        unsaved, self._unsaved = self._unsaved, []
        for command in unsaved:
            self.report(command)

    def _recorded(self, answer: Accepted | Rejected) -> Accepted | Rejected:
        """Keep what was just written down for a replay only if it did something."""
        if self._recorder is not None:
            if isinstance(answer, Rejected) or answer.repeated:
                self._recorder.take_back()
            if self._recorder.trouble:
                self._health.tell("recording", "ledger", say("recording_waits", detail=self._recorder.trouble))
            else:
                self._health.mended("recording")
        return answer

    def _mono_ms(self) -> int:
        return int(self._clock.monotonic() * 1000)

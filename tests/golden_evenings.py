"""Writes the golden evenings: what was said to the table, as a recording, and the ledger that came of it, as text.

tests/golden/evenings/<name>.jsonl is a recording that `paiju replay` plays; <name>.ledger has a line per entry. Both
are written by `make golden` alone, from the evenings worked out by hand.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from table import events as ev
from table.decision import Decision, Rejected
from table.fold import advance
from table.ledger import Entry, read
from table.model import Actor, FalseWin, Outcome, Setup
from table.replay import read_recording, replay
from table.session import decide, decide_shown
from table.state import State
from tests.evening import GOLDEN
from tests.evening_player import EVENINGS, STORIES, evening
from tests.table_kit import Desk, command, shown

FOLDER = GOLDEN / "evenings"
BEGINS = datetime(2026, 1, 3, 19, 0, tzinfo=UTC)
STEP_MS = 12_000
"""So much time passes between two things that are said to the table."""


@dataclass
class Scribe(Desk):
    """A table in memory that writes down what it is told, as `paiju run --record` does."""

    lines: list[dict[str, Any]] = field(default_factory=list)

    def do(self, kind: str, *, role: str = "tablet", idem: str = "", **fields: Any) -> Decision | Rejected:
        """Send a command and write it down if it was carried out."""
        key = idem or f"tap-{len(self.lines) + 1}"
        sent = command(kind, role=role, idem=key, **fields)
        answer = self.take(decide(self.state, sent, self.books), sent.actor, sent.idem)
        if isinstance(answer, Decision):
            self._write({"command": {"kind": kind, "idem": key, "actor": {"role": role}, **fields}})
        return answer

    def show(self, seat: int, rows: Sequence[str], **more: Any) -> Decision:
        """A picture of this seat's hand was read."""
        event, actor, key = shown(seat, rows, **more), Actor(role="system", device="camera"), f"seen-{len(self.lines)}"
        answer = self.take(decide_shown(self.state, event, self.books), actor, key)
        assert isinstance(answer, Decision), answer
        self._write({"seen": {"shown": ev.encode(event), "actor": asdict(actor), "idem": key}})
        return answer

    def _write(self, said: dict[str, Any]) -> None:
        mono = STEP_MS * len(self.lines)
        at_ms = int(BEGINS.timestamp()) * 1000 + mono
        self.lines.append({"at": _clock(at_ms), "at_ms": at_ms, "mono_ms": mono, **said})


def ledger_lines(entries: Iterable[Entry]) -> list[str]:
    """The ledger as people read it: number, time, who, what; payments by seat, totals by player; the last hash."""
    lines, state, head = list[str](), State(), ""
    for entry in entries:
        before, state, head = state, advance(state, entry), entry.hash
        moved = "" if before.totals == state.totals else f" | totals {_row(state.totals)}"
        who = entry.actor.name or entry.actor.role
        if isinstance(entry.event, _ALWAYS_TOTALS):
            moved = f" | totals {_row(state.totals)}"
        lines.append(
            f"{entry.seq:>4} {_clock(entry.at_ms)} {who:<8} {entry.event.kind:<17} {_told(entry.event)}{moved}".rstrip()
        )
    return [*lines, f"last hash {head}"]


_ALWAYS_TOTALS = (
    ev.HandSettled,
    ev.HandCorrected,
    ev.SeatsCorrected,
    ev.DecisionUndone,
    ev.PenaltyGiven,
    ev.SubstituteSeated,
    ev.GameClosed,
)


def _told(event: ev.TableEvent) -> str:
    match event:
        case ev.GameOpened(names=names, setup=setup):
            rules = " ".join([event.ruleset, event.ruleset_version, json.dumps(dict(event.options)), event.mode])
            return f"{rules}: {', '.join(name for name in names if name)}; {_setup(setup)}"
        case ev.HandStarted(setup=setup):
            return _setup(setup)
        case ev.HandSettled(hand_no=number, outcome=outcome):
            return f"hand {number}: {_outcome(outcome)}"
        case ev.WinsPaid(wins=wins):
            return "; ".join(f"seat {win.seat} {win.source} {win.total}, pays {_row(win.payments)}" for win in wins)
        case ev.SidePaid(side=side):
            return f"{side.what} {side.meld_kind or ''} by seat {side.seat}, pays {_row(side.payments)}"
        case ev.ClaimRejected(seat=seat, false_win=True, payments=payments):
            return f"seat {seat}: false win, pays {_row(payments)}"
        case ev.PenaltyGiven(seat=seat, payments=payments, off=off, code=code):
            return f"seat {seat}: {code}, pays {_row(payments)}, {off} taken off"
        case ev.HandCorrected() | ev.SeatsCorrected() | ev.OptionsCorrected():
            moved = [*map(_change, event.changes), *map(_row_change, event.rows)]
            return "; ".join(moved) + f" ({event.reason})"
        case ev.HandJudged(seat=seat, verdict=verdict) if verdict is not None:
            fans = " ".join(f"{fan.name}{fan.value}" for fan in verdict.fans)
            return f"seat {seat}: {verdict.total if verdict.valid else verdict.reason} {fans}".rstrip()
        case ev.HandShown(seat=seat, tiles=tiles):
            return f"seat {seat}: " + " ".join(tile.tile + ("?" if tile.sure != "sure" else "") for tile in tiles)
        case _:
            return _fields(ev.encode(event))


def _setup(setup: Setup) -> str:
    parts = [f"hand {setup.hand_no}", f"round {setup.round_wind}", f"dealer {setup.dealer}"]
    parts += [f"players {_row(setup.seating)}"] if setup.seating != (0, 1, 2, 3) else []
    parts += [f"streak {setup.streak}"] if setup.streak else []
    parts += [f"waiting {' '.join(setup.carry)}"] if setup.carry else []
    return ", ".join(parts)


def _outcome(outcome: Outcome) -> str:
    pays = f"pays {_row(outcome.payments)}"
    if outcome.outcome != "win":
        return f"{'drawn hand' if outcome.outcome == 'draw' else 'does not count'}, {pays}"
    told = " and ".join(
        f"seat {win.seat} {win.source}{'' if win.from_seat is None else f' from seat {win.from_seat}'} "
        f"{win.laid.win_tile} {win.total} ({' '.join(f'{fan.name}{fan.value}' for fan in win.fans)})"
        for win in outcome.wins
    )
    return f"{told or f'seat {outcome.winner} {outcome.source}'}, {pays}"


def _change(change: ev.HandChange) -> str:
    seats = ""
    if change.setup_before != change.setup_after:
        before, after = change.setup_before, change.setup_after
        seats = f", dealer {before.dealer} -> {after.dealer}, players {_row(before.seating)} -> {_row(after.seating)}"
    return f"hand {change.hand_no}: {_row(change.before.payments)} -> {_row(change.after.payments)}{seats}"


def _row_change(change: ev.RowChange) -> str:
    before, after = change.before, change.after
    players = (
        "" if before.setup == after.setup else f", players {_row(before.setup.seating)} -> {_row(after.setup.seating)}"
    )
    name = "false win" if isinstance(after, FalseWin) else "penalty"
    paid = f"{_row(before.payments)} -> {_row(after.payments)}"
    return f"{name} of seat {after.seat} in hand {after.setup.hand_no}: {paid}{players}"


def _fields(document: dict[str, Any]) -> str:
    told = {name: value for name, value in document.items() if name not in ("v", "kind")}
    return " ".join(
        f"{name}={json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
        for name, value in told.items()
        if value not in (None, "", [], {})
    )


def _row(numbers: Iterable[int]) -> str:
    return " ".join(str(one) for one in numbers)


def _clock(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def main() -> None:
    """Play every evening and write both files; what differs from the hand-worked numbers stops it."""
    FOLDER.mkdir(exist_ok=True)
    for name in (*EVENINGS, *STORIES):
        scribe = Scribe()
        for moment in evening(name, scribe):
            if moment.found != moment.wanted:
                raise SystemExit(f"{moment.where}: worked out by hand {moment.wanted}, played {moment.found}")
        recording = FOLDER / f"{name}.jsonl"
        recording.write_text(
            "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in scribe.lines), encoding="utf-8"
        )
        with tempfile.TemporaryDirectory() as folder:
            ledger = Path(folder) / "ledger.sqlite3"
            replay(read_recording(recording), ledger)
            lines = ledger_lines(read(ledger))
        (FOLDER / f"{name}.ledger").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Penalties by the referee: a list with versions in `penalties.csv`, or points of his own. Never by machine.

A penalty either pays so much to each other player, or is taken off the offender's result and paid to nobody; with some
the offender plays along but may not win this hand (a dead hand, 相公). Source: docs/rules/gb.md (R98 pp. 32-36).
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from table import commands
from table import events as ev
from table.decision import Context, Decision, Rejected, accept, reject
from table.model import NOTHING, Payments, Seat
from table.state import PlayedHand, id_of

LIST = Path(__file__).parent / "penalties.csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One penalty of the list: paid to each other player, or taken off, or a dead hand; its name by language."""

    version: str
    code: str
    each: int
    off: int
    dead: bool
    names: Mapping[str, str]


@lru_cache(maxsize=1)
def penalty_list() -> tuple[Row, ...]:
    """The whole list, in the order in which it is shown."""
    with LIST.open(encoding="utf-8", newline="") as file:
        return tuple(
            Row(
                version=line["version"],
                code=line["code"],
                each=int(line["each"]),
                off=int(line["off"]),
                dead=line["dead"] == "1",
                names={language: line[language] for language in ("zh-Hans", "zh-Hant", "en")},
            )
            for line in csv.DictReader(file)
        )


def names_of(code: str) -> Mapping[str, str]:
    """The name of a penalty in each language; none of points that a referee names himself."""
    return next((row.names for row in penalty_list() if row.code == code), {})


def penalise(context: Context, command: commands.Penalise) -> Decision | Rejected:
    """The referee gives a penalty: one of the list, or points taken off."""
    if command.seat not in context.game.places:
        return reject("seat_empty", seat=command.seat)
    row = next((one for one in penalty_list() if one.code == command.code), None)
    if row is None and (command.code or command.points is None):
        return reject("no_such_penalty", code=command.code)
    if row is not None and row.dead and not context.state.started and context.state.hands:
        return reject("game_finished" if context.state.finished else "dead_between")  # it would hold for the next hand
    each, off, version = (0, command.points or 0, "") if row is None else (row.each, row.off, row.version)
    if row is not None and command.points is not None:
        each, off = (command.points, 0) if row.each else (0, command.points)
    given = ev.PenaltyGiven(
        penalty_id=f"p{context.state.seq + 1}",
        seat=command.seat,
        code=command.code,
        version=version,
        reason=command.reason,
        payments=_to_each(command.seat, each, context.game.places),
        off=off,
        dead=row is not None and row.dead,
    )
    return accept(given)


def lift_penalty(context: Context, command: commands.LiftPenalty) -> Decision | Rejected:
    """A penalty or a false win is taken back."""
    rows = enumerate(context.state.history)
    standing = {id_of(at, row): row.seat for at, row in rows if not isinstance(row, PlayedHand) and not row.lifted}
    if command.id not in standing:
        return reject("no_such_penalty", code=command.id)
    if command.seat not in (None, standing[command.id]):
        return reject("told_meanwhile")
    return accept(ev.PenaltyLifted(penalty_id=command.id, reason=command.reason))


def _to_each(offender: Seat, each: int, places: tuple[Seat, ...]) -> Payments:
    paid = list(NOTHING)
    for seat in places:
        if seat != offender:
            paid[seat] += each
            paid[offender] -= each
    return (paid[0], paid[1], paid[2], paid[3])

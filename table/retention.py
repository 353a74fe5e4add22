"""How long pictures are kept. The ledger is kept for ever; a picture may go when it is old and nobody needs it.

Needed are the pictures of a game that is not over, and of a game with an open call for the referee: an appeal is such a
call, and it ends when the referee closes it. A correction starts a hand's time anew. Nothing goes by itself: a person
(or a timer that a person set up) gives the command.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from table.events import encode
from table.evidence import EvidenceError, EvidenceStore, Stored, named_in
from table.hand_log import GameLog, game_logs
from table.ledger import LedgerError, read
from table.runtime import EVIDENCE_NAME, LEDGER_NAME
from table.view import clock_text

DAY_MS = 86_400_000
MEGABYTE = 1_000_000


class RetentionError(Exception):
    """Nothing can be let go; the text says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What may be kept: pictures used in the last `days` days, and `megabytes` MB of them; None = no such limit."""

    days: int | None = None
    megabytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What `prune` would do.

    Attributes:
        remove: pictures that go, those used longest ago first.
        keep: pictures that stay; held: how many of them stay only because a game or an appeal needs them.
    """

    remove: tuple[Stored, ...]
    keep: tuple[Stored, ...]
    held: int


def plan(data_dir: Path, limits: Limits, now_ms: int) -> Plan:
    """Which pictures may go, without touching any.

    Args:
        data_dir: the table's folder.
        limits: at least one of them.
        now_ms: the time now, UTC in milliseconds.

    Raises:
        RetentionError: no limit is given, the ledger cannot be read or its chain is broken.
    """
    if limits.days is None and limits.megabytes is None:
        raise RetentionError("Say what may stay: a number of days, of megabytes, or both.")
    try:
        logs = game_logs(read(data_dir / LEDGER_NAME))
    except LedgerError as error:
        raise RetentionError(f"{error} No picture was removed.") from error
    used, needed = _last_use(logs), _needed(logs)
    stored = EvidenceStore(data_dir / EVIDENCE_NAME).stored()
    # A picture that no entry names yet may belong to a hand that is being read at this moment.
    free = [one for one in stored if one.picture not in needed and not _fresh(one, used, now_ms)]
    free.sort(key=lambda one: (used.get(one.picture, one.at_ms), one.picture))
    remove = _too_many(free, stored, used, limits, now_ms)
    going = {one.picture for one in remove}
    keep = tuple(one for one in stored if one.picture not in going)
    old = (one for one in keep if limits.days is not None and _age_days(one, used, now_ms) > limits.days)
    return Plan(remove=remove, keep=keep, held=sum(one.picture in needed for one in old))


def prune(data_dir: Path, agreed: Plan, now_ms: int) -> None:
    """Remove the pictures of a plan and note for each when it went; the ledger stays as it is.

    Raises:
        RetentionError: the folder cannot be written; what went before that is noted.
    """
    store = EvidenceStore(data_dir / EVIDENCE_NAME)
    try:
        for one in agreed.remove:
            store.let_go(one.picture, clock_text(now_ms))
    except EvidenceError as error:
        raise RetentionError(str(error)) from error


def _too_many(
    free: list[Stored], stored: tuple[Stored, ...], used: dict[str, int], limits: Limits, now_ms: int
) -> tuple[Stored, ...]:
    """From the free pictures (longest unused first): the too old ones, then as many as it takes to fit."""
    size = sum(one.size for one in stored)
    remove = []
    for one in free:
        old = limits.days is not None and _age_days(one, used, now_ms) > limits.days
        large = limits.megabytes is not None and size > limits.megabytes * MEGABYTE
        if old or large:
            remove.append(one)
            size -= one.size
    return tuple(remove)


def _last_use(logs: dict[str, GameLog]) -> dict[str, int]:
    """For every picture the last moment at which something was decided about its hand."""
    used: dict[str, int] = {}
    for log in logs.values():
        for entries in log.hands.values():
            last = max(entry.at_ms for entry in entries)
            for entry in entries:
                for picture in named_in(encode(entry.event)):
                    used[picture] = max(used.get(picture, 0), last)
    return used


def _needed(logs: dict[str, GameLog]) -> frozenset[str]:
    return frozenset(_pictures(log for log in logs.values() if log.open_call or not log.state.finished))


def _pictures(logs: Iterator[GameLog]) -> Iterator[str]:
    for log in logs:
        for entry in log.entries:
            yield from named_in(encode(entry.event))


def _fresh(one: Stored, used: dict[str, int], now_ms: int) -> bool:
    return one.picture not in used and now_ms - one.at_ms < DAY_MS


def _age_days(one: Stored, used: dict[str, int], now_ms: int) -> float:
    return (now_ms - used.get(one.picture, one.at_ms)) / DAY_MS

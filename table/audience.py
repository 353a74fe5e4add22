"""What each screen gets of the snapshot: what its role may see, as JSON.

In a competition the computed value stays hidden until the winner announced, and then only the referee sees it.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from table.circumstances import BIRDS
from table.model import Facts, WinPart
from table.snapshot import ClaimView, Question, Snapshot

RECENT = 40
"""So many rows of the history are told with every change: more than a game of sixteen hands has."""


def document(snapshot: Snapshot) -> dict[str, Any]:
    """Write the snapshot, with the last `RECENT` rows of its history, as the JSON that pages and programs read."""
    left_out = max(0, len(snapshot.history) - RECENT)
    earlier = replace(snapshot.earlier, rows=left_out)
    return asdict(replace(snapshot, history=snapshot.history[left_out:], earlier=earlier))


def rows_before(snapshot: Snapshot, role: str, before: int, count: int) -> dict[str, Any]:
    """Write the last `count` rows of the history before row number `before` as JSON, as this role may see them.

    `first` is the number of the first of them, counted from 0.
    """
    rows = snapshot.history[:before]
    first = max(0, len(rows) - count)
    shown = for_role(replace(snapshot, history=rows[first:]), role)
    return {"first": first, "changed": snapshot.earlier.changed, "rows": [asdict(row) for row in shown.history]}


def for_role(snapshot: Snapshot, role: str) -> Snapshot:
    """Take out what a screen of this role must not show.

    Friendly games hide nothing but notes for the referee. In a competition the value that the rules computed is for the
    referee, and for him only after the winner has announced the points. Settled hands keep the approved value; the
    computed one stays hidden. What lies on the table (melds, discards, what was followed) is for the referee alone, and
    so is what the camera counted of a win: nobody helps the winner to find his points.
    """
    game = snapshot.game
    referee = role in {"referee", "chief"}
    if not referee and snapshot.table is not None:
        friendly = game is not None and game.mode == "friendly"
        snapshot = replace(snapshot, table=replace(snapshot.table, opened=()) if friendly else None)
    if game is None or game.mode == "friendly":
        return snapshot
    claim = snapshot.claim
    if claim is not None and not referee:
        claim = _as_people_said(claim, len(game.places) - 1)
        snapshot = replace(snapshot, claim=claim)
    if not referee:
        snapshot = replace(
            snapshot,
            history=tuple(
                replace(row, computed=None, fans=(), wins=_without_value(row.wins), told=_without_value(row.told))
                for row in snapshot.history
            ),
            hand=None if snapshot.hand is None else replace(snapshot.hand, wins=_without_value(snapshot.hand.wins)),
        )
    if claim is None or (referee and claim.announced is not None):
        return snapshot
    hidden = replace(
        claim,
        verdict=None,
        candidates=tuple(replace(candidate, valid=None, total=None) for candidate in claim.candidates),
        questions=tuple(_without_totals(question) for question in claim.questions),
    )
    return replace(snapshot, claim=hidden)


def _as_people_said(claim: ClaimView, others: int) -> ClaimView:
    """A claim with its source, but without other circumstances that are the camera's word, and not asking for a ruling.

    That the referee is waited for before everybody has agreed would tell that the rules call it no win, and birds,
    which are turned for a win alone (長沙, 廣東), that they call it one.
    """
    counted, facts = claim.from_camera, claim.facts
    said = Facts(
        last_tile=facts.last_tile and "last_tile" not in counted,
        last_of_kind=facts.last_of_kind and "last_of_kind" not in counted,
        more={name: value for name, value in facts.more.items() if name not in counted},
    )
    source = tuple(name for name in counted if name == "source")
    questions = tuple(question for question in claim.questions if question.id != BIRDS)
    waiting = claim.waiting_for
    if claim.verdict is not None and not questions:
        everybody = len(claim.agreed) == others
        waiting = "announce" if claim.announced is None else "referee" if everybody else "agree"
    return replace(claim, seen=None, facts=said, from_camera=source, questions=questions, waiting_for=waiting)


def _without_totals(question: Question) -> Question:
    return replace(question, choices=tuple(replace(choice, total=None) for choice in question.choices))


def _without_value(wins: tuple[WinPart, ...]) -> tuple[WinPart, ...]:
    return tuple(replace(win, computed=win.total, fans=()) for win in wins)


def public(snapshot: Snapshot) -> Snapshot:
    """Take out what the players and the audience must not see."""
    return for_role(snapshot, "viewer")

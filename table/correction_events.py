"""How hands that are over are set right, as events: each lists everything it changes. Part of `table.events`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from table.model import FalseWin, Outcome, Penalty, Setup


@dataclass(frozen=True, slots=True, kw_only=True)
class HandChange:
    """What a correction does to one hand: the outcome and dealer before and after."""

    hand_no: int
    before: Outcome
    after: Outcome
    setup_before: Setup
    setup_after: Setup


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChange:
    """What a correction does to a false win or a penalty; `place` counts the rows of the history from 0."""

    place: int
    before: FalseWin | Penalty
    after: FalseWin | Penalty


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCorrected:
    """An earlier hand is set right. The first change is that hand; the others are later hands which it moves.

    `rows` are the false wins and penalties that it moves; a ledger of an older Paiju has none.
    """

    hand_no: int
    reason: str
    changes: tuple[HandChange, ...]
    next: Setup | None
    rows: tuple[RowChange, ...] = ()
    kind: Literal["hand_corrected"] = "hand_corrected"


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionsCorrected:
    """The game is played under other options: what that changes in what was paid, and the hand that is next."""

    options: Mapping[str, Any]
    ruleset_version: str
    reason: str
    changes: tuple[HandChange, ...]
    next: Setup | None
    rows: tuple[RowChange, ...] = ()
    kind: Literal["options_corrected"] = "options_corrected"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsCorrected:
    """From hand `from_hand` on the players sat as `seating` says; `changes` and `rows` are what moves with them."""

    from_hand: int
    seating: tuple[int, int, int, int]
    reason: str
    changes: tuple[HandChange, ...]
    next: Setup | None
    rows: tuple[RowChange, ...] = ()
    kind: Literal["seats_corrected"] = "seats_corrected"

"""A robbed kong never came about (搶槓): what it brought at once goes back, and its meld is the pung it was before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from table.circumstances import merged
from table.model import Seat, SidePay, TableFacts, WinPart
from table.state import Claim
from table.tile_text import split_tiles, tiles_text


@dataclass(frozen=True, slots=True)
class Robbed:
    """An added kong that was robbed: whose, of which tile (empty while that is not known), in which stage of a hand."""

    seat: Seat
    tile: str
    stage: int


def robbed_by_wins(wins: Iterable[WinPart]) -> frozenset[Robbed]:
    """The kongs that these wins robbed; several winners may have robbed the same one."""
    return frozenset(
        Robbed(win.from_seat, win.laid.win_tile, win.stage)
        for win in wins
        if win.source == "rob_kong" and win.from_seat is not None
    )


def robbed_by_claims(claims: Iterable[Claim], stage: int) -> frozenset[Robbed]:
    """The kongs that these claims rob, made while `stage` tiles had been won on before."""
    return frozenset(
        Robbed(claim.from_seat, claim.laid.win_tile if claim.laid is not None else "", stage)
        for claim in claims
        if claim.source == "rob_kong" and claim.from_seat is not None
    )


def sides_standing(sides: Sequence[SidePay], robbed: Iterable[Robbed]) -> tuple[SidePay, ...]:
    """What was paid at once, less the robbed kongs."""
    left = list(sides)
    for one in robbed:
        fitting = [side for side in left if _is_robbed(side, one)]
        named = [side for side in fitting if side.tile == one.tile]
        if fitting:
            left.remove((named or fitting)[-1])
    return tuple(left)


def set_aside(sides: Sequence[SidePay], standing: Sequence[SidePay]) -> tuple[SidePay, ...]:
    """Which of these payments do not stand any more."""
    gone = list(sides)
    for side in standing:
        gone.remove(side)
    return tuple(gone)


def _is_robbed(side: SidePay, robbed: Robbed) -> bool:
    kong = side.what == "kong" and side.meld_kind == "kong_added" and side.seat == robbed.seat
    same = not side.tile or not robbed.tile or side.tile == robbed.tile
    return kong and same and side.stage == robbed.stage


def facts_standing(facts: TableFacts, robbed: Iterable[Robbed]) -> dict[str, Any]:
    """The circumstances, with each robbed kong as the pung that lay there before.

    >>> laid = {"players": {"1": {"melds": [{"type": "kong_added", "tiles": "4444m", "from": 0}]}}}
    >>> facts_standing(laid, [Robbed(1, "4m", 0)])["players"]["1"]["melds"]
    [{'type': 'peng', 'tiles': '444m', 'from': 0}]
    """
    changed: dict[str, Any] = dict(facts)
    for one in robbed:
        known = changed.get("players", {}).get(str(one.seat), {})
        if "melds" in known:
            melds = [_pung(meld) if _lies(meld, one) else meld for meld in known["melds"]]
            changed |= merged(changed, {"players": {str(one.seat): {"melds": melds}}})
    return changed


def _lies(meld: TableFacts, robbed: Robbed) -> bool:
    return meld["type"] == "kong_added" and (not robbed.tile or robbed.tile in split_tiles(meld["tiles"]))


def _pung(kong: TableFacts) -> dict[str, Any]:
    return {**kong, "type": "peng", "tiles": tiles_text(split_tiles(kong["tiles"])[:3])}

"""Kongs and discards taken: what is paid at once, who is bound by them, and what lies open then.

A kong is paid at once where the ruleset says so; where losers pay by their own melds, each meld is kept among the facts
of its owner, and where who took how much from whom binds two players (承包), each discard taken is noted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table import commands
from table import events as ev
from table.circumstances import facts_now, merged
from table.claims import noted
from table.decision import Context, Decision, Rejected, reject, reject_because
from table.model import MeldKind, Payments, Seat, SidePay
from table.plays import begun, cannot_act, contracts, contracts_after
from table.possible_kongs import impossible_kong
from table.rulebook import BadHand
from table.settling import NotSettled, check_copies
from table.state import without_move
from table.tile_text import split_tiles, tiles_text

KONGS: Mapping[str, MeldKind] = {
    "kong_open": "kong_open",
    "kong_concealed": "kong_concealed",
    "kong_added": "kong_added",
}
SPECIAL_KONGS = {"hongzhong": "hz_kongs", "laizi": "lz_kongs"}
"""Tiles laid out one by one that count as kongs, and the fact that counts them."""


def kong(context: Context, command: commands.Kong) -> Decision | Rejected:
    """A kong: paid at once where the ruleset says so, and remembered."""
    wrong = cannot_act(context, command.seat, command.from_seat)
    if wrong is not None:
        return wrong
    if command.meld_kind in SPECIAL_KONGS:
        return _special_kong(context, command.seat, command.meld_kind)
    kind = KONGS[command.meld_kind]
    if kind == "kong_open" and command.from_seat is None:
        return reject("no_feeder")
    event = {"type": kind, "by": command.seat, "from": command.from_seat}
    payments: Payments = (0, 0, 0, 0)
    if "kong" in context.rulebook.answers:
        try:
            table = facts_now(context.state, context.game, context.setup)
            payments = context.rulebook.ask("kong", table, [event])["payments"]
        except BadHand as error:
            return reject_because("bad_facts", error.sentence)
    side = SidePay(
        what="kong",
        seat=command.seat,
        payments=payments,
        meld_kind=kind,
        tile=command.tile or "",
        from_seat=command.from_seat,
        stage=len({win.stage for win in context.state.won}),
    )
    wrong_kong = impossible_kong(context.rulebook, (*context.state.sides, side))
    if wrong_kong is not None:
        return Rejected(sentence=wrong_kong)
    try:
        check_copies(context.state.won, (*context.state.sides, side))
    except NotSettled as error:
        return Rejected(sentence=error.sentence)
    facts = _meld_laid(context, command.seat, kind, 4 * [command.tile] if command.tile else [], command.from_seat)
    if kind == "kong_open":
        facts |= contracts(context, {"claim": kind, "by": command.seat, "from": command.from_seat})
    return noted(context, *begun(context), ev.SidePaid(side=side, facts=facts), *_kept(context, event, facts))


def drop_side(context: Context, command: commands.DropSide) -> Decision | Rejected:
    """A kong or starting win of this hand was none; what it paid returns."""
    if command.count not in (None, len(context.state.sides)):
        return reject("told_meanwhile")
    if command.index >= len(context.state.sides):
        return reject("no_such_side", index=command.index + 1, count=len(context.state.sides))
    side, dropped = context.state.sides[command.index], ev.SideDropped(index=command.index, reason=command.reason)
    facts = _meld_gone(context.state.facts, side) | _contract_gone(context, side)
    return noted(context, dropped, *((ev.HandNoted(facts=facts, note={}),) if facts else ()))


def _meld_gone(facts: Mapping[str, Any], side: SidePay) -> dict[str, Any]:
    """Without the meld that this kong laid among the facts of its owner; an added one is a pung again."""
    known: list[dict[str, Any]] = facts.get("players", {}).get(str(side.seat), {}).get("melds", [])
    kong = next(
        (one for one in reversed(known) if one["type"] == side.meld_kind and side.tile in split_tiles(one["tiles"])),
        None,
    )
    if kong is None:
        return {}
    pung = {**kong, "type": "peng", "tiles": tiles_text(split_tiles(kong["tiles"])[:3])}
    melds = [pung if one is kong else one for one in known if one is not kong or side.meld_kind == "kong_added"]
    return merged(facts, {"players": {str(side.seat): {"melds": melds}}})


def _contract_gone(context: Context, side: SidePay) -> dict[str, Any]:
    """The contracts as they are without this claimed kong."""
    if "contract" not in context.rulebook.answers or side.meld_kind != "kong_open":
        return {}
    return contracts_after(context, without_move(context.state.noted, side))


def take_discard(context: Context, command: commands.TakeDiscard) -> Decision | Rejected:
    """A chow or a pung is taken: who took how much from whom may bind the two (承包)."""
    wrong = cannot_act(context, command.seat, command.from_seat)
    if wrong is not None:
        return wrong
    move = {"claim": command.meld_kind, "by": command.seat, "from": command.from_seat}
    try:
        facts = contracts(context, move)
    except BadHand as error:
        return reject_because("bad_facts", error.sentence)
    facts |= _meld_laid(context, command.seat, command.meld_kind, [command.tiles], command.from_seat)
    return noted(context, *begun(context), ev.HandNoted(facts=facts, note=move))


def _special_kong(context: Context, seat: Seat, kind: str) -> Decision | Rejected:
    if not context.customs.asks_opened:
        return reject("not_in_this_game")
    name = SPECIAL_KONGS[kind]
    player = context.state.facts.get("players", {}).get(str(seat), {})
    facts = merged(context.state.facts, {"players": {str(seat): {name: player.get(name, 0) + 1}}})
    return noted(context, *begun(context), ev.HandNoted(facts=facts, note={}))


def _meld_laid(
    context: Context, seat: Seat, kind: MeldKind, tiles: Sequence[str | None], from_seat: Seat | None
) -> dict[str, Any]:
    """Where losers pay by their own melds: the meld among the facts of its owner."""
    text = "".join(tile or "" for tile in tiles)
    if not context.customs.asks_opened:
        return {}
    player = context.state.facts.get("players", {}).get(str(seat), {})
    if not text:
        return merged(context.state.facts, {"players": {str(seat): {"opened": kind != "kong_concealed"}}})
    laid = split_tiles(text)
    pung = next((one for one in player.get("melds", []) if kind == "kong_added" and _is_pung_of(one, laid[0])), None)
    melds = [meld for meld in player.get("melds", []) if meld is not pung]
    fed = from_seat if pung is None else pung["from"]  # an added kong is fed by whoever fed its pung
    melds.append({"type": kind, "tiles": tiles_text(laid), "from": fed})
    return merged(context.state.facts, {"players": {str(seat): {"melds": melds}}})


def _is_pung_of(meld: Mapping[str, Any], tile: str) -> bool:
    return meld["type"] == "peng" and tile in split_tiles(meld["tiles"])


def _kept(context: Context, event: Mapping[str, Any], facts: Mapping[str, Any]) -> tuple[ev.TableEvent, ...]:
    """The move of a claimed kong, which counts for contracts."""
    if "contract" not in context.rulebook.answers or event["type"] != "kong_open":
        return ()
    move = {"claim": event["type"], "by": event["by"], "from": event["from"]}
    return (ev.HandNoted(facts={}, note=move),) if facts else ()

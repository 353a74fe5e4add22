"""What happens inside a hand beside claims: tiles turned up, kongs, discards taken, declarations, starting wins.

Each decision notes what happened in the words of the rules questions and lets the ruleset say what follows from it
(kong money, contracts, who answers for whom, who plays open). Which of them a game has follows from the questions that
its ruleset answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table import commands
from table import events as ev
from table.circumstances import (
    EXCHANGE,
    PRIVATE,
    SEA,
    as_stated,
    facts_now,
    merged,
    sea_asked,
    sea_win,
    stated_facts,
    turned_up,
)
from table.claims import facts_event, noted
from table.decision import Context, Decision, Rejected, accept, reject, reject_because
from table.model import MeldKind, Outcome, Payments, Seat, SidePay, added
from table.possible_kongs import impossible_kong
from table.rulebook import BadHand
from table.sentences import say
from table.settling import NotSettled, check_copies, given_back, settled, start_fans
from table.state import without_move
from table.tile_text import split_tiles, tiles_text

KONGS: Mapping[str, MeldKind] = {
    "kong_open": "kong_open",
    "kong_concealed": "kong_concealed",
    "kong_added": "kong_added",
}
SPECIAL_KONGS = {"hongzhong": "hz_kongs", "laizi": "lz_kongs"}
"""Tiles laid out one by one that count as kongs, and the fact that counts them."""


def hand_facts(context: Context, command: commands.HandFacts) -> Decision | Rejected:
    """Circumstances are stated by name; null takes one back."""
    changed = merged(context.state.facts, as_stated(context.game, command.facts))
    return noted(context, *_begun(context), ev.HandNoted(facts=changed, note={}))


def turn_tile(context: Context, command: commands.TurnTile) -> Decision | Rejected:
    """A tile is turned up: the indicator of the wildcard, or a bird."""
    if command.what == "bird":
        turned = str(context.state.facts.get("birds", "")) + command.tile
        if len(turned) > 2 * context.customs.birds:
            return reject("not_in_this_game")
        if not context.state.claims:
            return reject("no_claim")  # told late it would be a bird of whoever wins next
        if command.number not in (None, len(turned) // 2):
            return reject("told_meanwhile")
        return noted(context, ev.HandNoted(facts={"birds": turned}, note={}))
    if not context.customs.indicator or "wild" not in context.rulebook.answers:
        return reject("not_in_this_game")
    try:
        facts = turned_up(context.rulebook, command.tile)
    except BadHand as error:
        return reject_because("bad_facts", error.sentence)
    return noted(context, ev.HandNoted(facts=facts, note={}))


# --- kongs and discards taken ---------------------------------------------------------------------------------------


def kong(context: Context, command: commands.Kong) -> Decision | Rejected:
    """A kong: paid at once where the ruleset says so, and remembered."""
    wrong = _cannot_act(context, command.seat, command.from_seat)
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
        facts |= _contracts(context, {"claim": kind, "by": command.seat, "from": command.from_seat})
    return noted(context, *_begun(context), ev.SidePaid(side=side, facts=facts), *_kept(context, event, facts))


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
    return _contracts_after(context, without_move(context.state.noted, side))


def take_discard(context: Context, command: commands.TakeDiscard) -> Decision | Rejected:
    """A chow or a pung is taken: who took how much from whom may bind the two (承包)."""
    wrong = _cannot_act(context, command.seat, command.from_seat)
    if wrong is not None:
        return wrong
    move = {"claim": command.meld_kind, "by": command.seat, "from": command.from_seat}
    try:
        facts = _contracts(context, move)
    except BadHand as error:
        return reject_because("bad_facts", error.sentence)
    facts |= _meld_laid(context, command.seat, command.meld_kind, [command.tiles], command.from_seat)
    return noted(context, *_begun(context), ev.HandNoted(facts=facts, note=move))


def _special_kong(context: Context, seat: Seat, kind: str) -> Decision | Rejected:
    if not context.customs.asks_opened:
        return reject("not_in_this_game")
    name = SPECIAL_KONGS[kind]
    player = context.state.facts.get("players", {}).get(str(seat), {})
    facts = merged(context.state.facts, {"players": {str(seat): {name: player.get(name, 0) + 1}}})
    return noted(context, *_begun(context), ev.HandNoted(facts=facts, note={}))


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


# --- declarations ---------------------------------------------------------------------------------------------------


def declare(context: Context, command: commands.Declare) -> Decision | Rejected:
    """A player plays open, doubles, stays or quits at a contract, or gives up a suit."""
    wrong = _cannot_act(context, command.seat, None)
    if wrong is not None:
        return wrong
    try:
        facts, move = _declared(context, command)
    except BadHand as error:
        return reject_because("bad_facts", error.sentence)
    if not facts:
        return reject("not_in_this_game")
    return noted(context, ev.HandNoted(facts=facts, note=move))


def _declared(context: Context, command: commands.Declare) -> tuple[dict[str, Any], dict[str, Any]]:
    answers, seat, what = context.rulebook.answers, command.seat, command.what
    if what in ("open", "double") and "phase" in answers:
        return _stake_raised(context, seat, what), {}
    if what in ("stay", "quit") and "contract" in answers:
        move = {"answer": what, "seat": seat}
        return _contracts(context, move), move
    if what == "void" and command.suit is not None and context.game.options.get("dingque") is True:
        return merged(context.state.facts, {"players": {str(seat): {"void": command.suit}}}), {}
    return {}, {}


def _stake_raised(context: Context, seat: Seat, what: str) -> dict[str, Any]:
    """明牌 before the deal, 加倍 after it: in the hand being played only doubling is heard."""
    phase = "after_deal_before_first_discard" if context.state.started else "before_deal"
    place = context.game.places.index(seat)
    known = {name: context.state.facts[name] for name in ("open_hand", "doubled") if name in context.state.facts}
    said = context.rulebook.ask("phase", known, [{"phase": phase, "seat": place, "wants": what}])
    if said.get("refused"):
        raise BadHand(say("why.too_late", what=what))
    return {name: _for_all(context, said[name]) for name in ("open_hand", "doubled")}


def _for_all(context: Context, values: Sequence[bool]) -> list[bool]:
    by_seat = [False] * 4
    for place, seat in enumerate(context.game.places):
        by_seat[seat] = bool(values[place])
    return by_seat


def _contracts(context: Context, move: Mapping[str, Any]) -> dict[str, Any]:
    """The contracts after one more move, by the ruleset; nothing in a game without them."""
    return _contracts_after(context, (*context.state.noted, move)) if "contract" in context.rulebook.answers else {}


def _contracts_after(context: Context, notes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    moves = [note for note in notes if "claim" in note or "answer" in note]
    said = context.rulebook.ask("contract", {}, moves)
    facts: dict[str, Any] = {"contracts": said["contracts_out"] or None, f"{PRIVATE}asked": said["ask"] or None}
    return {**facts, "quit": said.get("quit_out")}


def liable(context: Context, command: commands.Liable) -> Decision | Rejected:
    """One player's feed makes him answer for another's win; who is bound already stays bound."""
    if "liability" not in context.rulebook.answers:
        return reject("not_in_this_game")
    event = {"feeder": command.feeder, "beneficiary": command.beneficiary, "makes": command.makes}
    standing = {"liability": context.state.facts.get("liability", [])}
    try:
        said = context.rulebook.ask("liability", standing, [event])["liability_out"]
    except BadHand as error:
        return reject_because("bad_facts", error.sentence)
    return noted(context, *_begun(context), ev.HandNoted(facts={"liability": said}, note={}))


def pass_win(context: Context, command: commands.PassWin) -> Decision | Rejected:
    """A player let a winning tile go (漏胡), or has acted since."""
    wrong = _cannot_act(context, command.seat, None)
    if wrong is not None:
        return wrong
    passed: dict[str, str] = dict(context.state.facts.get("passed", {}))
    if command.tile is None:
        passed.pop(str(command.seat), None)
    else:
        passed[str(command.seat)] = passed.get(str(command.seat), "") + command.tile
    return noted(context, *_begun(context), ev.HandNoted(facts={"passed": passed or None}, note={}))


# --- three tiles passed on, winners who leave ------------------------------------------------------------------------


def exchange(context: Context, command: commands.Exchange) -> Decision | Rejected:
    """換三張: one die says to whom everybody passes three tiles; which ones, nobody sees."""
    if context.game.options.get("huan_san_zhang") is not True:
        return reject("not_in_this_game")
    if context.state.claims or context.state.sides or context.state.won:
        return reject("dice_not_now")
    wish = {"seat": 0, "wants": "exchange", "tiles": "123m"}
    goes_to = context.rulebook.ask("action", {"dice": [command.die]}, [wish])["goes_to"]
    return noted(context, *_begun(context), ev.HandNoted(facts={EXCHANGE: goes_to}, note={}))


def leave(context: Context, command: commands.Leave) -> Decision | Rejected:
    """A winner leaves before the battle is over and gives back what his win brought."""
    state, seat = context.state, command.seat
    if context.game.options.get("leave_forfeits") is not True:
        return reject("not_in_this_game")
    if seat not in state.out:
        return reject("not_out", seat=seat)
    if any(side.what == "leave" and side.seat == seat for side in state.sides):
        return reject("left_already", seat=seat)
    side = SidePay(
        what="leave",
        seat=seat,
        payments=given_back(context.rulebook, state.won, seat),
        stage=len({win.stage for win in state.won}),
    )
    return noted(context, ev.SidePaid(side=side, facts={}))


# --- starting wins and the wall -------------------------------------------------------------------------------------


def start_win(context: Context, command: commands.StartWin) -> Decision | Rejected:
    """Dealt tiles that win something at once; the hand goes on, or ends where it is played so."""
    if "start" not in context.rulebook.answers:
        return reject("not_in_this_game")
    wrong = _cannot_act(context, command.seat, None)
    if wrong is not None:
        return wrong
    if command.seat in context.state.dead_seats():
        return reject("seat_dead", seat=command.seat)
    if any(side.what == "start_win" and side.seat == command.seat for side in context.state.sides):
        return reject("start_won_already", seat=command.seat)
    winner = {"seat": command.seat, "hand": command.hand, "source": "start_hand"}
    table = facts_now(context.state, context.game, context.setup)
    if command.birds:
        table |= as_stated(context.game, {"birds": command.birds})
    birds = str(table.get("birds", ""))
    if len(split_tiles(birds)) < context.game.start_birds:
        return reject("birds_first")
    try:
        said = context.rulebook.ask("start", table, (), [winner])
    except BadHand as error:
        return reject_because("bad_tiles", error.sentence)
    if not said["valid"]:
        return reject("not_a_win", reason=str(said.get("reason", "shape")))
    side = SidePay(
        what="start_win",
        seat=command.seat,
        payments=said["payments"],
        hand=command.hand,
        fans=start_fans(said),
        birds=birds,
    )
    paid = (*_begun(context), ev.SidePaid(side=side, facts={"birds": None}))
    if said.get("continues", True):
        return noted(context, *paid)
    return reject("claims_open") if context.state.claims else accept(*paid, _ended_at_once(context, side))


def _ended_at_once(context: Context, side: SidePay) -> ev.HandSettled:
    outcome = Outcome(
        outcome="win",
        winner=side.seat,
        source="start_hand",
        fans=side.fans,
        payments=added(context.state.paid_so_far, side.payments),
        sides=(*context.state.sides, side),
        table=stated_facts(context.state, context.game),
    )
    return settled(context, outcome)


def sea(context: Context, command: commands.Sea) -> Decision | Rejected:
    """A player takes the last tile or refuses it; the next one is asked. What came of it is known when nobody wins."""
    if "sea" not in context.rulebook.answers or not context.state.started:
        return reject("not_in_this_game")
    asked = sea_asked(context.state.facts)
    due = command.seat if not asked else (asked[0][0] + len(asked)) % 4
    if command.seat != due or any(take for _, take in asked) or len(asked) == 4:
        return reject("sea_not_asked", seat=command.seat)
    answers = [*(list(one) for one in asked), [command.seat, command.take]]
    told: list[ev.TableEvent] = [ev.HandNoted(facts={SEA: answers}, note={})]
    for claim in context.state.claims:
        source, from_seat = sea_win({SEA: answers}, claim.seat, claim.source, claim.from_seat)
        if source != claim.source:
            told.append(facts_event(claim, source, from_seat, claim.facts))
    return noted(context, *told)


def tiles_taken(context: Context, command: commands.TilesTaken) -> Decision | Rejected:
    """How far the wall is drawn."""
    if not context.state.started:
        return reject("settle_first")
    return accept(ev.TilesTaken(draws=command.draws, flowers=command.flowers))


# --- shared ---------------------------------------------------------------------------------------------------------


def _begun(context: Context) -> tuple[ev.TableEvent, ...]:
    """What happens in a hand starts it, if nobody has pressed start."""
    return () if context.state.started else (ev.HandStarted(setup=context.setup),)


def _cannot_act(context: Context, seat: Seat, other: Seat | None) -> Rejected | None:
    for one in (seat, other):
        if one is not None and one not in context.game.places:
            return reject("seat_empty", seat=one)
        if one is not None and one in context.state.out:
            return reject("seat_out", seat=one)
    return reject("from_self", seat=seat) if seat == other else None

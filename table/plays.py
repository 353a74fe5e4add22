"""What happens inside a hand beside claims and melds: tiles turned up, declarations, starting wins, the last tile.

Each decision notes what happened in the words of the rules questions and lets the ruleset say what follows from it
(contracts, who answers for whom, who plays open). Which of them a game has follows from the questions that its ruleset
answers. Kongs and discards taken are in `table.melding`.
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
from table.model import Outcome, Seat, SidePay, added
from table.rulebook import BadHand
from table.sentences import say
from table.settling import given_back, settled, start_fans
from table.tile_text import split_tiles


def hand_facts(context: Context, command: commands.HandFacts) -> Decision | Rejected:
    """Circumstances are stated by name; null takes one back."""
    changed = merged(context.state.facts, as_stated(context.game, command.facts))
    return noted(context, *begun(context), ev.HandNoted(facts=changed, note={}))


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


# --- declarations ---------------------------------------------------------------------------------------------------


def declare(context: Context, command: commands.Declare) -> Decision | Rejected:
    """A player plays open, doubles, stays or quits at a contract, or gives up a suit."""
    wrong = cannot_act(context, command.seat, None)
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
        return contracts(context, move), move
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


def contracts(context: Context, move: Mapping[str, Any]) -> dict[str, Any]:
    """The contracts after one more move, by the ruleset; nothing in a game without them."""
    return contracts_after(context, (*context.state.noted, move)) if "contract" in context.rulebook.answers else {}


def contracts_after(context: Context, notes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The contracts that these moves of a hand have made, as facts of the hand."""
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
    return noted(context, *begun(context), ev.HandNoted(facts={"liability": said}, note={}))


def pass_win(context: Context, command: commands.PassWin) -> Decision | Rejected:
    """A player let a winning tile go (漏胡), or has acted since."""
    wrong = cannot_act(context, command.seat, None)
    if wrong is not None:
        return wrong
    passed: dict[str, str] = dict(context.state.facts.get("passed", {}))
    if command.tile is None:
        passed.pop(str(command.seat), None)
    else:
        passed[str(command.seat)] = passed.get(str(command.seat), "") + command.tile
    return noted(context, *begun(context), ev.HandNoted(facts={"passed": passed or None}, note={}))


# --- three tiles passed on, winners who leave ------------------------------------------------------------------------


def exchange(context: Context, command: commands.Exchange) -> Decision | Rejected:
    """換三張: one die says to whom everybody passes three tiles; which ones, nobody sees."""
    if context.game.options.get("huan_san_zhang") is not True:
        return reject("not_in_this_game")
    if context.state.claims or context.state.sides or context.state.won:
        return reject("dice_not_now")
    wish = {"seat": 0, "wants": "exchange", "tiles": "123m"}
    goes_to = context.rulebook.ask("action", {"dice": [command.die]}, [wish])["goes_to"]
    return noted(context, *begun(context), ev.HandNoted(facts={EXCHANGE: goes_to}, note={}))


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
    wrong = cannot_act(context, command.seat, None)
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
    paid = (*begun(context), ev.SidePaid(side=side, facts={"birds": None}))
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


def begun(context: Context) -> tuple[ev.TableEvent, ...]:
    """What happens in a hand starts it, if nobody has pressed start."""
    return () if context.state.started else (ev.HandStarted(setup=context.setup),)


def cannot_act(context: Context, seat: Seat, other: Seat | None) -> Rejected | None:
    """Why this seat cannot do anything now, or not with what the other one has discarded."""
    for one in (seat, other):
        if one is not None and one not in context.game.places:
            return reject("seat_empty", seat=one)
        if one is not None and one in context.state.out:
            return reject("seat_out", seat=one)
    return reject("from_self", seat=seat) if seat == other else None

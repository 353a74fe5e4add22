"""From 和 to points: the claim, its circumstances, the announcement, the agreement, and how a hand ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from table import commands
from table import events as ev
from table.circumstances import bird_question, facts_now, merged, of_another_feeder, sea_ended, sea_win, stated_facts
from table.decision import REFEREES, Context, Decision, Rejected, accept, reject, reject_because, suppose
from table.drawn import drawn_outcome
from table.judging import judge_now
from table.model import (
    FROM_OTHERS,
    NOTHING,
    Facts,
    Outcome,
    Payments,
    Scalar,
    Seat,
    Source,
)
from table.possible_kongs import kong_without_place
from table.rulebook import BadHand
from table.rules_input import check_more
from table.seen_win import from_camera
from table.set_aside import for_nothing, until_then
from table.settling import NotSettled, broken_off, end_by_wins, settled
from table.state import Claim, heard_in_order


def claim_win(context: Context, command: commands.ClaimWin) -> Decision | Rejected:
    """A player says 和; the first claim starts the hand if nobody has pressed start."""
    state = context.state
    if command.seat in state.dead_seats():
        return reject("seat_dead", seat=command.seat)
    if command.seat in state.out:
        return reject("seat_out", seat=command.seat)
    source, from_seat = sea_win(state.facts, command.seat, command.source, command.from_seat)
    wrong = wrong_source(context, command.seat, source, from_seat)
    if wrong is not None:
        return wrong
    standing = next((claim for claim in state.claims if claim.seat == command.seat), None)
    if standing is not None:
        if "source" not in standing.said and source is not None:
            return edited(context, standing, facts_event(standing, source, from_seat, standing.facts))
        return reject("already_claimed", seat=command.seat)
    claimed = ev.WinClaimed(seat=command.seat, source=source, from_seat=from_seat)
    if state.started:
        return accept(claimed)
    return accept(ev.HandStarted(setup=context.setup), claimed)


def cancel_claim(context: Context, command: commands.CancelClaim) -> Decision | Rejected:
    """A claim is withdrawn; the next one in the queue is heard."""
    claims = context.state.claims
    seat = claims[0].seat if command.seat is None and claims else command.seat
    if seat is None or all(claim.seat != seat for claim in claims):
        return reject("no_claim")
    claim = next(claim for claim in claims if claim.seat == seat)
    told = context.game.mode == "friendly" or command.actor.role in REFEREES  # whether it wins
    may_win = not told or (claim.verdict is not None and claim.verdict.valid)
    if may_win and not command.waived and _must_be_taken(context, claim):
        return reject("must_win", seat=seat)
    return _then_others(context, ev.ClaimCancelled(seat=seat), seat)


def _must_be_taken(context: Context, claim: Claim) -> bool:
    """Whether the rules forbid letting a win pass: the last four tiles of 四川 (docs/rules/sichuan.md)."""
    if "action" not in context.rulebook.answers:
        return False
    table = facts_now(context.state, context.game, context.setup) | dict(claim.facts.more)
    table["last_tile"] = table.get("last_tile", False) or claim.facts.last_tile
    passing = {"seat": context.game.places.index(claim.seat), "wants": "pass", "can_win": True}
    try:
        return not context.rulebook.ask("action", {**table}, [passing]).get("allowed", True)
    except BadHand:  # this ruleset has no such question about letting a win pass
        return False


def hold_claim(context: Context, command: commands.HoldClaim) -> Decision | Rejected:
    """The referee lets a claim wait, for every desk, or takes it up again."""
    claim = context.state.claim
    if command.seat is not None:
        claim = next((one for one in context.state.claims if one.seat == command.seat), None)
    if claim is None:
        return reject("no_claim")
    return accept() if claim.held is command.held else accept(ev.ClaimHeld(seat=claim.seat, held=command.held))


def set_facts(context: Context, command: commands.SetFacts) -> Decision | Rejected:
    """A person states the circumstances; what is left out stays."""
    claim = context.state.claim
    if claim is None:
        return reject("no_claim")
    source = claim.source if command.source is None else command.source
    from_seat = claim.from_seat if command.from_seat is None else command.from_seat
    if source not in FROM_OTHERS:
        from_seat = command.from_seat
    wrong = wrong_source(context, claim.seat, source, from_seat)
    if wrong is not None:
        return wrong
    check_more(command.more)
    before = claim.facts if claim.from_seat in (None, from_seat) else of_another_feeder(claim.facts)
    facts = stated(before, command.last_tile, command.last_of_kind, {**_confirmed(claim, command), **command.more})
    return edited(context, claim, facts_event(claim, source, from_seat, facts))


def _confirmed(claim: Claim, command: commands.SetFacts) -> dict[str, Scalar]:
    """What a person says too of that which the camera told alone; in a competition he does not see that it did."""
    told = from_camera(claim)
    said = {"last_tile": command.last_tile, "last_of_kind": command.last_of_kind}
    return {name: on for name, on in said.items() if on is not None and name in told}


def stated(before: Facts, last_tile: bool | None, last_of_kind: bool | None, more: Mapping[str, Scalar]) -> Facts:
    """The circumstances once a person has named some; an answer to a question comes among `more`, also of a flag."""
    flags = {"last_tile": last_tile, "last_of_kind": last_of_kind}
    after = {
        **before.more,
        **more,
        **{name: on for name, on in flags.items() if on is not None and name in before.more},
    }
    return Facts(
        last_tile=bool(after.get("last_tile", before.last_tile if last_tile is None else last_tile)),
        last_of_kind=bool(after.get("last_of_kind", before.last_of_kind if last_of_kind is None else last_of_kind)),
        more=after,
    )


def facts_event(claim: Claim, source: Source | None, from_seat: Seat | None, facts: Facts) -> ev.FactsSet:
    """The event that states all circumstances of a claim."""
    return ev.FactsSet(seat=claim.seat, source=source, from_seat=from_seat, facts=facts)


def announce(context: Context, command: commands.Announce) -> Decision | Rejected:
    """The winner names the points, once, before the computed value is shown."""
    claim = context.state.claim
    if context.game.mode != "competition":
        return reject("announce_friendly")
    if claim is None:
        return reject("no_claim")
    if claim.announced is not None:
        return reject("announced_already", points=claim.announced)
    return accept(ev.PointsAnnounced(seat=claim.seat, points=command.points))


def agree(context: Context, command: commands.Agree) -> Decision | Rejected:
    """A player accepts the hand; in a friendly game the third one settles it.

    In a competition the players are not told what the rules say: a hand that is no win waits for the referee.
    """
    claim = context.state.claim
    if claim is None:
        return reject("no_claim")
    if claim.seat == command.seat:
        return reject("own_claim", seat=claim.seat)
    if command.seat not in context.game.places:
        return reject("seat_empty", seat=command.seat)
    if context.game.mode == "friendly":
        wrong = _not_ready(context, claim)
    else:
        wrong = _not_heard(context, claim) or _announced_too_low(context, claim)
    if wrong is not None:
        return wrong
    if command.seat in claim.agreed:
        return accept()
    agreed = ev.SeatAgreed(claimant=claim.seat, seat=command.seat)
    if context.game.mode == "friendly" and len(claim.agreed) == len(context.game.places) - 2:
        return _approved(context, claim, agreed)
    return accept(agreed)


def approve(context: Context, _command: commands.Approve) -> Decision | Rejected:
    """The hand is approved and the points move."""
    claim = context.state.claim
    if claim is None:
        return reject("no_claim")
    wrong = _not_ready(context, claim)
    return wrong if wrong is not None else _approved(context, claim)


def _approved(context: Context, claim: Claim, *before: ev.TableEvent) -> Decision | Rejected:
    """A claim is approved: it waits while others of the same tile are heard, else all approved ones are paid."""
    others = [one for one in context.state.claims if one.seat != claim.seat]
    if context.customs.several and any(_same_tile(one, claim) for one in others if not one.approved):
        return accept(*before, ev.ClaimApproved(seat=claim.seat))
    return _paid(context, [*(one for one in others if one.approved), claim], before)


def _then_others(context: Context, gone: ev.TableEvent, seat: Seat) -> Decision | Rejected:
    """A claim falls away, with the birds turned for it; if only approved ones are left of its tile, they are paid."""
    others = [one for one in context.state.claims if one.seat != seat]
    if not others and "birds" in context.state.facts:
        return accept(gone, ev.HandNoted(facts={"birds": None}, note={}))
    approved = [one for one in others if one.approved]
    if not approved or any(_same_tile(one, approved[0]) for one in others if not one.approved):
        return accept(gone)
    return _paid(context, approved, (gone,))


def _same_tile(one: Claim, other: Claim) -> bool:
    """Whether two players claim the same tile; a claim of which the source is not said yet may be."""
    if one.source is None or other.source is None:
        return True
    return one.from_seat is not None and one.from_seat == other.from_seat


def _paid(context: Context, claims: Sequence[Claim], before: Sequence[ev.TableEvent]) -> Decision | Rejected:
    nearest_first = heard_in_order(context.state, (replace(claim, approved=False) for claim in claims))
    try:
        return accept(*before, *end_by_wins(context, nearest_first))
    except NotSettled as error:
        return Rejected(sentence=error.sentence)


def _not_ready(context: Context, claim: Claim) -> Rejected | None:
    """Why this claim cannot be approved yet, nor agreed to where the players are told what the rules say."""
    wrong = _not_heard(context, claim)
    if wrong is not None or claim.verdict is None:
        return wrong
    if not claim.verdict.valid:
        return reject("not_a_win", reason=claim.verdict.reason)
    if bird_question(context.state, context.game) is not None:
        return reject("birds_first")
    return _announced_too_low(context, claim)


def _not_heard(context: Context, claim: Claim) -> Rejected | None:
    """Why nobody can say anything of this claim yet, whatever the rules say of its hand."""
    if claim.seat in context.state.dead_seats():
        return reject("seat_dead", seat=claim.seat)
    if claim.held:
        return reject("claim_held", seat=claim.seat)
    if claim.verdict is None:
        return reject("not_judged")
    if context.game.mode == "competition" and claim.announced is None:
        return reject("announce_first")
    return None


def _announced_too_low(context: Context, claim: Claim) -> Rejected | None:
    minimum = context.rulebook.minimum if context.customs.by_total else 0
    if claim.announced is not None and claim.announced < minimum:
        return reject("announced_too_low", points=claim.announced, minimum=minimum)
    return None


def reject_claim(context: Context, command: commands.Reject) -> Decision | Rejected:
    """The claim does not stand; a false win is paid at once."""
    claim = context.state.claim
    if claim is None:
        return reject("no_claim")
    try:
        payments = _false_win(context, claim.seat, command.each) if command.false_win else NOTHING
    except BadHand as error:
        return reject_because("bad_tiles", error.sentence)
    rejected = ev.ClaimRejected(
        seat=claim.seat,
        reason=command.reason,
        false_win=command.false_win,
        payments=payments,
        each=command.each if command.false_win else None,
    )
    return _then_others(context, rejected, claim.seat)


def _false_win(context: Context, seat: Seat, each: int | None) -> Payments:
    table = facts_now(context.state, context.game, context.setup)
    return context.rulebook.false_win(seat, each, table)


def draw_hand(context: Context, command: commands.DrawHand) -> Decision | Rejected:
    """Nobody won, or the hand does not count."""
    if context.state.claims:
        return reject("claims_open")
    if not context.state.started:
        return reject("settle_first")
    if command.sea_seat is not None and command.sea_seat not in context.game.places:
        return reject("seat_empty", seat=command.sea_seat)
    if command.void:
        return accept(settled(context, for_nothing(context.setup, _so_far(context))))
    sea, seat = (command.sea, command.sea_seat) if command.sea else sea_ended(context.state.facts)
    try:
        if command.broken_off:
            so_far = until_then(context.rulebook, context.setup, _so_far(context))
            return accept(settled(context, broken_off(context.rulebook, context.game, context.setup, so_far)))
        outcome = drawn_outcome(context, shown_facts(context, command), sea, seat)
    except NotSettled as error:
        return Rejected(sentence=error.sentence)
    lacking = kong_without_place(context.rulebook, outcome, context.game.places)
    if lacking is not None:
        return Rejected(sentence=lacking)
    return accept(settled(context, outcome))


def _so_far(context: Context) -> Outcome:
    """What has happened in the hand being played."""
    state = context.state
    stated = stated_facts(state, context.game)
    return Outcome(outcome="void", wins=state.won, sides=state.sides, aside=state.aside, table=stated)


def shown_facts(context: Context, command: commands.DrawHand) -> dict[str, Any]:
    """The hands shown at the end of the wall, as facts of the rules."""
    return merged(context.state.facts, {"players": shown_players(command.players)}) if command.players else {}


def shown_players(players: Mapping[Any, commands.ShownHand]) -> dict[str, dict[str, Any]]:
    """Shown hands by seat, as the rules questions write them."""
    return {
        str(seat): {
            name: value
            for name, value in (
                ("hand", shown.hand),
                ("melds", [{"type": meld.kind, "tiles": meld.tiles, "from": meld.from_seat} for meld in shown.melds]),
                ("ready", shown.ready),
                ("opened", shown.opened),
            )
            if value not in ("", [], None)
        }
        for seat, shown in players.items()
    }


def edited(context: Context, claim: Claim, *events: ev.TableEvent) -> Decision:
    """A change to a claim, followed by what the rules now say of its hand."""
    after = suppose(context.state, events)
    changed = next(one for one in after.claims if one.seat == claim.seat)
    judged = judge_now(after, context.game, changed, context.rulebook)
    if judged.verdict is None:
        return accept(*events)
    return accept(*events, ev.HandJudged(seat=claim.seat, laid=judged.laid, verdict=judged.verdict))


def noted(context: Context, *events: ev.TableEvent) -> Decision:
    """Something about the whole hand changed: what the rules say now of every claimed hand follows.

    In a competition also what they say as before: the number of entries must not tell the players which hand wins.
    """
    after, competition = suppose(context.state, events), context.game.mode == "competition"
    judged: list[ev.TableEvent] = []
    for claim in after.claims:
        if not claim.has_hand:
            continue
        now = judge_now(after, context.game, claim, context.rulebook)
        if competition or now.verdict != claim.verdict or now.laid != claim.laid:
            judged.append(ev.HandJudged(seat=claim.seat, laid=now.laid, verdict=now.verdict))
    return accept(*events, *judged)


def wrong_source(context: Context, seat: Seat, source: Source | None, from_seat: Seat | None) -> Rejected | None:
    """Why a win of this seat cannot have come so."""
    empty = next((one for one in (seat, from_seat) if one is not None and one not in context.game.places), None)
    if empty is not None:
        return reject("seat_empty", seat=empty)
    if from_seat in context.state.out:
        return reject("seat_out", seat=from_seat)
    if source is None:
        return None
    if source in FROM_OTHERS:
        if from_seat is None:
            return reject("no_feeder")
        if from_seat == seat:
            return reject("from_self", seat=seat)
    elif from_seat is not None and source == "self_draw":
        return reject("feeder_not_wanted")
    return None

"""Kongs with dice, claims, the roaming last tile (海底漫遊) and drawn hands at a 長沙 table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.claims import all_who_can, heard
from rules.errors import RulesInputError
from rules.model import HandResult, Outcome, Plain, Seat
from rules.payments import seats_after
from rules.policies import progress_extras
from rules.question import Event, Question
from rules.tiles import parse_tiles, tile_text
from rules.waits import is_ready, shown_hand

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

# ---------------------------------------------------------------- claims


def answer_claim(rules: Ruleset, question: Question) -> HandResult:
    """Everybody who can win the discard wins it (通炮); else a pung or kong goes before a chow of the next player."""
    return all_who_can(rules, heard(rules, question.event()))


# ---------------------------------------------------------------- kongs: 開槓 with dice, 補張 without


def answer_wall(rules: Ruleset, question: Question) -> HandResult:
    """The replacement after 開槓: the die counts stacks from the very end; the top tile, else the lower one.

    With two dice (`kong_dice`) their sum counts, and both tiles of the stack are turned.

    Raises:
        RulesInputError: The die cannot show that, or no such stack is left.
    """
    dice, thrown = rules.chosen["kong_dice"], question.event().whole("die")
    stacks = question.facts.tail_stacks
    least, most = (1, 6) if dice == 1 else (2, 12)
    if not least <= thrown <= most:
        raise RulesInputError(f"die {thrown}: with kong_dice {dice} a throw shows {least} to {most}")
    if thrown > len(stacks) or not stacks[thrown - 1]:
        raise RulesInputError(f"die {thrown}: state.tail_stacks has no tile in stack {thrown} from the end")
    turned = stacks[thrown - 1][: 1 if dice == 1 else 2]
    return HandResult.told(("replacement", "".join(tile_text(tile) for tile in turned)))


def answer_action(rules: Ruleset, question: Question) -> HandResult:
    """Whether a player may do what he wants: `{seat, wants, ...}`.

    `open_kong_with_dice` (開槓, with `holds` and `ready_after_kong`) needs a hand that is ready after the kong, else
    `replace_without_dice` (補張) remains. After 開槓 the hand is frozen (`frozen`): no claim but a win, and the tile
    turned or drawn is the one discarded. `rob_kong` takes only an exposed kong (`kong`).
    """
    event = question.event()
    seat = event.seat("seat")
    wants = event.text(
        "wants", "open_kong_with_dice", "replace_without_dice", "rob_kong", "chi", "peng", "discard_from_hand", "hu"
    )
    if wants in ("open_kong_with_dice", "replace_without_dice"):
        held = parse_tiles(event.text("holds"))
        four = len(held) == 4 and len({*held}) == 1
        allowed = four and (wants == "replace_without_dice" or ready_after_kong(rules, question, event))
        return HandResult.told(
            ("allowed", allowed), ("alternative", "replace_without_dice" if four and not allowed else None)
        )
    if wants == "rob_kong":
        allowed = event.meld_kind("kong") == "kong_added"
    elif wants == "chi":
        allowed = not event.flag("frozen") and event.seat("from") == (seat - 1) % 4
    else:
        allowed = wants == "hu" or not event.flag("frozen")
    return HandResult.told(("allowed", allowed), ("alternative", None))


def ready_after_kong(rules: Ruleset, question: Question, event: Event) -> bool:
    """Whether a hand waits once the kong is laid: as the event says, or by the tiles in `state.players`."""
    if "ready_after_kong" in event:
        return event.flag("ready_after_kong")
    seat = event.seat("seat")
    if not question.facts.player(seat).hand:
        raise RulesInputError(
            f"event {event.number}: give ready_after_kong, or the player's tiles after the kong in state.players"
        )
    return is_ready(rules, shown_hand(rules, seat, question.facts), question.facts)


# ---------------------------------------------------------------- 海底漫遊


def answer_sea(rules: Ruleset, question: Question) -> HandResult:
    """The last tile roams: the seat whose draw it is takes it or passes it on; the taker wins, or others on his tile.

    Events in order: `{seat, answer: take|refuse}` until somebody takes it, `{tile}`, then `{seat, can_win}`.

    Raises:
        RulesInputError: An answer out of turn, or one that is missing.
    """
    facts = question.facts
    if facts.turn is None:
        raise RulesInputError("a question of kind sea needs state.turn, the seat whose draw the last tile is")
    order = (facts.turn, *seats_after(facts.turn))
    events = list(question.events)
    taker: Seat | None = None
    for asked in order:
        event = events.pop(0) if events else None
        if event is None or event.seat("seat") != asked or "answer" not in event:
            raise RulesInputError(f"the last tile is offered to seat {asked} now; its answer take or refuse is missing")
        if event.text("answer", "take", "refuse") == "take":
            taker = asked
            break
    if taker is None:
        outcome = Outcome("draw", sea_bottom="all_refused", sea_seat=order[0])
        return sea_answer(rules, question, (order, (), None), outcome)
    winners = sea_winners(taker, events)
    payer = None if not winners or winners[0] == taker else taker
    if winners:
        outcome = Outcome("win", winners, payer, "sea_bottom")
    else:
        outcome = Outcome("draw", sea_bottom="taken_no_win", sea_seat=taker)
    return sea_answer(rules, question, (order, winners, payer), outcome)


def sea_winners(taker: Seat, events: list[Event]) -> tuple[Seat, ...]:
    """The taker alone if he wins with the tile, else all others who can, counter-clockwise from him."""
    for event in events:
        if "tile" in event:
            event.tile("tile")
        elif "can_win" not in event:
            raise RulesInputError(
                f"event {event.number}: after the tile is taken only its face (`tile`) and `can_win` of a seat follow"
            )
    able = {event.seat("seat") for event in events if "can_win" in event and event.flag("can_win")}
    return (taker,) if taker in able else tuple(seat for seat in seats_after(taker) if seat in able)


def sea_answer(
    rules: Ruleset, question: Question, sea: tuple[tuple[Seat, ...], tuple[Seat, ...], Seat | None], outcome: Outcome
) -> HandResult:
    """Who was asked in which order, who wins, who pays, and who deals next."""
    order, winners, payer = sea
    asked: list[Plain] = [*order]
    won: list[Plain] = [*winners]
    progress = progress_extras(rules.next_dealer(outcome, question.facts))
    return HandResult.told(("order", asked), ("sea_winners", won), ("payer", payer), *progress)


def answer_draw(rules: Ruleset, question: Question) -> HandResult:
    """A drawn hand pays nothing; an event may say what happened to the bottom tile, which names the next dealer."""
    outcome = question.outcome() if question.events else Outcome("draw")
    return HandResult.told(*progress_extras(rules.next_dealer(outcome, question.facts)))

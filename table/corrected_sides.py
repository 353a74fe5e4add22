"""What a hand paid at once as a correction states it: kongs and starting wins that were none, kongs nobody entered."""

from __future__ import annotations

from dataclasses import replace

from table import commands
from table.correction_commands import KongIn
from table.decision import Context, Rejected, reject, reject_because
from table.model import Outcome, SidePay
from table.possible_kongs import impossible_kong, kong_without_place
from table.sentences import say
from table.set_aside import told_wins
from table.settling import NotSettled, check_copies, hand_over


def paid_once(outcome: Outcome) -> tuple[SidePay, ...]:
    """What a hand paid at once, as `drop_sides` numbers it: what counts, then what was set aside."""
    return (*outcome.sides, *outcome.aside)


def sides_stated(context: Context, old: Outcome, command: commands.CorrectHand) -> Outcome | Rejected:
    """The hand with what it paid at once, unpriced where that is new; an added kong is the last of its stage."""
    every = paid_once(old)
    missing = next((side for side in command.drop_sides if side not in range(len(every))), None)
    if missing is not None:
        return reject("no_such_side", index=missing + 1, count=len(every))
    count = len(old.sides)
    kept = tuple(side for place, side in enumerate(old.sides) if place not in command.drop_sides)
    aside = tuple(side for place, side in enumerate(old.aside, start=count) if place not in command.drop_sides)
    if not command.add_kongs:
        return replace(old, sides=kept, aside=aside)
    if old.ending == "void" and command.outcome is None:
        return reject("kong_of_nothing")
    if "kong" not in context.rulebook.answers:
        return reject("not_in_this_game")
    wrong = next((refused for one in command.add_kongs if (refused := _refused(context, one)) is not None), None)
    if wrong is not None:
        return wrong
    added = tuple(
        SidePay(
            what="kong",
            seat=one.seat,
            meld_kind=one.meld_kind,
            tile=one.tile or "",
            from_seat=one.from_seat,
            stage=one.stage,
        )
        for one in command.add_kongs
    )
    sides = tuple(sorted((*kept, *added), key=lambda side: side.stage))
    wrong_kong = impossible_kong(context.rulebook, sides)
    return replace(old, sides=sides, aside=aside) if wrong_kong is None else Rejected(sentence=wrong_kong)


def _refused(context: Context, kong: KongIn) -> Rejected | None:
    """Why there cannot be such a kong at this table."""
    for seat in (kong.seat, kong.from_seat):
        if seat not in (*context.game.places, None):
            return reject("seat_empty", seat=seat)
    if kong.meld_kind == "kong_open" and kong.from_seat is None:
        return reject("no_feeder")
    if kong.meld_kind != "kong_open" and kong.from_seat is not None:
        return reject("feeder_not_wanted")
    return reject("from_self", seat=kong.seat) if kong.from_seat == kong.seat else None


def cannot_have_been(context: Context, after: Outcome, command: commands.CorrectHand) -> Rejected | None:
    """Why the hand that this correction makes cannot have had these kongs, or not as late as they are said to be."""
    seats = {kong.seat for kong in command.add_kongs} | {int(seat) for seat in command.players or ()}
    lacking = kong_without_place(context.rulebook, after, seats)
    if lacking is not None:
        return Rejected(sentence=lacking)
    try:
        check_copies(after.wins, after.sides)
    except NotSettled as error:
        return Rejected(sentence=error.sentence)
    wins = told_wins(after) if after.outcome == "void" else after.wins
    stages = len({win.stage for win in wins})
    last = stages - 1 if wins and hand_over(context.rulebook, wins) else stages
    if all(kong.stage <= last for kong in command.add_kongs):
        return None
    return reject_because("bad_facts", say("why.kong_after_end"))

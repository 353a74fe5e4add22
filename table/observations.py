"""What the camera followed, and what people say of it: written down, and nobody's points move.

How a claimed win came about is filled in here, for people to confirm or change (`table.seen_win`).
"""

from __future__ import annotations

from table import commands
from table import events as ev
from table.claims import edited, noted, wrong_source
from table.decision import Context, Decision, Rejected, accept, reject
from table.model import SeenWin


def see_move(context: Context, command: commands.SeeMove) -> Decision | Rejected:
    """The camera followed a move: written down, nothing else."""
    if not context.state.started:
        return reject("settle_first")
    seen = ev.MoveSeen(
        hand_no=context.setup.hand_no,
        what=command.what,
        seat=command.seat,
        tiles=command.tiles,
        from_seat=command.from_seat,
        taken=command.taken,
    )
    return accept(seen)


def see_win(context: Context, command: commands.SeeWin) -> Decision | Rejected:
    """The circumstances of a claimed win, as the camera followed the hand."""
    claim = next((one for one in context.state.claims if one.seat == command.seat), None)
    if claim is None or claim.approved:
        return reject("no_claim")
    if claim.seen == command.seen:
        return accept()
    wrong = wrong_source(context, command.seat, command.seen.source, command.seen.from_seat)
    if wrong is not None:
        return wrong
    return edited(context, claim, ev.WinSeen(seat=command.seat, seen=command.seen))


def see_opened(context: Context, command: commands.SeeOpened) -> Decision | Rejected:
    """A hand lies open that nobody claimed: a note, once for each seat of a hand."""
    state = context.state
    claimed = {claim.seat for claim in state.claims}
    if not claimed or command.seat in claimed or any(one.seat == command.seat for one in state.opened):
        return accept()
    return accept(ev.HandOpened(hand_no=context.setup.hand_no, seat=command.seat, picture=command.picture))


def answer_seen(context: Context, command: commands.AnswerSeen) -> Decision | Rejected:
    """A person says what the camera could not tell.

    Of a hand that is followed no more, what the camera told of a win and nobody has confirmed is taken back.
    """
    if not context.state.started:
        return reject("settle_first")
    answered = ev.SeenAnswered(
        hand_no=context.setup.hand_no,
        why=command.question.partition(":")[0],
        answer=_answer(command),
        seat=command.seat,
        zone=command.zone,
        index=command.index,
        tile=command.tile or "",
        turn=command.turn,
        lies=command.lies,
        picture=command.picture,
    )
    if not command.ignore:
        return accept(answered)
    claims = [claim for claim in context.state.claims if claim.seen is not None and not claim.approved]
    return noted(context, answered, *(ev.WinSeen(seat=claim.seat, seen=SeenWin()) for claim in claims))


def _answer(command: commands.AnswerSeen) -> ev.Answer:
    if command.tile is not None:
        return "tile"
    if command.ignore:
        return "ignore"
    return "way" if command.way is not None else "lies"

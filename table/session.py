"""The referee's mind as pure functions: a command and the state in, events or a refusal out.

Nothing here writes, reads a clock or keeps anything. `decide` looks the command up in one table; hands and claims live
in `table.claims`, corrections in `table.corrections`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from table import claimed_hand, claims, commands, corrections, melding, observations, penalties, plays
from table import events as ev
from table.decision import REFEREES, Context, Decision, Rejected, accept, reject, reject_because
from table.decision import Books as Books
from table.model import Setup
from table.rulebook import BadHand, Seating, UnknownRules, open_rulebook
from table.state import Game, State
from table.wall import chosen_by

MOST_CALLS = 5
"""Open calls of one seat; more tell the referee nothing new, and every page would carry them."""
CALLERS = ("player", "tablet", "scorekeeper")


def decide(state: State, command: commands.Command, books: Books = open_rulebook) -> Decision | Rejected:
    """What a command does to the table: the events that follow, or the sentence why not."""
    if isinstance(command, commands.OpenGame):
        return _open_game(state, command, books)
    if isinstance(command, commands.CallReferee | commands.CloseCall | commands.Walls):
        return _ANY_TIME[type(command)](state, command)
    if state.game is None or state.setup is None:
        return reject("no_game")
    if _needs_referee(state, command):
        return reject("referee_only")
    if state.finished and not isinstance(command, _AFTER_THE_END):
        return reject("game_finished")
    try:
        return _DECIDERS[type(command)](_context(state, state.game, state.setup, books), command)
    except BadHand as error:  # what no decider foresaw: the rules call the circumstances impossible
        return reject_because("bad_facts", error.sentence)


def decide_shown(state: State, shown: ev.HandShown, books: Books = open_rulebook) -> Decision | Rejected:
    """What a picture that the eyes have read does to the claim it was taken for."""
    if state.game is None or state.setup is None:
        return reject("no_game")
    return claimed_hand.hand_shown(_context(state, state.game, state.setup, books), shown)


def _context(state: State, game: Game, setup: Setup, books: Books) -> Context:
    return Context(
        state=state,
        game=game,
        setup=setup,
        rulebook=books(game.ruleset, game.options),
        seating=Seating(game.first.dealer, game.rotate_seats),
        books=books,
    )


def _needs_referee(state: State, command: commands.Command) -> bool:
    competition = state.game is not None and state.game.mode == "competition"
    return competition and isinstance(command, _REFEREE_ONLY) and command.actor.role not in REFEREES


def _open_game(state: State, command: commands.OpenGame, books: Books) -> Decision | Rejected:
    untouched = not state.history and not state.started and not state.claims
    if state.game is not None and not state.finished and not untouched:
        return reject("game_running")
    try:
        rulebook = books(command.ruleset, command.options)
    except UnknownRules as error:
        return reject("unknown_ruleset", detail=str(error))
    places = rulebook.places
    wrong = _wrong_names(command.names, places)
    if wrong is not None:
        return wrong
    if command.first_dealer not in places:
        return reject("seat_empty", seat=command.first_dealer)
    rotate = command.mode == "competition" if command.rotate_seats is None else command.rotate_seats
    opened = ev.GameOpened(
        game_id=f"g{state.seq + 1}",
        ruleset=rulebook.name,
        ruleset_version=rulebook.version,
        options=command.options,
        mode=command.mode,
        names=_at_places(command.names, places),
        places=places,
        house=command.house.model_dump(exclude_none=True),
        rotate_seats=rotate and rulebook.hands is not None,
        setup=Setup(hand_no=1, round_wind="E", dealer=command.first_dealer),
    )
    return accept(opened)


def _wrong_names(names: Sequence[str], places: Sequence[int]) -> Rejected | None:
    """Why players at these seats cannot be called so."""
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        return reject("same_names", name=twice[0])
    if len(names) not in (4, len(places)):
        return reject("names_wanted", count=len(names), wanted=len(places))
    return None


def _at_places(names: Sequence[str], places: Sequence[int]) -> tuple[str, str, str, str]:
    """The names by seat; in a game for two the others stay empty."""
    seated = dict(zip(places, names, strict=True)) if len(names) == len(places) else dict(enumerate(names))
    by_seat = [seated.get(seat, "") if seat in places else "" for seat in range(4)]
    return (by_seat[0], by_seat[1], by_seat[2], by_seat[3])


def _close_game(context: Context, command: commands.CloseGame) -> Decision | Rejected:
    if any(claim.approved for claim in context.state.claims):
        return reject("claims_open")  # an approved win that waits for others of its tile would go unpaid
    return accept(ev.GameClosed(reason=command.reason))


def _rest(context: Context, command: commands.Rest) -> Decision | Rejected:
    """A break is announced between two hands; nobody waits for its end."""
    if command.minutes and (context.state.started or context.state.claims):
        return reject("rest_between_hands")
    return accept(ev.RestCalled(minutes=command.minutes))


def _rename_seats(context: Context, command: commands.RenameSeats) -> Decision | Rejected:
    wrong = _wrong_names(command.names, context.game.places)
    if wrong is not None:
        return wrong
    names, by_seat = list(context.state.names), _at_places(command.names, context.game.places)
    for seat in context.game.places:
        names[context.setup.seating[seat]] = by_seat[seat]
    return accept(ev.SeatsRenamed(names=(names[0], names[1], names[2], names[3])))


def _dice(context: Context, command: commands.Dice) -> Decision | Rejected:
    state = context.state
    if command.roll and any(throw.roll == command.roll for throw in state.dice):
        return accept()
    wrong = _no_throw_now(context, len(command.values))
    if wrong is not None:
        return wrong
    if not command.checked:
        return accept(ev.DiceReported(values=command.values, by=command.by, source=command.source, roll=command.roll))
    return _throw(context, command)


def _confirm_dice(context: Context, command: commands.ConfirmDice) -> Decision | Rejected:
    reported = context.state.reported
    if reported is None or reported.roll != command.roll:
        return reject("unknown_roll", roll=command.roll)
    wrong = _no_throw_now(context, len(reported.values))
    return _throw(context, reported) if wrong is None else wrong


def _no_throw_now(context: Context, dice: int) -> Rejected | None:
    """Why a throw of so many dice cannot count now."""
    if context.state.claims or (context.state.started and not context.customs.kong_die):
        return reject("dice_not_now")
    if context.state.started:
        return None if dice == 1 else reject("dice_one_wanted", count=dice)
    return None if dice == 2 else reject("dice_count", count=dice)


def _throw(context: Context, command: commands.Dice | ev.DiceReported) -> Decision:
    """A throw counts: the opening one or two, or the die of a kong while the hand is played."""
    state = context.state
    if state.started:
        die = ev.DiceThrown(values=command.values, by=command.by, why="kong", source=command.source, roll=command.roll)
        return accept(die)
    opened = len(state.dice)
    expected = expected_thrower(state)
    throw = ev.DiceThrown(
        values=command.values,
        by=expected if command.by is None else command.by,
        why="break1" if opened == 0 else "break2",
        source=command.source,
        roll=command.roll,
    )
    if opened + 1 < context.customs.throws:
        return accept(throw)
    setup = context.setup
    if setup.dealer_open:
        setup = context.rulebook.dealt_by(setup, throw.values, context.seating)
    return accept(throw, ev.HandStarted(setup=setup))


def expected_thrower(state: State) -> int | None:
    """The seat whose turn it is to throw the dice; None when no throw is due."""
    if state.game is None or state.setup is None or state.started or state.finished or state.claims:
        return None
    if not state.dice:
        return state.setup.dealer
    if len(state.dice) >= state.game.customs.throws:
        return None
    return chosen_by(state.setup.dealer, sum(state.dice[0].values))


def wrong_thrower(state: State) -> tuple[int, int] | None:
    """Who threw out of turn in this hand and whose turn it was; None if everything was in order.

    Such a throw counts all the same: people decide whether it is thrown again.
    """
    if state.setup is None:
        return None
    expected = state.setup.dealer
    for throw in state.dice:
        if throw.why != "kong" and throw.by is not None and throw.by != expected:
            return throw.by, expected
        expected = chosen_by(state.setup.dealer, sum(throw.values))
    return None


def _void_dice(context: Context, command: commands.VoidDice) -> Decision | Rejected:
    known = [throw.roll for throw in context.state.dice]
    if context.state.reported is not None:
        known.append(context.state.reported.roll)
    if command.roll not in known:
        return reject("unknown_roll", roll=command.roll)
    return accept(ev.DiceVoided(roll=command.roll))


def _walls(_state: State, command: commands.Walls) -> Decision | Rejected:
    counted = 2 * sum(command.stacks)
    if command.tiles is not None and counted != command.tiles:
        return reject("bad_walls", stacks=str(command.stacks), counted=counted, tiles=command.tiles)
    return accept(ev.WallsBuilt(stacks=command.stacks, tiles=command.tiles))


def _start_hand(context: Context, _command: commands.StartHand) -> Decision | Rejected:
    if context.state.started or context.state.claims:
        return reject("hand_running")
    return accept(ev.HandStarted(setup=context.setup))


def _substitute(context: Context, command: commands.Substitute) -> Decision | Rejected:
    """From the hand being played (or about to be) somebody else plays on this seat."""
    if command.seat not in context.game.places:
        return reject("seat_empty", seat=command.seat)
    if command.name in context.state.names:
        return reject("same_names", name=command.name)
    player = context.setup.seating[command.seat]
    return accept(ev.SubstituteSeated(player=player, name=command.name, from_hand=context.setup.hand_no))


def _undo_last(context: Context, command: commands.UndoLast) -> Decision | Rejected:
    if not context.state.undo:
        return reject("nothing_to_undo")
    point = context.state.undo[-1]
    return accept(ev.DecisionUndone(undone_seq=point.seq, undone_kind=point.kind, reason=command.reason))


def _call_referee(state: State, command: commands.CallReferee) -> Decision | Rejected:
    waiting = sum(call.seat == command.seat for call in state.calls)
    if waiting >= MOST_CALLS and command.actor.role in CALLERS:
        return reject("called_often", count=waiting)
    return accept(ev.RefereeCalled(call_id=f"c{state.seq + 1}", seat=command.seat, reason=command.reason))


def _close_call(state: State, command: commands.CloseCall) -> Decision | Rejected:
    if all(call.id != command.id for call in state.calls):
        return reject("no_such_call", id=command.id)
    return accept(ev.CallClosed(call_id=command.id))


_AFTER_THE_END = (
    commands.CorrectHand,
    commands.CorrectOptions,
    commands.CorrectSeats,
    commands.UndoLast,
    commands.RenameSeats,
    commands.Penalise,
    commands.LiftPenalty,
)
"""What is still possible when a game is finished."""

_REFEREE_ONLY = (
    commands.Approve,
    commands.Reject,
    commands.HoldClaim,
    commands.CorrectHand,
    commands.CorrectOptions,
    commands.CorrectSeats,
    commands.UndoLast,
    commands.CloseGame,
    commands.Penalise,
    commands.LiftPenalty,
    commands.Substitute,
    commands.StartWin,
)
"""What only a referee may do in a competition: nothing else lets a win move points there."""

_ANY_TIME: Mapping[type, Callable[[State, Any], Decision | Rejected]] = {
    commands.CallReferee: _call_referee,
    commands.CloseCall: _close_call,
    commands.Walls: _walls,
}

_DECIDERS: Mapping[type, Callable[[Context, Any], Decision | Rejected]] = {
    commands.CloseGame: _close_game,
    commands.Rest: _rest,
    commands.RenameSeats: _rename_seats,
    commands.Dice: _dice,
    commands.ConfirmDice: _confirm_dice,
    commands.VoidDice: _void_dice,
    commands.StartHand: _start_hand,
    commands.ClaimWin: claims.claim_win,
    commands.CancelClaim: claims.cancel_claim,
    commands.HoldClaim: claims.hold_claim,
    commands.HandPhoto: claimed_hand.hand_photo,
    commands.HandManual: claimed_hand.hand_manual,
    commands.FixTile: claimed_hand.fix_tile,
    commands.SetWinTile: claimed_hand.set_win_tile,
    commands.SetMeld: claimed_hand.set_meld,
    commands.SetLayout: claimed_hand.set_layout,
    commands.SetFacts: claims.set_facts,
    commands.Announce: claims.announce,
    commands.Agree: claims.agree,
    commands.Approve: claims.approve,
    commands.Reject: claims.reject_claim,
    commands.DrawHand: claims.draw_hand,
    commands.CorrectHand: corrections.correct_hand,
    commands.CorrectOptions: corrections.correct_options,
    commands.CorrectSeats: corrections.correct_seats,
    commands.HandFacts: plays.hand_facts,
    commands.TurnTile: plays.turn_tile,
    commands.Kong: melding.kong,
    commands.DropSide: melding.drop_side,
    commands.TakeDiscard: melding.take_discard,
    commands.Declare: plays.declare,
    commands.Liable: plays.liable,
    commands.PassWin: plays.pass_win,
    commands.Sea: plays.sea,
    commands.Exchange: plays.exchange,
    commands.Leave: plays.leave,
    commands.StartWin: plays.start_win,
    commands.TilesTaken: plays.tiles_taken,
    commands.SeeMove: observations.see_move,
    commands.SeeWin: observations.see_win,
    commands.SeeOpened: observations.see_opened,
    commands.AnswerSeen: observations.answer_seen,
    commands.Penalise: penalties.penalise,
    commands.LiftPenalty: penalties.lift_penalty,
    commands.Substitute: _substitute,
    commands.UndoLast: _undo_last,
}

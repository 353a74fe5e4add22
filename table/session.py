"""The referee's mind as pure functions: a command and the state in, events or a refusal out.

Nothing here writes, reads a clock or keeps anything. `decide` looks the command up in one table; hands and claims live
in `table.claims`, corrections in `table.corrections`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from table import claims, commands, corrections
from table import events as ev
from table.decision import Context, Decision, Rejected, accept, reject
from table.model import Scalar, Setup
from table.rulebook import Rulebook, Seating, UnknownRules, open_rulebook
from table.state import Game, State
from table.wall import chosen_by, throws_needed

REFEREES = frozenset({"referee", "chief"})


Books = Callable[[str, Mapping[str, Scalar]], Rulebook]
"""Opens the rulebook of a ruleset with its options; raises `UnknownRules`."""


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
    return _DECIDERS[type(command)](_context(state, state.game, state.setup, books), command)


def decide_shown(state: State, shown: ev.HandShown, books: Books = open_rulebook) -> Decision | Rejected:
    """What a picture that the eyes have read does to the claim it was taken for."""
    if state.game is None or state.setup is None:
        return reject("no_game")
    return claims.hand_shown(_context(state, state.game, state.setup, books), shown)


def _context(state: State, game: Game, setup: Setup, books: Books) -> Context:
    return Context(
        state=state,
        game=game,
        setup=setup,
        rulebook=books(game.ruleset, game.options),
        seating=Seating(game.first.dealer, game.rotate_seats),
    )


def _needs_referee(state: State, command: commands.Command) -> bool:
    competition = state.game is not None and state.game.mode == "competition"
    return competition and isinstance(command, _REFEREE_ONLY) and command.actor.role not in REFEREES


def _open_game(state: State, command: commands.OpenGame, books: Books) -> Decision | Rejected:
    untouched = not state.history and not state.started and not state.claims
    if state.game is not None and not state.finished and not untouched:
        return reject("game_running")
    twice = [name for place, name in enumerate(command.names) if name in command.names[:place]]
    if twice:
        return reject("same_names", name=twice[0])
    try:
        rulebook = books(command.ruleset, command.options)
    except UnknownRules as error:
        return reject("unknown_ruleset", detail=str(error))
    rotate = command.mode == "competition" if command.rotate_seats is None else command.rotate_seats
    opened = ev.GameOpened(
        game_id=f"g{state.seq + 1}",
        ruleset=rulebook.name,
        ruleset_version=rulebook.version,
        options=command.options,
        mode=command.mode,
        names=command.names,
        rotate_seats=rotate and rulebook.hands is not None,
        setup=Setup(hand_no=1, round_wind="E", dealer=command.first_dealer),
    )
    return accept(opened)


def _close_game(_context: Context, command: commands.CloseGame) -> Decision | Rejected:
    return accept(ev.GameClosed(reason=command.reason))


def _rename_seats(context: Context, command: commands.RenameSeats) -> Decision | Rejected:
    twice = [name for place, name in enumerate(command.names) if name in command.names[:place]]
    if twice:
        return reject("same_names", name=twice[0])
    names = list(context.state.names)
    for seat, player in enumerate(context.setup.seating):
        names[player] = command.names[seat]
    return accept(ev.SeatsRenamed(names=(names[0], names[1], names[2], names[3])))


def _dice(context: Context, command: commands.Dice) -> Decision | Rejected:
    state = context.state
    if command.roll and any(throw.roll == command.roll for throw in state.dice):
        return accept()
    if state.started or state.claims:
        return reject("dice_not_now")
    if len(command.values) != 2:
        return reject("dice_count", count=len(command.values))
    opened = len(state.dice)
    expected = expected_thrower(state)
    throw = ev.DiceThrown(
        values=command.values,
        by=expected if command.by is None else command.by,
        why="break1" if opened == 0 else "break2",
        source=command.source,
        roll=command.roll,
    )
    if opened + 1 < throws_needed(context.game.ruleset):
        return accept(throw)
    return accept(throw, ev.HandStarted(setup=context.setup))


def expected_thrower(state: State) -> int | None:
    """The seat whose turn it is to throw the dice; None when no throw is due."""
    if state.game is None or state.setup is None or state.started or state.finished or state.claims:
        return None
    if not state.dice:
        return state.setup.dealer
    if len(state.dice) >= throws_needed(state.game.ruleset):
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
    if all(throw.roll != command.roll for throw in context.state.dice):
        return reject("unknown_roll", roll=command.roll)
    return accept(ev.DiceVoided(roll=command.roll))


def _walls(_state: State, command: commands.Walls) -> Decision | Rejected:
    counted = 2 * sum(command.stacks)
    if min(command.stacks) < 0 or (command.tiles is not None and counted != command.tiles):
        return reject("bad_walls", stacks=str(command.stacks), counted=counted, tiles=command.tiles)
    return accept(ev.WallsBuilt(stacks=command.stacks, tiles=command.tiles))


def _start_hand(context: Context, _command: commands.StartHand) -> Decision | Rejected:
    if context.state.started or context.state.claims:
        return reject("hand_running")
    return accept(ev.HandStarted(setup=context.setup))


def _undo_last(context: Context, command: commands.UndoLast) -> Decision | Rejected:
    if not context.state.undo:
        return reject("nothing_to_undo")
    point = context.state.undo[-1]
    return accept(ev.DecisionUndone(undone_seq=point.seq, undone_kind=point.kind, reason=command.reason))


def _call_referee(state: State, command: commands.CallReferee) -> Decision | Rejected:
    return accept(ev.RefereeCalled(call_id=f"c{state.seq + 1}", seat=command.seat, reason=command.reason))


def _close_call(state: State, command: commands.CloseCall) -> Decision | Rejected:
    if all(call.id != command.id for call in state.calls):
        return reject("no_such_call", id=command.id)
    return accept(ev.CallClosed(call_id=command.id))


_AFTER_THE_END = (commands.CorrectHand, commands.UndoLast, commands.RenameSeats)
"""What is still possible when a game is finished."""

_REFEREE_ONLY = (
    commands.Approve,
    commands.Reject,
    commands.CorrectHand,
    commands.UndoLast,
    commands.CloseGame,
)
"""What only a referee may do in a competition."""

_ANY_TIME: Mapping[type, Callable[[State, Any], Decision | Rejected]] = {
    commands.CallReferee: _call_referee,
    commands.CloseCall: _close_call,
    commands.Walls: _walls,
}

_DECIDERS: Mapping[type, Callable[[Context, Any], Decision | Rejected]] = {
    commands.CloseGame: _close_game,
    commands.RenameSeats: _rename_seats,
    commands.Dice: _dice,
    commands.VoidDice: _void_dice,
    commands.StartHand: _start_hand,
    commands.ClaimWin: claims.claim_win,
    commands.CancelClaim: claims.cancel_claim,
    commands.HandPhoto: claims.hand_photo,
    commands.HandManual: claims.hand_manual,
    commands.FixTile: claims.fix_tile,
    commands.SetWinTile: claims.set_win_tile,
    commands.SetMeld: claims.set_meld,
    commands.SetLayout: claims.set_layout,
    commands.SetFacts: claims.set_facts,
    commands.Announce: claims.announce,
    commands.Agree: claims.agree,
    commands.Approve: claims.approve,
    commands.Reject: claims.reject_claim,
    commands.DrawHand: claims.draw_hand,
    commands.CorrectHand: corrections.correct_hand,
    commands.UndoLast: _undo_last,
}

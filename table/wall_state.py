"""The wall of the hand being played, derived from the ledger and compared with what the table counts itself.

The ledger is the truth: the deal, kongs with their dice, flowers, and draws as far as anybody follows them. The table's
own counts only cross-check it, and where they differ a person counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from table.customs import stacks_of
from table.sentences import Sentence, say
from table.state import Game, State
from table.wall import Count, Place, Wall, WallBreak, WallError, dealt_tiles, wall_break


@dataclass(frozen=True, slots=True, kw_only=True)
class WallNow:
    """The wall now.

    Attributes:
        opened: where it was opened; None before the throws are complete.
        left: tiles that may still be drawn; None if neither the ledger nor the table can say.
        at_most: the most that can be left by what is known (deal, kongs, flowers); None before the deal.
        source: who says `left`: the ledger, the table, both agreeing, or nobody.
        die_due: a kong waits for its die.
        replaced: where the latest replacement stood; holes: stacks of the tail that lost only their upper tile.
        key: which special rules hold at this moment (``must_win`` ...), empty for none.
        differs: what the table counts and the ledger says, if they do not agree.
    """

    opened: WallBreak | None = None
    left: int | None = None
    at_most: int | None = None
    source: Literal["", "ledger", "table", "both"] = ""
    die_due: bool = False
    replaced: Place | None = None
    holes: tuple[Place, ...] = ()
    key: str = ""
    differs: tuple[int, int] | None = None


def opened_at(state: State) -> WallBreak | None:
    """Where the wall is opened; None before the throws are complete."""
    game, setup = state.game, state.setup
    if game is None or setup is None:
        return None
    throws = [throw.values for throw in state.dice if throw.why != "kong"]
    if len(throws) < game.customs.throws:
        return None
    count: Count = "from" if game.house.get("break_count") == "from" else "after"
    return wall_break(setup.dealer, throws, _stacks(state, game), count)


def wall_now(state: State, counted: int | None = None) -> WallNow:
    """The wall of the hand being played.

    Args:
        state: the table.
        counted: tiles that the table itself counts as standing; None if it does not.
    """
    game = state.game
    if game is None or state.setup is None:
        return WallNow()
    opened = opened_at(state)
    if not state.started:
        return WallNow(opened=opened)
    wall, replaced, due, whole = _taken(state, game, opened)
    exact = wall.left if state.taken is not None and whole and _of_this_game(state, game) else None
    by_table = None if counted is None else _drawable(wall, counted)
    left = exact if exact is not None else by_table
    dealt = bool(state.claims or state.sides or state.won)  # while tiles are dealt, the table counts more than are left
    wrong = by_table is not None and (by_table != exact if exact is not None else dealt and by_table > wall.left)
    source: Literal["", "ledger", "table", "both"] = ""
    if left is not None:
        source = "table" if exact is None else "ledger" if by_table is None or wrong else "both"
    return WallNow(
        opened=opened,
        left=left,
        at_most=wall.left,
        source=source,
        die_due=due,
        replaced=replaced if opened is not None else None,
        holes=wall.holes() if opened is not None else (),
        key=game.customs.last_key if left is not None and left <= game.customs.last else "",
        differs=(by_table, wall.left) if wrong and by_table is not None else None,
    )


def wall_sentence(state: State, counted: int | None) -> Sentence | None:
    """What is wrong with the wall now: the number of tiles built, or two counts that differ."""
    if state.game is None:
        return None
    wanted = state.game.customs.tiles
    if state.walls is not None and 2 * sum(state.walls.stacks) != wanted:
        return say("wall_size", found=2 * sum(state.walls.stacks), wanted=wanted)
    differs = wall_now(state, counted).differs
    return None if differs is None else say("wall_differs", found=differs[0], wanted=differs[1])


def _of_this_game(state: State, game: Game) -> bool:
    """Whether the walls hold the tiles of this game; others are shown and named, and say nothing of what is left."""
    return 2 * sum(_stacks(state, game)) == game.customs.tiles


def _stacks(state: State, game: Game) -> tuple[int, int, int, int]:
    if state.walls is not None and sum(state.walls.stacks) > 0:
        return state.walls.stacks
    dealer = state.setup.dealer if state.setup is not None else 0
    return stacks_of(game.customs, dealer, game.house)


def _taken(state: State, game: Game, opened: WallBreak | None) -> tuple[Wall, Place | None, bool, bool]:
    """The wall after the deal, the known draws, flowers and kongs; where the last replacement stood; is a die due.

    The last one says whether the wall held all that; if not, nobody knows what is left.
    """
    stacks = _stacks(state, game)
    start = opened or WallBreak(next(seat for seat in range(4) if stacks[seat]), 0)
    wall = Wall(stacks=stacks, opened=start, dead=game.customs.dead, limit=game.customs.limit)
    replaced: Place | None = None
    dice = [throw.values[0] for throw in state.dice if throw.why == "kong"]
    kongs = sum(side.what == "kong" for side in state.sides) + _special_kongs(state)
    draws, flowers = (0, 0) if state.taken is None else (state.taken.draws, state.taken.flowers)
    try:
        wall = wall.draw(dealt_tiles(len(game.places), game.customs.hand) + draws)
        for _ in range(flowers):
            wall = wall.replace_kong()
        for place in range(kongs):
            die = 1 if not game.customs.kong_die else dice[place] if place < len(dice) else None
            if die is not None:
                replaced = wall.place(wall.replacement(die))
                wall = wall.replace_kong(die)
    except WallError:
        return wall, replaced, False, False
    return wall, replaced, game.customs.kong_die and kongs > len(dice), True


def _special_kongs(state: State) -> int:
    players = state.facts.get("players", {}).values()
    return sum(int(player.get("hz_kongs", 0)) + int(player.get("lz_kongs", 0)) for player in players)


def _drawable(wall: Wall, standing: int) -> int:
    """Of so many tiles that stand, those which may still be drawn."""
    left = max(0, standing - wall.dead)
    return left if wall.limit is None else max(0, min(left, wall.limit - (wall.tiles - standing)))

"""The exhausted wall of the hand being played: what must be shown and said then, and what it pays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from table.circumstances import facts_now, stated_facts, wild_of
from table.decision import Context
from table.model import NOTHING, Outcome, Seat, Shown, TableFacts, added
from table.rulebook import BadHand, Rulebook
from table.settling import NotSettled, all_paid, ask_drawn, check_copies, notes_of, won_outcome
from table.state import Game


def drawn_outcome(context: Context, shown: TableFacts, sea: str, sea_seat: Seat | None) -> Outcome:
    """The wall is exhausted: what the ruleset settles, beside what was paid at once and won before.

    Raises:
        NotSettled: the rules need to see hands that were not shown, what was shown is impossible, or nobody has ruled
            whether a dead hand counts as ready.
    """
    state, game = context.state, context.game
    stated = {**stated_facts(state, game), **shown}
    table = {**facts_now(state, game, context.setup), **{k: v for k, v in shown.items() if not k.startswith("_")}}
    answer = ask_drawn(context.rulebook, table)
    unruled = [seat for seat in sorted(state.dead_seats()) if ready_by_tiles(answer, stated, seat)]
    if unruled:
        raise NotSettled("why.dead_ready", seat=unruled[0])
    undeclared = next((seat for seat in game.places if seat not in state.out and void_wanted(game, stated, seat)), None)
    if undeclared is not None:
        raise NotSettled("void_wanted", seat=undeclared)
    won, sides = state.won, state.sides
    check_copies(won, sides, shown)
    outcome = won_outcome(won, sides, stated) if won else Outcome(outcome="draw", sides=sides, table=stated)
    return replace(
        outcome,
        payments=added(all_paid(won, sides), answer.get("payments", NOTHING)),
        carry_out=tuple(answer.get("carry_out", ())),
        wild=wild_of(stated),
        sea=sea,
        sea_seat=sea_seat,
        notes=notes_of(answer),
        aside=state.aside,
    )


def ready_by_tiles(answer: TableFacts, stated: TableFacts, seat: Seat) -> bool:
    """Whether the rules call this hand ready and nobody has said so: of a dead hand (相公) they do not speak."""
    return str(seat) in answer.get("ready", {}) and "ready" not in stated["players"][str(seat)]


def void_wanted(game: Game, stated: TableFacts, seat: Seat) -> bool:
    """Whether nobody has said yet which suit this player had given up (定缺), by which 查花豬 judges his hand."""
    return game.options.get("dingque") is True and "void" not in stated.get("players", {}).get(str(seat), {})


def shows_at_draw(rulebook: Rulebook, table: TableFacts) -> Shown:
    """What the players show when the wall is exhausted."""
    if "draw" not in rulebook.answers:
        return ""
    facts = {name: value for name, value in table.items() if name != "players"}
    inside = [seat for seat in rulebook.places if seat not in table.get("out", ())]
    told = {str(seat): {"ready": False} for seat in inside}
    trials: tuple[tuple[Shown, dict[str, Any]], ...] = (("", {}), ("ready", told))
    for shows, players in trials:
        try:
            rulebook.ask("draw", {**facts, "players": players})
        except BadHand:
            continue
        return shows
    return "hands"

"""The parts of the snapshot about the hand being played: wall, circumstances, and the reckoning at the end."""

from __future__ import annotations

from table.circumstances import (
    EXCHANGE,
    PRIVATE,
    facts_now,
    hand_questions,
    sea_asked,
    sea_ended,
    stated_facts,
    wild_of,
)
from table.dice_views import DiceAsk, WallView
from table.drawn import shows_at_draw
from table.model import TableFacts
from table.rulebook import Rulebook
from table.settle_up import Debt, settle_up
from table.snapshot import Choice, HandView, Question
from table.state import Game, State
from table.wall_state import wall_now


def dice_ask(state: State) -> DiceAsk | None:
    """A reported throw that waits for a tap."""
    reported = state.reported
    return None if reported is None else DiceAsk(values=reported.values, by=reported.by, roll=reported.roll)


def wall_view(state: State, counted: int | None) -> WallView | None:
    """The wall of this hand; None without a game."""
    if state.game is None:
        return None
    now, customs = wall_now(state, counted), state.game.customs
    return WallView(
        tiles=customs.tiles,
        dead=customs.dead,
        left=now.left,
        at_most=now.at_most,
        source=now.source,
        die_due=now.die_due,
        replaced=now.replaced,
        holes=now.holes,
        key=now.key,
    )


def hand_view(state: State, rulebook: Rulebook | None) -> HandView | None:
    """What is known of the hand being played; None without a game."""
    game, setup = state.game, state.setup
    if game is None or setup is None or rulebook is None:
        return None
    facts = stated_facts(state, game)
    shows = shows_at_draw(rulebook, facts_now(state, game, setup)) if state.started else ""
    return HandView(
        facts={name: value for name, value in facts.items() if not name.startswith(PRIVATE)},
        carry=setup.carry,
        wild=wild_of(facts),
        sides=state.sides,
        wins=state.won,
        asked=tuple(facts.get(f"{PRIVATE}asked", ())),
        needs=() if state.finished else (*_exchange_due(state, game), *hand_questions(state, game, rulebook)),
        actions=_actions(state, game, rulebook),
        shows_at_draw=shows,
        sea_next=_sea_next(facts),
        exchange=facts.get(EXCHANGE),
        start_birds=game.start_birds,
        pays_at_once=tuple(sorted({"kong", "start"} & rulebook.answers)),
    )


def _exchange_due(state: State, game: Game) -> tuple[Question, ...]:
    """The die of 換三張, until it was thrown or play has moved points."""
    wanted = game.options.get("huan_san_zhang") is True and state.started
    if not wanted or EXCHANGE in state.facts or state.claims or state.sides or state.won:
        return ()
    choices = tuple(
        Choice(command={"kind": "exchange", "die": die}, text_key=key)
        for die, key in ((1, "exchange_next"), (3, "exchange_opposite"), (5, "exchange_previous"))
    )
    return (Question(id="exchange", text_key="ask_exchange", params={}, choices=choices),)


def _sea_next(facts: TableFacts) -> int | None:
    asked = sea_asked(facts)
    return (asked[0][0] + len(asked)) % 4 if asked and not sea_ended(facts)[0] else None


def settlement(state: State) -> tuple[Debt, ...] | None:
    """Who pays whom when the game is over."""
    return settle_up(state.totals, unit_of(state)) if state.finished and state.game is not None else None


def unit_of(state: State) -> int:
    """What a point is worth in this game, in the smallest unit of the currency; 1 where nothing was agreed."""
    unit = None if state.game is None else state.game.house.get("unit")
    return unit if isinstance(unit, int) and not isinstance(unit, bool) else 1


def _actions(state: State, game: Game, rulebook: Rulebook) -> tuple[str, ...]:
    """Commands that make sense in this game at this moment."""
    answers, customs = rulebook.answers, game.customs
    possible = (
        ("kong", state.started),
        ("take_discard", state.started and ("contract" in answers or customs.asks_opened)),
        ("turn_tile", customs.indicator and "wild" in answers),
        ("start_win", "start" in answers and not state.out),
        ("liable", state.started and "liability" in answers),
        ("pass_win", state.started and customs.passed_wins(game.options)),
        ("declare_open", "phase" in answers and not state.started),
        ("declare_double", "phase" in answers and state.started),
        ("declare_void", game.options.get("dingque") is True),
        ("leave", state.started and bool(state.out) and game.options.get("leave_forfeits") is True),
        ("sea", state.started and "sea" in answers),
    )
    return () if state.finished else tuple(name for name, now in possible if now)

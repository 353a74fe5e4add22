"""What the rulesets with a turned-up wildcard share: which kind is wild, and what follows from a tile on the table."""

from __future__ import annotations

from collections.abc import Callable

from rules.errors import Impossible
from rules.hand import Case
from rules.model import TableFacts
from rules.tiles import EAST, GREEN, NORTH, RED, SOUTH, WEST, WHITE, Tile, is_flower, next_in_ring, tile_text

RED_FIRST = (EAST, SOUTH, WEST, NORTH, RED, GREEN, WHITE)
"""東南西北中發白 and back to 東: the order in which the customer's texts name the honours."""


def itself(turned: Tile) -> Tile:
    """The turned tile's own kind is wild."""
    return turned


def the_next(turned: Tile) -> Tile:
    """The next kind is wild: 9 goes back to 1, honours follow 東南西北中發白.

    >>> tile_text(the_next(8)), tile_text(the_next(NORTH)), tile_text(the_next(WHITE))
    ('1m', '7z', '1z')
    """
    return next_in_ring(turned, RED_FIRST)


def wild_kind(facts: TableFacts, becomes: Callable[[Tile], Tile]) -> Tile | None:
    """The kind that is wild in this hand: as the table names it, or made from the turned tile.

    Raises:
        RulesInputError: One of them is a flower, or the turned tile makes another wildcard than the table names.
    """
    if facts.wild is not None and is_flower(facts.wild):
        raise Impossible("wild_flower", tile=tile_text(facts.wild))
    if facts.flip is None:
        return facts.wild
    made = wild_from(facts.flip, becomes)
    if facts.wild is not None and facts.wild != made:
        raise Impossible("wild_differs", tile=tile_text(facts.flip), made=tile_text(made), named=tile_text(facts.wild))
    return made


def wild_from(turned: Tile, becomes: Callable[[Tile], Tile]) -> Tile:
    """The wildcard that a turned tile makes.

    Raises:
        RulesInputError: A flower was turned; the next tile must be turned instead.
    """
    if is_flower(turned):
        raise Impossible("turned_flower", tile=tile_text(turned))
    return becomes(turned)


def wildcard_is_not_claimed(case: Case) -> str | None:
    """A wildcard that another player puts down can be taken by nobody."""
    return "discard_win_not_allowed" if case.win_is_wild and not case.self_drawn else None


def wildcard_remarks(case: Case, turned: Tile | None) -> tuple[str, ...]:
    """What a referee should look at: no wildcard is named, or four copies of the turned tile's kind are shown."""
    if case.wild.wild is None:
        return ("the table names no wildcard for this hand",)
    winner = case.winner
    shown = [*winner.hand, winner.win_tile, *(tile for meld in winner.melds for tile in meld.tiles)]
    if turned is None or shown.count(turned) < 4:
        return ()
    return ("four copies are shown of a kind that lies turned up on the table; check the tiles",)

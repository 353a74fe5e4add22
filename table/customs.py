"""What a table must do around each game: how the wall is built and opened, what is asked, how long a game lasts.

These are the things that the rules of a win do not need and the people at the table do. One row per ruleset; a ruleset
without a row is played with the defaults. Sources: docs/rules/<name>.md, sections on the wall and the deal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from table.model import CountedIn, Figure, Scalar

WALLS_108 = (14, 13, 14, 13)
"""Stacks of a set of 108 tiles, from the dealer counter-clockwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Customs:
    """How one game is played around its rules.

    Attributes:
        tiles: tiles in the wall; hand: tiles of a hand that waits.
        throws: throws of two dice that open the wall; with two the first chooses who throws the second.
        dead: tiles at the tail that are never drawn.
        limit: the hand ends when so many tiles are taken; None = when the wall is empty.
        kong_die: every kong throws a die that picks the stack of its replacement.
        last: from so many drawable tiles on special rules hold; `last_key` names them for the pages.
        indicator: a tile is turned up after the deal and decides the wildcard.
        birds: tiles that are turned up after a win.
        several: everybody who can wins the same tile; else the nearest alone.
        asks_opened: who has opened his hand changes what he pays.
        opening_fans: the dice of the opening throw and waiting fans change what a win pays.
        hands: hands of a whole game, None without a fixed end.
        heard_from_dealer: of several winners the nearest to the dealer is first, not to the discarder.
        binds_passed: who let a winning tile go may not take its kind until he acts.
        counts: further circumstances of a win that change what is paid here, by their name in the rules questions, and
            ``kong_discard`` where a discard right after its player's kong is a source of its own.
        flowers: flowers are laid aside and replaced, the dealer first.
        arrange_s, turn_s: seconds for arranging the dealt hand, and from discard to discard: advice, never a penalty.
        figure: what the one figure of a win is (`table.rulebook` chooses it), which in a competition the winner names
            first: a sum of ``fan``, the points of one ``share``, the ``core``, or ``all`` that the winner receives.
        by_total: payments follow the total point by point, and a lower announced value is what is paid. Elsewhere what
            was announced is kept beside the computed value, and what follows is a ruling of the referee.
    """

    tiles: int = 136
    hand: int = 13
    throws: int = 1
    dead: int = 0
    limit: int | None = None
    kong_die: bool = False
    last: int = 0
    last_key: str = ""
    indicator: bool = False
    birds: int = 0
    several: bool = False
    asks_opened: bool = False
    opening_fans: bool = False
    hands: int | None = None
    by_total: bool = False
    figure: Figure = "all"
    binds_passed: bool = False
    heard_from_dealer: bool = False
    counts: frozenset[str] = frozenset()
    flowers: bool = False
    arrange_s: int = 30
    turn_s: int = 15

    @property
    def counted_in(self) -> CountedIn:
        """The unit of the figure."""
        return "fan" if self.figure == "fan" else "points"

    def passed_wins(self, options: Mapping[str, object]) -> bool:
        """Whether it matters that a player let a winning tile go."""
        return self.binds_passed or options.get("pass_rule", "none") != "none"


_FIRST = frozenset({"first_turn", "claims_before"})

_ROWS: Mapping[str, Customs] = {
    "gb": Customs(
        tiles=144,
        flowers=True,
        throws=2,
        hands=16,
        by_total=True,
        figure="fan",
        counts=frozenset({"last_of_kind"}),
    ),
    "jiaxing": Customs(
        indicator=True, opening_fans=True, turn_s=5, figure="share", counts=frozenset({"discards_before"})
    ),
    "guangdong": Customs(
        several=True,
        binds_passed=True,
        last=1,
        last_key="last_tile",
        figure="share",
        counts=_FIRST | {"kong_feeder"},
    ),
    "sichuan": Customs(
        tiles=108,
        several=True,
        last=4,
        last_key="must_win",
        figure="share",
        counts=_FIRST | {"after_kong", "kong_feeder", "wall_left"},
    ),
    "wuhan": Customs(
        dead=10,
        indicator=True,
        asks_opened=True,
        heard_from_dealer=True,
        last=4,
        last_key="self_draw_only",
        counts=frozenset({"wall_left", "discarder_ready"}),
    ),
    "changsha": Customs(
        tiles=108,
        kong_die=True,
        last=1,
        last_key="sea_bottom",
        birds=2,
        several=True,
        counts=_FIRST | {"kong_discard", "ready_before"},
    ),
    "popular": Customs(tiles=144, flowers=True, limit=120, kong_die=True, last=1, last_key="last_tile", counts=_FIRST),
    "two_player": Customs(tiles=72, flowers=True, figure="fan", counts=_FIRST | {"ready_before"}),
    "beginner258": Customs(figure="fan"),
    "fujian": Customs(tiles=144, flowers=True, hand=16, indicator=True, figure="core", counts=_FIRST),
}


def customs_of(name: str, options: Mapping[str, object]) -> Customs:
    """The customs of a ruleset under the options of one game.

    Options that change the wall: `wall_stacks`, `draw_limit`, `dead_wall`, `flowers`, `tiles`, `hand_size`.
    """
    row = _ROWS.get(name, Customs())
    stacks, limit, dead = options.get("wall_stacks"), options.get("draw_limit"), options.get("dead_wall")
    if isinstance(stacks, int) and 8 * stacks < row.tiles:
        row = replace(row, tiles=8 * stacks)
    if isinstance(limit, int):
        row = replace(row, limit=min(limit, row.tiles))
    if isinstance(dead, int) and dead:
        row = replace(row, dead=dead)
    if options.get("flowers") is True:
        row = replace(row, tiles=row.tiles + 8, flowers=True)
    if options.get("tiles") == "no_flowers":
        row = replace(row, tiles=row.tiles - 8, flowers=False)
    hand = options.get("hand_size")
    if isinstance(hand, int):
        row = replace(row, hand=hand)
    birds = options.get("bird_count")
    return replace(row, birds=birds) if isinstance(birds, int) else row


def stacks_of(customs: Customs, dealer: int, house: Mapping[str, Scalar]) -> tuple[int, int, int, int]:
    """Stacks before each seat where nobody counted them.

    A number that four does not divide leaves one stack more before the dealer and the player opposite; the option
    `walls_108` names the four walls of the small set from the dealer on, e.g. ``14,13,14,13``.

    >>> stacks_of(Customs(tiles=144), 2, {}), stacks_of(Customs(tiles=108), 1, {})
    ((18, 18, 18, 18), (13, 14, 13, 14))
    """
    each, over = divmod(customs.tiles // 2, 4)
    from_dealer = [each + 1 if over > place else each for place in (0, 2, 1, 3)]
    named = house.get("walls_108")
    if customs.tiles == 2 * sum(WALLS_108) and isinstance(named, str):
        given = [int(part) for part in named.split(",") if part.strip().isdigit()]
        from_dealer = given if len(given) == 4 and 2 * sum(given) == customs.tiles else from_dealer
    walls = [from_dealer[(seat - dealer) % 4] for seat in range(4)]
    return (walls[0], walls[1], walls[2], walls[3])

"""Times around the game, as advice: the session, a break, the arranging of a dealt hand with its flowers.

Nothing here ever acts: no machine ends a hand, a session or a break, and none gives a penalty. Source: docs/rules/gb.md
(dealing: flowers are replaced by the dealer first, then counter-clockwise, and the whole takes half a minute).
"""

from __future__ import annotations

from dataclasses import dataclass

from table.model import Seat
from table.state import State

MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """A session of so many minutes that began with the game; moments in milliseconds (UTC)."""

    began_ms: int
    ends_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The dealt hands are being arranged: since when, how many seconds that should take, whose flowers in which order.

    `order` is empty in a game without flowers.
    """

    began_ms: int
    limit_s: int
    order: tuple[Seat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """What a page counts down from its own clock; None for what there is not."""

    session: SessionView | None = None
    rest_until_ms: int | None = None
    opening: Opening | None = None


def clock_view(state: State) -> Clock | None:
    """The times of the open game; None without one."""
    game = state.game
    if game is None:
        return None
    minutes = game.house.get("session_min")
    session = None
    if isinstance(minutes, int) and not state.finished:
        session = SessionView(began_ms=game.opened_ms, ends_ms=game.opened_ms + minutes * MINUTE_MS)
    return Clock(session=session, rest_until_ms=state.rest_until_ms or None, opening=_opening(state))


def _opening(state: State) -> Opening | None:
    """Until anything is seen, entered or claimed in a hand."""
    game, setup = state.game, state.setup
    begun = state.claims or state.sides or state.won or state.noted or state.seen or state.taken is not None
    if game is None or setup is None or not state.started or begun:
        return None
    first = game.places.index(setup.dealer)
    order = (*game.places[first:], *game.places[:first]) if game.customs.flowers else ()
    return Opening(began_ms=state.began_ms, limit_s=game.customs.arrange_s, order=order)

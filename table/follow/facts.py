"""What following a hand gives to whoever wins it: the circumstances, filled in so that a person only confirms.

Whatever the table did not show is None. Faces still in doubt make an answer None as soon as it depends on them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from table.follow.faces import Faces, certain
from table.follow.legal import Legal
from table.follow.moves import Claimed, Discarded, Flowered, HandLaid, Konged, Move, WinSource, makes_kong
from table.follow.state import HandState, MeldState, played


@dataclass(frozen=True, slots=True, kw_only=True)
class WinFacts:
    """The circumstances of a win.

    Attributes:
        seat: who wins.
        source: how the winning tile came; None if the table does not tell.
        from_seat: whose discard or kong it was; None for a drawn tile.
        win_tile: the winning tile if it was another player's; empty while it is in doubt or was drawn.
        last_tile: the wall was empty after the winning tile, or before the discard that won.
        last_of_kind: the three other copies of `win_tile` lie open; None without a known winning tile.
        melds: what the winner has laid, with who fed it.
        flowers: flowers laid aside; None while one of them is in doubt.
        wall_left: tiles that can still be drawn.
        discards_before: discards of the winner.
        claims_before: whether anybody had chowed, punged or konged.
        kong_feeder: who fed the open kong whose replacement won.
        after_kong: the winning discard was made right after its player's kong.
    """

    seat: int
    source: WinSource | None
    from_seat: int | None
    win_tile: str
    last_tile: bool
    last_of_kind: bool | None
    melds: tuple[MeldState, ...]
    flowers: tuple[str, ...] | None
    wall_left: int
    discards_before: int
    claims_before: bool
    kong_feeder: int | None
    after_kong: bool


Said: TypeAlias = tuple[WinSource, int | None]
"""What a person said of a win: how the tile came, and whose it was."""


def circumstances(state: HandState, legal: Legal, seat: int, said: Said | None = None) -> WinFacts:
    """How a win of this seat came about: of the hand that was laid open, or of a claim while play stands still.

    Args:
        state: the hand as far as it was followed.
        legal: who may do what.
        seat: who wins.
        said: what a person said of it, which counts; the table then only tells the rest.
    """
    newest = state.moves[-1] if state.moves else None
    laid = newest if isinstance(newest, HandLaid) and newest.seat == seat else None
    source, feeder, faces = (laid.source, laid.from_seat, laid.taken) if laid else _so_far(state, legal, seat)
    if said is not None and said != (source, feeder):
        source, feeder, faces = _as_said(state, said)
    before = state.moves[:-1] if laid else state.moves
    wall_left = state.wall_left if laid else _wall_left(state, source)
    tile = faces[0] if certain(faces) else ""
    own = state.seats[seat]
    open_flower = any(not certain(one.faces) for one in own.flowers)
    return WinFacts(
        seat=seat,
        source=source,
        from_seat=feeder,
        win_tile=tile,
        last_tile=wall_left == 0,
        last_of_kind=last_of_kind(state, legal, tile) if tile else None,
        melds=own.melds,
        flowers=None if open_flower else tuple(one.faces[0] for one in own.flowers),
        wall_left=wall_left,
        discards_before=sum(isinstance(move, Discarded) and move.seat == seat for move in before),
        claims_before=any(isinstance(move, Claimed | Konged) for move in before),
        kong_feeder=_kong_feeder(before) if source == "kong_replacement" else None,
        after_kong=source == "discard" and _after_kong(before),
    )


def fits(state: HandState, legal: Legal, seat: int, said: Said) -> bool:
    """Whether a win can have come about as a person said, by the hand as it was followed.

    If not, something was not seen, and what the table tells beside it is as wrong.
    """
    source, feeder = said
    newest = state.moves[-1] if state.moves else None
    if isinstance(newest, HandLaid) and newest.seat == seat:
        return (newest.source, newest.from_seat) == said
    if source == "discard":
        return state.step == "draw" and state.last == feeder
    if source == "rob_kong":
        return state.robbable is not None and state.robbable[0] == feeder
    drawn = state.step == "drawn" or (source == "self_draw" and state.step in ("opening", "draw"))
    return drawn and (seat == state.turn or (state.step == "draw" and state.wall_left <= legal.silent_end))


def _wall_left(state: HandState, source: WinSource | None) -> int:
    """Tiles left once this win is laid open: without what its player has drawn, with what a robbed kong never drew."""
    if source == "rob_kong":
        undone = bool(state.moves) and isinstance(state.moves[-1], Konged)
        return state.wall_left + undone
    return max(0, state.wall_left - (source == "self_draw" and state.step == "draw"))


def last_of_kind(state: HandState, legal: Legal, tile: str) -> bool | None:
    """Whether the three other copies of a tile lie open (和絕張); None if that hangs on a face in doubt."""
    copies = legal.copies(tile)
    seen = copies - state.left(legal)[tile]
    doubtful = sum(tile in faces for spot, faces in state.open_faces())
    if seen >= copies - 1:
        return True
    return None if seen + doubtful >= copies - 1 else False


def _so_far(state: HandState, legal: Legal, seat: int) -> tuple[WinSource | None, int | None, tuple[str, ...]]:
    """What the table tells of a win before the hand lies open: out of turn it can only be a discard or a kong."""
    newest = state.moves[-1] if state.moves else None
    if isinstance(newest, Konged) and state.robbable is not None and newest.seat != seat:
        return "rob_kong", newest.seat, newest.faces
    waiting = state.step == "draw" and state.last is not None and seat not in (state.last, state.turn)
    if waiting and legal.discard_wins:
        return "discard", state.last, state.winnable
    if state.step == "drawn" and seat == state.turn:
        flower = isinstance(newest, Flowered) and not legal.is_kong(newest.faces, state.wild)
        return ("self_draw" if flower else "kong_replacement"), None, ()
    return None, None, ()


def _as_said(state: HandState, said: Said) -> tuple[WinSource, int | None, Faces]:
    """A win as a person told it, with its tile if that is the discard that lies there or the one just taken."""
    source, feeder = said
    newest = next((move for move in reversed(state.moves) if not isinstance(move, HandLaid)), None)
    if source == "discard" and isinstance(newest, Discarded) and newest.seat == feeder:
        return source, feeder, state.winnable if state.last == feeder else newest.faces
    if source == "rob_kong" and isinstance(newest, Konged) and newest.seat == feeder:
        return source, feeder, newest.faces
    return source, feeder, ()


def _kong_feeder(moves: tuple[Move, ...]) -> int | None:
    newest = moves[-1] if moves else None
    return newest.from_seat if isinstance(newest, Claimed) and newest.kind == "kong_open" else None


def _after_kong(moves: tuple[Move, ...]) -> bool:
    """Whether the last discard was preceded by its player's kong, flowers in between not counted.

    Of the two that a kong of 長沙 turns up both were.
    """
    rest = [move for move in played(moves) if not isinstance(move, Flowered)]
    if len(rest) < 2 or not isinstance(rest[-1], Discarded):
        return False
    before = rest[-2]
    if isinstance(before, Discarded) and before.seat == rest[-1].seat and not before.again:
        return True
    return makes_kong(before) or (isinstance(before, Discarded) and before.again)

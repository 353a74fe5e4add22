"""The circumstances of a win as the camera followed them, in the words of a claim (`SeenWin`)."""

from __future__ import annotations

from collections.abc import Sequence

from table.customs import Customs
from table.follow.facts import WinFacts
from table.follow.moves import Discarded, HandLaid
from table.follow.state import HandState
from table.model import LaidMeld, Scalar, Seat, SeenWin, Source
from table.seen_view import settled_meld
from table.state import State
from table.tile_text import tiles_text

BEFORE_A_DISCARD = 2
"""So many moves followed tell of the last discard whether a kong came right before it."""


def win_seen(
    facts: WinFacts,
    state: HandState,
    places: Sequence[Seat],
    dealer: int | None,
    customs: Customs,
    *,
    thrown: bool = False,
) -> SeenWin:
    """What is filled in of a win for people to confirm: nothing that this game does not count.

    Args:
        facts: as the hand was followed.
        state: the hand.
        places: the seats that play, in the order in which the rules number them.
        dealer: who deals, in that order; None when the beginning of the hand was not followed.
        customs: which circumstances count.
        thrown: a die was thrown for the newest kong (長沙 開槓); without one it may have been replaced plainly (補張).
    """
    more = {**_kongs(facts, places), **(_beginning(facts, state, dealer) if dealer is not None else {})}
    if facts.source is not None and facts.wall_left <= customs.last:
        more["wall_left"] = facts.wall_left
    unsure, asked = _unsure(facts, state, whole=dealer is not None), set[str]()
    source: Source | None = facts.source
    if "kong_discard" in customs.counts:
        if facts.after_kong and (thrown or state.pair):
            source = "kong_discard"
        elif source == "discard" and (facts.after_kong or "after_kong" in unsure):
            asked = {"after_kong"}
        elif source == "kong_replacement" and not thrown:
            asked = {"ready_before"}
    return SeenWin(
        source=source,
        from_seat=None if facts.from_seat is None else places[facts.from_seat],
        tile=facts.win_tile,
        last_tile=facts.last_tile if facts.source is not None else None,
        last_of_kind=facts.last_of_kind,
        more={name: value for name, value in more.items() if name in customs.counts},
        unsure=tuple(sorted(unsure & customs.counts | asked)),
        melds=tuple(
            LaidMeld(
                kind=meld.kind,
                tiles=tiles_text(tile.faces[0] for tile in meld.tiles),
                from_seat=None if meld.from_seat is None else places[meld.from_seat],
            )
            for meld in facts.melds
            if settled_meld(meld)
        ),
    )


def die_thrown(state: State, seat: Seat) -> bool:
    """Whether the newest kong that was entered is this player's, and a die was thrown for every one of them."""
    kongs = [side for side in state.sides if side.what == "kong"]
    thrown = sum(throw.why == "kong" for throw in state.dice)
    return bool(kongs) and kongs[-1].seat == seat and thrown == len(kongs)


def _unsure(facts: WinFacts, state: HandState, *, whole: bool) -> frozenset[str]:
    """What the table does not tell any more once a person has said how it lies: what came before is forgotten.

    Who has discards before him has had his first turn; a discard followed since then tells what its player did before.
    """
    names = {"last_of_kind"} if facts.win_tile and facts.last_of_kind is None else set[str]()  # a face is in doubt
    if whole or facts.source is None:
        return frozenset(names)
    own = state.seats[facts.seat]
    if not own.pond and not facts.discards_before:
        names |= {"first_turn", "discards_before"}
        names |= {"claims_before"} if not any(seat.melds for seat in state.seats) else set()
    turns = [move for move in state.moves if not isinstance(move, HandLaid)]
    if facts.source == "discard" and len(turns) < BEFORE_A_DISCARD:
        names.add("after_kong")
    if (
        facts.source == "kong_replacement"
        and facts.kong_feeder is None
        and any(meld.kind == "kong_open" and meld.from_seat is None for meld in own.melds)
    ):
        names.add("kong_feeder")
    return frozenset(names)


def _kongs(facts: WinFacts, places: Sequence[Seat]) -> dict[str, Scalar]:
    """A discard right after its player's kong, and who fed the kong whose replacement won."""
    more: dict[str, Scalar] = {"after_kong": True} if facts.after_kong else {}
    if facts.kong_feeder is not None:
        more["kong_feeder"] = places[facts.kong_feeder]
    return more


def _beginning(facts: WinFacts, state: HandState, dealer: int) -> dict[str, Scalar]:
    """A win in the first go-round: without an own discard; on the first draw or the dealer's first discard."""
    if facts.discards_before or facts.source is None:
        return {}
    discards = [move for move in state.moves if isinstance(move, Discarded)]
    first = facts.source == "self_draw" or (
        facts.source == "discard" and len(discards) == 1 and facts.from_seat == dealer
    )
    more: dict[str, Scalar] = {"discards_before": 0}
    if first:
        more["first_turn"] = True
        if facts.claims_before:
            more["claims_before"] = True
    return more

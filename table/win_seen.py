"""The circumstances of a win as the camera followed them, in the words of a claim (`SeenWin`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast, get_args

from table.customs import Customs
from table.follow.facts import Said, WinFacts, circumstances, fits, last_of_kind
from table.follow.legal import Legal
from table.follow.moves import Discarded, HandLaid, WinSource
from table.follow.sighting import Sighting, Spot
from table.follow.state import HandState, pin
from table.model import LaidMeld, Scalar, Seat, SeenWin, Source, WinPart
from table.seen_view import settled_meld
from table.state import Claim, State
from table.tile_text import tiles_text

BEFORE_A_DISCARD = 2
"""So many moves followed tell of the last discard whether a kong came right before it."""

DRAWN = ("self_draw", "kong_replacement")
"""Ways of winning of which the table shows the tile only with the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """A hand as it was followed when a win was claimed.

    Attributes:
        hand: the hand.
        legal: who may do what.
        places: the seats that play, in the order in which the rules number them.
        dealer: who deals, in that order; None when the beginning of the hand was not followed.
    """

    hand: HandState
    legal: Legal
    places: tuple[Seat, ...]
    dealer: int | None


def claim_seen(claim: Claim, followed: Followed, state: State, customs: Customs) -> SeenWin:
    """What is filled in of a claimed win for people to confirm: nothing that this game does not count.

    Args:
        claim: with what people have said of it.
        followed: the hand as far as it was followed.
        state: what else is known of the hand.
        customs: which circumstances count.
    """
    number, said = followed.places.index(claim.seat), _said(claim, followed.places)
    facts = circumstances(followed.hand, followed.legal, number, said)
    if said is not None and not fits(followed.hand, followed.legal, number, said):
        return _nothing_seen(facts, customs)
    known = claim.laid or claim.entered  # what was typed is known while something else of the hand is still asked
    tile = facts.win_tile or (known.win_tile if known is not None and facts.source is not None else "")
    if tile and not facts.win_tile:
        facts = replace(facts, last_of_kind=last_of_kind(_lying(followed.hand, facts, tile), followed.legal, tile))
    maker = claim.seat if facts.from_seat is None else followed.places[facts.from_seat]
    return _win_seen(facts, followed, customs, tile=tile, thrown=_die_thrown(state, maker))


def _lying(hand: HandState, facts: WinFacts, tile: str) -> HandState:
    """The hand once its winner's word says what won: a drawn tile, or the discard whose face is in doubt."""
    if facts.source in DRAWN:
        return replace(hand, last=None)  # the last discard cannot be claimed any more: it lies there for good
    if facts.source == "discard" and hand.last is not None and hand.last_seen and tile in hand.last_faces:
        return pin(hand, Spot(hand.last, "pond", len(hand.seats[hand.last].pond) - 1), tile)
    return hand


def _said(claim: Claim, places: Sequence[Seat]) -> Said | None:
    """What a person said of how the tile came, where following knows such a way."""
    if "source" not in claim.said or claim.source not in get_args(WinSource):
        return None
    return cast("WinSource", claim.source), None if claim.from_seat is None else places.index(claim.from_seat)


def _win_seen(facts: WinFacts, followed: Followed, customs: Customs, *, tile: str, thrown: bool) -> SeenWin:
    """The circumstances as followed; `tile`: what won, as far as known; `thrown`: a die for the newest kong (開槓)."""
    state, places, dealer = followed.hand, followed.places, followed.dealer
    more = {**_kongs(facts, places), **(_beginning(facts, state, dealer) if dealer is not None else {})}
    if facts.source is not None and facts.wall_left <= customs.last:
        more["wall_left"] = facts.wall_left
    unsure, asked = _unsure(facts, state, tile=tile, whole=dealer is not None), set[str]()
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


def _nothing_seen(facts: WinFacts, customs: Customs) -> SeenWin:
    """What is filled in of a win that cannot have come about as people say, by what was followed: all is asked."""
    names = {"last_of_kind", "after_kong"} | ({"kong_feeder"} if facts.source == "kong_replacement" else set())
    if not facts.discards_before:
        names |= {"first_turn", "claims_before", "discards_before"}
    return SeenWin(unsure=tuple(sorted(names & customs.counts)))


def agreed_win(win: WinPart, followed: Followed, here: Sighting) -> HandLaid:
    """A win that was agreed on although the camera has not seen the hand lie open, as a move: its tiles may be any.

    A discard that does not lie in its pond any more was taken to the hand.
    """
    hand, places = followed.hand, followed.places
    source: WinSource = "self_draw"
    if win.source in ("discard", "kong_discard"):
        source = "discard"
    elif win.source in ("rob_kong", "kong_replacement"):
        source = "rob_kong" if win.source == "rob_kong" else "kong_replacement"
    feeder = None if win.from_seat is None else places.index(win.from_seat)
    seat = places.index(win.seat)
    own = feeder is None or (source == "discard" and len(here.seats[feeder].pond) < len(hand.seats[feeder].pond))
    count = followed.legal.hand_size - 3 * len(hand.seats[seat].melds) + own
    taken = (win.laid.win_tile,) if feeder is not None else ()
    return HandLaid(seat=seat, source=source, from_seat=feeder, taken=taken, tiles=((),) * count)


def _die_thrown(state: State, seat: Seat) -> bool:
    """Whether the newest kong that was entered is this player's, and a die was thrown for every one of them."""
    kongs = [side for side in state.sides if side.what == "kong"]
    thrown = sum(throw.why == "kong" for throw in state.dice)
    return bool(kongs) and kongs[-1].seat == seat and thrown == len(kongs)


def _unsure(facts: WinFacts, state: HandState, *, tile: str, whole: bool) -> frozenset[str]:
    """What the table does not tell any more once a person has said how it lies: what came before is forgotten.

    Who has discards before him has had his first turn; a discard followed since then tells what its player did before.
    """
    names = {"last_of_kind"} if tile and facts.last_of_kind is None else set[str]()  # a face is in doubt
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

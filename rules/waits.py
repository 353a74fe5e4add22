"""What a hand is waiting for: each winning tile with its value and the copies nobody has seen yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rules.errors import Impossible
from rules.evaluate import Judged, judge_winner
from rules.hand import Case, WildRule
from rules.model import Points, Seat, TableFacts, Verdict, Winner
from rules.shapes import waiting_for
from rules.tiles import Kinds, Tile, in_kinds, tiles_text
from rules.validation import check_copies, check_meld

if TYPE_CHECKING:
    from rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Wait:
    """One winning tile: what a win on it is worth and how many copies are still unseen.

    A tile that completes the hand without a legal win (below the minimum, not opened ...) has a `Refusal` as verdict.
    """

    tile: Tile
    value: Points
    unseen: int
    verdict: Verdict


def waits(rules: Ruleset, holder: Winner, facts: TableFacts, seen: Iterable[Tile] = ()) -> tuple[Wait, ...]:
    """Every tile that completes a hand, with its value.

    Args:
        rules: The ruleset with its options chosen.
        holder: The hand one tile short: `win_tile` None, `source` (and `from_seat`) as the win would come.
        facts: The table.
        seen: Tiles visible outside this player's own hand and melds: discards, others' melds, flipped tiles.

    Returns:
        Winning tiles ascending; those that complete the hand without a legal win included, with their refusal.
    """
    visible = [0] * 42
    for tile in (*seen, *holder.hand, *(tile for meld in holder.melds for tile in meld.tiles)):
        visible[tile] += 1
    return tuple(
        Wait(
            tile=one.case.winner.win_tile or 0,
            value=one.price.value if one.price else 0,
            unseen=max(0, 4 - visible[one.case.winner.win_tile or 0]),
            verdict=one.verdict,
        )
        for one in judged_waits(rules, holder, facts)
    )


def judged_waits(rules: Ruleset, holder: Winner, facts: TableFacts) -> Iterator[Judged]:
    """The judgement of each tile that completes the hand, for rulesets that price an unfinished hand (查叫)."""
    candidates = complete_with(rules, holder, facts)
    for tile in in_kinds(candidates):
        one = judge_winner(rules, replace(holder, win_tile=tile), facts, checked=True)
        if one.verdict.valid or one.verdict.reason != "shape":
            yield one


def complete_with(rules: Ruleset, holder: Winner, facts: TableFacts) -> Kinds:
    """The kinds that complete the tiles to a shape of the ruleset, legal win or not; the wildcard kind among them."""
    case = Case(rules, replace(holder, win_tile=None), facts)
    sets = (sum(case.free) + case.wilds + 1) // 3
    faces = waiting_for(rules.forms, case.free, case.wilds, sets)
    return _tiles_with(case.wild, faces) & rules.tile_kinds


def _tiles_with(wild: WildRule, faces: Kinds) -> Kinds:
    """The tiles that carry one of these faces: a wildcard carries any, a stand-in another than its own."""
    if not faces:
        return 0
    tiles = faces
    if wild.stand_in is not None and wild.stands_for is not None:
        tiles = tiles & ~(1 << wild.stand_in) | (faces >> wild.stands_for & 1) << wild.stand_in
    return tiles if wild.wild is None else tiles | 1 << wild.wild


def shown_hand(rules: Ruleset, seat: Seat, facts: TableFacts) -> Winner:
    """The tiles of a player, as `state.players` tells them, as a hand that waits for another player's discard.

    Raises:
        RulesInputError: The tiles are missing, too many, or impossible.
    """
    player = facts.player(seat)
    shown = Winner(seat, player.hand, None, "discard", player.melds, from_seat=(seat + 1) % rules.seats)
    wild = rules.wild(rules.chosen, facts)
    for meld in player.melds:
        check_meld(rules, seat, meld, wild)
    if len(player.hand) + 3 * len(player.melds) != rules.hand_size:
        raise Impossible(
            "shown_size",
            seat=seat,
            tiles=tiles_text(player.hand),
            count=len(player.hand),
            melds=len(player.melds),
            expected=rules.hand_size - 3 * len(player.melds),
        )
    check_copies(shown, wild.wild)
    return replace(shown, hz_kongs=player.hz_kongs, lz_kongs=player.lz_kongs)


def is_ready(rules: Ruleset, holder: Winner, facts: TableFacts) -> bool:
    """Whether at least one tile would be a legal win."""
    return any(one.verdict.valid for one in judged_waits(rules, holder, facts))

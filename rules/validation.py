"""What cannot be: hands with the wrong number of tiles, fifth copies, chows of winds, robbed tiles one holds oneself.

These raise `RulesInputError` with the input in the message. A possible hand that is no legal win is never an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rules.errors import Impossible
from rules.hand import WildRule
from rules.model import Meld, Seat, TableFacts, Winner
from rules.tiles import KINDS, Tile, is_flower, is_suit, tile_text, tiles_text

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

CLAIMED = ("discard", "rob_kong", "kong_discard")


def check_winner(rules: Ruleset, winner: Winner, facts: TableFacts) -> None:
    """Check that a declared win can exist at all.

    Raises:
        RulesInputError: It cannot; the message says which tiles and what to change.
    """
    check_seat(rules, winner.seat, "winner")
    check_seat(rules, facts.dealer, "dealer")
    wild = rules.wild(rules.chosen, facts)
    for meld in winner.melds:
        check_meld(rules, winner.seat, meld, wild)
    _check_source(rules, winner)
    if winner.win_tile is None and winner.source != "start_hand":
        raise Impossible("no_win_tile", seat=winner.seat)
    check_size(rules, winner)
    check_copies(winner, wild.wild)
    check_flowers(rules, winner, facts)
    if winner.source == "rob_kong":
        _check_robbed(winner)
    for check in rules.checks:
        check(rules, winner, facts)


def check_together(winners: Sequence[Winner]) -> None:
    """Check that several wins can be of one moment: different players, one tile, from one player.

    Raises:
        RulesInputError: They cannot.
    """
    if len(winners) < 2:
        return
    seats = [winner.seat for winner in winners]
    twice = [seat for seat in seats if seats.count(seat) > 1]
    if twice:
        raise Impossible("wins_twice", seat=twice[0])
    named = ", ".join(map(str, seats))
    taken = {(one.win_tile, one.source, one.from_seat) for one in winners if one.from_seat is not None}
    if len(taken) > 1:
        raise Impossible("wins_apart", seats=named)
    drawer = next((one for one in winners if one.from_seat is None and one.source != "start_hand"), None)
    if drawer is None:
        return
    others = {(one.source, one.from_seat) for one in winners if one is not drawer}
    if drawer.source != "sea_bottom" or others != {("sea_bottom", drawer.seat)}:
        raise Impossible("drawn_by_one", seat=drawer.seat, seats=named)


TOO_MANY_TOGETHER = "the winners together show more than four copies of a tile; check the tiles"


def remarks_together(winners: Sequence[Winner]) -> tuple[str, ...]:
    """What a referee should look at when several win one tile: their tiles together."""
    if len(winners) < 2:
        return ()
    shown = {winner.win_tile: 1 for winner in winners if winner.win_tile is not None}
    for winner in winners:
        for tile in (*winner.hand, *(tile for meld in winner.melds for tile in meld.tiles)):
            shown[tile] = shown.get(tile, 0) + 1
    return (TOO_MANY_TOGETHER,) if max(shown.values()) > 4 else ()


def check_seat(rules: Ruleset, seat: Seat, who: str) -> None:
    """Check that a seat exists at this table."""
    if not 0 <= seat < rules.seats:
        raise Impossible("no_seat", who=who, place=seat, rules=rules.name, last=rules.seats - 1)


def check_meld(rules: Ruleset, seat: Seat, meld: Meld, wild: WildRule) -> None:
    """Check that a meld is a chow of one suit, three equal tiles, or four; stand-in tiles carry their other face."""
    tiles = sorted(wild.face(tile) for tile in meld.tiles)
    wrong = _wrong_tiles(meld, tiles) or _wrong_origin(rules, seat, meld)
    if wrong:
        size = 4 if meld.is_kong else 3
        laid, source = tiles_text(meld.tiles), {} if meld.source_seat is None else {"from_seat": meld.source_seat}
        raise Impossible(wrong, seat=seat, meld=meld.kind, tiles=laid, count=len(tiles), size=size, **source)


def _wrong_tiles(meld: Meld, tiles: list[Tile]) -> str | None:
    """What is wrong with the tiles of a meld, ascending by face: a key of `IMPOSSIBLE`."""
    size = 4 if meld.is_kong else 3
    if len(tiles) != size:
        return "meld_size"
    if is_flower(tiles[-1]):
        return "meld_flower"
    if meld.kind != "chi":
        return None if tiles[0] == tiles[-1] else "meld_unequal"
    if not is_suit(tiles[-1]):
        return "chow_suit"
    if tiles[0] // 9 != tiles[2] // 9 or tiles[1] - tiles[0] != 1 or tiles[2] - tiles[1] != 1:
        return "chow_run"
    return None


def _wrong_origin(rules: Ruleset, seat: Seat, meld: Meld) -> str | None:
    """What is wrong with where a meld came from; an unknown source is not wrong."""
    source = meld.source_seat
    if source is None:
        return None
    if meld.kind == "kong_concealed":
        return "meld_concealed_from"
    check_seat(rules, source, "the source of a meld")
    if source == seat:
        return "meld_from_self"
    if meld.kind == "chi" and not rules.chow_from_any and source != (seat - 1) % rules.seats:
        return "chow_from"
    return None


def check_size(rules: Ruleset, winner: Winner) -> None:
    """Check the number of concealed tiles: the hand size less three per meld, without the winning tile."""
    expected = rules.hand_size - 3 * len(winner.melds)
    if len(winner.hand) == expected:
        return
    allowed = (expected,) if winner.win_tile is not None else (expected, expected + 1)
    if len(winner.hand) not in allowed:
        raise Impossible(
            "hand_size",
            seat=winner.seat,
            tiles=tiles_text(winner.hand),
            count=len(winner.hand),
            melds=len(winner.melds),
            expected=" / ".join(map(str, allowed)),
        )


def check_copies(winner: Winner, wild: Tile | None) -> None:
    """Check that no kind appears five times, and that no flower or melded wildcard is in the hand."""
    counts = [0] * KINDS
    own = winner.hand if winner.win_tile is None else (*winner.hand, winner.win_tile)
    for tile in own:
        if tile >= KINDS:
            raise Impossible("flower_in_hand", seat=winner.seat, tile=tile_text(tile))
        counts[tile] += 1
    for meld in winner.melds:
        for tile in meld.tiles:
            counts[tile] += 1
        if wild is not None and wild in meld.tiles:
            raise Impossible("wild_melded", seat=winner.seat, tile=tile_text(wild), laid=str(meld))
    if max(counts) > 4:
        many = counts.index(max(counts))
        raise Impossible("fifth_copy", seat=winner.seat, count=max(counts), tile=tile_text(many))


def check_flowers(rules: Ruleset, winner: Winner, facts: TableFacts) -> None:
    """Check the flower tiles laid aside: only where the set has them, each of the eight at most once."""
    if winner.flowers and not rules.flowers:
        raise Impossible("no_flowers_here", seat=winner.seat, rules=rules.name)
    if any(facts.flowers) and not rules.flowers:
        raise Impossible("flowers_not_in_set", counts=str(list(facts.flowers)))
    for tile in winner.flowers:
        if not is_flower(tile):
            raise Impossible("no_flower", seat=winner.seat, tile=tile_text(tile))
        if winner.flowers.count(tile) > 1:
            raise Impossible("flower_twice", seat=winner.seat, tile=tile_text(tile))


def _check_source(rules: Ruleset, winner: Winner) -> None:
    if winner.source not in rules.ways:
        raise Impossible(
            "no_such_way", seat=winner.seat, rules=rules.name, source=winner.source, ways=", ".join(rules.ways)
        )
    if winner.kong_feeder is not None:
        check_seat(rules, winner.kong_feeder, "kong_feeder")
    wrong = _wrong_source(rules, winner)
    if winner.kong_feeder == winner.seat:
        wrong = "kong_fed_himself"
    if wrong:
        source = {} if winner.from_seat is None else {"from_seat": winner.from_seat}
        raise Impossible(wrong, seat=winner.seat, source=winner.source, **source)


def _wrong_source(rules: Ruleset, winner: Winner) -> str | None:
    """What is wrong with the way the winning tile came: a key of `IMPOSSIBLE`."""
    source = winner.from_seat
    if winner.source in CLAIMED:
        if source is None:
            return "win_needs_feeder"
        check_seat(rules, source, "from_seat")
        return "win_from_self" if source == winner.seat else None
    if source is not None and winner.source != "sea_bottom":
        return "win_from_wall"
    if winner.source != "kong_replacement" or any(meld.is_kong for meld in winner.melds):
        return None
    laid_out = rules.lone_kongs and winner.hz_kongs + winner.lz_kongs
    return None if laid_out else "win_needs_kong"


def _check_robbed(winner: Winner) -> None:
    if winner.win_tile in winner.hand or any(winner.win_tile in meld.tiles for meld in winner.melds):
        raise Impossible("robbed_tile_held", seat=winner.seat, tile=tile_text(winner.win_tile or 0))

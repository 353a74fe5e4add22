"""What is paid in 長沙麻將: points of small and big wins, and the birds (扎鳥) that double them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rules.errors import Impossible
from rules.evaluate import Judged, Settlement
from rules.fans import Tally
from rules.hand import Case, Options
from rules.model import Plain, Seat, TableFacts, Transfer
from rules.options import number
from rules.payments import pay, seats_after
from rules.tiles import SUITED, Tile, rank_of, tile_text

if TYPE_CHECKING:
    from rules.ruleset import Ruleset


def points(options: Options, size: str, higher: bool) -> int:
    """The points of a `small` win or of one `big` pattern; `higher` where the dealer, or a self-draw, raises them."""
    table = options["points"]
    pair = table[size] if isinstance(table, dict) else None
    value = pair[higher] if isinstance(pair, list) else None
    if not isinstance(value, int):
        raise TypeError(f"the option points has no {size} win: {table!r}")
    return value


def raised(options: Options, pair: tuple[Seat, Seat], self_drawn: bool, dealer: Seat) -> bool:
    """Whether the higher figure is due between a winner and a payer."""
    return self_drawn if options["points_basis"] == "source" else dealer in pair


def due(case: Case, tally: Tally, payer: Seat) -> int:
    """What one payer owes before the birds: one small win, or so many big patterns."""
    higher = raised(case.options, (case.seat, payer), case.self_drawn, case.facts.dealer)
    if tally.has("小胡"):
        return points(case.options, "small", higher)
    return int(tally.total()) * points(case.options, "big", higher)


def payers(case: Case) -> tuple[Seat, ...]:
    """All three on a self-draw, else the player whose tile was won."""
    source = case.winner.from_seat
    return seats_after(case.seat) if case.self_drawn or source is None else (source,)


def income(case: Case, tally: Tally) -> int:
    """What the winner gets before the birds."""
    return sum(due(case, tally, payer) for payer in payers(case))


# ---------------------------------------------------------------- birds


def birds_of(options: Options, facts: TableFacts, sea_tile: Tile | None = None) -> tuple[Tile, ...]:
    """The turned tiles; after a sea-bottom win with nothing left to turn, the sea-bottom tile itself.

    Raises:
        RulesInputError: More tiles are turned than the table plays, or one that the set has not.
    """
    most = number(options, "bird_count")
    if len(facts.birds) > most:
        raise Impossible("birds_too_many", count=len(facts.birds), most=most)
    strange = [tile_text(bird) for bird in facts.birds if not SUITED >> bird & 1]
    if strange:
        raise Impossible("bird_suit", tile=strange[0])
    if most and not facts.birds and sea_tile is not None:
        return (sea_tile,)
    return facts.birds


def bird_seat(origin: Seat, bird: Tile) -> Seat:
    """The seat a bird points at: rank 1 is the origin, then counter-clockwise.

    >>> [bird_seat(0, rank - 1) for rank in (1, 2, 5, 9)]
    [0, 1, 0, 0]
    """
    return (origin + rank_of(bird) - 1) % 4


def origin_of(options: Options, winners: Sequence[Seat], source: Seat | None, facts: TableFacts) -> Seat:
    """Where birds are counted from: the dealer, or the winner; several winners share the birds of the discarder."""
    if options["bird_origin"] == "dealer":
        return facts.dealer
    return winners[0] if len(winners) == 1 or source is None else source


def doubled(amount: int, birds: Sequence[Seat], pair: tuple[Seat, Seat]) -> int:
    """A payment doubled for each bird that points at the winner or at the payer."""
    return amount << sum(seat in pair for seat in birds)


# ---------------------------------------------------------------- payment


def settle(rules: Ruleset, wins: Sequence[Judged], facts: TableFacts) -> Settlement:
    """Each payer pays each winner what he owes, doubled by the birds, which all winners share."""
    first = wins[0].case.winner
    sea_tile = first.win_tile if first.source == "sea_bottom" or facts.last_tile else None
    birds = birds_of(rules.chosen, facts, sea_tile)
    origin = origin_of(rules.chosen, [one.seat for one in wins], first.from_seat, facts)
    hit = [bird_seat(origin, bird) for bird in birds]
    transfers: list[Transfer] = []
    for one in wins:
        tally = one.price.tally if one.price else Tally()
        reason = "small win" if tally.has("小胡") else "big win"
        for payer in payers(one.case):
            amount = doubled(due(one.case, tally, payer), hit, (one.seat, payer))
            transfers += pay(payer, one.seat, amount, reason)
    seats: list[Plain] = [*hit]
    return Settlement(tuple(transfers), (("bird_seats", seats),))


def small_self_draw(rules: Ruleset, winner: Seat, payer: Seat, dealer: Seat) -> int:
    """What one player owes for a small win that was drawn, before the birds."""
    return points(rules.chosen, "small", raised(rules.chosen, (winner, payer), True, dealer))


def false_win(rules: Ruleset, offender: Seat, facts: TableFacts, each: int | None) -> tuple[Transfer, ...]:
    """The offender pays each opponent a small self-draw, or what the referee names; he plays on without winning."""
    if rules.chosen["false_win"] == "dead_hand":
        return ()
    return tuple(
        one
        for seat in seats_after(offender)
        for one in pay(
            offender,
            seat,
            small_self_draw(rules, seat, offender, facts.dealer) if each is None else each,
            "false win",
        )
    )

"""What must hold for any hand of any ruleset: sums, orders, rotations."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rules.model import HandResult, Meld, TableFacts, Winner
from rules.registry import ruleset
from rules.tiles import Tile
from tests.gb_hands import HandMaker

GB = ruleset("gb", {"minimum": 0})
HANDS = list(HandMaker(77).hands(300))
SUITS_NAMED = {"绿一色", "推不倒"}


def total(result: HandResult) -> int:
    return dict(result.winners[0].numbers)["total"]


def test_payments_sum_to_zero_and_are_what_the_transfers_say() -> None:
    for winner, facts in HANDS:
        result = GB.judge((winner,), facts)
        assert result.valid
        assert sum(result.payments) == 0
        gained = sum(one.amount for one in result.transfers if one.payee == winner.seat)
        assert result.payments[winner.seat] == gained > 0


def test_the_order_of_tiles_and_melds_does_not_matter() -> None:
    chance = random.Random(1)
    for winner, facts in HANDS:
        hand, melds = list(winner.hand), list(winner.melds)
        chance.shuffle(hand)
        chance.shuffle(melds)
        mixed = [replace(meld, tiles=tuple(chance.sample(meld.tiles, len(meld.tiles)))) for meld in melds]
        other = replace(winner, hand=tuple(hand), melds=tuple(mixed))
        assert GB.judge((other,), facts).winners[0].fans == GB.judge((winner,), facts).winners[0].fans


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_rotating_the_seats_rotates_the_payments(turn: int) -> None:
    def moved(seat: int | None) -> int | None:
        return None if seat is None else (seat + turn) % 4

    for winner, facts in HANDS:
        melds = tuple(replace(meld, source_seat=moved(meld.source_seat)) for meld in winner.melds)
        other = replace(winner, seat=(winner.seat + turn) % 4, from_seat=moved(winner.from_seat), melds=melds)
        there = replace(facts, dealer=(facts.dealer + turn) % 4)
        payments = GB.judge((winner,), facts).payments
        rotated = tuple(payments[(seat - turn) % 4] for seat in range(4))
        assert GB.judge((other,), there).payments == rotated


def test_suits_may_be_exchanged_where_no_fan_names_one() -> None:
    def exchanged(tile: Tile) -> Tile:
        return (tile + 9) % 27 if tile < 27 else tile

    compared = 0
    for winner, facts in HANDS:
        other = replace(
            winner,
            hand=tuple(exchanged(tile) for tile in winner.hand),
            win_tile=exchanged(winner.win_tile or 0),
            melds=tuple(Meld(one.kind, tuple(map(exchanged, one.tiles)), one.source_seat) for one in winner.melds),
        )
        one, two = GB.judge((winner,), facts), GB.judge((other,), facts)
        names = {line.name for result in (one, two) for line in result.winners[0].fans}
        if not names & SUITS_NAMED:
            assert total(one) == total(two)
            compared += 1
    assert compared > 200


def test_a_flower_is_worth_one() -> None:
    for winner, facts in HANDS[:60]:
        bare = replace(winner, flowers=())
        assert total(GB.judge((winner,), facts)) == total(GB.judge((bare,), facts)) + len(winner.flowers)


def test_a_wildcard_never_lowers_the_value() -> None:
    """A tile exchanged for a wildcard: the total does not fall, but for 無財神 and the wait it may widen."""
    rules = ruleset("gb", {"wildcard": "7z", "minimum": 0})
    bare = replace(rules, fans=tuple(row for row in rules.fans if row.name not in ("无财神", "边张", "坎张", "单钓将")))
    checked = 0
    for winner, facts in HANDS:
        tiles = (*winner.hand, winner.win_tile, *(tile for meld in winner.melds for tile in meld.tiles))
        if 33 in tiles or len(winner.hand) < 4 or winner.source == "rob_kong":
            continue
        plain = replace(winner, last_of_kind=False)
        wild = replace(plain, hand=(*winner.hand[1:], 33))
        assert total(bare.judge((wild,), facts)) >= total(bare.judge((plain,), facts))
        checked += 1
    assert checked > 100


def test_judging_changes_nothing_that_was_given() -> None:
    winner, facts = HANDS[0]
    before = (repr(winner), repr(facts))
    first = GB.judge((winner,), facts)
    assert (repr(winner), repr(facts)) == before
    assert GB.judge((winner,), facts) == first


def test_waiting_hands_are_judged_alike_from_every_source() -> None:
    """A claimed tile never makes more concealed pungs than a drawn one."""
    for winner, facts in HANDS[:80]:
        if winner.source != "discard":
            continue
        drawn = Winner(winner.seat, winner.hand, winner.win_tile, "self_draw", winner.melds)
        claimed = replace(drawn, source="discard", from_seat=(winner.seat + 1) % 4)
        more = {line.name for line in GB.judge((claimed,), TableFacts(facts.round_wind, facts.dealer)).winners[0].fans}
        assert not more & {"自摸", "不求人", "四暗刻"} or "四暗刻" in more

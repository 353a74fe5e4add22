"""Counting fans with exclusions, the account-once principle, and what several sets make together."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations, permutations

import pytest

from rules.combinations import RELATIONS, account_once, chow_fans, pung_fans
from rules.evaluate import rows_to_ask
from rules.fans import Fan, count_fans, drops, same_pungs, traits
from rules.hand import NOWHERE, Case, Hand, hands_of
from rules.model import Reading, TableFacts, Winner
from rules.registry import ruleset
from rules.tiles import parse_tiles
from tests.gb_hands import HandMaker


def some_hand() -> Hand:
    winner = Winner(0, parse_tiles("111222333z56p99s"), parse_tiles("7p")[0], "self_draw")
    case = Case(ruleset("gb"), winner, TableFacts())
    return Hand(case, Reading("standard", (13,), (27, 28, 29), 26), NOWHERE)


def times(number: int) -> Callable[[Hand], int]:
    return lambda _: number


def counted(*rows: Fan) -> dict[str, int]:
    return {fan.name: number for fan, number in count_fans(rows, some_hand()).counted}


def test_a_row_drops_what_it_includes() -> None:
    assert counted(Fan("a", 8, times(1), ("b",)), Fan("b", 2, times(3))) == {"a": 1}


def test_a_dropped_row_drops_nothing() -> None:
    rows = (Fan("a", 8, times(1), ("b",)), Fan("b", 4, times(1), ("c",)), Fan("c", 2, times(1)))
    assert counted(*rows) == {"a": 1, "c": 1}


def test_some_occurrences_may_be_dropped() -> None:
    assert counted(Fan("a", 8, times(1), (drops("b", 2),)), Fan("b", 1, times(3))) == {"a": 1, "b": 1}
    assert counted(Fan("a", 8, times(1), (drops("b", 5),)), Fan("b", 1, times(3))) == {"a": 1}


def test_a_pung_is_dropped_once_by_two_rows() -> None:
    """Seat wind and round wind on one pung drop one pung of honours, on two pungs two."""
    every = 0b111 << 27
    east, south = 1 << 27, 1 << 28
    honours = Fan("h", 1, times(3), pungs=lambda _: every)

    def wind(name: str, mask: int) -> Fan:
        return Fan(name, 2, times(1), (same_pungs("h"),), pungs=lambda _: mask)

    assert counted(wind("seat", east), wind("round", east), honours)["h"] == 2
    assert counted(wind("seat", east), wind("round", south), honours)["h"] == 1


def test_pung_by_pung_needs_to_know_the_pungs() -> None:
    with pytest.raises(TypeError, match="both rows need `pungs`"):
        counted(Fan("a", 8, times(1), (same_pungs("b"),)), Fan("b", 1, times(1)))


def test_a_row_that_counts_alone() -> None:
    alone = Fan("alone", 8, times(1), alone=True)
    assert counted(alone) == {"alone": 1}
    assert counted(Fan("flower", 1, times(1), layer="other"), alone) == {"flower": 1, "alone": 1}
    assert counted(Fan("a", 1, times(1)), alone) == {"a": 1}


def test_what_a_pattern_needs_never_hides_it() -> None:
    """A row that is not asked, because the hand lacks what the row needs, would not have been found."""
    rules = ruleset("gb", {"wildcard": "7z", "minimum": 0})
    skipped = 0
    for winner, facts in HandMaker(31).hands(600):
        if any(33 in meld.tiles for meld in winner.melds):
            continue
        for hand in hands_of(Case(rules, winner, facts)):
            asked = rows_to_ask(rules, traits(hand))
            for row in rules.fans:
                if row not in asked:
                    skipped += 1
                    assert not row.count(hand), row.name
    assert skipped > 10_000


def test_layers_are_summed_and_reduced() -> None:
    rows = (Fan("a", 4, times(1), layer="x"), Fan("b", 2, times(1), layer="x"), Fan("c", 1, times(2), layer="y"))
    tally = count_fans(rows, some_hand())
    assert (tally.total("x"), tally.total("y"), tally.total()) == (6, 2, 8)
    best = tally.keep_dearest("x")
    assert (best.total("x"), best.total("y")) == (4, 2)
    assert [(one.name, one.by) for one in best.not_counted()] == [("b", "a")]


# ---------------------------------------------------------------- account once


def most_relations(chows: tuple[int, ...]) -> int:
    """The largest forest of relations, by trying every choice of them."""
    edges = [
        (one, other)
        for one, other in combinations(range(len(chows)), 2)
        if any(related(chows[one], chows[other]) for related in RELATIONS)
    ]
    for size in range(len(chows) - 1, 0, -1):
        for chosen in combinations(edges, size):
            group = list(range(len(chows)))
            for one, other in chosen:
                if group[one] == group[other]:
                    break
                group = [group[one] if member == group[other] else member for member in group]
            else:
                return size
    return 0


def test_relations_form_the_largest_forest() -> None:
    chance = random.Random(2)
    starts = [9 * suit + rank for suit in range(3) for rank in range(7)]
    for _ in range(400):
        chows = tuple(sorted(chance.choices(starts, k=chance.choice((2, 3, 4)))))
        assert sum(account_once(chows, ())) == most_relations(chows)


def test_the_order_of_chows_does_not_change_how_many_relations_count() -> None:
    for chows in ((0, 6, 18, 24), (0, 0, 3, 6), (1, 10, 19, 4), (0, 3, 12, 15)):
        assert len({sum(account_once(order, ())) for order in permutations(chows)}) == 1


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("234m 234m 234m 234m", {"quadruple", "triple"}),
        ("123m 234m 345m 456m", {"four_steps", "steps"}),
        ("123m 345m 567m 789m", {"four_steps", "steps"}),
        ("123m 345m 567m 678m", {"steps", "six"}),
        ("123m 456m 789m 123p", {"straight", "mixed_equal"}),
        ("123m 456p 789s 456s", {"mixed_straight", "mixed_equal"}),
        ("345m 345p 345s 345m", {"mixed_triple", "equal"}),
        ("123m 234p 345s 345m", {"mixed_steps", "mixed_equal"}),
        ("123m 234p 345s 456m", {"mixed_steps", "six"}),
        ("234m 345m 456m 789s", {"steps"}),
        ("123m 345p 567s 789m", {"ends"}),
    ],
)
def test_what_chows_make_together(text: str, names: set[str]) -> None:
    chows = tuple(sorted(parse_tiles(chow)[0] for chow in text.split()))
    made = chow_fans(chows)
    flags = ("quadruple", "four_steps", "triple", "steps", "straight", "mixed_straight", "mixed_triple", "mixed_steps")
    relations = ("equal", "mixed_equal", "six", "ends")
    found = {name for name in (*flags, *relations) if getattr(made, name)}
    assert found == names


def test_what_pungs_make_together() -> None:
    assert pung_fans((1, 2, 3, 4)).four_steps
    assert pung_fans((1, 2, 3, 5)).steps
    assert not pung_fans((1, 2, 3, 5)).four_steps
    assert pung_fans((1, 11, 21)).mixed_steps
    assert pung_fans((1, 10, 19, 27)).triple
    assert pung_fans((1, 2, 10, 11)).double == 2
    assert pung_fans((27, 28, 29)) == pung_fans(())
    assert not pung_fans((8, 9, 10)).steps, "9m 1p 2p are no steps"

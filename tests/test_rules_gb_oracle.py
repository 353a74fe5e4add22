"""國標 totals against an independent calculator, PyMahjongGB 1.4.0, on ten thousand random winning hands."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from rules.fans import Fan
from rules.model import TableFacts, Verdict, Winner
from rules.registry import ruleset
from rules.ruleset import Ruleset
from tests.gb_hands import HandMaker
from tests.gb_oracle import GOLDEN, HANDS, SEED, ask, read_line

ANY_TOTAL = ruleset("gb", {"minimum": 0})
Known = tuple[Winner, TableFacts, int, dict[str, int], Verdict]

UNOBSERVABLE = {
    # one reading cannot hold both: its sets are either chows or pungs, or it has no sets at all
    ("一色三同顺", "一色三节高"),
    ("一色三节高", "一色三同顺"),
    ("一色四同顺", "一色三节高"),
    ("一色四同顺", "一色四节高"),
    ("一色四节高", "一色三同顺"),
    ("一色四节高", "一色四同顺"),
    ("一色四同顺", "七对"),
    ("一色双龙会", "七对"),
    # the account-once function already ties the chows that the bigger fan uses
    ("一色三同顺", "一般高"),
    ("一色四同顺", "一般高"),
    ("三色三同顺", "喜相逢"),
    ("清龙", "连六"),
    ("清龙", "老少副"),
    ("一色四步高", "连六"),
    ("一色四步高", "老少副"),
    # special shapes have no set that waits
    ("七对", "单钓将"),
    ("连七对", "单钓将"),
    ("十三幺", "单钓将"),
    ("七星不靠", "单钓将"),
    ("全不靠", "单钓将"),
    # the definitions exclude each other: both terminals and honours; two suits
    ("字一色", "混幺九"),
    ("清幺九", "混幺九"),
    ("绿一色", "缺一门"),
}
"""Exclusions that the book prints and no hand can show."""


@pytest.fixture(scope="module")
def judged() -> list[Known]:
    """Every golden hand with the oracle's answer and ours."""
    known = [read_line(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    return [(*one, ANY_TOTAL.judge((one[0],), one[1]).winners[0]) for one in known]


def total_of(verdict: Verdict) -> int:
    return dict(verdict.numbers)["total"]


def test_every_total_is_equal(judged: list[Known]) -> None:
    different = [one for one in judged if total_of(one[4]) != one[2]]
    assert len(judged) == HANDS
    assert not different, different[:3]


def test_fans_differ_only_in_readings_of_equal_value(judged: list[Known]) -> None:
    different = [one for one in judged if {line.name: line.count for line in one[4].fans} != one[3]]
    assert len(different) < 150
    for _, _, total, fans, verdict in different:
        values = {row.name: int(row.value) for row in ANY_TOTAL.fans}
        assert sum(values[name] * times for name, times in fans.items()) == total
        assert sum(int(line.value) * line.count for line in verdict.fans) == total


def test_every_fan_occurs(judged: list[Known]) -> None:
    seen = Counter(name for one in judged for name in one[3])
    assert {row.name for row in ANY_TOTAL.fans} == set(seen)
    assert min(seen.values()) >= 5


def test_the_same_seed_makes_the_same_hands(judged: list[Known]) -> None:
    for made, kept in zip(HandMaker(SEED).hands(50), judged, strict=False):
        assert (made[0].hand, made[0].win_tile, made[0].source) == (kept[0].hand, kept[0].win_tile, kept[0].source)


def test_live_against_the_installed_package() -> None:
    pytest.importorskip("MahjongGB", reason="PyMahjongGB==1.4.0 is not installed; its golden answers were compared")
    for winner, facts in HandMaker(SEED + 1).hands(3000):
        total, fans = ask(winner, facts)
        assert total_of(ANY_TOTAL.judge((winner,), facts).winners[0]) == total, (winner, facts, fans)


# ---------------------------------------------------------------- mutations of the table


def mutated(row: Fan, changed: Fan) -> Ruleset:
    return replace(ANY_TOTAL, fans=tuple(changed if one is row else one for one in ANY_TOTAL.fans))


def test_changing_any_value_changes_a_total(judged: list[Known]) -> None:
    for row in ANY_TOTAL.fans:
        hands = [one for one in judged if row.name in one[3]][:3]
        rules = mutated(row, replace(row, value=row.value + 1))
        totals = [total_of(rules.judge((one[0],), one[1]).winners[0]) for one in hands]
        assert totals != [one[2] for one in hands], row.name


def test_dropping_any_exclusion_changes_a_total(judged: list[Known]) -> None:
    """Each exclusion that any hand can show is needed; those that no hand can show are listed."""
    covered: dict[tuple[str, str], list[Known]] = {}
    for one in judged:
        for other in one[4].not_counted:
            covered.setdefault((other.by, other.name), []).append(one)
    unneeded = set()
    for row in ANY_TOTAL.fans:
        for exclusion in row.excludes:
            name = exclusion if isinstance(exclusion, str) else exclusion.name
            without = tuple(one for one in row.excludes if one is not exclusion)
            rules = mutated(row, replace(row, excludes=without))
            hands = covered.get((row.name, name), [])[:8]
            if all(total_of(rules.judge((one[0],), one[1]).winners[0]) == one[2] for one in hands):
                unneeded.add((row.name, name))
    assert unneeded == UNOBSERVABLE


def test_a_fan_that_includes_others_never_lowers_the_total() -> None:
    """Taking a row out of the table frees what it included; the hand must not be dearer for it (就高不就低)."""
    rows = tuple(row for row in ANY_TOTAL.fans if not row.alone)
    whole = replace(ANY_TOTAL, fans=rows)
    tried = Counter[str]()
    for line in GOLDEN.read_text(encoding="utf-8").splitlines()[::10]:
        winner, facts, *_ = read_line(line)
        (verdict,) = whole.judge((winner,), facts).winners
        total = dict(verdict.numbers)["total"]
        for row in rows:
            if row.excludes and any(line.name == row.name for line in verdict.fans):
                without = replace(whole, fans=tuple(other for other in rows if other is not row))
                (poorer,) = without.judge((winner,), facts).winners
                assert dict(poorer.numbers)["total"] <= total, (winner, row.name)
                tried[row.name] += 1
    assert len(tried) > 40

"""兩人麻將: the stake, declarations, both fan tables on random hands, and what cannot be (docs/rules/two_player.md)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import RulesInputError, UnknownOption
from rules.evaluate import judge_winner
from rules.fans import Fan
from rules.model import Meld, MeldKind, Source, TableFacts, Verdict, Winner
from rules.questions import answer
from rules.registry import ruleset
from rules.ruleset import Ruleset
from rules.rulesets.two_player import multiplier
from rules.rulesets.two_player_fans import ALSO_EXCLUDES, COMPACT, FULL
from rules.tiles import Tile, parse_tile, parse_tiles

FACTS = TableFacts()
HALF = Winner(
    1, parse_tiles("123m456m78m22z"), parse_tile("6m"), "discard", (Meld.parse("peng", "999m", 0),), from_seat=0
)
FULL_RULES = ruleset("two_player", {"fan_table": "full"})


def ask(kind: str, **question: Any) -> dict[str, Any]:
    return answer({"ruleset": "two_player", "kind": kind, **question})


@pytest.mark.parametrize(
    ("facts", "winner", "sentence"),
    [
        (FACTS, replace(HALF, seat=2), "there is no seat 2; two_player has seats 0-1"),
        (FACTS, replace(HALF, from_seat=3), "there is no seat 3"),
        (replace(FACTS, dealer=2), HALF, "dealer: there is no seat 2"),
        (replace(FACTS, open_hand=(True,)), HALF, "one entry for each of the two players"),
        (replace(FACTS, doubled=(True, False, True)), HALF, "one entry for each of the two players"),
        (replace(FACTS, flowers=(5, 4)), HALF, "at most 8 together"),
        (FACTS, replace(HALF, melds=(Meld.parse("peng", "999m", 2),)), "there is no seat 2"),
        (
            FACTS,
            replace(HALF, source="start_hand", from_seat=None),
            "only the dealer, seat 0, can win with the dealt tiles",
        ),
    ],
)
def test_impossible_circumstances_are_one_sentence(facts: TableFacts, winner: Winner, sentence: str) -> None:
    with pytest.raises(RulesInputError, match=sentence):
        ruleset("two_player").judge([winner], facts)


def test_a_set_without_flowers_has_none() -> None:
    bare = ruleset("two_player", {"tiles": "no_flowers"})
    with pytest.raises(RulesInputError, match="this set has none"):
        bare.judge([HALF], replace(FACTS, flowers=(0, 1)))
    with pytest.raises(RulesInputError, match="does not take flowers"):
        bare.judge([replace(HALF, flowers=parse_tiles("1f"))], FACTS)
    full = ruleset("two_player", {"tiles": "no_flowers", "fan_table": "full"})
    assert "無花牌" not in {line.name for line in full.judge([HALF], FACTS).winners[0].fans}


def test_questions_that_cannot_be_say_why() -> None:
    for kind, event, says in (
        ("phase", {"phase": "before_deal", "seat": 2, "wants": "open"}, "there is no seat 2"),
        ("phase", {"phase": "later", "seat": 0, "wants": "open"}, "one of before_deal"),
        ("phase", {"phase": "before_deal", "seat": 0, "wants": "fold"}, "one of open, open_hand, double"),
        ("claim", {"discard": "5m", "from": 3, "can_win": [1]}, "there is no seat 3"),
        ("false_win", {"by": 2}, "there is no seat 2"),
    ):
        with pytest.raises(RulesInputError, match=says):
            ask(kind, events=[event])
    with pytest.raises(UnknownOption, match="at least 1, or null"):
        ask("draw", options={"mult_cap": 0})
    with pytest.raises(RulesInputError, match="there is no seat 3"):
        ask("draw", state={"dealer": 3})


# ---------------------------------------------------------------- declarations and the stake


wishes = st.lists(
    st.fixed_dictionaries(
        {
            "phase": st.sampled_from(["before_deal", "after_deal_before_first_discard", "after_first_discard"]),
            "seat": st.integers(0, 1),
            "wants": st.sampled_from(["open", "double"]),
        }
    ),
    max_size=8,
)


@given(wishes)
def test_what_is_declared_stands_and_the_stake_follows(events: list[dict[str, Any]]) -> None:
    reply = ask("phase", events=events)
    opened = {one["seat"] for one in events if (one["phase"], one["wants"]) == ("before_deal", "open")}
    right = ("after_deal_before_first_discard", "double")
    doubled = {one["seat"] for one in events if (one["phase"], one["wants"]) == right}
    assert reply["open_hand"] == [seat in opened for seat in (0, 1)]
    assert reply["doubled"] == [seat in doubled for seat in (0, 1)]
    facts = TableFacts(open_hand=tuple(reply["open_hand"]), doubled=tuple(reply["doubled"]))
    rules = ruleset("two_player")
    assert multiplier(rules.chosen, facts) == 4 ** len(opened) * 2 ** len(doubled)
    assert multiplier(ruleset("two_player", {"mult_cap": 8}).chosen, facts) == min(8, multiplier(rules.chosen, facts))
    assert rules.judge([HALF], facts).payments[1] == 6 * multiplier(rules.chosen, facts)


# ---------------------------------------------------------------- random hands


WAN, HONOUR = tuple(range(9)), tuple(range(27, 34))
WINDS, DRAGONS = HONOUR[:4], HONOUR[4:]
THEMES = (
    WAN,
    WAN + HONOUR,
    WINDS,
    WINDS + WAN,
    (*WINDS, 0, 8),
    DRAGONS + WAN,
    DRAGONS + WINDS,
    WAN[4:],
    WAN[5:],
    WAN[:4],
    (0, 8, *HONOUR),
    HONOUR,
    (0, 1, 2, 6, 7, 8, *HONOUR),
    WAN[1:8],
)
KINDS_OF_PUNG: tuple[MeldKind, ...] = ("peng", "kong_open", "kong_concealed", "kong_added")


class TwoHands:
    """Random complete hands of this set from one seeded source of chance."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def hands(self, number: int) -> Iterator[tuple[Winner, TableFacts]]:
        made = 0
        while made < number:
            make = self.chance.choices((self.sets, self.pairs, self.gates, self.ends), (76, 15, 5, 4))[0]
            one = make()
            if one is not None:
                made += 1
                yield one

    def pairs(self) -> tuple[Winner, TableFacts] | None:
        low = self.chance.randrange(3)
        kinds = self.chance.choice(
            [range(low, low + 7), HONOUR, self.chance.choices(WAN + HONOUR, k=7), (*HONOUR[:4], 0, 4, 5),
             (*HONOUR[4:], 0, 4, 5, 8)]
        )  # fmt: skip
        return self.declared([], [tile for tile in kinds for _ in (0, 1)])

    def gates(self) -> tuple[Winner, TableFacts] | None:
        return self.declared([], [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, self.chance.choice(WAN)])

    def ends(self) -> tuple[Winner, TableFacts] | None:
        melds = [(0, 1, 2)] if self.chance.random() < 0.3 else []
        own = [0, 1, 2] * (2 - len(melds)) + [4, 4] + [6, 7, 8] * 2
        return self.declared(melds, own)

    def sets(self) -> tuple[Winner, TableFacts] | None:
        theme = self.chance.choice(THEMES)
        pungs = self.chance.choice((0.2, 0.5, 1.0))
        start, step = self.chance.choice(WAN[:7]), self.chance.choice((0, 1, 2))
        stepped = self.chance.random() < 0.25
        read = []
        for place in range(4):
            tile = min(6, start + step * place) if stepped else self.chance.choice(theme)
            pung = self.chance.random() < pungs or tile > 6
            read.append((tile,) * 3 if pung else (tile, tile + 1, tile + 2))
        pair = self.chance.choice(theme)
        melds = [one for one in read if self.chance.random() < self.chance.choice((0.0, 0.4, 1.0))]
        kept = list(read)
        for one in melds:
            kept.remove(one)
        return self.declared(melds, [tile for one in kept for tile in one] + [pair, pair])

    def declared(self, sets: list[tuple[Tile, ...]], own: list[Tile]) -> tuple[Winner, TableFacts] | None:
        seat = self.chance.randrange(2)
        melds = []
        for one in sets:
            kind: MeldKind = "chi" if one[0] != one[1] else self.chance.choice(KINDS_OF_PUNG)
            tiles = one if kind in ("chi", "peng") else (*one, one[0])
            melds.append(Meld(kind, tiles, None if kind == "kong_concealed" else 1 - seat))
        every = own + [tile for meld in melds for tile in meld.tiles]
        if any(every.count(tile) > 4 for tile in every):
            return None
        self.chance.shuffle(own)
        win, hand = own[0], tuple(own[1:])
        sources: list[Source] = ["self_draw", "discard", "discard"]
        if any(meld.is_kong for meld in melds):
            sources.append("kong_replacement")
        if win not in hand and all(win not in meld.tiles for meld in melds):
            sources.append("rob_kong")
        source = self.chance.choice(sources)
        winner = Winner(
            seat,
            hand,
            win,
            source,
            tuple(melds),
            None if source in ("self_draw", "kong_replacement") else 1 - seat,
            first_turn=self.chance.random() < 0.3,
            ready_before=self.chance.random() < 0.2,
            last_of_kind=self.chance.random() < 0.3,
            flowers=parse_tiles(self.chance.choice(("", "12f", "1234f", "5678f", "12345678f"))),
        )
        last = source in ("self_draw", "discard") and self.chance.random() < 0.1
        return winner, TableFacts(dealer=self.chance.randrange(2), last_tile=last)


HANDS = list(TwoHands(8).hands(5000))


def judged(rules: Ruleset, winner: Winner, facts: TableFacts) -> Verdict:
    return judge_winner(rules, winner, facts).verdict


def total(rules: Ruleset, winner: Winner, facts: TableFacts) -> int:
    return dict(judged(rules, winner, facts).numbers)["total"]


@pytest.mark.parametrize("table", ["compact", "full"])
def test_points_add_up_and_nothing_included_is_counted(table: str) -> None:
    rules = ruleset("two_player", {"fan_table": table})
    excludes = {row.name: row.excludes for row in rules.fans}
    for winner, facts in HANDS[:800]:
        verdict = judged(rules, winner, facts)
        assert verdict.valid, winner
        names = {line.name for line in verdict.fans}
        assert dict(verdict.numbers)["total"] == sum(int(line.value) * line.count for line in verdict.fans)
        assert not any(names & set(excludes[name]) for name in names)  # type: ignore[arg-type]
        result = rules.judge([winner], facts)
        assert result.payments[2:] == (0, 0)
        assert result.payments[winner.seat] == -result.payments[1 - winner.seat] > 0


def test_an_including_row_comes_first() -> None:
    for rows in (COMPACT, FULL):
        place = {row.name: number for number, row in enumerate(rows)}
        for row in rows:
            for other in row.excludes:
                first = str(other) not in place or place[str(other)] > place[row.name]
                assert first or {row.name, other} == {"一色三同順", "三連刻"}, "those two never meet in one reading"
    assert set(ALSO_EXCLUDES) <= {row.name for row in COMPACT}
    assert {str(other) for row in FULL for other in row.excludes} <= {row.name for row in FULL}


UNSEEN_IN_FULL = {
    # the definitions exclude each other
    ("大四喜", "小三風"),
    ("小四喜", "小三風"),
    ("大三風", "小三風"),
    ("字一色", "混一色"),
    ("字一色", "混幺九"),
    ("不求人", "門前清"),
    # one reading cannot hold both: its sets are chows or pungs, or it is seven pairs
    ("一色四同順", "三連刻"),
    ("一色四同順", "七對"),
    ("一色雙龍會", "七對"),
    ("四連刻", "一色三同順"),
    ("四連刻", "一般高"),
    ("一色三同順", "三連刻"),
    ("三連刻", "一色三同順"),
    ("三連刻", "一般高"),
    # the account-once function already ties the chows that the bigger fan uses
    ("一色四同順", "一般高"),
    ("一色三同順", "一般高"),
    ("一色四步高", "連六"),
    ("一色四步高", "老少副"),
    ("清龍", "連六"),
    ("清龍", "老少副"),
    # seven pairs have no set that waits
    ("連七對", "單釣將"),
    ("大七星", "單釣將"),
    ("三元七對", "單釣將"),
    ("四喜七對", "單釣將"),
    ("七對", "單釣將"),
    # these hands are concealed, so a self-draw is 不求人, which has already included 自摸
    ("地胡", "自摸"),
    ("大七星", "自摸"),
    ("三元七對", "自摸"),
    ("四喜七對", "自摸"),
    ("七對", "自摸"),
    # four triplets of honours hold a dragon, whose 箭刻 includes 幺九刻, or are 大四喜, which does too
    ("字一色", "幺九刻"),
    ("四字刻", "幺九刻"),
}
"""Exclusions that the public list prints and no hand can show."""


def mutated(row: Fan, changed: Fan) -> Ruleset:
    return replace(FULL_RULES, fans=tuple(changed if one is row else one for one in FULL_RULES.fans))


@pytest.fixture(scope="module")
def full() -> list[tuple[Winner, TableFacts, Verdict]]:
    return [(winner, facts, judged(FULL_RULES, winner, facts)) for winner, facts in HANDS]


def test_changing_any_value_of_the_full_list_changes_a_total(full: list[tuple[Winner, TableFacts, Verdict]]) -> None:
    for row in FULL_RULES.fans:
        hands = [one for one in full if row.name in {line.name for line in one[2].fans}][:3]
        rules = mutated(row, replace(row, value=row.value + 1))
        assert any(total(rules, *one[:2]) != dict(one[2].numbers)["total"] for one in hands), row.name


def test_dropping_any_exclusion_of_the_full_list_changes_a_total(
    full: list[tuple[Winner, TableFacts, Verdict]],
) -> None:
    unseen = set()
    for row in FULL_RULES.fans:
        for other in row.excludes:
            hands = [one for one in full if any((n.by, n.name) == (row.name, other) for n in one[2].not_counted)]
            rules = mutated(row, replace(row, excludes=tuple(one for one in row.excludes if one != other)))
            if all(total(rules, *one[:2]) == dict(one[2].numbers)["total"] for one in hands):
                unseen.add((row.name, str(other)))
    assert unseen == UNSEEN_IN_FULL

"""四川麻將: the battle as a fold, and what cannot be (docs/rules/sichuan.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import RulesInputError
from rules.model import KongPaid, Meld, TableFacts, Winner
from rules.question import Event
from rules.questions import answer
from rules.registry import ruleset
from rules.rulesets.sichuan_battle import Battle, after, handed_over, unit_of
from rules.tiles import parse_tile, parse_tiles
from rules.waits import waits
from tests.plain_oracle import dealt_wins, sichuan

PLAIN = Winner(1, parse_tiles("234567m45s99m"), parse_tile("6s"), "discard", (Meld.parse("peng", "888s", 3),), 0)
FACTS = TableFacts(wall_left=30)


def ask(kind: str, **question: Any) -> dict[str, Any]:
    return answer({"ruleset": "sichuan", "kind": kind, **question})


@pytest.mark.parametrize(
    ("winner", "facts", "sentence"),
    [
        (replace(PLAIN, melds=(Meld.parse("chi", "678s", 0),)), FACTS, "四川 has no chow"),
        (PLAIN, replace(FACTS, out=(1,)), "seat 1 has already won"),
        (PLAIN, replace(FACTS, out=(0,)), "seat 0 has already won"),
        (replace(PLAIN, source="sea_bottom", from_seat=None), FACTS, "sichuan has no win by sea_bottom"),
    ],
)
def test_impossible_wins_are_one_sentence(winner: Winner, facts: TableFacts, sentence: str) -> None:
    with pytest.raises(RulesInputError, match=sentence):
        ruleset("sichuan").judge([winner], facts)


WIN = {"type": "win", "seat": 1, "source": "discard", "from": 0, "fan": 1}


@pytest.mark.parametrize(
    ("kind", "question", "sentence"),
    [
        ("kong", {"events": [{"type": "kong_open", "by": 2}]}, "name the player who discarded"),
        ("kong", {"events": [{"type": "peng", "by": 2}]}, "peng is no kong"),
        ("kong", {"events": [{"type": "kong_added", "by": 2}], "state": {"out": [2]}}, "makes and feeds no kong"),
        ("session", {"events": [WIN, WIN]}, "already won"),
        ("session", {"events": [{**WIN, "fan": 0}]}, "at least one fan"),
        ("session", {"events": [{**WIN, "source": "self_draw"}]}, "do not fit"),
        ("session", {"events": [{"type": "leave", "seat": 2}]}, "only a winner may leave"),
        ("session", {"events": [WIN, {**WIN, "seat": 2, "from": 3}], "options": {"mode": "single"}}, "already over"),
        ("session", {"events": [WIN, {"type": "kong_added", "by": 2}], "options": {"mode": "single"}}, "already over"),
        ("draw", {"state": {"out": [0, 1, 2]}}, "over before the wall was empty"),
        ("draw", {"state": {"out": [0]}, "options": {"mode": "single"}}, "over before the wall was empty"),
        ("draw", {"state": {}}, "seat 0"),
        ("draw", {"state": {"players": {"0": {"hand": "123m456m789m11s222p"}}}}, "one tile short"),
        ("claim", {"events": [{"discard": "6s", "from": 0, "wants": {"1": "chi"}}]}, "no chow"),
        (
            "dealer",
            {"events": [{"result": "win"}], "options": {"mode": "single"}},
            "needs the winner, or the discarder",
        ),
        ("hand", {"state": {"players": {"1": {"void": "z"}}}}, "one of m, p, s"),
    ],
)
def test_impossible_questions_are_one_sentence(kind: str, question: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RulesInputError, match=sentence):
        ask(kind, **question)


def test_the_unit_doubles_with_each_fan_up_to_the_cap() -> None:
    assert [unit_of(ruleset("sichuan").chosen, fan) for fan in range(1, 9)] == [6, 12, 24, 48, 96, 192, 192, 192]
    uncapped = ruleset("sichuan", {"fan_cap": None, "base": 1}).chosen
    assert [unit_of(uncapped, fan) for fan in range(1, 10)] == [1, 2, 4, 8, 16, 32, 64, 128, 256]


def test_waits_give_each_tile_with_its_unit_and_unseen_copies() -> None:
    holder = replace(PLAIN, win_tile=None)
    found = waits(ruleset("sichuan"), holder, FACTS, seen=parse_tiles("36s6s"))
    assert [(wait.tile, wait.value, wait.unseen) for wait in found] == [
        (parse_tile("3s"), 6, 3),
        (parse_tile("6s"), 6, 2),
    ]


# ---------------------------------------------------------------- the battle

SEATS = st.integers(0, 3)
EVENTS = st.lists(
    st.one_of(
        st.fixed_dictionaries({"type": st.just("win"), "seat": SEATS, "from": SEATS, "fan": st.integers(1, 8)}),
        st.fixed_dictionaries({"type": st.just("win"), "seat": SEATS, "fan": st.integers(1, 8)}),
        st.fixed_dictionaries({"type": st.sampled_from(["kong_concealed", "kong_added"]), "by": SEATS}),
        st.fixed_dictionaries({"type": st.just("kong_open"), "by": SEATS, "from": SEATS}),
    ),
    max_size=10,
)


def possible(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events that can follow one another: nobody plays on after his win, nor anybody after the third."""
    out: list[int] = []
    kept = []
    for event in events:
        seats = [event[key] for key in ("seat", "by", "from") if key in event]
        if len(out) < 3 and len({*seats}) == len(seats) and not {*seats} & {*out}:
            source = "discard" if "from" in event else "self_draw"
            kept.append({**event, "source": source} if event["type"] == "win" else event)
            out += [event["seat"]] if event["type"] == "win" else []
    return kept


@given(EVENTS)
def test_a_battle_moves_money_and_never_makes_any(events: list[dict[str, Any]]) -> None:
    played = possible(events)
    reply = ask("session", events=played)
    assert sum(reply["payments"]) == 0
    winners = [event["seat"] for event in played if event["type"] == "win"]
    assert reply["hand_over"] == (len(winners) == 3)
    if played and played[-1]["type"] == "win" and len(winners) < 3:
        assert reply["next_turn"] not in winners


@given(EVENTS)
def test_a_battle_is_the_sum_of_its_moments(events: list[dict[str, Any]]) -> None:
    """Kongs asked one by one and wins one by one give what the session gives."""
    played = possible(events)
    out: list[int] = []
    total = [0, 0, 0, 0]
    for event in played:
        kind = "session" if event["type"] == "win" else "kong"
        part = ask(kind, state={"out": out}, events=[event])["payments"]
        total = [old + new for old, new in zip(total, part, strict=True)]
        out += [event["seat"]] if event["type"] == "win" else []
    assert ask("session", events=played)["payments"] == total


@given(EVENTS)
def test_refunds_undo_all_kong_money_of_the_unready(events: list[dict[str, Any]]) -> None:
    """At an empty wall with nobody ready and no pig every kong payment comes back."""
    battle = Battle()
    for number, event in enumerate(possible([one for one in events if one["type"] != "win"]), start=1):
        battle = after(ruleset("sichuan").chosen, battle, Event(event, number))
    ledger = [
        {"by": kong.by, "type": kong.kind, "paid": {str(seat): amount for seat, amount in kong.paid}}
        for kong in battle.ledger
    ]
    hands = {"hand": "1379m1379p24688p"}
    reply = ask("draw", state={"players": {str(seat): hands for seat in range(4)}, "kong_ledger": ledger})
    assert reply["pigs"] == []
    assert reply["not_ready"] == [0, 1, 2, 3]
    assert reply["hand_total"] == [0, 0, 0, 0]


@given(st.integers(1, 200), st.lists(SEATS.filter(lambda seat: seat != 2), min_size=1, max_size=3, unique=True))
def test_the_whole_kong_money_is_handed_over(amount: int, winners: list[int]) -> None:
    options = ruleset("sichuan", {"transfer_on_kong_discard": True}).chosen
    ledger = (KongPaid(2, "kong_open", ((0, amount),)),)
    paid = handed_over(options, 2, winners, ledger)
    assert sum(one.amount for one in paid) == amount
    assert all(one.payer == 2 and one.payee in winners for one in paid)


def test_everybody_is_asked_who_has_the_hand_only_where_it_is_known() -> None:
    reply = ask("claim", events=[{"discard": "6s", "from": 0, "can_win": [2]}], state={"wall_left": 1})
    assert (reply["claim_goes_to"], reply["forced"], reply["payments"]) == (2, True, [0, 0, 0, 0])


def test_random_hands_have_the_fans_of_a_second_calculation() -> None:
    rules, seen = ruleset("sichuan"), set()
    for winner in dealt_wins(2000, chows=False):
        verdict = rules.judge([winner], TableFacts()).winners[0]
        fan = dict(verdict.numbers)["fan"] if verdict.valid else None
        assert fan == sichuan(winner), winner
        seen.add(fan)
    assert seen == {None, 1, 2, 3, 4, 5, 6}

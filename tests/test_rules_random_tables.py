"""Who pays what at random tables of Jiaxing and Wuhan, calculated a second time from the clauses alone."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rules.model import Meld, PlayerFacts, TableFacts, Win, Winner
from rules.registry import ruleset
from rules.tiles import parse_tile, parse_tiles


def others(seat: int) -> list[int]:
    return [other for other in range(4) if other != seat]


def jiaxing_payments(unit: int, winner: Winner, facts: TableFacts, everybody: bool) -> list[int]:
    """Partner 5, whoever touches a contract 2, else 1; a robbed kong adds 3 and takes the plain shares away."""
    paid = [0] * 4
    bound = {seat for pair in facts.contracts for seat in pair}
    for loser in others(winner.seat):
        partners = {winner.seat, loser} in [set(pair) for pair in facts.contracts]
        times = 5 if partners else 2 if {winner.seat, loser} & bound else 0
        if everybody:
            times = times or 1
        elif loser == winner.from_seat:
            times += 3 if winner.source == "rob_kong" else 1
        if loser not in facts.quit:
            paid[loser] -= times * unit
            paid[winner.seat] += times * unit
    return paid


def test_contracts_quitters_and_robbed_kongs_of_jiaxing() -> None:
    chance = random.Random(3)
    for _ in range(1500):
        source = chance.choice(["self_draw", "rob_kong", "discard"])
        discard_win = chance.choice(["all_pay", "discarder_only"])
        a, b, c, d = chance.sample(range(4), 4)
        contracts = chance.choice([(), ((a, b),), ((a, b), (c, d)), ((a, b), (a, c))])
        free = [seat for seat in range(4) if contracts and not any(seat in pair for pair in contracts)]
        quitters = tuple(seat for seat in free if chance.random() < 0.4)
        seat = chance.choice([seat for seat in range(4) if seat not in quitters])
        feeder = None if source == "self_draw" else chance.choice(others(seat))
        tiles = parse_tiles("23456789m111z55z")
        winner = Winner(seat, tiles, parse_tile("1m"), source, from_seat=feeder)  # type: ignore[arg-type]
        facts = TableFacts(chance.randrange(4), chance.randrange(4), wild=parse_tile("9p"))
        facts = TableFacts(facts.round_wind, facts.dealer, wild=facts.wild, contracts=contracts, quit=quitters)
        result = ruleset("jiaxing", {"discard_win": discard_win}).judge([winner], facts)
        unit = dict(result.winners[0].numbers)["unit"]
        everybody = source == "self_draw" or (source == "discard" and discard_win == "all_pay")
        assert list(result.payments) == jiaxing_payments(unit, winner, facts, everybody), (winner, facts)


HANDS = (
    ("123s456s78m22s", "9m", (("peng", "333p"),)),
    ("78m22m", "9m", (("peng", "333m"), ("chi", "456m"), ("kong_open", "1111m"))),
    ("2p", "2p", (("peng", "333p"), ("chi", "456s"), ("kong_added", "1111m"), ("kong_open", "9999m"))),
    ("22255588m44m", "8m", (("kong_open", "7777m"),)),
)


def factor(options: dict[str, Any], kinds: tuple[str, ...], opened: bool, reds: int, wilds: int) -> int:
    """Openings, kongs, 紅中 and 癩子 of one player."""
    concealed = kinds.count("kong_concealed")
    openings = len(kinds) - concealed or int(opened)
    times = openings if options["mode"] == "koukou" else min(1, openings)
    exposed = kinds.count("kong_open") + kinds.count("kong_added")
    value: int = 2 ** (times + exposed + reds) * 4**concealed * options["lz_kong_factor"] ** wilds
    return value


def wuhan_payments(
    win: Win, winner: Winner, facts: TableFacts, options: dict[str, Any]
) -> tuple[list[int], int | None]:
    """What each pays, and who pays for all."""
    names = [line.name for line in win.fans]
    big = sum(line.value == 10 for line in win.fans)
    kinds = tuple(meld.kind for meld in winner.melds)
    product = Fraction(10 * big or 1) * factor(options, kinds, False, winner.hz_kongs, 0) * 2  # hard
    product *= (Fraction(3, 2) if big else 2) if winner.source == "self_draw" else 1
    owed = {}
    for loser in others(winner.seat):
        player = facts.player(loser)
        share = product * factor(options, player.kongs, player.opened is True, player.hz_kongs, player.lz_kongs)
        if winner.source == "discard" and loser == winner.from_seat:
            share *= Fraction(3, 2) if big else 2
        owed[loser] = share * (2 if not big and facts.dealer in (winner.seat, loser) else 1)
    if options["caps"]:
        usual, golden, koukou = options["caps"]
        all_reach = min(owed.values()) >= usual
        most = (koukou if options["mode"] == "koukou" else golden) if all_reach else usual
        owed = {loser: min(share, most) for loser, share in owed.items()}
    opens = [meld.source_seat for meld in winner.melds if meld.kind != "kong_concealed"]
    bearer = None
    if options["liability"]:
        fed = winner.source == "discard" and "全求人" in names and not facts.player(winner.from_seat or 0).ready
        if winner.source == "rob_kong" or fed:
            bearer = winner.from_seat
        elif "清一色" in names and len(opens) >= 3:
            bearer = opens[2]
    paid = [0] * 4
    for loser, share in owed.items():
        paid[loser if bearer is None else bearer] -= int(share)
        paid[winner.seat] += int(share)
    return paid, bearer


def test_factors_caps_and_liability_of_wuhan() -> None:
    chance = random.Random(4)
    bearers = set()
    for _ in range(1500):
        options = {
            "mode": chance.choice(["kaikou", "koukou"]),
            "caps": chance.choice([None, [300, 400, 500], [50, 80, 100]]),
            "liability": chance.random() < 0.7,
            "lz_kong_factor": chance.choice([2, 4]),
        }
        seat, (hand, tile, laid) = chance.randrange(4), chance.choice(HANDS)
        source = chance.choice(["self_draw", "discard"] + ["rob_kong"] * (tile == "9m"))
        feeder = None if source == "self_draw" else chance.choice(others(seat))
        melds = tuple(
            Meld.parse(kind, tiles, (seat - 1) % 4 if kind == "chi" else chance.choice(others(seat)))  # type: ignore[arg-type]
            for kind, tiles in laid
        )
        players = tuple(
            (
                other,
                PlayerFacts(
                    kongs=tuple(chance.sample(["kong_open", "kong_added", "kong_concealed"], chance.randrange(3))),
                    opened=chance.random() < 0.5,
                    ready=chance.random() < 0.5,
                    hz_kongs=chance.choice([0, 0, 1]),
                    lz_kongs=chance.choice([0, 0, 1]),
                ),
            )
            for other in others(seat)
        )
        facts = TableFacts(dealer=chance.randrange(4), flip=parse_tile("4p"), players=players)
        winner = Winner(seat, parse_tiles(hand), parse_tile(tile), source, melds, feeder, hz_kongs=chance.randrange(2))  # type: ignore[arg-type]
        result = ruleset("wuhan", options).judge([winner], facts)
        win = result.winners[0]
        assert isinstance(win, Win)
        paid, bearer = wuhan_payments(win, winner, facts, options)
        assert (list(result.payments), dict(result.extras)["liable"]) == (paid, bearer), (winner, facts, options)
        bearers.add(bearer)
    assert bearers == {None, 0, 1, 2, 3}

"""Sixteen hands of every ruleset by commands alone, against the answers of the rules questions themselves.

The test keeps its own account of dealer, winds, waiting fans and points, asks `rules.questions.answer` what each hand
pays and who deals next, and compares.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import pytest

from rules import registry
from rules.questions import answer
from table.rulebook import Seating, open_rulebook
from table.snapshot import Snapshot
from table.view import Live, snapshot
from tests.table_kit import NAMES, UNREADY, Desk, opened, view

FLUSH = {"hand": "123456789m123m5m", "win_tile": "5m"}
LONG_FLUSH = {"hand": "123456789m123456m5m", "win_tile": "5m"}
MORE_FLUSHES = (
    {"hand": "46m66m789m789m123m", "win_tile": "5m"},
    {"hand": "123456789p123p5p", "win_tile": "5p"},
    {"hand": "46p66p789p789p123p", "win_tile": "5p"},
)
"""For those who win after the first: no tile lies more than four times in all of them."""
WITH_KONG = {
    "hand": "123s456s678s5m",
    "melds": [{"kind": "kong_concealed", "tiles": "9999s", "from_seat": None}],
    "win_tile": "5m",
}
"""The hand of whoever was paid for a kong: it must be seen in it."""

READY = "123456789m123p5s"
UNREADY_WITH_KONG = "1247m124578s"
"""Beside that kong."""

TURNED = ("3p", "1z", "4s", "7z")
VARIANTS: tuple[tuple[str, dict[str, Any]], ...] = (
    *((rules.name, {}) for rules in registry.RULESETS),
    ("sichuan", {"mode": "single"}),
    ("sichuan", {"dingque": True}),
    ("jiaxing", {"discard_win": "all_pay", "service_fee": 3}),
    ("wuhan", {"check_ready_at_draw": True}),
    ("fujian", {"hand_size": 13, "mode": "successor"}),
    ("changsha", {"bird_count": 0, "start_win": "ends_hand"}),
    ("popular", {"wall_stacks": 15}),
)


@dataclass
class Evening:
    """A table, and beside it an account of its own."""

    name: str
    options: dict[str, Any]
    desk: Desk = field(default_factory=Desk)
    dealer: int = 0
    wind: str = "E"
    streak: int = 0
    carry: list[str] = field(default_factory=list)
    prev_wild: str | None = None
    totals: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    played: int = 0
    kongs: int = 0
    laid: dict[int, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Open the game with another first dealer than seat 0."""
        self.rules = registry.ruleset(self.name, self.options)
        self.book = open_rulebook(self.name, self.options)
        self.places = self.book.places
        self.first = self.dealer = self.places[1]
        names = NAMES[: len(self.places)]
        self.desk.must("open_game", ruleset=self.name, options=self.options, names=list(names), first_dealer=self.first)

    @property
    def view(self) -> Snapshot:
        """The pages now."""
        return snapshot(self.desk.state, Live(), self.book)

    # --- asking the rules -------------------------------------------------------------------------------------------

    def inside(self, seat: int) -> int:
        """The seat as the rules call it."""
        return self.places.index(seat)

    def ask(self, kind: str, state: dict[str, Any], **more: Any) -> dict[str, Any]:
        """One question, with the account of this test as its facts."""
        known = {
            "dealer": self.inside(self.dealer),
            "first_dealer": self.inside(self.first),
            "round_wind": self.wind,
            "streak": self.streak,
            **({"carry_in": self.carry} if self.carry else {}),
            **({"prev_wild": self.prev_wild} if self.prev_wild else {}),
        }
        question = {"ruleset": self.name, "options": self.options, "kind": kind, "state": {**known, **state}, **more}
        return answer(question)

    def paid(self, payments: Any) -> list[int]:
        """Payments of the rules by the seats of the table."""
        by_seat = [0, 0, 0, 0]
        for place, seat in enumerate(self.places):
            by_seat[seat] = payments[place]
        return by_seat

    # --- playing ----------------------------------------------------------------------------------------------------

    def begin(self, number: int) -> dict[str, Any]:
        """Dice and turned tile; the facts that the rules need of them."""
        self.laid.clear()
        facts: dict[str, Any] = {}
        throws = [[1 + number % 6, 1 + number // 2 % 6], [2, 3]]
        while (due := self.view.dice_next) is not None:
            throw = throws.pop(0)
            if due.why == "break1":
                if self.desk.state.setup is not None and self.desk.state.setup.dealer_open:
                    self.dealer = self.next_dealer({"result": "draw"}, {"dice": throw})["next_dealer"]
                if self.name == "jiaxing":
                    facts["dice"] = throw
            self.desk.must("dice", values=throw)
        assert self.desk.state.started
        for need in self.view.hand.needs if self.view.hand else ():
            assert need.id == "flip"
            facts["flip"] = TURNED[number % 4]
            self.desk.must("turn_tile", tile=facts["flip"])
        return facts

    def claim(self, seat: int, feeder: int | None) -> None:
        """One player claims and shows a flush; every question is answered by its first choice."""
        source = "self_draw" if feeder is None else "discard"
        self.desk.must("claim_win", seat=seat, source=source, from_seat=feeder)
        self.desk.must("hand_manual", **self.hand(seat))
        for _ in range(12):
            shown = self.view.claim
            assert shown is not None
            if not shown.questions:
                return
            question = shown.questions[0]
            if question.choices and question.id != "birds":
                self.desk.must(**question.choices[0].command)
            else:
                assert question.pick is not None, question
                self.desk.must(**dict[str, Any](question.pick), tile="2s")
        raise AssertionError(shown)

    def hand(self, seat: int) -> dict[str, Any]:
        """A flush that this ruleset takes for a win."""
        if self.name == "wuhan":
            upper = (seat - 1) % 4
            return {"hand": "123456789m5m", "melds": [{"kind": "chi", "tiles": "123m", "from_seat": upper}],
                    "win_tile": "5m"}  # fmt: skip
        if self.book.hand_tiles == 17:
            return LONG_FLUSH
        if self.kongs and "kong" in self.rules.answers and seat == self.places[-1]:
            return self.laid.setdefault(seat, WITH_KONG)
        return self.laid.setdefault(seat, (FLUSH, *MORE_FLUSHES)[len(self.laid)])

    def winner(self, seat: int, feeder: int | None) -> dict[str, Any]:
        """The same as the rules ask it."""
        laid = self.hand(seat)
        melds = [
            {"type": one["kind"], "tiles": one["tiles"], "from": one["from_seat"]} for one in laid.get("melds", ())
        ]
        return {
            "seat": self.inside(seat),
            "hand": laid["hand"],
            "melds": melds,
            "win_tile": laid["win_tile"],
            "source": "self_draw" if feeder is None else "discard",
            "from_seat": None if feeder is None else self.inside(feeder),
        }

    def kong(self, seat: int, out: list[int]) -> tuple[list[int], dict[str, Any] | None]:
        """A concealed kong: what it pays at once, and its line of the kong ledger."""
        self.desk.must("kong", seat=seat, meld_kind="kong_concealed", tile="7z" if self.name == "two_player" else "9s")
        self.kongs += 1
        if self.view.wall is not None and self.view.wall.die_due:
            self.desk.must("dice", values=[3])
            assert self.view.wall is not None
            assert not self.view.wall.die_due
        if "kong" not in self.rules.answers:
            return [0, 0, 0, 0], None
        event = {"type": "kong_concealed", "by": self.inside(seat)}
        paid = self.ask("kong", {"out": out}, events=[event])["payments"]
        return self.paid(paid), {"by": seat, "type": "kong_concealed",
                                 "paid": {str(s): -p for s, p in enumerate(paid) if p < 0}}  # fmt: skip

    def next_dealer(self, event: dict[str, Any], state: dict[str, Any] | None = None) -> dict[str, Any]:
        """Who deals next, by the rules; the first dealer is seat 0 there, as in every count of rounds."""
        size = len(self.places)
        start = self.inside(self.first)

        def turned(seat: int) -> int:
            return (self.inside(seat) - start) % size

        asked = {**event, "winners": [turned(seat) for seat in event.get("winners", [])]}
        if event.get("from") is not None:
            asked["from"] = turned(event["from"])
        known = {"dealer": turned(self.dealer), "first_dealer": 0, **(state or {})}
        said = self.ask("dealer", known, events=[asked])
        if said["next_dealer"] is not None:
            said["next_dealer"] = self.places[(said["next_dealer"] + start) % size]
        return said

    def after(self, event: dict[str, Any], paid: list[int], carry: Any, wild: str | None) -> None:
        """Close the account of a hand and compare it with the table."""
        said = self.next_dealer(event)
        setup, was = self.desk.state.setup, self.dealer
        self.totals = [have + more for have, more in zip(self.totals, paid, strict=True)]
        assert self.desk.by_seat == self.totals
        assert sum(self.totals) == 0
        self.played += 1
        self.kongs = 0
        if self.desk.state.finished:
            return
        assert setup is not None
        self.dealer = was if said["next_dealer"] is None else said["next_dealer"]
        self.wind, self.streak = said.get("next_round", self.wind), said.get("streak_out", 0)
        self.carry, self.prev_wild = list(carry or ()), wild
        assert (setup.dealer, setup.round_wind, setup.streak) == (self.dealer, self.wind, self.streak)
        assert list(setup.carry) == self.carry
        assert setup.dealer_open == (said["next_dealer"] is None)

    def wild(self, facts: dict[str, Any]) -> str | None:
        """The wildcard of the hand."""
        if "flip" not in facts:
            return None
        return str(self.ask("wild", {"flips": [facts["flip"]]})["wilds"][0])


def stated(evening: Evening, facts: dict[str, Any], seat: int) -> dict[str, Any]:
    """The facts that the answers given in `claim` add."""
    more: dict[str, Any] = {}
    if evening.desk.state.game is not None and evening.desk.state.game.customs.birds:
        more["birds"] = "2s" * evening.desk.state.game.customs.birds
    if evening.name == "wuhan":
        more["players"] = {str(other): {"opened": True} for other in range(4) if other != seat}
        if evening.kongs:
            kong = {"type": "kong_concealed", "tiles": "9999s", "from": None}
            more["players"].setdefault("3", {})["melds"] = [kong]
    if evening.options.get("dingque"):
        more["players"] = {str(seat): {"void": "m"}}
    return {**facts, **more}


def play_wins(evening: Evening, wins: list[tuple[int, int | None]]) -> None:
    """One stage: the same tile for all of `wins`."""
    desk = evening.desk
    for seat, feeder in wins:
        evening.claim(seat, feeder)
    for place in range(len(wins)):
        before = desk.state.totals
        desk.must("approve")
        if place + 1 < len(wins):
            assert desk.state.totals == before


@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=lambda value: value if isinstance(value, str) else "")
def test_an_evening(name: str, options: dict[str, Any]) -> None:
    evening = Evening(name, options)
    desk, places = evening.desk, evening.places
    several = desk.state.game is not None and desk.state.game.customs.several
    on_discard = name != "jiaxing" or options.get("discard_win", "no") != "no"
    dingque = bool(options.get("dingque"))
    for number in range(1, 17):
        facts = evening.begin(number)
        paid, ledger, seat = [0, 0, 0, 0], [], places[number % len(places)]
        if number % 3 == 0:
            paid, line = evening.kong(places[-1], [])
            ledger = [line] if line else []
        if number % 4 == 0:
            draw(evening, facts, paid, ledger)
            continue
        feeder = places[(places.index(seat) + 1) % len(places)] if number % 2 and on_discard else None
        wins = [(seat, feeder)]
        if number % 5 == 0 and several and feeder is not None:
            wins.append((places[(places.index(feeder) + 1) % 4], feeder))
        if dingque:  # a flush of the suit given up is no win
            draw(evening, facts, paid, ledger)
            continue
        play_wins(evening, wins)
        state = {**stated(evening, facts, seat), **({"kong_ledger": ledger} if ledger else {})}
        said = evening.ask("hand", state, winners=[evening.winner(*win) for win in wins])
        assert said["valid"], said
        paid = [have + more for have, more in zip(paid, evening.paid(said["payments"]), strict=True)]
        event = {"result": "win", "winners": [one for one, _ in wins], "from": feeder,
                 "source": "self_draw" if feeder is None else "discard"}  # fmt: skip
        if desk.state.started:
            assert "session" in evening.book.answers
            assert desk.state.paid_so_far == tuple(paid)
            paid = battle_on(evening, paid, ledger, [one for one, _ in wins])
        evening.after(event, paid, said.get("carry_out"), evening.wild(facts))
    assert evening.played == 16
    assert len(desk.state.hands) == 16
    assert desk.state.finished == (name == "gb")
    correct_and_back(evening)


def draw(evening: Evening, facts: dict[str, Any], paid: list[int], ledger: list[Any]) -> None:
    """The wall is empty: the players show what the rules want to see."""
    shows = evening.view.hand.shows_at_draw if evening.view.hand else ""
    players: dict[str, dict[str, Any]] = {}
    if shows == "hands":
        players = {str(seat): {"hand": UNREADY[seat - 1] if seat else READY} for seat in range(4)}
    if shows == "ready":
        players = {str(seat): {"ready": seat == 1, "opened": True} for seat in range(4)}
    laid = {str(side.seat) for side in evening.desk.state.sides} if shows == "hands" else set()
    players |= {seat: {"hand": UNREADY_WITH_KONG} for seat in laid}
    given_up = {seat: {"void": "m"} for seat in players} if evening.options.get("dingque") else {}
    melds = {seat: {"melds": [{"type": "kong_concealed", "tiles": "9999s", "from": None}]} for seat in laid}
    known = {seat: {**hand, **given_up.get(seat, {}), **melds.get(seat, {})} for seat, hand in players.items()}
    players |= {seat: {**players[seat], "melds": [{"kind": "kong_concealed", "tiles": "9999s"}]} for seat in laid}
    state = {**facts, **({"kong_ledger": ledger} if ledger else {}), **({"players": known} if known else {})}
    said = evening.ask("draw", state)
    if shows:
        assert evening.desk.refused("draw_hand") == "draw_shows"
    for seat, stated in given_up.items():
        evening.desk.must("declare", seat=int(seat), what="void", suit=stated["void"])
    evening.desk.must("draw_hand", players=players)
    paid = [have + more for have, more in zip(paid, evening.paid(said["payments"]), strict=True)]
    evening.after({"result": "draw"}, paid, said.get("carry_out"), evening.wild(facts))


def battle_on(evening: Evening, paid: list[int], ledger: list[Any], out: list[int]) -> list[int]:
    """The battle goes on: those who have won cannot win again; others win until three have."""
    desk = evening.desk
    assert desk.refused("claim_win", seat=out[0], source="self_draw") == "seat_out"
    while desk.state.started:
        seat = next(one for one in evening.places if one not in out)
        play_wins(evening, [(seat, None)])
        state = {"out": list(out), **({"kong_ledger": ledger} if ledger else {})}
        said = evening.ask("hand", state, winners=[evening.winner(seat, None)])
        paid = [have + more for have, more in zip(paid, evening.paid(said["payments"]), strict=True)]
        out.append(seat)
    assert len(out) >= 3
    assert sorted(win.seat for win in desk.state.hands[-1].outcome.wins) == sorted(out)
    return paid


def correct_and_back(evening: Evening) -> None:
    """A hand that does not count after all moves the later ones, and taking that back restores everything."""
    desk = evening.desk
    before, setups = desk.state.totals, [played.setup for played in desk.state.hands]
    for number in (1, 6, 12):
        wanted = desk.must("correct_hand", hand_no=number, outcome="void", reason="a tile too many", preview=True)
        done = desk.must("correct_hand", hand_no=number, outcome="void", reason="a tile too many")
        assert done.changes == wanted.changes
        assert sum(desk.state.totals) == 0
        hands = desk.state.hands
        assert hands[number - 1].outcome.payments == (0, 0, 0, 0)
        for played, follower in pairwise(hands):
            if played.setup.hand_no >= number and not follower.setup.dealer_open and not played.setup.dealer_open:
                following = evening.book.following(played.setup, played.outcome, Seating(evening.first, rotate=False))
                assert following is not None
                if not following.dealer_open:
                    assert replace(follower.setup, dice_dealer=None) == following
        desk.must("undo_last")
        assert desk.state.totals == before
        assert [played.setup for played in desk.state.hands] == setups


@pytest.mark.parametrize(
    ("name", "options", "suits", "chows"),
    [
        ("sichuan", {}, "mps", False),
        ("changsha", {}, "mps", True),
        ("two_player", {}, "mzf", True),
        ("gb", {}, "mpszf", True),
        ("jiaxing", {}, "mpsz", True),
        ("two_player", {"tiles": "no_flowers"}, "mz", True),
    ],
)
def test_pages_are_told_which_tiles_and_melds_the_game_has(
    name: str, options: dict[str, Any], suits: str, chows: bool
) -> None:
    game = view(opened(name, **options)).game
    assert game is not None
    assert (game.suits, game.chows) == (suits, chows)

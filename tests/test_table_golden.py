"""The evenings worked out by hand (tests/golden/*_evening.txt), played at the table by commands alone.

Every payment, total, next dealer, round, streak and waiting fan must come out of the table as the file says.
"""

from __future__ import annotations

from typing import Any

import pytest

from table.rulebook import open_rulebook
from table.view import Live, snapshot
from tests.evening import Script, hands, state_of, winner
from tests.story import moments, shown, stories
from tests.table_kit import NAMES, Desk

EVENINGS = ("jiaxing", "wuhan", "fujian", "guangdong", "popular", "two_player", "beginner258")
STORIES = ("sichuan", "sichuan_single", "changsha")
TELLS = {"seat": "seat_won"}


class Player:
    """Plays what a file tells."""

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        self.book = open_rulebook(name, options)
        self.desk, self.places = Desk(), self.book.places
        names = list(NAMES[: len(self.places)])
        self.desk.must("open_game", ruleset=name, options=options, names=names)

    def seat(self, told: int | None) -> int | None:
        """The seat at the table of a seat in the file."""
        return None if told is None else self.places[told]

    def wins(self, winners: list[dict[str, Any]]) -> None:
        """One winner, or several of one tile: each is heard in turn until the hand is over."""
        for one in winners:
            seat, feeder = self.seat(one["seat"]), self.seat(one["from_seat"])
            self.desk.must("claim_win", seat=seat, source=one["source"], from_seat=feeder)
        told = {self.seat(one["seat"]): one for one in winners}
        for _ in winners:
            claim = self.desk.state.claim
            if claim is not None:
                self.show(told[claim.seat])
                judged = self.desk.state.claim
                assert judged is not None
                assert judged.verdict is not None
                self.desk.must("approve") if judged.verdict.valid else self.desk.must("reject", reason="no win")

    def show(self, winner: dict[str, Any]) -> None:
        """The hand of the claim that is heard is typed in with its circumstances."""
        melds = [
            {"kind": meld["type"], "tiles": meld["tiles"], "from_seat": self.seat(meld["from"])}
            for meld in winner["melds"]
        ]
        self.desk.must("hand_manual", hand=winner["hand"], win_tile=winner["win_tile"], melds=melds)
        known = ("seat", "hand", "win_tile", "source", "from_seat", "melds")
        more = {name: value for name, value in winner.items() if name not in known}
        if more:
            self.desk.must("set_facts", more=more)
        self.answer()

    def answer(self) -> None:
        """Nobody has opened who is not said to have; no more birds than were turned."""
        claim = snapshot(self.desk.state, Live(), self.book).claim
        for question in claim.questions if claim else ():
            assert question.id.startswith(("opened:", "birds")), question
            self.desk.must(**dict[str, Any](question.choices[-1].command))

    @property
    def paid(self) -> list[int]:
        """Totals as the file lists them: two players first."""
        totals = [self.desk.state.totals[seat] for seat in self.places]
        return [*totals, *[0] * (4 - len(totals))]


# --- evenings with one win a hand -----------------------------------------------------------------------------------


def begin(player: Player, script: Script) -> None:
    """What the file says of the beginning and the circumstances of a hand."""
    desk, state = player.desk, state_of(script, {})
    assert desk.state.setup is not None
    assert desk.state.setup.dealer == player.seat(state.pop("dealer"))
    assert desk.state.setup.round_wind == state.pop("round_wind", "E")
    assert desk.state.setup.streak == state.pop("streak", 0)
    dice = state.pop("dice", None)
    desk.must("dice", values=dice) if dice else desk.must("start_hand")
    if "flip" in state:
        desk.must("turn_tile", tile=state.pop("flip"))
    facts: dict[str, Any] = {}
    for name, value in state.items():
        if name in ("open_hand", "doubled"):
            first, second = (one == "1" for one in value.split())
            facts[name] = [first, False, second, False]
        elif name == "liable":
            by, whom, kind = value.split()
            desk.must("liable", feeder=int(by), beneficiary=int(whom), makes=kind)
        elif name == "passed":
            seat, _, tile = value.partition(":")
            desk.must("pass_win", seat=int(seat), tile=tile)
        elif name == "flowers" and len(player.places) == 2:
            facts[name] = [value[0], 0, value[1], 0]
        else:
            facts[name] = int(value) if isinstance(value, str) and value.isdigit() else value
    if facts:
        desk.must("hand_facts", facts=facts)


@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_as_worked_out_by_hand(name: str) -> None:
    player = Player(name, {})
    desk, goes_on = player.desk, False
    for script in hands(name):
        where = f"{name} hand {script.number}"
        before = player.paid
        if not goes_on:
            begin(player, script)
        goes_on = False
        if script.false_win_by is not None:
            desk.must("claim_win", seat=player.seat(script.false_win_by), source="self_draw")
            desk.must("reject", reason="no win", false_win=True)
            desk.must("draw_hand", void=True)
        elif script.winners:
            player.wins(script.winners)
        else:
            desk.must("draw_hand")
        paid = [now - then for now, then in zip(player.paid, before, strict=True)]
        assert paid == script.pays, where
        assert player.paid == script.totals, where
        setup = desk.state.setup
        assert setup is not None
        if script.next:
            assert setup.dealer == player.seat(int(script.next["dealer"])), where
            assert script.next.get("round", setup.round_wind) == setup.round_wind, where
            assert int(script.next.get("streak", setup.streak)) == setup.streak, where
            assert script.next.get("waiting", "-") == (" ".join(setup.carry) or "-"), where


# --- stories of several payments ------------------------------------------------------------------------------------


class Teller(Player):
    """Plays the moments of a hand: kongs, starting wins, wins, the wall's end."""

    sea_said: dict[str, Any]

    def tell(self, happened: list[str]) -> None:
        self.sea_said = {}
        for word, lines in moments(happened):
            getattr(self, TELLS.get(word, word.split("_")[0]))(lines)
        if self.desk.state.started:
            self.desk.must("draw_hand", **self.sea_said)

    def kong(self, lines: list[str]) -> None:
        kind, _, by, *more = lines[0].split()
        feeder = int(more[1]) if more[:1] == ["from"] else None
        self.desk.must("kong", seat=int(by), meld_kind=kind, from_seat=feeder)

    def dealt(self, lines: list[str]) -> None:
        for line in lines:
            seat, hand = line.split(" ", 2)[1:]
            self.desk.must("start_win", seat=int(seat[0]), hand=hand)

    def turned(self, lines: list[str]) -> None:
        self.desk.must("hand_facts", facts={"birds": "".join(lines[0].split()[1:]), "_no_more_birds": True})

    def false(self, lines: list[str]) -> None:
        self.desk.must("claim_win", seat=int(lines[0].split()[-1]), source="self_draw")
        self.desk.must("reject", reason="no win", false_win=True)

    def drawn(self, lines: list[str]) -> None:
        players = {seat: as_typed(player) for seat, player in map(shown, lines[1:])}
        self.desk.must("draw_hand", players=players)

    def sea(self, lines: list[str]) -> None:
        head, _, rest = lines[0].partition(": ")
        said, turn = rest.partition(";")[0].split(), int(head.split()[1])
        taken = "take" in said
        seat = (turn + said.index("take")) % 4 if taken else turn
        self.sea_said = {"sea": "taken_no_win" if taken else "all_refused", "sea_seat": seat}

    def replaced(self, lines: list[str]) -> None:
        self.sea_said = {"sea": "used_as_replacement", "sea_seat": int(lines[0].split()[-1])}

    def seat_won(self, lines: list[str]) -> None:
        self.wins([winner(line) for line in lines])


def as_typed(player: dict[str, Any]) -> dict[str, Any]:
    melds = [{"kind": one["type"], "tiles": one["tiles"], "from_seat": one["from"]} for one in player["melds"]]
    return {"hand": player["hand"], "melds": melds}


@pytest.mark.parametrize("name", STORIES)
def test_a_story_as_worked_out_by_hand(name: str) -> None:
    options, told = stories(name)
    teller = Teller(name.partition("_")[0], options)
    desk = teller.desk

    for story in told:
        where = f"{name} hand {story.number}"
        before = teller.paid
        assert desk.state.setup is not None
        if desk.state.setup.dealer_open:
            desk.must("dice", values=[int(one) for one in told[story.number - 2].next["dice"].split()])
        else:
            desk.must("start_hand")
        assert desk.state.setup.dealer == int(story.state["dealer"]), where
        teller.tell(story.happened)
        paid = [now - then for now, then in zip(teller.paid, before, strict=True)]
        assert paid == story.pays, where
        assert teller.paid == story.totals, where
        if not desk.state.setup.dealer_open:
            assert desk.state.setup.dealer == int(story.next["dealer"]), where

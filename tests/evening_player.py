"""Plays the evenings worked out by hand (tests/golden/*_evening.txt, evenings_after.txt) at a table, by commands alone.

`evening(name, desk)` yields after every hand what the file says and what the table says; whoever plays it compares.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from table.model import Seat
from table.rulebook import open_rulebook
from table.snapshot import Question
from table.view import Live, snapshot
from tests.evening import GOLDEN, Script, hands, state_of, winner
from tests.story import Story, moments, shown, stories
from tests.table_kit import NAMES, Desk

AFTER: Path = GOLDEN / "evenings_after.txt"
EVENINGS = (
    "gb",
    "gb_competition",
    "jiaxing",
    "wuhan",
    "fujian",
    "guangdong",
    "popular",
    "two_player",
    "beginner258",
)
STORIES = ("sichuan", "sichuan_single", "changsha")
TELLS = {"seat": "seat_won"}


@dataclass(frozen=True, slots=True)
class Moment:
    """A hand is over: what the file says came out of it, and what did."""

    where: str
    wanted: dict[str, Any]
    found: dict[str, Any]


def evening(name: str, desk: Desk) -> Iterator[Moment]:
    """The whole evening, hand by hand."""
    yield from (_story(name, desk) if name in STORIES else _hands(name, desk))
    yield from _after(name, desk)


@dataclass(slots=True)
class Player:
    """Plays what a file tells."""

    desk: Desk
    name: str
    options: dict[str, Any]
    mode: str = "friendly"
    places: tuple[Seat, ...] = ()
    sea_said: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Open the game."""
        self.places = open_rulebook(self.name, self.options).places
        names = list(NAMES[: len(self.places)])
        self.desk.must("open_game", ruleset=self.name, options=self.options, names=names, mode=self.mode)

    def seat(self, told: int | None) -> int | None:
        """The seat at the table of a seat in the file."""
        return None if told is None else self.places[told]

    def must(self, kind: str, **fields: Any) -> None:
        """A command; what only a referee may do, he does."""
        referee = self.mode == "competition" and kind in ("approve", "reject")
        self.desk.must(kind, role="referee" if referee else "tablet", **fields)

    def throw(self, values: list[int] | None) -> None:
        """The opening dice as the table reports them; one throw or two, as the game has it."""
        state = self.desk.state
        assert state.game is not None
        number = len(state.hands)
        for throw in range(state.game.customs.throws):
            dice = values or [1 + (number + throw) % 6, 1 + number // 3 % 6]
            key = f"A1.{number}{throw}"
            self.desk.must("dice", role="device", idem=f"table:{key}", values=dice, source="table", roll=key)

    # --- wins -------------------------------------------------------------------------------------------------------

    def wins(self, winners: list[dict[str, Any]]) -> None:
        """One winner, or several of one tile: each is heard in turn until the hand is over."""
        for one in winners:
            seat, feeder = self.seat(one["seat"]), self.seat(one["from_seat"])
            self.must("claim_win", seat=seat, source=one["source"], from_seat=feeder)
        told = {self.seat(one["seat"]): one for one in winners}
        for _ in winners:
            claim = self.desk.state.claim
            if claim is not None:
                self.show(dict(told[claim.seat]))
                judged = self.desk.state.claim
                assert judged is not None
                assert judged.verdict is not None
                self.must("approve") if judged.verdict.valid else self.must("reject", reason="no win")

    def show(self, winner: dict[str, Any]) -> None:
        """The hand of the claim that is heard: typed in, or a photo with a misread tile that is set right."""
        announced = winner.pop("announced", None)
        melds = [
            {"kind": meld["type"], "tiles": meld["tiles"], "from_seat": self.seat(meld["from"])}
            for meld in winner["melds"]
        ]
        if winner.pop("photo", None):
            seat = self.seat(winner["seat"])
            assert seat is not None
            assert winner["hand"].startswith("123")
            self.desk.show(seat, ("9" + winner["hand"][1:], winner["win_tile"]), doubts={0: "check"}, also={0: ["1m"]})
            self.must("fix_tile", index=0, tile="1m")
        else:
            laid = {"melds": melds, "flowers": winner.pop("flowers", "")}
            self.must("hand_manual", hand=winner["hand"], win_tile=winner["win_tile"], **laid)
        known = ("seat", "hand", "win_tile", "source", "from_seat", "melds")
        more = {name: value for name, value in winner.items() if name not in known}
        if more:
            self.must("set_facts", more=more)
        self.answer()
        if announced is not None:
            self.must("announce", points=announced)

    def answer(self) -> None:
        """Nobody has opened who is not said to have; no more birds than were turned; nothing that is not told."""
        while questions := self._questions():
            for question in questions:
                assert question.id.startswith(("opened:", "birds", "fact:")), question
                no = 0 if question.id == "fact:kong_feeder" else -1
                self.must(**dict[str, Any](question.choices[no].command))

    def _questions(self) -> tuple[Question, ...]:
        claim = snapshot(self.desk.state, Live(), open_rulebook(self.name, self.options)).claim
        return claim.questions if claim else ()

    @property
    def paid(self) -> list[int]:
        """Totals as the file lists them: two players first."""
        totals = [self.desk.state.totals[seat] for seat in self.places]
        return [*totals, *[0] * (4 - len(totals))]


# --- evenings with one win a hand -----------------------------------------------------------------------------------


def _hands(name: str, desk: Desk) -> Iterator[Moment]:
    ruleset, _, mode = name.partition("_") if name.startswith("gb") else (name, "", "")
    player, goes_on = Player(desk, ruleset, {}, mode or "friendly"), False
    for script in hands(name):
        before, found = player.paid, dict[str, Any]()
        if not goes_on:
            found |= _begin(player, script)
        goes_on = False
        if script.false_win_by is not None:
            player.must("claim_win", seat=player.seat(script.false_win_by), source="self_draw")
            player.must("reject", reason="no win", false_win=True)
            player.must("draw_hand", void=True)
        elif script.winners:
            player.wins(script.winners)
        else:
            player.must("draw_hand")
        yield _compared(f"{name} hand {script.number}", player, script, before, found)


def _compared(where: str, player: Player, script: Script, before: list[int], found: dict[str, Any]) -> Moment:
    setup = player.desk.state.setup
    assert setup is not None
    found |= {"pays": [now - then for now, then in zip(player.paid, before, strict=True)], "totals": player.paid}
    wanted: dict[str, Any] = {"pays": script.pays, "totals": script.totals}
    facts = {
        "dealer": str(player.places.index(setup.dealer)),
        "round": setup.round_wind,
        "streak": str(setup.streak),
        "waiting": " ".join(setup.carry) or "-",
    }
    found["next"] = {key: value for key, value in facts.items() if key in script.next}
    wanted["next"] = {key: value for key, value in script.next.items() if key in facts}
    given = state_of(script, {})
    wanted["begins"] = {
        "dealer": player.seat(given["dealer"]),
        "round_wind": given.get("round_wind", "E"),
        "streak": given.get("streak", 0),
    }
    return Moment(where, wanted, found)


def _begin(player: Player, script: Script) -> dict[str, Any]:
    """What the file says of the beginning and the circumstances of a hand; how the table began it."""
    desk, state = player.desk, state_of(script, {})
    setup = desk.state.setup
    assert setup is not None
    begins = {"dealer": setup.dealer, "round_wind": setup.round_wind, "streak": setup.streak}
    for known in ("dealer", "round_wind", "streak"):
        state.pop(known, None)
    player.throw(state.pop("dice", None))
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
    return {"begins": begins}


# --- stories of several payments ------------------------------------------------------------------------------------


class Teller(Player):
    """Plays the moments of a hand: kongs, starting wins, wins, the wall's end."""

    def tell(self, happened: list[str]) -> None:
        """The whole hand."""
        self.sea_said = {}
        for word, lines in moments(happened):
            getattr(self, TELLS.get(word, word.split("_")[0]))(lines)
        if self.desk.state.started:
            self.must("draw_hand", **self.sea_said)

    def kong(self, lines: list[str]) -> None:
        """`kong_open by 2 from 0`, `kong_added by 1 robbed`."""
        kind, _, by, *more = lines[0].split()
        feeder = int(more[1]) if more[:1] == ["from"] else None
        self.must("kong", seat=int(by), meld_kind=kind, from_seat=feeder)

    def dealt(self, lines: list[str]) -> None:
        """`dealt 2: hand`: starting wins."""
        for line in lines:
            seat, hand = line.split(" ", 2)[1:]
            self.must("start_win", seat=int(seat[0]), hand=hand)

    def turned(self, lines: list[str]) -> None:
        """`turned 2p 7s`: the birds of the win that follows."""
        self.must("hand_facts", facts={"birds": "".join(lines[0].split()[1:]), "_no_more_birds": True})

    def false(self, lines: list[str]) -> None:
        """`false win by 3`."""
        self.must("claim_win", seat=int(lines[0].split()[-1]), source="self_draw")
        self.must("reject", reason="no win", false_win=True)

    def drawn(self, lines: list[str]) -> None:
        """The wall is empty; the hands shown are those still playing."""
        players = {seat: _as_typed(player) for seat, player in map(shown, lines[1:])}
        self.must("draw_hand", players=players)

    def sea(self, lines: list[str]) -> None:
        """`sea 2: refuse take; 9s`: what became of the last tile."""
        head, _, rest = lines[0].partition(": ")
        said, turn = rest.partition(";")[0].split(), int(head.split()[1])
        taken = "take" in said
        seat = (turn + said.index("take")) % 4 if taken else turn
        self.sea_said = {"sea": "taken_no_win" if taken else "all_refused", "sea_seat": seat}

    def replaced(self, lines: list[str]) -> None:
        """`replaced by 1`: the bottom tile went as a kong's replacement."""
        self.sea_said = {"sea": "used_as_replacement", "sea_seat": int(lines[0].split()[-1])}

    def seat_won(self, lines: list[str]) -> None:
        """One winner, or several of one tile."""
        self.wins([winner(line) for line in lines])


def _as_typed(player: dict[str, Any]) -> dict[str, Any]:
    melds = [{"kind": one["type"], "tiles": one["tiles"], "from_seat": one["from"]} for one in player["melds"]]
    return {"hand": player["hand"], "melds": melds}


def _story(name: str, desk: Desk) -> Iterator[Moment]:
    options, told = stories(name)
    teller = Teller(desk, name.partition("_")[0], options)
    for story in told:
        before, setup = teller.paid, desk.state.setup
        assert setup is not None
        dice = told[story.number - 2].next.get("dice", "") if setup.dealer_open else ""
        teller.throw([int(one) for one in dice.split()] or None)
        assert desk.state.setup is not None
        dealt = desk.state.setup.dealer
        teller.tell(story.happened)
        yield _story_compared(f"{name} hand {story.number}", teller, story, before, dealt)


def _story_compared(where: str, teller: Teller, story: Story, before: list[int], dealt: int) -> Moment:
    setup = teller.desk.state.setup
    assert setup is not None
    paid = [now - then for now, then in zip(teller.paid, before, strict=True)]
    found: dict[str, Any] = {"dealer": str(dealt), "pays": paid, "totals": teller.paid}
    wanted: dict[str, Any] = {"dealer": story.state["dealer"], "pays": story.pays, "totals": story.totals}
    if not setup.dealer_open:
        found["next"], wanted["next"] = str(setup.dealer), story.next["dealer"]
    return Moment(where, wanted, found)


# --- penalties, corrections, seats, the end -------------------------------------------------------------------------


def _after(name: str, desk: Desk) -> Iterator[Moment]:
    told, wished = False, dict[str, Any]()
    for raw in AFTER.read_text(encoding="utf-8").splitlines():
        word, _, rest = raw.strip().partition(" ")
        if word == "evening":
            told = rest == name
        elif told and word == "do":
            wished = json.loads(rest)
            desk.must(wished.pop("kind"), role="referee", **wished)
        elif told and word == "totals":
            totals = [int(one) for one in rest.split()]
            yield Moment(f"{name} after {wished}", {"totals": totals}, {"totals": list(desk.state.totals)})

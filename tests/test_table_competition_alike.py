"""In a competition players and public get the same of a hand that wins as of one that does not, to the last number."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pytest

from rules.registry import names
from table.audience import document, for_role
from table.customs import customs_of
from table.decision import Rejected
from table.model import Facts, LaidHand, LaidMeld, MeldKind, Seat, Source
from table.rulebook import Circumstances, open_rulebook
from tests.table_kit import NAMES, Desk, view

ROLES = ("viewer", "player")
TILES = re.compile(r'"((?:[1-9]+[mpszf]|x)+)"')

SETS = ("999m", "123m", "456m", "789m", "5m")
"""Sets with the tile that waits; one more 5m wins, one more 8m does not. 福建 has one set more."""
SHAPES: Mapping[str, tuple[Sequence[int], bool, dict[str, Any]]] = {
    "apart": ((), True, {}),
    "row": ((), False, {}),
    "doubts": ((), True, {"doubts": {1: "check", 4: "check"}, "also": {1: ["5m"], 4: ["9m", "5s"]}}),
    "meld": ((0,), False, {}),
    "threes": ((), False, {}),
}
"""How it lies: which sets are put apart, whether the winning tile is, and what the eyes doubt."""


def sets_of(ruleset: str) -> tuple[str, ...]:
    """The sets of a hand of this game."""
    return (*SETS[:-1], "456m", SETS[-1]) if ruleset == "fujian" else SETS


def rows_of(ruleset: str, shape: str, last: str) -> list[str]:
    """The rows of a picture; 武漢 wins with an opened hand alone."""
    sets, (alone, apart, _) = sets_of(ruleset), SHAPES[shape]
    if shape == "threes":  # no long row tells the hand from the melds
        return [one for one in sets[:-1] if one != "789m"] + ["78m", "95m" + last]
    alone = {*alone, *((0,) if ruleset == "wuhan" else ())}
    concealed = "".join(one for place, one in enumerate(sets[:-1]) if place not in alone) + sets[-1]
    melds = [one for place, one in enumerate(sets[:-1]) if place in alone]
    return [concealed, last, *melds] if apart else [concealed + last, *melds]


def alike(text: str) -> str:
    """What is told, with every tile as one letter: which tiles lie there everybody sees."""
    return TILES.sub(lambda found: '"' + "t" * sum(one.isdigit() or one == "x" for one in found[1]) + '"', text)


class Watched:
    """A competition with one claim, and all that anybody but the referee is told of it."""

    def __init__(self, ruleset: str) -> None:
        self.desk, self.told = Desk(), list[str]()
        self.two = ruleset == "two_player"
        self.seat = 2 if self.two else 1
        self.desk.must("open_game", names=NAMES[:2] if self.two else NAMES, ruleset=ruleset, mode="competition")
        self.desk.must("start_hand")
        if customs_of(ruleset, {}).indicator:
            self.desk.must("turn_tile", tile="1z")
        self.desk.must("claim_win", seat=self.seat, source="self_draw")

    def look(self) -> None:
        """What the pages and programs of every role get now."""
        now = view(self.desk)
        self.told += [alike(json.dumps(document(for_role(now, role)), sort_keys=True)) for role in ROLES]

    def does(self, kind: str, role: str = "player", **fields: Any) -> None:
        """A command, what its sender hears, and what everybody sees then."""
        answer = self.desk.do(kind, role=role, **fields)
        heard = answer.sentence.text if isinstance(answer, Rejected) else str(self.desk.state.seq)
        self.told.append(f"{kind}: {heard}")
        self.look()

    def answers(self) -> int:
        """Whatever a player is asked is answered; how much it was."""
        asked = 0
        while (claim := for_role(view(self.desk), "player").claim) is not None and claim.questions:
            question = claim.questions[0]
            if not question.choices:
                break
            choice = question.choices[0 if question.id.startswith("doubt") else -1]
            self.does(**choice.command)
            asked += 1
        return asked

    def to_the_end(self) -> None:
        """What may come between the hand and the referee's word."""
        others = (0,) if self.two else (0, 2, 3)
        self.does("agree", seat=others[0])
        self.does("approve", role="tablet")
        self.does("kong", seat=others[-1], meld_kind="kong_concealed", tile="9m" if self.two else "9s")
        self.does("hand_facts", role="tablet", facts={"last_tile": True})
        self.does("set_facts", source="kong_replacement")
        self.answers()
        self.does("set_facts", source="self_draw", last_tile=False)
        self.answers()
        self.does("announce", points=8)
        for other in others:
            self.does("agree", seat=other)
        self.does("draw_hand")
        self.does("hand_facts", role="tablet", facts={"last_tile": False})
        self.does("cancel_claim", seat=self.seat)


def wins(watched: Watched) -> bool:
    """Whether the rules call it a win; the referee's to know."""
    claim = watched.desk.state.claim
    return claim is not None and claim.verdict is not None and claim.verdict.valid


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ruleset", names())
def test_a_photographed_hand_tells_nobody_whether_it_wins(ruleset: str, shape: str) -> None:
    told: list[list[str]] = []
    won: list[bool] = []
    for last in ("5m", "8m"):
        watched = Watched(ruleset)
        watched.desk.show(watched.seat, rows_of(ruleset, shape, last), **SHAPES[shape][2])
        watched.look()
        asked = watched.answers()
        won.append(wins(watched))
        if shape == "doubts":
            assert asked >= 2  # both tiles, whatever they are worth
        watched.to_the_end()
        told.append(watched.told)
    assert won == [(ruleset, shape) != ("wuhan", "threes"), False]
    assert told[0] == told[1]


@pytest.mark.parametrize("ruleset", names())
def test_a_typed_hand_tells_nobody_whether_it_wins(ruleset: str) -> None:
    """Also where nobody has said which tile won."""
    told: list[list[str]] = []
    sets = sets_of(ruleset)
    for last in ("5m", "8m"):
        watched = Watched(ruleset)
        melds = [{"kind": "peng", "tiles": sets[0], "from_seat": None}]
        watched.does("hand_manual", hand="".join(sets[1:]) + last, melds=melds)
        watched.answers()
        watched.to_the_end()
        told.append(watched.told)
    assert told[0] == told[1]


def test_a_friendly_table_is_asked_no_more_than_matters() -> None:
    desk = Desk().open(ruleset="gb")
    desk.must("claim_win", seat=1, source="self_draw")
    desk.show(1, rows_of("gb", "doubts", "8m"), **SHAPES["doubts"][2])
    claim = view(desk).claim
    assert claim is not None
    assert [asdict(question) for question in claim.questions] == []


@pytest.mark.parametrize("source", ["self_draw", "discard"])
@pytest.mark.parametrize("ruleset", names())
def test_no_hand_is_worth_more_for_how_its_open_kong_was_made(ruleset: str, source: Source) -> None:
    """Why it need not be asked of hands that do not win, as whatever else changes a payment is."""
    watched, book = Watched(ruleset), open_rulebook(ruleset, {})
    setup = watched.desk.state.setup
    assert setup is not None
    table = {"flip": "1z"} if customs_of(ruleset, {}).indicator else {}
    feeder = None if source == "self_draw" else 0
    how = Circumstances(setup=setup, winner=watched.seat, source=source, from_seat=feeder, facts=Facts(), table=table)

    def worth(kind: MeldKind, from_seat: Seat | None) -> tuple[object, ...]:
        tiles = "5555z" if ruleset in ("two_player", "jiaxing") else "9999s"
        kong = LaidMeld(kind=kind, tiles=tiles, from_seat=from_seat)
        laid = LaidHand(hand="".join(sets_of(ruleset)[1:]), win_tile="5m", melds=(kong,), flowers="")
        verdict = book.judge(laid, how)
        assert verdict.valid is (ruleset != "jiaxing" or source == "self_draw")
        return verdict.total, verdict.payments

    assert worth("kong_open", 0) == worth("kong_added", None)

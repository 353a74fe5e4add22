"""Reads golden evenings in which a hand is a story of several payments: kongs, starting wins, wins, the wall's end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rules.questions import answer
from rules.reading_json import meld_json, parse_melds
from tests.evening import GOLDEN, pairs, winner


@dataclass(slots=True)
class Story:
    """One hand as the file tells it: what happened, in order, and what must come out."""

    number: int
    state: dict[str, str]
    happened: list[str] = field(default_factory=list)
    pays: list[int] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    next: dict[str, str] = field(default_factory=dict)


def stories(name: str) -> tuple[dict[str, Any], list[Story]]:
    """The options of an evening, and its hands in order."""
    options: dict[str, Any] = {}
    found: list[Story] = []
    for raw in (GOLDEN / f"{name}_evening.txt").read_text(encoding="utf-8").splitlines():
        line = raw.strip()
        word, _, rest = line.partition(" ")
        if not line or line.startswith(("=", "#")):
            continue
        if word == "options":
            options = json.loads(rest)
        elif word == "hand":
            head, _, facts = rest.partition(": ")
            found.append(Story(int(head), pairs(facts)))
        elif word in ("pays", "totals"):
            setattr(found[-1], word, [int(one) for one in rest.split()])
        elif word == "next":
            found[-1].next = pairs(rest)
        else:
            found[-1].happened.append(line)
    return options, found


def moments(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """What happened, one moment at a time: lines that begin with `and`, and shown hands, belong to the one before."""
    grouped: list[list[str]] = []
    for line in lines:
        if line.startswith(("and ", "shows ")):
            grouped[-1].append(line.removeprefix("and "))
        else:
            grouped.append([line])
    for group in grouped:
        yield group[0].split()[0], group


def shown(text: str) -> tuple[str, dict[str, Any]]:
    """`shows 2: hand; melds` as a seat and its player."""
    seat, _, rest = text.partition(" ")[2].partition(": ")
    hand, _, melds = rest.partition(";")
    return seat, {"hand": hand.strip(), "melds": [meld_json(meld) for meld in parse_melds(melds.strip())]}


class Table:
    """A table that asks the rules moment by moment and keeps what a table keeps: who is out, and the kong ledger."""

    def __init__(self, ruleset: str, options: dict[str, Any], story: Story) -> None:
        self.ruleset, self.options, self.story = ruleset, options, story
        self.dealer = int(story.state["dealer"])
        self.out: list[int] = []
        self.ledger: list[dict[str, Any]] = []
        self.birds: list[str] = []
        self.won: list[dict[str, Any]] = []
        self.events: list[dict[str, Any]] = []
        self.outcome: dict[str, Any] = {"result": "draw"}
        self.paid = [0, 0, 0, 0]
        self.paid_at_the_wall = [0, 0, 0, 0]

    def ask(self, kind: str, **question: Any) -> dict[str, Any]:
        """An answer of the rules at this moment; its payments are added to what was paid."""
        state = {"dealer": self.dealer, "out": self.out, "kong_ledger": self.ledger, "birds": self.birds}
        state |= question.pop("state", {})
        reply = answer({"ruleset": self.ruleset, "options": self.options, "kind": kind, "state": state, **question})
        payments: list[int] = reply["payments"]  # type: ignore[assignment]
        self.paid = [old + new for old, new in zip(self.paid, payments, strict=True)]
        return reply

    def play(self) -> None:
        """The whole hand."""
        for word, lines in moments(self.story.happened):
            getattr(self, word.split("_")[0])(lines)

    def kong(self, lines: list[str]) -> None:
        """`kong_open by 2 from 0`, `kong_added by 1 robbed`."""
        kind, _, by, *more = lines[0].split()
        event: dict[str, Any] = {"type": kind, "by": int(by)}
        if more[:1] == ["from"]:
            event["from"] = int(more[1])
        event |= {"robbed": True} if more[-1:] == ["robbed"] else {}
        payments: list[int] = self.ask("kong", events=[event])["payments"]
        if any(payments):
            paid = {str(seat): -amount for seat, amount in enumerate(payments) if amount < 0}
            self.ledger.append({"by": int(by), "type": kind, "paid": paid})
            self.events.append(event)

    def dealt(self, lines: list[str]) -> None:
        """`dealt 2: hand`: starting wins."""
        hands = [line.split(" ", 2)[1:] for line in lines]
        winners = [{"seat": int(seat[0]), "hand": hand, "source": "start_hand"} for seat, hand in hands]
        assert self.ask("start", winners=winners)["valid"], lines

    def turned(self, lines: list[str]) -> None:
        """`turned 2p 7s`: the birds of the win that follows."""
        self.birds = lines[0].split()[1:]

    def seat(self, lines: list[str]) -> None:
        """One winner, or several of one tile."""
        winners = [winner(line) for line in lines]
        reply = self.ask("hand", winners=winners)
        assert all(one["valid"] for one in reply["winners"]), lines
        for place, (one, verdict) in enumerate(zip(winners, reply["winners"], strict=True)):
            event = {"type": "win", "seat": one["seat"], "source": one["source"], "fan": verdict.get("fan")}
            event |= {} if one["from_seat"] is None else {"from": one["from_seat"], "same_tile": place > 0}
            self.events.append(event)
        self.won += winners
        self.out += [one["seat"] for one in winners] if self.ruleset == "sichuan" else []
        first = winners[0]
        self.outcome = {"result": "win", "winners": [one["seat"] for one in winners], "source": first["source"]}
        self.outcome |= {} if first["from_seat"] is None else {"from": first["from_seat"]}

    def false(self, lines: list[str]) -> None:
        """`false win by 3`."""
        self.ask("false_win", events=[{"by": int(lines[0].split()[-1])}])

    def drawn(self, lines: list[str]) -> None:
        """The wall is empty; the hands shown are those still playing."""
        before = self.paid
        self.ask("draw", state={"players": dict(map(shown, lines[1:])), "wall_left": 0})
        self.paid_at_the_wall = [new - old for new, old in zip(self.paid, before, strict=True)]

    def sea(self, lines: list[str]) -> None:
        """`sea 2: refuse take; 9s; 1 3`: turn, answers, the tile, and who can win with it."""
        head, _, rest = lines[0].partition(": ")
        answers, _, more = rest.partition(";")
        tile, _, able = more.partition(";")
        turn = int(head.split()[1])
        events: list[dict[str, Any]] = [
            {"seat": (turn + step) % 4, "answer": said} for step, said in enumerate(answers.split())
        ]
        events += [{"tile": tile.strip()}] if tile.strip() else []
        events += [{"seat": int(seat), "can_win": True} for seat in able.split()]
        reply = self.ask("sea", state={"turn": turn}, events=events)
        taken = "take" in answers
        self.outcome = {"result": "draw", "sea_bottom": "taken_no_win" if taken else "all_refused"}
        self.outcome |= {"taker": events[len(answers.split()) - 1]["seat"]} if taken else {"first_asked": turn}
        assert str(reply["next_dealer"]) == self.story.next["dealer"], lines

    def replaced(self, lines: list[str]) -> None:
        """`replaced by 1`: the bottom tile went as a kong's replacement, and the hand is drawn."""
        by = int(lines[0].split()[-1])
        self.outcome = {"result": "draw", "sea_bottom": "used_as_replacement", "by": by}

    def next_dealer(self) -> int:
        """Who deals the hand after this one."""
        dice = [int(one) for one in self.story.next.get("dice", "").split()]
        reply = self.ask("dealer", state={"dice": dice}, events=[self.outcome])
        dealer: int = reply["next_dealer"]
        return dealer

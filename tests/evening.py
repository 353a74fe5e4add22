"""Reads the golden evenings (tests/golden/*_evening.txt) and plays them through the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rules.questions import answer
from rules.reading_json import meld_json, parse_melds

GOLDEN = Path(__file__).parent / "golden"
WINNER = re.compile(r"seat (\d), (\w+) (\w+)(?: from (\d))?: ([^;]+)(?:; ([^;]*))?(?:; (.*))?$")


@dataclass(slots=True)
class Script:
    """One hand as the file tells it; `next` and the numbers are what must come out."""

    number: int
    state: dict[str, str]
    winners: list[dict[str, Any]] = field(default_factory=list)
    false_win_by: int | None = None
    pays: list[int] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    next: dict[str, str] = field(default_factory=dict)


def pairs(text: str) -> dict[str, str]:
    """`dealer 0, round E` as a mapping; a word alone has no value."""
    return {name: value.strip() for name, _, value in (part.strip().partition(" ") for part in text.split(","))}


def hands(name: str) -> Iterator[Script]:
    """The hands of an evening, in order."""
    script: Script | None = None
    for raw in (GOLDEN / f"{name}_evening.txt").read_text(encoding="utf-8").splitlines():
        line = raw.strip()
        if line.startswith("hand "):
            if script is not None:
                yield script
            head, _, rest = line.partition(": ")
            script = Script(int(head.split()[1]), pairs(rest))
        elif script is not None and line and not line.startswith(("=", "#")):
            read_line(script, line)
    if script is not None:
        yield script


def read_line(script: Script, line: str) -> None:
    """One line below a hand's head."""
    word, _, rest = line.partition(" ")
    if word == "seat":
        script.winners.append(winner(line))
    elif word == "false":
        script.false_win_by = int(line.split()[-1])
    elif word in ("pays", "totals"):
        setattr(script, word, [int(one) for one in rest.split()])
    elif word == "next":
        script.next = pairs(rest)
    else:
        assert line == "drawn", line


def winner(line: str) -> dict[str, Any]:
    """A declared win: `seat 2, rob_kong 1m from 0: hand; melds; extras`."""
    found = WINNER.match(line)
    assert found, line
    seat, source, tile, feeder, hand, melds, extras = found.groups()
    told = pairs(extras).items() if extras else ()
    more = {key: int(value) if value.isdigit() else value or True for key, value in told}
    return {
        "seat": int(seat), "hand": hand, "win_tile": tile, "source": source,
        "from_seat": None if feeder is None else int(feeder),
        "melds": [meld_json(meld) for meld in parse_melds(melds or "")], **more,
    }  # fmt: skip


def state_of(script: Script, carried: dict[str, Any]) -> dict[str, Any]:
    """The table facts of a hand; `carried` is what earlier hands left behind."""
    given = dict(script.state)
    state: dict[str, Any] = {"dealer": int(given.pop("dealer")), **carried}
    if "round" in given:
        state["round_wind"] = given.pop("round")
    for name in ("dice", "flowers", "quit"):
        if name in given:
            state[name] = [int(one) for one in given.pop(name).split()]
    if "contract" in given:
        state["contracts"] = [[int(seat) for seat in given.pop("contract").split("-")]]
    if given.pop("last_tile", None) is not None:
        state["last_tile"] = True
    if "left" in given:
        state["wall_left"] = int(given.pop("left"))
    if "streak" in given:
        state["streak"] = int(given.pop("streak"))
    players: dict[str, dict[str, Any]] = {}
    if "opened" in given:
        players.setdefault(given.pop("opened"), {})["opened"] = True
    for kong in ("hz", "lz"):
        if kong in given:
            seat, _, count = given.pop(kong).partition(":")
            players.setdefault(seat, {})[f"{kong}_kongs"] = int(count)
    if players:
        state["players"] = players
    return state | given


def play(name: str, script: Script, carried: dict[str, Any]) -> dict[str, Any]:
    """What the rules say of one hand: its answer, and of what comes next."""
    question: dict[str, Any] = {"ruleset": name, "state": state_of(script, carried), "winners": script.winners}
    if script.false_win_by is not None:
        return answer({**question, "kind": "false_win", "events": [{"by": script.false_win_by}]})
    if not script.winners:
        return answer({**question, "kind": "draw"})
    reply: dict[str, Any] = answer({**question, "kind": "hand"})
    seats = [one["seat"] for one in reply["winners"] if one["valid"]]
    outcome = {"result": "win", "winners": seats}
    return reply | {
        key: value
        for key, value in answer({**question, "kind": "dealer", "winners": [], "events": [outcome]}).items()
        if key in ("next_dealer", "next_round", "streak_out")
    }

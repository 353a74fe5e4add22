"""A process that plays hands until somebody kills it, and tells through a pipe what was confirmed."""

from __future__ import annotations

from multiprocessing.connection import Connection
from pathlib import Path

from table.decision import Accepted
from table.runtime import Runtime
from tests.table_kit import NAMES, PAIRS, STRAIGHT, command


def hand(number: int) -> list[tuple[str, dict[str, object]]]:
    """The commands of one hand."""
    winner = number % 4
    return [
        ("start_hand", {}),
        ("claim_win", {"seat": winner, "source": "self_draw"}),
        ("hand_manual", dict(STRAIGHT if number % 2 else PAIRS)),
        ("call_referee", {"seat": winner, "reason": "張數"}),
        ("approve", {}),
    ]


def play(folder: Path, told: Connection) -> None:
    """Play for ever, from where the ledger stops; sends "ready", then the key and number of each confirmed command."""
    runtime = Runtime.open(folder).start()
    told.send("ready")
    while True:
        view = runtime.snapshot()
        if view.game is None or view.round is None or view.round.finished:
            runtime.submit(command("open_game", idem=f"open-{view.seq}", names=list(NAMES)))
            continue
        for step, (kind, fields) in enumerate(hand(view.round.hand_no)):
            key = f"{view.game.id}-{view.round.hand_no}-{step}"
            answer = runtime.submit(command(kind, idem=key, **fields))
            if isinstance(answer, Accepted):
                told.send((key, answer.seq))

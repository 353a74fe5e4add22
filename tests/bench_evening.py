"""Whole hands on rendered tables, read and followed: `python -m tests.bench_evening [HANDS]`, 20 unless told otherwise.

Hand after hand goes round the rulesets and the four tables of `rendered_table`, three of them with tiles in a style
that training never uses.
"""

from __future__ import annotations

import sys
import time

from rules.registry import names
from tests.rendered_evening import Evening, play_evening
from tests.rendered_table import PLACES
from vision.reader import TileReader

MOST_MOVES = 60
"""Moves of a hand; the longest are broken off there."""


def main(hands: int) -> int:
    """Print the table; exit code 1 when a wrong move was committed."""
    reader = TileReader.from_models(threads=1)
    print(f"{'table':<26}{'hands':>6}{'moves':>7}{'no question':>13}{'questions':>11}{'wrong moves':>13}", end="")
    print(f"{'named':>8}{'sure':>7}{'wrong among':>13}{'not found':>11}{'a frame':>9}{'a reading':>11}")
    every, rulesets = Evening(), names()
    for number, (name, place) in enumerate(PLACES.items()):
        chosen = [(rulesets[hand % len(rulesets)], hand) for hand in range(number, hands, len(PLACES))]
        started = time.monotonic()
        evening = play_evening(place, reader, chosen, most_moves=MOST_MOVES)
        if chosen:
            print(_row(name, evening), flush=True)
            for note in evening.moves.notes:
                sys.stderr.write(f"  {note[:300]}\n")
            sys.stderr.write(f"  {time.monotonic() - started:.0f} s\n")
        every.add(evening)
    print(_row("all", every))
    print(f"{every.wins} wins: source and feeder told of {every.wins_told}, wrongly of {every.wins_wrong}")
    return int(bool(every.moves.wrong or every.wins_wrong))


def _row(name: str, evening: Evening) -> str:
    moves, faces = evening.moves, evening.faces
    tiles, found = max(faces.tiles, 1), max(faces.tiles - faces.missed, 1)
    return (
        f"{name:<26}{moves.hands:>6}{moves.moves:>7}{moves.clean:>13}{moves.questions:>11}{moves.wrong:>13}"
        f"{faces.right / tiles:>8.1%}{faces.sure / found:>7.0%}{faces.sure_wrong:>13}{faces.missed / tiles:>11.1%}"
        f"{1000 * evening.render_s / max(evening.frames, 1):>6.0f} ms"
        f"{1000 * evening.read_s / max(evening.reads, 1):>8.0f} ms"
    )


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20))

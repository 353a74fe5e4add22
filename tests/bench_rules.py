"""Speed of the rules, as ratios against PyMahjongGB (C++) in the same run: `python -m tests.bench rules`.

Hands: the golden file of ten thousand wins; the first thousand, one tile short, are the ready hands.
Where PyMahjongGB is not installed the ratios are left out.
"""

from __future__ import annotations

import gc
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

from rules.model import TableFacts, Winner
from rules.questions import parse
from rules.registry import names, ruleset
from rules.ruleset import Ruleset
from rules.shapes import suit_parts
from rules.tiles import RED, parse_tiles, tiles_text
from rules.waits import waits
from tests.gb_oracle import GOLDEN, arguments, code, read_line

try:
    from MahjongGB import MahjongFanCalculator
except ImportError:
    MahjongFanCalculator = None

READY = 1000
Declared = tuple[Winner, TableFacts]


def seconds(work: Callable[[Any], object], items: Sequence[Any], passes: int = 1) -> float:
    """The processor time of the best of some passes."""
    best = float("inf")
    for _ in range(passes):
        start = time.process_time()
        for item in items:
            work(item)
        best = min(best, time.process_time() - start)
    return best


def row(name: str, count: int, ours: float, peer: float | None, target: float) -> None:
    """One line: our rate, the peer's rate, the ratio and what it should be."""
    text = f"{name:<34}{count / ours:>10.0f} /s"
    if peer is not None:
        text += f"   PyMahjongGB {count / peer:>10.0f} /s   ratio {peer / ours:6.3f} (at least {target})"
    print(text)


def scoring(hands: Sequence[Declared]) -> None:
    """Full judgement with payments, first with empty tables, then again."""
    rules = ruleset("gb")
    peer = None
    if MahjongFanCalculator is not None:
        asked = [arguments(*one) for one in hands]
        peer = seconds(lambda one: MahjongFanCalculator(*one), asked, 5)
    suit_parts.cache_clear()
    row("full scoring, cold", len(hands), seconds(lambda one: rules.judge((one[0],), one[1]), hands), peer, 0.03)
    row("full scoring, warm", len(hands), seconds(lambda one: rules.judge((one[0],), one[1]), hands, 3), peer, 0.03)


def probing(one: tuple[Any, ...]) -> None:
    """What a program does that has only a calculator: try all 34 tiles (the arguments made before)."""
    for asked in one:
        try:
            MahjongFanCalculator(*asked)
        except TypeError:
            continue


def waiting(hands: Sequence[Declared]) -> None:
    """Each winning tile with its value, against 34 calls of the calculator."""
    rules = ruleset("gb")
    ready = [
        (replace(one, source="discard", from_seat=1, win_tile=None, last_of_kind=False), facts) for one, facts in hands
    ]
    peer = None
    if MahjongFanCalculator is not None:
        probes = [
            tuple(
                (*(made := arguments(replace(one, win_tile=0), facts))[:2], code(tile), *made[3:]) for tile in range(34)
            )
            for one, facts in ready
        ]
        peer = seconds(probing, probes, 5)
    suit_parts.cache_clear()
    row("waits with value, cold", len(ready), seconds(lambda one: waits(rules, *one), ready), peer, 0.3)
    row("waits with value, warm", len(ready), seconds(lambda one: waits(rules, *one), ready, 3), peer, 0.3)


def waits_of(one: tuple[Ruleset, Winner, TableFacts]) -> object:
    """One hand asked what it waits for."""
    return waits(*one)


def waiting_everywhere() -> None:
    """What a hand waits for in every ruleset: the worked hands, each without its winning tile, drawn by himself."""
    for name in names():
        times = []
        for path in sorted((GOLDEN.parent / "rules").glob(f"{name}*.jsonl")):
            for line in path.read_text(encoding="utf-8").splitlines():
                case = json.loads(line)
                if case.get("kind", "hand") != "hand" or case.get("expect", {}).get("valid") is not True:
                    continue
                rules, question = parse(case)
                for winner in question.winners:
                    if winner.win_tile is None:
                        continue
                    ready = replace(winner, win_tile=None, source="self_draw", from_seat=None, last_of_kind=False)
                    suit_parts.cache_clear()
                    times.append(seconds(waits_of, [(rules, ready, question.facts)]))
        print(
            f"waits with value, {name:<12} {len(times):>4} hands   median {1000 * median(times):6.2f} ms"
            f"   worst {1000 * max(times):6.1f} ms"
        )


ADVERSARIAL = ("3334445556m", "4455666777m", "2345678m456p", "1122334455m", "3344556677p")


def wildcards(number: int = 200) -> None:
    """The dearest reading of hands with four wildcards (國標 with 81 fans: the longest table there is)."""
    rules = ruleset("gb", {"wildcard": "7z", "minimum": 0})
    chance = random.Random(4)
    deck = [tile for tile in range(33) for _ in range(4)]
    pools = (deck, [tile for tile in deck if tile < 9], [tile for tile in deck if tile < 18])
    hands = [parse_tiles(text) for text in ADVERSARIAL]
    hands += [tuple(chance.sample(chance.choice(pools), 10)) for _ in range(number - len(hands))]
    times = []
    for tiles in hands:
        winner = Winner(0, (*tiles[:-1], *[RED] * 4), tiles[-1], "self_draw")
        suit_parts.cache_clear()
        times.append((seconds(lambda one: rules.judge((one,), TableFacts()), [winner]), tiles_text(tiles)))
    slowest, text = max(times)
    print(
        f"four wildcards, gb, {number} hands     median {1000 * median(one for one, _ in times):6.1f} ms"
        f"   worst {1000 * slowest:6.1f} ms ({text})"
    )


def main() -> None:
    """Print the table."""
    hands = [read_line(line)[:2] for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    gc.collect()
    gc.freeze()  # the ten thousand hands just read are no part of the work
    if MahjongFanCalculator is None:
        print("PyMahjongGB==1.4.0 is not installed here: no ratios")
    scoring(hands)
    waiting(hands[:READY])
    waiting_everywhere()
    wildcards()


if __name__ == "__main__":
    main()

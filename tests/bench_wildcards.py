"""How long the dearest reading of a hand with three or four wildcards takes, and its waits (`make bench`).

Targets of the rules: median at most 5 ms, worst case at most 50 ms. Waits judge each winning tile, up to 34 hands.

Random hands are complete hands with tiles exchanged for wildcards; the adversarial ones are those with the most
readings (one suit and four wildcards, winds and four wildcards). Each ruleset starts with empty caches, as a table does
at the first hand of the evening, and one hand is judged after the other; a hand's own time is reported.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rules import shapes
from rules.model import Meld, TableFacts, Winner
from rules.registry import ruleset
from rules.ruleset import Ruleset
from rules.tiles import parse_tile, parse_tiles
from rules.waits import waits

GAMES: dict[str, tuple[dict[str, object], TableFacts, tuple[Meld, ...]]] = {
    "jiaxing": ({}, TableFacts(wild=parse_tile("9s")), ()),
    "jiaxing, wild_natural off": ({"wild_natural": False}, TableFacts(wild=parse_tile("9s")), ()),
    "wuhan": ({}, TableFacts(wild=parse_tile("5m"), flip=parse_tile("4m")), (Meld.parse("peng", "222p", 3),)),
    "fujian": ({"mode": "successor"}, TableFacts(flip=parse_tile("3m")), ()),
    "fujian, 白 stands in": ({}, TableFacts(flip=parse_tile("3m")), ()),
}
ADVERSARIAL = (
    "1112345678999m", "123456789p123p", "2233445566778p", "1122334455667s", "111222333444p", "1223334444555s",
    "1112223334445z", "1122334455667z", "147m258p369s1234z", "2468p2468s13579m", "11223344p55667s", "3456789m3456789p",
    "5555z333m444p55s", "5555z456m456p45s",
)  # fmt: skip


def complete(rng: random.Random, sets: int) -> list[int]:
    """A random complete hand of so many sets and a pair, suits favoured that come up first."""
    suits = rng.sample(range(4), rng.choice((1, 2, 2, 3, 4)))
    while True:
        tiles: list[int] = []
        for _ in range(sets):
            suit = rng.choice(suits)
            if suit == 3 or rng.random() < 0.3:
                tiles += [rng.randrange(27, 34) if suit == 3 else 9 * suit + rng.randrange(9)] * 3
            else:
                low = 9 * suit + rng.randrange(7)
                tiles += [low, low + 1, low + 2]
        pair = rng.choice(suits)
        tiles += [rng.randrange(27, 34) if pair == 3 else 9 * pair + rng.randrange(9)] * 2
        if max(map(tiles.count, tiles)) <= 4:
            return tiles


def random_hands(rules: Ruleset, facts: TableFacts, melds: tuple[Meld, ...], wanted: int) -> Iterator[Winner]:
    """Complete hands with three or four tiles exchanged for wildcards."""
    rng = random.Random(20)
    wild = rules.wild(rules.chosen, facts).wild or 0
    sets = rules.hand_size // 3 - len(melds)
    for number in range(wanted):
        tiles = [tile for tile in complete(rng, sets) if tile != wild]
        rng.shuffle(tiles)
        held = 3 + number % 2
        hand = tiles[: 3 * sets + 2 - held] + [wild] * held
        shown = [*hand, *(tile for meld in melds for tile in meld.tiles)]
        if len(hand) == 3 * sets + 2 and max(map(shown.count, shown)) <= 4:
            yield Winner(1, tuple(hand[1:]), hand[0], "self_draw", melds)


def adversarial_hands(rules: Ruleset, facts: TableFacts, melds: tuple[Meld, ...]) -> Iterator[Winner]:
    """The hands with the most readings, with three and with four wildcards."""
    wild = rules.wild(rules.chosen, facts).wild or 0
    size = rules.hand_size - 3 * len(melds) + 1
    for text in ADVERSARIAL:
        laid = [tile for meld in melds for tile in meld.tiles]
        tiles = [tile for tile in [*laid, *parse_tiles(text + "123456789p456s")] if tile != wild]
        for held in (3, 4):
            free = [tile for place, tile in enumerate(tiles) if tiles[:place].count(tile) < 4][len(laid) :]
            kept = free[: size - held]
            yield Winner(1, (*kept[1:], *[wild] * held), kept[0], "self_draw", melds)


def times(job: Callable[[Winner], object], hands: Iterator[Winner]) -> list[float]:
    """Milliseconds of processor time of each hand."""
    spent = []
    for winner in hands:
        start = time.thread_time()
        job(winner)
        spent.append((time.thread_time() - start) * 1000)
    return spent


def forget() -> None:
    """Empty the caches of the shapes."""
    for cached in (shapes.suit_parts, shapes._distinct, shapes._part_faces):
        cached.cache_clear()


def main() -> None:
    """Print a line for each game and kind of hand."""
    print(f"{'ruleset':26} {'hands':12} {'n':>5} {'median ms':>10} {'95 % ms':>8} {'worst ms':>9}")
    for game, (options, facts, melds) in GAMES.items():
        rules = ruleset(game.split(",")[0], options)

        def judged(winner: Winner, rules: Ruleset = rules, facts: TableFacts = facts) -> object:
            return rules.judge([winner], facts)

        def waited(winner: Winner, rules: Ruleset = rules, facts: TableFacts = facts) -> object:
            return waits(rules, replace(winner, win_tile=None), facts)

        jobs: tuple[tuple[str, Callable[[Winner], object], Iterator[Winner]], ...] = (
            ("random", judged, random_hands(rules, facts, melds, 400)),
            ("adversarial", judged, adversarial_hands(rules, facts, melds)),
            ("waits", waited, random_hands(rules, facts, melds, 60)),
        )
        for kind, job, hands in jobs:
            forget()
            spent = sorted(times(job, hands))
            print(
                f"{game:26} {kind:12} {len(spent):5} {statistics.median(spent):10.2f} "
                f"{spent[int(len(spent) * 0.95)]:8.2f} {spent[-1]:9.2f}"
            )


if __name__ == "__main__":
    main()

"""PyMahjongGB 1.4.0 as an independent opinion, and the text form in which its answers are kept.

Run `python tests/gb_oracle.py` where that package is installed to write tests/golden/gb_oracle.txt anew.
The package is never needed to play or to pass the tests.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rules.model import Meld, TableFacts, Winner  # noqa: E402
from rules.reading_json import parse_melds  # noqa: E402
from rules.tiles import Tile, parse_tile, parse_tiles, tile_text, tiles_text  # noqa: E402
from tests.gb_hands import HandMaker  # noqa: E402

GOLDEN = ROOT / "tests" / "golden" / "gb_oracle.txt"
SEED, HANDS = 20061, 10_000
CODES = [f"{suit}{n}" for suit in "WBT" for n in range(1, 10)] + ["F1", "F2", "F3", "F4", "J3", "J2", "J1"]


def code(tile: Tile) -> str:
    """The package's code of a tile: W B T F J; its dragons are numbered 中 發 白."""
    return CODES[tile]


def arguments(winner: Winner, facts: TableFacts) -> tuple[Any, ...]:
    """The arguments of MahjongFanCalculator for this win."""
    packs = tuple(_pack(meld) for meld in winner.melds)
    hand = tuple(code(tile) for tile in winner.hand)
    about_kong = winner.source in ("kong_replacement", "rob_kong")
    return (
        packs, hand, code(winner.win_tile or 0), len(winner.flowers), winner.self_drawn, winner.last_of_kind,
        about_kong, facts.last_tile, facts.seat_wind(winner.seat), facts.round_wind,
    )  # fmt: skip


def _pack(meld: Meld) -> tuple[str, str, int]:
    if meld.kind == "chi":
        return ("CHI", code(sorted(meld.tiles)[1]), 1)
    if meld.kind == "peng":
        return ("PENG", code(meld.tiles[0]), 1)
    return ("GANG", code(meld.tiles[0]), 0 if meld.kind == "kong_concealed" else 1)


RENAMED = {"独听・边张": "边张", "独听・嵌张": "坎张", "独听・单钓": "单钓将"}


def ask(winner: Winner, facts: TableFacts) -> tuple[int, dict[str, int]]:
    """The total and the fans (name to times) in the opinion of PyMahjongGB."""
    from MahjongGB import MahjongFanCalculator

    fans: dict[str, int] = {}
    total = 0
    for points, times, name, _ in MahjongFanCalculator(*arguments(winner, facts), True):
        fans[RENAMED.get(name, name)] = times
        total += points * times
    return total, fans


WINDS = "ESWN"


def write_line(winner: Winner, facts: TableFacts, total: int, fans: dict[str, int]) -> str:
    """One hand as a line: `seat wind/round wind hand melds win circumstances = total fans`."""
    melds = ",".join(f"{meld.kind}:{tiles_text(meld.tiles)}" for meld in winner.melds) or "-"
    flags = [winner.source, f"{len(winner.flowers)}f"]
    flags += ["last_tile"] * facts.last_tile + ["last_of_kind"] * winner.last_of_kind
    names = " ".join(name + (f"*{times}" if times > 1 else "") for name, times in fans.items())
    winds = WINDS[facts.seat_wind(winner.seat)] + WINDS[facts.round_wind]
    win = tile_text(winner.win_tile or 0)
    return f"{winds} {tiles_text(winner.hand)} {melds} {win} {','.join(flags)} = {total} {names}"


def read_line(line: str) -> tuple[Winner, TableFacts, int, dict[str, int]]:
    """The hand of a line and the oracle's answer."""
    question, _, reply = line.partition(" = ")
    winds, hand, melds, win, flags = question.split(" ")
    source, flowers, *extra = flags.split(",")
    claimed = source in ("discard", "rob_kong")
    winner = Winner(
        seat=0,
        hand=parse_tiles(hand),
        win_tile=parse_tile(win),
        source=source,  # type: ignore[arg-type]
        melds=() if melds == "-" else parse_melds(melds),
        from_seat=1 if claimed else None,
        flowers=tuple(range(34, 34 + int(flowers[:-1]))),
        last_of_kind="last_of_kind" in extra,
    )
    dealer = (4 - WINDS.index(winds[0])) % 4
    facts = TableFacts(round_wind=WINDS.index(winds[1]), dealer=dealer, last_tile="last_tile" in extra)
    total, *names = reply.split(" ")
    fans = {name.partition("*")[0]: int(name.partition("*")[2] or 1) for name in names}
    return winner, facts, int(total), fans


def main() -> None:
    """Ask the package about every hand of the generator and write the golden file."""
    lines = []
    for winner, facts in HandMaker(SEED).hands(HANDS):
        total, fans = ask(winner, facts)
        lines.append(write_line(winner, facts, total, fans))
    GOLDEN.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

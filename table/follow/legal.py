"""Who may do what next: the part of a ruleset that decides which moves explain a change of the table.

It is read off the `Ruleset` value; what that value does not hold (how many tiles are never drawn, kinds that keep the
turn) is one row of data per ruleset here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rules.ruleset import Ruleset
from rules.tiles import in_kinds, tile_text
from table.follow.faces import Faces, is_flower

FLOWERS = tuple(f"{number}f" for number in range(1, 9))


@dataclass(frozen=True, slots=True)
class _More:
    """What following needs beside the ruleset's own fields.

    Attributes:
        flowers: whether the eight flowers are played with.
        dead_wall: tiles at the end that are never drawn.
        silent_end: the last tiles of the wall that are drawn without a discard or kong.
        own_kongs: kinds that are a kong of their own when put down: their player draws again and goes on.
        wild_is_own_kong: the same for the wildcard.
        wild: how the wildcard comes about: none, the kind that is turned over, or the next one.
        last_only_won: whether the discard after the last drawn tile may only be won.
        no_chow: whether nobody may chow.
    """

    flowers: bool = False
    dead_wall: int = 0
    silent_end: int = 0
    own_kongs: tuple[str, ...] = ()
    wild_is_own_kong: bool = False
    wild: Literal["", "turned", "next"] = ""
    last_only_won: bool = False
    no_chow: bool = False


_MORE: Mapping[str, _More] = {
    "gb": _More(flowers=True, last_only_won=True),
    "jiaxing": _More(wild="turned"),
    "fujian": _More(flowers=True, wild="turned"),
    "sichuan": _More(no_chow=True),
    "wuhan": _More(dead_wall=10, silent_end=4, own_kongs=("7z",), wild_is_own_kong=True, wild="next"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Legal:
    """What may happen at a table of one ruleset.

    Attributes:
        kinds: the tiles of the set, each four times; flowers once.
        seats: number of players.
        hand_size: concealed tiles between turns.
        chow_from_any: whether any player may chow, not only the next one.
        wins: how many wins end the hand; more than one where the battle goes on (血戰).
        discard_wins: whether a discard may be won on at all (嘉興: only where its option says so).
        kong_pair: whether a kong may turn up two tiles of the wall, which are both discarded (長沙 開槓).
        more: see the fields of the row.
    """

    kinds: tuple[str, ...]
    flowers: tuple[str, ...]
    seats: int
    hand_size: int
    chow_from_any: bool
    dead_wall: int
    silent_end: int
    own_kongs: frozenset[str]
    wild_is_own_kong: bool
    wild: Literal["", "turned", "next"]
    last_only_won: bool
    no_chow: bool
    wins: int = 1
    discard_wins: bool = True
    kong_pair: bool = False

    def next_seat(self, seat: int) -> int:
        """Who plays after this seat."""
        return (seat + 1) % self.seats

    def copies(self, tile: str) -> int:
        """How many tiles of this kind there are."""
        return 1 if is_flower(tile) else 4

    @property
    def wall(self) -> int:
        """Tiles that can be drawn once everybody has been dealt his hand and the dealer one more."""
        tiles = 4 * len(self.kinds) + len(self.flowers)
        return tiles - self.dead_wall - self.seats * self.hand_size - 1

    def may_chow(self, seat: int, from_seat: int) -> bool:
        """Whether this seat may chow a discard of that one."""
        return not self.no_chow and (self.chow_from_any or seat == self.next_seat(from_seat))

    def claimable(self, faces: Faces, wild: str | None) -> Faces | None:
        """The faces of a discard that others may claim; None if nobody may: wildcards, own kongs, flowers."""
        if not faces:
            return faces
        barred = self.own_kongs | ({wild} if wild else set())
        return tuple(face for face in faces if face not in barred and not is_flower(face)) or None

    def keeps_turn(self, tile: str, wild: str | None) -> bool:
        """Whether putting this tile down is a kong of its own, so that its player draws again (紅中槓, 癩子槓)."""
        return tile in self.own_kongs or (self.wild_is_own_kong and tile == wild)

    def is_kong(self, faces: Faces, wild: str | None) -> bool:
        """Whether a tile laid aside is a kong of its own, not a flower."""
        return bool(faces) and all(self.keeps_turn(face, wild) for face in faces)


def legal_moves(rules: Ruleset) -> Legal:
    """What following needs to know of a ruleset with its options.

    A ruleset without a row of its own is followed by its `Ruleset` fields alone.
    """
    more = _MORE.get(rules.name, _More())
    kinds = tuple(tile_text(tile) for tile in in_kinds(rules.tile_kinds))
    flowers = FLOWERS if rules.flowers or more.flowers else ()
    return Legal(
        kinds=kinds,
        flowers=flowers,
        seats=rules.seats,
        hand_size=rules.hand_size,
        chow_from_any=rules.chow_from_any,
        dead_wall=_dead_wall(rules, more, 4 * len(kinds) + len(flowers)),
        silent_end=more.silent_end,
        own_kongs=frozenset(more.own_kongs),
        wild_is_own_kong=more.wild_is_own_kong,
        wild=more.wild,
        last_only_won=more.last_only_won,
        no_chow=more.no_chow,
        discard_wins=rules.chosen.get("discard_win") != "no",
        kong_pair=rules.chosen.get("kong_dice") == 2,
        wins=rules.seats - 1 if rules.chosen.get("mode") == "blood" else 1,
    )


def _dead_wall(rules: Ruleset, more: _More, tiles: int) -> int:
    """Tiles that are never drawn; two rulesets have an option for it, one of them as the number that is drawn."""
    dead, drawn = rules.chosen.get("dead_wall"), rules.chosen.get("draw_limit")
    if isinstance(drawn, int):
        return max(0, tiles - drawn)
    return dead if isinstance(dead, int) else more.dead_wall

"""The wall of the simulated table as it stands: stacks of two tiles, taken from the head, the tail or a hole."""

from __future__ import annotations

Place = tuple[int, int]
"""A stack: the seat it stands before (0 to 3) and its place from that seat's right hand, from 0."""


class SimWall:
    """Four walls of stacks.

    The wall is taken clockwise seen from above, so after a seat's left end comes the right end of the wall before
    the previous seat. Opening it behind the ``count``-th stack leaves those ``count`` stacks as the tail.
    """

    def __init__(self, stacks: tuple[int, ...]) -> None:
        self.stacks = stacks
        self._tiles: dict[Place, int] = {(side, place): 2 for side in range(4) for place in range(stacks[side])}
        self._order: list[Place] = list(self._tiles)

    @property
    def left(self) -> int:
        """Tiles still standing."""
        return sum(self._tiles.values())

    def open(self, side: int, count: int) -> Place:
        """Open the wall behind ``count`` stacks from the right of ``side``; a count over the end goes on clockwise.

        Returns:
            The stack that is taken first.
        """
        ring = [(seat % 4, place) for seat in range(side, side - 4, -1) for place in range(self.stacks[seat % 4])]
        at = count % len(ring) if ring else 0
        self._order = ring[at:] + ring[:at]
        return self._order[0]

    def take_head(self, tiles: int = 1) -> set[int]:
        """Take tiles from the head; return the sides that changed."""
        return {side for _ in range(tiles) if (side := self._take(self._order)) is not None}

    def take_tail(self, stack: int = 1) -> set[int]:
        """Take the upper tile of the ``stack``-th stack from the tail, the lower where the upper is gone."""
        standing = [place for place in reversed(self._order) if self._tiles[place]]
        side = self._take(standing[stack - 1 : stack])
        return set() if side is None else {side}

    def side(self, side: int) -> tuple[int, bool, str]:
        """Return whole stacks before a seat, whether a lone tile stands there, and at which end it stands."""
        places = [place for place in self._order if place[0] == side and self._tiles[place]]
        lone = [place for place in places if self._tiles[place] == 1]
        end = "?"
        if lone:
            end = "head" if lone[0] == places[0] and len(places) > 1 else "tail" if lone[-1] == places[-1] else "?"
        return len(places) - len(lone), bool(lone), end

    def holes(self) -> tuple[Place, ...]:
        """Return the stacks that lost only their upper tile, in the order in which they are taken."""
        return tuple(place for place in self._order if self._tiles[place] == 1)

    def _take(self, places: list[Place]) -> int | None:
        for place in places:
            if self._tiles[place]:
                self._tiles[place] -= 1
                return place[0]
        return None

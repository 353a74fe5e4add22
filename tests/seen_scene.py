"""A table whose sightings are written by hand, followed as the running table does it, with pictures of what lies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from table.decision import Rejected
from table.follow.sighting import Glimpse, SeatSighting, Sighting
from table.following import Following
from table.hand_commands import AnswerSeen
from table.lookout import Box, Look
from table.model import Actor
from table.rulebook import open_rulebook
from table.snapshot import Question, SeenTable, Snapshot
from table.view import Live, snapshot
from tests.table_kit import NAMES, Desk
from vision.types import Image

TILE_PX = 20
"""Each tile has its own square in the picture, of a shade that no other tile there has."""


class Watched:
    """A table in memory and what follows its hands, put together as the running table does it."""

    def __init__(self, desk: Desk, keep: Callable[[Image], str] | None = None) -> None:
        self.desk = desk
        self.following = Following(keep)
        self.now_s = 0.0

    def sees(self, sighting: Sighting, picture: Look | None = None) -> None:
        """One look: the moves that are certain and what they tell of a claimed win go into the ledger."""
        state = self.desk.state
        self.following.claimed(state, self.now_s - 0.5)
        for one in self.following.sighted(sighting, state, picture):
            self.desk.must(one.kind, **one.model_dump(exclude={"kind", "idem", "actor"}))
        self._told(again=False)

    def told_again(self) -> None:
        """What can be told of claimed wins without another look, once more is known of them."""
        self._told(again=True)

    def _told(self, *, again: bool) -> None:
        for once_more in (again, True):  # as `table.sight` does
            for win in self.following.wins(self.desk.state, again=once_more):
                self.desk.must("see_win", seat=win.seat, seen=win.seen)


class Scene(Watched):
    """A table whose sightings are written by hand; the clock goes on a second with every look."""

    def __init__(self, rules: str = "gb", mode: str = "friendly", **options: object) -> None:
        super().__init__(Desk(), self._keep)
        self.desk.must("open_game", ruleset=rules, names=NAMES, options=options, mode=mode, first_dealer=0)
        self.desk.must("start_hand")
        self.kept: dict[str, Image] = {}
        self.clear()

    def clear(self) -> None:
        """The tiles are taken off the table."""
        self.ponds: list[list[str]] = [[], [], [], []]
        self.melds: list[list[str]] = [[], [], [], []]
        self.hands: list[str] = ["", "", "", ""]

    def restart(self) -> None:
        """The process begins anew: what was followed is in the ledger."""
        self.following = Following(self._keep)

    def _keep(self, image: Image) -> str:
        name = f"picture {len(self.kept)}"
        self.kept[name] = image
        return name

    def sighting(self) -> Sighting:
        ref = 0

        def seen(tiles: list[str]) -> tuple[Glimpse, ...]:
            nonlocal ref
            ref += len(tiles)
            return tuple(glimpse(tile, ref - len(tiles) + place) for place, tile in enumerate(tiles))

        seats = tuple(
            SeatSighting(
                pond=seen(self.ponds[seat]),
                melds=tuple(seen(meld.split()) for meld in self.melds[seat]),
                hand=seen(self.hands[seat].split()),
            )
            for seat in range(4)
        )
        return Sighting(self.now_s, seats)

    def picture(self) -> Look:
        """The table now, its tiles side by side."""
        sighting = self.sighting()
        tiles = sum(len((*seat.pond, *seat.hand)) + sum(map(len, seat.melds)) for seat in sighting.seats)
        shades = np.repeat(np.arange(10, 10 + max(tiles, 1), dtype=np.uint8), TILE_PX)
        image = np.broadcast_to(shades[None, :, None], (TILE_PX, len(shades), 3)).copy()
        boxes: tuple[Box, ...] = tuple((TILE_PX * n, 0.0, TILE_PX * n + TILE_PX, TILE_PX) for n in range(tiles))
        return Look(sighting, image, boxes)

    def shows(self, picture: str | None, *places: tuple[int, str, int]) -> bool:
        """Whether a kept picture shows these tiles of the table as it lies now: (seat, pond or melds, number)."""
        assert picture is not None
        seats = self.picture().sighting.seats
        shades = set(np.unique(self.kept[picture]).tolist())
        for seat, zone, index in places:
            own = seats[seat]
            tile = (own.pond if zone == "pond" else [one for meld in own.melds for one in meld])[index]
            assert tile.ref is not None
            if 10 + tile.ref not in shades:
                return False
        return True

    def look(self, times: int = 2) -> None:
        for _ in range(times):
            self.now_s += 1
            self.sees(self.sighting(), self.picture())

    def discard(self, *moves: tuple[int, str]) -> None:
        for seat, tile in moves:
            self.ponds[seat].append(tile)
        self.look()

    def answer(self, **fields: Any) -> str:
        """Answer as the running table does; the refusal's key, or empty."""
        command = AnswerSeen(idem=f"a{self.now_s}", actor=Actor(role="tablet"), **fields)
        completed = self.following.completed(command, self.desk.state)
        if isinstance(completed, Rejected):
            return completed.sentence.key
        self.desk.must("answer_seen", **completed.model_dump(exclude={"kind", "idem", "actor"}))
        for one in self.following.answered(completed, self.desk.state):
            self.desk.must("see_move", **one.model_dump(exclude={"kind", "idem", "actor"}))
        return ""

    @property
    def document(self) -> Snapshot:
        table = self.following.table(self.desk.state)
        live = Live(table=table, pace=self.following.pace(self.desk.state))
        game = self.desk.state.game
        assert game is not None
        return snapshot(self.desk.state, live, open_rulebook(game.ruleset, game.options))

    @property
    def table(self) -> SeenTable:
        table = self.document.table
        assert table is not None
        return table

    def asked(self) -> Question:
        """Look until the question comes; it."""
        self.look(6)
        assert self.table.question is not None
        return self.table.question


def glimpse(tile: str, ref: int | None = None) -> Glimpse:
    """A tile that is read surely, or `4p?5p` in doubt."""
    first, _, other = tile.partition("?")
    if other:
        return Glimpse(((first, 0.6), (other, 0.38)), sure=False, ref=ref)
    return Glimpse(((first, 1.0),), ref=ref)


def playing(**options: Any) -> Scene:
    """Two rounds of discards, the last one seat 3's 4m."""
    scene = Scene(**options)
    scene.discard((0, "1z"), (1, "9p"), (2, "1s"), (3, "2z"))
    scene.discard((0, "7z"), (1, "6z"), (2, "9s"), (3, "4m"))
    return scene

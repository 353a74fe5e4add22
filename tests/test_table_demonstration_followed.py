"""The demonstration that is followed: legal hands, the pages that show them, and one followed by the real eyes."""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.train.demo_followed import HANDS, moves_of
from models.train.demo_hands import tiles_of
from rules.questions import answer
from table import events as ev
from table.demo_pages import PagedCamera, page_name
from table.demo_script import FOLLOWED, DemoError, load_followed
from table.demonstration import Demonstration, Timing
from table.model import FROM_OTHERS
from vision.reader import TileReader
from vision.types import Image, PictureReading

QUICK = Timing(
    seat_s=0.1, throw_s=0.3, play_s=0.2, look_s=0.6, agree_s=0.1, rest_s=0.6, move_s=0.1, unseen_s=6.0, answer_s=2.0
)


class ReadsOnce(TileReader):
    """The real eyes; a page that is shown on is not read again, as the same pixels give the same reading."""

    _seen: bytes = b""
    _reading: PictureReading

    def read(self, image_bgr: Image) -> PictureReading:
        seen = hashlib.sha256(image_bgr.tobytes()).digest()
        if seen != self._seen:
            self._seen, self._reading = seen, super().read(image_bgr)
        return self._reading


@pytest.fixture(scope="module")
def recorded() -> list[dict[str, Any]]:
    document: dict[str, Any] = json.loads((FOLLOWED / "pages.json").read_text(encoding="utf-8"))
    hands: list[dict[str, Any]] = document["hands"]
    return hands


def test_every_dealer_has_a_hand_and_each_is_a_legal_win_of_the_promised_value(recorded: list[dict[str, Any]]) -> None:
    assert [hand["state"]["dealer"] for hand in recorded] == [0, 1, 2, 3]
    for hand, source in zip(recorded, HANDS, strict=True):
        assert hand["moves"] == source.moves
        found: Any = answer({"id": hand["story"], **{k: hand[k] for k in ("ruleset", "options", "state", "winners")}})
        assert found["valid"], hand["story"]
        assert found["winners"][0]["total"] == hand["total"] >= 8


def test_no_tile_is_played_five_times_and_a_winning_discard_is_the_last_move() -> None:
    for hand in HANDS:
        win = hand.win
        seen = Counter([*tiles_of(win.hand), *([win.win_tile] if win.from_seat is None else [])])
        pungs: Counter[str] = Counter()
        for _, what, tiles in moves_of(hand):
            claimed = {"<": len(tiles) - 1}.get(what, len(tiles))  # the discard that is taken was counted
            seen.update(tiles[:claimed] if what != "<" or tiles[0] == tiles[-1] else [])
            pungs.update(tiles[:1] if what in "<=^" else [])
        assert all(count <= (1 if tile[1] == "f" else 4) for tile, count in seen.items()), (win.story, seen)
        if win.from_seat is not None:
            assert hand.moves.split()[-1] == f"{win.from_seat}:{win.win_tile}"


def test_pages_build_on_each_other_and_can_be_turned_back() -> None:
    book, script = load_followed()
    camera = PagedCamera(book, lambda: 1.0)

    def shown(page: int) -> Any:
        camera.show(page_name(0, page))
        frame = camera.latest()
        assert frame is not None
        return frame.image

    first, later, last = shown(0), shown(5), shown(-1)
    assert 0.001 < np.mean(np.abs(later.astype(int) - first).max(axis=2) > 30) < 0.05
    assert np.mean(np.abs(last.astype(int) - later).max(axis=2) > 30) > 0.02
    assert np.array_equal(shown(5), later)
    assert np.array_equal(shown(0), first)
    assert script[0].win == page_name(0, -1)
    assert all(len(hand.play) == len(hand.turns) for hand in script)
    assert sum(path.stat().st_size for path in FOLLOWED.iterdir()) < 3_000_000


def test_missing_pages_are_named(tmp_path: Path) -> None:
    with pytest.raises(DemoError, match="Install Paiju again"):
        load_followed(tmp_path)


def test_a_hand_is_followed_to_a_win_that_nobody_had_to_describe(tmp_path: Path) -> None:
    """Through the real eyes. Whatever they doubt, no move may be wrong; who fed the win comes from the camera."""
    demo = Demonstration(tmp_path, lambda: ReadsOnce.from_models(threads=1), follow=True, timing=QUICK, pace=100.0)
    demo.start()
    try:
        end = time.monotonic() + 400  # a bound for a process that hangs, not for speed
        while not demo.runtime.snapshot().history and time.monotonic() < end:
            time.sleep(0.1)
        now = demo.runtime.snapshot()
        assert now.history, now
        events = [entry.event for entry in demo.runtime.entries()]
    finally:
        demo.stop()
    assert now.problems == ()
    row, win = now.history[0], HANDS[0].win
    assert (row.winner, row.source, row.from_seat, row.total) == (win.winner, "discard", win.from_seat, win.total)
    moves = [one for one in events if isinstance(one, ev.MoveSeen) and one.what != "hand"]
    assert len(moves) >= 0.9 * len(moves_of(HANDS[0]))  # an answer to a question may stand for a move
    questions = [one for one in events if isinstance(one, ev.SeenAnswered)]
    if not questions:
        for seen, (seat, _, tiles) in zip(moves, moves_of(HANDS[0]), strict=True):
            assert seen.seat == seat
            told = zip(tiles, seen.tiles, strict=True)
            assert all(text == "x" or tile in text.split("/") for tile, text in told)  # x: nobody could read it
        wins = [one.seen for one in events if isinstance(one, ev.WinSeen)]
        assert wins[-1].source in FROM_OTHERS
        assert wins[-1].from_seat == win.from_seat
        assert wins[-1].tile in ("", win.win_tile)  # a face in doubt is left open
        assert {one.seen.from_seat for one in events if isinstance(one, ev.WinSeen)} <= {win.from_seat, None}

"""Following at a running table: observations in the ledger, suggestions for a win, and never a point."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random

import cv2
import numpy as np

from rules.registry import ruleset
from table.events import MoveSeen
from table.follow.facts import circumstances
from table.follow.legal import legal_moves
from table.follow.moves import HandLaid
from table.following import Following
from table.ledger import Ledger
from table.runtime import LEDGER_NAME, Runtime
from table.seen_moves import observed
from tests.evening_sim import Camera, HandPlay, Noise
from tests.table_kit import NAMES, Desk, command
from vision.frames import Frame, SourceStatus
from vision.grouping import arrange
from vision.pictures import load_picture
from vision.types import Image, PictureReading, TileReading

DEMO = Path(__file__).parent.parent / "table" / "demo"
WORDS = {"Discarded": "discard", "Flowered": "flower", "HandLaid": "hand", "TableCleared": "cleared"}


def table(rules: str = "gb", **options: object) -> Desk:
    desk = Desk()
    desk.must("open_game", ruleset=rules, names=NAMES, options=options, mode="friendly", first_dealer=0)
    desk.must("start_hand")
    return desk


def follow_one(desk: Desk, following: Following, play: HandPlay, camera: Camera) -> list[object]:
    """Play a simulated hand before the camera until it is laid open; what truly happened."""
    truth: list[object] = []
    for happened in play.play():
        if happened.move is not None:
            truth.append(happened.move)
        for _ in range(3):
            sighting = camera.look(play.players)
            assert sighting is not None
            for seen in following.sighted(sighting, desk.state):
                desk.must("see_move", **seen.model_dump(exclude={"kind", "idem", "actor"}))
        if isinstance(happened.move, HandLaid):
            break
    return truth


def test_a_followed_hand_is_written_down_and_moves_no_point() -> None:
    desk, following, legal = table(), Following(), legal_moves(ruleset("gb"))
    play = HandPlay(legal, 0, Random(5))
    truth = follow_one(desk, following, play, Camera(legal, Noise(), Random(6)))
    seen = [entry.event for entry in desk.entries if isinstance(entry.event, MoveSeen)]
    told = [WORDS.get(type(move).__name__) or move.kind for move in truth]  # type: ignore[attr-defined]
    assert [event.what for event in seen] == told
    assert [event.seat for event in seen] == [getattr(move, "seat", None) for move in truth]
    assert {event.hand_no for event in seen} == {1}
    assert desk.state.totals == (0, 0, 0, 0)
    laid = truth[-1]
    assert isinstance(laid, HandLaid)
    at = following.at_win(laid.seat)
    assert at is not None
    facts = circumstances(at, legal, laid.seat)
    assert (facts.source, facts.from_seat) == (laid.source, laid.from_seat)


def test_nothing_is_followed_between_hands() -> None:
    desk, legal = Desk(), legal_moves(ruleset("gb"))
    desk.must("open_game", ruleset="gb", names=NAMES, options={}, mode="friendly", first_dealer=0)
    play, camera = HandPlay(legal, 0, Random(5)), Camera(legal, Noise(), Random(6))
    moves = play.play()
    for _ in range(8):
        next(moves)
    sighting = camera.look(play.players)
    assert sighting is not None
    following = Following()
    assert following.sighted(sighting, desk.state) == following.sighted(sighting, desk.state) == ()
    assert following.at_win(2) is None
    assert following.table(desk.state) is None


def test_seats_of_two_players_are_those_of_the_table() -> None:
    laid = HandLaid(seat=1, source="discard", from_seat=0, taken=("5m",), tiles=(("1m",), ()))
    report = observed(laid, "m1", (0, 2))
    assert (report.seat, report.from_seat, report.taken, report.tiles) == (2, 0, "5m", ("1m", "x"))


class GrowingTable:
    """A camera over the demo's table and eyes that see ever more of its discards: a table being played at."""

    def __init__(self) -> None:
        hand = json.loads((DEMO / "truth.json").read_text(encoding="utf-8"))["hands"][0]
        self.picture = hand["pictures"]["play"]
        whole = load_picture(DEMO / self.picture["picture"])
        self.image = cv2.resize(whole, (800, 600), interpolation=cv2.INTER_AREA).astype(np.uint8)
        self.number = 0
        self.shown: list[tuple[int, int]] = []
        self.reached = 0
        self.until = 0

    def latest(self) -> Frame | None:
        self.number += 1
        image = self.image
        if len(self.shown) != self.reached:  # somebody reaches over the table
            self.reached, self.until = len(self.shown), self.number + 6
        if self.number < self.until:
            image = image.copy()
            image[200:350, 300:500] = 255
        return Frame(image, 0.4 * self.number, self.number)

    def status(self) -> SourceStatus:
        return SourceStatus("live", "", 800, 600, 0.0)

    def close(self) -> None:
        pass

    def read(self, _image: Image) -> PictureReading:
        ponds = {group["seat"]: group["tiles"] for group in self.picture["groups"] if group["kind"] == "pond"}
        tiles = [self.picture["tiles"][ponds[seat][place]] for seat, place in self.shown]
        read = [TileReading(one["tile"], 0.99, "sure", (), tuple(v / 2 for v in one["box"])) for one in tiles]
        return arrange(800, 600, read)


def test_a_running_table_writes_down_what_its_camera_follows(tmp_path: Path) -> None:
    camera = GrowingTable()
    runtime = Runtime.open(tmp_path, camera=camera, reader=lambda: camera, follow=True).start()
    try:
        runtime.submit(command("open_game", ruleset="gb", names=NAMES, options={}, mode="friendly", first_dealer=0))
        runtime.submit(command("start_hand"))
        for step in range(3):
            camera.shown.append((step, 0))
            before = runtime.snapshot().seq
            limit = time.monotonic() + 60
            while runtime.snapshot().seq == before and time.monotonic() < limit:
                time.sleep(0.05)
    finally:
        runtime.stop()
    ledger = Ledger.open(tmp_path / LEDGER_NAME)
    seen = [entry.event for entry in ledger.entries() if isinstance(entry.event, MoveSeen)]
    ledger.close()
    assert [(event.what, event.seat, event.tiles) for event in seen] == [
        ("discard", 0, ("3s",)), ("discard", 1, ("2s",)), ("discard", 2, ("5s",)),
    ]  # fmt: skip

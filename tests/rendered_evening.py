"""Whole hands on a rendered table, read by the shipped eyes and followed: what was true beside what was committed.

The players are those of `evening_sim`, the pictures those of `rendered_table`; everything between picture and move is
the product's own: motion gate, reader, votes over frames, zones, sighting, follower.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, fields, replace
from random import Random

import numpy as np

from models.train.live_table import LiveTable
from rules.registry import ruleset
from table.follow.facts import circumstances
from table.follow.follower import Follower, unexplained
from table.follow.legal import legal_moves
from table.follow.moves import HandLaid, TableCleared
from table.follow.sighting import Sighting
from table.follow.state import begin
from table.lookout import Lookout
from tests.evening_sim import HandPlay
from tests.follow_run import Tally, Watch
from tests.rendered_table import Laying, Place, Seats, calibration_of
from vision.frames import Frame
from vision.reader import TileReader
from vision.watch import Reader
from vision.zones import ZonePlan

FRAME_S = 0.4
LOOKS = (5, 5, 5, 6)
"""Frames between two moves: at rest after the second, read from then on."""
PATIENT = 14
ARM = 0.05
"""Share of moves after which an arm comes to rest over the table for three frames."""


@dataclass
class Seen:
    """What the sightings made of the open tiles, once the table was at rest, against what truly lay there."""

    tiles: int = 0
    right: int = 0
    sure: int = 0
    sure_wrong: int = 0
    missed: int = 0


@dataclass
class Evening:
    """What became of the hands of one place."""

    moves: Tally = field(default_factory=Tally)
    faces: Seen = field(default_factory=Seen)
    frames: int = 0
    reads: int = 0
    wins: int = 0
    wins_told: int = 0
    wins_wrong: int = 0
    render_s: float = 0.0
    read_s: float = 0.0

    def add(self, other: Evening) -> None:
        """Put the figures of another evening to these."""
        for name in ("frames", "reads", "wins", "wins_told", "wins_wrong", "render_s", "read_s"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for mine, theirs in ((self.moves, other.moves), (self.faces, other.faces)):
            for one in fields(mine):
                if isinstance(getattr(mine, one.name), int):
                    setattr(mine, one.name, getattr(mine, one.name) + getattr(theirs, one.name))


def play_evening(place: Place, reader: Reader, hands: list[tuple[str, int]], *, most_moves: int = 1000) -> Evening:
    """Plays hands at one table.

    Args:
        place: table, camera and tiles.
        reader: the eyes.
        hands: ruleset and seed of each hand.
        most_moves: after so many moves a hand is broken off, and counts as far as it went.
    """
    evening = Evening()
    started = time.process_time()
    table = place.open(seed=1)
    evening.render_s += time.process_time() - started
    for number, (name, seed) in enumerate(hands):
        _Hand(place, table, reader, evening, (name, seed, number)).follow(most_moves)
    return evening


MOST_QUESTIONS = 1
"""In one hand of the tests: the measured ones are followed without any."""


def follow_one(place: Place, rules: str, seed: int) -> None:
    """Plays one whole hand until its win: no move and no win is told wrongly, and hardly anything is asked."""
    evening = play_evening(place, TileReader.from_models(threads=1), [(rules, seed)])
    moves, faces = evening.moves, evening.faces
    assert moves.hands == 1
    assert moves.wrong == 0, moves.notes
    assert moves.questions <= MOST_QUESTIONS, moves.notes
    assert (evening.wins, evening.wins_wrong) == (1, 0)
    assert faces.sure_wrong <= 0.005 * faces.tiles
    assert faces.right >= 0.9 * faces.tiles


class _Hand:
    def __init__(
        self, place: Place, table: LiveTable, reader: Reader, evening: Evening, which: tuple[str, int, int]
    ) -> None:
        name, seed, number = which
        legal = legal_moves(ruleset(name))
        self.rng, self.chance = Random(f"looks:{seed}"), np.random.default_rng(seed)
        dealer = number % legal.seats
        self.play = HandPlay(legal, dealer, Random(f"{name}:{seed}"))
        self.table, self.evening = table, evening
        places = (0, 2) if legal.seats == 2 else tuple(range(legal.seats))
        self.laying = Laying(Seats(table.body, place.half_mm, places), seed)
        self.places = places
        self.calibration = calibration_of(place, table)
        plan = ZonePlan(size_mm=self.calibration.size_mm)
        self.lookout = Lookout(reader, 0, self.calibration, plan)
        first = begin(legal, dealer, wild=self.play.wild, outside=self.play.outside)
        self.watch = Watch(Follower(first, legal), evening.moves)
        self.now_s, self.number = 0.0, 0
        self.newest: Sighting | None = None

    def follow(self, most_moves: int) -> None:
        """Plays the hand before the camera."""
        tally, broken_off = self.evening.moves, False
        tally.hands += 1
        self._lay()
        for count, happened in enumerate(self.play.play()):
            if count >= most_moves:
                broken_off = True
                break
            if happened.move is not None:
                self.watch.truth.append(happened.move)
            end = happened.move is None or isinstance(happened.move, HandLaid | TableCleared)
            self._frame(self._somewhere(), looked=False)
            self._lay()
            resting = self.rng.random() < ARM
            for frame in range(PATIENT if end else self.rng.choice(LOOKS) + 3 * resting):
                self._frame(self._somewhere() if resting and frame < 3 else None)
            self._judge_faces()
            if isinstance(happened.move, HandLaid):
                self._press_button(happened.move)
        if not broken_off and not self.watch.done and not self.watch.questions:
            self.watch.unfinished()
        tally.moves += len(self.watch.truth)
        tally.clean += not self.watch.questions and not self.watch.bad

    def _somewhere(self) -> tuple[float, float]:
        return self.rng.uniform(-250, 250), self.rng.uniform(-250, 250)

    def _lay(self) -> None:
        started = time.process_time()
        self.table.lay(self.laying.tiles(self.play))
        self.evening.render_s += time.process_time() - started

    def _frame(self, arm: tuple[float, float] | None, *, looked: bool = True) -> None:
        started = time.process_time()
        image = self.table.frame(self.chance, arm, rough=not looked)
        self.evening.render_s += time.process_time() - started
        self.evening.frames += 1
        self.number += 1
        self.now_s += FRAME_S
        started = time.process_time()
        sighting = self.lookout.look(Frame(image, self.now_s, self.number))
        if sighting is not None:
            self.evening.reads += 1
            self.evening.read_s += time.process_time() - started
            self.newest = replace(sighting, seats=tuple(sighting.seats[place] for place in self.places))
            self.watch.take(self.newest)

    def _press_button(self, laid: HandLaid) -> None:
        """The winner presses the button at the seat: what following tells of the win beside what is true."""
        state, legal = self.watch.follower.state, self.watch.follower.legal
        told = circumstances(state, legal, laid.seat)
        self.evening.wins += 1
        if told.source is not None and not unexplained(self.watch.follower):
            self.evening.wins_told += 1
            self.evening.wins_wrong += (told.source, told.from_seat) != (laid.source, laid.from_seat)

    def _judge_faces(self) -> None:
        """Discards one by one; a tile that was not found at all shifts the rest, so such ponds count as missed only."""
        faces = self.evening.faces
        for player, seen in zip(self.play.players, self.newest.seats if self.newest else (), strict=False):
            faces.tiles += len(player.pond)
            if len(player.pond) != len(seen.pond):
                faces.missed += abs(len(player.pond) - len(seen.pond))
                continue
            for piece, glimpse in zip(player.pond, seen.pond, strict=True):
                known = glimpse.candidates[0][1] > 0
                right = known and glimpse.candidates[0][0] == piece.tile
                faces.missed += not known
                faces.right += right
                faces.sure += glimpse.sure
                faces.sure_wrong += glimpse.sure and not right

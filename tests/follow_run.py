"""Follows simulated hands and counts what went right: used by the tests and by the benchmark."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from rules.registry import ruleset
from table.follow.faces import Faces
from table.follow.follower import Asked, Follower, Moved, follow, look
from table.follow.legal import Legal, legal_moves
from table.follow.moves import Claimed, Discarded, Flowered, HandLaid, Konged, Move, TableCleared
from table.follow.sighting import Sighting
from table.follow.state import begin
from tests.evening_sim import Camera, HandPlay, Noise

LOOKS = (1, 2, 2, 3, 4)
"""Looks between two moves; at two a second a fast game has two to four."""

PATIENT = 12
"""Looks at the end of a hand and while a question is open."""


@dataclass
class Tally:
    """What became of the hands; `notes` tells the first few that went wrong, for whoever mends them."""

    hands: int = 0
    clean: int = 0
    questions: int = 0
    wrong: int = 0
    moves: int = 0
    looks: int = 0
    open_faces: int = 0
    why: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def follow_hands(name: str, hands: int, noise: Noise, seed: int, **options: object) -> Tally:
    """Play and follow so many hands of a ruleset under these options."""
    legal = legal_moves(ruleset(name, options))
    tally = Tally()
    for number in range(hands):
        _follow_hand(legal, number % legal.seats, noise, Random(f"{name}:{seed}:{number}"), tally)
    return tally


def _follow_hand(legal: Legal, dealer: int, noise: Noise, rng: Random, tally: Tally) -> None:
    play = HandPlay(legal, dealer, rng, noise.snatch)
    camera = Camera(legal, noise, rng)
    watch = Watch(Follower(begin(legal, dealer, wild=play.wild, outside=play.outside), legal), tally)
    tally.hands += 1
    for happened in play.play():
        if happened.move is not None:
            watch.truth.append(happened.move)
        looks = 0 if happened.at_once else rng.choice(LOOKS)
        if noise.rushed and rng.random() < noise.rushed:
            looks = 0
        if happened.move is None or isinstance(happened.move, HandLaid | TableCleared):
            looks = PATIENT
        for _ in range(looks):
            watch.take(camera.look(play.players))
    if not watch.done and not watch.questions:
        watch.unfinished()
    tally.moves += len(watch.truth)
    tally.clean += not watch.questions and not watch.bad


class Watch:
    """One hand: what was true, what was committed, and whether they agree."""

    def __init__(self, follower: Follower, tally: Tally) -> None:
        self.first = self.follower = follower
        self.tally = tally
        self.truth: list[Move] = []
        self.committed: list[Move] = []
        self.questions = 0
        self.bad = False

    @property
    def done(self) -> bool:
        return len(self.committed) == len(self.truth)

    def take(self, sighting: Sighting | None) -> None:
        """One look of the camera."""
        if sighting is None:
            return
        self.tally.looks += 1
        before = self.follower.state
        self.follower, step = look(self.follower, sighting)
        if isinstance(step, Moved) and step.moves:
            if isinstance(step.moves[-1], TableCleared):
                self.tally.open_faces += len(before.open_faces())
            self.committed += step.moves
            self._check(step.moves)
        elif isinstance(step, Asked):
            self.questions += 1
            self.tally.questions += 1
            self.tally.why[step.why] = self.tally.why.get(step.why, 0) + 1
            told = f"{step.why} {step.tiles[:3]} {step.ways} after {self.committed[-2:]} truth {self.truth[-4:]}"
            self.tally.notes.append(told)
            self._told_by_a_person()

    def unfinished(self) -> None:
        """The hand ended before everything was followed: as bad as a question."""
        self.questions += 1
        self.tally.questions += 1
        self.tally.why["unfinished"] = self.tally.why.get("unfinished", 0) + 1
        self.tally.notes.append(f"unfinished {self.follower.trouble} {self.truth[len(self.committed) :]}")

    def _check(self, moves: tuple[Move, ...]) -> None:
        start = len(self.committed) - len(moves)
        self._reorder(start, moves)
        for place, move in enumerate(moves, start=start):
            if self._overlooked(place, move):
                self.questions += 1
                self.tally.questions += 1
                self.tally.why["overlooked"] = self.tally.why.get("overlooked", 0) + 1
                self._told_by_a_person(place, again=True)
                return
            true = self.truth[place] if place < len(self.truth) else None
            if true is None or not agrees(move, true):
                self.bad = True
                self.tally.wrong += 1
                self.tally.notes.append(f"WRONG {move} instead of {self.truth[place - 1 : place + 2]}")
                self._told_by_a_person(start)
                return

    def _reorder(self, start: int, moves: tuple[Move, ...]) -> None:
        """A flower that one look showed together with other moves: in which order they came nobody can tell.

        The truth takes the order of what was committed if only flowers stand elsewhere.
        """
        left, order = self.truth[start : start + len(moves)], list[Move]()
        for move in moves:
            flower = isinstance(move, Flowered)
            same = (one for one in left if isinstance(one, Flowered) == flower and (not flower or agrees(move, one)))
            true = next(same, None)
            if true is None:
                return
            left.remove(true)
            order.append(true)
        self.truth[start : start + len(moves)] = order

    def _overlooked(self, place: int, move: Move) -> bool:
        """Whether only flowers that the eyes have not found stand before this move: not wrong, but somebody must help.

        A flower may be told before what others did, if the eyes found that later: its order among their moves is told
        by nothing. Among the moves of its own player it is.
        """
        for later, true in enumerate(self.truth[place:], start=place):
            if agrees(move, true):
                if isinstance(move, Flowered):
                    self.truth.insert(place, self.truth.pop(later))
                    return False
                return later > place
            anothers = isinstance(move, Flowered) and not isinstance(true, TableCleared) and true.seat != move.seat
            if not (isinstance(true, Flowered) or anothers):
                return False
        return False

    def _told_by_a_person(self, good: int | None = None, *, again: bool = False) -> None:
        """A person sets it right: everything that truly happened counts."""
        good = len(self.committed) if good is None else good
        if self.bad or again:
            self.follower = follow(self.first, tuple(self.truth))
        else:
            self.follower = follow(self.follower, tuple(self.truth[good:]))
        self.committed = list(self.truth)


def agrees(seen: Move, true: Move) -> bool:
    """Whether what was committed is what happened; a face in doubt agrees with each face that it may be."""
    match seen, true:
        case Discarded(), Discarded():
            return (seen.seat, seen.again) == (true.seat, true.again) and _may(seen.faces, true.faces)
        case Claimed(), Claimed():
            who = (seen.seat, seen.kind, seen.from_seat) == (true.seat, true.kind, true.from_seat)
            return who and _may(seen.taken, true.taken) and all(map(_may, seen.tiles, true.tiles))
        case Konged(), Konged():
            who = (seen.seat, seen.kind, seen.meld) == (true.seat, true.kind, true.meld)
            return who and _may(seen.faces, true.faces)
        case Flowered(), Flowered():
            return seen.seat == true.seat and _may(seen.faces, true.faces)
        case HandLaid(), HandLaid():
            who = (seen.seat, seen.source, seen.from_seat) == (true.seat, true.source, true.from_seat)
            return who and (not true.taken or _may(seen.taken, true.taken)) and all(map(_may, seen.tiles, true.tiles))
        case TableCleared(), TableCleared():
            return True
    return False


def _may(seen: Faces, true: Faces) -> bool:
    return not seen or true[0] in seen

"""The hand being played, followed by the camera: sightings in, observations and suggestions out.

What is followed goes to the ledger as `MoveSeen`, which moves no point and settles nothing. For a win it only suggests
the circumstances; a person states them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from models import Thresholds
from rules.registry import ruleset
from table.circumstances import stated_facts, wild_of
from table.follow.faces import BACK, Faces
from table.follow.facts import WinFacts, circumstances
from table.follow.follower import Asked, Follower, Moved, look
from table.follow.legal import legal_moves
from table.follow.moves import Claimed, Discarded, Flowered, HandLaid, Konged, Move, TableCleared
from table.follow.sighting import Sighting
from table.follow.state import begin
from table.hand_commands import SeeMove, What
from table.model import Actor, Seat
from table.sightings import sighting_of
from table.state import Game, State
from table.strips import felt_of
from vision.calibration import Calibration, turned
from vision.frames import Frame
from vision.types import PictureReading
from vision.watch import Reader, TableWatch
from vision.zones import ZonePlan

SURE_ALONE = 0.98
"""A face is relied upon from here on; below, every candidate stays possible. Far stricter than for a hand that people
look at anyway: an observation is nobody's to confirm."""

CHECK = 0.5

CAMERA = Actor(role="system", device="camera")


@dataclass(frozen=True, slots=True)
class _Hand:
    """Which hand is followed, so that a new one starts afresh."""

    game: str
    number: int
    wild: str


class Following:
    """Follows one hand after the other; owned by the thread that owns the state."""

    def __init__(self) -> None:
        self._hand: _Hand | None = None
        self._follower: Follower | None = None
        self._question: Asked | None = None
        self._places: tuple[Seat, ...] = ()

    @property
    def question(self) -> Asked | None:
        """What only a person can tell now; None while all is well."""
        return self._question

    def sighted(self, sighting: Sighting, state: State) -> tuple[SeeMove, ...]:
        """Take in a sighting of the hand being played; the moves that are certain now, as commands.

        Between hands and while a win is looked at nothing is followed.
        """
        if state.game is None or state.setup is None or not state.started or state.claims:
            return ()
        places = state.game.places
        here = replace(sighting, seats=tuple(sighting.seats[place] for place in places))
        follower, step = look(self._of(state, state.game), here)
        self._follower = follower
        if isinstance(step, Asked):
            self._question = step
        elif isinstance(step, Moved):
            self._question = None
        if not isinstance(step, Moved):
            return ()
        count = len(follower.state.moves) - len(step.moves)
        key = f"move:{state.game.id}:{state.setup.hand_no}"
        return tuple(observed(move, f"{key}:{count + n}", places) for n, move in enumerate(step.moves))

    def suggest(self, seat: Seat) -> WinFacts | None:
        """The circumstances of a win of this seat, as far as the hand was followed; seats as the rules number them."""
        follower = self._follower
        if follower is None or self._question is not None or not follower.state.moves:
            return None
        return circumstances(follower.state, follower.legal, self._places.index(seat))

    def _of(self, state: State, game: Game) -> Follower:
        """The follower of the hand being played; a wildcard that is named later holds for the whole hand."""
        setup = state.setup
        if setup is None:
            raise RuntimeError("only a hand that was set up is followed")
        stated = stated_facts(state, game)
        hand = _Hand(game.id, setup.hand_no, wild_of(stated))
        before = self._hand
        if self._follower is None or before is None or (before.game, before.number) != (hand.game, hand.number):
            flip = stated.get("flip")
            outside = (flip,) if isinstance(flip, str) and flip else ()
            legal = legal_moves(ruleset(game.ruleset, game.options))
            dealer = game.places.index(setup.dealer)
            self._follower = Follower(begin(legal, dealer, wild=hand.wild or None, outside=outside), legal)
            self._question = None
        elif before.wild != hand.wild:
            self._follower = replace(
                self._follower, state=replace(self._follower.state, wild=hand.wild or None), expected=()
            )
        self._hand, self._places = hand, game.places
        return self._follower


def observed(move: Move, idem: str, places: tuple[Seat, ...]) -> SeeMove:
    """A move as it is reported; `places` are the seats of the table that play, in order."""

    def report(
        what: What, seat: int, tiles: tuple[Faces, ...], feeder: int | None = None, taken: Faces = ()
    ) -> SeeMove:
        return SeeMove(
            idem=idem,
            actor=CAMERA,
            what=what,
            seat=places[seat],
            tiles=tuple(map(text_of, tiles)),
            from_seat=None if feeder is None else places[feeder],
            taken="" if feeder is None else text_of(taken),
        )

    match move:
        case Discarded(seat=seat, faces=faces):
            return report("discard", seat, (faces,))
        case Claimed(seat=seat, kind=kind, from_seat=feeder, taken=taken, tiles=tiles):
            return report(kind, seat, tiles, feeder, taken)
        case Konged(seat=seat, kind=kind, faces=faces):
            return report(kind, seat, (faces,))
        case Flowered(seat=seat, faces=faces):
            return report("flower", seat, (faces,))
        case HandLaid(seat=seat, from_seat=feeder, taken=taken, tiles=tiles):
            return report("hand", seat, tiles, feeder, taken)
        case TableCleared():
            return SeeMove(idem=idem, actor=CAMERA, what="cleared", seat=None)


def text_of(faces: Faces) -> str:
    """Faces as text.

    >>> text_of(("5p",)), text_of(("7s", "8s")), text_of(())
    ('5p', '7s/8s', 'x')
    """
    return "/".join(faces) or BACK


class Lookout:
    """Turns frames into sightings in the reading thread: waits for rest, reads, finds the felt."""

    def __init__(
        self, reader: Reader, quarters: int, known: Calibration | None = None, plan: ZonePlan | None = None
    ) -> None:
        """Get ready.

        Args:
            reader: reads pictures.
            quarters: how many places further on than the bottom of the picture seat 0 sits.
            known: where the felt lies, if that was calibrated.
            plan: where the zones of the table end.
        """
        self._watch = TableWatch(reader, Thresholds(sure=SURE_ALONE, check=CHECK))
        self._quarters = quarters
        self._known = known
        self._plan = plan or ZonePlan()

    def look(self, frame: Frame) -> Sighting | None:
        """What the frame shows; None while something moves, nothing is new, or no felt is seen."""
        reading = self._watch.look(frame)
        return None if reading is None else self._sighting(reading, frame)

    def _sighting(self, reading: PictureReading, frame: Frame) -> Sighting | None:
        seen = felt_of(frame.image, self._known)
        if seen is None:
            return None
        calibration = turned(seen, self._quarters) if self._quarters else seen
        return sighting_of(reading, calibration, self._plan, frame.at_s)

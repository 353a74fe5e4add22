"""The reading thread: pictures go in, what the eyes saw comes back into the inbox.

Reading takes a second on a small machine, so it never happens in the thread that owns the game.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal, Protocol

from table import events as ev
from table.evidence import EvidenceError, EvidenceStore
from table.lookout import Lookout
from table.messages import EyesFailed, HandSeen, Message, PlaceSeen, TableSeen
from table.model import Actor, Seat
from table.reading import seen
from table.sentences import repeat, say
from table.strips import felt_of, hand_strip, without_people
from table.timed_eyes import ReadingPace, Stopwatch, timed
from vision.calibration import DRIFT_ALARM, Calibration, drift
from vision.felt import find_felt
from vision.frames import Frame
from vision.pictures import PictureError, load_picture
from vision.said import said
from vision.types import Image, PictureReading

PLACE_EVERY_S = 10.0
"""How often the camera's place is checked: the felt is found in a sixth of a second."""

log = logging.getLogger(__name__)


class Eyes(Protocol):
    """Anything that reads tiles, as `vision.reader.TileReader`."""

    def read(self, image: Image) -> PictureReading:
        """The tiles in a picture (uint8, height x width x 3, BGR)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """For whom a picture is read. `wanted` = a person asked, so that it counts whatever it shows."""

    seat: Seat
    actor: Actor
    idem: str
    wanted: bool


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a picture came from, and under which ids it is kept."""

    how: Literal["camera", "photo"]
    picture: str
    frame: str | None


class Looker:
    """Reads one picture after the other in a thread of its own."""

    def __init__(
        self,
        load: Callable[[], Eyes] | None,
        evidence: EvidenceStore,
        put: Callable[[Message], None],
        quarters: int = 0,
        felt: Calibration | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Get ready.

        Args:
            load: loads the tile reader; None means that pictures are kept but not read.
            evidence: where pictures are stored.
            put: takes results into the inbox.
            quarters: how far the camera's picture is turned: places from its bottom edge to seat 0, counter-clockwise.
            felt: where the felt lies in the camera's picture, if that was calibrated.
            clock: seconds that never go back, to time the readings with.
        """
        self._stopwatch = Stopwatch(clock)
        self._quarters = quarters
        self._felt = felt
        self._load = load
        self._evidence = evidence
        self._put = put
        self._eyes: Eyes | None = None
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="table-eyes")
        self._lock = threading.Lock()
        self._waiting = 0
        self._lookout: Lookout | None = None
        self._looking = False
        self._stopped = False
        self._trouble = ""
        self._place_due_s = float("-inf")
        self._far = 0

    @property
    def busy(self) -> bool:
        """Whether a picture is being read or waits to be."""
        return self._waiting > 0

    @property
    def able(self) -> bool:
        """Whether there are eyes that can be given something to look at."""
        return self._load is not None and not self._trouble and not self._stopped

    @property
    def trouble(self) -> str:
        """Why the eyes cannot be used; empty when they can."""
        return self._trouble

    @property
    def felt_picture_px(self) -> tuple[int, int] | None:
        """Width and height of the pictures in which the felt's corners were set; None without."""
        felt = self._felt
        return None if felt is None else felt.picture_px

    @property
    def pace(self) -> ReadingPace:
        """How fast pictures are read."""
        return self._stopwatch.pace()

    def start(self) -> None:
        """Load the tile reader in the background, so that the first hand is read at once."""
        if self._load is not None:
            self._pool.submit(self._ready)

    def stop(self) -> None:
        """Finish the picture in hand, forget the others."""
        self._stopped = True
        self._pool.shutdown(wait=True, cancel_futures=True)

    def refit(self, load: Callable[[], Eyes] | None, quarters: int, felt: Calibration | None) -> None:
        """Go on with another reader or another place of the felt, after the picture in hand."""
        self._pool.submit(self._refit, load, quarters, felt)

    def _refit(self, load: Callable[[], Eyes] | None, quarters: int, felt: Calibration | None) -> None:
        if load is not self._load:
            self._load, self._eyes, self._trouble = load, None, ""
        self._quarters, self._felt, self._lookout, self._far = quarters, felt, None, 0
        self._put(PlaceSeen(share=0.0))  # what was told of the old place while this waited is over
        self._ready()

    def read(self, image: Image) -> Future[PictureReading | None]:
        """Read a picture that no hand waits for; None where there are no eyes."""
        return self._pool.submit(self._glance, image)

    def _glance(self, image: Image) -> PictureReading | None:
        eyes = self._ready()
        return None if eyes is None else eyes.read(image)

    def check_place(self, frame: Frame | None, now_s: float) -> None:
        """Look now and then whether the camera still hangs where it was calibrated."""
        if self._felt is None or frame is None or now_s < self._place_due_s:
            return
        self._place_due_s = now_s + PLACE_EVERY_S
        self._pool.submit(self._check_place, frame)

    def _check_place(self, frame: Frame) -> None:
        height, width = frame.image.shape[:2]
        if self._felt is None or self._felt.picture_px != (width, height):
            return
        seen = find_felt(frame.image)
        if seen is None:  # hands and tiles on the edges: no news
            return
        share = drift(self._felt, seen.corners_px)
        self._far = self._far + 1 if share > DRIFT_ALARM else 0
        if self._far != 1:  # a single look may be wrong
            self._put(PlaceSeen(share=share))

    def read_frame(self, wish: Wish, frame: Frame) -> None:
        """Keep a camera frame as evidence and read the strip of it where this seat lays its hand down."""
        self._submit(lambda: self._read_strip(wish, frame))

    def read_file(self, wish: Wish, picture: str, data: bytes) -> None:
        """Read a picture that is evidence already."""
        self._submit(lambda: self._read(wish, load_picture(data), _Source("photo", picture, None)))

    def look_around(self, frame: Frame, *, again: bool = False) -> None:
        """See whether the whole table lies still, and read it if something is new; skipped while the last look runs.

        Args:
            frame: the camera's newest.
            again: tell what lies there also if nothing is new.
        """
        if not self._looking and not self._stopped:
            self._looking = True
            self._pool.submit(self._look_around, frame, again)

    def look_anew(self) -> None:
        """Forget what lay on the table: the tiles of another hand are no earlier looks at those of this one."""
        self._pool.submit(self._forget)

    def _forget(self) -> None:
        self._lookout = None

    def _look_around(self, frame: Frame, again: bool) -> None:
        try:
            eyes = self._ready()
            if eyes is not None and self._lookout is None:
                self._lookout = Lookout(eyes, self._quarters, self._felt)
            look = self._lookout.picture(frame, again=again) if self._lookout is not None else None
            if look is not None:
                self._put(TableSeen(look=look))
        except Exception as error:  # the top of the thread: a picture that breaks the reader must not end it
            log.exception("the table could not be read")
            self._put(EyesFailed(sentence=say("eyes_failed", detail=f"{type(error).__name__}: {error}")))
        finally:
            self._looking = False

    def _submit(self, job: Callable[[], Message]) -> None:
        with self._lock:
            self._waiting += 1
        self._pool.submit(self._do, job)

    def _do(self, job: Callable[[], Message]) -> None:
        try:
            message = job()
        except (PictureError, EvidenceError) as error:
            message = EyesFailed(sentence=repeat(said(error), "eyes_failed"))
        except Exception as error:  # the top of the thread: a picture that breaks the reader must not end it
            log.exception("a picture could not be read")
            message = EyesFailed(sentence=say("eyes_failed", detail=f"{type(error).__name__}: {error}"))
        with self._lock:
            self._waiting -= 1
        self._put(message)

    def _read_strip(self, wish: Wish, frame: Frame) -> Message:
        felt = felt_of(frame.image, self._felt)
        if felt is None:
            whole = self._evidence.keep(frame.image)
            return self._read(wish, frame.image, _Source("camera", whole, whole))
        # corners that nobody set are too weak to hide anything by
        whole = self._evidence.keep(frame.image if self._felt is None else without_people(frame.image, felt))
        strip = hand_strip(frame.image, felt, wish.seat, self._quarters)
        return self._read(wish, strip, _Source("camera", self._evidence.keep(strip), whole))

    def _read(self, wish: Wish, image: Image, source: _Source) -> Message:
        eyes = self._ready()
        if eyes is None:
            return EyesFailed(sentence=say("eyes_missing"))
        tiles, groups = seen(eyes.read(image))
        shown = ev.HandShown(
            seat=wish.seat,
            picture=source.picture,
            frame=source.frame,
            how=source.how,
            tiles=tiles,
            groups=groups,
        )
        return HandSeen(shown=shown, actor=wish.actor, idem=wish.idem, wanted=wish.wanted)

    def _ready(self) -> Eyes | None:
        if self._eyes is None and self._load is not None and not self._trouble:
            try:
                self._eyes = timed(self._load(), self._stopwatch)
            except Exception as error:  # whatever is wrong with the weights, the table plays on without eyes
                log.exception("the tile reader could not be loaded")
                self._trouble = str(error) or type(error).__name__
        return self._eyes

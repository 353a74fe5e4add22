"""What the camera adds to the game: the picture of a laid hand, and the moves it follows.

Owned by the inbox thread (`table.runtime`). Pictures are read in the reading thread (`table.eyes`), `table.watcher`
says when a hand lies still, `table.following` explains what lies on the table. Nothing seen here moves a point.
"""

from __future__ import annotations

from table import commands
from table.core import TableCore
from table.decision import Rejected, reject
from table.evidence import EvidenceStore
from table.eyes import Looker, Wish
from table.following import Following
from table.lookout import Look
from table.messages import HandSeen
from table.parts import Parts
from table.reading import worth_showing
from table.scribe import Scribe
from table.seen_moves import CAMERA
from table.snapshot import Pace, SeenTable
from table.state import Claim
from table.watcher import Watcher
from vision.frames import Frame, FrameSource


class Sight:
    """The camera of one table, if it has one, and everything that follows from its pictures."""

    def __init__(self, core: TableCore, parts: Parts, evidence: EvidenceStore, looker: Looker, scribe: Scribe) -> None:
        self._core = core
        self._clock = parts.clock
        self._camera = parts.camera
        self._evidence = evidence
        self._looker = looker
        self._scribe = scribe
        self._watcher = Watcher()
        self._following = Following(evidence.keep, parts.clock.wall_ms) if parts.follow else None
        self._playing = False

    @property
    def camera(self) -> FrameSource | None:
        """The camera in use."""
        return self._camera

    @property
    def table(self) -> SeenTable | None:
        """The table as it was followed; None while nothing is followed."""
        return self._following.table(self._core.state) if self._following is not None else None

    @property
    def pace(self) -> Pace | None:
        """Whose turn it is and since when; None while that is not known."""
        return self._following.pace(self._core.state) if self._following is not None else None

    def refit(self, camera: FrameSource | None) -> None:
        """Go on with another camera; the same one changes nothing."""
        if camera is not self._camera:
            self._camera, self._watcher = camera, Watcher()

    def look_now(self) -> None:
        """Somebody gave a sign that a hand lies open: the next frame is worth reading."""
        self._watcher.sign()

    def watch(self) -> None:
        """Look whether a claimed hand lies still before the camera, and what has moved on the table."""
        if self._camera is None or self._looker.busy or not self._looker.able:
            return
        newest, claim = self._newest(), self._core.state.claim
        self._looker.check_place(newest, self._clock.monotonic())
        self._follow(newest)
        still = self._watcher.look(newest, self._clock.monotonic(), _identity(claim))
        if still is not None and claim is not None:
            idem = f"camera:{self._core.state.seq}:{still.number}:{int(self._clock.monotonic() * 1000)}"
            self._looker.read_frame(Wish(seat=claim.seat, actor=CAMERA, idem=idem, wanted=False), still)

    def _newest(self) -> Frame | None:
        """What the camera sees now; None while it is lost, for its last picture may show an earlier hand."""
        camera = self._camera
        return None if camera is None or camera.status().state == "lost" else camera.latest()

    def _follow(self, newest: Frame | None) -> None:
        playing = self._core.state.started
        if playing and not self._playing:
            self._looker.look_anew()
        self._playing = playing
        if self._following is not None and playing and newest is not None:
            self._following.claimed(self._core.state, newest.at_s)
            self._looker.look_around(newest, again=self._following.wants_look)

    def followed(self, look: Look) -> None:
        """Write down what the camera followed; nothing waits for it."""
        if self._following is None:
            return
        for command in self._following.sighted(look.sighting, self._core.state, look):
            self._scribe.report(command)
        self._tell(again=False)

    def seen(self, seen: HandSeen) -> None:
        """Write down a hand that was read: one that a person asked for, or the first one the camera sees by itself.

        A second look may be under way when the first is written down; it must not undo what was agreed meanwhile.
        """
        waits = any(_identity(claim) == seen.shown.seat for claim in self._core.state.claims)
        if seen.wanted or (waits and worth_showing(seen.shown.tiles, seen.shown.groups)):
            self._scribe.show(seen)
            self.tell_again()

    def tell_again(self) -> None:
        """Something new is known of a claimed win, as its hand: what the camera can tell of it then is filled in.

        Without waiting for a look: a table that lies still gets none, and nobody shall agree to less meanwhile.
        """
        self._tell(again=True)

    def _tell(self, *, again: bool) -> None:
        """Twice, for what is told first may be what the hand lacked to be understood."""
        if self._following is not None:
            for once_more in (again, True):
                for win in self._following.wins(self._core.state, again=once_more):
                    self._scribe.report(win)

    def take_picture(self, command: commands.HandPhoto) -> Rejected | None:
        """Send a picture to the eyes: the one uploaded, or a frame of the camera taken now."""
        claim = self._core.state.claim
        if claim is None:
            return reject("no_claim")
        wish = Wish(seat=claim.seat, actor=command.actor, idem=f"seen:{command.idem}", wanted=True)
        if command.picture is not None:
            data = self._evidence.get(command.picture)
            if data is None:
                return reject("no_picture")
            self._looker.read_file(wish, command.picture, data)
            return None
        frame = self._newest()
        if frame is None:
            return reject("no_camera")
        self._looker.read_frame(wish, frame)
        return None

    def completed(self, command: commands.AnswerSeen) -> commands.AnswerSeen | Rejected:
        """A person's answer with what it refers to; or why it comes too late."""
        return self._following.completed(command, self._core.state) if self._following else reject("seen_gone")

    def answered(self, command: commands.AnswerSeen) -> None:
        """Write down the moves that a person's answer settles; the answer itself is in the ledger already."""
        if self._following is not None:
            for move in self._following.answered(command, self._core.state):
                self._scribe.report(move)


def _identity(claim: Claim | None) -> object:
    """Whose hand is waited for; None when no claim lacks its hand."""
    return None if claim is None or claim.has_hand else claim.seat

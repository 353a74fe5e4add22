"""One table, alive: a single inbox thread owns the game; camera, table line and pages only put messages into it.

    runtime = Runtime.open(Path("data"), camera=camera, reader=TileReader.from_models)
    runtime.start()
    runtime.submit(command)      # from any thread: Accepted or Rejected
    runtime.subscribe().get(5)   # the newest snapshot

After kill -9 the next `open` finds the table as the ledger has it: nothing confirmed is lost, nothing is doubled.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from table import commands
from table.core import TableCore
from table.decision import Accepted, Rejected, reject, reject_because
from table.device_views import ProblemSource
from table.evidence import EvidenceError, EvidenceStore
from table.eyes import Eyes, Looker
from table.health import Health, free_mb
from table.hub import Subscription
from table.ledger import Entry, Ledger
from table.ledger import read as read_ledger
from table.line import Line
from table.line_memory import LineMemory
from table.messages import (
    Ask,
    Closing,
    Connect,
    EyesFailed,
    FromTable,
    HandSeen,
    Message,
    PlaceSeen,
    Refit,
    Report,
    Stop,
    TableSeen,
)
from table.model import Actor
from table.parts import Clock, LinkMaker, Parts, SystemClock
from table.publication import Publication
from table.scribe import Scribe
from table.sentences import Sentence, repeat, say
from table.sight import Sight
from table.snapshot import Snapshot
from table.uploads import MOST_PICTURES, Uploads
from vision.calibration import Calibration
from vision.frames import FrameSource
from vision.pictures import PictureError, load_picture
from vision.said import said
from vision.types import Image, PictureReading

if TYPE_CHECKING:
    from typing import Self

LEDGER_NAME = "ledger.sqlite3"
EVIDENCE_NAME = "evidence"
TICK_S = 0.2
"""How often the camera is looked at while nothing else happens."""

ANSWER_S = 15.0
"""How long a caller waits for the inbox; far longer than any command takes. A page waits a little longer for him."""

Answer = TypeVar("Answer")

log = logging.getLogger(__name__)


class Runtime:
    """One table alive. Make it with `open`, then `start`; `stop` when done."""

    def __init__(self, core: TableCore, ledger: Ledger, evidence: EvidenceStore, parts: Parts) -> None:
        self._ledger = ledger
        self._evidence = evidence
        self._parts = parts
        self._inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._looker = Looker(
            parts.reader, evidence, self._inbox.put, parts.quarters, parts.felt, clock=parts.clock.monotonic
        )
        folder = ledger.path.parent
        self._health = Health(parts.clock.monotonic, core, self._looker, partial(free_mb, folder))
        self._scribe = Scribe(core, parts.clock, self._health)
        self._sight = Sight(core, parts, evidence, self._looker, self._scribe)
        self._line = Line(LineMemory(folder), parts.clock, self._health, self._scribe, self._sight.look_now)
        self._publication = Publication(core, self._health, self._looker, self._line, self._sight)
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()
        self._unpacking = threading.Lock()
        self._uploads = Uploads()

    @classmethod
    def open(
        cls,
        data_dir: Path,
        *,
        camera: FrameSource | None = None,
        link: LinkMaker | None = None,
        reader: Callable[[], Eyes] | None = None,
        clock: Clock | None = None,
        recording: Path | None = None,
        quarters: int = 0,
        felt: Calibration | None = None,
        follow: bool = False,
    ) -> Self:
        """Open the table kept in a folder; a new folder is a new table, and every part may be missing.

        Args:
            data_dir: holds the ledger and the pictures.
            camera: frames from over the table; closed with the runtime.
            link: makes the line to the table.
            reader: loads the tile reader (slow, so it is called in the reading thread).
            clock: time; the machine's own if None.
            recording: a file to which every message is appended, for `paiju replay`.
            follow: whether the camera follows every move of a hand, not only the hand that wins.
            quarters: places from the bottom edge of the camera's picture to seat 0, counter-clockwise.
            felt: where the felt lies in the camera's picture, if that was calibrated.

        Raises:
            LedgerError: another process writes this table, the folder may not be written, or the ledger is damaged.
        """
        ledger = Ledger.open(data_dir / LEDGER_NAME)
        try:
            core = TableCore(ledger)
        except BaseException:
            ledger.close()
            raise
        parts = Parts(
            camera=camera,
            link=link,
            reader=reader,
            clock=clock or SystemClock(),
            recording=recording,
            quarters=quarters,
            felt=felt,
            follow=follow,
        )
        return cls(core, ledger, EvidenceStore(data_dir / EVIDENCE_NAME), parts)

    def start(self) -> Self:
        """Begin to work: the inbox thread, the eyes, the line to the table.

        Raises:
            RecordingError: the recording cannot be written, or would lack the beginning of this table.
        """
        if self._parts.recording is not None:
            self._scribe.record(self._parts.recording)
        self._thread = threading.Thread(target=self._run, name="table-inbox", daemon=True)
        self._thread.start()
        self._looker.start()
        self._line.connect(self._parts.link, self._from_table)
        return self

    def stop(self) -> None:
        """End: the line, the camera, the inbox, the ledger, in this order. Safe to call twice."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        if self._line.link is not None:
            self._line.link.close()
        self._looker.stop()
        self._inbox.put(Stop())
        if self._thread is not None:
            self._thread.join()
        self._answer_late()
        if self._parts.camera is not None:
            self._parts.camera.close()
        self._publication.close()
        self._scribe.close()
        self._ledger.close()

    def submit(self, command: commands.Command) -> Accepted | Rejected:
        """Carry out a command, from any thread; waits for the answer, at most `ANSWER_S`.

        One that nobody had begun by then is withdrawn (`not_begun`). Of one that was begun nothing is known
        (`not_known_yet`): sent again with the same key it counts once.
        """
        ask = Ask(command=command)
        return self._answer(ask, ask.answer)

    def submit_photo(self, data: bytes, actor: Actor, idem: str) -> Accepted | Rejected:
        """Store an uploaded picture and let the eyes read it for the claim; what they see comes with the snapshots.

        Without a claim nothing is stored; one picture is unpacked at a time, for a large one takes much memory.
        """
        now = self.snapshot()
        if now.claim is None:
            return reject("no_claim")
        if not self._uploads.take(now, actor):
            return reject("pictures_often", count=MOST_PICTURES)
        try:
            with self._unpacking:
                image = load_picture(data)
                picture = self._evidence.keep(image)
        except PictureError as error:
            return Rejected(sentence=repeat(said(error), "not_a_picture"))
        except EvidenceError as error:
            return reject_because("ledger_trouble", say("why.picture_not_kept", detail=str(error)))
        return self.submit(commands.HandPhoto(idem=idem, actor=actor, picture=picture))

    def evidence(self, picture: str) -> bytes | None:
        """The JPEG file with this id; None if there is none."""
        return self._evidence.get(picture)

    def was_let_go(self, picture: str) -> bool:
        """Whether there was such a picture and it was removed because nobody needed it (`table.retention`)."""
        return self._evidence.let_go_at(picture) is not None

    def snapshot(self) -> Snapshot:
        """The newest snapshot, whole (also what the public must not see: use `for_role`)."""
        return self._publication.latest

    def entries(self, after: int = 0) -> tuple[Entry, ...]:
        """The entries of the ledger after this number, for exports and statistics; read beside the inbox.

        Raises:
            LedgerError: the file cannot be read, or its chain is broken.
        """
        return read_ledger(self._ledger.path, after)

    def subscribe(self) -> Subscription:
        """A place to wait for snapshots."""
        return self._publication.subscribe()

    def report(self, source: str, sentence: Sentence | None, about: ProblemSource = "demo") -> None:
        """Show a problem of a part outside (the demonstration, a file), or take it away with None."""
        self._inbox.put(Report(source=source, sentence=sentence, about=about))

    @property
    def parts(self) -> Parts:
        """What the table is put together from now."""
        return self._parts

    def refit(self, change: Callable[[Parts], Parts]) -> Rejected | None:
        """Take another camera, line, felt or reader into use while it runs (`webui.lock` guards open hands)."""
        ask = Refit(change=change)
        gone = self._answer(ask, ask.answer)
        if isinstance(gone, Rejected):
            return gone
        for part in gone:
            part.close()
        connect = Connect()  # only now: a new line may need the port that the old one has just let go
        return self._answer(connect, connect.answer)

    def read(self, image: Image) -> Future[PictureReading | None]:
        """Let the eyes read a picture that no hand waits for; None where there are no eyes."""
        return self._looker.read(image)

    def _answer(self, message: Ask | Refit | Connect, answer: Future[Answer]) -> Answer | Rejected:
        """Put a message into the inbox and wait for its answer."""
        if self._stopped.is_set() or self._thread is None:
            return reject("stopped")
        self._inbox.put(message)
        try:
            return answer.result(ANSWER_S)
        except FutureTimeout:
            if answer.cancel():
                log.warning("the inbox did not come to %s in %s s: withdrawn", type(message).__name__, ANSWER_S)
                return reject("not_begun")
            return answer.result() if answer.done() else reject("not_known_yet")

    # --- the inbox thread -------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            try:
                message: Message | None = self._inbox.get(timeout=TICK_S)
            except queue.Empty:
                message = None
            if isinstance(message, Stop):
                return
            if isinstance(message, Ask | Refit | Connect) and not message.answer.set_running_or_notify_cancel():
                continue  # whoever asked was told that it was not done
            try:
                self._handle(message)
            except Exception as error:
                log.exception("the inbox could not handle %s", type(message).__name__)
                _answer_fault(message, error)

    def _answer_late(self) -> None:
        """What came too late to be done is told so at once."""
        while not self._inbox.empty():
            message = self._inbox.get_nowait()
            if isinstance(message, Ask | Refit | Connect) and message.answer.set_running_or_notify_cancel():
                message.answer.set_result(reject("stopped"))
            if isinstance(message, FromTable):
                message.done.set_result(None)

    def _handle(self, message: Message | None) -> None:
        match message:
            case Ask(command=command, answer=answer):
                done = self._carry_out(command)
                try:
                    self._publication.refresh()  # who is told that it is done finds it done in the snapshot
                finally:
                    answer.set_result(done)
            case HandSeen():
                self._health.mended("eyes")
                self._sight.seen(message)
            case TableSeen(look=look):
                self._sight.followed(look)
            case EyesFailed(sentence=sentence):
                self._health.tell("eyes", "eyes", sentence)
            case FromTable(message=told, done=heard):
                self._line.hear(told)
                try:
                    self._publication.refresh()  # what is safe is also to be seen
                finally:
                    heard.set_result(None)
            case Report(source=source, sentence=None):
                self._health.mended(source)
            case Report(source=source, sentence=sentence, about=about) if sentence is not None:
                self._health.tell(source, about, sentence)
            case Refit(change=change, answer=refitted):
                gone = self._refit(change)
                self._publication.refresh()
                refitted.set_result(gone)
            case Connect(answer=connected):
                self._line.connect(self._parts.link, self._from_table)
                connected.set_result(None)
            case PlaceSeen(share=share):
                self._health.moved(share)
            case _:
                self._scribe.report_again()
        self._sight.watch()
        self._publication.refresh()

    def _carry_out(self, command: commands.Command) -> Accepted | Rejected:
        """Do what a person asks: what the camera must add goes before it, what the camera must do comes after it."""
        if isinstance(command, commands.AnswerSeen):
            completed = self._sight.completed(command)
            if isinstance(completed, Rejected):
                return completed
            command = completed
        answer = self._scribe.carry_out(command)
        if isinstance(answer, Accepted) and not answer.repeated:
            if isinstance(command, commands.HandPhoto):
                return self._sight.take_picture(command) or answer
            if isinstance(command, commands.AnswerSeen):
                self._sight.answered(command)
            self._sight.tell_again()
        return answer

    def _refit(self, change: Callable[[Parts], Parts]) -> tuple[Closing, ...]:
        before, self._parts = self._parts, change(self._parts)
        gone: list[Closing | None] = []
        if before.camera is not self._parts.camera:
            gone.append(before.camera)
            self._sight.refit(self._parts.camera)
        if before.link is not self._parts.link:
            gone.append(self._line.let_go())
        self._health.moved(0.0)
        self._looker.refit(self._parts.reader, self._parts.quarters, self._parts.felt)
        return tuple(part for part in gone if part is not None)

    def _from_table(self, told: object) -> None:
        """Called by the line's thread; returns when what was told is safe, for only then the table may forget it."""
        message = FromTable(message=told)
        self._inbox.put(message)
        if not self._stopped.is_set():
            message.done.result(ANSWER_S)


def _answer_fault(message: Message | None, error: Exception) -> None:
    """Nobody waits for ever for a message that could not be handled."""
    if isinstance(message, Ask | Refit | Connect) and not message.answer.done():
        message.answer.set_result(reject("internal", detail=f"{type(error).__name__}: {error}"))
    if isinstance(message, FromTable) and not message.done.done():
        message.done.set_result(None)

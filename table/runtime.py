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
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from device.notices import Notice
from table import commands
from table.bridge import (
    DealerLamp,
    FaultChange,
    Heard,
    LookNow,
    Meaning,
    ThatTable,
    TilesLeft,
    boot_of,
    meaning,
    notice_sentence,
)
from table.core import TableCore
from table.decision import Accepted, Rejected, reject
from table.evidence import EvidenceError, EvidenceStore
from table.eyes import Eyes, Looker, Wish
from table.following import Following
from table.health import Health, devices, free_mb
from table.hub import Hub, Subscription
from table.ledger import Entry, Ledger
from table.ledger import read as read_ledger
from table.line_memory import LineMemory
from table.lookout import Look
from table.messages import (
    Ask,
    Closing,
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
from table.panel import panel_commands
from table.parts import Clock, Link, LinkMaker, Parts, SystemClock
from table.reading import worth_showing
from table.recorder import Recorder
from table.sentences import Sentence, repeat, say
from table.snapshot import Snapshot
from table.state import Claim
from table.view import Live, snapshot
from table.watcher import Watcher
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
"""How long a caller waits for the inbox; far longer than any command takes."""

ASK_S, NOTICE_S = 60.0, 20.0
"""How long a notice of the table's line stays on the pages: one that asks something, and one that only tells."""

LOUD = frozenset({"no_game", "game_finished", "seat_dead", "bad_walls"})
"""Refusals that whoever pressed a button at the table should see; the others are mere double presses."""

LOUD_S = 10.0

log = logging.getLogger(__name__)


class Runtime:
    """One table alive. Make it with `open`, then `start`; `stop` when done."""

    def __init__(self, core: TableCore, ledger: Ledger, evidence: EvidenceStore, parts: Parts) -> None:
        self._core = core
        self._ledger = ledger
        self._evidence = evidence
        self._parts = parts
        self._clock = parts.clock
        self._inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._hub = Hub()
        self._looker = Looker(
            parts.reader, evidence, self._inbox.put, parts.quarters, parts.felt, clock=parts.clock.monotonic
        )
        self._watcher = Watcher()
        self._following = Following(evidence.keep, parts.clock.wall_ms) if parts.follow else None
        self._live = Live()
        self._health = Health(parts.clock.monotonic, core, self._looker, partial(free_mb, ledger.path.parent))
        self._left: dict[int, int] = {}
        self._memory = LineMemory(ledger.path.parent)
        self._unsaved: list[commands.Command] = []
        self._link: Link | None = None
        self._recorder: Recorder | None = None
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()
        self._publish(force=True)

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
            self._recorder = Recorder.open(self._parts.recording, self._core.state.seq, self._core.knows)
        self._thread = threading.Thread(target=self._run, name="table-inbox", daemon=True)
        self._thread.start()
        self._looker.start()
        if self._parts.link is not None:
            self._link = self._parts.link(self._from_table)
            self._link.start()
        return self

    def stop(self) -> None:
        """End: the line, the camera, the inbox, the ledger, in this order. Safe to call twice."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        if self._link is not None:
            self._link.close()
        self._looker.stop()
        self._inbox.put(Stop())
        if self._thread is not None:
            self._thread.join()
        if self._parts.camera is not None:
            self._parts.camera.close()
        self._hub.close()
        if self._recorder is not None:
            self._recorder.close()
        self._ledger.close()

    def submit(self, command: commands.Command) -> Accepted | Rejected:
        """Carry out a command, from any thread; waits for the answer."""
        if self._stopped.is_set() or self._thread is None:
            return reject("stopped")
        ask = Ask(command=command)
        self._inbox.put(ask)
        try:
            return ask.answer.result(ANSWER_S)
        except FutureTimeout:
            return reject("internal", detail="no answer in time")

    def submit_photo(self, data: bytes, actor: Actor, idem: str) -> Accepted | Rejected:
        """Store an uploaded picture and let the eyes read it for the claim; what they see comes with the snapshots."""
        try:
            image = load_picture(data)
            picture = self._evidence.keep(image)
        except PictureError as error:
            return Rejected(sentence=repeat(said(error), "not_a_picture"))
        except EvidenceError as error:
            return reject("ledger_trouble", detail=str(error))
        return self.submit(commands.HandPhoto(idem=idem, actor=actor, picture=picture))

    def evidence(self, picture: str) -> bytes | None:
        """The JPEG file with this id; None if there is none."""
        return self._evidence.get(picture)

    def was_let_go(self, picture: str) -> bool:
        """Whether there was such a picture and it was removed because nobody needed it (`table.retention`)."""
        return self._evidence.let_go_at(picture) is not None

    def snapshot(self) -> Snapshot:
        """The newest snapshot, whole (also what the public must not see: use `for_role`)."""
        latest = self._hub.latest
        if latest is None:
            raise RuntimeError("a runtime publishes when it is made")
        return latest

    def entries(self) -> tuple[Entry, ...]:
        """Every entry of the ledger, for exports and statistics; read beside the inbox, so it never holds up play.

        Raises:
            LedgerError: the file cannot be read, or its chain is broken.
        """
        return read_ledger(self._ledger.path)

    def subscribe(self) -> Subscription:
        """A place to wait for snapshots."""
        return self._hub.subscribe()

    def report(self, source: str, sentence: Sentence | None) -> None:
        """Show a problem of a part outside (the demonstration), or take it away with None."""
        self._inbox.put(Report(source=source, sentence=sentence))

    @property
    def parts(self) -> Parts:
        """What the table is put together from now."""
        return self._parts

    def refit(self, change: Callable[[Parts], Parts]) -> Rejected | None:
        """Take another camera, line, felt or reader into use while it runs (`webui.lock` guards open hands)."""
        if self._stopped.is_set() or self._thread is None:
            return reject("stopped")
        ask = Refit(change=change)
        self._inbox.put(ask)
        try:
            gone = ask.answer.result(ANSWER_S)
        except FutureTimeout:
            return reject("internal", detail="no answer in time")
        if isinstance(gone, Rejected):
            return gone
        for part in gone:
            part.close()
        if self._link is None and self._parts.link is not None:
            self._link = self._parts.link(self._from_table)
            self._link.start()
        return None

    def read(self, image: Image) -> Future[PictureReading | None]:
        """Let the eyes read a picture that no hand waits for; None where there are no eyes."""
        return self._looker.read(image)

    # --- the inbox thread -------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            try:
                message: Message | None = self._inbox.get(timeout=TICK_S)
            except queue.Empty:
                message = None
            if isinstance(message, Stop):
                return
            try:
                self._handle(message)
            except Exception as error:
                log.exception("the inbox could not handle %s", type(message).__name__)
                _answer_fault(message, error)

    def _handle(self, message: Message | None) -> None:
        match message:
            case Ask(command=command, answer=answer):
                done = self._carry_out(command)
                try:
                    self._publish()  # who is told that it is done finds it done in the snapshot
                finally:
                    answer.set_result(done)
            case HandSeen():
                self._seen(message)
            case TableSeen(look=look):
                self._followed(look)
            case EyesFailed(sentence=sentence):
                self._health.tell("eyes", "eyes", sentence)
            case FromTable(message=told, done=heard):
                self._told(told)
                try:
                    self._publish()  # what is safe is also to be seen
                finally:
                    heard.set_result(None)
            case Report(source=source, sentence=None):
                self._health.mended(source)
            case Report(source=source, sentence=sentence) if sentence is not None:
                self._health.tell(source, "demo", sentence)
            case Refit(change=change, answer=refitted):
                gone = self._refit(change)
                self._publish()
                refitted.set_result(gone)
            case PlaceSeen(share=share):
                self._health.moved(share)
            case _:
                self._save_again()
        self._watch()
        self._publish()

    def _carry_out(self, command: commands.Command) -> Accepted | Rejected:
        at_ms = self._clock.wall_ms()
        if isinstance(command, commands.AnswerSeen):
            completed = self._following.completed(command, self._core.state) if self._following else None
            if not isinstance(completed, commands.AnswerSeen):
                return completed or reject("seen_gone")
            command = completed
        if self._recorder is not None:
            self._recorder.command(command, at_ms, self._mono_ms())
        answer = self._recorded(self._core.carry_out(command, at_ms))
        if isinstance(answer, Accepted) and not answer.repeated:
            if isinstance(command, commands.HandPhoto):
                return self._take_picture(command) or answer
            if isinstance(command, commands.AnswerSeen) and self._following is not None:
                for move in self._following.answered(command, self._core.state):
                    self._save(move)
        return answer

    def _recorded(self, answer: Accepted | Rejected) -> Accepted | Rejected:
        """Keep what was just written down for a replay only if it did something."""
        if self._recorder is not None:
            if isinstance(answer, Rejected) or answer.repeated:
                self._recorder.take_back()
            if self._recorder.trouble:
                self._health.tell("recording", "ledger", say("recording_waits", detail=self._recorder.trouble))
            else:
                self._health.mended("recording")
        return answer

    def _refit(self, change: Callable[[Parts], Parts]) -> tuple[Closing, ...] | Rejected:
        before, self._parts = self._parts, change(self._parts)
        gone: list[Closing] = []
        if before.camera is not self._parts.camera:
            self._watcher = Watcher()
            gone += [before.camera] if before.camera is not None else []
        if before.link is not self._parts.link and self._link is not None:
            gone.append(self._link)
            self._link = None
        self._health.moved(0.0)
        self._looker.refit(self._parts.reader, self._parts.quarters, self._parts.felt)
        return tuple(gone)

    def _take_picture(self, command: commands.HandPhoto) -> Rejected | None:
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
        frame = self._parts.camera.latest() if self._parts.camera is not None else None
        if frame is None:
            return reject("no_camera")
        self._looker.read_frame(wish, frame)
        return None

    def _seen(self, seen: HandSeen) -> None:
        self._health.mended("eyes")
        if not seen.wanted and not worth_showing(seen.shown.tiles, seen.shown.groups):
            return
        at_ms = self._clock.wall_ms()
        if self._recorder is not None:
            self._recorder.seen(seen, at_ms, self._mono_ms())
        self._recorded(self._core.show(seen.shown, seen.actor, seen.idem, at_ms))

    def _told(self, told: object) -> None:
        if isinstance(told, Notice):
            sentence = notice_sentence(told)
            if sentence is not None:
                seconds = ASK_S if told.ask else NOTICE_S
                self._health.tell(f"notice:{told.code.value}", "table", sentence, seconds)
            return
        day, boot = str(self._clock.wall_ms() // 86_400_000), boot_of(told)
        if boot is not None:
            day = self._memory.day_of(boot, day)
        for one in meaning(told, day):
            self._means(one)

    def _means(self, one: Meaning) -> None:
        match one:
            case LookNow():
                self._watcher.sign()
            case TilesLeft(side=side, tiles=tiles):
                self._left[side] = tiles
            case DealerLamp(seat=seat):
                self._health.lamp(seat)
            case ThatTable(uid=uid):
                self._memory.note(uid=uid)
            case Heard(event=event):
                self._memory.note(last=event)
            case FaultChange(code=code, on=on, sentence=sentence, side=side):
                name = f"fault:{code}:{side}"
                self._health.mended(name)
                if on:
                    self._health.tell(name, "table", sentence)
            case _:
                if isinstance(one, commands.Walls):
                    self._left.clear()
                self._save(one)

    def _save(self, command: commands.Command) -> None:
        """Carry out what the table reported; if the disk refuses, keep it until there is space again."""
        answer = self._carry_out(command)
        if isinstance(answer, Rejected) and answer.sentence.key == "ledger_trouble":
            self._unsaved.append(command)
        elif isinstance(answer, Rejected) and answer.sentence.key in LOUD:
            self._health.tell("refused", "table", answer.sentence, LOUD_S)

    def _save_again(self) -> None:
        unsaved, self._unsaved = self._unsaved, []
        for command in unsaved:
            self._save(command)

    def _watch(self) -> None:
        """Look whether a claimed hand lies still before the camera."""
        camera, claim = self._parts.camera, self._core.state.claim
        if camera is None or self._looker.busy or not self._looker.able:
            return
        self._looker.check_place(camera.latest(), self._clock.monotonic())
        newest = camera.latest() if self._following is not None and self._core.state.started else None
        if self._following is not None and newest is not None:
            self._following.claimed(self._core.state, newest.at_s)
            self._looker.look_around(newest, again=self._following.wants_look)
        wanted = _identity(claim)
        frame = camera.latest() if wanted is not None else None
        still = self._watcher.look(frame, self._clock.monotonic(), wanted)
        if still is not None and claim is not None:
            idem = f"camera:{self._core.state.seq}:{still.number}:{self._mono_ms()}"
            actor = Actor(role="system", device="camera")
            self._looker.read_frame(Wish(seat=claim.seat, actor=actor, idem=idem, wanted=False), still)

    def _followed(self, look: Look) -> None:
        """Write down what the camera followed; nothing waits for it, and no point moves."""
        if self._following is None:
            return
        for command in self._following.sighted(look.sighting, self._core.state, look):
            self._save(command)
        for win in self._following.wins(self._core.state):
            self._save(win)

    # --- what the pages see -----------------------------------------------------------------------------------------

    def _from_table(self, told: object) -> None:
        """Called by the line's thread; returns when what was told is safe, for only then the table may forget it."""
        message = FromTable(message=told)
        self._inbox.put(message)
        if not self._stopped.is_set():
            message.done.result(ANSWER_S)

    def _publish(self, *, force: bool = False) -> None:
        counted = sum(self._left.values()) if len(self._left) == 4 else None
        live = Live(
            rev=self._live.rev,
            problems=self._health.problems(self._parts.camera, self._link, counted),
            devices=devices(self._parts.camera, self._link, self._looker.pace),
            reading=self._looker.busy,
            wall_left=counted,
            table=self._following.table(self._core.state) if self._following is not None else None,
            pace=self._following.pace(self._core.state) if self._following is not None else None,
        )
        latest = self._hub.latest
        if not force and live == self._live and latest is not None and latest.seq == self._core.state.seq:
            return
        self._live = replace(live, rev=live.rev + 1)
        now = snapshot(self._core.state, self._live, self._core.rulebook())
        self._hub.publish(now)
        self._show_on_table(latest, now)

    def _show_on_table(self, before: Snapshot | None, now: Snapshot) -> None:
        """Keep the table's lamps and score display in step; a table that was just connected gets everything."""
        if self._link is None or now.devices.table.state != "live":
            return
        known = before if before is not None and before.devices.table.state == "live" else None
        for command in panel_commands(known, now):
            self._link.send(command)

    def _mono_ms(self) -> int:
        return int(self._clock.monotonic() * 1000)


def _identity(claim: Claim | None) -> object:
    """Whose hand is waited for; None when no claim lacks its hand."""
    return None if claim is None or claim.has_hand else claim.seat


def _answer_fault(message: Message | None, error: Exception) -> None:
    """Nobody waits for ever for a message that could not be handled."""
    if isinstance(message, Refit) and not message.answer.done():
        message.answer.set_result(reject("internal", detail=f"{type(error).__name__}: {error}"))
    if isinstance(message, Ask) and not message.answer.done():
        message.answer.set_result(reject("internal", detail=f"{type(error).__name__}: {error}"))
    if isinstance(message, FromTable) and not message.done.done():
        message.done.set_result(None)

"""One table, alive: a single inbox thread owns the game; camera, table line and pages only put messages into it.

    runtime = Runtime.open(Path("data"), camera=camera, reader=TileReader.from_models)
    runtime.start()
    runtime.submit(command)      # from any thread: Accepted or Rejected
    runtime.subscribe().get(5)   # the newest snapshot

After kill -9 the next `open` finds the table as the ledger has it: nothing confirmed is lost, nothing is doubled.
"""

from __future__ import annotations

import json
import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TextIO

from device.linkstate import LinkState, LinkStatus
from device.notices import Notice
from table import commands
from table.bridge import FaultChange, LookNow, Meaning, TilesLeft, meaning
from table.core import TableCore
from table.decision import Accepted, Rejected, reject
from table.evidence import EvidenceError, EvidenceStore
from table.eyes import Eyes, Looker, Wish
from table.hub import Hub, Subscription
from table.ledger import Ledger
from table.messages import Ask, EyesFailed, FromTable, HandSeen, Message, Report, Stop, command_line, seen_line
from table.model import Actor
from table.reading import worth_showing
from table.sentences import Sentence, say
from table.snapshot import Devices, DeviceView, Problem, Snapshot
from table.state import Claim
from table.view import Live, snapshot
from table.watcher import Watcher
from vision.frames import FrameSource
from vision.pictures import PictureError, load_picture

if TYPE_CHECKING:
    from typing import Self

LEDGER_NAME = "ledger.sqlite3"
EVIDENCE_NAME = "evidence"
TICK_S = 0.2
"""How often the camera is looked at while nothing else happens."""

ANSWER_S = 15.0
"""How long a caller waits for the inbox; far longer than any command takes."""

NOTICE_S = 60.0
"""How long a notice of the table's line stays on the pages."""

FRESH_S = 3.0
"""A device heard within this time is simply alive."""

log = logging.getLogger(__name__)


class Clock(Protocol):
    """Time, handed in: wall-clock milliseconds (UTC) for the ledger, monotonic seconds for waiting."""

    def wall_ms(self) -> int:
        """Milliseconds since 1970."""

    def monotonic(self) -> float:
        """Seconds that never go back."""


class SystemClock:
    """The clock of the machine."""

    def wall_ms(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()


class Link(Protocol):
    """The line to a table, as `device.link.TableLink`."""

    def start(self) -> object:
        """Begin to talk."""

    def close(self) -> None:
        """Let the port go."""

    def status(self) -> LinkStatus:
        """How the line is."""


LinkMaker = Callable[[Callable[[Any], None]], Link]
"""Makes the line to the table, given what to call with each message, e.g. ``lambda on: TableLink(config, on)``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a table is put together from; see `Runtime.open`."""

    camera: FrameSource | None = None
    link: LinkMaker | None = None
    reader: Callable[[], Eyes] | None = None
    clock: Clock = field(default_factory=SystemClock)
    recording: Path | None = None
    quarters: int = 0


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
        self._looker = Looker(parts.reader, evidence, self._inbox.put, parts.quarters)
        self._watcher = Watcher()
        self._live = Live()
        self._problems: dict[str, tuple[Problem, float | None]] = {}
        self._left: dict[int, int] = {}
        self._unsaved: list[commands.Command] = []
        self._link: Link | None = None
        self._recording: TextIO | None = None
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
    ) -> Self:
        """Open the table kept in a folder; a new folder is a new table, and every part may be missing.

        Args:
            data_dir: holds the ledger and the pictures.
            camera: frames from over the table; closed with the runtime.
            link: makes the line to the table.
            reader: loads the tile reader (slow, so it is called in the reading thread).
            clock: time; the machine's own if None.
            recording: a file to which every message is appended, for `paiju replay`.
            quarters: places from the bottom edge of the camera's picture to seat 0, counter-clockwise.

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
        )
        return cls(core, ledger, EvidenceStore(data_dir / EVIDENCE_NAME), parts)

    def start(self) -> Self:
        """Begin to work: the inbox thread, the eyes, the line to the table."""
        if self._parts.recording is not None:
            self._recording = self._parts.recording.open("a", encoding="utf-8")
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
        if self._recording is not None:
            self._recording.close()
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
            return reject("not_a_picture", detail=str(error))
        except EvidenceError as error:
            return reject("ledger_trouble", detail=str(error))
        return self.submit(commands.HandPhoto(idem=idem, actor=actor, picture=picture))

    def evidence(self, picture: str) -> bytes | None:
        """The JPEG file with this id; None if there is none."""
        return self._evidence.get(picture)

    def snapshot(self) -> Snapshot:
        """The newest snapshot, whole (also what the public must not see: use `for_role`)."""
        latest = self._hub.latest
        if latest is None:
            raise RuntimeError("a runtime publishes when it is made")
        return latest

    def subscribe(self) -> Subscription:
        """A place to wait for snapshots."""
        return self._hub.subscribe()

    def report(self, source: str, sentence: Sentence | None) -> None:
        """Show a problem of a part outside (the demonstration), or take it away with None."""
        self._inbox.put(Report(source=source, sentence=sentence))

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
                answer.set_result(self._carry_out(command))
            case HandSeen():
                self._seen(message)
            case EyesFailed(sentence=sentence):
                self._trouble("eyes", sentence)
            case FromTable(message=told, done=done):
                self._told(told)
                done.set_result(None)
            case Report(source=source, sentence=None):
                self._problems.pop(source, None)
            case Report(source=source, sentence=sentence) if sentence is not None:
                self._trouble(source, sentence)
            case _:
                self._save_again()
        self._watch()
        self._publish()

    def _carry_out(self, command: commands.Command) -> Accepted | Rejected:
        at_ms = self._clock.wall_ms()
        answer = self._core.carry_out(command, at_ms)
        if isinstance(answer, Accepted) and not answer.repeated:
            self._record(command_line(command, at_ms, self._mono_ms()))
            if isinstance(command, commands.HandPhoto):
                return self._take_picture(command) or answer
        return answer

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
        self._problems.pop("eyes", None)
        if not seen.wanted and not worth_showing(seen.shown.tiles, seen.shown.groups):
            return
        at_ms = self._clock.wall_ms()
        answer = self._core.show(seen.shown, seen.actor, seen.idem, at_ms)
        if isinstance(answer, Accepted) and not answer.repeated:
            self._record(seen_line(seen, at_ms, self._mono_ms()))

    def _told(self, told: object) -> None:
        if isinstance(told, Notice):
            if told.ask:
                self._trouble("table", say("table_trouble", detail=told.text), NOTICE_S)
            return
        day = str(self._clock.wall_ms() // 86_400_000)
        for one in meaning(told, day):
            self._means(one)

    def _means(self, one: Meaning) -> None:
        match one:
            case LookNow():
                self._watcher.sign()
            case TilesLeft(side=side, tiles=tiles):
                self._left[side] = tiles
            case FaultChange(code=code, on=on, text=text, side=side):
                key = f"table:{code}:{side}"
                self._problems.pop(key, None)
                if on:
                    self._trouble(key, say("table_trouble", detail=text))
            case _:
                self._save(one)

    def _save(self, command: commands.Command) -> None:
        """Carry out what the table reported; if the disk refuses, keep it until there is space again."""
        answer = self._carry_out(command)
        if isinstance(answer, Rejected) and answer.sentence.key == "ledger_trouble":
            self._unsaved.append(command)

    def _save_again(self) -> None:
        unsaved, self._unsaved = self._unsaved, []
        for command in unsaved:
            self._save(command)

    def _watch(self) -> None:
        """Look whether a claimed hand lies still before the camera."""
        camera, claim = self._parts.camera, self._core.state.claim
        wanted = claim is not None and not claim.has_hand and not self._looker.busy and self._looker.able
        frame = camera.latest() if camera is not None and wanted else None
        still = self._watcher.look(frame, self._clock.monotonic(), _identity(claim) if wanted else None)
        if still is not None and claim is not None:
            idem = f"camera:{self._core.state.seq}:{still.number}:{self._mono_ms()}"
            actor = Actor(role="system", device="camera")
            self._looker.read_frame(Wish(seat=claim.seat, actor=actor, idem=idem, wanted=False), still)

    # --- what the pages see -----------------------------------------------------------------------------------------

    def _from_table(self, told: object) -> None:
        """Called by the line's thread; returns when what was told is safe, for only then the table may forget it."""
        message = FromTable(message=told)
        self._inbox.put(message)
        if not self._stopped.is_set():
            message.done.result(ANSWER_S)

    def _trouble(self, source: str, sentence: Sentence, seconds: float | None = None) -> None:
        until = None if seconds is None else self._clock.monotonic() + seconds
        self._problems[source] = (_problem(source.split(":")[0], sentence), until)

    def _publish(self, *, force: bool = False) -> None:
        live = Live(
            rev=self._live.rev,
            problems=self._current_problems(),
            devices=self._devices(),
            reading=self._looker.busy,
            wall_left=sum(self._left.values()) if len(self._left) == 4 else None,
        )
        latest = self._hub.latest
        if not force and live == self._live and latest is not None and latest.seq == self._core.state.seq:
            return
        self._live = replace(live, rev=live.rev + 1)
        self._hub.publish(snapshot(self._core.state, self._live, self._core.rulebook()))

    def _current_problems(self) -> tuple[Problem, ...]:
        now = self._clock.monotonic()
        lasting = {key: pair for key, pair in self._problems.items() if pair[1] is None or pair[1] > now}
        self._problems = lasting
        return (*self._part_problems(), *(problem for problem, _ in lasting.values()))

    def _part_problems(self) -> tuple[Problem, ...]:
        """The problems that parts report themselves at this moment."""
        found: list[Problem] = []
        if self._core.trouble is not None:
            found.append(_problem("ledger", say("ledger_trouble", detail=str(self._core.trouble))))
        if self._looker.trouble:
            found.append(_problem("eyes", say("eyes_failed", detail=self._looker.trouble)))
        camera = self._parts.camera.status() if self._parts.camera is not None else None
        if camera is not None and camera.text:
            found.append(_problem("camera", say("camera_trouble", detail=camera.text)))
        line = self._link.status() if self._link is not None else None
        if line is not None and line.text and line.state not in (LinkState.OPENING, LinkState.HANDSHAKE):
            found.append(_problem("table", say("table_trouble", detail=line.text)))
        game, rules = self._core.state.game, self._core.rulebook()
        if game is not None and rules is not None and rules.version != game.ruleset_version:
            changed = say("rules_changed", locked=game.ruleset_version, ruleset=game.ruleset, now=rules.version)
            found.append(_problem("rules", changed))
        return tuple(found)

    def _devices(self) -> Devices:
        camera = DeviceView(state="absent", age_s=None)
        if self._parts.camera is not None:
            seen = self._parts.camera.status()
            camera = DeviceView(state=seen.state, age_s=_age(seen.age_s))
        line = DeviceView(state="absent", age_s=None)
        if self._link is not None:
            heard = self._link.status()
            line = DeviceView(state=heard.state.value.lower(), age_s=_age(heard.age_s))
        return Devices(camera=camera, table=line)

    def _record(self, line: dict[str, Any]) -> None:
        if self._recording is not None:
            self._recording.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._recording.flush()

    def _mono_ms(self) -> int:
        return int(self._clock.monotonic() * 1000)


def _problem(source: str, sentence: Sentence) -> Problem:
    return Problem(source=_SOURCES.get(source, "table"), key=sentence.key, params=sentence.params, text=sentence.text)


_SOURCES: dict[str, Literal["camera", "table", "eyes", "ledger", "rules", "demo"]] = {
    "camera": "camera",
    "table": "table",
    "eyes": "eyes",
    "ledger": "ledger",
    "rules": "rules",
    "demo": "demo",
}


def _identity(claim: Claim | None) -> object:
    """What tells one wait for a hand from the next: a claim keeps it until its hand is shown."""
    return None if claim is None else claim.seat


def _age(age_s: float | None) -> float | None:
    """Whole seconds, and 0 while fresh, so that a healthy device does not change the snapshot all the time."""
    if age_s is None:
        return None
    return 0.0 if age_s < FRESH_S else float(int(age_s))


def _answer_fault(message: Message | None, error: Exception) -> None:
    """Nobody waits for ever for a message that could not be handled."""
    if isinstance(message, Ask) and not message.answer.done():
        message.answer.set_result(reject("internal", detail=f"{type(error).__name__}: {error}"))
    if isinstance(message, FromTable) and not message.done.done():
        message.done.set_result(None)

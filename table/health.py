"""What is wrong at the table now, each thing in one sentence, until it is mended."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from device.linkstate import LinkState
from table.core import TableCore
from table.device_views import CameraView, Devices, DeviceView, Problem, ProblemSource
from table.eyes import Looker
from table.parts import Link
from table.sentences import Sentence, ledger_trouble, repeat, say
from table.session import wrong_thrower
from table.timed_eyes import ReadingPace
from table.wall_state import wall_sentence
from vision.calibration import DRIFT_ALARM
from vision.frames import FrameSource, SourceStatus
from vision.said import Said

FRESH_S = 3.0
"""A device heard within this time is simply alive."""

LEAST_FREE_MB = 500
"""A long evening keeps about 200 MB of pictures."""


class Health:
    """Collects the problems of all parts; those that a part knows itself are asked for, the others are told."""

    def __init__(
        self, monotonic: Callable[[], float], core: TableCore, looker: Looker, free_mb: Callable[[], int]
    ) -> None:
        """Get ready.

        Args:
            monotonic: seconds that never go back.
            core: knows whether the ledger can be written.
            looker: knows whether the eyes can be used.
            free_mb: megabytes that are left where ledger and pictures are kept.
        """
        self._monotonic = monotonic
        self._core = core
        self._looker = looker
        self._free_mb = free_mb
        self._told: dict[str, tuple[Problem, float | None]] = {}
        self._lamp: int | None = None
        self._line_fault: Problem | None = None

    def tell(self, name: str, source: ProblemSource, sentence: Sentence, seconds: float | None = None) -> None:
        """Something is wrong; it stays until `mended` with the same name, or for so many seconds."""
        until = None if seconds is None else self._monotonic() + seconds
        self._told[name] = (_problem(source, sentence), until)

    def mended(self, name: str) -> None:
        """What was told under this name is over."""
        self._told.pop(name, None)

    def moved(self, share: float) -> None:
        """The camera hangs elsewhere than when the felt's corners were set, by this share of the felt's side."""
        if share > DRIFT_ALARM:
            self.tell("moved", "camera", say("camera_moved", percent=f"{100 * share:.1f}"))
        else:
            self.mended("moved")

    def lamp(self, dealer: int | None) -> None:
        """The table's lamp shows this dealer."""
        self._lamp = dealer

    def problems(
        self, camera: FrameSource | None, link: Link | None, counted: int | None = None
    ) -> tuple[Problem, ...]:
        """Everything that is wrong now; `counted` are the tiles that the table itself counts."""
        now = self._monotonic()
        self._told = {name: told for name, told in self._told.items() if told[1] is None or told[1] > now}
        own = (
            self._ledger(),
            self._disk(),
            self._eyes(),
            _camera(camera),
            self._picture_size(camera),
            self._line(link),
            self._rules(),
            self._dice(),
            self._dealer_lamp(),
            self._wall(counted),
        )
        return (*(problem for problem in own if problem is not None), *(problem for problem, _ in self._told.values()))

    def _ledger(self) -> Problem | None:
        trouble = self._core.trouble
        return None if trouble is None else _problem("ledger", ledger_trouble(trouble))

    def _disk(self) -> Problem | None:
        free = self._free_mb()
        # Rounded, so that a disk that slowly fills does not change the pages with every picture.
        return _problem("disk", say("disk_low", megabytes=free // 50 * 50)) if free < LEAST_FREE_MB else None

    def _line(self, link: Link | None) -> Problem | None:
        """What is wrong with the table's line; while it is tried again, what was wrong at the last try."""
        status = link.status() if link is not None else None
        if status is None or status.state in (LinkState.LIVE, LinkState.READ_ONLY):
            self._line_fault = None
        if status is not None and status.text and status.state is not LinkState.HANDSHAKE:
            self._line_fault = _problem("table", repeat(status.text, "table_trouble"))
        return self._line_fault

    def _eyes(self) -> Problem | None:
        trouble = self._looker.trouble
        return _problem("eyes", say("eyes_failed", detail=trouble)) if trouble else None

    def _picture_size(self, camera: FrameSource | None) -> Problem | None:
        """A camera that delivers other pictures than those in which the corners were set, as after a restart of it."""
        status, before = camera.status() if camera is not None else None, self._looker.felt_picture_px
        if status is None or before is None or not status.width or (status.width, status.height) == before:
            return None
        was, now = (f"{width} x {height}" for width, height in (before, (status.width, status.height)))
        return _problem("camera", repeat(Said.of("other_size", now=now, before=was), "camera_trouble"))

    def _dice(self) -> Problem | None:
        state = self._core.state
        wrong = None if state.claims else wrong_thrower(state)
        return None if wrong is None else _problem("table", say("dice_wrong_seat", by=wrong[0], expected=wrong[1]))

    def _dealer_lamp(self) -> Problem | None:
        """The lamp is shown, never applied: the game says who deals."""
        state = self._core.state
        if self._lamp is None or state.setup is None or not state.started or self._lamp == state.setup.dealer:
            return None
        return _problem("table", say("lamp_differs", seat=self._lamp, dealer=state.setup.dealer))

    def _wall(self, counted: int | None) -> Problem | None:
        wrong = wall_sentence(self._core.state, counted)
        return None if wrong is None else _problem("table", wrong)

    def _rules(self) -> Problem | None:
        game, rules = self._core.state.game, self._core.rulebook()
        if game is None or (rules is not None and rules.version == game.ruleset_version):
            return None
        now = "none" if rules is None else rules.version
        return _problem("rules", say("rules_changed", locked=game.ruleset_version, ruleset=game.ruleset, now=now))


def free_mb(folder: Path) -> int:
    """Megabytes that are left on the disk of this folder."""
    return shutil.disk_usage(folder).free // 2**20


def devices(camera: FrameSource | None, link: Link | None, pace: ReadingPace) -> Devices:
    """The state of camera and table, and how fast pictures are read, as the liveness panel shows it."""
    heard = link.status() if link else None
    return Devices(
        camera=_camera_view(camera.status() if camera else None, pace),
        table=DeviceView(
            state=heard.state.value.lower() if heard else "absent", age_s=_age(heard.age_s if heard else None)
        ),
    )


def _camera_view(seen: SourceStatus | None, pace: ReadingPace) -> CameraView:
    read_ms = None if pace.last_s is None else round(1000 * pace.last_s)
    return CameraView(
        state=seen.state if seen else "absent",
        age_s=_age(seen.age_s if seen else None),
        fps=None if seen is None or seen.fps is None else _about(round(seen.fps), 5),
        late_ms=None if seen is None or seen.late_s is None else round(2 * seen.late_s) * 500,
        reading_ms=None if read_ms is None else _about(read_ms, 10),
        readings_per_s=round(2 * pace.per_s) / 2,
    )


def _about(value: int, step: int) -> int:
    """Rounded to the step, small values exactly.

    >>> _about(31, 5), _about(7, 5), _about(4, 5)
    (30, 7, 4)
    """
    return value if value < 2 * step else step * round(value / step)


def _camera(camera: FrameSource | None) -> Problem | None:
    text = camera.status().text if camera is not None else ""
    return _problem("camera", repeat(text, "camera_trouble")) if text else None


def _problem(source: ProblemSource, sentence: Sentence) -> Problem:
    return Problem(source=source, key=sentence.key, params=sentence.params, text=sentence.text)


def _age(age_s: float | None) -> float | None:
    """Whole seconds, and 0 while fresh, so that a healthy device does not change the snapshot all the time."""
    if age_s is None:
        return None
    return 0.0 if age_s < FRESH_S else float(int(age_s))

"""What a table is fitted with: camera, line, place of the felt, own tiles. From the command line or the settings file.

The one place that opens these parts, at the start and when the set-up page chooses others while the table runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from threading import RLock

from device.open import TableChoice, TableWordError, table_source
from device.said import said as line_said
from table.decision import Rejected, reject
from table.eye_files import CALIBRATION, keep_calibration, open_reader, stored_calibration
from table.line_memory import known_line
from table.parts import LinkMaker
from table.runtime import Runtime
from table.sentences import repeat, say
from table.settings import Settings, SettingsError, load_settings, save_settings
from vision.calibration import Calibration, CalibrationError
from vision.frames import FrameSource, SourceError
from vision.reader import TileReader
from vision.said import said
from vision.sources import open_source

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What the command line names: it counts more than what was chosen on the set-up page."""

    camera: str | None = None
    table: tuple[str, ...] = ()
    dice_pattern: str | None = None
    threads: int = 2
    turn: int = 0
    follow: bool = False
    record: Path | None = None


class Outfit:
    """Opens a table's parts, and others while it runs; keeps what was chosen."""

    def __init__(self, data: Path, given: Given, tell: Tell) -> None:
        """Get ready; opens nothing.

        Args:
            data: the table's folder.
            given: what the command line names.
            tell: takes a sentence about a part that is not there; the table runs without it.
        """
        self.data = data
        self.given = given
        self._tell = tell
        self._settings = self._load()
        self._choosing = RLock()
        self._runtime: Runtime | None = None

    @property
    def settings(self) -> Settings:
        """What was chosen."""
        return self._settings

    @property
    def runtime(self) -> Runtime:
        """The running table."""
        if self._runtime is None:
            raise RuntimeError("open the table first")
        return self._runtime

    def open(self) -> Runtime:
        """Open and start the table.

        Raises:
            LedgerError: see `Runtime.open`.
            RecordingError: see `Runtime.start`.
            SourceError: what the command line names as a camera is none, or a recording that cannot be played.
            TableWordError: the table that the command line names cannot be reached in this way.
        """
        self._runtime = Runtime.open(
            self.data,
            camera=self._first_camera(),
            link=self.first_line(),
            reader=self._reader,
            recording=self.given.record,
            quarters=self.given.turn,
            felt=stored_calibration(self.data, self._tell),
            follow=self.given.follow,
        )
        return self._runtime.start()

    def keep(self, settings: Settings) -> Rejected | None:
        """Keep what was chosen."""
        with self._choosing:
            try:
                save_settings(self.data, settings)
            except SettingsError as error:
                return reject("not_kept", detail=str(error))
            self._settings = settings
        return None

    def change(self, alter: Callable[[Settings], Settings]) -> Rejected | None:
        """Keep what was chosen with something altered, however many devices choose at once."""
        with self._choosing:
            after = alter(self._settings)
            return None if after == self._settings else self.keep(after)

    def use_camera(self, spec: str | None) -> Rejected | None:
        """Take this camera into use now and at every later start; None for no camera."""
        if self.given.camera is not None:
            return reject("camera_given")
        used = self.runtime.parts.camera
        if used is not None and spec == self._settings.camera and used.status().state in ("starting", "live"):
            return None  # opening it a second time would find it busy
        try:
            camera = open_source(spec) if spec is not None else None
        except SourceError as error:
            return Rejected(sentence=repeat(said(error), "camera_trouble"))
        with self._choosing:
            refused = self.runtime.refit(lambda parts: replace(parts, camera=camera))
            if refused is not None:
                if camera is not None:
                    camera.close()
                return refused
            return self.keep(replace(self._settings, camera=spec))

    def use_line(self, words: tuple[str, ...]) -> Rejected | None:
        """Take this line to a table into use now and at every later start; no words for none."""
        if self.given.table:
            return reject("line_given")
        try:
            link = self._line(words)
        except TableWordError as error:
            return Rejected(sentence=repeat(line_said(error), "table_trouble"))
        with self._choosing:
            refused = self.runtime.refit(lambda parts: replace(parts, link=link))
            return refused or self.keep(replace(self._settings, table=words))

    def use_felt(self, felt: Calibration) -> Rejected | None:
        """Keep where the felt lies, and use it from now on; seat 0 sits where the corners say."""
        with self._choosing:
            try:
                keep_calibration(self.data / CALIBRATION, felt, date.today().isoformat())
            except CalibrationError as error:
                return reject("not_kept", detail=str(error))
            return self.runtime.refit(lambda parts: replace(parts, felt=felt, quarters=0))

    def read_anew(self) -> Rejected | None:
        """Load the tile reader again, because the table's own tiles have changed."""
        reader = partial(self._reader)
        return self.runtime.refit(lambda parts: replace(parts, reader=reader))

    def _load(self) -> Settings:
        try:
            return load_settings(self.data)
        except SettingsError as error:
            self._tell(str(error))
            return Settings()

    def _reader(self) -> TileReader:
        unusable: list[str] = []
        reader = open_reader(self.data, self.given.threads, unusable.append)
        self.runtime.report("own_tiles", say("own_tiles_unused") if unusable else None, about="eyes")
        for sentence in unusable:
            self._tell(sentence)
        return reader

    def _first_camera(self) -> FrameSource | None:
        """The camera to begin with. One that is not there yet is looked for until it is: after a power cut the PC is
        often awake before its camera, and a table can be played without one.

        Raises:
            SourceError: see `open`.
        """
        if self.given.camera is not None:
            return self._patient_camera(self.given.camera)
        if self._settings.camera is None:
            return None
        try:
            return self._patient_camera(self._settings.camera)
        except SourceError as error:  # a video or folder that is no longer there
            self._tell(str(error))
            return None

    def _patient_camera(self, spec: str) -> FrameSource:
        camera = open_source(spec, patient=True)
        status = camera.status()
        if status.state == "lost":
            self._tell(f"{status.text} Paiju starts without it and goes on looking for it.")
        return camera

    def first_line(self) -> LinkMaker | None:
        """The line to open at the start: the one that the command line names, or the one that was chosen.

        Raises:
            TableWordError: the table that the command line names cannot be reached in this way.
        """
        if self.given.table or self.given.dice_pattern is not None:
            return self._line(self.given.table)
        try:
            return self._line(self._settings.table)
        except TableWordError as error:
            self._tell(str(error))
            return None

    def _line(self, words: tuple[str, ...]) -> LinkMaker | None:
        """The line to the table that was named, going on where it ended; None without one."""
        if not words and self.given.dice_pattern is None:
            return None
        known = known_line(self.data)
        return table_source(
            TableChoice(words=words, dice_pattern=self.given.dice_pattern, uid=known.uid, resume_after=known.last)
        )

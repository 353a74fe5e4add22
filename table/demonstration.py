"""A table that plays by itself: simulated walls and dice, a recorded camera, four players who press and tap.

Everything goes the public way: the simulated table speaks over its pseudo-terminal, the pictures are read by the real
eyes, the players send commands like anybody's tablet. The script only ever looks at the snapshot, so that a visitor may
tap at any moment; whatever he does wins, and the play goes on from there.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from device.link import LinkConfig, TableLink
from device.simulator import SimConfig, SimTable
from table.demo_pages import PagedCamera
from table.demo_players import Players, ShownFolder
from table.demo_players import Timing as Timing
from table.demo_script import FOLDER as FOLDER
from table.demo_script import FOLLOWED, ScriptedHand, damaged, load_followed
from table.demo_script import DemoError as DemoError
from table.demo_script import load_script as load_script
from table.eyes import Eyes
from table.parts import Clock, SystemClock
from table.runtime import Runtime
from table.sentences import say
from vision.calibration import Calibration
from vision.frames import FrameSource
from vision.pictures import PictureError
from vision.sources import FolderCamera

PACE = 20.0
"""How much faster the simulated table's works run than real ones."""

log = logging.getLogger(__name__)


class _Recorded(FrameSource, ShownFolder, Protocol):
    """A recorded camera: the table looks through it, the script chooses its pictures."""


def _followed(clock: Clock) -> tuple[_Recorded, Calibration | None, tuple[ScriptedHand, ...]]:
    """The camera over the table that is followed, where it sees the felt, and the hands that are played there."""
    book, script = load_followed()
    try:
        return PagedCamera(book, clock.monotonic), book.felt, script
    except PictureError as error:
        raise damaged(FOLLOWED, error) from None


class Demonstration:
    """The whole demonstration: simulated table, recorded camera, runtime and players."""

    def __init__(
        self,
        data_dir: Path,
        reader: Callable[[], Eyes],
        *,
        follow: bool = False,
        clock: Clock | None = None,
        timing: Timing | None = None,
        pace: float = PACE,
    ) -> None:
        """Put everything together.

        Args:
            data_dir: where the ledger and pictures go; play goes on where it stopped.
            reader: loads the real tile reader.
            follow: whether hands are played tile by tile and followed by the camera.
            clock: time; the machine's own if None.
            timing: how long the players take.
            pace: how much faster than real ones the table's works run.

        Raises:
            DemoError: the pictures are missing or damaged.
            LedgerError: the folder cannot be used.
        """
        time = clock or SystemClock()
        camera, felt, script = _followed(time) if follow else (FolderCamera(FOLDER), None, load_script())
        self._works = SimTable(SimConfig(seed=20, pace=pace))
        self.runtime = Runtime.open(
            data_dir, camera=camera, link=self._link, reader=reader, clock=time, felt=felt, follow=follow
        )
        self._players = Players(self.runtime, self._works, camera, script, time.monotonic, timing)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="demo-players", daemon=True)

    @property
    def address(self) -> str:
        """The simulated table's port."""
        return self._works.address

    def wait(self) -> None:
        """Somebody is at a page: the players wait a few seconds from now on."""
        self._players.wait()

    def start(self) -> Demonstration:
        """Begin to play."""
        self._works.start()
        self.runtime.start()
        self._thread.start()
        return self

    def stop(self) -> None:
        """End everything."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self.runtime.stop()
        self._works.close()

    def _link(self, on_message: Callable[[Any], None]) -> TableLink:
        return TableLink(LinkConfig(ports=[self._works.address]), on_message)

    def _run(self) -> None:
        while not self._stop.wait(0.2):
            try:
                self._players.step()
            except Exception as error:  # the top of the thread: the demonstration says what is wrong and tries again
                log.exception("the demonstration stumbled")
                self.runtime.report("demo", say("demo_trouble", detail=str(error)))
                self._stop.wait(2.0)

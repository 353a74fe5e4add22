"""Where frames come from: a camera over the table, a video, or a folder of pictures that plays the camera.

Every source keeps the newest frame only, never a queue: what happened a second ago is no longer the table. A source
never raises once it is open, and says in `status()` how it is.

    SourceError        a source cannot be opened at all; its text is one sentence for a person
"""

from __future__ import annotations

import threading
import time
from pathlib import Path

from vision.capture import DeviceCamera, VideoCamera, split_size
from vision.frames import Clock, Frame, FrameSource, SourceError, SourceStatus
from vision.pictures import PictureError, load_picture
from vision.said import Said, said

__all__ = [
    "DeviceCamera",
    "FolderCamera",
    "Frame",
    "FrameSource",
    "SourceError",
    "SourceStatus",
    "VideoCamera",
    "open_source",
]

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".avif"})
FOLDER_INTERVAL_S = 2.0


def open_source(spec: str, clock: Clock = time.monotonic, *, patient: bool = False) -> FrameSource:
    """Opens whatever shows the table, from one line of text.

    Args:
        spec: `folder:DIR` (a new picture every two seconds, over and over), `video:FILE`, a camera as `/dev/video0` or
            `0`, a larger picture of it as `0@3840x2160`, or a network camera as `rtsp://...`.
        clock: Seconds that never go back.
        patient: A camera that cannot be opened now is looked for again and again, as one that was lost.

    Raises:
        SourceError: It is none of these, or cannot be opened.
    """
    kind, _, rest = spec.partition(":")
    if kind == "folder" and rest:
        return FolderCamera(rest, FOLDER_INTERVAL_S, repeat=True, clock=clock)
    if kind == "video" and rest:
        return VideoCamera(rest, clock)
    if split_size(spec)[0].isdecimal() or spec.startswith("/dev/") or kind in ("rtsp", "rtsps", "http", "https"):
        return DeviceCamera(spec, clock, patient=patient)
    raise SourceError(Said.of("no_camera_word", name=spec))


class FolderCamera:
    """A camera that shows the pictures of a folder in the order of their names: the demo's table, and the tests'.

    Stepped from code (`interval_s=None`) it shows the next picture on `step()`. With an interval it moves on by itself
    whenever it is asked, on the clock it was given; it needs no thread.
    """

    def __init__(
        self, folder: str | Path, interval_s: float | None = None, repeat: bool = False, clock: Clock = time.monotonic
    ) -> None:
        """Opens the folder and shows its first picture.

        Args:
            folder: Holds at least one picture.
            interval_s: Seconds each picture stays; None to move by `step()` only.
            repeat: Start again after the last picture; otherwise the last one stays.
            clock: Seconds, never going back.

        Raises:
            SourceError: No such folder, or no picture in it that can be read.
        """
        self._paths = _pictures_in(Path(folder))
        self._interval_s = interval_s
        self._repeat = repeat
        self._clock = clock
        self._started_s = clock()
        self._lock = threading.Lock()
        self._place = 0
        self._problem = ""
        self._frame = self._load(0)
        if self._frame is None:
            raise SourceError(self._problem)

    def step(self) -> bool:
        """Shows the next picture; False when there is none."""
        with self._lock:
            return self._go_to(self._place + 1)

    def show(self, name: str) -> None:
        """Shows the picture with this file name.

        Raises:
            SourceError: There is none of that name.
        """
        with self._lock:
            for place, path in enumerate(self._paths):
                if path.name == name:
                    self._go_to(place)
                    return
        raise SourceError(Said.of("no_camera_name", name=name, folder=str(self._paths[0].parent)))

    def latest(self) -> Frame | None:
        """The picture that is being shown."""
        with self._lock:
            self._follow_clock()
            return self._frame

    def status(self) -> SourceStatus:
        """Always live: a folder neither freezes nor vanishes; a picture that cannot be read is named."""
        with self._lock:
            self._follow_clock()
            height, width = self._frame.image.shape[:2] if self._frame else (0, 0)
            return SourceStatus("live", self._problem, width, height, 0.0)

    def close(self) -> None:
        """Nothing to let go of."""

    def _follow_clock(self) -> None:
        if self._interval_s:
            due = int((self._clock() - self._started_s) / self._interval_s)
            if due != self._place:
                self._go_to(due)

    def _go_to(self, place: int) -> bool:
        count = len(self._paths)
        if not self._repeat and place >= count:
            if self._place == count - 1:
                return False
            place = count - 1
        if place != self._place:
            self._place = place
            self._frame = self._load(place % count) or self._frame
        return True

    def _load(self, place: int) -> Frame | None:
        try:
            image = load_picture(self._paths[place])
        except PictureError as error:
            self._problem = said(error)
            return None
        self._problem = ""
        return Frame(image, self._clock(), self._place)


def _pictures_in(folder: Path) -> tuple[Path, ...]:
    try:
        if not folder.is_dir():
            raise SourceError(Said.of("no_folder", name=str(folder)))
        paths = tuple(sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES))
    except OSError as error:
        raise SourceError(Said.of("not_readable", name=str(folder), detail=str(error.strerror))) from error
    if not paths:
        raise SourceError(Said.of("empty_folder", name=str(folder)))
    return paths

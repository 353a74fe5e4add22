"""Cameras and videos through OpenCV, watched by a thread that keeps the newest frame only."""

from __future__ import annotations

import logging
import os
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from vision.frames import Clock, Frame, SourceError, SourceStatus
from vision.picture_header import read_header
from vision.pulse import Pulse
from vision.quiet import quiet
from vision.said import Said, said
from vision.types import Image

STALE_S = 1.5
"""A camera that has delivered nothing for this long has vanished."""
FROZEN_S = 1.5
"""No sensor delivers the same picture bit for bit; one that does for this long hangs."""
REOPEN_FROZEN_S = 10.0
"""A camera that has hung for this long is closed and opened again."""
RETRY_S = 1.0
BLACK, WHITE = 6.0, 249.0
"""Mean brightness (0 to 255) that no table reaches: a cap on the lens, a lamp gone out, an exposure gone wild."""
KEEP_EVERY_S = 0.1
"""Decoding more than ten frames a second shows nothing new on a table and costs a core."""
Size = tuple[int, int]
"""Width and height in pixels."""
USUAL_SIZE: Size = (1920, 1080)
"""What a camera on this computer is asked for when nobody says: every one has it."""
HEADER_BYTES = 1 << 16

log = logging.getLogger(__name__)


class Capture(Protocol):
    """What is needed of OpenCV's `VideoCapture`; tests bring their own."""

    def grab(self) -> bool:
        """Takes the next frame from the device without decoding it; False when there is none."""
        ...

    def retrieve(self) -> tuple[bool, Any]:
        """Decodes the frame that was taken."""
        ...

    def get(self, what: int, /) -> float:
        """A property of the device, such as the time of the frame that was taken; 0 where it has none."""
        ...

    def release(self) -> None:
        """Lets go of the device."""
        ...


class CaptureCamera:
    """Frames from an opened `Capture`, read in a thread of its own.

    A watchdog notices within two seconds when a camera vanishes or hangs, and opens it again until it is back. A
    recording is played at its own pace and then ended.
    """

    def __init__(
        self,
        opener: Callable[[], Capture],
        name: str,
        *,
        frame_s: float | None = None,
        patient: bool = False,
        wanted: Size | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        """Opens the source and starts reading.

        Args:
            opener: Opens the source; called again after it was lost. Raises SourceError when it cannot.
            name: What people call it.
            frame_s: Seconds per frame of a recording; None for a camera.
            patient: Keep trying when it cannot be opened now, as after a loss.
            wanted: Size of picture that a person asked for; it is said when the camera delivers another one.
            clock: Seconds that never go back.

        Raises:
            SourceError: It cannot be opened now.
        """
        self._opener = opener
        self._name = name
        self._frame_s = frame_s
        self._wanted = wanted
        self._clock = clock
        self._pulse = Pulse()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._frame: Frame | None = None
        self._status = SourceStatus("starting", Said.of("waiting", name=name))
        self._fresh_s = self._changed_s = clock()
        self._kept_s = float("-inf")
        self._capture: Capture | None = None
        try:
            self._capture = opener()
        except SourceError as error:
            if not patient:
                raise
            self._status = SourceStatus("lost", said(error))
        self._thread = threading.Thread(target=self._run, name=f"frames of {name}", daemon=True)
        self._thread.start()

    def latest(self) -> Frame | None:
        """The newest frame; while the camera is lost, the last one there was."""
        with self._lock:
            return self._frame

    def status(self) -> SourceStatus:
        """How the camera is, judged at this moment, so that a driver stuck inside a read is noticed too."""
        with self._lock:
            now_s = self._clock()
            age_s = None if self._frame is None else max(0.0, now_s - self._frame.at_s)
            return replace(self._judged(now_s), age_s=age_s, fps=self._pulse.fps(now_s), late_s=self._pulse.late_s)

    def close(self) -> None:
        """Stops reading and lets go of the camera."""
        self._closed.set()
        self._thread.join(timeout=2.0)

    def _judged(self, now_s: float) -> SourceStatus:
        status = self._status
        if self._frame_s is not None or status.state not in ("starting", "live"):
            return status
        if now_s - self._fresh_s > STALE_S:
            text = Said.of("silent", name=self._name, seconds=round(now_s - self._fresh_s))
            return replace(status, state="lost", text=text)
        if status.state == "live" and now_s - self._changed_s > FROZEN_S:
            text = Said.of("still", name=self._name)
            return replace(status, state="frozen", text=text)
        return status

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                self._step()
            except cv2.error as error:
                self._lose(Said.of("garbled", name=self._name, detail=str(error.err)))
            except Exception as error:  # top of the camera's thread: whatever a driver does, it is opened again
                log.exception("%s failed", self._name)
                self._lose(Said.of("garbled", name=self._name, detail=f"{type(error).__name__}: {error}"))
        if self._capture is not None:
            self._capture.release()

    def _step(self) -> None:
        """Open the source again, or take one frame and keep it if it is worth decoding."""
        if self._capture is None:
            self._reopen()
            return
        if self._frame_s is not None and self._closed.wait(self._frame_s):
            return
        if not self._capture.grab():
            self._lose(Said.of("gone", name=self._name))
            return
        now_s = self._clock()
        with self._lock:
            self._pulse.beat(now_s, self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000 or None)
        if self._frame_s is None and now_s - self._kept_s < KEEP_EVERY_S:
            return
        self._kept_s = now_s
        ok, image = self._capture.retrieve()
        if ok and image is not None and image.ndim == 3:
            self._keep(image, now_s)
        if self._frame_s is None and now_s - self._changed_s > REOPEN_FROZEN_S:
            self._lose(Said.of("hung", name=self._name))

    def _keep(self, image: Image, now_s: float) -> None:
        with self._lock:
            before = self._frame
            if before is None or not np.array_equal(before.image[::4], image[::4]):
                self._changed_s = now_s
            self._fresh_s = now_s
            self._frame = Frame(image, now_s, before.number + 1 if before else 0)
            self._status = SourceStatus("live", self._remark(image), image.shape[1], image.shape[0], 0.0)

    def _remark(self, image: Image) -> str:
        """What is wrong with pictures that arrive; empty when nothing is."""
        light = float(image[::16, ::16].mean())
        if light < BLACK:
            return Said.of("black", name=self._name)
        if light > WHITE:
            return Said.of("white", name=self._name)
        size = (image.shape[1], image.shape[0])
        if self._wanted is not None and size != self._wanted:
            given, asked = (f"{width} x {height}" for width, height in (size, self._wanted))
            return Said.of("other_resolution", name=self._name, given=given, asked=asked)
        return ""

    def _lose(self, text: str) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None
        with self._lock:
            if self._frame_s is None:
                self._status = replace(self._status, state="lost", text=text)
            else:
                self._status = replace(self._status, state="ended", text=Said.of("played", name=self._name))
                self._closed.set()

    def _reopen(self) -> None:
        if self._closed.wait(RETRY_S):
            return
        try:
            self._capture = self._opener()
        except SourceError as error:
            with self._lock:
                self._status = replace(self._status, state="lost", text=said(error))
            return
        with self._lock:
            self._pulse = Pulse()
            self._fresh_s = self._changed_s = self._clock()


class VideoCamera(CaptureCamera):
    """A recorded video that plays the camera, once, at its own pace."""

    def __init__(self, path: str | Path, clock: Clock = time.monotonic) -> None:
        """Opens the file.

        Args:
            path: A video that OpenCV's FFmpeg can read (MP4, MKV, AVI, ...).
            clock: Seconds that never go back.

        Raises:
            SourceError: No such file, or no video.
        """
        try:
            if not Path(path).is_file():
                raise SourceError(Said.of("no_video_file", name=str(path)))
            if _is_picture(Path(path)):  # FFmpeg would play it as a film of one frame
                raise SourceError(Said.of("picture_no_video", name=str(path)))
        except OSError as error:
            raise SourceError(Said.of("not_readable", name=str(path), detail=str(error.strerror))) from error
        video = _opened(str(path), cv2.CAP_FFMPEG)
        if not video.isOpened():
            raise SourceError(Said.of("no_video", name=str(path)))
        rate = video.get(cv2.CAP_PROP_FPS)
        super().__init__(lambda: video, str(path), frame_s=1 / rate if 1 <= rate <= 240 else 1 / 25, clock=clock)


class DeviceCamera(CaptureCamera):
    """A camera on this computer (V4L2) or in the network (RTSP)."""

    def __init__(self, spec: str, clock: Clock = time.monotonic, *, patient: bool = False) -> None:
        """Opens the camera.

        Args:
            spec: `/dev/video0` or `0`, with `@3840x2160` where another size than 1920 x 1080 is wanted; or `rtsp://...`,
                which comes as it is sent.
            clock: Seconds that never go back.
            patient: Keep trying when it cannot be opened now.

        Raises:
            SourceError: It is missing, busy, not allowed or does not answer.
        """
        if "://" in spec:
            name = re.sub(r"//[^/@]*@", "//", spec)  # names are shown and logged; passwords must not be
            super().__init__(lambda: _open_network(spec, name), name, patient=patient, clock=clock)
        else:
            place, wanted = split_size(spec)
            path = f"/dev/video{place}" if place.isdecimal() else place
            size = wanted or USUAL_SIZE
            super().__init__(lambda: _open_local(path, size), path, patient=patient, wanted=wanted, clock=clock)


def split_size(spec: str) -> tuple[str, Size | None]:
    """A camera's name and the size of picture asked for behind it.

    >>> split_size("/dev/video0@3840x2160"), split_size("0")
    (('/dev/video0', (3840, 2160)), ('0', None))
    """
    found = re.fullmatch(r"(.+)@([1-9]\d{2,4})x([1-9]\d{2,4})", spec)
    return (found[1], (int(found[2]), int(found[3]))) if found else (spec, None)


def _is_picture(path: Path) -> bool:
    with path.open("rb") as file:
        return read_header(file.read(HEADER_BYTES)) is not None


def _opened(name: str, backend: int, settings: Sequence[int] = ()) -> cv2.VideoCapture:
    """An OpenCV capture; what is wrong is for us to say, in a sentence, so its libraries keep quiet."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    with quiet():
        return cv2.VideoCapture(name, backend, settings)


def _open_local(path: str, size: Size) -> Capture:
    if not Path(path).exists():
        known = " ".join(sorted(str(device) for device in Path("/dev").glob("video*")))
        raise SourceError(Said.of("no_such_camera", name=path, known=known or "none"))
    if not os.access(path, os.R_OK | os.W_OK):
        raise SourceError(Said.of("not_allowed", name=path))
    camera = _opened(path, cv2.CAP_V4L2)
    if not camera.isOpened():
        raise SourceError(Said.of("busy", name=path))
    camera.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # raw 1080p does not fit through USB 2
    camera.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    camera.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    camera.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return camera


def _open_network(url: str, name: str) -> Capture:
    patience = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 4000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 2000]
    camera = _opened(url, cv2.CAP_FFMPEG, patience)
    if not camera.isOpened():
        raise SourceError(Said.of("no_answer", name=name))
    return camera

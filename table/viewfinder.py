"""Which cameras there are, and what each sees now, before one of them is chosen."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from table.demonstration import FOLDER as DEMO
from vision.frames import Frame, FrameSource, SourceError, SourceStatus
from vision.said import Said
from vision.sources import PICTURE_SUFFIXES, open_source

RECORDINGS = "recordings"
"""Folder beside the ledger: each video in it, and each folder of pictures, can play the camera."""
VIDEO_SUFFIXES = frozenset({".mp4", ".mkv", ".avi", ".mov", ".webm"})
NETWORK = "network"
"""What the chosen network camera is called in requests: its address may hold a password, which no page gets back."""
IDLE_S = 8.0
"""A camera that nobody looks at any more is let go."""
FIRST_FRAME_S = 5.0

Kind = Literal["device", "network", "recording", "demo"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCamera:
    """A camera that can be chosen.

    Attributes:
        id: Its name in requests; never a path of this computer beyond /dev.
        kind: What it is.
        name: What it calls itself; empty where the page has a name for its kind.
        spec: What opens it, as after ``--camera``.
    """

    id: str
    kind: Kind
    name: str
    spec: str


def found_cameras(data: Path, dev: Path = Path("/dev"), sys: Path = Path("/sys")) -> tuple[FoundCamera, ...]:
    """The cameras of this computer, then what was recorded, then the demonstration's pictures; opens none.

    Args:
        data: The table's folder.
        dev: Where devices are.
        sys: Where the system describes them.
    """
    devices = [_device(path, dev, sys) for path in sorted(dev.glob("video[0-9]*"), key=lambda path: int(path.name[5:]))]
    found = [camera for camera in devices if camera is not None]
    found += _recordings(data / RECORDINGS)
    if DEMO.is_dir():
        found.append(FoundCamera(id="demo", kind="demo", name="", spec=f"folder:{DEMO}"))
    return tuple(found)


def network_camera(address: str) -> FoundCamera:
    """A camera in the network by its address.

    Raises:
        SourceError: it is no address of a camera.
    """
    if not address.startswith(("rtsp://", "rtsps://", "http://", "https://")) or len(address) > 500:
        raise SourceError(Said.of("no_camera_word", name=address[:80]))
    return FoundCamera(id=NETWORK, kind="network", name=address.rpartition("@")[2], spec=address)


def _device(path: Path, dev: Path, sys: Path) -> FoundCamera | None:
    """A camera by a name that stays when another one is plugged in; None for the second channel of one."""
    about = sys / "class" / "video4linux" / path.name
    if _line(about / "index") not in ("", "0"):
        return None
    lasting = [link for link in sorted((dev / "v4l" / "by-id").glob("*")) if link.resolve() == path.resolve()]
    return FoundCamera(
        id=str(path), kind="device", name=_line(about / "name") or path.name, spec=str(lasting[0] if lasting else path)
    )


def _line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _recordings(folder: Path) -> list[FoundCamera]:
    if not folder.is_dir():
        return []
    found = []
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.suffix.lower() in VIDEO_SUFFIXES:
            spec = f"video:{path}"
        elif path.is_dir() and any(inner.suffix.lower() in PICTURE_SUFFIXES for inner in path.iterdir()):
            spec = f"folder:{path}"
        else:
            continue
        found.append(FoundCamera(id=f"recording/{path.name}", kind="recording", name=path.name, spec=spec))
    return found


class Viewfinder:
    """Shows what cameras see that are not in use yet; lets each go when nobody has looked for a while."""

    def __init__(
        self,
        opener: Callable[[str], FrameSource] = open_source,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._opener = opener
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._open: dict[str, tuple[FrameSource, float]] = {}
        self._timer: threading.Timer | None = None

    def look(self, spec: str) -> tuple[Frame | None, SourceStatus]:
        """The newest frame of a camera, waiting for its first one, and how the camera is.

        Raises:
            SourceError: it cannot be opened.
        """
        with self._lock:
            source = self._open[spec][0] if spec in self._open else self._opener(spec)
            self._open[spec] = (source, self._clock())
            self._wind()
        end = self._clock() + FIRST_FRAME_S
        while (frame := source.latest()) is None and self._clock() < end:
            self._sleep(0.05)
        return frame, source.status()

    def close(self, spec: str | None = None) -> None:
        """Let one camera go, because it is chosen now, or all of them."""
        with self._lock:
            for name in [spec] if spec is not None else list(self._open):
                if name in self._open:
                    self._open.pop(name)[0].close()

    def _wind(self) -> None:
        if self._timer is None:
            self._timer = threading.Timer(IDLE_S, self._let_go)
            self._timer.daemon = True
            self._timer.start()

    def _let_go(self) -> None:
        with self._lock:
            self._timer = None
            old = self._clock() - IDLE_S
            for name in [name for name, (_, at_s) in self._open.items() if at_s <= old]:
                self._open.pop(name)[0].close()
            if self._open:
                self._wind()

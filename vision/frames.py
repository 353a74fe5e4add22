"""What every source of frames hands out, and what may be asked of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from vision.types import Image

Clock = Callable[[], float]
"""Seconds that never go back."""

State = Literal["starting", "live", "frozen", "lost", "ended"]


class SourceError(ValueError):
    """A source that cannot be opened; the text says which, why, and what to do next."""


@dataclass(frozen=True, slots=True, eq=False)  # arrays do not compare to one truth
class Frame:
    """One picture of the table.

    Attributes:
        image: uint8 (height, width, 3), BGR. Never changed after it was handed out.
        at_s: When it was taken, on the source's clock.
        number: Counts up by one for every frame of this source.
    """

    image: Image
    at_s: float
    number: int


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """How a source is.

    Attributes:
        state: `live` delivers; `starting` has not yet; `frozen` repeats itself; `lost` is gone and being looked for;
            `ended` will deliver nothing more.
        text: One sentence for a person; empty while all is well.
        width: Width of the newest frame, 0 before the first.
        height: Height of the newest frame, 0 before the first.
        age_s: Age of the newest frame; None before the first.
        fps: Frames a second that the camera delivers; None where that is not known.
        late_s: By how much the newest frame came later than the promptest one, by the camera's own clock.
    """

    state: State
    text: str
    width: int = 0
    height: int = 0
    age_s: float | None = None
    fps: float | None = None
    late_s: float | None = None


class FrameSource(Protocol):
    """Anything that shows the table."""

    def latest(self) -> Frame | None:
        """The newest frame, None before the first one. Never waits."""
        ...

    def status(self) -> SourceStatus:
        """How the source is. Never waits."""
        ...

    def close(self) -> None:
        """Lets go of the camera or file. Safe to call twice."""
        ...

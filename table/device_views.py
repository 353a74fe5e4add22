"""Devices and problems as the pages show them. Part of the document in `table.snapshot`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from table.model import Scalar

ProblemSource = Literal["camera", "table", "eyes", "ledger", "rules", "disk", "demo"]
"""What a problem is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that is wrong now, in one sentence; it disappears when it is mended."""

    source: ProblemSource
    key: str
    params: Mapping[str, Scalar]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceView:
    """A device as the liveness panel shows it: its state and the age of its last sign of life in seconds."""

    state: str
    age_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraView:
    """The camera as the liveness panel shows it, and how fast its pictures are read.

    `fps` are frames a second, `late_ms` is by how much they arrive later than at best, `reading_ms` what the last
    reading took, `readings_per_s` how many there were of late; None where that is not known. All are rounded, so that
    they do not change all the time.
    """

    state: str
    age_s: float | None
    fps: int | None = None
    late_ms: int | None = None
    reading_ms: int | None = None
    readings_per_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Devices:
    """Camera and table."""

    camera: CameraView
    table: DeviceView

"""Waits until nothing moves over the table: a picture with a hand in it is not worth reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Floats, Image

GRID = (48, 64)
"""Rows and columns of the small grey picture in which motion is looked for: a hand covers many of its cells."""


@dataclass(frozen=True, slots=True)
class Stillness:
    """What the gate says about one frame.

    Attributes:
        still: Nothing has moved for long enough: read this frame.
        still_s: For how long nothing has moved.
        moving: Share of the picture that differs from the frame before, 0 to 1.
    """

    still: bool
    still_s: float
    moving: float


THRESHOLD = 10.0
"""Grey levels by which a cell must differ to count as moved; above noise and flicker."""


def small(image: Image, grid: tuple[int, int]) -> Floats:
    """A picture (uint8, height x width x 3) in grey with so many rows and columns, its median at zero.

    The median goes because a lamp that dims everything is no motion.
    """
    cells = cv2.resize(image, grid[::-1], interpolation=cv2.INTER_AREA)
    grey: Floats = cv2.cvtColor(cells, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return grey - np.float32(np.median(grey))


def changed(before: Floats, now: Floats, threshold: float = THRESHOLD) -> float:
    """The share of cells, 0 to 1, that differ between two small pictures."""
    return float((np.abs(now - before) > threshold).mean())


class MotionGate:
    """Decides for each frame whether the table is at rest; knows no clock but the frames' own times."""

    def __init__(self, rest_s: float = 0.6, threshold: float = THRESHOLD, share: float = 0.004) -> None:
        """Sets how patient and how sensitive it is.

        Args:
            rest_s: Nothing may have moved for this long.
            threshold: Grey levels by which a cell must differ to count as moved; above noise and flicker.
            share: Share of the picture that may differ and still count as rest.
        """
        self._rest_s = rest_s
        self._threshold = threshold
        self._share = share
        self._before: NDArray[Any] | None = None
        self._still_since_s: float | None = None

    def look(self, image: Image, at_s: float) -> Stillness:
        """Takes in the next frame.

        Args:
            image: uint8 (height, width, 3). Another size of the same view is no motion.
            at_s: When it was taken; never earlier than the frame before.
        """
        grey = small(image, GRID)
        moving = 1.0
        if self._before is not None:
            moving = changed(self._before, grey, self._threshold)
        if moving > self._share:
            self._still_since_s = at_s
            self._before = grey
        elif self._before is not None:
            # a slow drift (sunlight) is followed, a slow hand adds up and is noticed
            self._before = 0.9 * self._before + 0.1 * grey
        since_s = at_s if self._still_since_s is None else self._still_since_s
        still_s = at_s - since_s
        return Stillness(moving <= self._share and still_s >= self._rest_s, still_s, moving)

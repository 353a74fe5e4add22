"""The values that vision hands to the rest of Paiju, checked once where they are made.

Every coordinate lives in the upright, full-size picture: x to the right, y down, in pixels, (0, 0) the outer corner of
the first pixel. Names carry the unit (`_px`, `_mm`, `_s`) and the order (`xyxy`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A picture: uint8, shape (height, width, 3), channels blue, green, red."""

Images = NDArray[np.uint8]
"""Pictures of one size: uint8, shape (N, height, width, 3), channels blue, green, red."""

Floats = NDArray[np.float32]
"""An array of 32-bit floats; the docstring of whoever returns it states its shape."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels."""

Place = tuple[int, int, int, int]
"""A part of a picture: left, top, right, bottom in whole pixels, inside the picture."""

BACK = "x"
"""Tile text of a tile that lies face down."""

Sure = Literal["sure", "check", "unreadable"]
GroupKind = Literal["row", "meld", "hand", "pond"]


@dataclass(frozen=True, slots=True, eq=False)  # arrays do not compare to one truth
class Detections:
    """Where tiles lie in one picture, before anybody says which tiles they are.

    Attributes:
        boxes_xyxy_px: float32 (N, 4), left < right and top < bottom.
        class_scores: float32 (N, C), 0 to 1: how much each box looks like each of the detector's classes.
    """

    boxes_xyxy_px: Floats
    class_scores: Floats

    def __post_init__(self) -> None:
        count = len(self.boxes_xyxy_px)
        if self.boxes_xyxy_px.shape != (count, 4) or self.boxes_xyxy_px.dtype != np.float32:
            raise ValueError(f"boxes_xyxy_px must be float32 (N, 4), not {_describe(self.boxes_xyxy_px)}")
        shape = self.class_scores.shape
        if len(shape) != 2 or shape[0] != count or not shape[1] or self.class_scores.dtype != np.float32:
            raise ValueError(f"class_scores must be float32 ({count}, C), not {_describe(self.class_scores)}")
        if count and not (self.boxes_xyxy_px[:, 2:] > self.boxes_xyxy_px[:, :2]).all():
            raise ValueError("boxes_xyxy_px must have left < right and top < bottom in every row")

    def __len__(self) -> int:
        return len(self.boxes_xyxy_px)

    @property
    def scores(self) -> Floats:
        """float32 (N,): score of the class that each box looks most like."""
        best: Floats = self.class_scores.max(axis=1)
        return best

    def take(self, keep: NDArray[np.int64]) -> Detections:
        """The detections at these positions, in this order."""
        return Detections(self.boxes_xyxy_px[keep], self.class_scores[keep])

    @classmethod
    def none(cls, classes: int = 1) -> Detections:
        """A picture without tiles."""
        return cls(np.zeros((0, 4), np.float32), np.zeros((0, classes), np.float32))

    @classmethod
    def join(cls, parts: Sequence[Detections]) -> Detections:
        """All detections of one or several looks at the same picture, in the order given."""
        return cls(
            np.concatenate([part.boxes_xyxy_px for part in parts]),
            np.concatenate([part.class_scores for part in parts]),
        )


@dataclass(frozen=True, slots=True)
class TileReading:
    """One tile in a picture: the best guess, how far to trust it, and what else it could be.

    Attributes:
        tile: Tile text such as `5p`, `7z`, `3f`, or `x` for a tile lying face down.
        score: Probability of `tile`, 0 to 1.
        sure: `sure` needs no look, `check` deserves one, `unreadable` is a guess nobody should rely on.
        also: Other tiles it could be with their probabilities, likeliest first; never holds `tile`.
        box_px: Where it lies.
    """

    tile: str
    score: float
    sure: Sure
    also: tuple[tuple[str, float], ...]
    box_px: Box

    def __post_init__(self) -> None:
        left, top, right, bottom = self.box_px
        if not (left < right and top < bottom):
            raise ValueError(f"box_px must have left < right and top < bottom, not {self.box_px}")
        if not 0.0 <= self.score <= 1.0:
            raise ValueError(f"score must lie between 0 and 1, not {self.score}")


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles that lie together, recognised by their places alone.

    A `row` is any straight line of touching tiles, also a tile on its own (so a winning tile laid apart from the hand
    is a row of one). A `meld` is a row of three or four, a `hand` a long row, a `pond` several rows of up to six.

    Attributes:
        kind: The shape.
        tiles: Positions in `PictureReading.tiles`, in reading direction; a pond row after row.
    """

    kind: GroupKind
    tiles: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.tiles or len(set(self.tiles)) != len(self.tiles):
            raise ValueError(f"a group holds at least one tile and none twice, not {self.tiles}")


@dataclass(frozen=True, slots=True)
class PictureReading:
    """Everything read from one picture; each tile belongs to exactly one group.

    Attributes:
        width: Width of the upright picture in pixels.
        height: Height of the upright picture in pixels.
        tiles: The tiles, from top to bottom and left to right by group.
        groups: The groups, largest structure first.
    """

    width: int
    height: int
    tiles: tuple[TileReading, ...]
    groups: tuple[Group, ...]

    def __post_init__(self) -> None:
        placed = sorted(index for group in self.groups for index in group.tiles)
        if placed != list(range(len(self.tiles))):
            raise ValueError("every tile must belong to exactly one group")


def require_image(image: object) -> Image:
    """Returns the picture unchanged when it really is one.

    Args:
        image: Expected to be uint8, shape (height, width, 3), BGR.

    Raises:
        ValueError: It is anything else; the message says what.
    """
    if not isinstance(image, np.ndarray):
        raise ValueError(f"a picture must be a numpy array, not {type(image).__name__}")
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3 or 0 in image.shape:
        raise ValueError(f"a picture must be uint8 (height, width, 3) in BGR order, not {_describe(image)}")
    return image


def _describe(array: NDArray[np.generic]) -> str:
    return f"{array.dtype} {array.shape}"

"""Where has a still table changed: two pictures of one scene compared, whatever the light did meanwhile.

A tile that was turned over or replaced changes a few strokes of ink; sunlight, a dimmer lamp and the sensor's noise
change everything a little. So what is compared are small cells, in three colours, as ratios, after the change that all
cells around share was taken off.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Floats, Image, Place

CELLS_A_TILE = 8
"""Cells along a tile's shorter side: fine enough to see one bamboo more."""
LEAST = 0.1
"""Change of a cell (natural logarithm of the ratio) from which it has changed; printed strokes give 0.2 and more."""
NOISES = 7.0
"""A cell has only changed when it differs by so many times the spread of the cells around."""
DARK = 40.0
"""Added to grey levels before ratios are taken: in black corners a level more or less means nothing."""
BLOCKS = 10
"""The light is followed in so many blocks along the picture's longer side."""
DRIFT = 0.15
"""Light changes by no more than this between one part of a table and another."""
JUMP = 0.25
"""Change of light, as a logarithm, that no lamp makes slowly: the exposure has jumped."""
NEIGHBOURS = 2
"""Of nine cells, so many must have changed: a stroke covers several, a speck of noise one."""
MUCH = 0.4
"""When more of the picture than this has changed, all of it is worth reading."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed between two pictures of one scene.

    Attributes:
        places: Rectangles around what changed, at least a tile's side beyond it; they do not overlap.
        whole: So much has changed, or the light so suddenly, that the whole picture is to be read.
    """

    places: tuple[Place, ...]
    whole: bool = False


class Compared:
    """One picture, made ready to be compared with later ones of the same camera."""

    def __init__(self, image: Image, tile_px: float) -> None:
        """Takes the picture in.

        Args:
            image: uint8 (height, width, 3), BGR; it is not kept.
            tile_px: Shorter side of the tiles to look for.
        """
        self.shape = image.shape
        self._tile_px = tile_px
        self._cell_px = max(1.0, tile_px / CELLS_A_TILE)
        self._light = self._cells(image)

    def changes(self, later: Image) -> Changes:
        """What is different in a later picture of the same size.

        Raises:
            ValueError: It has another size.
        """
        if later.shape != self.shape:
            raise ValueError(f"only pictures of one size can be compared: {self.shape} and {later.shape}")
        change = self._cells(later) - self._light
        if abs(float(np.median(change[::2, ::2]))) > JUMP:
            return Changes((), whole=True)
        size = (change.shape[1], change.shape[0])
        shared, spread = (cv2.resize(blocks, size, interpolation=cv2.INTER_LINEAR) for blocks in _light_around(change))
        differs = (np.abs(change - shared) > np.maximum(LEAST, NOISES * spread)).any(axis=2)
        count = cv2.boxFilter(differs.astype(np.uint8), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
        return self._around((differs & (count >= NEIGHBOURS)).astype(np.uint8))

    def _cells(self, image: Image) -> Floats:
        """Logarithm of the mean light of each cell: float32 (rows, columns, 3)."""
        height, width = image.shape[:2]
        size = (max(1, round(width / self._cell_px)), max(1, round(height / self._cell_px)))
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        cells: Floats = np.log(small + np.float32(DARK))
        return cells

    def _around(self, marked: NDArray[np.uint8]) -> Changes:
        """Rectangles of whole tiles around the marked cells."""
        height, width = self.shape[:2]
        reach = round(1.5 * CELLS_A_TILE)
        kernel = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
        _, _, found, _ = cv2.connectedComponentsWithStats(cv2.dilate(marked, kernel))
        across, down = width / marked.shape[1], height / marked.shape[0]
        boxes = [
            (int(x * across), int(y * down), int(np.ceil((x + w) * across)), int(np.ceil((y + h) * down)))
            for x, y, w, h, _ in found[1:]
        ]
        places = _joined([(left, top, min(right, width), min(bottom, height)) for left, top, right, bottom in boxes])
        share = sum((right - left) * (bottom - top) for left, top, right, bottom in places) / (width * height)
        return Changes((), whole=True) if share > MUCH else Changes(tuple(places))


def _light_around(change: Floats) -> tuple[Floats, Floats]:
    """What most cells of each block have in common, and how far they spread: two float32 (blocks, blocks, 3).

    Light changes smoothly: a block that was cleared of its tiles differs from those around, and is not believed.
    """
    height, width = change.shape[:2]
    side = max(4, max(height, width) // BLOCKS)
    down, across = max(1, height // side), max(1, width // side)
    some = change[: height // down * down : 2, : width // across * across : 2]  # every other cell tells enough
    blocks = [part for strip in np.array_split(some, down) for part in np.array_split(strip, across, axis=1)]
    shared = np.array([np.median(block, axis=(0, 1)) for block in blocks], np.float32)
    spread = [np.median(np.abs(block - middle), axis=(0, 1)) for block, middle in zip(blocks, shared, strict=True)]
    everywhere = np.median(shared, axis=0)
    smooth = cv2.medianBlur(shared.reshape(down, across, 3), 3)
    noise = 1.48 * np.array(spread, np.float32).reshape(down, across, 3)
    return (
        np.clip(smooth, everywhere - DRIFT, everywhere + DRIFT).astype(np.float32),
        np.minimum(noise, 2 * np.median(noise, axis=(0, 1))).astype(np.float32),
    )


def _joined(boxes: list[Place]) -> list[Place]:
    """Rectangles that overlap become one, until none does."""
    joined: list[Place] = []
    for box in boxes:
        grown = box
        while overlapping := [other for other in joined if _overlap(grown, other)]:
            joined = [other for other in joined if other not in overlapping]
            corners = np.array([grown, *overlapping])
            low, high = corners[:, :2].min(axis=0), corners[:, 2:].max(axis=0)
            grown = (int(low[0]), int(low[1]), int(high[0]), int(high[1]))
        joined.append(grown)
    return joined


def _overlap(one: Place, other: Place) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]

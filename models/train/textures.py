"""Faces as pictures: laid on the tile's material, engraved, worn, and ready at several sizes."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.tile_body import Body

Image = NDArray[np.float32]
"""H x W x 3, BGR, 0..255."""


@dataclass(frozen=True, slots=True)
class FaceTextures:
    """Textures of every face of a set, largest first; each level half the size of the one before.

    Attributes:
        levels: label -> pictures (float32 BGR 0..255), including the tile's own colour.
    """

    levels: dict[str, tuple[Image, ...]]

    def for_width(self, label: str, width_px: float) -> Image:
        """The smallest level that is not smaller than ``width_px`` on the screen."""
        chosen = self.levels[label][0]
        for level in self.levels[label][1:]:
            if level.shape[1] < width_px:
                break
            chosen = level
        return chosen


def halving(picture: Image) -> tuple[Image, ...]:
    """The picture and ever smaller copies of it, down to 24 pixels."""
    chain = [picture]
    while chain[-1].shape[1] > 24:
        chain.append(np.asarray(cv2.resize(chain[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)))
    return tuple(chain)


def material(rng: np.random.Generator, size: tuple[int, int], colour: tuple[float, float, float]) -> Image:
    """A plain surface with a faint cloudiness."""
    small = rng.normal(0, 1.0, (6, 5)).astype(np.float32)
    cloud = cv2.resize(small, (size[1], size[0]), interpolation=cv2.INTER_CUBIC)[..., None]
    return np.asarray(np.array(colour, np.float32) + cloud * 1.2, np.float32)


def face_texture(bgra: NDArray[np.uint8], body: Body, rng: np.random.Generator, wear: float) -> Image:
    """A drawing laid on the tile's material, engraved as deep as the set says.

    Args:
        bgra: the drawing, H x W x 4.
        body: colour and depth of the engraving.
        rng: chance.
        wear: 0 fresh paint to 1 worn paint.
    """
    base = material(rng, bgra.shape[:2], body.front_bgr)
    ink = bgra[..., :3].astype(np.float32)
    alpha = bgra[..., 3:].astype(np.float32) / 255
    if wear > 0:
        spots = cv2.resize(rng.random((40, 30)).astype(np.float32), bgra.shape[1::-1], interpolation=cv2.INTER_CUBIC)
        alpha = alpha * (1 - wear * np.clip(spots[..., None] * 1.6 - 0.7, 0, 1))
    face = base * (1 - alpha) + ink * alpha
    depth = body.engraving
    if depth > 0:
        soft = cv2.GaussianBlur(alpha[..., 0], (0, 0), 2.2)
        slope = cv2.Sobel(soft, cv2.CV_32F, 1, 0) * 0.6 + cv2.Sobel(soft, cv2.CV_32F, 0, 1)
        face = face - (slope * 26 * depth)[..., None]
    return np.asarray(np.clip(face, 0, 255), np.float32)

"""Rasterises the faces of one tile set, with engraving and wear, at several sizes."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import resvg_py
from numpy.typing import NDArray

from models import LABELS
from models.train.faces import FaceArtist, face_svg
from models.train.fonts import FontBook
from models.train.styles import TileSet

Image = NDArray[np.float32]
"""H x W x 3, BGR, 0..255."""

TEXTURE_WIDTH = 192


def rasterise(svg: str, width: int, height: int) -> NDArray[np.uint8]:
    """An SVG drawing as H x W x 4 BGRA (not premultiplied), stretched to the given size."""
    stretched = svg.replace("<svg ", f'<svg preserveAspectRatio="none" width="{width}" height="{height}" ', 1)
    png = bytes(resvg_py.svg_to_bytes(svg_string=stretched))
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    return np.asarray(image, np.uint8)


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


def _material(rng: np.random.Generator, size: tuple[int, int], colour: tuple[float, float, float]) -> Image:
    """A plain surface with a faint cloudiness."""
    small = rng.normal(0, 1.0, (6, 5)).astype(np.float32)
    cloud = cv2.resize(small, (size[1], size[0]), interpolation=cv2.INTER_CUBIC)[..., None]
    return np.asarray(np.array(colour, np.float32) + cloud * 1.2, np.float32)


def face_texture(bgra: NDArray[np.uint8], tile_set: TileSet, rng: np.random.Generator, wear: float) -> Image:
    """A drawing laid on the tile's material, engraved as deep as the set says.

    Args:
        bgra: the drawing, H x W x 4.
        tile_set: body colour and depth of the engraving.
        rng: chance.
        wear: 0 fresh paint to 1 worn paint.
    """
    base = _material(rng, bgra.shape[:2], tile_set.body.front_bgr)
    ink = bgra[..., :3].astype(np.float32)
    alpha = bgra[..., 3:].astype(np.float32) / 255
    if wear > 0:
        spots = cv2.resize(rng.random((40, 30)).astype(np.float32), bgra.shape[1::-1], interpolation=cv2.INTER_CUBIC)
        alpha = alpha * (1 - wear * np.clip(spots[..., None] * 1.6 - 0.7, 0, 1))
    face = base * (1 - alpha) + ink * alpha
    depth = tile_set.body.engraving
    if depth > 0:
        soft = cv2.GaussianBlur(alpha[..., 0], (0, 0), 2.2)
        slope = cv2.Sobel(soft, cv2.CV_32F, 1, 0) * 0.6 + cv2.Sobel(soft, cv2.CV_32F, 0, 1)
        face = face - (slope * 26 * depth)[..., None]
    return np.asarray(np.clip(face, 0, 255), np.float32)


def random_wear(rng: np.random.Generator) -> float:
    """Most sets are fresh, some have lost paint."""
    return float(rng.choice([0, 0, 0.3, 0.8]))


def face_textures(tile_set: TileSet, book: FontBook, rng: np.random.Generator, wear: float) -> FaceTextures:
    """Draws all faces of a set once (about 0.3 s), ready for many tiles.

    Args:
        tile_set: the set.
        book: installed fonts.
        rng: chance.
        wear: 0 fresh paint to 1 worn paint.
    """
    artist = FaceArtist(tile_set.style, book)
    width = TEXTURE_WIDTH
    height = round(width * tile_set.body.length / tile_set.body.width)
    margin = tile_set.body.face_margin
    inner = (round(width * (1 - 2 * margin)), round(height * (1 - 2 * margin)))
    levels = {}
    for label in LABELS:
        canvas = np.zeros((height, width, 4), np.uint8)
        if label != "x":
            x0, y0 = (width - inner[0]) // 2, (height - inner[1]) // 2
            canvas[y0 : y0 + inner[1], x0 : x0 + inner[0]] = rasterise(face_svg(label, artist), *inner)
            full = face_texture(canvas, tile_set, rng, wear)
        else:
            full = _material(rng, (height, width), tile_set.body.back_bgr)
        chain = [full]
        while chain[-1].shape[1] > 24:
            chain.append(np.asarray(cv2.resize(chain[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)))
        levels[label] = tuple(chain)
    return FaceTextures(levels)

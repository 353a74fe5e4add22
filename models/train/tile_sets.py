"""Tile sets for scenes: a face style on a tile body, drawn once and photographed often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import resvg_py
from numpy.typing import NDArray

from models import LABELS
from models.train.faces import FaceArtist, FaceStyle, face_svg
from models.train.fonts import FontBook
from models.train.ink import HEIGHT, WIDTH, petals, ring, shape
from models.train.studio import Studio
from models.train.styles import random_style
from models.train.textures import FaceTextures, Image, face_texture, halving, material
from models.train.tile_body import Body, random_body

TEXTURE_WIDTH = 192


@dataclass(frozen=True, slots=True)
class TileSet:
    """A tile set: how faces are drawn and what the tiles are made of."""

    style: FaceStyle
    body: Body


def random_tile_set(rng: np.random.Generator, book: FontBook, *, held_out: bool = False) -> TileSet:
    """A random tile set; the paper of the drawings takes the colour of the body."""
    body = random_body(rng)
    style = random_style(rng, book, held_out=held_out)
    paper = "#" + "".join(f"{round(c):02x}" for c in reversed(body.front_bgr))
    return TileSet(replace(style, inks=replace(style.inks, paper=paper)), body)


def rasterise(svg: str, width: int, height: int) -> NDArray[np.uint8]:
    """An SVG drawing as H x W x 4 BGRA (not premultiplied), stretched to the given size."""
    stretched = svg.replace("<svg ", f'<svg preserveAspectRatio="none" width="{width}" height="{height}" ', 1)
    png = bytes(resvg_py.svg_to_bytes(svg_string=stretched))
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    return np.asarray(image, np.uint8)


def back_texture(tile_set: TileSet, size: tuple[int, int], rng: np.random.Generator) -> Image:
    """The back: plain on most sets, now and then with a pressed emblem in a neighbouring shade."""
    back = material(rng, size, tile_set.body.back_bgr)
    if rng.random() > 0.18:
        return back
    height, width = size
    centre = (150.0, 200.0)
    emblem = shape(petals(centre, int(rng.integers(4, 14)), 20, 90, float(rng.uniform(10, 40))), "#000")
    emblem += ring(centre, float(rng.uniform(95, 125)), "#000", float(rng.uniform(4, 12)))
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">{emblem}</svg>'
    alpha = rasterise(svg, width, height)[..., 3:].astype(np.float32) / 255
    return np.asarray(np.clip(back + alpha * float(rng.choice([-45, -25, 30, 60])), 0, 255), np.float32)


def random_wear(rng: np.random.Generator) -> float:
    """Most sets are fresh, some have lost paint."""
    return float(rng.choice([0, 0, 0.3, 0.8]))


def face_textures(
    tile_set: TileSet, book: FontBook, rng: np.random.Generator, wear: float, labels: Sequence[str] = LABELS
) -> FaceTextures:
    """Draws all faces of a set once (about 0.3 s), or those asked for, ready for many tiles.

    Args:
        tile_set: the set.
        book: installed fonts.
        rng: chance.
        wear: 0 fresh paint to 1 worn paint.
        labels: which faces.
    """
    artist = FaceArtist(tile_set.style, book)
    width = TEXTURE_WIDTH
    height = round(width * tile_set.body.length / tile_set.body.width)
    margin = tile_set.body.face_margin
    inner = (round(width * (1 - 2 * margin)), round(height * (1 - 2 * margin)))
    levels = {}
    for label in labels:
        canvas = np.zeros((height, width, 4), np.uint8)
        if label != "x":
            x0, y0 = (width - inner[0]) // 2, (height - inner[1]) // 2
            canvas[y0 : y0 + inner[1], x0 : x0 + inner[0]] = rasterise(face_svg(label, artist), *inner)
            full = face_texture(canvas, tile_set.body, rng, wear)
        else:
            full = back_texture(tile_set, (height, width), rng)
        levels[label] = halving(full)
    return FaceTextures(levels)


def open_studio(seed: tuple[int, ...], book: FontBook, *, held_out: bool = False) -> Studio:
    """The tile set that belongs to a seed, ready to be photographed."""
    rng = np.random.default_rng(seed)
    tile_set = random_tile_set(rng, book, held_out=held_out)
    return Studio(tile_set.body, face_textures(tile_set, book, rng, random_wear(rng)), tile_set.style.name)

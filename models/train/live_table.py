"""A table that is photographed again and again while tiles are laid: only what changed is painted anew.

The same painters and effects as for training scenes (`studio`), at a tenth of a second a frame instead of seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.boxes import BoxPainter, Canvas, Placed, orientation, shadow_mask
from models.train.camera import View, camera_for
from models.train.photo_effects import Effects, photograph
from models.train.props import paint_arm
from models.train.studio import Look, Studio
from models.train.surface import Table, paint_table

Photo = NDArray[np.uint8]
Rect = tuple[int, int, int, int]
"""Left, top, right, bottom in the finished picture, in even pixels."""

OVERSAMPLING = 1.5
REACH_PX = 16
"""How far blur, sharpening and soft shadows spread from what is painted, in pixels of the finished picture."""
FACE_LEVEL = 222.0
GRAINS = 3


class LiveTable:
    """One table before one camera; lay tiles, then take as many frames as you like."""

    def __init__(self, studio: Studio, table: Table, view: View, size: tuple[int, int], look: Look, seed: int) -> None:
        """Paints the empty table.

        Args:
            studio: the tile set.
            table: what the tiles lie on.
            view: the camera.
            size: width and height in pixels, both even.
            look: light and lens; `effects` must be given.
            seed: of the patterns of felt and grain.
        """
        if size[0] % 2 or size[1] % 2 or look.effects is None:
            raise ValueError("A live table needs even sides and the effects of its lens.")
        rng = np.random.default_rng(seed)
        self.body = studio.body
        self._studio, self._light, self._effects, self._seed = studio, look.light, look.effects, seed
        self.camera, self._view = camera_for(view, *size), view
        self._big = camera_for(view, round(size[0] * OVERSAMPLING), round(size[1] * OVERSAMPLING))
        self._px_per_mm = self._big.width / view.span_mm
        bare = paint_table(self.camera, table, view.span_mm, rng) * np.array(look.light.gains, np.float32)
        self._bare = cv2.resize(bare, (self._big.width, self._big.height), interpolation=cv2.INTER_LINEAR)
        self._canvas = Canvas(self._bare.copy(), np.zeros(self._bare.shape[:2], np.int32))
        self._gain = FACE_LEVEL / (max(studio.body.front_bgr) * look.light.shade(np.array([0.0, 0.0, 1.0])))
        self._vignette = _vignette(size, look.effects)
        self._grains = [_grain(size, look.effects.noise, rng) for _ in range(GRAINS)]
        self._lying: dict[Placed, int] = {}
        self._numbered = 0
        self._picture = np.zeros((size[1], size[0], 3), np.uint8)
        self._develop([(0, 0, *size)])

    def lay(self, tiles: Sequence[Placed]) -> None:
        """What lies on the table from now on; tiles that lay there in the same place are not painted again."""
        now = set(tiles)
        changed = [tile for tile in self._lying if tile not in now]
        for tile in changed:
            del self._lying[tile]
        for tile in tiles:
            if tile not in self._lying:
                self._numbered += 1
                self._lying[tile] = self._numbered
                changed.append(tile)
        self._develop(_merged([self._rect(tile) for tile in changed]))

    def frame(
        self, rng: np.random.Generator, arm_mm: tuple[float, float] | None = None, *, rough: bool = False
    ) -> Photo:
        """A photograph of the table now.

        Args:
            rng: chance.
            arm_mm: an arm reaches to this point of the table.
            rough: the arm may be coarse: for frames in which it moves, so that nothing is read in them.
        """
        picture = self._picture
        if arm_mm is not None:
            picture = self._with_arm(picture, arm_mm, rng, 4 if rough else 1)
        lighter, darker = self._grains[int(rng.integers(GRAINS))]
        x, y = (int(v) for v in rng.integers(0, 32, 2))
        height, width = picture.shape[:2]
        part = np.s_[y : y + height, x : x + width]
        noisy = cv2.subtract(cv2.add(picture, lighter[part]), darker[part])
        data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, self._effects.quality])[1]
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

    def _with_arm(self, picture: Photo, arm_mm: tuple[float, float], rng: np.random.Generator, coarse: int) -> Photo:
        size = (picture.shape[1] // coarse, picture.shape[0] // coarse)
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA) if coarse > 1 else picture
        canvas = Canvas(small.astype(np.float32), np.zeros(small.shape[:2], np.int32))
        paint_arm(canvas, camera_for(self._view, *size), arm_mm, self._light, rng)
        painted = np.clip(canvas.image, 0, 255).astype(np.uint8)
        return np.asarray(cv2.resize(painted, picture.shape[1::-1]) if coarse > 1 else painted, np.uint8)

    def _rect(self, tile: Placed) -> Rect:
        """Where a tile and its shadow are in the finished picture."""
        body, light = self._studio.body, self._light.direction
        sides = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
        world = sides * (body.width, body.length, body.depth) @ orientation(tile).T + np.array(tile.at)
        ground = world.copy()
        ground[:, :2] -= np.maximum(world[:, 2:], 0) * light[:2] / light[2]
        ground[:, 2] = 0
        points = self.camera.project(np.vstack([world, ground]))
        low, high = points.min(axis=0) - REACH_PX, points.max(axis=0) + REACH_PX
        return self._clipped((int(low[0]), int(low[1]), int(high[0]), int(high[1])))

    def _clipped(self, rect: Rect) -> Rect:
        width, height = self.camera.width, self.camera.height
        left, top, right, bottom = rect
        return (
            min(max(left // 2 * 2, 0), width), min(max(top // 2 * 2, 0), height),
            min(max(-(-right // 2) * 2, 0), width), min(max(-(-bottom // 2) * 2, 0), height),
        )  # fmt: skip

    def _develop(self, rects: Sequence[Rect]) -> None:
        for rect in rects:
            left, top, right, bottom = rect
            if right <= left or bottom <= top:
                continue
            around = self._clipped((left - REACH_PX, top - REACH_PX, right + REACH_PX, bottom + REACH_PX))
            self._paint(around)
            x0, y0, x1, y1 = around
            big = self._canvas.image[y0 * 3 // 2 : y1 * 3 // 2, x0 * 3 // 2 : x1 * 3 // 2] * np.float32(self._gain)
            over = np.maximum(big - 200, 0)
            big -= over - 55 * (1 - np.exp(-over / 55))
            small = cv2.resize(big, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA) * self._vignette[y0:y1, x0:x1]
            lens = replace(self._effects, noise=0.0, vignette=0.0)
            done = photograph(np.asarray(small, np.float32), lens, np.random.default_rng(0))
            inner = done[top - y0 : bottom - y0, left - x0 : right - x0]
            self._picture[top:bottom, left:right] = inner

    def _paint(self, around: Rect) -> None:
        """Table, shadows and tiles of one part of the canvas; what is painted outside it is never looked at."""
        x0, y0, x1, y1 = around
        body, canvas = self._studio.body, self._canvas
        part = np.s_[y0 * 3 // 2 : y1 * 3 // 2, x0 * 3 // 2 : x1 * 3 // 2]
        canvas.image[part] = self._bare[part]
        near = [tile for tile in self._lying if _meet(self._rect(tile), around)]
        if not near:
            return
        for reach, soft, loss in ((1.0, 0.16, 0.4 * (1 - self._light.ambient) + 0.12), (0.25, 0.07, 0.35)):
            mask = shadow_mask(self._big, near, body, self._light, reach)[part]
            mask = cv2.GaussianBlur(mask, (0, 0), max(soft * body.depth * self._px_per_mm, 0.8))
            canvas.image[part] *= (1 - loss * mask)[..., None]
        far_first = sorted(near, key=lambda tile: -float(self._big.distance(np.array([tile.at]))[0]))
        for tile in far_first:
            own = np.random.default_rng((self._seed, self._lying[tile]))
            painter = BoxPainter(self._big, self._light, body, self._studio.textures, own)
            painter.draw(canvas, tile, 0)


def _meet(first: Rect, second: Rect) -> bool:
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


def _merged(rects: Sequence[Rect]) -> list[Rect]:
    """Rectangles that cover the same without overlapping."""
    done: list[Rect] = []
    for rect in rects:
        grown = rect
        while True:
            meeting = [other for other in done if _meet(other, grown)]
            if not meeting:
                break
            done = [other for other in done if other not in meeting]
            every = (grown, *meeting)
            grown = (
                min(r[0] for r in every), min(r[1] for r in every), max(r[2] for r in every), max(r[3] for r in every),
            )  # fmt: skip
        done.append(grown)
    return done


def _vignette(size: tuple[int, int], effects: Effects) -> NDArray[np.float32]:
    y, x = np.mgrid[-1 : 1 : size[1] * 1j, -1 : 1 : size[0] * 1j]
    return (1 - effects.vignette * (x * x + y * y)[..., None] / 2).astype(np.float32)


def _grain(size: tuple[int, int], noise: float, rng: np.random.Generator) -> tuple[Photo, Photo]:
    """Sensor noise as what is added and what is taken away, 32 pixels larger than the picture in both directions."""
    shape = (size[1] + 32, size[0] + 32)
    grain = rng.normal(0, noise, (*shape, 1)) + rng.normal(0, noise / 2, (*shape, 3))
    grain = cv2.GaussianBlur(grain.astype(np.float32), (0, 0), 0.6) * 1.6
    return np.clip(grain + 0.5, 0, 255).astype(np.uint8), np.clip(0.5 - grain, 0, 255).astype(np.uint8)

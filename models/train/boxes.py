"""Draws tile bodies: rounded two-tone boxes in perspective, with their faces, and keeps the exact truth.

Every tile becomes a few filled polygons in painter's order. A second picture of the
same size keeps which tile is in front at each pixel; from it follows how much of a
tile one can see.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.camera import Array, Camera
from models.train.textures import FaceTextures, Image
from models.train.tile_body import Body

_SHIFT = 4


@dataclass(frozen=True, slots=True)
class Placed:
    """One tile somewhere on the table.

    Attributes:
        label: what it is (``x`` never: a face-down tile keeps its face, see ``pose``).
        at: centre of the body in millimetres.
        yaw_deg: turn on the table; 0 reads upright from seat 0.
        pose: ``up`` (face up), ``down`` (face down), ``stand`` (on its long edge, face to its player) or ``side``.
        group: index into the scene's groups, -1 for loose tiles.
        order: place inside the group.
        lean_deg: how far a standing tile leans back.
    """

    label: str
    at: tuple[float, float, float]
    yaw_deg: float = 0.0
    pose: str = "up"
    group: int = -1
    order: int = 0
    lean_deg: float = 0.0


def turn(axis: str, degrees: float) -> Array:
    """Rotation matrix about a coordinate axis."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array(
        {
            "x": [[1, 0, 0], [0, c, -s], [0, s, c]],
            "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
            "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
        }[axis],
        float,
    )


def orientation(tile: Placed) -> Array:
    """Rotation from the tile's own frame (face towards +z, top of the face towards +y) to the table's."""
    pose = {
        "up": turn("x", 0),
        "down": turn("y", 180),
        "stand": turn("x", 90 - tile.lean_deg),
        "side": turn("z", 0) @ turn("y", 90),
    }[tile.pose]
    return turn("z", tile.yaw_deg) @ pose


def rounded_outline(width: float, length: float, radius: float, per_corner: int = 4) -> Array:
    """Outline (N, 2) of a rounded rectangle around the origin, counter-clockwise."""
    points = []
    for k, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        cx, cy = sx * (width / 2 - radius), sy * (length / 2 - radius)
        for j in range(per_corner):
            a = math.pi / 2 * (k + j / (per_corner - 1))
            points.append((cx + radius * math.cos(a), cy + radius * math.sin(a)))
    return np.array(points)


@dataclass(frozen=True, slots=True)
class Light:
    """Light of a scene: direction towards the lamp (unit vector), share of diffuse light, colour gains BGR."""

    direction: Array
    ambient: float
    gains: tuple[float, float, float]

    def shade(self, normal: Array) -> float:
        """Brightness of a surface, 1 for one that faces straight up."""
        direct = max(0.0, float(normal @ self.direction)) / float(self.direction[2])
        sky = 0.5 + 0.5 * float(normal[2])
        return self.ambient * (0.45 + 0.55 * sky) + (1 - self.ambient) * min(direct, 1.15)


@dataclass(slots=True)
class Canvas:
    """The picture being painted and who owns each pixel.

    Attributes:
        image: float32 BGR 0..255.
        owner: int32; 0 background, 2k+1 body of thing k, 2k+2 its face (or back).
    """

    image: Image
    owner: NDArray[np.int32]


def fill(canvas: Canvas, points: Array, colour: NDArray[np.float64], owner: int) -> None:
    """Fills a convex polygon (N, 2 pixels) with smooth edges."""
    fixed = np.round(points * (1 << _SHIFT)).astype(np.int32)
    cv2.fillConvexPoly(canvas.image, fixed, [float(c) for c in colour], cv2.LINE_AA, _SHIFT)
    cv2.fillConvexPoly(canvas.owner, fixed, owner, cv2.LINE_8, _SHIFT)


def hull(points: Array) -> Array:
    """Convex hull (N, 2) of pixels."""
    return np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0], np.float64)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Where one thing ended up in the picture.

    Attributes:
        quad: the four corners of the visible wide side in pixels (top left, top right,
            bottom right, bottom left of the face as its owner reads it).
        outline: its rounded outline in pixels.
        shown: ``face``, ``back`` or ``side`` (neither can be seen well).
        slant: cosine between the wide side's normal and the line of sight.
    """

    quad: Array
    outline: Array
    shown: str
    slant: float


@dataclass(slots=True)
class BoxPainter:
    """Paints tiles of one set.

    Attributes:
        camera, light: of the scene.
        body: measures and colours.
        textures: faces.
        rng: chance for small differences between tiles.
        rim: brightness of the rounded rim around a face.
    """

    camera: Camera
    light: Light
    body: Body
    textures: FaceTextures
    rng: np.random.Generator
    rim: float = 0.88
    _outline: Array = field(init=False)
    _inner: Array = field(init=False)

    def __post_init__(self) -> None:
        b = self.body
        self._outline = rounded_outline(b.width, b.length, b.radius)
        self._inner = rounded_outline(b.width - 2 * b.bevel, b.length - 2 * b.bevel, max(b.radius - b.bevel, 0.3))

    def _ring(self, rotation: Array, at: Array, height: float, *, inner: bool = False) -> Array:
        flat = self._inner if inner else self._outline
        local = np.column_stack([flat, np.full(len(flat), height)])
        return self.camera.project(local @ rotation.T + at)

    def _lit(self, colour: tuple[float, float, float], normal: Array, factor: float = 1.0) -> NDArray[np.float64]:
        return np.array(colour) * self.light.shade(normal) * factor * np.array(self.light.gains)

    def draw(self, canvas: Canvas, tile: Placed, index: int) -> Drawn:
        """Paints one tile and says where its face is.

        Args:
            canvas: painted in place.
            tile: the tile.
            index: its number in the owner picture.
        """
        b, rotation, at = self.body, orientation(tile), np.array(tile.at)
        half = b.depth / 2
        split = half - b.depth * b.front_share
        tone = 1 + float(self.rng.normal(0, 0.008))
        levels = (-half, -half + b.bevel, split, half - b.bevel, half)
        rings = [self._ring(rotation, at, z, inner=k in (0, 4)) for k, z in enumerate(levels)]
        self._sides(canvas, rotation, at, rings, 2 * index + 1)
        view = self.camera.position - at
        view /= np.linalg.norm(view)
        slant = float(rotation[:, 2] @ view)
        front = slant >= 0
        ring, rim = (rings[4], rings[3]) if front else (rings[0], rings[1])
        normal = rotation[:, 2] if front else -rotation[:, 2]
        material = b.front_bgr if front else b.back_bgr
        if abs(slant) > 0.03:
            fill(canvas, rim, self._lit(material, normal, self.rim * tone), 2 * index + 2)
            fill(canvas, ring, self._lit(material, normal, tone), 2 * index + 2)
        quad = self._quad(rotation, at, half if front else -half, front)
        label = tile.label if front else "x"
        if abs(slant) > 0.08:
            self._texture(canvas, label, quad, self.light.shade(normal) * tone)
        shown = ("face" if front else "back") if abs(slant) > 0.2 else "side"
        return Drawn(quad, rim, shown, abs(slant))

    def _sides(self, canvas: Canvas, rotation: Array, at: Array, rings: list[Array], owner: int) -> None:
        b = self.body
        up = np.array([0.0, 0.0, 1.0])
        lower, upper = hull(np.vstack(rings[0:3])), hull(np.vstack(rings[2:5]))
        first, second = (lower, b.back_bgr), (upper, b.front_bgr)
        if float(rotation[:, 2] @ (self.camera.position - at)) < 0:
            first, second = second, first
        for outline, colour in (first, second):
            fill(canvas, outline, self._lit(colour, up, 0.74), owner)
        n = len(self._outline) // 4
        corners = [(n * k - 1, n * k) for k in range(4)]
        for k, axis in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))):
            normal = rotation @ np.array([*axis, 0.0])
            extent = b.width / 2 if axis[0] else b.length / 2
            if float(normal @ (self.camera.position - at - normal * extent)) <= 0:
                continue
            i, j = corners[k]
            for a, c, colour in ((1, 2, b.back_bgr), (2, 3, b.front_bgr)):
                strip = np.array([rings[a][i], rings[a][j], rings[c][j], rings[c][i]])
                fill(canvas, strip, self._lit(colour, normal, 0.95), owner)

    def _quad(self, rotation: Array, at: Array, height: float, front: bool) -> Array:
        w, h = self.body.width / 2, self.body.length / 2
        sx = 1 if front else -1
        local = np.array([[-w * sx, h, height], [w * sx, h, height], [w * sx, -h, height], [-w * sx, -h, height]])
        return self.camera.project(local @ rotation.T + at)

    def _texture(self, canvas: Canvas, label: str, quad: Array, brightness: float) -> None:
        """Warps a face into its quad, at the resolution that fits."""
        height, width = canvas.image.shape[:2]
        x0, y0 = np.floor(quad.min(axis=0)).astype(int) - 1
        x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + 2
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
        if x1 - x0 < 2 or y1 - y0 < 2:
            return
        wide = max(float(np.linalg.norm(quad[1] - quad[0])), float(np.linalg.norm(quad[2] - quad[3])))
        source = self.textures.for_width(label, wide)
        th, tw = source.shape[:2]
        inset = self.body.bevel / self.body.width * tw
        corners = np.array([[0, 0], [tw, 0], [tw, th], [0, th]], np.float32)
        matrix = cv2.getPerspectiveTransform(corners - 0.5, (quad - [x0, y0] - 0.5).astype(np.float32))
        size = (int(x1 - x0), int(y1 - y0))
        colour = cv2.warpPerspective(source, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        mask = np.zeros((th, tw), np.float32)
        edge = max(1, round(inset + tw * 0.03))
        mask[edge : th - edge, edge : tw - edge] = 1
        alpha = cv2.warpPerspective(mask, matrix, size, flags=cv2.INTER_LINEAR)[..., None]
        gains = np.array(self.light.gains, np.float32) * np.float32(brightness)
        region = canvas.image[y0:y1, x0:x1]
        region += (colour * gains - region) * alpha


def shadow_mask(camera: Camera, tiles: list[Placed], body: Body, light: Light, reach: float) -> NDArray[np.float32]:
    """How much direct light the table loses at each pixel, 0..1, before softening.

    Args:
        camera: the camera.
        tiles: all tiles.
        body: their size.
        light: the lamp.
        reach: factor on the length of the shadows.
    """
    mask = np.zeros((camera.height, camera.width), np.float32)
    flat = np.array([[x, y] for x in (-0.5, 0.5) for y in (-0.5, 0.5)])
    for tile in tiles:
        rotation, at = orientation(tile), np.array(tile.at)
        corners = np.array([[p[0] * body.width, p[1] * body.length, z * body.depth] for p in flat for z in (-0.5, 0.5)])
        world = corners @ rotation.T + at
        heights = np.maximum(world[:, 2:], 0)
        slide = -light.direction[:2] / light.direction[2] * reach
        ground = np.column_stack([world[:, :2] + heights * slide, np.zeros(len(world))])
        both = np.vstack([ground, np.column_stack([world[:, :2], np.zeros(len(world))])])
        pixels = np.round(hull(camera.project(both)) * (1 << _SHIFT)).astype(np.int32)
        cv2.fillConvexPoly(mask, pixels, 1.0, cv2.LINE_AA, _SHIFT)
    return mask

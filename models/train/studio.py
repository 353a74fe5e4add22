"""The photographer: a plan of a table and a tile set become a picture with exact truth."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.boxes import BoxPainter, Canvas, Drawn, Light, shadow_mask
from models.train.camera import Camera, camera_for
from models.train.photo_effects import Effects, glare, light_field, photograph, random_effects
from models.train.props import paint_arm, paint_clutter, paint_dice, paint_stick, paint_tray
from models.train.recipes import Plan
from models.train.surface import paint_table
from models.train.textures import FaceTextures
from models.train.tile_body import Body

LEAST_VISIBLE, HARDLY_VISIBLE = 0.5, 0.1
"""Tiles of which less can be seen get no label; between the two they are noted as doubtful."""
OVERSAMPLING = 1.5


Corners = tuple[float, float, float, float]
"""x1, y1, x2, y2 in pixels."""


@dataclass(frozen=True, slots=True)
class TileTruth:
    """One tile that can be seen.

    Attributes:
        tile: what one can read (``x`` for a back).
        face: what the tile is, whether visible or not.
        quad: corners of the wide side in pixels, from the face's top left, clockwise as read.
        box: x1, y1, x2, y2 in pixels around the visible wide side, inside the picture.
        visible: share of the wide side that can be seen.
        group, order: index of its group and place in it.
        level: 0 on the table, 1 on top of another tile.
    """

    tile: str
    face: str
    quad: tuple[tuple[float, float], ...]
    box: tuple[float, float, float, float]
    visible: float
    group: int
    order: int
    level: int


@dataclass(frozen=True, slots=True)
class Scene:
    """A finished picture and what is on it; `doubtful` are boxes around tiles that hardly show."""

    image: NDArray[np.uint8]
    tiles: tuple[TileTruth, ...]
    doubtful: tuple[Corners, ...]
    plan: Plan
    camera: Camera
    effects: Effects
    style: str


@dataclass(frozen=True, slots=True)
class Studio:
    """A tile set ready to be photographed: body, faces and the name of its style."""

    body: Body
    textures: FaceTextures
    style: str


def random_light(rng: np.random.Generator) -> Light:
    """A lamp somewhere above, with a colour cast."""
    angle, height = rng.uniform(0, 2 * np.pi), rng.uniform(0.9, 3.0)
    direction = np.array([np.cos(angle), np.sin(angle), height])
    warmth, tint = rng.normal(0, 0.09), rng.normal(0, 0.03)
    gains = (float(np.clip(1 - warmth, 0.7, 1.2)), float(1 + tint), float(np.clip(1 + warmth * 0.7, 0.8, 1.15)))
    return Light(direction / np.linalg.norm(direction), float(rng.uniform(0.35, 0.75)), gains)


def paint(
    plan: Plan, studio: Studio, camera: Camera, light: Light, rng: np.random.Generator
) -> tuple[Canvas, list[Drawn]]:
    """The ideal picture of a plan: table, shadows, tiles from far to near."""
    body, tiles = studio.body, plan.layout.tiles
    small = camera_for(plan.view, round(camera.width / OVERSAMPLING), round(camera.height / OVERSAMPLING))
    table = paint_table(small, plan.table, plan.view.span_mm, rng) * np.array(light.gains, np.float32)
    image = cv2.resize(table, (camera.width, camera.height), interpolation=cv2.INTER_LINEAR)
    canvas = Canvas(np.ascontiguousarray(image, np.float32), np.zeros(image.shape[:2], np.int32))
    for tray in plan.trays:
        paint_tray(canvas, camera, tray, rng)
    pixels_per_mm = camera.width / plan.view.span_mm
    for reach, soft, loss in ((1.0, 0.16, 0.4 * (1 - light.ambient) + 0.12), (0.25, 0.07, 0.35)):
        mask = shadow_mask(camera, tiles, body, light, reach)
        mask = cv2.GaussianBlur(mask, (0, 0), max(soft * body.depth * pixels_per_mm, 0.8))
        canvas.image *= (1 - loss * mask)[..., None]
    painter = BoxPainter(camera, light, body, studio.textures, rng, float(rng.uniform(0.74, 0.92)))
    far_first = np.argsort(-camera.distance(np.array([t.at for t in tiles]).reshape(-1, 3)))
    drawn: list[Drawn | None] = [None] * len(tiles)
    for index in far_first:
        drawn[index] = painter.draw(canvas, tiles[index], int(index))
    return canvas, [d for d in drawn if d is not None]


def read_truth(
    plan: Plan, drawn: list[Drawn], canvas: Canvas, body: Body
) -> tuple[tuple[TileTruth, ...], tuple[Corners, ...]]:
    """Which tiles can be seen well enough to be asked for, and boxes of those hardly seen, in canvas pixels."""
    height, width = canvas.owner.shape
    counts = np.bincount(canvas.owner.ravel(), minlength=2 * len(drawn) + 3)
    found, doubtful = [], []
    for index, (tile, d) in enumerate(zip(plan.layout.tiles, drawn, strict=True)):
        area = cv2.contourArea(d.outline.astype(np.float32))
        visible = counts[2 * index + 2] / max(area, 1.0)
        low, high = d.outline.min(axis=0), d.outline.max(axis=0)
        (x1, y1), (x2, y2) = np.maximum(low, 0.0), np.minimum(high, [width, height])
        if d.shown == "side" or visible < LEAST_VISIBLE or area < 60:
            if visible >= HARDLY_VISIBLE:
                doubtful.append((float(x1), float(y1), float(x2), float(y2)))
            continue
        found.append(
            TileTruth(
                tile="x" if d.shown == "back" else tile.label,
                face=tile.label,
                quad=tuple((float(x), float(y)) for x, y in d.quad),
                box=(float(x1), float(y1), float(x2), float(y2)),
                visible=min(float(visible), 1.0),
                group=tile.group,
                order=tile.order,
                level=int(tile.at[2] > body.depth and tile.pose in ("up", "down")),
            )
        )
    return tuple(found), tuple(doubtful)


def _add_props(canvas: Canvas, camera: Camera, plan: Plan, light: Light, rng: np.random.Generator) -> None:
    """Dice, sticks and arms, above or beside the tiles."""
    target, span = np.array(plan.view.target_mm), plan.view.span_mm
    taken = np.array([t.at[:2] for t in plan.layout.tiles])
    for chance, paint_one, count in ((0.4, paint_dice, 2), (0.12, paint_stick, 2), (0.22, paint_clutter, 2)):
        if rng.random() > chance:
            continue
        for _ in range(count):
            at = target + rng.uniform(-0.5, 0.5, 2) * span
            if len(taken) and np.linalg.norm(taken - at, axis=1).min() < (120 if paint_one is paint_clutter else 45):
                continue
            paint_one(canvas, camera, (float(at[0]), float(at[1])), light, rng)
    if rng.random() < 0.22:
        at = target + rng.normal(0, 0.35, 2) * span
        paint_arm(canvas, camera, (float(at[0]), float(at[1])), light, rng)


def _scaled(tiles: tuple[TileTruth, ...], factor: float) -> tuple[TileTruth, ...]:
    """The truth of a picture that was made ``factor`` times larger."""
    scaled = []
    for tile in tiles:
        x1, y1, x2, y2 = (v / factor for v in tile.box)
        quad = tuple((x / factor, y / factor) for x, y in tile.quad)
        scaled.append(replace(tile, quad=quad, box=(x1, y1, x2, y2)))
    return tuple(scaled)


def _expose(canvas: Canvas, drawn: list[Drawn], face_level: float) -> None:
    """Sets the exposure as a phone would: tile faces come out light, at about ``face_level`` of 255."""
    is_face = np.zeros(2 * len(drawn) + 3, bool)
    is_face[[2 * k + 2 for k, d in enumerate(drawn) if d.shown == "face"]] = True
    pixels = canvas.image[is_face[canvas.owner]]
    if len(pixels) < 50:
        return
    level = max(float(np.percentile(pixels.max(axis=-1), 75)), 20.0)
    canvas.image *= np.float32(face_level / level)
    over = np.maximum(canvas.image - 200, 0)
    canvas.image -= over - 55 * (1 - np.exp(-over / 55))


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture is taken.

    Attributes:
        light: the lamp.
        effects: lens and sensor; ``None`` chooses them at random to fit the size of the tiles.
        messy: dice, sticks, arms, glare, uneven light and exposure at random.
    """

    light: Light
    effects: Effects | None = None
    messy: bool = True


def random_look(rng: np.random.Generator) -> Look:
    """Any light, any phone."""
    return Look(random_light(rng))


def render(plan: Plan, studio: Studio, size: tuple[int, int], look: Look, rng: np.random.Generator) -> Scene:
    """Photographs a plan.

    Args:
        plan: tiles, table and view.
        studio: the tile set.
        size: width and height in pixels, both even.
        look: light and quality of the photograph.
        rng: chance.

    Raises:
        ValueError: a side is odd, so that the larger canvas would not fit it exactly.
    """
    if size[0] % 2 or size[1] % 2:
        raise ValueError(f"A scene of {size[0]} x {size[1]} pixels cannot be rendered: both sides must be even.")
    big = (round(size[0] * OVERSAMPLING), round(size[1] * OVERSAMPLING))
    camera, light = camera_for(plan.view, *big), look.light
    canvas, drawn = paint(plan, studio, camera, light, rng)
    if look.messy:
        _add_props(canvas, camera, plan, light, rng)
        canvas.image *= light_field(big[1], big[0], rng)
        if rng.random() < 0.45:
            glare(canvas.image, canvas.owner > 0, studio.body.gloss, rng)
    _expose(canvas, drawn, float(np.clip(rng.normal(222, 18), 140, 252)) if look.messy else 222.0)
    large, hidden = read_truth(plan, drawn, canvas, studio.body)
    tiles = _scaled(large, OVERSAMPLING)
    doubtful = tuple((a / OVERSAMPLING, b / OVERSAMPLING, c / OVERSAMPLING, d / OVERSAMPLING) for a, b, c, d in hidden)
    tile_px = float(np.median([min(t.box[2] - t.box[0], t.box[3] - t.box[1]) for t in tiles])) if tiles else 30.0
    effects = look.effects or random_effects(rng, tile_px)
    small = cv2.resize(canvas.image, size, interpolation=cv2.INTER_AREA)
    image = photograph(np.asarray(small, np.float32), effects, rng)
    return Scene(image, tiles, doubtful, plan, camera_for(plan.view, *size), effects, studio.style)

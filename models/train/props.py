"""Things that are not tiles: hands with sleeves, dice, scoring sticks, trays."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.boxes import Canvas, Light, fill, hull
from models.train.camera import Array, Camera

SKINS_BGR = ((150, 180, 225), (120, 155, 205), (95, 130, 185), (60, 85, 130), (40, 55, 85))
NOBODY = 0


def _capsule(mask: NDArray[np.float32], a: Array, b: Array, radii: tuple[float, float]) -> None:
    """Adds a thick tapered stroke to a mask."""
    a, b = np.clip(a, -4000, 4000), np.clip(b, -4000, 4000)
    ends = []
    for (x, y), radius in ((a, radii[0]), (b, radii[1])):
        cv2.circle(mask, (round(x * 16), round(y * 16)), round(radius * 16), 1.0, -1, cv2.LINE_AA, 4)
        ends += [(x + radius * math.cos(k * 0.26), y + radius * math.sin(k * 0.26)) for k in range(24)]
    outline = np.round(hull(np.array(ends)) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, outline, 1.0, cv2.LINE_AA, 4)


def _paint_soft(canvas: Canvas, mask: NDArray[np.float32], colour: Array, roundness: float, light: Light) -> None:
    """Fills a mask with a colour that gets darker towards its rim, as on something round."""
    solid = (mask > 0.5).astype(np.uint8)
    if not solid.any():
        return
    depth = cv2.distanceTransform(solid, cv2.DIST_L2, 3) / max(roundness, 1.0)
    shade = 0.55 + 0.5 * np.sqrt(np.clip(depth, 0, 1))
    slope = cv2.Sobel(cv2.GaussianBlur(depth, (0, 0), max(roundness / 6, 1)), cv2.CV_32F, 1, 0)
    shade = (shade - 0.12 * slope)[..., None].astype(np.float32)
    target = np.clip(colour.astype(np.float32) * shade * np.array(light.gains, np.float32), 0, 255)
    canvas.image += (target - canvas.image) * mask[..., None]
    canvas.owner[solid > 0] = NOBODY


def paint_arm(canvas: Canvas, camera: Camera, at: tuple[float, float], light: Light, rng: np.random.Generator) -> None:
    """A forearm with sleeve reaching to a point of the table, with a simple hand.

    Args:
        canvas: painted in place; what it covers belongs to nobody.
        camera: the camera.
        at: where the fingers are, in millimetres on the table.
        light: of the scene.
        rng: chance.
    """
    angle = float(rng.uniform(0, 2 * math.pi))
    direction = np.array([math.cos(angle), math.sin(angle)])
    side = np.array([-direction[1], direction[0]])

    def pixel(along: float, across: float, height: float) -> Array:
        point = np.array([*(np.array(at) + direction * along + side * across), height])
        return camera.project(point[None])[0]

    elbow, fingers = (np.array([*(np.array(at) + direction * along), 110.0]) for along in (650, -30))
    if camera.depth(np.stack([elbow, fingers])).min() < 150:
        return  # the arm would pass through the camera
    scale = float(np.linalg.norm(pixel(0, 50, 30) - pixel(0, -50, 30))) / 100
    skin = np.array(SKINS_BGR[int(rng.integers(len(SKINS_BGR)))], float) + rng.normal(0, 6, 3)
    shape = canvas.owner.shape
    shadow = np.zeros(shape, np.float32)
    _capsule(shadow, pixel(0, 8, 0), pixel(420, 20, 0), (34 * scale, 50 * scale))
    shadow = cv2.GaussianBlur(shadow, (0, 0), max(10 * scale, 1.5))
    canvas.image *= (1 - 0.45 * shadow)[..., None]
    hand = np.zeros(shape, np.float32)
    _capsule(hand, pixel(60, 0, 45), pixel(190, 0, 55), (40 * scale, 30 * scale))
    _paint_soft(canvas, hand, skin, 30 * scale, light)
    spread = float(rng.uniform(0.6, 1.3))
    for k, (across, reach) in enumerate(((-30, 14), (-11, -6), (9, -8), (28, 8), (52, 55))):
        finger = np.zeros(shape, np.float32)
        tip = pixel(reach + float(rng.normal(0, 6)), across * spread, 12 + 4 * (k == 4))
        _capsule(finger, pixel(72, across * 0.8, 45), tip, (11 * scale, 8.5 * scale))
        _paint_soft(canvas, finger, skin * float(rng.uniform(0.95, 1.04)), 10 * scale, light)
    sleeve = np.zeros(shape, np.float32)
    _capsule(
        sleeve,
        pixel(float(rng.uniform(175, 260)), 0, 60),
        pixel(620, float(rng.normal(0, 60)), 110),
        (42 * scale, 62 * scale),
    )
    _paint_soft(canvas, sleeve, rng.uniform(15, 225, 3), 44 * scale, light)


def paint_dice(canvas: Canvas, camera: Camera, at: tuple[float, float], light: Light, rng: np.random.Generator) -> None:
    """A die of 9 to 16 mm lying on the table."""
    size, yaw, value = float(rng.uniform(9, 16)), float(rng.uniform(0, math.pi / 2)), int(rng.integers(1, 7))
    c, s = math.cos(yaw), math.sin(yaw)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2 @ np.array([[c, s], [-s, c]])
    white = np.array((235, 240, 243), float) * np.array(light.gains)
    low = camera.project(np.column_stack([square + at, np.zeros(4)]))
    top = camera.project(np.column_stack([square + at, np.full(4, size)]))
    fill(canvas, hull(np.vstack([low, top])), white * 0.72, NOBODY)
    fill(canvas, hull(top), white, NOBODY)
    spots = {
        1: ((0, 0),),
        2: ((-1, -1), (1, 1)),
        3: ((-1, -1), (0, 0), (1, 1)),
        4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
        5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
        6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
    }[value]
    colour = np.array((40, 40, 200) if value in (1, 4) else (30, 30, 35), float)
    circle = np.array([[math.cos(a), math.sin(a)] for a in np.linspace(0, 2 * math.pi, 12, endpoint=False)])
    radius = size * (0.18 if value == 1 else 0.1)
    for x, y in spots:
        flat = (np.array([x, y]) * size * 0.27 + circle * radius) @ np.array([[c, s], [-s, c]]) + at
        fill(canvas, camera.project(np.column_stack([flat, np.full(len(flat), size)])), colour, NOBODY)


def paint_stick(
    canvas: Canvas, camera: Camera, at: tuple[float, float], light: Light, rng: np.random.Generator
) -> None:
    """A scoring stick or pen: a thin bright bar."""
    yaw, length, width = float(rng.uniform(0, math.pi)), float(rng.uniform(60, 130)), float(rng.uniform(5, 9))
    c, s = math.cos(yaw), math.sin(yaw)
    bar = (
        np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([length, width]) / 2 @ np.array([[c, s], [-s, c]])
        + at
    )
    colour = np.array(((230, 235, 240), (60, 60, 200), (200, 120, 40), (40, 40, 45))[int(rng.integers(4))], float)
    low = camera.project(np.column_stack([bar, np.zeros(4)]))
    top = camera.project(np.column_stack([bar, np.full(4, 4.0)]))
    fill(canvas, hull(np.vstack([low, top])), colour * 0.6 * np.array(light.gains), NOBODY)
    fill(canvas, hull(top), colour * np.array(light.gains), NOBODY)


def paint_clutter(
    canvas: Canvas, camera: Camera, at: tuple[float, float], light: Light, rng: np.random.Generator
) -> None:
    """Something else that lies on tables: a cup, a coin, a phone, a sheet of writing, a playing card."""
    kind, gains = int(rng.integers(5)), np.array(light.gains)
    circle = np.array([[math.cos(a), math.sin(a)] for a in np.linspace(0, 2 * math.pi, 40, endpoint=False)])

    def flat(outline: Array, height: float, colour: Array) -> None:
        fill(canvas, camera.project(np.column_stack([outline + at, np.full(len(outline), height)])), colour, NOBODY)

    tone = rng.uniform(30, 235, 3) * gains
    if kind == 0:
        radius = float(rng.uniform(28, 42))
        low = camera.project(np.column_stack([circle * radius * 0.8 + at, np.zeros(40)]))
        top = camera.project(np.column_stack([circle * radius + at, np.full(40, 70.0)]))
        fill(canvas, hull(np.vstack([low, top])), tone * 0.7, NOBODY)
        flat(circle * radius, 70, tone)
        flat(circle * radius * 0.88, 68, np.array((25, 45, 70)) * gains)
        return
    if kind == 1:
        flat(circle * float(rng.uniform(9, 14)), 1, np.array((90, 170, 200)) * gains)
        flat(circle * 7.5, 1.2, np.array((70, 140, 170)) * gains)
        return
    yaw = float(rng.uniform(0, 2 * math.pi))
    spin = np.array([[math.cos(yaw), math.sin(yaw)], [-math.sin(yaw), math.cos(yaw)]])
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    width, length = ((36.0, 75.0), (60.0, 90.0), (29.0, 44.0))[kind - 2]
    if kind == 2:
        flat(square * (width, length) @ spin, 8, np.array((28, 26, 25)))
        flat(square * (width - 3, length - 5) @ spin, 8.1, rng.uniform(10, 120, 3))
        return
    flat(square * (width, length) @ spin, 0.5, np.array((232, 236, 240)) * gains)
    for k in range(14 if kind == 3 else 3):
        y = -length * 0.85 + k * length * 1.7 / (14 if kind == 3 else 3)
        bar = square * (width * float(rng.uniform(0.2, 0.8)), length * (0.018 if kind == 3 else 0.14)) + (0, y)
        flat(bar @ spin, 0.6, np.array((60, 55, 50) if kind == 3 else (40, 40, 190)) * gains)


def paint_tray(
    canvas: Canvas, camera: Camera, tray: tuple[float, float, float, float, float], rng: np.random.Generator
) -> None:
    """A flat dark tray under the tiles: centre x, y, half width, half length, angle."""
    x, y, half_w, half_l, angle = tray
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    colours = ((48, 42, 40), (30, 32, 36), (60, 90, 130), (40, 60, 40), (190, 200, 205), (150, 90, 40))
    colour = np.array(colours[int(rng.integers(len(colours)))], float)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    for grow, height, tone in ((5.0, 0.0, 0.5), (5.0, 12.0, 1.25), (0.0, 12.0, 0.6), (-1.0, 0.2, 1.0)):
        flat = corners * np.array([half_w + grow, half_l + grow]) @ np.array([[c, s], [-s, c]]) + (x, y)
        fill(canvas, camera.project(np.column_stack([flat, np.full(4, height)])), colour * tone, NOBODY)

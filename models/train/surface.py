"""The table under the tiles: felt, wood or desk, frame, centre machine and floor.

Everything is evaluated per pixel in millimetres on the table, so that close-ups and
whole tables are equally sharp. Patterns are small tileable pictures looked up by
position.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.camera import Camera

Field = NDArray[np.float32]
PATTERN = 256
Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Table:
    """What the tiles lie on; lengths in millimetres, colours BGR 0..255.

    Attributes:
        half: half the side of the felt.
        frame: width of the frame around it, 0 for an endless desk.
        felt_bgr, frame_bgr, floor_bgr: colours.
        weave: ``felt``, ``net``, ``wood``, ``plain`` or ``stone``.
        frame_wood: the frame shows grain.
        machine: radius of the centre machine, 0 for none.
        machine_bgr: its colour.
        machine_square: square instead of round.
        rounding: rounding of the felt's corners.
        drawers: half the length of the drawer let into the frame at each side, 0 for none.
    """

    half: float
    felt_bgr: Colour
    weave: str = "felt"
    frame: float = 0.0
    frame_bgr: Colour = (60, 60, 60)
    frame_wood: bool = False
    floor_bgr: Colour = (60, 60, 60)
    machine: float = 0.0
    machine_bgr: Colour = (50, 50, 50)
    machine_square: bool = False
    rounding: float = 0.0
    drawers: float = 0.0


FELTS_BGR = (
    (60, 125, 30),
    (50, 140, 45),
    (75, 105, 10),
    (60, 160, 70),
    (120, 80, 20),
    (140, 60, 30),
    (50, 40, 120),
    (60, 60, 62),
    (35, 35, 38),
    (130, 120, 90),
    (150, 60, 90),
    (90, 140, 160),
    (110, 150, 60),
    (45, 90, 25),
)
DESKS_BGR = (
    (150, 155, 160),
    (90, 120, 165),
    (60, 85, 120),
    (200, 205, 210),
    (40, 42, 45),
    (120, 160, 200),
    (225, 228, 232),
    (70, 95, 60),
    (170, 150, 130),
)
FRAMES_BGR = (
    (110, 175, 225),
    (70, 115, 165),
    (35, 50, 80),
    (225, 228, 230),
    (45, 45, 48),
    (30, 35, 60),
    (150, 155, 160),
)
FLOORS_BGR = ((60, 85, 120), (120, 125, 130), (40, 45, 50), (170, 180, 190), (80, 60, 50), (35, 50, 75))


def _tint(colour: tuple[int, int, int], rng: np.random.Generator, sigma: float, darkest: float = 0.62) -> Colour:
    b, g, r = np.clip((np.array(colour) * rng.uniform(darkest, 1.1)) + rng.normal(0, sigma, 3), 8, 250)
    return float(b), float(g), float(r)


def random_table(rng: np.random.Generator, *, desk: bool = False, half: float = 430.0) -> Table:
    """A table with felt and frame, or an endless desk.

    Args:
        rng: chance.
        desk: no felt, no frame, no machine.
        half: half the side of the playing field in millimetres.
    """
    felt = FELTS_BGR[int(rng.integers(len(FELTS_BGR)))]
    if rng.random() < 0.4:
        felt = FELTS_BGR[int(rng.integers(4))]
    weave = str(rng.choice(["felt", "felt", "net", "plain", "felt"]))
    if desk:
        felt = DESKS_BGR[int(rng.integers(len(DESKS_BGR)))]
        weave = str(rng.choice(["wood", "wood", "plain", "stone", "felt"]))
    frame = FRAMES_BGR[int(rng.integers(len(FRAMES_BGR)))]
    return Table(
        half=half,
        frame=0.0 if desk else float(rng.uniform(30, 110)),
        felt_bgr=_tint(felt, rng, 8),
        frame_bgr=_tint(frame, rng, 6, 0.85),
        floor_bgr=_tint(FLOORS_BGR[int(rng.integers(len(FLOORS_BGR)))], rng, 8),
        weave=weave,
        frame_wood=bool(rng.random() < 0.6),
        machine=0.0 if desk or rng.random() < 0.25 else float(rng.uniform(55, 85)),
        machine_bgr=_tint(((40, 42, 45), (60, 62, 66), (120, 90, 40), (200, 205, 208))[int(rng.integers(4))], rng, 5),
        machine_square=bool(rng.random() < 0.5),
        rounding=float(rng.choice([0, 0, 25, 60])),
        drawers=float(rng.uniform(70, 190)) if rng.random() < 0.45 else 0.0,
    )


def _noise(rng: np.random.Generator, cells: int) -> Field:
    """A tileable cloud picture, zero mean, unit deviation."""
    small = rng.normal(0, 1, (cells, cells)).astype(np.float32)
    tiled = np.tile(small, (3, 3))
    step = PATTERN // cells
    big = cv2.resize(tiled, None, fx=step, fy=step, interpolation=cv2.INTER_CUBIC)[
        PATTERN : 2 * PATTERN, PATTERN : 2 * PATTERN
    ]
    return np.asarray((big - big.mean()) / (big.std() + 1e-6), np.float32)


def _look_up(pattern: Field, xy: Field, millimetres: float) -> Field:
    """The pattern repeated every ``millimetres`` over the table."""
    scale = PATTERN / millimetres
    where = np.asarray(np.clip(xy * np.float32(scale), -30000, 30000), np.float32)
    return np.asarray(cv2.remap(pattern, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP))


def _weave(kind: str, xy: Field, pixel_mm: float, rng: np.random.Generator) -> Field:
    """Brightness variation of a material at every pixel, about -1..1 times its contrast."""
    cloud = 0.035 * _look_up(_noise(rng, 8), xy, 700)
    fine = _noise(rng, 128)
    visible = float(np.clip(1.4 / max(pixel_mm, 0.2), 0.15, 1.0))
    if kind == "felt":
        return np.asarray(cloud + visible * 0.05 * _look_up(fine, xy, 150) + 0.02 * _look_up(_noise(rng, 32), xy, 120))
    if kind == "net":
        pitch = float(rng.uniform(3.5, 6))
        net = np.sin(xy[..., 0] * 2 * np.pi / pitch) * np.sin(xy[..., 1] * 2 * np.pi / pitch)
        return np.asarray(cloud + visible * (0.09 * net + 0.03 * _look_up(fine, xy, 150)), np.float32)
    if kind == "wood":
        stretched = xy * np.array([1.0, rng.uniform(6, 14)], np.float32)
        grain = 0.05 * _look_up(_noise(rng, 64), stretched, 700) + 0.04 * _look_up(_noise(rng, 16), stretched, 900)
        return np.asarray(cloud + grain + visible * 0.025 * _look_up(fine, stretched, 200), np.float32)
    if kind == "stone":
        return np.asarray(cloud * 2 + 0.06 * _look_up(_noise(rng, 64), xy, 90) + 0.03 * _look_up(fine, xy, 60))
    return np.asarray(cloud + 0.012 * _look_up(fine, xy, 150))


def _inside(distance: Field, pixel_mm: float) -> Field:
    """Soft mask of the region where a signed distance (mm) is negative."""
    return np.asarray(np.clip(0.5 - distance / (1.2 * pixel_mm), 0, 1)[..., None], np.float32)


def _square_distance(xy: Field, half: float, rounding: float) -> Field:
    q = np.abs(xy) - (half - rounding)
    qx, qy = q[..., 0], q[..., 1]
    outside = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0))
    return np.asarray(outside + np.minimum(np.maximum(qx, qy), 0) - rounding, np.float32)


def _drawer_lines(xy: Field, table: Table) -> Field:
    """Brightness of the frame where a shallow drawer is let into each side (H, W, 1)."""
    along, across = np.minimum(np.abs(xy[..., 0]), np.abs(xy[..., 1])), np.abs(xy).max(axis=-1)
    deep = table.frame * 0.3
    middle = table.half + table.frame * 0.52
    outside = np.maximum(along - table.drawers, np.abs(across - middle) - deep)
    groove = 1 - 0.3 * np.clip(1 - np.abs(outside) / 3, 0, 1) - 0.06 * (outside < 0)
    return np.asarray(groove[..., None], np.float32)


def paint_table(camera: Camera, table: Table, span_mm: float, rng: np.random.Generator) -> Field:
    """The empty table as the camera sees it, float32 BGR 0..255, evenly lit.

    Args:
        camera: the camera.
        table: what to paint.
        span_mm: width of table in the picture, sets which details can be seen.
        rng: chance for the patterns.
    """
    xy, on_plane = camera.table_points()
    pixel_mm = span_mm / camera.width
    angle = float(rng.uniform(0, 2 * np.pi)) if table.frame == 0 else float(rng.choice([0, np.pi / 2]))
    c, s = np.cos(angle), np.sin(angle)
    turned = np.asarray(xy @ np.array([[c, -s], [s, c]], np.float32), np.float32)
    image = np.array(table.felt_bgr, np.float32) * (1 + _weave(table.weave, turned, pixel_mm, rng)[..., None])
    if table.frame > 0:
        edge = _square_distance(xy, table.half, table.rounding)
        outer = _square_distance(xy, table.half + table.frame, table.rounding + 15)
        grain = _weave("wood" if table.frame_wood else "plain", turned, pixel_mm, rng)
        frame = np.array(table.frame_bgr, np.float32) * (1 + grain[..., None])
        if table.drawers > 0:
            frame = frame * _drawer_lines(xy, table)
        lip = np.clip(1 - np.abs(edge - 4) / 8, 0, 1)[..., None]
        frame = frame * (1 + 0.12 * lip)
        floor_grain = _weave("wood" if rng.random() < 0.6 else "stone", xy * 0.4, pixel_mm, rng)
        floor = np.array(table.floor_bgr, np.float32) * (1 + 2 * floor_grain[..., None])
        floor = floor * np.clip(0.55 + np.maximum(outer, 0) / 400, 0.4, 0.9)[..., None]
        groove = np.clip(1 - np.abs(edge + 5) / 9, 0, 1)[..., None]
        image = image * (1 - 0.35 * groove)
        image = frame + (image - frame) * _inside(edge, pixel_mm)
        image = floor + (image - floor) * _inside(outer, pixel_mm)
    if table.machine > 0:
        near = (np.abs(xy) < table.machine * 1.3).all(axis=-1)
        rows, columns = np.flatnonzero(near.any(axis=1)), np.flatnonzero(near.any(axis=0))
        if len(rows):
            part = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            image[part] = _paint_machine(image[part], xy[part], table, pixel_mm, rng)
    room = np.array(table.floor_bgr, np.float32) * 0.8
    far = np.clip((np.hypot(xy[..., 0], xy[..., 1]) - 2500) / 2500, 0, 1)[..., None]
    image = image * (1 - far) + room * far
    image[~on_plane] = room
    return np.asarray(np.clip(image, 0, 255), np.float32)


def _paint_machine(image: Field, xy: Field, table: Table, pixel_mm: float, rng: np.random.Generator) -> Field:
    """The plate in the middle with the dice dome and four wind windows."""
    radius = table.machine
    centre_mm = np.hypot(xy[..., 0], xy[..., 1])
    reach = centre_mm if not table.machine_square else _square_distance(xy, radius, 12) + radius
    plate = np.array(table.machine_bgr, np.float32)
    dome = np.clip(plate * 0.55 + 25 * np.clip((xy[..., 1:] - xy[..., :1]) / radius, -1, 1), 0, 255)
    image = image * (1 - 0.4 * np.clip(1 - np.abs(reach - radius - 3) / 6, 0, 1)[..., None])
    image = image + (plate - image) * _inside(reach - radius, pixel_mm)
    rim = np.clip(1 - np.abs(centre_mm - radius * 0.52) / 2.5, 0, 1)[..., None]
    image = image + (dome - image) * _inside(centre_mm - radius * 0.5, pixel_mm)
    image = image + rim * 40
    lamp = np.array(((80, 240, 120), (60, 60, 240), (240, 200, 80))[int(rng.integers(3))], np.float32)
    lit = int(rng.integers(4))
    for k in range(4):
        centre = np.array([np.sin(k * np.pi / 2), np.cos(k * np.pi / 2)], np.float32) * radius * 0.74
        window = _square_distance(xy - centre, radius * 0.13, 2)
        image = image + ((lamp if k == lit else lamp * 0.12) - image) * _inside(window, pixel_mm)
    return np.asarray(image, np.float32)

"""What lenses, lamps and phones do to a picture; nothing here moves a tile."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Effects:
    """How good the photograph is.

    Attributes:
        defocus_px: blur radius.
        motion_px, motion_deg: length and direction of camera shake.
        noise: deviation of the sensor noise, 0..255 scale.
        gamma, contrast, brightness: tone.
        vignette: loss of light in the corners, 0..1.
        quality: JPEG quality.
        sharpen: amount of the phone's own sharpening.
        saturation: 1 leaves colours alone, 0 is grey.
    """

    defocus_px: float = 0.0
    motion_px: float = 0.0
    motion_deg: float = 0.0
    noise: float = 2.0
    gamma: float = 1.0
    contrast: float = 1.0
    brightness: float = 1.0
    vignette: float = 0.1
    quality: int = 88
    sharpen: float = 0.0
    saturation: float = 1.0


def random_effects(rng: np.random.Generator, tile_px: float) -> Effects:
    """Mostly good pictures, some bad; blur never exceeds what a person could still read."""
    limit = tile_px / 22
    return Effects(
        defocus_px=float(rng.uniform(0.3, 1)) * limit if rng.random() < 0.2 else float(rng.uniform(0, 0.35)) * limit,
        motion_px=float(rng.uniform(1, 2.6)) * limit if rng.random() < 0.12 else 0.0,
        motion_deg=float(rng.uniform(0, 180)),
        noise=float(abs(rng.normal(0, 2.6))),
        gamma=float(np.exp(rng.normal(0, 0.12))),
        contrast=float(rng.uniform(0.85, 1.15)),
        brightness=float(rng.uniform(0.9, 1.12)),
        vignette=float(abs(rng.normal(0, 0.18))),
        quality=int(rng.integers(42, 96)),
        sharpen=float(rng.uniform(0, 0.9)) if rng.random() < 0.5 else 0.0,
        saturation=float(rng.uniform(0.55, 1.3)) if rng.random() < 0.5 else 1.0,
    )


def light_field(height: int, width: int, rng: np.random.Generator) -> Image:
    """Uneven light over the table: a gradient and the soft shadow of somebody leaning in (H, W, 1)."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle = float(rng.uniform(0, 2 * math.pi))
    ramp = (np.cos(angle) * (x / width - 0.5) + np.sin(angle) * (y / height - 0.5)) * float(rng.uniform(0, 0.5))
    field = 1 + ramp
    for _ in range(int(rng.integers(0, 3))):
        cx, cy = float(rng.uniform(-0.2, 1.2)) * width, float(rng.uniform(-0.2, 1.2)) * height
        a, b = float(rng.uniform(0.1, 0.5)) * width, float(rng.uniform(0.1, 0.5)) * height
        turn = float(rng.uniform(0, math.pi))
        u = ((x - cx) * math.cos(turn) + (y - cy) * math.sin(turn)) / a
        v = ((y - cy) * math.cos(turn) - (x - cx) * math.sin(turn)) / b
        edge = float(rng.uniform(0.1, 0.8))
        field = field * (1 - float(rng.uniform(0.1, 0.45)) * np.clip((1 + edge - np.sqrt(u * u + v * v)) / edge, 0, 1))
    return np.asarray(field[..., None], np.float32)


def glare(image: Image, faces: NDArray[np.bool_], gloss: float, rng: np.random.Generator) -> None:
    """A lamp reflected from polished tiles, in place; the table beneath reflects little.

    Args:
        image: float BGR.
        faces: where tiles are.
        gloss: 0 matt to 1 polished.
        rng: chance.
    """
    height, width = image.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    for _ in range(int(rng.integers(1, 3))):
        cx, cy = float(rng.uniform(0, 1)) * width, float(rng.uniform(0, 1)) * height
        r = float(rng.uniform(0.04, 0.22)) * width
        squash = float(rng.uniform(0.35, 1))
        u, v = (x - cx) / r, (y - cy) / (r * squash)
        power = 2 if rng.random() < 0.6 else 8  # a bulb, or a window or panel with straight sides
        spot = np.exp(-(np.abs(u) ** power + np.abs(v) ** power))
        strength = np.where(faces, 0.25 + 0.6 * gloss, 0.12) * spot * float(rng.uniform(0.4, 1.0))
        image += (255 - image) * strength[..., None].astype(np.float32)


def _disc_kernel(radius: float) -> Image:
    size = 2 * math.ceil(radius) + 1
    y, x = np.mgrid[0:size, 0:size] - size // 2
    kernel = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _streak_kernel(length: float, degrees: float) -> Image:
    size = 2 * math.ceil(length / 2) + 3
    kernel = np.zeros((size, size), np.float32)
    c, s = math.cos(math.radians(degrees)) * length / 2, math.sin(math.radians(degrees)) * length / 2
    middle = size // 2
    ends = [(round((middle + k * c) * 16), round((middle + k * s) * 16)) for k in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)


def photograph(image: Image, effects: Effects, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Turns an ideal picture into one a phone would have taken; JPEG loss comes when it is saved."""
    out = image
    if effects.defocus_px > 0.3:
        out = np.asarray(cv2.filter2D(out, -1, _disc_kernel(effects.defocus_px)), np.float32)
    if effects.motion_px > 1:
        out = np.asarray(cv2.filter2D(out, -1, _streak_kernel(effects.motion_px, effects.motion_deg)), np.float32)
    height, width = out.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    out = out * (1 - effects.vignette * (x * x + y * y)[..., None] / 2).astype(np.float32) * effects.brightness
    if effects.saturation != 1:
        grey = out @ np.array([0.114, 0.587, 0.299], np.float32)
        out = grey[..., None] + (out - grey[..., None]) * effects.saturation
    out = (np.clip(out / 255, 0, 1) ** effects.gamma - 0.5) * effects.contrast + 0.5
    if effects.noise > 0.2:
        grain = rng.normal(0, effects.noise / 255, (height, width, 1)) + rng.normal(0, effects.noise / 510, out.shape)
        out = out + cv2.GaussianBlur(grain.astype(np.float32), (0, 0), 0.6) * 1.6
    if effects.sharpen > 0:
        out = out + effects.sharpen * (out - cv2.GaussianBlur(out.astype(np.float32), (0, 0), 1.2))
    return np.asarray(np.clip(out * 255 + 0.5, 0, 255).astype(np.uint8))

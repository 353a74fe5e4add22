"""A pinhole camera over a table; millimetres to pixels and back.

Table frame: x to the right, y away from seat 0, z up, origin on the table's centre.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the camera is and what it sees.

    Attributes:
        position: camera centre in millimetres, shape (3,).
        rotation: rows are the camera's right, down and forward directions, shape (3, 3).
        focal: focal lengths fx, fy in pixels; different ones stretch the picture.
        width, height: picture size in pixels.
    """

    position: Array
    rotation: Array
    focal: tuple[float, float]
    width: int
    height: int

    def project(self, points: Array) -> Array:
        """Pixels (N, 2) of points in millimetres (N, 3); points must lie before the camera."""
        local = (points - self.position) @ self.rotation.T
        depth = np.maximum(local[:, 2:], 1e-3)
        uv = local[:, :2] / depth * np.array(self.focal)
        return np.asarray(uv + np.array([self.width / 2, self.height / 2]))

    def depth(self, points: Array) -> Array:
        """How far points (N, 3) lie before the camera along its axis, in millimetres; negative behind it."""
        return np.asarray((points - self.position) @ self.rotation[2])

    def distance(self, points: Array) -> Array:
        """Distance of points (N, 3) from the camera in millimetres."""
        return np.asarray(np.linalg.norm(points - self.position, axis=1))

    def table_points(self) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Where every pixel's ray meets the table plane.

        Returns:
            Millimetres (H, W, 2), and a mask of the pixels whose ray reaches the plane at all.
        """
        u = ((np.arange(self.width) + 0.5 - self.width / 2) / self.focal[0]).astype(np.float32)
        v = ((np.arange(self.height) + 0.5 - self.height / 2) / self.focal[1]).astype(np.float32)[:, None]
        right, below, ahead = self.rotation.astype(np.float32)
        sink = u * right[2] + v * below[2] + ahead[2]
        down = sink < -0.02
        scale = np.where(down, -self.position[2] / np.where(down, sink, -1.0), 1e5).astype(np.float32)
        xy = np.empty((self.height, self.width, 2), np.float32)
        for k in range(2):
            xy[..., k] = self.position[k] + (u * right[k] + v * below[k] + ahead[k]) * scale
        return xy, down


@dataclass(frozen=True, slots=True)
class View:
    """A way to hold the camera, in words a person uses.

    Attributes:
        target_mm: the point of the table in the picture's middle.
        span_mm: width of the table that the picture shows around the target.
        tilt_deg: 0 straight down, 90 along the table.
        azimuth_deg: side from which the camera looks; 0 from seat 0.
        roll_deg: rotation of the picture.
        fov_deg: horizontal field of view.
        stretch: how much wider than true the picture is (1 = true).
    """

    target_mm: tuple[float, float]
    span_mm: float
    tilt_deg: float = 0.0
    azimuth_deg: float = 0.0
    roll_deg: float = 0.0
    fov_deg: float = 55.0
    stretch: float = 1.0


def camera_for(view: View, width: int, height: int) -> Camera:
    """The camera that shows ``view`` in a picture of the given size."""
    fx = width / 2 / math.tan(math.radians(view.fov_deg) / 2)
    distance = view.span_mm / width * fx
    tilt, azimuth, roll = (math.radians(a) for a in (view.tilt_deg, view.azimuth_deg, view.roll_deg))
    back = np.array([math.sin(azimuth) * math.sin(tilt), -math.cos(azimuth) * math.sin(tilt), math.cos(tilt)])
    forward = -back
    right = np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
    down = np.cross(forward, right)
    c, s = math.cos(roll), math.sin(roll)
    rotation = np.stack([c * right + s * down, c * down - s * right, forward])
    position = np.array([*view.target_mm, 0.0]) + back * distance
    return Camera(position, rotation, (fx, fx / view.stretch), width, height)

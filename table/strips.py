"""The part of a table picture where one player lays the hand down, cut out and turned so that it lies upright.

A picture of the whole table also shows ponds, walls and the other hands; only the strip before the claimant is read and
kept with the decision. Where no felt is seen (a picture of the hand alone), the whole picture is the hand. In the
picture that is kept beside it nobody beyond the table can be recognised: people are no evidence.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.calibration import DRIFT_ALARM, Calibration, CalibrationError, calibrate, drift, same_order, turned
from vision.felt import find_felt
from vision.types import Image

INNER, OUTER = 0.735, 1.04
"""Where the strip begins and ends, as a share of the way from the middle of the felt to its edge."""

ASIDE = 0.84
"""How far the strip reaches to both sides, as a share of half the felt."""

AROUND = 1.15
"""So much of the table is kept sharp, as a share of the way from the middle of the felt to its edge."""

COARSE = 48
"""What lies beyond is kept in so many squares along the picture's longer side: a head is three or four of them."""


def hand_strip(image: Image, felt: Calibration, seat: int, quarters: int = 0) -> Image:
    """The strip before a seat, seen by its player.

    Args:
        image: uint8, height x width x 3, BGR, from above the table.
        felt: where it lies in this picture; see `felt_of`.
        seat: 0 to 3; seat 0 sits at the bottom of the picture, turned by `quarters` counter-clockwise.
        quarters: how many places further on seat 0 sits.
    """
    return _cut(image, turned(felt, quarters) if quarters else felt, seat)


def without_people(image: Image, felt: Calibration) -> Image:
    """The same picture with what lies beyond the table in coarse squares, so that nobody there can be recognised.

    Args:
        image: uint8, height x width x 3, BGR, from above the table; it is not changed.
        felt: where a person said that it lies in this picture.
    """
    half_w, half_d = AROUND * felt.size_mm[0] / 2, AROUND * felt.size_mm[1] / 2
    table = felt.to_px(np.array([(-half_w, -half_d), (half_w, -half_d), (half_w, half_d), (-half_w, half_d)]))
    height, width = image.shape[:2]
    scale = COARSE / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    squares = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    coarse = cv2.resize(squares, (width, height), interpolation=cv2.INTER_NEAREST)
    mask = cv2.fillConvexPoly(np.zeros((height, width), np.uint8), table.round().astype(np.int32), 1)
    return np.where(mask[..., None] == 1, image, coarse).astype(np.uint8, copy=False)


def felt_of(image: Image, known: Calibration | None) -> Calibration | None:
    """Where the felt lies in this picture; with hands and tiles on its edges it may only be known, not seen.

    Args:
        image: uint8, height x width x 3, BGR, from above the table.
        known: where it lies, as calibrated; what the picture itself shows counts more once the camera has moved.
    """
    size = (image.shape[1], image.shape[0])
    fits = known if known is not None and known.picture_px == size else None
    felt = find_felt(image)
    if felt is None:
        return fits  # of pictures of another size nobody knows which part of the table they show
    if fits is not None and drift(fits, felt.corners_px) <= DRIFT_ALARM:
        return fits
    try:
        if known is None:
            return calibrate(felt.corners_px, picture_px=size)
        corners = same_order(fits or _enlarged(known, size), felt.corners_px)
        return calibrate(corners, known.size_mm, picture_px=size)
    except CalibrationError:
        return fits


def _enlarged(known: Calibration, size: tuple[int, int]) -> Calibration:
    """The same view in a picture of another size: good enough to tell who sits where."""
    factors = np.array(size, np.float64) / known.picture_px
    return calibrate(known.corners_px * factors, known.size_mm, picture_px=size)


def _cut(image: Image, calibration: Calibration, seat: int) -> Image:
    half = calibration.size_mm[0] / 2
    # near left, near right, far right, far left of seat 0, then turned counter-clockwise to the seat
    corners = half * np.array([(-ASIDE, OUTER), (ASIDE, OUTER), (ASIDE, INNER), (-ASIDE, INNER)])
    for _ in range(seat):
        corners = np.stack([corners[:, 1], -corners[:, 0]], axis=1)
    scale = calibration.px_per_mm
    width, height = round(2 * ASIDE * half * scale), round((OUTER - INNER) * half * scale)
    target = np.array([(0, height), (width, height), (width, 0), (0, 0)], np.float32)
    matrix = cv2.getPerspectiveTransform(calibration.to_px(corners).astype(np.float32), target)
    return cv2.warpPerspective(image, matrix, (width, height)).astype(np.uint8, copy=False)

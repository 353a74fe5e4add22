"""What tiles are made of: measures and colours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Body:
    """What the tiles of one set are made of; lengths in millimetres, colours as BGR 0..255.

    Attributes:
        width, length, depth: size of a tile lying on its back.
        radius: rounding of the four corners seen from above.
        bevel: rounding of the rim of the face.
        front_share: share of the depth that has the front colour.
        front_bgr, back_bgr: the two materials.
        gloss: 0 matt to 1 polished.
        engraving: depth of the engraving, 0 for printed faces.
        face_margin: share of the face left free at each side.
    """

    width: float
    length: float
    depth: float
    radius: float
    bevel: float
    front_share: float
    front_bgr: tuple[float, float, float]
    back_bgr: tuple[float, float, float]
    gloss: float
    engraving: float
    face_margin: float


BACKS_BGR: tuple[tuple[int, int, int], ...] = (
    (70, 130, 30),
    (60, 110, 20),
    (150, 90, 20),
    (190, 120, 40),
    (40, 150, 240),
    (30, 120, 235),
    (60, 190, 245),
    (40, 40, 180),
    (150, 60, 120),
    (120, 60, 90),
    (40, 40, 44),
    (130, 130, 135),
    (205, 225, 235),
    (190, 160, 225),
    (160, 190, 90),
    (90, 70, 40),
)
"""Greens, blues, ambers, reds, violets, greys and the pale backs of one-colour sets."""

FRONTS_BGR: tuple[tuple[int, int, int], ...] = (
    (250, 251, 252),
    (244, 247, 250),
    (236, 242, 246),
    (226, 238, 246),
    (214, 230, 242),
    (205, 224, 238),
    (248, 248, 240),
    (235, 246, 236),
    (238, 232, 246),
)
"""Cold white to ivory, with a little jade and pink."""


def random_body(rng: np.random.Generator) -> Body:
    """A plausible tile body, from small riichi tiles to big Chinese ones."""
    width = float(rng.uniform(20, 31))
    front = np.array(FRONTS_BGR[int(rng.integers(len(FRONTS_BGR)))], float) + rng.normal(0, 3, 3)
    back = np.array(BACKS_BGR[int(rng.integers(len(BACKS_BGR)))], float) + rng.normal(0, 12, 3)
    one_colour = rng.random() < 0.15
    if one_colour:
        back = front - rng.uniform(0, 14)
    b0, b1, b2 = (float(v) for v in np.clip(back, 5, 255))
    f0, f1, f2 = (float(v) for v in np.clip(front, 190, 253))
    return Body(
        width=width,
        length=width * float(rng.uniform(1.26, 1.46)),
        depth=width * float(rng.uniform(0.6, 0.82)),
        radius=width * float(rng.uniform(0.06, 0.15)),
        bevel=width * float(rng.uniform(0.02, 0.06)),
        front_share=float(rng.uniform(0.45, 0.8)),
        front_bgr=(f0, f1, f2),
        back_bgr=(b0, b1, b2),
        gloss=float(rng.uniform(0, 1)),
        engraving=float(rng.choice([0, 0.5, 1.0])) * float(rng.uniform(0.5, 1.2)),
        face_margin=float(rng.uniform(0.0, 0.05)),
    )

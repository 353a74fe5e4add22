"""Puts displaced labels back on their tiles.

The training photographs come in augmented copies, and in more than a quarter of them the boxes were not
turned and scaled as the picture was: they lie beside their tiles, up to a whole tile away. A
reader that learned from rendered scenes only finds the tiles where they are; here its finds and
the labels are laid over each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.train.metrics import match
from vision.boxes import iou

Boxes = NDArray[np.float32]
Points = NDArray[np.float64]

FITS = 0.75
"""Overlap from which a label lies where its tile was found."""
NEAR = 0.4
"""A moved label belongs to a find whose middle is nearer than this many tile sides."""
ZOOM, TURN_DEG, FAR = (0.75, 1.33), 20.0, 3.0
"""How far apart the labels' frame and the picture's may be: scale, angle, tile sides."""
LEAST_SHARE = 0.6
"""Share of the labels that must find their tile for a picture to be used."""
TRIES = 400


@dataclass(frozen=True, slots=True)
class Marks:
    """Boxes [N, 4] in pixels with what is on them [N]."""

    boxes: Boxes
    names: NDArray[np.int64]

    @property
    def middles(self) -> Points:
        """[N, 2] middles."""
        return ((self.boxes[:, :2] + self.boxes[:, 2:]) / 2).astype(np.float64)

    @property
    def side_px(self) -> float:
        """A typical tile's shorter side."""
        return float(np.median((self.boxes[:, 2:] - self.boxes[:, :2]).min(axis=1)))


def register(labels: Marks, found: Marks, rng: np.random.Generator) -> Boxes | None:
    """Where the labelled tiles really are.

    Returns:
        [N, 4] boxes of the labels, a row of NaN for each that no find belongs to; None where
        too few agree for the picture to be used.
    """
    if not len(labels.names):
        return labels.boxes
    if not len(found.names):
        return None
    placed = np.full_like(labels.boxes, np.nan)
    pairs = {theirs: mine for mine, theirs in match(found.boxes, labels.boxes)}
    good = np.diag(iou(labels.boxes, found.boxes[[pairs.get(k, 0) for k in range(len(labels.names))]])) >= FITS
    if good.mean() < LEAST_SHARE:
        pairs = _pairs(labels, found, _best_move(labels, found, rng))
        good = np.zeros(len(labels.names), dtype=bool)
    for mine, theirs in pairs.items():
        placed[mine] = labels.boxes[mine] if good[mine] else found.boxes[theirs]
    agreed = sum(int(labels.names[mine] == found.names[theirs]) for mine, theirs in pairs.items())
    enough = agreed >= LEAST_SHARE * len(pairs) and len(pairs) >= LEAST_SHARE * len(labels.names)
    return placed if enough else None


def _best_move(labels: Marks, found: Marks, rng: np.random.Generator) -> Points:
    """The [3, 2] map from label middles to picture pixels that most labels of the right name agree with."""
    mine, theirs = labels.middles, found.middles
    same = labels.names[:, None] == found.names[None, :]
    distance = np.linalg.norm(mine[:, None] - theirs[None], axis=2)
    could = np.argwhere(same & (distance < FAR * max(labels.side_px, found.side_px)))
    best, most = np.vstack([np.eye(2), np.zeros((1, 2))]), -1.0
    for _ in range(TRIES if len(could) >= 2 else 0):
        (a, x), (b, y) = could[rng.choice(len(could), 2, replace=False)]
        move = _similarity(mine[[a, b]], theirs[[x, y]])
        if move is not None:
            agreeing = float(_agreement(labels, found, move, same).sum())
            if agreeing > most:
                best, most = move, agreeing
    for _ in range(3):
        pairs = _pairs(labels, found, best)
        if len(pairs) < 4:
            break
        best = _affine(mine[list(pairs)], theirs[list(pairs.values())])
    return best


def _similarity(source: Points, target: Points) -> Points | None:
    """The turn, zoom and shift between two pairs of points, if it is a likely one."""
    a, b = source[1] - source[0], target[1] - target[0]
    span, reach = complex(*a), complex(*b)
    if abs(span) < 1 or abs(reach) < 1:
        return None
    factor = reach / span
    if not (ZOOM[0] < abs(factor) < ZOOM[1] and abs(np.degrees(np.angle(factor))) < TURN_DEG):
        return None
    linear = np.array([[factor.real, factor.imag], [-factor.imag, factor.real]])
    return np.vstack([linear, target[0] - source[0] @ linear])


def _affine(source: Points, target: Points) -> Points:
    """Least squares, held near the identity where the points lie on one line."""
    middle = source.mean(axis=0)
    spread = max(float(np.abs(source - middle).max()), 1.0)
    ones = np.ones((len(source), 1))
    rows = np.vstack([np.hstack([(source - middle) / spread, ones]), 0.3 * np.eye(3)[:2]])
    aims = np.vstack([target - middle, 0.3 * spread * np.eye(2)])
    solved = np.linalg.lstsq(rows, aims, rcond=None)[0]
    linear = solved[:2] / spread
    return np.vstack([linear, solved[2] + middle - middle @ linear])


def _apply(points: Points, move: Points) -> Points:
    return np.asarray(points @ move[:2] + move[2])


def _agreement(labels: Marks, found: Marks, move: Points, same: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which labels come to lie on a find of their name."""
    distance = np.linalg.norm(_apply(labels.middles, move)[:, None] - found.middles[None], axis=2)
    return np.asarray((same & (distance < NEAR * found.side_px)).any(axis=1))


def _pairs(labels: Marks, found: Marks, move: Points) -> dict[int, int]:
    """Label to find, nearest first, each used once."""
    distance = np.linalg.norm(_apply(labels.middles, move)[:, None] - found.middles[None], axis=2)
    pairs: dict[int, int] = {}
    for flat in np.argsort(distance, axis=None):
        mine, theirs = divmod(int(flat), len(found.names))
        if distance[mine, theirs] > NEAR * found.side_px:
            break
        if mine not in pairs and theirs not in pairs.values():
            pairs[mine] = theirs
    return pairs

"""How well the classifier names tiles whose boxes are given: its own figure, without the detector.

The honest use is a group of photographs that the classifier never saw
(`classifier --leave-out desk`, then `boxes --group desk`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from models import LABELS
from models.train.data import LabelledPicture, load_rgb, square_crop
from models.train.network import MARGIN, SIZE_PX, FaceNet
from models.train.train_classifier import predict


@dataclass(frozen=True, slots=True)
class Named:
    """Answers for N given boxes: the label, the reading and its probability."""

    truth: NDArray[np.int64]
    read: NDArray[np.int64]
    score: NDArray[np.float32]

    @property
    def accuracy(self) -> float:
        """Boxes named right."""
        return float((self.truth == self.read).mean())


def name_boxes(net: FaceNet, pictures: Sequence[LabelledPicture], turns: int = 4) -> Named:
    """Names every labelled box, averaging over quarter turns."""
    truth, parts = [], []
    for picture in tqdm(pictures, unit="picture"):
        if not len(picture.labels):
            continue
        image = load_rgb(picture.path)
        boxes = picture.boxes_px(image.shape[1], image.shape[0])
        crops = np.stack([square_crop(image, box, 1 + MARGIN, SIZE_PX) for box in boxes])
        looks = [predict(net, np.ascontiguousarray(np.rot90(crops, turn, (1, 2)))) for turn in range(turns)]
        parts.append(np.mean(looks, axis=0))
        truth.append(picture.labels)
    probabilities = np.concatenate(parts)
    return Named(np.concatenate(truth), probabilities.argmax(axis=1), probabilities.max(axis=1))


def lowest_sure(named: Named, allowed: float = 0.005) -> tuple[float, float]:
    """The lowest score above which at most `allowed` are wrong, and the share of boxes above it."""
    order = np.argsort(-named.score, kind="stable")
    wrong = np.cumsum(named.truth[order] != named.read[order])
    fine = np.flatnonzero(wrong <= allowed * np.arange(1, len(order) + 1))
    if not len(fine):
        return 1.0, 0.0
    return float(named.score[order[fine[-1]]]), float((fine[-1] + 1) / len(order))


def describe(named: Named) -> str:
    """The figures as lines a person reads."""
    wrong = named.truth != named.read
    pairs = Counter((LABELS[t], LABELS[r]) for t, r in zip(named.truth[wrong], named.read[wrong], strict=True))
    shares = {LABELS[k]: float((named.read[named.truth == k] == k).mean()) for k in np.unique(named.truth)}
    worst = sorted(shares.items(), key=lambda item: item[1])[:8]
    threshold, share = lowest_sure(named)
    return "\n".join(
        [
            f"{len(named.truth)} boxes, {named.accuracy:.2%} named right",
            f"0.5 % wrong from score {threshold:.3f}, which {share:.1%} of the boxes reach",
            "weakest " + ", ".join(f"{label} {value:.1%}" for label, value in worst),
            "confusions " + ", ".join(f"{t}->{r}: {n}" for (t, r), n in pairs.most_common(12)),
        ]
    )

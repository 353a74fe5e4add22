"""Trains the face classifier on crops of labelled pictures; minutes on two CPU cores."""

from __future__ import annotations

import copy
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from tqdm import tqdm

from models import LABELS
from models.train.augment import augment
from models.train.checkpoint import Start, save_run
from models.train.course import Course
from models.train.data import CropSet
from models.train.network import FaceNet

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule(Course):
    """How long and how to train the classifier; `smoothing` is what the other labels share of a target."""

    steps: int = 6000
    batch: int = 256
    rate: float = 2e-3
    decay: float = 0.05
    warm_up: int = 200
    smoothing: float = 0.03
    seed: int = 7
    save_every: int = 200


@dataclass(slots=True)
class Progress:
    """Where a run is; saved with every checkpoint so that it can go on after a stop.

    `fresh` is the step at which the optimiser began with nothing: there the rate warms up.
    """

    step: int = 0
    seconds: float = 0.0
    fresh: int = 0
    losses: list[float] = field(default_factory=list)


class Trainer:
    """One training run of the face classifier: network, its moving average, optimiser, place."""

    def __init__(self, schedule: Schedule, start: Start | None = None) -> None:
        torch.set_num_threads(schedule.threads)
        torch.set_flush_denormal(True)  # AdamW's averages decay to denormals: 9x slower
        torch.manual_seed(schedule.seed)
        self.schedule = schedule
        self.net = FaceNet()
        self.progress = Progress()
        if start is not None:
            self.net.load_state_dict(start.weights)
            self.progress = Progress(start.step, start.seconds, fresh=start.step)
        self.net = self.net.to(memory_format=torch.channels_last)
        self.ema = copy.deepcopy(self.net).eval()
        matrices = [p for p in self.net.parameters() if p.ndim > 1]
        vectors = [p for p in self.net.parameters() if p.ndim <= 1]
        self.optimiser = torch.optim.AdamW(
            [
                {"params": matrices, "weight_decay": schedule.decay},
                {"params": vectors, "weight_decay": 0.0},
            ],
            lr=schedule.rate,
        )

    def run(self, crops: CropSet, checkpoint: Path, weights: NDArray[np.float64]) -> FaceNet:
        """Trains until the schedule ends and returns the averaged network.

        Args:
            crops: what to learn; label -1 means "no tile here", learned as "be unsure".
            checkpoint: written every few hundred steps; an existing one is continued.
            weights: [N] how often to draw each crop, any scale.
        """
        self._resume(checkpoint)
        generator = torch.Generator().manual_seed(self.schedule.seed + self.progress.step)
        rng = np.random.default_rng(self.schedule.seed + self.progress.step)
        share = weights / weights.sum()
        bar = tqdm(total=self.schedule.steps, initial=self.progress.step, unit="step")
        while self._share() < 1.0:
            began = time.process_time()
            picked = rng.choice(len(share), self.schedule.batch, p=share)
            loss = self._step(crops, picked, generator)
            self.progress.step += 1
            self.progress.seconds += time.process_time() - began
            self.progress.losses.append(loss)
            bar.update()
            if self.progress.step % 50 == 0:
                recent = np.mean(self.progress.losses[-50:])
                bar.set_postfix(loss=f"{recent:.3f}", done=f"{self._share():.0%}")
            if self.progress.step % self.schedule.save_every == 0:
                self._save(checkpoint)
        bar.close()
        self._save(checkpoint)
        return self.ema

    def _share(self) -> float:
        return self.schedule.share(self.progress.step, self.progress.seconds)

    def _step(self, crops: CropSet, picked: NDArray[np.intp], generator: torch.Generator) -> float:
        with torch.no_grad():
            images, missed = augment(crops.canvas[picked], crops.sizes[picked], generator, crops.labels[picked])
            target = soft_targets(torch.from_numpy(crops.labels[picked]), missed, self.schedule.smoothing)
        images = images.contiguous(memory_format=torch.channels_last)
        for group in self.optimiser.param_groups:
            group["lr"] = self._rate()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits, _ = self.net(images)
        loss = functional.cross_entropy(logits.float(), target)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        self.schedule.average(self.ema, self.net, self.progress.step)
        return float(loss.detach())

    def _rate(self) -> float:
        return self.schedule.rate_at(self.progress.step - self.progress.fresh, self._share(), 0.005)

    def _save(self, checkpoint: Path) -> None:
        parts = {
            "net": self.net.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "losses": self.progress.losses,
            "fresh": self.progress.fresh,
        }
        save_run(checkpoint, parts, self.ema, self.schedule, self.progress.step, self.progress.seconds)

    def _resume(self, checkpoint: Path) -> None:
        if not checkpoint.is_file():
            return
        state = torch.load(checkpoint, map_location="cpu", weights_only=True)
        self.net.load_state_dict(state["net"])
        self.ema.load_state_dict(state["ema"])
        self.optimiser.load_state_dict(state["optimiser"])
        fresh = state.get("fresh", 0)  # runs from before there were starts with a place do not say it
        self.progress = Progress(state["step"], state["seconds"], fresh, state["losses"])
        log.info("continuing %s at step %d", checkpoint, self.progress.step)


def soft_targets(labels: Tensor, missed: Tensor, smoothing: float) -> Tensor:
    """What the network should answer: [N, 43] probabilities.

    Where there is no tile to name (label -1, or the crop was moved off its tile) all answers
    are equally likely, so that the score of such a crop is low.
    """
    count = len(LABELS)
    target = torch.full((len(labels), count), 1.0 / count)
    named = (labels >= 0) & ~missed
    exact = functional.one_hot(labels.clamp(min=0), count).float()
    exact = exact * (1 - smoothing) + smoothing / count
    target[named] = exact[named]
    return target


def balance(
    labels: NDArray[np.int64], styles: NDArray[np.int64] | None = None, power: float = 0.6, nothing: float = 0.08
) -> NDArray[np.float64]:
    """How often to draw each crop: rare tiles more often, `nothing` for label -1.

    Args:
        styles: [N] where each crop comes from, any numbers; None for one source. Each face is shared
            among its sources by the roots of their numbers: a small source is not drowned by a
            large one, nor is any of its crops drawn without end. What a face has in all stays.
    """
    styles = np.zeros_like(labels) if styles is None else styles
    weights = np.zeros(len(labels), dtype=np.float64)
    for label in np.unique(labels[labels >= 0]):
        mine = labels == label
        weights[mine] = mine.sum() ** -power * _by_style(styles[mine])
    weights /= max(weights.sum(), 1e-9)
    empty = labels < 0
    if empty.any():
        weights *= 1 - nothing
        weights[empty] = nothing / empty.sum() * _by_style(styles[empty])
    return weights


def _by_style(styles: NDArray[np.int64]) -> NDArray[np.float64]:
    """Factors around 1 (their mean) that give every style the root of its number as its share."""
    _, which, counts = np.unique(styles, return_inverse=True, return_counts=True)
    factors = counts[which] ** -0.5
    return np.asarray(factors / factors.mean())


@torch.no_grad()
def predict(net: FaceNet, crops: NDArray[np.uint8], batch: int = 256) -> NDArray[np.float32]:
    """Probabilities [N, 43] of ready crops [N, S, S, 3] uint8 RGB."""
    parts: list[NDArray[np.float32]] = []
    for start in range(0, len(crops), batch):
        images = torch.from_numpy(crops[start : start + batch]).permute(0, 3, 1, 2)
        logits, _ = net(images.float().div(255).contiguous(memory_format=torch.channels_last))
        parts.append(logits.softmax(dim=1).numpy())
    return np.concatenate(parts) if parts else np.zeros((0, len(LABELS)), dtype=np.float32)


def merge(sets: Sequence[CropSet]) -> CropSet:
    """One crop set out of several."""
    offsets = np.cumsum([0, *(len(one.pictures) for one in sets)])
    return CropSet(
        np.concatenate([one.canvas for one in sets]),
        np.concatenate([one.labels for one in sets]),
        np.concatenate([one.sizes for one in sets]),
        np.concatenate([one.source + shift for one, shift in zip(sets, offsets, strict=False)]),
        tuple(stem for one in sets for stem in one.pictures),
    )

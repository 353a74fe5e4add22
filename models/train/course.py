"""What both trainings share: how long they last, the rate on the way, the moving average of the weights."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How long and how to train; the end is `steps` or `minutes` of computing, whichever comes first.

    `scene_share` is how much of what is drawn is rendered: settled by who draws, noted here for a run that goes on.
    """

    steps: int
    minutes: float = math.inf
    batch: int
    rate: float
    decay: float
    warm_up: int
    ema: float = 0.998
    seed: int
    threads: int = 2
    save_every: int
    scene_share: float = 0.4

    def share(self, step: int, seconds: float) -> float:
        """How much of it is done after so many steps and seconds of computing, 0..1."""
        return min(max(step / self.steps, seconds / 60 / self.minutes), 1.0)

    def rate_at(self, since_fresh: int, share: float, least: float) -> float:
        """The learning rate: a cosine over the course, not below `least` of the whole.

        Args:
            since_fresh: steps since the optimiser began with nothing: over the first `warm_up` of them the rate grows.
            share: how much of the course is done.
            least: part of `rate`.
        """
        warm = min((since_fresh + 1) / self.warm_up, 1.0)
        return self.rate * warm * max(0.5 * (1 + math.cos(math.pi * share)), least)

    @torch.no_grad()
    def average(self, ema: nn.Module, net: nn.Module, step: int) -> None:
        """Draw the averaged network towards the trained one: quickly in the first steps, then by `ema`."""
        keep = min(self.ema, (1 + step) / (10 + step))
        theirs = net.state_dict()
        for name, value in ema.state_dict().items():
            if value.is_floating_point():
                value.lerp_(theirs[name].float(), 1 - keep)
            else:
                value.copy_(theirs[name])

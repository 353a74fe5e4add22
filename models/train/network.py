"""The face classifier: a small residual network that names one tile on one crop."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from models import LABELS

SIZE_PX = 64
MARGIN = 0.1
EMBEDDING = 128


class Residual(nn.Module):
    """Two 3x3 convolutions around a shortcut, optionally halving the picture."""

    def __init__(self, inside: int, outside: int, stride: int = 1) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inside, outside, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outside),
            nn.ReLU(inplace=True),
            nn.Conv2d(outside, outside, 3, 1, 1, bias=False),
            nn.BatchNorm2d(outside),
        )
        same = stride == 1 and inside == outside
        self.shortcut = (
            nn.Identity()
            if same
            else nn.Sequential(nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside))
        )

    def forward(self, x: Tensor) -> Tensor:
        """[N, inside, h, w] -> [N, outside, h / stride, w / stride]."""
        result: Tensor = functional.relu(self.body(x) + self.shortcut(x))
        return result


class FaceNet(nn.Module):
    """Names a tile: crops [N, 3, 64, 64] RGB 0..1 -> logits [N, 43] and embedding [N, 128].

    The embedding has unit length and the logits are scaled cosines to one learned direction
    per tile, so that a table's own prototypes can later stand in for the learned ones.
    Normalisation is inside: callers hand in plain pixels.
    """

    def __init__(self, widths: tuple[int, int, int, int] = (32, 64, 128, 240)) -> None:
        super().__init__()
        first, second, third, fourth = widths
        self.stem = nn.Sequential(
            nn.Conv2d(3, first, 3, 2, 1, bias=False),
            nn.BatchNorm2d(first),
            nn.ReLU(inplace=True),
            nn.Conv2d(first, first, 3, 1, 1, bias=False),
            nn.BatchNorm2d(first),
            nn.ReLU(inplace=True),
        )
        self.stages = nn.Sequential(Residual(first, second, 2), Residual(second, third, 2), Residual(third, fourth, 2))
        cells = SIZE_PX // 16
        self.pool = nn.Conv2d(fourth, fourth, cells, groups=fourth, bias=False)
        nn.init.constant_(self.pool.weight, 1.0 / cells**2)
        self.project = nn.Linear(fourth, EMBEDDING, bias=False)
        self.prototypes = nn.Parameter(torch.randn(len(LABELS), EMBEDDING))
        self.log_scale = nn.Parameter(torch.tensor(2.7))

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """Returns (logits [N, 43], embedding [N, 128])."""
        features = self.pool(self.stages(self.stem((crops - 0.5) * 4.0))).flatten(1)
        embedding = functional.normalize(self.project(features), dim=1)
        directions = functional.normalize(self.prototypes, dim=1)
        return self.log_scale.exp() * embedding @ directions.t(), embedding

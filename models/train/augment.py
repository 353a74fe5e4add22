"""What a camera can do to a tile: turns, tilts, light, blur, covered corners, compression.

Works on whole batches in torch; the generator is handed in, so a run can be repeated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from models import LABELS
from models.train.data import CANVAS_SPAN
from models.train.network import MARGIN, SIZE_PX

LUMA = torch.tensor([0.299, 0.587, 0.114])
PLAIN = torch.tensor([LABELS.index("5z"), LABELS.index("x")])
"""Tiles that may carry no writing at all."""
FLOWERS = torch.tensor([place for place, label in enumerate(LABELS) if label.endswith("f")])
SHAKEN_PX = 17
"""Longest way a tile of 64 px moves while the picture is taken: two of its strokes run together long before."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How hard to shake the crops; the defaults suit a detector's boxes and a turned table.

    `shift` and `scale` imitate the detector's inaccuracy as shares of the crop's side;
    `miss` is the share of crops moved half a tile away, which then show no tile to name.
    """

    shift: float = 0.06
    scale: float = 0.12
    shear: float = 0.18
    perspective: float = 0.12
    miss: float = 0.04


def augment(
    canvas: NDArray[np.uint8],
    sizes: NDArray[np.float32],
    generator: torch.Generator,
    labels: NDArray[np.int64],
    strength: Strength = Strength(),
) -> tuple[Tensor, Tensor]:
    """Turns stored crops into training pictures.

    Args:
        canvas: [N, C, C, 3] uint8 RGB, spanning CANVAS_SPAN times the longer box side.
        sizes: [N, 2] box width and height as shares of the longer side.
        labels: [N] positions in `LABELS`, -1 where there is no tile. What has no writing and only its colour
            tells apart (a blank white dragon, a back) keeps colour; flowers keep their inks, which tell seasons
            from plants on most sets.

    Returns:
        Pictures [N, 3, SIZE_PX, SIZE_PX] in 0..1, and a mask [N] of those moved off their tile.
    """
    images = torch.from_numpy(canvas).permute(0, 3, 1, 2).float().div_(255)
    grid, missed = _view(torch.from_numpy(sizes), generator, strength)
    crops = functional.grid_sample(images, grid, padding_mode="border", align_corners=False)
    crops = _cover(crops, generator)
    crops = _colour(crops, torch.from_numpy(labels), generator)
    crops = _soften(crops, generator)
    crops = crops + torch.randn(crops.shape, generator=generator) * _pick(
        len(crops), 0.0, 0.04, generator
    ).square().mul(25).view(-1, 1, 1, 1)
    return _compress(crops.clamp_(0, 1), generator), missed


def _pick(count: int, low: float, high: float, generator: torch.Generator) -> Tensor:
    return torch.rand(count, generator=generator) * (high - low) + low


def _chance(count: int, share: float, generator: torch.Generator) -> Tensor:
    return torch.rand(count, generator=generator) < share


def _view(sizes: Tensor, generator: torch.Generator, strength: Strength) -> tuple[Tensor, Tensor]:
    """Sampling grid of a camera that is turned, tilted and not quite centred."""
    count = len(sizes)
    angle = _pick(count, 0.0, 2 * math.pi, generator)
    cos, sin = angle.cos(), angle.sin()
    # A turned tile has a larger upright box; where the stored box is nearly square the tile
    # is probably turned already and its box can only shrink.
    short = sizes.min(dim=1).values
    turned = torch.maximum(
        sizes[:, 0] * cos.abs() + sizes[:, 1] * sin.abs(),
        sizes[:, 0] * sin.abs() + sizes[:, 1] * cos.abs(),
    )
    already = short > 0.85
    reach = torch.where(already, _pick(count, 0.82, 1.05, generator), turned)
    spread = torch.exp(torch.randn(count, generator=generator) * strength.scale)
    side = reach * spread * (1 + MARGIN) / CANVAS_SPAN
    stretch = torch.exp(torch.randn(count, generator=generator) * 0.08)
    shear = torch.randn(count, generator=generator) * strength.shear
    linear = torch.stack(
        [
            torch.stack([cos * stretch, -sin / stretch + cos * shear], dim=1),
            torch.stack([sin * stretch, cos / stretch + sin * shear], dim=1),
        ],
        dim=1,
    ) * side.view(-1, 1, 1)
    move = torch.randn(count, 2, generator=generator) * strength.shift
    missed = _chance(count, strength.miss, generator)
    away = _pick(count, 0.0, 2 * math.pi, generator)
    far = _pick(count, 0.55, 0.8, generator).unsqueeze(1) * sizes
    move = torch.where(missed.unsqueeze(1), torch.stack([away.cos(), away.sin()], 1) * far, move)
    move = move * reach.unsqueeze(1) / CANVAS_SPAN
    axis = (torch.arange(SIZE_PX) + 0.5) / SIZE_PX * 2 - 1
    y, x = torch.meshgrid(axis, axis, indexing="ij")
    points = torch.stack([x, y], dim=-1).view(1, -1, 2)
    tilt = torch.randn(count, 2, generator=generator) * strength.perspective
    depth = 1 + (points * tilt.unsqueeze(1)).sum(dim=-1, keepdim=True).clamp(-0.5, 0.5)
    warped = (points / depth) @ linear.transpose(1, 2) + move.unsqueeze(1)
    return warped.view(count, SIZE_PX, SIZE_PX, 2), missed


def _cover(crops: Tensor, generator: torch.Generator) -> Tensor:
    """Lays a plain or foreign patch over one side of some crops, as a finger or tile would."""
    count = len(crops)
    axis = (torch.arange(SIZE_PX) + 0.5) / SIZE_PX * 2 - 1
    angle = _pick(count, 0.0, 2 * math.pi, generator).view(-1, 1, 1)
    edge = _pick(count, 0.45, 1.0, generator).view(-1, 1, 1)
    beyond = axis.view(1, 1, -1) * angle.cos() + axis.view(1, -1, 1) * angle.sin() > edge
    covered = (beyond & _chance(count, 0.25, generator).view(-1, 1, 1)).unsqueeze(1)
    plain = torch.rand(count, 3, 1, 1, generator=generator).expand_as(crops)
    other = crops[torch.randperm(count, generator=generator)]
    patch = torch.where(_chance(count, 0.5, generator).view(-1, 1, 1, 1), plain, other)
    return torch.where(covered, patch, crops)


def _colour(crops: Tensor, labels: Tensor, generator: torch.Generator) -> Tensor:
    """Light, casts, other inks: mixes channels, grey, contrast, gamma, a gradient of light."""
    count = len(crops)
    mixing = torch.eye(3).repeat(count, 1, 1)
    swapped = _chance(count, 0.3, generator) & ~torch.isin(labels, FLOWERS)
    order = torch.argsort(torch.rand(count, 3, generator=generator), dim=1)
    mixing[swapped] = torch.eye(3)[order[swapped]]
    saturation = _pick(count, 0.0, 1.8, generator)
    saturation[_chance(count, 0.12, generator)] = 0.0
    plain = torch.isin(labels, PLAIN)
    saturation[plain] = saturation[plain].clamp(min=0.8)
    keep = saturation.view(-1, 1, 1)
    mixing = keep * mixing + (1 - keep) * LUMA.view(1, 1, 3).expand(count, 3, 3)
    mixing = mixing + torch.randn(count, 3, 3, generator=generator) * 0.05
    mixing = mixing * torch.exp(torch.randn(count, 3, 1, generator=generator) * 0.12)
    flat = mixing @ crops.reshape(count, 3, -1)
    crops = flat.view_as(crops).clamp_(1e-3, 1)
    gamma = torch.exp(torch.randn(count, generator=generator) * 0.35).view(-1, 1, 1, 1)
    contrast = _pick(count, 0.55, 1.25, generator).view(-1, 1, 1, 1)
    lift = (torch.randn(count, generator=generator) * 0.1).view(-1, 1, 1, 1)
    axis = (torch.arange(SIZE_PX) + 0.5) / SIZE_PX * 2 - 1
    slope = torch.randn(count, 2, generator=generator) * 0.12
    light = 1 + (
        slope[:, 0].view(-1, 1, 1, 1) * axis.view(1, 1, 1, -1) + slope[:, 1].view(-1, 1, 1, 1) * axis.view(1, 1, -1, 1)
    )
    return ((crops.pow(gamma) - 0.5) * contrast + 0.5 + lift).clamp_(0, 1) * light


def _soften(crops: Tensor, generator: torch.Generator) -> Tensor:
    """Defocus, motion blur and too few pixels, each on part of the batch."""
    parts = list(crops.split(max(len(crops) // 8, 1)))
    for index, part in enumerate(parts):
        kind = int(torch.randint(0, 8, (1,), generator=generator))
        if kind < 2:
            small = int(torch.randint(18, 44, (1,), generator=generator))
            fewer = functional.interpolate(part, (small, small), mode="area")
            parts[index] = functional.interpolate(fewer, (SIZE_PX, SIZE_PX), mode="bilinear", align_corners=False)
        elif kind == 2:
            sigma = float(_pick(1, 0.4, 2.4, generator))
            parts[index] = _filter(part, _gaussian(sigma))
        elif kind in (3, 5):
            length, angle = float(_pick(1, 3, SHAKEN_PX, generator)), float(_pick(1, 0, math.pi, generator))
            parts[index] = _filter(part, _line(length, angle))
        elif kind == 4:
            parts[index] = part + 0.8 * (part - _filter(part, _gaussian(1.0)))
    return torch.cat(parts)


def _gaussian(sigma: float) -> Tensor:
    axis = torch.arange(-4, 5, dtype=torch.float32)
    weights = torch.exp(-(axis**2) / (2 * sigma**2))
    weights = weights / weights.sum()
    return weights.outer(weights)


def _line(length: float, angle: float) -> Tensor:
    """Kernel of a straight motion over so many pixels, [K, K] adding up to 1."""
    half = SHAKEN_PX // 2
    steps = torch.linspace(-0.5, 0.5, 4 * SHAKEN_PX) * (length - 1)
    kernel = torch.zeros(2 * half + 1, 2 * half + 1)
    rows, columns = (half + steps * math.sin(angle)).round().long(), (half + steps * math.cos(angle)).round().long()
    kernel.index_put_((rows, columns), torch.ones(len(steps)), accumulate=True)
    return kernel / kernel.sum()


def _filter(crops: Tensor, kernel: Tensor) -> Tensor:
    half = kernel.shape[0] // 2
    padded = functional.pad(crops, (half, half, half, half), mode="replicate")
    return functional.conv2d(padded, kernel.expand(3, 1, *kernel.shape), groups=3)


def _compress(crops: Tensor, generator: torch.Generator) -> Tensor:
    """Sends every eighth crop through JPEG."""
    for index in range(0, len(crops), 8):
        quality = int(torch.randint(15, 80, (1,), generator=generator))
        pixels = (crops[index].permute(1, 2, 0).numpy() * 255).astype(np.uint8)
        coded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        decoded = cv2.imdecode(coded, cv2.IMREAD_COLOR)
        if decoded is not None:
            crops[index] = torch.from_numpy(decoded).permute(2, 0, 1).float().div_(255)
    return crops

"""Trains the detector that finds tiles (`face`, `back`); ultralytics' YOLO11n on two CPU cores.

The network and its loss are ultralytics'. The loop is our own because three things measured
on small machines make it three times faster (both cores, channels_last, BF16 forward passes)
and because photographs whose face-down tiles nobody marked must not teach that these are
nothing: there the `back` score is left out of the loss.
"""

from __future__ import annotations

import copy
import logging
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from tqdm import tqdm

from models import LABELS
from models.train.checkpoint import Start, save_run
from models.train.course import Course
from models.train.data import LabelledPicture, load_rgb

log = logging.getLogger(__name__)

CLASSES = ("face", "back")
BACK = LABELS.index("x")
STRIDES = (8, 16, 32)
USUAL_PX = (16.0, 72.0)
"""Shorter side of most tiles in a training view: what the reader's looks aim at, and close-ups."""
SMALLEST_PX = 8.0
"""Tiles smaller than this in a view are neither asked for nor punished; nobody could name them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectorSchedule(Course):
    """How long and how to train the detector; `size_px` is a side of its training views."""

    steps: int = 4000
    batch: int = 8
    size_px: int = 448
    rate: float = 6e-4
    decay: float = 0.02
    warm_up: int = 100
    seed: int = 11
    save_every: int = 100


@dataclass(frozen=True, slots=True)
class Sample:
    """One picture to learn from.

    Attributes:
        backs_marked: whether face-down tiles have boxes; if not they are not punished.
        ignore: [N, 4] fractions, places where a tile may be that nobody marked.
        rendered: a scene, not a photograph.
    """

    picture: LabelledPicture
    backs_marked: bool
    ignore: NDArray[np.float32]
    rendered: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A training view cut from a picture: [S, S, 3] uint8, boxes in pixels, classes, ignored."""

    image: NDArray[np.uint8]
    boxes: NDArray[np.float32]
    classes: NDArray[np.int64]
    ignore: NDArray[np.float32]


def make_model() -> Any:
    """An untrained YOLO11n with our two classes."""
    from ultralytics.nn.tasks import DetectionModel

    model = DetectionModel("yolo11n.yaml", nc=len(CLASSES), verbose=False)
    model.names = dict(enumerate(CLASSES))
    model.args = SimpleNamespace(box=7.5, cls=0.5, dfl=1.5)
    return model


def load_weights(model: nn.Module, state: dict[str, Tensor]) -> None:
    """Copies what fits; a one-class start lends its tile score to both classes."""
    mine = model.state_dict()
    for name, value in state.items():
        value = value.float() if value.is_floating_point() else value
        if mine[name].shape == value.shape:
            mine[name] = value
        elif value.shape[0] == 1 and mine[name].shape[0] == len(CLASSES):
            mine[name] = value.repeat(len(CLASSES), *[1] * (value.ndim - 1))
            if name.endswith("bias"):
                mine[name][1] -= 2.0
        else:
            raise ValueError(f"weights {name} {tuple(value.shape)} do not fit this detector")
    model.load_state_dict(mine)


def cut_view(sample: Sample, size: int, rng: np.random.Generator) -> View:
    """Turns a picture by quarters, zooms, shifts and recolours it; tiles keep their writing."""
    image = np.rot90(load_rgb(sample.picture.path), turns := int(rng.integers(4)))
    height, width = image.shape[:2]
    tiles = _turned(sample.picture.boxes, turns) * np.array([width, height] * 2)
    scale = _zoom(tiles, size / max(height, width), rng)
    stretch = np.exp(rng.normal(0, 0.08) if rng.random() < 0.6 else rng.uniform(-0.25, 0.25))
    sx, sy = scale * stretch, scale / stretch
    shift = _place(tiles * np.array([sx, sy] * 2), size - np.array([width * sx, height * sy]), size, rng)
    matrix = np.array([[sx, 0, shift[0]], [0, sy, shift[1]]])
    fill = tuple(int(v) for v in rng.integers(0, 256, 3)) if rng.random() < 0.5 else (114,) * 3
    source = np.ascontiguousarray(image)
    if scale < 0.7:
        source = cv2.GaussianBlur(source, (0, 0), 0.35 / scale)
    view = cv2.warpAffine(source, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=fill)
    boxes, seen = _move(sample.picture.boxes, turns, matrix, (width, height), size)
    ignore, ignored = _move(sample.ignore, turns, matrix, (width, height), size)
    classes = (sample.picture.labels == BACK).astype(np.int64)
    large = (boxes[:, 2:] - boxes[:, :2]).min(axis=1, initial=size) >= SMALLEST_PX
    known = (seen > 0.5) & large
    return View(
        _recolour(np.asarray(view, dtype=np.uint8), rng),
        boxes[known],
        classes[known],
        np.concatenate([ignore[ignored > 0.05], boxes[(seen > 0.05) & ~known]]),
    )


def _zoom(tiles: NDArray[np.float64], whole: float, rng: np.random.Generator) -> float:
    """Pixels of the view per pixel of the picture: mostly so that its tiles get a size one chooses a look for.

    Args:
        tiles: [N, 4] boxes in picture pixels.
        whole: the scale at which the whole picture fits the view.
    """
    if not len(tiles) or rng.random() < 0.3:
        return float(np.exp(rng.uniform(math.log(0.5), math.log(1.9))) * whole)
    tile_px = float(np.quantile((tiles[:, 2:] - tiles[:, :2]).min(axis=1), 0.3))
    aim = np.exp(rng.uniform(*np.log(USUAL_PX)))
    return float(np.clip(aim / max(tile_px, 1.0), 0.4 * whole, max(2.5, whole)))


def _place(
    tiles: NDArray[np.float64], room: NDArray[np.float64], size: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Where the zoomed picture's corner comes to lie in the view; often so that some tile is near the middle."""
    low, high = np.minimum(room, 0), np.maximum(room, 0)
    if not len(tiles) or rng.random() < 0.4:
        return rng.uniform(low, high)
    tile = tiles[rng.integers(len(tiles))]
    return np.clip(rng.uniform(0.2, 0.8, 2) * size - (tile[:2] + tile[2:]) / 2, low, high)


def _turned(boxes: NDArray[np.float32], turns: int) -> NDArray[np.float32]:
    """Boxes as fractions, after so many quarter turns of the picture."""
    for _ in range(turns):
        x1, y1, x2, y2 = boxes.T
        boxes = np.stack([y1, 1 - x2, y2, 1 - x1], axis=1)
    return boxes


def _move(
    boxes: NDArray[np.float32],
    turns: int,
    matrix: NDArray[np.float64],
    shape: tuple[int, int],
    size: int,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Carries boxes into the view; returns them clipped, and how much of each is visible."""
    moved = _turned(boxes, turns)
    gain = np.array([matrix[0, 0], matrix[1, 1]] * 2) * np.array([*shape, *shape])
    moved = moved * gain + np.array([matrix[0, 2], matrix[1, 2]] * 2)
    clipped = np.clip(moved, 0, size)
    whole = np.prod(moved[:, 2:] - moved[:, :2], axis=1)
    visible = np.prod(clipped[:, 2:] - clipped[:, :2], axis=1) / np.maximum(whole, 1e-6)
    return clipped.astype(np.float32), visible.astype(np.float32)


def _recolour(view: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    curve = np.linspace(0, 1, 256)[:, None] ** np.exp(rng.normal(0, 0.3))
    curve = (curve - 0.5) * rng.uniform(0.6, 1.25) + 0.5 + rng.normal(0, 0.07)
    curve = curve * np.exp(rng.normal(0, 0.1, 3))
    table = (np.clip(curve, 0, 1) * 255).astype(np.uint8)
    view = np.asarray(cv2.LUT(view, table[:, None, :]), dtype=np.uint8)
    if rng.random() < 0.3:
        view = np.ascontiguousarray(view[:, :, rng.permutation(3)])
    if rng.random() < 0.15:
        view = np.repeat(cv2.cvtColor(view, cv2.COLOR_RGB2GRAY)[:, :, None], 3, axis=2)
    kind = rng.random()
    if kind < 0.12:
        view = np.asarray(cv2.GaussianBlur(view, (0, 0), rng.uniform(0.5, 1.8)))
    elif kind < 0.2:
        coded = cv2.imencode(".jpg", view, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(15, 60))])[1]
        view = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR))
    elif kind < 0.3:
        noisy = view + rng.normal(0, rng.uniform(2, 12), view.shape)
        view = np.clip(noisy, 0, 255).astype(np.uint8)
    return np.asarray(view, dtype=np.uint8)


def collate(views: Sequence[View], backs_marked: Sequence[bool], size: int) -> dict[str, Tensor]:
    """Packs views in the form of ultralytics' loss; `weights` [B, anchors, 2] mutes the unknown."""
    images = np.stack([view.image for view in views]).transpose(0, 3, 1, 2)
    index = np.concatenate([np.full(len(v.boxes), i) for i, v in enumerate(views)])
    boxes = np.concatenate([v.boxes for v in views]) / size
    sized = np.concatenate([(boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2]], axis=1)
    anchors = _anchors(size)
    weights = np.ones((len(views), len(anchors), len(CLASSES)), dtype=np.float32)
    for number, (view, marked) in enumerate(zip(views, backs_marked, strict=True)):
        if not marked:
            weights[number, :, 1] = 0.0
        for x1, y1, x2, y2 in view.ignore:
            inside = (anchors > (x1, y1)).all(axis=1) & (anchors < (x2, y2)).all(axis=1)
            weights[number, inside] = 0.0
        for x1, y1, x2, y2 in view.boxes:
            inside = (anchors > (x1, y1)).all(axis=1) & (anchors < (x2, y2)).all(axis=1)
            weights[number, inside] = 1.0  # a marked tile is known, also where backs are not
    return {
        "img": torch.from_numpy(np.ascontiguousarray(images)).float().div_(255),
        "batch_idx": torch.from_numpy(index).float(),
        "cls": torch.from_numpy(np.concatenate([v.classes for v in views])).float().unsqueeze(1),
        "bboxes": torch.from_numpy(sized.astype(np.float32)),
        "weights": torch.from_numpy(weights),
    }


def _anchors(size: int) -> NDArray[np.float32]:
    grids = []
    for stride in STRIDES:
        axis = (np.arange(size // stride) + 0.5) * stride
        x, y = np.meshgrid(axis, axis)
        grids.append(np.stack([x.ravel(), y.ravel()], axis=1))
    return np.concatenate(grids).astype(np.float32)


class DetectorTrainer:
    """One training run of the detector: network, moving average, optimiser, place."""

    def __init__(self, schedule: DetectorSchedule, start: Start | None) -> None:
        torch.set_num_threads(schedule.threads)  # ultralytics sets it to one on two cores
        torch.set_flush_denormal(True)  # AdamW's averages decay to denormals: 9x slower
        torch.manual_seed(schedule.seed)
        self.schedule = schedule
        self.net = make_model()
        self.step, self.seconds = 0, 0.0
        if start is not None:
            load_weights(self.net, start.weights)
            self.step, self.seconds = start.step, start.seconds
        self.fresh = self.step  # where the optimiser begins with nothing: there the rate warms up
        self.net = self.net.to(memory_format=torch.channels_last).train()
        self.ema = copy.deepcopy(self.net).eval()
        self.optimiser = torch.optim.AdamW(
            [
                {"params": [p for p in self.net.parameters() if p.ndim > 1 and p.requires_grad]},
                {
                    "params": [p for p in self.net.parameters() if p.ndim <= 1],
                    "weight_decay": 0.0,
                },
            ],
            lr=schedule.rate,
            weight_decay=schedule.decay,
        )
        self.criterion = self.net.init_criterion()

    def run(self, samples: Sequence[Sample], checkpoint: Path, weights: NDArray[np.float64]) -> Any:
        """Trains until the schedule ends and returns the averaged network.

        Args:
            checkpoint: written every few hundred steps; an existing one is continued.
            weights: [N] how often to draw each sample, any scale.
        """
        self._resume(checkpoint)
        torch.set_num_threads(self.schedule.threads)
        rng = np.random.default_rng(self.schedule.seed + self.step)
        share = weights / weights.sum()
        bar = tqdm(total=self.schedule.steps, initial=self.step, unit="step")
        recent: list[NDArray[np.float64]] = []
        while self.done() < 1.0:
            began = time.process_time()
            picked = rng.choice(len(samples), self.schedule.batch, p=share)
            views = [cut_view(samples[i], self.schedule.size_px, rng) for i in picked]
            marked = [samples[i].backs_marked for i in picked]
            recent = [*recent[-49:], self._step(collate(views, marked, self.schedule.size_px))]
            self.step += 1
            self.seconds += time.process_time() - began
            bar.update()
            if self.step % 50 == 0:
                box, kind, edge = np.mean(recent, axis=0)
                bar.set_postfix(box=f"{box:.3f}", cls=f"{kind:.3f}", dfl=f"{edge:.3f}", done=f"{self.done():.0%}")
            if self.step % self.schedule.save_every == 0:
                self._save(checkpoint)
        bar.close()
        self._save(checkpoint)
        return self.ema

    def done(self) -> float:
        """How much of the schedule is behind us, 0..1."""
        return self.schedule.share(self.step, self.seconds)

    def _step(self, batch: dict[str, Tensor]) -> NDArray[np.float64]:
        for group in self.optimiser.param_groups:
            group["lr"] = self._rate()
        images = batch["img"].contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            answer = self.net(images)
        answer = {
            key: [part.float() for part in value] if isinstance(value, list) else value.float()
            for key, value in answer.items()
        }
        self.criterion.class_weights = batch["weights"]
        loss, parts = self.criterion(answer, batch)
        self.optimiser.zero_grad(set_to_none=True)
        loss.sum().backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 10.0)
        self.optimiser.step()
        self.schedule.average(self.ema, self.net, self.step)
        return np.array([float(value) for value in parts.values()], dtype=np.float64)

    def _rate(self) -> float:
        return self.schedule.rate_at(self.step - self.fresh, self.done(), 0.02)

    def _save(self, checkpoint: Path) -> None:
        parts = {"net": self.net.state_dict(), "optimiser": self.optimiser.state_dict(), "fresh": self.fresh}
        save_run(checkpoint, parts, self.ema, self.schedule, self.step, self.seconds)

    def _resume(self, checkpoint: Path) -> None:
        if not checkpoint.is_file():
            return
        state = torch.load(checkpoint, map_location="cpu", weights_only=True)
        self.net.load_state_dict(state["net"])
        self.ema.load_state_dict(state["ema"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.step, self.seconds = state["step"], state["seconds"]
        self.fresh = state.get("fresh", 0)  # runs from before there were starts with a place do not say it
        log.info("continuing %s at step %d", checkpoint, self.step)

"""Half-precision weights small enough to commit, with or without their place in a schedule."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn


@dataclass(frozen=True, slots=True)
class Start:
    """What a run begins with.

    Attributes:
        weights: averaged weights, float32.
        schedule: fields of the schedule they were on; empty for weights alone, which begin at step 0.
        step: steps of that schedule behind them.
        seconds: seconds of computing behind them.
    """

    weights: dict[str, Tensor]
    schedule: dict[str, Any] = field(default_factory=dict)
    step: int = 0
    seconds: float = 0.0


def read_start(path: Path) -> Start:
    """Reads a half-precision file: weights alone, or with their place in a schedule."""
    state = torch.load(path, map_location="cpu", weights_only=True)
    if "weights" not in state:
        return Start(_single(state))
    return Start(_single(state["weights"]), state["schedule"], state["step"], state["seconds"])


def load_start(path: Path) -> dict[str, Tensor]:
    """The weights of a half-precision file, as float32."""
    return read_start(path).weights


def mean_of(first: Path, second: Path, share: float, out: Path) -> None:
    """Writes the mean of the weights of two files, in half precision; whole numbers are those of the first.

    Args:
        first: a half-precision file, with or without a place in a schedule.
        second: another of the same network, trained on from a common start.
        share: weight of the second one, 0..1.
        out: file to write.
    """
    ours, theirs = load_start(first), load_start(second)
    mean = {k: v.lerp(theirs[k], share).half() if v.is_floating_point() else v for k, v in ours.items()}
    torch.save(mean, out)


def half_state(net: nn.Module) -> dict[str, Tensor]:
    """The weights in half precision, to be committed."""
    return {k: v.half() if v.is_floating_point() else v.clone() for k, v in net.state_dict().items()}


def save_run(path: Path, parts: dict[str, Any], ema: nn.Module, schedule: Any, step: int, seconds: float) -> None:
    """Writes where a run is, twice: all of it, and beside it `.half.pt` with what a commit can bear.

    Args:
        path: the whole run (`classifier-run.pt`); only this goes on exactly as if never stopped.
        parts: what the whole run holds besides averaged weights and place.
        ema: the averaged network; in half precision it is the other file's 2 to 5 MB.
        schedule: a dataclass of numbers, kept in the other file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    place = {"step": step, "seconds": seconds}
    _put(path, {**parts, **place, "ema": ema.state_dict()})
    _put(path.with_suffix(".half.pt"), {"weights": half_state(ema), "schedule": asdict(schedule), **place})


def _put(path: Path, state: dict[str, Any]) -> None:
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.replace(path)


def _single(state: dict[str, Tensor]) -> dict[str, Tensor]:
    return {k: v.float() if v.is_floating_point() else v for k, v in state.items()}

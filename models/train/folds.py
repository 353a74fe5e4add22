"""How well the eyes read tables they never saw: `python -m models.train.folds --photos PHOTOS --scenes S --out RUNS`.

Each fold leaves one group of photographs out of the training of both networks and is judged on
exactly that group, the whole reader as `paiju read` uses it. All folds have one short recipe and
start from weights that saw rendered scenes only. A step whose result is there is not done again;
`--part` lets two computers (or cores) share the work.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from models import load_manifest
from models.train.__main__ import main as train
from models.train.data import DataError, read_patches
from models.train.evaluate import format_figures, format_scores, judge, summary
from models.train.metrics import Tally, by_score, sure_threshold, tally

log = logging.getLogger(__name__)

DETECTOR = ("--steps", "500", "--rate", "8e-4", "--scene-share", "0.4", "--seed", "41")
CLASSIFIER = ("--steps", "450", "--rate", "1.5e-3", "--scene-share", "0.55", "--seed", "42")
"""The recipe of every fold."""
FOLDS = ("desk", "felt")
"""Groups with validation photographs; `assorted` has none."""
PARTS = ("detector", "classifier", "judge")


def train_fold(part: str, group: str, chosen: argparse.Namespace) -> None:
    """Trains one network without one group, unless its weights are there already."""
    out = chosen.out / group
    if (out / f"{part}.pt").is_file():
        log.info("%s without %s is there", part, group)
        return
    command = [part, "--photos", str(chosen.photos / "train"), "--scenes", *map(str, chosen.scenes)]
    command += ["--out", str(out), "--start", str(chosen.out / "rendered" / f"{part}.pt"), "--leave-out", group]
    command += ["--threads", str(chosen.threads), *(DETECTOR if part == "detector" else CLASSIFIER)]
    if chosen.seen:
        command += ["--seen", str(chosen.seen)]
    log.info("python -m models.train %s", " ".join(command))
    if train(command):
        raise DataError(f"the {part} without {group} could not be trained")


def judge_fold(weights: str, photos: Path, group: str, out: Path) -> dict[str, Any]:
    """The figures of one set of weights on one group (all photographs where none is named)."""
    folder = out / weights
    name = f"figures-{group or 'all'}.json"
    if not (folder / name).is_file():
        parts = [argument for part in PARTS[:2] for argument in (f"--{part}", str(folder / f"{part}.pt"))]
        train(["export", *parts, "--models", str(folder), "--version", f"0.0.0-{weights}"])
        figures = judged(photos, group, folder)
        (folder / name).write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    figures = json.loads((folder / name).read_text(encoding="utf-8"))
    return dict(figures)


def judged(photos: Path, group: str, models: Path | None = None) -> dict[str, Any]:
    """Reads the validation photographs of a group."""
    from tqdm import tqdm

    manifest = load_manifest(models) if models else load_manifest()
    found = judge(photos / "val", read_patches(), manifest, progress=partial(tqdm, unit="picture"), group=group)
    if not found:
        raise DataError(f"{photos / 'val'} has no photographs of the group {group}")
    total = tally([(one.reading, one.corrected) for one in found])
    scored = [(round(score, 5), right) for score, right, complete in total.scored if complete]
    return {**summary(total), "scored": scored}


def table(chosen: argparse.Namespace) -> Iterator[str]:
    """The report, row by row: weights that saw no photograph, each fold, and the shipped weights beside them."""
    for group in FOLDS:
        saw = {
            f"{group}: no photograph seen": judge_fold("rendered", chosen.photos, group, chosen.out),
            f"{group}: left out": judge_fold(group, chosen.photos, group, chosen.out),
            f"{group}: shipped weights, seen in training": shipped(chosen.photos, group, chosen.out),
        }
        yield from (line for title, figures in saw.items() for line in format_figures(title, figures))
    yield from calibration([judge_fold(group, chosen.photos, group, chosen.out) for group in FOLDS])


def calibration(folds: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What the left-out groups together say about the score: how many readings reach it, how many are wrong."""
    marks = np.array([mark for figures in folds for mark in figures["scored"]], np.float64).reshape(-1, 2)
    shipped_limit = load_manifest().thresholds.sure
    scored = [(float(score), bool(right), True) for score, right in marks]
    limit = sure_threshold(Tally(scored=scored))
    yield f"== all left-out groups: {len(marks)} readings on completely labelled pictures"
    yield from format_scores(by_score([(score, right) for score, right, _ in scored]))
    for what, score in (("as shipped", shipped_limit), ("at most 0.5 % wrong", limit)):
        reach = marks[:, 0] >= score
        wrong = 1 - marks[reach, 1].mean() if reach.any() else 0.0
        yield f"   sure from {score:.3f} ({what}): {reach.mean():.1%} of the readings, {wrong:.2%} of them wrong"


def shipped(photos: Path, group: str, out: Path) -> dict[str, Any]:
    """The figures of the shipped weights, kept by version."""
    file = out / f"shipped-{load_manifest().version}-{group}.json"
    if not file.is_file():
        file.write_text(json.dumps(judged(photos, group), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return dict(json.loads(file.read_text(encoding="utf-8")))


def main(arguments: Sequence[str] | None = None) -> int:
    """Trains what is missing and prints the table; exit code 2 with one sentence when the data is not usable."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(prog="python -m models.train.folds", description=__doc__)
    parser.add_argument("--photos", type=Path, required=True, help="folder with train/ and val/")
    parser.add_argument("--scenes", type=Path, nargs="+", required=True, help="folders of rendered scenes")
    parser.add_argument("--out", type=Path, required=True, help="holds rendered/ with both weights; gets the folds")
    parser.add_argument("--seen", type=Path, help="file written by `python -m models.train look`")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part (default: all three)")
    parser.add_argument("--threads", type=int, default=1)
    chosen = parser.parse_args(arguments)
    parts = chosen.part or PARTS
    try:
        for part in PARTS[:2]:
            for group in FOLDS if part in parts else ():
                train_fold(part, group, chosen)
        if "judge" in parts:
            for line in table(chosen):
                print(line, flush=True)
    except DataError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

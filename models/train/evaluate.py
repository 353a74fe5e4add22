"""How well the shipped eyes read labelled photographs: `python -m models.train.evaluate`.

Reads every picture exactly as `paiju read` does and compares with the labels. The figures of
`models/CARD.md` are this command's output.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models import LABELS, Manifest, load_manifest
from models.train.data import (
    GROUPS,
    PATCHES,
    DataError,
    LabelledPicture,
    Patch,
    group_of,
    read_patches,
    read_pictures,
    read_views,
    split_doubtful,
    truth_file,
)
from models.train.metrics import Reading, Tally, Truth, by_score, sure_threshold, tally
from vision.pictures import load_picture
from vision.reader import TileReader


@dataclass(frozen=True, slots=True)
class Judged:
    """One picture, read once, with the labels as they came and as corrected."""

    group: str
    reading: Reading
    raw: Truth
    corrected: Truth


def judge(
    folder: Path,
    patches: Sequence[Patch],
    manifest: Manifest,
    every: int = 1,
    progress: Callable[[list[LabelledPicture]], Iterable[LabelledPicture]] = iter,
    *,
    group: str = "",
) -> list[Judged]:
    """Reads the pictures of a folder that are not stretched beyond use.

    Args:
        every: read only every so many pictures.
        group: only photographs of this group.
        progress: wraps the list of pictures, to show how far it is.

    Raises:
        DataError: the folder is not in YOLO form.
    """
    views = read_views(folder)
    reader = TileReader.from_manifest(manifest)
    corrected = {picture.path: picture for picture in read_pictures(folder, patches)}
    wanted = [p for p in read_pictures(folder) if views.get(p.path.stem) != "stretched"]
    wanted = [p for p in wanted if not group or group_of(p.path.stem) == group][::every]
    judged = []
    for picture in progress(wanted):
        image = load_picture(picture.path)
        found = reader.read(image).tiles
        reading = Reading(
            np.array([tile.box_px for tile in found], dtype=np.float32).reshape(-1, 4),
            np.array([LABELS.index(tile.tile) for tile in found], dtype=np.int64),
            np.array([tile.score for tile in found], dtype=np.float32),
            np.array([tile.sure == "sure" for tile in found], dtype=np.bool_),
        )
        complete = views.get(picture.path.stem, "complete") == "complete"
        size = (image.shape[1], image.shape[0])
        truths = (_truth(one, size, complete) for one in (picture, corrected[picture.path]))
        judged.append(Judged(_group(picture.path), reading, *truths))
    return judged


def _truth(picture: LabelledPicture, size: tuple[int, int], complete: bool) -> Truth:
    asked, doubtful = split_doubtful(picture)
    return Truth(
        picture.path.stem,
        asked.boxes_px(*size),
        asked.labels,
        complete,
        truth_file(picture.path).is_file(),
        LabelledPicture(picture.path, doubtful, np.zeros(len(doubtful), np.int64)).boxes_px(*size),
    )


def _group(path: Path) -> str:
    """Source of a photograph, kind of a rendered scene."""
    source = truth_file(path)
    if source.is_file():
        return f"rendered {json.loads(source.read_text(encoding='ascii'))['kind']}"
    return group_of(path.stem)


def summary(total: Tally) -> dict[str, Any]:
    """The figures of one tally, ready to print or to keep as JSON."""
    claimed, wrong = total.sure, total.sure_wrong
    limit = sure_threshold(total)
    return {
        "labelled": total.labelled,
        "located": round(total.located_share, 4),
        "right_face": round(total.recall, 4),
        "precision_complete": round(total.precision, 4),
        "precision_all": round(total.precision_all, 4),
        "pictures_right": f"{total.pictures_right}/{total.pictures_complete}",
        "sure_share": round(claimed / max(total.read_complete, 1), 4),
        "sure_wrong_share": round(wrong / max(claimed, 1), 5),
        "threshold_for_half_percent": round(limit, 4),
        "half_percent_share": round(total.above(limit)[0] / max(total.read_complete, 1), 4),
        "per_label": {
            label: round(total.right_per_label[label] / count, 3) for label, count in sorted(total.per_label.items())
        },
        "precision_per_label": {
            label: round(total.precise_per_label[label] / count, 3)
            for label, count in sorted(total.read_per_label.items())
        },
        "by_score": by_score([(score, right) for score, right, complete in total.scored if complete]),
        "confusions": [f"{truth}->{read}: {count}" for (truth, read), count in total.confusions.most_common(20)],
    }


def by_group(judged: Iterable[Judged]) -> dict[str, list[Judged]]:
    """The same judgements apart for each source of photographs or kind of scene."""
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        groups.setdefault(one.group, []).append(one)
    return groups


def report(judged: Sequence[Judged]) -> dict[str, Any]:
    """All figures: against raw and corrected labels, and per source against corrected ones."""
    result = {
        "raw labels": summary(tally([(one.reading, one.raw) for one in judged])),
        "corrected labels": summary(tally([(one.reading, one.corrected) for one in judged])),
    }
    for name, part in sorted(by_group(judged).items()):
        result[f"corrected, {name}"] = summary(tally([(o.reading, o.corrected) for o in part]))
    return result


def format_report(figures: dict[str, Any]) -> str:
    """The report as lines a person reads."""
    return "\n".join(line for name, part in figures.items() for line in format_figures(name, part))


def format_figures(title: str, part: dict[str, Any]) -> list[str]:
    """The figures of one tally as lines a person reads."""
    lines = [
        f"== {title}: {part['labelled']} tiles",
        f"   located {part['located']:.2%}   right face {part['right_face']:.2%}   "
        f"precision {part['precision_complete']:.2%} (complete), {part['precision_all']:.2%} (all)   "
        f"whole pictures {part['pictures_right']}",
        f"   sure {part['sure_share']:.2%} of the readings, {part['sure_wrong_share']:.3%} of them wrong; "
        f"0.5 % wrong from score {part['threshold_for_half_percent']}, which {part['half_percent_share']:.2%} reach",
        "   weakest " + _weakest(part["per_label"]),
        "   confusions " + ", ".join(part["confusions"][:10]),
    ]
    if "by_score" in part:  # figures that an earlier version of `folds` kept have neither
        lines += ["   least precise " + _weakest(part["precision_per_label"]), *format_scores(part["by_score"])]
    return lines


def _weakest(shares: dict[str, float]) -> str:
    worst = sorted(shares.items(), key=lambda item: item[1])[:8]
    return ", ".join(f"{label} {share:.1%}" for label, share in worst)


def format_scores(table: Sequence[Sequence[float]]) -> list[str]:
    """What each band of scores promises and what it keeps, see `metrics.by_score`."""
    return [
        f"   scores from {low:.2f}: {count} readings, mean score {mean:.3f}, {right:.2%} right"
        for low, count, mean, right in table
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures; exit code 2 with one sentence when the folder is not usable."""
    parser = argparse.ArgumentParser(prog="python -m models.train.evaluate", description=__doc__)
    parser.add_argument("--photos", type=Path, required=True, help="folder with images/, labels/ and views.csv")
    parser.add_argument("--models", type=Path, help="folder of other weights with a manifest.json")
    parser.add_argument("--patches", type=Path, default=PATCHES, help="corrections of wrong labels")
    parser.add_argument("--group", default="", choices=["", *GROUPS], help="only this group of photographs")
    parser.add_argument("--every", type=int, default=1, help="read only every so many pictures")
    parser.add_argument("--json", type=Path, help="also write every figure to this file")
    chosen = parser.parse_args(arguments)
    from tqdm import tqdm

    cv2.setNumThreads(2)
    manifest = load_manifest(chosen.models) if chosen.models else load_manifest()
    try:
        judged = judge(
            chosen.photos,
            read_patches(chosen.patches),
            manifest,
            chosen.every,
            partial(tqdm, unit="picture"),
            group=chosen.group,
        )
    except DataError as error:
        print(error, file=sys.stderr)
        return 2
    figures = report(judged)
    print(format_report(figures))
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The training pipeline as one command: `python -m models.train --help`.

    python -m models.train classifier --photos PHOTOS/train --out runs --minutes 20
    python -m models.train detector   --photos PHOTOS/train --out runs --minutes 30
    python -m models.train export     --classifier runs/classifier.pt --detector runs/detector.pt
    python -m models.train.evaluate   --photos PHOTOS/val
    python -m models.train boxes      --photos PHOTOS/val

A run that was stopped goes on from its checkpoint (`*-run.pt` in its folder) when the same command is given again.
Elsewhere it goes on from the small file beside that, with what to learn from given again:
`--start runs/classifier-run.half.pt`.
"""

from __future__ import annotations

import argparse
import csv
import json
import logging
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models import HERE, load_manifest
from models.train.data import GROUPS, DataError

if TYPE_CHECKING:
    from models.train.checkpoint import Start

CHECKPOINTS = Path(__file__).with_name("checkpoints")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one step of the pipeline; exit code 2 with one sentence when the data is not usable."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    chosen = _parser().parse_args(arguments)
    try:
        chosen.run(chosen)
    except DataError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m models.train", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    steps = parser.add_subparsers(required=True, metavar="STEP")
    for name, run, text in (
        ("classifier", train_classifier, "train the network that names a tile"),
        ("detector", train_detector, "train the network that finds tiles"),
    ):
        step = steps.add_parser(name, help=text)
        step.set_defaults(run=run)
        step.add_argument("--photos", type=Path, help="labelled photographs: folder with images/ and labels/")
        step.add_argument("--scenes", type=Path, nargs="+", default=[], help="folders of rendered scenes, same form")
        step.add_argument("--out", type=Path, required=True, help="where checkpoints and weights go")
        step.add_argument("--minutes", type=float, help="training time (default 20)")
        step.add_argument("--steps", type=int, help="end after so many steps if that is earlier")
        step.add_argument(
            "--start",
            type=Path,
            help="half-precision weights to start from; with their place in a schedule (`.half.pt`) they go on there",
        )
        step.add_argument("--scene-share", type=float, help="share of rendered material (default 0.4)")
        step.add_argument("--leave-out", default="", choices=["", *GROUPS], help="group of photographs to leave out")
        step.add_argument("--seed", type=int, help="default 7")
        step.add_argument("--threads", type=int, default=2)
        step.add_argument("--rate", type=float, help="peak learning rate")
        step.add_argument("--seen", type=Path, help="file written by the step `look`")
        step.add_argument("--size", dest="size_px", type=int, help="detector: side of a training view (default 448 px)")
    step = steps.add_parser("mean", help="mean of the weights of two networks that were trained on from one")
    step.set_defaults(run=mean)
    step.add_argument("first", type=Path)
    step.add_argument("second", type=Path)
    step.add_argument("--share", type=float, default=0.5, help="weight of the second one (default 0.5)")
    step.add_argument("--out", type=Path, required=True)
    step = steps.add_parser("export", help="write ONNX files, check them against torch, update the manifest")
    step.set_defaults(run=export)
    step.add_argument("--classifier", type=Path, default=CHECKPOINTS / "classifier.pt")
    step.add_argument("--detector", type=Path, default=CHECKPOINTS / "detector.pt")
    step.add_argument("--models", type=Path, default=HERE, help="folder to write to (default: the shipped one)")
    step.add_argument("--version", help="version to note in the manifest")
    step.add_argument("--sure", type=float, help="score from which a reading is sure")
    step.add_argument("--soft", type=float, help="the same for what is not seen sharply")
    step.add_argument("--check", type=float, help="score from which a reading is worth a check")
    step.add_argument("--tile", type=float, help="score below which there is no tile")
    step.add_argument("--back", type=float, help="detector's score from which a face-down tile may be sure")
    step = steps.add_parser("boxes", help="judge the classifier alone, on given boxes")
    step.set_defaults(run=judge_boxes)
    step.add_argument("--photos", type=Path, required=True)
    step.add_argument("--classifier", type=Path, default=CHECKPOINTS / "classifier.pt")
    step.add_argument("--group", default="", choices=["", *GROUPS], help="only this group of photographs")
    step.add_argument("--turns", type=int, default=4, help="quarter turns to average (default 4)")
    step = steps.add_parser("look", help="find displaced labels and tiles that nobody marked")
    step.set_defaults(run=look)
    step.add_argument("--photos", type=Path, required=True)
    step.add_argument("--eyes", type=Path, required=True, help="exported weights that learned from rendered scenes")
    step.add_argument("--seed", type=int, default=7)
    step.add_argument("--out", type=Path, required=True, help="JSON file to write")
    step = steps.add_parser("suspects", help="list labels the classifier firmly disagrees with")
    step.set_defaults(run=list_suspects)
    step.add_argument("--photos", type=Path, required=True)
    step.add_argument("--classifier", type=Path, default=CHECKPOINTS / "classifier.pt")
    step.add_argument("--seen", type=Path, help="file written by the step `look`")
    step.add_argument("--certain", type=float, default=0.9, help="probability from which it is firm (default 0.9)")
    step.add_argument("--out", type=Path, required=True, help="CSV file to write")
    return parser


def _planned(usual: Any, chosen: argparse.Namespace, start: Start | None) -> dict[str, Any]:
    """The fields of a run's schedule: as given, else as in the checkpoint it goes on from, else as usual here.

    Raises:
        DataError: the checkpoint is on the schedule of the other network.
    """
    fields = {**asdict(usual), "steps": 1_000_000, "minutes": 20.0, "seed": 7}
    kept = start.schedule if start else {}
    if not kept.keys() <= fields.keys():
        raise DataError(f"{chosen.start} is not from a run of this network")
    given = {name: value for name, value in vars(chosen).items() if name in fields and value is not None}
    return {**fields, **kept, **given}


def train_classifier(chosen: argparse.Namespace) -> None:
    """Trains the face classifier and writes `classifier.pt` (half precision) to the folder."""
    import torch

    from models.train import samples
    from models.train import train_classifier as step
    from models.train.checkpoint import half_state, read_start
    from models.train.data import read_pictures

    seen = json.loads(chosen.seen.read_text(encoding="utf-8")) if chosen.seen else None
    photos = samples.photographs(chosen.photos, chosen.leave_out, seen) if chosen.photos else []
    scenes = [picture for folder in chosen.scenes for picture in read_pictures(folder)]
    start = read_start(chosen.start) if chosen.start else None
    schedule = step.Schedule(**_planned(step.Schedule(rate=2e-3), chosen, start))
    crops, weights = samples.crops_of(photos, scenes, schedule.seed, schedule.scene_share)
    trainer = step.Trainer(schedule, start)
    if start:
        weights = samples.drop_hidden_tiles(crops, weights, trainer.ema)
    net = trainer.run(crops, chosen.out / "classifier-run.pt", weights)
    torch.save(half_state(net), chosen.out / "classifier.pt")


def train_detector(chosen: argparse.Namespace) -> None:
    """Trains the detector and writes `detector.pt` (half precision) to the folder."""
    import torch

    from models.train import samples
    from models.train import train_detector as step
    from models.train.checkpoint import half_state, read_start
    from models.train.data import read_pictures

    seen = json.loads(chosen.seen.read_text(encoding="utf-8")) if chosen.seen else None
    photos = samples.photographs(chosen.photos, chosen.leave_out, seen) if chosen.photos else []
    scenes = [picture for folder in chosen.scenes for picture in read_pictures(folder)]
    material = samples.detector_samples(photos, scenes, seen or {})
    start = read_start(chosen.start) if chosen.start else None
    schedule = step.DetectorSchedule(**_planned(step.DetectorSchedule(rate=6e-4), chosen, start))
    trainer = step.DetectorTrainer(schedule, start)
    weights = samples.sample_weights(material, schedule.scene_share)
    net = trainer.run(material, chosen.out / "detector-run.pt", weights)
    torch.save(half_state(net), chosen.out / "detector.pt")


def mean(chosen: argparse.Namespace) -> None:
    """Writes the mean of two checkpoints."""
    from models.train.checkpoint import mean_of

    mean_of(chosen.first, chosen.second, chosen.share, chosen.out)


def export(chosen: argparse.Namespace) -> None:
    """Writes both ONNX files beside the manifest and prints how well they agree with torch."""
    from models.train import export as step
    from models.train.checkpoint import load_start
    from models.train.network import FaceNet
    from models.train.train_detector import CLASSES, load_weights, make_model

    chosen.models.mkdir(parents=True, exist_ok=True)
    net = FaceNet()
    net.load_state_dict(load_start(chosen.classifier))
    model = make_model()
    load_weights(model, load_start(chosen.detector))
    for parity in (
        step.export_classifier(net, chosen.models / "classifier.onnx"),
        step.export_detector(model, chosen.models / "detector.onnx", len(CLASSES)),
    ):
        print(f"{parity.file} answers like torch ({parity.used:.1%} of the allowed difference)")
    thresholds = {name: getattr(chosen, name) for name in ("sure", "check", "tile", "soft", "back")}
    changes: dict[str, object] = {
        "detector": {"classes": list(CLASSES), "input": 640},
        "thresholds": {key: value for key, value in thresholds.items() if value is not None},
    }
    if chosen.version:
        changes["version"] = chosen.version
    step.write_manifest(chosen.models, changes)


def judge_boxes(chosen: argparse.Namespace) -> None:
    """Prints how many given boxes the classifier names right."""
    from models.train import given_boxes
    from models.train.checkpoint import load_start
    from models.train.data import group_of, read_patches, read_pictures, read_views
    from models.train.network import FaceNet

    net = FaceNet().eval()
    net.load_state_dict(load_start(chosen.classifier))
    views = read_views(chosen.photos)
    pictures = [
        picture
        for picture in read_pictures(chosen.photos, read_patches())
        if views.get(picture.path.stem) != "stretched"
        and (not chosen.group or group_of(picture.path.stem) == chosen.group)
    ]
    print(given_boxes.describe(given_boxes.name_boxes(net, pictures, chosen.turns)))


def look(chosen: argparse.Namespace) -> None:
    """Writes where the labelled tiles of the photographs are, and tiles that nobody marked."""
    from models.train import samples
    from vision.reader import TileReader

    reader = TileReader.from_manifest(load_manifest(chosen.eyes), threads=1)
    seen = samples.look_at(reader, samples.photographs(chosen.photos), chosen.seed)
    chosen.out.write_text(json.dumps(seen), encoding="utf-8")
    lost = sum(one["boxes"] is None for one in seen.values())
    print(f"{sum(len(one['unmarked']) for one in seen.values())} unmarked tiles; labels do not fit {lost} pictures")


def list_suspects(chosen: argparse.Namespace) -> None:
    """Writes labels to look at as rows of the patch file; nothing is corrected unseen."""
    import numpy as np

    from models.train import samples
    from models.train.checkpoint import load_start
    from models.train.data import load_rgb, read_patches, read_pictures, square_crop
    from models.train.network import MARGIN, SIZE_PX, FaceNet
    from models.train.train_classifier import predict

    net = FaceNet().eval()
    net.load_state_dict(load_start(chosen.classifier))
    seen = json.loads(chosen.seen.read_text(encoding="utf-8")) if chosen.seen else {}
    rows = []
    for picture in read_pictures(chosen.photos, read_patches()):
        image = load_rgb(picture.path)
        boxes = samples.where(picture, seen) * np.array([image.shape[1], image.shape[0]] * 2, np.float32)
        ready = np.stack([square_crop(image, box, 1 + MARGIN, SIZE_PX) for box in boxes])
        for index, was, now, score in samples.suspects(picture.labels, predict(net, ready), chosen.certain):
            centre = (picture.boxes[index, :2] + picture.boxes[index, 2:]) / 2
            rows.append([picture.path.stem, f"{centre[0]:.4f}", f"{centre[1]:.4f}", was, now, f"{score:.3f}"])
    with chosen.out.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["picture", "cx", "cy", "was", "now", "score"], *rows])
    print(f"{len(rows)} labels to look at in {chosen.out}")


if __name__ == "__main__":
    sys.exit(main())

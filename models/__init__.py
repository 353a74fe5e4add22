"""The trained eyes of Paiju: weights, labels and the sheet that says how to use them.

This package is data plus a loader. It finds the files, checks that they are the ones the
manifest describes, and imports nothing that can run a network; `vision` does that.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
LABELS: tuple[str, ...] = tuple((HERE / "labels.txt").read_text(encoding="ascii").split())
"""Every tile face the classifier can name, in the order of its outputs; `x` is a face-down tile."""


class ModelsError(ValueError):
    """The weights or their manifest are missing, damaged or not made for each other."""


@dataclass(frozen=True, slots=True)
class DetectorSheet:
    """Where tiles are: the file of the detector and how to feed it.

    `classes` names the score rows of its output; `input_px` is the usual letterbox side; `int8` is its
    eight-bit twin, where one is shipped.
    """

    path: Path
    sha256: str
    classes: tuple[str, ...]
    input_px: int
    int8: Path | None = None

    @property
    def quick(self) -> Path:
        """The file to run: the eight-bit twin answers alike in half the time."""
        return self.int8 or self.path


@dataclass(frozen=True, slots=True)
class ClassifierSheet:
    """What a tile is: the file of the face classifier and how to cut its crops.

    A crop is the square around the box centre with side `max(w, h) * (1 + margin)`, resized
    to `size_px`. `quarter_turns` is how many rotations by 90 degrees to average where the
    first look is not certain. `int8` is its eight-bit twin, where one is shipped; what was enrolled with
    one holds for the other, so `sha256` names both.
    """

    path: Path
    sha256: str
    size_px: int
    margin: float
    quarter_turns: int
    int8: Path | None = None

    @property
    def quick(self) -> Path:
        """The file to run: the eight-bit twin answers alike in a third of the time."""
        return self.int8 or self.path


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Scores from which a reading is called *sure* or worth a *check*; below is unreadable.

    Below `tile` there is most likely no tile at all: the classifier is taught to be unsure of
    places without one. A face that is not seen sharply, and a tile face down, is sure from `soft` on only. Below the
    detector's score `back` a face-down tile is never sure: much else is plain.
    """

    sure: float
    check: float
    tile: float = 0.0
    soft: float = 0.0
    back: float = 0.0


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything a reader needs to know about the shipped weights."""

    version: str
    detector: DetectorSheet
    classifier: ClassifierSheet
    thresholds: Thresholds


def load_manifest(folder: Path = HERE, *, verify: bool = True) -> Manifest:
    """Reads which weights are shipped and how to use them.

    Args:
        folder: holds `manifest.json`, the ONNX files and nothing else that matters.
        verify: also compare each file with its checksum (a few milliseconds).

    Raises:
        ModelsError: a file is missing, unreadable or not the one the manifest describes.
    """
    source = folder / "manifest.json"
    try:
        raw = json.loads(source.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelsError(f"cannot read {source}: {error.strerror}; reinstall paiju or run the export again") from error
    except ValueError as error:
        raise ModelsError(f"{source} is not valid JSON: {error}") from error
    try:
        manifest = _parse(raw, folder)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelsError(f"{source} does not describe the weights: {error!r}") from error
    if verify:
        for part in (raw["detector"], raw["classifier"]):
            for named in (part, part.get("int8")):
                if named:
                    _verify(folder / str(named["file"]), str(named["sha256"]))
    return manifest


def _parse(raw: Any, folder: Path) -> Manifest:
    detector, classifier, limits = raw["detector"], raw["classifier"], raw["thresholds"]
    thresholds = Thresholds(*(float(limits[name]) for name in ("sure", "check", "tile", "soft", "back")))
    rising = (0, thresholds.tile, thresholds.check, thresholds.sure, thresholds.soft, 1)
    if list(rising) != sorted(rising) or not 0 <= thresholds.back <= 1:
        raise ValueError(f"thresholds {limits} must satisfy 0 <= tile <= check <= sure <= soft <= 1 and 0 <= back <= 1")
    return Manifest(
        version=str(raw["version"]),
        detector=DetectorSheet(
            path=folder / str(detector["file"]),
            sha256=str(detector["sha256"]),
            classes=tuple(str(name) for name in detector["classes"]),
            input_px=int(detector["input"]),
            int8=_twin(detector, folder),
        ),
        classifier=ClassifierSheet(
            path=folder / str(classifier["file"]),
            sha256=str(classifier["sha256"]),
            size_px=int(classifier["size"]),
            margin=float(classifier["margin"]),
            quarter_turns=int(classifier["quarter_turns"]),
            int8=_twin(classifier, folder),
        ),
        thresholds=thresholds,
    )


def _twin(part: Any, folder: Path) -> Path | None:
    return folder / str(part["int8"]["file"]) if "int8" in part else None


def _verify(path: Path, sha256: str) -> None:
    try:
        found = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise ModelsError(f"cannot read the weights {path}: {error.strerror}") from error
    if found != sha256:
        raise ModelsError(
            f"{path} is not the file that manifest.json describes "
            f"(sha256 {found[:12]}…, expected {sha256[:12]}…); reinstall paiju or export again"
        )

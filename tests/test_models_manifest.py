"""The shipped weights are the ones the manifest describes, and damage is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from models import HERE, LABELS, ModelsError, load_manifest


def test_labels_are_the_34_tiles_the_8_flowers_and_the_back_in_order() -> None:
    assert len(LABELS) == 43
    assert LABELS[:9] == tuple(f"{n}m" for n in range(1, 10))
    assert LABELS[27:34] == tuple(f"{n}z" for n in range(1, 8))
    assert LABELS[34:] == (*(f"{n}f" for n in range(1, 9)), "x")


def test_shipped_weights_are_verified_and_small() -> None:
    manifest = load_manifest()
    size = sum(path.stat().st_size for path in HERE.glob("*.onnx"))
    assert size <= 16 * 2**20
    assert manifest.detector.classes[0] == "face"
    thresholds = manifest.thresholds
    assert 0 < thresholds.tile <= thresholds.check <= thresholds.sure <= 1
    assert 0 < thresholds.back < 1


def test_the_card_speaks_of_the_weights_and_limits_that_are_shipped() -> None:
    card, manifest = (HERE / "CARD.md").read_text(encoding="utf-8"), load_manifest()
    limits = manifest.thresholds
    assert f"## Figures (version {manifest.version})" in card
    assert f"`sure` from {limits.sure}, `check` from {limits.check}, no tile below {limits.tile} " in card
    assert f"A back is sure only from a detector's score of {limits.back} (`back`)" in card


def test_shipped_classifier_keeps_the_contract() -> None:
    sheet = load_manifest().classifier
    session = onnxruntime.InferenceSession(str(sheet.path), providers=["CPUExecutionProvider"])
    crops = np.full((3, 3, sheet.size_px, sheet.size_px), 0.5, np.float32)
    logits, embedding = session.run(["logits", "embedding"], {"crops": crops})
    assert logits.shape == (3, 43)
    assert embedding.shape[0] == 3
    assert np.allclose(np.linalg.norm(embedding, axis=1), 1, atol=1e-3)


@pytest.mark.parametrize(("height", "width"), [(320, 640), (448, 448)])
def test_shipped_detector_takes_any_multiple_of_32(height: int, width: int) -> None:
    sheet = load_manifest().detector
    session = onnxruntime.InferenceSession(str(sheet.path), providers=["CPUExecutionProvider"])
    output = session.run(None, {"images": np.zeros((1, 3, height, width), np.float32)})[0]
    anchors = sum(height * width // stride**2 for stride in (8, 16, 32))
    assert output.shape == (1, 4 + len(sheet.classes), anchors)
    assert output[0, 4:].min() >= 0
    assert output[0, 4:].max() <= 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for source in (HERE / "manifest.json", *HERE.glob("*.onnx")):
        shutil.copy(source, tmp_path / source.name)
    return tmp_path


def test_a_copy_elsewhere_loads_from_there(folder: Path) -> None:
    assert load_manifest(folder).detector.path == folder / "detector.onnx"


@pytest.mark.parametrize("part", ["detector", "classifier"])
def test_an_eight_bit_twin_is_run_where_there_is_one_and_verified_like_the_rest(folder: Path, part: str) -> None:
    source, twin = folder / "manifest.json", folder / f"{part}-twin.onnx"
    shutil.copy(folder / f"{part}.onnx", twin)
    raw = json.loads(source.read_text())
    raw[part]["int8"] = {"file": twin.name, "sha256": raw[part]["sha256"]}
    source.write_text(json.dumps(raw))
    manifest = load_manifest(folder)
    sheet = manifest.detector if part == "detector" else manifest.classifier
    assert sheet.quick == twin
    assert sheet.path == folder / f"{part}.onnx"
    del raw[part]["int8"]
    source.write_text(json.dumps(raw))
    manifest = load_manifest(folder)
    assert (manifest.detector if part == "detector" else manifest.classifier).quick == sheet.path
    raw[part]["int8"] = {"file": twin.name, "sha256": "0" * 64}
    source.write_text(json.dumps(raw))
    with pytest.raises(ModelsError, match=f"{twin.name} is not the file"):
        load_manifest(folder)


def test_damaged_weights_are_named(folder: Path) -> None:
    with (folder / "classifier.onnx").open("ab") as file:
        file.write(b"!")
    with pytest.raises(ModelsError, match=r"classifier\.onnx is not the file"):
        load_manifest(folder)


def test_missing_weights_are_named(folder: Path) -> None:
    (folder / "detector.onnx").unlink()
    with pytest.raises(ModelsError, match=r"cannot read the weights .*detector\.onnx"):
        load_manifest(folder)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"thresholds": {"sure": 0.4, "check": 0.6, "tile": 0.3, "soft": 0.9, "back": 0.8}}, "thresholds"),
        ({"thresholds": {"sure": 0.9, "check": 0.6, "tile": 0.3, "soft": 0.8, "back": 0.8}}, "thresholds"),
        ({"thresholds": {"sure": 0.9, "check": 0.6, "tile": 0.3, "soft": 0.9, "back": 88}}, "thresholds"),
        ({"thresholds": {"sure": 0.9, "check": 0.6, "tile": 0.3, "soft": 0.9}}, "back"),
        ({"classifier": {"file": "classifier.onnx"}}, "sha256"),
        ({"detector": None}, "detector|NoneType"),
    ],
)
def test_a_manifest_that_makes_no_sense_is_refused(folder: Path, change: dict[str, object], word: str) -> None:
    source = folder / "manifest.json"
    source.write_text(json.dumps({**json.loads(source.read_text()), **change}))
    with pytest.raises(ModelsError, match=word):
        load_manifest(folder)


def test_a_manifest_that_is_no_json_or_absent_is_refused(folder: Path) -> None:
    source = folder / "manifest.json"
    source.write_text("{")
    with pytest.raises(ModelsError, match="not valid JSON"):
        load_manifest(folder)
    source.unlink()
    with pytest.raises(ModelsError, match="cannot read"):
        load_manifest(folder)

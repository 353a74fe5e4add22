"""The wheel: everything the product needs is in it, nothing it does not, and it runs from a folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LIMIT_MB = 30


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without a network, as the folder it would be installed into."""
    out = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = out.glob("paiju-*.whl")
    assert wheel.stat().st_size < LIMIT_MB * 2**20
    site = out / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


def run(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from table.cli import main; main()", *words],
        cwd=site.parent,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_weights_pictures_pages_and_texts_are_in_it(unpacked: Path) -> None:
    files = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file()}
    assert {"models/detector.onnx", "models/classifier.onnx", "models/manifest.json", "models/labels.txt"} <= files
    assert {
        "table/demo/truth.json",
        "table/demo/followed/pages.json",
        "table/demo/followed/table.jpg",
        "webui/static/tiles/1m.svg",
        "webui/static/tiles/x.svg",
        "table/fonts/PaijuSheet.otf",
    } <= files
    assert any(name.startswith("webui/templates/") for name in files)
    assert not [name for name in files if name.startswith(("tests/", "models/train/checkpoints/"))]


def test_it_runs_from_its_own_folder_and_knows_its_packages(unpacked: Path, tmp_path: Path) -> None:
    doctor = run(unpacked, "doctor", "--data", str(tmp_path / "data"))
    assert "ok     packages" in doctor.stdout, doctor.stdout + doctor.stderr
    assert "ok     weights" in doctor.stdout
    score = run(unpacked, "score", "--hand", "123m456m789m12p55z", "--win", "3p", "--self-draw")
    assert "共 23 番" in score.stdout, score.stderr

"""Fixtures every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A slow or busy computer is no fault of the code: speed is measured in the benchmarks, not in property tests.
settings.register_profile("paiju", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("paiju")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of specifications, worked examples and labelled photographs; it is not part of the product."""
    folder = Path(os.environ.get("PAIJU_SHARED", ROOT.parent / "shared"))
    if not (folder / "rules" / "SCHEMA.md").is_file():
        pytest.skip(f"needs the specification folder {folder.name}/ beside the project (set PAIJU_SHARED)")
    return folder

"""The fonts that tests of the train extra draw with; without them those tests skip visibly."""

from __future__ import annotations

from typing import Any

import pytest


def fonts_here() -> Any:
    """The font book of this computer (`models.train.faces.FontBook`); skips the test where there is none."""
    pytest.importorskip("fontTools", reason="drawing faces needs fonttools of the train extra")
    from models.train.faces import font_book
    from models.train.fonts import FontsMissingError, default_folders

    try:
        return font_book(default_folders())
    except FontsMissingError as missing:
        pytest.skip(str(missing))

"""Which scripts a page loads, read from the scripts themselves."""

from __future__ import annotations

import re
from pathlib import Path

import webui

FOLDER = Path(webui.__file__).parent / "static" / "js"


def imports(script: Path, found: set[Path] | None = None) -> set[Path]:
    """A script and everything it imports."""
    found = set() if found is None else found
    if script not in found:
        found.add(script)
        for name in re.findall(r"from \"(\.[^\"]+)\"", script.read_text("utf-8")):
            imports((script.parent / name).resolve(), found)
    return found


def fetched_later(script: Path) -> set[Path]:
    """The modules that a page fetches with the first touch."""
    return {script.parent / name for name in re.findall(r"\bimport\(\"(\.[^\"]+)\"\)", script.read_text("utf-8"))}


def whole(script: Path) -> set[Path]:
    """Everything a script may ever load."""
    now = imports(script)
    return now | {path for one in now for later in fetched_later(one) for path in whole(later)}

"""Files that must be there after a power cut: written beside their place, brought to the disk, then moved in whole."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def keep(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Put a file in its place: whatever happens meanwhile, it is there whole, or as it was before.

    Args:
        path: where to; its folder is made if it is not there.
        data: the whole contents.
        mode: who may read and write it.

    Raises:
        OSError: the disk refuses; nothing has changed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".new")
    fresh = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        fresh.chmod(mode)
        move_in(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def move_in(fresh: Path, path: Path) -> None:
    """Move a finished file of the same folder to its place, once the disk has it.

    Raises:
        OSError: the disk refuses; what was at the place is still there.
    """
    _sync(fresh, os.O_RDONLY)
    fresh.replace(path)
    with contextlib.suppress(OSError):  # some file systems (FAT, network drives) sync no folders
        _sync(path.parent, os.O_RDONLY | os.O_DIRECTORY)


def _sync(path: Path, how: int) -> None:
    handle = os.open(path, how)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

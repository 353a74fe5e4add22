"""What a table's folder says about its eyes: its own tiles, and where the camera hangs.

Both files are optional, and neither may keep a table from starting: what cannot be used is told in one sentence, and
the table runs as if it were not there.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from vision.calibration import Calibration, CalibrationError
from vision.calibration_file import load_calibration
from vision.enrolled import EnrolmentError
from vision.reader import TileReader

ENROLLED, CALIBRATION = "enrolled.npz", "calibration.json"
Tell = Callable[[str], None]


def open_reader(data: Path, threads: int, tell: Tell) -> TileReader:
    """The tile reader, with the table's own tiles where they were enrolled.

    Args:
        data: The table's folder.
        threads: CPU threads to use.
        tell: Takes a sentence when the enrolled tiles cannot be used.

    Raises:
        models.ModelsError: The weights are missing or damaged.
    """
    path = data / ENROLLED
    if path.exists():
        try:
            return TileReader.from_models(threads, path)
        except EnrolmentError as error:
            tell(str(error))
    return TileReader.from_models(threads)


def stored_calibration(data: Path, tell: Tell) -> Calibration | None:
    """Where the camera hangs, if somebody calibrated it; `tell` takes a sentence when that file cannot be used."""
    path = data / CALIBRATION
    if not path.exists():
        return None
    try:
        return load_calibration(path)
    except CalibrationError as error:
        tell(str(error))
        return None

"""What a table's folder says about its eyes: its own tiles, and where the camera hangs.

Both files are optional, and neither may keep a table from starting: what cannot be used is told in one sentence, and
the table runs as if it were not there.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from table.durable import keep
from vision.calibration import Calibration, CalibrationError
from vision.calibration_file import calibration_text, load_calibration
from vision.enrolled import EnrolledSet, EnrolmentError
from vision.reader import TileReader

ENROLLED, CALIBRATION = "enrolled.npz", "calibration.json"
Tell = Callable[[str], None]


def keep_calibration(path: Path, felt: Calibration, made_on: str) -> None:
    """Keep where the felt lies in the camera's picture, with the day (an ISO date) on which it was found.

    Raises:
        CalibrationError: the disk refuses.
    """
    try:
        keep(path, calibration_text(felt, made_on).encode())
    except OSError as error:
        raise CalibrationError(f"{path}: cannot be written ({error.strerror}); choose another --out.") from error


def keep_enrolled(path: Path, learnt: EnrolledSet) -> None:
    """Keep a table's own tiles.

    Raises:
        EnrolmentError: the disk refuses.
    """
    try:
        keep(path, learnt.packed())
    except OSError as error:
        raise EnrolmentError(f"{path}: cannot be written ({error.strerror}); choose another --out.") from error


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

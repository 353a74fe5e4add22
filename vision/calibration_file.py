"""A calibration kept in a file, so that a camera is calibrated once and not at every start."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from vision.calibration import Calibration, CalibrationError, calibrate

FORMAT = 1


def calibration_text(calibration: Calibration, made_on: str) -> str:
    """A calibration as JSON that a person can read.

    Args:
        calibration: What to keep.
        made_on: The day, as an ISO date.
    """
    document = {
        "format": FORMAT,
        "made_on": made_on,
        "corners_px": calibration.corners_px.round(2).tolist(),
        "size_mm": calibration.size_mm,
        "picture_px": calibration.picture_px,
    }
    return json.dumps(document, indent=1) + "\n"


def load_calibration(path: Path) -> Calibration:
    """Reads a calibration.

    Raises:
        CalibrationError: No such file, damaged, or corners that no felt can have.
    """
    again = "calibrate again: paiju calibrate"
    try:
        return _parse(json.loads(path.read_text(encoding="ascii")))
    except FileNotFoundError:
        raise CalibrationError(f"{path}: there is no such file; {again}.") from None
    except OSError as error:
        raise CalibrationError(f"{path}: cannot be opened ({error.strerror}); {again}.") from error
    except CalibrationError as error:
        raise CalibrationError(f"{path}: {error}") from error
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise CalibrationError(f"{path}: is damaged or no calibration; {again}.") from error


def _parse(document: Any) -> Calibration:
    if document["format"] != FORMAT:
        raise ValueError(f"format {document['format']} is unknown")
    wide, deep = (float(side) for side in document["size_mm"])
    width, height = (int(side) for side in document["picture_px"])
    return calibrate(np.array(document["corners_px"], np.float64), (wide, deep), picture_px=(width, height))

"""`paiju calibrate`: where the camera hangs over the table, and what to change so that it reads well."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from table.cli_eyes import newest, opened
from table.cli_tools import fail, say

if TYPE_CHECKING:
    from vision.calibration import Calibration
    from vision.types import Image


@dataclass(frozen=True, slots=True)
class _Corners:
    """The felt's corners, and the share of its edge that is straight between them (None when named by hand)."""

    points_px: np.ndarray
    quality: float | None


def _numbers(text: str, count: int, what: str) -> list[float]:
    try:
        found = [float(part) for part in text.replace("x", ",").split(",")]
    except ValueError:
        found = []
    if len(found) != count or not np.isfinite(found).all():
        raise click.BadParameter(f"{text!r} is not {what}.")
    return found


@click.command(
    epilog="""\b
Examples:
  paiju calibrate --camera 0                               finds the felt by itself
  paiju calibrate --photo table.jpg --out data/calibration.json
  paiju calibrate --camera 0 --corners 310,95,1590,88,1815,1010,120,1020
Corners: far left, far right, near right, near left, as seen in the picture. Look at the preview: the felt
must fill it from edge to edge.
"""
)
@click.option("--camera", help="0, /dev/video0, 0@3840x2160, rtsp://HOST/PATH, video:FILE or folder:DIR.")
@click.option("--photo", type=click.Path(path_type=Path), help="A picture that the camera took.")
@click.option("--corners", metavar="X1,Y1,...,X4,Y4", help="The felt's corners in pixels; found when left out.")
@click.option("--size", default="820x820", show_default=True, metavar="WxD", help="The felt in millimetres.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=Path("data/calibration.json"),
              show_default=True, help="Where to keep it; the preview goes beside it.")  # fmt: skip
@click.option("--threads", default=2, show_default=True, type=click.IntRange(1, 64), help="Processor threads.")
def calibrate(camera: str | None, photo: Path | None, corners: str | None, size: str, out: Path, threads: int) -> None:
    """Find the felt in the camera's picture, keep where it lies, and say what to improve."""
    from table.eye_files import keep_calibration
    from vision.calibration import CalibrationError
    from vision.calibration import calibrate as work_out
    from vision.frames import SourceError
    from vision.pictures import PictureError

    wide, deep = _numbers(size, 2, "a size such as 820x820")
    by_hand = np.array(_numbers(corners, 8, "eight numbers x1,y1,...,x4,y4")).reshape(4, 2) if corners else None
    if (camera is None) == (photo is None):
        fail("Name a camera or a picture: paiju calibrate --camera 0, or --photo table.jpg")
    try:
        image = _picture(camera, photo)
        seen = _Corners(by_hand, None) if by_hand is not None else _found(image)
        found = work_out(seen.points_px, (wide, deep), picture_px=(image.shape[1], image.shape[0]))
        keep_calibration(out, found, date.today().isoformat())
    except (CalibrationError, PictureError, SourceError) as error:
        fail(str(error))
    preview = _write_preview(image, found, out)
    for line in (*describe(found, seen.quality), *advise(image, threads)):
        say(line)
    say(f"Kept in {out}; {preview} shows the felt from above, check that it fills the picture.")


def _picture(camera: str | None, photo: Path | None) -> Image:
    from vision.pictures import load_picture

    if photo is not None:
        return load_picture(photo)
    with opened(camera or "") as source:
        return newest(source)


def _found(image: Image) -> _Corners:
    from vision.calibration import CalibrationError
    from vision.felt import find_felt

    felt = find_felt(image)
    if felt is None:
        raise CalibrationError(
            "No felt with four straight sides is found. Show the whole felt with its frame, clear its edges, switch "
            "on a lamp; or name its corners (far left, far right, near right, near left): --corners x1,y1,...,x4,y4"
        )
    return _Corners(felt.corners_px, felt.quality)


def describe(found: Calibration, quality: float | None) -> list[str]:
    """What was worked out, for a person."""
    from vision.calibration import LEAST_FACE_PX

    corners = "  ".join(f"({x:.0f}, {y:.0f})" for x, y in found.corners_px)
    how = "named by hand" if quality is None else f"quality {quality:.0%} (share of the felt's edge seen straight)"
    wanted = f"{found.good_face_px} and more at {found.picture_px[0]} x {found.picture_px[1]}"
    lines = [f"Felt corners  {corners}  {how}", f"Tiles are at least {found.face_px:.0f} pixels wide."]
    if found.face_px < LEAST_FACE_PX:
        lines.append("  That is too small to read: hang the camera lower, zoom in, or choose a higher resolution.")
    elif found.face_px < found.good_face_px:
        lines.append(f"  {wanted} read well: hang the camera lower, zoom in, or ask for a higher resolution.")
    else:
        lines.append("  That is enough to read them well.")
    if found.slanted:
        lines.append("  The camera looks from the side: hang it over the middle of the table.")
    return lines


def advise(image: Image, threads: int) -> list[str]:
    """What to change about light, focus, glare and size, judged on the tiles that are seen."""
    from models import ModelsError
    from vision.reader import TileReader
    from vision.scene_check import check_scene, faces_of

    try:
        faces = faces_of(TileReader.from_models(threads).read(image))
    except ModelsError as error:
        return [f"Tiles are not looked at: {error}"]
    check = check_scene(image, faces)
    lines = [f"Light and focus, judged on {len(faces)} open tiles: {'good' if check.good else 'to improve'}"]
    return lines + [f"  {remark.advice}" for remark in check.remarks]


def _write_preview(image: Image, found: Calibration, out: Path) -> Path:
    import cv2

    from vision.calibration import rectify

    view = rectify(image, found, min(found.px_per_mm, 1000 / max(found.size_mm))).image
    target = out.with_suffix(".jpg")
    try:
        target.write_bytes(np.asarray(cv2.imencode(".jpg", view)[1]).tobytes())
    except OSError as error:
        fail(f"{target}: cannot be written ({error.strerror}).")
    return target

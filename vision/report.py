"""What `paiju read` tells people and programs: one JSON object per picture, and pictures with the tiles marked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.pictures import PictureError, load_picture
from vision.reader import TileReader
from vision.types import Image, PictureReading, Sure, TileReading

COLOURS_BGR: dict[Sure, tuple[int, int, int]] = {
    "sure": (90, 170, 40),
    "check": (0, 165, 255),
    "unreadable": (40, 40, 230),
}
MARKS: dict[Sure, str] = {"sure": "", "check": "?", "unreadable": "??"}
"""Said beside the colour, for whoever cannot tell green from red."""


@dataclass(frozen=True, slots=True)
class PictureResult:
    """What came of one picture file.

    Attributes:
        path: As it was given.
        reading: None when the file could not be read.
        error: One sentence for a person; empty when it could.
        drawn: The marked copy, when one was asked for.
    """

    path: str
    reading: PictureReading | None
    error: str = ""
    drawn: Path | None = None


def read_many(reader: TileReader, paths: Iterable[str | Path], draw_dir: Path | None = None) -> Iterator[PictureResult]:
    """Reads pictures one after another and hands out each result as soon as it is there.

    A file that cannot be read gives a result with an error; the others are read all the same.

    Args:
        reader: Reads the pictures.
        paths: Picture files.
        draw_dir: Where to write copies with boxes and names drawn in; made when missing. None for no copies.

    Raises:
        PictureError: `draw_dir` cannot be written to.
    """
    taken: set[str] = set()
    for path in paths:
        try:
            image = load_picture(path if isinstance(path, Path) else Path(path))
        except PictureError as error:
            yield PictureResult(str(path), None, str(error))
            continue
        reading = reader.read(image)
        drawn = _write_drawing(image, reading, draw_dir, _free_name(Path(path).stem, taken)) if draw_dir else None
        yield PictureResult(str(path), reading, drawn=drawn)


def to_json(result: PictureResult) -> str:
    """One line of JSON in the form the design promises; an error line is `{"image", "error"}`."""
    if result.reading is None:
        return json.dumps({"image": result.path, "error": result.error}, ensure_ascii=False)
    return json.dumps({"image": result.path, **reading_as_dict(result.reading)}, ensure_ascii=False)


def reading_as_dict(reading: PictureReading) -> dict[str, Any]:
    """A reading as plain values: `width`, `height`, `tiles` and `groups`."""
    return {
        "width": reading.width,
        "height": reading.height,
        "tiles": [_tile_as_dict(tile) for tile in reading.tiles],
        "groups": [{"kind": group.kind, "tiles": list(group.tiles)} for group in reading.groups],
    }


def to_text(result: PictureResult) -> str:
    """A few lines for a person: each group with its tiles, doubtful ones marked `?`, unreadable ones `??`."""
    reading = result.reading
    if reading is None:
        return result.error
    if not reading.tiles:
        return f"{result.path}: no tiles found; photograph them from above, larger and in better light."
    count = f"{len(reading.tiles)} tile{'s' if len(reading.tiles) > 1 else ''}"
    lines = [f"{result.path}: {count}, {reading.width} x {reading.height} pixels"]
    for group in reading.groups:
        names = " ".join(reading.tiles[place].tile + MARKS[reading.tiles[place].sure] for place in group.tiles)
        lines.append(f"  {group.kind:<5} {names}")
    doubtful = sum(tile.sure != "sure" for tile in reading.tiles)
    if doubtful:
        lines.append(f"  {doubtful} of them marked ? deserve a look (?? could not be read)")
    return "\n".join(lines)


def draw(image: Image, reading: PictureReading) -> Image:
    """A copy of the picture with every tile's box and name: green for sure, amber and red for doubtful ones."""
    drawn = image.copy()
    for tile in reading.tiles:
        left, top, right, bottom = (round(edge) for edge in tile.box_px)
        size = min(right - left, bottom - top)
        colour = COLOURS_BGR[tile.sure]
        cv2.rectangle(drawn, (left, top), (right, bottom), colour, max(1, size // 18))
        _write(drawn, tile.tile + MARKS[tile.sure], (left, top), max(0.3, size / 75), colour)
    return drawn


def _write(image: Image, text: str, corner: tuple[int, int], scale: float, colour: tuple[int, int, int]) -> None:
    font, thick = cv2.FONT_HERSHEY_SIMPLEX, max(1, round(scale * 1.6))
    (wide, high), below = cv2.getTextSize(text, font, scale, thick)
    left, top = corner
    cv2.rectangle(image, (left, top), (left + wide + 2, top + high + below), colour, cv2.FILLED)
    cv2.putText(image, text, (left + 1, top + high + below // 2), font, scale, (255, 255, 255), thick, cv2.LINE_AA)


def _tile_as_dict(tile: TileReading) -> dict[str, Any]:
    return {
        "tile": tile.tile,
        "score": round(tile.score, 4),
        "sure": tile.sure,
        "also": [[face, score] for face, score in tile.also],
        "box": [round(edge, 1) for edge in tile.box_px],
    }


def _free_name(stem: str, taken: set[str]) -> str:
    """The name of a copy; two pictures of one name in different folders must not overwrite each other."""
    name, number = stem, 2
    while name in taken:
        name, number = f"{stem}-{number}", number + 1
    taken.add(name)
    return name


def _write_drawing(image: Image, reading: PictureReading, folder: Path, name: str) -> Path:
    target = folder / f"{name}.read.jpg"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        target.write_bytes(np.asarray(cv2.imencode(".jpg", draw(image, reading))[1]).tobytes())
    except OSError as error:
        raise PictureError(f"{target}: cannot be written ({error.strerror}); name another folder.") from error
    return target

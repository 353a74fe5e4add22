"""Pictures that people set right, as training data: crops of approved hands with a label for every tile.

A hand counts when it was approved and its tiles were not corrected afterwards; what a person named goes before what the
eyes said. A picture with a tile that nobody vouches for is left out, so no label is a guess. The `.zip` is the usual
YOLO folder: `images/`, `labels/` (class, then centre and size of the box as shares of the picture), `data.yaml`, and
`corrections.csv` with what was read and what it was. Nothing is written without the consent of the players.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from models import LABELS
from table import events as ev
from table import hand_events as hand
from table.durable import move_in
from table.evidence import EvidenceStore
from table.fold import advance
from table.ledger import Entry, LedgerError, read
from table.model import LaidHand, SeenTile
from table.runtime import EVIDENCE_NAME, LEDGER_NAME
from table.set_aside import wins_of
from table.state import Claim, State
from vision.pictures import load_picture

EARLIEST = (1980, 1, 1, 0, 0, 0)
"""A fixed time inside the archive, so that the same ledger gives the same file."""


class YoloError(Exception):
    """Nothing can be exported; the text says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A picture with its labels.

    Attributes:
        picture: evidence id.
        tiles: (what was read, what it is) with the box in pixels (left, top, right, bottom).
    """

    picture: str
    tiles: tuple[tuple[str, str, tuple[float, float, float, float]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lessons:
    """What was written: pictures, tiles, how many of these were set right, and pictures that were left out."""

    pictures: int
    tiles: int
    corrected: int
    left_out: int


def write_yolo(data_dir: Path, target: Path, *, consent: bool) -> Lessons:
    """Write every picture that can teach, from all games of the ledger.

    Args:
        data_dir: the table's folder.
        target: a new `.zip`.
        consent: whether the players agreed that pictures of their hands leave this table.

    Raises:
        YoloError: no consent, the file exists or cannot be written, or the ledger cannot be read.
    """
    if not consent:
        raise YoloError("Ask the players first: with --consent you say that they agreed to give these pictures away.")
    if target.exists():
        raise YoloError(f"{target} exists already. Choose another name.")
    try:
        found, left_out = lessons(read(data_dir / LEDGER_NAME))
    except LedgerError as error:
        raise YoloError(str(error)) from error
    store, files, kept = EvidenceStore(data_dir / EVIDENCE_NAME), dict[str, bytes](), list[Lesson]()
    for lesson in found:
        image = store.get(lesson.picture)
        if image is None:
            left_out += 1
            continue
        kept.append(lesson)
        files[f"images/{lesson.picture}.jpg"] = image
        files[f"labels/{lesson.picture}.txt"] = _labels(lesson, image).encode()
    files["data.yaml"] = _data().encode()
    files["corrections.csv"] = _corrections(kept).encode()
    _write(files, target)
    tiles = [(seen, now) for lesson in kept for seen, now, _ in lesson.tiles]
    changed = sum(seen != now for seen, now in tiles)
    return Lessons(pictures=len(kept), tiles=len(tiles), corrected=changed, left_out=left_out)


def lessons(entries: Iterable[Entry]) -> tuple[list[Lesson], int]:
    """The pictures that can teach, oldest first, and how many approved ones cannot."""
    state, games = State(), list[State]()
    settled: dict[tuple[str, int, str], Claim] = {}
    for entry in entries:
        before, state = state, advance(state, entry)
        if isinstance(entry.event, ev.GameOpened) and before.game is not None:
            games.append(before)
        if isinstance(entry.event, ev.HandSettled | hand.WinsPaid) and before.game and before.setup:
            for claim in before.claims:
                if claim.picture is not None and claim.tiles and claim.how != "manual":
                    settled[before.game.id, before.setup.hand_no, claim.picture] = claim
    standing = {key: laid for game in (*games, state) for key, laid in _standing(game)}
    valid = [claim for key, claim in settled.items() if key in standing and standing[key] == claim.laid]
    vouched = [claim for claim in valid if all(_vouched(claim, tile) for tile in claim.tiles)]
    return [_lesson(claim) for claim in vouched], len(settled) - len(vouched)


def _standing(state: State) -> Iterator[tuple[tuple[str, int, str], LaidHand]]:
    """The hands as they stand now, by game, hand and picture."""
    if state.game is None:
        return
    for played in state.hands:
        for win in wins_of(played.outcome):
            if win.picture is not None:
                yield (state.game.id, played.setup.hand_no, win.picture), win.laid


def _vouched(claim: Claim, tile: SeenTile) -> bool:
    """Whether a person named the tile or the eyes were sure of it."""
    return tile.index in claim.pins or tile.sure == "sure"


def _lesson(claim: Claim) -> Lesson:
    tiles = ((tile.tile, claim.tile_at(tile.index), tile.box) for tile in claim.tiles if claim.tile_at(tile.index))
    return Lesson(picture=str(claim.picture), tiles=tuple(tiles))


def _labels(lesson: Lesson, image: bytes) -> str:
    height, width = load_picture(image).shape[:2]
    lines = []
    for _, tile, (left, top, right, bottom) in lesson.tiles:
        centre = ((left + right) / 2 / width, (top + bottom) / 2 / height)
        size = ((right - left) / width, (bottom - top) / height)
        lines.append(" ".join([str(LABELS.index(tile)), *(f"{share:.6f}" for share in (*centre, *size))]))
    return "\n".join(lines) + "\n"


def _data() -> str:
    names = "\n".join(f"  {number}: {json.dumps(label)}" for number, label in enumerate(LABELS))
    return f"path: .\ntrain: images\nval: images\nnames:\n{names}\n"


def _corrections(kept: Iterable[Lesson]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["picture", "read", "is"])
    for lesson in kept:
        writer.writerows([lesson.picture, seen, now] for seen, now, _ in lesson.tiles if seen != now)
    return text.getvalue()


def _write(files: dict[str, bytes], target: Path) -> None:
    part = target.with_name(target.name + ".part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in sorted(files.items()):
                archive.writestr(zipfile.ZipInfo(name, EARLIEST), data)
        move_in(part, target)
    except OSError as error:
        raise YoloError(f"{target}: cannot be written ({error.strerror}). Name another folder.") from error
    finally:
        part.unlink(missing_ok=True)

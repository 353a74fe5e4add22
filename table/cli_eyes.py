"""`paiju enrol` and `paiju calibrate`: the eyes learn this table's tiles, and where its camera hangs."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from table.cli_tools import fail, say

if TYPE_CHECKING:
    from models import Manifest
    from vision.enrolment import Doubt, RowReader, SeenRow
    from vision.frames import FrameSource
    from vision.guided import GuidedRow
    from vision.types import Image

FIRST_FRAME_S = 6.0
"""How long a camera may take to deliver its first picture."""


@click.command(
    epilog="""\b
Lay these rows out, tiles touching, and photograph each from above:
  萬 1 to 9 · 筒 1 to 9 · 條 1 to 9 · 東南西北白發中 · (春夏秋冬梅蘭竹菊)
Pictures may come in any order, and a row several times, in other light or turned.

\b
Examples:
  paiju enrol wan.jpg tong.jpg tiao.jpg honours.jpg flowers.jpg
  paiju enrol --camera 0                    asks for row after row
  paiju enrol --show                        what is enrolled
  paiju enrol --remove                      back to tiles of any make
"""
)
@click.argument("pictures", nargs=-1, metavar="PICTURE...")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=Path("data/enrolled.npz"),
              show_default=True, help="The table's own tiles.")  # fmt: skip
@click.option("--camera", help="Take the pictures here: 0, /dev/video0, rtsp://HOST/PATH, folder:DIR.")
@click.option("--show", is_flag=True, help="Say what is enrolled.")
@click.option("--remove", is_flag=True, help="Forget the enrolled tiles.")
@click.option("--sure", is_flag=True, help="All tiles lie as asked: take those that look like others as well.")
@click.option("--in-order", is_flag=True, help="The pictures show the rows in the order above, one each.")
@click.option("--threads", default=2, show_default=True, type=click.IntRange(1, 64), help="Processor threads.")
def enrol(pictures: tuple[str, ...], out: Path, camera: str | None, show: bool, remove: bool, **how: Any) -> None:
    """Teach the eyes this table's own tiles, from one picture of each guided row."""
    from models import ModelsError, load_manifest
    from vision.enrolled import EnrolmentError
    from vision.enrolment import RowReader
    from vision.frames import SourceError
    from vision.pictures import PictureError

    if sum((bool(pictures), camera is not None, show, remove)) != 1:
        fail("Name the pictures of the guided rows, or one of --camera, --show and --remove; see paiju enrol --help.")
    try:
        manifest = load_manifest()
        if show:
            _show(out, manifest)
        elif remove:
            _remove(out)
        else:
            reader = RowReader.from_manifest(manifest, how["threads"])
            settle = _settle_all if how["sure"] else _settle
            if camera:
                rows = _from_camera(reader, camera, settle)
            else:
                rows = _from_files(reader, pictures, in_order=how["in_order"], settle=settle)
            _keep(rows, out, manifest)
    except (ModelsError, EnrolmentError, PictureError, SourceError) as error:
        fail(str(error))


def _keep(rows: list[SeenRow], out: Path, manifest: Manifest) -> None:
    from table.eye_files import keep_enrolled
    from vision.enrolment import enrol as learn

    learnt = learn(rows, manifest.classifier.sha256, date.today().isoformat())
    keep_enrolled(out, learnt)
    say(f"{len(learnt.tiles)} tiles learnt, kept in {out}. paiju run --data {out.parent} uses them from now on.")


def _from_files(
    reader: RowReader, pictures: tuple[str, ...], *, in_order: bool, settle: Callable[[Doubt], None]
) -> list[SeenRow]:
    from vision.guided import GUIDED_ROWS
    from vision.pictures import load_picture

    if in_order and len(pictures) > len(GUIDED_ROWS):
        fail(f"There are {len(GUIDED_ROWS)} guided rows; {len(pictures)} pictures cannot show them in order.")
    rows = []
    with click.progressbar(pictures, label="Looking", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        for place, name in enumerate(bar):
            expected = GUIDED_ROWS[place] if in_order else None
            rows.append(reader.look(load_picture(Path(name)), name, expected))
    for name, seen in zip(pictures, rows, strict=True):
        say(f"{name}: {seen.row.text}")
    for seen in rows:
        for doubt in seen.doubts:
            settle(doubt)
    return rows


def _from_camera(reader: RowReader, camera: str, settle: Callable[[Doubt], None]) -> list[SeenRow]:
    from vision.guided import GUIDED_ROWS

    with opened(camera) as source:
        rows = []
        for row in GUIDED_ROWS:
            skip = "; s leaves this row out" if row.optional else ""
            while True:
                answer = click.prompt(f"Lay out {row.text}, then press Enter{skip}", default="", show_default=False)
                if row.optional and answer.strip().lower() == "s":
                    break
                seen = _snap(reader, source, row, settle)
                if seen is not None:
                    rows.append(seen)
                    break
        return rows


def _snap(reader: RowReader, source: FrameSource, row: GuidedRow, settle: Callable[[Doubt], None]) -> SeenRow | None:
    """The row before the camera; None, after saying why, when it must be laid or taken again."""
    from vision.enrolled import EnrolmentError
    from vision.scene_check import check_scene

    image = newest(source)
    try:
        seen = reader.look(image, "The camera's picture", row)
        for doubt in seen.doubts:
            settle(doubt)
    except EnrolmentError as error:
        say(str(error))
        return None
    for remark in check_scene(image, seen.boxes_px).remarks:
        say(f"  {remark.advice}")
    return seen


def _settle(doubt: Doubt) -> None:
    """Asks about a tile that looks like another one.

    Raises:
        EnrolmentError: It does not lie where it should, or nobody is there to be asked.
    """
    from vision.enrolled import EnrolmentError

    what = f"{doubt.picture}: tile {doubt.place} should be {doubt.expected} but looks like {doubt.seen}"
    if not sys.stdin.isatty():
        raise EnrolmentError(f"{what} ({doubt.score:.0%}). Lay it right, or say --sure if it lies right.")
    if not click.confirm(f"{what} ({doubt.score:.0%}). Is it really {doubt.expected}?"):
        raise EnrolmentError(f"{what}; lay the row again.")


def _settle_all(doubt: Doubt) -> None:
    say(f"{doubt.picture}: tile {doubt.place} looks like {doubt.seen}, taken as {doubt.expected}.")


def _show(path: Path, manifest: Manifest) -> None:
    from vision.enrolled import load_enrolled
    from vision.guided import GUIDED_ROWS

    found = load_enrolled(path)
    copies = dict(zip(found.tiles, found.copies, strict=True))
    say(f"{path}: {len(found.tiles)} tiles, enrolled on {found.made_on}")
    for row in GUIDED_ROWS:
        seen = [copies[tile] for tile in row.tiles if tile in copies]
        say(f"  {row.text}: {f'{min(seen)} of each' if seen else 'not enrolled'}")
    if found.weights_sha256 != manifest.classifier.sha256:
        fail("They belong to another version of the eyes and are not used; lay the tiles out again: paiju enrol")


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except FileNotFoundError:
        fail(f"{path}: nothing is enrolled there.")
    except OSError as error:
        fail(f"{path}: cannot be removed ({error.strerror}).")
    say(f"{path} removed; tiles are read as those of any set again.")


@contextlib.contextmanager
def opened(spec: str) -> Iterator[FrameSource]:
    from vision.sources import open_source

    source = open_source(spec)
    try:
        yield source
    finally:
        source.close()


def newest(source: FrameSource) -> Image:
    """The camera's newest picture; waits for its first one."""
    end = time.monotonic() + FIRST_FRAME_S
    while (frame := source.latest()) is None:
        if time.monotonic() > end:
            fail(f"The camera delivers no picture. {source.status().text}".rstrip())
        time.sleep(0.05)
    return frame.image

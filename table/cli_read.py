"""`paiju read`: photographs to tiles."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from table.cli_tools import fail, say


@click.command(
    epilog="""\b
Examples:
  paiju read hand.jpg
  paiju read *.jpg --json > tiles.jsonl
  paiju read table.jpg --draw marked/
"""
)
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per picture.")
@click.option("--draw", type=click.Path(file_okay=False, path_type=Path), help="Write marked copies into this folder.")
@click.option("--threads", default=2, show_default=True, type=click.IntRange(1, 64), help="Processor threads.")
def read(photos: tuple[str, ...], as_json: bool, draw: Path | None, threads: int) -> None:
    """Read the tiles in pictures: what they are, where they lie, and how sure that is."""
    from models import ModelsError
    from vision.pictures import PictureError
    from vision.reader import TileReader
    from vision.report import read_many, to_json, to_text

    try:
        reader = TileReader.from_models(threads=threads)
    except ModelsError as error:
        fail(str(error))
    failed = False
    watched = len(photos) > 1 and sys.stderr.isatty() and not sys.stdout.isatty()  # the answers go elsewhere
    with click.progressbar(length=len(photos), label="Reading", file=sys.stderr, hidden=not watched) as bar:
        try:
            for result in read_many(reader, photos, draw):
                failed = failed or result.reading is None
                if result.reading is None and not as_json:
                    click.echo("\n" * watched + result.error, err=True)
                else:
                    say(to_json(result) if as_json else to_text(result))
                bar.update(1)
        except PictureError as error:
            fail(str(error))
    sys.exit(int(failed))

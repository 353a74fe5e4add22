"""How every command speaks: lines on standard output, one sentence and exit code 1 when it cannot go on."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from table.state import State


def say(line: str) -> None:
    """Write a line for the person or program that called; characters that UTF-8 cannot carry become JSON's escapes."""
    try:
        click.echo(line.encode("utf-8", "backslashreplace").decode("utf-8"))
    except OSError as error:
        if error.errno == errno.EPIPE:  # the reader has enough, as in `paiju ... | head -1`
            raise
        fail(f"The output cannot be written ({error.strerror}): make room on its disk and run the command again.")


def fail(sentence: str) -> NoReturn:
    """Stop with a sentence that says what is wrong and what to do."""
    raise click.ClickException(sentence)


DATA = click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), default=Path("data"), show_default=True,
    help="The table's folder.",
)  # fmt: skip


def game_of(data: Path, game: str | None) -> State:
    """A game of the table kept in this folder, the latest if none is named; ends the program if there is none."""
    from table.export import ExportError, choose, games
    from table.ledger import LedgerError, read
    from table.runtime import LEDGER_NAME

    try:
        return choose(games(read(data / LEDGER_NAME)), game)
    except (ExportError, LedgerError) as error:
        fail(str(error))

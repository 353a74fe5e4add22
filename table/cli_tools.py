"""How every command speaks: lines on standard output, one sentence and exit code 1 when it cannot go on."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click
from click.core import ParameterSource

from table.durable import keep

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


def refuse_idle(options: Sequence[str], beside: str) -> None:
    """Stop when one of these options of the command was given although it means nothing there.

    Args:
        options: by the name of their parameter.
        beside: with what they mean nothing, e.g. ``--demo``.
    """
    context = click.get_current_context()
    for one in context.command.params:
        if one.name in options and context.get_parameter_source(str(one.name)) is ParameterSource.COMMANDLINE:
            fail(f"{one.opts[0]} means nothing with {beside}: leave one of them out.")


def write_whole(target: Path, data: bytes) -> None:
    """Write a file so that it is there whole or, as before, not at all; devices are written to as they are.

    Raises:
        OSError: it cannot be written.
    """
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    keep(target, data)


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

"""How every command speaks: lines on standard output, one sentence and exit code 1 when it cannot go on."""

from __future__ import annotations

import errno
from typing import NoReturn

import click


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

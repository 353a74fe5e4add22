"""How every command speaks: lines on standard output, one sentence and exit code 1 when it cannot go on."""

from __future__ import annotations

from typing import NoReturn

import click


def say(line: str) -> None:
    """Write a line for the person or program that called."""
    click.echo(line)


def fail(sentence: str) -> NoReturn:
    """Stop with a sentence that says what is wrong and what to do."""
    raise click.ClickException(sentence)

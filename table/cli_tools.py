"""How every command speaks: lines on standard output, one sentence and exit code 1 when it cannot go on."""

from __future__ import annotations

import errno
import json
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


def parse_json(text: str) -> object:
    """What a JSON text says.

    Raises:
        ValueError: It is no JSON, or none that a program should swallow; the text says why.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:  # Python reads no integer of more than 4300 digits
        raise ValueError("a number in it has thousands of digits") from None


def fail(sentence: str) -> NoReturn:
    """Stop with a sentence that says what is wrong and what to do."""
    raise click.ClickException(sentence)

"""Reading JSON that strangers wrote: whatever is in it, the answer is a value or one sentence."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator

DEEPEST = 100
"""Lists and objects inside each other; nothing that Paiju reads needs a tenth of it."""

_SURROGATE = re.compile("[\ud800-\udfff]")


def parse_json(text: str) -> object:
    """What a JSON text says, where the answer repeats parts of it: nothing that JSON or UTF-8 cannot carry back.

    Raises:
        ValueError: It is no JSON, or none that a program should swallow: a number that is not finite or has thousands
            of digits, half a character, deep nesting. The text says which.
    """
    value = _read(text)
    for one, depth in _inside(value):
        if depth > DEEPEST:
            raise ValueError("it is nested too deeply")
        if isinstance(one, float) and not math.isfinite(one):
            raise ValueError("a number in it is too large, or none at all")
        if isinstance(one, str) and _SURROGATE.search(one):
            raise ValueError("a text in it holds half a character (a lone surrogate)")
    return value


def _read(text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:  # Python reads no integer of more than 4300 digits
        raise ValueError("a number in it has thousands of digits") from None


def _inside(value: object) -> Iterator[tuple[object, int]]:
    """The value and everything in it, keys too, with how deep it lies."""
    waiting = [(value, 0)]
    while waiting:
        one, depth = waiting.pop()
        yield one, depth
        if isinstance(one, dict):
            waiting.extend((inner, depth + 1) for pair in one.items() for inner in pair)
        elif isinstance(one, list):
            waiting.extend((inner, depth + 1) for inner in one)

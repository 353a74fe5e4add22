"""What the rules raise when they are asked something impossible.

RulesInputError          the question cannot be answered as it stands
├── Impossible           what is said of a hand cannot be (a fifth copy, a chow of winds); it has a key of `IMPOSSIBLE`
├── UnknownRuleset       no ruleset of that name
├── UnknownOption        the ruleset has no such option, or not that value
└── UnknownKind          the ruleset does not answer that kind of question

A hand that is merely not a legal win is no error: it is a `Refusal` (see `rules.model`).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from rules.impossible import IMPOSSIBLE

LONGEST = 400
"""Characters of a message; input that is longer than a sentence is shown by its two ends."""


class RulesInputError(ValueError):
    """The input is malformed; the message holds the input and says what to change."""

    def __init__(self, message: str) -> None:
        super().__init__(message if len(message) <= LONGEST else f"{message[:200]} ... {message[-180:]}")


class Impossible(RulesInputError):  # noqa: N818 - names a player would use
    """What is said of a hand cannot be; `key` and `values` are what a page needs to say it in its language.

    Raises:
        KeyError: the key is unknown, or a value is missing (a mistake in the program).
    """

    def __init__(self, key: str, **values: str | int) -> None:
        super().__init__(IMPOSSIBLE[key].format(**values))
        self.key = key
        self.values: Mapping[str, str | int] = values


class UnknownRuleset(RulesInputError):  # noqa: N818 - names a player would use
    """No ruleset has this name."""


class UnknownOption(RulesInputError):  # noqa: N818 - names a player would use
    """The ruleset has no such option, or the option does not take that value."""


class UnknownKind(RulesInputError):  # noqa: N818 - names a player would use
    """The ruleset does not answer this kind of question."""


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """The tail of an error message: the nearest known name, and all of them.

    >>> did_you_mean("sichuang", ["gb", "sichuan"])
    'did you mean "sichuan"? known: gb, sichuan'
    """
    names = [str(one) for one in known]
    near = nearest(name, names)
    hint = f'did you mean "{near}"? ' if near else ""
    return f"{hint}known: {', '.join(names)}"


def nearest(name: object, known: Iterable[object]) -> str:
    """The known name that is most like this one; empty when none is.

    >>> nearest("mcr206", ["gb", "mcr2006"]), nearest("x", ["gb"])
    ('mcr2006', '')
    """
    close = difflib.get_close_matches(str(name)[:LONGEST], [str(one) for one in known], n=1, cutoff=0.5)
    return close[0] if close else ""

"""What the rules raise when they are asked something impossible.

RulesInputError          the question cannot be answered as it stands (a fifth copy, a chow of winds)
├── UnknownRuleset       no ruleset of that name
├── UnknownOption        the ruleset has no such option, or not that value
└── UnknownKind          the ruleset does not answer that kind of question

A hand that is merely not a legal win is no error: it is a `Refusal` (see `rules.model`).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class RulesInputError(ValueError):
    """The input is malformed; the message holds the input and says what to change."""


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
    near = difflib.get_close_matches(str(name), names, n=1, cutoff=0.5)
    hint = f'did you mean "{near[0]}"? ' if near else ""
    return f"{hint}known: {', '.join(names)}"

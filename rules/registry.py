"""The list of rulesets. A new one is a file in `rules/rulesets/` and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.errors import UnknownRuleset, did_you_mean
from rules.options import choose
from rules.ruleset import Ruleset
from rules.rulesets.gb import GB

RULESETS: tuple[Ruleset, ...] = (GB,)
"""All rulesets with their default options, in the order they are shown."""


def names() -> tuple[str, ...]:
    """The names of all rulesets."""
    return tuple(rules.name for rules in RULESETS)


def ruleset(name: str, options: Mapping[str, object] | None = None) -> Ruleset:
    """A ruleset by name, with the options of a table in place of its defaults.

    Raises:
        UnknownRuleset: No ruleset has this name.
        UnknownOption: The ruleset has no such option, or the option does not take that value.
    """
    for rules in RULESETS:
        if rules.name == name:
            return with_options(rules, options or {})
    raise UnknownRuleset(f'there is no ruleset "{name}"; {did_you_mean(name, names())}')


def with_options(rules: Ruleset, options: Mapping[str, object]) -> Ruleset:
    """The same ruleset with these options chosen."""
    return rules.adjust(replace(rules, chosen=choose(rules.name, rules.options, options)))

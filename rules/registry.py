"""The list of rulesets. A new one is a file in `rules/rulesets/` and a line here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from rules.errors import UnknownRuleset, did_you_mean
from rules.options import choose
from rules.ruleset import Ruleset
from rules.rulesets.beginner258 import BEGINNER258
from rules.rulesets.changsha import CHANGSHA
from rules.rulesets.fujian import FUJIAN
from rules.rulesets.gb import GB
from rules.rulesets.guangdong import GUANGDONG
from rules.rulesets.jiaxing import JIAXING
from rules.rulesets.popular import POPULAR
from rules.rulesets.sichuan import SICHUAN
from rules.rulesets.two_player import TWO_PLAYER
from rules.rulesets.wuhan import WUHAN

RULESETS: tuple[Ruleset, ...] = (
    GB,
    JIAXING,
    WUHAN,
    FUJIAN,
    GUANGDONG,
    SICHUAN,
    CHANGSHA,
    POPULAR,
    TWO_PLAYER,
    BEGINNER258,
)
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
            return _prepared(name, json.dumps(dict(options or {}), sort_keys=True, default=str))
    raise UnknownRuleset(f'there is no ruleset "{name}"; {did_you_mean(name, names())}')


@lru_cache(maxsize=256)
def _prepared(name: str, options: str) -> Ruleset:
    """Tables ask with the same options again and again."""
    rules = next(rules for rules in RULESETS if rules.name == name)
    return with_options(rules, json.loads(options))


def with_options(rules: Ruleset, options: Mapping[str, object]) -> Ruleset:
    """The same ruleset with these options chosen."""
    return rules.adjust(replace(rules, chosen=choose(rules.name, rules.options, options)))

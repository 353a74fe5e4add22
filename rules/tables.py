"""A ruleset as a table that a player can read: its fans with their values, its options, its sources."""

from __future__ import annotations

import json
from collections.abc import Iterable
from unicodedata import east_asian_width

from rules.fan_names import fan_name
from rules.fans import Fan
from rules.options import Option
from rules.questions import plain_points
from rules.ruleset import Ruleset
from rules.wording import LANGUAGES, in_words, layer_in_words

HEADINGS = {
    "zh-Hans": ("番种", "分值", "含", "说明", "选项", "默认", "可选", "来源"),
    "zh-Hant": ("番種", "分值", "含", "說明", "選項", "預設", "可選", "來源"),
    "en": ("fan", "value", "includes", "meaning", "option", "default", "takes", "source"),
}


def describe(rules: Ruleset, language: str = "zh-Hans") -> str:
    """The whole ruleset as text: title, fan table by layer, options, sources.

    Args:
        rules: A ruleset; the options chosen in it decide which rows it has.
        language: `zh-Hans`, `zh-Hant` or `en`.
    """
    fan, value, includes, meaning, option, default, takes, source = HEADINGS[language]
    lines = [f"{rules.title[LANGUAGES.index(language)]} ({rules.name}, {rules.version})"]
    for layer in dict.fromkeys(row.layer for row in rules.fans):
        rows = [_fan_row(row, language, rules.name) for row in rules.fans if row.layer == layer]
        lines += ["", *_table(((fan, value, f"{meaning} [{layer_in_words(layer, language)}]", includes), *rows))]
    choices = [_option_row(name, one, language) for name, one in rules.options.items()]
    lines += ["", *_table(((option, default, takes, source), *choices))]
    sources = [in_words(one, language) for one in rules.sources]
    lines += ["", f"{source}: {'; '.join(sources)}"] if sources else []
    return "\n".join(lines)


def _fan_row(row: Fan, language: str, ruleset: str) -> tuple[str, ...]:
    included = (one if isinstance(one, str) else one.name for one in row.excludes)
    names = ", ".join(fan_name(one, language, ruleset) for one in included)
    name = fan_name(row.name, language, ruleset)
    return name, str(plain_points(row.value)), in_words(row.meaning, language), names or "-"


def _option_row(name: str, option: Option, language: str) -> tuple[str, ...]:
    origin, note = in_words(option.mark, language), in_words(option.note, language)
    allowed = in_words(option.allowed(), language)
    return name, json.dumps(option.default, ensure_ascii=False), allowed, f"{origin}: {note}" if note else origin


def _table(rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Rows as aligned columns; the last column runs free."""
    listed = list(rows)
    widths = [max(_width(row[column]) for row in listed) for column in range(len(listed[0]) - 1)]
    return [
        "  ".join([*(cell + " " * (wide - _width(cell)) for cell, wide in zip(row, widths, strict=False)), row[-1]])
        for row in listed
    ]


def _width(text: str) -> int:
    """How many columns a terminal gives the text: a Chinese character takes two."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)

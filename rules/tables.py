"""A ruleset as a table that a player can read: its fans with their values, its options, its sources."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from unicodedata import east_asian_width

from rules.fan_names import fan_name
from rules.fans import Fan
from rules.model import Plain
from rules.options import Option
from rules.questions import plain_points
from rules.ruleset import Ruleset
from rules.wording import LANGUAGES, in_words, layer_in_words

HEADINGS = {
    "zh-Hans": ("番种", "分值", "含", "说明", "选项", "默认", "可选", "来源"),
    "zh-Hant": ("番種", "分值", "含", "說明", "選項", "預設", "可選", "來源"),
    "en": ("fan", "value", "includes", "meaning", "option", "default", "takes", "source"),
}


def describe(
    rules: Ruleset, language: str = "zh-Hans", words: Mapping[str, str] = MappingProxyType({}), *, keys: bool = False
) -> str:
    """The whole ruleset as text: title, fan table by layer, options, sources.

    Args:
        rules: A ruleset; the options chosen in it decide which rows it has.
        language: `zh-Hans`, `zh-Hant` or `en`.
        words: What set-up calls options and their values: `option.mode`, `option.mode.blood`, `answer.yes`, `answer.no`
            and `answer.none`; what has no word is shown as `--option` takes it.
        keys: With the word of an option or value also its key, for those who type it.
    """
    fan, value, includes, meaning, option, default, takes, source = HEADINGS[language]
    lines = [f"{rules.title[LANGUAGES.index(language)]} ({rules.name}, {rules.version})"]
    for layer in dict.fromkeys(row.layer for row in rules.fans):
        rows = [_fan_row(row, language, rules.name) for row in rules.fans if row.layer == layer]
        lines += ["", *_table(((fan, value, f"{meaning} [{layer_in_words(layer, language)}]", includes), *rows))]
    choices = [_option_row(one, language, _Named(name, words, keys)) for name, one in rules.options.items()]
    lines += ["", *_table(((option, default, takes, source), *choices))]
    sources = [in_words(one, language) for one in rules.sources]
    lines += ["", f"{source}: {'; '.join(sources)}"] if sources else []
    return "\n".join(lines)


def _fan_row(row: Fan, language: str, ruleset: str) -> tuple[str, ...]:
    names = ", ".join(fan_name(one, language, ruleset) for one in row.includes)
    name = fan_name(row.name, language, ruleset)
    return name, str(plain_points(row.value)), in_words(row.meaning, language), names or "-"


@dataclass(frozen=True, slots=True)
class _Named:
    """An option and its values in the words of set-up."""

    name: str
    words: Mapping[str, str]
    keys: bool

    def option(self) -> str:
        return self._with_key(self.words.get(f"option.{self.name}"), self.name)

    def value(self, value: Plain) -> str:
        key = json.dumps(value, ensure_ascii=False)
        if isinstance(value, bool) or value is None:
            word = self.words.get({True: "answer.yes", False: "answer.no", None: "answer.none"}[value])
        else:
            word = self.words.get(f"option.{self.name}.{value}")
        return self._with_key(word, key if word is None or not isinstance(value, str) else value)

    def _with_key(self, word: str | None, key: str) -> str:
        return key if word is None else f"{word} ({key})" if self.keys else word


def _option_row(option: Option, language: str, named: _Named) -> tuple[str, ...]:
    origin, note = in_words(option.mark, language), in_words(option.note, language)
    listed = option.values if named.words else None
    allowed = in_words(option.allowed(), language) if listed is None else ", ".join(map(named.value, listed))
    return named.option(), named.value(option.default), allowed, f"{origin}: {note}" if note else origin


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

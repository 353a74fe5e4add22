"""The words on the pages in 简体, 繁體 and English, and which of them a device wants to read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from rules.fan_names import FAN_NAMES, fan_name

LANGUAGES: Mapping[str, str] = MappingProxyType({"zh-Hans": "简体", "zh-Hant": "繁體", "en": "English"})
DEFAULT_LANGUAGE = "zh-Hans"
FOLDER = Path(__file__).parent / "texts"
_TRADITIONAL_REGIONS = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All words of one language: interface texts by key, e.g. `win.who`, and fan names by their Chinese term."""

    language: str
    texts: Mapping[str, str]
    fans: Mapping[str, str]

    def __call__(self, key: str) -> str:
        """The text of a key; a missing key is a programming error and raises `KeyError`."""
        return self.texts[key]


@cache
def catalogue(language: str) -> Catalogue:
    """The words of one of `LANGUAGES`; read once, then kept."""
    texts = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
    fans = {term: fan_name(term, language) for term in FAN_NAMES}
    return Catalogue(language, MappingProxyType(texts), MappingProxyType(fans))


def preferred(accept_language: str) -> str:
    """The best of our languages for an `Accept-Language` header such as `zh-TW,zh;q=0.9,en;q=0.8`."""
    wishes: list[tuple[float, int, str]] = []
    for place, part in enumerate(accept_language.lower().split(",")):
        tag, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            weight = 0.0
        wishes.append((-weight, place, tag))
    for _, _, tag in sorted(wishes):
        if tag.startswith(_TRADITIONAL_REGIONS):
            return "zh-Hant"
        if tag.startswith("zh"):
            return "zh-Hans"
        if tag.startswith("en"):
            return "en"
    return DEFAULT_LANGUAGE

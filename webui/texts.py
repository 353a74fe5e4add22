"""The words on the pages in 简体, 繁體 and English, and which of them a device wants to read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from rules.fan_names import FAN_NAMES, fan_name
from rules.registry import RULESETS
from rules.wording import LANGUAGES as TITLES_IN

LANGUAGES: Mapping[str, str] = MappingProxyType({"zh-Hans": "简体", "zh-Hant": "繁體", "en": "English"})
DEFAULT_LANGUAGE = "zh-Hans"
FOLDER = Path(__file__).parent / "texts"
_TRADITIONAL_REGIONS = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All words of one language: interface texts by key, e.g. `win.who`, and fan names by their Chinese term.

    Names of rulesets (`ruleset.gb`) and of fans are those that `rules` gives them.
    """

    language: str
    texts: Mapping[str, str]
    fans: Mapping[str, str]

    def __call__(self, key: str) -> str:
        """The text of a key; a missing key is a programming error and raises `KeyError`."""
        return self.texts[key]


PARTS = ("table", "play", "snap", "desk", "case", "history", "hall", "setup", "devices", "join", "overlay")
"""Who fetches words: the pages, `play`, which the table and the phone fetch with the first touch, and `case`, which the
desk fetches right after the scores are there."""

_SHEETS = ("play", "desk", "case", "history", "hall", "devices", "setup")

ONLY_FOR: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "board": ("table", "play"),
        "call": _SHEETS,
        "clock": ("table", "play", "desk", "case"),
        "corner": ("setup",),
        "correct": ("case", "history"),
        "desk": ("desk", "case", "history", "hall"),
        "devices": ("devices", "setup"),
        "draw": ("play", "case"),
        "entry": ("play", "case"),
        "evening": ("history",),
        "fact": ("play", "case"),
        "game": ("play",),
        "hall": ("hall",),
        "live": ("desk", "case"),
        "lost": (),  # the page is drawn here
        "option": ("play", "case", "setup"),
        "outcome": ("case",),
        "paper": (),  # only on the score sheet, which is drawn here
        "penalty": ("desk", "case"),
        "phase": ("table", "play", "hall"),
        "plays": ("play", "case"),
        "record": ("case", "history"),
        "reject": ("case",),
        "report": ("setup",),
        "row": ("setup",),
        "ruleset": ("table", "play", "desk", "case", "history", "setup"),
        "say": ("play", "desk", "case", "hall", "setup", "devices"),
        "say.past": ("case",),
        "say.why": ("play", "case"),
        "scene": ("setup",),
        "seen": ("table", "play", "snap", "desk", "case"),
        "setup": ("play", "case", "history", "setup"),
        "snap": ("play", "snap", "case"),
        "trust.page": (),  # the page is drawn here
        "undo": ("play",),
        "waiting": ("case",),
        "wall": ("table", "play"),
        "win": ("snap", *_SHEETS),
        "win.announce": ("play", "case"),
        "wizard": ("setup",),
    }
)
"""Words that not everybody needs, by the beginning of their keys; all others are few and go to every page."""

FURTHER: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "correct.options": ("desk",),
        "desk.full_picture": ("table", "play"),
        "game.title": _SHEETS,
        "devices.role.": ("case", "history"),
        "devices.title": _SHEETS,
        "evening.print": ("setup",),
        "phase.finished": ("desk", "case", "overlay"),
        "plays.more": ("table", "desk"),
        "plays.open": ("table", "desk"),
        "say.code_old": ("join",),
        "setup.none": ("table", "snap", "desk"),
        "say.hand_open": ("table", "snap", "history", "join"),
        "say.too_large": ("table", "snap", "history", "join"),
        "say.why.ledger_": ("hall", "setup", "devices"),
        **{
            f"say.{start}_": ("table",)
            for start in (
                "camera", "demo", "dice", "disk", "eye", "eyes", "lamp", "ledger", "line", "notice", "recording",
                "rules", "table", "wall",
            )
        },
    }
)  # fmt: skip
"""Of the words above those that further parts need: what every script may say, and what is wrong with a device.

The scoreboard without `play` has only the usual troubles; a rarer one makes it fetch the rest (`core/page.js`)."""

FANS_FOR = ("table", "play", "desk", "case", "history")
"""Who shows what a hand was made of."""


@cache
def words_for(language: str, part: str) -> Catalogue:
    """The words of one of `LANGUAGES` that one of `PARTS` needs, so that a page on an old tablet opens quickly."""
    whole = catalogue(language)
    elsewhere = tuple(f"{start}." for start, parts in ONLY_FOR.items() if part not in parts)
    further = tuple(start for start, parts in FURTHER.items() if part in parts)
    texts = {key: text for key, text in whole.texts.items() if key.startswith(further) or not key.startswith(elsewhere)}
    return Catalogue(language, MappingProxyType(texts), whole.fans if part in FANS_FOR else MappingProxyType({}))


@cache
def catalogue(language: str) -> Catalogue:
    """The words of one of `LANGUAGES`; read once, then kept."""
    place = TITLES_IN.index(language)
    titles = {f"ruleset.{rules.name}": rules.title[place] for rules in RULESETS}
    texts = titles | json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
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

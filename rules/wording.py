"""What the rules say in words, in three languages: the English sentence is the key of its Chinese ones.

Definitions of fans (the first line of each pattern's docstring), reasons of refusals and the phrases of explanations.
A sentence without an entry is shown in English.
"""

from __future__ import annotations

from rules.wording_fans import FANS_OF_GB
from rules.wording_options import LAYERS, OPTIONS
from rules.wording_phrases import PHRASES
from rules.wording_regional import FANS_OF_TOWNS

LANGUAGES = ("zh-Hans", "zh-Hant", "en")

CHINESE: dict[str, tuple[str, str]] = {**FANS_OF_GB, **FANS_OF_TOWNS, **PHRASES, **OPTIONS}
"""English sentence to its simplified and traditional Chinese."""


def layer_in_words(layer: str, language: str) -> str:
    """What the rows of a layer of a fan table are for, in `zh-Hans` or `zh-Hant`; in English the layer's own word."""
    return layer if language == "en" else LAYERS[layer][language == "zh-Hant"]


def in_words(sentence: str, language: str) -> str:
    """A sentence of the rules in `zh-Hans`, `zh-Hant` or `en`.

    >>> in_words("Two melded kongs.", "zh-Hant")
    '兩副明槓。'
    """
    if language == "en" or sentence not in CHINESE:
        return sentence
    return CHINESE[sentence][language == "zh-Hant"]

"""`paiju rules NAME`: a ruleset as a table a player can read."""

from __future__ import annotations

import pytest

from rules.errors import RulesInputError, UnknownOption
from rules.registry import RULESETS, ruleset
from rules.tables import LANGUAGES, describe
from rules.tiles import parse_tiles
from rules.wording import CHINESE, in_words
from rules.wording_fans import FANS_OF_GB
from rules.wording_options import LAYERS, OPTIONS
from rules.wording_phrases import PHRASES
from rules.wording_regional import FANS_OF_TOWNS


@pytest.mark.parametrize("name", [rules.name for rules in RULESETS])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fan_option_and_source_is_listed(name: str, language: str) -> None:
    rules = ruleset(name)
    text = describe(rules, language)
    lines = text.splitlines()
    assert rules.title[LANGUAGES.index(language)] in lines[0]
    for option in rules.options:
        assert any(line.startswith(option) for line in lines)
    assert all(in_words(source, language) in text for source in rules.sources)
    headings = sum("[" in line and line.endswith(("含", "includes")) for line in lines)
    assert headings == len({fan.layer for fan in rules.fans})
    blank_and_title_lines = 2 + text.count("\n\n") + bool(rules.sources)
    assert len(lines) >= len(rules.fans) + len(rules.options) + blank_and_title_lines


def test_a_row_gives_value_meaning_and_what_it_includes() -> None:
    row = next(line for line in describe(ruleset("gb"), "en").splitlines() if line.startswith("Full Flush "))
    assert row.split()[:3] == ["Full", "Flush", "24"]
    assert "All tiles are of one suit." in row
    assert row.endswith("No Honors")


def test_chinese_columns_line_up_on_a_terminal() -> None:
    lines = describe(ruleset("gb"), "zh-Hant").splitlines()
    # 大四喜 takes six columns, 一色雙龍會 ten: the value stands in one column all the same
    starts = {len(line.encode("big5hkscs", "replace").split(b"88")[0]) for line in lines if " 88 " in line}
    assert len(starts) == 1


@pytest.mark.parametrize("name", [rules.name for rules in RULESETS])
def test_options_sources_and_layers_are_told_in_chinese_too(name: str) -> None:
    rules = ruleset(name)
    words = {*rules.sources, *(one.mark for one in rules.options.values())}
    words |= {one.note for one in rules.options.values()} | {one.takes for one in rules.options.values() if one.takes}
    assert "" not in words, "an option without a note"
    assert not words - set(CHINESE)
    assert {fan.layer for fan in rules.fans} <= set(LAYERS)


def test_a_term_that_means_another_thing_elsewhere_has_its_own_name() -> None:
    assert "Ping Hu " in describe(ruleset("sichuan"), "en")
    assert "All Chows " in describe(ruleset("guangdong"), "en")
    assert "Last Tile Claim " in describe(ruleset("two_player"), "en")
    assert "Last Tile Draw " in describe(ruleset("popular"), "en")


def test_no_sentence_is_translated_twice() -> None:
    assert len(CHINESE) == sum(map(len, (FANS_OF_GB, FANS_OF_TOWNS, PHRASES, OPTIONS)))


def test_a_complaint_stays_a_sentence_however_long_the_input() -> None:
    with pytest.raises(RulesInputError) as complaint:
        parse_tiles("1m" * 50_000 + "k")
    assert len(str(complaint.value)) < 500
    with pytest.raises(UnknownOption, match='takes gb, gb1998, mcr2006; did you mean "gb1998"'):
        ruleset("gb", {"profile": "gb199"})


def test_sichuan_has_no_honours_to_speak_of() -> None:
    meanings = [in_words(fan.meaning, "zh-Hans") for fan in ruleset("sichuan").fans]
    assert not [meaning for meaning in meanings if "字牌" in meaning]

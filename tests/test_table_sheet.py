"""The printed score sheet: what stands on it, that every machine can show it, and the sheets to write on."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rules.registry import RULESETS, ruleset
from table.cli import main
from table.export import choose, games
from table.sheet import blank_sheet, named_sheet, sheet_of
from table.sheet_pdf import FONT_FILE, draw, drawable
from table.state import State
from tests import pdf_text
from tests import webui_rig as rig
from webui.texts import LANGUAGES, catalogue


def evening(folder: Path, hands: int = 4, **fields: Any) -> State:
    """A game with a corrected hand, a penalty and a drawn hand."""
    with rig.open_table(folder) as runtime:
        rig.do(runtime, "open_game", names=list(fields.pop("names", rig.NAMES)), **fields)
        for hand in range(hands):
            if hand == 2:
                rig.do(runtime, "penalise", seat=2, code="false_win", reason="thirteen tiles")
                rig.do(runtime, "start_hand")
                rig.do(runtime, "draw_hand")
            else:
                rig.win(runtime, hand % 4, (hand + 1) % 4)
        rig.do(runtime, "correct_hand", hand_no=2, reason="wrong seat", winner=3)
        if hands < 16:
            rig.do(runtime, "close_game")
        return choose(games(runtime.entries()))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> State:
    return evening(tmp_path_factory.mktemp("table"))


def words_of(state: State, language: str) -> list[str]:
    file = draw(sheet_of(state, catalogue(language), table="Table 7", zone=UTC))
    return pdf_text.read(file.data).pages


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sheet_tells_the_whole_game_in_every_language(played: State, language: str) -> None:
    words = catalogue(language)
    (page,) = words_of(played, language)
    for expected in (words("evening.sheet"), "Table 7", words("ruleset.gb"), words("mode.friendly"), *rig.NAMES):
        assert expected in page
    assert words.fans["清龙"] + " 16" in page.replace("\n", " ")
    assert words("paper.corrected").format(reason="wrong seat").split()[0] in page
    assert "thirteen tiles" in page
    assert words("last.draw") in page
    assert words("evening.signature") in page
    assert "⟦" not in page


def test_the_sums_and_who_pays_whom_are_those_of_the_game(played: State) -> None:
    """Hand 1: seat 0 from 1. Hand 2, corrected: seat 3 from 2. A penalty of 10 to each by seat 2. Hand 4: 3 from 0."""
    (page,) = words_of(played, "en")
    assert played.totals == (48 - 8 + 10 - 32, -32 - 8 + 10 - 8, -8 - 32 - 30 - 8, -8 + 48 + 10 + 48)
    lines = page.split("\n")
    at = lines.index("Total")
    assert lines[at + 1 : at + 5] == ["+18", "−38", "−78", "+98"]
    assert lines[at + 5 : at + 9] == ["1. 李北 +98", "2. 陈东 +18", "3. 赵南 −38", "4. 王芳 −78"]
    assert "王芳 → 李北 78" in lines
    assert "赵南 → 李北 20" in lines


def test_each_row_shows_change_and_score(played: State) -> None:
    sheet = sheet_of(played, catalogue("en"), zone=UTC)
    assert [row.number for row in sheet.rows] == ["1", "2", "3", "3", "4"]
    assert sheet.rows[0].cells == (("+48", "+48"), ("−32", "−32"), ("−8", "−8"), ("−8", "−8"))
    assert sheet.rows[1].result == "李北 from 王芳"
    assert sheet.rows[2].cells[2] == ("−30", "−70")
    assert [row.points for row in sheet.rows] == ["24", "24", "", "", "24"]


def test_the_fonts_travel_with_the_file(played: State) -> None:
    file = pdf_text.read(draw(sheet_of(played, catalogue("zh-Hant"))).data)
    assert file.embedded
    assert all(1_000 < size < FONT_FILE.stat().st_size / 10 for size in file.embedded), "only the characters used"
    assert not file.unembedded


def test_forty_hands_take_several_pages_with_titles_on_each(played: State) -> None:
    pages = words_of(replace(played, history=played.history * 8), "zh-Hans")
    assert len(pages) == 2
    for number, page in enumerate(pages, 1):
        assert f"{number} / 2" in page
        assert "番种与说明" in page
    assert sum(page.count("陈东 和，赵南 放铳") for page in pages) == 8
    assert "合计" in pages[1]
    assert "签名" in pages[1]


def test_the_same_game_gives_the_same_file(played: State) -> None:
    words = catalogue("zh-Hans")
    assert draw(sheet_of(played, words, zone=UTC)).data == draw(sheet_of(played, words, zone=UTC)).data


def test_a_character_outside_the_font_is_replaced_and_said(tmp_path: Path) -> None:
    state = evening(tmp_path, 3, names=("欧阳𪛖", "😀", "José Ñandú", "B" * 40))
    file = draw(sheet_of(state, catalogue("en")))
    assert set(file.missing) == {"𪛖", "😀"}
    page = "\n".join(pdf_text.read(file.data).pages)
    assert "欧阳□" in page
    assert "José Ñandú" in page
    assert "U+2A6D6" in page
    assert "U+1F600" in page


def test_every_word_of_the_pages_can_be_printed() -> None:
    for language in LANGUAGES:
        words = catalogue(language)
        lacking = {sign for text in (*words.texts.values(), *words.fans.values()) for sign in text}
        assert not {sign for sign in lacking if ord(sign) not in drawable()}


def test_names_of_chinese_towns_and_families_can_be_printed() -> None:
    """Simplified and traditional, with some that are rare outside names."""
    assert not {sign for sign in "王李张刘陳楊趙黃歐陽諸葛龔龐喆堃珮瑄玥翀軒萱嬿啟衞峯" if ord(sign) not in drawable()}


def test_a_game_for_two_has_two_columns(tmp_path: Path) -> None:
    with rig.open_table(tmp_path) as runtime:
        rig.do(runtime, "open_game", ruleset="two_player", names=["甲", "乙"])
        state = choose(games(runtime.entries()))
    sheet = named_sheet(state, catalogue("zh-Hans"))
    assert sheet.players == ("甲", "乙")
    assert draw(sheet).pages == 1


@pytest.mark.parametrize("name", [rules.name for rules in RULESETS])
def test_every_option_of_every_game_stands_on_one_page_in_words(tmp_path: Path, name: str) -> None:
    seats = ruleset(name, {}).seats
    with rig.open_table(tmp_path) as runtime:
        rig.do(runtime, "open_game", ruleset=name, names=list(rig.NAMES)[:seats])
        state = choose(games(runtime.entries()))
    for language in LANGUAGES:
        sheet = named_sheet(state, catalogue(language))
        assert sheet.options.count(": ") >= len(ruleset(name, {}).chosen)
        assert not re.findall(r"[a-z]+_[a-z_]+", sheet.options), "an option without a name in this language"
    file = draw(named_sheet(state, catalogue("en")))
    assert (file.pages, file.missing) == (1, ())


def test_money_stands_beside_the_points_where_a_point_has_a_price(tmp_path: Path) -> None:
    state = evening(tmp_path, 3, house={"unit": 50})
    assert sheet_of(state, catalogue("en")).debts[0] == "王芳 → 陈东 50 (25.00)"


@pytest.mark.parametrize("language", LANGUAGES)
def test_sheets_to_write_on_fit_one_page(played: State, language: str) -> None:
    words = catalogue(language)
    empty, named = draw(blank_sheet(words)), draw(named_sheet(played, words))
    assert (empty.pages, named.pages) == (1, 1)
    (page,) = pdf_text.read(named.data).pages
    assert all(name in page for name in rig.NAMES)
    assert "+48" not in page
    (page,) = pdf_text.read(empty.data).pages
    assert "16" in page
    assert words("round.N") in page


def test_the_command_line_writes_the_sheet_and_says_what_the_font_lacks(tmp_path: Path) -> None:
    evening(tmp_path / "data", 3, names=("😀", "赵南", "王芳", "李北"))
    asked = ["export", "--format", "pdf", "--data", str(tmp_path / "data"), "--language", "en"]
    done = CliRunner().invoke(main, [*asked, "--out", str(tmp_path / "evening.pdf")])
    assert done.exit_code == 0
    assert "evening.pdf: 1 page" in done.output
    assert "U+1F600" in done.output
    (page,) = pdf_text.read((tmp_path / "evening.pdf").read_bytes()).pages
    assert "Score sheet" in page
    nowhere = CliRunner().invoke(main, [*asked, "--out", str(tmp_path / "evening.pdf" / "in-a-file.pdf")])
    assert nowhere.exit_code == 1
    assert "cannot be written" in nowhere.output


def test_an_empty_sheet_needs_no_game(tmp_path: Path) -> None:
    out = tmp_path / "paper.pdf"
    asked = ["export", "--format", "pdf", "--sheet", "blank", "--data", str(tmp_path / "none"), "--out", str(out)]
    assert CliRunner().invoke(main, asked).exit_code == 0
    assert out.read_bytes().startswith(b"%PDF-")
    asked[4] = "names"
    assert CliRunner().invoke(main, asked).exit_code == 1


@pytest.mark.parametrize(
    ("language", "result", "first"),
    [
        ("zh-Hans", "赵南、王芳 和，陈东 放铳；李北 自摸", "赵南 24 分 (清一色 3): 陈东\xa0−24、赵南\xa0+24"),
        ("en", "赵南, 王芳 from 陈东; 李北, self-drawn", "赵南 24 points (Full Flush 3): 陈东\xa0−24, 赵南\xa0+24"),
    ],
)
def test_a_battle_says_how_each_player_won_and_who_paid_it(
    tmp_path: Path, language: str, result: str, first: str
) -> None:
    with rig.open_table(tmp_path) as runtime:
        rig.do(runtime, "open_game", ruleset="sichuan", names=list(rig.NAMES))
        rig.do(runtime, "start_hand")
        for seat in (1, 2):
            rig.claim(runtime, seat, 0)
        for hand in ("123456789m123m5m", "123456789p123m5m"):
            rig.do(runtime, "hand_manual", hand=hand, win_tile="5m")
            rig.do(runtime, "approve")
        rig.do(runtime, "claim_win", seat=3, source="self_draw")
        rig.do(runtime, "hand_manual", hand="123456789p123p5p", win_tile="5p")
        rig.do(runtime, "approve")
        state = choose(games(runtime.entries()))
    sheet = sheet_of(state, catalogue(language), zone=UTC)
    (row,) = sheet.rows
    assert row.result == result
    lines = row.detail.split("\n")
    assert lines[0] == first
    assert len(lines) == 3
    (page,) = pdf_text.read(draw(sheet).data).pages
    assert "□" not in page, "a line that ends is no missing character"

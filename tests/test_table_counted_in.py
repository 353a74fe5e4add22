"""The one figure of a win says what it counts: fan where it is their sum, else points."""

from __future__ import annotations

import csv
import io

import pytest
from click.testing import CliRunner

from rules.registry import names
from table.cli import main
from table.customs import customs_of
from table.export import as_csv, game_document
from table.sheet import blank_sheet, sheet_of
from tests.table_kit import Desk, opened, view
from webui.texts import catalogue

ONE_SUIT = {"hand": "123456789s555s9s", "win_tile": "9s"}
"""四川: 清一色 3 and 根 1; with a base of 1 the unit is 2 to the power of 3."""


def won_in_sichuan() -> Desk:
    desk = opened("sichuan", base=1, mode="single")
    desk.win(0, 1, **ONE_SUIT)
    return desk


def test_only_sums_of_fan_are_called_fan() -> None:
    assert {name for name in names() if customs_of(name, {}).counted_in == "fan"} == {"gb", "two_player", "beginner258"}


@pytest.mark.parametrize(
    ("language", "words"),
    [("zh-Hans", "4 番  8 分"), ("zh-Hant", "4 番  8 分"), ("en", "4 fan  8 points")],
)
def test_the_command_line_names_each_number(language: str, words: str) -> None:
    told = CliRunner().invoke(
        main,
        f"score --rules sichuan --option base=1 --language {language} --hand {ONE_SUIT['hand']} --win 9s".split(),
    )
    assert told.output.splitlines()[0] == f"和 win  {words}"


def test_eight_points_of_four_fan_are_called_points_on_pages_and_papers() -> None:
    desk = won_in_sichuan()
    (row,) = view(desk).history
    assert (row.total, sum(fan.value * fan.count for fan in row.fans)) == (8, 4)
    game = view(desk).game
    assert game is not None
    assert game.counted_in == "points"
    (line, _) = csv.DictReader(io.StringIO(as_csv(desk.state)))
    assert (line["total"], line["counted_in"]) == ("8", "points")
    assert game_document(desk.state)["game"]["counted_in"] == "points"
    assert sheet_of(desk.state, catalogue("zh-Hans")).head[-1] == "分"
    assert sheet_of(Desk().open().state, catalogue("zh-Hans")).head[-1] == "番"
    assert blank_sheet(catalogue("zh-Hans")).head[-1] == "番或分"
    assert sheet_of(desk.state, catalogue("en")).head[-1] == "Points"

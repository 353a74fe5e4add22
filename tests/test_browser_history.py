"""The evening on the page `/history`: hands with their corrections and pictures, numbers over several games, files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from table.model import Actor
from table.runtime import Runtime
from tests import browser_rig as ui
from tests import pdf_text
from tests import webui_rig as rig
from tests.browser_sight import CONTRAST

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with ui.launched() as found:
        yield found


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Runtime]:
    with rig.open_table(tmp_path, rig.ScriptedEyes()) as runtime:
        yield runtime


def test_a_hand_shows_its_picture_what_was_corrected_and_who_did_what(browser: Browser, table: Runtime) -> None:
    rig.open_game(table)
    rig.claim(table)
    table.submit_photo(rig.picture(), Actor(role="tablet"), "p")
    with rig.served(table) as address, ui.opened(browser, address + "/desk", language="en") as desk:
        expect(desk.locator(".verdict .total b")).to_have_text("24")
        rig.do(table, "approve")
        rig.do(table, "correct_hand", hand_no=1, reason="wrong seat", winner=3)
        with ui.opened(browser, address + "/history", language="en") as page:
            expect(page.locator(".history-row .corrected")).to_contain_text("wrong seat")
            page.tap(".history-row")
            expect(page.locator(".evidence img")).to_be_visible()
            changes = page.locator(".record .changes")
            expect(changes.locator("caption")).to_contain_text("wrong seat")
            expect(changes.locator("tbody tr").nth(0)).to_contain_text("李北 24")
            rows = [row.split("\t") for row in changes.locator("tbody").inner_text().split("\n")[1:]]
            assert rows == [["陈东", "−8", "−8"], ["赵南", "+48", "−8"], ["王芳", "−32", "−32"], ["李北", "−8", "+48"]]
            page.tap(".steps summary")
            expect(page.locator(".steps li").last).to_contain_text("hand corrected")
            ui.shoot(page, "hand-record")
            assert not page.evaluate(CONTRAST)


def test_numbers_over_all_games_and_the_files(browser: Browser, table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table)
    rig.do(table, "close_game")
    rig.open_game(table)
    rig.win(table, 3, 1)
    with rig.served(table) as address, ui.opened(browser, address + "/history", language="zh-Hant") as page:
        everybody = page.locator(".numbers").nth(1)
        expect(everybody.locator("caption")).to_contain_text("2")
        expect(everybody.locator("tbody tr").first).to_contain_text("李北")
        with page.expect_download() as waiting:
            page.click("a[href='/export/game.pdf']")
        file = pdf_text.read(Path(waiting.value.path()).read_bytes())
        assert "計分表" in file.pages[0]
        assert "+48" in file.pages[0]
        ui.shoot(page, "history-all-games")


def test_the_printed_page_is_black_on_white_with_the_graph(browser: Browser, table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table)
    with rig.served(table) as address, ui.opened(browser, address + "/history", theme="dark") as page:
        expect(page.locator(".numbers tbody tr")).to_have_count(4)
        page.emulate_media(media="print")
        expect(page.locator(".graph")).to_be_visible()
        expect(page.locator(".exports")).not_to_be_visible()
        expect(page.locator(".score-sheet .only-paper")).to_be_visible()
        inks = page.evaluate(
            "[...document.querySelectorAll('.graph [data-player]')].map((one) => getComputedStyle(one).color)"
        )
        assert set(inks) == {"rgb(0, 0, 0)"}
        dashes = page.evaluate(
            "[...document.querySelectorAll('.graph polyline')].map((one) => one.getAttribute('stroke-dasharray'))"
        )
        assert len(set(dashes)) == 4, "without colour the lines differ by their dashes"
        ui.shoot(page, "history-print")

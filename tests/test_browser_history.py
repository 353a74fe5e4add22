"""The evening on the page `/history`: hands with their corrections and pictures, numbers over several games, files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from table.model import Actor
from table.runtime import Runtime
from tests import browser_rig as ui
from tests import pdf_text
from tests import webui_rig as rig
from tests.browser_sight import CONTRAST

pytestmark = pytest.mark.browser


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Runtime]:
    with rig.open_table(tmp_path, rig.ScriptedEyes()) as runtime:
        yield runtime


@pytest.fixture
def long(table: Runtime, monkeypatch: pytest.MonkeyPatch) -> Runtime:
    """A game of four hands, of which a page is told only the last two."""
    monkeypatch.setattr("table.audience.RECENT", 2)
    rig.open_game(table)
    for winner in (1, 3, 1, 3):
        rig.win(table, winner)
    return table


def test_a_hand_shows_its_picture_what_was_corrected_and_who_did_what(browser: Browser, table: Runtime) -> None:
    rig.open_game(table)
    rig.claim(table)
    table.submit_photo(rig.picture(), Actor(role="tablet"), "p")
    with rig.served(table) as address, ui.opened(browser, address + "/desk", language="en") as desk:
        expect(desk.locator(".verdict .total b")).to_have_text("24")
        rig.do(table, "approve")
        desk_actor = {"role": "referee", "name": "desk", "device": ""}
        rig.do(table, "correct_hand", hand_no=1, reason="wrong seat", winner=3, actor=desk_actor)
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
            expect(page.locator(".steps li").last).to_contain_text("Referee · Referee desk")
            ui.shoot(page, "hand-record")
            assert not page.evaluate(CONTRAST)


def test_of_a_long_game_older_hands_are_fetched_and_stay_true_when_they_are_corrected(
    browser: Browser, long: Runtime
) -> None:
    with rig.served(long) as address, ui.opened(browser, address + "/history", language="en") as page:
        rows, sheet = page.locator(".history-no"), page.locator(".score-sheet tbody tr")
        expect(rows).to_have_text(["4", "3", "2", "1"])  # the page of the whole evening asks by itself
        expect(sheet).to_have_count(4)
        expect(page.locator("[data-do=earlier]")).to_have_count(0)

        rig.win(long, 0)  # what the page has stays, and the new hand comes
        expect(rows).to_have_text(["5", "4", "3", "2", "1"])
        page.locator(".history-row").last.tap()
        expect(page.locator("#sheet-title")).to_have_text("Hand 1")
        rig.do(long, "correct_hand", hand_no=1, reason="wrong seat", winner=0)
        expect(page.locator(".history-row .corrected")).to_contain_text("wrong seat")
        expect(page.locator("#sheet-title")).to_have_text("Hand 1")
        totals = [signed(total) for total in long.snapshot().history[-1].totals_after]
        expect(sheet.last.locator("td small")).to_have_text(totals)


def test_the_desk_shows_the_last_hands_and_older_ones_when_asked(browser: Browser, long: Runtime) -> None:
    with rig.served(long) as address, ui.opened(browser, address + "/desk", language="en") as page:
        rows = page.locator(".history-no")
        expect(rows).to_have_text(["4", "3"])
        page.get_by_role("button", name="Earlier hands").tap()
        expect(rows).to_have_text(["4", "3", "2", "1"])
        expect(page.locator("[data-do=earlier]")).to_have_count(0)


def test_an_opened_hand_stays_the_same_hand_when_older_ones_arrive(browser: Browser, long: Runtime) -> None:
    with rig.served(long) as address, ui.opened(browser, address + "/desk", language="en") as page:
        late: list[Route] = []
        page.route("**/api/v1/history?**", lambda route: late.append(route))
        with page.expect_request("**/api/v1/history?**"):
            page.get_by_role("button", name="Earlier hands").tap()
        page.locator(".history-row").last.tap()
        expect(page.locator("#sheet-title")).to_have_text("Hand 3")
        with page.expect_response("**/api/v1/history?**"):
            late[0].continue_()
        page.wait_for_timeout(500)
        expect(page.locator("#sheet-title")).to_have_text("Hand 3")
        page.unroute("**/api/v1/history?**")
        rig.do(long, "correct_hand", hand_no=1, reason="wrong seat", winner=0)  # while its old row waits
        expect(page.locator("#sheet-title")).to_have_text("Hand 3")
        page.locator("[data-do=close]").tap()
        expect(page.locator(".history-no")).to_have_text(["4", "3", "2", "1"])
        expect(page.locator(".history-row .corrected")).to_contain_text("wrong seat")


def signed(points: int) -> str:
    return f"+{points}" if points > 0 else str(points).replace("-", "−")


def test_numbers_over_all_games_and_the_files(browser: Browser, table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table)
    rig.do(table, "close_game")
    rig.open_game(table, ruleset="sichuan", options={"mode": "single"})
    rig.claim(table, 3, 1)
    rig.do(table, "hand_manual", hand="123456789m123m5m", win_tile="5m")
    rig.do(table, "approve")
    rig.do(table, "close_game")
    rig.open_game(table)
    rig.win(table, 3, 1)
    with rig.served(table) as address, ui.opened(browser, address + "/history", language="zh-Hant") as page:
        everybody = page.locator(".numbers").nth(1)
        expect(everybody.locator("caption")).to_contain_text("3")
        expect(everybody.locator("tbody tr").first.locator(".best")).to_have_text(
            ["國標麻將 +40", "四川麻將 +24", "四川麻將 24 分", "國標麻將 24 番"]
        )
        expect(everybody.locator("tbody tr").first).to_contain_text("李北")
        with page.expect_download() as waiting:
            page.click("a[href='/export/game.pdf']")
        file = pdf_text.read(Path(waiting.value.path()).read_bytes())
        assert "計分表" in file.pages[0]
        assert "+48" in file.pages[0]
        everybody.scroll_into_view_if_needed()
        ui.shoot(page, "history-all-games")


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_a_phone_shows_every_number_without_scrolling_sideways(browser: Browser, table: Runtime, language: str) -> None:
    rig.do(table, "open_game", names=["Wolfeschlegelsteinhausen", "欧阳娜娜", "Maria-Magdalena O’Sullivan", "李"])
    rig.win(table)
    rig.do(table, "close_game")
    rig.do(table, "open_game", names=["Wolfeschlegelsteinhausen", "欧阳娜娜", "Maria-Magdalena O’Sullivan", "李"])
    rig.win(table, 2, 1)
    hidden = """() => [...document.querySelectorAll(".tally td")].filter((one) => one.getClientRects().length)
      .filter((one) => {
        const { left, right } = one.getBoundingClientRect();
        const { scrollWidth, clientWidth } = one.closest(".wide");
        return left < 0 || right > innerWidth || scrollWidth > clientWidth;
      }).map((one) => one.textContent)"""
    with (
        rig.served(table) as address,
        ui.opened(browser, address + "/history", size=ui.PHONE, language=language) as phone,
    ):
        expect(phone.locator(".numbers")).to_have_count(2)
        assert phone.evaluate("document.documentElement.scrollWidth") <= ui.PHONE[0]
        assert not phone.evaluate(hidden)
        own = phone.locator(".score-sheet tbody td[data-name='李']").first
        assert own.evaluate("(one) => getComputedStyle(one, '::before').content") == '"李"', "whose number it is"


@pytest.mark.parametrize("language", ["en", "zh-Hant"])
def test_an_upright_tablet_shows_every_column(browser: Browser, table: Runtime, language: str) -> None:
    rig.open_game(table)
    for _ in range(6):  # totals of three digits
        rig.win(table)
    with (
        rig.served(table) as address,
        ui.opened(browser, address + "/history", size=ui.TABLET_UPRIGHT, language=language) as page,
    ):
        expect(page.locator(".numbers").first).to_be_visible()
        cut = page.locator(".wide").evaluate_all("all => all.map((one) => one.scrollWidth - one.clientWidth)")
        assert cut
        assert max(cut) <= 0


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

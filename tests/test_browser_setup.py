"""Setting up a table, the devices that are in, and the evening on paper, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from table.runtime import Runtime
from tests import browser_rig as ui
from tests import webui_rig as rig

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with ui.launched() as found:
        yield found


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Runtime]:
    with rig.open_table(tmp_path) as runtime:
        yield runtime


@pytest.fixture
def address(table: Runtime) -> Iterator[str]:
    with rig.served(table) as found:
        yield found


@pytest.mark.parametrize(
    ("size", "language", "theme"),
    [(ui.TABLET, "zh-Hans", "light"), (ui.PHONE, "en", "dark"), (ui.TABLET_UPRIGHT, "zh-Hant", "light")],
    ids=["tablet", "phone", "upright"],
)
def test_the_wizard_goes_from_language_to_the_first_approved_hand(
    browser: Browser, address: str, table: Runtime, size: tuple[int, int], language: str, theme: str
) -> None:
    with ui.opened(browser, address + "/setup", size=size, language=language, theme=theme) as page:

        def step(name: str) -> None:
            expect(page.locator(".wizard [data-step]")).to_have_attribute("data-step", name)
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
            assert "⟦" not in page.inner_text("body")
            ui.shoot(page, f"wizard-{name}-{size[0]}")

        def onwards() -> None:
            page.tap("[data-do=wizard-next]")

        step("language")
        page.tap(f"[data-do=set-language][data-language={language}]")
        onwards()
        step("place")
        page.tap("[data-do=wizard-place][data-place=club]")
        expect(page.locator(".wizard [data-step] > p")).to_contain_text("paiju run --pin")
        onwards()
        step("camera")
        onwards()
        page.select_option("[name=ruleset]", "sichuan")
        for seat, name in enumerate(rig.NAMES):
            page.fill(f"[name=name{seat}]", name)
        step("rules")
        page.tap(".setup .main")
        step("table")
        onwards()
        step("tablet")
        page.reload()
        step("tablet")  # where one was stays on this device
        onwards()
        step("trial")
        rig.claim(table)
        rig.do(table, "hand_manual", hand="123456789m123m5m", win_tile="5m")
        rig.do(table, "approve")
        rig.do(table, "draw_hand", void=True)
        expect(page.locator("[role=status]")).to_contain_text("✓")
        onwards()
        step("report")
        levels = page.locator(".checks li").evaluate_all("all => all.map((one) => one.dataset.level)")
        assert levels == ["open", "none", "good", "none", "good", "good"]


def test_dice_of_the_table_are_shown_live(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table)
    with ui.opened(browser, address + "/setup") as page:
        for _ in range(4):
            page.tap("[data-do=wizard-next]")
        expect(page.locator(".wizard [data-step]")).to_have_attribute("data-step", "table")
        expect(page.locator(".wizard [data-step]")).to_contain_text("没有接牌桌")


def test_the_referee_ends_all_sessions(browser: Browser, table: Runtime) -> None:
    with rig.served(table, pin="4711") as address, ui.opened(browser, address + "/devices") as page:
        page.tap("[data-do=unlock]")
        page.fill("[name=pin]", "4711")
        page.check("[name=role][value=referee]", force=True)
        page.tap("#sheet .main")
        expect(page.locator(".log-line").first).to_contain_text("本机")
        ui.shoot(page, "devices")
        page.tap("[data-submit=end-sessions] .main")
        expect(page.locator("[data-do=unlock]")).to_be_visible()


def test_the_evening_is_printed_and_taken_away(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table, 1, 2)
    rig.win(table, 3, 1)
    with ui.opened(browser, address + "/history") as page:
        expect(page.locator(".score-sheet tbody tr")).to_have_count(2)
        cells = [text.split() for text in page.locator(".score-sheet tbody tr").all_inner_texts()]
        assert cells[1][-8:] == ["−8", "−16", "−32", "+16", "−8", "−40", "+48", "+40"]
        expect(page.locator(".seconds li")).to_have_count(2)
        with page.expect_download() as download:
            page.tap(".exports a >> nth=0")
        assert "赵南" in Path(download.value.path()).read_text("utf-8-sig")
        ui.shoot(page, "history")
        page.emulate_media(media="print")
        expect(page.locator(".only-paper")).to_be_visible()
        expect(page.locator(".exports")).not_to_be_visible()
        expect(page.locator(".tools")).not_to_be_visible()
        ui.shoot(page, "print")

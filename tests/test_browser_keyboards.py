"""Keyboards, choosers and words are those of the game that is played, and nothing else."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from table.runtime import Runtime
from tests import browser_rig as ui
from tests import webui_rig as rig

pytestmark = pytest.mark.browser


def suits(page: Page) -> str:
    page.wait_for_selector("#sheet .keyboard")
    rows = page.locator("#sheet .keyboard .keys").all()
    return "".join(row.get_attribute("data-suit") or "" for row in rows)


def test_the_keyboards_of_sichuan_have_three_suits_and_no_chow(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table, ruleset="sichuan")
    rig.do(table, "start_hand")
    with ui.opened(browser, address) as page:
        for tap in (".plays-open", "[data-action=kong]", "[data-value=kong_concealed]", "#sheet [data-seat='1']"):
            page.tap(tap)
        assert suits(page) == "mps"
        page.tap("#sheet [data-do=close]")
        rig.claim(table)
        page.tap("[data-do=entry]")
        assert suits(page) == "mps"
        kinds = [one.get_attribute("data-mode") for one in page.locator("[data-do=entry-mode]").all()]
        assert kinds == ["peng", "kong_open", "kong_concealed", "kong_added", "win"]
        ui.shoot(page, "keyboard-sichuan")


def test_another_game_on_the_same_page_has_its_own_keyboard(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table, ruleset="sichuan")
    with ui.opened(browser, address) as page:
        page.wait_for_selector(".seat")
        rig.open_game(table, ruleset="gb")
        rig.claim(table)
        page.tap("[data-do=entry]")
        assert suits(page) == "mpszf"
        expect(page.locator("[data-do=entry-mode][data-mode=chi]")).to_be_visible()


def test_the_words_of_sichuan_are_those_of_its_rules(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table, ruleset="sichuan")
    rig.do(table, "start_hand")
    rig.do(table, "kong", seat=1, meld_kind="kong_concealed", tile="5p")
    with ui.opened(browser, address) as page:
        page.tap("[data-do=undo]")
        expect(page.locator("#sheet")).to_contain_text("将撤销：赵南 暗杠")
        page.tap("#sheet [data-do=close]")
        button = page.locator(".plays-open").inner_text()
        page.tap(".plays-open")
        expect(page.locator("#sheet-title")).to_have_text(button)
        page.tap("#sheet [data-do=close]")
        rig.do(table, "claim_win", seat=1, source="self_draw")
        expect(page.locator("[data-do=fact-kong]")).to_contain_text("杠上花")

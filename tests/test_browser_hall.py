"""The page of a hall in a real browser: several tables, their queue, a table that dies."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests import browser_rig as ui
from tests import webui_rig as rig
from tests.browser_sight import CONTRAST
from webui import Hall, neighbour

pytestmark = pytest.mark.browser


def test_tables_stand_side_by_side_and_a_tap_leads_to_the_desk_that_is_needed(browser: Browser, tmp_path: Path) -> None:
    with (
        rig.open_table(tmp_path / "1") as one,
        rig.open_table(tmp_path / "2") as two,
        rig.open_table(tmp_path / "3", camera=rig.LostCamera()) as three,
        rig.served(two) as second,
        rig.served(three) as third,
    ):
        for runtime in (one, two, three):
            rig.open_game(runtime)
        rig.win(two)
        rig.claim(two)
        neighbours = [
            neighbour(f"Table 2={second}"),
            neighbour(f"Table 3={third}"),
            neighbour("Table 4=http://127.0.0.1:9"),
        ]
        hall = Hall(neighbours, time.monotonic, "Table 1")
        hall.start()
        with (
            rig.served(one, hall=hall) as first,
            ui.opened(browser, first + "/hall", size=ui.DESKTOP, language="en") as page,
        ):
            card = page.locator(".hall-table")
            expect(card).to_have_count(4)
            expect(card.nth(0)).to_contain_text("Table 1")
            expect(card.nth(1)).to_have_attribute("data-level", "waits")
            expect(card.nth(1)).to_contain_text("+48")
            expect(card.nth(2)).to_have_attribute("data-level", "trouble")
            expect(card.nth(3)).to_contain_text("cannot be reached")
            expect(page.locator(".hall .queue-item")).to_have_count(2)
            for theme in ui.both_themes(page):
                ui.shoot(page, f"hall-{theme}")
                assert not page.evaluate(CONTRAST)
            rig.do(one, "call_referee", seat=0, reason="count")
            expect(page.locator(".hall .queue-item")).to_have_count(3)
            expect(page.locator(".hall .queue-item").last).to_contain_text("Table 1")
            expect(page.locator(".hall .queue-item[data-level=win]")).to_have_attribute("href", second + "/desk")
            page.set_viewport_size({"width": 390, "height": 844})
            ui.shoot(page, "hall-phone")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            page.set_viewport_size({"width": 1600, "height": 1000})
            page.click(".hall .queue-item[data-level=win]")
            expect(page).to_have_url(re.compile(re.escape(second)))
            expect(page.locator(".case")).to_be_visible()
        hall.stop()

"""What the pages of one browser ask of its few connections: hidden ones hold none, and files are fetched once."""

from __future__ import annotations

import re
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import browser_rig as ui
from tests import webui_rig as rig

pytestmark = pytest.mark.browser

CONNECTIONS = 6
"""Over HTTP/1.1 a browser opens so many to one address, for all its pages together."""

HIDDEN = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""What a browser without windows never does by itself: all its pages count as seen."""


def streams(address: str, wanted: int) -> None:
    """Wait until so many pages watch live."""
    limit, found = time.monotonic() + 15, -1
    while time.monotonic() < limit:
        with urllib.request.urlopen(f"{address}/metrics") as answer:
            (number,) = re.findall(r"^paiju_streams_open (\d+)$", answer.read().decode(), re.MULTILINE)
        found = int(number)
        if found == wanted:
            return
        time.sleep(0.1)
    raise AssertionError(f"{found} streams are open, not {wanted}")


def test_a_browser_with_more_pages_than_connections_shows_each_that_is_looked_at(
    browser: Browser, tmp_path: Path
) -> None:
    with rig.open_table(tmp_path) as runtime, rig.served(runtime) as address:
        rig.open_game(runtime)
        with ui.opened(browser, address, size=ui.PHONE) as first:
            pages: list[Page] = [first]
            for _ in range(CONNECTIONS):
                ui.expect_totals(pages[-1], ["0"] * 4)
                pages[-1].evaluate(HIDDEN, True)
                pages.append(first.context.new_page())
                pages[-1].goto(address)
            ui.expect_totals(pages[-1], ["0"] * 4)
            streams(address, 1)
            sent = "performance.getEntriesByType('resource').filter((one) => one.name.includes('/static-'))"
            assert pages[-1].evaluate(f"{sent}.length") > 10
            assert pages[-1].evaluate(f"{sent}.every((one) => one.transferSize === 0)"), "fetched again"

            rig.win(runtime)
            ui.expect_totals(pages[-1], ["−8", "48", "−32", "−8"])
            time.sleep(5)  # longer than a page that is looked at waits for a sign of life
            ui.expect_totals(first, ["0"] * 4)
            assert first.locator(".stale").count() == 0
            first.evaluate(HIDDEN, False)
            ui.expect_totals(first, ["−8", "48", "−32", "−8"])
            streams(address, 2)


def test_a_hidden_page_whose_voice_is_on_goes_on_hearing_without_a_connection_of_its_own(
    browser: Browser, tmp_path: Path
) -> None:
    with (
        rig.open_table(tmp_path) as runtime,
        rig.served(runtime) as address,
        ui.opened(browser, address, size=ui.PHONE) as page,
    ):
        rig.open_game(runtime)
        ui.expect_totals(page, ["0"] * 4)
        page.evaluate("localStorage.setItem('paiju_voice', 'on')")
        page.evaluate(HIDDEN, True)
        streams(address, 0)
        rig.win(runtime)
        expect(page.locator("[data-key='seat-1'] .digits")).to_have_attribute("aria-label", "48", timeout=15000)
        streams(address, 0)


def test_a_page_that_is_heard_follows_also_when_it_was_never_looked_at(browser: Browser, tmp_path: Path) -> None:
    """A browser that opens its pages again, or a bar that a video stream shows later."""
    with (
        rig.open_table(tmp_path) as runtime,
        rig.served(runtime) as address,
        ui.opened(browser, f"{address}/snap", size=ui.PHONE) as phone,
    ):
        rig.open_game(runtime)
        page = phone.context.new_page()
        page.add_init_script('Object.defineProperty(document, "hidden", { configurable: true, get: () => true })')
        page.goto(f"{address}/overlay")
        expect(page.locator(".points")).to_have_text(["0"] * 4)
        rig.win(runtime)
        expect(page.locator(".points")).to_have_text(["−8", "48", "−32", "−8"])


def test_what_an_installed_page_keeps_outlives_another_version_of_the_program(browser: Browser, tmp_path: Path) -> None:
    """The page that came with the new version went into the store of the worker before."""
    stored = """(name) => caches.open(name).then((store) => store.keys())
      .then((found) => found.map((one) => new URL(one.url).pathname))"""
    with rig.open_table(tmp_path) as runtime, rig.served(runtime) as address:
        rig.open_game(runtime)
        page = browser.new_page(locale="zh-CN")
        page.goto(address)
        page.evaluate("navigator.serviceWorker.ready")
        page.reload()  # now through the worker
        ui.expect_totals(page, ["0"] * 4)
        (before,) = page.evaluate("caches.keys()")
        assert "/" in page.evaluate(stored, before)
        page.evaluate("navigator.serviceWorker.register('/sw.js?static-next')")
        limit = time.monotonic() + 15
        while (names := page.evaluate("caches.keys()")) != ["paiju-shell?static-next"]:
            assert time.monotonic() < limit, names
            time.sleep(0.1)
        kept = page.evaluate(stored, names[0])
        assert {"/", "/texts/zh-Hans.json"} <= set(kept)
        assert not any(path.startswith("/static-") for path in kept), "files of another version"
        page.context.close()

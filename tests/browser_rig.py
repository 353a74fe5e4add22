"""A real Chromium for the page tests: found on this machine, or the tests are skipped with the reason."""

from __future__ import annotations

import atexit
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

ARTEFACTS = Path(__file__).resolve().parent.parent / "artefacts"
TABLET, TABLET_UPRIGHT, PHONE, DESKTOP = (1280, 800), (800, 1280), (390, 844), (1600, 1000)
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]  # fmt: skip
"""The last one takes the outside world away: a page that asked for it would be seen to fail."""

PATIENCE_MS = 20_000
"""How long a test waits for a page: a slow or busy computer is no fault of the code."""


def chromium() -> str:
    """The path of Chromium; a visible skip, or a failure where `PAIJU_REQUIRE_BROWSER=1` forbids skipping."""
    named = (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    found = next((path for path in named if path), None)
    if found:
        return found
    reason = "no Chromium on this machine: sudo apt install chromium fonts-noto-cjk"
    if os.environ.get("PAIJU_REQUIRE_BROWSER") == "1":
        pytest.fail(f"PAIJU_REQUIRE_BROWSER=1, but there is {reason}")
    pytest.skip(reason)


_shared: list[Browser] = []


@contextmanager
def launched() -> Iterator[Browser]:
    """Chromium, without a window; one serves all tests of a run, and each page is a device of its own."""
    path = chromium()
    if not _shared:
        expect.set_options(timeout=PATIENCE_MS)
        playwright = sync_playwright().start()
        _shared.append(playwright.chromium.launch(executable_path=path, args=ARGUMENTS))
        atexit.register(playwright.stop)
    yield _shared[0]


@contextmanager
def opened(
    browser: Browser,
    url: str,
    *,
    size: tuple[int, int] = TABLET,
    language: str = "zh-Hans",
    theme: str = "light",
) -> Iterator[Page]:
    """A page on a device of its own; any error in its scripts fails the test."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=True, service_workers="block", locale="zh-CN",
        reduced_motion="reduce",
    )  # fmt: skip
    origin = re.match(r"https?://[^/]+", url)
    assert origin is not None
    context.add_cookies(
        [
            {"name": "paiju_lang", "value": language, "url": origin.group()},
            {"name": "paiju_theme", "value": theme, "url": origin.group()},
        ]
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(url)
    yield page
    context.close()
    assert not errors


def both_themes(page: Page) -> Iterator[str]:
    """The same page in light and in dark, without loading it again; colours change at once (no transitions)."""
    for theme in ("light", "dark"):
        page.evaluate(
            """(theme) => new Promise((done) => {
              document.documentElement.dataset.theme = theme;
              requestAnimationFrame(() => requestAnimationFrame(done));
            })""",
            theme,
        )
        yield theme


def shoot(page: Page, name: str) -> None:
    """Keep a picture of the page for people to look at."""
    ARTEFACTS.mkdir(exist_ok=True)
    page.screenshot(path=ARTEFACTS / f"{name}.png")


def tap_tiles(page: Page, tiles: tuple[str, ...]) -> None:
    """Tap tiles on the keyboard that is shown."""
    for tile in tiles:
        page.tap(f".keyboard [data-tile='{tile}']")


def expect_totals(page: Page, totals: Sequence[str]) -> None:
    """The four scores, by seat; a page may take its moment to paint them."""
    for seat, total in enumerate(totals):
        expect(page.locator(f"[data-key='seat-{seat}'] .digits")).to_have_attribute("aria-label", total)

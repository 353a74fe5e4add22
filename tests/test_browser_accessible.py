"""Every page for everybody: the axe rules, and how the pages look to colour-blind eyes."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from table.demonstration import FOLDER as DEMO
from table.following import Following
from table.model import Actor
from table.outfit import Given, Outfit
from table.runtime import Runtime
from table.set_up import SetUp
from table.settings import Settings, save_settings
from tests import browser_rig as ui
from tests import seen_rig
from tests import webui_rig as rig

pytestmark = pytest.mark.browser

SERIOUS = {"serious", "critical"}
PAGES = {
    "/": ".seat .digits", "/desk": ".case .seen", "/snap": ".claim-body .seen", "/history": ".numbers tbody tr",
    "/hall": ".hall-table", "/devices": "[data-submit=pair]", "/setup": ".wizard [data-step]",
}  # fmt: skip
"""The pages, and what shows that each is there whole."""
WIZARD = {
    "place": ("[data-place]", "dark"), "camera": (".camera-card img", "light"), "corners": (".corner", "dark"),
    "tiles": (".tile-row", "light"), "table": (".line-choice", "dark"), "rules": (".rules-card", "light"),
    "report": (".checks li", "dark"),
}  # fmt: skip
"""Steps of the set-up, what shows that each is there, and the theme in which it is looked at."""
SIGHTS = ("protanopia", "deuteranopia", "tritanopia", "achromatopsia")
TAPS = {
    "win": ([".hu"], ".claim-body"),
    "hand": ([".last"], ".hand-detail"),
    "view": (["[data-do=view]"], ".links"),
    "undo": (["[data-do=undo]"], "[data-do=undo-send]"),
    "call": (["[data-do=call]"], "[data-do=call-send]"),
    "plays": ([".plays-open"], "[data-do=play]"),
    "kong": ([".plays-open", "[data-do=play][data-action=kong]"], "[data-do=play-give]"),
    "fix": ([".hu", ".seen[data-sure=check]"], ".fix"),
    "entry": ([".hu", ".fix [data-do=fix-close]", ".again [data-do=entry]"], ".entry .keyboard"),
}
"""The sheets: what is tapped, and what shows that the last tap has done it."""


@pytest.fixture(scope="module")
def axe() -> str:
    """The rules as one script, from the package `axe-playwright-python`."""
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None or found.origin is None:
        reason = "needs the package axe-playwright-python (it brings axe-core)"
        if os.environ.get("PAIJU_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return (Path(found.origin).parent / "axe.min.js").read_text("utf-8")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    eyes = rig.ScriptedEyes(doubts={9: "2s"})
    with rig.open_table(tmp_path_factory.mktemp("table"), eyes, rig.LostCamera()) as runtime:
        rig.open_game(runtime)
        rig.win(runtime)
        rig.do(runtime, "call_referee", seat=0, reason="count")
        rig.claim(runtime)
        runtime.submit_photo(rig.picture(), Actor(role="tablet"), "p")
        yield runtime


@pytest.fixture(scope="module")
def address(table: Runtime) -> Iterator[str]:
    with rig.served(table) as found:
        yield found


def findings(page: Page, axe: str) -> list[str]:
    """What the rules find that keeps somebody from using the page."""
    page.evaluate(axe)
    result: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']} ({one['impact']}): {one['nodes'][0]['html'][:160]}"
        for one in result["violations"]
        if one["impact"] in SERIOUS
    ]


@pytest.mark.parametrize("path", PAGES)
def test_no_page_has_serious_findings(browser: Browser, address: str, axe: str, path: str) -> None:
    with ui.opened(browser, address + path, language="en") as page:
        page.wait_for_selector(PAGES[path])
        page.wait_for_selector("#page .loading", state="detached")
        for _ in ui.both_themes(page):
            assert not findings(page, axe)


def test_no_sheet_has_serious_findings(browser: Browser, address: str, axe: str) -> None:
    with ui.opened(browser, address) as page:
        for name, (selectors, sign) in TAPS.items():
            for selector in selectors:
                page.tap(selector)
            page.wait_for_selector(f"#sheet[open] {sign}")
            assert not findings(page, axe), name
            page.tap("#sheet [data-do=close]")


def test_a_keyboard_opens_a_sheet_and_stands_where_it_stood_when_it_is_closed(browser: Browser, tmp_path: Path) -> None:
    with (
        rig.open_table(tmp_path) as fresh,
        rig.served(fresh) as found,
        ui.opened(browser, found, language="en") as page,
    ):
        rig.open_game(fresh)
        heard = page.locator(".only-heard[aria-live]")
        expect(heard).to_have_text("")  # it is there before the first hand: a reader hears only what changes
        for name in ("call", "view"):
            page.focus(f"[data-do={name}]")
            page.keyboard.press("Enter")
            expect(page.locator("#sheet[open] h2").first).to_be_focused()
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.closest('#sheet') !== null")
            page.keyboard.press("Escape")
            expect(page.locator(f"[data-do={name}]")).to_be_focused()
        rig.win(fresh)
        expect(heard).to_contain_text("24")


def test_colour_is_never_alone(browser: Browser, address: str) -> None:
    """The pictures are for people; the test holds that what is sure and what is doubtful differ without colour."""
    with ui.opened(browser, address) as page:
        page.tap(".hu")
        page.wait_for_selector(".seen[data-sure=check]")
        eyes = page.context.new_cdp_session(page)
        for sight in SIGHTS:
            eyes.send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
            ui.shoot(page, f"sight-{sight}-claim")
            marks = [grey(page, f".seen[data-sure={sure}] .mark") for sure in ("sure", "check")]
            assert abs(marks[0].mean() - marks[1].mean()) > 25, (
                "the mark of a doubtful tile is dark, of a sure one light"
            )
        page.tap("#sheet [data-do=close]")
        for sight in SIGHTS:
            eyes.send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
            ui.shoot(page, f"sight-{sight}-board")


STATES = {
    "/": (".seat .digits", ".dealer", ".change", ".problems li", ".chip[data-level=bad]", ".claimed", ".last-total"),
    "/desk": (".queue-item[data-level=problem] b", ".queue-item[data-level=call] b", ".counter b", ".to-check"),
    "/history": (".graph text", ".numbers tbody b, .numbers tbody th", ".score-sheet tfoot b"),
    "/setup": (".panel h2",),
}
"""What tells a state on each page: whoever sees no red must be able to read it."""

SIGNS = {"/": ".chip > span:first-child", "/desk": ".queue-sign", "/hall": ".hall-table h2 .hall-sign"}
"""Where a colour says how something is, a shape or a word says it, too: all of these differ by their text."""


@pytest.mark.parametrize("path", STATES)
def test_states_can_be_read_by_eyes_that_tell_colours_apart_less_well(
    browser: Browser, address: str, path: str
) -> None:
    with ui.opened(browser, address + path, size=ui.DESKTOP) as page:
        page.wait_for_selector("#page h1")
        page.wait_for_selector(STATES[path][0])
        eyes = page.context.new_cdp_session(page)
        for sight in SIGHTS:
            eyes.send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
            for theme in ui.both_themes(page):
                faint = {one: ratio for one in STATES[path] if (ratio := contrast(page, one)) < 4.5}
                assert not faint, (sight, theme)
            ui.shoot(page, f"sight-{sight}-{path.strip('/') or 'tablet'}")


def test_no_state_is_told_by_colour_alone(browser: Browser, address: str) -> None:
    for path, signs in SIGNS.items():
        with ui.opened(browser, address + path, size=ui.DESKTOP) as page:
            page.wait_for_selector(signs)
            levels = page.evaluate(
                """(signs) => [...document.querySelectorAll(signs)].map((sign) =>
                  [(sign.closest("[data-level]") || sign).dataset.level, sign.textContent.trim()])""",
                signs,
            )
            assert levels
            assert all(text for _, text in levels)
            by_text = {text: level for level, text in levels}
            assert len(by_text) == len({level for level, _ in levels}), "each level has a sign of its own"


def contrast(page: Page, selector: str) -> float:
    """How much the lightest and the darkest of what is seen there differ, as the rules for contrast measure it."""
    shot = np.frombuffer(page.locator(selector).first.screenshot(), np.uint8)
    seen = cv2.imdecode(shot, cv2.IMREAD_COLOR).astype(np.float64) / 255
    linear = np.where(seen <= 0.03928, seen / 12.92, ((seen + 0.055) / 1.055) ** 2.4)
    light = linear @ np.array([0.0722, 0.7152, 0.2126])  # blue, green, red
    low, high = np.percentile(light, (0.5, 99.5))
    return float((high + 0.05) / (low + 0.05))


def grey(page: Page, selector: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """One part of the page as it is seen, in grey."""
    shot = np.frombuffer(page.locator(selector).first.screenshot(), np.uint8)
    return np.asarray(cv2.imdecode(shot, cv2.IMREAD_GRAYSCALE), np.uint8)


def test_every_step_of_the_set_up_passes(browser: Browser, axe: str, tmp_path: Path) -> None:
    save_settings(tmp_path, Settings(camera=f"folder:{DEMO}", place="club"))
    outfit = Outfit(tmp_path, Given(threads=1), print)
    outfit.open()
    with (
        rig.served(outfit.runtime, setup=SetUp(outfit)) as address,
        ui.opened(browser, address + "/setup", language="en") as page,
    ):
        for step, (sign, theme) in WIZARD.items():
            page.evaluate("(step) => fetch('/api/v1/setup', {method: 'POST', headers: {'X-Paiju': '1', "
                          "'Content-Type': 'application/json'}, body: JSON.stringify({step})})", step)  # fmt: skip
            page.context.add_cookies([{"name": "paiju_theme", "value": theme, "url": address}])
            page.reload()
            page.wait_for_selector(f"[data-step={step}] {sign}")
            assert findings(page, axe) == [], (step, theme)


def test_a_followed_hand_has_no_serious_findings(
    browser: Browser, axe: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Following, "table", lambda _self, _state: seen_rig.crowded())
    with seen_rig.followed(tmp_path, seen_rig.ScriptedTable()) as table, rig.served(table) as found:
        rig.open_game(table)
        rig.do(table, "start_hand")
        with ui.opened(browser, found, language="en") as page:
            page.wait_for_selector(".pond")
            for _ in ui.both_themes(page):
                assert not findings(page, axe)

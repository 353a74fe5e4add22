"""What a screen shows and keeps: sizes, sides, languages, light, and the last score when the server is gone."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from table.model import Actor
from table.runtime import Runtime
from tests import browser_rig as ui
from tests import webui_rig as rig
from tests.browser_sight import CONTRAST
from tests.webui_child import free_port, start

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    with rig.open_table(tmp_path_factory.mktemp("table")) as runtime:
        rig.open_game(runtime)
        rig.win(runtime)
        rig.do(runtime, "dice", values=[4, 3])
        rig.do(runtime, "dice", values=[5, 2])
        yield runtime


@pytest.fixture(scope="module")
def address(table: Runtime) -> Iterator[str]:
    with rig.served(table) as found:
        yield found


@pytest.mark.parametrize(("language", "theme"), [("zh-Hans", "light"), ("zh-Hant", "dark"), ("en", "light")])
@pytest.mark.parametrize("size", [ui.TABLET, ui.TABLET_UPRIGHT, ui.PHONE], ids=["tablet", "upright", "phone"])
def test_the_scoreboard_fits_every_screen(
    browser: Browser, address: str, size: tuple[int, int], language: str, theme: str
) -> None:
    with ui.opened(browser, address, size=size, language=language, theme=theme) as page:
        page.wait_for_selector(".seat")
        ui.shoot(page, f"board-{size[0]}x{size[1]}-{language}-{theme}")
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert page.evaluate("document.documentElement.scrollHeight") <= size[1] + 1
        assert "⟦" not in page.inner_text("body")
        small = page.evaluate(
            """() => [...document.querySelectorAll("button, a, select, label.way")].filter((one) => one.offsetParent)
            .map((one) => [one.className, one.getBoundingClientRect()])
            .filter(([, box]) => box.width < 44 || box.height < 44).map(([name]) => name)"""
        )
        assert not small, "touch targets under 44 px"
        overlapping = page.evaluate(
            """() => [...document.querySelectorAll(".seat")].flatMap((seat) => {
              const digits = seat.querySelector(".digits").getBoundingClientRect();
              return [...seat.querySelectorAll("header > *, footer > *")].filter((one) => {
                const words = document.createRange();
                words.selectNodeContents(one);
                const box = words.getBoundingClientRect();
                return Math.min(box.right, digits.right) - Math.max(box.left, digits.left) > 1 &&
                  Math.min(box.bottom, digits.bottom) - Math.max(box.top, digits.top) > 1;
              }).map((one) => one.className);
            })"""
        )
        assert not overlapping, "words over the score"
        nameless = page.evaluate(
            """() => [...document.querySelectorAll("button, a, input, select, [role=img], [role=button]")]
            .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length))
            .map((one) => one.outerHTML)"""
        )
        assert not nameless, "a screen reader has nothing to say"


def test_the_score_is_a_quarter_of_the_screen(browser: Browser, address: str) -> None:
    with ui.opened(browser, address) as page:
        page.wait_for_selector(".seat")
        figure = 97.5  # units of the drawing: a figure with its stroke
        scales = page.evaluate("[...document.querySelectorAll('.seat .digits')].map((svg) => svg.getScreenCTM().d)")
        assert min(scales) * figure / 800 > 0.24


def test_the_board_turns_to_the_side_of_the_tablet_and_remembers(browser: Browser, address: str) -> None:
    def places(page: Page) -> list[str | None]:
        page.wait_for_selector(".seat")
        return [page.get_attribute(f"[data-key='seat-{seat}']", "data-place") for seat in range(4)]

    with ui.opened(browser, address) as page:
        assert places(page) == ["bottom", "right", "top", "left"]
        page.tap("[data-do=turn]")
        page.wait_for_selector("[data-key='seat-1'][data-place=bottom]")
        assert places(page) == ["left", "bottom", "right", "top"]
        box = [page.locator(f"[data-key='seat-{seat}']").bounding_box() for seat in (1, 3)]
        assert box[0] is not None
        assert box[1] is not None
        assert box[0]["y"] > box[1]["y"]
        page.reload()
        assert places(page) == ["left", "bottom", "right", "top"]


def test_a_tap_on_a_player_shows_the_distances_from_there(browser: Browser, address: str) -> None:
    with ui.opened(browser, address, language="en") as page:
        page.tap("[data-key='seat-2'] .score")
        expect(page.locator("[data-key='seat-1'] .gap")).to_have_text("+80 to 王芳")
        expect(page.locator("[data-key='seat-0'] .gap")).to_have_text("+24 to 王芳")
        page.tap("[data-key='seat-2'] .score")
        expect(page.locator("[data-key='seat-1'] .gap")).to_contain_text("leads by 56")


def test_one_tap_changes_the_language_of_this_screen_only(browser: Browser, address: str) -> None:
    with ui.opened(browser, address) as one, ui.opened(browser, address) as other:
        expect(one.locator("h1")).to_contain_text("东风圈")
        one.tap("[data-do=language]")
        expect(one.locator("h1")).to_contain_text("東風圈")
        one.tap("[data-do=language]")
        expect(one.locator("h1")).to_contain_text("East round")
        expect(one.locator(".last-fans")).to_contain_text("Pure Straight")
        expect(one.locator(".last .tile").first).to_have_attribute("aria-label", "1 of characters")
        expect(other.locator("h1")).to_contain_text("东风圈")
        one.reload()
        expect(one.locator("h1")).to_contain_text("East round")


def test_words_that_come_late_do_not_take_the_language_back(browser: Browser, address: str) -> None:
    with ui.opened(browser, address) as page:
        expect(page.locator("h1")).to_contain_text("东风圈")
        late: list[Route] = []
        page.route("**/texts/zh-Hans.json?*", lambda route: late.append(route))
        page.tap("[data-do=language]")  # the first touch also asks for the words of playing
        expect(page.locator("h1")).to_contain_text("東風圈")
        with page.expect_response("**/texts/zh-Hans.json?*"):
            late[0].continue_()
        page.wait_for_timeout(300)
        expect(page.locator("h1")).to_contain_text("東風圈")


def test_light_and_size_are_chosen_on_the_device(browser: Browser, address: str) -> None:
    with ui.opened(browser, address) as page:
        page.tap("[data-do=view]")
        before = page.evaluate("getComputedStyle(document.documentElement).fontSize")
        page.locator("input[type=range]").fill("4")
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") > before
        page.tap("[data-do=set-theme][data-theme=dark]")
        ui.shoot(page, "view")
        page.reload()
        assert page.get_attribute("html", "data-theme") == "dark"
        assert page.get_attribute("html", "data-size") == "4"


def test_words_stand_out_from_their_ground(browser: Browser, address: str) -> None:
    with ui.opened(browser, address) as page:
        page.wait_for_selector(".seat")
        for _ in ui.both_themes(page):
            assert not page.evaluate(CONTRAST)
        page.tap(".last")
        page.wait_for_selector(".hand-detail")
        for _ in ui.both_themes(page):
            assert not page.evaluate(CONTRAST)


@pytest.mark.parametrize("path", ["/", "/desk", "/snap"])
def test_words_of_a_claimed_win_stand_out(browser: Browser, tmp_path: Path, path: str) -> None:
    eyes = rig.ScriptedEyes(doubts={9: "2s"})
    with rig.open_table(tmp_path, eyes) as runtime, rig.served(runtime) as address:
        rig.open_game(runtime)
        rig.claim(runtime)
        runtime.submit_photo(rig.picture(), Actor(role="tablet"), "p")
        with ui.opened(browser, address + path) as page:
            if path == "/":
                page.tap(".hu")
            page.tap(".seen[data-sure=check]")
            page.wait_for_selector(".fix")
            for theme in ui.both_themes(page):
                ui.shoot(page, f"fix{path.replace('/', '-')}-{theme}")
                assert not page.evaluate(CONTRAST)


def test_nothing_is_asked_from_outside(browser: Browser, address: str) -> None:
    context = browser.new_context(service_workers="block")
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    for path in ("/", "/desk", "/snap", "/history"):
        page.goto(address + path)
        page.wait_for_selector("#page h1")
        page.wait_for_selector("#page .loading", state="detached")
    context.close()
    assert asked
    assert not [url for url in asked if not url.startswith((address, "data:", "blob:"))]


@pytest.mark.parametrize(("size", "theme"), [(ui.TABLET, "light"), (ui.PHONE, "dark")], ids=["tablet", "phone"])
def test_the_evening_in_numbers(browser: Browser, tmp_path: Path, size: tuple[int, int], theme: str) -> None:
    with rig.open_table(tmp_path) as runtime, rig.served(runtime) as address:
        rig.open_game(runtime)
        rig.win(runtime, 1, 2)
        rig.win(runtime, 1, 2)
        rig.win(runtime, 3, 1)
        with ui.opened(browser, address + "/history", size=size, theme=theme) as page:
            expect(page.locator(".numbers tbody tr")).to_have_count(4)
            rows = page.locator(".numbers tbody tr").evaluate_all(
                "rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim()))"
            )
            assert rows == [
                ["赵南", "+64", "2", "0", "1", "24", "24.0", "2", "0"],
                ["李北", "+32", "1", "0", "0", "24", "24.0", "1", "0"],
                ["陈东", "−24", "0", "0", "0", "–", "–", "0", "0"],
                ["王芳", "−72", "0", "0", "2", "–", "–", "0", "0"],
            ]
            expect(page.locator(".fan-bars")).to_contain_text("清龙")
            expect(page.locator(".graph polyline")).to_have_count(4)
            assert len((page.get_attribute(".graph polyline", "points") or "").split()) == 4
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
            assert not page.evaluate(CONTRAST)
            ui.shoot(page, f"evening-{size[0]}-{theme}")
            page.tap("[data-do=hand-detail][data-index='0']")
            expect(page.locator(".hand-detail .total b")).to_have_text("24")


def test_a_finished_hand_names_who_sat_and_dealt_then(browser: Browser, tmp_path: Path) -> None:
    with rig.open_table(tmp_path) as runtime:
        rig.open_game(runtime)
        rig.win(runtime)
        rig.win(runtime)
        rig.do(runtime, "correct_seats", from_hand=2, seating=[0, 2, 1, 3], reason="wrong chairs")
        with rig.served(runtime) as address, ui.opened(browser, address + "/desk", language="zh-Hans") as page:
            page.tap("[data-do][data-index='0'].history-row")
            rows = page.locator(".hand-detail .payments li")
            expect(rows).to_have_count(4)
            told = [re.split(r"\s+", text.strip()) for text in rows.all_inner_texts()]
            assert told == [["東", "陈东", "−8"], ["南", "赵南", "+48"], ["西", "王芳", "−32"], ["北", "李北", "−8"]]


def waited(true: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Whether it became true in time."""
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    return true()


def test_a_confirmed_hand_is_said_once_on_the_device_that_wants_it(browser: Browser, tmp_path: Path) -> None:
    said = (
        "window.said = []; speechSynthesis.speak = (words) => words.text && said.push([words.lang, words.text]); true"
    )
    with rig.open_table(tmp_path) as runtime, rig.served(runtime) as address:
        rig.open_game(runtime)
        with ui.opened(browser, address) as loud, ui.opened(browser, address, language="en") as silent:
            for page in (loud, silent):
                page.wait_for_selector(".seat")
                page.evaluate(said)
            loud.tap("[data-do=view]")
            loud.tap("[data-do=voice]")
            loud.keyboard.press("Escape")
            rig.win(runtime)
            assert waited(lambda: loud.evaluate("said.length") == 1)
            assert loud.evaluate("said") == [["zh-CN", "赵南 和，王芳 放铳，24 番"]]
            rig.do(runtime, "call_referee", seat=0, reason="count")
            rig.do(runtime, "correct_hand", hand_no=1, reason="seat", winner=3)
            assert waited(lambda: loud.evaluate("said.length") == 2)
            assert loud.evaluate("said[1][1]") == "第 1 盘更正：李北 和，王芳 放铳，24 番"
            assert silent.evaluate("said") == []


def test_a_device_without_a_voice_for_its_language_says_so(browser: Browser, address: str) -> None:
    voices = """(found) => {
      speechSynthesis.getVoices = () => found;
      speechSynthesis.dispatchEvent(new Event("voiceschanged"));
    }"""
    with ui.opened(browser, address, language="en") as page:
        page.tap("[data-do=view]")
        page.evaluate(voices, [{"lang": "zh-CN", "localService": True}, {"lang": "en-GB", "localService": False}])
        expect(page.locator("[data-do=voice]")).to_contain_text("no voice", ignore_case=True)
        page.evaluate(voices, [{"lang": "en-GB", "localService": True}])
        expect(page.locator("[data-do=voice]")).not_to_contain_text("no voice", ignore_case=True)


def test_the_overlay_is_transparent_and_late_as_wished(browser: Browser, tmp_path: Path) -> None:
    with rig.open_table(tmp_path) as runtime, rig.served(runtime) as address:
        rig.open_game(runtime)
        with ui.opened(browser, address + "/overlay?delay=1") as page:
            page.wait_for_selector(".bar-seat")
            shot = np.frombuffer(page.screenshot(omit_background=True), np.uint8)
            assert cv2.imdecode(shot, cv2.IMREAD_UNCHANGED)[5, 5, 3] == 0
            rig.win(runtime)
            confirmed_at = time.monotonic()
            expect(page.locator(".bar-last")).to_contain_text("24", timeout=6000)
            assert time.monotonic() - confirmed_at > 0.8
            ui.shoot(page, "overlay")
            page.set_viewport_size({"width": 390, "height": 844})  # somebody looks at it on a phone
            widths = "all => all.map((one) => [one.scrollWidth, one.clientWidth])"
            names = page.eval_on_selector_all(".bar-seat .name", widths)
            assert len(names) == 4
            assert all(wanted <= room for wanted, room in names), names
            assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_dead_server_leaves_the_score_and_says_so_and_all_comes_back(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    with rig.open_table(tmp_path) as runtime:
        rig.open_game(runtime)
        rig.win(runtime)
    server = start(tmp_path, port)
    try:
        with ui.opened(browser, f"http://127.0.0.1:{port}") as page:
            ui.expect_totals(page, ["−8", "48", "−32", "−8"])
            page.evaluate("window.notReloaded = true")
            server.send_signal(signal.SIGKILL)
            server.wait()
            killed_at = time.monotonic()
            banner = page.locator(".stale")
            expect(banner).to_be_visible(timeout=9000)  # four seconds, a look, and a busy machine
            assert time.monotonic() - killed_at > 1.9  # one missed beat is nothing yet
            expect(banner).to_contain_text(re.compile(r"\d\d:\d\d"))
            ui.expect_totals(page, ["−8", "48", "−32", "−8"])
            ui.shoot(page, "stale")
            server = start(tmp_path, port)
            expect(banner).to_have_count(0, timeout=8000)
            assert page.evaluate("window.notReloaded") is True
            page.tap("[data-do=undo]")
            page.tap("[data-do=undo-send]")
            expect(page.locator("[data-key='seat-1'] .digits")).to_have_attribute("aria-label", "0")
    finally:
        server.kill()
        server.wait()


def test_a_page_without_a_live_place_asks_instead(browser: Browser, tmp_path: Path) -> None:
    with (
        rig.open_table(tmp_path) as runtime,
        rig.served(runtime, max_streams=0) as address,
        ui.opened(browser, address) as page,
    ):
        page.wait_for_selector("[data-do=new-game]")
        rig.open_game(runtime)
        rig.win(runtime)
        expect(page.locator("[data-key='seat-1'] .digits")).to_have_attribute("aria-label", "48")
        expect(page.locator(".stale")).to_have_count(0)


def _ink(tile: Locator) -> int:
    """How far the darkest point in the middle of a tile is from its ivory."""
    seen = cv2.imdecode(np.frombuffer(tile.screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert seen is not None
    height, width = seen.shape
    middle = seen[height // 4 : -height // 4, width // 4 : -width // 4]
    return int(middle.max()) - int(middle.min())


def test_a_tile_whose_picture_is_still_on_its_way_shows_no_other_tile(browser: Browser, tmp_path: Path) -> None:
    """A browser keeps the former picture of an `img` until the next one has come: it would be the last hand's tile."""
    with (
        rig.open_table(tmp_path) as runtime,
        rig.served(runtime) as address,
        ui.opened(browser, address, language="en") as page,
    ):
        rig.open_game(runtime)
        rig.win(runtime)
        first = page.locator(".hand .tile").first
        expect(first).to_have_accessible_name("1 of characters")
        expect(first.locator("img")).to_have_js_property("complete", True)
        assert _ink(first) > 100
        page.route("**/tiles/*", lambda _: None)  # never answered
        for values in ([4, 3], [5, 2]):
            rig.do(runtime, "dice", values=values)
        rig.claim(runtime)
        rig.do(runtime, "hand_manual", hand="123456789p23p44z", win_tile="4p")
        rig.do(runtime, "approve")
        expect(first).to_have_accessible_name("1 of dots")
        assert _ink(first) < 10, "still the characters"


def test_an_installed_page_opens_without_the_server_and_shows_the_last_score(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context(locale="zh-CN", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    try:
        with rig.open_table(tmp_path) as runtime:
            rig.open_game(runtime)
            rig.win(runtime)
            with rig.served(runtime) as address:
                page.goto(address)
                page.evaluate("navigator.serviceWorker.ready")
                page.reload()
                ui.expect_totals(page, ["−8", "48", "−32", "−8"])
        page.reload()
        expect(page.locator(".stale")).to_be_visible(timeout=8000)
        ui.expect_totals(page, ["−8", "48", "−32", "−8"])
    finally:
        context.close()

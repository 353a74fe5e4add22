"""Setting up a table, the devices that are in, and the evening on paper, in a real browser."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from device.simulator import SimConfig, SimTable
from table.demonstration import FOLDER as DEMO
from table.outfit import Given, Outfit
from table.port_ear import ListedPort
from table.runtime import Runtime
from table.set_up import SetUp
from table.settings import Settings
from tests import browser_rig as ui
from tests import webui_rig as rig
from webui.texts import catalogue

pytestmark = pytest.mark.browser

ROWS = Path(__file__).parent / "pictures" / "enrolment"
CHINESE = re.compile(r"[\u3400-\u9fff]")


@pytest.fixture
def outfit(tmp_path: Path) -> Iterator[Outfit]:
    """A table that is set up from its pages; recorded pictures can play its camera."""
    folder = tmp_path / "recordings" / "over-the-table"
    folder.mkdir(parents=True)
    shutil.copy(DEMO / "hand1_play.jpg", folder)
    made = Outfit(tmp_path, Given(threads=1), print)
    made.open()
    yield made
    made.runtime.stop()


@pytest.fixture
def wizard(outfit: Outfit) -> Iterator[str]:
    with rig.served(outfit.runtime, setup=SetUp(outfit)) as found:
        yield found + "/setup"


def at(page: Page, name: str) -> None:
    """The wizard stands at this step, fits the screen, and says nothing in keys."""
    expect(page.locator(".wizard [data-step]")).to_have_attribute("data-step", name)
    size = page.viewport_size
    assert size is not None
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert "⟦" not in page.inner_text("body")


def onwards(page: Page) -> None:
    page.tap("[data-do=wizard-next]")


def ring(page: Page, corner: int) -> tuple[float, float]:
    """The middle of a corner's handle, in pixels of the screen."""
    box = page.locator(f"[data-corner='{corner}'] .ring").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def pull(page: Page, corner: int, right: float, down: float) -> None:
    """Drag a corner's handle by so many pixels."""
    x, y = ring(page, corner)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right, y + down, steps=3)
    page.mouse.up()


def pull_by_finger(page: Page, corner: int, right: float, down: float) -> None:
    """The same with a finger."""
    x, y = ring(page, corner)
    hand = page.context.new_cdp_session(page)
    hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for share in (0.1, 0.4, 0.7, 1.0):
        points = [{"x": x + share * right, "y": y + share * down}]
        hand.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
    expect(page.locator(".loupe")).to_be_visible()
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def try_a_hand(board: Page) -> None:
    """The trial hand, by touch, on the scoreboard of the same device."""
    board.tap(".hu")
    board.tap("[data-do=who][data-seat='1']")
    board.tap("[data-do=claim][data-seat='2']")
    board.tap("[data-do=entry]")
    ui.tap_tiles(board, tuple(f"{number}m" for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 5, 5)))
    board.tap("[data-do=entry-send]")
    board.tap("[data-do=approve]:enabled")
    expect(board.locator("#sheet .verdict")).to_have_count(0)


@pytest.mark.parametrize("size", [ui.TABLET, ui.PHONE, ui.DESKTOP], ids=["tablet", "phone", "desktop"])
def test_the_wizard_goes_from_a_camera_to_the_first_approved_hand(
    browser: Browser, wizard: str, outfit: Outfit, size: tuple[int, int]
) -> None:
    began = time.monotonic()
    with ui.opened(browser, wizard, size=size) as page:
        at(page, "language")
        onwards(page)
        at(page, "place")
        page.tap("[data-do=wizard-place][data-place=club]")
        expect(page.locator("[data-submit=wizard-pin]").first).to_be_visible()
        ui.shoot(page, "wizard-place")
        onwards(page)
        at(page, "camera")
        expect(page.locator(".camera-card img").first).to_be_visible()
        page.locator(".camera-card", has_text="over-the-table").tap()
        expect(page.locator(".camera-card[aria-pressed=true]")).to_contain_text("over-the-table")
        ui.shoot(page, "wizard-camera")
        onwards(page)
        at(page, "light")
        expect(page.locator(".checks li")).to_have_count(4)
        expect(page.locator(".tile-count")).to_contain_text("%")
        ui.shoot(page, "wizard-light")
        heights = "[...document.querySelectorAll('.beside > *')].map((one) => one.getBoundingClientRect().bottom)"
        blank = page.evaluate(
            f"document.querySelector('.beside').getBoundingClientRect().bottom - Math.max(...{heights})"
        )
        assert blank <= 20, "no blank strip below the picture pushes the buttons off the screen"
        onwards(page)
        at(page, "corners")
        expect(page.locator("[role=status] .checks li").first).to_have_attribute("data-level", "good")
        found = page.locator(".corner-board polygon").get_attribute("points")
        pull(page, 1, -40, 30)
        expect(page.locator("[role=status] .checks li").first).to_contain_text("手工")
        assert page.locator(".corner-board polygon").get_attribute("points") != found
        ui.shoot(page, "wizard-corners")
        page.focus("[data-corner='1']")
        page.keyboard.press("Shift+ArrowRight")
        page.tap("[data-do=corners-find]")
        expect(page.locator(".corner-board polygon")).to_have_attribute("points", found or "")
        page.locator(".seat-mark[data-seat='1']").tap()
        expect(page.locator(".seat-mark[data-own=yes]")).to_have_attribute("data-seat", "1")
        page.tap("[data-do=corners-keep]")
        expect(page.locator("[data-do=corners-keep]")).to_contain_text("✓")
        assert outfit.runtime.parts.felt is not None
        onwards(page)
        at(page, "tiles")
        onwards(page)
        at(page, "table")
        page.tap("[data-do=choose-line][data-word=sim]")
        expect(page.locator("[data-word=sim]")).to_have_attribute("aria-pressed", "true")
        ui.shoot(page, "wizard-table")
        page.tap("[data-do=no-line]")
        onwards(page)
        at(page, "rules")
        page.tap("[data-ruleset=sichuan]")
        for seat, name in enumerate(rig.NAMES):
            page.fill(f"[name=name{seat}]", name)
        ui.shoot(page, "wizard-rules")
        page.tap(".setup .main")
        at(page, "tablet")
        onwards(page)
        at(page, "trial")
        with ui.opened(browser, wizard.removesuffix("/setup"), size=size) as board:
            try_a_hand(board)
        rig.do(outfit.runtime, "draw_hand", void=True)  # the battle of 四川 would go on
        expect(page.locator("[role=status]")).to_contain_text("✓")
        onwards(page)
        at(page, "report")
        line = page.locator(".checks li[data-line=corners]")
        expect(line).to_have_attribute("data-level", "good")
        levels = dict(
            page.locator(".checks li").evaluate_all("all => all.map((one) => [one.dataset.line, one.dataset.level])")
        )
        assert {name: levels[name] for name in ("pin", "camera", "line", "game", "trial")} == {
            "pin": "open", "camera": "good", "line": "none", "game": "good", "trial": "good",
        }  # fmt: skip
        ui.shoot(page, "wizard-report")
        with page.expect_download() as download:
            page.tap("a[download]")
        kept = Path(download.value.path()).read_text("utf-8")
        assert "四角" in kept
        assert "<script" not in kept
    print(f"set-up wizard to the first approved hand: {time.monotonic() - began:.0f} s")  # noqa: T201  # a number to read


def test_another_device_goes_on_where_the_first_one_stopped(browser: Browser, wizard: str) -> None:
    with ui.opened(browser, wizard) as tablet:
        onwards(tablet)
        tablet.tap("[data-do=wizard-place][data-place=tournament]")
        expect(tablet.locator("[data-place=tournament]")).to_have_attribute("aria-pressed", "true")
        onwards(tablet)
        expect(tablet.locator(".camera-card").first).to_be_visible()
        tablet.locator(".camera-card", has_text="over-the-table").tap()
        expect(tablet.locator(".camera-card[aria-pressed=true]")).to_be_visible()
        onwards(tablet)
        at(tablet, "light")
    with ui.opened(browser, wizard, size=ui.PHONE, language="en", theme="dark") as phone:
        at(phone, "light")
        expect(phone.locator(".checks li")).to_have_count(4)
        ui.shoot(phone, "wizard-light-phone")
        onwards(phone)
        expect(phone.locator(".corner")).to_have_count(4)
        ui.shoot(phone, "wizard-corners-phone")
        assert not CHINESE.search(phone.locator(".wizard").inner_text())


@pytest.mark.parametrize("drag", [pull, pull_by_finger], ids=["mouse", "finger"])
def test_a_corner_lies_where_it_was_dragged_to(
    browser: Browser, wizard: str, drag: Callable[[Page, int, float, float], None]
) -> None:
    """On a phone, whose page scrolls under a finger elsewhere; the other corners stay as they were found."""
    with ui.opened(browser, wizard, size=ui.PHONE) as page:
        onwards(page)
        page.tap("[data-do=wizard-place][data-place=club]")
        onwards(page)
        page.locator(".camera-card", has_text="over-the-table").tap()
        expect(page.locator(".camera-card[aria-pressed=true]")).to_be_visible()
        onwards(page)
        at(page, "light")
        onwards(page)
        expect(page.locator("[role=status] .checks li").first).to_have_attribute("data-level", "good")
        page.locator(".corner-board").scroll_into_view_if_needed()
        before, scrolled = [ring(page, corner) for corner in range(4)], page.evaluate("scrollY")
        drag(page, 2, -50, -35)
        expect(page.locator("[role=status] .checks li").first).to_contain_text("手工")
        expect(page.locator(".loupe")).to_have_count(0)
        before[2] = (before[2][0] - 50, before[2][1] - 35)
        for corner, (x, y) in enumerate(before):
            assert ring(page, corner) == pytest.approx((x, y), abs=1.5)
        assert page.evaluate("scrollY") == scrolled


@pytest.mark.parametrize(
    ("size", "language", "theme"),
    [(ui.PHONE, "zh-Hant", "dark"), (ui.TABLET_UPRIGHT, "en", "light")],
    ids=["phone", "upright"],
)
def test_without_a_camera_the_wizard_is_short(
    browser: Browser, wizard: str, size: tuple[int, int], language: str, theme: str
) -> None:
    with ui.opened(browser, wizard, size=size, language=language, theme=theme) as page:
        for name in ("language", "place", "camera", "tiles", "table"):
            at(page, name)
            if name in ("camera", "table"):  # without one by choice: nothing is skipped
                expect(page.locator("[data-do=no-camera], [data-do=no-line]")).to_have_attribute("aria-pressed", "true")
                expect(page.locator("[data-do=wizard-next]")).to_have_text(catalogue(language)("wizard.next"))
            ui.shoot(page, f"wizard-{name}-{size[0]}")
            onwards(page)
        at(page, "rules")
        expect(page.locator(".rules-card")).to_have_count(10)
        for folded in page.locator("details.options").all():
            folded.locator("summary").tap()
        page.tap("[data-do=setup-mode][data-mode=competition]")  # paints the step anew
        expect(page.locator("[data-mode=competition]")).to_have_attribute("aria-pressed", "true")
        expect(page.locator("details.options[open]")).to_have_count(2)
        ui.shoot(page, f"wizard-house-rules-{size[0]}")
        page.tap("[data-do=wizard-read-rules]")
        expect(page.locator(".rules-text")).to_be_visible()
        assert "⟦" not in page.inner_text("body")


def test_a_row_is_photographed_and_a_wrong_one_is_told(browser: Browser, wizard: str, outfit: Outfit) -> None:
    assert outfit.keep(Settings(step="tiles")) is None
    with ui.opened(browser, wizard, language="zh-Hant") as page:
        at(page, "tiles")
        row = page.locator(".tile-row").nth(1)
        row.locator("input[type=file]").set_input_files(ROWS / "row_honours.jpg")
        expect(row.locator("[role=alert]")).to_contain_text("應有 9", timeout=20_000)
        row.locator("input[type=file]").set_input_files(ROWS / "row_dots.jpg")
        expect(row).to_have_attribute("data-shown", "yes", timeout=20_000)
        expect(page.locator("[data-do=tiles-keep]")).to_be_disabled()
        ui.shoot(page, "wizard-tiles")


def test_pressing_the_dice_button_finds_the_table(browser: Browser, outfit: Outfit, tmp_path: Path) -> None:
    assert outfit.keep(Settings(step="table")) is None
    with SimTable(SimConfig(link=tmp_path / "board")) as board:
        port = ListedPort(path=str(tmp_path / "board"), word=str(tmp_path / "board"), chip="CH340", description="")
        with (
            rig.served(outfit.runtime, setup=SetUp(outfit, lambda: (port,))) as address,
            ui.opened(browser, address + "/setup") as page,
        ):
            page.tap("[data-do=listen]")
            expect(page.locator(".checks li")).to_contain_text("正常", timeout=12_000)
            board.throw_dice(0, (3, 4))
            expect(page.locator(".line-choice[aria-pressed=true]")).to_contain_text("CH340", timeout=20_000)
            ui.shoot(page, "wizard-dice")
            assert outfit.settings.table == (str(tmp_path / "board"),)


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
            page.tap(".exports a[href*='csv']")
        assert "赵南" in Path(download.value.path()).read_text("utf-8-sig")
        ui.shoot(page, "history")
        page.emulate_media(media="print")
        expect(page.locator(".only-paper")).to_be_visible()
        expect(page.locator(".exports")).not_to_be_visible()
        expect(page.locator(".tools")).not_to_be_visible()
        ui.shoot(page, "print")

"""Long names, five-digit scores, the largest letters, small fingers: nothing covers anything, nothing is too small."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from table.runtime import Runtime
from tests import browser_rig as ui
from tests import webui_rig as rig

pytestmark = pytest.mark.browser

LONG = ("Wolfeschlegelsteinhausen-Bergerdorff", "欧阳娜娜·阿卜杜热合曼", "Maria-Magdalena O’Sullivan", "李")

FORTUNES = """() => {
  const parse = JSON.parse;
  JSON.parse = (...words) => {
    const found = parse(...words);
    if (found?.seats && found.history) found.seats.forEach((seat, i) => {
      seat.total = [-12345, 23456, -10111, -1000][i];
      seat.diff_to_leader = seat.total - 23456;
      seat.last_change = [-1234, 4321, -2087, -1000][i];
    });
    return found;
  };
}"""
"""No short game gets that far, so the page reads larger scores than the table sent."""

PAINTED_OVER = """() => [...document.querySelectorAll(".seat")].flatMap((seat) => {
  const parts = [...seat.querySelectorAll("header > *, footer > *, .digits")].map((one) => {
    const words = document.createRange();
    words.selectNodeContents(one);
    const box = one.matches(".digits") ? one.getBoundingClientRect() : words.getBoundingClientRect();
    const own = one.getBoundingClientRect(); // what an ellipsis cuts off is not painted
    return { name: one.className.baseVal ?? one.className,
      left: Math.max(box.left, own.left), right: Math.min(box.right, own.right),
      top: Math.max(box.top, own.top), bottom: Math.min(box.bottom, own.bottom) };
  });
  const whole = seat.getBoundingClientRect();
  return parts.flatMap((a, i) => [
    ...parts.slice(i + 1).filter((b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1).map((b) => `${a.name} over ${b.name}`),
    ...(a.bottom > whole.bottom + 1 || a.right > whole.right + 1 ? [`${a.name} leaves its card`] : []),
  ]);
})"""

CUT = """() => [...document.querySelectorAll(".seat .name")]
  .filter((one) => one.scrollHeight > one.clientHeight + 6 || one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent)"""

TOO_SMALL = """() => [...(document.querySelector("dialog[open]") ?? document)
  .querySelectorAll("button, a, select, summary, input")]
  .filter((one) => one.getClientRects().length && getComputedStyle(one).opacity !== "0" && one.type !== "radio")
  .map((one) => [one.textContent.trim() || one.name, one.getBoundingClientRect()])
  .filter(([, box]) => box.width < 43.5 || box.height < 43.5).map(([name]) => name)"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    with rig.open_table(tmp_path_factory.mktemp("table")) as runtime:
        rig.do(runtime, "open_game", names=list(LONG))
        rig.win(runtime)
        rig.do(runtime, "penalise", seat=0, points=990, reason="late")
        yield runtime


@pytest.fixture(scope="module")
def address(table: Runtime) -> Iterator[str]:
    with rig.served(table) as found:
        yield found


@pytest.mark.parametrize("size", [ui.TABLET, ui.TABLET_UPRIGHT, ui.PHONE], ids=["tablet", "upright", "phone"])
def test_a_seat_never_paints_over_itself(browser: Browser, address: str, size: tuple[int, int]) -> None:
    with ui.opened(browser, address, size=size, language="en") as page:
        page.add_init_script(f"({FORTUNES})()")
        page.reload()
        expect(page.locator("[data-key='seat-0'] .digits")).to_have_attribute("aria-label", "−12345")
        for letters in ("2", "4"):
            page.evaluate("(letters) => { document.documentElement.dataset.size = letters; }", letters)
            ui.shoot(page, f"extremes-{size[0]}-{letters}")
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
            if size != ui.PHONE:  # a phone may scroll, a tablet lies where nobody touches it
                assert page.evaluate("document.documentElement.scrollHeight") <= size[1] + 1
            assert not page.evaluate(PAINTED_OVER)
            if letters == "2":
                assert not page.evaluate(CUT), "a name is told whole"
        expect(page.locator(".hu")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
@pytest.mark.parametrize("size", [(1024, 768), ui.TABLET, ui.TABLET_UPRIGHT, (768, 1024)], ids=str)
def test_a_hand_of_many_fans_leaves_all_in_sight(
    browser: Browser, tmp_path: Path, size: tuple[int, int], language: str
) -> None:
    """Six fans below, both throws in the middle: nothing is pushed off a tablet."""
    with rig.open_table(tmp_path) as runtime, rig.served(runtime) as address:
        rig.open_game(runtime)
        rig.do(runtime, "claim_win", seat=1, source="self_draw")
        rig.do(runtime, "hand_manual", hand="1113456788999s", win_tile="2s", flowers="1f")
        rig.do(runtime, "approve")
        rig.do(runtime, "dice", values=[4, 3])
        rig.do(runtime, "dice", values=[5, 2])
        with ui.opened(browser, address, size=size, language=language) as page:
            expect(page.locator(".last-fans .fan")).to_have_count(6)
            expect(page.locator(".throw")).to_have_count(2)
            ui.shoot(page, f"many-fans-{size[0]}-{language}")
            assert page.evaluate("document.documentElement.scrollHeight") <= size[1] + 1
            assert not page.evaluate(PAINTED_OVER)
            for button in page.locator(".actions .button").all():
                expect(button).to_be_in_viewport(ratio=1)


def test_a_phone_on_its_side_keeps_what_a_player_taps_in_sight(browser: Browser, address: str) -> None:
    with ui.opened(browser, address, size=(844, 390), language="en") as phone:
        expect(phone.locator(".actions .button")).to_have_count(4)
        for button in phone.locator(".actions .button").all():
            expect(button).to_be_in_viewport(ratio=1)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 844
        assert not phone.evaluate(CUT)
        phone.tap(".hu")
        expect(phone.locator(".ring-seat")).to_have_count(4)
        for seat in phone.locator(".ring-seat").all():
            expect(seat).to_be_in_viewport(ratio=1)


def test_long_names_stay_in_their_column_on_the_desk_and_in_the_stream(browser: Browser, address: str) -> None:
    with ui.opened(browser, address + "/desk", size=ui.TABLET, language="en") as desk:
        desk.wait_for_selector(".stand")
        edges = "[...document.querySelectorAll('.desk aside, .stand')].map((one) => one.getBoundingClientRect().right)"
        desk.wait_for_selector(".history-row")
        cut = "[...document.querySelectorAll('.history-row b')].map((one) => one.getBoundingClientRect().right)"
        desk.set_viewport_size({"width": 320, "height": 568})
        assert max(desk.evaluate(cut)) <= 320 - 16, "a long name leaves a hand its value"
        desk.set_viewport_size({"width": ui.TABLET[0], "height": ui.TABLET[1]})
        case = desk.evaluate("document.querySelector('.quiet-desk').getBoundingClientRect().left")
        assert max(desk.evaluate(edges)) < case
    with ui.opened(browser, address + "/overlay") as stream:
        stream.wait_for_selector(".bar-seat")
        ends = "[...document.querySelectorAll('.bar-seat')].map((one) => one.getBoundingClientRect().right)"
        assert max(stream.evaluate(ends)) <= ui.TABLET[0]


def test_what_a_kong_paid_stays_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    with rig.open_table(tmp_path) as table, rig.served(table) as address:
        rig.do(table, "open_game", names=list(LONG), ruleset="sichuan")
        rig.do(table, "start_hand")
        rig.do(table, "kong", seat=1, meld_kind="kong_concealed", tile="9p")
        rig.do(table, "draw_hand", broken_off=True)
        with ui.opened(browser, address, size=ui.PHONE, language="en") as phone:
            phone.tap(".last")
            expect(phone.locator(".hand-detail")).to_contain_text(f"{LONG[3]} −12")
            assert phone.evaluate("document.querySelector('#sheet').scrollWidth") <= ui.PHONE[0]


def large_enough(page: Page) -> None:
    assert not page.evaluate(TOO_SMALL), "touch targets under 44 px"


def test_fingers_find_everything_on_a_phone(browser: Browser, address: str) -> None:
    with ui.opened(browser, address, size=ui.PHONE, language="zh-Hans") as phone:
        phone.tap("[data-do=view]")
        phone.wait_for_selector(".links")
        large_enough(phone)
        phone.tap("[data-do=close]")
        phone.tap("[data-do=hand-detail]")
        phone.wait_for_selector(".hand-detail")
        large_enough(phone)
    for path, part in (("/devices", ".log-line [name=pin]"), ("/trust", ".links"), ("/history", ".history-row")):
        with ui.opened(browser, address + path, size=ui.PHONE, language="zh-Hans") as phone:
            phone.wait_for_selector(part)
            large_enough(phone)


def test_only_ways_that_work_are_offered_and_a_doubt_comes_before_a_refusal(browser: Browser, tmp_path: Path) -> None:
    shot = tmp_path / "hand.jpg"
    shot.write_bytes(rig.picture())
    eyes = rig.ScriptedEyes(doubts={9: "2s"})
    with rig.open_table(tmp_path / "table", eyes) as table, rig.served(table) as address:
        rig.open_game(table)
        rig.claim(table)
        with ui.opened(browser, address, size=ui.PHONE) as tablet:
            tablet.tap(".hu")
            expect(tablet.locator(".way")).to_have_count(2)  # no camera hangs over this table
            large_enough(tablet)
            tablet.tap("[data-do=entry]")
            expect(tablet.locator(".entry .counter b")).to_have_text("0")
            large_enough(tablet)
            ui.tap_tiles(tablet, ("1m", "2m", "3m"))
            expect(tablet.locator(".entry .counter b")).to_have_text("3")
            large_enough(tablet)  # the tiles laid, each of which a tap takes away
            expect(tablet.locator("[data-do=entry-send]")).to_be_in_viewport()
            tablet.tap("[data-do=entry-close]")
            tablet.set_input_files(".way input[type=file]", shot)
            expect(tablet.locator(".refusal b")).to_have_text("? 先核对有疑问的牌")
            rig.do(table, "hold_claim", held=True)
            expect(tablet.locator(".decide .waiting")).to_have_text("裁判已搁置此和牌。")


def test_a_locked_device_says_why_and_offers_no_rulings(browser: Browser, tmp_path: Path) -> None:
    with rig.open_table(tmp_path) as table, rig.served(table, pin="4711") as address:
        rig.open_game(table)
        for path in ("/devices", "/snap"):
            with ui.opened(browser, address + path, size=ui.PHONE, language="en") as phone:
                expect(phone.locator("#page")).to_contain_text("only watches")
        with ui.opened(browser, address + "/desk") as desk:
            desk.wait_for_selector(".quiet-desk")
            expect(desk.locator("[data-do=claim-for]")).to_have_count(0)


def test_codes_are_dark_on_light_also_in_the_dark(browser: Browser, address: str) -> None:
    with ui.opened(browser, address + "/trust", size=ui.PHONE, theme="dark") as phone:
        code = phone.locator("figure img")
        assert code.evaluate("(one) => getComputedStyle(one).backgroundColor") == "rgb(255, 255, 255)"
    with ui.opened(browser, address + "/devices", size=ui.PHONE, theme="dark") as phone:
        expect(phone.locator("[name=seat]")).to_have_count(0)  # only a player's phone belongs to a seat
        phone.select_option("[data-submit=pair] [name=role]", "player")
        expect(phone.locator("[name=seat]")).to_be_visible()
        phone.tap("[data-submit=pair] .main")
        code = phone.locator("figure img")
        assert code.evaluate("(one) => getComputedStyle(one).backgroundColor") == "rgb(255, 255, 255)"
        expect(phone.locator("[data-submit=pair] [name=role]")).to_have_value("player")

"""A tablet with a hard life: double taps, the key "back", no store, a wrong clock, a bad network, another version."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from table.runtime import Runtime
from tests import browser_rig as ui
from tests import webui_rig as rig
from webui import stream

pytestmark = pytest.mark.browser

YESTERDAY = """() => { const now = Date.now; Date.now = () => now() - 86400000; }"""
NO_STORE = """() => Object.defineProperty(window, "localStorage",
  { get() { throw new DOMException("blocked", "SecurityError"); } })"""
TAPPED_TWICE = "(one) => { one.click(); one.click(); }"
COUNT_ALARMS = """() => {
  window.alarms = 0;
  const look = () => { window.alarms += document.querySelectorAll(".stale").length; };
  new MutationObserver(look).observe(document.body, {childList: true, subtree: true});
}"""
LOOK_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"
"""A page that is looked at anew asks for a stream of its own again."""


@pytest.fixture
def table(table: Runtime) -> Runtime:
    rig.open_game(table)
    return table


def half_a_hand(page: Page) -> None:
    """Seat 1 has won, and three of its tiles are typed."""
    page.tap(".hu")
    page.tap("[data-do=who][data-seat='1']")
    page.tap("[data-do=claim][data-seat='2']")
    page.tap("[data-do=entry]")
    ui.tap_tiles(page, ("1m", "2m", "3m"))
    expect(page.locator(".counter b")).to_have_text("3")


def test_a_double_tap_takes_back_one_hand(browser: Browser, address: str, table: Runtime) -> None:
    rig.win(table, 1, 2)
    rig.win(table, 3, 1)
    with ui.opened(browser, address) as page:
        page.tap("[data-do=undo]")
        page.locator("[data-do=undo-send]").evaluate(TAPPED_TWICE)
        ui.expect_totals(page, ["−8", "48", "−32", "−8"])
        expect(page.locator("#sheet-title")).to_have_text("李北 和牌，赵南 放铳")  # that win is to be judged again
        assert len(table.snapshot().history) == 1
        page.tap("#sheet [data-do=close]")
        page.tap("[data-do=call]")
        page.locator("[data-do=call-send]").first.evaluate(TAPPED_TWICE)
        expect(page.locator("[data-do=call]")).to_contain_text("已呼叫")
        assert len(table.snapshot().calls) == 1


def test_a_double_tap_on_the_last_answer_notes_a_thing_once(browser: Browser, address: str, table: Runtime) -> None:
    """The answer of the table may take its time, and until then the last question stays under the finger."""
    rig.open_game(table, ruleset="changsha")
    sent: list[str] = []
    with ui.opened(browser, address) as page:
        page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
        page.tap(".plays-open")
        page.tap("[data-do=play][data-action=start_win]")
        page.tap("#sheet [data-do=play-give][data-seat='1']")
        ui.tap_tiles(page, ("2m", "2m", "2m", "2m", "4m", "6m", "8m", "1p", "3p", "5p", "7p", "9p", "5s"))
        page.locator("[data-do=entry-send]").evaluate(TAPPED_TWICE)
        expect(page.locator("#sheet")).not_to_be_visible()
        page.tap(".plays-open")
        page.tap("[data-do=play][data-action=kong]")
        page.tap("#sheet [data-do=play-give][data-value=kong_concealed]")
        page.tap("#sheet [data-do=play-give][data-seat='2']")
        page.locator("#sheet [data-do=play-give][data-tile='9s']").evaluate(TAPPED_TWICE)
        expect(page.locator("#sheet")).not_to_be_visible()
        hand = table.snapshot().hand
        assert hand is not None
        assert [side.what for side in hand.sides] == ["start_win", "kong"]
        assert len(sent) == 2


def test_a_late_answer_closes_the_sheet_it_was_sent_from_and_no_other(
    browser: Browser, address: str, table: Runtime
) -> None:
    """Somebody wins on another device while the answer about a kong is on its way: the win stays open."""
    rig.open_game(table, ruleset="changsha")
    rig.do(table, "start_hand")
    with ui.opened(browser, address) as page:

        def late(route: Route) -> None:
            answer = route.fetch()
            rig.claim(table, 3, 1)
            page.wait_for_selector("#sheet [data-do=entry]")
            route.fulfill(response=answer)

        page.tap(".plays-open")
        page.tap("[data-do=play][data-action=kong]")
        page.tap("#sheet [data-do=play-give][data-value=kong_concealed]")
        page.tap("#sheet [data-do=play-give][data-seat='2']")
        page.route("**/api/v1/command", late)
        with page.expect_response("**/api/v1/command"):
            page.tap("#sheet [data-do=play-give][data-tile='9s']")
        page.wait_for_timeout(300)  # whatever the answer would close is closed by now
        expect(page.locator("#sheet-title")).to_have_text("李北 和牌，赵南 放铳")


def test_the_next_question_does_not_come_under_the_finger_of_the_last(
    browser: Browser, address: str, table: Runtime
) -> None:
    """An answer that was tapped is gone with its question: none of the next one has the focus, and Enter gives none."""
    rig.open_game(table, ruleset="sichuan")
    rig.do(table, "start_hand")
    rig.do(table, "kong", seat=1, meld_kind="kong_concealed", tile="9p")
    rig.do(table, "claim_win", seat=1, source="self_draw")
    kong = {"kind": "kong_open", "tiles": "9999p", "from_seat": None}
    rig.do(table, "hand_manual", hand="123m456m789m2m", win_tile="2m", melds=[kong])
    with ui.opened(browser, address) as page:
        page.tap(".hu")
        page.locator(".question .pick", has_text="明杠").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".question")).to_contain_text("没有记过")
        page.keyboard.press("Enter")
        expect(page.locator(".question .pick:focus")).to_have_count(0)
        hand = table.snapshot().hand
        assert hand is not None
        assert not hand.sides


def test_a_device_that_keeps_nothing_plays(browser: Browser, address: str, table: Runtime) -> None:
    with ui.opened(browser, address, size=ui.PHONE) as page:
        page.add_init_script(f"({NO_STORE})()")
        page.reload()
        half_a_hand(page)
        assert table.snapshot().claim is not None


def test_back_closes_the_sheet_and_what_was_typed_is_there(browser: Browser, address: str) -> None:
    with ui.opened(browser, address) as page:
        half_a_hand(page)
        page.go_back()
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(page.locator(".seat")).to_have_count(4)
        page.tap(".hu")
        expect(page.locator(".counter b")).to_have_text("3")


def test_what_was_typed_outlives_a_turn_of_the_tablet_and_a_lost_network(
    browser: Browser, address: str, table: Runtime
) -> None:
    with ui.opened(browser, address) as page:
        half_a_hand(page)
        page.context.set_offline(True)
        page.set_viewport_size({"width": 800, "height": 1280})
        ui.tap_tiles(page, ("4m",))
        expect(page.locator(".counter b")).to_have_text("4")
        page.context.set_offline(False)
        rig.do(table, "call_referee", seat=0, reason="count")
        expect(page.locator("[data-do=call]")).to_contain_text("已呼叫")
        expect(page.locator(".counter b")).to_have_text("4")
        ui.tap_tiles(page, ("5m",))
        expect(page.locator(".counter b")).to_have_text("5")


def test_a_page_of_another_version_begins_again_when_nobody_is_in_the_middle_of_something(
    browser: Browser, address: str, table: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.win(table)
    with ui.opened(browser, address) as page:
        page.tap("[data-do=undo]")
        page.fill("#undo-reason", "wrong seat")
        page.evaluate("document.body.dataset.made = 'before'")
        monkeypatch.setattr(stream, "VERSION", "next")
        with page.expect_response("**/outlived.js"):
            page.evaluate(LOOK_AGAIN)
        page.wait_for_timeout(1200)
        expect(page.locator("#undo-reason")).to_have_value("wrong seat")
        page.tap("#sheet [data-do=close]")
        expect(page.locator("body[data-made]")).to_have_count(0)
        expect(page.locator(".seat")).to_have_count(4)


def test_times_follow_the_clock_of_the_table(browser: Browser, address: str, table: Runtime) -> None:
    rig.do(table, "rest", minutes=10)
    with ui.opened(browser, address, language="en") as page:
        page.add_init_script(f"({YESTERDAY})()")
        page.reload()
        expect(page.locator(".rest")).to_contain_text("10 min")


def test_a_clock_that_is_set_back_does_not_hide_that_the_table_is_gone(browser: Browser, table: Runtime) -> None:
    with rig.served(table) as address:
        context = browser.new_context()
        page = context.new_page()
        page.goto(address)
        expect(page.locator(".seat")).to_have_count(4)
        page.evaluate(f"({YESTERDAY})()")
    expect(page.locator(".stale")).to_be_visible(timeout=9000)
    context.close()


def test_a_stream_that_is_cut_again_and_again_shows_every_score_and_no_alarm(
    browser: Browser, address: str, table: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = stream.messages

    def cut(*words: Any, **named: Any) -> Iterator[str]:
        until = time.monotonic() + 2
        for message in whole(*words, **named, beat_s=0.5):
            yield message
            if time.monotonic() > until:
                return

    monkeypatch.setattr(stream, "messages", cut)
    with ui.opened(browser, address) as page:
        page.evaluate(COUNT_ALARMS)
        half_a_hand(page)
        for number in range(8):  # five to six seconds: three streams
            rig.do(table, "call_referee", seat=number % 4, reason="count")
            page.wait_for_timeout(700)
        expect(page.locator("[data-do=call]")).to_contain_text("已呼叫")
        expect(page.locator(".counter b")).to_have_text("3")
        assert page.evaluate("window.alarms") == 0

"""What pages say while something is still to come, what a ruling was for, what a hand was made of; what is kept."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from table.runtime import Runtime
from tests import browser_rig as ui
from tests import webui_rig as rig

pytestmark = pytest.mark.browser


def test_a_desk_that_holds_a_win_says_so_and_takes_it_up_again(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table)
    rig.claim(table)
    rig.do(table, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    rig.do(table, "hold_claim", held=True)
    with ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as desk:
        expect(desk.locator(".quiet-desk p")).to_contain_text("赵南 · On hold")
        desk.click(".quiet-desk [data-do=hold]")
        expect(desk.locator(".case [data-do=approve]")).to_be_enabled()
        desk.click("[data-do=approve]")
        expect(desk.locator(".quiet-desk p")).to_have_text("No win to decide.")


def test_the_strip_names_every_fan_of_the_last_hand(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table)
    rig.do(table, "claim_win", seat=1, source="self_draw")
    rig.do(table, "hand_manual", hand="123456789m23m44z", win_tile="4m", flowers="1f2f3f")
    rig.do(table, "set_facts", last_tile=True, last_of_kind=True)
    rig.do(table, "approve")
    counted = len(table.snapshot().history[-1].fans)
    assert counted > 4
    for size in (ui.TABLET, (1024, 768), ui.PHONE):
        with ui.opened(browser, address, size=size, language="en") as page:
            expect(page.locator(".last-fans .fan")).to_have_count(counted)
            for name in ("Pure Straight", "Flower Tiles"):
                expect(page.locator(".last-fans")).to_contain_text(name)
            strip, last = (page.locator(one).bounding_box() for one in (".last", ".last-fans .fan:last-child"))
            assert strip is not None
            assert last is not None
            assert last["y"] + last["height"] <= strip["y"] + strip["height"]


@pytest.mark.parametrize("mode", ["friendly", "competition"])
def test_no_amount_is_named_before_the_birds_are_turned(
    browser: Browser, address: str, table: Runtime, mode: str
) -> None:
    """長沙: they change what is paid."""
    rig.open_game(table, ruleset="changsha", mode=mode)
    rig.claim(table, 1, 0)
    rig.do(table, "hand_manual", hand="123456789m123m5m", win_tile="5m")
    with ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as desk:
        if mode == "competition":
            expect(desk.locator(".questions")).to_be_visible()
            expect(desk.locator(".verdict")).to_have_count(0)
            rig.do(table, "announce", points=4)
        expect(desk.locator(".verdict .notes")).to_have_text("Turn the birds first: they change what is paid.")
        approve = desk.locator("[data-do=approve]")
        expect(approve).to_be_disabled()
        expect(approve.locator("b")).to_have_count(0)
        expect(desk.locator(".verdict .total, .verdict .payments")).to_have_count(0)
        for number, bird in enumerate(("1m", "6p"), start=1):
            expect(desk.locator(".questions")).to_contain_text(f"Turn bird {number} of 2")
            desk.click(f".picker [data-tile='{bird}']")
        expect(desk.locator(".verdict .payments")).to_be_visible()
        claim = table.snapshot().claim
        assert claim is not None
        assert claim.verdict is not None
        expect(approve.locator("b")).to_have_text(f"+{claim.verdict.payments[1]}")


@pytest.mark.parametrize(
    ("language", "early", "wrong"),
    [
        ("zh-Hans", "赵南 受罚 5 · 提前摸牌 · 第二次", "李北 受罚 · 相公（张数不对）：本盘不能和"),
        ("zh-Hant", "赵南 受罰 5 · 提前摸牌 · 第二次", "李北 受罰 · 相公（張數不對）：本盤不能和"),
        ("en", "Penalty: 赵南 5 · Drew a tile before the discard · 第二次",
         "Penalty: 李北 · Wrong number of tiles (dead hand): may not win this hand"),
    ],
)  # fmt: skip
def test_the_board_says_what_a_penalty_was_for(
    browser: Browser, address: str, table: Runtime, language: str, early: str, wrong: str
) -> None:
    rig.open_game(table)
    rig.do(table, "start_hand")
    rig.do(table, "penalise", seat=3, code="dead_hand")
    with ui.opened(browser, address, language=language) as page:
        expect(page.locator(".last-head b")).to_have_text(wrong)
        rig.do(table, "penalise", seat=1, code="early_draw", reason="第二次")
        expect(page.locator(".last-head b")).to_have_text(early)
        page.tap(".last")
        expect(page.locator(".hand-detail .total")).to_have_text(early)


def test_what_was_taken_back_says_what_it_was(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table)
    rig.claim(table)
    rig.do(table, "reject", reason="no pair", false_win=True)
    rig.do(table, "penalise", seat=1, points=20, reason="loud")
    for row in table.snapshot().history:
        rig.do(table, "lift_penalty", id=row.id, seat=1)
    with ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as desk:
        newest, first = (desk.locator(".history-row").nth(place).locator("span").nth(1) for place in (0, 1))
        expect(newest).to_have_text("Penalty of 赵南 taken back · loud")
        expect(first).to_have_text("Penalty of 赵南 taken back · False win by 赵南 · no pair")


def test_a_correction_that_was_not_sent_survives_a_reload(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table)
    rig.win(table)
    rig.win(table)
    with ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as desk:

        def correct(place: int) -> None:
            desk.locator(".history-row").nth(place).click()
            desk.click("[data-do=correct-open]")
            expect(desk.locator(".correct")).to_be_visible()

        correct(1)
        desk.click("[data-do=correct-winner][data-value='3']")
        desk.fill("[name=reason]", "it was north")
        desk.click(".correct [data-do=entry]")
        desk.locator(".entry [data-do=entry-tile]").first.click()
        expect(desk.locator(".entry .counter")).to_have_text("13/14")
        desk.reload()
        desk.reload()  # and again, before anybody touched the page
        correct(0)
        expect(desk.locator("[name=reason]")).to_have_value("")
        desk.click("#sheet [data-do=close]")
        desk.locator(".history-row").nth(1).click()
        desk.click("[data-do=correct-open]")
        expect(desk.locator(".entry .counter")).to_have_text("13/14")
        desk.click("[data-do=entry-close]")
        expect(desk.locator("[name=reason]")).to_have_value("it was north")
        expect(desk.locator("[data-do=correct-winner][data-value='3']")).to_have_attribute("aria-pressed", "true")
        desk.reload()
        rig.do(table, "correct_hand", hand_no=1, reason="meanwhile", winner=0)
        correct(1)  # of a hand that another has set right meanwhile nothing is taken up
        expect(desk.locator("[name=reason]")).to_have_value("")


def test_the_printed_sheet_has_room_for_words_and_says_what_comes_off(
    browser: Browser, address: str, table: Runtime
) -> None:
    rig.open_game(table)
    rig.win(table)
    rig.do(table, "penalise", seat=3, points=20, reason="late for the third time today, and loud at the table")
    with ui.opened(browser, address + "/history", size=(688, 980), language="en") as page:  # A4 within its margins
        page.emulate_media(media="print")
        sheet = page.locator(".score-sheet")
        expect(sheet.locator("tfoot tr").first.locator("td").last).to_have_text("−8 penalty 20")
        words, heading, graph = (page.locator(one).last.bounding_box() for one in ("td.words", "h1", ".graph-panel"))
        assert words is not None
        assert heading is not None
        assert graph is not None
        assert words["width"] > 160
        assert words["height"] < 100
        assert heading["y"] + heading["height"] <= graph["y"]
        for wide in page.locator(".wide").all():
            assert wide.evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_a_battle_that_was_broken_off_says_who_had_won(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table, ruleset="sichuan", options={"dingque": False})
    rig.claim(table, 0, 2)
    rig.do(table, "hand_manual", hand="123456789m123m5m", win_tile="5m")
    rig.do(table, "approve")
    rig.do(table, "draw_hand", broken_off=True)
    with ui.opened(browser, address, language="en") as page:
        expect(page.locator(".last-head b")).to_have_text("陈东 from 王芳; Broken off: what was paid counts")

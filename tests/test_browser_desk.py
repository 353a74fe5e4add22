"""The referee's desk and the phone that photographs, in a real browser."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from table.model import Actor
from table.runtime import Runtime
from table.sentences import say
from tests import browser_rig as ui
from tests import webui_rig as rig
from vision.frames import Frame, SourceStatus

pytestmark = pytest.mark.browser


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Runtime]:
    with rig.open_table(tmp_path, rig.ScriptedEyes(doubts={9: "2s"})) as runtime:
        rig.open_game(runtime)
        yield runtime


def correcting(desk: Page) -> None:
    """Open the correction of the newest hand."""
    desk.tap(".history-row")
    desk.tap("[data-do=correct-open]")


def test_a_phone_photographs_and_the_desk_decides_by_keyboard(
    browser: Browser, address: str, table: Runtime, tmp_path: Path
) -> None:
    rig.claim(table)
    shot = tmp_path / "hand.jpg"
    shot.write_bytes(rig.picture())
    with (
        ui.opened(browser, address + "/snap", size=ui.PHONE) as phone,
        ui.opened(browser, address + "/desk", size=ui.DESKTOP) as desk,
    ):
        phone.set_input_files(".shutter input", shot)
        expect(phone.locator(".seen-box")).to_have_count(14)
        ui.shoot(phone, "phone-snap")
        expect(desk.locator(".seen-box[data-sure=check]")).to_have_count(1)
        ui.shoot(desk, "desk")
        desk.keyboard.press("e")
        desk.locator(".likely [data-do=fix-to]").first.click()
        expect(desk.locator(".verdict .total b")).to_have_text("24")
        desk.keyboard.press("a")
        expect(desk.locator(".quiet-desk")).to_be_visible()
        expect(desk.locator(".history-row")).to_have_count(1)
        expect(phone.locator(".who")).to_be_visible()
        assert [seat.total for seat in table.snapshot().seats] == [-8, 48, -32, -8]


def test_a_false_win_is_paid_at_once(browser: Browser, address: str, table: Runtime) -> None:
    rig.claim(table)
    with ui.opened(browser, address + "/desk", size=ui.DESKTOP) as desk:
        desk.wait_for_selector(".case")
        desk.keyboard.press("r")
        desk.click("[data-do=reject-kind][data-false=yes]")
        desk.fill("[name=each]", "8")
        desk.fill("[name=reason]", "thirteen tiles")
        desk.click("#sheet .main")
        expect(desk.locator(".quiet-desk")).to_be_visible()
        assert [seat.total for seat in table.snapshot().seats] == [8, -24, 8, 8]


def test_a_played_hand_is_corrected_after_a_look_at_what_changes(
    browser: Browser, address: str, table: Runtime
) -> None:
    rig.win(table)
    with ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as desk:
        correcting(desk)
        desk.click("[data-do=correct-winner][data-value='3']")
        desk.fill("[name=reason]", "wrong seat")
        desk.click("[data-do=correct-preview]")
        expect(desk.locator(".changes tbody tr").first).to_contain_text("+48")
        ui.shoot(desk, "correction")
        assert table.snapshot().seats[1].total == 48
        desk.click(".correct .main")
        expect(desk.locator(".history-row .corrected")).to_be_visible()
        assert [seat.total for seat in table.snapshot().seats] == [-8, -8, -32, 48]


def test_a_correction_does_not_reach_another_game(browser: Browser, address: str, table: Runtime) -> None:
    """The hand is corrected by its number, and the next game has a hand of that number, too."""
    rig.win(table)
    with ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as desk:
        correcting(desk)
        desk.click("[data-do=correct-winner][data-value='3']")
        rig.do(table, "close_game")
        rig.open_game(table)
        rig.win(table, seat=0, from_seat=1)
        expect(desk.locator("#sheet")).to_be_hidden()
        assert table.snapshot().seats[0].total == 48


def test_a_correction_asks_what_a_win_would_have_asked(browser: Browser, tmp_path: Path) -> None:
    """武漢: another player fed the 全求人, and what he pays depends on whether he was ready."""
    with rig.open_table(tmp_path) as table, rig.served(table) as address:
        rig.open_game(table, ruleset="wuhan")
        rig.do(table, "start_hand")
        rig.do(table, "turn_tile", tile="7s")
        for seat in (0, 2, 3):
            rig.do(table, "hand_facts", facts={"players": {str(seat): {"opened": False}}})
        melds = [
            {"kind": "chi", "tiles": "123p", "from_seat": 0},
            *({"kind": "peng", "tiles": tiles, "from_seat": 2} for tiles in ("333s", "666s", "999m")),
        ]
        rig.do(table, "claim_win", seat=1, source="discard", from_seat=3)
        rig.do(table, "hand_manual", hand="2p", melds=melds, win_tile="2p")
        rig.do(table, "set_facts", more={"discarder_ready": True})
        rig.do(table, "approve")
        assert [seat.total for seat in table.snapshot().seats] == [-40, 140, -40, -60]
        with ui.opened(browser, address + "/desk", size=ui.TABLET_UPRIGHT, language="en") as desk:
            correcting(desk)
            ready = desk.locator("[data-do=fact-more][data-name=discarder_ready]")
            expect(ready).to_have_attribute("aria-pressed", "true")
            desk.fill("[name=reason]", "seat 2 fed it")
            desk.tap(".change-source summary")
            desk.tap("[data-do=source][data-seat='2']")
            expect(desk.locator(".question")).to_contain_text("ready?")
            expect(ready).to_have_attribute("aria-pressed", "false")
            desk.tap("[data-do=correct-preview]")
            expect(desk.locator(".changes tbody td").nth(2)).to_have_text("−40 → −140")
            expect(desk.locator(".correct .main")).to_be_disabled()
            ui.shoot(desk, "correction-asks")
            desk.locator("[data-do=answer]").first.tap()  # yes
            expect(desk.locator(".question")).to_have_count(0)
            expect(desk.locator(".changes")).to_have_count(0)
            desk.tap("[data-do=correct-preview]")
            expect(desk.locator(".changes tbody td").nth(2)).to_have_text("−40 → −60")
            ui.shoot(desk, "correction-circumstances")
            expect(desk.locator("[name=reason]")).to_have_value("seat 2 fed it")
            desk.tap(".correct .main")
            expect(desk.locator(".history-row .corrected")).to_be_visible()
            assert [seat.total for seat in table.snapshot().seats] == [-40, 140, -60, -40]


def test_a_circumstance_without_which_it_was_no_win_is_named_at_once(
    browser: Browser, address: str, table: Runtime
) -> None:
    rig.do(table, "claim_win", seat=1, source="self_draw")
    rig.do(table, "hand_manual", hand="123m678p345s11z23m", win_tile="4m")  # 妙手回春 8 makes it a win
    rig.do(table, "set_facts", last_tile=True)
    rig.do(table, "approve")
    with ui.opened(browser, address + "/desk", size=ui.TABLET, language="en") as desk:
        correcting(desk)
        expect(desk.locator("[data-do=fact-last]")).to_have_attribute("aria-pressed", "true")
        desk.fill("[name=reason]", "two tiles were left")
        desk.tap("[data-do=fact-last]")
        expect(desk.locator(".correct .refused")).to_contain_text("no legal win")
        ui.shoot(desk, "correction-no-win")
        with desk.expect_response("**/api/v1/command"):
            desk.tap("[data-do=correct-preview]")
        expect(desk.locator(".correct .main")).to_be_disabled()
        desk.tap("[data-do=fact-last]")
        expect(desk.locator(".correct .refused")).to_have_count(0)


def test_two_players_who_sat_the_other_way_round_are_exchanged(browser: Browser, address: str, table: Runtime) -> None:
    rig.win(table)
    with ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as desk:
        correcting(desk)
        desk.click("[data-do=correct-outcome][data-value=seats]")
        desk.click("[data-do=correct-seat][data-value='0']")
        desk.click("[data-do=correct-seat][data-value='1']")
        expect(desk.locator("[data-do=correct-seat]").first).to_have_text("E 赵南 陈东")
        expect(desk.locator("[data-do=correct-seat]").last).to_have_text("N 李北")
        desk.fill("[name=reason]", "wrong seats")
        desk.click("[data-do=correct-preview]")
        expect(desk.locator(".changes tbody tr")).to_have_count(1)
        expect(desk.locator(".changes tbody td").first).to_contain_text("+48")
        assert [seat.total for seat in table.snapshot().seats] == [-8, 48, -32, -8]
        desk.click(".correct .main")
        expect(desk.locator(".history-row .corrected")).to_be_visible()
        assert {seat.player: seat.total for seat in table.snapshot().seats} == {0: 48, 1: -8, 2: -32, 3: -8}


def test_other_house_rules_are_looked_at_and_confirmed_by_touch(browser: Browser, tmp_path: Path) -> None:
    with rig.open_table(tmp_path) as table, rig.served(table) as address:
        rig.open_game(table, ruleset="jiaxing", options={"base": 10})
        rig.do(table, "dice", values=[1, 2])
        rig.do(table, "turn_tile", tile="9s")
        rig.do(table, "claim_win", seat=1, source="self_draw")
        rig.do(table, "hand_manual", hand="123456789m123m5m", win_tile="5m")
        rig.do(table, "approve")
        assert [seat.total for seat in table.snapshot().seats] == [-50, 150, -50, -50]
        with ui.opened(browser, address + "/desk", size=ui.TABLET_UPRIGHT) as desk:
            desk.tap("[data-do=options]")
            base = desk.locator("[name='option.base']")
            expect(base).to_have_value("10")
            expect(desk.locator("[data-do=options-preview]")).to_be_disabled()
            base.fill("5")
            desk.fill("[name=reason]", "说好底分五")
            expect(desk.locator(".differs")).to_contain_text("10 → 5")
            expect(desk.locator("#sheet .main")).to_be_disabled()
            desk.tap("[data-do=options-preview]")
            expect(desk.locator(".changes tbody tr")).to_have_count(1)
            expect(desk.locator(".changes tbody td").nth(1)).to_have_text("+150 → +75")
            ui.shoot(desk, "correct-options")
            assert table.snapshot().seats[1].total == 150
            desk.tap("#sheet .main")
            expect(desk.locator(".history-row .corrected")).to_contain_text("说好底分五")
            assert [seat.total for seat in table.snapshot().seats] == [-25, 75, -25, -25]
            game = table.snapshot().game
            assert game is not None
            assert game.options == {}, "five is what these rules say by themselves"
            desk.tap("[data-do=options]")
            expect(desk.locator("[name='option.base']")).to_have_value("5")


def test_a_break_is_announced_on_every_page_and_the_session_is_counted(browser: Browser, tmp_path: Path) -> None:
    with rig.open_table(tmp_path) as table, rig.served(table) as address:
        rig.open_game(table, house={"session_min": 14}, mode="competition")
        with (
            ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as desk,
            ui.opened(browser, address, language="en") as tablet,
        ):
            for page in (desk, tablet):
                expect(page.locator(".session[data-level=warning]")).to_contain_text("The last 15 minutes")
            desk.click("[data-do=break]")
            desk.click("[data-do=rest][data-minutes='15']")
            desk.keyboard.press("Escape")
            for page in (desk, tablet):
                expect(page.locator(".rest")).to_contain_text("15 min left")
            ui.shoot(tablet, "break")
            rig.do(table, "start_hand")
            expect(tablet.locator(".rest")).to_have_count(0)
            expect(tablet.locator(".opening")).to_contain_text("East → South → West → North")
            ui.shoot(tablet, "opening")


def test_a_list_of_payments_is_void_when_a_hand_has_changed_meanwhile(
    browser: Browser, address: str, table: Runtime
) -> None:
    rig.win(table)
    with ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as desk:
        correcting(desk)
        desk.click("[data-do=correct-winner][data-value='3']")
        desk.fill("[name=reason]", "wrong seat")
        expect(desk.locator(".correct .main")).to_be_disabled()
        desk.click("[data-do=correct-preview]")
        expect(desk.locator(".correct .main")).to_be_enabled()
        rig.win(table, 0, 3)
        expect(desk.locator(".changes")).to_have_count(0)
        expect(desk.locator(".correct .main")).to_be_disabled()


def test_calls_wait_on_the_desk_until_they_are_closed(browser: Browser, address: str, table: Runtime) -> None:
    rig.do(table, "call_referee", seat=2, reason="count")
    with ui.opened(browser, address + "/desk", size=ui.DESKTOP) as desk:
        expect(desk.locator("[data-do=close-call]")).to_contain_text("王芳")
        desk.click("[data-do=close-call]")
        expect(desk.locator("[data-do=close-call]")).to_have_count(0)
        assert table.snapshot().calls == ()


def test_a_held_win_waits_on_every_desk_and_comes_back(browser: Browser, address: str, table: Runtime) -> None:
    rig.claim(table)
    rig.do(table, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    with (
        ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as one,
        ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as other,
        ui.opened(browser, address, language="en") as tablet,
    ):
        one.wait_for_selector(".case")
        other.wait_for_selector(".case")
        one.keyboard.press("h")
        for desk in (one, other):
            expect(desk.locator(".quiet-desk")).to_be_visible()
            expect(desk.locator("[data-do=show-claim]")).to_contain_text("on hold")
        tablet.tap(".hu")
        expect(tablet.locator(".decide .button.main")).to_be_disabled()
        other.click("[data-do=show-claim]")
        expect(other.locator(".on-hold")).to_be_visible()
        expect(other.locator("[data-do=approve]")).to_be_disabled()
        expect(one.locator(".quiet-desk")).to_be_visible()
        ui.shoot(other, "desk-held")
        other.keyboard.press("h")
        expect(one.locator(".case")).to_be_visible()
        one.keyboard.press("a")
        expect(other.locator(".quiet-desk")).to_be_visible()
        assert [seat.total for seat in table.snapshot().seats] == [-8, 48, -32, -8]


@pytest.mark.usefixtures("table")
def test_the_keys_are_told_and_work(browser: Browser, address: str) -> None:
    with ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as desk:
        desk.wait_for_selector(".quiet-desk")
        while not desk.locator(".key-map").count():  # the scripts of the desk come right after its first picture
            desk.keyboard.press("?")
            desk.wait_for_timeout(50)
        for name in ("Approve", "Correct", "Reject", "Hold", "Penalty"):
            expect(desk.locator(".key-map")).to_contain_text(name)
        desk.keyboard.press("Escape")
        desk.keyboard.press("p")
        expect(desk.locator("#sheet-title")).to_have_text("Penalty")
        desk.keyboard.press("Escape")
        desk.keyboard.press("n")
        expect(desk.locator(".ring")).to_be_visible()


def test_the_evidence_shows_the_whole_frame_and_what_was_set_right(
    browser: Browser, address: str, table: Runtime
) -> None:
    rig.claim(table)
    table.submit_photo(rig.picture(), Actor(role="tablet"), "p")
    with ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as desk:
        desk.wait_for_selector(".seen-box[data-sure=check]")
        rig.do(table, "fix_tile", index=9, tile="2m")
        expect(desk.locator(".fixed")).to_contain_text("2 of bamboo")
        expect(desk.locator(".fixed")).to_contain_text("2 of characters")
        expect(desk.locator(".full-picture")).to_have_attribute("href", re.compile("^/evidence/[0-9a-f]{64}$"))


class DyingCamera:
    """A camera that is alive until a test pulls its cable."""

    def __init__(self) -> None:
        self.alive = True

    def latest(self) -> Frame | None:
        return None

    def status(self) -> SourceStatus:
        if self.alive:
            return SourceStatus("live", "", 1, 0, 0.0)
        return SourceStatus("lost", "The camera is gone. Plug it in again.", 1, 0, 2.0)

    def close(self) -> None:
        """Nothing to let go of."""


def test_a_part_that_dies_is_on_the_desk_within_three_seconds_and_stays(browser: Browser, tmp_path: Path) -> None:
    camera = DyingCamera()
    with rig.open_table(tmp_path / "t", camera=camera) as runtime, rig.served(runtime) as address:
        rig.open_game(runtime)
        with ui.opened(browser, address + "/desk", size=ui.DESKTOP) as desk:
            expect(desk.locator(".chip[data-level=good]")).to_have_count(1)
            camera.alive = False
            trouble = desk.locator(".queue-item[data-level=problem]")
            expect(trouble).to_contain_text("相机", timeout=3000)
            expect(desk.locator(".chip[data-level=bad]")).to_contain_text("■")
            assert trouble.locator("button").count() == 0, "nothing puts it away"
            expect(desk.locator(".liveness li")).to_have_count(2)
            expect(desk.locator(".liveness li").last).to_contain_text("正常")
            ui.shoot(desk, "desk-dead-camera")


def test_a_clock_that_is_wrong_is_said(browser: Browser, table: Runtime) -> None:
    with (
        rig.served(table, wall_ms=lambda: time.time_ns() // 1_000_000 - 90_000) as address,
        ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as desk,
    ):
        expect(desk.locator(".liveness li[data-level=bad]")).to_contain_text(re.compile("(89|90|91) s apart"))


def test_without_the_pin_the_desk_only_watches(browser: Browser, table: Runtime) -> None:
    rig.claim(table)
    with rig.served(table, pin="4711") as address, ui.opened(browser, address + "/desk", size=ui.DESKTOP) as desk:
        expect(desk.locator(".case .decide")).to_be_visible()
        expect(desk.locator("[data-do=approve]")).to_have_count(0)
        desk.click("[data-do=unlock]")
        desk.fill("[name=pin]", "4711")
        desk.check("[value=referee]")
        desk.click("#sheet .main")
        expect(desk.locator("[data-do=reject]")).to_be_visible()


def test_a_lost_camera_is_told_by_shape_and_word_and_play_goes_on(browser: Browser, tmp_path: Path) -> None:
    with rig.open_table(tmp_path / "dark", camera=rig.LostCamera()) as runtime, rig.served(runtime) as address:
        rig.open_game(runtime)
        rig.claim(runtime)
        with ui.opened(browser, address) as tablet, ui.opened(browser, address + "/desk", size=ui.DESKTOP) as desk:
            chip = tablet.locator(".chip[data-level=bad]")
            expect(chip).to_contain_text("■")
            expect(chip).to_contain_text("断开")
            expect(tablet.locator(".problems")).to_contain_text("相机")
            expect(desk.locator(".queue-item[data-level=problem]")).to_contain_text("相机")
            ui.shoot(tablet, "lost-camera")
            tablet.tap(".hu")
            tablet.tap("[data-do=camera]")
            expect(tablet.locator(".toast")).to_contain_text("键盘")
            tablet.tap("[data-do=entry]")
            expect(tablet.locator(".keyboard").first).to_be_visible()


def test_a_fault_of_the_table_names_the_player_before_whom_it_is(browser: Browser, tmp_path: Path) -> None:
    """Where nobody sits the side has its letter."""
    with rig.open_table(tmp_path) as runtime, rig.served(runtime) as address:
        rig.do(runtime, "open_game", names=["陈东", "王芳"], ruleset="two_player")
        for seat in (1, 2):
            runtime.report(f"fault {seat}", say("table_fault_side", code="JAM", seat=seat), "table")
        with ui.opened(browser, address) as tablet:
            expect(tablet.locator(".problems")).to_contain_text("牌桌在 B 门前报故障 JAM")
            expect(tablet.locator(".problems")).to_contain_text("牌桌在 王芳 门前报故障 JAM")


def test_two_referees_on_one_win_move_the_points_once(browser: Browser, address: str, table: Runtime) -> None:
    rig.claim(table)
    rig.do(table, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    with (
        ui.opened(browser, address + "/desk", size=ui.DESKTOP) as one,
        ui.opened(browser, address + "/desk", size=ui.DESKTOP) as other,
    ):
        for desk in (one, other):
            expect(desk.locator("[data-do=approve]")).to_be_enabled()
        stop = "document.querySelector('[data-do=approve]').click()"
        one.evaluate(stop)
        other.evaluate(f"document.querySelector('[data-do=approve]') && {stop}")
        for desk in (one, other):
            expect(desk.locator(".quiet-desk")).to_be_visible()
        assert [seat.total for seat in table.snapshot().seats] == [-8, 48, -32, -8]
        assert len(table.snapshot().history) == 1


def test_a_penalty_is_given_from_the_list_and_taken_back(browser: Browser, address: str, table: Runtime) -> None:
    with ui.opened(browser, address + "/desk", size=ui.DESKTOP, language="en") as desk:
        desk.click("[data-do=penalty]")
        desk.click("[data-do=penalty-seat][data-seat='2']")
        desk.select_option("[name=code]", "false_win")
        desk.fill("[name=reason]", "thirteen tiles")
        desk.click("#sheet .main")
        expect(desk.locator(".history-row")).to_contain_text("王芳")
        assert [seat.total for seat in table.snapshot().seats] == [10, 10, -30, 10]
        desk.click(".history-row")
        expect(desk.locator(".hand-detail .total")).to_contain_text("False win: 10 to each player · thirteen tiles")
        desk.click("[data-do=penalty-lift]")
        expect(desk.locator(".history-row")).to_contain_text("taken back")
        assert [seat.total for seat in table.snapshot().seats] == [0, 0, 0, 0]
        desk.click("[data-do=penalty]")
        desk.click("[data-do=penalty-seat][data-seat='0']")
        desk.fill("[name=points]", "5")
        desk.click("#sheet .main")
        expect(desk.locator("#sheet")).not_to_be_visible()
        assert table.snapshot().seats[0].off == 5
        expect(desk.locator(".stand").first).to_contain_text("penalty 5")
        expect(desk.locator(".history-row").first).to_contain_text("Penalty: 陈东 5")


def test_a_picture_that_is_too_large_is_not_sent(
    browser: Browser, address: str, table: Runtime, tmp_path: Path
) -> None:
    rig.claim(table)
    shot = tmp_path / "huge.jpg"
    shot.write_bytes(b"\xff" * (31 * 2**20))
    with ui.opened(browser, address + "/snap", size=ui.PHONE) as phone:
        sent: list[str] = []
        phone.on("request", lambda request: sent.append(request.url))
        phone.set_input_files(".shutter input", shot)
        expect(phone.locator("#toast")).to_contain_text("照片太大")
        assert not [url for url in sent if url.endswith("/photo")]


def test_a_picture_whose_answer_was_lost_is_the_same_when_it_is_sent_again(
    browser: Browser, address: str, table: Runtime, tmp_path: Path
) -> None:
    rig.claim(table)
    shot = tmp_path / "hand.jpg"
    shot.write_bytes(rig.picture())
    keys: list[str] = []

    def lose_the_first(route: Route) -> None:
        form = route.request.post_data_buffer or b""
        keys.append(form.split(b'name="idem"')[1].split(b"\r\n")[2].decode())
        if len(keys) == 1:
            route.abort()
        else:
            route.continue_()

    with ui.opened(browser, address + "/snap", size=ui.PHONE) as phone:
        phone.route("**/api/v1/photo", lose_the_first)
        phone.set_input_files(".shutter input", shot)
        expect(phone.locator("#toast")).not_to_be_empty()
        phone.set_input_files(".shutter input", shot)
        expect(phone.locator(".seen-box")).to_have_count(14)
        with phone.expect_response("**/api/v1/photo"):
            phone.set_input_files(".again input", shot)  # the second was answered: this is another
        assert len(keys) == 3
        assert keys[0] == keys[1] != keys[2]


def test_a_doubtful_tile_is_to_be_checked_before_anything_is_refused(
    browser: Browser, address: str, table: Runtime
) -> None:
    rig.claim(table)
    table.submit_photo(rig.picture(), Actor(role="tablet"), "p")
    with ui.opened(browser, address + "/desk", size=ui.TABLET, language="en") as desk:
        waits = desk.locator(".queue-item small")
        expect(waits).to_have_text("1 to check")
        desk.focus(".seen[data-sure=check]")
        tile = desk.locator(":focus").get_attribute("data-key")
        desk.keyboard.press("Enter")
        desk.focus(".likely [data-do=fix-to]")
        desk.keyboard.press("Enter")
        expect(desk.locator(f"[data-key='{tile}']")).to_be_focused()
        expect(waits).to_have_text("waiting for agreement")


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("size", [ui.TABLET, ui.TABLET_UPRIGHT, ui.PHONE], ids=["tablet", "upright", "phone"])
def test_a_wrong_address_shows_the_way_back_without_scrolling(
    browser: Browser, address: str, size: tuple[int, int]
) -> None:
    with ui.opened(browser, address + "/nowhere", size=size) as page:
        assert page.evaluate("document.documentElement.scrollHeight") <= size[1]
        page.tap(".button.main")
        expect(page.locator(".hu")).to_be_visible()


def test_a_penalty_that_was_not_sent_says_so_and_keeps_what_was_typed(
    browser: Browser, address: str, table: Runtime
) -> None:
    with ui.opened(browser, address + "/desk", size=ui.TABLET, language="en") as desk:
        desk.tap("[data-do=penalty]")
        desk.locator("[data-do=penalty-seat]").nth(1).tap()
        desk.fill("[name=points]", "10")
        desk.fill("[name=reason]", "late")
        desk.context.set_offline(True)
        desk.tap("#sheet button.main")
        expect(desk.locator("#toast-in-sheet")).to_contain_text("Not sent")
        expect(desk.locator("[name=points]")).to_have_value("10")
        desk.context.set_offline(False)
        desk.tap("#sheet button.main")
        expect(desk.locator("#sheet")).not_to_be_visible()
        expect(desk.locator(".toast")).to_have_count(0, timeout=1500)
        assert [seat.off for seat in table.snapshot().seats] == [0, 10, 0, 0]


@pytest.mark.parametrize(("lost", "said"), [(True, "Not sent"), (False, "still busy")], ids=("lost", "still busy"))
def test_a_penalty_whose_answer_was_lost_is_given_once_however_often_it_is_sent(
    browser: Browser, address: str, table: Runtime, *, lost: bool, said: str
) -> None:
    def heard_but_not_answered(route: Route) -> None:
        route.fetch()
        if lost:
            route.abort()
        else:
            route.fulfill(status=409, json={"error": "The table is still busy with this.", "key": "not_known_yet"})

    with ui.opened(browser, address + "/desk", size=ui.TABLET, language="en") as desk:
        desk.tap("[data-do=penalty]")
        desk.locator("[data-do=penalty-seat]").nth(1).tap()
        desk.fill("[name=points]", "10")
        desk.fill("[name=reason]", "late")
        desk.route("**/api/v1/command", heard_but_not_answered, times=1)
        desk.tap("#sheet button.main")
        expect(desk.locator("#toast-in-sheet")).to_contain_text(said)
        assert [seat.off for seat in table.snapshot().seats] == [0, 10, 0, 0]
        desk.tap("#sheet button.main")
        expect(desk.locator("#sheet")).not_to_be_visible()
        assert [seat.off for seat in table.snapshot().seats] == [0, 10, 0, 0]
        desk.tap("[data-do=penalty]")  # the same again, meant: that is another one
        desk.locator("[data-do=penalty-seat]").nth(1).tap()
        desk.fill("[name=points]", "10")
        desk.fill("[name=reason]", "late")
        desk.tap("#sheet button.main")
        expect(desk.locator("#sheet")).not_to_be_visible()
        assert [seat.off for seat in table.snapshot().seats] == [0, 20, 0, 0]


def test_a_hand_that_was_broken_off_has_its_own_ending(browser: Browser, tmp_path: Path) -> None:
    """四川: the game is closed in the middle of a hand; what a kong had paid stays, and a correction leaves it so."""
    with rig.open_table(tmp_path) as table, rig.served(table) as address:
        rig.open_game(table, ruleset="sichuan")
        rig.do(table, "kong", seat=1, meld_kind="kong_concealed", tile="9p")
        rig.do(table, "kong", seat=2, meld_kind="kong_concealed", tile="8p")
        rig.do(table, "close_game")
        with ui.opened(browser, address + "/desk") as desk:
            expect(desk.locator(".where .rules")).to_contain_text("牌局结束")
            expect(desk.locator(".history-row")).to_contain_text("中途结束")
            correcting(desk)
            ended = desk.locator("[data-do=correct-outcome][data-value=broken_off]")
            expect(ended).to_have_attribute("aria-pressed", "true")
            desk.fill("[name=reason]", "那是碰")
            desk.locator("[data-do=correct-drop]").first.tap()
            desk.tap("[data-do=correct-preview]")
            expect(desk.locator(".changes tbody td").nth(2)).to_have_text("+24 → +36")
            ui.shoot(desk, "correction-broken-off")
            desk.tap("[data-do=correct-outcome][data-value=void]")
            desk.tap("[data-do=correct-preview]")
            expect(desk.locator(".changes tbody td").nth(2)).to_have_text("+24 → 0")
            desk.tap(".correct .main")
            expect(desk.locator(".history-row")).to_contain_text("本盘不计")
            correcting(desk)
            desk.tap("[data-do=correct-outcome][data-value=broken_off]")
            desk.fill("[name=reason]", "算数")
            desk.tap("[data-do=correct-preview]")
            desk.tap(".correct .main")
            expect(desk.locator(".history-row")).to_contain_text("中途结束")
        assert [seat.total for seat in table.snapshot().seats] == [-12, -12, 36, -12]


def test_a_game_that_pays_only_at_the_end_has_no_hand_that_is_broken_off(
    browser: Browser, address: str, table: Runtime
) -> None:
    rig.win(table)
    with ui.opened(browser, address + "/desk") as desk:
        correcting(desk)
        expect(desk.locator("[data-do=correct-outcome]")).to_have_count(4)
        expect(desk.locator("[data-value=broken_off]")).to_have_count(0)


def test_a_forgotten_kong_is_added_to_a_finished_hand(browser: Browser, tmp_path: Path) -> None:
    """四川: the chooser of the hand being played, then every changed payment, then the correction."""
    with rig.open_table(tmp_path) as table, rig.served(table) as address:
        rig.open_game(table, ruleset="sichuan", options={"mode": "single"})
        rig.do(table, "start_hand")
        rig.do(table, "claim_win", seat=2, source="self_draw")
        rig.do(table, "hand_manual", hand="123456789s123s5s", win_tile="5s")
        rig.do(table, "approve")
        before = [seat.total for seat in table.snapshot().seats]
        with ui.opened(browser, address + "/desk", size=(1180, 820)) as desk:
            correcting(desk)
            desk.fill("[name=reason]", "忘了暗杠")
            desk.tap("[data-do=correct-kong]")
            desk.tap("#sheet [data-do=play-give][data-value=kong_concealed]")
            desk.tap("#sheet [data-do=play-give][data-seat='1']")
            desk.tap("#sheet [data-do=play-give][data-tile='9p']")
            expect(desk.locator("[data-do=correct-kong-drop]")).to_have_count(1)
            expect(desk.locator("[name=reason]")).to_have_value("忘了暗杠")
            desk.tap("[data-do=correct-preview]")
            moved = desk.locator(".changes tbody td").nth(1)
            expect(moved).to_have_text(f"{before[1]} → {before[1] + 36:+}".replace("-", "−"))
            expect(desk.locator(".changes")).to_be_in_viewport(ratio=1)
            expect(desk.locator(".correct .main")).to_be_in_viewport(ratio=1)
            ui.shoot(desk, "correction-kong")
            desk.tap(".correct .main")
            expect(desk.locator(".history-row .corrected")).to_be_visible()
            rig.do(table, "start_hand")
            rig.claim(table, 1, 0)
            correcting(desk)
            expect(desk.locator("#sheet [role=alert]").first).to_contain_text("有一手和牌还没处理")
            expect(desk.locator("#sheet [role=alert]").first).to_be_in_viewport()
            ui.shoot(desk, "correction-while-claimed")
            desk.tap("[data-do=close]")
            rig.do(table, "cancel_claim")
        after = [seat.total for seat in table.snapshot().seats]
        assert [now - then for now, then in zip(after, before, strict=True)] == [-12, 36, -12, -12]

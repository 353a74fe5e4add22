"""People at the table, by touch alone, in a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from table.runtime import Runtime
from tests import browser_rig as ui
from tests import webui_rig as rig

pytestmark = pytest.mark.browser


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Runtime]:
    with rig.open_table(tmp_path, rig.ScriptedEyes(doubts={9: "2s"})) as runtime:
        yield runtime


def say_hu(page: Page, seat: int = 1, from_seat: int = 2) -> None:
    page.tap(".hu")
    page.tap(f"[data-do=who][data-seat='{seat}']")
    page.tap(f"[data-do=claim][data-seat='{from_seat}']")


def test_an_evening_begins_and_a_hand_is_typed_and_scored_by_touch(browser: Browser, address: str) -> None:
    with ui.opened(browser, address) as tablet, ui.opened(browser, address, size=ui.PHONE) as phone:
        tablet.tap("[data-do=new-game]")
        for seat, name in enumerate(rig.NAMES):
            tablet.fill(f"[name=name{seat}]", name)
        ui.shoot(tablet, "setup")
        tablet.tap(".setup .main")
        ui.expect_totals(tablet, ["0", "0", "0", "0"])

        hu_at = time.monotonic()
        say_hu(tablet)
        tablet.tap("[data-do=entry]")
        ui.tap_tiles(tablet, rig.STRAIGHT)
        expect(tablet.locator(".counter")).to_have_attribute("data-full", "yes")
        ui.shoot(tablet, "entry")
        tablet.tap("[data-do=entry-send]")
        expect(tablet.locator(".verdict .total b")).to_have_text("24")
        expect(tablet.locator(".fans")).to_contain_text("清龙")

        phone.wait_for_selector(".seat")
        tablet.tap("[data-do=approve]")
        approved_at = time.monotonic()
        expect(phone.locator("[data-key='seat-1'] .digits")).to_have_attribute("aria-label", "48", timeout=1000)
        print(f"score on the second page {time.monotonic() - approved_at:.2f} s after approval; "  # noqa: T201
              f"和 to approved score by touch {approved_at - hu_at:.1f} s")  # fmt: skip
        ui.expect_totals(tablet, ["−8", "48", "−32", "−8"])
        expect(tablet.locator(".last-total")).to_have_text("24 番")
        ui.shoot(tablet, "scoreboard")


def test_nobody_else_wins_with_a_tile_that_was_drawn(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table)
    with ui.opened(browser, address) as tablet:
        say_hu(tablet)
        expect(tablet.locator("[data-do=another]")).to_be_visible()
        rig.do(table, "cancel_claim")
        rig.do(table, "claim_win", seat=1, source="self_draw")
        expect(tablet.locator("#sheet-title")).to_have_text("赵南 自摸")
        expect(tablet.locator(".claim-body")).to_be_visible()
        expect(tablet.locator("[data-do=another]")).to_have_count(0)


def test_a_photographed_hand_with_one_wrong_tile_is_mended_in_two_taps(
    browser: Browser, address: str, table: Runtime, tmp_path: Path
) -> None:
    rig.open_game(table)
    shot = tmp_path / "hand.jpg"
    shot.write_bytes(rig.picture())
    with ui.opened(browser, address) as tablet:
        say_hu(tablet)
        tablet.set_input_files(".way input[type=file]", shot)
        wrong = tablet.locator(".seen[data-sure=check]")
        expect(wrong).to_have_count(1)
        ui.shoot(tablet, "claim-read")
        wrong.tap()
        tablet.locator(".likely [data-do=fix-to]").first.tap()
        expect(tablet.locator(".seen[data-sure=check]")).to_have_count(0)
        expect(tablet.locator(".verdict .total b")).to_have_text("24")
        for seat in (0, 2, 3):
            tablet.tap(f"[data-do=agree][data-seat='{seat}']")
        expect(tablet.locator("#sheet")).not_to_be_visible()
        ui.expect_totals(tablet, ["−8", "48", "−32", "−8"])


def test_a_refused_hand_says_why_in_words_and_nothing_moves(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table)
    with ui.opened(browser, address, language="en") as tablet:
        say_hu(tablet)
        tablet.tap("[data-do=entry]")
        ui.tap_tiles(tablet, ("1m", "2m", "3m", "5m", "6m", "7m", "2p", "3p", "4p", "6s", "7s", "5p", "5p", "8s"))
        tablet.tap("[data-do=entry-send]")
        expect(tablet.locator(".refusal")).to_contain_text("below the minimum")
        expect(tablet.locator("[data-do=approve]")).to_be_disabled()
        ui.shoot(tablet, "refused")
        tablet.tap("[data-do=cancel-claim]")
        expect(tablet.locator(".claim-body")).to_have_count(0)
        assert table.snapshot().claim is None
        ui.expect_totals(tablet, ["0", "0", "0", "0"])


def test_melds_kongs_and_flowers_are_typed_with_few_taps(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table)
    with ui.opened(browser, address, size=ui.PHONE) as phone:
        say_hu(phone)
        phone.tap("[data-do=entry]")
        for kind, tile in (("chi", "1m"), ("peng", "7z"), ("kong_concealed", "9m")):
            phone.tap(f".modes [data-mode={kind}]")
            ui.tap_tiles(phone, (tile,))
        ui.tap_tiles(phone, ("1f", "4m", "5m", "6m", "2m", "2m"))
        expect(phone.locator(".counter")).to_have_attribute("data-full", "yes")
        ui.shoot(phone, "phone-entry")
        phone.tap("[data-do=entry-send]")
        expect(phone.locator(".verdict")).to_have_attribute("data-valid", "yes")
        claim = table.snapshot().claim
        assert claim is not None
        assert [(meld.kind, meld.tiles) for meld in claim.melds] == [
            ("chi", "123m"), ("peng", "777z"), ("kong_concealed", "9999m")]  # fmt: skip
        assert (claim.win_tile, claim.flowers) == ("2m", "1f")


def test_a_draw_an_undo_and_a_call(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table)
    rig.do(table, "start_hand")
    with ui.opened(browser, address) as tablet:
        tablet.tap("[data-do=draw]")
        tablet.tap("[data-do=draw-send]")
        expect(tablet.locator(".last")).to_contain_text("荒牌流局")
        tablet.tap("[data-do=undo]")
        tablet.tap("[data-do=undo-send]")
        expect(tablet.locator(".last")).to_have_class("last empty")
        tablet.tap("[data-do=call]")
        tablet.tap("[data-reason=count]")
        expect(tablet.locator("[data-do=call]")).to_contain_text("已呼叫裁判")
        assert table.snapshot().calls[0].reason == "count"


def test_dice_by_hand_say_who_throws_next_and_where_the_wall_breaks(
    browser: Browser, address: str, table: Runtime
) -> None:
    rig.open_game(table)
    with ui.opened(browser, address) as tablet:
        tablet.tap("[data-do=dice]")
        for number, (first, second) in enumerate(((4, 3), (5, 2)), start=1):
            tablet.tap(f"[data-do=die][data-place='0'][data-value='{first}']")
            tablet.tap(f"[data-do=die][data-place='1'][data-value='{second}']")
            tablet.tap("[data-do=dice-send]")
            expect(tablet.locator(".throw")).to_have_count(number)
        expect(tablet.locator("#sheet")).not_to_be_visible()
        expect(tablet.locator(".break")).to_contain_text("14")


def test_dice_tapped_while_the_first_throw_is_on_its_way_are_the_next_throw(
    browser: Browser, address: str, table: Runtime
) -> None:
    rig.open_game(table)
    held: list[Route] = []
    with ui.opened(browser, address) as tablet:
        tablet.tap("[data-do=dice]")
        for place in (0, 1):
            tablet.tap(f"[data-do=die][data-place='{place}'][data-value='4']")
        tablet.route("**/api/v1/command", lambda route: held.append(route))
        with tablet.expect_request("**/api/v1/command"):
            tablet.tap("[data-do=dice-send]")
        expect(tablet.locator("[data-do=dice-send]")).to_be_disabled()
        for place in (0, 1):
            tablet.tap(f"[data-do=die][data-place='{place}'][data-value='2']")
        held[0].continue_()
        expect(tablet.locator(".throw")).to_have_count(1)
        expect(tablet.locator("[data-do=die][data-value='2'][aria-pressed=true]")).to_have_count(2)


def test_a_wall_that_opens_at_its_end_is_not_broken_after_stack_nought(
    browser: Browser, address: str, table: Runtime
) -> None:
    rig.open_game(table)
    for _ in range(2):
        rig.do(table, "dice", values=(5, 4))
    with ui.opened(browser, address) as tablet:
        expect(tablet.locator(".break")).to_contain_text("从第 1 墩开牌")


def test_a_competition_hides_the_value_until_it_is_announced(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table, mode="competition")
    rig.claim(table)
    rig.do(table, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    with ui.opened(browser, address) as tablet:
        tablet.tap(".hu")
        expect(tablet.locator(".announce")).to_be_visible()
        expect(tablet.locator(".verdict")).to_have_count(0)
        ui.shoot(tablet, "competition")
        tablet.fill("#points", "24")
        tablet.tap(".announce button")
        expect(tablet.locator(".announced")).to_contain_text("24")


def test_two_players_claim_and_the_nearest_after_the_discarder_is_heard_first(
    browser: Browser, address: str, table: Runtime
) -> None:
    rig.open_game(table)
    with ui.opened(browser, address) as tablet:
        say_hu(tablet, seat=1, from_seat=2)
        tablet.tap("[data-do=another]")
        tablet.tap("[data-do=who][data-seat='3']")
        tablet.tap("[data-do=claim][data-seat='2']")
        expect(tablet.locator(".claim-right")).to_contain_text("赵南")
        expect(tablet.locator("#sheet-title")).to_contain_text("李北")
        assert [claim.seat for claim in table.snapshot().claims] == [3, 1]


def test_names_are_changed_and_the_game_is_ended(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table)
    with ui.opened(browser, address) as tablet:
        tablet.tap("[data-do=view]")
        tablet.tap("[data-do=game]")
        tablet.fill("#sheet [name=name2]", "王小芳")
        tablet.tap("#sheet .main")
        expect(tablet.locator("[data-key='seat-2'] .name")).to_have_text("王小芳")
        tablet.tap("[data-do=view]")
        tablet.tap("[data-do=game]")
        tablet.tap("#sheet summary")
        tablet.select_option("#sheet [name=seat]", "3")
        tablet.fill("#sheet [name=name]", "刘替")
        tablet.tap("[data-submit=substitute] .main")
        expect(tablet.locator("[data-key='seat-3'] .name")).to_have_text("刘替")
        assert table.snapshot().substitutes[-1].name == "刘替"
        tablet.tap("[data-do=view]")
        tablet.tap("[data-do=game]")
        tablet.tap("[data-do=game-ending]")
        expect(tablet.locator("#sheet .sheet-body")).to_contain_text("比分保留")
        expect(tablet.locator("#sheet .sheet-body")).not_to_contain_text("还没打完")
        tablet.tap("#sheet .sheet-end [data-do=close]")
        rig.do(table, "start_hand")
        tablet.tap("[data-do=view]")
        tablet.tap("[data-do=game]")
        tablet.tap("[data-do=game-ending]")
        expect(tablet.locator("#sheet")).to_contain_text("第 1 盘还没打完：这一盘不计分")
        ui.shoot(tablet, "game-ending")
        assert not table.snapshot().round.finished
        tablet.tap("[data-do=game-end]")
        expect(tablet.locator(".phase")).to_have_text("牌局结束")
        expect(tablet.locator("[data-do=new-game]")).to_be_visible()
        ui.shoot(tablet, "game-ended")
        tablet.tap(".actions a")
        expect(tablet.locator("h1")).to_contain_text("战绩")


def test_house_rules_stay_open_and_each_stands_apart_while_a_game_is_opened(browser: Browser, address: str) -> None:
    with ui.opened(browser, address, size=(1180, 820)) as tablet:
        tablet.tap("[data-do=new-game]")
        expect(tablet.locator(".setup-rules").get_by_text("规则", exact=True)).to_have_count(1)
        house = tablet.locator("details.options[data-key=house]")
        options = tablet.locator("details.options").first
        options.locator("summary").tap()
        house.locator("summary").tap()
        house.locator("input").first.focus()
        tablet.tap("[data-do=setup-dealer][data-seat='2']")  # paints the sheet anew
        expect(tablet.locator("[data-do=setup-dealer][data-seat='2']")).to_have_attribute("aria-pressed", "true")
        for one in (options, house):
            assert one.evaluate("one => one.open")
        gaps = options.locator(".field").evaluate_all(
            """all => all.map((one) => one.getBoundingClientRect())
              .map((box, i, boxes) => (i ? box.top - boxes[i - 1].bottom : Infinity))"""
        )
        assert min(gaps) >= 8, gaps
        options.scroll_into_view_if_needed()
        ui.shoot(tablet, "house-rules-open")
        tablet.select_option("[name=ruleset]", "sichuan")  # other rules, other options
        expect(options.locator("[name^='option.mode']")).to_have_count(1)
        assert not options.evaluate("one => one.open")
        assert house.evaluate("one => one.open")


def test_a_winning_tile_that_is_not_in_the_picture_is_picked(browser: Browser, tmp_path: Path) -> None:
    thirteen = rig.STRAIGHT[:-1]
    shot = tmp_path / "hand.jpg"
    shot.write_bytes(rig.picture(thirteen))
    with rig.open_table(tmp_path / "table", rig.ScriptedEyes(thirteen)) as runtime, rig.served(runtime) as address:
        rig.open_game(runtime)
        rig.claim(runtime)
        with ui.opened(browser, address) as tablet:
            tablet.tap(".hu")
            tablet.set_input_files(".way input[type=file]", shot)
            tablet.tap(".picker [data-tile='4m']")
            expect(tablet.locator(".verdict .total b")).to_have_text("24")


def test_a_tablet_with_the_pin_plays_and_leaves_rulings_to_the_referee(browser: Browser, table: Runtime) -> None:
    rig.open_game(table)
    with rig.served(table, pin="4711") as address, ui.opened(browser, address) as tablet:
        expect(tablet.locator("[data-do=unlock]")).to_be_visible()
        expect(tablet.locator(".hu")).to_have_count(0)
        tablet.tap("[data-do=unlock]")
        tablet.fill("[name=pin]", "0000")
        tablet.tap("#sheet .main")
        expect(tablet.locator(".toast")).to_contain_text("PIN")
        tablet.fill("[name=pin]", "4711")
        tablet.tap("#sheet .main")
        say_hu(tablet)
        tablet.tap("[data-do=entry]")
        ui.tap_tiles(tablet, rig.STRAIGHT)
        tablet.tap("[data-do=entry-send]")
        expect(tablet.locator("[data-do=agree]")).to_have_count(3)
        expect(tablet.locator("[data-do=approve]")).to_have_count(0)
        for seat in (0, 2, 3):
            tablet.tap(f"[data-do=agree][data-seat='{seat}']")
        expect(tablet.locator("#sheet")).not_to_be_visible()
        ui.expect_totals(tablet, ["−8", "48", "−32", "−8"])
        expect(tablet.locator("[data-do=undo]")).to_be_disabled()


def test_a_throw_without_a_check_counts_after_a_tap(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table)
    rig.do(table, "dice", values=[4, 3], source="table", roll="7", checked=False)
    with ui.opened(browser, address) as tablet:
        expect(tablet.locator("[data-do=dice-yes]")).to_be_visible()
        expect(tablet.locator(".throw")).to_have_count(0)
        tablet.tap("[data-do=dice-yes]")
        expect(tablet.locator(".throw")).to_have_count(1)
        expect(tablet.locator(".dice-ask")).to_have_count(0)


def test_two_players_sit_opposite_and_play(browser: Browser, address: str) -> None:
    with ui.opened(browser, address) as tablet:
        tablet.tap("[data-do=new-game]")
        tablet.select_option("[name=ruleset]", "two_player")
        expect(tablet.locator(".setup-seat")).to_have_count(2)
        tablet.fill("[name=name0]", "甲")
        tablet.tap(".setup .main")
        expect(tablet.locator(".seat")).to_have_count(2)
        expect(tablet.locator("[data-key=seat-2] .name")).to_have_text("C")  # no word of this device's language
        with ui.opened(browser, address + "/overlay") as stream:
            expect(stream.locator(".bar-seat")).to_have_count(2)
        ui.shoot(tablet, "two-players")
        tablet.tap(".hu")
        expect(tablet.locator("[data-do=who]")).to_have_count(2)


def test_a_demonstration_hears_of_an_open_sheet_until_it_is_closed(browser: Browser, table: Runtime) -> None:
    """Whoever has a sheet or the tiles of a keyboard before him is waited for; a page that nobody touches is not."""
    waited: list[float] = []

    def wait() -> None:
        waited.append(time.monotonic())

    with rig.served(table, wait=wait) as address, ui.opened(browser, address) as page:
        expect(page.locator(".hu")).to_be_visible()
        page.wait_for_timeout(2_500)
        assert waited == []
        page.tap(".hu")
        limit = time.monotonic() + 20
        while len(waited) < 3 and time.monotonic() < limit:
            page.wait_for_timeout(100)
        assert len(waited) >= 3, "with the touch, and every two seconds after it"
        page.tap("[data-do=close]")
        expect(page.locator("#sheet")).not_to_be_visible()
        page.wait_for_timeout(1_000)  # what was on its way is heard
        heard = len(waited)
        page.wait_for_timeout(3_000)
        assert len(waited) == heard


def test_undo_says_which_hand_whose_win_and_what_goes_back(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table)
    rig.claim(table)
    rig.do(table, "hand_manual", hand="123456789m23m44z", win_tile="4m")
    for seat in (0, 2, 3):
        rig.do(table, "agree", role="tablet", seat=seat)
    with ui.opened(browser, address) as tablet:
        tablet.tap("[data-do=undo]")
        expect(tablet.locator("#sheet")).to_contain_text("第 1 盘的结果（赵南 和，王芳 放铳）")
        expect(tablet.locator("#sheet .play-log li")).to_have_text(["陈东 +8", "赵南 −48", "王芳 +32", "李北 +8"])
        ui.shoot(tablet, "undo-agreed")
        tablet.tap("[data-do=undo-send]")
        expect(tablet.locator(".last")).to_have_class("last empty")
        rig.do(table, "close_game")
        expect(tablet.locator(".where h1")).to_have_text("牌局结束")
        ui.shoot(tablet, "game-over")


def test_undo_of_a_battles_end_speaks_of_that_end_alone(browser: Browser, address: str, table: Runtime) -> None:
    rig.open_game(table, ruleset="sichuan")
    rig.do(table, "start_hand")
    with ui.opened(browser, address) as tablet:
        for seat in (1, 3, 2):
            rig.do(table, "claim_win", seat=seat, source="discard", from_seat=0)
            rig.do(table, "hand_manual", hand=f"1234567891235{'mps'[seat - 1]}", win_tile=f"5{'mps'[seat - 1]}")
            rig.do(table, "approve")
            if seat == 3:
                rig.do(
                    table, "draw_hand", players={"0": {"hand": "1479m148p1369s22p"}, "2": {"hand": "1479m69p13689s22s"}}
                )
                tablet.tap("[data-do=undo]:enabled")
                expect(tablet.locator("#sheet")).to_contain_text("第 1 盘的结果（荒牌流局）")
                expect(tablet.locator("#sheet")).to_contain_text("此前各家的和牌不变。")
                tablet.tap("[data-do=undo-send]")
                expect(tablet.locator("#sheet")).not_to_be_visible()
        tablet.tap("[data-do=undo]:enabled")
        expect(tablet.locator("#sheet")).to_contain_text("第 1 盘的结果（王芳 和，陈东 放铳）")

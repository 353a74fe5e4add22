"""The referee's correction of a finished hand, by touch: what a hand shows, what it must say, what it moves."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from table.runtime import Runtime
from tests import browser_rig as ui
from tests import webui_rig as rig
from tests.table_kit import UNREADY

pytestmark = pytest.mark.browser

READY = ("2m", "3m", "4m", "6m", "7m", "8m", "3s", "4s", "5s", "6s", "7s", "8s", "5m")
"""Waits for 5m."""


def correct(desk: Page, why: str) -> None:
    """Open the last hand's correction and say why."""
    desk.tap(".history-row >> nth=0")
    desk.tap("[data-do=correct-open]")
    desk.fill("[name=reason]", why)


def sent(desk: Page) -> None:
    """Confirm a correction whose payments are listed."""
    desk.tap(".correct .main:enabled")
    expect(desk.locator("#sheet")).not_to_be_visible()


def totals(table: Runtime) -> list[int]:
    return [seat.total for seat in table.snapshot().seats]


def cleared(desk: Page) -> None:
    """Take every tile of the keyboard's row away."""
    for left in reversed(range(int(desk.locator(".entry .counter b").inner_text()))):
        desk.tap("[data-do=entry-back]")
        expect(desk.locator(".entry .counter b")).to_have_text(str(left))


@pytest.mark.parametrize("size", [ui.TABLET, ui.TABLET_UPRIGHT], ids=["tablet", "upright"])
def test_hands_shown_at_the_wall_are_set_right(browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    """四川 血戰: a battle of one winner ended at the wall; seat 1 has a kong that was none, and seat 3 was ready."""
    with rig.open_table(tmp_path) as table, rig.served(table) as address:
        rig.open_game(table, ruleset="sichuan")
        rig.do(table, "start_hand")
        rig.do(table, "kong", seat=1, meld_kind="kong_concealed", tile="9p")
        rig.do(table, "claim_win", seat=2, source="self_draw")
        rig.do(table, "hand_manual", hand="123456789s123s5s", win_tile="5s")
        rig.do(table, "approve")
        kong = {"hand": "147258m1478p", "melds": [{"kind": "kong_concealed", "tiles": "9999p"}]}
        rig.do(table, "draw_hand", players={"0": {"hand": UNREADY[0]}, "1": kong, "3": {"hand": UNREADY[3]}})
        before = totals(table)
        with ui.opened(browser, address + "/desk", size=size) as desk:
            correct(desk, "看错了")
            expect(desk.locator(".shown-hands > li")).to_have_count(3)
            expect(desk.locator(".shown-hands > li").nth(1).locator(".tile")).to_have_count(14)
            ui.shoot(desk, f"correction-shown-{size[0]}")
            desk.tap("[data-do=correct-show][data-seat='3']")
            expect(desk.locator(".entry .counter")).to_have_text("13/13")
            cleared(desk)
            ui.tap_tiles(desk, READY)
            ui.shoot(desk, f"correction-shown-entry-{size[0]}")
            desk.tap("[data-do=entry-send]")
            desk.tap("[data-do=correct-show][data-seat='1']")
            desk.tap("[data-do=entry-meld]")
            ui.tap_tiles(desk, ("9p", "9p", "9p"))
            desk.tap("[data-do=entry-send]")
            refused = desk.locator(".correct .refused")
            expect(refused).to_contain_text("赵南")
            expect(refused).to_be_in_viewport(ratio=1)
            expect(desk.locator(".correct .main")).to_be_disabled()
            ui.shoot(desk, f"correction-shown-refused-{size[0]}")
            desk.locator("[data-do=correct-drop]").tap()
            expect(refused).to_have_count(0)
            desk.tap("[data-do=correct-preview]")
            expect(desk.locator(".changes tbody tr")).to_have_count(1)
            listed = desk.locator(".changes tbody td b").all_inner_texts()
            ui.shoot(desk, f"correction-shown-listed-{size[0]}")
            assert totals(table) == before
            sent(desk)
            assert [f"{points:+}".replace("-", "−").replace("+0", "0") for points in totals(table)] == listed
            row = table.snapshot().history[-1]
            assert row.sides == ()
            assert row.notes["not_ready"] == [0, 1]
            assert list(row.notes["ready"]) == ["3"]
            correct(desk, "还是原来的")
            expect(desk.locator(".shown-hands > li").nth(2).locator(".tile")).to_have_count(13)


@pytest.mark.parametrize("size", [ui.TABLET, ui.TABLET_UPRIGHT], ids=["tablet", "upright"])
def test_a_kong_that_the_corrected_hand_does_not_show_is_asked(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    """四川: the hand counted for nothing; it was won, and its kong, which was set aside, was a pung."""
    with rig.open_table(tmp_path) as table, rig.served(table) as address:
        rig.open_game(table, ruleset="sichuan", options={"mode": "single"})
        rig.do(table, "start_hand")
        rig.do(table, "kong", seat=2, meld_kind="kong_added", tile="8m")
        rig.do(table, "claim_win", seat=2, source="self_draw")
        kong = {"kind": "kong_added", "tiles": "8888m", "from_seat": None}
        rig.do(table, "hand_manual", hand="123p456p678p9p", melds=[kong], win_tile="9p")
        rig.do(table, "approve")
        rig.do(table, "correct_hand", hand_no=1, reason="不计", outcome="void")
        with ui.opened(browser, address + "/desk", size=size) as desk:
            correct(desk, "那是碰")
            desk.tap("[data-do=correct-outcome][data-value=win]")
            expect(desk.locator(".correct .play-log li")).to_contain_text("目前不计")
            desk.tap("[data-do=entry]")
            desk.tap("[data-do=entry-meld]")
            desk.tap("[data-do=entry-mode][data-mode=peng]")
            ui.tap_tiles(desk, ("8m",))
            desk.tap("[data-do=entry-send]")
            asked = desk.locator(".correct .question")
            expect(asked).to_contain_text("这手牌里没有")
            desk.tap("[data-do=correct-preview]")
            expect(desk.locator(".changes tbody tr")).to_have_count(1)
            expect(desk.locator(".correct .main")).to_be_disabled()
            expect(desk.locator(".correct .verdict")).to_have_count(0)
            ui.shoot(desk, f"correction-kong-asked-{size[0]}")
            desk.tap("[data-do=answer] >> nth=0")
            expect(asked).to_have_count(0)
            expect(desk.locator(".correct .verdict .total b")).to_have_text("6")
            expect(desk.locator("[data-do=correct-drop][aria-pressed=true]")).to_have_count(1)
            desk.tap("[data-do=correct-preview]")
            sent(desk)
        row = table.snapshot().history[-1]
        assert (row.outcome, row.sides, [meld.kind for meld in row.melds]) == ("win", (), ["peng"])
        assert totals(table) == [-6, -6, 18, -6]


@pytest.mark.parametrize("size", [ui.TABLET, ui.TABLET_UPRIGHT, ui.PHONE], ids=["tablet", "upright", "phone"])
@pytest.mark.parametrize("path", ["/", "/desk"])
def test_a_hand_being_played_is_broken_off(browser: Browser, tmp_path: Path, path: str, size: tuple[int, int]) -> None:
    """四川: beside the drawn hand, once something was paid; its words say what stays. Undo takes it back."""
    with rig.open_table(tmp_path) as table, rig.served(table) as address:
        rig.open_game(table, ruleset="sichuan")
        rig.do(table, "start_hand")
        with ui.opened(browser, address + path, size=size) as page:
            page.tap("[data-do=draw]")
            expect(page.locator("[data-do=draw-void]")).to_be_visible()
            expect(page.locator("[data-do=draw-broken]")).to_have_count(0)
            page.tap("[data-do=drawn-show][data-seat='2']")
            ui.tap_tiles(page, READY)
            page.tap("[data-do=entry-send]")
            expect(page.locator(".shown-hands .hand .tile")).to_have_count(13)
            page.tap("[data-do=close]")
            rig.do(table, "kong", seat=1, meld_kind="kong_concealed", tile="9p")
            page.tap("[data-do=draw]")
            expect(page.locator("[data-do=draw-broken]")).to_have_text("中途结束，只计已付")
            page.locator("[data-do=draw-send]").scroll_into_view_if_needed()
            ui.shoot(page, f"broken-off-{size[0]}{path.replace('/', '-')}")
            page.tap("[data-do=draw-broken]")
            expect(page.locator("#sheet")).not_to_be_visible()
            assert (table.snapshot().history[-1].outcome, totals(table)) == ("broken_off", [-12, 36, -12, -12])
            assert table.snapshot().round.dealer == 0  # type: ignore[union-attr]
            expect(page.locator("[data-do=draw]")).to_have_count(0)  # the page has heard of it, too
            rig.do(table, "undo_last")
            page.tap("[data-do=draw]")
            expect(page.locator("[data-do=draw-void]")).to_be_visible()
            rig.do(table, "draw_hand", void=True)
            if path == "/desk":
                expect(page.locator("#sheet")).not_to_be_visible()


@pytest.mark.parametrize("size", [ui.TABLET, ui.TABLET_UPRIGHT], ids=["tablet", "upright"])
def test_a_false_win_is_taken_back_and_its_hand_corrected(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    """The row of a false win leads to both: the points that return, and the hand it happened in."""
    with rig.open_table(tmp_path) as table, rig.served(table) as address:
        rig.open_game(table)
        rig.claim(table, 1, 2)
        rig.do(table, "reject", reason="十三张", false_win=True)
        rig.win(table, 3)
        with ui.opened(browser, address + "/desk", size=size) as desk:
            desk.tap(".history-row >> nth=1")
            expect(desk.locator("[data-do=correct-open]")).to_have_text("更正第 1 盘")
            ui.shoot(desk, f"false-win-{size[0]}")
            desk.tap("[data-do=penalty-lift]")
            expect(desk.locator("#sheet")).not_to_be_visible()
            expect(desk.locator(".history-row >> nth=1")).to_contain_text("处罚已取消")
            assert totals(table) == [-8, -8, -32, 48]
            desk.tap(".history-row >> nth=1")
            expect(desk.locator("[data-do=correct-open]")).to_be_visible()
            expect(desk.locator("[data-do=penalty-lift]")).to_have_count(0)
            desk.tap("[data-do=correct-open]")
            expect(desk.locator("#sheet-title")).to_have_text("更正第 1 盘")


def test_a_dead_hand_that_waits_is_ruled_in_the_correction(browser: Browser, tmp_path: Path) -> None:
    with rig.open_table(tmp_path) as table, rig.served(table) as address:
        rig.open_game(table, ruleset="sichuan")
        rig.do(table, "start_hand")
        rig.do(table, "penalise", seat=3, code="dead_hand")
        rig.do(table, "draw_hand", players={str(seat): {"hand": hand} for seat, hand in enumerate(UNREADY)})
        with ui.opened(browser, address + "/desk") as desk:
            correct(desk, "看错了")
            expect(desk.locator("[data-do=correct-ready]")).to_have_count(0)
            desk.tap("[data-do=correct-show][data-seat='3']")
            cleared(desk)
            ui.tap_tiles(desk, READY)
            desk.tap("[data-do=entry-send]")
            expect(desk.locator(".correct .refused")).to_contain_text("请裁判定夺")
            desk.tap("[data-do=correct-ready][data-seat='3']")
            expect(desk.locator(".correct .refused")).to_have_count(0)
            expect(desk.locator("[data-do=correct-ready]")).to_contain_text("听牌")
            ui.shoot(desk, "correction-dead-ready")
            desk.tap("[data-do=correct-preview]")
            sent(desk)
        assert totals(table) == [-6, -6, -6, 18]

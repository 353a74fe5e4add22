"""A hand that is followed, on the tablet and the desk: discards, a pung, a question, and a win filled in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from table.follow import explain
from table.following import Following
from table.runtime import Runtime
from tests import browser_rig as ui
from tests import seen_rig
from tests import webui_rig as rig

pytestmark = pytest.mark.browser

LONG = ("欧阳娜娜司马相如诸葛孔明上官婉儿长孙无忌", "阿卜杜热合曼·买买提江", "Wolfeschlegelsteinhausen", "李北")
SMALL = (1024, 768)
CUT = """() => [...document.querySelectorAll(".seat .name")]
  .filter((one) => one.scrollHeight > one.clientHeight + 6 || one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent)"""


@pytest.fixture
def felt() -> seen_rig.ScriptedTable:
    return seen_rig.ScriptedTable()


@pytest.fixture
def table(tmp_path: Path, felt: seen_rig.ScriptedTable) -> Iterator[Runtime]:
    with seen_rig.followed(tmp_path, felt) as runtime:
        yield runtime


def play(table: Runtime, felt: seen_rig.ScriptedTable, **game: str) -> None:
    """Five discards, one of them in doubt, and a pung by seat 0 from seat 2."""
    rig.open_game(table, ruleset="gb", **game)
    rig.do(table, "start_hand")
    felt.discard((0, "1z"), (1, "9m?9s"), (2, "5p"))
    seen_rig.wait(table, lambda now: now.table is not None and now.table.ponds[2])
    felt.claim(0, 2, ["5p", "5p", "5p"])
    felt.discard((0, "3s"), (1, "7z"))
    seen_rig.wait(table, lambda now: now.table is not None and now.table.last and now.table.last.tile == "7z")


def test_melds_and_discards_show_and_a_win_comes_with_from_whom(
    browser: Browser, table: Runtime, felt: seen_rig.ScriptedTable
) -> None:
    play(table, felt)
    with rig.served(table) as address, ui.opened(browser, address, language="en", theme="dark") as tablet:
        tablet.wait_for_selector(".pond")
        expect(tablet.locator("[data-key='seat-0'] .meld")).to_have_attribute("aria-label", "Pung from 王芳")
        expect(tablet.locator("[data-key='seat-1'] .pond .tile")).to_have_count(2)
        doubt = tablet.locator("[data-key='seat-1'] .doubt")
        expect(doubt).to_have_attribute("aria-label", "9 of characters or 9 of bamboos, not certain")
        expect(tablet.locator("[data-key='seat-2'] .turn")).to_be_visible()
        expect(tablet.locator(".left")).to_have_text("88 tiles left · counted by the camera")
        expect(tablet.locator(".pond").first).to_have_css("display", "grid")  # its style has come
        reach = """(one) => { const box = one.getBoundingClientRect(); const middle = box.top + box.height / 2;
          return document.elementFromPoint(box.left + box.width / 2, middle - 21).closest(".doubt") === one; }"""
        assert doubt.evaluate(reach), "a finger finds a small tile"
        for side in range(4):  # it fits from every side of the table
            expect(tablet.locator(f"[data-key='seat-{side}']")).to_have_attribute("data-place", "bottom")
            assert tablet.evaluate("document.documentElement.scrollWidth <= innerWidth")
            ui.shoot(tablet, f"following-{side}")
            tablet.tap("[data-do=turn]")
        doubt.tap()
        expect(tablet.locator(".seen-ask .asked-text")).to_have_text("Discards of 赵南 · 1")
        ui.shoot(tablet, "following-doubt")
        tablet.tap(".seen-ask [data-tile='9s']")
        expect(doubt).to_have_count(0)

        tablet.tap(".hu")
        tablet.tap("[data-do=who][data-seat='3']")
        first = tablet.locator(".who .main")
        expect(first).to_contain_text("from 赵南")
        expect(first.locator(".tile")).to_have_attribute("aria-label", "Red dragon")
        first.tap()
        expect(tablet.locator("#sheet-title")).to_have_text("李北 wins from 赵南")
        expect(tablet.locator(".from-camera .tile")).to_have_attribute("aria-label", "Red dragon")
        ui.shoot(tablet, "following-win")


def test_a_button_alone_is_enough_and_the_desk_sees_who_fed(
    browser: Browser, table: Runtime, felt: seen_rig.ScriptedTable
) -> None:
    play(table, felt)
    with rig.served(table) as address, ui.opened(browser, f"{address}/desk", language="en") as desk:
        rig.do(table, "claim_win", seat=3)
        expect(desk.locator(".case h2").first).to_have_text("李北 wins from 赵南")
        expect(desk.locator(".from-camera")).to_contain_text("seen by the camera")
        rig.do(table, "set_facts", source="self_draw", from_seat=None)
        expect(desk.locator(".case h2").first).to_have_text("李北 wins, self-drawn")
        felt.lay(1, ["1m", "3m", "5m", "7m", "9m", "1p", "3p", "5p", "7p"])
        expect(desk.locator(".queue")).to_contain_text("赵南's hand lay open", timeout=15000)
        ui.shoot(desk, "following-desk")


def test_a_question_waits_with_its_picture_and_is_answered(
    browser: Browser, table: Runtime, felt: seen_rig.ScriptedTable
) -> None:
    play(table, felt)
    felt.discard((0, "8p"))  # it is seat 2's turn
    seen_rig.wait(table, lambda now: now.table is not None and now.table.question)
    with rig.served(table) as address, ui.opened(browser, address, language="en", theme="dark") as tablet:
        tablet.tap("[data-do=seen]")
        expect(tablet.locator(".asked-text")).to_contain_text("陈东 appeared out of turn")
        expect(tablet.locator(".asked-picture")).to_be_visible()
        ui.shoot(tablet, "following-question")
        tablet.get_by_role("button", name="next to play: 赵南").tap()
        expect(tablet.locator("dialog[open]")).to_have_count(0)
        expect(tablet.locator("[data-key='seat-1'] .turn")).to_be_visible()
        expect(tablet.locator("[data-key='seat-0'] .pond .tile")).to_have_count(3)


def two_stories(table: Runtime, felt: seen_rig.ScriptedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat 1 takes the 5p of seat 0, and two tiles of the meld may be read in two ways: a pung or a chow."""
    monkeypatch.setattr(explain, "WAYS_GRACE_S", 0.5)
    rig.open_game(table, ruleset="gb")
    rig.do(table, "start_hand")
    felt.discard((0, "5p"))
    seen_rig.wait(table, lambda now: now.table is not None and now.table.ponds[0])
    felt.claim(1, 0, ["5p", "5p?4p", "5p?6p"])
    seen_rig.wait(table, lambda now: now.table is not None and now.table.question)


def test_of_two_stories_a_tap_tells_which_one_and_play_goes_on(
    browser: Browser, table: Runtime, felt: seen_rig.ScriptedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_stories(table, felt, monkeypatch)
    with rig.served(table) as address, ui.opened(browser, address, language="en", theme="dark") as tablet:
        tablet.tap("[data-do=seen]")
        expect(tablet.locator(".asked-text")).to_contain_text("Two stories")
        picture = tablet.locator(".asked-picture")
        expect(picture).to_be_visible()
        tablet.evaluate("document.querySelector('.asked-picture').decode()")  # until it has come
        wide = tablet.evaluate("document.querySelector('.asked-picture').naturalWidth")
        assert wide < 200, "the meld that may be read in two ways, not the whole table"
        stories = tablet.locator(".story")
        expect(stories).to_have_count(2)
        expect(stories.filter(has_text="赵南 pungs")).to_have_count(1)
        chow = stories.filter(has_text="赵南 chows")
        names = [one.get_attribute("aria-label") for one in chow.locator(".tile").all()]
        assert names == ["5 of dots", "4 of dots", "6 of dots"], "as they lie"
        ui.shoot(tablet, "following-two-stories")
        chow.tap()
        expect(tablet.locator("dialog[open]")).to_have_count(0)
        expect(tablet.locator("[data-key='seat-1'] .meld")).to_have_attribute("aria-label", "Chow from 陈东")
        felt.discard((1, "9m"))  # the table goes on: he who took the tile discards
        expect(tablet.locator("[data-key='seat-1'] .pond .tile")).to_have_count(1, timeout=15000)
        expect(tablet.locator("[data-key='seat-2'] .turn")).to_be_visible()
        expect(tablet.locator("[data-do=seen]")).to_have_count(0)


def test_a_hand_that_is_not_to_be_followed_leaves_the_tablet_and_the_next_one_comes(
    browser: Browser, table: Runtime, felt: seen_rig.ScriptedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_stories(table, felt, monkeypatch)
    with rig.served(table) as address, ui.opened(browser, address, language="en", theme="dark") as tablet:
        tablet.tap("[data-do=seen]")
        tablet.get_by_role("button", name="Do not follow this hand any more").tap()
        expect(tablet.locator("dialog[open]")).to_have_count(0)
        expect(tablet.locator(".lies, .turn, [data-do=seen]")).to_have_count(0)
        rig.win(table)
        felt.clear()
        rig.do(table, "start_hand")
        felt.discard((1, "1z"))  # the dealer of the second hand
        expect(tablet.locator("[data-key='seat-1'] .pond .tile")).to_have_count(1, timeout=15000)


def test_a_competition_tablet_shows_none_of_it(browser: Browser, table: Runtime, felt: seen_rig.ScriptedTable) -> None:
    play(table, felt, mode="competition")
    with (
        rig.served(table, pin="1234") as address,
        ui.opened(browser, address, language="en") as tablet,
    ):
        expect(tablet.locator(".pace")).to_be_visible()
        expect(tablet.locator(".lies, .pond, .meld, .doubt")).to_have_count(0)


def test_the_score_stays_where_it_is_while_tiles_come_to_lie(
    browser: Browser, tmp_path: Path, felt: seen_rig.ScriptedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = seen_rig.crowded()
    bare = replace(full, ponds=((),) * 4, melds=((),) * 4, flowers=((),) * 4, last=None)
    some = replace(bare, ponds=(("1m", "2m"), ("2p",), ("1m/2m",), ()), melds=((), full.melds[1][:1], (), ()))
    places = """[...document.querySelectorAll(".seat .digits, .seat .name")].map((one) => {
      const box = one.getBoundingClientRect(); return [box.left, box.top, box.height].map(Math.round).join(" ");
    })"""
    lying = [bare]
    monkeypatch.setattr(Following, "table", lambda _self, _state: lying[-1])
    with seen_rig.followed(tmp_path, felt) as table, rig.served(table) as address:
        rig.open_game(table)
        rig.win(table)
        rig.do(table, "start_hand")
        for size in (ui.TABLET, ui.TABLET_UPRIGHT):
            with ui.opened(browser, address, size=size) as tablet:
                lying.append(bare)
                expect(tablet.locator(".lies")).to_have_count(4)
                expect(tablet.locator(".pond .tile")).to_have_count(0, timeout=15000)
                expect(tablet.locator(".lies").first).to_have_css("justify-items", "start")  # its style has come
                before = tablet.evaluate(places)
                lying.append(some)
                expect(tablet.locator(".pond .tile")).to_have_count(4, timeout=15000)
                assert tablet.evaluate(places) == before


def test_a_crowded_table_fits_a_tablet_both_ways(
    browser: Browser, tmp_path: Path, felt: seen_rig.ScriptedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Following, "table", lambda _self, _state: seen_rig.crowded())
    with seen_rig.followed(tmp_path, felt) as table, rig.served(table) as address:
        rig.do(table, "open_game", names=list(LONG))
        rig.win(table)
        rig.do(table, "start_hand")
        for size in (ui.TABLET, ui.TABLET_UPRIGHT, SMALL):
            with ui.opened(browser, address, size=size, language="en", theme="dark") as tablet:
                tablet.wait_for_selector(".pond")
                expect(tablet.locator(".pond").first).to_have_css("display", "grid")  # its style has come
                assert tablet.evaluate("document.documentElement.scrollHeight - innerHeight") == 0
                assert tablet.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
                overlaps = """[...document.querySelectorAll('.seat')].some((seat) => {
                  const inside = seat.getBoundingClientRect();
                  return [...seat.querySelectorAll('.tile, .digits')].some((one) => {
                    const box = one.getBoundingClientRect();
                    return box.left < inside.left || box.right > inside.right
                      || box.top < inside.top || box.bottom > inside.bottom;
                  });
                })"""
                assert not tablet.evaluate(overlaps)
                assert not tablet.evaluate(CUT), "a name of twenty letters is told whole"
                assert tablet.evaluate("document.querySelector('.pond .tile').clientWidth") >= (
                    22 if size == SMALL else 28
                )
                ui.shoot(tablet, f"following-crowded-{size[0]}")

"""A whole evening at one tablet: sixteen hands by touch, corrections, a server that dies in the middle of a hand."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from table.model import Actor
from tests import browser_rig as ui
from tests import webui_rig as rig
from tests.webui_child import free_port, start

pytestmark = pytest.mark.browser


EVENING: tuple[tuple[int, int] | None, ...] = (
    (1, 2), (0, 3), None, (2, 2), (3, 0), (1, 0), (1, 3), (0, 0),
    (2, 1), None, (3, 1), (3, 3), (0, 2), (2, 0), (1, 2), (3, 2),
)  # fmt: skip
"""Winner and feeder by physical seat, the same twice for a self-draw; None = the wall ran out."""


def expected(hands: tuple[tuple[int, int] | None, ...], self_drawn: int) -> list[int]:
    """The scores by seat, worked out here and not by the rules."""
    totals = [0, 0, 0, 0]
    for hand in hands:
        if hand is None:
            continue
        winner, feeder = hand
        for seat in range(4):
            if winner == feeder:
                totals[seat] += 3 * (self_drawn + 8) if seat == winner else -(self_drawn + 8)
            else:
                totals[seat] += 48 if seat == winner else -32 if seat == feeder else -8
    return totals


def shown(points: int) -> str:
    return f"−{-points}" if points < 0 else str(points)


def play(tablet: Page, hand: tuple[int, int] | None) -> None:
    """One hand from the deal to the score, on the tablet."""
    if hand is None:
        tablet.tap("[data-do=dice]")
        tablet.tap("[data-do=start-hand]")
        tablet.tap("[data-do=draw]")
        tablet.tap("[data-do=draw-send]")
        return
    winner, feeder = hand
    tablet.tap(".hu")
    tablet.tap(f"[data-do=who][data-seat='{winner}']")
    if winner == feeder:
        tablet.tap("[data-do=claim][data-source=self_draw]")
    else:
        tablet.tap(f"[data-do=claim][data-seat='{feeder}']")
    tablet.tap("[data-do=entry]")
    ui.tap_tiles(tablet, rig.STRAIGHT)
    tablet.tap("[data-do=entry-send]")
    expect(tablet.locator(".verdict .total b")).to_be_visible()
    tablet.tap("[data-do=approve]")
    expect(tablet.locator("#sheet")).not_to_be_visible()


def test_sixteen_hands_by_touch_with_corrections(browser: Browser, tmp_path: Path) -> None:
    began = time.monotonic()
    with rig.open_table(tmp_path) as table, rig.served(table) as address, ui.opened(browser, address) as tablet:
        tablet.tap("[data-do=new-game]")
        for seat, name in enumerate(rig.NAMES):
            tablet.fill(f"[name=name{seat}]", name)
        tablet.tap(".setup .main")
        for number, hand in enumerate(EVENING):
            play(tablet, hand)
            expect(tablet.locator(".last-no")).to_contain_text(str(number + 1))
        self_drawn = next(row.total for row in table.snapshot().history if row.source == "self_draw")
        assert self_drawn > 24, "a self-draw is worth more than the same hand on a discard"
        ui.expect_totals(tablet, [shown(points) for points in expected(EVENING, self_drawn)])
        expect(tablet.locator(".phase")).to_have_text("牌局结束")
        ui.shoot(tablet, "evening-over")
        with ui.opened(browser, address + "/desk", size=ui.TABLET_UPRIGHT) as desk:
            for number, winner in ((1, 3), (6, 2)):
                desk.tap(f".history-row[data-index='{number - 1}']")
                desk.tap("[data-do=correct-open]")
                desk.tap(f"[data-do=correct-winner][data-value='{winner}']")
                desk.fill("[name=reason]", "座位记错")
                desk.tap("[data-do=correct-preview]")
                expect(desk.locator(".changes tbody tr")).not_to_have_count(0)
                desk.tap(".correct .main")
                expect(desk.locator(f".history-row[data-index='{number - 1}'] .corrected")).to_be_visible()
            ui.shoot(desk, "desk-upright")
        corrected = tuple(
            (3, hand[1]) if place == 0 and hand else (2, hand[1]) if place == 5 and hand else hand
            for place, hand in enumerate(EVENING)
        )
        totals = expected(corrected, self_drawn)
        ui.expect_totals(tablet, [shown(points) for points in totals])
        assert sum(totals) == 0
        with ui.opened(browser, address + "/history") as page:
            expect(page.locator(".history-row .corrected")).to_have_count(2)
            expect(page.locator(".settlement li")).not_to_have_count(0)
            ui.shoot(page, "evening-history")
    print(f"an evening of {len(EVENING)} hands by touch: {time.monotonic() - began:.0f} s")  # noqa: T201


def test_a_server_killed_in_the_middle_of_a_hand_goes_on_where_it_was(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    with rig.open_table(tmp_path, rig.ScriptedEyes(doubts={9: "2s"})) as runtime:
        rig.open_game(runtime)
        rig.claim(runtime)
        runtime.submit_photo(rig.picture(), Actor(role="tablet"), "p")
        deadline = time.monotonic() + 10
        while not runtime.snapshot().claim.tiles and time.monotonic() < deadline:  # type: ignore[union-attr]
            time.sleep(0.05)
    server = start(tmp_path, port)
    try:
        with ui.opened(browser, f"http://127.0.0.1:{port}") as tablet:
            tablet.tap(".hu")
            tablet.locator(".seen[data-sure=check]").tap()
            tablet.locator(".likely [data-do=fix-to]").first.tap()
            expect(tablet.locator(".verdict .total b")).to_have_text("24")
            tablet.tap("[data-do=agree][data-seat='0']")
            expect(tablet.locator("[data-do=agree][data-seat='0']")).to_have_attribute("aria-pressed", "true")
            server.send_signal(signal.SIGKILL)
            server.wait()
            tablet.tap("[data-do=agree][data-seat='2']")
            expect(tablet.locator(".toast")).to_be_visible()
            server = start(tmp_path, port)
            expect(tablet.locator("[data-do=agree][data-seat='0']")).to_have_attribute("aria-pressed", "true")
            expect(tablet.locator(".verdict .total b")).to_have_text("24")
            for seat in (2, 3):
                tablet.tap(f"[data-do=agree][data-seat='{seat}']")
            ui.expect_totals(tablet, ["−8", "48", "−32", "−8"])
    finally:
        server.kill()
        server.wait()
